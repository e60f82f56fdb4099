//! The symbols of units and their prefixes.
//!
//! The list is that of the specification (SI, and some units beyond), the units of the Modelica Standard Library, and a
//! few that are wide-spread as display units.

use std::f64::consts::PI;

/// A symbol: `x` of it are `x * factor + offset` in base units.
#[derive(Debug, PartialEq)]
pub(crate) struct Symbol {
    pub name: &'static str,
    pub factor: f64,
    pub offset: f64,
    /// Exponents of kg, m, s, A, K, mol, cd.
    pub dimension: [i8; 7],
    pub kind: Kind,
}

/// Use of a symbol with prefixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It takes prefixes.
    Prefixed,
    /// It takes none.
    Plain,
    /// It measures on a scale that is not proportional to anything: no factor leads to a pure number.
    Scale,
}

/// A prefix of a symbol.
#[derive(Debug, PartialEq)]
pub(crate) struct Prefix {
    pub name: &'static str,
    pub factor: f64,
}

const fn prefix(name: &'static str, factor: f64) -> Prefix {
    Prefix { name, factor }
}

/// Longer names first, so that `dam` is ten metres.
pub(crate) static PREFIXES: [Prefix; 24] = [
    prefix("da", 1e1),
    prefix("Q", 1e30),
    prefix("R", 1e27),
    prefix("Y", 1e24),
    prefix("Z", 1e21),
    prefix("E", 1e18),
    prefix("P", 1e15),
    prefix("T", 1e12),
    prefix("G", 1e9),
    prefix("M", 1e6),
    prefix("k", 1e3),
    prefix("h", 1e2),
    prefix("d", 1e-1),
    prefix("c", 1e-2),
    prefix("m", 1e-3),
    prefix("u", 1e-6),
    prefix("n", 1e-9),
    prefix("p", 1e-12),
    prefix("f", 1e-15),
    prefix("a", 1e-18),
    prefix("z", 1e-21),
    prefix("y", 1e-24),
    prefix("r", 1e-27),
    prefix("q", 1e-30),
];

const fn si(name: &'static str, dimension: [i8; 7]) -> Symbol {
    scaled(name, 1.0, dimension)
}

const fn scaled(name: &'static str, factor: f64, dimension: [i8; 7]) -> Symbol {
    Symbol { name, factor, offset: 0.0, dimension, kind: Kind::Prefixed }
}

const fn plain(name: &'static str, factor: f64, dimension: [i8; 7]) -> Symbol {
    Symbol { name, factor, offset: 0.0, dimension, kind: Kind::Plain }
}

const fn temperature(name: &'static str, factor: f64, offset: f64) -> Symbol {
    Symbol { name, factor, offset, dimension: TEMPERATURE, kind: Kind::Prefixed }
}

const fn scale(name: &'static str) -> Symbol {
    Symbol { name, factor: 1.0, offset: 0.0, dimension: NUMBER, kind: Kind::Scale }
}

const NUMBER: [i8; 7] = [0, 0, 0, 0, 0, 0, 0];
const MASS: [i8; 7] = [1, 0, 0, 0, 0, 0, 0];
const LENGTH: [i8; 7] = [0, 1, 0, 0, 0, 0, 0];
const AREA: [i8; 7] = [0, 2, 0, 0, 0, 0, 0];
const VOLUME: [i8; 7] = [0, 3, 0, 0, 0, 0, 0];
const TIME: [i8; 7] = [0, 0, 1, 0, 0, 0, 0];
const TEMPERATURE: [i8; 7] = [0, 0, 0, 0, 1, 0, 0];
const FREQUENCY: [i8; 7] = [0, 0, -1, 0, 0, 0, 0];
const FORCE: [i8; 7] = [1, 1, -2, 0, 0, 0, 0];
const PRESSURE: [i8; 7] = [1, -1, -2, 0, 0, 0, 0];
const ENERGY: [i8; 7] = [1, 2, -2, 0, 0, 0, 0];
const POWER: [i8; 7] = [1, 2, -3, 0, 0, 0, 0];
const DOSE: [i8; 7] = [0, 2, -2, 0, 0, 0, 0];
const LIGHT: [i8; 7] = [0, 0, 0, 0, 0, 0, 1];

const POUND: f64 = 0.453_592_37;
const INCH: f64 = 0.0254;
const STANDARD_GRAVITY: f64 = 9.806_65;
/// The zero of Fahrenheit is this many of its degrees above absolute zero.
const FAHRENHEIT_ZERO: f64 = 459.67;

pub(crate) static SYMBOLS: [Symbol; 69] = [
    // base units; the gram, because the prefix of `kg` is one
    scaled("g", 1e-3, MASS),
    si("m", LENGTH),
    si("s", TIME),
    si("A", [0, 0, 0, 1, 0, 0, 0]),
    si("K", TEMPERATURE),
    si("mol", [0, 0, 0, 0, 0, 1, 0]),
    si("cd", LIGHT),
    // derived units of SI
    si("rad", NUMBER),
    si("sr", NUMBER),
    si("Hz", FREQUENCY),
    si("N", FORCE),
    si("Pa", PRESSURE),
    si("J", ENERGY),
    si("W", POWER),
    si("C", [0, 0, 1, 1, 0, 0, 0]),
    si("V", [1, 2, -3, -1, 0, 0, 0]),
    si("F", [-1, -2, 4, 2, 0, 0, 0]),
    si("Ohm", [1, 2, -3, -2, 0, 0, 0]),
    si("S", [-1, -2, 3, 2, 0, 0, 0]),
    si("Wb", [1, 2, -2, -1, 0, 0, 0]),
    si("T", [1, 0, -2, -1, 0, 0, 0]),
    si("H", [1, 2, -2, -2, 0, 0, 0]),
    temperature("degC", 1.0, 273.15),
    si("lm", LIGHT),
    si("lx", [0, -2, 0, 0, 0, 0, 1]),
    si("Bq", FREQUENCY),
    si("Gy", DOSE),
    si("Sv", DOSE),
    si("kat", [0, 0, -1, 0, 0, 1, 0]),
    // units of the specification beyond SI
    scaled("min", 60.0, TIME),
    scaled("h", 3600.0, TIME),
    scaled("d", 86_400.0, TIME),
    scaled("l", 1e-3, VOLUME),
    scaled("L", 1e-3, VOLUME),
    scaled("eV", 1.602_176_634e-19, ENERGY),
    scaled("deg", PI / 180.0, NUMBER),
    scaled("debye", 1e-21 / 299_792_458.0, [0, 1, 1, 1, 0, 0, 0]),
    temperature("degF", 5.0 / 9.0, FAHRENHEIT_ZERO * 5.0 / 9.0),
    temperature("degRk", 5.0 / 9.0, 0.0),
    // units of the Modelica Standard Library beyond these
    scaled("bar", 1e5, PRESSURE),
    si("var", POWER),
    plain("rev", 2.0 * PI, NUMBER),
    plain("rpm", 2.0 * PI / 60.0, FREQUENCY),
    scale("dB"),
    scale("phon"),
    scale("sone"),
    // wide-spread display units
    plain("%", 1e-2, NUMBER),
    plain("ppm", 1e-6, NUMBER),
    scaled("t", 1e3, MASS),
    plain("ha", 1e4, AREA),
    plain("atm", 101_325.0, PRESSURE),
    plain("mmHg", 133.322_387_415, PRESSURE),
    plain("torr", 101_325.0 / 760.0, PRESSURE),
    plain("psi", POUND * STANDARD_GRAVITY / (INCH * INCH), PRESSURE),
    scaled("cal", 4.1868, ENERGY),
    plain("btu", 1_055.055_852_62, ENERGY),
    plain("hp", 550.0 * POUND * STANDARD_GRAVITY * 12.0 * INCH, POWER),
    plain("lb", POUND, MASS),
    plain("lbf", POUND * STANDARD_GRAVITY, FORCE),
    plain("in", INCH, LENGTH),
    plain("ft", 12.0 * INCH, LENGTH),
    plain("yd", 36.0 * INCH, LENGTH),
    plain("mi", 1609.344, LENGTH),
    plain("nmi", 1852.0, LENGTH),
    plain("kn", 1852.0 / 3600.0, [0, 1, -1, 0, 0, 0, 0]),
    plain("arcmin", PI / 10_800.0, NUMBER),
    plain("arcsec", PI / 648_000.0, NUMBER),
    plain("wk", 7.0 * 86_400.0, TIME),
    plain("yr", 365.25 * 86_400.0, TIME),
];

/// A symbol with its prefix by their text: first as a symbol alone, then with a prefix (MLS "Unit expressions").
pub(crate) fn find(operand: &str) -> Option<(Option<&'static Prefix>, &'static Symbol)> {
    let named = |name: &str| SYMBOLS.iter().find(|symbol| symbol.name == name);
    if let Some(symbol) = named(operand) {
        return Some((None, symbol));
    }
    PREFIXES.iter().find_map(|prefix| {
        let symbol = named(operand.strip_prefix(prefix.name)?)?;
        (symbol.kind == Kind::Prefixed).then_some((Some(prefix), symbol))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_symbol_is_there_twice() {
        for (i, symbol) in SYMBOLS.iter().enumerate() {
            assert!(SYMBOLS[..i].iter().all(|other| other.name != symbol.name), "{}", symbol.name);
        }
    }

    #[test]
    fn a_symbol_alone_goes_before_one_with_a_prefix() {
        let found =
            |operand| find(operand).map(|(prefix, symbol)| (prefix.map_or("", |p| p.name), symbol.name));
        assert_eq!(found("m"), Some(("", "m")));
        assert_eq!(found("T"), Some(("", "T")));
        assert_eq!(found("min"), Some(("", "min")), "not a milliinch");
        assert_eq!(found("cd"), Some(("", "cd")), "not a hundredth of a day");
        assert_eq!(found("dam"), Some(("da", "m")));
        assert_eq!(found("dm"), Some(("d", "m")));
        assert_eq!(found("kg"), Some(("k", "g")));
        assert_eq!(found("MOhm"), Some(("M", "Ohm")));
        assert_eq!(found("krpm"), None);
        assert_eq!(found("k"), None);
        assert_eq!(found("Nm"), None);
    }
}
