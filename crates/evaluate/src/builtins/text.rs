//! `String(x, …)`: values as texts (MLS §3.7.1); the formats of numbers are those of C.

use rhei_flat::Tables;
use rhei_source::Span;
use smol_str::{SmolStr, format_smolstr};

use crate::arithmetic::ill_typed;
use crate::{Failure, Value};

/// `String(value, significantDigits or format, minimumLength, leftJustified)`
pub(crate) fn string_of(
    value: &Value,
    options: &[Value],
    tables: &Tables,
    span: Span,
) -> Result<Value, Failure> {
    let mut format = Format::default();
    match options.first() {
        Some(Value::String(text)) => return formatted(value, text, span).map(Value::String),
        Some(digits) if matches!(value, Value::Real(_)) => {
            format.precision = Some(count(digits, "significantDigits", span)?);
        }
        _ => {}
    }
    if let Some(length) = options.get(1) {
        format.width = count(length, "minimumLength", span)?;
    }
    format.left = match options.get(2) {
        Some(Value::Boolean(left)) => *left,
        Some(other) => return Err(ill_typed("a Boolean", other, span)),
        None => true,
    };
    let text = match value {
        Value::Real(x) => real_text(*x, 'g', &format),
        Value::Integer(i) => i.to_string(),
        Value::Boolean(b) => b.to_string(),
        Value::Enumeration(id, number) => tables.enumeration(*id).literals[*number as usize - 1].to_string(),
        Value::String(text) => text.to_string(),
        other => return Err(ill_typed("a scalar that can be written", other, span)),
    };
    Ok(Value::String(format.padded("", &text).into()))
}

/// A conversion specification of C without its `%` and its last letter.
#[derive(Default)]
struct Format {
    left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
}

/// Widest field and most digits: a bound on memory.
const LONGEST: usize = 10_000;

impl Format {
    /// The format and its last letter; none if the text is no format.
    fn read(text: &str) -> Option<(Format, char)> {
        let mut format = Format::default();
        let body = text.trim_start_matches(|c| {
            let flag = match c {
                '-' => &mut format.left,
                '+' => &mut format.plus,
                ' ' => &mut format.space,
                '#' => &mut format.alternative,
                '0' => &mut format.zeros,
                _ => return false,
            };
            *flag = true;
            true
        });
        let mut letters = body.chars();
        let conversion = letters.next_back()?;
        let (width, precision) = match letters.as_str().split_once('.') {
            Some((width, precision)) => (width, Some(precision)),
            None => (letters.as_str(), None),
        };
        let number = |digits: &str| match digits {
            "" => Some(0),
            _ if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok().filter(|&n| n <= LONGEST),
            _ => None,
        };
        format.width = number(width)?;
        format.precision = match precision {
            Some(digits) => Some(number(digits)?),
            None => None,
        };
        Some((format, conversion))
    }

    /// With the sign before it, filled up to the width.
    fn padded(&self, sign: &str, digits: &str) -> String {
        let missing = self.width.saturating_sub(sign.chars().count() + digits.chars().count());
        if self.left {
            format!("{sign}{digits}{}", " ".repeat(missing))
        } else if self.zeros {
            format!("{sign}{}{digits}", "0".repeat(missing))
        } else {
            format!("{}{sign}{digits}", " ".repeat(missing))
        }
    }

    fn sign(&self, is_negative: bool) -> &'static str {
        match (is_negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }
}

fn formatted(value: &Value, text: &str, span: Span) -> Result<SmolStr, Failure> {
    let wrong =
        || Failure::WrongArgument { what: format!("\"{text}\" is not the format of {}", value.kind()), span };
    let (format, conversion) = Format::read(text).ok_or_else(wrong)?;
    let written = match (conversion, value) {
        ('f' | 'e' | 'E' | 'g' | 'G', Value::Real(_) | Value::Integer(_)) => {
            let x = value.as_real().unwrap_or(f64::NAN);
            let digits = real_text(x.abs(), conversion, &format);
            let zeros = format.zeros && x.is_finite();
            Format { zeros, ..format }.padded(format.sign(x.is_sign_negative()), &digits)
        }
        ('d' | 'i' | 'u' | 'o' | 'x' | 'X' | 'c', Value::Real(x)) => {
            let nearest = libm::round(*x) as i64; // the specification leaves the result open
            integer_text(nearest, conversion, &format).ok_or_else(wrong)?
        }
        ('d' | 'i' | 'u' | 'o' | 'x' | 'X' | 'c', Value::Integer(i)) => {
            integer_text(*i, conversion, &format).ok_or_else(wrong)?
        }
        _ => return Err(wrong()),
    };
    Ok(written.into())
}

fn integer_text(i: i64, conversion: char, format: &Format) -> Option<String> {
    let (sign, mut digits) = match conversion {
        'd' | 'i' => (format.sign(i < 0), i.unsigned_abs().to_string()),
        'u' => ("", (i as u64).to_string()),
        'o' => (if format.alternative { "0" } else { "" }, format!("{i:o}")),
        'x' => (if format.alternative && i != 0 { "0x" } else { "" }, format!("{i:x}")),
        'X' => (if format.alternative && i != 0 { "0X" } else { "" }, format!("{i:X}")),
        _ => {
            let letter = char::from_u32(u32::try_from(i).ok()?)?;
            return Some(Format { zeros: false, ..*format }.padded("", letter.encode_utf8(&mut [0; 4])));
        }
    };
    if let Some(least) = format.precision {
        let missing = least.saturating_sub(digits.len());
        digits.insert_str(0, &"0".repeat(missing));
    }
    // A precision makes C forget the flag for zeros.
    Some(Format { zeros: format.zeros && format.precision.is_none(), ..*format }.padded(sign, &digits))
}

/// A number with the sign it has, by one of the letters `f`, `e`, `g` and their capitals.
fn real_text(x: f64, conversion: char, format: &Format) -> String {
    let precision = format.precision.unwrap_or(6);
    let text = if x.is_nan() {
        "nan".into()
    } else if x.is_infinite() {
        if x < 0.0 { "-inf".into() } else { "inf".into() }
    } else {
        match conversion {
            'f' => format!("{x:.precision$}"),
            'e' | 'E' => exponential(x, precision),
            _ => general(x, precision.max(1), format.alternative),
        }
    };
    if conversion.is_ascii_uppercase() { text.to_uppercase() } else { text }
}

/// `1.5e-07`
fn exponential(x: f64, precision: usize) -> String {
    let text = format!("{x:.precision$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let (sign, digits) = match exponent.strip_prefix('-') {
                Some(digits) => ('-', digits),
                None => ('+', exponent),
            };
            format!("{mantissa}e{sign}{digits:0>2}")
        }
        None => text,
    }
}

/// The shorter of both notations with so many significant digits, without zeros at the end.
fn general(x: f64, significant: usize, keep_zeros: bool) -> String {
    let rounded = exponential(x, significant - 1);
    let exponent: i64 = rounded.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    let stripped = |digits: &str| match digits.contains('.') && !keep_zeros {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => digits.to_owned(),
    };
    if (-4..significant as i64).contains(&exponent) {
        let decimals = (significant as i64 - 1 - exponent) as usize;
        return stripped(&format!("{x:.decimals$}"));
    }
    match rounded.split_once('e') {
        Some((mantissa, exponent)) => format_smolstr!("{}e{exponent}", stripped(mantissa)).into(),
        None => rounded,
    }
}

fn count(value: &Value, name: &str, span: Span) -> Result<usize, Failure> {
    let n = value.as_integer().ok_or_else(|| ill_typed("an Integer", value, span))?;
    usize::try_from(n).ok().filter(|&n| n <= LONGEST).ok_or_else(|| Failure::WrongArgument {
        what: format!("`{name}` is {n}, and has to be between 0 and {LONGEST}"),
        span,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::span;
    use rhei_flat::{Enumeration, EnumerationId};

    fn tables() -> Tables {
        let mut tables = Tables::default();
        tables.add_enumeration(Enumeration { name: "E".into(), literals: vec!["one".into(), "two".into()] });
        tables
    }

    fn text(value: impl Into<Value>, options: &[Value]) -> String {
        let text = string_of(&value.into(), options, &tables(), span()).unwrap();
        text.as_str().unwrap().to_owned()
    }

    #[test]
    fn numbers_have_six_significant_digits() {
        assert_eq!(text(12.3456, &[]), "12.3456");
        assert_eq!(text(0.0123456, &[]), "0.0123456");
        assert_eq!(text(2.0, &[]), "2");
        assert_eq!(text(-0.1, &[]), "-0.1");
        assert_eq!(text(1.23456e-10, &[]), "1.23456e-10");
        assert_eq!(text(1234567.0, &[]), "1.23457e+06");
        assert_eq!(text(999999.5, &[]), "1e+06");
        assert_eq!(text(0.0001, &[]), "0.0001");
        assert_eq!(text(0.00001, &[]), "1e-05");
        assert_eq!(text(std::f64::consts::PI, &[12.into()]), "3.14159265359");
        assert_eq!(text(0.0, &[]), "0");
    }

    #[test]
    fn short_texts_are_filled_up() {
        assert_eq!(text(7, &[6.into(), 4.into()]), "7   ");
        assert_eq!(text(7, &[6.into(), 4.into(), false.into()]), "   7");
        assert_eq!(text(true, &[6.into(), 6.into(), false.into()]), "  true");
        assert_eq!(text(Value::Enumeration(EnumerationId(0), 2), &[6.into(), 5.into()]), "two  ");
        assert_eq!(text(2.5, &[6.into(), 5.into(), false.into()]), "  2.5");
    }

    #[test]
    fn formats_are_those_of_c() {
        assert_eq!(text(4.0, &["g".into()]), "4");
        assert_eq!(text(4, &[".3f".into()]), "4.000");
        assert_eq!(text(-4.5, &["08.2f".into()]), "-0004.50");
        assert_eq!(text(4.5, &["-8.2f".into()]), "4.50    ");
        assert_eq!(text(12345.678, &[".2e".into()]), "1.23e+04");
        assert_eq!(text(12345.678, &["+.2E".into()]), "+1.23E+04");
        assert_eq!(text(1e-7, &["G".into()]), "1E-07");
        assert_eq!(text(1.5, &["#.4g".into()]), "1.500");
        assert_eq!(text(42, &["5d".into()]), "   42");
        assert_eq!(text(42, &["05d".into()]), "00042");
        assert_eq!(text(42, &[".4d".into()]), "0042");
        assert_eq!(text(255, &["x".into()]), "ff");
        assert_eq!(text(255, &["#X".into()]), "0XFF");
        assert_eq!(text(8, &["o".into()]), "10");
        assert_eq!(text(65, &["c".into()]), "A");
        for wrong in ["", "5", "s", "%d", "ld", "*d", "1.2.3f"] {
            assert!(string_of(&1.into(), &[wrong.into()], &tables(), span()).is_err(), "{wrong}");
        }
        assert!(string_of(&true.into(), &["d".into()], &tables(), span()).is_err());
    }
}
