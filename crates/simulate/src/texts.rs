//! Messages of the model, with the values of the run in them.

use rhei_equations::{Split, Text, TextPart};
use rhei_flat::{Scalar, Tables};

/// The text, its values in order, each followed by its rest.
pub(crate) fn message(text: &Text, values: &[f64], tables: &Tables) -> String {
    let mut values = values.chunks_exact(2).map(|both| Split { nearest: both[0], rest: both[1] });
    let mut message = String::new();
    for part in &text.parts {
        match part {
            TextPart::Literal(literal) => message.push_str(literal),
            TextPart::Value { scalar, digits, .. } => {
                let value = values.next().unwrap_or(Split { nearest: f64::NAN, rest: 0.0 });
                message.push_str(&shown(value, *scalar, *digits, tables));
            }
        }
    }
    message
}

fn shown(split: Split, scalar: Scalar, digits: u32, tables: &Tables) -> String {
    let value = split.nearest;
    match scalar {
        Scalar::Boolean => (value != 0.0).to_string(),
        Scalar::Integer => split.whole().map_or_else(|| value.to_string(), |whole| whole.to_string()),
        Scalar::Enumeration(id) => {
            let literals = &tables.enumeration(id).literals;
            literals.get(value as usize - 1).map_or_else(|| value.to_string(), ToString::to_string)
        }
        _ => with_digits(value, digits.max(1)),
    }
}

/// A number with so many significant digits, as C's `%g` writes it.
fn with_digits(value: f64, digits: u32) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let scientific = format!("{:.*e}", digits as usize - 1, value);
    let exponent: i32 = scientific.split('e').nth(1).and_then(|e| e.parse().ok()).unwrap_or(0);
    if exponent < -4 || exponent >= digits as i32 {
        let (mantissa, _) = scientific.split_once('e').unwrap_or((&scientific, ""));
        return format!("{}e{exponent}", trimmed(mantissa));
    }
    trimmed(&format!("{:.*}", (digits as i32 - 1 - exponent).max(0) as usize, value)).to_owned()
}

fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_asked_for() {
        assert_eq!(with_digits(1.0, 6), "1");
        assert_eq!(with_digits(0.123_456_789, 6), "0.123457");
        assert_eq!(with_digits(1_234_567.0, 6), "1.23457e6");
        assert_eq!(with_digits(-2.5e-7, 3), "-2.5e-7");
        assert_eq!(with_digits(99.999, 3), "100");
    }
}
