//! `Equations` to `Solvable`, for one mode of a model.
//!
//! In: [`Equations`]. Out: a [`Solvable`], or diagnostics that name the equations and unknowns at fault. The order of the
//! passes is [`make_solvable`].

mod aliases;
mod balance;
mod basis;
mod bipartite;
mod blocks;
mod cancelling_sums;
mod certify;
mod chains;
mod chosen_factors;
mod constraints;
mod derived_starts;
mod diagnose;
mod diagnose_states;
mod diagnose_ticking;
mod exact;
mod gauge;
mod generic;
mod guards;
mod held;
mod hidden_constraints;
mod hold;
mod impulses;
mod initial_problem;
mod invert;
mod matching;
mod nonzero;
mod order_parameters;
mod pantelides;
mod physical_cause;
mod pieces;
mod polynomial;
mod present;
mod promote;
mod reach;
mod reasons;
mod reduce_index;
mod remove_aliases;
mod select_states;
mod share_attributes;
mod singular_loops;
mod solve_small;
mod sort_into_blocks;
mod split_parts;
mod start_references;
mod state_sets;
mod strong_components;
mod tear;
mod ticking;
mod ticking_modes;
mod uncouple;
mod vanishing;

pub use bipartite::{Bipartite, Part};
pub use chosen_factors::{may_shape_as_zero, with_settled_zeros};
pub use gauge::{Gauge, Gauged, gauged};
pub use guards::Modes;
pub use invert::relative_degrees;
pub use matching::Matching;
pub use pantelides::{Offsets, TooHigh, pantelides};
pub use pieces::{Found, Made, PieceWork, Pieces};
pub use strong_components::strong_components;
pub use ticking::{Steps, made_ticking, make_ticking};
pub use ticking_modes::{TickingModes, of_rhythm};

use std::borrow::Cow;

use rhei_equations::{Dae, EqId, Equations, Pool, VarId};
use rhei_solvable::{Assumption, Block, Cause, Choice, Impulses, Mode, Solvable, State, StateSet};
use rhei_source::Diagnostic;

use crate::blocks::Ordered;
use crate::initial_problem::Initial;
use crate::order_parameters::Parameters;
use crate::remove_aliases::Removed;
use crate::select_states::Selection;
use crate::start_references::StartReferences;

/// The model in this mode, ready to be turned into code: its equations, with those that index reduction added, and how they are
/// solved.
///
/// `None` means that the diagnostics hold an error.
pub fn make_solvable(equations: &Equations, mode: &Mode) -> (Option<(Equations, Solvable)>, Vec<Diagnostic>) {
    made_solvable(equations, mode, Entry::AtStart)
}

/// When a mode is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// The run begins in it: it has an initial problem.
    AtStart,
    /// Everything has a value already.
    OnTheWay,
}

/// As [`make_solvable`], for a mode that is entered at the start or on the way.
pub fn made_solvable(
    equations: &Equations,
    mode: &Mode,
    entry: Entry,
) -> (Option<(Equations, Solvable)>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let made = passes(equations, mode, entry, &mut diagnostics);
    debug_assert!(made.is_some() || diagnostics.iter().any(Diagnostic::is_error));
    if let Some((equations, solvable)) = &made {
        debug_assert_eq!(equations.verify(), Ok(()));
        debug_assert_eq!(solvable.verify(equations), Ok(()));
    }
    (made, diagnostics)
}

/// Cost of the choice of states of a model, in entries of matrices written and factors looked at: to measure how it grows,
/// without a clock.
///
/// `None` where the model is refused.
pub fn cost_of_states(equations: &Equations) -> Option<u64> {
    let mut diagnostics = Vec::new();
    let (reduced, mut pool) = reduce_index::reduce_index(Cow::Borrowed(equations), &mut diagnostics).ok()?;
    select_states::select_states(&reduced, &mut pool, &mut diagnostics).map(|selection| selection.work)
}

/// A model whose states are chosen.
struct Chosen {
    /// With the derivatives that index reduction added.
    equations: Equations,
    /// How parameters are computed.
    parameters: Vec<Block>,
    /// Those that the start finds.
    unfixed: Vec<VarId>,
    /// Whether constraints change at events, so that their variables may jump.
    constraints_jump: bool,
    selection: Selection,
}

/// Reduces the index of a model, or of a clocked partition, and chooses its states.
fn choose_states(equations: &Equations, diagnostics: &mut Vec<Diagnostic>) -> Option<Chosen> {
    let prepared = balance::prepared(equations, diagnostics)?;
    let equations = vanishing::without_vanishing(&prepared);
    let (reduced, mut pool) = match reduce_index::reduce_index(equations, diagnostics) {
        Ok(reduced) => reduced,
        // the model is refused; its parameters are looked at for what is to be said of them, and what that adds is thrown away
        Err(as_it_was) => {
            let mut thrown_away = as_it_was.pool.clone();
            order_parameters::order_parameters(&as_it_was, &mut thrown_away, diagnostics);
            return None;
        }
    };
    let Parameters { blocks: parameters, unfixed } =
        order_parameters::order_parameters(&reduced.equations, &mut pool, diagnostics)?;
    let selection = select_states::select_states(&reduced, &mut pool, diagnostics)?;
    let constraints_jump = reduced.constraints_jump(&pool);
    let equations = Equations { pool, dae: reduced.equations };
    Some(Chosen { equations, parameters, unfixed, constraints_jump, selection })
}

fn passes(
    equations: &Equations,
    mode: &Mode,
    entry: Entry,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Equations, Solvable)> {
    let of_model = equations.equations.len();
    let Chosen { mut equations, parameters, unfixed, constraints_jump, selection } =
        choose_states(equations, diagnostics)?;
    let may_jump = constraints_jump || !equations.guards.is_empty();
    let Equations { pool, dae } = &mut equations;
    let impulses = if may_jump { impulses::impulses(dae, of_model, pool) } else { Impulses::default() };
    let Selection { mut states, mut sets, assumptions, mut roles, references, work: _ } = selection;
    state_sets::install_sets(dae, &mut sets, &mut states, &mut roles, pool);
    // a name of something in one mode is a variable of its own in another, and so it is while something jumps
    let mut removed = match may_jump || !mode.guards.is_empty() {
        true => Removed::default(),
        false => remove_aliases::remove_aliases(dae, &states, &sets, &assumptions, &unfixed, pool),
    };
    share_attributes::share_attributes(dae, &states, pool);
    derived_starts::derive_starts(dae, &sets, &roles, pool);
    remove_aliases::join_ranges(dae, &removed, pool);
    debug_assert_eq!(equations.verify(), Ok(()));
    let Equations { pool, dae } = &mut equations;
    let mut said = Vec::new();
    let references = &references;
    let model = Sorted { equations: dae, states: &states, sets: &sets, unfixed: &unfixed, references, entry };
    let blocks = match model.blocks(&removed, pool, &mut said) {
        Some(blocks) => {
            diagnostics.append(&mut said);
            blocks
        }
        // mistakes are reported with all names; those that only the removal of aliases causes are none
        None => {
            removed = Removed::default();
            model.blocks(&removed, pool, diagnostics)?
        }
    };
    let discrete = match (dae.guards.is_empty(), may_jump) {
        (true, false) => Vec::new(),
        // there is one mode only: without this some messages are less exact
        (true, true) => sort_into_blocks::discrete_blocks(dae, pool, &mut said).unwrap_or_default(),
        (false, _) => sort_into_blocks::discrete_blocks(dae, pool, diagnostics)?,
    };
    let (Ordered { blocks: continuous, dynamic }, event, initial) = blocks;
    let Initial { blocks: initial, surplus, on_the_way, freed, written } = initial;
    let mode = mode.clone();
    let aliases = removed.aliases;
    let solvable = Solvable {
        mode,
        states,
        sets,
        assumptions,
        parameters,
        unfixed,
        aliases,
        initial,
        surplus,
        on_the_way,
        freed,
        written,
        continuous,
        dynamic,
        event,
        discrete,
        impulses,
        roles,
        tick: Vec::new(),
        first_tick: Vec::new(),
        first_tick_written: Vec::new(),
    };
    Some((equations, solvable))
}

/// Pieces of a mode after all passes, but those that look at the whole model.
struct Analysed {
    /// With the additions of index reduction and state sets.
    equations: Equations,
    states: Vec<State>,
    sets: Vec<StateSet>,
    assumptions: Vec<Assumption>,
    roles: Vec<Choice>,
    impulses: Impulses,
    /// The continuous system, in the order in which it can be solved.
    components: Vec<Component>,
}

/// Equations that need each other, and how they are solved.
struct Component {
    rows: Vec<EqId>,
    blocks: Vec<Block>,
}

/// All passes for some equations of a mode that is entered on the way, everything else being known.
fn analysed(equations: &Equations, diagnostics: &mut Vec<Diagnostic>) -> Option<Analysed> {
    let of_model = equations.equations.len();
    let equations = vanishing::without_vanishing(equations);
    let (reduced, mut pool) = reduce_index::reduce_index(equations, diagnostics).ok()?;
    let selection = select_states::select_states(&reduced, &mut pool, diagnostics)?;
    // everything has a value already
    let Selection { mut states, mut sets, assumptions, mut roles, references: _, work: _ } = selection;
    let mut dae = reduced.equations;
    let impulses = impulses::impulses(&dae, of_model, &mut pool);
    state_sets::install_sets(&mut dae, &mut sets, &mut states, &mut roles, &mut pool);
    share_attributes::share_attributes(&mut dae, &states, &mut pool);
    let none = Removed::default();
    let (system, matching) =
        sort_into_blocks::continuous_system(&dae, &states, &none, &mut pool, diagnostics)?;
    let components =
        system.components(&matching, &mut pool).map_err(|mistake| diagnostics.push(mistake)).ok()?;
    let id = |row: usize| match system.rows[row].because {
        Cause::Equation(e) => e,
        _ => unreachable!("the rows of the continuous system are equations"),
    };
    let components = components
        .into_iter()
        .map(|component| Component {
            rows: component.rows.into_iter().map(id).collect(),
            blocks: component.blocks,
        })
        .collect();
    let equations = Equations { pool, dae };
    Some(Analysed { equations, states, sets, assumptions, roles, impulses, components })
}

/// A model with its states, to be sorted.
struct Sorted<'a> {
    equations: &'a Dae,
    states: &'a [State],
    sets: &'a [StateSet],
    unfixed: &'a [VarId],
    references: &'a StartReferences,
    entry: Entry,
}

impl Sorted<'_> {
    /// The blocks of the continuous system, of events and of the start, without what is `removed`.
    fn blocks(
        &self,
        removed: &Removed,
        pool: &mut Pool,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<(Ordered, Vec<Block>, Initial)> {
        let Sorted { equations, states, sets, unfixed, references, entry } = *self;
        let continuous = sort_into_blocks::sort_into_blocks(equations, states, removed, pool, diagnostics)?;
        let event = sort_into_blocks::event_blocks(equations, states, removed, pool, diagnostics)?;
        let initial = match entry {
            Entry::AtStart => initial_problem::initial_problem(
                equations,
                (states, references),
                sets,
                unfixed,
                removed,
                pool,
                diagnostics,
            )?,
            Entry::OnTheWay => Initial::default(),
        };
        Some((continuous, event, initial))
    }
}
