//! One run of a model from start to stop.

mod advise;
mod begin;
mod bounce;
mod branches;
mod change_charts;
mod happen;
mod limits;
mod linearize;
mod modes;
mod order_of_impulses;
pub(crate) mod pace;
mod ranges;
mod remember;
pub(crate) mod sayings;
mod search;
mod setting;
mod shorten;
mod watching;

use std::ops::ControlFlow;
use std::sync::Arc;

use rhei_equations::{LARGEST_PLAIN, Moment, Split, VarId};
use rhei_kernel::{Execution, Fault};
use rhei_numerics::{Failure, Integrator, Method, Statistics, share};
use rhei_results::{Progress, Sink, WriteError};
use rhei_source::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::advice::ChartHistory;
use crate::assumptions::Assumptions;
use crate::charts::{ChartChange, Charts};
use crate::chattering::of_chattering;
use crate::clocks::{Clocks, NoTick};
use crate::evaluate::NoValue;
use crate::events::{Bounces, EventFailure, Watcher};
use crate::failure::events::{of_sliding, of_unrested_bounces, of_zeno};
use crate::failure::modes::in_mode;
use crate::failure::{
    of_integrator, of_no_value, of_restless, of_sample, of_singular_choice, of_singular_set,
};
use crate::modes::{ModeChange, VisitedMode};
use crate::patience::Patience;
use crate::problem::{ModelProblem, Present};
use crate::reach::Reach;
use crate::start::jacobians;
use crate::{CompiledModel, GroupWork, OutputTimes};
use pace::{Pace, Shrinking};
use ranges::Ranges;
use sayings::{assert_behind, assert_behind_start};
use search::Looked;
use watching::Search;

pub use advise::{BalanceAdvice, advise_balances};
pub use begin::begins_in;
pub use limits::{Limits, LoopWork};
pub use linearize::{Linearisation, linearize};
pub use watching::EventSearch;

/// How a model is run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where time starts.
    pub start_time: f64,
    /// Where it stops.
    pub stop_time: f64,
    /// Relative, and absolute in units of each state's nominal value.
    pub tolerance: f64,
    /// How it is integrated.
    pub method: Method,
    /// The step of fixed-step methods.
    pub step: f64,
    /// When rows are written.
    pub output: OutputTimes,
    /// Parameters that have another value in this run.
    pub set: FxHashMap<VarId, f64>,
    /// Interpreted, or as machine code: results are the same.
    pub execution: Execution,
    /// When explicit methods look at constraints.
    pub projection: Projection,
    /// How carefully crossings are looked for.
    pub events: EventSearch,
    /// Whether it is counted what keeps the run slow.
    pub explains: bool,
    /// What is done where a variable leaves its `min` or `max`.
    pub bounds: Bounds,
    /// Whether those count that a type gives all its variables.
    pub bounds_of_types: bool,
}

impl Options {
    /// From 0 on to `stop_time`, with the default method and tolerance, and one row at the end.
    pub fn until(stop_time: f64) -> Options {
        Options {
            start_time: 0.0,
            stop_time,
            tolerance: 1e-6,
            method: Method::Bdf,
            step: stop_time / 500.0,
            output: OutputTimes::At(vec![stop_time]),
            set: FxHashMap::default(),
            execution: Execution::default(),
            projection: Projection::default(),
            events: EventSearch::default(),
            explains: false,
            bounds: Bounds::default(),
            bounds_of_types: false,
        }
    }
}

/// What is done where a variable leaves its `min` or `max`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bounds {
    /// Nothing.
    Off,
    /// It is said, once for each variable.
    #[default]
    Warn,
    /// The run ends.
    Error,
}

/// When explicit methods with a fixed step bring a model onto its constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// In every stage: the states move on the constraints, and a method keeps its order.
    #[default]
    Stage,
    /// At the end of each step, which is made as if there were none: of the first order, whatever the method.
    End,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// At the stop time.
    Finished,
    /// Before it, by a `terminate` of the model.
    Terminated,
    /// Before it, by the wish of who looks on.
    Stopped,
    /// Before it, by a fault.
    Failed,
}

/// What a run has to say about itself.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// The time reached.
    pub time: f64,
    /// What the integrator did.
    pub statistics: Statistics,
    /// How many events there were.
    pub events: u64,
    /// How often all variables were evaluated: for rows, at events, and to look for them.
    pub evaluations: u64,
    /// How many pieces of time were enclosed in the search for crossings within steps.
    pub enclosures: u64,
    /// Changes of states within state sets.
    pub chart_changes: Vec<ChartChange>,
    /// What each group of balances has cost.
    pub balances: Vec<GroupWork>,
    /// Changes of the mode, the first ten thousand of them.
    pub mode_changes: Vec<ModeChange>,
    /// How many there were after these.
    pub mode_changes_left_out: u64,
    /// The modes it was in, in the order in which they were entered first; the first ten thousand of them.
    pub modes: Vec<VisitedMode>,
    /// How many it was in.
    pub modes_visited: usize,
    /// What the state sets were like on the way, in runs of a single mode.
    pub chart_history: ChartHistory,
    /// What kept the run slow, as far as that was asked for.
    pub limits: Limits,
    /// What went wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// The part of the tolerance that is left to the states of models with state sets: what follows from them through constraints, that
/// are solved for other variables again and again, is more uncertain than they are. With it pendulums keep their energy to a
/// hundred tolerances for ten seconds, without it to four hundred.
const TOLERANCE_WITH_SETS: f64 = 0.25;
/// Steps of one run: a bound on work, far above what any run that a person waits for takes.
const MOST_STEPS: u64 = 1_000_000_000;

/// Runs a model and hands the rows to `sink`: the values of `recorded`, in that order.
pub fn simulate(
    model: &Arc<CompiledModel>,
    options: &Options,
    recorded: &[VarId],
    sink: &mut dyn Sink,
) -> Outcome {
    let recorder = Recorder::new(model, recorded, sink, options.output.has_both_sides());
    match Running::start(model, options, recorder) {
        Ok(mut running) => {
            let stopped = running.run_to_end(options);
            let mut diagnostics = std::mem::take(&mut running.said);
            diagnostics.extend(running.ranges_left_out());
            let status = match stopped {
                Ok(()) => Status::Finished,
                Err(Stop::Asked) => Status::Stopped,
                Err(Stop::Terminated(said)) => {
                    diagnostics.push(said);
                    Status::Terminated
                }
                Err(stop) => {
                    let stop = running.at_end(stop);
                    diagnostics.push(running.why(stop));
                    Status::Failed
                }
            };
            let (time, statistics) = (running.time, running.statistics());
            let (events, evaluations, enclosures) = (running.events, running.evaluations, running.enclosures);
            let mut chart_changes = std::mem::take(&mut running.charts.changes);
            chart_changes.extend(running.clocks.take_chart_changes());
            let balances = running.balances();
            let (mode_changes, modes) =
                (std::mem::take(&mut running.mode_changes), std::mem::take(&mut running.modes));
            // the sets of one mode are not those of another
            let chart_history = std::mem::take(&mut running.charts.history);
            let chart_history = if mode_changes.is_empty() { chart_history } else { ChartHistory::default() };
            Outcome {
                status,
                time,
                statistics,
                events,
                evaluations,
                enclosures,
                chart_changes,
                mode_changes,
                mode_changes_left_out: running.mode_changes_left_out,
                modes,
                modes_visited: running.modes_visited(),
                balances,
                chart_history,
                limits: running.limits(),
                diagnostics,
            }
        }
        Err(not_started) => Outcome {
            status: match not_started.stop {
                Stop::Terminated(_) => Status::Terminated,
                Stop::Asked => Status::Stopped,
                _ => Status::Failed,
            },
            time: options.start_time,
            statistics: Statistics::default(),
            events: 0,
            evaluations: 0,
            enclosures: 0,
            chart_changes: Vec::new(),
            balances: Vec::new(),
            mode_changes: Vec::new(),
            mode_changes_left_out: 0,
            modes: Vec::new(),
            modes_visited: 0,
            chart_history: ChartHistory::default(),
            limits: Limits::default(),
            diagnostics: not_started.diagnostics(model, options),
        },
    }
}

/// Why a run ended early.
enum Stop {
    NoValue(NoValue, f64),
    /// In a mode that is being entered.
    InMode(Arc<CompiledModel>, NoValue, f64),
    NoTick(NoTick, f64),
    Restless(Vec<VarId>, f64),
    Zeno(Vec<VarId>, f64, Option<Shrinking>),
    /// Bounces that become too low to be seen, in a model that does not come to rest.
    Bounces(Bounces),
    Sliding(Vec<VarId>, f64),
    Broken(Diagnostic),
    Terminated(Diagnostic),
    /// Who takes the rows does not want more.
    Asked,
    Integrator(Failure),
    Write(WriteError),
}

/// A start that did not come to its end, with what was said on the way.
struct NotStarted {
    stop: Stop,
    said: Vec<Diagnostic>,
}

impl NotStarted {
    /// What there is to say.
    fn diagnostics(self, model: &CompiledModel, options: &Options) -> Vec<Diagnostic> {
        let NotStarted { stop, mut said } = self;
        let behind = stop.fault().and_then(|(fault, _)| assert_behind_start(model, options, fault));
        match (behind, stop) {
            (Some(behind), _) => said.push(behind),
            (None, Stop::Asked) => {}
            (None, stop) => said.push(stop.into_diagnostic(model)),
        }
        said
    }
}

impl From<Stop> for Box<NotStarted> {
    fn from(stop: Stop) -> Box<NotStarted> {
        Box::new(NotStarted { stop, said: Vec::new() })
    }
}

impl Stop {
    /// The operation that has no value, and when.
    fn fault(&self) -> Option<(&Fault, f64)> {
        let (why, t) = match self {
            Stop::NoValue(why, t) => (why, *t),
            Stop::Integrator(Failure::EvaluationFailed { t, reason, .. }) => {
                (reason.downcast_ref::<NoValue>()?, *t)
            }
            _ => return None,
        };
        match why {
            NoValue::Fault(fault) => Some((fault, t)),
            _ => None,
        }
    }

    fn into_diagnostic(self, model: &CompiledModel) -> Diagnostic {
        match self {
            Stop::NoValue(why, t) => of_no_value(model, &why, t),
            Stop::InMode(model, why, t) => of_no_value(&model, &why, t).with_note(in_mode(&model)),
            Stop::NoTick(tick, t) => of_no_value(&tick.model, &tick.why, t),
            Stop::Restless(variables, t) => of_restless(model, &variables, t),
            Stop::Zeno(variables, t, shrinking) => of_zeno(model, &variables, t, shrinking),
            Stop::Bounces(bounces) => of_unrested_bounces(model, &bounces),
            Stop::Sliding(variables, t) => of_sliding(model, &variables, t),
            Stop::Broken(said) | Stop::Terminated(said) => said,
            Stop::Asked => Diagnostic::note("stopped", "the run was stopped"),
            Stop::Integrator(failure) => of_integrator(model, &failure),
            Stop::Write(error) => Diagnostic::error("result-not-written", error.to_string()),
        }
    }
}

fn stop_of(failure: EventFailure, t: f64) -> Stop {
    match failure {
        EventFailure::NoValue(why) => Stop::NoValue(why, t),
        EventFailure::NoTick(tick) => Stop::NoTick(tick, t),
        EventFailure::Restless(variables) => Stop::Restless(variables, t),
        EventFailure::Stuck(variables) => Stop::Zeno(variables, t, None),
        EventFailure::Sliding(variables, since) => Stop::Sliding(variables, since),
    }
}

/// Whether a run shall go on, or why it cannot.
type Going = Result<ControlFlow<()>, Stop>;

/// The times at which rows are still to be written.
type Rows<'r> = std::iter::Peekable<Box<dyn Iterator<Item = f64> + 'r>>;

struct Recorder<'a> {
    recorded: &'a [VarId],
    sink: &'a mut dyn Sink,
    row: Vec<f64>,
    /// Which columns are Integers with a rest, and where that is.
    rests: Vec<(usize, VarId)>,
    /// Integers of the row that are beyond what an `f64` holds.
    integers: Vec<(usize, i64)>,
    /// Whether rows are written before and after each event.
    both_sides: bool,
}

impl<'a> Recorder<'a> {
    fn new(
        model: &CompiledModel,
        recorded: &'a [VarId],
        sink: &'a mut dyn Sink,
        both_sides: bool,
    ) -> Recorder<'a> {
        let all = model.equations.rests();
        let rests = recorded.iter().enumerate().filter_map(|(place, v)| Some((place, all[v.index()]?)));
        let rests = rests.collect();
        Recorder { recorded, sink, row: Vec::new(), rests, integers: Vec::new(), both_sides }
    }

    fn record(&mut self, t: f64, values: &[f64]) -> Result<(), Stop> {
        self.row.clear();
        // a zero has no sign to the reader
        self.row.extend(self.recorded.iter().map(|v| values[v.index()] + 0.0));
        self.integers.clear();
        for &(place, rest) in &self.rests {
            let nearest = self.row[place];
            if nearest.abs() >= LARGEST_PLAIN {
                let whole = Split { nearest, rest: values[rest.index()] }.whole();
                self.integers.extend(whole.map(|whole| (place, whole)));
            }
        }
        self.sink.row_with_integers(t + 0.0, &self.row, &self.integers).map_err(Stop::Write)
    }

    /// Tells how far the run is, and asks whether it shall go on.
    fn progress(&mut self, model: &CompiledModel, time: f64, integrator: Option<&dyn Integrator>) -> Going {
        let limit = || {
            let state = integrator?.limiting_state()?;
            Some(model.equations.variable(model.solvable.states[state].variable).name.as_str())
        };
        self.sink.progress(&Progress { time, limit: &limit }).map_err(Stop::Write)
    }
}

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
    problem: std::rc::Rc<std::cell::RefCell<ModelProblem>>,
    /// None for a model without states.
    integrator: Option<Box<dyn Integrator>>,
    watcher: Watcher,
    search: Search,
    clocks: Clocks,
    charts: Charts,
    assumptions: Assumptions,
    recorder: Recorder<'a>,
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
        let problem = share(ModelProblem::new(model.clone(), started.values, started.evaluator, span));
        if let Some(structures) = &base.modes {
            let guards = problem.borrow_mut().guards().map_err(at_start)?;
            problem.borrow_mut().modes = Some(Present { structures: structures.clone(), guards });
        }
        let guards_told = problem.borrow().modes.as_ref().map_or_else(Vec::new, |modes| modes.guards.clone());
        let watcher = Watcher::new(&mut problem.borrow_mut(), t, options.tolerance).map_err(at_start)?;
        let clocks = Clocks::new(&model, &problem.borrow().values, t, options);
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
            integrator: None,
            search: Search::new(&model, &watcher, options),
            watcher,
            clocks,
            charts: started.charts,
            assumptions: Assumptions::new(&model),
            recorder,
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
    fn why(&self, stop: Stop) -> Diagnostic {
        if !matches!(stop, Stop::NoValue(..) | Stop::Integrator(_)) {
            return stop.into_diagnostic(&self.model);
        }
        if let Stop::Integrator(Failure::Chattering { since, state, sides, .. }) = &stop {
            let mut problem = self.problem.borrow_mut();
            return of_chattering(&mut problem, *state, (*since, self.time), sides);
        }
        if let Some((fault, t)) = stop.fault() {
            let problem = &mut *self.problem.borrow_mut();
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

    fn run_to_end(&mut self, options: &Options) -> Result<(), Stop> {
        let mut rows = self.run_to_stop(options)?;
        self.finish(options.stop_time, &mut rows)
    }

    /// Up to the stop time and its events, without what happens because it is the end.
    fn run_to_stop<'r>(&mut self, options: &'r Options) -> Result<Rows<'r>, Stop> {
        let mut rows = options.output.times(options.start_time, options.stop_time).peekable();
        let stop = options.stop_time;
        self.write_rows(&mut rows, self.time, self.time, true)?;
        let mut next = self.next_times(stop)?;
        // the row at the stop time is that after `terminal()`
        let has_terminal = self.model.equations.events.terminal.is_some();
        let ends_later = |t: f64| has_terminal && t == stop;
        while self.time < stop {
            self.go_on()?;
            let until = self.cautiously(next.stops.min(stop));
            let until = until.min(self.time + self.problem.borrow().past.longest_step());
            let from = self.time;
            let found = self.advance_where_defined(until, next.any)?;
            self.count_step();
            // rows before an event first: they are those of the step
            let event = found.as_ref().map(|found| found.t).or((self.time == next.any).then_some(next.any));
            match event {
                Some(t) => {
                    self.keep_past_until(from, t)?;
                    self.write_rows(&mut rows, from, t, false)?;
                    self.time = t;
                    if let Some(left) = found.as_ref().and_then(|found| found.left) {
                        self.record_left_of_jump(left)?;
                    }
                    self.evaluate(t)?;
                    self.check_ranges_of_step(from, &mut rows)?;
                    self.accept(t);
                    if self.recorder.both_sides {
                        self.record(t)?;
                    }
                    let leapt = found.as_ref().is_some_and(|found| found.left.is_some());
                    let seen = found.map_or_else(Vec::new, |found| found.seen);
                    self.keep_seen();
                    let jumped = self.problem.borrow_mut().settle_past(t);
                    let has_sets = !self.model.solvable.sets.is_empty();
                    let before = if has_sets { self.problem.borrow().states() } else { Vec::new() };
                    self.move_beyond_border();
                    let switched = std::mem::take(&mut self.switched);
                    self.happen(t, &seen)?;
                    self.count_switched();
                    if self.switched.is_empty() {
                        self.switched = switched;
                    }
                    self.perform(Moment::Rest, t)?;
                    self.check_ranges(t)?;
                    self.keep_past_after(t)?;
                    self.accept(t);
                    self.problem.borrow_mut().past.forget(t);
                    let has_jumped = has_sets && self.problem.borrow().states() != before;
                    let has_charts = self.improve_charts(t, has_jumped)?.is_some();
                    let touched = has_charts || jumped || leapt || self.sees_change();
                    next = self.next_times(stop)?;
                    self.refuse_zeno(t)?;
                    // before the integrator tries its first step, and leaves the values of another point
                    if self.recorder.both_sides {
                        self.record(t)?;
                        while rows.next_if(|row| *row <= t).is_some() {}
                    } else if !ends_later(t) {
                        self.write_current(&mut rows, t)?;
                    }
                    let is_cautious = self.cautiously(f64::INFINITY) < f64::INFINITY;
                    // what rests does not go on as before, not even within the tolerance
                    if has_charts || is_cautious || std::mem::take(&mut self.has_come_to_rest) {
                        self.restart(t)?;
                    } else if touched || self.is_beyond(next.stops) {
                        self.resume(t)?;
                    }
                }
                None => {
                    debug_assert!(self.time > from, "a step makes progress");
                    let ended = self.end_step(from, &mut rows, !ends_later(self.time));
                    ended.map_err(|stop| self.end_within(from, stop, &mut rows))?;
                    self.accept(self.time);
                    self.problem.borrow_mut().past.forget(self.time);
                    self.check_assumptions(self.time)?;
                    if let Some(before) = self.improve_charts(self.time, false)? {
                        self.remap(before)?;
                    }
                }
            }
        }
        Ok(rows)
    }

    /// What is to be said and written of a step without an event that began at a time; its end.
    fn end_step(&mut self, from: f64, rows: &mut Rows<'_>, included: bool) -> Result<(), Stop> {
        self.keep_past_until(from, self.time)?;
        self.check_step(from, rows)?;
        self.check_ranges_of_step(from, rows)?;
        self.write_rows(rows, from, self.time, included)?;
        self.evaluate_from(from, self.time)?;
        self.perform(Moment::Rest, self.time)
    }

    /// Tells how far the run is, and asks whether it shall go on.
    fn go_on(&mut self) -> Result<(), Stop> {
        let integrator = self.integrator.as_deref();
        match self.recorder.progress(&self.model, self.time, integrator)? {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stop::Asked),
        }
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
        self.problem.borrow_mut().evaluate(t, &self.states).map_err(|why| Stop::NoValue(why, t))?;
        self.current = Some(t);
        Ok(())
    }

    /// The integrator goes on from the states after an event, and from what of its past the event left alone.
    fn resume(&mut self, t: f64) -> Result<(), Stop> {
        self.go_on_from(|integrator, states| integrator.resume(t, states))
    }

    /// The integrator goes on from the states after an event as if the run began there.
    fn restart(&mut self, t: f64) -> Result<(), Stop> {
        self.go_on_from(|integrator, states| integrator.restart(t, states))
    }

    fn go_on_from(
        &mut self,
        how: impl FnOnce(&mut dyn Integrator, &[f64]) -> Result<(), Failure>,
    ) -> Result<(), Stop> {
        self.model.states.read(&self.problem.borrow().values, &mut self.states);
        (self.is_fresh, self.current) = (true, None);
        let Some(integrator) = &mut self.integrator else { return Ok(()) };
        // the stop it was given is this event: no room for a first step
        integrator.set_stop(f64::INFINITY);
        how(&mut **integrator, &self.states).map_err(Stop::Integrator)
    }

    /// Ends the run where what the choice of states takes for granted no longer holds.
    fn check_assumptions(&mut self, t: f64) -> Result<(), Stop> {
        if self.model.solvable.assumptions.is_empty() {
            return Ok(());
        }
        let problem = &mut *self.problem.borrow_mut();
        let jacobians = jacobians(&self.model.code.assumptions, &mut problem.evaluator, &mut problem.values);
        let jacobians = jacobians.map_err(|why| Stop::NoValue(why, t))?;
        match self.assumptions.check(&self.model, t, &jacobians) {
            Some(place) => Err(Stop::Broken(of_singular_choice(&self.model, place, t))),
            None => Ok(()),
        }
    }

    fn record(&mut self, t: f64) -> Result<(), Stop> {
        self.recorder.record(t, &self.problem.borrow().values)
    }

    /// Rows of a step that began at `from`, up to `t`, that at `t` itself only if `included`.
    fn write_rows(&mut self, rows: &mut Rows<'_>, from: f64, t: f64, included: bool) -> Result<(), Stop> {
        while let Some(row) = rows.next_if(|row| *row < t || (included && *row == t)) {
            if self.integrator.is_some() || row != self.problem_time() {
                self.watch(from, row)?;
            }
            self.record(row)?;
        }
        Ok(())
    }

    /// The row at `t` as things are now.
    fn write_current(&mut self, rows: &mut Rows<'_>, t: f64) -> Result<(), Stop> {
        while rows.next_if(|row| *row <= t).is_some() {
            self.record(t)?;
        }
        Ok(())
    }

    fn problem_time(&self) -> f64 {
        self.problem.borrow().values[self.model.code.time().index()]
    }

    fn statistics(&self) -> Statistics {
        let now = self.integrator.as_ref().map(|integrator| integrator.statistics());
        self.finished + now.unwrap_or_default()
    }
}
