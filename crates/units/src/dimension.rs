//! Dimensions of units: exponents of the base units of SI.

use std::fmt;

use crate::Rational;

/// The base units, in the order of the exponents of a [`Dimension`].
const BASE_UNITS: [&str; 7] = ["kg", "m", "s", "A", "K", "mol", "cd"];

/// The exponents of `kg`, `m`, `s`, `A`, `K`, `mol`, `cd`. Angles have none: a radian is a metre by a metre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dimension(pub [Rational; 7]);

impl Dimension {
    /// That of a pure number.
    pub const NONE: Dimension = Dimension([Rational::ZERO; 7]);

    /// Of whole exponents.
    pub(crate) fn whole(exponents: [i8; 7]) -> Dimension {
        Dimension(exponents.map(|exponent| Rational::whole(exponent.into())))
    }

    /// Its product with a power of another one, unless an exponent gets too large.
    pub fn times_power(self, other: Dimension, exponent: Rational) -> Option<Dimension> {
        let mut product = self;
        for (own, others) in product.0.iter_mut().zip(other.0) {
            *own = own.plus(others.times(exponent)?)?;
        }
        Some(product)
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let powers = BASE_UNITS.iter().zip(self.0).map(|(name, exponent)| (name.to_string(), exponent));
        write_product(f, &powers.collect::<Vec<_>>())
    }
}

/// Symbols with exponents as a unit string: those with negative exponents stand below the line.
pub(crate) fn write_product(f: &mut fmt::Formatter<'_>, powers: &[(String, Rational)]) -> fmt::Result {
    let above: Vec<String> = powers
        .iter()
        .filter(|(_, exponent)| !exponent.is_negative() && *exponent != Rational::ZERO)
        .map(|(name, exponent)| format!("{name}{exponent}"))
        .collect();
    let below: Vec<String> = powers
        .iter()
        .filter(|(_, exponent)| exponent.is_negative())
        .map(|(name, exponent)| format!("{name}{}", exponent.negated()))
        .collect();
    f.write_str(if above.is_empty() { "1" } else { "" })?;
    f.write_str(&above.join("."))?;
    match &below[..] {
        [] => Ok(()),
        [one] => write!(f, "/{one}"),
        several => write!(f, "/({})", several.join(".")),
    }
}
