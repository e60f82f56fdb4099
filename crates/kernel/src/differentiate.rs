//! Derivatives of programs, along a direction, by the same walk that computes the values (forward differentiation).
//!
//! Exact up to rounding, and at any point as costly as a few evaluations.

use rhei_elementary::{Numbers, change_of_binary, change_of_call};

use crate::continued;
use crate::functions::Functions;
use crate::program::{Instruction, Program, Slot};

impl Program {
    /// Propagates directional derivatives: `changes` holds those of the inputs, and gets those of all other slots.
    ///
    /// `values` are those left by [`Program::run`] at this point; variables are computed once more on the way.
    pub fn propagate(&self, values: &mut [f64], changes: &mut [f64], functions: &Functions) {
        if functions.continues_exponentials() {
            return self.interpret_changes(values, changes, functions);
        }
        match self.tiers.for_changes(self, values, functions.execution()) {
            Some(machine) => machine.propagate(self, values, changes, functions),
            None => self.interpret_changes(values, changes, functions),
        }
    }

    fn interpret_changes(&self, values: &mut [f64], changes: &mut [f64], functions: &Functions) {
        let mut at = 0;
        while let Some(&instruction) = self.instructions.get(at) {
            at += 1;
            let truth = |b: bool| f64::from(u8::from(b));
            let moving = |slot: Slot| {
                let change = (!self.is_constant(slot)).then(|| changes[slot.index()]);
                (values[slot.index()], change)
            };
            let (to, value, change) = match instruction {
                Instruction::Copy { to, a } => {
                    let (value, change) = moving(a);
                    (to, value, change)
                }
                Instruction::Negate { to, a } => {
                    let (value, change) = moving(a);
                    (to, -value, change.map(|change| -change))
                }
                Instruction::Binary { op, to, a, b } => {
                    let (x, y) = (moving(a), moving(b));
                    let value = op.value(x.0, y.0);
                    (to, value, change_of_binary(&mut Numbers, op, value, x, y))
                }
                Instruction::Call { function, to, a } => {
                    let x = moving(a);
                    let tangent = continued::slope_of_tangent(function, x.0);
                    match tangent.filter(|_| functions.continues_exponentials()) {
                        Some(slope) => {
                            (to, continued::value(function, x.0), x.1.map(|change| slope * change))
                        }
                        None => {
                            let value = function.value(x.0);
                            (to, value, change_of_call(&mut Numbers, function, value, x))
                        }
                    }
                }
                Instruction::Relation { relation, to, a, b } => {
                    (to, truth(relation.holds(values[a.index()], values[b.index()])), None)
                }
                Instruction::Not { to, a } => (to, truth(values[a.index()] == 0.0), None),
                Instruction::And { to, a, b } => {
                    (to, truth(values[a.index()] != 0.0 && values[b.index()] != 0.0), None)
                }
                Instruction::Or { to, a, b } => {
                    (to, truth(values[a.index()] != 0.0 || values[b.index()] != 0.0), None)
                }
                Instruction::Invoke { .. } | Instruction::Whole { .. } => {
                    self.invoke_change(at - 1, values, changes, functions);
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
            changes[to.index()] = change.unwrap_or(0.0);
        }
    }

    /// The results of the call at an instruction, and their directional derivatives.
    pub(crate) fn invoke_change(
        &self,
        at: usize,
        values: &mut [f64],
        changes: &mut [f64],
        functions: &Functions,
    ) {
        if let Some((site, to)) = self.whole_at(at) {
            values[to.index()] = site.value(values).unwrap_or(f64::NAN);
            changes[to.index()] = 0.0;
            return;
        }
        let Some(site) = self.call_at(at) else { return };
        let at = |of: &[f64]| site.operands.iter().map(|slot| of[slot.index()]).collect::<Vec<f64>>();
        let (operands, direction) = (at(values), at(changes));
        // the values are those of the last run
        let change = functions.change(site, &operands, &direction);
        for i in 0..site.n_written() as usize {
            let place = site.first.index() + i;
            let of = change.as_ref().map(|change| change.get(i).copied().unwrap_or(0.0));
            changes[place] = of.unwrap_or(f64::NAN);
        }
        if let Ok(results) = functions.call(site, &operands, &site.rests_in(values)) {
            site.write(&results, values);
        }
    }
}
