//! Values as they are written on the command line, and their conversion to the type of a parameter.

use rhei_equations::Split;
use rhei_flat::{Declarations, Scalar};

/// A value as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A number, `true`, a name, a text in quotes: as it is written.
    Word(String),
    /// `{a, b}`
    List(Vec<Value>),
    /// `R(x = 1, y = 2)`, by the names of the fields.
    Record(Vec<(String, Value)>),
}

/// One value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Literal {
    /// For a run, where it is a number.
    pub(super) number: Option<Split>,
    /// For a modification.
    pub(super) text: String,
}

/// Deepest nesting of lists: arrays of a model have fewer dimensions.
const DEEPEST: usize = 32;

impl Value {
    /// Reads a value; an error is the text of a message.
    pub(super) fn read(text: &str) -> Result<Value, String> {
        let mut reader = Reader { rest: text.trim_start() };
        let value = reader.value(0)?;
        match reader.rest.is_empty() {
            true => Ok(value),
            false => Err(format!("`{}` is left behind the value", reader.rest)),
        }
    }

    /// The sizes of an array and its elements, the last dimension running fastest; none if rows differ in length.
    pub(super) fn elements(&self) -> Option<(Vec<usize>, Vec<&Value>)> {
        let Value::List(parts) = self else { return Some((Vec::new(), vec![self])) };
        let mut all = Vec::new();
        let mut inner: Option<Vec<usize>> = None;
        for part in parts {
            let (sizes, elements) = part.elements()?;
            if inner.as_ref().is_some_and(|known| *known != sizes) {
                return None;
            }
            inner = Some(sizes);
            all.extend(elements);
        }
        let sizes = std::iter::once(parts.len()).chain(inner.unwrap_or_default()).collect();
        Some((sizes, all))
    }

    /// The value as a literal of this type; an error says what was expected.
    pub(super) fn literal(&self, scalar: Scalar, declared: &Declarations) -> Result<Literal, String> {
        let Value::Word(word) = self else { return Err("one value is expected".into()) };
        match scalar {
            Scalar::Real => {
                let number = number(word).ok_or_else(|| format!("`{word}` is not a number"))?;
                Ok(Literal { number: Some(plain(number)), text: word.clone() })
            }
            Scalar::Integer => {
                let whole = word.parse::<i64>().map_err(|_| match number(word) {
                    Some(number) if number.fract() == 0.0 && !word.contains(['.', 'e', 'E']) => {
                        format!("`{word}` is beyond the Integers, which end at {} and {}", i64::MIN, i64::MAX)
                    }
                    Some(_) => format!("`{word}` is a Real, and an Integer is expected"),
                    None => format!("`{word}` is not an Integer"),
                })?;
                Ok(Literal { number: Some(Split::of(whole)), text: whole_text(whole) })
            }
            Scalar::Boolean => {
                let truth = match word.as_str() {
                    "true" => 1.0,
                    "false" => 0.0,
                    _ => return Err(format!("`{word}` is neither true nor false")),
                };
                Ok(Literal { number: Some(plain(truth)), text: word.clone() })
            }
            Scalar::Enumeration(id) => {
                let of = declared.enumeration(id);
                let (path, literal) = word.rsplit_once('.').unwrap_or(("", word));
                let is_of = path.is_empty() || of.name == path || of.name.ends_with(&format!(".{path}"));
                let place = of.literals.iter().position(|known| known == literal).filter(|_| is_of);
                let place = place.ok_or_else(|| {
                    let all: Vec<&str> = of.literals.iter().map(|literal| literal.as_str()).collect();
                    format!("`{word}` is no literal of `{}`: {}", of.name, all.join(", "))
                })?;
                let text = format!("{}.{}", of.name, of.literals[place]);
                Ok(Literal { number: Some(plain(place as f64 + 1.0)), text })
            }
            Scalar::String => Ok(Literal { number: None, text: quoted(unquoted(word)) }),
            _ => Err("it is of a type without values that could be written".into()),
        }
    }
}

fn plain(nearest: f64) -> Split {
    Split { nearest, rest: 0.0 }
}

/// A number as Modelica writes it: no `inf`, no `nan`.
fn number(word: &str) -> Option<f64> {
    let is_number = word.chars().all(|c| c.is_ascii_digit() || "+-.eE".contains(c));
    word.parse().ok().filter(|number: &f64| is_number && number.is_finite())
}

/// There is no literal for the least of all Integers: it is a sign in front of one that is too large.
fn whole_text(whole: i64) -> String {
    if whole == i64::MIN { format!("{} - 1", whole + 1) } else { whole.to_string() }
}

/// A text as Modelica writes it.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The text between quotes, if there are any.
pub(super) fn unquoted(word: &str) -> &str {
    word.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(word)
}

struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn accept(&mut self, sign: char) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > DEEPEST {
            return Err(format!("more than {DEEPEST} lists inside each other"));
        }
        if self.accept('{') {
            let mut parts = Vec::new();
            while !self.accept('}') {
                if !parts.is_empty() && !self.accept(',') {
                    return Err("a list has no end: `}` is missing".into());
                }
                parts.push(self.value(depth + 1)?);
            }
            return Ok(Value::List(parts));
        }
        let word = self.word()?;
        if !self.accept('(') {
            return Ok(Value::Word(word.to_owned()));
        }
        let mut fields = Vec::new();
        while !self.accept(')') {
            if !fields.is_empty() && !self.accept(',') {
                return Err("a record has no end: `)` is missing".into());
            }
            let name = self.word()?.to_owned();
            if !self.accept('=') {
                return Err("the fields of a record are given by name: `R(x = 1)`".into());
            }
            fields.push((name, self.value(depth + 1)?));
        }
        Ok(Value::Record(fields))
    }

    fn word(&mut self) -> Result<&'t str, String> {
        let end = match self.rest.strip_prefix('"') {
            Some(inner) => inner.find('"').map(|end| end + 2).ok_or("a text has no end: `\"` is missing")?,
            None => self.rest.find(|c: char| "{}(),=".contains(c)).unwrap_or(self.rest.len()),
        };
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        match word.trim_end() {
            "" => Err("a value is missing".into()),
            word => Ok(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Value {
        Value::Word(text.into())
    }

    #[test]
    fn values_are_words_lists_and_records() {
        assert_eq!(Value::read(" -1.5e3 "), Ok(word("-1.5e3")));
        assert_eq!(Value::read("{1, {2}}"), Ok(Value::List(vec![word("1"), Value::List(vec![word("2")])])));
        let fields = vec![("x".into(), word("1")), ("y".into(), Value::List(vec![]))];
        assert_eq!(Value::read("A.R(x = 1, y={})"), Ok(Value::Record(fields)));
        assert_eq!(Value::read("\"a, {b}\""), Ok(word("\"a, {b}\"")));
        for wrong in ["", "{1", "{1 2", "1}", "R(1)", "\"a", "{,}"] {
            assert!(Value::read(wrong).is_err(), "{wrong}");
        }
        assert!(Value::read(&"{".repeat(100)).is_err());
    }

    #[test]
    fn lists_have_sizes_where_their_rows_are_alike() {
        let sizes = |text: &str| Value::read(text).unwrap().elements().map(|(sizes, _)| sizes);
        assert_eq!(sizes("{{1, 2, 3}, {4, 5, 6}}"), Some(vec![2, 3]));
        assert_eq!(sizes("7"), Some(vec![]));
        assert_eq!(sizes("{}"), Some(vec![0]));
        assert_eq!(sizes("{{1}, {2, 3}}"), None);
    }

    #[test]
    fn values_are_of_the_type_of_the_parameter() {
        let declared = Declarations::default();
        let of = |text: &str, scalar| Value::read(text).unwrap().literal(scalar, &declared);
        let whole = of("9007199254740993", Scalar::Integer).unwrap();
        assert_eq!(whole.number.unwrap().whole(), Some(9007199254740993));
        assert_eq!(of("-9223372036854775808", Scalar::Integer).unwrap().text, "-9223372036854775807 - 1");
        for (text, scalar) in [
            ("1.0", Scalar::Integer),
            ("9223372036854775808", Scalar::Integer),
            ("true", Scalar::Integer),
            ("1", Scalar::Boolean),
            ("nan", Scalar::Real),
            ("inf", Scalar::Real),
            ("1e999", Scalar::Real),
            ("{1}", Scalar::Real),
        ] {
            assert!(of(text, scalar).is_err(), "{text}");
        }
        assert_eq!(of("a \"b\" \\", Scalar::String).unwrap().text, "\"a \\\"b\\\" \\\\\"");
    }
}
