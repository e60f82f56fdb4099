//! Linear models drawn at random, beside solutions that index reduction has no part in.
//!
//! A model `E*der(z) + A*z = f(t)` with whole coefficients is regular if `det(s*E + A)` is no zero polynomial. Then its
//! solutions without `f` move in the subspace at which the Wong sequence `V = A^-1(E*V)` comes to rest, and `E` is injective there
//! (Berger, Ilchmann & Trenn 2012): `E*V*der(c) = -A*V*c` is an ordinary differential equation, solved here by the exponential of a
//! matrix. The subspace is found in exact fractions. `f` is made of a solution that is chosen first.

use rhei_equations::Ratio;
use rhei_run::Execution;

use crate::dice::Dice;
use crate::workshop::{Settings, compile, run_as};

/// Models of each kind in the tests that always run; seeds are 1 to these.
const REGULAR: u64 = 2000;
const SINGULAR: u64 = 500;
const MIXED: u64 = 300;

/// Where sums of equations have factors that are no short decimal numbers, round after round.
const WITH_LONG_FACTORS: [u64; 4] = [2218, 6204, 6497, 12563];

/// How equations are drawn.
#[derive(Clone, Copy)]
enum Drawn {
    /// Each with a few terms.
    Apart,
    /// Sums of such with factors up to this: what is zero in them is a matter of numbers alone.
    Mixed(u64),
}

/// Of the largest value of the run, or of one.
const TOLERANCE: f64 = 1e-8;

/// A linear model: rows of whole coefficients of `der(z)` and of `z`.
struct Pencil {
    e: Vec<Vec<i64>>,
    a: Vec<Vec<i64>>,
    /// The chosen solution: factors of `sin(t)`, `cos(t)`, `1` and `t`.
    chosen: Vec<[i64; 4]>,
}

impl Pencil {
    /// Two to five unknowns with derivatives up to the sixth, each below the highest one being an unknown by itself.
    fn draw(dice: &mut Dice) -> Pencil {
        let n = 2 + dice.below(4) as usize;
        let highest = [1, 1, 1, 2, 2, 3, 6][dice.below(7) as usize];
        let orders: Vec<usize> = (0..n).map(|_| dice.below(highest + 1) as usize).collect();
        // the first of each unknown's places
        let mut places = vec![0];
        orders.iter().for_each(|order| places.push(places[places.len() - 1] + (*order).max(1)));
        let size = places[n];
        let (mut e, mut a) = (Vec::new(), Vec::new());
        for (i, &order) in orders.iter().enumerate() {
            for k in 1..order {
                let (mut of_e, mut of_a) = (vec![0; size], vec![0; size]);
                (of_e[places[i] + k - 1], of_a[places[i] + k]) = (1, -1);
                e.push(of_e);
                a.push(of_a);
            }
        }
        for _ in 0..n {
            let (mut of_e, mut of_a) = (vec![0; size], vec![0; size]);
            for (i, &order) in orders.iter().enumerate() {
                for k in 0..=order {
                    if dice.below(100) < 40 {
                        let last = k == order && k > 0;
                        let entry =
                            if last { &mut of_e[places[i] + k - 1] } else { &mut of_a[places[i] + k] };
                        *entry = dice.factor(3);
                    }
                }
            }
            e.push(of_e);
            a.push(of_a);
        }
        let chosen = (0..size).map(|_| [0; 4].map(|_: i64| dice.below(5) as i64 - 2)).collect();
        Pencil { e, a, chosen }
    }

    /// The same model with a sum of its equations in place of each, those that tie unknowns to their derivatives among them.
    fn mixed(&self, most: u64, dice: &mut Dice) -> Pencil {
        let n = self.size();
        let factors = loop {
            let drawn: Vec<Vec<i64>> = (0..n).map(|_| (0..n).map(|_| dice.factor(most)).collect()).collect();
            if is_regular_modulo(&drawn, 1_000_003) {
                break drawn;
            }
        };
        let sums = |rows: &[Vec<i64>]| -> Vec<Vec<i64>> {
            let sum = |factors: &Vec<i64>, column: usize| {
                factors.iter().zip(rows).map(|(factor, row)| factor * row[column]).sum()
            };
            factors.iter().map(|factors| (0..n).map(|column| sum(factors, column)).collect()).collect()
        };
        Pencil { e: sums(&self.e), a: sums(&self.a), chosen: self.chosen.clone() }
    }

    fn size(&self) -> usize {
        self.chosen.len()
    }

    /// Whether `det(s*E + A)` is no zero polynomial: a polynomial of this degree is zero if it is at so many places. None where
    /// the fractions become too large.
    fn is_regular(&self) -> Option<bool> {
        for s in 0..=self.size() as i64 {
            let rows =
                self.e.iter().zip(&self.a).map(|(e, a)| {
                    e.iter().zip(a).map(|(e, a)| Ratio::whole(s * e + a)).collect::<Vec<Ratio>>()
                });
            if echelon(rows.collect())?.len() == self.size() {
                return Some(true);
            }
        }
        Some(false)
    }

    /// A basis of the subspace in which the solutions without `f` move, as columns.
    fn subspace(&self) -> Option<Vec<Vec<Ratio>>> {
        let n = self.size();
        let mut basis: Vec<Vec<Ratio>> = (0..n).map(|i| unit(n, i)).collect();
        loop {
            // all (x, c) with A*x = E*V*c
            let images = basis.iter().map(|v| times(&self.e, v)).collect::<Option<Vec<_>>>()?;
            let rows = (0..n).map(|row| {
                let of_x = self.a[row].iter().map(|&a| Ratio::whole(a));
                of_x.chain(images.iter().map(|image| image[row])).collect::<Vec<Ratio>>()
            });
            let solutions = kernel(rows.collect(), n + basis.len())?;
            let next = echelon(
                solutions
                    .into_iter()
                    .map(|mut x| {
                        x.truncate(n);
                        x
                    })
                    .collect(),
            )?;
            let is_at_rest = next.len() == basis.len();
            basis = next;
            if is_at_rest {
                return Some(basis);
            }
        }
    }

    /// The matrix `M` of `der(c) = M*c` in the coordinates of the subspace.
    fn dynamics(&self, basis: &[Vec<Ratio>]) -> Option<Vec<Vec<f64>>> {
        let k = basis.len();
        let of = |matrix: &[Vec<i64>]| basis.iter().map(|v| times(matrix, v)).collect::<Option<Vec<_>>>();
        let (e, a) = (of(&self.e)?, of(&self.a)?);
        let mut m = vec![vec![0.0; k]; k];
        for column in 0..k {
            // E*V*m = -A*v: the kernel of [E*V, A*v] has one vector with a one at the end
            let rows = (0..self.size())
                .map(|row| e.iter().map(|image| image[row]).chain([a[column][row]]).collect::<Vec<Ratio>>());
            let found = kernel(rows.collect(), k + 1)?;
            assert_eq!(found.len(), 1, "E is injective on the subspace, and A maps it there");
            for row in 0..k {
                m[row][column] = found[0][row].over(found[0][k])?.to_f64();
            }
        }
        Some(m)
    }

    /// The chosen solution.
    fn chosen(&self, t: f64) -> Vec<f64> {
        let value = |&[s, c, one, slope]: &[i64; 4]| {
            s as f64 * t.sin() + c as f64 * t.cos() + one as f64 + slope as f64 * t
        };
        self.chosen.iter().map(value).collect()
    }

    /// The model, starting at these values.
    fn text(&self, starts: &[f64]) -> String {
        let mut text = String::from("model M\n");
        starts.iter().enumerate().for_each(|(i, x)| text += &format!("  Real z{i}(start = {x:?});\n"));
        text += "equation\n";
        for (e, a) in self.e.iter().zip(&self.a) {
            // of a*sin + b*cos + c + d*t the derivative is a*cos - b*sin + d
            let mut f = [0; 4];
            for (i, [s, c, one, slope]) in self.chosen.iter().copied().enumerate() {
                f[0] += a[i] * s - e[i] * c;
                f[1] += a[i] * c + e[i] * s;
                f[2] += a[i] * one + e[i] * slope;
                f[3] += a[i] * slope;
            }
            let terms = |factors: &[i64], name: &dyn Fn(usize) -> String| -> String {
                let terms = factors.iter().enumerate().filter(|(_, factor)| **factor != 0);
                terms.map(|(i, factor)| format!(" + ({factor})*{}", name(i))).collect()
            };
            let derivatives = terms(e, &|i| format!("der(z{i})"));
            let values = terms(a, &|i| format!("z{i}"));
            let f = terms(&f, &|i| ["sin(time)", "cos(time)", "1", "time"][i].to_owned());
            text += &format!("  0{derivatives}{values} = 0{f};\n");
        }
        text + "end M;\n"
    }
}

/// Whether a matrix of whole numbers is regular modulo a prime, so that it is regular.
fn is_regular_modulo(matrix: &[Vec<i64>], prime: i64) -> bool {
    let mut rows: Vec<Vec<i64>> =
        matrix.iter().map(|row| row.iter().map(|x| x.rem_euclid(prime)).collect()).collect();
    let n = rows.len();
    for column in 0..n {
        let Some(pivot) = (column..n).find(|&row| rows[row][column] != 0) else { return false };
        rows.swap(column, pivot);
        let pivot = rows[column].clone();
        for row in &mut rows[column + 1..] {
            // without a quotient: rows are multiplied by numbers that are not zero
            let (own, by) = (row[column], pivot[column]);
            for (entry, of_pivot) in row.iter_mut().zip(&pivot) {
                *entry = (*entry * by - of_pivot * own).rem_euclid(prime);
            }
        }
    }
    true
}

fn unit(n: usize, i: usize) -> Vec<Ratio> {
    (0..n).map(|j| if i == j { Ratio::ONE } else { Ratio::ZERO }).collect()
}

fn times(matrix: &[Vec<i64>], v: &[Ratio]) -> Option<Vec<Ratio>> {
    let product = |row: &Vec<i64>| {
        row.iter().zip(v).try_fold(Ratio::ZERO, |sum, (&a, &x)| sum.plus(Ratio::whole(a).times(x)?))
    };
    matrix.iter().map(product).collect()
}

/// The reduced echelon form of rows, without those that are zero.
fn echelon(mut rows: Vec<Vec<Ratio>>) -> Option<Vec<Vec<Ratio>>> {
    let columns = rows.first().map_or(0, Vec::len);
    let mut done = 0;
    for column in 0..columns {
        let Some(pivot) = (done..rows.len()).find(|&row| rows[row][column] != Ratio::ZERO) else { continue };
        rows.swap(done, pivot);
        let by = rows[done][column];
        rows[done] = rows[done].iter().map(|x| x.over(by)).collect::<Option<_>>()?;
        let pivot = rows[done].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(row, _)| *row != done) {
            let factor = row[column];
            let less = row.iter().zip(&pivot).map(|(x, p)| x.minus(factor.times(*p)?));
            *row = less.collect::<Option<_>>()?;
        }
        done += 1;
    }
    rows.truncate(done);
    Some(rows)
}

/// A basis of the vectors of `n` entries that rows map to zero.
fn kernel(rows: Vec<Vec<Ratio>>, n: usize) -> Option<Vec<Vec<Ratio>>> {
    let rows = echelon(rows)?;
    let leads: Vec<usize> =
        rows.iter().filter_map(|row| row.iter().position(|x| *x != Ratio::ZERO)).collect();
    let free = (0..n).filter(|column| !leads.contains(column));
    free.map(|free| {
        let mut x = unit(n, free);
        for (row, &lead) in rows.iter().zip(&leads) {
            x[lead] = Ratio::ZERO.minus(row[free])?;
        }
        Some(x)
    })
    .collect()
}

/// `exp(M*t)*c` by the Taylor series over short intervals.
fn flow(m: &[Vec<f64>], c: &[f64], t: f64) -> Vec<f64> {
    let norm = norm(m);
    let parts = (norm * t * 4.0).ceil().max(1.0);
    let mut c = c.to_vec();
    for _ in 0..parts as usize {
        let mut term = c.clone();
        for k in 1..=20 {
            let factor = t / parts / f64::from(k);
            term =
                m.iter().map(|row| factor * row.iter().zip(&term).map(|(a, b)| a * b).sum::<f64>()).collect();
            c.iter_mut().zip(&term).for_each(|(c, term)| *c += term);
        }
    }
    c
}

fn norm(m: &[Vec<f64>]) -> f64 {
    m.iter().map(|row| row.iter().map(|x| x.abs()).sum()).fold(0.0, f64::max)
}

/// What came of one model.
enum Verdict {
    Solved,
    /// Its fractions are too large for the reference.
    Left,
    Wrong(String),
}

/// Compares the model of a seed with its solution.
fn regular(seed: u64, drawn: Drawn) -> Verdict {
    let mut dice = Dice::new(seed);
    let pencil = loop {
        let pencil = Pencil::draw(&mut dice);
        match pencil.is_regular() {
            Some(true) => break pencil,
            Some(false) => {}
            None => return Verdict::Left,
        }
    };
    let reference = || {
        let basis = pencil.subspace()?;
        let dynamics = pencil.dynamics(&basis)?;
        Some((basis, dynamics))
    };
    let Some((basis, dynamics)) = reference() else { return Verdict::Left };
    let c: Vec<f64> = basis.iter().map(|_| dice.factor(2) as f64).collect();
    let at = |t: f64| {
        let mut z = pencil.chosen(t);
        for (c, v) in flow(&dynamics, &c, t).iter().zip(&basis) {
            z.iter_mut().zip(v).for_each(|(z, v)| *z += c * v.to_f64());
        }
        z
    };
    // what grows multiplies errors: not longer than it takes to grow to the eightfold
    let stop = 1.0_f64.min(2.0 / norm(&dynamics).max(1e-3));
    // sums of the equations have the same solutions
    let text = match drawn {
        Drawn::Apart => pencil.text(&at(0.0)),
        Drawn::Mixed(most) => pencil.mixed(most, &mut dice).text(&at(0.0)),
    };
    let (done, _) = compile(&text);
    let Some(model) = done.model else { return Verdict::Wrong(format!("{:?}\n{text}", done.diagnostics)) };
    if model.solvable.states.len() != basis.len() {
        return Verdict::Wrong(format!("{} states, {}\n{text}", model.solvable.states.len(), basis.len()));
    }
    let settings = Settings { stop: Some(stop), tolerance: Some(1e-11), ..Settings::default() };
    let (outcome, rows) = run_as(&model, &settings, vec![0.0, stop / 2.0, stop], Execution::Interpreted);
    for (row, &t) in rows.time().iter().enumerate() {
        let expected = at(t);
        let size = expected.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
        for (i, expected) in expected.iter().enumerate() {
            let value = rows.get(&format!("z{i}")).map_or(f64::NAN, |column| column[row]);
            if (value - expected).abs().partial_cmp(&(TOLERANCE * size)) != Some(std::cmp::Ordering::Less) {
                return Verdict::Wrong(format!("z{i} = {value} at {t}, not {expected}\n{text}"));
            }
        }
    }
    match rows.time().len() {
        3 => Verdict::Solved,
        _ => Verdict::Wrong(format!("{:?}\n{text}", outcome.diagnostics)),
    }
}

/// Solves the models of these seeds; answers how many were left.
fn all_regular(seeds: impl IntoIterator<Item = u64>, drawn: Drawn) -> usize {
    let mut left = 0;
    let mut wrong = Vec::new();
    for seed in seeds {
        match regular(seed, drawn) {
            Verdict::Solved => {}
            Verdict::Left => left += 1,
            Verdict::Wrong(text) => wrong.push(format!("seed {seed}: {text}")),
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
    left
}

/// Compiles singular models of these seeds: each is refused, for no start or number of the run.
fn all_singular(seeds: std::ops::RangeInclusive<u64>) {
    for seed in seeds {
        let mut dice = Dice::new(seed.wrapping_add(1 << 32));
        let pencil = loop {
            let pencil = Pencil::draw(&mut dice);
            if pencil.is_regular() == Some(false) {
                break pencil;
            }
        };
        let text = pencil.text(&pencil.chosen(0.0));
        let (done, _) = compile(&text);
        assert!(done.model.is_none(), "seed {seed}: {text}");
    }
}

#[test]
fn regular_linear_models_are_solved() {
    let left = all_regular((1..=REGULAR).chain(WITH_LONG_FACTORS), Drawn::Apart);
    assert!(left <= REGULAR as usize / 100, "{left} have no reference");
}

#[test]
fn linear_models_are_solved_where_every_constraint_is_hidden() {
    for most in [3, 1000] {
        let left = all_regular(1..=MIXED, Drawn::Mixed(most));
        assert!(left <= MIXED as usize / 100, "{left} have no reference");
    }
}

#[test]
fn singular_linear_models_are_refused() {
    all_singular(1..=SINGULAR);
}

/// `cargo test --release -p rhei-compiler --test all pencils -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn ten_times_as_many_linear_models() {
    let left = all_regular(REGULAR + 1..=11 * REGULAR, Drawn::Apart);
    println!("{left} of {} have no reference", 10 * REGULAR);
    for most in [3, 1000] {
        let left = all_regular(MIXED + 1..=11 * MIXED, Drawn::Mixed(most));
        println!("{left} of {} with hidden constraints have no reference", 10 * MIXED);
    }
    all_singular(SINGULAR + 1..=11 * SINGULAR);
}
