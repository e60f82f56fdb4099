//! Balances that are refused, or have something to say, and the text that a person sees.

mod said;

use expect_test::expect;
use said::simulate;

#[test]
fn the_balance_of_a_parameter() {
    simulate(
        "the_balance_of_a_parameter",
        "model M
  parameter Real p = 1;
  Real y = time;
equation
  balance(p) = y;
end M;
",
        1,
        expect![[r#"
            error[balance-target]: `p` cannot be balanced: it is a parameter
             --> the_balance_of_a_parameter.mo:5:11
              |
            5 |   balance(p) = y;
              |           ^ this is a parameter
              |
              = note: `balance(x) = f` finds `x`: an unknown of type Real that varies continuously and is no state
        "#]],
    );
}

#[test]
fn the_balance_of_a_state() {
    simulate(
        "the_balance_of_a_state",
        "model M
  Real x(start = 1);
equation
  der(x) = -x;
  balance(x) = 1 - x;
end M;
",
        1,
        expect![[r#"
            error[balance-target]: `x` cannot be balanced: the model differentiates it: it would be a state
             --> the_balance_of_a_state.mo:5:3
              |
            2 |   Real x(start = 1);
              |        - `x`
            ...
            5 |   balance(x) = 1 - x;
              |   ^^^^^^^^^^^^^^^^^^ balance(x) = 1 - x
              |
              = note: what is balanced is found anew at every point and is no state; write `der` or `balance`, not both
        "#]],
    );
}

#[test]
fn two_balances_of_one_variable() {
    simulate(
        "two_balances_of_one_variable",
        "model M
  Real x, y, z;
equation
  x = -y;
  balance(x) = 1 - x;
  balance(y) = z - y;
end M;
",
        1,
        expect![[r#"
            error[balance-twice]: `x` and `y` are one variable, and both are balanced
             --> two_balances_of_one_variable.mo:5:3
              |
            5 |   balance(x) = 1 - x;
              |   ^^^^^^^^^^^^^^^^^^ balance(x) = 1 - x
            6 |   balance(y) = z - y;
              |   ------------------ balance(y) = z - y
              |
              = note: each balance finds one variable: which other one shall the second find?
        "#]],
    );
}

#[test]
fn a_balance_inside_an_expression() {
    simulate(
        "a_balance_inside_an_expression",
        "model M
  Real x;
equation
  sin(balance(x)) = x - 1;
end M;
",
        1,
        expect![[r#"
            error[balance-position]: `balance` must be a whole side of an equation that always holds
             --> a_balance_inside_an_expression.mo:4:7
              |
            4 |   sin(balance(x)) = x - 1;
              |       ^^^^^^^^^^ inside an expression
              |
              = note: write it in an equation section: `balance(x) = f`, or `k*balance(x) = f` with a positive parameter `k`
        "#]],
    );
}

#[test]
fn a_factor_that_varies() {
    simulate(
        "a_factor_that_varies",
        "model M
  Real x;
equation
  time*balance(x) = x - 1;
end M;
",
        1,
        expect![[r#"
            error[balance-position]: `balance` must be a whole side of an equation that always holds
             --> a_factor_that_varies.mo:4:3
              |
            4 |   time*balance(x) = x - 1;
              |   ^^^^ its factor varies
              |
              = note: the factor says how slow the variable is beside the others: a number or parameter above zero
        "#]],
    );
}

#[test]
fn equations_left_over() {
    simulate(
        "equations_left_over",
        "model M
  Real x(start = 0), y(start = 0);
equation
  balance(x) = y - 1;
  x = time;
end M;
",
        1,
        expect![[r#"
            error[balance-unmatched]: with `x` balanced, 1 equation is left for 0 other unknowns, and none determines `y`
             --> equations_left_over.mo:5:3
              |
            5 |   x = time;
              |   ^^^^^^^^ x = time
              |
              = note: once what is balanced is known, the other equations must give all other unknowns
        "#]],
    );
}

#[test]
fn the_wrong_sign() {
    simulate(
        "the_wrong_sign",
        "model M
  Real x(start = 1, fixed = true);
  Real a(start = 0);
equation
  der(x) = -a;
  balance(a) = a - 10*x;
end M;
",
        1,
        expect![[r#"
            error[balance-unstable]: the balance of `a` does not stay at its equilibrium at t = 0 (a = 10): the least change grows
             --> the_wrong_sign.mo:6:3
              |
            6 |   balance(a) = a - 10*x;
              |   ^^^^^^^^^^^^^^^^^^^^^ in this equation
              |
              = note: the search began at a = 0
              = note: in `balance(x) = f` the right side must be positive where `x` is too small: is its sign the wrong way round?
        "#]],
    );
}

#[test]
fn no_equilibrium() {
    simulate(
        "no_equilibrium",
        "model M
  Real a(start = 0);
equation
  balance(a) = 1 + a^2;
end M;
",
        1,
        expect![[r#"
            error[balance-no-equilibrium]: the balance of `a` has no equilibrium at t = 0: it goes to infinity (a = 1.09509e10)
             --> no_equilibrium.mo:4:3
              |
            4 |   balance(a) = 1 + a^2;
              |   ^^^^^^^^^^^^^^^^^^^^ in this equation
              |
              = note: the search began at a = 0
              = note: `balance(x) = f` follows `dx/dτ = f`, all else being frozen, until it comes to rest: look whether it can, and from where it starts
        "#]],
    );
}

#[test]
fn an_equilibrium_that_ends() {
    simulate(
        "an_equilibrium_that_ends",
        "model M
  Real a(start = -1);
equation
  balance(a) = 0.6*sin(time) - a^3 + a;
  annotation(experiment(StopTime = 6));
end M;
",
        0,
        expect![[r#"
            note[balance-branch-jump]: at t = 0.6964524185 an equilibrium ends: `a` jumps from -0.5773503 to 1.154701
             --> an_equilibrium_that_ends.mo:2:8
              |
            2 |   Real a(start = -1);
              |        ^ `a`
              |
              = note: the same holds of `a`; `-v` lists each
        "#]],
    );
}

#[test]
fn an_equilibrium_that_ends_with_none_to_go_to() {
    simulate(
        "an_equilibrium_that_ends_with_none_to_go_to",
        "model M
  Real a(start = -1);
  Real c(start = -1, fixed = true);
equation
  der(c) = 1;
  balance(a) = a^2 + c;
  annotation(experiment(StopTime = 2));
end M;
",
        1,
        expect![[r#"
            error[balance-no-equilibrium]: the balance of `a` has no equilibrium at t = 1: it goes to infinity (a = 36017590)
             --> an_equilibrium_that_ends_with_none_to_go_to.mo:6:3
              |
            6 |   balance(a) = a^2 + c;
              |   ^^^^^^^^^^^^^^^^^^^^ in this equation
              |
              = note: the search began at a = -7.860014e-7
              = note: `balance(x) = f` follows `dx/dτ = f`, all else being frozen, until it comes to rest: look whether it can, and from where it starts
        "#]],
    );
}
