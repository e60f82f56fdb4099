//! Constants and parameters, each after those in its binding.

use rhei_equations::{Dae, Kind, Pool, VarId};
use rhei_solvable::{Assignment, Block, Cause};
use rhei_source::Diagnostic;

use crate::{diagnose, strong_components};

/// How constants and parameters are computed.
pub(crate) struct Parameters {
    /// Before the start.
    pub(crate) blocks: Vec<Block>,
    /// Those computed at the start only: `fixed=false`, and those that depend on such.
    pub(crate) unfixed: Vec<VarId>,
}

/// A block for every constant and parameter; a parameter without binding has its start value.
pub(crate) fn order_parameters(
    equations: &Dae,
    pool: &mut Pool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Parameters> {
    let variables: Vec<VarId> =
        equations.iter_variables().filter(|(_, variable)| variable.is_parameter()).map(|(v, _)| v).collect();
    let mut place_of = vec![None; equations.variables.len()];
    variables.iter().enumerate().for_each(|(place, v)| place_of[v.index()] = Some(place));

    let mut values = Vec::new();
    for &v in &variables {
        let variable = equations.variable(v);
        let is_given = variable.is_given_from_outside();
        if variable.binding.is_none() && !is_given && (variable.fixed || variable.kind == Kind::Constant) {
            diagnostics.push(diagnose::parameter_without_value(variable, &equations.notation_in(pool)));
        }
        let nothing = match variable.scalar {
            rhei_equations::Scalar::Boolean => pool.truth(false),
            _ => pool.number(0.0),
        };
        let value = variable.binding.or(variable.start);
        values.push(value.unwrap_or(nothing));
    }

    let depends_on: Vec<Vec<usize>> = values
        .iter()
        .map(|&value| pool.variables_of(value).into_iter().filter_map(|v| place_of[v.index()]).collect())
        .collect();
    let mut complete = true;
    let mut is_unfixed = vec![false; variables.len()];
    let mut parameters = Parameters { blocks: Vec::new(), unfixed: Vec::new() };
    for component in strong_components(depends_on.len(), |i| &depends_on[i]) {
        let place = component[0];
        if component.len() > 1 || depends_on[place].contains(&place) {
            complete = false;
            let cycle: Vec<VarId> = component.iter().map(|&place| variables[place]).collect();
            diagnostics.push(diagnose::cyclic_bindings(equations, &cycle));
        }
        let target = variables[place];
        let variable = equations.variable(target);
        // an input is given from outside, and nothing has to find it
        let is_given = variable.is_given_from_outside();
        let is_open =
            variable.kind == Kind::Parameter && !variable.fixed && variable.binding.is_none() && !is_given;
        if is_open || depends_on[place].iter().any(|&before| is_unfixed[before]) {
            is_unfixed[place] = true;
            parameters.unfixed.push(target);
            continue;
        }
        let because = Cause::Binding(target);
        parameters.blocks.push(Block::Assign(Assignment { target, value: values[place], because }));
    }
    parameters.unfixed.sort_unstable();
    complete.then_some(parameters)
}
