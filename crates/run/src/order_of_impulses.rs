//! Whether the order matters in which simultaneous conditions switch.
//!
//! If several conditions switch at one instant and impulses act, a small disturbance would let them switch one after the other: a
//! rod that lands flat on two contacts would land on one of them first. Constraints that only come into being lead to the same
//! state in every order. Those that vanish by the sign of an impulse (a contact only pushes) may not: what the first impulse did
//! is not undone by the second. So the orders are tried: each condition is let across its border once the effects of the one
//! before it have settled. If they end in different states, the jump is not determined.
//!
//! Trials leave no trace: each works on a problem of its own.

use rhei_equations::VarId;
use rhei_solve::evaluate::NoValue;
use rhei_solve::modes::Left;
use rhei_solve::problem::ModelProblem;

use crate::clocks::Clocks;
use crate::constants::{MODES_TRIED, ORDERS_FIRST, ORDERS_IN_FULL};
use crate::events::Watcher;
use crate::failure::modes::{OutcomeOfOrder, of_cycle, of_order};
use crate::modes::{Discrete, Next};
use crate::running::Running;
use crate::stop::{Stop, stop_of};

/// An order: groups of conditions, by index among the crossings, that are let across together, one group
/// after the other.
type Order = Vec<Vec<usize>>;

/// The orders that are tried; all at once is one of them.
fn orders(borders: &[Vec<usize>]) -> Vec<Order> {
    let mut orders = vec![vec![borders.concat()]];
    if borders.len() <= ORDERS_IN_FULL {
        orders.extend(permutations(borders));
    } else {
        let others = |first: usize| [&borders[..first], &borders[first + 1..]].concat().concat();
        orders.extend((0..borders.len().min(ORDERS_FIRST)).map(|k| vec![borders[k].clone(), others(k)]));
    }
    orders
}

fn permutations(of: &[Vec<usize>]) -> Vec<Order> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let with_first = |place: usize| {
        let mut others = of.to_vec();
        let first = others.remove(place);
        permutations(&others).into_iter().map(move |rest| [vec![first.clone()], rest].concat())
    };
    (0..of.len()).flat_map(with_first).collect()
}

impl Running<'_> {
    /// Ends the run if the state after an event depends on the order in which the `crossed` conditions switch; `before` holds the
    /// values before the event.
    pub(crate) fn refuse_order_of_impulses(
        &mut self,
        t: f64,
        before: &Left,
        crossed: &[usize],
    ) -> Result<(), Stop> {
        let Ok(ends) = self.trying(t, before, |running| running.try_orders(t, before, crossed)) else {
            // the run itself reports the missing value
            return Ok(());
        };
        let differing = self.differing(&ends);
        if differing.is_empty() {
            return Ok(());
        }
        let conditions =
            |places: &[usize]| places.iter().map(|&place| self.watcher.condition(place)).collect();
        let outcome = |(order, end): &(Order, Left)| OutcomeOfOrder {
            order: order.iter().map(|together| conditions(together)).collect(),
            values: differing.iter().map(|v| end.values[v.index()]).collect(),
        };
        let outcomes: Vec<OutcomeOfOrder> = ends.iter().map(outcome).collect();
        Err(Stop::Broken(of_order(&self.base, &conditions(crossed), &differing, &outcomes, t)))
    }

    /// Runs a closure as if the event were yet to come, and restores the run.
    fn trying<R>(
        &mut self,
        t: f64,
        before: &Left,
        what: impl FnOnce(&mut Self) -> Result<R, Stop>,
    ) -> Result<R, Stop> {
        let (model, nominals) = (self.model.clone(), self.nominals.clone());
        let (charts, assumptions, reach) =
            (self.charts.clone(), self.assumptions.clone(), self.notice.reach.clone());
        let (states, watcher) = (self.states.clone(), self.watcher.clone());
        let problem = self.go_back(t, before)?;
        // trials let no clock tick
        let clocks = std::mem::replace(&mut self.clocks, Clocks::none());
        let done = what(self);
        let past = self.problem.take_past();
        (self.problem, self.model, self.nominals) = (problem, model, nominals);
        (self.charts, self.assumptions, self.notice.reach) = (charts, assumptions, reach);
        (self.states, self.watcher, self.clocks) = (states, watcher, clocks);
        self.problem.past = past;
        done
    }

    /// The values each order ends with, as far as it can be followed.
    fn try_orders(&mut self, t: f64, before: &Left, crossed: &[usize]) -> Result<Vec<(Order, Left)>, Stop> {
        self.stand(t)?;
        let borders = self.watcher.by_border(&mut self.problem, crossed);
        if borders.len() < 2 {
            return Ok(Vec::new());
        }
        let watcher = self.watcher.clone();
        let mut ends = Vec::new();
        for order in orders(&borders) {
            self.watcher = watcher.clone();
            if let Ok(end) = self.follow(t, before, crossed, &order) {
                ends.push((order, end));
            }
        }
        Ok(ends)
    }

    /// Returns to the values before the event; answers the problem that was run until now.
    fn go_back(&mut self, t: f64, before: &Left) -> Result<ModelProblem, Stop> {
        // the guards of the mode are evaluated on demand
        let (_, problem) =
            self.be_in_mode(t, (before.model.clone(), Vec::new()), before, &Discrete::all(before))?;
        Ok(problem)
    }

    /// Evaluates all variables from the states.
    fn stand(&mut self, t: f64) -> Result<(), Stop> {
        let problem = &mut self.problem;
        let states = problem.states();
        problem.evaluate(t, &states).map_err(|why| Stop::NoValue(why, t))?;
        self.watcher.pin(problem).map_err(|why| Stop::NoValue(why, t))
    }

    /// The end of one order.
    fn follow(&mut self, t: f64, before: &Left, crossed: &[usize], order: &Order) -> Result<Left, Stop> {
        self.go_back(t, before)?;
        self.stand(t)?;
        let mut left = before.clone();
        self.watch_borders(t, |watcher, problem| watcher.keep_before_border(problem, crossed))?;
        let mut waiting = crossed.to_vec();
        for (turn, group) in order.iter().enumerate() {
            let mut now = group.clone();
            if turn > 0 {
                // an earlier group may have turned it back
                let away = self.watch_borders(t, |watcher, problem| watcher.moving(problem, &now, false))?;
                now.retain(|place| !away.contains(place));
            }
            self.let_across(t, &now, &mut left)?;
            waiting.retain(|place| !now.contains(place));
        }
        for _ in 0..waiting.len() {
            let now = self.watch_borders(t, |watcher, problem| watcher.moving(problem, &waiting, true))?;
            self.let_across(t, &now, &mut left)?;
            waiting.retain(|place| !now.contains(place));
        }
        Ok(left)
    }

    fn watch_borders<R>(
        &mut self,
        t: f64,
        what: impl FnOnce(&Watcher, &mut ModelProblem) -> Result<R, NoValue>,
    ) -> Result<R, Stop> {
        what(&self.watcher, &mut self.problem).map_err(|why| Stop::NoValue(why, t))
    }

    /// Lets these conditions alone switch; `left` holds the values before, and is updated.
    fn let_across(&mut self, t: f64, places: &[usize], left: &mut Left) -> Result<(), Stop> {
        if places.is_empty() {
            return Ok(());
        }
        let happened = {
            let problem = &mut self.problem;
            self.watcher.let_across(problem, &mut self.clocks, places).map_err(|why| stop_of(why, t))?
        };
        if happened.set_anew {
            self.take_over_states(left);
        }
        for _ in 0..MODES_TRIED {
            let Some(Next { jump, .. }) = self.next_mode(t, left)? else {
                self.restore_constraints(t, left, happened.set_anew)?;
                *left = self.held();
                return Ok(());
            };
            self.end_impulses(t, &jump)?;
            *left = self.held();
        }
        Err(Stop::Broken(of_cycle(std::slice::from_ref(&self.model), t)))
    }

    /// The differentiated variables whose values depend on the order.
    fn differing(&self, ends: &[(Order, Left)]) -> Vec<VarId> {
        let Some(((_, first), others)) = ends.split_first() else { return Vec::new() };
        let mut jumping: Vec<VarId> =
            ends.iter().flat_map(|(_, end)| &end.model.solvable.impulses.jumping).copied().collect();
        jumping.retain(|v| v.index() < self.n_common && !self.base.equations.variable(*v).is_hidden);
        jumping.sort_unstable();
        jumping.dedup();
        let problem = &self.problem;
        let differs = |v: VarId| {
            let largest = ends.iter().map(|(_, end)| end.values[v.index()].abs()).fold(0.0, f64::max);
            let size = problem.evaluator.nominal(v).max(largest);
            let off = |end: &Left| (end.values[v.index()] - first.values[v.index()]).abs();
            others.iter().any(|(_, end)| off(end) > self.options.tolerance * size)
        };
        jumping.into_iter().filter(|&v| differs(v)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_come_in_every_order_and_of_many_each_comes_first() {
        let alone = |places: &[usize]| places.iter().map(|&place| vec![place]).collect::<Order>();
        let two = orders(&alone(&[4, 7]));
        assert_eq!(two, [vec![vec![4, 7]], vec![vec![4], vec![7]], vec![vec![7], vec![4]]]);
        assert_eq!(orders(&alone(&[1, 2, 3])).len(), 1 + 6);
        let four = orders(&[vec![1], vec![2, 5], vec![3], vec![4]]);
        assert_eq!(four.len(), 1 + 4);
        assert_eq!(four[2], [vec![2, 5], vec![1, 3, 4]]);
        let many = alone(&(0..40).collect::<Vec<_>>());
        assert_eq!(orders(&many).len(), 1 + ORDERS_FIRST);
    }
}
