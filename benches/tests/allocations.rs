//! What a step of a run allocates: nothing of ours.
//!
//! Two runs that differ in their number of steps only are compared, so that what the first step and the start take does not
//! count. Methods with a fixed step are all ours. Those by diffsol allocate inside of it, which is counted apart: there the
//! right-hand side that we give it is evaluated by itself.

use std::sync::Arc;

use allocation_counter::measure;
use rhei_benches::{Nowhere, compiled, models};
use rhei_model::CompiledModel;
use rhei_numerics::{Method, Problem};
use rhei_run::{Choices, Execution, Options, Status, simulate};
use rhei_solve::at_start;

/// Without the third way, which makes machine code when a run has gone on for a while.
const EXECUTIONS: [Execution; 2] = [Execution::Interpreted, Execution::Machine];

/// Allocations of a run of so many steps.
fn allocations(model: &Arc<CompiledModel>, method: Method, execution: Execution, steps: u32) -> u64 {
    let step = 1e-6;
    allocations_until(model, method, execution, step, step * f64::from(steps))
}

/// Allocations of a run with steps of this length.
fn allocations_until(
    model: &Arc<CompiledModel>,
    method: Method,
    execution: Execution,
    step: f64,
    stop_time: f64,
) -> u64 {
    let choices = Choices { execution, ..Choices::default() };
    let options = Options { method, step, choices, ..Options::until(stop_time) };
    let (_, recorded) = model.columns(|_| true);
    let counted = measure(|| {
        let outcome = simulate(model, &options, &recorded, &mut Nowhere);
        assert_eq!(outcome.status, Status::Finished);
    });
    counted.count_total
}

/// Diodes in a ring of resistors: one loop that is not linear.
const LOOPS: &str = "model Loops
  Real x(start = 1, fixed = true);
  Real y, z, u, w;
equation
  der(x) = -x + y + u;
  y + z = x;
  y + 0.1*y^3 = z;
  u + 2*w = x*sin(time);
  u - w*(1 + 0.1*cos(time)) = y;
end Loops;
";

/// Allocations of 200 steps whose branch is watched: its points are kept in memory that is reused, which is made as it is first needed.
const MOST_WATCHED: u64 = 4;
/// The same of steps with loops, of which some are looked at within: their history is copied.
const MOST_LOOKED_AT: u64 = 600;

#[test]
fn a_step_allocates_nothing_but_what_watches_its_branch() {
    let models = [
        ("heat", models::heat(50), 0),
        ("circuit", models::circuit(600), MOST_WATCHED),
        ("loops", LOOPS.to_owned(), MOST_LOOKED_AT),
    ];
    for (name, text, most) in models {
        let model = compiled(&text);
        for execution in EXECUTIONS {
            allocations(&model, Method::Euler, execution, 1); // machine code is made once, for all runs
            for method in [Method::Euler, Method::Rk4] {
                let (few, many) = (
                    allocations(&model, method, execution, 100),
                    allocations(&model, method, execution, 300),
                );
                let further = many - few;
                assert!(
                    further <= most,
                    "{name} by {}, {execution:?}: {further} in 200 further steps",
                    method.name()
                );
            }
        }
    }
}

#[test]
fn the_right_hand_side_allocates_nothing() {
    let grids = ["R*i = v", "i = a*v^3 + b*v"].map(|law| models::grid(9, law));
    let texts = [models::heat(200), models::circuit(600), LOOPS.to_owned()].into_iter().chain(grids);
    let texts: Vec<String> = texts.collect();
    for (text, execution) in texts.iter().flat_map(|text| EXECUTIONS.map(|execution| (text, execution))) {
        let model = compiled(text);
        let (mut problem, states) = at_start(&model, 0.0, execution).expect("it starts");
        let mut derivatives = vec![0.0; states.len()];
        let mut evaluate = |t: f64| problem.rhs(t, &states, &mut derivatives).expect("it has a value");
        // memory is taken as it is first needed: for a matrix, and for what is kept while an old one is tried
        (0..3).for_each(|i| evaluate(f64::from(i) * 1e-7));
        let counted = measure(|| (1..100).for_each(|i| evaluate(f64::from(i) * 1e-6)));
        assert_eq!(counted.count_total, 0);
    }
}

/// A controller of 200 states that ticks a thousand times a second, beside a plant that does not.
fn controlled(method: &str) -> String {
    format!(
        "model Controlled
  Real p(start = 0, fixed = true);
  Real seen = sample(p, Clock(Clock(1, 1000), \"{method}\"));
  Real x[200](each start = 0, each fixed = true);
  Real sum(start = 0) = previous(sum) + interval()*(1 - seen);
  Real u = 5*(1 - seen) + sum + x[200];
  Boolean isLate = seen > 0.9;
equation
  der(x[1]) = 50*(seen - x[1]);
  for i in 2:200 loop
    der(x[i]) = 50*(x[i - 1] - x[i]);
  end for;
  der(p) = hold(u) - p;
  assert(u < 1e6, \"beyond what the valve can do\");
end Controlled;
"
    )
}

#[test]
fn a_tick_allocates_nothing() {
    let short =
        ["ExplicitMidPoint2", "ExplicitRungeKutta4", "ImplicitEuler", "ImplicitTrapezoid", "Rosenbrock2"];
    let short = short.iter().map(|method| (*method, 0.2));
    for (method, stop) in [("ExplicitEuler", 60.0)].into_iter().chain(short) {
        let model = compiled(&controlled(method));
        let count = |execution, stop| allocations_until(&model, Method::Rk4, execution, 1e-3, stop);
        for execution in EXECUTIONS {
            count(execution, 1e-3); // machine code is made once, for all runs
            let (few, many) = (count(execution, 0.1), count(execution, stop));
            assert_eq!(many, few, "{method}, {execution:?}: further ticks until {stop} s");
        }
    }
}
