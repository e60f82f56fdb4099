//! Expressions get their types (MLS §3 and §10).

use rhei_flat::{
    Arithmetic, Builtin, Expr, ExprKind, Logic, Relation, Scalar, Subscript, Type, VarId, Variability,
};
use rhei_source::{Span, nearest_name};
use rhei_syntax::ast::{self, BinaryOperator, ChainLink, UnaryOperator};

use crate::builtins::{self, elementwise};
use crate::evaluate_sizes::evaluate_size;
use crate::mistake::Mistake;
use crate::scope::Scope;

type Typed = Result<Expr, Mistake>;

/// Types expressions of a class.
#[derive(Clone, Copy)]
pub(crate) struct Typing<'a> {
    pub(crate) scope: &'a Scope,
}

impl Typing<'_> {
    /// The expression with its type; a missing one was complained about by the parser.
    pub(crate) fn maybe(self, expression: Option<ast::Expression<'_>>) -> Typed {
        expression.ok_or(Mistake::Incomplete).and_then(|e| self.expression(e))
    }

    pub(crate) fn expression(self, e: ast::Expression<'_>) -> Typed {
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
            ast::Expression::Time(_) => scalar(ExprKind::Time, Scalar::Real),
            ast::Expression::Reference(reference) => self.reference(reference),
            ast::Expression::Call(call) => self.call(call),
            ast::Expression::Parenthesized(inner) => self.maybe(inner.inner()),
            ast::Expression::Array(array) => self.array(array),
            ast::Expression::Range(range) => self.range(range),
            ast::Expression::If(e) => self.if_expression(e),
            ast::Expression::Unary(e) => self.unary(e),
            ast::Expression::Binary(e) => self.binary(e),
            ast::Expression::End(_) => Err(Mistake::not_supported("`end` as a subscript", span)),
            ast::Expression::Function(_) => Err(Mistake::not_supported("a function as an argument", span)),
            ast::Expression::Tuple(_) => Err(Mistake::not_supported("a list of results", span)),
            ast::Expression::Indexed(_) => Err(Mistake::not_supported("a subscript of an expression", span)),
            ast::Expression::Field(_) => Err(Mistake::not_supported("an element of an expression", span)),
            ast::Expression::Matrix(_) => Err(Mistake::not_supported("a matrix in brackets", span)),
        }
    }

    fn reference(self, reference: ast::ComponentReference<'_>) -> Typed {
        let span = reference.span();
        let mut parts = reference.parts();
        let first = parts.next().ok_or(Mistake::Incomplete)?;
        let name = first.name.ident();
        let Some(v) = self.scope.find(&name) else {
            let (class, near) = (self.scope.class.to_string(), self.scope.nearest(&name));
            return Err(Mistake::UnknownName {
                name: name.into_owned(),
                class,
                near,
                span: first.name.span(),
            });
        };
        if parts.next().is_some() {
            let class = self.scope.variable(v).ty.to_string();
            return Err(Mistake::UnknownName { name: reference.to_string(), class, near: None, span });
        }
        self.subscripted(v, first.subscripts, span)
    }

    fn subscripted(self, v: VarId, subscripts: Option<ast::ArraySubscripts<'_>>, span: Span) -> Typed {
        let variable = self.scope.variable(v);
        let Some(written) = subscripts else {
            return Ok(Expr { kind: ExprKind::Variable(v, Vec::new()), ty: variable.ty.clone(), span });
        };
        let mut subscripts = Vec::new();
        for subscript in written.subscripts() {
            subscripts.push(match subscript {
                ast::Subscript::Colon(_) => Subscript::Whole,
                ast::Subscript::Index(e) => Subscript::Index(self.subscript(e)?),
            });
        }
        let dimensions = variable.ty.sizes.len();
        if subscripts.len() > dimensions {
            let name = variable.name.to_string();
            return Err(Mistake::WrongSubscriptCount {
                name,
                dimensions,
                found: subscripts.len(),
                span: written.span(),
            });
        }
        subscripts.resize(dimensions, Subscript::Whole); // MLS §10.5: dimensions left out are whole
        let mut sizes = Vec::new();
        for (subscript, &size) in subscripts.iter().zip(&variable.ty.sizes) {
            match subscript {
                Subscript::Whole => sizes.push(size),
                Subscript::Index(e) => sizes.extend(&e.ty.sizes),
            }
        }
        Ok(Expr { kind: ExprKind::Variable(v, subscripts), ty: Type::array(variable.ty.scalar, sizes), span })
    }

    fn subscript(self, e: ast::Expression<'_>) -> Typed {
        let e = self.expression(e)?;
        if e.ty.scalar != Scalar::Integer || e.ty.sizes.len() > 1 {
            return Err(Mistake::TypeMismatch {
                what: "a subscript".into(),
                wanted: "Integer or a vector of Integer".into(),
                found: e.ty,
                span: e.span,
            });
        }
        Ok(e)
    }

    fn call(self, call: ast::FunctionCall<'_>) -> Typed {
        let span = call.span();
        let function = call.function().ok_or(Mistake::Incomplete)?;
        let name = function.to_string();
        if call.iterators().next().is_some() {
            return Err(Mistake::not_supported("a call with `for`", span));
        }
        let Some(builtin) = Builtin::named(&name) else {
            if builtins::NOT_YET.contains(&name.as_str()) || function.as_ident().is_none() {
                return Err(Mistake::not_supported(format!("`{name}`"), function.span()));
            }
            let known =
                Builtin::ALL.iter().map(|builtin| builtin.name()).chain(builtins::NOT_YET.iter().copied());
            let near = nearest_name(&name, known).map(str::to_owned);
            return Err(Mistake::UnknownFunction { name, near, span: function.span() });
        };
        if let Some(named) = call.named().next() {
            return Err(Mistake::not_supported("an argument by name", named.span()));
        }
        let written: Vec<ast::Expression<'_>> = call.positional().collect();
        let mut arguments = Vec::new();
        for (i, &argument) in written.iter().enumerate() {
            let is_size = match builtin {
                Builtin::Zeros | Builtin::Ones => true,
                Builtin::Fill => i > 0,
                _ => false,
            };
            arguments.push(if is_size { self.size(argument)? } else { self.expression(argument)? });
        }
        builtins::call(builtin, arguments, span)
    }

    /// A size, as the whole number it is.
    fn size(self, e: ast::Expression<'_>) -> Typed {
        let size = evaluate_size(&self.expression(e)?, self.scope)?;
        Ok(Expr { kind: ExprKind::Integer(size as i64), ty: Type::scalar(Scalar::Integer), span: e.span() })
    }

    fn array(self, array: ast::ArrayConstructor<'_>) -> Typed {
        let span = array.span();
        if array.iterators().next().is_some() {
            return Err(Mistake::not_supported("an array with `for`", span));
        }
        let elements: Vec<Expr> = array.elements().map(|e| self.expression(e)).collect::<Result<_, _>>()?;
        let Some(first) = elements.first() else {
            return Err(Mistake::not_supported("an array without elements", span));
        };
        let mut scalar = first.ty.scalar;
        for element in &elements[1..] {
            match scalar.joined(element.ty.scalar) {
                Some(joined) if element.ty.sizes == first.ty.sizes => scalar = joined,
                _ => {
                    return Err(Mistake::Incompatible {
                        what: "elements of an array".into(),
                        left: first.ty.clone(),
                        left_span: first.span,
                        right: element.ty.clone(),
                        right_span: element.span,
                    });
                }
            }
        }
        let sizes = std::iter::once(elements.len()).chain(first.ty.sizes.iter().copied()).collect();
        Ok(Expr { kind: ExprKind::Array(elements), ty: Type::array(scalar, sizes), span })
    }

    /// A range of whole numbers known before the run.
    fn range(self, range: ast::RangeExpression<'_>) -> Typed {
        let span = range.span();
        let bound = |e: Option<ast::Expression<'_>>| -> Result<(Expr, i64), Mistake> {
            let e = self.maybe(e)?;
            let value = crate::evaluate_sizes::evaluate_integer(&e, self.scope)?;
            Ok((Expr { kind: ExprKind::Integer(value), ..e }, value))
        };
        let (first, from) = bound(range.start())?;
        let (last, to) = bound(range.stop())?;
        let step = range.step().map(|step| bound(Some(step))).transpose()?;
        let by = step.as_ref().map_or(1, |(_, by)| *by);
        if by == 0 {
            return Err(Mistake::SizeNotEvaluable { why: "a range with the step 0".into(), span });
        }
        let count = ((to - from) / by + 1).max(0) as usize;
        let kind = ExprKind::Range(Box::new(first), step.map(|(e, _)| Box::new(e)), Box::new(last));
        Ok(Expr { kind, ty: Type::array(Scalar::Integer, vec![count]), span })
    }

    fn if_expression(self, e: ast::IfExpression<'_>) -> Typed {
        let branches: Vec<ast::Branch<'_>> = e.branches().collect();
        let (last, before) = branches.split_last().ok_or(Mistake::Incomplete)?;
        if !last.is_else() {
            return Err(Mistake::Incomplete);
        }
        let mut whole = self.maybe(last.value())?;
        for branch in before.iter().rev() {
            let condition = self.condition(branch.condition())?;
            let value = self.maybe(branch.value())?;
            let fits = value.ty.scalar.joined(whole.ty.scalar).filter(|_| value.ty.sizes == whole.ty.sizes);
            let Some(scalar) = fits else {
                return Err(Mistake::Incompatible {
                    what: "the branches of an if-expression".into(),
                    left: value.ty,
                    left_span: value.span,
                    right: whole.ty,
                    right_span: whole.span,
                });
            };
            let ty = value.ty.with_scalar(scalar);
            whole = Expr {
                kind: ExprKind::If(Box::new(condition), Box::new(value), Box::new(whole)),
                ty,
                span: e.span(),
            };
        }
        Ok(whole)
    }

    fn condition(self, condition: Option<ast::Expression<'_>>) -> Typed {
        let condition = self.maybe(condition)?;
        if condition.ty == Type::scalar(Scalar::Boolean) {
            return Ok(condition);
        }
        let (found, span) = (condition.ty, condition.span);
        Err(Mistake::TypeMismatch { what: "a condition".into(), wanted: "Boolean".into(), found, span })
    }

    fn unary(self, e: ast::UnaryExpression<'_>) -> Typed {
        let operand = self.maybe(e.operand())?;
        let operator = e.operator().ok_or(Mistake::Incomplete)?;
        let wants_boolean = operator == UnaryOperator::Not;
        if (operand.ty.scalar == Scalar::Boolean) != wants_boolean || operand.ty.scalar == Scalar::String {
            return Err(Mistake::TypeMismatch {
                what: format!("the operand of `{}`", operator.symbol()),
                wanted: if wants_boolean { "Boolean".into() } else { "a number".into() },
                found: operand.ty,
                span: operand.span,
            });
        }
        let ty = operand.ty.clone();
        let kind = match operator {
            UnaryOperator::Plus | UnaryOperator::ElementwisePlus => operand.kind,
            UnaryOperator::Minus | UnaryOperator::ElementwiseMinus => match operand.kind {
                ExprKind::Real(value) => ExprKind::Real(-value),
                ExprKind::Integer(value) => ExprKind::Integer(-value),
                _ => ExprKind::Negate(Box::new(operand)),
            },
            UnaryOperator::Not => ExprKind::Not(Box::new(operand)),
        };
        Ok(Expr { kind, ty, span: e.span() })
    }

    fn binary(self, e: ast::BinaryExpression<'_>) -> Typed {
        let (first, links) = e.chain();
        let mut whole = self.maybe(first)?;
        for link in links {
            whole = self.link(whole, link)?;
        }
        Ok(whole)
    }

    fn link(self, left: Expr, link: ChainLink<'_>) -> Typed {
        use BinaryOperator as B;
        let operator = link.operator.ok_or(Mistake::Incomplete)?;
        let right = self.maybe(link.right)?;
        let span = link.whole.span();
        let what = format!("the operands of `{}`", operator.symbol());
        let wanted_boolean = matches!(operator, B::And | B::Or);
        for operand in [&left, &right] {
            let is_boolean = operand.ty.scalar == Scalar::Boolean;
            let fits = if wanted_boolean {
                is_boolean
            } else {
                operator.is_relational() || operand.ty.scalar.is_numeric()
            };
            if !fits {
                let wanted = if wanted_boolean { "Boolean" } else { "numbers" };
                let (found, span) = (operand.ty.clone(), operand.span);
                return Err(Mistake::TypeMismatch { what, wanted: wanted.into(), found, span });
            }
        }
        let arithmetic = match operator {
            B::Add | B::ElementwiseAdd => Arithmetic::Add,
            B::Subtract | B::ElementwiseSubtract => Arithmetic::Subtract,
            B::Multiply | B::ElementwiseMultiply => Arithmetic::Multiply,
            B::Divide | B::ElementwiseDivide => Arithmetic::Divide,
            B::Power | B::ElementwisePower => Arithmetic::Power,
            B::And => return logic(Logic::And, &what, left, right, span),
            B::Or => return logic(Logic::Or, &what, left, right, span),
            B::Less => return relation(Relation::Less, &what, left, right, span),
            B::LessEqual => return relation(Relation::LessEqual, &what, left, right, span),
            B::Greater => return relation(Relation::Greater, &what, left, right, span),
            B::GreaterEqual => return relation(Relation::GreaterEqual, &what, left, right, span),
            B::Equal => return relation(Relation::Equal, &what, left, right, span),
            B::NotEqual => return relation(Relation::NotEqual, &what, left, right, span),
        };
        self.refuse_array_algebra(operator, &left, &right, span)?;
        let mut ty = elementwise(&what, &left, &right)?;
        if matches!(arithmetic, Arithmetic::Divide | Arithmetic::Power) {
            ty.scalar = Scalar::Real; // MLS §10.6.5 and §10.6.7
        }
        Ok(Expr { kind: ExprKind::Arithmetic(arithmetic, Box::new(left), Box::new(right)), ty, span })
    }

    /// `+` and `-` want equal sizes; products of arrays, division by one and powers of one are other operations.
    fn refuse_array_algebra(
        self,
        operator: BinaryOperator,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Result<(), Mistake> {
        use BinaryOperator as B;
        let (a, b) = (left.ty.is_scalar(), right.ty.is_scalar());
        match operator {
            B::Add | B::Subtract if a != b => Err(Mistake::Incompatible {
                what: format!("the operands of `{}`", operator.symbol()),
                left: left.ty.clone(),
                left_span: left.span,
                right: right.ty.clone(),
                right_span: right.span,
            }),
            B::Multiply if !a && !b => Err(Mistake::not_supported("a product of arrays", span)),
            B::Divide if !b => Err(Mistake::TypeMismatch {
                what: "the divisor of `/`".into(),
                wanted: "a scalar (`./` divides element by element)".into(),
                found: right.ty.clone(),
                span: right.span,
            }),
            B::Power if !a || !b => Err(Mistake::not_supported("a power of arrays", span)),
            _ => Ok(()),
        }
    }

    /// Whether `e` changes no more often than `wanted`; `what` is what it is given to.
    pub(crate) fn at_most(self, wanted: Variability, what: &str, e: &Expr) -> Result<(), Mistake> {
        let mut worst: Option<(Variability, String, Span)> = None;
        e.walk(&mut |part| {
            let (found, name) = match &part.kind {
                ExprKind::Time => (Variability::Continuous, "time".to_owned()),
                ExprKind::Variable(v, _) => {
                    let variable = self.scope.variable(*v);
                    (variable.variability, variable.name.to_string())
                }
                _ => return,
            };
            if worst.as_ref().is_none_or(|(before, ..)| found > *before) {
                worst = Some((found, name, part.span));
            }
        });
        match worst {
            Some((found, because, span)) if found > wanted => {
                Err(Mistake::TooVariable { what: what.into(), wanted, found, because, span })
            }
            _ => Ok(()),
        }
    }
}

fn logic(op: Logic, what: &str, left: Expr, right: Expr, span: Span) -> Typed {
    let ty = elementwise(what, &left, &right)?;
    Ok(Expr { kind: ExprKind::Logic(op, Box::new(left), Box::new(right)), ty, span })
}

fn relation(op: Relation, what: &str, left: Expr, right: Expr, span: Span) -> Typed {
    for operand in [&left, &right] {
        if !operand.ty.is_scalar() {
            let (found, span) = (operand.ty.clone(), operand.span);
            return Err(Mistake::TypeMismatch { what: what.into(), wanted: "scalars".into(), found, span });
        }
    }
    if left.ty.scalar == Scalar::String {
        return Err(Mistake::not_supported("a comparison of texts", span));
    }
    elementwise(what, &left, &right)?;
    let kind = ExprKind::Relation(op, Box::new(left), Box::new(right));
    Ok(Expr { kind, ty: Type::scalar(Scalar::Boolean), span })
}
