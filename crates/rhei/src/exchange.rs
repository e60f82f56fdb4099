//! A run whose steps the caller makes.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use rhei_equations::VarId;
use rhei_results::Trajectories;
use rhei_source::Diagnostic;
use rustc_hash::FxHashMap;

use crate::engine::{Accepted, Exchange as Engine, Options, RunOutcome};
use crate::simulation::Kept;
use crate::{Experiment, Model, Outcome, Results, Value, Watch, WrongExperiment, WrongParameter};

/// A run whose steps the caller makes, by an integrator of its own: model exchange in the words of FMI.
///
/// Between events, set points and ask for derivatives and event indicators as often as you like. Accept the point that ends a
/// step; if that answers [`Accepted::Event`], handle the event, and begin anew with the states after it. Steps end at
/// [`Exchange::next_event`].
pub struct Exchange {
    model: Model,
    run: Run,
    rows: Rc<RefCell<Trajectories>>,
    names: FxHashMap<String, VarId>,
}

enum Run {
    UnderWay(Box<Engine>),
    NotStarted(Box<RunOutcome>),
}

/// A point without values.
#[derive(Clone, Debug)]
pub enum WrongPoint {
    /// There are not as many values as states.
    States {
        /// How many were given.
        given: usize,
        /// How many states there are.
        expected: usize,
    },
    /// The equations have no values there; the run goes on with another point.
    NoValues(Box<Diagnostic>),
    /// The run has ended.
    Ended,
}

impl fmt::Display for WrongPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongPoint::States { given, expected } => {
                write!(f, "{given} values are given, and there are {expected} states")
            }
            WrongPoint::NoValues(said) => f.write_str(&said.message),
            WrongPoint::Ended => f.write_str("the run has ended"),
        }
    }
}

impl std::error::Error for WrongPoint {}

impl Model {
    /// Starts a run whose steps the caller makes.
    pub fn exchange(&self, experiment: &Experiment) -> Result<Exchange, WrongExperiment> {
        Ok(Exchange::start(self.clone(), experiment, &experiment.resolve(self)?.options))
    }
}

impl Exchange {
    fn start(model: Model, experiment: &Experiment, options: &Options) -> Exchange {
        let recording = model.recording(|_| true);
        let (columns, recorded) = (recording.columns(), &recording.variables);
        let names = columns.iter().map(|column| column.name.clone()).zip(recorded.iter().copied()).collect();
        let rows = Rc::new(RefCell::new(Trajectories::new(columns.clone())));
        let watch: Watch = experiment.watch.clone().unwrap_or_default();
        watch.begin(options.start_time, options.stop_time);
        let kept = Kept { rows: rows.clone(), watch };
        let run = match Engine::start(model.compiled(), options, recorded, Box::new(kept)) {
            Ok(engine) => Run::UnderWay(Box::new(engine)),
            Err(outcome) => Run::NotStarted(outcome),
        };
        Exchange { model, run, rows, names }
    }

    /// The time up to which steps were accepted.
    pub fn time(&self) -> f64 {
        match &self.run {
            Run::UnderWay(engine) => engine.time(),
            Run::NotStarted(outcome) => outcome.time,
        }
    }

    fn engine(&mut self) -> Option<&mut Engine> {
        match &mut self.run {
            Run::UnderWay(engine) if !engine.has_ended() => Some(engine),
            _ => None,
        }
    }

    /// Whether the run has come to its end.
    pub fn has_ended(&self) -> bool {
        !matches!(&self.run, Run::UnderWay(engine) if !engine.has_ended())
    }

    /// The time of the next time event.
    pub fn next_event(&self) -> Option<f64> {
        match &self.run {
            Run::UnderWay(engine) => engine.next_event(),
            Run::NotStarted(_) => None,
        }
    }

    /// The names of the states of the present mode.
    pub fn state_names(&self) -> Vec<String> {
        let Run::UnderWay(engine) = &self.run else { return Vec::new() };
        let model = engine.model();
        let name = |v: VarId| model.equations.variable(v).name.to_string();
        model.solvable.states.iter().map(|state| name(state.variable)).collect()
    }

    /// Evaluates the model at a point: a time, not before that of the last step, and one value for each state.
    pub fn set_point(&mut self, t: f64, states: &[f64]) -> Result<(), WrongPoint> {
        let engine = self.engine().ok_or(WrongPoint::Ended)?;
        let (given, expected) = (states.len(), engine.model().solvable.states.len());
        if given != expected {
            return Err(WrongPoint::States { given, expected });
        }
        engine.set_point(t, states).map_err(|said| WrongPoint::NoValues(Box::new(said)))
    }

    /// The states at the point that was set last, or after the last event.
    pub fn states(&self) -> Vec<f64> {
        self.of_states(|state| state.variable)
    }

    /// Their derivatives there.
    pub fn derivatives(&self) -> Vec<f64> {
        self.of_states(|state| state.derivative)
    }

    fn of_states(&self, which: fn(&rhei_solvable::State) -> VarId) -> Vec<f64> {
        let Run::UnderWay(engine) = &self.run else { return Vec::new() };
        let values = engine.values();
        engine.model().solvable.states.iter().map(|state| values[which(state).index()]).collect()
    }

    /// The value of a variable there.
    pub fn get(&self, name: &str) -> Option<f64> {
        let v = *self.names.get(name)?;
        match &self.run {
            Run::UnderWay(engine) => Some(engine.values()[v.index()]),
            Run::NotStarted(_) => None,
        }
    }

    /// The event indicators there: the margin by which each condition keeps its side; one that becomes
    /// negative asks for an event.
    pub fn event_indicators(&mut self) -> Result<Vec<f64>, WrongPoint> {
        let engine = self.engine().ok_or(WrongPoint::Ended)?;
        engine.event_indicators().map_err(|said| WrongPoint::NoValues(Box::new(said)))
    }

    /// Ends a step at the point that was set last: checks asserts, records rows, and keeps values for delays.
    pub fn accept(&mut self) -> Accepted {
        self.engine().map_or(Accepted::End, Engine::accept)
    }

    /// The event at the end of the last step.
    pub fn event(&mut self) -> Accepted {
        self.engine().map_or(Accepted::End, Engine::event)
    }

    /// Gives an input another value from now on, at the end of the last step. That is an event.
    pub fn set(&mut self, input: &str, value: impl Into<Value>) -> Result<Accepted, WrongParameter> {
        let given = self.model.values_of(input, &value.into())?;
        Ok(self.engine().map_or(Accepted::End, |engine| engine.set(&given)))
    }

    /// Ends the run at its present time; answers its rows and its outcome.
    pub fn finish(self) -> Results {
        let Exchange { model, run, rows, .. } = self;
        let outcome = match run {
            Run::UnderWay(engine) => engine.finish(),
            Run::NotStarted(outcome) => *outcome,
        };
        let rows = Rc::unwrap_or_clone(rows).into_inner();
        Results::new(rows, Outcome::new(model.compiled(), outcome), model.files().clone())
    }
}
