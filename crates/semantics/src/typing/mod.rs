//! Expressions get their types (MLS §3, §10 and §12).

mod arrays;
mod builtins;
mod calls;
mod choose;
mod connectors;
mod constants;
mod functional;
mod iterators;
mod loop_arrays;
mod operators;
mod overloaded;
mod record_flows;
mod references;
mod statements;

pub(crate) use references::subscripted;
use rhei_flat::{Expr, ExprKind, FunctionId, IteratorId, LocalId, Scalar, Type};
use rhei_source::Span;
use rhei_syntax::ast;
use smol_str::SmolStr;

use crate::class::ClassNodeId;
use crate::context::Context;
use crate::mistake::Mistake;

pub(crate) type Typed = Result<Expr, Mistake>;

/// Names known beside those of the class: locals of a function, iterators of loops.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surroundings {
    /// Components of the function around, with their types.
    pub(crate) locals: Vec<(SmolStr, LocalId, Type)>,
    /// Iterators of loops around, innermost last.
    pub(crate) iterators: Vec<(SmolStr, IteratorId, Type)>,
    /// Which turn of a loop it is, where the loop is written out.
    pub(crate) turns: Vec<(IteratorId, Expr)>,
    /// The meaning of `end`, innermost last.
    pub(crate) ends: Vec<Expr>,
    /// Whether the expression stands in a function.
    pub(crate) in_function: bool,
    /// That function, where it is more than a record constructor.
    pub(crate) function: Option<FunctionId>,
    /// Whether impure functions may not be called: it is declared as pure.
    pub(crate) is_pure: bool,
    /// Components of the function that keep the value they begin with: inputs and constants.
    pub(crate) read_only: Vec<LocalId>,
    /// Depth of loops among statements, which `break` can leave.
    pub(crate) loops: usize,
}

/// Types expressions in the names of a class.
pub(crate) struct Typing<'c, 'l> {
    pub(crate) context: &'c mut Context<'l>,
    pub(crate) scope: ClassNodeId,
    pub(crate) around: Surroundings,
    /// Whether it is typed for the start only: parameters may be determined then.
    pub(crate) initial: bool,
}

impl<'c, 'l> Typing<'c, 'l> {
    pub(crate) fn of_class(context: &'c mut Context<'l>, scope: ClassNodeId) -> Self {
        Typing { context, scope, around: Surroundings::default(), initial: false }
    }

    pub(crate) fn with(context: &'c mut Context<'l>, scope: ClassNodeId, around: Surroundings) -> Self {
        Typing { context, scope, around, initial: false }
    }

    /// The expression with its type; a missing one was complained about by the parser.
    pub(crate) fn maybe(&mut self, expression: Option<ast::Expression<'l>>) -> Typed {
        expression.ok_or(Mistake::Incomplete).and_then(|e| self.expression(e))
    }

    pub(crate) fn expression(&mut self, e: ast::Expression<'l>) -> Typed {
        self.context.enter_expression(e.span())?;
        let typed = self.expression_by_kind(e);
        self.context.leave_expression();
        typed
    }

    fn expression_by_kind(&mut self, e: ast::Expression<'l>) -> Typed {
        let span = e.span();
        let scalar = |kind, scalar| Ok(Expr { kind, ty: Type::scalar(scalar), span });
        match e {
            ast::Expression::Integer(literal) => match literal.value() {
                Some(value) => scalar(ExprKind::Integer(value), Scalar::Integer),
                None => Err(Mistake::Incomplete),
            },
            ast::Expression::Real(literal) => scalar(ExprKind::Real(literal.value()), Scalar::Real),
            ast::Expression::String(literal) => {
                scalar(ExprKind::String(literal.value().into()), Scalar::String)
            }
            ast::Expression::Boolean(literal) => scalar(ExprKind::Boolean(literal.value()), Scalar::Boolean),
            ast::Expression::Time(_) if self.around.in_function => {
                Err(Mistake::InFunction { what: "time".into(), span })
            }
            ast::Expression::Time(_) => scalar(ExprKind::Time, Scalar::Real),
            ast::Expression::Reference(reference) => self.reference(reference),
            ast::Expression::Call(call) => self.call(call),
            ast::Expression::Parenthesized(inner) => self.maybe(inner.inner()),
            ast::Expression::Array(array) => self.array(array),
            ast::Expression::Matrix(matrix) => self.matrix(matrix),
            ast::Expression::Range(range) => self.range(range),
            ast::Expression::If(e) => self.if_expression(e),
            ast::Expression::Unary(e) => self.unary(e),
            ast::Expression::Binary(e) => self.binary(e),
            ast::Expression::End(_) => self.around.ends.last().cloned().ok_or(Mistake::EndOutside { span }),
            ast::Expression::Indexed(indexed) => {
                let inner = self.maybe(indexed.inner())?;
                match indexed.subscripts() {
                    Some(subscripts) => self.indexed(inner, subscripts),
                    None => Ok(inner),
                }
            }
            ast::Expression::Field(field) => {
                let inner = self.maybe(field.inner())?;
                let name = field.name().ok_or(Mistake::Incomplete)?;
                self.field_of(inner, name)
            }
            ast::Expression::Function(function) => self.function_argument(function),
            ast::Expression::Tuple(tuple) => {
                // `(e)` with one place is `e`
                let places = tuple.places();
                match places.as_slice() {
                    [Some(one)] => self.expression(*one),
                    _ => Err(Mistake::TupleOutside { span }),
                }
            }
        }
    }

    /// An expression of type Boolean.
    pub(crate) fn condition(&mut self, condition: Option<ast::Expression<'l>>) -> Typed {
        let condition = self.maybe(condition)?;
        if condition.ty == Type::scalar(Scalar::Boolean) {
            return Ok(condition);
        }
        let (found, span) = (self.context.type_name(&condition.ty), condition.span);
        Err(Mistake::TypeMismatch { what: "a condition".into(), wanted: "Boolean".into(), found, span })
    }

    fn if_expression(&mut self, e: ast::IfExpression<'l>) -> Typed {
        let branches: Vec<ast::Branch<'l>> = e.branches().collect();
        let (last, before) = branches.split_last().ok_or(Mistake::Incomplete)?;
        if !last.is_else() {
            return Err(Mistake::Incomplete);
        }
        let mut kept: Vec<(Expr, Typed)> = Vec::new();
        let mut whole = None;
        for branch in before {
            let condition = self.condition(branch.condition())?;
            match self.decided(&condition) {
                Some(false) => {}
                Some(true) => {
                    whole = Some(self.maybe(branch.value()));
                    break;
                }
                None => {
                    let value = self.maybe(branch.value());
                    kept.push((condition, value));
                }
            }
        }
        let whole = match whole {
            Some(whole) => whole,
            None => self.maybe(last.value()),
        };
        self.joined_branches(kept, whole, e.span())
    }

    /// The value of a condition that is known from constants alone.
    fn decided(&mut self, condition: &Expr) -> Option<bool> {
        let mut constant = true;
        condition.walk(&mut |part| match &part.kind {
            ExprKind::Variable(v, _) => {
                let component = self.context.variable_component(*v);
                let node = self.context.component(component);
                // a structural parameter is as good as a constant
                constant &= node.variability == rhei_flat::Variability::Constant
                    || (node.structural && node.variability == rhei_flat::Variability::Parameter);
            }
            ExprKind::Time | ExprKind::Local(_) | ExprKind::Iterator(_) | ExprKind::ApplyLocal(..) => {
                constant = false
            }
            ExprKind::Apply(..) => constant = false,
            ExprKind::Call(builtin, _)
                if !builtin.is_elementary() && *builtin != rhei_flat::Builtin::Size =>
            {
                constant = false;
            }
            _ => {}
        });
        if !constant {
            return None;
        }
        self.context.evaluate(condition, true).ok()?.as_boolean()
    }

    /// A branch that is never taken need not have the sizes of the others, nor be right (MLS §3.6.5): where branches do not go
    /// together, a condition over parameters decides.
    fn joined_branches(&mut self, kept: Vec<(Expr, Typed)>, whole: Typed, span: Span) -> Typed {
        let mut whole = whole;
        for (condition, value) in kept.into_iter().rev() {
            let joined = match (&value, &whole) {
                (Ok(value), Ok(whole)) => self.joined("the branches of an if-expression", value, whole),
                (Err(mistake), _) | (_, Err(mistake)) => Err(mistake.clone()),
            };
            whole = match joined {
                Ok(ty) => {
                    let kind = ExprKind::If(Box::new(condition), Box::new(value?), Box::new(whole?));
                    Ok(Expr { kind, ty, span })
                }
                Err(mistake) => {
                    let other_types = matches!(mistake, Mistake::Incompatible { sizes: false, .. });
                    let decided =
                        match self.context.at_most(rhei_flat::Variability::Parameter, "", &condition) {
                            Ok(()) if other_types => None,
                            Ok(()) => self
                                .context
                                .evaluate(&condition, true)
                                .ok()
                                .and_then(|value| value.as_boolean()),
                            Err(_) => None,
                        };
                    match decided {
                        Some(true) => value,
                        Some(false) => whole,
                        None => return Err(mistake),
                    }
                }
            };
        }
        whole
    }

    /// The type that two expressions of equal sizes have together.
    pub(crate) fn joined(&self, what: &str, a: &Expr, b: &Expr) -> Result<Type, Mistake> {
        let scalar = if self.context.accepts(a.ty.scalar, b.ty.scalar) {
            Some(a.ty.scalar)
        } else if self.context.accepts(b.ty.scalar, a.ty.scalar) {
            Some(b.ty.scalar)
        } else {
            None
        };
        match scalar {
            Some(scalar) if a.ty.same_sizes(&b.ty) => {
                let sizes = a.ty.sizes.iter().zip(&b.ty.sizes).map(|(a, b)| a.joined(*b)).collect();
                Ok(Type::array(scalar, sizes))
            }
            _ => Err(self.incompatible(what, a, b)),
        }
    }

    pub(crate) fn incompatible(&self, what: &str, a: &Expr, b: &Expr) -> Mistake {
        Mistake::Incompatible {
            what: what.into(),
            sizes: a.ty.scalar.joined(b.ty.scalar).is_some(),
            left: self.context.type_name(&a.ty),
            left_span: a.span,
            right: self.context.type_name(&b.ty),
            right_span: b.span,
        }
    }

    /// Whether `e` can stand where a value of this type is wanted.
    pub(crate) fn check(&self, what: &str, wanted: &Type, e: &Expr) -> Result<(), Mistake> {
        if self.context.accepts(wanted.scalar, e.ty.scalar) && wanted.same_sizes(&e.ty) {
            return Ok(());
        }
        let (wanted, found) = (self.context.type_name(wanted), self.context.type_name(&e.ty));
        Err(Mistake::TypeMismatch { what: what.into(), wanted, found, span: e.span })
    }
}
