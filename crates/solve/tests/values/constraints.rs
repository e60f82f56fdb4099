//! Start values brought onto constraints, and the states chosen there.

use crate::Values;

/// A pendulum of length 1 in Cartesian coordinates.
fn pendulum(x: &str, y: &str) -> String {
    format!(
        "model Pendulum
           unknown x({x})
           unknown y({y})
           unknown u(start = 0)
           unknown v(start = 0)
           unknown f
           derivative der(x)
           derivative der(y)
           derivative der(u)
           derivative der(v)
         equation
           der(x) = u
           der(y) = v
           der(u) = -x*f
           der(v) = -y*f - 1
           x^2 + y^2 = 1"
    )
}

#[test]
fn the_least_change_leads_onto_the_circle() {
    // (1.2, 1.6) is (0.6, 0.8) twice as far out
    let values = Values::of(&pendulum("start = 1.2", "start = 1.6"));
    values.assert("x", 0.6, 1e-6);
    values.assert("y", 0.8, 1e-6);
}

#[test]
fn what_is_fixed_stays() {
    // x = 0.6: y = 0.8 beside its guess; at rest the force along the rod is -y
    let values = Values::of(&pendulum("start = 0.6, fixed", "start = 1"));
    values.assert("x", 0.6, 1e-9);
    values.assert("y", 0.8, 1e-9);
    values.assert("f", -0.8, 1e-9);
    values.assert("der(u)", 0.48, 1e-9);
}

#[test]
fn the_state_is_the_coordinate_along_the_circle() {
    // beside (1, 0) the circle is vertical: y moves; beside (0, 1) it is x
    let chosen = |x: &str, y: &str| {
        let values = Values::of(&pendulum(x, y));
        values.started.charts.names(&values.model)
    };
    let beside_the_right = chosen("start = 0.99", "start = 0.1");
    let beside_the_top = chosen("start = 0.1", "start = 0.99");
    assert!(beside_the_right.iter().flatten().any(|name| name == "y"), "{beside_the_right:?}");
    assert!(beside_the_top.iter().flatten().any(|name| name == "x"), "{beside_the_top:?}");
}

#[test]
fn speeds_follow_that_of_the_state() {
    // at (0.6, 0.8) the tangent (0.8, -0.6) makes x the state, so that u keeps its start value; 0.6u + 0.8v = 0
    let text = pendulum("start = 0.6", "start = 0.8").replace("u(start = 0)", "u(start = 1)");
    let values = Values::of(&text);
    values.assert("u", 1.0, 1e-6);
    values.assert("v", -0.75, 1e-6);
    assert!(values.said().is_empty(), "{:?}", values.said());
}
