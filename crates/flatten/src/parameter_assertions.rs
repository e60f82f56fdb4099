//! Parameters of connected connectors have the same values (MLS §9.3): those still free to change are checked when the
//! run begins.

use rhei_flat::{
    Arithmetic, Builtin, Elementary, Equation, EquationKind, Expr, ExprKind, Relation, Scalar, Type,
    Variability,
};
use rhei_instance::Connection;
use rhei_source::Span;

use crate::array_equations::{element, zero};
use crate::connection_equations::origin_of;
use crate::connection_sets::{Element, Origin};
use crate::tree::Tree;

/// Two parameters that a connection ties together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParameterPair {
    pub(crate) left: Element,
    pub(crate) right: Element,
    pub(crate) origin: Origin,
}

/// `assert(left == right, …)` for all pairs of which one can be changed.
pub(crate) fn parameter_assertions(
    tree: &Tree,
    connections: &[Connection],
    pairs: &[ParameterPair],
) -> Vec<Equation> {
    let is_free = |element: Element| {
        let variable = tree.variable(element.variable);
        variable.variability == Variability::Parameter && !variable.structural
    };
    let free = pairs.iter().filter(|pair| is_free(pair.left) || is_free(pair.right));
    free.map(|pair| assertion(tree, connections, *pair)).collect()
}

fn assertion(tree: &Tree, connections: &[Connection], pair: ParameterPair) -> Equation {
    let (component, span) = origin_of(connections, pair.origin);
    let [left, right] = [pair.left, pair.right].map(|side| element(tree, side, span));
    let name = |side: Element| tree.variable(side.variable).name.to_string();
    let text = format!(
        "the parameters {} and {} of connected connectors have different values",
        name(pair.left),
        name(pair.right)
    );
    let text = Expr { kind: ExprKind::String(text.into()), ty: Type::scalar(Scalar::String), span };
    let condition = same_value(left, right, span);
    // the type that a call without a result has is never asked for
    let kind = ExprKind::Call(Builtin::Assert, vec![condition, text]);
    let call = Expr { kind, ty: Type::scalar(Scalar::Boolean), span };
    Equation { kind: EquationKind::Call(call), component, span }
}

/// Whether two scalars are the same. Real numbers are not compared with `==` (MLS §3.5).
fn same_value(left: Expr, right: Expr, span: Span) -> Expr {
    let boolean = |kind: ExprKind| Expr { kind, ty: Type::scalar(Scalar::Boolean), span };
    if left.ty.scalar != Scalar::Real && right.ty.scalar != Scalar::Real {
        return boolean(ExprKind::Relation(Relation::Equal, Box::new(left), Box::new(right)));
    }
    let ty = Type::scalar(Scalar::Real);
    let difference = ExprKind::Arithmetic(Arithmetic::Subtract, Box::new(left), Box::new(right));
    let difference = Expr { kind: difference, ty: ty.clone(), span };
    let distance = Expr {
        kind: ExprKind::Call(Builtin::Elementary(Elementary::Abs), vec![difference]),
        ty: ty.clone(),
        span,
    };
    boolean(ExprKind::Relation(Relation::LessEqual, Box::new(distance), Box::new(zero(&ty, span))))
}
