//! Files as far as somebody speaks of them.
//!
//! A model that leaves the house takes along the lines that its messages may quote, and no others. Lines in between leave blanks of the same
//! length behind, so that every [`Span`] and every line number stays as it is.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use crate::{File, FileId, Files, Span, TextRange};

thread_local! {
    /// The spans written by this thread, while somebody collects them.
    static WRITTEN: RefCell<Option<Vec<Span>>> = const { RefCell::new(None) };
}

/// The result of `write`, with every span that was serialised on the way.
pub fn spans_written<R>(write: impl FnOnce() -> R) -> (R, Vec<Span>) {
    let outer = WRITTEN.replace(Some(Vec::new()));
    let result = write();
    (result, WRITTEN.replace(outer).unwrap_or_default())
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WRITTEN.with_borrow_mut(|written| written.iter_mut().for_each(|spans| spans.push(*self)));
        (self.file.0, self.range.start, self.range.end).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Span, D::Error> {
        let (file, start, end) = Deserialize::deserialize(deserializer)?;
        Ok(Span { file: FileId(file), range: TextRange { start, end } })
    }
}

/// Part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Part {
    /// Whole lines.
    Text(String),
    /// Lines that are left out: so many bytes, so many line ends among them.
    Gap { bytes: u32, lines: u32 },
}

/// Files with blanks for all but some lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpts {
    /// By [`FileId`].
    files: Vec<(PathBuf, Vec<Part>)>,
}

impl Excerpts {
    /// The lines of these spans, one more at either end.
    pub fn new(files: &Files, mut spans: Vec<Span>) -> Excerpts {
        spans.retain(|span| {
            let is_known = (span.file.0 as usize) < files.len();
            is_known && span.range.end as usize <= files.get(span.file).text.len()
        });
        spans.sort_unstable();
        spans.dedup();
        let mut spans = spans.as_slice();
        let excerpt = |(id, file): (FileId, &Arc<File>)| {
            let of_file = spans.iter().take_while(|span| span.file == id).count();
            let (own, others) = spans.split_at(of_file);
            spans = others;
            let text = &*file.text;
            let (mut parts, mut at) = (Vec::new(), 0);
            for span in own {
                let (lines, _) = file.lines_around(span.range.as_usize());
                let start = lines.start.max(at);
                if start < lines.end {
                    push_gap(&mut parts, &text[at..start]);
                    push_text(&mut parts, &text[start..lines.end]);
                    at = lines.end;
                }
            }
            push_gap(&mut parts, &text[at..]);
            (file.path.clone(), parts)
        };
        Excerpts { files: files.iter().map(excerpt).collect() }
    }

    /// As files, with the same ids. Nothing where the gaps add up to more than `most` bytes, which no writer leaves.
    pub fn into_files(self, most: usize) -> Option<Files> {
        let mut files = Files::default();
        let mut total: usize = 0;
        for (path, parts) in self.files {
            let mut text = String::new();
            for part in parts {
                match part {
                    Part::Text(lines) => text.push_str(&lines),
                    Part::Gap { bytes, lines } => {
                        total = total.checked_add(bytes as usize).filter(|&total| total <= most)?;
                        let blanks = bytes.checked_sub(lines)?;
                        text.push_str(&" ".repeat(blanks as usize));
                        text.push_str(&"\n".repeat(lines as usize));
                    }
                }
            }
            files.add(path, text);
        }
        Some(files)
    }
}

fn push_text(parts: &mut Vec<Part>, text: &str) {
    match parts.last_mut() {
        Some(Part::Text(before)) => before.push_str(text),
        _ => parts.push(Part::Text(text.to_owned())),
    }
}

fn push_gap(parts: &mut Vec<Part>, text: &str) {
    if !text.is_empty() {
        let lines = text.bytes().filter(|byte| *byte == b'\n').count() as u32;
        parts.push(Part::Gap { bytes: text.len() as u32, lines });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Diagnostic, Style, render};

    #[test]
    fn what_is_spoken_of_is_quoted_as_from_the_whole_file() {
        let lines: String = (0..100).map(|n| format!("  Real größe{n};\n")).collect();
        let mut files = Files::default();
        let unseen = files.add("unseen.mo", "model U end U;");
        let id = files.add("a.mo", lines.clone());
        let at = |name: &str| lines.find(name).unwrap() as u32;
        let span = |from: &str, to: &str| Span::new(id, at(from), at(to) + to.len() as u32);
        let said = Diagnostic::error("some-id", "this")
            .at(span("größe40;", "größe42;"), "these")
            .at(span("größe90;", "größe90;"), "and that");
        let (_, spans) = spans_written(|| serde_json::to_string(&said.labels).unwrap());
        assert_eq!(spans.len(), 2);
        let excerpts = Excerpts::new(&files, spans);
        let quoted: usize = excerpts.files[1].1.iter().filter(|part| matches!(part, Part::Text(_))).count();
        assert_eq!(quoted, 2);
        let back = excerpts.clone().into_files(1 << 20).unwrap();
        assert_eq!(render(&said, &back, Style::Plain), render(&said, &files, Style::Plain));
        assert_eq!(back.get(id).text.len(), files.get(id).text.len());
        assert!(back.get(unseen).text.trim().is_empty());
        assert!(excerpts.into_files(100).is_none(), "gaps beyond the bound");
    }
}
