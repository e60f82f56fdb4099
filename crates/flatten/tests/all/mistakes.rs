//! Messages for the modeller.

use expect_test::expect;

use super::check;

#[test]
fn parts_must_be_the_same() {
    check(
        "connector A Real v; flow Real i; end A; connector B Real v; flow Real j; end B;
         model P A a; end P; model Q B b; end Q;
         model M P p; Q q; equation connect(p.a, q.b); end M;",
        expect![[r#"
            error[connect-mismatch]: `p.a` and `q.b` cannot be connected: only `p.a` has `i`
             --> test.mo:3:37
              |
            3 |          model M P p; Q q; equation connect(p.a, q.b); end M;
              |                                     ^^^^^^^^^^^^^^^^^ connected here"#]],
    );
}

#[test]
fn sizes_must_be_the_same() {
    check(
        "connector A Real v; flow Real i; end A; model P A a[3]; end P;
         model M P p; P q; A b[2]; equation connect(p.a, b); connect(p.a[1], q.a[1]); end M;",
        expect![[r#"
            error[connect-mismatch]: `p.a` and `b` cannot be connected: their sizes are [3] and [2]
             --> test.mo:2:45
              |
            2 |          model M P p; P q; A b[2]; equation connect(p.a, b); connect(p.a[1], q.a[1]); end M;
              |                                             ^^^^^^^^^^^^^^^ connected here"#]],
    );
}

#[test]
fn flows_go_with_flows() {
    check(
        "connector A Real v; flow Real i; end A; connector B flow Real v; Real i; end B;
         model P A a; end P; model Q B b; end Q;
         model M P p; Q q; equation connect(p.a, q.b); end M;",
        expect![[r#"
            error[connect-flow-with-potential]: `p.a.v` and `q.b.v` cannot be connected: one is a potential variable, the other a flow variable
             --> test.mo:3:37
              |
            3 |          model M P p; Q q; equation connect(p.a, q.b); end M;
              |                                     ^^^^^^^^^^^^^^^^^ connected here"#]],
    );
}

#[test]
fn types_must_be_the_same() {
    check(
        "connector In = input Integer; connector Out = output Real;
         block P Out y = 1; end P; block Q In u; end Q;
         model M P p; Q q; equation connect(p.y, q.u); end M;",
        expect![[r#"
            error[connect-mismatch]: `p.y` and `q.u` cannot be connected: one is of type Real, the other of type Integer
             --> test.mo:3:37
              |
            3 |          model M P p; Q q; equation connect(p.y, q.u); end M;
              |                                     ^^^^^^^^^^^^^^^^^ connected here"#]],
    );
}

#[test]
fn only_connectors_are_connected() {
    check(
        "model P Real x; end P; model M P p; P q; equation connect(p.x, q.x); end M;",
        expect![[r#"
        error[not-a-connector]: `p.x` is not a connector
         --> test.mo:1:59
          |
        1 | model P Real x; end P; model M P p; P q; equation connect(p.x, q.x); end M;
          |                                                           ^^^ connected here"#]],
    );
}

#[test]
fn a_signal_has_one_source() {
    check(
        "connector In = input Real; connector Out = output Real;
         block P Out y = 1; end P; block Q In u; end Q;
         model M P a; P b; Q q; equation connect(a.y, q.u); connect(b.y, q.u); end M;",
        expect![[r#"
            error[connect-causality]: a signal has more than one source: the output `a.y` and the output `b.y`
             --> test.mo:3:61
              |
            2 |          block P Out y = 1; end P; block Q In u; end Q;
              |                      -
              |                      |
              |                      the output
              |                      the output
            3 |          model M P a; P b; Q q; equation connect(a.y, q.u); connect(b.y, q.u); end M;
              |                                                             ^^^^^^^^^^^^^^^^^ connected here
              |
              = note: connect each input to one output only"#]],
    );
}

#[test]
fn parameters_of_connectors_must_agree() {
    check(
        "connector A parameter Integer m = 1; Real v; flow Real i; end A; model P A a; end P;
         model M P p; P q(a(m = 2)); equation connect(p.a, q.a); end M;",
        expect![[r#"
            error[connect-mismatch]: `p.a.m` and `q.a.m` cannot be connected: these parameters have different values
             --> test.mo:2:47
              |
            2 |          model M P p; P q(a(m = 2)); equation connect(p.a, q.a); end M;
              |                                               ^^^^^^^^^^^^^^^^^ connected here"#]],
    );
}

#[test]
fn only_streams_come_in() {
    check(
        "connector A Real v; flow Real i; end A; model M A a; Real x = inStream(a.v); end M;",
        expect![[r#"
            error[not-a-stream]: `inStream` is for stream variables of connectors only
             --> test.mo:1:63
              |
            1 | connector A Real v; flow Real i; end A; model M A a; Real x = inStream(a.v); end M;
              |                                                               ^^^^^^^^^^^^^ here"#]],
    );
}

#[test]
fn a_connector_has_as_many_flows_as_potentials() {
    check(
        "connector C Real e[2]; flow Real f; end C; model M C c; end M;",
        expect![[r#"
        error[unbalanced-connector]: the connector `C` has 1 flow and 2 potentials, not as many flows as potentials
         --> test.mo:1:54
          |
        1 | connector C Real e[2]; flow Real f; end C; model M C c; end M;
          |                                                      ^ used here"#]],
    );
    check(
        "connector C = Real; model M C c; end M;",
        expect![[r#"
        error[unbalanced-connector]: the connector `C` has 0 flows and 1 potential, not as many flows as potentials
         --> test.mo:1:31
          |
        1 | connector C = Real; model M C c; end M;
          |                               ^ used here
          |
          = note: for a signal, declare it with `input` or `output`"#]],
    );
}

#[test]
fn streams_have_one_flow() {
    check(
        "connector S stream Real h; end S; model M S s; end M;",
        expect![[r#"
            error[stream-without-flow]: the connector `S` has streams, and beside them no flow: one Real scalar must carry them
             --> test.mo:1:45
              |
            1 | connector S stream Real h; end S; model M S s; end M;
              |                                             ^ used here"#]],
    );
}

#[test]
fn flows_belong_into_connectors() {
    check(
        "model M flow Real x = 1; end M;",
        expect![[r#"
        error[flow-outside-connector]: `x` is declared with `flow`, which is for parts of connectors only
         --> test.mo:1:19
          |
        1 | model M flow Real x = 1; end M;
          |                   ^ declared here"#]],
    );
    check(
        "expandable connector B flow Real i; end B; model M B b; end M;",
        expect![[r#"
        error[flow-in-expandable]: `b.i` is a flow, and an expandable connector can only have flows inside of connectors
         --> test.mo:1:34
          |
        1 | expandable connector B flow Real i; end B; model M B b; end M;
          |                                  ^ declared here"#]],
    );
}

#[test]
fn causal_goes_with_causal() {
    check(
        "connector A input Real x; Real e; flow Real f; end A; connector B Real x; output Real e; flow Real f; end B;
         model P A a; end P; model Q B b; end Q;
         model M P p; Q q; equation connect(p.a, q.b); end M;",
        expect![[r#"
            error[connect-mismatch]: `p.a.x` and `q.b.x` cannot be connected: one is an input or output, the other has no direction
             --> test.mo:3:37
              |
            3 |          model M P p; Q q; equation connect(p.a, q.b); end M;
              |                                     ^^^^^^^^^^^^^^^^^ connected here"#]],
    );
}

#[test]
fn connectors_deep_inside_are_not_in_reach() {
    check(
        "connector A Real v; flow Real i; end A; model P A a; end P; model Q P p; end Q;
         model M Q q; A a; equation connect(q.p.a, a); end M;",
        expect![[r#"
            error[connect-too-deep]: `q.p.a` is neither a connector of this model nor one of its components' connectors
             --> test.mo:2:45
              |
            2 |          model M Q q; A a; equation connect(q.p.a, a); end M;
              |                                             ^^^^^ connected here
              |
              = note: lead it out through connectors of the components around it"#]],
    );
}

#[test]
fn a_member_of_a_bus_needs_a_source() {
    check(
        "expandable connector B end B; connector In = input Real; block Q In u; end Q;
         model M B b; Q q; equation connect(b.x, q.u); end M;",
        expect![[r#"
            error[connect-no-source]: `b.x` has no source: only inputs are connected to it
             --> test.mo:2:37
              |
            2 |          model M B b; Q q; equation connect(b.x, q.u); end M;
              |                                     ^^^^^^^^^^^^^^^^^ connected here"#]],
    );
}

#[test]
fn a_member_of_a_bus_that_is_used_must_be_there() {
    check(
        "expandable connector B Real x; end B; model M B b; Real y = b.x; end M;",
        expect![[r#"
        error[absent-member]: `b.x` is used, and nothing is connected to this member of an expandable connector
         --> test.mo:1:29
          |
        1 | expandable connector B Real x; end B; model M B b; Real y = b.x; end M;
          |                             ^ declared here"#]],
    );
}

#[test]
fn graphs_are_made_of_equations() {
    check(
        "connector A Real v; flow Real i; end A;
         model M A a; equation when time > 1 then Connections.root(a.v); end when; end M;",
        expect![[r#"
            error[connections-misplaced]: `Connections.root` can only stand among equations, not in algorithms or `when`
             --> test.mo:2:51
              |
            2 |          model M A a; equation when time > 1 then Connections.root(a.v); end when; end M;
              |                                                   ^^^^^^^^^^^^^^^^^^^^^ here"#]],
    );
}
