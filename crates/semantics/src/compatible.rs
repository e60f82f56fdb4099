//! Whether one class can stand in the place of another (MLS §6.4 to §6.6): redeclarations, and `inner` for `outer`.

use rhei_flat::Scalar;
use rhei_source::Span;
use rhei_syntax::ast::{self, ClassKind as K};
use smol_str::SmolStr;

use crate::class::ClassNodeId;
use crate::context::Context;
use crate::mistake::Mistake;
use crate::modifiers::Redeclaration;
use crate::restrictions::kind_name;
use crate::shape::{Element, ElementKind, Elements};

/// Two classes of which the first stands in the place of the second. Compared when all elements are known.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    pub(crate) name: SmolStr,
    pub(crate) new: ClassNodeId,
    pub(crate) wanted: ClassNodeId,
    pub(crate) span: Span,
    pub(crate) wanted_span: Option<Span>,
    pub(crate) inner_outer: bool,
}

/// Components of components of classes are compared so far down.
const DEEPEST_COMPARISON: usize = 4;

/// A component as it is declared, after redeclarations.
struct Declared<'l> {
    clause: ast::ComponentClause<'l>,
    component: ast::Component<'l>,
    original: ast::ComponentClause<'l>,
    scope: ClassNodeId,
    has_value: bool,
}

impl<'l> Context<'l> {
    pub(crate) fn check_comparisons(&mut self) {
        for comparison in std::mem::take(&mut self.comparisons) {
            let Comparison { name, new, wanted, span, wanted_span, inner_outer } = comparison;
            if let Some(why) = self.quietly(|context| context.misfit(new, wanted, 0)) {
                let name = name.to_string();
                self.mistake(Mistake::Mismatch { inner_outer, name, why, span, wanted: wanted_span });
            }
        }
    }

    /// Why `new` cannot stand in the place of `wanted`.
    fn misfit(&mut self, new: ClassNodeId, wanted: ClassNodeId, depth: usize) -> Option<String> {
        if self.is_or_extends(new, wanted) {
            return None;
        }
        let (kind, wanted_kind) = (self.class(new).kind(), self.class(wanted).kind());
        let (group, wanted_group) = (kind_group(kind), kind_group(wanted_kind));
        let (scalar, wanted_scalar) = (self.scalar_of(new), self.scalar_of(wanted));
        if let Some(why) = self.scalar_misfit(scalar, wanted_scalar) {
            return Some(why);
        }
        if group != wanted_group && group != K::Class && wanted_group != K::Class && scalar.is_none() {
            return Some(format!("it is a {} and not a {}", kind_name(kind), kind_name(wanted_kind)));
        }
        if scalar.is_some() || depth > DEEPEST_COMPARISON {
            return None;
        }
        let (own, other) = (self.elements(new), self.elements(wanted));
        for (name, element) in other.iter() {
            if element.is_protected() {
                continue;
            }
            let is_class = matches!(element.kind(), ElementKind::Class(_));
            match own.get(name) {
                None if is_class && self.find_in_files(new, name).is_some() => {}
                None => return Some(format!("it has no `{name}`")),
                Some(found) if found.is_protected() => return Some(format!("its `{name}` is protected")),
                Some(found) => {
                    if let Some(why) = self.element_misfit(name, found, element, depth) {
                        return Some(why);
                    }
                }
            }
        }
        if matches!(wanted_kind, K::Function | K::OperatorFunction) {
            return self.function_misfit(new, wanted);
        }
        None
    }

    /// Mismatch of two function types: the inputs agree in their order, and further ones must have defaults
    /// (MLS §6.6).
    fn function_misfit(&mut self, new: ClassNodeId, wanted: ClassNodeId) -> Option<String> {
        let (own, other) = (self.elements(new), self.elements(wanted));
        let inputs = |context: &Self, elements: &Elements<'l>| -> Vec<(SmolStr, bool)> {
            let inputs = elements.iter().filter(|(_, element)| !element.is_protected());
            let inputs =
                inputs.filter_map(|(name, element)| Some((name, context.declared_as(name, element)?)));
            inputs
                .filter(|(_, declared)| declared.original.causality() == Some(ast::Causality::Input))
                .map(|(name, declared)| (name.clone(), declared.has_value))
                .collect()
        };
        let (own, other) = (inputs(self, &own), inputs(self, &other));
        for (place, (name, _)) in other.iter().enumerate() {
            if own.get(place).is_none_or(|(found, _)| found != name) {
                return Some(format!("its input `{name}` is not in the place of the other"));
            }
        }
        let further = own.iter().skip(other.len()).find(|(_, has_value)| !has_value);
        further.map(|(name, _)| format!("its further input `{name}` has no default"))
    }

    fn scalar_misfit(&self, scalar: Option<Scalar>, wanted: Option<Scalar>) -> Option<String> {
        let fits = match (scalar, wanted) {
            (Some(Scalar::Enumeration(a)), Some(Scalar::Enumeration(b))) => {
                let (a, b) = (self.tables.enumeration(a), self.tables.enumeration(b));
                b.literals.is_empty() || a.literals == b.literals
            }
            (a, b) => a == b,
        };
        if fits {
            return None;
        }
        let name = |scalar: Option<Scalar>| match scalar {
            Some(scalar) => format!("of type {}", self.tables.scalar_name(scalar)),
            None => "no type of the language".into(),
        };
        Some(format!("it is {} and not {}", name(scalar), name(wanted)))
    }

    fn element_misfit(
        &mut self,
        name: &str,
        found: Element<'l>,
        wanted: Element<'l>,
        depth: usize,
    ) -> Option<String> {
        let (new, old) = match (self.declared_as(name, found), self.declared_as(name, wanted)) {
            (Some(new), Some(old)) => (new, old),
            (None, None) => return None, // a class in a class, compared where it is used
            (Some(_), None) => return Some(format!("its `{name}` is a component and not a class")),
            (None, Some(_)) => return Some(format!("its `{name}` is a class and not a component")),
        };
        let dimensions = |declared: &Declared<'l>| {
            let own = declared.component.subscripts().into_iter().chain(declared.clause.subscripts());
            own.map(|subscripts| subscripts.subscripts().count()).sum::<usize>()
        };
        if new.original.connection_prefix() != old.original.connection_prefix() {
            return Some(format!("its `{name}` differs in `flow` or `stream`"));
        }
        if new.original.causality() != old.original.causality() {
            return Some(format!("its `{name}` differs in `input` or `output`"));
        }
        let variability = |declared: &Declared<'l>| {
            let written = declared.clause.variability().or(declared.original.variability());
            written.map_or(3, |written| written as u8)
        };
        if variability(&new) > variability(&old) {
            return Some(format!("its `{name}` varies more"));
        }
        let class = |context: &mut Self, declared: &Declared<'l>| {
            context.lookup_class(declared.clause.type_name()?, Some(declared.scope)).ok()
        };
        let (new_class, old_class) = (class(self, &new)?, class(self, &old)?);
        let of_type = |context: &mut Self, class: ClassNodeId| -> usize {
            let elements = context.elements(class);
            elements.dimensions().map(|(subscripts, _)| subscripts.subscripts().count()).sum()
        };
        let counts =
            (dimensions(&new) + of_type(self, new_class), dimensions(&old) + of_type(self, old_class));
        if counts.0 != counts.1 {
            return Some(format!("its `{name}` has {} dimensions and not {}", counts.0, counts.1));
        }
        let why = self.misfit(new_class, old_class, depth + 1)?;
        Some(format!("of its `{name}`, {why}"))
    }

    /// How a component element is declared; none for classes.
    fn declared_as(&self, name: &str, element: Element<'l>) -> Option<Declared<'l>> {
        let ElementKind::Component { clause: original, component } = element.kind() else { return None };
        let modifier = self.class(element.owner).modifiers.get(name);
        let (clause, component, scope) = match modifier.and_then(|modifier| modifier.redeclaration()) {
            Some(Redeclaration::Component { clause, component, scope }) => (clause, component, scope),
            _ => (original, component, element.owner),
        };
        let has_value = component.modification().is_some_and(|m| m.value().is_some())
            || modifier.is_some_and(|modifier| modifier.value.is_some());
        Some(Declared { clause, component, original, scope, has_value })
    }

    /// Whether a class has the text of another, or extends one that has.
    fn is_or_extends(&mut self, class: ClassNodeId, other: ClassNodeId) -> bool {
        let (Some(a), Some(b)) = (self.class(class).text(), self.class(other).text()) else {
            return class == other;
        };
        a == b || self.elements(class).bases().any(|base| self.is_or_extends(base, other))
    }
}

/// Kinds that can stand for each other.
fn kind_group(kind: K) -> K {
    match kind {
        K::Block => K::Model,
        K::Type | K::OperatorRecord => K::Record,
        K::OperatorFunction => K::Function,
        K::ExpandableConnector => K::Connector,
        kind => kind,
    }
}
