//! The end of a branch of equilibria: the balanced variables jump to another branch, which is an event.
//!
//! A search that passed points where its flow expands may have left the branch, or have taken a detour. The step is
//! halved, each time keeping the half with the larger change: a change that shrinks with the interval is no jump.

use rhei_equations::VarId;
use rhei_solve::evaluate::NoValue;
use rhei_solve::groups::GroupWork;
use rhei_solve::problem::ModelProblem;
use rhei_source::Diagnostic;

use crate::constants::{BRANCH_CHANGE, BRANCH_LOCATED, BRANCH_RETURNS};
use crate::failure::of_branch_jump;
use crate::running::Running;
use crate::search::Found;
use crate::stop::Stop;

/// The balanced variables at one time.
struct At {
    t: f64,
    values: Vec<f64>,
}

/// State of the search for vanishing equilibria.
#[derive(Clone, Default)]
pub(crate) struct Branches {
    /// Time and failure that cut the last step short: a balance without an equilibrium.
    vanished: Option<(f64, NoValue)>,
    /// How often one was found after all.
    returns: u32,
}

/// Those of some variables that have changed visibly from one value to another, the largest change first.
fn far_apart(mut both: Vec<(VarId, f64, f64)>) -> Vec<(VarId, f64, f64)> {
    both.retain(|(_, a, b)| (a - b).abs() > BRANCH_CHANGE * a.abs().max(b.abs()));
    both.sort_by(|a, b| (b.1 - b.2).abs().total_cmp(&(a.1 - a.2).abs()));
    both
}

/// The message of a jump at a tick, from the balanced variables at the tick before, if a search has left its branch since.
pub(crate) fn of_jump_at_tick(
    problem: &mut ModelProblem,
    before: &[(VarId, f64)],
    t: f64,
) -> Option<Diagnostic> {
    if !problem.evaluator.groups.take_left_branch() {
        return None;
    }
    let both: Vec<(VarId, f64, f64)> =
        before.iter().map(|&(v, a)| (v, a, problem.values[v.index()])).collect();
    let is_far = |&(v, a, b): &(VarId, f64, f64)| {
        (a - b).abs() > BRANCH_CHANGE * problem.evaluator.nominal(v).max(a.abs()).max(b.abs())
    };
    both.iter().any(is_far).then(|| of_branch_jump(&problem.model, &far_apart(both), t))
}

impl Running<'_> {
    /// From here on searches begin with the values of this point.
    pub(crate) fn accept(&mut self, t: f64) {
        self.problem.accept(t);
    }

    pub(crate) fn has_groups(&self) -> bool {
        !self.problem.evaluator.groups.is_empty()
    }

    /// Work of the groups of balances, those of clocked partitions among them.
    pub(crate) fn balances(&self) -> Vec<GroupWork> {
        let mut all = self.problem.evaluator.groups.work().to_vec();
        all.extend(self.clocks.balances());
        all
    }

    /// All variables at `t`, within a step that began at `from`, for a row: not counted as work of the run.
    pub(crate) fn watch(&mut self, from: f64, t: f64) -> Result<(), Stop> {
        self.problem.evaluator.groups.is_watching = true;
        let evaluated = self.evaluate_from(from, t);
        self.problem.evaluator.groups.is_watching = false;
        evaluated
    }

    /// The end of a branch within a part of a step, if there is one.
    pub(crate) fn find_jump(&mut self, from: f64, to: f64) -> Result<Option<Found>, Stop> {
        if !self.has_groups() {
            return Ok(None);
        }
        let before = self.problem.evaluator.groups.accepted();
        let variables: Vec<VarId> = before.iter().map(|(v, _)| *v).collect();
        if self.current != Some(to) {
            // stages of the integrator may have left the branch at other points
            self.problem.evaluator.groups.take_left_branch();
        }
        let mut right = self.balanced_at(to, &variables)?;
        if !self.problem.evaluator.groups.take_left_branch() {
            return Ok(None);
        }
        let mut left = At { t: from, values: before.iter().map(|(_, value)| *value).collect() };
        while self.distance(&variables, &left, &right) > BRANCH_CHANGE {
            let middle = left.t + 0.5 * (right.t - left.t);
            let is_found = right.t - left.t <= BRANCH_LOCATED * (to - from);
            if is_found || middle <= left.t || middle >= right.t {
                self.tell_jump(&variables, &left, &right);
                return Ok(Some(Found { t: right.t, seen: Vec::new(), left: Some(left.t) }));
            }
            let between = self.balanced_at(middle, &variables)?;
            let jumps_later =
                self.distance(&variables, &left, &between) <= self.distance(&variables, &between, &right);
            if jumps_later { left = between } else { right = between }
        }
        self.problem.evaluator.groups.take_left_branch();
        Ok(None)
    }

    /// Without an equilibrium at `to`: goes up to the last time with one, or to an event before.
    pub(crate) fn until_vanished(
        &mut self,
        from: f64,
        to: f64,
        mut why: NoValue,
    ) -> Result<Option<Found>, Stop> {
        let (mut left, mut right) = (from, to);
        while right - left > BRANCH_LOCATED * (to - from) {
            let middle = left + 0.5 * (right - left);
            if middle <= left || middle >= right {
                break;
            }
            match self.evaluate(middle) {
                Ok(()) => left = middle,
                Err(Stop::NoValue(now @ NoValue::NoEquilibrium(_), _)) => (right, why) = (middle, now),
                Err(stop) => return Err(stop),
            }
        }
        if left == from {
            return Err(Stop::NoValue(why, right));
        }
        self.time = left;
        let found = self.look_ahead(from)?;
        self.branches.vanished = found.is_none().then_some((right, why));
        Ok(found)
    }

    /// Ends the run if the step before was cut short by a vanished equilibrium, unless one is found beyond from there.
    pub(crate) fn refuse_vanished(&mut self) -> Result<(), Stop> {
        let Some((t, why)) = self.branches.vanished.take() else {
            self.branches.returns = 0;
            return Ok(());
        };
        self.evaluate(t)?;
        self.branches.returns += 1;
        if self.branches.returns > BRANCH_RETURNS { Err(Stop::NoValue(why, t)) } else { Ok(()) }
    }

    /// The balanced variables before an event.
    pub(crate) fn balanced_before(&mut self) -> Vec<(VarId, f64)> {
        let groups = &mut self.problem.evaluator.groups;
        groups.take_left_branch();
        groups.accepted()
    }

    /// Reports equilibria that vanished at an event, and the branches taken instead.
    pub(crate) fn tell_jump_at_event(&mut self, before: &[(VarId, f64)], t: f64) {
        if !self.problem.evaluator.groups.take_left_branch() {
            return;
        }
        // variables that a mode introduces differ from one mode to another
        let common: Vec<(VarId, f64)> =
            before.iter().copied().filter(|(v, _)| v.index() < self.n_common).collect();
        let variables: Vec<VarId> = common.iter().map(|(v, _)| *v).collect();
        let left = At { t, values: common.iter().map(|(_, value)| *value).collect() };
        let values = variables.iter().map(|v| self.problem.values[v.index()]).collect();
        let right = At { t, values };
        if self.distance(&variables, &left, &right) > BRANCH_CHANGE {
            self.tell_jump(&variables, &left, &right);
        }
    }

    fn balanced_at(&mut self, t: f64, variables: &[VarId]) -> Result<At, Stop> {
        self.evaluate(t)?;
        let values = &self.problem.values;
        Ok(At { t, values: variables.iter().map(|v| values[v.index()]).collect() })
    }

    /// The largest change between two times, relative to the size of each variable.
    fn distance(&self, variables: &[VarId], a: &At, b: &At) -> f64 {
        let problem = &self.problem;
        let pairs = a.values.iter().zip(&b.values).zip(variables);
        let change = |((a, b), v): ((&f64, &f64), &VarId)| {
            (a - b).abs() / problem.evaluator.nominal(*v).max(a.abs()).max(b.abs())
        };
        pairs.map(change).fold(0.0, f64::max)
    }

    fn tell_jump(&mut self, variables: &[VarId], left: &At, right: &At) {
        let both = variables.iter().zip(left.values.iter().zip(&right.values));
        let both: Vec<(VarId, f64, f64)> = both.map(|(v, (a, b))| (*v, *a, *b)).collect();
        let said = of_branch_jump(&self.model, &far_apart(both), right.t);
        self.reports.add_branch_jump(said);
    }

    /// The row before a jump, if rows on both sides are wanted.
    pub(crate) fn record_left_of_jump(&mut self, t: f64) -> Result<(), Stop> {
        if self.recorder.both_sides {
            self.watch(t, t)?;
            self.record(t)?;
        }
        Ok(())
    }
}
