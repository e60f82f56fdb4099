//! Array functions: dimensions, constructors, concatenation (MLS §10.3, §10.4.2).

use rhei_flat::{Scalar, Tables};
use rhei_source::Span;

use crate::arithmetic::{ill_typed, mismatch};
use crate::{ArrayValue, Failure, Value};

/// A size given as an argument.
pub(super) fn size(n: &Value, span: Span) -> Result<usize, Failure> {
    let n = n.as_integer().ok_or_else(|| ill_typed("an Integer", n, span))?;
    usize::try_from(n).map_err(|_| wrong(format!("a size is {n}, and has to be 0 or more"), span))
}

/// `promote(a, n)`: dimensions of size one at the end, up to `n`.
pub(super) fn promote(a: &Value, n: usize, span: Span) -> Result<Value, Failure> {
    let mut sizes = a.sizes().to_vec();
    if n < sizes.len() {
        return Err(wrong(format!("an array of {} dimensions is promoted to {n}", sizes.len()), span));
    }
    sizes.resize(n, 1);
    reshaped(a, sizes, span)
}

/// `scalar(a)`
pub(super) fn scalar(a: &Value, span: Span) -> Result<Value, Failure> {
    match a.elements() {
        [only] => Ok(only.clone()),
        all => Err(wrong(format!("`scalar` of an array with {} elements", all.len()), span)),
    }
}

/// `vector(a)`
pub(super) fn vector(a: &Value, span: Span) -> Result<Value, Failure> {
    if a.sizes().iter().filter(|&&size| size > 1).count() > 1 {
        return Err(wrong(format!("`vector` of an array with the sizes {:?}", a.sizes()), span));
    }
    reshaped(a, vec![a.elements().len()], span)
}

/// `matrix(a)`
pub(super) fn matrix(a: &Value, span: Span) -> Result<Value, Failure> {
    match a.sizes() {
        [rows, columns, rest @ ..] if rest.iter().all(|&size| size == 1) => {
            reshaped(a, vec![*rows, *columns], span)
        }
        [_, _, ..] => Err(wrong(format!("`matrix` of an array with the sizes {:?}", a.sizes()), span)),
        _ => promote(a, 2, span),
    }
}

/// `fill(value, sizes)`
pub(super) fn fill(value: &Value, mut sizes: Vec<usize>) -> Value {
    let count: usize = sizes.iter().product();
    sizes.extend(value.sizes());
    if sizes.is_empty() {
        return value.clone();
    }
    let scalar = value.scalar().unwrap_or(Scalar::Real);
    let repeated = value.elements();
    let elements = std::iter::repeat_n(repeated, count).flatten().cloned().collect();
    ArrayValue::new(scalar, sizes, elements).into()
}

/// `linspace(from, to, n)`
pub(super) fn linspace(from: &Value, to: &Value, n: usize, span: Span) -> Result<Value, Failure> {
    let number = |v: &Value| v.as_real().ok_or_else(|| ill_typed("a number", v, span));
    let (from, to) = (number(from)?, number(to)?);
    if n < 2 {
        return Err(wrong(format!("`linspace` makes 2 elements or more, and {n} are asked for"), span));
    }
    Ok(Value::reals((0..n).map(|i| from + (to - from) * i as f64 / (n - 1) as f64)))
}

/// `cat(k, parts)`: side by side along dimension `k`.
pub(super) fn cat(
    k: usize,
    parts: &[Value],
    scalar: Scalar,
    tables: &Tables,
    span: Span,
) -> Result<Value, Failure> {
    let Some(first) = parts.first() else { return Err(wrong("`cat` of no arrays".into(), span)) };
    if !(1..=first.sizes().len()).contains(&k) {
        let dimensions = first.sizes().len();
        return Err(wrong(format!("`cat` along dimension {k} of arrays that have {dimensions}"), span));
    }
    let along = k - 1;
    let mut sizes = first.sizes().to_vec();
    sizes[along] = 0;
    for part in parts {
        let own = part.sizes();
        let same = own.len() == sizes.len() && (0..own.len()).all(|d| d == along || own[d] == sizes[d]);
        if !same {
            return Err(mismatch("arrays put side by side", first.sizes(), own, span));
        }
        sizes[along] += own[along];
    }
    let outer: usize = sizes[..along].iter().product();
    let mut elements = Vec::with_capacity(sizes.iter().product());
    for i in 0..outer {
        for part in parts {
            let block: usize = part.sizes()[along..].iter().product();
            let own = part.elements()[i * block..(i + 1) * block].iter();
            elements.extend(own.map(|element| element.clone().conform(scalar, tables)));
        }
    }
    Ok(ArrayValue::new(scalar, sizes, elements).into())
}

fn reshaped(a: &Value, sizes: Vec<usize>, span: Span) -> Result<Value, Failure> {
    match a {
        _ if sizes.is_empty() => Ok(a.clone()),
        Value::Array(array) => Ok(array.clone().reshaped(sizes).into()),
        scalar => {
            let ty = scalar.scalar().ok_or_else(|| ill_typed("a value", scalar, span))?;
            Ok(ArrayValue::new(ty, sizes, vec![scalar.clone()]).into())
        }
    }
}

fn wrong(what: String, span: Span) -> Failure {
    Failure::WrongArgument { what, span }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{integer_matrix, span};

    #[test]
    fn dimensions_come_and_go() {
        let v = Value::integers([1, 2]);
        assert_eq!(promote(&v, 2, span()), Ok(integer_matrix(&[&[1], &[2]])));
        assert_eq!(promote(&3.into(), 2, span()), Ok(integer_matrix(&[&[3]])));
        assert_eq!(matrix(&v, span()), Ok(integer_matrix(&[&[1], &[2]])));
        assert_eq!(vector(&integer_matrix(&[&[1, 2]]), span()), Ok(v.clone()));
        assert_eq!(vector(&5.into(), span()), Ok(Value::integers([5])));
        assert!(vector(&integer_matrix(&[&[1, 2], &[3, 4]]), span()).is_err());
        assert_eq!(scalar(&integer_matrix(&[&[7]]), span()), Ok(7.into()));
        assert!(scalar(&v, span()).is_err());
        assert!(promote(&integer_matrix(&[&[1]]), 1, span()).is_err());
    }

    #[test]
    fn constructors() {
        assert_eq!(fill(&1.into(), vec![2]), Value::integers([1, 1]));
        assert_eq!(fill(&Value::integers([1, 2]), vec![2]), integer_matrix(&[&[1, 2], &[1, 2]]));
        assert_eq!(fill(&0.0.into(), vec![0, 3]).sizes(), [0, 3]);
        assert_eq!(linspace(&0.into(), &1.into(), 3, span()), Ok(Value::reals([0.0, 0.5, 1.0])));
        assert!(linspace(&0.into(), &1.into(), 1, span()).is_err());
        assert!(size(&(-1).into(), span()).is_err());
    }

    #[test]
    fn concatenation_along_each_dimension() {
        let tables = Tables::default();
        let (a, b) = (integer_matrix(&[&[1, 2], &[3, 4]]), integer_matrix(&[&[5, 6], &[7, 8]]));
        let cat = |k, parts: &[Value], scalar| cat(k, parts, scalar, &tables, span());
        let below = integer_matrix(&[&[1, 2], &[3, 4], &[5, 6], &[7, 8]]);
        assert_eq!(cat(1, &[a.clone(), b.clone()], Scalar::Integer), Ok(below));
        let beside = integer_matrix(&[&[1, 2, 5, 6], &[3, 4, 7, 8]]);
        assert_eq!(cat(2, &[a.clone(), b], Scalar::Integer), Ok(beside));
        let mixed = cat(1, &[Value::integers([]), Value::reals([0.5]), Value::integers([1])], Scalar::Real);
        assert_eq!(mixed, Ok(Value::reals([0.5, 1.0])));
        assert!(cat(1, &[a.clone(), Value::integers([1])], Scalar::Integer).is_err());
        assert!(cat(3, &[a], Scalar::Integer).is_err());
    }
}
