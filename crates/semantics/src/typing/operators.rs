//! Operators (MLS §3.4, §3.5, §10.6).

use rhei_flat::{Arithmetic, Expr, ExprKind, Logic, Relation, Scalar, Type};
use rhei_source::Span;
use rhei_syntax::ast::{self, BinaryOperator, ChainLink, UnaryOperator};

use super::{Typed, Typing};
use crate::mistake::Mistake;

impl<'l> Typing<'_, 'l> {
    pub(super) fn unary(&mut self, e: ast::UnaryExpression<'l>) -> Typed {
        let operand = self.maybe(e.operand())?;
        let operator = e.operator().ok_or(Mistake::Incomplete)?;
        if matches!(operand.ty.scalar, Scalar::Record(_)) {
            return self.overloaded_unary(operator, operand, e.span());
        }
        let wants_boolean = operator == UnaryOperator::Not;
        let fits =
            if wants_boolean { operand.ty.scalar == Scalar::Boolean } else { operand.ty.scalar.is_numeric() };
        if !fits {
            return Err(Mistake::TypeMismatch {
                what: format!("the operand of `{}`", operator.symbol()),
                wanted: if wants_boolean { "Boolean".into() } else { "a number".into() },
                found: self.context.type_name(&operand.ty),
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

    pub(super) fn binary(&mut self, e: ast::BinaryExpression<'l>) -> Typed {
        let (first, links) = e.chain();
        let mut whole = self.maybe(first)?;
        for link in links {
            whole = self.link(whole, link)?;
        }
        Ok(whole)
    }

    fn link(&mut self, left: Expr, link: ChainLink<'l>) -> Typed {
        let operator = link.operator.ok_or(Mistake::Incomplete)?;
        let right = self.maybe(link.right)?;
        let span = link.whole.span();
        self.operation(operator, left, right, span)
    }

    pub(super) fn operation(
        &mut self,
        operator: BinaryOperator,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Typed {
        use BinaryOperator as B;
        if matches!(left.ty.scalar, Scalar::Record(_)) || matches!(right.ty.scalar, Scalar::Record(_)) {
            return self.overloaded_binary(operator, left, right, span);
        }
        match operator {
            B::And => self.logic(Logic::And, operator, left, right, span),
            B::Or => self.logic(Logic::Or, operator, left, right, span),
            B::Less => self.relation(Relation::Less, operator, left, right, span),
            B::LessEqual => self.relation(Relation::LessEqual, operator, left, right, span),
            B::Greater => self.relation(Relation::Greater, operator, left, right, span),
            B::GreaterEqual => self.relation(Relation::GreaterEqual, operator, left, right, span),
            B::Equal => self.relation(Relation::Equal, operator, left, right, span),
            B::NotEqual => self.relation(Relation::NotEqual, operator, left, right, span),
            _ => self.arithmetic(operator, left, right, span),
        }
    }

    fn arithmetic(&mut self, operator: BinaryOperator, left: Expr, right: Expr, span: Span) -> Typed {
        use BinaryOperator as B;
        // texts are put together by `+`
        let texts = left.ty.scalar == Scalar::String && right.ty.scalar == Scalar::String;
        if !(texts && matches!(operator, B::Add | B::ElementwiseAdd)) {
            for operand in [&left, &right] {
                if !operand.ty.scalar.is_numeric() {
                    return Err(Mistake::TypeMismatch {
                        what: format!("the operands of `{}`", operator.symbol()),
                        wanted: "numbers".into(),
                        found: self.context.type_name(&operand.ty),
                        span: operand.span,
                    });
                }
            }
        }
        let (a, b) = (left.ty.is_scalar(), right.ty.is_scalar());
        let op = match operator {
            B::Multiply if !a && !b => return self.matrix_product(left, right, span),
            B::Power if !a => return self.matrix_power(left, right, span),
            B::Add | B::Subtract if a != b => return Err(self.without_dot(operator, &left, &right)),
            B::Divide if !b => return Err(self.without_dot(operator, &left, &right)),
            B::Power if !b => return Err(self.without_dot(operator, &left, &right)),
            B::Add | B::ElementwiseAdd => Arithmetic::Add,
            B::Subtract | B::ElementwiseSubtract => Arithmetic::Subtract,
            B::Multiply | B::ElementwiseMultiply => Arithmetic::Multiply,
            B::Divide | B::ElementwiseDivide => Arithmetic::Divide,
            _ => Arithmetic::Power,
        };
        let mut ty = self.elementwise(&format!("the operands of `{}`", operator.symbol()), &left, &right)?;
        if matches!(op, Arithmetic::Divide | Arithmetic::Power) {
            ty.scalar = Scalar::Real; // MLS §10.6.5 and §10.6.7
        }
        Ok(Expr { kind: ExprKind::Arithmetic(op, Box::new(left), Box::new(right)), ty, span })
    }

    fn without_dot(&self, operator: BinaryOperator, left: &Expr, right: &Expr) -> Mistake {
        let what = format!("the operands of `{0}` (`.{0}` goes element by element)", operator.symbol());
        self.incompatible(&what, left, right)
    }

    /// The type of an operation that goes through arrays element by element, a scalar standing for every element.
    pub(super) fn elementwise(&self, what: &str, a: &Expr, b: &Expr) -> Result<Type, Mistake> {
        let scalar = a.ty.scalar.joined(b.ty.scalar);
        let sizes = if a.ty.is_scalar() {
            b.ty.sizes.clone()
        } else if b.ty.is_scalar() {
            a.ty.sizes.clone()
        } else if a.ty.same_sizes(&b.ty) {
            a.ty.sizes.iter().zip(&b.ty.sizes).map(|(a, b)| a.joined(*b)).collect()
        } else {
            return Err(self.incompatible(what, a, b));
        };
        match scalar {
            Some(scalar) => Ok(Type::array(scalar, sizes)),
            None => Err(self.incompatible(what, a, b)),
        }
    }

    /// vector·vector, matrix·vector, vector·matrix, matrix·matrix (MLS §10.6.4).
    fn matrix_product(&mut self, left: Expr, right: Expr, span: Span) -> Typed {
        let (a, b) = (&left.ty.sizes, &right.ty.sizes);
        let (inner_left, inner_right, sizes) = match (a.len(), b.len()) {
            (1, 1) => (a[0], b[0], vec![]),
            (2, 1) => (a[1], b[0], vec![a[0]]),
            (1, 2) => (a[0], b[0], vec![b[1]]),
            (2, 2) => (a[1], b[0], vec![a[0], b[1]]),
            _ => return Err(self.incompatible("the operands of `*`", &left, &right)),
        };
        if !inner_left.fits(inner_right) {
            return Err(self.incompatible("the operands of `*`", &left, &right));
        }
        let scalar = left.ty.scalar.joined(right.ty.scalar).ok_or(Mistake::Incomplete)?;
        let ty = Type::array(scalar, sizes);
        Ok(Expr { kind: ExprKind::MatrixProduct(Box::new(left), Box::new(right)), ty, span })
    }

    fn matrix_power(&mut self, left: Expr, right: Expr, span: Span) -> Typed {
        let square = left.ty.dimensions() == 2 && left.ty.sizes[0].fits(left.ty.sizes[1]);
        if !square || right.ty != Type::scalar(Scalar::Integer) {
            return Err(self.without_dot(BinaryOperator::Power, &left, &right));
        }
        let ty = left.ty.clone();
        Ok(Expr { kind: ExprKind::MatrixPower(Box::new(left), Box::new(right)), ty, span })
    }

    fn logic(&mut self, op: Logic, operator: BinaryOperator, left: Expr, right: Expr, span: Span) -> Typed {
        let what = format!("the operands of `{}`", operator.symbol());
        for operand in [&left, &right] {
            if operand.ty.scalar != Scalar::Boolean {
                let (found, span) = (self.context.type_name(&operand.ty), operand.span);
                return Err(Mistake::TypeMismatch { what, wanted: "Boolean".into(), found, span });
            }
        }
        if !left.ty.same_sizes(&right.ty) {
            return Err(self.incompatible(&what, &left, &right));
        }
        let ty = left.ty.clone();
        Ok(Expr { kind: ExprKind::Logic(op, Box::new(left), Box::new(right)), ty, span })
    }

    fn relation(
        &mut self,
        op: Relation,
        operator: BinaryOperator,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Typed {
        let what = format!("the operands of `{}`", operator.symbol());
        for operand in [&left, &right] {
            if !operand.ty.is_scalar() {
                let (found, span) = (self.context.type_name(&operand.ty), operand.span);
                return Err(Mistake::TypeMismatch { what, wanted: "scalars".into(), found, span });
            }
        }
        let simple = |scalar: Scalar| {
            matches!(
                scalar,
                Scalar::Real | Scalar::Integer | Scalar::Boolean | Scalar::String | Scalar::Enumeration(_)
            )
        };
        let related = self.context.accepts(left.ty.scalar, right.ty.scalar)
            || self.context.accepts(right.ty.scalar, left.ty.scalar);
        if !related || !simple(left.ty.scalar) {
            return Err(self.incompatible(&what, &left, &right));
        }
        // events lie where values cross, and equality is not crossed (MLS §3.5)
        let real = left.ty.scalar == Scalar::Real || right.ty.scalar == Scalar::Real;
        if real && matches!(op, Relation::Equal | Relation::NotEqual) && !self.around.in_function {
            return Err(Mistake::RealEquality { symbol: operator.symbol().into(), span });
        }
        let kind = ExprKind::Relation(op, Box::new(left), Box::new(right));
        Ok(Expr { kind, ty: Type::scalar(Scalar::Boolean), span })
    }
}
