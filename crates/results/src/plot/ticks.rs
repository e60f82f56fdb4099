//! Ticks of an axis, at multiples of 1, 2 or 5 times a power of ten.

/// The ticks of one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticks {
    /// Their places, ascending, all within the range.
    pub at: Vec<f64>,
    /// Their texts, with as many decimals as tell them apart.
    pub labels: Vec<String>,
    /// Power of ten that all texts are to be multiplied by, where plain numbers would be long.
    pub exponent: i32,
}

/// Ticks for a range, about as many as wanted, never more.
pub fn ticks(low: f64, high: f64, wanted: usize) -> Ticks {
    let none = Ticks { at: Vec::new(), labels: Vec::new(), exponent: 0 };
    let range = high - low;
    if !(range > 0.0 && range.is_finite() && wanted > 0) {
        return none;
    }
    let step = nice_step(range / wanted as f64);
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    if !(first.abs() < 1e15 && last.abs() < 1e15) {
        // The range is lost in the rounding of its ends.
        return none;
    }
    let count = (last - first) as usize + 1;
    let at: Vec<f64> = (0..count).map(|k| (first + k as f64) * step).collect();

    let largest = low.abs().max(high.abs());
    let magnitude = largest.log10().floor() as i32;
    let exponent = if (-3..6).contains(&magnitude) { 0 } else { magnitude - magnitude.rem_euclid(3) };
    let decimals = (exponent - step.log10().floor() as i32).clamp(0, 15) as usize;
    let labels = (0..count).map(|k| label(first + k as f64, step, exponent, decimals)).collect();
    Ticks { at, labels, exponent }
}

/// The smallest of 1, 2, 5 times a power of ten that is no smaller.
fn nice_step(rough: f64) -> f64 {
    let power = rough.log10().floor() as i32;
    let ten = 10f64.powi(power);
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * ten >= rough * (1.0 - 1e-12));
    match factor {
        // Division gives the nearest number to a negative power of ten, multiplication does not.
        Some(factor) if power < 0 => factor / 10f64.powi(-power),
        Some(factor) => factor * ten,
        None => 10f64.powi(power + 1),
    }
}

fn label(multiple: f64, step: f64, exponent: i32, decimals: usize) -> String {
    if multiple == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{:.decimals$}", multiple * (step / 10f64.powi(exponent)));
    // The sign as it is printed, not as it is typed.
    text.replace('-', "−")
}

/// A range that shows all values with a little air, whatever they are.
pub fn padded(low: f64, high: f64) -> (f64, f64) {
    if !(low.is_finite() && high.is_finite()) || low > high {
        return (0.0, 1.0);
    }
    let range = high - low;
    let size = low.abs().max(high.abs());
    if range <= 1e-9 * size || range == 0.0 {
        // As good as constant: rounding errors are not worth a picture.
        let air = if size > 0.0 { 0.1 * size } else { 1.0 };
        return (low - air, high + air);
    }
    (low - 0.05 * range, high + 0.05 * range)
}

/// Title of an axis: `time [10⁻⁶ s]`, `[Pa]`, `×10⁶`; empty if there is nothing to say.
pub fn axis_title(name: &str, unit: Option<&str>, exponent: i32) -> String {
    let power = if exponent == 0 { String::new() } else { power_of_ten(exponent) };
    let scale = match (unit, power.is_empty()) {
        (None, true) => String::new(),
        (None, false) => format!("×{power}"),
        (Some(unit), true) => format!("[{unit}]"),
        (Some(unit), false) => format!("[{power} {unit}]"),
    };
    format!("{name} {scale}").trim().to_owned()
}

/// A power of ten as a text: `10⁻⁶`.
fn power_of_ten(exponent: i32) -> String {
    let digits = exponent.to_string();
    let raised = digits.chars().map(|c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        other => char::from_u32('⁰' as u32 + other as u32 - '0' as u32).unwrap_or(other),
    });
    "10".chars().chain(raised).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(low: f64, high: f64, expected: Expect) {
        let ticks = ticks(low, high, 6);
        let title = axis_title("p", Some("Pa"), ticks.exponent);
        expected.assert_eq(&format!("{title}: {}", ticks.labels.join(" ")));
    }

    #[test]
    fn ticks_are_round_and_told_apart() {
        check(0.0, 1.0, expect!["p [Pa]: 0 0.2 0.4 0.6 0.8 1.0"]);
        check(0.0, 10.0, expect!["p [Pa]: 0 2 4 6 8 10"]);
        check(-1.3, 1.1, expect!["p [Pa]: −1.0 −0.5 0 0.5 1.0"]);
        check(0.03, 0.07, expect!["p [Pa]: 0.03 0.04 0.05 0.06 0.07"]);
        check(99.9, 100.1, expect!["p [Pa]: 99.90 99.95 100.00 100.05 100.10"]);
    }

    #[test]
    fn long_numbers_share_a_power() {
        check(0.0, 2.5e-6, expect!["p [10⁻⁶ Pa]: 0 0.5 1.0 1.5 2.0 2.5"]);
        check(101325.0, 101335.0, expect!["p [Pa]: 101326 101328 101330 101332 101334"]);
        check(1e6, 4e6, expect!["p [10⁶ Pa]: 1.0 1.5 2.0 2.5 3.0 3.5 4.0"]);
        check(0.0, 8.64e7, expect!["p [10⁶ Pa]: 0 20 40 60 80"]);
    }

    #[test]
    fn ranges_that_are_none_have_no_ticks() {
        for (low, high) in
            [(1.0, 1.0), (2.0, 1.0), (0.0, f64::INFINITY), (f64::NAN, 1.0), (1.0, 1.0f64.next_up())]
        {
            assert!(ticks(low, high, 5).at.len() <= 2, "{low} {high}");
        }
    }

    #[test]
    fn constants_get_a_range() {
        assert_eq!(padded(5.0, 5.0), (4.5, 5.5));
        assert_eq!(padded(0.0, 0.0), (-1.0, 1.0));
        assert_eq!(padded(f64::INFINITY, f64::NEG_INFINITY), (0.0, 1.0));
    }
}
