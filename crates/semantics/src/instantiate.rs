//! A model of the library becomes an instance.

use std::sync::Arc;

use rhei_flat::{
    Equation, EquationKind, Experiment, Expr, ExprKind, FunctionId, Name, NamePart, RecordId, Type, VarId,
    Variability, Variable,
};
use rhei_library::{ClassId, Library};
use rhei_source::{Diagnostic, Span};
use rhei_syntax::ast;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::class::{BuiltinClass, ClassNode, ClassNodeId, Definition};
use crate::clauses::check_clauses;
use crate::component::{Binding, ComponentId, ComponentNode, Content};
use crate::context::Context;
use crate::limits::{DEEPEST_NESTING, Limits, MOST_ELEMENTS};
use crate::lookup::Found;
use crate::mistake::Mistake;
use crate::modifiers::Modifiers;
use crate::settle::written_out;
use crate::shape::ElementKind;
use rhei_instance::{Component, ComponentKind, Flowing, Instance, Sections};

/// Functions `equalityConstraint` by their text and the record they are for.
type EqualityConstraints = FxHashMap<(Span, Option<RecordId>), FunctionId>;

/// The instance of a class; `None` means that the diagnostics hold an error.
pub fn instantiate(library: &Library, class: ClassId) -> (Option<Instance>, Vec<Diagnostic>) {
    let (mut context, instance) = with_elements_apart(library, class);
    let mut mistakes = std::mem::take(&mut context.mistakes);
    mistakes.extend(context.limits.take_stopped());
    // the rules about whole clauses assume that their parts are right
    let instance = instance.filter(|_| !mistakes.iter().any(Mistake::refuses));
    let mut diagnostics: Vec<Diagnostic> =
        mistakes.into_iter().filter_map(Mistake::into_diagnostic).collect();
    let of_clauses: Vec<Diagnostic> = instance.iter().flat_map(check_clauses).collect();
    let instance = instance.filter(|_| of_clauses.is_empty());
    diagnostics.extend(of_clauses);
    if let Some(instance) = &instance {
        debug_assert_eq!(instance.verify(), Ok(()));
    }
    (instance, diagnostics)
}

/// Whether the elements of an array differ shows when their sizes and conditions are evaluated, which is when others may speak
/// of the array already. So it is begun anew, with these arrays taken apart; once for each level of such arrays inside each
/// other.
fn with_elements_apart(library: &Library, class: ClassId) -> (Context<'_>, Option<Instance>) {
    let mut apart = rustc_hash::FxHashSet::default();
    let mut limits = Limits::default();
    loop {
        let mut context = Context::new(library);
        context.apart = apart;
        context.limits = limits;
        let instance = context.model(class);
        let found = context.newly_found_apart();
        if found.is_empty() {
            return (context, instance);
        }
        if context.limits.are_used_up() {
            context.mistakes.retain(|mistake| !matches!(mistake, Mistake::ElementsDiffer { .. }));
            return (context, instance);
        }
        limits = context.limits.for_another_try();
        apart = std::mem::take(&mut context.apart);
        apart.extend(found);
    }
}

/// Components deeper than this are in a class that contains itself; the rest of [`DEEPEST_NESTING`] is for their types.
const DEEPEST_COMPONENT: usize = DEEPEST_NESTING - 20;

impl<'l> Context<'l> {
    fn model(&mut self, class: ClassId) -> Option<Instance> {
        let node = self.node_of(class)?;
        let text = self.class(node).text()?;
        let span = text.name().map_or(text.span(), |name| name.span());
        self.refuse_kind(node, text);

        let root_class = self.copy_class(node, &Modifiers::default());
        let root = self.add_component(ComponentNode {
            name: SmolStr::default(),
            parent: None,
            class: root_class,
            declared_in: root_class,
            content: Content::Components,
            sizes: Vec::new(),
            array: None,
            variability: Variability::Continuous,
            causality: None,
            connection: None,
            is_inner: false,
            is_protected: false,
            is_final: false,
            value: None,
            modifiers: Modifiers::default(),
            binding: Binding::None,
            evaluate: None,
            structural: false,
            span,
            description: SmolStr::default(),
        });
        self.root = Some(root);
        self.class_mut(root_class).owner = Some(root);

        let mut instance = Instance {
            class: self.library.qualified_name(class).into(),
            description: text.description().map_or(SmolStr::default(), |text| text.value().into()),
            ..Instance::default()
        };
        let mut order = Vec::new();
        let mut sections = Sections::default();
        self.visit(root, &mut order, &mut sections);
        // `inner` components made up on the way are parts of the model too
        let mut made = 0;
        while made < self.made_inner.len() {
            let id = self.made_inner[made];
            made += 1;
            self.visit(id, &mut order, &mut sections);
        }
        if self.is_stopped() {
            return None;
        }
        instance.experiment = self.experiment(text, root_class);
        instance.names_are_paths = names_are_paths(text);
        self.finish(instance, order, sections)
    }

    /// The node of a class of the library, its packages around it.
    fn node_of(&mut self, class: ClassId) -> Option<ClassNodeId> {
        let mut path: Vec<ClassId> = self.library.outwards(class).collect();
        path.reverse();
        let mut node: Option<ClassNodeId> = None;
        for id in path {
            let name = self.library.name(id).clone();
            let found = match node {
                None => match self.lookup_global(&name) {
                    Some(Found::Class(found)) if self.class(found).text().is_some() => Some(found),
                    // the language has a class of this name, and all others mean that one
                    Some(Found::Class(found)) => {
                        self.refuse_taken_name(id, found);
                        None
                    }
                    _ => None,
                },
                Some(around) => match self.lookup_in(around, &name) {
                    Some(Found::Class(found)) => Some(found),
                    _ => None,
                },
            };
            // a class that only its own file knows
            node = Some(found.unwrap_or_else(|| {
                let mut new = ClassNode::new(name, Definition::Text(self.library.definition(id)));
                new.library_class = Some(id);
                new.scope = node;
                self.add_class(new)
            }));
        }
        node
    }

    /// A class cannot have the name of a type of the language (MLS §4.9).
    fn refuse_taken_name(&mut self, class: ClassId, builtin: ClassNodeId) {
        if matches!(self.class(builtin).definition, Definition::Builtin(BuiltinClass::Connections)) {
            return; // only where `Connections.branch` and its kin are called
        }
        if let Some(name) = self.library.definition(class).name() {
            self.mistake(Mistake::TakenName { name: name.ident().into_owned(), span: name.span() });
        }
    }

    fn refuse_kind(&mut self, class: ClassNodeId, text: ast::ClassDefinition<'l>) {
        use ast::ClassKind as K;
        let span = text.name().map_or(text.span(), |name| name.span());
        let name = self.class_name(class);
        if !matches!(text.kind(), K::Model | K::Block | K::Class) {
            self.mistake(Mistake::NotAModel {
                name,
                kind: format!("{:?}", text.kind()).to_lowercase(),
                span,
            });
        } else if text.is_partial() {
            self.mistake(Mistake::PartialClass { name, span });
        }
    }

    /// A component, or the elements that it is the array of.
    fn visit_elements(&mut self, id: ComponentId, order: &mut Vec<ComponentId>, sections: &mut Sections) {
        if self.component(id).content != Content::Elements {
            return self.visit(id, order, sections);
        }
        for element in self.component(id).elements().to_vec() {
            self.visit(element, order, sections);
        }
    }

    /// All components below, in the order of their declaration, and the sections of their classes.
    fn visit(&mut self, id: ComponentId, order: &mut Vec<ComponentId>, sections: &mut Sections) {
        order.push(id);
        if self.component(id).content != Content::Components {
            return;
        }
        let class = self.component(id).class;
        let span = Some(self.component(id).span);
        if self.limits.depth() > DEEPEST_COMPONENT {
            let name = self.class_name(class);
            self.stop(Mistake::RecursiveClass { name, span });
        }
        let name = self.component(id).name.clone();
        self.deeper(&name, span, |context| context.visit_parts(id, order, sections));
        if self.is_stopped() {
            return;
        }
        let elements = self.elements(class);
        let (equations, initial) = (sections.equations.len(), sections.initial.len());
        self.section_ends.clear();
        self.sections(class, id, sections);
        if elements.bases().len() > 1 || elements.bases().any(|base| self.elements(base).bases().len() > 0) {
            let (ends, initial_ends): (Vec<usize>, Vec<usize>) =
                std::mem::take(&mut self.section_ends).into_iter().unzip();
            self.drop_repeated(&mut sections.equations, equations, &ends);
            self.drop_repeated(&mut sections.initial, initial, &initial_ends);
        }
        self.record_equation(id, sections);
    }

    fn visit_parts(&mut self, id: ComponentId, order: &mut Vec<ComponentId>, sections: &mut Sections) {
        let class = self.component(id).class;
        let elements = self.elements(class);
        for (name, element) in elements.iter() {
            if !matches!(element.kind(), ElementKind::Component { .. }) {
                continue;
            }
            if let Some(part) = self.component_element(element, name)
                && matches!(
                    self.component(part).content,
                    Content::Components | Content::Variable(_) | Content::Elements
                )
            {
                self.visit_elements(part, order, sections);
            }
            // the `inner` half of one that is `outer` too
            if let Some(inner) = self.class(element.owner).inner_component(name) {
                self.visit_elements(inner, order, sections);
            }
        }
    }

    /// Equations that are written alike in several base classes hold once (MLS §7.1). In one section a loop that is written out
    /// gives several for the same text.
    fn drop_repeated(&self, equations: &mut Vec<Equation>, from: usize, section_ends: &[usize]) {
        let section = |place: usize| section_ends.partition_point(|&end| end <= place);
        if equations.len() < from + 2 || section(from) == section(equations.len() - 1) {
            return;
        }
        let files = self.library.files();
        let mut known: FxHashMap<String, usize> = FxHashMap::default();
        // only those of this component are looked at: all of them, for each component, are too many
        let mut kept = from;
        for place in from..equations.len() {
            let words: Vec<&str> = files.text(equations[place].span).split_whitespace().collect();
            if *known.entry(words.join(" ")).or_insert(section(place)) == section(place) {
                equations.swap(kept, place);
                kept += 1;
            }
        }
        equations.truncate(kept);
    }

    /// A record that varies and has a value as a whole: one equation, so that a function is called once.
    fn record_equation(&mut self, id: ComponentId, sections: &mut Sections) {
        if self.component(id).value.is_none() {
            return;
        }
        let span = self.component(id).span;
        let value = match self.value(id) {
            Ok(Some(value)) => value,
            Ok(None) => return,
            Err(mistake) => return self.mistake(mistake),
        };
        if let Err(mistake) = self.check_record_value(id, &value) {
            return self.mistake(mistake);
        }
        if self.component(id).variability <= Variability::Parameter {
            return; // its fields are given by it
        }
        let class = self.component(id).declared_in;
        let full = self.full_sizes(id);
        let subscripts = vec![rhei_flat::Subscript::Whole; full.len()];
        let whole = crate::typing::Typing::of_class(self, class).whole_component(id, subscripts, span);
        match whole {
            Ok(whole) => {
                let component = self.path_name(id).into();
                sections.equations.push(Equation {
                    kind: EquationKind::Equal(whole, value),
                    component,
                    span,
                });
                self.bound_as_whole.insert(id);
            }
            Err(mistake) => self.mistake(mistake),
        }
    }

    /// Numbers components and variables in the order of their declaration, and gives variables their attributes.
    fn finish(
        &mut self,
        mut instance: Instance,
        order: Vec<ComponentId>,
        mut sections: Sections,
    ) -> Option<Instance> {
        let mut new_component = vec![None; self.components.len()];
        let mut new_variable: Vec<Option<VarId>> = vec![None; self.variables.len()];
        for (i, &id) in order.iter().enumerate() {
            new_component[id.0 as usize] = Some(ComponentId(i as u32));
        }
        let n = self.variables.len();
        let (mut known_as, mut variables) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let mut elements = 0usize;
        for &id in &order {
            if let Content::Variable(v) = self.component(id).content {
                let sizes = Type::array(rhei_flat::Scalar::Real, self.full_sizes(id));
                elements = elements.saturating_add(sizes.known_elements());
                if elements > MOST_ELEMENTS {
                    let (name, span) = (self.path_name(id), self.component(id).span);
                    self.stop(Mistake::TooManyElements { name, most: MOST_ELEMENTS, span });
                    return None;
                }
                new_variable[v.index()] = Some(VarId(variables.len() as u32));
                known_as.push(v);
                variables.push(self.variable(id));
            }
        }
        // few have a value, and to go through all of a large model takes its time
        let with_value: Vec<usize> =
            (0..variables.len()).filter(|&place| variables[place].binding.is_some()).collect();
        // a value may have been settled later, by other declarations: it is then part of the model, and written as
        // that
        for &place in &with_value {
            let (id, variable) = (self.variable_component(known_as[place]), &mut variables[place]);
            variable.structural = self.component(id).structural;
            if variable.structural {
                variable.binding = variable.binding.take().map(|binding| self.settled(id, binding));
            }
        }
        for &place in &with_value {
            variables[place].binding.iter_mut().for_each(|binding| self.decide(binding));
        }
        sections.change_expressions(&mut |e| {
            self.decide(e);
            renumber(e, &new_variable);
        });
        sections.algorithms = written_out(std::mem::take(&mut sections.algorithms));
        // sections may have brought in further variables: those of absent or outer components are none
        for place in with_value {
            variables[place].binding.iter_mut().for_each(|binding| renumber(binding, &new_variable));
        }
        for variable in &mut variables {
            if !variable.attributes.expressions().any(|(_, e)| has_variable(e)) {
                continue;
            }
            let attributes = Arc::make_mut(&mut variable.attributes);
            for attribute in [
                &mut attributes.start,
                &mut attributes.fixed,
                &mut attributes.min,
                &mut attributes.max,
                &mut attributes.nominal,
            ] {
                attribute.iter_mut().for_each(|value| renumber(value, &new_variable));
            }
        }
        instance.variables = variables;
        self.check_record_flows(&order);
        let mut functions = EqualityConstraints::default();
        instance.components.reserve_exact(order.len());
        for &id in &order {
            let component = self.instance_component(id, &new_component, &new_variable, &mut functions);
            instance.components.push(component);
        }
        let parents: Vec<Option<ComponentId>> =
            instance.components.iter().map(|component| component.parent).collect();
        for (i, parent) in parents.into_iter().enumerate() {
            if let Some(parent) = parent {
                instance.components[parent.0 as usize].parts.push(ComponentId(i as u32));
            }
        }
        for connection in &mut sections.connections {
            for side in [&mut connection.left, &mut connection.right] {
                side.component = new_component[side.component.0 as usize].unwrap_or(ComponentId(0));
            }
        }
        self.refuse_impure_calls(&instance.variables, &sections);
        instance.sections = sections;
        self.close_functions();
        self.check_comparisons();
        self.check_restrictions();
        instance.tables = std::mem::take(&mut self.tables);
        Some(instance)
    }

    /// Flows of operator records, each record looked at once.
    fn check_record_flows(&mut self, order: &[ComponentId]) {
        let mut known = rustc_hash::FxHashSet::default();
        for &id in order {
            let node = self.component(id);
            if node.connection != Some(ast::ConnectionPrefix::Flow)
                || matches!(node.content, Content::Variable(_))
            {
                continue;
            }
            let (class, span, scope) = (node.class, node.span, node.declared_in);
            let Some(record) = self.record_of(class) else { continue };
            if !self.tables.record(record).is_operator || !known.insert(record) {
                continue;
            }
            let name = self.path_name(id);
            if let Err(mistake) =
                crate::typing::Typing::of_class(self, scope).check_record_flow(record, name, span)
            {
                self.mistake(mistake);
            }
        }
    }

    fn instance_component(
        &mut self,
        id: ComponentId,
        new_component: &[Option<ComponentId>],
        new_variable: &[Option<VarId>],
        functions: &mut EqualityConstraints,
    ) -> Component {
        let equality_constraint = self.equality_constraint(id, functions);
        let node = self.component(id);
        let class_kind = self.class(node.class).kind();
        let kind = match class_kind {
            ast::ClassKind::Connector => ComponentKind::Connector,
            ast::ClassKind::ExpandableConnector => ComponentKind::Expandable,
            _ => ComponentKind::Inside,
        };
        let flowing = match node.connection {
            Some(ast::ConnectionPrefix::Flow) => Flowing::Flow,
            Some(ast::ConnectionPrefix::Stream) => Flowing::Stream,
            None => Flowing::Potential,
        };
        Component {
            name: node.name.clone(),
            parent: node.parent.and_then(|parent| new_component[parent.0 as usize]),
            parts: Vec::new(),
            variable: match node.content {
                Content::Variable(v) => new_variable[v.index()],
                _ => None,
            },
            sizes: node.sizes.clone(),
            kind,
            is_model: matches!(
                class_kind,
                ast::ClassKind::Model | ast::ClassKind::Block | ast::ClassKind::Class
            ),
            flowing,
            causality: node.causality,
            is_protected: node.is_protected,
            equality_constraint,
            class: self.shared_class_name(node.class),
            span: node.span,
        }
    }

    /// The function that says without redundancy whether two parts of connectors are equal, where their class has one.
    fn equality_constraint(
        &mut self,
        id: ComponentId,
        functions: &mut EqualityConstraints,
    ) -> Option<FunctionId> {
        let is_connector = |component: ComponentId| {
            let kind = self.class(self.component(component).class).kind();
            matches!(kind, ast::ClassKind::Connector | ast::ClassKind::ExpandableConnector)
        };
        if !self.outwards(id).any(is_connector) {
            return None;
        }
        let class = self.component(id).class;
        let Some(Found::Class(function)) = self.lookup_in(class, "equalityConstraint") else { return None };
        // every component has a class of its own: the same text for the same record is the same function
        let text = self.class(function).text()?.span();
        let record = if self.scalar_of(class).is_none() { self.record_of(class) } else { None };
        if let Some(known) = functions.get(&(text, record)) {
            return Some(*known);
        }
        match self.function_of(function) {
            Ok(function) => {
                functions.insert((text, record), function);
                Some(function)
            }
            Err(mistake) => {
                self.mistake(mistake);
                None
            }
        }
    }

    /// A variable with its type, attributes and value.
    fn variable(&mut self, id: ComponentId) -> Variable {
        let class = self.component(id).class;
        let scalar = self.scalar_of(class).unwrap_or(rhei_flat::Scalar::Real);
        let sizes = self.full_sizes(id);
        let parts = self
            .path(id)
            .into_iter()
            .map(|part| NamePart {
                name: self.component(part).name.clone(),
                dimensions: self.component(part).sizes.len(),
            })
            .collect();
        let parent = self.component(id).parent;
        let as_whole = self.is_bound_as_whole(parent);
        let binding = if as_whole {
            None
        } else {
            match self.value(id) {
                Ok(value) => value.map(|value| self.settled(id, value)),
                Err(mistake) => {
                    self.mistake(mistake);
                    None
                }
            }
        };
        let attributes = self.attributes(id);
        let node = self.component(id);
        let is_top = self.is_at_border(node.parent);
        Variable {
            name: Name { parts },
            ty: Type::array(scalar, sizes),
            variability: node.variability,
            causality: node.causality.filter(|_| is_top),
            is_protected: node.is_protected || self.is_inside_protected(id),
            is_final: node.is_final || self.outwards(id).any(|part| self.component(part).is_final),
            // a value computed at the start only is not structural
            structural: node.structural && binding.is_some(),
            attributes,
            binding,
            description: node.description.clone(),
            span: node.span,
        }
    }

    fn is_bound_as_whole(&self, component: Option<ComponentId>) -> bool {
        let mut next = component;
        while let Some(id) = next {
            if self.bound_as_whole.contains(&id) {
                return true;
            }
            next = self.component(id).parent;
        }
        false
    }

    /// Whether parts of this are where others connect to the model: it is the model itself, or a connector there.
    fn is_at_border(&self, mut id: Option<ComponentId>) -> bool {
        while let Some(around) = id.filter(|_| id != self.root) {
            let node = self.component(around);
            if self.class(node.class).kind() != ast::ClassKind::Connector {
                return false;
            }
            id = node.parent;
        }
        id.is_some()
    }

    fn is_inside_protected(&self, id: ComponentId) -> bool {
        self.outwards(id).any(|part| self.component(part).is_protected)
    }

    /// The `experiment` annotation (MLS §18.4), inherited where the class has none of its own.
    fn experiment(&mut self, text: ast::ClassDefinition<'l>, class: ClassNodeId) -> Experiment {
        let mut experiment = Experiment::default();
        let Some(found) = text.annotation().and_then(|annotation| annotation.find("experiment")) else {
            for base in self.elements(class).bases() {
                if let Some(text) = self.class(base).text() {
                    let inherited = self.experiment(text, base);
                    if inherited != Experiment::default() {
                        return inherited;
                    }
                }
            }
            return experiment;
        };
        for argument in found.modification().into_iter().flat_map(|m| m.arguments()) {
            let ast::Argument::Modification(modification) = argument else { continue };
            let Some(name) = modification.name().map(|name| name.to_string()) else { continue };
            let place = match name.as_str() {
                "StartTime" => &mut experiment.start_time,
                "StopTime" => &mut experiment.stop_time,
                "Tolerance" => &mut experiment.tolerance,
                "Interval" => &mut experiment.interval,
                _ => continue, // tools add their own
            };
            let Some(value) = modification.modification().and_then(|m| m.value()) else { continue };
            let span = modification.span();
            let number = self
                .type_in(class, value)
                .and_then(|e| self.evaluate(&e, true))
                .ok()
                .and_then(|v| v.as_real());
            match number {
                Some(value) if value > 0.0 || !matches!(name.as_str(), "Tolerance" | "Interval") => {
                    *place = Some(value)
                }
                Some(value) => {
                    let why = format!("it is {value}, and must be greater than 0");
                    self.mistake(Mistake::BadExperiment { name, why, span });
                }
                None => {
                    self.mistake(Mistake::BadExperiment { name, why: "it is not a number".into(), span });
                }
            }
        }
        experiment
    }
}

/// Whether the text is that of a flat model, whose names are the paths of variables: `annotation(__rhei(paths = true))`.
fn names_are_paths(text: ast::ClassDefinition<'_>) -> bool {
    let found = text.annotation().and_then(|annotation| annotation.find("__rhei"));
    let said = found.and_then(|argument| argument.modification());
    said.into_iter().flat_map(|said| said.arguments()).any(|argument| match argument {
        ast::Argument::Modification(argument) => {
            let value = argument.modification().and_then(|m| m.value());
            argument.name().is_some_and(|name| name.to_string() == "paths")
                && matches!(value, Some(ast::Expression::Boolean(literal)) if literal.value())
        }
        _ => false,
    })
}

/// Whether an expression holds a variable.
fn has_variable(e: &Expr) -> bool {
    let mut found = matches!(e.kind, ExprKind::Variable(..));
    e.each_part(&mut |part| found = found || has_variable(part));
    found
}

fn renumber(e: &mut Expr, new_variable: &[Option<VarId>]) {
    if let ExprKind::Variable(v, _) = &mut e.kind
        && let Some(new) = new_variable.get(v.index()).copied().flatten()
    {
        *v = new;
    }
    e.each_part_mut(&mut |part| renumber(part, new_variable));
}
