//! `ModelicaInternal_print` and `ModelicaError`: output of a model at run time.
//!
//! Functions are evaluated at many points that nobody asked for: in steps that are rejected, for derivatives. Nothing is printed
//! there, but only while somebody listens ([`Externals::listen`]).

use std::fs::OpenOptions;
use std::io::Write;
use std::sync::PoisonError;

use rhei_evaluate::{Failure, Value};
use rhei_source::Span;

use crate::arguments::text;
use crate::{Externals, Native};

/// Lines printed.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    listens: bool,
    lines: Vec<String>,
}

pub(crate) fn native(name: &str) -> Option<Native> {
    Some(match name {
        "ModelicaInternal_print" => print,
        "ModelicaStreams_closeFile" => close,
        "ModelicaError" => error,
        "ModelicaMessage" => message,
        _ => return None,
    })
}

impl Externals {
    /// From here on printed lines are kept, and go into files; or no longer.
    pub fn listen(&self, listens: bool) {
        self.printed.lock().unwrap_or_else(PoisonError::into_inner).listens = listens;
    }

    /// Lines printed since the last call, one text for each call of a function.
    pub fn take_printed(&self) -> Vec<String> {
        std::mem::take(&mut self.printed.lock().unwrap_or_else(PoisonError::into_inner).lines)
    }

    fn print(&self, text: &str) {
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        if printed.listens {
            printed.lines.push(text.to_owned());
        }
    }
}

/// A line on the terminal, or at the end of a file.
fn print(externals: &Externals, arguments: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let (line, file) = (text(arguments, 0, span)?, text(arguments, 1, span)?);
    if file.is_empty() {
        externals.print(line);
    } else if externals.printed.lock().unwrap_or_else(PoisonError::into_inner).listens {
        let appended = OpenOptions::new().append(true).create(true).open(file);
        appended.and_then(|mut end| writeln!(end, "{line}")).map_err(|error| Failure::WrongArgument {
            what: format!("nothing can be printed to the file `{file}`: {error}"),
            span,
        })?;
    }
    Ok(Vec::new())
}

/// Files are never left open.
fn close(_: &Externals, _: &[Value], _: Span) -> Result<Vec<Value>, Failure> {
    Ok(Vec::new())
}

/// `Streams.error`: ends the run as an `assert` does.
fn error(_: &Externals, arguments: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    Err(Failure::AssertFailed { message: text(arguments, 0, span)?.into(), span })
}

/// The same as printing to the terminal.
fn message(externals: &Externals, arguments: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    externals.print(text(arguments, 0, span)?);
    Ok(Vec::new())
}
