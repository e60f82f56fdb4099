//! One run of a model from start to stop.

use std::sync::Arc;

use rhei_equations::{Moment, VarId};
use rhei_model::CompiledModel;
use rhei_numerics::{Failure, Integrator, Statistics};
use rhei_results::Sink;
use rhei_solve::assumptions::Assumptions;
use rhei_solve::charts::Charts;
use rhei_solve::problem::{ModelProblem, Present};
use rhei_solve::start::jacobians;
use rhei_solve::work_budget::WorkBudget;
use rhei_source::Diagnostic;

use crate::asserts::assert_behind;
use crate::begin::begin;
use crate::bounce::Bouncing;
use crate::branches::Branches;
use crate::chattering::of_chattering;
use crate::clocks::Clocks;
use crate::events::{NextTimes, Watcher};
use crate::failure::{of_sample, of_singular_choice, of_singular_set};
use crate::happen::LastEvent;
use crate::integration::{Integrating, Steps};
use crate::limits::Counts;
use crate::on_branch::OnBranch;
use crate::options::Options;
use crate::outcome::{Outcome, Work};
use crate::ranges::Ranges;
use crate::reach::Notice;
use crate::recorder::{Lent, Recorder};
use crate::reports::Reports;
use crate::search::IndicatorSamples;
use crate::stop::{NotStarted, Stop};
use crate::visited::Visits;
use crate::watching::Search;

/// Runs a model and hands the rows to `sink`: the values of `recorded`, in that order.
pub fn simulate(
    model: &Arc<CompiledModel>,
    options: &Options,
    recorded: &[VarId],
    sink: &mut dyn Sink,
) -> Outcome {
    let recorder = Recorder::new(model, recorded, Box::new(Lent(sink)), options);
    match Running::start(model, options, recorder, Steps::Own) {
        Ok(mut running) => {
            let ended = running.run_to_end();
            running.outcome(ended)
        }
        Err(not_started) => not_started.outcome(model, options),
    }
}

/// A run under way.
pub(crate) struct Running<'a> {
    /// The model with the structure that is common to most modes.
    pub(crate) base: Arc<CompiledModel>,
    /// Of each of its variables, whether it has a say in the guards; determined when a mode is first tried.
    pub(crate) deciding: Option<Arc<[bool]>>,
    /// The model in the present mode.
    pub(crate) model: Arc<CompiledModel>,
    pub(crate) options: Options,
    /// Nominal value of each state.
    pub(crate) nominals: Vec<f64>,
    /// The visited modes.
    pub(crate) visits: Visits,
    /// Messages so far.
    pub(crate) reports: Reports,
    /// Number of leading variables that all modes share.
    pub(crate) n_common: usize,
    pub(crate) problem: ModelProblem,
    pub(crate) integrating: Integrating,
    pub(crate) watcher: Watcher,
    pub(crate) search: Search,
    pub(crate) clocks: Clocks,
    pub(crate) charts: Charts,
    pub(crate) assumptions: Assumptions,
    pub(crate) on_branch: OnBranch,
    pub(crate) recorder: Recorder<'a>,
    /// The times of the next time events.
    pub(crate) next: NextTimes,
    /// Memory for the states at some time.
    pub(crate) states: Vec<f64>,
    pub(crate) time: f64,
    pub(crate) notice: Notice,
    /// The time at which all variables were evaluated, if they belong to one.
    pub(crate) current: Option<f64>,
    pub(crate) looks: IndicatorSamples,
    pub(crate) work: Work,
    pub(crate) bouncing: Bouncing,
    pub(crate) branches: Branches,
    pub(crate) event: LastEvent,
    pub(crate) span: f64,
    /// Causes of a slow run.
    pub(crate) counts: Counts,
    /// Ranges to be checked.
    pub(crate) ranges: Ranges,
}

impl<'a> Running<'a> {
    /// Everything at the first instant, its event included.
    pub(crate) fn start(
        model: &Arc<CompiledModel>,
        options: &Options,
        recorder: Recorder<'a>,
        steps: Steps,
    ) -> Result<Running<'a>, Box<NotStarted>> {
        let t = options.start_time;
        let at_start = |why| Stop::NoValue(why, t);
        let budget = WorkBudget::at_start(recorder.sink.asked_to_end());
        let begun = begin(model, options, &budget);
        let begun = begun.map_err(|stop| if budget.is_asked() { Stop::Asked } else { stop })?;
        let (base, (model, started)) = (model, begun);
        let span = options.stop_time - t;
        let mut problem = ModelProblem::new(model.clone(), started.values, started.evaluator, span);
        if let Some(structures) = &base.modes {
            let guards = problem.guards().map_err(at_start)?;
            problem.modes = Some(Present { structures: structures.clone(), guards });
        }
        let guards = problem.modes.as_ref().map_or_else(Vec::new, |modes| modes.guards.clone());
        let watcher = Watcher::new(&mut problem, t, options.tolerance).map_err(at_start)?;
        let clocks = Clocks::new(&model, &problem.values, t, options);
        let clocks = clocks.map_err(|tick| Stop::NoTick(tick, t))?;
        if let Some((place, interval)) = watcher.without_interval() {
            return Err(Stop::Broken(of_sample(&model, place, interval)).into());
        }
        let on_branch = OnBranch::new(&mut problem);
        let mut running = Running {
            base: base.clone(),
            deciding: None,
            model: model.clone(),
            options: options.clone(),
            nominals: started.nominals,
            visits: Visits::at_start(&model, base, guards),
            reports: Reports::new(&model, started.said),
            n_common: base.equations.variables.iter().take_while(|variable| !variable.is_introduced).count(),
            problem,
            integrating: Integrating::new(steps),
            search: Search::new(&model, &watcher, options),
            watcher,
            clocks,
            charts: started.charts,
            assumptions: Assumptions::new(&model),
            on_branch,
            recorder,
            next: NextTimes::NEVER,
            states: vec![0.0; model.solvable.states.len()],
            time: t,
            notice: Notice::new(&model),
            current: None,
            looks: IndicatorSamples::default(),
            work: Work::default(),
            bouncing: Bouncing::default(),
            branches: Branches::default(),
            event: LastEvent::default(),
            span,
            counts: Counts::default(),
            ranges: Ranges::default(),
        };
        match running.begin_running(t) {
            Ok(()) => Ok(running),
            Err(stop @ (Stop::NoValue(..) | Stop::Integrator(_))) => {
                let stop = Stop::Broken(running.why(stop));
                Err(Box::new(NotStarted { stop, said: running.reports.said }))
            }
            Err(stop) => Err(Box::new(NotStarted { stop, said: running.reports.said })),
        }
    }

    pub(crate) fn begin_running(&mut self, t: f64) -> Result<(), Stop> {
        self.reports.add_all(self.search.unproven(&self.model, &self.options));
        self.begin_past(t)?;
        self.speak_at_start(t)?;
        self.accept(t);
        if self.has_events() {
            self.happen(t, &[])?;
            self.work.events = 0; // the start is not counted
        }
        self.begin_ranges(t)?;
        self.perform(Moment::Rest, t)?;
        self.check_ranges(t)?;
        self.improve_charts(t, false)?;
        self.check_assumptions(t)?;
        self.begin_past(t)?;
        self.keep_past_after(t)?;
        self.accept(t);
        self.begin_integrator(t)?;
        self.begin_branches(t)
    }

    /// The diagnostic of the end of the run; if the choice of states was about to lose the solution, that is the reason.
    pub(crate) fn why(&mut self, stop: Stop) -> Diagnostic {
        if !matches!(stop, Stop::NoValue(..) | Stop::Integrator(_)) {
            return stop.into_diagnostic(&self.model);
        }
        if let Some(said) = self.near_singular() {
            return said;
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

    /// Number of visited modes; one that never changes counts only if no other does.
    pub(crate) fn modes_visited(&self) -> usize {
        self.visits.count(&self.base)
    }

    pub(crate) fn has_events(&self) -> bool {
        !self.clocks.is_empty()
            || !self.model.solvable.event.is_empty()
            || !self.model.equations.events.terminations.is_empty()
    }

    /// All variables at a time within the last step.
    pub(crate) fn evaluate(&mut self, t: f64) -> Result<(), Stop> {
        if self.current == Some(t) {
            return Ok(());
        }
        if self.recall(t) {
            self.current = Some(t);
            return Ok(());
        }
        if let Some(integrator) = &self.integrating.integrator {
            integrator.interpolate(t, &mut self.states);
        }
        self.work.evaluations += 1;
        self.current = None;
        let expected = self.guess_within_step(t);
        self.problem.evaluate(t, &self.states).map_err(|why| Stop::NoValue(why, t))?;
        if self.is_beside_branch(&expected) {
            self.evaluate_along_step(t)?;
        }
        self.current = Some(t);
        Ok(())
    }

    /// Continues the integrator from the states after an event, with the history that the event left untouched.
    pub(crate) fn resume(&mut self, t: f64) -> Result<(), Stop> {
        self.go_on_from(|integrator, problem, states| integrator.resume(problem, t, states))
    }

    /// Restarts the integrator from the states after an event.
    pub(crate) fn restart(&mut self, t: f64) -> Result<(), Stop> {
        self.go_on_from(|integrator, problem, states| integrator.restart(problem, t, states))
    }

    pub(crate) fn go_on_from(
        &mut self,
        how: impl FnOnce(&mut dyn Integrator, &mut ModelProblem, &[f64]) -> Result<(), Failure>,
    ) -> Result<(), Stop> {
        self.model.states.read(&self.problem.values, &mut self.states);
        (self.integrating.is_fresh, self.current) = (true, None);
        let Some(integrator) = &mut self.integrating.integrator else { return Ok(()) };
        // its stop time is this event, which leaves no room for a first step
        integrator.set_stop(f64::INFINITY);
        how(&mut **integrator, &mut self.problem, &self.states).map_err(Stop::Integrator)
    }

    /// Ends the run if an assumption of the choice of states no longer holds.
    pub(crate) fn check_assumptions(&mut self, t: f64) -> Result<(), Stop> {
        if self.model.solvable.assumptions.is_empty() {
            return Ok(());
        }
        let problem = &mut self.problem;
        let jacobians = jacobians(&self.model.code.assumptions, &mut problem.evaluator, &mut problem.values);
        let jacobians = jacobians.map_err(|why| Stop::NoValue(why, t))?;
        let is_followed = self.integrating.makes_steps();
        match self.assumptions.check(&self.model, t, &jacobians, is_followed) {
            Some(place) => Err(Stop::Broken(of_singular_choice(&self.model, place, t))),
            None => Ok(()),
        }
    }

    pub(crate) fn statistics(&self) -> Statistics {
        self.integrating.statistics()
    }
}
