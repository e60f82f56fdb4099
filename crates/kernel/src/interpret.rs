//! Runs programs, one instruction after the other. Complete, and the oracle for any faster way.

use std::ops::Range;

use rhei_equations::{ExprId, VarId};
use rustc_hash::FxHashMap;

use rhei_evaluate::Failure;

use crate::continued;
use crate::functions::Functions;
use crate::program::{Instruction, Program};

/// A value that is not finite: the first operation that made it from finite operands.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The variable that was being computed; none for a residual.
    pub target: Option<VarId>,
    /// The operation at fault; none if an input was not finite.
    pub expression: Option<ExprId>,
    /// The value: infinite or NaN.
    pub value: f64,
    /// Its operands; in integer arithmetic each is followed by its low-order part.
    pub operands: Vec<f64>,
    /// Why a call of a function has no value.
    pub call: Option<Box<Failure>>,
}

impl Program {
    /// Computes the targets; stops at the first one that has no finite value.
    pub fn run(&self, values: &mut [f64], functions: &Functions) -> Result<(), Fault> {
        functions.count(self.instructions.len() as u64);
        if functions.continues_exponentials() {
            return self.interpret(values, functions);
        }
        match self.tiers.for_values(self, values, functions.execution()) {
            Some(machine) => machine.run(self, values, functions),
            None => self.interpret(values, functions),
        }
    }

    fn interpret(&self, values: &mut [f64], functions: &Functions) -> Result<(), Fault> {
        self.execute(0..self.instructions.len(), values, functions, |_, _, _| Ok(()))?;
        let computed =
            self.targets.iter().map(|&(v, _)| v.index()).chain(self.results.iter().map(|slot| slot.index()));
        let finite = computed.into_iter().all(|place| values[place].is_finite());
        if finite { Ok(()) } else { Err(self.trace_all(values, functions)) }
    }

    /// Computes the targets, with the values in `set` instead of those of formulas.
    pub fn run_setting(
        &self,
        values: &mut [f64],
        set: &FxHashMap<VarId, f64>,
        functions: &Functions,
    ) -> Result<(), Fault> {
        let mut begin = 0;
        for &(v, end) in &self.targets {
            let segment = begin..end as usize;
            begin = end as usize;
            match set.get(&v) {
                // the formula may have no value, but parts of it may be needed further on
                Some(&value) => {
                    self.execute(segment, values, functions, |_, _, _| Ok(()))?;
                    values[v.index()] = value;
                }
                None => {
                    self.execute(segment.clone(), values, functions, |_, _, _| Ok(()))?;
                    if !values[v.index()].is_finite() {
                        return Err(self.trace(segment, values, functions));
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs the whole program again to find the origin of the first value that is not finite.
    pub(crate) fn trace_all(&self, values: &mut [f64], functions: &Functions) -> Fault {
        self.trace(0..self.instructions.len(), values, functions)
    }

    /// Runs again to find the origin of the first value that is not finite.
    fn trace(&self, part: Range<usize>, values: &mut [f64], functions: &Functions) -> Fault {
        let traced = self.execute(part, values, functions, |i, instruction, values| {
            let made =
                self.writes(instruction).map(|slot| values[slot.index()]).find(|value| !value.is_finite());
            match made {
                Some(value) => Err(Fault {
                    target: self.target_of(i),
                    expression: Some(self.expressions[i]),
                    value,
                    operands: self.reads(instruction).map(|slot| values[slot.index()]).collect(),
                    call: None,
                }),
                None => Ok(()),
            }
        });
        traced.err().unwrap_or(Fault {
            target: None,
            expression: None,
            value: f64::NAN,
            operands: Vec::new(),
            call: None,
        })
    }

    /// The variable that an instruction helps to compute.
    fn target_of(&self, instruction: usize) -> Option<VarId> {
        let place = self.targets.partition_point(|&(_, end)| end as usize <= instruction);
        self.targets.get(place).map(|&(v, _)| v)
    }

    /// Runs the call, or the integer arithmetic, at an instruction.
    pub(crate) fn invoke(&self, at: usize, values: &mut [f64], functions: &Functions) -> Result<(), Fault> {
        if let Some((site, to)) = self.whole_at(at) {
            values[to.index()] = site.value(values).ok_or_else(|| self.not_whole(at, values))?;
            return Ok(());
        }
        let Some(site) = self.call_at(at) else { return Ok(()) };
        if functions.call_natively(site, values) {
            return Ok(());
        }
        let operands: Vec<f64> = site.operands.iter().map(|slot| values[slot.index()]).collect();
        match functions.call(site, &operands, &site.rests_in(values)) {
            Ok(results) => {
                site.write(&results, values);
                Ok(())
            }
            Err(failure) => Err(Fault {
                target: self.target_of(at),
                expression: Some(self.expressions[at]),
                value: f64::NAN,
                operands,
                call: Some(Box::new(failure)),
            }),
        }
    }

    /// The fault of integer arithmetic without a value.
    fn not_whole(&self, at: usize, values: &[f64]) -> Fault {
        let operands = self.reads(self.instructions[at]).map(|slot| values[slot.index()]).collect();
        Fault {
            target: self.target_of(at),
            expression: Some(self.expressions[at]),
            value: f64::NAN,
            operands,
            call: None,
        }
    }

    fn execute(
        &self,
        part: Range<usize>,
        values: &mut [f64],
        functions: &Functions,
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
                    let x = values[a.index()];
                    values[to.index()] = match functions.continues_exponentials() {
                        false => function.value(x),
                        true => continued::value(function, x),
                    }
                }
                Instruction::Relation { relation, to, a, b } => {
                    values[to.index()] = truth(relation.holds(values[a.index()], values[b.index()]));
                }
                Instruction::Not { to, a } => values[to.index()] = truth(values[a.index()] == 0.0),
                Instruction::Invoke { .. } | Instruction::Whole { .. } => {
                    self.invoke(at, values, functions)?;
                }
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
