//! The plot of a run: into a file, or on the terminal.

use std::io;
use std::path::Path;

use rhei_results::partial_path;
use rhei_results::plot::{Plot, Size, Terminal, html, svg, terminal};

use crate::arguments::Simulate;
use crate::commands::Usage;
use crate::talk::Talk;

/// What a drawing is written as.
#[derive(Clone, Copy)]
enum Drawing {
    Svg,
    Html,
}

impl Drawing {
    fn of(path: &Path) -> Result<Drawing, Usage> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => Ok(Drawing::Svg),
            Some("html") => Ok(Drawing::Html),
            _ => Err(format!("--plot-file: `{}` ends neither in .svg nor in .html", path.display())),
        }
    }
}

/// Says before the run what would be wrong after it.
pub(super) fn check(options: &Simulate) -> Result<(), Usage> {
    let Some(path) = &options.plot_file else { return Ok(()) };
    Drawing::of(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => {
            Err(format!("--plot-file: there is no folder for `{}`", path.display()))
        }
        _ => Ok(()),
    }
}

/// Draws; what could not be written is said.
pub(super) fn draw(plot: &Plot, options: &Simulate, talk: &Talk) -> Result<(), String> {
    let Some(path) = &options.plot_file else {
        talk.say(&terminal(plot, Terminal { colours: talk.colored, ..Terminal::default() }));
        return Ok(());
    };
    let drawn = match Drawing::of(path)? {
        Drawing::Html => html(plot, Size::default()),
        Drawing::Svg => svg(plot, Size::default()),
    };
    write_whole(path, &drawn).map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

/// Beside it first, then in its place: a file is whole or not there.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let beside = partial_path(path);
    std::fs::write(&beside, text).inspect_err(|_| {
        // half a picture is of no use
        let _ = std::fs::remove_file(&beside);
    })?;
    std::fs::rename(&beside, path)
}
