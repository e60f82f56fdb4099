//! A curve as the lines that are drawn: broken at gaps, stepped where it is, thinned to the resolution.
//!
//! Per pixel column the first, the smallest, the greatest and the last value are kept, in their order. So no spike
//! is lost, and at most four points a column are drawn, however many rows there are.

use super::Curve;

/// Connected pieces of a curve, as points `(time, value)`.
pub fn pieces(curve: &Curve) -> Vec<Vec<(f64, f64)>> {
    let mut pieces = Vec::new();
    let mut piece: Vec<(f64, f64)> = Vec::new();
    for (&t, &y) in curve.times.iter().zip(&curve.values) {
        if !(t.is_finite() && y.is_finite()) {
            pieces.push(std::mem::take(&mut piece));
            continue;
        }
        if let Some(&(_, held)) = piece.last().filter(|_| curve.stepped) {
            piece.push((t, held));
        }
        piece.push((t, y));
    }
    pieces.push(piece);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Thins a piece for a picture of so many columns over a range of time.
pub fn thinned(piece: &[(f64, f64)], (from, to): (f64, f64), columns: usize) -> Vec<(f64, f64)> {
    if piece.len() <= 2 * columns || from >= to {
        return piece.to_vec();
    }
    let column_of = |t: f64| ((t - from) / (to - from) * columns as f64).floor();
    piece.chunk_by(|a, b| column_of(a.0) == column_of(b.0)).flat_map(extremes).collect()
}

/// First, least, greatest and last of a run of points, in their order, each once.
fn extremes(run: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let value = |i: &usize| run[*i].1;
    let least = (0..run.len()).min_by(|a, b| value(a).total_cmp(&value(b))).unwrap_or(0);
    let greatest = (0..run.len()).max_by(|a, b| value(a).total_cmp(&value(b))).unwrap_or(0);
    let mut kept = [0, least, greatest, run.len() - 1];
    kept.sort_unstable();
    let mut points: Vec<(f64, f64)> = kept.iter().map(|&i| run[i]).collect();
    points.dedup();
    points
}

/// Least and greatest finite value of all curves; `None` where there is none.
pub fn value_range(curves: &[Curve]) -> Option<(f64, f64)> {
    range(curves.iter().flat_map(|curve| &curve.values))
}

/// First and last finite time of all curves.
pub fn time_range(curves: &[Curve]) -> Option<(f64, f64)> {
    range(curves.iter().flat_map(|curve| &curve.times))
}

fn range<'a>(values: impl Iterator<Item = &'a f64>) -> Option<(f64, f64)> {
    values.filter(|value| value.is_finite()).fold(None, |range, &value| {
        let (low, high) = range.unwrap_or((value, value));
        Some((value.min(low), value.max(high)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(stepped: bool, points: &[(f64, f64)]) -> Curve {
        let (times, values) = points.iter().copied().unzip();
        Curve { name: "x".to_owned(), unit: None, stepped, times, values }
    }

    #[test]
    fn not_a_number_leaves_a_gap() {
        let curve = curve(false, &[(0.0, 1.0), (1.0, f64::NAN), (2.0, 3.0), (3.0, 4.0)]);
        assert_eq!(pieces(&curve), [vec![(0.0, 1.0)], vec![(2.0, 3.0), (3.0, 4.0)]]);
        assert_eq!(value_range(&[curve]), Some((1.0, 4.0)));
    }

    #[test]
    fn steps_have_corners() {
        let curve = curve(true, &[(0.0, 1.0), (1.0, 2.0)]);
        assert_eq!(pieces(&curve), [vec![(0.0, 1.0), (1.0, 1.0), (1.0, 2.0)]]);
    }

    #[test]
    fn thinning_keeps_spikes() {
        let mut points: Vec<(f64, f64)> = (0..10_000).map(|i| (f64::from(i), 0.0)).collect();
        points[5_003].1 = 7.0;
        let thin = thinned(&points, (0.0, 9_999.0), 100);
        assert!(thin.len() <= 404, "{}", thin.len());
        assert!(thin.contains(&(5_003.0, 7.0)));
        assert!(thin.is_sorted_by(|a, b| a.0 <= b.0));
    }
}
