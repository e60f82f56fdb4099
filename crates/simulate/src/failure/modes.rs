//! Why a mode could not be entered, in the modeller's words.

use std::sync::Arc;

use rhei_equations::{VarId, number};
use rhei_solvable::Mode;
use rhei_source::Diagnostic;

use super::{at_constraints, at_declarations, instant, names};
use crate::CompiledModel;
use crate::modes::jump::NoLanding;

/// Orders of impulses that are told.
const MOST_ORDERS_TOLD: usize = 6;

/// The mode as a note.
pub(crate) fn in_mode(model: &CompiledModel) -> String {
    format!("in the mode where {}", described(&model.solvable.mode))
}

/// The same where the model has modes.
fn of_mode(model: &CompiledModel) -> Option<String> {
    (!model.solvable.mode.guards.is_empty()).then(|| in_mode(model))
}

/// The guards of a mode with their values.
fn described(mode: &Mode) -> String {
    let told = |(text, value): &(String, bool)| format!("`{text}` is {value}");
    let (shown, more) = mode.guards.split_at(mode.guards.len().min(6));
    let texts: Vec<String> = shown.iter().map(told).collect();
    match (texts.is_empty(), more.len()) {
        (true, _) => "nothing is decided by conditions".into(),
        (false, 0) => texts.join(" and "),
        (false, more) => format!("{} and {more} more conditions are as they are", texts.join(", ")),
    }
}

/// Modes that lead to each other without end.
pub(crate) fn of_cycle(tried: &[Arc<CompiledModel>], t: f64) -> Diagnostic {
    let shown: Vec<String> =
        tried.iter().map(|model| format!("({})", described(&model.solvable.mode))).collect();
    let (shown, more) = shown.split_at(shown.len().min(8));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    let message = format!(
        "no mode stays as it is at t = {}: each one that is entered leads to the next, {}{more}",
        instant(t),
        shown.join(", then ")
    );
    let diagnostic = Diagnostic::error("mode-cycle", message);
    let Some(model) = tried.last() else { return diagnostic };
    let spans = model.equations.guards.iter().filter_map(|guard| guard.origin.span);
    let mut diagnostic = diagnostic;
    for span in spans.take(3) {
        if diagnostic.labels.iter().all(|label| label.span != span) {
            diagnostic = diagnostic.at(span, "decided by such a condition");
        }
    }
    diagnostic.with_note(
        "conditions that exclude each other must cover all cases; a hysteresis (with `pre`) may be missing",
    )
}

/// Why there is no landing on the constraints of a mode.
pub(crate) fn of_landing(model: &CompiledModel, no_landing: &NoLanding, t: f64) -> Diagnostic {
    let at = instant(t);
    let begun = if model.solvable.mode.guards.is_empty() {
        format!("the event at t = {at} asks for what cannot happen")
    } else {
        format!("the mode that begins at t = {at} cannot be entered")
    };
    let name = |v: VarId| &model.equations.variable(v).name;
    match no_landing {
        NoLanding::NoValue(why) => super::of_no_value(model, why, t),
        NoLanding::Nonlinear(inside) => {
            let mut variables: Vec<VarId> = inside.iter().map(|&(v, _)| v).collect();
            variables.sort_unstable();
            variables.dedup();
            let message = format!(
                "{begun}: {} would have to be infinite for an instant, but {} in a nonlinear term",
                names(model, &variables),
                if variables.len() == 1 { "stands" } else { "stand" }
            );
            let equations: Vec<_> = inside.iter().map(|&(_, e)| e).collect();
            at_constraints(Diagnostic::error("impulse-ill-posed", message), model, &equations)
                .with_notes(of_mode(model))
                .with_note("what an impulse does is known only where it enters linearly; describe the fast transient itself, or set the states with `reinit`")
        }
        NoLanding::Teleport(v, equation, from, to) => {
            let message = format!(
                "{begun}: `{}` would have to jump from {} to {}, but it is the integral of what stays finite",
                name(*v),
                number(*from),
                number(*to)
            );
            at_constraints(Diagnostic::error("impulse-ill-posed", message), model, &[*equation])
                .with_notes(of_mode(model))
                .with_note("an impulse changes speeds, currents, voltages; for a position to jump, `reinit` must say so")
        }
        NoLanding::Stuck(v, equation, from) => {
            let message = format!(
                "{begun}: `{}` would have to jump, as nothing fits with its value {}, but it is the integral of what stays finite",
                name(*v),
                number(*from)
            );
            at_constraints(Diagnostic::error("impulse-ill-posed", message), model, &[*equation])
                .with_notes(of_mode(model))
                .with_note("an impulse changes speeds, currents, voltages; for a position to jump, `reinit` must say so")
        }
        NoLanding::Undetermined(variables) => {
            let message =
                format!("{begun}: what is conserved does not determine {}", names(model, variables));
            at_declarations(Diagnostic::error("impulse-ill-posed", message), model, variables)
                .with_notes(of_mode(model))
        }
        NoLanding::PathDependent(variables) => {
            let message = format!(
                "the jump of {} at t = {at} is not determined: it depends on the order in which impulses act",
                names(model, variables)
            );
            at_declarations(Diagnostic::error("impulse-path-dependent", message), model, variables)
                .with_notes(of_mode(model))
                .with_note("write what is conserved as a variable of its own (`der(p) = v; p = f(i)`), then its jump is determined")
        }
    }
}

/// What follows where conditions that switch at one instant switch one after the other.
pub(crate) struct OutcomeOfOrder {
    /// Those that switch together, in their order.
    pub(crate) order: Vec<Vec<VarId>>,
    /// What then becomes of the variables in question.
    pub(crate) values: Vec<f64>,
}

/// Conditions that switch at one instant, where their order matters for these variables.
pub(crate) fn of_order(
    model: &CompiledModel,
    conditions: &[VarId],
    variables: &[VarId],
    outcomes: &[OutcomeOfOrder],
    t: f64,
) -> Diagnostic {
    let message = format!(
        "the jump of {} at t = {} is not determined: it depends on which of {} comes first",
        names(model, variables),
        instant(t),
        names(model, conditions)
    );
    let value = |(v, x): (&VarId, &f64)| format!("`{}` = {}", model.equations.variable(*v).name, rounded(*x));
    let values = |outcome: &OutcomeOfOrder| {
        let values = variables.iter().zip(&outcome.values).take(super::NAMED).map(value);
        values.collect::<Vec<String>>().join(", ")
    };
    let all_at_once = outcomes.iter().find(|outcome| outcome.order.len() == 1).map(values);
    let in_order = outcomes.iter().filter(|outcome| outcome.order.len() > 1).map(|outcome| {
        let order: Vec<String> = outcome.order.iter().map(|together| names(model, together)).collect();
        match &order[..] {
            [first, _] => (format!("with {first} first"), values(outcome)),
            order => (format!("with {}", order.join(", then ")), values(outcome)),
        }
    });
    let notes = in_order
        .filter(|(_, values)| Some(values) != all_at_once.as_ref())
        .take(MOST_ORDERS_TOLD)
        .map(|(order, values)| format!("{order}: {values}"));
    let at_once = all_at_once.as_ref().map(|values| format!("with all of them at once: {values}"));
    at_declarations(Diagnostic::error("impulse-path-dependent", message), model, conditions)
        .with_notes(notes.chain(at_once))
        .with_note("let one of them come first, or describe what gives way in the contact (a stiff spring and a damper)")
}

/// A number in a text about what happens at an instant.
fn rounded(x: f64) -> String {
    number(format!("{x:.6e}").parse().unwrap_or(x))
}

/// A state that is measured, and would jump otherwise: to where, and what it is.
pub(crate) fn of_measured_jump(model: &CompiledModel, (v, to, now): (VarId, f64, f64), t: f64) -> Diagnostic {
    let message = format!(
        "at t = {}, `{}` would jump to {} with the mode that begins, but it is measured: it stays {}",
        instant(t),
        model.equations.variable(v).name,
        number(to),
        number(now)
    );
    at_declarations(Diagnostic::note("measured-jump-ignored", message), model, &[v])
        .with_notes(of_mode(model))
        .with_note("what it is tied to follows from what is measured, and nothing is conserved")
}

/// Steps off the constraints that cannot be made.
pub(crate) fn of_projection(model: &CompiledModel, why: &str) -> Diagnostic {
    let message = format!("steps cannot be projected at their end: {why}");
    Diagnostic::error("projection-not-possible", message).with_notes(of_mode(model)).with_note(
        "leave `--projection` out: states then move on the constraints, and methods keep their order",
    )
}

/// Something that has infinitely many values.
pub(crate) fn of_gauge(model: &CompiledModel, variables: &[VarId], t: f64) -> Diagnostic {
    let message = format!(
        "the impulses of {} at t = {} are determined but for a common part: the smallest ones are taken",
        names(model, variables),
        instant(t)
    );
    at_declarations(Diagnostic::warning("gauge-free", message), model, variables).with_note(
        "a reference (a ground, a fixed node) would determine them; what jumps does not depend on it",
    )
}
