//! Jumps whose factors depend on the way, along the only possible one.
//!
//! With a single impulse, `M(q)·dq + B(q)·dZ = 0` leaves one direction for `q`: the solutions form a curve through the `q`
//! before, and the jump ends where it meets the constraints. The curve is followed by the classical Runge–Kutta method; states
//! and the place on the curve are found by Newton's method, all with sparse matrices. Independent relations have curves of their
//! own. If more than one direction is left, the result depends on the order of the impulses.

use std::cell::OnceCell;

use rhei_equations::VarId;
use rhei_numerics::SparseMatrix;
use rhei_numerics::sparse_least_squares::{Free, Plan};
use rhei_solvable::ImpulseRow;

use super::jump::{Landing, NoLanding};
use super::landing_matrix::{SparseRow, by_rows, merged, slopes};
use crate::constants::{CURVE_STEP, CURVE_STEPS, JUMP_CONVERGED, JUMP_ITERATIONS, JUMP_SINGULAR};
use crate::problem::ModelProblem;

/// Projects along curves, for these relations and all tied to them, and directly for the others. Answers the relations with
/// curves.
pub fn land(
    landing: &mut Landing<'_>,
    bent: &[usize],
    problem: &mut ModelProblem,
    t: f64,
    y: &mut [f64],
    tolerance: f64,
) -> Result<Vec<usize>, NoLanding> {
    let parts = Parts::of(landing);
    let mut curves: Vec<Curve> = Vec::new();
    let mut is_curved = vec![false; landing.impulses.rows.len()];
    for &row in bent {
        if !is_curved[row] {
            let rows = parts.with(row);
            rows.iter().for_each(|&row| is_curved[row] = true);
            curves.push(Curve::new(landing, rows, problem)?);
        }
    }
    for curve in &mut curves {
        curve.go_towards_present(landing, problem)?;
    }
    let model = problem.model.clone();
    let mut plan = None;
    for _ in 0..JUMP_ITERATIONS {
        let (rows, right) = equations(landing, &curves, &is_curved, problem, y.len())?;
        let n = y.len() + curves.len() + landing.z.len();
        let matrix = SparseMatrix::from_rows(&rows, n);
        // the pattern is a property of the model
        let plan = plan.get_or_insert_with(|| Plan::new(matrix.pattern().clone()));
        let found = plan.solve(matrix.values(), &right, JUMP_SINGULAR);
        let found = found.ok_or_else(|| path_dependent(landing, &curves))?;
        let mut settled = true;
        for (k, y) in y.iter_mut().enumerate() {
            let size = problem.evaluator.nominal(model.solvable.states[k].variable).max(y.abs());
            settled &= found.x[k].abs() <= JUMP_CONVERGED * size;
            *y += found.x[k];
        }
        for (curve, by) in curves.iter_mut().zip(&found.x[y.len()..]) {
            settled &= by.abs() <= JUMP_CONVERGED;
            curve.advance(landing, problem, *by)?;
        }
        landing.z.iter_mut().zip(&found.x[y.len() + curves.len()..]).for_each(|(z, step)| *z += step);
        problem.evaluate(t, y)?;
        if settled {
            break;
        }
    }
    for curve in &curves {
        let off = curve.places.iter().zip(&curve.q).any(|(&place, q)| {
            let now = problem.values[landing.impulses.jumping[place].index()];
            (q - now).abs() > 100.0 * tolerance * landing.sizes[place]
        });
        if off {
            return Err(NoLanding::Undetermined(curve.variables(landing)));
        }
        curve.impulses.iter().zip(&curve.z).for_each(|(&place, z)| landing.z[place] = *z);
    }
    Ok((0..is_curved.len()).filter(|&row| is_curved[row]).collect())
}

/// The equations for changes of states, of places on curves and of impulses: jumping variables stay on their curves, and
/// relations without curves hold.
fn equations(
    landing: &Landing<'_>,
    curves: &[Curve],
    is_curved: &[bool],
    problem: &mut ModelProblem,
    n_states: usize,
) -> Result<(Vec<SparseRow>, Vec<f64>), NoLanding> {
    let model = problem.model.clone();
    let slopes = by_rows(&slopes(model.landing(), problem));
    let (mut rows, mut right) = (Vec::new(), Vec::new());
    for (number, curve) in curves.iter().enumerate() {
        for (&place, (q, along)) in curve.places.iter().zip(curve.q.iter().zip(&curve.along)) {
            let size = landing.sizes[place];
            let mut row: SparseRow =
                slopes[place].iter().map(|&(state, slope)| (state, slope / size)).collect();
            row.push((n_states + number, -along / size));
            rows.push(row);
            let now = problem.values[landing.impulses.jumping[place].index()];
            right.push((q - now) / size);
        }
    }
    let factors = landing.factors(problem)?;
    let sizes = landing.row_sizes(&factors);
    for (place, (row, (jumps, impulses))) in landing.impulses.rows.iter().zip(&factors).enumerate() {
        if is_curved[place] {
            continue;
        }
        let (mut entries, mut residual) = (Vec::new(), 0.0);
        for (&(jump, _), factor) in row.jumps.iter().zip(jumps) {
            entries.extend(slopes[jump].iter().map(|&(state, slope)| (state, factor * slope / sizes[place])));
            residual += factor * landing.jump(problem, jump) / sizes[place];
        }
        for (&(v, _), factor) in row.impulses.iter().zip(impulses) {
            entries.push((n_states + curves.len() + landing.place(v), factor / sizes[place]));
            residual += factor * landing.z[landing.place(v)] / sizes[place];
        }
        rows.push(merged(entries));
        right.push(-residual);
    }
    Ok((rows, right))
}

fn path_dependent(landing: &Landing<'_>, curves: &[Curve]) -> NoLanding {
    NoLanding::PathDependent(curves.iter().flat_map(|curve| curve.variables(landing)).collect())
}

/// Relations that have jumps or impulses in common.
struct Parts {
    of_row: Vec<usize>,
}

impl Parts {
    fn of(landing: &Landing<'_>) -> Parts {
        let rows = &landing.impulses.rows;
        let n_jumps = landing.impulses.jumping.len();
        // rows and the variables in them, as a graph
        let mut rows_with: Vec<Vec<usize>> = vec![Vec::new(); n_jumps + landing.impulses.impulsive.len()];
        let places = |row: &ImpulseRow| -> Vec<usize> {
            let jumps = row.jumps.iter().map(|&(place, _)| place);
            jumps.chain(row.impulses.iter().map(|&(v, _)| n_jumps + landing.place(v))).collect()
        };
        let places: Vec<Vec<usize>> = rows.iter().map(places).collect();
        for (row, places) in places.iter().enumerate() {
            places.iter().for_each(|&place| rows_with[place].push(row));
        }
        let mut of_row = vec![usize::MAX; rows.len()];
        for first in 0..rows.len() {
            let mut open = vec![first];
            while let Some(row) = open.pop() {
                if of_row[row] == usize::MAX {
                    of_row[row] = first;
                    open.extend(places[row].iter().flat_map(|&place| std::mem::take(&mut rows_with[place])));
                }
            }
        }
        Parts { of_row }
    }

    /// The rows of the part that a row is in.
    fn with(&self, row: usize) -> Vec<usize> {
        (0..self.of_row.len()).filter(|&other| self.of_row[other] == self.of_row[row]).collect()
    }
}

/// Changes of jumping variables, and of impulses.
type Direction = (Vec<f64>, Vec<f64>);

/// A curve along which some of the variables jump together.
struct Curve {
    rows: Vec<usize>,
    /// The jumping variables and the impulses in them.
    places: Vec<usize>,
    impulses: Vec<usize>,
    /// The present point, with the impulses that led there.
    q: Vec<f64>,
    z: Vec<f64>,
    /// The direction there, of length one in nominal values.
    along: Vec<f64>,
    steps: usize,
    /// How its relations are solved.
    plan: OnceCell<Plan>,
}

impl Curve {
    fn new(landing: &Landing<'_>, rows: Vec<usize>, problem: &mut ModelProblem) -> Result<Curve, NoLanding> {
        let all = &landing.impulses.rows;
        let sorted = |mut places: Vec<usize>| {
            places.sort_unstable();
            places.dedup();
            places
        };
        let places = sorted(rows.iter().flat_map(|&row| &all[row].jumps).map(|&(place, _)| place).collect());
        let impulses =
            sorted(rows.iter().flat_map(|&row| &all[row].impulses).map(|&(v, _)| landing.place(v)).collect());
        let q = places.iter().map(|&place| landing.before[landing.impulses.jumping[place].index()]).collect();
        let z = vec![0.0; impulses.len()];
        let along = vec![0.0; places.len()];
        let plan = OnceCell::new();
        let mut curve = Curve { rows, places, impulses, q, z, along, steps: 0, plan };
        curve.along = curve.direction(landing, problem, &curve.q)?.0;
        Ok(curve)
    }

    fn variables(&self, landing: &Landing<'_>) -> Vec<VarId> {
        self.places.iter().map(|&place| landing.impulses.jumping[place]).collect()
    }

    /// The direction of the curve at a point: changes of jumping variables, and of impulses.
    fn direction(
        &self,
        landing: &Landing<'_>,
        problem: &mut ModelProblem,
        q: &[f64],
    ) -> Result<Direction, NoLanding> {
        let kept = problem.values.clone();
        for (&place, q) in self.places.iter().zip(q) {
            problem.values[landing.impulses.jumping[place].index()] = *q;
        }
        let factors = landing.factors(problem);
        problem.values.copy_from_slice(&kept);
        let factors = factors?;
        let n = self.places.len() + self.impulses.len();
        let mut rows: Vec<SparseRow> = Vec::new();
        for &row in &self.rows {
            let (jumps, impulses) = &factors[row];
            let of_jumps = landing.impulses.rows[row].jumps.iter().zip(jumps);
            let of_jumps = of_jumps.map(|(&(place, _), factor)| {
                (self.places.partition_point(|&own| own < place), factor * landing.sizes[place])
            });
            let of_impulses = landing.impulses.rows[row].impulses.iter().zip(impulses);
            let of_impulses = of_impulses.map(|(&(v, _), factor)| {
                let column = self.impulses.partition_point(|&own| own < landing.place(v));
                (self.places.len() + column, *factor)
            });
            let mut entries = merged(of_jumps.chain(of_impulses).collect());
            let largest = entries.iter().fold(0.0, |most: f64, (_, entry)| most.max(entry.abs()));
            if largest > 0.0 {
                entries.iter_mut().for_each(|(_, entry)| *entry /= largest);
            }
            rows.push(entries);
        }
        let matrix = SparseMatrix::from_rows(&rows, n);
        let plan = self.plan.get_or_init(|| Plan::new(matrix.pattern().clone()));
        let refused = || NoLanding::PathDependent(self.variables(landing));
        let Some(Free::One(free)) = plan.free(matrix.values(), JUMP_SINGULAR) else { return Err(refused()) };
        let (jumps, impulses) = free.split_at(self.places.len());
        let length = jumps.iter().map(|part| part * part).sum::<f64>().sqrt();
        if length <= JUMP_SINGULAR {
            return Err(refused());
        }
        let along: f64 = self
            .places
            .iter()
            .zip(jumps.iter().zip(&self.along))
            .map(|(&p, (j, a))| j * a / landing.sizes[p])
            .sum();
        let unit = if along < 0.0 { -length } else { length };
        let jumps = self.places.iter().zip(jumps).map(|(&place, part)| part / unit * landing.sizes[place]);
        Ok((jumps.collect(), impulses.iter().map(|part| part / unit).collect()))
    }

    /// Advances to the present estimate of the jump.
    fn go_towards_present(
        &mut self,
        landing: &Landing<'_>,
        problem: &mut ModelProblem,
    ) -> Result<(), NoLanding> {
        let by: f64 = self
            .places
            .iter()
            .zip(&self.along)
            .map(|(&place, along)| landing.jump(problem, place) * along / landing.sizes[place].powi(2))
            .sum();
        self.advance(landing, problem, by)
    }

    /// Advances along the curve, or back.
    fn advance(
        &mut self,
        landing: &Landing<'_>,
        problem: &mut ModelProblem,
        by: f64,
    ) -> Result<(), NoLanding> {
        let steps = ((by.abs() / CURVE_STEP).ceil() as usize).max(1);
        self.steps += steps;
        if self.steps > CURVE_STEPS || !by.is_finite() {
            return Err(NoLanding::Undetermined(self.variables(landing)));
        }
        let h = by / steps as f64;
        for _ in 0..steps {
            let at = |part: f64, slope: &[f64]| -> Vec<f64> {
                self.q.iter().zip(slope).map(|(q, slope)| q + part * h * slope).collect()
            };
            let first = self.direction(landing, problem, &self.q)?;
            let second = self.direction(landing, problem, &at(0.5, &first.0))?;
            let third = self.direction(landing, problem, &at(0.5, &second.0))?;
            let last = self.direction(landing, problem, &at(1.0, &third.0))?;
            let mean = |k: usize, of: fn(&Direction) -> &Vec<f64>| {
                (of(&first)[k] + 2.0 * of(&second)[k] + 2.0 * of(&third)[k] + of(&last)[k]) / 6.0
            };
            let changes: Vec<f64> = (0..self.q.len()).map(|k| h * mean(k, |slopes| &slopes.0)).collect();
            let impulses: Vec<f64> = (0..self.z.len()).map(|k| h * mean(k, |slopes| &slopes.1)).collect();
            self.q.iter_mut().zip(changes).for_each(|(q, change)| *q += change);
            self.z.iter_mut().zip(impulses).for_each(|(z, change)| *z += change);
            self.along = last.0;
        }
        self.along = self.direction(landing, problem, &self.q)?.0;
        Ok(())
    }
}
