//! Why a run could not go on, in the modeller's words.

pub(crate) mod events;
pub(crate) mod modes;

use rhei_equations::{StateSelect, VarId, number};
use rhei_model::CompiledModel;
use rhei_numerics::{Failure, NotFinite};
use rhei_solve::evaluate::NoValue;
use rhei_solve::failure::{
    NAMED, at_constraints, at_declarations, causes, instant, names, of_no_value, set_of, state_name, written,
};
use rhei_solve::modes::off::NotProjected;
use rhei_solve::regularity::WatchedLoop;
use rhei_source::Diagnostic;

use crate::constants::FORMULA_REPORTED;

/// Values that change at every evaluation of one instant.
pub(crate) fn of_not_converged(model: &CompiledModel, variables: &[VarId], t: f64) -> Diagnostic {
    let message = format!(
        "the event at t = {} does not come to rest: {} {} each time the equations are evaluated",
        instant(t),
        names(model, variables),
        if variables.len() == 1 { "changes" } else { "change" }
    );
    at_declarations(Diagnostic::error("event-without-end", message), model, variables)
        .with_note("a value that depends on its own `pre` must come to rest (`b = not pre(b)` never does); in a `when` it changes once")
}

/// A `sample` whose interval is not positive.
pub(crate) fn of_sample(model: &CompiledModel, place: usize, interval: f64) -> Diagnostic {
    let message =
        format!("the interval of this `sample` is {}: it must be greater than zero", number(interval));
    let diagnostic = Diagnostic::error("sample-interval", message);
    match model.equations.events.samples[place].origin.span {
        Some(span) => diagnostic.at(span, "this `sample`"),
        None => diagnostic,
    }
}

/// A delay that is negative or longer than its maximum.
pub(crate) fn of_delay(model: &CompiledModel, place: usize, by: f64, t: f64) -> Diagnostic {
    let what = if by >= 0.0 { "is longer than its maximum" } else { "is not a time before" };
    let message = format!("the time of this `delay` {what} at t = {}: it is {}", instant(t), number(by));
    let diagnostic = Diagnostic::error("delay-time", message);
    match model.equations.events.delays[place].origin.span {
        Some(span) => diagnostic.at(span, "this `delay`"),
        None => diagnostic,
    }
}

/// A profile that does not go from end to end.
pub(crate) fn of_profile(model: &CompiledModel, place: usize) -> Diagnostic {
    let message =
        "`initialPoints` of this `spatialDistribution` must go from 0 to 1, none less than the one before";
    let diagnostic = Diagnostic::error("initial-points", message);
    match model.equations.events.transports[place].origin.span {
        Some(span) => diagnostic.at(span, "this `spatialDistribution`"),
        None => diagnostic,
    }
}

/// Constraints that can be solved for none of the choices of their state set.
pub(crate) fn of_singular_set(model: &CompiledModel, set: usize, t: f64) -> Diagnostic {
    let set = &model.solvable.sets[set];
    let message = format!(
        "at t = {} the constraints do not determine any choice of {}: their derivatives vanish or depend on each other",
        instant(t),
        names(model, &set.candidates)
    );
    at_constraints(Diagnostic::error("state-set-singular", message), model, &set.equations)
}

/// Constraints that can no longer be solved for the dependent variables of the chart.
pub(crate) fn of_singular_choice(model: &CompiledModel, assumption: usize, t: f64) -> Diagnostic {
    let assumption = &model.solvable.assumptions[assumption];
    let message = format!(
        "at t = {} {} can no longer be computed from {}: {}with this choice of states the constraints become singular",
        instant(t),
        names(model, &assumption.solved_for),
        names(model, &assumption.from),
        vanishing(model, assumption)
    );
    let diagnostic = Diagnostic::error("state-choice-singular", message);
    let diagnostic = at_constraints(diagnostic, model, &assumption.equations);
    let wished: Vec<VarId> = assumption
        .solved_for
        .iter()
        .chain(&assumption.from)
        .copied()
        .filter(|v| matches!(model.equations.variable(*v).select, StateSelect::Never | StateSelect::Always))
        .collect();
    let is_set = |v: &&VarId| model.equations.events.reinits.iter().any(|reinit| reinit.target == **v);
    if let Some(set) = assumption.from.iter().find(is_set) {
        let name = names(model, &[*set]);
        diagnostic.with_note(format!(
            "{name} has to be a state because `reinit` sets it: set a variable that describes the motion everywhere, such as an angle"
        ))
    } else if wished.is_empty() {
        diagnostic.with_note("prefer other variables as states")
    } else {
        let named = names(model, &wished);
        diagnostic.with_note(format!(
            "remove `never` or `always` from {named}: the states can then be others at other times"
        ))
    }
}

/// A loop whose branch of solutions meets another one.
pub(crate) fn of_branching(model: &CompiledModel, watched: &WatchedLoop, t: f64) -> Diagnostic {
    let is_among = |variables: &[VarId]| watched.guessed.iter().any(|v| variables.contains(v));
    let solvable = &model.solvable;
    if let Some(place) = solvable.assumptions.iter().position(|assumed| is_among(&assumed.solved_for)) {
        return of_singular_choice(model, place, t);
    }
    if let Some(set) = solvable.sets.iter().position(|set| is_among(&set.candidates)) {
        return of_singular_set(model, set, t);
    }
    let message = format!(
        "at t = {} {} can no longer be computed: two solutions meet there",
        instant(t),
        names(model, &watched.guessed),
    );
    let mut diagnostic = Diagnostic::error("state-choice-singular", message);
    for (span, text) in watched.because.iter().filter_map(|cause| written(model, *cause)) {
        if diagnostic.labels.iter().all(|label| label.span != span) {
            diagnostic = diagnostic.at(span, text);
        }
    }
    diagnostic.with_note(
        "an equation that tells the two apart is missing, such as one for an angle in place of its sine",
    )
}

/// The divisor of a single unknown, as a phrase, if it is a short formula: it has become zero.
fn vanishing(model: &CompiledModel, assumption: &rhei_solvable::Assumption) -> String {
    let [row] = assumption.jacobian.as_slice() else { return String::new() };
    let Some(&(0, factor)) = row.first() else { return String::new() };
    let text = model.notation().expression(factor);
    if text.len() > FORMULA_REPORTED {
        String::new()
    } else {
        format!("its factor `{text}` becomes zero, and ")
    }
}

/// The end of a branch of solutions: the balanced variables jump to another.
pub(crate) fn of_branch_jump(model: &CompiledModel, jumps: &[(VarId, f64, f64)], t: f64) -> Diagnostic {
    let short = |value: f64| number(format!("{value:.6e}").parse().unwrap_or(value));
    let jumped: Vec<String> = jumps
        .iter()
        .take(NAMED)
        .map(|(v, from, to)| {
            format!("`{}` jumps from {} to {}", model.equations.variable(*v).name, short(*from), short(*to))
        })
        .collect();
    let message = format!("at t = {} an equilibrium ends: {}", instant(t), jumped.join(", "));
    let said = Diagnostic::note("balance-branch-jump", message);
    let variables: Vec<VarId> = jumps.iter().map(|(v, ..)| *v).collect();
    at_declarations(said, model, &variables)
}

/// Advice for infinite derivatives.
const STEEP: &str = "a root is infinitely steep where its argument is zero; start beside it, write it such that it is not, or try an explicit `--method`";

/// An integrator that cannot go on.
pub(crate) fn of_integrator(model: &CompiledModel, failure: &Failure) -> Diagnostic {
    let state = |i: usize| model.equations.variable(model.solvable.states[i].variable);
    let named = |i: usize| state_name(model, i);
    let at_state = |diagnostic: Diagnostic, i: usize| match (set_of(model, i), state(i).span) {
        (Some(set), _) => at_constraints(diagnostic, model, &set.equations),
        (None, Some(span)) => diagnostic.at(span, format!("`{}`", state(i).name)),
        (None, None) => diagnostic,
    };
    match failure {
        Failure::EvaluationFailed { t, reason, .. } => {
            if let Some(why) = reason.downcast_ref::<NoValue>() {
                of_no_value(model, why, *t)
            } else if let Some(NotProjected(why)) = reason.downcast_ref() {
                modes::of_projection(model, why)
            } else if let Some(NotFinite { component, by, value }) = reason.downcast_ref() {
                // the guesses of loops follow the states
                let guess = |i: usize| model.jacobian.inner.get(i.wrapping_sub(model.solvable.states.len())).copied();
                let named = |i: usize| match guess(i) {
                    Some(v) => format!("`{}`", model.equations.variable(v).name),
                    None => named(i),
                };
                let (of, variable) = match guess(*component) {
                    Some(v) => ("a residual of the loop of", v),
                    None => ("the derivative of", model.solvable.states[*component].derivative),
                };
                let what = match by {
                    Some(by) => format!("changes with {} at a rate of {}", named(*by), number(*value)),
                    None => format!("is {}", number(*value)),
                };
                let message = format!("{of} {} {what} at t = {}", named(*component), instant(*t));
                let mut diagnostic = Diagnostic::error("evaluation-failed", message);
                for (span, text) in causes(model, variable) {
                    diagnostic = diagnostic.at(span, text);
                }
                diagnostic.with_notes(by.map(|_| STEEP.to_owned()))
            } else {
                Diagnostic::error("evaluation-failed", failure.to_string())
            }
        }
        Failure::StepTooSmall { t, step, fastest } => {
            let culprit = fastest.map_or(String::new(), |i| format!("; {} changes fastest there", named(i)));
            let message =
                format!("no step is short enough at t = {} (the last was {}){culprit}", instant(*t), number(*step));
            let diagnostic = Diagnostic::error("step-too-small", message);
            fastest
                .map_or(diagnostic.clone(), |i| at_state(diagnostic, i))
                .with_note("a solution that goes to infinity does this, and a jump that is no event; a looser `--tolerance` may help to see which")
        }
        Failure::NewtonFailed { t, iterations, worst } => {
            let message = format!(
                "the step from t = {} on has no solution after {iterations} iterations; {} does not settle",
                instant(*t),
                named(*worst)
            );
            at_state(Diagnostic::error("newton-failed", message), *worst).with_note("try a smaller `--step`")
        }
        Failure::Chattering { t, state, .. } => {
            let message = format!("{} chatters at t = {}: its derivative jumps from step to step", named(*state), instant(*t));
            at_state(Diagnostic::error("chattering", message), *state)
        }
        Failure::SingularMatrix { t } => {
            Diagnostic::error("singular-matrix", format!("the step from t = {} on has no unique solution", instant(*t)))
        }
        Failure::TooManySteps { t, limit } => {
            Diagnostic::error("too-many-steps", format!("{limit} steps were taken and only t = {} is reached", instant(*t)))
                .with_note("a stiff model wants `--method bdf`; an oscillation faster than what you look for wants another model")
        }
        Failure::BadSettings(message) => Diagnostic::error("bad-settings", message.clone()),
        Failure::Internal { t, message } => {
            Diagnostic::error("integrator-failed", format!("the integrator failed at t = {}: {message}", instant(*t)))
                .with_note("this is a fault of rhei, not of the model; another `--method` may do")
        }
    }
}
