//! Models that do not determine their unknowns for a physical reason, and the text that names it.

mod said;

use expect_test::{Expect, expect};

/// Connectors and elements of the circuits here; no library is known to the search for causes.
const ELEMENTS: &str = "\
connector Pin
  Real v;
  flow Real i;
end Pin;
partial model TwoPin
  Pin p, n;
  Real v = p.v - n.v;
  Real i = p.i;
equation
  p.i + n.i = 0;
end TwoPin;
model Resistor
  extends TwoPin;
equation
  v = 2*i;
end Resistor;
model Capacitor
  extends TwoPin(v(start = 1, fixed = true));
equation
  i = der(v);
end Capacitor;
model Voltage
  extends TwoPin;
equation
  v = 10;
end Voltage;
model Current
  extends TwoPin;
equation
  i = 1;
end Current;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
connector Flange
  Real phi;
  flow Real tau;
end Flange;
model Inertia
  Flange flange;
  Real w;
equation
  w = der(flange.phi);
  der(w) = flange.tau;
end Inertia;
model Speed
  Flange flange;
  Real w;
equation
  w = der(flange.phi);
  w = 3;
end Speed;
";

fn check(name: &str, model: &str, expected: Expect) {
    said::check(name, &format!("{ELEMENTS}{model}"), expected);
}

#[test]
fn a_circuit_without_ground() {
    check(
        "a_circuit_without_ground",
        "\
model Circuit
  Resistor R1;
  Capacitor C1;
  Voltage V1;
equation
  connect(V1.p, R1.p);
  connect(R1.n, C1.p);
  connect(C1.n, V1.n);
end Circuit;
",
        expect![[r#"
            error[structurally-singular]: there is no ground, or other reference, for `R1`, `C1` and `V1`: only differences of `R1.p.v`, `R1.n.v`, `C1.p.v`, `C1.n.v`, `V1.p.v` and `V1.n.v` are determined
             --> a_circuit_without_ground.mo:2:8
              |
            2 |   Real v;
              |        ^ `R1.p.v`
              |
              = note: connect one of them to a ground, or to something else of a known level
        "#]],
    );
}

#[test]
fn one_of_two_circuits_has_no_ground() {
    check(
        "one_of_two_circuits_has_no_ground",
        "\
model Circuit
  Resistor R1, R2;
  Voltage V1, V2;
  Ground ground;
equation
  connect(V1.p, R1.p);
  connect(R1.n, V1.n);
  connect(V1.n, ground.p);
  connect(V2.p, R2.p);
  connect(R2.n, V2.n);
end Circuit;
",
        expect![[r#"
            error[structurally-singular]: there is no ground, or other reference, for `R2` and `V2`: only differences of `R2.p.v`, `R2.n.v`, `V2.p.v` and `V2.n.v` are determined
             --> one_of_two_circuits_has_no_ground.mo:2:8
              |
            2 |   Real v;
              |        ^ `R2.p.v`
              |
              = note: connect one of them to a ground, or to something else of a known level
        "#]],
    );
}

#[test]
fn voltage_sources_in_parallel() {
    check(
        "voltage_sources_in_parallel",
        "\
model Circuit
  Resistor R1;
  Voltage V1, V2;
  Ground ground;
equation
  connect(V1.p, R1.p);
  connect(V2.p, R1.p);
  connect(V1.n, R1.n);
  connect(V2.n, R1.n);
  connect(ground.p, R1.n);
end Circuit;
",
        expect![[r#"
            error[structurally-singular]: the equations of `Circuit` do not determine its unknowns: 10 equations for the 9 unknowns `R1.p.v`, `R1.n.v`, `V1.p.v`, `V1.n.v`, `V1.v`, `V2.p.v`, `V2.n.v`, `V2.v` and 1 more
              --> voltage_sources_in_parallel.mo:7:8
               |
             3 |   flow Real i;
               |             - `V1.p.i`
            ...
             7 |   Real v = p.v - n.v;
               |        ^ V1.v = V1.p.v - V1.n.v
             8 |   Real i = p.i;
               |        - `V1.i`
            ...
            25 |   v = 10;
               |   ------ V1.v = 10
            ...
            35 |   p.v = 0;
               |   ------- ground.p.v = 0
            ...
            60 |   connect(V1.p, R1.p);
               |   ------------------- V1.p.v = R1.p.v
            61 |   connect(V2.p, R1.p);
               |   ------------------- R1.p.v = V2.p.v
            62 |   connect(V1.n, R1.n);
               |   ------------------- V1.n.v = R1.n.v
            63 |   connect(V2.n, R1.n);
               |   ------------------- R1.n.v = V2.n.v
            64 |   connect(ground.p, R1.n);
               |   ----------------------- V2.n.v = ground.p.v
               |
               = note: while only 6 equations for the 7 unknowns `V1.p.i`, `V1.n.i`, `V1.i`, `V2.p.i`, `V2.n.i`, `V2.i` and `ground.p.i`
               = note: `V1` and `V2` fix the same flow: ideal sources in series leave the potential between them undetermined; there must be another way for the flow, such as a conductance beside one of them
        "#]],
    );
}

#[test]
fn current_sources_in_series() {
    check(
        "current_sources_in_series",
        "\
model Circuit
  Resistor R1;
  Current I1, I2;
  Ground ground;
equation
  connect(I1.p, R1.n);
  connect(I1.n, I2.p);
  connect(I2.n, ground.p);
  connect(R1.p, ground.p);
end Circuit;
",
        expect![[r#"
            error[structurally-singular]: the equations of `Circuit` do not determine its unknowns: 6 equations for the 5 unknowns `I1.p.i`, `I1.n.i`, `I1.i`, `I2.p.i` and `I2.i`
              --> current_sources_in_series.mo:8:8
               |
             2 |   Real v;
               |        - `I1.n.v`
            ...
             7 |   Real v = p.v - n.v;
               |        - `I1.v`
             8 |   Real i = p.i;
               |        ^ I1.i = I1.p.i
             9 | equation
            10 |   p.i + n.i = 0;
               |   ------------- I1.p.i + I1.n.i = 0
            ...
            30 |   i = 1;
               |   ----- I1.i = 1
            ...
            61 |   connect(I1.n, I2.p);
               |   ------------------- I1.n.i + I2.p.i = 0
               |
               = note: while only 3 equations for the 4 unknowns `I1.n.v`, `I1.v`, `I2.p.v` and `I2.v`
               = note: `I1` and `I2` fix the same flow: ideal sources in series leave the potential between them undetermined; there must be another way for the flow, such as a conductance beside one of them
        "#]],
    );
}

#[test]
fn two_speeds_for_one_shaft() {
    check(
        "two_speeds_for_one_shaft",
        "\
model Shaft
  Inertia J;
  Speed drive, brake;
equation
  connect(drive.flange, J.flange);
  connect(brake.flange, J.flange);
end Shaft;
",
        expect![[r#"
            error[structurally-singular]: the equations of `Shaft` do not determine its unknowns: 6 equations for the 5 unknowns `J.flange.phi`, `drive.flange.phi`, `drive.w`, `brake.flange.phi` and `brake.w`
              --> two_speeds_for_one_shaft.mo:52:3
               |
            39 |   flow Real tau;
               |             --- `drive.flange.tau`
            ...
            52 |   w = der(flange.phi);
               |   ^^^^^^^^^^^^^^^^^^^ drive.w = der(drive.flange.phi)
            53 |   w = 3;
               |   ----- drive.w = 3
            ...
            59 |   connect(drive.flange, J.flange);
               |   ------------------------------- drive.flange.phi = J.flange.phi
            60 |   connect(brake.flange, J.flange);
               |   ------------------------------- J.flange.phi = brake.flange.phi
               |
               = note: while only 1 equation for the 2 unknowns `drive.flange.tau` and `brake.flange.tau`
               = note: `drive` and `brake` fix the same difference of potentials: ideal sources in parallel, or around a loop, leave their flows undetermined; something must yield between them, such as a resistance
        "#]],
    );
}
