//! `rhei balance-advise`: what would better be a balance.

use rhei_compiler::Configured;
use rhei_model::CompiledModel;
use rhei_run::BalanceAdvice;
use rhei_source::{Report, ReportedDiagnostic};
use serde::Serialize;

use super::simulate::nobody::Nobody;
use super::simulate::settings::run_options;
use super::{Exit, Usage, compile_set, exit_of_set, report};
use crate::arguments::{BalanceAdvise, Common, Simulate};
use crate::talk::Talk;

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
}

impl OneAdvice {
    fn new(model: &CompiledModel, advice: &BalanceAdvice) -> OneAdvice {
        OneAdvice {
            kind: if advice.forgets_in.is_some() { "artificial state" } else { "loop" },
            variables: advice
                .variables
                .iter()
                .map(|v| model.equations.variable(*v).name.to_string())
                .collect(),
            equations: advice.equations.clone(),
            proposals: advice.proposals.clone(),
            forgets_in: advice.forgets_in,
        }
    }
}

pub(crate) fn balance_advise(options: &BalanceAdvise, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    let (session, configured) = compile_set(&options.model, &options.how, common)?;
    let Configured { compilation: mut done, set, is_refused } = configured;
    report(talk, &session, &done);
    let mut found = None;
    let mut given = Vec::new();
    if let Some(model) = done.model.clone().filter(|_| !done.has_errors()) {
        let run = Simulate::without_rows(&options.how, options.stop_time);
        let run = run_options(&run, &model, set, talk)?;
        let (advice, said) = rhei_run::advise_balances(&model, &run, &mut Nobody::watched());
        if !talk.json {
            talk.diagnostics(&said, session.files());
        }
        done.diagnostics.extend(said);
        for advice in advice.iter().flatten() {
            if !talk.json {
                talk.diagnostics(std::slice::from_ref(&advice.said), session.files());
            }
            given.push(OneAdvice::new(&model, advice));
            done.diagnostics.push(advice.said.clone());
        }
        found = advice;
    }
    let failed = found.is_none();
    if talk.json {
        let model = done.flat.as_ref().map_or_else(String::new, |flat| flat.name.clone());
        let diagnostics = Report::new(&done.diagnostics, session.files()).diagnostics;
        talk.answer(&Answer { model, advice: given, diagnostics });
    } else if found.is_some_and(|advice| advice.is_empty()) {
        talk.print("nothing here would better be a balance");
    }
    Ok(exit_of_set(failed, is_refused))
}
