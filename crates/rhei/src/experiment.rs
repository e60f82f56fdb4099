//! The settings of a run: given ones win over the model's `experiment` annotation, that over rhei's defaults.

use std::fmt;

use rhei_equations::number;
use rhei_numerics::Method;

use crate::engine::{Bounds, Choices, Options, OutputTimes};
use crate::{Model, Watch};

/// Default number of intervals between rows.
const INTERVALS: usize = 500;
/// Default start time.
const START_TIME: f64 = 0.0;
/// Default length of a run, in seconds.
const DURATION: f64 = 1.0;
/// Default method: stable for stiff models, at the price of implicit steps for others.
const METHOD: Method = Method::Bdf;
/// Default relative tolerance: smaller ones take more steps, larger ones show in curves.
const TOLERANCE: f64 = 1e-6;

/// Settings of a run; those that are `None` are as in the model's annotation, or rhei's defaults.
#[derive(Clone, Debug, Default)]
pub struct Experiment {
    /// Start time.
    pub start_time: Option<f64>,
    /// Stop time.
    pub stop_time: Option<f64>,
    /// Relative tolerance; the absolute one is this times the nominal value of each state.
    pub tolerance: Option<f64>,
    /// Integration method.
    pub method: Option<Method>,
    /// When rows are recorded.
    pub output: Option<OutputTimes>,
    /// The step of methods with a fixed step.
    pub step: Option<f64>,
    /// What a model says nothing of.
    pub choices: Choices,
    /// The observer of the run, which may end it.
    pub watch: Option<Watch>,
}

/// The origin of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was given.
    Given,
    /// The model's `experiment` annotation.
    Annotation,
    /// rhei's own choice.
    Default,
    /// The distance of rows.
    Rows,
}

/// A setting with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Its origin.
    pub origin: Origin,
}

/// An experiment with a value for every setting, and its origin.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// Start time.
    pub start_time: Setting<f64>,
    /// Stop time.
    pub stop_time: Setting<f64>,
    /// Relative tolerance.
    pub tolerance: Setting<f64>,
    /// Integration method.
    pub method: Setting<Method>,
    /// When rows are recorded.
    pub output: Setting<OutputTimes>,
    /// The step; none if the method chooses its own.
    pub step: Option<Setting<f64>>,
    pub(crate) options: Options,
}

/// A mistake in an experiment.
#[derive(Clone, Debug, PartialEq)]
pub enum WrongExperiment {
    /// The stop time is not after the start time.
    StopBeforeStart {
        /// Start time.
        start: f64,
        /// Stop time.
        stop: f64,
    },
    /// The tolerance is not greater than 0.
    Tolerance(f64),
    /// The interval of rows is not greater than 0.
    Interval(f64),
    /// There are no intervals between rows.
    NoIntervals,
    /// A row is asked for outside the run.
    OutsideRun {
        /// The time of the row.
        at: f64,
        /// Start time.
        start: f64,
        /// Stop time.
        stop: f64,
    },
    /// The step is not greater than 0.
    Step(f64),
    /// A step is given for a method that chooses its own.
    NeedlessStep(Method),
    /// The projection is set for a method that is not explicit with a fixed step.
    NeedlessProjection(Method),
    /// Ranges of types are to be checked although none are.
    BoundsOff,
}

impl fmt::Display for WrongExperiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positive =
            |what: &str, value: f64| format!("{what} must be greater than 0, and {} is given", number(value));
        f.write_str(&match *self {
            WrongExperiment::StopBeforeStart { start, stop } => {
                format!("the stop time {} is not after the start time {}", number(stop), number(start))
            }
            WrongExperiment::Tolerance(value) => positive("the tolerance", value),
            WrongExperiment::Interval(value) => positive("the interval of rows", value),
            WrongExperiment::NoIntervals => "there must be at least one interval between rows".into(),
            WrongExperiment::OutsideRun { at, start, stop } => {
                format!("{} is outside the run from {} to {}", number(at), number(start), number(stop))
            }
            WrongExperiment::Step(value) => positive("the step", value),
            WrongExperiment::NeedlessStep(method) => {
                format!("a step is for methods with a fixed step, and {method} chooses its own")
            }
            WrongExperiment::NeedlessProjection(method) => {
                format!("a projection is for explicit methods with a fixed step, and {method} is none")
            }
            WrongExperiment::BoundsOff => {
                "ranges that types give are looked at only where ranges are: `bounds` is off".into()
            }
        })
    }
}

impl std::error::Error for WrongExperiment {}

impl Experiment {
    /// Up to this time.
    pub fn until(stop_time: f64) -> Experiment {
        Experiment { stop_time: Some(stop_time), ..Experiment::default() }
    }

    /// All settings of a run of a model.
    pub fn resolve(&self, model: &Model) -> Result<Resolved, WrongExperiment> {
        let annotated = model.experiment();
        let start_time = choose(self.start_time, annotated.start_time, START_TIME);
        let start = start_time.value;
        let stop_time = choose(self.stop_time, annotated.stop_time, start + DURATION);
        let stop = stop_time.value;
        let tolerance = choose(self.tolerance, annotated.tolerance, TOLERANCE);
        if !(start.is_finite() && stop.is_finite() && start <= stop) {
            return Err(WrongExperiment::StopBeforeStart { start, stop });
        }
        if !is_positive(tolerance.value) {
            return Err(WrongExperiment::Tolerance(tolerance.value));
        }
        let method = choose(self.method, None, METHOD);
        if self.choices.projection.is_some() && !method.value.is_explicit_fixed_step() {
            return Err(WrongExperiment::NeedlessProjection(method.value));
        }
        if self.choices.bounds_of_types && self.choices.bounds == Bounds::Off {
            return Err(WrongExperiment::BoundsOff);
        }
        let mut output = choose(self.output.clone(), annotated.output, OutputTimes::Intervals(INTERVALS));
        output.value = checked(output.value, start, stop)?;
        let (step, from_step) = self.step(method.value, &output.value, start, stop)?;
        let options = Options {
            start_time: start,
            stop_time: stop,
            tolerance: tolerance.value,
            method: method.value,
            step,
            output: output.value.clone(),
            set: (*model.set).clone(),
            choices: self.choices,
        };
        let step = from_step.map(|origin| Setting { value: step, origin });
        Ok(Resolved { start_time, stop_time, tolerance, method, output, step, options })
    }

    /// The same for a run that ends at its start, unless a stop time is given.
    pub(crate) fn resolve_at_start(&self, model: &Model) -> Result<Resolved, WrongExperiment> {
        let start = choose(self.start_time, model.experiment().start_time, START_TIME).value;
        Experiment { stop_time: self.stop_time.or(Some(start)), ..self.clone() }.resolve(model)
    }

    /// The same without any rows.
    pub(crate) fn without_rows(&self) -> Experiment {
        Experiment { output: Some(OutputTimes::At(Vec::new())), ..self.clone() }
    }

    /// The step of a method that needs one: as given, or the distance of rows.
    fn step(
        &self,
        method: Method,
        output: &OutputTimes,
        start: f64,
        stop: f64,
    ) -> Result<(f64, Option<Origin>), WrongExperiment> {
        if let Some(step) = self.step.filter(|step| !is_positive(*step)) {
            return Err(WrongExperiment::Step(step));
        }
        let distance = match output {
            OutputTimes::Every(dt) => *dt,
            OutputTimes::Intervals(n) => (stop - start) / *n as f64,
            OutputTimes::At(_) => (stop - start) / INTERVALS as f64,
        };
        // a run of no length takes no step, but the integrator needs a positive one
        let distance = if distance > 0.0 { distance } else { 1.0 };
        match (self.step, output) {
            (Some(_), _) if !method.is_fixed_step() => Err(WrongExperiment::NeedlessStep(method)),
            _ if !method.is_fixed_step() => Ok((distance, None)),
            (Some(step), _) => Ok((step, Some(Origin::Given))),
            (None, OutputTimes::At(_)) => Ok((distance, Some(Origin::Default))),
            (None, _) => Ok((distance, Some(Origin::Rows))),
        }
    }
}

fn is_positive(value: f64) -> bool {
    value > 0.0 && value.is_finite()
}

fn choose<T>(given: Option<T>, annotated: Option<T>, default: T) -> Setting<T> {
    let (value, origin) = match (given, annotated) {
        (Some(value), _) => (value, Origin::Given),
        (None, Some(value)) => (value, Origin::Annotation),
        (None, None) => (default, Origin::Default),
    };
    Setting { value, origin }
}

/// Checks the times of rows, and sorts them.
fn checked(output: OutputTimes, start: f64, stop: f64) -> Result<OutputTimes, WrongExperiment> {
    match output {
        OutputTimes::Every(dt) if !is_positive(dt) => Err(WrongExperiment::Interval(dt)),
        OutputTimes::Intervals(0) => Err(WrongExperiment::NoIntervals),
        OutputTimes::At(mut times) => {
            if let Some(&at) = times.iter().find(|t| !(start..=stop).contains(*t)) {
                return Err(WrongExperiment::OutsideRun { at, start, stop });
            }
            times.sort_by(f64::total_cmp);
            times.dedup();
            Ok(OutputTimes::At(times))
        }
        output => Ok(output),
    }
}
