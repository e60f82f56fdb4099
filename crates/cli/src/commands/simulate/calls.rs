//! The plot of what balances have cost: evaluations in each step, with a mark where Newton's method alone did not do.

use rhei_model::CompiledModel;
use rhei_results::plot::{Curve, Mark, Plot};
use rhei_run::Outcome;
use rhei_solve::GroupWork;

/// The evaluations of each group over time; nothing where the model balances nothing.
pub(super) fn plot(model: &CompiledModel, outcome: &Outcome, from: f64) -> Option<Plot> {
    let groups: Vec<&GroupWork> = outcome.balances.iter().filter(|work| !work.per_step.is_empty()).collect();
    if groups.is_empty() {
        return None;
    }
    let title = format!("{}: evaluations of balances in each step", model.equations.name);
    let curves = groups.iter().map(|work| curve(model, work, from)).collect();
    let marks = groups.iter().flat_map(|work| marks(model, work)).collect();
    Some(Plot { title, curves, marks })
}

/// What is balanced in a group, in a few words.
fn name(model: &CompiledModel, work: &GroupWork) -> String {
    let first = work.variables.first().map_or("", |v| model.equations.variable(*v).name.as_str());
    match work.variables.len() {
        0 | 1 => format!("balance({first})"),
        n => format!("balance({first}) and {} more", n - 1),
    }
}

/// A step lasts from the end of the one before to its own.
fn curve(model: &CompiledModel, work: &GroupWork, from: f64) -> Curve {
    let times = std::iter::once(from).chain(work.per_step.iter().map(|(t, ..)| *t)).collect();
    let mut values: Vec<f64> = work.per_step.iter().map(|(_, calls, _)| f64::from(*calls)).collect();
    values.extend(values.last().copied());
    Curve { name: name(model, work), unit: None, stepped: true, times, values }
}

fn marks<'a>(model: &'a CompiledModel, work: &'a GroupWork) -> impl Iterator<Item = Mark> + 'a {
    let followed = work.per_step.iter().filter(|(_, _, followed)| *followed);
    followed.map(|(time, calls, _)| {
        let name = name(model, work);
        Mark {
            time: *time,
            text: format!("t = {time:.6}: {name}: the flow was followed, {calls} evaluations"),
        }
    })
}
