//! What the model itself has to say: its asserts, and why it ends a run.

use rhei_source::Diagnostic;

use super::{Running, Stop};
use crate::failure::instant;
use crate::texts::message;

impl Running<'_> {
    /// The words of a `terminate`.
    pub(super) fn termination(&self, place: usize, t: f64) -> Diagnostic {
        // messages of asserts come first
        let place_of_message = self.model.equations.asserts.len() + place;
        let termination = &self.model.equations.events.terminations[place];
        let text = self.text(&termination.message, place_of_message);
        let said = format!("the model ends the run at t = {}: {text}", instant(t));
        let said = Diagnostic::note("terminated", said);
        match termination.origin.span {
            Some(span) => said.at(span, "`terminate` here"),
            None => said,
        }
    }

    pub(super) fn check_asserts(&mut self, t: f64) -> Result<(), Stop> {
        if self.model.equations.asserts.is_empty() {
            return Ok(());
        }
        let model = self.model.clone();
        let holds = self.problem.borrow_mut().look(&model.code.asserts);
        let holds = holds.map_err(|why| Stop::NoValue(why, t))?;
        for place in (0..holds.len()).filter(|&place| holds[place] == 0.0) {
            self.broken(place, t)?;
        }
        Ok(())
    }

    /// An assert that does not hold: a warning is said once, an error ends the run.
    pub(super) fn broken(&mut self, place: usize, t: f64) -> Result<(), Stop> {
        let model = self.model.clone();
        let assert = &model.equations.asserts[place];
        if std::mem::replace(&mut self.warned[place], true) {
            return Ok(());
        }
        let text = self.text(&assert.message, place);
        let said = format!("an assertion of the model does not hold at t = {}: {text}", instant(t));
        let said = if assert.is_warning {
            Diagnostic::warning("assert-warning", said)
        } else {
            Diagnostic::error("assert-failed", said)
        };
        let said = match assert.origin.span {
            Some(span) => said.at(span, "asserted here"),
            None => said,
        };
        if assert.is_warning {
            self.said.push(said);
            return Ok(());
        }
        Err(Stop::Broken(said))
    }

    fn text(&self, text: &rhei_equations::Text, place: usize) -> String {
        let values = self.problem.borrow_mut().look(&self.model.code.messages[place]).unwrap_or_default();
        message(text, &values, &self.model.equations.functions)
    }
}
