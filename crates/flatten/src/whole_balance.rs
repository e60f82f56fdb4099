//! The balance of a whole model, for those that are not taken apart into scalar equations: there the matching of equations
//! and unknowns tells more.

use rhei_flat::{Flat, VarId};
use rhei_source::Diagnostic;
use rustc_hash::FxHashSet;

use crate::balance::{expressions_of, mentioned};
use crate::count::{Counter, collect_assigned, is_unknown};
use crate::imbalance::{Node, System};
use crate::known_values::KnownValues;
use crate::mistake::Mistake;

/// The error if a flat model has not as many equations as unknowns; nothing if that cannot be counted.
pub fn check_whole_balance(flat: &Flat) -> Option<Diagnostic> {
    let system = system_of(flat)?;
    let (equations, unknowns) = (system.equations(), system.unknowns());
    if equations == unknowns {
        return None;
    }
    let part = system.unbalanced_part();
    let named = |v: &VarId| (flat.variable(*v).name.to_string(), flat.variable(*v).span);
    let mistake = Mistake::WholeUnbalanced {
        class: flat.name.clone(),
        equations,
        unknowns,
        named: part.unknowns.iter().map(named).collect(),
        places: part.equations,
    };
    Some(mistake.into())
}

fn system_of(flat: &Flat) -> Option<System> {
    let values = KnownValues::new(&flat.variables, &flat.tables);
    let counter = Counter { values: &values, tables: &flat.tables };
    let mut system = System::default();
    for (v, variable) in flat.iter_variables().filter(|(_, variable)| is_unknown(variable)) {
        let scalars = counter.scalars(&variable.ty);
        system.unknown(v, scalars);
        if variable.binding.is_some() {
            let mentioned = std::iter::once(v).chain(mentioned(variable.binding.iter())).collect();
            system.equation(Node { mentioned, scalars, span: Some(variable.span) });
        }
    }
    for equation in &flat.equations {
        let scalars = counter.equation(equation).ok()?;
        let mentioned = mentioned(expressions_of(equation).into_iter());
        system.equation(Node { mentioned, scalars, span: Some(equation.span) });
    }
    for algorithm in &flat.algorithms {
        let mut assigned = FxHashSet::default();
        collect_assigned(&algorithm.statements, &mut assigned);
        let mut assigned: Vec<VarId> = assigned.into_iter().collect();
        assigned.sort_unstable();
        for v in assigned {
            let scalars = counter.scalars(&flat.variable(v).ty);
            system.equation(Node { mentioned: vec![v], scalars, span: Some(algorithm.span) });
        }
    }
    Some(system)
}
