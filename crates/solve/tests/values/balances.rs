//! `balance(x) = f`: where a flow comes to rest.

use crate::{Values, refused};

fn model(f: &str, start: f64) -> String {
    format!(
        "model M
           unknown x(start = {start})
           unknown y
         equation
           y = x^3
           balance(x) = {f}"
    )
}

#[test]
fn the_flow_decides_between_equilibria() {
    // x - x³ vanishes at -1, 0 and 1, and the flow leaves 0
    Values::of(&model("x - y", 0.2)).assert("x", 1.0, 1e-9);
    Values::of(&model("x - y", -0.2)).assert("x", -1.0, 1e-9);
}

#[test]
fn an_equilibrium_that_the_flow_leaves_is_refused() {
    // y - 8 vanishes at 2, and grows there
    assert_eq!(refused(&model("y - 8", 2.0)), "balance-unstable");
}

#[test]
fn a_flow_without_rest_is_refused() {
    assert_eq!(refused(&model("1 + y^2", 0.0)), "balance-no-equilibrium");
}

#[test]
fn two_balances_that_need_each_other() {
    // the flows 3 - a - b and a - 2b rest at a = 2, b = 1
    let values = Values::of(
        "model M
           unknown a(start = 0)
           unknown b(start = 0)
         equation
           balance(a) = 3 - a - b
           balance(b) = a - 2*b",
    );
    values.assert("a", 2.0, 1e-9);
    values.assert("b", 1.0, 1e-9);
}
