//! Expressions to instructions. What two formulas of a program share is computed once.

use std::sync::Arc;

use rhei_equations::{ByExpression, CallId, ExprId, Node, Pool, Shape, VarId};
use rhei_flat::{FunctionId, Tables};
use rustc_hash::FxHashMap;

use crate::derivatives::Differentiator;
use crate::functions::CallSite;
use crate::machine::Native;
use crate::program::{Instruction, Program, Slot};

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
    /// By variable: what stands for it where it is not computed under its own name.
    aliases: Vec<Option<ExprId>>,
    /// Calls as machine code, by function and arguments.
    natives: FxHashMap<(FunctionId, Vec<Shape>, usize), Arc<Native>>,
}

/// Slots from here on are temporaries not yet placed.
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
            natives: FxHashMap::default(),
        }
    }

    /// The same, where these variables are others.
    pub(crate) fn with_aliases(self, aliases: impl Iterator<Item = (VarId, ExprId)>) -> Self {
        let mut by_variable = vec![None; self.n_variables as usize];
        aliases.for_each(|(v, e)| by_variable[v.index()] = Some(e));
        Layout { aliases: by_variable, ..self }
    }

    /// What all calls of one function with arguments and results of the same shapes share.
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

    /// The values before anything is computed: constants in place, everything else not a number.
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
                Instruction::JumpUnless { a, .. } => at(a),
                Instruction::Jump { .. } | Instruction::Invoke { .. } => {}
            }
        }
        for site in &mut program.calls {
            site.operands.iter_mut().for_each(|slot| *slot = self.placed(*slot));
            site.first = self.placed(site.first);
        }
    }
}

/// Makes one program.
pub(crate) struct Assembler<'a> {
    pool: &'a Pool,
    layout: &'a mut Layout,
    program: Program,
    /// Where the value of an expression is, as far as it is computed on every way to the next instruction.
    available: ByExpression,
    /// What became available inside the branches being assembled, to be forgotten at their end.
    in_branch: Vec<ExprId>,
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
    }

    /// `target := value`
    pub(crate) fn assign(&mut self, target: VarId, value: ExprId) {
        let a = self.value(value);
        let to = Slot::from(target);
        // the last operation writes the variable itself where it wrote a temporary for this value only
        match self.program.instructions.last_mut() {
            Some(last) if a.0 >= TEMPORARY && last.writes() == Some(a) && !is_join(self.pool, value) => {
                last.redirect(to);
                self.available.insert(value, to.0);
            }
            _ => self.emit(Instruction::Copy { to, a }, value),
        }
        self.end_target(target);
    }

    fn end_target(&mut self, target: VarId) {
        self.program.targets.push((target, self.program.instructions.len() as u32));
        self.cut();
    }

    /// Here ends a formula.
    fn cut(&mut self) {
        self.program.cuts.push(self.program.instructions.len() as u32);
    }

    /// Where the value of `e` is at the end.
    pub(crate) fn kept(&mut self, e: ExprId) -> Slot {
        let slot = self.value(e);
        self.program.kept.push(slot);
        self.cut();
        slot
    }

    /// Where the value of `e` is at the end; whether it is finite is checked after every run.
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

    /// Where the value of `e` is, after instructions that compute it.
    ///
    /// Works through a list instead of recursing: expressions may be as deep as models are long. Only `if` recurses, once per
    /// level of nesting the modeller wrote.
    fn value(&mut self, e: ExprId) -> Slot {
        let e = self.named(e);
        let mut open = vec![e];
        while let Some(&next) = open.last() {
            if self.lookup(next).is_some() {
                open.pop();
                continue;
            }
            let node = self.pool.node(next);
            if let Node::If(condition, then, otherwise) = node {
                open.pop();
                let slot = self.branch(next, condition, then, otherwise);
                self.remember(next, slot);
                continue;
            }
            let missing: Vec<ExprId> = self
                .pool
                .operands(node)
                .filter_map(|operand| {
                    let operand = self.named(operand);
                    self.lookup(operand).is_none().then_some(operand)
                })
                .collect();
            if missing.is_empty() {
                open.pop();
                self.operation(next, node);
            } else {
                open.extend(missing.into_iter().rev());
            }
        }
        self.lookup(e).expect("it was just computed")
    }

    /// What stands for an expression where it is an alias.
    fn named(&self, e: ExprId) -> ExprId {
        match self.pool.node(e) {
            Node::Variable(v) => self.layout.aliases.get(v.index()).copied().flatten().unwrap_or(e),
            _ => e,
        }
    }

    fn lookup(&mut self, e: ExprId) -> Option<Slot> {
        let e = self.named(e);
        match self.pool.node(e) {
            Node::Variable(v) => Some(v.into()),
            Node::Time => Some(self.layout.time()),
            Node::Number(bits) => Some(self.layout.constant(f64::from_bits(bits))),
            Node::Truth(value) => Some(self.layout.constant(f64::from(u8::from(value)))),
            Node::Output(invoked, place) => self.available.get(invoked).map(|first| Slot(first + place)),
            _ => self.available.get(e).map(Slot),
        }
    }

    fn remember(&mut self, e: ExprId, slot: Slot) {
        self.available.insert(e, slot.0);
        if self.branch_depth > 0 {
            self.in_branch.push(e);
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

    /// A call: its results stand one after the other.
    fn invoke(&mut self, e: ExprId, call: CallId) {
        let call = self.pool.call_of(call);
        let operands: Vec<Slot> =
            call.operands.iter().map(|&a| self.lookup(a).expect("operands come first")).collect();
        let count = call.results.iter().map(Shape::count).sum::<usize>() as u32;
        let first = Slot(TEMPORARY + self.next_temporary);
        self.next_temporary += count;
        let derivative = if call.depth > 0 { self.layout.functions.resolve(call, self.pool) } else { None };
        let site = match derivative {
            Some(derivative) => CallSite {
                function: derivative.function,
                arguments: derivative.arguments,
                results: derivative.results,
                operands: derivative.operands.iter().map(|&place| operands[place]).collect(),
                first,
                count,
                places: Some(derivative.places),
                is_difference: false,
                native: Arc::default(),
            },
            None => CallSite {
                function: call.function,
                arguments: call.arguments.clone(),
                results: call.results.clone(),
                operands,
                first,
                count,
                places: None,
                is_difference: call.depth > 0,
                native: Arc::default(),
            },
        };
        let site = CallSite { native: self.layout.native(&site), ..site };
        self.program.calls.push(site);
        self.emit(Instruction::Invoke { site: self.program.calls.len() as u32 - 1 }, e);
        self.remember(e, first);
    }

    fn operation(&mut self, e: ExprId, node: Node) {
        if let Node::Invoke(call) = node {
            return self.invoke(e, call);
        }
        let to = self.temporary();
        let mut slot = |e| self.lookup(e).expect("operands come first");
        let instruction = match node {
            Node::Negate(a) => Instruction::Negate { to, a: slot(a) },
            Node::Binary(op, a, b) => Instruction::Binary { op, to, a: slot(a), b: slot(b) },
            Node::Call(function, a) => Instruction::Call { function, to, a: slot(a) },
            Node::Relation(relation, a, b) => Instruction::Relation { relation, to, a: slot(a), b: slot(b) },
            Node::Not(a) => Instruction::Not { to, a: slot(a) },
            Node::And(a, b) => Instruction::And { to, a: slot(a), b: slot(b) },
            Node::Or(a, b) => Instruction::Or { to, a: slot(a), b: slot(b) },
            Node::Number(_)
            | Node::Truth(_)
            | Node::Variable(_)
            | Node::Time
            | Node::If(..)
            | Node::Invoke(_)
            | Node::Output(..) => unreachable!("these are no operations"),
        };
        self.emit(instruction, e);
        self.remember(e, to);
    }

    /// Only the branch that is taken is computed: the other may have no value.
    fn branch(&mut self, e: ExprId, condition: ExprId, then: ExprId, otherwise: ExprId) -> Slot {
        let a = self.value(condition);
        let to = self.temporary();
        let unless = self.program.instructions.len();
        self.emit(Instruction::JumpUnless { a, target: 0 }, condition);
        self.one_branch(e, then, to);
        let over = self.program.instructions.len();
        self.emit(Instruction::Jump { target: 0 }, e);
        let target = self.program.instructions.len() as u32;
        self.program.instructions[unless] = Instruction::JumpUnless { a, target };
        self.one_branch(e, otherwise, to);
        self.program.instructions[over] =
            Instruction::Jump { target: self.program.instructions.len() as u32 };
        to
    }

    fn one_branch(&mut self, e: ExprId, value: ExprId, to: Slot) {
        let mark = self.in_branch.len();
        self.branch_depth += 1;
        let a = self.value(value);
        self.emit(Instruction::Copy { to, a }, e);
        self.branch_depth -= 1;
        for e in self.in_branch.drain(mark..) {
            self.available.remove(e);
        }
    }
}

/// Whether a value comes from more than one instruction.
fn is_join(pool: &Pool, e: ExprId) -> bool {
    matches!(pool.node(e), Node::If(..))
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
            | Instruction::Or { to, .. } => *to = new,
            Instruction::JumpUnless { .. } | Instruction::Jump { .. } | Instruction::Invoke { .. } => {}
        }
    }
}
