//! Which way a program runs: interpreted at first, as machine code once it has run often enough to be worth it.
//!
//! All ways come to the same bits, so that it does not matter to results when a program changes from one to the next.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::machine::{Effort, Machine};
use crate::program::Program;

/// How programs run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Execution {
    /// Interpreted, until machine code is worth its making.
    #[default]
    Adaptive,
    /// By the interpreter only.
    Interpreted,
    /// As machine code, from the first time on.
    Machine,
}

/// After so many runs, a program becomes machine code, made with little effort: about when interpreting it has taken as long as
/// making it will.
const RUNS_TO_FAST: u32 = 200;
/// After so many, with more.
const RUNS_TO_OPTIMISED: u32 = 4000;

/// The machine code of a program, as far as it is made.
#[derive(Debug, Default)]
pub(crate) struct Tiers {
    values: Tier,
    /// The same for values with their changes.
    changes: Tier,
}

#[derive(Debug, Default)]
struct Tier {
    runs: AtomicU32,
    /// None inside: it cannot be made.
    fast: OnceLock<Option<Machine>>,
    optimised: OnceLock<Option<Machine>>,
}

impl Tiers {
    /// What computes the values of a program; nothing where the interpreter does.
    pub(crate) fn for_values(&self, program: &Program, values: &[f64], how: Execution) -> Option<&Machine> {
        self.values.machine(program, values, false, how)
    }

    /// The same for values with changes.
    pub(crate) fn for_changes(&self, program: &Program, values: &[f64], how: Execution) -> Option<&Machine> {
        self.changes.machine(program, values, true, how)
    }
}

impl Tier {
    fn machine(
        &self,
        program: &Program,
        values: &[f64],
        with_changes: bool,
        how: Execution,
    ) -> Option<&Machine> {
        let make = |effort| move || Machine::new(program, values, with_changes, effort);
        match how {
            Execution::Interpreted => None,
            Execution::Machine => self.optimised.get_or_init(make(Effort::Optimising)).as_ref(),
            Execution::Adaptive => {
                if let Some(made) = self.optimised.get() {
                    return made.as_ref();
                }
                let runs = self.runs.fetch_add(1, Ordering::Relaxed);
                if runs < RUNS_TO_FAST {
                    None
                } else if runs < RUNS_TO_OPTIMISED {
                    self.fast.get_or_init(make(Effort::Fast)).as_ref()
                } else {
                    self.optimised.get_or_init(make(Effort::Optimising)).as_ref()
                }
            }
        }
    }
}
