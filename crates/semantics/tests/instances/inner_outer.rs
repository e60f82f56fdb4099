//! Components shared through the hierarchy (MLS §5.4).

use expect_test::expect;

use crate::check;

#[test]
fn an_outer_component_is_the_inner_one_above() {
    check(
        r#"model World parameter Real g = 9.81; end World;
         model Part outer World world; Real x = world.g; end Part;
         model M inner World world(g = 1.62); Part p; end M;"#,
        expect![[r#"
            World world
              parameter Real 'world.g' = 1.62
            Part p
              Real 'p.x' = 'world.g'
        "#]],
    );
}

#[test]
fn the_nearest_inner_one_counts() {
    check(
        r#"model Part outer Real x; Real y = x; end Part;
         model Box inner Real x = 2; Part p; end Box;
         model M inner Real x = 1; Box b; Part p; end M;"#,
        expect![[r#"
            Real x = 1
            Box b
              Real 'b.x' = 2
              Part p
                Real 'b.p.y' = 'b.x'
            Part p
              Real 'p.y' = x
        "#]],
    );
}

#[test]
fn a_missing_inner_one_is_made() {
    check(
        r#"model World parameter Real g = 9.81; end World;
         model Part outer World world; Real x = world.g; end Part;
         model M Part p; Part q; end M;"#,
        expect![[r#"
            Part p
              Real 'p.x' = 'world.g'
            Part q
              Real 'q.x' = 'world.g'
            World world
              parameter Real 'world.g' = 9.81
            missing-inner: no `inner World world` is declared around this `outer` one: one with defaults is used
        "#]],
    );
}

#[test]
fn an_outer_component_is_not_modified() {
    check(
        r#"model World parameter Real g = 9.81; end World;
         model M inner World world; Inside i; model Inside outer World world(g = 2); end Inside; end M;"#,
        expect![[r#"
            outer-modified: `world` is `outer` and cannot be modified
        "#]],
    );
}

#[test]
fn an_inner_component_of_another_type() {
    check(
        r#"model Part outer Real x; Real y = x; end Part;
         model M inner Integer x = 1; Part p; end M;"#,
        expect![[r#"
            inner-outer-mismatch: `x` does not fit the `outer` one: it is of type Integer and not of type Real
        "#]],
    );
}
