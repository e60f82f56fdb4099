//! Tables of two dimensions: the first column is the grid of `u1`, the first row that of `u2`.

use super::Matrix;
use super::grid::{Extrapolation, Grid, Outside, Smoothness, Term};
use super::slopes::{extended, slopes};

/// A value with its partial derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) value: f64,
    pub(crate) u: f64,
    pub(crate) v: f64,
    pub(crate) uu: f64,
    pub(crate) uv: f64,
    pub(crate) vv: f64,
}

/// A surface over a grid of rectangles.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    u: Grid,
    v: Grid,
    /// At each point of the grid, row by row.
    nodes: Vec<Node>,
}

/// A value with the data of a cubic surface beside it: the slopes, and the mixed derivative.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    value: f64,
    u: f64,
    v: f64,
    uv: f64,
}

impl Surface {
    pub(crate) fn new(
        table: &Matrix,
        smoothness: Smoothness,
        extrapolation: Extrapolation,
    ) -> Result<Surface, String> {
        if table.rows < 2 || table.columns < 2 {
            return Err("a table of two dimensions needs at least two rows and two columns".into());
        }
        if smoothness.is_cubic() && smoothness != Smoothness::Akima {
            return Err("a table of two dimensions is interpolated by constant or linear segments, or by Akima's method".into());
        }
        let first_row: Vec<f64> = (1..table.columns).map(|column| table.at(0, column)).collect();
        let u = Grid::new(table.column(0)[1..].to_vec(), smoothness, extrapolation)?;
        let v = Grid::new(first_row, smoothness, extrapolation)?;
        let (rows, columns) = (u.x.len(), v.x.len());
        let at = |i: usize, j: usize| Node { value: table.at(i + 1, j + 1), ..Node::default() };
        let nodes = (0..rows * columns).map(|place| at(place / columns, place % columns)).collect();
        let mut surface = Surface { u, v, nodes };
        if smoothness.is_cubic() {
            surface.find_slopes();
        }
        Ok(surface)
    }

    pub(crate) fn first(&self) -> [f64; 2] {
        [self.u.first(), self.v.first()]
    }

    pub(crate) fn last(&self) -> [f64; 2] {
        [self.u.last(), self.v.last()]
    }

    pub(crate) fn at(&self, u: f64, v: f64) -> Result<Point, Outside> {
        let (across, along) = (self.u.at(u)?, self.v.at(v)?);
        let order = |k: usize, l: usize| -> f64 {
            let mut sum = 0.0;
            for a in &across {
                for b in &along {
                    sum += self.product(a, b, k, l);
                }
            }
            sum
        };
        Ok(Point {
            value: order(0, 0),
            u: order(1, 0),
            v: order(0, 1),
            uu: order(2, 0),
            uv: order(1, 1),
            vv: order(0, 2),
        })
    }

    fn product(&self, a: &Term, b: &Term, k: usize, l: usize) -> f64 {
        let node = self.nodes[a.point * self.v.x.len() + b.point];
        a.value[k] * (b.value[l] * node.value + b.slope[l] * node.v)
            + a.slope[k] * (b.value[l] * node.u + b.slope[l] * node.uv)
    }

    /// Akima 1974: slopes along both axes as in one dimension, and the mixed derivative as the mean of the four rectangles
    /// around a point with the weights of both.
    fn find_slopes(&mut self) {
        let (rows, columns) = (self.u.x.len(), self.v.x.len());
        let value = |i: usize, j: usize| self.nodes[i * columns + j].value;
        let mut nodes = self.nodes.clone();
        let mut weights_u = vec![[0.5; 2]; rows * columns];
        let mut weights_v = weights_u.clone();
        for j in 0..columns {
            let column: Vec<f64> = (0..rows).map(|i| value(i, j)).collect();
            let found = slopes(&self.u.x, &column, Smoothness::Akima, false);
            let weights = weights(&self.u.x, &column);
            for i in 0..rows {
                nodes[i * columns + j].u = found[i];
                weights_u[i * columns + j] = weights[i];
            }
        }
        for i in 0..rows {
            let row: Vec<f64> = (0..columns).map(|j| value(i, j)).collect();
            let found = slopes(&self.v.x, &row, Smoothness::Akima, false);
            let weights = weights(&self.v.x, &row);
            for j in 0..columns {
                nodes[i * columns + j].v = found[j];
                weights_v[i * columns + j] = weights[j];
            }
        }
        if rows > 1 && columns > 1 {
            let twists = self.twists();
            for (place, node) in nodes.iter_mut().enumerate() {
                let (i, j) = (place / columns, place % columns);
                let (a, b) = (weights_u[place], weights_v[place]);
                node.uv = a[0] * (b[0] * twists[i][j] + b[1] * twists[i][j + 1])
                    + a[1] * (b[0] * twists[i + 1][j] + b[1] * twists[i + 1][j + 1]);
            }
        }
        self.nodes = nodes;
    }

    /// The mixed difference quotient of every rectangle, with one more around the grid on all sides, in which the quotients
    /// go on as the last ones change.
    fn twists(&self) -> Vec<Vec<f64>> {
        let (rows, columns) = (self.u.x.len(), self.v.x.len());
        let value = |i: usize, j: usize| self.nodes[i * columns + j].value;
        let quotient = |i: usize, j: usize| {
            let area = (self.u.x[i + 1] - self.u.x[i]) * (self.v.x[j + 1] - self.v.x[j]);
            (value(i + 1, j + 1) - value(i + 1, j) - value(i, j + 1) + value(i, j)) / area
        };
        let one_more = |list: &[f64]| {
            let all = extended(list, false);
            all[1..all.len() - 1].to_vec()
        };
        let wide: Vec<Vec<f64>> = (0..rows - 1)
            .map(|i| one_more(&(0..columns - 1).map(|j| quotient(i, j)).collect::<Vec<_>>()))
            .collect();
        let mut twists = vec![vec![0.0; columns + 1]; rows + 1];
        for j in 0..=columns {
            let column: Vec<f64> = wide.iter().map(|row| row[j]).collect();
            for (i, twist) in one_more(&column).into_iter().enumerate() {
                twists[i][j] = twist;
            }
        }
        twists
    }
}

/// The shares of the lines to the left and to the right in Akima's slope at each point.
fn weights(x: &[f64], y: &[f64]) -> Vec<[f64; 2]> {
    if x.len() < 2 {
        return vec![[0.5; 2]; x.len()];
    }
    let d: Vec<f64> = x.windows(2).zip(y.windows(2)).map(|(x, y)| (y[1] - y[0]) / (x[1] - x[0])).collect();
    let around = extended(&d, false);
    let shares = |i: usize| {
        let left = (around[i + 3] - around[i + 2]).abs();
        let right = (around[i + 1] - around[i]).abs();
        let sum = left + right;
        if sum > 0.0 { [left / sum, right / sum] } else { [0.5; 2] }
    };
    (0..x.len()).map(shares).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surface(smoothness: Smoothness, extrapolation: Extrapolation) -> Surface {
        #[rustfmt::skip]
        let elements = vec![
            0.0, 1.0, 2.0, 4.0,
            0.0, 0.0, 1.0, 3.0,
            2.0, 4.0, 7.0, 5.0,
            3.0, 1.0, 0.0, 2.0,
        ];
        Surface::new(&Matrix { rows: 4, columns: 4, elements }, smoothness, extrapolation).unwrap()
    }

    fn check(surface: &Surface, u: f64, v: f64, value: f64) {
        let found = surface.at(u, v).unwrap().value;
        assert!((found - value).abs() < 1e-12, "at {u}, {v}: {found} and not {value}");
    }

    #[test]
    fn planes_twisted_between_lines() {
        let lines = surface(Smoothness::Linear, Extrapolation::LastTwoPoints);
        // the middle of four points: (0 + 1 + 4 + 7)/4
        check(&lines, 1.0, 1.5, 3.0);
        check(&lines, 2.0, 4.0, 5.0);
        // one step above in u1: on from (5, 2) with -3; one below in u2: from (0, 1) with 1
        check(&lines, 4.0, 4.0, -1.0);
        check(&lines, 0.0, 0.0, -1.0);
        let at = lines.at(1.0, 1.5).unwrap();
        // (4 + 7 - 0 - 1)/2/2, (1 + 7 - 0 - 4)/2, (7 - 4 - 1 + 0)/2
        assert_eq!((at.u, at.v, at.uv, at.uu), (2.5, 2.0, 1.0, 0.0));
        check(&surface(Smoothness::Linear, Extrapolation::Hold), 9.0, 9.0, 2.0);
        // periods of 3 in both
        check(&surface(Smoothness::Linear, Extrapolation::Periodic), 4.0, -1.5, 3.0);
        assert!(surface(Smoothness::Linear, Extrapolation::None).at(0.0, 0.5).is_err());
    }

    #[test]
    fn steps_in_both_directions() {
        let steps = surface(Smoothness::Constant, Extrapolation::Hold);
        check(&steps, 1.9, 1.9, 0.0);
        check(&steps, 2.0, 3.9, 7.0);
        check(&steps, 3.0, 4.0, 2.0);
    }

    #[test]
    fn a_cubic_surface_goes_through_its_points_and_keeps_products() {
        let akima = surface(Smoothness::Akima, Extrapolation::LastTwoPoints);
        check(&akima, 2.0, 2.0, 7.0);
        check(&akima, 3.0, 4.0, 2.0);
        // along a line of the grid it is Akima's curve: over 1, 2, 4 the values 4, 7, 5 with lines 3, -1 and
        // beyond 11, 7 | 3, -1 | -5, -9. Slopes: (4·7 + 4·3)/8 = 5, 1, (4·(-1) + 4·(-5))/8 = -3.
        // In the middle of [2, 4]: (7 + 5)/2 + 2·(1 + 3)/8 = 7
        check(&akima, 2.0, 3.0, 7.0);
        // a surface u1·u2 has the mixed derivative 1 everywhere, and is met exactly
        let x = [0.0, 1.0, 3.0, 4.0];
        let mut elements = vec![0.0; 25];
        for i in 0..4 {
            elements[i + 1] = x[i];
            elements[5 * (i + 1)] = x[i];
            for j in 0..4 {
                elements[5 * (i + 1) + j + 1] = x[i] * x[j];
            }
        }
        let matrix = Matrix { rows: 5, columns: 5, elements };
        let product = Surface::new(&matrix, Smoothness::Akima, Extrapolation::LastTwoPoints).unwrap();
        check(&product, 0.7, 3.4, 0.7 * 3.4);
        check(&product, 5.0, -1.0, -5.0);
        assert!((product.at(0.3, 2.0).unwrap().uv - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_single_row_of_values_does_not_depend_on_the_other_axis() {
        let matrix = Matrix { rows: 2, columns: 3, elements: vec![0.0, 1.0, 2.0, 5.0, 10.0, 20.0] };
        let surface = Surface::new(&matrix, Smoothness::Akima, Extrapolation::Hold).unwrap();
        check(&surface, 77.0, 1.5, 15.0);
        assert!(Surface::new(&matrix, Smoothness::Steffen, Extrapolation::Hold).is_err());
    }
}
