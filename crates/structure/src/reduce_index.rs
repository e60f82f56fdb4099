//! Index reduction: constraints between differentiated variables, with their derivatives.
//!
//! In: the equations of a model, at whatever index. Out: the same equations with as many derivatives of each as it takes to
//! determine the highest derivatives of all unknowns (Pantelides 1988). The constraints themselves stay in the system, so that
//! solutions do not drift off them. Constraints that structure alone does not see are opened first
//! ([`hidden_constraints`](crate::hidden_constraints)), until the derivatives are determined. Which of their variables are integrated
//! is for [`select_states`](crate::select_states).
//!
//! A variable that shall be a state although the model does not differentiate it (`always`, `prefer`) is treated as if it did.

use std::borrow::Cow;

use rhei_equations::{
    Conversion, Dae, Done, EqId, Equation, Equations, ExprId, Kind, Leaf, Node, NotDifferentiable, Pool,
    StateSelect, VarId, Variable,
};
use rhei_source::Diagnostic;

use crate::chains::Chains;
use crate::hidden_constraints::{Sums, with_hidden_constraints};
use crate::pantelides::{Offsets, pantelides};
use crate::promote::Promotion;
use crate::{Matching, diagnose, diagnose_ticking};

/// A model with the derivatives of its constraints.
pub(crate) struct Reduced {
    /// With further derivative variables and differentiated equations behind those of the model.
    pub(crate) equations: Dae,
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

/// The model at index one, and its pool; its equations as they were where they do not determine its unknowns or cannot be
/// differentiated.
pub(crate) fn reduce_index<'a>(
    mut equations: Cow<'a, Equations>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(Reduced, Pool), Box<Cow<'a, Equations>>> {
    let in_model = differentiated_variables(&equations, &equations.pool);
    let mut sums = Sums::default();
    let analysis = loop {
        match Analysis::of(&equations) {
            Ok(analysis) => match analysis.hidden_constraints(&equations, &mut sums) {
                Some(opened) => equations = Cow::Owned(opened),
                None => break analysis,
            },
            Err(mistake) => {
                diagnostics.push(mistake);
                return Err(Box::new(equations));
            }
        }
    };
    match reduction(&equations, analysis, diagnostics) {
        Some(reduction) => Ok(reduction.of(
            match equations {
                Cow::Borrowed(equations) => equations.copy_with_room(),
                Cow::Owned(equations) => equations,
            },
            in_model,
        )),
        None => Err(Box::new(equations)),
    }
}

/// What structure says of a model.
struct Analysis {
    chains: Chains,
    /// How often each unknown is differentiated in the model.
    asked: Vec<u32>,
    /// The offsets without wishes for states.
    unwished: Offsets,
}

impl Analysis {
    fn of(equations: &Equations) -> Result<Analysis, Diagnostic> {
        let chains = chains_of(equations)?;
        // derivatives that stand in initial equations and events only must be known, too
        let asked: Vec<u32> = chains.members.iter().map(|members| members.len() as u32 - 1).collect();
        let unwished = least_offsets(equations, &chains, &asked)?;
        Ok(Analysis { chains, asked, unwished })
    }

    /// The equations with hidden constraints in the open; none if there are none left.
    fn hidden_constraints(&self, equations: &Equations, sums: &mut Sums) -> Option<Equations> {
        let opened = with_hidden_constraints(equations, &self.chains, &self.unwished, sums)?;
        // they end: the value falls, unless nothing determines the unknowns, which comes to light then
        debug_assert!(
            Analysis::of(&opened).map_or(true, |next| next.unwished.value() < self.unwished.value())
        );
        Some(opened)
    }
}

/// Derivatives and equations that index reduction adds to a model.
struct Reduction {
    chains: Chains,
    offsets: Offsets,
    select: Vec<StateSelect>,
    derivatives: Derivatives,
}

fn reduction(
    equations: &Equations,
    analysis: Analysis,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Reduction> {
    let Analysis { chains, asked, unwished } = analysis;
    let select = wishes(equations, diagnostics)?;
    let with_wishes = |least: StateSelect| -> Vec<u32> {
        let wanted = |column: usize| u32::from(select[chains.variable(column).index()] >= least);
        asked.iter().enumerate().map(|(column, &asked)| asked.max(wanted(column))).collect()
    };
    let imperative = with_wishes(StateSelect::Always);
    let mut promotion = Promotion::new(with_wishes(StateSelect::Prefer));
    let mut base = None;
    loop {
        let offsets = match pantelides(&chains.orders, promotion.least()) {
            Ok(offsets) => offsets,
            Err(too_high) => {
                diagnostics.push(diagnose::index_too_high(equations, chains.equations[too_high.row]));
                return None;
            }
        };
        let offsets = promotion.raised(&chains, offsets, &unwished);
        let raised = |row: usize| offsets.rows[row] > unwished.rows[row];
        let failure = match broken(equations, &chains, raised) {
            Some(failure) => failure,
            None => match differentiate(equations, &chains, &offsets) {
                Ok(derivatives) => return Some(Reduction { chains, offsets, select, derivatives }),
                Err(failure) => failure,
            },
        };
        // a wish for the derivative of a nonsmooth expression is dropped
        if base.is_none() {
            base = pantelides(&chains.orders, &imperative).ok();
        }
        let dropped = base.as_ref().map_or_else(Vec::new, |base| {
            let is_wished = |column: usize| promotion.least()[column] > imperative[column];
            cause_of_raising(&chains, base, &offsets, failure.row, is_wished)
        });
        let e = chains.equations[failure.row];
        if dropped.is_empty() {
            if let Some(conversion) = conversion_of(equations, failure.expression) {
                diagnostics.push(diagnose_ticking::derivative_of_passage(equations, e, conversion));
                return None;
            }
            let is_demanded = |column: usize| imperative[column] > asked[column];
            let demanded = cause_of_raising(&chains, &unwished, &offsets, failure.row, is_demanded);
            diagnostics.push(match demanded.first() {
                Some(&column) => diagnose::always_not_differentiable(
                    equations,
                    chains.variable(column),
                    e,
                    failure.expression,
                ),
                None => diagnose::not_differentiable(equations, e, failure.expression),
            });
            return None;
        }
        for column in dropped {
            promotion.drop_to(column, imperative[column]);
            // an `always` state is only not raised beside others
            if imperative[column] == asked[column] {
                let v = chains.variable(column);
                diagnostics.push(diagnose::prefer_not_promoted(equations, v, e, failure.expression));
            }
        }
    }
}

impl Reduction {
    /// The model with the additions. Its pool is the one that has grown by them.
    fn of(self, Equations { dae: mut equations, .. }: Equations, in_model: Vec<bool>) -> (Reduced, Pool) {
        let Reduction { chains, offsets, mut select, derivatives } = self;
        let Derivatives { pool, variables, equations: differentiated, longer } = derivatives;
        let mut next = equations.equations.len();
        let begin = |&times: &u32| {
            next += times as usize;
            next - times as usize
        };
        let derived = offsets.rows.iter().map(begin).collect();
        equations.variables.extend(variables);
        equations.equations.extend(differentiated);
        let chains = chains.prolonged(longer, equations.variables.len());
        select.resize(equations.variables.len(), StateSelect::Default);
        (Reduced { equations, chains, offsets, in_model, select, derived }, pool)
    }
}

/// The variables that the equations differentiate; those differentiated in initial equations only are no
/// candidates for states.
fn differentiated_variables(equations: &Dae, pool: &Pool) -> Vec<bool> {
    let sides: Vec<ExprId> =
        equations.equations.iter().flat_map(|equation| [equation.lhs, equation.rhs]).collect();
    let mut found = vec![false; equations.variables.len()];
    for e in pool.below(&sides) {
        if let Node::Variable(v) = pool.node(e)
            && let Kind::Derivative { of } = equations.variable(v).kind
        {
            found[of.index()] = true;
        }
    }
    found
}

/// A row that is differentiated only because of wishes, and is not smooth: at an event the wished state would be
/// continuous, and the variables it is computed from would jump instead.
fn broken(equations: &Equations, chains: &Chains, is_raised: impl Fn(usize) -> bool) -> Option<Failure> {
    (0..chains.orders.len()).filter(|&row| is_raised(row)).find_map(|row| {
        let equation = &equations.equations[chains.equations[row].index()];
        let parts = equations.pool.below(&[equation.lhs, equation.rhs]);
        let expression = parts.into_iter().find(|&e| is_broken(equations, e))?;
        Some(Failure { row, expression })
    })
}

/// Whether an expression may jump, or has no derivative.
pub(crate) fn is_broken(equations: &Equations, e: ExprId) -> bool {
    match equations.pool.node(e) {
        Node::Variable(v) => {
            let variable = equations.variable(v);
            variable.is_discrete || matches!(variable.kind, Kind::Pre { .. } | Kind::Given)
        }
        Node::Call(f, _) => f.has_steps(),
        Node::Invoke(call) => {
            let function = equations.functions.function(equations.pool.call_of(call).function);
            function.external.is_some() && function.derivatives.is_empty()
        }
        _ => false,
    }
}

/// The chains of continuous variables, as many as equations for them. The discrete unknowns must be
/// determined, too.
fn chains_of(equations: &Equations) -> Result<Chains, Diagnostic> {
    let all = Chains::new(equations);
    let are_discrete = equations.equations.iter().any(|equation| equation.is_discrete);
    let chains = match are_discrete {
        true => {
            determined(equations, &all)?;
            Chains::continuous(equations)
        }
        false => all,
    };
    match chains.graph.n_rows() == chains.graph.n_columns() {
        true => Ok(chains),
        false => Err(unbalanced(equations, &chains)),
    }
}

/// Whether the equations determine the unknowns.
fn determined(equations: &Equations, chains: &Chains) -> Result<(), Diagnostic> {
    if Matching::is_possible(&chains.graph) { Ok(()) } else { Err(unbalanced(equations, chains)) }
}

fn unbalanced(equations: &Equations, chains: &Chains) -> Diagnostic {
    diagnose::unbalanced(equations, chains, &Matching::maximum(&chains.graph))
}

/// The least offsets for the derivatives in the model. That ends with an unknown for each equation: whether there is one is only
/// looked at where it does not.
fn least_offsets(equations: &Equations, chains: &Chains, asked: &[u32]) -> Result<Offsets, Diagnostic> {
    pantelides(&chains.orders, asked).map_err(|too_high| {
        let is_determined = determined(equations, chains);
        let too_high = || diagnose::index_too_high(equations, chains.equations[too_high.row]);
        is_determined.map_or_else(|mistake| mistake, |()| too_high())
    })
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

/// The asked columns that raise a row above its own need: those connected to it by rows and columns raised too.
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

/// All derivatives that the equations of a model need.
struct Derivatives {
    /// That of the model, and what they are made of.
    pool: Pool,
    /// To stand behind those of the model.
    variables: Vec<Variable>,
    /// To stand behind those of the model.
    equations: Vec<Equation>,
    /// The members of the chains that become longer.
    longer: Vec<(usize, Vec<VarId>)>,
}

fn differentiate(equations: &Equations, chains: &Chains, offsets: &Offsets) -> Result<Derivatives, Failure> {
    let mut longer = Vec::new();
    let mut variables: Vec<Variable> = Vec::new();
    let in_model = equations.variables.len();
    let mut derivatives = equations.derivatives();
    for (column, (members, &highest)) in chains.members.iter().zip(&offsets.columns).enumerate() {
        if members.len() > highest as usize {
            continue;
        }
        let mut chain = members.clone();
        while chain.len() <= highest as usize {
            let of = chain[chain.len() - 1];
            let derivative = VarId((in_model + variables.len()) as u32);
            let differentiated = variables.get(of.index().wrapping_sub(in_model));
            variables.push(derivative_variable(differentiated.unwrap_or_else(|| equations.variable(of)), of));
            chain.push(derivative);
            derivatives.push(None);
            derivatives[of.index()] = Some(derivative);
        }
        longer.push((column, chain));
    }
    let (mut pool, mut added) = (equations.pool.clone(), Vec::new());
    let opaque = opaque(equations);
    for (row, &times) in offsets.rows.iter().enumerate().filter(|(_, times)| **times > 0) {
        let mut last = &equations.equations[chains.equations[row].index()];
        for _ in 0..times {
            if let Some(expression) = first_of(&pool, last, &opaque) {
                return Err(Failure { row, expression });
            }
            let next = derivative_equation(&mut pool, last, &derivatives)
                .map_err(|expression| Failure { row, expression })?;
            added.push(next);
            last = &added[added.len() - 1];
        }
    }
    Ok(Derivatives { pool, variables, equations: added, longer })
}

/// The conversion whose result an expression is.
fn conversion_of(equations: &Equations, e: ExprId) -> Option<&Conversion> {
    let Node::Variable(v) = equations.pool.node(e) else { return None };
    equations.clocks.conversions.iter().find(|conversion| conversion.result == v)
}

/// By variable: whether it varies, but has no derivative: it comes from another clock (MLS §16.5.2), or from the past.
fn opaque(equations: &Equations) -> Vec<bool> {
    let (clocks, events) = (&equations.clocks, &equations.events);
    let from_elsewhere = clocks.conversions.iter().map(|conversion| conversion.result);
    let delayed = events.delays.iter().map(|delay| delay.result);
    let from_past = delayed.chain(events.transports.iter().flat_map(|transport| transport.ends));
    let from_past = from_past.filter(|v| !equations.variable(*v).is_discrete);
    let mut opaque = vec![false; equations.variables.len()];
    for v in from_elsewhere.chain(from_past).chain(clocks.from_past.iter().copied()) {
        opaque[v.index()] = true;
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

pub(crate) fn derivative_variable(variable: &Variable, of: VarId) -> Variable {
    let mut derivative = Variable::new(format!("der({})", variable.name), Kind::Derivative { of });
    derivative.span = variable.span;
    derivative.is_introduced = true;
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
    Ok(Equation { lhs, rhs, balance: None, origin, ..equation.clone() })
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

    /// Whether a discrete variable stands in a differentiated equation.
    pub(crate) fn constraints_jump(&self, pool: &Pool) -> bool {
        let rows = self.offsets.rows.iter().zip(&self.chains.equations).filter(|(times, _)| **times > 0);
        let equations = rows.map(|(_, e)| &self.equations.equations[e.index()]);
        let sides: Vec<ExprId> = equations.flat_map(|equation| [equation.lhs, equation.rhs]).collect();
        let jumps = |e: ExprId| match pool.node(e) {
            Node::Variable(v) => {
                let variable = self.equations.variable(v);
                variable.is_discrete && !variable.is_parameter()
            }
            _ => false,
        };
        pool.below(&sides).into_iter().any(jumps)
    }

    /// Whether the model differentiates a variable.
    pub(crate) fn is_differentiated_in_model(&self, v: VarId) -> bool {
        self.in_model.get(v.index()).copied().unwrap_or(false)
    }
}
