//! The way of a loop from one point of a run to another, and whether it may have left its branch there, by what its two ends and the way
//! before tell ([`regularity`](crate::regularity)).

use rhei_numerics::determinant::Determinant;

use crate::constants::{BRANCH_CONTRACTION, BRANCH_DECLINE, BRANCH_GROSS, BRANCH_HEADS_DOWN};

/// A loop at a point.
#[derive(Debug, Default, PartialEq)]
pub struct LoopPoint {
    /// Its guesses.
    pub guesses: Vec<f64>,
    /// The determinant of its derivatives, if it is known.
    pub determinant: Option<Determinant>,
}

// copies into points that are there take no memory
impl Clone for LoopPoint {
    fn clone(&self) -> LoopPoint {
        LoopPoint { guesses: self.guesses.clone(), determinant: self.determinant }
    }

    fn clone_from(&mut self, from: &LoopPoint) {
        let LoopPoint { guesses, determinant } = self;
        guesses.clone_from(&from.guesses);
        *determinant = from.determinant;
    }
}

impl LoopPoint {
    /// Its determinant as a share of another, without sign; zero if it is not known.
    pub(crate) fn share_of(&self, largest: Determinant) -> f64 {
        self.determinant.map_or(0.0, |now| now.share_of(largest).abs())
    }
}

/// A loop at an earlier point.
pub(crate) struct Past<'a> {
    pub(crate) at: &'a LoopPoint,
    /// How long before the last point.
    pub(crate) ago: f64,
}

/// The way of a loop from one point to another.
pub(crate) struct Way<'a> {
    pub(crate) nominals: &'a [f64],
    pub(crate) from: &'a LoopPoint,
    pub(crate) to: &'a LoopPoint,
    pub(crate) duration: f64,
}

impl Way<'_> {
    pub(crate) fn moved(&self) -> f64 {
        distance(&self.from.guesses, &self.to.guesses, self.nominals)
    }

    /// How far it would move if it went on as from an earlier point to its beginning.
    pub(crate) fn expected_length(&self, before: &Past<'_>) -> f64 {
        self.duration / before.ago * distance(&self.from.guesses, &before.at.guesses, self.nominals)
    }

    fn share(&self) -> Option<f64> {
        Some(self.to.determinant?.share_of(self.from.determinant?))
    }

    pub(crate) fn changes_sign(&self) -> bool {
        self.share().is_some_and(|share| share < 0.0)
    }

    /// `before` is the point before, `anchor` one at which the determinant was clearly another.
    pub(crate) fn is_in_doubt(&self, before: Option<&Past<'_>>, anchor: Option<&Past<'_>>) -> bool {
        if self.changes_sign() {
            return true;
        }
        let Some(Past { at: before, ago }) = before else { return false };
        let part = self.duration / ago;
        let from = &self.from.guesses;
        let expected = || from.iter().zip(&before.guesses).map(|(x, before)| x + part * (x - before));
        let beside = largest(expected().zip(&self.to.guesses).map(|(a, b)| a - b), self.nominals);
        let way = largest(expected().zip(from).map(|(a, b)| a - b), self.nominals);
        let size = largest(from.iter().copied(), self.nominals).max(1.0);
        if beside > BRANCH_GROSS.recip() * size && beside > 2.0 * way {
            return true;
        }
        let Some(anchor) = anchor else { return false };
        let (Some(from), Some(earlier)) = (self.from.determinant, anchor.at.determinant) else {
            return false;
        };
        let share_before = earlier.share_of(from);
        let heads_down = 1.0 - self.duration / anchor.ago * (share_before - 1.0) < BRANCH_HEADS_DOWN;
        let moved = distance(&self.from.guesses, &anchor.at.guesses, self.nominals);
        let steepness = (share_before - 1.0).abs() / moved;
        let falls = self.share().is_some_and(|share| share < BRANCH_DECLINE);
        heads_down && (falls || steepness * beside > BRANCH_CONTRACTION)
    }
}

/// The largest difference, in nominal values.
pub(crate) fn distance(a: &[f64], b: &[f64], nominals: &[f64]) -> f64 {
    largest(a.iter().zip(b).map(|(a, b)| a - b), nominals)
}

/// The largest of some values, in nominal values.
fn largest(values: impl Iterator<Item = f64>, nominals: &[f64]) -> f64 {
    let each = values.zip(nominals).map(|(value, nominal)| (value / nominal).abs());
    each.fold(0.0, f64::max)
}
