//! Restrictions of specialised classes: which elements and base classes they may have (MLS §4.7, §7.1.3,
//! §7.1.4 and §13.2).

use rhei_syntax::ast::{self, ClassKind as K};
use smol_str::SmolStr;

use crate::class::{BuiltinClass, ClassNodeId, Definition};
use crate::context::Context;
use crate::lookup::Found;
use crate::mistake::Mistake;
use crate::modifiers::Redeclaration;
use crate::shape::{Element, ElementKind, Elements};

impl<'l> Context<'l> {
    /// Notes a class for [`Context::check_restrictions`]; each text once.
    pub(crate) fn look_at_restrictions_later(&mut self, class: ClassNodeId) {
        if let Some(text) = self.class(class).text()
            && self.restricted.insert(text.span())
        {
            self.to_restrict.push(class);
        }
    }

    /// Looks at all classes that were used, when all of their elements are known.
    pub(crate) fn check_restrictions(&mut self) {
        self.check_taken_out();
        for class in std::mem::take(&mut self.to_restrict) {
            let Some(text) = self.class(class).text() else { continue };
            self.check_sections(text);
            self.check_elements(class, text);
            self.check_imports(text);
            if matches!(text.kind(), K::Function | K::OperatorFunction) {
                self.check_function_text(class, text);
            }
        }
    }

    /// `break` leaves out models, blocks and connectors (MLS §7.4).
    fn check_taken_out(&mut self) {
        for (element, span) in std::mem::take(&mut self.taken_out) {
            let is_model = match element.kind() {
                ElementKind::Component { clause, .. } => {
                    let class = self.quietly(|context| {
                        context.lookup_class(clause.type_name()?, Some(element.owner)).ok()
                    });
                    class.is_none_or(|class| {
                        let kind = self.class(class).kind();
                        matches!(kind, K::Model | K::Block | K::Class | K::Connector | K::ExpandableConnector)
                    })
                }
                ElementKind::Class(_) | ElementKind::Literal(_) => false,
            };
            if !is_model {
                let why = "takes out components that are models, blocks or connectors".into();
                self.mistake(Mistake::ClassRestriction { class: "`break`".into(), why, span });
            }
        }
    }

    /// Records and connectors only have public elements, packages no equations either.
    fn check_sections(&mut self, text: ast::ClassDefinition<'l>) {
        let kind = text.kind();
        if !matches!(kind, K::Record | K::OperatorRecord | K::Connector | K::ExpandableConnector | K::Package)
        {
            return;
        }
        for section in text.sections() {
            let what = match section {
                ast::Section::Elements(section) if section.is_protected() && kind != K::Package => {
                    "protected elements"
                }
                ast::Section::Equations(_) => "equations",
                ast::Section::Algorithm(_) => "algorithms",
                _ => continue,
            };
            let span = match section {
                ast::Section::Elements(section) => section.elements().next().map(|element| element.span()),
                ast::Section::Equations(section) => {
                    section.equations().next().map(|equation| equation.span())
                }
                ast::Section::Algorithm(section) => section.statements().next().map(|s| s.span()),
                ast::Section::External(_) => None,
            };
            // an empty section does no harm
            if let Some(span) = span {
                let (class, why) = (a_class(kind, text), format!("has {what}"));
                self.mistake(Mistake::ClassRestriction { class, why, span });
            }
        }
    }

    fn check_elements(&mut self, class: ClassNodeId, text: ast::ClassDefinition<'l>) {
        for element in text.elements() {
            match element {
                ast::Element::Component(clause) => {
                    if let Some(why) =
                        self.refused_component(class, text.kind(), clause, element.visibility())
                    {
                        let (class, span) = (a_class(text.kind(), text), clause.span());
                        self.mistake(Mistake::ClassRestriction { class, why, span });
                    }
                }
                ast::Element::Class(definition) => {
                    let why = match (text.kind(), definition.kind()) {
                        (K::Operator, kind) if kind != K::Function => "may only hold functions",
                        (kind, K::Operator | K::OperatorFunction) if kind != K::OperatorRecord => {
                            "has an operator, which only an operator record may have"
                        }
                        _ => continue,
                    };
                    let (class, span) = (a_class(text.kind(), text), definition.span());
                    self.mistake(Mistake::ClassRestriction { class, why: why.into(), span });
                }
                _ => {}
            }
        }
    }

    /// Why a class of this kind may not have such components.
    fn refused_component(
        &mut self,
        class: ClassNodeId,
        kind: K,
        clause: ast::ComponentClause<'l>,
        visibility: ast::Visibility,
    ) -> Option<String> {
        let name = clause.components().next()?.name()?.ident().into_owned();
        let is_record = matches!(kind, K::Record | K::OperatorRecord);
        let is_connector = matches!(kind, K::Connector | K::ExpandableConnector);
        if kind == K::Package && clause.variability() != Some(ast::Variability::Constant) {
            return Some(format!("may only hold constants and classes, and `{name}` is neither"));
        }
        if kind == K::Operator {
            return Some("may only hold functions".into());
        }
        if is_record || is_connector {
            let prefix = match () {
                () if clause.is_outer() => Some("outer"),
                () if clause.is_inner() => Some("inner"),
                () if is_connector => None,
                () => match (clause.causality(), clause.connection_prefix()) {
                    (Some(ast::Causality::Input), _) => Some("input"),
                    (Some(ast::Causality::Output), _) => Some("output"),
                    (_, Some(ast::ConnectionPrefix::Flow)) => Some("flow"),
                    (_, Some(ast::ConnectionPrefix::Stream)) => Some("stream"),
                    (None, None) => None,
                },
            };
            if let Some(prefix) = prefix {
                return Some(format!("has an element `{name}` with the prefix `{prefix}`"));
            }
        }
        if !is_record && !is_connector && kind != K::Block {
            return None;
        }
        let component_class =
            self.quietly(|context| context.lookup_class(clause.type_name()?, Some(class)).ok())?;
        let found = self.class(component_class).kind();
        if self.scalar_of(component_class).is_some() && found != K::Connector {
            return None;
        }
        let refused = match found {
            K::Class => false,
            K::Record | K::OperatorRecord | K::Type => false,
            K::Connector | K::ExpandableConnector => is_record,
            _ => is_record || is_connector,
        };
        if refused {
            return Some(format!("cannot have the component `{name}` of a {}", kind_name(found)));
        }
        if kind == K::Block && found == K::Connector && visibility == ast::Visibility::Public {
            return self.without_direction(component_class, clause).then(|| {
                format!("has the connector `{name}`, whose variables are neither inputs nor outputs")
            });
        }
        None
    }

    /// Whether a connector has variables that are neither `input` nor `output`.
    fn without_direction(&mut self, class: ClassNodeId, clause: ast::ComponentClause<'l>) -> bool {
        let elements = self.elements(class);
        if clause.causality().or(elements.causality()).is_some() {
            return false;
        }
        if elements.builtin().is_some() {
            return true;
        }
        let any = |context: &mut Self| context.any_without_direction(&elements);
        self.deeper_into(class, any).unwrap_or(false)
    }

    fn any_without_direction(&mut self, elements: &Elements<'l>) -> bool {
        elements.iter().any(|(_, element)| match element.kind() {
            ElementKind::Component { clause, .. } => {
                let varies = !matches!(
                    clause.variability(),
                    Some(ast::Variability::Constant | ast::Variability::Parameter)
                );
                let inner = self
                    .quietly(|context| context.lookup_class(clause.type_name()?, Some(element.owner)).ok());
                varies && inner.is_some_and(|inner| self.without_direction(inner, clause))
            }
            _ => false,
        })
    }

    /// Imported names must exist, in packages, each once (MLS §13.2).
    fn check_imports(&mut self, text: ast::ClassDefinition<'l>) {
        let mut names: Vec<(SmolStr, rhei_source::Span)> = Vec::new();
        for element in text.elements() {
            let ast::Element::Import(import) = element else { continue };
            let Some(form) = import.form() else { continue };
            let span = import.span();
            let mut own = Vec::new();
            let (path, members, from_package) = match &form {
                ast::ImportForm::Qualified(path) => {
                    own.extend(path.parts().last());
                    (*path, Vec::new(), false)
                }
                ast::ImportForm::Renamed(alias, path) => {
                    own.push(*alias);
                    (*path, Vec::new(), false)
                }
                ast::ImportForm::List(path, names) => {
                    own.extend(names.iter().copied());
                    (*path, names.clone(), true)
                }
                ast::ImportForm::Unqualified(path) => (*path, Vec::new(), true),
            };
            for name in own {
                let ident = SmolStr::from(name.ident());
                match names.iter().find(|(known, _)| *known == ident) {
                    Some((_, first)) => {
                        let (first, again) = (*first, name.span());
                        self.mistake(Mistake::DuplicateName { name: ident.to_string(), first, again });
                    }
                    None => names.push((ident, name.span())),
                }
            }
            if let Some(why) = self.refused_import(path, &members, from_package) {
                self.mistake(Mistake::BadImport { why, span });
            }
        }
    }

    fn refused_import(
        &mut self,
        path: ast::Name<'l>,
        members: &[rhei_syntax::TokenRef<'l>],
        from_package: bool,
    ) -> Option<String> {
        let mut within: Option<ClassNodeId> = None;
        let parts: Vec<SmolStr> = path.parts().map(|part| SmolStr::from(part.ident())).collect();
        let steps = parts.iter().cloned().chain(members.iter().map(|member| SmolStr::from(member.ident())));
        for (place, part) in steps.enumerate() {
            // of several members each is looked for in the package
            let is_member = place >= parts.len();
            let found = match within {
                None => self.lookup_global(&part),
                Some(class) => {
                    let is_last = place + 1 >= parts.len();
                    if is_last && self.class(class).kind() != K::Package && !self.elements_are_constant(class)
                    {
                        return Some(format!("`{}` is not a package", self.class_name(class)));
                    }
                    if self.elements(class).get(&part).is_some_and(|element| element.is_protected()) {
                        return Some(format!("`{part}` of `{}` is protected", self.class_name(class)));
                    }
                    self.lookup_in(class, &part)
                }
            };
            match found {
                None => {
                    let class = within.map_or("the libraries".into(), |class| self.class_name(class));
                    return Some(format!("there is no `{part}` in `{class}`"));
                }
                Some(Found::Class(class)) if !is_member => within = Some(class),
                _ => {}
            }
        }
        match within {
            Some(class)
                if from_package
                    && self.class(class).kind() != K::Package
                    && !self.elements_are_constant(class) =>
            {
                Some(format!("`{}` is not a package", self.class_name(class)))
            }
            _ => None,
        }
    }

    /// Whether a class has only elements that a package may have, whatever its kind.
    fn elements_are_constant(&mut self, class: ClassNodeId) -> bool {
        let elements = self.elements(class);
        self.class(class).kind() == K::Class
            && elements.iter().all(|(_, element)| match element.kind() {
                ElementKind::Component { clause, .. } => {
                    clause.variability() == Some(ast::Variability::Constant)
                }
                _ => true,
            })
    }

    /// Which kind of class can extend which (MLS §7.1.3).
    pub(crate) fn refuse_base_kind(
        &mut self,
        class: ClassNodeId,
        base: ClassNodeId,
        span: rhei_source::Span,
    ) {
        if matches!(self.class(base).definition, Definition::Builtin(BuiltinClass::ExternalObject)) {
            return;
        }
        let (derived, base) = (self.class(class).kind(), self.class(base).kind());
        let allowed: &[K] = match derived {
            K::Class => return, // with contents of other kinds it is deprecated, and taken for a model
            K::Connector => &[K::Type, K::Record, K::OperatorRecord],
            K::Block => &[K::Record],
            K::Model => &[K::Record, K::Block],
            K::OperatorFunction => &[K::Function],
            _ => &[],
        };
        if base != K::Class && base != derived && !allowed.contains(&base) {
            let (derived, base) = (kind_name(derived).into(), kind_name(base).into());
            self.mistake(Mistake::WrongBase { derived, base, span });
        }
    }

    /// No part of a base class's name may be replaceable (MLS §6.3.1 and §7.1.4).
    pub(crate) fn refuse_replaceable_base(&mut self, name: ast::Name<'l>, class: ClassNodeId) {
        let mut within: Option<ClassNodeId> = None;
        for part in name.parts() {
            let ident = part.ident();
            let element = match within {
                Some(class) => self.elements(class).get(&ident),
                None if name.is_global() => None,
                None => self.element_around(class, &ident),
            };
            if let Some(declared) = element.and_then(|element| self.replaceable_text(element, &ident)) {
                let (name, span) = (name.to_string(), name.span());
                let declared = declared.name().map(|name| name.span());
                return self.mistake(Mistake::ReplaceableBase { name, span, declared });
            }
            let found = match within {
                Some(class) => self.lookup_in(class, &ident),
                None if name.is_global() => self.lookup_global(&ident),
                None => self.lookup(Some(class), &ident),
            };
            match found {
                Some(Found::Class(class)) => within = Some(class),
                _ => return,
            }
        }
    }

    /// The element that a simple name means, unless it is imported or stands in a file of its own.
    fn element_around(&mut self, class: ClassNodeId, name: &str) -> Option<Element<'l>> {
        let mut next = Some(class);
        while let Some(class) = next {
            if let Some(element) = self.elements(class).get(name) {
                return Some(element);
            }
            if self.lookup_imports_of(class, name).is_some() || self.find_in_files(class, name).is_some() {
                return None;
            }
            let node = self.class(class);
            next = if node.text().is_some_and(|text| text.is_encapsulated()) { None } else { node.scope };
        }
        None
    }

    /// The text of a class element that is replaceable, after redeclarations.
    fn replaceable_text(&self, element: Element<'l>, name: &str) -> Option<ast::ClassDefinition<'l>> {
        let ElementKind::Class(definition) = element.kind() else { return None };
        let modifier = self.class(element.owner).modifiers.get(name);
        let definition = match modifier.and_then(|modifier| modifier.redeclaration()) {
            Some(Redeclaration::Class { definition, .. }) => definition,
            _ => definition,
        };
        definition.is_replaceable().then_some(definition)
    }

    /// Looks something up without reporting mistakes: they are reported elsewhere.
    pub(crate) fn quietly<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let said = self.mistakes.len();
        let found = look(self);
        self.mistakes.truncate(said);
        found
    }
}

pub(crate) fn a_class(kind: K, text: ast::ClassDefinition<'_>) -> String {
    let name = text.name().map_or(String::new(), |name| name.ident().into_owned());
    format!("the {} `{name}`", kind_name(kind))
}

/// A kind of class as it is written.
pub(crate) fn kind_name(kind: K) -> &'static str {
    match kind {
        K::Class => "class",
        K::Model => "model",
        K::Record => "record",
        K::OperatorRecord => "operator record",
        K::Block => "block",
        K::Connector => "connector",
        K::ExpandableConnector => "expandable connector",
        K::Type => "type",
        K::Package => "package",
        K::Function => "function",
        K::OperatorFunction => "operator function",
        K::Operator => "operator",
    }
}
