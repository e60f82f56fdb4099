//! The places of some variables among all values, as runs of adjacent ones that are copied at once.

use std::ops::Range;

use rhei_equations::VarId;

/// The places of some variables, in order.
#[derive(Debug)]
pub struct Places {
    /// By run of adjacent variables: the index of the first among these variables, and their range among all values.
    runs: Vec<(usize, Range<usize>)>,
}

impl Places {
    /// The places of these variables.
    pub fn new(variables: impl Iterator<Item = VarId>) -> Places {
        let mut runs: Vec<(usize, Range<usize>)> = Vec::new();
        for (i, v) in variables.enumerate() {
            match runs.last_mut() {
                Some((_, run)) if run.end == v.index() => run.end += 1,
                _ => runs.push((i, v.index()..v.index() + 1)),
            }
        }
        Places { runs }
    }

    /// Copies the variables from all values.
    pub fn read(&self, values: &[f64], variables: &mut [f64]) {
        for (first, run) in &self.runs {
            variables[*first..first + run.len()].copy_from_slice(&values[run.clone()]);
        }
    }

    /// Copies the variables into all values.
    pub fn write(&self, variables: &[f64], values: &mut [f64]) {
        for (first, run) in &self.runs {
            values[run.clone()].copy_from_slice(&variables[*first..first + run.len()]);
        }
    }

    /// Gives all variables one value.
    pub fn fill(&self, value: f64, values: &mut [f64]) {
        for (_, run) in &self.runs {
            values[run.clone()].fill(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_copied_together() {
        let places = Places::new([4, 5, 6, 1, 3].into_iter().map(VarId));
        assert_eq!(places.runs, [(0, 4..7), (3, 1..2), (4, 3..4)]);
        let mut values = [0.0; 8];
        places.write(&[1.0, 2.0, 3.0, 4.0, 5.0], &mut values);
        assert_eq!(values, [0.0, 4.0, 0.0, 5.0, 1.0, 2.0, 3.0, 0.0]);
        let mut variables = [0.0; 5];
        places.read(&values, &mut variables);
        assert_eq!(variables, [1.0, 2.0, 3.0, 4.0, 5.0]);
        places.fill(9.0, &mut values);
        assert_eq!(values, [0.0, 9.0, 0.0, 9.0, 9.0, 9.0, 9.0, 0.0]);
    }
}
