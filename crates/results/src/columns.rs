//! The names of recorded variables, in order, time not counted.

use std::collections::HashMap;

/// How a variable varies over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Smoothly between events: drawn as a line between two rows, interpolated between them.
    Continuous,
    /// Only at events: drawn as a step, held between two rows.
    Discrete,
    /// Not at all during a run.
    Constant,
}

/// A variable that always has the value of another, or its negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The index of the other's column, which comes before.
    pub of: usize,
    /// Whether it is the negative.
    pub negated: bool,
}

/// One recorded variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The full name, such as `body.r[2]`.
    pub name: String,
    /// How it varies.
    pub kind: Kind,
    /// The unit, where one is known.
    pub unit: Option<String>,
    /// The text beside its declaration, or nothing.
    pub description: String,
    /// The column it repeats, where that is known: files that can share values do.
    pub alias: Option<Alias>,
}

impl Column {
    /// A column of which no more is known.
    pub fn new(name: impl Into<String>, kind: Kind) -> Column {
        Column { name: name.into(), kind, unit: None, description: String::new(), alias: None }
    }
}

/// All recorded variables.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    columns: Vec<Column>,
    by_name: HashMap<String, usize>,
}

impl Columns {
    /// No columns yet.
    pub fn new() -> Columns {
        Columns::default()
    }

    /// Adds a column of which no more is known and answers its index.
    pub fn add(&mut self, name: impl Into<String>, kind: Kind) -> usize {
        self.push(Column::new(name, kind))
    }

    /// Adds a column and answers its index. If a name comes twice, the first is found by it.
    pub fn push(&mut self, column: Column) -> usize {
        let index = self.columns.len();
        self.by_name.entry(column.name.clone()).or_insert(index);
        self.columns.push(column);
        index
    }

    /// Says that a column repeats another.
    pub fn set_alias(&mut self, index: usize, alias: Alias) {
        debug_assert!(alias.of < index, "the other comes before");
        self.columns[index].alias = Some(alias);
    }

    /// The index of a name.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// All columns, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Column> {
        self.columns.iter()
    }

    /// Number of columns.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }
}

impl std::ops::Index<usize> for Columns {
    type Output = Column;

    fn index(&self, index: usize) -> &Column {
        &self.columns[index]
    }
}

impl FromIterator<Column> for Columns {
    fn from_iter<I: IntoIterator<Item = Column>>(columns: I) -> Columns {
        let mut all = Columns::new();
        columns.into_iter().for_each(|column| {
            all.push(column);
        });
        all
    }
}
