//! `rhei parse`: syntax only; folders are walked.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use rhei_source::{Diagnostic, Report};

use super::{Exit, Usage, exit, session};
use crate::arguments::Common;
use crate::talk::Talk;

#[derive(Debug, Args)]
pub(crate) struct Parse {
    /// Files and folders
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

pub(crate) fn parse(options: &Parse, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    if let Some(path) = options.paths.iter().find(|path| !path.exists()) {
        return Err(format!("there is no `{}`", path.display()));
    }
    let begun = Instant::now();
    let parsed = session(common).parse(&options.paths).map_err(|unreadable| unreadable.to_string())?;
    talk.pass("parse", begun.elapsed());
    for (_, file) in parsed.files.iter() {
        talk.explain(&file.path.display().to_string());
    }
    if talk.json {
        talk.answer(&Report::new(&parsed.diagnostics, &parsed.files));
    } else {
        talk.diagnostics(&parsed.diagnostics, &parsed.files);
        let n = parsed.files.len();
        let files = if n == 1 { "1 file".into() } else { format!("{n} files") };
        talk.say(&format!("{files} read, {} diagnostics", parsed.diagnostics.len()));
    }
    Ok(exit(parsed.diagnostics.iter().any(Diagnostic::is_error)))
}
