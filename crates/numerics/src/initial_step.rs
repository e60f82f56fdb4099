//! The first step of an adaptive method (Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*,
//! II.4).
//!
//! From the sizes of state, derivative and an estimated second derivative, all measured by the tolerances. The size of a
//! state is at least its nominal value: one that happens to be near zero, at the start or after an event, says nothing. The
//! trial point is moved closer while it cannot be evaluated.

use crate::constants::{
    BDF_FIRST_ERROR, EPSILON, FIRST_STEP_BEYOND_TRIAL, FIRST_STEP_FRACTION, FIRST_STEP_IN_ULPS,
    FIRST_STEP_NEGLIGIBLE, FIRST_STEP_OF_RUN, FIRST_STEP_RETREAT, FIRST_STEP_RETREATS, FIRST_STEP_STRAIGHT,
    FIRST_STEP_WHERE_STRAIGHT,
};
use crate::evaluator::Evaluation;
use crate::integrator::Settings;

/// The length of a run from a time on, by which steps are judged for which nothing else speaks; one where it has no end.
pub(crate) fn run_scale(t: f64, t_stop: f64) -> f64 {
    let run = t_stop - t;
    if run > 0.0 && run.is_finite() { run } else { 1.0 }
}

/// The shortest first step at a time: over shorter ones differences of derivatives are rounding errors.
pub(crate) fn first_step_floor(t: f64) -> f64 {
    FIRST_STEP_IN_ULPS * EPSILON * t.abs()
}

/// A step to begin with for a method of the given order, from a point where the derivative is known, in a run of this length.
pub(crate) fn initial_step(
    evaluation: &mut Evaluation<'_>,
    settings: &Settings,
    order: u32,
    run: f64,
    (t, y, dy): (f64, &[f64], &[f64]),
) -> f64 {
    let room = settings.t_stop - t;
    let longest = settings.max_step.unwrap_or(f64::INFINITY).min(room);
    if let Some(step) = settings.step {
        return step.min(longest);
    }
    let floor = first_step_floor(t);
    let norm_of = |value: &dyn Fn(usize) -> f64| {
        let weighed = |i: usize| value(i) / (settings.atol[i] + settings.rtol * y[i].abs());
        ((0..y.len()).map(|i| weighed(i).powi(2)).sum::<f64>() / y.len() as f64).sqrt()
    };
    let norm = |v: &[f64]| norm_of(&|i| v[i]);
    let (size, speed) = (norm_of(&|i| y[i].abs().max(settings.atol[i] / settings.rtol)), norm(dy));
    let blind = FIRST_STEP_OF_RUN * run;
    let mut trial = if speed < FIRST_STEP_NEGLIGIBLE { blind } else { FIRST_STEP_FRACTION * size / speed };
    trial = trial.max(floor);
    trial = trial.min(longest);

    let mut at = vec![0.0; y.len()];
    let mut there = vec![0.0; y.len()];
    for _ in 0..FIRST_STEP_RETREATS {
        for i in 0..y.len() {
            at[i] = y[i] + trial * dy[i];
        }
        if evaluation.rhs(t + trial, &at, &mut there).is_ok() {
            for i in 0..y.len() {
                there[i] = (there[i] - dy[i]) / trial;
            }
            let bend = norm(&there);
            let change = speed.max(bend);
            let step = if order == 1 {
                // its error is that of the second derivative alone
                (2.0 * BDF_FIRST_ERROR / bend).sqrt().min(trial)
            } else if change <= FIRST_STEP_STRAIGHT {
                (FIRST_STEP_WHERE_STRAIGHT * trial).max(blind)
            } else {
                (FIRST_STEP_FRACTION / change).powf(1.0 / (f64::from(order) + 1.0))
            };
            return step.min(FIRST_STEP_BEYOND_TRIAL * trial).max(floor).min(longest);
        }
        trial *= FIRST_STEP_RETREAT;
    }
    trial
}
