//! Implicit Euler steps through a region in which the flow contracts: however long they are, they end where the flow does.

use super::constants::*;
use super::contraction::{Field, Norm, steepening};
use super::newton::Newton;
use super::{Continuation, Options};
use crate::newton::System;

impl Continuation {
    /// Goes to the equilibrium by steps that grow as the residual falls (switched evolution relaxation), all of them within a region in
    /// which the flow contracts in one norm. Otherwise `x` stays where it is.
    pub(super) fn arrive_by_euler(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        options: &Options<'_>,
    ) -> bool {
        let Some(field) = self.field(options) else { return false };
        let norms = self.norms_of(&field, options);
        if norms.is_empty() {
            return false;
        }
        let (start, kept) = (x.to_vec(), self.kept.clone());
        if self.n >= MANY && self.leap(system, x, (&norms, &field), options) {
            return true;
        }
        x.copy_from_slice(&start);
        self.return_to_kept();
        if self.arrive_in(system, x, (norms, field), options) {
            return true;
        }
        x.copy_from_slice(&start);
        self.kept = kept;
        self.return_to_kept();
        false
    }

    /// Goes to the equilibrium in one step without end, if the flow contracts in one norm there and at points all along the way. It begins
    /// with slopes from aside: where the inputs of a chain have changed, all of the change lies on its first link, whose slope says nothing.
    fn leap(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        (norms, field): (&[Norm], &Field),
        options: &Options<'_>,
    ) -> bool {
        let start = x.to_vec();
        let Some(moved) = self.step_from_aside(system, x, TIMES.1 / field.pace(), options) else {
            return false;
        };
        let last = self.newton(system, x, options, MOST_LAST_CORRECTIONS, TRUST * moved);
        if !matches!(last, Newton::Converged { .. }) || self.differentiate(system, x, options).is_err() {
            return false;
        }
        let way = (start.as_slice(), &*x);
        let contracts = self.contracting(system, way, &BETWEEN_STEEPER, (norms, field), options).is_some();
        // variables that follow have values of the point differentiated last
        let _ = self.differentiate(system, x, options);
        self.steps += u32::from(contracts);
        contracts
    }

    fn arrive_in(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        (mut norms, mut field): (Vec<Norm>, Field),
        options: &Options<'_>,
    ) -> bool {
        let mut h = 1.0 / field.pace();
        let (mut failures, mut unsolved, mut steps) = (0, 0, 0);
        let mut is_rigid = true;
        while failures < MOST_FAILURES
            && unsolved < MOST_UNSOLVED
            && steps < MOST_EULER_STEPS
            && self.calls < most_work(self.n).1 / 2
        {
            let (from, before) = (x.to_vec(), self.flow_size(x, options));
            let mut stepped = self.step(system, x, h, MOST_STEP_CORRECTIONS, options);
            if stepped.is_none() && std::mem::replace(&mut is_rigid, false) {
                x.copy_from_slice(&from);
                stepped = self.step_from_aside(system, x, TIMES.1 / field.pace(), options);
            }
            let way = stepped.and_then(|moved| {
                let way = (from.as_slice(), &*x);
                Some((moved, self.contracting(system, way, looks_up_to(moved), (&norms, &field), options)?))
            });
            let Some((moved, (reached, still))) = way else {
                x.copy_from_slice(&from);
                self.return_to_kept();
                h /= SHRINK;
                (failures, unsolved) =
                    if stepped.is_some() { (failures + 1, unsolved) } else { (failures, unsolved + 1) };
                continue;
            };
            (failures, unsolved, steps, field, norms) = (0, 0, steps + 1, reached, still);
            self.steps += 1;
            self.keep();
            let after = self.flow_size(x, options);
            h = (h * (before / after).clamp(GROWTH.0, GROWTH.1)).min(TIMES.1 / field.pace());
            if self.correction(options, x) <= TRUST * moved {
                let reached = x.to_vec();
                let trust = 10.0 * TRUST * moved;
                let last = self.newton(system, x, options, MOST_LAST_CORRECTIONS, trust);
                if matches!(last, Newton::Converged { .. })
                    && self.differentiate(system, x, options).is_ok()
                    && self
                        .contracting(system, (&reached, x), looks_up_to(trust), (&norms, &field), options)
                        .is_some()
                {
                    // variables that follow have values of the point differentiated last
                    let _ = self.differentiate(system, x, options);
                    return true;
                }
                x.copy_from_slice(&reached);
                self.return_to_kept();
            }
        }
        false
    }

    /// The field at the end of a way that was differentiated last, and the norms in which the flow contracts there and on the way; nothing
    /// without such norms. The way is looked at where `looks` says, and closer if the field becomes steeper.
    fn contracting(
        &mut self,
        system: &mut dyn System,
        (from, to): (&[f64], &[f64]),
        looks: &[f64],
        (norms, before): (&[Norm], &Field),
        options: &Options<'_>,
    ) -> Option<(Field, Vec<Norm>)> {
        let reached = self.field(options)?;
        let way: Vec<f64> =
            (0..options.rates.len()).map(|i| (to[i] - from[i]) / Self::size(options, to, i)).collect();
        let mut still: Vec<Norm> = norms.iter().filter(|norm| norm.contracts(&reached)).cloned().collect();
        let is_steeper = steepening(before, &reached, &way).0 > STEEPER;
        if is_steeper && way.len() == 1 {
            return None; // to follow one unknown is cheap
        }
        let looks = if is_steeper { &BETWEEN_STEEPER } else { looks };
        let here = self.matrix.values().to_vec();
        for share in looks {
            let point: Vec<f64> = from.iter().zip(to).map(|(a, b)| a + share * (b - a)).collect();
            let between = self.differentiate(system, &point, options).ok().and_then(|()| self.field(options));
            still.retain(|norm| between.as_ref().is_some_and(|field| norm.contracts(field)));
        }
        self.matrix.values_mut().copy_from_slice(&here);
        (!still.is_empty()).then_some((reached, still))
    }

    /// One step that begins with slopes from further aside.
    fn step_from_aside(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        h: f64,
        options: &Options<'_>,
    ) -> Option<f64> {
        self.return_to_kept();
        self.differentiate_aside(system, x, FURTHER_ASIDE, options).ok()?;
        self.step(system, x, h, MOST_CORRECTIONS_ASIDE, options)
    }

    /// One step of the implicit Euler method, `(y − x)/h = D f(y)`; moves `x` and says how far. Residual and derivatives are those of
    /// `x` before, and of the new `x` after.
    pub(super) fn step(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        h: f64,
        most: u32,
        options: &Options<'_>,
    ) -> Option<f64> {
        let (from, mut y) = (x.to_vec(), x.to_vec());
        let mut correction = vec![0.0; self.n];
        for _ in 0..most {
            if !self.matrix.factorise_step(h, &self.scale, options.rates.len()) {
                return None;
            }
            self.correct_step(&from, &y, h, options, &mut correction);
            let size = Self::norm(options, &y, &correction);
            let part = self.damped(system, &from, &mut y, h, options, &correction)?;
            self.differentiate(system, &y, options).ok()?;
            let way: Vec<f64> = y.iter().zip(&from).map(|(y, from)| y - from).collect();
            let moved = Self::norm(options, &y, &way);
            if part == 1.0 && (size <= STEP_TOLERANCE * moved || size <= TOLERANCE) {
                x.copy_from_slice(&y);
                return Some(moved);
            }
        }
        None
    }

    /// Moves `y` by the largest part of a correction that leaves less to correct, and says which.
    fn damped(
        &mut self,
        system: &mut dyn System,
        from: &[f64],
        y: &mut [f64],
        h: f64,
        options: &Options<'_>,
        correction: &[f64],
    ) -> Option<f64> {
        let size = Self::norm(options, y, correction);
        let (before, mut left) = (y.to_vec(), vec![0.0; self.n]);
        let mut part = 1.0;
        for _ in 0..MOST_PARTS {
            for (y, (before, correction)) in y.iter_mut().zip(before.iter().zip(correction)) {
                *y = before + part * correction;
            }
            if self.evaluate(system, y, options).is_ok() {
                self.correct_step(from, y, h, options, &mut left);
                if size <= TOLERANCE || Self::norm(options, y, &left) <= (1.0 - DECREASE * part) * size {
                    return Some(part);
                }
            }
            part *= 0.5;
        }
        None
    }

    /// The correction of `y` that a step from `from` asks for.
    fn correct_step(
        &mut self,
        from: &[f64],
        y: &[f64],
        h: f64,
        options: &Options<'_>,
        correction: &mut [f64],
    ) {
        let m = options.rates.len();
        for (row, correction) in correction.iter_mut().enumerate() {
            *correction = self.residual[row] * if row < m { h * self.scale[row] } else { 1.0 };
        }
        let way: Vec<f64> = y.iter().zip(from).map(|(y, from)| y - from).collect();
        self.matrix.take_way(&way, m, correction);
        self.matrix.solve(correction);
    }
}

/// The shares of a way that are looked at, by its length.
fn looks_up_to(moved: f64) -> &'static [f64] {
    if moved > SHORT { &BETWEEN[..1] } else { &[] }
}
