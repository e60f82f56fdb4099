//! Sign changes of a function of one variable.
//!
//! ITP (Oliveira & Takahashi 2020, ACM TOMS 47, article 5): as fast as the secant method on smooth functions, never
//! more than one evaluation slower than bisection on any. The bracket is kept throughout, so that the answer is an
//! interval with the change inside, however wild the function. The *side* of a value is whether it is above zero;
//! zero itself is not, as in `x > 0`.

use crate::constants::{ITP_KAPPA, ITP_SLACK};

/// An interval within which the side changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bracket {
    /// The end with the side of the start of the search.
    pub left: f64,
    /// The other end, with the other side.
    pub right: f64,
    /// The value at `left`.
    pub f_left: f64,
    /// The value at `right`.
    pub f_right: f64,
    /// Evaluations spent.
    pub evaluations: u32,
}

/// Whether a value is on the upper side.
pub fn is_above(value: f64) -> bool {
    value > 0.0
}

/// Narrows a bracket `[left, right]` down to the tolerance (or to neighbouring numbers, where it is finer than
/// that). Answers `None` where both ends are on one side, the ends are not in order, or a value is not a number.
///
/// Of several changes of side one is found; the bracket still holds a change.
pub fn locate<E>(
    (left, f_left): (f64, f64),
    (right, f_right): (f64, f64),
    tolerance: f64,
    mut f: impl FnMut(f64) -> Result<f64, E>,
) -> Result<Option<Bracket>, E> {
    let mut b = Bracket { left, right, f_left, f_right, evaluations: 0 };
    let in_order = left < right && left.is_finite() && right.is_finite();
    if !in_order || f_left.is_nan() || f_right.is_nan() || is_above(f_left) == is_above(f_right) {
        return Ok(None);
    }
    let start_side = is_above(f_left);
    let tolerance = tolerance.max(0.0);
    let kappa = ITP_KAPPA / (right - left);
    // How many bisections the interval is worth; unknown (and unlimited) where the tolerance is zero.
    let half = tolerance / 2.0;
    let bisections = ((right - left) / (2.0 * half)).log2().ceil().clamp(0.0, 2000.0) as i32 + ITP_SLACK;

    while b.right - b.left > tolerance {
        let middle = b.left + (b.right - b.left) / 2.0;
        if middle <= b.left || middle >= b.right {
            break;
        }
        let t = candidate(&b, middle, kappa, half, bisections);
        // Rounding may put the estimate onto an end, which would teach nothing.
        let t = if t > b.left && t < b.right { t } else { middle };
        let value = f(t)?;
        b.evaluations += 1;
        if value.is_nan() {
            return Ok(None);
        }
        if is_above(value) == start_side {
            (b.left, b.f_left) = (t, value);
        } else {
            (b.right, b.f_right) = (t, value);
        }
    }
    Ok(Some(b))
}

/// The next point: interpolate, truncate towards the middle, project into the interval that bisection still
/// allows.
fn candidate(b: &Bracket, middle: f64, kappa: f64, half: f64, bisections: i32) -> f64 {
    let width = b.right - b.left;
    let secant = (b.f_right * b.left - b.f_left * b.right) / (b.f_right - b.f_left);
    if !secant.is_finite() {
        return middle;
    }
    let direction = (middle - secant).signum();
    let pull = kappa * width * width;
    let truncated = if pull <= (middle - secant).abs() { secant + direction * pull } else { middle };
    let allowed = half * f64::from(bisections - b.evaluations as i32).exp2() - width / 2.0;
    if half == 0.0 {
        // Without a tolerance there is no budget: every second step bisects.
        return if b.evaluations.is_multiple_of(2) { truncated } else { middle };
    }
    let allowed = allowed.max(0.0);
    if (truncated - middle).abs() <= allowed { truncated } else { middle - direction * allowed }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn find(a: f64, b: f64, tolerance: f64, f: impl Fn(f64) -> f64) -> Bracket {
        let found = locate((a, f(a)), (b, f(b)), tolerance, |t| Ok::<_, Infallible>(f(t)));
        let found = found.unwrap().unwrap();
        assert_ne!(is_above(f(found.left)), is_above(f(found.right)));
        assert!(found.left >= a && found.right <= b);
        found
    }

    #[test]
    fn smooth_roots_are_found_fast() {
        let found = find(0.0, 2.0, 1e-12, |t| t * t - 2.0);
        assert!(found.right - found.left <= 1e-12);
        assert!((found.left - 2f64.sqrt()).abs() <= 1e-12);
        assert!(found.evaluations <= 12, "{}", found.evaluations);
    }

    #[test]
    fn jumps_cost_no_more_than_bisection() {
        let found = find(0.0, 1.0, 1e-9, |t| if t < 0.123_456 { -1e-30 } else { 1e30 });
        assert!((found.right - 0.123_456).abs() <= 1e-9);
        assert!(found.evaluations <= 32, "{}", found.evaluations);
    }

    #[test]
    fn flat_roots_are_found() {
        let found = find(-1.0, 2.0, 1e-6, |t| (t - 0.5).powi(9));
        assert!((found.left - 0.5).abs() < 1e-6);
        assert!(found.evaluations <= 24, "{}", found.evaluations);
    }

    #[test]
    fn zero_belongs_to_the_lower_side() {
        // `t > 1` becomes true just after 1, and `f(1) = 0` is still false.
        let found = find(0.0, 2.0, 0.0, |t| t - 1.0);
        assert_eq!(found.left, 1.0);
        assert_eq!(found.right, 1.0f64.next_up());
    }

    #[test]
    fn what_is_no_bracket_is_refused() {
        let f = |t: f64| Ok::<_, Infallible>(t);
        assert_eq!(locate((1.0, 1.0), (2.0, 2.0), 1e-9, f), Ok(None));
        assert_eq!(locate((1.0, -1.0), (0.0, 2.0), 1e-9, f), Ok(None));
        assert_eq!(locate((0.0, -1.0), (1.0, f64::NAN), 1e-9, f), Ok(None));
        assert_eq!(locate((0.0, -1.0), (1.0, 1.0), 1e-9, |_| Err("broken")), Err("broken"));
    }
}
