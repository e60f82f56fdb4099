//! Influence of events on the integrator: the discrete variables that derivatives depend on, directly or by way of others.
//!
//! An event that changes none of them, no state and nothing of the past leaves the integrator as it is, its steps included.

use rhei_equations::{ExprId, Kind, VarId};
use rhei_model::CompiledModel;

/// The discrete variables that matter to the integrator.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// The discrete variables that the derivatives of the states are computed from.
    inputs: Vec<VarId>,
    /// Of each variable, whether a change of it may change an input, set a state anew, or be remembered.
    touches: Vec<bool>,
}

impl Reach {
    pub(crate) fn new(model: &CompiledModel) -> Reach {
        let (equations, solvable) = (&model.equations, &model.solvable);
        let variables_of = |e: &ExprId| equations.pool.variables_of(*e);
        let events = &equations.events;
        let mut is_input: Vec<bool> =
            equations.variables.iter().map(|variable| !variable.is_parameter()).collect();
        let dynamic = &solvable.continuous[..solvable.dynamic];
        let computed = dynamic.iter().flat_map(|block| block.targets());
        let states = solvable.states.iter().map(|state| state.variable);
        // jumps in the past of a `delay` are events of their own
        let past = events.delays.iter().map(|delay| delay.result);
        let past = past.chain(events.transports.iter().flat_map(|each| each.ends));
        computed.chain(states).chain(past).for_each(|v| is_input[v.index()] = false);
        let mut inputs: Vec<VarId> =
            dynamic.iter().flat_map(|block| block.values()).flat_map(|e| variables_of(&e)).collect();
        inputs.retain(|v| is_input[v.index()]);
        // a balance follows the relation itself, and its switch bends the right-hand side
        inputs.extend(
            events.crossings.iter().filter(|crossing| crossing.is_followed).map(|crossing| crossing.held),
        );
        inputs.sort_unstable();
        inputs.dedup();
        // a large Integer may change in its low-order part alone
        let rests = equations.rests();
        let of_inputs: Vec<VarId> = inputs.iter().filter_map(|v| rests[v.index()]).collect();
        inputs.extend(of_inputs);

        let remembered = events.delays.iter().flat_map(|delay| [delay.value, delay.by]);
        let transported = events.transports.iter();
        let transported =
            transported.flat_map(|each| [each.moved, each.is_forward].into_iter().chain(each.inflows));
        let set = events.reinits.iter().flat_map(|reinit| [reinit.active, reinit.value]);
        let outside: Vec<ExprId> = remembered.chain(transported).chain(set).collect();

        let mut touches = vec![false; equations.variables.len()];
        let mut left: Vec<VarId> = inputs.clone();
        left.extend(outside.iter().flat_map(variables_of));
        // the variables that each variable is computed from at an event
        let mut made_from: Vec<Vec<VarId>> = vec![Vec::new(); equations.variables.len()];
        for block in &solvable.event {
            let from: Vec<VarId> = block.values().iter().flat_map(variables_of).collect();
            block.targets().iter().for_each(|target| made_from[target.index()].extend(&from));
        }
        for alias in &solvable.aliases {
            made_from[alias.target.index()].extend(variables_of(&alias.value));
        }
        while let Some(v) = left.pop() {
            if std::mem::replace(&mut touches[v.index()], true) {
                continue;
            }
            left.extend(&made_from[v.index()]);
            if let Kind::Pre { of } = equations.variable(v).kind {
                left.push(of);
            }
        }
        Reach { inputs, touches }
    }

    /// Whether a change of this variable may matter.
    pub(crate) fn touches(&self, v: VarId) -> bool {
        self.touches[v.index()]
    }

    /// Writes the values that the integrator sees: the states, and the discrete variables in their derivatives.
    pub(crate) fn seen(&self, model: &CompiledModel, values: &[f64], seen: &mut Vec<f64>) {
        seen.clear();
        let states = model.solvable.states.iter().map(|state| state.variable);
        seen.extend(states.chain(self.inputs.iter().copied()).map(|v| values[v.index()]));
    }
}

/// The values that the integrator sees, before an event and after it.
#[derive(Clone)]
pub(crate) struct Notice {
    pub(crate) reach: Reach,
    before: Vec<f64>,
    now: Vec<f64>,
}

impl Notice {
    /// In the present mode of a model.
    pub(crate) fn new(model: &CompiledModel) -> Notice {
        Notice { reach: Reach::new(model), before: Vec::new(), now: Vec::new() }
    }

    /// Keeps the values before an event.
    pub(crate) fn keep(&mut self, model: &CompiledModel, values: &[f64]) {
        self.reach.seen(model, values, &mut self.before);
    }

    /// Whether the values have changed since.
    pub(crate) fn is_another(&mut self, model: &CompiledModel, values: &[f64]) -> bool {
        self.reach.seen(model, values, &mut self.now);
        self.before != self.now
    }
}
