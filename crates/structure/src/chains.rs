//! Which equation holds which unknown, and up to which derivative.

use rhei_equations::{EqId, Equation, Equations, ExprId, Kind, Pool, VarId, Variable};

use crate::Bipartite;

/// The equations over *chains*: a variable with all its derivatives is one column.
///
/// The model determines its unknowns, at whatever index, if and only if this graph has a perfect matching: then some choice of
/// derivatives does (Pantelides 1988).
#[derive(Debug)]
pub(crate) struct Chains {
    pub(crate) graph: Bipartite,
    /// The equation of each row.
    pub(crate) equations: Vec<EqId>,
    /// The members of each column: the undifferentiated variable, its derivative, and so on.
    pub(crate) members: Vec<Vec<VarId>>,
    /// Per row, its columns with the highest derivative that occurs.
    pub(crate) orders: Vec<Vec<(usize, u32)>>,
    /// The column of a variable, and which derivative it is.
    place_of: Vec<Option<(usize, u32)>>,
    /// Those of the equation that is being taken in.
    variables: Vec<VarId>,
}

impl Chains {
    /// The chains of all variables and equations, discrete ones too.
    pub(crate) fn new(equations: &Equations) -> Chains {
        Chains::of(equations, |_| true, |_| true)
    }

    /// The chains of continuous variables in continuous equations.
    pub(crate) fn continuous(equations: &Equations) -> Chains {
        Chains::of(equations, |variable| !variable.is_discrete, |equation| !equation.is_discrete)
    }

    fn of(
        equations: &Equations,
        is_unknown: impl Fn(&Variable) -> bool,
        holds: impl Fn(&Equation) -> bool,
    ) -> Chains {
        let derivatives = equations.derivatives();
        let mut place_of = vec![None; equations.variables.len()];
        let mut members = Vec::new();
        for (v, variable) in equations.iter_variables() {
            if variable.kind != Kind::Unknown || !is_unknown(variable) {
                continue;
            }
            let chain: Vec<VarId> =
                std::iter::successors(Some(v), |member| derivatives[member.index()]).collect();
            for (order, member) in chain.iter().enumerate() {
                place_of[member.index()] = Some((members.len(), order as u32));
            }
            members.push(chain);
        }
        let mut chains = Chains {
            graph: Bipartite::new(members.len()),
            equations: Vec::new(),
            members,
            orders: Vec::with_capacity(equations.equations.len()),
            place_of,
            variables: Vec::new(),
        };
        for (row, equation) in equations.equations.iter().enumerate() {
            if holds(equation) {
                chains.push(equations, EqId(row as u32));
            }
        }
        chains
    }

    fn push(&mut self, equations: &Equations, id: EqId) {
        let equation = &equations.equations[id.index()];
        let mut variables = std::mem::take(&mut self.variables);
        equations.pool.variables_into(&[equation.lhs, equation.rhs], &mut variables);
        let orders = self.orders(&variables);
        self.variables = variables;
        self.graph.push_row(orders.iter().map(|&(column, _)| column));
        self.orders.push(orders);
        self.equations.push(id);
    }

    /// The columns of an equation between these, with the highest derivative that occurs.
    pub(crate) fn orders_of(&self, pool: &Pool, lhs: ExprId, rhs: ExprId) -> Vec<(usize, u32)> {
        let mut variables = Vec::new();
        pool.variables_into(&[lhs, rhs], &mut variables);
        self.orders(&variables)
    }

    fn orders(&self, variables: &[VarId]) -> Vec<(usize, u32)> {
        let mut orders: Vec<(usize, u32)> = variables.iter().filter_map(|&v| self.place(v)).collect();
        orders.sort_unstable();
        orders.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = next.1; // ascending: the later is the higher
            }
            same
        });
        orders
    }

    /// With further derivatives at the ends of some chains, in a model that has so many variables.
    pub(crate) fn prolonged(mut self, longer: Vec<(usize, Vec<VarId>)>, n_variables: usize) -> Chains {
        self.place_of.resize(n_variables, None);
        for (column, chain) in longer {
            for (order, member) in chain.iter().enumerate().skip(self.members[column].len()) {
                self.place_of[member.index()] = Some((column, order as u32));
            }
            self.members[column] = chain;
        }
        self
    }

    /// The column of a variable, and which derivative it is there.
    pub(crate) fn place(&self, v: VarId) -> Option<(usize, u32)> {
        self.place_of[v.index()]
    }

    /// The undifferentiated variable of a column.
    pub(crate) fn variable(&self, column: usize) -> VarId {
        self.members[column][0]
    }
}
