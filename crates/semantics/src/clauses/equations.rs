//! Clauses among equations, from the outside in.

use rhei_flat::{Builtin, Equation, EquationKind, Expr, ExprKind, Scalar, Variability};

use crate::clauses::Mistakes;
use crate::clauses::discrete::Discrete;
use crate::clauses::if_equations::is_valued;
use crate::clauses::mistake::Mistake;
use crate::clauses::reinit::Reinits;
use crate::clauses::when_equations::Whens;
use crate::clauses::{if_equations, when_equations};
use rhei_instance::Instance;

pub(super) fn check(instance: &Instance, discrete: &Discrete<'_>, mistakes: &mut Mistakes) {
    let mut pass = Pass { discrete, mistakes, whens: Whens::default(), reinits: Reinits::default() };
    for variable in &instance.variables {
        let is_unfixed =
            variable.attributes.fixed.as_ref().is_some_and(|fixed| fixed.kind == ExprKind::Boolean(false));
        if variable.variability == Variability::Constant && is_unfixed {
            let (name, span) = (variable.name.to_string(), variable.span);
            pass.mistakes.add(Mistake::UnfixedConstant { name, span });
        }
        if let Some(binding) = &variable.binding
            && variable.variability == Variability::Discrete
            && variable.ty.scalar != Scalar::Real
        {
            pass.must_be_discrete(&format!("the value of `{}`", variable.name), binding);
        }
    }
    pass.equations(&instance.sections.equations, EquationContext::default());
    pass.equations(&instance.sections.initial, EquationContext { initial: true, open_if: false });
}

/// Context of an equation outside `when`.
#[derive(Clone, Copy, Default)]
struct EquationContext {
    initial: bool,
    /// An `if` that is decided during the run.
    open_if: bool,
}

pub(super) struct Pass<'a> {
    pub(super) discrete: &'a Discrete<'a>,
    pub(super) mistakes: &'a mut Mistakes,
    whens: Whens,
    reinits: Reinits,
}

impl Pass<'_> {
    fn equations(&mut self, equations: &[Equation], place: EquationContext) {
        for equation in equations {
            self.equation(equation, place);
        }
    }

    fn equation(&mut self, equation: &Equation, place: EquationContext) {
        match &equation.kind {
            EquationKind::Equal(left, right) => {
                if !place.initial && is_valued(left) && is_valued(right) {
                    for side in [left, right] {
                        self.must_be_discrete("a side of an equation that is not of type Real", side);
                    }
                }
            }
            EquationKind::Results(..) => {}
            EquationKind::Call(call) => {
                if is_reinit(call) {
                    self.mistakes.add(Mistake::MisplacedReinit { span: call.span });
                }
            }
            EquationKind::For(_, body) => self.equations(body, place),
            EquationKind::If(branches, otherwise) => {
                let open = branches.iter().any(|(condition, _)| self.is_open(condition));
                if open {
                    if_equations::check(self, equation, branches, otherwise);
                }
                let place = EquationContext { open_if: place.open_if || open, ..place };
                branches.iter().for_each(|(_, body)| self.equations(body, place));
                self.equations(otherwise, place);
            }
            EquationKind::When(branches) => {
                let inside = match place {
                    EquationContext { initial: true, .. } => Some("an initial equation section"),
                    EquationContext { open_if: true, .. } => Some("an `if` that is decided during the run"),
                    _ => None,
                };
                if let Some(inside) = inside {
                    return self.mistakes.add(Mistake::MisplacedWhen { inside, span: equation.span });
                }
                for branch in branches {
                    self.must_be_discrete("the condition of a `when`", &branch.condition);
                }
                when_equations::check(self, branches);
                let (mut whens, mut reinits) =
                    (std::mem::take(&mut self.whens), std::mem::take(&mut self.reinits));
                whens.add(self, branches);
                reinits.add(self, branches);
                (self.whens, self.reinits) = (whens, reinits);
            }
        }
    }

    fn must_be_discrete(&mut self, what: &str, e: &Expr) {
        if let Some((because, span)) = self.discrete.continuous_part(e) {
            self.mistakes.add(Mistake::NotDiscrete { what: what.into(), because, span });
        }
    }

    /// Whether a condition is decided during the run. One that is left undecided although it is made of parameters asks for
    /// an iterator or for connections, or for a parameter that is found at the start.
    pub(super) fn is_open(&self, condition: &Expr) -> bool {
        let mut asked = Asked::default();
        self.ask(condition, &mut asked);
        asked.varies || !asked.decided_later
    }

    fn ask(&self, e: &Expr, asked: &mut Asked) {
        use Builtin as B;
        match &e.kind {
            ExprKind::Time => asked.varies = true,
            ExprKind::Variable(v, _) => {
                let variable = &self.discrete.instance.variables[v.index()];
                asked.varies |= variable.variability > Variability::Parameter;
            }
            ExprKind::Iterator(_) => asked.decided_later = true,
            ExprKind::Call(B::Initial | B::Terminal | B::Sample | B::FirstTick, _) => asked.varies = true,
            // these ask about connections, not about values
            ExprKind::Call(B::Cardinality | B::ConnectionsIsRoot | B::ConnectionsRooted | B::Rooted, _) => {
                asked.decided_later = true;
                return;
            }
            _ => {}
        }
        for part in e.parts() {
            self.ask(part, asked);
        }
    }
}

/// Variability of a condition.
#[derive(Default)]
struct Asked {
    /// It depends on variables of the run.
    varies: bool,
    /// It depends on iterators or connections, which are known after flattening.
    decided_later: bool,
}

pub(super) fn is_reinit(call: &Expr) -> bool {
    matches!(call.kind, ExprKind::Call(Builtin::Reinit, _))
}
