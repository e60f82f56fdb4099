//! Potentials and flows, arrays of connectors, inside and outside.

use expect_test::expect;

use super::check;

const ELECTRICAL: &str = r#"
    connector Pin Real v; flow Real i; end Pin;
    model Ground Pin p; equation p.v = 0; end Ground;
    model Resistor parameter Real R = 1; Pin p; Pin n; equation p.v - n.v = R*p.i; p.i + n.i = 0; end Resistor;
"#;

fn electrical(model: &str) -> String {
    format!("{ELECTRICAL}{model}")
}

#[test]
fn two_resistors_and_ground() {
    check(
        &electrical(
            "model M Resistor a; Resistor b; Ground g;
             equation connect(a.n, b.p); connect(b.n, g.p); connect(a.p, g.p); end M;",
        ),
        expect![[r#"
            model M
              parameter Real 'a.R' = 1;
              Real 'a.p.v';
              Real 'a.p.i';
              Real 'a.n.v';
              Real 'a.n.i';
              parameter Real 'b.R' = 1;
              Real 'b.p.v';
              Real 'b.p.i';
              Real 'b.n.v';
              Real 'b.n.i';
              Real 'g.p.v';
              Real 'g.p.i';
            equation
              'a.p.v' - 'a.n.v' = 'a.R'*'a.p.i';
              'a.p.i' + 'a.n.i' = 0;
              'b.p.v' - 'b.n.v' = 'b.R'*'b.p.i';
              'b.p.i' + 'b.n.i' = 0;
              'g.p.v' = 0;
              'a.n.v' = 'b.p.v';
              'b.n.v' = 'g.p.v';
              'g.p.v' = 'a.p.v';
              'a.n.i' + 'b.p.i' = 0.0;
              'b.n.i' + 'g.p.i' + 'a.p.i' = 0.0;
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn the_example_of_the_specification() {
    // MLS §9.2: one pin of the load and one of the resistor are left open
    check(
        &electrical(
            "model Load Pin p; Pin n; Resistor resistor;
             equation connect(p, resistor.p); connect(resistor.n, n); end Load;
             model Circuit Ground ground; Load load; Resistor resistor;
             equation connect(load.p, ground.p); connect(resistor.p, ground.p); end Circuit;",
        ),
        expect![[r#"
            model Circuit
              Real 'ground.p.v';
              Real 'ground.p.i';
              Real 'load.p.v';
              Real 'load.p.i';
              Real 'load.n.v';
              Real 'load.n.i';
              parameter Real 'load.resistor.R' = 1;
              Real 'load.resistor.p.v';
              Real 'load.resistor.p.i';
              Real 'load.resistor.n.v';
              Real 'load.resistor.n.i';
              parameter Real 'resistor.R' = 1;
              Real 'resistor.p.v';
              Real 'resistor.p.i';
              Real 'resistor.n.v';
              Real 'resistor.n.i';
            equation
              'ground.p.v' = 0;
              'load.resistor.p.v' - 'load.resistor.n.v' = 'load.resistor.R'*'load.resistor.p.i';
              'load.resistor.p.i' + 'load.resistor.n.i' = 0;
              'resistor.p.v' - 'resistor.n.v' = 'resistor.R'*'resistor.p.i';
              'resistor.p.i' + 'resistor.n.i' = 0;
              'load.p.v' = 'load.resistor.p.v';
              'load.resistor.n.v' = 'load.n.v';
              'load.p.v' = 'ground.p.v';
              'ground.p.v' = 'resistor.p.v';
              'load.resistor.p.i' - 'load.p.i' = 0.0;
              'load.resistor.n.i' - 'load.n.i' = 0.0;
              'load.p.i' + 'ground.p.i' + 'resistor.p.i' = 0.0;
              'load.n.i' = 0.0;
              'resistor.n.i' = 0.0;
              annotation(__rhei(paths = true));
            end Circuit;
        "#]],
    );
}

#[test]
fn an_outer_component_is_connected_where_it_is() {
    check(
        &electrical(
            "model Load Pin p; Pin n; outer Resistor resistor;
             equation connect(p, resistor.p); connect(resistor.n, n); end Load;
             model Circuit Ground ground; Load load; inner Resistor resistor;
             equation connect(load.p, ground.p); end Circuit;",
        ),
        expect![[r#"
            model Circuit
              Real 'ground.p.v';
              Real 'ground.p.i';
              Real 'load.p.v';
              Real 'load.p.i';
              Real 'load.n.v';
              Real 'load.n.i';
              parameter Real 'resistor.R' = 1;
              Real 'resistor.p.v';
              Real 'resistor.p.i';
              Real 'resistor.n.v';
              Real 'resistor.n.i';
            equation
              'ground.p.v' = 0;
              'resistor.p.v' - 'resistor.n.v' = 'resistor.R'*'resistor.p.i';
              'resistor.p.i' + 'resistor.n.i' = 0;
              'load.p.v' = 'resistor.p.v';
              'resistor.n.v' = 'load.n.v';
              'load.p.v' = 'ground.p.v';
              'resistor.p.i' - 'load.p.i' = 0.0;
              'resistor.n.i' - 'load.n.i' = 0.0;
              'load.p.i' + 'ground.p.i' = 0.0;
              'load.n.i' = 0.0;
              annotation(__rhei(paths = true));
            end Circuit;
        "#]],
    );
}

#[test]
fn whole_arrays_stay_whole() {
    check(
        "connector Plug Real v[3]; flow Real i[3]; end Plug;
         model Part Plug p; Plug n; end Part;
         model M Part a; Part b[2]; Plug top[2]; equation connect(a.n, b[1].p); connect(b.n, top); end M;",
        expect![[r#"
            model M
              Real[3] 'a.p.v';
              Real[3] 'a.p.i';
              Real[3] 'a.n.v';
              Real[3] 'a.n.i';
              Real[2, 3] 'b[:].p.v';
              Real[2, 3] 'b[:].p.i';
              Real[2, 3] 'b[:].n.v';
              Real[2, 3] 'b[:].n.i';
              Real[2, 3] 'top[:].v';
              Real[2, 3] 'top[:].i';
            equation
              'a.n.v' = 'b[:].p.v'[1, :];
              'b[:].n.v' = 'top[:].v';
              'a.n.i' + 'b[:].p.i'[1, :] = fill(0.0, 3);
              'b[:].n.i' - 'top[:].i' = fill(0.0, 2, 3);
              'a.p.i' = fill(0.0, 3);
              'b[:].p.i'[2, :] = fill(0.0, 3);
              'top[:].i' = fill(0.0, 2, 3);
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn a_loop_of_connections() {
    check(
        &electrical(
            "model Chain parameter Integer n = 4; Resistor r[n]; Ground g;
             equation for i in 1:n - 1 loop connect(r[i].n, r[i + 1].p); end for; connect(r[n].n, g.p); end Chain;",
        ),
        expect![[r#"
            model Chain
              parameter Integer n = 4 annotation(Evaluate = true);
              parameter Real[4] 'r[:].R' = {1 for i in 1:4};
              Real[4] 'r[:].p.v';
              Real[4] 'r[:].p.i';
              Real[4] 'r[:].n.v';
              Real[4] 'r[:].n.i';
              Real 'g.p.v';
              Real 'g.p.i';
            equation
              for i in 1:4 loop
                'r[:].p.v'[i] - 'r[:].n.v'[i] = 'r[:].R'[i]*'r[:].p.i'[i];
              end for;
              for i in 1:4 loop
                'r[:].p.i'[i] + 'r[:].n.i'[i] = 0;
              end for;
              'g.p.v' = 0;
              'r[:].n.v'[1:3] = 'r[:].p.v'[2:4];
              'r[:].n.v'[4] = 'g.p.v';
              'r[:].n.i'[1:3] + 'r[:].p.i'[2:4] = fill(0.0, 3);
              'r[:].n.i'[4] + 'g.p.i' = 0.0;
              'r[:].p.i'[1] = 0.0;
              annotation(__rhei(paths = true));
            end Chain;
        "#]],
    );
}

#[test]
fn connections_inside_an_array_of_components() {
    check(
        &electrical(
            "model Pair Pin p; Pin n; Resistor a; Resistor b;
             equation connect(p, a.p); connect(a.n, b.p); connect(b.n, n); end Pair;
             model M Pair pair[2]; Ground g;
             equation connect(pair[1].n, pair[2].p); connect(pair[2].n, g.p); connect(pair[1].p, g.p); end M;",
        ),
        expect![[r#"
            model M
              Real[2] 'pair[:].p.v';
              Real[2] 'pair[:].p.i';
              Real[2] 'pair[:].n.v';
              Real[2] 'pair[:].n.i';
              parameter Real[2] 'pair[:].a.R' = {1 for i in 1:2};
              Real[2] 'pair[:].a.p.v';
              Real[2] 'pair[:].a.p.i';
              Real[2] 'pair[:].a.n.v';
              Real[2] 'pair[:].a.n.i';
              parameter Real[2] 'pair[:].b.R' = {1 for i in 1:2};
              Real[2] 'pair[:].b.p.v';
              Real[2] 'pair[:].b.p.i';
              Real[2] 'pair[:].b.n.v';
              Real[2] 'pair[:].b.n.i';
              Real 'g.p.v';
              Real 'g.p.i';
            equation
              for i in 1:2 loop
                'pair[:].a.p.v'[i] - 'pair[:].a.n.v'[i] = 'pair[:].a.R'[i]*'pair[:].a.p.i'[i];
              end for;
              for i in 1:2 loop
                'pair[:].a.p.i'[i] + 'pair[:].a.n.i'[i] = 0;
              end for;
              for i in 1:2 loop
                'pair[:].b.p.v'[i] - 'pair[:].b.n.v'[i] = 'pair[:].b.R'[i]*'pair[:].b.p.i'[i];
              end for;
              for i in 1:2 loop
                'pair[:].b.p.i'[i] + 'pair[:].b.n.i'[i] = 0;
              end for;
              'g.p.v' = 0;
              'pair[:].p.v' = 'pair[:].a.p.v';
              'pair[:].a.n.v' = 'pair[:].b.p.v';
              'pair[:].b.n.v' = 'pair[:].n.v';
              'pair[:].n.v'[1] = 'pair[:].p.v'[2];
              'pair[:].n.v'[2] = 'g.p.v';
              'g.p.v' = 'pair[:].p.v'[1];
              'pair[:].a.p.i' - 'pair[:].p.i' = fill(0.0, 2);
              'pair[:].a.n.i' + 'pair[:].b.p.i' = fill(0.0, 2);
              'pair[:].b.n.i' - 'pair[:].n.i' = fill(0.0, 2);
              'pair[:].n.i'[1] + 'pair[:].p.i'[2] = 0.0;
              'pair[:].n.i'[2] + 'g.p.i' + 'pair[:].p.i'[1] = 0.0;
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn a_conditional_connector_takes_its_connections_with_it() {
    check(
        &electrical(
            "model Part parameter Boolean heated = false; Pin p; Pin heat if heated; Resistor r; Resistor h if heated;
             equation connect(p, r.p); connect(heat, r.n); connect(h.p, p); end Part;
             model M Part a; Ground g; equation connect(a.p, g.p); end M;",
        ),
        expect![[r#"
            model M
              parameter Boolean 'a.heated' = false annotation(Evaluate = true);
              Real 'a.p.v';
              Real 'a.p.i';
              parameter Real 'a.r.R' = 1;
              Real 'a.r.p.v';
              Real 'a.r.p.i';
              Real 'a.r.n.v';
              Real 'a.r.n.i';
              Real 'g.p.v';
              Real 'g.p.i';
            equation
              'a.r.p.v' - 'a.r.n.v' = 'a.r.R'*'a.r.p.i';
              'a.r.p.i' + 'a.r.n.i' = 0;
              'g.p.v' = 0;
              'a.p.v' = 'a.r.p.v';
              'a.p.v' = 'g.p.v';
              'a.r.p.i' - 'a.p.i' = 0.0;
              'a.p.i' + 'g.p.i' = 0.0;
              'a.r.n.i' = 0.0;
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn signals_and_slices() {
    check(
        "connector In = input Real; connector Out = output Real;
         block Source Out y = time; end Source;
         block Sum In u[3]; Out y = sum(u); end Sum;
         model M Source a; Source b[2]; Sum s; Out y;
         equation connect(a.y, s.u[1]); connect(b.y, s.u[2:3]); connect(s.y, y); end M;",
        expect![[r#"
            model M
              Real 'a.y' = time;
              Real[2] 'b[:].y' = {time for i in 1:2};
              Real[3] 's.u';
              Real 's.y' = sum('s.u');
              output Real y;
            equation
              'a.y' = 's.u'[1];
              'b[:].y'[1:2] = 's.u'[2:3];
              's.y' = y;
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn parts_of_a_structured_flow_are_flows() {
    check(
        "record Phasor Real re; Real im; end Phasor;
         connector Pin Phasor v; flow Phasor i; end Pin;
         model Part Pin p; end Part;
         model M Part a; Part b; equation connect(a.p, b.p); end M;",
        expect![[r#"
            model M
              Real 'a.p.v.re';
              Real 'a.p.v.im';
              Real 'a.p.i.re';
              Real 'a.p.i.im';
              Real 'b.p.v.re';
              Real 'b.p.v.im';
              Real 'b.p.i.re';
              Real 'b.p.i.im';
            equation
              'a.p.v.re' = 'b.p.v.re';
              'a.p.v.im' = 'b.p.v.im';
              'a.p.i.re' + 'b.p.i.re' = 0.0;
              'a.p.i.im' + 'b.p.i.im' = 0.0;
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn cardinality_decides() {
    check(
        &electrical(
            "model Part Pin p; equation if cardinality(p) == 0 then p.v = 0; end if; end Part;
             model M Part a; Part b[2]; Ground g; equation connect(b[1].p, g.p); end M;",
        ),
        expect![[r#"
            model M
              Real 'a.p.v';
              Real 'a.p.i';
              Real[2] 'b[:].p.v';
              Real[2] 'b[:].p.i';
              Real 'g.p.v';
              Real 'g.p.i';
            equation
              'a.p.v' = 0;
              'b[:].p.v'[2] = 0;
              'g.p.v' = 0;
              'b[:].p.v'[1] = 'g.p.v';
              'b[:].p.i'[1] + 'g.p.i' = 0.0;
              'a.p.i' = 0.0;
              'b[:].p.i'[2] = 0.0;
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}
