//! Candidates for balances: quasi-steady states, and loops whose residuals pull their unknowns back.
//!
//! The model is run, and linearised after its steps. A state is a *slave* if all modes that it takes part in are, everywhere along the run,
//! very much faster than the run and than all other states (`modes`): then only their equilibrium matters, and following the transients
//! costs steps and accuracy. A loop has the form of a balance if the flow of its residuals is stable at its solutions, everywhere along
//! the run. What is proposed has been tried (`trial`): the model was run with it.
//!
//! Work is counted (`meter`) and bounded: that of the run, after which only what it has come to is looked at; looking takes no more than the
//! run itself; and that of all trials together. Where a bound is hit, it is said.

use std::sync::Arc;

use rhei_equations::{EqId, Equation, Equations, ExprId, NewBalance, Pool, VarId, number};
use rhei_kernel::{Iteration, Step};
use rhei_model::CompiledModel;
use rhei_numerics::SparseMatrix;
use rhei_numerics::stability::sparse_growth;
use rhei_results::Sink;
use rhei_solvable::Cause;
use rhei_source::Diagnostic;
use rustc_hash::FxHashMap;

use crate::constants::{
    ADVICE_DIFFERENCE, ADVICE_FORMULA, ADVICE_LARGEST_LOOP, ADVICE_LOOKING,
    ADVICE_LOOPS_EVERY as LOOPS_EVERY, ADVICE_RUN_WORK, ADVICE_SETTLED, ADVICE_TRIALS, ADVICE_TRIALS_WORK,
    SLAVE_OF_OTHERS, SLAVE_OF_RUN,
};
use crate::integration::Steps;
use crate::linearize::ended_before;
use crate::options::Options;
use crate::recorder::{Lent, Recorder};
use crate::running::Running;
use crate::stop::Stop;
use meter::Meter;
use modes::Speeds;
use trial::{Difference, Trials};

mod meter;
mod modes;
mod trial;

/// A balance that is proposed.
#[derive(Clone, Debug, PartialEq)]
pub struct BalanceAdvice {
    /// The unknowns to balance.
    pub variables: Vec<VarId>,
    /// Time constant of a state, in seconds; none for loops, which take no time.
    pub time_constant: Option<f64>,
    /// The equations as they are.
    pub equations: Vec<String>,
    /// The same as balances.
    pub proposals: Vec<String>,
    /// What a run with the balances differs by, relative to the size of each variable.
    pub difference: f64,
    /// Steps of the run as it is, and with the balances.
    pub steps: [u64; 2],
    /// The advice as a diagnostic, with its places in the text.
    pub said: Diagnostic,
}

/// Compiles equations in place of those of a model.
pub type Remake<'a> = &'a dyn Fn(Equations) -> Option<Arc<CompiledModel>>;

/// Runs a model and proposes balances, each tried in a run of its own. Without a run to its end, the diagnostics hold an error.
pub fn advise_balances(
    model: &Arc<CompiledModel>,
    options: &Options,
    sink: &mut dyn Sink,
    remake: Remake<'_>,
) -> (Option<Vec<BalanceAdvice>>, Vec<Diagnostic>) {
    let recorder = Recorder::new(model, &[], Box::new(Lent(sink)), options);
    let mut running = match Running::start(model, options, recorder, Steps::Own) {
        Ok(running) => running,
        Err(not_started) => return (None, not_started.diagnostics(model, options)),
    };
    let mut course = Course::new(model);
    let start = Meter::default().read(&running);
    let ended = course.follow(&mut running, options.stop_time);
    let reached = running.time;
    let mut diagnostics = std::mem::take(&mut running.reports.said);
    match ended {
        Ok(()) => {}
        Err(Stop::Terminated(said)) => {
            diagnostics.extend([said, ended_before(options.stop_time, running.time)]);
            return (None, diagnostics);
        }
        Err(stop) => {
            diagnostics.push(running.why(stop));
            return (None, diagnostics);
        }
    }
    drop(running);
    let is_cut = reached < options.stop_time && course.can_advise();
    if is_cut {
        diagnostics.push(cut_short(options.stop_time, reached));
    }
    let options = &Options { stop_time: if is_cut { reached } else { options.stop_time }, ..options.clone() };
    let work = ADVICE_TRIALS_WORK.saturating_mul((course.run.total + start).max(ADVICE_LOOKING));
    let mut trials = Trials::new(model, options, remake, work);
    let mut advice = course.slaves(model, options, &mut trials);
    advice.extend(course.balanced_loops(model, &mut trials));
    diagnostics.extend(trials.left_out());
    (Some(advice), diagnostics)
}

/// The note that the run was not followed to its end.
fn cut_short(stop: f64, reached: f64) -> Diagnostic {
    let message = format!(
        "the run was followed to t = {} and not to {}: what is said holds up to there",
        rounded(reached),
        number(stop)
    );
    Diagnostic::note("balance-advice-incomplete", message)
        .with_note(format!("it takes more than {} instructions", number(ADVICE_RUN_WORK as f64)))
        .with_note("ask for less with `--stop-time`")
}

/// What is seen of a model along a run.
struct Course {
    /// None for too many states, and once the mode changes: other modes have other states.
    speeds: Option<Speeds>,
    jacobian: Option<SparseMatrix>,
    steps: usize,
    /// Loops that had the form of a balance everywhere, with the signs of their residuals.
    loops: Vec<(u32, Option<Vec<f64>>)>,
    /// The work of the run itself, and of looking at it.
    run: Meter,
    looking: u64,
}

impl Course {
    fn new(model: &CompiledModel) -> Course {
        let n = model.solvable.states.len();
        let own = loops(model).filter(|iteration| iteration.guessed.len() <= ADVICE_LARGEST_LOOP);
        let speeds = Speeds::new(n);
        let pattern = speeds.as_ref().map(|_| model.state_jacobian().pattern.clone());
        Course {
            speeds,
            jacobian: pattern.map(SparseMatrix::zeros),
            steps: 0,
            loops: own.map(|iteration| (iteration.id, None)).collect(),
            run: Meter::default(),
            looking: 0,
        }
    }

    /// Whether there may be anything to propose.
    fn can_advise(&self) -> bool {
        self.speeds.is_some() || !self.loops.is_empty()
    }

    fn follow(&mut self, running: &mut Running<'_>, stop: f64) -> Result<(), Stop> {
        let base = running.model.clone();
        running.set_out()?;
        self.run.skip(running);
        while running.time < stop && self.run.total < ADVICE_RUN_WORK && self.can_advise() {
            running.take_step(stop)?;
            self.run.read(running);
            if !Arc::ptr_eq(&base, &running.model) {
                self.speeds = None;
                self.loops.clear();
            }
            // looking takes no more than running, but for what is soon done
            if self.looking <= self.run.total.max(ADVICE_LOOKING) {
                running.problem.evaluator.functions.differentiate_exactly();
                let looked = self.look(running);
                running.problem.evaluator.functions.differentiate_by_differences();
                let work = self.run.read(running);
                self.run.total -= work;
                self.looking += work;
                looked?;
            }
        }
        Ok(())
    }

    /// Takes in the point that was accepted last.
    fn look(&mut self, running: &mut Running<'_>) -> Result<(), Stop> {
        let (t, problem) = (running.time, &mut running.problem);
        self.steps += 1;
        if let Some((speeds, jacobian)) = self.speeds.as_mut().zip(self.jacobian.as_mut())
            && speeds.is_due()
        {
            let differentiated = problem.state_jacobian_here(jacobian);
            differentiated.map_err(|why| Stop::NoValue(why, t))?;
            speeds.note(&by_rows(jacobian));
        }
        if !self.steps.is_multiple_of(LOOPS_EVERY) && t < running.options.stop_time {
            return Ok(());
        }
        let model = problem.model.clone();
        self.loops.retain_mut(|(id, signs)| {
            let Some(iteration) = loops(&model).find(|iteration| iteration.id == *id) else { return false };
            let jacobian = problem.evaluator.jacobian_of(iteration, &mut problem.values);
            let found = signs_of_rest(&jacobian);
            let holds = found.is_some() && signs.as_ref().is_none_or(|signs| Some(signs) == found.as_ref());
            *signs = found;
            holds
        });
        Ok(())
    }

    /// Proposals for the quasi-steady states: all at once, or those that can be balanced each by itself.
    fn slaves(
        &self,
        model: &CompiledModel,
        options: &Options,
        trials: &mut Trials<'_>,
    ) -> Vec<BalanceAdvice> {
        let Some(speeds) = &self.speeds else { return Vec::new() };
        let span = options.stop_time - options.start_time;
        let fast = speeds.slaves(span, (SLAVE_OF_RUN, SLAVE_OF_OTHERS));
        let all: Vec<Slave> = fast
            .iter()
            .filter_map(|&i| {
                let time_constant = 1.0 / speeds.decay[i];
                Some(Slave { time_constant, new: balance_of_state(model, i)? })
            })
            .collect();
        let tried = |of: &[&Slave], trials: &mut Trials<'_>| -> Option<Difference> {
            let slowest = of.iter().map(|slave| slave.time_constant).fold(0.0, f64::max);
            let new: Vec<NewBalance> = of.iter().map(|slave| slave.new.clone()).collect();
            trials.difference(&new, options.start_time + ADVICE_SETTLED * slowest)
        };
        if all.is_empty() {
            return Vec::new();
        }
        if let Some(difference) = tried(&all.iter().collect::<Vec<_>>(), trials) {
            return all.iter().filter_map(|slave| slave.advice(model, span, difference)).collect();
        }
        let by_itself = all.iter().take(ADVICE_TRIALS).filter_map(|slave| {
            let difference = tried(&[slave], trials)?;
            slave.advice(model, span, difference)
        });
        by_itself.collect()
    }

    fn balanced_loops(&self, model: &CompiledModel, trials: &mut Trials<'_>) -> Vec<BalanceAdvice> {
        let held =
            self.loops.iter().filter_map(|(id, signs)| Some((*id, signs.as_ref()?))).take(ADVICE_TRIALS);
        held.filter_map(|(id, signs)| {
            let iteration = loops(model).find(|iteration| iteration.id == id)?;
            balanced_loop(model, iteration, signs, trials)
        })
        .collect()
    }
}

/// A state that would better be balanced.
struct Slave {
    time_constant: f64,
    new: NewBalance,
}

/// The balance in place of the only equation that holds the derivative of a state.
fn balance_of_state(model: &CompiledModel, state: usize) -> Option<NewBalance> {
    let rhei_solvable::State { variable, derivative, .. } = model.solvable.states[state];
    let equations = &model.equations;
    let holds = |e: &Equation| {
        [e.lhs, e.rhs].iter().any(|side| equations.pool.variables_of(*side).contains(&derivative))
    };
    let mut own = equations.equations.iter().enumerate().filter(|(_, e)| holds(e));
    let (place, equation) = own.next()?;
    if own.next().is_some() || !is_readable(&equations.pool, &[equation.lhs, equation.rhs]) {
        return None;
    }
    equations.balance_of_state(EqId(place as u32), variable, derivative)
}

impl Slave {
    fn advice(&self, model: &CompiledModel, span: f64, difference: Difference) -> Option<BalanceAdvice> {
        let NewBalance { equation, variable, .. } = self.new;
        let equation = &model.equations.equations[equation.index()];
        let text = model.equations.notation().equation(equation);
        let name = &model.equations.variable(variable).name;
        let proposal = written(model, &self.new);
        let times = number((span / self.time_constant).round());
        let took = rounded(self.time_constant);
        let message = format!(
            "`{name}` looks like an artificial state: time constant {took} s, {times} of them in a run of {} s",
            number(span)
        );
        let said = at(Diagnostic::note("balance-advice", message), equation, &text)
            .with_note(format!("if only where it comes to rest matters, write `{proposal}`"))
            .with_note(difference.text());
        Some(BalanceAdvice {
            variables: vec![variable],
            time_constant: Some(self.time_constant),
            equations: vec![text],
            proposals: vec![proposal],
            difference: difference.largest,
            steps: difference.steps,
            said,
        })
    }
}

/// A number with three digits.
pub(crate) fn rounded(value: f64) -> String {
    number(format!("{value:.2e}").parse().unwrap_or(value))
}

/// A balance as it is written.
fn written(model: &CompiledModel, new: &NewBalance) -> String {
    let notation = model.equations.notation();
    let name = &model.equations.variable(new.variable).name;
    let factor = new.factor.map_or_else(String::new, |factor| format!("{}*", notation.expression(factor)));
    let (plus, minus) = new.flow;
    let plus = notation.expression(plus);
    match minus.map(|minus| notation.expression(minus)) {
        Some(minus) if minus != "0" => format!("{factor}balance({name}) = {plus} - ({minus})"),
        _ => format!("{factor}balance({name}) = {plus}"),
    }
}

/// Whether formulas are short enough to be read: parts that they share are written out each time.
fn is_readable(pool: &Pool, sides: &[ExprId]) -> bool {
    let mut sizes: FxHashMap<ExprId, usize> = FxHashMap::default();
    for e in pool.below(sides) {
        let parts = pool.operands(pool.node(e)).map(|part| sizes.get(&part).copied().unwrap_or(1));
        sizes.insert(e, parts.fold(1, usize::saturating_add));
    }
    sides.iter().all(|side| sizes[side] <= ADVICE_FORMULA)
}

fn at(said: Diagnostic, equation: &Equation, text: &str) -> Diagnostic {
    match equation.origin.span {
        Some(span) => said.at(span, text),
        None => said,
    }
}

fn by_rows(matrix: &SparseMatrix) -> Vec<Vec<f64>> {
    let n = matrix.pattern().columns();
    let mut rows = vec![vec![0.0; n]; n];
    let entries = matrix.pattern().entries().zip(matrix.values());
    entries.for_each(|((row, column), entry)| rows[row][column] = *entry);
    rows
}

/// The nonlinear loops of a model that are no balances.
fn loops(model: &CompiledModel) -> impl Iterator<Item = &Iteration> {
    let steps = model.code.dynamic.steps.iter().chain(&model.code.watched.steps);
    steps.filter_map(|step| match step {
        Step::Iterate(iteration) if iteration.balance.is_empty() && iteration.factors.is_none() => {
            Some(iteration)
        }
        _ => None,
    })
}

/// The signs with which residuals, taken as a flow, come to rest: each pulls back the unknown in its place.
fn signs_of_rest(jacobian: &SparseMatrix) -> Option<Vec<f64>> {
    let n = jacobian.pattern().columns();
    let signs: Vec<f64> = (0..n).map(|i| -jacobian.get(i, i).signum()).collect();
    if (0..n).any(|i| jacobian.get(i, i) == 0.0) {
        return None;
    }
    let entries = jacobian.pattern().entries().zip(jacobian.values());
    let flow: Vec<f64> = entries.map(|((row, _), entry)| signs[row] * entry).collect();
    (sparse_growth(jacobian.pattern(), &flow)? < 0.0).then_some(signs)
}

fn balanced_loop(
    model: &CompiledModel,
    iteration: &Iteration,
    signs: &[f64],
    trials: &mut Trials<'_>,
) -> Option<BalanceAdvice> {
    let equations = &model.equations;
    let mut new = Vec::new();
    for ((&variable, because), sign) in iteration.guessed.iter().zip(&iteration.because).zip(signs) {
        let Cause::Equation(equation) = *because else { return None };
        let own = equations.equations.get(equation.index())?;
        if matches!(equations.variable(variable).kind, rhei_equations::Kind::Derivative { .. })
            || !is_readable(&equations.pool, &[own.lhs, own.rhs])
        {
            return None;
        }
        // residuals are left minus right
        let (plus, minus) = if *sign > 0.0 { (own.lhs, own.rhs) } else { (own.rhs, own.lhs) };
        new.push(NewBalance {
            equation,
            variable,
            derivative: None,
            factor: None,
            flow: (plus, Some(minus)),
        });
    }
    let difference = trials.difference(&new, f64::NEG_INFINITY)?;
    let name = |v: &VarId| equations.variable(*v).name.as_str();
    let names: Vec<String> = iteration.guessed.iter().map(|v| format!("`{}`", name(v))).collect();
    let message = format!(
        "the loop of {} has the form of a balance: its residuals, taken as a flow, come to rest at the solution",
        names.join(", ")
    );
    let proposals: Vec<String> = new.iter().map(|new| written(model, new)).collect();
    let own = |new: &NewBalance| &equations.equations[new.equation.index()];
    let texts: Vec<String> = new.iter().map(|new| equations.notation().equation(own(new))).collect();
    let mut said = Diagnostic::note("balance-advice", message);
    if let (Some(first), Some(text)) = (new.first(), texts.first()) {
        said = at(said, own(first), text);
    }
    said = said
        .with_note(format!("to be solved from rough starts, write `{}`", proposals.join("; ")))
        .with_note(difference.text());
    Some(BalanceAdvice {
        variables: iteration.guessed.clone(),
        time_constant: None,
        equations: texts,
        proposals,
        difference: difference.largest,
        steps: difference.steps,
        said,
    })
}
