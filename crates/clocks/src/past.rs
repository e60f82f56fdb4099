//! `delay` and `sample(start, interval)` in what ticks (MLS §16.8.1), as equations and numbers that a run gives at each tick.
//!
//! The past of what ticks is known at its ticks. Of a value that varies continuously it is the line between them, as for the inputs of
//! solver methods: `delay = (a + b*by)*value + (c + d*by)` with numbers of the piece that is read, the first pair of which is not zero
//! where that ends at the present tick. A delay of less than a step so is an equation like others.

use rhei_equations::{
    Delay, DelayAtTicks, EqId, Equation, Equations, ExprId, Kind, Leaf, Node, Origin, Pool, Reading, Reinit,
    Replaced, SampleAtTicks, Scalar, VarId, Variable,
};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::groups::Groups;

/// What the run gives at ticks.
#[derive(Default)]
pub(crate) struct Past {
    pub(crate) delays: Vec<DelayAtTicks>,
    pub(crate) samples: Vec<SampleAtTicks>,
}

/// Replaces `delay` and `sample(start, interval)` wherever they tick. `None` if they do nowhere.
pub(crate) fn at_ticks(equations: &Equations, groups: &Groups) -> Option<(Equations, Past)> {
    let events = &equations.events;
    let shared = |v: VarId| match groups.varies(v) {
        true => Vec::new(),
        false => groups_with(equations, groups, v),
    };
    let sampled: Vec<Vec<usize>> = events.samples.iter().map(|sample| shared(sample.tick)).collect();
    let of_time: Vec<Vec<usize>> = events.delays.iter().map(|delay| shared(delay.result)).collect();
    let is_delayed: Vec<bool> = events.delays.iter().map(|delay| groups.is_clocked(delay.result)).collect();
    if sampled.iter().chain(&of_time).all(Vec::is_empty) && !is_delayed.contains(&true) {
        return None;
    }
    let mut rewriting = Rewriting { equations: equations.clone(), past: Past::default() };
    for (place, own) in sampled.into_iter().enumerate() {
        own.into_iter().for_each(|group| rewriting.sample(groups, place, group));
    }
    for (place, own) in of_time.into_iter().enumerate() {
        for group in own {
            let delay = rewriting.delay_of_group(groups, &events.delays[place], group);
            rewriting.delay(delay);
        }
    }
    let mut delays = std::mem::take(&mut rewriting.equations.dae.events.delays);
    let mut is_delayed = is_delayed.into_iter();
    let (ticking, others) = delays.drain(..).partition(|_| is_delayed.next().unwrap_or(false));
    let ticking: Vec<Delay> = ticking;
    rewriting.equations.dae.events.delays = others;
    ticking.into_iter().for_each(|delay| rewriting.delay(delay));
    rewriting.drop_samples_without_use();
    debug_assert_eq!(rewriting.equations.verify(), Ok(()));
    Some((rewriting.equations, rewriting.past))
}

/// The groups that tick and that ask for a variable of all.
fn groups_with(equations: &Equations, groups: &Groups, shared: VarId) -> Vec<usize> {
    let pool = &equations.pool;
    let asks = |e: ExprId| pool.depends_on(e, shared);
    let rows = equations.equations.iter().enumerate().filter(|(_, row)| asks(row.lhs) || asks(row.rhs));
    let of_rows = rows.map(|(e, _)| groups.equation(EqId(e as u32)));
    let events = &equations.events;
    let reinits = events.reinits.iter().filter(|reinit| asks(reinit.active) || asks(reinit.value));
    let of_reinits = reinits.map(|reinit| groups.variable(reinit.target));
    let delays = events.delays.iter().filter(|delay| asks(delay.value) || asks(delay.by));
    let of_delays = delays.map(|delay| groups.variable(delay.result));
    let mut found: Vec<usize> = of_rows.chain(of_reinits).chain(of_delays).collect();
    found.retain(|&group| groups.ticks[group].is_some());
    found.sort_unstable();
    found.dedup();
    found
}

struct Rewriting {
    equations: Equations,
    past: Past,
}

impl Rewriting {
    /// A group gets a variable of its own that is true at its ticks after the times of a `sample`: two groups may tick at
    /// different times. Before an event it was never true, so that what waits for it happens at each.
    fn sample(&mut self, groups: &Groups, place: usize, group: usize) {
        let sample = self.equations.events.samples[place].clone();
        let name = &self.equations.variable(sample.tick).name;
        let name = format!("{name} of what ticks, {}", self.past.samples.len() + 1);
        let tick = self.hidden(name.clone(), Kind::Given, Scalar::Boolean, true);
        let start =
            self.computed(format!("start of {name}"), sample.start, Scalar::Real, true, &sample.origin);
        let interval =
            self.computed(format!("interval of {name}"), sample.interval, Scalar::Real, true, &sample.origin);
        let Equations { pool, dae } = &mut self.equations;
        let before: Vec<VarId> = (0..dae.variables.len() as u32)
            .map(VarId)
            .filter(|v| dae.variables[v.index()].kind == Kind::Pre { of: sample.tick })
            .collect();
        let (now, never) = (pool.variable(tick), pool.truth(false));
        let mut instead: FxHashMap<VarId, ExprId> = before.into_iter().map(|v| (v, never)).collect();
        instead.insert(sample.tick, now);
        self.replace_in(groups, group, &instead);
        self.join(groups, group, &[tick, start, interval]);
        self.past.samples.push(SampleAtTicks { tick, start, interval, origin: sample.origin });
    }

    /// A `delay` of time alone, for a group of its own.
    fn delay_of_group(&mut self, groups: &Groups, delay: &Delay, group: usize) -> Delay {
        let known = self.equations.variable(delay.result);
        let (name, scalar, is_discrete) = (known.name.clone(), known.scalar, known.is_discrete);
        let name = format!("{name} of what ticks, {}", self.past.delays.len() + 1);
        let result = self.hidden(name, Kind::Given, scalar, is_discrete);
        let now = self.equations.pool.variable(result);
        self.replace_in(groups, group, &[(delay.result, now)].into_iter().collect());
        self.join(groups, group, &[result]);
        Delay { result, ..delay.clone() }
    }

    /// Puts expressions in place of variables in all that belongs to a group.
    fn replace_in(&mut self, groups: &Groups, group: usize, instead: &FxHashMap<VarId, ExprId>) {
        let Equations { pool, dae } = &mut self.equations;
        let mut replaced = Replaced::default();
        let mut replace = |e: &mut ExprId, pool: &mut Pool| {
            *e = pool.substitute_also(*e, &mut replaced, |leaf| match leaf {
                Leaf::Variable(v) => instead.get(&v).copied(),
                Leaf::Time => None,
            });
        };
        let known = groups.n_equations().min(dae.equations.len());
        for (e, row) in dae.equations[..known].iter_mut().enumerate() {
            if groups.equation(EqId(e as u32)) == group {
                replace(&mut row.lhs, pool);
                replace(&mut row.rhs, pool);
            }
        }
        let is_own = |v: VarId| v.index() < groups.n_variables() && groups.variable(v) == group;
        for Reinit { target, value, active, .. } in &mut dae.events.reinits {
            if is_own(*target) {
                replace(value, pool);
                replace(active, pool);
            }
        }
        for delay in &mut dae.events.delays {
            if is_own(delay.result) {
                replace(&mut delay.value, pool);
                replace(&mut delay.by, pool);
            }
        }
        // asserts, effects and ends of the run belong to the group of what else they ask for
        let is_of_group = |e: ExprId, pool: &Pool| pool.variables_of(e).into_iter().any(is_own);
        for assert in &mut dae.asserts {
            if is_of_group(assert.condition, pool) {
                replace(&mut assert.condition, pool);
            }
        }
        for termination in &mut dae.events.terminations {
            if is_of_group(termination.active, pool) {
                replace(&mut termination.active, pool);
            }
        }
        for effect in &mut dae.events.effects {
            let mut values = std::iter::once(effect.active).chain(effect.values());
            if values.any(|e| is_of_group(e, pool)) {
                replace(&mut effect.active, pool);
            }
        }
    }

    /// Variables tick with a group.
    fn join(&mut self, groups: &Groups, group: usize, own: &[VarId]) {
        let mut all = (0..groups.n_variables() as u32).map(VarId);
        let member = all.find(|&v| groups.variable(v) == group && groups.is_clocked(v));
        if let Some(member) = member {
            for &own in own {
                self.equations.dae.clocks.met.push((own, member));
            }
        }
    }

    /// What only ticks asks for makes no events elsewhere.
    fn drop_samples_without_use(&mut self) {
        let Equations { pool, dae } = &mut self.equations;
        let mut all = dae.expressions();
        all.sort_unstable();
        all.dedup();
        let mut used: Vec<VarId> = Vec::new();
        pool.variables_into(&all, &mut used);
        let used: FxHashSet<VarId> = used.into_iter().collect();
        let before = |tick: VarId| {
            let mut all = dae.variables.iter().enumerate();
            all.any(|(v, variable)| {
                variable.kind == Kind::Pre { of: tick } && used.contains(&VarId(v as u32))
            })
        };
        let kept: Vec<bool> = dae
            .events
            .samples
            .iter()
            .map(|sample| used.contains(&sample.tick) || before(sample.tick))
            .collect();
        let mut kept = kept.into_iter();
        dae.events.samples.retain(|_| kept.next().unwrap_or(true));
    }

    /// The result of a `delay` becomes an unknown.
    fn delay(&mut self, delay: Delay) {
        let result = self.equations.variable(delay.result);
        let (name, scalar, is_discrete) = (result.name.clone(), result.scalar, result.is_discrete);
        let origin = &delay.origin;
        let value = self.computed(format!("value of {name}"), delay.value, scalar, is_discrete, origin);
        let by_varies = is_continuous(&self.equations, delay.by);
        let by = self.computed(format!("time of {name}"), delay.by, Scalar::Real, !by_varies, origin);
        let most = self.computed(format!("longest time of {name}"), delay.most, Scalar::Real, true, origin);
        self.equations.dae.variables[delay.result.index()].kind = Kind::Unknown;
        let mut given =
            |what: &str, scalar| self.hidden(format!("{what} of {name}"), Kind::Given, scalar, true);
        let reading = if is_discrete {
            Reading::Steps { is_now: given("presence", Scalar::Boolean), past: given("past", scalar) }
        } else {
            Reading::Line {
                now: [given("share", Scalar::Real), given("slope of the share", Scalar::Real)],
                past: [given("past", Scalar::Real), given("slope of the past", Scalar::Real)],
            }
        };
        let rhs = self.read(&reading, value, delay.varies.then_some(by));
        let lhs = self.equations.pool.variable(delay.result);
        self.push(lhs, rhs, is_discrete, origin);
        for own in reading.given().into_iter().chain([value, by, most]) {
            self.equations.dae.clocks.met.push((own, delay.result));
        }
        self.past.delays.push(DelayAtTicks {
            result: delay.result,
            value,
            by,
            most,
            reading,
            varies: delay.varies,
            origin: delay.origin,
        });
    }

    /// The value read: `(a + b*by)*value + (c + d*by)`, where `by` varies; or the last one before.
    fn read(&mut self, reading: &Reading, value: VarId, by: Option<VarId>) -> ExprId {
        let pool = &mut self.equations.pool;
        let value = pool.variable(value);
        match *reading {
            Reading::Steps { is_now, past } => {
                let (is_now, past) = (pool.variable(is_now), pool.variable(past));
                pool.if_else(is_now, value, past)
            }
            Reading::Line { now, past } => {
                let mut affine = |[constant, slope]: [VarId; 2]| {
                    let constant = pool.variable(constant);
                    let Some(by) = by else { return constant };
                    let (slope, by) = (pool.variable(slope), pool.variable(by));
                    let changed = pool.mul(slope, by);
                    pool.add(constant, changed)
                };
                let (now, past) = (affine(now), affine(past));
                let present = pool.mul(now, value);
                pool.add(present, past)
            }
        }
    }

    /// A hidden unknown that is equal to an expression.
    fn computed(
        &mut self,
        name: String,
        value: ExprId,
        scalar: Scalar,
        is_discrete: bool,
        origin: &Origin,
    ) -> VarId {
        let v = self.hidden(name, Kind::Unknown, scalar, is_discrete);
        let lhs = self.equations.pool.variable(v);
        self.push(lhs, value, is_discrete, origin);
        v
    }

    fn push(&mut self, lhs: ExprId, rhs: ExprId, is_discrete: bool, origin: &Origin) {
        let origin = origin.clone();
        self.equations.dae.equations.push(Equation {
            lhs,
            rhs,
            is_discrete,
            balance: None,
            family: None,
            origin,
        });
    }

    fn hidden(&mut self, name: String, kind: Kind, scalar: Scalar, is_discrete: bool) -> VarId {
        let variable = Variable { is_hidden: true, scalar, is_discrete, ..Variable::new(name, kind) };
        self.equations.dae.variables.push(variable);
        VarId(self.equations.variables.len() as u32 - 1)
    }
}

/// Whether an expression may change between events.
fn is_continuous(equations: &Equations, e: ExprId) -> bool {
    equations.pool.below(&[e]).into_iter().any(|e| match equations.pool.node(e) {
        Node::Time => true,
        Node::Variable(v) => {
            let variable = equations.variable(v);
            !variable.is_discrete && !variable.is_parameter()
        }
        _ => false,
    })
}
