//! Random flows against an integration of each to rest by a method of its own: the same equilibrium, or the same verdict.

use super::*;

/// A generator of numbers that look random (Steele, Lea & Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// A right-hand side with its derivatives.
enum Flow {
    /// `-c x³ + A x + b` with quadratic terms: bounded, with several equilibria.
    Polynomial { a: Vec<f64>, b: Vec<f64>, quadratic: Vec<(usize, usize, usize, f64)>, cubic: f64 },
    /// `(-x + W tanh x + b)/T` (Hopfield 1984).
    Hopfield { w: Vec<f64>, b: Vec<f64>, rates: Vec<f64> },
    /// A stirred tank: inflow and outflow, and reactions of one or two substances by mass action.
    Chemical { feed: Vec<f64>, outflow: f64, reactions: Vec<Reaction> },
}

struct Reaction {
    rate: f64,
    from: Vec<usize>,
    to: Vec<usize>,
}

impl Flow {
    fn random(random: &mut Random) -> (Flow, Vec<f64>) {
        let n = 1 + random.below(6);
        let mut many = |count: usize, size: f64| -> Vec<f64> {
            (0..count).map(|_| random.between(-size, size)).collect()
        };
        let start = many(n, 2.0);
        match (many(1, 1.0)[0] * 1.5).round() as i32 {
            -1 => {
                let (a, b) = (many(n * n, 2.0), many(n, 1.0));
                let values = many(n, 0.5);
                let quadratic = values
                    .into_iter()
                    .map(|value| (random.below(n), random.below(n), random.below(n), value))
                    .collect();
                (Flow::Polynomial { a, b, quadratic, cubic: random.between(0.3, 2.0) }, start)
            }
            0 => {
                let (w, b) = (many(n * n, 2.5), many(n, 0.5));
                let rates = (0..n).map(|_| 10.0_f64.powf(random.between(-1.5, 1.5))).collect();
                (Flow::Hopfield { w, b, rates }, start)
            }
            _ => {
                let n_reactions = 1 + random.below(2 * n);
                let reactions = (0..n_reactions)
                    .map(|_| Reaction {
                        rate: 10.0_f64.powf(random.between(-1.0, 2.0)),
                        from: (0..=random.below(3)).map(|_| random.below(n)).collect(),
                        to: (0..=random.below(3)).map(|_| random.below(n)).collect(),
                    })
                    .collect();
                let feed = (0..n).map(|_| random.between(0.0, 1.0)).collect();
                let outflow = random.between(0.1, 1.0);
                (Flow::Chemical { feed, outflow, reactions }, start.iter().map(|x| x.abs()).collect())
            }
        }
    }

    fn rates(&self, x: &[f64], f: &mut [f64]) {
        let n = x.len();
        match self {
            Flow::Polynomial { a, b, quadratic, cubic } => {
                for i in 0..n {
                    let linear: f64 = (0..n).map(|j| a[i * n + j] * x[j]).sum();
                    f[i] = b[i] + linear - cubic * x[i].powi(3);
                }
                for &(i, j, k, value) in quadratic {
                    f[i] += value * x[j] * x[k];
                }
            }
            Flow::Hopfield { w, b, rates } => {
                for i in 0..n {
                    let inputs: f64 = (0..n).map(|j| w[i * n + j] * x[j].tanh()).sum();
                    f[i] = rates[i] * (inputs + b[i] - x[i]);
                }
            }
            Flow::Chemical { feed, outflow, reactions } => {
                (0..n).for_each(|i| f[i] = feed[i] - outflow * x[i]);
                for Reaction { rate, from, to } in reactions {
                    let speed = rate * from.iter().map(|&i| x[i]).product::<f64>();
                    from.iter().for_each(|&i| f[i] -= speed);
                    // what comes out is as much as goes in, shared
                    to.iter().for_each(|&i| f[i] += speed * from.len() as f64 / to.len() as f64);
                }
            }
        }
    }
}

impl System for (&Flow, usize) {
    fn n(&self) -> usize {
        self.1
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), EvaluationFailed> {
        self.0.rates(x, residual);
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], jacobian: &mut [f64]) -> Result<(), EvaluationFailed> {
        // polynomials of third order, and tanh: a difference of sixth order is exact to rounding
        let n = self.1;
        let (mut y, mut f) = (x.to_vec(), vec![0.0; n]);
        jacobian.fill(0.0);
        for j in 0..n {
            let h = 1e-3 * x[j].abs().max(1.0);
            for (steps, factor) in [(1.0, 0.75), (2.0, -0.15), (3.0, 1.0 / 60.0)] {
                for sign in [1.0, -1.0] {
                    y[j] = x[j] + sign * steps * h;
                    self.0.rates(&y, &mut f);
                    (0..n).for_each(|i| jacobian[i * n + j] += sign * factor * f[i] / h);
                }
            }
            y[j] = x[j];
        }
        Ok(())
    }
}

/// Where a flow goes.
#[derive(Debug, PartialEq)]
enum End {
    Rest(Vec<f64>),
    /// On and on, or to infinity.
    None,
}

/// By Dormand and Prince's method with a tolerance that makes errors of the path smaller than anything that matters here.
fn integrated(flow: &Flow, start: &[f64], tolerance: f64) -> End {
    const A: [&[f64]; 7] = [
        &[],
        &[0.2],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
        &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
        &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
    ];
    const E: [f64; 7] =
        [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];
    let n = start.len();
    let (mut x, mut h) = (start.to_vec(), 1e-4);
    let mut k = vec![vec![0.0; n]; 7];
    for _ in 0..1_000_000 {
        for stage in 0..7 {
            let mut y = x.clone();
            for (j, a) in A[stage].iter().enumerate() {
                (0..n).for_each(|i| y[i] += h * a * k[j][i]);
            }
            flow.rates(&y, &mut k[stage]);
        }
        let error = (0..n)
            .map(|i| {
                let error: f64 = (0..7).map(|j| h * E[j] * k[j][i]).sum();
                error.abs() / (tolerance * x[i].abs().max(1.0))
            })
            .fold(0.0, f64::max);
        if error <= 1.0 {
            for (j, b) in A[6].iter().enumerate() {
                (0..n).for_each(|i| x[i] += h * b * k[j][i]);
            }
            if x.iter().any(|x| x.abs() > 1e8) {
                return End::None;
            }
            if k[6].iter().all(|rate| rate.abs() < 1e-7) {
                return End::Rest(x);
            }
        }
        h *= if error.is_nan() { 0.1 } else { (0.9 * error.powf(-0.2)).clamp(0.2, 5.0) };
    }
    End::None
}

fn found(flow: &Flow, start: &[f64]) -> (End, u32, u32) {
    let n = start.len();
    let (rates, nominal) = (vec![1.0; n], vec![1.0; n]);
    let options = Options { rates: &rates, nominal: &nominal, min: &[], max: &[], certify: true };
    let mut x = start.to_vec();
    match Continuation::new(n).solve(&mut (flow, n), &mut x, &options) {
        Ok(reached) => (End::Rest(x), reached.steps, reached.calls),
        Err(stuck) => (End::None, stuck.steps, stuck.calls),
    }
}

fn is_same(a: &End, b: &End) -> bool {
    match (a, b) {
        (End::Rest(a), End::Rest(b)) => a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5 * a.abs().max(1.0)),
        (a, b) => a == b,
    }
}

/// A difference does not count where flows from beside the start, displaced by this relative to the larger of one and their size, come to
/// rest at different equilibria: the start lies on a separatrix but for that.
const SEPARATRIX: f64 = 1e-3;

fn is_near_separatrix(flow: &Flow, start: &[f64], end: &End, random: &mut Random) -> bool {
    (0..20).any(|_| {
        let beside = |x: &f64, by: f64| x + by * SEPARATRIX * x.abs().max(1.0);
        let beside: Vec<f64> = start.iter().map(|x| beside(x, random.between(-1.0, 1.0))).collect();
        !is_same(&integrated(flow, &beside, 1e-12), end)
    })
}

fn compare(seeds: std::ops::Range<u64>) {
    let (mut rests, mut nones, mut near, mut steps, mut calls) = (0, 0, Vec::new(), 0, 0);
    let mut differ = Vec::new();
    for seed in seeds {
        let mut random = Random(seed);
        let (flow, start) = Flow::random(&mut random);
        let expected = integrated(&flow, &start, 1e-12);
        let (end, own_steps, own_calls) = found(&flow, &start);
        (steps, calls) = (steps + own_steps, calls + own_calls);
        match expected {
            End::Rest(_) => rests += 1,
            End::None => nones += 1,
        }
        if !is_same(&end, &expected) {
            match is_near_separatrix(&flow, &start, &expected, &mut random) {
                true => near.push(seed),
                false => differ.push((seed, end, expected)),
            }
        }
    }
    println!(
        "{rests} come to rest, {nones} do not; {steps} steps, {calls} evaluations; beside a separatrix: {near:?}"
    );
    assert!(differ.is_empty(), "{differ:?}");
}

#[test]
fn random_flows_end_where_an_integration_does() {
    compare(0..100);
}

/// `cargo test -p rhei-numerics --release -- --ignored --nocapture a_thousand_random_flows`
#[test]
#[ignore = "some minutes"]
fn a_thousand_random_flows_end_where_an_integration_does() {
    compare(0..1000);
}
