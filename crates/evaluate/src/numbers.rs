//! Direct evaluation of scalar numbers, without intermediate values: the bulk of the work in loops.
//!
//! Results equal those of [`Interpreter::value`], which evaluates everything that is not a plain number.

use rhei_elementary::ResultKind;
use rhei_flat::{Arithmetic, Builtin, Expr, ExprKind, Scalar};

use crate::arithmetic::{self, ill_typed};
use crate::builtins::real_function;
use crate::frame::Frame;
use crate::interpret::Interpreter;
use crate::subscripts::number_of;
use crate::{Failure, Value};

/// Whether [`Interpreter::real`] evaluates an expression without [`Interpreter::value`].
pub(crate) fn is_plain_real(e: &Expr) -> bool {
    e.ty.scalar == Scalar::Real
        && e.ty.is_scalar()
        && match &e.kind {
            ExprKind::Arithmetic(_, a, b) => a.ty.is_scalar() && b.ty.is_scalar(),
            ExprKind::Negate(_) => true,
            ExprKind::Call(f, arguments) => is_plain_function(*f, arguments),
            _ => false,
        }
}

impl Interpreter<'_> {
    /// The value of a numeric scalar, as a Real.
    pub(crate) fn real(&mut self, e: &Expr, frame: &Frame) -> Result<f64, Failure> {
        match &e.kind {
            ExprKind::Real(x) => return Ok(*x),
            ExprKind::Integer(i) => return Ok(*i as f64),
            ExprKind::Local(local) => {
                if let Some(Value::Real(x)) = frame.peek(*local) {
                    return Ok(*x);
                }
            }
            ExprKind::Index(base, subscripts) => {
                if let ExprKind::Local(local) = base.kind
                    && let Some(Value::Array(array)) = frame.peek(local)
                    && array.scalar() == Scalar::Real
                    && let Some(offset) = self.offset(array.sizes(), subscripts, frame)?
                {
                    return match &array.elements()[offset] {
                        Value::Real(x) => Ok(*x),
                        _ => Err(frame.not_assigned(local, e.span)),
                    };
                }
            }
            _ if is_plain_real(e) => {
                self.enter(frame, e.span)?;
                let x = self.plain_real(e, frame);
                self.leave();
                return x;
            }
            _ => {}
        }
        let value = self.operand(e, frame)?;
        value.as_real().ok_or_else(|| ill_typed("a number", &value, e.span))
    }

    fn plain_real(&mut self, e: &Expr, frame: &Frame) -> Result<f64, Failure> {
        match &e.kind {
            ExprKind::Arithmetic(op, a, b) => {
                let (a, b) = (self.real(a, frame)?, self.real(b, frame)?);
                arithmetic::real(*op, a, b, e.span)
            }
            ExprKind::Negate(a) => Ok(-self.real(a, frame)?),
            ExprKind::Call(Builtin::Elementary(f), arguments) => {
                real_function(*f, self.real(&arguments[0], frame)?, e.span)
            }
            _ => Err(Failure::IllTyped { expected: "a number", found: "something else", span: e.span }),
        }
    }

    /// The number of a scalar subscript.
    pub(crate) fn subscript(&mut self, e: &Expr, frame: &Frame) -> Result<i64, Failure> {
        match &e.kind {
            ExprKind::Integer(i) => return Ok(*i),
            ExprKind::Local(local) => {
                if let Some(Value::Integer(i)) = frame.peek(*local) {
                    return Ok(*i);
                }
            }
            ExprKind::Iterator(id) => {
                if let Some(Value::Integer(i)) = self.bound(*id) {
                    return Ok(*i);
                }
            }
            ExprKind::Arithmetic(op @ (Arithmetic::Add | Arithmetic::Subtract), a, b)
                if a.ty.scalar == Scalar::Integer && b.ty.scalar == Scalar::Integer =>
            {
                self.enter(frame, e.span)?;
                let operands = self.subscript(a, frame).and_then(|a| Ok((a, self.subscript(b, frame)?)));
                self.leave();
                let (a, b) = operands?;
                return arithmetic::integer(*op, a, b, e.span);
            }
            _ => {}
        }
        number_of(&*self.operand(e, frame)?, e.span)
    }
}

/// Whether a call is a function of one number with a Real result.
fn is_plain_function(f: Builtin, arguments: &[Expr]) -> bool {
    let is_real = matches!(f, Builtin::Elementary(f) if f.row().result == ResultKind::Real);
    is_real && matches!(arguments, [a] if a.ty.is_scalar())
}

#[cfg(test)]
mod tests {
    use rhei_flat::{Size, Type};

    use super::*;
    use crate::testing::*;

    #[test]
    fn whole_numbers_inside_stay_whole() {
        let too_large = add(lit(i64::MAX), lit(1));
        let half = arithmetic(Arithmetic::Divide, too_large, lit(2));
        assert!(matches!(World::default().value(&half), Err(Failure::IntegerOverflow { .. })));
        let e = mul(add(lit(1), lit(2)), sub(lit(1.5), arithmetic(Arithmetic::Power, lit(2), lit(-1))));
        assert_eq!(World::default().value(&e), Ok(3.0.into()));
    }

    #[test]
    fn elements_are_read_in_place_and_have_to_be_assigned() {
        // v[1] := 2; y := sqrt(v[1]*8) + v[n]
        let vector = || local(1, Type::array(Scalar::Real, vec![Size::Known(2)]));
        let real = || Type::scalar(Scalar::Real);
        let n = || local(0, Type::scalar(Scalar::Integer));
        let first = || index(vector(), vec![at(1)]);
        let root = builtin(
            Builtin::Elementary(rhei_elementary::Elementary::Sqrt),
            vec![mul(first(), lit(8))],
            real(),
        );
        let last = index(vector(), vec![rhei_flat::Subscript::Index(sub(add(n(), lit(1)), lit(1)))]);
        let f = function("f")
            .input("n", Type::scalar(Scalar::Integer))
            .protected("v", vector().ty, vec![None])
            .output("y", real())
            .body(vec![assign(first(), lit(2)), assign(local(2, real()), add(root, last))]);
        let world = World::with(vec![f]);
        assert_eq!(world.call(0, vec![1.into()]), Ok(vec![6.0.into()]));
        let missing = Failure::NotAssigned { name: "v".into(), span: span() };
        assert_eq!(world.call(0, vec![2.into()]), Err(missing));
        assert!(matches!(world.call(0, vec![3.into()]), Err(Failure::SubscriptOutOfBounds { .. })));
    }
}
