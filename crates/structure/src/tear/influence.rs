//! Error propagation from a guess to the unknowns that follow from it.
//!
//! Formulas that follow from each other hand on the rounding error of a guess, and its distance from the solution. If they
//! enlarge it at each turn, as along a ladder of resistors (2.6 times a rung), the end of a long chain is noise, and no guess is
//! close enough. That is the weakness of shooting, and the cure is that of multiple shooting: guess again on the way (Ascher,
//! Mattheij & Russell, *Numerical Solution of Boundary Value Problems*, 1995, §4.3).

use rhei_equations::{ExprId, Pool, VarId};
use rustc_hash::FxHashSet;

/// Most relative amplification of a guess's error in an unknown that follows from it. Four digits are lost by rounding then, of
/// sixteen.
const MOST_GROWTH: f64 = 1e4;
/// As much where an equation is not linear in it: a cube makes a thousand of ten, and soon there is no number for it.
const MOST_GROWTH_BENT: f64 = 10.0;

/// How an unknown moves with the guesses it follows from.
#[derive(Clone, Debug, Default)]
pub(super) struct Influence {
    /// By guess, ascending.
    of_guesses: Vec<(usize, f64)>,
    /// The size of the unknown if guesses are of size one: twice the size with twice the change loses nothing.
    size: f64,
}

impl Influence {
    /// A guess moves with itself.
    pub(super) fn of_guess(guess: usize) -> Influence {
        Influence { of_guesses: vec![(guess, 1.0)], size: 1.0 }
    }

    /// That of a sum of unknowns, each with its factor.
    pub(super) fn of_sum(parts: &[(f64, &Influence)]) -> Influence {
        let scaled = parts.iter().flat_map(|(factor, part)| {
            part.of_guesses.iter().map(move |(guess, moved)| (*guess, factor * moved))
        });
        let mut all: Vec<(usize, f64)> = scaled.collect();
        all.sort_by_key(|(guess, _)| *guess);
        all.dedup_by(|later, first| {
            let is_same = later.0 == first.0;
            if is_same {
                first.1 += later.1;
            }
            is_same
        });
        let size = match parts {
            // only in other units
            [(factor, one)] => factor.abs() * one.size,
            _ => parts.iter().fold(0.0_f64, |most, (_, part)| most.max(part.size)),
        };
        Influence { of_guesses: all, size }
    }

    /// How many guesses it follows from.
    pub(super) fn n_guesses(&self) -> usize {
        self.of_guesses.len()
    }

    /// Whether guesses are not enlarged too much on the way.
    pub(super) fn is_harmless(&self) -> bool {
        self.is_at_most(MOST_GROWTH)
    }

    /// The same in a nonlinear equation.
    pub(super) fn is_harmless_where_bent(&self) -> bool {
        self.is_at_most(MOST_GROWTH_BENT)
    }

    fn is_at_most(&self, growth: f64) -> bool {
        self.of_guesses.iter().all(|(_, moved)| moved.abs() <= growth * self.size)
    }
}

/// The factor of an unknown in a residual.
pub(super) struct Factor {
    /// Roughly: variables in it are taken as 1.
    pub(super) about: f64,
    /// Whether it changes with the unknowns of the loop.
    pub(super) is_bent: bool,
}

impl Factor {
    /// From the derivative of the residual by the unknown, if there is one; `inside` are the unknowns of the loop.
    pub(super) fn new(pool: &mut Pool, derivative: Option<ExprId>, inside: &FxHashSet<VarId>) -> Factor {
        let Some(factor) = derivative else { return Factor { about: 1.0, is_bent: true } };
        if let Some(about) = pool.as_number(factor) {
            return Factor { about, is_bent: false };
        }
        let is_bent = pool.variables_of(factor).iter().any(|v| inside.contains(v));
        let one = pool.number(1.0);
        let with_ones = pool.substitute(factor, |_| Some(one));
        let about = pool.as_number(with_ones).filter(|about| about.is_finite()).unwrap_or(1.0);
        Factor { about, is_bent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The influence after `n` steps of `next = a * last + b * one_before`.
    fn chain(a: f64, b: f64, n: usize) -> Influence {
        let mut one_before = Influence::default();
        let mut last = Influence::of_guess(0);
        for _ in 0..n {
            let next = Influence::of_sum(&[(a, &last), (b, &one_before)]);
            (one_before, last) = (last, next);
        }
        last
    }

    #[test]
    fn straight_lines_are_harmless() {
        assert!(
            chain(2.0, -1.0, 1000).is_harmless(),
            "a chain of equal springs: it grows as fast as it is long"
        );
    }

    #[test]
    fn what_doubles_at_each_turn_is_not_harmless_for_long() {
        assert!(chain(2.5, -1.0, 12).is_harmless());
        assert!(!chain(2.5, -1.0, 15).is_harmless());
    }

    #[test]
    fn other_units_are_no_growth() {
        let pascals = Influence::of_sum(&[(1e5, &Influence::of_guess(0))]);
        assert!(pascals.is_harmless());
        assert_eq!(pascals.n_guesses(), 1);
    }
}
