//! The command line: `rhei`, one of the [`commands`], and its options.
//!
//! Texts for people go to standard error, those for scripts to standard output. Exit status: 0 fine, 1 the model is at
//! fault or could not be simulated, 2 wrong usage.

mod arguments;
mod commands;
mod keep;
mod needless;
mod talk;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::Arguments;
use crate::talk::Talk;

/// A compiler allocates and frees many small objects: this takes a fifth off the time of a large model.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // help and version are no mistakes
            let status = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return ExitCode::from(status);
        }
    };
    let status = rhei::with_deep_stack(|| {
        let common = &arguments.common;
        let talk = Talk::new(common);
        let done = needless::everywhere(common).and_then(|()| arguments.command.run(common, &talk));
        done.unwrap_or_else(|usage| {
            talk.say(&format!("error: {usage}"));
            commands::Exit::WrongUsage
        })
    });
    ExitCode::from(status as u8)
}
