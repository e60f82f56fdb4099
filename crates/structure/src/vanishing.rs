//! Terms that are multiplied by a zero known before the run vanish, and with them the ties between their
//! variables.
//!
//! In: the equations of a model. Out: the same without such terms. A capacitance that is settled to be zero leaves no state
//! behind, and a resistance no voltage: with the term the model would have another index than it has. Zeros are settled
//! parameters of value zero, and unknowns that an equation makes zero; outside of products they stay by their names. A derivative
//! that stands in no equation any more is no unknown either.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rhei_equations::{
    Binary, Equation, Equations, ExprId, Kind, LARGEST_PLAIN, Node, Pool, Scalar, Split, VarId, Variable,
};

/// The equations without vanishing terms.
pub(crate) fn without_vanishing(equations: &Equations) -> Cow<'_, Equations> {
    let mut made = without_zero_terms(equations);
    // a variable missing in one mode may be in another
    if equations.guards.is_empty() {
        forget_derivatives(&mut made);
    }
    made
}

/// The equations without terms that are multiplied by zero.
pub(crate) fn without_zero_terms(equations: &Equations) -> Cow<'_, Equations> {
    let zeros = zeros(equations);
    let vanishes = |e: ExprId| zeros[e.0 as usize] && is_product(&equations.pool, e);
    let changes = with_parts(&equations.pool, vanishes);
    let mut made: Cow<'_, Equations> = Cow::Borrowed(equations);
    let is_changed =
        |equation: &Equation| changes[equation.lhs.0 as usize] || changes[equation.rhs.0 as usize];
    if equations.equations.iter().any(is_changed) {
        made = Cow::Owned(equations.copy_with_room());
    }
    for (place, equation) in equations.equations.iter().enumerate() {
        if is_changed(equation) {
            let made = made.to_mut();
            let lhs = rewritten(&mut made.pool, equation.lhs, &vanishes);
            let rhs = rewritten(&mut made.pool, equation.rhs, &vanishes);
            made.equations[place] = Equation { lhs, rhs, ..equation.clone() };
        }
    }
    made
}

/// For each expression, whether it has such a part, or is one. Operands stand before their users.
fn with_parts(pool: &Pool, is_such: impl Fn(ExprId) -> bool) -> Vec<bool> {
    let mut has = Vec::with_capacity(pool.len());
    for id in (0..pool.len() as u32).map(ExprId) {
        let is_in = is_such(id) || pool.operands(pool.node(id)).any(|operand| has[operand.0 as usize]);
        has.push(is_in);
    }
    has
}

fn is_product(pool: &Pool, e: ExprId) -> bool {
    matches!(pool.node(e), Node::Binary(Binary::Mul | Binary::Div, ..))
}

/// For each expression, whether it is zero whatever the unknowns are.
pub(crate) fn zeros(equations: &Equations) -> Vec<bool> {
    let settled = |v: &Variable| v.kind == Kind::Constant || (v.kind == Kind::Parameter && v.structural);
    let number = |e: ExprId| match equations.pool.node(e) {
        Node::Number(bits) => f64::from_bits(bits),
        Node::Truth(truth) => f64::from(u8::from(truth)),
        _ => UNKNOWN,
    };
    let variables = equations.variables.iter();
    let known = variables.map(|v| v.binding.filter(|_| settled(v)).map_or(UNKNOWN, number)).collect();
    let mut zeros = Zeros { equations, known, values: Vec::with_capacity(equations.pool.len()) };
    for id in (0..equations.pool.len() as u32).map(ExprId) {
        let value = zeros.value(id);
        zeros.values.push(value.unwrap_or(UNKNOWN));
    }
    let found: Vec<ExprId> = (0..equations.equations.len()).filter_map(|place| zeros.find(place)).collect();
    if !found.is_empty() {
        zeros.follow(found);
    }
    zeros.values.into_iter().map(|value| value == 0.0).collect()
}

/// Values known before the run.
struct Zeros<'a> {
    equations: &'a Equations,
    /// Of variables, or [`UNKNOWN`].
    known: Vec<f64>,
    /// Of expressions that do not depend on unknowns, or [`UNKNOWN`]; truth is one.
    values: Vec<f64>,
}

/// Not a number, as no value is: one array of numbers is half as large as one of numbers that may be missing.
const UNKNOWN: f64 = f64::NAN;

fn if_known(value: f64) -> Option<f64> {
    (!value.is_nan()).then_some(value)
}

impl Zeros<'_> {
    /// Whether an equation says that an unknown is zero of which that was not known: the unknown.
    fn find(&mut self, place: usize) -> Option<ExprId> {
        let equation = &self.equations.equations[place];
        // what a balance makes zero is so where its flow rests, and not on the way there
        if equation.is_discrete || equation.balance.is_some() {
            return None;
        }
        for (side, other) in [(equation.lhs, equation.rhs), (equation.rhs, equation.lhs)] {
            let Node::Variable(v) = self.equations.pool.node(side) else { continue };
            let variable = self.equations.variable(v);
            let counts =
                variable.kind == Kind::Unknown && variable.scalar == Scalar::Real && !variable.is_discrete;
            if counts && self.known[v.index()].is_nan() && self.values[other.0 as usize] == 0.0 {
                self.known[v.index()] = 0.0;
                return Some(side);
            }
        }
        None
    }

    /// Propagates known values to other expressions, and by them to other unknowns. An expression is visited when one of its
    /// operands has a new value, operands before their users.
    fn follow(&mut self, found: Vec<ExprId>) {
        let pool = &self.equations.pool;
        let all = || (0..pool.len() as u32).map(ExprId);
        let users = Lists::new(pool.len(), || {
            all().flat_map(|user| pool.operands(pool.node(user)).map(move |operand| (operand.0, user.0)))
        });
        let sides = Lists::new(pool.len(), || {
            let equations = self.equations.equations.iter().enumerate();
            equations.flat_map(|(i, equation)| [equation.lhs, equation.rhs].map(|side| (side.0, i as u32)))
        });
        let mut open: BinaryHeap<Reverse<u32>> = found.into_iter().map(|e| Reverse(e.0)).collect();
        while let Some(Reverse(e)) = open.pop() {
            let value = self.value(ExprId(e));
            if value == if_known(self.values[e as usize]) {
                continue;
            }
            self.values[e as usize] = value.unwrap_or(UNKNOWN);
            open.extend(users.of(e).iter().map(|&user| Reverse(user)));
            for &place in sides.of(e) {
                open.extend(self.find(place as usize).map(|e| Reverse(e.0)));
            }
        }
    }

    /// The value of an expression, from those of its operands.
    fn value(&self, e: ExprId) -> Option<f64> {
        let of = |e: ExprId| if_known(self.values[e.0 as usize]);
        let truth = |is: bool| Some(f64::from(u8::from(is)));
        let value = match self.equations.pool.node(e) {
            Node::Number(bits) => Some(f64::from_bits(bits)),
            Node::Truth(is) => truth(is),
            Node::Variable(v) => self.known.get(v.index()).copied().and_then(if_known),
            Node::Negate(a) => of(a).map(|a| -a),
            Node::Whole(op, a, b) => {
                let whole = |e| of(e).and_then(|nearest| Split { nearest, rest: 0.0 }.whole());
                let value = whole(a).zip(whole(b)).and_then(|(a, b)| op.value(a, b))?;
                Some(value as f64).filter(|value| value.abs() <= LARGEST_PLAIN)
            }
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
        value.filter(|value| value.is_finite())
    }
}

/// For each number below some bound, a list of numbers.
struct Lists {
    begin: Vec<u32>,
    all: Vec<u32>,
}

impl Lists {
    /// From pairs of a number and one of its list, which are gone through twice.
    fn new<I: Iterator<Item = (u32, u32)>>(n: usize, pairs: impl Fn() -> I) -> Lists {
        let mut begin = vec![0_u32; n + 2];
        pairs().for_each(|(of, _)| begin[of as usize + 2] += 1);
        (2..begin.len()).for_each(|i| begin[i] += begin[i - 1]);
        let mut all = vec![0; begin[n + 1] as usize];
        for (of, one) in pairs() {
            let next = &mut begin[of as usize + 1];
            all[*next as usize] = one;
            *next += 1;
        }
        Lists { begin, all }
    }

    fn of(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.all[self.begin[number] as usize..self.begin[number + 1] as usize]
    }
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

/// Unused derivatives become known; the highest ones first.
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
            forgotten.name = format!("{}, which vanished", forgotten.name).into();
        }
    }
}

/// All expressions of the model that hold unknowns.
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
    let said = terminations.chain(asserts);
    let said = said.flat_map(|(condition, text)| text.values().into_iter().chain([condition]));
    let effects = events.effects.iter();
    let effects = effects.flat_map(|effect| effect.values().into_iter().chain([effect.active]));
    sides.chain(borders).chain(samples).chain(reinits).chain(delays).chain(said).chain(effects).collect()
}
