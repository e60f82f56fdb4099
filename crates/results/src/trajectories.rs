//! Rows in memory, by column: for plots and for tests.

use std::path::PathBuf;

use crate::columns::{Columns, Kind};
use crate::sink::{Sink, WriteError};

/// The rows of a run.
#[derive(Clone, Debug, Default)]
pub struct Trajectories {
    columns: Columns,
    time: Vec<f64>,
    values: Vec<Vec<f64>>,
}

impl Trajectories {
    /// No rows yet.
    pub fn new(columns: Columns) -> Trajectories {
        let values = vec![Vec::new(); columns.len()];
        Trajectories { columns, time: Vec::new(), values }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If there is not one value per column.
    pub fn push(&mut self, time: f64, values: &[f64]) {
        assert_eq!(values.len(), self.values.len(), "one value per column");
        self.time.push(time);
        for (column, value) in self.values.iter_mut().zip(values) {
            column.push(*value);
        }
    }

    /// The columns.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The times of the rows; twice the same where there was an event.
    pub fn time(&self) -> &[f64] {
        &self.time
    }

    /// The values of one column, one per row.
    pub fn column(&self, index: usize) -> &[f64] {
        &self.values[index]
    }

    /// The values of a name (`time` too), one per row.
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        match self.columns.index(name) {
            Some(index) => Some(&self.values[index]),
            None => (name == "time").then_some(&self.time),
        }
    }

    /// The value of a name at a time within the rows: interpolated where it varies continuously, held where not.
    /// At an event that is the value after it.
    pub fn value_at(&self, name: &str, t: f64) -> Option<f64> {
        self.value(name, t, self.time.partition_point(|row| *row <= t))
    }

    /// The same, but at an event the value before it.
    pub fn value_before(&self, name: &str, t: f64) -> Option<f64> {
        let first_at = self.time.partition_point(|row| *row < t);
        let is_row = self.time.get(first_at) == Some(&t);
        self.value(name, t, first_at + usize::from(is_row))
    }

    /// `after` is the first row that is later than wanted.
    fn value(&self, name: &str, t: f64, after: usize) -> Option<f64> {
        if name == "time" && self.columns.index(name).is_none() {
            return Some(t);
        }
        let index = self.columns.index(name)?;
        let values = &self.values[index];
        let before = after.checked_sub(1)?;
        let (t0, y0) = (self.time[before], values[before]);
        if t0 == t {
            return Some(y0);
        }
        let (t1, y1) = (*self.time.get(after)?, values[after]);
        match self.columns[index].kind {
            Kind::Continuous => Some(y0 + (y1 - y0) * ((t - t0) / (t1 - t0))),
            Kind::Discrete | Kind::Constant => Some(y0),
        }
    }
}

impl Sink for Trajectories {
    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), WriteError> {
        self.push(time, values);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        Ok(())
    }

    fn keep_partial(self: Box<Self>) -> Result<Option<PathBuf>, WriteError> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Trajectories {
        let mut columns = Columns::new();
        columns.add("x", Kind::Continuous);
        columns.add("n", Kind::Discrete);
        let mut rows = Trajectories::new(columns);
        rows.push(0.0, &[0.0, 1.0]);
        rows.push(1.0, &[2.0, 1.0]);
        rows.push(1.0, &[5.0, 2.0]);
        rows.push(2.0, &[7.0, 2.0]);
        rows
    }

    #[test]
    fn values_between_rows() {
        let rows = sample();
        assert_eq!(rows.value_at("x", 0.25), Some(0.5));
        assert_eq!(rows.value_at("n", 0.25), Some(1.0));
        assert_eq!(rows.value_at("x", 2.0), Some(7.0));
        assert_eq!(rows.value_at("x", 0.0), Some(0.0));
        assert_eq!(rows.value_at("time", 0.3), Some(0.3));
    }

    #[test]
    fn both_sides_of_an_event() {
        let rows = sample();
        assert_eq!((rows.value_before("x", 1.0), rows.value_at("x", 1.0)), (Some(2.0), Some(5.0)));
        assert_eq!((rows.value_before("n", 1.0), rows.value_at("n", 1.0)), (Some(1.0), Some(2.0)));
        assert_eq!(rows.value_before("x", 1.5), Some(6.0));
    }

    #[test]
    fn outside_and_unknown() {
        let rows = sample();
        assert_eq!(rows.value_at("x", -0.1), None);
        assert_eq!(rows.value_at("x", 2.1), None);
        assert_eq!(rows.value_at("y", 1.0), None);
        assert_eq!(rows.get("x"), Some(&[0.0, 2.0, 5.0, 7.0][..]));
        assert_eq!(rows.get("time"), Some(&[0.0, 1.0, 1.0, 2.0][..]));
        assert!(rows.get("y").is_none());
    }
}
