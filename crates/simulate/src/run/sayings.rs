//! What the model itself has to say: its asserts, and why it ends a run.

use rhei_source::Diagnostic;

use super::{Rows, Running, Stop};
use crate::failure::instant;
use crate::problem::ModelProblem;
use crate::texts::message;

/// Where an assert begins not to hold is found to this share of the step.
const ASSERT_LOCATED: f64 = 1e-12;

impl Running<'_> {
    /// The words of a `terminate`.
    pub(super) fn termination(&self, place: usize, t: f64) -> Diagnostic {
        of_termination(&mut self.problem.borrow_mut(), place, t)
    }

    pub(super) fn check_asserts(&mut self, t: f64) -> Result<(), Stop> {
        for place in self.broken_asserts(t)? {
            self.broken(place, t)?;
        }
        Ok(())
    }

    /// The asserts that do not hold at the point that was evaluated last, and of which nothing has been said.
    fn broken_asserts(&mut self, t: f64) -> Result<Vec<usize>, Stop> {
        if self.model.equations.asserts.is_empty() {
            return Ok(Vec::new());
        }
        let model = self.model.clone();
        let problem = &mut *self.problem.borrow_mut();
        let asserts = &model.code.asserts;
        problem.glance(asserts).map_err(|why| Stop::NoValue(why, t))?;
        let is_broken = |place: &usize| problem.values[asserts.slots[*place].index()] == 0.0;
        Ok((0..asserts.slots.len()).filter(|place| is_broken(place) && !self.warned[*place]).collect())
    }

    /// Asserts at the end of a step. What no longer holds there is looked for within it, so that it is said where it begins
    /// and no row beyond is written. It is no event: an assert has no influence on the run (MLS §8.3.7).
    pub(super) fn check_step(&mut self, from: f64, rows: &mut Rows<'_>) -> Result<(), Stop> {
        if self.model.equations.asserts.is_empty() {
            return Ok(());
        }
        let to = self.time;
        self.evaluate_from(from, to)?;
        while let Some(&place) = self.broken_asserts(to)?.first() {
            // of several the one that breaks first
            let (mut holds, mut breaks, mut first) = (from, to, place);
            while breaks - holds > ASSERT_LOCATED * (to - from) {
                let middle = holds + 0.5 * (breaks - holds);
                if middle <= holds || middle >= breaks {
                    break;
                }
                self.evaluate(middle)?;
                match self.broken_asserts(middle)?.first() {
                    Some(&place) => (breaks, first) = (middle, place),
                    None => holds = middle,
                }
            }
            self.write_rows(rows, from, breaks, false)?;
            self.evaluate(breaks)?;
            if !self.model.equations.asserts[first].is_warning {
                self.time = breaks;
            }
            self.broken(first, breaks)?;
            self.evaluate(to)?;
        }
        Ok(())
    }

    /// An assert that does not hold: a warning is said once, an error ends the run.
    pub(super) fn broken(&mut self, place: usize, t: f64) -> Result<(), Stop> {
        if std::mem::replace(&mut self.warned[place], true) {
            return Ok(());
        }
        let said = of_assert(&mut self.problem.borrow_mut(), place, t);
        if said.is_error() {
            return Err(Stop::Broken(said));
        }
        self.said.push(said);
        Ok(())
    }
}

/// The words of a `terminate` of a model, by its place.
pub(crate) fn of_termination(problem: &mut ModelProblem, place: usize, t: f64) -> Diagnostic {
    let model = problem.model.clone();
    // messages of asserts come first
    let place_of_message = model.equations.asserts.len() + place;
    let termination = &model.equations.events.terminations[place];
    let text = text(problem, &termination.message, place_of_message);
    let said = format!("the model ends the run at t = {}: {text}", instant(t));
    let said = Diagnostic::note("terminated", said);
    match termination.origin.span {
        Some(span) => said.at(span, "`terminate` here"),
        None => said,
    }
}

/// An assert of a model that does not hold, by its place.
pub(crate) fn of_assert(problem: &mut ModelProblem, place: usize, t: f64) -> Diagnostic {
    let model = problem.model.clone();
    let assert = &model.equations.asserts[place];
    let text = text(problem, &assert.message, place);
    let said = format!("an assertion of the model does not hold at t = {}: {text}", instant(t));
    let said = if assert.is_warning {
        Diagnostic::warning("assert-warning", said)
    } else {
        Diagnostic::error("assert-failed", said)
    };
    match assert.origin.span {
        Some(span) => said.at(span, "asserted here"),
        None => said,
    }
}

fn text(problem: &mut ModelProblem, text: &rhei_equations::Text, place: usize) -> String {
    let model = problem.model.clone();
    let values = problem.look(&model.code.messages[place]).unwrap_or_default();
    message(text, &values, &model.equations.functions)
}
