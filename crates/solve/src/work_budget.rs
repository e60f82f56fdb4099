//! A bound on the work of a search: a start that is not found is given up, and a request to end the run is obeyed at once.
//!
//! Searches look here at every evaluation. Once it is exhausted every evaluation fails, and all further attempts fail at once.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::constants::START_WORK;

/// The work left to searches.
#[derive(Clone, Debug)]
pub struct WorkBudget {
    /// Set when the run is to end.
    asked: Option<Arc<AtomicBool>>,
    left: Cell<u64>,
}

impl WorkBudget {
    /// For one start; `asked` is set when the run is to end.
    pub fn at_start(asked: Option<Arc<AtomicBool>>) -> WorkBudget {
        WorkBudget { asked, left: Cell::new(START_WORK) }
    }

    /// Subtracts work from the rest; says whether it may be done.
    pub fn allows(&self, work: u64) -> bool {
        self.left.set(self.left.get().saturating_sub(work));
        !self.is_spent() && !self.is_asked()
    }

    /// Whether the bound is exhausted.
    pub(crate) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Whether the run was asked to end.
    pub fn is_asked(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.load(Ordering::Relaxed))
    }
}

impl Default for WorkBudget {
    /// Without an end.
    fn default() -> WorkBudget {
        WorkBudget { asked: None, left: Cell::new(u64::MAX) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_when_its_work_is_done_or_when_somebody_asks() {
        let budget = WorkBudget::at_start(None);
        assert!(budget.allows(START_WORK - 1) && !budget.is_spent());
        assert!(!budget.allows(1) && budget.is_spent() && !budget.allows(0));
        let asked = Arc::new(AtomicBool::new(false));
        let budget = WorkBudget::at_start(Some(asked.clone()));
        assert!(budget.allows(1));
        asked.store(true, Ordering::Relaxed);
        assert!(!budget.allows(1) && budget.is_asked() && !budget.is_spent());
    }
}
