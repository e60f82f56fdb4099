//! The text of a clocked block that is the inverse of a model.

use std::fmt::Write;

use rhei_equations::number;
use rustc_hash::FxHashSet;

use super::InverseInput;

/// A variable of the model, and its names in the block.
#[derive(Clone, Debug)]
pub(super) struct Port {
    /// As the model has it: `a.b[2]`.
    pub(super) variable: String,
    /// The prefix of its names in the block: `a_b_2`.
    pub(super) name: String,
    /// Its unit, where it has one.
    pub(super) unit: String,
    /// Its start value.
    pub(super) start: f64,
}

/// A variable that is given.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) port: Port,
    /// How often it is differentiated.
    pub(super) degree: u32,
    /// The order of the filter in front of it.
    pub(super) filter: u32,
    /// How many of the states of the filter start at their start values; the model says how the others do.
    pub(super) fixed: u32,
    /// Whether integrators stand behind the filter, whose states follow from measured ones.
    pub(super) is_fed_back: bool,
}

/// The content of the block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) name: String,
    /// The full name of the model.
    pub(super) class: String,
    /// Inputs of the model that the block computes.
    pub(super) computed: Vec<Port>,
    /// Variables of the model that are given.
    pub(super) given: Vec<Given>,
    /// Inputs of the model that stay inputs.
    pub(super) kept: Vec<Given>,
    /// States that are measured.
    pub(super) measured: Vec<Port>,
    pub(super) period: f64,
    pub(super) frequency: f64,
    pub(super) method: String,
}

/// Names of the block's own components.
const OWN: [&str; 6] = ["period", "solverMethod", "ticks", "inverse", "RealInput", "RealOutput"];
/// Suffixes of names made from a variable.
const ENDS: [&str; 11] =
    ["f", "start", "wanted", "measured", "computed", "state", "reference", "filter", "w", "chain", "k"];

/// Names of the block for variables of the model, each once.
#[derive(Default)]
pub(super) struct Names {
    taken: FxHashSet<String>,
}

impl Names {
    /// A name that says which variable is meant.
    pub(super) fn name(&mut self, variable: &str) -> String {
        let mut plain = String::new();
        for c in variable.chars() {
            if c.is_ascii_alphanumeric() {
                plain.push(c);
            } else if !plain.is_empty() && !plain.ends_with('_') {
                plain.push('_');
            }
        }
        let plain = plain.trim_end_matches('_');
        let plain = if plain.starts_with(|c: char| c.is_ascii_alphabetic()) {
            plain.to_owned()
        } else {
            format!("v{plain}")
        };
        let mut name = plain.clone();
        let mut n = 1;
        while self.is_taken(&name) {
            n += 1;
            name = format!("{plain}{n}");
        }
        self.taken.insert(name.clone());
        name
    }

    /// Whether this name, or one made from it, is taken.
    fn is_taken(&self, name: &str) -> bool {
        let makes = |one: &str, other: &str| {
            let rest = other.strip_prefix(one).and_then(|rest| rest.strip_prefix('_'));
            rest.is_some_and(|rest| ENDS.contains(&rest))
        };
        OWN.contains(&name)
            || self.taken.iter().any(|other| other == name || makes(other, name) || makes(name, other))
    }
}

impl Given {
    /// Its description for people.
    pub(super) fn input(&self) -> InverseInput {
        InverseInput {
            name: self.port.variable.clone(),
            differentiated: self.degree,
            filter_order: self.filter,
            is_fed_back: self.is_fed_back,
        }
    }

    /// The output of the filter, or the reference itself.
    fn filtered(&self) -> String {
        match self.filter {
            0 => format!("{}_reference", self.port.name),
            n => format!("{}_filter[{n}]", self.port.name),
        }
    }

    /// The expression that the variable of the model equals.
    fn driven(&self) -> String {
        if self.is_fed_back { format!("{}_chain[1]", self.port.name) } else { self.filtered() }
    }
}

/// `(unit = "K")`, where there is one.
fn unit(port: &Port) -> String {
    if port.unit.is_empty() { String::new() } else { format!("(unit = \"{}\")", port.unit) }
}

/// How often, in words.
pub(super) fn times(n: u32) -> String {
    match n {
        1 => "once".into(),
        2 => "twice".into(),
        n => format!("{n} times"),
    }
}

/// `differentiated twice`
pub(super) fn differentiated(n: u32) -> String {
    if n == 0 { "not differentiated".into() } else { format!("differentiated {}", times(n)) }
}

impl Block {
    /// As Modelica.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out).expect("texts can be written");
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let listed = |ports: Vec<&str>| ports.join(", ");
        let computed = listed(self.computed.iter().map(|port| port.variable.as_str()).collect());
        let given = listed(self.given.iter().map(|given| given.port.variable.as_str()).collect());
        writeln!(out, "block {} \"{computed} from {given}: {} turned round\"", self.name, self.class)?;
        writeln!(out, "  connector RealInput = input Real;")?;
        writeln!(out, "  connector RealOutput = output Real;")?;
        self.write_parameters(out)?;
        self.write_ports(out)?;
        writeln!(out, "  {} inverse \"The plant, as it is thought to be\";", self.class)?;
        writeln!(out, "protected")?;
        self.write_variables(out)?;
        writeln!(out, "equation")?;
        self.write_equations(out)?;
        writeln!(out, "end {};", self.name)
    }

    fn chained(&self) -> impl Iterator<Item = &Given> {
        self.given.iter().chain(&self.kept)
    }

    fn write_parameters(&self, out: &mut String) -> std::fmt::Result {
        let period = number(self.period);
        writeln!(out, "  parameter Real period(unit = \"s\") = {period} \"From tick to tick\";")?;
        writeln!(
            out,
            "  parameter String solverMethod = \"{}\" \"How states are integrated from tick to tick\" annotation(Evaluate = true);",
            self.method
        )?;
        for given in self.chained().filter(|given| given.filter > 0 || given.is_fed_back) {
            let Port { variable, name, .. } = &given.port;
            let f = number(self.frequency);
            writeln!(out, "  parameter Real {name}_f(unit = \"Hz\") = {f} \"How fast {variable} follows\";")?;
            if given.filter > 0 {
                let start = number(given.port.start);
                writeln!(
                    out,
                    "  parameter Real {name}_start{} = {start} \"Where the filter of {variable} begins\";",
                    unit(&given.port)
                )?;
            }
        }
        Ok(())
    }

    fn write_ports(&self, out: &mut String) -> std::fmt::Result {
        for given in &self.given {
            let Port { variable, name, .. } = &given.port;
            writeln!(out, "  RealInput {name}_wanted{} \"What {variable} is to be\";", unit(&given.port))?;
        }
        for port in &self.measured {
            let (name, variable) = (&port.name, &port.variable);
            writeln!(out, "  RealInput {name}_measured{} \"{variable} of the plant\";", unit(port))?;
        }
        for kept in &self.kept {
            let Port { variable, name, .. } = &kept.port;
            writeln!(out, "  RealInput {name}{} \"{variable} of the plant\";", unit(&kept.port))?;
        }
        for port in &self.computed {
            let (name, variable) = (&port.name, &port.variable);
            writeln!(
                out,
                "  RealOutput {name}{} = hold({name}_computed) \"{variable} for the plant\";",
                unit(port)
            )?;
        }
        Ok(())
    }

    fn write_variables(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "  Clock ticks = Clock(Clock(period), solverMethod);")?;
        for port in &self.computed {
            writeln!(out, "  Real {}_computed(start = {});", port.name, number(port.start))?;
        }
        for port in &self.measured {
            let name = &port.name;
            writeln!(out, "  Real {name}_state = reinit(sample({name}_measured, ticks));")?;
        }
        for given in &self.given {
            let name = &given.port.name;
            writeln!(out, "  Real {name}_reference = sample({name}_wanted, ticks);")?;
        }
        for kept in &self.kept {
            let name = &kept.port.name;
            writeln!(out, "  Real {name}_reference = sample({name}, ticks);")?;
        }
        for given in self.chained() {
            let (name, n) = (&given.port.name, given.filter);
            if n > 0 {
                let fixed = match given.fixed {
                    fixed if fixed == n => "each fixed = true".to_owned(),
                    fixed => {
                        let each: Vec<String> = (0..n).map(|i| (i < fixed).to_string()).collect();
                        format!("fixed = {{{}}}", each.join(", "))
                    }
                };
                // states of the model that follow from it are none
                let select = if given.is_fed_back { "" } else { ", each stateSelect = StateSelect.always" };
                writeln!(
                    out,
                    "  Real {name}_filter[{n}](each start = {name}_start, {fixed}{select}) \"Critically damped, of order {n}\";"
                )?;
                // so that the cutoff frequency of the whole filter (half of the power) is the given one
                let normal = if n == 1 { String::new() } else { format!("/sqrt(2^(1/{n}) - 1)") };
                writeln!(
                    out,
                    "  parameter Real {name}_w = 2*3.141592653589793*{name}_f{normal} \"Of the filter\";"
                )?;
            }
            if given.is_fed_back {
                let r = given.degree;
                writeln!(out, "  Real {name}_chain[{r}] \"{}, and its derivatives\";", given.port.variable)?;
                writeln!(
                    out,
                    "  parameter Real {name}_k = 2*3.141592653589793*{name}_f \"Of the feedback\";"
                )?;
            }
        }
        Ok(())
    }

    fn write_equations(&self, out: &mut String) -> std::fmt::Result {
        for given in self.chained() {
            let Port { variable, name, .. } = &given.port;
            writeln!(out, "  // {variable} is {}", differentiated(given.degree))?;
            for place in 1..=given.filter {
                let before = match place {
                    1 => format!("{name}_reference"),
                    _ => format!("{name}_filter[{}]", place - 1),
                };
                writeln!(
                    out,
                    "  der({name}_filter[{place}]) = {name}_w*({before} - {name}_filter[{place}]);"
                )?;
            }
            if given.is_fed_back {
                self.write_feedback(given, out)?;
            }
        }
        for given in &self.given {
            writeln!(out, "  inverse.{} = {};", given.port.variable, given.driven())?;
        }
        for port in &self.computed {
            writeln!(out, "  inverse.{} = {}_computed;", port.variable, port.name)?;
        }
        for kept in &self.kept {
            writeln!(out, "  inverse.{} = {};", kept.port.variable, kept.driven())?;
        }
        for port in &self.measured {
            writeln!(out, "  {}_state = inverse.{};", port.name, port.variable)?;
        }
        Ok(())
    }

    /// The error obeys `(s + k)^r e = 0`.
    fn write_feedback(&self, given: &Given, out: &mut String) -> std::fmt::Result {
        let (name, r) = (&given.port.name, given.degree);
        for order in 1..r {
            writeln!(out, "  der({name}_chain[{order}]) = {name}_chain[{}];", order + 1)?;
        }
        let seen = self.measured.iter().find(|port| port.variable == given.port.variable);
        let seen = match seen {
            Some(port) => format!("{}_state", port.name),
            None => format!("{name}_chain[1]"),
        };
        let power = |n: u32| if n == 1 { format!("{name}_k") } else { format!("{name}_k^{n}") };
        let mut sum = format!("{}*({} - {seen})", power(r), given.filtered());
        let mut factor = 1;
        for order in 1..r {
            // binomial coefficients, one from the other
            factor = factor * (r - order + 1) / order;
            write!(sum, " - {factor}*{}*{name}_chain[{}]", power(r - order), order + 1)?;
        }
        writeln!(out, "  der({name}_chain[{r}]) = {sum};")
    }
}
