//! `rhei compile`: a compiled model as a file.

use std::path::{Path, PathBuf};

use clap::Args;
use rhei_source::Report;

use super::{Exit, Usage, compile as compiled, exit_of_set, explain_files};
use crate::arguments::{Common, Model};
use crate::talk::Talk;

#[derive(Debug, Args)]
pub(crate) struct Compile {
    #[command(flatten)]
    model: Model,
    /// Give a parameter or an input another value
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// The file, .rhei; the last part of the model's name where this is left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn compile(options: &Compile, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    let done = compiled(&options.model, &options.set, common, talk)?;
    explain_files(talk, &done.files);
    if talk.json {
        talk.answer(&Report::new(&done.diagnostics, &done.files));
    }
    let Some(model) = done.model() else { return Ok(exit_of_set(true, done.blames_settings)) };
    let path = options.output.clone().unwrap_or_else(|| file_of(model.name()));
    if path.extension().is_none_or(|extension| extension != "rhei") {
        return Err(format!(
            "-o: the name of a compiled model ends in .rhei, that of `{}` does not",
            path.display()
        ));
    }
    match model.save(&path) {
        Ok(()) => {
            let size = std::fs::metadata(&path).map_or(0, |data| data.len());
            talk.say(&format!("{}: {} kB in {}", model.name(), size.div_ceil(1000), path.display()));
            Ok(Exit::Fine)
        }
        Err(error) => {
            talk.say(&format!("error: cannot write `{}`: {error}", path.display()));
            Ok(Exit::ModelAtFault)
        }
    }
}

/// In this folder, by the last part of the name.
fn file_of(model: &str) -> PathBuf {
    let last = model.rsplit('.').next().unwrap_or(model);
    Path::new(&format!("{}.rhei", last.trim_matches('\''))).to_owned()
}
