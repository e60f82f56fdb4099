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
        let values: Vec<ExprId> = dynamic.iter().flat_map(|block| block.values()).collect();
        let mut inputs = Vec::new();
        equations.pool.variables_into(&values, &mut inputs);
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

        let mut left: Vec<VarId> = inputs.clone();
        left.extend(outside.iter().flat_map(variables_of));
        Reach { inputs, touches: computed_from(model, left) }
    }

    /// Of each variable, whether it has a say in the guards of the model, its dynamics included.
    pub(crate) fn deciding(model: &CompiledModel) -> Vec<bool> {
        let guards = model.equations.guards.iter();
        let mut left = Reach::new(model).inputs;
        left.extend(guards.flat_map(|guard| model.equations.pool.variables_of(guard.condition)));
        computed_from(model, left)
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

/// Of each variable, whether one of these is computed from it at an event, or it is one of them.
fn computed_from(model: &CompiledModel, mut left: Vec<VarId>) -> Vec<bool> {
    let equations = &model.equations;
    let mut found = vec![false; equations.variables.len()];
    let mut made_from = MadeFrom::new(model);
    while let Some(v) = left.pop() {
        if std::mem::replace(&mut found[v.index()], true) {
            continue;
        }
        made_from.take(v).iter().for_each(|e| left.extend(equations.pool.variables_of(*e)));
        if let Kind::Pre { of } = equations.variable(v).kind {
            left.push(of);
        }
    }
    found
}

/// The expressions that variables are computed from at an event.
struct MadeFrom<'a> {
    model: &'a CompiledModel,
    /// By variable, the block that computes it, or its place among the aliases.
    blocks: Vec<Option<u32>>,
    aliases: Vec<Option<u32>>,
    /// By block, whether its expressions have been told: it has them for all of its variables.
    is_told: Vec<bool>,
}

impl MadeFrom<'_> {
    fn new(model: &CompiledModel) -> MadeFrom<'_> {
        let n = model.equations.variables.len();
        let (mut blocks, mut aliases) = (vec![None; n], vec![None; n]);
        for (place, block) in model.solvable.event.iter().enumerate() {
            block.targets().iter().for_each(|target| blocks[target.index()] = Some(place as u32));
        }
        for (place, alias) in model.solvable.aliases.iter().enumerate() {
            aliases[alias.target.index()] = Some(place as u32);
        }
        let is_told = vec![false; model.solvable.event.len()];
        MadeFrom { model, blocks, aliases, is_told }
    }

    /// Those of a variable that have not been told yet.
    fn take(&mut self, v: VarId) -> Vec<ExprId> {
        let solvable = &self.model.solvable;
        let block = self.blocks[v.index()].map(|place| place as usize);
        let block = block.filter(|&place| !std::mem::replace(&mut self.is_told[place], true));
        let mut values = block.map_or_else(Vec::new, |place| solvable.event[place].values());
        values.extend(self.aliases[v.index()].map(|place| solvable.aliases[place as usize].value));
        values
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
