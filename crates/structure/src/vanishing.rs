//! Terms that are multiplied by a zero known before the run vanish, with what they tie together.
//!
//! In: the equations of a model. Out: the same without such terms. A capacitance that is settled to be zero leaves no state
//! behind, and a resistance no voltage: with the term the model would have another index than it has. Zero is what parameters are
//! whose value is settled, and unknowns that an equation says are; where they do not stand in a product, they stay by their names.
//! A derivative that no equation speaks of any more is no unknown either.

use std::borrow::Cow;

use rhei_equations::{
    Binary, Equation, Equations, ExprId, Kind, Node, Pool, Scalar, TextPart, VarId, Variable,
};

/// Rounds in which unknowns are found to be zero because others are.
const MOST_ROUNDS: usize = 20;

/// The equations without what vanishes.
pub(crate) fn without_vanishing(equations: &Equations) -> Cow<'_, Equations> {
    let mut made = without_zero_terms(equations);
    // what one mode does not speak of is there in another
    if equations.guards.is_empty() {
        forget_derivatives(&mut made);
    }
    made
}

/// The equations without terms that are multiplied by zero.
pub(crate) fn without_zero_terms(equations: &Equations) -> Cow<'_, Equations> {
    let zeros = zeros(equations);
    let vanishes = |e: ExprId| zeros[e.0 as usize] && is_product(&equations.pool, e);
    let mut made: Cow<'_, Equations> = Cow::Borrowed(equations);
    for (place, equation) in equations.equations.iter().enumerate() {
        let below = equations.pool.below(&[equation.lhs, equation.rhs]);
        if below.into_iter().any(vanishes) {
            let made = made.to_mut();
            let lhs = rewritten(&mut made.pool, equation.lhs, &vanishes);
            let rhs = rewritten(&mut made.pool, equation.rhs, &vanishes);
            made.equations[place] = Equation { lhs, rhs, ..equation.clone() };
        }
    }
    made
}

fn is_product(pool: &Pool, e: ExprId) -> bool {
    matches!(pool.node(e), Node::Binary(Binary::Mul | Binary::Div, ..))
}

/// For each expression, whether it is zero whatever the unknowns are.
fn zeros(equations: &Equations) -> Vec<bool> {
    let settled = |v: &Variable| v.kind == Kind::Constant || (v.kind == Kind::Parameter && v.structural);
    let number = |e: ExprId| match equations.pool.node(e) {
        Node::Number(bits) => Some(f64::from_bits(bits)),
        Node::Truth(truth) => Some(f64::from(u8::from(truth))),
        _ => None,
    };
    let variables = equations.variables.iter();
    let mut known: Vec<Option<f64>> =
        variables.map(|v| v.binding.filter(|_| settled(v)).and_then(number)).collect();
    let mut values = Vec::new();
    for _ in 0..MOST_ROUNDS {
        values = values_of(&equations.pool, &known);
        let mut found = false;
        for equation in equations.equations.iter().filter(|equation| !equation.is_discrete) {
            for (side, other) in [(equation.lhs, equation.rhs), (equation.rhs, equation.lhs)] {
                let Node::Variable(v) = equations.pool.node(side) else { continue };
                let variable = equations.variable(v);
                let counts = variable.kind == Kind::Unknown
                    && variable.scalar == Scalar::Real
                    && !variable.is_discrete;
                if counts && known[v.index()].is_none() && values[other.0 as usize] == Some(0.0) {
                    known[v.index()] = Some(0.0);
                    found = true;
                }
            }
        }
        if !found {
            break;
        }
    }
    values.into_iter().map(|value| value == Some(0.0)).collect()
}

/// The values of expressions that do not depend on unknowns; truth is one. Operands stand before what uses them, so that one pass
/// will do.
fn values_of(pool: &Pool, known: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut values: Vec<Option<f64>> = Vec::with_capacity(pool.len());
    for id in 0..pool.len() {
        let of = |e: ExprId| values[e.0 as usize];
        let truth = |is: bool| Some(f64::from(u8::from(is)));
        let value = match pool.node(ExprId(id as u32)) {
            Node::Number(bits) => Some(f64::from_bits(bits)),
            Node::Truth(is) => truth(is),
            Node::Variable(v) => known.get(v.index()).copied().flatten(),
            Node::Negate(a) => of(a).map(|a| -a),
            Node::Binary(op, a, b) => match (op, of(a), of(b)) {
                (_, Some(a), Some(b)) => Some(op.value(a, b)),
                (Binary::Mul, Some(0.0), _)
                | (Binary::Mul, _, Some(0.0))
                | (Binary::Div, Some(0.0), None) => Some(0.0),
                _ => None,
            },
            Node::Relation(relation, a, b) => of(a).zip(of(b)).and_then(|(a, b)| truth(relation.holds(a, b))),
            Node::Not(a) => of(a).map(|a| 1.0 - a),
            Node::And(a, b) => match (of(a), of(b)) {
                (Some(0.0), _) | (_, Some(0.0)) => Some(0.0),
                (Some(_), Some(_)) => Some(1.0),
                _ => None,
            },
            Node::Or(a, b) => match (of(a), of(b)) {
                (Some(0.0), Some(0.0)) => Some(0.0),
                (Some(x), _) | (_, Some(x)) if x != 0.0 => Some(1.0),
                _ => None,
            },
            Node::If(condition, a, b) => match of(condition) {
                Some(0.0) => of(b),
                Some(_) => of(a),
                None => of(a).filter(|_| of(a) == of(b)),
            },
            _ => None,
        };
        values.push(value.filter(|value| value.is_finite()));
    }
    values
}

fn rewritten(pool: &mut Pool, e: ExprId, vanishes: &impl Fn(ExprId) -> bool) -> ExprId {
    let mut made: rustc_hash::FxHashMap<ExprId, ExprId> = rustc_hash::FxHashMap::default();
    for part in pool.below(&[e]) {
        let new = if vanishes(part) {
            pool.number(0.0)
        } else {
            pool.with_operands(pool.node(part), |operand| made[&operand])
        };
        made.insert(part, new);
    }
    made[&e]
}

/// Derivatives that nothing speaks of are nothing to be determined; the last ones first.
fn forget_derivatives(equations: &mut Cow<'_, Equations>) {
    if !equations.variables.iter().any(|variable| matches!(variable.kind, Kind::Derivative { .. })) {
        return;
    }
    let mut spoken_of = vec![false; equations.variables.len()];
    for e in equations.pool.below(&all_expressions(equations)) {
        if let Node::Variable(v) = equations.pool.node(e) {
            spoken_of[v.index()] = true;
        }
    }
    let mut derivatives = equations.derivatives();
    for v in (0..spoken_of.len()).rev() {
        let Kind::Derivative { of } = equations.variables[v].kind else { continue };
        if !spoken_of[v] && derivatives[v].is_none() {
            if derivatives[of.index()] == Some(VarId(v as u32)) {
                derivatives[of.index()] = None;
            }
            let forgotten = &mut equations.to_mut().variables[v];
            forgotten.kind = Kind::Given;
            forgotten.is_hidden = true;
            forgotten.name = format!("{}, which vanished", forgotten.name);
        }
    }
}

/// Everything that the model says about its unknowns.
fn all_expressions(equations: &Equations) -> Vec<ExprId> {
    let events = &equations.events;
    let sides = equations.equations.iter().chain(&equations.initial).flat_map(|e| [e.lhs, e.rhs]);
    let borders = events.crossings.iter().map(|crossing| match crossing.border {
        rhei_equations::Border::Zero { difference, .. } => difference,
        rhei_equations::Border::Time { at } => at,
        rhei_equations::Border::Whole { value } => value,
    });
    let samples = events.samples.iter().flat_map(|sample| [sample.start, sample.interval]);
    let reinits = events.reinits.iter().flat_map(|reinit| [reinit.value, reinit.active]);
    let delays = events.delays.iter().flat_map(|delay| [delay.value, delay.by, delay.most]);
    let terminations =
        events.terminations.iter().map(|termination| (termination.active, &termination.message));
    let asserts = equations.asserts.iter().map(|assert| (assert.condition, &assert.message));
    let said = terminations.chain(asserts).flat_map(|(condition, text)| {
        let values = text.parts.iter().filter_map(|part| match part {
            TextPart::Value { value, .. } => Some(*value),
            TextPart::Literal(_) => None,
        });
        values.chain([condition])
    });
    sides.chain(borders).chain(samples).chain(reinits).chain(delays).chain(said).collect()
}
