//! Further starting points of a search, if the values of the last evaluation lead nowhere.
//!
//! The last evaluation may belong to a rejected step, so the last accepted point comes next: it is on the same branch of
//! solutions. If that branch ends (a trigger tips over), any other solution is the right one, provided that there is no
//! integrator whose step could be shorter.

use rhei_equations::VarId;

use crate::constants::{ELSEWHERE_DISTANCES, ELSEWHERE_GUESSES, ELSEWHERE_SEARCHES};

/// Starting points.
#[derive(Clone)]
pub(crate) struct StartingPoints {
    /// All values at the last point that was accepted.
    accepted: Vec<f64>,
    /// All start values.
    starts: Vec<f64>,
}

impl StartingPoints {
    /// For a model with these start values.
    pub fn new(starts: &[f64]) -> StartingPoints {
        StartingPoints { accepted: starts.to_vec(), starts: starts.to_vec() }
    }

    /// The start value of a variable.
    pub fn start(&self, v: VarId) -> f64 {
        self.starts[v.index()]
    }

    /// All values at the last point that was accepted.
    pub fn accepted(&self) -> &[f64] {
        &self.accepted
    }

    /// Takes over an accepted point.
    pub fn accept(&mut self, values: &[f64]) {
        self.accepted.copy_from_slice(values);
    }

    /// Starting points to try instead of `guess`, in order; those far from it only if a solution is searched
    /// for `anywhere`.
    pub fn others(
        &self,
        unknowns: &[VarId],
        guess: &[f64],
        nominals: &[f64],
        anywhere: bool,
    ) -> Vec<Vec<f64>> {
        let of = |values: &[f64]| unknowns.iter().map(|v| values[v.index()]).collect::<Vec<f64>>();
        let mut others = vec![of(&self.accepted)];
        if anywhere && unknowns.len() <= ELSEWHERE_GUESSES {
            others.push(of(&self.starts));
            for (distance, search) in
                ELSEWHERE_DISTANCES.iter().flat_map(|d| (0..ELSEWHERE_SEARCHES).map(move |s| (d, s)))
            {
                let place = |(i, (x, nominal)): (usize, (&f64, &f64))| {
                    x + distance * x.abs().max(nominal.abs()) * between(search, i as u64)
                };
                others.push(guess.iter().zip(nominals).enumerate().map(place).collect());
            }
        }
        others.retain(|other| other != guess && other.iter().all(|x| x.is_finite()));
        others.dedup();
        others
    }
}

/// A pseudorandom number between -1 and 1, the same in every run (SplitMix64). The first two searches go to opposite
/// corners: when something tips over, all unknowns often do.
fn between(search: u64, i: u64) -> f64 {
    match search {
        0 => return -1.0,
        1 => return 1.0,
        _ => {}
    }
    let mut z = (search << 32 | i).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_accepted_point_comes_first_and_everywhere_else_only_where_that_is_allowed() {
        let mut elsewhere = StartingPoints::new(&[5.0, 7.0]);
        elsewhere.accept(&[1.0, 2.0]);
        let unknowns = [VarId(1)];
        assert_eq!(elsewhere.others(&unknowns, &[3.0], &[1.0], false), [[2.0]]);
        assert!(elsewhere.others(&unknowns, &[2.0], &[1.0], false).is_empty());
        let others = elsewhere.others(&unknowns, &[3.0], &[1.0], true);
        assert_eq!(others[..2], [[2.0], [7.0]]);
        assert!(others.iter().any(|x| x[0] < -1e3) && others.iter().any(|x| x[0] > 1e3));
    }
}
