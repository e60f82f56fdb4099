//! Mechanisms drawn at random, some of whose coordinates carry no mass, beside an integration of their motion that knows nothing of
//! states.
//!
//! Angles or unit vectors of links, sliders, blocks in slots, cams, points on rods in space: coordinates `q` with constraints
//! `g(q) = 0`, of which only some have an inertia. The reference solves `M*der(v) = Q + G'*p`, `G*der(v) = -der(G)*v` for all
//! coordinates with multipliers `p` (`G` is the derivative of `g`; Hairer & Wanner 1996, VII.1), and so never chooses any. Draws are
//! kept whose matrix stays regular in all of the run: then there is a choice of states everywhere, but seldom one for the whole run.

use std::ops::RangeInclusive;

use rhei_run::{Execution, Status};

use crate::dice::Dice;
use crate::workshop::{Settings, compile, run_as};

/// Mechanisms of the test that always runs; seeds are 1 to this.
const ALWAYS: u64 = 30;
/// Mechanisms of the whole.
const ALL: u64 = 300;

/// Of values, relative to the largest one or to one.
const TOLERANCE: f64 = 1e-5;
/// The reference takes steps of this length, by the classical Runge-Kutta method.
const STEP: f64 = 1e-3;
const STOP: f64 = 2.0;
/// A draw is kept if no pivot of its matrix gets smaller than this, in rows scaled to one.
const SMALLEST_PIVOT: f64 = 0.02;
/// A draw is kept if no speed gets larger.
const LARGEST_SPEED: f64 = 12.0;
/// The reference keeps its constraints this well.
const DRIFT: f64 = 1e-8;

/// An expression of the coordinates.
#[derive(Clone, Debug)]
enum E {
    Number(f64),
    Coordinate(usize),
    Sum(Vec<E>),
    Product(Vec<E>),
    Sin(Box<E>),
    Cos(Box<E>),
}

/// A value with its first and second derivative along a straight line.
#[derive(Clone, Copy)]
struct Jet(f64, f64, f64);

impl E {
    fn jet(&self, q: &[f64], v: &[f64]) -> Jet {
        match self {
            E::Number(number) => Jet(*number, 0.0, 0.0),
            E::Coordinate(i) => Jet(q[*i], v[*i], 0.0),
            E::Sum(terms) => terms
                .iter()
                .map(|term| term.jet(q, v))
                .fold(Jet(0.0, 0.0, 0.0), |a, b| Jet(a.0 + b.0, a.1 + b.1, a.2 + b.2)),
            E::Product(factors) => {
                factors.iter().map(|factor| factor.jet(q, v)).fold(Jet(1.0, 0.0, 0.0), |a, b| {
                    Jet(a.0 * b.0, a.0 * b.1 + a.1 * b.0, a.0 * b.2 + 2.0 * a.1 * b.1 + a.2 * b.0)
                })
            }
            E::Sin(angle) => {
                let (Jet(x, d, dd), (s, c)) = (angle.jet(q, v), angle.jet(q, v).0.sin_cos());
                debug_assert!(x.is_finite());
                Jet(s, c * d, c * dd - s * d * d)
            }
            E::Cos(angle) => {
                let (Jet(_, d, dd), (s, c)) = (angle.jet(q, v), angle.jet(q, v).0.sin_cos());
                Jet(c, -s * d, -s * dd - c * d * d)
            }
        }
    }

    fn value(&self, q: &[f64]) -> f64 {
        self.jet(q, &vec![0.0; q.len()]).0
    }

    /// None if it is zero.
    fn partial(&self, by: usize) -> Option<E> {
        match self {
            E::Number(_) => None,
            E::Coordinate(i) => (*i == by).then_some(E::Number(1.0)),
            E::Sum(terms) => {
                let terms: Vec<E> = terms.iter().filter_map(|term| term.partial(by)).collect();
                (!terms.is_empty()).then_some(E::Sum(terms))
            }
            E::Product(factors) => {
                let term = |i: usize| {
                    let mut product = factors.clone();
                    product[i] = factors[i].partial(by)?;
                    Some(E::Product(product))
                };
                let terms: Vec<E> = (0..factors.len()).filter_map(term).collect();
                (!terms.is_empty()).then_some(E::Sum(terms))
            }
            E::Sin(angle) => Some(E::Product(vec![E::Cos(angle.clone()), angle.partial(by)?])),
            E::Cos(angle) => {
                Some(E::Product(vec![E::Number(-1.0), E::Sin(angle.clone()), angle.partial(by)?]))
            }
        }
    }

    fn text(&self, names: &[String]) -> String {
        let all =
            |of: &[E], between: &str| of.iter().map(|e| e.text(names)).collect::<Vec<_>>().join(between);
        match self {
            E::Number(number) => format!("({number:?})"),
            E::Coordinate(i) => names[*i].clone(),
            E::Sum(terms) => format!("({})", all(terms, " + ")),
            E::Product(factors) => all(factors, "*"),
            E::Sin(angle) => format!("sin({})", angle.text(names)),
            E::Cos(angle) => format!("cos({})", angle.text(names)),
        }
    }
}

/// How a coordinate moves.
#[derive(Clone, Copy, PartialEq)]
enum Inertia {
    Massless,
    Of(f64),
    /// A component of a unit vector, the rotation of which has the inertia: the speed in the model is that of rotation.
    Rotating(f64),
}

#[derive(Clone)]
struct Coordinate {
    name: String,
    start: f64,
    inertia: Inertia,
    /// Constant.
    force: f64,
    wish: &'static str,
}

#[derive(Clone, Default)]
struct Mechanism {
    coordinates: Vec<Coordinate>,
    constraints: Vec<E>,
    /// First components of unit vectors that rotate, with their constraint; the second component follows.
    rotating: Vec<(usize, usize)>,
}

/// A point, or a direction.
type Place = Vec<E>;

fn product(number: f64, e: &E) -> E {
    E::Product(vec![E::Number(number), e.clone()])
}

fn square(e: &E) -> E {
    E::Product(vec![e.clone(), e.clone()])
}

impl Mechanism {
    fn coordinate(&mut self, name: &str, start: f64, inertia: Inertia, force: f64, dice: &mut Dice) -> usize {
        let wish = ["", "", "", "", "", "", "prefer", "avoid"][dice.below(8) as usize];
        let name = format!("{name}{}", self.coordinates.len() + 1);
        self.coordinates.push(Coordinate { name, start, inertia, force, wish });
        self.coordinates.len() - 1
    }

    fn starts(&self) -> Vec<f64> {
        self.coordinates.iter().map(|coordinate| coordinate.start).collect()
    }

    /// `e` keeps the value that it has at the start.
    fn keep(&mut self, e: E) -> usize {
        let value = e.value(&self.starts());
        self.constraints.push(E::Sum(vec![e, E::Number(-value)]));
        self.constraints.len() - 1
    }

    /// A coordinate that is `e`.
    fn equal(&mut self, name: &str, e: E, inertia: Inertia, force: f64, dice: &mut Dice) -> usize {
        let start = e.value(&self.starts());
        let new = self.coordinate(name, start, inertia, force, dice);
        self.constraints.push(E::Sum(vec![e, product(-1.0, &E::Coordinate(new))]));
        new
    }

    /// The direction of a link in the plane: by its angle, or as a unit vector.
    fn direction(&mut self, dice: &mut Dice) -> Place {
        let angle = dice.between(-3.0, 3.0);
        let inertia = dice.between(0.3, 2.0);
        let has_mass = dice.is_true(60);
        let torque = if has_mass { dice.between(-1.0, 1.0) } else { 0.0 };
        if dice.is_true(60) {
            let inertia = if has_mass { Inertia::Of(inertia) } else { Inertia::Massless };
            let a = self.coordinate("a", angle, inertia, torque, dice);
            let angle = Box::new(E::Coordinate(a));
            return vec![E::Cos(angle.clone()), E::Sin(angle)];
        }
        let inertia = if has_mass { Inertia::Rotating(inertia) } else { Inertia::Massless };
        let c = self.coordinate("c", angle.cos(), inertia, 0.0, dice);
        let s = self.coordinate("s", angle.sin(), inertia, 0.0, dice);
        let (c, s) = (E::Coordinate(c), E::Coordinate(s));
        let constraint = self.keep(E::Sum(vec![square(&c), square(&s)]));
        if has_mass {
            self.rotating.push((self.coordinates.len() - 2, constraint));
        }
        vec![c, s]
    }

    /// A direction in space: a unit vector, or two angles.
    fn direction_in_space(&mut self, dice: &mut Dice) -> Place {
        let (longitude, latitude) = (dice.between(-3.0, 3.0), dice.between(-1.0, 1.0));
        if dice.is_true(50) {
            let a = self.coordinate("a", longitude, Inertia::Massless, 0.0, dice);
            let b = self.coordinate("b", latitude, Inertia::Massless, 0.0, dice);
            let [a, b] = [a, b].map(|i| Box::new(E::Coordinate(i)));
            let across = E::Cos(b.clone());
            return vec![
                E::Product(vec![E::Cos(a.clone()), across.clone()]),
                E::Product(vec![E::Sin(a), across]),
                E::Sin(b),
            ];
        }
        let (along, up) = latitude.sin_cos();
        let starts = [longitude.cos() * up, longitude.sin() * up, along];
        let vector: Place =
            starts.map(|x| E::Coordinate(self.coordinate("n", x, Inertia::Massless, 0.0, dice))).to_vec();
        self.keep(E::Sum(vector.iter().map(square).collect()));
        vector
    }

    /// A point mass at a place.
    fn mass_at(&mut self, place: &Place, dice: &mut Dice) -> Place {
        let mass = dice.between(0.3, 2.0);
        let up = place.len() - 1;
        let component = |(i, e): (usize, &E)| {
            let weight = if i == up { -9.81 * mass } else { 0.0 };
            let name = ["x", "y", "z"][i];
            E::Coordinate(self.equal(name, e.clone(), Inertia::Of(mass), weight, dice))
        };
        place.iter().enumerate().map(component).collect()
    }
}

fn beyond(from: &Place, length: f64, direction: &Place) -> Place {
    from.iter()
        .zip(direction)
        .map(|(from, along)| E::Sum(vec![from.clone(), product(length, along)]))
        .collect()
}

fn origin(n: usize, dice: &mut Dice) -> Place {
    (0..n).map(|_| E::Number(dice.between(-1.0, 1.0))).collect()
}

/// Links in the plane, one after the other, with what closes the loop or follows.
fn in_the_plane(dice: &mut Dice) -> Mechanism {
    let mut drawn = Mechanism::default();
    for _ in 0..1 + dice.below(2) {
        let mut place = origin(2, dice);
        let mut directions = Vec::new();
        for _ in 0..1 + dice.below(3) {
            let direction = drawn.direction(dice);
            place = beyond(&place, dice.between(0.4, 2.0), &direction);
            if dice.is_true(40) {
                let mass = drawn.mass_at(&place, dice);
                if dice.is_true(50) {
                    place = mass;
                }
            }
            directions.push(direction);
        }
        let mass = |dice: &mut Dice| match dice.is_true(60) {
            true => Inertia::Of(dice.between(0.3, 2.0)),
            false => Inertia::Massless,
        };
        match dice.below(5) {
            // a pin
            0 => place.iter().for_each(|e| _ = drawn.keep(e.clone())),
            // a slider on a line
            1 => {
                let inertia = mass(dice);
                drawn.equal("u", place[0].clone(), inertia, 0.0, dice);
                drawn.keep(place[1].clone());
            }
            // a block in a slot that turns
            2 => {
                let slot = drawn.direction(dice);
                let inertia = mass(dice);
                let start = dice.between(0.5, 2.0);
                let u = drawn.coordinate("u", start, inertia, 0.0, dice);
                for (place, along) in place.iter().zip(&slot) {
                    let in_slot = E::Product(vec![E::Number(-1.0), E::Coordinate(u), along.clone()]);
                    drawn.keep(E::Sum(vec![place.clone(), in_slot]));
                }
            }
            // cams
            3 => {
                for _ in 0..1 + dice.below(2) {
                    let along = &directions[dice.below(directions.len() as u64) as usize];
                    let (one, other) = (along[0].clone(), along[1].clone());
                    let shape = match dice.below(3) {
                        0 => E::Sum(vec![one, product(0.3, &square(&other))]),
                        1 => E::Product(vec![other.clone(), other.clone(), other]),
                        _ => E::Sum(vec![E::Product(vec![one.clone(), other]), one]),
                    };
                    let inertia = mass(dice);
                    let force = if inertia == Inertia::Massless { 0.0 } else { dice.between(-1.0, 1.0) };
                    drawn.equal("y", shape, inertia, force, dice);
                }
            }
            // two sliders across
            _ => {
                for e in place {
                    let inertia = mass(dice);
                    drawn.equal("u", e, inertia, 0.0, dice);
                }
            }
        }
    }
    drawn
}

/// Points on rods in space, tied by further rods, sliders and cranks.
fn in_space(dice: &mut Dice) -> Mechanism {
    let mut drawn = Mechanism::default();
    let mut points: Vec<Place> = Vec::new();
    for _ in 0..1 + dice.below(3) {
        let from = if points.is_empty() || dice.is_true(60) {
            origin(3, dice)
        } else {
            points[dice.below(points.len() as u64) as usize].clone()
        };
        let place = match dice.below(4) {
            // a crank in a plane
            0 => {
                let across = drawn.direction(dice);
                let tilted = [across[0].clone(), product(0.6, &across[1]), product(0.8, &across[1])];
                beyond(&from, dice.between(0.4, 1.5), &tilted.to_vec())
            }
            // a slider
            1 => {
                let inertia = Inertia::Of(dice.between(0.3, 2.0));
                let start = dice.between(-1.0, 1.0);
                let u = E::Coordinate(drawn.coordinate("u", start, inertia, -1.0, dice));
                let along: Place = [0.36, 0.48, 0.8].iter().map(|&share| product(share, &u)).collect();
                beyond(&from, 1.0, &along)
            }
            _ => {
                let direction = drawn.direction_in_space(dice);
                let place = beyond(&from, dice.between(0.5, 2.0), &direction);
                drawn.mass_at(&place, dice)
            }
        };
        points.push(place);
    }
    for _ in 0..dice.below(3) {
        let one = dice.below(points.len() as u64) as usize;
        let other = match dice.is_true(50) {
            true => origin(3, dice),
            false => points[dice.below(points.len() as u64) as usize].clone(),
        };
        let squares = points[one].iter().zip(&other);
        let squares = squares.map(|(a, b)| square(&E::Sum(vec![a.clone(), product(-1.0, b)])));
        drawn.keep(E::Sum(squares.collect()));
    }
    drawn
}

/// A mechanism with all its derivatives.
struct Moving {
    mechanism: Mechanism,
    /// Per constraint, its partial derivatives: coordinates with expressions.
    partials: Vec<Vec<(usize, E)>>,
}

/// The motion at one time.
#[derive(Clone)]
struct Point {
    q: Vec<f64>,
    v: Vec<f64>,
}

impl Moving {
    fn new(mechanism: Mechanism) -> Moving {
        let n = mechanism.coordinates.len();
        let of = |g: &E| (0..n).filter_map(|i| Some((i, g.partial(i)?))).collect();
        let partials = mechanism.constraints.iter().map(of).collect();
        Moving { mechanism, partials }
    }

    fn inertia(&self, i: usize) -> f64 {
        match self.mechanism.coordinates[i].inertia {
            Inertia::Massless => 0.0,
            Inertia::Of(inertia) | Inertia::Rotating(inertia) => inertia,
        }
    }

    /// The matrix `[M, -G'; G, 0]` beside `right`, with its rows scaled.
    fn system(&self, q: &[f64], right: impl Fn(usize) -> f64) -> Vec<Vec<f64>> {
        let (n, m) = (q.len(), self.partials.len());
        let mut rows = vec![vec![0.0; n + m + 1]; n + m];
        for (i, row) in rows.iter_mut().enumerate().take(n) {
            row[i] = self.inertia(i);
        }
        for (j, partials) in self.partials.iter().enumerate() {
            for (i, e) in partials {
                let slope = e.value(q);
                rows[*i][n + j] -= slope;
                rows[n + j][*i] += slope;
            }
        }
        for (i, row) in rows.iter_mut().enumerate() {
            row[n + m] = right(i);
        }
        rows
    }

    /// The accelerations; `None` near a singularity.
    fn accelerations(&self, at: &Point) -> Option<Vec<f64>> {
        let n = at.q.len();
        let bent: Vec<f64> = self.mechanism.constraints.iter().map(|g| g.jet(&at.q, &at.v).2).collect();
        let forces = &self.mechanism.coordinates;
        let rows = self.system(&at.q, |i| if i < n { forces[i].force } else { -bent[i - n] });
        let mut found = solve(rows)?;
        found.truncate(n);
        Some(found)
    }

    /// Speeds that keep the constraints, near these.
    fn speeds(&self, q: &[f64], wanted: &[f64]) -> Option<Vec<f64>> {
        let n = q.len();
        let mut found = solve(self.system(q, |i| if i < n { self.inertia(i) * wanted[i] } else { 0.0 }))?;
        found.truncate(n);
        Some(found)
    }

    fn moved(at: &Point, h: f64, by: (&[f64], &[f64])) -> Point {
        let add = |x: &[f64], dx: &[f64]| x.iter().zip(dx).map(|(x, dx)| x + h * dx).collect();
        Point { q: add(&at.q, by.0), v: add(&at.v, by.1) }
    }

    fn step(&self, at: &Point, h: f64) -> Option<Point> {
        let a1 = self.accelerations(at)?;
        let p2 = Moving::moved(at, h / 2.0, (&at.v, &a1));
        let a2 = self.accelerations(&p2)?;
        let p3 = Moving::moved(at, h / 2.0, (&p2.v, &a2));
        let a3 = self.accelerations(&p3)?;
        let p4 = Moving::moved(at, h, (&p3.v, &a3));
        let a4 = self.accelerations(&p4)?;
        let mean = |a: &[f64], b: &[f64], c: &[f64], d: &[f64]| -> Vec<f64> {
            (0..a.len()).map(|i| (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]) / 6.0).collect()
        };
        let next = Moving::moved(at, h, (&mean(&at.v, &p2.v, &p3.v, &p4.v), &mean(&a1, &a2, &a3, &a4)));
        let is_slow = next.v.iter().all(|v| v.abs() < LARGEST_SPEED);
        is_slow.then_some(next)
    }

    /// The motion at the start, in the middle and at the end; `None` if it comes near a singularity.
    fn motion(&self, start: &Point) -> Option<[Point; 3]> {
        let steps = (STOP / STEP).round() as usize;
        let (mut at, mut middle) = (start.clone(), start.clone());
        for k in 1..=steps {
            at = self.step(&at, STEP)?;
            if k == steps / 2 {
                middle = at.clone();
            }
        }
        let keeps = |g: &E| {
            let Jet(value, slope, _) = g.jet(&at.q, &at.v);
            value.abs() < DRIFT && slope.abs() < DRIFT
        };
        self.mechanism.constraints.iter().all(keeps).then_some([start.clone(), middle, at])
    }

    fn degrees_of_freedom(&self) -> usize {
        self.mechanism.coordinates.len().saturating_sub(self.partials.len())
    }

    /// The model, starting at a point.
    fn text(&self, start: &Point) -> String {
        let Mechanism { coordinates, rotating, .. } = &self.mechanism;
        let names: Vec<String> = coordinates.iter().map(|coordinate| coordinate.name.clone()).collect();
        let mut text = String::from("model M\n");
        for (i, Coordinate { name, inertia, wish, .. }) in coordinates.iter().enumerate() {
            let wish = |may: bool| match wish.is_empty() || !may {
                true => String::new(),
                false => format!(", stateSelect = StateSelect.{wish}"),
            };
            text +=
                &format!("  Real {name}(start = {:?}{});\n", start.q[i], wish(*inertia != Inertia::Massless));
            if let Inertia::Of(_) = inertia {
                text += &format!("  Real v_{name}(start = {:?}{});\n", start.v[i], wish(true));
            }
        }
        for &(c, _) in rotating {
            let w = start.q[c] * start.v[c + 1] - start.q[c + 1] * start.v[c];
            text += &format!("  Real w_{}(start = {w:?});\n", names[c]);
        }
        (0..self.partials.len()).for_each(|j| text += &format!("  Real p{j};\n"));
        text += "equation\n";
        let forces = |i: usize, without: Option<usize>| {
            let mut sum = format!("({:?})", coordinates[i].force);
            for (j, partials) in self.partials.iter().enumerate().filter(|(j, _)| Some(*j) != without) {
                for (_, e) in partials.iter().filter(|(by, _)| *by == i) {
                    sum += &format!(" + p{j}*{}", e.text(&names));
                }
            }
            sum
        };
        for (i, Coordinate { name, inertia, .. }) in coordinates.iter().enumerate() {
            match inertia {
                Inertia::Massless => text += &format!("  0 = {};\n", forces(i, None)),
                Inertia::Of(inertia) => {
                    text += &format!("  der({name}) = v_{name};\n");
                    text += &format!("  {inertia:?}*der(v_{name}) = {};\n", forces(i, None));
                }
                Inertia::Rotating(_) => {}
            }
        }
        for &(c, norm) in rotating {
            let Inertia::Rotating(inertia) = coordinates[c].inertia else { continue };
            let (x, y) = (&names[c], &names[c + 1]);
            text += &format!("  w_{x} = {x}*der({y}) - {y}*der({x});\n");
            let [along, across] = [c, c + 1].map(|i| forces(i, Some(norm)));
            text += &format!("  {inertia:?}*der(w_{x}) = {x}*({across}) - {y}*({along});\n");
            // the multiplier of the length is not needed
            text += &format!("  p{norm} = 0;\n");
        }
        let constraints = self.mechanism.constraints.iter();
        constraints.for_each(|g| text += &format!("  {} = 0;\n", g.text(&names)));
        text + "end M;\n"
    }
}

/// Solves linear equations, the right side being the last column; `None` if a pivot is small.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = rows.len();
    for row in &mut rows {
        let largest = row[..n].iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        row.iter_mut().for_each(|x| *x /= largest);
    }
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs()))?;
        rows.swap(k, pivot);
        // not a number where a row is empty
        if rows[k][k].abs().partial_cmp(&SMALLEST_PIVOT) != Some(std::cmp::Ordering::Greater) {
            return None;
        }
        let (done, open) = rows.split_at_mut(k + 1);
        for row in open.iter_mut().filter(|row| row[k] != 0.0) {
            let factor = row[k] / done[k][k];
            row[k..].iter_mut().zip(&done[k][k..]).for_each(|(x, p)| *x -= factor * p);
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|i| rows[k][i] * x[i]).sum();
        x[k] = (rows[k][n] - known) / rows[k][k];
    }
    Some(x)
}

/// The mechanism of a seed, with its motion.
fn drawn(seed: u64) -> (Moving, [Point; 3]) {
    let mut dice = Dice::new(seed);
    loop {
        let mechanism = if seed.is_multiple_of(3) { in_space(&mut dice) } else { in_the_plane(&mut dice) };
        let moving = Moving::new(mechanism);
        if moving.degrees_of_freedom() == 0 || moving.mechanism.coordinates.len() > 16 {
            continue;
        }
        let q = moving.mechanism.starts();
        let wanted: Vec<f64> = q.iter().map(|_| dice.between(-4.0, 4.0)).collect();
        let Some(v) = moving.speeds(&q, &wanted) else { continue };
        if let Some(motion) = moving.motion(&Point { q, v }) {
            return (moving, motion);
        }
    }
}

/// Compares the mechanism of a seed with its motion; says what is wrong.
fn check(seed: u64) -> Result<(), String> {
    let (moving, motion) = drawn(seed);
    let text = moving.text(&motion[0]);
    let (done, _) = compile(&text);
    let Some(model) = done.model else { return Err(format!("refused: {:?}\n{text}", done.diagnostics)) };
    let n_states = 2 * moving.degrees_of_freedom();
    if model.solvable.states.len() != n_states {
        return Err(format!("{} states, not {n_states}\n{text}", model.solvable.states.len()));
    }
    let settings = Settings { stop: Some(STOP), tolerance: Some(1e-9), ..Settings::default() };
    let (outcome, rows) = run_as(&model, &settings, vec![0.0, STOP / 2.0, STOP], Execution::Interpreted);
    if outcome.status != Status::Finished {
        let said: Vec<&str> = outcome.diagnostics.iter().map(|said| said.message.as_str()).collect();
        return Err(format!("{said:?}\n{text}"));
    }
    for (row, expected) in motion.iter().enumerate() {
        let size = expected.q.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
        for (coordinate, expected) in moving.mechanism.coordinates.iter().zip(&expected.q) {
            let value = rows.get(&coordinate.name).map_or(f64::NAN, |column| column[row]);
            if (value - expected).abs().partial_cmp(&(TOLERANCE * size)) != Some(std::cmp::Ordering::Less) {
                let at = STOP * row as f64 / 2.0;
                return Err(format!("{} = {value} at {at}, not {expected}\n{text}", coordinate.name));
            }
        }
    }
    Ok(())
}

fn check_all(seeds: RangeInclusive<u64>) {
    let wrong: Vec<String> =
        seeds.filter_map(|seed| check(seed).err().map(|why| format!("seed {seed}: {why}"))).collect();
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn mechanisms_with_massless_coordinates_move_as_with_multipliers() {
    check_all(1..=ALWAYS);
}

/// `cargo test --release -p rhei-compiler --test all massless -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn three_hundred_mechanisms_with_massless_coordinates() {
    check_all(ALWAYS + 1..=ALL);
}
