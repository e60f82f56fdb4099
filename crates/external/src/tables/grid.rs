//! Abscissae, and how points of them make up a value between or outside of them.
//!
//! Every kind of interpolation is a sum over at most two points: of their values and, for cubic curves, of their slopes, each
//! with a weight that depends on the abscissa alone ([`Term`]). A table of two dimensions is the product of two such sums.

use rhei_evaluate::Failure;
use rhei_source::Span;

/// `Modelica.Blocks.Types.Smoothness`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Smoothness {
    Linear,
    Akima,
    Constant,
    FritschButland,
    Steffen,
    ModifiedAkima,
}

impl Smoothness {
    /// Whether the curve between points is a cubic polynomial, given by values and slopes at both ends.
    pub(crate) fn is_cubic(self) -> bool {
        !matches!(self, Smoothness::Linear | Smoothness::Constant)
    }
}

/// `Modelica.Blocks.Types.Extrapolation`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extrapolation {
    Hold,
    LastTwoPoints,
    Periodic,
    None,
}

/// An abscissa for which the table says nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outside {
    /// Below the first or above the last.
    Of { at: f64, first: f64, last: f64 },
    /// There is no such column.
    Column(i64),
}

impl Outside {
    pub(crate) fn failure(self, span: Span) -> Failure {
        let what = match self {
            Outside::Of { at, first, last } => {
                format!(
                    "{at} is outside of the table, which goes from {first} to {last} and has no extrapolation"
                )
            }
            Outside::Column(column) => format!("the table has no output {column}"),
        };
        Failure::WrongArgument { what, span }
    }
}

/// Contribution of a point to a value: its own value and its slope, times these weights. Each with the first and
/// second derivative by the abscissa.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Term {
    pub(crate) point: usize,
    pub(crate) value: [f64; 3],
    pub(crate) slope: [f64; 3],
}

/// Abscissae in rising order; two equal ones stand for a jump.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grid {
    pub(crate) x: Vec<f64>,
    pub(crate) smoothness: Smoothness,
    pub(crate) extrapolation: Extrapolation,
}

impl Grid {
    /// Why these cannot be abscissae, or the grid.
    pub(crate) fn new(
        x: Vec<f64>,
        smoothness: Smoothness,
        extrapolation: Extrapolation,
    ) -> Result<Grid, String> {
        if x.is_empty() {
            return Err("a table needs at least one row of numbers".into());
        }
        for pair in x.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let is_rising = if smoothness.is_cubic() { a < b } else { a <= b };
            if !is_rising {
                let how = if smoothness.is_cubic() { "rise strictly" } else { "not fall" };
                return Err(format!("the abscissae of a table must {how}, and {b} follows {a}"));
            }
        }
        Ok(Grid { x, smoothness, extrapolation })
    }

    pub(crate) fn first(&self) -> f64 {
        self.x[0]
    }

    pub(crate) fn last(&self) -> f64 {
        self.x[self.x.len() - 1]
    }

    /// The interval in which `x` lies, by its lower end: the last one that begins at or before it, and not above the table.
    pub(crate) fn interval(&self, x: f64) -> usize {
        let after = self.x.partition_point(|&point| point <= x);
        let last = self.x.len().saturating_sub(2);
        let found = after.saturating_sub(1).min(last);
        // the end of the table, where a jump stands there: the last interval of some length
        let mut lower = found;
        while lower > 0 && self.x[lower] == self.x[lower + 1] {
            lower -= 1;
        }
        lower
    }

    /// The sum for an abscissa anywhere.
    pub(crate) fn at(&self, x: f64) -> Result<[Term; 2], Outside> {
        if self.x.len() == 1 {
            return Ok([self.constant(0), Term::default()]);
        }
        let (first, last) = (self.first(), self.last());
        if self.extrapolation == Extrapolation::Periodic && last > first {
            return Ok(self.inside(x - self.periods_before(x) * (last - first)));
        }
        if x < first {
            self.below(x)
        } else if x > last {
            self.above(x)
        } else {
            Ok(self.inside(x))
        }
    }

    /// How many periods lie between the table and `x`.
    pub(crate) fn periods_before(&self, x: f64) -> f64 {
        let (first, last) = (self.first(), self.last());
        if x >= first && x <= last { 0.0 } else { ((x - first) / (last - first)).floor() }
    }

    fn inside(&self, x: f64) -> [Term; 2] {
        let is_end = x >= self.last();
        if is_end && self.smoothness == Smoothness::Constant {
            return [self.constant(self.x.len() - 1), Term::default()];
        }
        self.within(self.interval(x), x)
    }

    /// The sum of an interval, also for an abscissa a little outside of it.
    pub(crate) fn within(&self, interval: usize, x: f64) -> [Term; 2] {
        let width = self.x[interval + 1] - self.x[interval];
        if self.smoothness == Smoothness::Constant || width <= 0.0 {
            return [self.constant(interval), Term::default()];
        }
        let s = (x - self.x[interval]) / width;
        if self.smoothness == Smoothness::Linear {
            let term = |point, value| Term { point, value, slope: [0.0; 3] };
            return [term(interval, [1.0 - s, -1.0 / width, 0.0]), term(interval + 1, [s, 1.0 / width, 0.0])];
        }
        hermite(interval, s, width)
    }

    /// Below the table.
    pub(crate) fn below(&self, x: f64) -> Result<[Term; 2], Outside> {
        self.beyond(x, 0, 0)
    }

    /// Above the table.
    pub(crate) fn above(&self, x: f64) -> Result<[Term; 2], Outside> {
        let n = self.x.len();
        self.beyond(x, n - 1, n.saturating_sub(2))
    }

    /// Outside, next to the point `end` of the interval `interval`.
    fn beyond(&self, x: f64, end: usize, interval: usize) -> Result<[Term; 2], Outside> {
        match self.extrapolation {
            Extrapolation::None if x < self.first() || x > self.last() => {
                Err(Outside::Of { at: x, first: self.first(), last: self.last() })
            }
            Extrapolation::LastTwoPoints if self.x.len() > 1 => Ok(self.straight(x, end, interval)),
            _ => Ok([self.constant(end), Term::default()]),
        }
    }

    /// On with the slope at the end; a jump there has none.
    fn straight(&self, x: f64, end: usize, interval: usize) -> [Term; 2] {
        let beyond = x - self.x[end];
        if self.smoothness.is_cubic() {
            let term = Term { point: end, value: [1.0, 0.0, 0.0], slope: [beyond, 1.0, 0.0] };
            return [term, Term::default()];
        }
        let width = self.x[interval + 1] - self.x[interval];
        if width <= 0.0 {
            return [self.constant(end), Term::default()];
        }
        let s = (x - self.x[interval]) / width;
        let term = |point, value| Term { point, value, slope: [0.0; 3] };
        [term(interval, [1.0 - s, -1.0 / width, 0.0]), term(interval + 1, [s, 1.0 / width, 0.0])]
    }

    /// The value of one point, whatever the abscissa.
    pub(crate) fn constant(&self, point: usize) -> Term {
        Term { point, value: [1.0, 0.0, 0.0], slope: [0.0; 3] }
    }
}

/// The cubic polynomial through two points with slopes there (Hermite's form), `s` from 0 to 1.
fn hermite(interval: usize, s: f64, width: f64) -> [Term; 2] {
    let r = 1.0 - s;
    let by = |value: f64, slope: f64, bend: f64| [value, slope / width, bend / (width * width)];
    let start = Term {
        point: interval,
        value: by((1.0 + 2.0 * s) * r * r, -6.0 * s * r, 12.0 * s - 6.0),
        slope: by(s * r * r, r * (1.0 - 3.0 * s), 6.0 * s - 4.0).map(|w| w * width),
    };
    let end = Term {
        point: interval + 1,
        value: by(s * s * (3.0 - 2.0 * s), 6.0 * s * r, 6.0 - 12.0 * s),
        slope: by(-s * s * r, s * (3.0 * s - 2.0), 6.0 * s - 2.0).map(|w| w * width),
    };
    [start, end]
}
