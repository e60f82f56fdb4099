//! The functions that the Modelica Standard Library takes from its own C code, in Rust, under the same names.
//!
//! In: the name of a C function, and values for the arguments of its `external` clause. Out: its result, then the values of the
//! arguments that it fills in. What has a constructor is an object of [`Externals`], which lives as long as the run.
//!
//! | file | what |
//! |---|---|
//! | `arguments` | arguments as what a function expects |
//! | `random` | `ModelicaRandom_*` |
//! | `strings` | `ModelicaStrings_*` |
//! | `tables` | `ModelicaStandardTables_*` |

mod arguments;
mod random;
mod strings;
mod tables;

use std::sync::{Arc, Mutex, PoisonError};

use rhei_evaluate::{Budget, Environment, Failure, Handle, Value, external_arguments};
use rhei_flat::{ExprKind, Function, LocalId, Scalar};
use rhei_source::Span;

/// A function of the C code: arguments as its `external` clause has them, those to be filled in not assigned.
type Native = fn(&Externals, &[Value], Span) -> Result<Vec<Value>, Failure>;

/// The objects of one run.
#[derive(Debug, Default)]
pub struct Externals {
    objects: Mutex<Vec<Constructed>>,
    /// The state of the generator of impure random numbers; empty before it has one.
    random: Mutex<Vec<i64>>,
}

/// An object, and what it was made from.
#[derive(Clone, Debug)]
struct Constructed {
    arguments: Vec<Value>,
    object: Arc<Object>,
}

/// What constructors make.
#[derive(Debug)]
enum Object {
    Curves(tables::Curves),
    TimeTable(tables::TimeTable),
    Surface(tables::Surface),
}

/// Whether there is a function of this name.
pub fn is_known(name: &str) -> bool {
    native(name).is_some()
}

/// Whether its outputs depend on its inputs alone, so that it can be called before the run.
pub fn is_pure(name: &str) -> bool {
    strings::native(name).or_else(|| random::pure(name)).is_some()
}

fn native(name: &str) -> Option<Native> {
    strings::native(name).or_else(|| tables::native(name)).or_else(|| random::native(name))
}

impl Externals {
    /// The number of the object that is made from these arguments. Objects do not change: two from the same arguments are one.
    fn object(
        &self,
        arguments: &[Value],
        make: impl FnOnce() -> Result<Object, Failure>,
    ) -> Result<Vec<Value>, Failure> {
        let mut objects = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
        let known = objects.iter().position(|made| made.arguments == arguments);
        let place = match known {
            Some(place) => place,
            None => {
                let object = Arc::new(make()?);
                objects.push(Constructed { arguments: arguments.to_vec(), object });
                objects.len() - 1
            }
        };
        // zero is no object: the value of a handle that nobody made
        Ok(vec![Value::Integer(place as i64 + 1)])
    }

    /// Asks the object that is the first argument.
    fn with<T>(
        &self,
        arguments: &[Value],
        span: Span,
        ask: impl FnOnce(&Object) -> Option<Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let object = match arguments.first() {
            Some(Value::External(_, Handle(number))) => {
                let objects = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
                let place = usize::try_from(*number).ok().and_then(|number| number.checked_sub(1));
                place.and_then(|place| objects.get(place)).map(|made| made.object.clone())
            }
            _ => None,
        };
        let answer = object.and_then(|object| ask(&object));
        answer.unwrap_or_else(|| Err(arguments::wrong(0, "an object of the right class that was made", span)))
    }

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
        let value = |(id, output): (LocalId, &rhei_flat::Local)| {
            let (_, value) = filled.iter().find(|(target, _)| *target == id).ok_or_else(unknown)?;
            Ok(match (output.ty.scalar, value) {
                (Scalar::ExternalObject(class), Value::Integer(number)) => {
                    Value::External(class, Handle(*number as u64))
                }
                (Scalar::Enumeration(id), Value::Integer(number)) => Value::Enumeration(id, *number as u32),
                (Scalar::Boolean, Value::Integer(number)) => Value::Boolean(*number != 0),
                _ => value.clone(),
            })
        };
        function.outputs().map(value).collect()
    }
}

#[cfg(test)]
fn nowhere() -> Span {
    Span::new(rhei_source::FileId(0), 0, 1)
}
