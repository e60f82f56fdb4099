//! Equations to what can be solved, for one mode of a model.
//!
//! In: [`Equations`]. Out: a [`Solvable`], or diagnostics that name the equations and unknowns at fault. The order of the
//! passes is [`make_solvable`].

mod bipartite;
mod blocks;
mod diagnose;
mod initial_problem;
mod matching;
mod order_parameters;
mod select_states;
mod sort_into_blocks;
mod strong_components;
mod tear;

pub use bipartite::{Bipartite, Part};
pub use matching::Matching;
pub use strong_components::strong_components;

use rhei_equations::Equations;
use rhei_solvable::{Mode, Solvable};
use rhei_source::Diagnostic;

use crate::blocks::Ordered;
use crate::initial_problem::Initial;
use crate::order_parameters::Parameters;

/// The model in this mode, ready to be turned into code.
///
/// `None` means that the diagnostics hold an error.
pub fn make_solvable(equations: &Equations, mode: &Mode) -> (Option<Solvable>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let solvable = passes(equations, mode, &mut diagnostics);
    debug_assert!(solvable.is_some() || diagnostics.iter().any(Diagnostic::is_error));
    if let Some(solvable) = &solvable {
        debug_assert_eq!(solvable.verify(equations), Ok(()));
    }
    (solvable, diagnostics)
}

fn passes(equations: &Equations, mode: &Mode, diagnostics: &mut Vec<Diagnostic>) -> Option<Solvable> {
    let mut pool = equations.pool.clone();
    let Parameters { blocks: parameters, unfixed } =
        order_parameters::order_parameters(equations, &mut pool, diagnostics)?;
    let states = select_states::select_states(equations, diagnostics)?;
    let continuous = sort_into_blocks::sort_into_blocks(equations, &states, &mut pool, diagnostics)?;
    let event = sort_into_blocks::event_blocks(equations, &states, &mut pool, diagnostics)?;
    let initial = initial_problem::initial_problem(equations, &states, &unfixed, &mut pool, diagnostics)?;
    let Ordered { blocks: continuous, dynamic } = continuous;
    let Initial { blocks: initial, on_the_way } = initial;
    let roles = select_states::roles(equations, &states);
    let mode = mode.clone();
    Some(Solvable {
        mode,
        pool,
        states,
        parameters,
        unfixed,
        initial,
        on_the_way,
        continuous,
        dynamic,
        event,
        roles,
    })
}
