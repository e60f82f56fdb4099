//! `min` and `max` as they are written (MLS §4.9): checked at the start, after each step, and after events.
//!
//! They are computed from parameters, so that each is a number for the whole run; a check costs one comparison for each. By
//! default only those written for the variable are checked, not those that a type gives all its variables.

use rhei_equations::{Limit, Scalar, number};
use rhei_model::CompiledModel;
use rhei_solve::failure::instant;
use rhei_source::{Diagnostic, Severity};
use rustc_hash::FxHashSet;

use crate::constants::{RANGE_LOCATED, RANGE_ROUNDING, RANGES_REPORTED};
use crate::options::Bounds;
use crate::running::Running;
use crate::stop::Stop;

/// Ranges of variables, by the places of their limits in the model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranges {
    watched: Vec<Watched>,
    n_said: usize,
    /// Number of ranges left beyond those reported by name.
    left_out: usize,
}

#[derive(Clone, Debug)]
struct Watched {
    place: usize,
    /// The first value beyond the range.
    border: f64,
    is_min: bool,
    variable: usize,
    /// The bound as the model has it, for messages.
    bound: f64,
}

impl Running<'_> {
    /// Evaluates the ranges for this run. Those of parameters are checked here, and never again.
    pub(crate) fn begin_ranges(&mut self, t: f64) -> Result<(), Stop> {
        if self.options.choices.bounds == Bounds::Off || self.model.equations.limits.is_empty() {
            return Ok(());
        }
        let model = self.base.clone();
        let bounds = {
            let problem = &mut self.problem;
            let computed = problem.watched(&self.model.code.limits).unwrap_or_default();
            let mut computed = computed.into_iter();
            let pool = &model.equations.pool;
            let of = |limit: &Limit| {
                let known = pool.as_number(limit.value);
                known.unwrap_or_else(|| computed.next().unwrap_or(f64::NAN))
            };
            model.equations.limits.iter().map(of).collect::<Vec<f64>>()
        };
        for (place, (limit, bound)) in model.equations.limits.iter().zip(bounds).enumerate() {
            let counts = !limit.is_of_type || self.options.choices.bounds_of_types;
            if !counts || bound.is_nan() || bound.is_infinite() {
                continue;
            }
            let variable = model.equations.variable(limit.variable);
            let room = match variable.scalar {
                Scalar::Real if variable.is_parameter() => RANGE_ROUNDING * bound.abs(),
                Scalar::Real => {
                    let nominal = self.problem.evaluator.nominal(limit.variable);
                    self.options.tolerance * nominal.max(bound.abs())
                }
                _ => 0.0,
            };
            let border = if limit.is_min { bound - room } else { bound + room };
            let (is_min, of) = (limit.is_min, limit.variable.index());
            let watched = Watched { place, border, is_min, variable: of, bound };
            if !variable.is_parameter() {
                self.ranges.watched.push(watched);
            } else if watched.is_left(&self.problem.values) {
                self.say_left(&watched, t, t)?;
            }
        }
        Ok(())
    }

    /// Checks the ranges at the point evaluated last.
    pub(crate) fn check_ranges(&mut self, t: f64) -> Result<(), Stop> {
        self.take_violated().iter().try_for_each(|watched| self.say_left(watched, t, t))
    }

    /// The same at the end of a step: the instant of leaving is located within the step. As with an assert, that has no
    /// influence on the run.
    pub(crate) fn check_ranges_of_step(&mut self, from: f64) -> Result<(), Stop> {
        if self.ranges.watched.is_empty() {
            return Ok(());
        }
        let to = self.time;
        self.evaluate_from(from, to)?;
        let mut left = Vec::new();
        for watched in self.take_violated() {
            let is_named = self.ranges.n_said + left.len() < RANGES_REPORTED;
            let since = if is_named { self.since(&watched, from, to)? } else { to };
            left.push((since, watched));
        }
        left.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        if let (Bounds::Error, Some((since, first))) = (self.options.choices.bounds, left.first()) {
            self.write_rows(from, *since, false)?;
            self.evaluate(*since)?;
            self.time = *since;
            return self.say_left(first, *since, *since);
        }
        self.evaluate(to)?;
        left.iter().try_for_each(|(since, watched)| self.say_left(watched, *since, to))
    }

    /// The instant within a step at which a variable that is beyond its range at the end leaves it.
    fn since(&mut self, watched: &Watched, from: f64, to: f64) -> Result<f64, Stop> {
        let (mut within, mut beyond) = (from, to);
        while beyond - within > RANGE_LOCATED * (to - from) {
            let middle = within + 0.5 * (beyond - within);
            if middle <= within || middle >= beyond {
                break;
            }
            self.evaluate(middle)?;
            let is_left = watched.is_left(&self.problem.values);
            *(if is_left { &mut beyond } else { &mut within }) = middle;
        }
        Ok(beyond)
    }

    /// The ranges left at the point evaluated last; they are checked no longer, nor are the other bounds of their variables.
    fn take_violated(&mut self) -> Vec<Watched> {
        let problem = &self.problem;
        if !self.ranges.watched.iter().any(|watched| watched.is_left(&problem.values)) {
            return Vec::new();
        }
        let all = std::mem::take(&mut self.ranges.watched);
        let (left, others): (Vec<Watched>, Vec<Watched>) =
            all.into_iter().partition(|watched| watched.is_left(&problem.values));
        let is_left: FxHashSet<usize> = left.iter().map(|watched| watched.variable).collect();
        self.ranges.watched = others.into_iter().filter(|other| !is_left.contains(&other.variable)).collect();
        left
    }

    /// Reports a variable that has been beyond its range since a time.
    fn say_left(&mut self, watched: &Watched, since: f64, t: f64) -> Result<(), Stop> {
        let value = self.problem.values[watched.variable];
        let said = of_left(&self.base, watched, value, since, t);
        if self.options.choices.bounds == Bounds::Error {
            return Err(Stop::Broken(Diagnostic { severity: Severity::Error, ..said }));
        }
        self.ranges.n_said += 1;
        match self.ranges.n_said {
            ..=RANGES_REPORTED => self.reports.add(said),
            _ => self.ranges.left_out += 1,
        }
        Ok(())
    }

    /// The number of further variables that left their ranges, at the end of the run.
    pub(crate) fn ranges_left_out(&self) -> Option<Diagnostic> {
        let n = self.ranges.left_out;
        (n > 0).then(|| {
            let message = format!("{n} more variables left their `min` or `max`");
            Diagnostic::warning("out-of-bounds", message)
        })
    }
}

impl Watched {
    fn is_left(&self, values: &[f64]) -> bool {
        let value = values[self.variable];
        if self.is_min { value < self.border } else { value > self.border }
    }
}

fn of_left(model: &CompiledModel, watched: &Watched, value: f64, since: f64, t: f64) -> Diagnostic {
    let limit = &model.equations.limits[watched.place];
    let variable = model.equations.variable(limit.variable);
    let (end, side) = if limit.is_min { ("min", "below") } else { ("max", "above") };
    let (name, bound) = (&variable.name, number(watched.bound));
    // as many digits as a plot shows, unless that is the bound
    let short = number(format!("{value:.5e}").parse().unwrap_or(value));
    let value = if short == bound { number(value) } else { short };
    let message = if variable.is_parameter() {
        format!("`{name}` is {value}, {side} its `{end}` of {bound}")
    } else if since < t {
        let (since, t) = (instant(since), instant(t));
        format!("`{name}` is {side} its `{end}` of {bound} from t = {since} on: it is {value} at t = {t}")
    } else {
        format!("`{name}` is {value} at t = {}, {side} its `{end}` of {bound}", instant(t))
    };
    Diagnostic::warning("out-of-bounds", message).at(limit.span, format!("`{end}` of `{name}`"))
}
