//! A bound on the work of an evaluation.

/// The work left to an evaluation. Statements, iterations of loops, calls, operations, elements of new arrays and letters
/// of new texts are a step each; nested calls, statements and expressions are a level each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    steps: u64,
    depth: u32,
}

/// The exhausted bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Steps: probably an endless loop.
    Steps,
    /// Levels: probably an endless recursion.
    Depth,
}

impl Budget {
    /// Most steps: enough for tables of a million entries, and over in a second or two in an endless loop.
    const STEPS: u64 = 20_000_000;

    /// Most levels: the interpreter recurses with the model, about one KiB of stack a level, so that these fit in the
    /// two MiB of a thread. A recursive function needs some five levels a call.
    const DEPTH: u32 = 1000;

    /// The same on a deep stack: as many levels as text may nest, and some one thousand nested calls.
    const DEEP: u32 = 8192;

    /// For a thread with a stack of 16 KiB for each of 8192 levels.
    pub fn deep() -> Budget {
        Budget::new(Budget::STEPS, Budget::DEEP)
    }

    /// With these numbers of steps, and of levels of calls, statements and expressions.
    pub fn new(steps: u64, depth: u32) -> Budget {
        Budget { steps, depth }
    }

    /// The same levels with no more than so many steps.
    pub fn within(self, steps: u64) -> Budget {
        Budget { steps: self.steps.min(steps), ..self }
    }

    /// The steps left.
    pub fn steps_left(&self) -> u64 {
        self.steps
    }

    /// Subtracts steps.
    pub(crate) fn take(&mut self, steps: usize) -> Result<(), Work> {
        self.steps = self.steps.checked_sub(steps as u64).ok_or(Work::Steps)?;
        Ok(())
    }

    /// Goes a level deeper; to be followed by [`Budget::leave`].
    pub(crate) fn enter(&mut self) -> Result<(), Work> {
        self.depth = self.depth.checked_sub(1).ok_or(Work::Depth)?;
        Ok(())
    }

    /// Goes a level up.
    pub(crate) fn leave(&mut self) {
        self.depth += 1;
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::new(Budget::STEPS, Budget::DEPTH)
    }
}
