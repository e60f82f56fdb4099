//! A run led by the caller.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rhei_equations::VarId;
use rhei_results::{Progress as StepTaken, Sink, Trajectories, WriteError};
use rustc_hash::FxHashMap;

use crate::engine::{Options, Reached, RunOutcome, Stepping};
use crate::{Experiment, Model, Outcome, Progress, Results, Value, Watch, WrongParameter, WrongPoint};

/// A run under way: to a time, to an event, step by step, with other inputs on the way.
///
/// It belongs to one thread; the model it runs may be shared by many.
pub struct Simulation {
    pub(crate) model: Model,
    pub(crate) run: Run,
    pub(crate) rows: Rc<RefCell<Trajectories>>,
    names: FxHashMap<String, VarId>,
    pub(crate) watch: Watch,
}

pub(crate) enum Run {
    UnderWay(Box<Stepping>),
    NotStarted(Box<RunOutcome>),
}

/// A sink that keeps its rows readable.
pub(crate) struct Kept {
    pub(crate) rows: Rc<RefCell<Trajectories>>,
    pub(crate) watch: Watch,
}

impl Sink for Kept {
    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), WriteError> {
        self.rows.borrow_mut().push(time, values);
        Ok(())
    }

    fn progress(&mut self, step: &StepTaken<'_>) -> Result<ControlFlow<()>, WriteError> {
        Ok(self.watch.step(step.time))
    }

    fn asked_to_end(&self) -> Option<Arc<AtomicBool>> {
        Some(self.watch.flag())
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        Ok(())
    }

    fn keep_partial(self: Box<Self>) -> Result<Option<PathBuf>, WriteError> {
        Ok(None)
    }
}

impl Simulation {
    pub(crate) fn start(model: Model, experiment: &Experiment, options: &Options) -> Simulation {
        let recording = model.recording(|_| true);
        let (columns, recorded) = (recording.columns(), &recording.variables);
        let names = columns.iter().map(|column| column.name.clone()).zip(recorded.iter().copied()).collect();
        let rows = Rc::new(RefCell::new(Trajectories::new(columns.clone())));
        let watch = experiment.watch.clone().unwrap_or_default();
        watch.begin(options.start_time, options.stop_time);
        let kept = Kept { rows: rows.clone(), watch: watch.clone() };
        let run = match Stepping::start(model.compiled(), options, recorded, Box::new(kept)) {
            Ok(stepping) => Run::UnderWay(Box::new(stepping)),
            Err(outcome) => Run::NotStarted(outcome),
        };
        Simulation { model, run, rows, names, watch }
    }

    /// The model that is run.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The time reached.
    pub fn time(&self) -> f64 {
        match &self.run {
            Run::UnderWay(stepping) => stepping.time(),
            Run::NotStarted(outcome) => outcome.time,
        }
    }

    /// A handle of the run, for any thread: it reports progress, and can end the run.
    pub fn watch(&self) -> Watch {
        self.watch.clone()
    }

    /// The progress of the run; none before its first step.
    pub fn progress(&self) -> Option<Progress> {
        self.watch.progress()
    }

    fn lead(&mut self, how: impl FnOnce(&mut Stepping) -> Reached) -> Reached {
        match &mut self.run {
            Run::UnderWay(stepping) => {
                let reached = how(stepping);
                self.watch.reach(stepping.time());
                reached
            }
            Run::NotStarted(_) => Reached::End,
        }
    }

    /// One step of the integrator, or up to an event within it.
    pub fn step(&mut self) -> Reached {
        self.lead(Stepping::step)
    }

    /// To a time, through all events before it.
    pub fn run_to(&mut self, t: f64) -> Reached {
        self.lead(|stepping| stepping.run_to(t))
    }

    /// To the next event, or to a time where there is none before it.
    pub fn run_to_event(&mut self, t: f64) -> Reached {
        self.lead(|stepping| stepping.run_to_event(t))
    }

    /// Gives an input another value from now on. That is an event; between two of them inputs are constant.
    pub fn set(&mut self, input: &str, value: impl Into<Value>) -> Result<Reached, WrongParameter> {
        let given = self.model.values_of(input, &value.into())?;
        Ok(self.lead(|stepping| stepping.set(&given)))
    }

    /// The value of a variable at the time reached; none if there is no such variable, or it has no value.
    pub fn get(&mut self, name: &str) -> Option<f64> {
        let v = *self.names.get(name)?;
        match &mut self.run {
            Run::UnderWay(stepping) => Some(stepping.values()?[v.index()]),
            Run::NotStarted(_) => None,
        }
    }

    /// The states at the time reached, in the order of [`Simulation::state_names`].
    pub fn states(&mut self) -> Vec<f64> {
        self.of_states(|state| state.variable)
    }

    /// Their derivatives.
    pub fn derivatives(&mut self) -> Vec<f64> {
        self.of_states(|state| state.derivative)
    }

    fn of_states(&mut self, which: fn(&rhei_solvable::State) -> VarId) -> Vec<f64> {
        let Run::UnderWay(stepping) = &mut self.run else { return Vec::new() };
        let model = stepping.model().clone();
        let Some(values) = stepping.values() else { return Vec::new() };
        model.solvable.states.iter().map(|state| values[which(state).index()]).collect()
    }

    /// The names of the states of the present mode.
    pub fn state_names(&self) -> Vec<String> {
        let Run::UnderWay(stepping) = &self.run else { return Vec::new() };
        let model = stepping.model();
        let name = |v: VarId| model.equations.variable(v).name.to_string();
        model.solvable.states.iter().map(|state| name(state.variable)).collect()
    }

    /// Gives the states other values, and evaluates all variables. That is an event.
    pub fn set_states(&mut self, states: &[f64]) -> Result<Reached, WrongPoint> {
        let (given, expected) = (states.len(), self.state_names().len());
        match given == expected {
            true => Ok(self.lead(|stepping| stepping.set_states(states))),
            false => Err(WrongPoint::States { given, expected }),
        }
    }

    /// The event indicators at the time reached: their signs change as conditions switch.
    pub fn event_indicators(&mut self) -> Vec<f64> {
        match &mut self.run {
            Run::UnderWay(stepping) => stepping.event_indicators().unwrap_or_default(),
            Run::NotStarted(_) => Vec::new(),
        }
    }

    /// Ends the run at its present time; answers its rows and its outcome.
    pub fn finish(self) -> Results {
        let Simulation { model, run, rows, .. } = self;
        let outcome = match run {
            Run::UnderWay(stepping) => stepping.finish(),
            Run::NotStarted(outcome) => *outcome,
        };
        let rows = Rc::unwrap_or_clone(rows).into_inner();
        Results::new(rows, Outcome::new(model.compiled(), outcome), model.files().clone())
    }
}
