//! A square system taken apart into blocks that are solved one after the other.
//!
//! The continuous system and the initial problem are both such systems: rows that must hold, unknowns they determine.

use rhei_equations::{Equation, Equations, Pool, VarId, solve_for};
use rhei_solvable::{Assignment, Block, Cause};

use crate::tear::tear;
use crate::{Bipartite, Matching, strong_components};

/// Blocks in the order they are solved.
pub(crate) struct Ordered {
    pub(crate) blocks: Vec<Block>,
    /// The first so many compute what is needed in every step; the others are only watched.
    pub(crate) dynamic: usize,
}

/// Something that must hold.
pub(crate) struct Row {
    pub(crate) equation: Equation,
    pub(crate) because: Cause,
}

/// Rows and the unknowns they determine.
pub(crate) struct System<'a> {
    pub(crate) equations: &'a Equations,
    pub(crate) rows: Vec<Row>,
    pub(crate) unknowns: Vec<VarId>,
    pub(crate) graph: Bipartite,
    column_of: Vec<Option<usize>>,
}

impl<'a> System<'a> {
    /// The equations of the model, to be solved for `unknowns`.
    pub(crate) fn new(equations: &'a Equations, unknowns: Vec<VarId>, pool: &Pool) -> Self {
        let mut column_of = vec![None; equations.variables.len()];
        for (column, v) in unknowns.iter().enumerate() {
            column_of[v.index()] = Some(column);
        }
        let graph = Bipartite::new(unknowns.len());
        let mut system = System { equations, rows: Vec::new(), unknowns, graph, column_of };
        for (i, equation) in equations.equations.iter().enumerate() {
            let because = Cause::Equation(rhei_equations::EqId(i as u32));
            system.push(Row { equation: equation.clone(), because }, pool);
        }
        system
    }

    /// Adds something that must hold too.
    pub(crate) fn push(&mut self, row: Row, pool: &Pool) {
        let occurring = [row.equation.lhs, row.equation.rhs].map(|side| pool.variables_of(side));
        let columns = occurring.iter().flatten().filter_map(|v| self.column_of[v.index()]).collect();
        self.graph.push_row(columns);
        self.rows.push(row);
    }

    /// Adds something that must hold too, if that determines a further unknown; says whether it does.
    pub(crate) fn push_if_free(&mut self, row: Row, matching: &mut Matching, pool: &Pool) -> bool {
        self.push(row, pool);
        let free = matching.add_row(&self.graph);
        if !free {
            matching.remove_row();
            self.graph.pop_row();
            self.rows.pop();
        }
        free
    }

    /// All unknowns, block by block: a row that stands alone is solved for its partner, rows that need each other are torn.
    pub(crate) fn solve_in_order(&self, matching: &Matching, pool: &mut Pool) -> Vec<Block> {
        let depends_on: Vec<Vec<usize>> = (0..self.graph.n_rows())
            .map(|row| {
                let columns = self.graph.row(row).iter();
                columns.filter_map(|&column| matching.row_of(column)).filter(|&other| other != row).collect()
            })
            .collect();
        strong_components(&depends_on)
            .into_iter()
            .map(|component| {
                self.solve_alone(&component, matching, pool)
                    .unwrap_or_else(|| tear(self, &component, matching, pool))
            })
            .collect()
    }

    fn solve_alone(&self, component: &[usize], matching: &Matching, pool: &mut Pool) -> Option<Block> {
        let &[row] = component else { return None };
        let target = self.unknowns[matching.column_of(row)?];
        let value = solve_for(pool, &self.rows[row].equation, target)?;
        Some(Block::Assign(Assignment { target, value, because: self.rows[row].because }))
    }
}
