//! Diagnostics of chattering, in the modeller's words: the state, and the expression that switches without an
//! event.

use rhei_equations::{ExprId, Node, Pool, VarId, number};
use rhei_model::CompiledModel;
use rhei_numerics::Side;
use rhei_solvable::Block;
use rhei_solve::failure::{AsWritten, causes, instant, state_name};
use rhei_solve::problem::ModelProblem;
use rhei_source::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

/// A state that goes back and forth over a jump of its derivative since a time, and has come to `t`.
pub(crate) fn of_chattering(
    problem: &mut ModelProblem,
    state: usize,
    (since, t): (f64, f64),
    sides: &[Side; 2],
) -> Diagnostic {
    let model = problem.model.clone();
    let derivative = model.solvable.states[state].derivative;
    let name = state_name(&model, state);
    let short = |rate: f64| number(format!("{rate:.5e}").parse().unwrap_or(rate));
    let switching = switching(problem, derivative, sides);
    let because = match &switching {
        Some(found) => format!(
            ", as `{}` switches without an event",
            AsWritten::new(&model, found.target, found.expression).text
        ),
        None => String::new(),
    };
    let since =
        if instant(since) == instant(t) { String::new() } else { format!("from t = {} on ", instant(since)) };
    let message = format!(
        "{name} chatters {since}and is stuck at t = {}: its derivative jumps between {} and {} from step to step{because}",
        instant(t),
        short(sides[0].rate),
        short(sides[1].rate)
    );
    let mut said = Diagnostic::error("chattering", message);
    let target = switching.as_ref().and_then(|found| found.target).unwrap_or(derivative);
    for (span, text) in causes(&model, target) {
        if said.labels.iter().all(|label| label.span != span) {
            said = said.at(span, text);
        }
    }
    said.with_note(switching.map_or(ANY, |found| found.advice))
}

/// Advice on replacements for an expression that switches.
const ANY: &str = "a jump that the solution is led back to from both sides has no solution beyond it: write a steep but continuous function, or a state of rest with a hysteresis";
const OF_SIGN: &str = "write a steep but continuous function, such as `tanh(v/v0)` with a small `v0` for `sign(v)`, or a mode of rest that is left by a condition of its own, as dry friction is";
const OF_RELATION: &str = "without `noEvent` the switch is an event; where both sides lead back to it, a hysteresis (with `pre`), a mode of rest, or a steep but continuous function is needed";

/// An expression that has another value on either side of a jump.
struct Switching {
    expression: ExprId,
    /// The variable computed from it.
    target: Option<VarId>,
    advice: &'static str,
}

/// The expression that switches between two points, among those that a derivative is computed from.
fn switching(problem: &mut ModelProblem, derivative: VarId, sides: &[Side; 2]) -> Option<Switching> {
    let model = problem.model.clone();
    let candidates = candidates(&model, derivative);
    let mut at =
        |side: &Side| -> Option<Vec<f64>> { problem.evaluate(side.t, &side.state).ok().map(<[f64]>::to_vec) };
    let values = [at(&sides[0])?, at(&sides[1])?];
    let time = model.code.time().index();
    let mut known = [FxHashMap::default(), FxHashMap::default()];
    let pool = &model.equations.pool;
    candidates.into_iter().find(|found| {
        let [left, right] = [0, 1].map(|i| value(pool, found.expression, &values[i], time, &mut known[i]));
        left.zip(right).is_some_and(|(left, right)| left != right)
    })
}

/// All expressions that may switch without an event and that a derivative is computed from: `sign` first, then comparisons, then
/// rounding functions. Comparisons left in formulas between events are those inside `noEvent`.
fn candidates(model: &CompiledModel, derivative: VarId) -> Vec<Switching> {
    let pool = &model.equations.pool;
    let mut wanted: FxHashSet<VarId> = FxHashSet::from_iter([derivative]);
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    let mut found = Vec::new();
    for block in model.solvable.continuous.iter().rev() {
        if !block.targets().iter().any(|v| wanted.contains(v)) {
            continue;
        }
        for (target, value) in formulas(block) {
            wanted.extend(pool.variables_of(value));
            for e in pool.below(&[value]) {
                let advice = match pool.node(e) {
                    Node::Call(f, _) if f.has_step_at_zero() => OF_SIGN,
                    Node::Call(f, _) if f.has_steps() => ANY,
                    Node::Relation(..) => OF_RELATION,
                    _ => continue,
                };
                if seen.insert(e) {
                    found.push(Switching { expression: e, target, advice });
                }
            }
        }
    }
    found.sort_by_key(|found| [OF_SIGN, OF_RELATION, ANY].iter().position(|known| *known == found.advice));
    found
}

/// The formulas of a block, each with its target; those of a loop have none, since its residuals determine
/// all unknowns together.
fn formulas(block: &Block) -> Vec<(Option<VarId>, ExprId)> {
    match block {
        Block::Assign(assignment) => vec![(Some(assignment.target), assignment.value)],
        Block::Solve(torn) => {
            let following =
                torn.following.iter().map(|assignment| (Some(assignment.target), assignment.value));
            let guess = torn.guessed.first().copied();
            following.chain(torn.residuals.iter().map(|residual| (guess, residual.value))).collect()
        }
        Block::Settle(settle) => settle.blocks.iter().flat_map(formulas).collect(),
    }
}

/// The value of an expression at these values of all variables; none if a function is called.
fn value(
    pool: &Pool,
    e: ExprId,
    values: &[f64],
    time: usize,
    known: &mut FxHashMap<ExprId, Option<f64>>,
) -> Option<f64> {
    let truth = |holds: bool| f64::from(u8::from(holds));
    for part in pool.below_but(&[e], |e| known.contains_key(&e)) {
        let of = |e: ExprId| known.get(&e).copied().flatten();
        let both = |a: ExprId, b: ExprId| of(a).zip(of(b));
        let found = match pool.node(part) {
            Node::Number(bits) => Some(f64::from_bits(bits)),
            Node::Truth(is_true) => Some(truth(is_true)),
            Node::Variable(v) => Some(values[v.index()]),
            Node::Time => Some(values[time]),
            Node::Negate(a) => of(a).map(|a| -a),
            Node::Binary(op, a, b) => both(a, b).map(|(a, b)| op.value(a, b)),
            Node::Call(f, a) => of(a).map(|a| f.value(a)),
            Node::Relation(relation, a, b) => both(a, b).map(|(a, b)| truth(relation.holds(a, b))),
            Node::Not(a) => of(a).map(|a| 1.0 - a),
            Node::And(a, b) => both(a, b).map(|(a, b)| a * b),
            Node::Or(a, b) => both(a, b).map(|(a, b)| a.max(b)),
            Node::If(condition, a, b) => of(condition).and_then(|holds| of(if holds != 0.0 { a } else { b })),
            // whole numbers do not switch between events
            Node::Whole(..) | Node::Large(_) | Node::Invoke(_) | Node::Output(..) => None,
        };
        known.insert(part, found);
    }
    known.get(&e).copied().flatten()
}
