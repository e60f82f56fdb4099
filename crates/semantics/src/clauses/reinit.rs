//! `reinit`: of states, in one when-equation, at most one at an event (MLS §8.3.6).

use rhei_flat::{Equation, EquationKind, Expr, ExprKind, Scalar, Variability, WhenBranch};

use crate::clauses::equations::{Pass, is_reinit};
use crate::clauses::left_sides::{Defined, reference};
use crate::clauses::mistake::Mistake;

/// The variables reinitialised by the when-equations so far.
#[derive(Default)]
pub(super) struct Reinits {
    targets: Vec<Defined>,
}

impl Reinits {
    pub(super) fn add(&mut self, pass: &mut Pass<'_>, branches: &[WhenBranch]) {
        let mut own = Vec::new();
        for branch in branches {
            own.extend(active(pass, &branch.equations));
        }
        for target in &own {
            if let Some(first) = self.targets.iter().find(|other| other.variable == target.variable) {
                twice(pass, first, target);
            }
        }
        self.targets.extend(own);
    }
}

/// All targets of one branch; two that can be active together are an error.
fn active(pass: &mut Pass<'_>, equations: &[Equation]) -> Vec<Defined> {
    let mut all: Vec<Defined> = Vec::new();
    for equation in equations {
        let found = match &equation.kind {
            EquationKind::Call(call) if is_reinit(call) => target(pass, call),
            EquationKind::For(_, body) => active(pass, body),
            EquationKind::If(branches, otherwise) => {
                let mut found: Vec<Defined> = Vec::new();
                branches.iter().for_each(|(_, body)| found.extend(active(pass, body)));
                found.extend(active(pass, otherwise));
                found
            }
            _ => Vec::new(),
        };
        for one in &found {
            if let Some(first) = all.iter().find(|other| other.meets(one)) {
                twice(pass, first, one);
            }
        }
        all.extend(found);
    }
    all
}

fn twice(pass: &mut Pass<'_>, first: &Defined, again: &Defined) {
    let name = pass.discrete.name(again.variable);
    pass.mistakes.add(Mistake::ReinitTwice { name, first: first.span, span: again.span });
}

fn target(pass: &mut Pass<'_>, call: &Expr) -> Vec<Defined> {
    let ExprKind::Call(_, arguments) = &call.kind else { return Vec::new() };
    let Some(target) = arguments.first() else { return Vec::new() };
    let references = match reference(target) {
        Some(references) if target.ty.scalar == Scalar::Real => references,
        Some(_) => {
            let why = "this one is not of type Real".into();
            pass.mistakes.add(Mistake::ReinitTarget { why, span: target.span });
            return Vec::new();
        }
        None => {
            let why = "this is an expression".into();
            pass.mistakes.add(Mistake::ReinitTarget { why, span: target.span });
            return Vec::new();
        }
    };
    for one in &references {
        let variability = pass.discrete.instance.variables[one.variable.index()].variability;
        let in_when = pass.discrete.in_when.iter().any(|other| other.meets(one));
        if variability < Variability::Continuous || in_when {
            let why = match variability {
                Variability::Constant => "this is a constant",
                Variability::Parameter => "this is a parameter",
                _ => "this one changes at events only",
            };
            pass.mistakes.add(Mistake::ReinitTarget { why: why.into(), span: target.span });
        }
    }
    references
}
