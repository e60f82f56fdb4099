//! Prints a model of some size: `cargo run -p rhei-benches -- circuit 100000 > circuit.mo`.

use std::process::ExitCode;

use rhei_benches::models;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [kind, size] => size.parse().ok().and_then(|size| model(kind, size)),
        _ => None,
    };
    match text {
        Some(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        None => {
            eprintln!(
                "usage: rhei-benches chain|circuit|families|gears|grid|heat|links|switches|tied|train SIZE"
            );
            ExitCode::from(2)
        }
    }
}

fn model(kind: &str, size: usize) -> Option<String> {
    match kind {
        "circuit" => Some(models::circuit(size)),
        "families" => Some(models::families(size)),
        "gears" => Some(models::gears(size)),
        "grid" => Some(models::grid(size, "R*i = v")),
        "heat" => Some(models::heat(size)),
        "chain" => Some(models::chain(size, false)),
        "links" => Some(models::links(size)),
        "tied" => Some(models::tied(size)),
        "train" => Some(models::train(size)),
        _ => None,
    }
}
