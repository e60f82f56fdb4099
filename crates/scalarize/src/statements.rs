//! Statements executed on formulas: the values of variables after them, in terms of the values before (MLS
//! §11).
//!
//! Both branches of an `if` are executed, and their assignments are merged by the condition. Loops are unrolled if their
//! ranges are known. `when` keeps the values before unless its condition becomes true.

use rhei_equations::{Equation, ExprId, Node, Origin, Scalar as ScalarType, VarId as ScalarId};
use rhei_flat::{Algorithm, Builtin, Expr, ExprKind, Iteration, Statement, StatementKind, Subscript, VarId};
use rhei_source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::data::{Data, Frame, offset};
use crate::effects::Here;
use crate::element::{COPIED_AT_ONCE, Chosen, Elements, Indices, known_sizes, not_supported};
use crate::mistake::Mistake;

/// Turns that the loops of one algorithm section may take in all.
const MOST_TURNS: usize = 200_000;

/// State that statements change.
#[derive(Clone)]
struct Memory {
    frame: Option<Frame>,
    assigned: FxHashMap<ScalarId, ExprId>,
    left: Left,
}

/// Conditions under which the statements around have been left before their end; none for never.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Left {
    /// The innermost loop, by `break`.
    by_break: Option<ExprId>,
    /// The function, by `return`.
    by_return: Option<ExprId>,
}

/// Whether a variable is assigned, or its derivative.
#[derive(Clone, Copy)]
enum Order {
    Value,
    Derivative,
}

impl Elements<'_> {
    /// An algorithm section as equations, one for each variable it assigns (MLS §11.1). Discrete variables begin with their
    /// values before the event, all others with their start values; in an initial section all do that.
    pub(crate) fn algorithm(&mut self, algorithm: &Algorithm, initial: bool) -> Result<(), Mistake> {
        self.allowance = MOST_TURNS;
        self.here = Here::Component(algorithm.component.clone());
        self.algorithm_within(algorithm, &algorithm.loops, initial)
    }

    fn algorithm_within(
        &mut self,
        algorithm: &Algorithm,
        loops: &[Iteration],
        initial: bool,
    ) -> Result<(), Mistake> {
        let Some((outer, inner)) = loops.split_first() else { return self.section(algorithm, initial) };
        for index in 0..self.sizes(&outer.range)?[0] {
            let value = self.element(&outer.range, &[index])?;
            self.iterators.push((outer.iterator, value));
            let done = self.algorithm_within(algorithm, inner, initial);
            self.iterators.pop();
            done?;
        }
        Ok(())
    }

    fn section(&mut self, algorithm: &Algorithm, initial: bool) -> Result<(), Mistake> {
        let mut targets = Vec::new();
        self.targets(&algorithm.statements, &mut targets)?;
        let mut seen = FxHashSet::default();
        targets.retain(|target| seen.insert(*target));
        for &target in &targets {
            let variable = self.out.variable(target);
            // at the start there is nothing before it, and the value before the first event follows from the assignments here
            let before = if variable.is_discrete && !initial {
                let now = self.out.pool.variable(target);
                self.previous_of_value(now, algorithm.span)
            } else {
                let none = match variable.scalar {
                    ScalarType::Boolean => self.out.pool.truth(false),
                    _ => self.out.pool.number(0.0),
                };
                self.out.variable(target).start.unwrap_or(none)
            };
            self.assigned.insert(target, before);
        }
        let done = self.execute(&algorithm.statements);
        let assigned = std::mem::take(&mut self.assigned);
        done?;
        for target in targets {
            let lhs = self.out.pool.variable(target);
            let rhs = assigned[&target];
            let is_discrete = self.out.variable(target).is_discrete;
            let component = algorithm.component.clone();
            let origin = Origin { span: Some(algorithm.span), component, ..Origin::default() };
            self.push(Equation { lhs, rhs, is_discrete, balance: None, family: None, origin }, initial);
        }
        Ok(())
    }

    /// The variables of the model that statements may assign, all elements of arrays among them.
    fn targets(&mut self, statements: &[Statement], found: &mut Vec<ScalarId>) -> Result<(), Mistake> {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign(target, _) => self.elements_of(target, found)?,
                StatementKind::AssignResults(targets, _) => {
                    targets.iter().flatten().try_for_each(|target| self.elements_of(target, found))?
                }
                StatementKind::If(branches, otherwise) => {
                    for (_, statements) in branches {
                        self.targets(statements, found)?;
                    }
                    self.targets(otherwise, found)?;
                }
                StatementKind::For(_, body) | StatementKind::While(_, body) => self.targets(body, found)?,
                StatementKind::When(branches) => {
                    for (_, statements) in branches {
                        self.targets(statements, found)?;
                    }
                }
                StatementKind::Call(_) | StatementKind::Break | StatementKind::Return => {}
            }
        }
        Ok(())
    }

    fn elements_of(&mut self, target: &Expr, found: &mut Vec<ScalarId>) -> Result<(), Mistake> {
        match &target.kind {
            ExprKind::Variable(v, subscripts) => {
                let sizes = known_sizes(&self.flat.variable(*v).ty, target.span)?;
                // of components in arrays one element; of an array of the component itself always all of it (MLS §11.1.2)
                let parts = &self.flat.variable(*v).name.parts;
                let own = parts.last().map_or(0, |part| part.dimensions);
                let outer = sizes.len().saturating_sub(own);
                let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
                for (d, &size) in sizes.iter().enumerate() {
                    let known = match subscripts.get(d) {
                        Some(Subscript::Index(e))
                            if e.ty.is_scalar() && (d < outer || self.is_of_loops_around(e)) =>
                        {
                            self.element(e, &[]).ok().and_then(|value| self.out.pool.as_number(value))
                        }
                        _ => None,
                    };
                    ranges.push(match known {
                        Some(index) if index >= 1.0 && index <= size as f64 => {
                            index as usize - 1..index as usize
                        }
                        _ => 0..size,
                    });
                }
                let counts: Vec<usize> = ranges.iter().map(ExactSizeIterator::len).collect();
                for indices in Indices::of(&counts) {
                    let indices: Vec<usize> = indices.iter().zip(&ranges).map(|(i, r)| i + r.start).collect();
                    found.extend(self.places.element(*v, offset(&sizes, &indices)));
                }
                Ok(())
            }
            ExprKind::Record(_, fields) => fields.iter().try_for_each(|field| self.elements_of(field, found)),
            ExprKind::Index(inner, _) | ExprKind::Field(inner, _) => self.elements_of(inner, found),
            ExprKind::Call(Builtin::Der, arguments) => {
                let mut of = Vec::new();
                arguments.iter().try_for_each(|argument| self.elements_of(argument, &mut of))?;
                for v in of {
                    found.push(self.derivative_variable(v, target.span)?);
                }
                Ok(())
            }
            ExprKind::Comprehension(..) | ExprKind::Array(_) => {
                Err(not_supported("an assignment to this array", target.span))
            }
            _ => Ok(()),
        }
    }

    /// The variable that is the derivative of another one.
    fn derivative_variable(&mut self, v: ScalarId, span: Span) -> Result<ScalarId, Mistake> {
        let of = self.out.pool.variable(v);
        self.derivative(of, span)?;
        self.derivative_of.get(&v).copied().ok_or_else(|| not_supported("an assignment to this", span))
    }

    /// Whether a subscript asks for the turn of a loop around.
    fn is_of_loops_around(&self, subscript: &Expr) -> bool {
        let mut found = false;
        subscript.walk(&mut |part| {
            if let ExprKind::Iterator(asked) = part.kind {
                found |= self.iterators.iter().any(|(iterator, _)| *iterator == asked);
            }
        });
        found
    }

    /// Executes statements in order.
    pub(crate) fn execute(&mut self, statements: &[Statement]) -> Result<(), Mistake> {
        for statement in statements {
            self.allow(statement.span)?;
            let Some(left) = self.has_left() else {
                self.statement(statement)?;
                continue;
            };
            if self.out.pool.node(left) == Node::Truth(true) {
                return Ok(());
            }
            // statements after the exit have no effect
            self.spend(self.memory_size() / COPIED_AT_ONCE, statement.span)?;
            let before = self.memory();
            let goes_on = self.out.pool.not(left);
            self.guards.push(goes_on);
            let done = self.statement(statement);
            self.guards.pop();
            done?;
            let after = self.memory();
            self.merge(left, before, after);
        }
        Ok(())
    }

    /// Whether a loop or the function has been left; nothing where that is out of the question.
    fn has_left(&mut self) -> Option<ExprId> {
        match (self.left.by_break, self.left.by_return) {
            (Some(a), Some(b)) => Some(self.out.pool.or(a, b)),
            (a, b) => a.or(b),
        }
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), Mistake> {
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                let value = self.data(value, Some(target.ty.scalar))?;
                self.assign(target, value)?;
            }
            StatementKind::AssignResults(targets, call) => {
                let outputs = self.outputs(call)?;
                for (target, output) in targets.iter().zip(outputs) {
                    if let Some(target) = target {
                        self.assign(target, output)?;
                    }
                }
            }
            StatementKind::Call(call) => self.effect(call, statement.span)?,
            StatementKind::If(branches, otherwise) => self.branches(branches, otherwise)?,
            StatementKind::For(iteration, body) => {
                let around = self.left.by_break.take();
                for index in 0..self.sizes(&iteration.range)?[0] {
                    self.allow(statement.span)?;
                    let value = self.element(&iteration.range, &[index])?;
                    self.iterators.push((iteration.iterator, value));
                    let done = self.execute(body);
                    self.iterators.pop();
                    done?;
                }
                self.left.by_break = around;
            }
            StatementKind::When(branches) => self.when_statement(branches, statement.span)?,
            StatementKind::While(..) => return Err(not_supported("a `while`", statement.span)),
            StatementKind::Break => self.left.by_break = Some(self.out.pool.truth(true)),
            StatementKind::Return => self.left.by_return = Some(self.out.pool.truth(true)),
        }
        Ok(())
    }

    fn allow(&mut self, span: Span) -> Result<(), Mistake> {
        match self.allowance.checked_sub(1) {
            Some(left) => {
                self.allowance = left;
                Ok(())
            }
            None => Err(not_supported("an algorithm with this many statements", span)),
        }
    }

    /// How much both branches of a condition take along.
    fn memory_size(&self) -> usize {
        let locals =
            self.frames.last().map_or(0, |frame| frame.locals.iter().flatten().map(Data::count).sum());
        locals + self.assigned.len()
    }

    fn memory(&self) -> Memory {
        Memory { frame: self.frames.last().cloned(), assigned: self.assigned.clone(), left: self.left }
    }

    fn restore(&mut self, memory: Memory) {
        if let (Some(top), Some(frame)) = (self.frames.last_mut(), memory.frame) {
            *top = frame;
        }
        self.assigned = memory.assigned;
        self.left = memory.left;
    }

    fn branches(
        &mut self,
        branches: &[(Expr, Vec<Statement>)],
        otherwise: &[Statement],
    ) -> Result<(), Mistake> {
        let Some(((condition, statements), rest)) = branches.split_first() else {
            return self.execute(otherwise);
        };
        let condition_span = condition.span;
        let condition = self.condition(condition)?;
        match self.out.pool.node(condition) {
            Node::Truth(true) => return self.execute(statements),
            Node::Truth(false) => return self.branches(rest, otherwise),
            _ => {}
        }
        self.spend(self.memory_size() / COPIED_AT_ONCE, condition_span)?;
        let before = self.memory();
        self.guards.push(condition);
        let done = self.execute(statements);
        self.guards.pop();
        done?;
        let after_then = self.memory();
        self.restore(before);
        let negated = self.out.pool.not(condition);
        self.guards.push(negated);
        let done = self.branches(rest, otherwise);
        self.guards.pop();
        done?;
        let after_else = self.memory();
        self.merge(condition, after_then, after_else);
        Ok(())
    }

    /// Merges the memories after the two branches of `condition`.
    fn merge(&mut self, condition: ExprId, then: Memory, otherwise: Memory) {
        let pool = &mut self.out.pool;
        let mut combine = |a: ExprId, b: ExprId| pool.if_else(condition, a, b);
        let mut assigned = FxHashMap::default();
        for (&target, &a) in &then.assigned {
            assigned.insert(target, otherwise.assigned.get(&target).map_or(a, |&b| combine(a, b)));
        }
        let frame = then.frame.zip(otherwise.frame).map(|(a, b)| Frame {
            locals: a
                .locals
                .iter()
                .zip(&b.locals)
                .map(|(a, b)| match (a, b) {
                    (Some(a), Some(b)) if a == b => Some(a.clone()),
                    (Some(a), Some(b)) => a.merged(b, &mut combine),
                    _ => None,
                })
                .collect(),
        });
        let mut either = |a: Option<ExprId>, b: Option<ExprId>| {
            let never = self.out.pool.truth(false);
            (a.is_some() || b.is_some()).then(|| {
                let (a, b) = (a.unwrap_or(never), b.unwrap_or(never));
                let (then, otherwise) = (self.out.pool.and(condition, a), self.out.pool.not(condition));
                let otherwise = self.out.pool.and(otherwise, b);
                self.out.pool.or(then, otherwise)
            })
        };
        let left = Left {
            by_break: either(then.left.by_break, otherwise.left.by_break),
            by_return: either(then.left.by_return, otherwise.left.by_return),
        };
        self.restore(Memory { frame, assigned, left });
    }

    fn when_statement(&mut self, branches: &[(Expr, Vec<Statement>)], span: Span) -> Result<(), Mistake> {
        let mut conditions = Vec::new();
        for (condition, _) in branches {
            conditions.push(self.becomes_true(condition, span)?);
        }
        self.when_branches(branches, &conditions)
    }

    fn when_branches(
        &mut self,
        branches: &[(Expr, Vec<Statement>)],
        conditions: &[ExprId],
    ) -> Result<(), Mistake> {
        let (Some(((condition, statements), rest)), Some((&active, others))) =
            (branches.split_first(), conditions.split_first())
        else {
            return Ok(());
        };
        self.spend(self.memory_size() / COPIED_AT_ONCE, condition.span)?;
        let before = self.memory();
        self.guards.push(active);
        self.without_events += 1;
        self.inside_when += 1;
        let done = self.execute(statements);
        self.inside_when -= 1;
        self.without_events -= 1;
        self.guards.pop();
        done?;
        let after = self.memory();
        self.restore(before);
        self.when_branches(rest, others)?;
        let otherwise = self.memory();
        self.merge(active, after, otherwise);
        Ok(())
    }

    /// Sets a variable, a component of a function, or a part of either.
    fn assign(&mut self, target: &Expr, value: Data) -> Result<(), Mistake> {
        let refused = || not_supported("an assignment to this", target.span);
        match &target.kind {
            ExprKind::Variable(v, subscripts) => {
                self.assign_variable(*v, subscripts, &value, Order::Value, target.span)
            }
            ExprKind::Call(Builtin::Der, arguments) => match arguments.first().map(|of| &of.kind) {
                Some(ExprKind::Variable(v, subscripts)) => {
                    self.assign_variable(*v, subscripts, &value, Order::Derivative, target.span)
                }
                _ => Err(refused()),
            },
            ExprKind::Record(_, fields) => {
                let Data::Record { fields: values, .. } = value else { return Err(refused()) };
                fields.iter().zip(values).try_for_each(|(field, value)| self.assign(field, value))
            }
            ExprKind::Local(_) | ExprKind::Field(..) | ExprKind::Index(..) => {
                let mut path = Vec::new();
                let mut root = target;
                let local = loop {
                    match &root.kind {
                        ExprKind::Local(local) => break *local,
                        ExprKind::Field(inner, place) => {
                            path.push(Part::Field(*place));
                            root = inner;
                        }
                        ExprKind::Index(inner, subscripts) => {
                            path.push(Part::Index(subscripts));
                            root = inner;
                        }
                        _ => return Err(refused()),
                    }
                };
                path.reverse();
                let place = local.0 as usize;
                let before = self.locals()[place].take();
                let after = match before {
                    Some(before) => self.with_part(before, &path, value, target.span)?,
                    None if path.is_empty() => value,
                    None => return Err(refused()),
                };
                self.locals()[place] = Some(after);
                Ok(())
            }
            _ => Err(refused()),
        }
    }

    /// `whole` with the part at the end of the path replaced.
    fn with_part(
        &mut self,
        whole: Data,
        path: &[Part<'_>],
        value: Data,
        span: Span,
    ) -> Result<Data, Mistake> {
        let refused = || not_supported("an assignment to this part", span);
        match (path.split_first(), whole) {
            (None, whole) => {
                if whole.sizes().len() != value.sizes().len() {
                    return Err(refused());
                }
                Ok(value)
            }
            (Some((Part::Field(place), rest)), Data::Record { id, sizes, mut fields }) => {
                let slot = fields.get_mut(*place as usize).ok_or_else(refused)?;
                let before = slot.clone();
                let after = self.with_part(before, rest, value, span)?;
                fields[*place as usize] = after;
                Ok(Data::Record { id, sizes, fields })
            }
            (Some((Part::Index(subscripts), rest)), Data::Record { id, sizes, fields }) => {
                // array of records: every field has the sizes of the array in front
                let mut changed = Vec::new();
                for (place, field) in fields.into_iter().enumerate() {
                    let is_meant = match rest.first() {
                        Some(Part::Field(wanted)) => *wanted as usize == place,
                        _ => true,
                    };
                    if !is_meant {
                        changed.push(field);
                        continue;
                    }
                    let value = match (&value, rest.first()) {
                        (value, Some(Part::Field(_))) => value.clone(),
                        (value, _) => value.field(place as u32).cloned().ok_or_else(refused)?,
                    };
                    if rest.len() > 1 {
                        return Err(refused());
                    }
                    changed.push(self.with_part(field, &[Part::Index(subscripts)], value, span)?);
                }
                Ok(Data::Record { id, sizes, fields: changed })
            }
            (Some((Part::Index(subscripts), [])), Data::Numbers { scalar, sizes, mut values }) => {
                self.set_elements(&sizes, subscripts, &value, span, |this, place, condition, new| {
                    let slot = values.get_mut(place)?;
                    *slot = match condition {
                        None => Some(new),
                        Some(condition) => Some(this.out.pool.if_else(condition, new, (*slot)?)),
                    };
                    Some(())
                })?;
                Ok(Data::Numbers { scalar, sizes, values })
            }
            _ => Err(refused()),
        }
    }

    fn assign_variable(
        &mut self,
        v: VarId,
        subscripts: &[Subscript],
        value: &Data,
        order: Order,
        span: Span,
    ) -> Result<(), Mistake> {
        let sizes = known_sizes(&self.flat.variable(v).ty, span)?;
        self.set_elements(&sizes, subscripts, value, span, |this, place, condition, new| {
            let element = this.places.element(v, place)?;
            let target = match order {
                Order::Value => element,
                Order::Derivative => *this.derivative_of.get(&element)?,
            };
            let value = match condition {
                None => new,
                Some(condition) => {
                    let before = *this.assigned.get(&target)?;
                    this.out.pool.if_else(condition, new, before)
                }
            };
            this.assigned.insert(target, value);
            Some(())
        })
    }

    /// Calls `set` for every element that subscripts name, with its new value; for a subscript known in the run only,
    /// for every element it may be, with the condition that it is that one.
    fn set_elements(
        &mut self,
        sizes: &[usize],
        subscripts: &[Subscript],
        value: &Data,
        span: Span,
        mut set: impl FnMut(&mut Self, usize, Option<ExprId>, ExprId) -> Option<()>,
    ) -> Result<(), Mistake> {
        let refused = || not_supported("an assignment of this value", span);
        for indices in Indices::of(value.sizes()) {
            let new = value.at(&indices).ok_or_else(refused)?;
            let chosen = self.indices_of(subscripts, sizes, &indices, &"the array")?;
            let counts: Vec<usize> = chosen
                .iter()
                .map(|chosen| match chosen {
                    Chosen::Known(_) => 1,
                    Chosen::Varying { size, .. } => *size,
                })
                .collect();
            for turn in Indices::of(&counts) {
                let mut condition: Option<ExprId> = None;
                let mut place = Vec::new();
                for (chosen, &candidate) in chosen.iter().zip(&turn) {
                    match *chosen {
                        Chosen::Known(index) => place.push(index),
                        Chosen::Varying { index, .. } => {
                            place.push(candidate);
                            let number = self.out.pool.number(candidate as f64 + 1.0);
                            let is_it =
                                self.out.pool.relation(rhei_equations::Relation::Equal, index, number);
                            condition = Some(match condition {
                                None => is_it,
                                Some(before) => self.out.pool.and(before, is_it),
                            });
                        }
                    }
                }
                set(self, offset(sizes, &place), condition, new).ok_or_else(refused)?;
            }
        }
        Ok(())
    }

    /// Conjunction of the guards of the current place; nothing if it is always active.
    pub(crate) fn guard(&mut self) -> Option<ExprId> {
        let mut guards = self.guards.clone().into_iter();
        let mut all = guards.next()?;
        for guard in guards {
            all = self.out.pool.and(all, guard);
        }
        Some(all)
    }
}

/// One step of the way to a part of a component.
enum Part<'a> {
    Field(u32),
    Index(&'a [Subscript]),
}
