//! Expressions to instructions. Subexpressions that formulas of a program share are computed once.

use std::sync::Arc;

use rhei_equations::{
    Binary, ByExpression, CallId, ExprId, LARGEST_PLAIN, Node, Pool, Shape, Split, VarId, Whole,
};
use rhei_flat::{FunctionId, Scalar, Tables};
use rustc_hash::FxHashMap;

use crate::derivatives::Differentiator;
use crate::functions::{CallSite, OperandRest};
use crate::machine::Native;
use crate::program::{Instruction, Part, Program, Slot, WholeSite};

/// The array of values that all programs of a model share: variables, time, constants, temporaries.
///
/// Constants are met while assembling, and temporaries follow them; so temporaries are numbered from [`TEMPORARY`] first and
/// moved to their place by [`Layout::place`] when all programs are assembled.
pub(crate) struct Layout {
    n_variables: u32,
    constants: Vec<f64>,
    known: FxHashMap<u64, Slot>,
    n_temporaries: u32,
    n_loops: u32,
    pub(crate) functions: Differentiator,
    /// By variable: the original, if it is an alias.
    aliases: Vec<Option<ExprId>>,
    /// By variable: the variable of the low-order part of an Integer.
    rests: Vec<Option<VarId>>,
    /// Calls as machine code, by function and arguments.
    natives: FxHashMap<(FunctionId, Vec<Shape>, usize), Arc<Native>>,
}

/// First slot of temporaries that are not yet placed.
const TEMPORARY: u32 = 1 << 31;

impl Layout {
    pub(crate) fn new(n_variables: usize, functions: Arc<Tables>) -> Self {
        let n_variables = n_variables as u32;
        let functions = Differentiator::new(functions);
        Layout {
            n_variables,
            constants: Vec::new(),
            known: FxHashMap::default(),
            n_temporaries: 0,
            n_loops: 0,
            functions,
            aliases: Vec::new(),
            rests: Vec::new(),
            natives: FxHashMap::default(),
        }
    }

    /// The same, with aliases.
    pub(crate) fn with_aliases(self, aliases: impl Iterator<Item = (VarId, ExprId)>) -> Self {
        let mut by_variable = vec![None; self.n_variables as usize];
        aliases.for_each(|(v, e)| by_variable[v.index()] = Some(e));
        Layout { aliases: by_variable, ..self }
    }

    /// The same, with these low-order parts of Integers.
    pub(crate) fn with_rests(self, rests: Vec<Option<VarId>>) -> Self {
        Layout { rests, ..self }
    }

    /// The variable of the low-order part of an Integer.
    pub(crate) fn rest(&self, v: VarId) -> Option<VarId> {
        self.rests.get(v.index()).copied().flatten()
    }

    /// The machine code shared by all calls of one function with arguments and results of the same shapes.
    fn native(&mut self, site: &CallSite) -> Arc<Native> {
        let key = (site.function, site.arguments.clone(), site.n_results());
        self.natives.entry(key).or_default().clone()
    }

    /// The number of the next loop.
    pub(crate) fn next_loop(&mut self) -> u32 {
        self.n_loops += 1;
        self.n_loops - 1
    }

    pub(crate) fn time(&self) -> Slot {
        Slot(self.n_variables)
    }

    fn constant(&mut self, value: f64) -> Slot {
        let next = Slot(self.n_variables + 1 + self.constants.len() as u32);
        *self.known.entry(value.to_bits()).or_insert_with(|| {
            self.constants.push(value);
            next
        })
    }

    pub(crate) fn first_temporary(&self) -> usize {
        self.n_variables as usize + 1 + self.constants.len()
    }

    pub(crate) fn n_slots(&self) -> usize {
        self.first_temporary() + self.n_temporaries as usize
    }

    /// The initial values: constants in place, everything else NaN.
    pub(crate) fn initial_values(&self) -> Vec<f64> {
        let mut values = vec![f64::NAN; self.n_slots()];
        let first = self.n_variables as usize + 1;
        values[first..first + self.constants.len()].copy_from_slice(&self.constants);
        values
    }

    /// Gives a slot its place.
    pub(crate) fn placed(&self, slot: Slot) -> Slot {
        if slot.0 < TEMPORARY { slot } else { Slot(slot.0 - TEMPORARY + self.first_temporary() as u32) }
    }

    /// Gives the temporaries of a program their places.
    pub(crate) fn place(&self, program: &mut Program) {
        program.constants = self.n_variables + 1..self.first_temporary() as u32;
        let read = program.results.iter_mut().chain(&mut program.kept);
        read.for_each(|slot| *slot = self.placed(*slot));
        for instruction in &mut program.instructions {
            let at = |slot: &mut Slot| *slot = self.placed(*slot);
            match instruction {
                Instruction::Copy { to, a }
                | Instruction::Negate { to, a }
                | Instruction::Call { to, a, .. }
                | Instruction::Not { to, a } => {
                    at(to);
                    at(a);
                }
                Instruction::Binary { to, a, b, .. }
                | Instruction::Relation { to, a, b, .. }
                | Instruction::And { to, a, b }
                | Instruction::Or { to, a, b } => {
                    at(to);
                    at(a);
                    at(b);
                }
                Instruction::Whole { to, .. } => at(to),
                Instruction::JumpUnless { a, .. } => at(a),
                Instruction::Jump { .. } | Instruction::Invoke { .. } => {}
            }
        }
        for site in &mut program.wholes {
            site.operands = site.operands.map(|slot| self.placed(slot));
        }
        for site in &mut program.calls {
            site.operands.iter_mut().for_each(|slot| *slot = self.placed(*slot));
            site.rests.iter_mut().for_each(|rest| rest.slot = self.placed(rest.slot));
            site.first = self.placed(site.first);
        }
    }
}

/// Makes one program.
pub(crate) struct Assembler<'a> {
    pool: &'a Pool,
    layout: &'a mut Layout,
    program: Program,
    /// The slots of expressions that are computed on every path to the next instruction.
    available: ByExpression,
    /// The same for the rests of whole numbers.
    available_rests: ByExpression,
    /// Whether expressions may have a low-order part: 1 or 0.
    with_rest: ByExpression,
    /// Expressions computed inside the branches being assembled, to be forgotten at their end.
    in_branch: Vec<(ExprId, Part)>,
    branch_depth: usize,
    next_temporary: u32,
}

impl<'a> Assembler<'a> {
    pub(crate) fn new(pool: &'a Pool, layout: &'a mut Layout) -> Self {
        Assembler {
            pool,
            layout,
            program: Program::default(),
            available: ByExpression::default(),
            available_rests: ByExpression::default(),
            with_rest: ByExpression::default(),
            in_branch: Vec::new(),
            branch_depth: 0,
            next_temporary: 0,
        }
    }

    /// `target := value`, such that the variable may be set to another value afterwards: no other formula takes this one's
    /// value from there.
    pub(crate) fn assign_settable(&mut self, target: VarId, value: ExprId) {
        let a = self.value(value);
        self.emit(Instruction::Copy { to: target.into(), a }, value);
        self.end_target(target);
        self.assign_rest(target, value);
    }

    /// `target := value`
    pub(crate) fn assign(&mut self, target: VarId, value: ExprId) {
        let a = self.value(value);
        let to = Slot::from(target);
        // the last operation writes the variable itself if its temporary serves this value only
        match self.program.instructions.last_mut() {
            Some(last)
                if a.0 >= TEMPORARY && last.writes() == Some(a) && !is_kept_apart(self.pool, value) =>
            {
                last.redirect(to);
                self.available.insert(value, to.0);
            }
            _ => self.emit(Instruction::Copy { to, a }, value),
        }
        self.end_target(target);
        self.assign_rest(target, value);
    }

    /// Assigns the low-order part of an Integer: a formula of its own.
    fn assign_rest(&mut self, target: VarId, value: ExprId) {
        if let Some(rest) = self.layout.rest(target) {
            let a = self.part(value, Part::Rest);
            self.emit(Instruction::Copy { to: rest.into(), a }, value);
            self.end_target(rest);
        }
    }

    fn end_target(&mut self, target: VarId) {
        self.program.targets.push((target, self.program.instructions.len() as u32));
        self.cut();
    }

    /// Marks the end of a formula.
    fn cut(&mut self) {
        self.program.cuts.push(self.program.instructions.len() as u32);
    }

    /// The slot of `e`'s value at the end.
    pub(crate) fn kept(&mut self, e: ExprId) -> Slot {
        let slot = self.value(e);
        self.program.kept.push(slot);
        self.cut();
        slot
    }

    /// The slot of `e`'s low-order part at the end.
    pub(crate) fn kept_rest(&mut self, e: ExprId) -> Slot {
        let slot = self.part(e, Part::Rest);
        self.program.kept.push(slot);
        self.cut();
        slot
    }

    /// The slot of `e`'s value at the end, which is checked to be finite after every run.
    pub(crate) fn result(&mut self, e: ExprId) -> Slot {
        let slot = self.value(e);
        self.program.results.push(slot);
        self.cut();
        slot
    }

    pub(crate) fn finish(self) -> Program {
        let temporaries = self.next_temporary;
        self.layout.n_temporaries = self.layout.n_temporaries.max(temporaries);
        self.program
    }

    /// The slot of `e`'s value, after instructions that compute it.
    fn value(&mut self, e: ExprId) -> Slot {
        self.part(e, Part::Nearest)
    }

    /// The slot of a part of `e`'s value, after instructions that compute it.
    ///
    /// Works through a list instead of recursing: expressions may be as deep as models are long. Only `if` recurses, once per
    /// level of nesting the modeller wrote.
    fn part(&mut self, e: ExprId, part: Part) -> Slot {
        let e = self.named(e);
        let mut open = vec![(e, part)];
        while let Some(&(next, wanted)) = open.last() {
            if self.lookup(next, wanted).is_some() {
                open.pop();
                continue;
            }
            let node = self.pool.node(next);
            if let Node::If(condition, then, otherwise) = node {
                open.pop();
                self.branch(next, condition, then, otherwise);
                continue;
            }
            let before = open.len();
            self.push_missing(node, &mut open);
            if open.len() == before {
                open.pop();
                self.operation(next, wanted, node);
            } else {
                open[before..].reverse();
            }
        }
        self.lookup(e, part).expect("it was just computed")
    }

    /// Adds the operands of an operation that are not yet computed.
    fn push_missing(&mut self, node: Node, missing: &mut Vec<(ExprId, Part)>) {
        let pool = self.pool;
        let with_rests = match node {
            Node::Whole(..) | Node::Invoke(_) => true,
            Node::Relation(_, a, b) => self.differ_by_rests(a, b),
            _ => false,
        };
        let parts: &[Part] = if with_rests { &[Part::Nearest, Part::Rest] } else { &[Part::Nearest] };
        for operand in pool.operands(node) {
            let operand = self.named(operand);
            for &part in parts {
                if self.lookup(operand, part).is_none() {
                    missing.push((operand, part));
                }
            }
        }
    }

    /// Whether an expression is a whole number that may have a rest.
    fn may_have_rest(&mut self, e: ExprId) -> bool {
        let e = self.named(e);
        match self.pool.node(e) {
            Node::Variable(v) => self.layout.rest(v).is_some(),
            Node::Large(_) => true,
            // a remainder is less than its divisor
            Node::Whole(Whole::Remainder | Whole::Modulo, _, b) => !self.is_plain_number(b),
            Node::Whole(op, ..) => op != Whole::OfReal,
            Node::Output(invoked, place) => {
                let output = self.pool.output_of(invoked, place);
                output.is_some_and(|(call, scalar)| call.depth == 0 && scalar == Scalar::Integer)
            }
            Node::If(_, a, b) => match self.with_rest.get(e) {
                Some(known) => known == 1,
                None => {
                    let may = self.may_have_rest(a) || self.may_have_rest(b);
                    self.with_rest.insert(e, u32::from(may));
                    may
                }
            },
            _ => false,
        }
    }

    fn is_plain_number(&self, e: ExprId) -> bool {
        self.pool.as_number(e).is_some_and(|number| number.abs() < LARGEST_PLAIN)
    }

    /// Whether two compared numbers may differ in their low-order parts only.
    fn differ_by_rests(&mut self, a: ExprId, b: ExprId) -> bool {
        let could = |this: &mut Self, e: ExprId| {
            let is_number = this.pool.as_number(e).is_some();
            this.may_have_rest(e) || (is_number && !this.is_plain_number(e))
        };
        (self.may_have_rest(a) && could(self, b)) || (self.may_have_rest(b) && could(self, a))
    }

    /// The original of an alias; other expressions are their own.
    fn named(&self, e: ExprId) -> ExprId {
        match self.pool.node(e) {
            Node::Variable(v) => self.layout.aliases.get(v.index()).copied().flatten().unwrap_or(e),
            _ => e,
        }
    }

    fn lookup(&mut self, e: ExprId, part: Part) -> Option<Slot> {
        let e = self.named(e);
        match (self.pool.node(e), part) {
            (Node::Variable(v), Part::Nearest) => Some(v.into()),
            (Node::Variable(v), Part::Rest) => Some(match self.layout.rest(v) {
                Some(rest) => rest.into(),
                None => self.layout.constant(0.0),
            }),
            (Node::Large(number), Part::Nearest) => Some(self.layout.constant(Split::of(number).nearest)),
            (Node::Large(number), Part::Rest) => Some(self.layout.constant(Split::of(number).rest)),
            (_, Part::Rest) if !self.may_have_rest(e) => Some(self.layout.constant(0.0)),
            (Node::Time, _) => Some(self.layout.time()),
            (Node::Number(bits), _) => Some(self.layout.constant(f64::from_bits(bits))),
            (Node::Truth(value), _) => Some(self.layout.constant(f64::from(u8::from(value)))),
            (Node::Output(invoked, place), Part::Nearest) => {
                self.available.get(invoked).map(|first| Slot(first + place))
            }
            (Node::Output(invoked, place), Part::Rest) => {
                let Node::Invoke(call) = self.pool.node(invoked) else { return None };
                let count = n_numbers(&self.pool.call_of(call).results);
                self.available.get(invoked).map(|first| Slot(first + count + place))
            }
            (_, Part::Nearest) => self.available.get(e).map(Slot),
            (_, Part::Rest) => self.available_rests.get(e).map(Slot),
        }
    }

    fn remember(&mut self, e: ExprId, part: Part, slot: Slot) {
        match part {
            Part::Nearest => self.available.insert(e, slot.0),
            Part::Rest => self.available_rests.insert(e, slot.0),
        };
        if self.branch_depth > 0 {
            self.in_branch.push((e, part));
        }
    }

    fn temporary(&mut self) -> Slot {
        self.next_temporary += 1;
        Slot(TEMPORARY + self.next_temporary - 1)
    }

    fn emit(&mut self, instruction: Instruction, e: ExprId) {
        self.program.instructions.push(instruction);
        self.program.expressions.push(e);
    }

    /// A call: its results have adjacent slots, followed by their low-order parts.
    fn invoke(&mut self, e: ExprId, call: CallId) {
        let call = self.pool.call_of(call);
        let operands: Vec<Slot> = call
            .operands
            .iter()
            .map(|&a| self.lookup(a, Part::Nearest).expect("operands come first"))
            .collect();
        let count = n_numbers(&call.results);
        let has_rests = call.depth == 0 && call.results.iter().any(holds_integers);
        let first = Slot(TEMPORARY + self.next_temporary);
        self.next_temporary += if has_rests { 2 * count } else { count };
        let derivative = if call.depth > 0 { self.layout.functions.resolve(call, self.pool) } else { None };
        let site = match derivative {
            Some(derivative) => CallSite {
                function: derivative.function,
                arguments: derivative.arguments,
                results: derivative.results,
                operands: derivative.operands.iter().map(|&place| operands[place]).collect(),
                rests: Vec::new(),
                first,
                count,
                has_rests,
                places: Some(derivative.places),
                is_difference: false,
                native: Arc::default(),
            },
            None => CallSite {
                function: call.function,
                arguments: call.arguments.clone(),
                results: call.results.clone(),
                operands,
                rests: if call.depth == 0 { self.rests_of(&call.operands) } else { Vec::new() },
                first,
                count,
                has_rests,
                places: None,
                is_difference: call.depth > 0,
                native: Arc::default(),
            },
        };
        let site = CallSite { native: self.layout.native(&site), ..site };
        self.program.calls.push(site);
        self.emit(Instruction::Invoke { site: self.program.calls.len() as u32 - 1 }, e);
        self.remember(e, Part::Nearest, first);
    }

    /// The slots of the low-order parts of those operands that may have one.
    fn rests_of(&mut self, operands: &[ExprId]) -> Vec<OperandRest> {
        let mut rests = Vec::new();
        for (place, &operand) in operands.iter().enumerate() {
            if self.may_have_rest(operand) {
                let slot = self.lookup(operand, Part::Rest).expect("operands come first");
                rests.push(OperandRest { place, slot });
            }
        }
        rests
    }

    /// Both parts of two whole numbers.
    fn both_parts(&mut self, a: ExprId, b: ExprId) -> [Slot; 4] {
        [(a, Part::Nearest), (a, Part::Rest), (b, Part::Nearest), (b, Part::Rest)]
            .map(|(e, part)| self.lookup(e, part).expect("operands come first"))
    }

    /// A comparison of whole numbers: the difference of their nearest numbers or, if that is zero, of their low-order parts.
    fn compare(&mut self, e: ExprId, a: ExprId, b: ExprId) -> [Slot; 2] {
        let [a, a_rest, b, b_rest] = self.both_parts(a, b);
        let [nearest, rest, all] = [(); 3].map(|()| self.temporary());
        self.emit(Instruction::Binary { op: Binary::Sub, to: nearest, a, b }, e);
        self.emit(Instruction::Binary { op: Binary::Sub, to: rest, a: a_rest, b: b_rest }, e);
        self.emit(Instruction::Binary { op: Binary::Add, to: all, a: nearest, b: rest }, e);
        [all, self.layout.constant(0.0)]
    }

    fn operation(&mut self, e: ExprId, part: Part, node: Node) {
        if let Node::Invoke(call) = node {
            return self.invoke(e, call);
        }
        let compared = match node {
            Node::Relation(_, a, b) if self.differ_by_rests(a, b) => Some(self.compare(e, a, b)),
            _ => None,
        };
        if let Node::Whole(op, a, b) = node {
            let operands = self.both_parts(a, b);
            self.program.wholes.push(WholeSite { op, part, operands });
        }
        let to = self.temporary();
        let mut slot = |e| self.lookup(e, Part::Nearest).expect("operands come first");
        let instruction = match node {
            Node::Whole(..) => Instruction::Whole { to, site: self.program.wholes.len() as u32 - 1 },
            Node::Relation(relation, ..) if let Some([a, b]) = compared => {
                Instruction::Relation { relation, to, a, b }
            }
            Node::Negate(a) => Instruction::Negate { to, a: slot(a) },
            Node::Binary(op, a, b) => Instruction::Binary { op, to, a: slot(a), b: slot(b) },
            Node::Call(function, a) => Instruction::Call { function, to, a: slot(a) },
            Node::Relation(relation, a, b) => Instruction::Relation { relation, to, a: slot(a), b: slot(b) },
            Node::Not(a) => Instruction::Not { to, a: slot(a) },
            Node::And(a, b) => Instruction::And { to, a: slot(a), b: slot(b) },
            Node::Or(a, b) => Instruction::Or { to, a: slot(a), b: slot(b) },
            Node::Number(_)
            | Node::Large(_)
            | Node::Truth(_)
            | Node::Variable(_)
            | Node::Time
            | Node::If(..)
            | Node::Invoke(_)
            | Node::Output(..) => unreachable!("these are no operations"),
        };
        self.emit(instruction, e);
        self.remember(e, part, to);
    }

    /// Computes the taken branch only: the other may have no value. Both parts of a whole number are chosen at once: chosen
    /// apart, nested branches would be computed twice at each level.
    fn branch(&mut self, e: ExprId, condition: ExprId, then: ExprId, otherwise: ExprId) {
        let a = self.value(condition);
        let to = self.temporary();
        let rest_to = self.may_have_rest(e).then(|| self.temporary());
        // a second result of both branches is read from memory
        self.program.kept.extend(rest_to);
        let unless = self.program.instructions.len();
        self.emit(Instruction::JumpUnless { a, target: 0 }, condition);
        self.one_branch(e, then, to, rest_to);
        let over = self.program.instructions.len();
        self.emit(Instruction::Jump { target: 0 }, e);
        let target = self.program.instructions.len() as u32;
        self.program.instructions[unless] = Instruction::JumpUnless { a, target };
        self.one_branch(e, otherwise, to, rest_to);
        self.program.instructions[over] =
            Instruction::Jump { target: self.program.instructions.len() as u32 };
        self.remember(e, Part::Nearest, to);
        if let Some(rest_to) = rest_to {
            self.remember(e, Part::Rest, rest_to);
        }
    }

    fn one_branch(&mut self, e: ExprId, value: ExprId, to: Slot, rest_to: Option<Slot>) {
        let mark = self.in_branch.len();
        self.branch_depth += 1;
        let a = self.value(value);
        if let Some(to) = rest_to {
            let a = self.part(value, Part::Rest);
            self.emit(Instruction::Copy { to, a }, e);
        }
        self.emit(Instruction::Copy { to, a }, e);
        self.branch_depth -= 1;
        for (e, part) in self.in_branch.drain(mark..) {
            match part {
                Part::Nearest => self.available.remove(e),
                Part::Rest => self.available_rests.remove(e),
            };
        }
    }
}

/// Whether a value comes from more than one instruction, or from outside of machine code.
fn is_kept_apart(pool: &Pool, e: ExprId) -> bool {
    matches!(pool.node(e), Node::If(..) | Node::Whole(..))
}

/// The number of numbers in results.
fn n_numbers(results: &[Shape]) -> u32 {
    results.iter().map(Shape::count).sum::<usize>() as u32
}

/// Whether there are Integers among the numbers of a value.
fn holds_integers(shape: &Shape) -> bool {
    match shape {
        Shape::Numbers { scalar, .. } => *scalar == Scalar::Integer,
        Shape::Text(_) => false,
        Shape::Record(_, parts) | Shape::List { elements: parts, .. } => parts.iter().any(holds_integers),
        Shape::Function(_, given) => given.iter().any(|(_, part)| holds_integers(part)),
    }
}

impl Instruction {
    fn redirect(&mut self, new: Slot) {
        match self {
            Instruction::Copy { to, .. }
            | Instruction::Negate { to, .. }
            | Instruction::Binary { to, .. }
            | Instruction::Call { to, .. }
            | Instruction::Relation { to, .. }
            | Instruction::Not { to, .. }
            | Instruction::And { to, .. }
            | Instruction::Or { to, .. }
            | Instruction::Whole { to, .. } => *to = new,
            Instruction::JumpUnless { .. } | Instruction::Jump { .. } | Instruction::Invoke { .. } => {}
        }
    }
}
