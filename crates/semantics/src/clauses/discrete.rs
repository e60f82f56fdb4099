//! Discrete-time variables and expressions (MLS §3.8.5 and §4.5).

use rhei_elementary::Elementary;
use rhei_flat::{
    Builtin, Equation, EquationKind, Expr, ExprKind, Relation, Scalar, Statement, StatementKind, VarId,
    Variability,
};
use rhei_source::Span;

use crate::clauses::Mistakes;
use crate::clauses::left_sides::{Defined, defined, reference};
use crate::clauses::mistake::Mistake;
use crate::clauses::when_equations::is_clocked;
use rhei_instance::{ComponentId, ComponentKind, Instance};

/// The discrete-time variables of a model.
pub(super) struct Discrete<'a> {
    pub(super) instance: &'a Instance,
    /// By [`VarId`]: whether it is one, as a whole or in a part.
    is_discrete: Vec<bool>,
    /// By [`VarId`]: whether it stands on the left in a `when`, that of a clock included.
    is_set_by_when: Vec<bool>,
    /// Variables assigned in a `when` with a condition.
    pub(super) in_when: Vec<Defined>,
}

impl<'a> Discrete<'a> {
    pub(super) fn of(instance: &'a Instance) -> Self {
        let (mut in_when, mut ticking) = (Vec::new(), Vec::new());
        equations_in_when(&instance.sections.equations, &mut in_when, &mut ticking);
        for algorithm in &instance.sections.algorithms {
            statements_in_when(&algorithm.statements, false, &mut in_when);
        }
        let declared = |variable: &rhei_flat::Variable| variable.variability <= Variability::Discrete;
        let mut is_set_by_when = vec![false; instance.variables.len()];
        in_when.iter().chain(&ticking).for_each(|one| is_set_by_when[one.variable.index()] = true);
        let declared = instance.variables.iter().map(declared);
        let is_discrete = declared.zip(&is_set_by_when).map(|(declared, &set)| declared || set).collect();
        Discrete { instance, is_discrete, is_set_by_when, in_when }
    }

    /// A Real declared `discrete` must be assigned in a `when` (MLS §4.5.3); inputs, outputs and parts of connectors
    /// may be so elsewhere.
    pub(super) fn check_declared(&self, mistakes: &mut Mistakes) {
        for (i, component) in self.instance.components.iter().enumerate() {
            let Some(v) = component.variable.filter(|v| !self.is_set_by_when[v.index()]) else { continue };
            let variable = &self.instance.variables[v.index()];
            let is_declared =
                variable.variability == Variability::Discrete && variable.ty.scalar == Scalar::Real;
            let is_empty = variable.ty.known_sizes().is_some_and(|sizes| sizes.contains(&0));
            if is_declared && !is_empty && !self.is_passed_on(ComponentId(i as u32)) {
                let (name, span) = (variable.name.to_string(), variable.span);
                mistakes.add(Mistake::DiscreteWithoutWhen { name, span });
            }
        }
    }

    /// Whether a component is an input or output, or a part of a connector.
    fn is_passed_on(&self, id: ComponentId) -> bool {
        let component = |id: ComponentId| &self.instance.components[id.0 as usize];
        let mut around = std::iter::successors(Some(id), |id| component(*id).parent);
        around.any(|id| component(id).causality.is_some() || component(id).kind != ComponentKind::Inside)
    }

    pub(super) fn is_discrete(&self, v: VarId) -> bool {
        self.is_discrete[v.index()]
    }

    pub(super) fn name(&self, v: VarId) -> String {
        self.instance.variables[v.index()].name.to_string()
    }

    /// The part that makes an expression continuous-time; nothing for a discrete-time one.
    pub(super) fn continuous_part(&self, e: &Expr) -> Option<(String, Span)> {
        self.continuous(e, false)
    }

    /// Whether a relation or function in an expression makes events: it compares or rounds continuous-time values.
    pub(super) fn makes_events(&self, e: &Expr) -> bool {
        use Builtin as B;
        let makes = match &e.kind {
            ExprKind::Relation(
                Relation::Less | Relation::LessEqual | Relation::Greater | Relation::GreaterEqual,
                ..,
            )
            | ExprKind::Call(
                B::Elementary(Elementary::Ceil | Elementary::Floor) | B::Div | B::Integer | B::Mod | B::Rem,
                _,
            ) => e.parts().into_iter().any(|part| self.continuous_part(part).is_some()),
            ExprKind::Call(B::NoEvent | B::Smooth, _) => return false,
            _ => false,
        };
        makes || e.parts().into_iter().any(|part| self.makes_events(part))
    }

    /// `literal`: relations make no events, for they stand in `noEvent`.
    fn continuous(&self, e: &Expr, literal: bool) -> Option<(String, Span)> {
        use Builtin as B;
        let parts = |literal: bool| e.parts().into_iter().find_map(|part| self.continuous(part, literal));
        match &e.kind {
            ExprKind::Time => Some(("`time`".into(), e.span)),
            ExprKind::Variable(v, _) if !self.is_discrete(*v) => {
                Some((format!("`{}`", self.name(*v)), e.span))
            }
            ExprKind::Relation(
                Relation::Less | Relation::LessEqual | Relation::Greater | Relation::GreaterEqual,
                ..,
            ) if !literal => None,
            ExprKind::Call(builtin, _) => match builtin {
                B::Pre | B::Edge | B::Change | B::Initial | B::Terminal | B::Size | B::Ndims => None,
                B::Elementary(Elementary::Ceil | Elementary::Floor) | B::Div | B::Integer if !literal => None,
                B::NoEvent => parts(true),
                // clocked expressions change at ticks only
                B::Sample | B::Previous | B::Hold | B::SubSample | B::SuperSample | B::ShiftSample => None,
                B::BackSample | B::NoClock | B::Interval | B::FirstTick | B::Clock => None,
                B::ActiveState | B::TicksInState | B::TimeInState => None,
                B::Cardinality | B::ConnectionsIsRoot | B::ConnectionsRooted | B::Rooted => None,
                _ => parts(literal),
            },
            ExprKind::Apply(function, arguments) => {
                let makes_events = self.instance.tables.function(*function).generate_events;
                if makes_events && !literal && e.ty.scalar != Scalar::Real {
                    let mut whole = arguments.iter().filter(|argument| argument.ty.scalar != Scalar::Real);
                    return whole.find_map(|argument| self.continuous(argument, literal));
                }
                parts(literal)
            }
            _ => parts(literal),
        }
    }
}

/// Those with a condition, and clocked ones: variables of the latter may have a derivative (MLS §16.6).
fn equations_in_when(equations: &[Equation], found: &mut Vec<Defined>, ticking: &mut Vec<Defined>) {
    for equation in equations {
        match &equation.kind {
            EquationKind::When(branches) => {
                for branch in branches {
                    let set = if is_clocked(branch) { &mut *ticking } else { &mut *found };
                    set.extend(defined(&branch.equations));
                }
            }
            EquationKind::For(_, body) => equations_in_when(body, found, ticking),
            EquationKind::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| equations_in_when(body, found, ticking));
                equations_in_when(otherwise, found, ticking);
            }
            _ => {}
        }
    }
}

fn statements_in_when(statements: &[Statement], inside: bool, found: &mut Vec<Defined>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign(target, _) if inside => found.extend(reference(target).unwrap_or_default()),
            StatementKind::AssignResults(targets, _) if inside => {
                found.extend(targets.iter().flatten().filter_map(reference).flatten());
            }
            StatementKind::When(branches) => {
                branches.iter().for_each(|(_, body)| statements_in_when(body, true, found));
            }
            StatementKind::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| statements_in_when(body, inside, found));
                statements_in_when(otherwise, inside, found);
            }
            StatementKind::For(_, body) | StatementKind::While(_, body) => {
                statements_in_when(body, inside, found);
            }
            _ => {}
        }
    }
}
