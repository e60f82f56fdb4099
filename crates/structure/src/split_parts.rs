//! Takes parts of a matrix apart that can be solved one after the other.
//!
//! A row with several columns that no other row has can be solved for one of these, whatever the others are solved for, wherever its
//! entries in them do not all vanish. If they only do where the whole row does, that costs no choice: the row comes last, and the rest
//! is treated in the same way. Of a tree of bodies each joint becomes a part that depends on those before it (the entries of a rod are
//! differences of coordinates, the same for both ends but for the sign); loops stay together. Which of its own columns a row is solved for
//! is then a matter of that row alone.

use rhei_equations::ExprId;

use crate::certify::{Uncertain, Use};

/// The parts of a part, in an order in which each needs only those before it. `vanishes_with` says whether an entry vanishes
/// wherever some others do.
pub(crate) fn split(
    part: Uncertain,
    uses: &[Use],
    mut vanishes_with: impl FnMut(ExprId, &[ExprId]) -> bool,
) -> Vec<Uncertain> {
    let is_open = |column: usize| matches!(uses[column], Use::Free | Use::Chosen);
    let mut rows_with = vec![0_usize; uses.len()];
    for &(column, _) in part.matrix.iter().flatten() {
        rows_with[column] += 1;
    }
    let mut is_left = vec![true; part.rows.len()];
    let mut costs_none: Vec<Option<bool>> = vec![None; part.rows.len()];
    let mut last_first: Vec<(usize, Vec<usize>)> = Vec::new();
    while last_first.len() + 1 < part.rows.len() {
        let own = |row: usize| own_columns(&part.matrix[row], &rows_with, uses);
        let is_apart = |own: &[usize]| {
            own.len() > 1 && own.iter().filter(|&&column| uses[column] == Use::Chosen).count() == 1
        };
        let found = (0..part.rows.len()).rev().filter(|&row| is_left[row]).find_map(|row| {
            let own = own(row).filter(|own| is_apart(own))?;
            let costs_no_choice = *costs_none[row].get_or_insert_with(|| {
                let is_own = |column: &usize| own.binary_search(column).is_ok();
                let (own, shared): (Vec<_>, Vec<_>) =
                    part.matrix[row].iter().copied().partition(|(column, _)| is_own(column));
                let own: Vec<ExprId> = own.into_iter().map(|(_, e)| e).collect();
                let shared = shared.into_iter().filter(|(column, _)| uses[*column] != Use::Known);
                shared.into_iter().all(|(_, e)| vanishes_with(e, &own))
            });
            costs_no_choice.then_some((row, own))
        });
        let Some((row, own)) = found else { break };
        // rows beside it have more columns of their own now
        costs_none.iter_mut().for_each(|known| *known = known.filter(|is_free| *is_free));
        is_left[row] = false;
        part.matrix[row].iter().for_each(|&(column, _)| rows_with[column] -= 1);
        last_first.push((row, own));
    }
    if last_first.is_empty() {
        return vec![part];
    }
    let rows: Vec<usize> = (0..part.rows.len()).filter(|&row| is_left[row]).collect();
    let mut columns: Vec<usize> =
        rows.iter().flat_map(|&row| &part.matrix[row]).map(|&(column, _)| column).collect();
    columns.sort_unstable();
    columns.dedup();
    let first = some_of(&part, &rows, columns, &is_open);
    let further = last_first.iter().rev().map(|(row, own)| some_of(&part, &[*row], own.clone(), &is_open));
    std::iter::once(first).chain(further).collect()
}

/// The columns that only this row has, in ascending order; none where it has one that must be solved for.
fn own_columns(entries: &[(usize, ExprId)], rows_with: &[usize], uses: &[Use]) -> Option<Vec<usize>> {
    if entries.iter().any(|&(column, _)| uses[column] == Use::Forced) {
        return None;
    }
    let columns = entries.iter().map(|&(column, _)| column);
    let is_own = |column: &usize| rows_with[*column] == 1 && uses[*column] != Use::Known;
    let mut own: Vec<usize> = columns.filter(is_own).collect();
    own.sort_unstable();
    Some(own)
}

/// Some rows of a part, with these columns.
fn some_of(
    part: &Uncertain,
    rows: &[usize],
    columns: Vec<usize>,
    is_open: &dyn Fn(usize) -> bool,
) -> Uncertain {
    let is_own = |column: &usize| columns.binary_search(column).is_ok();
    let entries = |&row: &usize| {
        let own = part.matrix[row].iter().filter(|(column, _)| is_own(column) || !is_open(*column));
        own.copied().collect()
    };
    Uncertain {
        rows: rows.iter().map(|&row| part.rows[row]).collect(),
        chosen: part.chosen.iter().copied().filter(is_own).collect(),
        matrix: rows.iter().map(entries).collect(),
        columns,
        eliminated: Default::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part with these columns in each row, all of them open, and solved for the last of each row.
    fn split_rows(rows: &[&[usize]], chosen: &[usize]) -> Vec<(Vec<usize>, Vec<usize>)> {
        let n = rows.iter().flat_map(|row| row.iter()).max().unwrap() + 1;
        let uses: Vec<Use> =
            (0..n).map(|column| if chosen.contains(&column) { Use::Chosen } else { Use::Free }).collect();
        let mut columns: Vec<usize> = rows.concat();
        columns.sort_unstable();
        columns.dedup();
        let part = Uncertain {
            rows: (0..rows.len()).collect(),
            chosen: chosen.to_vec(),
            columns,
            matrix: rows.iter().map(|row| row.iter().map(|&column| (column, ExprId(0))).collect()).collect(),
            eliminated: Default::default(),
        };
        split(part, &uses, |_, _| true).into_iter().map(|part| (part.rows, part.columns)).collect()
    }

    #[test]
    fn a_chain_falls_into_its_links() {
        let parts = split_rows(&[&[0, 1], &[0, 1, 2, 3], &[2, 3, 4, 5]], &[1, 3, 5]);
        assert_eq!(parts, [(vec![0], vec![0, 1]), (vec![1], vec![2, 3]), (vec![2], vec![4, 5])]);
    }

    #[test]
    fn a_loop_stays_together_and_what_hangs_on_it_does_not() {
        // four bars: the last one closes the loop; a pendulum hangs on the second joint
        let rows: [&[usize]; 4] = [&[0, 1], &[0, 1, 2, 3], &[2, 3], &[2, 3, 4, 5]];
        let parts = split_rows(&rows, &[1, 2, 3, 5]);
        assert_eq!(parts, [(vec![0, 1, 2], vec![0, 1, 2, 3]), (vec![3], vec![4, 5])]);
    }

    #[test]
    fn a_row_with_one_column_of_its_own_has_no_choice_and_is_no_part() {
        assert_eq!(split_rows(&[&[0, 1], &[0, 1, 2]], &[1, 2]).len(), 1);
    }

    #[test]
    fn a_row_whose_own_entries_may_vanish_alone_stays() {
        let entries =
            |columns: &[usize]| columns.iter().map(|&column| (column, ExprId(column as u32))).collect();
        let part = Uncertain {
            rows: vec![0, 1],
            chosen: vec![1, 4],
            columns: (0..5).collect(),
            matrix: vec![entries(&[0, 1, 2]), entries(&[2, 3, 4])],
            eliminated: Default::default(),
        };
        let uses = [Use::Free, Use::Chosen, Use::Free, Use::Free, Use::Chosen];
        assert_eq!(split(part.clone(), &uses, |_, _| true).len(), 2);
        assert_eq!(split(part, &uses, |shared, _| shared != ExprId(2)).len(), 1);
    }
}
