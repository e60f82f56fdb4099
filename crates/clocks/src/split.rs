//! One model becomes several over the same variables: the unknowns of one are given in the others.

use rhei_equations::{
    Clocks, Conversion, Dae, DelayAtTicks, Effect, EqId, Equation, Equations, Events, Kind, Partition,
    Passage, Rhythm, SampleAtTicks, VarId, Variable,
};

use rustc_hash::FxHashSet;

use crate::groups::Groups;
use crate::past::Past;
use crate::rates::BasePartition;

/// The part without clocks, and the others.
pub(crate) fn split(
    equations: &Equations,
    groups: &Groups,
    bases: &[BasePartition],
    methods: &[Option<String>],
    past: &Past,
) -> (Equations, Vec<Partition>) {
    let mut base_of: Vec<Option<usize>> = vec![None; groups.count()];
    for (i, base) in bases.iter().enumerate() {
        base.groups.iter().for_each(|ticks| base_of[ticks.group] = Some(i));
    }
    let owner = |v: VarId| if groups.is_clocked(v) { base_of[groups.variable(v)] } else { None };
    let unclocked = part(equations, groups, &base_of, None, owner);
    let partitions = bases.iter().enumerate().map(|(i, base)| {
        let part = part(equations, groups, &base_of, Some(i), owner);
        partition(equations, part, groups, base, (methods, past), |v| owner(v) == Some(i))
    });
    (unclocked, partitions.collect())
}

/// The equations of one part; variables of the others are given.
fn part(
    equations: &Equations,
    groups: &Groups,
    base_of: &[Option<usize>],
    own: Option<usize>,
    owner: impl Fn(VarId) -> Option<usize>,
) -> Equations {
    let variables = equations.iter_variables().map(|(v, variable)| {
        if variable.is_parameter() {
            // parameters are those of the whole model, which is asked for them
            let fixed = variable.fixed || own.is_some();
            Variable { fixed, ..variable.clone() }
        } else if owner(v) == own {
            variable.clone()
        } else {
            given(variable, own.is_some())
        }
    });
    let is_own_row = |row: &&Equation| {
        let sides = [row.lhs, row.rhs].map(|side| equations.pool.variables_of(side));
        let found = sides.iter().flatten().find_map(|&v| owner(v));
        found == own
    };
    let is_own = |e: usize| {
        let group = groups.equation(EqId(e as u32));
        let base = base_of[group].filter(|_| groups.ticks[group].is_some());
        base == own
    };
    let rows = equations.equations.iter().enumerate();
    let events = &equations.events;
    let is_own_value = |value| equations.pool.variables_of(value).into_iter().find_map(&owner) == own;
    let is_own_effect = |effect: &Effect| {
        let values = std::iter::once(effect.active).chain(effect.values());
        let mut variables = values.flat_map(|value| equations.pool.variables_of(value));
        variables.find_map(&owner) == own
    };
    let events = Events {
        crossings: events.crossings.iter().filter(|crossing| owner(crossing.held) == own).cloned().collect(),
        // no integrator tries points of a clocked partition
        holding: events.holding.filter(|_| own.is_none()),
        samples: if own.is_none() { events.samples.clone() } else { Vec::new() },
        reinits: events.reinits.iter().filter(|reinit| owner(reinit.target) == own).cloned().collect(),
        terminations: events
            .terminations
            .iter()
            .filter(|termination| is_own_value(termination.active))
            .cloned()
            .collect(),
        effects: events.effects.iter().filter(|effect| is_own_effect(effect)).cloned().collect(),
        // those of partitions are equations, and no transport is clocked
        delays: if own.is_none() { events.delays.clone() } else { Vec::new() },
        transports: if own.is_none() { events.transports.clone() } else { Vec::new() },
        ..events.clone()
    };
    let dae = Dae {
        guards: Vec::new(),
        name: equations.name.clone(),
        variables: variables.collect(),
        equations: rows.filter(|(e, _)| is_own(*e)).map(|(_, row)| row.clone()).collect(),
        initial: equations.initial.iter().filter(is_own_row).cloned().collect(),
        events,
        clocks: Clocks::default(),
        asserts: equations.asserts.iter().filter(|assert| is_own_value(assert.condition)).cloned().collect(),
        // the whole model looks at all values, those that tick among them
        limits: if own.is_none() { equations.limits.clone() } else { Vec::new() },
        functions: equations.functions.clone(),
        experiment: equations.experiment.clone(),
    };
    Equations { pool: equations.pool.clone(), dae }
}

/// A variable that another part computes; the results show it where that is the part without clocks.
fn given(variable: &Variable, hide: bool) -> Variable {
    let is_hidden =
        variable.is_hidden || hide || !matches!(variable.kind, Kind::Unknown | Kind::Derivative { .. });
    Variable { kind: Kind::Given, is_discrete: true, is_hidden, fixed: false, ..variable.clone() }
}

fn partition(
    equations: &Equations,
    part: Equations,
    groups: &Groups,
    base: &BasePartition,
    (methods, past): (&[Option<String>], &Past),
    is_own: impl Fn(VarId) -> bool,
) -> Partition {
    let clocks = &equations.clocks;
    let rhythm_of_group = |group: usize| base.groups.iter().position(|ticks| ticks.group == group);
    let rhythm_of: Vec<Option<u32>> = equations
        .iter_variables()
        .map(|(v, _)| if is_own(v) { rhythm_of_group(groups.variable(v)).map(|r| r as u32) } else { None })
        .collect();
    let mut rhythms: Vec<Rhythm> = base
        .groups
        .iter()
        .map(|ticks| Rhythm {
            period: ticks.period,
            first: ticks.first,
            method: methods[ticks.group].clone(),
            is_discretised: false,
            intervals: Vec::new(),
            first_ticks: Vec::new(),
            name: ticks.name.clone(),
            origin: ticks.origin.clone(),
        })
        .collect();
    let asked_before: FxHashSet<VarId> = clocks.previous.iter().copied().collect();
    for (v, variable) in equations.iter_variables() {
        let Some(rhythm) = rhythm_of[v.index()] else { continue };
        let varies = match variable.kind {
            Kind::Derivative { .. } => true,
            Kind::Pre { .. } => !asked_before.contains(&v),
            _ => false,
        };
        rhythms[rhythm as usize].is_discretised |= varies;
    }
    let delays: Vec<DelayAtTicks> =
        past.delays.iter().filter(|delay| is_own(delay.result)).cloned().collect();
    let samples: Vec<SampleAtTicks> =
        past.samples.iter().filter(|sample| is_own(sample.tick)).cloned().collect();
    let remembering = delays.iter().map(|delay| delay.result).chain(samples.iter().map(|sample| sample.tick));
    for rhythm in remembering.filter_map(|v| rhythm_of[v.index()]) {
        rhythms[rhythm as usize].is_discretised = true;
    }
    let before_events = part.iter_variables().filter_map(|(v, variable)| match variable.kind {
        Kind::Pre { of } if is_own(v) && equations.variable(of).is_discrete && !asked_before.contains(&v) => {
            Some((of, v))
        }
        _ => None,
    });
    let before_events = before_events.collect();
    // clocked states start at their start values; there is nothing else to fix (MLS §16.9)
    let mut part = part;
    for (variable, rhythm) in part.variables.iter_mut().zip(&rhythm_of) {
        let is_discretised = rhythm.is_some_and(|rhythm| rhythms[rhythm as usize].is_discretised);
        variable.fixed &= is_discretised || variable.is_parameter();
    }
    for asked in &clocks.intervals {
        if let Some(rhythm) = rhythm_of[asked.result.index()] {
            rhythms[rhythm as usize].intervals.push(asked.result);
        }
    }
    for asked in &clocks.first_ticks {
        if let Some(rhythm) = rhythm_of[asked.result.index()] {
            rhythms[rhythm as usize].first_ticks.push(asked.result);
        }
    }
    let conversions = |wanted: fn(Passage) -> bool, end: fn(&Conversion) -> VarId| {
        let chosen = clocks.conversions.iter().filter(|conversion| wanted(conversion.passage));
        chosen.filter(|conversion| is_own(end(conversion))).cloned().collect::<Vec<Conversion>>()
    };
    // an Integer takes its rest along; within the partition its equation does
    let rests = equations.rests();
    let with_rests = |mut conversions: Vec<Conversion>| {
        let of_rest = |conversion: &Conversion| {
            let (argument, result) = (rests[conversion.argument.index()]?, rests[conversion.result.index()]?);
            Some(Conversion { argument, result, ..conversion.clone() })
        };
        let further: Vec<Conversion> = conversions.iter().filter_map(of_rest).collect();
        conversions.extend(further);
        conversions
    };
    Partition {
        sampled: with_rests(conversions(|passage| matches!(passage, Passage::Sample(_)), |c| c.result)),
        held: with_rests(conversions(|passage| passage == Passage::Hold, |c| c.argument)),
        passed: conversions(|passage| matches!(passage, Passage::Between(_)), |c| c.result),
        measured: clocks.measured.iter().filter(|measured| is_own(measured.variable)).cloned().collect(),
        delays,
        samples,
        before_events,
        equations: part,
        base: base.base.clone(),
        rhythms,
        rhythm_of,
    }
}
