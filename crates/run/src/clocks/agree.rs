//! Measured values that depend on the states that a step integrates with them.
//!
//! A measured state keeps its value during all stages of a step, and this is its value at the tick to which the step leads. Where it
//! depends on states that the same step integrates, both are unknown: the step is repeated until the value that its stages used is the
//! one that follows from its result, `m = g(m)`. Since `g` changes with `m` by about the length of the step, iteration converges;
//! Broyden's method (1965) makes it fast, and copes with steps for which it would not.

use rhei_equations::{VarId, number};
use rhei_model::CompiledPart;
use rhei_source::Diagnostic;

use super::{NoTick, Part};
use crate::constants::{MEASURED_AGREES, MEASURED_REPEATS, MEASURED_ROUNDED, MEASURED_SMALL};
use crate::message::Message;

impl Part {
    /// The measured states of the rhythms that take a step, each with the unknown that holds its value during the stages.
    pub(super) fn used_by_stages(&self, compiled: &CompiledPart) -> Vec<(VarId, VarId)> {
        let schedule = &compiled.schedule;
        let takes_step = |(_, value): &(VarId, VarId)| {
            schedule.rhythm(*value).is_some_and(|rhythm| {
                let is_later = self.times.ticks(rhythm) && !self.times.is_first(rhythm as usize);
                is_later && self.steppers.iter().any(|each| each.rhythm == rhythm && each.integrates())
            })
        };
        schedule.measured_in_stages.iter().copied().filter(takes_step).collect()
    }

    /// After the evaluation of a tick whose stages used these values: repeats its step until they agree with it.
    pub(super) fn agree(
        &mut self,
        compiled: &CompiledPart,
        measured: &[(VarId, VarId)],
        mut used: Vec<f64>,
        t: f64,
    ) -> Result<(), NoTick> {
        let no_tick = |why| NoTick { model: compiled.model.clone(), why };
        let mut change = self.beyond(measured, &used);
        let mut inverse = Inverse::identity(used.len());
        let mut last = f64::INFINITY;
        for _ in 0..MEASURED_REPEATS {
            let error = self.error(measured, &change);
            // near zero a value may have fewer digits than its own size tells
            let is_rounding = error > 0.5 * last && error < MEASURED_ROUNDED;
            if error <= MEASURED_AGREES || is_rounding {
                return Ok(());
            }
            last = error;
            let step = inverse.times(&change);
            used.iter_mut().zip(&step).for_each(|(used, step)| *used += step);
            for ((_, value), used) in measured.iter().zip(&used) {
                self.problem.values[value.index()] = *used;
            }
            self.steppers.iter().for_each(|stepper| stepper.return_to_start(&mut self.problem.values));
            self.advance_by_stages(compiled, t).map_err(no_tick)?;
            self.run_ticking(compiled).map_err(no_tick)?;
            let now = self.beyond(measured, &used);
            inverse.learn(&step, &change, &now);
            change = now;
        }
        self.said.push(Message::Fault(self.disagree(compiled, measured, &change, t)));
        Ok(())
    }

    /// Values that follow, less those used.
    fn beyond(&self, measured: &[(VarId, VarId)], used: &[f64]) -> Vec<f64> {
        measured
            .iter()
            .zip(used)
            .map(|((_, value), used)| self.problem.values[value.index()] - used)
            .collect()
    }

    /// The largest change, relative to its value or, once there is little left of that, to the nominal value.
    fn error(&self, measured: &[(VarId, VarId)], change: &[f64]) -> f64 {
        let relative = |((state, value), change): (&(VarId, VarId), &f64)| {
            let size = self.problem.values[value.index()].abs();
            let nominal = self.problem.evaluator.nominal(*state);
            let relative = change.abs() / size.max(MEASURED_SMALL * nominal);
            if relative.is_nan() { f64::INFINITY } else { relative }
        };
        measured.iter().zip(change).map(relative).fold(0.0, f64::max)
    }

    fn disagree(
        &self,
        compiled: &CompiledPart,
        measured: &[(VarId, VarId)],
        change: &[f64],
        t: f64,
    ) -> Diagnostic {
        let model = &compiled.model;
        let worst =
            (0..change.len()).max_by(|&a, &b| change[a].abs().total_cmp(&change[b].abs())).unwrap_or(0);
        let variable = model.equations.variable(measured[worst].0);
        let message = format!(
            "at t = {}, no value is found for `{}`: it depends on states that the step to this tick integrates, and they depend on it",
            number(t),
            variable.name
        );
        let diagnostic = Diagnostic::error("loop-no-solution", message);
        let diagnostic = match variable.span {
            Some(span) => diagnostic.at(span, "measured here"),
            None => diagnostic,
        };
        diagnostic.with_note(format!(
            "the step was repeated {MEASURED_REPEATS} times; let the clock tick more often"
        ))
    }
}

/// An approximation of the inverse of the derivative of `m - g(m)`.
struct Inverse {
    n: usize,
    entries: Vec<f64>,
}

impl Inverse {
    fn identity(n: usize) -> Inverse {
        let mut entries = vec![0.0; n * n];
        entries.iter_mut().step_by(n + 1).for_each(|entry| *entry = 1.0);
        Inverse { n, entries }
    }

    fn times(&self, vector: &[f64]) -> Vec<f64> {
        let dot = |row: &[f64]| row.iter().zip(vector).map(|(a, b)| a * b).sum();
        self.entries.chunks_exact(self.n).map(dot).collect()
    }

    /// After a step that changed `g(m) - m` from `before` to `now` (Sherman and Morrison's formula).
    fn learn(&mut self, step: &[f64], before: &[f64], now: &[f64]) {
        let fallen: Vec<f64> = before.iter().zip(now).map(|(before, now)| before - now).collect();
        let expected = self.times(&fallen);
        let weight: f64 = step.iter().zip(&expected).map(|(a, b)| a * b).sum();
        if weight == 0.0 || !weight.is_finite() {
            return;
        }
        let from_left: Vec<f64> =
            (0..self.n).map(|j| (0..self.n).map(|i| step[i] * self.entries[i * self.n + j]).sum()).collect();
        for i in 0..self.n {
            for (j, left) in from_left.iter().enumerate() {
                self.entries[i * self.n + j] += (step[i] - expected[i]) * left / weight;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_values_that_need_each_other_are_found() {
        // m = g(m), with a derivative of two: iteration alone diverges
        let g = |m: &[f64]| [2.0 * m[0] - 0.5 * m[1] + 1.0, 0.3 * m[0] + 0.1 * m[1].sin()];
        let mut m = [0.0, 0.0];
        let beyond = |m: &[f64]| -> Vec<f64> { g(m).iter().zip(m).map(|(g, m)| g - m).collect() };
        let mut inverse = Inverse::identity(2);
        let mut change = beyond(&m);
        for _ in 0..20 {
            let step = inverse.times(&change);
            m.iter_mut().zip(&step).for_each(|(m, step)| *m += step);
            let now = beyond(&m);
            inverse.learn(&step, &change, &now);
            change = now;
        }
        assert!(change.iter().all(|change| change.abs() < 1e-13), "{m:?}: {change:?}");
    }
}
