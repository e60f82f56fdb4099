//! A problem as diffsol wants it: operators that cannot fail, on faer's vectors and sparse matrices.
//!
//! diffsol has no way to say that an evaluation failed. A right-hand side that fails therefore yields NaN and is
//! noted down; the integrator asks for the note when it looks at what came of the step. A Jacobian that fails
//! leaves the values of the last one: Newton's method with an old matrix either still converges or makes the step
//! shorter.

use std::cell::RefCell;
use std::rc::Rc;

use diffsol::op::ParameterisedOp;
use diffsol::{
    ConstantOp, FaerContext, FaerSparseMat, FaerVec, Matrix, NonLinearOp, NonLinearOpJacobian, OdeEquations,
    OdeEquationsRef, Op, UnitCallable, Vector, VectorCommon,
};
use faer::sparse::SymbolicSparseColMat;

use crate::evaluator::Evaluator;
use crate::problem::EvaluationFailed;
use crate::sparse::SparseMatrix;

pub(super) type Vec64 = FaerVec<f64>;
pub(super) type Mat64 = FaerSparseMat<f64>;

/// The last evaluation that failed, and its time.
pub(super) type FailureNote = RefCell<Option<(f64, EvaluationFailed)>>;

/// The right-hand side and nothing else: no mass matrix, outputs, roots or parameters.
pub(super) struct Equations {
    evaluator: Rc<Evaluator>,
    failure: Rc<FailureNote>,
    jacobian: RefCell<SparseMatrix>,
    context: FaerContext,
}

impl Equations {
    pub(super) fn new(evaluator: Rc<Evaluator>, failure: Rc<FailureNote>) -> Equations {
        let jacobian = RefCell::new(SparseMatrix::zeros(evaluator.pattern().clone()));
        Equations { evaluator, failure, jacobian, context: FaerContext::default() }
    }
}

/// The numbers of a vector.
pub(super) fn slice(v: &Vec64) -> &[f64] {
    v.inner().col_as_slice(0)
}

/// The numbers of a vector, to be written.
pub(super) fn slice_mut(v: &mut Vec64) -> &mut [f64] {
    v.inner_mut().col_as_slice_mut(0)
}

/// A vector from numbers.
pub(super) fn vector(values: &[f64]) -> Vec64 {
    Vec64::from_slice(values, FaerContext::default())
}

/// An operator for a part that the equations do not have.
type Absent<'a> = ParameterisedOp<'a, UnitCallable<Mat64>>;

/// Both operators that the equations do have: the right-hand side and the (unused) start.
#[derive(Clone, Copy)]
pub(super) struct Operator<'a>(&'a Equations);

macro_rules! n_by_n {
    ($type:ty, $this:ident => $equations:expr) => {
        impl Op for $type {
            type T = f64;
            type V = Vec64;
            type M = Mat64;
            type C = FaerContext;

            fn context(&self) -> &FaerContext {
                let $this = self;
                &$equations.context
            }
            fn nstates(&self) -> usize {
                let $this = self;
                $equations.evaluator.n()
            }
            fn nout(&self) -> usize {
                self.nstates()
            }
            fn nparams(&self) -> usize {
                0
            }
        }
    };
}

n_by_n!(Equations, this => this);
n_by_n!(Operator<'_>, this => this.0);

impl<'a> OdeEquationsRef<'a> for Equations {
    type Mass = Absent<'a>;
    type Rhs = Operator<'a>;
    type Root = Absent<'a>;
    type Init = Operator<'a>;
    type Out = Absent<'a>;
    type Reset = Absent<'a>;
}

impl OdeEquations for Equations {
    fn rhs(&self) -> Operator<'_> {
        Operator(self)
    }
    fn mass(&self) -> Option<Absent<'_>> {
        None
    }
    fn init(&self) -> Operator<'_> {
        Operator(self)
    }
    fn set_params(&mut self, _: &Vec64) {}
    fn get_params(&self, _: &mut Vec64) {}
}

impl ConstantOp for Operator<'_> {
    // States are always made from our own start values; nobody asks.
    fn call_inplace(&self, _: f64, y: &mut Vec64) {
        slice_mut(y).fill(0.0);
    }
}

impl NonLinearOp for Operator<'_> {
    fn call_inplace(&self, x: &Vec64, t: f64, y: &mut Vec64) {
        // What follows from a failed evaluation is no news, and none of the problem's business.
        if slice(x).iter().any(|x| x.is_nan()) {
            return slice_mut(y).fill(f64::NAN);
        }
        if let Err(reason) = self.0.evaluator.rhs(t, slice(x), slice_mut(y)) {
            slice_mut(y).fill(f64::NAN);
            *self.0.failure.borrow_mut() = Some((t, reason));
        }
    }
}

impl NonLinearOpJacobian for Operator<'_> {
    // Only sensitivities need it, which we do not ask for.
    fn jac_mul_inplace(&self, x: &Vec64, t: f64, v: &Vec64, y: &mut Vec64) {
        let mut jacobian = SparseMatrix::zeros(self.0.evaluator.pattern().clone());
        if let Err(reason) = self.0.evaluator.jacobian(t, slice(x), &mut jacobian) {
            *self.0.failure.borrow_mut() = Some((t, reason));
        }
        let (v, y) = (slice(v), slice_mut(y));
        y.fill(0.0);
        for ((row, column), value) in jacobian.pattern().entries().zip(jacobian.values()) {
            y[row] += value * v[column];
        }
    }

    fn jacobian_inplace(&self, x: &Vec64, t: f64, matrix: &mut Mat64) {
        let jacobian = &mut *self.0.jacobian.borrow_mut();
        if let Err(reason) = self.0.evaluator.jacobian(t, slice(x), jacobian) {
            *self.0.failure.borrow_mut() = Some((t, reason));
        }
        matrix.inner_mut()[0].val_mut().copy_from_slice(jacobian.values());
    }

    fn jacobian_sparsity(&self) -> Option<<Mat64 as Matrix>::Sparsity> {
        let pattern = self.0.evaluator.pattern();
        let n = pattern.columns();
        let (starts, rows) = (pattern.column_starts().to_vec(), pattern.row_indices().to_vec());
        Some(SymbolicSparseColMat::new_checked(n, n, starts, None, rows))
    }
}
