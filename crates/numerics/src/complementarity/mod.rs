//! Linear complementarity problems with unknowns that are not complementary, over Laurent series in a small `h`.
//!
//! In: equations `Σ a·x = r` in ordinary unknowns and in pairs `p, n`, which want `p ≥ 0`, `n ≥ 0` and `p·n = 0`. Out: which of each
//! pair may be positive.
//!
//! Numbers are series in `h` ([`series`]): with `h` for the step of an implicit Euler method, the active sets of all small steps are
//! those of the solution that begins with impulses, then values, then derivatives (Heemels, Schumacher & Weiland 1999; van der
//! Schaft & Schumacher, *Complementarity modeling of hybrid systems*, 1998). Ordinary unknowns are eliminated ([`condense`]), the
//! pairs that are left solved by pivoting ([`pivots`]).

mod condense;
mod pivots;
mod series;

pub use series::Series;

/// A right side with the size of what it was computed from, for the sign of what is left of it.
#[derive(Clone, Copy, Debug)]
pub struct Right {
    /// Its value.
    pub value: Series,
    /// Its accuracy is [`ACCURATE`] times this.
    pub size: Series,
}

/// What is below this share of the terms it is made of has no sign.
pub const ACCURATE: f64 = 1e-10;

/// Rounding of a sum, as a share of its terms.
const ROUNDING: f64 = 1e-15;

/// An equation `Σ a·x = r`, its unknowns ascending.
#[derive(Clone, Debug)]
pub struct Row {
    /// Unknowns with their factors.
    pub entries: Vec<(usize, Series)>,
    /// The right side.
    pub right: Right,
}

impl Row {
    /// The factor of an unknown.
    fn entry(&self, column: usize) -> Series {
        let found = self.entries.binary_search_by_key(&column, |(column, _)| *column);
        found.map_or(Series::ZERO, |place| self.entries[place].1)
    }
}

/// One of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Active {
    /// `p` may be positive, `n` is zero.
    Positive,
    /// `n` may be positive, `p` is zero.
    Negative,
}

impl Active {
    /// The other one.
    pub fn other(self) -> Active {
        match self {
            Active::Positive => Active::Negative,
            Active::Negative => Active::Positive,
        }
    }
}

/// A problem with `n_ordinary` unknowns, followed by `p` and `n` of each pair.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Its equations.
    pub rows: Vec<Row>,
    /// Number of ordinary unknowns.
    pub n_ordinary: usize,
    /// By pair, which one is tried first.
    pub first: Vec<Active>,
}

/// Why a problem has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// Equations contradict each other whatever the pairs are.
    Contradicted,
    /// No choice of one from each pair determines the others.
    NoBasis,
    /// There is no solution.
    Infeasible,
    /// None was found with this many pivots, and trials of combinations.
    NotFound(usize),
}

/// By pair, which one may be positive in a solution.
pub fn solve(problem: Problem) -> Result<Vec<Active>, Unsolved> {
    let Problem { rows, n_ordinary, first } = problem;
    let rows = condense::without_ordinary(rows, n_ordinary).ok_or(Unsolved::Contradicted)?;
    pivots::solve(&rows, n_ordinary, first)
}

impl Right {
    /// Exact zero.
    pub const ZERO: Right = Right { value: Series::ZERO, size: Series::ZERO };

    /// `self − factor·other`
    fn minus(&self, factor: &Series, other: &Right) -> Right {
        let (part, size) = (factor.times(&other.value), factor.absolute().times(&other.size));
        let rounding = Series::number(ROUNDING / ACCURATE);
        let terms = self.value.absolute().plus_rounded(&part.absolute()).times(&rounding);
        Right {
            value: self.value.plus_rounded(&part.negated()),
            size: self.size.plus_rounded(&size).plus_rounded(&terms),
        }
    }

    /// `self / divisor`
    fn over(&self, divisor: &Series) -> Right {
        let inverse = Series::number(1.0).over(divisor);
        Right { value: self.value.times(&inverse), size: self.size.times(&inverse.absolute()) }
    }

    /// The sign of the first term that is not rounding; zero if there is none.
    fn sign(&self) -> f64 {
        let mut orders = self.value.orders();
        let known = orders.find(|&order| self.value.at(order).abs() > ACCURATE * self.size.at(order));
        known.map_or(0.0, |order| self.value.at(order).signum())
    }
}
