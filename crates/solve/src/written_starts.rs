//! Start values that somebody wrote, before those of states that nobody wrote.
//!
//! A state without a start value starts at zero, if nothing says otherwise. Where a variable that the constraints tie to it has a
//! start value, the start is solved for a second time with that one kept ([`Written`](rhei_solvable::Written)), unless it came to
//! it anyway: then the first solution holds, which never has to solve constraints where they say nothing (a crank that is assumed to
//! start at its dead centre, beside the start value of its slider).

use rhei_equations::VarId;
use rhei_model::CompiledModel;

use crate::constants::WRITTEN_HOLDS;
use crate::evaluate::{Evaluator, NoValue};
use crate::search::{AT_START, Search};

/// Whether the written start values hold at the point that `values` holds, where they are those among `guesses`.
pub fn start_values_hold(kept: &[VarId], guesses: &[f64], evaluator: &Evaluator, values: &[f64]) -> bool {
    kept.iter().all(|v| {
        let (value, start) = (values[v.index()], guesses[v.index()]);
        (value - start).abs() <= WRITTEN_HOLDS * start.abs().max(evaluator.nominal(*v))
    })
}

/// Solves the start with the written start values, if the first solution does not have them. Where that has no solution, the
/// first one stays; says whether the written values hold.
pub(crate) fn with_written_starts(
    model: &CompiledModel,
    guesses: &[f64],
    (evaluator, values): (&mut Evaluator, &mut Vec<f64>),
    solved: &mut Result<(), NoValue>,
    search: Search<'_>,
) -> bool {
    let (Some(written), Some(routine)) = (&model.solvable.written, &model.code.written) else { return true };
    if solved.is_ok() && start_values_hold(&written.kept, guesses, evaluator, values) {
        return true;
    }
    let first = values.clone();
    let from_first = solved.is_ok().then_some(first.as_slice());
    for strategies in &AT_START {
        for from in [Some(guesses), from_first].into_iter().flatten() {
            values.copy_from_slice(from);
            if search.is_given_up() {
                break;
            }
            if evaluator.run(routine, values, Search { strategies, ..search }).is_ok() {
                *solved = Ok(());
                return true;
            }
        }
    }
    *values = first;
    false
}
