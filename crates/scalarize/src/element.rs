//! Elements of expressions: what an array expression is at given indices.

use rhei_equations::{
    Binary, Elementary, Equation, Equations, ExprId, Kind, Leaf, Node, Relation as ScalarRelation,
    VarId as ScalarId, Variable as ScalarVariable,
};
use rhei_flat::{
    Arithmetic, Builtin, Expr, ExprKind, Flat, Iteration, IteratorId, Logic, Reduction, Relation, Subscript,
    Type, VarId, Variability, Variable,
};
use rhei_source::Span;
use rustc_hash::FxHashMap;

use crate::inline::inlined;
use crate::mistake::Mistake;
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
    flat: &'a Flat,
    places: &'a Places,
    out: Equations,
    derivative_of: FxHashMap<ScalarId, ScalarId>,
    /// The values of the iterators of loops around, innermost last.
    pub(crate) iterators: Vec<(IteratorId, ExprId)>,
    /// How many calls deep the formula is.
    calls: usize,
    /// How many `noEvent` are around.
    without_events: usize,
}

impl<'a> Elements<'a> {
    pub(crate) fn new(flat: &'a Flat, places: &'a Places, out: Equations) -> Self {
        Elements {
            flat,
            places,
            out,
            derivative_of: FxHashMap::default(),
            iterators: Vec::new(),
            calls: 0,
            without_events: 0,
        }
    }

    pub(crate) fn finish(self) -> Equations {
        self.out
    }

    pub(crate) fn push(&mut self, equation: Equation, initial: bool) {
        if initial { self.out.initial.push(equation) } else { self.out.equations.push(equation) }
    }

    /// Whether the equations have to find it.
    pub(crate) fn is_unknown(&self, v: VarId) -> bool {
        self.flat.variable(v).variability >= Variability::Discrete && self.places.first(v).is_some()
    }

    /// Attributes and, for what does not vary, the binding of one element.
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
        let declared = &mut self.out.variables[place];
        *declared = ScalarVariable { start, min, max, nominal, fixed, binding, ..declared.clone() };
        Ok(())
    }

    /// The element of an attribute or binding, which may be one value for all elements.
    fn element_or_each(&mut self, e: &Expr, indices: &[usize]) -> Result<ExprId, Mistake> {
        self.element(e, if e.ty.is_scalar() { &[] } else { indices })
    }

    /// `e` at these indices, from zero: as many as `e` has dimensions.
    pub(crate) fn element(&mut self, e: &Expr, indices: &[usize]) -> Result<ExprId, Mistake> {
        debug_assert_eq!(indices.len(), e.ty.dimensions());
        Ok(match &e.kind {
            ExprKind::Real(value) => self.out.pool.number(*value),
            ExprKind::Integer(value) => self.out.pool.number(*value as f64),
            ExprKind::Boolean(value) => self.out.pool.truth(*value),
            ExprKind::String(_) => return Err(not_supported("a text in a calculation", e.span)),
            ExprKind::Time => self.out.pool.time(),
            ExprKind::Variable(v, subscripts) => return self.variable(*v, subscripts, indices, e.span),
            ExprKind::Negate(a) => {
                let a = self.element(a, indices)?;
                self.out.pool.negate(a)
            }
            ExprKind::Not(a) => {
                let a = self.element(a, indices)?;
                self.out.pool.not(a)
            }
            ExprKind::Arithmetic(op, a, b) => {
                let (a, b) = (self.element_or_each(a, indices)?, self.element_or_each(b, indices)?);
                self.out.pool.binary(arithmetic(*op), a, b)
            }
            ExprKind::Relation(relation, a, b) => {
                let (a, b) = (self.element(a, &[])?, self.element(b, &[])?);
                let whole = self.out.pool.relation(scalar_relation(*relation), a, b);
                if self.without_events == 0 {
                    self.refuse_event(whole, e.span)?;
                }
                whole
            }
            ExprKind::Logic(op, a, b) => {
                let (a, b) = (self.element_or_each(a, indices)?, self.element_or_each(b, indices)?);
                match op {
                    Logic::And => self.out.pool.and(a, b),
                    Logic::Or => self.out.pool.or(a, b),
                }
            }
            ExprKind::If(condition, a, b) => {
                let condition = self.element(condition, &[])?;
                let (a, b) = (self.element(a, indices)?, self.element(b, indices)?);
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
                let distance = self.out.pool.mul(count, step);
                self.out.pool.add(first, distance)
            }
            ExprKind::Call(builtin, arguments) => return self.call(*builtin, arguments, indices, e.span),
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
                let sizes = known_sizes(&array.ty, e.span)?;
                let inner = self.indices_of(subscripts, &sizes, indices, "the array")?;
                return self.element(array, &inner);
            }
            ExprKind::MatrixProduct(a, b) => return self.matrix_product(a, b, indices, e.span),
            ExprKind::Reduction(reduction, body, iterations) => {
                return self.reduction(*reduction, body, iterations, indices, e.span);
            }
            ExprKind::Field(record, place) => match &record.kind {
                ExprKind::Record(_, fields) => return self.element(&fields[*place as usize], indices),
                ExprKind::Apply(function, arguments) => {
                    let formula = inlined(self.flat.tables.function(*function), arguments, self.calls);
                    let Some(formula) = formula else {
                        return Err(not_supported("a field of the record that a function returns", e.span));
                    };
                    let field = ExprKind::Field(Box::new(formula), *place);
                    self.calls += 1;
                    let element =
                        self.element(&Expr { kind: field, ty: e.ty.clone(), span: e.span }, indices);
                    self.calls -= 1;
                    return element;
                }
                _ => return Err(not_supported("a field of this record", e.span)),
            },
            ExprKind::Enumeration(_, number) => self.out.pool.number(f64::from(*number)),
            ExprKind::Apply(function, arguments) => {
                let function = self.flat.tables.function(*function);
                let Some(formula) = inlined(function, arguments, self.calls) else {
                    return Err(not_supported(
                        &format!("a call of the function `{}`", function.name),
                        e.span,
                    ));
                };
                self.calls += 1;
                let element = self.element(&formula, indices);
                self.calls -= 1;
                return element;
            }
            ExprKind::MatrixPower(..) => return Err(not_supported("a power of a matrix", e.span)),
            ExprKind::Record(..) => return Err(not_supported("a record in a calculation", e.span)),
            ExprKind::Local(_) | ExprKind::ApplyLocal(..) | ExprKind::Function(..) => {
                return Err(not_supported("a function as a value", e.span));
            }
        })
    }

    fn variable(
        &mut self,
        v: VarId,
        subscripts: &[Subscript],
        indices: &[usize],
        span: Span,
    ) -> Result<ExprId, Mistake> {
        let variable = self.flat.variable(v);
        let sizes = known_sizes(&variable.ty, span)?;
        let name = variable.name.to_string();
        let inner = self.indices_of(subscripts, &sizes, indices, &name)?;
        let offset = inner.iter().zip(&sizes).fold(0, |offset, (index, size)| offset * size + index);
        match self.places.element(v, offset) {
            Some(element) => Ok(self.out.pool.variable(element)),
            None => Err(not_supported(&format!("`{name}` in a calculation"), span)),
        }
    }

    /// The indices into an array of these sizes that its subscripts, and the indices into what they leave, come to.
    fn indices_of(
        &mut self,
        subscripts: &[Subscript],
        sizes: &[usize],
        indices: &[usize],
        name: &str,
    ) -> Result<Vec<usize>, Mistake> {
        let mut indices = indices.iter();
        let mut inner = Vec::new();
        for (d, &size) in sizes.iter().enumerate() {
            inner.push(match subscripts.get(d) {
                None | Some(Subscript::Whole) => *indices.next().expect("an index per dimension"),
                Some(Subscript::Index(e)) => {
                    let own =
                        if e.ty.is_scalar() { Vec::new() } else { vec![*indices.next().expect("as above")] };
                    self.subscript(e, &own, name, size)?
                }
            });
        }
        Ok(inner)
    }

    /// A sum of products (MLS §10.6.4).
    fn matrix_product(
        &mut self,
        a: &Expr,
        b: &Expr,
        indices: &[usize],
        span: Span,
    ) -> Result<ExprId, Mistake> {
        let inner = *known_sizes(&b.ty, span)?.first().unwrap_or(&0);
        let rows = a.ty.dimensions() - 1;
        let mut sum = self.out.pool.number(0.0);
        for k in 0..inner {
            let mut left = indices[..rows].to_vec();
            left.push(k);
            let mut right = vec![k];
            right.extend(&indices[rows..]);
            let (x, y) = (self.element(a, &left)?, self.element(b, &right)?);
            let product = self.out.pool.mul(x, y);
            sum = self.out.pool.add(sum, product);
        }
        Ok(sum)
    }

    fn reduction(
        &mut self,
        reduction: Reduction,
        body: &Expr,
        iterations: &[Iteration],
        indices: &[usize],
        span: Span,
    ) -> Result<ExprId, Mistake> {
        let mut sizes = Vec::new();
        for iteration in iterations {
            sizes.extend(known_sizes(&iteration.range.ty, span)?);
        }
        let mut result = None;
        for turn in Indices::of(&sizes) {
            let known = self.iterators.len();
            for (iteration, index) in iterations.iter().zip(turn) {
                let value = self.element(&iteration.range, &[index])?;
                self.iterators.push((iteration.iterator, value));
            }
            let term = self.element(body, indices);
            self.iterators.truncate(known);
            let term = term?;
            result = Some(match result {
                None => term,
                Some(before) => self.out.pool.binary(reducing(reduction), before, term),
            });
        }
        match (result, reduction) {
            (Some(result), _) => Ok(result),
            (None, Reduction::Sum) => Ok(self.out.pool.number(0.0)),
            (None, Reduction::Product) => Ok(self.out.pool.number(1.0)),
            (None, _) => Err(not_supported("the smallest or largest of nothing", span)),
        }
    }

    fn subscript(&mut self, e: &Expr, own: &[usize], name: &str, size: usize) -> Result<usize, Mistake> {
        let value = self.element(e, own)?;
        let value = self.with_structural_values(value);
        let Some(subscript) = self.out.pool.as_number(value) else {
            return Err(not_supported("a subscript that is not a constant", e.span));
        };
        if subscript < 1.0 || subscript > size as f64 {
            let array = name.to_owned();
            return Err(Mistake::SubscriptOutOfBounds {
                array,
                subscript: subscript as i64,
                size,
                span: e.span,
            });
        }
        Ok(subscript as usize - 1)
    }

    fn call(
        &mut self,
        builtin: Builtin,
        arguments: &[Expr],
        indices: &[usize],
        span: Span,
    ) -> Result<ExprId, Mistake> {
        match builtin {
            Builtin::Der => {
                let inner = self.element(&arguments[0], indices)?;
                return self.derivative(inner, span);
            }
            Builtin::Fill => {
                return self.element(&arguments[0], &indices[indices.len() - arguments[0].ty.dimensions()..]);
            }
            // what is smooth needs no events either (MLS §3.7.5)
            Builtin::NoEvent | Builtin::Smooth => {
                self.without_events += 1;
                let element = self.element(&arguments[arguments.len() - 1], indices);
                self.without_events -= 1;
                return element;
            }
            // the simplified formula is a help for hard starts, never a part of the solution (MLS §3.7.4)
            Builtin::Homotopy => return self.element(&arguments[0], indices),
            Builtin::Sum | Builtin::Product => return self.fold(builtin, &arguments[0]),
            Builtin::Size if arguments.len() == 2 => {
                let sizes = known_sizes(&arguments[0].ty, span)?;
                let place = self.element(&arguments[1], &[])?;
                let place = self.out.pool.as_number(place).map_or(0, |place| place as usize);
                let size = sizes.get(place.wrapping_sub(1)).copied().unwrap_or(0);
                return Ok(self.out.pool.number(size as f64));
            }
            Builtin::Identity => {
                let one = if indices[0] == indices[1] { 1.0 } else { 0.0 };
                return Ok(self.out.pool.number(one));
            }
            Builtin::Transpose => {
                let mut swapped = indices.to_vec();
                swapped.swap(0, 1);
                return self.element(&arguments[0], &swapped);
            }
            Builtin::Promote => {
                let dimensions = arguments[0].ty.dimensions();
                return self.element(&arguments[0], &indices[..dimensions]);
            }
            Builtin::ScalarOf => return self.element(&arguments[0], &vec![0; arguments[0].ty.dimensions()]),
            Builtin::Vector => {
                // all dimensions but one have the size one
                let sizes = known_sizes(&arguments[0].ty, span)?;
                let along = |size: &usize| if *size == 1 { 0 } else { indices[0] };
                return self.element(&arguments[0], &sizes.iter().map(along).collect::<Vec<_>>());
            }
            Builtin::Array => return self.element(&arguments[indices[0]], &indices[1..]),
            Builtin::Cat => return self.concatenated(arguments, indices, span),
            Builtin::Zeros => return Ok(self.out.pool.number(0.0)),
            Builtin::Ones => return Ok(self.out.pool.number(1.0)),
            Builtin::Min | Builtin::Max if arguments.len() == 1 => {
                return self.extreme(builtin, &arguments[0]);
            }
            _ => {}
        }
        let (binary, elementary) = (binary(builtin), Elementary::named(builtin.name()));
        if binary.is_none() && elementary.is_none() {
            return Err(not_supported(&format!("`{}`", builtin.name()), span));
        }
        let values: Vec<ExprId> = arguments
            .iter()
            .map(|argument| self.element_or_each(argument, indices))
            .collect::<Result<_, _>>()?;
        match (binary, elementary, values.as_slice()) {
            (Some(op), _, &[a, b]) => Ok(self.out.pool.binary(op, a, b)),
            (_, Some(f), &[a]) => Ok(self.out.pool.call(f, a)),
            _ => Err(not_supported(&format!("`{}` with these arguments", builtin.name()), span)),
        }
    }

    /// An element of arrays put together along one dimension.
    fn concatenated(&mut self, arguments: &[Expr], indices: &[usize], span: Span) -> Result<ExprId, Mistake> {
        let along = self.element(&arguments[0], &[])?;
        let along = self.out.pool.as_number(along).map_or(0, |along| along as usize - 1);
        let mut indices = indices.to_vec();
        for part in &arguments[1..] {
            let size = known_sizes(&part.ty, span)?[along];
            if indices[along] < size {
                return self.element(part, &indices);
            }
            indices[along] -= size;
        }
        Err(not_supported("`cat` of these arrays", span))
    }

    /// The sum or product of all elements of an array.
    fn fold(&mut self, builtin: Builtin, array: &Expr) -> Result<ExprId, Mistake> {
        let (op, neutral) = if builtin == Builtin::Sum { (Binary::Add, 0.0) } else { (Binary::Mul, 1.0) };
        let mut result = self.out.pool.number(neutral);
        for indices in Indices::of(&known_sizes(&array.ty, array.span)?) {
            let element = self.element(array, &indices)?;
            result = self.out.pool.binary(op, result, element);
        }
        Ok(result)
    }

    /// An expression in which parameters that shape the model, and constants, have their values.
    fn with_structural_values(&mut self, e: ExprId) -> ExprId {
        let mut e = e;
        // values may be given by other values; a circle was found before
        for _ in 0..100 {
            let known: Vec<(ScalarId, ExprId)> = self
                .out
                .pool
                .variables_of(e)
                .into_iter()
                .filter_map(|v| {
                    let variable = self.out.variable(v);
                    let fixed = variable.structural || variable.kind == Kind::Constant;
                    variable.binding.filter(|_| fixed).map(|binding| (v, binding))
                })
                .collect();
            if known.is_empty() {
                break;
            }
            e = self.out.pool.substitute(e, |leaf| match leaf {
                Leaf::Variable(v) => known.iter().find(|(known, _)| *known == v).map(|(_, value)| *value),
                Leaf::Time => None,
            });
        }
        e
    }

    /// The smallest or largest element of an array.
    fn extreme(&mut self, builtin: Builtin, array: &Expr) -> Result<ExprId, Mistake> {
        let op = binary(builtin).expect("min and max have two operands");
        let mut result = None;
        for indices in Indices::of(&known_sizes(&array.ty, array.span)?) {
            let element = self.element(array, &indices)?;
            result = Some(match result {
                None => element,
                Some(before) => self.out.pool.binary(op, before, element),
            });
        }
        result.ok_or_else(|| not_supported(&format!("`{}` of an empty array", builtin.name()), array.span))
    }

    /// `der(e)`, by the rules of differentiation down to derivatives of variables.
    fn derivative(&mut self, e: ExprId, span: Span) -> Result<ExprId, Mistake> {
        for v in self.out.pool.variables_of(e) {
            let variable = self.out.variable(v);
            if variable.is_unknown() && variable.scalar != rhei_equations::Scalar::Real {
                return Err(not_supported(&format!("the derivative of `{}`", variable.name), span));
            }
            if variable.is_unknown() && !self.derivative_of.contains_key(&v) {
                let mut derivative =
                    ScalarVariable::new(format!("der({})", variable.name), Kind::Derivative { of: v });
                derivative.origin = variable.origin.clone();
                self.derivative_of.insert(v, ScalarId(self.out.variables.len() as u32));
                self.out.variables.push(derivative);
            }
        }
        let (zero, one) = (self.out.pool.number(0.0), self.out.pool.number(1.0));
        let derivative_of = &self.derivative_of;
        Ok(self.out.pool.differentiate(e, |pool, leaf| match leaf {
            Leaf::Time => one,
            Leaf::Variable(v) => derivative_of.get(&v).map_or(zero, |&derivative| pool.variable(derivative)),
        }))
    }

    /// A relation that changes while time goes on needs events, which are not there yet.
    fn refuse_event(&self, relation: ExprId, span: Span) -> Result<(), Mistake> {
        let varies = self.out.pool.below(&[relation]).into_iter().any(|e| match self.out.pool.node(e) {
            Node::Time => true,
            Node::Variable(v) => self.out.variable(v).is_unknown(),
            _ => false,
        });
        if varies { Err(not_supported("a comparison of what varies (an event)", span)) } else { Ok(()) }
    }
}

/// The sizes of a type, which a model knows before it runs.
pub(crate) fn known_sizes(ty: &Type, span: Span) -> Result<Vec<usize>, Mistake> {
    ty.known_sizes().ok_or_else(|| not_supported("an array whose size is found out during the run", span))
}

fn reducing(reduction: Reduction) -> Binary {
    match reduction {
        Reduction::Sum => Binary::Add,
        Reduction::Product => Binary::Mul,
        Reduction::Min => Binary::Min,
        Reduction::Max => Binary::Max,
    }
}

pub(crate) fn not_supported(construct: &str, span: Span) -> Mistake {
    Mistake::NotSupported { construct: construct.to_owned(), span }
}

fn arithmetic(op: Arithmetic) -> Binary {
    match op {
        Arithmetic::Add => Binary::Add,
        Arithmetic::Subtract => Binary::Sub,
        Arithmetic::Multiply => Binary::Mul,
        Arithmetic::Divide => Binary::Div,
        Arithmetic::Power => Binary::Pow,
    }
}

fn binary(builtin: Builtin) -> Option<Binary> {
    match builtin {
        Builtin::Atan2 => Some(Binary::Atan2),
        Builtin::Min => Some(Binary::Min),
        Builtin::Max => Some(Binary::Max),
        _ => None,
    }
}

fn scalar_relation(relation: Relation) -> ScalarRelation {
    match relation {
        Relation::Less => ScalarRelation::Less,
        Relation::LessEqual => ScalarRelation::LessEqual,
        Relation::Greater => ScalarRelation::Greater,
        Relation::GreaterEqual => ScalarRelation::GreaterEqual,
        Relation::Equal => ScalarRelation::Equal,
        Relation::NotEqual => ScalarRelation::NotEqual,
    }
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
