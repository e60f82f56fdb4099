//! The tuning constants of the search for equilibria, with their reasons.

// --- Newton's method ---

/// Newton corrections at once.
pub(super) const MOST_CORRECTIONS: u32 = 6;
/// The same where the search ends: a double zero takes forty, the zero of a cube seventy.
pub(super) const MOST_LAST_CORRECTIONS: u32 = 100;
/// A correction that leaves more than this share of itself is no convergence.
pub(super) const CONTRACTION: f64 = 0.9;
/// Up to this residual share by the old derivatives, those of the new point decide: a kink may lie between.
pub(super) const KINK: f64 = 4.0;
/// Corrections that are this small, in units of the unknowns, are none.
pub(super) const TOLERANCE: f64 = 1e-12;
/// Correction accepted as a solution if rounding lets it fall no further.
pub(super) const STALLED: f64 = 1e-9;

// --- whether the flow ends where Newton's method does ---

/// Displacements below this, in units of the unknowns, stay on the branch: half the digits, so that no two branches but those that are
/// about to meet are as close.
pub(super) const BESIDE: f64 = 1e-8;
/// Displacements up to this are judged by both ends; for longer ones points between are looked at.
pub(super) const SHORT: f64 = 1e-2;
/// Share of a short first correction that a second may have for its derivatives to have been those of the way (Deuflhard 2004, §2.1: a
/// quarter proves convergence).
pub(super) const STRAIGHT: f64 = 0.25;
/// Factor by which slopes may change along a way judged by its ends.
pub(super) const BENT: f64 = 2.0;
/// The same along a way on which points between are looked at: a field that becomes steeper than this along a correction is one whose
/// flat beginning has made the correction too long.
pub(super) const STEEPER: f64 = 5.0;
/// Share of the longest displacement from which on an unknown moves.
pub(super) const MOVES: f64 = 0.1;
/// Points between.
pub(super) const BETWEEN: [f64; 3] = [0.5, 0.25, 0.75];
/// The same for a step of several unknowns that ends where the field is much steeper, as between square roots.
pub(super) const BETWEEN_STEEPER: [f64; 7] = [0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875];
/// Most unknowns for which an ellipsoid is looked for: the cost grows with the cube.
pub(super) const LARGEST_ELLIPSOID: usize = 24;
/// Squarings that bring the slowest of all time constants, 2⁶⁰ times the fastest, to rest.
pub(super) const MOST_DOUBLINGS: usize = 60;
/// Rounding error of a sum of a few hundred numbers that cancel, relative to the largest.
pub(super) const ROUNDING: f64 = 1e-13;
/// Distance, in units of the unknowns, at which slopes are taken where they have no bound: far above rounding, far below what is seen.
pub(super) const ASIDE: f64 = 1e-6;

// --- implicit Euler steps ---

/// Newton corrections within a step.
pub(super) const MOST_STEP_CORRECTIONS: u32 = 8;
/// A step is solved when corrections are this share of it: only the path depends on it.
pub(super) const STEP_TOLERANCE: f64 = 1e-2;
/// Halvings of a correction within a step, and the share of it that must be gained.
pub(super) const MOST_PARTS: u32 = 5;
/// See [`MOST_PARTS`].
pub(super) const DECREASE: f64 = 0.25;
/// How a step grows when it succeeds, at least and at most.
pub(super) const GROWTH: (f64, f64) = (1.5, 10.0);
/// Divisor of a step that fails.
pub(super) const SHRINK: f64 = 4.0;
/// Steps in a row that may lead out of the region of contraction before the flow is followed instead.
pub(super) const MOST_FAILURES: u32 = 3;
/// Distance, in units of the unknowns, at which slopes are taken for a step that those of its beginning do not solve, and corrections of
/// that step: equal pressures in a chain of square roots are rigid links at first, and a front would pass one of them in each step.
pub(super) const FURTHER_ASIDE: f64 = 1e-2;
/// See [`FURTHER_ASIDE`].
pub(super) const MOST_CORRECTIONS_ASIDE: u32 = 40;
/// Unknowns from which on the end is tried at once: the steps to it grow in number with the length of a chain, those of few are cheap.
pub(super) const MANY: usize = 33;
/// Steps in a row that may not be solved: a front that enters a chain of square roots takes short steps.
pub(super) const MOST_UNSOLVED: u32 = 10;
/// Most steps of one attempt.
pub(super) const MOST_EULER_STEPS: u32 = 300;
/// The search ends by Newton's method where its correction is no longer than so many of the last step.
pub(super) const TRUST: f64 = 2.0;

// --- following the flow ---

/// Local error of a step, in units of the unknowns. Errors of the path grow near a separatrix: what begins nearer to one than some
/// hundred of these may end on its other side.
pub(super) const PATH_ERROR: f64 = 1e-5;
/// Part of a step that the error would allow.
pub(super) const SAFETY: f64 = 0.9;
/// How the next step may differ.
pub(super) const CHANGE: (f64, f64) = (0.2, 5.0);
/// The largest step where the flow expands, in units of the time in which it does: a longer one could leap over infinity.
pub(super) const EXPANDING: f64 = 0.5;
/// Displacement by the first step, in units of the unknowns.
pub(super) const FIRST_MOVE: f64 = 1e-3;
/// Shortest step, and longest time that the flow is followed, in units of the time in which it changes at the start.
pub(super) const TIMES: (f64, f64) = (1e-16, 1e16);
/// Beyond this many units, or times its start, an unknown has gone to infinity.
pub(super) const INFINITE: f64 = 1e10;
/// Steps in one search, for few and for many unknowns: slight damping takes a thousand, and each costs factors of a matrix.
pub(super) const STEPS: (u32, u32) = (10_000, 1000);
/// Steps times unknowns between these.
pub(super) const STEPS_OF_UNKNOWNS: u32 = 100_000;
/// Most evaluations for each step.
pub(super) const CALLS_OF_STEP: u32 = 6;

/// Most steps and evaluations in one search for `n` unknowns.
pub(super) fn most_work(n: usize) -> (u32, u32) {
    let steps = (STEPS_OF_UNKNOWNS / (n as u32).max(1)).clamp(STEPS.1, STEPS.0);
    (steps, CALLS_OF_STEP * steps)
}

// --- stability ---

/// Growth rates up to this share of the largest rate are zero but for rounding.
pub(super) const NEUTRAL: f64 = 1e-11;
