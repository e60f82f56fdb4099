//! Numbers for models that are drawn at random: the same for the same seed, everywhere.

/// Numbers that depend on nothing but the seed (xorshift).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        (0..8).for_each(|_| _ = dice.below(2));
        dice
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    pub(crate) fn is_true(&mut self, per_cent: u64) -> bool {
        self.below(100) < per_cent
    }

    /// With three decimal places.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        let part = self.below(1001) as f64 / 1000.0;
        ((low + part * (high - low)) * 1000.0).round() / 1000.0
    }

    /// Between `-most` and `most`, without zero.
    pub(crate) fn factor(&mut self, most: u64) -> i64 {
        let size = self.below(most) as i64 + 1;
        if self.below(2) == 0 { size } else { -size }
    }
}
