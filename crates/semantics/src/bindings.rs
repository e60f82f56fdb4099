//! The values that components are declared and modified with.

use rhei_flat::{Builtin, Expr, ExprKind, Iteration, IteratorId, Scalar, Size, Type, Variability};
use rhei_source::Span;
use rhei_syntax::ast;

use crate::class::ClassNodeId;
use crate::component::{Binding, ComponentId, Content};
use crate::context::Context;
use crate::elements::Dimension;
use crate::mistake::Mistake;
use crate::modifiers::ModifierValue;

impl<'l> Context<'l> {
    /// The value of a component over all array dimensions around it; `None` where it has none.
    pub(crate) fn value(&mut self, id: ComponentId) -> Result<Option<Expr>, Mistake> {
        match &self.component(id).binding {
            Binding::Known(value) => return Ok(Some((**value).clone())),
            Binding::None => return Ok(None),
            Binding::Wrong(mistake) => return Err((**mistake).clone()),
            Binding::Under => {
                let (name, span) = (self.path_name(id), self.component(id).span);
                return Err(Mistake::CyclicValue { name, span });
            }
            Binding::Open => {}
        }
        self.component_mut(id).binding = Binding::Under;
        // the value of a whole record comes before those of its elements (MLS §7.2.3)
        let value = match (self.inherited_value(id), self.component(id).written_value()) {
            (Some(value), _) => self.sized(id, value).map(Some),
            (None, Some(value)) => self.typed_value(id, value).map(Some),
            (None, None) => Ok(None),
        };
        self.component_mut(id).binding = match &value {
            Ok(Some(value)) => Binding::Known(Box::new(value.clone())),
            Ok(None) => Binding::None,
            Err(mistake) => Binding::Wrong(Box::new(mistake.clone())),
        };
        value
    }

    /// The value, or for a parameter without one its start value.
    pub(crate) fn value_or_start(&mut self, id: ComponentId) -> Result<Option<Expr>, Mistake> {
        if let Some(value) = self.value(id)? {
            return Ok(Some(value));
        }
        let start = self.component(id).modifiers.get("start").and_then(|modifier| modifier.value);
        match start {
            Some(start) => self.attribute_value(id, "start", start).map(Some),
            None => Ok(None),
        }
    }

    /// The value of a field of a record that has a value as a whole.
    pub(crate) fn inherited_value(&mut self, id: ComponentId) -> Option<Expr> {
        let parent = self.component(id).parent?;
        if self.component(parent).content != Content::Components || Some(parent) == self.root {
            return None;
        }
        let Some(place) = self.component(id).place().cloned() else {
            let name = self.component(id).name.clone();
            return self.field_of_value(parent, &name);
        };
        let value = self.value(parent).ok()??;
        let whole = self.field_named(value, &place.array)?;
        let around = self.full_sizes(parent).into_iter().map(|size| Dimension { size, at: None });
        let own = self.dimensions(id);
        let own = &own[own.len() - place.index.len()..];
        let dimensions: Vec<Dimension> = around.chain(own.iter().copied()).collect();
        Some(self.part_for(whole, &dimensions))
    }

    /// A field of the value of a record, which is not copied for it as a whole.
    fn field_of_value(&mut self, record: ComponentId, name: &str) -> Option<Expr> {
        if matches!(self.component(record).binding, Binding::Open) {
            self.value(record).ok()?;
        }
        self.settle_record(record);
        if let Binding::Known(value) = &self.component(record).binding
            && let ExprKind::Record(id, fields) = &value.kind
        {
            let place = self.tables.record(*id).fields.iter().position(|field| field.name == name);
            // a record that leads back to itself has a value before it has its fields
            return fields.get(place?).cloned();
        }
        let value = self.value(record).ok()??;
        self.field_named(value, name)
    }

    /// The part of a record's value that is for a component, which must have its sizes; sizes that the value leaves open are those
    /// of the component.
    fn sized(&self, id: ComponentId, mut value: Expr) -> Result<Expr, Mistake> {
        let sizes = self.full_sizes(id);
        let given = &mut value.ty.sizes;
        if given.len() == sizes.len() && given.iter().zip(&sizes).all(|(given, size)| given.fits(*size)) {
            given.iter_mut().zip(sizes).for_each(|(given, size)| *given = given.joined(size));
            return Ok(value);
        }
        let wanted: Vec<String> =
            sizes.iter().map(|size| size.known().map_or(":".into(), |n| n.to_string())).collect();
        let what = format!("the value of `{}`", self.path_name(id));
        let (found, span) = (self.type_name(&value.ty), value.span);
        Err(Mistake::WrongSizes { what, wanted: wanted.join(", "), found, span })
    }

    fn typed_value(&mut self, id: ComponentId, value: ModifierValue<'l>) -> Result<Expr, Mistake> {
        let e = self.type_in(value.scope, value.expression)?;
        if e.is_measurement() {
            return self.measured_value(id, e, value);
        }
        let what = format!("the value of `{}`", self.path_name(id));
        let e = match (self.component(id).content, e.ty.scalar) {
            (Content::Components, Scalar::Record(_)) => {
                // sizes of its fields may follow from it: compared in `check_record_value`
                let given = e.ty.scalar;
                self.fitted(id, e, given, (value, 1), &what)?
            }
            _ => {
                let wanted = self.wanted_scalar(id, &what, e.span)?;
                self.fitted(id, e, wanted, (value, 1), &what)?
            }
        };
        let variability = self.component(id).variability;
        if variability <= Variability::Parameter {
            self.at_most(variability, &what, &e)?;
        }
        Ok(e)
    }

    /// `= reinit(value)` as the whole declaration equation: the measurement of a state.
    fn measured_value(
        &mut self,
        id: ComponentId,
        e: Expr,
        value: ModifierValue<'l>,
    ) -> Result<Expr, Mistake> {
        let (variable, span) = (self.path_name(id), e.span);
        let refused = |why: String| Mistake::MeasuredType { variable: variable.clone(), why, span };
        let what = format!("the value of `{variable}`");
        let wanted = self.wanted_scalar(id, &what, span)?;
        if wanted != Scalar::Real {
            return Err(refused(format!("it is of type {}", self.type_name(&Type::scalar(wanted)))));
        }
        if self.component(id).variability <= Variability::Parameter {
            return Err(refused("it does not vary during the run".into()));
        }
        let found = self.type_name(&e.ty);
        let sizes: Vec<String> = self
            .full_sizes(id)
            .iter()
            .map(|size| size.known().map_or(":".into(), |n| n.to_string()))
            .collect();
        self.fitted(id, e, wanted, (value, 1), &what).map_err(|_| {
            let own = if sizes.is_empty() { "Real".into() } else { format!("Real[{}]", sizes.join(", ")) };
            refused(format!("it is {own}, and the measurement is {found}"))
        })
    }

    /// Whether the value of a whole record is one of its class, after the sizes of all its fields are known.
    pub(crate) fn check_record_value(&mut self, id: ComponentId, value: &Expr) -> Result<(), Mistake> {
        let what = format!("the value of `{}`", self.path_name(id));
        let wanted = self.wanted_scalar(id, &what, value.span)?;
        self.check_scalar(value, wanted, &what)
    }

    fn wanted_scalar(&mut self, id: ComponentId, what: &str, span: Span) -> Result<Scalar, Mistake> {
        let wanted = self.component_type(id).map(|wanted| wanted.scalar);
        wanted.ok_or_else(|| Mistake::NotAValue { name: what.into(), span })
    }

    /// The value of an attribute, over all array dimensions of its variable or as a scalar for all elements.
    pub(crate) fn attribute_value(
        &mut self,
        id: ComponentId,
        name: &str,
        value: ModifierValue<'l>,
    ) -> Result<Expr, Mistake> {
        let e = self.type_in(value.scope, value.expression)?;
        let class = self.component(id).class;
        let own = self.scalar_of(class).unwrap_or(Scalar::Real);
        let wanted = match name {
            "fixed" | "unbounded" => Scalar::Boolean,
            "quantity" | "unit" | "displayUnit" => Scalar::String,
            "stateSelect" => e.ty.scalar,
            _ => own,
        };
        let what = format!("`{name}` of `{}`", self.path_name(id));
        let e = if e.ty.is_scalar() && value.each {
            self.check_scalar(&e, wanted, &what)?;
            self.check_each_level(id, &e, value, 0, &what)?;
            let prefix = self.prefix(value.scope);
            if prefix.iter().any(|&(iterator, _)| uses(&e, iterator)) {
                // one for each element around: then the dimensions inside are written, too
                let below = self.dimensions_below(id, value.scope).into_iter();
                let own: Vec<Size> = below
                    .filter(|dimension| dimension.at.is_none())
                    .map(|dimension| dimension.size)
                    .collect();
                let e = if own.is_empty() { e } else { self.filled(e, &own) };
                self.over_prefix(e, prefix)
            } else {
                e
            }
        } else {
            self.fitted(id, e, wanted, (value, 0), &what)?
        };
        self.at_most(Variability::Parameter, &what, &e)?;
        Ok(e)
    }

    fn check_scalar(&self, e: &Expr, wanted: Scalar, what: &str) -> Result<(), Mistake> {
        if self.accepts(wanted, e.ty.scalar) {
            return Ok(());
        }
        let (wanted, found) = (self.tables.scalar_name(wanted).to_owned(), self.type_name(&e.ty));
        Err(Mistake::TypeMismatch { what: what.into(), wanted, found, span: e.span })
    }

    /// Whether a value of type `found` can stand where one of type `wanted` is expected; records by their fields.
    pub(crate) fn accepts(&self, wanted: Scalar, found: Scalar) -> bool {
        match (wanted, found) {
            (Scalar::Record(a), Scalar::Record(b)) if a != b => {
                let (a, b) = (self.tables.record(a), self.tables.record(b));
                a.fields.len() == b.fields.len()
                    && a.fields.iter().zip(&b.fields).all(|(a, b)| {
                        a.name == b.name && a.ty.same_sizes(&b.ty) && self.accepts(a.ty.scalar, b.ty.scalar)
                    })
            }
            (Scalar::Enumeration(a), Scalar::Enumeration(b)) => {
                self.tables.enumeration(a).literals == self.tables.enumeration(b).literals
            }
            _ => wanted.accepts(found),
        }
    }

    /// A value for all elements of a component, whatever arrays are around. Dimensions must be given from the class in
    /// whose names it is written down to the component; with `each` the outer ones are left out. A value of the component
    /// itself comes with 1, one of its attributes with 0.
    fn fitted(
        &mut self,
        id: ComponentId,
        e: Expr,
        scalar: Scalar,
        (value, own): (ModifierValue<'l>, usize),
        what: &str,
    ) -> Result<Expr, Mistake> {
        self.check_scalar(&e, scalar, what)?;
        self.check_each_level(id, &e, value, own, what)?;
        let dimensions = self.dimensions_below(id, value.scope);
        let below: Vec<Size> = dimensions.iter().map(|dimension| dimension.size).collect();
        let given = &e.ty.sizes;
        let missing = below.len().saturating_sub(given.len());
        let fits = given.len() <= below.len()
            && (missing == 0 || value.each)
            && given.iter().zip(&below[missing..]).all(|(a, b)| a.fits(*b));
        if !fits {
            let wanted: Vec<String> =
                below.iter().map(|size| size.known().map_or(":".into(), |n| n.to_string())).collect();
            let what =
                if missing > 0 && !value.each { format!("{what} (without `each`)") } else { what.to_owned() };
            let (found, span) = (self.type_name(&e.ty), e.span);
            return Err(Mistake::WrongSizes { what, wanted: wanted.join(", "), found, span });
        }
        let e = match e.measured_value() {
            _ if missing == 0 => e,
            // one measurement for all elements is still a whole declaration equation
            Some(value) => {
                let value = self.filled(value, &below[..missing]);
                Expr {
                    ty: value.ty.clone(),
                    kind: ExprKind::Call(Builtin::Reinit, vec![value]),
                    span: e.span,
                }
            }
            None => self.filled(e, &below[..missing]),
        };
        let e = self.part_for(e, &dimensions);
        Ok(self.over_prefix(e, self.prefix(value.scope)))
    }

    /// `each` leaves out all dimensions down to the component before whose part it stands; those after that are left for the
    /// value (MLS §7.2.5).
    fn check_each_level(
        &self,
        id: ComponentId,
        e: &Expr,
        value: ModifierValue<'l>,
        own: usize,
        what: &str,
    ) -> Result<(), Mistake> {
        let Some(level) = value.each_level else { return Ok(()) };
        let path = self.path(id);
        let inside = path.len().saturating_sub(level + own);
        let left = match path[..inside].last() {
            Some(&around) => self.dimensions(id)[self.dimensions(around).len()..].to_vec(),
            None => self.dimensions(id),
        };
        let speaker = self.class(value.scope).owner;
        let outside = speaker.map_or(0, |speaker| self.path(speaker).len());
        // directly in a declaration it is said when the component is made
        if inside > outside + 1
            && self.dimensions(id).len() - left.len() == speaker.map_or(0, |one| self.dimensions(one).len())
        {
            let name = self.path_name(path[inside - 1]);
            return Err(Mistake::EachWithoutArray { name, span: e.span });
        }
        if e.ty.dimensions() <= left.len() {
            return Ok(());
        }
        let wanted: Vec<String> =
            left.iter().map(|one| one.size.known().map_or(":".into(), |n| n.to_string())).collect();
        let what = format!("{what} (with `each`)");
        let (found, span) = (self.type_name(&e.ty), e.span);
        Err(Mistake::WrongSizes { what, wanted: wanted.join(", "), found, span })
    }

    /// The dimensions between the class in whose names a value is written and a component.
    fn dimensions_below(&self, id: ComponentId, scope: ClassNodeId) -> Vec<Dimension> {
        let full = self.dimensions(id);
        let around = self.class(scope).owner.map_or(0, |owner| self.dimensions(owner).len());
        full[around.min(full.len())..].to_vec()
    }

    /// `e` repeated over further dimensions.
    fn filled(&self, e: Expr, sizes: &[Size]) -> Expr {
        let span = e.span;
        let ty = e.ty.within(sizes.iter().copied());
        let sizes = sizes.iter().map(|size| self.integer(size.known().unwrap_or(0) as i64, span));
        Expr { kind: ExprKind::Call(Builtin::Fill, std::iter::once(e).chain(sizes).collect()), ty, span }
    }

    /// The iterators over arrays of components around what is written in a class, outermost first.
    fn prefix(&self, scope: ClassNodeId) -> Vec<(IteratorId, Size)> {
        let Some(owner) = self.class(scope).owner else { return Vec::new() };
        let mut iterations = Vec::new();
        for component in self.path(owner) {
            let node = self.component(component);
            iterations.extend(node.iterators().iter().copied().zip(node.sizes.iter().copied()));
        }
        iterations
    }

    /// A value written inside an array of components is one for each of its elements.
    fn over_prefix(&self, e: Expr, iterations: Vec<(IteratorId, Size)>) -> Expr {
        if iterations.is_empty() {
            return e;
        }
        let span = e.span;
        let ty = e.ty.within(iterations.iter().map(|(_, size)| *size));
        // the last iterator makes the outermost dimension
        let iterations = iterations
            .into_iter()
            .rev()
            .map(|(iterator, size)| Iteration { iterator, range: Box::new(self.counting(size, span)) })
            .collect();
        Expr { kind: ExprKind::Comprehension(Box::new(e), iterations), ty, span }
    }

    /// `1:n`
    pub(crate) fn counting(&self, size: Size, span: Span) -> Expr {
        let last = size.known().unwrap_or(0) as i64;
        let (first, last) = (Box::new(self.integer(1, span)), Box::new(self.integer(last, span)));
        Expr { kind: ExprKind::Range(first, None, last), ty: Type::array(Scalar::Integer, vec![size]), span }
    }

    /// Whether `e` changes no more often than `wanted`.
    pub(crate) fn at_most(&self, wanted: Variability, what: &str, e: &Expr) -> Result<(), Mistake> {
        let mut worst: Option<(Variability, String, Span)> = None;
        e.walk(&mut |part| {
            let (found, name) = match &part.kind {
                ExprKind::Time => (Variability::Continuous, "time".to_owned()),
                ExprKind::Variable(v, _) => {
                    let component = self.variable_component(*v);
                    (self.component(component).variability, self.path_name(component))
                }
                _ => return,
            };
            if worst.as_ref().is_none_or(|(before, ..)| found > *before) {
                worst = Some((found, name, part.span));
            }
        });
        match worst {
            Some((found, because, span)) if found > wanted => {
                Err(Mistake::TooVariable { what: what.into(), wanted, found, because, span })
            }
            _ => Ok(()),
        }
    }

    /// The value given in an annotation or attribute, typed in a class.
    pub(crate) fn type_in(&mut self, scope: ClassNodeId, e: ast::Expression<'l>) -> Result<Expr, Mistake> {
        crate::typing::Typing::of_class(self, scope).expression(e)
    }
}

/// Whether an expression holds an iterator.
fn uses(e: &Expr, iterator: IteratorId) -> bool {
    let mut found = false;
    e.walk(&mut |part| found |= part.kind == ExprKind::Iterator(iterator));
    found
}
