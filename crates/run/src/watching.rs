//! How a run looks for events: which crossings are enclosed, which are solved ahead, which are looked for at points.

use rhei_kernel::Moves;
use rhei_model::CompiledModel;
use rhei_source::Diagnostic;

use crate::events::{Ahead, Enclosed, MOST_WORK, Side, Watcher};
use crate::failure::events::of_not_enclosed;
use crate::options::Options;
use crate::output::OutputTimes;

/// How carefully crossings are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventSearch {
    /// At a few points of each step.
    Fast,
    /// No two crossings that are further apart than a thousandth of the output interval are missed.
    #[default]
    Careful,
    /// No crossing of the computed curve is missed, but for rounding.
    Proven,
}

/// Crossings closer to each other than this share of the output interval may be missed by a careful search.
const CAREFUL: f64 = 1e-3;
/// What each step adds to the work that later searches may take, so that a step takes a millisecond more at most, in the long run; and the
/// same in looks at everything, where these are long formulas.
const ALLOWANCE_OF_STEP: u64 = 40_000;
const LOOKS_OF_STEP: u64 = 2;
/// In each output interval, crossings that are not enclosed are looked for at so many points at least.
const LOOKS: f64 = 4.0;
/// What a careful search takes for the same, as a share of the tolerance.
const BLUR: f64 = 1e-3;
/// The output interval where rows are asked for at given times, as a share of the run: that of a run without options.
const USUAL_INTERVAL: f64 = 1.0 / 500.0;

/// What the search for events keeps from step to step.
#[derive(Clone, Default)]
pub(crate) struct Search {
    /// Where any crossing has a formula.
    pub(crate) enclosed: Option<Enclosed>,
    /// Those that depend on time alone.
    pub(crate) ahead: Ahead,
    /// Whether any crossing is enclosed within steps.
    pub(crate) in_step: bool,
    /// Whether each crossing is looked for at points.
    pub(crate) is_sampled: Vec<bool>,
    /// How far apart these points are at most.
    pub(crate) apart: f64,
    /// Pieces of time that are not halved any more.
    pub(crate) finest: f64,
    /// By which share of themselves, or of their nominal values, states are not told from others.
    pub(crate) blur: f64,
    /// Memory for the sides that crossings keep.
    pub(crate) sides: Vec<Side>,
    /// The same where that would be too much work.
    pub(crate) coarse: f64,
    /// How much work the next search may take.
    pub(crate) allowance: u64,
    /// The crossings of which it was said that their searches are too much work.
    pub(crate) told_too_long: Vec<usize>,
}

impl Search {
    /// For a model in one mode.
    pub(crate) fn new(model: &CompiledModel, watcher: &Watcher, options: &Options) -> Search {
        let is_looked_for: Vec<bool> = watcher.is_looked_for().collect();
        let enclosed = match options.choices.events {
            EventSearch::Fast => None,
            EventSearch::Careful | EventSearch::Proven => Enclosed::new(model),
        };
        let moves: Vec<Moves> = model.crossing_slices().moves().collect();
        let is_fast = options.choices.events == EventSearch::Fast;
        let is_sampled = |moves: &Moves| is_fast || matches!(moves, Moves::Beyond(_));
        let is_sampled = is_looked_for.iter().zip(&moves).map(|(is, moves)| *is && is_sampled(moves));
        let span = options.stop_time - options.start_time;
        let interval = match &options.output {
            OutputTimes::Intervals(n) => span / (*n).max(1) as f64,
            OutputTimes::Every(dt) => *dt,
            OutputTimes::At(_) => USUAL_INTERVAL * span,
        };
        let is_enclosed = |moves: &Moves| enclosed.is_some() && *moves == Moves::WithStates;
        let in_step = is_looked_for.iter().zip(&moves).any(|(is, moves)| *is && is_enclosed(moves));
        Search {
            is_sampled: is_sampled.collect(),
            ahead: enclosed
                .as_ref()
                .map_or_else(Ahead::default, |enclosed| Ahead::new(enclosed, &is_looked_for)),
            apart: if is_fast { f64::INFINITY } else { interval / LOOKS },
            in_step,
            enclosed,
            finest: if options.choices.events == EventSearch::Proven { 0.0 } else { CAREFUL * interval },
            blur: if options.choices.events == EventSearch::Proven { 0.0 } else { BLUR * options.tolerance },
            sides: Vec::new(),
            coarse: CAREFUL * interval,
            allowance: MOST_WORK,
            told_too_long: Vec::new(),
        }
    }

    /// Counts what a search took: after one that was too much the next ones have little, so that a run of many steps comes to its end.
    pub(crate) fn spend(&mut self, work: u64, of_look: u64) {
        let earned = ALLOWANCE_OF_STEP + LOOKS_OF_STEP * of_look;
        self.allowance = (self.allowance.saturating_sub(work) + earned).min(MOST_WORK);
    }

    /// What is to be said of crossings for which a proof was asked for that there is none.
    pub(crate) fn unproven(&self, model: &CompiledModel, options: &Options) -> Vec<Diagnostic> {
        if options.choices.events != EventSearch::Proven {
            return Vec::new();
        }
        let slices = model.crossing_slices();
        let crossings = model.equations.events.crossings.iter().zip(slices.moves());
        let sampled = crossings.zip(&self.is_sampled).filter(|(_, is)| **is);
        let said = sampled.filter_map(|((crossing, moves), _)| match moves {
            Moves::Beyond(without) => Some(of_not_enclosed(model, crossing, without)),
            _ => None,
        });
        said.collect()
    }

    /// Whether any of the margins that are looked at at points is negative, or, where a search was given up, any; those of the past are the
    /// last ones.
    pub(crate) fn is_left(&self, margins: &[f64], gave_up: bool) -> bool {
        let (crossings, past) = margins.split_at(self.is_sampled.len());
        let mut sampled = crossings.iter().zip(&self.is_sampled);
        sampled.any(|(margin, is)| (*is || gave_up) && *margin < 0.0)
            || past.iter().any(|margin| *margin < 0.0)
    }
}
