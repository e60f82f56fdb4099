//! Runs programs, one instruction after the other. Complete, and the oracle for any faster way.

use std::ops::Range;

use rhei_equations::{ExprId, VarId};
use rustc_hash::FxHashMap;

use crate::program::{Instruction, Program};

/// Something that has no finite value: the first operation that made one from finite operands.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The variable that was being computed; none for a residual.
    pub target: Option<VarId>,
    /// The operation at fault; none where something was not finite before.
    pub expression: Option<ExprId>,
    /// What it came to: infinite or not a number.
    pub value: f64,
    /// Its operands.
    pub operands: Vec<f64>,
}

impl Program {
    /// Computes the targets; stops at the first one that has no finite value.
    pub fn run(&self, values: &mut [f64]) -> Result<(), Fault> {
        self.execute(0..self.instructions.len(), values, |_, _, _| Ok(()))?;
        let computed =
            self.targets.iter().map(|&(v, _)| v.index()).chain(self.results.iter().map(|slot| slot.index()));
        let finite = computed.into_iter().all(|place| values[place].is_finite());
        if finite { Ok(()) } else { Err(self.trace(0..self.instructions.len(), values)) }
    }

    /// Computes the targets, those in `set` being what it says instead of what their formula says.
    pub fn run_setting(&self, values: &mut [f64], set: &FxHashMap<VarId, f64>) -> Result<(), Fault> {
        let mut begin = 0;
        for &(v, end) in &self.targets {
            let segment = begin..end as usize;
            begin = end as usize;
            match set.get(&v) {
                // the formula may have no value, but parts of it may be needed further on
                Some(&value) => {
                    self.execute(segment, values, |_, _, _| Ok(()))?;
                    values[v.index()] = value;
                }
                None => {
                    self.execute(segment.clone(), values, |_, _, _| Ok(()))?;
                    if !values[v.index()].is_finite() {
                        return Err(self.trace(segment, values));
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs again to find where the first value that is not finite comes from.
    fn trace(&self, part: Range<usize>, values: &mut [f64]) -> Fault {
        let target_of = |i: usize| {
            let place = self.targets.partition_point(|&(_, end)| end as usize <= i);
            self.targets.get(place).map(|&(v, _)| v)
        };
        let traced = self.execute(part, values, |i, instruction, values| {
            let made = instruction.writes().map(|slot| values[slot.index()]);
            match made {
                Some(value) if !value.is_finite() => Err(Fault {
                    target: target_of(i),
                    expression: Some(self.expressions[i]),
                    value,
                    operands: instruction.reads().map(|slot| values[slot.index()]).collect(),
                }),
                _ => Ok(()),
            }
        });
        traced.err().unwrap_or(Fault {
            target: None,
            expression: None,
            value: f64::NAN,
            operands: Vec::new(),
        })
    }

    fn execute(
        &self,
        part: Range<usize>,
        values: &mut [f64],
        mut after: impl FnMut(usize, Instruction, &[f64]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut at = part.start;
        let instructions = &self.instructions[..part.end];
        while let Some(&instruction) = instructions.get(at) {
            let truth = |b: bool| f64::from(u8::from(b));
            match instruction {
                Instruction::Copy { to, a } => values[to.index()] = values[a.index()],
                Instruction::Negate { to, a } => values[to.index()] = -values[a.index()],
                Instruction::Binary { op, to, a, b } => {
                    values[to.index()] = op.value(values[a.index()], values[b.index()]);
                }
                Instruction::Call { function, to, a } => {
                    values[to.index()] = function.value(values[a.index()])
                }
                Instruction::Relation { relation, to, a, b } => {
                    values[to.index()] = truth(relation.holds(values[a.index()], values[b.index()]));
                }
                Instruction::Not { to, a } => values[to.index()] = truth(values[a.index()] == 0.0),
                Instruction::And { to, a, b } => {
                    values[to.index()] = truth(values[a.index()] != 0.0 && values[b.index()] != 0.0);
                }
                Instruction::Or { to, a, b } => {
                    values[to.index()] = truth(values[a.index()] != 0.0 || values[b.index()] != 0.0);
                }
                Instruction::JumpUnless { a, target } => {
                    if values[a.index()] == 0.0 {
                        at = target as usize;
                        continue;
                    }
                }
                Instruction::Jump { target } => {
                    at = target as usize;
                    continue;
                }
            }
            after(at, instruction, values)?;
            at += 1;
        }
        Ok(())
    }
}
