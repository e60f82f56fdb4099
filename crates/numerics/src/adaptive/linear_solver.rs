//! Our factorisation as diffsol's linear solver.
//!
//! diffsol's own sparse solver panics on a singular matrix, its own dense one pivots over rows and columns, which
//! small matrices do not need. This one reports, so that the step is tried again, shorter. With the inner unknowns of a problem it takes
//! from diffsol the factor of the Jacobian alone.

use std::cell::RefCell;
use std::sync::Arc;

use diffsol::{FaerContext, Matrix, MatrixCommon};
use diffsol_la::error::{LaError, LinearSolverError};
use diffsol_la::{LinearOp, LinearSolver};

use super::equations::{FACTOR_AT, Mat64, SharedMatrix, Vec64, slice_mut};
use crate::factorisation::Factorisation;
use crate::sparse::Pattern;

/// Dense or sparse LU by size and fill.
#[derive(Default)]
pub(super) struct Linear {
    prepared: Option<Prepared>,
    beside: Option<SharedMatrix>,
}

struct Prepared {
    matrix: Mat64,
    factors: Factors,
}

enum Factors {
    /// In a cell: solving needs scratch memory, and diffsol lends the solver shared for it.
    Own(RefCell<Factorisation>),
    /// Those with the inner unknowns of a problem, and where the factor of the Jacobian stands among the values of the matrix.
    Beside(SharedMatrix, usize),
}

impl Linear {
    /// The solver for a problem, with its matrix where that has inner unknowns.
    pub(super) fn new(beside: Option<SharedMatrix>) -> Linear {
        Linear { prepared: None, beside }
    }
}

impl LinearSolver<Mat64> for Linear {
    fn set_sparsity<C: LinearOp<V = Vec64, T = f64, M = Mat64, C = FaerContext>>(&mut self, op: &C) {
        let matrix = Mat64::new_from_sparsity(op.nrows(), op.ncols(), op.sparsity(), *op.context());
        let symbolic = matrix.inner()[0].symbolic();
        let pattern =
            Pattern::new(symbolic.nrows(), symbolic.col_ptr().to_vec(), symbolic.row_idx().to_vec());
        let pattern = pattern.expect("the pattern of I - γJ comes from a valid one");
        let factors = match &self.beside {
            Some(beside) => {
                let place = pattern.position(FACTOR_AT.0, FACTOR_AT.1);
                Factors::Beside(beside.clone(), place.expect("it was put there"))
            }
            None => Factors::Own(RefCell::new(Factorisation::new(Arc::new(pattern)))),
        };
        self.prepared = Some(Prepared { matrix, factors });
    }

    fn set_linearisation<C: LinearOp<V = Vec64, T = f64, M = Mat64, C = FaerContext>>(&mut self, op: &C) {
        if let Some(Prepared { matrix, factors }) = &mut self.prepared {
            op.matrix_inplace(matrix);
            let values = matrix.inner()[0].val();
            // A singular matrix is reported by the next solve.
            let _ = match factors {
                Factors::Own(factors) => factors.get_mut().factorise(values),
                Factors::Beside(beside, place) => beside.borrow_mut().factorise(-values[*place]),
            };
        }
    }

    fn solve_in_place(&self, b: &mut Vec64) -> Result<(), LaError> {
        let Some(prepared) = &self.prepared else {
            return Err(LinearSolverError::LuNotInitialized.into());
        };
        let solved = match &prepared.factors {
            Factors::Own(factors) => factors.borrow_mut().solve(slice_mut(b)),
            Factors::Beside(beside, _) => beside.borrow_mut().solve(slice_mut(b)),
        };
        solved.map_err(|_| LinearSolverError::LuSolveFailed.into())
    }

    // Only adjoints need it.
    fn solve_transpose_in_place(&self, _: &mut Vec64) -> Result<(), LaError> {
        Err(LinearSolverError::LinearSolverNotSetup.into())
    }
}
