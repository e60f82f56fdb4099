//! Constants and parameters, each after what its binding needs.

use rhei_equations::{Equations, Kind, Pool, VarId};
use rhei_solvable::{Assignment, Block, Cause};
use rhei_source::{Diagnostic, not_supported_yet};

use crate::{diagnose, strong_components};

/// A block for every constant and parameter; a parameter without binding has its start value.
pub(crate) fn order_parameters(
    equations: &Equations,
    pool: &mut Pool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<Block>> {
    let variables: Vec<VarId> =
        equations.iter_variables().filter(|(_, variable)| !variable.is_unknown()).map(|(v, _)| v).collect();
    let mut place_of = vec![None; equations.variables.len()];
    variables.iter().enumerate().for_each(|(place, v)| place_of[v.index()] = Some(place));

    let mut complete = true;
    let mut values = Vec::new();
    for &v in &variables {
        let variable = equations.variable(v);
        // `fixed` is true for parameters unless the model says otherwise; without binding it must have come from a start value
        if variable.kind == Kind::Parameter && !variable.fixed {
            complete = false;
            let what = format!(
                "`{}` with `fixed=false`, a parameter to be found from initial equations,",
                variable.name
            );
            diagnostics.extend(variable.origin.span.map(|span| not_supported_yet(what, span)));
        } else if variable.binding.is_none() {
            diagnostics.push(diagnose::parameter_without_value(variable, &equations.notation()));
        }
        let zero = pool.number(0.0);
        let value = variable.binding.or(variable.start);
        values.push(value.unwrap_or(zero));
    }

    let depends_on: Vec<Vec<usize>> = values
        .iter()
        .map(|&value| pool.variables_of(value).into_iter().filter_map(|v| place_of[v.index()]).collect())
        .collect();
    let mut blocks = Vec::new();
    for component in strong_components(&depends_on) {
        let place = component[0];
        if component.len() > 1 || depends_on[place].contains(&place) {
            complete = false;
            let cycle: Vec<VarId> = component.iter().map(|&place| variables[place]).collect();
            diagnostics.push(diagnose::cyclic_bindings(equations, &cycle));
        }
        let target = variables[place];
        let because = Cause::Binding(target);
        blocks.push(Block::Assign(Assignment { target, value: values[place], because }));
    }
    complete.then_some(blocks)
}
