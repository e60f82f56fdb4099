//! Why a run could not go on, in the modeller's words.

use rhei_equations::{EqId, Node, VarId, number};
use rhei_kernel::Fault;
use rhei_numerics::Failure;
use rhei_solvable::{Block, Cause};
use rhei_source::{Diagnostic, Span};

use crate::CompiledModel;
use crate::problem::Faulty;

/// An operation that has no finite value.
pub(crate) fn of_fault(model: &CompiledModel, fault: &Fault, t: f64) -> Diagnostic {
    let notation = model.notation();
    let target = &model.equations.variable(fault.target).name;
    let expression = notation.expression(fault.expression);
    let what = describe(model, fault);
    let message =
        format!("{what} at t = {}: `{expression}` in the computation of `{target}` has no value", number(t));
    let mut diagnostic = Diagnostic::error("evaluation-failed", message);
    if let Some((span, text)) = cause(model, fault.target) {
        diagnostic = diagnostic.at(span, text);
    }
    let values: Vec<String> = model
        .solvable
        .pool
        .variables_of(fault.expression)
        .into_iter()
        .map(|v| format!("`{}`", model.equations.variable(v).name))
        .collect();
    if values.is_empty() {
        diagnostic
    } else {
        diagnostic.with_note(format!("it depends on {}", values.join(", ")))
    }
}

/// `log of -0.3`, `division of 1 by 0`, `overflow`.
fn describe(model: &CompiledModel, fault: &Fault) -> String {
    use rhei_equations::Binary;
    let shown: Vec<String> = fault.operands.iter().map(|&x| number(x)).collect();
    match (model.solvable.pool.node(fault.expression), shown.as_slice()) {
        (Node::Binary(Binary::Div, ..), [a, b]) if fault.operands[1] == 0.0 => {
            format!("division of {a} by {b}")
        }
        (Node::Binary(Binary::Pow, ..), [a, b]) => format!("{a} to the power of {b}"),
        (Node::Call(f, _), [a]) => format!("{} of {a}", f.name()),
        _ => format!("overflow to {}", fault.value),
    }
}

/// The text that says how a variable is computed.
fn cause(model: &CompiledModel, v: VarId) -> Option<(Span, String)> {
    let solvable = &model.solvable;
    let blocks = solvable.continuous.iter().chain(&solvable.initial).chain(&solvable.parameters);
    let because = blocks
        .into_iter()
        .find_map(|Block::Assign { target, because, .. }| (*target == v).then_some(*because))?;
    let written =
        |equation: &rhei_equations::Equation| Some((equation.origin.span?, "in this equation".to_owned()));
    match because {
        Cause::Equation(EqId(i)) => written(&model.equations.equations[i as usize]),
        Cause::InitialEquation(EqId(i)) => written(&model.equations.initial[i as usize]),
        Cause::Start(v) | Cause::Binding(v) => {
            Some((model.equations.variable(v).origin.span?, "declared here".into()))
        }
    }
}

/// An integrator that cannot go on.
pub(crate) fn of_integrator(model: &CompiledModel, failure: &Failure) -> Diagnostic {
    let state = |i: usize| model.equations.variable(model.solvable.states[i].variable);
    let at_state = |diagnostic: Diagnostic, i: usize| match state(i).origin.span {
        Some(span) => diagnostic.at(span, format!("`{}`", state(i).name)),
        None => diagnostic,
    };
    match failure {
        Failure::EvaluationFailed { t, reason, .. } => match reason.downcast_ref::<Faulty>() {
            Some(Faulty(fault)) => of_fault(model, fault, *t),
            None => Diagnostic::error("evaluation-failed", failure.to_string()),
        },
        Failure::StepTooSmall { t, step, fastest } => {
            let culprit = fastest.map_or(String::new(), |i| format!("; `{}` changes fastest there", state(i).name));
            let message =
                format!("no step is short enough at t = {} (the last was {}){culprit}", number(*t), number(*step));
            let diagnostic = Diagnostic::error("step-too-small", message);
            fastest
                .map_or(diagnostic.clone(), |i| at_state(diagnostic, i))
                .with_note("a solution that goes to infinity does this, and a jump that is no event; a looser `--tolerance` may help to see which")
        }
        Failure::NewtonFailed { t, iterations, worst } => {
            let message = format!(
                "the step to t = {} has no solution after {iterations} iterations; `{}` does not settle",
                number(*t),
                state(*worst).name
            );
            at_state(Diagnostic::error("newton-failed", message), *worst).with_note("try a smaller `--step`")
        }
        Failure::SingularMatrix { t } => {
            Diagnostic::error("singular-matrix", format!("the step at t = {} has no unique solution", number(*t)))
        }
        Failure::TooManySteps { t, limit } => {
            Diagnostic::error("too-many-steps", format!("{limit} steps were taken and only t = {} is reached", number(*t)))
                .with_note("a stiff model wants `--method bdf`; an oscillation faster than what you look for wants another model")
        }
        Failure::BadSettings(message) => Diagnostic::error("bad-settings", message.clone()),
        Failure::Internal { t, message } => {
            Diagnostic::error("integrator-failed", format!("the integrator failed at t = {}: {message}", number(*t)))
                .with_note("this is a fault of rhei, not of the model; another `--method` may do")
        }
    }
}
