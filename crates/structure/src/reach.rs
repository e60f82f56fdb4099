//! Which candidates of a large set each of its states can be.
//!
//! A state that is a combination of all candidates makes a dense matrix of factors. In an order of the candidates, whatever the
//! choice, the number of solved ones among the first few is bounded: from below by the number of constraints that hold these
//! alone, from above by the number that hold one of them. So the first state, in that order, is one of the first few candidates,
//! and so on: each has a window of candidates. The order brings together variables of the same constraints (Cuthill & McKee
//! 1969): in a chain of bodies each state can be one of two or three coordinates. Unknowns that are no candidates stand in that
//! order, too: they take their share of the constraints. A window never excludes a choice that can be solved.

/// The order in which states are chosen, and the candidates of each: candidates by place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    /// The candidates, by place.
    pub(crate) order: Vec<usize>,
    /// Per state, candidates in that order.
    pub(crate) windows: Vec<Vec<usize>>,
}

/// Constraints as rows of columns. Some unknowns are solved for whatever the choice is; candidates come behind them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tied {
    /// The columns of each row.
    pub(crate) rows: Vec<Vec<usize>>,
    /// So many columns are no candidates, and are always solved for.
    pub(crate) n_others: usize,
    pub(crate) n_candidates: usize,
    /// So many candidates are solved for.
    pub(crate) n_solved_for: usize,
}

/// The reach of the states of candidates.
pub(crate) fn reach(tied: &Tied) -> Reach {
    let Tied { rows, n_others, n_candidates, n_solved_for } = tied;
    let (n, n_solved) = (n_others + n_candidates, n_others + n_solved_for);
    let order = bring_together(rows, n);
    let Bounds { at_least, at_most } = Bounds::new(tied, &order);
    let mut windows = vec![Vec::new(); n - n_solved.min(n)];
    let mut candidates = Vec::with_capacity(*n_candidates);
    for (at, column) in order.into_iter().enumerate() {
        let Some(candidate) = column.checked_sub(*n_others) else { continue };
        candidates.push(candidate);
        // so many states can come before it, if it is one itself
        let fewest = (at - at_most[at]).max((at + 1 - at_most[at + 1]).saturating_sub(1));
        let most = (at - at_least[at].min(at)).min((at + 1 - at_least[at + 1].min(at + 1)).saturating_sub(1));
        let can_be_state = at + 1 > at_least[at + 1];
        for window in windows.iter_mut().take(most + 1).skip(fewest).filter(|_| can_be_state) {
            window.push(candidate);
        }
    }
    Reach { order: candidates, windows }
}

/// How many of the first so many columns are solved for, whatever the choice is.
struct Bounds {
    at_least: Vec<usize>,
    at_most: Vec<usize>,
}

impl Bounds {
    fn new(tied: &Tied, order: &[usize]) -> Bounds {
        let Tied { rows, n_others, n_candidates, n_solved_for } = tied;
        let (n, n_solved) = (n_others + n_candidates, n_others + n_solved_for);
        let mut place = vec![0; n];
        order.iter().enumerate().for_each(|(at, &column)| place[column] = at);
        // per number of first columns, in how many rows they are, and in how many the others
        let (mut with_first, mut with_others) = (vec![0_usize; n + 2], vec![0_usize; n + 2]);
        for row in rows {
            let places = row.iter().map(|&column| place[column]);
            let Some((first, last)) = places.clone().min().zip(places.max()) else { continue };
            with_first[first + 1] += 1;
            with_others[last + 1] += 1;
        }
        let (mut at_least, mut at_most) = (vec![0; n + 1], vec![0; n + 1]);
        let (mut touched, mut left) = (0, rows.iter().filter(|row| !row.is_empty()).count());
        let mut others = 0;
        for first in 0..=n {
            touched += with_first[first];
            left -= with_others[first];
            others += usize::from(first > 0 && order[first - 1] < *n_others);
            let others_behind = n_others - others;
            at_most[first] = first.min(touched).min(n_solved - others_behind);
            at_least[first] = n_solved.saturating_sub(left.min(n - first)).max(others);
        }
        Bounds { at_least, at_most }
    }
}

/// A row with so many times as many columns as rows have on average ties no neighbours (Davis, *Direct Methods for Sparse Linear
/// Systems*, 2006, §7.1: dense rows are left out of orderings).
const DENSE: usize = 8;

/// An order in which columns of the same rows are near each other.
fn bring_together(rows: &[Vec<usize>], n: usize) -> Vec<usize> {
    let longest = DENSE * rows.iter().map(Vec::len).sum::<usize>().div_ceil(rows.len().max(1));
    let mut rows_of = vec![Vec::new(); n];
    for (row, columns) in rows.iter().enumerate().filter(|(_, columns)| columns.len() <= longest) {
        columns.iter().for_each(|&column| rows_of[column].push(row));
    }
    let mut walk = Walk { rows, rows_of, is_seen: vec![false; n], is_row_seen: vec![false; rows.len()] };
    let mut order = Vec::with_capacity(n);
    for start in 0..n {
        if walk.is_seen[start] {
            continue;
        }
        // the last of a walk is at an end, and the last of one from there at the other
        let mut from = start;
        for _ in 0..2 {
            let found = walk.from(from);
            walk.forget(&found);
            from = found.last().copied().unwrap_or(start);
        }
        order.extend(walk.from(from));
    }
    order
}

struct Walk<'a> {
    rows: &'a [Vec<usize>],
    rows_of: Vec<Vec<usize>>,
    is_seen: Vec<bool>,
    is_row_seen: Vec<bool>,
}

impl Walk<'_> {
    /// All that is tied to a candidate, the nearest first, of equally near ones those in fewer rows.
    fn from(&mut self, start: usize) -> Vec<usize> {
        let mut found = vec![start];
        self.is_seen[start] = true;
        let mut next = 0;
        while let Some(&candidate) = found.get(next) {
            next += 1;
            let begin = found.len();
            for &row in &self.rows_of[candidate] {
                if std::mem::replace(&mut self.is_row_seen[row], true) {
                    continue;
                }
                let new = self.rows[row].iter();
                found.extend(new.filter(|&&new| !std::mem::replace(&mut self.is_seen[new], true)));
            }
            found[begin..].sort_by_key(|&new| (self.rows_of[new].len(), new));
        }
        found
    }

    fn forget(&mut self, found: &[usize]) {
        for &candidate in found {
            self.is_seen[candidate] = false;
            self.rows_of[candidate].iter().for_each(|&row| self.is_row_seen[row] = false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `n` masses in the plane between two fixed points, each tied to the next by a rod: all x, then all y.
    fn suspended(n: usize) -> Vec<Vec<usize>> {
        let of_mass = |mass: usize| [mass, n + mass];
        let row = |rod: usize| {
            let masses = (rod > 0).then(|| rod - 1).into_iter().chain((rod < n).then_some(rod));
            masses.flat_map(of_mass).collect()
        };
        (0..=n).map(row).collect()
    }

    fn count(reach: &Reach) -> usize {
        reach.windows.iter().map(Vec::len).sum()
    }

    #[test]
    fn states_of_a_chain_are_chosen_from_a_few_coordinates_each() {
        for n in [100, 1000] {
            let rows = suspended(n);
            let reach = reach(&Tied { rows, n_others: 0, n_candidates: 2 * n, n_solved_for: n + 1 });
            assert_eq!(reach.windows.len(), n - 1);
            assert!(count(&reach) <= 4 * n, "{} factors for {n} masses", count(&reach));
        }
    }

    #[test]
    fn one_constraint_leaves_each_state_two_candidates() {
        let rows = vec![(0..500).collect()];
        let reach = reach(&Tied { rows, n_others: 0, n_candidates: 500, n_solved_for: 1 });
        assert_eq!(count(&reach), 2 * 499);
    }

    /// A sum over all of them, and unknowns that each take a constraint of their own, leave the order and the windows narrow.
    #[test]
    fn a_sum_and_further_unknowns_do_not_widen_the_reach_of_a_chain() {
        for n in [100, 1000] {
            let behind = |row: Vec<usize>| row.into_iter().map(|candidate| n + candidate).collect();
            let mut rows: Vec<Vec<usize>> = suspended(n).into_iter().map(behind).collect();
            rows.push((n..2 * n).collect());
            rows.extend((0..n).map(|mass| vec![mass, n + mass, 2 * n + mass]));
            let reach = reach(&Tied { rows, n_others: n, n_candidates: 2 * n, n_solved_for: n + 2 });
            assert_eq!(reach.windows.len(), n - 2);
            assert!(count(&reach) <= 8 * n, "{} factors for {n} masses", count(&reach));
        }
    }

    /// Whether rows can be solved for these columns, by structure.
    fn is_solvable(rows: &[Vec<usize>], columns: &[usize]) -> bool {
        fn join(rows: &[Vec<usize>], column: usize, of_row: &mut [Option<usize>], seen: &mut [bool]) -> bool {
            for row in (0..rows.len()).filter(|&row| rows[row].contains(&column)) {
                if std::mem::replace(&mut seen[row], true) {
                    continue;
                }
                if of_row[row].is_none_or(|other| join(rows, other, of_row, seen)) {
                    of_row[row] = Some(column);
                    return true;
                }
            }
            false
        }
        let mut of_row = vec![None; rows.len()];
        columns.iter().all(|&column| join(rows, column, &mut of_row, &mut vec![false; rows.len()]))
    }

    #[test]
    fn no_choice_that_can_be_solved_is_excluded() {
        let mut state = 7_u64;
        let mut drawn = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        let mut n_choices = 0;
        for _ in 0..800 {
            let (n, m, n_others) = (3 + drawn(5), 1 + drawn(3), drawn(2));
            let rows: Vec<Vec<usize>> = (0..m)
                .map(|_| {
                    let mut row: Vec<usize> = (0..1 + drawn(4)).map(|_| drawn(n)).collect();
                    row.sort_unstable();
                    row.dedup();
                    row
                })
                .collect();
            let n_solved_for = m.saturating_sub(n_others);
            let tied = Tied { rows, n_others, n_candidates: n - n_others, n_solved_for };
            let (reach, rows) = (reach(&tied), &tied.rows);
            for choice in 0..1_usize << n {
                let solved: Vec<usize> = (0..n).filter(|bit| choice >> bit & 1 == 1).collect();
                let others_are_solved = (0..n_others).all(|other| solved.contains(&other));
                if solved.len() != m || !others_are_solved || !is_solvable(rows, &solved) {
                    continue;
                }
                n_choices += 1;
                let states =
                    reach.order.iter().filter(|candidate| !solved.contains(&(n_others + **candidate)));
                for (window, state) in reach.windows.iter().zip(states) {
                    assert!(window.contains(state), "{rows:?}: {solved:?} solved for, {reach:?}");
                }
            }
        }
        assert!(n_choices > 1000, "{n_choices}");
    }
}
