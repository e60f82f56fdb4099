//! Lookup of names (MLS §5.3).

use rhei_source::{Span, nearest_name};
use rhei_syntax::ast;
use smol_str::SmolStr;

use crate::class::{ClassNode, ClassNodeId, Definition, Expansion};
use crate::compatible::Comparison;
use crate::component::ComponentId;
use crate::context::Context;
use crate::mistake::Mistake;
use crate::modifiers::{Modifiers, Redeclaration};
use crate::shape::{Element, ElementKind};

/// Meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Class(ClassNodeId),
    Component(ComponentId),
    /// A literal of the enumeration.
    Literal(ClassNodeId, u32),
}

impl<'l> Context<'l> {
    /// A simple name, from the inside out.
    pub(crate) fn lookup(&mut self, scope: Option<ClassNodeId>, name: &str) -> Option<Found> {
        let mut next = scope;
        while let Some(class) = next {
            if let Some(found) = self.lookup_in(class, name).or_else(|| self.lookup_imports_of(class, name)) {
                return Some(found);
            }
            let node = self.class(class);
            next = if node.text().is_some_and(|text| text.is_encapsulated()) { None } else { node.scope };
        }
        self.lookup_global(name)
    }

    /// A name at the top: a class of the language, or a library.
    pub(crate) fn lookup_global(&mut self, name: &str) -> Option<Found> {
        if let Some(&builtin) = self.builtins.get(name) {
            return Some(Found::Class(builtin));
        }
        if let Some(known) = self.top_level.get(name) {
            return known.map(Found::Class);
        }
        let node = self.library.top_level(name).map(|class| {
            let mut node = ClassNode::new(name.into(), Definition::Text(self.library.definition(class)));
            node.library_class = Some(class);
            self.add_class(node)
        });
        self.top_level.insert(name.into(), node);
        node.map(Found::Class)
    }

    /// A name among the elements of a class, inherited ones included.
    pub(crate) fn lookup_in(&mut self, class: ClassNodeId, name: &str) -> Option<Found> {
        let elements = self.elements(class);
        if let Some(element) = elements.get(name) {
            return self.found_element(element, name);
        }
        if let Some(found) = self.find_in_files(class, name) {
            return Some(Found::Class(found));
        }
        elements.bases().find_map(|base| self.find_in_files(base, name).map(Found::Class))
    }

    /// The node of an element, in the class that declares it.
    fn found_element(&mut self, element: Element<'l>, name: &str) -> Option<Found> {
        match element.kind() {
            ElementKind::Class(definition) => {
                Some(Found::Class(self.class_element(element.owner, name, definition)))
            }
            ElementKind::Literal(number) => Some(Found::Literal(element.owner, number)),
            ElementKind::Component { .. } => self.component_element(element, name).map(Found::Component),
        }
    }

    /// A class that stands in a file of its own in the folder of a package.
    pub(crate) fn find_in_files(&mut self, class: ClassNodeId, name: &str) -> Option<ClassNodeId> {
        if let Some(known) = self.class(class).inner_class(name) {
            return Some(known);
        }
        let parent = self.class(class).library_class?;
        if !matches!(self.class(class).kind(), ast::ClassKind::Package | ast::ClassKind::Class) {
            return None;
        }
        let child = self.library.child(parent, name)?;
        let definition = self.library.definition(child);
        Some(self.class_element(class, name, definition))
    }

    /// The node of a class declared in `owner`, with its modifications from outside.
    pub(crate) fn class_element(
        &mut self,
        owner: ClassNodeId,
        name: &str,
        definition: ast::ClassDefinition<'l>,
    ) -> ClassNodeId {
        if let Some(known) = self.class(owner).inner_class(name) {
            return known;
        }
        if definition.is_outer()
            && !definition.is_inner()
            && let Some(inner) = self.inner_class(owner, name, definition)
        {
            self.class_mut(owner).particulars_mut().classes.insert(name.into(), inner);
            return inner;
        }
        let modifier = self.class(owner).modifiers.get(name).cloned().unwrap_or_default();
        let (text, scope) = match modifier.redeclaration() {
            Some(Redeclaration::Class { definition: other, scope }) => (other, scope),
            _ => (definition, owner),
        };
        // modifications of the constraining clause hold for every redeclaration (MLS §7.3.2)
        let has_clause = definition.constraining_clause().is_some();
        let constraining = match modifier.redeclarations.is_empty() && !has_clause {
            true => Modifiers::default(),
            false => self.constraining_modifiers(definition, owner),
        };
        let is_short = matches!(text.specifier(), Some(ast::ClassSpecifier::Short(_)));
        let node = if constraining.is_empty() {
            let node = self.new_text_class(text, scope, modifier.children.clone());
            // a name that leads back to itself finds this one
            self.class_mut(owner).particulars_mut().classes.insert(name.into(), node);
            self.shared_class(text, scope, &modifier.children).unwrap_or(node)
        } else if is_short {
            let node = self.new_text_class(text, scope, modifier.children);
            self.class_mut(node).particulars_mut().constraining = constraining;
            node
        } else {
            let modifiers = modifier.children.merged(&constraining, &mut self.mistakes);
            self.new_text_class(text, scope, modifiers)
        };
        self.class_mut(owner).particulars_mut().classes.insert(name.into(), node);
        if !modifier.redeclarations.is_empty() {
            self.check_class_redeclarations(owner, name, definition, &modifier.redeclarations, node);
        }
        node
    }

    /// Only replaceable classes are redeclared, and only by compatible ones (MLS §7.3.3).
    fn check_class_redeclarations(
        &mut self,
        owner: ClassNodeId,
        name: &str,
        original: ast::ClassDefinition<'l>,
        redeclarations: &[Redeclaration<'l>],
        node: ClassNodeId,
    ) {
        let text = |redeclaration: &Redeclaration<'l>| match *redeclaration {
            Redeclaration::Class { definition, scope } => Some((definition, scope)),
            Redeclaration::Component { .. } => None,
        };
        let mut chain: Vec<_> = redeclarations.iter().filter_map(text).collect();
        chain.push((original, owner));
        for pair in chain.windows(2) {
            let [(new, _), (old, _)] = pair else { continue };
            if old.is_final() {
                let declared = old.name().map(|name| name.span());
                self.mistake(Mistake::ModifiedFinal { name: name.into(), span: Some(new.span()), declared });
            } else if !old.is_replaceable() {
                let declared = old.name().map(|name| name.span());
                self.mistake(Mistake::NotReplaceable { name: name.into(), span: new.span(), declared });
            }
        }
        // of all declarations inside, the outermost with a constraining clause gives the constraint, else the
        // original
        let constraint = chain[1..]
            .iter()
            .find_map(|&(old, scope)| Some((old.constraining_clause()?.type_name()?, scope)));
        let wanted = match constraint {
            Some((name, scope)) => self.quietly(|context| context.lookup_class(name, Some(scope)).ok()),
            None => Some(self.new_text_class(original, owner, Modifiers::default())),
        };
        if let (Some(wanted), Some((new, _))) = (wanted, chain.first()) {
            let wanted_span =
                constraint.map(|(name, _)| name.span()).or(original.name().map(|name| name.span()));
            self.comparisons.push(Comparison {
                name: name.into(),
                new: node,
                wanted,
                span: new.name().map_or(new.span(), |name| name.span()),
                wanted_span,
                inner_outer: false,
            });
        }
    }

    /// The `inner` class of this name around an instance (MLS §5.4).
    fn inner_class(
        &mut self,
        owner: ClassNodeId,
        name: &str,
        definition: ast::ClassDefinition<'l>,
    ) -> Option<ClassNodeId> {
        let span = definition.name().map_or(definition.span(), |name| name.span());
        let mut next = self.component(self.class(owner).owner?).parent;
        while let Some(id) = next {
            let class = self.component(id).class;
            let elements = self.elements(class);
            if let Some(element) = elements.get(name)
                && let ElementKind::Class(inner) = element.kind()
                && inner.is_inner()
            {
                let found = self.class_element(element.owner, name, inner);
                let wanted = self.new_text_class(definition, owner, Modifiers::default());
                self.comparisons.push(Comparison {
                    name: name.into(),
                    new: found,
                    wanted,
                    span: inner.name().map_or(inner.span(), |name| name.span()),
                    wanted_span: Some(span),
                    inner_outer: true,
                });
                return Some(found);
            }
            next = self.component(id).parent;
        }
        let wanted = self.new_text_class(definition, owner, Modifiers::default());
        let made = !self.is_partial_behind(wanted);
        let kind = crate::restrictions::kind_name(definition.kind());
        self.mistake(Mistake::MissingInner {
            name: name.into(),
            class: kind.into(),
            message: None,
            span,
            made,
        });
        Some(wanted)
    }

    /// Whether a class is partial, or another name for one that is.
    pub(crate) fn is_partial_behind(&mut self, class: ClassNodeId) -> bool {
        let Some(text) = self.class(class).text() else { return false };
        if text.is_partial() {
            return true;
        }
        let is_short = matches!(text.specifier(), Some(ast::ClassSpecifier::Short(_)));
        is_short && self.elements(class).bases().any(|base| self.is_partial_behind(base))
    }

    /// Modifications that hold for all replacements of a class: those of its constraining clause, or else its own.
    fn constraining_modifiers(
        &mut self,
        definition: ast::ClassDefinition<'l>,
        owner: ClassNodeId,
    ) -> Modifiers<'l> {
        let own = match definition.specifier() {
            Some(ast::ClassSpecifier::Short(short)) => short.modification(),
            _ => None,
        };
        let said = match definition.constraining_clause() {
            Some(clause) => clause.modification(),
            None => own,
        };
        match said {
            Some(modification) => Modifiers::read(modification.arguments(), owner, &mut self.mistakes),
            None => Modifiers::default(),
        }
    }

    /// The package `B` for `package A = B` without modifications: its nodes are shared.
    fn shared_class(
        &mut self,
        definition: ast::ClassDefinition<'l>,
        scope: ClassNodeId,
        modifiers: &Modifiers<'l>,
    ) -> Option<ClassNodeId> {
        if let Some(ast::ClassSpecifier::Short(short)) = definition.specifier()
            && short.modification().is_none_or(|m| m.arguments().next().is_none())
            && short.subscripts().is_none()
            && short.causality().is_none()
            && modifiers.is_empty()
            && definition.kind() == ast::ClassKind::Package
            && let Some(base) = short.base()
            && let Some(Some(Found::Class(base))) = self.deeper("", Some(definition.span()), |context| {
                context.lookup_name_from(base, Some(scope), None)
            })
        {
            return Some(base);
        }
        None
    }

    pub(crate) fn lookup_imports_of(&mut self, class: ClassNodeId, name: &str) -> Option<Found> {
        let imports = self.elements(class).imports().to_vec();
        let mut unqualified: Option<(Found, Span)> = None;
        for import in imports {
            match import.form()? {
                ast::ImportForm::Qualified(path)
                    if path.parts().last().is_some_and(|last| last.ident() == name) =>
                {
                    return self.lookup_path(path);
                }
                ast::ImportForm::Renamed(alias, path) if alias.ident() == name => {
                    return self.lookup_path(path);
                }
                ast::ImportForm::List(path, names) if names.iter().any(|listed| listed.ident() == name) => {
                    let Some(Found::Class(package)) = self.lookup_path(path) else { return None };
                    return self.lookup_in(package, name);
                }
                ast::ImportForm::Unqualified(path) => {
                    if let Some(Found::Class(package)) = self.lookup_path(path)
                        && package != class
                        && !self.is_protected(package, name)
                        && let Some(found) = self.lookup_in(package, name)
                    {
                        match unqualified {
                            Some((other, first)) if other != found => {
                                let (name, again) = (name.to_owned(), import.span());
                                self.mistake(Mistake::AmbiguousImport { name, first, again });
                            }
                            Some(_) => {}
                            None => unqualified = Some((found, import.span())),
                        }
                    }
                }
                _ => {}
            }
        }
        unqualified.map(|(found, _)| found)
    }

    /// Whether a name is that of a protected element.
    fn is_protected(&mut self, class: ClassNodeId, name: &str) -> bool {
        self.elements(class).get(name).is_some_and(|element| element.is_protected())
    }

    /// Protected elements cannot be accessed by dot notation (MLS §4.1).
    pub(crate) fn refuse_protected(&mut self, class: ClassNodeId, name: &str, span: Span) {
        if let Some(element) = self.elements(class).get(name).filter(|element| element.is_protected()) {
            let declared = element.name_span();
            let (name, class) = (name.to_owned(), self.class_name(class));
            self.mistake(Mistake::ProtectedAccess { name, class, span, declared });
        }
    }

    /// Whether a simple name is that of a component, so that no class can be found by it.
    fn is_component(&mut self, scope: Option<ClassNodeId>, name: &str) -> bool {
        let mut next = scope;
        while let Some(class) = next {
            if let Some(element) = self.elements(class).get(name) {
                return matches!(element.kind(), ElementKind::Component { .. });
            }
            if self.lookup_imports_of(class, name).is_some() {
                return false;
            }
            let node = self.class(class);
            next = if node.text().is_some_and(|text| text.is_encapsulated()) { None } else { node.scope };
        }
        false
    }

    /// A path from the top, as imports are.
    fn lookup_path(&mut self, path: ast::Name<'l>) -> Option<Found> {
        let mut parts = path.parts();
        let first = parts.next()?;
        let mut found = self.lookup_global(&first.ident())?;
        for part in parts {
            let Found::Class(class) = found else { return None };
            found = self.lookup_in(class, &part.ident())?;
        }
        Some(found)
    }

    /// A qualified name: the first part from the inside out, the others inside the class or component found.
    pub(crate) fn lookup_name(
        &mut self,
        name: ast::Name<'l>,
        scope: Option<ClassNodeId>,
    ) -> Result<Found, Mistake> {
        let mut mistake = None;
        match self.lookup_name_from(name, scope, Some(&mut mistake)) {
            Some(found) => Ok(found),
            None => Err(mistake.unwrap_or(Mistake::Incomplete)),
        }
    }

    fn lookup_name_from(
        &mut self,
        name: ast::Name<'l>,
        scope: Option<ClassNodeId>,
        mistake: Option<&mut Option<Mistake>>,
    ) -> Option<Found> {
        let mut parts = name.parts();
        let first = parts.next()?;
        let ident = first.ident();
        let start = if name.is_global() { self.lookup_global(&ident) } else { self.lookup(scope, &ident) };
        let mut failed: Option<(SmolStr, Option<ClassNodeId>, Span)> = None;
        let mut found = start;
        if found.is_none() {
            failed = Some((ident.into(), scope, first.span()));
        }
        for part in parts {
            let Some(Found::Class(class)) = found else { break };
            self.refuse_partial(class, part.span());
            found = self.lookup_in(class, &part.ident());
            self.refuse_protected(class, &part.ident(), part.span());
            if found.is_none() {
                failed = Some((part.ident().into(), Some(class), part.span()));
                break;
            }
        }
        if let (Some((part, within, span)), Some(place)) = (failed, mistake) {
            let near = self.nearest_in(within, &part);
            let class = within.map_or("the libraries".into(), |class| self.class_name(class));
            *place = Some(Mistake::UnknownName { name: part.to_string(), class, near, span });
        }
        found
    }

    /// Nothing is looked up inside a partial class from outside (MLS §5.3.2). Packages are let off: their media are put in later.
    fn refuse_partial(&mut self, class: ClassNodeId, span: Span) {
        use ast::ClassKind as K;
        let is_partial = self.class(class).text().is_some_and(|text| text.is_partial());
        if is_partial && !matches!(self.class(class).kind(), K::Package | K::Operator) {
            let name = self.class_name(class);
            self.mistake(Mistake::PartialClass { name, span });
        }
    }

    /// The class a name means.
    pub(crate) fn lookup_class(
        &mut self,
        name: ast::Name<'l>,
        scope: Option<ClassNodeId>,
    ) -> Result<ClassNodeId, Mistake> {
        let first = name.parts().next().map(|first| first.ident());
        if first.is_some_and(|first| !name.is_global() && self.is_component(scope, &first)) {
            return Err(Mistake::NotAClass { name: name.to_string(), span: name.span() });
        }
        match self.lookup_name(name, scope) {
            Ok(Found::Class(class)) => Ok(class),
            Ok(_) => Err(Mistake::NotAClass { name: name.to_string(), span: name.span() }),
            Err(Mistake::UnknownName { name, class, near, span }) => {
                Err(Mistake::UnknownClass { name, class, near, span })
            }
            Err(other) => Err(other),
        }
    }

    /// The type of a component that `class` declares. A type found outside the class is the same for all nodes of its text, and
    /// looked up once.
    pub(crate) fn lookup_type(
        &mut self,
        name: ast::Name<'l>,
        class: ClassNodeId,
    ) -> Result<ClassNodeId, Mistake> {
        let first = name.parts().next().map(|first| first.ident());
        let elements = match &self.class(class).expansion {
            Expansion::Done(elements) if self.has_text_alone(class) => Some(elements),
            _ => None,
        };
        let is_outside = elements.zip(first).is_some_and(|(elements, first)| !elements.contains(&first));
        if !is_outside {
            return self.lookup_class(name, Some(class));
        }
        let place = (self.class(class).scope, name.span());
        if let Some(&known) = self.types_outside.get(&place) {
            return Ok(known);
        }
        let found = self.lookup_class(name, Some(class))?;
        self.types_outside.insert(place, found);
        Ok(found)
    }

    /// The base class of an extends clause or a short class. It must not be inherited itself: only own elements are looked at.
    pub(crate) fn find_base(
        &mut self,
        name: ast::Name<'l>,
        scope: Option<ClassNodeId>,
        class: ClassNodeId,
    ) -> Option<ClassNodeId> {
        match self.lookup_class(name, scope) {
            Ok(base) if base == class => {
                let name = self.class_name(base);
                self.mistake(Mistake::ExtendsItself { name, span: name_span(self, base) });
                None
            }
            Ok(base) => Some(base),
            Err(mistake) => {
                self.mistake(mistake);
                None
            }
        }
    }

    /// A variable found in an enclosing class must be a constant (MLS §5.3.1).
    pub(crate) fn refuse_enclosing(
        &mut self,
        scope: ClassNodeId,
        found: Found,
        span: Span,
    ) -> Result<(), Mistake> {
        if let Found::Component(component) = found
            && let Some(parent) = self.component(component).parent
            && self.class(scope).owner != Some(parent)
            && self.component(component).variability > rhei_flat::Variability::Constant
        {
            let name = self.path_name(component);
            return Err(Mistake::NotConstant { name, span });
        }
        Ok(())
    }

    /// The nearest match to a misspelt name, among those visible from a class.
    pub(crate) fn nearest_in(&mut self, class: Option<ClassNodeId>, name: &str) -> Option<String> {
        let mut names: Vec<SmolStr> = Vec::new();
        let mut next = class;
        let mut steps = 0;
        while let Some(id) = next {
            names.extend(self.elements(id).names().cloned());
            if let Some(library_class) = self.class(id).library_class.filter(|_| steps == 0) {
                names.extend(self.library.children(library_class));
            }
            next = self.class(id).scope;
            steps += 1;
        }
        names.extend(self.builtins.keys().map(|&name| SmolStr::from(name)));
        names.extend(self.library.top_level_classes());
        names.sort_unstable();
        nearest_name(name, names.iter().map(SmolStr::as_str)).map(str::to_owned)
    }
}

fn name_span(context: &Context<'_>, class: ClassNodeId) -> Span {
    let text = context.class(class).text().expect("a class of the language extends nothing");
    text.name().map_or(text.span(), |name| name.span())
}
