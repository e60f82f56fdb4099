//! IR: the solved form of one mode of a model.
//!
//! In: [`Equations`](rhei_equations::Equations) after the structural passes. Out: the form that the kernel turns into
//! code and the simulation runs: which variables are states and why, and in which order all others are computed. Its expressions are
//! in the one pool of the model, that of the equations.
//!
//! Invariants, checked by [`Solvable::verify`]:
//! - every expression is in the pool of the equations;
//! - every state is an unknown that has a derivative, and is there once;
//! - the states of a set are states, its candidates are not; each state has a factor for each candidate;
//! - the manifold of a set leaves as much free as the set has states;
//! - `parameters` computes every constant and parameter once, from those before it;
//! - `initial` computes every unknown but aliases, every value before the first event and every unfixed parameter once, from
//!   parameters, time and earlier blocks; it is empty in a mode entered during the run;
//! - every alias is an unknown, neither state nor discrete; its value is another variable, the negative of one, or a number; no
//!   block computes or uses an alias, and no alias is made of one;
//! - `continuous` computes every unknown that is neither state nor discrete nor alias once, from parameters, time, states,
//!   discrete variables and the unknowns before it;
//! - `event` computes every unknown but states and aliases once, from parameters, time, states, values before the event and the
//!   unknowns before it; variables held in a turn may be used before they are computed;
//! - `discrete` computes every discrete unknown once, from all else;
//! - in a loop, unknowns that follow are computed from known ones and guesses; there are as many residuals as
//!   guesses;
//! - conditions in `surplus` contain only variables known at the start;
//! - the first `dynamic` blocks of `continuous` compute the derivatives of all states;
//! - every variable has a role.

mod impulses;
mod print;
mod ticking;
mod verify;

use rhei_equations::{EqId, ExprId, StateSelect, VarId};
use serde::{Deserialize, Serialize};

pub use impulses::{ImpulseRow, Impulses};
pub use print::Described;
pub use ticking::{Schedule, Segment, SolverMethod, Ticking};

/// Which of the conditional equations are active.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mode {
    /// Counted in the order modes are entered.
    pub id: u32,
    /// Each condition with its value.
    pub guards: Vec<(String, bool)>,
}

/// A model in one mode, ready to be turned into code.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Solvable {
    /// The mode.
    pub mode: Mode,
    /// In stable order.
    pub states: Vec<State>,
    /// Sets of candidates for which no fixed choice of states is known to do.
    pub sets: Vec<StateSet>,
    /// Assumptions of the choice of states.
    pub assumptions: Vec<Assumption>,
    /// How parameters and constants are computed.
    pub parameters: Vec<Block>,
    /// Parameters that are computed at the start only, by `initial`.
    pub unfixed: Vec<VarId>,
    /// Aliases: copies of computed variables, from which nothing is computed.
    pub aliases: Vec<Assignment>,
    /// How the unknowns are computed at the start.
    pub initial: Vec<Block>,
    /// Conditions at the start beyond those that `initial` takes: they must follow from the others.
    pub surplus: Vec<Surplus>,
    /// The same on the way from the simplified formulas of `homotopy`, where the model has any.
    pub on_the_way: Option<Vec<Block>>,
    /// The same with fixed values in state sets not necessarily kept, in models that have some.
    pub freed: Option<Freed>,
    /// The same with written start values in place of unwritten ones of states, where there are such.
    pub written: Option<Written>,
    /// How the unknowns are computed from the states.
    pub continuous: Vec<Block>,
    /// How many blocks of `continuous` the derivatives of the states take; the others are only watched.
    pub dynamic: usize,
    /// How everything is computed at an event, from the states and the values before it; empty without discrete variables.
    pub event: Vec<Block>,
    /// The blocks of the discrete unknowns, everything else being known; empty if the model has one mode only.
    pub discrete: Vec<Block>,
    /// Jumps and impulses when this mode is entered, or when constraints change at events; empty if there are
    /// none.
    pub impulses: Impulses,
    /// By variable.
    pub roles: Vec<Choice>,
    /// The segments of `event` by rhythm, in a clocked partition.
    pub tick: Vec<Segment>,
    /// The same for `initial`.
    pub first_tick: Vec<Segment>,
    /// The same with written start values in place of unwritten ones of states.
    pub first_tick_written: Vec<Segment>,
}

/// Derivatives of equations by unknowns, row by row: the places of the unknowns that a row depends on, ascending, each with the derivative
/// by it.
pub type Jacobian = Vec<Vec<(usize, ExprId)>>;

/// A variable that the integrator advances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The variable.
    pub variable: VarId,
    /// Its derivative.
    pub derivative: VarId,
}

/// Constraints that can be solved for some of their variables, but not everywhere for the same ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateSet {
    /// The constraints.
    pub equations: Vec<EqId>,
    /// The variables among which the run chooses the states.
    pub candidates: Vec<VarId>,
    /// Which of them are given by the constraints, in the first choice.
    pub dummies: Vec<VarId>,
    /// Further unknowns that the constraints give whatever the choice.
    pub others: Vec<VarId>,
    /// The derivatives of the constraints by `others` and then by `candidates`.
    pub jacobian: Jacobian,
    /// The manifold that the constraints confine the candidates to.
    pub manifold: Manifold,
    /// The integrated variables.
    pub states: Vec<VarId>,
    /// The candidates, by place, in an order in which the states are chosen from them: of large sets, where a state can be only some of
    /// the candidates. Empty where a state can be any of them.
    pub order: Vec<usize>,
    /// Per state, the candidates that it can be, by place, with their factors in it, which the run gives: a one and zeros.
    pub factors: Vec<Vec<(usize, VarId)>>,
    /// Start conditions of a large set assumed beside those that are fixed in it.
    pub starts: Vec<Assumed>,
    /// For each state, its value at the start, given by the run: in [`Freed`], and in large sets.
    pub references: Vec<VarId>,
    /// Whether the derivatives of its constraints depend on its own candidates.
    pub depends_on_itself: bool,
    /// Whether they depend on candidates of other sets.
    pub depends_on_others: bool,
}

/// A condition assumed at the start: one of some candidates has the value given by the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumed {
    /// The candidates, by place, with their factors, which the run gives: a one and zeros.
    pub factors: Vec<(usize, VarId)>,
    /// The value given by the run.
    pub reference: VarId,
}

impl StateSet {
    /// Which candidates stand in which constraints, by place.
    pub fn ties(&self) -> Vec<(usize, usize)> {
        let mut ties = Vec::new();
        for (row, entries) in self.jacobian.iter().enumerate().take(self.equations.len()) {
            let of_candidates =
                entries.iter().filter_map(|&(column, _)| column.checked_sub(self.others.len()));
            ties.extend(of_candidates.map(|place| (place, row)));
        }
        ties
    }

    /// How many of the candidates are states.
    pub fn dimension(&self) -> usize {
        self.candidates.len() - self.dummies.len()
    }
}

/// Constraints with everything they determine, to be solved at one point: `F(C − C_ref) = 0, E(C) = 0`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifold {
    /// The candidates of the set, then the dependent unknowns.
    pub unknowns: Vec<VarId>,
    /// `E`: zero on the manifold.
    pub residuals: Vec<ExprId>,
    /// The derivatives of the residuals by all unknowns.
    pub jacobian: Jacobian,
    /// So many of the last residuals give as many of the last unknowns, whatever the others are.
    pub eliminated: usize,
}

/// Constraints that are solved for variables, though nothing proves that this can always be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumption {
    /// The constraints.
    pub equations: Vec<EqId>,
    /// The variables that they are solved for.
    pub solved_for: Vec<VarId>,
    /// The variables in the solution.
    pub from: Vec<VarId>,
    /// The derivatives of the constraints by `solved_for` and then by `from`.
    pub jacobian: Jacobian,
}

/// A condition at the start that determines nothing more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Surplus {
    /// One side of it.
    pub lhs: ExprId,
    /// The other side.
    pub rhs: ExprId,
    /// Its origin.
    pub because: Cause,
    /// Other conditions at the start, and equations, that determine the same unknowns.
    pub rivals: Vec<Cause>,
}

/// The initial problem in which the factors of the state sets choose the combinations kept of their candidates,
/// fixed or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Freed {
    /// How the unknowns are computed at the start.
    pub initial: Vec<Block>,
    /// Conditions that must follow, among them all fixed values in state sets.
    pub surplus: Vec<Surplus>,
}

/// The initial problem in which variables with a written start value take the place of states without one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Written {
    /// How the unknowns are computed at the start.
    pub initial: Vec<Block>,
    /// The variables that start at their start values in this problem only.
    pub kept: Vec<VarId>,
}

/// The role of a variable, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// Its role.
    pub role: Role,
    /// The modeller's `stateSelect`.
    pub select: StateSelect,
    /// Why it became that.
    pub reason: Reason,
}

/// Role of a variable in this mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// A constant or parameter.
    Parameter,
    /// Integrated.
    State,
    /// It could be a state, but is computed from the others.
    Dummy,
    /// Computed from the states.
    Algebraic,
    /// Set at events.
    Discrete,
    /// A state in some places and computed from the others elsewhere.
    Candidate {
        /// In which set, by place.
        set: usize,
    },
}

/// Some items of a list, and how many more there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Few<T> {
    /// The first ones.
    pub first: Vec<T>,
    /// So many follow.
    pub more: usize,
    /// Whether the list may be longer still: all of it would have taken too long to find.
    pub may_be_longer: bool,
}

impl<T: Copy> Few<T> {
    /// The first `most` of a list.
    pub fn of(all: &[T], most: usize) -> Few<T> {
        let first = all[..all.len().min(most)].to_vec();
        Few { more: all.len() - first.len(), first, may_be_longer: false }
    }

    /// A list that was not found.
    pub fn unknown() -> Few<T> {
        Few { first: Vec::new(), more: 0, may_be_longer: true }
    }

    /// Whether it is certain that there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty() && !self.may_be_longer
    }

    /// The same with other items.
    pub fn map<U>(&self, f: impl FnMut(T) -> U) -> Few<U> {
        Few {
            first: self.first.iter().copied().map(f).collect(),
            more: self.more,
            may_be_longer: self.may_be_longer,
        }
    }
}

/// What would give a variable another role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The wish: for a state `prefer` or `always` at one of the others, or `never` at itself; for a dummy at itself.
    pub wish: StateSelect,
    /// The variables of which one changes its role in return.
    pub others: Few<VarId>,
}

/// Why a variable has its role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// A constant or parameter does not change.
    Unchanging,
    /// It is differentiated, and no equation ties it to others that could be states.
    Differentiated,
    /// Constraints leave it free; which others are computed from it would have taken too long to find.
    LeftFree,
    /// Constraints leave it free, with others computed from it that could take its place.
    Chosen {
        /// The others.
        over: Few<VarId>,
        /// What would put one of them in its place.
        change: Option<Change>,
    },
    /// Constraints give it from states.
    Deselected {
        /// The constraints, none of which can be left out.
        by: Few<EqId>,
        /// The states it depends on.
        from: Few<VarId>,
        /// What would make it a state.
        change: Option<Change>,
    },
    /// The constraints of a set leave some of its candidates free.
    InSet,
    /// It is the derivative of a state.
    DerivativeOfState,
    /// It is the derivative of a variable that is no state.
    Derivative,
    /// It is not differentiated in the model.
    NotDifferentiated,
    /// Its derivative is in the model, but no equation depends on it, other than at the start or at events.
    DerivativeHasNoEffect,
    /// It changes at events only.
    AtEventsOnly,
}

/// One step of a computation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Block {
    /// One unknown, by a formula.
    Assign(Assignment),
    /// Unknowns that need each other, by iteration.
    Solve(Box<Loop>),
    /// Unknowns that need truth values, and the other way round, by repetition.
    Settle(Box<Settle>),
}

/// Blocks that are repeated until their held variables do not change any more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settle {
    /// Truth values and whole numbers that are held during each turn, and computed at its end.
    pub held: Vec<VarId>,
    /// One turn.
    pub blocks: Vec<Block>,
}

/// An unknown with its formula.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assignment {
    /// The unknown.
    pub target: VarId,
    /// Its value.
    pub value: ExprId,
    /// The origin of the formula.
    pub because: Cause,
}

/// Unknowns that need each other, torn: from guesses of a few, the others follow by formulas, and the residuals tell how good the
/// guesses are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Loop {
    /// The tearing variables, which are guessed.
    pub guessed: Vec<VarId>,
    /// The unknowns that follow, in order.
    pub following: Vec<Assignment>,
    /// The residuals: as many as guesses.
    pub residuals: Vec<Residual>,
    /// For each of the first guesses that is balanced, how slow it is: the residual in the same place then says which way it goes.
    pub balance: Vec<ExprId>,
    /// The dependencies of the factors, if everything in the loop is linear in its unknowns.
    pub factors: Option<Factors>,
}

/// Dependencies of the factors of a linear loop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Factors {
    /// Variables, by id.
    pub variables: Vec<VarId>,
    /// Whether time is among it.
    pub on_time: bool,
}

/// The difference of the sides of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Residual {
    /// Zero at a solution.
    pub value: ExprId,
    /// The origin of the equation.
    pub because: Cause,
}

impl Solvable {
    /// All expressions it speaks of; some stand in several places.
    ///
    /// What is new in it does not compile until it has its place here, or none.
    pub fn expressions(&self) -> Vec<ExprId> {
        let Solvable {
            mode: _,
            states: _,
            sets,
            assumptions,
            parameters,
            unfixed: _,
            aliases,
            initial,
            surplus,
            on_the_way,
            freed,
            written,
            continuous,
            dynamic: _,
            event,
            discrete,
            impulses,
            roles: _,
            tick: _,
            first_tick: _,
            first_tick_written: _,
        } = self;
        let mut found = Vec::new();
        for StateSet { jacobian, manifold, .. } in sets {
            found.extend(jacobian.iter().chain(&manifold.jacobian).flatten().map(|&(_, e)| e));
            found.extend(&manifold.residuals);
        }
        found.extend(
            assumptions.iter().flat_map(|assumption| &assumption.jacobian).flatten().map(|&(_, e)| e),
        );
        found.extend(aliases.iter().map(|alias| alias.value));
        let at_start = freed.iter().flat_map(|freed| &freed.initial).chain(on_the_way.iter().flatten());
        let at_start = at_start.chain(written.iter().flat_map(|written| &written.initial));
        let blocks = parameters.iter().chain(initial).chain(at_start).chain(continuous);
        found.extend(blocks.chain(event).chain(discrete).flat_map(Block::values));
        let surplus = surplus.iter().chain(freed.iter().flat_map(|freed| &freed.surplus));
        found.extend(surplus.flat_map(|condition| [condition.lhs, condition.rhs]));
        found.extend(impulses.factors());
        found
    }
}

impl Block {
    /// The unknowns it computes.
    pub fn targets(&self) -> Vec<VarId> {
        match self {
            Block::Assign(assignment) => vec![assignment.target],
            Block::Solve(torn) => {
                let following = torn.following.iter().map(|assignment| assignment.target);
                torn.guessed.iter().copied().chain(following).collect()
            }
            Block::Settle(settle) => settle.blocks.iter().flat_map(Block::targets).collect(),
        }
    }

    /// The formulas it evaluates.
    pub fn values(&self) -> Vec<ExprId> {
        match self {
            Block::Assign(assignment) => vec![assignment.value],
            Block::Solve(torn) => {
                let following = torn.following.iter().map(|assignment| assignment.value);
                let residuals = torn.residuals.iter().map(|residual| residual.value);
                following.chain(residuals).chain(torn.balance.iter().copied()).collect()
            }
            Block::Settle(settle) => settle.blocks.iter().flat_map(Block::values).collect(),
        }
    }

    /// Causes of the value of `v`: the origin of its formula, or of all equations of its loop if it is
    /// guessed.
    pub fn causes_of(&self, v: VarId) -> Vec<Cause> {
        match self {
            Block::Assign(assignment) if assignment.target == v => vec![assignment.because],
            Block::Assign(_) => vec![],
            Block::Solve(torn) => match torn.following.iter().find(|assignment| assignment.target == v) {
                Some(assignment) => vec![assignment.because],
                None if torn.guessed.contains(&v) => torn.residuals.iter().map(|r| r.because).collect(),
                None => vec![],
            },
            Block::Settle(settle) => settle.blocks.iter().flat_map(|block| block.causes_of(v)).collect(),
        }
    }
}

/// Origin of an equation in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
