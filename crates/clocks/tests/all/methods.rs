//! Solver methods, given or inferred (MLS §16.8.4).

use expect_test::{Expect, expect};

use crate::check;

/// Two integrators in a row, on two clocks.
fn integrators(clocks: &str, expected: Expect) {
    check(
        &format!(
            "model M
               unknown x
               given s
               unknown y(start = 0, fixed)
               derivative der(y)
               given t
               unknown z(start = 0, fixed)
               derivative der(z)
             equation
               x = time
               der(y) = s
               der(z) = t
             clock
               clock c = 1/10
               {clocks}
               subSample t = y, 2"
        ),
        expected,
    );
}

#[test]
fn a_method_that_is_given() {
    integrators(
        "clock d = solver(c, ExplicitEuler)\nsample s = x, d",
        expect![[r#"
        no clock: x
          x = time
        partition in seconds
          d every 1/10 from 0, integrated by ExplicitEuler: s, y, der(y)
          every 1/5 s every 1/5 from 0, integrated by ExplicitEuler: t, z, der(z)
          c every 1/10 from 0: nothing
          sample s = x
          subSample t = y, 2
          der(y) = s
          der(z) = t
    "#]],
    );
}

#[test]
fn each_clock_has_its_own() {
    integrators(
        "clock d = solver(c, ExplicitEuler)
         clock e = subSample(c, 2)
         clock f = solver(e, ImplicitEuler)
         sample s = x, d
         variable z, f",
        expect![[r#"
            no clock: x
              x = time
            partition in seconds
              d every 1/10 from 0, integrated by ExplicitEuler: s, y, der(y)
              f every 1/5 from 0, integrated by ImplicitEuler: t, z, der(z)
              c every 1/10 from 0: nothing
              e every 1/5 from 0: nothing
              sample s = x
              subSample t = y, 2
              der(y) = s
              der(z) = t
        "#]],
    );
}

#[test]
fn without_any_it_is_still_to_be_integrated() {
    integrators(
        "sample s = x, c",
        expect![[r#"
        no clock: x
          x = time
        partition in seconds
          c every 1/10 from 0, to be integrated: s, y, der(y)
          every 1/5 s every 1/5 from 0, to be integrated: t, z, der(z)
          sample s = x
          subSample t = y, 2
          der(y) = s
          der(z) = t
    "#]],
    );
}

#[test]
fn two_methods_for_one_clock() {
    integrators(
        "clock d = solver(c, ExplicitEuler)
         clock e = solver(c, ImplicitEuler)
         same d, e
         sample s = x, d",
        expect![[r#"
            solver-method-conflict: the solver methods "ExplicitEuler" and "ImplicitEuler" meet
        "#]],
    );
}

#[test]
fn a_method_inferred_from_two_neighbours_that_differ() {
    check(
        "model M
           unknown x
           given s
           unknown a
           given t
           unknown b
           given u
           unknown z
         equation
           x = time
           a = s
           b = t
           z = u
         clock
           clock c = 1/10
           clock d = solver(c, ExplicitEuler)
           clock e = superSample(c, 1)
           clock f = solver(e, ImplicitEuler)
           sample s = x, d
           noClock t = a
           noClock u = b
           variable z, f",
        expect![[r#"
            solver-method-conflict: the solver methods "ExplicitEuler" and "ImplicitEuler" meet
        "#]],
    );
}
