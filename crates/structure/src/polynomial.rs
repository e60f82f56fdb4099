//! Small determinants, multiplied out: whether they vanish somewhere shows only when their terms meet.
//!
//! `cos(a)*cos(a) + sin(a)*sin(a)` is never zero, though each of its terms can be. Expressions become sums of products of
//! *atoms* (variables, calls), and the square of a sine is written by the cosine.

use std::collections::BTreeMap;

use rhei_equations::{Binary, Elementary, ExprId, Node, Pool};

use crate::nonzero::{Range, Ranges};

/// Beyond so many terms nothing is to be gained.
const MOST_TERMS: usize = 128;

/// The largest determinant that is multiplied out.
pub(crate) const LARGEST_DETERMINANT: usize = 4;

type Product = Vec<(ExprId, u32)>;

/// A sum of products of atoms, each product with its factor.
#[derive(Clone, Debug, Default, PartialEq)]
struct Polynomial(BTreeMap<Product, f64>);

impl Polynomial {
    fn constant(value: f64) -> Self {
        Polynomial(BTreeMap::from([(Vec::new(), value)]))
    }

    fn atom(e: ExprId) -> Self {
        Polynomial(BTreeMap::from([(vec![(e, 1)], 1.0)]))
    }

    fn add(&mut self, product: Product, factor: f64) -> Option<()> {
        let sum = self.0.entry(product).or_insert(0.0);
        *sum += factor;
        (self.0.len() <= MOST_TERMS).then_some(())
    }

    fn plus(mut self, other: &Polynomial, sign: f64) -> Option<Self> {
        for (product, factor) in &other.0 {
            self.add(product.clone(), sign * factor)?;
        }
        Some(self)
    }

    fn times(&self, other: &Polynomial, pool: &mut Pool) -> Option<Self> {
        let mut result = Polynomial::default();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                let mut powers: BTreeMap<ExprId, u32> = a.iter().copied().collect();
                b.iter().for_each(|&(atom, n)| *powers.entry(atom).or_default() += n);
                result.add_without_squared_sines(powers, x * y, pool)?;
            }
        }
        result.0.retain(|_, factor| *factor != 0.0);
        Some(result)
    }

    /// Adds a product in which `sin(a)^2` becomes `1 - cos(a)^2`.
    fn add_without_squared_sines(
        &mut self,
        powers: BTreeMap<ExprId, u32>,
        factor: f64,
        pool: &mut Pool,
    ) -> Option<()> {
        let mut open = vec![(powers, factor)];
        while let Some((mut powers, factor)) = open.pop() {
            let squared = powers.iter().find_map(|(&atom, &n)| match pool.node(atom) {
                Node::Call(Elementary::Sin, angle) if n >= 2 => Some((atom, angle)),
                _ => None,
            });
            let Some((sine, angle)) = squared else {
                self.add(powers.into_iter().filter(|&(_, n)| n > 0).collect(), factor)?;
                continue;
            };
            *powers.entry(sine).or_default() -= 2;
            let cosine = pool.call(Elementary::Cos, angle);
            let mut with_cosine = powers.clone();
            *with_cosine.entry(cosine).or_default() += 2;
            open.push((powers, factor));
            open.push((with_cosine, -factor));
        }
        Some(())
    }

    /// An expression; `None` where it has too many terms.
    fn of(pool: &mut Pool, e: ExprId) -> Option<Polynomial> {
        let mut made: rustc_hash::FxHashMap<ExprId, Polynomial> = rustc_hash::FxHashMap::default();
        for e in pool.below(&[e]) {
            let polynomial = match pool.node(e) {
                Node::Number(bits) => Polynomial::constant(f64::from_bits(bits)),
                Node::Negate(a) => Polynomial::default().plus(made.get(&a)?, -1.0)?,
                Node::Binary(Binary::Add, a, b) => made.get(&a)?.clone().plus(made.get(&b)?, 1.0)?,
                Node::Binary(Binary::Sub, a, b) => made.get(&a)?.clone().plus(made.get(&b)?, -1.0)?,
                Node::Binary(Binary::Mul, a, b) => made.get(&a)?.times(made.get(&b)?, pool)?,
                Node::Binary(Binary::Div, a, b) if pool.as_number(b).is_some_and(|b| b != 0.0) => {
                    let divisor = pool.as_number(b)?;
                    Polynomial::default().plus(made.get(&a)?, 1.0 / divisor)?
                }
                Node::Binary(Binary::Pow, a, b) if pool.as_number(b) == Some(2.0) => {
                    made.get(&a)?.times(made.get(&a)?, pool)?
                }
                _ => Polynomial::atom(e),
            };
            made.insert(e, polynomial);
        }
        made.remove(&e)
    }

    fn range(&self, pool: &Pool, ranges: &mut Ranges<'_>) -> Range {
        let mut sum = Range::new(0.0, 0.0);
        for (product, &factor) in self.0.iter().filter(|(_, factor)| **factor != 0.0) {
            let mut range = Range::new(factor, factor);
            for &(atom, n) in product {
                range = range.times(ranges.of(pool, atom).power(n));
            }
            sum = sum.plus(range);
        }
        sum
    }
}

/// Whether a determinant, given by its entries row by row, is never zero.
pub(crate) fn determinant_excludes_zero(
    pool: &mut Pool,
    ranges: &mut Ranges<'_>,
    entries: &[Vec<Option<ExprId>>],
) -> bool {
    if entries.len() > LARGEST_DETERMINANT {
        return false;
    }
    let polynomials: Option<Vec<Vec<Polynomial>>> = entries
        .iter()
        .map(|row| {
            row.iter().map(|e| e.map_or(Some(Polynomial::default()), |e| Polynomial::of(pool, e))).collect()
        })
        .collect();
    let columns: Vec<usize> = (0..entries.len()).collect();
    let determinant = polynomials.and_then(|matrix| minor(&matrix, 0, &columns, pool));
    determinant.is_some_and(|determinant| determinant.range(pool, ranges).excludes_zero())
}

/// The determinant of the rows from `row` on and these columns, expanded along its first row.
fn minor(matrix: &[Vec<Polynomial>], row: usize, columns: &[usize], pool: &mut Pool) -> Option<Polynomial> {
    if columns.is_empty() {
        return Some(Polynomial::constant(1.0));
    }
    let mut sum = Polynomial::default();
    for (place, &column) in columns.iter().enumerate() {
        if matrix[row][column].0.is_empty() {
            continue;
        }
        let others: Vec<usize> = columns.iter().copied().filter(|&other| other != column).collect();
        let below = minor(matrix, row + 1, &others, pool)?;
        let product = matrix[row][column].times(&below, pool)?;
        sum = sum.plus(&product, if place % 2 == 0 { 1.0 } else { -1.0 })?;
    }
    sum.0.retain(|_, factor| *factor != 0.0);
    Some(sum)
}

#[cfg(test)]
mod tests {
    use rhei_equations::read;

    use super::*;

    /// Whether the determinant of a square of expressions, row by row, is found to be never zero.
    fn is_nonzero(texts: &[&str]) -> bool {
        let n = (texts.len() as f64).sqrt() as usize;
        let mut text = "model M\n  parameter m(min = 1)\n  unknown x\n  unknown y\nequation\n".to_owned();
        texts.iter().for_each(|entry| text += &format!("  0 = {entry}\n"));
        let model = read(&text).unwrap();
        let entries: Vec<Option<ExprId>> =
            model.equations.iter().map(|equation| Some(equation.rhs)).collect();
        let rows: Vec<Vec<Option<ExprId>>> = entries.chunks(n).map(<[_]>::to_vec).collect();
        let mut pool = model.pool.clone();
        determinant_excludes_zero(&mut pool, &mut Ranges::new(&model), &rows)
    }

    #[test]
    fn terms_meet() {
        assert!(is_nonzero(&["cos(x)", "sin(x)", "-sin(x)", "cos(x)"]), "a rotation");
        assert!(is_nonzero(&["m*cos(x)", "sin(x)", "-m*sin(x)", "cos(x)"]));
        assert!(!is_nonzero(&["x", "y", "x - 1", "y"]));
        assert!(is_nonzero(&["x", "x + 1", "x - 1", "x"]), "x^2 - (x^2 - 1)");
        assert!(!is_nonzero(&["cos(x)", "sin(x)", "sin(x)", "cos(x)"]), "cos(2 x)");
    }
}
