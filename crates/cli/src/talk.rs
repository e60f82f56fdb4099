//! Output for people on standard error and for scripts on standard output.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use rhei_source::{Diagnostic, Files, Style, grouped, render};
use serde::Serialize;

use crate::arguments::{Color, Common};

/// The output of this run of the program.
pub(crate) struct Talk {
    pub(crate) json: bool,
    pub(crate) verbose: bool,
    pub(crate) timings: bool,
    pub(crate) colored: bool,
}

impl Talk {
    pub(crate) fn new(common: &Common) -> Self {
        let colored = match common.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        };
        Talk { json: common.json, verbose: common.verbose, timings: common.timings, colored }
    }

    /// A line for people. A closed stream is not a failure.
    pub(crate) fn say(&self, text: &str) {
        let _ = writeln!(std::io::stderr(), "{text}");
    }

    /// A line for people who asked for more.
    pub(crate) fn explain(&self, text: &str) {
        if self.verbose {
            self.say(text);
        }
    }

    /// Diagnostics for people: notes and warnings of one kind as one, unless each is asked for.
    pub(crate) fn diagnostics(&self, diagnostics: &[Diagnostic], files: &Files) {
        let style = if self.colored { Style::Colored } else { Style::Plain };
        let shown = if self.verbose { diagnostics.to_vec() } else { grouped(diagnostics) };
        for diagnostic in &shown {
            self.say(&render(diagnostic, files, style));
        }
    }

    pub(crate) fn passes(&self, timings: &[(&'static str, Duration)]) {
        for (pass, duration) in timings {
            self.pass(pass, *duration);
        }
    }

    /// How long a pass took, for people who asked for it.
    pub(crate) fn pass(&self, pass: &str, duration: Duration) {
        if self.timings {
            self.say(&format!("{:>9.3} ms  {pass}", duration.as_secs_f64() * 1e3));
        }
    }

    /// An answer for scripts.
    pub(crate) fn answer(&self, answer: &impl Serialize) {
        if let Ok(text) = serde_json::to_string(answer) {
            self.print(&text);
        }
    }

    /// A text on standard output; a reader who has gone is not a failure.
    pub(crate) fn print(&self, text: &str) {
        let _ = writeln!(std::io::stdout(), "{text}");
    }
}
