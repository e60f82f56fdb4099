//! A model about a point of its run: its matrices, and proposals of balances.

use rhei_source::Diagnostic;

use crate::engine::{self, Linearisation};
use crate::watch::Nobody;
use crate::{Experiment, Model, Resolved, WrongExperiment};

/// A model that was run to a point and linearised there.
#[derive(Clone, Debug)]
pub struct Linearised {
    /// The settings of the run.
    pub run: Resolved,
    /// The matrices; none if `diagnostics` hold an error.
    pub matrices: Option<Linearisation>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Proposals of balances in a model.
#[derive(Clone, Debug)]
pub struct Advised {
    /// The settings of the run.
    pub run: Resolved,
    /// One for each proposed balance; none if `diagnostics` hold an error.
    pub proposals: Option<Vec<BalanceProposal>>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// A balance that is proposed.
#[derive(Clone, Debug)]
pub struct BalanceProposal {
    /// The names of the unknowns to balance.
    pub variables: Vec<String>,
    /// Time constant of a state, in seconds; none for loops, which take no time.
    pub time_constant: Option<f64>,
    /// The equations as they are.
    pub equations: Vec<String>,
    /// The same as balances.
    pub proposals: Vec<String>,
    /// What a run with the balances differs by from one without, relative to the size of each variable.
    pub difference: f64,
    /// Steps without and with them.
    pub steps: [u64; 2],
    /// The proposal as a diagnostic, with its places in the text.
    pub said: Diagnostic,
}

/// The eigenvalues of a square matrix, real and imaginary parts; none if the iteration does not converge.
pub fn eigenvalues(matrix: &[Vec<f64>]) -> Option<Vec<(f64, f64)>> {
    rhei_numerics::eigenvalues::eigenvalues(matrix)
}

impl Model {
    /// Runs it to the stop time of the experiment and linearises it there; at its start if the experiment has no stop time of its
    /// own.
    pub fn linearize(&self, experiment: &Experiment) -> Result<Linearised, WrongExperiment> {
        let run = experiment.without_rows().resolve_at_start(self)?;
        let (matrices, diagnostics) = experiment.watched(&run.options, &mut Nobody, |sink| {
            engine::linearize(self.compiled(), &run.options, sink)
        });
        Ok(Linearised { run, matrices, diagnostics })
    }

    /// Runs it, and proposes balances in place of artificial states and loops.
    pub fn advise_balances(&self, experiment: &Experiment) -> Result<Advised, WrongExperiment> {
        let run = experiment.without_rows().resolve(self)?;
        let model = self.compiled();
        let remake = |equations| rhei_compiler::recompiled(model, &equations);
        let (found, diagnostics) = experiment.watched(&run.options, &mut Nobody, |sink| {
            engine::advise_balances(model, &run.options, sink, &remake)
        });
        let proposal = |advice: engine::BalanceAdvice| BalanceProposal {
            variables: advice
                .variables
                .iter()
                .map(|v| model.equations.variable(*v).name.to_string())
                .collect(),
            time_constant: advice.time_constant,
            equations: advice.equations,
            proposals: advice.proposals,
            difference: advice.difference,
            steps: advice.steps,
            said: advice.said,
        };
        let proposals = found.map(|found| found.into_iter().map(proposal).collect());
        Ok(Advised { run, proposals, diagnostics })
    }
}
