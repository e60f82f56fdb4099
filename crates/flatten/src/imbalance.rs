//! Which unknowns and equations of a system are too many: the parts that a maximum matching leaves over, and all
//! that alternating paths reach from there (Dulmage and Mendelsohn 1958).

use std::collections::VecDeque;

use rhei_flat::VarId;
use rhei_source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Systems with more scalars are only counted.
const MOST_MATCHED: usize = 4000;

/// Some scalar equations with their variables.
pub(crate) struct Node {
    pub(crate) mentioned: Vec<VarId>,
    pub(crate) scalars: usize,
    /// Their place in the text; none for those that follow from declarations.
    pub(crate) span: Option<Span>,
}

/// Unknowns and equations.
#[derive(Default)]
pub(crate) struct System {
    unknowns: Vec<(VarId, usize)>,
    nodes: Vec<Node>,
}

/// The unbalanced part.
#[derive(Default)]
pub(crate) struct Part {
    pub(crate) unknowns: Vec<VarId>,
    pub(crate) equations: Vec<Span>,
}

impl System {
    pub(crate) fn unknown(&mut self, v: VarId, scalars: usize) {
        self.unknowns.push((v, scalars));
    }

    pub(crate) fn equation(&mut self, node: Node) {
        self.nodes.push(node);
    }

    pub(crate) fn unknowns(&self) -> usize {
        self.unknowns.iter().map(|(_, scalars)| scalars).sum()
    }

    pub(crate) fn equations(&self) -> usize {
        self.nodes.iter().map(|node| node.scalars).sum()
    }

    /// The unknowns that too few equations determine where unknowns are too many, else the equations that are too many
    /// with the unknowns they determine.
    pub(crate) fn unbalanced_part(&self) -> Part {
        let too_few = self.equations() < self.unknowns();
        if self.equations() + self.unknowns() > MOST_MATCHED {
            return Part::default();
        }
        let graph = Graph::of(self);
        // the larger side leaves something over: it is matched into the other
        let part = if too_few { graph.transposed().left_over() } else { graph.left_over() };
        let (equations, unknowns) =
            if too_few { (part.columns, part.rows) } else { (part.rows, part.columns) };
        let mut named = Vec::new();
        for scalar in unknowns {
            let v = graph.unknown_of[scalar];
            if !named.contains(&v) {
                named.push(v);
            }
        }
        let mut places = Vec::new();
        for scalar in equations {
            if let Some(span) = self.nodes[graph.node_of[scalar]].span
                && !places.contains(&span)
            {
                places.push(span);
            }
        }
        Part { unknowns: named, equations: places }
    }
}

/// Scalars: equations are rows, unknowns columns.
struct Graph {
    columns_of: Vec<Vec<usize>>,
    n_columns: usize,
    node_of: Vec<usize>,
    unknown_of: Vec<VarId>,
}

struct Rows {
    columns_of: Vec<Vec<usize>>,
    n_columns: usize,
}

struct LeftOver {
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl Graph {
    fn of(system: &System) -> Graph {
        let mut unknown_of = Vec::new();
        let mut scalars_of: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
        for &(v, scalars) in &system.unknowns {
            for _ in 0..scalars {
                scalars_of.entry(v).or_default().push(unknown_of.len());
                unknown_of.push(v);
            }
        }
        let (mut columns_of, mut node_of) = (Vec::new(), Vec::new());
        for (n, node) in system.nodes.iter().enumerate() {
            let variables: FxHashSet<VarId> = node.mentioned.iter().copied().collect();
            let mut columns: Vec<usize> =
                variables.iter().filter_map(|v| scalars_of.get(v)).flatten().copied().collect();
            columns.sort_unstable();
            for _ in 0..node.scalars {
                columns_of.push(columns.clone());
                node_of.push(n);
            }
        }
        Graph { columns_of, n_columns: unknown_of.len(), node_of, unknown_of }
    }

    fn left_over(&self) -> LeftOver {
        Rows { columns_of: self.columns_of.clone(), n_columns: self.n_columns }.left_over()
    }

    fn transposed(&self) -> Rows {
        let mut columns_of = vec![Vec::new(); self.n_columns];
        for (row, columns) in self.columns_of.iter().enumerate() {
            for &column in columns {
                columns_of[column].push(row);
            }
        }
        Rows { columns_of, n_columns: self.columns_of.len() }
    }
}

impl Rows {
    /// The rows without a column of their own, and all that competes with them.
    fn left_over(&self) -> LeftOver {
        let mut row_of: Vec<Option<usize>> = vec![None; self.n_columns];
        let mut rows: Vec<bool> = vec![false; self.columns_of.len()];
        let mut columns: Vec<bool> = vec![false; self.n_columns];
        for row in 0..self.columns_of.len() {
            self.augment(row, &mut row_of);
        }
        let matched: FxHashSet<usize> = row_of.iter().flatten().copied().collect();
        let mut open: VecDeque<usize> =
            (0..self.columns_of.len()).filter(|row| !matched.contains(row)).collect();
        open.iter().for_each(|&row| rows[row] = true);
        while let Some(row) = open.pop_front() {
            for &column in &self.columns_of[row] {
                columns[column] = true;
                if let Some(other) = row_of[column]
                    && !rows[other]
                {
                    rows[other] = true;
                    open.push_back(other);
                }
            }
        }
        let marked = |marks: &[bool]| (0..marks.len()).filter(|&i| marks[i]).collect();
        LeftOver { rows: marked(&rows), columns: marked(&columns) }
    }

    /// Gives a row a column along a shortest path of changes.
    fn augment(&self, start: usize, row_of: &mut [Option<usize>]) {
        let mut reached_by: Vec<Option<usize>> = vec![None; self.n_columns];
        let mut open = VecDeque::from([start]);
        while let Some(row) = open.pop_front() {
            for &column in &self.columns_of[row] {
                if reached_by[column].is_some() {
                    continue;
                }
                reached_by[column] = Some(row);
                match row_of[column] {
                    Some(other) => open.push_back(other),
                    None => return self.change_along(column, start, &reached_by, row_of),
                }
            }
        }
    }

    fn change_along(
        &self,
        free: usize,
        start: usize,
        reached_by: &[Option<usize>],
        row_of: &mut [Option<usize>],
    ) {
        let mut column = free;
        while let Some(row) = reached_by[column] {
            let before = row_of.iter().position(|matched| *matched == Some(row));
            row_of[column] = Some(row);
            match before {
                Some(before) if row != start => column = before,
                _ => return,
            }
        }
    }
}
