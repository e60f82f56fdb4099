//! `I - γJ`, the matrix of Newton's method within a step of an implicit method, with its factors.
//!
//! The Jacobian and the factors have lives of their own: a Jacobian serves many factors while only the step changes.

use std::sync::Arc;

use crate::evaluator::Evaluator;
use crate::factorisation::{CannotFactorise, Factorisation};
use crate::problem::EvaluationFailed;
use crate::sparse::{Pattern, SparseMatrix};

/// The matrix, its Jacobian and its factors.
pub(crate) struct IterationMatrix {
    jacobian: SparseMatrix,
    values: Vec<f64>,
    /// Where the entries of the Jacobian, and of the diagonal, lie among the values.
    from_jacobian: Vec<usize>,
    diagonal: Vec<usize>,
    factors: Factorisation,
    /// The factor of the Jacobian in the factors there are; none where they are not to be used.
    gamma: Option<f64>,
    factorisations: u64,
}

impl IterationMatrix {
    pub(crate) fn new(pattern: &Arc<Pattern>) -> IterationMatrix {
        let whole = Arc::new(pattern.with_diagonal());
        let position = |(row, column)| whole.position(row, column).expect("contains both patterns");
        IterationMatrix {
            jacobian: SparseMatrix::zeros(pattern.clone()),
            values: vec![0.0; whole.len()],
            from_jacobian: pattern.entries().map(position).collect(),
            diagonal: (0..whole.columns()).map(|i| position((i, i))).collect(),
            factors: Factorisation::new(whole.clone()),
            gamma: None,
            factorisations: 0,
        }
    }

    /// The γ of the factors there are.
    pub(crate) fn gamma(&self) -> Option<f64> {
        self.gamma
    }

    /// Factors made so far.
    pub(crate) fn factorisations(&self) -> u64 {
        self.factorisations
    }

    /// Not to be used any more.
    pub(crate) fn discard(&mut self) {
        self.gamma = None;
    }

    /// The Jacobian at a point; the factors stay those of the last one.
    pub(crate) fn evaluate(
        &mut self,
        evaluator: &Evaluator,
        t: f64,
        y: &[f64],
    ) -> Result<(), EvaluationFailed> {
        evaluator.jacobian(t, y, &mut self.jacobian)
    }

    /// The factors for a γ.
    pub(crate) fn factorise(&mut self, gamma: f64) -> Result<(), CannotFactorise> {
        self.gamma = None;
        self.values.fill(0.0);
        for (value, &position) in self.jacobian.values().iter().zip(&self.from_jacobian) {
            self.values[position] = -gamma * value;
        }
        for &position in &self.diagonal {
            self.values[position] += 1.0;
        }
        self.factorisations += 1;
        self.factors.factorise(&self.values)?;
        self.gamma = Some(gamma);
        Ok(())
    }

    /// Solves in place.
    pub(crate) fn solve(&mut self, b: &mut [f64]) -> Result<(), CannotFactorise> {
        self.factors.solve(b)
    }
}
