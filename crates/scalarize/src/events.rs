//! Sources of events (MLS §8.5, §3.7.5): relations and whole numbers that are held between them, `sample`, `pre` and its kin.

use rhei_equations::{
    Border, Crossing, Elementary, Equation, ExprId, Kind, Leaf, Node, Origin, Sample, Scalar as ScalarType,
    VarId as ScalarId, Variable as ScalarVariable, Whole,
};
use rhei_flat::{Builtin, Expr, Relation, Scalar};
use rhei_source::Span;
use rustc_hash::FxHashMap;

use crate::element::{Elements, not_supported};
use crate::mistake::Mistake;

/// Names of hidden variables are cut to about so many characters.
pub(crate) const LONGEST_NAME: usize = 60;

impl Elements<'_> {
    /// A relation: held between events if it compares continuous variables.
    pub(crate) fn relation(
        &mut self,
        relation: Relation,
        a: &Expr,
        b: &Expr,
        span: Span,
    ) -> Result<ExprId, Mistake> {
        if a.ty.scalar == Scalar::String {
            let equal = self.text(a)? == self.text(b)?;
            return Ok(self.out.pool.truth(equal == (relation == Relation::Equal)));
        }
        let (x, y) = (self.element(a, &[])?, self.element(b, &[])?);
        Ok(self.compare(relation, x, y, span))
    }

    fn compare(&mut self, relation: Relation, x: ExprId, y: ExprId, span: Span) -> ExprId {
        let whole = self.out.pool.relation(relation, x, y);
        let is_event = !matches!(relation, Relation::Equal | Relation::NotEqual)
            && self.without_events == 0
            && self.is_continuous(whole);
        if !is_event {
            return whole;
        }
        if let Some(&held) = self.held.get(&whole) {
            return self.out.pool.variable(held);
        }
        let difference = self.out.pool.sub(x, y);
        let held = match self.time_border(difference) {
            Some((at, rises)) => self.hold_time(whole, relation, at, rises, span),
            None => {
                let (held, nudge) = self.new_held(whole, ScalarType::Boolean, span);
                let (nudge_value, zero) = (self.out.pool.variable(nudge), self.out.pool.number(0.0));
                let nudged = self.out.pool.add(difference, nudge_value);
                let value = self.out.pool.relation(relation, nudged, zero);
                self.hold(held, nudge, value, Border::Zero { difference, relation }, span);
                held
            }
        };
        self.held.insert(whole, held);
        self.out.pool.variable(held)
    }

    /// For a `difference` that is a number times time plus terms that are known between events: the time at which it
    /// is zero, and whether it rises there.
    fn time_border(&mut self, difference: ExprId) -> Option<(ExprId, bool)> {
        let (zero, one) = (self.out.pool.number(0.0), self.out.pool.number(1.0));
        let slope = self.out.pool.differentiate(difference, |_, leaf| match leaf {
            Leaf::Time => one,
            Leaf::Variable(_) => zero,
        });
        let slope_number = self.out.pool.as_number(slope.ok()?).filter(|&slope| slope != 0.0)?;
        let rest = self.out.pool.substitute(difference, |leaf| (leaf == Leaf::Time).then_some(zero));
        if self.is_continuous(rest) {
            return None;
        }
        let slope = self.out.pool.number(-slope_number);
        Some((self.out.pool.div(rest, slope), slope_number > 0.0))
    }

    /// A relation with time switches exactly when its border is reached, whether or not it holds at equality.
    fn hold_time(
        &mut self,
        whole: ExprId,
        relation: Relation,
        at: ExprId,
        rises: bool,
        span: Span,
    ) -> ScalarId {
        let (held, nudge) = self.new_held(whole, ScalarType::Boolean, span);
        let time = self.out.pool.time();
        let mut reached = self.out.pool.relation(Relation::GreaterEqual, time, at);
        // `time > at` and `time <= at` at a start time of `at`: they have their values while the run is initialised, and switch
        // at the event of the start
        if matches!(relation, Relation::Greater | Relation::LessEqual) == rises {
            let flag = self.initial_flag(span);
            let is_start = self.out.pool.variable(flag);
            let passed = self.out.pool.relation(Relation::Greater, time, at);
            reached = self.out.pool.if_else(is_start, passed, reached);
        }
        let is_greater = matches!(relation, Relation::Greater | Relation::GreaterEqual);
        let value = if is_greater == rises { reached } else { self.out.pool.not(reached) };
        self.hold(held, nudge, value, Border::Time { at }, span);
        held
    }

    /// The largest whole number not above `x`, held between events.
    fn held_floor(&mut self, x: ExprId, span: Span) -> ExprId {
        let literal = self.out.pool.call(Elementary::Floor, x);
        if self.without_events > 0 || !self.is_continuous(x) {
            return literal;
        }
        let held = match self.held.get(&literal) {
            Some(&held) => held,
            None => {
                let (held, nudge) = self.new_held(literal, ScalarType::Integer, span);
                let nudge_value = self.out.pool.variable(nudge);
                let nudged = self.out.pool.add(x, nudge_value);
                let value = self.out.pool.call(Elementary::Floor, nudged);
                self.hold(held, nudge, value, Border::Whole { value: x }, span);
                self.held.insert(literal, held);
                held
            }
        };
        self.out.pool.variable(held)
    }

    /// The whole number next to `x` towards zero.
    fn held_truncated(&mut self, x: ExprId, span: Span) -> ExprId {
        if self.without_events > 0 || !self.is_continuous(x) {
            return self.out.pool.call(Elementary::Truncate, x);
        }
        let zero = self.out.pool.number(0.0);
        let (below, minus) = (self.held_floor(x, span), self.out.pool.negate(x));
        let above = self.held_floor(minus, span);
        let above = self.out.pool.negate(above);
        // both agree at zero: the sign needs no event of its own
        let is_positive = self.out.pool.relation(Relation::GreaterEqual, below, zero);
        self.out.pool.if_else(is_positive, below, above)
    }

    fn new_held(&mut self, what: ExprId, scalar: ScalarType, span: Span) -> (ScalarId, ScalarId) {
        let whole = self.out.notation().expression(what);
        let name = match whole.char_indices().nth(LONGEST_NAME) {
            None => format!("({whole})"),
            Some((end, _)) => format!("({}…)#{}", &whole[..end], self.out.events.crossings.len() + 1),
        };
        let nudge = self.hidden(format!("nudge {name}"), Kind::Given, ScalarType::Real, span);
        (self.hidden(name, Kind::Unknown, scalar, span), nudge)
    }

    fn hold(&mut self, held: ScalarId, nudge: ScalarId, value: ExprId, border: Border, span: Span) {
        let origin = Origin { span: Some(span), ..Origin::default() };
        let lhs = self.out.pool.variable(held);
        let equation = Equation {
            lhs,
            rhs: value,
            is_discrete: true,
            balance: None,
            family: None,
            origin: origin.clone(),
        };
        self.out.equations.push(equation);
        self.out.events.crossings.push(Crossing { held, nudge, border, is_followed: false, origin });
    }

    /// A variable that only the passes know of.
    pub(crate) fn hidden(&mut self, name: String, kind: Kind, scalar: ScalarType, span: Span) -> ScalarId {
        let mut variable = ScalarVariable::new(name, kind);
        variable.scalar = scalar;
        variable.is_discrete = true;
        variable.is_hidden = true;
        variable.span = Some(span);
        self.out.variables.push(variable);
        ScalarId(self.out.variables.len() as u32 - 1)
    }

    /// Whether an expression may change between events.
    pub(crate) fn is_continuous(&self, e: ExprId) -> bool {
        self.out.pool.below(&[e]).into_iter().any(|e| match self.out.pool.node(e) {
            Node::Time => true,
            Node::Variable(v) => {
                let variable = self.out.variable(v);
                !variable.is_discrete && !variable.is_parameter()
            }
            _ => false,
        })
    }

    /// Whether an expression is the same during the whole run.
    pub(crate) fn is_steady(&self, e: ExprId) -> bool {
        self.out.pool.below(&[e]).into_iter().all(|e| match self.out.pool.node(e) {
            Node::Time => false,
            Node::Variable(v) => self.out.variable(v).is_parameter(),
            _ => true,
        })
    }

    /// Operators about events, derivatives and starts; nothing for other functions.
    pub(crate) fn event_operator(
        &mut self,
        builtin: Builtin,
        arguments: &[Expr],
        indices: &[usize],
        span: Span,
    ) -> Result<Option<ExprId>, Mistake> {
        Ok(Some(match builtin {
            Builtin::Der => {
                let inner = self.element(&arguments[0], indices)?;
                self.derivative(inner, span)?
            }
            // smooth expressions need no events either (MLS §3.7.5)
            Builtin::NoEvent | Builtin::Smooth => {
                self.without_events += 1;
                let element = self.element(&arguments[arguments.len() - 1], indices);
                self.without_events -= 1;
                element?
            }
            Builtin::Homotopy => {
                let actual = self.element_or_each(&arguments[0], indices)?;
                let simplified = self.element_or_each(&arguments[1], indices)?;
                self.homotopy(actual, simplified, span)
            }
            Builtin::SemiLinear => {
                let [x, positive, negative] = arguments else {
                    return Err(not_supported("`semiLinear` with these arguments", span));
                };
                let x = self.element_or_each(x, indices)?;
                let a = self.element_or_each(positive, indices)?;
                let b = self.element_or_each(negative, indices)?;
                let zero = self.out.pool.number(0.0);
                let is_positive = self.compare(Relation::GreaterEqual, x, zero, span);
                let (a, b) = (self.out.pool.mul(a, x), self.out.pool.mul(b, x));
                self.out.pool.if_else(is_positive, a, b)
            }
            Builtin::Initial => {
                let flag = self.initial_flag(span);
                self.out.pool.variable(flag)
            }
            Builtin::Terminal => {
                let flag = match self.out.events.terminal {
                    Some(flag) => flag,
                    None => {
                        let flag = self.hidden("terminal()".into(), Kind::Given, ScalarType::Boolean, span);
                        self.out.events.terminal = Some(flag);
                        flag
                    }
                };
                self.out.pool.variable(flag)
            }
            Builtin::Sample if arguments.len() == 2 && arguments[1].ty.scalar != Scalar::Clock => {
                self.sample(&arguments[0], &arguments[1], span)?
            }
            Builtin::Delay => self.delay(arguments, indices, span)?,
            Builtin::SpatialDistribution => self.transport(arguments, indices, span)?[0],
            Builtin::Pre => self.previous(&arguments[0], indices)?,
            Builtin::Edge => {
                let (now, before) =
                    (self.element(&arguments[0], indices)?, self.previous(&arguments[0], indices)?);
                let before = self.out.pool.not(before);
                self.out.pool.and(now, before)
            }
            Builtin::Change => {
                let (now, before) =
                    (self.element(&arguments[0], indices)?, self.previous(&arguments[0], indices)?);
                self.out.pool.relation(Relation::NotEqual, now, before)
            }
            Builtin::Integer if arguments[0].ty.scalar == Scalar::Integer => {
                self.element_or_each(&arguments[0], indices)?
            }
            Builtin::Elementary(Elementary::Floor) | Builtin::Integer => {
                let x = self.element_or_each(&arguments[0], indices)?;
                let floor = self.held_floor(x, span);
                match builtin {
                    Builtin::Integer => self.out.pool.whole(Whole::OfReal, floor, floor),
                    _ => floor,
                }
            }
            Builtin::Elementary(Elementary::Ceil) => {
                let x = self.element_or_each(&arguments[0], indices)?;
                let minus = self.out.pool.negate(x);
                let floor = self.held_floor(minus, span);
                self.out.pool.negate(floor)
            }
            Builtin::Div | Builtin::Mod | Builtin::Rem
                if is_whole(&arguments[0]) && is_whole(&arguments[1]) =>
            {
                let x = self.element_or_each(&arguments[0], indices)?;
                let y = self.element_or_each(&arguments[1], indices)?;
                let op = match builtin {
                    Builtin::Div => Whole::Quotient,
                    Builtin::Mod => Whole::Modulo,
                    _ => Whole::Remainder,
                };
                self.out.pool.whole(op, x, y)
            }
            Builtin::Div | Builtin::Mod | Builtin::Rem => {
                let x = self.element_or_each(&arguments[0], indices)?;
                let y = self.element_or_each(&arguments[1], indices)?;
                let ratio = self.out.pool.div(x, y);
                let whole = match builtin {
                    Builtin::Mod => self.held_floor(ratio, span),
                    _ => self.held_truncated(ratio, span),
                };
                if builtin == Builtin::Div {
                    whole
                } else {
                    let taken = self.out.pool.mul(whole, y);
                    self.out.pool.sub(x, taken)
                }
            }
            _ => return Ok(None),
        }))
    }

    /// The variable that is true during the start.
    pub(crate) fn initial_flag(&mut self, span: Span) -> ScalarId {
        if let Some(flag) = self.out.events.initial {
            return flag;
        }
        let flag = self.hidden("initial()".into(), Kind::Given, ScalarType::Boolean, span);
        self.out.events.initial = Some(flag);
        flag
    }

    /// The actual formula, unless a hard start makes its way from the simplified one (MLS §3.7.4).
    fn homotopy(&mut self, actual: ExprId, simplified: ExprId, span: Span) -> ExprId {
        if actual == simplified {
            return actual;
        }
        let way = match self.out.events.homotopy {
            Some(way) => way,
            None => {
                let way = self.hidden("homotopy".into(), Kind::Given, ScalarType::Real, span);
                self.out.events.homotopy = Some(way);
                way
            }
        };
        let pool = &mut self.out.pool;
        let (way, one) = (pool.variable(way), pool.number(1.0));
        let left = pool.sub(one, way);
        let (by_actual, by_simplified) = (pool.mul(way, actual), pool.mul(left, simplified));
        pool.add(by_actual, by_simplified)
    }

    fn sample(&mut self, start: &Expr, interval: &Expr, span: Span) -> Result<ExprId, Mistake> {
        let start = self.steady(start, "the start of `sample`")?;
        let interval = self.steady(interval, "the interval of `sample`")?;
        let known =
            self.out.events.samples.iter().find(|known| (known.start, known.interval) == (start, interval));
        let tick = match known {
            Some(known) => known.tick,
            None => {
                let name = format!("sample {}", self.out.events.samples.len() + 1);
                let tick = self.hidden(name, Kind::Given, ScalarType::Boolean, span);
                let origin = Origin { span: Some(span), ..Origin::default() };
                self.out.events.samples.push(Sample { tick, start, interval, origin });
                tick
            }
        };
        Ok(self.out.pool.variable(tick))
    }

    /// `pre(v)`
    pub(crate) fn previous(&mut self, v: &Expr, indices: &[usize]) -> Result<ExprId, Mistake> {
        // the variable itself, not its assigned value so far
        let assigned = std::mem::take(&mut self.assigned);
        let now = self.element(v, indices);
        self.assigned = assigned;
        Ok(self.previous_of_value(now?, v.span))
    }

    /// The value of a variable before the event; of an expression of variables, that of theirs.
    pub(crate) fn previous_of_value(&mut self, now: ExprId, span: Span) -> ExprId {
        let mut with: FxHashMap<ScalarId, ExprId> = FxHashMap::default();
        for v in self.out.pool.variables_of(now) {
            let variable = self.out.variable(v);
            if !variable.is_unknown() && variable.kind != Kind::Given {
                continue;
            }
            let previous = match self.previous_of.get(&v) {
                Some(&previous) => previous,
                None => {
                    let (name, scalar) = (format!("pre({})", variable.name), variable.scalar);
                    let start = variable.start;
                    let previous = self.hidden(name, Kind::Pre { of: v }, scalar, span);
                    self.out.variables[previous.index()].start = start;
                    self.previous_of.insert(v, previous);
                    previous
                }
            };
            with.insert(v, self.out.pool.variable(previous));
        }
        self.out.pool.substitute(now, |leaf| match leaf {
            Leaf::Variable(v) => with.get(&v).copied(),
            Leaf::Time => None,
        })
    }
}

fn is_whole(e: &Expr) -> bool {
    e.ty.scalar == Scalar::Integer
}
