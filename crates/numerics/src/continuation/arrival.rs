//! Whether the flow ends where Newton's method does.
//!
//! It does in a ball around the equilibrium in which it contracts. For a norm of rows or columns the way is looked at, as closely as the
//! slopes change along it; where only an ellipsoid will do, as for oscillations, the points at which its unknowns are largest as well:
//! the flow goes around.

use super::constants::*;
use super::contraction::{Ellipsoid, Field, steepening};
use super::newton::Newton;
use super::{Continuation, Options};
use crate::newton::System;

impl Continuation {
    /// Newton's method from a point that was kept, if the flow ends there too. Otherwise `x` stays where it is.
    pub(super) fn arrive_by_newton(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        options: &Options<'_>,
    ) -> bool {
        let from = x.to_vec();
        let before = self.field(options);
        let found = self.newton(system, x, options, MOST_CORRECTIONS, f64::INFINITY);
        if let Newton::Converged { largest, straight, last } = found {
            // the derivatives are those before the last correction
            let is_known = last <= SHORT || self.differentiate(system, x, options).is_ok();
            if is_known && self.ends_there(system, (&from, x), before, (largest, straight), options) {
                return true;
            }
        }
        x.copy_from_slice(&from);
        self.return_to_kept();
        false
    }

    fn ends_there(
        &mut self,
        system: &mut dyn System,
        (from, to): (&[f64], &[f64]),
        before: Option<Field>,
        (largest, straight): (f64, f64),
        options: &Options<'_>,
    ) -> bool {
        if largest <= BESIDE {
            return true;
        }
        let (Some(before), Some(after)) = (before, self.field(options)) else {
            return largest <= SHORT && straight <= STRAIGHT;
        };
        let here = self.matrix.values().to_vec();
        let way: Vec<f64> =
            (0..options.rates.len()).map(|i| (to[i] - from[i]) / Self::size(options, to, i)).collect();
        let (steeper, flatter) = steepening(&before, &after, &way);
        let is_straight = straight <= STRAIGHT && steeper <= BENT && flatter >= 1.0 / BENT;
        let mut norms = self.norms_of(&after, options);
        norms.retain(|norm| norm.contracts(&before));
        let is_known = is_straight && largest <= SHORT;
        let (ends, is_elsewhere) = if !norms.is_empty() {
            let contracts = |field: &Field| {
                norms.retain(|norm| norm.contracts(field));
                !norms.is_empty()
            };
            let is_passable = steeper <= STEEPER;
            match is_known {
                true => (true, false),
                false => (is_passable && self.all_between(system, (from, to), contracts, options), true),
            }
        } else if let Some(ellipsoid) = Ellipsoid::around(&after, &self.sizes) {
            (self.is_within(system, (from, to), &before, &ellipsoid, options), true)
        } else {
            (after.m() > LARGEST_ELLIPSOID && is_known, false)
        };
        if ends && is_elsewhere {
            // variables that follow have values of the point differentiated last
            let _ = self.differentiate(system, to, options);
        }
        self.matrix.values_mut().copy_from_slice(&here);
        ends
    }

    /// Whether something holds for the fields between two points.
    fn all_between(
        &mut self,
        system: &mut dyn System,
        (from, to): (&[f64], &[f64]),
        mut holds: impl FnMut(&Field) -> bool,
        options: &Options<'_>,
    ) -> bool {
        BETWEEN.into_iter().all(|share| {
            let point: Vec<f64> = from.iter().zip(to).map(|(a, b)| a + share * (b - a)).collect();
            self.field_at(system, &point, options).is_some_and(|field| holds(&field))
        })
    }

    fn field_at(&mut self, system: &mut dyn System, x: &[f64], options: &Options<'_>) -> Option<Field> {
        self.differentiate(system, x, options).ok()?;
        self.field(options)
    }

    /// Whether the flow contracts throughout the ellipsoid around `to` on which `from` lies.
    fn is_within(
        &mut self,
        system: &mut dyn System,
        (from, to): (&[f64], &[f64]),
        before: &Field,
        ellipsoid: &Ellipsoid,
        options: &Options<'_>,
    ) -> bool {
        let m = options.rates.len();
        let sizes = self.sizes.clone();
        if !ellipsoid.contracts(before, &sizes) {
            return false;
        }
        let contracts = |field: &Field| ellipsoid.contracts(field, &sizes);
        if !self.all_between(system, (from, to), contracts, options) {
            return false;
        }
        let way: Vec<f64> = (0..m).map(|i| (from[i] - to[i]) / sizes[i]).collect();
        let corners: Vec<Vec<f64>> = ellipsoid.extremes(ellipsoid.length(&way)).collect();
        corners.iter().all(|corner| {
            [1.0, -1.0].into_iter().all(|sign| {
                let mut point = to.to_vec();
                (0..m).for_each(|i| point[i] += sign * corner[i] * sizes[i]);
                self.field_at(system, &point, options).is_some_and(|field| contracts(&field))
            })
        })
    }
}
