//! The derivatives of the residuals of a loop by its guesses, and their factors.
//!
//! A derivative along a direction takes one sweep over the formulas of the loop. In small loops there is one for each guess. In
//! larger ones the pattern of the derivatives is known, and one sweep serves all guesses that share no residual (colouring).

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rhei_kernel::{Functions, Iteration, Slot, Step};
use rhei_model::CompiledModel;
use rhei_numerics::Pattern;
use rhei_numerics::colouring::{Colouring, colour};
use rhei_numerics::constants::DENSE_UP_TO;
use rhei_numerics::lu::Lu;
use rhei_numerics::sparse_lu::{ScaledLu, is_worth_it};

/// The evaluation of the derivatives of a larger loop.
pub struct Plan {
    pub(crate) pattern: Arc<Pattern>,
    colouring: Colouring,
    /// Whether they are stored as a sparse matrix.
    pub is_sparse: bool,
}

impl Plan {
    /// None for a small loop.
    pub fn new(iteration: &Iteration) -> Option<Plan> {
        let n = iteration.guessed.len();
        if n <= DENSE_UP_TO {
            return None;
        }
        let guessed: Vec<Slot> = iteration.guessed.iter().map(|&v| v.into()).collect();
        let rows = iteration.program.dependence(&guessed, &iteration.residuals);
        let entries = rows.iter().enumerate();
        let entries =
            entries.flat_map(|(row, columns)| columns.iter().map(move |&column| (row, column as usize)));
        let pattern = Arc::new(Pattern::from_entries(n, n, entries));
        let (colouring, is_sparse) = (colour(&pattern), is_worth_it(&pattern));
        Some(Plan { pattern, colouring, is_sparse })
    }

    /// Hands all entries of the pattern to `put`, with their index in it, row and column. `changes` is zero before and after.
    fn sweep(
        &self,
        iteration: &Iteration,
        values: &mut [f64],
        changes: &mut [f64],
        functions: &Functions,
        mut put: impl FnMut(usize, usize, usize, f64),
    ) {
        for group in &self.colouring.groups {
            group.iter().for_each(|&column| changes[iteration.guessed[column].index()] = 1.0);
            iteration.program.propagate(values, changes, functions);
            for &column in group {
                changes[iteration.guessed[column].index()] = 0.0;
                for (place, &row) in self.pattern.range(column).zip(self.pattern.column(column)) {
                    put(place, row, column, changes[iteration.residuals[row].index()]);
                }
            }
        }
        forget(iteration, changes);
    }

    /// Writes the derivatives in the order of the pattern.
    pub fn entries(
        &self,
        iteration: &Iteration,
        values: &mut [f64],
        changes: &mut [f64],
        functions: &Functions,
        entries: &mut [f64],
    ) {
        self.sweep(iteration, values, changes, functions, |place, _, _, value| entries[place] = value);
    }
}

/// Clears the directional derivatives of this loop: for other loops its unknowns are constant inputs.
fn forget(iteration: &Iteration, changes: &mut [f64]) {
    for v in iteration.program.targets() {
        changes[v.index()] = 0.0;
    }
}

/// The derivatives of the residuals with respect to the guesses, by rows. `changes` is zero before and after.
pub fn derivatives(
    iteration: &Iteration,
    plan: Option<&Plan>,
    values: &mut [f64],
    changes: &mut [f64],
    functions: &Functions,
    jacobian: &mut [f64],
) {
    let n = iteration.guessed.len();
    if let Some(plan) = plan {
        jacobian.fill(0.0);
        let put = |_, row: usize, column: usize, value| jacobian[row * n + column] = value;
        return plan.sweep(iteration, values, changes, functions, put);
    }
    for (column, v) in iteration.guessed.iter().enumerate() {
        changes[v.index()] = 1.0;
        iteration.program.propagate(values, changes, functions);
        for (row, slot) in iteration.residuals.iter().enumerate() {
            jacobian[row * n + column] = changes[slot.index()];
        }
        changes[v.index()] = 0.0;
    }
    forget(iteration, changes);
}

/// The directional derivatives of the residuals along a change of the inputs. `changes` is zero before and after.
pub(crate) fn along_inputs(
    iteration: &Iteration,
    change: &[f64],
    values: &mut [f64],
    changes: &mut [f64],
    functions: &Functions,
) -> Vec<f64> {
    iteration.inputs.iter().zip(change).for_each(|(slot, change)| changes[slot.index()] = *change);
    iteration.program.propagate(values, changes, functions);
    let found = iteration.residuals.iter().map(|slot| changes[slot.index()]).collect();
    iteration.inputs.iter().for_each(|slot| changes[slot.index()] = 0.0);
    forget(iteration, changes);
    found
}

/// Factorised derivatives of a loop.
pub enum Factors {
    /// Of a small loop, or one that is dense.
    Dense(Lu),
    /// In a cell, since a solution needs its working memory.
    Sparse(Box<RefCell<ScaledLu>>),
}

impl Factors {
    /// Memory for the factors of a loop.
    pub fn new(iteration: &Iteration, plan: Option<&Rc<Plan>>) -> Factors {
        let n = iteration.guessed.len();
        let sparse = plan.filter(|plan| plan.is_sparse).and_then(|plan| ScaledLu::new(plan.pattern.clone()));
        match sparse {
            Some(sparse) => Factors::Sparse(Box::new(RefCell::new(sparse))),
            None => Factors::Dense(Lu::new(n)),
        }
    }

    /// Solves in place.
    pub fn solve(&self, b: &mut [f64]) {
        match self {
            Factors::Dense(lu) => lu.solve(b),
            Factors::Sparse(sparse) => {
                sparse.borrow_mut().solve(b);
            }
        }
    }
}

/// Factorises at the point that `values` holds, in place unless the factors are still in use; says whether that succeeded.
pub fn make(
    factors: &mut Rc<Factors>,
    iteration: &Iteration,
    plan: Option<&Rc<Plan>>,
    values: &mut [f64],
    changes: &mut [f64],
    functions: &Functions,
) -> bool {
    if Rc::get_mut(factors).is_none() {
        *factors = Rc::new(Factors::new(iteration, plan));
    }
    match (Rc::get_mut(factors), plan) {
        (Some(Factors::Dense(lu)), plan) => {
            derivatives(iteration, plan.map(Rc::as_ref), values, changes, functions, lu.matrix_mut());
            lu.factorise_in_place().is_ok()
        }
        (Some(Factors::Sparse(sparse)), Some(plan)) => {
            let sparse = sparse.get_mut();
            plan.entries(iteration, values, changes, functions, sparse.entries_mut());
            sparse.factorise()
        }
        _ => false,
    }
}

/// The size of the matrix of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopMatrix {
    /// Unknowns that are guessed: its rows and columns.
    pub guesses: usize,
    /// Entries that are stored.
    pub entries: usize,
    /// Sweeps over the formulas of the loop for all of them.
    pub sweeps: usize,
    /// Whether it is factorised as a sparse matrix.
    pub is_sparse: bool,
}

/// The sizes of the matrices of a model's loops between events: a measure of cost without a clock.
pub fn loop_matrices(model: &CompiledModel) -> Vec<LoopMatrix> {
    let loops = model.code.dynamic.steps.iter().filter_map(|step| match step {
        Step::Iterate(iteration) => Some(iteration),
        _ => None,
    });
    let of_loop = |iteration: &Iteration| {
        let guesses = iteration.guessed.len();
        match Plan::new(iteration) {
            None => LoopMatrix { guesses, entries: guesses * guesses, sweeps: guesses, is_sparse: false },
            Some(plan) => LoopMatrix {
                guesses,
                entries: if plan.is_sparse { plan.pattern.len() } else { guesses * guesses },
                sweeps: plan.colouring.groups.len(),
                is_sparse: plan.is_sparse,
            },
        }
    };
    loops.map(of_loop).collect()
}
