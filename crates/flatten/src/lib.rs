//! Instances to the flat model: connections become equations (MLS §9 and §15).
//!
//! In: an [`Instance`]. Out: a [`Flat`] with one variable per component of a built-in type, its equations, and those that
//! follow from connections.
//!
//! | file | what |
//! |---|---|
//! | `tree`, `known_values` | components with their places, parameters with their values |
//! | `expandable`, `member_sizes`, `presence`, `absent_members` | members of buses: added, as large as wanted, found to be there or not, left out |
//! | `check_connectors` | connectors as they must be |
//! | `sides`, `match_connectors`, `outer_connections`, `connect` | connections to pairs of elements |
//! | `connection_sets`, `connection_equations`, `parameter_assertions`, `array_equations` | what is connected, its equations, whole arrays of them |
//! | `overconstrained`, `streams` | connection graphs; what flows in |
//! | `operands`, `replace_operators` | operators that ask about connections |
//! | `count`, `balance`, `whole_balance`, `imbalance` | scalars of a model; components, and models, with too many or too few equations, and which |

mod absent_members;
mod array_equations;
mod balance;
mod check_connectors;
mod connect;
mod connection_equations;
mod connection_sets;
mod count;
mod expandable;
mod imbalance;
mod known_values;
mod match_connectors;
mod member_sizes;
mod mistake;
mod operands;
mod outer_connections;
mod overconstrained;
mod parameter_assertions;
mod presence;
mod replace_operators;
mod sides;
mod streams;
mod tree;
mod union_find;
mod whole_balance;

use std::borrow::Cow;

use rhei_flat::{Equation, Flat, Name, VarId, Variable};
use rhei_instance::{Connection, Instance, Sections};
use rhei_source::Diagnostic;

use crate::absent_members::{absent_variables, drop_absent, map_values};
use crate::balance::check_balance;
use crate::check_connectors::check_connectors;
use crate::connect::connect;
use crate::connection_equations::connection_equations;
pub use crate::count::{Counts, is_unknown};
use crate::expandable::expand_connectors;
use crate::known_values::KnownValues;
pub use crate::mistake::Mistake;
use crate::overconstrained::{read_statements, span_trees};
use crate::parameter_assertions::parameter_assertions;
use crate::replace_operators::{Operators, has_operators, mark_structural};
use crate::streams::Streams;
use crate::tree::Tree;
pub use crate::whole_balance::check_whole_balance;

/// The result of flattening an instance.
#[derive(Clone, Debug)]
pub enum Flattened {
    /// Its flat model.
    Whole(Flat),
    /// Its flat model, which can be looked at, but not solved: the diagnostics tell of components without balance.
    Unbalanced(Flat),
    /// Nothing; the diagnostics hold an error.
    Refused,
}

impl Flattened {
    /// The flat model, where there is one.
    pub fn flat(self) -> Option<Flat> {
        match self {
            Flattened::Whole(flat) | Flattened::Unbalanced(flat) => Some(flat),
            Flattened::Refused => None,
        }
    }

    /// The same where it can be solved.
    pub fn whole(self) -> Option<Flat> {
        match self {
            Flattened::Whole(flat) => Some(flat),
            Flattened::Unbalanced(_) | Flattened::Refused => None,
        }
    }
}

/// The flat model of an instance.
pub fn flatten(instance: Instance) -> (Flattened, Vec<Diagnostic>) {
    let (mut mistakes, mut unbalanced) = (Vec::new(), Vec::new());
    let flat = connected(instance, &mut mistakes, &mut unbalanced);
    let is_refused = mistakes.iter().any(Mistake::refuses);
    let mut diagnostics: Vec<Diagnostic> = mistakes.into_iter().map(Diagnostic::from).collect();
    if is_refused {
        return (Flattened::Refused, diagnostics);
    }
    debug_assert_eq!(flat.verify(), Ok(()));
    let flattened = if unbalanced.is_empty() { Flattened::Whole(flat) } else { Flattened::Unbalanced(flat) };
    diagnostics.extend(unbalanced.into_iter().map(Diagnostic::from));
    (flattened, diagnostics)
}

fn connected(instance: Instance, mistakes: &mut Vec<Mistake>, unbalanced: &mut Vec<Mistake>) -> Flat {
    let Instance { class, description, components, variables, sections, tables, .. } = instance;
    let Sections { connections, .. } = &sections;
    let values = KnownValues::new(&variables, &tables);
    let mut tree = Tree::new(&components, &variables);
    check_connectors(&tree, &tables, mistakes);
    expand_connectors(&mut tree, &values, connections, mistakes);
    let mut connected = connect(&tree, &tables, &values, connections, mistakes);
    connected.presence.finish(&tree, &sections, mistakes);

    let statements = read_statements(&tree, &values, &sections.equations, mistakes);
    let graph = span_trees(&tree, &statements, &connected.edges, connections, mistakes);
    let mut equations = connection_equations(&tree, connections, &mut connected, mistakes);
    equations.extend(graph.equations(&tree, &tables, connections, mistakes));
    equations.extend(parameter_assertions(&tree, connections, &connected.parameters));

    let cardinality = std::mem::take(&mut connected.cardinality);
    let mut streams = Streams { tree: &tree, values: &values, sets: &mut connected.sets };
    match streams.outside_equations(connections) {
        Ok(outside) => equations.extend(outside),
        Err(mistake) => mistakes.push(mistake),
    }
    let mut operators = Operators {
        tree: &tree,
        values: &values,
        streams,
        graph: &graph,
        cardinality: &cardinality,
        mistakes: Vec::new(),
    };
    let (mut sections, connections) = answered(sections, &mut operators, equations);
    let answers = answered_values(&tree.variables, &mut operators);
    mistakes.append(&mut operators.mistakes);

    if mistakes.is_empty() {
        *unbalanced = check_balance(&tree, &tables, &sections, &connections);
    }
    let absent = absent_variables(&tree, &mut connected.presence);
    let used = values.into_used();
    // those of the instance, unless connections added some
    let added = match tree.variables {
        Cow::Owned(variables) => Some(variables),
        Cow::Borrowed(_) => None,
    };
    let mut variables = added.unwrap_or(variables);
    for (v, variable) in answers {
        variables[v.index()] = variable;
    }
    mark_structural(&mut variables, used);
    drop_absent(&absent, &mut variables, &mut sections);
    if instance.names_are_paths {
        read_paths(&mut variables);
    }
    Flat {
        name: class.to_string(),
        description,
        variables,
        equations: sections.equations,
        initial: sections.initial,
        algorithms: sections.algorithms,
        initial_algorithms: sections.initial_algorithms,
        tables,
        experiment: instance.experiment,
    }
}

/// Gives variables the paths that the text of a flat model has as their names. A model with components is no such text.
fn read_paths(variables: &mut [Variable]) {
    if variables.iter().all(|variable| variable.name.parts.len() == 1) {
        for variable in variables {
            variable.name = Name::of_identifier(&variable.name.parts[0].name, variable.ty.dimensions());
        }
    }
}

/// The sections of the instance with the operators about connections evaluated, and with the equations of
/// connections; its connections.
fn answered(
    mut sections: Sections,
    operators: &mut Operators<'_>,
    connection_equations: Vec<Equation>,
) -> (Sections, Vec<Connection>) {
    let connections = std::mem::take(&mut sections.connections);
    sections.equations = operators.equations(sections.equations);
    sections.initial = operators.equations(sections.initial);
    sections.change_expressions(&mut |e| {
        // most expressions ask nothing, and some are large: a record with hundreds of fields for every call
        if has_operators(e) {
            e.change(&mut |e| operators.expression(e));
        }
    });
    sections.equations.reserve_exact(connection_equations.len());
    sections.equations.extend(connection_equations);
    (sections, connections)
}

/// The variables in whose values operators about connections stand, these answered: few have any.
fn answered_values(variables: &[Variable], operators: &mut Operators<'_>) -> Vec<(VarId, Variable)> {
    let mut answers = Vec::new();
    for (i, variable) in variables.iter().enumerate() {
        let mut values = variable.binding.iter().chain(variable.attributes.expressions().map(|(_, e)| e));
        if values.any(has_operators) {
            let mut answered = variable.clone();
            map_values(&mut answered, &mut |e| operators.expression(e));
            answers.push((VarId(i as u32), answered));
        }
    }
    answers
}
