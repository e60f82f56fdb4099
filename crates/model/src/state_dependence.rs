//! The dependence of computed variables on states, and the loops that stay open to keep it sparse.
//!
//! Every unknown of a loop depends on all of its inputs. If many states go into a loop and many derivatives follow from it,
//! that makes an entry for each pair, though each equation of the loop holds a few unknowns only. Such a loop stays *open*:
//! its guesses are columns beside the states, its residuals rows beside the derivatives, and dependence through it is left
//! out. The choice depends on the number of entries alone ([`pays_off`]): those of the dependence through it, against those
//! of its rows and columns.
//!
//! Loops come one after the other. The inputs of one are states, and guesses of earlier ones that stayed open.

use std::rc::Rc;

use rhei_equations::{Equations, ExprId, Pool, VarId};
use rhei_numerics::constants::DENSE_UP_TO;
use rhei_solvable::{Block, Loop, Solvable};

/// Columns, ascending: states by their indices, behind them guesses of open loops.
type Columns = Rc<[u32]>;

/// Which loops may stay open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// Those for which it pays off.
    WherePaying,
    /// None: all dependence is expressed by the states alone.
    Nothing,
}

/// The columns that variables depend on.
pub struct Dependence {
    states: usize,
    /// Of each loop among the blocks, in order, whether it stays open.
    pub is_open: Vec<bool>,
    /// The guesses of the open ones, in order.
    pub inner: Vec<VarId>,
    /// The columns in the residual for each of them.
    residuals: Vec<Columns>,
    /// By variable.
    of: Vec<Columns>,
}

impl Dependence {
    /// The dependence of the variables that these blocks compute from known states. `results` are read in the end.
    pub fn new(
        equations: &Equations,
        solvable: &Solvable,
        blocks: &[Block],
        results: &[VarId],
        open: Open,
    ) -> Dependence {
        // a small matrix is dense in any case
        let readers = (open == Open::WherePaying && solvable.states.len() > DENSE_UP_TO)
            .then(|| Readers::new(equations, blocks, results));
        let none: Columns = Rc::from([]);
        let mut found = Dependence {
            states: solvable.states.len(),
            is_open: Vec::new(),
            inner: Vec::new(),
            residuals: Vec::new(),
            of: vec![none; equations.variables.len()],
        };
        for (i, state) in solvable.states.iter().enumerate() {
            found.of[state.variable.index()] = Rc::from([i as u32]);
        }
        let mut walk = Walk { pool: &equations.pool, variables: Vec::new(), columns: Vec::new() };
        blocks.iter().for_each(|block| found.pass(block, &mut walk, readers.as_ref()));
        for alias in &solvable.aliases {
            found.of[alias.target.index()] = walk.columns_of(&[alias.value], &found.of);
        }
        found
    }

    /// The entries of a matrix whose rows are these variables and, behind them, the residuals of open loops.
    pub fn entries<'a>(&'a self, rows: &'a [VarId]) -> impl Iterator<Item = (usize, usize)> + 'a {
        let own = rows.iter().map(|v| &self.of[v.index()]).chain(&self.residuals).enumerate();
        own.flat_map(|(row, columns)| columns.iter().map(move |&column| (row, column as usize)))
    }

    fn pass(&mut self, block: &Block, walk: &mut Walk<'_>, readers: Option<&Readers>) {
        match block {
            Block::Assign(assignment) => {
                self.of[assignment.target.index()] = walk.columns_of(&[assignment.value], &self.of);
            }
            Block::Solve(torn) => self.pass_loop(torn, walk, readers),
            // between events Booleans are known: a settling block is one computation
            Block::Settle(_) => {
                let columns = walk.columns_of(&block.values(), &self.of);
                block.targets().iter().for_each(|target| self.of[target.index()] = columns.clone());
            }
        }
    }

    fn pass_loop(&mut self, torn: &Loop, walk: &mut Walk<'_>, readers: Option<&Readers>) {
        let first = (self.states + self.inner.len()) as u32;
        for (guess, column) in torn.guessed.iter().zip(first..) {
            self.of[guess.index()] = Rc::from([column]);
        }
        for assignment in &torn.following {
            self.of[assignment.target.index()] = walk.columns_of(&[assignment.value], &self.of);
        }
        let residuals: Vec<Columns> =
            torn.residuals.iter().map(|residual| walk.columns_of(&[residual.value], &self.of)).collect();
        let entering = walk.union(residuals.iter().map(|columns| before(columns, first)));
        let following = torn.following.iter().map(|assignment| assignment.target);
        let targets = || torn.guessed.iter().copied().chain(following.clone());
        let stays_open = readers.is_some_and(|readers| {
            let rows: usize = residuals.iter().map(|columns| columns.len()).sum();
            let own = |v: VarId| self.of[v.index()].len() - before(&self.of[v.index()], first).len();
            let columns: usize = targets().map(|v| readers.of_variable(v) * own(v)).sum();
            pays_off(entering.len() * readers.of_loop(self.is_open.len()), rows + columns)
        });
        self.is_open.push(stays_open);
        if stays_open {
            self.inner.extend(&torn.guessed);
            self.residuals.extend(residuals);
            return;
        }
        for target in targets() {
            let columns = &self.of[target.index()];
            let outside = before(columns, first);
            if outside.len() < columns.len() {
                let through = walk.union([&*entering, outside].into_iter());
                self.of[target.index()] = if through == entering { entering.clone() } else { through };
            }
        }
    }
}

/// Entries through a loop that are no burden in any case: those of the largest matrix that is treated as dense.
const FEW_ENTRIES: usize = DENSE_UP_TO * DENSE_UP_TO;

/// Entries through a loop that justify one of its own rows and columns: the factors of a sparse matrix have a few for
/// each of its own.
const ENTRIES_SAVED: usize = 4;

/// Whether a loop stays open, with `through` entries of the dependence through it, and `beside` entries of its own rows and
/// columns.
fn pays_off(through: usize, beside: usize) -> bool {
    through > FEW_ENTRIES && through > ENTRIES_SAVED * beside
}

/// The columns before one.
fn before(columns: &[u32], first: u32) -> &[u32] {
    &columns[..columns.partition_point(|&column| column < first)]
}

/// Memory for one formula after the other.
struct Walk<'a> {
    pool: &'a Pool,
    variables: Vec<VarId>,
    columns: Vec<u32>,
}

impl Walk<'_> {
    /// The columns that formulas depend on.
    fn columns_of(&mut self, values: &[ExprId], of: &[Columns]) -> Columns {
        let mut variables = std::mem::take(&mut self.variables);
        self.pool.variables_into(values, &mut variables);
        let mut lists = variables.iter().map(|v| &of[v.index()]).filter(|columns| !columns.is_empty());
        let found = match (lists.next(), lists.next()) {
            (None, _) => Rc::from([]),
            (Some(only), None) => only.clone(),
            (Some(first), Some(second)) => self.union_shared([first, second].into_iter().chain(lists)),
        };
        self.variables = variables;
        found
    }

    /// As [`Walk::union`], for formulas after a loop, which read many variables that share one list.
    fn union_shared<'a>(&mut self, lists: impl Iterator<Item = &'a Columns>) -> Columns {
        let mut distinct: Vec<&Columns> = Vec::new();
        for columns in lists {
            if distinct.last().is_none_or(|last| !Rc::ptr_eq(last, columns)) {
                distinct.push(columns);
            }
        }
        let found = self.union(distinct.iter().map(|columns| &***columns));
        // the same as one of them, most often
        distinct.into_iter().find(|columns| columns.len() == found.len()).cloned().unwrap_or(found)
    }

    fn union<'a>(&mut self, lists: impl Iterator<Item = &'a [u32]>) -> Columns {
        self.columns.clear();
        lists.for_each(|columns| self.columns.extend(columns));
        self.columns.sort_unstable();
        self.columns.dedup();
        Rc::from(&self.columns[..])
    }
}

/// The number of formulas and results that read the unknowns of a loop, without those of the loop itself.
struct Readers {
    /// By loop, any of its unknowns.
    loops: Vec<usize>,
    /// By variable.
    variables: Vec<u32>,
}

impl Readers {
    fn new(equations: &Equations, blocks: &[Block], results: &[VarId]) -> Readers {
        const NONE: u32 = u32::MAX;
        let mut loop_of = vec![NONE; equations.variables.len()];
        let mut count = 0;
        for block in blocks.iter().filter(|block| matches!(block, Block::Solve(_))) {
            block.targets().iter().for_each(|v| loop_of[v.index()] = count);
            count += 1;
        }
        let mut readers = Readers { loops: vec![0; count as usize], variables: vec![0; loop_of.len()] };
        let mut last_reader = vec![0; count as usize];
        let mut reader = 0;
        let mut read = |variables: &[VarId], own: u32| {
            reader += 1;
            for v in variables {
                let from = loop_of[v.index()];
                if from != NONE && from != own {
                    readers.variables[v.index()] += 1;
                    if std::mem::replace(&mut last_reader[from as usize], reader) != reader {
                        readers.loops[from as usize] += 1;
                    }
                }
            }
        };
        let (mut variables, mut next_loop) = (Vec::new(), 0..);
        for block in blocks {
            let own = if matches!(block, Block::Solve(_)) { next_loop.next() } else { None };
            for value in block.values() {
                equations.pool.variables_into(&[value], &mut variables);
                read(&variables, own.unwrap_or(NONE));
            }
        }
        results.iter().for_each(|v| read(&[*v], NONE));
        readers
    }

    fn of_loop(&self, place: usize) -> usize {
        self.loops[place]
    }

    fn of_variable(&self, v: VarId) -> usize {
        self.variables[v.index()] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_stays_open_where_entries_are_saved() {
        // a grid: 2,000 states into it, as many derivatives out of it, five entries for each of 8,000 guesses
        assert!(pays_off(2000 * 2000, 5 * 8000));
        // one unknown between 100 states and their derivatives: a mean value
        assert!(pays_off(100 * 100, 100 + 100));
        // small, or as dense as the matrix it stands for
        assert!(!pays_off(30 * 30, 5));
        assert!(!pays_off(100 * 100, 100 * 100));
    }
}
