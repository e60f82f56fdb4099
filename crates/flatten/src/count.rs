//! How many scalar equations stand in a model, and for how many unknowns (MLS §4.8).
//!
//! Arrays count with all their elements, loops with all their turns, records with all their fields.

use rhei_evaluate::Failure;
use rhei_flat::{
    Algorithm, Builtin, Causality, Equation, EquationKind, Expr, ExprKind, Flat, Iteration, Scalar,
    Statement, StatementKind, Tables, Type, VarId, Variability, Variable,
};
use rustc_hash::FxHashSet;

use crate::known_values::KnownValues;

/// Scalars of a flat model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Unknowns of the equations.
    pub unknowns: usize,
    /// Equations, declarations with a value, and algorithms by the variables they assign.
    pub equations: usize,
}

impl Counts {
    /// Counts a flat model; fails where the turns of a loop are not known.
    pub fn of(flat: &Flat) -> Result<Counts, Failure> {
        let values = KnownValues::new(&flat.variables, &flat.tables);
        let counter = Counter { values: &values, tables: &flat.tables };
        let unknowns = flat.variables.iter().filter(|variable| is_unknown(variable));
        let mut counts = Counts::default();
        for variable in unknowns {
            let scalars = counter.scalars(&variable.ty);
            counts.unknowns += scalars;
            counts.equations += if variable.binding.is_some() { scalars } else { 0 };
        }
        counts.equations += counter.equations(&flat.equations)?;
        counts.equations += counter.algorithms(&flat.algorithms, &flat.variables);
        Ok(counts)
    }
}

/// Whether equations are to determine a variable: it varies, and is not given from outside.
pub fn is_unknown(variable: &Variable) -> bool {
    let is_given = variable.causality == Some(Causality::Input) && variable.binding.is_none();
    variable.variability > Variability::Parameter
        && !is_given
        && !matches!(variable.ty.scalar, Scalar::ExternalObject(_))
}

pub(crate) struct Counter<'a> {
    pub(crate) values: &'a KnownValues<'a>,
    pub(crate) tables: &'a Tables,
}

impl Counter<'_> {
    /// How many scalars a value of this type is made of.
    pub(crate) fn scalars(&self, ty: &Type) -> usize {
        let elements: usize = ty.sizes.iter().map(|size| size.known().unwrap_or(0)).product();
        let each = match ty.scalar {
            Scalar::Record(id) => self.tables.record(id).fields.iter().map(|f| self.scalars(&f.ty)).sum(),
            _ => 1,
        };
        elements * each
    }

    pub(crate) fn equations(&self, equations: &[Equation]) -> Result<usize, Failure> {
        let mut sum = 0;
        for equation in equations {
            sum += self.equation(equation)?;
        }
        Ok(sum)
    }

    pub(crate) fn equation(&self, equation: &Equation) -> Result<usize, Failure> {
        Ok(match &equation.kind {
            EquationKind::Equal(a, b) => self.scalars(&a.ty).max(self.scalars(&b.ty)),
            EquationKind::Results(results, _) => results.iter().flatten().map(|e| self.scalars(&e.ty)).sum(),
            EquationKind::Call(_) => 0,
            EquationKind::For(iteration, body) => self.turns(iteration, body)?,
            EquationKind::If(branches, otherwise) => self.if_equation(branches, otherwise)?,
            // every branch sets the same variables (MLS §8.3.5.2)
            EquationKind::When(branches) => {
                let mut most = 0;
                for branch in branches {
                    most = most.max(self.equations(&branch.equations)?);
                }
                most
            }
        })
    }

    fn turns(&self, iteration: &Iteration, body: &[Equation]) -> Result<usize, Failure> {
        let mut sum = 0;
        for value in self.values.range(&iteration.range)? {
            self.values.set_iterator(iteration.iterator, value);
            sum += self.equations(body)?;
        }
        self.values.forget_iterator(iteration.iterator);
        Ok(sum)
    }

    /// A condition known before the run chooses the branch that counts; else all branches count the same (MLS
    /// §8.3.4).
    fn if_equation(
        &self,
        branches: &[(Expr, Vec<Equation>)],
        otherwise: &[Equation],
    ) -> Result<usize, Failure> {
        let mut most = 0;
        for (condition, body) in branches {
            match self.values.value(condition).ok().and_then(|value| value.as_boolean()) {
                Some(true) => return self.equations(body),
                Some(false) => {}
                None => most = most.max(self.equations(body)?),
            }
        }
        Ok(most.max(self.equations(otherwise)?))
    }

    /// An algorithm is as many equations as it assigns variables; arrays as a whole (MLS §11.1.2).
    pub(crate) fn algorithms(&self, algorithms: &[Algorithm], variables: &[Variable]) -> usize {
        let mut assigned = FxHashSet::default();
        for algorithm in algorithms {
            collect_assigned(&algorithm.statements, &mut assigned);
        }
        assigned.into_iter().map(|v| self.scalars(&variables[v.index()].ty)).sum()
    }
}

/// The variables that statements assign to.
pub(crate) fn collect_assigned(statements: &[Statement], assigned: &mut FxHashSet<VarId>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign(target, _) => collect_target(target, assigned),
            StatementKind::AssignResults(targets, _) => {
                targets.iter().flatten().for_each(|target| collect_target(target, assigned));
            }
            StatementKind::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| collect_assigned(body, assigned));
                collect_assigned(otherwise, assigned);
            }
            StatementKind::When(branches) => {
                branches.iter().for_each(|(_, body)| collect_assigned(body, assigned));
            }
            StatementKind::For(_, body) | StatementKind::While(_, body) => collect_assigned(body, assigned),
            StatementKind::Call(_) | StatementKind::Break | StatementKind::Return => {}
        }
    }
}

fn collect_target(target: &Expr, assigned: &mut FxHashSet<VarId>) {
    match &target.kind {
        ExprKind::Variable(v, _) => {
            assigned.insert(*v);
        }
        ExprKind::Record(_, parts) | ExprKind::Array(parts) => {
            parts.iter().for_each(|part| collect_target(part, assigned));
        }
        ExprKind::Index(inner, _) | ExprKind::Field(inner, _) => collect_target(inner, assigned),
        // it stands for an equation as much
        ExprKind::Call(Builtin::Der, of) => of.iter().for_each(|of| collect_target(of, assigned)),
        _ => {}
    }
}
