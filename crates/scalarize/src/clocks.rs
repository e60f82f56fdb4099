//! Clocks (MLS chapter 16): their definitions, and values that go from one to another.
//!
//! A clock has no value; it is noted beside the equations. A value that comes from another clock is a given variable, tied by a
//! conversion to the variable it comes from, so that no equation holds variables of two clocks.

use rhei_equations::{
    Asked, Clock, ClockId, Conversion, Definition, EqId, Equation, ExprId, Kind, Measured, Node, Origin,
    Passage, Rate, Scalar as ScalarType, StateSelect, VarId as ScalarId,
};
use rhei_flat::{Builtin, Expr, ExprKind, Flat, Scalar, VarId, WhenBranch};
use rhei_source::Span;
use rustc_hash::FxHashMap;

use crate::data::offset;
use crate::element::{Elements, Indices, not_supported};
use crate::events::LONGEST_NAME;
use crate::mistake::Mistake;
use crate::variables;

/// How many equations, asserts and `reinit`s there are.
#[derive(Clone, Copy)]
pub(crate) struct Written {
    equations: usize,
    asserts: usize,
    reinits: usize,
}

/// For each clock variable of the flat model, the first of its elements.
pub(crate) type ClockPlaces = FxHashMap<VarId, u32>;

/// Declares all clocks.
pub(crate) fn declare(flat: &Flat, out: &mut rhei_equations::Equations) -> ClockPlaces {
    let mut places = ClockPlaces::default();
    for (v, variable) in flat.iter_variables().filter(|(_, variable)| variable.ty.scalar == Scalar::Clock) {
        places.insert(v, out.clocks.clocks.len() as u32);
        for indices in Indices::of(&variable.ty.known_sizes().unwrap_or_default()) {
            let from_one: Vec<usize> = indices.iter().map(|i| i + 1).collect();
            let origin = Origin { span: Some(variable.span), ..Origin::default() };
            out.clocks.push(Clock {
                name: variable.name.element(&from_one).into(),
                definition: None,
                origin,
            });
        }
    }
    places
}

impl Elements<'_> {
    /// `lhs = rhs` between clocks.
    pub(crate) fn same_clocks(&mut self, lhs: &Expr, rhs: &Expr) -> Result<(), Mistake> {
        for indices in Indices::of(&self.sizes(lhs)?) {
            let pair = (self.clock(lhs, &indices)?, self.clock(rhs, &indices)?);
            self.out.clocks.same.push(pair);
        }
        Ok(())
    }

    /// The clock that an expression is, at these indices.
    fn clock(&mut self, e: &Expr, indices: &[usize]) -> Result<ClockId, Mistake> {
        match &e.kind {
            ExprKind::Variable(v, subscripts) => {
                let sizes = self.sizes_of_variable(*v, e.span)?;
                let name = self.flat.variable(*v).name.to_string();
                let chosen = self.indices_of(subscripts, &sizes, indices, &name)?;
                let known = chosen.iter().map(|index| index.known());
                let Some(known) = known.collect::<Option<Vec<usize>>>() else {
                    return Err(not_supported("a clock that is chosen during the run", e.span));
                };
                let first = self.clock_places.get(v).copied();
                let first = first.ok_or_else(|| not_supported("this clock", e.span))?;
                Ok(ClockId(first + offset(&sizes, &known) as u32))
            }
            ExprKind::If(condition, a, b) => {
                let condition = self.condition(condition)?;
                match self.out.pool.node(condition) {
                    Node::Truth(true) => self.clock(a, indices),
                    Node::Truth(false) => self.clock(b, indices),
                    _ => Err(not_supported("a clock that is chosen during the run", e.span)),
                }
            }
            ExprKind::Array(elements) => self.clock(&elements[indices[0]], &indices[1..]),
            ExprKind::Call(Builtin::Clock, arguments) => {
                let definition = self.definition(arguments, e.span)?;
                Ok(self.new_clock("Clock", arguments, definition, e.span))
            }
            ExprKind::Call(builtin, arguments) => {
                let Some(rate) = self.rate(*builtin, arguments)? else {
                    return Err(not_supported("this as a clock", e.span));
                };
                let from = self.clock(&arguments[0], indices)?;
                let definition = Some(Definition::Converted { from, rate });
                Ok(self.new_clock(builtin.name(), arguments, definition, e.span))
            }
            _ => Err(not_supported("this as a clock", e.span)),
        }
    }

    fn new_clock(
        &mut self,
        function: &str,
        arguments: &[Expr],
        definition: Option<Definition>,
        span: Span,
    ) -> ClockId {
        let name = match &definition {
            Some(Definition::Rational { counter, resolution: 1 }) => format!("Clock({counter})"),
            Some(Definition::Rational { counter, resolution }) => format!("Clock({counter}, {resolution})"),
            Some(Definition::Converted { from, .. }) => {
                format!("{function}({}, …)", self.out.clocks.clocks[from.index()].name)
            }
            Some(Definition::Solver { from, method }) => {
                format!("Clock({}, \"{method}\")", self.out.clocks.clocks[from.index()].name)
            }
            _ if arguments.is_empty() => "Clock()".into(),
            _ => "Clock(…)".into(),
        };
        let origin = Origin { span: Some(span), ..Origin::default() };
        self.out.clocks.push(Clock { name, definition, origin })
    }

    /// The clock that the arguments of `Clock` define; nothing if it is inferred (MLS §16.3).
    fn definition(&mut self, arguments: &[Expr], span: Span) -> Result<Option<Definition>, Mistake> {
        let second = arguments.get(1);
        let Some(first) = arguments.first() else { return Ok(None) };
        Ok(match first.ty.scalar {
            Scalar::Clock => {
                let from = self.clock(first, &[])?;
                let method = second.map(|method| self.text(method)).transpose()?;
                let method = method.map_or_else(String::new, |method| method.to_string());
                Some(Definition::Solver { from, method })
            }
            Scalar::Boolean => {
                let before = self.out.equations.len();
                let (condition, vanished) = self.element_elsewhere(first, &[])?;
                let condition = self.as_variable(condition, ScalarType::Boolean, "condition", span);
                self.vanished_beside(condition, vanished);
                self.apart.extend(before..self.out.equations.len());
                let start_interval = match second {
                    Some(interval) => self.element(interval, &[])?,
                    None => self.out.pool.number(0.0),
                };
                let start_interval = self.as_parameter(start_interval, "first interval", span)?;
                Some(Definition::Event { condition, start_interval })
            }
            Scalar::Integer => {
                let resolution = second.map_or(Ok(1), |resolution| self.settled_whole(resolution))?;
                if resolution < 1 {
                    return Err(Mistake::ClockNotPositive { what: "resolution", value: resolution, span });
                }
                match self.settled_whole(first) {
                    Ok(0) => None,
                    Ok(counter) if counter < 0 => {
                        let what = "interval counter";
                        return Err(Mistake::ClockNotPositive { what, value: counter, span });
                    }
                    Ok(counter) => Some(Definition::Rational { counter, resolution }),
                    Err(_) => {
                        let counter = self.element(first, &[])?;
                        let counter = self.as_variable(counter, ScalarType::Integer, "counter", span);
                        Some(Definition::Counter { counter, resolution })
                    }
                }
            }
            _ => {
                let interval = self.element(first, &[])?;
                if self.is_steady(interval) {
                    Some(Definition::Interval(self.as_parameter(interval, "interval", span)?))
                } else {
                    let interval = self.as_variable(interval, ScalarType::Real, "interval", span);
                    Some(Definition::Varying(interval))
                }
            }
        })
    }

    /// How an operator makes one clock from another.
    fn rate(&mut self, builtin: Builtin, arguments: &[Expr]) -> Result<Option<Rate>, Mistake> {
        let mut number = |place: usize, default: i64, least: i64, what: &'static str| {
            let Some(argument) = arguments.get(place) else { return Ok(default) };
            let value = self.settled_whole(argument)?;
            if value < least {
                return Err(Mistake::ClockNotPositive { what, value, span: argument.span });
            }
            Ok(value)
        };
        Ok(Some(match builtin {
            Builtin::SubSample => Rate::SubSample(number(1, 0, 0, "factor")?),
            Builtin::SuperSample => Rate::SuperSample(number(1, 0, 0, "factor")?),
            Builtin::ShiftSample => Rate::ShiftSample {
                counter: number(1, 0, 0, "counter")?,
                resolution: number(2, 1, 1, "resolution")?,
            },
            Builtin::BackSample => Rate::BackSample {
                counter: number(1, 0, 0, "counter")?,
                resolution: number(2, 1, 1, "resolution")?,
            },
            Builtin::NoClock => Rate::NoClock,
            _ => return Ok(None),
        }))
    }

    /// Operators about clocks; nothing for other functions.
    pub(crate) fn clock_operator(
        &mut self,
        builtin: Builtin,
        arguments: &[Expr],
        indices: &[usize],
        span: Span,
    ) -> Result<Option<ExprId>, Mistake> {
        let passage = match (builtin, arguments) {
            (Builtin::Sample, [_]) => Passage::Sample(None),
            (Builtin::Sample, [_, clock]) if clock.ty.scalar == Scalar::Clock => {
                Passage::Sample(Some(self.clock(clock, &[])?))
            }
            (Builtin::Hold, [_]) => Passage::Hold,
            (Builtin::Previous, [of]) => {
                let previous = self.previous(of, indices)?;
                for v in self.out.pool.variables_of(previous) {
                    if matches!(self.out.variable(v).kind, Kind::Pre { .. }) && self.asked_before.insert(v) {
                        self.out.clocks.previous.push(v);
                    }
                }
                return Ok(Some(previous));
            }
            (Builtin::Interval | Builtin::FirstTick, of) => {
                return self.ask(builtin, of, span).map(Some);
            }
            _ => match self.rate(builtin, arguments)? {
                Some(rate) => Passage::Between(rate),
                None => return Ok(None),
            },
        };
        let argument = &arguments[0];
        let scalar = variables::scalar(argument.ty.scalar)
            .ok_or_else(|| not_supported(&format!("`{}` of this", builtin.name()), span))?;
        // relations between sampled values stand outside; those inside make events as elsewhere
        let first = self.out.equations.len();
        let (value, vanished) = self.element_elsewhere(argument, indices)?;
        if passage == Passage::Hold && self.is_steady(value) {
            return Ok(Some(value));
        }
        let argument = self.as_variable(value, scalar, "value", span);
        self.vanished_beside(argument, vanished);
        self.apart.extend(first..self.out.equations.len());
        let name = self.name_of(builtin.name(), value);
        let result = self.hidden(name, Kind::Given, scalar, span);
        self.out.variables[result.index()].start = self.out.variable(argument).start;
        let origin = Origin { span: Some(span), ..Origin::default() };
        self.out.clocks.conversions.push(Conversion { argument, result, passage, origin });
        Ok(Some(self.out.pool.variable(result)))
    }

    /// An element on another clock than the equation around it, with the operands that vanished from it.
    fn element_elsewhere(&mut self, e: &Expr, indices: &[usize]) -> Result<(ExprId, Vec<ExprId>), Mistake> {
        let around = self.out.pool.swap_vanished(Vec::new());
        let value = self.element(e, indices)?;
        Ok((value, self.out.pool.swap_vanished(around)))
    }

    fn vanished_beside(&mut self, v: ScalarId, vanished: Vec<ExprId>) {
        let e = self.out.pool.variable(v);
        self.met.extend(vanished.into_iter().map(|vanished| (e, vanished)));
    }

    /// The operands that vanished from an equation, its sides being these, tick with the others.
    pub(crate) fn vanished_from(&mut self, sides: &[ExprId]) {
        for vanished in self.out.pool.swap_vanished(Vec::new()) {
            self.met.extend(sides.iter().map(|&side| (side, vanished)));
        }
    }

    /// The same for all equations written since then.
    pub(crate) fn vanished_since(&mut self, since: Written) {
        let new = (since.equations..self.out.equations.len()).filter(|i| !self.apart.contains(i));
        let sides: Vec<ExprId> = new
            .flat_map(|i| {
                let Equation { lhs, rhs, .. } = self.out.equations[i];
                [lhs, rhs]
            })
            .collect();
        self.vanished_from(&sides);
    }

    /// Which variables have met in an equation that does not show it any more (MLS §16.7.2: partitions follow from the text).
    pub(crate) fn note_met(&mut self) {
        self.out.pool.forget_vanished();
        let met = std::mem::take(&mut self.met);
        if self.out.clocks.is_empty() {
            return;
        }
        let is_unknown = |v: &ScalarId| !self.out.variable(*v).is_parameter();
        let mut pairs = Vec::new();
        for (side, vanished) in met {
            let first = self.out.pool.variables_of(side).into_iter().find(is_unknown);
            let others = self.out.pool.variables_of(vanished).into_iter().filter(is_unknown);
            if let Some(first) = first {
                pairs.extend(others.map(|other| (first, other)));
            }
        }
        self.out.clocks.met = pairs;
    }

    fn ask(&mut self, builtin: Builtin, of: &[Expr], span: Span) -> Result<ExprId, Mistake> {
        let mut variables = Vec::new();
        for e in of {
            for indices in Indices::of(&self.sizes(e)?) {
                let value = self.element(e, &indices)?;
                variables.extend(self.out.pool.variables_of(value));
            }
        }
        let name = self.unused(format!("{}()", builtin.name()));
        let scalar = if builtin == Builtin::Interval { ScalarType::Real } else { ScalarType::Boolean };
        let result = self.hidden(name, Kind::Given, scalar, span);
        let origin = Origin { span: Some(span), ..Origin::default() };
        let asked = Asked { result, of: variables, origin };
        let clocks = &mut self.out.clocks;
        if builtin == Builtin::Interval { &mut clocks.intervals } else { &mut clocks.first_ticks }
            .push(asked);
        Ok(self.out.pool.variable(result))
    }

    /// The variable that a value is, or one with an equation of its own (MLS §16.7.1).
    fn as_variable(&mut self, value: ExprId, scalar: ScalarType, role: &str, span: Span) -> ScalarId {
        if let Node::Variable(v) = self.out.pool.node(value)
            && self.out.variable(v).is_unknown()
        {
            return v;
        }
        let name = self.name_of(&format!("the {role} of"), value);
        let v = self.hidden(name, Kind::Unknown, scalar, span);
        let is_discrete = scalar != ScalarType::Real;
        self.out.variables[v.index()].is_discrete = is_discrete;
        let lhs = self.out.pool.variable(v);
        let origin = Origin { span: Some(span), ..Origin::default() };
        self.out.equations.push(Equation {
            lhs,
            rhs: value,
            is_discrete,
            balance: None,
            family: None,
            origin,
        });
        v
    }

    /// `function(value)`, for a hidden variable.
    fn name_of(&mut self, function: &str, value: ExprId) -> String {
        let text = self.out.notation().expression(value);
        let text = match text.char_indices().nth(LONGEST_NAME) {
            None => text,
            Some((end, _)) => format!("{}…", &text[..end]),
        };
        self.unused(format!("{function}({text})"))
    }

    /// This name, or with a number behind it where it is taken.
    fn unused(&mut self, name: String) -> String {
        let count = self.names.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { name } else { format!("{name} #{count}") }
    }

    /// A value that does not vary, as a parameter.
    fn as_parameter(&mut self, value: ExprId, role: &str, span: Span) -> Result<ScalarId, Mistake> {
        if !self.is_steady(value) {
            return Err(not_supported("an interval that varies here", span));
        }
        let name = self.name_of(&format!("the {role} of a clock:"), value);
        let v = self.hidden(name, Kind::Parameter, ScalarType::Real, span);
        let variable = &mut self.out.variables[v.index()];
        (variable.binding, variable.fixed, variable.is_discrete) = (Some(value), true, false);
        Ok(v)
    }

    /// `when clock then …`: its equations are as any other, and tick with the clock (MLS §16.6).
    pub(crate) fn clock_of_when(&mut self, branches: &[WhenBranch]) -> Result<Option<ClockId>, Mistake> {
        match branches {
            [branch] if branch.condition.ty.scalar == Scalar::Clock => {
                self.clock(&branch.condition, &[]).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// How much is written so far.
    pub(crate) fn written(&self) -> Written {
        let (equations, asserts) = (self.out.equations.len(), self.out.asserts.len());
        Written { equations, asserts, reinits: self.out.events.reinits.len() }
    }

    /// Assigns a clock to all equations, asserts and reinits written since then, but for equations of values from
    /// elsewhere.
    pub(crate) fn put_on_clock(&mut self, since: Written, clock: ClockId) {
        let asserted = self.out.asserts[since.asserts..].iter().map(|assert| assert.condition);
        let asserted = asserted.flat_map(|condition| self.out.pool.variables_of(condition));
        let set = self.out.events.reinits[since.reinits..].iter().map(|reinit| reinit.target);
        let with: Vec<(ScalarId, ClockId)> = asserted.chain(set).map(|v| (v, clock)).collect();
        self.out.clocks.with.extend(with);
        let new = (since.equations..self.out.equations.len()).filter(|i| !self.apart.contains(i));
        self.out.clocks.on.extend(new.map(|i| (EqId(i as u32), clock)));
    }

    /// `x = reinit(value)` as the whole declaration equation: a state that is measured at each tick.
    pub(crate) fn measure(&mut self, v: VarId, value: &Expr, origin: &Origin) -> Result<(), Mistake> {
        let sizes = self.sizes_of_variable(v, value.span)?;
        for indices in Indices::of(&sizes) {
            let value = self.element_or_each(value, &indices)?;
            let Some(variable) = self.places.element(v, offset(&sizes, &indices)) else { continue };
            let vanished = self.out.pool.swap_vanished(Vec::new());
            self.vanished_beside(variable, vanished);
            let measured = &mut self.out.variables[variable.index()];
            // which is refused where its partition is solved
            if measured.select != StateSelect::Never {
                measured.select = StateSelect::Always;
            }
            self.out.clocks.measured.push(Measured { variable, value, origin: origin.clone() });
        }
        Ok(())
    }
}
