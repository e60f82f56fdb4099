//! One part of a run at a time, on models written as equations, with numbers that can be found by hand. What `scalarize` makes of a
//! model stands there as it is: relations that are held, values before events, and the lines about events and clocks.

mod clocks;
mod continuous;
mod events;
mod past;

use std::sync::Arc;

use rhei_clocks::tell_apart;
use rhei_equations::{Equations, read};
use rhei_kernel::compile;
use rhei_model::{CompiledModel, CompiledPart, JacobianPlan};
use rhei_results::Trajectories;
use rhei_run::{Options, Outcome, OutputTimes, Status, simulate};
use rhei_solvable::{Mode, Solvable, Ticking};
use rhei_structure::{make_solvable, make_ticking};

fn generated(equations: Equations, solvable: Solvable) -> CompiledModel {
    let jacobian = JacobianPlan::new(&equations, &solvable);
    let code = compile(&equations, &solvable);
    CompiledModel::new(equations, solvable, code, jacobian)
}

fn compiled(text: &str) -> Arc<CompiledModel> {
    let equations = read(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(equations.verify(), Ok(()));
    let (parts, said) = tell_apart(&equations);
    let (unclocked, partitions) = parts.unwrap_or_else(|| panic!("{said:?}"));
    let (made, said) = make_solvable(&unclocked, &Mode::default());
    let (equations, solvable) = made.unwrap_or_else(|| panic!("{said:?}"));
    let ticking = partitions.into_iter().map(|partition| {
        let (made, said) = make_ticking(partition);
        let Ticking { equations, solvable, schedule } = made.unwrap_or_else(|| panic!("{said:?}"));
        Arc::new(CompiledPart::new(generated(equations, solvable), schedule))
    });
    let parts: Vec<_> = ticking.collect();
    Arc::new(generated(equations, solvable).with_parts(parts))
}

/// A run, with rows on both sides of events.
struct Run {
    rows: Trajectories,
    outcome: Outcome,
}

impl Run {
    fn of(text: &str, stop: f64) -> Run {
        Run::with(text, Options { output: OutputTimes::Intervals(10), ..Options::until(stop) })
    }

    fn with(text: &str, options: Options) -> Run {
        let model = compiled(text);
        let (columns, variables) = model.columns(|_| true);
        let mut rows = Trajectories::new(columns);
        let outcome = simulate(&model, &options, &variables, &mut rows);
        Run { rows, outcome }
    }

    #[track_caller]
    fn finished(self) -> Run {
        assert_eq!(self.outcome.status, Status::Finished, "{:?}", self.outcome.diagnostics);
        self
    }

    /// The times at which there are two rows: those of events that changed something.
    fn instants(&self) -> Vec<f64> {
        let pairs = self.rows.time().windows(2).filter(|pair| pair[0] == pair[1]);
        pairs.map(|pair| pair[0]).collect()
    }

    /// The value at a time, after the event where there is one.
    #[track_caller]
    fn at(&self, name: &str, t: f64) -> f64 {
        self.rows.value_at(name, t).unwrap_or_else(|| panic!("no `{name}` at {t}"))
    }

    #[track_caller]
    fn assert_at(&self, name: &str, t: f64, expected: f64, tolerance: f64) {
        let found = self.at(name, t);
        assert!((found - expected).abs() <= tolerance, "{name} at {t} is {found}, not {expected}");
    }

    fn said(&self) -> Vec<&str> {
        self.outcome.diagnostics.iter().map(|said| said.id).collect()
    }
}
