//! Determinants as a number times a power of two: those of many rows would underflow.

/// A determinant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Determinant {
    number: f64,
    power: i32,
}

/// Magnitude beyond which numbers are rescaled, by a power of two.
const FAR: f64 = 1.329227995784916e36; // 2^120
const FAR_POWER: i32 = 120;

impl Determinant {
    /// Of a singular matrix.
    pub const ZERO: Determinant = Determinant { number: 0.0, power: 0 };

    /// Of a matrix without rows.
    pub const ONE: Determinant = Determinant { number: 1.0, power: 0 };

    /// Multiplied by a factor.
    pub fn times(self, factor: f64) -> Determinant {
        let number = self.number * factor;
        match number.abs() {
            size if size > 0.0 && size < 1.0 / FAR => {
                Determinant { number: number * FAR, power: self.power - FAR_POWER }
            }
            size if size > FAR && size.is_finite() => {
                Determinant { number: number / FAR, power: self.power + FAR_POWER }
            }
            _ => Determinant { number, ..self },
        }
    }

    /// Its value in units of the first one that the unit was asked for.
    pub fn in_units_of(self, unit: &mut Option<i32>) -> f64 {
        let unit = *unit.get_or_insert(self.power);
        self.number * 2.0_f64.powi(self.power.saturating_sub(unit))
    }

    /// As a share of another one; not a number for two zeros.
    pub fn share_of(self, other: Determinant) -> f64 {
        match self.number / other.number {
            0.0 => 0.0,
            share => share * 2.0_f64.powi(self.power.saturating_sub(other.power)),
        }
    }

    /// Whether it is a finite number.
    pub fn is_finite(self) -> bool {
        self.number.is_finite()
    }

    /// The logarithm of its size.
    pub fn logarithm(self) -> f64 {
        self.number.abs().ln() + f64::from(self.power) * std::f64::consts::LN_2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_of_factors_leave_a_number() {
        let small = (0..5000).fold(Determinant::ONE, |product, _| product.times(0.25));
        let large = (0..5000).fold(Determinant::ONE, |product, _| product.times(-4.0));
        assert!((small.logarithm() + 5000.0 * 4.0_f64.ln()).abs() < 1e-6);
        assert!((large.logarithm() - 5000.0 * 4.0_f64.ln()).abs() < 1e-6);
        assert_eq!(small.times(-0.5).share_of(small), -0.5);
        assert_eq!(large.times(1e30).share_of(large), 1e30);
        assert_eq!(Determinant::ZERO.share_of(small), 0.0);
    }
}
