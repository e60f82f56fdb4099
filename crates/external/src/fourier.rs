//! `ModelicaFFT_kiss_fftr`: the spectrum of a real signal.
//!
//! One transform of some thousand samples, mostly at the end of a run: the planners of `realfft`, five crates with code for each
//! extension of a machine, would take longer to compile than all its transforms, and round differently on different machines.

use std::f64::consts::TAU;

use rhei_evaluate::{Failure, Value};
use rhei_source::Span;

use crate::arguments::numbers;
use crate::{Externals, Native};

pub(crate) fn native(name: &str) -> Option<Native> {
    (name == "ModelicaFFT_kiss_fftr").then_some(spectrum as Native)
}

/// Info, amplitudes, and phases in degrees. For a signal `m + a cos(2πft + φ)`, the first amplitude is `m`, that of `f` is `a`.
fn spectrum(_: &Externals, arguments: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let signal = numbers(arguments, 0, span)?;
    let n = signal.len();
    let half = n / 2 + 1;
    if n % 2 == 1 || n == 0 {
        return Ok(vec![Value::Integer(1), Value::reals(vec![0.0; half]), Value::reals(vec![0.0; half])]);
    }
    let whole: Vec<[f64; 2]> = signal.into_iter().map(|x| [x, 0.0]).collect();
    let transformed = transform(&whole);
    let share = |k: usize| if k == 0 || 2 * k == n { 1.0 } else { 2.0 } / n as f64;
    let amplitudes: Vec<f64> =
        (0..half).map(|k| transformed[k][0].hypot(transformed[k][1]) * share(k)).collect();
    // the phase of a zero amplitude is rounding noise
    let least = amplitudes.iter().fold(0.0_f64, |most, a| most.max(*a)) * 1e-10;
    let phase = |k: usize| {
        if amplitudes[k] <= least { 0.0 } else { transformed[k][1].atan2(transformed[k][0]).to_degrees() }
    };
    let phases: Vec<f64> = (0..half).map(phase).collect();
    Ok(vec![Value::Integer(0), Value::reals(amplitudes), Value::reals(phases)])
}

/// Cooley and Tukey 1965, for any factors: as many transforms of every p-th element as the smallest prime p of the size.
fn transform(signal: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let n = signal.len();
    if n < 2 {
        return signal.to_vec();
    }
    let p = (2..).take_while(|p| p * p <= n).find(|p| n.is_multiple_of(*p)).unwrap_or(n);
    let m = n / p;
    let parts: Vec<Vec<[f64; 2]>> = (0..p)
        .map(|r| {
            let every: Vec<[f64; 2]> = signal[r..].iter().step_by(p).copied().collect();
            // a prime is summed up below
            if m == 1 { every } else { transform(&every) }
        })
        .collect();
    let at = |k: usize| {
        let mut sum = [0.0; 2];
        for (r, part) in parts.iter().enumerate() {
            let (sin, cos) = (-TAU * (r * k % n) as f64 / n as f64).sin_cos();
            let [x, y] = part[k % m];
            sum[0] += x * cos - y * sin;
            sum[1] += x * sin + y * cos;
        }
        sum
    };
    (0..n).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amplitudes_and_phases_of_waves() {
        for n in [20, 14] {
            let t = |i: usize| TAU * i as f64 / n as f64;
            let signal = (0..n).map(|i| 3.0 + 2.0 * (2.0 * t(i) + 0.5).cos() + (5.0 * t(i)).sin());
            let found = spectrum(&Externals::default(), &[Value::reals(signal)], crate::nowhere()).unwrap();
            let numbers = |v: &Value| v.elements().iter().filter_map(Value::as_real).collect::<Vec<_>>();
            let (amplitudes, phases) = (numbers(&found[1]), numbers(&found[2]));
            let expected = [3.0, 0.0, 2.0, 0.0, 0.0, 1.0];
            assert!(expected.iter().zip(&amplitudes).all(|(a, b)| (a - b).abs() < 1e-12), "{amplitudes:?}");
            assert!((phases[2] - 0.5_f64.to_degrees()).abs() < 1e-9);
            assert!((phases[5] + 90.0).abs() < 1e-9);
            assert_eq!(phases[1], 0.0);
        }
        let odd = spectrum(&Externals::default(), &[Value::reals([1.0; 3])], crate::nowhere()).unwrap();
        assert_eq!(odd[0], Value::Integer(1));
    }
}
