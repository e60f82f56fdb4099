//! Partitions of models written as equations: the lines after `event` and `clock` are what `scalarize` finds out about clocks.

mod groups;
mod methods;
mod past;
mod rates;
mod refused;

use std::fmt::Write;

use expect_test::Expect;
use rhei_clocks::tell_apart;
use rhei_equations::{Equations, Kind, read};

/// What has no clock, then each partition, then what is said.
fn parts(text: &str) -> String {
    let equations = read(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(equations.verify(), Ok(()));
    let (parts, said) = tell_apart(&equations);
    let mut out = String::new();
    if let Some((unclocked, partitions)) = parts {
        let unknowns = unclocked.variables.iter().filter(|variable| variable.kind == Kind::Unknown);
        let names: Vec<&str> = unknowns.map(|variable| variable.name.as_str()).collect();
        let names = if names.is_empty() { "nothing".into() } else { names.join(", ") };
        let _ = writeln!(out, "no clock: {names}");
        for equation in &unclocked.equations {
            let _ = writeln!(out, "  {}", unclocked.notation().equation(equation));
        }
        out += &events(&unclocked);
        for partition in partitions {
            let _ = write!(out, "{partition}");
            out += &events(&partition.equations);
        }
    }
    for diagnostic in said {
        let _ = writeln!(out, "{}: {}", diagnostic.id, diagnostic.message);
    }
    out
}

/// The lines about events.
fn events(equations: &Equations) -> String {
    let text = equations.to_string();
    text.split_once("event\n").map_or(String::new(), |(_, lines)| lines.to_owned())
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&parts(text));
}
