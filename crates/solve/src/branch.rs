//! The branch of equilibria of a group, along the inputs of its balances.
//!
//! Between events inputs change little by little, and what is balanced goes along: the equilibrium is traced from the inputs at the last
//! accepted point to the present ones, by parts of the way that are as long as the flow is seen to contract (`Continuation::approach`).
//! Most often that is the whole way. Where the branch ends, the flow leads on to another one, at the inputs that are asked for; but for an
//! integrator that tries points within a step, the end of the branch goes on, so that what it sees does not jump.

use std::rc::Rc;

use rhei_kernel::Iteration;
use rhei_numerics::continuation::{Options, Stuck, Why};
use rhei_numerics::newton::System;
use rustc_hash::FxHashSet;

use crate::constants::{BRANCH_AGREES, BRANCH_MATTERS, BRANCH_PARTS, BRANCH_ROUNDING, BRANCH_SMALLEST_PART};
use crate::evaluate::{Evaluator, Residuals};
use crate::groups::Group;
use crate::loop_matrix::{Plan, along_inputs};
use crate::search::Search;

/// An equilibrium.
pub(crate) struct Found {
    pub(crate) x: Vec<f64>,
    /// Whether it may lie on another branch than the last one.
    pub(crate) left: bool,
    /// Whether it is the end of a branch that goes on for an integrator.
    pub(crate) is_end: bool,
}

/// The work of a search.
#[derive(Clone, Copy, Default)]
pub(crate) struct Work {
    pub(crate) calls: u32,
    /// Whether Newton's method alone did not do.
    pub(crate) followed: bool,
}

/// A search for the equilibrium of a group.
pub(crate) struct BranchSearch<'a> {
    pub(crate) evaluator: &'a mut Evaluator,
    pub(crate) iteration: &'a Iteration,
    pub(crate) group: &'a mut Group,
    /// The present inputs, at the beginning and at the end.
    pub(crate) values: &'a mut [f64],
    pub(crate) options: Options<'a>,
    pub(crate) search: Search<'a>,
    pub(crate) work: Work,
}

/// A way of the inputs.
struct Way {
    from: Vec<f64>,
    to: Vec<f64>,
    discrete: Rc<FxHashSet<usize>>,
}

impl Way {
    /// Sets the inputs at a part of the way; what changes at events only has its present value.
    fn set(&self, iteration: &Iteration, values: &mut [f64], part: f64) {
        for (slot, (from, to)) in iteration.inputs.iter().zip(self.from.iter().zip(&self.to)) {
            let is_there = part == 1.0 || self.discrete.contains(&slot.index());
            values[slot.index()] = if is_there { *to } else { from + part * (to - from) };
        }
    }

    fn change(&self, iteration: &Iteration, part: f64) -> Vec<f64> {
        let both = iteration.inputs.iter().zip(self.from.iter().zip(&self.to));
        let is_discrete = |slot: usize| self.discrete.contains(&slot);
        both.map(|(slot, (a, b))| if is_discrete(slot.index()) { 0.0 } else { part * (b - a) }).collect()
    }
}

impl BranchSearch<'_> {
    /// The equilibrium at the present inputs, from that at the last accepted point.
    pub(crate) fn find(&mut self, from: &[f64], inputs: &[f64]) -> Result<Found, Stuck> {
        let mut x = from.to_vec();
        let groups = &self.evaluator.groups;
        let is_trying = groups.is_trying;
        let discrete = groups.discrete.clone().filter(|_| !self.search.is_start() && !groups.has_jumped);
        let Some((discrete, before)) = discrete.zip(self.group.inputs.clone()) else {
            let left = self.follow(&mut x)?;
            return Ok(Found { x, left, is_end: false });
        };
        let way = Way { from: before, to: inputs.to_vec(), discrete };
        let is_whole = self.trace(&mut x, &way);
        if is_whole {
            return Ok(Found { x, left: false, is_end: false });
        }
        if is_trying || self.is_at_rest(&x)? {
            self.stay(&x)?;
            return Ok(Found { x, left: false, is_end: is_trying });
        }
        self.follow(&mut x)?;
        Ok(Found { x, left: true, is_end: false })
    }

    fn with_residuals<R>(
        &mut self,
        act: impl FnOnce(&mut Group, &mut Residuals<'_>, &Options<'_>) -> R,
    ) -> R {
        let plan = self.evaluator.plan(self.iteration);
        let (changes, functions) = (&mut self.evaluator.changes[..], &self.evaluator.functions);
        let mut system = Residuals::new(self.iteration, self.values, changes, functions)
            .with_plan(plan.as_deref().map(|plan: &Plan| plan))
            .with_budget(self.search.budget);
        act(self.group, &mut system, &self.options)
    }

    fn note(&mut self) {
        let (calls, steps) = self.group.solver.work();
        self.work.calls += calls;
        self.work.followed |= steps > 0;
    }

    /// Follows the flow; says whether it has expanded on the way.
    fn follow(&mut self, x: &mut [f64]) -> Result<bool, Stuck> {
        let found = self.with_residuals(|group, system, options| group.solver.solve(system, x, options));
        self.note();
        found.map(|reached| reached.expanded)
    }

    /// Evaluates the variables that follow where the branch has ended, and the residuals.
    fn stay(&mut self, x: &[f64]) -> Result<Vec<f64>, Stuck> {
        let mut residual = vec![0.0; x.len()];
        let evaluated = self.with_residuals(|_, system, _| system.residual(x, &mut residual));
        self.work.calls += 1;
        evaluated.map_err(|why| Stuck { why: Why::EvaluationFailed(why), calls: 1, steps: 0 })?;
        Ok(residual)
    }

    /// Whether rounding of the inputs explains the residuals where a branch ends: which way the flow goes cannot be told yet.
    fn is_at_rest(&mut self, x: &[f64]) -> Result<bool, Stuck> {
        let residual = self.stay(x)?;
        let inputs: Vec<f64> = self.iteration.inputs.iter().map(|slot| self.values[slot.index()]).collect();
        let (changes, functions) = (&mut self.evaluator.changes[..], &self.evaluator.functions);
        let terms = along_inputs(self.iteration, &inputs, self.values, changes, functions);
        let is_rounding = |(residual, terms): (&f64, &f64)| residual.abs() <= BRANCH_ROUNDING * terms.abs();
        Ok(residual.iter().zip(&terms).all(is_rounding))
    }

    /// Follows the branch along the inputs as far as it goes; says whether that is the whole way.
    fn trace(&mut self, x: &mut Vec<f64>, way: &Way) -> bool {
        let (mut done, mut part, mut parts) = (0.0, 1.0_f64, 0);
        while done < 1.0 && part > BRANCH_SMALLEST_PART && parts < BRANCH_PARTS {
            let next = (done + part).min(1.0);
            way.set(self.iteration, self.values, next);
            match self.approach(x, &way.change(self.iteration, next - done)) {
                Some(reached) => {
                    *x = reached;
                    (done, part) = (next, 2.0 * part);
                }
                None => part *= 0.5,
            }
            parts += 1;
        }
        self.work.followed |= parts > 1;
        way.set(self.iteration, self.values, 1.0);
        done >= 1.0
    }

    /// The equilibrium at the inputs that `values` holds, where the flow contracts on the way and the change of the inputs explains it.
    fn approach(&mut self, from: &[f64], change: &[f64]) -> Option<Vec<f64>> {
        let mut x = from.to_vec();
        let iteration = self.iteration;
        iteration.guessed.iter().zip(from).for_each(|(v, x)| self.values[v.index()] = *x);
        let (changes, functions) = (&mut self.evaluator.changes[..], &self.evaluator.functions);
        let expected = along_inputs(iteration, change, self.values, changes, functions);
        let found =
            self.with_residuals(|group, system, options| group.solver.approach(system, &mut x, options));
        self.note();
        let is_found = matches!(found, Ok(Some(_))) && self.is_explained(&expected);
        is_found.then_some(x)
    }

    /// Whether the residual at the beginning is that of the change of the inputs to first order: along a periodic field, more than a period
    /// would go unnoticed.
    fn is_explained(&self, expected: &[f64]) -> bool {
        let rates = self.options.rates.iter().copied().chain(std::iter::repeat(1.0));
        let first = self.group.solver.first_residual();
        let rows: Vec<(f64, f64)> = first
            .iter()
            .zip(expected)
            .zip(rates.zip(self.options.nominal))
            .map(|((first, expected), (rate, nominal))| (first * rate / nominal, expected * rate / nominal))
            .collect();
        let size = |(a, b): &(f64, f64)| a.abs().max(b.abs());
        let largest = rows.iter().map(size).fold(0.0, f64::max);
        rows.iter().all(|row| {
            let off = (row.0 - row.1).abs();
            off.is_nan() || off <= BRANCH_AGREES * size(row) || size(row) <= BRANCH_MATTERS * largest
        })
    }
}
