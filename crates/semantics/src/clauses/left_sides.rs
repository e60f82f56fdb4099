//! Variables defined in clauses: references on the left of equations, and whether two of them mean the same
//! elements.

use rhei_flat::{Equation, EquationKind, Expr, ExprKind, Subscript, VarId};
use rhei_source::Span;

/// A variable, or elements of it, that a clause gives a value.
#[derive(Clone, Debug)]
pub(super) struct Defined {
    pub(super) variable: VarId,
    pub(super) subscripts: Vec<Subscript>,
    pub(super) span: Span,
}

impl Defined {
    /// Whether two of them certainly share an element. Subscripts that are written differently may mean different elements.
    pub(super) fn meets(&self, other: &Defined) -> bool {
        self.variable == other.variable
            && self.subscripts.iter().zip(&other.subscripts).all(|pair| match pair {
                (Subscript::Whole, _) | (_, Subscript::Whole) => true,
                (Subscript::Index(a), Subscript::Index(b)) => same(a, b),
            })
    }
}

/// Whether two subscripts are written alike, wherever they are.
fn same(a: &Expr, b: &Expr) -> bool {
    let (parts, others) = (a.parts(), b.parts());
    let alike = match (&a.kind, &b.kind) {
        (ExprKind::Integer(a), ExprKind::Integer(b)) => a == b,
        (ExprKind::Boolean(a), ExprKind::Boolean(b)) => a == b,
        (ExprKind::Enumeration(a, i), ExprKind::Enumeration(b, j)) => (a, i) == (b, j),
        (ExprKind::Iterator(a), ExprKind::Iterator(b)) => a == b,
        (ExprKind::Variable(a, _), ExprKind::Variable(b, _)) => a == b,
        (ExprKind::Arithmetic(a, ..), ExprKind::Arithmetic(b, ..)) => a == b,
        _ => false,
    };
    alike && parts.len() == others.len() && parts.iter().zip(others).all(|(a, b)| same(a, b))
}

/// The variables that a reference means: one, or those of a record; nothing where it is another expression.
pub(super) fn reference(e: &Expr) -> Option<Vec<Defined>> {
    match &e.kind {
        ExprKind::Variable(v, subscripts) => {
            Some(vec![Defined { variable: *v, subscripts: subscripts.clone(), span: e.span }])
        }
        ExprKind::Index(inner, _) | ExprKind::Field(inner, _) => reference(inner),
        // a record variable stands as its fields, an array of them as a loop over these
        ExprKind::Record(_, fields) => {
            let all: Option<Vec<Vec<Defined>>> = fields.iter().map(reference).collect();
            Some(all?.into_iter().flatten().collect())
        }
        ExprKind::Comprehension(body, _) => reference(body),
        _ => None,
    }
}

/// All variables that equations define, be it in loops and branches; left sides that are no references are
/// left out.
pub(super) fn defined(equations: &[Equation]) -> Vec<Defined> {
    let mut all = Vec::new();
    for equation in equations {
        match &equation.kind {
            EquationKind::Equal(left, _) => all.extend(reference(left).unwrap_or_default()),
            EquationKind::Results(results, _) => {
                all.extend(results.iter().flatten().filter_map(reference).flatten());
            }
            EquationKind::Call(_) => {}
            EquationKind::For(_, body) => all.extend(defined(body)),
            EquationKind::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| all.extend(defined(body)));
                all.extend(defined(otherwise));
            }
            EquationKind::When(branches) => {
                branches.iter().for_each(|branch| all.extend(defined(&branch.equations)));
            }
        }
    }
    all
}
