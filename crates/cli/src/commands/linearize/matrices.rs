//! A linearised model for scripts, for tables and for people.

use std::fmt::Write;

use rhei::{Linearisation, eigenvalues, number};
use serde::Serialize;

/// Most states of models whose eigenvalues are printed: a longer list tells people nothing.
const MOST_EIGENVALUES: usize = 100;

#[derive(Serialize)]
pub(super) struct Matrices {
    model: String,
    time: f64,
    states: Vec<String>,
    inputs: Vec<String>,
    outputs: Vec<String>,
    #[serde(rename = "A")]
    a: Vec<Vec<f64>>,
    #[serde(rename = "B")]
    b: Vec<Vec<f64>>,
    #[serde(rename = "C")]
    c: Vec<Vec<f64>>,
    #[serde(rename = "D")]
    d: Vec<Vec<f64>>,
    x: Vec<f64>,
    u: Vec<f64>,
    y: Vec<f64>,
}

impl Matrices {
    pub(super) fn new(model: String, linear: Linearisation) -> Matrices {
        let Linearisation { time, states, inputs, outputs, a, b, c, d, x, u, y } = linear;
        Matrices { model, time, states, inputs, outputs, a, b, c, d, x, u, y }
    }

    /// Names and numbers of all rows: those of A and B, then those of C and D.
    fn rows(&self) -> impl Iterator<Item = (String, impl Iterator<Item = f64>)> {
        let derivatives = self.states.iter().map(|name| format!("der({name})"));
        let names = derivatives.chain(self.outputs.iter().cloned());
        let by_states = self.a.iter().chain(&self.c);
        let by_inputs = self.b.iter().chain(&self.d);
        let numbers = by_states.zip(by_inputs).map(|(left, right)| left.iter().chain(right).copied());
        names.zip(numbers)
    }

    /// One table, `[A B; C D]` with names: columns are states and inputs, rows derivatives of states and outputs.
    pub(super) fn csv(&self) -> String {
        let mut text = String::new();
        for name in self.states.iter().chain(&self.inputs) {
            text += ",";
            text += &quoted(name);
        }
        text += "\n";
        for (name, numbers) in self.rows() {
            text += &quoted(&name);
            for value in numbers {
                let _ = write!(text, ",{value:?}");
            }
            text += "\n";
        }
        text
    }

    /// A line for each row, as a formula without zero terms.
    pub(super) fn text(&self) -> String {
        let count = |n: usize, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
        let mut text = format!(
            "{} at t = {}: {}, {}, {}\n",
            self.model,
            number(self.time),
            count(self.states.len(), "state"),
            count(self.inputs.len(), "input"),
            count(self.outputs.len(), "output"),
        );
        let columns: Vec<&String> = self.states.iter().chain(&self.inputs).collect();
        let width = self.rows().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, numbers) in self.rows() {
            let mut sum = String::new();
            for (value, column) in numbers.zip(&columns).filter(|(value, _)| *value != 0.0) {
                let sign = match (sum.is_empty(), value < 0.0) {
                    (true, true) => "-",
                    (true, false) => "",
                    (false, true) => " - ",
                    (false, false) => " + ",
                };
                let _ = match short(value.abs()) {
                    factor if factor == "1" => write!(sum, "{sign}{column}"),
                    factor => write!(sum, "{sign}{factor}*{column}"),
                };
            }
            if sum.is_empty() {
                sum += "0";
            }
            let _ = writeln!(text, "  {name:width$} = {sum}");
        }
        if !self.a.is_empty()
            && self.a.len() <= MOST_EIGENVALUES
            && let Some(values) = eigenvalues(&self.a)
        {
            let told = values.iter().filter(|(_, imaginary)| *imaginary >= 0.0);
            let told: Vec<String> = told.map(|&(real, imaginary)| complex(real, imaginary)).collect();
            let _ = writeln!(text, "eigenvalues: {}", told.join(", "));
        }
        text
    }
}

/// Six digits are enough for people; scripts get all of them.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    number(rounded)
}

fn complex(real: f64, imaginary: f64) -> String {
    if imaginary == 0.0 { short(real) } else { format!("{} ± {}i", short(real), short(imaginary)) }
}

/// A field of a CSV line (RFC 4180).
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}
