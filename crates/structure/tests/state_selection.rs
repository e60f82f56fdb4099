//! Properties of the choice of states, on random linear models: what must not have a say has none, and no choice is better.

use proptest::prelude::*;
use rhei_equations::{Equations, read};
use rhei_solvable::Mode;
use rhei_structure::make_solvable;

const WISHES: [&str; 4] = ["avoid", "default", "prefer", "never"];

/// A model of differentiated variables `x0`, `x1`, … with a wish each, tied by linear constraints with small whole factors.
#[derive(Clone, Debug)]
struct Model {
    wishes: Vec<usize>,
    constraints: Vec<Vec<i32>>,
}

fn models() -> impl Strategy<Value = Model> {
    (2..6_usize).prop_flat_map(|n| {
        let factors = prop::collection::vec(-2..3_i32, n);
        let wishes = prop::collection::vec(0..4_usize, n);
        let tied =
            factors.prop_filter("a constraint ties something", |factors| factors.iter().any(|f| *f != 0));
        (wishes, prop::collection::vec(tied, 1..n))
            .prop_map(|(wishes, constraints)| Model { wishes, constraints })
    })
}

impl Model {
    /// The text, with what should not matter: an order of the equations, `fixed`, and sensors.
    fn text(&self, backwards: bool, fixed: bool, sensors: bool) -> String {
        let mut declared = String::new();
        let mut equations = Vec::new();
        for (i, &wish) in self.wishes.iter().enumerate() {
            let mut attributes: Vec<String> = Vec::new();
            if fixed && i % 2 == 1 {
                attributes.push("start = 3".into());
            }
            if WISHES[wish] != "default" {
                attributes.push(WISHES[wish].into());
            }
            let attributes =
                if attributes.is_empty() { String::new() } else { format!("({})", attributes.join(", ")) };
            declared += &format!("  unknown x{i}{attributes}\n");
            // a force for every constraint it takes part in
            let forces: Vec<String> = (0..self.constraints.len())
                .filter(|&c| self.constraints[c][i] != 0)
                .map(|c| format!("{}*f{c}", self.constraints[c][i]))
                .collect();
            let forces = if forces.is_empty() { "1".into() } else { forces.join(" + ") };
            equations.push(format!("  der(x{i}) = {forces}\n"));
        }
        for (c, factors) in self.constraints.iter().enumerate() {
            declared += &format!("  unknown f{c}\n");
            let terms: Vec<String> = factors
                .iter()
                .enumerate()
                .filter(|(_, factor)| **factor != 0)
                .map(|(i, factor)| format!("{factor}*x{i}"))
                .collect();
            equations.push(format!("  {} = 0\n", terms.join(" + ")));
        }
        let mut derivatives: String =
            (0..self.wishes.len()).map(|i| format!("  derivative der(x{i})\n")).collect();
        if sensors {
            for i in 0..self.wishes.len() {
                declared += &format!("  unknown s{i}(never)\n  unknown v{i}\n  unknown p{i}\n");
                derivatives += &format!("  derivative der(s{i})\n");
                equations.push(format!("  s{i} = 2*x{i} + 1\n"));
                equations.push(format!("  v{i} = der(s{i})\n"));
                equations.push(format!("  p{i} = x{i}*x{i}\n"));
            }
        }
        if backwards {
            equations.reverse();
        }
        format!("model M\n{declared}{derivatives}equation\n{}", equations.concat())
    }

    /// The best that can be had, by trying all choices: how many states are never, avoid, default. Nothing where constraints
    /// depend on each other.
    fn best(&self) -> Option<[usize; 3]> {
        let n = self.wishes.len();
        let rows = self.constraints.len();
        let cost = |dummies: u32| {
            let states = (0..n).filter(|i| dummies >> i & 1 == 0);
            let mut cost = [0; 3];
            for state in states {
                match WISHES[self.wishes[state]] {
                    "never" => cost[0] += 1,
                    "avoid" => cost[1] += 1,
                    "default" => cost[2] += 1,
                    _ => {}
                }
            }
            cost
        };
        let solvable = (0..1_u32 << n).filter(|dummies| {
            dummies.count_ones() as usize == rows && {
                let columns: Vec<usize> = (0..n).filter(|i| dummies >> i & 1 == 1).collect();
                determinant(&self.constraints, &columns) != 0
            }
        });
        solvable.map(cost).min()
    }
}

fn determinant(rows: &[Vec<i32>], columns: &[usize]) -> i64 {
    let Some((first, rest)) = rows.split_first() else { return 1 };
    let minor =
        |skip: usize| -> Vec<usize> { columns.iter().copied().filter(|&c| c != columns[skip]).collect() };
    (0..columns.len())
        .map(|k| {
            let sign = if k % 2 == 0 { 1 } else { -1 };
            sign * i64::from(first[columns[k]]) * determinant(rest, &minor(k))
        })
        .sum()
}

/// The names of the states, or the ids of the errors.
fn outcome(text: &str) -> Result<Vec<String>, Vec<&'static str>> {
    let equations: Equations = read(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let (made, diagnostics) = make_solvable(&equations, &Mode::default());
    match made {
        Some((equations, solvable)) => {
            Ok(solvable.states.iter().map(|state| equations.variable(state.variable).name.clone()).collect())
        }
        None => Err(diagnostics.iter().filter(|d| d.is_error()).map(|d| d.id).collect()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn only_wishes_and_constraints_have_a_say(model in models()) {
        let plain = outcome(&model.text(false, false, false));
        prop_assert_eq!(&outcome(&model.text(true, false, false)), &plain, "the order of equations");
        prop_assert_eq!(&outcome(&model.text(false, true, false)), &plain, "start values");
        if plain.is_ok() {
            prop_assert_eq!(&outcome(&model.text(false, false, true)), &plain, "sensors");
        }
    }

    #[test]
    fn no_choice_is_better(model in models()) {
        let found = outcome(&model.text(false, false, false));
        match (model.best(), found) {
            (Some(best), Ok(states)) => {
                let of = |wish: &str| {
                    let wishes = states.iter().map(|name| name[1..].parse::<usize>().unwrap_or(0));
                    wishes.filter(|&i| WISHES[model.wishes[i]] == wish).count()
                };
                prop_assert_eq!([of("never"), of("avoid"), of("default")], best);
            }
            (Some(best), Err(ids)) => {
                prop_assert!(best[0] > 0, "{:?} although {:?} can be had", ids, best);
                prop_assert!(ids.contains(&"never-unavoidable"), "{:?}", ids);
            }
            (None, Err(_)) => {}
            (None, Ok(states)) => prop_assert!(false, "{:?} from constraints that depend on each other", states),
        }
    }
}

/// A shaft of many inertias, each coupled rigidly to the next: nearly all are dummies.
#[test]
fn a_long_rigid_shaft_is_reduced_quickly() {
    let n = 5_000;
    let mut text = "model Shaft\n".to_owned();
    for i in 0..n {
        text += &format!("  unknown p{i}\n  unknown w{i}\n  derivative der(p{i})\n  derivative der(w{i})\n");
    }
    (1..n).for_each(|i| text += &format!("  unknown t{i}\n"));
    text += "equation\n";
    for i in 0..n {
        text += &format!("  der(p{i}) = w{i}\n");
        let before = if i == 0 { "1".into() } else { format!("t{i}") };
        let after = if i + 1 == n { "0".into() } else { format!("t{}", i + 1) };
        text += &format!("  der(w{i}) = {before} - {after}\n");
        if i > 0 {
            text += &format!("  p{} = p{i}\n", i - 1);
        }
    }
    assert_eq!(outcome(&text), Ok(vec!["p0".to_owned(), "w0".to_owned()]));
}
