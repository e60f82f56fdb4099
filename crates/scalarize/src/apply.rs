//! Calls of functions: put in place where the function is a formula, else kept as calls.
//!
//! A function is run with formulas in place of values: its statements are executed in order, conditions merge the
//! assignments of their branches, loops over known ranges are unrolled. The result is a formula for each of its outputs,
//! which differentiation and solving see through. If that is not possible (a `while`, a recursion, code outside the
//! language, more work than [`ALLOWANCE`]) the call stays a call.

use std::rc::Rc;

use rhei_equations::{Argument, Call, ExprId, Shape};
use rhei_external::is_known;
use rhei_flat::{Expr, ExprKind, External, Function, FunctionId, Inline, LocalId, LocalKind, Scalar, Type};
use rhei_source::Span;

use crate::data::{Data, Frame};
use crate::effects::{Inside, Speech};
use crate::element::{COPIED_AT_ONCE, Elements, Indices, known_sizes, not_supported};
use crate::mistake::Mistake;

/// Statements and calls that putting one call in place may take.
const ALLOWANCE: usize = 2_000;
/// Functions that call each other deeper than this stay calls: one that calls itself would never end.
const DEEPEST: usize = 50;

/// A call by its function and the numbers and texts it is given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Applied {
    function: FunctionId,
    arguments: Vec<Shape>,
    numbers: Vec<ExprId>,
}

/// A call that was put in place: its results, and the asserts and effects beside them.
#[derive(Clone, Debug)]
pub(crate) struct InPlace {
    outputs: Vec<Data>,
    inside: Rc<[Inside]>,
}

impl Elements<'_> {
    /// An element of the first output of a call, or of a field of it. Arguments with more dimensions than the inputs make
    /// as many calls (MLS §12.4.6).
    pub(crate) fn applied_element(
        &mut self,
        id: FunctionId,
        arguments: &[Expr],
        e: &Expr,
        field: Option<u32>,
        indices: &[usize],
    ) -> Result<ExprId, Mistake> {
        let function = self.flat.tables.function(id);
        let own = function.outputs().next().map_or(0, |(_, output)| output.ty.dimensions());
        let extra = e.ty.dimensions().saturating_sub(own);
        let (outer, inner) = indices.split_at(extra);
        let outputs = if extra == 0 {
            self.apply(id, arguments, e)?
        } else {
            let restricted: Vec<Expr> = function
                .inputs()
                .zip(arguments)
                .map(|((_, input), argument)| {
                    let more = argument.ty.dimensions().saturating_sub(input.ty.dimensions());
                    if more == 0 { argument.clone() } else { part(argument, &outer[..more]) }
                })
                .collect();
            let ty = Type::array(e.ty.scalar, e.ty.sizes[extra..].to_vec());
            self.apply(id, &restricted, &Expr { ty, ..e.clone() })?
        };
        let first = outputs.first();
        let data = match field {
            Some(place) => first.and_then(|data| data.field(place)),
            None => first,
        };
        data.and_then(|data| data.at(inner))
            .ok_or_else(|| not_supported(&format!("this result of the function `{}`", function.name), e.span))
    }

    /// All outputs of a call.
    pub(crate) fn apply(
        &mut self,
        id: FunctionId,
        arguments: &[Expr],
        e: &Expr,
    ) -> Result<Vec<Data>, Mistake> {
        let (key, known) = self.applied(id, arguments, e.span)?;
        match known {
            Some(InPlace { outputs, inside }) => {
                let count = outputs.iter().map(Data::count).sum::<usize>();
                self.spend(count / COPIED_AT_ONCE, e.span)?;
                self.take_over(&inside, e.span);
                Ok(outputs)
            }
            None => self.kept(self.flat.tables.function(id), key, e),
        }
    }

    /// Asserts and effects of a call that is put in place, its results left aside; nothing if it stays a
    /// call.
    pub(crate) fn inside_of_call(
        &mut self,
        id: FunctionId,
        arguments: &[Expr],
        span: Span,
    ) -> Result<Option<Rc<[Inside]>>, Mistake> {
        Ok(self.applied(id, arguments, span)?.1.map(|known| known.inside))
    }

    fn applied(
        &mut self,
        id: FunctionId,
        arguments: &[Expr],
        span: Span,
    ) -> Result<(Applied, Option<InPlace>), Mistake> {
        let function = self.flat.tables.function(id);
        let mut given = Vec::new();
        for ((_, input), argument) in function.inputs().zip(arguments) {
            given.push(self.data(argument, Some(input.ty.scalar))?);
        }
        let mut numbers = Vec::new();
        let shapes: Option<Vec<Shape>> = given.iter().map(|data| data.taken_apart(&mut numbers)).collect();
        let Some(shapes) = shapes else {
            return Err(not_supported("an argument that is not assigned yet", span));
        };
        let key = Applied { function: id, arguments: shapes, numbers };
        let known = match self.applied.get(&key) {
            Some(known) => known.clone(),
            None => {
                let inlined = self.put_in_place(function, given);
                self.applied.insert(key.clone(), inlined.clone());
                inlined
            }
        };
        Ok((key, known))
    }

    /// The outputs as formulas, if the function is one.
    fn put_in_place(&mut self, function: &Function, given: Vec<Data>) -> Option<InPlace> {
        let is_formula =
            function.external.is_none() && !function.is_impure && function.inline != Inline::Never;
        if !is_formula || self.frames.len() >= DEEPEST {
            return None;
        }
        let outermost = self.frames.is_empty();
        let around = self.allowance;
        if outermost {
            self.allowance = ALLOWANCE;
        }
        let around_inside = std::mem::take(&mut self.inside);
        self.inside_of.push(function.name.clone());
        let guards = std::mem::take(&mut self.guards);
        let assigned = std::mem::take(&mut self.assigned);
        let iterators = std::mem::take(&mut self.iterators);
        let left = std::mem::take(&mut self.left);
        let mut locals = vec![None; function.locals.len()];
        let mut given = given.into_iter();
        for (place, local) in function.locals.iter().enumerate() {
            if local.kind == LocalKind::Input {
                locals[place] = given.next();
            }
        }
        self.frames.push(Frame { locals });
        if !function.generate_events {
            self.without_events += 1;
        }
        let outputs = self.run(function);
        if !function.generate_events {
            self.without_events -= 1;
        }
        self.frames.pop();
        if outermost {
            self.allowance = around;
        }
        (self.guards, self.assigned, self.iterators, self.left) = (guards, assigned, iterators, left);
        self.inside_of.pop();
        let inside = std::mem::replace(&mut self.inside, around_inside);
        outputs.ok().map(|outputs| InPlace { outputs, inside: inside.into() })
    }

    fn run(&mut self, function: &Function) -> Result<Vec<Data>, Mistake> {
        // first values in the order of declaration; with one that refers to a later one the call stays a call
        for (place, local) in function.locals.iter().enumerate() {
            if self.locals()[place].is_some() {
                continue;
            }
            let value = match &local.binding {
                Some(binding) => {
                    let value = self.data(binding, Some(local.ty.scalar))?;
                    if value.sizes().len() == local.ty.dimensions() {
                        value
                    } else {
                        return Err(not_supported("a value for every element", binding.span));
                    }
                }
                None => {
                    let mut sizes = Vec::new();
                    for (dimension, size) in local.ty.sizes.iter().enumerate() {
                        sizes.push(match (size.known(), local.sizes.get(dimension)) {
                            (Some(size), _) => size,
                            (None, Some(Some(e))) => self.whole_number(e)?.max(0) as usize,
                            _ => return Err(not_supported("an array of open size", local.span)),
                        });
                    }
                    self.nothing(local.ty.scalar, &sizes, local.span)?
                }
            };
            self.locals()[place] = Some(value);
        }
        self.execute(&function.body)?;
        function
            .outputs()
            .map(|(LocalId(place), output)| {
                self.locals()[place as usize]
                    .take()
                    .filter(Data::is_complete)
                    .ok_or_else(|| not_supported("an output that is not assigned", output.span))
            })
            .collect()
    }

    pub(crate) fn locals(&mut self) -> &mut Vec<Option<Data>> {
        &mut self.frames.last_mut().expect("inside a function").locals
    }

    /// A value of which nothing is assigned.
    fn nothing(&mut self, scalar: Scalar, sizes: &[usize], span: Span) -> Result<Data, Mistake> {
        match scalar {
            Scalar::Record(id) => {
                let flat = self.flat;
                let fields = flat.tables.record(id).fields.iter();
                let fields = fields
                    .map(|field| {
                        let own = known_sizes(&field.ty, span)?;
                        self.nothing(field.ty.scalar, &[sizes, &own].concat(), span)
                    })
                    .collect::<Result<_, _>>()?;
                Ok(Data::Record { id, sizes: sizes.to_vec(), fields })
            }
            Scalar::String | Scalar::Clock | Scalar::Function => {
                Err(not_supported("a text that is computed", span))
            }
            _ => {
                let count = sizes.iter().fold(1, |count: usize, &size| count.saturating_mul(size));
                self.spend(count / COPIED_AT_ONCE, span)?;
                Ok(Data::Numbers { scalar, sizes: sizes.to_vec(), values: vec![None; count] })
            }
        }
    }

    /// The outputs as results of a call at run time.
    fn kept(&mut self, function: &Function, key: Applied, e: &Expr) -> Result<Vec<Data>, Mistake> {
        let is_known = |external: &External| external.language == "builtin" || is_known(&external.name);
        if function.external.as_ref().is_some_and(|external| !is_known(external)) {
            return Err(not_supported(&format!("a call of the function `{}`", function.name), e.span));
        }
        let mut results = Vec::new();
        for (place, (_, output)) in function.outputs().enumerate() {
            // the sizes of the first output are those of the call's type where they depend on the arguments
            let ty = if place == 0 && output.ty.known_sizes().is_none() { &e.ty } else { &output.ty };
            let sizes = match ty.known_sizes() {
                Some(sizes) => sizes,
                None => self.sizes_of_output(function, output, &key)?,
            };
            let count = sizes.iter().fold(1, |count: usize, &size| count.saturating_mul(size));
            self.spend(count / COPIED_AT_ONCE, e.span)?;
            results.push(self.shape(output.ty.scalar, &sizes, e.span)?);
        }
        let Applied { function: id, arguments, numbers } = key;
        if self.speech(id) == Speech::Speaks {
            let mut rest = numbers.iter().copied();
            let arguments = arguments.iter().map(|shape| {
                let own = rest.by_ref().take(shape.count()).collect();
                Argument::Value(shape.clone(), own)
            });
            let arguments = arguments.collect();
            self.say(Inside::Effect { function: id, arguments, active: None, span: e.span }, e.span);
        }
        let call = Call { function: id, arguments, results, operands: numbers, depth: 0 };
        let shapes = call.results.clone();
        let invoked = self.out.pool.invoke(call);
        let mut place = 0;
        Ok(shapes
            .iter()
            .map(|shape| Data::of_results(shape, invoked, &mut place, &mut self.out.pool))
            .collect())
    }

    /// Sizes of an output that its declaration computes from inputs.
    fn sizes_of_output(
        &mut self,
        function: &Function,
        output: &rhei_flat::Local,
        key: &Applied,
    ) -> Result<Vec<usize>, Mistake> {
        let mut locals = vec![None; function.locals.len()];
        let mut inputs = function.inputs().zip(&key.arguments);
        let mut place = 0;
        for ((LocalId(local), _), shape) in inputs.by_ref() {
            let numbers = &key.numbers[place..place + shape.count()];
            place += shape.count();
            if let Shape::Numbers { scalar, sizes } = shape {
                let values = numbers.iter().copied().map(Some).collect();
                locals[local as usize] =
                    Some(Data::Numbers { scalar: *scalar, sizes: sizes.clone(), values });
            }
        }
        self.frames.push(Frame { locals });
        let sizes = (0..output.ty.dimensions())
            .map(|dimension| match (output.ty.sizes[dimension].known(), output.sizes.get(dimension)) {
                (Some(size), _) => Ok(size),
                (None, Some(Some(e))) => Ok(self.whole_number(e)?.max(0) as usize),
                _ => Err(not_supported(
                    &format!("a result of open size of the function `{}`", function.name),
                    output.span,
                )),
            })
            .collect();
        self.frames.pop();
        sizes
    }

    fn shape(&self, scalar: Scalar, sizes: &[usize], span: Span) -> Result<Shape, Mistake> {
        Ok(match scalar {
            Scalar::Record(id) => {
                let fields = self.flat.tables.record(id).fields.iter();
                let fields = fields
                    .map(|field| self.shape(field.ty.scalar, &known_sizes(&field.ty, span)?, span))
                    .collect::<Result<Vec<_>, _>>()?;
                let record = Shape::Record(id, fields);
                if sizes.is_empty() {
                    record
                } else {
                    let elements = vec![record; sizes.iter().product()];
                    Shape::List { scalar, sizes: sizes.to_vec(), elements }
                }
            }
            Scalar::String => return Err(not_supported("a text that a function computes", span)),
            _ => Shape::Numbers { scalar, sizes: sizes.to_vec() },
        })
    }

    /// The whole value of an expression; `wanted` is the type it is to have.
    pub(crate) fn data(&mut self, e: &Expr, wanted: Option<Scalar>) -> Result<Data, Mistake> {
        if let Some(known) = self.known_data(e) {
            return Ok(known.clone());
        }
        match e.ty.scalar {
            Scalar::String if e.ty.is_scalar() => return Ok(Data::Text(self.text(e)?)),
            Scalar::Record(id) => {
                if let ExprKind::Apply(function, arguments) = &e.kind {
                    let whole = self.apply(*function, arguments, e)?.into_iter().next();
                    if let Some(whole) = whole.filter(|whole| whole.sizes().len() == e.ty.dimensions()) {
                        return Ok(whole);
                    }
                }
                let sizes = self.sizes(e)?;
                let mut fields = Vec::new();
                for place in 0..self.flat.tables.record(id).fields.len() as u32 {
                    let ty = self.field_type(e, place);
                    let field = match &e.kind {
                        ExprKind::Record(_, fields) => fields[place as usize].clone(),
                        _ => Expr { kind: ExprKind::Field(Box::new(e.clone()), place), ty, span: e.span },
                    };
                    fields.push(self.data(&field, None)?);
                }
                return Ok(Data::Record { id, sizes, fields });
            }
            Scalar::String => {
                let (sizes, mut texts) = (self.sizes(e)?, Vec::new());
                for indices in Indices::of(&sizes) {
                    texts.push(self.text(&part(e, &indices))?);
                }
                return Ok(Data::Texts { sizes, texts });
            }
            Scalar::Function => {
                let ExprKind::Function(function, given) = &e.kind else {
                    return Err(not_supported("a function of a function's input", e.span));
                };
                let mut inputs = Vec::new();
                for (place, value) in given {
                    let input = self.flat.tables.function(*function).inputs().nth(*place as usize);
                    let wanted = input.map(|(_, input)| input.ty.scalar);
                    inputs.push((*place, self.data(value, wanted)?));
                }
                return Ok(Data::Function(*function, inputs));
            }
            Scalar::Clock => return Err(not_supported("an argument of this type", e.span)),
            _ => {}
        }
        let sizes = self.sizes(e)?;
        let mut values = Vec::new();
        for indices in Indices::of(&sizes) {
            values.push(Some(self.element(e, &indices)?));
        }
        // an Integer where a Real is wanted becomes one (MLS §10.6.13)
        let scalar = wanted.filter(|wanted| wanted.accepts(e.ty.scalar)).unwrap_or(e.ty.scalar);
        Ok(Data::Numbers { scalar, sizes, values })
    }
}

/// `e[i, j]` with known indices, from zero.
fn part(e: &Expr, indices: &[usize]) -> Expr {
    let subscript = |&index: &usize| {
        let kind = ExprKind::Integer(index as i64 + 1);
        rhei_flat::Subscript::Index(Expr { kind, ty: Type::scalar(Scalar::Integer), span: e.span })
    };
    let mut subscripts: Vec<rhei_flat::Subscript> = indices.iter().map(subscript).collect();
    subscripts.resize(e.ty.dimensions(), rhei_flat::Subscript::Whole);
    let ty = Type::array(e.ty.scalar, e.ty.sizes[indices.len()..].to_vec());
    Expr { kind: ExprKind::Index(Box::new(e.clone()), subscripts), ty, span: e.span }
}
