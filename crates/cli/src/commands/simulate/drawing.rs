//! The plot of a run: into a file, or on the terminal.

use std::io;
use std::path::Path;

use rhei::partial_path;
use rhei::plot::{PICTURES, Plot, Size, Terminal, terminal};

use super::options::Simulate;
use crate::commands::Usage;
use crate::talk::Talk;

/// How the picture is drawn that the ending of a name asks for.
fn drawing(path: &Path) -> Result<fn(&Plot, Size) -> String, Usage> {
    let unknown = || format!("`{}`: the name of a picture ends in {PICTURES}", path.display());
    PICTURES.of(path).copied().ok_or_else(unknown)
}

/// Checks the files before the run, so that it does not fail at its end.
pub(super) fn check(options: &Simulate) -> Result<(), Usage> {
    let files = [("--plot-file", &options.plot_file), ("--plot-calls", &options.plot_calls)];
    for (option, path) in files.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?))) {
        drawing(path).map_err(|why| format!("{option}: {why}"))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return Err(format!("{option}: there is no folder for `{}`", path.display()));
        }
    }
    Ok(())
}

/// Draws; an error says what could not be written.
pub(super) fn draw(plot: &Plot, options: &Simulate, talk: &Talk) -> Result<(), String> {
    let Some(path) = &options.plot_file else {
        talk.say(&terminal(plot, Terminal { colours: talk.colored, ..Terminal::default() }));
        return Ok(());
    };
    draw_into(plot, path)
}

/// Draws into a file; an error says what could not be written.
pub(super) fn draw_into(plot: &Plot, path: &Path) -> Result<(), String> {
    let drawn = drawing(path)?(plot, Size::default());
    write_whole(path, &drawn).map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

/// Writes a temporary file and renames it: a file is whole or not there.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let beside = partial_path(path);
    std::fs::write(&beside, text).inspect_err(|_| {
        // half a picture is of no use
        let _ = std::fs::remove_file(&beside);
    })?;
    std::fs::rename(&beside, path)
}
