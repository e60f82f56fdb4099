//! Ranges (MLS §10.4.3), comprehensions (MLS §10.4.1) and reductions (MLS §10.3.4.1).

use rhei_flat::{Arithmetic, Expr, ExprKind, Iteration, Reduction, Relation, Scalar, Tables};
use rhei_source::Span;

use crate::arithmetic::{arithmetic, ill_typed, mismatch};
use crate::array::Stack;
use crate::frame::Frame;
use crate::interpret::{Interpreter, inner_sizes};
use crate::{ArrayValue, Failure, Value, linear_algebra, relation};

/// Relative slack of the number of steps in a range of Reals: `0:0.1:0.3` has four elements although rounding makes
/// `0.3/0.1` less than 3.
const RANGE_SLACK: f64 = 4.0 * f64::EPSILON;

/// The values of an iterator; ranges are not expanded.
pub(crate) enum Iterated {
    Integers { first: i64, step: i64, count: usize },
    Reals { first: f64, step: f64, count: usize },
    Values(ArrayValue),
}

impl Iterated {
    pub(crate) fn len(&self) -> usize {
        match self {
            Iterated::Integers { count, .. } | Iterated::Reals { count, .. } => *count,
            Iterated::Values(array) => array.elements().len(),
        }
    }

    pub(crate) fn get(&self, i: usize) -> Value {
        match self {
            Iterated::Integers { first, step, .. } => {
                Value::Integer(first.wrapping_add(step.wrapping_mul(i as i64)))
            }
            Iterated::Reals { first, step, .. } => Value::Real(first + step * i as f64),
            Iterated::Values(array) => array.elements()[i].clone(),
        }
    }

    pub(crate) fn into_vector(self, scalar: Scalar) -> ArrayValue {
        match self {
            Iterated::Values(array) => array,
            range => ArrayValue::vector(scalar, (0..range.len()).map(|i| range.get(i)).collect()),
        }
    }
}

impl Interpreter<'_> {
    /// The values of an iterator with this range.
    pub(crate) fn iterated(&mut self, e: &Expr, frame: &Frame) -> Result<Iterated, Failure> {
        let ExprKind::Range(first, step, last) = &e.kind else {
            let value = self.value(e, frame)?;
            return match value {
                Value::Array(array) if array.dimensions() == 1 => Ok(Iterated::Values(array)),
                other => Err(ill_typed("a vector", &other, e.span)),
            };
        };
        let first = self.operand(first, frame)?;
        let step = step.as_ref().map(|step| self.operand(step, frame)).transpose()?;
        let last = self.operand(last, frame)?;
        run_through(&first, step.as_deref(), &last, e)
    }

    /// `{body for i in r, j in s}`
    pub(crate) fn comprehension(
        &mut self,
        body: &Expr,
        iterations: &[Iteration],
        e: &Expr,
        frame: &Frame,
    ) -> Result<Value, Failure> {
        let ranges = self.ranges(iterations, frame)?;
        let outer: Vec<usize> = ranges.iter().rev().map(Iterated::len).collect();
        let count = outer.iter().fold(1, |count: usize, &size| count.saturating_mul(size));
        self.charge(count, frame, e.span)?;
        let mut stack = Stack::new(e.ty.scalar, count);
        let tables = self.tables;
        self.for_all(iterations, &ranges, |this| {
            let value = this.value(body, frame)?.conform(e.ty.scalar, tables);
            stack.push(value).map_err(|(a, b)| mismatch("the elements of an array", &a, &b, body.span))
        })?;
        Ok(stack.finish(outer, || inner_sizes(e, iterations.len())))
    }

    /// `sum(body for i in r, j in s)` and its kin.
    pub(crate) fn reduction(
        &mut self,
        reduction: Reduction,
        body: &Expr,
        iterations: &[Iteration],
        e: &Expr,
        frame: &Frame,
    ) -> Result<Value, Failure> {
        let ranges = self.ranges(iterations, frame)?;
        let mut result = None;
        self.for_all(iterations, &ranges, |this| {
            this.charge(1, frame, e.span)?;
            let value = this.value(body, frame)?;
            result = Some(fold(reduction, result.take(), value, e.span)?);
            Ok(())
        })?;
        match result {
            Some(result) => Ok(result),
            None => empty(reduction, e.ty.scalar, inner_sizes(e, 0), self.tables, e.span),
        }
    }

    fn ranges(&mut self, iterations: &[Iteration], frame: &Frame) -> Result<Vec<Iterated>, Failure> {
        iterations.iter().map(|iteration| self.iterated(&iteration.range, frame)).collect()
    }

    /// Runs `body` for all combinations, the first iterator turning fastest.
    fn for_all(
        &mut self,
        iterations: &[Iteration],
        ranges: &[Iterated],
        mut body: impl FnMut(&mut Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if ranges.iter().any(|range| range.len() == 0) {
            return Ok(());
        }
        let mut turns = vec![0; ranges.len()];
        let places: Vec<usize> = iterations.iter().map(|iteration| self.bind(iteration.iterator)).collect();
        for (&place, range) in places.iter().zip(ranges) {
            self.turn(place, range.get(0));
        }
        let mut done = Ok(());
        'all: while done.is_ok() {
            done = body(self);
            for (i, range) in ranges.iter().enumerate() {
                turns[i] += 1;
                if turns[i] < range.len() {
                    self.turn(places[i], range.get(turns[i]));
                    continue 'all;
                }
                turns[i] = 0;
                self.turn(places[i], range.get(0));
            }
            break;
        }
        self.unbind(places[0]);
        done
    }
}

/// `first:step:last`
fn run_through(first: &Value, step: Option<&Value>, last: &Value, e: &Expr) -> Result<Iterated, Failure> {
    let zero_step = || Failure::WrongArgument { what: "the step of a range is 0".into(), span: e.span };
    match (first, step.unwrap_or(&Value::Integer(1)), last) {
        (&Value::Integer(first), &Value::Integer(step), &Value::Integer(last))
            if e.ty.scalar != Scalar::Real =>
        {
            if step == 0 {
                return Err(zero_step());
            }
            let steps = (i128::from(last) - i128::from(first)) / i128::from(step);
            let is_empty = if step > 0 { first > last } else { first < last };
            let count =
                if is_empty { 0 } else { usize::try_from(steps).map_or(usize::MAX, |n| n.saturating_add(1)) };
            Ok(Iterated::Integers { first, step, count })
        }
        (&Value::Boolean(first), _, &Value::Boolean(last)) => {
            let values = [false, true].into_iter().filter(|value| (first..=last).contains(value));
            Ok(Iterated::Values(ArrayValue::vector(Scalar::Boolean, values.map(Value::Boolean).collect())))
        }
        (&Value::Enumeration(id, first), _, &Value::Enumeration(_, last)) => {
            let values = (first..=last).map(|number| Value::Enumeration(id, number)).collect();
            Ok(Iterated::Values(ArrayValue::vector(Scalar::Enumeration(id), values)))
        }
        (first, step, last) => {
            let number = |v: &Value| v.as_real().ok_or_else(|| ill_typed("a number", v, e.span));
            let (first, step, last) = (number(first)?, number(step)?, number(last)?);
            if step == 0.0 {
                return Err(zero_step());
            }
            let steps = (last - first) / step;
            // A NaN quotient yields no elements: comparisons with it are false.
            let count = if steps >= 0.0 {
                ((steps * (1.0 + RANGE_SLACK)).floor() as usize).saturating_add(1)
            } else {
                0
            };
            Ok(Iterated::Reals { first, step, count })
        }
    }
}

/// One more element.
pub(crate) fn fold(
    reduction: Reduction,
    so_far: Option<Value>,
    next: Value,
    span: Span,
) -> Result<Value, Failure> {
    let Some(so_far) = so_far else { return Ok(next) };
    match reduction {
        Reduction::Sum => arithmetic(Arithmetic::Add, &so_far, &next, span),
        Reduction::Product => arithmetic(Arithmetic::Multiply, &so_far, &next, span),
        Reduction::Min => {
            Ok(if relation::holds(Relation::Less, &next, &so_far, span)? { next } else { so_far })
        }
        Reduction::Max => {
            Ok(if relation::holds(Relation::Greater, &next, &so_far, span)? { next } else { so_far })
        }
    }
}

/// The result for no elements of this type.
pub(crate) fn empty(
    reduction: Reduction,
    scalar: Scalar,
    sizes: Vec<usize>,
    tables: &Tables,
    span: Span,
) -> Result<Value, Failure> {
    let greatest = reduction == Reduction::Min;
    let value = match (reduction, scalar) {
        (Reduction::Sum, Scalar::Real | Scalar::Integer) => linear_algebra::zero(scalar),
        (Reduction::Product, Scalar::Real | Scalar::Integer) => linear_algebra::one(scalar),
        (Reduction::Min, Scalar::Real) => Value::Real(f64::MAX),
        (Reduction::Max, Scalar::Real) => Value::Real(f64::MIN),
        (Reduction::Min, Scalar::Integer) => Value::Integer(i64::MAX),
        (Reduction::Max, Scalar::Integer) => Value::Integer(i64::MIN),
        (Reduction::Min | Reduction::Max, Scalar::Boolean) => Value::Boolean(greatest),
        (Reduction::Min | Reduction::Max, Scalar::Enumeration(id)) => {
            let last = tables.enumeration(id).literals.len() as u32;
            Value::Enumeration(id, if greatest { last } else { 1 })
        }
        _ => {
            let what = format!("`{}` of no {} has no value", reduction.name(), tables.scalar_name(scalar));
            return Err(Failure::WrongArgument { what, span });
        }
    };
    if sizes.is_empty() {
        return Ok(value);
    }
    let count = sizes.iter().product();
    Ok(ArrayValue::new(scalar, sizes, vec![value; count]).into())
}

#[cfg(test)]
mod tests {
    use rhei_flat::{Builtin, Enumeration, EnumerationId, Size, Type};

    use super::*;
    use crate::testing::*;

    fn value(e: Expr) -> Result<Value, Failure> {
        World::with(vec![]).value(&e)
    }

    #[test]
    fn ranges_of_all_types() {
        assert_eq!(value(range(lit(2), None, lit(4))), Ok(Value::integers([2, 3, 4])));
        assert_eq!(value(range(lit(4), None, lit(2))), Ok(Value::integers([])));
        assert_eq!(value(range(lit(1), Some(lit(3)), lit(9))), Ok(Value::integers([1, 4, 7])));
        assert_eq!(value(range(lit(5), Some(lit(-2)), lit(0))), Ok(Value::integers([5, 3, 1])));
        assert_eq!(value(range(lit(2.7), None, lit(5.8))), Ok(Value::reals([2.7, 3.7, 4.7, 5.7])));
        assert_eq!(value(range(lit(1), Some(lit(0.5)), lit(2))), Ok(Value::reals([1.0, 1.5, 2.0])));
        assert_eq!(value(range(lit(0), Some(lit(0.1)), lit(0.3))).unwrap().sizes(), [4]);
        assert_eq!(value(range(lit(1.0), None, lit(0.5))), Ok(Value::reals([])));
        assert!(matches!(value(range(lit(1), Some(lit(0)), lit(2))), Err(Failure::WrongArgument { .. })));
        let both = value(range(lit(false), None, lit(true))).unwrap();
        assert_eq!(both.elements(), [false.into(), true.into()]);
        assert_eq!(value(range(lit(true), None, lit(false))).unwrap().sizes(), [0]);
        let mut world = World::with(vec![]);
        let literals = vec!["a".into(), "b".into(), "c".into()];
        let id = world.tables.add_enumeration(Enumeration { name: "E".into(), literals });
        let literal = |n| lit(Value::Enumeration(id, n));
        let some = world.value(&range(literal(2), None, literal(3))).unwrap();
        assert_eq!(some.elements(), [Value::Enumeration(id, 2), Value::Enumeration(id, 3)]);
    }

    #[test]
    fn the_last_iterator_is_the_outermost_dimension() {
        // {10*i + j for i in 1:2, j in 1:3} = {{10*i + j for i in 1:2} for j in 1:3}
        let body = add(mul(lit(10), iterator(0)), iterator(1));
        let e = comprehension(body, vec![iteration(0, up_to(lit(2))), iteration(1, up_to(lit(3)))]);
        assert_eq!(value(e), Ok(integer_matrix(&[&[11, 21], &[12, 22], &[13, 23]])));
    }

    #[test]
    fn comprehensions_nest_and_may_be_empty() {
        // {product(j for j in 1:i) for i in 0:4}
        let inner = reduction(Reduction::Product, iterator(1), vec![iteration(1, up_to(iterator(0)))]);
        let e = comprehension(inner, vec![iteration(0, range(lit(0), None, lit(4)))]);
        assert_eq!(value(e), Ok(Value::integers([1, 1, 2, 6, 24])));
        let mut none = comprehension(lit(Value::reals([1.0, 2.0])), vec![iteration(0, up_to(lit(0)))]);
        none.ty.sizes = vec![Size::Known(0), Size::Known(2)];
        assert_eq!(value(none).unwrap().sizes(), [0, 2]);
        let outside =
            comprehension(iterator(0), vec![iteration(0, up_to(lit(2))), iteration(1, up_to(iterator(0)))]);
        assert!(matches!(value(outside), Err(Failure::NotConstant { .. })));
    }

    #[test]
    fn reductions_with_several_iterators_turn_the_first_one_fastest() {
        let text = |i| builtin(Builtin::StringOf, vec![iterator(i)], Type::scalar(Scalar::String));
        let body = add(text(0), text(1));
        let e =
            reduction(Reduction::Sum, body, vec![iteration(0, up_to(lit(2))), iteration(1, up_to(lit(2)))]);
        assert_eq!(value(e), Ok("11211222".into()));
    }

    #[test]
    fn reductions_of_nothing() {
        let none = || vec![iteration(0, up_to(lit(0)))];
        assert_eq!(value(reduction(Reduction::Sum, lit(1.0), none())), Ok(0.0.into()));
        assert_eq!(value(reduction(Reduction::Sum, lit(1), none())), Ok(0.into()));
        assert_eq!(value(reduction(Reduction::Product, lit(2), none())), Ok(1.into()));
        assert_eq!(value(reduction(Reduction::Min, lit(2.0), none())), Ok(f64::MAX.into()));
        assert_eq!(value(reduction(Reduction::Max, lit(2.0), none())), Ok((-f64::MAX).into()));
        assert_eq!(value(reduction(Reduction::Max, lit(2), none())), Ok(i64::MIN.into()));
        assert_eq!(value(reduction(Reduction::Min, lit(false), none())), Ok(true.into()));
        let zeros = reduction(Reduction::Sum, lit(Value::reals([1.0, 2.0])), none());
        assert_eq!(value(zeros), Ok(Value::reals([0.0, 0.0])));
        let empty = |f| builtin(f, vec![lit(Value::reals([]))], Type::scalar(Scalar::Real));
        assert_eq!(value(empty(Builtin::Sum)), Ok(0.0.into()));
        assert_eq!(value(empty(Builtin::Min)), Ok(f64::MAX.into()));
        assert!(value(reduction(Reduction::Min, lit("a"), none())).is_err());
    }

    #[test]
    fn reductions_of_arrays() {
        let of = |f| {
            let m = lit(integer_matrix(&[&[3, 1], &[2, 4]]));
            value(builtin(f, vec![m], Type::scalar(Scalar::Integer)))
        };
        assert_eq!(of(Builtin::Sum), Ok(10.into()));
        assert_eq!(of(Builtin::Product), Ok(24.into()));
        assert_eq!(of(Builtin::Min), Ok(1.into()));
        assert_eq!(of(Builtin::Max), Ok(4.into()));
        let rows = reduction(
            Reduction::Sum,
            array(vec![iterator(0), mul(iterator(0), iterator(0))]),
            vec![iteration(0, up_to(lit(3)))],
        );
        assert_eq!(value(rows), Ok(Value::integers([6, 14])));
        let literals = [3, 1].map(|n| lit(Value::Enumeration(EnumerationId(0), n)));
        let largest = builtin(
            Builtin::Max,
            vec![array(literals.to_vec())],
            Type::scalar(Scalar::Enumeration(EnumerationId(0))),
        );
        assert_eq!(value(largest), Ok(Value::Enumeration(EnumerationId(0), 3)));
    }
}
