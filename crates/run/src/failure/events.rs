//! Diagnostics of events that end a run, in the modeller's words.

use rhei_equations::{Crossing, VarId, number};
use rhei_kernel::Without;
use rhei_model::CompiledModel;
use rhei_solve::failure::{at_declarations, instant, names};
use rhei_source::Diagnostic;

use crate::events::Bounces;
use crate::pace::Shrinking;
use crate::watching::EventSearch;

/// A number to three digits, where only its size matters.
fn brief(x: f64) -> String {
    number(format!("{x:.2e}").parse().unwrap_or(x))
}

/// A relation whose crossings are searched at points only although a proof was asked for.
pub(crate) fn of_not_enclosed(model: &CompiledModel, crossing: &Crossing, without: Without) -> Diagnostic {
    let because = match without {
        Without::Past => "a value of the past",
        Without::Loop => "unknowns of an algebraic loop",
        Without::Call => "the result of a function that stays a call",
    };
    let message = format!(
        "crossings of {} are not proven: what it compares depends on {because}, and is only looked at at points, three in each step and four in each output interval",
        names(model, &[crossing.held])
    );
    let said = Diagnostic::warning("relation-not-enclosed", message);
    match crossing.origin.span {
        Some(span) => said.at(span, "compared here"),
        None => said,
    }
}

/// A search for crossings that would have taken too long. If a proof was asked for, its absence is a warning.
pub(crate) fn of_search_too_long(
    model: &CompiledModel,
    crossing: &Crossing,
    (events, is_of_time): (EventSearch, bool),
) -> Diagnostic {
    let instead = match is_of_time {
        true => "what comes and goes within a thousandth of the output interval is not looked for",
        false => "it is looked at at points instead, three in each step and four in each output interval",
    };
    let message = format!(
        "crossings of {} may be missed: bounds of what it compares tell too little for the work they take, and {instead}",
        names(model, &[crossing.held])
    );
    let said = match events {
        EventSearch::Proven => Diagnostic::warning("event-search-too-long", message),
        EventSearch::Careful | EventSearch::Fast => Diagnostic::note("event-search-too-long", message),
    };
    match crossing.origin.span {
        Some(span) => said.at(span, "compared here"),
        None => said,
    }
}

/// Events without progress.
pub(crate) fn of_zeno(
    model: &CompiledModel,
    variables: &[VarId],
    t: f64,
    shrinking: Option<Shrinking>,
) -> Diagnostic {
    let said = of_no_progress(model, variables, t);
    match shrinking {
        Some(Shrinking { factor, towards }) => said.with_note(format!(
            "before, the time from one to the next shrank by a factor of {} each, towards t = {}",
            brief(factor),
            instant(towards)
        )),
        None => said,
    }
}

/// Bounces of a relation that become too low to be seen, in a model that does not come to rest.
pub(crate) fn of_unrested_bounces(model: &CompiledModel, bounces: &Bounces) -> Diagnostic {
    let message = format!(
        "events accumulate at t = {}: what {} compares is thrown back from its border by less than {}, too little to be told from rest, and no condition of the model keeps it there{}",
        instant(bounces.since),
        names(model, &[bounces.held]),
        brief(bounces.band),
        if bounces.is_caught { ", nor at the next border beyond it" } else { "" }
    );
    at_declarations(Diagnostic::error("zeno", message), model, &[bounces.held]).with_note(
        "give it a state of rest: a condition that ends the motion where it is slow, or one that becomes true while this one holds, such as `h <= 0 and v <= 0`",
    )
}

fn of_no_progress(model: &CompiledModel, variables: &[VarId], t: f64) -> Diagnostic {
    if variables.is_empty() {
        let message = format!("events follow each other without progress at t = {}", instant(t));
        return Diagnostic::error("zeno", message)
            .with_note("no condition switches: a `sample`, or a time that a `when` sets itself, comes too often for this run");
    }
    let message = format!(
        "events follow each other without progress at t = {}: {} {} again and again",
        instant(t),
        names(model, variables),
        if variables.len() == 1 { "switches" } else { "switch" }
    );
    at_declarations(Diagnostic::error("zeno", message), model, variables)
        .with_note("a bouncing or chattering element may need a state of rest, or a hysteresis")
}

/// A border that the equations lead back to on either side.
pub(crate) fn of_sliding(model: &CompiledModel, variables: &[VarId], t: f64) -> Diagnostic {
    let message = format!(
        "{} cannot be left to either side from t = {} on: whether it holds or not, the equations lead back to where it switches (a sliding mode)",
        names(model, variables),
        instant(t)
    );
    at_declarations(Diagnostic::error("zeno", message), model, variables).with_note(
        "a hysteresis (with `pre`), or a third mode in which it stays at the border, lets time go on",
    )
}
