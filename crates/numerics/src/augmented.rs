//! `[αI A; Aᵀ -βI]`, whose solution for `(b, 0)` holds `x = (AᵀA + αβI)⁻¹Aᵀb`: as sparse as A, where `AᵀA` would not be.
//!
//! The matrix is regular whatever A is, which may have more rows than columns, or fewer, or say the same twice. With `α = β` small its
//! condition is that of A, or `|A|/α` where A is singular, and not the square of it.

use std::sync::Arc;

use crate::sparse::Pattern;
use crate::sparse_lu::{SparseLu, Symbolic};

/// The layout and the symbolic factorisation shared by all matrices `A` of one pattern.
#[derive(Debug)]
pub struct AugmentedPlan {
    rows: usize,
    /// Origin of each entry.
    sources: Vec<Source>,
    symbolic: Arc<Symbolic>,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    /// α
    Rows,
    /// An entry of A, by its place.
    Entry(usize),
    /// -β
    Columns,
}

impl AugmentedPlan {
    /// `None` where the pattern is too much for a symbolic factorisation.
    pub fn new(pattern: &Pattern) -> Option<AugmentedPlan> {
        let (m, n) = (pattern.rows(), pattern.columns());
        let diagonal = (0..m + n).map(|i| (i, i));
        let blocks = pattern.entries().flat_map(|(row, column)| [(row, m + column), (m + column, row)]);
        let whole = Arc::new(Pattern::from_entries(m + n, m + n, diagonal.chain(blocks)));
        let place =
            |row: usize, column: usize| pattern.position(row, column).expect("an entry of the pattern");
        let source = |(row, column): (usize, usize)| match (row < m, column < m) {
            (true, true) => Source::Rows,
            (false, false) => Source::Columns,
            (true, false) => Source::Entry(place(row, column - m)),
            (false, true) => Source::Entry(place(column, row - m)),
        };
        let sources = whole.entries().map(source).collect();
        Some(AugmentedPlan { rows: m, sources, symbolic: Arc::new(Symbolic::new(whole)?) })
    }
}

/// The factors for one matrix `A`.
#[derive(Clone)]
pub struct Augmented {
    plan: Arc<AugmentedPlan>,
    lu: SparseLu,
    values: Vec<f64>,
    solution: Vec<f64>,
}

impl Augmented {
    /// Memory for matrices of a plan.
    pub fn on(plan: Arc<AugmentedPlan>) -> Augmented {
        let lu = SparseLu::on(plan.symbolic.clone());
        let (values, n) = (vec![0.0; plan.sources.len()], plan.symbolic.pattern().columns());
        Augmented { plan, lu, values, solution: vec![0.0; n] }
    }

    /// Factorises for the values of A, in the order of its pattern; says whether there are factors.
    pub fn factorise(&mut self, values: &[f64], alpha: f64, beta: f64) -> bool {
        for (value, source) in self.values.iter_mut().zip(&self.plan.sources) {
            *value = match *source {
                Source::Rows => alpha,
                Source::Entry(place) => values[place],
                Source::Columns => -beta,
            };
        }
        self.lu.factorise(&self.values)
    }

    /// Both parts of the right-hand side, to be written before each solution.
    pub fn right(&mut self) -> (&mut [f64], &mut [f64]) {
        self.solution.split_at_mut(self.plan.rows)
    }

    /// Solves; answers the part that belongs to the columns of A.
    pub fn solve(&mut self) -> &[f64] {
        self.lu.solve(&mut self.solution);
        &self.solution[self.plan.rows..]
    }
}
