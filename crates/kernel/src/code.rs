//! All programs of a model in one mode.

use std::sync::Arc;

use rhei_equations::{Border, Equations, ExprId, Level, Pool, VarId};
use rhei_flat::Tables;
use rhei_solvable::{Assignment, Block, Jacobian, Segment, Solvable};

use crate::assemble::{Assembler, Layout};
use crate::named::{Named, SampleTimes, Setting, Sides};
use crate::past::PastCode;
use crate::program::{Program, Slot};
use crate::routine::{Iteration, Routine, Settling, Step};

/// The programs of a model over one array of values, in which variables stand first, by their ids.
#[derive(Debug)]
pub struct Code {
    /// Computes constants and parameters.
    pub parameters: Program,
    /// Computes the start values of unknowns, from parameters.
    pub starts: Program,
    /// Computes the nominal values that are given, from parameters.
    pub nominals: Program,
    /// Computes `min` and `max` of the unknowns of loops, from parameters.
    pub bounds: Watch,
    /// Their variables, in order.
    pub bounded: Vec<(VarId, Bound)>,
    /// Computes those `min` and `max` as they are written that are no numbers, from parameters.
    pub limits: Watch,
    /// Computes every unknown at the start.
    pub initial: Routine,
    /// Per surplus condition at the start.
    pub surplus: Named<Sides>,
    /// The same on the way from the simplified formulas of `homotopy`.
    pub on_the_way: Option<Routine>,
    /// The same without the fixed values in state sets, with the sides of its surplus conditions.
    pub freed: Option<(Routine, Named<Sides>)>,
    /// The same with written start values in place of unwritten ones of states.
    pub written: Option<Routine>,
    /// Computes the derivatives of the states.
    pub dynamic: Routine,
    /// Computes the remaining variables, once `dynamic` has run.
    pub watched: Routine,
    /// Computes everything at an event.
    pub event: Routine,
    /// The same in a clocked partition, for one rhythm after the other.
    pub tick: Vec<RhythmRoutine>,
    /// Computes everything at the first tick of each rhythm.
    pub first_tick: Vec<RhythmRoutine>,
    /// The same with written start values in place of unwritten ones of states.
    pub first_tick_written: Vec<RhythmRoutine>,
    /// Computes discrete variables, everything else being known, if the model has modes or constraints that change at events.
    pub discrete: Routine,
    /// One value per guard: whether it holds.
    pub guards: Watch,
    /// The factors of jumps and impulses.
    pub impulses: Watch,
    /// One event indicator per crossing: the difference, the time, or the number that crosses.
    pub crossings: Watch,
    /// Per crossing, the terms of its event indicator, whose sizes say how exact it is.
    pub terms_of_crossings: Vec<Watch>,
    /// Per state set, the derivatives of its constraints, row by row.
    pub sets: Vec<Watch>,
    /// Per state set, the manifold that its candidates are on.
    pub manifolds: Vec<Confined>,
    /// As `sets`, for the assumptions of the choice of states.
    pub assumptions: Vec<Watch>,
    /// Per `sample`.
    pub samples: Named<SampleTimes>,
    /// Per `reinit`.
    pub reinits: Named<Setting>,
    /// One value per `terminate`: whether it is active.
    pub terminations: Watch,
    /// One value per `assert`: whether it holds.
    pub asserts: Watch,
    /// One value per effect: whether it is active.
    pub effects: Watch,
    /// The values in the arguments of each effect.
    pub arguments: Vec<Watch>,
    /// Arguments of delays and transports.
    pub past: PastCode,
    /// The values in the message of each `assert`, followed by its level where the run chooses it; then those of each `terminate`. For each
    /// value its rest follows.
    pub messages: Vec<Watch>,
    /// The functions that calls refer to, derivatives among them.
    pub functions: Arc<Tables>,
    nominal_slots: Vec<(VarId, Slot)>,
    time: Slot,
    initial_values: Vec<f64>,
    first_temporary: usize,
}

/// The parts of [`Code`], by what they are: references to be read, or to be changed.
pub(crate) struct Parts<P, W, R> {
    pub(crate) programs: Vec<P>,
    pub(crate) watches: Vec<W>,
    pub(crate) routines: Vec<R>,
}

/// All parts of a [`Code`], listed once; the compiler says where one is left out.
macro_rules! parts_of {
    ($code:expr, $iter:ident) => {{
        let Code {
            parameters,
            starts,
            nominals,
            bounds,
            bounded: _,
            limits,
            initial,
            surplus: Named { program: surplus, of: _ },
            on_the_way,
            freed,
            written,
            dynamic,
            watched,
            event,
            tick,
            first_tick,
            first_tick_written,
            discrete,
            guards,
            impulses,
            crossings,
            terms_of_crossings,
            sets,
            manifolds,
            assumptions,
            samples: Named { program: samples, of: _ },
            reinits: Named { program: reinits, of: _ },
            terminations,
            asserts,
            effects,
            arguments,
            past: PastCode { inputs, asked, profiles, delays: _, transports: _ },
            messages,
            functions: _,
            nominal_slots: _,
            time: _,
            initial_values: _,
            first_temporary: _,
        } = $code;
        let mut programs = vec![parameters, starts, nominals, surplus, samples, reinits];
        programs.extend([inputs, asked, profiles]);
        let mut watches = vec![bounds, limits, guards, impulses, crossings];
        watches.extend([terminations, asserts, effects]);
        let lists = [terms_of_crossings, sets, assumptions, arguments, messages];
        watches.extend(lists.into_iter().flat_map(|list| list.$iter()));
        let mut routines = vec![initial, dynamic, watched, event, discrete];
        routines.extend(on_the_way.$iter().chain(written.$iter()));
        for (initial, Named { program: surplus, of: _ }) in freed.$iter() {
            routines.push(initial);
            programs.push(surplus);
        }
        for Confined { residual, jacobian } in manifolds.$iter() {
            watches.extend([residual, jacobian]);
        }
        let by_rhythm = tick.$iter().chain(first_tick.$iter()).chain(first_tick_written.$iter());
        routines.extend(by_rhythm.map(|RhythmRoutine { routine, .. }| routine));
        Parts { programs, watches, routines }
    }};
}

/// An end of the range of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// `min`
    Min,
    /// `max`
    Max,
}

/// The routine of the ticks of one rhythm.
#[derive(Clone, Debug)]
pub struct RhythmRoutine {
    /// The rhythm.
    pub rhythm: u32,
    /// Its routine.
    pub routine: Routine,
}

/// Watched values, computed once all variables are known.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Computes them.
    pub program: Program,
    /// Their slots.
    pub slots: Vec<Slot>,
}

/// Constraints to be solved at one point.
#[derive(Clone, Debug, Default)]
pub struct Confined {
    /// One value per constraint: zero on the manifold.
    pub residual: Watch,
    /// Its derivatives by all unknowns, row by row.
    pub jacobian: Watch,
}

impl Watch {
    pub(crate) fn new(values: impl IntoIterator<Item = ExprId>, pool: &Pool, layout: &mut Layout) -> Watch {
        let mut assembler = Assembler::new(pool, layout);
        let slots = values.into_iter().map(|value| assembler.kept(value)).collect();
        Watch { program: assembler.finish(), slots }
    }

    /// Each value followed by its rest.
    fn with_rests(values: impl IntoIterator<Item = ExprId>, pool: &Pool, layout: &mut Layout) -> Watch {
        let mut assembler = Assembler::new(pool, layout);
        let both = |value| [assembler.kept(value), assembler.kept_rest(value)];
        let slots = values.into_iter().flat_map(both).collect();
        Watch { program: assembler.finish(), slots }
    }

    pub(crate) fn place(&mut self, layout: &Layout) {
        layout.place(&mut self.program);
        self.slots.iter_mut().for_each(|slot| *slot = layout.placed(*slot));
    }
}

/// The programs of a model.
pub fn compile(equations: &Equations, solvable: &Solvable) -> Code {
    let pool = &equations.pool;
    let aliases = solvable.aliases.iter().map(|alias| (alias.target, alias.value));
    let mut layout = Layout::new(equations.variables.len(), equations.functions.clone())
        .with_aliases(aliases)
        .with_rests(equations.rests());
    let (dynamic, watched) = solvable.continuous.split_at(solvable.dynamic);
    let mut initial = routine(&solvable.initial, pool, &mut layout);
    let mut on_the_way = solvable.on_the_way.as_ref().map(|blocks| routine(blocks, pool, &mut layout));
    let mut freed = solvable.freed.as_ref().map(|freed| {
        let initial = routine(&freed.initial, pool, &mut layout);
        let sides = freed.surplus.iter().flat_map(|condition| [condition.lhs, condition.rhs]);
        (initial, Watch::new(sides, pool, &mut layout))
    });
    let mut written = solvable.written.as_ref().map(|written| routine(&written.initial, pool, &mut layout));
    let dynamic = routine(dynamic, pool, &mut layout);
    let mut watched = routine(watched, pool, &mut layout);
    // what ticks is computed by rhythm, not as a whole
    let ticks = !solvable.tick.is_empty();
    let mut event = routine(if ticks { &[] } else { &solvable.event }, pool, &mut layout);
    let discrete = routine(&solvable.discrete, pool, &mut layout);
    let tick = by_rhythm(&solvable.event, &solvable.tick, pool, &mut layout);
    let first_tick = by_rhythm(&solvable.initial, &solvable.first_tick, pool, &mut layout);
    let of_written = solvable.written.as_ref().map_or(&[][..], |written| &written.initial);
    let first_tick_written = by_rhythm(of_written, &solvable.first_tick_written, pool, &mut layout);
    // wherever everything is known, it is known under all its names
    let everything = [&mut initial, &mut watched].into_iter().chain(&mut on_the_way);
    let everything = everything.chain(freed.iter_mut().map(|(initial, _)| initial)).chain(&mut written);
    for routine in everything.chain(Some(&mut event).filter(|event| !event.steps.is_empty())) {
        routine.steps.extend(copies(&solvable.aliases, pool, &mut layout));
    }

    let mut parameters = Assembler::new(pool, &mut layout);
    for block in &solvable.parameters {
        if let Block::Assign(assignment) = block {
            parameters.assign_settable(assignment.target, assignment.value);
        }
    }
    let parameters = parameters.finish();
    let mut starts = Assembler::new(pool, &mut layout);
    for (v, variable) in equations.iter_variables() {
        if let (false, Some(start)) = (variable.is_parameter(), variable.start) {
            starts.assign(v, start);
        }
    }
    for &v in &solvable.unfixed {
        if let Some(start) = equations.variable(v).start {
            starts.assign(v, start);
        }
    }
    let starts = starts.finish();
    let given: Vec<(VarId, ExprId)> =
        equations.iter_variables().filter_map(|(v, variable)| Some((v, variable.nominal?))).collect();
    let mut assembler = Assembler::new(pool, &mut layout);
    let slots: Vec<(VarId, Slot)> = given.into_iter().map(|(v, e)| (v, assembler.kept(e))).collect();
    let nominals = assembler.finish();

    let (bounded, ends): (Vec<(VarId, Bound)>, Vec<ExprId>) = bounds(equations, solvable).into_iter().unzip();
    let bounds = Watch::new(ends, pool, &mut layout);

    let is_number = |e: ExprId| equations.pool.as_number(e).is_some();
    let limits = equations.limits.iter().map(|limit| limit.value).filter(|&value| !is_number(value));
    let limits = Watch::new(limits, pool, &mut layout);

    let events = &equations.events;
    let borders = events.crossings.iter().map(|crossing| match crossing.border {
        Border::Zero { difference, .. } => difference,
        Border::Time { at } => at,
        Border::Whole { value } => value,
    });
    let terms = |border: ExprId| pool.terms(border).into_iter().map(|(term, _)| term);
    let terms_of_crossings: Vec<Watch> =
        borders.clone().map(|border| Watch::new(terms(border), pool, &mut layout)).collect();
    let crossings = Watch::new(borders, pool, &mut layout);
    let conditions = equations.guards.iter().map(|guard| guard.condition);
    let guards = Watch::new(conditions, pool, &mut layout);
    let impulses = Watch::new(solvable.impulses.factors(), pool, &mut layout);
    let derivatives = |jacobian: &Jacobian, layout: &mut Layout| {
        Watch::new(jacobian.iter().flatten().map(|&(_, e)| e), pool, layout)
    };
    let sets = solvable.sets.iter();
    let sets: Vec<Watch> = sets.map(|set| derivatives(&set.jacobian, &mut layout)).collect();
    let mut manifolds: Vec<Confined> = Vec::new();
    for set in &solvable.sets {
        let jacobian = derivatives(&set.manifold.jacobian, &mut layout);
        let residual = Watch::new(set.manifold.residuals.iter().copied(), pool, &mut layout);
        manifolds.push(Confined { residual, jacobian });
    }
    let assumptions = solvable.assumptions.iter();
    let assumptions: Vec<Watch> =
        assumptions.map(|assumption| derivatives(&assumption.jacobian, &mut layout)).collect();
    let sides = solvable.surplus.iter().flat_map(|condition| [condition.lhs, condition.rhs]);
    let surplus = Watch::new(sides, pool, &mut layout);
    let ticks = events.samples.iter().flat_map(|sample| [sample.start, sample.interval]);
    let samples = Watch::new(ticks, pool, &mut layout);
    let jumps = events.reinits.iter().flat_map(|reinit| [reinit.active, reinit.value]);
    let reinits = Watch::new(jumps, pool, &mut layout);
    let ends = events.terminations.iter().map(|termination| termination.active);
    let terminations = Watch::new(ends, pool, &mut layout);
    let conditions = equations.asserts.iter().map(|assert| assert.condition);
    let asserts = Watch::new(conditions, pool, &mut layout);
    let past = PastCode::new(events, pool, &mut layout);
    let texts = equations.asserts.iter().map(|assert| match assert.level {
        Level::Chosen(level) => assert.message.values().into_iter().chain([level]).collect(),
        Level::Error | Level::Warning => assert.message.values(),
    });
    let texts = texts.chain(events.terminations.iter().map(|termination| termination.message.values()));
    let messages: Vec<Watch> = texts.map(|values| Watch::with_rests(values, pool, &mut layout)).collect();
    let effects = Watch::new(events.effects.iter().map(|effect| effect.active), pool, &mut layout);
    let arguments: Vec<Watch> =
        events.effects.iter().map(|effect| Watch::with_rests(effect.values(), pool, &mut layout)).collect();

    let mut code = Code {
        parameters,
        starts,
        nominals,
        bounds,
        bounded,
        limits,
        initial,
        surplus: both_sides(surplus),
        on_the_way,
        freed: freed.map(|(initial, surplus)| (initial, both_sides(surplus))),
        written,
        dynamic,
        watched,
        event,
        tick,
        first_tick,
        first_tick_written,
        discrete,
        guards,
        impulses,
        crossings,
        terms_of_crossings,
        sets,
        manifolds,
        assumptions,
        samples: Named::new(samples, |[start, interval]| SampleTimes { start, interval }),
        reinits: Named::new(reinits, |[active, value]| Setting { active, value }),
        terminations,
        asserts,
        effects,
        arguments,
        past,
        messages,
        nominal_slots: slots,
        time: layout.time(),
        initial_values: layout.initial_values(),
        first_temporary: layout.first_temporary(),
        functions: Arc::default(),
    };
    code.place(&layout);
    code.functions = layout.functions.finish();
    if let Err(violation) = code.verify() {
        panic!("the code of {} is not what runs: {violation}", equations.name);
    }
    debug_assert_eq!(code.verify_order(), Ok(()));
    debug_assert_eq!(code.verify_for(equations, solvable), Ok(()));
    code
}

fn both_sides(watch: Watch) -> Named<Sides> {
    Named::new(watch, |[lhs, rhs]| Sides { lhs, rhs })
}

/// The ends of the ranges of all unknowns of loops.
fn bounds(equations: &Equations, solvable: &Solvable) -> Vec<((VarId, Bound), ExprId)> {
    let mut is_looked_for = vec![false; equations.variables.len()];
    let mut open: Vec<&Block> = solvable.initial.iter().chain(&solvable.continuous).collect();
    open.extend(solvable.event.iter().chain(solvable.on_the_way.iter().flatten()));
    open.extend(solvable.freed.iter().flat_map(|freed| &freed.initial));
    open.extend(solvable.written.iter().flat_map(|written| &written.initial));
    while let Some(block) = open.pop() {
        match block {
            Block::Assign(_) => {}
            Block::Solve(_) => block.targets().iter().for_each(|v| is_looked_for[v.index()] = true),
            Block::Settle(settle) => open.extend(&settle.blocks),
        }
    }
    let looked_for = equations.iter_variables().filter(|(v, _)| is_looked_for[v.index()]);
    let ends = looked_for.flat_map(|(v, variable)| {
        let min = variable.min.map(|e| ((v, Bound::Min), e));
        [min, variable.max.map(|e| ((v, Bound::Max), e))]
    });
    ends.flatten().collect()
}

/// What aliases are, once all else is known.
fn copies(aliases: &[Assignment], pool: &Pool, layout: &mut Layout) -> Option<Step> {
    let mut assembler = Assembler::new(pool, layout);
    for alias in aliases {
        assembler.assign(alias.target, alias.value);
    }
    (!aliases.is_empty()).then(|| Step::Run(assembler.finish()))
}

/// One program for formulas that follow each other, one for each loop between them.
fn routine(blocks: &[Block], pool: &Pool, layout: &mut Layout) -> Routine {
    let mut steps = Vec::new();
    let mut rest = blocks;
    while let Some(first) = rest.first() {
        if let Block::Solve(torn) = first {
            let mut assembler = Assembler::new(pool, layout);
            for assignment in &torn.following {
                assembler.assign(assignment.target, assignment.value);
            }
            let residuals = torn.residuals.iter().map(|residual| assembler.result(residual.value)).collect();
            let balance = torn.balance.iter().map(|&factor| assembler.result(factor)).collect();
            let because = torn.residuals.iter().map(|residual| residual.because).collect();
            let program = assembler.finish();
            let factors = torn.factors.as_ref().map(|factors| {
                let time = factors.on_time.then(|| layout.time());
                let variables = factors.variables.iter().flat_map(|&v| [Some(v), layout.rest(v)]);
                variables.flatten().map(Slot::from).chain(time).collect()
            });
            steps.push(Step::Iterate(Iteration {
                guessed: torn.guessed.clone(),
                program,
                residuals,
                because,
                factors,
                balance,
                inputs: Vec::new(),
                id: layout.next_loop(),
            }));
            rest = &rest[1..];
            continue;
        }
        if let Block::Settle(settle) = first {
            let turn = routine(&settle.blocks, pool, layout);
            let rests = settle.held.iter().filter_map(|&v| layout.rest(v));
            let held = settle.held.iter().copied().chain(rests).collect();
            steps.push(Step::Settle(Settling { held, turn }));
            rest = &rest[1..];
            continue;
        }
        let count = rest.iter().take_while(|block| matches!(block, Block::Assign(_))).count();
        let mut assembler = Assembler::new(pool, layout);
        for block in &rest[..count] {
            if let Block::Assign(assignment) = block {
                assembler.assign(assignment.target, assignment.value);
            }
        }
        steps.push(Step::Run(assembler.finish()));
        rest = &rest[count..];
    }
    Routine { steps }
}

/// One routine for blocks of one rhythm that follow each other.
fn by_rhythm(blocks: &[Block], segments: &[Segment], pool: &Pool, layout: &mut Layout) -> Vec<RhythmRoutine> {
    let mut rest = blocks;
    let mut found = Vec::new();
    for segment in segments {
        let (own, others) = rest.split_at(segment.blocks);
        found.push(RhythmRoutine { rhythm: segment.rhythm, routine: routine(own, pool, layout) });
        rest = others;
    }
    found
}

impl Code {
    /// The initial values.
    pub fn new_values(&self) -> Vec<f64> {
        self.initial_values.clone()
    }

    /// The slot of the time.
    pub fn time(&self) -> Slot {
        self.time
    }

    /// The nominal values that are given, once [`Code::nominals`] has run.
    pub fn given_nominals(&self) -> &[(VarId, Slot)] {
        &self.nominal_slots
    }

    /// Replaces provisional slots in all programs by final ones.
    fn place(&mut self, layout: &Layout) {
        let parts = parts_of!(self, iter_mut);
        parts.programs.into_iter().for_each(|program| layout.place(program));
        parts.watches.into_iter().for_each(|watch| watch.place(layout));
        parts.routines.into_iter().for_each(|routine| routine.place(layout));
        self.samples.place_names(layout);
        self.reinits.place_names(layout);
        self.surplus.place_names(layout);
        self.freed.iter_mut().for_each(|(_, surplus)| surplus.place_names(layout));
        self.past.place_names(layout);
        self.nominal_slots.iter_mut().for_each(|(_, slot)| *slot = layout.placed(*slot));
    }

    /// The programs, watches and routines it is made of.
    pub(crate) fn parts(&self) -> Parts<&Program, &Watch, &Routine> {
        parts_of!(self, iter)
    }

    /// How many values there are, and where temporaries begin.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        (self.initial_values.len(), self.first_temporary)
    }
}
