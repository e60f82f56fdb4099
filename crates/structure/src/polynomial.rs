//! Small determinants, multiplied out: whether they vanish somewhere shows only when their terms meet.
//!
//! `cos(a)*cos(a) + sin(a)*sin(a)` is never zero, though each of its terms can be. Expressions become sums of products of
//! *atoms* (variables, calls), and the square of a sine is written by the cosine. So is the square of the last component of a vector of
//! fixed length by the others, where an equation of the model says its length: the components of quaternions and of directions. These
//! rules have different atoms on their left sides, so that they come to one result in any order (Buchberger's first criterion).

use std::collections::BTreeMap;

use rhei_equations::{Binary, Dae, Elementary, ExprId, Node, Pool, VarId};
use rustc_hash::FxHashMap;

use crate::constraints::terms;
use crate::nonzero::{Range, Ranges, is_steady};

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

    fn times(&self, other: &Polynomial, squares: &Squares, pool: &mut Pool) -> Option<Self> {
        let mut result = Polynomial::default();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                let mut powers: BTreeMap<ExprId, u32> = a.iter().copied().collect();
                b.iter().for_each(|&(atom, n)| *powers.entry(atom).or_default() += n);
                result.add_without_squares(powers, x * y, squares, pool)?;
            }
        }
        result.0.retain(|_, factor| *factor != 0.0);
        Some(result)
    }

    /// Adds a product in which `sin(a)^2` becomes `1 - cos(a)^2`, and known squares what they are equal to.
    fn add_without_squares(
        &mut self,
        powers: BTreeMap<ExprId, u32>,
        factor: f64,
        squares: &Squares,
        pool: &mut Pool,
    ) -> Option<()> {
        let mut open = vec![(powers, factor)];
        while let Some((powers, factor)) = open.pop() {
            let squared = powers.iter().filter(|(_, n)| **n >= 2);
            let squared =
                squared.map(|(&atom, _)| atom).find_map(|atom| Some((atom, squares.of(pool, atom)?)));
            let Some((atom, equal)) = squared else {
                self.add(powers.into_iter().filter(|&(_, n)| n > 0).collect(), factor)?;
                continue;
            };
            for (product, of_product) in &equal.0 {
                let mut powers = powers.clone();
                *powers.entry(atom).or_default() -= 2;
                product.iter().for_each(|&(atom, n)| *powers.entry(atom).or_default() += n);
                open.push((powers, factor * of_product));
            }
            if open.len() > MOST_TERMS {
                return None;
            }
        }
        Some(())
    }

    /// An expression; `None` where it has too many terms.
    fn of(pool: &mut Pool, squares: &Squares, e: ExprId) -> Option<Polynomial> {
        let mut made: rustc_hash::FxHashMap<ExprId, Polynomial> = rustc_hash::FxHashMap::default();
        for e in pool.below(&[e]) {
            let polynomial = match pool.node(e) {
                Node::Number(bits) => Polynomial::constant(f64::from_bits(bits)),
                Node::Negate(a) => Polynomial::default().plus(made.get(&a)?, -1.0)?,
                Node::Binary(Binary::Add, a, b) => made.get(&a)?.clone().plus(made.get(&b)?, 1.0)?,
                Node::Binary(Binary::Sub, a, b) => made.get(&a)?.clone().plus(made.get(&b)?, -1.0)?,
                Node::Binary(Binary::Mul, a, b) => made.get(&a)?.times(made.get(&b)?, squares, pool)?,
                Node::Binary(Binary::Div, a, b) if pool.as_number(b).is_some_and(|b| b != 0.0) => {
                    let divisor = pool.as_number(b)?;
                    Polynomial::default().plus(made.get(&a)?, 1.0 / divisor)?
                }
                Node::Binary(Binary::Pow, a, b) if pool.as_number(b) == Some(2.0) => {
                    made.get(&a)?.times(made.get(&a)?, squares, pool)?
                }
                _ => Polynomial::atom(e),
            };
            made.insert(e, polynomial);
        }
        made.remove(&e)
    }

    /// The product of highest degree; of several, that with the highest power of the last atom in which they differ.
    fn leading(&self) -> Option<(&Product, f64)> {
        let order = |product: &&Product| {
            let degree: u32 = product.iter().map(|(_, n)| n).sum();
            let reversed: Vec<(ExprId, u32)> = product.iter().rev().copied().collect();
            (degree, reversed)
        };
        let leading = self.0.keys().max_by_key(order)?;
        Some((leading, self.0[leading]))
    }

    /// Whether it is made of parameters, and not zero as the model is written.
    fn is_steady_pivot(&self, pool: &Pool, ranges: &mut Ranges<'_>) -> bool {
        let mut atoms = self.0.keys().flatten();
        let is_steady = !self.0.is_empty() && atoms.all(|&(atom, _)| ranges.is_steady(pool, atom));
        is_steady && self.present(pool, ranges) != Some(0.0)
    }

    /// The value as the model is written, if it is known.
    fn present(&self, pool: &Pool, ranges: &mut Ranges<'_>) -> Option<f64> {
        let mut sum = 0.0;
        for (product, factor) in &self.0 {
            let mut value = *factor;
            for &(atom, n) in product {
                value *= ranges.present(pool, atom)?.powi(n as i32);
            }
            sum += value;
        }
        Some(sum)
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

/// What the square of an atom is equal to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Squares(FxHashMap<ExprId, Polynomial>);

impl Squares {
    /// From the equations of a model that say the length of a vector, `x^2 + y^2 + z^2 = L^2`: the square of the last component,
    /// where a length is made of numbers and parameters.
    pub(crate) fn new(equations: &Dae, pool: &mut Pool) -> Squares {
        let mut squares = Squares::default();
        for equation in equations.equations.iter().filter(|e| !e.is_discrete && e.balance.is_none()) {
            if let Some((last, equal)) = last_square(equations, pool, equation.lhs, equation.rhs) {
                squares.0.entry(last).or_insert(equal);
            }
        }
        squares
    }

    fn of(&self, pool: &mut Pool, atom: ExprId) -> Option<Polynomial> {
        match pool.node(atom) {
            Node::Call(Elementary::Sin, angle) => {
                let cosine = pool.call(Elementary::Cos, angle);
                let squared = Polynomial(BTreeMap::from([(vec![(cosine, 2)], -1.0)]));
                squared.plus(&Polynomial::constant(1.0), 1.0)
            }
            _ => self.0.get(&atom).cloned(),
        }
    }
}

/// The last variable of a sum of squares with one factor that is constant, and what its square is.
fn last_square(equations: &Dae, pool: &mut Pool, lhs: ExprId, rhs: ExprId) -> Option<(ExprId, Polynomial)> {
    let mut squared: Vec<(VarId, ExprId, f64)> = Vec::new();
    let mut rest = Vec::new();
    for (term, is_negative) in terms(pool, lhs, rhs) {
        let sign = if is_negative { -1.0 } else { 1.0 };
        match pool.node(term) {
            _ if is_steady(equations, pool, term) => rest.push((term, sign)),
            Node::Binary(Binary::Mul, a, b) if a == b => {
                squared.push((unknown(equations, pool, a)?, a, sign))
            }
            Node::Binary(Binary::Pow, a, n) if pool.as_number(n) == Some(2.0) => {
                squared.push((unknown(equations, pool, a)?, a, sign));
            }
            _ => return None,
        }
    }
    squared.sort_unstable_by_key(|&(v, ..)| v);
    let &(_, last, sign) = squared.last()?;
    let is_repeated = squared.windows(2).any(|pair| pair[0].0 == pair[1].0);
    if squared.len() < 2 || is_repeated || squared.iter().any(|&(.., other)| other != sign) {
        return None;
    }
    let mut equal = Polynomial::default();
    for &(_, atom, _) in &squared[..squared.len() - 1] {
        equal.add(vec![(atom, 2)], -1.0)?;
    }
    for (term, of_term) in rest {
        let term = Polynomial::of(pool, &Squares::default(), term)?;
        equal = equal.plus(&term, -of_term * sign)?;
    }
    Some((last, equal))
}

fn unknown(equations: &Dae, pool: &Pool, e: ExprId) -> Option<VarId> {
    match pool.node(e) {
        Node::Variable(v) if equations.variable(v).is_unknown() && !equations.variable(v).is_discrete => {
            Some(v)
        }
        _ => None,
    }
}

/// Most steps of a division: they are for entries that are nearly the same.
const MOST_STEPS: usize = 256;

/// A factor that is this small beside the largest one is rounding.
const ROUNDING: f64 = 1e-12;

/// Whether `e` vanishes wherever all of `others` do, because it is a combination of them: it leaves nothing when it is divided by
/// them as a polynomial (Cox, Little & O'Shea 2015, 2.3). There are combinations that this does not find.
pub(crate) fn vanishes_with(pool: &mut Pool, squares: &Squares, e: ExprId, others: &[ExprId]) -> bool {
    let divisors: Option<Vec<Polynomial>> =
        others.iter().map(|&e| Polynomial::of(pool, squares, e)).collect();
    let (Some(divisors), Some(mut rest)) = (divisors, Polynomial::of(pool, squares, e)) else { return false };
    let largest = rest.0.values().fold(0.0_f64, |largest, factor| largest.max(factor.abs()));
    for _ in 0..MOST_STEPS {
        rest.0.retain(|_, factor| factor.abs() > ROUNDING * largest);
        let Some((leading, factor)) = rest.leading() else { return true };
        let step = divisors.iter().find_map(|divisor| {
            let (of_divisor, by) = divisor.leading()?;
            Some((divisor, quotient(leading, of_divisor)?, factor / by))
        });
        let Some((divisor, product, factor)) = step else { return false };
        let product = Polynomial(BTreeMap::from([(product, factor)]));
        let taken = product.times(divisor, squares, pool);
        match taken.and_then(|taken| rest.plus(&taken, -1.0)) {
            Some(next) => rest = next,
            None => return false,
        }
    }
    false
}

/// A product without the factors of another, if it has them all.
fn quotient(product: &Product, by: &Product) -> Option<Product> {
    let mut powers: BTreeMap<ExprId, u32> = product.iter().copied().collect();
    for (atom, n) in by {
        let own = powers.get_mut(atom)?;
        *own = own.checked_sub(*n)?;
    }
    Some(powers.into_iter().filter(|&(_, n)| n > 0).collect())
}

/// Whether a determinant may vanish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vanishes {
    Never,
    /// It is made of numbers and parameters: during the whole run, or never.
    WithParameters,
    Perhaps,
}

/// Whether a determinant, given by its entries row by row, may vanish.
pub(crate) fn determinant_vanishes(
    pool: &mut Pool,
    ranges: &mut Ranges<'_>,
    squares: &Squares,
    entries: &[Vec<Option<ExprId>>],
) -> Vanishes {
    if entries.len() > LARGEST_DETERMINANT {
        return Vanishes::Perhaps;
    }
    let polynomials: Option<Vec<Vec<Polynomial>>> = entries
        .iter()
        .map(|row| {
            let entry = |e: &Option<ExprId>| {
                e.map_or(Some(Polynomial::default()), |e| Polynomial::of(pool, squares, e))
            };
            row.iter().map(entry).collect()
        })
        .collect();
    let columns: Vec<usize> = (0..entries.len()).collect();
    let determinant = polynomials.and_then(|matrix| minor(&matrix, 0, &columns, squares, pool));
    match determinant {
        Some(determinant) if determinant.range(pool, ranges).excludes_zero() => Vanishes::Never,
        Some(determinant) if determinant.is_steady_pivot(pool, ranges) => Vanishes::WithParameters,
        _ => Vanishes::Perhaps,
    }
}

/// The determinant of the rows from `row` on and these columns, expanded along its first row.
fn minor(
    matrix: &[Vec<Polynomial>],
    row: usize,
    columns: &[usize],
    squares: &Squares,
    pool: &mut Pool,
) -> Option<Polynomial> {
    if columns.is_empty() {
        return Some(Polynomial::constant(1.0));
    }
    let mut sum = Polynomial::default();
    for (place, &column) in columns.iter().enumerate() {
        if matrix[row][column].0.is_empty() {
            continue;
        }
        let others: Vec<usize> = columns.iter().copied().filter(|&other| other != column).collect();
        let below = minor(matrix, row + 1, &others, squares, pool)?;
        let product = matrix[row][column].times(&below, squares, pool)?;
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
        let squares = Squares::new(&model, &mut pool);
        determinant_vanishes(&mut pool, &mut Ranges::new(&model), &squares, &rows) == Vanishes::Never
    }

    #[test]
    fn terms_meet() {
        assert!(is_nonzero(&["cos(x)", "sin(x)", "-sin(x)", "cos(x)"]), "a rotation");
        assert!(is_nonzero(&["m*cos(x)", "sin(x)", "-m*sin(x)", "cos(x)"]));
        assert!(!is_nonzero(&["x", "y", "x - 1", "y"]));
        assert!(is_nonzero(&["x", "x + 1", "x - 1", "x"]), "x^2 - (x^2 - 1)");
        assert!(!is_nonzero(&["cos(x)", "sin(x)", "sin(x)", "cos(x)"]), "cos(2 x)");
    }

    #[test]
    fn squares_are_those_of_the_model() {
        let vanishes = |length: &str, entries: [&str; 4]| {
            let mut text =
                "model M\n  parameter L\n  unknown c\n  unknown s\n  unknown z\nequation\n".to_owned();
            text += &format!("  c^2 + s*s {length}\n");
            entries.iter().for_each(|entry| text += &format!("  z = {entry}\n"));
            let model = read(&text).unwrap();
            let mut pool = model.pool.clone();
            let entries: Vec<Option<ExprId>> = model.equations[1..].iter().map(|e| Some(e.rhs)).collect();
            let rows: Vec<Vec<Option<ExprId>>> = entries.chunks(2).map(<[_]>::to_vec).collect();
            let squares = Squares::new(&model, &mut pool);
            determinant_vanishes(&mut pool, &mut Ranges::new(&model), &squares, &rows)
        };
        let rotation = ["c", "-s", "s", "c"];
        assert_eq!(vanishes("= 1", rotation), Vanishes::Never);
        assert_eq!(vanishes("- L^2 = 0", rotation), Vanishes::WithParameters);
        assert_eq!(vanishes("= z", rotation), Vanishes::Perhaps, "the length may vanish");
        assert_eq!(vanishes("= z^2", rotation), Vanishes::Perhaps, "a cone");
        assert_eq!(vanishes("= 1", ["c", "s", "s", "c"]), Vanishes::Perhaps);
    }

    #[test]
    fn combinations_vanish_with_what_they_are_made_of() {
        let model = read(
            "model M\n  parameter L\n  unknown x\n  unknown y\n  unknown z\nequation\n  x = y\n  0 = -3*(x - z)\n  0 = L*(x - z) + y*x\n\
             0 = x + z\n  0 = (x - z)*sin(y)\n  0 = x - z\n  0 = 2*y\n",
        )
        .unwrap();
        let mut pool = model.pool.clone();
        let e = |i: usize| model.equations[i].rhs;
        let mut vanishes = |i: usize| vanishes_with(&mut pool, &Squares::default(), e(i), &[e(5), e(6)]);
        assert_eq!([1, 2, 3, 4].map(&mut vanishes), [true, true, false, true]);
    }
}
