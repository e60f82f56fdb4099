//! Models of any size, for measuring how rhei scales.

pub mod models;
mod nowhere;

pub use nowhere::Nowhere;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rhei_compiler::{Compilation, Session, with_deep_stack};
use rhei_model::CompiledModel;
use rhei_source::InMemory;

/// A text through all passes.
///
/// # Panics
/// Where the model is refused.
pub fn compilation(text: &str) -> Compilation {
    timed_compilation(text).0
}

/// How long something took: by the clock, and of that on a processor, where the system tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Took {
    /// By the clock.
    pub wall: Duration,
    /// On a processor: without what other programs took away meanwhile.
    pub processor: Option<Duration>,
}

/// A text through all passes, and how long that took, with all that is thrown away on the way.
///
/// # Panics
/// Where the model is refused.
pub fn timed_compilation(text: &str) -> (Compilation, Took) {
    let world = InMemory::default().with_file("model.mo", text);
    let (done, took) = with_deep_stack(move || {
        let (begun, before) = (Instant::now(), processor_time());
        let mut session = Session::new(Arc::new(world), Vec::new());
        let done = session.compile(Path::new("model.mo"), None).expect("the file is there");
        let processor = before.zip(processor_time()).map(|(before, after)| after - before);
        (done, Took { wall: begun.elapsed(), processor })
    });
    assert!(!done.has_errors(), "the model compiles");
    (done, took)
}

/// How long this thread has been on a processor, where the system tells.
fn processor_time() -> Option<Duration> {
    std::thread::yield_now(); // the system counts when it looks at a thread, else only at its ticks
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The model of a text.
///
/// # Panics
/// Where the model is refused.
pub fn compiled(text: &str) -> Arc<CompiledModel> {
    compilation(text).model.expect("a model without errors can run")
}

/// The shortest time of several: what else the machine does only adds.
pub fn fastest(times: usize, mut work: impl FnMut()) -> Duration {
    let run = |_| {
        let begun = Instant::now();
        work();
        begun.elapsed()
    };
    (0..times).map(run).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures of benches are about models of the size that they name.
    #[test]
    fn models_have_their_size_and_compile() {
        for (text, equations) in [
            (models::chain(20, false), 140..160),
            (models::circuit(1_000), 980..1_100),
            (models::families(1_000), 990..1_010),
            (models::gears(100), 900..1_500),
            (models::heat(1_000), 1_000..1_001),
            (models::links(20), 150..200),
            (models::tied(1_000), 1_001..1_100),
            (models::switches(1_000, "time > g"), 980..1_020),
            (models::train(1_000), 2_900..5_100),
        ] {
            let n = compilation(&text).equations.expect("it compiles").equations.len();
            assert!(equations.contains(&n), "{n} equations");
        }
    }

    /// A circuit has constraints among its states: the reduction of the index is measured, too.
    #[test]
    fn the_circuit_needs_its_index_reduced() {
        let model = compiled(&models::circuit(3_000));
        let capacitors_and_inductors =
            model.equations.variables.iter().filter(|v| v.name.starts_with("der(")).count();
        assert!(model.solvable.states.len() < capacitors_and_inductors);
    }
}
