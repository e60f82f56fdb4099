//! Functions and operators of the language, by area.

mod arrays;
mod mathematics;
mod text;

pub(crate) use mathematics::{quotient, real_function, real_number};
pub(crate) use text::string_of;

use std::borrow::Cow;

use rhei_flat::{Builtin, Expr, External, Reduction, Scalar, Type};
use rhei_source::Span;
use smol_str::format_smolstr;

use crate::arithmetic::{each, ill_typed};
use crate::frame::Frame;
use crate::interpret::{Interpreter, root};
use crate::{Failure, Value, iterate, linear_algebra};

/// The number of `AssertionLevel.warning`.
const WARNING: u32 = 1;

impl Interpreter<'_> {
    /// The value of a call; arguments that are not needed are not evaluated.
    pub(crate) fn builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[Expr],
        e: &Expr,
        frame: &Frame,
    ) -> Result<Value, Failure> {
        use Builtin as B;
        match (builtin, arguments) {
            (_, [a]) if builtin.is_elementary() => {
                mathematics::elementary(builtin, &*self.operand(a, frame)?, e.span)
            }
            (B::NoEvent | B::Homotopy, [a, ..]) | (B::Smooth, [_, a]) => self.value(a, frame),
            (B::Ndims, [a]) => Ok(Value::Integer(a.ty.dimensions() as i64)),
            (B::Size, [a, rest @ ..]) => self.size(a, rest, frame, e.span),
            (B::Array, elements) => self.array(elements, e, frame),
            (B::Assert, arguments) => {
                self.assert(arguments, e.span, frame)?;
                Ok(Value::Boolean(true))
            }
            _ if depends_on_run(builtin) => {
                Err(Failure::NotConstant { what: format_smolstr!("{}()", builtin.name()), span: e.span })
            }
            _ => {
                let values = self.values(arguments, frame)?;
                self.on_values(builtin, &values, &e.ty, e.span, frame)
            }
        }
    }

    /// The value of a call with these arguments, as a value of type `ty`.
    fn on_values(
        &mut self,
        builtin: Builtin,
        arguments: &[Value],
        ty: &Type,
        span: Span,
        frame: &Frame,
    ) -> Result<Value, Failure> {
        use Builtin as B;
        match (builtin, arguments) {
            (_, [a]) if builtin.is_elementary() => mathematics::elementary(builtin, a, span),
            (B::Atan2 | B::Div | B::Mod | B::Rem | B::Min | B::Max, [a, b]) => {
                mathematics::of_two(builtin, a, b, span)
            }
            (B::SemiLinear, [x, positive, negative]) => mathematics::semi_linear(x, positive, negative, span),
            (B::IntegerOf, [a]) => mathematics::integer_of(a, span),
            (B::EnumerationOf, [a]) => self.enumeration_of(a, ty.scalar, span),
            (B::StringOf, [a, options @ ..]) => text::string_of(a, options, self.tables, span),
            (B::Sum, [a]) => self.reduce(Reduction::Sum, a, span),
            (B::Product, [a]) => self.reduce(Reduction::Product, a, span),
            (B::Min, [a]) => self.reduce(Reduction::Min, a, span),
            (B::Max, [a]) => self.reduce(Reduction::Max, a, span),
            (B::Promote, [a, n]) => arrays::promote(a, arrays::size(n, span)?, span),
            (B::ScalarOf, [a]) => arrays::scalar(a, span),
            (B::Vector, [a]) => arrays::vector(a, span),
            (B::Matrix, [a]) => arrays::matrix(a, span),
            (B::Identity, [n]) => {
                let n = arrays::size(n, span)?;
                self.charge(n.saturating_mul(n), frame, span)?;
                Ok(linear_algebra::identity(n, Scalar::Integer))
            }
            (B::Diagonal, [v]) => {
                let n = v.elements().len();
                self.charge(n.saturating_mul(n), frame, span)?;
                linear_algebra::diagonal(v, span)
            }
            (B::Zeros, sizes) => self.fill(&Value::Integer(0), sizes, span, frame),
            (B::Ones, sizes) => self.fill(&Value::Integer(1), sizes, span, frame),
            (B::Fill, [value, sizes @ ..]) => self.fill(value, sizes, span, frame),
            (B::Linspace, [from, to, n]) => {
                let n = arrays::size(n, span)?;
                self.charge(n, frame, span)?;
                arrays::linspace(from, to, n, span)
            }
            (B::Transpose, [a]) => linear_algebra::transpose(a, span),
            (B::OuterProduct, [x, y]) => {
                self.charge(x.elements().len().saturating_mul(y.elements().len()), frame, span)?;
                linear_algebra::outer_product(x, y, span)
            }
            (B::Symmetric, [a]) => linear_algebra::symmetric(a, span),
            (B::Cross, [x, y]) => linear_algebra::cross(x, y, span),
            (B::Skew, [x]) => linear_algebra::skew(x, span),
            (B::Cat, [k, parts @ ..]) => {
                self.charge(parts.iter().map(|part| part.elements().len()).sum(), frame, span)?;
                arrays::cat(arrays::size(k, span)?, parts, ty.scalar, self.tables, span)
            }
            (B::NoEvent | B::Homotopy, [a, ..]) | (B::Smooth, [_, a]) => Ok(a.clone()),
            _ if depends_on_run(builtin) => {
                Err(Failure::NotConstant { what: format_smolstr!("{}()", builtin.name()), span })
            }
            _ => {
                let what = format_smolstr!("`{}` of {} arguments", builtin.name(), arguments.len());
                Err(Failure::NotSupported { what, span })
            }
        }
    }

    /// `assert(condition, message, level)`
    pub(crate) fn assert(&mut self, arguments: &[Expr], span: Span, frame: &Frame) -> Result<(), Failure> {
        let [condition, rest @ ..] = arguments else { return Ok(()) };
        if self.condition(condition, frame)? {
            return Ok(());
        }
        let message = match rest.first() {
            Some(message) => match self.value(message, frame)? {
                Value::String(text) => text,
                other => return Err(ill_typed("a String", &other, message.span)),
            },
            None => "assertion".into(),
        };
        match rest.get(1).map(|level| self.value(level, frame)).transpose()? {
            Some(Value::Enumeration(_, WARNING)) => {
                self.env.warn(&message, span);
                Ok(())
            }
            _ => Err(Failure::AssertFailed { message, span }),
        }
    }

    /// A function of the language under another name: `external "builtin" y = sin(u)` (MLS §12.9).
    pub(crate) fn external_builtin(&mut self, external: &External, frame: &mut Frame) -> Result<(), Failure> {
        let arguments = self.values(&external.arguments, frame)?;
        let Some(builtin) = Builtin::named(&external.name) else {
            return Err(Failure::External { name: external.name.clone(), span: external.span });
        };
        let Some(target) = &external.result else {
            let what = format_smolstr!("`{}` without a result", external.name);
            return Err(Failure::NotSupported { what, span: external.span });
        };
        let value = self.on_values(builtin, &arguments, &target.ty, external.span, frame)?;
        self.assign(target, value, frame)
    }

    /// `size(a)`, `size(a, i)`: sizes that the type leaves open are those of the array, which need not be assigned.
    fn size(&mut self, a: &Expr, rest: &[Expr], frame: &Frame, span: Span) -> Result<Value, Failure> {
        let dimension = rest.first().map(|i| self.integer(i, frame)).transpose()?;
        let place = dimension.map(|i| usize::try_from(i.saturating_sub(1)).unwrap_or(usize::MAX));
        let known = match place {
            Some(place) => a.ty.sizes.get(place).and_then(|size| Some(vec![size.known()?])),
            None => a.ty.known_sizes(),
        };
        let as_value = |size: &usize| Value::Integer(*size as i64);
        match (place, known) {
            (Some(_), Some(size)) => Ok(as_value(&size[0])),
            (None, Some(sizes)) => Ok(Value::integers(sizes.iter().map(|&size| size as i64))),
            (Some(place), None) if place < a.ty.dimensions() => {
                let array = self.sized(a, frame)?;
                array.sizes().get(place).map(as_value).ok_or_else(|| ill_typed("an array", &array, a.span))
            }
            (None, None) => {
                Ok(Value::integers(self.sized(a, frame)?.sizes().iter().map(|&size| size as i64)))
            }
            (Some(_), None) => {
                let (asked, there) = (dimension.unwrap_or_default(), a.ty.dimensions());
                let what = format!("dimension {asked} is asked for, and there are {there}");
                Err(Failure::WrongArgument { what, span })
            }
        }
    }

    /// An array that has sizes, though perhaps no elements yet.
    fn sized<'f>(&mut self, a: &Expr, frame: &'f Frame) -> Result<Cow<'f, Value>, Failure> {
        let array = self.view(a, frame)?;
        match (&*array, root(a)) {
            (Value::Unassigned, Some(local)) => Err(frame.not_assigned(local, a.span)),
            _ => Ok(array),
        }
    }

    fn fill(&mut self, value: &Value, sizes: &[Value], span: Span, frame: &Frame) -> Result<Value, Failure> {
        let sizes = sizes.iter().map(|n| arrays::size(n, span)).collect::<Result<Vec<usize>, _>>()?;
        let count = sizes.iter().fold(value.elements().len(), |count, &size| count.saturating_mul(size));
        self.charge(count, frame, span)?;
        Ok(arrays::fill(value, sizes))
    }

    fn reduce(&self, reduction: Reduction, a: &Value, span: Span) -> Result<Value, Failure> {
        let mut result = None;
        for element in a.elements() {
            result = Some(iterate::fold(reduction, result, element.clone(), span)?);
        }
        match (result, a.scalar()) {
            (Some(result), _) => Ok(result),
            (None, Some(scalar)) => iterate::empty(reduction, scalar, Vec::new(), self.tables, span),
            (None, None) => Err(ill_typed("an array", a, span)),
        }
    }

    /// The literal of an enumeration with this number.
    fn enumeration_of(&self, a: &Value, scalar: Scalar, span: Span) -> Result<Value, Failure> {
        let Scalar::Enumeration(id) = scalar else {
            return Err(Failure::IllTyped { expected: "an enumeration", found: "another type", span });
        };
        let enumeration = self.tables.enumeration(id);
        each(scalar, a, |a| match a {
            Value::Integer(i) if (1..=enumeration.literals.len() as i64).contains(i) => {
                Ok(Value::Enumeration(id, *i as u32))
            }
            Value::Integer(i) => {
                let what = format!(
                    "`{}` has {} literals, and the one with number {i} is asked for",
                    enumeration.name,
                    enumeration.literals.len()
                );
                Err(Failure::WrongArgument { what, span })
            }
            other => Err(ill_typed("an Integer", other, span)),
        })
    }
}

/// Whether its value depends on the run.
fn depends_on_run(builtin: Builtin) -> bool {
    use Builtin as B;
    matches!(
        builtin,
        B::Der
            | B::Delay
            | B::Cardinality
            | B::InStream
            | B::ActualStream
            | B::SpatialDistribution
            | B::GetInstanceName
            | B::Initial
            | B::Terminal
            | B::Sample
            | B::Pre
            | B::Edge
            | B::Change
            | B::Reinit
            | B::Previous
            | B::Hold
            | B::SubSample
            | B::SuperSample
            | B::ShiftSample
            | B::BackSample
            | B::NoClock
            | B::Interval
            | B::FirstTick
            | B::Clock
            | B::Terminate
            | B::Balance
            | B::Transition
            | B::InitialState
            | B::ActiveState
            | B::TicksInState
            | B::TimeInState
            | B::ConnectionsRoot
            | B::ConnectionsPotentialRoot
            | B::ConnectionsBranch
            | B::ConnectionsIsRoot
            | B::ConnectionsRooted
            | B::Rooted
    )
}
