//! A model about a point of its run: its matrices, and what would better be a balance.

use rhei_source::Diagnostic;

use crate::engine::{self, Linearisation};
use crate::watch::Nobody;
use crate::{Experiment, Model, Resolved, WrongExperiment};

/// A model that was run to a point and linearised there.
#[derive(Clone, Debug)]
pub struct Linearised {
    /// How it was run.
    pub run: Resolved,
    /// The matrices; nothing where `diagnostics` hold an error.
    pub matrices: Option<Linearisation>,
    /// What was said.
    pub diagnostics: Vec<Diagnostic>,
}

/// What would better be a balance in a model.
#[derive(Clone, Debug)]
pub struct Advised {
    /// How it was run.
    pub run: Resolved,
    /// One for each balance that is proposed; nothing where `diagnostics` hold an error.
    pub proposals: Option<Vec<BalanceProposal>>,
    /// What was said.
    pub diagnostics: Vec<Diagnostic>,
}

/// A balance that is proposed.
#[derive(Clone, Debug)]
pub struct BalanceProposal {
    /// The names of what would be balanced.
    pub variables: Vec<String>,
    /// The time constant of each, in seconds, where they are states; nothing for loops, which take no time.
    pub time_constant: Option<f64>,
    /// The equations as they are.
    pub equations: Vec<String>,
    /// And as they would be.
    pub proposals: Vec<String>,
    /// The same for people, with the places in the text.
    pub said: Diagnostic,
}

/// The eigenvalues of a square matrix, real and imaginary parts; nothing where they were not found.
pub fn eigenvalues(matrix: &[Vec<f64>]) -> Option<Vec<(f64, f64)>> {
    rhei_numerics::eigenvalues::eigenvalues(matrix)
}

impl Model {
    /// Runs it to the stop time of the experiment and linearises it there; at its start where the experiment has no stop time of its own.
    pub fn linearize(&self, experiment: &Experiment) -> Result<Linearised, WrongExperiment> {
        let run = experiment.without_rows().resolve_at_start(self)?;
        let (matrices, diagnostics) = experiment.watched(&run.options, &mut Nobody, |sink| {
            engine::linearize(self.compiled(), &run.options, sink)
        });
        Ok(Linearised { run, matrices, diagnostics })
    }

    /// Runs it, and says which artificial states and loops would better be balances.
    pub fn advise_balances(&self, experiment: &Experiment) -> Result<Advised, WrongExperiment> {
        let run = experiment.without_rows().resolve(self)?;
        let model = self.compiled();
        let (found, diagnostics) = experiment
            .watched(&run.options, &mut Nobody, |sink| engine::advise_balances(model, &run.options, sink));
        let proposal = |advice: engine::BalanceAdvice| BalanceProposal {
            variables: advice
                .variables
                .iter()
                .map(|v| model.equations.variable(*v).name.to_string())
                .collect(),
            time_constant: advice.forgets_in,
            equations: advice.equations,
            proposals: advice.proposals,
            said: advice.said,
        };
        let proposals = found.map(|found| found.into_iter().map(proposal).collect());
        Ok(Advised { run, proposals, diagnostics })
    }
}
