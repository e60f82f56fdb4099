//! State sets with many candidates: what they take, and that they come to what small ones do.

use std::sync::Arc;

use rhei_model::CompiledModel;
use rhei_run::Status;
use rhei_solvable::StateSet;

use crate::workshop::{Settings, model, run, value};

/// Masses between two fixed points, each tied to the next by a rod: one set of positions, one of velocities. They start on an arc that is
/// `wider` than it should be by a factor.
fn suspended(n: usize, attributes_of_y: &str, wider: f64) -> Arc<CompiledModel> {
    model(&format!(
        "model Suspended
           constant Integer n = {n};
           constant Real phi = 1.2, R = 0.5/sin(phi), L = 2*R*sin(phi/(n + 1));
           Real x[n](start = {{0.5 + {wider}*R*sin(phi*(2*i/(n + 1) - 1)) for i in 1:n}});
           Real y[n]({attributes_of_y}start = {{R*(cos(phi) - cos(phi*(2*i/(n + 1) - 1))) for i in 1:n}});
           Real vx[n], vy[n], F[n + 1], X[n + 2], Y[n + 2];
           Real energy = sum(0.5*(vx[i]^2 + vy[i]^2) + 9.81*y[i] for i in 1:n)/n;
           Real off = max(abs((X[i + 1] - X[i])^2 + (Y[i + 1] - Y[i])^2 - L^2) for i in 1:n + 1)/L^2;
         equation
           X = cat(1, {{0}}, x, {{1}});
           Y = cat(1, {{0}}, y, {{0}});
           for i in 1:n loop
             der(x[i]) = vx[i];
             der(y[i]) = vy[i];
             der(vx[i]) = F[i + 1]*(X[i + 2] - X[i + 1]) - F[i]*(X[i + 1] - X[i]);
             der(vy[i]) = F[i + 1]*(Y[i + 2] - Y[i + 1]) - F[i]*(Y[i + 1] - Y[i]) - 9.81;
           end for;
           for i in 1:n + 1 loop
             (X[i + 1] - X[i])^2 + (Y[i + 1] - Y[i])^2 = L^2;
           end for;
         end Suspended;"
    ))
}

/// Derivatives and factors that are stored.
fn entries(set: &StateSet) -> usize {
    let of = |rows: &rhei_solvable::Jacobian| rows.iter().map(Vec::len).sum::<usize>();
    of(&set.jacobian) + of(&set.manifold.jacobian) + set.factors.iter().map(Vec::len).sum::<usize>()
}

/// Twice as many masses take twice as many derivatives, factors and variables.
#[test]
fn what_a_set_takes_grows_as_its_candidates() {
    let [small, large] = [150, 300].map(|n| suspended(n, "fixed = {mod(i, 9) == 4 for i in 1:n}, ", 1.0));
    for (n, model) in [(150, &small), (300, &large)] {
        assert_eq!(model.solvable.sets.len(), 2);
        assert!(model.solvable.sets.iter().all(|set| set.candidates.len() == 2 * n));
    }
    for (small, large) in small.solvable.sets.iter().zip(&large.solvable.sets) {
        let (few, many) = (entries(small), entries(large));
        assert!(few < 40 * 150 && many <= 2 * few + 40, "{few}, then {many}");
    }
    let [few, many] = [&small, &large].map(|model| model.equations.variables.len());
    assert!(many <= 2 * few + 40, "{few} variables, then {many}");
}

/// Links that hang on each other, each with an angle that is preferred as a state, and the mean of all positions, preferred too: one set
/// that holds unknowns beside its candidates, and a constraint over all of them.
fn hanging(n: usize) -> Arc<CompiledModel> {
    model(&format!(
        "model Hanging
           constant Integer n = {n};
           Real x[n](start = {{0.6*i for i in 1:n}}), y[n](start = {{-0.8*i for i in 1:n}}), vx[n], vy[n], F[n + 1];
           Real X[n + 1], Y[n + 1];
           Real phi[n](each stateSelect = StateSelect.prefer, each start = asin(0.6));
           Real mean(stateSelect = StateSelect.prefer);
         equation
           X = cat(1, {{0}}, x);
           Y = cat(1, {{0}}, y);
           F[n + 1] = 0;
           for i in 1:n loop
             der(x[i]) = vx[i];
             der(y[i]) = vy[i];
             der(vx[i]) = (if i < n then F[i + 1]*(X[min(i + 2, n + 1)] - X[i + 1]) else 0) - F[i]*(X[i + 1] - X[i]);
             der(vy[i]) = (if i < n then F[i + 1]*(Y[min(i + 2, n + 1)] - Y[i + 1]) else 0) - F[i]*(Y[i + 1] - Y[i]) - 9.81;
             (X[i + 1] - X[i])^2 + (Y[i + 1] - Y[i])^2 = 1;
             X[i + 1] - X[i] = sin(phi[i]);
           end for;
           mean = sum(x)/n;
         end Hanging;"
    ))
}

#[test]
fn further_unknowns_and_sums_do_not_fill_a_set() {
    let [small, large] = [100, 200].map(hanging);
    let most = |model: &CompiledModel| model.solvable.sets.iter().map(|set| set.candidates.len()).max();
    assert!(most(&small) >= Some(100), "there is a large set");
    let total = |model: &CompiledModel| -> usize { model.solvable.sets.iter().map(entries).sum() };
    let (few, many) = (total(&small), total(&large));
    assert!(few < 60 * 100 && many <= 2 * few + 100, "{few}, then {many}");
}

/// However it starts, the energy and the lengths of the rods stay.
fn assert_kept(model: &Arc<CompiledModel>) -> f64 {
    let settings = Settings { tolerance: Some(1e-7), ..Settings::default() };
    let (outcome, rows) = run(model, &Settings { stop: Some(0.1), ..settings }, vec![0.0, 0.05, 0.1]);
    assert_eq!(outcome.status, Status::Finished, "{outcome:?}");
    let energy = |row: usize| value(&rows, "energy", row);
    for row in 0..3 {
        assert!(value(&rows, "off", row) < 1e-9, "{}", value(&rows, "off", row));
        assert!((energy(row) - energy(0)).abs() < 1e-5, "{} from {}", energy(row), energy(0));
    }
    value(&rows, "y[7]", 2)
}

#[test]
fn a_large_set_runs_as_a_small_one() {
    // 80 candidates in each set; in 40 any state can be any combination of all
    let (small, large) = (suspended(20, "", 1.0), suspended(40, "", 1.0));
    assert!(small.solvable.sets.iter().all(|set| set.order.is_empty()));
    assert!(large.solvable.sets.iter().all(|set| !set.order.is_empty()));
    assert_kept(&small);
    assert_kept(&large);
}

/// From start values beside the constraints it is brought onto them; what is fixed stays where it is.
#[test]
fn large_sets_land_from_start_values_beside_their_constraints() {
    assert_kept(&suspended(30, "", 1.01));
    let fixed = suspended(30, "fixed = {mod(i, 9) == 4 for i in 1:n}, ", 1.0);
    let unfixed = suspended(30, "", 1.0);
    let (with, without) = (assert_kept(&fixed), assert_kept(&unfixed));
    assert!((with - without).abs() < 1e-5, "{with}, {without}");
}
