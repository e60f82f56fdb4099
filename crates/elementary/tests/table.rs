//! The properties in the rows of the table, against the values of their functions.

use rhei_elementary::{Binary, Course, Elementary, Numbers, Outgrowing, Parity, Relation, Zeros};
use rhei_elementary::{change_of_binary, is_multiplied_out, power};

/// Arguments within the domain of a function, in order.
fn arguments(f: Elementary) -> Vec<f64> {
    let domain = f.row().domain;
    (-400..=400)
        .map(|i| f64::from(i) * 0.01 + 0.003)
        .filter(|x| (domain.low..=domain.high).contains(x))
        .collect()
}

#[test]
fn names_are_different() {
    for &f in Elementary::ALL {
        assert_eq!(Elementary::named(f.name()), Some(f));
    }
    assert!(Elementary::of_language().all(|f| f.name() != "truncate"), "no function of the language");
}

#[test]
fn derivatives_agree_with_differences() {
    for &f in Elementary::ALL {
        for x in arguments(f) {
            let h = 1e-5;
            let [left, right] = [x - h, x + h].map(|x| f.value(x));
            let exact = f.row().derivative.at(&mut Numbers, &x, &f.value(x));
            let difference = (right - left) / (2.0 * h);
            let steep = exact.abs() > 50.0 || left.is_nan() || right.is_nan(); // beside a pole, or an end of the domain
            let steps = f.has_steps() && left != right;
            if !steep && !steps {
                let name = f.name();
                assert!((exact - difference).abs() < 1e-4, "{name} at {x}: {exact} and {difference}");
            }
        }
    }
}

#[test]
fn values_are_where_they_are_said_to_be() {
    for &f in Elementary::ALL {
        let (row, name) = (f.row(), f.name());
        let arguments = arguments(f);
        for &x in &arguments {
            let value = f.value(x);
            assert!((row.image.low..=row.image.high).contains(&value), "{name}({x}) = {value}");
            assert_eq!(f.entry()(x).to_bits(), value.to_bits());
            match row.zeros {
                Zeros::Somewhere => {}
                Zeros::AtZero | Zeros::Nowhere => assert_ne!(value, 0.0, "{name}({x})"),
            }
        }
        match row.zeros {
            Zeros::Somewhere => {}
            Zeros::AtZero => assert_eq!(f.value(0.0), 0.0, "{name}"),
            Zeros::Nowhere => assert_ne!(f.value(0.0), 0.0, "{name}"),
        }
        for &pole in row.poles {
            assert!(f.has_pole_at(pole) && f.value(pole).is_infinite(), "{name}({pole})");
        }
        for beyond in [row.domain.low - 0.1, row.domain.high + 0.1].into_iter().filter(|x| x.is_finite()) {
            assert!(f.value(beyond).is_nan(), "{name}({beyond})");
        }
    }
}

#[test]
fn values_follow_each_other_as_they_are_said_to() {
    for &f in Elementary::ALL {
        for pair in arguments(f).windows(2) {
            let [(a, x), (b, y)] = [(pair[0], f.value(pair[0])), (pair[1], f.value(pair[1]))];
            let holds = match f.row().course {
                Course::Rising | Course::Steps => x <= y,
                Course::Falling => x >= y,
                Course::Even => f.value(-a) == x && (x <= y) == (a.abs() <= b.abs()),
                Course::Wave { crest } => {
                    f.value(crest) == 1.0 && (f.value(crest + 1.0) - 1f64.cos()).abs() < 1e-15
                }
                Course::BetweenPoles { first, period } => {
                    let branch = |x: f64| ((x - first) / period).floor();
                    x <= y || branch(a) != branch(b)
                }
            };
            assert!(holds, "{}: {x} at {a}, {y} at {b}", f.name());
        }
    }
}

#[test]
fn functions_with_a_step_at_zero_change_sign_there() {
    let with_one: Vec<Elementary> =
        Elementary::ALL.iter().copied().filter(|f| f.has_step_at_zero()).collect();
    assert_eq!(with_one, [Elementary::Sign]);
    for f in with_one {
        let [below, above] = [-f64::MIN_POSITIVE, f64::MIN_POSITIVE].map(|x| f.value(x));
        assert!(below < 0.0 && above > 0.0, "{}: {below} and {above}", f.name());
    }
}

#[test]
fn what_outgrows_all_numbers_does_so_on_the_sides_that_are_named() {
    for &f in Elementary::ALL {
        let grows = [-1e3, 1e3].map(|x| f.value(x).is_infinite());
        let named = match f.row().outgrows {
            Outgrowing::Nowhere => [false, false],
            Outgrowing::Above => [false, true],
            Outgrowing::OnBothSides => [true, true],
        };
        assert_eq!(grows, named, "{}", f.name());
    }
}

/// With the tangent of half the angle, or the hyperbolic one, for `t`.
#[test]
fn functions_of_half_the_argument_are_the_functions() {
    for &f in Elementary::ALL {
        let Some((parity, formula)) = f.row().of_half_argument else { continue };
        for x in [0.1, 0.7, 1.2] {
            let near = [libm::tan(x / 2.0), libm::tanh(x / 2.0)]
                .map(|t| (formula.at(&mut Numbers, &t, &f64::NAN) - f.value(x)).abs() < 1e-14);
            assert_eq!(near.iter().filter(|near| **near).count(), 1, "{} at {x}", f.name());
            let mirrored = if parity == Parity::Odd { -f.value(x) } else { f.value(x) };
            assert_eq!(f.value(-x), mirrored);
        }
    }
}

#[test]
fn changes_of_operations_agree_with_differences() {
    let (x, y, h) = (1.3, 0.7, 1e-6);
    for op in Binary::ALL {
        let value = op.value(x, y);
        for (dx, dy) in [(Some(1.0), None), (None, Some(1.0)), (Some(0.3), Some(-2.0))] {
            let exact = change_of_binary(&mut Numbers, op, value, (x, dx), (y, dy)).unwrap();
            let at = |h: f64| op.value(x + h * dx.unwrap_or(0.0), y + h * dy.unwrap_or(0.0));
            let difference = (at(h) - at(-h)) / (2.0 * h);
            assert!((exact - difference).abs() < 1e-8, "{op:?}: {exact} and {difference}");
        }
        assert_eq!(change_of_binary(&mut Numbers, op, value, (x, None), (y, None)), None);
    }
}

#[test]
fn small_whole_powers_are_products() {
    assert_eq!(power(1.1, 3.0), 1.1 * (1.1 * 1.1));
    assert_eq!(power(-2.0, 3.0), -8.0);
    assert_eq!(power(2.0, -2.0), 0.25);
    assert_eq!(power(0.0, 0.0), 1.0);
    assert_eq!(power(2.0, 0.5), libm::pow(2.0, 0.5));
    assert_eq!(power(1.5, 17.0), libm::pow(1.5, 17.0));
    assert!(power(-2.0, 0.5).is_nan());
    assert!(!is_multiplied_out(0.5) && !is_multiplied_out(17.0));
}

#[test]
fn operations_have_names_where_they_are_functions() {
    assert_eq!(Binary::named("atan2"), Some(Binary::Atan2));
    assert_eq!(Binary::named("+"), None);
    assert!(Relation::LessEqual.holds(1, 1) && !Relation::Less.holds(f64::NAN, 1.0));
}
