//! Parts of arrays and records, read (MLS §10.5).

use std::borrow::Cow;

use rhei_flat::{Expr, ExprKind, Subscript};
use rhei_source::Span;

use crate::arithmetic::{ill_typed, mismatch};
use crate::array::Stack;
use crate::frame::Frame;
use crate::interpret::{Interpreter, inner_sizes};
use crate::{ArrayValue, Failure, Value};

/// The selected indices of one dimension, counted from zero.
#[derive(Clone, Debug)]
pub(crate) enum Selection {
    /// One element: the dimension is gone.
    One(usize),
    /// These, in this order.
    Many(Vec<usize>),
    /// All.
    Whole,
}

impl Interpreter<'_> {
    /// A part of a component or variable, perhaps not assigned; borrowed if possible.
    pub(crate) fn view<'f>(&mut self, e: &Expr, frame: &'f Frame) -> Result<Cow<'f, Value>, Failure> {
        match &e.kind {
            ExprKind::Local(local) => match frame.peek(*local) {
                Some(value) => Ok(Cow::Borrowed(value)),
                None => frame.read(*local, e.span).map(Cow::Borrowed), // fails with the reason
            },
            ExprKind::Variable(v, subscripts) => {
                let value = self.variable(*v, e.span)?;
                let whole = Cow::Owned(value.conform(e.ty.scalar, self.tables));
                if subscripts.is_empty() { Ok(whole) } else { self.index(whole, subscripts, frame, e.span) }
            }
            ExprKind::Index(base, _) | ExprKind::Field(base, _) => {
                self.enter(frame, e.span)?;
                let part = self.view(base, frame).and_then(|whole| self.part(whole, e, frame));
                self.leave();
                part
            }
            _ => self.value(e, frame).map(Cow::Owned),
        }
    }

    /// The part of the value `whole` that `e`, a field or an element, denotes.
    fn part<'f>(
        &mut self,
        whole: Cow<'f, Value>,
        e: &Expr,
        frame: &'f Frame,
    ) -> Result<Cow<'f, Value>, Failure> {
        match &e.kind {
            _ if matches!(*whole, Value::Unassigned) => Ok(whole),
            ExprKind::Index(_, subscripts) => self.index(whole, subscripts, frame, e.span),
            ExprKind::Field(_, field) => self.field(whole, *field, e),
            _ => Ok(whole),
        }
    }

    /// The value of a field; of an array, that of every element.
    fn field<'f>(&mut self, record: Cow<'f, Value>, field: u32, e: &Expr) -> Result<Cow<'f, Value>, Failure> {
        let place = field as usize;
        match record {
            Cow::Borrowed(Value::Record(_, fields)) if place < fields.len() => {
                Ok(Cow::Borrowed(&fields[place]))
            }
            Cow::Owned(Value::Record(_, mut fields)) if place < fields.len() => {
                Ok(Cow::Owned(fields.swap_remove(place)))
            }
            Cow::Borrowed(Value::Array(array)) => field_of_all(array, place, e).map(Cow::Owned),
            Cow::Owned(Value::Array(array)) => field_of_all(&array, place, e).map(Cow::Owned),
            other => Err(ill_typed("a record", &other, e.span)),
        }
    }

    fn index<'f>(
        &mut self,
        array: Cow<'f, Value>,
        subscripts: &[Subscript],
        frame: &Frame,
        span: Span,
    ) -> Result<Cow<'f, Value>, Failure> {
        let Value::Array(content) = &*array else { return Err(ill_typed("an array", &array, span)) };
        if let Some(offset) = self.offset(content.sizes(), subscripts, frame)? {
            return Ok(match array {
                Cow::Borrowed(Value::Array(content)) => Cow::Borrowed(&content.elements()[offset]),
                _ => Cow::Owned(content.elements()[offset].clone()),
            });
        }
        let selections = self.selections(content.sizes(), subscripts, frame, span)?;
        self.charge(count(content.sizes(), &selections), frame, span)?;
        let (sizes, offsets) = selected(content.sizes(), &selections);
        if sizes.is_empty() {
            return Ok(Cow::Owned(content.elements()[offsets[0]].clone()));
        }
        let elements = offsets.into_iter().map(|offset| content.elements()[offset].clone()).collect();
        Ok(Cow::Owned(ArrayValue::new(content.scalar(), sizes, elements).into()))
    }

    /// The offset of the one element that scalar subscripts denote; none if they denote many.
    pub(crate) fn offset(
        &mut self,
        sizes: &[usize],
        subscripts: &[Subscript],
        frame: &Frame,
    ) -> Result<Option<usize>, Failure> {
        let is_one = |s: &Subscript| matches!(s, Subscript::Index(e) if e.ty.is_scalar());
        if subscripts.len() != sizes.len() || !subscripts.iter().all(is_one) {
            return Ok(None);
        }
        let mut offset = 0;
        for (dimension, (subscript, &size)) in subscripts.iter().zip(sizes).enumerate() {
            let Subscript::Index(e) = subscript else { return Ok(None) };
            offset = offset * size + place(self.subscript(e, frame)?, size, dimension, e.span)?;
        }
        Ok(Some(offset))
    }

    /// The selections of subscripts; dimensions without one are whole.
    pub(crate) fn selections(
        &mut self,
        sizes: &[usize],
        subscripts: &[Subscript],
        frame: &Frame,
        span: Span,
    ) -> Result<Vec<Selection>, Failure> {
        if subscripts.len() > sizes.len() {
            return Err(mismatch("subscripts", &[sizes.len()], &[subscripts.len()], span));
        }
        let mut selections = Vec::with_capacity(sizes.len());
        for (dimension, &size) in sizes.iter().enumerate() {
            let Some(Subscript::Index(e)) = subscripts.get(dimension) else {
                selections.push(Selection::Whole);
                continue;
            };
            let index = self.operand(e, frame)?;
            selections.push(match &*index {
                Value::Array(many) if many.dimensions() == 1 => {
                    let places = many
                        .elements()
                        .iter()
                        .map(|index| place(number_of(index, e.span)?, size, dimension, e.span));
                    Selection::Many(places.collect::<Result<_, _>>()?)
                }
                Value::Array(_) => return Err(ill_typed("a vector of subscripts", &index, e.span)),
                one => Selection::One(place(number_of(one, e.span)?, size, dimension, e.span)?),
            });
        }
        Ok(selections)
    }
}

/// `a.b` of an array `a` of records (MLS §10.6.10).
fn field_of_all(array: &ArrayValue, field: usize, e: &Expr) -> Result<Value, Failure> {
    let mut stack = Stack::new(e.ty.scalar, array.elements().len());
    for element in array.elements() {
        let Value::Record(_, fields) = element else { return Err(ill_typed("a record", element, e.span)) };
        let part = fields.get(field).ok_or_else(|| ill_typed("a record with that field", element, e.span))?;
        let differs =
            |(a, b): (Vec<usize>, Vec<usize>)| mismatch("one field of all elements", &a, &b, e.span);
        stack.push(part.clone()).map_err(differs)?;
    }
    Ok(stack.finish(array.sizes().to_vec(), || inner_sizes(e, array.dimensions())))
}

/// The number of a subscript; a dimension of an enumeration or of Boolean counts its values.
pub(crate) fn number_of(index: &Value, span: Span) -> Result<i64, Failure> {
    match index {
        Value::Integer(i) => Ok(*i),
        Value::Boolean(b) => Ok(1 + i64::from(*b)),
        Value::Enumeration(_, number) => Ok(i64::from(*number)),
        other => Err(ill_typed("a subscript", other, span)),
    }
}

/// The index from zero that a subscript denotes.
fn place(index: i64, size: usize, dimension: usize, span: Span) -> Result<usize, Failure> {
    match usize::try_from(index) {
        Ok(place) if (1..=size).contains(&place) => Ok(place - 1),
        _ => Err(Failure::SubscriptOutOfBounds { index, size, dimension: dimension + 1, span }),
    }
}

/// The number of selected elements.
pub(crate) fn count(sizes: &[usize], selections: &[Selection]) -> usize {
    let counts = sizes.iter().zip(selections).map(|(&size, selection)| match selection {
        Selection::One(_) => 1,
        Selection::Many(places) => places.len(),
        Selection::Whole => size,
    });
    counts.fold(1, usize::saturating_mul)
}

/// The sizes of a selection, and the offsets of its elements.
pub(crate) fn selected(sizes: &[usize], selections: &[Selection]) -> (Vec<usize>, Vec<usize>) {
    let mut chosen = Vec::new();
    let mut offsets = vec![0];
    for (&size, selection) in sizes.iter().zip(selections) {
        let step = |places: &mut dyn Iterator<Item = usize>, offset: usize| -> Vec<usize> {
            places.map(|place| offset * size + place).collect()
        };
        match selection {
            Selection::One(place) => offsets.iter_mut().for_each(|offset| *offset = *offset * size + place),
            Selection::Many(places) => {
                chosen.push(places.len());
                offsets = offsets.iter().flat_map(|&o| step(&mut places.iter().copied(), o)).collect();
            }
            Selection::Whole => {
                chosen.push(size);
                offsets = offsets.iter().flat_map(|&o| step(&mut (0..size), o)).collect();
            }
        }
    }
    (chosen, offsets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections_keep_their_order() {
        let (sizes, offsets) =
            selected(&[2, 3, 2], &[Selection::Whole, Selection::Many(vec![2, 0]), Selection::One(1)]);
        assert_eq!(sizes, [2, 2]);
        assert_eq!(offsets, [5, 1, 11, 7]);
        assert_eq!(selected(&[0, 3], &[Selection::Whole, Selection::One(0)]), (vec![0], vec![]));
    }

    mod reading {
        use expect_test::expect;
        use rhei_flat::{EnumerationId, Scalar, VarId};
        use rhei_source::{Files, Style, render};

        use super::*;
        use crate::testing::*;

        fn value(e: Expr) -> Result<Value, Failure> {
            World::with(vec![]).value(&e)
        }

        fn matrix() -> Expr {
            lit(integer_matrix(&[&[1, 2, 3], &[4, 5, 6]]))
        }

        #[test]
        fn parts_of_arrays() {
            assert_eq!(value(index(matrix(), vec![at(2), at(3)])), Ok(6.into()));
            assert_eq!(value(index(matrix(), vec![at(2), Subscript::Whole])), Ok(Value::integers([4, 5, 6])));
            assert_eq!(value(index(matrix(), vec![Subscript::Whole, at(1)])), Ok(Value::integers([1, 4])));
            let picked = index(matrix(), vec![at(Value::integers([2, 1])), at(Value::integers([3, 3]))]);
            assert_eq!(value(picked), Ok(integer_matrix(&[&[6, 6], &[3, 3]])));
            let none = index(matrix(), vec![at(1), Subscript::Index(up_to(lit(0)))]);
            assert_eq!(value(none), Ok(Value::integers([])));
        }

        #[test]
        fn values_of_other_types_count_from_one() {
            let v = || lit(Value::integers([10, 20]));
            assert_eq!(value(index(v(), vec![at(false)])), Ok(10.into()));
            assert_eq!(value(index(v(), vec![at(true)])), Ok(20.into()));
            let literal = Value::Enumeration(EnumerationId(0), 2);
            assert_eq!(value(index(v(), vec![at(literal)])), Ok(20.into()));
        }

        #[test]
        fn parts_of_variables() {
            let world = World { variables: vec![integer_matrix(&[&[1, 2]])], ..World::default() };
            let part = ExprKind::Variable(VarId(0), vec![at(1), Subscript::Whole]);
            assert_eq!(world.value(&expr(part, ty(Scalar::Integer, 1))), Ok(Value::integers([1, 2])));
        }

        #[test]
        fn a_subscript_outside_says_what_it_is() {
            let mut files = Files::default();
            let file = files.add("a.mo", "  Real y = v[n + 1];\n");
            let mut subscript = add(lit(3), lit(1));
            subscript.span = Span::new(file, 13, 18);
            let e = index(lit(Value::reals([1.0, 2.0, 3.0])), vec![Subscript::Index(subscript)]);
            let failure = value(e).unwrap_err();
            expect![[r#"
                error[subscript-out-of-bounds]: subscript 4 is outside 1:3
                 --> a.mo:1:14
                  |
                1 |   Real y = v[n + 1];
                  |              ^^^^^ this is 4; dimension 1 has size 3"#]]
            .assert_eq(&render(&failure.into_diagnostic(), &files, Style::Plain));
            for outside in [0, -1, 4] {
                let e = index(lit(Value::reals([1.0, 2.0, 3.0])), vec![at(outside)]);
                assert!(matches!(value(e), Err(Failure::SubscriptOutOfBounds { .. })));
            }
            assert!(value(index(lit(Value::reals([])), vec![at(1)])).is_err());
        }
    }
}
