//! Small linear loops, solved by formulas (Cramer's rule) where their determinant is certain never to vanish.
//!
//! In: a torn linear loop with up to three guesses. Out: a formula for each of its unknowns, and no iteration in the run. The
//! coefficients of the guesses in the residuals are found by substituting the formulas of the other unknowns.

use rhei_equations::{ExprId, Leaf, Pool, VarId};
use rhei_solvable::{Assignment, Block, Loop};
use rustc_hash::FxHashMap;

use crate::nonzero::Ranges;
use crate::polynomial::{Squares, Vanishes, determinant_vanishes};

/// Guesses of a loop that is solved by formulas, at most.
const MOST_GUESSES: usize = 3;
/// Nodes in the formulas of such a loop, at most: beyond, a factorised matrix is cheaper.
const MOST_NODES: usize = 120;

/// The loop as formulas, if it is small and always has one solution.
pub(crate) fn solve_small(torn: &Loop, pool: &mut Pool, ranges: &mut Ranges<'_>) -> Option<Vec<Block>> {
    let n = torn.guessed.len();
    if torn.factors.is_none() || n == 0 || n > MOST_GUESSES {
        return None;
    }
    let residuals = residuals_by_guesses(torn, pool)?;
    let zero = pool.number(0.0);
    let (mut matrix, mut right) = (Vec::new(), Vec::new());
    for &residual in &residuals {
        let row: Option<Vec<ExprId>> =
            torn.guessed.iter().map(|&guess| pool.partial(residual, guess).ok()).collect();
        matrix.push(row?);
        let rest = pool.substitute(residual, |leaf| match leaf {
            Leaf::Variable(v) if torn.guessed.contains(&v) => Some(zero),
            _ => None,
        });
        right.push(pool.negate(rest));
    }
    let entries: Vec<Vec<Option<ExprId>>> =
        matrix.iter().map(|row| row.iter().map(|&e| (e != zero).then_some(e)).collect()).collect();
    if determinant_vanishes(pool, ranges, &Squares::default(), &entries) != Vanishes::Never {
        return None;
    }
    let denominator = determinant(&matrix, pool);
    let mut blocks = Vec::new();
    for (place, &target) in torn.guessed.iter().enumerate() {
        let mut replaced = matrix.clone();
        replaced.iter_mut().zip(&right).for_each(|(row, &right)| row[place] = right);
        let numerator = determinant(&replaced, pool);
        let value = pool.div(numerator, denominator);
        blocks.push(Block::Assign(Assignment { target, value, because: torn.residuals[place].because }));
    }
    let values: Vec<ExprId> = blocks.iter().flat_map(Block::values).collect();
    if pool.below(&values).len() > MOST_NODES {
        return None;
    }
    blocks.extend(torn.following.iter().map(|&assignment| Block::Assign(assignment)));
    Some(blocks)
}

/// The residuals in terms of the guesses alone.
fn residuals_by_guesses(torn: &Loop, pool: &mut Pool) -> Option<Vec<ExprId>> {
    let mut formulas: FxHashMap<VarId, ExprId> = FxHashMap::default();
    let mut put_in = |value: ExprId, formulas: &FxHashMap<VarId, ExprId>| {
        let value = pool.substitute(value, |leaf| match leaf {
            Leaf::Variable(v) => formulas.get(&v).copied(),
            Leaf::Time => None,
        });
        (pool.below(&[value]).len() <= MOST_NODES).then_some(value)
    };
    for assignment in &torn.following {
        let value = put_in(assignment.value, &formulas)?;
        formulas.insert(assignment.target, value);
    }
    torn.residuals.iter().map(|residual| put_in(residual.value, &formulas)).collect()
}

/// The determinant of up to three rows, by its first row.
fn determinant(matrix: &[Vec<ExprId>], pool: &mut Pool) -> ExprId {
    let Some((first, rest)) = matrix.split_first() else { return pool.number(1.0) };
    let mut sum = pool.number(0.0);
    for (column, &entry) in first.iter().enumerate() {
        let without = |row: &Vec<ExprId>| {
            row.iter().enumerate().filter(|(other, _)| *other != column).map(|(_, &e)| e).collect()
        };
        let minor: Vec<Vec<ExprId>> = rest.iter().map(without).collect();
        let minor = determinant(&minor, pool);
        let term = pool.mul(entry, minor);
        sum = if column % 2 == 0 { pool.add(sum, term) } else { pool.sub(sum, term) };
    }
    sum
}

#[cfg(test)]
mod tests {
    use rhei_equations::read;
    use rhei_solvable::Block;

    fn n_loops(text: &str) -> usize {
        let model = read(text).unwrap();
        let (made, _) = crate::make_solvable(&model, &Default::default());
        let (_, solvable) = made.unwrap();
        solvable.continuous.iter().filter(|block| matches!(block, Block::Solve(_))).count()
    }

    #[test]
    fn a_determinant_that_never_vanishes_leaves_no_loop() {
        let two = "model M\n  unknown a\n  unknown b\nequation\n  a + 2*b = time\n  3*a - b = 1\n";
        assert_eq!(n_loops(two), 0);
        let rotation = "model M\n  unknown a\n  unknown b\nequation\n\
                        \x20 cos(time)*a - sin(time)*b = 1\n  sin(time)*a + cos(time)*b = 2\n";
        assert_eq!(n_loops(rotation), 0);
    }

    #[test]
    fn one_that_may_vanish_is_left_to_the_run() {
        let text = "model M\n  parameter p(fixed) = 2\n  unknown a\n  unknown b\nequation\n\
                    \x20 p*a + b = time\n  a - b = 1\n";
        assert_eq!(n_loops(text), 1);
    }
}
