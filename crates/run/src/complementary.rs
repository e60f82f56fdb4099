//! The sides of relations that the next mode begins with, found as a complementarity problem (`rhei_solve::modes::complementary`).
//!
//! Where it has a solution, discrete variables take the values that follow from it, and only the mode they ask for is tried. Its
//! conditions are evaluated there as in any mode: relations at their border stay on the side that was found, as which side an
//! evaluation finds is a matter of rounding; any other contradiction is left to the search from mode to mode.

use rhei_solve::modes::Left;
use rhei_solve::modes::complementary::next_sides;

use crate::events::Foreseeing;
use crate::running::Running;
use crate::stop::Stop;

impl Running<'_> {
    /// What sides are found from in the iterations of an event, where the last one had complementary relations.
    pub(crate) fn foreseeing(&self, left: Option<&Left>) -> Option<Foreseeing> {
        let before = left.filter(|_| self.watcher.has_complementary())?.clone();
        Some(Foreseeing { base: self.base.clone(), before })
    }

    /// Takes the sides that the complementarity problem after an event has, if it has any.
    pub(crate) fn take_complementary_sides(&mut self, t: f64, left: &Left) -> Result<(), Stop> {
        let watcher = &self.watcher;
        let is_at_border = |place: usize| watcher.is_found(place);
        let found = next_sides(&self.base, &mut self.problem, left, t, &is_at_border);
        if let Some(Ok(sides)) = found {
            // those that a mode has contradicted are no solution
            if !self.watcher.are_decided_so(&sides.is_above) || self.problem.only_discrete {
                self.problem.values = sides.values;
                self.problem.only_discrete = true;
                self.watcher.decide_sides(&sides.is_above);
            }
        } else if self.watcher.has_complementary() {
            // the present mode has not been evaluated, as one of them was crossed
            self.watcher.decide_sides(&[]);
            self.problem.only_discrete = false;
            self.settle(t)?;
        }
        Ok(())
    }
}
