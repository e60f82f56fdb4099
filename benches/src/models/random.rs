//! Numbers that look random and are the same on every machine.

/// SplitMix64 (Steele, Lea and Flood 2014): one multiplication chain, no state but a counter.
pub struct Random(u64);

impl Random {
    /// A sequence; equal seeds give equal sequences.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly spread over `0..below`.
    pub fn below(&mut self, below: usize) -> usize {
        (self.next() % below as u64) as usize
    }

    /// True once in a hundred times `percent`.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Between 0.1 and 10, three digits.
    pub fn value(&mut self) -> f64 {
        (100 + self.below(9_900)) as f64 / 1_000.0
    }
}
