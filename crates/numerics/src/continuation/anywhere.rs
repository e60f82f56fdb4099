//! Any equilibrium of a flow that is a means to solve equations: the flow is scaled as it suits, and steps may leap.

use super::constants::*;
use super::newton::Newton;
use super::{Continuation, Options, Reached, Stuck, Why, is_infinite};
use crate::newton::System;
use crate::rightmost::Care;

/// The first step, in units of the flow: the time in which it changes.
const FIRST_STEP: f64 = 1.0;
/// Steps between these are taken.
const STEPS: (f64, f64) = (1e-13, 1e15);
/// Work in one search.
const MOST_STEPS: u32 = 1000;
/// See [`MOST_STEPS`].
const MOST_CALLS: u32 = 6000;
/// Growth rates below this, in units of the flow, count as stable.
const STABLE: f64 = 1e-4;

impl Continuation {
    /// Goes along a flow from `x` to an equilibrium, perhaps of another branch.
    pub fn solve_anywhere(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        options: &Options<'_>,
    ) -> Result<Reached, Stuck> {
        self.begin(x, options);
        let found = self.search_anywhere(system, x, options);
        self.outcome(found)
    }

    fn search_anywhere(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        options: &Options<'_>,
    ) -> Result<(), Why> {
        let (start, mut h) = (x.to_vec(), FIRST_STEP);
        self.look(system, x, options).map_err(Why::EvaluationFailed)?;
        self.keep();
        self.scale_flow(options);
        let mut expands = self.expansion(Care::Rough, x, options);
        if expands < 0.0 && self.ends(system, x, (MOST_CORRECTIONS, f64::INFINITY), options) {
            return Ok(());
        }
        while self.steps < MOST_STEPS && self.calls < MOST_CALLS && h > STEPS.0 {
            if expands > 0.0 {
                h = h.min(EXPANDING / expands);
            }
            let before = self.flow_size(x, options);
            if before <= TOLERANCE && expands < STABLE {
                return Ok(());
            }
            let Some(moved) = self.step(system, x, h, MOST_STEP_CORRECTIONS, options) else {
                h /= SHRINK;
                self.return_to_kept();
                continue;
            };
            self.steps += 1;
            self.keep();
            let after = self.flow_size(x, options);
            h = (h * (before / after).clamp(GROWTH.0, GROWTH.1)).min(STEPS.1);
            if is_infinite(x, &start, options) {
                break;
            }
            expands = self.expansion(Care::Rough, x, options);
            if expands < 0.0 && self.correction(options, x) <= TRUST * moved {
                let last = (MOST_LAST_CORRECTIONS, 10.0 * TRUST * moved);
                if self.ends(system, x, last, options) {
                    return Ok(());
                }
            }
        }
        Err(Why::Restless { at: x.to_vec() })
    }

    /// Whether Newton's method ends the search.
    fn ends(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        (most, trust): (u32, f64),
        options: &Options<'_>,
    ) -> bool {
        let from = x.to_vec();
        if matches!(self.newton(system, x, options, most, trust), Newton::Converged { .. }) {
            return true;
        }
        x.copy_from_slice(&from);
        self.return_to_kept();
        false
    }

    /// Units of the flow: each unknown alone would come to rest in one unit of time. Fixed during a search.
    fn scale_flow(&mut self, options: &Options<'_>) {
        if self.matrix.has_mass() {
            return; // its maker has given the units
        }
        let paces = self.matrix.paces(options);
        for (i, (rate, (own, largest))) in options.rates.iter().zip(paces).enumerate() {
            let largest = largest / options.nominal[i];
            let speed = self.residual[i].abs() / options.nominal[i];
            let pace = [own.abs(), largest, speed].into_iter().find(|pace| pace.is_finite() && *pace > 0.0);
            self.scale[i] = rate / pace.unwrap_or(1.0);
        }
    }
}
