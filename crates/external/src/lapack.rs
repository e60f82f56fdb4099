//! Functions of LAPACK that the Standard Library calls for matrices: linear equations, factors, norms.
//!
//! They are given all arguments of their clause and change some of them in place, as FORTRAN does; `info` is the last one. Sizes
//! and leading dimensions are those of the arrays themselves.

use rhei_evaluate::{ArrayValue, Failure, Value};
use rhei_flat::Scalar;
use rhei_source::Span;

use crate::arguments::{integers, matrix, number, numbers, text, wrong};
use crate::least_squares::least_squares;
use crate::tables::Matrix;

/// Changes its arguments.
pub(crate) type InPlace = fn(&mut [Value], Span) -> Result<(), Failure>;

pub(crate) fn native(name: &str) -> Option<InPlace> {
    Some(match name {
        "dgesv" => dgesv,
        "dgetrf" => dgetrf,
        "dgetrs" => dgetrs,
        "dgetri" => dgetri,
        "dgtsv" => dgtsv,
        "dgbsv" => dgbsv,
        "dgelsy" => dgelsy,
        "dpotrf" => dpotrf,
        _ => return None,
    })
}

/// `dlange`: the largest element (`M`), the largest sum of a column (`1`) or of a row (`I`), or the root of the sum of all
/// squares (`F`).
pub(crate) fn dlange(a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let (kind, m) = (text(a, 0, span)?, matrix(a, 3, span)?);
    let largest = |list: &mut dyn Iterator<Item = f64>| list.fold(0.0, f64::max);
    let row = |i: usize| (0..m.columns).map(|j| m.at(i, j).abs()).sum::<f64>();
    let column = |j: usize| (0..m.rows).map(|i| m.at(i, j).abs()).sum::<f64>();
    let norm = match kind.chars().next().map(|c| c.to_ascii_uppercase()) {
        Some('M') => largest(&mut m.elements.iter().map(|x| x.abs())),
        Some('1' | 'O') => largest(&mut (0..m.columns).map(column)),
        Some('I') => largest(&mut (0..m.rows).map(row)),
        Some('F' | 'E') => m.elements.iter().map(|x| x * x).sum::<f64>().sqrt(),
        _ => return Err(wrong(0, "`M`, `1`, `I` or `F`", span)),
    };
    Ok(vec![norm.into()])
}

/// The factors of a matrix whose rows were exchanged, and which was exchanged with which, from zero.
struct Factors {
    lu: Matrix,
    pivots: Vec<usize>,
    /// The first column without a pivot, from one; zero where there is none.
    singular: i64,
}

/// Gauss elimination with the largest element of a column as pivot.
fn factors(mut lu: Matrix) -> Factors {
    let n = lu.columns;
    let mut pivots = Vec::new();
    let mut singular = 0;
    for k in 0..lu.rows.min(n) {
        let largest = |best: usize, i: usize| if lu.at(i, k).abs() > lu.at(best, k).abs() { i } else { best };
        let pivot = (k + 1..lu.rows).fold(k, largest);
        pivots.push(pivot);
        if pivot != k {
            (0..n).for_each(|j| lu.elements.swap(k * n + j, pivot * n + j));
        }
        if lu.at(k, k) == 0.0 {
            singular = if singular == 0 { k as i64 + 1 } else { singular };
            continue;
        }
        for i in k + 1..lu.rows {
            let factor = lu.at(i, k) / lu.at(k, k);
            lu.elements[i * n + k] = factor;
            for j in k + 1..n {
                lu.elements[i * n + j] -= factor * lu.at(k, j);
            }
        }
    }
    Factors { lu, pivots, singular }
}

impl Factors {
    fn solve(&self, right: &mut [f64]) {
        let n = self.lu.columns;
        for (k, &pivot) in self.pivots.iter().enumerate() {
            right.swap(k, pivot);
        }
        for i in 0..n {
            right[i] -= (0..i).map(|j| self.lu.at(i, j) * right[j]).sum::<f64>();
        }
        for i in (0..n).rev() {
            let rest: f64 = (i + 1..n).map(|j| self.lu.at(i, j) * right[j]).sum();
            right[i] = (right[i] - rest) / self.lu.at(i, i);
        }
    }

    /// The same for the transposed matrix.
    fn solve_transposed(&self, right: &mut [f64]) {
        let n = self.lu.columns;
        for i in 0..n {
            let rest: f64 = (0..i).map(|j| self.lu.at(j, i) * right[j]).sum();
            right[i] = (right[i] - rest) / self.lu.at(i, i);
        }
        for i in (0..n).rev() {
            right[i] -= (i + 1..n).map(|j| self.lu.at(j, i) * right[j]).sum::<f64>();
        }
        for (k, &pivot) in self.pivots.iter().enumerate().rev() {
            right.swap(k, pivot);
        }
    }
}

/// A square matrix.
fn square(a: &[Value], place: usize, span: Span) -> Result<Matrix, Failure> {
    let m = matrix(a, place, span)?;
    if m.rows == m.columns { Ok(m) } else { Err(wrong(place, "a square matrix", span)) }
}

/// Solves for every column of the argument at `place`, or for it where it is a vector.
fn solve_columns(
    a: &mut [Value],
    place: usize,
    size: usize,
    span: Span,
    solve: impl Fn(&mut [f64]),
) -> Result<(), Failure> {
    let mut right = numbers(a, place, span)?;
    let sizes = a[place].sizes().to_vec();
    let columns = match sizes[..] {
        [rows] if rows == size => 1,
        [rows, columns] if rows == size => columns,
        _ => return Err(wrong(place, &format!("a right side of {size} rows"), span)),
    };
    for j in 0..columns {
        let mut column: Vec<f64> = (0..size).map(|i| right[i * columns + j]).collect();
        solve(&mut column);
        column.iter().enumerate().for_each(|(i, x)| right[i * columns + j] = *x);
    }
    a[place] = reals(sizes, right);
    Ok(())
}

fn reals(sizes: Vec<usize>, elements: Vec<f64>) -> Value {
    ArrayValue::new(Scalar::Real, sizes, elements.into_iter().map(Value::Real).collect()).into()
}

fn set(a: &mut [Value], place: usize, value: Value) {
    if let Some(argument) = a.get_mut(place) {
        *argument = value;
    }
}

fn set_matrix(a: &mut [Value], place: usize, m: Matrix) {
    set(a, place, reals(vec![m.rows, m.columns], m.elements));
}

fn set_pivots(a: &mut [Value], place: usize, pivots: &[usize]) {
    set(a, place, Value::integers(pivots.iter().map(|&pivot| pivot as i64 + 1)));
}

/// n, nrhs, A, lda, ipiv, B, ldb, info
fn dgesv(a: &mut [Value], span: Span) -> Result<(), Failure> {
    let factors = factors(square(a, 2, span)?);
    if factors.singular == 0 {
        solve_columns(a, 5, factors.lu.rows, span, |column| factors.solve(column))?;
    }
    set_pivots(a, 4, &factors.pivots);
    set(a, 7, factors.singular.into());
    set_matrix(a, 2, factors.lu);
    Ok(())
}

/// m, n, A, lda, ipiv, info
fn dgetrf(a: &mut [Value], span: Span) -> Result<(), Failure> {
    let factors = factors(matrix(a, 2, span)?);
    set_pivots(a, 4, &factors.pivots);
    set(a, 5, factors.singular.into());
    set_matrix(a, 2, factors.lu);
    Ok(())
}

/// Factors that were found before.
fn given_factors(a: &[Value], lu: usize, pivots: usize, span: Span) -> Result<Factors, Failure> {
    let lu = square(a, lu, span)?;
    let given = integers(a, pivots, span)?;
    let pivot = |&pivot: &i64| usize::try_from(pivot - 1).ok().filter(|&pivot| pivot < lu.rows);
    let found: Option<Vec<usize>> = given.iter().map(pivot).collect();
    let found = found.filter(|found| found.len() == lu.rows);
    let pivots = found.ok_or_else(|| wrong(pivots, "the pivots of the factors", span))?;
    let singular = (0..lu.rows).find(|&i| lu.at(i, i) == 0.0).map_or(0, |i| i as i64 + 1);
    Ok(Factors { lu, pivots, singular })
}

/// trans, n, nrhs, LU, lda, ipiv, B, ldb, info
fn dgetrs(a: &mut [Value], span: Span) -> Result<(), Failure> {
    let is_transposed = !text(a, 0, span)?.to_ascii_uppercase().starts_with('N');
    let factors = given_factors(a, 3, 5, span)?;
    let n = factors.lu.rows;
    if is_transposed {
        solve_columns(a, 6, n, span, |column| factors.solve_transposed(column))?;
    } else {
        solve_columns(a, 6, n, span, |column| factors.solve(column))?;
    }
    set(a, 8, 0_i64.into());
    Ok(())
}

/// n, LU, lda, ipiv, work, lwork, info
fn dgetri(a: &mut [Value], span: Span) -> Result<(), Failure> {
    let factors = given_factors(a, 1, 3, span)?;
    let n = factors.lu.rows;
    if factors.singular == 0 {
        let mut inverse = Matrix { rows: n, columns: n, elements: vec![0.0; n * n] };
        for j in 0..n {
            let mut column: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == j))).collect();
            factors.solve(&mut column);
            column.iter().enumerate().for_each(|(i, x)| inverse.elements[i * n + j] = *x);
        }
        set_matrix(a, 1, inverse);
    }
    set(a, 6, factors.singular.into());
    Ok(())
}

/// n, nrhs, lower diagonal, diagonal, upper diagonal, B, ldb, info
fn dgtsv(a: &mut [Value], span: Span) -> Result<(), Failure> {
    let (lower, diagonal, upper) = (numbers(a, 2, span)?, numbers(a, 3, span)?, numbers(a, 4, span)?);
    let n = diagonal.len();
    let mut m = Matrix { rows: n, columns: n, elements: vec![0.0; n * n] };
    for (i, x) in diagonal.into_iter().enumerate() {
        m.elements[i * n + i] = x;
    }
    for (i, (below, above)) in lower.into_iter().zip(upper).enumerate().take(n.saturating_sub(1)) {
        m.elements[(i + 1) * n + i] = below;
        m.elements[i * n + i + 1] = above;
    }
    let factors = factors(m);
    if factors.singular == 0 {
        solve_columns(a, 5, n, span, |column| factors.solve(column))?;
    }
    set(a, 7, factors.singular.into());
    Ok(())
}

/// n, kl, ku, nrhs, diagonals below each other, ldab, ipiv, B, ldb, info. Element (i, j) stands in row kl + ku + i - j, from zero.
fn dgbsv(a: &mut [Value], span: Span) -> Result<(), Failure> {
    let whole = |place: usize| number(a, place, span).map(|x| x.max(0.0) as usize);
    let (n, below, above) = (whole(0)?, whole(1)?, whole(2)?);
    let band = matrix(a, 4, span)?;
    if band.columns != n || band.rows < 2 * below + above + 1 {
        return Err(wrong(4, "a band of as many rows as it has diagonals", span));
    }
    let mut m = Matrix { rows: n, columns: n, elements: vec![0.0; n * n] };
    for i in 0..n {
        for j in i.saturating_sub(below)..n.min(i + above + 1) {
            m.elements[i * n + j] = band.at(below + above + i - j, j);
        }
    }
    let factors = factors(m);
    if factors.singular == 0 {
        solve_columns(a, 7, n, span, |column| factors.solve(column))?;
    }
    set_pivots(a, 6, &factors.pivots);
    set(a, 9, factors.singular.into());
    Ok(())
}

/// m, n, nrhs, A, lda, B, ldb, jpvt, rcond, rank, work, lwork, info. Solutions may be longer or shorter than right sides: B has
/// room for both.
fn dgelsy(a: &mut [Value], span: Span) -> Result<(), Failure> {
    let m = matrix(a, 3, span)?;
    let (rows, n, rcond) = (m.rows, m.columns, number(a, 8, span)?);
    let mut solutions = numbers(a, 5, span)?;
    let sizes = a[5].sizes().to_vec();
    let columns = match sizes[..] {
        [room] if room >= rows.max(n) => 1,
        [room, columns] if room >= rows.max(n) => columns,
        _ => return Err(wrong(5, &format!("a right side of {} rows", rows.max(n)), span)),
    };
    let right = |j: usize| (0..rows).map(|i| solutions[i * columns + j]).collect::<Vec<f64>>();
    let mut found: Vec<Vec<f64>> = (0..columns).map(right).collect();
    let rank = least_squares(m, rcond, &mut found);
    for (j, found) in found.iter().enumerate() {
        found.iter().enumerate().for_each(|(i, x)| solutions[i * columns + j] = *x);
    }
    set(a, 5, reals(sizes, solutions));
    set(a, 9, (rank as i64).into());
    set(a, 12, 0_i64.into());
    Ok(())
}

/// uplo, n, A, lda, info: Cholesky's factor in the upper or the lower half, the other half as it was.
fn dpotrf(a: &mut [Value], span: Span) -> Result<(), Failure> {
    let is_upper = text(a, 0, span)?.to_ascii_uppercase().starts_with('U');
    let mut m = square(a, 2, span)?;
    let n = m.rows;
    let place = |i: usize, j: usize| if is_upper { j * n + i } else { i * n + j };
    let mut info = 0_i64;
    'rows: for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| m.elements[place(i, k)] * m.elements[place(j, k)]).sum();
            let rest = m.elements[place(i, j)] - known;
            if i == j && rest <= 0.0 {
                info = i as i64 + 1;
                break 'rows;
            }
            m.elements[place(i, j)] = if i == j { rest.sqrt() } else { rest / m.elements[place(j, j)] };
        }
    }
    set_matrix(a, 2, m);
    set(a, 4, info.into());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nowhere;

    fn m(rows: usize, elements: &[f64]) -> Value {
        reals(vec![rows, elements.len() / rows], elements.to_vec())
    }

    fn call(name: &str, mut arguments: Vec<Value>) -> Vec<Value> {
        native(name).unwrap()(&mut arguments, nowhere()).unwrap();
        arguments
    }

    fn close(found: &Value, expected: &[f64]) {
        let found: Vec<f64> = found.elements().iter().filter_map(Value::as_real).collect();
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
    }

    const NONE: Value = Value::Unassigned;

    #[test]
    fn linear_equations() {
        // 2x + y = 5, 4x - 6y = -2: x = 1.75, y = 1.5; with the pivot in the second row
        let a = m(2, &[2.0, 1.0, 4.0, -6.0]);
        let right = Value::reals([5.0, -2.0]);
        let n = Value::Integer(2);
        let solved = call(
            "dgesv",
            vec![n.clone(), 1_i64.into(), a.clone(), n.clone(), NONE, right.clone(), n.clone(), NONE],
        );
        close(&solved[5], &[1.75, 1.5]);
        assert_eq!(solved[7], Value::Integer(0));
        let singular = m(2, &[1.0, 2.0, 2.0, 4.0]);
        let refused = call(
            "dgesv",
            vec![n.clone(), 1_i64.into(), singular, n.clone(), NONE, right.clone(), n.clone(), NONE],
        );
        assert_eq!(refused[7], Value::Integer(2));
        let factored = call("dgetrf", vec![n.clone(), n.clone(), a, n.clone(), NONE, NONE]);
        close(&factored[2], &[4.0, -6.0, 0.5, 4.0]);
        assert_eq!(factored[4], Value::integers([2, 2]));
        let (lu, pivots) = (factored[2].clone(), factored[4].clone());
        let again = |trans: &str, right: Value| {
            call(
                "dgetrs",
                vec![
                    trans.into(),
                    n.clone(),
                    1_i64.into(),
                    lu.clone(),
                    n.clone(),
                    pivots.clone(),
                    right,
                    n.clone(),
                    NONE,
                ],
            )
        };
        close(&again("N", m(2, &[5.0, 10.0, -2.0, -4.0]))[6], &[1.75, 3.5, 1.5, 3.0]);
        // the transposed: 2x + 4y = 6, x - 6y = -5
        close(&again("T", Value::reals([6.0, -5.0]))[6], &[1.0, 1.0]);
        let inverse =
            call("dgetri", vec![n.clone(), lu.clone(), n.clone(), pivots.clone(), NONE, n.clone(), NONE]);
        close(&inverse[1], &[6.0 / 16.0, 1.0 / 16.0, 4.0 / 16.0, -2.0 / 16.0]);
    }

    #[test]
    fn bands() {
        // [2 1 0; 1 3 1; 0 1 4] x = [3; 5; 5] for ones
        let n = Value::Integer(3);
        let (off, diagonal) = (Value::reals([1.0, 1.0]), Value::reals([2.0, 3.0, 4.0]));
        let right = Value::reals([3.0, 5.0, 5.0]);
        let solved = call(
            "dgtsv",
            vec![n.clone(), 1_i64.into(), off.clone(), diagonal, off, right.clone(), n.clone(), NONE],
        );
        close(&solved[5], &[1.0; 3]);
        let band = m(4, &[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 4.0, 1.0, 1.0, 0.0]);
        let one = Value::Integer(1);
        let solved = call(
            "dgbsv",
            vec![n.clone(), one.clone(), one.clone(), one, band, 4_i64.into(), NONE, right, n, NONE],
        );
        close(&solved[7], &[1.0; 3]);
    }

    #[test]
    fn cholesky() {
        // [4 2; 2 5] = [2 0; 1 2] [2 1; 0 2]
        let a = m(2, &[4.0, 2.0, 2.0, 5.0]);
        let n = Value::Integer(2);
        close(
            &call("dpotrf", vec!["U".into(), n.clone(), a.clone(), n.clone(), NONE])[2],
            &[2.0, 1.0, 2.0, 2.0],
        );
        close(&call("dpotrf", vec!["L".into(), n.clone(), a, n.clone(), NONE])[2], &[2.0, 2.0, 1.0, 2.0]);
        let indefinite = call("dpotrf", vec!["L".into(), n.clone(), m(2, &[1.0, 2.0, 2.0, 1.0]), n, NONE]);
        assert_eq!(indefinite[4], Value::Integer(2));
    }

    #[test]
    fn norms() {
        let norm = |kind: &str| {
            let n = Value::Integer(2);
            dlange(&[kind.into(), n.clone(), n.clone(), m(2, &[1.0, -2.0, 3.0, 4.0]), n], nowhere()).unwrap()
        };
        assert_eq!(norm("M"), [Value::Real(4.0)]);
        assert_eq!(norm("1"), [Value::Real(6.0)]);
        assert_eq!(norm("I"), [Value::Real(7.0)]);
        assert_eq!(norm("F"), [Value::Real(30.0_f64.sqrt())]);
    }
}
