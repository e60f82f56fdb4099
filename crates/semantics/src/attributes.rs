//! What a declaration says in parentheses: attributes of the built-in types (MLS §4.9).

use rhei_flat::{Attributes, Expr, ExprKind, Scalar, Type, Variability};
use rhei_source::{Span, nearest_name};
use rhei_syntax::ast;
use rustc_hash::FxHashMap;

use crate::mistake::Mistake;
use crate::typing::Typing;

const OF_REAL: &[&str] = &[
    "quantity",
    "unit",
    "displayUnit",
    "min",
    "max",
    "start",
    "fixed",
    "nominal",
    "unbounded",
    "stateSelect",
];
const OF_INTEGER: &[&str] = &["quantity", "min", "max", "start", "fixed"];
const OF_BOOLEAN: &[&str] = &["quantity", "start", "fixed"];

/// The attributes of a variable of type `ty`; mistakes are collected.
pub(crate) fn attributes<'t>(
    typing: Typing<'_>,
    ty: &Type,
    arguments: impl Iterator<Item = ast::Argument<'t>>,
    mistakes: &mut Vec<Mistake>,
) -> Attributes {
    let mut found = Attributes::default();
    let mut seen: FxHashMap<String, Span> = FxHashMap::default();
    for argument in arguments {
        let ast::Argument::Modification(modification) = argument else {
            mistakes.push(Mistake::not_supported("a redeclaration", argument.span()));
            continue;
        };
        let Some(name) = modification.name().map(|name| name.to_string()) else { continue };
        if let Some(&first) = seen.get(&name) {
            mistakes.push(Mistake::DuplicateModification { name, first, again: modification.span() });
            continue;
        }
        if let Err(mistake) = attribute(typing, ty, modification, &name, &mut found) {
            mistakes.push(mistake);
        }
        seen.insert(name, modification.span());
    }
    found
}

fn attribute(
    typing: Typing<'_>,
    ty: &Type,
    modification: ast::ElementModification<'_>,
    name: &str,
    found: &mut Attributes,
) -> Result<(), Mistake> {
    let known = match ty.scalar {
        Scalar::Real => OF_REAL,
        Scalar::Integer => OF_INTEGER,
        Scalar::Boolean | Scalar::String => OF_BOOLEAN,
    };
    let span = modification.name().map_or(modification.span(), |name| name.span());
    if !known.contains(&name) {
        let near = nearest_name(name, known.iter().copied()).map(str::to_owned);
        return Err(Mistake::UnknownAttribute { name: name.into(), of: ty.scalar.name().into(), near, span });
    }
    let value = modification.modification().and_then(|m| m.value());
    if name == "stateSelect" {
        found.state_select = Some(state_select(value)?);
        return Ok(());
    }
    let value = typing.maybe(value)?;
    let wanted = match name {
        "fixed" | "unbounded" => Scalar::Boolean,
        "quantity" | "unit" | "displayUnit" => Scalar::String,
        _ => ty.scalar,
    };
    fits(name, wanted, &ty.sizes, modification.is_each(), &value)?;
    typing.at_most(Variability::Parameter, &format!("`{name}`"), &value)?;
    let text = |value: &Expr| match &value.kind {
        ExprKind::String(text) => Ok(Some(text.clone())),
        _ => Err(Mistake::not_supported(format!("`{name}` that is not a text in quotes"), value.span)),
    };
    match name {
        "start" => found.start = Some(value),
        "fixed" => found.fixed = Some(value),
        "min" => found.min = Some(value),
        "max" => found.max = Some(value),
        "nominal" => found.nominal = Some(value),
        "unit" => found.unit = text(&value)?,
        "displayUnit" => found.display_unit = text(&value)?,
        "quantity" => found.quantity = text(&value)?,
        _ => {} // `unbounded` says how a check is made that is not made
    }
    Ok(())
}

/// A value for every element: `each` with a scalar, or an array of the variable's sizes.
fn fits(name: &str, wanted: Scalar, sizes: &[usize], each: bool, value: &Expr) -> Result<(), Mistake> {
    let what = format!("`{name}`");
    if !wanted.accepts(value.ty.scalar) {
        let (found, span) = (value.ty.clone(), value.span);
        return Err(Mistake::TypeMismatch { what, wanted: wanted.name().into(), found, span });
    }
    let wanted = if each { &[] } else { sizes };
    if value.ty.sizes == wanted || (value.ty.is_scalar() && wanted.is_empty()) {
        return Ok(());
    }
    let what = if value.ty.is_scalar() { format!("{what} (without `each`)") } else { what };
    Err(Mistake::WrongSizes { what, wanted: wanted.to_vec(), found: value.ty.clone(), span: value.span })
}

fn state_select(value: Option<ast::Expression<'_>>) -> Result<&'static str, Mistake> {
    const CHOICES: [&str; 5] = ["never", "avoid", "default", "prefer", "always"];
    let value = value.ok_or(Mistake::Incomplete)?;
    let written = value.node().text();
    let choice =
        written.strip_prefix("StateSelect.").and_then(|choice| CHOICES.into_iter().find(|c| *c == choice));
    choice.ok_or_else(|| match written.strip_prefix("StateSelect.") {
        Some(choice) => Mistake::UnknownName {
            name: choice.into(),
            class: "StateSelect".into(),
            near: nearest_name(choice, CHOICES).map(str::to_owned),
            span: value.span(),
        },
        None => {
            Mistake::not_supported("`stateSelect` that is not one of the choices themselves", value.span())
        }
    })
}
