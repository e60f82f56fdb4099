//! Enclosures of values over a piece of time as polynomials with a remainder: Taylor expansions in time, around the middle of the
//! piece.
//!
//! Differences of nearly equal terms are wide as ranges, however short the piece; their expansions cancel term by term. In: expansions of
//! operands. Out: those of results, by recurrences (Moore 1966, *Interval Analysis*, §11; Griewank & Walther 2008, *Evaluating
//! Derivatives*, table 13.2), in ranges throughout. The coefficients are taken twice: at the middle, where they are known but for
//! rounding, and over the whole piece, where the last one holds Lagrange's remainder. So for each order n
//!
//! `z(middle + s*half)` is in `at[0] + at[1]*s + … + at[n - 1]*s^(n - 1) + over[n]*s^n` for s from -1 to 1.
//!
//! Coefficients are those of `s`: no power of the length of the piece is in the recurrences. Values that are not smooth somewhere
//! in the piece have bounds of value and rate, or of the value alone; further coefficients are unbounded.

use rhei_elementary::{Algebra, Binary, Elementary, Expansion, Formula};

use super::{Moving, Range};

/// The order of the remainder: the highest degree that integrators interpolate by, so that of these polynomials nothing is lost.
/// With order 4, friction that sticks takes twice as many enclosures; with order 5 as many as with 6.
pub const ORDER: usize = 6;
const TERMS: usize = ORDER + 1;

/// Coefficients of one expansion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taylor {
    coefficients: [Range; TERMS],
    /// Number of coefficients; further ones are zero.
    length: usize,
}

/// An expansion over a piece of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Series {
    /// At the middle; the coefficient of the last order is not computed.
    at: Taylor,
    /// Anywhere in the piece.
    over: Taylor,
}

impl Series {
    /// A constant.
    pub fn constant(value: Range) -> Series {
        Series { at: Taylor::new([value]), over: Taylor::new([value]) }
    }

    /// Time, over a piece with this middle.
    pub fn time(piece: Range, middle: f64, half: f64) -> Series {
        let half = Range::point(half);
        Series { at: Taylor::new([Range::point(middle), half]), over: Taylor::new([piece, half]) }
    }

    /// The expansion with these coefficients at the middle and over the piece, by order, and no others.
    pub fn polynomial(degree: usize, coefficient: impl Fn(usize) -> (Range, Range)) -> Series {
        let length = degree.min(ORDER) + 1;
        let mut series = Series::constant(Range::ZERO);
        (series.at.length, series.over.length) = (length.min(ORDER), length);
        for k in 0..length {
            (series.at.coefficients[k], series.over.coefficients[k]) = coefficient(k);
        }
        series
    }

    /// The expansion from a value at the middle, and a value and perhaps a rate over the piece.
    fn rough(at: Range, over: Moving, half: f64) -> Series {
        if over.value.is_point() {
            return Series::constant(over.value); // a constant
        }
        let rate = over.rate.multiply(Range::point(half));
        Series { at: Taylor::unknown_from([at]), over: Taylor::unknown_from([over.value, rate]) }
    }

    /// The expansion from bounds over the piece alone.
    pub(super) fn of(over: Moving, half: f64) -> Series {
        Series::rough(over.value, over, half)
    }

    /// Bounds of the coefficients of an expansion whose remainder is of this order, which is not above [`ORDER`]. If one of them
    /// is unbounded they show nothing: at the middle there may be no value at all.
    pub fn up_to(&self, order: usize) -> impl Iterator<Item = Range> + '_ {
        let at = (0..order).map(|k| self.at.coefficient(k));
        at.chain([self.over.coefficient(order)])
    }

    /// Its values over the piece, bounded by the coefficients.
    pub(super) fn value(&self) -> Range {
        let natural = self.over.coefficients[0];
        if self.over.length == 1 {
            return natural;
        }
        let mut sum = Range::ZERO;
        for (k, coefficient) in self.up_to(ORDER).enumerate() {
            let power = if k.is_multiple_of(2) { Range::EITHER } else { Range::SIGNS };
            sum = sum.add(if k == 0 { coefficient } else { coefficient.multiply(power) });
        }
        if sum.width().is_finite() { natural.meet(sum) } else { natural }
    }

    /// Narrows the bounds of its values over the piece.
    pub(super) fn confine(&mut self, value: Range) {
        self.over.coefficients[0] = self.over.coefficients[0].meet(value);
    }

    fn both(self, f: impl Fn(&Taylor, usize) -> Taylor) -> Series {
        Series { at: f(&self.at, ORDER), over: f(&self.over, TERMS) }
    }

    fn with(self, other: Series, f: impl Fn(&Taylor, &Taylor, usize) -> Taylor) -> Series {
        Series { at: f(&self.at, &other.at, ORDER), over: f(&self.over, &other.over, TERMS) }
    }

    pub(super) fn negate(self) -> Series {
        self.both(|x, _| x.negate())
    }

    pub(super) fn square(self) -> Series {
        self.both(Taylor::square)
    }

    /// An operation with two operands; `over` bounds its result over the piece.
    pub(super) fn binary(op: Binary, a: Series, b: Series, over: Moving, half: f64) -> Series {
        let rough =
            || Series::rough(Range::binary(op, a.at.coefficients[0], b.at.coefficients[0]), over, half);
        let values = (a.over.coefficients[0], b.over.coefficients[0]);
        match op {
            _ if a.is_constant() && b.is_constant() => rough().at_rest(),
            Binary::Add => a.with(b, Taylor::add),
            Binary::Sub => a.with(b, |a, b, terms| a.add(&b.negate(), terms)),
            Binary::Mul => a.with(b, Taylor::multiply),
            Binary::Div => a.with(b, Taylor::divide),
            Binary::Pow => match Exponent::of(&b.over) {
                Exponent::Whole(n) => a.both(|a, terms| a.whole_power(n, terms)),
                // beside zero the derivatives of some order have no bound
                _ if values.0.low <= 0.0 => rough(),
                Exponent::Constant(p) => a.both(|a, terms| a.constant_power(p, terms)),
                Exponent::Varying => a.with(b, Taylor::power),
            },
            // at the cut of the angle
            Binary::Atan2 if values.0.contains(0.0) && values.1.low <= 0.0 => rough(),
            Binary::Atan2 => a.with(b, Taylor::angle),
            Binary::Min if values.0.high <= values.1.low => a,
            Binary::Min if values.1.high <= values.0.low => b,
            Binary::Max if values.0.low >= values.1.high => a,
            Binary::Max if values.1.low >= values.0.high => b,
            Binary::Min | Binary::Max => rough(),
        }
    }

    /// An elementary function; `over` bounds its result over the piece.
    pub(super) fn call(f: Elementary, a: Series, over: Moving, half: f64) -> Series {
        let rough = || Series::rough(Range::call(f, a.at.coefficients[0]), over, half);
        let value = a.over.coefficients[0];
        match f.row().expansion {
            _ if a.is_constant() => rough().at_rest(),
            // without a value somewhere, or with a pole
            _ if over.value == Range::EVERYTHING => rough(),
            Expansion::ByDerivative | Expansion::Root => a.both(|a, terms| a.function(f, terms)),
            Expansion::Sides if value.low >= 0.0 => a,
            Expansion::Sides if value.high <= 0.0 => a.negate(),
            Expansion::Sides | Expansion::Nowhere => rough(),
        }
    }

    fn is_constant(&self) -> bool {
        self.over.length == 1
    }

    /// Drops all coefficients but the value, for results of constants.
    fn at_rest(self) -> Series {
        Series::constant(self.over.coefficients[0])
    }
}

/// The kind of an exponent.
enum Exponent {
    /// A whole number, with its sign.
    Whole(i32),
    Constant(Range),
    Varying,
}

impl Exponent {
    fn of(exponent: &Taylor) -> Exponent {
        let value = exponent.coefficients[0];
        if exponent.length > 1 {
            Exponent::Varying
        } else if value.is_point() && value.low == value.low.trunc() && value.low.abs() < 1e9 {
            Exponent::Whole(value.low as i32)
        } else {
            Exponent::Constant(value)
        }
    }
}

impl Taylor {
    fn new<const N: usize>(first: [Range; N]) -> Taylor {
        let mut coefficients = [Range::ZERO; TERMS];
        coefficients[..N].copy_from_slice(&first);
        Taylor { coefficients, length: N }
    }

    fn unknown_from<const N: usize>(first: [Range; N]) -> Taylor {
        let mut coefficients = [Range::EVERYTHING; TERMS];
        coefficients[..N].copy_from_slice(&first);
        Taylor { coefficients, length: TERMS }
    }

    fn coefficient(&self, k: usize) -> Range {
        if k < self.length { self.coefficients[k] } else { Range::ZERO }
    }

    /// An expansion with this value, whose further coefficients follow from those before them.
    fn from_value(
        value: Range,
        length: usize,
        mut next: impl FnMut(usize, &[Range; TERMS]) -> Range,
    ) -> Taylor {
        let mut result = Taylor::new([value]);
        result.length = length;
        for k in 1..length {
            result.coefficients[k] = next(k, &result.coefficients);
        }
        result
    }

    fn negate(&self) -> Taylor {
        Taylor { coefficients: self.coefficients.map(Range::negate), length: self.length }
    }

    fn add(&self, other: &Taylor, _: usize) -> Taylor {
        let (long, short) = if self.length >= other.length { (self, other) } else { (other, self) };
        let mut sum = *long;
        let terms = sum.coefficients.iter_mut().zip(&short.coefficients).take(short.length);
        terms.for_each(|(a, b)| *a = a.add(*b));
        sum
    }

    fn multiply(&self, other: &Taylor, terms: usize) -> Taylor {
        let length = (self.length + other.length - 1).min(terms);
        let mut product = Taylor { coefficients: [Range::ZERO; TERMS], length };
        for k in 0..length {
            product.coefficients[k] = self.term_of_product(other, k);
        }
        product
    }

    /// A coefficient of a product.
    fn term_of_product(&self, other: &Taylor, k: usize) -> Range {
        let own = (k + 1).saturating_sub(other.length)..=k.min(self.length - 1);
        own.map(|i| self.coefficients[i].multiply(other.coefficients[k - i])).fold(Range::ZERO, Range::add)
    }

    /// A coefficient of the square, whose products are there in pairs.
    fn term_of_square(&self, k: usize) -> Range {
        let pairs = (k + 1).saturating_sub(self.length)..k.div_ceil(2);
        let product = |i: usize| self.coefficients[i].multiply(self.coefficients[k - i]);
        let sum = pairs.map(product).fold(Range::ZERO, Range::add);
        let twice = sum.add(sum);
        if k.is_multiple_of(2) { twice.add(self.coefficient(k / 2).square()) } else { twice }
    }

    fn square(&self, terms: usize) -> Taylor {
        let length = (2 * self.length - 1).min(terms);
        Taylor::from_value(self.coefficients[0].square(), length, |k, _| self.term_of_square(k))
    }

    fn divide(&self, by: &Taylor, terms: usize) -> Taylor {
        let below = by.coefficients[0];
        let value = self.coefficients[0].divide(below);
        let length = if by.length == 1 { self.length } else { terms };
        Taylor::from_value(value, length, |k, own| {
            let products = (1..by.length.min(k + 1)).map(|i| by.coefficients[i].multiply(own[k - i]));
            self.coefficient(k).add(products.fold(Range::ZERO, Range::add).negate()).divide(below)
        })
    }

    /// By repeated squaring, for bases of either sign.
    fn whole_power(&self, exponent: i32, terms: usize) -> Taylor {
        let value = Range::binary(Binary::Pow, self.coefficients[0], Range::point(f64::from(exponent)));
        let one = Taylor::new([Range::point(1.0)]);
        let (mut product, mut square, mut left) = (one, *self, exponent.unsigned_abs());
        while left > 0 {
            if left & 1 == 1 {
                product = if product == one { square } else { product.multiply(&square, terms) };
            }
            left >>= 1;
            if left > 0 {
                square = square.square(terms);
            }
        }
        let mut power = if exponent < 0 { one.divide(&product, terms) } else { product };
        power.coefficients[0] = value.meet(power.coefficients[0]);
        power
    }

    /// `z = x^p`: `x*z' = p*z*x'`.
    fn constant_power(&self, p: Range, terms: usize) -> Taylor {
        let base = self.coefficients[0];
        let value = Range::binary(Binary::Pow, base, p);
        Taylor::from_value(value, terms, |k, own| {
            let product = |i: usize| {
                let factor = p.multiply(whole(i)).add(whole(k - i).negate());
                factor.multiply(self.coefficients[i]).multiply(own[k - i])
            };
            let sum = (1..self.length.min(k + 1)).map(product).fold(Range::ZERO, Range::add);
            sum.divide(base.multiply(whole(k)))
        })
    }

    /// `x^y = exp(y*log(x))`.
    fn power(&self, exponent: &Taylor, terms: usize) -> Taylor {
        let log = self.function(Elementary::Log, terms);
        let mut power = log.multiply(exponent, terms).function(Elementary::Exp, terms);
        let value = Range::binary(Binary::Pow, self.coefficients[0], exponent.coefficients[0]);
        power.coefficients[0] = value.meet(power.coefficients[0]);
        power
    }

    /// `k` times the coefficient `k`, for each: those of the rate.
    fn slopes(&self) -> Taylor {
        let mut slopes = *self;
        for (k, slope) in slopes.coefficients.iter_mut().enumerate() {
            *slope = slope.multiply(whole(k));
        }
        slopes
    }

    /// A coefficient of the integral of `x'*v`, where these are the slopes of `x`.
    fn integrated(&self, v: &[Range; TERMS], k: usize) -> Range {
        let products = (1..self.length.min(k + 1)).map(|i| self.coefficients[i].multiply(v[k - i]));
        products.fold(Range::ZERO, Range::add).divide(whole(k))
    }

    /// A function of one number.
    fn function(&self, f: Elementary, terms: usize) -> Taylor {
        let value = self.coefficients[0];
        match f.row().expansion {
            Expansion::ByDerivative => self.by_derivative(f, terms),
            Expansion::Root => self.root(terms),
            Expansion::Sides if value.low >= 0.0 => *self,
            Expansion::Sides if value.high <= 0.0 => self.negate(),
            Expansion::Sides | Expansion::Nowhere => Taylor::unknown_from([Range::call(f, value)]),
        }
    }

    /// `z = f(x)`: `z' = x'*v`, with `v = f'(x)` made of `x`, of `z`, or of both.
    fn by_derivative(&self, f: Elementary, terms: usize) -> Taylor {
        let value = Range::call(f, self.coefficients[0]);
        let derivative = &f.row().derivative;
        if let Some(wave) = Wave::of(f) {
            return self.wave(value, &wave, terms);
        }
        let slopes = self.slopes();
        if derivative.any(&|part| *part == Formula::Value) {
            // each coefficient of `v` follows from those of `z` before it
            let mut own = Taylor::new([value]);
            for k in 1..terms {
                let rate = derivative.at(&mut Expansions { terms: k }, self, &own);
                own.coefficients[k] = slopes.integrated(&rate.coefficients, k);
                own.length = k + 1;
            }
            return own;
        }
        let mut expansions = Expansions { terms };
        let below = match derivative {
            Formula::Binary(Binary::Div, Formula::Number(1.0), below) => {
                below.at(&mut expansions, self, self)
            }
            Formula::Negate(Formula::Binary(Binary::Div, Formula::Number(1.0), below)) => {
                below.at(&mut expansions, self, self).negate()
            }
            derivative => {
                let rate = derivative.at(&mut expansions, self, self);
                return Taylor::from_value(value, terms, |k, _| slopes.integrated(&rate.coefficients, k));
            }
        };
        quotient_integrated(value, |k| slopes.coefficient(k), &below, terms)
    }

    /// Two functions together, each the rate of the other but for signs: sine and cosine, or the hyperbolic ones.
    fn wave(&self, value: Range, wave: &Wave, terms: usize) -> Taylor {
        let slopes = self.slopes();
        let mut own = Taylor { length: terms, ..Taylor::new([value]) };
        let mut other = Taylor::new([Range::call(wave.other, self.coefficients[0])]);
        let signed = |minus: bool, change: Range| if minus { change.negate() } else { change };
        for k in 1..terms {
            own.coefficients[k] = signed(wave.is_falling, slopes.integrated(&other.coefficients, k));
            other.coefficients[k] = signed(wave.other_is_falling, slopes.integrated(&own.coefficients, k));
        }
        own
    }

    /// `z = atan2(y, x)`: `z' = (y'*x - x'*y)/(x^2 + y^2)`.
    fn angle(&self, x: &Taylor, terms: usize) -> Taylor {
        let value = Range::binary(Binary::Atan2, self.coefficients[0], x.coefficients[0]);
        let below = self.square(terms).add(&x.square(terms), terms);
        let (of_y, of_x) = (self.slopes(), x.slopes());
        let above = |k: usize| of_y.term_of_product(x, k).add(of_x.term_of_product(self, k).negate());
        quotient_integrated(value, above, &below, terms)
    }

    /// `z = sqrt(x)`: `z^2 = x`.
    fn root(&self, terms: usize) -> Taylor {
        let value = Range::call(Elementary::Sqrt, self.coefficients[0]);
        let twice = value.add(value);
        Taylor::from_value(value, terms, |k, own| {
            // without its ends, the square is that of what begins one later
            let within = (1..k).map(|i| own[i].multiply(own[k - i])).fold(Range::ZERO, Range::add);
            self.coefficient(k).add(within.negate()).divide(twice)
        })
    }
}

/// A function whose derivative is another one, whose derivative is the first one, both but for a sign.
struct Wave {
    other: Elementary,
    is_falling: bool,
    other_is_falling: bool,
}

impl Wave {
    fn of(f: Elementary) -> Option<Wave> {
        let rate = |f: Elementary| match f.row().derivative {
            Formula::Call(other, Formula::X) => Some((other, false)),
            Formula::Negate(Formula::Call(other, Formula::X)) => Some((*other, true)),
            _ => None,
        };
        let (other, is_falling) = rate(f)?;
        let (back, other_is_falling) = rate(other)?;
        (back == f).then_some(Wave { other, is_falling, other_is_falling })
    }
}

/// The algebra of expansions, for derivatives.
struct Expansions {
    terms: usize,
}

impl Algebra for Expansions {
    type Number = Taylor;

    fn constant(&mut self, value: f64) -> Taylor {
        Taylor::new([Range::point(value)])
    }

    fn nearest(&mut self, value: f64) -> Taylor {
        Taylor::new([Range::near(value)])
    }

    fn negate(&mut self, a: Taylor) -> Taylor {
        a.negate()
    }

    fn square(&mut self, a: Taylor) -> Taylor {
        a.square(self.terms)
    }

    fn binary(&mut self, op: Binary, a: Taylor, b: Taylor) -> Taylor {
        let value = Range::binary(op, a.coefficients[0], b.coefficients[0]);
        match op {
            Binary::Add => a.add(&b, self.terms),
            Binary::Sub => a.add(&b.negate(), self.terms),
            Binary::Mul => a.multiply(&b, self.terms),
            Binary::Div => a.divide(&b, self.terms),
            Binary::Pow => match Exponent::of(&b) {
                Exponent::Whole(n) => a.whole_power(n, self.terms),
                Exponent::Constant(p) => a.constant_power(p, self.terms),
                Exponent::Varying => a.power(&b, self.terms),
            },
            Binary::Atan2 | Binary::Min | Binary::Max => Taylor::unknown_from([value]),
        }
    }

    fn call(&mut self, f: Elementary, a: Taylor) -> Taylor {
        if a.length == 1 {
            return Taylor::new([Range::call(f, a.coefficients[0])]);
        }
        a.function(f, self.terms)
    }
}

/// The expansion with this value and the rate of a quotient, with the coefficients `above` of the dividend.
fn quotient_integrated(value: Range, above: impl Fn(usize) -> Range, below: &Taylor, terms: usize) -> Taylor {
    Taylor::from_value(value, terms, |k, own| {
        let product = |i: usize| own[i].multiply(whole(i)).multiply(below.coefficient(k - i));
        let known = (1..k).map(product).fold(Range::ZERO, Range::add);
        above(k).add(known.negate()).divide(below.coefficients[0].multiply(whole(k)))
    })
}

fn whole(k: usize) -> Range {
    Range::point(k as f64)
}
