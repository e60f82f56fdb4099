//! The sides of complementary relations where guards have changed, before the equations are evaluated with them.
//!
//! With the sides before, the present structure may have no values any more, or arbitrary ones (two switches in parallel), and a search
//! for them is long. So an iteration of an event begins on the sides that the complementarity problem has.

use rhei_equations::Kind;
use rhei_kernel::Step;
use rhei_solve::modes::complementary::next_sides;
use rhei_solve::problem::ModelProblem;

use super::{Foreseeing, Watcher};
use crate::constants::{NUDGE, SIDE_DECIDED_LEAST};

impl Watcher {
    /// Takes the sides that complementary relations have with the guards that come next, if these are others than before.
    pub(super) fn foresee(&mut self, problem: &mut ModelProblem) {
        let Some(Foreseeing { base, before }) = self.foreseeing.clone() else { return };
        let Some(present) = problem.modes.as_ref().map(|modes| modes.guards.clone()) else { return };
        if problem.only_discrete {
            return;
        }
        let t = problem.values[problem.model.code.time().index()];
        let ahead = formulas_ahead(problem);
        let found = problem.at_values(&ahead, |problem| {
            problem.only_discrete = true;
            let guards = problem.evaluate_event().and_then(|()| problem.guards());
            problem.only_discrete = false;
            if guards.is_ok_and(|guards| guards == present) {
                return None;
            }
            next_sides(&base, problem, &before, t, &|place| self.is_found(place))
        });
        let Some(Ok(sides)) = found else { return };
        let common = base.equations.iter_variables();
        for (v, _) in common.filter(|(_, one)| one.is_discrete && one.kind == Kind::Unknown) {
            problem.values[v.index()] = sides.values[v.index()];
        }
        for (place, is_above) in sides.is_above {
            let crossing = &self.crossings[place];
            let nudge = NUDGE * crossing.farthest.max(SIDE_DECIDED_LEAST);
            problem.values[crossing.nudge.index()] = if is_above { nudge } else { -nudge };
        }
    }
}

/// All values after the formulas of an event, its loops being as they were before: what they do not depend on is as it will be.
fn formulas_ahead(problem: &ModelProblem) -> Vec<f64> {
    let mut values = problem.values.clone();
    for step in &problem.model.code.event.steps {
        if let Step::Run(program) = step {
            // formulas without a value are left to the evaluation of the event
            let _ = problem.evaluator.run_program(program, &mut values);
        }
    }
    values
}
