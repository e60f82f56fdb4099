//! Code generation: formulas to programs.
//!
//! In: a [`Solvable`](rhei_solvable::Solvable). Out: [`Code`], programs over one array of values that compute parameters, the start, the derivatives
//! of the states, and the rest. Programs are interpreted, or run as machine code ([`Execution`]).
//!
//! Invariants, checked by [`Code::verify`]: every operand of an instruction is a variable, the time, a constant, or a temporary
//! that an instruction before it has written on every way to it; jumps lead forward.

mod apart;
mod assemble;
mod code;
mod continued;
mod dependence;
mod derivatives;
mod differentiate;
mod effects;
mod enclose;
mod functions;
mod interpret;
#[allow(unsafe_code)] // calls of machine code, and out of it
mod machine;
mod named;
mod past;
mod program;
mod remembered;
mod routine;
mod tiers;
mod verify;

pub use apart::Apart;
pub use code::{Bound, Code, Confined, RhythmRoutine, Watch, compile};
pub use effects::{Performed, Warned};
pub use enclose::{Extract, Moves, Moving, ORDER, Range, Series, Slices, Without};
pub use functions::{CallSite, Functions};
pub use interpret::Fault;
pub use named::{Named, SampleTimes, Setting, Sides};
pub use past::{DelaySlots, PastCode, TransportSlots};
pub use program::{Instruction, Program, Quotient, Slot};
pub use routine::{Iteration, Routine, Settling, Step};
pub use tiers::Execution;
