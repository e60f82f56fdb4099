//! Notes and warnings of one kind as one: of an array or a class that occurs a thousand times, people are told once.
//!
//! In: diagnostics. Out: the same, those that say the same of other variables at the same place taken together, at the place of the first.
//! Errors stay apart.

use std::collections::HashMap;

use crate::{Diagnostic, Severity, Span};

/// Names that are listed; the others are counted.
const NAMED: usize = 4;

/// What those that are one have in common.
#[derive(PartialEq, Eq, Hash)]
struct Kind {
    id: &'static str,
    severity: Severity,
    place: Option<Span>,
    /// Without names and numbers.
    message: String,
    notes: Vec<String>,
}

impl Kind {
    fn of(diagnostic: &Diagnostic) -> Kind {
        Kind {
            id: diagnostic.id,
            severity: diagnostic.severity,
            place: diagnostic.labels.first().map(|label| label.span),
            message: without_particulars(&diagnostic.message),
            notes: diagnostic.notes.clone(),
        }
    }
}

/// Diagnostics of one kind as one.
pub fn grouped(diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut groups: Vec<Vec<&Diagnostic>> = Vec::new();
    let mut group_of: HashMap<Kind, usize> = HashMap::default();
    for diagnostic in diagnostics {
        if diagnostic.is_error() {
            groups.push(vec![diagnostic]);
            continue;
        }
        let place = *group_of.entry(Kind::of(diagnostic)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(diagnostic),
            None => groups.push(vec![diagnostic]),
        }
    }
    groups.into_iter().filter_map(|group| as_one(&group)).collect()
}

/// The first of a group, with the names of the others.
fn as_one(group: &[&Diagnostic]) -> Option<Diagnostic> {
    let (first, others) = group.split_first()?;
    if others.is_empty() {
        return Some((*first).clone());
    }
    let names: Vec<&str> = others.iter().filter_map(|other| first_name(&other.message)).collect();
    let listed: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let n_listed = listed.len();
    let which = match others.len() - n_listed {
        0 => listed.join(", "),
        more if n_listed == 0 => format!("{more} more"),
        more => format!("{} and {more} more", listed.join(", ")),
    };
    Some((*first).clone().with_note(format!("the same holds of {which}; `-v` lists each")))
}

/// The first of the names in a message.
fn first_name(message: &str) -> Option<&str> {
    message.split('`').nth(1)
}

/// A message without what stands between backquotes, and without numbers.
fn without_particulars(message: &str) -> String {
    let is_number = |word: &str| word.trim_end_matches([',', ';', ':']).parse::<f64>().is_ok();
    let outside = message.split('`').step_by(2);
    let words = outside.flat_map(|part| part.split(' ').filter(|word| !is_number(word)));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Files;

    #[test]
    fn what_is_said_of_many_is_said_once() {
        let mut files = Files::default();
        let a = files.add("a.mo", "model A\n  Real x[7];\n  Real y;\nend A;\n");
        let (x, y) = (Span::new(a, 15, 16), Span::new(a, 27, 28));
        let note = |name: &str, start: f64, span| {
            let message =
                format!("`{name}` starts at its start value {start}, although nothing says it is fixed");
            Diagnostic::note("start-assumed", message)
                .at(span, format!("`{name}`"))
                .with_note("write `fixed=true`")
        };
        let error = Diagnostic::error("unknown-name", "there is no `z`").at(y, "");
        let mut all: Vec<Diagnostic> =
            (1..=7).map(|i| note(&format!("x[{i}]"), 0.5 * f64::from(i), x)).collect();
        all.insert(1, note("y", 0.0, y));
        all.extend([error.clone(), error.clone()]);
        let one = note("x[1]", 0.5, x)
            .with_note("the same holds of `x[2]`, `x[3]`, `x[4]`, `x[5]` and 2 more; `-v` lists each");
        assert_eq!(grouped(&all), [one, note("y", 0.0, y), error.clone(), error]);
        assert_eq!(grouped(&all[..2]), all[..2]);
    }
}
