//! The functions that the Modelica Standard Library takes from its own C code, in Rust, under the same names.
//!
//! In: the name of a C function, and values for the arguments of its `external` clause. Out: its result, then the values of the
//! arguments that it fills in. A constructor makes an object of [`Externals`], which lives as long as the run.
//!
//! | file | what |
//! |---|---|
//! | `arguments` | arguments as what a function expects |
//! | `fourier` | `ModelicaFFT_*` |
//! | `lapack` | matrices, by the names of LAPACK |
//! | `least_squares` | what `lapack` solves with them |
//! | `print` | what is printed, and errors that models raise |
//! | `random` | `ModelicaRandom_*` |
//! | `strings` | `ModelicaStrings_*` |
//! | `system` | `ModelicaInternal_*` that change nothing |
//! | `tables` | `ModelicaStandardTables_*` |

mod arguments;
mod fourier;
mod lapack;
mod least_squares;
mod print;
mod random;
mod strings;
mod system;
mod tables;

use std::sync::{Arc, Mutex, PoisonError};

use rhei_evaluate::{Budget, Environment, Failure, Handle, Value, external_arguments};
use rhei_flat::{Expr, ExprKind, Function, LocalId, Scalar};
use rhei_source::Span;

use crate::print::Printed;

/// A function of the C code: arguments as its `external` clause has them, those to be filled in not assigned.
type Native = fn(&Externals, &[Value], Span) -> Result<Vec<Value>, Failure>;

/// The objects of one run.
#[derive(Debug, Default)]
pub struct Externals {
    objects: Mutex<Vec<Constructed>>,
    /// The state of the generator of impure random numbers; empty before it has one.
    random: Mutex<Vec<i64>>,
    /// Lines printed at points that count.
    printed: Mutex<Printed>,
}

impl Clone for Externals {
    /// The same objects, which do not change, and the same state of the generator of random numbers; nothing is printed yet.
    fn clone(&self) -> Externals {
        let objects = self.objects.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let random = self.random.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Externals { objects: Mutex::new(objects), random: Mutex::new(random), printed: Mutex::default() }
    }
}

/// An object, and the arguments of its constructor.
#[derive(Clone, Debug)]
struct Constructed {
    arguments: Vec<Value>,
    object: Arc<Object>,
}

/// Objects made by constructors.
#[derive(Debug)]
enum Object {
    Curves(tables::Curves),
    TimeTable(tables::TimeTable),
    Surface(tables::Surface),
}

/// Whether there is a function of this name.
pub fn is_known(name: &str) -> bool {
    native(name).is_some() || lapack::native(name).is_some()
}

/// Whether it has effects, which are to happen once, at points that count.
pub fn speaks(name: &str) -> bool {
    print::native(name).is_some()
}

/// Whether it can be called before the run: its outputs depend on its inputs alone, or on files and the environment, which say
/// the same then.
pub fn is_settled(name: &str) -> bool {
    is_pure(name) || system::settled(name).is_some()
}

/// Whether its outputs depend on its inputs alone.
pub fn is_pure(name: &str) -> bool {
    pure(name).is_some() || lapack::native(name).is_some()
}

fn native(name: &str) -> Option<Native> {
    let impure = || tables::native(name).or_else(|| random::native(name)).or_else(|| system::native(name));
    pure(name).or_else(impure).or_else(|| print::native(name))
}

fn pure(name: &str) -> Option<Native> {
    if name == "dlange" {
        return Some(|_, arguments, span| lapack::dlange(arguments, span));
    }
    strings::native(name).or_else(|| random::pure(name)).or_else(|| fourier::native(name))
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
        let mut arguments = external_arguments(function, inputs, env, &mut Budget::default())?;
        let is_output = |id: LocalId| function.outputs().any(|(output, _)| output == id);
        let target = |e: &Expr| match e.kind {
            ExprKind::Local(id) if is_output(id) => Some(id),
            _ => None,
        };
        let filled: Vec<(LocalId, Value)> = if let Some(in_place) = lapack::native(&external.name) {
            in_place(&mut arguments, external.span)?;
            let changed = external.arguments.iter().zip(arguments);
            changed.filter_map(|(e, value)| Some((target(e)?, value))).collect()
        } else {
            let native = native(&external.name).ok_or_else(unknown)?;
            let results = native(self, &arguments, external.span)?;
            let targets = external.result.iter().chain(&external.arguments).filter_map(target);
            targets.zip(results).collect()
        };
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
