//! `balance(x) = f`: a mark on the equation `0 = f`.
//!
//! The operator is a whole side of an equation of an equation section, perhaps with a positive parameter as its factor;
//! everywhere else [`Elements::element`](crate::element::Elements::element) meets it and refuses it.

use rhei_equations::{
    Assert, Balance, ExprId, Kind, Level, Moment, Node, Origin, Relation, Scalar, Text, TextPart,
};
use rhei_flat::{Arithmetic, Builtin, Causality, Expr, ExprKind, Flat};
use rhei_source::Span;

use crate::element::Elements;
use crate::mistake::{BalancePlace, Mistake};

/// A side `k*balance(x)` of an equation.
pub(crate) struct Balanced<'e> {
    /// The operator with its argument.
    call: &'e Expr,
    argument: &'e Expr,
    /// Factors of the operator, with whether it is divided by them.
    factors: Vec<(&'e Expr, bool)>,
    is_negated: bool,
}

/// A side of an equation as `k*balance(x)`.
pub(crate) fn balanced(side: &Expr) -> Option<Balanced<'_>> {
    match &side.kind {
        ExprKind::Call(Builtin::Balance, arguments) => {
            let argument = arguments.first()?;
            Some(Balanced { call: side, argument, factors: Vec::new(), is_negated: false })
        }
        ExprKind::Negate(a) => balanced(a).map(|inner| Balanced { is_negated: !inner.is_negated, ..inner }),
        ExprKind::Arithmetic(Arithmetic::Multiply, a, b) => {
            let (mut inner, factor) = match balanced(b) {
                Some(inner) => (inner, a),
                None => (balanced(a)?, b),
            };
            inner.factors.push((factor, false));
            Some(inner)
        }
        ExprKind::Arithmetic(Arithmetic::Divide, a, b) => {
            let mut inner = balanced(a)?;
            inner.factors.push((b, true));
            Some(inner)
        }
        _ => None,
    }
}

/// The first `balance` inside a function, where it has no meaning.
pub(crate) fn in_functions(flat: &Flat) -> Option<Mistake> {
    let mut found: Option<Span> = None;
    for function in &flat.tables.functions {
        function.walk_expressions(&mut |e| {
            e.walk(&mut |part| {
                if matches!(part.kind, ExprKind::Call(Builtin::Balance, _)) {
                    found = found.or(Some(part.span));
                }
            });
        });
    }
    found.map(|span| Mistake::BalancePosition { place: BalancePlace::Function, span })
}

impl Elements<'_> {
    /// The mark of one element of an equation.
    pub(crate) fn balance_mark(
        &mut self,
        balanced: &Balanced<'_>,
        indices: &[usize],
        origin: &Origin,
    ) -> Result<Balance, Mistake> {
        let (call, argument) = (balanced.call.span, balanced.argument.span);
        if !self.guards.is_empty() && self.inside_clocked_when {
            return Err(Mistake::BalancePosition { place: BalancePlace::When, span: call });
        }
        let e = self.element(balanced.argument, indices)?;
        let refused = |name: String, why: &'static str| Mistake::BalanceTarget { name, why, span: argument };
        let Node::Variable(variable) = self.out.pool.node(e) else {
            return Err(refused(self.out.notation().expression(e), "no variable"));
        };
        let declared = self.out.variable(variable);
        let why = match declared.kind {
            _ if declared.causality == Some(Causality::Input) => Some("an input"),
            Kind::Constant => Some("a constant"),
            Kind::Parameter => Some("a parameter"),
            Kind::Derivative { .. } => Some("a derivative"),
            Kind::Pre { .. } | Kind::Given => Some("a value of the past"),
            Kind::Unknown if declared.scalar != Scalar::Real => Some("no Real"),
            Kind::Unknown if declared.is_discrete => Some("discrete"),
            Kind::Unknown => None,
        };
        if let Some(why) = why {
            return Err(refused(declared.name.to_string(), why));
        }
        let factor = self.balance_factor(balanced, indices, origin)?;
        if self.out.events.holding.is_none() {
            let flag = self.hidden("holding".into(), Kind::Given, Scalar::Boolean, call);
            self.out.events.holding = Some(flag);
        }
        Ok(Balance { variable, factor })
    }

    /// The factor in front of the operator: positive, and the same during the run. If only the run knows its value, an assert
    /// checks that.
    fn balance_factor(
        &mut self,
        balanced: &Balanced<'_>,
        indices: &[usize],
        origin: &Origin,
    ) -> Result<ExprId, Mistake> {
        let refused = |why: &'static str, span: Span| Mistake::BalancePosition {
            place: BalancePlace::Factor(why),
            span,
        };
        let mut product = self.out.pool.number(if balanced.is_negated { -1.0 } else { 1.0 });
        for &(factor, divides) in balanced.factors.iter().rev() {
            let value = self.element_or_each(factor, indices)?;
            if !self.is_steady(value) {
                return Err(refused("varies", factor.span));
            }
            product = match divides {
                true => self.out.pool.div(product, value),
                false => self.out.pool.mul(product, value),
            };
        }
        match self.out.pool.as_number(product) {
            Some(number) if number > 0.0 => {}
            Some(_) => return Err(refused("is not positive", balanced.call.span)),
            None => {
                let zero = self.out.pool.number(0.0);
                let condition = self.out.pool.relation(Relation::Greater, product, zero);
                let text = format!(
                    "the factor of `balance` must be positive: {}",
                    self.out.notation().expression(product)
                );
                let message = Text { parts: vec![TextPart::Literal(text)] };
                let (level, moment, origin) = (Level::Error, Moment::Rest, origin.clone());
                self.out.asserts.push(Assert { condition, message, level, moment, origin, within: None });
            }
        }
        Ok(product)
    }
}
