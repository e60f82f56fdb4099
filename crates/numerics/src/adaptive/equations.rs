//! A problem as diffsol wants it: operators that cannot fail, on faer's vectors and sparse matrices.
//!
//! diffsol has no way to say that an evaluation failed. A right-hand side that fails therefore yields NaN and is
//! noted down; the integrator asks for the note after the step. A Jacobian that fails leaves the values of the
//! last one: Newton's method with an old matrix either still converges or makes the step shorter.
//!
//! Of a problem with inner unknowns diffsol sees no Jacobian: there is none by the states alone that would be sparse. The matrix
//! it is given instead has a one beside its diagonal, from which the factor of the Jacobian is read off exactly; the Jacobian
//! itself goes to the linear solver beside it.

use std::cell::RefCell;
use std::rc::Rc;

use diffsol::op::ParameterisedOp;
use diffsol::{
    ConstantOp, FaerContext, FaerSparseMat, FaerVec, Matrix, NonLinearOp, NonLinearOpJacobian, OdeEquations,
    OdeEquationsRef, Op, UnitCallable, Vector, VectorCommon,
};
use faer::sparse::SymbolicSparseColMat;
use scoped_tls_hkt::scoped_thread_local;

use crate::evaluator::{Evaluation, Evaluator};
use crate::iteration_matrix::IterationMatrix;
use crate::problem::{EvaluationFailed, Problem};
use crate::sparse::{Pattern, SparseMatrix};

pub(super) type Vec64 = FaerVec<f64>;
pub(super) type Mat64 = FaerSparseMat<f64>;

/// The last evaluation that failed, and its time.
pub(super) type FailureNote = RefCell<Option<(f64, EvaluationFailed)>>;

/// The right-hand side and nothing else: no mass matrix, outputs, roots or parameters.
pub(super) struct Equations {
    evaluator: Rc<Evaluator>,
    failure: Rc<FailureNote>,
    jacobian: Jacobian,
    context: FaerContext,
}

/// Destination of the Jacobian.
enum Jacobian {
    /// To diffsol, by way of this memory.
    Handed(RefCell<SparseMatrix>),
    /// To our own solver, with the inner unknowns.
    Beside(SharedMatrix),
}

/// The matrix with inner unknowns, as equations and linear solver share it.
pub(super) type SharedMatrix = Rc<RefCell<IterationMatrix>>;

/// Row and column at which the matrix given to diffsol in place of the Jacobian holds the Jacobian's factor.
pub(super) const FACTOR_AT: (usize, usize) = (0, 1);

impl Equations {
    pub(super) fn new(evaluator: Rc<Evaluator>, failure: Rc<FailureNote>) -> Equations {
        let jacobian = match evaluator.inner() > 0 {
            true => Jacobian::Beside(Rc::new(RefCell::new(IterationMatrix::new(&evaluator)))),
            false => Jacobian::Handed(RefCell::new(SparseMatrix::zeros(evaluator.pattern().clone()))),
        };
        Equations { evaluator, failure, jacobian, context: FaerContext::default() }
    }

    /// The matrix with inner unknowns, where there are any.
    pub(super) fn beside(&self) -> Option<SharedMatrix> {
        match &self.jacobian {
            Jacobian::Handed(_) => None,
            Jacobian::Beside(matrix) => Some(matrix.clone()),
        }
    }

    /// Evaluates the problem that is lent.
    fn evaluate<R>(&self, work: impl FnOnce(&mut Evaluation<'_>) -> R) -> R {
        LENT.with(|problem| work(&mut self.evaluator.of(problem)))
    }

    fn note(&self, t: f64, evaluated: Result<(), EvaluationFailed>) {
        if let Err(reason) = evaluated {
            *self.failure.borrow_mut() = Some((t, reason));
        }
    }
}

scoped_thread_local!(
    /// The problem that diffsol evaluates now: its operators live as long as the solver, a problem is lent for a step.
    static mut LENT: for<'a> &'a mut dyn Problem
);

/// Lets diffsol evaluate a problem for as long as `work` lasts.
pub(super) fn lend<R>(problem: &mut dyn Problem, work: impl FnOnce() -> R) -> R {
    LENT.set(problem, work)
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
        // NaN states come from an evaluation that failed before: no new failure, and not to be passed to the
        // problem.
        if slice(x).iter().any(|x| x.is_nan()) {
            return slice_mut(y).fill(f64::NAN);
        }
        if let Err(reason) = self.0.evaluate(|evaluation| evaluation.rhs(t, slice(x), slice_mut(y))) {
            slice_mut(y).fill(f64::NAN);
            *self.0.failure.borrow_mut() = Some((t, reason));
        }
    }
}

impl NonLinearOpJacobian for Operator<'_> {
    // Only sensitivities need it, which we do not ask for.
    fn jac_mul_inplace(&self, _: &Vec64, _: f64, _: &Vec64, y: &mut Vec64) {
        slice_mut(y).fill(f64::NAN);
    }

    fn jacobian_inplace(&self, x: &Vec64, t: f64, matrix: &mut Mat64) {
        let Operator(equations) = self;
        let handed = matrix.inner_mut()[0].val_mut();
        match &equations.jacobian {
            Jacobian::Handed(jacobian) => {
                let jacobian = &mut *jacobian.borrow_mut();
                let evaluated = equations.evaluate(|evaluation| evaluation.jacobian(t, slice(x), jacobian));
                equations.note(t, evaluated);
                handed.copy_from_slice(jacobian.values());
            }
            Jacobian::Beside(beside) => {
                let matrix = &mut *beside.borrow_mut();
                let evaluated = equations.evaluate(|evaluation| matrix.evaluate(evaluation, t, slice(x)));
                equations.note(t, evaluated);
                handed.fill(1.0);
            }
        }
    }

    fn jacobian_sparsity(&self) -> Option<<Mat64 as Matrix>::Sparsity> {
        let n = self.nstates();
        let of_factor;
        let pattern = match &self.0.jacobian {
            Jacobian::Handed(_) => &**self.0.evaluator.pattern(),
            Jacobian::Beside(_) => {
                of_factor = Pattern::from_entries(n, n, [FACTOR_AT]);
                &of_factor
            }
        };
        let (starts, rows) = (pattern.column_starts().to_vec(), pattern.row_indices().to_vec());
        Some(SymbolicSparseColMat::new_checked(n, n, starts, None, rows))
    }
}
