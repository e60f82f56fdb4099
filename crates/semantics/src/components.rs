//! Elements to instances: each component at its place, made when it is first asked for.

use rhei_flat::{Causality, Scalar, Size, Type, VarId, Variability};
use rhei_source::Span;
use rhei_syntax::ast;
use smol_str::SmolStr;

use crate::class::{BuiltinClass, ClassNodeId};
use crate::compatible::Comparison;
use crate::component::{Binding, ComponentId, ComponentNode, Content};
use crate::context::Context;
use crate::evaluation::WrittenSize;
use crate::limits::MOST_ELEMENTS;
use crate::mistake::Mistake;
use crate::modifiers::{Modifier, Modifiers, Redeclaration};
use crate::shape::{Element, ElementKind};

/// A component as it is declared, after redeclarations.
struct Declared<'l> {
    clause: ast::ComponentClause<'l>,
    component: ast::Component<'l>,
    /// The class in whose names the declaration is written.
    scope: ClassNodeId,
    /// The declaration that it replaces.
    original: ast::ComponentClause<'l>,
    original_component: ast::Component<'l>,
    modifier: Modifier<'l>,
}

impl<'l> Context<'l> {
    /// The instance of a component element.
    pub(crate) fn component_element(&mut self, element: Element<'l>, name: &str) -> Option<ComponentId> {
        let element = self.as_most_derived(element, name);
        let number = element.declaration.number as usize;
        if let Some(known) = self.class(element.owner).components.get(number).copied().flatten() {
            return Some(known);
        }
        let ElementKind::Component { clause, component } = element.kind() else { return None };
        let go = |context: &mut Self| context.instantiate_component(element, name, clause, component);
        self.deeper(name, Some(clause.span()), go)?
    }

    fn instantiate_component(
        &mut self,
        element: Element<'l>,
        name: &str,
        clause: ast::ComponentClause<'l>,
        component: ast::Component<'l>,
    ) -> Option<ComponentId> {
        let declared = self.declared(element.owner, name, clause, component);
        let parent = self.class(element.owner).owner;
        let span = declared.component.name().map_or(declared.component.span(), |name| name.span());
        let type_name = declared.clause.type_name()?;
        let class = match self.lookup_type(type_name, declared.scope) {
            Ok(class) => class,
            Err(mistake) => {
                self.mistake(mistake);
                return None;
            }
        };
        let prefixes = [declared.clause, declared.original];
        let written = prefixes.iter().find_map(|clause| clause.variability());
        let node = ComponentNode {
            name: name.into(),
            parent,
            class,
            declared_in: declared.scope,
            content: Content::Components,
            sizes: Vec::new(),
            array: None,
            variability: self.variability(parent, written),
            causality: prefixes.iter().find_map(|clause| clause.causality()).map(causality),
            connection: prefixes.iter().find_map(|clause| clause.connection_prefix()),
            is_inner: prefixes.iter().any(|clause| clause.is_inner()),
            is_protected: element.is_protected(),
            is_final: declared.clause.is_final() || declared.modifier.is_final,
            value: declared.modifier.value.map(Box::new),
            modifiers: declared.modifier.children.clone(),
            binding: Binding::Open,
            evaluate: self.evaluate_annotation(declared.component, class),
            structural: false,
            span,
            description: declared
                .component
                .description()
                .map_or(SmolStr::default(), |text| text.value().into()),
        };
        let id = self.add_component(node);
        // known from now on: names inside may refer to it
        let siblings = &mut self.class_mut(element.owner).components;
        let number = element.declaration.number as usize;
        if siblings.len() <= number {
            siblings.resize(number + 1, None);
        }
        siblings[number] = Some(id);

        if let Some(condition) = declared.original_component.condition()
            && !self.condition_holds(condition, element.owner)
        {
            self.component_mut(id).content = Content::Absent;
            return Some(id);
        }
        if declared.clause != declared.original {
            self.check_redeclaration(element.owner, name, &declared, class);
        }
        if !prefixes.iter().any(|clause| clause.is_outer()) {
            self.give_type(id, &declared);
            self.check_each(id, &declared);
            return Some(id);
        }
        if self.component(id).is_inner {
            // two in one: names inside refer to the `outer` one (MLS §5.5)
            let inner = self.add_component(self.component(id).clone());
            self.class_mut(element.owner).particulars_mut().inner_components.insert(name.into(), inner);
            self.component_mut(id).is_inner = false;
            self.give_type(inner, &declared);
        } else if declared.modifier.says_something() {
            let (name, span) = (name.to_owned(), declared.modifier.span.unwrap_or(span));
            self.mistake(Mistake::OuterModified { name, span });
        }
        let inner = match self.class(element.owner).kind() {
            ast::ClassKind::Package => self.inner_constant(element.owner, name, class, span),
            _ => {
                let around = parent.and_then(|parent| self.component(parent).parent);
                self.find_inner(around, name, class, span, true)
            }
        };
        self.component_mut(id).content = inner;
        Some(id)
    }

    /// Only replaceable components are redeclared with another type, and only with one that fits (MLS
    /// §7.3.3).
    fn check_redeclaration(
        &mut self,
        owner: ClassNodeId,
        name: &str,
        declared: &Declared<'l>,
        class: ClassNodeId,
    ) {
        let (original, span) = (declared.original, declared.clause.span());
        let before = declared.original_component.name().map(|name| name.span());
        if original.variability() == Some(ast::Variability::Constant) {
            self.mistake(Mistake::RedeclaredConstant { name: name.into(), span, declared: before });
        }
        let constraint = original.constraining_clause().and_then(|clause| clause.type_name());
        let wanted = constraint.or(original.type_name());
        let wanted =
            wanted.and_then(|wanted| self.quietly(|context| context.lookup_class(wanted, Some(owner)).ok()));
        let Some(wanted) = wanted else { return };
        // with its own type it may get other sizes or vary less
        if !original.is_replaceable() && wanted != class {
            self.mistake(Mistake::NotReplaceable { name: name.into(), span, declared: before });
            return;
        }
        self.comparisons.push(Comparison {
            name: name.into(),
            new: class,
            wanted,
            span: declared.component.name().map_or(span, |name| name.span()),
            wanted_span: constraint.map(|name| name.span()).or(before),
            inner_outer: false,
        });
    }

    /// The declaration of an element with all modifications merged.
    fn declared(
        &mut self,
        owner: ClassNodeId,
        name: &str,
        original: ast::ComponentClause<'l>,
        original_component: ast::Component<'l>,
    ) -> Declared<'l> {
        let outer = self.class(owner).modifiers.get(name).cloned().unwrap_or_default();
        let own = Modifier::of_declaration(original_component.modification(), owner, &mut self.mistakes);
        if original.is_final() && outer.span.is_some() && outer.says_something() {
            let declared = original_component.name().map(|name| name.span());
            self.mistake(Mistake::ModifiedFinal { name: name.into(), span: outer.span, declared });
        }
        let Some(Redeclaration::Component { clause, component, scope }) = outer.redeclaration() else {
            let least = match original.constraining_clause().and_then(|clause| clause.modification()) {
                Some(modification) => Modifier {
                    children: Modifiers::read(modification.arguments(), owner, &mut self.mistakes),
                    ..Modifier::default()
                },
                None => Modifier::default(),
            };
            let own = own.merged(&least, name, &mut self.mistakes);
            let modifier = outer.merged(&own, name, &mut self.mistakes);
            return Declared {
                clause: original,
                component: original_component,
                scope: owner,
                original,
                original_component,
                modifier,
            };
        };
        // the constraining clause's modification holds for every redeclaration; without one, the declaration's does
        let kept = match original.constraining_clause().and_then(|clause| clause.modification()) {
            Some(modification) => Modifier {
                children: Modifiers::read(modification.arguments(), owner, &mut self.mistakes),
                ..Modifier::default()
            },
            None if original.constraining_clause().is_some() => Modifier::default(),
            None => Modifier { value: own.value, children: own.children.clone(), ..Modifier::default() },
        };
        let new = Modifier::of_declaration(component.modification(), scope, &mut self.mistakes);
        let inner = new.merged(&kept, name, &mut self.mistakes);
        let modifier = outer.merged(&inner, name, &mut self.mistakes);
        Declared { clause, component, scope, original, original_component, modifier }
    }

    fn variability(&self, parent: Option<ComponentId>, written: Option<ast::Variability>) -> Variability {
        let own = match written {
            Some(ast::Variability::Constant) => Variability::Constant,
            Some(ast::Variability::Parameter) => Variability::Parameter,
            Some(ast::Variability::Discrete) => Variability::Discrete,
            None => Variability::Continuous,
        };
        let around = parent.map_or(Variability::Continuous, |parent| self.component(parent).variability);
        own.min(around)
    }

    /// The type of a component: a variable of the language, or further components; and its dimensions.
    fn give_type(&mut self, id: ComponentId, declared: &Declared<'l>) {
        let class = self.component(id).class;
        let elements = self.elements(class);
        let scalar = self.scalar_of(class);
        if let Some(scalar) = scalar {
            self.component_mut(id).content = Content::Variable(VarId(self.variables.len() as u32));
            self.variables.push(id);
            let variability = self.component(id).variability;
            if variability == Variability::Continuous && scalar != Scalar::Real {
                self.component_mut(id).variability = Variability::Discrete;
            }
            let own = self.component(id).modifiers.clone();
            let mut of_type = elements.attributes.clone();
            of_type.each_everywhere(None);
            let merged = own.merged(&of_type, &mut self.mistakes);
            self.component_mut(id).modifiers = merged;
            self.check_attributes(id, scalar);
        } else {
            if let Some(text) = self.class(class).text()
                && text.is_partial()
                && !matches!(self.class(class).kind(), ast::ClassKind::Function | ast::ClassKind::Package)
            {
                let (name, span) = (self.class_name(class), self.component(id).span);
                self.mistake(Mistake::PartialClass { name, span });
            }
            let modifiers = self.component(id).modifiers.clone();
            let node = self.copy_class(class, &modifiers);
            self.class_mut(node).owner = Some(id);
            self.component_mut(id).class = node;
            self.check_modified_names(id, node);
        }
        if self.component(id).causality.is_none() {
            self.component_mut(id).causality = elements.causality().map(causality);
        }
        // dimensions of the component, then of the clause, then of the type
        let component_subscripts =
            declared.component.subscripts().or_else(|| declared.original_component.subscripts());
        let clause_subscripts = declared.clause.subscripts().or_else(|| declared.original.subscripts());
        let own = component_subscripts
            .into_iter()
            .chain(clause_subscripts)
            .map(|subscripts| (subscripts, declared.scope));
        let written: Vec<(ast::ArraySubscripts<'l>, ClassNodeId)> =
            own.chain(elements.dimensions()).collect();
        if written.is_empty() {
            return;
        }
        // a circle through its own size ends here
        let count = written.iter().map(|(subscripts, _)| subscripts.subscripts().count()).sum();
        self.component_mut(id).sizes = vec![Size::Open; count];
        let mut written_sizes = Vec::new();
        for (subscripts, scope) in written {
            for subscript in subscripts.subscripts() {
                written_sizes.push(self.size(subscript, scope));
            }
        }
        let mut sizes: Vec<Option<usize>> = written_sizes.iter().map(|size| size.known()).collect();
        if written_sizes.contains(&WrittenSize::Colon) {
            self.sizes_from_value(id, &mut sizes);
        }
        let wrong = written_sizes.iter().map(|size| *size == WrittenSize::Wrong);
        sizes.iter_mut().zip(wrong).filter(|(_, wrong)| *wrong).for_each(|(size, _)| *size = None);
        let sizes: Vec<Size> = sizes.into_iter().map(|size| size.map_or(Size::Open, Size::Known)).collect();
        let name = self.component(id).name.clone();
        let iterators: Vec<rhei_flat::IteratorId> =
            (0..sizes.len()).map(|_| self.tables.new_iterator(format!("${name}"))).collect();
        for (iterator, size) in iterators.iter().zip(&sizes) {
            self.iterator_sizes.insert(*iterator, size.known().unwrap_or(0));
            self.iterator_arrays.insert(*iterator, id);
        }
        let component = self.component_mut(id);
        component.sizes = sizes;
        component.array.get_or_insert_default().iterators = iterators;
        self.take_apart(id, class);
        self.refuse_elements(id);
    }

    /// Whatever is computed over an array is bounded by this.
    fn refuse_elements(&mut self, id: ComponentId) {
        let count = |count: usize, size: Size| count.saturating_mul(size.known().unwrap_or(1));
        if self.full_sizes(id).into_iter().fold(1, count) > MOST_ELEMENTS {
            let node = self.component_mut(id);
            node.sizes.fill(Size::Open);
            let (name, span) = (self.path_name(id), self.component(id).span);
            self.mistake(Mistake::TooManyElements { name, most: MOST_ELEMENTS, span });
        }
    }

    /// Sizes written as `:` follow from the value.
    fn sizes_from_value(&mut self, id: ComponentId, sizes: &mut [Option<usize>]) {
        let span = self.component(id).span;
        let fallback = |context: &mut Self| {
            let name = context.component(id).name.to_string();
            context.mistake(Mistake::SizeNotEvaluable {
                why: format!("`{name}` has no value to take its size from"),
                span,
            });
        };
        // the value of a whole record comes before those of its elements (MLS §7.2.3)
        let value = match (self.inherited_value(id), self.component(id).written_value()) {
            (Some(value), _) => Ok(value),
            (None, Some(value)) => self.type_in(value.scope, value.expression),
            // connections to an expandable connector say how large its members are (MLS §9.1.3)
            (None, None) if self.component(id).parent.is_some_and(|parent| self.is_expandable(parent)) => {
                return;
            }
            (None, None) => {
                fallback(self);
                sizes.iter_mut().for_each(|size| *size = size.or(Some(0)));
                return;
            }
        };
        match value {
            Ok(value) => {
                let given = &value.ty.sizes;
                let skip = given.len().saturating_sub(sizes.len());
                for (size, given) in sizes.iter_mut().zip(&given[skip..]) {
                    *size = size.or(given.known());
                }
                if sizes.iter().any(Option::is_none) {
                    // sizes that only evaluation tells
                    match self.evaluate(&value, true) {
                        Ok(value) => {
                            let given = crate::evaluation::sizes(&value);
                            let skip = given.len().saturating_sub(sizes.len());
                            for (size, given) in sizes.iter_mut().zip(&given[skip..]) {
                                *size = size.or(Some(*given));
                            }
                        }
                        Err(mistake) => {
                            self.mistake(mistake);
                            sizes.iter_mut().for_each(|size| *size = size.or(Some(0)));
                            return;
                        }
                    }
                }
                if sizes.iter().any(Option::is_none) {
                    fallback(self);
                }
            }
            Err(mistake) => self.mistake(mistake),
        }
        sizes.iter_mut().for_each(|size| *size = size.or(Some(0)));
    }

    /// The element type of a class that is one of the language's, an enumeration or an external object.
    pub(crate) fn scalar_of(&mut self, class: ClassNodeId) -> Option<Scalar> {
        match self.elements(class).builtin() {
            Some(BuiltinClass::Scalar(scalar)) => return Some(scalar),
            Some(BuiltinClass::ExternalObject) => {
                return Some(Scalar::ExternalObject(self.external_object(class)));
            }
            _ => {}
        }
        self.enumeration_of(class).map(Scalar::Enumeration)
    }

    /// The `inner` constant that an `outer` one of a package stands for: the package is in the class of an instance, and the search
    /// begins there. None is made up, since a constant has no default.
    fn inner_constant(
        &mut self,
        package: ClassNodeId,
        name: &str,
        wanted: ClassNodeId,
        span: Span,
    ) -> Content {
        let around = std::iter::successors(Some(package), |&class| self.class(class).scope)
            .find_map(|class| self.class(class).owner);
        let found = self.find_inner(around, name, wanted, span, false);
        if let Content::Outer(inner) = found
            && self.component(inner).variability > Variability::Constant
        {
            let name = self.path_name(inner);
            self.mistake(Mistake::NotConstant { name, span });
            return Content::WithoutInner;
        }
        found
    }

    /// The `inner` component of this name in an instance or around it (MLS §5.4). Where there is none and one `can_be_made`, it is
    /// made up at the top.
    fn find_inner(
        &mut self,
        around: Option<ComponentId>,
        name: &str,
        wanted: ClassNodeId,
        span: Span,
        can_be_made: bool,
    ) -> Content {
        let mut next = around;
        while let Some(id) = next {
            let class = self.component(id).class;
            let elements = self.elements(class);
            if let Some(element) = elements.get(name)
                && let ElementKind::Component { clause, .. } = element.kind()
                && clause.is_inner()
            {
                let Some(found) = self.component_element(element, name) else { return Content::WithoutInner };
                let found = self.class(element.owner).inner_component(name).unwrap_or(found);
                self.comparisons.push(Comparison {
                    name: name.into(),
                    new: self.component(found).class,
                    wanted,
                    span: self.component(found).span,
                    wanted_span: Some(span),
                    inner_outer: true,
                });
                return match self.component(found).content {
                    Content::Absent => Content::Absent,
                    _ => Content::Outer(found),
                };
            }
            next = self.component(id).parent;
        }
        let Some(root) = self.root else { return Content::WithoutInner };
        if can_be_made
            && let Some(known) = self.made_inner.iter().copied().find(|&id| self.component(id).name == name)
        {
            self.comparisons.push(Comparison {
                name: name.into(),
                new: self.component(known).class,
                wanted,
                span,
                wanted_span: None,
                inner_outer: true,
            });
            return Content::Outer(known);
        }
        self.make_missing_inner(root, name, wanted, span, can_be_made)
            .map_or(Content::WithoutInner, Content::Outer)
    }

    fn make_missing_inner(
        &mut self,
        root: ComponentId,
        name: &str,
        class: ClassNodeId,
        span: Span,
        can_be_made: bool,
    ) -> Option<ComponentId> {
        let message = self
            .class(class)
            .text()
            .and_then(|text| annotation_text(text.annotation()?, "missingInnerMessage"));
        let class_name = self.class_name(class);
        // a second element of this name would be made at the top
        let root_class = self.component(root).class;
        let is_taken = self.elements(root_class).contains(name);
        if !can_be_made || is_taken || self.class(class).text().is_some_and(|text| text.is_partial()) {
            self.mistake(Mistake::MissingInner {
                name: name.into(),
                class: class_name,
                message,
                span,
                made: false,
            });
            return None;
        }
        self.mistake(Mistake::MissingInner {
            name: name.into(),
            class: class_name,
            message,
            span,
            made: true,
        });
        let node = ComponentNode {
            name: name.into(),
            parent: Some(root),
            class,
            declared_in: root_class,
            content: Content::Components,
            sizes: Vec::new(),
            array: None,
            variability: Variability::Continuous,
            causality: None,
            connection: None,
            is_inner: true,
            is_protected: false,
            is_final: false,
            value: None,
            modifiers: Modifiers::default(),
            binding: Binding::Open,
            evaluate: None,
            structural: false,
            span,
            description: SmolStr::default(),
        };
        let id = self.add_component(node);
        self.made_inner.push(id);
        if let Some(scalar) = self.scalar_of(class) {
            let elements = self.elements(class);
            self.component_mut(id).content = Content::Variable(VarId(self.variables.len() as u32));
            self.variables.push(id);
            self.component_mut(id).modifiers = elements.attributes.clone();
            if scalar != Scalar::Real {
                self.component_mut(id).variability = Variability::Discrete;
            }
        } else {
            let node = self.copy_class(class, &crate::modifiers::Modifiers::default());
            self.class_mut(node).owner = Some(id);
            self.component_mut(id).class = node;
        }
        Some(id)
    }

    /// Modified elements must exist.
    fn check_modified_names(&mut self, id: ComponentId, class: ClassNodeId) {
        let modifiers = self.component(id).modifiers.clone();
        if modifiers.is_empty() {
            return;
        }
        let elements = self.elements(class);
        for (name, modifier) in modifiers.iter() {
            if let Some(span) = modifier.span.filter(|_| modifier.says_something()) {
                self.refuse_protected(class, name, span);
            }
            if let (Some(value), Some(span)) = (self.component(id).written_value(), modifier.span)
                && modifier.value.is_some()
                && !modifier.is_overridden
            {
                let (name, first) = (name.to_string(), value.expression.span());
                self.mistake(Mistake::DuplicateModification { name, first, again: span });
            }
            if let Some(element) = elements.get(name).filter(|_| modifier.says_something())
                && let Some(declared) = self.final_class_around(element.owner)
            {
                let (name, declared) = (name.to_string(), declared.name().map(|name| name.span()));
                self.mistake(Mistake::ModifiedFinal { name, span: modifier.span, declared });
            }
            let known = elements.contains(name) || self.find_in_files(class, name).is_some();
            if !known && let Some(span) = modifier.span {
                let near =
                    rhei_source::nearest_name(name, elements.names().map(SmolStr::as_str)).map(str::to_owned);
                let class = self.class_name(class);
                self.mistake(Mistake::UnknownElement { name: name.to_string(), class, near, span });
            }
        }
    }

    /// A final class that this one is, or that extends it: all of its elements are final (MLS §7.2.6).
    fn final_class_around(&self, class: ClassNodeId) -> Option<ast::ClassDefinition<'l>> {
        let mut next = Some(class);
        while let Some(class) = next {
            if let Some(text) = self.class(class).text().filter(|text| text.is_final()) {
                return Some(text);
            }
            next = self.class(class).derived;
        }
        None
    }

    /// `each` is for arrays (MLS §7.2.5).
    fn check_each(&mut self, id: ComponentId, declared: &Declared<'l>) {
        if !self.component(id).sizes.is_empty() {
            return;
        }
        for argument in declared.component.modification().into_iter().flat_map(|m| m.arguments()) {
            if let ast::Argument::Modification(modification) = argument
                && modification.is_each()
                && modification.name().is_some_and(|name| name.parts().count() == 1)
            {
                let (name, span) = (self.component(id).name.to_string(), modification.span());
                self.mistake(Mistake::EachWithoutArray { name, span });
            }
        }
    }

    /// The component that an `outer` one stands for, or the component itself.
    pub(crate) fn resolved(&self, mut id: ComponentId) -> ComponentId {
        while let Content::Outer(inner) = self.component(id).content {
            id = inner;
        }
        id
    }

    /// The type of a component, its own dimensions included.
    pub(crate) fn component_type(&mut self, id: ComponentId) -> Option<Type> {
        let sizes = self.component(id).sizes.clone();
        let class = self.component(id).class;
        let scalar = match self.component(id).content {
            Content::Variable(_) => self.scalar_of(class)?,
            _ => Scalar::Record(self.record_of(class)?),
        };
        Some(Type::array(scalar, sizes))
    }
}

pub(crate) fn causality(causality: ast::Causality) -> Causality {
    match causality {
        ast::Causality::Input => Causality::Input,
        ast::Causality::Output => Causality::Output,
    }
}

/// A text given in an annotation.
pub(crate) fn annotation_text(annotation: ast::AnnotationClause<'_>, name: &str) -> Option<String> {
    match annotation.find(name)?.modification()?.value()? {
        ast::Expression::String(text) => Some(text.value()),
        _ => None,
    }
}
