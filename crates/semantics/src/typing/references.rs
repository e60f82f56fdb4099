//! References to variables, constants, literals and iterators (MLS §5.3, §10.5).

use rhei_flat::{Expr, ExprKind, Iteration, Scalar, Size, Subscript, Type};
use rhei_source::{Span, nearest_name};
use rhei_syntax::{TokenRef, ast};

use super::{Typed, Typing};
use crate::class::ClassNodeId;
use crate::component::{ComponentId, Content};
use crate::context::Context;
use crate::equations::iterators_around;
use crate::lookup::Found;
use crate::mistake::Mistake;

/// A component on the way to a variable, with its subscripts.
pub(super) type Step = (ComponentId, Vec<Subscript>);

impl<'l> Context<'l> {
    /// The element of a class that was probably meant.
    pub(crate) fn nearest_element(&mut self, class: ClassNodeId, name: &str) -> Option<String> {
        let elements = self.elements(class);
        nearest_name(name, elements.names().map(|element| element.as_str())).map(str::to_owned)
    }

    /// The class that a reference without subscripts means, if it means one.
    pub(crate) fn lookup_reference_class(
        &mut self,
        reference: ast::ComponentReference<'l>,
        scope: ClassNodeId,
    ) -> Option<ClassNodeId> {
        let mut parts = reference.parts();
        let first = parts.next()?;
        if first.subscripts.is_some() {
            return None;
        }
        let ident = first.name.ident();
        let mut found = if reference.is_global() {
            self.lookup_global(&ident)
        } else {
            self.lookup(Some(scope), &ident)
        }?;
        for part in parts {
            let within = match found {
                Found::Class(class) => class,
                Found::Component(component) => self.component(self.resolved(component)).class,
                Found::Literal(..) => return None,
            };
            if part.subscripts.is_some() {
                return None;
            }
            found = self.lookup_in(within, &part.name.ident())?;
            self.refuse_protected(within, &part.name.ident(), part.name.span());
        }
        match found {
            Found::Class(class) => Some(class),
            _ => None,
        }
    }
}

impl<'l> Typing<'_, 'l> {
    /// Whether a reference begins with a component of the function around or with an iterator.
    pub(super) fn is_local(&self, reference: ast::ComponentReference<'l>) -> bool {
        let Some(first) = reference.parts().next().filter(|_| !reference.is_global()) else { return false };
        let ident = first.name.ident();
        self.around.iterators.iter().any(|(name, ..)| *name == *ident)
            || self.around.locals.iter().any(|(name, ..)| *name == *ident)
    }

    pub(super) fn reference(&mut self, reference: ast::ComponentReference<'l>) -> Typed {
        let parts: Vec<ast::ReferencePart<'l>> = reference.parts().collect();
        let first = parts.first().ok_or(Mistake::Incomplete)?;
        let ident = first.name.ident();
        if !reference.is_global() {
            if let Some((_, iterator, ty)) =
                self.around.iterators.iter().rev().find(|(name, ..)| *name == *ident)
            {
                let span = first.name.span();
                let turn = self.around.turns.iter().find(|(turning, _)| turning == iterator);
                let e = match turn {
                    Some((_, value)) => Expr { span, ..value.clone() },
                    None => Expr { kind: ExprKind::Iterator(*iterator), ty: ty.clone(), span },
                };
                return self.fields(e, first, &parts[1..]);
            }
            if let Some((_, local, ty)) = self.around.locals.iter().find(|(name, ..)| *name == *ident) {
                let e = Expr { kind: ExprKind::Local(*local), ty: ty.clone(), span: first.name.span() };
                return self.fields(e, first, &parts[1..]);
            }
        }
        let found = if reference.is_global() {
            self.context.lookup_global(&ident)
        } else {
            self.context.lookup(Some(self.scope), &ident)
        };
        let Some(found) = found else {
            let near = self.context.nearest_in(Some(self.scope), &ident);
            let class = self.context.class_name(self.scope);
            return Err(Mistake::UnknownName {
                name: ident.into_owned(),
                class,
                near,
                span: first.name.span(),
            });
        };
        self.context.refuse_enclosing(self.scope, found, first.name.span())?;
        self.follow(reference, found, &parts, Vec::new())
    }

    /// Resolves a part of a reference and those after it; `found` is the meaning of its name.
    fn follow(
        &mut self,
        reference: ast::ComponentReference<'l>,
        found: Found,
        parts: &[ast::ReferencePart<'l>],
        mut steps: Vec<Step>,
    ) -> Typed {
        let (part, rest) = parts.split_first().ok_or(Mistake::Incomplete)?;
        match found {
            Found::Component(component) => {
                let component = self.context.resolved(component);
                let subscripts = self.subscripts_of(component, part)?;
                if self.context.component(component).content != Content::Elements {
                    steps.push((component, subscripts));
                    return self.follow_component(reference, *part, rest, steps);
                }
                let chosen = self.chosen(component, &subscripts)?;
                let (part, span) = (*part, reference.span());
                let mut around = Vec::new();
                for (component, subscripts) in &mut steps {
                    let sizes = self.context.component(*component).sizes.clone();
                    around.extend(self.open_to_iterators(subscripts, &sizes, span));
                }
                let array = self.for_each_chosen(component, &chosen, span, &mut |typing, element| {
                    let mut steps = steps.clone();
                    steps.push((element, Vec::new()));
                    typing.follow_component(reference, part, rest, steps)
                })?;
                Ok(for_all(array, around))
            }
            Found::Class(_) if rest.is_empty() => {
                Err(Mistake::ClassAsValue { name: reference.to_string(), span: reference.span() })
            }
            Found::Class(class) => self.follow_inside(reference, class, rest, Vec::new()),
            Found::Literal(class, number) => self.literal(class, number, reference.span()),
        }
    }

    /// Resolves a reference from its last step on.
    fn follow_component(
        &mut self,
        reference: ast::ComponentReference<'l>,
        part: ast::ReferencePart<'l>,
        rest: &[ast::ReferencePart<'l>],
        steps: Vec<Step>,
    ) -> Typed {
        let component = steps.last().ok_or(Mistake::Incomplete)?.0;
        match self.context.component(component).content {
            Content::Absent => {
                let name = self.context.path_name(component);
                return Err(Mistake::AbsentComponent { name, span: part.name.span() });
            }
            Content::WithoutInner => return Err(Mistake::Incomplete),
            _ => {}
        }
        if rest.is_empty() {
            return self.component_reference(component, &steps, reference.span());
        }
        let class = self.context.component(component).class;
        self.follow_inside(reference, class, rest, steps)
    }

    fn follow_inside(
        &mut self,
        reference: ast::ComponentReference<'l>,
        within: ClassNodeId,
        rest: &[ast::ReferencePart<'l>],
        steps: Vec<Step>,
    ) -> Typed {
        let next = rest.first().ok_or(Mistake::Incomplete)?;
        let name = next.name.ident();
        // a variable of the language has no parts
        let inside = match steps.last() {
            Some((component, _))
                if matches!(self.context.component(*component).content, Content::Variable(_)) =>
            {
                None
            }
            _ => self.context.lookup_in(within, &name),
        };
        let Some(inside) = inside else {
            let near = self.context.nearest_element(within, &name);
            let class = match steps.last() {
                Some((component, _)) => self.context.path_name(*component),
                None => self.context.class_name(within),
            };
            let (name, span) = (name.into_owned(), next.name.span());
            return Err(Mistake::UnknownName { name, class, near, span });
        };
        self.context.refuse_protected(within, &name, next.name.span());
        self.follow(reference, inside, rest, steps)
    }

    fn literal(&mut self, class: ClassNodeId, number: u32, span: Span) -> Typed {
        let id = self.context.enumeration_of(class).ok_or(Mistake::Incomplete)?;
        let ty = Type::scalar(Scalar::Enumeration(id));
        Ok(Expr { kind: ExprKind::Enumeration(id, number), ty, span })
    }

    /// The rest of a reference to a local or an iterator: fields of records, elements of arrays.
    fn fields(&mut self, e: Expr, part: &ast::ReferencePart<'l>, rest: &[ast::ReferencePart<'l>]) -> Typed {
        let mut e = match part.subscripts {
            Some(subscripts) => self.indexed(e, subscripts)?,
            None => e,
        };
        for part in rest {
            let outer = e.ty.dimensions();
            let inner = self.field_of(e, part.name)?;
            e = match part.subscripts {
                Some(subscripts) => self.indexed_inside(inner, outer, subscripts)?,
                None => inner,
            };
        }
        Ok(e)
    }

    /// A field of a record, by name.
    pub(super) fn field_of(&mut self, e: Expr, name: TokenRef<'l>) -> Typed {
        let class = self.context.type_name(&e.ty);
        let near = match e.ty.scalar {
            Scalar::Record(id) => {
                let fields = self.context.tables.record(id).fields.iter().map(|field| field.name.as_str());
                nearest_name(&name.ident(), fields).map(str::to_owned)
            }
            _ => None,
        };
        let (ident, span) = (name.ident(), name.span());
        let found = self.context.field_named(e, &ident);
        found.ok_or_else(|| Mistake::UnknownName { name: ident.into_owned(), class, near, span })
    }

    /// A part of an array.
    pub(super) fn indexed(&mut self, e: Expr, written: ast::ArraySubscripts<'l>) -> Typed {
        self.indexed_inside(e, 0, written)
    }

    /// A part of every element of an array: the first `outer` dimensions are those of the records it is a field of.
    fn indexed_inside(&mut self, e: Expr, outer: usize, written: ast::ArraySubscripts<'l>) -> Typed {
        let sizes = e.ty.sizes.clone();
        let ends: Vec<Expr> = (outer..sizes.len()).map(|d| self.size_of(&e, d)).collect();
        let own = self.subscripts(written, &sizes[outer..], &ends, "the array")?;
        let subscripts: Vec<Subscript> = std::iter::repeat_n(Subscript::Whole, outer).chain(own).collect();
        let ty = Type::array(e.ty.scalar, subscripted(&sizes, &subscripts));
        let span = e.span.cover(written.span());
        Ok(Expr { kind: ExprKind::Index(Box::new(e), subscripts), ty, span })
    }

    /// The size of one dimension as an expression.
    pub(super) fn size_of(&self, e: &Expr, dimension: usize) -> Expr {
        match e.ty.sizes[dimension] {
            Size::Known(size) => self.context.integer(size as i64, e.span),
            Size::Open => {
                let place = self.context.integer(dimension as i64 + 1, e.span);
                let kind = ExprKind::Call(rhei_flat::Builtin::Size, vec![e.clone(), place]);
                Expr { kind, ty: Type::scalar(Scalar::Integer), span: e.span }
            }
        }
    }

    pub(super) fn subscripts_of(
        &mut self,
        component: ComponentId,
        part: &ast::ReferencePart<'l>,
    ) -> Result<Vec<Subscript>, Mistake> {
        let sizes = self.context.component(component).sizes.clone();
        let subscripts = match part.subscripts {
            None => vec![Subscript::Whole; sizes.len()],
            Some(written) => {
                let span = written.span();
                let end = |size: &Size| self.context.integer(size.known().unwrap_or(0) as i64, span);
                let ends: Vec<Expr> = sizes.iter().map(end).collect();
                let name = self.context.path_name(component);
                self.subscripts(written, &sizes, &ends, &name)?
            }
        };
        self.refuse_whole_sizeless(component, &subscripts, part.name.span())?;
        Ok(subscripts)
    }

    /// A dimension that only connections give a size is never meant as a whole (MLS §9.1.3).
    fn refuse_whole_sizeless(
        &self,
        component: ComponentId,
        subscripts: &[Subscript],
        span: Span,
    ) -> Result<(), Mistake> {
        let node = self.context.component(component);
        let is_open = |(subscript, size): (&Subscript, &Size)| {
            matches!((subscript, size), (Subscript::Whole, Size::Open))
        };
        let is_member = node.parent.is_some_and(|parent| self.context.is_expandable(parent));
        if is_member && subscripts.iter().zip(&node.sizes).any(is_open) {
            return Err(Mistake::SizelessMember { name: self.context.path_name(component), span });
        }
        Ok(())
    }

    /// The subscripts of a member that a connection adds to an expandable connector.
    pub(super) fn subscripts_of_new(
        &mut self,
        written: Option<ast::ArraySubscripts<'l>>,
        name: &str,
    ) -> Result<Vec<Subscript>, Mistake> {
        let Some(written) = written else { return Ok(Vec::new()) };
        let sizes = vec![Size::Open; written.subscripts().count()];
        let subscripts = self.subscripts(written, &sizes, &[], name)?;
        if subscripts.contains(&Subscript::Whole) {
            return Err(Mistake::SizelessMember { name: name.into(), span: written.span() });
        }
        Ok(subscripts)
    }

    /// The subscripts in brackets, one per dimension; those left out at the end are whole.
    fn subscripts(
        &mut self,
        written: ast::ArraySubscripts<'l>,
        sizes: &[Size],
        ends: &[Expr],
        name: &str,
    ) -> Result<Vec<Subscript>, Mistake> {
        let mut subscripts = Vec::new();
        for subscript in written.subscripts() {
            let place = subscripts.len();
            subscripts.push(match subscript {
                ast::Subscript::Colon(_) => Subscript::Whole,
                ast::Subscript::Index(e) => {
                    if let Some(end) = ends.get(place) {
                        self.around.ends.push(Expr { span: e.span(), ..end.clone() });
                    }
                    let index = self.expression(e);
                    if place < ends.len() {
                        self.around.ends.pop();
                    }
                    let index = index?;
                    self.check_subscript(&index, sizes.get(place), name)?;
                    Subscript::Index(index)
                }
            });
        }
        if subscripts.len() > sizes.len() {
            let (dimensions, found) = (sizes.len(), subscripts.len());
            return Err(Mistake::WrongSubscriptCount {
                name: name.into(),
                dimensions,
                found,
                span: written.span(),
            });
        }
        subscripts.resize(sizes.len(), Subscript::Whole);
        Ok(subscripts)
    }

    fn check_subscript(&mut self, index: &Expr, size: Option<&Size>, name: &str) -> Result<(), Mistake> {
        let is_index = matches!(index.ty.scalar, Scalar::Integer | Scalar::Boolean | Scalar::Enumeration(_));
        if !is_index || index.ty.dimensions() > 1 {
            let (found, span) = (self.context.type_name(&index.ty), index.span);
            let wanted = "Integer or a vector of Integer".into();
            return Err(Mistake::TypeMismatch { what: "a subscript".into(), wanted, found, span });
        }
        let Some(&Size::Known(size)) = size else { return Ok(()) };
        let outside = self.known_indices(index).into_iter().find(|i| !(1..=size as i64).contains(i));
        match outside {
            Some(subscript) => {
                let (array, span) = (name.to_owned(), index.span);
                Err(Mistake::SubscriptOutOfBounds { array, subscript, size, span })
            }
            None => Ok(()),
        }
    }

    /// The numbers of a subscript that is made of literals only.
    fn known_indices(&mut self, index: &Expr) -> Vec<i64> {
        if let ExprKind::Integer(value) = index.kind {
            return vec![value];
        }
        let mut literal = index.ty.scalar == Scalar::Integer;
        index.walk(&mut |part| {
            literal &= matches!(
                part.kind,
                ExprKind::Integer(_)
                    | ExprKind::Negate(_)
                    | ExprKind::Arithmetic(..)
                    | ExprKind::Array(_)
                    | ExprKind::Range(..)
            );
        });
        let value = if literal { self.context.evaluate(index, false).ok() } else { None };
        value.map_or_else(Vec::new, |value| {
            value.elements().iter().filter_map(|one| one.as_integer()).collect()
        })
    }

    /// A component as a value: a variable, the value of a constant, or a record of its components.
    fn component_reference(&mut self, component: ComponentId, steps: &[Step], span: Span) -> Typed {
        let first = steps[0].0;
        let parent = self.context.component(first).parent;
        if parent.is_none() && Some(first) != self.context.root {
            return self.package_constant(first, steps, span);
        }
        // inside an array of components a name means the element one is in
        let mut subscripts = iterators_around(self.context, parent, span);
        for (_, own) in steps {
            subscripts.extend(own.iter().cloned());
        }
        self.value_of_component(component, subscripts, span)
    }

    /// A whole component as a value.
    pub(crate) fn whole_component(
        &mut self,
        component: ComponentId,
        subscripts: Vec<Subscript>,
        span: Span,
    ) -> Typed {
        self.value_of_component(component, subscripts, span)
    }

    /// A component with subscripts for all dimensions around and of it.
    fn value_of_component(
        &mut self,
        component: ComponentId,
        subscripts: Vec<Subscript>,
        span: Span,
    ) -> Typed {
        match self.context.component(component).content {
            Content::Variable(v) => {
                let class = self.context.component(component).class;
                let scalar = self.context.scalar_of(class).ok_or(Mistake::Incomplete)?;
                let full = self.context.full_sizes(component);
                let mut subscripts = subscripts;
                subscripts.resize(full.len(), Subscript::Whole);
                let ty = Type::array(scalar, subscripted(&full, &subscripts));
                let whole = subscripts.iter().all(|subscript| *subscript == Subscript::Whole);
                let subscripts = if whole { Vec::new() } else { subscripts };
                Ok(Expr { kind: ExprKind::Variable(v, subscripts), ty, span })
            }
            Content::Components => self.record_value(component, subscripts, span),
            Content::Outer(inner) => self.value_of_component(inner, subscripts, span),
            Content::Elements => {
                let around = self.context.full_sizes(component).len();
                let own = self.context.component(component).sizes.len();
                let mut subscripts = subscripts;
                subscripts.resize(around, Subscript::Whole);
                let own = subscripts.split_off(around - own);
                let chosen = self.chosen(component, &own)?;
                let full = self.context.full_sizes(component);
                let around = self.open_to_iterators(&mut subscripts, &full, span);
                let array = self.for_each_chosen(component, &chosen, span, &mut |typing, element| {
                    typing.value_of_component(element, subscripts.clone(), span)
                })?;
                Ok(for_all(array, around))
            }
            Content::Absent => {
                let name = self.context.path_name(component);
                Err(Mistake::AbsentComponent { name, span })
            }
            Content::WithoutInner => Err(Mistake::Incomplete),
        }
    }

    fn record_value(&mut self, component: ComponentId, subscripts: Vec<Subscript>, span: Span) -> Typed {
        let class = self.context.component(component).class;
        let name = self.context.path_name(component);
        // a model or block is no value (MLS §11.2.1.2)
        if matches!(self.context.class(class).kind(), ast::ClassKind::Model | ast::ClassKind::Block) {
            return Err(Mistake::NotAValue { name: format!("`{name}`"), span });
        }
        let record = self.context.record_of(class).ok_or(Mistake::NotAValue { name, span })?;
        let full = self.context.full_sizes(component);
        let mut subscripts = subscripts;
        subscripts.resize(full.len(), Subscript::Whole);
        // an array of records is a record for each element
        let iterations = self.open_to_iterators(&mut subscripts, &full, span);
        let elements = self.context.elements(class);
        let mut fields = Vec::new();
        for field in self.context.tables.record(record).fields.clone() {
            let element = elements.get(&field.name).ok_or(Mistake::Incomplete)?;
            let child = self.context.component_element(element, &field.name).ok_or(Mistake::Incomplete)?;
            let mut own = subscripts.clone();
            let extra = self.context.component(child).sizes.len();
            own.extend(std::iter::repeat_n(Subscript::Whole, extra));
            fields.push(self.value_of_component(child, own, span)?);
        }
        let scalar =
            Expr { kind: ExprKind::Record(record, fields), ty: Type::scalar(Scalar::Record(record)), span };
        Ok(for_all(scalar, iterations))
    }

    /// Iterators for the dimensions that subscripts leave open, and put in their place.
    fn open_to_iterators(
        &mut self,
        subscripts: &mut [Subscript],
        sizes: &[Size],
        span: Span,
    ) -> Vec<Iteration> {
        let mut iterations = Vec::new();
        for (subscript, size) in subscripts.iter_mut().zip(sizes) {
            let range = match subscript {
                Subscript::Whole => self.context.counting(*size, span),
                Subscript::Index(index) if !index.ty.is_scalar() => index.clone(),
                Subscript::Index(_) => continue,
            };
            let iterator = self.context.tables.new_iterator("$i");
            let kind = ExprKind::Iterator(iterator);
            *subscript = Subscript::Index(Expr { kind, ty: range.ty.element(), span });
            iterations.push(Iteration { iterator, range: Box::new(range) });
        }
        iterations
    }
}

/// The sizes of an array with these subscripts.
pub(crate) fn subscripted(sizes: &[Size], subscripts: &[Subscript]) -> Vec<Size> {
    let mut result = Vec::new();
    for (size, subscript) in sizes.iter().zip(subscripts) {
        match subscript {
            Subscript::Whole => result.push(*size),
            Subscript::Index(e) => result.extend(e.ty.sizes.iter().copied()),
        }
    }
    result
}

/// An array of `e` for all turns, the first iteration outermost.
fn for_all(e: Expr, mut iterations: Vec<Iteration>) -> Expr {
    if iterations.is_empty() {
        return e;
    }
    let (span, ty) = (e.span, e.ty.within(iterations.iter().map(|iteration| iteration.range.ty.sizes[0])));
    iterations.reverse(); // the last iterator makes the outermost dimension
    Expr { kind: ExprKind::Comprehension(Box::new(e), iterations), ty, span }
}
