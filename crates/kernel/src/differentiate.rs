//! Derivatives of programs, along a direction, by the same walk that computes the values (forward differentiation).
//!
//! Exact up to rounding, and at any point as costly as a few evaluations; the rules are those of
//! [`Pool::differentiate`](rhei_equations::Pool::differentiate).

use rhei_equations::{Binary, Elementary, power};

use crate::functions::Functions;
use crate::program::{Instruction, Program};

impl Program {
    /// The change `changes` of all slots that the change of the variables already in `changes` brings about.
    ///
    /// `values` are those left by [`Program::run`] at this point; they are computed once more on the way.
    pub fn propagate(&self, values: &mut [f64], changes: &mut [f64], functions: &Functions) {
        let mut at = 0;
        while let Some(&instruction) = self.instructions.get(at) {
            at += 1;
            let truth = |b: bool| f64::from(u8::from(b));
            let (to, value, change) = match instruction {
                Instruction::Copy { to, a } => (to, values[a.index()], changes[a.index()]),
                Instruction::Negate { to, a } => (to, -values[a.index()], -changes[a.index()]),
                Instruction::Binary { op, to, a, b } => {
                    let (x, y) = (values[a.index()], values[b.index()]);
                    let value = op.value(x, y);
                    (to, value, of_binary(op, value, (x, changes[a.index()]), (y, changes[b.index()])))
                }
                Instruction::Call { function, to, a } => {
                    let (x, dx) = (values[a.index()], changes[a.index()]);
                    let value = function.value(x);
                    // a slope may be infinite where nothing changes: sqrt(0) of a constant
                    (to, value, if dx == 0.0 { 0.0 } else { slope(function, x, value) * dx })
                }
                Instruction::Relation { relation, to, a, b } => {
                    (to, truth(relation.holds(values[a.index()], values[b.index()])), 0.0)
                }
                Instruction::Not { to, a } => (to, truth(values[a.index()] == 0.0), 0.0),
                Instruction::And { to, a, b } => {
                    (to, truth(values[a.index()] != 0.0 && values[b.index()] != 0.0), 0.0)
                }
                Instruction::Or { to, a, b } => {
                    (to, truth(values[a.index()] != 0.0 || values[b.index()] != 0.0), 0.0)
                }
                Instruction::Invoke { site } => {
                    let site = &self.calls[site as usize];
                    let at =
                        |of: &[f64]| site.operands.iter().map(|slot| of[slot.index()]).collect::<Vec<f64>>();
                    let (operands, direction) = (at(values), at(changes));
                    // the values are those of the last run
                    let change = functions.change(site, &operands, &direction);
                    for i in 0..site.count as usize {
                        let place = site.first.index() + i;
                        changes[place] = change.as_ref().map_or(f64::NAN, |change| change[i]);
                    }
                    if let Ok(results) = functions.call(site, &operands) {
                        let first = site.first.index();
                        values[first..first + results.len()].copy_from_slice(&results);
                    }
                    continue;
                }
                Instruction::JumpUnless { a, target } => {
                    if values[a.index()] == 0.0 {
                        at = target as usize;
                    }
                    continue;
                }
                Instruction::Jump { target } => {
                    at = target as usize;
                    continue;
                }
            };
            values[to.index()] = value;
            changes[to.index()] = change;
        }
    }
}

fn of_binary(op: Binary, value: f64, (x, dx): (f64, f64), (y, dy): (f64, f64)) -> f64 {
    match op {
        Binary::Add => dx + dy,
        Binary::Sub => dx - dy,
        Binary::Mul => dx * y + x * dy,
        Binary::Div => (dx - value * dy) / y,
        Binary::Pow => {
            let by_base = if dx == 0.0 { 0.0 } else { y * power(x, y - 1.0) * dx };
            let by_exponent = if dy == 0.0 { 0.0 } else { value * Elementary::Log.value(x) * dy };
            by_base + by_exponent
        }
        Binary::Atan2 => (dx * y - x * dy) / (x * x + y * y),
        Binary::Min => {
            if y < x {
                dy
            } else {
                dx
            }
        }
        Binary::Max => {
            if y > x {
                dy
            } else {
                dx
            }
        }
    }
}

/// The derivative of `f` at `x`; `fx` is `f(x)`.
fn slope(f: Elementary, x: f64, fx: f64) -> f64 {
    use Elementary as E;
    match f {
        E::Sin => E::Cos.value(x),
        E::Cos => -E::Sin.value(x),
        E::Tan => 1.0 + fx * fx,
        E::Asin => 1.0 / (1.0 - x * x).sqrt(),
        E::Acos => -1.0 / (1.0 - x * x).sqrt(),
        E::Atan => 1.0 / (1.0 + x * x),
        E::Sinh => E::Cosh.value(x),
        E::Cosh => E::Sinh.value(x),
        E::Tanh => 1.0 - fx * fx,
        E::Exp => fx,
        E::Log => 1.0 / x,
        E::Log10 => 1.0 / (x * std::f64::consts::LN_10),
        E::Sqrt => 0.5 / fx,
        E::Abs => E::Sign.value(x),
        E::Sign | E::Floor | E::Ceil | E::Truncate => 0.0,
    }
}
