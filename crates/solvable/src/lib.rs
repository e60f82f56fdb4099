//! IR: what can be solved, for one mode of a model.
//!
//! In: [`Equations`](rhei_equations::Equations) after the structural passes. Out: what the kernel turns into code and the
//! simulation runs: which variables are states and why, and in which order all others are computed.
//!
//! Invariants, checked by [`Solvable::verify`]:
//! - every state is an unknown that has a derivative, and is there once;
//! - `parameters` computes every constant and parameter once, from those before it;
//! - `initial` computes every unknown once, from parameters, time and the unknowns before it;
//! - `continuous` computes every unknown that is no state once, from parameters, time, states and the unknowns before it;
//! - the first `dynamic` blocks of `continuous` compute the derivatives of all states;
//! - every variable has a role.

mod print;
mod verify;

use rhei_equations::{EqId, ExprId, Pool, StateSelect, VarId};

pub use print::Described;
pub use verify::Violation;

/// Which of the conditional equations are active.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// Counted in the order modes are entered.
    pub id: u32,
    /// Each condition with its value.
    pub guards: Vec<(String, bool)>,
}

/// A model in one mode, ready to be turned into code.
#[derive(Clone, Debug)]
pub struct Solvable {
    /// The mode.
    pub mode: Mode,
    /// The expressions of the equations and of their solved forms.
    pub pool: Pool,
    /// In stable order.
    pub states: Vec<State>,
    /// How parameters and constants are computed.
    pub parameters: Vec<Block>,
    /// How the unknowns are computed at the start.
    pub initial: Vec<Block>,
    /// How the unknowns are computed from the states.
    pub continuous: Vec<Block>,
    /// How many blocks of `continuous` the derivatives of the states take; the others are only watched.
    pub dynamic: usize,
    /// By variable.
    pub roles: Vec<Choice>,
}

/// A variable that the integrator advances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The variable.
    pub variable: VarId,
    /// Its derivative.
    pub derivative: VarId,
}

/// What a variable became, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What it became.
    pub role: Role,
    /// What the modeller wished.
    pub select: StateSelect,
    /// Why it became that.
    pub reason: Reason,
}

/// What a variable is in this mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A constant or parameter.
    Parameter,
    /// Integrated.
    State,
    /// Computed from the states.
    Algebraic,
}

/// Why a variable has its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A constant or parameter does not change.
    Unchanging,
    /// It is differentiated, and no equation ties it to other states.
    Differentiated,
    /// It is the derivative of a state.
    DerivativeOfState,
    /// It is not differentiated in the model.
    NotDifferentiated,
}

/// One step of a computation.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// One unknown, by a formula.
    Assign {
        /// The unknown.
        target: VarId,
        /// Its value.
        value: ExprId,
        /// What says so.
        because: Cause,
    },
}

/// What a block solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An equation of the model.
    Equation(EqId),
    /// An initial equation.
    InitialEquation(EqId),
    /// The `start` of a variable, fixed or assumed to be.
    Start(VarId),
    /// The binding of a constant or parameter.
    Binding(VarId),
}
