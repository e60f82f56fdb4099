//! The functions of the language: which there are, and how they are typed (MLS §3.7).

use rhei_flat::{Builtin, Expr, ExprKind, Scalar, Type};
use rhei_source::Span;

use crate::mistake::Mistake;

/// Functions and operators of the language that rhei knows of but does not do yet.
pub(crate) const NOT_YET: &[&str] = &[
    "actualStream",
    "array",
    "assert",
    "backSample",
    "balance",
    "cardinality",
    "cat",
    "ceil",
    "change",
    "Clock",
    "cross",
    "delay",
    "diagonal",
    "div",
    "edge",
    "firstTick",
    "floor",
    "getInstanceName",
    "hold",
    "homotopy",
    "identity",
    "inStream",
    "initial",
    "Integer",
    "integer",
    "interval",
    "linspace",
    "matrix",
    "mod",
    "ndims",
    "noClock",
    "noEvent",
    "outerProduct",
    "pre",
    "previous",
    "product",
    "promote",
    "reinit",
    "rem",
    "rooted",
    "sample",
    "scalar",
    "semiLinear",
    "shiftSample",
    "size",
    "skew",
    "smooth",
    "spatialDistribution",
    "String",
    "subSample",
    "sum",
    "superSample",
    "symmetric",
    "terminal",
    "terminate",
    "transpose",
    "vector",
];

/// A call of a function of the language, its arguments typed.
pub(crate) fn call(builtin: Builtin, arguments: Vec<Expr>, span: Span) -> Result<Expr, Mistake> {
    let count = |wanted: &'static str, right: bool| {
        if right {
            return Ok(());
        }
        Err(Mistake::WrongArgumentCount {
            function: builtin.name().into(),
            wanted,
            found: arguments.len(),
            span,
        })
    };
    let ty = match builtin {
        Builtin::Der => {
            count("one argument", arguments.len() == 1)?;
            numeric(builtin, &arguments)?;
            arguments[0].ty.with_scalar(Scalar::Real)
        }
        Builtin::Min | Builtin::Max => {
            count("one array or two scalars", matches!(arguments.len(), 1 | 2))?;
            numeric(builtin, &arguments)?;
            extreme(builtin, &arguments)?
        }
        Builtin::Atan2 => {
            count("two arguments", arguments.len() == 2)?;
            numeric(builtin, &arguments)?;
            elementwise("the arguments of `atan2`", &arguments[0], &arguments[1])?.with_scalar(Scalar::Real)
        }
        Builtin::Abs | Builtin::Sign => {
            count("one argument", arguments.len() == 1)?;
            numeric(builtin, &arguments)?;
            let scalar = if builtin == Builtin::Sign { Scalar::Integer } else { arguments[0].ty.scalar };
            arguments[0].ty.with_scalar(scalar)
        }
        Builtin::Fill => {
            count("a value and at least one size", arguments.len() >= 2)?;
            let sizes = literal_sizes(&arguments[1..])?;
            Type::array(
                arguments[0].ty.scalar,
                sizes.into_iter().chain(arguments[0].ty.sizes.iter().copied()).collect(),
            )
        }
        Builtin::Zeros | Builtin::Ones => {
            count("at least one size", !arguments.is_empty())?;
            Type::array(Scalar::Integer, literal_sizes(&arguments)?)
        }
        _ => {
            count("one argument", arguments.len() == 1)?;
            numeric(builtin, &arguments)?;
            arguments[0].ty.with_scalar(Scalar::Real)
        }
    };
    Ok(Expr { kind: ExprKind::Call(builtin, arguments), ty, span })
}

fn numeric(builtin: Builtin, arguments: &[Expr]) -> Result<(), Mistake> {
    match arguments.iter().find(|argument| !argument.ty.scalar.is_numeric()) {
        None => Ok(()),
        Some(argument) => Err(Mistake::TypeMismatch {
            what: format!("an argument of `{}`", builtin.name()),
            wanted: "a number".into(),
            found: argument.ty.clone(),
            span: argument.span,
        }),
    }
}

fn extreme(builtin: Builtin, arguments: &[Expr]) -> Result<Type, Mistake> {
    match arguments {
        [array] if array.ty.is_scalar() || array.ty.is_empty() => Err(Mistake::TypeMismatch {
            what: format!("the only argument of `{}`", builtin.name()),
            wanted: "an array with elements".into(),
            found: array.ty.clone(),
            span: array.span,
        }),
        [array] => Ok(Type::scalar(array.ty.scalar)),
        [a, b] => {
            let array = [a, b].into_iter().find(|e| !e.ty.is_scalar());
            match array {
                Some(array) => Err(Mistake::TypeMismatch {
                    what: format!("each of the two arguments of `{}`", builtin.name()),
                    wanted: "a scalar".into(),
                    found: array.ty.clone(),
                    span: array.span,
                }),
                None => elementwise("the arguments", a, b),
            }
        }
        _ => Err(Mistake::Incomplete),
    }
}

/// Sizes given as whole numbers; parameters were put in before.
fn literal_sizes(arguments: &[Expr]) -> Result<Vec<usize>, Mistake> {
    arguments
        .iter()
        .map(|argument| match argument.kind {
            ExprKind::Integer(size) if size >= 0 => Ok(size as usize),
            _ => Err(Mistake::SizeNotEvaluable {
                why: "not a whole number, zero or more".into(),
                span: argument.span,
            }),
        })
        .collect()
}

/// The type of an operation that goes through arrays element by element, a scalar standing for every element.
pub(crate) fn elementwise(what: &str, a: &Expr, b: &Expr) -> Result<Type, Mistake> {
    let sizes = if a.ty.is_scalar() { &b.ty.sizes } else { &a.ty.sizes };
    let fits = b.ty.is_scalar() || b.ty.sizes == *sizes;
    match a.ty.scalar.joined(b.ty.scalar) {
        Some(scalar) if fits => Ok(Type::array(scalar, sizes.clone())),
        _ => Err(Mistake::Incompatible {
            what: what.into(),
            left: a.ty.clone(),
            left_span: a.span,
            right: b.ty.clone(),
            right_span: b.span,
        }),
    }
}
