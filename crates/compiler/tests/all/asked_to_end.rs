//! A start that is searched for does not keep anybody waiting who asks for the run to end.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rhei_results::{Sink, WriteError};
use rhei_run::{Options, Status, simulate};

use crate::workshop::compile;

/// Takes no rows, and may have asked for the end.
struct Impatient {
    asked: Arc<AtomicBool>,
    rows: usize,
}

impl Sink for Impatient {
    fn row(&mut self, _: f64, _: &[f64]) -> Result<(), WriteError> {
        self.rows += 1;
        Ok(())
    }

    fn asked_to_end(&self) -> Option<Arc<AtomicBool>> {
        Some(self.asked.clone())
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        Ok(())
    }

    fn keep_partial(self: Box<Self>) -> Result<Option<PathBuf>, WriteError> {
        Ok(None)
    }
}

/// A loop at the start: the search for its solution sees that it is not wanted any more.
#[test]
fn a_search_at_the_start_ends_when_it_is_asked_to() {
    let text = "model M
  Real x(start = 1);
  Real y(start = 1);
equation
  x^3 + y = 5 + time;
  sin(x) + y^3 = 2;
end M;
";
    let (done, _) = compile(text);
    let model = done.model.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    for (is_asked, status) in [(false, Status::Finished), (true, Status::Stopped)] {
        let mut sink = Impatient { asked: Arc::new(AtomicBool::new(is_asked)), rows: 0 };
        let outcome = simulate(&model, &Options::until(1.0), &[], &mut sink);
        assert_eq!(outcome.status, status, "{:?}", outcome.diagnostics);
        assert_eq!(sink.rows == 0, is_asked);
        assert_eq!(sink.asked.load(Ordering::Relaxed), is_asked);
    }
}
