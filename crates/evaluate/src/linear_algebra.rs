//! Products of vectors and matrices (MLS §10.6.5, §10.6.9) and functions of them (MLS §10.3.5).

use rhei_flat::{Arithmetic, Scalar};
use rhei_source::Span;

use crate::arithmetic::{arithmetic, ill_typed, mismatch, negate};
use crate::{ArrayValue, Failure, Value};

/// `a*b` of vectors and matrices.
pub(crate) fn product(a: &Value, b: &Value, span: Span) -> Result<Value, Failure> {
    let (Value::Array(x), Value::Array(y)) = (a, b) else {
        return arithmetic(Arithmetic::Multiply, a, b, span);
    };
    // A vector on the left is a row, on the right a column; those dimensions are left out of the result.
    let (rows, inner) = match *x.sizes() {
        [inner] => (1, inner),
        [rows, inner] => (rows, inner),
        _ => return Err(ill_typed("a vector or matrix", a, span)),
    };
    let (height, columns) = match *y.sizes() {
        [height] => (height, 1),
        [height, columns] => (height, columns),
        _ => return Err(ill_typed("a vector or matrix", b, span)),
    };
    if inner != height {
        return Err(mismatch("the factors of a matrix product", x.sizes(), y.sizes(), span));
    }
    let scalar = match (x.scalar(), y.scalar()) {
        (Scalar::Integer, Scalar::Integer) => Scalar::Integer,
        _ => Scalar::Real,
    };
    let mut elements = Vec::with_capacity(rows * columns);
    for i in 0..rows {
        let row = &x.elements()[i * inner..(i + 1) * inner];
        for column in 0..columns {
            let factors = (0..inner).map(|k| (&row[k], &y.elements()[k * columns + column]));
            elements.push(inner_product(factors, scalar, span)?);
        }
    }
    let sizes: Vec<usize> = match (x.dimensions(), y.dimensions()) {
        (1, 1) => return Ok(elements.remove(0)),
        (1, _) => vec![columns],
        (_, 1) => vec![rows],
        _ => vec![rows, columns],
    };
    Ok(ArrayValue::new(scalar, sizes, elements).into())
}

/// `a^n` of a square matrix: repeated multiplication, from the left.
pub(crate) fn power(a: &Value, n: i64, span: Span) -> Result<Value, Failure> {
    let &[rows, columns] = a.sizes() else { return Err(ill_typed("a square matrix", a, span)) };
    if rows != columns {
        return Err(mismatch("a matrix that is raised to a power", &[rows], &[columns], span));
    }
    if n < 0 {
        let what = format!("a matrix cannot be raised to the power {n}: the exponent has to be 0 or more");
        return Err(Failure::WrongArgument { what, span });
    }
    let scalar = a.scalar().unwrap_or(Scalar::Real);
    (1..n).try_fold(if n == 0 { identity(rows, scalar) } else { a.clone() }, |so_far, _| {
        product(&so_far, a, span)
    })
}

/// Ones on the diagonal of a square matrix.
pub(crate) fn identity(n: usize, scalar: Scalar) -> Value {
    diagonal_of(n, scalar, |_| one(scalar))
}

/// `diagonal(v)`
pub(crate) fn diagonal(v: &Value, span: Span) -> Result<Value, Failure> {
    let &[n] = v.sizes() else { return Err(ill_typed("a vector", v, span)) };
    Ok(diagonal_of(n, v.scalar().unwrap_or(Scalar::Real), |i| v.elements()[i].clone()))
}

/// `transpose(a)`: the first two dimensions are exchanged.
pub(crate) fn transpose(a: &Value, span: Span) -> Result<Value, Failure> {
    let Value::Array(array) = a else { return Err(ill_typed("a matrix", a, span)) };
    let [rows, columns, rest @ ..] = array.sizes() else { return Err(ill_typed("a matrix", a, span)) };
    let block: usize = rest.iter().product();
    let mut elements = Vec::with_capacity(array.elements().len());
    for j in 0..*columns {
        for i in 0..*rows {
            let start = (i * columns + j) * block;
            elements.extend_from_slice(&array.elements()[start..start + block]);
        }
    }
    let sizes = [*columns, *rows].into_iter().chain(rest.iter().copied()).collect();
    Ok(ArrayValue::new(array.scalar(), sizes, elements).into())
}

/// `outerProduct(x, y)`
pub(crate) fn outer_product(x: &Value, y: &Value, span: Span) -> Result<Value, Failure> {
    let column = matrix_of(x, |n| vec![n, 1], span)?;
    let row = matrix_of(y, |n| vec![1, n], span)?;
    product(&column, &row, span)
}

/// `symmetric(a)`: the upper triangle, copied to the lower one.
pub(crate) fn symmetric(a: &Value, span: Span) -> Result<Value, Failure> {
    let Value::Array(array) = a else { return Err(ill_typed("a square matrix", a, span)) };
    let &[n, columns] = array.sizes() else { return Err(ill_typed("a square matrix", a, span)) };
    if n != columns {
        return Err(mismatch("a matrix that is to be symmetric", &[n], &[columns], span));
    }
    let places = (0..n).flat_map(|i| (0..n).map(move |j| (i.min(j), i.max(j))));
    let elements = places.map(|(i, j)| array.elements()[i * n + j].clone()).collect();
    Ok(ArrayValue::new(array.scalar(), vec![n, n], elements).into())
}

/// `cross(x, y)`
pub(crate) fn cross(x: &Value, y: &Value, span: Span) -> Result<Value, Failure> {
    let (a, b) = (three(x, span)?, three(y, span)?);
    let minor = |i: usize, j: usize| {
        let first = arithmetic(Arithmetic::Multiply, &a[i], &b[j], span)?;
        let second = arithmetic(Arithmetic::Multiply, &a[j], &b[i], span)?;
        arithmetic(Arithmetic::Subtract, &first, &second, span)
    };
    let elements = vec![minor(1, 2)?, minor(2, 0)?, minor(0, 1)?];
    let scalar = elements[0].scalar().unwrap_or(Scalar::Real);
    Ok(ArrayValue::vector(scalar, elements).into())
}

/// `skew(x)`
pub(crate) fn skew(x: &Value, span: Span) -> Result<Value, Failure> {
    let scalar = x.scalar().unwrap_or(Scalar::Real);
    let zero = || zero(scalar);
    let [a, b, c] = three(x, span)?;
    let minus = |v: &Value| negate(v, span);
    let rows = vec![zero(), minus(c)?, b.clone(), c.clone(), zero(), minus(a)?, minus(b)?, a.clone(), zero()];
    Ok(ArrayValue::new(scalar, vec![3, 3], rows).into())
}

/// The sum of products, from the left, starting with the first one: bit for bit the sum as written out.
fn inner_product<'a>(
    factors: impl Iterator<Item = (&'a Value, &'a Value)>,
    scalar: Scalar,
    span: Span,
) -> Result<Value, Failure> {
    let mut sum = None;
    for (a, b) in factors {
        let term = arithmetic(Arithmetic::Multiply, a, b, span)?;
        sum = Some(match sum {
            None => term,
            Some(sum) => arithmetic(Arithmetic::Add, &sum, &term, span)?,
        });
    }
    Ok(sum.unwrap_or_else(|| zero(scalar)))
}

/// Zero, as a number of this type.
pub(crate) fn zero(scalar: Scalar) -> Value {
    if scalar == Scalar::Integer { Value::Integer(0) } else { Value::Real(0.0) }
}

/// One, as a number of this type.
pub(crate) fn one(scalar: Scalar) -> Value {
    if scalar == Scalar::Integer { Value::Integer(1) } else { Value::Real(1.0) }
}

fn diagonal_of(n: usize, scalar: Scalar, on_it: impl Fn(usize) -> Value) -> Value {
    let places = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let elements = places.map(|(i, j)| if i == j { on_it(i) } else { zero(scalar) }).collect();
    ArrayValue::new(scalar, vec![n, n], elements).into()
}

fn matrix_of(v: &Value, sizes: impl Fn(usize) -> Vec<usize>, span: Span) -> Result<Value, Failure> {
    match v {
        Value::Array(array) if array.dimensions() == 1 => {
            Ok(array.clone().reshaped(sizes(array.sizes()[0])).into())
        }
        other => Err(ill_typed("a vector", other, span)),
    }
}

fn three(v: &Value, span: Span) -> Result<&[Value; 3], Failure> {
    match v {
        Value::Array(array) => <&[Value; 3]>::try_from(array.elements())
            .map_err(|_| mismatch("a vector of space", &[3], array.sizes(), span)),
        other => Err(ill_typed("a vector", other, span)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{integer_matrix, real_matrix, span};

    #[test]
    fn shapes_of_products() {
        let m = integer_matrix(&[&[1, 2, 3], &[4, 5, 6]]);
        let v3 = Value::integers([1, 0, 2]);
        let v2 = Value::integers([1, 10]);
        let of = |a: &Value, b: &Value| product(a, b, span());
        assert_eq!(of(&v3, &v3), Ok(Value::Integer(5)));
        assert_eq!(of(&m, &v3), Ok(Value::integers([7, 16])));
        assert_eq!(of(&v2, &m), Ok(Value::integers([41, 52, 63])));
        let t = transpose(&m, span()).unwrap();
        assert_eq!(t, integer_matrix(&[&[1, 4], &[2, 5], &[3, 6]]));
        assert_eq!(of(&m, &t), Ok(integer_matrix(&[&[14, 32], &[32, 77]])));
        assert_eq!(of(&m, &Value::reals([1.0, 0.0, 2.0])), Ok(Value::reals([7.0, 16.0])));
        assert!(matches!(of(&m, &v2), Err(Failure::SizeMismatch { .. })));
    }

    #[test]
    fn products_without_a_common_dimension_are_zero() {
        let tall: Value = ArrayValue::new(Scalar::Real, vec![2, 0], vec![]).into();
        let wide: Value = ArrayValue::new(Scalar::Real, vec![0, 3], vec![]).into();
        assert_eq!(product(&tall, &wide, span()), Ok(real_matrix(&[&[0.0; 3], &[0.0; 3]])));
        assert_eq!(product(&Value::reals([]), &Value::reals([]), span()), Ok(Value::Real(0.0)));
        assert_eq!(product(&Value::integers([]), &Value::integers([]), span()), Ok(Value::Integer(0)));
        let m = product(&wide, &real_matrix(&[&[1.0], &[1.0], &[1.0]]), span()).unwrap();
        assert_eq!(m.sizes(), [0, 1]);
    }

    #[test]
    fn whole_powers_of_matrices() {
        let m = integer_matrix(&[&[1, 1], &[0, 1]]);
        assert_eq!(power(&m, 0, span()), Ok(integer_matrix(&[&[1, 0], &[0, 1]])));
        assert_eq!(power(&m, 5, span()), Ok(integer_matrix(&[&[1, 5], &[0, 1]])));
        assert!(power(&m, -1, span()).is_err());
    }

    #[test]
    fn functions_of_vectors_and_matrices() {
        let (x, y) = (Value::reals([1.0, 2.0, 3.0]), Value::reals([4.0, 5.0, 6.0]));
        let by_cross = cross(&x, &y, span()).unwrap();
        assert_eq!(by_cross, Value::reals([-3.0, 6.0, -3.0]));
        assert_eq!(product(&skew(&x, span()).unwrap(), &y, span()), Ok(by_cross));
        let outer = outer_product(&Value::integers([1, 2]), &Value::integers([3, 4, 5]), span());
        assert_eq!(outer, Ok(integer_matrix(&[&[3, 4, 5], &[6, 8, 10]])));
        let s = symmetric(&integer_matrix(&[&[1, 2], &[3, 4]]), span());
        assert_eq!(s, Ok(integer_matrix(&[&[1, 2], &[2, 4]])));
        let d = diagonal(&Value::integers([1, 2]), span());
        assert_eq!(d, Ok(integer_matrix(&[&[1, 0], &[0, 2]])));
    }
}
