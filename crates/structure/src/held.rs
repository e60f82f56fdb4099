//! What does not change between events: discrete variables, parameters, and what is computed from these alone.

use rhei_equations::{Equations, ExprId, Kind, Node, Variable};

/// Whether expressions do not change between events, by id.
pub(crate) struct Held(Vec<bool>);

impl Held {
    /// Of all expressions at once: operands stand before their users.
    pub(crate) fn of(equations: &Equations) -> Held {
        let mut is_held: Vec<bool> = Vec::with_capacity(equations.pool.len());
        for e in (0..equations.pool.len() as u32).map(ExprId) {
            let own = match equations.pool.node(e) {
                Node::Time => false,
                Node::Variable(v) => is_constant_between_events(equations.variable(v)),
                node => equations.pool.operands(node).all(|operand| is_held[operand.0 as usize]),
            };
            is_held.push(own);
        }
        Held(is_held)
    }

    /// The condition of an `if`, where it does not change between events.
    pub(crate) fn condition_of(&self, equations: &Equations, e: ExprId) -> Option<ExprId> {
        let Node::If(condition, ..) = equations.pool.node(e) else { return None };
        self.0[condition.0 as usize].then_some(condition)
    }
}

fn is_constant_between_events(variable: &Variable) -> bool {
    variable.is_discrete || variable.is_parameter() || matches!(variable.kind, Kind::Pre { .. } | Kind::Given)
}
