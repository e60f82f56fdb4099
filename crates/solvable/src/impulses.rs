//! Jumps at an event, and the relations between them.

use rhei_equations::{EqId, ExprId, VarId};
use serde::{Deserialize, Serialize};

/// The equations of a mode, integrated over an instant.
///
/// A differentiated variable stays finite, so that its integral over an instant is zero; the integral of its derivative is its
/// jump. Everything else may be infinite for that instant: its integral is an impulse. Finite terms vanish, and a linear
/// relation between jumps and impulses remains of each equation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Impulses {
    /// Variables that may jump: those that the equations of the mode differentiate.
    pub jumping: Vec<VarId>,
    /// Variables that may have an impulse.
    pub impulsive: Vec<VarId>,
    /// The integrated equations.
    pub rows: Vec<ImpulseRow>,
    /// Variables in nonlinear terms, which make sense only if the variable is finite, with the equation.
    pub nonlinear: Vec<(VarId, EqId)>,
    /// Variables that follow from jumps and impulses, and are of no influence on them: in this order.
    pub following: Vec<(VarId, ImpulseRow)>,
    /// Variables that may jump and are a constant multiple of another (`p = L*i`), by place in `jumping`: the amount of the other
    /// that comes with one of it.
    pub proportions: Vec<(usize, ExprId)>,
}

/// `Σ factor·jump + Σ factor·impulse = 0`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImpulseRow {
    /// The equation that was integrated.
    pub equation: EqId,
    /// By place in [`Impulses::jumping`].
    pub jumps: Vec<(usize, ExprId)>,
    /// By variable.
    pub impulses: Vec<(VarId, ExprId)>,
}

impl ImpulseRow {
    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.jumps.is_empty() && self.impulses.is_empty()
    }

    /// All its factors.
    pub fn factors(&self) -> impl Iterator<Item = ExprId> {
        self.jumps.iter().map(|&(_, e)| e).chain(self.impulses.iter().map(|&(_, e)| e))
    }
}

impl Impulses {
    /// All factors: those of `rows`, then those of `following`, then those of `proportions`.
    pub fn factors(&self) -> impl Iterator<Item = ExprId> {
        let following = self.following.iter().map(|(_, row)| row);
        let proportions = self.proportions.iter().map(|&(_, factor)| factor);
        self.rows.iter().chain(following).flat_map(ImpulseRow::factors).chain(proportions)
    }
}
