//! The one place from which a problem is evaluated: counts calls, refuses values that are not finite, and supplies finite
//! differences for a missing Jacobian. It does so, too, for a Jacobian that has no value: where `exp` has become infinite below a
//! fraction line, or a root begins.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use crate::finite_differences::FiniteDifferences;
use crate::integrator::Settings;
use crate::problem::{EvaluationFailed, NotFinite, OffConstraints, Problem};
use crate::sparse::{Pattern, SparseMatrix};

/// State kept between the evaluations of a problem. Shared by an integrator and the callbacks it lends to diffsol, hence the
/// cells.
#[derive(Clone)]
pub(crate) struct Evaluator {
    n: usize,
    inner: usize,
    pattern: Arc<Pattern>,
    /// The usual size of each state, for increments.
    size: Vec<f64>,
    /// Whether the problem has a Jacobian of its own, as far as that is known.
    has_jacobian: Cell<bool>,
    differences: RefCell<Option<FiniteDifferences>>,
    /// Memory for a Jacobian until it is known to be good.
    fresh: RefCell<SparseMatrix>,
    rhs_calls: Cell<u64>,
    jacobians: Cell<u64>,
}

impl Evaluator {
    pub(crate) fn new(problem: &dyn Problem, settings: &Settings) -> Evaluator {
        let (n, inner) = (problem.n(), problem.inner());
        let pattern = problem.pattern().unwrap_or_else(|| Arc::new(Pattern::dense(n + inner)));
        Evaluator {
            n,
            inner,
            fresh: RefCell::new(SparseMatrix::zeros(pattern.clone())),
            pattern,
            size: settings.atol.iter().map(|atol| atol / settings.rtol).collect(),
            has_jacobian: Cell::new(true),
            differences: RefCell::new(None),
            rhs_calls: Cell::new(0),
            jacobians: Cell::new(0),
        }
    }

    pub(crate) fn n(&self) -> usize {
        self.n
    }

    /// Inner unknowns that are kept in the Jacobian.
    pub(crate) fn inner(&self) -> usize {
        self.inner
    }

    /// The pattern of the Jacobian, with its inner unknowns behind the states.
    pub(crate) fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    pub(crate) fn rhs_calls(&self) -> u64 {
        self.rhs_calls.get()
    }

    pub(crate) fn jacobians(&self) -> u64 {
        self.jacobians.get()
    }

    /// With its problem, for as long as that is lent.
    pub(crate) fn of<'a>(&'a self, problem: &'a mut dyn Problem) -> Evaluation<'a> {
        Evaluation { evaluator: self, problem }
    }

    fn evaluate(
        &self,
        problem: &mut dyn Problem,
        t: f64,
        y: &[f64],
        dy: &mut [f64],
    ) -> Result<(), EvaluationFailed> {
        self.rhs_calls.set(self.rhs_calls.get() + 1);
        problem.rhs(t, y, dy)?;
        refuse_not_finite(dy, |i| (i, None))
    }

    fn jacobian(
        &self,
        problem: &mut dyn Problem,
        t: f64,
        y: &[f64],
        matrix: &mut SparseMatrix,
    ) -> Result<(), EvaluationFailed> {
        self.jacobians.set(self.jacobians.get() + 1);
        let mut fresh = self.fresh.borrow_mut();
        fresh.values_mut().fill(0.0);
        if self.has_jacobian.get() {
            self.has_jacobian.set(problem.jacobian(t, y, &mut fresh)?);
        }
        if !self.has_jacobian.get() || !fresh.values().iter().all(|value| value.is_finite()) {
            fresh.values_mut().fill(0.0);
            self.differ(problem, t, y, &mut fresh)?;
        }
        let column_of = |i: usize| (0..self.pattern.columns()).find(|&k| self.pattern.range(k).contains(&i));
        refuse_not_finite(fresh.values(), |i| (self.pattern.row_indices()[i], column_of(i)))?;
        matrix.values_mut().copy_from_slice(fresh.values());
        Ok(())
    }

    /// The Jacobian by finite differences; with inner unknowns, around their values in an evaluation.
    fn differ(
        &self,
        problem: &mut dyn Problem,
        t: f64,
        y: &[f64],
        matrix: &mut SparseMatrix,
    ) -> Result<(), EvaluationFailed> {
        let mut differences = self.differences.borrow_mut();
        if self.inner == 0 {
            let differences =
                differences.get_or_insert_with(|| FiniteDifferences::new(&self.pattern, self.size.clone()));
            return differences.jacobian(y, matrix, |y, dy| self.evaluate(problem, t, y, dy));
        }
        let mut at = vec![0.0; self.n + self.inner];
        self.evaluate(problem, t, y, &mut at[..self.n])?;
        let Some(opened) = problem.opened() else {
            return Err(EvaluationFailed::new("inner unknowns that cannot be given"));
        };
        let differences = differences.get_or_insert_with(|| {
            let mut sizes = self.size.clone();
            sizes.resize(self.n + self.inner, 1.0);
            opened.sizes(&mut sizes[self.n..]);
            FiniteDifferences::new(&self.pattern, sizes)
        });
        at[..self.n].copy_from_slice(y);
        opened.found(&mut at[self.n..]);
        differences.jacobian(&at, matrix, |at, values| {
            self.rhs_calls.set(self.rhs_calls.get() + 1);
            let (y, inner) = at.split_at(self.n);
            opened.open_rhs(t, y, inner, values)?;
            refuse_not_finite(values, |i| (i, None))
        })
    }
}

/// A problem that is lent to an integrator, with the state kept between evaluations.
pub(crate) struct Evaluation<'a> {
    evaluator: &'a Evaluator,
    problem: &'a mut dyn Problem,
}

impl Evaluation<'_> {
    /// The right-hand side, finite or failed.
    pub(crate) fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), EvaluationFailed> {
        self.evaluator.evaluate(self.problem, t, y, dy)
    }

    /// The Jacobian, finite or failed; on failure the matrix is as it was.
    pub(crate) fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        matrix: &mut SparseMatrix,
    ) -> Result<(), EvaluationFailed> {
        self.evaluator.jacobian(self.problem, t, y, matrix)
    }

    /// The problem without its constraints, where steps shall be made there.
    pub(crate) fn off_constraints(&mut self) -> Option<&mut dyn OffConstraints> {
        self.problem.off_constraints()
    }
}

fn refuse_not_finite(
    values: &[f64],
    place: impl Fn(usize) -> (usize, Option<usize>),
) -> Result<(), EvaluationFailed> {
    let Some(i) = values.iter().position(|value| !value.is_finite()) else { return Ok(()) };
    let (component, by) = place(i);
    Err(EvaluationFailed::new(NotFinite { component, by, value: values[i] }))
}
