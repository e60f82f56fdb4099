//! Places in text: a file, and a range of bytes in it.

/// A file of the session; an index into [`Files`](crate::Files).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A half-open range of byte offsets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextRange {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl TextRange {
    /// The range from `start` up to, not including, `end`.
    pub fn new(start: u32, end: u32) -> Self {
        debug_assert!(start <= end);
        TextRange { start, end }
    }

    /// The smallest range that holds both.
    pub fn cover(self, other: TextRange) -> TextRange {
        TextRange { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// As indices of a slice.
    pub fn as_usize(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A range of text in a file of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The bytes of it.
    pub range: TextRange,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Span { file, range: TextRange::new(start, end) }
    }

    /// The smallest span that holds both; `self` where they lie in different files.
    pub fn cover(self, other: Span) -> Span {
        if self.file == other.file {
            Span { file: self.file, range: self.range.cover(other.range) }
        } else {
            self
        }
    }
}
