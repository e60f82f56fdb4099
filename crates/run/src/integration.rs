//! The method and tolerance of a run: those asked for, unless the model needs others.

use rhei_model::CompiledModel;
use rhei_numerics::{Integrator, Method, Outside, Settings, Statistics};

use crate::constants::{MOST_STEPS, TOLERANCE_WITH_SETS};
use crate::options::Options;
use crate::running::Running;
use crate::stop::Stop;

/// The integration of a run, or of a mode of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Integration {
    /// The method.
    pub method: Method,
    /// The relative tolerance.
    pub tolerance: f64,
    /// Why these are not the ones asked for; none if they are.
    pub because: Option<&'static str>,
}

impl Integration {
    /// For a model in one mode. For `bdf`, the choice between the two BDF methods: ours if the history has to survive changes of
    /// states, or if the first step has to be exact for a falling body.
    fn of(model: &CompiledModel, options: &Options, looks_within_steps: bool) -> Integration {
        let asked_for = Integration { method: options.method, tolerance: options.tolerance, because: None };
        if options.method != Method::Bdf {
            return asked_for;
        }
        if !model.solvable.sets.is_empty() {
            return Integration {
                method: Method::FlcBdf,
                tolerance: TOLERANCE_WITH_SETS * options.tolerance,
                because: Some("states change within a state set"),
            };
        }
        if looks_within_steps && !model.equations.events.reinits.is_empty() {
            let because = Some("`reinit` sets states where something crosses a border");
            return Integration { method: Method::FlcBdf, because, ..asked_for };
        }
        asked_for
    }
}

/// Who makes the steps of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    /// The run, by the method that it was asked for.
    Own,
    /// The caller.
    Outside,
}

/// The integrators of a run, one for each mode in turn.
pub(crate) struct Integrating {
    steps: Steps,
    /// None for a model without states.
    pub(crate) integrator: Option<Box<dyn Integrator>>,
    /// Whether it has just been restarted.
    pub(crate) is_fresh: bool,
    /// All methods and tolerances of the run so far, each once.
    pub(crate) all: Vec<Integration>,
    /// Statistics of the integrators of earlier modes.
    finished: Statistics,
}

impl Integrating {
    /// Before the first integrator.
    pub(crate) fn new(steps: Steps) -> Integrating {
        let finished = Statistics::default();
        Integrating { steps, integrator: None, is_fresh: true, all: Vec::new(), finished }
    }

    /// A copy; if the integrator cannot be copied, without it, but with its statistics.
    pub(crate) fn copied(&self) -> Integrating {
        let integrator = self.integrator.as_ref().and_then(|integrator| integrator.copied());
        let finished = if integrator.is_some() { self.finished } else { self.statistics() };
        Integrating {
            steps: self.steps,
            integrator,
            finished,
            is_fresh: self.is_fresh,
            all: self.all.clone(),
        }
    }

    /// Statistics of all integrators.
    pub(crate) fn statistics(&self) -> Statistics {
        let now = self.integrator.as_ref().map(|integrator| integrator.statistics());
        self.finished + now.unwrap_or_default()
    }

    /// Whether the run makes its own steps, and may make them shorter.
    pub(crate) fn makes_steps(&self) -> bool {
        self.steps == Steps::Own
    }

    /// Ends a mode: the next one has an integrator of its own.
    pub(crate) fn end_mode(&mut self) {
        self.finished = self.statistics();
        self.integrator = None;
        self.is_fresh = true;
    }
}

impl Running<'_> {
    /// An integrator for the states of the present mode, if there are any.
    pub(crate) fn begin_integrator(&mut self, t: f64) -> Result<(), Stop> {
        let states = self.problem.states();
        if states.is_empty() {
            return Ok(());
        }
        if self.integrating.steps == Steps::Outside {
            self.integrating.integrator = Some(Box::new(Outside::start(t, &states)));
            return Ok(());
        }
        self.leave_constraints(t)?;
        let options = &self.options;
        let integration = Integration::of(&self.model, options, self.looks_within_steps());
        if !self.integrating.all.contains(&integration) {
            self.integrating.all.push(integration);
        }
        let mut settings = Settings::new(integration.tolerance, &self.nominals, options.stop_time);
        settings.max_steps = Some(MOST_STEPS);
        settings.step = options.method.is_fixed_step().then_some(options.step);
        let integrator = integration.method.start(&mut self.problem, t, &states, settings);
        self.integrating.integrator = Some(integrator.map_err(Stop::Integrator)?);
        // its start evaluated points further on
        self.evaluate(t)
    }
}
