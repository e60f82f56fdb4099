//! Every expression that a model speaks of, by way of which its pool is reached.

use crate::{
    Border, Clocks, Crossing, Dae, Delay, Equation, Events, ExprId, Guard, Level, Limit, Measured, Pool,
    Reinit, Sample, Termination, Transport,
};

impl Dae {
    /// All expressions it speaks of; some stand in several places.
    ///
    /// What is new in the model does not compile until it has its place here, or none.
    pub fn expressions(&self) -> Vec<ExprId> {
        let Dae {
            name: _,
            variables,
            equations,
            initial,
            events,
            clocks,
            guards,
            asserts,
            limits,
            functions: _,
            experiment: _,
        } = self;
        let mut found = Vec::new();
        found.extend(variables.iter().flat_map(|variable| variable.attributes().chain(variable.binding)));
        for Equation { lhs, rhs, balance, is_discrete: _, family: _, origin: _ } in
            equations.iter().chain(initial)
        {
            found.extend([*lhs, *rhs]);
            found.extend(balance.map(|balance| balance.factor));
        }
        events.add_expressions(&mut found);
        let Clocks {
            measured,
            is_ticking: _,
            clocks: _,
            same: _,
            conversions: _,
            on: _,
            with: _,
            met: _,
            previous: _,
            intervals: _,
            first_ticks: _,
            from_past: _,
        } = clocks;
        found.extend(measured.iter().map(|Measured { value, variable: _, origin: _ }| *value));
        found.extend(guards.iter().map(|Guard { condition, origin: _ }| *condition));
        for assert in asserts {
            found.push(assert.condition);
            found.extend(assert.message.values());
            match assert.level {
                Level::Error | Level::Warning => {}
                Level::Chosen(level) => found.push(level),
            }
        }
        found.extend(limits.iter().map(|Limit { value, .. }| *value));
        found
    }
}

impl Events {
    fn add_expressions(&self, found: &mut Vec<ExprId>) {
        let Events {
            crossings,
            samples,
            reinits,
            terminations,
            effects,
            delays,
            transports,
            initial: _,
            terminal: _,
            homotopy: _,
            holding: _,
        } = self;
        found.extend(crossings.iter().map(|Crossing { border, .. }| match *border {
            Border::Zero { difference, relation: _ } => difference,
            Border::Time { at } => at,
            Border::Whole { value } => value,
        }));
        found.extend(samples.iter().flat_map(|Sample { start, interval, .. }| [*start, *interval]));
        found.extend(reinits.iter().flat_map(|Reinit { value, active, .. }| [*value, *active]));
        for Termination { active, message, origin: _ } in terminations {
            found.push(*active);
            found.extend(message.values());
        }
        for effect in effects {
            found.push(effect.active);
            found.extend(effect.values());
        }
        found.extend(delays.iter().flat_map(|Delay { value, by, most, .. }| [*value, *by, *most]));
        for Transport { ends: _, inflows, moved, is_forward, points, values, origin: _ } in transports {
            found.extend(inflows);
            found.extend([*moved, *is_forward]);
            found.extend(points.iter().chain(values));
        }
    }
}

impl Pool {
    /// The first of some expressions that is none of this pool.
    pub fn first_missing(&self, all: impl IntoIterator<Item = ExprId>) -> Option<ExprId> {
        all.into_iter().find(|e| e.0 as usize >= self.len())
    }
}
