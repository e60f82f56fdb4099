//! Names as identifiers of Modelica, and back.
//!
//! The path of a variable becomes one quoted identifier: `'body.frame_a.r_0'`. If dimensions belong to other parts than
//! the last one, these say so: `'pipe[:].flow'[i, j]` is `pipe[i].flow[j]`. [`Name::of_identifier`] is the way back.

use smol_str::SmolStr;

use crate::{Name, NamePart};

/// A name, of a class perhaps qualified, as one identifier: quoted unless it is one already.
pub(crate) fn identifier(name: &str) -> String {
    if is_simple(name) || is_quoted(name) { name.to_owned() } else { in_quotes(name) }
}

fn is_simple(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.chars().next().is_some_and(|c| !c.is_ascii_digit())
}

/// Whether the text is one quoted identifier (MLS §2.3.1), its quotes included.
fn is_quoted(text: &str) -> bool {
    quoted_length(text) == Some(text.len())
}

/// How long the quoted identifier at the start of a text is.
fn quoted_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (place, c) in text.strip_prefix('\'')?.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\'' => return (place > 0).then_some(place + 2),
            _ => {}
        }
    }
    None
}

fn in_quotes(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// The inverse of [`in_quotes`]; nothing for other texts.
fn out_of_quotes(identifier: &str) -> Option<String> {
    let inner = identifier.strip_prefix('\'')?.strip_suffix('\'')?;
    let text = inner.replace("\\'", "'").replace("\\\\", "\\");
    (in_quotes(&text) == identifier).then_some(text)
}

impl Name {
    /// The name as one identifier, another one for every name.
    pub fn identifier(&self) -> String {
        match self.parts.as_slice() {
            // an identifier that looks like a path is not taken for one
            [only] if path_of(&only.name).is_some() => in_quotes(&only.name),
            [only] => identifier(&only.name),
            _ => in_quotes(&self.path()),
        }
    }

    /// Parts with the dimensions that belong to them; all others belong to the last part.
    fn path(&self) -> String {
        let (last, before) = self.parts.split_last().expect("a name has a part");
        let mut text = String::new();
        for part in before {
            text.push_str(&part.name);
            if part.dimensions > 0 {
                text.push_str(&format!("[{}]", vec![":"; part.dimensions].join(",")));
            }
            text.push('.');
        }
        text + &last.name
    }

    /// The name of a variable of so many dimensions that [`Name::identifier`] writes as this.
    pub fn of_identifier(identifier: &str, dimensions: usize) -> Name {
        if let Some(mut parts) = path_of(identifier) {
            let known: usize = parts.iter().map(|part| part.dimensions).sum();
            if let (Some(rest), Some(last)) = (dimensions.checked_sub(known), parts.last_mut()) {
                last.dimensions = rest;
                return Name { parts };
            }
        }
        Name::simple(identifier, dimensions)
    }
}

/// The path that a quoted identifier holds.
fn path_of(identifier: &str) -> Option<Vec<NamePart>> {
    let text = out_of_quotes(identifier)?;
    let mut rest = text.as_str();
    let mut parts = Vec::new();
    loop {
        let length = quoted_length(rest).unwrap_or_else(|| rest.find(['.', '[']).unwrap_or(rest.len()));
        let (name, after) = rest.split_at(length);
        if !is_simple(name) && !is_quoted(name) {
            return None;
        }
        // an element that is an instance of its own has its place in its name
        let own = element_length(after);
        let (name, after) = rest.split_at(length + own);
        let (dimensions, after) = marked_dimensions(after)?;
        parts.push(NamePart { name: SmolStr::from(name), dimensions });
        match after.strip_prefix('.') {
            Some(next) => rest = next,
            None if !after.is_empty() || dimensions > 0 => return None,
            None => break,
        }
    }
    // `'x'` and `x` are different identifiers
    (parts.len() > 1 || is_quoted(&parts[0].name)).then_some(parts)
}

/// How long the numbers in brackets at the start of a text are: `[1,2]`.
fn element_length(text: &str) -> usize {
    let Some((numbers, _)) = text.strip_prefix('[').and_then(|inside| inside.split_once(']')) else {
        return 0;
    };
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if numbers.split(',').all(is_number) { numbers.len() + 2 } else { 0 }
}

/// The number of colons in brackets at the start of a text, and the rest of it.
fn marked_dimensions(text: &str) -> Option<(usize, &str)> {
    let Some(inside) = text.strip_prefix('[') else { return Some((0, text)) };
    let (marks, after) = inside.split_once(']')?;
    marks.split(',').all(|mark| mark == ":").then_some((marks.split(',').count(), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(parts: &[(&str, usize)]) -> Name {
        let part = |&(name, dimensions): &(&str, usize)| NamePart { name: name.into(), dimensions };
        Name { parts: parts.iter().map(part).collect() }
    }

    #[test]
    fn every_name_has_an_identifier_of_its_own_and_comes_back() {
        let names = [
            (name(&[("x", 2)]), "x"),
            (name(&[("'x'", 0)]), "'x'"),
            (name(&[("'x y'", 1)]), "'x y'"),
            (name(&[("a", 0), ("b", 0)]), "'a.b'"),
            (name(&[("a", 0), ("b", 2)]), "'a.b'"),
            (name(&[("a", 1), ("b", 1)]), "'a[:].b'"),
            (name(&[("a", 2), ("b", 0), ("c", 0)]), "'a[:,:].b.c'"),
            (name(&[("'a.b'", 0)]), r"'\'a.b\''"),
            (name(&[(r"'\'a.b\''", 0)]), r"'\'\\\'a.b\\\'\''"),
            (name(&[("'a.b'", 1), ("c", 0)]), r"'\'a.b\'[:].c'"),
            (name(&[("'a\\'b'", 0)]), r"'a\'b'"),
            (name(&[("'a[:]'", 1)]), "'a[:]'"),
            (name(&[("'a..b'", 0)]), "'a..b'"),
        ];
        for (name, identifier) in names {
            assert_eq!(name.identifier(), identifier);
            let dimensions = name.parts.iter().map(|part| part.dimensions).sum();
            assert_eq!(Name::of_identifier(identifier, dimensions), name);
        }
    }

    #[test]
    fn a_path_with_more_dimensions_than_the_variable_is_none() {
        assert_eq!(Name::of_identifier("'a[:].b'", 0), name(&[("'a[:].b'", 0)]));
    }

    #[test]
    fn qualified_names_of_classes_are_quoted_once() {
        assert_eq!(identifier("Modelica.Math.sin"), "'Modelica.Math.sin'");
        assert_eq!(identifier("'Modelica.Math.sin'"), "'Modelica.Math.sin'");
        assert_eq!(identifier("Complex.'+'"), r"'Complex.\'+\''");
        assert_eq!(identifier(r"'Complex.\'+\''"), r"'Complex.\'+\''");
    }
}
