//! The types and functions that a flat model uses, and their names in its text.
//!
//! Only used ones are written. Names are qualified names as identifiers; where two different things have the same one, the
//! later ones get a number: `'Medium.density#2'`.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use crate::identifier::identifier;
use crate::{EnumerationId, Expr, Flat, Function, FunctionId, RecordId, Scalar, Tables};

/// Enumerations of the language, which no text defines (MLS §4.9.7, §8.3.7).
const PREDEFINED: [&str; 2] = ["StateSelect", "AssertionLevel"];

/// A class of objects of code outside the language, with its functions (MLS §12.9.7).
#[derive(Clone, Copy)]
pub(super) struct ObjectClass {
    pub(super) record: RecordId,
    pub(super) constructor: Option<FunctionId>,
    pub(super) destructor: Option<FunctionId>,
}

/// Definitions before the model, each under its name and in the order of names.
#[derive(Default)]
pub(super) struct Definitions {
    pub(super) enumerations: Vec<EnumerationId>,
    pub(super) records: Vec<RecordId>,
    pub(super) objects: Vec<ObjectClass>,
    pub(super) functions: Vec<FunctionId>,
    enumeration_names: HashMap<EnumerationId, String>,
    record_names: HashMap<RecordId, String>,
    function_names: HashMap<FunctionId, String>,
    /// Identifiers of the variables of the model.
    variables: HashSet<String>,
}

impl Definitions {
    pub(super) fn of(flat: &Flat) -> Definitions {
        let mut used = Used::new(&flat.tables);
        used.model(flat);
        let mut names = Names::default();
        names.unique(identifier(&flat.name)); // that of the model
        let mut definitions = Definitions {
            variables: flat.variables.iter().map(|variable| variable.name.identifier()).collect(),
            ..Definitions::default()
        };
        let Used { tables, enumerations, records, objects, functions, .. } = used;
        for id in enumerations {
            let name = &tables.enumeration(id).name;
            if PREDEFINED.contains(&name.as_str()) {
                definitions.enumeration_names.insert(id, name.to_string());
            } else {
                definitions.enumeration_names.insert(id, names.unique(identifier(name)));
                definitions.enumerations.push(id);
            }
        }
        for &id in records.iter().chain(objects.iter().map(|object| &object.record)) {
            definitions.record_names.insert(id, names.unique(identifier(&tables.record(id).name)));
        }
        for object in &objects {
            // objects are made by the name of their class
            let name = definitions.record_names[&object.record].clone();
            let own = object.constructor.iter().chain(&object.destructor);
            definitions.function_names.extend(own.map(|&function| (function, name.clone())));
        }
        for id in functions {
            if let Entry::Vacant(place) = definitions.function_names.entry(id) {
                place.insert(names.unique(identifier(&tables.function(id).name)));
                definitions.functions.push(id);
            }
        }
        definitions.records = records;
        definitions.objects = objects;
        definitions.sort();
        definitions
    }

    fn sort(&mut self) {
        self.enumerations.sort_by_key(|id| &self.enumeration_names[id]);
        self.records.sort_by_key(|id| &self.record_names[id]);
        self.objects.sort_by_key(|object| &self.record_names[&object.record]);
        self.functions.sort_by_key(|id| &self.function_names[id]);
    }

    pub(super) fn enumeration(&self, id: EnumerationId) -> Option<&str> {
        self.enumeration_names.get(&id).map(String::as_str)
    }

    pub(super) fn record(&self, id: RecordId) -> Option<&str> {
        self.record_names.get(&id).map(String::as_str)
    }

    pub(super) fn function(&self, id: FunctionId) -> Option<&str> {
        self.function_names.get(&id).map(String::as_str)
    }

    /// Whether a variable of the model is called so.
    pub(super) fn is_variable(&self, identifier: &str) -> bool {
        self.variables.contains(identifier)
    }
}

/// Names given so far.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    fn unique(&mut self, wanted: String) -> String {
        let inner = wanted.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(&wanted);
        let numbered = (2..).map(|number| format!("'{inner}#{number}'"));
        let free = std::iter::once(wanted.clone()).chain(numbered).find(|name| !self.0.contains(name));
        let free = free.expect("numbers do not end");
        self.0.insert(free.clone());
        free
    }
}

/// The types and functions used, in the order in which they are met.
struct Used<'a> {
    tables: &'a Tables,
    enumerations: Vec<EnumerationId>,
    records: Vec<RecordId>,
    objects: Vec<ObjectClass>,
    functions: Vec<FunctionId>,
    seen: HashSet<Scalar>,
    seen_functions: HashSet<FunctionId>,
    by_name: HashMap<&'a str, FunctionId>,
}

impl<'a> Used<'a> {
    fn new(tables: &'a Tables) -> Self {
        let numbered = tables.functions.iter().enumerate().rev();
        Used {
            tables,
            enumerations: Vec::new(),
            records: Vec::new(),
            objects: Vec::new(),
            functions: Vec::new(),
            seen: HashSet::new(),
            seen_functions: HashSet::new(),
            by_name: numbered.map(|(id, function)| (function.name.as_str(), FunctionId(id as u32))).collect(),
        }
    }

    fn model(&mut self, flat: &'a Flat) {
        for variable in &flat.variables {
            self.scalar(variable.ty.scalar);
            variable.attributes.expressions().for_each(|(_, e)| self.expression(e));
            variable.binding.iter().for_each(|e| self.expression(e));
        }
        for equation in flat.initial.iter().chain(&flat.equations) {
            equation.walk_expressions(&mut |e| self.expression(e));
        }
        for algorithm in flat.initial_algorithms.iter().chain(&flat.algorithms) {
            algorithm.loops.iter().for_each(|iteration| self.expression(&iteration.range));
            for statement in &algorithm.statements {
                statement.walk_expressions(&mut |e| self.expression(e));
            }
        }
        let mut next = 0;
        while let Some(&id) = self.functions.get(next) {
            self.function(self.tables.function(id));
            next += 1;
        }
    }

    fn scalar(&mut self, scalar: Scalar) {
        if !self.seen.insert(scalar) {
            return;
        }
        match scalar {
            Scalar::Enumeration(id) => self.enumerations.push(id),
            Scalar::Record(id) => {
                self.records.push(id);
                self.tables.record(id).fields.iter().for_each(|field| self.scalar(field.ty.scalar));
            }
            Scalar::ExternalObject(record) => {
                let name = &self.tables.record(record).name;
                let [constructor, destructor] = ["constructor", "destructor"]
                    .map(|function| self.by_name.get(format!("{name}.{function}").as_str()).copied());
                self.objects.push(ObjectClass { record, constructor, destructor });
                constructor.into_iter().chain(destructor).for_each(|id| self.call(id));
            }
            _ => {}
        }
    }

    fn call(&mut self, id: FunctionId) {
        if self.seen_functions.insert(id) {
            self.functions.push(id);
        }
    }

    fn function(&mut self, function: &'a Function) {
        for local in &function.locals {
            self.scalar(local.ty.scalar);
            local.interface.iter().for_each(|&id| self.call(id));
        }
        function.walk_expressions(&mut |e| self.expression(e));
        function.derivatives.iter().for_each(|derivative| self.call(derivative.function));
        function.inverses.iter().for_each(|inverse| self.call(inverse.function));
    }

    fn expression(&mut self, e: &'a Expr) {
        use crate::ExprKind as K;
        self.scalar(e.ty.scalar);
        match &e.kind {
            K::Apply(id, _) | K::Function(id, _) => self.call(*id),
            K::Record(id, _) => self.scalar(Scalar::Record(*id)),
            _ => {}
        }
        let has_subscripts = matches!(e.kind, K::Variable(..) | K::Index(..));
        for part in e.parts() {
            // as a subscript, a literal is written as its number
            if !has_subscripts || !matches!(part.kind, K::Enumeration(..)) {
                self.expression(part);
            }
        }
    }
}
