//! The value of an expression, by its kind.

use std::borrow::Cow;

use rhei_flat::{Expr, ExprKind, IteratorId, LocalId, Logic, Scalar, Tables, VarId};
use rhei_source::Span;

use crate::arithmetic::{arithmetic, each, elementwise, ill_typed, mismatch, negate};
use crate::array::Stack;
use crate::frame::Frame;
use crate::numbers::is_plain_real;
use crate::{Budget, Environment, Failure, Value, Work, linear_algebra, relation};

/// The context of an evaluation.
pub(crate) struct Interpreter<'a> {
    pub(crate) env: &'a dyn Environment,
    pub(crate) tables: &'a Tables,
    budget: &'a mut Budget,
    /// The iterators of the loops and comprehensions around, innermost last.
    iterators: Vec<(IteratorId, Value)>,
}

impl<'a> Interpreter<'a> {
    pub(crate) fn new(env: &'a dyn Environment, budget: &'a mut Budget) -> Interpreter<'a> {
        Interpreter { env, tables: env.tables(), budget, iterators: Vec::new() }
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, e: &Expr, frame: &Frame) -> Result<Value, Failure> {
        match &e.kind {
            ExprKind::Real(x) => return Ok(Value::Real(*x)),
            ExprKind::Integer(i) if e.ty.scalar == Scalar::Integer => return Ok(Value::Integer(*i)),
            _ if is_plain_real(e) => return self.real(e, frame).map(Value::Real),
            _ => {}
        }
        self.enter(frame, e.span)?;
        let value = self.raw_value(e, frame);
        self.leave();
        match &value {
            Ok(Value::Array(array)) => self.charge(array.elements().len(), frame, e.span)?,
            Ok(Value::String(text)) => self.charge(text.len(), frame, e.span)?,
            _ => {}
        }
        if e.ty.scalar == Scalar::Real && matches!(value, Ok(Value::Integer(_) | Value::Array(_))) {
            return value.map(|value| value.conform(Scalar::Real, self.tables));
        }
        value
    }

    fn raw_value(&mut self, e: &Expr, frame: &Frame) -> Result<Value, Failure> {
        match &e.kind {
            ExprKind::Real(x) => Ok(Value::Real(*x)),
            ExprKind::Integer(i) => Ok(Value::Integer(*i)),
            ExprKind::Boolean(b) => Ok(Value::Boolean(*b)),
            ExprKind::String(text) => Ok(Value::String(text.clone())),
            ExprKind::Enumeration(id, number) => Ok(Value::Enumeration(*id, *number)),
            ExprKind::Time => Err(Failure::NotConstant { what: "time".into(), span: e.span }),
            ExprKind::Local(_) | ExprKind::Variable(..) | ExprKind::Index(..) | ExprKind::Field(..) => {
                Ok(self.operand(e, frame)?.into_owned())
            }
            ExprKind::Iterator(id) => self.iterator(*id, e.span),
            ExprKind::Negate(a) => negate(&*self.operand(a, frame)?, e.span),
            ExprKind::Arithmetic(op, a, b) => {
                let (a, b) = (self.operand(a, frame)?, self.operand(b, frame)?);
                arithmetic(*op, &a, &b, e.span)
            }
            ExprKind::MatrixProduct(a, b) => {
                let (a, b) = (self.operand(a, frame)?, self.operand(b, frame)?);
                let columns = b.sizes().get(1).copied().unwrap_or(1);
                self.charge(a.elements().len().saturating_mul(columns), frame, e.span)?;
                linear_algebra::product(&a, &b, e.span)
            }
            ExprKind::MatrixPower(a, n) => {
                let (a, n) = (self.operand(a, frame)?, self.integer(n, frame)?);
                let rows = a.sizes().first().copied().unwrap_or(1);
                let one_product = a.elements().len().saturating_mul(rows);
                self.charge(one_product.saturating_mul(usize::try_from(n).unwrap_or(0)), frame, e.span)?;
                linear_algebra::power(&a, n, e.span)
            }
            ExprKind::Relation(op, a, b) => {
                let (a, b) = (self.operand(a, frame)?, self.operand(b, frame)?);
                relation::holds(*op, &a, &b, e.span).map(Value::Boolean)
            }
            ExprKind::Logic(op, a, b) => self.logic(*op, a, b, frame, e.span),
            ExprKind::Not(a) => {
                let a = self.operand(a, frame)?;
                each(Scalar::Boolean, &a, |a| Ok(Value::Boolean(!boolean(a, e.span)?)))
            }
            ExprKind::If(condition, then, otherwise) => {
                let taken = if self.condition(condition, frame)? { then } else { otherwise };
                self.value(taken, frame)
            }
            ExprKind::Call(builtin, arguments) => self.builtin(*builtin, arguments, e, frame),
            ExprKind::Apply(function, arguments) => {
                let arguments = self.values(arguments, frame)?;
                self.apply(*function, arguments, e)
            }
            ExprKind::ApplyLocal(local, arguments) => {
                let (function, arguments) = self.through_local(*local, arguments, frame, e.span)?;
                let mut outputs = self.call(function, arguments, e.span)?.into_iter();
                outputs.next().ok_or_else(|| self.no_output(function, e.span))
            }
            ExprKind::FunctionOfLocal(local, given) => self.function_of_local(*local, given, frame, e.span),
            ExprKind::Function(function, given) => {
                let value = |(place, e): &(u32, Expr)| Ok((*place, self.value(e, frame)?));
                let given = given.iter().map(value).collect::<Result<_, Failure>>()?;
                Ok(Value::Function(*function, given))
            }
            ExprKind::Array(elements) => self.array(elements, e, frame),
            ExprKind::Range(..) => {
                let range = self.iterated(e, frame)?;
                self.charge(range.len(), frame, e.span)?;
                Ok(range.into_vector(e.ty.scalar).into())
            }
            ExprKind::Comprehension(body, iterations) => self.comprehension(body, iterations, e, frame),
            ExprKind::Reduction(reduction, body, iterations) => {
                self.reduction(*reduction, body, iterations, e, frame)
            }
            ExprKind::Record(record, fields) => {
                let types = &self.tables.record(*record).fields;
                let values = self.values(fields, frame)?.into_iter();
                let conform = |(i, value): (usize, Value)| match types.get(i) {
                    Some(field) => value.conform(field.ty.scalar, self.tables),
                    None => value,
                };
                Ok(Value::Record(*record, values.enumerate().map(conform).collect()))
            }
        }
    }

    /// The value of an expression, borrowed if it is a part of a component.
    pub(crate) fn operand<'f>(&mut self, e: &Expr, frame: &'f Frame) -> Result<Cow<'f, Value>, Failure> {
        match &e.kind {
            ExprKind::Local(local) => frame.read(*local, e.span).map(Cow::Borrowed),
            ExprKind::Variable(..) | ExprKind::Index(..) | ExprKind::Field(..) => {
                let part = self.view(e, frame)?;
                match root(e) {
                    Some(local) if !part.is_complete() => Err(frame.not_assigned(local, e.span)),
                    _ => Ok(part),
                }
            }
            _ => self.value(e, frame).map(Cow::Owned),
        }
    }

    /// The values of all.
    pub(crate) fn values(&mut self, list: &[Expr], frame: &Frame) -> Result<Vec<Value>, Failure> {
        list.iter().map(|e| self.value(e, frame)).collect()
    }

    /// The value of a whole number.
    pub(crate) fn integer(&mut self, e: &Expr, frame: &Frame) -> Result<i64, Failure> {
        let value = self.operand(e, frame)?;
        value.as_integer().ok_or_else(|| ill_typed("an Integer", &value, e.span))
    }

    /// The value of a scalar condition.
    pub(crate) fn condition(&mut self, e: &Expr, frame: &Frame) -> Result<bool, Failure> {
        boolean(&*self.operand(e, frame)?, e.span)
    }

    /// The value of a whole variable.
    pub(crate) fn variable(&mut self, v: VarId, span: Span) -> Result<Value, Failure> {
        self.env.variable(v, span, self.budget)
    }

    /// Takes steps from the budget.
    pub(crate) fn charge(&mut self, steps: usize, frame: &Frame, span: Span) -> Result<(), Failure> {
        self.budget.take(steps).map_err(|work| too_much(work, frame, span))
    }

    /// Goes a level deeper, which is a step; to be followed by [`Interpreter::leave`].
    pub(crate) fn enter(&mut self, frame: &Frame, span: Span) -> Result<(), Failure> {
        self.charge(1, frame, span)?;
        self.budget.enter().map_err(|work| too_much(work, frame, span))
    }

    /// Goes a level up.
    pub(crate) fn leave(&mut self) {
        self.budget.leave();
    }

    /// Binds an iterator; to be followed by [`Interpreter::unbind`].
    pub(crate) fn bind(&mut self, iterator: IteratorId) -> usize {
        self.iterators.push((iterator, Value::Unassigned));
        self.iterators.len() - 1
    }

    /// Sets a bound iterator.
    pub(crate) fn turn(&mut self, place: usize, value: Value) {
        self.iterators[place].1 = value;
    }

    /// Forgets the iterators bound since `place`.
    pub(crate) fn unbind(&mut self, place: usize) {
        self.iterators.truncate(place);
    }

    /// The value of an iterator of a loop or comprehension around.
    pub(crate) fn bound(&self, id: IteratorId) -> Option<&Value> {
        self.iterators.iter().rev().find(|(bound, _)| *bound == id).map(|(_, value)| value)
    }

    fn iterator(&mut self, id: IteratorId, span: Span) -> Result<Value, Failure> {
        self.bound(id).cloned().or_else(|| self.env.iterator(id)).ok_or_else(|| {
            let what = self.tables.iterators.get(id.0 as usize).cloned().unwrap_or_default();
            Failure::NotConstant { what, span }
        })
    }

    fn logic(&mut self, op: Logic, a: &Expr, b: &Expr, frame: &Frame, span: Span) -> Result<Value, Failure> {
        let decided = op == Logic::Or;
        let a = self.operand(a, frame)?;
        if let Value::Boolean(a) = *a
            && a == decided
            && b.ty.is_scalar()
        {
            return Ok(Value::Boolean(decided));
        }
        let b = self.operand(b, frame)?;
        elementwise(op.symbol(), Scalar::Boolean, &a, &b, span, |a, b| {
            let (a, b) = (boolean(a, span)?, boolean(b, span)?);
            Ok(Value::Boolean(if decided { a || b } else { a && b }))
        })
    }

    /// `{a, b, c}`
    pub(crate) fn array(&mut self, elements: &[Expr], e: &Expr, frame: &Frame) -> Result<Value, Failure> {
        self.charge(elements.len(), frame, e.span)?;
        let scalar = e.ty.scalar;
        let mut stack = Stack::new(scalar, elements.len());
        for element in elements {
            let value = self.value(element, frame)?.conform(scalar, self.tables);
            stack.push(value).map_err(|(a, b)| mismatch("the elements of an array", &a, &b, element.span))?;
        }
        Ok(stack.finish(vec![elements.len()], || inner_sizes(e, 1)))
    }
}

/// The sizes of an element, of which there is none, behind the first `outer` dimensions: those of the type.
pub(crate) fn inner_sizes(e: &Expr, outer: usize) -> Vec<usize> {
    e.ty.sizes.iter().skip(outer).map(|size| size.known().unwrap_or(0)).collect()
}

/// The truth value.
pub(crate) fn boolean(value: &Value, span: Span) -> Result<bool, Failure> {
    value.as_boolean().ok_or_else(|| ill_typed("a Boolean", value, span))
}

/// The component that an expression is a part of.
pub(crate) fn root(e: &Expr) -> Option<LocalId> {
    match &e.kind {
        ExprKind::Local(local) => Some(*local),
        ExprKind::Index(a, _) | ExprKind::Field(a, _) => root(a),
        _ => None,
    }
}

fn too_much(work: Work, frame: &Frame, span: Span) -> Failure {
    Failure::TooMuchWork { function: frame.function().map(|function| function.name.clone()), work, span }
}

#[cfg(test)]
mod tests {
    use rhei_flat::{Builtin, Record, RecordField, Relation, Size, Type, VarId};

    use super::*;
    use crate::testing::*;

    fn value(e: Expr) -> Result<Value, Failure> {
        World::with(vec![]).value(&e)
    }

    fn not_constant() -> Expr {
        expr(ExprKind::Time, Type::scalar(Scalar::Real))
    }

    #[test]
    fn what_is_decided_is_not_looked_at_further() {
        let unknown = || compare(Relation::Less, not_constant(), lit(1.0));
        assert_eq!(value(logic(Logic::And, lit(false), unknown())), Ok(false.into()));
        assert_eq!(value(logic(Logic::Or, lit(true), unknown())), Ok(true.into()));
        assert!(value(logic(Logic::Or, lit(false), unknown())).is_err());
        assert_eq!(value(if_else(lit(true), lit(1), not_constant())), Ok(Value::Real(1.0)), "both are Real");
    }

    #[test]
    fn logic_goes_through_arrays() {
        let booleans = |list: &[bool]| array(list.iter().map(|&b| lit(b)).collect());
        let e = logic(Logic::And, booleans(&[true, true, false]), booleans(&[true, false, false]));
        let not = expr(ExprKind::Not(Box::new(e.clone())), e.ty.clone());
        assert_eq!(value(e), value(booleans(&[true, false, false])));
        assert_eq!(value(not), value(booleans(&[false, true, true])));
    }

    #[test]
    fn what_the_run_decides_is_not_constant() {
        assert_eq!(value(not_constant()), Err(Failure::NotConstant { what: "time".into(), span: span() }));
        for f in [Builtin::Der, Builtin::Pre, Builtin::Initial, Builtin::InStream, Builtin::Cardinality] {
            let e = builtin(f, vec![not_constant()], Type::scalar(Scalar::Real));
            assert!(matches!(value(e), Err(Failure::NotConstant { .. })), "{}", f.name());
        }
        for f in [Builtin::NoEvent, Builtin::Homotopy] {
            let e = builtin(f, vec![lit(2.5), not_constant()], Type::scalar(Scalar::Real));
            assert_eq!(value(e), Ok(2.5.into()), "{}", f.name());
        }
        let smooth = builtin(Builtin::Smooth, vec![lit(0), lit(2.5)], Type::scalar(Scalar::Real));
        assert_eq!(value(smooth), Ok(2.5.into()));
        let variable = expr(ExprKind::Variable(VarId(3), vec![]), Type::scalar(Scalar::Real));
        assert_eq!(value(variable), Err(Failure::NotConstant { what: "v3".into(), span: span() }));
    }

    #[test]
    fn whole_numbers_in_arrays_of_reals_are_reals() {
        assert_eq!(value(array(vec![lit(1), lit(2.5)])), Ok(Value::reals([1.0, 2.5])));
        let ragged = array(vec![lit(Value::integers([1])), lit(Value::integers([1, 2]))]);
        assert!(matches!(value(ragged), Err(Failure::SizeMismatch { .. })));
    }

    #[test]
    fn fields_of_records_and_of_arrays_of_them() {
        let mut world = World::with(vec![]);
        let id = world.tables.add_record(Record {
            name: "R".into(),
            fields: vec![
                RecordField { name: "x".into(), ty: Type::scalar(Scalar::Real) },
                RecordField { name: "n".into(), ty: Type::array(Scalar::Integer, vec![Size::Known(2)]) },
            ],
            is_operator: false,
        });
        let record = |x: Expr, n: [i64; 2]| {
            expr(ExprKind::Record(id, vec![x, lit(Value::integers(n))]), Type::scalar(Scalar::Record(id)))
        };
        let one = || record(lit(1), [2, 3]);
        let real = Type::scalar(Scalar::Real);
        assert_eq!(world.value(&field(one(), 0, real.clone())), Ok(1.0.into()), "the field is Real");
        let all = array(vec![one(), record(lit(4.5), [5, 6])]);
        assert_eq!(world.value(&field(all.clone(), 0, real)), Ok(Value::reals([1.0, 4.5])));
        let n = field(all, 1, Type::array(Scalar::Integer, vec![Size::Known(2)]));
        assert_eq!(world.value(&n), Ok(integer_matrix(&[&[2, 3], &[5, 6]])));
        world.variables.push(world.value(&one()).unwrap());
        let variable = expr(ExprKind::Variable(VarId(0), vec![]), Type::scalar(Scalar::Record(id)));
        let n = field(variable, 1, Type::array(Scalar::Integer, vec![Size::Known(2)]));
        assert_eq!(world.value(&index(n, vec![at(2)])), Ok(3.into()));
    }

    #[test]
    fn sizes_are_known_where_values_are() {
        let m = lit(integer_matrix(&[&[1, 2, 3]]));
        assert_eq!(value(size(m.clone(), 2)), Ok(3.into()));
        assert!(value(size(m.clone(), 3)).is_err());
        let all = builtin(Builtin::Size, vec![m.clone()], ty(Scalar::Integer, 1));
        assert_eq!(value(all), Ok(Value::integers([1, 3])));
        let mut unknown = expr(ExprKind::Variable(VarId(9), vec![]), ty(Scalar::Real, 1));
        assert!(value(size(unknown.clone(), 1)).is_err());
        unknown.ty.sizes = vec![Size::Known(7)];
        assert_eq!(value(size(unknown, 1)), Ok(7.into()), "the type knows it, the value is not needed");
        let ndims = builtin(Builtin::Ndims, vec![m], Type::scalar(Scalar::Integer));
        assert_eq!(value(ndims), Ok(2.into()));
    }

    #[test]
    fn arrays_that_are_too_large_are_not_made() {
        let zeros = builtin(Builtin::Zeros, vec![lit(1 << 40), lit(1 << 40)], ty(Scalar::Integer, 2));
        assert!(matches!(value(zeros), Err(Failure::TooMuchWork { function: None, .. })));
        assert!(matches!(value(up_to(lit(i64::MAX))), Err(Failure::TooMuchWork { .. })));
    }

    #[test]
    fn enumerations_from_numbers() {
        let mut world = World::with(vec![]);
        let literals = vec!["a".into(), "b".into()];
        let id = world.tables.add_enumeration(rhei_flat::Enumeration { name: "E".into(), literals });
        let of =
            |i: i64| builtin(Builtin::EnumerationOf, vec![lit(i)], Type::scalar(Scalar::Enumeration(id)));
        assert_eq!(world.value(&of(2)), Ok(Value::Enumeration(id, 2)));
        assert!(world.value(&of(0)).is_err());
        assert!(world.value(&of(3)).is_err());
        let back = builtin(Builtin::IntegerOf, vec![of(2)], Type::scalar(Scalar::Integer));
        assert_eq!(world.value(&back), Ok(2.into()));
    }
}
