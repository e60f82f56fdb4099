//! What an event costs: `sample(0, 1e-5)` over a tenth of a second, and over ten seconds (a million ticks).
//!
//! `cargo bench -p rhei-compiler`

use std::path::Path;
use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use rhei_compiler::{Session, with_deep_stack};
use rhei_numerics::Method;
use rhei_results::Trajectories;
use rhei_simulate::{CompiledModel, Options, OutputTimes, simulate};
use rhei_source::InMemory;

/// Without states every tick is only an event; with one the integrator starts again at each.
const MODELS: [(&str, &str); 2] = [
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
}

fn compiled(name: &str) -> Arc<CompiledModel> {
    let (_, text) = MODELS.iter().find(|(known, _)| *known == name).expect("a model");
    let world = InMemory::default().with_file("model.mo", *text);
    with_deep_stack(move || {
        let mut session = Session::new(Arc::new(world), Vec::new());
        session.compile(Path::new("model.mo"), None).expect("the file is there").model.expect("it compiles")
    })
}

#[divan::bench(args = ["counter", "controller"], consts = [10_000, 1_000_000], sample_count = 3, sample_size = 1)]
fn ticks<const N: u32>(bencher: Bencher<'_, '_>, name: &str) {
    let model = compiled(name);
    let stop_time = f64::from(N) * 1e-5;
    let options = Options {
        start_time: 0.0,
        stop_time,
        tolerance: 1e-6,
        method: Method::Tsit45,
        step: 1.0,
        output: OutputTimes::At(vec![stop_time]),
        set: Default::default(),
        execution: Default::default(),
    };
    bencher.counter(ItemsCount::new(N)).bench_local(|| {
        let (columns, recorded) = model.columns(|_| true);
        let mut rows = Trajectories::new(columns);
        simulate(&model, &options, &recorded, &mut rows).events
    });
}
