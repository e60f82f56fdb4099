//! The model linearised about a point of its run: for small deviations, `der(x) = A*x + B*u` and `y = C*x + D*u`.
//!
//! Derivatives are exact: every formula is differentiated along a state or an input, loops by the implicit function theorem.
//! Discrete variables are kept constant; so are inputs, whose derivatives are zero.

use std::rc::Rc;
use std::sync::Arc;

use rhei_equations::{Scalar, VarId};
use rhei_flat::Causality;
use rhei_kernel::{Routine, Step};
use rhei_model::CompiledModel;
use rhei_results::Sink;
use rhei_solve::evaluate::propagate;
use rhei_solve::loop_matrix::Factors;
use rhei_solve::problem::ModelProblem;
use rhei_source::Diagnostic;

use crate::integration::Steps;
use crate::options::Options;
use crate::recorder::{Lent, Recorder};
use crate::running::Running;
use crate::stop::Stop;

/// A model as matrices, with the point they belong to.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearisation {
    /// The time of the point.
    pub time: f64,
    /// Names of the states; those of a state set are the candidates that are states there.
    pub states: Vec<String>,
    /// Names of the inputs of the model.
    pub inputs: Vec<String>,
    /// Names of its outputs.
    pub outputs: Vec<String>,
    /// Derivatives of the derivatives of the states by the states, row by row.
    pub a: Vec<Vec<f64>>,
    /// The same by the inputs.
    pub b: Vec<Vec<f64>>,
    /// Derivatives of the outputs by the states.
    pub c: Vec<Vec<f64>>,
    /// The same by the inputs.
    pub d: Vec<Vec<f64>>,
    /// Values of the states.
    pub x: Vec<f64>,
    /// Values of the inputs.
    pub u: Vec<f64>,
    /// Values of the outputs.
    pub y: Vec<f64>,
}

/// Runs a model to the stop time and linearises it there. Without a result, the diagnostics hold an error.
pub fn linearize(
    model: &Arc<CompiledModel>,
    options: &Options,
    sink: &mut dyn Sink,
) -> (Option<Linearisation>, Vec<Diagnostic>) {
    let recorder = Recorder::new(model, &[], Box::new(Lent(sink)), options);
    let mut running = match Running::start(model, options, recorder, Steps::Own) {
        Ok(running) => running,
        Err(not_started) => return (None, not_started.diagnostics(model, options)),
    };
    let reached = match running.run_to_stop() {
        Ok(()) => running.evaluate(options.stop_time),
        Err(stop) => Err(stop),
    };
    let mut diagnostics = std::mem::take(&mut running.reports.said);
    let stopped = match reached {
        Ok(()) => None,
        Err(Stop::Terminated(said)) => {
            diagnostics.push(said);
            Some(ended_before(options.stop_time, running.time))
        }
        Err(stop) => Some(running.why(stop)),
    };
    if let Some(stopped) = stopped {
        diagnostics.push(stopped);
        return (None, diagnostics);
    }
    match running.linearized() {
        Ok((found, notes)) => {
            diagnostics.extend(notes);
            (Some(found), diagnostics)
        }
        Err(singular) => {
            diagnostics.push(*singular);
            (None, diagnostics)
        }
    }
}

pub(crate) fn ended_before(wanted: f64, reached: f64) -> Diagnostic {
    let message = format!("the model ends the run at t = {reached}, before t = {wanted}");
    Diagnostic::error("no-linearisation", message)
}

impl Running<'_> {
    /// The matrices at the point evaluated last, and warnings about them.
    fn linearized(&mut self) -> Result<(Linearisation, Vec<Diagnostic>), Box<Diagnostic>> {
        let model = &*self.model;
        let states = self.state_names();
        let inputs = interface(model, Causality::Input);
        let outputs = interface(model, Causality::Output);
        let derivatives: Vec<VarId> = model.solvable.states.iter().map(|state| state.derivative).collect();
        let variables: Vec<VarId> = model.solvable.states.iter().map(|state| state.variable).collect();
        let problem = &mut self.problem;
        problem.evaluator.functions.differentiate_exactly();
        let mut along = Along::new(problem, model, self.time)?;
        let mut columns = |by: &[VarId]| -> Vec<(Vec<f64>, Vec<f64>)> {
            by.iter().map(|&v| along.column(v, &derivatives, &outputs)).collect()
        };
        let (by_states, by_inputs) = (columns(&variables), columns(&inputs));
        let name = |v: &VarId| model.equations.variable(*v).name.to_string();
        let found = Linearisation {
            time: self.time,
            states,
            inputs: inputs.iter().map(name).collect(),
            outputs: outputs.iter().map(name).collect(),
            a: transposed(by_states.iter().map(|(derivatives, _)| derivatives), derivatives.len()),
            b: transposed(by_inputs.iter().map(|(derivatives, _)| derivatives), derivatives.len()),
            c: transposed(by_states.iter().map(|(_, outputs)| outputs), outputs.len()),
            d: transposed(by_inputs.iter().map(|(_, outputs)| outputs), outputs.len()),
            x: variables.iter().map(|v| problem.values[v.index()]).collect(),
            u: inputs.iter().map(|v| problem.values[v.index()]).collect(),
            y: outputs.iter().map(|v| problem.values[v.index()]).collect(),
        };
        if let Some((what, by)) = found.not_finite() {
            let message = format!("the derivative of `{what}` by `{by}` is not finite at t = {}", self.time);
            return Err(Box::new(Diagnostic::error("no-linearisation", message)));
        }
        let without = problem.evaluator.functions.without_derivative();
        let notes = (!without.is_empty()).then(|| of_differences(&without));
        Ok((found, notes.into_iter().collect()))
    }

    /// The states by name; in a set, the candidates that are states now.
    fn state_names(&self) -> Vec<String> {
        let in_sets = self.charts.candidates_of_states(&self.model);
        let name = |v: VarId| {
            let v = in_sets.get(&v).copied().unwrap_or(v);
            self.model.equations.variable(v).name.to_string()
        };
        self.model.solvable.states.iter().map(|state| name(state.variable)).collect()
    }
}

impl Linearisation {
    /// An entry that is not finite: the differentiated variable, and the variable of differentiation.
    fn not_finite(&self) -> Option<(String, &str)> {
        let derivatives: Vec<String> = self.states.iter().map(|name| format!("der({name})")).collect();
        let parts = [
            (&self.a, &derivatives, &self.states),
            (&self.b, &derivatives, &self.inputs),
            (&self.c, &self.outputs, &self.states),
            (&self.d, &self.outputs, &self.inputs),
        ];
        for (matrix, rows, columns) in parts {
            for (row, what) in matrix.iter().zip(rows) {
                if let Some(place) = row.iter().position(|value| !value.is_finite()) {
                    return Some((what.clone(), &columns[place]));
                }
            }
        }
        None
    }
}

/// The continuous inputs or outputs of the model, in the order they are declared.
fn interface(model: &CompiledModel, causality: Causality) -> Vec<VarId> {
    let variables = model.equations.iter_variables();
    let is_part = variables.filter(|(_, variable)| {
        let is_side = match causality {
            // inputs with an equation in the model are none
            Causality::Input => variable.is_given_from_outside(),
            Causality::Output => variable.causality == Some(causality) && !variable.is_parameter(),
        };
        is_side && variable.scalar == Scalar::Real && !variable.is_discrete
    });
    is_part.map(|(v, _)| v).collect()
}

fn transposed<'c>(columns: impl Iterator<Item = &'c Vec<f64>>, n_rows: usize) -> Vec<Vec<f64>> {
    let mut rows = vec![Vec::new(); n_rows];
    for column in columns {
        rows.iter_mut().zip(column).for_each(|(row, &value)| row.push(value));
    }
    rows
}

fn of_differences(functions: &[String]) -> Diagnostic {
    let message = format!(
        "derivatives of {} are differences, good to about six digits: there is no derivative of {}",
        functions.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        if functions.len() == 1 { "this function" } else { "these functions" },
    );
    Diagnostic::note("linearised-by-differences", message)
}

/// Derivatives along one variable after the other, at one point.
struct Along<'a> {
    problem: &'a mut ModelProblem,
    model: &'a CompiledModel,
    changes: Vec<f64>,
    /// The loops of each routine.
    factors: [Vec<Option<Rc<Factors>>>; 2],
}

impl<'a> Along<'a> {
    fn new(
        problem: &'a mut ModelProblem,
        model: &'a CompiledModel,
        time: f64,
    ) -> Result<Along<'a>, Box<Diagnostic>> {
        let routines = [&model.code.dynamic, &model.code.watched];
        let factors =
            routines.map(|routine| problem.evaluator.factorised_loops(routine, &mut problem.values));
        for (routine, factors) in routines.into_iter().zip(&factors) {
            if let Some(singular) = factors.iter().position(Option::is_none) {
                return Err(Box::new(of_singular(model, routine, singular, time)));
            }
        }
        let changes = vec![0.0; problem.values.len()];
        Ok(Along { problem, model, changes, factors })
    }

    /// The derivatives of `derivatives` and `outputs` by a state or an input.
    fn column(&mut self, v: VarId, derivatives: &[VarId], outputs: &[VarId]) -> (Vec<f64>, Vec<f64>) {
        self.changes[v.index()] = 1.0;
        let ModelProblem { values, evaluator, .. } = &mut *self.problem;
        let code = &self.model.code;
        for (routine, factors) in [&code.dynamic, &code.watched].into_iter().zip(&self.factors) {
            propagate(routine, values, &mut self.changes, factors, &evaluator.functions);
        }
        let of = |wanted: &[VarId]| wanted.iter().map(|w| self.changes[w.index()]).collect();
        let column = (of(derivatives), of(outputs));
        self.changes[v.index()] = 0.0;
        column
    }
}

fn of_singular(model: &CompiledModel, routine: &Routine, place: usize, time: f64) -> Diagnostic {
    let mut loops = routine.steps.iter().filter_map(|step| match step {
        Step::Iterate(iteration) => Some(iteration),
        _ => None,
    });
    let unknowns = loops.nth(place).map_or(&[] as &[VarId], |iteration| &iteration.guessed);
    let names: Vec<String> =
        unknowns.iter().map(|v| format!("`{}`", model.equations.variable(*v).name)).collect();
    let message = format!(
        "the equations for {} are singular at t = {time}: no derivatives follow from them",
        names.join(", ")
    );
    Diagnostic::error("no-linearisation", message)
}
