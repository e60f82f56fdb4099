//! Units that do not agree, and the warnings about them.

use rhei_flat::Builtin;
use rhei_source::{Diagnostic, Span};

use crate::{Agreement, Unit};

/// The two expressions whose units are compared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Between {
    /// Both sides of an equation.
    Sides,
    /// A variable and its assigned value.
    Assignment,
    /// A variable of this name and the value it is declared with.
    Binding(String),
    /// A variable of this name and this attribute of it.
    Attribute(String, &'static str),
    /// The operands of `+` or `-`.
    Terms,
    /// The operands of `<` and its kin.
    Comparison,
    /// The branches of an `if` expression.
    Branches,
    /// Arguments of a function that want the same unit.
    Arguments(Builtin),
    /// An argument of a function of pure numbers, and a pure number.
    Number(Builtin),
}

/// A place and the unit of its expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    pub span: Span,
    pub unit: Unit,
}

/// Two units that are known and do not go together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mismatch {
    pub between: Between,
    pub first: Measured,
    pub second: Measured,
}

impl Mismatch {
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let Mismatch { between, first, second } = self;
        let warning = Diagnostic::warning("unit-mismatch", self.message());
        let warning = match between {
            Between::Number(_) => warning.at(first.span, label(&first.unit)),
            // a place that makes both, as `connect` does, has said it all in the message
            _ if first.span == second.span => warning.at(first.span, ""),
            _ => warning.at(first.span, label(&first.unit)).at(second.span, label(&second.unit)),
        };
        match self.note() {
            Some(note) => warning.with_note(note),
            None => warning,
        }
    }

    fn message(&self) -> String {
        let (a, b) = (&self.first.unit, &self.second.unit);
        match &self.between {
            Between::Sides => format!("the sides of this equation have the units `{a}` and `{b}`"),
            Between::Assignment => {
                format!("a value with the unit `{b}` is assigned to a variable with the unit `{a}`")
            }
            Between::Binding(name) => {
                format!("`{name}` has the unit `{a}`, but its value has the unit `{b}`")
            }
            Between::Attribute(name, attribute) => {
                format!("`{name}` has the unit `{a}`, but its `{attribute}` has the unit `{b}`")
            }
            Between::Terms => format!("the terms of this sum have the units `{a}` and `{b}`"),
            Between::Comparison => format!("the sides of this comparison have the units `{a}` and `{b}`"),
            Between::Branches => format!("the branches of this `if` have the units `{a}` and `{b}`"),
            Between::Arguments(function) => {
                format!("the arguments of `{}` have the units `{a}` and `{b}`", function.name())
            }
            Between::Number(function) => {
                format!(
                    "the argument of `{}` has the unit `{a}`, but has to be a pure number",
                    function.name()
                )
            }
        }
    }

    /// The difference between two units of one dimension.
    fn note(&self) -> Option<String> {
        let (a, b) = (&self.first.unit, &self.second.unit);
        match a.agreement(b) {
            Agreement::Same | Agreement::OtherDimension => None,
            _ if a.offset() != b.offset() => {
                let zero = rounded(a.convert(0.0, b)?);
                Some(format!("both are temperatures, but 0 `{a}` is {zero} `{b}`"))
            }
            _ => {
                let one = rounded(a.factor() / b.factor());
                Some(match self.between {
                    Between::Number(_) => format!("one `{a}` is the number {one}"),
                    _ => format!("both measure the same, but one `{a}` is {one} `{b}`"),
                })
            }
        }
    }
}

fn label(unit: &Unit) -> String {
    let also = unit.familiar_name().map_or(String::new(), |name| format!(", that is `{name}`"));
    format!("this has the unit `{unit}`{also}")
}

/// A number without the digits that rounding left.
fn rounded(value: f64) -> f64 {
    format!("{value:.8e}").parse().expect("a number that was just written")
}
