//! If-equations (MLS §8.3.4).

use expect_test::expect;

use crate::check;

#[test]
fn as_many_equations_as_a_branch_has() {
    check(
        "model M Real x; Real y; equation if time > 1 then x = 1; y = 2; else y = 3; x = 4; end if; end M;",
        expect![[r#"
              unknown x
              unknown y
              given discrete nudge (time > 1)
              unknown Boolean (time > 1)
              given Boolean initial()
            equation
              (time > 1) = if initial() then time > 1 else time >= 1
              x = if (time > 1) then 1 else 4
              y = if (time > 1) then 2 else 3
            event
              initial initial()
              instant (time > 1) = 1, nudge (time > 1)
        "#]],
    );
}

#[test]
fn an_if_inside_an_if() {
    check(
        "model M Real x; equation if time > 1 then if time > 2 then x = 1; else x = 2; end if; else x = 3; end if; end M;",
        expect![[r#"
              unknown x
              given discrete nudge (time > 1)
              unknown Boolean (time > 1)
              given Boolean initial()
              given discrete nudge (time > 2)
              unknown Boolean (time > 2)
            equation
              (time > 1) = if initial() then time > 1 else time >= 1
              (time > 2) = if initial() then time > 2 else time >= 2
              x = if (time > 1) then if (time > 2) then 1 else 2 else 3
            event
              initial initial()
              instant (time > 1) = 1, nudge (time > 1)
              instant (time > 2) = 2, nudge (time > 2)
        "#]],
    );
}

#[test]
fn equations_with_two_unknown_sides() {
    check(
        "model M Real x; Real y; equation x + y = 1; if time > 1 then x = y; else x = 2*y; end if; end M;",
        expect![[r#"
              unknown x
              unknown y
              given discrete nudge (time > 1)
              unknown Boolean (time > 1)
              given Boolean initial()
            equation
              x + y = 1
              (time > 1) = if initial() then time > 1 else time >= 1
              x = if (time > 1) then y else 2*y
            event
              initial initial()
              instant (time > 1) = 1, nudge (time > 1)
        "#]],
    );
}
