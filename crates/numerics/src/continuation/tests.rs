use super::constants::most_work;
use super::*;

/// A flow given by a function and its derivatives.
struct Flow<F, J>(usize, F, J);

impl<F: Fn(&[f64], &mut [f64]), J: Fn(&[f64], &mut [f64])> System for Flow<F, J> {
    fn n(&self) -> usize {
        self.0
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), EvaluationFailed> {
        (self.1)(x, residual);
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], jacobian: &mut [f64]) -> Result<(), EvaluationFailed> {
        (self.2)(x, jacobian);
        Ok(())
    }
}

fn solved(
    n: usize,
    f: impl Fn(&[f64], &mut [f64]),
    j: impl Fn(&[f64], &mut [f64]),
    start: &[f64],
) -> Result<(Vec<f64>, Reached), Stuck> {
    let (rates, nominal) = (vec![1.0; n], vec![1.0; n]);
    let options = Options { rates: &rates, nominal: &nominal, min: &[], max: &[], certify: true };
    let mut x = start.to_vec();
    let reached = Continuation::new(n).solve(&mut Flow(n, f, j), &mut x, &options)?;
    Ok((x, reached))
}

fn s(a: f64) -> f64 {
    if a < -1.0 {
        a / 4.0 - 0.75
    } else if a > 1.0 {
        a / 4.0 + 0.75
    } else {
        a
    }
}

fn slope(a: f64) -> f64 {
    if a.abs() > 1.0 { 0.25 } else { 1.0 }
}

#[test]
fn where_newton_cycles_the_flow_arrives() {
    // Newton's method cycles between 4c - 3 and 4c + 3 from every start beyond one
    let c = -0.29137637;
    let (x, reached) =
        solved(1, |x, r| r[0] = c - s(x[0]), |x, j| j[0] = -slope(x[0]), &[2.15864162]).unwrap();
    assert!((x[0] - c).abs() < 1e-12);
    assert!(reached.steps > 0 && reached.calls <= 20, "{reached:?}");
}

#[test]
fn kinks_are_crossed_from_every_side() {
    for place in -40..=40 {
        for from in -40..=40 {
            let (c, start) = (f64::from(place) / 10.0, f64::from(from) / 4.0);
            let (x, reached) =
                solved(1, |x, r| r[0] = c - s(x[0]), |x, j| j[0] = -slope(x[0]), &[start]).unwrap();
            assert!((s(x[0]) - c).abs() < 1e-11, "{c} {start}");
            assert!(reached.calls <= 30, "{c} {start} {reached:?}");
        }
    }
}

#[test]
fn the_branch_is_that_of_the_flow() {
    // a(1 - a^2) flows to the side it begins on, however near to zero; Newton's method goes elsewhere from 0.1 and 0.5
    let f = |x: &[f64], r: &mut [f64]| r[0] = x[0] - x[0].powi(3);
    let j = |x: &[f64], j: &mut [f64]| j[0] = 1.0 - 3.0 * x[0] * x[0];
    for (start, expected) in [(0.1, 1.0), (0.5, 1.0), (0.55, 1.0), (-1e-6, -1.0), (5.0, 1.0), (-0.6, -1.0)] {
        let (x, _) = solved(1, f, j, &[start]).unwrap();
        assert!((x[0] - expected).abs() < 1e-10, "from {start} to {}", x[0]);
    }
    let stuck = solved(1, f, j, &[0.0]).unwrap_err();
    assert!(matches!(stuck.why, Why::Unstable { growth, .. } if growth > 0.0));
}

#[test]
fn what_has_no_rest_is_said_to_have_none() {
    let up = solved(1, |x, r| r[0] = 1.0 + x[0] * x[0], |x, j| j[0] = 2.0 * x[0], &[0.0]).unwrap_err();
    assert!(matches!(up.why, Why::Diverges { .. }) && up.calls <= most_work(1).1 + 100, "{up:?}");
    // an unstable focus inside a limit cycle
    let cycle = solved(
        2,
        |x, r| {
            r[0] = x[1] - x[0].powi(3) + x[0];
            r[1] = -x[0];
        },
        |x, j| j.copy_from_slice(&[1.0 - 3.0 * x[0] * x[0], 1.0, -1.0, 0.0]),
        &[0.1, 0.0],
    )
    .unwrap_err();
    assert!(matches!(cycle.why, Why::Unstable { .. } | Why::Restless { .. }), "{cycle:?}");
    assert!(cycle.calls <= most_work(2).1 + 100);
    let wrong_sign = solved(1, |x, r| r[0] = s(x[0]) - 1.0, |x, j| j[0] = slope(x[0]), &[3.0]).unwrap_err();
    assert!(matches!(wrong_sign.why, Why::Unstable { .. }), "{wrong_sign:?}");
}

/// A chain of forty unknowns with a kink each: `L (c - s(x))` with `L` tridiagonal.
#[test]
fn a_network_of_kinks_settles_in_few_steps_from_far_away() {
    let n = 40;
    let c: Vec<f64> = (0..n).map(|i| if i % 4 == 0 { 2.0 } else { 0.4 * f64::sin(i as f64 + 1.0) }).collect();
    let row = |y: &dyn Fn(usize) -> f64, i: usize| {
        let left = if i > 0 { y(i - 1) } else { 0.0 };
        let right = if i + 1 < n { y(i + 1) } else { 0.0 };
        2.5 * y(i) - left - right
    };
    let f = |x: &[f64], r: &mut [f64]| {
        (0..n).for_each(|i| r[i] = row(&|k| c[k], i) - row(&|k| s(x[k]), i));
    };
    let j = |x: &[f64], j: &mut [f64]| {
        j.fill(0.0);
        for i in 0..n {
            j[i * n + i] = -2.5 * slope(x[i]);
            if i > 0 {
                j[i * n + i - 1] = slope(x[i - 1]);
            }
            if i + 1 < n {
                j[i * n + i + 1] = slope(x[i + 1]);
            }
        }
    };
    for (start, most) in [(-50.0, 20), (3.0, 20), (50.0, 20), (1000.0, 20), (0.0, 0)] {
        let (x, reached) = solved(n, f, j, &vec![start; n]).unwrap();
        assert!((x.iter().sum::<f64>() - 50.69909317451).abs() < 1e-9);
        assert!(reached.steps <= most, "from {start}: {reached:?}");
    }
}

#[test]
fn equations_beside_the_flow_are_solved_along_with_it() {
    // dx/dτ = 2 - w, w^3 + w = x: the rest is at w = 2, x = 10
    let (x, _) = solved_beside(
        |x, r| {
            r[0] = 2.0 - x[1];
            r[1] = x[1].powi(3) + x[1] - x[0];
        },
        |x, j| j.copy_from_slice(&[0.0, -1.0, -1.0, 3.0 * x[1] * x[1] + 1.0]),
        &[0.0, 0.0],
    );
    assert!((x[0] - 10.0).abs() < 1e-10 && (x[1] - 2.0).abs() < 1e-10, "{x:?}");
}

fn solved_beside(
    f: impl Fn(&[f64], &mut [f64]),
    j: impl Fn(&[f64], &mut [f64]),
    start: &[f64],
) -> (Vec<f64>, Reached) {
    let options = Options { rates: &[1.0], nominal: &[1.0, 1.0], min: &[], max: &[], certify: true };
    let mut x = start.to_vec();
    let reached = Continuation::new(2).solve(&mut Flow(2, f, j), &mut x, &options).unwrap();
    (x, reached)
}

/// `2.5 s(x_i)` beside what its neighbours give, as a network of `n`: solved by `x = s⁻¹(c)`.
struct Network {
    b: Vec<f64>,
    pattern: Arc<Pattern>,
}

impl Network {
    fn new(n: usize) -> Network {
        let c = |i: usize| if i.is_multiple_of(4) { 2.0 } else { 0.4 * ((i + 1) as f64).sin() };
        let around = |i: usize| if i > 0 { c(i - 1) } else { 0.0 } + if i + 1 < n { c(i + 1) } else { 0.0 };
        let b = (0..n).map(|i| 2.5 * c(i) - around(i)).collect();
        let entries = (0..n).flat_map(|i| (i.saturating_sub(1)..n.min(i + 2)).map(move |j| (i, j)));
        Network { b, pattern: Arc::new(Pattern::from_entries(n, n, entries)) }
    }
}

impl System for Network {
    fn n(&self) -> usize {
        self.b.len()
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), EvaluationFailed> {
        residual.copy_from_slice(&self.b);
        for (row, column) in self.pattern.entries() {
            residual[row] += s(x[column]) * if row == column { -2.5 } else { 1.0 };
        }
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], jacobian: &mut [f64]) -> Result<(), EvaluationFailed> {
        jacobian.fill(0.0);
        let mut entries = vec![0.0; self.pattern.len()];
        self.sparse_jacobian(x, &mut entries)?;
        let n = self.n();
        self.pattern.entries().zip(entries).for_each(|((row, column), d)| jacobian[row * n + column] = d);
        Ok(())
    }

    fn sparse_jacobian(&mut self, x: &[f64], entries: &mut [f64]) -> Result<(), EvaluationFailed> {
        for ((row, column), entry) in self.pattern.entries().zip(entries) {
            *entry = slope(x[column]) * if row == column { -2.5 } else { 1.0 };
        }
        Ok(())
    }
}

fn rest_of(continuation: &mut Continuation, n: usize, start: f64) -> (Vec<f64>, Reached) {
    let (rates, nominal) = (vec![1.0; n], vec![1.0; n]);
    let options = Options { rates: &rates, nominal: &nominal, min: &[], max: &[], certify: true };
    let mut x = vec![start; n];
    let reached = continuation.solve(&mut Network::new(n), &mut x, &options).unwrap();
    (x, reached)
}

#[test]
fn on_a_pattern_the_search_is_the_same() {
    for (n, start) in [(40, 3.0), (40, 50.0), (120, 3.0), (120, -50.0)] {
        let (dense, by_dense) = rest_of(&mut Continuation::new(n), n, start);
        let mut sparse = Continuation::sparse(Network::new(n).pattern).unwrap();
        let (x, by_sparse) = rest_of(&mut sparse, n, start);
        assert_eq!(by_dense, by_sparse);
        assert!(x.iter().zip(&dense).all(|(a, b)| (a - b).abs() < 1e-11));
    }
}

#[test]
fn thousands_of_unknowns_come_to_rest() {
    let n = 5000;
    let mut continuation = Continuation::sparse(Network::new(n).pattern).unwrap();
    assert!(continuation.matrix.values().len() < 3 * n, "nothing is kept but the entries");
    let (x, reached) = rest_of(&mut continuation, n, 3.0);
    assert!((x[0] - 5.0).abs() < 1e-9 && (x[4] - 5.0).abs() < 1e-9);
    assert!(reached.steps > 0 && reached.steps <= 20, "{reached:?}");
}

/// `dx_i/dτ = x_(i+1) - 2 x_i + x_(i-1) + drive·x_middle`, which no row proves to come to rest or not.
struct Driven {
    pattern: Arc<Pattern>,
    drive: f64,
}

impl System for Driven {
    fn n(&self) -> usize {
        self.pattern.columns()
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), EvaluationFailed> {
        let mut entries = vec![0.0; self.pattern.len()];
        self.sparse_jacobian(x, &mut entries)?;
        residual.fill(0.0);
        for ((row, column), entry) in self.pattern.entries().zip(entries) {
            residual[row] += entry * (x[column] - 1.0);
        }
        Ok(())
    }

    fn jacobian(&mut self, _: &[f64], _: &mut [f64]) -> Result<(), EvaluationFailed> {
        Err(EvaluationFailed::new("too large"))
    }

    fn sparse_jacobian(&mut self, _: &[f64], entries: &mut [f64]) -> Result<(), EvaluationFailed> {
        let middle = self.n() / 2;
        for ((row, column), entry) in self.pattern.entries().zip(entries) {
            *entry = match row == column {
                true if row == middle => self.drive,
                true => -2.0,
                false => 1.0,
            };
        }
        Ok(())
    }
}

#[test]
fn a_large_flow_that_grows_somewhere_is_no_rest() {
    let n = 1000;
    let pattern = Network::new(n).pattern;
    let (rates, nominal) = (vec![1.0; n], vec![1.0; n]);
    let options = Options { rates: &rates, nominal: &nominal, min: &[], max: &[], certify: true };
    let search = |drive: f64| {
        let mut x = vec![1.5; n];
        let mut flow = Driven { pattern: pattern.clone(), drive };
        let found = Continuation::sparse(pattern.clone()).unwrap().solve(&mut flow, &mut x, &options);
        found.map(|_| x)
    };
    let rest = search(-2.0).unwrap();
    assert!(rest.iter().all(|x| (x - 1.0).abs() < 1e-9));
    // each unknown alone would come to rest in one unit: the middle one is scaled by its own drive
    let Err(Stuck { why: Why::Unstable { growth, .. }, .. }) = search(1.0) else { panic!("it grows") };
    assert!(growth > 1.0, "{growth}");
}

#[test]
fn a_flow_along_the_first_correction_is_that_of_a_mass() {
    // M dx/dτ = f with M = -f'(x0): from x0 every unknown goes straight to where Newton's method would
    let n = 300;
    let mut network = Network::new(n);
    let mut mass = vec![0.0; network.pattern.len()];
    network.sparse_jacobian(&vec![3.0; n], &mut mass).unwrap();
    mass.iter_mut().for_each(|entry| *entry = -*entry);
    let mut continuation = Continuation::sparse_with_mass(network.pattern.clone(), mass).unwrap();
    let (x, reached) = rest_of(&mut continuation, n, 3.0);
    assert!((x[0] - 5.0).abs() < 1e-9, "{} {reached:?}", x[0]);
}
