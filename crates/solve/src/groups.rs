//! Groups of balances: each is solved for a stable equilibrium of its flow, by continuation.
//!
//! A search begins with the values at the last accepted point (`accept`): the end of a step, an event, a tick.
//! Rejected steps leave no trace, so that the branch found depends on the solution alone. Between events the inputs of a group have come
//! to their present values little by little, and the equilibrium is followed along them (`branch`); at events and ticks they jump, and the
//! flow decides.

use std::rc::Rc;

use rhei_equations::VarId;
use rhei_kernel::Iteration;
use rhei_numerics::continuation::{Continuation, Options, Stuck, Why};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::branch::{BranchSearch, Found, Work};
use crate::constants::{GROUP_ALWAYS_CERTIFIED, GROUP_SOLUTIONS};
use crate::evaluate::{Evaluator, NoValue};
use crate::loop_matrix::Plan;
use crate::search::Search;

/// A group without a stable equilibrium.
#[derive(Clone, Debug)]
pub struct NoEquilibrium {
    pub(crate) iteration: Iteration,
    /// The point at which the search began.
    pub from: Vec<f64>,
    /// The point at which it ended, or the unstable equilibrium.
    pub at: Vec<f64>,
    /// How the search ended.
    pub end: End,
    /// Evaluations until then.
    pub calls: u32,
}

/// How a failed search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// The equilibrium is unstable, with this growth rate in units of the flow.
    Unstable(f64),
    /// It goes to infinity.
    Diverges,
    /// It has not converged.
    NotConverged,
}

/// Choices of a run about its balances.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balancing {
    /// Whether every equilibrium is certified to be stable; otherwise those of large groups once after each accepted point.
    pub certifies_all: bool,
}

/// The work of a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupWork {
    /// The balanced variables.
    pub variables: Vec<VarId>,
    /// Number of solutions.
    pub solves: u64,
    /// Evaluations of its right sides.
    pub calls: u64,
    /// Searches in which Newton's method alone failed.
    pub continuations: u64,
    /// Most evaluations of one search, with Newton's method alone and with continuation.
    pub most_calls: [u32; 2],
    /// The end of each step, with the evaluations since the last and whether one was a continuation.
    pub per_step: Vec<(f64, u32, bool)>,
}

/// Memory of all groups.
#[derive(Clone, Default)]
pub struct Groups {
    /// The choices of the run.
    pub(crate) choices: Balancing,
    /// Values at the last accepted point.
    accepted: FxHashMap<VarId, f64>,
    groups: FxHashMap<u32, Group>,
    work: Vec<GroupWork>,
    /// Whether a search may have left its branch since the last query.
    left: bool,
    /// Whether a point tried since the last query was beyond the end of a branch.
    ended: bool,
    /// Whether evaluations are only for rows.
    pub is_watching: bool,
    /// Whether an integrator tries points within a step: it sees a branch that ends go on.
    pub(crate) is_trying: bool,
    /// The slots that change at events only; none where inputs jump from each accepted point to the next, as at ticks.
    pub(crate) discrete: Option<Rc<FxHashSet<usize>>>,
    /// Whether inputs may have jumped since the last accepted point.
    pub(crate) has_jumped: bool,
    calls_since: Vec<(u32, bool)>,
}

#[derive(Clone)]
pub(crate) struct Group {
    /// Its place among `work`.
    work: usize,
    guessed: Vec<VarId>,
    targets: Vec<VarId>,
    pub(crate) rates: Vec<f64>,
    pub(crate) solver: Continuation,
    /// Inputs at the last accepted point.
    pub(crate) inputs: Option<Vec<f64>>,
    known: Vec<Known>,
    is_certified: bool,
}

/// A solution, with its inputs.
#[derive(Clone)]
struct Known {
    inputs: Vec<f64>,
    targets: Vec<f64>,
    /// Whether the search may have left its branch.
    left: bool,
    /// Whether it is the end of a branch that goes on for an integrator.
    is_end: bool,
}

fn same(a: &[f64], b: impl Iterator<Item = f64>) -> bool {
    a.iter().map(|x| x.to_bits()).eq(b.map(f64::to_bits))
}

impl Groups {
    /// Whether no group has been evaluated.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Lets searches begin with these values from now on, and forgets other solutions.
    pub fn accept(&mut self, values: &[f64], t: f64) {
        self.has_jumped = false;
        for group in self.groups.values_mut() {
            for v in &group.guessed {
                self.accepted.insert(*v, values[v.index()]);
            }
            group.is_certified = false;
            let targets = &group.targets;
            group.known.retain(|known| {
                !known.is_end && same(&known.targets, targets.iter().map(|v| values[v.index()]))
            });
            group.inputs = group.known.last().map(|known| known.inputs.clone());
        }
        for (work, (calls, followed)) in self.work.iter_mut().zip(&mut self.calls_since) {
            if *calls > 0 {
                work.per_step.push((t, std::mem::take(calls), std::mem::take(followed)));
            }
        }
    }

    /// Whether a search since the last query has passed points where its flow expands: the solution may be on another branch.
    pub fn take_left_branch(&mut self) -> bool {
        std::mem::take(&mut self.left)
    }

    /// Whether an integrator has tried a point beyond the end of a branch since the last query.
    pub fn take_end_of_branch(&mut self) -> bool {
        std::mem::take(&mut self.ended)
    }

    /// The balanced variables at the last accepted point.
    pub fn accepted(&self) -> Vec<(VarId, f64)> {
        let mut all: Vec<(VarId, f64)> = self.accepted.iter().map(|(v, value)| (*v, *value)).collect();
        all.sort_unstable_by_key(|(v, _)| *v);
        all
    }

    /// The memory carried over to another mode, which shares the first `n_common` variables.
    pub fn carried(&self, n_common: usize) -> Groups {
        let common = self.accepted.iter().filter(|(v, _)| v.index() < n_common);
        Groups {
            choices: self.choices,
            accepted: common.map(|(v, value)| (*v, *value)).collect(),
            work: self.work.clone(),
            calls_since: self.calls_since.clone(),
            left: self.left,
            ..Groups::default()
        }
    }

    /// The work of all groups.
    pub fn work(&self) -> &[GroupWork] {
        &self.work
    }

    fn new_group(&mut self, iteration: &Iteration, plan: Option<&Plan>) -> Group {
        let variables = &iteration.guessed[..iteration.balance.len()];
        let known = self.work.iter().position(|work| work.variables == variables);
        let work = known.unwrap_or_else(|| {
            self.work.push(GroupWork { variables: variables.to_vec(), ..GroupWork::default() });
            self.calls_since.push((0, false));
            self.work.len() - 1
        });
        let guessed: FxHashSet<VarId> = iteration.guessed.iter().copied().collect();
        let targets = iteration.program.targets().filter(|v| !guessed.contains(v));
        let sparse = plan.filter(|plan| plan.is_sparse);
        let sparse = sparse.and_then(|plan| Continuation::sparse(plan.pattern.clone()));
        Group {
            work,
            guessed: iteration.guessed.clone(),
            targets: iteration.guessed.iter().copied().chain(targets).collect(),
            rates: Vec::new(),
            solver: sparse.unwrap_or_else(|| Continuation::new(iteration.guessed.len())),
            inputs: None,
            known: Vec::new(),
            is_certified: false,
        }
    }
}

impl Evaluator {
    /// Finds the equilibrium of a group, from the values at the last accepted point.
    pub(crate) fn find_equilibrium(
        &mut self,
        iteration: &Iteration,
        values: &mut [f64],
        search: Search<'_>,
    ) -> Result<(), NoValue> {
        let mut group = match self.groups.groups.remove(&iteration.id) {
            Some(group) => group,
            None => {
                let plan = self.plan(iteration);
                self.groups.new_group(iteration, plan.as_deref())
            }
        };
        let solved = self.rest(iteration, &mut group, values, search);
        self.groups.groups.insert(iteration.id, group);
        solved
    }

    fn rest(
        &mut self,
        iteration: &Iteration,
        group: &mut Group,
        values: &mut [f64],
        search: Search<'_>,
    ) -> Result<(), NoValue> {
        let inputs: Vec<f64> = iteration.inputs.iter().map(|slot| values[slot.index()]).collect();
        let is_trying = self.groups.is_trying;
        let is_it =
            |known: &&Known| same(&known.inputs, inputs.iter().copied()) && (is_trying || !known.is_end);
        if let Some(known) = group.known.iter().find(is_it) {
            group.targets.iter().zip(&known.targets).for_each(|(v, value)| values[v.index()] = *value);
            self.groups.left |= known.left;
            return Ok(());
        }
        let starts = search.is_start();
        let accepted = &self.groups.accepted;
        let begin = |v: &VarId| accepted.get(v).copied().filter(|_| !starts).unwrap_or(values[v.index()]);
        let from: Vec<f64> =
            group.guessed.iter().map(begin).map(|x| if x.is_finite() { x } else { 0.0 }).collect();
        let limits = self.limits(iteration);
        if group.rates.is_empty() {
            group.guessed.iter().zip(&from).for_each(|(v, x)| values[v.index()] = *x);
            iteration.program.run(values, &self.functions).map_err(NoValue::Fault)?;
            // an assert reports factors that are not positive
            let rate = |factor: f64| if factor == 0.0 { 1.0 } else { 1.0 / factor.abs() };
            group.rates = iteration.balance.iter().map(|slot| rate(values[slot.index()])).collect();
        }
        let certifies_all = self.groups.choices.certifies_all || group.rates.len() <= GROUP_ALWAYS_CERTIFIED;
        let certify = starts || certifies_all || !group.is_certified;
        let rates = group.rates.clone();
        let options =
            Options { rates: &rates, nominal: &limits.nominals, min: &limits.min, max: &limits.max, certify };
        let work = Work::default();
        let mut branch = BranchSearch { evaluator: self, iteration, group, values, options, search, work };
        let found = branch.find(&from, &inputs);
        let work = branch.work;
        let left = !matches!(found, Ok(Found { left: false, .. }));
        self.groups.left |= left;
        self.groups.ended |= matches!(found, Ok(Found { is_end: true, .. }));
        self.groups.note(group.work, work.calls, work.followed);
        match found {
            Ok(Found { x, is_end, .. }) => {
                group.is_certified |= certify;
                group.guessed.iter().zip(&x).for_each(|(v, x)| values[v.index()] = *x);
                let targets = group.targets.iter().map(|v| values[v.index()]).collect();
                if group.known.len() == GROUP_SOLUTIONS {
                    group.known.remove(0);
                }
                group.known.push(Known { inputs, targets, left, is_end });
                Ok(())
            }
            Err(stuck) => {
                group.guessed.iter().zip(&from).for_each(|(v, x)| values[v.index()] = *x);
                Err(no_rest(iteration, from, stuck))
            }
        }
    }
}

impl Groups {
    fn note(&mut self, place: usize, calls: u32, followed: bool) {
        if self.is_watching {
            return;
        }
        let work = &mut self.work[place];
        work.solves += 1;
        work.calls += u64::from(calls);
        work.continuations += u64::from(followed);
        let most = &mut work.most_calls[usize::from(followed)];
        *most = calls.max(*most);
        let since = &mut self.calls_since[place];
        since.0 += calls;
        since.1 |= followed;
    }
}

fn no_rest(iteration: &Iteration, from: Vec<f64>, stuck: Stuck) -> NoValue {
    let (at, end) = match stuck.why {
        Why::Unstable { at, growth } => (at, End::Unstable(growth)),
        Why::Diverges { at } => (at, End::Diverges),
        Why::Restless { at } => (at, End::NotConverged),
        Why::EvaluationFailed(reason) => match reason.downcast_ref::<NoValue>() {
            Some(why) => return why.clone(),
            None => (from.clone(), End::NotConverged),
        },
    };
    NoValue::NoEquilibrium(Box::new(NoEquilibrium {
        iteration: iteration.clone(),
        from,
        at,
        end,
        calls: stuck.calls,
    }))
}
