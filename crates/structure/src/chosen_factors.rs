//! Factors chosen by a condition, one of which is zero: `v = s*(if off then 1 else Ron)` without a resistance.
//!
//! In: the equations of a model. Out: the same, with the condition around the product, where the zero takes the rest of the product
//! with it; as far as another product vanishes on the other side of the condition, since only then the structure may change. Whether a branch is zero decides about the structure, so a parameter that is bound to zero and is such a branch is
//! settled ([`with_settled_zeros`]): another value of it is another compilation. All other parameters stay values of the run.

use std::borrow::Cow;

use rhei_equations::{Binary, Equation, Equations, ExprId, Kind, Node, Pool, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::held::Held;
use crate::vanishing::zeros;

/// Most parameters that a parameter is computed from, one from the other.
const DEEPEST: u32 = 64;

/// The equations in which parameters are settled that are bound to zero and stand in a branch of a chosen factor.
pub fn with_settled_zeros(equations: &Equations) -> Cow<'_, Equations> {
    let mut settled: FxHashSet<VarId> = FxHashSet::default();
    for branch in branches(equations) {
        if value(equations, branch, DEEPEST) == Some(0.0) {
            parameters_below(equations, branch, &mut settled);
        }
    }
    settled.retain(|&v| !equations.variable(v).structural && equations.variable(v).kind == Kind::Parameter);
    if settled.is_empty() {
        return Cow::Borrowed(equations);
    }
    let mut made = equations.copy_with_room();
    for v in settled {
        let bound = equations.variable(v).binding.and_then(|binding| value(equations, binding, DEEPEST));
        let Some(bound) = bound else { continue };
        let binding = made.pool.number(bound);
        let variable = &mut made.variables[v.index()];
        (variable.structural, variable.binding) = (true, Some(binding));
    }
    Cow::Owned(made)
}

/// Whether a parameter would be settled if it were zero: it is a branch of a chosen factor, or such a branch is computed from it.
pub fn may_shape_as_zero(equations: &Equations, v: VarId) -> bool {
    let mut found = FxHashSet::default();
    branches(equations).into_iter().for_each(|branch| parameters_below(equations, branch, &mut found));
    found.contains(&v)
}

/// The branches, made of parameters, of factors in continuous equations that are chosen by a condition held between events.
fn branches(equations: &Equations) -> Vec<ExprId> {
    let held = Held::of(equations);
    let continuous = equations.equations.iter().filter(|equation| !equation.is_discrete);
    let sides: Vec<ExprId> = continuous.flat_map(|equation| [equation.lhs, equation.rhs]).collect();
    let mut found = Vec::new();
    for e in equations.pool.below(&sides) {
        for factor in factors(&equations.pool, e) {
            if let (Some(_), Node::If(_, then, other)) =
                (held.condition_of(equations, factor), equations.pool.node(factor))
            {
                found.extend([then, other]);
            }
        }
    }
    let is_parameter = |v: VarId| equations.variable(v).is_parameter();
    found.retain(|&e| {
        let variables = equations.pool.variables_of(e);
        !variables.is_empty() && variables.into_iter().all(is_parameter)
    });
    found.sort_unstable();
    found.dedup();
    found
}

/// What a product multiplies.
fn factors(pool: &Pool, e: ExprId) -> Vec<ExprId> {
    match pool.node(e) {
        Node::Binary(Binary::Mul, a, b) => vec![a, b],
        Node::Binary(Binary::Div, a, _) => vec![a],
        _ => Vec::new(),
    }
}

/// The value that bindings give, of sums and products; none of anything else.
fn value(equations: &Equations, e: ExprId, depth: u32) -> Option<f64> {
    let depth = depth.checked_sub(1)?;
    let of = |e: ExprId| value(equations, e, depth);
    match equations.pool.node(e) {
        Node::Number(bits) => Some(f64::from_bits(bits)),
        Node::Variable(v) => {
            let variable = equations.variable(v);
            of(variable.binding.filter(|_| variable.is_parameter())?)
        }
        Node::Negate(a) => of(a).map(|a| -a),
        Node::Binary(op @ (Binary::Add | Binary::Sub | Binary::Mul | Binary::Div), a, b) => {
            Some(op.value(of(a)?, of(b)?)).filter(|value| value.is_finite())
        }
        _ => None,
    }
}

/// The parameters that an expression is computed from, by way of bindings too.
fn parameters_below(equations: &Equations, e: ExprId, found: &mut FxHashSet<VarId>) {
    let mut open = vec![e];
    while let Some(e) = open.pop() {
        for v in equations.pool.variables_of(e) {
            if found.insert(v) {
                open.extend(equations.variable(v).binding);
            }
        }
    }
}

/// The equations with conditions around the products of which they make a factor zero.
pub(crate) fn with_choices_outside(equations: &Equations) -> Cow<'_, Equations> {
    let zeros = zeros(equations);
    let held = Held::of(equations);
    let is_zero = |e: ExprId| zeros.get(e.0 as usize).is_some_and(|is_zero| *is_zero);
    let either = with_zeros_on_both_sides(equations, &held, &is_zero);
    let has_zero = |e: ExprId| match equations.pool.node(e) {
        Node::If(condition, then, other) => either.contains(&condition) && (is_zero(then) || is_zero(other)),
        _ => false,
    };
    let mut made: Cow<'_, Equations> = Cow::Borrowed(equations);
    for (place, equation) in equations.equations.iter().enumerate().filter(|(_, one)| !one.is_discrete) {
        let below = equations.pool.below(&[equation.lhs, equation.rhs]);
        let is_concerned = |&e: &ExprId| factors(&equations.pool, e).into_iter().any(has_zero);
        if !below.iter().any(is_concerned) {
            continue;
        }
        let made = match &mut made {
            Cow::Owned(made) => made,
            borrowed => {
                *borrowed = Cow::Owned(equations.copy_with_room());
                borrowed.to_mut()
            }
        };
        let mut new: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for e in below {
            let choice = factors(&equations.pool, e).into_iter().find(|&factor| has_zero(factor));
            let rewritten = match (choice, equations.pool.node(e), choice.map(|c| equations.pool.node(c))) {
                (Some(choice), Node::Binary(op, a, b), Some(Node::If(condition, then, other))) => {
                    let mut branch = |own: ExprId| {
                        if is_zero(own) {
                            return made.pool.number(0.0);
                        }
                        let operand = |e: ExprId| if e == choice { new[&own] } else { new[&e] };
                        let (a, b) = (operand(a), operand(b));
                        made.pool.binary(op, a, b)
                    };
                    let (then, other) = (branch(then), branch(other));
                    made.pool.if_else(new[&condition], then, other)
                }
                (_, node, _) => made.pool.with_operands(node, |operand| new[&operand]),
            };
            new.insert(e, rewritten);
        }
        let (lhs, rhs) = (new[&equation.lhs], new[&equation.rhs]);
        made.equations[place] = Equation { lhs, rhs, ..equation.clone() };
    }
    made
}

/// Conditions by which one factor vanishes where they hold, and another where they do not: what is left of the products then differs.
fn with_zeros_on_both_sides(
    equations: &Equations,
    held: &Held,
    is_zero: &impl Fn(ExprId) -> bool,
) -> FxHashSet<ExprId> {
    let (mut in_then, mut in_else) = (FxHashSet::default(), FxHashSet::default());
    let continuous = equations.equations.iter().filter(|equation| !equation.is_discrete);
    let sides: Vec<ExprId> = continuous.flat_map(|equation| [equation.lhs, equation.rhs]).collect();
    for e in equations.pool.below(&sides) {
        for factor in factors(&equations.pool, e) {
            if let (Some(condition), Node::If(_, then, other)) =
                (held.condition_of(equations, factor), equations.pool.node(factor))
            {
                in_then.extend(is_zero(then).then_some(condition));
                in_else.extend(is_zero(other).then_some(condition));
            }
        }
    }
    in_then.intersection(&in_else).copied().collect()
}

#[cfg(test)]
mod tests {
    use rhei_equations::read;

    use super::*;

    const DIODE: &str = "\
model Diode
  parameter Ron = R0
  parameter R0 = 0
  parameter Goff = 0
  unknown v
  unknown i
  unknown s
  unknown discrete Boolean off
equation
  v = s*(if off then 1 else Ron)
  i = (if off then Goff else 1)*s
  v + 3*i = time
  off = time > 1
";

    #[test]
    fn a_zero_branch_takes_the_product_with_it() {
        let read = read(DIODE).unwrap();
        let settled = with_settled_zeros(&read);
        let is_settled = |name: &str| settled.variable(settled.variable_named(name).unwrap()).structural;
        assert!(is_settled("Ron") && is_settled("R0") && is_settled("Goff"));
        let outside = with_choices_outside(&settled);
        let texts: Vec<String> =
            outside.equations.iter().map(|equation| outside.notation().equation(equation)).collect();
        assert_eq!(texts[0], "v = if off then s else 0");
        assert_eq!(texts[1], "i = if off then 0 else s");
    }

    /// With a conductance beside it, `s` is in an equation whatever the condition says: the structure stays.
    #[test]
    fn a_zero_on_one_side_alone_decides_nothing() {
        let read = read(&DIODE.replace("Goff = 0", "Goff = 2")).unwrap();
        let settled = with_settled_zeros(&read);
        assert!(matches!(with_choices_outside(&settled), Cow::Borrowed(_)));
    }

    #[test]
    fn other_values_stay_values_of_the_run() {
        let read = read(&DIODE.replace("R0 = 0", "R0 = 1e-5").replace("Goff = 0", "Goff = 1e-5")).unwrap();
        assert!(matches!(with_settled_zeros(&read), Cow::Borrowed(_)));
        assert!(may_shape_as_zero(&read, read.variable_named("R0").unwrap()));
        assert!(matches!(with_choices_outside(&read), Cow::Borrowed(_)));
    }
}
