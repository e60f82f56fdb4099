//! `rhei balance-advise`: proposals of balances.

use clap::Args;
use rhei::BalanceProposal;
use rhei_source::{Report, ReportedDiagnostic};
use serde::Serialize;

use super::simulate::interrupt;
use super::simulate::settings::{explain, in_words};
use super::{Exit, Usage, compile, exit_of_set};
use crate::arguments::{Common, HowToRun, Model};
use crate::talk::Talk;

#[derive(Debug, Args)]
pub(crate) struct BalanceAdvise {
    #[command(flatten)]
    pub(crate) model: Model,
    /// Where the run ends that the advice is for
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) stop_time: Option<f64>,
    #[command(flatten)]
    pub(crate) how: HowToRun,
}

#[derive(Serialize)]
struct Answer {
    model: String,
    advice: Vec<OneAdvice>,
    diagnostics: Vec<ReportedDiagnostic>,
}

#[derive(Serialize)]
struct OneAdvice {
    kind: &'static str,
    variables: Vec<String>,
    equations: Vec<String>,
    proposals: Vec<String>,
    forgets_in: Option<f64>,
    difference: f64,
    steps: [u64; 2],
}

impl OneAdvice {
    fn new(proposal: &BalanceProposal) -> OneAdvice {
        OneAdvice {
            kind: if proposal.time_constant.is_some() { "artificial state" } else { "loop" },
            variables: proposal.variables.clone(),
            equations: proposal.equations.clone(),
            proposals: proposal.proposals.clone(),
            forgets_in: proposal.time_constant,
            difference: proposal.difference,
            steps: proposal.steps,
        }
    }
}

pub(crate) fn balance_advise(options: &BalanceAdvise, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    let done = compile(&options.model, &options.how.set, common, talk)?;
    let mut said = done.diagnostics.clone();
    let mut found = None;
    if let Some(model) = done.model() {
        let experiment = interrupt::watched(options.how.until(options.stop_time));
        let advised = model.advise_balances(&experiment).map_err(|wrong| in_words(&wrong))?;
        explain(&advised.run, talk);
        let proposals = advised.proposals.iter().flatten().map(|proposal| proposal.said.clone());
        let own: Vec<_> = advised.diagnostics.into_iter().chain(proposals).collect();
        if !talk.json {
            talk.diagnostics(&own, &done.files);
        }
        said.extend(own);
        found = advised.proposals;
    }
    let failed = found.is_none();
    if talk.json {
        let advice = found.iter().flatten().map(OneAdvice::new).collect();
        let diagnostics = Report::new(&said, &done.files).diagnostics;
        talk.answer(&Answer { model: done.name, advice, diagnostics });
    } else if found.is_some_and(|advice| advice.is_empty()) {
        talk.print("nothing here would better be a balance");
    }
    Ok(exit_of_set(failed, done.blames_settings))
}
