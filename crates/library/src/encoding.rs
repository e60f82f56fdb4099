//! Files that are no UTF-8.
//!
//! MLS §13.4 wants UTF-8. Older libraries are Latin-1; those that say so in a file `package.encoding` beside one of their
//! `package.mo` are left in peace, others are warned.

use std::path::Path;

use rhei_source::{Decoded, Diagnostic, FileId, Span, World};

use crate::folder::PACKAGE_FILE;

/// Names in libraries for the encoding that is read if UTF-8 fails. Windows' own differs from it in typographic signs
/// only, which stand in descriptions.
const LATIN1: [&str; 5] = ["latin-1", "latin1", "iso-8859-1", "windows-1252", "cp1252"];

/// The warning about a file that had to be read as Latin-1.
pub(crate) fn encoding_warning(
    world: &dyn World,
    path: &Path,
    file: FileId,
    decoded: &Decoded,
) -> Option<Diagnostic> {
    let from = decoded.latin1_from?;
    if says_latin1(world, path) {
        return None;
    }
    // one byte was one character, and is one or two bytes now
    let start: usize = decoded.text.chars().take(from).map(char::len_utf8).sum();
    let length = decoded.text[start..].chars().next().map_or(0, char::len_utf8);
    let message = format!("`{}` is not UTF-8 and was read as Latin-1", path.display());
    Some(
        Diagnostic::warning("not-utf8", message)
            .at(Span::new(file, start as u32, (start + length) as u32), "the first such character")
            .with_note(
                "Modelica files are UTF-8 (MLS §13.4); a library that is not says so in a file `package.encoding` \
                 beside its `package.mo`",
            ),
    )
}

fn says_latin1(world: &dyn World, path: &Path) -> bool {
    let folders = path.ancestors().skip(1);
    let folders = folders.take_while(|folder| world.kind(&folder.join(PACKAGE_FILE)).is_some());
    folders.map(|folder| folder.join("package.encoding")).any(|said| {
        let bytes = world.read(&said).unwrap_or_default();
        let said = String::from_utf8_lossy(&bytes).trim().to_ascii_lowercase();
        LATIN1.contains(&said.as_str())
    })
}
