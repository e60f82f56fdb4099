//! Why a text is not a unit.

use std::fmt;

use rhei_source::nearest_name;

use crate::symbols::{SYMBOLS, find};

/// Why a text is not a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitError {
    /// There is no text.
    Empty,
    /// There is no unit of this name.
    UnknownSymbol(String),
    /// This character cannot stand at this place, counted in bytes.
    Unexpected(char, usize),
    /// The text ends where something has to follow.
    UnexpectedEnd,
    /// A second `/`: it could divide or multiply.
    SecondDivision,
    /// An exponent is too large, or a fraction with the denominator zero.
    BadExponent,
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnitError::Empty => f.write_str("the text is empty"),
            UnitError::UnknownSymbol(symbol) => write!(f, "there is no unit `{symbol}`"),
            UnitError::Unexpected(c, _) => write!(f, "it has `{c}` where it cannot stand"),
            UnitError::UnexpectedEnd => f.write_str("the text ends too early"),
            UnitError::SecondDivision => f.write_str("there is a second `/`"),
            UnitError::BadExponent => f.write_str("an exponent is too large or divides by zero"),
        }
    }
}

impl std::error::Error for UnitError {}

impl UnitError {
    /// A suggestion for the writer.
    pub fn hint(&self) -> Option<String> {
        match self {
            UnitError::UnknownSymbol(symbol) => similar(symbol),
            UnitError::Unexpected('*' | '·', _) => Some("units are multiplied by a dot: `N.m`".into()),
            UnitError::Unexpected('^', _) => Some("an exponent follows its unit directly: `m2`".into()),
            UnitError::Unexpected(c, _) if c.is_whitespace() => {
                Some("there are no spaces in a unit; a product is written with a dot: `N.m`".into())
            }
            UnitError::Unexpected('°', _) => Some("degrees are written `deg`, `degC`, `degF`".into()),
            UnitError::Unexpected('Ω' | '\u{2126}', _) => Some("this is written `Ohm`".into()),
            UnitError::Unexpected('µ' | 'μ', _) => Some("this prefix is written `u`".into()),
            UnitError::SecondDivision => {
                Some("all that is divided by stands in parentheses: `J/(kg.K)`".into())
            }
            _ => None,
        }
    }
}

/// The nearest match to an unknown symbol: a product without its dot, or a misspelt name.
fn similar(symbol: &str) -> Option<String> {
    let splits = symbol.char_indices().skip(1).map(|(i, _)| symbol.split_at(i));
    let is_product = |(a, b): &(&str, &str)| find(a).is_some() && find(b).is_some();
    if let Some((a, b)) = splits.clone().find(is_product) {
        return Some(format!("a product is written with a dot: `{a}.{b}`"));
    }
    // names of one or two letters are all near each other
    let names = SYMBOLS.iter().map(|symbol| symbol.name);
    let near = if symbol.len() < 3 {
        names.clone().find(|name| name.eq_ignore_ascii_case(symbol))
    } else {
        nearest_name(symbol, names.filter(|name| name.len() >= 3))
    };
    near.map(|name| format!("did you mean `{name}`?"))
}
