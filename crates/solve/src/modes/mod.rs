//! From one mode of a model to another: values carried over, and values of the mode that is entered. `complementary` finds the
//! sides of relations that decide which mode that is, `jump` projects onto its constraints.

pub mod complementary;
mod energy;
pub mod jump;
mod landing_matrix;
pub mod off;
mod path;

use std::sync::Arc;

use rhei_model::CompiledModel;

use crate::charts::Charts;
use crate::constants::{IMPULSE_INFINITE, IMPULSE_ROUNDING, MODE_NEIGHBOURS};
use crate::evaluate::NoValue;
use crate::landing::follow;
use crate::modes::jump::Jump;
use crate::start::{Given, Prepared, Started, jacobians, prepare, state_nominals};

/// Values of guards that differ in one, or then in two.
pub fn neighbours(guards: &[bool]) -> impl Iterator<Item = Vec<bool>> + '_ {
    let n = guards.len();
    let pairs = (0..n).flat_map(move |a| (a + 1..n).map(move |b| vec![a, b]));
    let flips = (0..n).map(|a| vec![a]).chain(pairs).take(MODE_NEIGHBOURS);
    flips.map(|flips| {
        let mut changed = guards.to_vec();
        flips.into_iter().for_each(|place| changed[place] = !changed[place]);
        changed
    })
}

/// The contribution to an event indicator that impulses move by `by`; none if they do not.
pub fn indicator_impulse(by: f64, jump: &Jump) -> Option<f64> {
    let largest = jump.impulses.iter().fold(0.0, |most: f64, (_, z)| most.max(z.abs()));
    (by.abs() > IMPULSE_ROUNDING * largest).then(|| IMPULSE_INFINITE.copysign(by))
}

/// All values before a change of the mode, of a model in another mode.
#[derive(Clone)]
pub struct Left {
    /// The model in the mode before.
    pub model: Arc<CompiledModel>,
    /// Its values.
    pub values: Vec<f64>,
}

impl Left {
    /// Takes over the values of all variables of `model`, as far as they were known before.
    pub fn carry(&self, model: &CompiledModel, values: &mut [f64]) {
        model.carried_from(&self.model).copy(&self.values, values);
    }

    /// All values of `model` before the change: those known before are carried over, the others are as in `entered`. Variables
    /// known before are not taken from there, since those that follow from the candidates of a state set have been recomputed.
    pub fn of(&self, model: &CompiledModel, entered: &[f64]) -> Vec<f64> {
        let mut before = entered.to_vec();
        self.carry(model, &mut before);
        before
    }
}

/// A model in a mode that is entered on the way: all values as they were before, not yet on its constraints.
pub fn enter(model: &Arc<CompiledModel>, left: &Left, t: f64, given: Given<'_>) -> Result<Started, NoValue> {
    let Prepared { mut values, mut evaluator, nominals: of_variables } = prepare(model, t, given)?;
    left.carry(model, &mut values);
    values[model.code.time().index()] = t;
    let mut nominals = state_nominals(model, &of_variables);
    let mut charts = Charts::new(model, &of_variables);
    (0..model.solvable.sets.len()).for_each(|set| follow(model, set, &evaluator, &mut values));
    if let Ok(jacobians) = jacobians(&model.code.sets, &mut evaluator, &mut values) {
        let _ = charts.choose(model, &jacobians);
    }
    charts.write(model, &mut values);
    charts.write_nominals(model, &mut nominals);
    Ok(Started { values, evaluator, nominals, charts, said: Vec::new() })
}
