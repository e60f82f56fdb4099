//! Problems of textbooks with known solutions, one per file of `tests/models`, and the work they take.

use expect_test::expect;
use rhei_numerics::Method;
use rhei_run::Status;

use crate::expectation::{Expectation, times};
use crate::workshop::{Settings, compile, read, root, run};

/// A file, the settings of its run, and what must come out.
type Problem = (&'static str, &'static str, &'static [&'static str]);

const PROBLEMS: &[Problem] = &[
    (
        "HarmonicOscillator",
        "stop=10 tolerance=1e-8",
        &["x = cos(2*time) ± 1e-5", "v = -2*sin(2*time) ± 1e-5"],
    ),
    ("LogisticGrowth", "stop=20 tolerance=1e-8", &["N = 100/(1 + 24*exp(-0.5*time)) ± 1e-4"]),
    (
        "LotkaVolterra",
        "stop=20 tolerance=1e-9",
        &["x - log(x) + y - log(y) = 3 - log(2) ± 1e-6", "at t=0: x + y = 3 ± 0"],
    ),
    // algebraic loops: without and with states
    ("DiodeClamp", "stop=6", &["residual = 0 ± 1e-9", "i = 1e-9*(exp(v/0.025) - 1) ± 1e-9"]),
    ("ImplicitDecay", "stop=5 tolerance=1e-9", &["t = time ± 1e-6", "y^3 + y = x ± 1e-9"]),
    (
        "Kepler",
        "stop=6.283185307179586 tolerance=1e-10",
        &[
            // energy and angular momentum
            "(v[1]^2 + v[2]^2)/2 - 1/distance = -0.5 ± 1e-7",
            "r[1]*v[2] - r[2]*v[1] = 0.8 ± 1e-7",
            // half the period is at the aphelion, the whole one at the start
            "at t=pi: r[1] = -1.6 ± 1e-6",
            "at t=2*pi: r[1] = 0.4 ± 1e-6",
            "at t=2*pi: r[2] = 0 ± 1e-6",
        ],
    ),
    (
        "Hires",
        "stop=321.8122 tolerance=1e-8",
        &[
            "at t=321.8122: y[1] = 0.7371312573325668e-3 ± 0.001%",
            "at t=321.8122: y[2] = 0.1442485726316185e-3 ± 0.001%",
            "at t=321.8122: y[3] = 0.5888729740967575e-4 ± 0.001%",
            "at t=321.8122: y[4] = 0.1175651343283149e-2 ± 0.001%",
            "at t=321.8122: y[5] = 0.2386356198831331e-2 ± 0.001%",
            "at t=321.8122: y[6] = 0.6238968252742796e-2 ± 0.001%",
            "at t=321.8122: y[7] = 0.2849998395185769e-2 ± 0.001%",
            "at t=321.8122: y[8] = 0.2850001604814231e-2 ± 0.001%",
            "y[7] + y[8] = 0.0057 ± 1e-9",
        ],
    ),
    (
        "Oregonator",
        "stop=360 tolerance=1e-8",
        &[
            "at t=360: y[1] = 1.000814870318523 ± 0.001%",
            "at t=360: y[2] = 1228.178521549917 ± 0.001%",
            "at t=360: y[3] = 132.0554942846706 ± 0.001%",
        ],
    ),
    (
        "VanDerPol",
        "stop=2000 tolerance=1e-8",
        &["at t=2000: x = 1.706167732170469 ± 0.001%", "at t=2000: y = -0.8928097010248125e-3 ± 0.001%"],
    ),
    (
        "Robertson",
        "stop=40 tolerance=1e-8",
        &[
            "at t=40: y[1] = 0.7158270688 ± 0.001%",
            "at t=40: y[2] = 0.9185534765e-5 ± 0.001%",
            "at t=40: y[3] = 0.2841637457 ± 0.001%",
            "y[1] + y[2] + y[3] = 1 ± 1e-10",
        ],
    ),
    (
        "LowPass",
        "stop=0.05 tolerance=1e-8",
        &[
            "v = (sin(500*time) - 0.5*cos(500*time) + 0.5*exp(-1000*time))/1.25 ± 1e-6",
            "1000*current = source - v ± 1e-12",
        ],
    ),
    (
        "FallingBody",
        "stop=20 tolerance=1e-8",
        &[
            "speed = vt*tanh(g*time/vt) ± 1e-4",
            "depth = vt^2/g*log(cosh(g*time/vt)) ± 1e-3",
            "m*der(speed) + drag = m*g ± 1e-9",
        ],
    ),
    (
        "DecayChain",
        "stop=4 tolerance=1e-8",
        &[
            "A = exp(-2*time) ± 1e-6",
            "B = 2/1.5*(exp(-0.5*time) - exp(-2*time)) ± 1e-6",
            "A + B + C = 1 ± 1e-15",
        ],
    ),
    (
        "HeatRod",
        "stop=0.5 tolerance=1e-8",
        &[
            "T[10] = exp(-1600*sin(pi/40)^2*time) ± 1e-6",
            "T[3] = sin(3*pi/20)*exp(-1600*sin(pi/40)^2*time) ± 1e-6",
            "T[3] = T[17] ± 1e-9",
        ],
    ),
];

fn check(file: &str, settings: &str, expected: &[&str]) -> Vec<String> {
    let (done, _) = compile(&read(format!("tests/models/{file}.mo")));
    let Some(model) = done.model else {
        return done.diagnostics.iter().map(|diagnostic| format!("{file}: {}", diagnostic.message)).collect();
    };
    let settings = Settings::parse(settings).unwrap();
    let (start, stop) = settings.span(&model.equations.experiment);
    let expected: Vec<Expectation> = expected.iter().map(|line| Expectation::parse(line).unwrap()).collect();
    let (outcome, rows) = run(&model, &settings, times(&expected, start, stop));
    let mut failures: Vec<String> =
        outcome.diagnostics.iter().map(|diagnostic| format!("{file}: {}", diagnostic.message)).collect();
    for expectation in &expected {
        if let Err(message) = expectation.check(&rows) {
            failures.push(format!("{file}: `{}`: {message}", expectation.text));
        }
    }
    failures
}

#[test]
fn solutions_are_those_of_the_books() {
    let failures: Vec<String> =
        PROBLEMS.iter().flat_map(|(file, settings, expected)| check(file, settings, expected)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_model_is_a_problem() {
    let entries = std::fs::read_dir(root().join("tests/models")).expect("there are models");
    let mut found: Vec<String> = entries
        .filter_map(|entry| {
            entry.ok()?.file_name().into_string().ok()?.strip_suffix(".mo").map(str::to_owned)
        })
        .collect();
    found.sort();
    let mut known: Vec<&str> = PROBLEMS.iter().map(|(file, ..)| *file).collect();
    known.sort_unstable();
    assert_eq!(found, known);
}

/// The work of a method for each problem: a speed test without a clock.
fn work(method: Method, left_out: &[&str]) -> String {
    let mut table = String::new();
    for (file, settings, _) in PROBLEMS.iter().filter(|(file, ..)| !left_out.contains(file)) {
        let (done, _) = compile(&read(format!("tests/models/{file}.mo")));
        let model = done.model.unwrap();
        let settings =
            Settings { method: Some(method), tolerance: Some(1e-6), ..Settings::parse(settings).unwrap() };
        let (outcome, _) = run(&model, &settings, Vec::new());
        assert_eq!(outcome.status, Status::Finished, "{file} with {method}");
        let s = outcome.statistics;
        table += &format!(
            "{file:18} steps {:5}  rejected {:4}  newton {:5}  jacobians {:3}\n",
            s.steps, s.rejected, s.newton_iterations, s.jacobians
        );
    }
    table
}

#[test]
fn the_work_of_bdf() {
    expect![[r#"
        HarmonicOscillator steps   220  rejected    0  newton   251  jacobians   5
        LogisticGrowth     steps    96  rejected    2  newton   141  jacobians   2
        LotkaVolterra      steps   327  rejected   11  newton   459  jacobians   7
        DiodeClamp         steps     0  rejected    0  newton     0  jacobians   0
        ImplicitDecay      steps    29  rejected    3  newton    48  jacobians   1
        Kepler             steps   176  rejected   13  newton   247  jacobians   4
        Hires              steps   402  rejected   19  newton   877  jacobians  10
        Oregonator         steps  1722  rejected  171  newton  4236  jacobians  52
        VanDerPol          steps  1400  rejected  127  newton  3027  jacobians  30
        Robertson          steps   184  rejected    9  newton   350  jacobians   4
        LowPass            steps   274  rejected   27  newton   376  jacobians   6
        FallingBody        steps    92  rejected    0  newton   107  jacobians   2
        DecayChain         steps    77  rejected    2  newton    94  jacobians   2
        HeatRod            steps    60  rejected    1  newton    74  jacobians   2
    "#]]
    .assert_eq(&work(Method::Bdf, &[]));
}

#[test]
fn the_work_of_esdirk34() {
    expect![[r#"
        HarmonicOscillator steps   488  rejected    0  newton  1806  jacobians  12
        LogisticGrowth     steps   170  rejected    2  newton  1243  jacobians   5
        LotkaVolterra      steps   576  rejected    2  newton  4240  jacobians  13
        DiodeClamp         steps     0  rejected    0  newton     0  jacobians   0
        ImplicitDecay      steps    28  rejected    0  newton   211  jacobians   2
        Kepler             steps   272  rejected    0  newton  2303  jacobians   7
        Hires              steps   792  rejected   22  newton  6425  jacobians  30
        Oregonator         steps  3708  rejected   48  newton 31526  jacobians 100
        VanDerPol          steps  2755  rejected   66  newton 22402  jacobians  85
        Robertson          steps   240  rejected    7  newton  2270  jacobians   8
        LowPass            steps   814  rejected   30  newton  3374  jacobians  19
        FallingBody        steps   180  rejected    0  newton  1082  jacobians   5
        DecayChain         steps   148  rejected    0  newton   530  jacobians   4
        HeatRod            steps   104  rejected    0  newton   372  jacobians   4
    "#]]
    .assert_eq(&work(Method::Esdirk34, &[]));
}

#[test]
fn the_work_of_tsit45() {
    expect![[r#"
        HarmonicOscillator steps    70  rejected    0  newton     0  jacobians   0
        LogisticGrowth     steps    24  rejected    2  newton     0  jacobians   0
        LotkaVolterra      steps    62  rejected   14  newton     0  jacobians   0
        DiodeClamp         steps     0  rejected    0  newton     0  jacobians   0
        ImplicitDecay      steps     6  rejected    2  newton     0  jacobians   0
        Kepler             steps    35  rejected   13  newton     0  jacobians   0
        LowPass            steps   111  rejected   10  newton     0  jacobians   0
        FallingBody        steps    19  rejected    1  newton     0  jacobians   0
        DecayChain         steps    18  rejected    0  newton     0  jacobians   0
        HeatRod            steps   215  rejected   19  newton     0  jacobians   0
    "#]]
    .assert_eq(&work(Method::Tsit45, &["Hires", "Oregonator", "Robertson", "VanDerPol"]));
}

/// Half the step, a sixteenth of the error, from the text of the model to the last row.
#[test]
fn rk4_is_of_order_four() {
    let (done, _) = compile(&read("tests/models/HarmonicOscillator.mo"));
    let model = done.model.unwrap();
    let error = |step: f64| {
        let settings =
            Settings { method: Some(Method::Rk4), step: Some(step), stop: Some(2.0), ..Settings::default() };
        let (_, rows) = run(&model, &settings, vec![2.0]);
        (rows.get("x").unwrap()[0] - 4.0_f64.cos()).abs()
    };
    let orders = [0.1, 0.05, 0.025].map(|step| (error(step) / error(step / 2.0)).log2());
    assert!(orders.iter().all(|order| (order - 4.0).abs() < 0.15), "{orders:?}");
}
