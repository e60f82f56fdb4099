//! Loops: a search for a solution begins with some guesses and continues in several ways, as the request says ([`Search`]).

use std::borrow::Cow;
use std::rc::Rc;

use rhei_equations::VarId;
use rhei_kernel::Iteration;
use rhei_numerics::newton::{Held, Newton, NewtonFailure, Options, Solved};
use rhei_numerics::projection::displacement;

use crate::constants::{LOOP_FOUND, LOOP_INSIDE, LOOP_ITERATIONS_EACH};
use crate::evaluate::{
    Evaluator, Limits, LoopMemory, NoValue, Residuals, Unsolved, Why, finite_or_zero, refill, set,
};
use crate::guesses::{Fitting, Trust, fit};
use crate::search::{Begin, Search, Way};

impl Evaluator {
    /// Solves a loop, from the last values of its unknowns.
    pub(crate) fn iterate(
        &mut self,
        iteration: &Iteration,
        values: &mut [f64],
        search: Search<'_>,
    ) -> Result<(), NoValue> {
        if !iteration.balance.is_empty() {
            return self.find_equilibrium(iteration, values, search);
        }
        let mut memory = std::mem::take(self.memory.entry(iteration.id).or_default());
        let before = self.searched;
        self.determinant = None;
        let solved = self.iterate_within(iteration, values, &mut memory, search);
        let (searches, iterations) = self.searched;
        memory.solves += u64::from(searches > before.0);
        memory.iterations += iterations - before.1;
        memory.determinant = self.determinant;
        self.memory.insert(iteration.id, memory);
        solved
    }

    fn iterate_within(
        &mut self,
        iteration: &Iteration,
        values: &mut [f64],
        memory: &mut LoopMemory,
        search: Search<'_>,
    ) -> Result<(), NoValue> {
        let LoopMemory { guesses, x, .. } = memory;
        let unknowns = || iteration.guessed.iter();
        if let Some(factors) = &iteration.factors {
            refill(x, unknowns().map(|v| values[v.index()]));
            if let Some(solved) = self.solve_by_least_change(iteration, x, values, search) {
                return solved;
            }
            set(iteration, values, x);
            if self.solve_linear(iteration, factors, values) {
                return Ok(());
            }
            set(iteration, values, x);
        }
        refill(guesses, unknowns().map(|v| finite_or_zero(values[v.index()])));
        let mut failure = None;
        for &begin in search.strategies.begins {
            let from = self.beginning(begin, iteration, guesses, failure.as_ref(), values, search);
            let Some(from) = from else { continue };
            match (self.search(iteration, &from, x, values, search), begin) {
                (Ok(()), _) => {
                    self.note_beginning(begin, iteration);
                    // the last evaluation may have been at other values
                    set(iteration, values, x);
                    return iteration.program.run(values, &self.functions).map_err(NoValue::Fault);
                }
                (Err(why), Begin::Last) => failure = Some(why),
                (Err(_), _) => {}
            }
        }
        let failure = failure.expect("every search begins with the last values, too");
        let limits = self.limits(iteration);
        let why = why(failure, &limits);
        // so that the next attempt does not begin at the end of this one
        set(iteration, values, guesses);
        let (guesses, nominals) = (guesses.clone(), limits.nominals.clone());
        let iteration = iteration.clone();
        Err(NoValue::Unsolved(Box::new(Unsolved { iteration, guesses, nominals, why })))
    }

    /// Guesses that a search begins with; `last` are the last values of the unknowns, and `failure` is the result of a search
    /// that began there. None if this beginning does not apply.
    fn beginning<'g>(
        &mut self,
        begin: Begin,
        iteration: &Iteration,
        last: &'g [f64],
        failure: Option<&NewtonFailure>,
        values: &mut [f64],
        search: Search<'_>,
    ) -> Option<Cow<'g, [f64]>> {
        match begin {
            Begin::Last => Some(Cow::Borrowed(last)),
            Begin::Fitted => self.fitted(iteration, values, search.trust?).map(Cow::Owned),
            Begin::Beside => match failure {
                Some(NewtonFailure::Singular { .. }) => {
                    let limits = self.limits(iteration);
                    Some(Cow::Owned(displaced(last, &limits)))
                }
                _ => None,
            },
            // the flow may be slow, not at rest, where an exponential dominates: the search continues from there
            Begin::AlongFlow => self.follow_flow(iteration, last, values, search).map(Cow::Owned),
        }
    }

    /// Records the beginning of a successful search, if it is to be reported.
    fn note_beginning(&mut self, begin: Begin, iteration: &Iteration) {
        match begin {
            Begin::Beside => self.displaced.extend(&iteration.guessed),
            Begin::AlongFlow => self.followed.extend(&iteration.guessed),
            Begin::Fitted | Begin::Last => {}
        }
    }

    /// First guesses that agree with the start values of the variables that follow.
    pub(crate) fn fitted(
        &mut self,
        iteration: &Iteration,
        values: &mut [f64],
        trust: &[Trust],
    ) -> Option<Vec<f64>> {
        let (nominals, small) = (&self.nominals, &self.small);
        let nominal = |v: VarId| nominals.get(&v).or_else(|| small.get(&v)).copied().unwrap_or(1.0);
        let (changes, functions) = (&mut self.changes[..], &self.functions);
        fit(iteration, Fitting { trust, nominal: &nominal, changes, functions }, values)
    }

    /// Sets the unknowns of a loop to its first guesses.
    pub(crate) fn guess(&mut self, iteration: &Iteration, values: &mut [f64], trust: &[Trust]) {
        if let Some(fitted) = self.fitted(iteration, values, trust) {
            set(iteration, values, &fitted);
        }
    }

    /// Writes the solution that Newton's method finds from the guesses of a loop into `x`. If it finds none in sizes taken from
    /// small start values, these may be wrong: it is tried again with nominal values alone, which are kept if they succeed.
    fn search(
        &mut self,
        iteration: &Iteration,
        guesses: &[f64],
        x: &mut Vec<f64>,
        values: &mut [f64],
        search: Search<'_>,
    ) -> Result<(), NewtonFailure> {
        let Err(failure) = self.search_in_sizes(iteration, guesses, x, values, search) else { return Ok(()) };
        let limits = self.limits(iteration);
        let plain: Vec<f64> = iteration.guessed.iter().map(|v| self.nominal(*v)).collect();
        if plain == limits.nominals {
            return Err(failure);
        }
        let plain = Limits { nominals: plain, ..(*limits).clone() };
        self.limits.insert(iteration.id, Rc::new(plain));
        self.search_in_sizes(iteration, guesses, x, values, search).map_err(|_| {
            self.limits.insert(iteration.id, limits);
            failure
        })
    }

    /// The same in the present sizes of the unknowns.
    fn search_in_sizes(
        &mut self,
        iteration: &Iteration,
        guesses: &[f64],
        x: &mut Vec<f64>,
        values: &mut [f64],
        search: Search<'_>,
    ) -> Result<(), NewtonFailure> {
        match self.search_from(iteration, guesses, x, values, search) {
            Err(NewtonFailure::EvaluationFailed { iterations: 0, reason })
                if search.strategies.continues_exponentials =>
            {
                // an exponential may overflow at the guess
                self.functions.continue_exponentials(true);
                let found = self.search_from(iteration, guesses, x, values, search);
                self.functions.continue_exponentials(false);
                let beside = x.clone();
                found
                    .and_then(|()| self.search_from(iteration, &beside, x, values, search))
                    .map_err(|_| NewtonFailure::EvaluationFailed { iterations: 0, reason })
            }
            found => found,
        }
    }

    /// The same in all ways from these guesses, until one finds a solution.
    fn search_from(
        &mut self,
        iteration: &Iteration,
        guesses: &[f64],
        x: &mut Vec<f64>,
        values: &mut [f64],
        search: Search<'_>,
    ) -> Result<(), NewtonFailure> {
        let limits = self.limits(iteration);
        let n = guesses.len();
        let plan = self.plan(iteration);
        let newton = match plan.as_ref().filter(|plan| plan.is_sparse) {
            Some(plan) => self
                .sparse_newton
                .entry(iteration.id)
                .or_insert_with(|| Newton::sparse(plan.pattern.clone()).unwrap_or_else(|| Newton::new(n))),
            None => self.newton.entry(n).or_insert_with(|| Newton::new(n)),
        };
        let (changes, functions) = (&mut self.changes[..], &self.functions);
        let mut system = Residuals::new(iteration, values, changes, functions)
            .with_plan(plan.as_deref())
            .with_budget(search.budget);
        let mut options =
            Options { nominal: &limits.nominals, min: &limits.min, max: &limits.max, ..Options::default() };
        if self.functions.continues_exponentials() {
            options.max_iterations += LOOP_ITERATIONS_EACH * n as u32;
        }
        let (searched, determinant) = (&mut self.searched, &mut self.determinant);
        let mut solve = |system: &mut Residuals<'_>, from: &[f64], options: &Options<'_>| {
            refill(x, from.iter().copied());
            let solved = newton.solve(system, x, options);
            searched.0 += 1;
            *determinant = newton.determinant().filter(|_| solved.is_ok()).or(*determinant);
            searched.1 += u64::from(match &solved {
                Ok(solved) => solved.iterations,
                Err(failure) => failure.iterations(),
            });
            solved
        };
        let is_solution = |found: Result<Solved, _>| found.is_ok_and(|solved| solved.residual < LOOP_FOUND);
        let mut others = None;
        let mut next_other = || {
            let anywhere = search.strategies.reach_anywhere();
            let find =
                || self.starting_points.others(&iteration.guessed, guesses, &limits.nominals, anywhere);
            others.get_or_insert_with(|| find().into_iter()).next()
        };
        let mut failure = None;
        for way in search.strategies.ways {
            let is_found = match way {
                Way::WithinRanges if limits.following.is_empty() => false,
                Way::WithinRanges => {
                    system.within.clone_from(&limits.following);
                    let is_found = solve(&mut system, guesses, &options).is_ok();
                    system.within.clear();
                    is_found
                }
                Way::Newton => {
                    failure = solve(&mut system, guesses, &options).err();
                    failure.is_none()
                }
                Way::NearestOther => {
                    let other = next_other();
                    other.is_some_and(|other| is_solution(solve(&mut system, &other, &options)))
                }
                Way::Leaps => {
                    let leaping = Options { leaps: true, ..options.clone() };
                    is_solution(solve(&mut system, guesses, &leaping))
                }
                Way::FurtherInside => {
                    let further = |far| further_inside(failure.as_ref(), &limits, guesses, far);
                    let mut inside = LOOP_INSIDE.into_iter().map_while(further);
                    inside.any(|inside| solve(&mut system, &inside, &options).is_ok())
                }
                Way::AllOthers => std::iter::from_fn(&mut next_other)
                    .any(|other| is_solution(solve(&mut system, &other, &options))),
            };
            if is_found {
                return Ok(());
            }
        }
        Err(failure.expect("every search goes on by Newton's method, too"))
    }
}

/// Guesses displaced from a singular point, as zero is for `x^2 = 4`: upwards, and each by another amount.
fn displaced(guesses: &[f64], limits: &Limits) -> Vec<f64> {
    let above = |(i, guess): (usize, &f64)| {
        let moved = guess + limits.nominals[i] * displacement(i);
        if limits.min[i] <= limits.max[i] { moved.clamp(limits.min[i], limits.max[i]) } else { moved }
    };
    guesses.iter().enumerate().map(above).collect()
}

/// Guesses further inside for a search that was held at a bound it began beside; none if it was not held.
fn further_inside(
    failure: Option<&NewtonFailure>,
    limits: &Limits,
    guesses: &[f64],
    far: f64,
) -> Option<Vec<f64>> {
    let Some(&NewtonFailure::NotConverged { held: Some(Held { unknown, at_max }), .. }) = failure else {
        return None;
    };
    let bound = if at_max { limits.max[unknown] } else { limits.min[unknown] };
    let way = limits.nominals[unknown].max(bound.abs()) * if at_max { -1.0 } else { 1.0 };
    let mut inside = guesses.to_vec();
    inside[unknown] = (bound + far * way).clamp(limits.min[unknown], limits.max[unknown]);
    Some(inside)
}

/// Why Newton's method failed, in terms of a loop.
fn why(failure: NewtonFailure, limits: &Limits) -> Why {
    match failure {
        NewtonFailure::NotConverged { held: Some(Held { unknown, at_max }), .. } => {
            let bound = if at_max { limits.max[unknown] } else { limits.min[unknown] };
            Why::Held { unknown, at_max, bound }
        }
        NewtonFailure::NotConverged { iterations, residual, worst_equation, .. } => {
            Why::NotConverged { worst: worst_equation, residual, iterations }
        }
        NewtonFailure::Singular { unknown, .. } => Why::Singular { unknown },
        NewtonFailure::EvaluationFailed { reason, .. } => match reason.downcast_ref::<NoValue>() {
            Some(NoValue::Fault(fault)) => Why::Fault(fault.clone()),
            _ => Why::Singular { unknown: 0 },
        },
    }
}
