//! Everything known while a model is instantiated.

use std::sync::Arc;

use rhei_flat::{Attributes, Expr, ExprKind, Scalar, Size, Tables, Type, VarId};
use rhei_library::Library;
use rhei_source::Span;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::arena::Arena;
use crate::class::{BuiltinClass, ClassNode, ClassNodeId, Definition};
use crate::component::{ComponentId, ComponentNode};
use crate::limits::Limits;
use crate::mistake::Mistake;
use crate::modifiers::Modifiers;

/// The nodes made so far. Ids stay valid; nothing is ever taken away.
pub(crate) struct Context<'l> {
    pub(crate) library: &'l Library,
    pub(crate) classes: Arena<ClassNode<'l>>,
    pub(crate) components: Arena<ComponentNode<'l>>,
    pub(crate) tables: Tables,
    /// Which component is which variable.
    pub(crate) variables: Vec<ComponentId>,
    pub(crate) mistakes: Vec<Mistake>,
    pub(crate) builtins: FxHashMap<&'static str, ClassNodeId>,
    pub(crate) top_level: FxHashMap<SmolStr, Option<ClassNodeId>>,
    /// The model itself.
    pub(crate) root: Option<ComponentId>,
    pub(crate) limits: Limits,
    /// Comparisons of classes, made when all elements are known.
    pub(crate) comparisons: Vec<crate::compatible::Comparison>,
    /// Class texts whose restrictions were looked at.
    pub(crate) restricted: rustc_hash::FxHashSet<Span>,
    /// Classes whose restrictions are still to be looked at.
    pub(crate) to_restrict: Vec<ClassNodeId>,
    /// `inner` components made up at the top.
    pub(crate) made_inner: Vec<ComponentId>,
    /// The functions that inputs of function type are declared as, by the function that takes them.
    pub(crate) functional_inputs:
        FxHashMap<(rhei_flat::FunctionId, rhei_flat::LocalId), rhei_flat::FunctionId>,
    /// Functions declared `impure`, or that call one.
    pub(crate) declared_impure: rustc_hash::FxHashSet<rhei_flat::FunctionId>,
    /// Functions with errors: their bodies are not reported on again.
    pub(crate) broken_functions: rustc_hash::FxHashSet<rhei_flat::FunctionId>,
    /// Calls inside `pure(…)`.
    pub(crate) trusted_calls: rustc_hash::FxHashSet<Span>,
    /// How many functions are being read, one inside the other.
    pub(crate) reading_functions: usize,
    /// Partial derivatives of functions whose bodies are still to be made.
    pub(crate) partial_derivatives: Vec<crate::partial_derivatives::PartialDerivative>,
    /// Derivatives of functions that have been made.
    pub(crate) derivatives: rhei_flat::Derivatives,
    /// Functions that only stand for record constructors.
    pub(crate) constructors: Vec<rhei_flat::FunctionId>,
    /// Variables that were evaluated, each over all array dimensions around it: they cannot change any more.
    pub(crate) evaluated: std::cell::RefCell<FxHashMap<VarId, rhei_evaluate::Value>>,
    /// Records whose value as a whole was evaluated.
    pub(crate) tried_to_settle: rustc_hash::FxHashSet<ComponentId>,
    /// The last call whose fields were settled, with its value.
    pub(crate) settled_record: Option<(rhei_flat::Expr, rhei_evaluate::Value)>,
    /// Inherited elements deselected by `break`, each with the place of the `break`.
    pub(crate) taken_out: Vec<(crate::shape::Element<'l>, Span)>,
    /// Functions that give the fields of a record.
    pub(crate) record_results: crate::record_results::RecordResults,
    /// Records that vary and whose value is one equation.
    pub(crate) bound_as_whole: rustc_hash::FxHashSet<ComponentId>,
    /// The class that a record type was made from.
    pub(crate) record_classes: FxHashMap<rhei_flat::RecordId, ClassNodeId>,
    /// How many values the iterators over arrays of components have.
    pub(crate) iterator_sizes: FxHashMap<rhei_flat::IteratorId, usize>,
    /// The arrays of components they run through.
    pub(crate) iterator_arrays: FxHashMap<rhei_flat::IteratorId, ComponentId>,
    /// Arrays of components, by their paths, whose elements are instances each: they were found to differ.
    pub(crate) apart: rustc_hash::FxHashSet<String>,
    /// Loops that are written out, by the class and the place of the iterator: they go through such elements.
    pub(crate) unrolled: rustc_hash::FxHashSet<(ClassNodeId, Span)>,
    /// The numbers of equations and of initial equations at the end of each section of the class at hand.
    pub(crate) section_ends: Vec<(usize, usize)>,
    /// Iterators that an element was chosen by.
    pub(crate) choosing: rustc_hash::FxHashSet<rhei_flat::IteratorId>,
    /// Whether an evaluation took too long.
    pub(crate) gave_up: bool,
    /// Attributes of variables that only the type modifies, by the address of its modifiers; these are kept with them, so that
    /// the address is not used again.
    pub(crate) attributes_of_types: FxHashMap<usize, (Modifiers<'l>, Arc<Attributes>)>,
    /// Types that declarations find around their class, by the enclosing class and the place of the name.
    pub(crate) types_outside: FxHashMap<(Option<ClassNodeId>, Span), ClassNodeId>,
    /// Constants of packages already evaluated.
    pub(crate) constants: FxHashMap<ComponentId, Option<Expr>>,
}

/// Cost of a node, counted in elements of a class.
const NODE: usize = 4;

impl<'l> Context<'l> {
    pub(crate) fn new(library: &'l Library) -> Self {
        let mut context = Context {
            library,
            classes: Arena::new(),
            components: Arena::new(),
            tables: Tables::default(),
            variables: Vec::new(),
            mistakes: Vec::new(),
            builtins: FxHashMap::default(),
            top_level: FxHashMap::default(),
            root: None,
            limits: Limits::default(),
            comparisons: Vec::new(),
            restricted: rustc_hash::FxHashSet::default(),
            to_restrict: Vec::new(),
            made_inner: Vec::new(),
            functional_inputs: FxHashMap::default(),
            declared_impure: rustc_hash::FxHashSet::default(),
            broken_functions: rustc_hash::FxHashSet::default(),
            trusted_calls: rustc_hash::FxHashSet::default(),
            reading_functions: 0,
            partial_derivatives: Vec::new(),
            derivatives: rhei_flat::Derivatives::default(),
            constructors: Vec::new(),
            taken_out: Vec::new(),
            record_results: Vec::new(),
            evaluated: std::cell::RefCell::default(),
            tried_to_settle: rustc_hash::FxHashSet::default(),
            settled_record: None,
            bound_as_whole: rustc_hash::FxHashSet::default(),
            record_classes: FxHashMap::default(),
            iterator_sizes: FxHashMap::default(),
            iterator_arrays: FxHashMap::default(),
            apart: rustc_hash::FxHashSet::default(),
            unrolled: rustc_hash::FxHashSet::default(),
            section_ends: Vec::new(),
            choosing: rustc_hash::FxHashSet::default(),
            gave_up: false,
            attributes_of_types: FxHashMap::default(),
            types_outside: FxHashMap::default(),
            constants: FxHashMap::default(),
        };
        let builtins = [
            ("Real", BuiltinClass::Scalar(Scalar::Real)),
            ("Integer", BuiltinClass::Scalar(Scalar::Integer)),
            ("Boolean", BuiltinClass::Scalar(Scalar::Boolean)),
            ("String", BuiltinClass::Scalar(Scalar::String)),
            ("Clock", BuiltinClass::Scalar(Scalar::Clock)),
            ("StateSelect", BuiltinClass::StateSelect),
            ("AssertionLevel", BuiltinClass::AssertionLevel),
            ("ExternalObject", BuiltinClass::ExternalObject),
            ("Connections", BuiltinClass::Connections),
        ];
        for (name, class) in builtins {
            let id = context.add_class(ClassNode::new(name.into(), Definition::Builtin(class)));
            context.builtins.insert(name, id);
        }
        context
    }

    pub(crate) fn add_class(&mut self, node: ClassNode<'l>) -> ClassNodeId {
        self.work(NODE, None);
        ClassNodeId(self.classes.push(node) as u32)
    }

    pub(crate) fn class(&self, id: ClassNodeId) -> &ClassNode<'l> {
        &self.classes[id.0 as usize]
    }

    pub(crate) fn class_mut(&mut self, id: ClassNodeId) -> &mut ClassNode<'l> {
        &mut self.classes[id.0 as usize]
    }

    pub(crate) fn add_component(&mut self, node: ComponentNode<'l>) -> ComponentId {
        self.work(NODE, Some(node.span));
        ComponentId(self.components.push(node) as u32)
    }

    pub(crate) fn component(&self, id: ComponentId) -> &ComponentNode<'l> {
        &self.components[id.0 as usize]
    }

    pub(crate) fn component_mut(&mut self, id: ComponentId) -> &mut ComponentNode<'l> {
        &mut self.components[id.0 as usize]
    }

    pub(crate) fn variable_component(&self, v: VarId) -> ComponentId {
        self.variables[v.index()]
    }

    /// The components around and including this one, outermost first, without the model itself.
    pub(crate) fn path(&self, component: ComponentId) -> Vec<ComponentId> {
        let mut path: Vec<ComponentId> = self.outwards(component).collect();
        path.reverse();
        path
    }

    /// The component and those around it, without the model itself.
    pub(crate) fn outwards(&self, component: ComponentId) -> impl Iterator<Item = ComponentId> {
        let around = std::iter::successors(Some(component), |id| self.component(*id).parent);
        around.filter(|id| Some(*id) != self.root)
    }

    /// The name of a component from the model: `a.b.c`.
    pub(crate) fn path_name(&self, component: ComponentId) -> String {
        let mut name = String::new();
        self.write_path(component, &mut name);
        match self.component(component).parent {
            // a constant of a package
            None if Some(component) != self.root => {
                format!("{}.{name}", self.class_name(self.component(component).declared_in))
            }
            _ => name,
        }
    }

    fn write_path(&self, component: ComponentId, name: &mut String) {
        let node = self.component(component);
        if let Some(parent) = node.parent {
            self.write_path(parent, name);
        }
        if Some(component) != self.root {
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(&node.name);
        }
    }

    /// The qualified name of a class, as the modeller would write it.
    pub(crate) fn class_name(&self, class: ClassNodeId) -> String {
        let node = self.class(class);
        match node.scope {
            Some(scope) => format!("{}.{}", self.class_name(scope), node.name),
            None => node.name.to_string(),
        }
    }

    /// The same, to be kept: most are names of the language.
    pub(crate) fn shared_class_name(&self, class: ClassNodeId) -> SmolStr {
        let node = self.class(class);
        if node.scope.is_some() { self.class_name(class).into() } else { node.name.clone() }
    }

    /// The sizes of all array dimensions around and of a component, outermost first.
    pub(crate) fn full_sizes(&self, component: ComponentId) -> Vec<Size> {
        if self.outwards(component).all(|id| self.component(id).sizes.is_empty()) {
            return Vec::new();
        }
        self.path(component).into_iter().flat_map(|id| self.component(id).sizes.clone()).collect()
    }

    pub(crate) fn type_name(&self, ty: &Type) -> String {
        self.tables.type_name(ty)
    }

    pub(crate) fn mistake(&mut self, mistake: Mistake) {
        if !self.is_stopped() && !self.mistakes.contains(&mistake) {
            self.mistakes.push(mistake);
        }
    }

    /// Whether a component is an expandable connector.
    pub(crate) fn is_expandable(&self, component: ComponentId) -> bool {
        let class = self.component(component).class;
        self.class(class).kind() == rhei_syntax::ast::ClassKind::ExpandableConnector
    }

    /// A literal whole number.
    pub(crate) fn integer(&self, value: i64, span: Span) -> Expr {
        Expr { kind: ExprKind::Integer(value), ty: Type::scalar(Scalar::Integer), span }
    }
}
