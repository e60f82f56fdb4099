//! The note on a `reinit` whose constraints take other variables along: nothing is conserved then.

use rhei_equations::{Kind, Reinit, VarId, number};
use rhei_solve::failure::instant;
use rhei_source::Diagnostic;

use crate::running::Running;

/// The values before an event, and the number of mode changes so far.
pub(crate) struct BeforeReinit {
    values: Vec<f64>,
    changes: usize,
}

impl Running<'_> {
    /// The values before an event at which states may be set anew; none once the note was made.
    pub(crate) fn before_reinit(&self) -> Option<BeforeReinit> {
        let may_be_set = !self.model.equations.events.reinits.is_empty() && !self.reports.of_reinit;
        let values = may_be_set.then(|| self.problem.values.clone())?;
        Some(BeforeReinit { values, changes: self.visits.changes.len() })
    }

    /// Notes, once, that variables tied to a state have jumped with it.
    pub(crate) fn note_reinit(&mut self, before: Option<BeforeReinit>, t: f64) {
        // jumps at a change of mode conserve something
        let Some(before) = before.filter(|before| before.changes == self.visits.changes.len()) else {
            return;
        };
        let problem = &self.problem;
        let equations = &problem.model.equations;
        let jumped = |v: VarId| self.differs(v, before.values[v.index()]);
        let set: Vec<&Reinit> =
            equations.events.reinits.iter().filter(|reinit| jumped(reinit.target)).collect();
        let is_set = |v: VarId| set.iter().any(|reinit| reinit.target == v);
        let tied =
            equations.iter_variables().take(self.n_common).find_map(|(_, variable)| match variable.kind {
                Kind::Derivative { of } if !is_set(of) && jumped(of) => Some(of),
                _ => None,
            });
        let (Some(tied), Some(first)) = (tied, set.first()) else { return };
        let message = format!(
            "at t = {}, `{}` is set to {}, and `{}` is tied to it: it jumps to {} with it, and nothing is conserved",
            instant(t),
            equations.variable(first.target).name,
            number(problem.values[first.target.index()]),
            equations.variable(tied).name,
            number(problem.values[tied.index()])
        );
        let said = Diagnostic::note("reinit-not-conserving", message);
        let said = match first.origin.span {
            Some(span) => said.at(span, "set here"),
            None => said,
        };
        let said =
            said.with_note("said once; for a jump by which momentum, flux or charge stays, let a mode begin");
        self.reports.of_reinit = true;
        self.reports.add(said);
    }
}
