//! Algorithm sections executed on formulas (MLS §11).

use expect_test::expect;

use crate::check;

#[test]
fn later_assignments_see_earlier_ones() {
    check(
        "model M Real x; Real y; algorithm x := time; y := 2*x; x := x + y; end M;",
        expect![[r#"
              unknown x
              unknown y
            equation
              x = time + 2*time
              y = 2*time
        "#]],
    );
}

#[test]
fn a_branch_of_the_run() {
    check(
        "model M Real x; algorithm x := 1; if time > 1 then x := x + 1; else x := 0; end if; end M;",
        expect![[r#"
              unknown x
              given discrete nudge (time > 1)
              unknown Boolean (time > 1)
              given Boolean initial()
            equation
              (time > 1) = if initial() then time > 1 else time >= 1
              x = if (time > 1) then 2 else 0
            event
              initial initial()
              instant (time > 1) = 1, nudge (time > 1)
        "#]],
    );
}

#[test]
fn a_loop_is_unrolled() {
    check(
        "model M Real s; algorithm s := 0; for i in 1:3 loop s := s + i*time; end for; end M;",
        expect![[r#"
              unknown s
            equation
              s = time + 2*time + 3*time
        "#]],
    );
}

#[test]
fn what_is_not_assigned_on_each_way_starts_with_what_it_had() {
    check(
        "model M discrete Real x(start = 5, fixed = true); algorithm when time > 1 then x := x + 1; end when; end M;",
        expect![[r#"
              unknown discrete x(start = 5, fixed)
              previous discrete pre(x)(start = 5)
              given discrete nudge (time > 1)
              unknown Boolean (time > 1)
              given Boolean initial()
              previous Boolean pre((time > 1))
            equation
              (time > 1) = if initial() then time > 1 else time >= 1
              x = if not initial() and ((time > 1) and not pre((time > 1))) then pre(x) + 1 else pre(x)
            event
              initial initial()
              instant (time > 1) = 1, nudge (time > 1)
        "#]],
    );
}

#[test]
fn a_continuous_variable_begins_with_its_start_value() {
    check(
        "model M Real x(start = 5); algorithm if time > 1 then x := time; end if; end M;",
        expect![[r#"
              unknown x(start = 5)
              given discrete nudge (time > 1)
              unknown Boolean (time > 1)
              given Boolean initial()
            equation
              (time > 1) = if initial() then time > 1 else time >= 1
              x = if (time > 1) then time else 5
            event
              initial initial()
              instant (time > 1) = 1, nudge (time > 1)
        "#]],
    );
}

#[test]
fn elements_one_by_one() {
    check(
        "model M Real x[2]; algorithm x[1] := time; x[2] := x[1] + 1; end M;",
        expect![[r#"
              unknown x[1]
              unknown x[2]
            equation
              x[1] = time
              x[2] = time + 1
        "#]],
    );
}

#[test]
fn an_initial_algorithm() {
    check(
        "model M parameter Real p(fixed = false); Real x = p*time; initial algorithm p := 2; p := p + 1; end M;",
        expect![[r#"
              parameter p
              unknown x
            equation
              x = p*time
            initial equation
              p = 3
        "#]],
    );
}
