//! Elements of expressions: the value of an array expression at given indices.

use std::fmt::Display;

use rhei_equations::{
    Binary, Equation, Equations, ExprId, Kind, Leaf, Limit, Node, Replaced, VarId as ScalarId,
    Variable as ScalarVariable, Whole,
};
use rhei_flat::{
    Builtin, Expr, ExprKind, Flat, FunctionId, IteratorId, Logic, NamePart, Relation, Scalar, Subscript,
    Type, VarId, Variability, Variable,
};
use rhei_source::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::apply::{Applied, InPlace};
use crate::clocks::ClockPlaces;
use crate::data::{Data, Frame, offset};
use crate::effects::{Here, Inside, Said, Speech};
use crate::mistake::Mistake;
use crate::statements::Left;
use crate::variables::Places;

/// All indices of an array of these sizes, from zero, the last running fastest; one empty index for a scalar.
pub(crate) struct Indices<'a> {
    sizes: &'a [usize],
    next: Option<Vec<usize>>,
}

impl<'a> Indices<'a> {
    pub(crate) fn of(sizes: &'a [usize]) -> Self {
        let next = (!sizes.contains(&0)).then(|| vec![0; sizes.len()]);
        Indices { sizes, next }
    }
}

impl Iterator for Indices<'_> {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let current = self.next.clone()?;
        let mut following = current.clone();
        let carried = (0..self.sizes.len()).rev().all(|d| {
            following[d] = (following[d] + 1) % self.sizes[d];
            following[d] == 0
        });
        self.next = (!carried).then_some(following);
        Some(current)
    }
}

/// Takes expressions of a flat model apart into the pool of its scalar equations.
pub(crate) struct Elements<'a> {
    pub(crate) flat: &'a Flat,
    pub(crate) places: &'a Places,
    pub(crate) clock_places: ClockPlaces,
    /// Values of the tick before that were asked for.
    pub(crate) asked_before: FxHashSet<ScalarId>,
    /// How often each name of a hidden variable was wanted.
    pub(crate) names: FxHashMap<String, u32>,
    /// Equations of values that go to another clock: they have not the clock of the text around them.
    pub(crate) apart: FxHashSet<usize>,
    /// Expressions with those that vanished from the same equation.
    pub(crate) met: Vec<(ExprId, ExprId)>,
    pub(crate) out: Equations,
    pub(crate) derivative_of: FxHashMap<ScalarId, ScalarId>,
    pub(crate) previous_of: FxHashMap<ScalarId, ScalarId>,
    /// Conditions and whole numbers that are held between events, by their expressions.
    pub(crate) held: FxHashMap<ExprId, ScalarId>,
    /// Calls met before, with their results.
    pub(crate) applied: FxHashMap<Applied, Option<InPlace>>,
    /// The values of the iterators of loops around, innermost last.
    pub(crate) iterators: Vec<(IteratorId, ExprId)>,
    /// Of the functions that are being put in place of their calls, innermost last.
    pub(crate) frames: Vec<Frame>,
    /// Values assigned to variables of the model by the statements so far, in an algorithm section.
    pub(crate) assigned: FxHashMap<ScalarId, ExprId>,
    /// Conditions under which the current statement or equation is active.
    pub(crate) guards: Vec<ExprId>,
    /// How many `noEvent` are around.
    pub(crate) without_events: usize,
    /// How many `when` are around.
    pub(crate) inside_when: usize,
    /// Whether a `when` with a clock is around.
    pub(crate) inside_clocked_when: bool,
    /// How many iterations and calls the function that is being put in place may still take.
    pub(crate) allowance: usize,
    /// Whether the loop or function that is being executed has been left.
    pub(crate) left: Left,
    /// Place of the equation, statement or declaration being taken apart.
    pub(crate) here: Here,
    /// The element of a declaration or of an array equation.
    pub(crate) indices: Vec<usize>,
    /// Paths of components, made when they are first asked for.
    pub(crate) component_parts: Option<FxHashMap<SmolStr, &'a [NamePart]>>,
    /// Whether that is computed at the start only.
    pub(crate) at_start: bool,
    /// The names of the functions that are being put in place, innermost last.
    pub(crate) inside_of: Vec<SmolStr>,
    /// Asserts and effects of the innermost of them so far.
    pub(crate) inside: Vec<Inside>,
    /// Asserts and effects that are there already.
    pub(crate) has_said: FxHashSet<Said>,
    /// How many calls stood alone so far, and the number of that which is being executed; zero for none.
    pub(crate) statements: u32,
    pub(crate) statement: u32,
    /// Output of functions beside their results.
    pub(crate) speeches: FxHashMap<FunctionId, Speech>,
    /// True whenever the `when` with a clock ticks that is around.
    pub(crate) tick_of_when: Option<ExprId>,
    /// Notes and warnings.
    pub(crate) said: Vec<Diagnostic>,
    /// How many elements of expressions may still be looked at.
    work_left: usize,
    /// Expressions with structural parameters replaced by their values, as far as these are known yet.
    structural: Replaced,
}

/// Enough for some hundred thousand equations; a sum or a recursion that has no end is given up within seconds.
const MOST_WORK: usize = 6_000_000;

/// Values that are copied in the time in which one element is looked at.
pub(crate) const COPIED_AT_ONCE: usize = 8;

impl<'a> Elements<'a> {
    pub(crate) fn new(flat: &'a Flat, places: &'a Places, clock_places: ClockPlaces, out: Equations) -> Self {
        Elements {
            flat,
            places,
            clock_places,
            asked_before: FxHashSet::default(),
            names: FxHashMap::default(),
            apart: FxHashSet::default(),
            met: Vec::new(),
            out,
            derivative_of: FxHashMap::default(),
            previous_of: FxHashMap::default(),
            held: FxHashMap::default(),
            applied: FxHashMap::default(),
            iterators: Vec::new(),
            frames: Vec::new(),
            assigned: FxHashMap::default(),
            guards: Vec::new(),
            without_events: 0,
            inside_when: 0,
            inside_clocked_when: false,
            allowance: 0,
            left: Left::default(),
            here: Here::default(),
            indices: Vec::new(),
            component_parts: None,
            at_start: false,
            inside_of: Vec::new(),
            inside: Vec::new(),
            has_said: FxHashSet::default(),
            statements: 0,
            statement: 0,
            speeches: FxHashMap::default(),
            tick_of_when: None,
            said: Vec::new(),
            work_left: MOST_WORK,
            structural: Replaced::default(),
        }
    }

    pub(crate) fn push(&mut self, equation: Equation, initial: bool) {
        if initial { self.out.initial.push(equation) } else { self.out.equations.push(equation) }
    }

    /// Whether the equations have to find it.
    pub(crate) fn is_unknown(&self, v: VarId) -> bool {
        self.flat.variable(v).variability >= Variability::Discrete && self.places.first(v).is_some()
    }

    /// Attributes and, for constants and parameters, the binding of one element.
    pub(crate) fn attributes(
        &mut self,
        variable: &Variable,
        indices: &[usize],
        place: usize,
    ) -> Result<(), Mistake> {
        let mut expression =
            |e: &Option<Expr>| e.as_ref().map(|e| self.element_or_each(e, indices)).transpose();
        let attributes = &variable.attributes;
        let start = expression(&attributes.start)?;
        // an enumeration starts at its first literal (MLS §4.9.5)
        let start = match variable.ty.scalar {
            Scalar::Enumeration(_) => start.or_else(|| Some(self.out.pool.number(1.0))),
            _ => start,
        };
        let mut expression =
            |e: &Option<Expr>| e.as_ref().map(|e| self.element_or_each(e, indices)).transpose();
        let min = expression(&attributes.min)?;
        let max = expression(&attributes.max)?;
        let nominal = expression(&attributes.nominal)?;
        let fixed = expression(&attributes.fixed)?;
        let unvarying = variable.variability <= Variability::Parameter;
        let binding = if unvarying { expression(&variable.binding)? } else { None };
        let fixed = match (fixed, &attributes.fixed) {
            (Some(value), Some(written)) => match self.out.pool.node(value) {
                Node::Truth(fixed) => fixed,
                _ => {
                    let variable = variable.name.to_string();
                    return Err(Mistake::FixedNotEvaluable { variable, span: written.span });
                }
            },
            _ => unvarying, // MLS §4.9: true for parameters and constants, false for others
        };
        if variable.structural || variable.variability == Variability::Constant {
            self.structural = Replaced::default(); // more is known now
        }
        let is_number = matches!(variable.ty.scalar, Scalar::Real | Scalar::Integer | Scalar::Enumeration(_));
        for (is_min, written, value, is_of_type) in [
            (true, &attributes.min, min, attributes.min_is_of_type),
            (false, &attributes.max, max, attributes.max_is_of_type),
        ] {
            if let (true, Some(written), Some(value)) = (is_number, written, value) {
                let (variable, span) = (ScalarId(place as u32), written.span);
                self.out.limits.push(Limit { variable, is_min, value, is_of_type, span });
            }
        }
        let start_confidence = attributes.start_confidence;
        let declared = &mut self.out.variables[place];
        (declared.start, declared.start_confidence) = (start, start_confidence);
        (declared.min, declared.max) = (min, max);
        (declared.nominal, declared.fixed, declared.binding) = (nominal, fixed, binding);
        Ok(())
    }

    /// The element of an attribute or binding, which may be one value for all elements of the outer dimensions.
    pub(crate) fn element_or_each(&mut self, e: &Expr, indices: &[usize]) -> Result<ExprId, Mistake> {
        self.element(e, &indices[indices.len().saturating_sub(e.ty.dimensions())..])
    }

    /// Takes from the work that may still be done.
    pub(crate) fn spend(&mut self, amount: usize, span: Span) -> Result<(), Mistake> {
        self.work_left = self.work_left.checked_sub(amount).ok_or(Mistake::TooMuchWork { span })?;
        Ok(())
    }

    /// Refuses turns of a loop that would go beyond that work, before the first of them.
    pub(crate) fn allow_turns(&self, turns: usize, span: Span) -> Result<(), Mistake> {
        // each of them evaluates its range and at least one expression in it
        if turns.saturating_mul(2) > self.work_left { Err(Mistake::TooMuchWork { span }) } else { Ok(()) }
    }

    /// `e` at these indices, from zero: as many as `e` has dimensions.
    pub(crate) fn element(&mut self, e: &Expr, indices: &[usize]) -> Result<ExprId, Mistake> {
        debug_assert_eq!(indices.len(), e.ty.dimensions());
        self.spend(1, e.span)?;
        Ok(match &e.kind {
            ExprKind::Real(value) => self.out.pool.number(*value),
            ExprKind::Integer(value) => self.out.pool.whole_number(*value),
            ExprKind::Boolean(value) => self.out.pool.truth(*value),
            ExprKind::Enumeration(_, number) => self.out.pool.number(f64::from(*number)),
            ExprKind::String(_) => return Err(not_supported("a text in a calculation", e.span)),
            ExprKind::Time => self.out.pool.time(),
            ExprKind::Variable(v, subscripts) => return self.variable(*v, subscripts, indices, e.span),
            ExprKind::Negate(a) => {
                let a = self.element(a, indices)?;
                self.negated(e.ty.scalar, a)
            }
            ExprKind::Not(a) => {
                let a = self.element(a, indices)?;
                self.out.pool.not(a)
            }
            ExprKind::Arithmetic(op, a, b) => {
                let (a, b) = (self.element_or_each(a, indices)?, self.element_or_each(b, indices)?);
                self.combined(e.ty.scalar, op.on_numbers(), a, b)
            }
            ExprKind::Relation(relation, a, b) => return self.relation(*relation, a, b, e.span),
            ExprKind::Logic(op, a, b) => {
                let (a, b) = (self.element_or_each(a, indices)?, self.element_or_each(b, indices)?);
                match op {
                    Logic::And => self.out.pool.and(a, b),
                    Logic::Or => self.out.pool.or(a, b),
                }
            }
            ExprKind::If(condition, a, b) => {
                let condition = self.condition(condition)?;
                // a branch that is never taken may be wrong: an index out of bounds
                match self.out.pool.node(condition) {
                    Node::Truth(true) => return self.element(a, indices),
                    Node::Truth(false) => return self.element(b, indices),
                    _ => {}
                }
                let a = self.under(condition, |this| this.element(a, indices))?;
                let otherwise = self.out.pool.not(condition);
                let b = self.under(otherwise, |this| this.element(b, indices))?;
                self.out.pool.if_else(condition, a, b)
            }
            ExprKind::Array(elements) => return self.element(&elements[indices[0]], &indices[1..]),
            ExprKind::Range(first, step, _) => {
                let first = self.element(first, &[])?;
                let step = match step {
                    Some(step) => self.element(step, &[])?,
                    None => self.out.pool.number(1.0),
                };
                let count = self.out.pool.number(indices[0] as f64);
                let distance = self.combined(e.ty.scalar, Binary::Mul, count, step);
                self.combined(e.ty.scalar, Binary::Add, first, distance)
            }
            ExprKind::Call(builtin, arguments) => return self.call(*builtin, arguments, indices, e),
            ExprKind::Iterator(iterator) => {
                match self.iterators.iter().rev().find(|(known, _)| known == iterator) {
                    Some((_, value)) => *value,
                    None => return Err(not_supported("an iterator outside its loop", e.span)),
                }
            }
            ExprKind::Comprehension(body, iterations) => {
                // the last iterator runs through the outermost dimension
                let (outer, inner) = indices.split_at(iterations.len());
                let known = self.iterators.len();
                for (iteration, &index) in iterations.iter().rev().zip(outer) {
                    let value = self.element(&iteration.range, &[index])?;
                    self.iterators.push((iteration.iterator, value));
                }
                let element = self.element(body, inner);
                self.iterators.truncate(known);
                return element;
            }
            ExprKind::Index(array, subscripts) => {
                let sizes = self.sizes(array)?;
                let chosen = self.indices_of(subscripts, &sizes, indices, &"the array")?;
                return self.chosen(chosen, &mut |this, inner| this.element(array, inner));
            }
            ExprKind::MatrixProduct(a, b) => return self.matrix_product(a, b, indices),
            ExprKind::MatrixPower(a, b) => return self.matrix_power(a, b, indices, e.span),
            ExprKind::Reduction(reduction, body, iterations) => {
                return self.reduction(*reduction, body, iterations, indices, e.span);
            }
            ExprKind::Field(record, place) => return self.field_element(record, *place, indices, e.span),
            ExprKind::Apply(function, arguments) => {
                return self.applied_element(*function, arguments, e, None, indices);
            }
            ExprKind::Local(local) => {
                let data = self.frames.last().and_then(|frame| frame.locals[local.0 as usize].as_ref());
                match data.and_then(|data| data.at(indices)) {
                    Some(value) => value,
                    None => {
                        return Err(not_supported("a component of a function before it has a value", e.span));
                    }
                }
            }
            ExprKind::Record(..) => return Err(not_supported("a record in a calculation", e.span)),
            ExprKind::ApplyLocal(..) | ExprKind::Function(..) | ExprKind::FunctionOfLocal(..) => {
                return Err(not_supported("a function as a value", e.span));
            }
        })
    }

    /// Arithmetic whose result is of this type: Integers are added and multiplied exactly, and compared so for the smaller and the larger.
    pub(crate) fn combined(&mut self, scalar: Scalar, op: Binary, a: ExprId, b: ExprId) -> ExprId {
        let pool = &mut self.out.pool;
        match op {
            _ if scalar != Scalar::Integer => pool.binary(op, a, b),
            Binary::Add => pool.whole(Whole::Add, a, b),
            Binary::Sub => pool.whole(Whole::Subtract, a, b),
            Binary::Mul => pool.whole(Whole::Multiply, a, b),
            Binary::Min | Binary::Max => {
                let wins = if op == Binary::Min { Relation::Less } else { Relation::Greater };
                let second = pool.relation(wins, b, a);
                pool.if_else(second, b, a)
            }
            Binary::Div | Binary::Pow | Binary::Atan2 => pool.binary(op, a, b),
        }
    }

    /// `-a`, of this type.
    pub(crate) fn negated(&mut self, scalar: Scalar, a: ExprId) -> ExprId {
        match scalar {
            Scalar::Integer => self.out.pool.negate_whole(a),
            _ => self.out.pool.negate(a),
        }
    }

    /// Runs `what` under one more guard, so that functions called in it print or warn only if `condition`
    /// holds.
    fn under<T>(&mut self, condition: ExprId, what: impl FnOnce(&mut Self) -> T) -> T {
        self.guards.push(condition);
        let done = what(self);
        self.guards.pop();
        done
    }

    /// A condition; `true` or `false` if structural parameters decide it.
    pub(crate) fn condition(&mut self, condition: &Expr) -> Result<ExprId, Mistake> {
        let condition = self.element(condition, &[])?;
        let decided = self.with_structural_values(condition);
        Ok(if matches!(self.out.pool.node(decided), Node::Truth(_)) { decided } else { condition })
    }

    /// A field of a record, at these indices: those of an array of records, then those of the field.
    fn field_element(
        &mut self,
        record: &Expr,
        place: u32,
        indices: &[usize],
        span: Span,
    ) -> Result<ExprId, Mistake> {
        let ty = self.field_type(record, place);
        let outer = record.ty.dimensions();
        match &record.kind {
            ExprKind::Record(_, fields) => self.element(&fields[place as usize], indices),
            ExprKind::Apply(function, arguments) => {
                self.applied_element(*function, arguments, record, Some(place), indices)
            }
            ExprKind::If(condition, a, b) => {
                let condition = self.condition(condition)?;
                match self.out.pool.node(condition) {
                    Node::Truth(true) => return self.field_element(a, place, indices, span),
                    Node::Truth(false) => return self.field_element(b, place, indices, span),
                    _ => {}
                }
                let a = self.under(condition, |this| this.field_element(a, place, indices, span))?;
                let otherwise = self.out.pool.not(condition);
                let b = self.under(otherwise, |this| this.field_element(b, place, indices, span))?;
                Ok(self.out.pool.if_else(condition, a, b))
            }
            ExprKind::Comprehension(body, iterations) => {
                let field = Expr { kind: ExprKind::Field(body.clone(), place), ty: ty.element(), span };
                let field = Expr { ty: self.field_type(body, place), ..field };
                let whole = ExprKind::Comprehension(Box::new(field), iterations.clone());
                self.element(&Expr { kind: whole, ty, span }, indices)
            }
            ExprKind::Array(elements) => {
                self.field_element(&elements[indices[0]], place, &indices[1..], span)
            }
            ExprKind::Index(array, subscripts) => {
                let sizes = self.sizes(array)?;
                let (own, inner) = indices.split_at(outer);
                let chosen = self.indices_of(subscripts, &sizes, own, &"the array")?;
                self.chosen(chosen, &mut |this, outer| {
                    this.field_element(array, place, &[outer, inner].concat(), span)
                })
            }
            // an operator that only moves elements does the same with each field
            ExprKind::Call(builtin, arguments) if moves_elements(*builtin) => {
                let is_record = |e: &Expr| e.ty.scalar == record.ty.scalar;
                let field = |e: &Expr| if is_record(e) { self.field_of(e, place) } else { e.clone() };
                let kind = ExprKind::Call(*builtin, arguments.iter().map(field).collect());
                self.element(&Expr { kind, ty, span }, indices)
            }
            ExprKind::Negate(_) | ExprKind::Arithmetic(..) => {
                Err(not_supported("arithmetic with whole records", span))
            }
            _ => match self.known_data(record).and_then(|data| data.field(place)?.at(indices)) {
                Some(value) => Ok(value),
                None => Err(not_supported("a field of this record", span)),
            },
        }
    }

    /// The type of a field of a record or of an array of records.
    pub(crate) fn field_type(&self, record: &Expr, place: u32) -> Type {
        match record.ty.scalar {
            Scalar::Record(id) => {
                let field = &self.flat.tables.record(id).fields[place as usize].ty;
                field.within(record.ty.sizes.iter().copied())
            }
            _ => record.ty.clone(),
        }
    }

    /// The value of a component of a function, or of a field of one.
    pub(crate) fn known_data(&self, e: &Expr) -> Option<&Data> {
        match &e.kind {
            ExprKind::Local(local) => self.frames.last()?.locals[local.0 as usize].as_ref(),
            ExprKind::Field(record, place) => self.known_data(record)?.field(*place),
            _ => None,
        }
    }

    fn variable(
        &mut self,
        v: VarId,
        subscripts: &[Subscript],
        indices: &[usize],
        span: Span,
    ) -> Result<ExprId, Mistake> {
        // most variables have no dimensions, and need not be looked at
        if subscripts.is_empty()
            && indices.is_empty()
            && let Some(element) = self.places.scalar(v)
        {
            return Ok(self.assigned_or_itself(element));
        }
        let sizes = self.sizes_of_variable(v, span)?;
        let flat = self.flat;
        let name = &flat.variable(v).name;
        let chosen = self.indices_of(subscripts, &sizes, indices, name)?;
        self.chosen(chosen, &mut |this, inner| match this.places.element(v, offset(&sizes, inner)) {
            Some(element) => Ok(this.assigned_or_itself(element)),
            None => Err(not_supported(&format!("`{name}` in a calculation"), span)),
        })
    }

    /// The value assigned to a variable by the statements so far, or the variable.
    fn assigned_or_itself(&mut self, element: ScalarId) -> ExprId {
        match self.assigned.get(&element) {
            Some(&value) => value,
            None => self.out.pool.variable(element),
        }
    }

    /// The sizes of a variable.
    pub(crate) fn sizes_of_variable(&self, v: VarId, span: Span) -> Result<Vec<usize>, Mistake> {
        known_sizes(&self.flat.variable(v).ty, span)
    }

    /// The indices into an array of these sizes, from its subscripts and from the indices into the dimensions that
    /// these leave.
    pub(crate) fn indices_of(
        &mut self,
        subscripts: &[Subscript],
        sizes: &[usize],
        indices: &[usize],
        name: &dyn Display,
    ) -> Result<Vec<Chosen>, Mistake> {
        let mut indices = indices.iter();
        let mut inner = Vec::new();
        for (d, &size) in sizes.iter().enumerate() {
            inner.push(match subscripts.get(d) {
                None | Some(Subscript::Whole) => {
                    Chosen::Known(*indices.next().expect("an index per dimension"))
                }
                Some(Subscript::Index(e)) => {
                    let own =
                        if e.ty.is_scalar() { Vec::new() } else { vec![*indices.next().expect("as above")] };
                    self.subscript(e, &own, name, size)?
                }
            });
        }
        Ok(inner)
    }

    /// `of` the element at these indices; where one is found out during the run, that which it is then.
    pub(crate) fn chosen(
        &mut self,
        chosen: Vec<Chosen>,
        of: &mut ElementAt<'_, Self>,
    ) -> Result<ExprId, Mistake> {
        let open = chosen.iter().position(|index| matches!(index, Chosen::Varying { .. }));
        let Some(open) = open else {
            let known: Vec<usize> = chosen.iter().map(Chosen::first).collect();
            return of(self, &known);
        };
        let Chosen::Varying { index, size } = chosen[open] else { unreachable!("it was just found") };
        // past the last one there is no value, and the run says so
        let (zero, also_zero) = (self.out.pool.number(0.0), self.out.pool.number(0.0));
        let mut value = self.out.pool.div(zero, also_zero);
        for place in (0..size).rev() {
            let mut with = chosen.clone();
            with[open] = Chosen::Known(place);
            let element = self.chosen(with, of)?;
            let number = self.out.pool.number(place as f64 + 1.0);
            let is_it = self.out.pool.relation(Relation::Equal, index, number);
            value = if self.is_boolean(element) && place + 1 == size {
                element // a truth value has no room for "none"
            } else {
                self.out.pool.if_else(is_it, element, value)
            };
        }
        Ok(value)
    }

    fn is_boolean(&self, e: ExprId) -> bool {
        match self.out.pool.node(e) {
            Node::Truth(_) | Node::Relation(..) | Node::Not(_) | Node::And(..) | Node::Or(..) => true,
            Node::Variable(v) => self.out.variable(v).scalar == rhei_equations::Scalar::Boolean,
            Node::If(_, a, _) => self.is_boolean(a),
            Node::Output(call, place) => {
                matches!(self.out.pool.output_of(call, place), Some((_, Scalar::Boolean)))
            }
            _ => false,
        }
    }

    fn subscript(
        &mut self,
        e: &Expr,
        own: &[usize],
        name: &dyn Display,
        size: usize,
    ) -> Result<Chosen, Mistake> {
        let value = self.element(e, own)?;
        let value = self.with_structural_values(value);
        let subscript = match self.out.pool.node(value) {
            Node::Truth(value) => i64::from(value) + 1, // false is the first (MLS §10.5)
            _ if let Some(whole) = self.out.pool.as_whole(value) => whole,
            _ => {
                let index = if e.ty.scalar == Scalar::Boolean {
                    let (one, two) = (self.out.pool.number(1.0), self.out.pool.number(2.0));
                    self.out.pool.if_else(value, two, one)
                } else {
                    value
                };
                return Ok(Chosen::Varying { index, size });
            }
        };
        if subscript < 1 || subscript > size as i64 {
            let array = name.to_string();
            return Err(Mistake::SubscriptOutOfBounds { array, subscript, size, span: e.span });
        }
        Ok(Chosen::Known(subscript as usize - 1))
    }

    /// An expression in which parameters that shape the model, and constants, have their values.
    pub(crate) fn with_structural_values(&mut self, e: ExprId) -> ExprId {
        let Elements { out, structural, .. } = self;
        let Equations { pool, dae } = out;
        let mut e = e;
        // values may be given by other values; a circle was found before
        for _ in 0..100 {
            let next = pool.substitute_also(e, structural, |leaf| match leaf {
                Leaf::Variable(v) => {
                    let variable = &dae.variables[v.index()];
                    variable.binding.filter(|_| variable.structural || variable.kind == Kind::Constant)
                }
                Leaf::Time => None,
            });
            if next == e {
                break;
            }
            e = next;
        }
        e
    }

    /// `der(e)`, by the rules of differentiation down to derivatives of variables.
    pub(crate) fn derivative(&mut self, e: ExprId, span: Span) -> Result<ExprId, Mistake> {
        for v in self.out.pool.variables_of(e) {
            let variable = self.out.variable(v);
            if variable.is_unknown() && variable.scalar != rhei_equations::Scalar::Real {
                return Err(not_supported(&format!("the derivative of `{}`", variable.name), span));
            }
            if variable.is_unknown() && !variable.is_discrete && !self.derivative_of.contains_key(&v) {
                let mut derivative =
                    ScalarVariable::new(format!("der({})", variable.name), Kind::Derivative { of: v });
                derivative.span = variable.span;
                self.derivative_of.insert(v, ScalarId(self.out.variables.len() as u32));
                self.out.variables.push(derivative);
            }
        }
        let (zero, one) = (self.out.pool.number(0.0), self.out.pool.number(1.0));
        let derivative_of = &self.derivative_of;
        let derivative = self.out.pool.differentiate(e, |pool, leaf| match leaf {
            Leaf::Time => one,
            Leaf::Variable(v) => derivative_of.get(&v).map_or(zero, |&derivative| pool.variable(derivative)),
        });
        derivative.map_err(|_| not_supported("the second derivative of a function", span))
    }
}

/// The element at given indices.
type ElementAt<'f, E> = dyn FnMut(&mut E, &[usize]) -> Result<ExprId, Mistake> + 'f;

/// An index, known before the run or not.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Chosen {
    /// From zero.
    Known(usize),
    /// From one, into a dimension of this size.
    Varying { index: ExprId, size: usize },
}

impl Chosen {
    /// The index from zero, if it is known before the run.
    pub(crate) fn known(&self) -> Option<usize> {
        match self {
            Chosen::Known(index) => Some(*index),
            Chosen::Varying { .. } => None,
        }
    }

    fn first(&self) -> usize {
        match self {
            Chosen::Known(index) => *index,
            Chosen::Varying { .. } => 0,
        }
    }
}

/// Whether a function only puts elements elsewhere, or lets them be.
fn moves_elements(builtin: Builtin) -> bool {
    use Builtin as B;
    matches!(
        builtin,
        B::Fill
            | B::Array
            | B::Cat
            | B::Transpose
            | B::Vector
            | B::Matrix
            | B::Promote
            | B::ScalarOf
            | B::NoEvent
            | B::Smooth
            | B::Homotopy
            | B::Pre
            | B::Symmetric
    )
}

/// The sizes of a type, which a model knows before it runs.
pub(crate) fn known_sizes(ty: &Type, span: Span) -> Result<Vec<usize>, Mistake> {
    ty.known_sizes().ok_or_else(|| not_supported("an array whose size is found out during the run", span))
}

/// Whether an equation between these is a discrete one: between truth values or whole numbers.
pub(crate) fn is_discrete(lhs: &Expr, rhs: &Expr) -> bool {
    lhs.ty.scalar != Scalar::Real && rhs.ty.scalar != Scalar::Real
}

pub(crate) fn not_supported(construct: &str, span: Span) -> Mistake {
    Mistake::NotSupported { construct: construct.to_owned(), span }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_run_row_by_row() {
        let all: Vec<Vec<usize>> = Indices::of(&[2, 2]).collect();
        assert_eq!(all, [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(Indices::of(&[]).count(), 1);
        assert_eq!(Indices::of(&[3, 0]).count(), 0);
    }
}
