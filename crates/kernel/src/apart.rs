//! Formulas with an array of values of their own, beside the [`Code`](crate::Code) of a model.
//!
//! In: expressions over the variables of a model. Out: [`Apart`], programs in whose array the variables stand first, by their ids, as in
//! that of the model.

use std::sync::Arc;

use rhei_equations::{Equations, ExprId, Pool};
use rhei_flat::Tables;

use crate::assemble::Layout;
use crate::code::Watch;
use crate::program::Slot;

/// Programs that share an array of values with no other program.
#[derive(Debug)]
pub struct Apart {
    /// One for each list of expressions.
    pub watches: Vec<Watch>,
    /// The functions that they call.
    pub functions: Arc<Tables>,
    time: Slot,
    initial_values: Vec<f64>,
}

impl Apart {
    /// One program for each list. `pool` is that of the equations, or one that has grown from it.
    pub fn new(equations: &Equations, pool: &Pool, lists: &[Vec<ExprId>]) -> Apart {
        let mut layout = Layout::new(equations.variables.len(), equations.functions.clone())
            .with_aliases(std::iter::empty())
            .with_rests(equations.rests());
        let mut watches: Vec<Watch> =
            lists.iter().map(|list| Watch::new(list.iter().copied(), pool, &mut layout)).collect();
        watches.iter_mut().for_each(|watch| watch.place(&layout));
        let (time, initial_values) = (layout.time(), layout.initial_values());
        Apart { watches, functions: layout.functions.finish(), time, initial_values }
    }

    /// The values before anything is computed: constants in place.
    pub fn new_values(&self) -> Vec<f64> {
        self.initial_values.clone()
    }

    /// The slot of the time.
    pub fn time(&self) -> Slot {
        self.time
    }
}
