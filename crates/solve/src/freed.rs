//! Conditions on the start that leave the initial problem no solution.
//!
//! *Conditions* are the fixed candidates of a state set, and initial equations of its candidates alone. At some points the
//! constraints of the set leave a condition no room: it follows from them, or contradicts them. The candidates are projected onto
//! the constraints with the independent conditions; the others are checked afterwards, in the second initial problem ([`Freed`]).

use rhei_equations::VarId;
use rhei_kernel::{Named, Sides};
use rhei_model::CompiledModel;
use rhei_numerics::EvaluationFailed;
use rhei_numerics::newton::Options;
use rhei_numerics::projection::{Keep, Manifold, ProjectionFailure, dependences, free_directions, project};
use rhei_solvable::{Cause, Freed, StateSet, Surplus};

use crate::charts::Charts;
use crate::constants::{CONDITION_DEPENDENT, CONDITION_HOLDS, CONDITION_INCREMENT};
use crate::evaluate::Evaluator;
use crate::landing::{Constraints, KnownVariables, combine, fixed_candidates, keep, land};

/// A condition to which the constraints of its set leave no room.
#[derive(Clone, Debug)]
pub(crate) struct DependentCondition {
    /// The set, by index.
    pub set: usize,
    pub condition: Cause,
    /// The constraints that it depends on, by index.
    pub(crate) constraints: Vec<usize>,
    /// The other conditions that it depends on.
    pub others: Vec<Cause>,
}

/// A condition on the start of the candidates of a set.
#[derive(Clone, Copy)]
enum Condition {
    /// A fixed candidate, by index.
    Fixed(usize),
    /// An initial equation, with the slots of its sides.
    Equation { cause: Cause, sides: Sides },
}

impl Condition {
    fn cause(self, set: &StateSet) -> Cause {
        match self {
            Condition::Fixed(candidate) => Cause::Start(set.candidates[candidate]),
            Condition::Equation { cause, .. } => cause,
        }
    }
}

/// Projects all sets onto their constraints, with the independent conditions. Answers the others; `None` if there are
/// none, or if no point on the constraints is found.
pub(crate) fn land_freed(
    model: &CompiledModel,
    charts: &mut Charts,
    freed: &Freed,
    sides: &Named<Sides>,
    evaluator: &mut Evaluator,
    values: &mut [f64],
) -> Option<Vec<DependentCondition>> {
    model.solvable.sets.iter().for_each(|set| combine(set, values));
    let mut known = KnownVariables::new(model);
    let mut dependent_conditions = Vec::new();
    for (place, set) in model.solvable.sets.iter().enumerate() {
        if !known.determines(model, set) {
            continue;
        }
        let look = Look { model, place, sides, evaluator: &*evaluator };
        let start = values.to_vec();
        let mut conditions = look.conditions(&freed.surplus);
        let anywhere = Keep::Nearest { fixed: &[], may_displace: true };
        let mut landed =
            land(model, place, anywhere, evaluator, values).ok().map(|landed| landed.combinations);
        landed.as_ref()?;
        let found = look.dependent_conditions(&conditions, values);
        if look.all_hold(&conditions, &start, values) {
            dependent_conditions.extend(found.into_iter().map(|(_, dependent)| dependent));
        } else {
            landed = look.land_with(&conditions, &start, values);
            if landed.is_none() {
                if found.is_empty() {
                    return None;
                }
                let has_say = |place: &usize| found.iter().all(|(condition, _)| condition != place);
                conditions = (0..conditions.len()).filter(has_say).map(|place| conditions[place]).collect();
                dependent_conditions.extend(found.into_iter().map(|(_, dependent)| dependent));
                landed = look.land_with(&conditions, &start, values);
            }
        }
        keep(model, charts, place, &landed?, evaluator, values);
        combine(set, values);
        known.add(set);
    }
    (!dependent_conditions.is_empty()).then_some(dependent_conditions)
}

/// The fixed candidates of a set to which its constraints leave no room at the point that `values` holds, and why.
pub(crate) fn dependent_fixed(
    model: &CompiledModel,
    place: usize,
    evaluator: &Evaluator,
    values: &mut [f64],
) -> Vec<DependentCondition> {
    let look = Look { model, place, sides: &Named::default(), evaluator };
    let found = look.dependent_conditions(&look.conditions(&[]), values);
    found.into_iter().map(|(_, dependent)| dependent).collect()
}

/// A set, with the context to evaluate its conditions.
#[derive(Clone, Copy)]
struct Look<'a> {
    model: &'a CompiledModel,
    place: usize,
    /// The sides of all conditions.
    sides: &'a Named<Sides>,
    evaluator: &'a Evaluator,
}

impl<'a> Look<'a> {
    fn set(self) -> &'a StateSet {
        &self.model.solvable.sets[self.place]
    }

    fn nominals(self) -> Vec<f64> {
        self.set().manifold.unknowns.iter().map(|v| self.evaluator.nominal(*v)).collect()
    }

    fn constraints<'v>(self, values: &'v mut [f64]) -> Constraints<'v>
    where
        'a: 'v,
    {
        Constraints::new(self.model, self.place, self.evaluator, values)
    }

    /// The conditions of the set: the initial equations whose last unknowns are its own, and its fixed candidates.
    fn conditions(self, surplus: &[Surplus]) -> Vec<Condition> {
        let pool = &self.model.equations.pool;
        let sets = &self.model.solvable.sets;
        let is_own = |condition: &Surplus| {
            let variables = [condition.lhs, condition.rhs].map(|side| pool.variables_of(side)).concat();
            let last = |v: &VarId| sets.iter().rposition(|set| set.manifold.unknowns.contains(v));
            variables.iter().filter_map(last).max() == Some(self.place)
        };
        let equations = surplus.iter().zip(&self.sides.of);
        let equations = equations.filter_map(|(condition, &sides)| {
            let is_equation = matches!(condition.because, Cause::InitialEquation(_));
            (is_equation && is_own(condition))
                .then_some(Condition::Equation { cause: condition.because, sides })
        });
        let fixed = fixed_candidates(self.model, self.set()).into_iter().map(Condition::Fixed);
        fixed.chain(equations).collect()
    }

    /// The conditions that depend on the constraints and on those before them, at the point that `values` holds.
    fn dependent_conditions(
        self,
        conditions: &[Condition],
        values: &mut [f64],
    ) -> Vec<(usize, DependentCondition)> {
        let (set, nominals) = (self.set(), self.nominals());
        let x: Vec<f64> = set.manifold.unknowns.iter().map(|v| values[v.index()]).collect();
        let rows: Option<Vec<Vec<f64>>> =
            conditions.iter().map(|condition| self.derivatives(*condition, &nominals, values)).collect();
        let options = Options { nominal: &nominals, ..Options::default() };
        let Some(rows) = rows else { return Vec::new() };
        let found = dependences(&mut self.constraints(values), &rows, &x, CONDITION_DEPENDENT, &options)
            .unwrap_or_default();
        let cause = |place: &usize| conditions[*place].cause(set);
        let dependent = found.into_iter().map(|dependence| {
            let others = dependence.others.iter().map(cause).collect();
            let condition = cause(&dependence.row);
            (
                dependence.row,
                DependentCondition {
                    set: self.place,
                    condition,
                    constraints: dependence.constraints,
                    others,
                },
            )
        });
        dependent.collect()
    }

    /// The derivatives of a condition by the unknowns of the set, by differences; `None` if it has no values.
    fn derivatives(self, condition: Condition, nominals: &[f64], values: &mut [f64]) -> Option<Vec<f64>> {
        let unknowns = &self.set().manifold.unknowns;
        let mut row = vec![0.0; unknowns.len()];
        let sides = match condition {
            Condition::Fixed(candidate) => {
                row[candidate] = 1.0;
                return Some(row);
            }
            Condition::Equation { sides, .. } => sides,
        };
        let before = self.off(sides, values)?;
        for ((entry, v), nominal) in row.iter_mut().zip(unknowns).zip(nominals) {
            let at = values[v.index()];
            let change = CONDITION_INCREMENT * at.abs().max(*nominal);
            values[v.index()] = at + change;
            let after = self.off(sides, values);
            values[v.index()] = at;
            *entry = (after? - before) / change;
        }
        Some(row)
    }

    /// The residual of an initial equation.
    fn off(self, sides: Sides, values: &mut [f64]) -> Option<f64> {
        self.evaluator.run_program(&self.sides.program, values).ok()?;
        let off = values[sides.lhs.index()] - values[sides.rhs.index()];
        off.is_finite().then_some(off)
    }

    fn all_hold(self, conditions: &[Condition], start: &[f64], values: &mut [f64]) -> bool {
        conditions.iter().all(|condition| match *condition {
            Condition::Fixed(candidate) => {
                let v = self.set().candidates[candidate];
                (values[v.index()] - start[v.index()]).abs() <= CONDITION_HOLDS * self.evaluator.nominal(v)
            }
            Condition::Equation { sides, .. } => {
                let off = self.off(sides, values);
                let size = [sides.lhs, sides.rhs]
                    .map(|side| values[side.index()].abs())
                    .into_iter()
                    .fold(1.0, f64::max);
                off.is_some_and(|off| off.abs() <= CONDITION_HOLDS * size)
            }
        })
    }

    /// Moves `values` to the point on the constraints, nearest to the start, at which these conditions hold. Answers the
    /// combinations kept there; if there is no such point, `values` are those of the start.
    fn land_with(self, conditions: &[Condition], start: &[f64], values: &mut [f64]) -> Option<Vec<f64>> {
        values.copy_from_slice(start);
        let set = self.set();
        if conditions.len() > set.dimension() {
            return None;
        }
        let fixed: Vec<usize> = conditions.iter().filter_map(|condition| fixed_place(*condition)).collect();
        let sides: Vec<Sides> = conditions.iter().filter_map(|condition| sides_of(*condition)).collect();
        let keep = Keep::Nearest { fixed: &fixed, may_displace: true };
        if sides.is_empty() {
            return land(self.model, self.place, keep, self.evaluator, values)
                .ok()
                .map(|landed| landed.combinations);
        }
        let unknowns = &set.manifold.unknowns;
        let reference: Vec<f64> = unknowns.iter().map(|v| values[v.index()]).collect();
        let mut x = reference.clone();
        let found = self.land_on_all(keep, &fixed, &sides, &mut x, values);
        let x = if found.is_ok() { x } else { reference };
        unknowns.iter().zip(x).for_each(|(v, x)| values[v.index()] = x);
        found.ok()
    }

    /// The same, from and to `x`.
    fn land_on_all(
        self,
        keep: Keep<'_>,
        fixed: &[usize],
        sides: &[Sides],
        x: &mut [f64],
        values: &mut [f64],
    ) -> Result<Vec<f64>, ProjectionFailure> {
        let nominals = self.nominals();
        let options = Options { nominal: &nominals, ..Options::default() };
        let mut narrower = Narrower { look: self, sides, nominals: &nominals, values: &mut *values };
        project(&mut narrower, keep, x, &options)?;
        if !self.set().order.is_empty() {
            return Ok(Vec::new());
        }
        free_directions(&mut self.constraints(values), fixed, x, &options)
    }
}

fn fixed_place(condition: Condition) -> Option<usize> {
    match condition {
        Condition::Fixed(candidate) => Some(candidate),
        Condition::Equation { .. } => None,
    }
}

fn sides_of(condition: Condition) -> Option<Sides> {
    match condition {
        Condition::Fixed(_) => None,
        Condition::Equation { sides, .. } => Some(sides),
    }
}

/// The constraints of a set together with initial equations.
struct Narrower<'a> {
    look: Look<'a>,
    sides: &'a [Sides],
    nominals: &'a [f64],
    values: &'a mut [f64],
}

impl Narrower<'_> {
    fn no_value() -> EvaluationFailed {
        EvaluationFailed::new("an initial equation has no value")
    }
}

impl Manifold for Narrower<'_> {
    fn coordinates(&self) -> usize {
        self.look.set().candidates.len()
    }

    fn following(&self) -> usize {
        self.look.set().manifold.unknowns.len() - self.coordinates()
    }

    fn constraints(&self) -> usize {
        self.look.set().manifold.residuals.len() + self.sides.len()
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), EvaluationFailed> {
        let (own, added) = residual.split_at_mut(self.look.set().manifold.residuals.len());
        self.look.constraints(self.values).residual(x, own)?;
        for (residual, &sides) in added.iter_mut().zip(self.sides) {
            *residual = self.look.off(sides, self.values).ok_or_else(Self::no_value)?;
        }
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], jacobian: &mut [f64]) -> Result<(), EvaluationFailed> {
        let (own, added) = jacobian.split_at_mut(self.look.set().manifold.residuals.len() * x.len());
        self.look.constraints(self.values).jacobian(x, own)?;
        for (row, &sides) in added.chunks_exact_mut(x.len()).zip(self.sides) {
            let condition = Condition::Equation { cause: Cause::Start(VarId(0)), sides };
            let found = self.look.derivatives(condition, self.nominals, self.values);
            row.copy_from_slice(&found.ok_or_else(Self::no_value)?);
        }
        Ok(())
    }
}
