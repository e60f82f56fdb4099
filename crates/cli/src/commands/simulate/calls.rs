//! The plot of the work of balances: evaluations in each step, with a mark where Newton's method alone failed.

use rhei::plot::{Curve, Mark, Plot};
use rhei::{BalanceWork, Outcome};

/// The evaluations of each group over time; none if the model balances nothing.
pub(super) fn plot(model: &str, outcome: &Outcome, from: f64) -> Option<Plot> {
    let groups: Vec<&BalanceWork> = outcome.balances.iter().filter(|work| !work.steps.is_empty()).collect();
    if groups.is_empty() {
        return None;
    }
    let title = format!("{model}: evaluations of balances in each step");
    let curves = groups.iter().map(|work| curve(work, from)).collect();
    let marks = groups.iter().flat_map(|work| marks(work)).collect();
    Some(Plot { title, curves, marks })
}

/// A short name of a group.
fn name(work: &BalanceWork) -> String {
    let first = work.variables.first().map_or("", String::as_str);
    match work.variables.len() {
        0 | 1 => format!("balance({first})"),
        n => format!("balance({first}) and {} more", n - 1),
    }
}

/// A step lasts from the end of the one before to its own.
fn curve(work: &BalanceWork, from: f64) -> Curve {
    let times = std::iter::once(from).chain(work.steps.iter().map(|step| step.time)).collect();
    let mut values: Vec<f64> = work.steps.iter().map(|step| f64::from(step.calls)).collect();
    values.extend(values.last().copied());
    Curve { name: name(work), unit: None, stepped: true, times, values }
}

fn marks(work: &BalanceWork) -> impl Iterator<Item = Mark> + '_ {
    work.steps.iter().filter(|step| step.follows_flow).map(|step| {
        let (name, time, calls) = (name(work), step.time, step.calls);
        Mark { time, text: format!("t = {time:.6}: {name}: the flow was followed, {calls} evaluations") }
    })
}
