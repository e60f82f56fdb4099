//! The files of a session, with their text and line numbers.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::{FileId, Span};

/// One source file; immutable once it is known.
#[derive(Debug)]
pub struct File {
    /// As it is shown to people.
    pub path: PathBuf,
    /// Its text, decoded to UTF-8.
    pub text: Arc<str>,
    line_starts: OnceLock<Vec<u32>>,
}

/// Line and column of a place, both counted from one; columns count characters, not bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// From one.
    pub line: usize,
    /// From one.
    pub column: usize,
}

impl File {
    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let after_newlines =
                self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1);
            std::iter::once(0).chain(after_newlines).collect()
        })
    }

    /// The whole lines around a range of offsets, one more at either end, and the number of the first.
    pub(crate) fn lines_around(&self, range: std::ops::Range<usize>) -> (std::ops::Range<usize>, usize) {
        let starts = self.line_starts();
        let line_of = |offset: usize| starts.partition_point(|&start| start as usize <= offset) - 1;
        let first = line_of(range.start).saturating_sub(1);
        let after = line_of(range.end) + 2;
        let end = starts.get(after).map_or(self.text.len(), |&start| start as usize);
        (starts[first] as usize..end, first + 1)
    }

    /// Line and column of a byte offset.
    pub fn position(&self, offset: u32) -> Position {
        let starts = self.line_starts();
        let line = starts.partition_point(|&start| start <= offset);
        let start = starts[line - 1] as usize;
        let mut end = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        Position { line, column: self.text[start..end].chars().count() + 1 }
    }
}

/// All files of a session, by [`FileId`].
#[derive(Clone, Debug, Default)]
pub struct Files {
    files: Vec<Arc<File>>,
}

impl Files {
    /// Adds a file and names it. The same path added twice is two files.
    pub fn add(&mut self, path: impl AsRef<Path>, text: impl Into<Arc<str>>) -> FileId {
        let id = FileId(self.files.len() as u32);
        let file = File { path: path.as_ref().to_owned(), text: text.into(), line_starts: OnceLock::new() };
        self.files.push(Arc::new(file));
        id
    }

    /// The file with this id.
    pub fn get(&self, id: FileId) -> &Arc<File> {
        &self.files[id.0 as usize]
    }

    /// The text under a span.
    pub fn text(&self, span: Span) -> &str {
        &self.get(span.file).text[span.range.as_usize()]
    }

    /// Position at which a span begins.
    pub fn position(&self, span: Span) -> Position {
        self.get(span.file).position(span.range.start)
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// All files with their ids, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Arc<File>)> {
        self.files.iter().enumerate().map(|(i, file)| (FileId(i as u32), file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let mut files = Files::default();
        let id = files.add("a.mo", "model ä\n  Réal x;\r\nend");
        let at = |offset| files.get(id).position(offset);
        assert_eq!(at(0), Position { line: 1, column: 1 });
        assert_eq!(at(8), Position { line: 1, column: 8 }, "ä is two bytes and one column");
        assert_eq!(at(11), Position { line: 2, column: 3 });
        assert_eq!(at(17), Position { line: 2, column: 8 });
        assert_eq!(at(21), Position { line: 3, column: 1 });
        assert_eq!(at(10_000).line, 3, "an offset past the end is on the last line");
    }
}
