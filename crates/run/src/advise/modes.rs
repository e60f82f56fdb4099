//! How fast the states of a model forget themselves, along a run.
//!
//! In: the Jacobian of the derivatives after its steps. Each is decomposed into its modes, and a state is judged by the modes that it
//! takes part in (participation factors; Pérez-Arriaga, Verghese & Schweppe 1982): a sensor that follows a slow tank takes part in its own
//! fast mode alone, a node in the middle of a rod in all modes of the rod, fast and slow.

use rhei_numerics::eigenvalues::{Mode, modes};

use crate::constants::{ADVICE_MOST_STATES, ADVICE_WORK, MODE_PART};

/// The states of a model in the course of a run.
#[derive(Clone, Debug)]
pub(crate) struct Speeds {
    /// The slowest decay of a mode that each state takes part in, at the worst point: zero where one grows.
    pub(crate) decay: Vec<f64>,
    /// The largest rate of such a mode, at the worst point.
    pub(crate) fastest: Vec<f64>,
    /// Points looked at, and steps from one to the next.
    points: usize,
    every: usize,
    steps: usize,
}

impl Speeds {
    /// `None` for more states than can be decomposed.
    pub(crate) fn new(n: usize) -> Option<Speeds> {
        let made =
            Speeds { decay: vec![f64::INFINITY; n], fastest: vec![0.0; n], points: 0, every: 1, steps: 0 };
        (n <= ADVICE_MOST_STATES).then_some(made)
    }

    /// Whether the point after a step is to be looked at: at first each, later every second, fourth, …
    pub(crate) fn is_due(&mut self) -> bool {
        self.steps += 1;
        self.steps.is_multiple_of(self.every)
    }

    /// Takes in a point of the run: the Jacobian by rows.
    pub(crate) fn note(&mut self, a: &[Vec<f64>]) {
        let n = self.decay.len();
        self.points += 1;
        let at_once = (ADVICE_WORK / (n * n * n).max(1) as u64).max(10) as usize;
        if self.points.is_multiple_of(at_once) {
            self.every *= 2;
        }
        let Some(modes) = modes(a) else {
            return self.decay.fill(0.0); // nothing is known
        };
        for Mode { re, im, parts } in &modes {
            let most = parts.iter().copied().fold(0.0, f64::max);
            for (state, part) in parts.iter().enumerate() {
                if part.is_nan() || *part >= MODE_PART * most {
                    self.decay[state] = self.decay[state].min((-re).max(0.0));
                    self.fastest[state] = self.fastest[state].max(re.hypot(*im));
                }
            }
        }
    }

    /// The states that forget themselves so many times in the run, and so many times faster than all others.
    pub(crate) fn slaves(&self, span: f64, (of_run, of_others): (f64, f64)) -> Vec<usize> {
        if self.points == 0 {
            return Vec::new();
        }
        let n = self.decay.len();
        let mut fast: Vec<usize> = (0..n).filter(|&i| self.decay[i] * span >= of_run).collect();
        loop {
            let slow = (0..n).filter(|i| !fast.contains(i));
            let fastest = slow.map(|i| self.fastest[i]).fold(0.0, f64::max);
            let before = fast.len();
            fast.retain(|&i| self.decay[i] >= of_others * fastest);
            if fast.len() == before {
                return fast;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sensor_is_a_slave_and_a_rod_is_not() {
        // a tank of 10 s, and a sensor that follows it within a microsecond
        let mut speeds = Speeds::new(2).unwrap();
        speeds.note(&[vec![-0.1, 0.0], vec![1e6, -1e6]]);
        assert_eq!(speeds.slaves(20.0, (100.0, 10.0)), [1]);
        // it is none if it pushes itself on somewhere
        speeds.note(&[vec![-0.1, 0.0], vec![1e6, 1e3]]);
        assert_eq!(speeds.slaves(20.0, (100.0, 10.0)), [0; 0]);
        // ten nodes of a rod with one fixed end: each draws itself back in half a second, the rod takes some forty
        let n = 10;
        let mut rod = Speeds::new(n).unwrap();
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 if i == n - 1 => -1.0,
            0 => -2.0,
            1 => 1.0,
            _ => 0.0,
        };
        rod.note(&(0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect::<Vec<Vec<f64>>>());
        assert_eq!(rod.slaves(1000.0, (100.0, 10.0)), [0; 0]);
    }
}
