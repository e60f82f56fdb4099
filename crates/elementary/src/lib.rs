//! The operations of expressions: their names, values, derivatives, ranges and units.
//!
//! All other crates take the properties of functions from here: lookup of names and typing, evaluation, derivatives of functions
//! and of equations, the finite field of exact ranks, programs, machine code, and enclosures of values. A new function of one
//! number is a row of `table`; a test goes through all rows and compares each with its values.
//!
//! | file | what |
//! |---|---|
//! | `table` | functions of one number, a row each |
//! | `row` | what a row says |
//! | `formula` | derivatives as small expressions, and what they are read with |
//! | `operators` | operations with two operands, comparisons, powers |
//! | `change` | how the change of a result follows from those of the operands |

mod change;
mod formula;
mod operators;
mod row;
mod table;

pub use change::{Arithmetic, Exception, Moving, change_of_binary, change_of_call};
pub use formula::{Algebra, Formula, Numbers};
pub use operators::{Binary, Relation, is_multiplied_out, multiply_out, power};
pub use row::{
    Code, Course, Expansion, Interval, Outgrowing, Parity, ResultKind, Rounding, Row, UnitRule, Zeros,
};
pub use table::Elementary;
