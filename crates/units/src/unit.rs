//! Units: comparison, conversion, dimensions.

use std::fmt;

use crate::dimension::write_product;
use crate::symbols::{Kind, Prefix, Symbol};
use crate::{Dimension, Rational, UnitError, parse};

/// A unit: a product of powers of symbols. Two are `==` if they are written the same but for the side of the line; whether
/// they measure the same is [`Unit::agreement`].
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// No symbol with its prefix is there twice, no exponent is zero; positive exponents first.
    powers: Vec<Power>,
}

#[derive(Clone, Debug, PartialEq)]
struct Power {
    prefix: Option<&'static Prefix>,
    symbol: &'static Symbol,
    exponent: Rational,
}

/// How two units go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// A number of one is the same number of the other.
    Same,
    /// They count from different zeros: `degC` and `K`.
    OtherZero,
    /// They measure the same by another factor: `mm` and `m`.
    OtherFactor,
    /// They measure different things.
    OtherDimension,
}

/// How far factors may be apart to be the same: constants of nature and conversions are often written with few digits.
const FACTOR_TOLERANCE: f64 = 1e-6;

/// How far zeros may be apart, in kelvin, to be the same.
const ZERO_TOLERANCE: f64 = 1e-6;

/// Units that a product is better known as.
const FAMILIAR: [&str; 20] = [
    "1", "kg", "m", "s", "A", "K", "mol", "cd", "N", "Pa", "J", "W", "C", "V", "F", "Ohm", "S", "Wb", "T",
    "H",
];

impl Unit {
    /// The unit that a text names (MLS "Unit expressions").
    pub fn parse(text: &str) -> Result<Unit, UnitError> {
        parse::parse(text)
    }

    /// That of a pure number.
    pub fn one() -> Unit {
        Unit { powers: Vec::new() }
    }

    pub(crate) fn of_symbol(prefix: Option<&'static Prefix>, symbol: &'static Symbol) -> Unit {
        Unit { powers: vec![Power { prefix, symbol, exponent: Rational::ONE }] }
    }

    /// How much one of it is in base units of SI.
    pub fn factor(&self) -> f64 {
        self.powers.iter().map(Power::factor).product()
    }

    /// Its zero in base units of SI; zero but for temperatures that stand alone, since in `J/degC` only a
    /// difference counts.
    pub fn offset(&self) -> f64 {
        match &self.powers[..] {
            [only] if only.exponent == Rational::ONE => only.symbol.offset,
            _ => 0.0,
        }
    }

    /// Its dimension.
    pub fn dimension(&self) -> Dimension {
        self.checked_dimension().expect("checked when it was made")
    }

    fn checked_dimension(&self) -> Option<Dimension> {
        self.powers.iter().try_fold(Dimension::NONE, |product, power| {
            product.times_power(Dimension::whole(power.symbol.dimension), power.exponent)
        })
    }

    /// Whether it has the dimension of another one.
    pub fn same_dimension(&self, other: &Unit) -> bool {
        self.dimension() == other.dimension()
    }

    /// Whether its scale is not proportional to the quantity, as that of `dB`.
    pub fn is_scale(&self) -> bool {
        self.powers.iter().any(|power| power.symbol.kind == Kind::Scale)
    }

    /// How it goes together with another one.
    pub fn agreement(&self, other: &Unit) -> Agreement {
        if !self.same_dimension(other) {
            Agreement::OtherDimension
        } else if (self.factor() / other.factor() - 1.0).abs() > FACTOR_TOLERANCE {
            Agreement::OtherFactor
        } else if (self.offset() - other.offset()).abs() > ZERO_TOLERANCE {
            Agreement::OtherZero
        } else {
            Agreement::Same
        }
    }

    /// So many of this unit in another one; nothing where they measure different things.
    pub fn convert(&self, value: f64, to: &Unit) -> Option<f64> {
        self.same_dimension(to).then(|| {
            let base = value * self.factor() + self.offset();
            (base - to.offset()) / to.factor()
        })
    }

    /// The product, unless exponents or factors get too large.
    pub fn multiply(&self, other: &Unit) -> Option<Unit> {
        let mut powers = self.powers.clone();
        for power in &other.powers {
            match powers.iter_mut().find(|own| own.prefix == power.prefix && own.symbol == power.symbol) {
                Some(own) => own.exponent = own.exponent.plus(power.exponent)?,
                None => powers.push(power.clone()),
            }
        }
        Unit::checked(powers)
    }

    /// The quotient, unless exponents or factors get too large.
    pub fn divide(&self, other: &Unit) -> Option<Unit> {
        self.multiply(&other.power(Rational::whole(-1))?)
    }

    /// The power, unless exponents or factors get too large.
    pub fn power(&self, exponent: Rational) -> Option<Unit> {
        let mut powers = self.powers.clone();
        for power in &mut powers {
            power.exponent = power.exponent.times(exponent)?;
        }
        Unit::checked(powers)
    }

    /// The root of this degree; nothing for zero.
    pub fn root(&self, degree: i32) -> Option<Unit> {
        self.power(Rational::new(1, degree.into())?)
    }

    /// Brings powers in order; nothing where a number they lead to is too large.
    fn checked(mut powers: Vec<Power>) -> Option<Unit> {
        powers.retain(|power| power.exponent != Rational::ZERO);
        powers.sort_by_key(|power| power.exponent.is_negative());
        let unit = Unit { powers };
        unit.checked_dimension()?;
        unit.factor().is_normal().then_some(unit)
    }

    /// The shorter name of a product: `V` for `Ohm.A`.
    pub(crate) fn familiar_name(&self) -> Option<&'static str> {
        let is_same =
            |name: &&str| Unit::parse(name).is_ok_and(|familiar| familiar.agreement(self) == Agreement::Same);
        if self.powers.len() < 2 { None } else { FAMILIAR.into_iter().find(is_same) }
    }
}

impl Power {
    fn factor(&self) -> f64 {
        let one = self.prefix.map_or(1.0, |prefix| prefix.factor) * self.symbol.factor;
        match self.exponent.as_whole() {
            Some(exponent) => one.powi(exponent),
            None => one.powf(self.exponent.as_f64()),
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |power: &Power| format!("{}{}", power.prefix.map_or("", |p| p.name), power.symbol.name);
        let powers: Vec<_> = self.powers.iter().map(|power| (name(power), power.exponent)).collect();
        write_product(f, &powers)
    }
}

impl std::str::FromStr for Unit {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Unit, UnitError> {
        Unit::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::{PREFIXES, SYMBOLS, find};

    fn unit(text: &str) -> Unit {
        Unit::parse(text).unwrap()
    }

    /// A few thousand units: every symbol with every prefix, times a power of every other symbol.
    fn many() -> Vec<Unit> {
        let exponents = [-2, -1, 1, 3].map(Rational::whole).into_iter().chain(Rational::new(-3, 2));
        let exponents: Vec<Rational> = exponents.collect();
        let mut all = vec![Unit::one()];
        for (i, a) in SYMBOLS.iter().enumerate() {
            let operands =
                PREFIXES.iter().map(|prefix| prefix.name).chain([""]).map(|p| p.to_owned() + a.name);
            all.extend(operands.filter_map(|operand| find(&operand)).map(|(p, s)| Unit::of_symbol(p, s)));
            for (j, b) in SYMBOLS.iter().enumerate() {
                let [m, n] = [i + j, i * j].map(|k| exponents[k % exponents.len()]);
                let product =
                    |m| Unit::of_symbol(None, a).power(m)?.multiply(&Unit::of_symbol(None, b).power(n)?);
                all.extend(product(m));
            }
        }
        all
    }

    #[test]
    fn a_unit_is_read_as_it_is_shown() {
        for unit in many() {
            let shown = unit.to_string();
            let read = Unit::parse(&shown).unwrap_or_else(|error| panic!("{shown}: {error}"));
            assert_eq!(read, unit, "{shown}");
            assert_eq!((read.factor(), read.offset()), (unit.factor(), unit.offset()), "{shown}");
        }
    }

    #[test]
    fn powers_undo_roots_and_quotients_undo_products() {
        for unit in &many() {
            let square = unit.power(Rational::whole(2)).unwrap();
            assert_eq!(square.root(2).as_ref(), Some(unit));
            assert_eq!(square.divide(unit).unwrap().dimension(), unit.dimension());
            assert_eq!(unit.divide(unit), Some(Unit::one()));
        }
        assert_eq!(unit("m").root(0), None);
    }

    #[test]
    fn a_product_collects_what_is_the_same() {
        let product = |a, b| unit(a).multiply(&unit(b)).unwrap().to_string();
        assert_eq!(product("V", "A"), "V.A");
        assert_eq!(product("m/s", "s"), "m");
        assert_eq!(product("N.m/rad", "rad"), "N.m");
        assert_eq!(product("mm", "m"), "mm.m");
        assert_eq!(product("1/s", "1/s"), "1/s2");
        assert_eq!(unit("Ohm.A").familiar_name(), Some("V"));
        assert_eq!(unit("mm.A").familiar_name(), None);
        assert_eq!(unit("K").familiar_name(), None);
    }

    #[test]
    fn units_agree_or_not() {
        use Agreement::*;
        let table = [
            ("V.A", "W", Same),
            ("rad", "1", Same),
            ("Hz", "rad/s", Same),
            ("N.m.s/rad", "J.s", Same),
            ("rad/deg", "1", OtherFactor),
            ("mm", "m", OtherFactor),
            ("degC", "K", OtherZero),
            ("J/degC", "J/K", Same),
            ("degC", "degF", OtherFactor),
            ("degRk", "K", OtherFactor),
            ("V", "A", OtherDimension),
            ("V/Hz(1/2)", "V.s(1/2)", Same),
        ];
        for (a, b, agreement) in table {
            assert_eq!(unit(a).agreement(&unit(b)), agreement, "{a} and {b}");
            assert_eq!(unit(b).agreement(&unit(a)), agreement, "{b} and {a}");
        }
    }

    #[test]
    fn values_are_converted() {
        let convert = |value, from, to| unit(from).convert(value, &unit(to));
        assert_eq!(convert(20.0, "degC", "K"), Some(293.15));
        assert!((convert(212.0, "degF", "degC").unwrap() - 100.0).abs() < 1e-9);
        assert!((convert(1.0, "rev/min", "deg/s").unwrap() - 6.0).abs() < 1e-12);
        assert!((convert(1.0, "psi", "Pa").unwrap() - 6894.757293).abs() < 1e-6);
        assert!((convert(1.0, "hp", "W").unwrap() - 745.699872).abs() < 1e-6);
        assert_eq!(convert(1.0, "V", "A"), None);
    }
}
