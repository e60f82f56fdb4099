//! Strong components of the initial problem: constraints of different state sets are never in one, on random
//! mechanisms.

use std::collections::BTreeSet;

use rhei_equations::{Equations, read};
use rhei_solvable::{Block, Cause, Mode, Solvable};
use rhei_structure::make_solvable;

const MODELS: u64 = 100;

/// Whole numbers that depend on nothing but the seed (xorshift).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % n
    }
}

/// A mechanism of points in the plane: each hangs by a rod on the frame or on a point before it. In half of the mechanisms some
/// hang by a second rod that closes a loop. In the others some coordinates are fixed, no more than each point leaves free: if
/// both speeds of a point were fixed, its positions would follow from them. Beside it pairs of variables tied by parameters, on
/// which the lengths of rods depend.
fn mechanism(seed: u64) -> String {
    let mut random = Random::new(seed);
    let n = 1 + random.below(5);
    let (mut declared, mut derivatives, mut equations) = (String::new(), String::new(), String::new());
    let mut forces = vec![[String::new(), String::from(" - 9.81")]; n as usize];
    let n_pairs = random.below(3);
    let has_loops = random.below(2) == 0;
    for pair in 0..n_pairs {
        declared += &format!(
            "  parameter p{pair} = 1\n  parameter q{pair} = 2\n  unknown a{pair}\n  unknown b{pair}\n  unknown l{pair}\n"
        );
        derivatives += &format!("  derivative der(a{pair})\n  derivative der(b{pair})\n");
        equations += &format!(
            "  der(a{pair}) = 1 + p{pair}*l{pair}\n  der(b{pair}) = q{pair}*l{pair} - b{pair}\n  p{pair}*a{pair} + q{pair}*b{pair} = 1\n"
        );
    }
    let mut rods = 0;
    for k in 0..n {
        let mut fixes = ["x", "y"].map(|_| (!has_loops).then(|| random.below(4)));
        for (i, name) in ["x", "y", "vx", "vy"].into_iter().enumerate() {
            let fixed =
                if fixes[i / 2].take_if(|fixed| *fixed == i as u64 % 2).is_some() { ", fixed" } else { "" };
            declared += &format!("  unknown {name}{k}(start = {}{fixed})\n", k + 1);
            derivatives += &format!("  derivative der({name}{k})\n");
        }
        equations += &format!("  der(x{k}) = vx{k}\n  der(y{k}) = vy{k}\n");
        let mut ties = vec![random.below(k + 1)];
        if has_loops && random.below(2) == 0 && k > 0 {
            ties.push(random.below(k + 1));
        }
        ties.dedup();
        for tie in ties {
            let length = match n_pairs {
                0 => format!("{}", rods + 1),
                _ => format!("(1 + a{0}*a{0})", rods % n_pairs),
            };
            let (dx, dy) = match tie {
                0 => (format!("(x{k} - {rods})"), format!("y{k}")),
                _ => (format!("(x{k} - x{})", tie - 1), format!("(y{k} - y{})", tie - 1)),
            };
            equations += &format!("  {dx}*{dx} + {dy}*{dy} = {length}\n");
            declared += &format!("  unknown f{rods}\n");
            for (axis, d) in [dx, dy].iter().enumerate() {
                forces[k as usize][axis] += &format!(" - f{rods}*{d}");
                if tie > 0 {
                    forces[tie as usize - 1][axis] += &format!(" + f{rods}*{d}");
                }
            }
            rods += 1;
        }
    }
    for (k, [fx, fy]) in forces.iter().enumerate() {
        equations += &format!("  der(vx{k}) = 0{fx}\n  der(vy{k}) = 0{fy}\n");
    }
    format!("model M\n{declared}{derivatives}equation\n{equations}")
}

/// The sets whose constraints each loop of the initial problem has.
fn sets_in_loops(solvable: &Solvable) -> Vec<BTreeSet<usize>> {
    let set_of = |cause: &Cause| match cause {
        Cause::Equation(e) => solvable.sets.iter().position(|set| set.equations.contains(e)),
        _ => None,
    };
    let loops = solvable.initial.iter().filter_map(|block| match block {
        Block::Solve(of) => Some(of),
        _ => None,
    });
    loops
        .map(|of| {
            let following = of.following.iter().map(|assignment| assignment.because);
            let causes = following.chain(of.residuals.iter().map(|residual| residual.because));
            causes.filter_map(|cause| set_of(&cause)).collect()
        })
        .collect()
}

#[test]
fn no_loop_at_the_start_has_constraints_of_two_sets() {
    let (mut with_several, mut loops_of_sets) = (0, 0);
    for seed in 1..=MODELS {
        let text = mechanism(seed);
        let equations: Equations = read(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let (made, diagnostics) = make_solvable(&equations, &Mode::default());
        let (_, solvable) = made.unwrap_or_else(|| panic!("{seed} is refused: {diagnostics:?}\n{text}"));
        with_several += usize::from(solvable.sets.len() > 2);
        for sets in sets_in_loops(&solvable) {
            loops_of_sets += usize::from(!sets.is_empty());
            assert!(sets.len() < 2, "{seed}: constraints of the sets {sets:?} need each other\n{text}");
        }
    }
    assert!(with_several >= 50, "only {with_several} of the models have more than two sets");
    assert!(loops_of_sets >= 100, "only {loops_of_sets} loops have constraints of sets");
}
