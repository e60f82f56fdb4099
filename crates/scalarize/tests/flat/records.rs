//! Records by their fields.

use expect_test::expect;

use crate::check;

#[test]
fn fields_are_equal_one_by_one() {
    check(
        "record R Real a; Real b[2]; end R;
         model M R r; R s; equation r = s; s.a = time; s.b = {1, 2}; end M;",
        expect![[r#"
              unknown r.a
              unknown r.b[1]
              unknown r.b[2]
              unknown s.a
              unknown s.b[1]
              unknown s.b[2]
            equation
              r.a = s.a
              r.b[1] = s.b[1]
              r.b[2] = s.b[2]
              s.a = time
              s.b[1] = 1
              s.b[2] = 2
        "#]],
    );
}

#[test]
fn a_record_through_a_function() {
    check(
        "record R Real a; Real b; end R;
         function swap input R r; output R s; algorithm s.a := r.b; s.b := r.a; end swap;
         model M R r = R(time, 1); R s = swap(r); end M;",
        expect![[r#"
              unknown r.a
              unknown r.b
              unknown s.a
              unknown s.b
            equation
              r.a = time
              r.b = 1
              s.a = r.b
              s.b = r.a
        "#]],
    );
}

#[test]
fn a_record_chosen_by_a_condition() {
    check(
        "record R Real a; end R;
         model M R r = if time > 1 then R(1) else R(2); end M;",
        expect![[r#"
              unknown r.a
              given discrete nudge (time > 1)
              unknown Boolean (time > 1)
              given Boolean initial()
            equation
              (time > 1) = if initial() then time > 1 else time >= 1
              r.a = if (time > 1) then 1 else 2
            event
              initial initial()
              instant (time > 1) = 1, nudge (time > 1)
        "#]],
    );
}
