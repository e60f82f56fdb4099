//! The execution of programs: interpreted at first, as machine code once they have run often enough to pay for it.
//!
//! All ways yield the same bits, so that a change from one to the next leaves no trace in results.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::machine::{Effort, Machine, Plan};
use crate::program::Program;

/// The execution of programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Execution {
    /// Interpreted, until machine code pays.
    #[default]
    Adaptive,
    /// By the interpreter only.
    Interpreted,
    /// As machine code made with little effort, from the first time on.
    Quick,
    /// As machine code made with more, from the first time on.
    Machine,
}

// Approximate costs, in units of one interpreted instruction (4 ns). The rule is that of the ski-rental problem: renting
// until the rent equals the price, and then buying, never costs more than twice the optimum.

/// Cost of planning machine code, per instruction of the program: formulas of one shape are found.
const PLANNING: u64 = 50;
/// Cost of machine code with little effort, per instruction of the plan, and per program.
const MAKING: (u64, u64) = (400, 75_000);
/// Cost with more effort, as a multiple of that.
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
    /// The machine code for the values of a program; none if it is interpreted.
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
