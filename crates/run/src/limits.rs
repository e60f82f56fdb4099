//! Why a run is slow: which state kept its steps short, which loop took most iterations, which conditions switched most.
//!
//! States and conditions are counted where [`Options::explains`](super::Options::explains) asks for it, and cost nothing otherwise.

use rhei_equations::VarId;
use rhei_solve::LoopWork;
use rhei_solve::failure::state_name;
use rustc_hash::FxHashMap;

use crate::constants::CAUSES_REPORTED;
use crate::running::Running;

/// The main causes of steps, iterations and events of a run, the most frequent first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// States by name, each with the number of steps it kept short.
    pub states: Vec<(String, u64)>,
    /// Loops that Newton's method solves.
    pub loops: Vec<LoopWork>,
    /// Conditions as they are written, each with the number of its switches.
    pub conditions: Vec<(String, u64)>,
}

/// Counts of a run.
#[derive(Clone, Default)]
pub(crate) struct Counts {
    /// Steps by the state that kept them short, with its name.
    states: FxHashMap<VarId, (String, u64)>,
    /// The end of the last step that was counted.
    until: f64,
    /// Work of loops in earlier modes, by their unknowns.
    loops: FxHashMap<Vec<String>, LoopWork>,
    conditions: FxHashMap<VarId, u64>,
}

impl Running<'_> {
    /// Counts the step that was made last, once.
    pub(crate) fn count_step(&mut self) {
        let Some(integrator) =
            self.integrating.integrator.as_deref().filter(|_| self.options.choices.explains)
        else {
            return;
        };
        if integrator.time() == self.counts.until {
            return;
        }
        self.counts.until = integrator.time();
        let Some(state) = integrator.limiting_state() else { return };
        let variable = self.model.solvable.states[state].variable;
        let name = || (state_name(&self.model, state).replace('`', ""), 0);
        self.counts.states.entry(variable).or_insert_with(name).1 += 1;
    }

    /// Counts the conditions that switched at an event.
    pub(crate) fn count_switched(&mut self) {
        if self.options.choices.explains {
            self.event.switched.iter().for_each(|v| *self.counts.conditions.entry(*v).or_default() += 1);
        }
    }

    /// Keeps the work of the loops of a mode that is over, or at the end.
    pub(crate) fn keep_loops(&mut self) {
        if !self.options.choices.explains {
            return;
        }
        for work in self.problem.loop_work() {
            let known = self.counts.loops.entry(work.unknowns.clone()).or_insert_with(|| LoopWork {
                solves: 0,
                iterations: 0,
                ..work.clone()
            });
            known.solves += work.solves;
            known.iterations += work.iterations;
        }
    }

    /// The result.
    pub(crate) fn limits(&mut self) -> Limits {
        self.keep_loops();
        let Counts { states, loops, conditions, .. } = std::mem::take(&mut self.counts);
        let name = |v: VarId| self.model.equations.variable(v).name.to_string();
        let mut loops: Vec<LoopWork> = loops.into_values().collect();
        loops.sort_by(|a, b| b.iterations.cmp(&a.iterations).then_with(|| a.unknowns.cmp(&b.unknowns)));
        loops.truncate(CAUSES_REPORTED);
        Limits {
            states: most(states.into_values()),
            loops,
            conditions: most(conditions.into_iter().map(|(v, n)| (name(v), n))),
        }
    }
}

/// The largest counts, in the order of names where they are equal.
fn most(counts: impl Iterator<Item = (String, u64)>) -> Vec<(String, u64)> {
    let mut counts: Vec<(String, u64)> = counts.collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts.truncate(CAUSES_REPORTED);
    counts
}
