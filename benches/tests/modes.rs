//! Very many changes of the mode: memory stays, and the last change costs what the first did. Measured in allocations, which are the
//! same on every machine.

use std::path::Path;
use std::sync::Arc;

use allocation_counter::{AllocationInfo, measure};
use rhei_benches::{Nowhere, compiled, models};
use rhei_model::{CompiledModel, Occasion};
use rhei_run::{Choices, Execution, Options, Outcome, Status, simulate};

/// Twelve inductors that are driven, with eleven switches between them: 2,048 modes, of which a random one follows each
/// millisecond.
fn chain() -> Arc<CompiledModel> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/switching/Chain.mo");
    let text = std::fs::read_to_string(file).expect("the model is there");
    compiled(&text.replace("n = 50", "n = 12").replace("- R[k]*i[k];", "- R[k]*i[k] + sin(k + 10*time);"))
}

/// A run of a model that nobody has run, with so many events.
fn ran(events: u32) -> (AllocationInfo, Outcome, Arc<CompiledModel>) {
    let model = chain();
    let stop_time = (f64::from(events) + 0.5) * 1e-3;
    let choices = Choices { execution: Execution::Interpreted, ..Choices::default() };
    let options = Options { tolerance: 1e-4, choices, ..Options::until(stop_time) };
    let (_, recorded) = model.columns(|_| true);
    let mut outcome = None;
    let counted = measure(|| outcome = Some(simulate(&model, &options, &recorded, &mut Nowhere)));
    let outcome = outcome.expect("it ran");
    assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
    assert_eq!(outcome.events, u64::from(events));
    (counted, outcome, model)
}

/// What is told of a change, in bytes: names and numbers.
const OF_A_CHANGE: u64 = 4_000;

/// Compares a run with one of half as many events, and with one of a quarter.
fn assert_steady(events: u32) {
    let [(quarter, ..), (half, ..), (whole, outcome, model)] = [events / 4, events / 2, events].map(ran);
    let work = model.modes.as_ref().expect("it has modes").work();
    assert_eq!(work.kept, 256, "as many modes are kept as may be");
    assert!(work.analyses > 256, "{} analyses", work.analyses);
    let told = outcome.mode_changes.len() as u64;
    assert_eq!(told + outcome.mode_changes_left_out, u64::from(events));
    // memory: what is told grows until it is enough, and nothing else
    let grown = whole.bytes_max.saturating_sub(half.bytes_max);
    assert!(grown < OF_A_CHANGE * u64::from(events / 2), "{grown} bytes more for as many events again");
    // work: the second half costs what the second quarter did, twice
    let (second_quarter, second_half) =
        (half.count_total - quarter.count_total, whole.count_total - half.count_total);
    let ratio = second_half as f64 / (2.0 * second_quarter as f64);
    println!(
        "{events} events, {} modes, {} analyses, {} kept; {grown} bytes more in the second half, of {} at most; {:.0} and {:.0} \
         allocations an event: {ratio:.3}",
        outcome.modes_visited,
        work.analyses,
        work.kept,
        whole.bytes_max,
        second_quarter as f64 / f64::from(events / 4),
        second_half as f64 / f64::from(events / 2)
    );
    assert!(ratio < 1.1, "events cost {ratio} times as much later on");
}

#[test]
fn many_modes_cost_no_more_memory_and_no_more_work() {
    assert_steady(1_600);
}

/// Minutes: `cargo test --release -p rhei-benches --test modes -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn a_hundred_thousand_changes_among_two_thousand_modes() {
    assert_steady(100_000);
}

/// From one mode to the next twenty switches close and twenty open: the 21 inductors are looked at again that are tied together then,
/// five equations each, and what bounds them, whatever the size of the model. Those that were tied together at the very first are
/// seen for the first time on their own in the second mode.
#[test]
fn a_mode_costs_what_changes_in_it() {
    for size in [1_000, 2_000] {
        let model = compiled(&models::switches(size, "time > g"));
        let structures = model.modes.clone().expect("it has modes");
        let groups = model.equations.guards.len();
        let mut before = 0;
        for open in 0..groups {
            let guards: Vec<bool> = (0..groups).map(|g| g == open).collect();
            structures.enter(&guards, Occasion::Way).expect("the mode can be");
            let now = structures.work().equations;
            let most = match open {
                0 => model.equations.equations.len() as u64,
                1 => 260,
                _ => 130,
            };
            assert!(now - before <= most, "mode {open}: {} equations", now - before);
            before = now;
        }
    }
}
