//! Landings in large modes: what their matrices take, and what is conserved.

use std::sync::Arc;

use rhei_model::{CompiledModel, Entered, LandingMatrix, Occasion, landing_matrix};
use rhei_run::Status;

use crate::workshop::{Settings, model, run, value};

/// A chain of inductors; from 0.5 on the switch behind the `k`-th is open where `is_open` says so.
fn chain(n: usize, is_open: &str) -> Arc<CompiledModel> {
    model(&format!(
        "model Chain
           constant Integer n = {n};
           parameter Real L[n] = {{0.1 + 0.01*mod(k, 7) for k in 1:n}};
           Real p[n](start = {{1.0 + 0.1*mod(k, 5) for k in 1:n}}, each fixed = true), i[n], v[n + 1];
           Boolean isOpen[n - 1] = {{time >= 0.5 and ({is_open}) for k in 1:n - 1}};
         equation
           v[1] = 0;
           v[n + 1] = 0;
           for k in 1:n loop
             der(p[k]) = v[k] - v[k + 1];
             p[k] = L[k]*i[k];
           end for;
           for k in 1:n - 1 loop
             if isOpen[k] then
               i[k] = i[k + 1];
             else
               v[k + 1] = 0;
             end if;
           end for;
         end Chain;"
    ))
}

/// The landing in the mode with these switches open.
fn landing(n: usize, is_open: impl Fn(usize) -> bool) -> LandingMatrix {
    let compiled = chain(n, "true");
    let structures = compiled.modes.as_ref().expect("switches are guards");
    let guards: Vec<bool> = (1..n).map(is_open).collect();
    match structures.enter(&guards, Occasion::Way).expect("it is a mode") {
        Entered::Own(own) => landing_matrix(&own),
        Entered::Common => panic!("its constraints are its own"),
    }
}

/// Twice as long a chain takes twice as many entries and no more sweeps; no dense part grows with it.
#[test]
fn matrices_of_landings_stay_sparse() {
    for is_open in [|k: usize| k == 5, |k: usize| k.is_multiple_of(3), |k: usize| !k.is_multiple_of(150)] {
        let [small, large] = [400, 800].map(|n| landing(n, is_open));
        assert!(small.columns >= 400 && large.columns >= 800, "{small:?} {large:?}");
        assert!(large.entries <= 2 * small.entries + 10 && small.entries < 4 * 400, "{small:?} {large:?}");
        assert!(small.sweeps == large.sweeps && large.sweeps <= 4, "{small:?} {large:?}");
        let (rows, columns) = large.largest_dense;
        assert!(rows <= 50 && columns <= 50, "{large:?}");
    }
}

/// One switch of two thousand opens, or nearly all do: each chain has one current, that of all its flux.
#[test]
fn flux_is_conserved_in_long_chains() {
    const N: usize = 2000;
    let inductances: Vec<f64> = (1..=N).map(|k| 0.1 + 0.01 * (k % 7) as f64).collect();
    let before: Vec<f64> = (1..=N).map(|k| 1.0 + 0.1 * (k % 5) as f64).collect();
    type IsOpen = fn(usize) -> bool;
    let [one, most]: [IsOpen; 2] = [|k| k == 5, |k| !k.is_multiple_of(300)];
    for (text, is_open) in [("k == 5", one), ("mod(k, 300) <> 0", most)] {
        let (outcome, rows) =
            run(&chain(N, text), &Settings::parse("stop=1").expect("settings"), vec![0.0, 1.0]);
        assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
        let mut first = 0;
        for end in (1..=N).filter(|&k| k == N || !is_open(k)) {
            let sum = |of: &[f64]| of[first..end].iter().sum::<f64>();
            let current = sum(&before) / sum(&inductances);
            for (k, inductance) in inductances.iter().enumerate().take(end).skip(first) {
                let found = rows.get(&format!("p[{}]", k + 1)).expect("it is recorded")[1];
                let expected = inductance * current;
                assert!((found - expected).abs() < 1e-9, "{text}, {k}: {found} is not {expected}");
            }
            first = end;
        }
    }
}

/// A chain whose relations have factors that depend on what jumps, with one impulse at both ends.
fn bent(n: usize, between: &str) -> Arc<CompiledModel> {
    model(&format!(
        "model Bent
           constant Integer n = {n};
           Real i[n](start = {{if k == 1 then 2 else 0.5 for k in 1:n}}, each fixed = true), v;
         equation
           (1 + i[2]^2)*der(i[1]) = -v;
           for k in 2:n - 1 loop
             (2 + i[k - 1]^2)*der(i[k]) + (0.2 + 0.1*i[k])*der(i[k - 1]) = 0;
           end for;
           (1 + i[n - 1]^2)*der(i[n]) + 0.1*i[n]*der(i[n - 1]) = v;
           {between}
         end Bent;"
    ))
}

/// The curve that one impulse leaves is the same as that of a voltage that acts for a while, until the currents meet.
#[test]
fn a_long_chain_follows_the_way_that_one_impulse_leaves() {
    let n = 120;
    let jumps = bent(n, "if time < 0.5 then v = 0; else i[1] = i[n]; end if;");
    let drawn = bent(n, "v = 1; when i[1] < i[n] then terminate(\"they have met\"); end when;");
    let settings = Settings { tolerance: Some(1e-10), ..Settings::default() };
    let (outcome, jumped) = run(&jumps, &Settings { stop: Some(1.0), ..settings.clone() }, vec![0.0, 1.0]);
    assert_eq!(outcome.status, Status::Finished, "{outcome:?}");
    let (outcome, met) = run(&drawn, &Settings { stop: Some(10.0), ..settings }, vec![0.0, 10.0]);
    assert_eq!(outcome.status, Status::Terminated, "{outcome:?}");
    let last = |rows: &rhei_results::Trajectories, name: &str| value(rows, name, rows.time().len() - 1);
    for k in [1, 2, 3, 60, 119, 120] {
        let name = format!("i[{k}]");
        let (by_jump, by_voltage) = (last(&jumped, &name), last(&met, &name));
        assert!((by_jump - by_voltage).abs() < 1e-6, "{name}: {by_jump}, {by_voltage}");
    }
}
