//! The kinds of event search: crossings that are enclosed, solved ahead, or sampled at points.

use rhei_kernel::Moves;
use rhei_model::CompiledModel;
use rhei_source::Diagnostic;

use crate::constants::{
    CAREFUL_SEPARATION, CAREFUL_UNCERTAINTY, INTERVAL_OF_RUN, SAMPLES_OF_INTERVAL, SEARCH_ENCLOSURES_OF_STEP,
    SEARCH_WORK, SEARCH_WORK_OF_STEP,
};
use crate::events::{Ahead, Enclosed, Side, Watcher};
use crate::failure::events::of_not_enclosed;
use crate::options::Options;
use crate::output::OutputTimes;

/// How carefully state events are searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventSearch {
    /// At a few points of each step.
    Fast,
    /// Without missing two crossings further apart than a thousandth of the output interval.
    #[default]
    Careful,
    /// Without missing any crossing of the computed curve, but for rounding.
    Proven,
}

/// State of the event search from step to step.
#[derive(Clone, Default)]
pub(crate) struct Search {
    /// Enclosures, if any crossing has a formula.
    pub(crate) enclosed: Option<Enclosed>,
    /// Crossings that depend on time alone.
    pub(crate) ahead: Ahead,
    /// Whether any crossing is enclosed within steps.
    pub(crate) in_step: bool,
    /// Whether each crossing is sampled at points.
    pub(crate) is_sampled: Vec<bool>,
    /// Largest distance of these points.
    pub(crate) apart: f64,
    /// Length of a piece of time that is halved no further.
    pub(crate) finest: f64,
    /// Uncertainty of states, relative to the larger of value and nominal value.
    pub(crate) blur: f64,
    /// Memory for the sides that crossings keep.
    pub(crate) sides: Vec<Side>,
    /// The length of the finest piece if that is too much work.
    pub(crate) coarse: f64,
    /// Work that the next search may take.
    pub(crate) allowance: u64,
    /// The crossings whose searches were reported to be too much work.
    pub(crate) reported_too_long: Vec<usize>,
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
            OutputTimes::At(_) => INTERVAL_OF_RUN * span,
        };
        let is_enclosed = |moves: &Moves| enclosed.is_some() && *moves == Moves::WithStates;
        let in_step = is_looked_for.iter().zip(&moves).any(|(is, moves)| *is && is_enclosed(moves));
        Search {
            is_sampled: is_sampled.collect(),
            ahead: enclosed
                .as_ref()
                .map_or_else(Ahead::default, |enclosed| Ahead::new(enclosed, &is_looked_for)),
            apart: if is_fast { f64::INFINITY } else { interval / SAMPLES_OF_INTERVAL },
            in_step,
            enclosed,
            finest: if options.choices.events == EventSearch::Proven {
                0.0
            } else {
                CAREFUL_SEPARATION * interval
            },
            blur: if options.choices.events == EventSearch::Proven {
                0.0
            } else {
                CAREFUL_UNCERTAINTY * options.tolerance
            },
            sides: Vec::new(),
            coarse: CAREFUL_SEPARATION * interval,
            allowance: SEARCH_WORK,
            reported_too_long: Vec::new(),
        }
    }

    /// Subtracts the work of a search: after one that was too much the next ones have little, so that a run of many steps comes
    /// to its end.
    pub(crate) fn spend(&mut self, work: u64, of_look: u64) {
        let earned = SEARCH_WORK_OF_STEP + SEARCH_ENCLOSURES_OF_STEP * of_look;
        self.allowance = (self.allowance.saturating_sub(work) + earned).min(SEARCH_WORK);
    }

    /// Diagnostics of crossings without a proof, if proofs were asked for.
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

    /// Whether any sampled margin is negative or, if a search was given up, any margin at all; those of the past come last.
    pub(crate) fn is_left(&self, margins: &[f64], gave_up: bool) -> bool {
        let (crossings, past) = margins.split_at(self.is_sampled.len());
        let mut sampled = crossings.iter().zip(&self.is_sampled);
        sampled.any(|(margin, is)| (*is || gave_up) && *margin < 0.0)
            || past.iter().any(|margin| *margin < 0.0)
    }
}
