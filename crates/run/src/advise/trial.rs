//! A model run with balances in place of some of its equations, beside the run without them.

use std::sync::Arc;

use rhei_equations::{NewBalance, VarId};
use rhei_model::CompiledModel;
use rhei_results::Trajectories;
use rhei_source::Diagnostic;
use rustc_hash::FxHashSet;

use super::meter::Meter;
use super::{ADVICE_DIFFERENCE, Remake, rounded};
use crate::constants::{ADVICE_ROWS, ADVICE_TRIALS_WORK};
use crate::integration::Steps;
use crate::options::Options;
use crate::outcome::Status;
use crate::output::OutputTimes;
use crate::recorder::{Lent, Recorder};
use crate::running::Running;

/// How a run with balances differs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    /// The largest difference of a state that is left, relative to its largest value; without such states of what is balanced.
    pub(super) largest: f64,
    /// Steps without and with the balances.
    pub(super) steps: [u64; 2],
    /// Balances that were tried together.
    pub(super) together: usize,
}

impl Difference {
    pub(super) fn text(&self) -> String {
        let [before, after] = self.steps;
        let which = if self.together == 1 { "it".to_owned() } else { format!("all {}", self.together) };
        format!(
            "tried: a run with {which} differs from this one by {}, and takes {after} steps in place of {before}",
            rounded(self.largest)
        )
    }
}

/// Runs of a model with and without balances.
pub(super) struct Trials<'a> {
    model: &'a Arc<CompiledModel>,
    options: Options,
    remake: Remake<'a>,
    /// The names of what may be compared: the states, and the unknowns of loops.
    names: FxHashSet<String>,
    /// The run without.
    base: Option<Run>,
    /// The work left to trials, and how many were given up or not begun because there was none.
    left: u64,
    given_up: usize,
}

struct Run {
    rows: Trajectories,
    steps: u64,
}

impl<'a> Trials<'a> {
    /// With so much work for all of them.
    pub(super) fn new(
        model: &'a Arc<CompiledModel>,
        options: &Options,
        remake: Remake<'a>,
        work: u64,
    ) -> Trials<'a> {
        let span = options.stop_time - options.start_time;
        let time = |i: usize| options.start_time + span * i as f64 / ADVICE_ROWS as f64;
        let mut times: Vec<f64> = (0..ADVICE_ROWS).map(time).collect();
        times.push(options.stop_time);
        let options = Options { output: OutputTimes::At(times), ..options.clone() };
        let states = model.solvable.states.iter().map(|state| state.variable);
        let guessed = super::loops(model).flat_map(|own| own.guessed.iter().copied());
        let names = states.chain(guessed).map(|v| model.equations.variable(v).name.to_string());
        Trials { model, options, remake, names: names.collect(), base: None, left: work, given_up: 0 }
    }

    /// How a run with balances differs from one without after this time; nothing where it does not reach its end, or differs by too much.
    pub(super) fn difference(&mut self, new: &[NewBalance], from: f64) -> Option<Difference> {
        if self.model.modes.is_some() {
            return None; // equations of one mode are not those of another
        }
        if self.base.is_none() {
            self.base = self.run(&self.model.clone());
        }
        if self.left == 0 {
            self.given_up += 1;
            return None;
        }
        let balanced: Vec<VarId> = new.iter().map(|new| new.variable).collect();
        let made = (self.remake)(self.model.equations.with_balances(new))?;
        let own = self.run(&made)?;
        let base = self.base.as_ref()?;
        let states = self.model.solvable.states.iter().map(|state| state.variable);
        let mut compared: Vec<VarId> = states.filter(|state| !balanced.contains(state)).collect();
        if compared.is_empty() {
            compared = balanced;
        }
        let names = compared.iter().map(|v| self.model.equations.variable(*v).name.as_str());
        let largest = names.filter_map(|name| distance(base, &own, name, from)).fold(0.0, f64::max);
        (largest <= ADVICE_DIFFERENCE).then_some(Difference {
            largest,
            steps: [base.steps, own.steps],
            together: new.len(),
        })
    }

    /// The states and all that could be balanced, in rows; nothing for a run that does not come to its end with the work that is left.
    fn run(&mut self, model: &Arc<CompiledModel>) -> Option<Run> {
        let (columns, recorded) = model.columns(|name| self.names.contains(name));
        let mut rows = Trajectories::new(columns);
        let steps = {
            let recorder = Recorder::new(model, &recorded, Box::new(Lent(&mut rows)), &self.options);
            let mut running = Running::start(model, &self.options, recorder, Steps::Own).ok()?;
            let mut meter = Meter::default();
            running.set_out().ok()?;
            while running.time < self.options.stop_time {
                running.take_step(self.options.stop_time).ok()?;
                self.left = self.left.saturating_sub(meter.read(&running));
                if self.left == 0 {
                    self.given_up += 1;
                    return None;
                }
            }
            let ended = running.finish();
            let outcome = running.outcome(ended);
            (outcome.status == Status::Finished).then_some(outcome.statistics.steps)?
        };
        Some(Run { rows, steps })
    }

    /// The note that there was no work left for some of them.
    pub(super) fn left_out(&self) -> Option<Diagnostic> {
        let what = match self.given_up {
            0 => return None,
            1 => "a proposal was".to_owned(),
            n => format!("{n} proposals were"),
        };
        let message = format!(
            "{what} not tried to the end, and left out: the trials have taken {ADVICE_TRIALS_WORK} times the work of the run"
        );
        Some(Diagnostic::note("balance-advice-incomplete", message))
    }
}

fn distance(a: &Run, b: &Run, name: &str, from: f64) -> Option<f64> {
    let (own, other) = (a.rows.get(name)?, b.rows.get(name)?);
    let size = own.iter().fold(f64::MIN_POSITIVE, |most: f64, value| most.max(value.abs()));
    let both = a.rows.time().iter().zip(own.iter().zip(other)).filter(|(t, _)| **t >= from);
    Some(both.map(|(_, (a, b))| (a - b).abs() / size).fold(0.0, f64::max))
}
