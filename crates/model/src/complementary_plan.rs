//! What the search for the next mode as a complementarity problem needs of a model: its continuous equations as residuals, before any
//! mode is analysed, and the relations that choose between their branches.
//!
//! In: the equations for all modes. Out: [`ComplementaryPlan`]. It is made when a mode changes for the first time, and kept.

use std::sync::Arc;

use rhei_equations::{Border, Equation, Equations, ExprId, Kind, Node, Pool, Relation, Scalar, VarId};
use rhei_kernel::{Apart, Watch};
use rhei_numerics::Pattern;
use rhei_numerics::colouring::{Colouring, colour};
use rustc_hash::FxHashMap;

/// The equations of all modes, for a complementarity problem.
#[derive(Debug)]
pub struct ComplementaryPlan {
    /// The continuous unknowns: the columns.
    pub unknowns: Vec<VarId>,
    /// Columns of a variable and of its derivative.
    pub derivatives: Vec<(usize, usize)>,
    /// Relations by whose sides the equations may differ.
    pub relations: Vec<Switching>,
    /// Number of equations; in the residuals, the indicators of the relations follow them.
    pub n_equations: usize,
    /// The residuals.
    pub all: Residuals,
    /// Those of the equations that hold conditions.
    pub conditional: Residuals,
    /// Their places among all.
    pub conditional_rows: Vec<usize>,
    /// The programs of the residuals.
    pub code: Apart,
}

/// A relation by whose side equations may differ.
#[derive(Clone, Copy, Debug)]
pub struct Switching {
    /// Its place among the crossings of the model.
    pub crossing: usize,
    /// The unknown that holds it.
    pub held: VarId,
    /// The offset of its indicator.
    pub nudge: VarId,
    /// Whether it holds where its indicator is positive.
    pub holds_above: bool,
}

/// Residuals with the unknowns in them.
#[derive(Debug)]
pub struct Residuals {
    /// Index of their program.
    pub watch: usize,
    /// By residual, its columns.
    pub pattern: Arc<Pattern>,
    /// Groups of columns that one sweep serves.
    pub colouring: Colouring,
}

impl ComplementaryPlan {
    /// None where no relation chooses between equations, or unknowns are not real numbers.
    pub(crate) fn new(equations: &Equations) -> Option<ComplementaryPlan> {
        let continuous: Vec<&Equation> = equations.equations.iter().filter(|one| !one.is_discrete).collect();
        let deciding = deciding(equations, &continuous);
        let relations: Vec<Switching> = switching(equations, &deciding).collect();
        if relations.is_empty() {
            return None;
        }
        let mut pool = equations.pool.clone();
        let mut residuals: Vec<ExprId> =
            continuous.iter().map(|equation| pool.sub(equation.lhs, equation.rhs)).collect();
        let holds_condition =
            |e: &ExprId| pool.below(&[*e]).iter().any(|&below| matches!(pool.node(below), Node::If(..)));
        let conditional_rows: Vec<usize> =
            (0..residuals.len()).filter(|&row| holds_condition(&residuals[row])).collect();
        let conditional: Vec<ExprId> = conditional_rows.iter().map(|&row| residuals[row]).collect();
        let n_equations = residuals.len();
        residuals.extend(relations.iter().filter_map(|relation| difference(equations, relation.crossing)));
        let unknowns = unknowns(equations, &pool, &residuals)?;
        let place_of: FxHashMap<VarId, usize> =
            unknowns.iter().enumerate().map(|(place, &v)| (v, place)).collect();
        let derivatives = unknowns.iter().enumerate().filter_map(|(place, &v)| {
            let Kind::Derivative { of } = equations.variable(v).kind else { return None };
            Some((*place_of.get(&of)?, place))
        });
        let derivatives = derivatives.collect();
        let code = Apart::new(equations, &pool, &[residuals.clone(), conditional.clone()]);
        let pattern = |list: &[ExprId], watch: usize| {
            let entries = list.iter().enumerate().flat_map(|(row, &e)| {
                let columns = pool.variables_of(e).into_iter().filter_map(|v| place_of.get(&v).copied());
                columns.map(move |column| (row, column)).collect::<Vec<_>>()
            });
            let pattern = Pattern::from_entries(list.len(), unknowns.len(), entries);
            Residuals { watch, colouring: colour(&pattern), pattern: Arc::new(pattern) }
        };
        let (all, conditional) = (pattern(&residuals, 0), pattern(&conditional, 1));
        Some(ComplementaryPlan {
            derivatives,
            relations,
            n_equations,
            all,
            conditional,
            conditional_rows,
            code,
            unknowns,
        })
    }

    /// The program of residuals.
    pub fn watch(&self, residuals: &Residuals) -> &Watch {
        &self.code.watches[residuals.watch]
    }
}

fn difference(equations: &Equations, crossing: usize) -> Option<ExprId> {
    match equations.events.crossings[crossing].border {
        Border::Zero { difference, .. } => Some(difference),
        _ => None,
    }
}

/// Of each variable, whether it may have a say in a condition of a continuous equation at this instant.
fn deciding(equations: &Equations, continuous: &[&Equation]) -> Vec<bool> {
    let mut is_deciding = vec![false; equations.variables.len()];
    let sides: Vec<ExprId> = continuous.iter().flat_map(|equation| [equation.lhs, equation.rhs]).collect();
    let conditions = equations.pool.below(&sides).into_iter().filter_map(|e| match equations.pool.node(e) {
        Node::If(condition, ..) => Some(condition),
        _ => None,
    });
    let mut open: Vec<VarId> = Vec::new();
    let conditions: Vec<ExprId> = conditions.collect();
    equations.pool.variables_into(&conditions, &mut open);
    let mut equations_of: Vec<Vec<VarId>> = Vec::new();
    let mut holding: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
    for equation in equations.equations.iter().filter(|equation| equation.is_discrete) {
        let mut variables = Vec::new();
        equations.pool.variables_into(&[equation.lhs, equation.rhs], &mut variables);
        variables.retain(|&v| equations.variable(v).is_discrete && equations.variable(v).is_unknown());
        variables.iter().for_each(|&v| holding.entry(v).or_default().push(equations_of.len()));
        equations_of.push(variables);
    }
    while let Some(v) = open.pop() {
        if !std::mem::replace(&mut is_deciding[v.index()], true) {
            let all = holding.get(&v).into_iter().flatten().flat_map(|&place| &equations_of[place]);
            open.extend(all);
        }
    }
    is_deciding
}

fn switching<'a>(equations: &'a Equations, deciding: &'a [bool]) -> impl Iterator<Item = Switching> + 'a {
    let crossings = equations.events.crossings.iter().enumerate();
    crossings.filter_map(|(place, crossing)| {
        let Border::Zero { relation, .. } = crossing.border else { return None };
        let holds_above = match relation {
            Relation::Greater | Relation::GreaterEqual => true,
            Relation::Less | Relation::LessEqual => false,
            _ => return None,
        };
        let (held, nudge) = (crossing.held, crossing.nudge);
        deciding[held.index()].then_some(Switching { crossing: place, held, nudge, holds_above })
    })
}

/// The continuous unknowns in residuals, with all variables that are differentiated; none if some are no real numbers.
fn unknowns(equations: &Equations, pool: &Pool, residuals: &[ExprId]) -> Option<Vec<VarId>> {
    let mut found = Vec::new();
    pool.variables_into(residuals, &mut found);
    found.retain(|&v| {
        let variable = equations.variable(v);
        variable.is_unknown() && !variable.is_discrete
    });
    let mut open = found.clone();
    while let Some(v) = open.pop() {
        if let Kind::Derivative { of } = equations.variable(v).kind {
            found.push(of);
            open.push(of);
        }
    }
    found.sort_unstable();
    found.dedup();
    found.iter().all(|&v| equations.variable(v).scalar == Scalar::Real).then_some(found)
}
