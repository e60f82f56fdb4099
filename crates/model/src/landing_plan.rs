//! The pattern of the matrix of a landing: how the relations between jumps and impulses can change with the states of a mode and its
//! impulses.
//!
//! One switch of a long chain ties two elements of it together; all others keep what they had. So the matrix is sparse: where it can
//! differ from zero is known of the model, what has nothing in common is solved apart, and one sweep along the states serves all that
//! nothing which jumps has in common. All this is found out when a mode is first landed in, and kept with it.

use std::sync::Arc;

use rhei_equations::VarId;
use rhei_numerics::Pattern;
use rhei_numerics::colouring::{Colouring, colour};
use rhei_numerics::sparse_least_squares::Plan;
use rhei_solvable::Impulses;

use crate::CompiledModel;
use crate::jacobian_plan::pattern_by_states;

/// What all landings in a mode have in common.
#[derive(Debug)]
pub struct LandingPlan {
    /// What may jump, by states.
    pub slopes: Arc<Pattern>,
    /// The states that one sweep serves.
    pub colouring: Colouring,
    /// The relations, by states and then impulses.
    pub relations: Plan,
}

impl LandingPlan {
    pub(crate) fn new(model: &CompiledModel) -> LandingPlan {
        let (solvable, impulses) = (&model.solvable, &model.solvable.impulses);
        let slopes = pattern_by_states(&model.equations, solvable, &solvable.continuous, &impulses.jumping);
        let n_states = solvable.states.len();
        let mut states_of: Vec<Vec<usize>> = vec![Vec::new(); impulses.jumping.len()];
        slopes.entries().for_each(|(place, state)| states_of[place].push(state));
        let mut entries = Vec::new();
        for (number, row) in impulses.rows.iter().enumerate() {
            let states = row.jumps.iter().flat_map(|&(place, _)| &states_of[place]);
            entries.extend(states.map(|&state| (number, state)));
            entries.extend(row.impulses.iter().map(|&(v, _)| (number, n_states + place_of(impulses, v))));
        }
        let n = n_states + impulses.impulsive.len();
        let relations = Plan::new(Arc::new(Pattern::from_entries(impulses.rows.len(), n, entries)));
        LandingPlan { colouring: colour(&slopes), slopes: Arc::new(slopes), relations }
    }

    /// The numbers of rows, of columns and of entries of the matrix, of sweeps along the states that make it, and the size of the largest
    /// part of it that is solved as a dense one.
    fn size(&self) -> LandingMatrix {
        let pattern = self.relations.pattern();
        LandingMatrix {
            rows: pattern.rows(),
            columns: pattern.columns(),
            entries: pattern.len(),
            sweeps: self.colouring.groups.len(),
            largest_dense: self.relations.largest_dense(),
        }
    }
}

/// What the matrix of a landing takes: to see without a clock how that grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LandingMatrix {
    /// Relations between jumps and impulses.
    pub rows: usize,
    /// States of the mode, and impulses.
    pub columns: usize,
    /// Entries that are stored.
    pub entries: usize,
    /// Sweeps over what the mode computes that make them.
    pub sweeps: usize,
    /// Rows and columns of the largest part that is solved as a dense matrix.
    pub largest_dense: (usize, usize),
}

/// What a landing in the mode of a model takes.
pub fn landing_matrix(model: &CompiledModel) -> LandingMatrix {
    model.landing().size()
}

/// The place of what has an impulse.
pub fn place_of(impulses: &Impulses, v: VarId) -> usize {
    impulses.impulsive.binary_search(&v).expect("what stands in a row has a place")
}
