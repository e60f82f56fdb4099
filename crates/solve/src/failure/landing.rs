//! Diagnostics of modes that cannot be entered, in the modeller's words.

use rhei_equations::{VarId, number};
use rhei_model::CompiledModel;
use rhei_solvable::Mode;
use rhei_source::Diagnostic;

use super::{at_constraints, at_declarations, instant, names};
use crate::modes::jump::NoLanding;

/// The mode as a note.
pub fn in_mode(model: &CompiledModel) -> String {
    format!("in the mode where {}", described(&model.solvable.mode))
}

/// The same, if the model has modes.
pub fn of_mode(model: &CompiledModel) -> Option<String> {
    (!model.solvable.mode.guards.is_empty()).then(|| in_mode(model))
}

/// The guards of a mode with their values.
pub fn described(mode: &Mode) -> String {
    let told = |(text, value): &(String, bool)| format!("`{text}` is {value}");
    let (shown, more) = mode.guards.split_at(mode.guards.len().min(6));
    let texts: Vec<String> = shown.iter().map(told).collect();
    match (texts.is_empty(), more.len()) {
        (true, _) => "nothing is decided by conditions".into(),
        (false, 0) => texts.join(" and "),
        (false, more) => format!("{} and {more} more conditions are as they are", texts.join(", ")),
    }
}

/// The diagnostic of a failed projection onto the constraints of a mode.
pub fn of_landing(model: &CompiledModel, no_landing: &NoLanding, t: f64) -> Diagnostic {
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
