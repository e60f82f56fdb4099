//! Which variables and equations tick together: those that meet in an equation (MLS §16.7.2, §16.7.4).

use rhei_equations::{
    ClockId, Conversion, Definition, EqId, Equations, ExprId, Kind, Passage, VarId, Variable,
};
use rhei_source::{Diagnostic, Span};
use rustc_hash::FxHashSet;

use crate::mistake;

/// Variables, equations and clocks in groups.
pub(crate) struct Groups {
    of_variable: Vec<u32>,
    of_equation: Vec<u32>,
    of_clock: Vec<u32>,
    /// By variable: whether it changes during a run, and so may have a clock.
    varies: Vec<bool>,
    /// By group: why it ticks, if it does.
    pub(crate) ticks: Vec<Option<Why>>,
    /// By group: why it cannot tick, if so.
    steady: Vec<Option<Why>>,
}

/// Why a group has a clock, or has none.
#[derive(Clone, Debug)]
pub(crate) struct Why {
    pub(crate) text: String,
    pub(crate) span: Option<Span>,
}

/// Sets that are merged, by the path to their representative.
struct Union {
    parent: Vec<u32>,
}

impl Union {
    fn find(&mut self, node: usize) -> usize {
        let mut root = node;
        while self.parent[root] as usize != root {
            root = self.parent[root] as usize;
        }
        let mut node = node;
        while self.parent[node] as usize != root {
            node = std::mem::replace(&mut self.parent[node], root as u32) as usize;
        }
        root
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        // the smaller one stays: groups are numbered in the order of the model
        self.parent[a.max(b)] = a.min(b) as u32;
    }
}

impl Groups {
    /// The groups of a model.
    pub(crate) fn of(equations: &Equations) -> Groups {
        let clocks = &equations.clocks;
        let (n_variables, n_equations) = (equations.variables.len(), equations.equations.len());
        let n = n_variables + n_equations + clocks.clocks.len();
        let mut union = Union { parent: (0..n as u32).collect() };
        let equation = |e: EqId| n_variables + e.index();
        let clock = |c: ClockId| n_variables + n_equations + c.index();
        let varies = varying(equations);
        let has_clock = |v: VarId| varies[v.index()];
        let together = |node: usize, expressions: &[ExprId], union: &mut Union| {
            for e in expressions {
                for v in equations.pool.variables_of(*e).into_iter().filter(|&v| has_clock(v)) {
                    union.join(node, v.index());
                }
            }
        };
        for (i, row) in equations.equations.iter().enumerate() {
            together(equation(EqId(i as u32)), &[row.lhs, row.rhs], &mut union);
        }
        for (v, variable) in equations.iter_variables() {
            if let Kind::Derivative { of } | Kind::Pre { of } = variable.kind {
                union.join(v.index(), of.index());
            }
            if let Some(of) = variable.rest_of {
                union.join(v.index(), of.index());
            }
        }
        for delay in &equations.events.delays {
            together(delay.result.index(), &[delay.value, delay.by], &mut union);
        }
        for transport in &equations.events.transports {
            let [a, b] = transport.inflows;
            union.join(transport.ends[0].index(), transport.ends[1].index());
            together(transport.ends[0].index(), &[a, b, transport.moved, transport.is_forward], &mut union);
        }
        for reinit in &equations.events.reinits {
            together(reinit.target.index(), &[reinit.value, reinit.active], &mut union);
        }
        for measured in &clocks.measured {
            together(measured.variable.index(), &[measured.value], &mut union);
        }
        for asked in clocks.intervals.iter().chain(&clocks.first_ticks) {
            for &v in asked.of.iter().filter(|&&v| has_clock(v)) {
                union.join(asked.result.index(), v.index());
            }
        }
        for &(e, c) in &clocks.on {
            union.join(equation(e), clock(c));
        }
        for &(v, c) in clocks.with.iter().filter(|(v, _)| has_clock(*v)) {
            union.join(v.index(), clock(c));
        }
        for &(a, b) in clocks.met.iter().filter(|(a, b)| has_clock(*a) && has_clock(*b)) {
            union.join(a.index(), b.index());
        }
        for &(a, b) in &clocks.same {
            union.join(clock(a), clock(b));
        }
        for conversion in &clocks.conversions {
            if let Passage::Sample(Some(c)) = conversion.passage {
                union.join(conversion.result.index(), clock(c));
            }
        }
        for (i, known) in clocks.clocks.iter().enumerate() {
            if let Some(Definition::Counter { counter: v, .. } | Definition::Varying(v)) = known.definition {
                union.join(n_variables + n_equations + i, v.index());
            }
        }
        // numbered without gaps, in the order of the model
        let mut number = vec![u32::MAX; n];
        let mut count = 0;
        let mut numbered: Vec<u32> = Vec::with_capacity(n);
        for node in 0..n {
            let root = union.find(node);
            if number[root] == u32::MAX {
                number[root] = count;
                count += 1;
            }
            numbered.push(number[root]);
        }
        let of_clock = numbered.split_off(n_variables + n_equations);
        let of_equation = numbered.split_off(n_variables);
        let mut groups = Groups {
            of_variable: numbered,
            of_equation,
            of_clock,
            varies,
            ticks: vec![None; count as usize],
            steady: vec![None; count as usize],
        };
        groups.mark(equations);
        groups
    }

    pub(crate) fn variable(&self, v: VarId) -> usize {
        self.of_variable[v.index()] as usize
    }

    pub(crate) fn equation(&self, e: EqId) -> usize {
        self.of_equation[e.index()] as usize
    }

    pub(crate) fn clock(&self, c: ClockId) -> usize {
        self.of_clock[c.index()] as usize
    }

    pub(crate) fn n_variables(&self) -> usize {
        self.of_variable.len()
    }

    pub(crate) fn n_equations(&self) -> usize {
        self.of_equation.len()
    }

    pub(crate) fn count(&self) -> usize {
        self.ticks.len()
    }

    /// Whether a variable ticks.
    pub(crate) fn is_clocked(&self, v: VarId) -> bool {
        self.varies[v.index()] && self.ticks[self.variable(v)].is_some()
    }

    /// Whether a variable may have a clock.
    pub(crate) fn varies(&self, v: VarId) -> bool {
        self.varies[v.index()]
    }

    /// Notes which groups tick, and which cannot.
    fn mark(&mut self, equations: &Equations) {
        let clocks = &equations.clocks;
        let name = |v: VarId| &equations.variable(v).name;
        for (i, clock) in clocks.clocks.iter().enumerate() {
            let group = self.of_clock[i] as usize;
            let text = format!("ticks with `{}`", clock.name);
            self.ticks[group].get_or_insert(Why { text, span: clock.origin.span });
            if let Some(Definition::Event { condition, .. }) = &clock.definition {
                let text = "makes a clock tick, and has none itself".to_owned();
                let group = self.variable(*condition);
                self.steady[group].get_or_insert(Why { text, span: clock.origin.span });
            }
        }
        for Conversion { argument, result, passage, origin } in &clocks.conversions {
            let (from, to) = (self.variable(*argument), self.variable(*result));
            let span = origin.span;
            let why = |text: &str| Why { text: text.to_owned(), span };
            match passage {
                Passage::Sample(_) => {
                    self.ticks[to].get_or_insert(why("is sampled here, and so ticks"));
                    self.steady[from].get_or_insert(why("is sampled here, so that it has no clock"));
                }
                Passage::Hold => {
                    self.ticks[from].get_or_insert(why("is held here, so that it ticks"));
                    self.steady[to].get_or_insert(why("holds a value, and has no clock"));
                }
                Passage::Between(_) => {
                    self.ticks[from].get_or_insert(why("goes to another clock, so that it ticks"));
                    self.ticks[to].get_or_insert(why("comes from another clock, and so ticks"));
                }
            }
        }
        for &v in &clocks.previous {
            let variable = equations.variable(v);
            let text = format!(
                "`{}` asks for the tick before, so that it ticks",
                name(v).replace("pre(", "previous(")
            );
            let group = self.variable(v);
            self.ticks[group].get_or_insert(Why { text, span: variable.span });
        }
        for asked in clocks.intervals.iter().chain(&clocks.first_ticks) {
            let group = self.variable(asked.result);
            let text = "asks for its clock here, so that it ticks".to_owned();
            self.ticks[group].get_or_insert(Why { text, span: asked.origin.span });
        }
    }

    /// Errors: groups that tick and must not; states measured at ticks in groups without any.
    pub(crate) fn mistakes(&self, equations: &Equations) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (group, (ticks, steady)) in self.ticks.iter().zip(&self.steady).enumerate() {
            if let (Some(ticks), Some(steady)) = (ticks, steady) {
                let members = equations.iter_variables().filter(|(v, variable)| {
                    self.variable(*v) == group && self.varies[v.index()] && !variable.is_hidden
                });
                let names: Vec<&str> = members.map(|(_, variable)| variable.name.as_str()).collect();
                found.push(mistake::clocked_and_not(&names, ticks, steady));
            }
        }
        let events = &equations.events;
        for transport in &events.transports {
            if self.is_clocked(transport.ends[0]) {
                found.push(mistake::not_in_clock("`spatialDistribution`", &transport.origin));
            }
        }
        for measured in &equations.clocks.measured {
            let variable: &Variable = equations.variable(measured.variable);
            if self.ticks[self.variable(measured.variable)].is_none() {
                found.push(mistake::measured_outside_clock(&variable.name, measured.origin.span));
            }
        }
        found
    }
}

/// By variable: whether it changes during a run, and so may have a clock. What a run gives to all parts has none.
fn varying(equations: &Equations) -> Vec<bool> {
    let events = &equations.events;
    let mut varies: Vec<bool> = equations.variables.iter().map(|variable| !variable.is_parameter()).collect();
    let given = [events.initial, events.terminal, events.homotopy, events.holding].into_iter().flatten();
    let mut given: FxHashSet<VarId> = given.chain(events.samples.iter().map(|sample| sample.tick)).collect();
    // the past of time is the same everywhere
    let is_of_time = |e| equations.pool.variables_of(e).into_iter().all(|v: VarId| !varies[v.index()]);
    let of_time = events.delays.iter().filter(|delay| is_of_time(delay.value) && is_of_time(delay.by));
    given.extend(of_time.map(|delay| delay.result));
    given.iter().for_each(|v| varies[v.index()] = false);
    for (v, variable) in equations.iter_variables() {
        if let Kind::Pre { of } = variable.kind
            && given.contains(&of)
        {
            varies[v.index()] = false;
        }
    }
    varies
}
