//! Diagnostics drawn for people: the text, its lines with the places marked, the notes.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::{Diagnostic, Files, Severity};

/// How a diagnostic is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// For a terminal that knows colours.
    Colored,
    /// For a file or a test.
    Plain,
}

/// The text a person sees, without a newline at its end.
pub fn render(diagnostic: &Diagnostic, files: &Files, style: Style) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.id);
    let paths: Vec<String> =
        diagnostic.labels.iter().map(|label| files.get(label.span.file).path.display().to_string()).collect();

    let mut group = Group::with_title(title);
    for (i, first) in diagnostic.labels.iter().enumerate() {
        let same_file = |file| move |label: &&crate::Label| label.span.file == file;
        if diagnostic.labels[..i].iter().any(|label| label.span.file == first.span.file) {
            continue; // its snippet is drawn already
        }
        // only the lines that are drawn: looking through the whole of a long file takes long, for many diagnostics
        let (file, labels) =
            (files.get(first.span.file), diagnostic.labels.iter().filter(same_file(first.span.file)));
        let ranges = labels.clone().map(|label| label.span.range.as_usize());
        let all = ranges.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or_default();
        let (shown, first_line) = file.lines_around(all);
        let mut snippet =
            Snippet::source(&file.text[shown.clone()]).line_start(first_line).path(paths[i].as_str());
        for label in labels {
            let kind = if std::ptr::eq(label, &diagnostic.labels[0]) {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let text = (!label.message.is_empty()).then_some(label.message.as_str());
            let range = label.span.range.as_usize();
            let range = range.start - shown.start..range.end - shown.start;
            snippet = snippet.annotation(kind.span(range).label(text));
        }
        group = group.element(snippet);
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    let renderer = match style {
        Style::Colored => Renderer::styled(),
        Style::Plain => Renderer::plain(),
    };
    renderer.render(&[group])
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::Span;

    #[test]
    fn places_of_several_files_and_notes_are_drawn() {
        let mut files = Files::default();
        let a = files.add("a.mo", "model A\n  Real x = y;\nend A;\n");
        let b = files.add("b.mo", "package P\nend P;\n");
        let diagnostic = Diagnostic::error("unknown-name", "there is no `y` in `A`")
            .at(Span::new(a, 19, 20), "this name")
            .at(Span::new(a, 6, 7), "looked up here")
            .at(Span::new(b, 8, 9), "and in the package around it")
            .with_note("did you mean `x`?");
        expect![[r#"
            error[unknown-name]: there is no `y` in `A`
             --> a.mo:2:12
              |
            1 | model A
              |       - looked up here
            2 |   Real x = y;
              |            ^ this name
              |
             ::: b.mo:1:9
              |
            1 | package P
              |         - and in the package around it
              |
              = note: did you mean `x`?"#]]
        .assert_eq(&render(&diagnostic, &files, Style::Plain));
    }

    #[test]
    fn places_at_the_end_and_far_apart_are_drawn() {
        let mut files = Files::default();
        let lines: String = (1..=12).map(|line| format!("line {line}\n")).collect();
        let a = files.add("a.mo", lines.as_str());
        let end = lines.len() as u32;
        let diagnostic = Diagnostic::error("unclosed", "something is not closed")
            .at(Span::new(a, end, end), "here it ends")
            .at(Span::new(a, 14, 20), "here it begins");
        expect![[r#"
            error[unclosed]: something is not closed
              --> a.mo:12:9
               |
             3 | line 3
               | ------ here it begins
            ...
            12 | line 12
               |        ^ here it ends"#]]
        .assert_eq(&render(&diagnostic, &files, Style::Plain));
    }

    #[test]
    fn a_diagnostic_without_place_is_its_sentence() {
        let diagnostic = Diagnostic::warning("no-equations", "the model has no equations");
        expect!["warning[no-equations]: the model has no equations"].assert_eq(&render(
            &diagnostic,
            &Files::default(),
            Style::Plain,
        ));
    }
}
