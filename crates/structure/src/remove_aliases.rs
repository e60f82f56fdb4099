//! Variables that are further names of others need not be computed.
//!
//! In: a model whose states are chosen. Out: its aliases, each with the variable, the negative of one, the parameter or the
//! number that it stands for. The equation that says so is dropped, and everything else is written with the one name that stays.
//!
//! Two names that both must stay (states, derivatives of states, variables with a value before an event, candidates of state
//! sets) keep the equation between them. Of other names the one stays that has a `start` that is fixed, or any `start`, and then
//! the simplest.

use std::cmp::Reverse;

use rhei_equations::{Binary, Dae, EqId, Equation, ExprId, Kind, Node, Pool, Scalar, VarId, Variable};
use rhei_solvable::{Assignment, Assumption, Cause, State, StateSet};

use crate::balance::balances;

/// Terms of an equation that are looked at for an alias.
const MOST_TERMS: usize = 8;

/// Aliases, and the equations dropped with them.
#[derive(Default)]
pub(crate) struct Removed {
    /// By id.
    pub(crate) aliases: Vec<Assignment>,
    is_removed: Vec<bool>,
    is_dropped: Vec<bool>,
}

impl Removed {
    /// Whether a variable is an alias.
    pub(crate) fn contains(&self, v: VarId) -> bool {
        self.is_removed.get(v.index()).copied().unwrap_or(false)
    }

    /// Whether an equation of the model only says that something is an alias.
    pub(crate) fn drops(&self, e: EqId) -> bool {
        self.is_dropped.get(e.index()).copied().unwrap_or(false)
    }
}

/// The aliases of a model with these states.
pub(crate) fn remove_aliases(
    equations: &Dae,
    states: &[State],
    sets: &[StateSet],
    assumptions: &[Assumption],
    unfixed: &[VarId],
    pool: &mut Pool,
) -> Removed {
    let stays = staying(equations, states, sets, assumptions);
    let n = equations.variables.len();
    let mut kinds: Vec<InTie> = equations.variables.iter().map(InTie::of).collect();
    unfixed.iter().for_each(|v| kinds[v.index()] = InTie::Other);
    let wanted: Vec<Wanted> = equations.variables.iter().map(Wanted::of).collect();
    let mut open = Vec::new();
    let mut classes = Classes { parent: (0..n as u32).map(|v| (v, false)).collect() };
    let mut numbers: Vec<ExprId> = Vec::new();
    let mut removed = Removed {
        aliases: Vec::new(),
        is_removed: vec![false; n],
        is_dropped: vec![false; equations.equations.len()],
    };
    let mut because: Vec<Option<EqId>> = vec![None; n];
    for (place, equation) in equations.equations.iter().enumerate() {
        let Some(tie) = tie(pool, equation, &kinds, &mut open) else { continue };
        let other = match tie.other {
            Other::Variable(v) => v.index(),
            Other::Number(e) => {
                numbers.push(e);
                classes.push()
            }
        };
        let (a, b) = (classes.root(tie.variable.index()), classes.root(other));
        let negated = (a.1 != b.1) != tie.is_negative;
        let must_stay = |root: usize| stays.get(root).copied().unwrap_or(true);
        if a.0 == b.0 || must_stay(a.0) && must_stay(b.0) {
            continue;
        }
        let key = |root: usize| (!must_stay(root), wanted.get(root), root);
        let (kept, gone) = if key(a.0) < key(b.0) { (a.0, b.0) } else { (b.0, a.0) };
        classes.parent[gone] = (kept as u32, negated);
        removed.is_removed[gone] = true;
        removed.is_dropped[place] = true;
        because[gone] = Some(EqId(place as u32));
    }
    for v in (0..n).filter(|&v| removed.is_removed[v]) {
        let (root, negated) = classes.root(v);
        let value = if root < n { pool.variable(VarId(root as u32)) } else { numbers[root - n] };
        let value = if negated { pool.negate(value) } else { value };
        let because = Cause::Equation(because[v].unwrap_or(EqId(0)));
        removed.aliases.push(Assignment { target: VarId(v as u32), value, because });
    }
    removed
}

/// Gives the names that stay the ranges of those that go: the value has to be in all of them.
pub(crate) fn join_ranges(equations: &mut Dae, removed: &Removed, pool: &mut Pool) {
    for alias in &removed.aliases {
        let (of, negated) = match pool.node(alias.value) {
            Node::Negate(inner) => (pool.node(inner), true),
            node => (node, false),
        };
        let Node::Variable(of) = of else { continue };
        let own = equations.variable(alias.target);
        let (mut min, mut max) = (own.min, own.max);
        if negated {
            (min, max) = (max.map(|e| pool.negate(e)), min.map(|e| pool.negate(e)));
        }
        let stays = &mut equations.variables[of.index()];
        if !stays.is_unknown() {
            continue;
        }
        for (end, other, op) in [(&mut stays.min, min, Binary::Max), (&mut stays.max, max, Binary::Min)] {
            let joined = match (*end, other) {
                (Some(end), Some(other)) if end != other => Some(pool.binary(op, end, other)),
                (end, other) => end.or(other),
            };
            *end = joined;
        }
    }
}

/// How much a name is wanted as the one that stays, of those that may go: the least is the best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Wanted {
    start: Reverse<(bool, bool)>,
    is_derivative: bool,
    dots: u32,
}

impl Wanted {
    fn of(variable: &Variable) -> Wanted {
        Wanted {
            start: Reverse((variable.fixed, variable.start.is_some())),
            is_derivative: matches!(variable.kind, Kind::Derivative { .. }),
            dots: variable.name.bytes().filter(|&byte| byte == b'.').count() as u32,
        }
    }
}

/// By variable, whether it must be computed under its own name.
fn staying(equations: &Dae, states: &[State], sets: &[StateSet], assumptions: &[Assumption]) -> Vec<bool> {
    let mut stays: Vec<bool> = equations.variables.iter().map(|variable| !may_go(variable)).collect();
    for variable in &equations.variables {
        if let Kind::Pre { of } = variable.kind {
            stays[of.index()] = true;
        }
    }
    let integrated = states.iter().flat_map(|state| [state.variable, state.derivative]);
    let in_sets = sets.iter().flat_map(|set| {
        set.candidates.iter().chain(&set.dummies).chain(&set.others).chain(&set.manifold.unknowns)
    });
    let assumed =
        assumptions.iter().flat_map(|assumption| assumption.solved_for.iter().chain(&assumption.from));
    let balanced = balances(equations).map(|(_, balance)| balance.variable);
    let set_anew = equations.events.reinits.iter().map(|reinit| reinit.target);
    integrated
        .chain(in_sets.chain(assumed).copied())
        .chain(set_anew)
        .chain(balanced)
        .for_each(|v| stays[v.index()] = true);
    stays
}

fn may_go(variable: &Variable) -> bool {
    variable.is_unknown() && !variable.is_discrete && variable.scalar == Scalar::Real
}

/// An unknown that is something else, or its negative.
struct Tie {
    variable: VarId,
    other: Other,
    is_negative: bool,
}

enum Other {
    Variable(VarId),
    Number(ExprId),
}

/// Role of a variable in an equation that may be a tie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InTie {
    /// It may be a further name.
    Unknown,
    /// A number that is known before the run.
    Known,
    Other,
}

impl InTie {
    fn of(variable: &Variable) -> InTie {
        if may_go(variable) {
            InTie::Unknown
        } else if variable.is_parameter() && variable.scalar == Scalar::Real {
            InTie::Known
        } else {
            InTie::Other
        }
    }
}

fn tie(pool: &Pool, equation: &Equation, kinds: &[InTie], open: &mut Vec<(ExprId, bool)>) -> Option<Tie> {
    if equation.is_discrete || equation.balance.is_some() {
        return None;
    }
    open.clear();
    open.extend([(equation.lhs, false), (equation.rhs, true)]);
    // one of each is too many, but for two unknowns and nothing that is known
    let mut unknowns: [Option<(VarId, bool)>; 2] = [None; 2];
    let mut known: Option<(Other, bool)> = None;
    fn put<T>(places: &mut [Option<T>], new: T) -> Option<()> {
        *places.iter_mut().find(|place| place.is_none())? = Some(new);
        Some(())
    }
    for _ in 0..MOST_TERMS {
        let Some((e, negated)) = open.pop() else { break };
        match pool.node(e) {
            Node::Binary(Binary::Add, a, b) => open.extend([(a, negated), (b, negated)]),
            Node::Binary(Binary::Sub, a, b) => open.extend([(a, negated), (b, !negated)]),
            Node::Negate(a) => open.push((a, !negated)),
            Node::Variable(v) => match kinds[v.index()] {
                InTie::Unknown => put(&mut unknowns, (v, negated))?,
                InTie::Known => put(std::slice::from_mut(&mut known), (Other::Variable(v), negated))?,
                InTie::Other => return None,
            },
            Node::Number(bits) if f64::from_bits(bits) == 0.0 => {}
            Node::Number(_) => put(std::slice::from_mut(&mut known), (Other::Number(e), negated))?,
            _ => return None,
        }
    }
    if !open.is_empty() {
        return None;
    }
    match (unknowns, known) {
        ([Some((variable, one)), Some((other, two))], None) if variable != other => {
            Some(Tie { variable, other: Other::Variable(other), is_negative: one == two })
        }
        ([Some((variable, one)), None], Some((other, two))) => {
            Some(Tie { variable, other, is_negative: one == two })
        }
        _ => None,
    }
}

/// Each member with the one it is the same as, and whether it is the negative of that.
struct Classes {
    parent: Vec<(u32, bool)>,
}

impl Classes {
    fn push(&mut self) -> usize {
        self.parent.push((self.parent.len() as u32, false));
        self.parent.len() - 1
    }

    fn root(&mut self, member: usize) -> (usize, bool) {
        let (mut root, mut negated) = (member as u32, false);
        while self.parent[root as usize].0 != root {
            let (parent, turned) = self.parent[root as usize];
            negated ^= turned;
            root = parent;
        }
        let (mut next, mut left) = (member as u32, negated);
        while self.parent[next as usize].0 != root && next != root {
            let (parent, turned) = std::mem::replace(&mut self.parent[next as usize], (root, left));
            left ^= turned;
            next = parent;
        }
        (root as usize, negated)
    }
}

#[cfg(test)]
mod tests {
    use rhei_equations::read;

    use super::*;

    /// Each alias with its value, for a model whose state is `x`.
    fn aliases(text: &str) -> Vec<String> {
        let model = read(text).unwrap();
        let x = model.variable_named("x").unwrap();
        let state = State { variable: x, derivative: model.derivatives()[x.index()].unwrap() };
        let mut pool = model.pool.clone();
        let removed = remove_aliases(&model, &[state], &[], &[], &[], &mut pool);
        let notation = model.notation_in(&pool);
        let text = |alias: &Assignment| {
            format!("{} = {}", model.variable(alias.target).name, notation.expression(alias.value))
        };
        removed.aliases.iter().map(text).collect()
    }

    #[test]
    fn chains_end_at_what_must_stay() {
        let found = aliases(
            "model M\n  parameter p\n  unknown x\n  derivative der(x)\n  unknown a\n  unknown b\n  unknown c.d\n  unknown e\n  unknown f\n  unknown g(start = 1)\n  unknown h\n\
             equation\n  a = -b\n  0 = b + x\n  der(x) = c.d\n  c.d = -a\n  e = p\n  f - 3 = 0\n  h = g\n  g = sin(x)\n",
        );
        assert_eq!(found, ["a = x", "b = -x", "c.d = der(x)", "e = p", "f = 3", "h = g"]);
    }

    /// `x` and its derivative are both integrated, as it were: the equation between them stays.
    #[test]
    fn what_must_stay_stays() {
        assert_eq!(
            aliases(
                "model M\n  unknown x\n  derivative der(x)\n  unknown a\nequation\n  der(x) = a\n  a = x\n"
            ),
            ["a = der(x)"]
        );
    }
}
