//! Functions called for their effect, and texts with values of the run.

use rhei_equations::{Argument, Format, Split, Text, TextPart};
use rhei_evaluate::{Budget, Environment, Failure, Value, call, string_of};
use rhei_flat::{Function, FunctionId, Tables, VarId};
use rhei_source::{FileId, Span};

use crate::functions::{Functions, put_together, value_of};

/// A violated `assert` of level warning.
#[derive(Clone, Debug, PartialEq)]
pub struct Warned {
    /// Its message.
    pub message: String,
    /// Its place in the text.
    pub span: Span,
}

/// The effects of a function beside its results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Performed {
    /// Printed texts, one for each call of `print`.
    pub printed: Vec<String>,
    /// Its warnings.
    pub warned: Vec<Warned>,
    /// Why it failed, if it did.
    pub failed: Option<Failure>,
}

impl Functions {
    /// Calls a function for its effect; its arguments are made of these values, each followed by its low-order part.
    pub fn perform(&self, function: FunctionId, arguments: &[Argument], values: &[f64]) -> Performed {
        let mut values = with_rests(values);
        let arguments: Result<Vec<Value>, Failure> =
            arguments.iter().map(|argument| self.argument(argument, &mut values)).collect();
        self.externals.listen(true);
        *self.warned.borrow_mut() = Some(Vec::new());
        let done = arguments
            .and_then(|arguments| call(function, arguments, &Interpreted(self), &mut Budget::default()));
        self.externals.listen(false);
        let printed = self.externals.take_printed();
        let warned = self.warned.take().unwrap_or_default();
        Performed { printed, warned, failed: done.err() }
    }

    /// A text with these values in it, each followed by its low-order part.
    pub fn text(&self, text: &Text, values: &[f64]) -> String {
        // the other parts are worth reading even if one has no value
        self.put_text(text, &mut with_rests(values)).unwrap_or_else(|failure| {
            let why = failure.into_diagnostic().message;
            format!("(a message that has no value: {why})")
        })
    }

    fn put_text(&self, text: &Text, values: &mut dyn Iterator<Item = Split>) -> Result<String, Failure> {
        let mut message = String::new();
        for part in &text.parts {
            match part {
                TextPart::Literal(literal) => message.push_str(literal),
                TextPart::Part(part) => message.push_str(&self.put_text(part, values)?),
                TextPart::Value { scalar, format, .. } => {
                    let none = Split { nearest: f64::NAN, rest: 0.0 };
                    let value = value_of(*scalar, values.next().unwrap_or(none));
                    message.push_str(&self.written(&value, format)?);
                }
                TextPart::Choice { then, otherwise, .. } => {
                    let is_first = values.next().is_some_and(|condition| condition.nearest != 0.0);
                    // both, so that the values of both are taken
                    let (then, otherwise) = (self.put_text(then, values), self.put_text(otherwise, values));
                    message.push_str(&if is_first { then? } else { otherwise? });
                }
                TextPart::Call { function, arguments } => {
                    let arguments: Result<Vec<Value>, Failure> =
                        arguments.iter().map(|argument| self.argument(argument, values)).collect();
                    let outputs = call(*function, arguments?, self, &mut Budget::default())?;
                    if let Some(Value::String(text)) = outputs.first() {
                        message.push_str(text);
                    }
                }
            }
        }
        Ok(message)
    }

    fn written(&self, value: &Value, format: &Format) -> Result<String, Failure> {
        let options = match format {
            Format::Usual => Vec::new(),
            Format::Pattern(pattern) => vec![Value::String(pattern.clone())],
            Format::Sizes { digits, length, is_left } => {
                vec![i64::from(*digits).into(), i64::from(*length).into(), Value::Boolean(*is_left)]
            }
        };
        let nowhere = Span::new(FileId(0), 0, 0);
        match string_of(value, &options, &self.tables, nowhere)? {
            Value::String(text) => Ok(text.to_string()),
            _ => Ok(String::new()),
        }
    }

    fn argument(
        &self,
        argument: &Argument,
        values: &mut dyn Iterator<Item = Split>,
    ) -> Result<Value, Failure> {
        match argument {
            Argument::Value(shape, _) => Ok(put_together(shape, &mut { values })),
            Argument::Text(text) => Ok(Value::String(self.put_text(text, values)?.into())),
        }
    }
}

/// Pairs of a value and its low-order part.
fn with_rests(values: &[f64]) -> impl Iterator<Item = Split> + '_ {
    values.chunks_exact(2).map(|both| Split { nearest: both[0], rest: both[1] })
}

/// An environment in which all functions are interpreted: machine code leaves out messages.
struct Interpreted<'a>(&'a Functions);

impl Environment for Interpreted<'_> {
    fn tables(&self) -> &Tables {
        self.0.tables()
    }

    fn variable(&self, v: VarId, span: Span, budget: &mut Budget) -> Result<Value, Failure> {
        self.0.variable(v, span, budget)
    }

    fn external(&self, function: &Function, arguments: &[Value]) -> Result<Vec<Value>, Failure> {
        self.0.external(function, arguments)
    }

    fn warn(&self, message: &str, span: Span) {
        self.0.warn(message, span);
    }
}
