//! What the model itself has to say: its asserts, what the functions do that it calls for their effect, and why it ends a run.

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

use crate::events::Called;
use crate::options::Options;
use crate::running::Running;
use crate::said::Said;
use crate::stop::Stop;

/// Where an assert begins not to hold is found to this share of the step.
const ASSERT_LOCATED: f64 = 1e-12;

impl Running<'_> {
    /// The words of a `terminate`.
    pub(crate) fn termination(&mut self, place: usize, t: f64) -> Diagnostic {
        of_termination(&mut self.problem, place, t)
    }

    /// What is said while `initial()` holds: by initial sections, by `when initial()`, and by all that is looked at always.
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
        let ends = self.problem.look(&model.code.terminations);
        let ends = ends.map_err(|why| Stop::NoValue(why, t))?;
        match ends.iter().position(|active| *active != 0.0) {
            // what ends the run at any other event does so at that of the start, too
            Some(place) if model.equations.events.initial.is_some() => {
                self.record(t)?;
                Err(Stop::Terminated(self.termination(place, t)))
            }
            _ => Ok(()),
        }
    }

    /// Asserts at the point that was evaluated last; those that are looked at once only at the start.
    pub(crate) fn check_asserts(&mut self, t: f64, is_start: bool) -> Result<(), Stop> {
        for place in self.broken_asserts(t, is_start)? {
            self.broken(place, None, t)?;
        }
        Ok(())
    }

    /// The asserts that do not hold at the point that was evaluated last, and of which nothing has been said.
    fn broken_asserts(&mut self, t: f64, is_start: bool) -> Result<Vec<usize>, Stop> {
        if self.model.equations.asserts.is_empty() {
            return Ok(Vec::new());
        }
        let model = self.model.clone();
        let problem = &mut self.problem;
        let asserts = &model.code.asserts;
        problem.glance(asserts).map_err(|why| Stop::NoValue(why, t))?;
        let is_broken = |place: &usize| problem.values[asserts.slots[*place].index()] == 0.0;
        let counts = |place: &usize| is_start || model.equations.asserts[*place].moment != Moment::Start;
        let broken = (0..asserts.slots.len()).filter(|place| is_broken(place) && counts(place));
        Ok(broken.filter(|place| !self.told.asserts[*place]).collect())
    }

    /// Asserts at the end of a step. What no longer holds there is looked for within it, so that it is said where it begins
    /// and no row beyond is written. It is no event: an assert has no influence on the run (MLS §8.3.7).
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

    /// An assert that does not hold: a warning is said once, an error ends the run.
    pub(crate) fn broken(&mut self, place: usize, said: Option<Said>, t: f64) -> Result<(), Stop> {
        if std::mem::replace(&mut self.told.asserts[place], true) {
            return Ok(());
        }
        let said = said.unwrap_or_else(|| of_assert(&mut self.problem, place, t));
        self.hear(said, t)
    }

    /// Says a warning, and ends the run by anything else.
    pub(crate) fn hear(&mut self, said: Said, t: f64) -> Result<(), Stop> {
        match said {
            Said::Warning(said) => self.told.say(said),
            Said::Fault(said) => return Err(Stop::Broken(said)),
            Said::End(said) => {
                self.record(t)?;
                return Err(Stop::Terminated(said));
            }
        }
        Ok(())
    }

    /// Functions that are called for their effect outside of any `when`, at a point that counts.
    pub(crate) fn perform(&mut self, moment: Moment, t: f64) -> Result<(), Stop> {
        let model = self.model.clone();
        let effects = &model.equations.events.effects;
        if effects.iter().all(|effect| effect.moment != moment) {
            return Ok(());
        }
        let failed = |why| Stop::NoValue(why, t);
        let is_active = self.problem.look(&model.code.effects).map_err(failed)?;
        for (place, is_active) in is_active.into_iter().enumerate() {
            if is_active != 0.0 && effects[place].moment == moment {
                self.perform_one(Called { place, values: None }, t)?;
            }
        }
        Ok(())
    }

    /// Those that were called in the turns of an event.
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
            if self.told.effects.insert((place, span)) {
                self.told.say(said);
            }
        }
        done.failed.map_or(Ok(()), |said| Err(Stop::Broken(said)))
    }
}

/// What a function had to say that was called for its effect.
pub(crate) struct Spoken {
    /// What it printed.
    pub(crate) printed: Vec<String>,
    /// What it warned of, by the place of the assert.
    pub(crate) warned: Vec<(Span, Diagnostic)>,
    /// Why it did not come to its end.
    pub(crate) failed: Option<Diagnostic>,
}

/// Calls a function for its effect.
pub(crate) fn performed(problem: &mut ModelProblem, called: Called, t: f64) -> Result<Spoken, NoValue> {
    let model = problem.model.clone();
    let values = match called.values {
        Some(values) => values,
        None => problem.look(&model.code.arguments[called.place])?,
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

/// The words of a `terminate` of a model, by its place.
pub(crate) fn of_termination(problem: &mut ModelProblem, place: usize, t: f64) -> Diagnostic {
    let model = problem.model.clone();
    // messages of asserts come first
    let place_of_message = model.equations.asserts.len() + place;
    let termination = &model.equations.events.terminations[place];
    let values = problem.look(&model.code.messages[place_of_message]).unwrap_or_default();
    let text = problem.evaluator.functions.text(&termination.message, &values);
    let said = format!("the model ends the run at t = {}: {text}", instant(t));
    let said = in_component(Diagnostic::note("terminated", said), &termination.origin.component);
    match termination.origin.span {
        Some(span) => said.at(span, "`terminate` here"),
        None => said,
    }
}

/// An assert of a model that does not hold, by its place.
pub(crate) fn of_assert(problem: &mut ModelProblem, place: usize, t: f64) -> Said {
    let model = problem.model.clone();
    assert_of(&model, &problem.evaluator.functions, &mut problem.values, place, t)
}

/// The assert of a function that says why a formula has no value. What a function computes that is put in place of its call is computed
/// before its asserts are looked at.
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
    // those that were looked at before something else has no value either
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

/// What a name stands for that is not computed itself.
fn alias_of(model: &CompiledModel, v: VarId) -> Option<ExprId> {
    let aliases = &model.solvable.aliases;
    let place = aliases.binary_search_by_key(&v, |alias| alias.target).ok()?;
    Some(aliases[place].value)
}

fn assert_of(model: &CompiledModel, functions: &Functions, values: &mut [f64], place: usize, t: f64) -> Said {
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
        // the last is the rest of the level
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
    if is_warning { Said::Warning(said) } else { Said::Fault(said) }
}
