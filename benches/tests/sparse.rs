//! Large sparse models have no memory for all pairs of their unknowns: what a run holds at once at its peak grows as the model does.
//!
//! Counted, not timed: a model and one four times as large are run, and the larger one may hold five times as much. A matrix of all pairs
//! would be sixteen times as much.

use std::sync::Arc;

use allocation_counter::measure;
use rhei_benches::{Nowhere, compiled};
use rhei_model::CompiledModel;
use rhei_run::{Options, Status, simulate};

/// The most memory, in bytes, that a run holds at once.
fn peak(model: &Arc<CompiledModel>) -> u64 {
    let options = Options::until(1.0);
    let (_, recorded) = model.columns(|name| name == "x[1]");
    let counted = measure(|| {
        let outcome = simulate(model, &options, &recorded, &mut Nowhere);
        assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
    });
    counted.bytes_max
}

fn assert_grows_as_the_model(name: &str, text: impl Fn(usize) -> String, n: usize) {
    let [small, large] = [n, 4 * n].map(|n| peak(&compiled(&text(n))));
    assert!(large < 5 * small, "{name}: {small} bytes for {n}, {large} for {}", 4 * n);
}

/// A chain of inductors of which one switch opens.
fn landing(n: usize) -> String {
    format!(
        "model Landing
           constant Integer n = {n};
           Real p[n](each start = 1, each fixed = true), x[n], v[n + 1];
           Boolean isOpen[n - 1] = {{time >= 0.5 and k == 5 for k in 1:n - 1}};
         equation
           v[1] = 1;
           v[n + 1] = 0;
           for k in 1:n loop
             der(p[k]) = v[k] - v[k + 1] - x[k];
             p[k] = (1 + 0.1*mod(k, 3))*x[k];
           end for;
           for k in 1:n - 1 loop
             if isOpen[k] then
               x[k] = x[k + 1];
             else
               v[k + 1] = 0;
             end if;
           end for;
         end Landing;"
    )
}

/// A network whose nodes are found by `law`: Newton's method cycles from three, the flow comes to rest.
fn network(n: usize, law: &str) -> String {
    format!(
        "model Network
           constant Integer n = {n};
           function s
             input Real a;
             output Real y;
           algorithm
             y := if a > 1 then a/4 + 0.75 elseif a < -1 then a/4 - 0.75 else a;
           end s;
           Real x[n](each start = 3), c[n], t(start = 0, fixed = true);
         equation
           der(t) = 1 - t;
           for k in 1:n loop
             c[k] = (if mod(k, 4) == 1 then 2 else 0.4*sin(k))*(1 + 0.01*t);
             {law} = 2.5*(c[k] - noEvent(s(x[k])))
               - (if k > 1 then c[max(k - 1, 1)] - noEvent(s(x[max(k - 1, 1)])) else 0)
               - (if k < n then c[min(k + 1, n)] - noEvent(s(x[min(k + 1, n)])) else 0);
           end for;
         end Network;"
    )
}

/// A chain of resistors that are not linear; start values are known of the currents alone.
fn fitted(n: usize) -> String {
    format!(
        "model Fitted
           constant Integer n = {n};
           Real x[n], i[n + 1](each start = 0.1), t(start = 0, fixed = true);
         equation
           der(t) = 1 - t;
           i[1] + 0.1*i[1]^3 = 10 + t - x[1];
           for k in 2:n loop
             i[k] + 0.1*i[k]^3 = x[k - 1] - x[k];
           end for;
           i[n + 1] + 0.1*i[n + 1]^3 = x[n];
           for k in 1:n loop
             i[k] - i[k + 1] = 0.01*x[k]^3 + 0.01*x[k];
           end for;
         end Fitted;"
    )
}

/// Pendulums in coordinates of the plane, two state sets each: between the same two angles, however many there are.
fn pendulums(n: usize) -> String {
    format!(
        "model Pendulums
           constant Integer n = {n};
           Real x[n](start = {{sin(1 + 0.2*k/n) for k in 1:n}}), y[n](start = {{-cos(1 + 0.2*k/n) for k in 1:n}});
           Real vx[n], vy[n], T[n];
         equation
           for k in 1:n loop
             der(x[k]) = vx[k];
             der(y[k]) = vy[k];
             der(vx[k]) = T[k]*x[k];
             der(vy[k]) = T[k]*y[k] - 9.81;
             x[k]^2 + y[k]^2 = 1;
           end for;
         end Pendulums;"
    )
}

#[test]
fn landings() {
    assert_grows_as_the_model("landing", landing, 400);
}

#[test]
fn balances() {
    assert_grows_as_the_model("balance", |n| network(n, "balance(x[k])"), 400);
}

#[test]
fn loops_that_resist() {
    assert_grows_as_the_model("loop", |n| network(n, "0"), 400);
}

#[test]
fn starts_that_are_fitted() {
    assert_grows_as_the_model("fit", fitted, 400);
}

#[test]
fn many_state_sets() {
    assert_grows_as_the_model("sets", pendulums, 50);
}
