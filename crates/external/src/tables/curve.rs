//! Tables of one dimension: several curves over the same abscissae.

use super::grid::{Extrapolation, Grid, Outside, Smoothness, Term};
use super::slopes::slopes;
use super::{Jet, Matrix};

/// Curves over a common first column.
#[derive(Clone, Debug)]
pub(crate) struct Curves {
    pub(crate) grid: Grid,
    curves: Vec<Curve>,
}

#[derive(Clone, Debug)]
struct Curve {
    values: Vec<f64>,
    /// One for each value; empty where the curve is not cubic.
    slopes: Vec<f64>,
}

impl Curves {
    /// The curves of these columns, counted from one.
    pub(crate) fn new(
        table: &Matrix,
        columns: &[i64],
        smoothness: Smoothness,
        extrapolation: Extrapolation,
    ) -> Result<Curves, String> {
        if table.rows == 0 || table.columns == 0 {
            return Err("a table needs at least one row and one column".into());
        }
        let grid = Grid::new(table.column(0), smoothness, extrapolation)?;
        let curve = |&column: &i64| {
            let place = usize::try_from(column - 1).ok().filter(|&place| place < table.columns);
            let place = place
                .ok_or_else(|| format!("there is no column {column} in a table with {}", table.columns))?;
            let values = table.column(place);
            // a curve with another value at its end jumps from period to period, and has nothing to go on with there
            let closes = extrapolation == Extrapolation::Periodic && values.first() == values.last();
            let slopes =
                if smoothness.is_cubic() { slopes(&grid.x, &values, smoothness, closes) } else { Vec::new() };
            Ok(Curve { values, slopes })
        };
        let curves = columns.iter().map(curve).collect::<Result<_, String>>()?;
        Ok(Curves { grid, curves })
    }

    pub(crate) fn first(&self) -> f64 {
        self.grid.first()
    }

    pub(crate) fn last(&self) -> f64 {
        self.grid.last()
    }

    /// The value of a curve, counted from one.
    pub(crate) fn at(&self, curve: i64, x: f64) -> Result<Jet, Outside> {
        self.sum(curve, &self.grid.at(x)?)
    }

    /// The value of a curve as a sum over points.
    pub(crate) fn sum(&self, curve: i64, terms: &[Term]) -> Result<Jet, Outside> {
        let place = usize::try_from(curve - 1).map_err(|_| Outside::Column(curve))?;
        let curve = self.curves.get(place).ok_or(Outside::Column(curve))?;
        let order = |k: usize| -> f64 {
            let of = |term: &Term| {
                let slope = curve.slopes.get(term.point).map_or(0.0, |slope| term.slope[k] * slope);
                term.value[k] * curve.values[term.point] + slope
            };
            terms.iter().map(of).sum()
        };
        Ok(Jet { value: order(0), slope: order(1), bend: order(2) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curves(smoothness: Smoothness, extrapolation: Extrapolation) -> Curves {
        let table = Matrix { rows: 4, columns: 2, elements: vec![0.0, 0.0, 1.0, 1.0, 2.0, 4.0, 4.0, 16.0] };
        Curves::new(&table, &[2], smoothness, extrapolation).unwrap()
    }

    fn check(curves: &Curves, at: f64, expected: [f64; 3]) {
        let found = curves.at(1, at).unwrap();
        let found = [found.value, found.slope, found.bend];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "at {at}: {found} and not {expected}");
        }
    }

    #[test]
    fn straight_lines() {
        let lines = curves(Smoothness::Linear, Extrapolation::LastTwoPoints);
        check(&lines, 1.5, [2.5, 3.0, 0.0]);
        check(&lines, 2.0, [4.0, 6.0, 0.0]);
        check(&lines, 4.0, [16.0, 6.0, 0.0]);
        // outside on with the first and the last line
        check(&lines, -1.0, [-1.0, 1.0, 0.0]);
        check(&lines, 5.0, [22.0, 6.0, 0.0]);
    }

    #[test]
    fn steps() {
        let steps = curves(Smoothness::Constant, Extrapolation::Hold);
        check(&steps, 1.999, [1.0, 0.0, 0.0]);
        check(&steps, 2.0, [4.0, 0.0, 0.0]);
        check(&steps, 4.0, [16.0, 0.0, 0.0]);
        check(&steps, -3.0, [0.0, 0.0, 0.0]);
        // outside through the first and the last two points
        let steps = curves(Smoothness::Constant, Extrapolation::LastTwoPoints);
        check(&steps, 5.0, [22.0, 6.0, 0.0]);
    }

    #[test]
    fn values_are_held_outside() {
        let held = curves(Smoothness::Linear, Extrapolation::Hold);
        check(&held, -1.0, [0.0, 0.0, 0.0]);
        check(&held, 7.0, [16.0, 0.0, 0.0]);
    }

    #[test]
    fn curves_repeat() {
        let repeated = curves(Smoothness::Linear, Extrapolation::Periodic);
        check(&repeated, 5.5, [2.5, 3.0, 0.0]);
        check(&repeated, -2.5, [2.5, 3.0, 0.0]);
        check(&repeated, 4.0, [16.0, 6.0, 0.0]);
    }

    #[test]
    fn nothing_is_said_outside() {
        let closed = curves(Smoothness::Linear, Extrapolation::None);
        check(&closed, 4.0, [16.0, 6.0, 0.0]);
        assert_eq!(closed.at(1, 4.1), Err(Outside::Of { at: 4.1, first: 0.0, last: 4.0 }));
        assert_eq!(closed.at(2, 1.0), Err(Outside::Column(2)));
    }

    #[test]
    fn cubic_curves() {
        // Akima: lines of slope 1, 3, 6, with two more on each side: -3, -1 | 1, 3, 6 | 9, 12; bends 2, 2, 2, 3, 3, 3.
        // Slopes: (2·(-1) + 2·1)/4 = 0, (3·1 + 2·3)/5 = 9/5, (3·3 + 2·6)/5 = 21/5, (3·6 + 3·9)/6 = 15/2
        let akima = curves(Smoothness::Akima, Extrapolation::LastTwoPoints);
        // in the middle of [1, 2]: (1 + 4)/2 + (9/5 - 21/5)/8 = 2.2; 1.5·(4 - 1) - (9/5 + 21/5)/4 = 3; 21/5 - 9/5
        check(&akima, 1.5, [2.2, 3.0, 2.4]);
        // outside on with the slopes at the ends
        check(&akima, -1.0, [0.0, 0.0, 0.0]);
        check(&akima, 5.0, [23.5, 7.5, 0.0]);
        // Steffen: at 1 the parabola (1·1 + 3·1)/2 = 2 is not above twice the flatter line; at 2: (3·2 + 6·1)/3 = 4
        let steffen = curves(Smoothness::Steffen, Extrapolation::Hold);
        check(&steffen, 1.5, [2.5 - 2.0 / 8.0, 4.5 - 6.0 / 4.0, 2.0]);
    }

    #[test]
    fn jumps_take_the_value_to_the_right() {
        let table = Matrix { rows: 4, columns: 2, elements: vec![0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 2.0, 4.0] };
        let curves = Curves::new(&table, &[2], Smoothness::Linear, Extrapolation::Hold).unwrap();
        check(&curves, 1.0, [1.0, 3.0, 0.0]);
        check(&curves, 0.5, [0.0, 0.0, 0.0]);
        assert!(Curves::new(&table, &[2], Smoothness::Akima, Extrapolation::Hold).is_err());
        assert!(Curves::new(&table, &[3], Smoothness::Linear, Extrapolation::Hold).is_err());
    }

    #[test]
    fn one_row_is_its_value_everywhere() {
        let table = Matrix { rows: 1, columns: 2, elements: vec![0.0, 7.0] };
        let curves = Curves::new(&table, &[2], Smoothness::Akima, Extrapolation::None).unwrap();
        check(&curves, 99.0, [7.0, 0.0, 0.0]);
    }
}
