//! Names of classes and of the files that hold them.
//!
//! A class `A` is stored in `A.mo` or `A/package.mo`. The quotes of an identifier such as `'x y'` belong to its name and to that
//! of its file. Characters that file systems or URIs reserve may be percent-encoded, as MLS §13.6 has it for resources:
//! `'a/b'` is stored in `'a%2Fb'.mo` or `%27a%2Fb%27.mo`.

use std::borrow::Cow;

/// Possible names of the file or folder of a class, without `.mo`; the first is the usual one.
pub(crate) fn stems(ident: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let quoted = ident.starts_with('\'');
    let verbatim = (!quoted || !ident.contains(['/', '\\'])).then_some(Cow::Borrowed(ident));
    let encoded = [false, true].map(|quotes| quoted.then(|| Cow::Owned(encode(ident, quotes))));
    verbatim.into_iter().chain(encoded.into_iter().flatten())
}

/// The identifier that the name of a file stands for, if it can be one.
pub(crate) fn ident_of_stem(stem: &str) -> Option<String> {
    let ident = decode(stem)?;
    let quoted = ident.len() > 2 && ident.starts_with('\'') && ident.ends_with('\'');
    (quoted || is_plain(&ident)).then_some(ident)
}

/// Whether this is an identifier without quotes.
fn is_plain(ident: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    ident.starts_with(letter) && ident.chars().all(|c| letter(c) || c.is_ascii_digit())
}

/// The characters that are encoded: reserved in URIs, or by a file system, or the sign of encoding itself.
const RESERVED: &str = ":/?#[]@!$&()*+,;=\\\"<>|%";

fn encode(ident: &str, quotes: bool) -> String {
    let mut out = String::new();
    for c in ident.chars() {
        if RESERVED.contains(c) || (quotes && c == '\'') {
            out.push_str(&format!("%{:02X}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

/// With `%2F` and its like resolved; `None` where that is no text.
pub(crate) fn decode(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).filter(|_| *first == b'%').and_then(hex);
        out.push(code.unwrap_or(*first));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(out).ok()
}

fn hex(digits: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(digits).ok().filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
    u8::from_str_radix(digits, 16).ok()
}

/// The parts of a full name: `A.'b.c'.D` has three. A dot at its beginning is allowed.
pub fn split_name(qualified: &str) -> Vec<&str> {
    let text = qualified.strip_prefix('.').unwrap_or(qualified);
    let mut parts = Vec::new();
    let (mut start, mut quoted, mut escaped) = (0, false, false);
    for (i, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '\'' => quoted = !quoted,
            '.' if !quoted => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_split_at_dots_outside_of_quotes() {
        assert_eq!(split_name("A.B.C"), ["A", "B", "C"]);
        assert_eq!(split_name(".A.'b.c'.D"), ["A", "'b.c'", "D"]);
        assert_eq!(split_name(r"'it\'s.'.B"), [r"'it\'s.'", "B"]);
        assert_eq!(split_name("A."), ["A", ""]);
    }

    #[test]
    fn quoted_identifiers_have_file_names_and_back() {
        assert_eq!(stems("A").collect::<Vec<_>>(), ["A"]);
        assert_eq!(stems("'x y'").collect::<Vec<_>>(), ["'x y'", "'x y'", "%27x y%27"]);
        assert_eq!(stems("'a/b'").collect::<Vec<_>>(), ["'a%2Fb'", "%27a%2Fb%27"]);
        assert_eq!(ident_of_stem("%27a%2Fb%27").as_deref(), Some("'a/b'"));
        assert_eq!(ident_of_stem("Resistor").as_deref(), Some("Resistor"));
        assert_eq!(ident_of_stem("Modelica 4.1.0"), None);
        assert_eq!(ident_of_stem("read-me"), None);
        assert_eq!(decode("100%"), Some("100%".into()));
    }
}
