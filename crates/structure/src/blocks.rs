//! A square system taken apart into blocks that are solved one after the other.
//!
//! The continuous system and the initial problem are both such systems: rows that must hold, unknowns they determine.

use rhei_equations::{
    Balance, Dae, Equation, ExprId, Leaf, Node, Pool, Replaced, Scalar, VarId, Variable, solve_for,
};
use rhei_solvable::{Assignment, Block, Cause, Settle};
use rhei_source::Diagnostic;

use crate::matching::Partner;
use crate::nonzero::Ranges;
use crate::remove_aliases::Removed;
use crate::solve_small::solve_small;
use crate::tear::tear;
use crate::{Bipartite, Matching, diagnose, strong_components};

/// Blocks in the order they are solved.
pub(crate) struct Ordered {
    pub(crate) blocks: Vec<Block>,
    /// The first so many compute the unknowns needed in every step; the others are only watched.
    pub(crate) dynamic: usize,
}

/// Rows that need each other, and how they are solved.
pub(crate) struct Component {
    pub(crate) rows: Vec<usize>,
    pub(crate) blocks: Vec<Block>,
}

/// An equation or condition: `lhs = rhs`. Its origin is in its cause.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) lhs: ExprId,
    pub(crate) rhs: ExprId,
    pub(crate) is_discrete: bool,
    pub(crate) balance: Option<Balance>,
    pub(crate) because: Cause,
}

impl Row {
    /// An equation.
    pub(crate) fn new(equation: &Equation, because: Cause) -> Row {
        let &Equation { lhs, rhs, is_discrete, balance, .. } = equation;
        Row { lhs, rhs, is_discrete, balance, because }
    }

    pub(crate) fn sides(&self) -> [ExprId; 2] {
        [self.lhs, self.rhs]
    }

    /// As an equation about a variable.
    pub(crate) fn with_origin_of(&self, variable: &Variable) -> Equation {
        let origin = variable.origin();
        let Row { lhs, rhs, is_discrete, balance, .. } = *self;
        Equation { lhs, rhs, is_discrete, balance, family: None, origin }
    }
}

/// Which rows may determine which unknowns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sorting {
    /// Discrete unknowns by discrete equations, continuous ones by the others.
    ByEvent,
    /// Numbers by equations between numbers, truth values by those between truth values.
    ByType,
}

/// Rows and the unknowns they determine.
pub(crate) struct System<'a> {
    pub(crate) equations: &'a Dae,
    pub(crate) rows: Vec<Row>,
    pub(crate) unknowns: Vec<VarId>,
    /// Which row may determine which unknown.
    pub(crate) graph: Bipartite,
    /// Which row holds which unknown.
    occurs: Bipartite,
    column_of: Vec<Partner>,
    sorting: Sorting,
    /// By variable: which sort it is of.
    sorts: Vec<bool>,
    /// Those of the row that is being added.
    variables: Vec<VarId>,
}

impl<'a> System<'a> {
    /// Nothing yet, to be solved for `unknowns`.
    pub(crate) fn new(equations: &'a Dae, unknowns: Vec<VarId>, sorting: Sorting) -> Self {
        let mut column_of = vec![Partner::NONE; equations.variables.len()];
        for (column, v) in unknowns.iter().enumerate() {
            column_of[v.index()] = Partner::of(column);
        }
        let sort = |variable: &Variable| match sorting {
            Sorting::ByEvent => variable.is_discrete,
            Sorting::ByType => variable.scalar != Scalar::Real,
        };
        let sorts = equations.variables.iter().map(sort).collect();
        let (graph, occurs) = (Bipartite::new(unknowns.len()), Bipartite::new(unknowns.len()));
        let (rows, variables) = (Vec::with_capacity(unknowns.len()), Vec::new());
        System { equations, rows, unknowns, graph, occurs, column_of, sorting, sorts, variables }
    }

    /// Adds the equations of the model that `wanted` selects, with given variables replaced by their values in
    /// `given`.
    pub(crate) fn push_equations(
        &mut self,
        wanted: impl Fn(&Equation) -> bool,
        given: &mut Given<'_>,
        pool: &mut Pool,
    ) {
        for (i, equation) in self.equations.equations.iter().enumerate() {
            let id = rhei_equations::EqId(i as u32);
            if wanted(equation) && !given.removed.drops(id) {
                let row = given.put_into(Row::new(equation, Cause::Equation(id)), pool);
                self.push(row, pool);
            }
        }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: Row, pool: &Pool) {
        let mut variables = std::mem::take(&mut self.variables);
        pool.variables_into(&row.sides(), &mut variables);
        let sort = self.sort_of_row(&row, pool);
        let column_of = |v: VarId| self.column_of[v.index()].get();
        let own = |v: &VarId| self.sorts[v.index()] == sort;
        self.graph.push_row(variables.iter().copied().filter(own).filter_map(column_of));
        self.occurs.push_row(variables.iter().copied().filter_map(column_of));
        self.rows.push(row);
        self.variables = variables;
    }

    /// The column of an unknown.
    pub(crate) fn column(&self, v: VarId) -> Option<usize> {
        self.column_of[v.index()].get()
    }

    /// A row as the model has it, without replacements.
    pub(crate) fn as_written(&self, row: usize) -> Equation {
        match self.rows[row].because {
            Cause::Equation(e) => self.equations.equations[e.index()].clone(),
            Cause::InitialEquation(e) => self.equations.initial[e.index()].clone(),
            Cause::Start(v) | Cause::Binding(v) => self.rows[row].with_origin_of(self.equations.variable(v)),
        }
    }

    /// A row as an equation.
    pub(crate) fn equation(&self, row: usize) -> Equation {
        let Row { lhs, rhs, is_discrete, balance, .. } = self.rows[row];
        Equation { lhs, rhs, is_discrete, balance, ..self.as_written(row) }
    }

    fn sort_of(&self, v: VarId) -> bool {
        self.sorts[v.index()]
    }

    fn sort_of_row(&self, row: &Row, pool: &Pool) -> bool {
        match (self.sorting, pool.node(row.lhs)) {
            (Sorting::ByEvent, _) => row.is_discrete,
            (Sorting::ByType, Node::Variable(v)) => self.sort_of(v),
            (Sorting::ByType, _) => row.is_discrete,
        }
    }

    /// Adds a row if that determines a further unknown; says whether it does.
    pub(crate) fn push_if_free(&mut self, row: Row, matching: &mut Matching, pool: &Pool) -> bool {
        self.push(row, pool);
        let free = matching.add_row(&self.graph);
        if !free {
            matching.remove_row();
            self.graph.pop_row();
            self.occurs.pop_row();
            self.rows.pop();
        }
        free
    }

    /// The same without the rows that have no partner.
    pub(crate) fn without_unmatched(self, matching: &Matching, pool: &Pool) -> System<'a> {
        let mut kept = System::new(self.equations, self.unknowns, self.sorting);
        for (i, row) in self.rows.into_iter().enumerate() {
            if matching.column_of(i).is_some() {
                kept.push(row, pool);
            }
        }
        kept
    }

    /// All unknowns, block by block: a row that stands alone is solved for its partner. Rows that need each other are torn,
    /// or repeated until they settle if truth values are among them.
    pub(crate) fn solve_in_order(
        &self,
        matching: &Matching,
        pool: &mut Pool,
    ) -> Result<Vec<Block>, Diagnostic> {
        let mut blocks = Vec::with_capacity(self.rows.len());
        let mut ranges = Ranges::new(self.equations);
        for rows in self.all_in_order(matching) {
            self.solve(&rows, matching, &mut ranges, pool, &mut blocks)?;
        }
        Ok(blocks)
    }

    /// The same with the rows that need each other.
    pub(crate) fn components(
        &self,
        matching: &Matching,
        pool: &mut Pool,
    ) -> Result<Vec<Component>, Diagnostic> {
        let mut ranges = Ranges::new(self.equations);
        let mut components = Vec::new();
        for rows in self.all_in_order(matching) {
            let mut blocks = Vec::with_capacity(1);
            self.solve(&rows, matching, &mut ranges, pool, &mut blocks)?;
            components.push(Component { rows, blocks });
        }
        Ok(components)
    }

    /// Adds the blocks of rows that need each other.
    fn solve(
        &self,
        rows: &[usize],
        matching: &Matching,
        ranges: &mut Ranges<'_>,
        pool: &mut Pool,
        blocks: &mut Vec<Block>,
    ) -> Result<(), Diagnostic> {
        match self.block(rows, matching, pool)? {
            Block::Solve(torn) if torn.balance.is_empty() => match solve_small(&torn, pool, ranges) {
                Some(small) => blocks.extend(small),
                None => blocks.push(Block::Solve(torn)),
            },
            block => blocks.push(block),
        }
        Ok(())
    }

    /// All rows, in the order in which they can be solved.
    pub(crate) fn all_in_order(&self, matching: &Matching) -> Vec<Vec<usize>> {
        let rows: Vec<usize> = (0..self.graph.n_rows()).collect();
        self.in_order(&rows, |_| true, matching)
    }

    /// Rows, ascending, in the order in which they can be solved, as far as they depend on each other through columns that `counts`.
    pub(crate) fn in_order(
        &self,
        rows: &[usize],
        counts: impl Fn(usize) -> bool,
        matching: &Matching,
    ) -> Vec<Vec<usize>> {
        debug_assert!(rows.is_sorted(), "rows are ascending");
        let is_all = rows.len() == self.graph.n_rows();
        let place_of = |row: usize| if is_all { Some(row) } else { rows.binary_search(&row).ok() };
        // dependencies of each row, one after the other
        let (mut entries, mut ends) = (Vec::new(), Vec::with_capacity(rows.len()));
        for &row in rows {
            let columns = self.occurs.columns(row).filter(|&column| counts(column));
            let others = columns.filter_map(|column| matching.row_of(column)).filter(|&other| other != row);
            entries.extend(others.filter_map(place_of));
            ends.push(entries.len());
        }
        let depends_on = |place: usize| &entries[if place > 0 { ends[place - 1] } else { 0 }..ends[place]];
        let components = strong_components(rows.len(), depends_on);
        if is_all {
            return components;
        }
        components.into_iter().map(|places| places.into_iter().map(|place| rows[place]).collect()).collect()
    }

    fn block(&self, component: &[usize], matching: &Matching, pool: &mut Pool) -> Result<Block, Diagnostic> {
        let is_group = component.iter().any(|&row| self.is_balance(row, matching));
        if !is_group && let Some(block) = self.solve_alone(component, matching, pool) {
            return Ok(block);
        }
        let is_discrete = |row: usize| {
            let column = matching.column_of(row);
            column.is_some_and(|column| self.cannot_be_iterated(self.unknowns[column]))
        };
        let (discrete, continuous): (Vec<usize>, Vec<usize>) =
            component.iter().partition(|&&row| is_discrete(row));
        if discrete.is_empty() && is_group {
            return Ok(self.tear_group(component, matching, pool));
        }
        if discrete.is_empty() {
            return Ok(tear(self, component, matching, pool));
        }
        if let (&[row], []) = (discrete.as_slice(), continuous.as_slice()) {
            // not solved alone: its unknown stands on both sides, or inside something
            return self.repeated(row, matching, pool);
        }
        let held = self.held(component, &discrete, &continuous, matching);
        let is_held = |row: usize| held.binary_search(&row).is_ok();
        let others: Vec<usize> = component.iter().copied().filter(|&row| !is_held(row)).collect();
        let is_open = |column: usize| !matching.row_of(column).is_some_and(is_held);
        let mut blocks = Vec::new();
        for part in self.in_order(&others, is_open, matching) {
            blocks.push(self.block(&part, matching, pool)?);
        }
        for row in self.in_order(&held, |_| true, matching).concat() {
            match self.solve_alone(&[row], matching, pool) {
                Some(block) => blocks.push(block),
                None => blocks.push(self.repeated(row, matching, pool)?),
            }
        }
        let held = held.iter().filter_map(|&row| Some(self.unknowns[matching.column_of(row)?])).collect();
        Ok(Block::Settle(Box::new(Settle { held, blocks })))
    }

    /// Of rows that need each other, those whose truth values are held during a turn: relations between unknowns of the others.
    /// Booleans computed from these (`locked = not (forward or backward)`) follow from them, unless they follow from themselves.
    /// Ascending.
    fn held(
        &self,
        component: &[usize],
        discrete: &[usize],
        continuous: &[usize],
        matching: &Matching,
    ) -> Vec<usize> {
        let is_in = |rows: &[usize], column: &usize| {
            matching.row_of(*column).is_some_and(|row| rows.binary_search(&row).is_ok())
        };
        let sorted = |rows: &[usize]| {
            let mut rows = rows.to_vec();
            rows.sort_unstable();
            rows
        };
        let (discrete, continuous) = (sorted(discrete), sorted(continuous));
        let is_relation = |row: &usize| self.occurs.columns(*row).any(|column| is_in(&continuous, &column));
        let mut held: Vec<usize> = discrete.iter().copied().filter(is_relation).collect();
        loop {
            let others: Vec<usize> =
                component.iter().copied().filter(|row| held.binary_search(row).is_err()).collect();
            let parts = self.in_order(&others, |column| !is_in(&held, &column), matching);
            let from_themselves = parts.into_iter().filter(|part| part.len() > 1);
            let more: Vec<usize> =
                from_themselves.flatten().filter(|row| discrete.binary_search(row).is_ok()).collect();
            if more.is_empty() {
                return held;
            }
            held.extend(more);
            held.sort_unstable();
        }
    }

    /// Whether Newton's method is no way to find it.
    fn cannot_be_iterated(&self, v: VarId) -> bool {
        let variable = self.equations.variable(v);
        variable.scalar != Scalar::Real || (variable.is_discrete && self.sorting == Sorting::ByEvent)
    }

    /// `v = f(v)` for a Boolean or the like, repeated until it settles.
    fn repeated(&self, row: usize, matching: &Matching, pool: &mut Pool) -> Result<Block, Diagnostic> {
        let target = self.unknowns[matching.column_of(row).expect("rows of blocks have a partner")];
        let Row { lhs, rhs, because, .. } = self.rows[row];
        let itself = pool.variable(target);
        let value = match (lhs == itself, rhs == itself) {
            (true, _) => rhs,
            (_, true) => lhs,
            _ => return Err(diagnose::not_explicit(self.equations, pool, &self.as_written(row), target)),
        };
        let assign = Block::Assign(Assignment { target, value, because });
        Ok(Block::Settle(Box::new(Settle { held: vec![target], blocks: vec![assign] })))
    }

    pub(crate) fn solve_alone(
        &self,
        component: &[usize],
        matching: &Matching,
        pool: &mut Pool,
    ) -> Option<Block> {
        let &[row] = component else { return None };
        let target = self.unknowns[matching.column_of(row)?];
        let value = solve_for(pool, self.rows[row].sides(), target)?;
        Some(Block::Assign(Assignment { target, value, because: self.rows[row].because }))
    }
}

/// Given variables with their values.
pub(crate) struct Given<'a> {
    /// By variable.
    values: Vec<Option<ExprId>>,
    is_empty: bool,
    /// Names that others stand for.
    pub(crate) removed: &'a Removed,
    /// Equations share subexpressions, which are visited once.
    replaced: Replaced,
}

impl<'a> Given<'a> {
    /// The values during the run (`initial()` is false, `homotopy` is done, balances follow their relations), or at its start.
    pub(crate) fn new(equations: &Dae, removed: &'a Removed, at_start: bool, pool: &mut Pool) -> Self {
        let values = vec![None; equations.variables.len()];
        let mut given = Given { values, is_empty: true, removed, replaced: Replaced::default() };
        removed.aliases.iter().for_each(|alias| given.give(alias.target, alias.value));
        if let Some(v) = equations.events.initial {
            given.give(v, pool.truth(at_start));
        }
        if let Some(v) = equations.events.homotopy {
            given.give(v, pool.number(1.0));
        }
        if let Some(v) = equations.events.holding {
            given.give(v, pool.truth(false));
        }
        if at_start {
            // before the start everything was as at the start (MLS §3.7.4.1)
            for delay in &equations.events.delays {
                let value = given.replace(delay.value, pool);
                given.give(delay.result, value);
                given.replaced = Replaced::default();
            }
            for transport in &equations.events.transports {
                let at_ends = [transport.values.first(), transport.values.last()];
                for (end, value) in transport.ends.iter().zip(at_ends.into_iter().flatten()) {
                    let value = given.replace(*value, pool);
                    given.give(*end, value);
                    given.replaced = Replaced::default();
                }
            }
        }
        given
    }

    /// The same, but this is not given.
    pub(crate) fn without(mut self, v: VarId) -> Self {
        self.values[v.index()] = None;
        self.replaced = Replaced::default();
        self
    }

    fn give(&mut self, v: VarId, value: ExprId) {
        self.values[v.index()] = Some(value);
        self.is_empty = false;
    }

    /// An expression with given variables replaced by their values.
    pub(crate) fn replace(&mut self, e: ExprId, pool: &mut Pool) -> ExprId {
        let Given { values, replaced, .. } = self;
        pool.substitute_also(e, replaced, |leaf| match leaf {
            Leaf::Variable(v) => values[v.index()],
            Leaf::Time => None,
        })
    }

    /// A row with given variables replaced by their values.
    pub(crate) fn put_into(&mut self, row: Row, pool: &mut Pool) -> Row {
        if self.is_empty {
            return row;
        }
        let (lhs, rhs) = (self.replace(row.lhs, pool), self.replace(row.rhs, pool));
        let balance =
            row.balance.map(|balance| Balance { factor: self.replace(balance.factor, pool), ..balance });
        Row { lhs, rhs, balance, ..row }
    }
}
