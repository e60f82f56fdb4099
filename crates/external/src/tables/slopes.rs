//! The slopes of cubic curves at the points of a table.
//!
//! `d` are the slopes of the straight lines between points, `h` their widths. Akima's methods use two lines on each side. Beyond
//! the ends there are two more, whose slopes continue the last changes, or those of the other end if the curve is periodic.

use super::grid::Smoothness;

/// One slope for every point; the points must rise strictly.
pub(crate) fn slopes(x: &[f64], y: &[f64], smoothness: Smoothness, is_periodic: bool) -> Vec<f64> {
    if x.len() < 2 {
        return vec![0.0; x.len()];
    }
    let h: Vec<f64> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let d: Vec<f64> = y.windows(2).zip(&h).map(|(pair, h)| (pair[1] - pair[0]) / h).collect();
    if d.len() == 1 {
        return vec![d[0]; 2];
    }
    match smoothness {
        Smoothness::Akima => {
            akima_slopes(&d, is_periodic, |a, b| (b - a).abs(), |left, right| 0.5 * (left + right))
        }
        Smoothness::ModifiedAkima => {
            akima_slopes(&d, is_periodic, |a, b| (b - a).abs() + 0.5 * (a + b).abs(), |_, _| 0.0)
        }
        Smoothness::FritschButland => monotone(&h, &d, is_periodic, fritsch_butland, |_, _, d, _| d),
        Smoothness::Steffen => monotone(&h, &d, is_periodic, steffen, steffen_end),
        Smoothness::Linear | Smoothness::Constant => vec![0.0; x.len()],
    }
}

/// Akima 1970: the mean of the lines to both sides, each weighted by how much the curve bends on the other side.
/// `even` is the slope where it bends on neither.
fn akima_slopes(
    d: &[f64],
    is_periodic: bool,
    bending: impl Fn(f64, f64) -> f64,
    even: impl Fn(f64, f64) -> f64,
) -> Vec<f64> {
    let around = extended(d, is_periodic);
    let slope = |i: usize| {
        let (before, left, right, after) = (around[i], around[i + 1], around[i + 2], around[i + 3]);
        let (weight_left, weight_right) = (bending(right, after), bending(before, left));
        let sum = weight_left + weight_right;
        if sum > 0.0 { (weight_left * left + weight_right * right) / sum } else { even(left, right) }
    };
    (0..=d.len()).map(slope).collect()
}

/// The slopes of lines with two more on each side.
pub(crate) fn extended(d: &[f64], is_periodic: bool) -> Vec<f64> {
    let n = d.len();
    let (before, after) = if is_periodic {
        ([d[(2 * n - 2) % n], d[n - 1]], [d[0], d[1 % n]])
    } else {
        let (first, second) = (d[0], d[1.min(n - 1)]);
        let (last, last_but_one) = (d[n - 1], d[n.saturating_sub(2)]);
        (
            [3.0 * first - 2.0 * second, 2.0 * first - second],
            [2.0 * last - last_but_one, 3.0 * last - 2.0 * last_but_one],
        )
    };
    before.into_iter().chain(d.iter().copied()).chain(after).collect()
}

/// A rule for points between two lines, and one for the ends: of the last line and the one before it.
fn monotone(
    h: &[f64],
    d: &[f64],
    is_periodic: bool,
    between: impl Fn(f64, f64, f64, f64) -> f64,
    at_end: impl Fn(f64, f64, f64, f64) -> f64,
) -> Vec<f64> {
    let n = d.len();
    let (first, last) = if is_periodic {
        let both = between(h[n - 1], h[0], d[n - 1], d[0]);
        (both, both)
    } else {
        (at_end(h[0], h[1], d[0], d[1]), at_end(h[n - 1], h[n - 2], d[n - 1], d[n - 2]))
    };
    let inner = (1..n).map(|i| between(h[i - 1], h[i], d[i - 1], d[i]));
    std::iter::once(first).chain(inner).chain([last]).collect()
}

/// Fritsch and Butland 1984: the weighted harmonic mean of the lines to both sides, flat at extremes.
fn fritsch_butland(h0: f64, h1: f64, d0: f64, d1: f64) -> f64 {
    if d0 * d1 <= 0.0 {
        return 0.0;
    }
    3.0 * (h0 + h1) / ((h0 + 2.0 * h1) / d0 + (2.0 * h0 + h1) / d1)
}

/// Steffen 1990: the parabola through three points, held so that the curve stays monotone.
fn steffen(h0: f64, h1: f64, d0: f64, d1: f64) -> f64 {
    if d0 * d1 <= 0.0 {
        return 0.0;
    }
    let parabola = (d0 * h1 + d1 * h0) / (h0 + h1);
    d0.signum() * (2.0 * d0.abs().min(d1.abs())).min(parabola.abs())
}

/// The same at an end, from the last line (`h0`, `d0`) and the one before it.
fn steffen_end(h0: f64, h1: f64, d0: f64, d1: f64) -> f64 {
    let parabola = d0 * (1.0 + h0 / (h0 + h1)) - d1 * h0 / (h0 + h1);
    if parabola * d0 <= 0.0 {
        0.0
    } else if parabola.abs() > 2.0 * d0.abs() {
        2.0 * d0
    } else {
        parabola
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: [f64; 5] = [0.0, 1.0, 3.0, 4.0, 6.0];
    /// Lines of slope 1, 2, -1, 0.5 and widths 1, 2, 1, 2.
    const Y: [f64; 5] = [0.0, 1.0, 5.0, 4.0, 5.0];

    fn check(smoothness: Smoothness, is_periodic: bool, expected: [f64; 5]) {
        let found = slopes(&X, &Y, smoothness, is_periodic);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{smoothness:?}: {found} and not {expected}");
        }
    }

    #[test]
    fn akima() {
        // The lines with two more on each side: -1, 0 | 1, 2, -1, 0.5 | 2, 3.5.
        // Bends between neighbours: 1, 1, 1, 3, 1.5, 1.5, 1.5.
        // Slope i = (bend(i+2)·d left + bend(i)·d right)/(bend(i+2) + bend(i)).
        // (1·0 + 1·1)/2, (3·1 + 1·2)/4, (1.5·2 + 1·(-1))/2.5, (1.5·(-1) + 3·0.5)/4.5, (1.5·0.5 + 1.5·2)/3
        check(Smoothness::Akima, false, [0.5, 1.25, 0.8, 0.0, 1.25]);
        // -1, 0.5 | 1, 2, -1, 0.5 | 1, 2: bends 1.5, 0.5, 1, 3, 1.5, 0.5, 1
        check(
            Smoothness::Akima,
            true,
            [
                (1.0 * 0.5 + 1.5 * 1.0) / 2.5,
                (3.0 * 1.0 + 0.5 * 2.0) / 3.5,
                (1.5 * 2.0 - 1.0) / 2.5,
                (3.0 * 0.5 - 0.5) / 3.5,
                (1.0 * 0.5 + 1.5 * 1.0) / 2.5,
            ],
        );
        // if the curve bends on neither side, the mean of both lines: 0, 0, 1, 1
        assert_eq!(
            slopes(&[0.0, 1.0, 2.0, 3.0, 4.0], &[0.0, 0.0, 0.0, 1.0, 2.0], Smoothness::Akima, false)[2],
            0.5
        );
    }

    #[test]
    fn modified_akima() {
        // bends |b - a| + |a + b|/2 of -1, 0, 1, 2, -1, 0.5, 2, 3.5: 1.5, 1.5, 2.5, 3.5, 1.75, 2.75, 4.25
        check(
            Smoothness::ModifiedAkima,
            false,
            [
                (2.5 * 0.0 + 1.5 * 1.0) / 4.0,
                (3.5 * 1.0 + 1.5 * 2.0) / 5.0,
                (1.75 * 2.0 - 2.5) / 4.25,
                (3.5 * 0.5 - 2.75) / 6.25,
                (4.25 * 0.5 + 1.75 * 2.0) / 6.0,
            ],
        );
        assert_eq!(slopes(&[0.0, 1.0, 2.0, 3.0], &[1.0; 4], Smoothness::ModifiedAkima, false), vec![0.0; 4]);
    }

    #[test]
    fn fritsch_and_butland() {
        // at 1: 3(1 + 2)/((1 + 4)/1 + (2 + 2)/2) = 9/7; flat at 3 and 4; the lines themselves at the ends
        check(Smoothness::FritschButland, false, [1.0, 9.0 / 7.0, 0.0, 0.0, 0.5]);
        // across the ends, widths 2 and 1 and lines 0.5 and 1: 9/((2 + 2)/0.5 + (4 + 1)/1) = 9/13
        check(Smoothness::FritschButland, true, [9.0 / 13.0, 9.0 / 7.0, 0.0, 0.0, 9.0 / 13.0]);
    }

    #[test]
    fn steffen_keeps_monotone() {
        // at 1: the parabola (1·2 + 2·1)/3 = 4/3, below twice the flatter line; flat at 3 and 4;
        // at 0: 1·(1 + 1/3) - 2/3 = 2/3; at 6: 0.5·(1 + 2/3) + 2/3 = 1.5, held at twice 0.5
        check(Smoothness::Steffen, false, [2.0 / 3.0, 4.0 / 3.0, 0.0, 0.0, 1.0]);
        // the parabola would fall at the end: 0.1·(1 + 1/2) - 1/2 < 0
        assert_eq!(slopes(&[0.0, 1.0, 2.0], &[0.0, 0.1, 1.1], Smoothness::Steffen, false)[0], 0.0);
    }

    #[test]
    fn two_points_are_a_line_and_one_is_flat() {
        assert_eq!(slopes(&[0.0, 2.0], &[1.0, 5.0], Smoothness::Akima, false), [2.0, 2.0]);
        assert_eq!(slopes(&[0.0], &[1.0], Smoothness::Akima, false), [0.0]);
    }
}
