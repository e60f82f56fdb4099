//! Diagnostics of singular structures, in the modeller's words.

use rhei_equations::{
    Dae, EqId, Equation, Equations, ExprId, Node, Notation, Pool, Reinit, StateSelect, VarId, Variable,
};
use rhei_solvable::{Cause, StateSet, Surplus};
use rhei_source::Diagnostic;

use crate::blocks::System;
use crate::chains::Chains;
use crate::initial_problem::start_row;
use crate::physical_cause::fixed_twice;
use crate::singular_loops::{Dependent, Floating};
use crate::{Matching, Part};

/// So many equations or unknowns are named in one message; the rest is counted.
const NAMED: usize = 8;

/// `a`, `b` and `c`; names beyond [`NAMED`] are only counted.
pub(crate) fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let total = names.len();
    let mut quoted: Vec<String> = names.take(NAMED).map(|name| format!("`{name}`")).collect();
    if total > NAMED {
        quoted.push(format!("{} more", total - NAMED));
    }
    match quoted.pop() {
        Some(last) if quoted.is_empty() => last,
        Some(last) => format!("{} and {last}", quoted.join(", ")),
        None => String::new(),
    }
}

fn plural(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

/// The diagnostic with a label at each of these equations, as far as they are known places.
pub(crate) fn at_equations<'a>(
    mut diagnostic: Diagnostic,
    equations: impl Iterator<Item = &'a Equation>,
    notation: &Notation<'_>,
) -> Diagnostic {
    let mut left_out = 0;
    for equation in equations {
        match equation.origin.span {
            Some(span) if diagnostic.labels.len() < NAMED => {
                let text = notation.equation(equation);
                // one array equation is many scalar ones: it is marked once, with the first
                if diagnostic.labels.iter().all(|label| label.span != span) {
                    diagnostic = diagnostic.at(span, text);
                }
            }
            _ => left_out += 1,
        }
    }
    if left_out > 0 {
        diagnostic.with_note(format!("{} more not shown", plural(left_out, "equation")))
    } else {
        diagnostic
    }
}

/// The diagnostic with a label at each of these declarations.
pub(crate) fn at_variables(mut diagnostic: Diagnostic, equations: &Dae, variables: &[VarId]) -> Diagnostic {
    for &v in variables.iter().take(NAMED) {
        let variable = equations.variable(v);
        if let Some(span) = variable.span
            && diagnostic.labels.iter().all(|label| label.span != span)
        {
            diagnostic = diagnostic.at(span, format!("`{}`", variable.name));
        }
    }
    diagnostic
}

/// Too few or too many equations, or as many as there are unknowns but about the wrong ones.
pub(crate) fn unbalanced(equations: &Equations, chains: &Chains, matching: &Matching) -> Diagnostic {
    let (n_equations, n_unknowns) = (chains.graph.n_rows(), chains.graph.n_columns());
    let unknowns_of =
        |part: &Part| -> Vec<VarId> { part.columns.iter().map(|&c| chains.variable(c)).collect() };
    let names = |variables: &[VarId]| {
        let names: Vec<&str> = variables.iter().map(|&v| equations.variable(v).name.as_str()).collect();
        listed(names.into_iter())
    };
    let notation = equations.notation();
    let rows_of = |part: &Part| -> Vec<&Equation> {
        part.rows.iter().map(|&r| &equations.equations[chains.equations[r].index()]).collect()
    };

    let under = chains.graph.underdetermined(matching);
    let over = chains.graph.overdetermined(matching);
    let counted = format!("{} for {}", plural(n_equations, "equation"), plural(n_unknowns, "unknown"));
    let free = unknowns_of(&under);
    let share = |part: &Part, variables: &[VarId]| match part.rows.len() {
        0 => format!("no equation determines {}", names(variables)),
        n => format!(
            "only {} for the {} {}",
            plural(n, "equation"),
            plural(variables.len(), "unknown"),
            names(variables)
        ),
    };
    let clash = |part: &Part| {
        let tied = unknowns_of(part);
        let n = plural(part.rows.len(), "equation");
        match tied.len() {
            0 => format!("{n} without any unknown"),
            m => format!("{n} for the {} {}", plural(m, "unknown"), names(&tied)),
        }
    };
    if n_equations < n_unknowns {
        let diagnostic = Diagnostic::error(
            "too-few-equations",
            format!("`{}` has {counted}: {}", equations.name, share(&under, &free)),
        );
        at_variables(diagnostic, equations, &free)
            .with_note("add an equation, give the variable a binding, or declare it as a parameter")
    } else if n_equations > n_unknowns {
        let diagnostic = Diagnostic::error(
            "too-many-equations",
            format!("`{}` has {counted}: {}", equations.name, clash(&over)),
        );
        at_equations(diagnostic, rows_of(&over).into_iter(), &notation)
            .with_note("one of these equations must go, or another variable be left free")
    } else {
        let message =
            format!("the equations of `{}` do not determine its unknowns: {}", equations.name, clash(&over));
        let diagnostic = at_equations(
            Diagnostic::error("structurally-singular", message),
            rows_of(&over).into_iter(),
            &notation,
        );
        let diagnostic =
            at_variables(diagnostic, equations, &free).with_note(format!("while {}", share(&under, &free)));
        match fixed_twice(equations, chains, &over) {
            Some(cause) => diagnostic.with_note(cause),
            None => diagnostic,
        }
    }
}

/// Unknowns of which the equations know only differences.
pub(crate) fn floating(equations: &Dae, floating: &Floating) -> Diagnostic {
    let names: Vec<&str> = floating.unknowns.iter().map(|&v| equations.variable(v).name.as_str()).collect();
    let names = listed(names.into_iter());
    let message = match floating.components.as_slice() {
        [] => format!("only differences of {names} are determined: they may all be larger by any constant"),
        components => format!(
            "there is no ground, or other reference, for {}: only differences of {names} are determined",
            listed(components.iter().map(String::as_str))
        ),
    };
    at_variables(Diagnostic::error("structurally-singular", message), equations, &floating.unknowns)
        .with_note("connect one of them to a ground, or to something else of a known level")
}

/// Equations of a loop that say the same of its unknowns, or contradict each other.
pub(crate) fn dependent(system: &System<'_>, dependent: &Dependent, pool: &Pool) -> Diagnostic {
    let Dependent { rows, unknowns, agree } = dependent;
    let notation = system.equations.notation_in(pool);
    let rows: Vec<Equation> = rows.iter().map(|&row| system.as_written(row)).collect();
    let texts: Vec<String> = rows.iter().map(|equation| notation.equation(equation)).collect();
    let names: Vec<&str> = unknowns.iter().map(|&v| system.equations.variable(v).name.as_str()).collect();
    let (names, texts) = (listed(names.into_iter()), listed(texts.iter().map(String::as_str)));
    let message = match agree {
        true => format!("{names} are not determined: one of {texts} follows from the others"),
        false => format!("{names} are not determined: {texts} contradict each other"),
    };
    let diagnostic = Diagnostic::error("structurally-singular", message);
    at_variables(at_equations(diagnostic, rows.iter(), &notation), system.equations, unknowns)
        .with_note("put another equation in the place of one of them")
}

/// The reduced system is not square in a way that its levels did not show.
pub(crate) fn not_determined(system: &System<'_>, matching: &Matching, pool: &Pool) -> Diagnostic {
    let over = system.graph.overdetermined(matching);
    let notation = system.equations.notation_in(pool);
    let rows: Vec<Equation> = over.rows.iter().map(|&row| system.as_written(row)).collect();
    let texts: Vec<String> = rows.iter().map(|equation| notation.equation(equation)).collect();
    let under = system.graph.underdetermined(matching);
    let free: Vec<VarId> = under.columns.iter().map(|&column| system.unknowns[column]).collect();
    let names: Vec<&str> = free.iter().map(|&v| system.equations.variable(v).name.as_str()).collect();
    let message = if rows.is_empty() {
        format!("with these states, nothing determines {}", listed(names.into_iter()))
    } else {
        let texts = listed(texts.iter().map(String::as_str));
        format!("with these states, {texts} do not determine as many unknowns")
    };
    let diagnostic = Diagnostic::error("structurally-singular", message);
    at_variables(at_equations(diagnostic, rows.iter(), &notation), system.equations, &free)
        .with_note("`stateSelect` on them, or on what they are tied to, changes the choice")
}

/// A state is set anew that must not be a state.
pub(crate) fn reinit_of_never(equations: &Dae, reinit: &Reinit) -> Diagnostic {
    let name = &equations.variable(reinit.target).name;
    let message = format!("`{name}` is set by `reinit`, which takes a state, but is `StateSelect.never`");
    let diagnostic = Diagnostic::error("reinit-target-not-state", message);
    let diagnostic = match reinit.origin.span {
        Some(span) => diagnostic.at(span, "set here"),
        None => diagnostic,
    };
    at_variables(diagnostic, equations, &[reinit.target])
}

/// A constraint that would have to be differentiated too often.
pub(crate) fn index_too_high(equations: &Equations, e: EqId) -> Diagnostic {
    let equation = &equations.equations[e.index()];
    let notation = equations.notation();
    let message = format!(
        "`{}` would have to be differentiated more than {} times",
        notation.equation(equation),
        crate::pantelides::MOST_DIFFERENTIATIONS
    );
    at_equations(Diagnostic::error("index-too-high", message), std::iter::once(equation), &notation)
        .with_note("this happens where many integrators in a row are driven backwards by a given output")
}

/// A constraint whose derivative is needed and cannot be had.
pub(crate) fn not_differentiable(equations: &Equations, e: EqId, expression: ExprId) -> Diagnostic {
    let equation = &equations.equations[e.index()];
    let notation = equations.notation();
    let message = format!(
        "the derivative of `{}`, needed for the derivative of `{}`, is not supported yet",
        notation.expression(expression),
        notation.equation(equation)
    );
    at_equations(Diagnostic::error("not-supported-yet", message), std::iter::once(equation), &notation)
}

/// A variable that is preferred as a state, but whose derivative cannot be had.
pub(crate) fn prefer_not_promoted(
    equations: &Equations,
    v: VarId,
    e: EqId,
    expression: ExprId,
) -> Diagnostic {
    let equation = &equations.equations[e.index()];
    let message = format!(
        "`{}` is `StateSelect.prefer` but cannot be a state: that takes the derivative of `{}`, and {}",
        equations.variable(v).name,
        equations.notation().equation(equation),
        why_none(equations, expression)
    );
    let diagnostic = at_variables(Diagnostic::note("prefer-not-promoted", message), equations, &[v]);
    at_equations(diagnostic, std::iter::once(equation), &equations.notation())
}

/// The same for a variable that must be a state.
pub(crate) fn always_not_differentiable(
    equations: &Equations,
    v: VarId,
    e: EqId,
    expression: ExprId,
) -> Diagnostic {
    let variable = equations.variable(v);
    let equation = &equations.equations[e.index()];
    let is_demanded = variable.select == StateSelect::Always;
    let (id, because) = if is_demanded {
        ("always-not-free", "`StateSelect.always`")
    } else {
        ("reinit-target-not-state", "`reinit` sets it")
    };
    let message = format!(
        "`{}` must be a state ({because}), which takes the derivative of `{}`, and {}",
        variable.name,
        equations.notation().equation(equation),
        why_none(equations, expression)
    );
    let diagnostic =
        at_equations(Diagnostic::error(id, message), std::iter::once(equation), &equations.notation());
    at_variables(diagnostic, equations, &[v])
}

/// Why an expression has no derivative that a state could follow.
fn why_none(equations: &Equations, expression: ExprId) -> String {
    let text = equations.notation().expression(expression);
    match equations.pool.node(expression) {
        Node::Variable(v) if equations.variable(v).is_hidden => {
            "a condition in it switches at events: the state would not jump with it".into()
        }
        Node::Variable(_) => format!("`{text}` jumps at events: the state would not jump with it"),
        Node::Call(..) => format!("`{text}` changes in steps"),
        _ => format!("`{text}` has no derivative"),
    }
}

/// More conditions at the start than unknowns: those in `surplus` must follow from the rest.
pub(crate) fn too_many_initial_conditions(
    system: &System<'_>,
    matching: &Matching,
    surplus: &[Surplus],
    pool: &mut Pool,
) -> Diagnostic {
    let over = system.graph.overdetermined(matching);
    // as they are written, without replacements
    let rows: Vec<Equation> = over
        .rows
        .iter()
        .filter_map(|&row| match system.rows[row].because {
            Cause::Equation(_) => None,
            Cause::InitialEquation(e) => Some(system.equations.initial[e.index()].clone()),
            Cause::Start(v) => {
                Some(start_row(system.equations, v, pool).with_origin_of(system.equations.variable(v)))
            }
            Cause::Binding(_) => Some(system.equation(row)),
        })
        .collect();
    let notation = system.equations.notation_in(pool);
    let conditions: Vec<String> = over
        .rows
        .iter()
        .filter_map(|&row| match system.rows[row].because {
            Cause::Start(v) => Some(format!("{}(fixed=true)", system.equations.variable(v).name)),
            Cause::InitialEquation(e) => Some(notation.equation(&system.equations.initial[e.index()])),
            _ => None,
        })
        .collect();
    if conditions.is_empty() {
        // an equation of the model that says nothing at the start, such as `0 = if initial() then 0 else x`
        return too_few_initial_conditions(system, matching);
    }
    let message = format!(
        "there are more initial conditions than the model leaves free: {}",
        listed(conditions.iter().map(String::as_str))
    );
    let said = |diagnostic| at_equations(diagnostic, rows.iter(), &notation);
    if surplus.is_empty() {
        return said(Diagnostic::error("initial-overdetermined", message))
            .with_note("take one of them away, or its `fixed = true`");
    }
    let left_over = match surplus.len() {
        1 => "one of them must follow from the others".to_owned(),
        n => format!("{n} of them must follow from the others"),
    };
    said(Diagnostic::note("redundant-initial", message))
        .with_note(format!("{left_over}, or the run does not start"))
}

/// Unknowns that no condition determines at the start.
pub(crate) fn too_few_initial_conditions(system: &System<'_>, matching: &Matching) -> Diagnostic {
    let under = system.graph.underdetermined(matching);
    let free: Vec<VarId> = under.columns.iter().map(|&column| system.unknowns[column]).collect();
    let names: Vec<&str> = free.iter().map(|&v| system.equations.variable(v).name.as_str()).collect();
    let message = format!("nothing determines {} at the start", listed(names.into_iter()));
    at_variables(Diagnostic::error("initial-not-determined", message), system.equations, &free)
        .with_note("add an initial equation")
}

/// Truth values and whole numbers that the equations about them do not determine.
pub(crate) fn discrete_not_determined(system: &System<'_>, matching: &Matching, pool: &Pool) -> Diagnostic {
    let under = system.graph.underdetermined(matching);
    let free: Vec<VarId> = under.columns.iter().map(|&column| system.unknowns[column]).collect();
    let names: Vec<&str> = free.iter().map(|&v| system.equations.variable(v).name.as_str()).collect();
    let message = format!("no equation determines {} at events", listed(names.into_iter()));
    let over = system.graph.overdetermined(matching);
    let rows: Vec<Equation> = over.rows.iter().map(|&row| system.as_written(row)).collect();
    let diagnostic = Diagnostic::error("structurally-singular", message);
    at_variables(
        at_equations(diagnostic, rows.iter(), &system.equations.notation_in(pool)),
        system.equations,
        &free,
    )
}

/// An equation about a truth value or a whole number that does not say `variable = value`.
pub(crate) fn not_explicit(equations: &Dae, pool: &Pool, equation: &Equation, v: VarId) -> Diagnostic {
    let name = &equations.variable(v).name;
    let message = format!("this equation for `{name}` cannot be solved: it does not say `{name} = …`");
    at_equations(
        Diagnostic::error("discrete-not-explicit", message),
        std::iter::once(equation),
        &equations.notation_in(pool),
    )
}

/// The start value of a state was taken as its initial value.
pub(crate) fn start_assumed(equations: &Dae, pool: &Pool, v: VarId) -> Diagnostic {
    let variable = equations.variable(v);
    let value = variable.start.map_or("0".into(), |start| equations.notation_in(pool).expression(start));
    let message =
        format!("`{}` starts at its start value {value}, although nothing says it is fixed", variable.name);
    at_variables(Diagnostic::note("start-assumed", message), equations, &[v])
        .with_note("write `fixed=true`, or an initial equation, to say how it starts")
}

/// The start value of one of the candidates of a set was taken as its initial value.
pub(crate) fn start_assumed_in_set(equations: &Dae, set: &StateSet, assumed: usize) -> Diagnostic {
    let names = listed(set.candidates.iter().map(|&v| equations.variable(v).name.as_str()));
    let message = match assumed {
        1 => format!(
            "one of {names} starts at its start value, although nothing says it is fixed: the one from which the others follow best"
        ),
        several => format!(
            "{several} of {names} start at their start values, although nothing says they are fixed: those from which the others follow best"
        ),
    };
    at_variables(Diagnostic::note("start-assumed", message), equations, &set.candidates)
        .with_note("write `fixed=true`, or an initial equation, to say how they start")
}

/// A parameter that has a start value only, or none.
pub(crate) fn parameter_without_value(variable: &Variable, notation: &Notation<'_>) -> Diagnostic {
    let value = variable.start.map_or("0".into(), |start| notation.expression(start));
    let message = format!("the parameter `{}` has no value: {value} is used", variable.name);
    let diagnostic = Diagnostic::warning("parameter-without-value", message);
    let diagnostic = match variable.span {
        Some(span) => diagnostic.at(span, "declared here"),
        None => diagnostic,
    };
    diagnostic.with_note(format!("write `{} = …` or set it with `--set {}=…`", variable.name, variable.name))
}

/// Parameters that need each other's values.
pub(crate) fn cyclic_bindings(equations: &Dae, cycle: &[VarId]) -> Diagnostic {
    let names: Vec<&str> = cycle.iter().map(|&v| equations.variable(v).name.as_str()).collect();
    let message = match names.as_slice() {
        [one] => format!("the value of `{one}` depends on itself"),
        several => format!("the values of {} depend on each other", listed(several.iter().copied())),
    };
    at_variables(Diagnostic::error("cyclic-binding", message), equations, cycle)
}
