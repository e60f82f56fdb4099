//! Texts: those that are known before the run, and messages with values of the run in them.

use std::cell::RefCell;

use rhei_equations::{Format, Node, Text, TextPart};
use rhei_evaluate::{Budget, Environment, Failure, Value, evaluate};
use rhei_external::{Externals, is_settled};
use rhei_flat::{
    Arithmetic, Builtin, Expr, ExprKind, Flat, Function, IteratorId, Scalar, Tables, VarId, Variability,
};
use rhei_source::Span;
use smol_str::SmolStr;

use crate::data::Data;
use crate::element::{Elements, not_supported};
use crate::mistake::Mistake;

/// Bindings that lead to bindings deeper than this are not followed: they may go in circles.
const DEEPEST: u32 = 64;

impl Elements<'_> {
    /// A text that does not vary. Parameters that it is chosen by are settled: a run cannot change them any more.
    pub(crate) fn text(&mut self, e: &Expr) -> Result<SmolStr, Mistake> {
        match self.settled(e) {
            Some(Value::String(text)) => Ok(text),
            _ => Err(not_supported("a text that is not known before the run", e.span)),
        }
    }

    /// A whole number that does not vary, settled the same way.
    pub(crate) fn settled_whole(&mut self, e: &Expr) -> Result<i64, Mistake> {
        match self.settled(e) {
            Some(Value::Integer(number)) => Ok(number),
            _ => Err(not_supported("a number for a clock that is not known before the run", e.span)),
        }
    }

    fn settled(&mut self, e: &Expr) -> Option<Value> {
        let settled = RefCell::default();
        let value = self.known_value(e, Some(&settled))?;
        for v in settled.into_inner() {
            let count = self.flat.variable(v).ty.known_sizes().map_or(0, |sizes| sizes.iter().product());
            let places = (0..count).filter_map(|i| self.places.element(v, i));
            places.for_each(|place| self.out.variables[place.index()].structural = true);
        }
        Some(value)
    }

    fn known_value(&self, e: &Expr, settled: Option<&RefCell<Vec<VarId>>>) -> Option<Value> {
        let iterators = self
            .iterators
            .iter()
            .filter_map(|&(iterator, value)| Some((iterator, self.out.pool.as_number(value)?)))
            .collect();
        let known = BindingValues { flat: self.flat, iterators, settled, depth: 0 };
        evaluate(e, &known, &mut Budget::new(1_000_000, 500)).ok()
    }

    /// A text in which values of the run may stand.
    pub(crate) fn message(&mut self, e: &Expr) -> Text {
        self.without_events += 1;
        let mut text = Text::default();
        self.add_message(e, &mut text, 0);
        self.without_events -= 1;
        text
    }

    fn add_message(&mut self, e: &Expr, text: &mut Text, depth: u32) {
        let part = match &e.kind {
            ExprKind::String(literal) => Some(TextPart::Literal(literal.to_string())),
            ExprKind::Arithmetic(Arithmetic::Add, a, b) => {
                self.add_message(a, text, depth);
                return self.add_message(b, text, depth);
            }
            ExprKind::Call(Builtin::StringOf, arguments) if arguments[0].ty.is_scalar() => {
                self.value_in_text(&arguments[0], &arguments[1..])
            }
            _ => match self.known_text(e) {
                Some(known) => Some(TextPart::Literal(known)),
                None => self.computed_text(e, depth),
            },
        };
        text.parts.push(part.unwrap_or_else(|| TextPart::Literal("…".into())));
    }

    /// A text that the run makes; nothing where it cannot.
    fn computed_text(&mut self, e: &Expr, depth: u32) -> Option<TextPart> {
        match &e.kind {
            ExprKind::If(condition, a, b) => self.condition(condition).ok().map(|condition| {
                let (mut then, mut otherwise) = (Text::default(), Text::default());
                self.add_message(a, &mut then, depth);
                self.add_message(b, &mut otherwise, depth);
                TextPart::Choice { condition, then, otherwise }
            }),
            ExprKind::Variable(v, subscripts) if subscripts.is_empty() && depth < DEEPEST => {
                let flat = self.flat;
                let mut text = Text::default();
                self.add_message(flat.variable(*v).binding.as_ref()?, &mut text, depth + 1);
                Some(TextPart::Part(text))
            }
            ExprKind::Apply(function, arguments) => {
                let function = *function;
                let flat = self.flat;
                let inputs = flat.tables.function(function).inputs();
                let given: Result<Vec<_>, _> =
                    inputs.zip(arguments).map(|((_, input), e)| self.argument(e, input.ty.scalar)).collect();
                given.ok().map(|arguments| TextPart::Call { function, arguments })
            }
            _ => None,
        }
    }

    /// `String(value, options)`
    fn value_in_text(&mut self, value: &Expr, options: &[Expr]) -> Option<TextPart> {
        let scalar = value.ty.scalar;
        let value = self.element(value, &[]).ok()?;
        let format = match options {
            [] => Format::Usual,
            [pattern] if pattern.ty.scalar == Scalar::String => {
                Format::Pattern(self.known_text(pattern)?.into())
            }
            [digits, rest @ ..] => {
                let number = |this: &mut Self, e: &Expr| this.whole_number(e).ok()?.try_into().ok();
                let digits = number(self, digits)?;
                let length = rest.first().map_or(Some(0), |length| number(self, length))?;
                let is_left = match rest.get(1) {
                    None => true,
                    Some(e) => match self.condition(e).map(|is_left| self.out.pool.node(is_left)) {
                        Ok(Node::Truth(is_left)) => is_left,
                        _ => return None,
                    },
                };
                Format::Sizes { digits, length, is_left }
            }
        };
        Some(TextPart::Value { value, scalar, format })
    }

    /// A text that no run changes.
    pub(crate) fn known_text(&self, e: &Expr) -> Option<String> {
        if let Some(Data::Text(text)) = self.known_data(e) {
            return Some(text.to_string());
        }
        match self.known_value(e, None) {
            Some(Value::String(known)) => Some(known.to_string()),
            _ => None,
        }
    }
}

/// Parameters and constants by their bindings.
struct BindingValues<'a> {
    flat: &'a Flat,
    iterators: Vec<(IteratorId, f64)>,
    /// Parameters that were looked at though a run could change them; where there is no list, they are not known.
    settled: Option<&'a RefCell<Vec<VarId>>>,
    depth: u32,
}

impl Environment for BindingValues<'_> {
    fn tables(&self) -> &Tables {
        &self.flat.tables
    }

    fn variable(&self, v: VarId, span: Span, budget: &mut Budget) -> Result<Value, Failure> {
        let variable = self.flat.variable(v);
        let unknown = || Failure::NotConstant { what: variable.name.to_string().into(), span };
        // without being settled only texts and structural parameters are fixed before the run
        let is_fixed = variable.variability == Variability::Constant
            || variable.structural
            || variable.ty.scalar == Scalar::String;
        let settled = self.settled.filter(|_| {
            variable.variability == Variability::Parameter && variable.attributes.fixed.is_none()
        });
        let is_known = (is_fixed || settled.is_some()) && self.depth < DEEPEST;
        let binding = variable.binding.as_ref().filter(|_| is_known).ok_or_else(unknown)?;
        let inner = BindingValues {
            flat: self.flat,
            iterators: Vec::new(),
            settled: self.settled,
            depth: self.depth + 1,
        };
        let value = evaluate(binding, &inner, budget)?;
        if let Some(settled) = settled.filter(|_| !is_fixed) {
            settled.borrow_mut().push(v);
        }
        Ok(value)
    }

    fn external(&self, function: &Function, arguments: &[Value]) -> Result<Vec<Value>, Failure> {
        let is_settled = function.external.as_ref().is_some_and(|external| is_settled(&external.name));
        if !is_settled {
            return Err(Failure::External { name: function.name.clone(), span: function.span });
        }
        Externals::default().call(function, arguments, self)
    }

    fn iterator(&self, iterator: IteratorId) -> Option<Value> {
        let (_, value) = self.iterators.iter().rev().find(|(known, _)| *known == iterator)?;
        Some(if *value == value.trunc() { Value::Integer(*value as i64) } else { Value::Real(*value) })
    }
}
