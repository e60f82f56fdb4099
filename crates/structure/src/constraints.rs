//! How constraints depend on the variables they tie.
//!
//! A constraint, its derivative and the derivative of that depend in the same way on a variable, its derivative and the
//! derivative of that (Griewank's lemma; Pryce 2001): one matrix serves all levels.

use rhei_equations::{ExprId, Kind, Leaf, Pool, VarId};

use crate::reduce_index::Reduced;

/// Per row of the chains, its coefficients by column; empty for rows that are not differentiated.
pub(crate) fn coefficients(reduced: &Reduced, pool: &mut Pool) -> Vec<Vec<(usize, ExprId)>> {
    let settled = settled_numbers(reduced, pool);
    let rows = 0..reduced.chains.orders.len();
    rows.map(|row| match reduced.offsets.rows[row] {
        0 => Vec::new(),
        offset => coefficients_of_row(reduced, row, offset, &settled, pool),
    })
    .collect()
}

/// The values of constants and structural parameters, which no run can change.
fn settled_numbers(reduced: &Reduced, pool: &Pool) -> Vec<Option<ExprId>> {
    let variables = reduced.equations.variables.iter();
    variables
        .map(|variable| {
            let is_settled = variable.kind == Kind::Constant || variable.structural;
            variable.binding.filter(|&value| is_settled && pool.as_number(value).is_some())
        })
        .collect()
}

fn coefficients_of_row(
    reduced: &Reduced,
    row: usize,
    offset: u32,
    settled: &[Option<ExprId>],
    pool: &mut Pool,
) -> Vec<(usize, ExprId)> {
    let id = reduced.chains.equations[row];
    let equation = &reduced.equations.equations[id.index()];
    let zero = pool.number(0.0);
    let mut found: Vec<(usize, ExprId)> = Vec::new();
    // term by term: a long sum does not cost its length for each of its variables
    for (term, is_negative) in terms(pool, equation.lhs, equation.rhs) {
        // what is of lower order is known by the time this level is solved
        let column_of = |v: VarId| {
            let (column, order) = reduced.chains.place(v)?;
            (order + offset == reduced.offsets.columns[column]).then_some((v, column))
        };
        let (variables, columns): (Vec<VarId>, Vec<usize>) =
            pool.variables_of(term).into_iter().filter_map(column_of).unzip();
        for (slope, column) in pool.partials(term, &variables).into_iter().zip(columns) {
            // an expression differentiated along a solution has partial derivatives
            let Ok(slope) = slope else { continue };
            let slope = if is_negative { pool.negate(slope) } else { slope };
            let slope = pool.substitute(slope, |leaf| match leaf {
                Leaf::Variable(v) => settled[v.index()],
                Leaf::Time => None,
            });
            found.push((column, slope));
        }
    }
    found.sort_by_key(|&(column, _)| column);
    let mut summed: Vec<(usize, ExprId)> = Vec::new();
    for (column, slope) in found {
        match summed.last_mut() {
            Some((last, sum)) if *last == column => *sum = pool.add(*sum, slope),
            _ => summed.push((column, slope)),
        }
    }
    summed.retain(|&(_, slope)| slope != zero);
    summed
}

/// The terms of the sum `lhs - rhs`, each with whether it is subtracted.
pub(crate) fn terms(pool: &Pool, lhs: ExprId, rhs: ExprId) -> Vec<(ExprId, bool)> {
    let subtracted = pool.terms(rhs).into_iter().map(|(term, is_negative)| (term, !is_negative));
    pool.terms(lhs).into_iter().chain(subtracted).collect()
}
