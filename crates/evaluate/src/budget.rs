//! A bound on the work of an evaluation.

/// What an evaluation may still do. Statements, turns of loops, calls, operations, elements of new arrays and letters of new
/// texts are a step each; calls, statements and expressions inside each other are a level each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    steps: u64,
    depth: u32,
}

/// What there was too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Steps: probably a loop that does not end.
    Steps,
    /// Levels inside each other: probably a recursion that does not end.
    Depth,
}

impl Budget {
    /// Enough for tables of a million entries, and over in a second or two where a loop does not end.
    const STEPS: u64 = 20_000_000;

    /// The interpreter recurses with what it interprets, about one KiB of stack a level: this many fit in the two MiB of
    /// a thread. A recursive function needs some five levels a call.
    const DEPTH: u32 = 1000;

    /// As many levels as text may nest, and some one thousand calls inside calls.
    const DEEP: u32 = 8192;

    /// For a thread with a stack of 16 KiB for each of 8192 levels.
    pub fn deep() -> Budget {
        Budget::new(Budget::STEPS, Budget::DEEP)
    }

    /// So many steps, and levels of calls, statements and expressions inside each other.
    pub fn new(steps: u64, depth: u32) -> Budget {
        Budget { steps, depth }
    }

    /// The same levels with no more than so many steps.
    pub fn within(self, steps: u64) -> Budget {
        Budget { steps: self.steps.min(steps), ..self }
    }

    /// How many steps are left.
    pub fn steps_left(&self) -> u64 {
        self.steps
    }

    /// Takes `steps` of what is left.
    pub(crate) fn take(&mut self, steps: usize) -> Result<(), Work> {
        self.steps = self.steps.checked_sub(steps as u64).ok_or(Work::Steps)?;
        Ok(())
    }

    /// Goes a level deeper; to be followed by [`Budget::leave`].
    pub(crate) fn enter(&mut self) -> Result<(), Work> {
        self.depth = self.depth.checked_sub(1).ok_or(Work::Depth)?;
        Ok(())
    }

    /// Comes back from it.
    pub(crate) fn leave(&mut self) {
        self.depth += 1;
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::new(Budget::STEPS, Budget::DEPTH)
    }
}
