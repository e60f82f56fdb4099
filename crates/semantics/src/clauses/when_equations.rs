//! Equations inside `when`: the variables they define, once in each branch, and in one `when` only (MLS
//! §8.3.5).

use rhei_flat::{
    Builtin, Equation, EquationKind, Expr, ExprKind, Scalar, Subscript, Variability, WhenBranch,
};
use rhei_source::Span;

use crate::clauses::equations::Pass;
use crate::clauses::left_sides::{Defined, defined, reference};
use crate::clauses::mistake::Mistake;

/// Checks one when-equation.
pub(super) fn check(pass: &mut Pass<'_>, branches: &[WhenBranch]) {
    if branches.iter().any(is_clocked) {
        return check_clocked(pass, branches);
    }
    for branch in branches {
        forms(pass, &branch.equations);
    }
    let bodies: Vec<(&[Equation], Span)> =
        branches.iter().map(|branch| (branch.equations.as_slice(), branch.condition.span)).collect();
    same_left_sides(pass, "when", &bodies);
}

/// Whether the condition of a `when` is a clock.
pub(super) fn is_clocked(branch: &WhenBranch) -> bool {
    branch.condition.ty.scalar == Scalar::Clock
}

/// A `when` with a clock has one branch and no `when` inside; its equations are general ones (MLS §16.6).
fn check_clocked(pass: &mut Pass<'_>, branches: &[WhenBranch]) {
    if let Some(second) = branches.get(1) {
        pass.mistakes.add(Mistake::ClockedElsewhen { span: second.condition.span });
    }
    for branch in branches {
        no_when(pass, &branch.equations);
    }
}

fn no_when(pass: &mut Pass<'_>, equations: &[Equation]) {
    for equation in equations {
        match &equation.kind {
            EquationKind::For(_, body) => no_when(pass, body),
            EquationKind::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| no_when(pass, body));
                no_when(pass, otherwise);
            }
            EquationKind::When(_) => {
                pass.mistakes.add(Mistake::MisplacedWhen { inside: "another `when`", span: equation.span });
            }
            EquationKind::Equal(..) | EquationKind::Results(..) | EquationKind::Call(_) => {}
        }
    }
}

/// `v = expression`, results of a call, operators, and these in `for` and `if`.
fn forms(pass: &mut Pass<'_>, equations: &[Equation]) {
    for equation in equations {
        match &equation.kind {
            EquationKind::Equal(left, _) => left_side(pass, left),
            EquationKind::Results(results, _) => {
                results.iter().flatten().for_each(|result| left_side(pass, result));
            }
            EquationKind::Call(_) => {}
            EquationKind::For(_, body) => forms(pass, body),
            EquationKind::If(branches, otherwise) => {
                let mut bodies: Vec<(&[Equation], Span)> = Vec::new();
                for (condition, body) in branches {
                    forms(pass, body);
                    bodies.push((body, condition.span));
                }
                forms(pass, otherwise);
                bodies.push((otherwise, equation.span));
                if branches.iter().any(|(condition, _)| pass.is_open(condition)) {
                    same_left_sides(pass, "if", &bodies);
                }
            }
            EquationKind::When(_) => {
                pass.mistakes.add(Mistake::MisplacedWhen { inside: "another `when`", span: equation.span });
            }
        }
    }
}

fn left_side(pass: &mut Pass<'_>, left: &Expr) {
    let mut is_balance = false;
    left.walk(&mut |e| is_balance |= matches!(e.kind, ExprKind::Call(Builtin::Balance, _)));
    if is_balance {
        return; // refused for that where equations are taken apart
    }
    let Some(references) = reference(left) else {
        return pass.mistakes.add(Mistake::LeftSide { clause: "when", span: left.span });
    };
    let subscripts = references.iter().flat_map(|one| &one.subscripts).filter_map(Subscript::index);
    for subscript in subscripts {
        subscript.walk(&mut |part| {
            let because = match &part.kind {
                ExprKind::Time => "time".to_owned(),
                ExprKind::Variable(v, _)
                    if pass.discrete.instance.variables[v.index()].variability > Variability::Parameter =>
                {
                    pass.discrete.name(*v)
                }
                _ => return,
            };
            let what = "a subscript on the left inside `when`";
            pass.mistakes.add(Mistake::NotEvaluable { what, because, span: part.span });
        });
    }
}

/// Whatever one branch defines, the others define too.
fn same_left_sides(pass: &mut Pass<'_>, clause: &'static str, bodies: &[(&[Equation], Span)]) {
    let all: Vec<Vec<Defined>> = bodies.iter().map(|(body, _)| defined(body)).collect();
    for (i, one) in all.iter().enumerate() {
        for (j, others) in all.iter().enumerate().filter(|(j, _)| *j != i) {
            let is_missing = |left: &&Defined| !others.iter().any(|right| may_meet(left, right));
            if let Some(left) = one.iter().find(is_missing) {
                let (name, other) = (pass.discrete.name(left.variable), bodies[j].1);
                return pass.mistakes.add(Mistake::BranchesDiffer { clause, name, span: left.span, other });
            }
        }
    }
}

/// Whether two left sides can mean the same element: only numbers tell that they do not.
fn may_meet(a: &Defined, b: &Defined) -> bool {
    let differ = |a: &Subscript, b: &Subscript| match (a.index().map(|e| &e.kind), b.index().map(|e| &e.kind))
    {
        (Some(ExprKind::Integer(a)), Some(ExprKind::Integer(b))) => a != b,
        _ => false,
    };
    a.variable == b.variable && !a.subscripts.iter().zip(&b.subscripts).any(|(a, b)| differ(a, b))
}

/// The variables defined by the when-equations so far.
#[derive(Default)]
pub(super) struct Whens {
    defined: Vec<Defined>,
}

impl Whens {
    pub(super) fn add(&mut self, pass: &mut Pass<'_>, branches: &[WhenBranch]) {
        let mut own = Vec::new();
        // equations that tick are counted, as all general ones
        let with_condition = branches.iter().filter(|branch| !is_clocked(branch));
        for one in with_condition.flat_map(|branch| defined(&branch.equations)) {
            // several instances of one text are distinguished by the variables they define
            if let Some(first) = self.defined.iter().find(|other| other.meets(&one)) {
                let name = pass.discrete.name(one.variable);
                pass.mistakes.add(Mistake::DefinedTwice { name, first: first.span, span: one.span });
            }
            own.push(one);
        }
        self.defined.extend(own);
    }
}
