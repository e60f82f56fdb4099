//! Iterators of loops, constructors and reductions, with the ranges that are written and those that are not (MLS §11.2.2).

use rhei_flat::{Builtin, Expr, ExprKind, Iteration, Scalar, Size, Type};
use rhei_source::Span;
use rhei_syntax::ast::{self, View};
use rhei_syntax::{NodeRef, TokenRef};

use super::{Typed, Typing};
use crate::class::ClassNodeId;
use crate::lookup::Found;
use crate::mistake::Mistake;
use crate::shape::ElementKind;

/// A dimension that an iterator runs through.
struct Indexed {
    /// The array, as it is written.
    name: String,
    size: Size,
    range: Expr,
}

impl<'l> Typing<'_, 'l> {
    /// The iterators of a `for`, made known to its body; [`Typing::leave_loops`] makes them unknown again. `whole` is where
    /// they may be used.
    pub(crate) fn enter_loops(
        &mut self,
        indices: impl Iterator<Item = ast::ForIndex<'l>>,
        whole: NodeRef<'l>,
    ) -> Result<Vec<Iteration>, Mistake> {
        let mut iterations: Vec<Iteration> = Vec::new();
        for index in indices {
            match self.iteration(index, whole) {
                Ok((iteration, name)) => {
                    let ty = iteration.range.ty.element();
                    self.around.iterators.push((name.ident().into(), iteration.iterator, ty));
                    iterations.push(iteration);
                }
                Err(mistake) => {
                    self.leave_loops(&iterations);
                    return Err(mistake);
                }
            }
        }
        Ok(iterations)
    }

    /// Notes the sizes of iterators from 1: an expression with the same value in every pass counts as known,
    /// as it does in an array of components.
    pub(crate) fn know_passes(&mut self, iterations: &[Iteration]) {
        if self.around.in_function {
            return;
        }
        for Iteration { iterator, range } in iterations {
            let counts =
                matches!(&range.kind, ExprKind::Range(first, None, _) if first.kind == ExprKind::Integer(1));
            if let (true, Some(size)) = (counts, range.ty.sizes[0].known()) {
                self.context.iterator_sizes.insert(*iterator, size);
            }
        }
    }

    pub(crate) fn leave_loops(&mut self, iterations: &[Iteration]) {
        let known = self.around.iterators.len();
        self.around.iterators.truncate(known - iterations.len());
    }

    fn iteration(
        &mut self,
        index: ast::ForIndex<'l>,
        whole: NodeRef<'l>,
    ) -> Result<(Iteration, TokenRef<'l>), Mistake> {
        let name = index.name().ok_or(Mistake::Incomplete)?;
        let range = match index.range() {
            Some(range) => self.loop_range(range)?,
            None => self.deduced_range(index, name, whole)?,
        };
        if range.ty.dimensions() != 1 {
            let (found, span) = (self.context.type_name(&range.ty), range.span);
            let what = format!("the range of `{}`", name.ident());
            return Err(Mistake::TypeMismatch { what, wanted: "a vector".into(), found, span });
        }
        let iterator = self.context.tables.new_iterator(name.ident());
        Ok((Iteration { iterator, range: Box::new(range) }, name))
    }

    /// A range, or a type that stands for all its values.
    fn loop_range(&mut self, range: ast::Expression<'l>) -> Typed {
        if let ast::Expression::Reference(reference) = range
            && !self.is_local(reference)
            && let Some(class) = self.context.lookup_reference_class(reference, self.scope)
            && let Some(scalar) = self.context.scalar_of(class)
            && let Some(values) = self.all_values(scalar, range.span())
        {
            return Ok(values);
        }
        self.expression(range)
    }

    /// All values of a type that has finitely many.
    fn all_values(&self, scalar: Scalar, span: Span) -> Option<Expr> {
        let kinds: Vec<ExprKind> = match scalar {
            Scalar::Enumeration(id) => {
                let count = self.context.tables.enumeration(id).literals.len() as u32;
                (1..=count).map(|number| ExprKind::Enumeration(id, number)).collect()
            }
            Scalar::Boolean => vec![ExprKind::Boolean(false), ExprKind::Boolean(true)],
            _ => return None,
        };
        let ty = Type::array(scalar, vec![Size::Known(kinds.len())]);
        let values = kinds.into_iter().map(|kind| Expr { kind, ty: Type::scalar(scalar), span });
        Some(Expr { kind: ExprKind::Array(values.collect()), ty, span })
    }

    /// The range of an iterator without one: that of the dimensions in which it stands alone.
    fn deduced_range(&mut self, index: ast::ForIndex<'l>, name: TokenRef<'l>, whole: NodeRef<'l>) -> Typed {
        let mut places = Vec::new();
        subscript_places(whole, index, &name.ident(), &mut places);
        let mut first: Option<Indexed> = None;
        for (reference, part, place) in places {
            let Some(found) = self.indexed_dimension(reference, part, place, name.span()) else { continue };
            match &first {
                None => first = Some(found),
                Some(first)
                    if !first.size.fits(found.size) || first.range.ty.scalar != found.range.ty.scalar =>
                {
                    let said = |one: &Indexed| match one.size {
                        Size::Known(size) => format!("`{}` has {size} there", one.name),
                        Size::Open => format!("`{}` has another index", one.name),
                    };
                    let why = Some(format!("{}, and {}", said(first), said(&found)));
                    return Err(Mistake::NoRange { name: name.ident().into(), why, span: name.span() });
                }
                Some(_) => {}
            }
        }
        match first {
            Some(found) => Ok(found.range),
            None => Err(Mistake::NoRange { name: name.ident().into(), why: None, span: name.span() }),
        }
    }

    /// The dimension `place` of the component that a part of a reference means.
    fn indexed_dimension(
        &mut self,
        reference: ast::ComponentReference<'l>,
        part: usize,
        place: usize,
        span: Span,
    ) -> Option<Indexed> {
        let parts: Vec<ast::ReferencePart<'l>> = reference.parts().take(part + 1).collect();
        let first = parts.first()?.name.ident();
        let name = parts.iter().map(|part| part.name.ident()).collect::<Vec<_>>().join(".");
        let local = self.around.locals.iter().find(|(local, ..)| *local == *first && !reference.is_global());
        if let Some((_, id, ty)) = local.cloned() {
            let whole = Expr { kind: ExprKind::Local(id), ty, span };
            return self.local_dimension(whole, &parts, place, name);
        }
        let mut found = if reference.is_global() {
            self.context.lookup_global(&first)
        } else {
            self.context.lookup(Some(self.scope), &first)
        }?;
        for part in &parts[1..] {
            let within = match found {
                Found::Component(component) => self.context.component(self.context.resolved(component)).class,
                Found::Class(class) => class,
                Found::Literal(..) => return None,
            };
            found = self.context.lookup_in(within, &part.name.ident())?;
        }
        let Found::Component(component) = found else { return None };
        let component = self.context.resolved(component);
        let node = self.context.component(component);
        let (owner, own_name) = (node.declared_in, node.name.clone());
        let size = *node.sizes.get(place)?;
        let range = match self.dimension_type(owner, &own_name, place) {
            Some(values) => self.all_values(values, span)?,
            None => self.context.counting(size, span),
        };
        Some(Indexed { name, size, range })
    }

    fn local_dimension(
        &mut self,
        whole: Expr,
        parts: &[ast::ReferencePart<'l>],
        place: usize,
        name: String,
    ) -> Option<Indexed> {
        let span = whole.span;
        if let [only] = parts {
            let size = *whole.ty.sizes.get(place)?;
            let range = match self.dimension_type(self.scope, &only.name.ident(), place) {
                Some(values) => self.all_values(values, span)?,
                None => self.counting_along(&whole, place),
            };
            return Some(Indexed { name, size, range });
        }
        // fields of records: their own sizes are those of the class
        let mut ty = whole.ty;
        for part in &parts[1..] {
            let Scalar::Record(id) = ty.scalar else { return None };
            let fields = &self.context.tables.record(id).fields;
            ty = fields.iter().find(|field| field.name == *part.name.ident())?.ty.clone();
        }
        let size = *ty.sizes.get(place)?;
        size.known()?;
        Some(Indexed { name, size, range: self.context.counting(size, span) })
    }

    /// The type that indexes a dimension of a component, where it is declared with one: `Real x[Boolean]`.
    fn dimension_type(&mut self, owner: ClassNodeId, name: &str, place: usize) -> Option<Scalar> {
        let elements = self.context.elements(owner);
        let element = elements.get(name)?;
        let ElementKind::Component { clause, component } = element.kind() else { return None };
        let mut written = component.subscripts().into_iter().chain(clause.subscripts());
        let subscript = written.by_ref().flat_map(|subscripts| subscripts.subscripts()).nth(place)?;
        let ast::Subscript::Index(ast::Expression::Reference(reference)) = subscript else { return None };
        let class = self.context.lookup_reference_class(reference, element.owner)?;
        let scalar = self.context.scalar_of(class)?;
        matches!(scalar, Scalar::Boolean | Scalar::Enumeration(_)).then_some(scalar)
    }

    /// `1:size(e, dimension)`
    pub(super) fn counting_along(&self, e: &Expr, dimension: usize) -> Expr {
        let (size, span) = (e.ty.sizes[dimension], e.span);
        if size != Size::Open {
            return self.context.counting(size, span);
        }
        let place = self.context.integer(dimension as i64 + 1, span);
        let kind = ExprKind::Call(Builtin::Size, vec![e.clone(), place]);
        let last = Expr { kind, ty: Type::scalar(Scalar::Integer), span };
        let kind = ExprKind::Range(Box::new(self.context.integer(1, span)), None, Box::new(last));
        Expr { kind, ty: Type::array(Scalar::Integer, vec![size]), span }
    }
}

/// Places at which an iterator stands alone as a subscript: the reference, the part of it, the dimension. Loops inside
/// that have an iterator of the same name mean their own.
fn subscript_places<'l>(
    node: NodeRef<'l>,
    index: ast::ForIndex<'l>,
    name: &str,
    places: &mut Vec<(ast::ComponentReference<'l>, usize, usize)>,
) {
    let hides = |child: NodeRef<'l>| {
        ast::ForIndex::cast(child).is_some_and(|other| {
            other.id() != index.id() && other.name().is_some_and(|other| other.ident() == name)
        })
    };
    if node.children().any(hides) {
        return;
    }
    if let Some(reference) = ast::ComponentReference::cast(node) {
        for (part, written) in reference.parts().enumerate() {
            let subscripts = written.subscripts.into_iter().flat_map(|written| written.subscripts());
            for (place, subscript) in subscripts.enumerate() {
                if let ast::Subscript::Index(ast::Expression::Reference(used)) = subscript
                    && used.as_ident().is_some_and(|used| used.ident() == name)
                {
                    places.push((reference, part, place));
                }
            }
        }
    }
    for child in node.children() {
        subscript_places(child, index, name, places);
    }
}
