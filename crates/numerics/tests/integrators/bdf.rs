//! Our BDF beside that of diffsol, and what it alone can: keep its past across events and changes of variables.

use std::cell::Cell;
use std::rc::Rc;

use expect_test::expect;
use rhei_numerics::{Method, Settings};

use crate::problems::{Integration, Ode, circle, heat, hires, oregonator, robertson, run, van_der_pol};
use crate::tolerance::problems;

/// The most steps that ours may take for one of diffsol's.
const MOST: f64 = 1.3;

/// A problem with its start and the nominal values of its states.
struct Task {
    name: &'static str,
    ode: Box<dyn Fn() -> Ode>,
    start: Vec<f64>,
    nominal: Vec<f64>,
    stop: f64,
}

impl Task {
    fn steps(&self, method: Method, tolerance: f64) -> u64 {
        let settings = Settings::new(tolerance, &self.nominal, self.stop);
        let mut integrator = (self.ode)().start(method, 0.0, &self.start, settings).unwrap();
        run(&mut integrator).unwrap();
        integrator.statistics().steps
    }
}

fn tasks() -> Vec<Task> {
    let mut tasks: Vec<Task> = (0..problems().len())
        .map(|k| {
            let known = problems().swap_remove(k);
            let start = (known.solution)(0.0);
            let nominal = vec![1.0; start.len()];
            let ode = Box::new(move || problems().swap_remove(k).ode);
            Task { name: known.name, ode, start, nominal, stop: known.stop }
        })
        .collect();
    let mut stiff = |name, ode: fn() -> Ode, start: &[f64], nominal: &[f64], stop| {
        let (start, nominal) = (start.to_vec(), nominal.to_vec());
        tasks.push(Task { name, ode: Box::new(ode), start, nominal, stop });
    };
    stiff("Robertson", robertson, &[1.0, 0.0, 0.0], &[1.0, 1e-4, 1.0], 4e4);
    stiff("van der Pol", van_der_pol, &[2.0, 0.0], &[1.0, 1e-3], 2000.0);
    let hires_start = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057];
    stiff("HIRES", hires, &hires_start, &[1e-3; 8], 321.8122);
    stiff("Oregonator", oregonator, &[1.0, 2.0, 3.0], &[1.0; 3], 360.0);
    stiff("fast oscillation, damped", damped_oscillation, &[1.0; 6], &[1.0; 6], 20.0);
    stiff("heat in 300 cells", || heat(300).0, &heat(300).1, &[1.0; 300], 0.1);
    stiff("a hundred turns", circle, &[1.0, 0.0], &[1.0; 2], 200.0 * std::f64::consts::PI);
    tasks
}

/// Problem B5 of Enright, Hull and Lindberg (1975): eigenvalues of -10 ± 100i, at which formulas of order 4 and 5 are not stable
/// for steps that the slow rest would allow.
fn damped_oscillation() -> Ode {
    Ode::new(6, |_, y, dy| {
        dy[0] = -10.0 * y[0] + 100.0 * y[1];
        dy[1] = -100.0 * y[0] - 10.0 * y[1];
        for (i, rate) in [4.0, 1.0, 0.5, 0.1].into_iter().enumerate() {
            dy[i + 2] = -rate * y[i + 2];
        }
    })
}

#[test]
fn steps_beside_diffsol() {
    let mut table = String::new();
    for task in tasks() {
        table += &format!("{:40}", task.name);
        for tolerance in [1e-4, 1e-6, 1e-8] {
            let (ours, theirs) = (task.steps(Method::FlcBdf, tolerance), task.steps(Method::Bdf, tolerance));
            table += &format!("{ours:7} {theirs:6}");
            assert!(ours as f64 <= MOST * theirs as f64, "{} at {tolerance:e}: {ours}, {theirs}", task.name);
        }
        table += "\n";
    }
    expect![[r#"
        linear, coefficients vary with time          81     77    189    176    428    354
        nonlinear, saturating                        42     40     82     81    185    168
        oscillation without damping                  52     52    119    112    283    286
        stiff, follows an input                      58     62    117    120    277    231
        diffusion in twenty cells                    16     18     31     34     63     64
        stiff and nonlinear                          38     42     84     81    168    165
        nonlinear, coefficients vary with time       53     56    103    115    233    213
        damped, driven by a sine                    261    243    569    530   1358   1086
        Robertson                                   157    164    340    323    738    655
        van der Pol                                 698    641   1553   1429   3860   3012
        HIRES                                       170    173    384    394    833    806
        Oregonator                                  765    762   1760   1681   4268   3639
        fast oscillation, damped                    301   1189    823    920   2764   2699
        heat in 300 cells                            11     14     21     27     43     43
        a hundred turns                            2776   2525   6689   6087  16614  16671
    "#]]
    .assert_eq(&table);
}

/// A state that follows its own curve, `1 / (1 + 9 exp(-t))`, or the reciprocal of it.
fn in_either_variable(reciprocal: Rc<Cell<bool>>) -> Ode {
    Ode::new(1, move |_, y, dy| dy[0] = if reciprocal.get() { 1.0 - y[0] } else { y[0] * (1.0 - y[0]) })
}

#[test]
fn a_change_of_variables_keeps_order_and_step() {
    let reciprocal = Rc::new(Cell::new(false));
    let settings = Settings::new(1e-8, &[1.0], 20.0);
    let ode = in_either_variable(reciprocal.clone());
    let mut integrator = ode.start(Method::FlcBdf, 0.0, &[0.1], settings).unwrap();
    let exact = |t: f64| 1.0 / (1.0 + 9.0 * (-t).exp());
    let (mut changes, mut last, mut lowest) = (0, 0.0, 5);
    loop {
        let step = integrator.step().unwrap();
        let h = step.to - step.from;
        if changes > 0 && !step.reached_stop {
            assert!(h > 0.5 * last, "{h} after {last} at {}", step.from);
            lowest = lowest.min(integrator.statistics().order);
        }
        let y = integrator.state()[0];
        let y = if reciprocal.get() { 1.0 / y } else { y };
        assert!((y - exact(step.to)).abs() < 1e-7, "{}: {y}", step.to);
        if step.reached_stop {
            break;
        }
        last = h;
        if integrator.statistics().steps % 20 == 19 {
            reciprocal.set(!reciprocal.get());
            let y = [1.0 / integrator.state()[0]];
            let mut past = |_: f64, old: &[f64], new: &mut [f64]| {
                new[0] = 1.0 / old[0];
                true
            };
            assert!(integrator.remap(&y, &[1.0], &mut past));
            changes += 1;
        }
    }
    assert!(changes >= 5 && lowest >= 3, "{changes} changes, lowest order {lowest}");
}

#[test]
fn what_cannot_be_mapped_is_begun_anew() {
    for past_points in 0..4 {
        let mut integrator =
            circle().start(Method::FlcBdf, 0.0, &[1.0, 0.0], Settings::new(1e-6, &[1.0; 2], 6.0)).unwrap();
        for _ in 0..40 {
            integrator.step().unwrap();
        }
        let y = integrator.state().to_vec();
        let mut left = past_points;
        let mut past = |_: f64, old: &[f64], new: &mut [f64]| {
            new.copy_from_slice(old);
            left -= 1;
            left >= 0
        };
        if !integrator.remap(&y, &[1.0; 2], &mut past) {
            integrator.restart(integrator.time(), &y).unwrap();
        }
        run(&mut integrator).unwrap();
        assert!((integrator.state()[0] - 6.0f64.cos()).abs() < 1e-5);
    }
}

/// Two oscillators beside each other, one of them pushed every second.
fn pushed(method: Method, push: fn(&mut Integration<Ode>, f64, &[f64])) -> (u64, f64) {
    let ode = Ode::new(4, |_, y, dy| {
        (dy[0], dy[1]) = (y[1], -36.0 * y[0]);
        (dy[2], dy[3]) = (y[3], -1e-4 * y[2]);
    });
    let settings = Settings::new(1e-6, &[1.0; 4], 1.0);
    let mut integrator = ode.start(method, 0.0, &[1.0, 0.0, 0.0, 0.0], settings).unwrap();
    for second in 1..=50 {
        run(&mut integrator).unwrap();
        let mut y = integrator.state().to_vec();
        y[3] += 0.01;
        integrator.set_stop(f64::INFINITY);
        push(&mut integrator, f64::from(second), &y);
        integrator.set_stop(f64::from(second + 1));
    }
    let error = (integrator.state()[0] - (6.0f64 * 50.0).cos()).abs();
    (integrator.statistics().steps, error)
}

#[test]
fn an_event_costs_only_what_it_touched() {
    let (whole, _) = pushed(Method::FlcBdf, |integrator, t, y| integrator.restart(t, y).unwrap());
    let (part, error) = pushed(Method::FlcBdf, |integrator, t, y| integrator.resume(t, y).unwrap());
    assert!(error < 1e-4, "{error}");
    expect!["3917 steps with restarts, 3246 without"]
        .assert_eq(&format!("{whole} steps with restarts, {part} without"));
}

#[test]
fn one_can_go_on_from_within_a_step() {
    let mut integrator = circle()
        .start(Method::FlcBdf, 0.0, &[1.0, 0.0], Settings::new(1e-6, &[1.0; 2], f64::INFINITY))
        .unwrap();
    let mut y = [0.0; 2];
    while integrator.time() < 20.0 {
        let step = integrator.step().unwrap();
        if integrator.statistics().steps.is_multiple_of(7) {
            let t = step.from + 0.6 * (step.to - step.from);
            integrator.interpolate(t, &mut y);
            integrator.resume(t, &y).unwrap();
            assert_eq!((integrator.time(), integrator.state()), (t, &y[..]));
        }
    }
    let t = integrator.time();
    assert!((integrator.state()[0] - t.cos()).abs() < 3e-5);
    let steps = integrator.statistics().steps;
    assert!(steps < 400, "{steps}");
}
