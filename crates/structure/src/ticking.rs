//! Clocked partitions. Their continuous equations are reduced and the states chosen first; then they are discretised,
//! which turns the states into unknowns of the tick (Elmqvist, Otter and Cellier 1995), but for those that an explicit
//! method advances before it (MLS §16.8).

use rhei_equations::{
    Dae, Done, Equation, Equations, ExprId, Kind, Measured, Node, Partition, Passage, Pool, Scalar,
    StateSelect, VarId, Variable,
};
use rhei_solvable::{
    Block, Choice, Impulses, Mode, Reason, Role, Schedule, Segment, Solvable, SolverMethod, State, StateSet,
    Ticking,
};
use rhei_source::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::aliases::Aliases;
use crate::blocks::Ordered;
use crate::initial_problem::Initial;
use crate::remove_aliases::Removed;
use crate::select_states::Selection;
use crate::{
    Chosen, Entry, choose_states, derived_starts, diagnose_ticking as diagnose, initial_problem,
    share_attributes, sort_into_blocks, state_sets,
};

/// A partition, ready to be turned into code. `None` means that the diagnostics hold an error.
pub fn make_ticking(partition: Partition) -> (Option<Ticking>, Vec<Diagnostic>) {
    made_ticking(partition, &Mode::default(), Entry::AtStart, Steps::ByMethods)
}

/// How states come to a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// By the methods of the clocks.
    ByMethods,
    /// They are there already: a tick computes the other unknowns from them, but for the measured ones.
    Made,
}

/// As [`make_ticking`], for a mode of the partition.
///
/// One that is entered on the way has no first tick.
pub fn made_ticking(
    partition: Partition,
    mode: &Mode,
    entry: Entry,
    steps: Steps,
) -> (Option<Ticking>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let made = passes(partition, mode, (entry, steps), &mut diagnostics);
    debug_assert!(made.is_some() || diagnostics.iter().any(Diagnostic::is_error));
    (made, diagnostics)
}

fn passes(
    mut partition: Partition,
    mode: &Mode,
    (entry, steps): (Entry, Steps),
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Ticking> {
    let aliases = Aliases::new(&partition.equations, &partition.equations.pool);
    refuse_measured_never(&partition, diagnostics)?;
    refuse_measured_twice(&partition, &aliases, diagnostics)?;
    ignore_starts_of_measured(&mut partition, &aliases, diagnostics);
    ignore_reinits_of_measured(&mut partition, &aliases, diagnostics);
    pass_values(&mut partition);
    let mut methods = methods(&partition, diagnostics);
    if steps == Steps::Made {
        methods.iter_mut().flatten().for_each(|method| *method = SolverMethod::ExplicitEuler);
    }
    let chosen = choose_states(&partition.equations, diagnostics)?;
    let Chosen { mut equations, parameters, unfixed, selection, .. } = chosen;
    // nothing happens between ticks: they were kept for the relations that balances follow in each stage
    equations.events.crossings.clear();
    let Selection { mut states, mut sets, assumptions, mut roles, references, work: _ } = selection;
    let named = states.clone();
    let Equations { pool, dae } = &mut equations;
    state_sets::install_sets(dae, &mut sets, &mut states, &mut roles, pool);
    share_starts(dae, &states, &partition, pool);
    derived_starts::derive_starts(dae, &sets, &roles, pool);
    let Partition { rhythms, rhythm_of, sampled, held, passed, measured, base, .. } = partition;
    let (delays, samples, before_events) = (partition.delays, partition.samples, partition.before_events);
    let previous = equations.iter_variables().filter_map(|(v, variable)| match variable.kind {
        Kind::Pre { of } => Some((of, v)),
        _ => None,
    });
    let previous_of = previous.collect();
    let rhythm_of = extended(rhythm_of, &equations, &sets);
    let measured_in_stages = Vec::new();
    let steps = vec![None; rhythms.len()];
    let mut inline =
        Inline { steps, equations, rhythms, rhythm_of, roles, methods, previous_of, measured_in_stages };
    inline.refuse_unmeasured(&named, &measured, diagnostics)?;
    let integrated = inline.discretise(&states, &measured);
    let Inline { steps, mut equations, rhythms, rhythm_of, roles, methods, measured_in_stages, .. } = inline;
    debug_assert_eq!(equations.verify(), Ok(()));
    let Equations { pool, dae } = &mut equations;

    let none = &Removed::default();
    let start_of: (&[State], _) = (&states, &references);
    let continuous = sort_into_blocks::sort_into_blocks(dae, &integrated, none, pool, diagnostics)?;
    let tick = sort_into_blocks::tick_blocks(dae, &integrated, none, pool, diagnostics)?;
    let initial = match entry {
        Entry::AtStart => {
            initial_problem::initial_problem(dae, start_of, &sets, &unfixed, none, pool, diagnostics)?
        }
        Entry::OnTheWay => Initial::default(),
    };
    let Ordered { blocks: continuous, dynamic } = continuous;
    let Initial { blocks: initial, surplus, on_the_way, freed, mut written } = initial;
    if !surplus.is_empty() {
        diagnostics.push(diagnose::too_many_conditions_at_first_tick(dae, pool, &surplus));
        return None;
    }
    let by_rhythm = |blocks: Vec<Block>, diagnostics: &mut Vec<Diagnostic>| {
        let segments = segments(blocks, &rhythm_of, pool);
        segments.map_err(|loops| diagnostics.push(diagnose::loop_between_clocks(dae, &loops))).ok()
    };
    let (event, tick) = by_rhythm(tick, diagnostics)?;
    let (initial, first_tick) = by_rhythm(initial, diagnostics)?;
    let mut first_tick_written = Vec::new();
    if let Some(problem) = &mut written {
        (problem.initial, first_tick_written) = by_rhythm(std::mem::take(&mut problem.initial), diagnostics)?;
    }
    let discrete = match dae.guards.is_empty() {
        true => Vec::new(),
        false => sort_into_blocks::discrete_blocks(dae, pool, diagnostics)?,
    };
    let solvable = Solvable {
        mode: mode.clone(),
        states: integrated,
        sets,
        assumptions,
        parameters,
        unfixed,
        aliases: Vec::new(),
        initial,
        surplus,
        on_the_way,
        freed,
        written,
        continuous,
        dynamic,
        event,
        discrete,
        impulses: Impulses::default(),
        roles,
        tick,
        first_tick,
        first_tick_written,
    };
    debug_assert_eq!(equations.verify(), Ok(()));
    debug_assert_eq!(solvable.verify(&equations), Ok(()));
    let measured = measured.iter().map(|measured| measured.variable).collect();
    let schedule = Schedule {
        base,
        rhythms,
        rhythm_of,
        methods,
        sampled,
        held,
        passed,
        measured,
        measured_in_stages,
        delays,
        samples,
        before_events,
        steps,
        states,
    };
    Some(Ticking { equations, solvable, schedule })
}

/// Shares the attributes of aliases as in the rest of the model. What is not discretised, or asked for by `previous`, keeps its own
/// start value: that is its value before the first tick (MLS §16.4).
fn share_starts(equations: &mut Dae, states: &[State], partition: &Partition, pool: &mut Pool) {
    let is_discretised = |v: usize| {
        let rhythm = partition.rhythm_of.get(v).copied().flatten();
        rhythm.is_some_and(|rhythm| partition.rhythms[rhythm as usize].is_discretised)
    };
    let mut keeps: Vec<bool> = (0..equations.variables.len()).map(|v| !is_discretised(v)).collect();
    for variable in &equations.variables {
        if let Kind::Pre { of } = variable.kind {
            keeps[of.index()] = true;
        }
    }
    states.iter().for_each(|state| keeps[state.variable.index()] = false);
    let before: Vec<_> = equations.variables.iter().map(|own| (own.start, own.start_confidence)).collect();
    share_attributes::share_attributes(equations, states, pool);
    for ((variable, keeps), before) in equations.variables.iter_mut().zip(keeps).zip(before) {
        if keeps {
            (variable.start, variable.start_confidence) = before;
        }
    }
}

/// A measured variable that must not be a state.
fn refuse_measured_never(partition: &Partition, diagnostics: &mut Vec<Diagnostic>) -> Option<()> {
    let variable = |measured: &Measured| partition.equations.variable(measured.variable);
    let found = partition.measured.iter().find(|each| variable(each).select == StateSelect::Never);
    let Some(measured) = found else { return Some(()) };
    diagnostics.push(diagnose::measured_never(variable(measured), measured));
    None
}

/// Two measurements of one variable under two names.
fn refuse_measured_twice(
    partition: &Partition,
    aliases: &Aliases,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<()> {
    let mut first: FxHashMap<VarId, &Measured> = FxHashMap::default();
    for measured in &partition.measured {
        let class = aliases.class(measured.variable);
        if let Some(other) = first.insert(class, measured) {
            diagnostics.push(diagnose::measured_twice(&partition.equations, other, measured));
            return None;
        }
    }
    Some(())
}

/// Start values of variables that are measured at the first tick are ignored, under whatever name.
fn ignore_starts_of_measured(
    partition: &mut Partition,
    aliases: &Aliases,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let of_class: FxHashMap<VarId, &Measured> =
        partition.measured.iter().map(|measured| (aliases.class(measured.variable), measured)).collect();
    for (v, variable) in partition.equations.variables.iter_mut().enumerate() {
        let Some(measured) = of_class.get(&aliases.class(VarId(v as u32))) else { continue };
        if variable.fixed && variable.is_unknown() {
            variable.fixed = false;
            diagnostics.push(diagnose::measured_start_ignored(variable, measured));
        }
    }
}

/// What `reinit` sets in a `when` would last to the next tick, at which the measurement counts again; during the tick it counts, too.
fn ignore_reinits_of_measured(
    partition: &mut Partition,
    aliases: &Aliases,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Partition { equations, measured, .. } = partition;
    let Equations { dae, .. } = equations;
    let (variables, reinits) = (&dae.variables, &mut dae.events.reinits);
    reinits.retain(|reinit| {
        let class = aliases.class(reinit.target);
        let Some(measured) = measured.iter().find(|measured| aliases.class(measured.variable) == class)
        else {
            return true;
        };
        diagnostics.push(diagnose::reinit_of_measured(
            &variables[reinit.target.index()].name,
            reinit,
            measured,
        ));
        false
    });
}

/// Turns values passed from one rhythm to another, which are known between ticks, into unknowns computed at
/// ticks.
fn pass_values(partition: &mut Partition) {
    let equations = &mut partition.equations;
    for conversion in &partition.passed {
        debug_assert!(matches!(conversion.passage, Passage::Between(_)));
        let (lhs, rhs) =
            (equations.pool.variable(conversion.result), equations.pool.variable(conversion.argument));
        equations.variables[conversion.result.index()].kind = Kind::Unknown;
        let origin = conversion.origin.clone();
        equations.equations.push(Equation {
            lhs,
            rhs,
            is_discrete: true,
            balance: None,
            family: None,
            origin,
        });
    }
    let conversions = partition.sampled.iter().chain(&partition.passed);
    equations.clocks.conversions = conversions.cloned().collect();
    equations.clocks.from_past = partition.delays.iter().flat_map(|delay| delay.reading.given()).collect();
    equations.clocks.is_ticking = true;
}

/// The method of each rhythm that has one.
fn methods(partition: &Partition, diagnostics: &mut Vec<Diagnostic>) -> Vec<Option<SolverMethod>> {
    let mut known = |rhythm: &rhei_equations::Rhythm| {
        let name = rhythm.method.as_deref().filter(|_| rhythm.is_discretised)?;
        let method = SolverMethod::named(name);
        if method == SolverMethod::External {
            diagnostics.push(diagnose::method_external(name, &rhythm.origin));
        }
        Some(method)
    };
    partition.rhythms.iter().map(&mut known).collect()
}

/// Variables added by index reduction tick with the variables they are derivatives of, and those of a state set with its
/// candidates.
fn extended(mut rhythm_of: Vec<Option<u32>>, equations: &Dae, sets: &[StateSet]) -> Vec<Option<u32>> {
    let mut with: FxHashMap<VarId, VarId> = FxHashMap::default();
    for set in sets {
        let assumed = set.starts.iter();
        let factors = set.factors.iter().chain(assumed.clone().map(|assumed| &assumed.factors));
        let factors = factors.flatten().map(|(_, v)| v);
        let references = set.references.iter().chain(assumed.map(|assumed| &assumed.reference));
        let own = set.states.iter().chain(factors).chain(references);
        with.extend(own.map(|&v| (v, set.candidates[0])));
    }
    for (place, variable) in equations.variables.iter().enumerate().skip(rhythm_of.len()) {
        let of = match variable.kind {
            Kind::Derivative { of } => Some(of),
            _ => with.get(&VarId(place as u32)).copied(),
        };
        rhythm_of.push(of.and_then(|of| rhythm_of[of.index()]));
    }
    rhythm_of
}

/// A reduced partition that is being discretised.
struct Inline {
    equations: Equations,
    rhythms: Vec<rhei_equations::Rhythm>,
    rhythm_of: Vec<Option<u32>>,
    roles: Vec<Choice>,
    methods: Vec<Option<SolverMethod>>,
    /// Variables with those that hold their values at the tick before.
    previous_of: FxHashMap<VarId, VarId>,
    measured_in_stages: Vec<(VarId, VarId)>,
    /// By rhythm: the length of its step.
    steps: Vec<Option<VarId>>,
}

impl Inline {
    fn refuse_unmeasured(
        &self,
        states: &[State],
        measured: &[Measured],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<()> {
        let is_measured: FxHashSet<VarId> = measured.iter().map(|measured| measured.variable).collect();
        for (rhythm, method) in self.methods.iter().enumerate() {
            let own = states
                .iter()
                .map(|state| state.variable)
                .filter(|v| self.rhythm_of[v.index()] == Some(rhythm as u32) && !is_measured.contains(v));
            let own: Vec<VarId> = own.collect();
            if method.is_none() && !own.is_empty() {
                let rhythm = &self.rhythms[rhythm];
                diagnostics.push(diagnose::unmeasured_without_method(&self.equations, &own, rhythm));
                return None;
            }
        }
        Some(())
    }

    /// Adds how states follow from tick to tick; says which are known when the tick is computed.
    fn discretise(&mut self, states: &[State], measured: &[Measured]) -> Vec<State> {
        let told: FxHashMap<VarId, &Measured> =
            measured.iter().map(|measured| (measured.variable, measured)).collect();
        let mut integrated = Vec::new();
        for &state in states {
            let Some(rhythm) = self.rhythm_of[state.variable.index()] else { continue };
            let method = self.methods[rhythm as usize];
            match (told.get(&state.variable), method) {
                (Some(measured), Some(method)) if method.has_stages() => self.told_before(measured, rhythm),
                (Some(measured), _) => self.told(measured),
                (None, Some(SolverMethod::ImplicitEuler)) => self.implicit(state, rhythm, false),
                (None, Some(SolverMethod::ImplicitTrapezoid)) => self.implicit(state, rhythm, true),
                (None, _) => integrated.push(state),
            }
        }
        integrated
    }

    /// `x = value`
    fn told(&mut self, measured: &Measured) {
        let lhs = self.equations.pool.variable(measured.variable);
        let equation = Equation {
            lhs,
            rhs: measured.value,
            is_discrete: false,
            balance: None,
            family: None,
            origin: measured.origin.clone(),
        };
        self.equations.equations.push(equation);
    }

    /// `x = m`, where `m = value` is computed at the tick and known during the stages that lead to it.
    fn told_before(&mut self, measured: &Measured, rhythm: u32) {
        let name = format!("measured {}", self.equations.variable(measured.variable).name);
        let value = self.hidden(name, Kind::Unknown, Some(rhythm), true);
        self.measured_in_stages.push((measured.variable, value));
        let (x, m) = (self.equations.pool.variable(measured.variable), self.equations.pool.variable(value));
        let origin = &measured.origin;
        for (lhs, rhs, is_discrete) in [(m, measured.value, true), (x, m, false)] {
            let equation =
                Equation { lhs, rhs, is_discrete, balance: None, family: None, origin: origin.clone() };
            self.equations.equations.push(equation);
        }
    }

    /// `x = previous(x) + h*der(x)`, or with the mean of the derivatives at both ends.
    fn implicit(&mut self, state: State, rhythm: u32, is_mean: bool) {
        let h = self.step(rhythm);
        let (x, rate) =
            (self.equations.pool.variable(state.variable), self.equations.pool.variable(state.derivative));
        let before = self.previous(state.variable, rhythm);
        let rate = if is_mean {
            let rate_before = self.previous(state.derivative, rhythm);
            let (sum, half) = (self.equations.pool.add(rate, rate_before), self.equations.pool.number(0.5));
            self.equations.pool.mul(half, sum)
        } else {
            rate
        };
        let step = self.equations.pool.mul(h, rate);
        let rhs = self.equations.pool.add(before, step);
        let mut origin = self.equations.variable(state.variable).origin();
        origin.done.push(Done::Discretised);
        self.equations.equations.push(Equation {
            lhs: x,
            rhs,
            is_discrete: false,
            balance: None,
            family: None,
            origin,
        });
    }

    fn step(&mut self, rhythm: u32) -> ExprId {
        let v = self.steps[rhythm as usize].unwrap_or_else(|| {
            let name = format!("step of `{}`", self.rhythms[rhythm as usize].name);
            self.hidden(name, Kind::Given, Some(rhythm), true)
        });
        self.steps[rhythm as usize] = Some(v);
        self.equations.pool.variable(v)
    }

    fn previous(&mut self, of: VarId, rhythm: u32) -> ExprId {
        let known = self.previous_of.get(&of).copied();
        let v = known.unwrap_or_else(|| {
            let name = format!("pre({})", self.equations.variable(of).name);
            self.hidden(name, Kind::Pre { of }, Some(rhythm), false)
        });
        self.equations.pool.variable(v)
    }

    fn hidden(&mut self, name: String, kind: Kind, rhythm: Option<u32>, is_discrete: bool) -> VarId {
        let mut variable = Variable::new(name, kind);
        variable.is_hidden = true;
        variable.is_discrete = is_discrete;
        debug_assert_eq!(variable.scalar, Scalar::Real);
        self.equations.variables.push(variable);
        self.rhythm_of.push(rhythm);
        let (role, reason) = (Role::Parameter, Reason::Unchanging);
        self.roles.push(Choice { role, select: Default::default(), reason });
        VarId(self.equations.variables.len() as u32 - 1)
    }
}

/// Blocks with those of one rhythm together as far as their order allows, and how many of which rhythm follow each other.
///
/// Fails with the unknowns of a block that belongs to several.
fn segments(
    blocks: Vec<Block>,
    rhythm_of: &[Option<u32>],
    pool: &Pool,
) -> Result<(Vec<Block>, Vec<Segment>), Vec<VarId>> {
    let mut rhythms = Vec::with_capacity(blocks.len());
    let mut block_of: FxHashMap<VarId, usize> = FxHashMap::default();
    for (place, block) in blocks.iter().enumerate() {
        let targets = block.targets();
        let mut own = targets.iter().filter_map(|v| rhythm_of[v.index()]);
        let first = own.next().unwrap_or(0);
        if own.any(|rhythm| rhythm != first) {
            return Err(targets);
        }
        rhythms.push(first);
        block_of.extend(targets.into_iter().map(|v| (v, place)));
    }
    let needs: Vec<FxHashSet<usize>> = blocks
        .iter()
        .enumerate()
        .map(|(place, block)| {
            let nodes = pool.below(&block.values());
            let variables = nodes.into_iter().filter_map(|e| match pool.node(e) {
                Node::Variable(v) => block_of.get(&v).copied(),
                _ => None,
            });
            variables.filter(|&other| other != place).collect()
        })
        .collect();
    let mut open: Vec<usize> = needs.iter().map(FxHashSet::len).collect();
    let mut needed_by: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    for (place, needs) in needs.iter().enumerate() {
        needs.iter().for_each(|&other| needed_by[other].push(place));
    }
    let count = rhythms.iter().max().map_or(0, |&most| most as usize + 1);
    let mut ready: Vec<std::collections::BTreeSet<usize>> = vec![Default::default(); count];
    for (place, &open) in open.iter().enumerate() {
        if open == 0 {
            ready[rhythms[place] as usize].insert(place);
        }
    }
    let mut order = Vec::with_capacity(blocks.len());
    let mut found: Vec<Segment> = Vec::new();
    while let Some(rhythm) = (0..count).find(|&rhythm| !ready[rhythm].is_empty()) {
        let before = order.len();
        while let Some(place) = ready[rhythm].pop_first() {
            order.push(place);
            for &next in &needed_by[place] {
                open[next] -= 1;
                if open[next] == 0 {
                    ready[rhythms[next] as usize].insert(next);
                }
            }
        }
        found.push(Segment { rhythm: rhythm as u32, blocks: order.len() - before });
    }
    debug_assert_eq!(order.len(), blocks.len());
    let mut blocks: Vec<Option<Block>> = blocks.into_iter().map(Some).collect();
    let ordered = order.into_iter().filter_map(|place| blocks[place].take()).collect();
    Ok((ordered, found))
}
