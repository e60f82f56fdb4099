//! A folder for each test, and the program run in it.

// not every test uses everything
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const DECAY: &str = "\
model Decay
  parameter Real rate = 1;
  parameter Integer n = 2;
  Real x(start = 2, fixed = true);
  Real R[n, 2] = {{x, 2*x}, {3*x, 4*x}};
equation
  der(x) = -rate*x;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Decay;
";

/// Compiled models of all tests: those of the user are left alone.
pub const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/compiled");

const REFUSED: &str = "model Refused\n  Real x = y;\nend Refused;\n";

/// Goes wrong at t = 1.
const FALLS: &str = "\
model Falls
  Real x(start = 1, fixed = true);
  Real y = sqrt(x);
equation
  der(x) = -1;
  annotation(experiment(StopTime = 2));
end Falls;
";

/// An empty folder of a test's own, with these models in it.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(test: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_CRATE_NAME")).join(test);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        for (file, text) in [("Decay.mo", DECAY), ("Refused.mo", REFUSED), ("Falls.mo", FALLS)] {
            std::fs::write(path.join(file), text).unwrap();
        }
        Folder(path)
    }

    /// The program with these words as its arguments.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rhei"));
        command.args(arguments.split_whitespace()).current_dir(&self.0).stdin(Stdio::null());
        command.env_remove("MODELICAPATH").env("XDG_CACHE_HOME", CACHE);
        command
    }

    /// Runs it.
    pub fn rhei(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Names of the files that are not models, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| !name.ends_with(".mo"));
        names.sort();
        names
    }

    pub fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.join(file)).unwrap()
    }

    /// The header and the rows of a result.
    pub fn table(&self, file: &str) -> (String, Vec<Vec<f64>>) {
        let text = self.read(file);
        let (header, rows) = text.split_once('\n').unwrap();
        let row = |line: &str| line.split(',').map(|number| number.parse().unwrap()).collect();
        (header.to_owned(), rows.lines().map(row).collect())
    }
}

pub fn status(output: &Output) -> i32 {
    output.status.code().expect("the program was not killed")
}

pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("standard output is one JSON value")
}

/// The keys of an object, sorted and with blanks between them.
pub fn keys(value: &Value) -> String {
    let keys: BTreeSet<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.into_iter().collect::<Vec<_>>().join(" ")
}
