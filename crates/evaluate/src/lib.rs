//! Expressions and functions of the flat model to values.
//!
//! In: a typed [`Expr`] or a function of the [`Tables`], and an [`Environment`] with the values of variables. Out: a
//! [`Value`], or a [`Failure`] with its place and reason. Used at compile time for values needed before the run
//! (sizes, conditions, constants), and at run time as the interpreter of functions.
//!
//! All work is bounded by a [`Budget`]: an endless loop in a model ends in a message, never in a compiler that hangs.
//!
//! Arguments of builtin functions come in the order of the specification, trailing ones may be missing. `String` has named
//! arguments in the language; here they are positions:
//!
//! | place | what | where it is missing |
//! |---|---|---|
//! | 1 | the value | |
//! | 2 | `format` where it is a String, else `significantDigits`, which only a Real looks at | 6 |
//! | 3 | `minimumLength` | 0 |
//! | 4 | `leftJustified` | true |
//!
//! `assert` takes condition, message, level; `$enumeration` the number, the enumeration is that of the expression's type;
//! `smooth` the order, then the expression; `homotopy` the actual expression first.
//!
//! Rules that the specification leaves open:
//! - a Real overflow is an infinity and may become a number again (`1/(1 + exp(x))`); dividing by zero fails, and so does
//!   a NaN from operands that are numbers;
//! - an Integer has 64 bits, and its overflow fails;
//! - reading an unassigned component of a function fails, and so does returning it;
//! - iterators of comprehensions and reductions do not see each other: ranges are evaluated before the first element.

mod arithmetic;
mod array;
mod assign;
mod budget;
mod builtins;
mod calls;
mod failure;
mod frame;
mod interpret;
mod iterate;
mod linear_algebra;
mod literal;
mod numbers;
mod relation;
mod statements;
mod subscripts;
#[cfg(test)]
mod testing;
pub mod translated;
mod value;

use rhei_flat::{Expr, Function, FunctionId, IteratorId, Tables, VarId};
use rhei_source::Span;

pub use array::ArrayValue;
pub use budget::{Budget, Work};
pub use failure::Failure;
pub use literal::to_expr;
pub use translated::Translations;
pub use value::{Handle, Value};

use frame::Frame;
use interpret::Interpreter;

/// The context of an evaluation.
pub trait Environment {
    /// The types, functions and iterators the expression refers to.
    fn tables(&self) -> &Tables;

    /// The value of a whole variable that is named at `span`, within the rest of the budget. Cyclic bindings are
    /// detected by the environment.
    fn variable(&self, v: VarId, span: Span, budget: &mut Budget) -> Result<Value, Failure>;

    /// The value of an iterator of a loop around the expression, if there is one.
    fn iterator(&self, iterator: IteratorId) -> Option<Value> {
        let _ = iterator;
        None
    }

    /// The outputs of a function that is not written in the language, from the values of all its inputs. The arguments
    /// of its clause are found by [`external_arguments`].
    fn external(&self, function: &Function, arguments: &[Value]) -> Result<Vec<Value>, Failure> {
        let _ = arguments;
        Err(Failure::External { name: function.name.clone(), span: function.span })
    }

    /// Translated functions, if calls are frequent enough to pay for them.
    fn translations(&self) -> Option<&Translations> {
        None
    }

    /// An `assert` of level warning does not hold.
    fn warn(&self, message: &str, span: Span) {
        let _ = (message, span);
    }
}

/// The value of an expression.
pub fn evaluate(e: &Expr, env: &dyn Environment, budget: &mut Budget) -> Result<Value, Failure> {
    Interpreter::new(env, budget).value(e, &Frame::outside())
}

/// The values of all outputs of a function, from those of its inputs; inputs at the end that are missing have their
/// defaults.
pub fn call(
    function: FunctionId,
    arguments: Vec<Value>,
    env: &dyn Environment,
    budget: &mut Budget,
) -> Result<Vec<Value>, Failure> {
    if let Some(translations) = env.translations()
        && let Some(outputs) = translations.call(function, &arguments, env.tables())
    {
        return Ok(outputs);
    }
    let span = env.tables().function(function).span;
    let arguments = arguments.into_iter().map(Some).collect();
    Interpreter::new(env, budget).call(function, arguments, span)
}

/// `String(value, options)`, the options being those of the table above from the second on.
pub fn string_of(value: &Value, options: &[Value], tables: &Tables, span: Span) -> Result<Value, Failure> {
    builtins::string_of(value, options, tables, span)
}

/// The values of the arguments in the `external` clause of a function, from those of its inputs. Outputs for the
/// code to fill in are [`Value::Unassigned`], or an array of that in the declared sizes.
pub fn external_arguments(
    function: &Function,
    inputs: &[Value],
    env: &dyn Environment,
    budget: &mut Budget,
) -> Result<Vec<Value>, Failure> {
    Interpreter::new(env, budget).external_arguments(function, inputs)
}
