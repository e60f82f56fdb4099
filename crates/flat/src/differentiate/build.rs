//! Typed expressions from their parts. A derivative that is certainly zero is no expression at all, so that nothing is
//! multiplied by it.

use rhei_elementary::Elementary;
use rhei_source::Span;

use crate::{
    Arithmetic, Builtin, Expr, ExprKind, Iteration, Logic, Relation, Scalar, Size, Subscript, Tables, Type,
};

pub(super) fn real(value: f64, span: Span) -> Expr {
    Expr { kind: ExprKind::Real(value), ty: Type::scalar(Scalar::Real), span }
}

pub(super) fn integer(value: i64, span: Span) -> Expr {
    Expr { kind: ExprKind::Integer(value), ty: Type::scalar(Scalar::Integer), span }
}

/// Element by element; the result has the sizes of the operand that has some.
pub(super) fn arithmetic(op: Arithmetic, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    let scalar = match op {
        Arithmetic::Divide | Arithmetic::Power => Scalar::Real,
        _ => a.ty.scalar.joined(b.ty.scalar).unwrap_or(Scalar::Real),
    };
    let sizes = if a.ty.is_scalar() { b.ty.sizes.clone() } else { joined_sizes(&a.ty, &b.ty) };
    Expr { kind: ExprKind::Arithmetic(op, Box::new(a), Box::new(b)), ty: Type::array(scalar, sizes), span }
}

fn joined_sizes(a: &Type, b: &Type) -> Vec<Size> {
    if a.dimensions() != b.dimensions() {
        return a.sizes.clone();
    }
    a.sizes.iter().zip(&b.sizes).map(|(a, b)| a.joined(*b)).collect()
}

pub(super) fn add(a: Expr, b: Expr) -> Expr {
    arithmetic(Arithmetic::Add, a, b)
}

pub(super) fn subtract(a: Expr, b: Expr) -> Expr {
    arithmetic(Arithmetic::Subtract, a, b)
}

pub(super) fn multiply(a: Expr, b: Expr) -> Expr {
    arithmetic(Arithmetic::Multiply, a, b)
}

pub(super) fn divide(a: Expr, b: Expr) -> Expr {
    arithmetic(Arithmetic::Divide, a, b)
}

pub(super) fn negate(a: Expr) -> Expr {
    let (ty, span) = (a.ty.clone(), a.span);
    Expr { kind: ExprKind::Negate(Box::new(a)), ty, span }
}

/// The sum of two derivatives.
pub(super) fn sum(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(add(a, b)),
        (a, b) => a.or(b),
    }
}

/// The difference of two derivatives.
pub(super) fn difference(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(subtract(a, b)),
        (a, None) => a,
        (None, Some(b)) => Some(negate(b)),
    }
}

pub(super) fn call(builtin: Builtin, arguments: Vec<Expr>, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Call(builtin, arguments), ty, span }
}

/// A function of one number, element by element.
pub(super) fn elementary(f: Elementary, a: Expr) -> Expr {
    let (ty, span) = (a.ty.with_scalar(Scalar::Real), a.span);
    call(Builtin::Elementary(f), vec![a], ty, span)
}

pub(super) fn relation(op: Relation, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    let kind = ExprKind::Relation(op, Box::new(a), Box::new(b));
    Expr { kind, ty: Type::scalar(Scalar::Boolean), span }
}

pub(super) fn both(a: Expr, b: Expr) -> Expr {
    let span = a.span;
    let kind = ExprKind::Logic(Logic::And, Box::new(a), Box::new(b));
    Expr { kind, ty: Type::scalar(Scalar::Boolean), span }
}

pub(super) fn choice(condition: Expr, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (a.ty.clone(), condition.span);
    Expr { kind: ExprKind::If(Box::new(condition), Box::new(a), Box::new(b)), ty, span }
}

pub(super) fn field(record: Expr, place: u32, tables: &Tables) -> Expr {
    let ty = match record.ty.scalar {
        Scalar::Record(id) => tables.record(id).fields[place as usize].ty.within(record.ty.sizes.clone()),
        _ => record.ty.clone(),
    };
    let span = record.span;
    Expr { kind: ExprKind::Field(Box::new(record), place), ty, span }
}

/// `size(e, dimension)`, dimensions from zero.
pub(super) fn size(e: &Expr, dimension: usize) -> Expr {
    match e.ty.sizes[dimension] {
        Size::Known(size) => integer(size as i64, e.span),
        Size::Open => {
            let arguments = vec![e.clone(), integer(dimension as i64 + 1, e.span)];
            call(Builtin::Size, arguments, Type::scalar(Scalar::Integer), e.span)
        }
    }
}

/// The scalar `value` in every element of an array of the sizes of `like`.
pub(super) fn spread(value: Expr, like: &Expr) -> Expr {
    if like.ty.is_scalar() {
        return value;
    }
    let (ty, span) = (like.ty.with_scalar(value.ty.scalar), value.span);
    let sizes = (0..like.ty.dimensions()).map(|dimension| size(like, dimension));
    call(Builtin::Fill, std::iter::once(value).chain(sizes).collect(), ty, span)
}

/// An element of an array, or a part of it: the first subscripts.
pub(super) fn index(array: Expr, first: Vec<Expr>) -> Expr {
    let span = array.span;
    let sizes = array.ty.sizes.get(first.len()..).unwrap_or_default().to_vec();
    let ty = Type::array(array.ty.scalar, sizes);
    let mut subscripts: Vec<Subscript> = first.into_iter().map(Subscript::Index).collect();
    subscripts.resize(array.ty.dimensions(), Subscript::Whole);
    Expr { kind: ExprKind::Index(Box::new(array), subscripts), ty, span }
}

/// A new iterator through `1:n`, and itself as an expression.
pub(super) fn counting(tables: &mut Tables, n: Expr) -> (Iteration, Expr) {
    let (span, known) = (n.span, n.kind.clone());
    let iterator = tables.new_iterator("$d");
    let size = match known {
        ExprKind::Integer(n) => usize::try_from(n).map_or(Size::Open, Size::Known),
        _ => Size::Open,
    };
    let kind = ExprKind::Range(Box::new(integer(1, span)), None, Box::new(n));
    let range = Expr { kind, ty: Type::array(Scalar::Integer, vec![size]), span };
    let itself = Expr { kind: ExprKind::Iterator(iterator), ty: Type::scalar(Scalar::Integer), span };
    (Iteration { iterator, range: Box::new(range) }, itself)
}

/// The derivative of a constant expression: zeros where `like` has Reals, its own values elsewhere.
pub(super) fn zero(like: &Expr, tables: &mut Tables) -> Expr {
    let Scalar::Record(id) = like.ty.scalar else {
        return match like.ty.scalar {
            Scalar::Real | Scalar::Integer => spread(real(0.0, like.span), like),
            _ => like.clone(),
        };
    };
    if like.ty.is_scalar() {
        let types: Vec<Type> = tables.record(id).fields.iter().map(|field| field.ty.clone()).collect();
        let fields = types.iter().enumerate().map(|(place, ty)| {
            let own = field(like.clone(), place as u32, tables);
            if tables.holds_reals(ty) { zero(&own, tables) } else { own }
        });
        let fields = fields.collect();
        return Expr { kind: ExprKind::Record(id, fields), ty: like.ty.clone(), span: like.span };
    }
    let (iteration, place) = counting(tables, size(like, 0));
    let body = zero(&index(like.clone(), vec![place]), tables);
    let kind = ExprKind::Comprehension(Box::new(body), vec![iteration]);
    Expr { kind, ty: like.ty.clone(), span: like.span }
}
