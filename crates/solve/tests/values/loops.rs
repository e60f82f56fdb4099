//! Equations that need each other.

use rhei_numerics::Problem;
use rhei_solve::problem::ModelProblem;

use crate::{Values, refused};

#[test]
fn a_linear_loop() {
    // x + 2y = 5, 3x - y = 1: x = 1, y = 2
    let values = Values::of(
        "model M
           parameter a(fixed) = 3
           unknown x
           unknown y
         equation
           x + 2*y = 5
           a*x - y = 1",
    );
    values.assert("x", 1.0, 1e-12);
    values.assert("y", 2.0, 1e-12);
}

#[test]
fn a_linear_loop_that_is_singular_by_its_numbers() {
    // with a = -½ the second row is -½ of the first
    let text = "model M
           parameter a(fixed) = -0.5
           unknown x
           unknown y
         equation
           x + 2*y = 5
           a*x - y = 1";
    assert_eq!(refused(text), "initial-no-solution");
}

#[test]
fn a_nonlinear_loop_beside_its_guess() {
    // x² + y² = 25 and x·y = 12: (3, 4), (4, 3) and their negatives; from (2, 5) the first
    let text = |x: f64, y: f64| {
        format!(
            "model M
               unknown x(start = {x})
               unknown y(start = {y})
             equation
               x^2 + y^2 = 25
               x*y = 12"
        )
    };
    let values = Values::of(&text(2.0, 5.0));
    values.assert("x", 3.0, 1e-9);
    values.assert("y", 4.0, 1e-9);
    let values = Values::of(&text(-5.0, -2.0));
    values.assert("x", -4.0, 1e-9);
    values.assert("y", -3.0, 1e-9);
}

#[test]
fn a_range_decides_between_two_solutions() {
    // x² = 4, not below 0
    let values = Values::of(
        "model M
           unknown x(start = -1, min = 0)
           unknown y
         equation
           x^2 + y = 4
           y = 0*x",
    );
    values.assert("x", 2.0, 1e-9);
}

#[test]
fn an_exponential_that_is_too_large_at_the_guess() {
    // a diode: e^(40·u) = 1 + (1 - u)·e^20·… at u = ½ both sides are e^20 where the current is (e^20 - 1)·(1 - u)/½
    let values = Values::of(
        "model M
           unknown u(start = 50)
           unknown i
         equation
           i = exp(40*u) - 1
           i = (exp(20) - 1)*2*(1 - u)",
    );
    values.assert("u", 0.5, 1e-9);
}

#[test]
fn a_loop_without_a_solution() {
    let text = "model M
           unknown x(start = 1)
         equation
           x^2 + x = -1";
    assert_eq!(refused(text), "initial-no-solution");
}

#[test]
fn truth_values_within_a_loop_settle() {
    // y = 3 - 2y where y > 2, else 3 - y/2: the second, y = 2
    let values = Values::of(
        "model M
           unknown y(start = 3)
           unknown Boolean b
           given discrete n
         equation
           y = if b then 3 - 2*y else 3 - y/2 + 0*time
           b = y - 2.5 + n > 0
         event
           relation b = y - 2.5 > 0, n",
    );
    values.assert("y", 2.0, 1e-9);
    values.assert("b", 0.0, 0.0);
}

#[test]
fn truth_values_that_go_in_circles() {
    // b is the opposite of what follows from it
    let text = "model M
           unknown y
           unknown Boolean b
           given discrete n
         equation
           y = if b then 0 else 1
           b = y - 0.5 + n > 0
         event
           relation b = y - 0.5 > 0, n";
    assert_eq!(refused(text), "conditions-unsettled");
}

/// An attempt at a step that is rejected leaves its guesses behind, which may be any numbers.
#[test]
fn a_linear_loop_is_as_exact_from_a_guess_that_is_far_too_large() {
    let of = Values::of(
        "model M\n  unknown x(fixed, start = 2)\n  unknown a\n  unknown b\n  derivative der(x)\nequation\n  der(x) = a\n  \
         a + (2 + x)*b = x\n  3*a - b*x = x^2\n",
    );
    let (a, b) = (of.get("a"), of.get("b"));
    let Values { model, started } = of;
    let unknowns = ["a", "b", "der(x)"].map(|name| model.equations.variable_named(name).unwrap().index());
    let mut problem = ModelProblem::new(model, started.values, started.evaluator, 1.0);
    for guess in [1e3, 1e9, 1e40, -1e150, 1e290] {
        unknowns.iter().for_each(|&unknown| problem.values[unknown] = guess);
        let mut rate = [0.0];
        problem.rhs(0.0, &[2.0], &mut rate).unwrap();
        let off = (rate[0] - a).abs().max((problem.values[unknowns[1]] - b).abs());
        assert!(off < 1e-12, "{off} from {guess}");
    }
}

/// Newton's method begins at the nearer of the point evaluated last and the last accepted one: that of a longer step, which was
/// rejected, may lead to another solution.
#[test]
fn loops_are_searched_for_from_the_last_accepted_point_after_a_longer_attempt() {
    let of = Values::of(
        "model M\n  unknown x(fixed, start = 1)\n  unknown b(start = 1)\n  derivative der(x)\nequation\n  der(x) = b\n  \
         sin(b) + 0.1*b = x*(sin(1) + 0.1)\n",
    );
    let (begun, Values { model, started }) = (of.get("b"), of);
    let mut problem = ModelProblem::new(model, started.values, started.evaluator, 1.0);
    let mut rate = [0.0];
    problem.rhs(1.0, &[9.0], &mut rate).unwrap();
    assert!(rate[0] > 6.0, "another solution, far away: {}", rate[0]);
    problem.rhs(1e-3, &[1.0], &mut rate).unwrap();
    assert!((rate[0] - begun).abs() < 1e-9, "{} after {begun}", rate[0]);
}
