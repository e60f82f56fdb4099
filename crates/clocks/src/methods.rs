//! Solver methods of the groups (MLS §16.8.4): given for a group, or for those it is tied to.

use rhei_equations::{ClockId, Definition, Equations, Origin, Passage};
use rhei_source::Diagnostic;

use crate::groups::Groups;
use crate::mistake;

/// By group: the method, where there is one.
pub(crate) fn methods(
    equations: &Equations,
    groups: &Groups,
    said: &mut Vec<Diagnostic>,
) -> Option<Vec<Option<String>>> {
    let clocks = &equations.clocks;
    let mut given: Vec<Option<(String, &Origin)>> = vec![None; groups.count()];
    for (i, clock) in clocks.clocks.iter().enumerate() {
        let Some(Definition::Solver { method, .. }) = &clock.definition else { continue };
        if method.is_empty() {
            continue;
        }
        let group = groups.clock(ClockId(i as u32));
        match &given[group] {
            Some((other, origin)) if other != method => {
                said.push(mistake::methods_differ((other, origin), (method, &clock.origin)));
                return None;
            }
            _ => given[group] = Some((method.clone(), &clock.origin)),
        }
    }
    // sets of groups without a method, with the methods at their borders
    let mut set_of: Vec<usize> = (0..groups.count()).collect();
    let pairs: Vec<(usize, usize)> = clocks
        .conversions
        .iter()
        .filter(|conversion| matches!(conversion.passage, Passage::Between(_)))
        .map(|conversion| (groups.variable(conversion.argument), groups.variable(conversion.result)))
        .collect();
    let find = |set_of: &[usize], mut group: usize| {
        while set_of[group] != group {
            group = set_of[group];
        }
        group
    };
    for &(a, b) in &pairs {
        if given[a].is_none() && given[b].is_none() {
            let (a, b) = (find(&set_of, a), find(&set_of, b));
            set_of[a.max(b)] = a.min(b);
        }
    }
    let mut inferred: Vec<Option<(String, &Origin)>> = vec![None; groups.count()];
    for &(a, b) in &pairs {
        for (open, known) in [(a, b), (b, a)] {
            let (None, Some((method, origin))) = (&given[open], &given[known]) else { continue };
            let set = find(&set_of, open);
            match &inferred[set] {
                Some((other, first)) if other != method => {
                    said.push(mistake::methods_differ((other, first), (method, origin)));
                    return None;
                }
                _ => inferred[set] = Some((method.clone(), origin)),
            }
        }
    }
    let all = (0..groups.count()).map(|group| {
        let known = given[group].as_ref().or(inferred[find(&set_of, group)].as_ref());
        known.map(|(method, _)| method.clone())
    });
    Some(all.collect())
}
