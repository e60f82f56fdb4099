//! Proofs that a flow contracts: logarithmic norms of its linearisation, in norms in which several points can be compared.
//!
//! Where the logarithmic norm is negative throughout a ball around an equilibrium, every flow in the ball ends there, and so do implicit
//! Euler steps of any length (Söderlind 2006). One norm has to serve all points: a negative norm at each in one of its own proves nothing.

use std::sync::Arc;

use super::constants::{LARGEST_ELLIPSOID, MOST_DOUBLINGS, MOVES, ROUNDING};
use crate::eigenvalues::eigenvalues;
use crate::lu::Lu;
use crate::sparse::Pattern;
use crate::stability::{MOST_EXACT, rest_weights};

/// The Jacobian of a flow, `∂(D f)/∂x`, algebraic unknowns being eliminated.
#[derive(Clone)]
pub(super) enum Field {
    /// By rows.
    Dense {
        entries: Vec<f64>,
        m: usize,
    },
    Sparse {
        entries: Vec<f64>,
        pattern: Arc<Pattern>,
    },
}

impl Field {
    pub(super) fn m(&self) -> usize {
        match self {
            Field::Dense { m, .. } => *m,
            Field::Sparse { pattern, .. } => pattern.columns(),
        }
    }

    fn for_each(&self, mut look: impl FnMut(usize, usize, f64)) {
        match self {
            Field::Dense { entries, m } => {
                entries.iter().enumerate().for_each(|(k, entry)| look(k / m, k % m, *entry));
            }
            Field::Sparse { entries, pattern } => {
                pattern.entries().zip(entries).for_each(|((row, column), entry)| look(row, column, *entry));
            }
        }
    }

    /// How fast each unknown draws itself back, or pushes itself on.
    pub(super) fn diagonal(&self) -> Vec<f64> {
        let mut own = vec![0.0; self.m()];
        self.for_each(|row, column, entry| {
            if row == column {
                own[row] = entry;
            }
        });
        own
    }

    /// The largest entry, in units of the unknowns: the inverse of a time.
    pub(super) fn largest(&self, sizes: &[f64]) -> f64 {
        let mut most = 0.0_f64;
        self.for_each(|row, column, entry| most = most.max((entry * sizes[column] / sizes[row]).abs()));
        most
    }

    /// Whether eigenvalues to the right of `-zero` are frequencies; nothing is known of large matrices.
    pub(super) fn oscillates(&self, zero: f64) -> bool {
        let Field::Dense { entries, m } = self else { return false };
        if *m > MOST_EXACT {
            return false;
        }
        let rows: Vec<Vec<f64>> = entries.chunks_exact(*m).map(<[f64]>::to_vec).collect();
        let values = eigenvalues(&rows).unwrap_or_default();
        values.iter().any(|(re, im)| *re >= -zero && im.abs() > zero)
    }

    /// The largest entry on the diagonal: the inverse of a time.
    pub(super) fn pace(&self) -> f64 {
        self.diagonal().iter().fold(0.0, |most: f64, own| most.max(own.abs()))
    }
}

/// A norm in which a flow may contract: `max |x_i|/w_i`, or `Σ w_i |x_i|`.
#[derive(Clone)]
pub(super) enum Norm {
    Rows(Vec<f64>),
    Columns(Vec<f64>),
}

impl Norm {
    /// Norms in which the flow does not expand at a point: by the sizes of the unknowns, by what they store (their written factors), or by
    /// weights that make the rows dominant.
    pub(super) fn of_contraction(field: &Field, sizes: &[f64], rates: &[f64]) -> Vec<Norm> {
        let m = field.m();
        let mut found = vec![
            Norm::Rows(sizes[..m].to_vec()),
            Norm::Columns(rates.iter().map(|rate| 1.0 / rate).collect()),
            Norm::Columns(sizes[..m].iter().map(|size| 1.0 / size).collect()),
        ];
        if m == 1 {
            found.truncate(1); // all are one
        }
        found.retain(|norm| norm.contracts(field));
        if found.is_empty()
            && let Field::Dense { entries, m } = field
        {
            found.extend(rest_weights(entries, *m).map(Norm::Rows));
        }
        found
    }

    /// Whether the flow does not expand, but for rounding.
    pub(super) fn contracts(&self, field: &Field) -> bool {
        let m = field.m();
        let (mut reach, mut sizes) = (vec![0.0; m], vec![0.0_f64; m]);
        field.for_each(|row, column, entry| {
            let (place, weighted) = match self {
                Norm::Rows(w) => (row, entry * w[column] / w[row]),
                Norm::Columns(w) => (column, entry * w[row] / w[column]),
            };
            reach[place] += if row == column { weighted } else { weighted.abs() };
            sizes[place] = sizes[place].max(weighted.abs());
        });
        reach.iter().zip(&sizes).all(|(reach, size)| *reach <= ROUNDING * size)
    }
}

/// How many times as steeply the unknowns that move on a way draw themselves back at its end as at its beginning, at most and at least;
/// infinite where one does not. Those that hardly move do not matter: at rest in the cusp of a square root, any motion is a change of
/// slopes.
pub(super) fn steepening(from: &Field, to: &Field, way: &[f64]) -> (f64, f64) {
    let (from, to) = (from.diagonal(), to.diagonal());
    let most = way.iter().fold(0.0, |most: f64, way| most.max(way.abs()));
    let mut range = (1.0_f64, 1.0_f64);
    for ((from, to), way) in from.iter().zip(&to).zip(way) {
        if (*from == 0.0 && *to == 0.0) || way.abs() < MOVES * most {
            continue;
        }
        let ratio = if *from < 0.0 { to / from } else { f64::INFINITY };
        range = (range.0.max(ratio), range.1.min(ratio));
    }
    range
}

/// The ellipsoid `eᵀPe ≤ r²` around an equilibrium, in whose norm its linearisation contracts: `GᵀP + PG = -I` in sizes of the unknowns
/// (Lyapunov).
pub(super) struct Ellipsoid {
    m: usize,
    /// `P` by rows, and its inverse.
    p: Vec<f64>,
    inverse: Vec<f64>,
}

fn product(a: &[f64], b: &[f64], m: usize, transposed: bool) -> Vec<f64> {
    let mut found = vec![0.0; m * m];
    for i in 0..m {
        for k in 0..m {
            let factor = if transposed { a[k * m + i] } else { a[i * m + k] };
            if factor != 0.0 {
                for j in 0..m {
                    found[i * m + j] += factor * b[k * m + j];
                }
            }
        }
    }
    found
}

fn inverse(matrix: &[f64], m: usize) -> Option<Vec<f64>> {
    let mut lu = Lu::new(m);
    lu.factorise(matrix).ok()?;
    let mut found = vec![0.0; m * m];
    for column in 0..m {
        let mut unit = vec![0.0; m];
        unit[column] = 1.0;
        lu.solve(&mut unit);
        (0..m).for_each(|row| found[row * m + column] = unit[row]);
    }
    found.iter().all(|entry| entry.is_finite()).then_some(found)
}

impl Ellipsoid {
    /// By Smith's method with squaring (Smith 1968); nothing where the linearisation does not come to rest, or is too large.
    pub(super) fn around(field: &Field, sizes: &[f64]) -> Option<Ellipsoid> {
        let Field::Dense { entries, m } = field else { return None };
        let m = *m;
        if m > LARGEST_ELLIPSOID {
            return None;
        }
        let scaled: Vec<f64> =
            entries.iter().enumerate().map(|(k, g)| g * sizes[k % m] / sizes[k / m]).collect();
        let shift = scaled.iter().fold(0.0, |most: f64, g| most.max(g.abs()));
        let diagonal = |k: usize| if k.is_multiple_of(m + 1) { shift } else { 0.0 };
        let less: Vec<f64> = scaled.iter().enumerate().map(|(k, g)| diagonal(k) - g).collect();
        let more: Vec<f64> = scaled.iter().enumerate().map(|(k, g)| diagonal(k) + g).collect();
        let u = inverse(&less, m)?;
        let mut v = product(&u, &more, m, false);
        let mut p = product(&u, &u, m, true);
        p.iter_mut().for_each(|entry| *entry *= 2.0 * shift);
        for _ in 0..MOST_DOUBLINGS {
            let further = product(&v, &product(&p, &v, m, false), m, true);
            p.iter_mut().zip(&further).for_each(|(p, further)| *p += further);
            let largest = |of: &[f64]| of.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
            if !largest(&p).is_finite() {
                return None;
            }
            if largest(&further) <= ROUNDING * largest(&p) {
                let found = Ellipsoid { m, inverse: inverse(&p, m)?, p };
                return found.contracts(field, sizes).then_some(found);
            }
            v = product(&v, &v, m, false);
        }
        None
    }

    /// Whether the flow contracts at a point with this Jacobian: `GᵀP + PG < 0`.
    pub(super) fn contracts(&self, field: &Field, sizes: &[f64]) -> bool {
        let (Field::Dense { entries, .. }, m) = (field, self.m) else { return false };
        let scaled: Vec<f64> =
            entries.iter().enumerate().map(|(k, g)| g * sizes[k % m] / sizes[k / m]).collect();
        let pg = product(&self.p, &scaled, m, false);
        let negative = (0..m * m).map(|k| -pg[k] - pg[k % m * m + k / m]).collect();
        is_positive_definite(negative, m)
    }

    /// The length of a vector in units of the sizes.
    pub(super) fn length(&self, vector: &[f64]) -> f64 {
        let m = self.m;
        let sum: f64 = (0..m * m).map(|k| vector[k / m] * self.p[k] * vector[k % m]).sum();
        sum.max(0.0).sqrt()
    }

    /// The points of the ellipsoid of a radius at which each unknown is largest, relative to its centre and in units of the sizes.
    pub(super) fn extremes(&self, radius: f64) -> impl Iterator<Item = Vec<f64>> + '_ {
        let m = self.m;
        (0..m).map(move |i| {
            let scale = radius / self.inverse[i * m + i].abs().sqrt();
            (0..m).map(|j| scale * self.inverse[j * m + i]).collect()
        })
    }
}

/// By Cholesky's factors.
fn is_positive_definite(mut a: Vec<f64>, m: usize) -> bool {
    for k in 0..m {
        let pivot = a[k * m + k];
        if pivot.is_nan() || pivot <= 0.0 {
            return false;
        }
        for i in k + 1..m {
            let factor = a[i * m + k] / pivot;
            for j in k + 1..m {
                a[i * m + j] -= factor * a[k * m + j];
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dense(entries: &[f64], m: usize) -> Field {
        Field::Dense { entries: entries.to_vec(), m }
    }

    #[test]
    fn what_flows_between_storages_contracts_by_what_they_store() {
        // the second storage holds ten times as much, and leaks
        let field = dense(&[-1.0, 1.0, 0.1, -0.15], 2);
        let norms = Norm::of_contraction(&field, &[1.0, 1.0], &[1.0, 0.1]);
        let is_stored = |norm: &&Norm| matches!(norm, Norm::Columns(w) if w == &[1.0, 10.0]);
        let norm = norms.iter().find(is_stored).expect("what is stored only leaks");
        assert!(!norm.contracts(&dense(&[-1.0, 1.0, 0.3, -0.15], 2)));
        assert!(Norm::of_contraction(&dense(&[0.0, 1.0, -1.0, 0.0], 2), &[1.0; 2], &[1.0; 2]).is_empty());
    }

    #[test]
    fn a_damped_oscillator_contracts_in_an_ellipsoid() {
        let field = dense(&[0.0, 1.0, -2.0, -0.4], 2);
        let found = Ellipsoid::around(&field, &[1.0, 1.0]).unwrap();
        // P solves GᵀP + PG = -I: by hand p12 = 1/4, p22 = 15/8, p11 = 2 p22 + 0.4 p12
        for (p, expected) in found.p.iter().zip([3.85, 0.25, 0.25, 1.875]) {
            assert!((p - expected).abs() < 1e-10, "{:?}", found.p);
        }
        for extreme in found.extremes(3.0) {
            assert!((found.length(&extreme) - 3.0).abs() < 1e-9);
        }
        assert!(Ellipsoid::around(&dense(&[0.0, 1.0, -2.0, 0.1], 2), &[1.0, 1.0]).is_none());
        assert!(Ellipsoid::around(&dense(&[0.0, 1.0, -1.0, 0.0], 2), &[1.0, 1.0]).is_none());
    }

    #[test]
    fn steepening_is_that_of_the_diagonal() {
        let (from, to) = (dense(&[-1.0, 9.0, 0.0, -4.0], 2), dense(&[-3.0, 0.0, 0.0, -1.0], 2));
        assert_eq!(steepening(&from, &to, &[1.0, -0.5]), (3.0, 0.25));
        assert_eq!(steepening(&from, &to, &[1.0, 1e-3]), (3.0, 1.0));
        assert_eq!(steepening(&dense(&[0.0], 1), &dense(&[-1.0], 1), &[1.0]).0, f64::INFINITY);
    }
}
