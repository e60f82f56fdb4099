//! Sparse linear systems that may say too much or too little.
//!
//! Independent parts are solved one by one ([`Plan`]): small parts by singular values, large ones on their pattern, with a
//! symbolic factorisation that is made once. A slightly damped solution is corrected by its residual (proximal point iteration),
//! which ends at the shortest of all least-squares solutions, as singular values would. The null space is probed by vectors of
//! pseudorandom entries from which all that is determined is removed.

use std::sync::Arc;

use crate::augmented::{Augmented, AugmentedPlan};
use crate::constants::DENSE_ABOVE_FILL;
use crate::least_squares::least_squares;
use crate::sparse::Pattern;
use crate::sparse_lu::probe_entry;

/// Parts with so many rows and columns at most are dense matrices.
pub const DENSE_PART: usize = 50;
/// Damping of large parts, as a share of their largest column: singular values below it count as zero.
const DAMPING: f64 = 1e-8;
/// Corrections of a solution, and the relative size of one that counts as zero.
const MOST_CORRECTIONS: usize = 40;
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Probes of the null space: for the freedom of each unknown, and for the number of directions.
const PROBES: usize = 2;
const PROBES_FOR_DIRECTIONS: usize = 4;
/// Remainder of a probe with entries of about one that counts as rounding, when all that is determined is removed; also the angle
/// between two remainders that counts as none.
const NOTHING_LEFT: f64 = 1e-5;

/// A least-squares solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Closest {
    /// The shortest of those that come closest.
    pub x: Vec<f64>,
    /// By unknown, its component in the null space: zero if it is determined.
    pub freedom: Vec<f64>,
}

/// Directions in which nothing changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Free {
    /// There is none.
    No,
    /// There is one, of length one.
    One(Vec<f64>),
    /// There are more.
    Several,
}

/// How systems of one pattern are solved.
#[derive(Debug)]
pub struct Plan {
    pattern: Arc<Pattern>,
    parts: Vec<Part>,
}

/// Rows and columns that have nothing in common with others.
#[derive(Debug)]
struct Part {
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// Its entries on its own rows and columns, with their places among all.
    pattern: Pattern,
    places: Vec<usize>,
    /// Of a large one.
    sparse: Option<Arc<AugmentedPlan>>,
}

impl Plan {
    /// Finds the parts; symbolic factorisations of the large ones are made here.
    pub fn new(pattern: Arc<Pattern>) -> Plan {
        let part_of_column = parts_of_columns(&pattern);
        let n_parts = part_of_column.iter().map(|part| part + 1).max().unwrap_or(0);
        let mut parts: Vec<(Vec<usize>, Vec<usize>)> = vec![Default::default(); n_parts];
        for (column, &part) in part_of_column.iter().enumerate() {
            parts[part].1.push(column);
            parts[part].0.extend(pattern.column(column));
        }
        let parts = parts.into_iter().map(|(rows, columns)| Part::new(&pattern, rows, columns)).collect();
        Plan { pattern, parts }
    }

    /// Sparsity pattern of the matrices.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// The numbers of rows and columns of the largest matrix that is stored as a dense one.
    pub fn largest_dense(&self) -> (usize, usize) {
        let dense = self.parts.iter().filter(|part| part.sparse.is_none());
        let sizes = dense.map(|part| (part.rows.len(), part.columns.len()));
        sizes.max_by_key(|(m, n)| m * n).unwrap_or((0, 0))
    }

    /// The shortest `x` for which the matrix of these values comes closest to `right`. Singular values of small parts below `least`
    /// times the largest count as zero. Nothing where an iteration does not converge, or a value is no number.
    pub fn solve(&self, values: &[f64], right: &[f64], least: f64) -> Option<Closest> {
        let n = self.pattern.columns();
        let mut closest = Closest { x: vec![0.0; n], freedom: vec![0.0; n] };
        for part in &self.parts {
            let own: Vec<f64> = part.places.iter().map(|&place| values[place]).collect();
            let goal: Vec<f64> = part.rows.iter().map(|&row| right[row]).collect();
            let (x, freedom) = match &part.sparse {
                Some(plan) => part.solve_sparse(plan, &own, &goal)?,
                None => part.solve_dense(&own, &goal, least)?,
            };
            for ((&column, x), freedom) in part.columns.iter().zip(x).zip(freedom) {
                (closest.x[column], closest.freedom[column]) = (x, freedom);
            }
        }
        Some(closest)
    }
}

impl Plan {
    /// In which directions nothing changes. Singular values of small parts below `least` times the largest count as zero.
    pub fn free(&self, values: &[f64], least: f64) -> Option<Free> {
        let mut free = Free::No;
        for part in &self.parts {
            let own: Vec<f64> = part.places.iter().map(|&place| values[place]).collect();
            let found = match &part.sparse {
                Some(plan) => part.free_sparse(plan, &own)?,
                None => part.free_dense(&own, least)?,
            };
            free = match (free, found) {
                (free, Free::No) => free,
                (Free::No, Free::One(direction)) => {
                    let mut whole = vec![0.0; self.pattern.columns()];
                    part.columns.iter().zip(direction).for_each(|(&column, entry)| whole[column] = entry);
                    Free::One(whole)
                }
                _ => return Some(Free::Several),
            };
        }
        Some(free)
    }
}

/// By column, the number of its part: columns that have a row in common are in the same one.
fn parts_of_columns(pattern: &Pattern) -> Vec<usize> {
    fn root(parents: &mut [usize], mut at: usize) -> usize {
        while parents[at] != at {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        at
    }
    let mut parents: Vec<usize> = (0..pattern.columns()).collect();
    let mut first: Vec<Option<usize>> = vec![None; pattern.rows()];
    for (row, column) in pattern.entries() {
        let other = *first[row].get_or_insert(column);
        let (a, b) = (root(&mut parents, column), root(&mut parents, other));
        parents[a.max(b)] = a.min(b);
    }
    let mut numbers = vec![usize::MAX; parents.len()];
    let mut next = 0;
    for column in 0..parents.len() {
        let root = root(&mut parents, column);
        if numbers[root] == usize::MAX {
            (numbers[root], next) = (next, next + 1);
        }
        numbers[column] = numbers[root];
    }
    numbers
}

impl Part {
    fn new(whole: &Pattern, mut rows: Vec<usize>, columns: Vec<usize>) -> Part {
        rows.sort_unstable();
        rows.dedup();
        let own_row = |row: &usize| rows.binary_search(row).expect("a row of the part");
        let entries = columns
            .iter()
            .enumerate()
            .flat_map(|(column, &of)| whole.column(of).iter().map(move |row| (own_row(row), column)));
        let pattern = Pattern::from_entries(rows.len(), columns.len(), entries);
        let places = columns.iter().flat_map(|&column| whole.range(column)).collect();
        let (m, n) = (rows.len(), columns.len());
        let is_small = m.max(n) <= DENSE_PART;
        let is_dense = pattern.len() as f64 >= DENSE_ABOVE_FILL * m as f64 * n as f64;
        let plan = (!is_small && !is_dense).then(|| AugmentedPlan::new(&pattern)).flatten();
        Part { rows, columns, pattern, places, sparse: plan.map(Arc::new) }
    }

    fn solve_dense(&self, values: &[f64], right: &[f64], least: f64) -> Option<(Vec<f64>, Vec<f64>)> {
        let n = self.columns.len();
        if let ([value], [right]) = (values, right)
            && *value != 0.0
        {
            return Some((vec![right / value], vec![0.0]));
        }
        let found = least_squares(&self.dense_rows(values), n, right, least)?;
        let freedom = |k: usize| found.free.iter().map(|free| free[k].abs()).fold(0.0, f64::max);
        let freedoms = (0..n).map(freedom).collect();
        Some((found.x, freedoms))
    }

    fn dense_rows(&self, values: &[f64]) -> Vec<Vec<f64>> {
        let mut rows = vec![vec![0.0; self.columns.len()]; self.rows.len()];
        for ((row, column), value) in self.pattern.entries().zip(values) {
            rows[row][column] = *value;
        }
        rows
    }

    fn free_dense(&self, values: &[f64], least: f64) -> Option<Free> {
        let right = vec![0.0; self.rows.len()];
        let mut free = least_squares(&self.dense_rows(values), self.columns.len(), &right, least)?.free;
        Some(match free.len() {
            0 => Free::No,
            1 => Free::One(free.remove(0)),
            _ => Free::Several,
        })
    }

    /// The null space by remainders of a few probes: none, one direction, or several.
    fn free_sparse(&self, plan: &Arc<AugmentedPlan>, values: &[f64]) -> Option<Free> {
        let n = self.columns.len();
        let largest = self.largest_column(values);
        if largest == 0.0 {
            return Some(Free::Several);
        }
        let mut augmented = Augmented::on(plan.clone());
        let damping = DAMPING * largest;
        if !augmented.factorise(values, damping, damping) {
            return None;
        }
        let mut found: Option<(f64, Vec<f64>)> = None;
        for probe in 0..PROBES_FOR_DIRECTIONS {
            let mut left: Vec<f64> = (0..n).map(|i| probe_entry(i + probe * n)).collect();
            let determined = self.corrected(&mut augmented, values, &self.times(values, &left))?;
            left.iter_mut().zip(determined).for_each(|(left, determined)| *left -= determined);
            let length = left.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
            if length <= NOTHING_LEFT {
                continue;
            }
            left.iter_mut().for_each(|entry| *entry /= length);
            let Some((longest, direction)) = &found else {
                found = Some((length, left));
                continue;
            };
            let along: f64 = direction.iter().zip(&left).map(|(a, b)| a * b).sum();
            let across =
                direction.iter().zip(&left).map(|(a, b)| (a * along - b).powi(2)).sum::<f64>().sqrt();
            // rounding weighs more in short vectors
            if across > NOTHING_LEFT * f64::max(1.0, 1.0 / length.min(*longest)) {
                return Some(Free::Several);
            }
            if length > *longest {
                found = Some((length, left));
            }
        }
        Some(found.map_or(Free::No, |(_, direction)| Free::One(direction)))
    }

    /// The length of the longest column.
    fn largest_column(&self, values: &[f64]) -> f64 {
        let length =
            |column: usize| values[self.pattern.range(column)].iter().map(|v| v * v).sum::<f64>().sqrt();
        (0..self.columns.len()).map(length).fold(0.0, f64::max)
    }

    fn solve_sparse(
        &self,
        plan: &Arc<AugmentedPlan>,
        values: &[f64],
        right: &[f64],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let n = self.columns.len();
        let largest = self.largest_column(values);
        if largest == 0.0 {
            return Some((vec![0.0; n], vec![1.0; n]));
        }
        let mut augmented = Augmented::on(plan.clone());
        let damping = DAMPING * largest;
        if !augmented.factorise(values, damping, damping) {
            return None;
        }
        let x = self.corrected(&mut augmented, values, right)?;
        let mut freedom = vec![0.0_f64; n];
        for probe in 0..PROBES {
            let probe: Vec<f64> = (0..n).map(|i| probe_entry(i + probe * n)).collect();
            let determined = self.corrected(&mut augmented, values, &self.times(values, &probe))?;
            for (freedom, (probe, determined)) in freedom.iter_mut().zip(probe.iter().zip(determined)) {
                *freedom = freedom.max((probe - determined).abs());
            }
        }
        Some((x, freedom))
    }

    /// The solution that comes closest, corrected until rounding is left.
    fn corrected(&self, augmented: &mut Augmented, values: &[f64], right: &[f64]) -> Option<Vec<f64>> {
        let size = |list: &[f64]| list.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let mut x = vec![0.0; self.columns.len()];
        let mut left = right.to_vec();
        let mut last = f64::INFINITY;
        for _ in 0..MOST_CORRECTIONS {
            let (rows, columns) = augmented.right();
            rows.copy_from_slice(&left);
            columns.fill(0.0);
            let correction = augmented.solve();
            let change = size(correction);
            if !change.is_finite() || correction.iter().any(|x| x.is_nan()) {
                return None;
            }
            if change >= last {
                break; // rounding
            }
            x.iter_mut().zip(correction).for_each(|(x, by)| *x += by);
            if change <= ROUNDING * size(&x) {
                break;
            }
            last = change;
            let reached = self.times(values, &x);
            left.iter_mut().zip(right.iter().zip(reached)).for_each(|(left, (b, ax))| *left = b - ax);
        }
        Some(x)
    }

    fn times(&self, values: &[f64], x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.rows.len()];
        for ((row, column), value) in self.pattern.entries().zip(values) {
            product[row] += value * x[column];
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of `n` differences, `x_(k+1) - x_k = right_k`, with the first unknown given, or not.
    fn chain(n: usize, is_grounded: bool) -> (Plan, Vec<f64>) {
        let entries = (0..n - 1).flat_map(|k| [(k, k), (k, k + 1)]);
        let entries = entries.chain(is_grounded.then_some((n - 1, 0)));
        let pattern = Arc::new(Pattern::from_entries(n, n, entries));
        let value = |(row, column): (usize, usize)| match row == n - 1 {
            true => 1.0,
            false if column == row => -1.0,
            false => 1.0,
        };
        let values = pattern.entries().map(value).collect();
        (Plan::new(pattern), values)
    }

    #[test]
    fn a_long_chain_is_solved_on_its_pattern() {
        let (plan, values) = chain(2000, true);
        assert_eq!(plan.largest_dense(), (0, 0));
        let right = vec![1.0; 2000];
        let found = plan.solve(&values, &right, 1e-11).unwrap();
        for (k, x) in found.x.iter().enumerate() {
            assert!((x - (1 + k) as f64).abs() < 1e-9, "{k}: {x}");
        }
        assert!(found.freedom.iter().all(|&freedom| freedom < 1e-8));
    }

    #[test]
    fn what_floats_is_shortest_and_free() {
        let (plan, values) = chain(301, false);
        let found = plan.solve(&values, &vec![1.0; 301], 1e-11).unwrap();
        // the shortest of all `x0 + k` is the one around zero
        for (k, x) in found.x.iter().enumerate() {
            assert!((x - (k as f64 - 150.0)).abs() < 1e-6, "{k}: {x}");
        }
        assert!(found.freedom.iter().all(|&freedom| freedom > 1e-4));
    }

    #[test]
    fn parts_are_solved_as_singular_values_would() {
        // redundant rows, beside an undetermined unknown, beside a contradiction
        let entries = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 3), (3, 3)];
        let pattern = Arc::new(Pattern::from_entries(4, 4, entries));
        let values: Vec<f64> = pattern.entries().map(|(row, _)| if row == 1 { 2.0 } else { 1.0 }).collect();
        let plan = Plan::new(pattern);
        assert_eq!(plan.parts.len(), 3);
        let found = plan.solve(&values, &[2.0, 4.0, 1.0, 3.0], 1e-12).unwrap();
        for (x, expected) in found.x.iter().zip([1.0, 1.0, 0.0, 2.0]) {
            assert!((x - expected).abs() < 1e-12, "{found:?}");
        }
        assert!(found.freedom[0] > 0.5 && found.freedom[2] == 1.0 && found.freedom[3] == 0.0);
    }

    #[test]
    fn one_direction_is_told_from_none_and_several() {
        for n in [20, 400] {
            let (plan, values) = chain(n, true);
            assert_eq!(plan.free(&values, 1e-11), Some(Free::No));
            let (plan, values) = chain(n, false);
            let Some(Free::One(direction)) = plan.free(&values, 1e-11) else { panic!("one direction") };
            let each = 1.0 / (n as f64).sqrt();
            assert!(direction.iter().all(|entry| (entry.abs() - each).abs() < 1e-12), "{n}: {direction:?}");
            // one of the differences says nothing any more
            let mut fewer = values.clone();
            let row = n / 3;
            for column in [row, row + 1] {
                fewer[plan.pattern().position(row, column).unwrap()] = 0.0;
            }
            assert_eq!(plan.free(&fewer, 1e-11), Some(Free::Several), "{n}");
        }
    }
}
