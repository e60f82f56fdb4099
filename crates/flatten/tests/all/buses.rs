//! Expandable connectors (MLS §9.1.3).

use expect_test::expect;

use super::check;

const BUS: &str = r#"
    connector In = input Real; connector Out = output Real;
    expandable connector Bus end Bus;
    model Sensor Out speed(unit = "m/s"); equation speed = time; end Sensor;
    model Actuator In speed; Real x = speed; end Actuator;
"#;

fn bus(model: &str) -> String {
    format!("{BUS}{model}")
}

#[test]
fn the_example_of_the_specification() {
    check(
        &bus(
            "model SensorWBus Bus bus; Sensor sensor; equation connect(bus.speed, sensor.speed); end SensorWBus;
             model ActuatorWBus Bus bus; Actuator actuator; equation connect(bus.speed, actuator.speed); end ActuatorWBus;
             model Engine ActuatorWBus actuator; SensorWBus sensor; Bus bus;
             equation connect(bus, actuator.bus); connect(bus, sensor.bus); end Engine;",
        ),
        expect![[r#"
            model Engine
              Real 'actuator.actuator.speed';
              Real 'actuator.actuator.x' = 'actuator.actuator.speed';
              Real 'sensor.sensor.speed'(unit = "m/s");
              Real 'actuator.bus.speed';
              Real 'sensor.bus.speed'(unit = "m/s");
              Real 'bus.speed';
            equation
              'sensor.sensor.speed' = time;
              'actuator.bus.speed' = 'actuator.actuator.speed';
              'sensor.bus.speed' = 'sensor.sensor.speed';
              'bus.speed' = 'actuator.bus.speed';
              'actuator.bus.speed' = 'sensor.bus.speed';
              annotation(__rhei(paths = true));
            end Engine;
        "#]],
    );
}

#[test]
fn declared_members_that_nothing_is_connected_to_are_left_out() {
    check(
        &bus("expandable connector Declared Real speed; Real unused; Integer gear; end Declared;
             model M Declared a; Declared b; Sensor s; Actuator t;
             equation connect(a, b); connect(a.speed, s.speed); connect(b.speed, t.speed); end M;"),
        expect![[r#"
            model M
              Real 'a.speed';
              Real 'b.speed';
              Real 's.speed'(unit = "m/s");
              Real 't.speed';
              Real 't.x' = 't.speed';
            equation
              's.speed' = time;
              'a.speed' = 'b.speed';
              'b.speed' = 's.speed';
              's.speed' = 't.speed';
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn a_bus_in_a_bus() {
    check(
        &bus(
            "model Cylinder Bus bus; Actuator a; equation connect(bus.spark, a.speed); end Cylinder;
             model M Bus engine; Cylinder c; Sensor s; Bus other;
             equation connect(engine.cylinder, c.bus); connect(engine, other); connect(other.cylinder.spark, s.speed); end M;",
        ),
        expect![[r#"
            model M
              Real 'c.a.speed';
              Real 'c.a.x' = 'c.a.speed';
              Real 's.speed'(unit = "m/s");
              Real 'c.bus.spark';
              Real 'engine.cylinder.spark';
              Real 'other.cylinder.spark';
            equation
              's.speed' = time;
              'c.bus.spark' = 'c.a.speed';
              'engine.cylinder.spark' = 'c.bus.spark';
              'c.bus.spark' = 'other.cylinder.spark';
              'other.cylinder.spark' = 's.speed';
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn a_connector_with_flows_in_a_bus() {
    check(
        &bus("connector Pin Real v; flow Real i; end Pin;
             model Part Pin p; equation p.v = 1; end Part;
             model M Bus bus; Part a; Part b; equation connect(bus.pin, a.p); connect(b.p, bus.pin); end M;"),
        expect![[r#"
            model M
              Real 'a.p.v';
              Real 'a.p.i';
              Real 'b.p.v';
              Real 'b.p.i';
              Real 'bus.pin.v';
              Real 'bus.pin.i';
            equation
              'a.p.v' = 1;
              'b.p.v' = 1;
              'bus.pin.v' = 'a.p.v';
              'a.p.v' = 'b.p.v';
              'a.p.i' + 'b.p.i' - 'bus.pin.i' = 0.0;
              'bus.pin.i' = 0.0;
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn arrays_come_with_their_sizes() {
    check(
        &bus(
            "model M Bus bus; Sensor s[2]; Actuator a[2]; equation connect(bus.all, s.speed); connect(bus.all, a.speed); end M;",
        ),
        expect![[r#"
            model M
              Real[2] 's[:].speed'(each unit = "m/s");
              Real[2] 'a[:].speed';
              Real[2] 'a[:].x' = {'a[:].speed'[i] for i in 1:2};
              Real[2] 'bus.all'(each unit = "m/s");
            equation
              for i in 1:2 loop
                's[:].speed'[i] = time;
              end for;
              'bus.all' = 's[:].speed';
              's[:].speed' = 'a[:].speed';
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn elements_that_are_not_there_have_the_default() {
    check(
        &bus(
            "model M Bus bus[2]; Sensor s; Actuator a; equation connect(bus[1].x, s.speed); connect(bus[1].x, a.speed); end M;",
        ),
        expect![[r#"
            model M
              Real 's.speed'(unit = "m/s");
              Real 'a.speed';
              Real 'a.x' = 'a.speed';
              Real[2] 'bus[:].x'(each unit = "m/s");
            equation
              's.speed' = time;
              'bus[:].x'[1] = 's.speed';
              's.speed' = 'a.speed';
              'bus[:].x'[2] = 0.0;
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn an_inner_bus_collects_from_all_outer_ones() {
    check(
        &bus("model Sub outer Bus bus; Sensor s; equation connect(bus.speed, s.speed); end Sub;
             model M inner Bus bus; Sub sub; Actuator a; equation connect(bus.speed, a.speed); end M;"),
        expect![[r#"
            model M
              Real 'sub.s.speed'(unit = "m/s");
              Real 'a.speed';
              Real 'a.x' = 'a.speed';
              Real 'bus.speed'(unit = "m/s");
            equation
              'sub.s.speed' = time;
              'bus.speed' = 'sub.s.speed';
              'sub.s.speed' = 'a.speed';
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn one_side_must_be_declared() {
    check(
        &bus("model M Bus a; Bus b; equation connect(a.x, b.y); end M;"),
        expect![[r#"
        error[connect-undeclared]: neither `a.x` nor `b.y` is declared
         --> test.mo:6:32
          |
        6 | model M Bus a; Bus b; equation connect(a.x, b.y); end M;
          |                                ^^^^^^^^^^^^^^^^^ connected here
          |
          = note: one side of a connection to an expandable connector must be declared: it gives the type"#]],
    );
}
