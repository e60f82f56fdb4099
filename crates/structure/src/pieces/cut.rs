//! Equations of a mode taken apart at unknowns that follow from known values alone.
//!
//! In: which unknown stands in which row, up to which derivative. Out: rows that *settle* an unknown (`v = 0`, and then
//! `w = 2*v`); rows that *follow*, whose own unknown stands nowhere else and which combine several islands (`total = sum(p)`);
//! and islands of the others, which share only settled unknowns. A row that holds one unknown only is its partner in every
//! perfect matching; the solution of an island does not depend on other islands. All on integers.

/// Rows, each with the column that it determines.
type Pairs = Vec<(usize, usize)>;

/// Rows by islands, and the unknowns between these.
pub(crate) struct Cut {
    /// Rows that give one unknown from those that the rows before give, and that unknown.
    pub(crate) settled: Pairs,
    /// Rows that give an unknown from those of several islands, in the order in which they can be computed, and that unknown.
    pub(crate) following: Pairs,
    /// The other rows, ascending in each island; each island has as many rows as unknowns.
    pub(crate) islands: Vec<Vec<usize>>,
    /// By unknown, the row that settles it.
    pub(crate) settled_by: Vec<Option<usize>>,
    /// By unknown, the island it is in; those that are settled or follow are in none.
    pub(crate) island_of: Vec<usize>,
}

impl Cut {
    /// How many pieces there are without those that follow.
    pub(crate) fn n_closed(&self) -> usize {
        self.settled.len() + self.islands.len()
    }
}

/// `orders` holds per row its columns with the highest derivative; `may_settle` says whether a row may be taken to settle a column, and
/// `may_follow` whether one that only looks at others may be taken as such.
/// `None` where the rows of some island are not as many as its columns: then the whole has to be looked at.
pub(crate) fn cut(
    orders: &[&[(usize, u32)]],
    n_columns: usize,
    may_settle: impl Fn(usize, usize) -> bool,
    may_follow: impl Fn(usize, usize) -> bool,
) -> Option<Cut> {
    let rows_of = rows_of_columns(orders, n_columns);
    let (settled, settled_by) = settle(orders, &rows_of, may_settle)?;
    let is_open = |column: usize| settled_by[column].is_none();
    let (leaves, own) = leaves(orders, &rows_of, |row, column| is_open(column) && may_follow(row, column));
    let mut leader: Vec<usize> = (0..n_columns).collect();
    let unite = |leader: &mut Vec<usize>, row: usize| {
        let mut open = orders[row].iter().map(|&(column, _)| column).filter(|&column| is_open(column));
        let Some(first) = open.next() else { return };
        for other in open {
            let (a, b) = (root(leader, first), root(leader, other));
            leader[a.max(b)] = a.min(b);
        }
    };
    let is_settling = |row: usize| orders[row].iter().all(|&(column, _)| !is_open(column));
    for row in (0..orders.len()).filter(|&row| own[row].is_none()) {
        unite(&mut leader, row);
    }
    // a leaf that looks at one island is a part of it
    let mut follows = vec![false; n_columns];
    let mut following = Vec::new();
    for &(row, column) in leaves.iter().rev() {
        let others = || orders[row].iter().map(|&(other, _)| other).filter(|&other| other != column);
        let mut roots: Vec<usize> =
            others().filter(|&other| is_open(other)).map(|other| root(&mut leader, other)).collect();
        roots.dedup();
        let is_one = roots.iter().all(|&other| other == roots[0]);
        if is_one && !others().any(|other| follows[other]) {
            unite(&mut leader, row);
        } else {
            follows[column] = true;
            following.push((row, column));
        }
    }
    let mut number = vec![usize::MAX; n_columns];
    let mut island_of = vec![usize::MAX; n_columns];
    let (mut islands, mut width): (Vec<Vec<usize>>, Vec<usize>) = (Vec::new(), Vec::new());
    for column in (0..n_columns).filter(|&column| is_open(column) && !follows[column]) {
        let root = root(&mut leader, column);
        if number[root] == usize::MAX {
            number[root] = islands.len();
            islands.push(Vec::new());
            width.push(0);
        }
        island_of[column] = number[root];
        width[number[root]] += 1;
    }
    for row in (0..orders.len()).filter(|&row| !is_settling(row)) {
        if own[row].is_some_and(|column| follows[column]) {
            continue;
        }
        let first = orders[row].iter().find(|(column, _)| is_open(*column) && !follows[*column])?;
        islands[island_of[first.0]].push(row);
    }
    let is_square = islands.iter().zip(&width).all(|(rows, &width)| rows.len() == width);
    is_square.then_some(Cut { settled, following, islands, settled_by, island_of })
}

fn rows_of_columns(orders: &[&[(usize, u32)]], n_columns: usize) -> Vec<Vec<usize>> {
    let mut rows_of: Vec<Vec<usize>> = vec![Vec::new(); n_columns];
    for (row, columns) in orders.iter().enumerate() {
        columns.iter().for_each(|&(column, _)| rows_of[column].push(row));
    }
    rows_of
}

/// Rows whose column stands in no other row that is left, without derivatives; those that others of them look at come later.
/// Also, by row, the column.
fn leaves(
    orders: &[&[(usize, u32)]],
    rows_of: &[Vec<usize>],
    may_follow: impl Fn(usize, usize) -> bool,
) -> (Pairs, Vec<Option<usize>>) {
    let mut count: Vec<usize> = rows_of.iter().map(Vec::len).collect();
    let mut own: Vec<Option<usize>> = vec![None; orders.len()];
    let mut found = Vec::new();
    let mut open: Vec<usize> = (0..count.len()).rev().filter(|&column| count[column] == 1).collect();
    while let Some(column) = open.pop() {
        let Some(&row) = rows_of[column].iter().find(|&&row| own[row].is_none()) else { continue };
        if orders[row].iter().any(|&(_, order)| order > 0) || !may_follow(row, column) {
            continue;
        }
        own[row] = Some(column);
        found.push((row, column));
        for &(other, _) in orders[row] {
            count[other] -= 1;
            if count[other] == 1 && other != column {
                open.push(other);
            }
        }
    }
    (found, own)
}

/// Rows that settle columns, in order; `None` where a row is left with nothing to find.
fn settle(
    orders: &[&[(usize, u32)]],
    rows_of: &[Vec<usize>],
    may_settle: impl Fn(usize, usize) -> bool,
) -> Option<(Pairs, Vec<Option<usize>>)> {
    let mut left: Vec<usize> = orders.iter().map(|columns| columns.len()).collect();
    let mut settled_by: Vec<Option<usize>> = vec![None; rows_of.len()];
    let mut settled = Vec::new();
    let mut open: Vec<usize> = (0..orders.len()).rev().filter(|&row| left[row] <= 1).collect();
    while let Some(row) = open.pop() {
        let &(column, order) = orders[row].iter().find(|(column, _)| settled_by[*column].is_none())?;
        if order > 0 || !may_settle(row, column) {
            continue;
        }
        settled_by[column] = Some(row);
        settled.push((row, column));
        for &other in rows_of[column].iter().filter(|&&other| other != row) {
            left[other] -= 1;
            if left[other] <= 1 {
                open.push(other);
            }
        }
    }
    Some((settled, settled_by))
}

fn root(leader: &mut [usize], mut column: usize) -> usize {
    while leader[column] != column {
        leader[column] = leader[leader[column]];
        column = leader[column];
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(rows: &[&[(usize, u32)]], n_columns: usize) -> Option<String> {
        let Cut { settled, islands, following, .. } = cut(rows, n_columns, |_, _| true, |_, _| true)?;
        Some(format!("{settled:?} {islands:?} {following:?}"))
    }

    /// Two storages with a node between them that is held: x0' = u, x1' = u, u = 0.
    #[test]
    fn what_is_known_parts_what_it_stands_in() {
        let held: &[&[(usize, u32)]] = &[&[(0, 1), (2, 0)], &[(1, 1), (2, 0)], &[(2, 0)]];
        assert_eq!(shown(held, 3).unwrap(), "[(2, 2)] [[0], [1]] []");
        let tied: &[&[(usize, u32)]] = &[&[(0, 1), (2, 0)], &[(1, 1), (2, 0)], &[(0, 0), (1, 0)]];
        assert_eq!(shown(tied, 3).unwrap(), "[] [[0, 1, 2]] []");
    }

    #[test]
    fn what_follows_from_what_is_known_is_known() {
        let rows: &[&[(usize, u32)]] = &[&[(0, 0), (1, 0)], &[(0, 0)], &[(1, 0), (2, 1)]];
        assert_eq!(shown(rows, 3).unwrap(), "[(1, 0), (0, 1)] [[2]] []");
    }

    /// x0' = x0, x1' = x1, a = x0 + x1, b = 2 a, c = x1.
    #[test]
    fn what_only_looks_parts_nothing() {
        let rows: &[&[(usize, u32)]] =
            &[&[(0, 1)], &[(1, 1)], &[(0, 0), (1, 0), (2, 0)], &[(2, 0), (3, 0)], &[(1, 0), (4, 0)]];
        assert_eq!(shown(rows, 5).unwrap(), "[] [[0], [1, 4]] [(2, 2), (3, 3)]");
    }

    #[test]
    fn what_is_said_twice_is_left_to_the_whole() {
        assert!(shown(&[&[(0, 0)], &[(0, 0)]], 2).is_none());
        assert!(shown(&[&[(0, 0), (1, 0)], &[(0, 0), (1, 0)], &[(0, 0), (1, 0)]], 2).is_none());
    }
}
