//! Our factorisation as diffsol's linear solver.
//!
//! diffsol's own sparse solver panics on a singular matrix, its own dense one pivots over rows and columns, which
//! small matrices do not need. This one reports, so that the step is tried again, shorter.

use std::cell::RefCell;
use std::sync::Arc;

use diffsol::{FaerContext, Matrix, MatrixCommon};
use diffsol_la::error::{LaError, LinearSolverError};
use diffsol_la::{LinearOp, LinearSolver};

use super::equations::{Mat64, Vec64, slice_mut};
use crate::factorisation::Factorisation;
use crate::sparse::Pattern;

/// Dense or sparse LU by size and fill.
#[derive(Default)]
pub(super) struct Linear {
    prepared: Option<Prepared>,
}

struct Prepared {
    matrix: Mat64,
    // Solving needs scratch memory, and diffsol lends the solver shared for it.
    factors: RefCell<Factorisation>,
}

impl LinearSolver<Mat64> for Linear {
    fn set_sparsity<C: LinearOp<V = Vec64, T = f64, M = Mat64, C = FaerContext>>(&mut self, op: &C) {
        let matrix = Mat64::new_from_sparsity(op.nrows(), op.ncols(), op.sparsity(), *op.context());
        let symbolic = matrix.inner()[0].symbolic();
        let pattern =
            Pattern::new(symbolic.nrows(), symbolic.col_ptr().to_vec(), symbolic.row_idx().to_vec());
        let pattern = pattern.expect("the pattern of I - γJ comes from a valid one");
        let factors = RefCell::new(Factorisation::new(Arc::new(pattern)));
        self.prepared = Some(Prepared { matrix, factors });
    }

    fn set_linearisation<C: LinearOp<V = Vec64, T = f64, M = Mat64, C = FaerContext>>(&mut self, op: &C) {
        if let Some(Prepared { matrix, factors }) = &mut self.prepared {
            op.matrix_inplace(matrix);
            // Where it cannot be factorised, solving says so.
            let _ = factors.get_mut().factorise(matrix.inner()[0].val());
        }
    }

    fn solve_in_place(&self, b: &mut Vec64) -> Result<(), LaError> {
        let Some(prepared) = &self.prepared else {
            return Err(LinearSolverError::LuNotInitialized.into());
        };
        let solved = prepared.factors.borrow_mut().solve(slice_mut(b));
        solved.map_err(|_| LinearSolverError::LuSolveFailed.into())
    }

    // Only adjoints need it.
    fn solve_transpose_in_place(&self, _: &mut Vec64) -> Result<(), LaError> {
        Err(LinearSolverError::LinearSolverNotSetup.into())
    }
}
