//! How long a search may take: a start that is not found is given up, and whoever asked for the run to end does not wait for it.
//!
//! Searches look here at every evaluation. When it is over every evaluation fails, and all that is still to be tried fails at once.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Instructions that evaluations at a start may take, calls of functions counted as [`rhei_kernel::Program::work`] does: about a minute
/// of work.
pub(crate) const MOST_AT_START: u64 = 20_000_000_000;

/// What searches may still do.
#[derive(Clone, Debug)]
pub struct Patience {
    /// Set when the run is to end.
    asked: Option<Arc<AtomicBool>>,
    left: Cell<u64>,
}

impl Patience {
    /// For one start; `asked` is set when the run is to end.
    pub fn at_start(asked: Option<Arc<AtomicBool>>) -> Patience {
        Patience { asked, left: Cell::new(MOST_AT_START) }
    }

    /// Takes work from what is left, and says whether it may be done.
    pub fn allows(&self, work: u64) -> bool {
        self.left.set(self.left.get().saturating_sub(work));
        !self.is_spent() && !self.is_asked()
    }

    /// Whether nothing is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Whether the run was asked to end.
    pub fn is_asked(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.load(Ordering::Relaxed))
    }
}

impl Default for Patience {
    /// Without an end.
    fn default() -> Patience {
        Patience { asked: None, left: Cell::new(u64::MAX) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_when_its_work_is_done_or_when_somebody_asks() {
        let patience = Patience::at_start(None);
        assert!(patience.allows(MOST_AT_START - 1) && !patience.is_spent());
        assert!(!patience.allows(1) && patience.is_spent() && !patience.allows(0));
        let asked = Arc::new(AtomicBool::new(false));
        let patience = Patience::at_start(Some(asked.clone()));
        assert!(patience.allows(1));
        asked.store(true, Ordering::Relaxed);
        assert!(!patience.allows(1) && patience.is_asked() && !patience.is_spent());
    }
}
