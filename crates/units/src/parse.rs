//! The grammar of unit strings (MLS "Unit expressions").

use crate::symbols::find;
use crate::{Rational, Unit, UnitError};

/// The unit that a text names.
pub(crate) fn parse(text: &str) -> Result<Unit, UnitError> {
    if text.is_empty() {
        return Err(UnitError::Empty);
    }
    let mut parser = Parser { text, at: 0 };
    let unit = parser.expression()?;
    match parser.peek() {
        None => Ok(unit),
        Some('/') => Err(UnitError::SecondDivision),
        Some(c) => Err(UnitError::Unexpected(c, parser.at)),
    }
}

struct Parser<'a> {
    text: &'a str,
    /// Position in the text, in bytes.
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn accept(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        if is_there {
            self.at += wanted.len_utf8();
        }
        is_there
    }

    fn unexpected(&self) -> UnitError {
        self.peek().map_or(UnitError::UnexpectedEnd, |c| UnitError::Unexpected(c, self.at))
    }

    /// The longest text of characters of a kind.
    fn take(&mut self, is_part: impl Fn(char) -> bool) -> &str {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// `unit-numerator [ "/" unit-denominator ]`
    fn expression(&mut self) -> Result<Unit, UnitError> {
        let above = match self.peek() {
            Some('(') => self.parenthesized()?,
            Some('1') => {
                self.at += 1;
                Unit::one()
            }
            _ => self.factors()?,
        };
        if !self.accept('/') {
            return Ok(above);
        }
        let below = if self.peek() == Some('(') { self.parenthesized()? } else { self.factor()? };
        above.divide(&below).ok_or(UnitError::BadExponent)
    }

    fn parenthesized(&mut self) -> Result<Unit, UnitError> {
        self.accept('(');
        let unit = self.expression()?;
        match self.peek() {
            Some(')') => self.at += 1,
            Some('/') => return Err(UnitError::SecondDivision),
            _ => return Err(self.unexpected()),
        }
        Ok(unit)
    }

    fn factors(&mut self) -> Result<Unit, UnitError> {
        let mut product = self.factor()?;
        while self.accept('.') {
            product = product.multiply(&self.factor()?).ok_or(UnitError::BadExponent)?;
        }
        Ok(product)
    }

    fn factor(&mut self) -> Result<Unit, UnitError> {
        let operand = self.take(|c| c.is_ascii_alphabetic() || c == '_' || c == '%').to_owned();
        if operand.is_empty() {
            return Err(self.unexpected());
        }
        let (prefix, symbol) = find(&operand).ok_or(UnitError::UnknownSymbol(operand))?;
        let exponent = self.exponent()?;
        Unit::of_symbol(prefix, symbol).power(exponent).ok_or(UnitError::BadExponent)
    }

    /// `[ "+" | "-" ] ( UNSIGNED-INTEGER | "(" UNSIGNED-INTEGER "/" UNSIGNED-INTEGER ")" )`, or nothing for 1.
    fn exponent(&mut self) -> Result<Rational, UnitError> {
        let is_negative = self.accept('-');
        let is_signed = is_negative || self.accept('+');
        let magnitude = match self.peek() {
            Some('(') => {
                self.at += 1;
                let numerator = self.unsigned()?;
                if !self.accept('/') {
                    return Err(self.unexpected());
                }
                let denominator = self.unsigned()?;
                if !self.accept(')') {
                    return Err(self.unexpected());
                }
                Rational::new(numerator, denominator).ok_or(UnitError::BadExponent)?
            }
            Some('0'..='9') => Rational::new(self.unsigned()?, 1).ok_or(UnitError::BadExponent)?,
            _ if is_signed => return Err(self.unexpected()),
            _ => Rational::ONE,
        };
        Ok(if is_negative { magnitude.negated() } else { magnitude })
    }

    fn unsigned(&mut self) -> Result<i64, UnitError> {
        match self.take(|c| c.is_ascii_digit()) {
            "" => Err(self.unexpected()),
            digits => digits.parse().map_err(|_| UnitError::BadExponent),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn units_have_a_factor_an_offset_and_a_dimension() {
        const UNITS: &str = "1 m mm mm2 dam kg N.m kg.m2/s3 kg.m.s-2 s-1 1/s 1/(A.s) rad/s \
             rev/min rpm deg degC degF degRk J/degC mdegC J/(kg.K) (J/kg)/(kg/m3) (J.m3)/(kg2) J-1/m-3 Ohm uF kW.h l bar % dB V/Hz(1/2) \
             m-(1/2) m+2 m0 m/m eV debye lm/W m4.s4/(K.s8) min cd";
        let mut table = String::new();
        for text in UNITS.split(' ') {
            let unit = parse(text).unwrap();
            let offset = if unit.offset() == 0.0 { String::new() } else { format!(" + {}", unit.offset()) };
            table += &format!(
                "{text:15} {:11} {:.6e}{offset} {}\n",
                unit.to_string(),
                unit.factor(),
                unit.dimension()
            );
        }
        expect![[r#"
            1               1           1.000000e0 1
            m               m           1.000000e0 m
            mm              mm          1.000000e-3 m
            mm2             mm2         1.000000e-6 m2
            dam             dam         1.000000e1 m
            kg              kg          1.000000e0 kg
            N.m             N.m         1.000000e0 kg.m2/s2
            kg.m2/s3        kg.m2/s3    1.000000e0 kg.m2/s3
            kg.m.s-2        kg.m/s2     1.000000e0 kg.m/s2
            s-1             1/s         1.000000e0 1/s
            1/s             1/s         1.000000e0 1/s
            1/(A.s)         1/(A.s)     1.000000e0 1/(s.A)
            rad/s           rad/s       1.000000e0 1/s
            rev/min         rev/min     1.047198e-1 1/s
            rpm             rpm         1.047198e-1 1/s
            deg             deg         1.745329e-2 1
            degC            degC        1.000000e0 + 273.15 K
            degF            degF        5.555556e-1 + 255.3722222222222 K
            degRk           degRk       5.555556e-1 K
            J/degC          J/degC      1.000000e0 kg.m2/(s2.K)
            mdegC           mdegC       1.000000e-3 + 273.15 K
            J/(kg.K)        J/(kg.K)    1.000000e0 m2/(s2.K)
            (J/kg)/(kg/m3)  J.m3/kg2    1.000000e0 m5/(kg.s2)
            (J.m3)/(kg2)    J.m3/kg2    1.000000e0 m5/(kg.s2)
            J-1/m-3         m3/J        1.000000e0 m.s2/kg
            Ohm             Ohm         1.000000e0 kg.m2/(s3.A2)
            uF              uF          1.000000e-6 s4.A2/(kg.m2)
            kW.h            kW.h        3.600000e6 kg.m2/s2
            l               l           1.000000e-3 m3
            bar             bar         1.000000e5 kg/(m.s2)
            %               %           1.000000e-2 1
            dB              dB          1.000000e0 1
            V/Hz(1/2)       V/Hz(1/2)   1.000000e0 kg.m2/(s(5/2).A)
            m-(1/2)         1/m(1/2)    1.000000e0 1/m(1/2)
            m+2             m2          1.000000e0 m2
            m0              1           1.000000e0 1
            m/m             1           1.000000e0 1
            eV              eV          1.602177e-19 kg.m2/s2
            debye           debye       3.335641e-30 m.s.A
            lm/W            lm/W        1.000000e0 s3.cd/(kg.m2)
            m4.s4/(K.s8)    m4/(s4.K)   1.000000e0 m4/(s4.K)
            min             min         6.000000e1 s
            cd              cd          1.000000e0 cd
        "#]]
        .assert_eq(&table);
    }

    #[test]
    fn what_is_no_unit_is_refused_with_a_hint() {
        const REFUSED: &str = ", Nm, kWh, ohm, sec, Degc, furlong, x, N*m, m^2, N m, J/kg/K, \
             (m/s/s), m., m/, (m, m), 2, 1.m, m-, m(1/0), m(1), m99999999999, km999, °C, µm, 1/1, .m";
        let mut table = String::new();
        for text in REFUSED.split(", ") {
            let error = parse(text).unwrap_err();
            table += &format!(
                "{text:13} {error}{}\n",
                error.hint().map_or(String::new(), |hint| format!("; {hint}"))
            );
        }
        expect![[r#"
                          the text is empty
            Nm            there is no unit `Nm`; a product is written with a dot: `N.m`
            kWh           there is no unit `kWh`; a product is written with a dot: `kW.h`
            ohm           there is no unit `ohm`; did you mean `Ohm`?
            sec           there is no unit `sec`
            Degc          there is no unit `Degc`; did you mean `degC`?
            furlong       there is no unit `furlong`
            x             there is no unit `x`
            N*m           it has `*` where it cannot stand; units are multiplied by a dot: `N.m`
            m^2           it has `^` where it cannot stand; an exponent follows its unit directly: `m2`
            N m           it has ` ` where it cannot stand; there are no spaces in a unit; a product is written with a dot: `N.m`
            J/kg/K        there is a second `/`; all that is divided by stands in parentheses: `J/(kg.K)`
            (m/s/s)       there is a second `/`; all that is divided by stands in parentheses: `J/(kg.K)`
            m.            the text ends too early
            m/            the text ends too early
            (m            the text ends too early
            m)            it has `)` where it cannot stand
            2             it has `2` where it cannot stand
            1.m           it has `.` where it cannot stand
            m-            the text ends too early
            m(1/0)        an exponent is too large or divides by zero
            m(1)          it has `)` where it cannot stand
            m99999999999  an exponent is too large or divides by zero
            km999         an exponent is too large or divides by zero
            °C            it has `°` where it cannot stand; degrees are written `deg`, `degC`, `degF`
            µm            it has `µ` where it cannot stand; this prefix is written `u`
            1/1           it has `1` where it cannot stand
            .m            it has `.` where it cannot stand
        "#]].assert_eq(&table);
    }
}
