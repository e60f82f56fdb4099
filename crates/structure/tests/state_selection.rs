//! Properties of the choice of states, on random linear models: it does not depend on irrelevant parts, and no choice is
//! better.

use proptest::prelude::*;
use rhei_equations::{Equations, VarId, read};
use rhei_solvable::Mode;
use rhei_structure::{cost_of_states, make_solvable};

const WISHES: [&str; 4] = ["avoid", "default", "prefer", "never"];

/// A model of differentiated variables `x0`, `x1`, … with a wish each, tied by linear constraints with small whole factors,
/// some of them times a parameter.
#[derive(Clone, Debug)]
struct Model {
    wishes: Vec<usize>,
    constraints: Vec<Vec<i32>>,
    /// Place in each constraint at which a parameter of unknown sign stands before the factor, if any.
    unsigned: Vec<usize>,
}

fn models() -> impl Strategy<Value = Model> {
    (2..6_usize).prop_flat_map(|n| {
        let factors = prop::collection::vec(-2..3_i32, n);
        let wishes = prop::collection::vec(0..4_usize, n);
        let tied =
            factors.prop_filter("a constraint ties something", |factors| factors.iter().any(|f| *f != 0));
        let constraints = prop::collection::vec(tied, 1..n);
        let unsigned = prop::collection::vec(0..3 * n, n);
        (wishes, constraints, unsigned).prop_map(|(wishes, constraints, unsigned)| Model {
            wishes,
            constraints,
            unsigned,
        })
    })
}

/// Variations of a model that must not change the choice.
#[derive(Clone, Copy, Debug, Default)]
struct Without {
    /// Equations in another order, by this seed.
    shuffled: u64,
    /// Variables that are no candidates are declared elsewhere.
    declared_elsewhere: bool,
    /// Every second variable has a start value.
    started: bool,
    /// Every second variable is fixed, as far as constraints leave them free.
    fixed: bool,
    sensors: bool,
    aliases: bool,
}

/// An order that depends on nothing but the seed (xorshift).
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for last in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        items.swap(last, (state % (last as u64 + 1)) as usize);
    }
}

impl Model {
    fn declaration(&self, i: usize, without: Without) -> String {
        let mut attributes: Vec<&str> = Vec::new();
        if without.started && i % 2 == 1 {
            attributes.push("start = 3");
        }
        if without.fixed && i.is_multiple_of(2) {
            attributes.push("fixed");
        }
        if WISHES[self.wishes[i]] != "default" {
            attributes.push(WISHES[self.wishes[i]]);
        }
        match attributes.is_empty() {
            true => format!("  unknown x{i}\n"),
            false => format!("  unknown x{i}({})\n", attributes.join(", ")),
        }
    }

    /// The factor of a variable in a constraint, as text.
    fn factor(&self, constraint: usize, i: usize) -> String {
        let factor = self.constraints[constraint][i];
        if self.unsigned[constraint] == i { format!("{factor}*p{constraint}") } else { factor.to_string() }
    }

    /// The text, with irrelevant variations.
    fn text(&self, without: Without) -> String {
        let n = self.wishes.len();
        let mut candidates = String::new();
        let mut others: Vec<String> = Vec::new();
        let mut derivatives = String::new();
        let mut equations = Vec::new();
        for i in 0..n {
            candidates += &self.declaration(i, without);
            derivatives += &format!("  derivative der(x{i})\n");
            // a force for every constraint it takes part in
            let forces: Vec<String> = (0..self.constraints.len())
                .filter(|&c| self.constraints[c][i] != 0)
                .map(|c| format!("{}*f{c}", self.constraints[c][i]))
                .collect();
            let forces = if forces.is_empty() { "1".into() } else { forces.join(" + ") };
            equations.push(format!("  der(x{i}) = {forces}\n"));
            if without.sensors {
                others.push(format!("  unknown s{i}(never)\n  unknown v{i}\n  unknown q{i}\n"));
                derivatives += &format!("  derivative der(s{i})\n");
                equations.push(format!("  s{i} = 2*x{i} + 1\n"));
                equations.push(format!("  v{i} = der(s{i})\n"));
                equations.push(format!("  q{i} = x{i}*x{i}\n"));
            }
            if without.aliases {
                others.push(format!("  unknown a{i}\n  unknown b{i}\n"));
                equations.push(format!("  a{i} = x{i}\n"));
                equations.push(format!("  b{i} = -a{i}\n"));
            }
        }
        for (c, factors) in self.constraints.iter().enumerate() {
            candidates += &format!("  parameter p{c} = 2\n");
            others.push(format!("  unknown f{c}\n"));
            let tied = (0..n).filter(|&i| factors[i] != 0);
            let terms: Vec<String> = tied.map(|i| format!("{}*x{i}", self.factor(c, i))).collect();
            equations.push(format!("  {} = 0\n", terms.join(" + ")));
        }
        if without.shuffled != 0 {
            shuffle(&mut equations, without.shuffled);
        }
        let declared = if without.declared_elsewhere {
            others.reverse();
            others.concat() + &candidates
        } else {
            candidates + &others.concat()
        };
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

/// The names of the states and of the candidates of each state set, or the ids of the errors of the choice.
#[derive(Debug, PartialEq)]
struct Chosen {
    states: Vec<String>,
    sets: Vec<Vec<String>>,
}

/// Diagnostics about starts, which do not concern the choice.
const OF_STARTS: [&str; 2] = ["initial-overdetermined", "initial-not-determined"];

fn outcome(text: &str) -> Result<Chosen, Vec<&'static str>> {
    let equations: Equations = read(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let (made, diagnostics) = make_solvable(&equations, &Mode::default());
    let Some((equations, solvable)) = made else {
        return Err(diagnostics.iter().filter(|d| d.is_error()).map(|d| d.id).collect());
    };
    let name = |v: VarId| equations.variable(v).name.to_string();
    let fixed = solvable.states.iter().filter(|state| !equations.variable(state.variable).is_hidden);
    let states = fixed.map(|state| name(state.variable)).collect();
    let candidates = |set: &rhei_solvable::StateSet| {
        let mut names: Vec<String> = set.candidates.iter().map(|&v| name(v)).collect();
        names.sort();
        names
    };
    let mut sets: Vec<Vec<String>> = solvable.sets.iter().map(candidates).collect();
    sets.sort();
    Ok(Chosen { states, sets })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn only_wishes_and_constraints_have_a_say(model in models(), seed in 1..u64::MAX) {
        let plain = outcome(&model.text(Without::default()));
        let shuffled = Without { shuffled: seed, ..Without::default() };
        prop_assert_eq!(&outcome(&model.text(shuffled)), &plain, "the order of equations");
        let declared = Without { declared_elsewhere: true, ..shuffled };
        prop_assert_eq!(&outcome(&model.text(declared)), &plain, "where forces are declared");
        let started = Without { started: true, ..Without::default() };
        prop_assert_eq!(&outcome(&model.text(started)), &plain, "start values");
        match outcome(&model.text(Without { fixed: true, ..started })) {
            // too much may be fixed for the start: that is no matter of the states
            Err(ids) if ids.iter().all(|id| OF_STARTS.contains(id)) => {}
            fixed => prop_assert_eq!(&fixed, &plain, "what is fixed"),
        }
        if plain.is_ok() {
            let sensors = Without { sensors: true, ..shuffled };
            prop_assert_eq!(&outcome(&model.text(sensors)), &plain, "sensors");
            let aliases = Without { aliases: true, ..shuffled };
            prop_assert_eq!(&outcome(&model.text(aliases)), &plain, "aliases");
            let all = Without { sensors: true, aliases: true, started: true, ..declared };
            prop_assert_eq!(&outcome(&model.text(all)), &plain, "all of it");
        }
    }

    #[test]
    fn no_choice_is_better(mut model in models()) {
        model.unsigned.fill(usize::MAX); // numbers: there are no sets, and rank is that of whole numbers
        let found = outcome(&model.text(Without::default()));
        match (model.best(), found) {
            (Some(best), Ok(Chosen { states, sets })) => {
                let of = |wish: &str| {
                    let wishes = states.iter().map(|name| name[1..].parse::<usize>().unwrap_or(0));
                    wishes.filter(|&i| WISHES[model.wishes[i]] == wish).count()
                };
                prop_assert_eq!([of("never"), of("avoid"), of("default")], best);
                prop_assert_eq!(sets.len(), 0);
            }
            (Some(best), Err(ids)) => {
                prop_assert!(best[0] > 0, "{:?} although {:?} can be had", ids, best);
                prop_assert!(ids.contains(&"never-unavoidable"), "{:?}", ids);
            }
            (None, Err(_)) => {}
            (None, Ok(chosen)) => prop_assert!(false, "{:?} from constraints that depend on each other", chosen),
        }
    }
}

/// A train of wheels, the angle of each tied to the next by a ratio of its own: a number, or a parameter.
fn train(n: usize, is_parameter: bool) -> String {
    let mut text = "model Train\n".to_owned();
    for i in 0..n {
        text += &format!("  unknown p{i}\n  unknown w{i}\n  derivative der(p{i})\n  derivative der(w{i})\n");
    }
    (1..n)
        .for_each(|i| text += &format!("  unknown t{i}\n  parameter r{i} = {}\n", 1.0 + i as f64 / n as f64));
    text += "equation\n";
    for i in 0..n {
        text += &format!("  der(p{i}) = w{i}\n");
        let ratio = |i: usize| if is_parameter { format!("r{i}") } else { format!("{}", 1 + i % 7) };
        let before = if i == 0 { "1".into() } else { format!("{}*t{i}", ratio(i)) };
        let after = if i + 1 == n { "0".into() } else { format!("t{}", i + 1) };
        text += &format!("  der(w{i}) = {before} - {after}\n");
        if i > 0 {
            text += &format!("  p{} = {}*p{i}\n", i - 1, ratio(i));
        }
    }
    text
}

#[test]
fn a_train_of_wheels_has_one_angle_and_one_speed() {
    let with_numbers = Chosen { states: vec!["p0".into(), "w0".into()], sets: vec![] };
    assert_eq!(outcome(&train(1_000, false)), Ok(with_numbers));
    // the last wheel is the one that no equation gives with a plain number
    let with_parameters = Chosen { states: vec!["p999".into(), "w999".into()], sets: vec![] };
    assert_eq!(outcome(&train(1_000, true)), Ok(with_parameters));
}

/// From a thousand wheels on, twice as many cost no more than n·log n says: a speed test without a clock.
#[test]
fn the_cost_of_a_train_grows_with_its_length() {
    for is_parameter in [false, true] {
        let cost = |n: usize| {
            let equations = read(&train(n, is_parameter)).unwrap_or_else(|error| panic!("{error:?}"));
            cost_of_states(&equations).expect("the train is a model") as f64
        };
        let costs: Vec<(usize, f64)> = [1_000, 2_000, 4_000, 8_000].map(|n| (n, cost(n))).to_vec();
        for pair in costs.windows(2) {
            let [(n, before), (twice, after)] = pair else { continue };
            let allowed = *twice as f64 * (*twice as f64).ln() / (*n as f64 * (*n as f64).ln());
            assert!(after / before <= allowed, "{costs:?}");
        }
    }
}

/// One constraint over all differentiated variables, which the same force moves: its factors are numbers, parameters, or vary.
fn tied_by_a_sum(n: usize, factor: impl Fn(usize) -> String) -> String {
    let mut text = "model Tied\n  unknown f\n".to_owned();
    (0..n).for_each(|i| text += &format!("  unknown x{i}\n  derivative der(x{i})\n  parameter p{i} = 2\n"));
    text += "equation\n";
    (0..n).for_each(|i| text += &format!("  der(x{i}) = f - x{i}\n"));
    let terms: Vec<String> = (0..n).map(|i| format!("{}*x{i}", factor(i))).collect();
    text + &format!("  {} = time\n", terms.join(" + "))
}

#[test]
fn the_cost_of_a_sum_over_all_states_grows_with_its_length() {
    let factors: [fn(usize) -> String; 3] =
        [|i| (1 + i % 7).to_string(), |i| format!("p{i}"), |i| format!("x{i}")];
    for factor in factors {
        let cost = |n: usize| {
            let equations = read(&tied_by_a_sum(n, factor)).unwrap_or_else(|error| panic!("{error:?}"));
            cost_of_states(&equations).expect("it is a model") as f64
        };
        let (once, twice) = (cost(2_000), cost(4_000));
        assert!(twice <= 2.1 * once, "{once}, then {twice}");
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
    assert_eq!(outcome(&text), Ok(Chosen { states: vec!["p0".into(), "w0".into()], sets: vec![] }));
}
