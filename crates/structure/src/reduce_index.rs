//! Index reduction: constraints between differentiated variables, with their derivatives.
//!
//! In: the equations of a model, at whatever index. Out: the same equations with as many derivatives of each as it takes to
//! determine the highest derivatives of all unknowns (Pantelides 1988). The constraints themselves stay in the system, so that
//! solutions do not drift off them; which of their variables are integrated is for [`select_states`](crate::select_states).
//!
//! A variable that shall be a state although the model does not differentiate it (`always`, `prefer`) is treated as if it did.

use rhei_equations::{
    Conversion, Done, EqId, Equation, Equations, ExprId, Kind, Leaf, Node, NotDifferentiable, Pool,
    StateSelect, VarId, Variable,
};
use rhei_source::Diagnostic;
use rustc_hash::FxHashMap;

use crate::aliases::Aliases;
use crate::chains::Chains;
use crate::pantelides::{Offsets, pantelides};
use crate::{Matching, diagnose, diagnose_ticking};

/// A model with the derivatives of its constraints.
pub(crate) struct Reduced {
    /// With further derivative variables and differentiated equations behind those of the model.
    pub(crate) equations: Equations,
    /// The chains of the model; their members reach up to the highest derivative now.
    pub(crate) chains: Chains,
    /// How often rows and columns of `chains` are differentiated.
    pub(crate) offsets: Offsets,
    /// Which variables the model differentiates; by variable of the model.
    pub(crate) in_model: Vec<bool>,
    /// The wish for each variable to be a state.
    pub(crate) select: Vec<StateSelect>,
    /// Per row, where its derivatives begin among the equations.
    derived: Vec<usize>,
}

/// The model at index one; `None` where its equations do not determine its unknowns or cannot be differentiated.
pub(crate) fn reduce_index(equations: &Equations, diagnostics: &mut Vec<Diagnostic>) -> Option<Reduced> {
    let chains = determined_chains(equations).map_err(|mistake| diagnostics.push(mistake)).ok()?;
    let select = wishes(equations, diagnostics)?;
    let wanted =
        |column: usize, least: StateSelect| u32::from(select[chains.variable(column).index()] >= least);
    let columns = 0..chains.members.len();
    let imperative: Vec<u32> = columns.clone().map(|column| wanted(column, StateSelect::Always)).collect();
    let mut least: Vec<u32> = columns.map(|column| wanted(column, StateSelect::Prefer)).collect();
    let aliases = Aliases::new(equations);
    let mut base = None;
    loop {
        let offsets = match pantelides(&chains.orders, &least) {
            Ok(offsets) => offsets,
            Err(too_high) => {
                diagnostics.push(diagnose::index_too_high(equations, chains.equations[too_high.row]));
                return None;
            }
        };
        if raise_to_aliases(&chains, &select, &aliases, &offsets, &mut least) {
            continue;
        }
        let failure = match differentiate(equations, &chains, &offsets) {
            Ok((extended, members)) => {
                let in_model = equations.derivatives().iter().map(Option::is_some).collect();
                let chains = chains.prolonged(members, extended.variables.len());
                let mut next = equations.equations.len();
                let begin = |&times: &u32| {
                    next += times as usize;
                    next - times as usize
                };
                let derived = offsets.rows.iter().map(begin).collect();
                let mut select = select;
                select.resize(extended.variables.len(), StateSelect::Default);
                return Some(Reduced { equations: extended, chains, offsets, in_model, select, derived });
            }
            Err(failure) => failure,
        };
        // a wish that asks for what cannot be differentiated is dropped
        if base.is_none() {
            base = pantelides(&chains.orders, &imperative).ok();
        }
        let dropped = base.as_ref().map_or_else(Vec::new, |base| {
            let asked = |column: usize| least[column] > imperative[column];
            cause_of_raising(&chains, base, &offsets, failure.row, asked)
        });
        if dropped.is_empty() {
            if let Some(conversion) = conversion_of(equations, failure.expression) {
                let row = chains.equations[failure.row];
                diagnostics.push(diagnose_ticking::derivative_of_passage(equations, row, conversion));
                return None;
            }
            diagnostics.push(diagnose::not_differentiable(
                equations,
                chains.equations[failure.row],
                failure.expression,
            ));
            return None;
        }
        for column in dropped {
            least[column] = imperative[column];
            let v = chains.variable(column);
            diagnostics.push(diagnose::prefer_not_promoted(equations, v, chains.equations[failure.row]));
        }
    }
}

/// What must be a state is differentiated as often as what it equals: else the other one, differentiated further, would be known
/// first and determine it. Says whether there is something new to differentiate.
fn raise_to_aliases(
    chains: &Chains,
    select: &[StateSelect],
    aliases: &Aliases,
    offsets: &Offsets,
    least: &mut [u32],
) -> bool {
    let mut most: FxHashMap<VarId, u32> = FxHashMap::default();
    for (column, &times) in offsets.columns.iter().enumerate() {
        let most = most.entry(aliases.class(chains.variable(column))).or_default();
        *most = times.max(*most);
    }
    let mut is_raised = false;
    for (column, &times) in offsets.columns.iter().enumerate() {
        let v = chains.variable(column);
        let most = most[&aliases.class(v)];
        if select[v.index()] == StateSelect::Always && times < most {
            least[column] = most;
            is_raised = true;
        }
    }
    is_raised
}

/// The chains of what varies between events, which the equations determine.
fn determined_chains(equations: &Equations) -> Result<Chains, Diagnostic> {
    let all = Chains::new(equations);
    let matching = Matching::maximum(&all.graph);
    if !matching.is_perfect() {
        return Err(diagnose::unbalanced(equations, &all, &matching));
    }
    if equations.equations.iter().all(|equation| !equation.is_discrete) {
        return Ok(all);
    }
    let continuous = Chains::continuous(equations);
    let matching = Matching::maximum(&continuous.graph);
    if !matching.is_perfect() {
        return Err(diagnose::unbalanced(equations, &continuous, &matching));
    }
    Ok(continuous)
}

/// The wish for each variable to be a state; what `reinit` sets must be one (MLS §8.3.6).
fn wishes(equations: &Equations, diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<StateSelect>> {
    let mut select: Vec<StateSelect> = equations.variables.iter().map(|variable| variable.select).collect();
    let mut refused = false;
    for reinit in &equations.events.reinits {
        let wish = &mut select[reinit.target.index()];
        if *wish == StateSelect::Never {
            refused = true;
            diagnostics.push(diagnose::reinit_of_never(equations, reinit));
        }
        *wish = StateSelect::Always;
    }
    (!refused).then_some(select)
}

/// A row that cannot be differentiated, because of an expression in it.
struct Failure {
    row: usize,
    expression: ExprId,
}

/// The asked columns that raise a row above what it needs without them: those connected to it by rows and columns raised too.
fn cause_of_raising(
    chains: &Chains,
    base: &Offsets,
    raised: &Offsets,
    row: usize,
    asked: impl Fn(usize) -> bool,
) -> Vec<usize> {
    if raised.rows[row] == base.rows[row] {
        return Vec::new();
    }
    let mut rows_of_column: Vec<Vec<usize>> = vec![Vec::new(); chains.members.len()];
    for (row, columns) in chains.orders.iter().enumerate() {
        if raised.rows[row] > base.rows[row] {
            columns.iter().for_each(|&(column, _)| rows_of_column[column].push(row));
        }
    }
    let mut seen_rows = vec![false; chains.orders.len()];
    let mut seen_columns = vec![false; chains.members.len()];
    seen_rows[row] = true;
    let mut open = vec![row];
    while let Some(row) = open.pop() {
        for &(column, _) in &chains.orders[row] {
            if raised.columns[column] == base.columns[column]
                || std::mem::replace(&mut seen_columns[column], true)
            {
                continue;
            }
            let next = rows_of_column[column].iter().copied();
            open.extend(next.filter(|&row| !std::mem::replace(&mut seen_rows[row], true)));
        }
    }
    (0..seen_columns.len()).filter(|&column| seen_columns[column] && asked(column)).collect()
}

/// The model with all derivatives of its equations, and the members of each chain.
fn differentiate(
    equations: &Equations,
    chains: &Chains,
    offsets: &Offsets,
) -> Result<(Equations, Vec<Vec<VarId>>), Failure> {
    let mut extended = equations.clone();
    let mut members = chains.members.clone();
    for (chain, &highest) in members.iter_mut().zip(&offsets.columns) {
        while chain.len() <= highest as usize {
            let of = chain[chain.len() - 1];
            chain.push(VarId(extended.variables.len() as u32));
            extended.variables.push(derivative_variable(extended.variable(of), of));
        }
    }
    let derivatives = extended.derivatives();
    let opaque = opaque(equations);
    for (row, &times) in offsets.rows.iter().enumerate() {
        let mut last = equations.equations[chains.equations[row].index()].clone();
        for _ in 0..times {
            if let Some(expression) = first_of(&extended.pool, &last, &opaque) {
                return Err(Failure { row, expression });
            }
            last = derivative_equation(&mut extended.pool, &last, &derivatives)
                .map_err(|expression| Failure { row, expression })?;
            extended.equations.push(last.clone());
        }
    }
    Ok((extended, members))
}

/// The conversion whose result an expression is.
fn conversion_of(equations: &Equations, e: ExprId) -> Option<&Conversion> {
    let Node::Variable(v) = equations.pool.node(e) else { return None };
    equations.clocks.conversions.iter().find(|conversion| conversion.result == v)
}

/// By variable: whether it varies, but comes from another clock and has no derivative (MLS §16.5.2).
fn opaque(equations: &Equations) -> Vec<bool> {
    let mut opaque = vec![false; equations.variables.len()];
    for conversion in &equations.clocks.conversions {
        opaque[conversion.result.index()] = true;
    }
    opaque
}

/// The first of the marked variables in an equation.
fn first_of(pool: &Pool, equation: &Equation, marked: &[bool]) -> Option<ExprId> {
    let is_marked = |v: &VarId| marked.get(v.index()).copied().unwrap_or(false);
    let variables = [equation.lhs, equation.rhs].map(|side| pool.variables_of(side));
    let found = variables.into_iter().flatten().find(is_marked)?;
    pool.below(&[equation.lhs, equation.rhs]).into_iter().find(|&e| pool.node(e) == Node::Variable(found))
}

fn derivative_variable(variable: &Variable, of: VarId) -> Variable {
    let mut derivative = Variable::new(format!("der({})", variable.name), Kind::Derivative { of });
    derivative.origin = variable.origin.clone();
    derivative.origin.done.push(Done::Differentiated);
    derivative
}

/// The derivative of an equation along a solution; the expression that has none otherwise.
fn derivative_equation(
    pool: &mut Pool,
    equation: &Equation,
    derivatives: &[Option<VarId>],
) -> Result<Equation, ExprId> {
    let (zero, one) = (pool.number(0.0), pool.number(1.0));
    let mut side = |e: ExprId| -> Result<ExprId, ExprId> {
        let derivative = pool.differentiate(e, |pool, leaf| match leaf {
            Leaf::Time => one,
            Leaf::Variable(v) => derivatives[v.index()].map_or(zero, |derivative| pool.variable(derivative)),
        });
        derivative.map_err(|NotDifferentiable(expression)| expression)
    };
    let (lhs, rhs) = (side(equation.lhs)?, side(equation.rhs)?);
    let mut origin = equation.origin.clone();
    origin.done.push(Done::Differentiated);
    Ok(Equation { lhs, rhs, origin, ..equation.clone() })
}

impl Reduced {
    /// The member of a column at a level: the highest derivative is at level zero.
    pub(crate) fn member(&self, column: usize, level: u32) -> VarId {
        self.chains.members[column][(self.offsets.columns[column] - level) as usize]
    }

    /// The derivative of a row at a level: the highest is at level zero.
    pub(crate) fn equation(&self, row: usize, level: u32) -> EqId {
        match self.offsets.rows[row] - level {
            0 => self.chains.equations[row],
            times => EqId((self.derived[row] + times as usize - 1) as u32),
        }
    }

    /// Whether the model differentiates a variable.
    pub(crate) fn is_differentiated_in_model(&self, v: VarId) -> bool {
        self.in_model.get(v.index()).copied().unwrap_or(false)
    }
}
