//! Advice to the modeller on how to get another choice of states.

use rhei_equations::{StateSelect, VarId};
use rhei_solvable::{Choice, Reason, Role};

use super::why::names;
use crate::engine::CompiledModel;

/// The modification that makes a variable a state, or replaces it; none if there is none.
pub(super) fn change(model: &CompiledModel, v: VarId, choice: &Choice) -> Option<String> {
    let name = &model.equations.variable(v).name;
    match &choice.reason {
        Reason::Chosen { over } => instead_of_state(model, v, choice.select, over),
        Reason::Deselected { .. } if choice.select == StateSelect::Never => {
            Some("it is `never` a state; without that it could be one".into())
        }
        Reason::Deselected { from, .. } => {
            let open: Vec<VarId> = from.iter().copied().filter(|&state| !is_demanded(model, state)).collect();
            if open.is_empty() {
                return None;
            }
            let less_wanted: Vec<VarId> =
                open.iter().copied().filter(|&state| select(model, state) < StateSelect::Prefer).collect();
            let (wish, instead) =
                if less_wanted.is_empty() { ("always", open) } else { ("prefer", less_wanted) };
            let one = if instead.len() == 1 { "" } else { "one of " };
            Some(format!(
                "`{name}(stateSelect = StateSelect.{wish})` makes it a state instead of {one}{}",
                names(model, &instead)
            ))
        }
        Reason::InSet => {
            let Role::Candidate { set } = choice.role else { return None };
            let dimension = model.solvable.sets[set].dimension();
            let which =
                if dimension == 1 { "one candidate".into() } else { format!("{dimension} candidates") };
            Some(format!("`always` at {which} fixes the choice, for runs on which it never becomes singular"))
        }
        _ => None,
    }
}

/// The modification that puts another variable in the place of a state.
fn instead_of_state(model: &CompiledModel, v: VarId, wish: StateSelect, over: &[VarId]) -> Option<String> {
    if is_demanded(model, v) {
        return None;
    }
    let open: Vec<VarId> = over.iter().copied().filter(|&d| select(model, d) != StateSelect::Never).collect();
    if open.is_empty() {
        return None;
    }
    let one = if open.len() == 1 { "" } else { "one of " };
    let stronger = if wish < StateSelect::Prefer { "prefer" } else { "always" };
    Some(format!("`{stronger}` at {one}{} puts that in its place", names(model, &open)))
}

fn select(model: &CompiledModel, v: VarId) -> StateSelect {
    model.solvable.roles[v.index()].select
}

/// Whether nothing can take its place: `always`, or set by `reinit`.
fn is_demanded(model: &CompiledModel, v: VarId) -> bool {
    let is_set = model.equations.events.reinits.iter().any(|reinit| reinit.target == v);
    is_set || select(model, v) == StateSelect::Always
}
