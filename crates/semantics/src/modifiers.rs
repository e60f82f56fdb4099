//! Modifications as trees of their own, with the scopes of their values (MLS §7.2).

use std::rc::Rc;

use rhei_source::Span;
use rhei_syntax::ast;
use smol_str::SmolStr;

use crate::class::ClassNodeId;
use crate::expand::said_text;
use crate::mistake::Mistake;
use crate::shape::ByName;

/// A value in a modification, with the class in whose names it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModifierValue<'l> {
    pub(crate) expression: ast::Expression<'l>,
    pub(crate) scope: ClassNodeId,
    /// Whether it is one value for every element of the arrays around (`each`).
    pub(crate) each: bool,
    /// The level of a written `each`: how many names further out; none if `each` is implied.
    pub(crate) each_level: Option<usize>,
}

impl ModifierValue<'_> {
    /// Whether a type says it of all its variables.
    pub(crate) fn is_of_type(&self) -> bool {
        self.each && self.each_level.is_none()
    }
}

/// Another declaration in place of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Redeclaration<'l> {
    /// Of a class.
    Class { definition: ast::ClassDefinition<'l>, scope: ClassNodeId },
    /// Of a component.
    Component { clause: ast::ComponentClause<'l>, component: ast::Component<'l>, scope: ClassNodeId },
}

/// A modification of one element.
#[derive(Clone, Debug, Default)]
pub(crate) struct Modifier<'l> {
    pub(crate) value: Option<ModifierValue<'l>>,
    /// `= break`: no value, whatever the declaration says.
    pub(crate) is_break: bool,
    /// Outermost first: that one counts, the others are base classes for `extends` in a redeclaration.
    pub(crate) redeclarations: Vec<Redeclaration<'l>>,
    pub(crate) is_final: bool,
    /// Whether a value further outside is given to the whole that it is about a part of.
    pub(crate) is_overridden: bool,
    pub(crate) children: Modifiers<'l>,
    pub(crate) span: Option<Span>,
}

/// Modifications of elements, by name. Shared: most classes are modified by nobody.
#[derive(Clone, Debug, Default)]
pub(crate) struct Modifiers<'l>(Option<Rc<ByName<Modifier<'l>>>>);

impl<'l> Modifiers<'l> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|map| map.is_empty())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |map| map.len())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Modifier<'l>> {
        self.0.as_ref()?.get(name)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&SmolStr, &Modifier<'l>)> {
        self.0.iter().flat_map(|map| map.iter())
    }

    /// Their address: the same for shared ones.
    pub(crate) fn address(&self) -> Option<usize> {
        self.0.as_ref().map(|map| Rc::as_ptr(map).addr())
    }

    /// Whether all values are given by a type for all its variables.
    pub(crate) fn are_of_type(&self) -> bool {
        self.iter().all(|(_, modifier)| modifier.value.is_none_or(|value| value.is_of_type()))
    }

    /// Whether `each` holds for all values.
    fn are_each(&self) -> bool {
        let is_each = |modifier: &Modifier<'l>| {
            modifier.value.is_none_or(|value| value.each) && modifier.children.are_each()
        };
        self.iter().all(|(_, modifier)| is_each(modifier))
    }

    /// Whether any element is modified.
    pub(crate) fn says_something(&self) -> bool {
        self.iter().any(|(_, modifier)| modifier.says_something())
    }

    fn entry(&mut self, name: SmolStr) -> &mut Modifier<'l> {
        Rc::make_mut(self.0.get_or_insert_default()).entry(name).or_default()
    }

    /// One element said to be another.
    pub(crate) fn with_redeclaration(
        mut self,
        name: SmolStr,
        redeclaration: Redeclaration<'l>,
        span: Span,
    ) -> Self {
        let modifier = self.entry(name);
        modifier.redeclarations.push(redeclaration); // outer modifications win
        modifier.span.get_or_insert(span);
        self
    }

    /// Merges these with `inner`; these win, being further outside (MLS §7.2.4).
    pub(crate) fn merged(&self, inner: &Modifiers<'l>, mistakes: &mut Vec<Mistake>) -> Modifiers<'l> {
        match (&self.0, &inner.0) {
            (None, _) => inner.clone(),
            (_, None) => self.clone(),
            (Some(outer), Some(inner)) => {
                let mut map: ByName<Modifier<'l>> = (**inner).clone();
                for (name, modifier) in outer.iter() {
                    let merged = match map.get(name) {
                        Some(before) => modifier.merged(before, name, mistakes),
                        None => modifier.clone(),
                    };
                    map.insert(name.clone(), merged);
                }
                Modifiers(Some(Rc::new(map)))
            }
        }
    }

    /// The modifications in the arguments of a modification, in the names of `scope`.
    pub(crate) fn read(
        arguments: impl Iterator<Item = ast::Argument<'l>>,
        scope: ClassNodeId,
        mistakes: &mut Vec<Mistake>,
    ) -> Modifiers<'l> {
        let mut found = Modifiers::default();
        for argument in arguments {
            match argument {
                ast::Argument::Modification(modification) => {
                    found.read_modification(modification, scope, mistakes)
                }
                ast::Argument::Class(definition) => {
                    let Some(name) = definition.name() else { continue };
                    let redeclaration = Redeclaration::Class { definition, scope };
                    found.read_redeclaration(
                        name.ident().into(),
                        redeclaration,
                        definition.is_final(),
                        argument.span(),
                        mistakes,
                    );
                }
                ast::Argument::Component(clause) => {
                    for component in clause.components() {
                        let Some(name) = component.name() else { continue };
                        let redeclaration = Redeclaration::Component { clause, component, scope };
                        found.read_redeclaration(
                            name.ident().into(),
                            redeclaration,
                            clause.is_final(),
                            argument.span(),
                            mistakes,
                        );
                    }
                }
                ast::Argument::Break(_) => {} // read where the class is extended
            }
        }
        found
    }

    fn read_redeclaration(
        &mut self,
        name: SmolStr,
        redeclaration: Redeclaration<'l>,
        is_final: bool,
        span: Span,
        mistakes: &mut Vec<Mistake>,
    ) {
        let modifier = self.entry(name.clone());
        if let Some(first) = modifier.span.filter(|_| !modifier.redeclarations.is_empty()) {
            mistakes.push(Mistake::DuplicateModification { name: name.to_string(), first, again: span });
        }
        modifier.redeclarations = vec![redeclaration];
        modifier.is_final |= is_final;
        modifier.span = Some(span);
    }

    fn read_modification(
        &mut self,
        argument: ast::ElementModification<'l>,
        scope: ClassNodeId,
        mistakes: &mut Vec<Mistake>,
    ) {
        let Some(name) = argument.name() else { return };
        // `a.b = 1` is `a(b = 1)` (MLS §7.2)
        let parts: Vec<SmolStr> = name.parts().map(|part| SmolStr::from(part.ident())).collect();
        let Some((last, outer)) = parts.split_last() else { return };
        let mut place = self;
        for part in outer {
            place = &mut place.entry(part.clone()).children;
        }
        let modifier = place.entry(last.clone());
        let modification = argument.modification();
        let children =
            modification.map_or_else(Modifiers::default, |m| Modifiers::read(m.arguments(), scope, mistakes));
        let value = modification.and_then(|m| m.value());
        if let Some(first) = modifier.span.filter(|_| modifier.value.is_some() && value.is_some()) {
            mistakes.push(Mistake::DuplicateModification {
                name: name.to_string(),
                first,
                again: argument.span(),
            });
            return;
        }
        for (inner, _) in children.iter() {
            if let Some(before) = modifier.children.get(inner)
                && before.value.is_some()
            {
                let name = format!("{name}.{inner}");
                let (first, again) = (before.span.unwrap_or(argument.span()), argument.span());
                mistakes.push(Mistake::DuplicateModification { name, first, again });
                return;
            }
        }
        modifier.children = children.merged(&modifier.children, mistakes);
        if let Some(expression) = value {
            modifier.value = Some(ModifierValue {
                expression,
                scope,
                each: argument.is_each(),
                each_level: argument.is_each().then_some(0),
            });
        }
        modifier.is_break |= modification.is_some_and(|m| m.is_break());
        modifier.is_final |= argument.is_final();
        modifier.span = Some(argument.span());
        if argument.is_each() {
            modifier.children.each_everywhere(Some(1));
        }
    }

    /// A value further outside is given to the whole.
    fn override_values(&mut self) {
        if let Some(map) = &mut self.0 {
            for modifier in Rc::make_mut(map).values_mut() {
                modifier.is_overridden = true;
                modifier.children.override_values();
            }
        }
    }

    /// `each` before an element holds for all modifications inside; `level` is how many names further out it is
    /// written.
    pub(crate) fn each_everywhere(&mut self, level: Option<usize>) {
        // no copy of shared modifiers
        if self.are_each() {
            return;
        }
        if let Some(map) = &mut self.0 {
            for modifier in Rc::make_mut(map).values_mut() {
                if let Some(value) = modifier.value.as_mut().filter(|value| !value.each) {
                    value.each = true;
                    value.each_level = level;
                }
                modifier.children.each_everywhere(level.map(|level| level + 1));
            }
        }
    }
}

impl<'l> Modifier<'l> {
    /// The declaration that counts instead of the element's own.
    pub(crate) fn redeclaration(&self) -> Option<Redeclaration<'l>> {
        self.redeclarations.first().copied()
    }

    /// Whether it says anything.
    pub(crate) fn says_something(&self) -> bool {
        self.value.is_some()
            || self.is_break
            || !self.redeclarations.is_empty()
            || self.children.says_something()
    }

    /// Its normalised text, the same for all ways to write it.
    pub(crate) fn said(&self) -> String {
        let value = self.value.map_or(String::new(), |value| said_text(value.expression.node()));
        let redeclared = match self.redeclaration() {
            Some(Redeclaration::Class { definition, .. }) => said_text(definition.node()),
            Some(Redeclaration::Component { clause, .. }) => said_text(clause.node()),
            None => String::new(),
        };
        let mut children: Vec<String> = self
            .children
            .iter()
            .filter(|(_, modifier)| modifier.says_something())
            .map(|(name, modifier)| format!("{name}{}", modifier.said()))
            .collect();
        children.sort_unstable();
        format!(
            "({}) {redeclared} = {value}{}",
            children.join(", "),
            if self.is_break { "break" } else { "" }
        )
    }

    /// The modification in a component's declaration.
    pub(crate) fn of_declaration(
        modification: Option<ast::Modification<'l>>,
        scope: ClassNodeId,
        mistakes: &mut Vec<Mistake>,
    ) -> Modifier<'l> {
        let Some(modification) = modification else { return Modifier::default() };
        let value = modification.value().map(|expression| ModifierValue {
            expression,
            scope,
            each: false,
            each_level: None,
        });
        Modifier {
            value,
            is_break: modification.is_break(),
            redeclarations: Vec::new(),
            is_final: false,
            is_overridden: false,
            children: Modifiers::read(modification.arguments(), scope, mistakes),
            span: Some(modification.span()),
        }
    }

    /// Merges this with `inner`; this wins.
    pub(crate) fn merged(
        &self,
        inner: &Modifier<'l>,
        name: &str,
        mistakes: &mut Vec<Mistake>,
    ) -> Modifier<'l> {
        // elements inside a final element are final too (MLS §7.2.6)
        if inner.is_final && self.says_something() {
            mistakes.push(Mistake::ModifiedFinal {
                name: name.into(),
                span: self.span.or(inner.span),
                declared: inner.span.filter(|_| self.span.is_some()),
            });
            return inner.clone();
        }
        let value = if self.is_break { None } else { self.value.or(inner.value) };
        let mut inside = inner.children.clone();
        if self.value.is_some() {
            inside.override_values();
        }
        Modifier {
            value,
            is_overridden: self.is_overridden,
            is_break: self.is_break || (inner.is_break && self.value.is_none()),
            redeclarations: self.redeclarations.iter().chain(&inner.redeclarations).copied().collect(),
            is_final: self.is_final || inner.is_final,
            children: self.children.merged(&inside, mistakes),
            span: self.span.or(inner.span),
        }
    }
}
