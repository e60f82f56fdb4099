//! Periods and first ticks of the groups, exactly, from the clocks of the model (MLS §16.7.5).

use rhei_equations::{Base, Clock, ClockId, Definition, Equations, Origin, Passage, Rate, Ratio};
use rhei_source::Diagnostic;

use crate::groups::Groups;
use crate::mistake;

/// Groups that know of each other.
pub(crate) struct BasePartition {
    /// The base clock, from which their ticks are counted.
    pub(crate) base: Base,
    /// Each with its ticks.
    pub(crate) groups: Vec<Ticks>,
}

/// When a group ticks, in units of the base.
#[derive(Clone, Debug)]
pub(crate) struct Ticks {
    pub(crate) group: usize,
    pub(crate) period: Ratio,
    pub(crate) first: Ratio,
    pub(crate) name: String,
    pub(crate) origin: Origin,
}

/// How the ticks of one group follow from those of another.
struct Edge {
    from: usize,
    to: usize,
    rate: Option<Rate>,
    origin: Origin,
}

/// Period and first tick.
type Pace = (Ratio, Ratio);

/// The ticks of all groups that tick.
pub(crate) fn rates(
    equations: &Equations,
    groups: &Groups,
    said: &mut Vec<Diagnostic>,
) -> Option<Vec<BasePartition>> {
    let edges = edges(equations, groups);
    let base_of = base_of(groups, &edges);
    let count = base_of.iter().flatten().max().map_or(0, |last| last + 1);
    let mut bases: Vec<Gathered> = (0..count).map(|_| Gathered::default()).collect();
    for (group, base) in base_of.iter().enumerate() {
        if let Some(base) = base {
            bases[*base].groups.push(group);
        }
    }
    for edge in &edges {
        if let Some(base) = base_of[edge.from] {
            bases[base].edges.push(edge);
        }
    }
    for (i, clock) in equations.clocks.clocks.iter().enumerate() {
        let group = groups.clock(ClockId(i as u32));
        if let Some(base) = base_of[group] {
            bases[base].clocks.push((group, clock));
        }
    }
    let mut found = Vec::new();
    for gathered in &bases {
        match base(groups, gathered, said) {
            Ok(base) => found.push(base),
            Err(mistake) => {
                said.push(*mistake);
                return None;
            }
        }
    }
    Some(found)
}

/// The groups of one base, with their conversions and clocks.
#[derive(Default)]
struct Gathered<'a> {
    groups: Vec<usize>,
    edges: Vec<&'a Edge>,
    /// With their groups.
    clocks: Vec<(usize, &'a Clock)>,
}

/// By group that ticks: its base, numbered in the order of the groups.
fn base_of(groups: &Groups, edges: &[Edge]) -> Vec<Option<usize>> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); groups.count()];
    for edge in edges {
        neighbours[edge.from].push(edge.to);
        neighbours[edge.to].push(edge.from);
    }
    let mut base_of = vec![None; groups.count()];
    let mut count = 0;
    for start in (0..groups.count()).filter(|&group| groups.ticks[group].is_some()) {
        if base_of[start].is_some() {
            continue;
        }
        let mut open = vec![start];
        base_of[start] = Some(count);
        while let Some(group) = open.pop() {
            for &other in &neighbours[group] {
                if base_of[other].is_none() {
                    base_of[other] = Some(count);
                    open.push(other);
                }
            }
        }
        count += 1;
    }
    base_of
}

fn edges(equations: &Equations, groups: &Groups) -> Vec<Edge> {
    let clocks = &equations.clocks;
    let mut edges = Vec::new();
    for (i, clock) in clocks.clocks.iter().enumerate() {
        let to = groups.clock(ClockId(i as u32));
        let (from, rate) = match &clock.definition {
            Some(Definition::Converted { from, rate }) => (*from, Some(*rate)),
            Some(Definition::Solver { from, .. }) => (*from, None),
            _ => continue,
        };
        edges.push(Edge { from: groups.clock(from), to, rate, origin: clock.origin.clone() });
    }
    for conversion in &clocks.conversions {
        if let Passage::Between(rate) = conversion.passage {
            let (from, to) = (groups.variable(conversion.argument), groups.variable(conversion.result));
            edges.push(Edge { from, to, rate: Some(rate), origin: conversion.origin.clone() });
        }
    }
    edges
}

/// The pace at the other end of an edge; nothing where the edge does not say.
fn along(edge: &Edge, (period, first): Pace, forwards: bool) -> Option<Pace> {
    Some(match edge.rate {
        None => (period, first),
        Some(Rate::NoClock | Rate::SubSample(0) | Rate::SuperSample(0)) => return None,
        Some(Rate::SubSample(factor)) => {
            let factor = Ratio::whole(factor);
            (if forwards { period.times(factor) } else { period.over(factor) }?, first)
        }
        Some(Rate::SuperSample(factor)) => {
            let factor = Ratio::whole(factor);
            (if forwards { period.over(factor) } else { period.times(factor) }?, first)
        }
        Some(Rate::ShiftSample { counter, resolution } | Rate::BackSample { counter, resolution }) => {
            let shift = Ratio::new(counter.into(), resolution.into())?.times(period)?;
            let is_later = matches!(edge.rate, Some(Rate::ShiftSample { .. })) == forwards;
            (period, if is_later { first.plus(shift) } else { first.minus(shift) }?)
        }
    })
}

fn base(
    groups: &Groups,
    gathered: &Gathered<'_>,
    said: &mut Vec<Diagnostic>,
) -> Result<BasePartition, Box<Diagnostic>> {
    let Gathered { groups: members, edges, clocks } = gathered;
    let is_absolute = |clock: &Clock| {
        !matches!(clock.definition, None | Some(Definition::Converted { .. } | Definition::Solver { .. }))
    };
    let defined: Vec<&(usize, &Clock)> = clocks.iter().filter(|(_, clock)| is_absolute(clock)).collect();
    let is_rational = |clock: &Clock| matches!(clock.definition, Some(Definition::Rational { .. }));
    // one that cannot be compared with others must be alone
    if let Some((_, single)) = defined.iter().find(|(_, clock)| !is_rational(clock))
        && let Some((_, other)) = defined.iter().find(|(_, clock)| !std::ptr::eq(*clock, *single))
    {
        return Err(Box::new(mistake::clocks_apart(
            (&single.name, &single.origin),
            (&other.name, &other.origin),
        )));
    }
    let mut pace: Vec<Option<Pace>> = vec![None; groups.count()];
    let mut said_by: Vec<Option<&Clock>> = vec![None; groups.count()];
    let base = match defined.first() {
        None => {
            let root = members[0];
            pace[root] = Some((Ratio::ONE, Ratio::ZERO));
            None
        }
        Some((_, clock)) => match clock.definition.as_ref() {
            Some(Definition::Interval(interval)) => Some(Base::Interval(*interval)),
            Some(Definition::Varying(v)) => Some(Base::Varying(*v)),
            Some(Definition::Counter { counter, resolution }) => {
                Some(Base::Counter { counter: *counter, resolution: *resolution })
            }
            Some(Definition::Event { condition, start_interval }) => {
                Some(Base::Event { condition: *condition, start_interval: *start_interval })
            }
            _ => Some(Base::Seconds),
        },
    };
    let unit = if matches!(base, None | Some(Base::Seconds)) { " s" } else { " of its ticks" };
    for &&(group, clock) in &defined {
        let own = match clock.definition {
            Some(Definition::Rational { counter, resolution }) => {
                Ratio::new(counter.into(), resolution.into()).unwrap_or(Ratio::ONE)
            }
            _ => Ratio::ONE,
        };
        match (pace[group], said_by[group]) {
            (Some((period, first)), Some(other)) if (period, first) != (own, Ratio::ZERO) => {
                return Err(Box::new(mistake::clocks_disagree(
                    (Some(&other.name), period, first),
                    (Some(&clock.name), own, Ratio::ZERO),
                    unit,
                    [&other.origin, &clock.origin],
                )));
            }
            _ => {
                pace[group] = Some((own, Ratio::ZERO));
                said_by[group] = Some(clock);
            }
        }
    }
    spread(gathered, &mut pace, &mut said_by, unit)?;
    // a factor to be inferred that nothing else determines is one
    while let Some(edge) = edges.iter().find(|edge| pace[edge.from].is_some() != pace[edge.to].is_some()) {
        let known = pace[edge.from].or(pace[edge.to]);
        let (a, b) = (edge.from, edge.to);
        pace[a] = known;
        pace[b] = known;
        spread(gathered, &mut pace, &mut said_by, unit)?;
    }
    if base.is_none() {
        let fastest = members.iter().filter_map(|&group| pace[group]).map(|(period, _)| period).min();
        scale(&mut pace, members, fastest.unwrap_or(Ratio::ONE));
        let why = groups.ticks[members[0]].as_ref();
        let named = clocks.first().map(|(_, clock)| clock.name.as_str());
        said.push(mistake::clock_assumed(named, why.and_then(|why| why.span)));
    }
    let base = base.unwrap_or(Base::Seconds);
    let mut ticking = Vec::new();
    for &group in members {
        let (period, first) = pace[group].unwrap_or((Ratio::ONE, Ratio::ZERO));
        let known = clocks.iter().find(|(own, _)| *own == group).map(|(_, clock)| *clock);
        let (name, origin) = match known {
            Some(clock) => (clock.name.clone(), clock.origin.clone()),
            None => {
                let span = groups.ticks[group].as_ref().and_then(|why| why.span);
                (format!("every {period}{unit}"), Origin { span, ..Origin::default() })
            }
        };
        let counts_ticks = !matches!(base, Base::Seconds | Base::Interval(_));
        let what = if first.is_negative() {
            Some("would tick before the clock it is made from starts")
        } else if counts_ticks && (period.as_whole().is_none() || first.as_whole().is_none()) {
            Some("would tick between the ticks of a clock whose next tick is not known before")
        } else {
            None
        };
        if let Some(what) = what {
            return Err(Box::new(mistake::clock_not_there(&name, what, &origin)));
        }
        ticking.push(Ticks { group, period, first, name, origin });
    }
    Ok(BasePartition { base, groups: ticking })
}

/// Propagates known paces to all groups; those that are given twice must agree.
fn spread<'a>(
    gathered: &Gathered<'a>,
    pace: &mut [Option<Pace>],
    said_by: &mut [Option<&'a Clock>],
    unit: &str,
) -> Result<(), Box<Diagnostic>> {
    let name_of = |group: usize, said_by: &[Option<&'a Clock>]| {
        let declared = gathered.clocks.iter().find(|(own, _)| *own == group).map(|(_, clock)| *clock);
        said_by[group]
            .or(declared)
            .map_or((None, Origin::default()), |clock| (Some(clock.name.clone()), clock.origin.clone()))
    };
    let mut changed = true;
    while changed {
        changed = false;
        for edge in &gathered.edges {
            for (from, to, forwards) in [(edge.from, edge.to, true), (edge.to, edge.from, false)] {
                let Some(known) = pace[from] else { continue };
                let Some(there) = along(edge, known, forwards) else { continue };
                match pace[to] {
                    None => {
                        pace[to] = Some(there);
                        changed = true;
                    }
                    Some(other) if other != there => {
                        let (name, origin) = name_of(to, said_by);
                        return Err(Box::new(mistake::clocks_disagree(
                            (name.as_deref(), other.0, other.1),
                            (name.as_deref(), there.0, there.1),
                            unit,
                            [&origin, &edge.origin],
                        )));
                    }
                    Some(_) => {}
                }
            }
        }
    }
    Ok(())
}

/// Everything so that the fastest period becomes one.
fn scale(pace: &mut [Option<Pace>], members: &[usize], fastest: Ratio) {
    let least = members.iter().filter_map(|&group| pace[group]).map(|(_, first)| first).min();
    for &group in members {
        pace[group] = pace[group].and_then(|(period, first)| {
            Some((period.over(fastest)?, first.minus(least.unwrap_or(Ratio::ZERO))?.over(fastest)?))
        });
    }
}
