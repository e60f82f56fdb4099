//! Effects beside the equations (MLS §8.3.7, §8.3.8, §12.3): `assert`, `terminate`, `reinit`, and functions that are called for
//! their effect.
//!
//! A function that is a formula is executed on formulas; only its asserts remain, which become those of the model. Others are
//! [`Effect`]s: the run calls them at the points that count. Asserts and effects inside a function that is put in place of
//! its calls are kept with it ([`Inside`]), and taken over by each call under the conditions of that call.

use rhei_equations::{
    ASSERTION_WARNING, Argument, Assert, Effect, Equation, ExprId, Kind, Level, Moment, Node, Origin, Reinit,
    Scalar as ScalarType, Termination, Text, Within,
};
use rhei_external::{is_known, speaks};
use rhei_flat::{Builtin, Expr, ExprKind, Flat, Function, FunctionId, Inline, NamePart, Scalar, VarId};
use rhei_source::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::element::{Elements, Indices, not_supported};
use crate::mistake::Mistake;

/// An assert or effect inside a function that is put in place of its calls.
#[derive(Clone, Debug)]
pub(crate) enum Inside {
    Assert { condition: ExprId, message: Text, level: Level, span: Span, function: SmolStr },
    Effect { function: FunctionId, arguments: Vec<Argument>, active: Option<ExprId>, span: Span },
}

/// Place in the model.
#[derive(Clone, Debug)]
pub(crate) enum Here {
    /// In an equation or algorithm of this component.
    Component(SmolStr),
    /// In the declaration of a variable.
    Declaration(VarId),
}

impl Default for Here {
    fn default() -> Here {
        Here::Component(SmolStr::default())
    }
}

/// Identity of an assert or effect: an array expression is taken apart once for each of its elements, and each time finds the
/// same ones inside.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Said {
    span: Span,
    call: Span,
    moment: Moment,
    values: Vec<ExprId>,
    statement: u32,
}

/// Output of a function beside its results.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Speech {
    /// Nothing but asserts that end the run.
    Silent,
    /// It prints, or warns.
    Speaks,
    /// It calls code that is not at hand.
    Without(SmolStr),
}

impl Elements<'_> {
    /// A call that stands alone.
    pub(crate) fn effect(&mut self, call: &Expr, span: Span) -> Result<(), Mistake> {
        let origin = Origin { span: Some(span), component: self.component(), ..Origin::default() };
        match &call.kind {
            ExprKind::Call(Builtin::Assert, arguments) => self.assert(arguments, span),
            ExprKind::Call(Builtin::Terminate, arguments) => {
                let message = self.message(&arguments[0]);
                let always = self.out.pool.truth(true);
                let mut active = self.guard().unwrap_or(always);
                if self.at_start {
                    let flag = self.initial_flag(span);
                    let start = self.out.pool.variable(flag);
                    active = self.out.pool.and(start, active);
                }
                let active = self.at_ticks(active, span);
                self.out.events.terminations.push(Termination { active, message, origin });
                Ok(())
            }
            ExprKind::Call(Builtin::Reinit, arguments) => {
                let Some(active) = self.guard() else {
                    return Err(not_supported("`reinit` outside a `when`", span));
                };
                for indices in Indices::of(&self.sizes(&arguments[0])?) {
                    let target = self.element(&arguments[0], &indices)?;
                    let value = self.element_or_each(&arguments[1], &indices)?;
                    let Node::Variable(target) = self.out.pool.node(target) else {
                        return Err(not_supported("`reinit` of what is no variable", span));
                    };
                    let origin = origin.clone();
                    self.out.events.reinits.push(Reinit { target, value, active, origin });
                }
                Ok(())
            }
            ExprKind::Apply(function, arguments) => {
                self.statements += 1;
                let around = std::mem::replace(&mut self.statement, self.statements);
                self.without_events += 1;
                let done = self.performed(*function, arguments, call);
                self.without_events -= 1;
                self.statement = around;
                done
            }
            ExprKind::Call(builtin, _) => {
                Err(not_supported(&format!("`{}` as a statement", builtin.name()), span))
            }
            _ => Err(not_supported("this call", span)),
        }
    }

    fn assert(&mut self, arguments: &[Expr], span: Span) -> Result<(), Mistake> {
        self.without_events += 1;
        let condition = self.element(&arguments[0], &[]);
        let level = arguments.get(2).map(|level| self.element(level, &[])).transpose();
        self.without_events -= 1;
        let condition = condition?;
        if self.out.pool.node(condition) == Node::Truth(true) {
            return Ok(());
        }
        let level = match level?.map(|level| (level, self.out.pool.as_number(level))) {
            None => Level::Error,
            Some((_, Some(number))) if number == f64::from(ASSERTION_WARNING) => Level::Warning,
            Some((_, Some(_))) => Level::Error,
            Some((level, None)) => Level::Chosen(level),
        };
        let message = self.message(&arguments[1]);
        let function = self.inside_of.last().cloned().unwrap_or_default();
        self.say(Inside::Assert { condition, message, level, span, function }, span);
        Ok(())
    }

    /// A function that is called for its effect.
    fn performed(&mut self, id: FunctionId, arguments: &[Expr], call: &Expr) -> Result<(), Mistake> {
        let flat = self.flat;
        let function = flat.tables.function(id);
        if let Speech::Without(code) = self.speech(id) {
            self.said.push(
                Diagnostic::note(
                    "effect-ignored",
                    format!("`{}` is not called: the code `{code}` is not at hand", function.name),
                )
                .at(call.span, "called here"),
            );
            return Ok(());
        }
        // a text with values of the run in it can only be put together when the function is called
        let has_texts = |this: &Self| {
            let texts = arguments.iter().filter(|e| e.ty.scalar == Scalar::String);
            texts.into_iter().all(|e| this.known_text(e).is_some())
        };
        let is_formula =
            !function.is_impure && function.external.is_none() && function.inline != Inline::Never;
        if is_formula
            && has_texts(self)
            && let Ok(Some(inside)) = self.inside_of_call(id, arguments, call.span)
        {
            self.take_over(&inside, call.span);
            return Ok(());
        }
        let mut given = Vec::new();
        for ((_, input), argument) in function.inputs().zip(arguments) {
            given.push(self.argument(argument, input.ty.scalar)?);
        }
        self.say(Inside::Effect { function: id, arguments: given, active: None, span: call.span }, call.span);
        Ok(())
    }

    /// An argument whose texts may have values of the run in them.
    pub(crate) fn argument(&mut self, e: &Expr, wanted: Scalar) -> Result<Argument, Mistake> {
        if e.ty.scalar == Scalar::String && e.ty.is_scalar() {
            return Ok(Argument::Text(self.message(e)));
        }
        let mut numbers = Vec::new();
        let shape = self.data(e, Some(wanted))?.taken_apart(&mut numbers);
        let shape = shape.ok_or_else(|| not_supported("an argument that is not assigned yet", e.span))?;
        Ok(Argument::Value(shape, numbers))
    }

    /// Takes over a call's asserts and effects under the conditions of the place at which it stands.
    pub(crate) fn take_over(&mut self, inside: &[Inside], call: Span) {
        for inner in inside {
            self.say(inner.clone(), call);
        }
    }

    /// An assert or an effect at the current place; `call` is the call that leads to it from there.
    pub(crate) fn say(&mut self, inside: Inside, call: Span) {
        let guard = self.guard();
        let inside = match inside {
            Inside::Assert { mut condition, message, level, span, function } => {
                if let Some(guard) = guard {
                    let inactive = self.out.pool.not(guard);
                    condition = self.out.pool.or(inactive, condition);
                }
                if self.out.pool.node(condition) == Node::Truth(true) {
                    return;
                }
                Inside::Assert { condition, message, level, span, function }
            }
            Inside::Effect { function, arguments, active, span } => {
                let active = match (guard, active) {
                    (Some(guard), Some(active)) => Some(self.out.pool.and(guard, active)),
                    (guard, active) => guard.or(active),
                };
                if active.is_some_and(|active| self.out.pool.node(active) == Node::Truth(false)) {
                    return;
                }
                Inside::Effect { function, arguments, active, span }
            }
        };
        if !self.frames.is_empty() {
            self.inside.push(inside);
            return;
        }
        let moment = match (self.inside_when, self.at_start) {
            (0, true) => Moment::Start,
            (0, false) => Moment::Rest,
            _ => Moment::Turn,
        };
        match inside {
            Inside::Assert { condition, message, level, span, function } => {
                let values = vec![condition];
                let said = Said { span, call, moment, values, statement: 0 };
                if self.has_said.contains(&Said { moment: Moment::Rest, ..said.clone() })
                    || !self.has_said.insert(said)
                {
                    return;
                }
                let condition = if self.inside_clocked_when && !self.has_unknowns(condition) {
                    let always = self.out.pool.truth(true);
                    let ticks = self.at_ticks(always, call);
                    let inactive = self.out.pool.not(ticks);
                    self.out.pool.or(inactive, condition)
                } else {
                    condition
                };
                let origin = Origin { span: Some(span), component: self.component(), ..Origin::default() };
                let within = (!function.is_empty()).then_some(Within { function, call });
                self.out.asserts.push(Assert { condition, message, level, moment, origin, within });
            }
            Inside::Effect { function, arguments, active, span } => {
                let always = self.out.pool.truth(true);
                let active = active.unwrap_or(always);
                let origin = Origin { span: Some(call), component: self.component(), ..Origin::default() };
                let mut effect = Effect { function, arguments, active, moment, origin };
                let mut values = effect.values();
                values.push(active);
                if !self.has_said.insert(Said { span, call, moment, values, statement: self.statement }) {
                    return;
                }
                effect.active = self.at_ticks(active, call);
                self.out.events.effects.push(effect);
            }
        }
    }

    /// The component in which the current place is, as a path from the model; empty for the model itself.
    fn component(&mut self) -> SmolStr {
        let flat = self.flat;
        match self.here.clone() {
            Here::Component(component) if self.iterators.is_empty() || component.is_empty() => component,
            Here::Component(component) => {
                let numbers = self.iterators.iter().map(|(_, value)| self.out.pool.as_number(*value));
                // loops over the elements of arrays of components stand around all others
                let indices: Vec<usize> = numbers.map_while(|number| Some(number? as usize)).collect();
                let around = self.component_parts.get_or_insert_with(|| component_parts(flat));
                match around.get(&component) {
                    Some(parts) => element_path(parts, &indices),
                    None => component,
                }
            }
            Here::Declaration(v) => {
                let parts = &flat.variable(v).name.parts;
                let indices: Vec<usize> = self.indices.iter().map(|index| index + 1).collect();
                element_path(&parts[..parts.len() - 1], &indices)
            }
        }
    }

    /// The condition in a `when` with a clock, joined with its tick: nothing else would give it the clock.
    fn at_ticks(&mut self, active: ExprId, span: Span) -> ExprId {
        if !self.inside_clocked_when {
            return active;
        }
        let tick = match self.tick_of_when {
            Some(tick) => tick,
            None => {
                let name = format!("tick {}", self.out.variables.len());
                let tick = self.hidden(name, Kind::Unknown, ScalarType::Boolean, span);
                let (lhs, rhs) = (self.out.pool.variable(tick), self.out.pool.truth(true));
                let origin = Origin { span: Some(span), ..Origin::default() };
                self.out.equations.push(Equation {
                    lhs,
                    rhs,
                    is_discrete: true,
                    balance: None,
                    family: None,
                    origin,
                });
                self.tick_of_when = Some(lhs);
                lhs
            }
        };
        self.out.pool.and(tick, active)
    }

    fn has_unknowns(&self, e: ExprId) -> bool {
        self.out.pool.variables_of(e).into_iter().any(|v| !self.out.variable(v).is_parameter())
    }

    /// Output of a function beside its results, and of all that it calls.
    pub(crate) fn speech(&mut self, id: FunctionId) -> Speech {
        if let Some(known) = self.speeches.get(&id) {
            return known.clone();
        }
        // recursion adds no output
        self.speeches.insert(id, Speech::Silent);
        let flat = self.flat;
        let speech = self.own_speech(flat.tables.function(id));
        self.speeches.insert(id, speech.clone());
        speech
    }

    fn own_speech(&mut self, function: &Function) -> Speech {
        if let Some(external) = &function.external {
            return match external.language.as_str() {
                "builtin" => Speech::Silent,
                _ if speaks(&external.name) => Speech::Speaks,
                _ if is_known(&external.name) => Speech::Silent,
                _ => Speech::Without(external.name.clone()),
            };
        }
        let mut warns = false;
        let mut called = Vec::new();
        function.walk_expressions(&mut |e| {
            e.walk(&mut |part| match &part.kind {
                ExprKind::Call(Builtin::Assert, arguments) => {
                    let level = arguments.get(2).map(|level| &level.kind);
                    warns |= !matches!(level, None | Some(ExprKind::Enumeration(_, 2)));
                }
                ExprKind::Apply(function, _) | ExprKind::Function(function, _) => called.push(*function),
                _ => {}
            });
        });
        let mut speech = if warns { Speech::Speaks } else { Speech::Silent };
        for function in called {
            match self.speech(function) {
                Speech::Silent => {}
                Speech::Speaks => speech = Speech::Speaks,
                without => return without,
            }
        }
        speech
    }
}

/// The paths of all components that have variables, by how they are written without subscripts.
fn component_parts(flat: &Flat) -> FxHashMap<SmolStr, &[NamePart]> {
    let mut found = FxHashMap::default();
    for (_, variable) in flat.iter_variables() {
        let parts = &variable.name.parts;
        let mut path = String::new();
        for (place, part) in parts[..parts.len() - 1].iter().enumerate() {
            if place > 0 {
                path.push('.');
            }
            path.push_str(&part.name);
            found.entry(path.as_str().into()).or_insert(&parts[..=place]);
        }
    }
    found
}

/// A path with these subscripts, from one, as far as there are any.
fn element_path(parts: &[NamePart], indices: &[usize]) -> SmolStr {
    let mut indices = indices.iter();
    let shown = parts.iter().map(|part| {
        let own: Vec<String> = indices.by_ref().take(part.dimensions).map(usize::to_string).collect();
        if own.is_empty() { part.name.to_string() } else { format!("{}[{}]", part.name, own.join(",")) }
    });
    shown.collect::<Vec<_>>().join(".").into()
}
