//! Clock partitioning: equations by the clocks they tick with (MLS §16.7).
//!
//! In: [`Equations`] with clocks. Out: those without a clock, in which everything clocked is given, and one
//! [`Partition`] for each set of clocks that know of each other.
//!
//! | file | what it does |
//! |---|---|
//! | `groups` | which variables and equations tick together |
//! | `past` | `delay` and `sample(start, interval)` in what ticks |
//! | `rates` | when they do |
//! | `methods` | how what varies continuously among them is integrated |
//! | `split` | one model becomes several |
//! | `mistake` | what can be wrong with clocks |

mod groups;
mod methods;
mod mistake;
mod past;
mod rates;
mod split;

use std::borrow::Cow;

use rhei_equations::{Equations, Partition};
use rhei_source::Diagnostic;

use crate::groups::Groups;

/// The part of a model without clocks, and the parts that tick.
pub type Parts<'a> = (Cow<'a, Equations>, Vec<Partition>);

/// Tells the equations of a model apart. `None` means that the diagnostics hold an error.
pub fn tell_apart(equations: &Equations) -> (Option<Parts<'_>>, Vec<Diagnostic>) {
    if equations.clocks.is_empty() {
        return (Some((Cow::Borrowed(equations), Vec::new())), Vec::new());
    }
    let mut said = Vec::new();
    let parts = passes(equations, &mut said);
    debug_assert!(parts.is_some() || said.iter().any(Diagnostic::is_error));
    (parts.map(|(unclocked, partitions)| (Cow::Owned(unclocked), partitions)), said)
}

fn passes(equations: &Equations, said: &mut Vec<Diagnostic>) -> Option<(Equations, Vec<Partition>)> {
    let groups = Groups::of(equations);
    let rewritten = past::at_ticks(equations, &groups);
    let (equations, past, groups) = match &rewritten {
        Some((equations, past)) => (equations, past, Groups::of(equations)),
        None => (equations, &past::Past::default(), groups),
    };
    let mistakes = groups.mistakes(equations);
    if !mistakes.is_empty() {
        said.extend(mistakes);
        return None;
    }
    let bases = rates::rates(equations, &groups, said)?;
    let methods = methods::methods(equations, &groups, said)?;
    let (unclocked, partitions) = split::split(equations, &groups, &bases, &methods, past);
    debug_assert_eq!(unclocked.verify(), Ok(()));
    Some((unclocked, partitions))
}
