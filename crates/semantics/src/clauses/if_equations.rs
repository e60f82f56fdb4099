//! Branches of an `if` that is decided during the run fit together (MLS §8.3.4).

use rhei_flat::{Equation, EquationKind, Expr, ExprKind, Scalar, Variability};
use rhei_source::Span;

use crate::clauses::equations::Pass;
use crate::clauses::left_sides::{Defined, reference};
use crate::clauses::mistake::Mistake;

pub(super) fn check(
    pass: &mut Pass<'_>,
    equation: &Equation,
    branches: &[(Expr, Vec<Equation>)],
    otherwise: &[Equation],
) {
    let mut bodies: Vec<&[Equation]> = branches.iter().map(|(_, body)| body.as_slice()).collect();
    bodies.push(otherwise);
    if same_counts(pass, equation.span, &bodies) {
        same_discrete_variables(pass, equation.span, &bodies);
    }
}

/// As many equations in each branch: which one holds changes, the number of unknowns does not.
fn same_counts(pass: &mut Pass<'_>, whole: Span, bodies: &[&[Equation]]) -> bool {
    let counts: Option<Vec<usize>> = bodies.iter().map(|body| count(pass, body)).collect();
    let Some(counts) = counts else { return true };
    let Some(other) = counts.iter().position(|count| *count != counts[0]) else { return true };
    let place = |i: usize| bodies[i].first().map(|equation| equation.span);
    let (span, other_span) = match (place(0), place(other)) {
        (Some(span), other) => (span, other),
        (None, _) => (whole, place(other)),
    };
    pass.mistakes.add(Mistake::BranchCounts { counts: [counts[0], counts[other]], span, other: other_span });
    false
}

/// How many scalar equations these are; unknown where that is decided elsewhere.
fn count(pass: &Pass<'_>, equations: &[Equation]) -> Option<usize> {
    let mut total = 0;
    for equation in equations {
        total += match &equation.kind {
            EquationKind::Equal(left, right) => elements(pass, left).or_else(|| elements(pass, right))?,
            EquationKind::Results(results, _) => {
                results.iter().flatten().map(|e| elements(pass, e)).sum::<Option<usize>>()?
            }
            EquationKind::Call(_) => 0,
            EquationKind::For(iteration, body) => {
                let turns: usize = iteration.range.ty.known_sizes()?.into_iter().product();
                turns * count(pass, body)?
            }
            EquationKind::If(branches, otherwise) => {
                let inner = count(pass, otherwise)?;
                let same = |(_, body): &(Expr, Vec<Equation>)| count(pass, body) == Some(inner);
                branches.iter().all(same).then_some(inner)?
            }
            EquationKind::When(_) => return None,
        };
    }
    Some(total)
}

/// How many unknowns a side can stand for: fields of records that are parameters are none.
fn elements(pass: &Pass<'_>, e: &Expr) -> Option<usize> {
    let sizes = || e.ty.known_sizes().map(|sizes| sizes.into_iter().product::<usize>());
    match (&e.kind, e.ty.scalar) {
        _ if is_fixed(pass, e) => None,
        (ExprKind::Record(_, fields), _) => {
            fields.iter().filter(|field| !is_fixed(pass, field)).map(|field| elements(pass, field)).sum()
        }
        (_, Scalar::Record(_)) => None,
        _ => sizes(),
    }
}

fn is_fixed(pass: &Pass<'_>, e: &Expr) -> bool {
    let ExprKind::Variable(v, _) = &e.kind else { return false };
    pass.discrete.instance.variables[v.index()].variability <= Variability::Parameter
}

/// An if-equation is not solved for variables other than Reals: each branch has the same ones on its left.
fn same_discrete_variables(pass: &mut Pass<'_>, whole: Span, bodies: &[&[Equation]]) {
    let mut defined: Vec<Vec<Defined>> = Vec::new();
    for body in bodies {
        let mut found = Vec::new();
        if !valued(pass, body, &mut found) {
            return;
        }
        defined.push(found);
    }
    for (i, one) in defined.iter().enumerate() {
        for (j, others) in defined.iter().enumerate().filter(|(j, _)| *j != i) {
            let missing = one.iter().find(|left| !others.iter().any(|right| right.variable == left.variable));
            if let Some(left) = missing {
                pass.mistakes.add(Mistake::BranchesDiffer {
                    clause: "if",
                    name: pass.discrete.name(left.variable),
                    span: left.span,
                    other: bodies[j].first().map_or(whole, |equation| equation.span),
                });
                return;
            }
        }
    }
}

/// Adds the variables that are no Reals; reports an equation without a defined variable, and says no.
fn valued(pass: &mut Pass<'_>, equations: &[Equation], found: &mut Vec<Defined>) -> bool {
    let mut clear = true;
    for equation in equations {
        match &equation.kind {
            EquationKind::Equal(left, right) if is_valued(left) && is_valued(right) => {
                match reference(left) {
                    Some(references) => found.extend(references),
                    None => {
                        pass.mistakes.add(Mistake::LeftSide { clause: "if", span: left.span });
                        clear = false;
                    }
                }
            }
            EquationKind::For(_, body) => clear &= valued(pass, body, found),
            EquationKind::If(branches, otherwise) => {
                // those inside are checked for themselves, one branch speaks for all
                let first = branches.first().map_or(otherwise.as_slice(), |(_, body)| body);
                clear &= valued(pass, first, found);
            }
            _ => {}
        }
    }
    clear
}

/// Whether an expression has values that are counted or named, not measured.
pub(super) fn is_valued(e: &Expr) -> bool {
    !matches!(e.ty.scalar, Scalar::Real | Scalar::Record(_) | Scalar::Clock)
}
