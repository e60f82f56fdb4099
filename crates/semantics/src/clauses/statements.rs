//! Clauses among statements (MLS §11.2).

use rhei_flat::{Expr, ExprKind, Scalar, Statement, StatementKind, Variability};
use rhei_source::Span;

use crate::clauses::Mistakes;
use crate::clauses::discrete::Discrete;
use crate::clauses::equations::is_reinit;
use crate::clauses::left_sides::reference;
use crate::clauses::mistake::Mistake;
use rhei_instance::Instance;

pub(super) fn check(instance: &Instance, discrete: &Discrete<'_>, mistakes: &mut Mistakes) {
    let mut pass = Pass { discrete, mistakes };
    for algorithm in &instance.sections.algorithms {
        pass.statements(&algorithm.statements, StatementContext::default());
    }
    for algorithm in &instance.sections.initial_algorithms {
        let place = StatementContext { no_when: Some("an initial algorithm"), at_event: true };
        pass.statements(&algorithm.statements, place);
    }
}

/// Context of a statement.
#[derive(Clone, Copy, Default)]
struct StatementContext {
    /// The construct around, if a `when` may not stand in it.
    no_when: Option<&'static str>,
    /// Whether it is done at events only.
    at_event: bool,
}

struct Pass<'a> {
    discrete: &'a Discrete<'a>,
    mistakes: &'a mut Mistakes,
}

impl Pass<'_> {
    fn statements(&mut self, statements: &[Statement], place: StatementContext) {
        for statement in statements {
            self.statement(statement, place);
        }
    }

    fn statement(&mut self, statement: &Statement, place: StatementContext) {
        let within =
            |no_when: &'static str| StatementContext { no_when: place.no_when.or(Some(no_when)), ..place };
        match &statement.kind {
            StatementKind::Assign(target, value) => self.assigned(target, value, place),
            StatementKind::AssignResults(targets, call) => {
                targets.iter().flatten().for_each(|target| self.assigned(target, call, place));
            }
            StatementKind::Call(call) if is_reinit(call) => {
                self.mistakes.add(Mistake::MisplacedReinit { span: call.span });
            }
            StatementKind::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| self.statements(body, within("an `if` statement")));
                self.statements(otherwise, within("an `if` statement"));
            }
            StatementKind::For(iteration, body) => {
                if !place.at_event {
                    self.range_of_events(&iteration.range, body);
                }
                self.statements(body, within("a `for` statement"));
            }
            StatementKind::While(_, body) => self.statements(body, within("a `while` statement")),
            StatementKind::When(branches) => self.when(branches, statement.span, place),
            StatementKind::Call(_) | StatementKind::Break | StatementKind::Return => {}
        }
    }

    fn when(&mut self, branches: &[(Expr, Vec<Statement>)], span: Span, place: StatementContext) {
        if let Some(inside) = place.no_when {
            return self.mistakes.add(Mistake::MisplacedWhen { inside, span });
        }
        if let Some((clock, _)) = branches.iter().find(|(condition, _)| condition.ty.scalar == Scalar::Clock)
        {
            let inside = "an algorithm section where its condition is a clock";
            return self.mistakes.add(Mistake::MisplacedWhen { inside, span: clock.span });
        }
        for (condition, body) in branches {
            if let Some((because, span)) = self.discrete.continuous_part(condition) {
                let what = "the condition of a `when`".into();
                self.mistakes.add(Mistake::NotDiscrete { what, because, span });
            }
            self.statements(body, StatementContext { no_when: Some("another `when`"), at_event: true });
        }
    }

    /// How many crossings a loop watches is known before the run (MLS §11.2.2).
    fn range_of_events(&mut self, range: &Expr, body: &[Statement]) {
        let mut varying = None;
        range.walk(&mut |part| match &part.kind {
            ExprKind::Variable(v, _)
                if self.discrete.instance.variables[v.index()].variability > Variability::Parameter =>
            {
                varying = Some((self.discrete.name(*v), part.span));
            }
            _ => {}
        });
        if let Some((because, span)) = varying
            && self.makes_events(body)
        {
            let what = "the range of a loop that makes events";
            self.mistakes.add(Mistake::NotEvaluable { what, because, span });
        }
    }

    fn makes_events(&self, statements: &[Statement]) -> bool {
        let makes = |e: &Expr| self.discrete.makes_events(e);
        statements.iter().any(|statement| match &statement.kind {
            StatementKind::Assign(_, value) => makes(value),
            StatementKind::AssignResults(_, call) | StatementKind::Call(call) => makes(call),
            StatementKind::If(branches, otherwise) => {
                branches.iter().any(|(condition, body)| makes(condition) || self.makes_events(body))
                    || self.makes_events(otherwise)
            }
            StatementKind::For(_, body) => self.makes_events(body),
            // a while-loop is taken literally (MLS §11.2.3)
            StatementKind::While(..) | StatementKind::When(_) => false,
            StatementKind::Break | StatementKind::Return => false,
        })
    }

    /// A variable that changes at events only takes values that do (MLS §11.2.1).
    fn assigned(&mut self, target: &Expr, value: &Expr, place: StatementContext) {
        let changes_at_events = |e: &Expr| {
            let variables = reference(e).unwrap_or_default();
            variables.iter().any(|one| {
                self.discrete.instance.variables[one.variable.index()].variability == Variability::Discrete
            })
        };
        if place.at_event || matches!(target.ty.scalar, Scalar::Record(_)) || !changes_at_events(target) {
            return;
        }
        if let Some((because, span)) = self.discrete.continuous_part(value) {
            let what = "what is assigned to a discrete variable".into();
            self.mistakes.add(Mistake::NotDiscrete { what, because, span });
        }
    }
}
