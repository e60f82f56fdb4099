//! Evaluations allocate nothing: neither values nor changes, neither as machine code nor interpreted.

#![allow(unsafe_code)] // an allocator that counts is one

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use rhei_compiler::Session;
use rhei_equations::{Equations, read};
use rhei_kernel::{Execution, Functions, compile};
use rhei_model::{CompiledModel, JacobianPlan};
use rhei_numerics::Method;
use rhei_results::{Sink, WriteError};
use rhei_run::{Choices, Options, OutputTimes, Status, simulate};
use rhei_solvable::{Mode, Solvable};
use rhei_source::InMemory;
use rhei_structure::make_solvable;

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// Counts how often this thread takes memory.
struct Counting;

// SAFETY: everything is left to the system's allocator
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.with(|taken| taken.set(taken.get() + 1));
        // SAFETY: the caller's promises are those that are asked for
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn taken(work: impl FnOnce()) -> u64 {
    let before = TAKEN.get();
    work();
    TAKEN.get() - before
}

/// A ring of cells.
fn ring() -> (Equations, Solvable) {
    let n = 100;
    let mut text = String::from("model Rod\n");
    for i in 0..n {
        let _ = writeln!(text, "  unknown t{i}(start = {i}, fixed)\n  derivative der(t{i})");
    }
    text.push_str("equation\n");
    for i in 0..n {
        let (left, right) = ((i + n - 1) % n, (i + 1) % n);
        let _ = writeln!(
            text,
            "  der(t{i}) = sin(t{left}) - 2*t{i} + t{right}^2 + (if t{i} > {i} then sqrt(t{i}) else 0)"
        );
    }
    let (made, _) = make_solvable(&read(&text).unwrap(), &Mode::default());
    made.unwrap()
}

#[test]
fn evaluations_take_no_memory() {
    let (equations, solvable) = ring();
    let code = compile(&equations, &solvable);
    for execution in [Execution::Interpreted, Execution::Quick, Execution::Machine, Execution::Adaptive] {
        let functions = Functions::new(Arc::default()).with_execution(execution);
        let mut values = code.new_values();
        values.iter_mut().filter(|value| value.is_nan()).for_each(|value| *value = 0.5);
        let mut changes = vec![0.0; values.len()];
        let steps = &code.dynamic.steps;
        let mut evaluate = || {
            for step in steps {
                let rhei_kernel::Step::Run(program) = step else { panic!("there are no loops") };
                program.run(&mut values, &functions).unwrap();
                changes[0] = 1.0;
                program.propagate(&mut values, &mut changes, &functions);
            }
        };
        assert!(taken(|| drop(Vec::<u8>::with_capacity(1))) > 0, "memory is counted");
        evaluate();
        assert_eq!(taken(|| (0..100).for_each(|_| evaluate())), 0, "{execution:?}");
    }
}

/// Takes rows and forgets them.
struct Nowhere;

impl Sink for Nowhere {
    fn row(&mut self, _: f64, _: &[f64]) -> Result<(), WriteError> {
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        Ok(())
    }

    fn keep_partial(self: Box<Self>) -> Result<Option<std::path::PathBuf>, WriteError> {
        Ok(None)
    }
}

/// Runs a model; returns how many steps it took, and how often memory.
fn run(model: &Arc<CompiledModel>, method: Method, stop_time: f64, step: f64) -> (u64, u64) {
    let (_, recorded) = model.columns(|_| true);
    let options = Options {
        method,
        step,
        output: OutputTimes::Intervals(2),
        choices: Choices { execution: Execution::Machine, ..Choices::default() },
        ..Options::until(stop_time)
    };
    let mut steps = 0;
    let memory = taken(|| {
        let outcome = simulate(model, &options, &recorded, &mut Nowhere);
        assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
        steps = outcome.statistics.steps;
    });
    (steps, memory)
}

/// A run of ten times as many steps takes as much memory.
fn check_steps(model: &Arc<CompiledModel>) {
    let in_steps = |n_steps: u32| run(model, Method::Rk4, f64::from(n_steps) * 1e-6, 1e-6);
    in_steps(10);
    let ((few_steps, few), (many_steps, many)) = (in_steps(100), in_steps(1000));
    assert!(few_steps >= 100 && many_steps >= 1000);
    assert_eq!(few, many, "100 steps, and 1000");
}

#[test]
fn steps_take_no_memory() {
    let (equations, solvable) = ring();
    let (code, jacobian) = (compile(&equations, &solvable), JacobianPlan::new(&equations, &solvable));
    check_steps(&Arc::new(CompiledModel::new(equations, solvable, code, jacobian)));
}

/// A function with a loop and an array, which stays a call.
#[test]
fn calls_of_functions_take_no_memory() {
    let text = "model M
  function f
    input Real a;
    output Real b;
  protected
    Real s[4];
    Integer n = 0;
  algorithm
    s := {a, 2*a, 0.1, 1};
    b := a;
    while b > 0.01 and n < 20 loop
      n := n + 1;
      b := b*s[1 + mod(n, 4)]/(1 + b*b);
    end while;
  end f;
  Real x(start = 0.7, fixed = true);
equation
  der(x) = f(x);
end M;
";
    check_steps(&compiled(text));
}

/// Functions of media: records, functions that are called or put in place, a table that an index chooses from.
#[test]
fn calls_of_functions_with_records_take_no_memory() {
    let text = "model M
  record State
    Real p;
    Real[2] X;
    Integer phase;
  end State;
  function filled
    input Real p;
    output State s;
  algorithm
    s.p := p;
    s.X := {0.3*p, 0.7};
    s.phase := if p > 0.5 then 2 else 1;
  end filled;
  function series
    input State s;
    output Real y;
  protected
    Real[5] c = {1, -0.5, 0.25, -0.125, 0.0625};
  algorithm
    y := 0;
    for i in 1:5 loop
      y := y*s.X[1 + mod(i, 2)] + c[i]*s.p^2/s.phase;
    end for;
  end series;
  function f
    input Real p;
    output Real y;
  protected
    State s;
  algorithm
    s := filled(p);
    y := 0;
    while y < 0.2 loop
      y := y + abs(series(s)) + 0.05;
    end while;
  end f;
  Real x(start = 0.7, fixed = true);
equation
  der(x) = f(x) - x;
end M;
";
    check_steps(&compiled(text));
}

fn compiled(text: &str) -> Arc<CompiledModel> {
    let world = InMemory::default().with_file("model.mo", text);
    let mut session = Session::new(Arc::new(world), Vec::new());
    let done = session.compile(Path::new("model.mo"), None).unwrap();
    done.model.unwrap()
}

/// Two oscillators, and what somebody says about them.
fn oscillators(more: &str) -> Arc<CompiledModel> {
    compiled(&format!(
        "model M
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real y(start = 0.3, fixed = true);
  Real w(start = 0, fixed = true);
  {more}
equation
  der(x) = v;
  der(v) = -x + 0.01*y;
  der(y) = w;
  der(w) = -2*y - sin(x);
end M;
"
    ))
}

/// Conditions searched for within steps and at their ends: crossings, asserts, Booleans that settle.
const WATCHED: &str = "Boolean far = x > 10;
  Boolean fast = v > 20 or far and w > 100;
  Integer whole = integer(y/100 + 0.5);
  Real z;
equation
  z = if z > 10 or x > 30 then 1 else y;
  assert(x < 100, \"too far\");
  when fast then
    reinit(v, 0);
  end when;";

/// A last step that would leave a crumb is made in two halves, each with a matrix of its own.
const AT_THE_STOP: u64 = 8;

/// With every method, whether it is our own or diffsol's, and whatever is looked for on the way.
#[test]
fn steps_of_all_methods_take_no_memory() {
    for (model, is_watched) in [(oscillators(""), false), (oscillators(WATCHED), true)] {
        for method in Method::ALL {
            run(&model, method, 10.0, 0.01);
            let ((few_steps, few), (many_steps, many)) =
                (run(&model, method, 20.0, 0.01), run(&model, method, 200.0, 0.01));
            assert!(many_steps > 5 * few_steps);
            let told = format!(
                "{few}, {many}: {method:?} in {few_steps} and {many_steps} steps, watched: {is_watched}"
            );
            assert!(few.abs_diff(many) <= AT_THE_STOP, "{told}");
        }
    }
}
