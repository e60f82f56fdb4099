//! Exponentials continued along their tangent where they would overflow in a search.
//!
//! A search for the solution of a loop may begin where an exponential has no finite value: a diode at the voltage of its source.
//! On the tangent Newton's method returns at once to the range of the exponential itself, as with the limited exponentials of
//! circuit simulators. A solution found there is one of the loop as it is written.

use rhei_elementary::{Elementary, Numbers, Outgrowing};

/// The largest exponent that is not continued: two such exponentials may be multiplied.
const LARGEST_EXPONENT: f64 = 300.0;

/// The point of the tangent; none within the range of the function itself.
fn point_of_tangent(f: Elementary, x: f64) -> Option<f64> {
    let is_beyond = match f.row().outgrows {
        Outgrowing::Nowhere => false,
        Outgrowing::Above => x > LARGEST_EXPONENT,
        Outgrowing::OnBothSides => x.abs() > LARGEST_EXPONENT,
    };
    is_beyond.then(|| LARGEST_EXPONENT.copysign(x))
}

/// The value of a function, along the tangent where it would overflow.
pub(crate) fn value(f: Elementary, x: f64) -> f64 {
    match point_of_tangent(f, x) {
        Some(at) => f.value(at) + slope(f, at) * (x - at),
        None => f.value(x),
    }
}

/// The slope of the tangent, where it is used.
pub(crate) fn slope_of_tangent(f: Elementary, x: f64) -> Option<f64> {
    point_of_tangent(f, x).map(|at| slope(f, at))
}

fn slope(f: Elementary, at: f64) -> f64 {
    f.row().derivative.at(&mut Numbers, &at, &f.value(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_go_on_smoothly_and_only_where_they_are_too_large() {
        for f in [Elementary::Exp, Elementary::Sinh, Elementary::Cosh] {
            assert_eq!(value(f, 299.0), f.value(299.0));
            assert_eq!(slope_of_tangent(f, 299.0), None);
            let (here, there) = (value(f, 300.0), value(f, 5000.0));
            assert!(there.is_finite());
            assert_eq!(there, here + slope_of_tangent(f, 5000.0).unwrap() * 4700.0);
        }
        assert_eq!(value(Elementary::Sinh, -5000.0), -value(Elementary::Sinh, 5000.0));
        assert_eq!(value(Elementary::Exp, -5000.0), 0.0);
        assert!(value(Elementary::Log, -1.0).is_nan());
    }
}
