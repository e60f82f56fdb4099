//! Why a mode could not be entered, in the modeller's words.

use std::sync::Arc;

use rhei_equations::{VarId, number};
use rhei_model::CompiledModel;
use rhei_solve::failure::landing::{described, of_mode};
use rhei_solve::failure::{at_declarations, instant, names};
use rhei_source::Diagnostic;

use crate::constants::ORDERS_REPORTED;

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

/// The result of simultaneous conditions that switch in a given order.
pub(crate) struct OutcomeOfOrder {
    /// Those that switch together, in their order.
    pub(crate) order: Vec<Vec<VarId>>,
    /// Values of the variables in question afterwards.
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
        .take(ORDERS_REPORTED)
        .map(|(order, values)| format!("{order}: {values}"));
    let at_once = all_at_once.as_ref().map(|values| format!("with all of them at once: {values}"));
    at_declarations(Diagnostic::error("impulse-path-dependent", message), model, conditions)
        .with_notes(notes.chain(at_once))
        .with_note("let one of them come first, or describe what gives way in the contact (a stiff spring and a damper)")
}

/// A number rounded for a message about an instant.
fn rounded(x: f64) -> String {
    number(format!("{x:.6e}").parse().unwrap_or(x))
}

/// A measured state that would jump in the new mode: its name, that value, and its own.
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

/// Impulses that are determined but for a common part.
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
