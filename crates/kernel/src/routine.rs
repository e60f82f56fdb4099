//! Programs with loops between them.
//!
//! A program runs from its first instruction to its last; what must be iterated stands between two programs, as a program of its
//! own that turns guesses into residuals. Who iterates is not the kernel's.

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
    /// What is repeated until truth values settle.
    Settle(Settling),
}

/// Steps that are repeated until what they hold does not change any more.
#[derive(Clone, Debug)]
pub struct Settling {
    /// What is held, the rests of Integers among it.
    pub held: Vec<VarId>,
    /// One turn.
    pub turn: Routine,
}

/// What is to be iterated.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// What is guessed.
    pub guessed: Vec<VarId>,
    /// Computes what follows from the guesses, and the residuals.
    pub program: Program,
    /// Where the residuals are once `program` has run: as many as are guessed.
    pub residuals: Vec<Slot>,
    /// What each residual comes from.
    pub because: Vec<Cause>,
    /// Where the loop is linear: what its factors depend on.
    pub factors: Option<Vec<Slot>>,
    /// For each of the first guesses that is balanced, where the program leaves how slow it is.
    pub balance: Vec<Slot>,
    /// What `program` reads and does not compute, guesses apart.
    pub inputs: Vec<Slot>,
    /// Which loop of the model this is.
    pub id: u32,
}

/// What a loop depends on: what its program reads and neither it nor a guess gives. Constants and parameters are not told apart.
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

    /// Changes every slot and program to its place.
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
