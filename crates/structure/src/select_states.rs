//! Which variables the integrator advances.
//!
//! A variable that is differentiated is a state, as long as no equation ties the differentiated variables to each other.
//! Where one does (index above one), the model is refused for now.

use rhei_equations::{Equations, Kind, VarId};
use rhei_solvable::{Choice, Reason, Role, State};
use rhei_source::Diagnostic;

use crate::{Bipartite, Matching, diagnose};

/// The states, in the order of their declaration; `None` where the equations do not determine the unknowns.
pub(crate) fn select_states(equations: &Equations, diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<State>> {
    let chains = Chains::new(equations);
    let matching = Matching::maximum(&chains.graph);
    if !matching.is_perfect() {
        diagnostics.push(diagnose::unbalanced(equations, &chains, &matching));
        return None;
    }
    let derivatives = equations.derivatives();
    let states = equations
        .iter_variables()
        .filter_map(|(variable, _)| Some(State { variable, derivative: derivatives[variable.index()]? }));
    Some(states.collect())
}

/// What each variable became, and why.
pub(crate) fn roles(equations: &Equations, states: &[State]) -> Vec<Choice> {
    let mut is_state = vec![false; equations.variables.len()];
    states.iter().for_each(|state| is_state[state.variable.index()] = true);
    let choice = |(v, variable): (VarId, &rhei_equations::Variable)| {
        let (role, reason) = match variable.kind {
            Kind::Constant | Kind::Parameter => (Role::Parameter, Reason::Unchanging),
            _ if is_state[v.index()] => (Role::State, Reason::Differentiated),
            Kind::Derivative { .. } => (Role::Algebraic, Reason::DerivativeOfState),
            Kind::Pre { .. } | Kind::Given => (Role::Parameter, Reason::Unchanging),
            Kind::Unknown if variable.is_discrete => (Role::Discrete, Reason::AtEventsOnly),
            Kind::Unknown => (Role::Algebraic, Reason::NotDifferentiated),
        };
        Choice { role, select: variable.select, reason }
    };
    equations.iter_variables().map(choice).collect()
}

/// The equations over *chains*, a variable with all its derivatives being one column.
///
/// The model determines its unknowns, at whatever index, if and only if this graph has a perfect matching: then some choice of
/// derivatives does (Pantelides 1988).
pub(crate) struct Chains {
    pub(crate) graph: Bipartite,
    /// The undifferentiated variable of each column.
    pub(crate) variables: Vec<VarId>,
}

impl Chains {
    fn new(equations: &Equations) -> Chains {
        let mut column_of = vec![None; equations.variables.len()];
        let mut variables = Vec::new();
        for (v, variable) in equations.iter_variables() {
            if variable.kind == Kind::Unknown {
                column_of[v.index()] = Some(variables.len());
                variables.push(v);
            }
        }
        let undifferentiated = |mut v: VarId| {
            while let Kind::Derivative { of } = equations.variable(v).kind {
                v = of;
            }
            v
        };
        let mut graph = Bipartite::new(variables.len());
        for equation in &equations.equations {
            let occurring = [equation.lhs, equation.rhs].map(|side| equations.pool.variables_of(side));
            let columns = occurring.iter().flatten().filter_map(|&v| column_of[undifferentiated(v).index()]);
            graph.push_row(columns.collect());
        }
        Chains { graph, variables }
    }
}
