//! Parameters, and the initial problem.

use crate::{Values, refused};

const CHAIN: &str = "model M
   parameter p(fixed) = 2
   parameter q(fixed) = p^2 + 1
   unknown x
 equation
   x = p*q";

#[test]
fn parameters_follow_from_each_other() {
    // q = 5, x = 10
    Values::of(CHAIN).assert("x", 10.0, 0.0);
}

#[test]
fn a_parameter_that_is_set_takes_others_along() {
    // p = 3: q = 10, x = 30
    Values::with(CHAIN, &[("p", 3.0)]).assert("x", 30.0, 0.0);
}

#[test]
fn an_initial_equation_finds_a_state() {
    // 4 - x² = 0 beside the guess 1: 2
    let values = Values::of(
        "model M
           unknown x(start = 1)
           derivative der(x)
         equation
           der(x) = 4 - x^2
         initial equation
           der(x) = 0",
    );
    values.assert("x", 2.0, 1e-9);
}

#[test]
fn an_initial_equation_finds_a_parameter() {
    // -3p = -6
    let values = Values::of(
        "model M
           parameter p(start = 1)
           unknown x(start = 3, fixed)
           derivative der(x)
         equation
           der(x) = -p*x
         initial equation
           der(x) = -6",
    );
    values.assert("p", 2.0, 1e-9);
}

#[test]
fn a_state_without_any_word_starts_at_its_guess() {
    let values = Values::of(
        "model M
           unknown x(start = 7)
           derivative der(x)
         equation
           der(x) = -x",
    );
    values.assert("x", 7.0, 0.0);
    values.assert("der(x)", -7.0, 0.0);
}

#[test]
fn an_initial_condition_said_twice_is_compared() {
    let text = |second: f64| {
        format!(
            "model M
               unknown x(start = 1, fixed)
               derivative der(x)
             equation
               der(x) = -x
             initial equation
               2*x = {second}"
        )
    };
    Values::of(&text(2.0)).assert("x", 1.0, 0.0);
    assert_eq!(refused(&text(3.0)), "inconsistent-initial");
}

#[test]
fn homotopy_ends_with_the_actual_formula() {
    // simplified x = 1, actual x³ + x = 10: 2
    let values = Values::of(
        "model M
           unknown x(start = 0)
           given way
         equation
           way*(x^3 + x - 10) + (1 - way)*(x - 1) = 0
         event
           homotopy way",
    );
    values.assert("x", 2.0, 1e-9);
}

#[test]
fn an_operation_without_a_value() {
    let text = "model M
           unknown x
         equation
           x = sqrt(-1 - time)";
    assert_eq!(refused(text), "evaluation-failed");
}
