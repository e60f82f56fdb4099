//! IR: the scalar hybrid differential-algebraic equations of a model.
//!
//! In: a flat model, with arrays split into scalars. Out: the input of the structural passes.
//!
//! An [`Equations`] has [`Variable`]s by [`VarId`], [`Equation`]s by [`EqId`], and one [`Pool`] in which every expression of
//! the model stands once, also those of its later forms. The pool stands beside all else, the [`Dae`], so that a pass can add to it while
//! it reads the equations. `der(x)` is a variable of its own, tied to `x` by [`Kind::Derivative`], and so is `pre(x)`, by
//! [`Kind::Pre`]. What makes events is in [`Events`]: relations and whole numbers are held by hidden unknowns between events.
//! What an Integer beyond 2^53 is more than the number next to it is a hidden variable, too ([`Variable::rest_of`]).
//! What the model says about clocks is in [`Clocks`]. Conditions that decide which equations hold are [`Guard`]s, once they are found.
//!
//! Invariants, checked by [`Equations::verify`]:
//! - names are unique; a derivative is that of an unknown or of another derivative, and no variable has two;
//! - every expression that the model speaks of is in its pool, and refers to variables that exist;
//! - constants and parameters alone have a binding, and bindings and attributes depend on constants and parameters only;
//! - operands and conditions of Boolean operations are Boolean (`if`, `and`, `or`, `not`), and sides of an equation are of one
//!   kind;
//! - an equation that balances has zero on its left side, and balances an unknown that is a number and varies between events.

mod by_expression;
mod call;
mod clocks;
mod copy;
mod differentiate;
mod events;
mod expressions;
mod known;
mod model;
mod new_balances;
mod partition;
mod pool;
mod print;
mod ratio;
mod read;
mod solve_for;
mod traverse;
mod verify;
mod whole;

pub use by_expression::ByExpression;
pub use call::{Call, CallId, Shape};
pub use clocks::{Asked, Clock, ClockId, Clocks, Conversion, Definition, Measured, Passage, Rate};
pub use copy::Copied;
pub use differentiate::NotDifferentiable;
pub use events::{
    ASSERTION_WARNING, Argument, Assert, Border, Crossing, Delay, Effect, Events, Format, Level, Moment,
    Reinit, Sample, Termination, Text, TextPart, Transport, Within,
};
pub use model::{
    Balance, Dae, Done, EqId, Equation, Equations, Experiment, Family, Guard, Kind, Limit, Origin, Scalar,
    StateSelect, VarId, Variable,
};
pub use new_balances::NewBalance;
pub use partition::{Base, DelayAtTicks, Partition, Reading, Rhythm, SampleAtTicks};
pub use pool::{ExprId, Leaf, Node, Pool};
pub use print::{Notation, number};
pub use ratio::Ratio;
pub use read::{ReadError, read};
pub use rhei_elementary::{Binary, Elementary, Relation, power};
pub use rhei_flat::Confidence;
pub use solve_for::solve_for;
pub use traverse::Replaced;
pub use whole::{LARGEST_PLAIN, Split, Whole};
