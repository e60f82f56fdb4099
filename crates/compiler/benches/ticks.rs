//! The cost of an event: `sample(0, 1e-5)` over a tenth of a second, and over ten seconds (a million ticks).
//!
//! `cargo bench -p rhei-compiler`. Beside them stands the cost of as many steps without any event; at the end the ratio of both
//! is printed. It was 1.5 for `counter`, 2.1 for `monitor`, 2.7 for `controller` by the same method, and 6.9 by BDF, which
//! begins anew at each tick.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use divan::Bencher;
use divan::counter::ItemsCount;
use rhei_compiler::{Session, with_deep_stack};
use rhei_model::CompiledModel;
use rhei_numerics::Method;
use rhei_results::Trajectories;
use rhei_run::{Options, simulate};
use rhei_source::InMemory;

/// Steps without events; ticks without states; ticks that the integrator does not see; ticks at which it begins anew.
const MODELS: [(&str, &str); 4] = [
    (
        "steps",
        "model Steps
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
end Steps;
",
    ),
    (
        "monitor",
        "model Monitor
  Integer n(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0, 1e-5) then
    n = pre(n) + 1;
  end when;
end Monitor;
",
    ),
    (
        "counter",
        "model Counter
  Integer n(start = 0, fixed = true);
equation
  when sample(0, 1e-5) then
    n = pre(n) + 1;
  end when;
end Counter;
",
    ),
    (
        "controller",
        "model Controller
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = u;
  when sample(0, 1e-5) then
    u = -x;
  end when;
end Controller;
",
    ),
];

fn main() {
    divan::main();
    say_ratios();
}

/// The cost of an event, in steps without any.
fn say_ratios() {
    const N: u32 = 100_000;
    let time = |name: &str| {
        let (model, options) = (compiled(name), options(N));
        let began = Instant::now();
        run(&model, &options);
        began.elapsed().as_secs_f64()
    };
    let steps = time("steps");
    for name in ["counter", "monitor", "controller"] {
        println!("{name}: an event costs {:.1} empty steps", time(name) / steps);
    }
}

/// `N` ticks, or as many steps.
fn options(n: u32) -> Options {
    let stop_time = f64::from(n) * 1e-5;
    Options { method: Method::Rk4, step: 1e-5, ..Options::until(stop_time) }
}

fn run(model: &Arc<CompiledModel>, options: &Options) -> u64 {
    let (columns, recorded) = model.columns(|_| true);
    let mut rows = Trajectories::new(columns);
    simulate(model, options, &recorded, &mut rows).events
}

fn compiled(name: &str) -> Arc<CompiledModel> {
    let (_, text) = MODELS.iter().find(|(known, _)| *known == name).expect("a model");
    let world = InMemory::default().with_file("model.mo", *text);
    with_deep_stack(move || {
        let mut session = Session::new(Arc::new(world), Vec::new());
        session.compile(Path::new("model.mo"), None).expect("the file is there").model.expect("it compiles")
    })
}

#[divan::bench(args = ["steps", "counter", "monitor", "controller"], consts = [10_000, 1_000_000], sample_count = 3, sample_size = 1)]
fn ticks<const N: u32>(bencher: Bencher<'_, '_>, name: &str) {
    let model = compiled(name);
    let options = options(N);
    bencher.counter(ItemsCount::new(N)).bench_local(|| run(&model, &options));
}
