//! Inertias in a chain, each coupled to the next by a gear of its own ratio: one shaft, two states, whatever its length.

use std::fmt::Write;

use super::random::Random;

/// The text of a chain of so many inertias.
pub fn gears(inertias: usize) -> String {
    let mut random = Random::new(6);
    let (mut declarations, mut connections) = (String::new(), String::new());
    for i in 1..=inertias {
        writeln!(declarations, "  Inertia inertia{i}(J = {});", random.value()).expect("text can be written");
        if i < inertias {
            writeln!(declarations, "  Gear gear{i}(ratio = {});", random.value())
                .expect("text can be written");
            let next = i + 1;
            writeln!(connections, "  connect(inertia{i}.b, gear{i}.a);").expect("text can be written");
            writeln!(connections, "  connect(gear{i}.b, inertia{next}.a);").expect("text can be written");
        }
    }
    format!(
        "connector Flange
  Real phi;
  flow Real tau;
end Flange;

model Inertia
  Flange a;
  Flange b;
  parameter Real J = 1;
  Real phi;
  Real w;
equation
  phi = a.phi;
  phi = b.phi;
  w = der(phi);
  J*der(w) = a.tau + b.tau;
end Inertia;

model Gear
  Flange a;
  Flange b;
  parameter Real ratio = 1;
equation
  a.phi = ratio*b.phi;
  0 = ratio*a.tau + b.tau;
end Gear;

model Torque
  Flange b;
equation
  b.tau = -sin(time);
end Torque;

model Chain
  Torque torque;
{declarations}equation
  connect(torque.b, inertia1.a);
{connections}end Chain;
"
    )
}
