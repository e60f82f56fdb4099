//! `when`-equations (MLS §8.3.5): their variables keep the values from before the event unless a condition becomes true.

use indexmap::IndexMap;
use rhei_equations::{Equation, ExprId, Kind, Node, Origin, Scalar as ScalarType, VarId as ScalarId};
use rhei_flat::{EquationKind, Expr, Scalar, WhenBranch};
use rhei_source::Span;
use rustc_hash::FxBuildHasher;

use crate::element::{Elements, Indices, not_supported};
use crate::mistake::Mistake;

/// The conditional values of each variable in a `when`.
pub(crate) type Guarded = IndexMap<ScalarId, Values, FxBuildHasher>;

/// Under which conditions a variable gets which values, the first that holds counting.
pub(crate) struct Values {
    /// The first equation for it.
    span: Span,
    values: Vec<(ExprId, ExprId)>,
}

impl Elements<'_> {
    /// A `when` with its branches, as one equation for each variable in it.
    pub(crate) fn when_equation(
        &mut self,
        branches: &[WhenBranch],
        origin: &Origin,
        span: Span,
    ) -> Result<(), Mistake> {
        let mut guarded = Guarded::default();
        let mut before: Option<ExprId> = None;
        for branch in branches {
            let becomes = self.becomes_true(&branch.condition, span)?;
            // a branch counts only where none before it does
            let active = match before {
                None => becomes,
                Some(before) => {
                    let not_before = self.out.pool.not(before);
                    self.out.pool.and(not_before, becomes)
                }
            };
            before = Some(match before {
                None => becomes,
                Some(before) => self.out.pool.or(before, becomes),
            });
            self.guards.push(active);
            self.without_events += 1;
            self.inside_when += 1;
            let done = self.when_body(&branch.equations, &mut guarded);
            self.inside_when -= 1;
            self.without_events -= 1;
            self.guards.pop();
            done?;
        }
        for (target, Values { span: first, values }) in guarded {
            let lhs = self.out.pool.variable(target);
            let mut rhs = self.previous_of_value(lhs, span);
            for (active, value) in values.into_iter().rev() {
                rhs = self.out.pool.if_else(active, value, rhs);
            }
            let origin = Origin { span: Some(first), ..origin.clone() };
            self.out.equations.push(Equation {
                lhs,
                rhs,
                is_discrete: true,
                balance: None,
                family: None,
                origin,
            });
        }
        Ok(())
    }

    fn when_body(&mut self, equations: &[rhei_flat::Equation], guarded: &mut Guarded) -> Result<(), Mistake> {
        for equation in equations {
            match &equation.kind {
                EquationKind::Equal(lhs, rhs) => self.when_equal(lhs, rhs, guarded, equation.span)?,
                EquationKind::Results(targets, call) => {
                    let outputs = self.outputs(call)?;
                    for (target, output) in targets.iter().zip(outputs) {
                        let Some(target) = target else { continue };
                        for indices in Indices::of(&self.sizes(target)?) {
                            let lhs = self.element(target, &indices)?;
                            let value = output.at(&indices);
                            let value =
                                value.ok_or_else(|| not_supported("this result in a `when`", target.span))?;
                            self.when_scalar(lhs, value, guarded, equation.span)?;
                        }
                    }
                }
                EquationKind::For(iteration, body) => {
                    for index in 0..self.sizes(&iteration.range)?[0] {
                        let value = self.element(&iteration.range, &[index])?;
                        self.iterators.push((iteration.iterator, value));
                        let done = self.when_body(body, guarded);
                        self.iterators.pop();
                        done?;
                    }
                }
                EquationKind::If(branches, otherwise) => {
                    let mut negations = 0;
                    let mut body = |this: &mut Self, equations: &[rhei_flat::Equation]| {
                        this.when_body(equations, guarded)
                    };
                    let mut done = Ok(());
                    for (condition, equations) in branches {
                        let condition = self.element(condition, &[])?;
                        self.guards.push(condition);
                        done = done.and_then(|()| body(self, equations));
                        self.guards.pop();
                        let negated = self.out.pool.not(condition);
                        self.guards.push(negated);
                        negations += 1;
                    }
                    done = done.and_then(|()| body(self, otherwise));
                    self.guards.truncate(self.guards.len() - negations);
                    done?;
                }
                EquationKind::Call(call) => self.effect(call, equation.span)?,
                EquationKind::When(_) => {
                    return Err(not_supported("a `when` inside a `when`", equation.span));
                }
            }
        }
        Ok(())
    }

    fn when_equal(
        &mut self,
        lhs: &Expr,
        rhs: &Expr,
        guarded: &mut Guarded,
        span: Span,
    ) -> Result<(), Mistake> {
        if let Scalar::Record(id) = lhs.ty.scalar {
            for place in 0..self.flat.tables.record(id).fields.len() as u32 {
                let (lhs, rhs) = (self.field_of(lhs, place), self.field_of(rhs, place));
                self.when_equal(&lhs, &rhs, guarded, span)?;
            }
            return Ok(());
        }
        for indices in Indices::of(&self.sizes(lhs)?) {
            let (target, value) = (self.element(lhs, &indices)?, self.element(rhs, &indices)?);
            self.when_scalar(target, value, guarded, span)?;
        }
        Ok(())
    }

    fn when_scalar(
        &mut self,
        target: ExprId,
        value: ExprId,
        guarded: &mut Guarded,
        span: Span,
    ) -> Result<(), Mistake> {
        let always = self.out.pool.truth(true);
        let active = self.guard().unwrap_or(always);
        let Node::Variable(target) = self.out.pool.node(target) else {
            return Err(not_supported("an equation in a `when` that is not `variable = value`,", span));
        };
        let known = guarded.entry(target).or_insert_with(|| Values { span, values: Vec::new() });
        known.values.push((active, value));
        Ok(())
    }

    /// Whether a condition, or one of a vector of conditions, becomes true at this event.
    pub(crate) fn becomes_true(&mut self, condition: &Expr, span: Span) -> Result<ExprId, Mistake> {
        let mut any = self.out.pool.truth(false);
        for indices in Indices::of(&self.sizes(condition)?) {
            let now = self.element(condition, &indices)?;
            let becomes = self.edge(now, span);
            any = self.out.pool.or(any, becomes);
        }
        Ok(any)
    }

    /// `edge(now)`; at the start only `initial()` itself (MLS §8.6).
    fn edge(&mut self, now: ExprId, span: Span) -> ExprId {
        let initial = self.initial_flag(span);
        let start = self.out.pool.variable(initial);
        if now == start {
            return now;
        }
        let now = match self.out.pool.node(now) {
            Node::Truth(_) => now,
            // `pre` of a value before the event does not exist: it is held like an expression
            Node::Variable(v) if !matches!(self.out.variable(v).kind, Kind::Pre { .. }) => now,
            _ => {
                let name = format!("when {}", self.out.variables.len());
                let held = self.hidden(name, Kind::Unknown, ScalarType::Boolean, span);
                let lhs = self.out.pool.variable(held);
                let origin = Origin { span: Some(span), ..Origin::default() };
                let equation =
                    Equation { lhs, rhs: now, is_discrete: true, balance: None, family: None, origin };
                self.out.equations.push(equation);
                lhs
            }
        };
        let before = self.previous_of_value(now, span);
        let before = self.out.pool.not(before);
        let edge = self.out.pool.and(now, before);
        let running = self.out.pool.not(start);
        self.out.pool.and(running, edge)
    }
}
