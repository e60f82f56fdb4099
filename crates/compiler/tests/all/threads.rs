//! One compiled model, many runs at once.

use std::thread;

use rhei_results::Trajectories;
use rhei_run::Execution;

use crate::workshop::{Settings, compile, run_as};

fn bits(rows: &Trajectories) -> Vec<u64> {
    let columns = (0..rows.columns().len()).flat_map(|i| rows.column(i));
    columns.map(|value| value.to_bits()).collect()
}

/// Runs in several threads share the machine code of their model, whoever makes it, and none sees another.
#[test]
fn runs_share_a_model() {
    let cells = "model Cells
  parameter Integer n = 40;
  Real T[n](each start = 1, each fixed = true);
  Real s(start = 0, fixed = true);
equation
  der(T[1]) = sin(time) - T[1];
  for i in 2:n loop
    der(T[i]) = 10*(T[i - 1] - T[i]) + (if T[i] > 0.5 then sqrt(T[i]) else 0);
  end for;
  der(s) = T[n] + s*cos(s);
end Cells;
";
    let model = compile(cells).0.model.expect("it is a model");
    let settings = Settings { stop: Some(5.0), ..Settings::default() };
    let times = vec![0.0, 1.0, 2.5, 5.0];
    let alone = run_as(&model, &settings, times.clone(), Execution::Interpreted).1;
    let ways = [
        Execution::Machine,
        Execution::Adaptive,
        Execution::Quick,
        Execution::Machine,
        Execution::Interpreted,
    ];
    thread::scope(|scope| {
        let runs = ways.map(|way| {
            let (model, settings, times) = (&model, &settings, times.clone());
            scope.spawn(move || bits(&run_as(model, settings, times, way).1))
        });
        for run in runs {
            assert!(run.join().unwrap() == bits(&alone), "a run among others came to something else");
        }
    });
}
