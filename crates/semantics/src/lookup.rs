//! Names to what they mean (MLS §5.3).

use rhei_source::{Span, nearest_name};
use rhei_syntax::ast;
use smol_str::SmolStr;

use crate::class::{ClassNode, ClassNodeId, Definition, Element, ElementKind};
use crate::component::ComponentId;
use crate::context::Context;
use crate::mistake::Mistake;
use crate::modifiers::{Modifiers, Redeclaration};

/// What a name means.
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
        if let Some(&element) = elements.table.get(name) {
            return self.found_element(element, name);
        }
        if let Some(found) = self.find_in_files(class, name) {
            return Some(Found::Class(found));
        }
        elements.bases.iter().find_map(|&base| self.find_in_files(base, name).map(Found::Class))
    }

    /// What an element is, in the node that declares it.
    fn found_element(&mut self, element: Element<'l>, name: &str) -> Option<Found> {
        match element.kind {
            ElementKind::Class(definition) => {
                Some(Found::Class(self.class_element(element.owner, name, definition)))
            }
            ElementKind::Literal(number) => Some(Found::Literal(element.owner, number)),
            ElementKind::Component { .. } => self.component_element(element, name).map(Found::Component),
        }
    }

    /// A class that stands in a file of its own in the folder of a package.
    pub(crate) fn find_in_files(&mut self, class: ClassNodeId, name: &str) -> Option<ClassNodeId> {
        if let Some(&known) = self.class(class).classes.get(name) {
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

    /// The node of a class declared in `owner`, with what is said about it from outside.
    pub(crate) fn class_element(
        &mut self,
        owner: ClassNodeId,
        name: &str,
        definition: ast::ClassDefinition<'l>,
    ) -> ClassNodeId {
        if let Some(&known) = self.class(owner).classes.get(name) {
            return known;
        }
        let modifier = self.class(owner).modifiers.get(name).cloned();
        let (definition, scope, modifiers) = match modifier {
            None => (definition, owner, Modifiers::default()),
            Some(modifier) => match modifier.redeclaration() {
                Some(Redeclaration::Class { definition: other, scope }) => {
                    // what the constraining clause says holds for every redeclaration (MLS §7.3.2)
                    let constraining = self.constraining_modifiers(definition, owner);
                    (other, scope, modifier.children.merged(&constraining, &mut self.mistakes))
                }
                _ => (definition, owner, modifier.children),
            },
        };
        let node = self.class_node(definition, scope, modifiers);
        self.class_mut(owner).classes.insert(name.into(), node);
        node
    }

    fn constraining_modifiers(
        &mut self,
        definition: ast::ClassDefinition<'l>,
        owner: ClassNodeId,
    ) -> Modifiers<'l> {
        match definition.constraining_clause().and_then(|clause| clause.modification()) {
            Some(modification) => Modifiers::read(modification.arguments(), owner, &mut self.mistakes),
            None => Modifiers::default(),
        }
    }

    /// A node for this text; `A = B` without any change is `B` itself, so that what is known of `B` is shared.
    fn class_node(
        &mut self,
        definition: ast::ClassDefinition<'l>,
        scope: ClassNodeId,
        modifiers: Modifiers<'l>,
    ) -> ClassNodeId {
        if let Some(ast::ClassSpecifier::Short(short)) = definition.specifier()
            && short.modification().is_none_or(|m| m.arguments().next().is_none())
            && short.subscripts().is_none()
            && short.causality().is_none()
            && modifiers.is_empty()
            && definition.kind() == ast::ClassKind::Package
            && let Some(base) = short.base()
            && let Some(Found::Class(base)) = self.lookup_name_from(base, Some(scope), None)
        {
            return base;
        }
        self.new_text_class(definition, scope, modifiers)
    }

    pub(crate) fn lookup_imports_of(&mut self, class: ClassNodeId, name: &str) -> Option<Found> {
        let imports = self.elements(class).imports.clone();
        let mut unqualified = None;
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
                        && unqualified.is_none()
                        && package != class
                    {
                        unqualified = self.lookup_in(package, name);
                    }
                }
                _ => {}
            }
        }
        unqualified
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

    /// A qualified name: the first part from the inside out, the others inside what was found.
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
            found = self.lookup_in(class, &part.ident());
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

    /// The class a name means.
    pub(crate) fn lookup_class(
        &mut self,
        name: ast::Name<'l>,
        scope: Option<ClassNodeId>,
    ) -> Result<ClassNodeId, Mistake> {
        match self.lookup_name(name, scope) {
            Ok(Found::Class(class)) => Ok(class),
            Ok(_) => Err(Mistake::NotAClass { name: name.to_string(), span: name.span() }),
            Err(Mistake::UnknownName { name, class, near, span }) => {
                Err(Mistake::UnknownClass { name, class, near, span })
            }
            Err(other) => Err(other),
        }
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

    /// What the writer of a name may have meant, among the names seen from a class.
    pub(crate) fn nearest_in(&mut self, class: Option<ClassNodeId>, name: &str) -> Option<String> {
        let mut names: Vec<SmolStr> = Vec::new();
        let mut next = class;
        let mut steps = 0;
        while let Some(id) = next {
            names.extend(self.elements(id).table.keys().cloned());
            if let Some(library_class) = self.class(id).library_class.filter(|_| steps == 0) {
                names.extend(self.library.children(library_class));
            }
            next = self.class(id).scope;
            steps += 1;
        }
        names.extend(self.builtins.keys().map(|&name| SmolStr::from(name)));
        names.sort_unstable();
        nearest_name(name, names.iter().map(SmolStr::as_str)).map(str::to_owned)
    }
}

fn name_span(context: &Context<'_>, class: ClassNodeId) -> Span {
    let text = context.class(class).text().expect("a class of the language extends nothing");
    text.name().map_or(text.span(), |name| name.span())
}
