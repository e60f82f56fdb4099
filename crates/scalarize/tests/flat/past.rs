//! Values of the past (MLS §3.7.4.1).

use expect_test::expect;

use crate::check;

#[test]
fn a_delay_by_a_parameter() {
    check(
        "model M parameter Real T = 0.5; Real x = sin(time); Real y = delay(x, T); end M;",
        expect![[r#"
              parameter T(fixed) = 0.5
              unknown x
              unknown y
              given delay 1
            equation
              x = sin(time)
              y = delay 1
            event
              delay delay 1 = x, T
        "#]],
    );
}

#[test]
fn a_delay_that_varies() {
    check(
        "model M Real x = sin(time); Real y = delay(x, 1 + x, 3); end M;",
        expect![[r#"
              unknown x
              unknown y
              given delay 1
            equation
              x = sin(time)
              y = delay 1
            event
              delay delay 1 = x, 1 + x, 3
        "#]],
    );
}

#[test]
fn a_delay_of_an_array() {
    check(
        "model M Real x[2] = {time, 1}; Real y[2] = delay(x, 1); end M;",
        expect![[r#"
              unknown x[1]
              unknown x[2]
              unknown y[1]
              unknown y[2]
              given delay 1
              given delay 2
            equation
              x[1] = time
              x[2] = 1
              y[1] = delay 1
              y[2] = delay 2
            event
              delay delay 1 = x[1], 1
              delay delay 2 = x[2], 1
        "#]],
    );
}
