//! Complementary pivoting: which of each pair is zero.
//!
//! A *basis* takes one of each pair such that the equations determine the ones taken; the others are zero. It begins with one that is
//! near to those tried first, and changes by the criss-cross rule with least indices, which ends for all sufficient matrices, with a
//! solution or the proof that there is none, degenerate or not (den Hertog, Roos & Terlaky 1993; passive circuits and contacts
//! without friction have positive semidefinite matrices, which are sufficient). Where a pivot shows that the matrix is not
//! sufficient, combinations are tried, nearest first.

use super::condense::combined;
use super::{Active, Row, Series, Unsolved};

/// Most pivots, by pair: the rule needs about one.
const PIVOTS: usize = 20;

/// Most pairs of which all combinations are tried.
const COMBINED: usize = 12;

/// Pairs of the problem, with a basis.
struct Tableau<'a> {
    rows: &'a [Row],
    n_ordinary: usize,
    /// By pair, which one is in the basis; none if the equations do not determine it.
    basis: Vec<Option<Active>>,
    /// By pair, its row solved for the one in the basis.
    solved: Vec<Option<Row>>,
}

/// By pair, which one may be positive in a solution.
pub(super) fn solve(rows: &[Row], n_ordinary: usize, first: Vec<Active>) -> Result<Vec<Active>, Unsolved> {
    let n = first.len();
    let all = |active: Active| vec![active; n];
    let beginnings = [first.clone(), all(Active::Negative), all(Active::Positive)];
    let mut tableau = beginnings
        .iter()
        .find_map(|wanted| Tableau::begin(rows, n_ordinary, wanted))
        .ok_or(Unsolved::NoBasis)?;
    let found = match tableau.criss_cross() {
        Err(Unsolved::NotFound(pivots)) => tableau.try_all(pivots),
        found => found,
    };
    found.map(|()| tableau.basis.iter().zip(first).map(|(basis, first)| basis.unwrap_or(first)).collect())
}

impl<'a> Tableau<'a> {
    /// A basis with as many of the wanted ones as possible; none if the equations are not determined by them and the partners of the
    /// others.
    fn begin(rows: &'a [Row], n_ordinary: usize, wanted: &[Active]) -> Option<Tableau<'a>> {
        let mut solving = Solving { rows: rows.to_vec(), n_ordinary, solved: vec![None; wanted.len()] };
        let mut basis = vec![None; wanted.len()];
        for is_wanted in [true, false] {
            for pair in 0..wanted.len() {
                let active = if is_wanted { wanted[pair] } else { wanted[pair].other() };
                if basis[pair].is_none() && solving.take(pair, active) {
                    basis[pair] = Some(active);
                }
            }
        }
        solving.is_complete().then_some(Tableau { rows, n_ordinary, basis, solved: solving.solved })
    }

    /// The same equations solved for another basis; false if they cannot be.
    fn change(&mut self, basis: Vec<Option<Active>>) -> bool {
        let n = basis.len();
        let mut solving =
            Solving { rows: self.rows.to_vec(), n_ordinary: self.n_ordinary, solved: vec![None; n] };
        let all = basis
            .iter()
            .enumerate()
            .all(|(pair, active)| active.is_none_or(|active| solving.take(pair, active)));
        if all && solving.is_complete() {
            (self.basis, self.solved) = (basis, solving.solved);
            return true;
        }
        false
    }

    /// The column of the partner of the one in the basis.
    fn partner(&self, pair: usize) -> Option<usize> {
        Some(column(self.n_ordinary, pair, self.basis[pair]?.other()))
    }

    /// The change of the one in the basis of a pair by the partner of another.
    fn response(&self, pair: usize, other: usize) -> Series {
        let (Some(row), Some(column)) = (&self.solved[pair], self.partner(other)) else {
            return Series::ZERO;
        };
        row.entry(column).negated()
    }

    /// The first pair whose member in the basis is negative.
    fn first_negative(&self) -> Option<usize> {
        let is_negative = |row: &Option<Row>| row.as_ref().is_some_and(|row| row.right.sign() < 0.0);
        self.solved.iter().position(is_negative)
    }

    fn criss_cross(&mut self) -> Result<(), Unsolved> {
        let most = PIVOTS * self.basis.len();
        for _ in 0..most {
            let Some(pair) = self.first_negative() else { return Ok(()) };
            let own = self.response(pair, pair).leading().1;
            let mut basis = self.basis.clone();
            let exchange = |basis: &mut Vec<Option<Active>>, pair: usize| {
                basis[pair] = basis[pair].map(Active::other);
            };
            exchange(&mut basis, pair);
            if own < 0.0 {
                return Err(Unsolved::NotFound(most));
            }
            if own == 0.0 {
                let raises = |other: &usize| self.response(pair, *other).leading().1 > 0.0;
                let Some(other) = (0..self.basis.len()).find(raises) else {
                    return Err(Unsolved::Infeasible);
                };
                exchange(&mut basis, other);
            }
            if !self.change(basis) {
                return Err(Unsolved::NotFound(most));
            }
        }
        Err(Unsolved::NotFound(most))
    }

    /// All bases of a few pairs, those nearest to the present one first.
    fn try_all(&mut self, pivots: usize) -> Result<(), Unsolved> {
        let pairs: Vec<usize> = (0..self.basis.len()).filter(|&pair| self.basis[pair].is_some()).collect();
        if pairs.len() > COMBINED {
            return Err(Unsolved::NotFound(pivots));
        }
        let start = self.basis.clone();
        let mut combinations: Vec<u32> = (0..1 << pairs.len()).collect();
        combinations.sort_by_key(|combination| combination.count_ones());
        for &combination in &combinations {
            let mut basis = start.clone();
            let changed = pairs.iter().enumerate().filter(|(bit, _)| combination >> bit & 1 == 1);
            changed.for_each(|(_, &pair)| basis[pair] = basis[pair].map(Active::other));
            if self.change(basis) && self.first_negative().is_none() {
                return Ok(());
            }
        }
        Err(Unsolved::Infeasible)
    }
}

fn column(n_ordinary: usize, pair: usize, active: Active) -> usize {
    n_ordinary + 2 * pair + usize::from(active == Active::Negative)
}

/// Gauss–Jordan elimination, column by column.
struct Solving {
    /// Rows that are not solved for anything yet.
    rows: Vec<Row>,
    n_ordinary: usize,
    solved: Vec<Option<Row>>,
}

impl Solving {
    /// Solves a row for one of a pair; false if none holds it.
    fn take(&mut self, pair: usize, active: Active) -> bool {
        let column = column(self.n_ordinary, pair, active);
        let mut best: Option<(usize, Series)> = None;
        for (place, row) in self.rows.iter().enumerate() {
            let entry = row.entry(column);
            if !entry.is_zero() && best.is_none_or(|(_, most)| entry.dominates(&most)) {
                best = Some((place, entry));
            }
        }
        let Some((place, pivot)) = best else { return false };
        let row = self.rows.swap_remove(place);
        let inverse = Series::number(1.0).over(&pivot);
        let entries = row.entries.iter().map(|&(own, ref entry)| match own == column {
            true => (own, Series::number(1.0)),
            false => (own, entry.times(&inverse)),
        });
        let row = Row { entries: entries.collect(), right: row.right.over(&pivot) };
        let others = self.rows.iter_mut().chain(self.solved.iter_mut().flatten());
        for other in others {
            let factor = other.entry(column);
            if !factor.is_zero() {
                *other = combined(other, &factor, &row, column);
            }
        }
        self.solved[pair] = Some(row);
        true
    }

    /// Whether nothing is left but rows that say nothing.
    fn is_complete(&self) -> bool {
        let says_nothing = |row: &Row| row.entries.iter().all(|(_, entry)| entry.is_zero());
        self.rows.iter().all(|row| says_nothing(row) && row.right.sign() == 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Problem, Right, solve};
    use super::*;

    fn row(entries: &[(usize, f64, i32)], right: &[(f64, i32)]) -> Row {
        let mut made: Vec<(usize, Series)> =
            entries.iter().map(|&(column, value, order)| (column, Series::term(value, order))).collect();
        made.sort_by_key(|(column, _)| *column);
        let value = right.iter().fold(Series::ZERO, |sum, &(v, order)| sum.plus(&Series::term(v, order)));
        Row { entries: made, right: Right { value, size: value.absolute() } }
    }

    /// `w = q + M·z` with `p = z`, `n = w`.
    fn of_matrix(m: &[&[f64]], q: &[&[(f64, i32)]]) -> Result<Vec<Active>, Unsolved> {
        let n = q.len();
        let rows = (0..n).map(|i| {
            let mut entries: Vec<(usize, f64, i32)> = (0..n).map(|j| (2 * j, -m[i][j], 0)).collect();
            entries.push((2 * i + 1, 1.0, 0));
            row(&entries, q[i])
        });
        solve(Problem { rows: rows.collect(), n_ordinary: 0, first: vec![Active::Negative; n] })
    }

    use Active::{Negative, Positive};

    #[test]
    fn a_positive_definite_matrix_has_its_one_solution() {
        let found = of_matrix(&[&[2.0, 1.0], &[1.0, 2.0]], &[&[(-5.0, 0)], &[(-6.0, 0)]]);
        assert_eq!(found, Ok(vec![Positive, Positive]));
        let found = of_matrix(&[&[2.0, 1.0], &[1.0, 2.0]], &[&[(-5.0, 0)], &[(-1.0, 0)]]);
        assert_eq!(found, Ok(vec![Positive, Negative]));
    }

    #[test]
    fn a_skew_matrix_is_solved_by_exchange_pivots_or_has_no_solution() {
        // w1 = -1 + z2, w2 = 2 - z1
        let found = of_matrix(&[&[0.0, 1.0], &[-1.0, 0.0]], &[&[(-1.0, 0)], &[(2.0, 0)]]);
        assert_eq!(found, Ok(vec![Positive, Positive]));
        let found = of_matrix(&[&[0.0, 1.0], &[-1.0, 0.0]], &[&[(-1.0, 0)], &[(-2.0, 0)]]);
        assert_eq!(found, Err(Unsolved::Infeasible));
    }

    #[test]
    fn where_values_vanish_derivatives_decide() {
        let found = of_matrix(&[&[1.0]], &[&[(-3.0, 1), (7.0, 2)]]);
        assert_eq!(found, Ok(vec![Positive]));
        let found = of_matrix(&[&[1.0]], &[&[(1.0, -1), (-7.0, 0)]]);
        assert_eq!(found, Ok(vec![Negative]), "an impulse outweighs any value");
    }

    #[test]
    fn a_matrix_that_is_not_sufficient_is_searched() {
        // w1 = 1 - 2 z1, w2 = -1 + z2: a solution in the first two combinations
        let found = of_matrix(&[&[-2.0, 0.0], &[0.0, 1.0]], &[&[(1.0, 0)], &[(-1.0, 0)]]);
        assert_eq!(found, Ok(vec![Negative, Positive]));
        // w = -1 - z has none
        assert_eq!(of_matrix(&[&[-1.0]], &[&[(-1.0, 0)]]), Err(Unsolved::Infeasible));
    }

    /// Half-wave rectifier with an inductor at zero current, as an implicit Euler step: `L·(i − 0)/h + v = u`, `i = p`, `v = −n`.
    #[test]
    fn a_diode_before_an_inductor_conducts_if_its_voltage_is_about_to_be_positive() {
        let half_wave = |u: &[(f64, i32)]| {
            let rows = vec![
                row(&[(0, 0.1, -1), (1, 1.0, 0)], u),
                row(&[(0, 1.0, 0), (2, -1.0, 0)], &[]),
                row(&[(1, 1.0, 0), (3, 1.0, 0)], &[]),
            ];
            solve(Problem { rows, n_ordinary: 2, first: vec![Active::Negative] })
        };
        assert_eq!(half_wave(&[(0.0, 0), (314.0, 1)]), Ok(vec![Positive]));
        assert_eq!(half_wave(&[(0.0, 0), (-314.0, 1)]), Ok(vec![Negative]));
        assert_eq!(half_wave(&[(5.0, 0)]), Ok(vec![Positive]));
    }

    #[test]
    fn equal_shares_that_nothing_determines_are_no_obstacle() {
        // two diodes side by side carry 3 together
        let rows =
            vec![row(&[(0, 1.0, 0), (2, 1.0, 0)], &[(3.0, 0)]), row(&[(1, 1.0, 0), (3, -1.0, 0)], &[])];
        let found = solve(Problem { rows, n_ordinary: 0, first: vec![Active::Negative; 2] });
        assert!(found.is_ok_and(|active| active.contains(&Positive)));
    }
}
