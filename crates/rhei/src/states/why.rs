//! The reason for the role of a variable, in words.

use rhei_equations::{EqId, Equations, StateSelect, VarId};
use rhei_solvable::{Choice, Few, Reason, Role, Solvable};

use crate::engine::CompiledModel;

/// A model and its choice of states.
#[derive(Clone, Copy)]
pub(super) struct Chosen<'a> {
    pub(super) equations: &'a Equations,
    pub(super) solvable: &'a Solvable,
}

impl<'a> From<&'a CompiledModel> for Chosen<'a> {
    fn from(model: &'a CompiledModel) -> Self {
        Chosen { equations: &model.equations, solvable: &model.solvable }
    }
}

/// A sentence; none for what is no unknown.
pub(super) fn why(model: Chosen<'_>, v: VarId, choice: &Choice) -> Option<String> {
    let name = &model.equations.variable(v).name;
    let is_set = model.equations.events.reinits.iter().any(|reinit| reinit.target == v);
    let wished = match choice.select {
        _ if is_set => " (set by `reinit`)".into(),
        StateSelect::Default => String::new(),
        select => format!(" (`{}`)", select.name()),
    };
    Some(match &choice.reason {
        Reason::Unchanging => return None,
        // a variable that is a state by its wish alone takes the place of one that the model differentiates, and is chosen over it
        Reason::Differentiated if !is_introduced(model, v) => {
            format!("der({name}) appears in the model, and no equation ties `{name}` to other states")
        }
        Reason::Differentiated | Reason::LeftFree => format!("the constraints leave it free{wished}"),
        Reason::Chosen { over, .. } => format!("chosen{wished} over {}", few_names(model, over)),
        Reason::Deselected { by, from, .. } => {
            let by = match by.first.is_empty() {
                true => "many equations together".into(),
                false => equations(model, &by.first),
            };
            let from = match (from.is_empty(), from.first.is_empty()) {
                (true, _) => String::new(),
                (false, true) => " from many states".into(),
                (false, false) => format!(" from {}", few_names(model, from)),
            };
            format!("given by {by}{from}{wished}")
        }
        Reason::InSet => {
            let Role::Candidate { set } = choice.role else { return None };
            let set = &model.solvable.sets[set];
            format!(
                "{} leave{} {} of {} free, and not everywhere the same",
                equations(model, &set.equations),
                if set.equations.len() == 1 { "s" } else { "" },
                set.dimension(),
                names_of_first(model, &set.candidates)
            )
        }
        Reason::DerivativeOfState => "it is the derivative of a state".into(),
        Reason::Derivative => "it is a derivative, and no state".into(),
        Reason::AtEventsOnly => "it changes at events only".into(),
        // a derivative that is multiplied by zero counts as none
        Reason::NotDifferentiated => "no equation depends on its derivative".into(),
        Reason::DerivativeHasNoEffect => {
            format!("no equation depends on der({name}), other than at the start or at events")
        }
    })
}

/// Whether the derivative of a variable came in by index reduction.
fn is_introduced(model: Chosen<'_>, v: VarId) -> bool {
    let state = model.solvable.states.iter().find(|state| state.variable == v);
    state.is_some_and(|state| model.equations.variable(state.derivative).is_introduced)
}

pub(super) fn names(model: Chosen<'_>, variables: &[VarId]) -> String {
    let names: Vec<String> =
        variables.iter().map(|&v| format!("`{}`", model.equations.variable(v).name)).collect();
    names.join(", ")
}

/// The names of a list as far as it is known, and how many more there are.
pub(super) fn few_names(model: Chosen<'_>, few: &Few<VarId>) -> String {
    let mut text = names(model, &few.first);
    if few.more > 0 {
        text += &format!(" and {} more", few.more);
    }
    if few.may_be_longer {
        text += " and perhaps others";
    }
    text
}

/// Most candidates of a set that are named at each of them; the rest is counted.
const NAMED: usize = 20;

fn names_of_first(model: Chosen<'_>, variables: &[VarId]) -> String {
    match variables.len().saturating_sub(NAMED) {
        0 => names(model, variables),
        more => format!("{} and {more} more", names(model, &variables[..NAMED])),
    }
}

/// Most equations that are written out in a reason; the rest is counted.
const WRITTEN: usize = 3;

fn equations(model: Chosen<'_>, equations: &[EqId]) -> String {
    let texts: Vec<String> =
        equations.iter().take(WRITTEN).map(|&e| format!("`{}`", text(model, e))).collect();
    match equations.len().saturating_sub(WRITTEN) {
        0 => texts.join(", "),
        more => format!("{} and {more} more", texts.join(", ")),
    }
}

/// An equation of the model, or a derivative of one, as text.
pub(super) fn text(model: Chosen<'_>, e: EqId) -> String {
    model.equations.notation().equation(&model.equations.equations[e.index()])
}
