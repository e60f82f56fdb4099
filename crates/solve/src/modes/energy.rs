//! The energy dissipated by a jump.
//!
//! In the relations `M·Δq + B·Z = 0` of a physical model `M` stores energy: inertias, capacitances, inductances. If it is
//! constant and symmetric the energy is `½ qᵀ M q`. A conserved quantity of its own (`der(p) = v; p = L*i`) has the factor one
//! there, and stores `½ p²/L`. A check confirms that this is stored energy: impulses of constraints do no work on any motion
//! that the constraints leave free, `tᵀ M Δq = 0`. If they do (a source forces the jump) no energy is reported.

use rhei_equations::VarId;
use rhei_numerics::SparseMatrix;
use rhei_solvable::ImpulseRow;
use rustc_hash::FxHashMap;

use super::jump::{Landing, are_same};
use super::landing_matrix::{SparseRow, merged, slopes};
use crate::constants::{ENERGY_CONSTANT, ENERGY_NO_WORK};
use crate::evaluate::NoValue;
use crate::problem::ModelProblem;

/// The energy of the variables that may jump by impulses, before and after.
pub fn energy(landing: &Landing<'_>, problem: &mut ModelProblem) -> Result<Option<(f64, f64)>, NoValue> {
    let (first, factors) = landing.both_factors(problem)?;
    if !first.iter().zip(&factors).all(|(first, last)| are_same(&first.0, &last.0, ENERGY_CONSTANT)) {
        return Ok(None);
    }
    let model = problem.model.clone();
    let all = problem.watched(&model.code.impulses)?;
    let n = landing.impulses.proportions.len();
    let proportions: Vec<(usize, f64)> = landing
        .impulses
        .proportions
        .iter()
        .map(|&(place, _)| place)
        .zip(all[all.len() - n..].to_vec())
        .collect();
    let rows = landing.impulses.rows.iter().zip(&factors);
    let rows: Vec<(&ImpulseRow, &[f64])> = rows
        .filter(|(row, _)| !row.jumps.is_empty() && !row.impulses.is_empty())
        .map(|(row, (jumps, _))| (row, &jumps[..]))
        .collect();
    let Some(storage) = Storage::of(&rows) else { return Ok(None) };
    let slopes = slopes(model.landing(), problem);
    let with = storage.with(&proportions);
    let is_storage = |storage: &&Storage| storage.is_left_alone(landing, problem, &slopes);
    let found = [&with, &storage].into_iter().find(is_storage);
    let at = |storage: &Storage, values: &[f64]| {
        let q: Vec<f64> =
            storage.places.iter().map(|&place| values[landing.impulses.jumping[place].index()]).collect();
        storage.energy(&q)
    };
    Ok(found.map(|storage| (at(storage, landing.before), at(storage, &problem.values))))
}

/// A symmetric matrix over some of the variables that may jump.
struct Storage {
    places: Vec<usize>,
    /// Their indices in `places`.
    numbers: FxHashMap<usize, usize>,
    /// By rows.
    matrix: Vec<SparseRow>,
}

impl Storage {
    /// The factors of jumps in rows, if they are a symmetric matrix.
    fn of(rows: &[(&ImpulseRow, &[f64])]) -> Option<Storage> {
        if rows.is_empty() {
            return None;
        }
        let mut places: Vec<usize> = Vec::new();
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        for (row, factors) in rows {
            // a row belongs to the variable with its largest factor
            let own = row.jumps.iter().zip(*factors).filter(|((place, _), _)| !numbers.contains_key(place));
            let ((place, _), _) = own.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
            numbers.insert(*place, places.len());
            places.push(*place);
        }
        let mut matrix: Vec<SparseRow> = Vec::new();
        for (k, (row, factors)) in rows.iter().enumerate() {
            let entry = |((place, _), factor): (&(usize, _), &f64)| Some((*numbers.get(place)?, *factor));
            let entries: Option<SparseRow> = row.jumps.iter().zip(*factors).map(entry).collect();
            let mut entries = merged(entries?);
            let sign = at(&entries, k).signum();
            entries.iter_mut().for_each(|(_, entry)| *entry *= sign);
            matrix.push(entries);
        }
        let is_symmetric = matrix.iter().enumerate().all(|(i, row)| {
            row.iter().all(|&(j, entry)| {
                let size = at(row, i).abs().max(at(&matrix[j], j).abs());
                (entry - at(&matrix[j], i)).abs() <= ENERGY_NO_WORK * size
            })
        });
        is_symmetric.then_some(Storage { places, numbers, matrix })
    }

    /// Adds variables that are conserved by themselves: each stores its square, by the quantity it is proportional to.
    fn with(&self, proportions: &[(usize, f64)]) -> Storage {
        let mut matrix = self.matrix.clone();
        for &(place, proportion) in proportions {
            if let Some(&k) = self.numbers.get(&place) {
                let others: f64 = matrix[k].iter().filter(|(j, _)| *j != k).map(|(_, m)| m.abs()).sum();
                if at(&matrix[k], k) == 1.0 && others == 0.0 && proportion > 0.0 {
                    matrix[k] = vec![(k, proportion)];
                }
            }
        }
        Storage { places: self.places.clone(), numbers: self.numbers.clone(), matrix }
    }

    fn times(&self, q: &[f64]) -> Vec<f64> {
        self.matrix.iter().map(|row| row.iter().map(|&(k, m)| m * q[k]).sum()).collect()
    }

    fn energy(&self, q: &[f64]) -> f64 {
        self.times(q).iter().zip(q).map(|(p, q)| 0.5 * p * q).sum()
    }

    /// Whether the jump does no work on the present motion, nor on any motion of the states.
    fn is_left_alone(&self, landing: &Landing<'_>, problem: &ModelProblem, slopes: &SparseMatrix) -> bool {
        let jump: Vec<f64> = self.places.iter().map(|&place| landing.jump(problem, place)).collect();
        let push = self.times(&jump);
        let does_no_work = |motion: &SparseRow| {
            let parts =
                motion.iter().filter_map(|(place, part)| Some(part * push[*self.numbers.get(place)?]));
            let (sum, size) = parts.fold((0.0, 0.0), |(sum, size): (f64, f64), p| (sum + p, size + p.abs()));
            sum.abs() <= ENERGY_NO_WORK * size
        };
        // a state that moves variables which cannot jump (positions) changes how speeds are tied, too
        let is_of_storage = |motion: &SparseRow| {
            let largest = motion.iter().fold(0.0, |most: f64, (_, part)| most.max(part.abs()));
            let is_own = |place: &usize| self.numbers.contains_key(place);
            motion.iter().all(|(place, part)| is_own(place) || part.abs() <= ENERGY_NO_WORK * largest)
        };
        let now = |(place, v): (usize, &VarId)| (place, problem.values[v.index()]);
        let now = landing.impulses.jumping.iter().enumerate().map(now).collect();
        let pattern = slopes.pattern();
        let motion = |state: usize| -> SparseRow {
            let entries = &slopes.values()[pattern.range(state)];
            pattern.column(state).iter().copied().zip(entries.iter().copied()).collect()
        };
        does_no_work(&now)
            && (0..pattern.columns()).map(motion).filter(is_of_storage).all(|motion| does_no_work(&motion))
    }
}

fn at(row: &SparseRow, column: usize) -> f64 {
    row.binary_search_by_key(&column, |&(column, _)| column).map_or(0.0, |k| row[k].1)
}
