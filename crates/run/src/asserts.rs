//! Messages of the model itself: its asserts, the functions it calls for their effect, and its terminations.

use rhei_equations::{ASSERTION_WARNING, ExprId, Level, Moment, VarId};
use rhei_evaluate::Failure;
use rhei_kernel::{Fault, Functions, Performed, Warned};
use rhei_model::CompiledModel;
use rhei_solve::evaluate::NoValue;
use rhei_solve::failure::{broken_in, in_component, instant};
use rhei_solve::problem::ModelProblem;
use rhei_solve::search::{NEARBY, Search};
use rhei_solve::start::{Prepared, prepare};
use rhei_source::{Diagnostic, Span};
use rustc_hash::FxHashSet;

use crate::constants::ASSERT_LOCATED;
use crate::events::Called;
use crate::message::Message;
use crate::options::Options;
use crate::running::Running;
use crate::stop::Stop;

impl Running<'_> {
    /// The message of a `terminate`.
    pub(crate) fn termination(&mut self, place: usize, t: f64) -> Diagnostic {
        of_termination(&mut self.problem, place, t)
    }

    /// Makes the messages while `initial()` holds: of initial sections, of `when initial()`, and of everything checked at
    /// all times.
    pub(crate) fn speak_at_start(&mut self, t: f64) -> Result<(), Stop> {
        let model = self.model.clone();
        let initial = model.equations.events.initial;
        let set = |this: &mut Self, is_initial: f64| {
            if let Some(initial) = initial {
                this.problem.values[initial.index()] = is_initial;
            }
        };
        set(self, 1.0);
        let done = self.speak_initially(t);
        set(self, 0.0);
        done
    }

    fn speak_initially(&mut self, t: f64) -> Result<(), Stop> {
        let model = self.model.clone();
        self.perform(Moment::Start, t)?;
        self.perform(Moment::Turn, t)?;
        self.check_asserts(t, true)?;
        let ends = self.problem.watched(&model.code.terminations);
        let ends = ends.map_err(|why| Stop::NoValue(why, t))?;
        match ends.iter().position(|active| *active != 0.0) {
            // a `terminate` that would end the run at another event ends it at that of the start, too
            Some(place) if model.equations.events.initial.is_some() => {
                self.record(t)?;
                Err(Stop::Terminated(self.termination(place, t)))
            }
            _ => Ok(()),
        }
    }

    /// Checks the asserts at the point evaluated last; those of parameters at the start only.
    pub(crate) fn check_asserts(&mut self, t: f64, is_start: bool) -> Result<(), Stop> {
        for place in self.broken_asserts(t, is_start)? {
            self.broken(place, None, t)?;
        }
        Ok(())
    }

    /// The asserts violated at the point evaluated last, without those already reported.
    fn broken_asserts(&mut self, t: f64, is_start: bool) -> Result<Vec<usize>, Stop> {
        if self.model.equations.asserts.is_empty() {
            return Ok(Vec::new());
        }
        let model = self.model.clone();
        let problem = &mut self.problem;
        let asserts = &model.code.asserts;
        problem.evaluate_watched(asserts).map_err(|why| Stop::NoValue(why, t))?;
        let is_broken = |place: &usize| problem.values[asserts.slots[*place].index()] == 0.0;
        let counts = |place: &usize| is_start || model.equations.asserts[*place].moment != Moment::Start;
        let broken = (0..asserts.slots.len()).filter(|place| is_broken(place) && counts(place));
        Ok(broken.filter(|place| !self.reports.asserts[*place]).collect())
    }

    /// Checks the asserts at the end of a step. One that is violated there is located within the step, so that it is reported
    /// where that begins, and no row beyond is written. That makes no event: an assert has no influence on the run (MLS §8.3.7).
    pub(crate) fn check_step(&mut self, from: f64) -> Result<(), Stop> {
        if self.model.equations.asserts.is_empty() {
            return Ok(());
        }
        let to = self.time;
        self.evaluate_from(from, to)?;
        while let Some(&place) = self.broken_asserts(to, false)?.first() {
            // of several the one that breaks first
            let (mut holds, mut breaks, mut first) = (from, to, place);
            while breaks - holds > ASSERT_LOCATED * (to - from) {
                let middle = holds + 0.5 * (breaks - holds);
                if middle <= holds || middle >= breaks {
                    break;
                }
                self.evaluate(middle)?;
                match self.broken_asserts(middle, false)?.first() {
                    Some(&place) => (breaks, first) = (middle, place),
                    None => holds = middle,
                }
            }
            self.write_rows(from, breaks, false)?;
            self.evaluate(breaks)?;
            let said = self.broken(first, None, breaks);
            if said.is_err() {
                self.time = breaks;
            }
            said?;
            self.evaluate(to)?;
        }
        Ok(())
    }

    /// Reports a violated assert: a warning once, an error by ending the run.
    pub(crate) fn broken(&mut self, place: usize, said: Option<Message>, t: f64) -> Result<(), Stop> {
        if std::mem::replace(&mut self.reports.asserts[place], true) {
            return Ok(());
        }
        let said = said.unwrap_or_else(|| of_assert(&mut self.problem, place, t));
        self.hear(said, t)
    }

    /// Reports a warning, and ends the run by any other message.
    pub(crate) fn hear(&mut self, said: Message, t: f64) -> Result<(), Stop> {
        match said {
            Message::Warning(said) => self.reports.add(said),
            Message::BranchJump(said) => self.reports.add_branch_jump(said),
            Message::Fault(said) => return Err(Stop::Broken(said)),
            Message::End(said) => {
                self.record(t)?;
                return Err(Stop::Terminated(said));
            }
        }
        Ok(())
    }

    /// Calls functions for their effect outside of any `when`, at an accepted point.
    pub(crate) fn perform(&mut self, moment: Moment, t: f64) -> Result<(), Stop> {
        let model = self.model.clone();
        let effects = &model.equations.events.effects;
        if effects.iter().all(|effect| effect.moment != moment) {
            return Ok(());
        }
        let failed = |why| Stop::NoValue(why, t);
        let is_active = self.problem.watched(&model.code.effects).map_err(failed)?;
        for (place, is_active) in is_active.into_iter().enumerate() {
            if is_active != 0.0 && effects[place].moment == moment {
                self.perform_one(Called { place, values: None }, t)?;
            }
        }
        Ok(())
    }

    /// Makes the calls noted in the iterations of an event.
    pub(crate) fn perform_called(&mut self, t: f64) -> Result<(), Stop> {
        std::mem::take(&mut self.watcher.called)
            .into_iter()
            .try_for_each(|called| self.perform_one(called, t))
    }

    fn perform_one(&mut self, called: Called, t: f64) -> Result<(), Stop> {
        let place = called.place;
        let done = performed(&mut self.problem, called, t).map_err(|why| Stop::NoValue(why, t))?;
        done.printed.iter().for_each(|text| self.recorder.sink.print(text));
        for (span, said) in done.warned {
            if self.reports.effects.insert((place, span)) {
                self.reports.add(said);
            }
        }
        done.failed.map_or(Ok(()), |said| Err(Stop::Broken(said)))
    }
}

/// Messages of a function called for its effect.
pub(crate) struct Spoken {
    /// Printed texts.
    pub(crate) printed: Vec<String>,
    /// Warnings, by the place of the assert.
    pub(crate) warned: Vec<(Span, Diagnostic)>,
    /// Why it failed, if it did.
    pub(crate) failed: Option<Diagnostic>,
}

/// Calls a function for its effect.
pub(crate) fn performed(problem: &mut ModelProblem, called: Called, t: f64) -> Result<Spoken, NoValue> {
    let model = problem.model.clone();
    let values = match called.values {
        Some(values) => values,
        None => problem.watched(&model.code.arguments[called.place])?,
    };
    let effect = &model.equations.events.effects[called.place];
    let Performed { printed, warned, failed } =
        problem.evaluator.functions.perform(effect.function, &effect.arguments, &values);
    let function = &model.equations.functions.function(effect.function).name;
    let of_call = |said: Diagnostic| {
        let said = match effect.origin.span {
            Some(call) if said.labels.iter().all(|label| label.span != call) => said.at(call, "called here"),
            _ => said,
        };
        in_component(said, &effect.origin.component)
    };
    let warned = warned.into_iter().map(|Warned { message, span }| {
        let said = broken_in(function, &message, t);
        (span, of_call(Diagnostic::warning("assert-warning", said).at(span, "asserted here")))
    });
    let failed = failed.map(|failure| match failure {
        Failure::AssertFailed { message, span } => {
            let said = broken_in(function, &message, t);
            of_call(Diagnostic::error("assert-failed", said).at(span, "asserted here"))
        }
        other => {
            let mut said = other.into_diagnostic();
            said.message = format!("{} (at t = {}, calling `{function}`)", said.message, instant(t));
            of_call(said)
        }
    });
    Ok(Spoken { printed, warned: warned.collect(), failed })
}

/// The message of a `terminate` of a model, by its index.
pub(crate) fn of_termination(problem: &mut ModelProblem, place: usize, t: f64) -> Diagnostic {
    let model = problem.model.clone();
    // messages of asserts come first
    let place_of_message = model.equations.asserts.len() + place;
    let termination = &model.equations.events.terminations[place];
    let values = problem.watched(&model.code.messages[place_of_message]).unwrap_or_default();
    let text = problem.evaluator.functions.text(&termination.message, &values);
    let said = format!("the model ends the run at t = {}: {text}", instant(t));
    let said = in_component(Diagnostic::note("terminated", said), &termination.origin.component);
    match termination.origin.span {
        Some(span) => said.at(span, "`terminate` here"),
        None => said,
    }
}

/// The message of a violated assert of a model, by its index.
pub(crate) fn of_assert(problem: &mut ModelProblem, place: usize, t: f64) -> Message {
    let model = problem.model.clone();
    assert_of(&model, &problem.evaluator.functions, &mut problem.values, place, t)
}

/// The assert of a function that says why a formula has no value. The statements of an inlined function are evaluated before its
/// asserts are checked.
pub(crate) fn assert_behind(
    model: &CompiledModel,
    functions: &Functions,
    values: &mut [f64],
    fault: &Fault,
    t: f64,
) -> Option<Diagnostic> {
    if fault.call.is_some() || model.equations.asserts.iter().all(|assert| assert.within.is_none()) {
        return None;
    }
    let needed: FxHashSet<VarId> = model.equations.pool.variables_of(fault.expression?).into_iter().collect();
    let asserts = &model.code.asserts;
    asserts.slots.iter().for_each(|slot| values[slot.index()] = 1.0);
    // the program stops at the first missing value: the asserts before it have been evaluated
    let _ = asserts.program.run(values, functions);
    let speaks_of_it = |condition: ExprId| {
        let named = model.equations.pool.variables_of(condition).into_iter();
        let computed = named.flat_map(|v| match alias_of(model, v) {
            Some(value) => model.equations.pool.variables_of(value),
            None => vec![v],
        });
        needed.is_empty() || computed.into_iter().any(|v| needed.contains(&v))
    };
    let place = model.equations.asserts.iter().zip(&asserts.slots).position(|(assert, slot)| {
        values[slot.index()] == 0.0 && assert.within.is_some() && speaks_of_it(assert.condition)
    })?;
    assert_of(model, functions, values, place, t).fault()
}

/// The same where the start has no value: its values are computed again, as far as that goes.
pub(crate) fn assert_behind_start(
    model: &CompiledModel,
    options: &Options,
    fault: &Fault,
) -> Option<Diagnostic> {
    let (t, code) = (options.start_time, &model.code);
    match prepare(model, t, options.given()) {
        Ok(Prepared { mut values, mut evaluator, .. }) => {
            if let Some(initial) = model.equations.events.initial {
                values[initial.index()] = 1.0;
            }
            let _ = evaluator.run(&code.initial, &mut values, Search::with(&NEARBY));
            assert_behind(model, &evaluator.functions, &mut values, fault, t)
        }
        Err(_) => {
            let functions = Functions::new(code.functions.clone());
            let mut values = code.new_values();
            values[code.time().index()] = t;
            let _ = code.parameters.run_setting(&mut values, &options.set, &functions);
            let _ = code.starts.run(&mut values, &functions);
            assert_behind(model, &functions, &mut values, fault, t)
        }
    }
}

/// The value of an alias.
fn alias_of(model: &CompiledModel, v: VarId) -> Option<ExprId> {
    let aliases = &model.solvable.aliases;
    let place = aliases.binary_search_by_key(&v, |alias| alias.target).ok()?;
    Some(aliases[place].value)
}

fn assert_of(
    model: &CompiledModel,
    functions: &Functions,
    values: &mut [f64],
    place: usize,
    t: f64,
) -> Message {
    let assert = &model.equations.asserts[place];
    let message = &model.code.messages[place];
    let has_values = message.program.run(values, functions).is_ok();
    let values: Vec<f64> = match has_values {
        true => message.slots.iter().map(|slot| values[slot.index()]).collect(),
        false => Vec::new(),
    };
    let text = functions.text(&assert.message, &values);
    let said = match &assert.within {
        Some(within) => broken_in(&within.function, &text, t),
        None => format!("an assertion of the model does not hold at t = {}: {text}", instant(t)),
    };
    let is_warning = match assert.level {
        Level::Warning => true,
        Level::Error => false,
        // the last value is the low-order part of the level
        Level::Chosen(_) => {
            values.iter().nth_back(1).is_some_and(|level| *level == f64::from(ASSERTION_WARNING))
        }
    };
    let said = if is_warning {
        Diagnostic::warning("assert-warning", said)
    } else {
        Diagnostic::error("assert-failed", said)
    };
    let said = match assert.origin.span {
        Some(span) => said.at(span, "asserted here"),
        None => said,
    };
    let said = match &assert.within {
        Some(within) => said.at(within.call, "called here"),
        None => said,
    };
    let said = in_component(said, &assert.origin.component);
    if is_warning { Message::Warning(said) } else { Message::Fault(said) }
}
