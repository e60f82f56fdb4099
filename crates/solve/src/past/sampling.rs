//! Sampling of a step for the past: as many points as the cubic between them needs for the tolerance.
//!
//! Steps are as long as states allow; delayed values may vary much faster.

use super::curve::through;
use crate::constants::{PAST_FEWEST_PARTS, PAST_MOST_PARTS};

/// The arguments of delays and transports at a time.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The time.
    pub t: f64,
    /// By `delay`.
    pub delays: Vec<Delayed>,
    /// By `spatialDistribution`.
    pub transports: Vec<Transported>,
}

/// The arguments of a delay.
#[derive(Clone, Copy, Debug)]
pub struct Delayed {
    /// The delayed value.
    pub input: f64,
    /// The delay.
    pub by: f64,
    /// Its maximum.
    pub most: f64,
}

/// The arguments of a transport.
#[derive(Clone, Copy, Debug)]
pub struct Transported {
    /// The inflows at both ends.
    pub inflows: [f64; 2],
    /// Whether it moves from the first end to the second.
    pub is_forward: bool,
    /// Its displacement.
    pub moved: f64,
}

/// The profile of a transport at the start.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Places from 0 to 1.
    pub points: Vec<f64>,
    /// The values there.
    pub values: Vec<f64>,
}

impl Sample {
    /// All varying numbers.
    fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let of_delays = self.delays.iter().flat_map(|each| [each.input, each.by, each.most]);
        let of_transport = |each: &Transported| {
            let [first, second] = each.inflows;
            [first, second, f64::from(u8::from(each.is_forward)), each.moved]
        };
        of_delays.chain(self.transports.iter().flat_map(of_transport))
    }
}

/// Values at equal distances from `from` to `to`, both included, close enough that the cubic through its neighbours meets
/// every other one to this tolerance, relative to the size of the values.
pub fn sample<E>(
    from: f64,
    to: f64,
    tolerance: f64,
    mut at: impl FnMut(f64) -> Result<Sample, E>,
) -> Result<Vec<Sample>, E> {
    let time =
        |part: usize, n: usize| if part == n { to } else { from + (to - from) * part as f64 / n as f64 };
    let mut n = PAST_FEWEST_PARTS;
    let mut samples = (0..=n).map(|part| at(time(part, n))).collect::<Result<Vec<_>, E>>()?;
    while n < PAST_MOST_PARTS && !is_fine(&samples, tolerance) {
        n *= 2;
        let mut finer = Vec::with_capacity(n + 1);
        for (i, sample) in samples.into_iter().enumerate() {
            if i > 0 {
                finer.push(at(time(2 * i - 1, n))?);
            }
            finer.push(sample);
        }
        samples = finer;
    }
    Ok(samples)
}

fn is_fine(samples: &[Sample], tolerance: f64) -> bool {
    let of = |i: usize| samples[i].numbers();
    (0..of(0).count()).all(|k| {
        let value = |i: usize| (samples[i].t, of(i).nth(k).unwrap_or(0.0));
        let values: Vec<(f64, f64)> = (0..samples.len()).map(value).collect();
        let size = values.iter().fold(0.0_f64, |most, (_, value)| most.max(value.abs()));
        let last = values.len() - 1;
        (1..last).step_by(2).all(|i| {
            let (first, last) = (i.saturating_sub(3), (i + 3).min(last));
            let met = through((first..=last).filter(|j| j % 2 == 0).map(|j| values[j]), values[i].0);
            (met - values[i].1).abs() <= tolerance * size
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(f: impl Fn(f64) -> f64) -> Vec<Sample> {
        let delayed = |input: f64| Delayed { input, by: 1.0, most: 1.0 };
        let at = |t: f64| Ok::<_, ()>(Sample { t, delays: vec![delayed(f(t))], transports: vec![] });
        sample(1.0, 2.0, 1e-6, at).unwrap()
    }

    #[test]
    fn what_varies_fast_is_kept_more_often() {
        let times: Vec<f64> = of(|t| t * t).iter().map(|sample| sample.t).collect();
        assert_eq!(times, [1.0, 1.25, 1.5, 1.75, 2.0]);
        assert!(of(|t| (10.0 * t).sin()).len() > 16);
        assert_eq!(of(|t| (1e4 * t).sin()).len(), PAST_MOST_PARTS + 1, "and not without end");
    }
}
