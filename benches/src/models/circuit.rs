//! An irregular circuit: no two neighbourhoods are alike, every component is a declaration of its own.
//!
//! Every node hangs by a resistor on a node before it, mostly a near one, so that there is one path to the ground and the
//! matrix has the pattern of a drawn circuit and not of an expander. Three in four have a capacitor to the ground; resistors
//! and diodes among the others make algebraic loops of irregular sizes. Capacitors between two such nodes and pairs of
//! inductors in series are constraints among states: the index has to be reduced.

use std::fmt::Write;

use super::random::Random;

/// Variables, and so equations, of a component with two pins: two of each pin, its voltage, its current.
const PER_COMPONENT: usize = 6;

const CLASSES: &str = "connector Pin
  Real v;
  flow Real i;
end Pin;

partial model TwoPin
  Pin p;
  Pin n;
  Real v;
  Real i;
equation
  v = p.v - n.v;
  0 = p.i + n.i;
  i = p.i;
end TwoPin;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model Resistor
  extends TwoPin;
  parameter Real R = 1;
equation
  v = R*i;
end Resistor;

model Capacitor
  extends TwoPin;
  parameter Real C = 1;
equation
  C*der(v) = i;
end Capacitor;

model Inductor
  extends TwoPin;
  parameter Real L = 1;
equation
  L*der(i) = v;
end Inductor;

model Diode \"Conducts one way, without a corner\"
  extends TwoPin;
  parameter Real G = 1;
equation
  i = G*(v + sqrt(v^2 + 0.01))/2;
end Diode;

model Source
  extends TwoPin;
  parameter Real amplitude = 1;
  parameter Real frequency = 1;
equation
  v = amplitude*sin(frequency*time);
end Source;

model CurrentSource
  extends TwoPin;
  parameter Real amplitude = 1;
equation
  i = amplitude*cos(time);
end CurrentSource;
";

/// The text of a circuit of about so many equations: its classes and, last, the model `Circuit`.
pub fn circuit(equations: usize) -> String {
    let mut circuit = Circuit {
        random: Random::new(8),
        declarations: String::new(),
        pins: vec![vec!["ground.p".into()]],
        has_capacitor: vec![true],
        components: 0,
    };
    while circuit.components * PER_COMPONENT < equations {
        circuit.grow();
    }
    circuit.text()
}

struct Circuit {
    random: Random,
    declarations: String,
    /// What is connected at each node; the first node is the ground.
    pins: Vec<Vec<String>>,
    has_capacitor: Vec<bool>,
    components: usize,
}

impl Circuit {
    /// One more node, with all that goes from it to nodes before it.
    fn grow(&mut self) {
        let near = self.earlier();
        let node = self.node(75);
        self.add("Resistor", "R", node, near);
        if self.has_capacitor[node] {
            self.add("Capacitor", "C", node, 0);
        }
        match self.random.below(100) {
            0..25 => self.between("Diode", "G", node),
            25..45 => self.between("Resistor", "R", node),
            45..55 => self.between("Inductor", "L", node),
            55..60 => self.inductors_in_series(node),
            60..65 => self.source_with_resistor(node),
            65..70 => self.between("CurrentSource", "amplitude", node),
            70..78 if self.has_capacitor[node] && self.has_capacitor[near] && near > 0 => {
                self.add("Capacitor", "C", node, near);
            }
            _ => (),
        }
    }

    fn node(&mut self, percent_with_capacitor: usize) -> usize {
        self.pins.push(Vec::new());
        let has_capacitor = self.random.chance(percent_with_capacitor);
        self.has_capacitor.push(has_capacitor);
        self.pins.len() - 1
    }

    /// A node that is there: one of the last thirty, once in fifty times any.
    fn earlier(&mut self) -> usize {
        let nodes = self.pins.len();
        let reach = if self.random.chance(2) { nodes } else { nodes.min(30) };
        nodes - 1 - self.random.below(reach)
    }

    fn between(&mut self, class: &str, parameter: &str, node: usize) {
        let other = self.earlier();
        if other != node {
            self.add(class, parameter, node, other);
        }
    }

    fn inductors_in_series(&mut self, node: usize) {
        let (other, middle) = (self.earlier(), self.node(0));
        self.add("Inductor", "L", node, middle);
        self.add("Inductor", "L", middle, other);
    }

    fn source_with_resistor(&mut self, node: usize) {
        let middle = self.node(0);
        self.add("Resistor", "R", node, middle);
        self.add("Source", "amplitude", middle, 0);
    }

    fn add(&mut self, class: &str, parameter: &str, from: usize, to: usize) {
        self.components += 1;
        let (number, value) = (self.components, self.random.value());
        let name = format!("{}{number}", class.to_lowercase());
        writeln!(self.declarations, "  {class} {name}({parameter} = {value});").expect("text can be written");
        self.pins[from].push(format!("{name}.p"));
        self.pins[to].push(format!("{name}.n"));
    }

    fn text(&self) -> String {
        let mut text = format!("{CLASSES}\nmodel Circuit\n  Ground ground;\n{}equation\n", self.declarations);
        for pins in &self.pins {
            for pair in pins.windows(2) {
                writeln!(text, "  connect({}, {});", pair[0], pair[1]).expect("text can be written");
            }
        }
        text + "end Circuit;\n"
    }
}
