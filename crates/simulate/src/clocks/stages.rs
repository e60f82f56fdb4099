//! From one tick to the next by methods that look at derivatives in between (MLS §16.8.2).

use rhei_equations::VarId;
use rhei_numerics::lu::Lu;
use rhei_solvable::SolverMethod;

use super::CompiledPart;
use crate::evaluate::NoValue;
use crate::problem::ModelProblem;

/// One step of one rhythm.
pub(super) struct Step {
    pub(super) method: SolverMethod,
    /// Where it ends.
    pub(super) t: f64,
    /// How long it is.
    pub(super) h: f64,
    pub(super) rhythm: u32,
    pub(super) tolerance: f64,
}

/// Memory for steps, so that a tick takes none.
pub(super) struct Scratch {
    values: Vec<f64>,
    /// The derivatives of all states at the tick before.
    rates: Vec<f64>,
}

impl Scratch {
    pub(super) fn new(problem: &ModelProblem) -> Scratch {
        Scratch { values: problem.values.clone(), rates: Vec::new() }
    }

    /// Remembers the derivatives at the tick before.
    pub(super) fn keep_rates(&mut self, rates: impl Iterator<Item = f64>) {
        self.rates.clear();
        self.rates.extend(rates);
    }
}

/// γ of the L-stable linearly implicit method of order two with two stages (Verwer et al. 1999).
const GAMMA: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;
/// Parts that a step to the tolerance of the run is divided into, at most.
const MOST_PARTS: usize = 1 << 12;

/// States of one rhythm with what drives them, as a function of time within the step.
struct Stages<'a> {
    problem: &'a mut ModelProblem,
    compiled: &'a CompiledPart,
    /// The states of the rhythm: variable and derivative.
    states: Vec<(VarId, VarId)>,
    /// What comes from elsewhere: before, now, and whether it varies in between.
    inputs: Vec<(VarId, f64, f64, bool)>,
    t: f64,
    h: f64,
}

/// Sets the states of a rhythm to their values at the end of a step. Inputs: variable, value at the tick before, whether a number.
pub(super) fn advance(
    problem: &mut ModelProblem,
    compiled: &CompiledPart,
    step: &Step,
    inputs: &[(VarId, f64, bool)],
    scratch: &mut Scratch,
) -> Result<(), NoValue> {
    scratch.values.copy_from_slice(&problem.values);
    let own = compiled
        .model
        .solvable
        .states
        .iter()
        .zip(&scratch.rates)
        .filter(|(state, _)| compiled.schedule.rhythm(state.variable) == Some(step.rhythm));
    let (states, rates): (Vec<(VarId, VarId)>, Vec<f64>) =
        own.map(|(state, rate)| ((state.variable, state.derivative), *rate)).unzip();
    let inputs =
        inputs.iter().map(|&(v, before, is_real)| (v, before, problem.values[v.index()], is_real)).collect();
    let x: Vec<f64> = states.iter().map(|(v, _)| problem.values[v.index()]).collect();
    let mut stages = Stages { problem, compiled, states, inputs, t: step.t, h: step.h };
    let done = match step.method {
        SolverMethod::ExplicitMidPoint2 => stages.midpoint(&x, &rates),
        SolverMethod::ExplicitRungeKutta4 => stages.runge_kutta(&x, &rates),
        SolverMethod::Rosenbrock2 => stages.rosenbrock(&x, 0.0, 1.0),
        _ => stages.within_tolerance(&x, step.tolerance),
    };
    let states = stages.states;
    problem.values.copy_from_slice(&scratch.values);
    for ((v, _), x) in states.iter().zip(done?) {
        problem.values[v.index()] = x;
    }
    Ok(())
}

/// `x + factor*k`
fn moved(x: &[f64], factor: f64, k: &[f64]) -> Vec<f64> {
    x.iter().zip(k).map(|(x, k)| x + factor * k).collect()
}

impl Stages<'_> {
    /// The derivatives at a part of the step: 0 at the tick before, 1 at this one.
    fn rates(&mut self, x: &[f64], part: f64) -> Result<Vec<f64>, NoValue> {
        let values = &mut self.problem.values;
        for ((v, _), x) in self.states.iter().zip(x) {
            values[v.index()] = *x;
        }
        for &(v, before, now, is_real) in &self.inputs {
            // truth values and whole numbers are those of the tick before until this one
            values[v.index()] = match (is_real, part >= 1.0) {
                (true, _) => before + part * (now - before),
                (false, true) => now,
                (false, false) => before,
            };
        }
        values[self.compiled.model.code.time().index()] = self.t - (1.0 - part) * self.h;
        self.problem.evaluator.run(&self.compiled.model.code.dynamic, values)?;
        Ok(self.states.iter().map(|(_, derivative)| values[derivative.index()]).collect())
    }

    fn midpoint(&mut self, x: &[f64], before: &[f64]) -> Result<Vec<f64>, NoValue> {
        let middle = self.rates(&moved(x, self.h / 2.0, before), 0.5)?;
        Ok(moved(x, self.h, &middle))
    }

    fn runge_kutta(&mut self, x: &[f64], k1: &[f64]) -> Result<Vec<f64>, NoValue> {
        let h = self.h;
        let k2 = self.rates(&moved(x, h / 2.0, k1), 0.5)?;
        let k3 = self.rates(&moved(x, h / 2.0, &k2), 0.5)?;
        let k4 = self.rates(&moved(x, h, &k3), 1.0)?;
        let sums = k1.iter().zip(&k2).zip(&k3).zip(&k4).map(|(((k1, k2), k3), k4)| k1 + 2.0 * (k2 + k3) + k4);
        Ok(x.iter().zip(sums).map(|(x, sum)| x + h / 6.0 * sum).collect())
    }

    /// From one part of the step to another: two stages with one matrix `I - γhJ`.
    fn rosenbrock(&mut self, x: &[f64], from: f64, to: f64) -> Result<Vec<f64>, NoValue> {
        let (n, h) = (x.len(), (to - from) * self.h);
        let f = self.rates(x, from)?;
        let jacobian = self.jacobian(x, from, &f)?;
        let mut lu = Lu::new(n);
        for row in 0..n {
            for column in 0..n {
                let identity = if row == column { 1.0 } else { 0.0 };
                lu.matrix_mut()[row * n + column] = identity - GAMMA * h * jacobian[row * n + column];
            }
        }
        if lu.factorise_in_place().is_err() {
            return Ok(vec![f64::NAN; n]);
        }
        // how the derivatives change with time alone, times h
        let later = self.rates(x, to)?;
        let drift: Vec<f64> = later.iter().zip(&f).map(|(later, f)| later - f).collect();
        let mut k1 = moved(&f, GAMMA, &drift);
        lu.solve(&mut k1);
        let end = self.rates(&moved(x, h, &k1), to)?;
        let mut k2: Vec<f64> =
            end.iter().zip(&k1).zip(&drift).map(|((f, k1), drift)| f - 2.0 * k1 - GAMMA * drift).collect();
        lu.solve(&mut k2);
        Ok(x.iter().zip(k1.iter().zip(&k2)).map(|(x, (k1, k2))| x + h * (1.5 * k1 + 0.5 * k2)).collect())
    }

    /// The derivatives of the rates by the states, by rows.
    fn jacobian(&mut self, x: &[f64], part: f64, f: &[f64]) -> Result<Vec<f64>, NoValue> {
        let n = x.len();
        let mut jacobian = vec![0.0; n * n];
        for column in 0..n {
            let mut x = x.to_vec();
            let shift = f64::EPSILON.sqrt() * x[column].abs().max(1.0);
            x[column] += shift;
            let there = self.rates(&x, part)?;
            for row in 0..n {
                jacobian[row * n + column] = (there[row] - f[row]) / shift;
            }
        }
        Ok(jacobian)
    }

    /// In as many parts as the tolerance takes, by extrapolation of the two last divisions.
    fn within_tolerance(&mut self, x: &[f64], tolerance: f64) -> Result<Vec<f64>, NoValue> {
        let mut coarse = self.in_parts(x, 1)?;
        let mut parts = 2;
        loop {
            let fine = self.in_parts(x, parts)?;
            // the method is of order two
            let better: Vec<f64> =
                fine.iter().zip(&coarse).map(|(fine, coarse)| fine + (fine - coarse) / 3.0).collect();
            let is_close = better
                .iter()
                .zip(&fine)
                .all(|(better, fine)| (better - fine).abs() <= tolerance * (1.0 + better.abs()));
            if is_close || parts >= MOST_PARTS {
                return Ok(better);
            }
            coarse = fine;
            parts *= 2;
        }
    }

    fn in_parts(&mut self, x: &[f64], parts: usize) -> Result<Vec<f64>, NoValue> {
        let mut x = x.to_vec();
        for i in 0..parts {
            x = self.rosenbrock(&x, i as f64 / parts as f64, (i + 1) as f64 / parts as f64)?;
        }
        Ok(x)
    }
}
