//! Local balance (MLS §4.8): every model or block used as a component has as many equations as it has unknowns.
//!
//! From outside a component are given the flows and inputs of its public connectors, and its other public inputs; it must
//! determine all else. In turn it determines the flows and inputs of its own components. An equation missing or too many
//! is then found where it was forgotten, and not only somewhere in the whole model.
//!
//! Not looked at are components whose connectors do not determine by themselves which variables are given from
//! outside: expandable and overdetermined ones, and those that are connected through `outer`.

use rhei_flat::{Algorithm, Causality, Equation, EquationKind, Expr, ExprKind, Tables, VarId, Variable};
use rhei_instance::{ComponentId, ComponentKind, Connection, Flowing, Sections};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::count::{Counter, collect_assigned, is_unknown};
use crate::imbalance::{Node, System};
use crate::known_values::KnownValues;
use crate::mistake::Mistake;
use crate::tree::Tree;

/// Checks all components that are models or blocks, but not the model itself; each class is blamed once.
pub(crate) fn check_balance(
    tree: &Tree,
    tables: &Tables,
    sections: &Sections,
    connections: &[Connection],
) -> Vec<Mistake> {
    let values = KnownValues::new(&tree.variables, tables);
    let check = Check {
        tree,
        counter: Counter { values: &values, tables },
        equations: by_model(tree, &sections.equations, |equation| &equation.component),
        algorithms: by_model(tree, &sections.algorithms, |algorithm| &algorithm.component),
        variables: variables_of_models(tree),
        bound_records: bound_records(tree, &sections.equations),
    };
    let skipped = connected_through_outer(tree, connections);
    let mut blamed: FxHashSet<SmolStr> = FxHashSet::default();
    let mut mistakes = Vec::new();
    for (i, component) in tree.components.iter().enumerate().skip(1) {
        let id = ComponentId(i as u32);
        if !component.is_model || skipped.contains(&id) || blamed.contains(&component.class) {
            continue;
        }
        if let Some(mistake) = check.component(id) {
            blamed.insert(component.class.clone());
            mistakes.push(mistake);
        }
    }
    mistakes
}

/// Items grouped by the model they belong to.
struct ByModel<T> {
    all: Vec<T>,
    /// By component, where its part ends.
    ends: Vec<u32>,
}

impl<T: Copy> ByModel<T> {
    fn new(tree: &Tree, all: impl Iterator<Item = T>, model_of: impl Fn(T) -> ComponentId) -> ByModel<T> {
        let mut placed: Vec<(ComponentId, T)> = all.map(|item| (model_of(item), item)).collect();
        placed.sort_by_key(|(model, _)| *model);
        let mut ends = vec![0; tree.components.len()];
        placed.iter().for_each(|(model, _)| ends[model.0 as usize] += 1);
        let mut end = 0;
        for place in &mut ends {
            end += *place;
            *place = end;
        }
        ByModel { all: placed.into_iter().map(|(_, item)| item).collect(), ends }
    }

    fn of(&self, model: ComponentId) -> &[T] {
        let place = model.0 as usize;
        let begin = if place > 0 { self.ends[place - 1] } else { 0 };
        &self.all[begin as usize..self.ends[place] as usize]
    }
}

fn by_model<'a, T>(tree: &Tree, list: &'a [T], component: impl Fn(&T) -> &SmolStr) -> ByModel<&'a T> {
    ByModel::new(tree, list.iter(), |item| {
        let written_in = tree.at(component(item));
        let is_model = tree.component(written_in).is_model;
        if is_model { written_in } else { model_of(tree, written_in) }
    })
}

/// Records with a value as a whole: it stands as an equation in the record.
fn bound_records(tree: &Tree, equations: &[Equation]) -> FxHashSet<ComponentId> {
    let places = equations.iter().map(|equation| tree.at(&equation.component));
    places.filter(|id| !tree.component(*id).is_model).collect()
}

/// The model or block that a component belongs to.
fn model_of(tree: &Tree, id: ComponentId) -> ComponentId {
    let around = tree.outwards(id).skip(1);
    around.into_iter().find(|around| tree.component(*around).is_model).unwrap_or(ComponentId(0))
}

fn variables_of_models(tree: &Tree) -> ByModel<VarId> {
    let all = (0..tree.variables.len()).map(|i| VarId(i as u32));
    ByModel::new(tree, all, |v| model_of(tree, tree.component_of(v)))
}

/// Components on the way between a connection and a connector that is not below it.
fn connected_through_outer(tree: &Tree, connections: &[Connection]) -> FxHashSet<ComponentId> {
    let mut skipped = FxHashSet::default();
    for connection in connections {
        let owner = tree.at(&connection.component);
        for side in [&connection.left, &connection.right] {
            if !tree.is_around(owner, side.component) {
                skipped.extend(tree.outwards(owner));
                skipped.extend(tree.outwards(side.component));
            }
        }
    }
    skipped
}

/// Role of a variable in the interface of the model it belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// Given from outside: a flow or input of a public connector, or another public input without a value.
    Given,
    /// A part of a public connector that is not given.
    Offered,
    Hidden,
}

/// Whether only numbers are compared, or also which equation holds which unknown: that is done if the numbers
/// differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Counts,
    Names,
}

impl Detail {
    fn of(self, mentioned: impl FnOnce() -> Vec<VarId>) -> Vec<VarId> {
        if self == Detail::Names { mentioned() } else { Vec::new() }
    }
}

struct Check<'a> {
    tree: &'a Tree<'a>,
    counter: Counter<'a>,
    equations: ByModel<&'a Equation>,
    algorithms: ByModel<&'a Algorithm>,
    variables: ByModel<VarId>,
    bound_records: FxHashSet<ComponentId>,
}

impl Check<'_> {
    fn component(&self, id: ComponentId) -> Option<Mistake> {
        let counted = self.system(id, Detail::Counts)?;
        let (equations, unknowns) = (counted.equations(), counted.unknowns());
        if equations == unknowns {
            return None;
        }
        let system = self.system(id, Detail::Names)?;
        let component = self.tree.component(id);
        let part = system.unbalanced_part();
        let name_of = |v: &VarId| (self.tree.variable(*v).name.to_string(), self.tree.variable(*v).span);
        Some(Mistake::LocallyUnbalanced {
            component: self.tree.name(id),
            class: component.class.to_string(),
            equations,
            unknowns,
            named: part.unknowns.iter().map(name_of).collect(),
            places: part.equations,
            span: component.span,
        })
    }

    /// The unknowns and equations of a component with those of its connectors, and of the connectors of its components.
    fn system(&self, id: ComponentId, detail: Detail) -> Option<System> {
        let mut system = System::default();
        for &v in self.variables_of(id) {
            let scalars = self.unknown_scalars(v);
            system.unknown(v, scalars);
            let seen = self.seen(v, id)?;
            let variable = self.tree.variable(v);
            if has_equation(variable) {
                let mentioned =
                    detail.of(|| std::iter::once(v).chain(mentioned(variable.binding.iter())).collect());
                system.equation(Node { mentioned, scalars, span: Some(variable.span) });
            }
            if seen == Seen::Given {
                let mentioned = detail.of(|| self.given_with(v, id));
                system.equation(Node { mentioned, scalars, span: None });
            }
        }
        for part in self.models_in(id) {
            self.add_part(&mut system, part)?;
        }
        self.add_written(&mut system, id, detail)?;
        Some(system)
    }

    /// Unknowns that the equation from outside may determine: for a flow, it can as well be the potential that
    /// goes with it.
    fn given_with(&self, v: VarId, model: ComponentId) -> Vec<VarId> {
        let component = self.tree.component_of(v);
        let connector = self.tree.outwards(component).take_while(|around| *around != model).last();
        match connector.filter(|_| self.tree.flowing(component) == Flowing::Flow) {
            None => vec![v],
            Some(connector) => {
                let in_connector = |v: &VarId| {
                    self.tree.outwards(self.tree.component_of(*v)).any(|around| around == connector)
                };
                self.variables_of(model).iter().copied().filter(in_connector).collect()
            }
        }
    }

    /// A component of the component: it determines the offered variables from the given ones.
    fn add_part(&self, system: &mut System, part: ComponentId) -> Option<()> {
        let mut offered = 0;
        let mut connectors = Vec::new();
        for &v in self.variables_of(part) {
            let scalars = self.unknown_scalars(v);
            match self.seen(v, part)? {
                Seen::Hidden => continue,
                Seen::Offered => offered += scalars,
                Seen::Given => {}
            }
            system.unknown(v, scalars);
            connectors.push(v);
        }
        system.equation(Node { mentioned: connectors, scalars: offered, span: None });
        Some(())
    }

    /// The equations and algorithms that are written in a component, or made by its connections.
    fn add_written(&self, system: &mut System, id: ComponentId, detail: Detail) -> Option<()> {
        for equation in self.equations.of(id) {
            let scalars = self.counter.equation(equation).ok()?;
            let mentioned = detail.of(|| mentioned(expressions_of(equation).into_iter()));
            system.equation(Node { mentioned, scalars, span: Some(equation.span) });
        }
        let mut assigned = FxHashSet::default();
        for algorithm in self.algorithms.of(id) {
            collect_assigned(&algorithm.statements, &mut assigned);
        }
        for v in assigned {
            let scalars = self.counter.scalars(&self.tree.variable(v).ty);
            system.equation(Node { mentioned: vec![v], scalars, span: None });
        }
        Some(())
    }

    fn variables_of(&self, id: ComponentId) -> &[VarId] {
        self.variables.of(id)
    }

    /// The models and blocks directly in a component; those in records and connectors do not exist.
    fn models_in(&self, id: ComponentId) -> impl Iterator<Item = ComponentId> {
        self.tree.component(id).parts.iter().copied().filter(|part| self.tree.component(*part).is_model)
    }

    fn unknown_scalars(&self, v: VarId) -> usize {
        let variable = self.tree.variable(v);
        if is_unknown(variable) { self.counter.scalars(&variable.ty) } else { 0 }
    }

    /// How a variable of a model is seen from outside; `None` where its connector does not say.
    fn seen(&self, v: VarId, model: ComponentId) -> Option<Seen> {
        let tree = self.tree;
        let component = tree.component_of(v);
        let inside = || tree.outwards(component).take_while(|around| *around != model);
        let is_unclear = |id: ComponentId| {
            let around = tree.component(id);
            around.kind == ComponentKind::Expandable || around.equality_constraint.is_some()
        };
        if inside().any(is_unclear) {
            return None;
        }
        if inside().any(|id| tree.component(id).is_protected) {
            return Some(Seen::Hidden);
        }
        let in_connector = inside().any(|id| tree.component(id).kind == ComponentKind::Connector);
        let is_input = inside().any(|id| tree.component(id).causality == Some(Causality::Input));
        let is_bound = has_equation(tree.variable(v)) || inside().any(|id| self.bound_records.contains(&id));
        let is_given = if in_connector {
            is_input || tree.flowing(component) == Flowing::Flow
        } else {
            is_input && !is_bound
        };
        Some(match (is_given, in_connector) {
            (true, _) => Seen::Given,
            (false, true) => Seen::Offered,
            (false, false) => Seen::Hidden,
        })
    }
}

/// Whether the declaration of a variable holds an equation for it.
fn has_equation(variable: &Variable) -> bool {
    variable.binding.as_ref().is_some_and(|binding| !binding.is_measurement())
}

/// The expressions of an equation and of those inside it; of a `when` only those of its equations, not its
/// conditions.
pub(crate) fn expressions_of(equation: &Equation) -> Vec<&Expr> {
    fn all(body: &[Equation]) -> Vec<&Expr> {
        body.iter().flat_map(expressions_of).collect()
    }
    match &equation.kind {
        EquationKind::Equal(a, b) => vec![a, b],
        EquationKind::Results(results, call) => results.iter().flatten().chain([call]).collect(),
        EquationKind::Call(_) => Vec::new(),
        EquationKind::For(_, body) => all(body),
        EquationKind::If(branches, otherwise) => {
            let mut found = all(otherwise);
            for (condition, body) in branches {
                found.push(condition);
                found.extend(all(body));
            }
            found
        }
        EquationKind::When(branches) => branches.iter().flat_map(|branch| all(&branch.equations)).collect(),
    }
}

/// The variables in expressions.
pub(crate) fn mentioned<'e>(expressions: impl Iterator<Item = &'e Expr>) -> Vec<VarId> {
    let mut found = Vec::new();
    for e in expressions {
        e.walk(&mut |part| {
            if let ExprKind::Variable(v, _) = &part.kind {
                found.push(*v);
            }
        });
    }
    found
}
