//! Inverse models: inputs computed from given outputs.
//!
//! In: a model with inputs, and which of its variables are given instead. Out: how often each of those has to be differentiated,
//! its relative degree. A variable that is given is an equation `y = g(t)`; as often as index reduction differentiates that
//! equation, as often the derivative of `g` is needed.

use rhei_equations::{Equation, Equations, Kind, VarId, Variable};
use rhei_source::Diagnostic;

use crate::chains::Chains;
use crate::diagnose::{at_equations, listed};
use crate::pantelides::pantelides;
use crate::{Matching, diagnose, vanishing};

/// How often each of the `given` variables is differentiated where the inputs `computed` are unknown. Further inputs that are
/// given stand among `given`, too.
pub fn relative_degrees(
    equations: &Equations,
    computed: &[VarId],
    given: &[VarId],
) -> Result<Vec<u32>, Box<Diagnostic>> {
    let first = equations.equations.len();
    let turned = turned_round(equations, computed, given);
    let turned = &*vanishing::without_vanishing(&turned);
    let chains = Chains::continuous(turned);
    let matching = Matching::maximum(&chains.graph);
    if !matching.is_perfect() {
        return Err(Box::new(not_invertible(turned, &chains, &matching, computed, given, first)));
    }
    let asked: Vec<u32> = chains.members.iter().map(|members| members.len() as u32 - 1).collect();
    let offsets = pantelides(&chains.orders, &asked)
        .map_err(|too_high| Box::new(diagnose::index_too_high(turned, chains.equations[too_high.row])))?;
    let row_of = |place: usize| chains.equations.iter().position(|e| e.index() == first + place);
    Ok((0..given.len()).map(|place| row_of(place).map_or(0, |row| offsets.rows[row])).collect())
}

/// The model with inputs as unknowns, and an equation behind its own for each variable that is given.
fn turned_round(equations: &Equations, computed: &[VarId], given: &[VarId]) -> Equations {
    let mut turned = equations.clone();
    for v in computed.iter().chain(given) {
        let variable = &mut turned.variables[v.index()];
        // inputs of the whole model are parameters of its run
        if variable.kind == Kind::Parameter {
            variable.kind = Kind::Unknown;
        }
    }
    for &v in given {
        let name = format!("what `{}` shall be", equations.variable(v).name);
        turned.variables.push(Variable { is_hidden: true, ..Variable::new(name, Kind::Given) });
        let target = VarId(turned.variables.len() as u32 - 1);
        let (lhs, rhs) = (turned.pool.variable(v), turned.pool.variable(target));
        let origin = equations.variable(v).origin();
        turned.equations.push(Equation::new(lhs, rhs, origin));
    }
    turned
}

/// Inputs that do not act on the given outputs, or not independently.
fn not_invertible(
    equations: &Equations,
    chains: &Chains,
    matching: &Matching,
    computed: &[VarId],
    given: &[VarId],
    first: usize,
) -> Diagnostic {
    let (over, under) = (chains.graph.overdetermined(matching), chains.graph.underdetermined(matching));
    let names = |variables: Vec<VarId>| {
        let names: Vec<&str> = variables.iter().map(|&v| equations.variable(v).name.as_str()).collect();
        listed(names.into_iter())
    };
    let free: Vec<VarId> = computed
        .iter()
        .copied()
        .filter(|&v| under.columns.iter().any(|&c| chains.variable(c) == v))
        .collect();
    let rows: Vec<usize> = over.rows.iter().map(|&row| chains.equations[row].index()).collect();
    let tied: Vec<VarId> =
        rows.iter().filter_map(|row| given.get(row.checked_sub(first)?)).copied().collect();
    let message = match (tied.as_slice(), free.is_empty()) {
        ([], _) | (_, true) => {
            format!("{} cannot be computed from {}", names(computed.to_vec()), names(given.to_vec()))
        }
        ([one], false) => format!(
            "{} cannot be computed: `{}` does not depend on {}",
            names(free.clone()),
            equations.variable(*one).name,
            if free.len() == 1 { "it" } else { "them" }
        ),
        (_, false) => format!(
            "{} cannot be computed: {} do not depend on what is free in ways of their own",
            names(free.clone()),
            names(tied.clone())
        ),
    };
    let between = rows.iter().filter(|&&row| row < first).map(|&row| &equations.equations[row]);
    at_equations(Diagnostic::error("not-invertible", message), between, &equations.notation()).with_note(
        "what an input does at events, or by way of whole numbers and truth values, cannot be turned round",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use rhei_equations::read;

    /// The degrees of the given variables, or the message.
    fn degrees(unknowns: &[&str], inputs: &[&str], rows: &str, given: &[&str]) -> Result<Vec<u32>, String> {
        let inputs_text: String = inputs.iter().map(|name| format!("  parameter {name}\n")).collect();
        let unknowns: String = unknowns.iter().map(|name| format!("  {name}\n")).collect();
        let model = read(&format!("model M\n{inputs_text}{unknowns}equation\n{rows}")).unwrap();
        let named = |model: &Equations, name: &str| model.variable_named(name).unwrap();
        let computed: Vec<VarId> = inputs.iter().map(|name| named(&model, name)).collect();
        let given: Vec<VarId> = given.iter().map(|name| named(&model, name)).collect();
        relative_degrees(&model, &computed, &given).map_err(|said| said.message.clone())
    }

    #[test]
    fn a_chain_is_differentiated_as_often_as_it_is_long() {
        let unknowns = ["unknown x", "derivative der(x)", "unknown v", "derivative der(v)"];
        let rows = "  der(x) = v\n  der(v) = u - x\n";
        assert_eq!(degrees(&unknowns, &["u"], rows, &["x"]), Ok(vec![2]));
        assert_eq!(degrees(&unknowns, &["u"], rows, &["v"]), Ok(vec![1]));
    }

    #[test]
    fn a_direct_way_needs_no_derivative() {
        let unknowns = ["unknown x", "derivative der(x)", "unknown y"];
        let rows = "  der(x) = u - x\n  y = x + u\n";
        assert_eq!(degrees(&unknowns, &["u"], rows, &["y"]), Ok(vec![0]));
        assert_eq!(degrees(&unknowns, &["u"], rows, &["x"]), Ok(vec![1]));
    }

    #[test]
    fn several_inputs_are_inverted_together() {
        // y1 is reached by u1 at once, y2 only after two integrations of u2
        let unknowns = ["unknown a", "derivative der(a)", "unknown b", "derivative der(b)", "unknown y"];
        let rows = "  der(a) = b\n  der(b) = u2 - a\n  y = u1 + b\n";
        assert_eq!(degrees(&unknowns, &["u1", "u2"], rows, &["y", "a"]), Ok(vec![0, 2]));
    }

    #[test]
    fn what_is_not_reached_is_told() {
        let unknowns = ["unknown x", "derivative der(x)", "unknown z", "derivative der(z)"];
        let rows = "  der(x) = u - x\n  der(z) = -z\n";
        assert_eq!(
            degrees(&unknowns, &["u"], rows, &["z"]),
            Err("`u` cannot be computed: `z` does not depend on it".into())
        );
    }
}
