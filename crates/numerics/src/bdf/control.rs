//! The order and the length of the next step.
//!
//! After as many equal steps as the order needs to forget the last change, the errors of a step of the same order and of
//! its neighbours are compared, by the differences that approximate `h^j y^(j)`. The order that allows the longest step
//! wins. Differences that do not fall with the order show noise, or growth because the formula is not stable there: the
//! order is lowered.

use super::coefficients::error_of_equal_steps;
use super::history::MAX_ORDER;
use crate::constants::{
    BDF_AIM_HIGHER, BDF_AIM_LOWER, BDF_AIM_SAME, BDF_CHANGE_LONGER, BDF_CHANGE_SHORTER, BDF_FIRST_GROWTH,
    BDF_GROWTH, BDF_NOISE, BDF_REMAPPED_LEAST, BDF_RETREAT_AGAIN, BDF_RETREAT_LEAST, BDF_RETREAT_MOST,
};

/// Order and length of the next step.
#[derive(Clone)]
pub(super) struct Control {
    /// Its order.
    pub(super) order: usize,
    /// Its length.
    pub(super) step: f64,
    /// Steps before a change is thought of.
    wait: usize,
    /// Whether steps have not yet found their length.
    starting: bool,
}

/// `|h^j y^(j)|` by the tolerances, for `j` from the order to the order plus two; the last where it is known.
pub(super) struct Sizes {
    pub(super) order: f64,
    pub(super) error: f64,
    pub(super) beyond: Option<f64>,
}

impl Control {
    pub(super) fn new(order: usize, step: f64) -> Control {
        Control { order, step, wait: order, starting: true }
    }

    /// Limits the order to the one that the known past supports.
    pub(super) fn lower_to(&mut self, order: usize) {
        let order = self.order.min(order).max(1);
        self.change(order, self.step);
    }

    /// Only the variables are other ones: the step is no longer than the last one, and as short and of the order that their own
    /// derivatives ask for.
    pub(super) fn go_on(&mut self, order: usize, last: f64, sizes: &Sizes) {
        self.order = order;
        let (order, factor) = self.best(sizes);
        self.change(order, last.min(self.step) * factor.clamp(BDF_REMAPPED_LEAST, 1.0));
    }

    /// Something happened that allows a first step of this length.
    pub(super) fn begin_anew(&mut self, order: usize, step: f64) {
        self.change(self.order.min(order).max(1), self.step.min(step));
        self.starting = true;
    }

    /// Whether this is the time to think of a change.
    pub(super) fn is_due(&self) -> bool {
        self.wait == 0
    }

    /// A step was accepted.
    pub(super) fn accepted(&mut self) {
        self.wait = self.wait.saturating_sub(1);
    }

    /// Chooses order and length after a step of length `h`.
    pub(super) fn choose(&mut self, h: f64, sizes: &Sizes) {
        let best = self.best(sizes);
        let is_noise = self.is_noise(sizes);
        let most = if self.starting { BDF_FIRST_GROWTH } else { BDF_GROWTH };
        let step = h * best.1.min(most);
        let is_longer = step >= BDF_CHANGE_LONGER * self.step;
        let is_shorter = step <= BDF_CHANGE_SHORTER * self.step;
        if is_longer || is_shorter || is_noise {
            self.starting &= is_longer;
            self.change(best.0, step);
        } else {
            self.starting = false;
            self.wait = 1;
        }
    }

    /// Whether the derivatives do not fall with the order.
    fn is_noise(&self, sizes: &Sizes) -> bool {
        self.order > 2 && sizes.error >= BDF_NOISE * sizes.order
    }

    /// The order that allows the longest step, and by how much it is longer.
    fn best(&self, sizes: &Sizes) -> (usize, f64) {
        let k = self.order;
        let same = factor(BDF_AIM_SAME, k, sizes.error);
        let lower = if k > 1 { factor(BDF_AIM_LOWER, k - 1, sizes.order) } else { 0.0 };
        let higher = match sizes.beyond {
            Some(beyond) if k < MAX_ORDER => factor(BDF_AIM_HIGHER, k + 1, beyond),
            _ => 0.0,
        };
        let is_noise = self.is_noise(sizes);
        let is_noise_above = sizes.beyond.is_some_and(|beyond| beyond >= BDF_NOISE * sizes.error);
        let mut best = (k, same);
        if lower > best.1 || is_noise {
            best = (k - 1, lower);
        }
        if higher > best.1 && !is_noise && (k < 2 || !is_noise_above) {
            best = (k + 1, higher);
        }
        best
    }

    fn change(&mut self, order: usize, step: f64) {
        self.order = order;
        self.step = step;
        self.wait = order;
    }

    /// After a step of length `h` whose error was too large by a factor, for the `count`-th time.
    pub(super) fn retreat(&mut self, h: f64, error: f64, sizes: &Sizes, count: u32) {
        self.starting = false;
        let k = self.order;
        let same = factor(BDF_AIM_SAME, k, sizes.error);
        let lower = if k > 1 { factor(BDF_AIM_LOWER, k - 1, sizes.order) } else { 0.0 };
        let same = same.min(1.0 / error.powf(1.0 / (k + 1) as f64));
        let (order, factor) = if lower > same || (count > 2 && k > 1) { (k - 1, lower) } else { (k, same) };
        let most = match count {
            1 => BDF_RETREAT_LEAST,
            2 => BDF_RETREAT_AGAIN,
            _ => BDF_RETREAT_MOST,
        };
        self.change(order, h * factor.clamp(BDF_RETREAT_MOST, most));
    }

    /// After a step of length `h` that could not be computed.
    pub(super) fn shorten(&mut self, h: f64, factor: f64) {
        self.starting = false;
        self.change(self.order, h * factor);
    }
}

/// Factor on the step for its error to become the aim.
fn factor(aim: f64, order: usize, size: f64) -> f64 {
    let error = error_of_equal_steps(order) * size;
    (aim / error.max(f64::MIN_POSITIVE)).powf(1.0 / (order + 1) as f64)
}
