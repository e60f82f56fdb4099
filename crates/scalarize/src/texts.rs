//! Texts: those that are known before the run, and messages with values of the run in them.

use std::cell::RefCell;

use rhei_equations::{Text, TextPart};
use rhei_evaluate::{Budget, Environment, Failure, Value, evaluate};
use rhei_external::{Externals, is_settled};
use rhei_flat::{
    Arithmetic, Builtin, Expr, ExprKind, Flat, Function, IteratorId, Scalar, Tables, VarId, Variability,
};
use rhei_source::Span;
use smol_str::SmolStr;

use crate::element::{Elements, not_supported};
use crate::mistake::Mistake;

/// Digits of a Real in a text, where nothing else is said (MLS §3.7.2).
const USUAL_DIGITS: u32 = 6;
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
        let known = Known { flat: self.flat, iterators, settled, depth: 0 };
        evaluate(e, &known, &mut Budget::new(1_000_000, 500)).ok()
    }

    /// A text in which values of the run may stand.
    pub(crate) fn message(&mut self, e: &Expr) -> Text {
        let mut text = Text::default();
        self.add_message(e, &mut text);
        text
    }

    fn add_message(&mut self, e: &Expr, text: &mut Text) {
        match &e.kind {
            ExprKind::String(literal) => text.parts.push(TextPart::Literal(literal.to_string())),
            ExprKind::Arithmetic(Arithmetic::Add, a, b) => {
                self.add_message(a, text);
                self.add_message(b, text);
            }
            ExprKind::Call(Builtin::StringOf, arguments) if arguments[0].ty.is_scalar() => {
                self.without_events += 1;
                let value = self.element(&arguments[0], &[]);
                self.without_events -= 1;
                let digits = arguments.get(1).and_then(|digits| self.whole_number(digits).ok());
                let digits = digits.and_then(|digits| u32::try_from(digits).ok()).unwrap_or(USUAL_DIGITS);
                text.parts.push(match value {
                    Ok(value) => TextPart::Value { value, scalar: arguments[0].ty.scalar, digits },
                    Err(_) => TextPart::Literal("…".into()),
                });
            }
            _ => {
                let known = match self.known_value(e, None) {
                    Some(Value::String(known)) => known.to_string(),
                    _ => "…".to_owned(),
                };
                text.parts.push(TextPart::Literal(known));
            }
        }
    }
}

/// Parameters and constants by their bindings.
struct Known<'a> {
    flat: &'a Flat,
    iterators: Vec<(IteratorId, f64)>,
    /// Parameters that were looked at though a run could change them; where there is no list, they are not known.
    settled: Option<&'a RefCell<Vec<VarId>>>,
    depth: u32,
}

impl Environment for Known<'_> {
    fn tables(&self) -> &Tables {
        &self.flat.tables
    }

    fn variable(&self, v: VarId, span: Span, budget: &mut Budget) -> Result<Value, Failure> {
        let variable = self.flat.variable(v);
        let unknown = || Failure::NotConstant { what: variable.name.to_string().into(), span };
        // without being settled only texts and what shapes the model is fixed before the run
        let is_fixed = variable.variability == Variability::Constant
            || variable.structural
            || variable.ty.scalar == Scalar::String;
        let settled = self.settled.filter(|_| {
            variable.variability == Variability::Parameter && variable.attributes.fixed.is_none()
        });
        let is_known = (is_fixed || settled.is_some()) && self.depth < DEEPEST;
        let binding = variable.binding.as_ref().filter(|_| is_known).ok_or_else(unknown)?;
        let inner =
            Known { flat: self.flat, iterators: Vec::new(), settled: self.settled, depth: self.depth + 1 };
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
