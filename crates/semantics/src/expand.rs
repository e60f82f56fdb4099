//! The elements of a class, its own and those it inherits (MLS §5.6.1 and §7.1).

use std::rc::Rc;

use rhei_source::Span;
use rhei_syntax::ast;
use smol_str::SmolStr;

use crate::class::{BuiltinClass, ClassNode, ClassNodeId, Definition, Expansion};
use crate::context::Context;
use crate::limits::DEEPEST_NESTING;
use crate::mistake::Mistake;
use crate::modifiers::{Modifier, Modifiers, Redeclaration};
use crate::shape::{Declaration, Draft, Element, ElementKind, Elements, Extended, Shape};

/// Cost of comparing two elements by their texts, counted in elements of a class.
const COMPARISON: usize = 10;

impl<'l> Context<'l> {
    /// The elements of a class; while its base classes are being looked up, those known so far.
    pub(crate) fn elements(&mut self, class: ClassNodeId) -> Rc<Elements<'l>> {
        match &self.class(class).expansion {
            Expansion::Under(elements) | Expansion::Done(elements) => elements.clone(),
            Expansion::Not => self.expand(class),
            Expansion::Like(shape) => self.expand_like(class, shape.clone()),
        }
    }

    fn expand(&mut self, class: ClassNodeId) -> Rc<Elements<'l>> {
        let Some(draft) = self.deeper_into(class, |context| context.expanded(class)) else {
            return Rc::default();
        };
        let span = self.class(class).text().map(|text| text.span());
        self.work(draft.table.len(), span);
        let elements = Rc::new(draft.finished(class));
        self.class_mut(class).expansion = Expansion::Done(elements.clone());
        self.look_at_restrictions_later(class);
        elements
    }

    /// The elements of a node as another node of its text has them: only its base classes are nodes of its own.
    fn expand_like(&mut self, class: ClassNodeId, shape: Rc<Shape<'l>>) -> Rc<Elements<'l>> {
        let span = self.class(class).text().map(|text| text.span());
        self.work(shape.len(), span);
        let mut nodes = vec![class];
        for extended in shape.extends().unwrap_or_default() {
            let own = self.said_in_extends(extended.clause, class);
            let modifiers = self.class(class).modifiers.clone().merged(&own, &mut self.mistakes);
            let base = self.base_node(class, extended.base, &modifiers);
            nodes.extend(self.expand_like(base, extended.shape.clone()).nodes());
        }
        let elements = Rc::new(Elements::like(shape, nodes));
        self.class_mut(class).expansion = Expansion::Done(elements.clone());
        elements
    }

    /// Modifications of an extends clause, in the names of `class`.
    fn said_in_extends(&mut self, clause: ast::ExtendsClause<'l>, class: ClassNodeId) -> Modifiers<'l> {
        clause
            .modification()
            .map_or_else(Modifiers::default, |m| Modifiers::read(m.arguments(), class, &mut self.mistakes))
    }

    fn expanded(&mut self, class: ClassNodeId) -> Draft<'l> {
        match self.class(class).definition {
            Definition::Builtin(builtin) => self.expand_builtin(class, builtin),
            Definition::Text(text) => match text.specifier() {
                Some(ast::ClassSpecifier::Body(body)) => self.expand_body(class, text, body),
                Some(ast::ClassSpecifier::Short(short)) => self.expand_short(class, short),
                Some(ast::ClassSpecifier::Enumeration(enumeration)) => {
                    self.expand_enumeration(class, enumeration)
                }
                Some(ast::ClassSpecifier::Der(_)) | None => Draft::default(),
            },
        }
    }

    fn expand_builtin(&mut self, class: ClassNodeId, builtin: BuiltinClass) -> Draft<'l> {
        let attributes = self.class(class).modifiers.clone();
        let mut elements = Draft { builtin: Some(builtin), attributes, ..Draft::default() };
        let literals: &[&str] = match builtin {
            BuiltinClass::StateSelect => &["never", "avoid", "default", "prefer", "always"],
            BuiltinClass::AssertionLevel => &["warning", "error"],
            _ => &[],
        };
        for (i, literal) in literals.iter().enumerate() {
            elements.table.insert((*literal).into(), literal_element(class, i));
        }
        elements
    }

    fn expand_enumeration(&mut self, class: ClassNodeId, enumeration: ast::Enumeration<'l>) -> Draft<'l> {
        let mut elements = Draft { attributes: self.class(class).modifiers.clone(), ..Draft::default() };
        for (i, literal) in enumeration.literals().enumerate() {
            let Some(name) = literal.name() else { continue };
            let element = literal_element(class, i);
            if elements.table.insert(name.ident().into(), element).is_some() {
                self.mistake(Mistake::DuplicateName {
                    name: name.ident().into_owned(),
                    first: enumeration.span(),
                    again: name.span(),
                });
            }
        }
        elements
    }

    /// `type A = B[n](…)` is a class that extends `B`.
    fn expand_short(&mut self, class: ClassNodeId, short: ast::ShortClass<'l>) -> Draft<'l> {
        let mut elements = Draft { causality: short.causality(), ..Draft::default() };
        self.class_mut(class).expansion = Expansion::Under(Rc::default());
        let scope = self.class(class).scope;
        let Some(base) = short.base() else { return elements };
        // names in it are those of the class around
        let names = scope.unwrap_or(class);
        let Some(found) = self.find_base(base, scope, class) else { return elements };
        let mut own = short
            .modification()
            .map_or_else(Modifiers::default, |m| Modifiers::read(m.arguments(), names, &mut self.mistakes));
        own.each_everywhere(None); // for every element of an array of this class
        let outer = self.class(class).modifiers.clone();
        let constraining = self.class(class).constraining();
        let modifiers = outer.merged(&own, &mut self.mistakes).merged(&constraining, &mut self.mistakes);
        self.inherit(class, found, modifiers, &mut elements, base.span());
        self.check_modified_elements(&own, &elements, base);
        if let Some(subscripts) = short.subscripts() {
            elements.dimensions.insert(0, (subscripts, names));
        }
        elements
    }

    fn expand_body(
        &mut self,
        class: ClassNodeId,
        text: ast::ClassDefinition<'l>,
        body: ast::ClassBody<'l>,
    ) -> Draft<'l> {
        let mut elements = Draft::default();
        let mut redeclared: Vec<(SmolStr, Redeclaration<'l>, Span)> = Vec::new();
        let mut extends = Vec::new();
        for element in text.elements() {
            let is_protected = element.visibility() == ast::Visibility::Protected;
            match element {
                ast::Element::Import(import) => elements.imports.push(import),
                ast::Element::Extends(clause) => {
                    extends.push((clause, elements.table.len(), is_protected));
                }
                ast::Element::Class(definition) => {
                    let Some(name) = definition.name() else { continue };
                    let ident = SmolStr::from(name.ident());
                    let is_class_extends = matches!(definition.specifier(), Some(ast::ClassSpecifier::Body(body)) if body.is_extends());
                    if definition.is_redeclare() || is_class_extends {
                        let redeclaration = Redeclaration::Class { definition, scope: class };
                        redeclared.push((ident, redeclaration, name.span()));
                    } else {
                        let kind = ElementKind::Class(definition);
                        self.declare(&mut elements, ident, class, kind, is_protected, name.span());
                    }
                }
                ast::Element::Component(clause) => {
                    for component in clause.components() {
                        let Some(name) = component.name() else { continue };
                        let ident = SmolStr::from(name.ident());
                        if clause.is_redeclare() {
                            let redeclaration = Redeclaration::Component { clause, component, scope: class };
                            redeclared.push((ident, redeclaration, name.span()));
                        } else {
                            let kind = ElementKind::Component { clause, component };
                            self.declare(&mut elements, ident, class, kind, is_protected, name.span());
                        }
                    }
                }
            }
        }
        // own names are known before base classes are looked up, which may be among them
        if body.is_extends() || !extends.is_empty() {
            self.show_so_far(class, &elements);
        }
        let is_alike = !body.is_extends() && redeclared.is_empty() && self.has_text_alone(class);
        elements.extends = is_alike.then(Vec::new);

        let mut modifiers = self.class(class).modifiers.clone();
        for (name, redeclaration, span) in &redeclared {
            modifiers = modifiers.with_redeclaration(name.clone(), *redeclaration, *span);
        }
        // `model extends M` stands on the `M` that the class around inherits
        if body.is_extends() {
            self.inherit_replaced(class, body, &modifiers, &mut elements);
        }
        // no extends clause has a say in where another finds its base class (MLS §7.1.1)
        let mut bases = Vec::new();
        for (clause, place, is_protected) in extends {
            let Some(name) = clause.base() else { continue };
            let Some(base) = self.find_base(name, Some(class), class) else {
                elements.extends = None;
                continue;
            };
            self.refuse_replaceable_base(name, class);
            // a base class found among its own elements differs from node to node
            let first = name.parts().next();
            if first.is_none_or(|first| elements.table.contains_key(&*first.ident())) {
                elements.extends = None;
            }
            bases.push((clause, place, is_protected, name, base));
        }
        let (mut inserted, mut open) = (0, bases.len());
        for (clause, place, is_protected, name, base) in bases {
            let own = self.said_in_extends(clause, class);
            let merged = modifiers.merged(&own, &mut self.mistakes);
            let mut inherited = Draft::default();
            self.inherit(class, base, merged, &mut inherited, name.span());
            self.keep_extended(&mut elements, clause, base, &inherited);
            self.check_modified_elements(&own, &inherited, name);
            self.take_out(clause, &mut inherited, &elements);
            if is_protected {
                inherited.table.values_mut().for_each(|element| element.declaration.is_protected = true);
            }
            let before = elements.table.len();
            self.join(class, &mut elements, inherited, place + inserted);
            inserted += elements.table.len() - before;
            open -= 1;
            if open > 0 {
                self.show_so_far(class, &elements);
            }
        }
        for (name, _, span) in redeclared {
            if !elements.table.contains_key(&name) {
                let (name, class) = (name.to_string(), self.class_name(class));
                self.mistake(Mistake::NothingToRedeclare { name, class, span });
            }
        }
        elements
    }

    /// Lets others see the elements that are known while base classes are being looked up.
    fn show_so_far(&mut self, class: ClassNodeId, elements: &Draft<'l>) {
        let so_far = elements.clone().finished(class);
        self.class_mut(class).expansion = Expansion::Under(Rc::new(so_far));
    }

    /// Whether the names in a class are found in its text and around it, and not in further files.
    pub(crate) fn has_text_alone(&self, class: ClassNodeId) -> bool {
        !matches!(self.class(class).kind(), ast::ClassKind::Package | ast::ClassKind::Class)
    }

    /// Remembers a base class for other nodes of the text, where it is the same for all of them.
    fn keep_extended(
        &self,
        elements: &mut Draft<'l>,
        clause: ast::ExtendsClause<'l>,
        base: ClassNodeId,
        inherited: &Draft<'l>,
    ) {
        let shape = inherited.bases.last().and_then(|&node| match &self.class(node).expansion {
            Expansion::Done(inherited) => Some(inherited.shape().clone()),
            _ => None,
        });
        let shape = shape.filter(|shape| shape.extends().is_some() && clause.breaks().next().is_none());
        match (shape, &mut elements.extends) {
            (Some(shape), Some(extends)) => extends.push(Extended { clause, base, shape }),
            _ => elements.extends = None,
        }
    }

    fn declare(
        &mut self,
        elements: &mut Draft<'l>,
        name: SmolStr,
        owner: ClassNodeId,
        kind: ElementKind<'l>,
        is_protected: bool,
        span: Span,
    ) {
        let number = elements.table.len() as u32;
        let element = Element { owner, declaration: Declaration { kind, is_protected, number } };
        if let Some(first) = elements.table.get(&name) {
            let first = first.name_span().unwrap_or(span);
            self.mistake(Mistake::DuplicateName { name: name.to_string(), first, again: span });
            return;
        }
        elements.table.insert(name, element);
    }

    /// Removes the elements that `break` in an extends clause deselects (MLS §7.4). An element of the same name in the derived
    /// class replaces it in the equations of the base class too.
    fn take_out(&mut self, clause: ast::ExtendsClause<'l>, inherited: &mut Draft<'l>, own: &Draft<'l>) {
        let Some(&base) = inherited.bases.last() else { return };
        for taken in clause.breaks() {
            let known = match taken.name() {
                Some(name) => {
                    let removed = inherited.table.shift_remove(&*name.ident());
                    self.put_in_bases(base, &name.ident(), own.table.get(&*name.ident()).copied());
                    self.taken_out.extend(removed.map(|element| (element, name.span())));
                    removed.is_some()
                }
                None => taken.connection().is_none_or(|connection| self.has_connection(base, connection)),
            };
            if !known {
                let class = clause.base().map_or(String::new(), |base| base.to_string());
                let (name, span) = match taken.name() {
                    Some(name) => (name.ident().into_owned(), name.span()),
                    None => (taken.connection().map_or(String::new(), |c| said_text(c.node())), taken.span()),
                };
                self.mistake(Mistake::UnknownName { name, class, near: None, span });
            }
            self.class_mut(base).particulars_mut().left_out.push(taken);
        }
    }

    /// Whether a class or one of its base classes has this connection.
    fn has_connection(&mut self, class: ClassNodeId, connection: ast::ConnectEquation<'l>) -> bool {
        fn any<'l>(
            equations: impl Iterator<Item = ast::Equation<'l>>,
            wanted: ast::ConnectEquation<'l>,
        ) -> bool {
            let mut equations = equations;
            equations.any(|equation| match equation {
                ast::Equation::Connect(connection) => is_same_connection(connection, wanted),
                ast::Equation::For(e) => any(e.equations(), wanted),
                ast::Equation::If(e) => e.branches().any(|branch| any(branch.equations(), wanted)),
                _ => false,
            })
        }
        let sections = self.class(class).text().into_iter().flat_map(|text| text.sections());
        let own = sections.into_iter().any(|section| match section {
            ast::Section::Equations(section) => any(section.equations(), connection),
            _ => false,
        });
        own || self.elements(class).bases().any(|base| self.has_connection(base, connection))
    }

    /// Whether a connection of this class is left out by one that extends it.
    pub(crate) fn is_left_out(&self, class: ClassNodeId, connection: ast::ConnectEquation<'l>) -> bool {
        let starts_with = |e: Option<ast::Expression<'l>>, name: &str| match e {
            Some(ast::Expression::Reference(reference)) => {
                reference.parts().next().is_some_and(|first| first.name.ident() == name)
            }
            _ => false,
        };
        let mut next = Some(class);
        while let Some(class) = next {
            let left_out = self.class(class).left_out().iter().any(|taken| match taken.name() {
                Some(name) => {
                    let name = name.ident();
                    starts_with(connection.left(), &name) || starts_with(connection.right(), &name)
                }
                None => taken.connection().is_some_and(|taken| is_same_connection(connection, taken)),
            });
            if left_out {
                return true;
            }
            next = self.class(class).derived;
        }
        false
    }

    /// A name in a base class and its own base classes means this element from now on, or nothing.
    fn put_in_bases(&mut self, base: ClassNodeId, name: &str, element: Option<Element<'l>>) {
        let elements = self.elements(base);
        self.work(1, None);
        for inner in elements.bases() {
            self.put_in_bases(inner, name, element);
        }
        if elements.contains(name) {
            self.work(elements.len(), None);
            self.class_mut(base).expansion = Expansion::Done(Rc::new(elements.with(name, element)));
        }
    }

    /// Modified elements of a base class must exist in it.
    fn check_modified_elements(&mut self, own: &Modifiers<'l>, base: &Draft<'l>, name: ast::Name<'l>) {
        let Some(&node) = base.bases.last() else { return };
        // attributes of types are looked at where they are used
        if base.builtin.is_some() || self.class(node).kind() == ast::ClassKind::Type {
            return;
        }
        for (element, modifier) in own.iter() {
            let is_there = base.table.contains_key(element)
                || base.bases.iter().any(|&base| self.find_in_files(base, element).is_some());
            if !is_there && let Some(span) = modifier.span {
                let near = rhei_source::nearest_name(element, base.table.keys().map(SmolStr::as_str));
                let near = near.map(str::to_owned);
                let (name, class) = (element.to_string(), name.to_string());
                self.mistake(Mistake::UnknownElement { name, class, near, span });
            }
        }
    }

    /// Inherited elements take the place of the extends clause; duplicates must be identical.
    fn join(&mut self, class: ClassNodeId, elements: &mut Draft<'l>, inherited: Draft<'l>, place: usize) {
        let mut place = place.min(elements.table.len());
        let base = inherited.bases.last().copied();
        for (name, element) in inherited.table {
            let own = elements.table.get(&name).copied();
            if own.is_some() {
                elements.extends = None; // base classes have another element than by themselves
            }
            match own {
                None => {
                    elements.table.shift_insert(place, name, element);
                    place += 1;
                }
                Some(own) if !self.is_same(&name, own, element) => {
                    let (own, other) = (own.name_span(), element.name_span());
                    if let (Some(again), Some(first)) = (own, other) {
                        let class = self.class_name(class);
                        self.mistake(Mistake::InheritedTwice { name: name.to_string(), class, first, again });
                    }
                }
                // one of the two is kept, and used by the other class too
                Some(own) => {
                    if let Some(base) = base {
                        self.put_in_bases(base, &name, Some(own));
                    }
                }
            }
        }
        elements.bases.extend(inherited.bases);
        elements.nodes.extend(inherited.nodes);
        elements.builtin = elements.builtin.or(inherited.builtin);
        elements.dimensions.extend(inherited.dimensions);
        elements.attributes = elements.attributes.merged(&inherited.attributes, &mut Vec::new());
        elements.causality = elements.causality.or(inherited.causality);
    }

    /// Whether two elements of one name have the same contents: declarations and modifications, taken together.
    fn is_same(&mut self, name: &str, a: Element<'l>, b: Element<'l>) -> bool {
        self.work(COMPARISON, a.name_span());
        let contents = |context: &mut Self, element: Element<'l>| {
            let outer = context.class(element.owner).modifiers.get(name).cloned().unwrap_or_default();
            match element.kind() {
                ElementKind::Component { clause, component } => {
                    let text = |node: Option<rhei_syntax::NodeRef<'_>>| node.map_or(String::new(), said_text);
                    let prefixes = (clause.variability(), clause.causality(), clause.connection_prefix());
                    let ty = clause.type_name().map_or(String::new(), |name| name.to_string());
                    let sizes = text(component.subscripts().or(clause.subscripts()).map(|s| s.node()));
                    let modification = component.modification();
                    let own = Modifier::of_declaration(modification, element.owner, &mut Vec::new());
                    let said = outer.merged(&own, name, &mut Vec::new()).said();
                    format!("{prefixes:?} {ty} {sizes} {said}")
                }
                ElementKind::Class(definition) => {
                    let own = match definition.specifier() {
                        // descriptions and annotations may differ
                        Some(ast::ClassSpecifier::Short(short)) => {
                            let base = short.base().map_or(String::new(), |base| base.to_string());
                            let text = short.modification().map(|m| said_text(m.node()));
                            let sizes = short.subscripts().map(|s| said_text(s.node()));
                            format!("{base} {text:?} {sizes:?}")
                        }
                        _ => said_text(definition.node()),
                    };
                    format!("{own} {}", outer.said())
                }
                ElementKind::Literal(number) => number.to_string(),
            }
        };
        contents(self, a) == contents(self, b)
    }

    /// `class` gets the elements of `base`, modified.
    fn inherit(
        &mut self,
        class: ClassNodeId,
        base: ClassNodeId,
        modifiers: Modifiers<'l>,
        elements: &mut Draft<'l>,
        span: Span,
    ) {
        let mut ancestor = Some(class);
        let mut count = 0;
        while let Some(id) = ancestor {
            let is_same = match (self.class(id).text(), self.class(base).text()) {
                (Some(a), Some(b)) => a == b,
                _ => false,
            };
            count += 1;
            if is_same || count > DEEPEST_NESTING {
                let name = self.class_name(base);
                self.mistake(Mistake::ExtendsItself { name, span });
                return;
            }
            ancestor = self.class(id).derived;
        }
        self.refuse_base_kind(class, base, span);
        let node = self.base_node(class, base, &modifiers);
        let inherited = self.elements(node);
        elements.bases.push(node);
        elements.nodes.extend(inherited.nodes());
        elements.table.extend(inherited.iter().map(|(name, element)| (name.clone(), element)));
        elements.builtin = inherited.builtin();
        elements.dimensions.extend(inherited.dimensions());
        elements.attributes = inherited.attributes.clone();
        elements.causality = elements.causality.or(inherited.causality());
    }

    /// The node of a class as a base class of another.
    fn base_node(&mut self, class: ClassNodeId, base: ClassNodeId, modifiers: &Modifiers<'l>) -> ClassNodeId {
        let node = self.copy_class(base, modifiers);
        let owner = self.class(class).owner;
        let copy = self.class_mut(node);
        copy.owner = owner;
        copy.derived = Some(class);
        node
    }

    fn inherit_replaced(
        &mut self,
        class: ClassNodeId,
        body: ast::ClassBody<'l>,
        modifiers: &Modifiers<'l>,
        elements: &mut Draft<'l>,
    ) {
        let name = self.class(class).name.clone();
        let span =
            self.class(class).text().and_then(|text| text.name()).map_or(body.span(), |name| name.span());
        let (Some(around), Some(text)) = (self.class(class).scope, self.class(class).text()) else { return };
        let Some(replaced) = self.replaced_class(around, &name, text) else {
            let (name, class) = (name.to_string(), self.class_name(around));
            self.mistake(Mistake::NothingToRedeclare { name, class, span });
            return;
        };
        let own = body
            .modification()
            .map_or_else(Modifiers::default, |m| Modifiers::read(m.arguments(), class, &mut self.mistakes));
        let merged = modifiers.merged(&own, &mut self.mistakes);
        let mut inherited = Draft::default();
        self.inherit(class, replaced, merged, &mut inherited, span);
        self.join(class, elements, inherited, 0);
    }

    /// The class of this name that `around` inherits, as it is before `around` redeclares it.
    fn replaced_class(
        &mut self,
        around: ClassNodeId,
        name: &SmolStr,
        ours: ast::ClassDefinition<'l>,
    ) -> Option<ClassNodeId> {
        let elements = self.elements(around);
        let mut found = None;
        for base in elements.bases() {
            let inherited = self.elements(base);
            if let Some(element) = inherited.get(name)
                && let ElementKind::Class(definition) = element.kind()
            {
                found = Some((element.owner, definition));
            } else if let Some(owner) = self.find_in_files(base, name) {
                return Some(owner);
            }
        }
        let (owner, definition) = found?;
        // of all redeclarations, the one right inside ours; else the original
        let all = self.class(owner).modifiers.get(name).map_or_else(Vec::new, |m| m.redeclarations.clone());
        let is_ours = |redeclaration: &Redeclaration<'l>| matches!(redeclaration, Redeclaration::Class { definition, .. } if *definition == ours);
        let inside = all.iter().position(is_ours).and_then(|place| all.get(place + 1));
        match inside {
            Some(Redeclaration::Class { definition, scope }) => {
                Some(self.new_text_class(*definition, *scope, Modifiers::default()))
            }
            _ => Some(self.new_text_class(definition, owner, Modifiers::default())),
        }
    }

    /// The element as the most derived class has it: elements inherited along two ways are one component.
    pub(crate) fn as_most_derived(&self, element: Element<'l>, name: &str) -> Element<'l> {
        let mut top = element.owner;
        while let Some(derived) = self.class(top).derived {
            top = derived;
        }
        match &self.class(top).expansion {
            Expansion::Done(elements) if top != element.owner => match elements.get(name) {
                Some(seen) if matches!(seen.kind(), ElementKind::Component { .. }) => seen,
                _ => element,
            },
            _ => element,
        }
    }

    /// A node for the same class with further modifications.
    pub(crate) fn copy_class(&mut self, class: ClassNodeId, modifiers: &Modifiers<'l>) -> ClassNodeId {
        let merged = modifiers.merged(&self.class(class).modifiers.clone(), &mut self.mistakes);
        self.work(merged.len(), None);
        let original = self.class(class);
        let mut node = ClassNode::new(original.name.clone(), original.definition);
        node.library_class = original.library_class;
        node.scope = original.scope;
        node.modifiers = merged;
        let constraining = original.constraining();
        if !constraining.is_empty() {
            node.particulars_mut().constraining = constraining;
        }
        if let Expansion::Done(elements) = &original.expansion
            && elements.shape().extends().is_some()
        {
            node.expansion = Expansion::Like(elements.shape().clone());
        }
        self.add_class(node)
    }

    /// A node for a class whose text stands in `scope`.
    pub(crate) fn new_text_class(
        &mut self,
        definition: ast::ClassDefinition<'l>,
        scope: ClassNodeId,
        modifiers: Modifiers<'l>,
    ) -> ClassNodeId {
        let name = definition.name().map_or(SmolStr::default(), |name| name.ident().into());
        let mut node = ClassNode::new(name, Definition::Text(definition));
        node.scope = Some(scope);
        node.modifiers = modifiers;
        node.library_class =
            self.class(scope).library_class.map(|parent| self.library.class_of_in(definition, parent));
        self.add_class(node)
    }
}

fn literal_element<'l>(owner: ClassNodeId, place: usize) -> Element<'l> {
    let number = place as u32 + 1;
    Element {
        owner,
        declaration: Declaration { kind: ElementKind::Literal(number), is_protected: false, number },
    }
}

/// Whether two connections are written alike, in either direction.
fn is_same_connection(a: ast::ConnectEquation<'_>, b: ast::ConnectEquation<'_>) -> bool {
    let side = |e: Option<ast::Expression<'_>>| e.map(|e| said_text(e.node()));
    let (a, b) = ((side(a.left()), side(a.right())), (side(b.left()), side(b.right())));
    a == b || a == (b.1, b.0)
}

/// A text without blanks and comments.
pub(crate) fn said_text(node: rhei_syntax::NodeRef<'_>) -> String {
    let tokens = node.tokens().filter(|token| !token.kind().is_trivia());
    tokens.map(|token| token.text().to_owned()).collect::<Vec<_>>().join(" ")
}
