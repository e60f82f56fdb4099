//! One run of a model from start to stop.

mod advise;
mod begin;
mod bounce;
mod branches;
mod change_charts;
mod happen;
mod integration;
mod limits;
mod linearize;
mod modes;
mod onward;
mod options;
mod order_of_impulses;
mod outcome;
pub(crate) mod pace;
mod ranges;
mod recorder;
mod remember;
pub(crate) mod sayings;
mod search;
mod setting;
mod shorten;
mod snapshot;
mod stepping;
mod stop;
mod watching;

use std::sync::Arc;

use rhei_equations::{Moment, VarId};
use rhei_numerics::{Failure, Integrator, Statistics};
use rhei_results::Sink;
use rhei_source::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::CompiledModel;
use crate::assumptions::Assumptions;
use crate::charts::Charts;
use crate::chattering::of_chattering;
use crate::clocks::Clocks;
use crate::evaluate::NoValue;
use crate::events::{NextTimes, Watcher};
use crate::failure::{of_sample, of_singular_choice, of_singular_set};
use crate::modes::{ModeChange, VisitedMode};
use crate::patience::Patience;
use crate::problem::{ModelProblem, Present};
use crate::reach::Reach;
use crate::start::jacobians;
use pace::Pace;
use ranges::Ranges;
use recorder::{Lent, Recorder};
use sayings::assert_behind;
use search::Looked;
use stop::{NotStarted, Stop, stop_of};
use watching::Search;

pub use advise::{BalanceAdvice, advise_balances};
pub use begin::begins_in;
pub use integration::Integration;
pub use limits::{Limits, LoopWork};
pub use linearize::{Linearisation, linearize};
pub use options::{Bounds, Options, Projection};
pub use outcome::{Outcome, Status};
pub use snapshot::Snapshot;
pub use stepping::{Reached, Stepping};
pub use watching::EventSearch;

/// Runs a model and hands the rows to `sink`: the values of `recorded`, in that order.
pub fn simulate(
    model: &Arc<CompiledModel>,
    options: &Options,
    recorded: &[VarId],
    sink: &mut dyn Sink,
) -> Outcome {
    let recorder = Recorder::new(model, recorded, Box::new(Lent(sink)), options);
    match Running::start(model, options, recorder) {
        Ok(mut running) => {
            let ended = running.run_to_end();
            running.outcome(ended)
        }
        Err(not_started) => not_started.outcome(model, options),
    }
}

/// A run under way.
struct Running<'a> {
    /// With the structure that is common to most modes.
    base: Arc<CompiledModel>,
    /// In the present mode.
    model: Arc<CompiledModel>,
    options: Options,
    /// What counts as one, of each state.
    nominals: Vec<f64>,
    mode_changes: Vec<ModeChange>,
    mode_changes_left_out: u64,
    modes: Vec<VisitedMode>,
    /// The numbers of the modes it was in.
    is_visited: FxHashSet<u32>,
    /// How many modes the parts that tick were in.
    modes_of_clocks: usize,
    /// The guards as they were told last.
    guards_told: Vec<bool>,
    /// Whether it was said that states set anew take others along.
    has_told_of_setting: bool,
    /// How many of the first variables are the same in every mode.
    n_common: usize,
    /// What integrators did in modes that are over.
    finished: Statistics,
    problem: ModelProblem,
    /// What has integrated it, each once.
    integrations: Vec<Integration>,
    /// None for a model without states.
    integrator: Option<Box<dyn Integrator>>,
    watcher: Watcher,
    search: Search,
    clocks: Clocks,
    charts: Charts,
    assumptions: Assumptions,
    recorder: Recorder<'a>,
    /// When something is known to happen next.
    next: NextTimes,
    /// Memory for the states at some time.
    states: Vec<f64>,
    time: f64,
    /// What the integrator sees of events.
    reach: Reach,
    /// What it saw before the event, and after it.
    seen: Vec<f64>,
    seen_now: Vec<f64>,
    /// Whether the integrator has just begun anew.
    is_fresh: bool,
    /// The time that all variables are those of, if there is one.
    current: Option<f64>,
    /// What was seen at the end of the last search.
    looked: Option<Looked>,
    /// Memory for what is seen next.
    spare_look: Looked,
    /// Memory for the values of all variables before an event.
    before_event: Vec<f64>,
    evaluations: u64,
    enclosures: u64,
    /// Until when steps are kept short, and how short: something bounces, perhaps lower than the tolerance can see.
    cautious: Option<(f64, f64)>,
    /// Whether the last event brought something to rest that had bounced.
    has_come_to_rest: bool,
    /// How long ago what was turned back at its border had been turned back before, by the first condition that switched then.
    periods: FxHashMap<VarId, f64>,
    events: u64,
    /// Whether events let time go on.
    pace: Pace,
    /// What was switched at the last event, for a message.
    switched: Vec<VarId>,
    span: f64,
    tolerance: f64,
    /// What keeps the run slow.
    counts: limits::Counts,
    said: Vec<Diagnostic>,
    warned: Vec<bool>,
    /// The states beyond a border that no step crosses, for the event there.
    moved: Option<Vec<f64>>,
    /// What functions that were called for their effect warned of: the call, and the assert.
    warned_of: FxHashSet<(usize, Span)>,
    /// `min` and `max` that are looked at.
    ranges: Ranges,
    /// Where the last step was cut short because a balance has no equilibrium there, and how often it had one after all.
    vanished: Option<(f64, NoValue)>,
    returns: u32,
    /// How many jumps from one branch of equilibria to another were told.
    jumps_told: usize,
}

impl<'a> Running<'a> {
    /// Everything at the first instant, its event included.
    fn start(
        model: &Arc<CompiledModel>,
        options: &Options,
        recorder: Recorder<'a>,
    ) -> Result<Running<'a>, Box<NotStarted>> {
        let t = options.start_time;
        let at_start = |why| Stop::NoValue(why, t);
        let patience = Patience::at_start(recorder.sink.asked_to_end());
        let begun = begin::begin(model, options, &patience);
        let begun = begun.map_err(|stop| if patience.is_asked() { Stop::Asked } else { stop })?;
        let (base, (model, started)) = (model, begun);
        let span = options.stop_time - t;
        let mut problem = ModelProblem::new(model.clone(), started.values, started.evaluator, span);
        if let Some(structures) = &base.modes {
            let guards = problem.guards().map_err(at_start)?;
            problem.modes = Some(Present { structures: structures.clone(), guards });
        }
        let guards_told = problem.modes.as_ref().map_or_else(Vec::new, |modes| modes.guards.clone());
        let watcher = Watcher::new(&mut problem, t, options.tolerance).map_err(at_start)?;
        let clocks = Clocks::new(&model, &problem.values, t, options);
        let clocks = clocks.map_err(|tick| Stop::NoTick(tick, t))?;
        if let Some((place, interval)) = watcher.without_interval() {
            return Err(Stop::Broken(of_sample(&model, place, interval)).into());
        }
        let mut running = Running {
            base: base.clone(),
            model: model.clone(),
            options: options.clone(),
            nominals: started.nominals,
            mode_changes: Vec::new(),
            mode_changes_left_out: 0,
            modes: VisitedMode::at_start(&model, base),
            is_visited: FxHashSet::from_iter([model.solvable.mode.id]),
            modes_of_clocks: 0,
            guards_told,
            has_told_of_setting: false,
            n_common: base.equations.variables.iter().take_while(|variable| !variable.is_introduced).count(),
            finished: Statistics::default(),
            problem,
            integrations: Vec::new(),
            integrator: None,
            search: Search::new(&model, &watcher, options),
            watcher,
            clocks,
            charts: started.charts,
            assumptions: Assumptions::new(&model),
            recorder,
            next: NextTimes::NEVER,
            states: vec![0.0; model.solvable.states.len()],
            time: t,
            reach: Reach::new(&model),
            seen: Vec::new(),
            seen_now: Vec::new(),
            is_fresh: true,
            current: None,
            looked: None,
            spare_look: Looked::default(),
            before_event: Vec::new(),
            evaluations: 0,
            enclosures: 0,
            cautious: None,
            has_come_to_rest: false,
            periods: FxHashMap::default(),
            events: 0,
            pace: Pace::default(),
            switched: Vec::new(),
            span,
            tolerance: options.tolerance,
            said: model.start_notes.iter().chain(&model.entry_notes).cloned().chain(started.said).collect(),
            counts: limits::Counts::default(),
            warned: vec![false; model.equations.asserts.len()],
            moved: None,
            warned_of: FxHashSet::default(),
            ranges: Ranges::default(),
            vanished: None,
            returns: 0,
            jumps_told: 0,
        };
        match running.begin_running(t) {
            Ok(()) => Ok(running),
            Err(stop @ (Stop::NoValue(..) | Stop::Integrator(_))) => {
                let stop = Stop::Broken(running.why(stop));
                Err(Box::new(NotStarted { stop, said: running.said }))
            }
            Err(stop) => Err(Box::new(NotStarted { stop, said: running.said })),
        }
    }

    fn begin_running(&mut self, t: f64) -> Result<(), Stop> {
        self.said.extend(self.search.unproven(&self.model, &self.options));
        self.begin_past(t)?;
        self.speak_at_start(t)?;
        self.accept(t);
        if self.has_events() {
            self.happen(t, &[])?;
            self.events = 0; // the start is none
        }
        self.begin_ranges(t)?;
        self.perform(Moment::Rest, t)?;
        self.check_ranges(t)?;
        self.improve_charts(t, false)?;
        self.check_assumptions(t)?;
        self.begin_past(t)?;
        self.keep_past_after(t)?;
        self.accept(t);
        self.begin_integrator(t)
    }

    /// Why the run ended; where a solution was about to be lost because of the choice of states, that is the reason.
    fn why(&mut self, stop: Stop) -> Diagnostic {
        if !matches!(stop, Stop::NoValue(..) | Stop::Integrator(_)) {
            return stop.into_diagnostic(&self.model);
        }
        if let Stop::Integrator(Failure::Chattering { since, state, sides, .. }) = &stop {
            let problem = &mut self.problem;
            return of_chattering(problem, *state, (*since, self.time), sides);
        }
        if let Some((fault, t)) = stop.fault() {
            let problem = &mut self.problem;
            let functions = &problem.evaluator.functions;
            if let Some(said) = assert_behind(&self.model, functions, &mut problem.values, fault, t) {
                return said;
            }
        }
        if let Some(place) = self.assumptions.suspect() {
            return of_singular_choice(&self.model, place, self.time);
        }
        match self.charts.suspect(&self.model) {
            Some(set) => of_singular_set(&self.model, set, self.time),
            None => stop.into_diagnostic(&self.model),
        }
    }

    /// How many modes it was in; one that never changes counts only where no other does.
    fn modes_visited(&self) -> usize {
        match (&self.base.modes, self.modes_of_clocks) {
            (None, of_clocks @ 1..) => of_clocks,
            (_, of_clocks) => self.is_visited.len() + of_clocks,
        }
    }

    fn has_events(&self) -> bool {
        !self.clocks.is_empty()
            || !self.model.solvable.event.is_empty()
            || !self.model.equations.events.terminations.is_empty()
    }

    /// All variables at a time within the last step.
    fn evaluate(&mut self, t: f64) -> Result<(), Stop> {
        if self.current == Some(t) {
            return Ok(());
        }
        if let Some(integrator) = &self.integrator {
            integrator.interpolate(t, &mut self.states);
        }
        self.evaluations += 1;
        self.current = None;
        self.problem.evaluate(t, &self.states).map_err(|why| Stop::NoValue(why, t))?;
        self.current = Some(t);
        Ok(())
    }

    /// The integrator goes on from the states after an event, and from what of its past the event left alone.
    fn resume(&mut self, t: f64) -> Result<(), Stop> {
        self.go_on_from(|integrator, problem, states| integrator.resume(problem, t, states))
    }

    /// The integrator goes on from the states after an event as if the run began there.
    fn restart(&mut self, t: f64) -> Result<(), Stop> {
        self.go_on_from(|integrator, problem, states| integrator.restart(problem, t, states))
    }

    fn go_on_from(
        &mut self,
        how: impl FnOnce(&mut dyn Integrator, &mut ModelProblem, &[f64]) -> Result<(), Failure>,
    ) -> Result<(), Stop> {
        self.model.states.read(&self.problem.values, &mut self.states);
        (self.is_fresh, self.current) = (true, None);
        let Some(integrator) = &mut self.integrator else { return Ok(()) };
        // the stop it was given is this event: no room for a first step
        integrator.set_stop(f64::INFINITY);
        how(&mut **integrator, &mut self.problem, &self.states).map_err(Stop::Integrator)
    }

    /// Ends the run where what the choice of states takes for granted no longer holds.
    fn check_assumptions(&mut self, t: f64) -> Result<(), Stop> {
        if self.model.solvable.assumptions.is_empty() {
            return Ok(());
        }
        let problem = &mut self.problem;
        let jacobians = jacobians(&self.model.code.assumptions, &mut problem.evaluator, &mut problem.values);
        let jacobians = jacobians.map_err(|why| Stop::NoValue(why, t))?;
        match self.assumptions.check(&self.model, t, &jacobians) {
            Some(place) => Err(Stop::Broken(of_singular_choice(&self.model, place, t))),
            None => Ok(()),
        }
    }

    fn statistics(&self) -> Statistics {
        let now = self.integrator.as_ref().map(|integrator| integrator.statistics());
        self.finished + now.unwrap_or_default()
    }
}
