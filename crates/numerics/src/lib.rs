//! Numerical methods on plain `f64` vectors; nothing here knows of Modelica.
//!
//! | file | what |
//! |---|---|
//! | [`problem`] | what an integrator is given: `dy/dt = f(t, y)` with an optional sparse Jacobian |
//! | [`integrator`] | what an integrator is: one accepted step at a time, dense output, restart, failures as data |
//! | [`method`] | the methods by name, and how one is started |
//! | `adaptive/` | BDF, TR-BDF2, ESDIRK34 and Tsit45, by the crate diffsol |
//! | `bdf/` | our own BDF of variable order and step, whose past can be mapped |
//! | `stateless` | what is left of integration where there are no states |
//! | `fixed/` | methods with a given step, explicit and implicit, each by its tableau |
//! | [`newton`] | damped Newton iteration for `F(x) = 0`, scaled by nominal values |
//! | [`continuation`], [`stability`] | where a flow comes to rest, and whether it stays there |
//! | [`projection`] | landing on a manifold: `F(C − C_ref) = 0, E(C) = 0` |
//! | [`lu`], [`sparse_lu`], `factorisation` | dense and sparse LU; the choice between them |
//! | [`least_squares`], [`sparse_least_squares`], [`augmented`] | systems that say too much or too little: dense, and sparse in parts |
//! | `iteration_matrix` | `I - γJ` and its factors, for the implicit methods; with the inner unknowns of a problem beside its states |
//! | [`complementarity`] | which of each pair is zero, over series in a small step |
//! | [`sparse`], [`colouring`] | sparsity patterns; few directions for a finite-difference Jacobian |
//! | [`determinant`] | products of thousands of pivots |
//! | [`eigenvalues`], `rightmost` | eigenvalues of small dense matrices; of a large one that with the largest real part |
//! | [`roots`] | where a function of time changes its sign |
//! | [`constants`] | every tuning constant, with its reason |

pub mod augmented;
pub mod bernstein;
pub mod colouring;
pub mod complementarity;
pub mod constants;
pub mod continuation;
pub mod determinant;
pub mod eigenvalues;
pub mod integrator;
pub mod least_squares;
pub mod lu;
pub mod method;
pub mod newton;
pub mod problem;
pub mod projection;
pub mod roots;
pub mod sparse;
pub mod sparse_least_squares;
pub mod sparse_lu;
pub mod stability;

mod adaptive;
mod bdf;
mod chattering;
mod evaluator;
mod factorisation;
mod finite_differences;
mod fixed;
mod initial_step;
mod iteration_matrix;
mod outside;
mod rightmost;
mod stateless;

pub use integrator::{Failure, Integrator, Remap, Settings, Side, Statistics, Step};
pub use method::{Method, UnknownMethod};
pub use outside::Outside;
pub use problem::{EvaluationFailed, NotFinite, OffConstraints, Opened, Problem};
pub use sparse::{Pattern, SparseMatrix};
