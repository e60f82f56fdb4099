//! The solution between two points of a fixed-step method.

use super::Point;

/// A polynomial through both ends of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interpolation {
    /// Cubic, with the derivatives at both ends: order 4.
    Hermite,
    /// Straight: as good as the method for orders 1 and 2, and safe where a stiff transient makes the derivative at
    /// the start huge (a cubic would swing out far beyond both ends).
    Linear,
}

impl Interpolation {
    /// Its degree.
    pub(crate) fn degree(self) -> usize {
        match self {
            Interpolation::Hermite => 3,
            Interpolation::Linear => 1,
        }
    }

    /// The value at a time, clamped to the step.
    pub(crate) fn evaluate(self, from: &Point, to: &Point, t: f64, y: &mut [f64]) {
        let h = to.t - from.t;
        let s = if h > 0.0 { ((t - from.t) / h).clamp(0.0, 1.0) } else { 1.0 };
        // The ends themselves, bit by bit.
        if s == 0.0 || s == 1.0 {
            y.copy_from_slice(if s == 0.0 { &from.y } else { &to.y });
            return;
        }
        for (i, y) in y.iter_mut().enumerate() {
            let straight = (1.0 - s) * from.y[i] + s * to.y[i];
            *y = match self {
                Interpolation::Linear => straight,
                Interpolation::Hermite => {
                    let rise = to.y[i] - from.y[i];
                    let bend = (1.0 - 2.0 * s) * rise + h * ((s - 1.0) * from.dy[i] + s * to.dy[i]);
                    straight + s * (s - 1.0) * bend
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hermite_is_exact_for_cubics() {
        let cubic = |t: f64| t * t * t - 2.0 * t + 1.0;
        let point = |t: f64| Point { t, y: vec![cubic(t)], dy: vec![3.0 * t * t - 2.0] };
        let (from, to) = (point(1.0), point(3.0));
        let mut y = [0.0];
        for t in [1.0, 1.3, 2.0, 2.9, 3.0] {
            Interpolation::Hermite.evaluate(&from, &to, t, &mut y);
            assert!((y[0] - cubic(t)).abs() < 1e-13);
        }
        Interpolation::Linear.evaluate(&from, &to, 2.0, &mut y);
        assert_eq!(y[0], (cubic(1.0) + cubic(3.0)) / 2.0);
    }
}
