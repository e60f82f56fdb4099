//! The explicit rules: Euler, Heun, midpoint and the classical Runge–Kutta method (Kutta 1901).

use super::{Interpolation, Point, Rule, evaluate};
use crate::evaluator::Evaluator;
use crate::integrator::{Failure, Settings};

/// `y + h f`.
pub(crate) struct Euler;

impl Rule for Euler {
    const INTERPOLATION: Interpolation = Interpolation::Hermite;

    fn order(&self) -> u32 {
        1
    }

    fn advance(&mut self, _: &Evaluator, _: &Settings, from: &Point, to: &mut Point) -> Result<(), Failure> {
        along(from, to.t - from.t, &from.dy, &mut to.y);
        Ok(())
    }
}

/// Euler, then the mean of both slopes.
pub(crate) struct Heun;

impl Rule for Heun {
    const INTERPOLATION: Interpolation = Interpolation::Hermite;

    fn order(&self) -> u32 {
        2
    }

    fn advance(
        &mut self,
        evaluator: &Evaluator,
        _: &Settings,
        from: &Point,
        to: &mut Point,
    ) -> Result<(), Failure> {
        let h = to.t - from.t;
        along(from, h, &from.dy, &mut to.y);
        evaluate(evaluator, from.t, to.t, &to.y, &mut to.dy)?;
        for i in 0..to.y.len() {
            to.y[i] = from.y[i] + h / 2.0 * (from.dy[i] + to.dy[i]);
        }
        Ok(())
    }
}

/// Half a step of Euler, then the slope found there.
pub(crate) struct Midpoint;

impl Rule for Midpoint {
    const INTERPOLATION: Interpolation = Interpolation::Hermite;

    fn order(&self) -> u32 {
        2
    }

    fn advance(
        &mut self,
        evaluator: &Evaluator,
        _: &Settings,
        from: &Point,
        to: &mut Point,
    ) -> Result<(), Failure> {
        let h = to.t - from.t;
        along(from, h / 2.0, &from.dy, &mut to.y);
        evaluate(evaluator, from.t, from.t + h / 2.0, &to.y, &mut to.dy)?;
        for i in 0..to.y.len() {
            to.y[i] = from.y[i] + h * to.dy[i];
        }
        Ok(())
    }
}

/// Four slopes, weighted 1 : 2 : 2 : 1.
pub(crate) struct Rk4;

impl Rule for Rk4 {
    const INTERPOLATION: Interpolation = Interpolation::Hermite;

    fn order(&self) -> u32 {
        4
    }

    fn advance(
        &mut self,
        evaluator: &Evaluator,
        _: &Settings,
        from: &Point,
        to: &mut Point,
    ) -> Result<(), Failure> {
        let h = to.t - from.t;
        let middle = from.t + h / 2.0;
        let mut slope = from.dy.clone();
        let mut sum = from.dy.clone();
        for (t, part, weight) in [(middle, 0.5, 2.0), (middle, 0.5, 2.0), (to.t, 1.0, 1.0)] {
            along(from, part * h, &slope, &mut to.y);
            evaluate(evaluator, from.t, t, &to.y, &mut slope)?;
            for i in 0..sum.len() {
                sum[i] += weight * slope[i];
            }
        }
        along(from, h / 6.0, &sum, &mut to.y);
        Ok(())
    }
}

fn along(from: &Point, h: f64, slope: &[f64], y: &mut [f64]) {
    for i in 0..y.len() {
        y[i] = from.y[i] + h * slope[i];
    }
}
