//! Mechanisms on their way through points where branches of solutions meet, or almost do: at any tolerance, by any method, a run stays on
//! its branch, or ends by the id that says why. None ends elsewhere, and none goes on without end.
//!
//! Each model says by `off` how far it is from its branch: zero there by a formula that knows no other branch.
//!
//! The whole: `cargo nextest run -p rhei-compiler --run-ignored only change_points`.

use rhei_run::Status;

use crate::workshop::{Settings, compile, run_as};
use rhei_run::Execution;

/// What a run does.
#[derive(Clone, Copy, PartialEq)]
enum Expected {
    /// It runs to its end, on its branch.
    GoesOn,
    /// Two branches meet on the way: it ends there.
    Ends,
}
use Expected::{Ends, GoesOn};

/// A crank of length one whose slider of mass two is moved by a rod.
fn slider_crank(rod: f64) -> String {
    format!(
        "model M
           parameter Real l = {rod}, m = 2;
           Real a(start = 0.7, fixed = true), w(start = 2, fixed = true), b(start = asin(sin(0.7)/l)), x, v, F1, F2;
           Real off = b - asin(max(-1, min(1, sin(a)/l)));
         equation
           der(a) = w; der(x) = v;
           cos(a) + l*cos(b) = x; sin(a) = l*sin(b);
           der(w) = -sin(a)*F1 + cos(a)*F2; m*der(v) = -F1;
           F1*sin(b) + F2*cos(b) = 0;
         end M;"
    )
}

/// The same with a spring in place of the mass: no constraint is differentiated.
fn crank_on_spring(rod: f64) -> String {
    format!(
        "model M
           parameter Real l = {rod}, c = 0.5;
           Real a(start = 0.7, fixed = true), w(start = 2, fixed = true), b(start = asin(sin(0.7)/l)), x, F1, F2;
           Real off = b - asin(max(-1, min(1, sin(a)/l)));
         equation
           der(a) = w;
           cos(a) + l*cos(b) = x; sin(a) = l*sin(b);
           der(w) = -sin(a)*F1 + cos(a)*F2; F1 = -c*x;
           F1*sin(b) + F2*cos(b) = 0;
         end M;"
    )
}

/// An angle by the sine of another.
fn sines(share: f64) -> String {
    format!(
        "model M
           Real a(start = 0.3, fixed = true), b(start = 0.3), z(start = 0, fixed = true);
           Real off = b - asin({share}*sin(a));
         equation
           der(a) = 1; sin(b) = {share}*sin(a); der(z) = cos(b);
         end M;"
    )
}

const LEMNISCATE: &str = "model M
    Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 1, fixed = true), F;
    Real off = 0;
  equation
    der(x) = vx; der(y) = vy;
    der(vx) = F*(4*x*(x^2 + y^2) - 2*x); der(vy) = F*(4*y*(x^2 + y^2) + 2*y);
    (x^2 + y^2)^2 = x^2 - y^2;
  end M;";

const PARALLELOGRAM: &str = "model M
    Real x1(start = cos(1), fixed = true), y1(start = sin(1)), x2(start = 2 + cos(1)), y2(start = sin(1));
    Real vx1(start = -sin(1), fixed = true), vy1, vx2, vy2, l1, l2, l3;
    Real off = 0;
  equation
    der(x1) = vx1; der(y1) = vy1; der(x2) = vx2; der(y2) = vy2;
    x1^2 + y1^2 = 1; (x2 - 2)^2 + y2^2 = 1; (x2 - x1)^2 + (y2 - y1)^2 = 4;
    der(vx1) = l1*x1 - l3*(x2 - x1); der(vy1) = l1*y1 - l3*(y2 - y1);
    der(vx2) = l2*(x2 - 2) + l3*(x2 - x1); der(vy2) = l2*y2 + l3*(y2 - y1);
  end M;";

fn cube(select: &str) -> String {
    format!(
        "model M
           Real x(start = -1, fixed = true), y(stateSelect = StateSelect.{select});
           Real off = x - (time - 1);
         equation
           der(x) = 1; y = x^3;
         end M;"
    )
}

const CUBE_ROOT: &str = "model M
    Real z(start = -1), s(start = 0, fixed = true);
    Real off = z - (if noEvent(time < 1) then -1 else 1)*abs(time - 1)^(1/3);
  equation
    z^3 = time - 1; der(s) = z;
  end M;";

const STRUT: &str = "model M
    Real z(start = 0), s(start = 0, fixed = true);
    Real off = z;
  equation
    z^3 = (time - 1)*z; der(s) = z;
  end M;";

const PENDULUM: &str = "model M
    Real x(start = 0, fixed = true), y(start = -1), vx(start = 7, fixed = true), vy, T;
    Real off = (vx^2 + vy^2)/49 + 2*9.81*(y + 1)/49 - 1;
  equation
    der(x) = vx; der(y) = vy; der(vx) = T*x; der(vy) = T*y - 9.81;
    x^2 + y^2 = 1;
  end M;";

fn mechanisms() -> Vec<(&'static str, String, Expected)> {
    vec![
        ("a crank almost as long as its rod", slider_crank(1.0001), GoesOn),
        ("a crank as long as its rod", slider_crank(1.0), Ends),
        ("a crank on a spring", crank_on_spring(1.001), GoesOn),
        ("a crank as long as its rod on a spring", crank_on_spring(1.0), Ends),
        ("sines", sines(0.9999), GoesOn),
        ("equal sines", sines(1.0), Ends),
        ("a figure of eight", LEMNISCATE.into(), Ends),
        ("a parallelogram", PARALLELOGRAM.into(), Ends),
        ("a cube that may be a state", cube("prefer"), GoesOn),
        ("a cube that has to be a state", cube("always"), Ends),
        ("a cube root", CUBE_ROOT.into(), GoesOn),
        ("a strut that buckles", STRUT.into(), Ends),
        ("a pendulum that turns over", PENDULUM.into(), GoesOn),
    ]
}

/// More steps than any of these runs needs: one that goes on without end is seen.
const MOST_STEPS: u64 = 2_000_000;

/// Runs all of them; answers how many runs ended, went on, and the steps of all.
fn check(tolerances: &[f64]) -> (usize, usize, u64) {
    let (mut ended, mut went_on, mut steps) = (0, 0, 0);
    for (name, text, expected) in mechanisms() {
        let (done, _) = compile(&text);
        let model = done.model.unwrap_or_else(|| panic!("{name} is refused: {:?}", done.diagnostics));
        for &tolerance in tolerances {
            for method in ["bdf", "esdirk34", "tr-bdf2", "tsit45"] {
                let what = format!("{name} with {method} at {tolerance:e}");
                let settings =
                    Settings::parse(&format!("stop=4 tolerance={tolerance} method={method}")).unwrap();
                let times = (0..=400).map(|row| f64::from(row) / 100.0).collect();
                let (outcome, rows) = run_as(&model, &settings, times, Execution::Interpreted);
                steps += outcome.statistics.steps;
                assert!(outcome.statistics.steps < MOST_STEPS, "{what}: {} steps", outcome.statistics.steps);
                let off = rows.get("off").expect("it is recorded");
                let worst = off.iter().fold(0.0, |worst: f64, off| worst.max(off.abs()));
                // a branch is left at once, by more than any of these errors
                let allowed = f64::max(1e-5, 2e3 * tolerance);
                assert!(worst < allowed, "{what}: off by {worst}");
                match expected {
                    GoesOn => {
                        assert_eq!(outcome.status, Status::Finished, "{what}: {:?}", outcome.diagnostics);
                        went_on += 1;
                    }
                    Ends => {
                        let ids = outcome.diagnostics.iter().map(|said| said.id);
                        let is_named = |id| id == "state-choice-singular" || id == "state-set-singular";
                        assert!(
                            outcome.status == Status::Failed && ids.clone().any(is_named),
                            "{what}: {:?} at {} with {:?}",
                            outcome.status,
                            outcome.time,
                            ids.collect::<Vec<_>>()
                        );
                        ended += 1;
                    }
                }
            }
        }
    }
    (ended, went_on, steps)
}

#[test]
fn runs_stay_on_their_branches_or_end() {
    check(&[1e-4, 1e-7]);
}

#[test]
#[ignore = "minutes"]
fn runs_stay_on_their_branches_or_end_at_all_tolerances() {
    let (ended, went_on, steps) = check(&[1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10]);
    println!("{ended} runs ended where branches meet, {went_on} went on along theirs, {steps} steps in all");
}

#[test]
fn an_ordinary_pendulum_pays_nothing() {
    let (done, _) = compile(PENDULUM);
    let model = done.model.expect("it compiles");
    let settings = Settings::parse("stop=10 tolerance=1e-8").unwrap();
    let (outcome, _) = run_as(&model, &settings, vec![0.0, 10.0], Execution::Interpreted);
    let (evaluations, steps) = (outcome.evaluations, outcome.statistics.steps);
    assert!(evaluations <= steps + steps / 50 + 10, "{evaluations} evaluations in {steps} steps");
}
