//! Statements of functions and algorithm sections (MLS §11).

use rhei_flat::{Builtin, Expr, ExprKind, Iteration, Scalar, Statement, StatementKind, Type};
use rhei_syntax::ast;

use super::{Typing, loop_arrays};
use crate::mistake::Mistake;

impl<'l> Typing<'_, 'l> {
    /// Statements in order; mistakes are collected and the rest goes on.
    pub(crate) fn statements(
        &mut self,
        statements: impl Iterator<Item = ast::Statement<'l>>,
    ) -> Vec<Statement> {
        let mut typed = Vec::new();
        for statement in statements {
            if let ast::Statement::For(e) = statement {
                let indices: Vec<ast::ForIndex<'l>> = e.indices().collect();
                match self.for_statement(e, &indices) {
                    Ok(statements) => typed.extend(statements),
                    Err(mistake) => self.context.mistake(mistake),
                }
                continue;
            }
            match self.statement(statement) {
                Ok(statement) => typed.push(statement),
                Err(mistake) => self.context.mistake(mistake),
            }
        }
        typed
    }

    fn statement(&mut self, statement: ast::Statement<'l>) -> Result<Statement, Mistake> {
        let span = statement.span();
        let kind = match statement {
            ast::Statement::Assignment(assignment) => self.assignment(assignment)?,
            ast::Statement::Call(call) => {
                let call = call.call().ok_or(Mistake::Incomplete)?;
                StatementKind::Call(self.expression(ast::Expression::Call(call))?)
            }
            ast::Statement::If(e) => {
                let mut branches = Vec::new();
                let mut otherwise = Vec::new();
                for branch in e.branches() {
                    if branch.is_else() {
                        otherwise = self.statements(branch.statements());
                    } else {
                        let condition = self.condition(branch.condition())?;
                        branches.push((condition, self.statements(branch.statements())));
                    }
                }
                StatementKind::If(branches, otherwise)
            }
            ast::Statement::For(_) => return Err(Mistake::Incomplete), // several statements, maybe
            ast::Statement::While(e) => {
                let condition = self.condition(e.condition())?;
                StatementKind::While(condition, self.loop_body(e.statements()))
            }
            ast::Statement::When(e) => {
                if self.around.in_function {
                    return Err(Mistake::InFunction { what: "when".into(), span });
                }
                let mut branches = Vec::new();
                for branch in e.branches() {
                    let condition = self.when_condition(branch.condition())?;
                    branches.push((condition, self.statements(branch.statements())));
                }
                StatementKind::When(branches)
            }
            ast::Statement::Break(_) if self.around.loops == 0 => {
                return Err(Mistake::Misplaced { what: "break", place: "a loop of an algorithm", span });
            }
            ast::Statement::Break(_) => StatementKind::Break,
            ast::Statement::Return(_) if !self.around.in_function => {
                return Err(Mistake::Misplaced { what: "return", place: "a function", span });
            }
            ast::Statement::Return(_) => StatementKind::Return,
        };
        Ok(Statement { kind, span })
    }

    /// A loop, written out where it chooses elements that are instances each. Several iterators are nested loops, the first one
    /// outermost.
    fn for_statement(
        &mut self,
        e: ast::ForStatement<'l>,
        indices: &[ast::ForIndex<'l>],
    ) -> Result<Vec<Statement>, Mistake> {
        let Some((first, rest)) = indices.split_first() else { return Ok(self.loop_body(e.statements())) };
        let entered = self.enter_loops(std::iter::once(*first), e.node())?;
        self.know_passes(&entered);
        let iteration = entered.first().ok_or(Mistake::Incomplete)?;
        let looped = self.for_turns(e, iteration, rest);
        self.leave_loops(&entered);
        if first.range().is_none()
            && let Ok(statements) = &looped
            && let Some(span) = loop_arrays::assigned_whole(iteration.iterator, statements)
        {
            let iterator = first.name().map_or_else(String::new, |name| name.ident().into());
            return Err(Mistake::LoopArrayAssigned { iterator, span });
        }
        looped
    }

    fn for_turns(
        &mut self,
        e: ast::ForStatement<'l>,
        iteration: &Iteration,
        rest: &[ast::ForIndex<'l>],
    ) -> Result<Vec<Statement>, Mistake> {
        let said = self.context.mistakes.len();
        let body = self.for_statement(e, rest);
        if !self.context.choosing.remove(&iteration.iterator) {
            let kind = StatementKind::For(iteration.clone(), body?);
            return Ok(vec![Statement { kind, span: e.span() }]);
        }
        self.context.mistakes.truncate(said);
        let mut all = Vec::new();
        for value in self.turn_values(iteration)? {
            let turn = self.in_turn(iteration, value, |typing| typing.for_statement(e, rest))?;
            if turn.iter().any(leaves_loop) {
                let what = "`break` or `return` in a loop over elements that differ in structure";
                return Err(Mistake::not_supported(what, e.span()));
            }
            all.extend(turn);
        }
        Ok(all)
    }

    fn loop_body(&mut self, statements: impl Iterator<Item = ast::Statement<'l>>) -> Vec<Statement> {
        self.around.loops += 1;
        let body = self.statements(statements);
        self.around.loops -= 1;
        body
    }

    fn assignment(&mut self, assignment: ast::AssignmentStatement<'l>) -> Result<StatementKind, Mistake> {
        let target = assignment.target().ok_or(Mistake::Incomplete)?;
        if let ast::Expression::Tuple(tuple) = target {
            let value = self.maybe(assignment.value())?;
            let mut targets = Vec::new();
            for place in tuple.places() {
                targets.push(place.map(|e| self.target(e)).transpose()?);
            }
            self.check_results(&targets, &value)?;
            return Ok(StatementKind::AssignResults(targets, value));
        }
        let target = self.target(target)?;
        let value = self.maybe(assignment.value())?;
        self.check("the value", &target.ty, &value)?;
        if is_record_of_variables(&target) {
            return Ok(self.context.record_assignment(target, value));
        }
        Ok(StatementKind::Assign(target, value))
    }

    /// The left side of an assignment.
    fn target(&mut self, e: ast::Expression<'l>) -> Result<Expr, Mistake> {
        let target = self.expression(e)?;
        let mut place = &target;
        loop {
            match &place.kind {
                ExprKind::Local(id) if self.around.read_only.contains(id) => {
                    let local = self.around.locals.iter().find(|(_, local, _)| local == id);
                    let name = local.map_or_else(String::new, |(name, ..)| name.to_string());
                    return Err(Mistake::AssignedInput { name, span: target.span });
                }
                ExprKind::Local(_) => break,
                ExprKind::Variable(v, _) => {
                    let component = self.context.variable_component(*v);
                    let variability = self.context.component(component).variability;
                    if variability <= rhei_flat::Variability::Parameter && !self.initial {
                        let name = self.context.path_name(component);
                        return Err(Mistake::AssignedParameter { name, span: target.span });
                    }
                    break;
                }
                ExprKind::Index(inner, _) | ExprKind::Field(inner, _) => place = inner,
                // `der(x) := …` gives the derivative of a variable (MLS §11.2.1)
                ExprKind::Call(Builtin::Der, arguments)
                    if matches!(arguments.as_slice(), [Expr { kind: ExprKind::Variable(..), .. }]) =>
                {
                    place = &arguments[0];
                }
                ExprKind::Record(..) | ExprKind::Comprehension(..) => break, // a record variable of the model
                _ => return Err(Mistake::NotAssignable { span: target.span }),
            }
        }
        Ok(target)
    }

    /// `(a, , b) := f(x)`: each place takes one result.
    pub(crate) fn check_results(&mut self, targets: &[Option<Expr>], value: &Expr) -> Result<(), Mistake> {
        let (types, function) = match &value.kind {
            ExprKind::Apply(id, arguments) => {
                (self.output_types(*id, arguments), self.context.tables.function(*id).name.to_string())
            }
            ExprKind::Call(builtin @ rhei_flat::Builtin::SpatialDistribution, _) => {
                (vec![value.ty.clone(); 2], builtin.name().to_owned())
            }
            _ => return Err(Mistake::TupleOutside { span: value.span }),
        };
        if targets.len() > types.len() {
            let (results, wanted, span) = (types.len(), targets.len(), value.span);
            return Err(Mistake::TooFewResults { function, results, wanted, span });
        }
        for (target, ty) in targets.iter().zip(&types) {
            if let Some(target) = target {
                let value = Expr { ty: ty.clone(), ..value.clone() };
                self.check("the result", &target.ty, &value)?;
            }
        }
        Ok(())
    }

    /// The condition of a `when`: Boolean, a vector of Booleans, or a clock.
    pub(crate) fn when_condition(&mut self, condition: Option<ast::Expression<'l>>) -> Result<Expr, Mistake> {
        let condition = self.maybe(condition)?;
        let fits = match condition.ty.scalar {
            Scalar::Boolean => condition.ty.dimensions() <= 1,
            Scalar::Clock => condition.ty == Type::scalar(Scalar::Clock),
            _ => false,
        };
        if fits {
            return Ok(condition);
        }
        let (found, span) = (self.context.type_name(&condition.ty), condition.span);
        let wanted = "Boolean, a vector of Booleans or a clock".into();
        Err(Mistake::TypeMismatch { what: "the condition of `when`".into(), wanted, found, span })
    }
}

/// Whether a statement may end the loop around it.
fn leaves_loop(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Break | StatementKind::Return => true,
        StatementKind::If(branches, otherwise) => {
            branches.iter().any(|(_, body)| body.iter().any(leaves_loop)) || otherwise.iter().any(leaves_loop)
        }
        StatementKind::When(branches) => branches.iter().any(|(_, body)| body.iter().any(leaves_loop)),
        _ => false,
    }
}

/// Whether a target is a record of the model that is made of variables: no arrays of records among its fields.
fn is_record_of_variables(target: &Expr) -> bool {
    match &target.kind {
        ExprKind::Record(_, fields) => fields
            .iter()
            .all(|field| matches!(field.kind, ExprKind::Variable(..)) || is_record_of_variables(field)),
        _ => false,
    }
}
