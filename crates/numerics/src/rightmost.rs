//! The eigenvalue of a large matrix that has the largest real part, by a Krylov space.
//!
//! Cayley's transformation `C = I + 2σ(A − σI)⁻¹`, with a shift `σ > 0`, maps the left half-plane into the unit circle and the
//! right one out of it: eigenvalues `λ` become `(λ + σ)/(λ − σ)`. Arnoldi's iteration finds those furthest out first
//! (Meerbergen, Spence & Roose 1994). All it takes is the factors of `A − σI`, on whatever pattern.

use faer::Mat;

use crate::sparse_lu::probe_entry;

/// The shift, in units in which the matrix is about one.
const SHIFT: f64 = 1.0;
/// Sizes of the Krylov space at which eigenvalues are looked at.
const SIZES: [usize; 4] = [20, 40, 80, 160];
/// Error of an eigenvalue, absolute and relative to its size, at which it is accepted.
const KNOWN: (f64, f64) = (1e-5, 0.02);
/// Relative remainder after orthogonalisation that counts as zero.
const NOTHING: f64 = 1e-12;
/// Oscillations faster than so many shifts are looked at with a shift of their own.
const FAST: f64 = 3.0;
/// Eigenvalues beyond this are so fast that they are where the transformation ends.
const FASTEST: f64 = 1e12;

/// How much is done for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// On a way along which it is asked often.
    Rough,
    /// For the decision itself.
    Full,
}

/// Writes `(A − σI)⁻¹u` into its last argument, where a shift `σ` comes with it after factorising for it; says whether there are factors.
pub(crate) type Solve<'a> = dyn FnMut(Option<f64>, &[f64], &mut [f64]) -> bool + 'a;

/// The largest real part of the eigenvalues of a matrix with `m` rows, as far as Krylov spaces of up to 160 vectors show it. Nothing where
/// there are no factors for any shift.
pub(crate) fn rightmost(m: usize, care: Care, solve: &mut Solve<'_>) -> Option<f64> {
    let (found, frequency) = search(m, care, SHIFT, solve)?;
    // fast oscillations are all but on the circle, unless the shift is as large
    if care == Care::Rough || frequency <= FAST * SHIFT {
        return Some(found);
    }
    Some(search(m, care, frequency, solve).map_or(found, |(other, _)| found.max(other)))
}

/// The largest real part, and the largest frequency, that is seen by a shift of about this.
fn search(m: usize, care: Care, shift: f64, solve: &mut Solve<'_>) -> Option<(f64, f64)> {
    let mut first: Vec<f64> = (0..m).map(probe_entry).collect();
    normalise(&mut first);
    let mut image = vec![0.0; m];
    // a shift that happens to be an eigenvalue will not do
    let shift = [1.0, 1.37, 0.71].map(|part| part * shift).into_iter().find(|&shift| {
        solve(Some(shift), &first, &mut image) && image.iter().all(|entry| entry.is_finite())
    })?;
    let mut space = Krylov { basis: vec![first], columns: Vec::new(), shift };
    let (mut estimate, mut frequency) = (f64::NEG_INFINITY, 0.0);
    let sizes = &SIZES[..if care == Care::Full { SIZES.len() } else { SIZES.len() - 1 }];
    for size in sizes.iter().map(|size| *size.min(&m)) {
        let before = estimate;
        while space.columns.len() < size {
            let from = space.basis.len() - 1;
            solve(None, &space.basis[from], &mut image);
            if !image.iter().all(|entry| entry.is_finite()) {
                return None;
            }
            for (image, u) in image.iter_mut().zip(&space.basis[from]) {
                *image = u + 2.0 * shift * *image;
            }
            if !space.extend(&image) {
                break;
            }
        }
        let values = space.eigenvalues()?;
        let is_known = |value: &&Eigenvalue| value.error <= KNOWN.0.max(KNOWN.1 * value.re.abs());
        let largest = |known: bool| {
            let chosen = values.iter().filter(|value| !known || is_known(value));
            chosen.map(|value| value.re).fold(f64::NEG_INFINITY, f64::max)
        };
        estimate = if largest(true).is_finite() { largest(true) } else { largest(false) };
        frequency = values.iter().map(|value| value.im.abs()).fold(0.0, f64::max);
        // all is there, or nothing on the right is in doubt and a larger space shows nothing else
        let is_settled = (estimate - before).abs() <= KNOWN.0.max(KNOWN.1 * estimate.abs());
        if space.is_closed() || size == m || (largest(false) <= estimate && is_settled) {
            break;
        }
    }
    estimate.is_finite().then_some((estimate, frequency))
}

/// An eigenvalue, with how far it may be off.
struct Eigenvalue {
    re: f64,
    im: f64,
    error: f64,
}

struct Krylov {
    /// Orthonormal.
    basis: Vec<Vec<f64>>,
    /// The image of each basis vector, in terms of the basis and the next vector.
    columns: Vec<Vec<f64>>,
    shift: f64,
}

impl Krylov {
    /// Takes the image of the last vector in; says whether there is anything new in it.
    fn extend(&mut self, image: &[f64]) -> bool {
        let mut next = image.to_vec();
        let mut column = vec![0.0; self.basis.len() + 1];
        let before = length(&next);
        // twice: the first pass leaves rounding errors of the others
        for _ in 0..2 {
            for (own, coefficient) in self.basis.iter().zip(&mut column) {
                let along: f64 = own.iter().zip(&next).map(|(a, b)| a * b).sum();
                *coefficient += along;
                next.iter_mut().zip(own).for_each(|(next, own)| *next -= along * own);
            }
        }
        let left = length(&next);
        let is_new = left > NOTHING * before;
        column[self.basis.len()] = if is_new { left } else { 0.0 };
        self.columns.push(column);
        if is_new {
            next.iter_mut().for_each(|entry| *entry /= left);
            self.basis.push(next);
        }
        is_new
    }

    /// Whether the transformation does not lead out of the space.
    fn is_closed(&self) -> bool {
        self.basis.len() == self.columns.len()
    }

    /// The eigenvalues of the matrix as far as they are in the space.
    fn eigenvalues(&self) -> Option<Vec<Eigenvalue>> {
        let k = self.columns.len();
        let square = Mat::from_fn(k, k, |i, j| self.columns[j].get(i).copied().unwrap_or(0.0));
        let found = square.eigen().ok()?;
        let (values, vectors) = (found.S().column_vector(), found.U());
        let leads_out = self.columns[k - 1].get(k).copied().unwrap_or(0.0);
        let of_matrix = |j: usize| {
            let theta = values[j];
            // λ = σ (θ + 1)/(θ − 1)
            let (re, im) = (theta.re - 1.0, theta.im);
            let distance = re * re + im * im;
            if distance.sqrt() * FASTEST <= 2.0 * self.shift {
                return None;
            }
            let lambda = (
                self.shift * ((theta.re + 1.0) * re + im * im) / distance,
                -2.0 * self.shift * im / distance,
            );
            let size: f64 = (0..k).map(|i| vectors[(i, j)].re.powi(2) + vectors[(i, j)].im.powi(2)).sum();
            let last = vectors[(k - 1, j)];
            let off = leads_out * ((last.re.powi(2) + last.im.powi(2)) / size).sqrt();
            Some(Eigenvalue { re: lambda.0, im: lambda.1, error: 2.0 * self.shift * off / distance })
        };
        Some((0..k).filter_map(of_matrix).collect())
    }
}

fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn normalise(vector: &mut [f64]) {
    let length = length(vector);
    vector.iter_mut().for_each(|x| *x /= length);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lu::Lu;

    /// By the dense factors of a matrix given by rows.
    fn of(matrix: &[f64], n: usize) -> f64 {
        let mut lu = Lu::new(n);
        rightmost(n, Care::Full, &mut |shift, u, v| {
            if let Some(shift) = shift {
                let mut shifted = matrix.to_vec();
                (0..n).for_each(|i| shifted[i * n + i] -= shift);
                if lu.factorise(&shifted).is_err() {
                    return false;
                }
            }
            v.copy_from_slice(u);
            lu.solve(v);
            true
        })
        .unwrap()
    }

    /// A chain `dx_k/dt = x_(k+1) - 2 x_k + x_(k-1)`: its eigenvalues are known.
    fn chain(n: usize) -> Vec<f64> {
        let entry = |row: usize, column: usize| match row.abs_diff(column) {
            0 => -2.0,
            1 => 1.0,
            _ => 0.0,
        };
        (0..n * n).map(|k| entry(k / n, k % n)).collect()
    }

    #[test]
    fn a_chain_comes_to_rest_and_one_that_is_driven_does_not() {
        let n = 200;
        let slowest = -4.0 * (std::f64::consts::PI / (2.0 * (n + 1) as f64)).sin().powi(2);
        let found = of(&chain(n), n);
        assert!((found - slowest).abs() < 1e-4 && found < 0.0, "{found} is not {slowest}");
        // one link in the middle that grows faster than its neighbours take away
        let mut driven = chain(n);
        driven[(n / 2) * n + n / 2] = 1.0;
        // the localised mode: λ = -2 + sqrt(4 + 9)
        let expected = -2.0 + 13.0_f64.sqrt();
        assert!((of(&driven, n) - expected).abs() < 1e-6, "{}", of(&driven, n));
    }

    #[test]
    fn oscillations_that_grow_are_seen() {
        // oscillators of forty frequencies, one of which grows
        let n = 200;
        let mut matrix = vec![0.0; n * n];
        for k in 0..n / 2 {
            let (i, frequency) = (2 * k, 0.25 * (k % 40 + 1) as f64);
            let growth = if k == 30 { 0.01 } else { -0.3 };
            (matrix[i * n + i], matrix[(i + 1) * n + i + 1]) = (growth, growth);
            (matrix[i * n + i + 1], matrix[(i + 1) * n + i]) = (frequency, -frequency);
        }
        assert!((of(&matrix, n) - 0.01).abs() < 1e-6, "{}", of(&matrix, n));
    }

    #[test]
    fn a_small_matrix_is_known_as_a_whole() {
        assert!((of(&[1.0, 1.0, -1.0, 0.0], 2) - 0.5).abs() < 1e-12);
        assert!((of(&[-3.0], 1) + 3.0).abs() < 1e-12);
    }
}
