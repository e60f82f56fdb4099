//! Programs with loops between them.
//!
//! A program runs from its first instruction to its last; a loop stands between two programs, as a program of its own that turns
//! guesses into residuals. The iteration is left to other crates.

use rhei_equations::VarId;
use rhei_solvable::Cause;
use rustc_hash::FxHashSet;

use crate::assemble::Layout;
use crate::program::{Program, Slot};

/// Steps in order.
#[derive(Clone, Debug, Default)]
pub struct Routine {
    /// The steps.
    pub steps: Vec<Step>,
}

/// One step of a [`Routine`].
#[derive(Clone, Debug)]
pub enum Step {
    /// Formulas.
    Run(Program),
    /// Unknowns that need each other.
    Iterate(Iteration),
    /// Steps repeated until Booleans settle.
    Settle(Settling),
}

/// Steps repeated until their held values do not change any more (fixed-point iteration).
#[derive(Clone, Debug)]
pub struct Settling {
    /// The held variables, low-order parts of Integers among them.
    pub held: Vec<VarId>,
    /// One iteration.
    pub turn: Routine,
}

/// A loop, to be solved by iteration.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// The guesses (tearing variables).
    pub guessed: Vec<VarId>,
    /// Computes the variables that follow from the guesses, and the residuals.
    pub program: Program,
    /// The slots of the residuals, as many as guesses.
    pub residuals: Vec<Slot>,
    /// The origin of each residual.
    pub because: Vec<Cause>,
    /// If the loop is linear: the slots that its coefficients depend on.
    pub factors: Option<Vec<Slot>>,
    /// For each of the first guesses, which are balanced, the slot of its factor of slowness.
    pub balance: Vec<Slot>,
    /// The slots that `program` reads and does not compute, without the guesses.
    pub inputs: Vec<Slot>,
    /// The number of the loop in the model.
    pub id: u32,
}

/// The inputs of a loop: the slots that its program reads and neither computes nor guesses. Constants and parameters are
/// among them.
fn inputs(iteration: &Iteration) -> Vec<Slot> {
    let program = &iteration.program;
    let mut known: FxHashSet<Slot> = iteration.guessed.iter().map(|&v| v.into()).collect();
    let mut found = Vec::new();
    for &instruction in &program.instructions {
        for slot in program.reads(instruction) {
            if !program.constants.contains(&slot.0) && known.insert(slot) {
                found.push(slot);
            }
        }
        known.extend(program.writes(instruction));
    }
    found
}

impl Routine {
    /// Its programs.
    pub fn programs(&self) -> Vec<&Program> {
        let mut all = Vec::new();
        for step in &self.steps {
            match step {
                Step::Run(program) => all.push(program),
                Step::Iterate(iteration) => all.push(&iteration.program),
                Step::Settle(settling) => all.extend(settling.turn.programs()),
            }
        }
        all
    }

    /// Replaces provisional slots in all programs by final ones.
    pub(crate) fn place(&mut self, layout: &Layout) {
        for step in &mut self.steps {
            match step {
                Step::Run(program) => layout.place(program),
                Step::Iterate(iteration) => {
                    layout.place(&mut iteration.program);
                    let slots = iteration.residuals.iter_mut().chain(&mut iteration.balance);
                    slots.for_each(|slot| *slot = layout.placed(*slot));
                    if !iteration.balance.is_empty() {
                        iteration.inputs = inputs(iteration);
                    }
                }
                Step::Settle(settling) => settling.turn.place(layout),
            }
        }
    }
}

impl std::fmt::Display for Routine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for step in &self.steps {
            match step {
                Step::Run(program) => write!(f, "{program}")?,
                Step::Iterate(iteration) => {
                    let slots = |slots: &mut dyn Iterator<Item = u32>| {
                        slots.map(|slot| format!("s{slot}")).collect::<Vec<_>>().join(", ")
                    };
                    let guessed = slots(&mut iteration.guessed.iter().map(|v| v.0));
                    let residuals = slots(&mut iteration.residuals.iter().map(|slot| slot.0));
                    writeln!(f, "iterate {guessed} until {residuals} vanish")?;
                    write!(f, "{}", iteration.program)?;
                }
                Step::Settle(settling) => {
                    let held: Vec<String> = settling.held.iter().map(|v| format!("s{}", v.0)).collect();
                    writeln!(f, "repeat until {} settle", held.join(", "))?;
                    write!(f, "{}", settling.turn)?;
                }
            }
        }
        Ok(())
    }
}
