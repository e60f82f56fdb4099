//! The first step of an adaptive method (Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*,
//! II.4).
//!
//! From the sizes of state, derivative and an estimated second derivative, all measured by the tolerances. The
//! trial point is moved closer while it cannot be evaluated.

use crate::constants::{
    FIRST_STEP_BEYOND_TRIAL, FIRST_STEP_FRACTION, FIRST_STEP_NEGLIGIBLE, FIRST_STEP_OF_RUN,
    FIRST_STEP_RETREAT, FIRST_STEP_RETREATS, FIRST_STEP_STRAIGHT, FIRST_STEP_WHERE_STRAIGHT,
};
use crate::evaluator::Evaluator;
use crate::integrator::Settings;

/// A step to begin with for a method of the given order, from a point where the derivative is known.
pub(crate) fn initial_step(
    evaluator: &Evaluator,
    settings: &Settings,
    order: u32,
    t: f64,
    y: &[f64],
    dy: &[f64],
) -> f64 {
    let room = settings.t_stop - t;
    let longest = settings.max_step.unwrap_or(f64::INFINITY).min(room);
    if let Some(step) = settings.step {
        return step.min(longest);
    }
    let norm = |v: &[f64]| {
        let sum: f64 =
            (0..v.len()).map(|i| (v[i] / (settings.atol[i] + settings.rtol * y[i].abs())).powi(2)).sum();
        (sum / v.len() as f64).sqrt()
    };
    let (size, speed) = (norm(y), norm(dy));
    let blind = FIRST_STEP_OF_RUN * if room.is_finite() { room } else { 1.0 };
    let mut trial = if speed < FIRST_STEP_NEGLIGIBLE {
        blind
    } else if size < FIRST_STEP_NEGLIGIBLE {
        // states at zero say nothing about their size: nominal ones are as large as the tolerances make them
        blind.min(FIRST_STEP_FRACTION / (settings.rtol * speed))
    } else {
        FIRST_STEP_FRACTION * size / speed
    };
    trial = trial.min(longest);

    let mut at = vec![0.0; y.len()];
    let mut there = vec![0.0; y.len()];
    for _ in 0..FIRST_STEP_RETREATS {
        for i in 0..y.len() {
            at[i] = y[i] + trial * dy[i];
        }
        if evaluator.rhs(t + trial, &at, &mut there).is_ok() {
            for i in 0..y.len() {
                there[i] = (there[i] - dy[i]) / trial;
            }
            let change = speed.max(norm(&there));
            let step = if change <= FIRST_STEP_STRAIGHT {
                (FIRST_STEP_WHERE_STRAIGHT * trial).max(blind)
            } else {
                (FIRST_STEP_FRACTION / change).powf(1.0 / (f64::from(order) + 1.0))
            };
            return step.min(FIRST_STEP_BEYOND_TRIAL * trial).min(longest);
        }
        trial *= FIRST_STEP_RETREAT;
    }
    trial
}
