//! Reasons for the early end of a run, and their diagnostics.

use std::sync::Arc;

use rhei_equations::VarId;
use rhei_kernel::Fault;
use rhei_model::CompiledModel;
use rhei_numerics::Failure;
use rhei_results::WriteError;
use rhei_solve::evaluate::NoValue;
use rhei_solve::failure::landing::in_mode;
use rhei_solve::failure::of_no_value;
use rhei_source::Diagnostic;

use crate::asserts::assert_behind_start;
use crate::clocks::NoTick;
use crate::events::{Bounces, EventFailure};
use crate::failure::events::{of_sliding, of_unrested_bounces, of_zeno};
use crate::failure::{of_integrator, of_not_converged};
use crate::options::Options;
use crate::pace::Shrinking;

/// Why a run ended early.
pub(crate) enum Stop {
    NoValue(NoValue, f64),
    /// In a mode that is being entered.
    InMode(Arc<CompiledModel>, NoValue, f64),
    NoTick(NoTick, f64),
    NotConverged(Vec<VarId>, f64),
    Zeno(Vec<VarId>, f64, Option<Shrinking>),
    /// Bounces that become too low to be seen, in a model that does not come to rest.
    Bounces(Bounces),
    Sliding(Vec<VarId>, f64),
    Broken(Diagnostic),
    Terminated(Diagnostic),
    /// The sink wants no more rows.
    Asked,
    Integrator(Failure),
    Write(WriteError),
}

/// A failed start, with the messages up to there.
pub(crate) struct NotStarted {
    pub(crate) stop: Stop,
    pub(crate) said: Vec<Diagnostic>,
}

impl NotStarted {
    /// The diagnostics of the start.
    pub(crate) fn diagnostics(self, model: &CompiledModel, options: &Options) -> Vec<Diagnostic> {
        let NotStarted { stop, mut said } = self;
        let behind = stop.fault().and_then(|(fault, _)| assert_behind_start(model, options, fault));
        match (behind, stop) {
            (Some(behind), _) => said.push(behind),
            (None, Stop::Asked) => {}
            (None, stop) => said.push(stop.into_diagnostic(model)),
        }
        said
    }
}

impl From<Stop> for Box<NotStarted> {
    fn from(stop: Stop) -> Box<NotStarted> {
        Box::new(NotStarted { stop, said: Vec::new() })
    }
}

impl Stop {
    /// The operation that has no value, and when.
    pub(crate) fn fault(&self) -> Option<(&Fault, f64)> {
        let (why, t) = match self {
            Stop::NoValue(why, t) => (why, *t),
            Stop::Integrator(Failure::EvaluationFailed { t, reason, .. }) => {
                (reason.downcast_ref::<NoValue>()?, *t)
            }
            _ => return None,
        };
        match why {
            NoValue::Fault(fault) => Some((fault, t)),
            _ => None,
        }
    }

    pub(crate) fn into_diagnostic(self, model: &CompiledModel) -> Diagnostic {
        match self {
            Stop::NoValue(why, t) => of_no_value(model, &why, t),
            Stop::InMode(model, why, t) => of_no_value(&model, &why, t).with_note(in_mode(&model)),
            Stop::NoTick(tick, t) => of_no_value(&tick.model, &tick.why, t),
            Stop::NotConverged(variables, t) => of_not_converged(model, &variables, t),
            Stop::Zeno(variables, t, shrinking) => of_zeno(model, &variables, t, shrinking),
            Stop::Bounces(bounces) => of_unrested_bounces(model, &bounces),
            Stop::Sliding(variables, t) => of_sliding(model, &variables, t),
            Stop::Broken(said) | Stop::Terminated(said) => said,
            Stop::Asked => Diagnostic::note("stopped", "the run was stopped"),
            Stop::Integrator(failure) => of_integrator(model, &failure),
            Stop::Write(error) => Diagnostic::error("result-not-written", error.to_string()),
        }
    }
}

pub(crate) fn stop_of(failure: EventFailure, t: f64) -> Stop {
    match failure {
        EventFailure::NoValue(why) => Stop::NoValue(why, t),
        EventFailure::NoTick(tick) => Stop::NoTick(tick, t),
        EventFailure::NotConverged(variables) => Stop::NotConverged(variables, t),
        EventFailure::Stuck(variables) => Stop::Zeno(variables, t, None),
        EventFailure::Sliding(variables, since) => Stop::Sliding(variables, since),
    }
}
