//! Calls: which function is meant, and which argument is which input (MLS §12.4).

use rhei_flat::{Builtin, Expr, ExprKind, FunctionId, LocalKind, Reduction, Scalar, Size, Subscript, Type};
use rhei_source::{Span, nearest_name};
use rhei_syntax::ast::{self, ClassKind};

use super::choose::Turns;
use super::{Typed, Typing};
use crate::class::{BuiltinClass, ClassNodeId};
use crate::context::Context;
use crate::lookup::Found;
use crate::mistake::Mistake;

/// Arguments as they are written.
pub(super) struct Arguments<'l> {
    pub(super) positional: Vec<ast::Expression<'l>>,
    pub(super) named: Vec<ast::NamedArgument<'l>>,
    pub(super) span: Span,
}

impl<'l> Context<'l> {
    /// A simple name, from the inside out but not beyond the classes around.
    fn lookup_inside(&mut self, scope: ClassNodeId, name: &str) -> Option<Found> {
        let mut next = Some(scope);
        while let Some(class) = next {
            if let Some(found) = self.lookup_in(class, name).or_else(|| self.lookup_imports_of(class, name)) {
                return Some(found);
            }
            let node = self.class(class);
            next = if node.text().is_some_and(|text| text.is_encapsulated()) { None } else { node.scope };
        }
        None
    }
}

impl<'l> Typing<'_, 'l> {
    pub(super) fn call(&mut self, call: ast::FunctionCall<'l>) -> Typed {
        let span = call.span();
        let function = call.function().ok_or(Mistake::Incomplete)?;
        let name = function.to_string();
        let arguments =
            Arguments { positional: call.positional().collect(), named: call.named().collect(), span };
        if call.iterators().next().is_some() {
            return self.reduction(&name, call);
        }
        if let Some(ident) = function.as_ident() {
            let ident = ident.ident();
            if let Some((_, local, ty)) = self.around.locals.iter().find(|(name, ..)| *name == *ident)
                && ty.scalar == Scalar::Function
            {
                let local = *local;
                return self.call_local(local, arguments);
            }
            let keyword = matches!(&*ident, "der" | "initial" | "pure");
            let inside = if keyword { None } else { self.context.lookup_inside(self.scope, &ident) };
            match inside {
                Some(Found::Class(class)) => return self.call_class(class, &name, arguments),
                Some(_) => return Err(Mistake::NotAFunction { name, span: function.span() }),
                None => {}
            }
            if ident == "pure" {
                return self.wrapped_in_pure(arguments.positional.first().copied());
            }
            if let Some(builtin) = Builtin::named(&ident) {
                return self.builtin(builtin, arguments);
            }
        } else if let Some(builtin) = Builtin::named(name.trim_start_matches('.')) {
            return self.builtin(builtin, arguments); // `.sin`, `Connections.root` and its kin
        }
        match self.context.lookup_reference_class(function, self.scope) {
            Some(class) => self.call_class(class, &name, arguments),
            None => Err(self.unknown_function(function)),
        }
    }

    fn unknown_function(&mut self, function: ast::ComponentReference<'l>) -> Mistake {
        let name = function.to_string();
        let span = function.span();
        if let Some(ident) = function.as_ident() {
            let builtins = Builtin::all().map(|builtin| builtin.name());
            let near = nearest_name(&ident.ident(), builtins)
                .map(str::to_owned)
                .or_else(|| self.context.nearest_in(Some(self.scope), &ident.ident()));
            return Mistake::UnknownFunction { name, class: None, near, span };
        }
        // a path is best explained by its first part that is not known
        let mut within: Option<ClassNodeId> = None;
        for part in function.parts() {
            let ident = part.name.ident();
            let found = match within {
                Some(class) => self.context.lookup_in(class, &ident),
                None if function.is_global() => self.context.lookup_global(&ident),
                None => self.context.lookup(Some(self.scope), &ident),
            };
            within = match (found, within) {
                (Some(Found::Class(class)), _) => Some(class),
                (Some(Found::Component(component)), _) => {
                    Some(self.context.component(self.context.resolved(component)).class)
                }
                (Some(Found::Literal(..)), _) => break,
                (None, Some(class)) => {
                    let near = self.context.nearest_element(class, &ident);
                    let class = Some(self.context.class_name(class));
                    let (name, span) = (ident.into_owned(), part.name.span());
                    return Mistake::UnknownFunction { name, class, near, span };
                }
                (None, None) => break,
            };
        }
        Mistake::UnknownFunction { name, class: None, near: None, span }
    }

    /// A class called by its name: a function, a constructor of records, objects or enumerations.
    fn call_class(&mut self, class: ClassNodeId, name: &str, arguments: Arguments<'l>) -> Typed {
        if let Some(builtin) = self.context.elements(class).builtin() {
            match builtin {
                BuiltinClass::ExternalObject => return self.construct_external(class, arguments),
                BuiltinClass::Scalar(Scalar::Integer) => return self.builtin(Builtin::IntegerOf, arguments),
                BuiltinClass::Scalar(Scalar::String) => return self.builtin(Builtin::StringOf, arguments),
                BuiltinClass::Scalar(Scalar::Clock) => return self.builtin(Builtin::Clock, arguments),
                _ => {}
            }
        }
        if let Some(id) = self.context.enumeration_of(class) {
            let value = self.maybe(arguments.positional.first().copied())?;
            let ty = Type::scalar(Scalar::Enumeration(id));
            return Ok(Expr {
                kind: ExprKind::Call(Builtin::EnumerationOf, vec![value]),
                ty,
                span: arguments.span,
            });
        }
        match self.context.class(class).kind() {
            ClassKind::Function | ClassKind::OperatorFunction => self.call_function(class, arguments),
            ClassKind::Record
            | ClassKind::OperatorRecord
            | ClassKind::Connector
            | ClassKind::Class
            | ClassKind::Model
            | ClassKind::Block
            | ClassKind::Type => self.construct_record(class, arguments),
            ClassKind::Operator => self.call_operator(class, name, arguments),
            ClassKind::Package | ClassKind::ExpandableConnector => {
                Err(Mistake::NotAFunction { name: name.into(), span: arguments.span })
            }
        }
    }

    fn call_function(&mut self, class: ClassNodeId, arguments: Arguments<'l>) -> Typed {
        if let Some(builtin) = self.context.builtin_behind(class) {
            return self.builtin(builtin, arguments);
        }
        if self.context.class(class).text().is_some_and(|text| text.is_partial()) {
            let name = self.context.class_name(class);
            return Err(Mistake::PartialClass { name, span: arguments.span });
        }
        let id = self.context.function_of(class)?;
        self.check_purity(id, arguments.span)?;
        self.context.refuse_unassigned_outputs(id, arguments.span)?;
        let given = self.match_arguments(id, &arguments)?;
        self.apply(id, given, arguments.span)
    }

    /// Only functions that are declared as pure may not call impure ones; others become impure by it (MLS §12.3).
    fn check_purity(&mut self, called: FunctionId, span: Span) -> Result<(), Mistake> {
        let function = self.context.tables.function(called);
        if !function.is_impure || self.context.trusted_calls.contains(&span) {
            return Ok(());
        }
        let is_declared = self.context.declared_impure.contains(&called);
        if self.around.is_pure {
            // of external functions that say nothing, this is out of date, not wrong
            let name = function.name.to_string();
            return if is_declared { Err(Mistake::ImpureCall { function: name, span }) } else { Ok(()) };
        }
        if let Some(around) = self.around.function {
            self.context.tables.functions[around.0 as usize].is_impure = true;
            if is_declared {
                self.context.declared_impure.insert(around);
            }
        }
        Ok(())
    }

    /// `pure(f(x))`: whatever `f` says of itself.
    fn wrapped_in_pure(&mut self, inner: Option<ast::Expression<'l>>) -> Typed {
        let Some(ast::Expression::Call(call)) = inner else { return self.maybe(inner) };
        // its arguments are not excused, only the call itself
        self.context.trusted_calls.insert(call.span());
        self.call(call)
    }

    /// An operator called by its own name, as `Complex.'constructor'.fromReal` would be: the first function that fits.
    fn call_operator(&mut self, class: ClassNodeId, name: &str, arguments: Arguments<'l>) -> Typed {
        let given: Vec<Expr> =
            arguments.positional.iter().map(|e| self.expression(*e)).collect::<Result<_, _>>()?;
        let elements = self.context.elements(class);
        for (name, element) in elements.iter() {
            if let crate::shape::ElementKind::Class(definition) = element.kind() {
                let function = self.context.class_element(element.owner, name, definition);
                if let Some(call) = self.try_call(function, &given, arguments.span) {
                    return Ok(call);
                }
            }
        }
        Err(Mistake::NotAFunction { name: name.into(), span: arguments.span })
    }

    /// One value per input, in order; none where the default counts.
    pub(super) fn match_arguments(
        &mut self,
        id: FunctionId,
        arguments: &Arguments<'l>,
    ) -> Result<Vec<Option<Expr>>, Mistake> {
        let function = self.context.tables.function(id);
        let name = function.name.to_string();
        let inputs: Vec<(smol_str::SmolStr, bool)> = function
            .inputs()
            .map(|(_, local)| (local.name.clone(), local.ty.scalar == Scalar::Function))
            .collect();
        if arguments.positional.len() > inputs.len() {
            return Err(Mistake::WrongArgumentCount {
                function: name,
                wanted: count_of(inputs.len()),
                found: arguments.positional.len(),
                span: arguments.span,
            });
        }
        let mut given: Vec<Option<Expr>> = vec![None; inputs.len()];
        for (place, argument) in arguments.positional.iter().enumerate() {
            given[place] = Some(self.argument(*argument, inputs[place].1)?);
        }
        for argument in &arguments.named {
            let ident = argument.name().ok_or(Mistake::Incomplete)?;
            let Some(place) = inputs.iter().position(|(input, _)| *input == *ident.ident()) else {
                let near = nearest_name(&ident.ident(), inputs.iter().map(|(input, _)| input.as_str()))
                    .map(str::to_owned);
                let (argument, span) = (ident.ident().into_owned(), ident.span());
                return Err(Mistake::UnknownArgument { argument, function: name, near, span });
            };
            if given[place].is_some() {
                let (argument, span) = (ident.ident().into_owned(), ident.span());
                return Err(Mistake::ArgumentTwice { argument, function: name, span });
            }
            let value = argument.value().ok_or(Mistake::Incomplete)?;
            given[place] = Some(self.argument(value, inputs[place].1)?);
        }
        Ok(given)
    }

    /// A call with these inputs; defaults are put in, and arrays go through element by element where scalars are wanted.
    pub(super) fn apply(&mut self, id: FunctionId, given: Vec<Option<Expr>>, span: Span) -> Typed {
        let function = self.context.tables.function(id);
        let name = function.name.to_string();
        let inputs: Vec<(rhei_flat::LocalId, rhei_flat::Local)> =
            function.inputs().map(|(id, local)| (id, local.clone())).collect();
        let values = self.filled_slots(&name, &inputs, given, span)?;
        for (value, (input, local)) in values.iter().zip(&inputs) {
            self.check_function(id, *input, &local.name, value)?;
        }
        // MLS §12.4.6: further dimensions, the same for all that have them
        let mut over: Option<Vec<Size>> = None;
        for (value, (_, local)) in values.iter().zip(&inputs) {
            let extra = value.ty.dimensions().checked_sub(local.ty.dimensions());
            let fits = self.context.accepts(local.ty.scalar, value.ty.scalar)
                && extra.is_some_and(|extra| {
                    value.ty.sizes[extra..].iter().zip(&local.ty.sizes).all(|(a, b)| a.fits(*b))
                });
            let what = format!("`{}` of `{name}`", local.name);
            let extra = match extra {
                Some(extra) if fits => extra,
                _ => {
                    self.check(&what, &local.ty, value)?;
                    0
                }
            };
            if extra > 0 {
                let sizes = value.ty.sizes[..extra].to_vec();
                match &over {
                    Some(before) if *before != sizes => self.check(&what, &local.ty, value)?,
                    _ => over = Some(sizes),
                }
            }
        }
        match over {
            None => self.scalar_call(id, values, span),
            Some(sizes) => self.vectorised(id, values, &inputs, sizes, span),
        }
    }

    /// A value for each input: the one given, else the default, in which other inputs have their values (MLS §12.4.1).
    fn filled_slots(
        &mut self,
        name: &str,
        inputs: &[(rhei_flat::LocalId, rhei_flat::Local)],
        given: Vec<Option<Expr>>,
        span: Span,
    ) -> Result<Vec<Expr>, Mistake> {
        let mut known: Vec<(rhei_flat::LocalId, Expr)> = Vec::new();
        let mut waiting = Vec::new();
        for (place, (id, local)) in inputs.iter().enumerate() {
            match (given.get(place).cloned().flatten(), &local.binding) {
                (Some(value), _) => known.push((*id, self.converted(value, &local.ty, span))),
                (None, Some(default)) => waiting.push((*id, local, default)),
                (None, None) => {
                    let input = local.name.to_string();
                    return Err(Mistake::MissingArgument { input, function: name.into(), span });
                }
            }
        }
        while !waiting.is_empty() {
            let before = waiting.len();
            for (id, local, default) in std::mem::take(&mut waiting) {
                let mut is_ready = true;
                default.walk(&mut |part| {
                    if let ExprKind::Local(used) = part.kind {
                        is_ready &= known.iter().any(|(input, _)| *input == used);
                    }
                });
                if is_ready {
                    known.push((id, self.context.substitute(default, &known, span)?));
                } else {
                    waiting.push((id, local, default));
                }
            }
            if let Some((_, local, _)) = waiting.first().filter(|_| waiting.len() == before) {
                let (input, function) = (local.name.to_string(), name.into());
                return Err(Mistake::CyclicDefaults { input, function, span });
            }
        }
        known.sort_by_key(|(id, _)| *id);
        Ok(known.into_iter().map(|(_, value)| value).collect())
    }

    fn vectorised(
        &mut self,
        id: FunctionId,
        values: Vec<Expr>,
        inputs: &[(rhei_flat::LocalId, rhei_flat::Local)],
        sizes: Vec<Size>,
        span: Span,
    ) -> Typed {
        let mut iterations = Vec::new();
        let mut subscripts = Vec::new();
        let along = values
            .iter()
            .zip(inputs)
            .find(|(value, (_, local))| value.ty.dimensions() > local.ty.dimensions());
        let (along, _) = along.ok_or(Mistake::Incomplete)?;
        for dimension in 0..sizes.len() {
            let iterator = self.context.tables.new_iterator("$i");
            let kind = ExprKind::Iterator(iterator);
            subscripts.push(Subscript::Index(Expr { kind, ty: Type::scalar(Scalar::Integer), span }));
            let range = Box::new(self.counting_along(along, dimension));
            iterations.push(rhei_flat::Iteration { iterator, range });
        }
        let elements = values.into_iter().zip(inputs).map(|(value, (_, local))| {
            if value.ty.dimensions() == local.ty.dimensions() {
                return value;
            }
            let mut own = subscripts.clone();
            own.resize(value.ty.dimensions(), Subscript::Whole);
            let ty = Type::array(value.ty.scalar, value.ty.sizes[sizes.len()..].to_vec());
            Expr { kind: ExprKind::Index(Box::new(value), own), ty, span }
        });
        let elements = elements.collect();
        let body = self.scalar_call(id, elements, span)?;
        iterations.reverse();
        let ty = body.ty.within(sizes);
        Ok(Expr { kind: ExprKind::Comprehension(Box::new(body), iterations), ty, span })
    }

    fn scalar_call(&mut self, id: FunctionId, values: Vec<Expr>, span: Span) -> Typed {
        let output = self.context.tables.function(id).outputs().next().map(|(_, local)| local.clone());
        let ty = match &output {
            Some(local) => self.output_type(id, local, &values),
            None => Type::scalar(Scalar::Boolean), // called for its effect only
        };
        Ok(Expr { kind: ExprKind::Apply(id, values), ty, span })
    }

    /// The types of all outputs of a call.
    pub(crate) fn output_types(&mut self, id: FunctionId, values: &[Expr]) -> Vec<Type> {
        let outputs: Vec<rhei_flat::Local> =
            self.context.tables.function(id).outputs().map(|(_, local)| local.clone()).collect();
        outputs.iter().map(|local| self.output_type(id, local, values)).collect()
    }

    /// Sizes of an output that depend on inputs, from the arguments.
    fn output_type(&mut self, id: FunctionId, local: &rhei_flat::Local, values: &[Expr]) -> Type {
        let ids: Vec<rhei_flat::LocalId> =
            self.context.tables.function(id).inputs().map(|(id, _)| id).collect();
        let known: Vec<(rhei_flat::LocalId, Expr)> = ids.into_iter().zip(values.iter().cloned()).collect();
        let mut sizes = Vec::new();
        for (size, written) in local.ty.sizes.iter().zip(&local.sizes) {
            sizes.push(match (size, written) {
                (Size::Open, Some(written)) => self.size_from(substituted(written.clone(), &known)),
                _ => *size,
            });
        }
        if sizes.contains(&Size::Open) && !self.around.in_function && local.kind == LocalKind::Output {
            // only running it tells: possible where all arguments are known
            let call =
                Expr { kind: ExprKind::Apply(id, values.to_vec()), ty: local.ty.clone(), span: local.span };
            if let Ok(value) = self.context.evaluate(&call, true) {
                let found = value.sizes();
                if found.len() == sizes.len() {
                    sizes = found.iter().map(|&size| Size::Known(size)).collect();
                }
            }
        }
        Type::array(local.ty.scalar, sizes)
    }

    fn size_from(&mut self, e: Expr) -> Size {
        let mut has_locals = false;
        e.walk(&mut |part| has_locals |= matches!(part.kind, ExprKind::Local(_)));
        let e = folded_sizes(e);
        if let ExprKind::Integer(value) = e.kind {
            return usize::try_from(value).map_or(Size::Open, Size::Known);
        }
        if has_locals || self.around.in_function {
            return Size::Open;
        }
        let value = self.context.evaluate(&e, true).ok().and_then(|value| value.as_integer());
        value.and_then(|value| usize::try_from(value).ok()).map_or(Size::Open, Size::Known)
    }

    /// A number where a record is wanted that can be made of one (MLS §14.4).
    fn converted(&mut self, value: Expr, wanted: &Type, span: Span) -> Expr {
        let Scalar::Record(id) = wanted.scalar else { return value };
        if !self.context.tables.record(id).is_operator || matches!(value.ty.scalar, Scalar::Record(_)) {
            return value;
        }
        if !value.ty.is_scalar() {
            return value;
        }
        self.constructed(wanted.scalar, &value, span).unwrap_or(value)
    }

    /// A record from its fields (MLS §12.6), by an overloaded constructor where the class has them.
    fn construct_record(&mut self, class: ClassNodeId, arguments: Arguments<'l>) -> Typed {
        let span = arguments.span;
        let name = self.context.class_name(class);
        let record =
            self.context.record_of(class).ok_or(Mistake::NotAFunction { name: name.clone(), span })?;
        if self.context.tables.record(record).is_operator && arguments.named.is_empty() {
            let given: Vec<Expr> =
                arguments.positional.iter().map(|e| self.expression(*e)).collect::<Result<_, _>>()?;
            for function in self.operator_functions(&[Scalar::Record(record)], "'constructor'") {
                if let Some(call) = self.try_call(function, &given, span) {
                    return Ok(call);
                }
            }
        }
        let constructor = self.context.record_constructor(class, record)?;
        let given = self.match_arguments(constructor, &arguments)?;
        let call = self.apply(constructor, given, span)?;
        Ok(constructed_record(call, record))
    }

    fn construct_external(&mut self, class: ClassNodeId, arguments: Arguments<'l>) -> Typed {
        let span = arguments.span;
        let name = self.context.class_name(class);
        let Some(Found::Class(constructor)) = self.context.lookup_in(class, "constructor") else {
            return Err(Mistake::NotAFunction { name, span });
        };
        let record = self.context.external_object(class);
        // nothing calls it, but it belongs to the class
        if let Some(Found::Class(destructor)) = self.context.lookup_in(class, "destructor") {
            self.context.function_of(destructor)?;
        }
        let call = self.call_function(constructor, arguments)?;
        Ok(Expr { ty: Type::scalar(Scalar::ExternalObject(record)), ..call })
    }

    /// `sum(e for i in r)`
    fn reduction(&mut self, name: &str, call: ast::FunctionCall<'l>) -> Typed {
        let span = call.span();
        let reduction = match name {
            "sum" => Some(Reduction::Sum),
            "product" => Some(Reduction::Product),
            "min" => Some(Reduction::Min),
            "max" => Some(Reduction::Max),
            "array" => None,
            _ => return Err(Mistake::NotAReduction { name: name.into(), span }),
        };
        let turns = self.turns(call.iterators(), call.node(), call.positional().next())?;
        let (body, iterations) = match (turns, reduction) {
            (Turns::WrittenOut(array), None) => return Ok(array),
            (Turns::WrittenOut(array), Some(reduction)) => {
                return self.reduced(reduction, array, call.iterators().count(), span);
            }
            (Turns::Looped(body, iterations), _) => (body, iterations),
        };
        match reduction {
            None => {
                let sizes: Vec<Size> =
                    iterations.iter().rev().map(|iteration| iteration.range.ty.sizes[0]).collect();
                let ty = body.ty.within(sizes);
                Ok(Expr { kind: ExprKind::Comprehension(Box::new(body), iterations), ty, span })
            }
            Some(reduction) => {
                self.check_reduced(reduction, &body)?;
                let ty = body.ty.clone();
                Ok(Expr { kind: ExprKind::Reduction(reduction, Box::new(body), iterations), ty, span })
            }
        }
    }
}

impl Typing<'_, '_> {
    /// Numbers are added and multiplied; ordered values are compared, one by one.
    fn check_reduced(&self, reduction: Reduction, body: &Expr) -> Result<(), Mistake> {
        let extreme = matches!(reduction, Reduction::Min | Reduction::Max);
        let fits = match body.ty.scalar {
            Scalar::Real | Scalar::Integer => !extreme || body.ty.is_scalar(),
            Scalar::Boolean | Scalar::Enumeration(_) => extreme && body.ty.is_scalar(),
            _ => false,
        };
        if fits {
            return Ok(());
        }
        let what = format!("what `{}` goes through", reduction.name());
        let wanted = if extreme { "scalars with an order" } else { "numbers" };
        let (found, span) = (self.context.type_name(&body.ty), body.span);
        Err(Mistake::TypeMismatch { what, wanted: wanted.into(), found, span })
    }
}

/// A call of a record constructor is a record of its arguments.
fn constructed_record(call: Expr, record: rhei_flat::RecordId) -> Expr {
    let Expr { kind, ty, span } = call;
    let kind = match kind {
        ExprKind::Apply(_, values) => ExprKind::Record(record, values),
        ExprKind::Comprehension(body, iterations) => {
            ExprKind::Comprehension(Box::new(constructed_record(*body, record)), iterations)
        }
        other => other,
    };
    let ty = Type::array(Scalar::Record(record), ty.sizes);
    Expr { kind, ty, span }
}

impl Context<'_> {
    /// [`substituted`], if that does not get too large: defaults may refer to each other, and double every time.
    pub(crate) fn substitute(
        &mut self,
        e: &Expr,
        known: &[(rhei_flat::LocalId, Expr)],
        span: Span,
    ) -> Result<Expr, Mistake> {
        let sizes: Vec<(rhei_flat::LocalId, usize)> =
            known.iter().map(|(local, value)| (*local, value.size())).collect();
        let mut size = 0usize;
        e.walk(&mut |part| {
            let replaced = match part.kind {
                ExprKind::Local(id) => sizes.iter().find(|(local, _)| *local == id),
                _ => None,
            };
            size = size.saturating_add(replaced.map_or(1, |(_, size)| *size));
        });
        self.write_out("this call", 1, size, span)?;
        Ok(substituted(e.clone(), known))
    }
}

/// `e` with locals replaced.
fn substituted(e: Expr, known: &[(rhei_flat::LocalId, Expr)]) -> Expr {
    if let ExprKind::Local(id) = e.kind
        && let Some((_, value)) = known.iter().find(|(local, _)| *local == id)
    {
        return value.clone();
    }
    e.map_parts(&mut |part| substituted(part, known))
}

/// `size(x, 1)` of arrays with known sizes as a number, and sums of such.
fn folded_sizes(e: Expr) -> Expr {
    let e = e.map_parts(&mut folded_sizes);
    let span = e.span;
    let number =
        |value: i64| Expr { kind: ExprKind::Integer(value), ty: Type::scalar(Scalar::Integer), span };
    match &e.kind {
        ExprKind::Call(Builtin::Size, arguments) if arguments.len() == 2 => {
            let place = match arguments[1].kind {
                ExprKind::Integer(place) if place >= 1 => place as usize - 1,
                _ => return e,
            };
            match arguments[0].ty.sizes.get(place) {
                Some(Size::Known(size)) => number(*size as i64),
                _ => e,
            }
        }
        ExprKind::Arithmetic(op, a, b) => match (&a.kind, &b.kind) {
            (ExprKind::Integer(a), ExprKind::Integer(b)) => match op {
                rhei_flat::Arithmetic::Add => a.checked_add(*b).map_or(e.clone(), number),
                rhei_flat::Arithmetic::Subtract => a.checked_sub(*b).map_or(e.clone(), number),
                rhei_flat::Arithmetic::Multiply => a.checked_mul(*b).map_or(e.clone(), number),
                _ => e,
            },
            _ => e,
        },
        _ => e,
    }
}

fn count_of(n: usize) -> String {
    match n {
        0 => "no arguments".into(),
        1 => "one argument".into(),
        n => format!("{n} arguments"),
    }
}
