//! Which way a program runs: interpreted at first, as machine code once it has run often enough to be worth it.
//!
//! All ways come to the same bits, so that it does not matter to results when a program changes from one to the next.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::machine::{Effort, Machine, Plan};
use crate::program::Program;

/// How programs run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Execution {
    /// Interpreted, until machine code is worth its making.
    #[default]
    Adaptive,
    /// By the interpreter only.
    Interpreted,
    /// As machine code made with little effort, from the first time on.
    Quick,
    /// As machine code made with more, from the first time on.
    Machine,
}

// What things take, about, in units of one interpreted instruction (4 ns). Who rents until the rent has come to the price and
// then buys never pays more than twice what would have been best.

/// To plan machine code, per instruction of the program: formulas of one shape are found.
const PLANNING: u64 = 50;
/// To make machine code with little effort, per instruction of the plan, and at all.
const MAKING: (u64, u64) = (400, 75_000);
/// With more effort, in terms of that.
const OPTIMISING: u64 = 10;

/// The machine code of a program, as far as it is made.
#[derive(Debug, Default)]
pub(crate) struct Tiers {
    plan: OnceLock<Plan>,
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
        self.machine(&self.values, program, values, false, how)
    }

    /// The same for values with changes.
    pub(crate) fn for_changes(&self, program: &Program, values: &[f64], how: Execution) -> Option<&Machine> {
        self.machine(&self.changes, program, values, true, how)
    }

    fn machine<'a>(
        &'a self,
        tier: &'a Tier,
        program: &Program,
        values: &[f64],
        with_changes: bool,
        how: Execution,
    ) -> Option<&'a Machine> {
        let plan = || self.plan.get_or_init(|| Plan::new(program, values));
        let make = |effort| move || Machine::new(program, plan(), values, with_changes, effort);
        let fast = || tier.fast.get_or_init(make(Effort::Fast)).as_ref();
        let optimised = || tier.optimised.get_or_init(make(Effort::Optimising)).as_ref();
        match how {
            Execution::Interpreted => None,
            Execution::Quick => fast(),
            Execution::Machine => optimised(),
            Execution::Adaptive => {
                if let Some(made) = tier.optimised.get() {
                    return made.as_ref();
                }
                let instructions = program.instructions.len() as u64;
                let spent = u64::from(tier.runs.fetch_add(1, Ordering::Relaxed)) * instructions;
                if spent < MAKING.1 + PLANNING * instructions {
                    return None;
                }
                let price = MAKING.1 + MAKING.0 * plan().n_instructions as u64;
                if spent < price {
                    None
                } else if spent < OPTIMISING * price {
                    fast()
                } else {
                    optimised()
                }
            }
        }
    }
}
