//! Assignments to components of a function and to parts of them.

use rhei_flat::{Expr, ExprKind, LocalId, Size};
use rhei_source::Span;
use smol_str::{SmolStr, format_smolstr};

use crate::arithmetic::{ill_typed, mismatch};
use crate::frame::Frame;
use crate::interpret::Interpreter;
use crate::subscripts::{Selection, count, selected};
use crate::{Failure, Value};

/// A way from a component to a part of it.
enum Step {
    Field(usize),
    Select(Vec<Selection>),
}

impl Interpreter<'_> {
    /// `target := value`
    pub(crate) fn assign(&mut self, target: &Expr, value: Value, frame: &mut Frame) -> Result<(), Failure> {
        let value = value.conform(target.ty.scalar, self.tables);
        if let ExprKind::Local(local) = target.kind {
            self.check_whole(local, &value, frame, target.span)?;
            frame.set(local, value);
            return Ok(());
        }
        // One element of a component: what loops do.
        if let ExprKind::Index(base, subscripts) = &target.kind
            && let ExprKind::Local(local) = base.kind
            && value.sizes().is_empty()
            && let Some(Value::Array(array)) = frame.peek(local)
            && let Some(offset) = self.offset(array.sizes(), subscripts, frame)?
        {
            if let Value::Array(array) = frame.part_mut(local) {
                array.elements_mut()[offset] = value;
            }
            return Ok(());
        }
        let mut steps = Vec::new();
        let local = self.steps_to(target, frame, &mut steps)?;
        let name = frame.function().map(|f| f.local(local).name.clone()).unwrap_or_default();
        let resizable = matches!(target.kind, ExprKind::Field(..)) && target.ty.sizes.contains(&Size::Open);
        put(frame.part_mut(local), &steps, value, &Target { name, span: target.span, resizable })
    }

    /// Whether a value has the sizes of the component it is assigned to; dimensions declared with `:` take any size.
    fn check_whole(&self, local: LocalId, value: &Value, frame: &Frame, span: Span) -> Result<(), Failure> {
        let (Some(function), Some(now)) = (frame.function(), frame.peek(local)) else { return Ok(()) };
        let declared = function.local(local);
        let (now, new) = (now.sizes(), value.sizes());
        let is_open = |dimension: usize| {
            declared.ty.sizes.get(dimension) == Some(&Size::Open)
                && declared.sizes.get(dimension).is_none_or(|size| size.is_none())
        };
        let fits = |(dimension, (a, b)): (usize, (&usize, &usize))| a == b || is_open(dimension);
        if declared.ty.dimensions() != new.len() || !now.iter().zip(new).enumerate().all(fits) {
            return Err(mismatch(format_smolstr!("the assignment to `{}`", declared.name), now, new, span));
        }
        Ok(())
    }

    /// The component that `target` is a part of, and the way to that part. Subscripts are evaluated on the way, against
    /// the present sizes of the component.
    fn steps_to(&mut self, target: &Expr, frame: &Frame, steps: &mut Vec<Step>) -> Result<LocalId, Failure> {
        match &target.kind {
            ExprKind::Local(local) => Ok(*local),
            ExprKind::Field(base, field) => {
                let local = self.steps_to(base, frame, steps)?;
                steps.push(Step::Field(*field as usize));
                Ok(local)
            }
            ExprKind::Index(base, subscripts) => {
                let local = self.steps_to(base, frame, steps)?;
                let array = self.view(base, frame)?;
                let selections = self.selections(array.sizes(), subscripts, frame, target.span)?;
                self.charge(count(array.sizes(), &selections), frame, target.span)?;
                steps.push(Step::Select(selections));
                Ok(local)
            }
            _ => Err(Failure::NotSupported {
                what: "an assignment to this in a function".into(),
                span: target.span,
            }),
        }
    }
}

/// The target of an assignment, for messages.
struct Target {
    name: SmolStr,
    span: Span,
    /// Whether it is a field that takes any size.
    resizable: bool,
}

/// Puts a value at the end of `steps`.
fn put(place: &mut Value, steps: &[Step], value: Value, target: &Target) -> Result<(), Failure> {
    let differs = |now: &[usize], new: &[usize]| {
        mismatch(format_smolstr!("the assignment to a part of `{}`", target.name), now, new, target.span)
    };
    match (steps, place) {
        ([], place) => {
            if place.sizes() != value.sizes() && !target.resizable {
                return Err(differs(place.sizes(), value.sizes()));
            }
            *place = value;
            Ok(())
        }
        ([Step::Field(field), rest @ ..], Value::Record(_, fields)) => {
            put(&mut fields[*field], rest, value, target)
        }
        ([Step::Field(_), ..], Value::Array(array)) => {
            let outer = array.sizes().to_vec();
            let places = 0..array.elements().len();
            put_all(array.elements_mut(), &outer, places, steps, value, target)
        }
        ([Step::Select(selections), rest @ ..], Value::Array(array)) => {
            let (outer, offsets) = selected(array.sizes(), selections);
            if outer.is_empty() {
                return put(&mut array.elements_mut()[offsets[0]], rest, value, target);
            }
            put_all(array.elements_mut(), &outer, offsets, rest, value, target)
        }
        (_, other) => Err(ill_typed("a part that can be assigned to", other, target.span)),
    }
}

/// Puts each part of an array at its own place; `outer` are the sizes of the places.
fn put_all(
    elements: &mut [Value],
    outer: &[usize],
    places: impl IntoIterator<Item = usize>,
    steps: &[Step],
    value: Value,
    target: &Target,
) -> Result<(), Failure> {
    let Value::Array(parts) = &value else {
        return Err(mismatch(
            format_smolstr!("the assignment to a part of `{}`", target.name),
            outer,
            &[],
            target.span,
        ));
    };
    if !parts.sizes().starts_with(outer) {
        let what = format_smolstr!("the assignment to a part of `{}`", target.name);
        return Err(mismatch(what, outer, parts.sizes(), target.span));
    }
    for (i, place) in places.into_iter().enumerate() {
        put(&mut elements[place], steps, parts.part(outer.len(), i), target)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rhei_flat::{Record, RecordField, RecordId, Scalar, Statement, Subscript, Type};

    use super::*;
    use crate::testing::*;

    fn matrix_type() -> Type {
        Type::array(Scalar::Real, vec![Size::Known(2), Size::Known(3)])
    }

    /// The value of `y[2, 3]`, zeros before, after these statements.
    fn after(body: Vec<Statement>) -> Result<Value, Failure> {
        let zeros = lit(real_matrix(&[&[0.0; 3], &[0.0; 3]]));
        let f = function("f").output("y", matrix_type()).bound(zeros).body(body);
        World::with(vec![f]).call(0, vec![]).map(|mut outputs| outputs.remove(0))
    }

    fn y(subscripts: Vec<Subscript>) -> Expr {
        index(local(0, matrix_type()), subscripts)
    }

    #[test]
    fn parts_of_arrays_are_assigned() {
        use Subscript::Whole;
        let row = after(vec![assign(y(vec![at(2), Whole]), lit(Value::integers([1, 2, 3])))]);
        assert_eq!(row, Ok(real_matrix(&[&[0.0; 3], &[1.0, 2.0, 3.0]])));
        let column = after(vec![assign(y(vec![Whole, at(1)]), lit(Value::reals([1.0, 2.0])))]);
        assert_eq!(column, Ok(real_matrix(&[&[1.0, 0.0, 0.0], &[2.0, 0.0, 0.0]])));
        let twice = y(vec![at(1), at(Value::integers([3, 3]))]);
        let last_wins = after(vec![assign(twice, lit(Value::reals([1.0, 2.0])))]);
        assert_eq!(last_wins, Ok(real_matrix(&[&[0.0, 0.0, 2.0], &[0.0; 3]])));
        let element = after(vec![assign(y(vec![at(1), at(2)]), lit(5))]);
        assert_eq!(element, Ok(real_matrix(&[&[0.0, 5.0, 0.0], &[0.0; 3]])));
    }

    #[test]
    fn sizes_have_to_agree() {
        let row = y(vec![at(2), Subscript::Whole]);
        let failure = after(vec![assign(row.clone(), lit(Value::reals([1.0])))]).unwrap_err();
        let Failure::SizeMismatch { what, sizes, .. } = failure else { panic!("{failure:?}") };
        assert_eq!((what.as_str(), *sizes), ("the assignment to a part of `y`", [vec![3], vec![1]]));
        assert!(after(vec![assign(row, lit(1.0))]).is_err());
        assert!(after(vec![assign(local(0, matrix_type()), lit(real_matrix(&[&[1.0]])))]).is_err());
        assert!(matches!(
            after(vec![assign(y(vec![at(3), at(1)]), lit(1.0))]),
            Err(Failure::SubscriptOutOfBounds { .. })
        ));
    }

    #[test]
    fn copies_are_apart() {
        // p := y; p[1, 1] := 7: y stays
        let p = || local(1, matrix_type());
        let f = function("f")
            .output("y", matrix_type())
            .bound(lit(real_matrix(&[&[0.0; 3], &[0.0; 3]])))
            .output("p", matrix_type())
            .body(vec![
                assign(p(), local(0, matrix_type())),
                assign(index(p(), vec![at(1), at(1)]), lit(7.0)),
            ]);
        let outputs = World::with(vec![f]).call(0, vec![]).unwrap();
        assert_eq!(outputs[0], real_matrix(&[&[0.0; 3], &[0.0; 3]]));
        assert_eq!(outputs[1], real_matrix(&[&[7.0, 0.0, 0.0], &[0.0; 3]]));
    }

    /// `record Inner Real b; Real v[:]; end Inner; record Outer Inner a[2]; Integer n; end Outer;`
    fn records() -> (World, RecordId, RecordId) {
        let mut world = World::with(vec![]);
        let of = |name: &str, ty: Type| RecordField { name: name.into(), ty };
        let inner = world.tables.add_record(Record {
            name: "Inner".into(),
            fields: vec![of("b", Type::scalar(Scalar::Real)), of("v", ty(Scalar::Real, 1))],
            is_operator: false,
        });
        let many = Type::array(Scalar::Record(inner), vec![Size::Known(2)]);
        let outer = world.tables.add_record(Record {
            name: "Outer".into(),
            fields: vec![of("a", many), of("n", Type::scalar(Scalar::Integer))],
            is_operator: false,
        });
        (world, inner, outer)
    }

    #[test]
    fn fields_are_assigned_one_by_one_through_arrays() {
        let (mut world, inner, outer) = records();
        let r = || local(0, Type::scalar(Scalar::Record(outer)));
        let a = || field(r(), 0, Type::array(Scalar::Record(inner), vec![Size::Known(2)]));
        let part = |i: i64, place: u32, ty: Type| field(index(a(), vec![at(i)]), place, ty);
        let real = || Type::scalar(Scalar::Real);
        let body = vec![
            assign(part(1, 0, real()), lit(1)),
            assign(part(2, 0, real()), add(part(1, 0, real()), lit(1.0))),
            assign(part(1, 1, ty(Scalar::Real, 1)), lit(Value::reals([5.0, 6.0]))),
            assign(index(part(1, 1, ty(Scalar::Real, 1)), vec![at(2)]), lit(7)),
            assign(field(r(), 1, Type::scalar(Scalar::Integer)), lit(3)),
        ];
        let f = function("f").output("r", Type::scalar(Scalar::Record(outer))).body(body);
        world.tables.functions.push(f);
        let element = |b: f64, v: Vec<f64>| Value::Record(inner, vec![b.into(), Value::reals(v)]);
        let elements = vec![element(1.0, vec![5.0, 7.0]), element(2.0, vec![])];
        let a = crate::ArrayValue::vector(Scalar::Record(inner), elements).into();
        assert_eq!(world.call(0, vec![]), Ok(vec![Value::Record(outer, vec![a, 3.into()])]));
    }

    #[test]
    fn a_field_of_all_elements_is_assigned_at_once() {
        let (mut world, inner, _) = records();
        let many = Type::array(Scalar::Record(inner), vec![Size::Known(2)]);
        let b = field(local(0, many.clone()), 0, Type::scalar(Scalar::Real));
        let body = vec![assign(b, lit(Value::reals([1.0, 2.0])))];
        world.tables.functions.push(function("f").output("a", many).body(body));
        let outputs = world.call(0, vec![]).unwrap();
        let bs: Vec<&Value> = outputs[0]
            .elements()
            .iter()
            .map(|element| match element {
                Value::Record(_, fields) => &fields[0],
                _ => panic!(),
            })
            .collect();
        assert_eq!(bs, [&1.0.into(), &2.0.into()]);
    }

    #[test]
    fn what_is_not_assigned_cannot_be_read() {
        let f = function("f")
            .protected("p", matrix_type(), vec![None, None])
            .output("y", Type::scalar(Scalar::Real))
            .body(vec![
                assign(index(local(0, matrix_type()), vec![at(1), at(1)]), lit(1.0)),
                assign(
                    local(1, Type::scalar(Scalar::Real)),
                    index(local(0, matrix_type()), vec![at(1), at(2)]),
                ),
            ]);
        let failure = World::with(vec![f]).call(0, vec![]).unwrap_err();
        assert_eq!(failure, Failure::NotAssigned { name: "p".into(), span: span() });
    }
}
