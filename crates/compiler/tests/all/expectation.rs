//! Numbers that are expected of a run.
//!
//! `at t=2: h = 0.3162 ± 1e-4` speaks of one time, `x^2 + y^2 = 1 ± 1e-6` of every row. Both sides are formulas; the
//! tolerance is absolute, or in percent of the right side (`± 0.1%`).

use rhei_results::Trajectories;

use crate::formula::evaluate;

/// Rows over the run where something is expected of every one.
const ROWS: usize = 100;

/// One line.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// As it is written, for the message.
    pub text: String,
    /// `None` for every row.
    at: Option<f64>,
    left: String,
    right: String,
    tolerance: Tolerance,
}

#[derive(Clone, Copy, Debug)]
enum Tolerance {
    Absolute(f64),
    Relative(f64),
}

impl Expectation {
    /// Reads a line.
    pub fn parse(line: &str) -> Result<Expectation, String> {
        let text = line.trim();
        let (at, claim) = match text.strip_prefix("at ") {
            Some(rest) => {
                let (time, claim) = rest.split_once(':').ok_or("`:` is missing after the time")?;
                let time = time.trim().strip_prefix("t").map(str::trim_start);
                let time = time.and_then(|time| time.strip_prefix('=')).ok_or("a time is written `t=2`")?;
                (Some(evaluate(time, &|_| None)?), claim)
            }
            None => (None, text),
        };
        let (claim, tolerance) = claim.split_once('±').ok_or("a tolerance is missing: `± 1e-6`")?;
        let (left, right) = claim.split_once('=').ok_or("`=` is missing")?;
        let number = |text: &str| {
            let found = text.trim().parse::<f64>().ok().filter(|tolerance| *tolerance >= 0.0);
            found.ok_or_else(|| format!("`{}` is not a tolerance", text.trim()))
        };
        let tolerance = match tolerance.trim().strip_suffix('%') {
            Some(percent) => Tolerance::Relative(number(percent)? / 100.0),
            None => Tolerance::Absolute(number(tolerance)?),
        };
        let (left, right) = (left.trim().to_owned(), right.trim().to_owned());
        Ok(Expectation { text: text.to_owned(), at, left, right, tolerance })
    }

    /// Checks these rows; an error is the text of a failure.
    pub fn check(&self, rows: &Trajectories) -> Result<(), String> {
        let mut seen = false;
        for (row, &t) in rows.time().iter().enumerate() {
            if self.at.is_some_and(|at| at != t) {
                continue;
            }
            seen = true;
            let lookup = |name: &str| rows.get(name).map(|values| values[row]);
            let (left, right) = (evaluate(&self.left, &lookup)?, evaluate(&self.right, &lookup)?);
            let allowed = match self.tolerance {
                Tolerance::Absolute(allowed) => allowed,
                Tolerance::Relative(part) => part * right.abs(),
            };
            let off = (left - right).abs();
            // what is no number fits nothing
            if off.is_nan() || off > allowed {
                return Err(format!(
                    "at t = {t}, {} is {left} and not {right}: off by {off:.2e}, allowed is {allowed:.0e}",
                    self.left
                ));
            }
        }
        if seen { Ok(()) } else { Err("there is no row at this time".into()) }
    }
}

/// When rows are needed to check all of these: where one speaks of every row, rows are spread over the run.
pub fn times(expectations: &[Expectation], start: f64, stop: f64) -> Vec<f64> {
    let mut times: Vec<f64> = expectations.iter().filter_map(|expectation| expectation.at).collect();
    if expectations.iter().any(|expectation| expectation.at.is_none()) {
        times.extend((0..ROWS).map(|i| start + (stop - start) * i as f64 / ROWS as f64));
        times.push(stop);
    }
    times.retain(|t| (start..=stop).contains(t));
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

#[test]
fn what_does_not_fit_is_said() {
    let mut columns = rhei_results::Columns::new();
    columns.add("x", rhei_results::Kind::Continuous);
    let mut rows = Trajectories::new(columns);
    rows.push(0.0, &[1.0]);
    rows.push(2.0, &[4.0]);
    let check = |line: &str| Expectation::parse(line).and_then(|expectation| expectation.check(&rows));
    assert_eq!(check("at t=2: x = 4.1 ± 0.2"), Ok(()));
    assert_eq!(check("x = 1 + 1.5*time ± 0"), Ok(()));
    assert_eq!(check("at t=1+1: x = 4.01 ± 1%"), Ok(()));
    assert_eq!(
        check("x = 1 ± 1e-6").unwrap_err(),
        "at t = 2, x is 4 and not 1: off by 3.00e0, allowed is 1e-6"
    );
    assert_eq!(check("at t=1: x = 1 ± 1").unwrap_err(), "there is no row at this time");
    assert!(check("x = sqrt(-1) ± 1").is_err(), "what is no number fits nothing");
    assert!(check("x = 1").unwrap_err().contains("tolerance"));
}
