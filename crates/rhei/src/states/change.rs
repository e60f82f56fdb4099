//! Advice to the modeller on how to get another choice of states.

use rhei_equations::{StateSelect, VarId};
use rhei_solvable::{Change, Choice, Few, Reason, Role};

use super::why::{Chosen, few_names};

/// The modification that makes a variable a state, or replaces it; none if there is none.
pub(super) fn change(model: Chosen<'_>, v: VarId, choice: &Choice) -> Option<String> {
    let name = &model.equations.variable(v).name;
    match &choice.reason {
        Reason::Chosen { change: Some(Change { wish: StateSelect::Never, others }), .. } => Some(format!(
            "`{name}(stateSelect = StateSelect.never)` puts {} in its place",
            one_of(model, others)
        )),
        Reason::Chosen { change: Some(Change { wish, others }), .. } => {
            Some(format!("`{}` at {} puts that in its place", wish.name(), one_of(model, others)))
        }
        Reason::Deselected { change: Some(_), .. } if choice.select == StateSelect::Never => {
            Some("it is `never` a state; without that it could be one".into())
        }
        Reason::Deselected { change: Some(Change { wish, others }), .. } => Some(format!(
            "`{name}(stateSelect = StateSelect.{})` makes it a state instead of {}",
            wish.name(),
            one_of(model, others)
        )),
        Reason::InSet => fixed_choice(model, choice),
        _ => None,
    }
}

fn one_of(model: Chosen<'_>, others: &Few<VarId>) -> String {
    let is_one = others.first.len() == 1 && others.more == 0 && !others.may_be_longer;
    let one_of = if is_one { "" } else { "one of " };
    format!("{one_of}{}", few_names(model, others))
}

/// Candidates that can all be demanded, so that the run does not choose among them: one choice that the constraints allow.
fn fixed_choice(model: Chosen<'_>, choice: &Choice) -> Option<String> {
    let Role::Candidate { set } = choice.role else { return None };
    let set = &model.solvable.sets[set];
    let states: Vec<VarId> = set.candidates.iter().copied().filter(|v| !set.dummies.contains(v)).collect();
    let which = few_names(model, &Few::of(&states, NAMED));
    Some(match states.len() {
        1 => format!(
            "`always` at {which} makes it a state throughout, for runs on which that never becomes singular"
        ),
        _ => format!(
            "`always` at {which} makes them states throughout, for runs on which that never becomes singular"
        ),
    })
}

/// Most candidates that are named in advice; the rest is counted.
const NAMED: usize = 20;
