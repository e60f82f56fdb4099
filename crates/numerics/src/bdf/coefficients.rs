//! The numbers of the formula of each order.
//!
//! The step to `t` asks that `h f(t, y) = h π'(t) + λ (y - π(t))`, with the polynomial `π` of degree `k` through the
//! last `k + 1` points. The leading coefficient `λ` is that of equal steps, whatever the past steps were (fixed
//! leading coefficient: Jackson & Sacks-Davis 1980; Brenan, Campbell & Petzold, §5.2). So the matrix of Newton's
//! method changes with the step only. It is enlarged by Klopfenstein's factor, which makes the error smaller at the
//! same stability (numerical differentiation formulas: Shampine & Reichelt 1997).

use super::history::{Advance, MAX_ORDER};
use crate::constants::BDF_LEAST_ERROR;

/// Klopfenstein's factors for orders 1 to 5, as Shampine & Reichelt chose them.
const KLOPFENSTEIN: [f64; MAX_ORDER] = [-0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0];

/// `1 + 1/2 + … + 1/k`.
fn harmonic(order: usize) -> f64 {
    (1..=order).map(|j| 1.0 / j as f64).sum()
}

/// The leading coefficient `λ` of an order.
pub(super) fn leading(order: usize) -> f64 {
    (1.0 - KLOPFENSTEIN[order - 1]) * harmonic(order)
}

/// The share of `h^(k+1) y^(k+1)` that is the error of a step of order `k`, steps being equal.
pub(super) fn error_of_equal_steps(order: usize) -> f64 {
    let residual = 1.0 / (order + 1) as f64 + KLOPFENSTEIN[order - 1] * harmonic(order);
    residual / leading(order)
}

/// The share of the correction `y - π(t)` that is the error of the step.
///
/// With past steps of different lengths, both the residual and the last share may vanish by chance; the error is never taken for
/// less than a part of that of equal steps.
pub(super) fn error_of_step(order: usize, advance: &Advance) -> f64 {
    let lead = leading(order);
    let residual = (advance.sum(order + 1) - lead).abs();
    let last = advance.share(order + 1) + KLOPFENSTEIN[order - 1] * harmonic(order);
    (residual.max(last.abs()) / lead).max(BDF_LEAST_ERROR * error_of_equal_steps(order))
}
