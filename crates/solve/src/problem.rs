//! The model as the problem of an integrator: `dy/dt = f(t, y)` over the states; and all its variables at any point.

use std::rc::Rc;
use std::sync::Arc;

use rhei_equations::VarId;
use rhei_kernel::{DelaySlots, Execution, Program, Slot, Step, TransportSlots, Watch};
use rhei_model::{CompiledModel, JacobianPlan, Occasion, Structures};
use rhei_numerics::colouring::Colouring;
use rhei_numerics::{EvaluationFailed, OffConstraints, Opened, Pattern, Problem, SparseMatrix};
use rhei_source::Span;
use rustc_hash::FxHashMap;

use crate::constants::PAST_ITERATIONS;
use crate::evaluate::{Evaluator, NoValue, Opening, propagate};
use crate::failure::place_of;
use crate::groups::Balancing;
use crate::jacobian;
use crate::modes::off::Off;
use crate::past::{Delayed, Past, Profile, Sample, Transported};
use crate::search::{ANYWHERE, NEARBY, Search};
use crate::start::{Given, start};
use crate::work_budget::WorkBudget;

/// The run-time data of a model, beside that of the integrator.
#[derive(Clone)]
pub struct ModelProblem {
    /// The model in its present mode.
    pub model: Arc<CompiledModel>,
    /// The values of all variables, and of temporaries.
    pub values: Vec<f64>,
    changes: Vec<f64>,
    /// The context of evaluations.
    pub evaluator: Evaluator,
    /// The past.
    pub past: Past,
    /// Whether events compute discrete variables only, from the values just before: the mode is about to change.
    pub only_discrete: bool,
    /// The modes of the model, with values of the guards that are known to be of the present one.
    pub modes: Option<Present>,
    /// The model without constraints, if steps are made off them.
    pub off: Option<Box<Off>>,
}

/// The present mode of a problem.
#[derive(Clone)]
pub struct Present {
    /// The modes.
    pub structures: Arc<dyn Structures>,
    /// The values of the guards.
    pub guards: Vec<bool>,
}

/// The work of a loop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopWork {
    /// The names of its guesses.
    pub unknowns: Vec<String>,
    /// The place of one of its equations.
    pub span: Option<Span>,
    /// Number of solutions.
    pub solves: u64,
    /// Newton iterations of these.
    pub iterations: u64,
}

/// The problem of an integrator and its states, at the start; `None` if the model cannot start.
pub fn at_start(
    model: &Arc<CompiledModel>,
    t: f64,
    execution: Execution,
) -> Option<(impl Problem, Vec<f64>)> {
    let given = Given { set: &FxHashMap::default(), execution, balances: Balancing::default() };
    let started = start(model, t, given, &WorkBudget::at_start(None)).ok()?;
    let problem = ModelProblem::new(model.clone(), started.values, started.evaluator, 1.0);
    let states = problem.states();
    Some((problem, states))
}

/// The number of matrices of linear loops factorised while a model is evaluated and differentiated at these times, its states
/// moving a little each time. It shows without a clock that constant ones are factorised once. `None` if it cannot start.
pub fn matrices_made(model: &Arc<CompiledModel>, times: &[f64]) -> Option<u64> {
    let (execution, balances) = Default::default();
    let given = Given { set: &FxHashMap::default(), execution, balances };
    let started = start(model, 0.0, given, &WorkBudget::at_start(None)).ok()?;
    let mut problem = ModelProblem::new(model.clone(), started.values, started.evaluator, 1.0);
    let before = problem.evaluator.matrices;
    let mut states = problem.states();
    let mut rates = vec![0.0; states.len()];
    let mut jacobian = SparseMatrix::zeros(model.jacobian.pattern.clone());
    for &t in times {
        problem.rhs(t, &states, &mut rates).ok()?;
        problem.jacobian(t, &states, &mut jacobian).ok()?;
        states.iter_mut().for_each(|state| *state += 0.1);
    }
    Some(problem.evaluator.matrices - before)
}

impl ModelProblem {
    /// At a point where parameters and unknowns are known, for a run over this time.
    pub fn new(model: Arc<CompiledModel>, values: Vec<f64>, evaluator: Evaluator, span: f64) -> Self {
        // directional derivatives are zero for parameters, constants and time
        let changes = vec![0.0; values.len()];
        let past = Past::new(&model, span);
        let mut problem = ModelProblem {
            model,
            values,
            changes,
            evaluator,
            past,
            only_discrete: false,
            modes: None,
            off: None,
        };
        problem.evaluator.starting_points.accept(&problem.values);
        problem
    }

    /// The strategies for loops between events.
    pub fn search(&self) -> Search<'static> {
        Search::with(if self.model.solvable.states.is_empty() { &ANYWHERE } else { &NEARBY })
    }

    /// Accepts the point evaluated last.
    pub fn accept(&mut self, t: f64) {
        self.evaluator.groups.accept(&self.values, t);
        self.evaluator.starting_points.accept(&self.values);
        if !self.evaluator.groups.is_empty() && self.evaluator.groups.discrete.is_none() {
            let variables = self.model.equations.iter_variables();
            let discrete = variables.filter(|(_, variable)| variable.is_discrete).map(|(v, _)| v.index());
            let given = self.model.equations.events.holding.map(VarId::index);
            self.evaluator.groups.discrete = Some(Rc::new(discrete.chain(given).collect()));
        }
    }

    /// Lets loops be searched for from the last accepted point, if that is nearer than the point evaluated last: that is then one of an
    /// attempt at a longer step, which was rejected.
    fn guess_from_nearest(&mut self, t: f64) {
        let time = self.model.code.time();
        let accepted = self.evaluator.starting_points.accepted();
        if (t - accepted[time.index()]).abs() >= (t - self.values[time.index()]).abs() {
            return;
        }
        for step in &self.model.code.dynamic.steps {
            if let Step::Iterate(iteration) = step {
                let guessed = iteration.guessed.iter().map(|v| v.index());
                guessed.for_each(|place| self.values[place] = accepted[place]);
            }
        }
    }

    fn set(&mut self, t: f64, y: &[f64]) {
        self.values[self.model.code.time().index()] = t;
        self.model.states.write(y, &mut self.values);
        if !self.past.is_empty() {
            self.past.set(t, &mut self.values);
        }
    }

    /// The arguments of delays and transports at the point evaluated last.
    pub fn present(&mut self, t: f64) -> Result<Sample, NoValue> {
        let model = self.model.clone();
        let past = &model.code.past;
        self.compute(&past.inputs)?;
        let at = |slot: Slot| self.values[slot.index()];
        let delayed = |slots: &DelaySlots| Delayed { input: at(slots.input), most: at(slots.most), by: 0.0 };
        let mut delays: Vec<Delayed> = past.delays.iter().map(delayed).collect();
        let transported = |slots: &TransportSlots| Transported {
            inflows: slots.inflows.map(at),
            is_forward: at(slots.is_forward) != 0.0,
            moved: 0.0,
        };
        let mut transports: Vec<Transported> = past.transports.iter().map(transported).collect();
        self.compute(&past.asked)?;
        let at = |slot: Slot| self.values[slot.index()];
        delays.iter_mut().zip(&past.delays).for_each(|(delay, slots)| delay.by = at(slots.by));
        transports.iter_mut().zip(&past.transports).for_each(|(each, slots)| each.moved = at(slots.moved));
        Ok(Sample { t, delays, transports })
    }

    /// Begins the past at the start of a run, as constant. Answers a transport without a profile from end to end, if there is
    /// one.
    pub fn begin_past(&mut self, t: f64) -> Result<Option<usize>, NoValue> {
        if self.past.is_empty() {
            return Ok(None);
        }
        let model = self.model.clone();
        let sample = self.present(t)?;
        self.compute(&model.code.past.profiles)?;
        let of = |slots: &[Slot]| slots.iter().map(|slot| self.values[slot.index()]).collect();
        let profile =
            |slots: &TransportSlots| Profile { points: of(&slots.points), values: of(&slots.values) };
        let profiles: Vec<Profile> = model.code.past.transports.iter().map(profile).collect();
        if let Err(place) = self.past.begin(&sample, &profiles) {
            return Ok(Some(place));
        }
        self.past.settle(t);
        self.past.set(t, &mut self.values);
        Ok(None)
    }

    /// Reads the past anew at an event; says whether anything jumped.
    pub fn settle_past(&mut self, t: f64) -> bool {
        let jumped = self.past.settle(t);
        self.past.set(t, &mut self.values);
        jumped
    }

    /// The work of the loops of all routines.
    pub fn loop_work(&self) -> Vec<LoopWork> {
        let code = &self.model.code;
        let routines = [&code.initial, &code.dynamic, &code.watched, &code.event, &code.discrete];
        let steps = routines.into_iter().flat_map(|routine| &routine.steps);
        let loops = steps.filter_map(|step| if let Step::Iterate(found) = step { Some(found) } else { None });
        let work = loops.map(|iteration| {
            let (solves, iterations) = self.evaluator.work_of(iteration);
            let name = |v: &VarId| self.model.equations.variable(*v).name.to_string();
            let span = iteration.because.iter().find_map(|cause| place_of(&self.model, *cause));
            LoopWork { unknowns: iteration.guessed.iter().map(name).collect(), span, solves, iterations }
        });
        work.filter(|work| work.iterations > 0).collect()
    }

    /// The states among the values.
    pub fn states(&self) -> Vec<f64> {
        self.model.solvable.states.iter().map(|state| self.values[state.variable.index()]).collect()
    }

    /// Evaluates all variables at this point; discrete ones keep their values.
    pub fn evaluate(&mut self, t: f64, y: &[f64]) -> Result<&[f64], NoValue> {
        self.set(t, y);
        self.run_dynamic(t)?;
        let search = self.search();
        self.evaluator.run(&self.model.code.watched, &mut self.values, search)?;
        Ok(&self.values)
    }

    /// Evaluates everything that derivatives depend on. Varying arguments of delays are known only at this point: they are
    /// evaluated first or, if they are themselves computed from other variables, the evaluation is repeated with them.
    fn run_dynamic(&mut self, t: f64) -> Result<(), NoValue> {
        let (model, search) = (self.model.clone(), self.search());
        if !self.past.varies() {
            return self.evaluator.run(&model.code.dynamic, &mut self.values, search);
        }
        if self.past.is_direct() {
            self.ask_past(t)?;
            return self.evaluator.run(&model.code.dynamic, &mut self.values, search);
        }
        for _ in 0..PAST_ITERATIONS {
            self.evaluator.run(&model.code.dynamic, &mut self.values, search)?;
            self.evaluator.run(&model.code.watched, &mut self.values, search)?;
            if !self.ask_past(t)? {
                break;
            }
        }
        Ok(())
    }

    /// Reads the past for the arguments at the point evaluated last; says whether that changes anything.
    fn ask_past(&mut self, t: f64) -> Result<bool, NoValue> {
        let sample = self.present(t)?;
        Ok(self.past.take(&sample) && self.past.set(t, &mut self.values))
    }

    /// Evaluates the event system, from the states and the values before it.
    pub fn evaluate_event(&mut self) -> Result<(), NoValue> {
        let (model, search) = (self.model.clone(), Search::with(&ANYWHERE));
        self.evaluator.groups.has_jumped = true;
        if self.only_discrete {
            return self.evaluator.run(&model.code.discrete, &mut self.values, search);
        }
        let t = self.values[model.code.time().index()];
        for _ in 0..PAST_ITERATIONS {
            if model.code.event.steps.is_empty() {
                // without discrete variables
                self.evaluator.run(&model.code.dynamic, &mut self.values, search)?;
                self.evaluator.run(&model.code.watched, &mut self.values, search)?;
            } else {
                self.evaluator.run(&model.code.event, &mut self.values, search)?;
            }
            let varies = self.past.varies() && self.ask_past(t)?;
            if !varies {
                break;
            }
            self.settle_past(t);
        }
        Ok(())
    }

    /// Derivatives of variables by the states at the point evaluated last, on a pattern: one sweep for each group of states.
    pub(crate) fn slopes_on(
        &mut self,
        of: &[VarId],
        pattern: &Arc<Pattern>,
        colouring: &Colouring,
    ) -> SparseMatrix {
        let model = self.model.clone();
        let mut slopes = SparseMatrix::zeros(pattern.clone());
        let along = |group: &Vec<usize>| {
            group.iter().map(|&column| (model.solvable.states[column].variable.index(), 1.0)).collect()
        };
        let mut groups = colouring.groups.iter();
        self.along(colouring.groups.iter().map(along), |problem| {
            for &column in groups.next().into_iter().flatten() {
                for (place, &row) in pattern.range(column).zip(pattern.column(column)) {
                    slopes.values_mut()[place] = problem.changes[of[row].index()];
                }
            }
        });
        slopes
    }

    /// By state, the derivatives of watched values by it at the point evaluated last.
    pub fn slopes_of(&mut self, watch: &Watch) -> Vec<Vec<f64>> {
        self.along_states(|problem| {
            watch.program.propagate(&mut problem.values, &mut problem.changes, &problem.evaluator.functions);
            watch.slots.iter().map(|slot| problem.changes[slot.index()]).collect()
        })
    }

    fn along_states(&mut self, read: impl Fn(&mut ModelProblem) -> Vec<f64>) -> Vec<Vec<f64>> {
        let model = self.model.clone();
        let directions = model.solvable.states.iter().map(|state| vec![(state.variable.index(), 1.0)]);
        self.along(directions, read)
    }

    /// By direction, given by slots, the result of `read` after propagation along it.
    fn along<R>(
        &mut self,
        directions: impl Iterator<Item = Vec<(usize, f64)>>,
        mut read: impl FnMut(&mut ModelProblem) -> R,
    ) -> Vec<R> {
        let model = self.model.clone();
        let routines = [&model.code.dynamic, &model.code.watched];
        let factors = routines.map(|routine| self.evaluator.factorised_loops(routine, &mut self.values));
        let mut found = Vec::new();
        for direction in directions {
            self.changes.fill(0.0);
            direction.into_iter().for_each(|(slot, change)| self.changes[slot] = change);
            for (routine, factors) in routines.into_iter().zip(&factors) {
                propagate(routine, &mut self.values, &mut self.changes, factors, &self.evaluator.functions);
            }
            found.push(read(self));
        }
        self.changes.fill(0.0);
        found
    }

    /// Rates of change of watched values at the point evaluated last, each with the rate it would have if no terms cancelled.
    pub fn rates_of(&mut self, watch: &Watch, by: &[VarId]) -> Vec<(f64, f64)> {
        let model = self.model.clone();
        let states = model.solvable.states.iter();
        let onwards = states.map(|state| (state.variable.index(), self.values[state.derivative.index()]));
        let onwards = onwards.chain([(model.code.time().index(), 1.0)]).collect();
        let found = self.along(std::iter::once(onwards), |problem| {
            let along: Vec<(VarId, f64)> = by.iter().map(|&v| (v, problem.changes[v.index()])).collect();
            watch.program.propagate(&mut problem.values, &mut problem.changes, &problem.evaluator.functions);
            let rates: Vec<f64> = watch.slots.iter().map(|slot| problem.changes[slot.index()]).collect();
            (along, rates)
        });
        let (along, rates) = found.into_iter().next().unwrap_or_default();
        let mut sizes = vec![0.0; rates.len()];
        for change in along {
            let part = self.watched_along(watch, &[change]);
            sizes.iter_mut().zip(part).for_each(|(size, part)| *size += part.abs());
        }
        rates.into_iter().zip(sizes).collect()
    }

    /// The result of a closure at other values of all variables.
    pub fn at_values<T>(&mut self, values: &[f64], find: impl FnOnce(&mut Self) -> T) -> T {
        let present = self.values.clone();
        self.values.copy_from_slice(values);
        let found = find(self);
        self.values.copy_from_slice(&present);
        found
    }

    /// The guards as they are now.
    pub fn guards(&mut self) -> Result<Vec<bool>, NoValue> {
        let model = self.model.clone();
        Ok(self.watched(&model.code.guards)?.into_iter().map(|value| value != 0.0).collect())
    }

    /// Whether the guards ask for another mode.
    pub fn leaves_mode(&mut self) -> Result<bool, NoValue> {
        if self.modes.is_none() {
            return Ok(false);
        }
        let model = self.model.clone();
        self.evaluate_watched(&model.code.guards)?;
        let Some(present) = &mut self.modes else { return Ok(false) };
        let guards = model.code.guards.slots.iter().map(|slot| self.values[slot.index()] != 0.0);
        if guards.clone().eq(present.guards.iter().copied()) {
            return Ok(false);
        }
        let guards: Vec<bool> = guards.collect();
        let stays = match present.structures.enter(&guards, Occasion::Way) {
            Ok(entered) => entered.is_mode_of(&self.model),
            // if guards have no value, the common structure is kept as long as it has values
            Err(_) => self.model.solvable.mode.id == 0 && !self.only_discrete,
        };
        if stays {
            present.guards = guards;
        }
        Ok(!stays)
    }

    /// Hands the past over to another problem.
    pub fn take_past(&mut self) -> Past {
        std::mem::replace(&mut self.past, Past::new(&self.model, 1.0))
    }

    /// The directional derivatives of watched values along changes of these variables.
    pub fn watched_along(&mut self, watch: &Watch, along: &[(VarId, f64)]) -> Vec<f64> {
        along.iter().for_each(|(v, change)| self.changes[v.index()] = *change);
        watch.program.propagate(&mut self.values, &mut self.changes, &self.evaluator.functions);
        let found = watch.slots.iter().map(|slot| self.changes[slot.index()]).collect();
        self.changes.fill(0.0);
        found
    }

    /// The largest change of watched values by a change of one of these variables by its nominal value.
    pub fn steepness(&mut self, watch: &Watch, by: &[VarId]) -> Vec<f64> {
        let mut most = vec![0.0_f64; watch.slots.len()];
        for &v in by {
            let size = self.evaluator.nominal(v).max(self.values[v.index()].abs());
            let along = self.watched_along(watch, &[(v, size)]);
            most.iter_mut().zip(along).for_each(|(most, change)| *most = most.max(change.abs()));
        }
        most
    }

    /// The error of watched values for errors of the states by a tolerance, at the point evaluated last: the largest over a few
    /// combinations of signs, since one may cancel out.
    pub fn uncertainty(&mut self, watch: &Watch, tolerance: f64) -> Vec<f64> {
        let model = self.model.clone();
        let states = || model.solvable.states.iter().map(|state| state.variable).enumerate();
        let errors: Vec<(usize, usize, f64)> = states()
            .map(|(place, v)| {
                let size = self.evaluator.nominal(v).max(self.values[v.index()].abs());
                (place, v.index(), tolerance * size)
            })
            .collect();
        let signs = |pattern: u32| {
            let sign = move |place: usize| if (place >> pattern) & 1 == 0 { 1.0 } else { -1.0 };
            errors.iter().map(move |&(place, slot, error)| (slot, sign(place) * error)).collect()
        };
        // any two states differ in sign in one of the first patterns, whose signs are the binary digits of their indices
        let patterns = usize::BITS - errors.len().leading_zeros();
        let found = self.along((0..=patterns).map(signs), |problem| {
            watch.program.propagate(&mut problem.values, &mut problem.changes, &problem.evaluator.functions);
            watch.slots.iter().map(|slot| problem.changes[slot.index()].abs()).collect::<Vec<f64>>()
        });
        let mut most = vec![0.0_f64; watch.slots.len()];
        for changes in found {
            most.iter_mut().zip(changes).for_each(|(most, change)| *most = most.max(change));
        }
        most
    }

    /// The derivatives of the states by the states, at the point that the values hold.
    pub fn state_jacobian_here(&mut self, jacobian: &mut SparseMatrix) -> Result<(), NoValue> {
        let model = self.model.clone();
        self.jacobian_here(model.state_jacobian(), jacobian)
    }

    /// A Jacobian at the point that the values hold.
    fn jacobian_here(&mut self, plan: &JacobianPlan, jacobian: &mut SparseMatrix) -> Result<(), NoValue> {
        let search = self.search();
        let ModelProblem { model, values, changes, evaluator, .. } = self;
        jacobian::evaluate(model, plan, values, changes, evaluator, jacobian, search)
    }

    /// Evaluates for an integrator: balances keep relations held, as all equations do, so that the right-hand side is smooth
    /// between events. If that has no value or no equilibrium, they follow their relations as at accepted points.
    fn holding<T>(
        &mut self,
        mut evaluate: impl FnMut(&mut ModelProblem) -> Result<T, NoValue>,
    ) -> Result<T, NoValue> {
        self.evaluator.groups.is_trying = true;
        let tried = match self.model.equations.events.holding {
            None => evaluate(self),
            Some(holding) => {
                self.values[holding.index()] = 1.0;
                let held = evaluate(self);
                self.values[holding.index()] = 0.0;
                held.or_else(|_| evaluate(self))
            }
        };
        self.evaluator.groups.is_trying = false;
        tried
    }

    /// Evaluates watched values at the point evaluated last, in their slots.
    pub fn evaluate_watched(&mut self, watch: &Watch) -> Result<(), NoValue> {
        self.compute(&watch.program)
    }

    /// Runs a program at the point evaluated last.
    pub fn compute(&mut self, program: &Program) -> Result<(), NoValue> {
        self.evaluator.run_program(program, &mut self.values)
    }

    /// Evaluates all variables at the present states.
    pub fn evaluate_here(&mut self, t: f64) -> Result<(), NoValue> {
        self.values[self.model.code.time().index()] = t;
        if !self.past.is_empty() {
            self.past.set(t, &mut self.values);
        }
        self.run_dynamic(t)?;
        let search = self.search();
        self.evaluator.run(&self.model.code.watched, &mut self.values, search)
    }

    /// The watched values at the point evaluated last.
    pub fn watched(&mut self, watch: &Watch) -> Result<Vec<f64>, NoValue> {
        self.evaluate_watched(watch)?;
        Ok(watch.slots.iter().map(|slot| self.values[slot.index()]).collect())
    }

    /// The same, into memory that is there.
    pub fn watched_into(&mut self, watch: &Watch, seen: &mut Vec<f64>) -> Result<(), NoValue> {
        self.evaluate_watched(watch)?;
        seen.clear();
        seen.extend(watch.slots.iter().map(|slot| self.values[slot.index()]));
        Ok(())
    }
}

impl Problem for ModelProblem {
    fn n(&self) -> usize {
        self.model.solvable.states.len()
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), EvaluationFailed> {
        self.guess_from_nearest(t);
        self.set(t, y);
        self.holding(|problem| problem.run_dynamic(t)).map_err(EvaluationFailed::new)?;
        self.model.derivatives.read(&self.values, dy);
        Ok(())
    }

    fn off_constraints(&mut self) -> Option<&mut dyn OffConstraints> {
        self.off.is_some().then_some(self)
    }

    fn inner(&self) -> usize {
        self.model.jacobian.inner.len()
    }

    fn opened(&mut self) -> Option<&mut dyn Opened> {
        Some(self)
    }

    fn pattern(&self) -> Option<Arc<Pattern>> {
        Some(self.model.jacobian.pattern.clone())
    }

    fn jacobian(&mut self, t: f64, y: &[f64], jacobian: &mut SparseMatrix) -> Result<bool, EvaluationFailed> {
        self.guess_from_nearest(t);
        self.set(t, y);
        let model = self.model.clone();
        let here = |problem: &mut ModelProblem| problem.jacobian_here(&model.jacobian, jacobian);
        self.holding(here).map_err(EvaluationFailed::new)?;
        Ok(true)
    }
}

impl Opened for ModelProblem {
    fn found(&self, inner: &mut [f64]) {
        self.model.jacobian.inner_places.read(&self.values, inner);
    }

    fn sizes(&self, inner: &mut [f64]) {
        for (size, v) in inner.iter_mut().zip(&self.model.jacobian.inner) {
            *size = self.evaluator.nominal(*v);
        }
    }

    fn open_rhs(
        &mut self,
        t: f64,
        y: &[f64],
        inner: &[f64],
        values: &mut [f64],
    ) -> Result<(), EvaluationFailed> {
        let model = self.model.clone();
        let places = &model.jacobian.inner_places;
        let mut found = vec![0.0; inner.len()];
        places.read(&self.values, &mut found);
        self.set(t, y);
        places.write(inner, &mut self.values);
        let (rates, residuals) = values.split_at_mut(y.len());
        let evaluated = self.holding(|problem| {
            let opening = Opening { is_open: &model.jacobian.is_open, residuals };
            let search = problem.search();
            problem.evaluator.run_open(&model.code.dynamic, &mut problem.values, opening, search)
        });
        model.derivatives.read(&self.values, rates);
        // loops are searched for from their last solutions
        places.write(&found, &mut self.values);
        evaluated.map_err(EvaluationFailed::new)
    }
}
