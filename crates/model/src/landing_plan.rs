//! The pattern of the matrix of a projection at a jump: derivatives of the relations between jumps and impulses by the states of
//! a mode and its impulses.
//!
//! One switch of a long chain ties two elements of it together; all others keep their values. So the matrix is sparse: its
//! pattern is a property of the model, independent parts are solved apart, and one sweep along the states serves all that share
//! no jumping variable. All this is determined at the first projection in a mode, and kept with it.

use std::sync::Arc;

use rhei_equations::VarId;
use rhei_numerics::Pattern;
use rhei_numerics::colouring::{Colouring, colour};
use rhei_numerics::sparse_least_squares::Plan;
use rhei_solvable::Impulses;

use crate::CompiledModel;
use crate::jacobian_plan::pattern_by_states;

/// The structure of all projections in a mode.
#[derive(Debug)]
pub struct LandingPlan {
    /// The pattern of the variables that may jump, by states.
    pub slopes: Arc<Pattern>,
    /// Groups of states that one sweep serves.
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

    /// The size of the matrix, the number of sweeps along the states, and the size of its largest dense part.
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

/// The size of the matrix of a projection: a measure of cost without a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LandingMatrix {
    /// Relations between jumps and impulses.
    pub rows: usize,
    /// States of the mode, and impulses.
    pub columns: usize,
    /// Entries that are stored.
    pub entries: usize,
    /// Sweeps over the formulas of the mode for them.
    pub sweeps: usize,
    /// Rows and columns of the largest part that is solved as a dense matrix.
    pub largest_dense: (usize, usize),
}

/// The size of the matrix of projections in the mode of a model.
pub fn landing_matrix(model: &CompiledModel) -> LandingMatrix {
    model.landing().size()
}

/// The index of a variable among those with impulses.
pub fn place_of(impulses: &Impulses, v: VarId) -> usize {
    impulses.impulsive.binary_search(&v).expect("what stands in a row has a place")
}
