//! Modes that are put together of pieces, each analysed once, beside the same modes with all equations analysed together: they are
//! the same to the last formula, whatever order they are visited in.

use std::collections::BTreeSet;
use std::path::Path;

use rhei_clocks::tell_apart;
use rhei_equations::{Equations, Notation, VarId};
use rhei_solvable::{Block, ImpulseRow, Mode, Role, Solvable};
use rhei_structure::{Entry, Found, Modes, PieceWork, Pieces, gauged, made_solvable};

use crate::workshop::compile;

/// A mode as lines of text: states, sets, formulas, jumps. In no order, and without the numbers of sets.
fn told(equations: &Equations, solvable: &Solvable) -> BTreeSet<String> {
    let notation = equations.notation();
    let name = |v: VarId| equations.variable(v).name.to_string();
    let names = |all: &[VarId]| all.iter().map(|&v| name(v)).collect::<Vec<_>>().join(", ");
    let mut lines = Vec::new();
    for variable in &equations.variables {
        let text = |e: Option<_>| e.map_or_else(String::new, |e| notation.expression(e));
        let attributes = [variable.nominal, variable.min, variable.max].map(text);
        if variable.is_unknown() && attributes.iter().any(|text| !text.is_empty()) {
            lines.push(format!("{} within {attributes:?}", variable.name));
        }
    }
    for state in &solvable.states {
        lines.push(format!("state {} with {}", name(state.variable), name(state.derivative)));
    }
    for set in &solvable.sets {
        let equations: BTreeSet<String> =
            set.equations.iter().map(|e| notation.equation(&equations.equations[e.index()])).collect();
        lines.push(format!("set of {} and {} by {equations:?}", names(&set.candidates), names(&set.others)));
        let jacobian: Vec<String> =
            set.jacobian.iter().flatten().map(|&(_, e)| notation.expression(e)).collect();
        let jacobian: BTreeSet<String> = jacobian.into_iter().collect();
        lines.push(format!("jacobian of {}: {jacobian:?}", names(&set.candidates)));
    }
    for assumption in &solvable.assumptions {
        lines.push(format!("assumed {} from {}", names(&assumption.solved_for), names(&assumption.from)));
    }
    for (place, block) in solvable.continuous.iter().enumerate() {
        let title = if place < solvable.dynamic { "dynamic" } else { "watched" };
        lines.push(format!("{title} {}", block_text(block, equations, &notation)));
    }
    lines.extend(
        solvable.event.iter().map(|block| format!("event {}", block_text(block, equations, &notation))),
    );
    let discrete = solvable.discrete.iter();
    lines.extend(discrete.map(|block| format!("discrete {}", block_text(block, equations, &notation))));
    let impulses = &solvable.impulses;
    let row = |row: &ImpulseRow| {
        let jumps = row.jumps.iter().map(|&(place, e)| (impulses.jumping[place], e));
        let term = |(v, e): (VarId, _)| format!("{}*{}", notation.expression(e), name(v));
        let mut terms: Vec<String> = jumps.chain(row.impulses.iter().copied()).map(term).collect();
        terms.sort();
        terms.join(" + ")
    };
    lines.extend(impulses.rows.iter().map(|one| format!("impulses {}", row(one))));
    lines.extend(impulses.following.iter().map(|(v, one)| format!("impulse of {}: {}", name(*v), row(one))));
    lines.push(format!("jumping {}; impulsive {}", names(&impulses.jumping), names(&impulses.impulsive)));
    for &(place, e) in &impulses.proportions {
        lines.push(format!("{} comes with {}", name(impulses.jumping[place]), notation.expression(e)));
    }
    for ((_, variable), choice) in equations.iter_variables().zip(&solvable.roles) {
        let role = match choice.role {
            Role::Candidate { .. } => "candidate".into(),
            // what is there for the passes alone has no role
            Role::Parameter => continue,
            role => format!("{role:?}"),
        };
        lines.push(format!("{} is {role}", variable.name));
    }
    let varying = equations.equations.iter().filter(|equation| !equation.is_discrete);
    lines.extend(varying.map(|equation| {
        let sides = [equation.lhs, equation.rhs].map(|side| notation.expression(side));
        format!("{} = {}", sides[0], sides[1])
    }));
    lines.into_iter().map(|line| without_numbers_of_sets(&line)).collect()
}

fn without_numbers_of_sets(line: &str) -> String {
    let mut parts = line.split("of set ");
    let mut made = parts.next().unwrap_or_default().to_string();
    for part in parts {
        made += "of set ";
        made += part.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    made
}

fn block_text(block: &Block, equations: &Equations, notation: &Notation<'_>) -> String {
    let name = |v: VarId| equations.variable(v).name.to_string();
    match block {
        // a product with what is zero in one mode vanishes there where the whole is looked at
        Block::Assign(one) if equations.variable(one.target).is_discrete => name(one.target),
        Block::Assign(one) => format!("{} := {}", name(one.target), notation.expression(one.value)),
        // how a loop is torn is a matter of the order in which its rows are met
        Block::Solve(torn) => {
            let all: BTreeSet<String> = block.targets().into_iter().map(name).collect();
            format!("loop of {all:?}, linear: {}", torn.factors.is_some())
        }
        Block::Settle(settle) => {
            let held: BTreeSet<String> = settle.held.iter().map(|&v| name(v)).collect();
            let all: BTreeSet<String> = block.targets().into_iter().map(name).collect();
            format!("settle {held:?} of {all:?}")
        }
    }
}

/// The mode with all its equations analysed together: nothing where the common structure will do, or where it cannot be.
fn whole(modes: &Modes, guards: &[bool], mode: &Mode, is_trial: bool) -> Option<Option<BTreeSet<String>>> {
    let mut equations = modes.in_mode(guards);
    if !is_trial {
        match gauged(&equations) {
            Some(gauged) => equations = gauged.equations,
            None if modes.is_common(&equations) => return Some(None),
            None => {}
        }
    }
    let (made, _) = made_solvable(&equations, mode, Entry::OnTheWay);
    made.map(|(equations, solvable)| Some(told(&equations, &solvable)))
}

/// Visits so many modes of a model, at random, and compares each with the whole; returns what that has cost.
fn compare(text: &str, visits: usize) -> PieceWork {
    let (done, _) = compile(text);
    let equations = done.equations.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    let (apart, _) = tell_apart(&equations);
    let (unclocked, _) = apart.expect("it can be told apart");
    let modes = Modes::of(&unclocked).expect("it has modes");
    let mut pieces = Pieces::new(&modes).expect("it can be taken apart");
    let n = modes.equations().guards.len();
    let mut guards = vec![false; n];
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as usize
    };
    for visit in 0..visits {
        // now one of them, now all
        match random() % 4 {
            0 => guards.iter_mut().for_each(|guard| *guard = random().is_multiple_of(2)),
            _ => {
                let place = random() % n;
                guards[place] = !guards[place];
            }
        }
        let deciding = modes.deciding(&guards);
        let mode = Mode { id: visit as u32 + 1, guards: vec![("guards".into(), true)] };
        let is_trial = visit % 5 == 4;
        let expected = whole(&modes, &deciding, &mode, is_trial);
        match (pieces.enter(&modes, &deciding, mode, is_trial), expected) {
            (Found::Whole, _) | (Found::Common, Some(None)) => {}
            (Found::Own(made), Some(Some(expected))) => {
                assert_eq!(made.solvable.verify(&made.equations), Ok(()));
                let found = told(&made.equations, &made.solvable);
                let differences: Vec<&String> = found.symmetric_difference(&expected).take(20).collect();
                assert!(
                    differences.is_empty(),
                    "visit {visit}, guards {deciding:?}: {differences:#?} of {} lines, {} expected",
                    found.len(),
                    expected.len()
                );
            }
            (found, expected) => panic!(
                "visit {visit}, guards {deciding:?}: {}, but {}",
                match found {
                    Found::Common => "common",
                    Found::Own(_) => "of its own",
                    Found::Whole => "whole",
                },
                match expected {
                    None => "it cannot be",
                    Some(None) => "common",
                    Some(Some(_)) => "of its own",
                }
            ),
        }
    }
    pieces.work()
}

/// A file of the repository, as text.
fn file(path: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(file).expect("the model is there")
}

/// Inductors in a row with switches between them, some stored charge beside each.
const ROW: &str = "model Row
  parameter Integer n = 12;
  parameter Real L[n] = {0.1*k for k in 1:n};
  Real p[n](start = {sin(k) for k in 1:n}, each fixed = true);
  Real i[n];
  Real v[n];
  Real heat[n];
  Boolean open[n - 1] = {sin(k*time) > 0.3 for k in 1:n - 1};
equation
  v[1] = 0;
  for k in 1:n loop
    p[k] = L[k]*i[k];
    heat[k] = i[k]^2;
    der(p[k]) = v[k] - (if k < n then v[min(k + 1, n)] else 0) - i[k];
  end for;
  for k in 1:n - 1 loop
    if open[k] then i[k] = i[k + 1]; else v[k + 1] = 0; end if;
  end for;
end Row;";

#[test]
fn a_row_of_switches_is_made_of_few_islands() {
    let visits = 120;
    let work = compare(ROW, visits);
    println!("{work:?}");
    assert_eq!(work.whole, 0);
    // 66 runs of open switches, twelve single inductors, eleven nodes; the common structure is asked for now and then
    assert!(work.pieces < 300, "{work:?}");
    assert!(work.equations < visits as u64 * 25, "{work:?} of {} equations a visit", 12 * 5);
}

#[test]
fn what_only_looks_at_islands_does_not_join_them() {
    let text = ROW
        .replace(
            "Real heat[n];",
            "Real heat[n]; Real total = sum(p); Real twice = 2*total + heat[3]; Real all = sum(v);",
        )
        .replace("model Row", "model Watched")
        .replace("end Row", "end Watched");
    let work = compare(&text, 60);
    println!("{work:?}");
    // the sum of what may be infinite joins them in the modes in which it may
    assert_eq!(work.whole, 0);
    let work = compare(&text.replace("Real all = sum(v);", ""), 120);
    println!("{work:?}");
    assert!(work.equations < 120 * 25, "{work:?}");
}

/// A known variable is differentiated in one mode, and not in another.
const DRIVEN: &str = "model Driven
  Real x[3](each start = 1, each fixed = true);
  Real z[3];
  Real u;
  Real y[3];
  Boolean b[3] = {sin(k*time) > 0 for k in 1:3};
equation
  u = 1 + sin(time);
  for k in 1:3 loop
    y[k] = k*u + 1;
    der(x[k]) = z[k] - x[k];
    if b[k] then x[k] = y[k]; else z[k] = y[k]^2; end if;
  end for;
end Driven;";

#[test]
fn what_is_known_may_have_to_be_differentiated() {
    println!("{:?}", compare(DRIVEN, 60));
}

/// Two pendulums whose strings may be slack, with a wish for states, and a bar between them that may be there.
const PENDULUMS: &str = "model Pendulums
  Real x[2](start = {0.6, 1.6});
  Real y[2](each start = -0.8, each stateSelect = StateSelect.prefer);
  Real vx[2];
  Real vy[2];
  Real F[2];
  Real q[2](each stateSelect = StateSelect.avoid);
  Real m[2];
  Boolean taut[2] = {sin(k*time) < 0.7 for k in 1:2};
  Boolean held[2] = {cos(k*time) < 0.7 for k in 1:2};
equation
  for k in 1:2 loop
    der(x[k]) = vx[k];
    der(y[k]) = vy[k];
    der(vx[k]) = -F[k]*x[k];
    der(vy[k]) = -F[k]*y[k] - 9.81;
    if taut[k] then x[k]^2 + y[k]^2 = 1; else F[k] = 0; end if;
    der(q[k]) = m[k];
    if held[k] then q[k] = 2*q[3 - k] + k; else m[k] = -q[k]; end if;
  end for;
end Pendulums;";

#[test]
fn state_sets_and_wishes_are_the_same() {
    println!("{:?}", compare(PENDULUMS, 60));
}

/// Relations of what varies, which events compute together with it.
const DIODES: &str = "model Diodes
  parameter Integer n = 3;
  Real p[n](start = {1, -1, 2}, each fixed = true);
  Real i[n];
  Real v[n];
  Real s[n];
  Boolean off[n];
  discrete Real count(start = 0, fixed = true);
equation
  for k in 1:n loop
    off[k] = s[k] < 0;
    p[k] = 0.1*k*i[k];
    der(p[k]) = sin(k*time) - v[k] - i[k] + (if off[1 + mod(k, n)] then 0.1 else 0);
    if off[k] then i[k] = 0; v[k] = -s[k]; else v[k] = 0; i[k] = s[k]; end if;
  end for;
  when off[1] then count = pre(count) + 1; end when;
end Diodes;";

#[test]
fn events_are_the_same() {
    println!("{:?}", compare(DIODES, 40));
}

#[test]
fn models_of_circuits_and_mechanisms_are_the_same() {
    for name in ["Chain", "Rectifier", "Buck", "SlackRope", "StickSlip"] {
        let text = file(&format!("tests/switching/{name}.mo")).replace("n = 50", "n = 9");
        let work = compare(&text, 40);
        println!("{name}: {work:?}");
    }
    println!("motor: {:?}", compare(&file("examples/InductionMotor.mo"), 30));
    println!("ring: {:?}", compare(RING, 40));
}

/// With all switches open one of their equations is redundant.
const RING: &str = "model Ring
  parameter Integer n = 5;
  Real p[n](start = 1:n, each fixed = true);
  Real i[n];
  Real v[n];
  Boolean open[n] = {sin(k*time) > 0.3 for k in 1:n};
equation
  for k in 1:n loop
    p[k] = 0.1*k*i[k];
    der(p[k]) = v[k] - v[1 + mod(k, n)] - i[k];
    if open[k] then i[k] = i[1 + mod(k - 2, n)]; else v[k] = 0; end if;
  end for;
end Ring;";

/// The same with a reason not to cut it: what is known in two pieces has a range that aliases share.
#[test]
fn aliases_share_their_ranges() {
    let text = ROW
        .replace("Real heat[n];", "Real heat[n]; Real w[n](each nominal = 100);")
        .replace("heat[k] = i[k]^2;", "heat[k] = i[k]^2; w[k] = v[k];");
    println!("{:?}", compare(&text, 40));
}
