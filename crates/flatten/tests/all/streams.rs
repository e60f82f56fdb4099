//! Streams (MLS §15).

use expect_test::expect;

use super::check;

const FLUID: &str = r#"
    connector Port Real p; flow Real m_flow; stream Real h; end Port;
    model Volume Port port; Real x; equation port.h = 1; x = inStream(port.h); end Volume;
"#;

fn fluid(model: &str) -> String {
    format!("{FLUID}{model}")
}

#[test]
fn alone_and_in_pairs_nothing_mixes() {
    check(
        &fluid("model M Volume a; Volume b; Volume c; equation connect(a.port, b.port); end M;"),
        expect![[r#"
            model M
              Real 'a.port.p';
              Real 'a.port.m_flow';
              Real 'a.port.h';
              Real 'a.x';
              Real 'b.port.p';
              Real 'b.port.m_flow';
              Real 'b.port.h';
              Real 'b.x';
              Real 'c.port.p';
              Real 'c.port.m_flow';
              Real 'c.port.h';
              Real 'c.x';
            equation
              'a.port.h' = 1;
              'a.x' = 'b.port.h';
              'b.port.h' = 1;
              'b.x' = 'a.port.h';
              'c.port.h' = 1;
              'c.x' = 'c.port.h';
              'a.port.p' = 'b.port.p';
              'a.port.m_flow' + 'b.port.m_flow' = 0.0;
              'c.port.m_flow' = 0.0;
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn three_mix() {
    check(
        &fluid(
            "model M Volume a; Volume b; Volume c;
             equation connect(a.port, b.port); connect(a.port, c.port); end M;",
        ),
        expect![[r#"
            model M
              Real 'a.port.p';
              Real 'a.port.m_flow';
              Real 'a.port.h';
              Real 'a.x';
              Real 'b.port.p';
              Real 'b.port.m_flow';
              Real 'b.port.h';
              Real 'b.x';
              Real 'c.port.p';
              Real 'c.port.m_flow';
              Real 'c.port.h';
              Real 'c.x';
            equation
              'a.port.h' = 1;
              'a.x' = (max(-'b.port.m_flow', 0.0)*'b.port.h' + max(-'c.port.m_flow', 0.0)*'c.port.h' + max(1e-7 - (max(-'b.port.m_flow', 0.0) + max(-'c.port.m_flow', 0.0)), 0.0)^2/1e-7*('b.port.h' + 'c.port.h'))/(max(-'b.port.m_flow', 0.0) + max(-'c.port.m_flow', 0.0) + max(1e-7 - (max(-'b.port.m_flow', 0.0) + max(-'c.port.m_flow', 0.0)), 0.0)^2/1e-7*2.0);
              'b.port.h' = 1;
              'b.x' = (max(-'a.port.m_flow', 0.0)*'a.port.h' + max(-'c.port.m_flow', 0.0)*'c.port.h' + max(1e-7 - (max(-'a.port.m_flow', 0.0) + max(-'c.port.m_flow', 0.0)), 0.0)^2/1e-7*('a.port.h' + 'c.port.h'))/(max(-'a.port.m_flow', 0.0) + max(-'c.port.m_flow', 0.0) + max(1e-7 - (max(-'a.port.m_flow', 0.0) + max(-'c.port.m_flow', 0.0)), 0.0)^2/1e-7*2.0);
              'c.port.h' = 1;
              'c.x' = (max(-'a.port.m_flow', 0.0)*'a.port.h' + max(-'b.port.m_flow', 0.0)*'b.port.h' + max(1e-7 - (max(-'a.port.m_flow', 0.0) + max(-'b.port.m_flow', 0.0)), 0.0)^2/1e-7*('a.port.h' + 'b.port.h'))/(max(-'a.port.m_flow', 0.0) + max(-'b.port.m_flow', 0.0) + max(1e-7 - (max(-'a.port.m_flow', 0.0) + max(-'b.port.m_flow', 0.0)), 0.0)^2/1e-7*2.0);
              'a.port.p' = 'b.port.p';
              'b.port.p' = 'c.port.p';
              'a.port.m_flow' + 'b.port.m_flow' + 'c.port.m_flow' = 0.0;
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn a_check_valve_brings_nothing_in() {
    check(
        &fluid(
            "model M Volume a; Volume b; Volume c(port(m_flow(min = 0)));
             equation connect(a.port, b.port); connect(a.port, c.port); end M;",
        ),
        expect![[r#"
            model M
              Real 'a.port.p';
              Real 'a.port.m_flow';
              Real 'a.port.h';
              Real 'a.x';
              Real 'b.port.p';
              Real 'b.port.m_flow';
              Real 'b.port.h';
              Real 'b.x';
              Real 'c.port.p';
              Real 'c.port.m_flow'(min = 0);
              Real 'c.port.h';
              Real 'c.x';
            equation
              'a.port.h' = 1;
              'a.x' = 'b.port.h';
              'b.port.h' = 1;
              'b.x' = 'a.port.h';
              'c.port.h' = 1;
              'c.x' = (max(-'a.port.m_flow', 0.0)*'a.port.h' + max(-'b.port.m_flow', 0.0)*'b.port.h' + max(1e-7 - (max(-'a.port.m_flow', 0.0) + max(-'b.port.m_flow', 0.0)), 0.0)^2/1e-7*('a.port.h' + 'b.port.h'))/(max(-'a.port.m_flow', 0.0) + max(-'b.port.m_flow', 0.0) + max(1e-7 - (max(-'a.port.m_flow', 0.0) + max(-'b.port.m_flow', 0.0)), 0.0)^2/1e-7*2.0);
              'a.port.p' = 'b.port.p';
              'b.port.p' = 'c.port.p';
              'a.port.m_flow' + 'b.port.m_flow' + 'c.port.m_flow' = 0.0;
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn through_the_border_of_a_model() {
    check(
        &fluid(
            "model Inner Port port; Volume v; equation connect(port, v.port); end Inner;
             model Bridge Port a; Port b; equation connect(a, b); end Bridge;
             model M Inner i; Bridge g; Volume w; equation connect(i.port, g.a); connect(g.b, w.port); end M;",
        ),
        expect![[r#"
            model M
              Real 'i.port.p';
              Real 'i.port.m_flow';
              Real 'i.port.h';
              Real 'i.v.port.p';
              Real 'i.v.port.m_flow';
              Real 'i.v.port.h';
              Real 'i.v.x';
              Real 'g.a.p';
              Real 'g.a.m_flow';
              Real 'g.a.h';
              Real 'g.b.p';
              Real 'g.b.m_flow';
              Real 'g.b.h';
              Real 'w.port.p';
              Real 'w.port.m_flow';
              Real 'w.port.h';
              Real 'w.x';
            equation
              'i.v.port.h' = 1;
              'i.v.x' = 'g.a.h';
              'w.port.h' = 1;
              'w.x' = 'g.b.h';
              'i.port.p' = 'i.v.port.p';
              'g.a.p' = 'g.b.p';
              'i.port.p' = 'g.a.p';
              'g.b.p' = 'w.port.p';
              'i.v.port.m_flow' - 'i.port.m_flow' = 0.0;
              -'g.a.m_flow' - 'g.b.m_flow' = 0.0;
              'i.port.m_flow' + 'g.a.m_flow' = 0.0;
              'g.b.m_flow' + 'w.port.m_flow' = 0.0;
              'i.port.h' = 'i.v.port.h';
              'g.a.h' = 'w.port.h';
              'g.b.h' = 'i.port.h';
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn an_outside_connector_of_three_mixes() {
    check(
        &fluid(
            "model Inner Port port; Volume v; Volume w; equation connect(port, v.port); connect(port, w.port); end Inner;
             model M Inner i; Volume u; equation connect(i.port, u.port); end M;",
        ),
        expect![[r#"
            model M
              Real 'i.port.p';
              Real 'i.port.m_flow';
              Real 'i.port.h';
              Real 'i.v.port.p';
              Real 'i.v.port.m_flow';
              Real 'i.v.port.h';
              Real 'i.v.x';
              Real 'i.w.port.p';
              Real 'i.w.port.m_flow';
              Real 'i.w.port.h';
              Real 'i.w.x';
              Real 'u.port.p';
              Real 'u.port.m_flow';
              Real 'u.port.h';
              Real 'u.x';
            equation
              'i.v.port.h' = 1;
              'i.v.x' = (max('i.port.m_flow', 0.0)*'u.port.h' + max(-'i.w.port.m_flow', 0.0)*'i.w.port.h' + max(1e-7 - (max('i.port.m_flow', 0.0) + max(-'i.w.port.m_flow', 0.0)), 0.0)^2/1e-7*('u.port.h' + 'i.w.port.h'))/(max('i.port.m_flow', 0.0) + max(-'i.w.port.m_flow', 0.0) + max(1e-7 - (max('i.port.m_flow', 0.0) + max(-'i.w.port.m_flow', 0.0)), 0.0)^2/1e-7*2.0);
              'i.w.port.h' = 1;
              'i.w.x' = (max('i.port.m_flow', 0.0)*'u.port.h' + max(-'i.v.port.m_flow', 0.0)*'i.v.port.h' + max(1e-7 - (max('i.port.m_flow', 0.0) + max(-'i.v.port.m_flow', 0.0)), 0.0)^2/1e-7*('u.port.h' + 'i.v.port.h'))/(max('i.port.m_flow', 0.0) + max(-'i.v.port.m_flow', 0.0) + max(1e-7 - (max('i.port.m_flow', 0.0) + max(-'i.v.port.m_flow', 0.0)), 0.0)^2/1e-7*2.0);
              'u.port.h' = 1;
              'u.x' = 'i.port.h';
              'i.port.p' = 'i.v.port.p';
              'i.v.port.p' = 'i.w.port.p';
              'i.port.p' = 'u.port.p';
              'i.v.port.m_flow' + 'i.w.port.m_flow' - 'i.port.m_flow' = 0.0;
              'i.port.m_flow' + 'u.port.m_flow' = 0.0;
              'i.port.h' = (max(-'i.v.port.m_flow', 0.0)*'i.v.port.h' + max(-'i.w.port.m_flow', 0.0)*'i.w.port.h' + max(1e-7 - (max(-'i.v.port.m_flow', 0.0) + max(-'i.w.port.m_flow', 0.0)), 0.0)^2/1e-7*('i.v.port.h' + 'i.w.port.h'))/(max(-'i.v.port.m_flow', 0.0) + max(-'i.w.port.m_flow', 0.0) + max(1e-7 - (max(-'i.v.port.m_flow', 0.0) + max(-'i.w.port.m_flow', 0.0)), 0.0)^2/1e-7*2.0);
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn arrays_of_ports_and_substances() {
    check(
        "connector Port Real p; flow Real m_flow; stream Real X[2]; end Port;
         model Tank parameter Integer n = 2; Port ports[n]; Real sum_X[2]; Real Xs[n, 2] = inStream(ports.X);
         equation
           for i in 1:n loop ports[i].X = {1, 0}; end for;
           sum_X = {sum(inStream(ports[i].X[j]) for i in 1:n) for j in 1:2};
         end Tank;
         model Volume Port port; Real x[2]; equation port.X = {0, 1}; x = inStream(port.X); end Volume;
         model M Tank t; Volume v; equation connect(t.ports[1], v.port); end M;",
        expect![[r#"
            model M
              parameter Integer 't.n' = 2 annotation(Evaluate = true);
              Real[2] 't.ports[:].p';
              Real[2] 't.ports[:].m_flow';
              Real[2, 2] 't.ports[:].X';
              Real[2] 't.sum_X';
              Real[2, 2] 't.Xs' = {'v.port.X', 't.ports[:].X'[2, :]};
              Real 'v.port.p';
              Real 'v.port.m_flow';
              Real[2] 'v.port.X';
              Real[2] 'v.x';
            equation
              for i in 1:'t.n' loop
                't.ports[:].X'[i, :] = {1, 0};
              end for;
              't.sum_X' = {sum(({'v.port.X', 't.ports[:].X'[2, :]})[i, j] for i in 1:'t.n') for j in 1:2};
              'v.port.X' = {0, 1};
              'v.x' = 't.ports[:].X'[1, :];
              't.ports[:].p'[1] = 'v.port.p';
              't.ports[:].m_flow'[1] + 'v.port.m_flow' = 0.0;
              't.ports[:].m_flow'[2] = 0.0;
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn the_actual_stream_needs_no_event_where_it_is_carried() {
    check(
        &fluid(
            "model Sensor Port port; Real H; Real h;
             equation H = port.m_flow*actualStream(port.h); h = actualStream(port.h); port.h = 2; end Sensor;
             model M Sensor s; Volume v; equation connect(s.port, v.port); end M;",
        ),
        expect![[r#"
            model M
              Real 's.port.p';
              Real 's.port.m_flow';
              Real 's.port.h';
              Real 's.H';
              Real 's.h';
              Real 'v.port.p';
              Real 'v.port.m_flow';
              Real 'v.port.h';
              Real 'v.x';
            equation
              's.H' = smooth(0, 's.port.m_flow'*(if 's.port.m_flow' > 0.0 then 'v.port.h' else 's.port.h'));
              's.h' = if 's.port.m_flow' > 0.0 then 'v.port.h' else 's.port.h';
              's.port.h' = 2;
              'v.port.h' = 1;
              'v.x' = 's.port.h';
              's.port.p' = 'v.port.p';
              's.port.m_flow' + 'v.port.m_flow' = 0.0;
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}
