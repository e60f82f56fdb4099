//! Integration from one tick to the next by methods with stages (MLS §16.8.2).
//!
//! All memory is allocated when the run begins, none at a tick.

use rhei_equations::{Scalar, VarId};
use rhei_model::CompiledPart;
use rhei_numerics::SparseMatrix;
use rhei_numerics::lu::Lu;
use rhei_solvable::SolverMethod;
use rhei_solve::evaluate::NoValue;
use rhei_solve::problem::ModelProblem;

use super::past::{Past, until_read};
use crate::constants::TICK_PARTS;

/// γ of the L-stable linearly implicit method of order two with two stages (Verwer et al. 1999).
const GAMMA: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;

/// Integrates the states of one rhythm.
#[derive(Clone)]
pub(super) struct Stepper {
    pub(super) rhythm: u32,
    method: SolverMethod,
    driven: Driven,
    /// The derivatives at the tick before.
    rates_before: Vec<f64>,
    /// The states before the last step.
    start: Vec<f64>,
    /// All values before the stages, to be restored.
    kept: Vec<f64>,
    x: Vec<f64>,
    stages: Stages,
    linear: Option<Linear>,
    /// Whether a step that misses its tolerance was reported.
    pub(super) has_warned: bool,
}

/// The states and their inputs, as functions of time within a step.
#[derive(Clone)]
struct Driven {
    states: Vec<(VarId, VarId)>,
    inputs: Vec<Input>,
    /// End and length of the step.
    t: f64,
    h: f64,
}

/// A value from elsewhere.
#[derive(Clone)]
struct Input {
    variable: VarId,
    /// At the tick before.
    before: f64,
    /// At this one.
    now: f64,
    /// Whether it is a number that varies between ticks.
    is_real: bool,
}

/// Memory for stages.
#[derive(Clone)]
struct Stages {
    moved: Vec<f64>,
    k: [Vec<f64>; 4],
}

/// Memory for linearly implicit stages, and for dividing a step.
#[derive(Clone)]
struct Linear {
    /// Of the derivatives of all states of the part.
    jacobian: SparseMatrix,
    /// By state of the part: its place among those of the rhythm.
    place: Vec<Option<usize>>,
    lu: Lu,
    start: Vec<f64>,
    coarse: Vec<f64>,
    better: Vec<f64>,
}

/// How a step to the tolerance of the run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reached {
    Tolerance,
    /// It would have taken more parts than [`TICK_PARTS`].
    Bound,
}

impl Stepper {
    /// For a rhythm whose method has stages.
    pub(super) fn new(
        problem: &ModelProblem,
        compiled: &CompiledPart,
        rhythm: u32,
        method: SolverMethod,
    ) -> Stepper {
        let CompiledPart { model, schedule, .. } = compiled;
        let is_own = |v: VarId| schedule.rhythm(v) == Some(rhythm);
        let all = &model.solvable.states;
        let own = all.iter().filter(|state| is_own(state.variable));
        let states: Vec<(VarId, VarId)> = own.map(|state| (state.variable, state.derivative)).collect();
        let from_elsewhere = schedule.sampled.iter().chain(&schedule.passed).map(|each| each.result);
        let inputs = from_elsewhere.filter(|v| is_own(*v)).map(|variable| {
            let is_real = model.equations.variable(variable).scalar == Scalar::Real;
            Input { variable, before: 0.0, now: 0.0, is_real }
        });
        let n = states.len();
        let zeros = || vec![0.0; n];
        let linear = matches!(method, SolverMethod::Rosenbrock2 | SolverMethod::External).then(|| {
            let mut places = 0..;
            Linear {
                jacobian: SparseMatrix::zeros(model.state_jacobian().pattern.clone()),
                place: all
                    .iter()
                    .map(|state| is_own(state.variable).then(|| places.next()).flatten())
                    .collect(),
                lu: Lu::new(n),
                start: zeros(),
                coarse: zeros(),
                better: zeros(),
            }
        });
        Stepper {
            rhythm,
            method,
            rates_before: zeros(),
            start: zeros(),
            kept: problem.values.clone(),
            x: zeros(),
            stages: Stages { moved: zeros(), k: std::array::from_fn(|_| zeros()) },
            linear,
            has_warned: false,
            driven: Driven { states, inputs: inputs.collect(), t: 0.0, h: 0.0 },
        }
    }

    /// At the beginning of a tick: keeps the inputs and derivatives of the tick before.
    pub(super) fn begin_tick(&mut self, values: &[f64]) {
        for input in &mut self.driven.inputs {
            input.before = values[input.variable.index()];
        }
        let derivatives = self.driven.states.iter().map(|(_, derivative)| values[derivative.index()]);
        self.rates_before.iter_mut().zip(derivatives).for_each(|(rate, value)| *rate = value);
    }

    /// Sets the states to their values at the end of a step of length `h`.
    pub(super) fn advance(
        &mut self,
        (problem, past): (&mut ModelProblem, &mut Past),
        compiled: &CompiledPart,
        (t, h): (f64, f64),
        tolerance: f64,
    ) -> Result<Reached, NoValue> {
        past.begin_step(self.rhythm);
        self.kept.copy_from_slice(&problem.values);
        let Stepper { driven, x, stages, linear, rates_before, .. } = self;
        (driven.t, driven.h) = (t, h);
        driven.inputs.iter_mut().for_each(|input| input.now = problem.values[input.variable.index()]);
        x.iter_mut().zip(&driven.states).for_each(|(x, (v, _))| *x = problem.values[v.index()]);
        self.start.copy_from_slice(x);
        let mut system = System { problem, past, compiled, driven, rhythm: self.rhythm };
        let done = match (self.method, linear) {
            (SolverMethod::ExplicitMidPoint2, _) => midpoint(&mut system, x, rates_before, stages),
            (SolverMethod::ExplicitRungeKutta4, _) => runge_kutta(&mut system, x, rates_before, stages),
            (SolverMethod::Rosenbrock2, Some(linear)) => {
                rosenbrock(&mut system, x, (0.0, 1.0), stages, linear)
            }
            (_, Some(linear)) => within_tolerance(&mut system, x, tolerance, stages, linear),
            (_, None) => Ok(Reached::Tolerance),
        };
        problem.values.copy_from_slice(&self.kept);
        let done = done?;
        for ((v, _), x) in self.driven.states.iter().zip(&self.x) {
            problem.values[v.index()] = *x;
        }
        Ok(done)
    }
}

impl Stepper {
    /// Whether it has states at all.
    pub(super) fn integrates(&self) -> bool {
        !self.driven.states.is_empty()
    }

    /// The states as they were before the last step, which is to be repeated.
    pub(super) fn return_to_start(&self, values: &mut [f64]) {
        for ((v, _), start) in self.driven.states.iter().zip(&self.start) {
            values[v.index()] = *start;
        }
    }
}

/// The right-hand side.
struct System<'a> {
    problem: &'a mut ModelProblem,
    past: &'a mut Past,
    rhythm: u32,
    compiled: &'a CompiledPart,
    driven: &'a Driven,
}

impl System<'_> {
    /// All values at a part of the step: 0 at the tick before, 1 at this one.
    fn set(&mut self, x: &[f64], part: f64) {
        let Driven { states, inputs, t, h } = self.driven;
        let values = &mut self.problem.values;
        for ((v, _), x) in states.iter().zip(x) {
            values[v.index()] = *x;
        }
        for input in inputs {
            // Booleans and integers keep the values of the tick before until this one
            values[input.variable.index()] = match (input.is_real, part >= 1.0) {
                (true, _) => input.before + part * (input.now - input.before),
                (false, true) => input.now,
                (false, false) => input.before,
            };
        }
        values[self.compiled.model.code.time().index()] = t - (1.0 - part) * h;
    }

    /// The derivatives at a part of the step.
    fn rates(&mut self, x: &[f64], part: f64, rates: &mut [f64]) -> Result<(), NoValue> {
        self.set(x, part);
        let search = self.problem.search();
        let System { problem, past, compiled, driven, rhythm } = self;
        let ModelProblem { values, evaluator, .. } = &mut **problem;
        let dynamic = &compiled.model.code.dynamic;
        if past.is_empty() {
            evaluator.run(dynamic, values, search)?;
        } else {
            let (t, own) = (driven.t - (1.0 - part) * driven.h, |other: u32| other == *rhythm);
            past.read(compiled, values, t, own);
            let unsettled = until_read(past, |past| {
                evaluator.run(dynamic, values, search)?;
                evaluator.run(&compiled.model.code.watched, values, search)?;
                Ok::<_, NoValue>(past.read_again(compiled, values, t, own))
            })?;
            unsettled.into_iter().for_each(|place| past.note_unsettled(place));
        }
        for (rate, (_, derivative)) in rates.iter_mut().zip(&self.driven.states) {
            *rate = values[derivative.index()];
        }
        Ok(())
    }
}

impl System<'_> {
    /// Keeps the values evaluated last, at a part of the step, for delays.
    fn keep(&mut self, part: f64) {
        let t = self.driven.t - (1.0 - part) * self.driven.h;
        self.past.keep_within(self.compiled, &self.problem.values, t, self.rhythm);
    }
}

/// `to = x + factor*k`
fn moved(to: &mut [f64], x: &[f64], factor: f64, k: &[f64]) {
    to.iter_mut().zip(x.iter().zip(k)).for_each(|(to, (x, k))| *to = x + factor * k);
}

fn midpoint(
    system: &mut System<'_>,
    x: &mut [f64],
    before: &[f64],
    stages: &mut Stages,
) -> Result<Reached, NoValue> {
    let (h, Stages { moved: there, k: [middle, ..] }) = (system.driven.h, stages);
    moved(there, x, h / 2.0, before);
    system.rates(there, 0.5, middle)?;
    x.iter_mut().zip(&*middle).for_each(|(x, k)| *x += h * k);
    Ok(Reached::Tolerance)
}

fn runge_kutta(
    system: &mut System<'_>,
    x: &mut [f64],
    k1: &[f64],
    stages: &mut Stages,
) -> Result<Reached, NoValue> {
    let (h, Stages { moved: there, k: [k2, k3, k4, _] }) = (system.driven.h, stages);
    moved(there, x, h / 2.0, k1);
    system.rates(there, 0.5, k2)?;
    moved(there, x, h / 2.0, k2);
    system.rates(there, 0.5, k3)?;
    moved(there, x, h, k3);
    system.rates(there, 1.0, k4)?;
    for (i, x) in x.iter_mut().enumerate() {
        *x += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
    }
    Ok(Reached::Tolerance)
}

/// From one part of the step to another: two stages with one matrix `I - γhJ`.
fn rosenbrock(
    system: &mut System<'_>,
    x: &mut [f64],
    (from, to): (f64, f64),
    stages: &mut Stages,
    linear: &mut Linear,
) -> Result<Reached, NoValue> {
    let (n, h) = (x.len(), (to - from) * system.driven.h);
    let Stages { moved: there, k: [f, drift, k1, k2] } = stages;
    let Linear { jacobian, place, lu, .. } = linear;
    system.rates(x, from, f)?;
    if from > 0.0 {
        system.keep(from);
    }
    system.problem.state_jacobian_here(jacobian)?;
    lu.matrix_mut().fill(0.0);
    (0..n).for_each(|i| lu.matrix_mut()[i * n + i] = 1.0);
    for ((row, column), value) in jacobian.pattern().entries().zip(jacobian.values()) {
        if let (Some(row), Some(column)) = (place[row], place[column]) {
            lu.matrix_mut()[row * n + column] -= GAMMA * h * value;
        }
    }
    if lu.factorise_in_place().is_err() {
        x.fill(f64::NAN);
        return Ok(Reached::Bound);
    }
    // the partial derivative by time, times h
    system.rates(x, to, drift)?;
    drift.iter_mut().zip(&*f).for_each(|(later, f)| *later -= f);
    moved(k1, f, GAMMA, drift);
    lu.solve(k1);
    moved(there, x, h, k1);
    system.rates(there, to, k2)?;
    for (i, k2) in k2.iter_mut().enumerate() {
        *k2 -= 2.0 * k1[i] + GAMMA * drift[i];
    }
    lu.solve(k2);
    for (i, x) in x.iter_mut().enumerate() {
        *x += h * (1.5 * k1[i] + 0.5 * k2[i]);
    }
    Ok(Reached::Tolerance)
}

/// The step in as many parts as the tolerance requires, with extrapolation of the last two divisions.
fn within_tolerance(
    system: &mut System<'_>,
    x: &mut [f64],
    tolerance: f64,
    stages: &mut Stages,
    linear: &mut Linear,
) -> Result<Reached, NoValue> {
    linear.start.copy_from_slice(x);
    in_parts(system, x, 1, stages, linear)?;
    linear.coarse.copy_from_slice(x);
    let mut parts = 2;
    loop {
        x.copy_from_slice(&linear.start);
        in_parts(system, x, parts, stages, linear)?;
        let Linear { coarse, better, .. } = &mut *linear;
        let mut is_close = true;
        for (i, better) in better.iter_mut().enumerate() {
            // the method is of order two
            *better = x[i] + (x[i] - coarse[i]) / 3.0;
            is_close &= (*better - x[i]).abs() <= tolerance * (1.0 + better.abs());
        }
        if is_close || parts >= TICK_PARTS {
            x.copy_from_slice(better);
            return Ok(if is_close { Reached::Tolerance } else { Reached::Bound });
        }
        coarse.copy_from_slice(x);
        parts *= 2;
    }
}

fn in_parts(
    system: &mut System<'_>,
    x: &mut [f64],
    parts: usize,
    stages: &mut Stages,
    linear: &mut Linear,
) -> Result<(), NoValue> {
    let part = |i: usize| i as f64 / parts as f64;
    system.past.begin_step(system.rhythm);
    (0..parts).try_for_each(|i| rosenbrock(system, x, (part(i), part(i + 1)), stages, linear).map(|_| ()))
}
