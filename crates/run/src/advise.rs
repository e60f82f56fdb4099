//! Candidates for balances: quasi-steady states, and loops whose residuals pull their unknowns back.
//!
//! The model is run and linearised at its end. A state is a *slave* if its time constant is very much shorter than the run and
//! than those of the other states, and if the slaves together are stable. Then only their equilibrium matters, and following
//! the transients costs steps and accuracy. A loop has the form of a balance if the flow of its residuals is stable at its
//! solution.

use std::sync::Arc;

use rhei_equations::{Binary, EqId, Equation, Kind, Node, VarId, number};
use rhei_kernel::{Iteration, Step};
use rhei_model::CompiledModel;
use rhei_numerics::SparseMatrix;
use rhei_numerics::stability::{growth, sparse_growth};
use rhei_results::Sink;
use rhei_solvable::Cause;
use rhei_source::Diagnostic;

use crate::constants::{SLAVE_OF_OTHERS, SLAVE_OF_RUN};
use crate::linearize::linearized_at_stop;
use crate::options::Options;
use crate::running::Running;

/// A balance that is proposed.
#[derive(Clone, Debug, PartialEq)]
pub struct BalanceAdvice {
    /// The unknowns to balance.
    pub variables: Vec<VarId>,
    /// Time constant of a state, in seconds; none for loops, which take no time.
    pub time_constant: Option<f64>,
    /// The equations as they are.
    pub equations: Vec<String>,
    /// The same as balances.
    pub proposals: Vec<String>,
    /// The advice as a diagnostic, with its places in the text.
    pub said: Diagnostic,
}

/// Runs a model and proposes balances. Without a run to its end, the diagnostics hold an error.
pub fn advise_balances(
    model: &Arc<CompiledModel>,
    options: &Options,
    sink: &mut dyn Sink,
) -> (Option<Vec<BalanceAdvice>>, Vec<Diagnostic>) {
    let mut loops = Vec::new();
    let (linear, diagnostics) =
        linearized_at_stop(model, options, sink, |running| loops = running.balanced_loops());
    let Some(linear) = linear else { return (None, diagnostics) };
    let span = options.stop_time - options.start_time;
    let mut advice = slaves(model, &linear.a, span);
    advice.extend(loops);
    (Some(advice), diagnostics)
}

/// The quasi-steady states, by the Jacobian `a` of the derivatives.
fn slaves(model: &CompiledModel, a: &[Vec<f64>], span: f64) -> Vec<BalanceAdvice> {
    let rate = |i: usize| -a[i][i];
    let mut fast: Vec<usize> = (0..a.len()).filter(|&i| rate(i) * span >= SLAVE_OF_RUN).collect();
    loop {
        let slow = (0..a.len()).filter(|i| !fast.contains(i));
        let fastest = slow.map(|i| a[i][i].abs()).fold(0.0, f64::max);
        let before = fast.len();
        fast.retain(|&i| rate(i) >= SLAVE_OF_OTHERS * fastest && equation_of(model, i).is_some());
        if fast.len() == before {
            break;
        }
    }
    let n = fast.len();
    let scaled: Vec<f64> = fast.iter().flat_map(|&i| fast.iter().map(move |&j| a[i][j] / rate(i))).collect();
    if n == 0 || growth(&scaled, n).is_none_or(|growth| growth >= 0.0) {
        return Vec::new();
    }
    fast.iter().filter_map(|&i| slave(model, i, 1.0 / rate(i), span)).collect()
}

/// The only equation of the model that holds the derivative of a state, with a factor that does not vary.
fn equation_of(model: &CompiledModel, state: usize) -> Option<EqId> {
    let derivative = model.solvable.states[state].derivative;
    let equations = &model.equations;
    if equations.variable(derivative).is_introduced {
        return None;
    }
    let pool = &equations.pool;
    let holds =
        |e: &Equation| [e.lhs, e.rhs].iter().any(|side| pool.variables_of(*side).contains(&derivative));
    let mut own = equations.equations.iter().enumerate().filter(|(_, e)| holds(e));
    let (place, _) = own.next()?;
    own.next().is_none().then_some(EqId(place as u32))
}

fn slave(model: &CompiledModel, state: usize, time_constant: f64, span: f64) -> Option<BalanceAdvice> {
    let id = equation_of(model, state)?;
    let variable = model.solvable.states[state].variable;
    let equation = &model.equations.equations[id.index()];
    let notation = model.equations.notation();
    let (name, text) = (&model.equations.variable(variable).name, notation.equation(equation));
    let proposal = match is_multiple_of_derivative(model, equation, model.solvable.states[state].derivative) {
        true => format!("balance({name}) = {}", notation.expression(equation.rhs)),
        false => text.replace(&format!("der({name})"), &format!("balance({name})")),
    };
    let times = number((span / time_constant).round());
    let took = number(format!("{time_constant:.2e}").parse().unwrap_or(time_constant));
    let message = format!(
        "`{name}` looks like an artificial state: it forgets itself in {took} s, {times} times in a run of {} s",
        number(span)
    );
    let said = at(Diagnostic::note("balance-advice", message), equation, &text)
        .with_note(format!("if only where it comes to rest matters, write `{proposal}`"));
    Some(BalanceAdvice {
        variables: vec![variable],
        time_constant: Some(time_constant),
        equations: vec![text],
        proposals: vec![proposal],
        said,
    })
}

/// Whether the left side is `der(x)` or `c*der(x)`.
fn is_multiple_of_derivative(model: &CompiledModel, equation: &Equation, derivative: VarId) -> bool {
    let pool = &model.equations.pool;
    match pool.node(equation.lhs) {
        Node::Variable(v) => v == derivative,
        Node::Binary(Binary::Mul, a, b) => {
            let is_derivative = |e| pool.node(e) == Node::Variable(derivative);
            let parameter =
                |e| pool.variables_of(e).iter().all(|v| model.equations.variable(*v).is_parameter());
            (is_derivative(a) && parameter(b)) || (is_derivative(b) && parameter(a))
        }
        _ => false,
    }
}

fn at(said: Diagnostic, equation: &Equation, text: &str) -> Diagnostic {
    match equation.origin.span {
        Some(span) => said.at(span, text),
        None => said,
    }
}

impl Running<'_> {
    /// Loops that have the form of a balance at the point that was evaluated last.
    fn balanced_loops(&mut self) -> Vec<BalanceAdvice> {
        let model = self.model.clone();
        let problem = &mut self.problem;
        let steps = model.code.dynamic.steps.iter().chain(&model.code.watched.steps);
        let loops = steps.filter_map(|step| match step {
            Step::Iterate(iteration) if iteration.balance.is_empty() && iteration.factors.is_none() => {
                Some(iteration)
            }
            _ => None,
        });
        let mut found = Vec::new();
        for iteration in loops {
            let jacobian = problem.evaluator.jacobian_of(iteration, &mut problem.values);
            found.extend(balanced_loop(&model, iteration, jacobian));
        }
        found
    }
}

fn balanced_loop(
    model: &CompiledModel,
    iteration: &Iteration,
    jacobian: SparseMatrix,
) -> Option<BalanceAdvice> {
    let n = iteration.guessed.len();
    let slope = |i: usize| jacobian.get(i, i);
    if (0..n).any(|i| slope(i) == 0.0) {
        return None;
    }
    let entries = jacobian.pattern().entries().zip(jacobian.values());
    let flow: Vec<f64> = entries.map(|((row, _), entry)| -entry / slope(row)).collect();
    if sparse_growth(jacobian.pattern(), &flow)? >= 0.0
        || iteration.guessed.iter().any(|v| is_derivative(model, *v))
    {
        return None;
    }
    let (mut equations, mut proposals) = (Vec::new(), Vec::new());
    let notation = model.equations.notation();
    let name = |v: &VarId| model.equations.variable(*v).name.as_str();
    let mut first = None;
    for (i, (v, because)) in iteration.guessed.iter().zip(&iteration.because).enumerate() {
        let Cause::Equation(id) = because else { return None };
        let equation = model.equations.equations.get(id.index())?;
        first = first.or(Some(equation));
        let (lhs, rhs) = (notation.expression(equation.lhs), notation.expression(equation.rhs));
        equations.push(notation.equation(equation));
        // residuals are left minus right
        let (plus, minus) = if slope(i) < 0.0 { (lhs, rhs) } else { (rhs, lhs) };
        proposals.push(match minus.as_str() {
            "0" => format!("balance({}) = {plus}", name(v)),
            _ => format!("balance({}) = {plus} - ({minus})", name(v)),
        });
    }
    let names: Vec<String> = iteration.guessed.iter().map(|v| format!("`{}`", name(v))).collect();
    let message = format!(
        "the loop of {} has the form of a balance: its residuals, taken as a flow, come to rest at the solution",
        names.join(", ")
    );
    let mut said = Diagnostic::note("balance-advice", message);
    if let (Some(equation), Some(text)) = (first, equations.first()) {
        said = at(said, equation, text);
    }
    said = said.with_note(format!("to be solved from rough starts, write `{}`", proposals.join("; ")));
    Some(BalanceAdvice {
        variables: iteration.guessed.clone(),
        time_constant: None,
        equations,
        proposals,
        said,
    })
}

fn is_derivative(model: &CompiledModel, v: VarId) -> bool {
    matches!(model.equations.variable(v).kind, Kind::Derivative { .. })
}
