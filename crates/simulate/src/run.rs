//! One run of a model from start to stop.

use std::sync::Arc;

use rhei_equations::VarId;
use rhei_numerics::{Integrator, Method, Settings, Statistics, share};
use rhei_results::{Sink, WriteError};
use rhei_source::Diagnostic;
use rustc_hash::FxHashMap;

use crate::evaluate::{Evaluator, NoValue};
use crate::failure::{of_integrator, of_no_value};
use crate::problem::ModelProblem;
use crate::{CompiledModel, OutputTimes};

/// How a model is run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where time starts.
    pub start_time: f64,
    /// Where it stops.
    pub stop_time: f64,
    /// Relative, and absolute in units of each state's nominal value.
    pub tolerance: f64,
    /// How it is integrated.
    pub method: Method,
    /// The step of fixed-step methods.
    pub step: f64,
    /// When rows are written.
    pub output: OutputTimes,
    /// Parameters that have another value in this run.
    pub set: FxHashMap<VarId, f64>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// At the stop time.
    Finished,
    /// Before it, by a fault.
    Failed,
}

/// What a run has to say about itself.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// The time reached.
    pub time: f64,
    /// What the integrator did.
    pub statistics: Statistics,
    /// What went wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// Steps of one run: a bound on work, far above what any run that a person waits for takes.
const MOST_STEPS: u64 = 1_000_000_000;

/// Runs a model and hands the rows to `sink`: the values of `recorded`, in that order.
pub fn simulate(
    model: &Arc<CompiledModel>,
    options: &Options,
    recorded: &[VarId],
    sink: &mut dyn Sink,
) -> Outcome {
    let mut recorder = Recorder { recorded, sink, row: Vec::new() };
    match Running::start(model, options) {
        Ok(mut running) => {
            let stopped = running.run_to_end(options, &mut recorder);
            let (status, diagnostics) = match stopped {
                Ok(()) => (Status::Finished, Vec::new()),
                Err(stop) => (Status::Failed, vec![stop.into_diagnostic(model)]),
            };
            Outcome { status, time: running.time, statistics: running.statistics(), diagnostics }
        }
        Err(stop) => Outcome {
            status: Status::Failed,
            time: options.start_time,
            statistics: Statistics::default(),
            diagnostics: vec![stop.into_diagnostic(model)],
        },
    }
}

/// Why a run ended early.
enum Stop {
    NoValue(NoValue, f64),
    Integrator(rhei_numerics::Failure),
    Write(WriteError),
}

impl Stop {
    fn into_diagnostic(self, model: &CompiledModel) -> Diagnostic {
        match self {
            Stop::NoValue(why, t) => of_no_value(model, &why, t),
            Stop::Integrator(failure) => of_integrator(model, &failure),
            Stop::Write(error) => Diagnostic::error("result-not-written", error.to_string()),
        }
    }
}

struct Recorder<'a> {
    recorded: &'a [VarId],
    sink: &'a mut dyn Sink,
    row: Vec<f64>,
}

impl Recorder<'_> {
    fn record(&mut self, t: f64, values: &[f64]) -> Result<(), Stop> {
        self.row.clear();
        self.row.extend(self.recorded.iter().map(|v| values[v.index()]));
        self.sink.row(t, &self.row).map_err(Stop::Write)
    }
}

struct Running {
    problem: std::rc::Rc<std::cell::RefCell<ModelProblem>>,
    /// None for a model without states.
    integrator: Option<Box<dyn Integrator>>,
    n_states: usize,
    time: f64,
}

impl Running {
    /// Parameters, then the start.
    fn start(model: &Arc<CompiledModel>, options: &Options) -> Result<Running, Stop> {
        let t = options.start_time;
        let mut values = model.code.new_values();
        values[model.code.time().index()] = t;
        let at_start = |fault| Stop::NoValue(NoValue::Fault(fault), t);
        model.code.parameters.run_setting(&mut values, &options.set).map_err(at_start)?;
        model.code.nominals.run(&mut values).map_err(at_start)?;
        let given = given_nominals(model, &values);
        let nominals = state_nominals(model, &given);
        // guesses: `start`, or zero
        for (v, variable) in model.equations.iter_variables() {
            if variable.is_unknown() {
                values[v.index()] = 0.0;
            }
        }
        model.code.starts.run(&mut values).map_err(at_start)?;
        let mut evaluator = Evaluator::new(values.len(), given);
        evaluator.run(&model.code.initial, &mut values).map_err(|why| Stop::NoValue(why, t))?;

        let states: Vec<f64> =
            model.solvable.states.iter().map(|state| values[state.variable.index()]).collect();
        let problem = share(ModelProblem::new(model.clone(), values, evaluator));
        let integrator = if states.is_empty() {
            None
        } else {
            let mut settings = Settings::new(options.tolerance, &nominals, options.stop_time);
            settings.max_steps = Some(MOST_STEPS);
            settings.step = options.method.is_fixed_step().then_some(options.step);
            Some(options.method.start(problem.clone(), t, &states, settings).map_err(Stop::Integrator)?)
        };
        Ok(Running { problem, integrator, n_states: states.len(), time: t })
    }

    fn run_to_end(&mut self, options: &Options, recorder: &mut Recorder<'_>) -> Result<(), Stop> {
        let mut y = vec![0.0; self.n_states];
        for t in options.output.times(options.start_time, options.stop_time) {
            self.advance_to(t)?;
            if let Some(integrator) = &self.integrator {
                integrator.interpolate(t, &mut y);
            }
            let mut problem = self.problem.borrow_mut();
            let values = problem.evaluate(t, &y).map_err(|why| Stop::NoValue(why, t))?;
            recorder.record(t, values)?;
        }
        self.advance_to(options.stop_time)
    }

    /// Steps until `t` lies within the last step.
    fn advance_to(&mut self, t: f64) -> Result<(), Stop> {
        if let Some(integrator) = &mut self.integrator {
            while integrator.time() < t {
                self.time = integrator.step().map_err(Stop::Integrator)?.to;
            }
        } else {
            self.time = t;
        }
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        self.integrator.as_ref().map_or_else(Statistics::default, |integrator| integrator.statistics())
    }
}

/// The nominal values that are given and of use.
fn given_nominals(model: &CompiledModel, values: &[f64]) -> FxHashMap<VarId, f64> {
    let given = model.code.given_nominals().iter().map(|&(v, slot)| (v, values[slot.index()].abs()));
    given.filter(|(_, nominal)| nominal.is_finite() && *nominal > 0.0).collect()
}

/// The nominal value of each state: 1 where none is given.
fn state_nominals(model: &CompiledModel, given: &FxHashMap<VarId, f64>) -> Vec<f64> {
    let states = model.solvable.states.iter();
    states.map(|state| given.get(&state.variable).copied().unwrap_or(1.0)).collect()
}
