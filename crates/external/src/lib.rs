//! The functions that the Modelica Standard Library takes from its own C code, in Rust, under the same names.
//!
//! In: the name of a C function, and values for the arguments of its `external` clause. Out: its result, then the values of the
//! arguments that it fills in. What has a constructor is an object of [`Externals`], which lives as long as the run.
//!
//! | file | what |
//! |---|---|
//! | `strings` | `ModelicaStrings_*` |

mod strings;

use rhei_evaluate::{Budget, Environment, Failure, Value, external_arguments};
use rhei_flat::{ExprKind, Function, LocalId};
use rhei_source::Span;

/// A function of the C code: arguments as its `external` clause has them, those to be filled in not assigned.
type Native = fn(&Externals, &[Value], Span) -> Result<Vec<Value>, Failure>;

/// The objects of one run.
#[derive(Debug, Default)]
pub struct Externals {}

/// Whether there is a function of this name.
pub fn is_known(name: &str) -> bool {
    native(name).is_some()
}

/// Whether its outputs depend on its inputs alone, so that it can be called before the run.
pub fn is_pure(name: &str) -> bool {
    strings::native(name).is_some()
}

fn native(name: &str) -> Option<Native> {
    strings::native(name)
}

impl Externals {
    /// The outputs of a function whose `external` clause names one of ours.
    pub fn call(
        &self,
        function: &Function,
        inputs: &[Value],
        env: &dyn Environment,
    ) -> Result<Vec<Value>, Failure> {
        let unknown = || Failure::External { name: function.name.clone(), span: function.span };
        let external = function.external.as_ref().ok_or_else(unknown)?;
        let native = native(&external.name).ok_or_else(unknown)?;
        let arguments = external_arguments(function, inputs, env, &mut Budget::default())?;
        let mut results = native(self, &arguments, external.span)?.into_iter();
        let is_output = |id: LocalId| function.outputs().any(|(output, _)| output == id);
        let targets = external.result.iter().chain(&external.arguments);
        let targets = targets.filter_map(|e| match e.kind {
            ExprKind::Local(id) if is_output(id) => Some(id),
            _ => None,
        });
        let filled: Vec<(LocalId, Value)> = targets.zip(results.by_ref()).collect();
        let value = |(id, _): (LocalId, &rhei_flat::Local)| {
            filled
                .iter()
                .find(|(target, _)| *target == id)
                .map(|(_, value)| value.clone())
                .ok_or_else(unknown)
        };
        function.outputs().map(value).collect()
    }
}

/// An argument that must be a text.
fn text(arguments: &[Value], place: usize, span: Span) -> Result<&str, Failure> {
    match arguments.get(place) {
        Some(Value::String(text)) => Ok(text),
        _ => Err(wrong(place, "a String", span)),
    }
}

/// An argument that must be a whole number.
fn integer(arguments: &[Value], place: usize, span: Span) -> Result<i64, Failure> {
    match arguments.get(place) {
        Some(Value::Integer(value)) => Ok(*value),
        Some(Value::Boolean(value)) => Ok(i64::from(*value)),
        Some(Value::Enumeration(_, number)) => Ok(i64::from(*number)),
        _ => Err(wrong(place, "an Integer", span)),
    }
}

fn wrong(place: usize, wanted: &str, span: Span) -> Failure {
    Failure::WrongArgument { what: format!("argument {} must be {wanted}", place + 1), span }
}
