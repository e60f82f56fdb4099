//! Every tuning constant of the crate, with its reason.
//!
//! Newton's method, projections and integrators have theirs in [`rhei_numerics::constants`].

use rhei_numerics::constants::NEWTON_TOLERANCE;

// --- loops ---

/// Least start value that tells the size of an unknown; a smaller one stands for a zero that nothing may be divided by. Newton's method
/// finds a zero to [`NEWTON_TOLERANCE`] of the nominal value; below this size, that would be less than rounding leaves of quantities of
/// size one.
pub(crate) const LEAST_TELLING_START: f64 = f64::EPSILON / NEWTON_TOLERANCE;

/// Relative tolerance on `min` and `max`: smaller violations count as rounding.
pub(crate) const RANGE_ROUNDING: f64 = 1e-9;

/// Largest scaled residual of a solution that was found from elsewhere, or by a leap: a stagnated iteration there is no solution.
pub(crate) const LOOP_FOUND: f64 = 1e-8;

/// Further iterations of a search without an alternative, per unknown of a loop: diodes in a row begin to conduct one after the other.
pub(crate) const LOOP_ITERATIONS_EACH: u32 = 4;

/// Distances from the bound at which a search that was held there begins anew, in units of the larger of bound and nominal value.
pub(crate) const LOOP_INSIDE: [f64; 3] = [1.0, 10.0, 100.0];

/// Distances from the guess at which a search begins that has failed near it, relative to the larger of the guess and the nominal value.
pub(crate) const ELSEWHERE_DISTANCES: [f64; 8] = [0.1, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];

/// Searches at each distance: two opposite corners, and two pseudorandom points.
pub(crate) const ELSEWHERE_SEARCHES: u64 = 4;

/// Most guesses of a loop that is searched for everywhere: the more there are, the less a few points show, and the longer it takes.
pub(crate) const ELSEWHERE_GUESSES: usize = 100;

/// Most evaluations of one point whose past values depend on its own values: two, unless the arguments depend on the results.
pub(crate) const PAST_ITERATIONS: usize = 20;

// --- guesses fitted to start values ---

/// Most Gauss–Newton corrections: a fit only chooses where Newton's method begins.
pub(crate) const FIT_CORRECTIONS: usize = 10;

/// Most halvings of one correction.
pub(crate) const FIT_HALVINGS: usize = 6;

/// Least decrease of the misfit, as a share of that predicted by the linear model, for a correction to be accepted (Armijo). The misfit
/// itself is no measure: most of it may be independent of the guesses.
pub(crate) const FIT_DECREASE: f64 = 1e-2;

/// Regularisation of the normal equations: keeps undetermined guesses in place.
pub(crate) const FIT_REGULARISATION: f64 = 1e-10;

/// Most guesses that are fitted by dense normal equations in any case; of more, the pattern is tried first.
pub(crate) const FIT_DENSE: usize = 50;

/// Most guesses that are fitted by dense normal equations if the pattern is mostly full: their cost grows with the cube.
pub(crate) const FIT_MOST_DENSE: usize = 200;

// --- Booleans and loops that need each other ---

/// Most iterations in which all values are taken over.
pub(crate) const SETTLE_ITERATIONS: usize = 100;

/// Most iterations of the least-index rule, per Boolean. The rule terminates, but perhaps after as many steps as there are combinations.
pub(crate) const SETTLE_RULE_ITERATIONS: usize = 40;

/// Iterations in which all that disagree are changed without becoming fewer, before only the first is: block pivots are faster, single
/// ones are sure to terminate.
pub(crate) const SETTLE_BLOCK_PIVOTS: usize = 3;

/// Most Booleans of which all combinations are tried: a thousand.
pub(crate) const SETTLE_COMBINED: usize = 10;

/// Relative distance from the border within which an indicator may be on either side, in units of the largest one in the same loop (or
/// of one): resistances of 1e-5 beside conductances of 1e-5 leave so much rounding.
pub(crate) const SETTLE_AT_BORDER: f64 = 1e-10;

// --- the start ---

/// Most instructions of evaluations at a start, with calls of functions counted as [`rhei_kernel::Program::work`] does: about a minute of
/// work.
pub(crate) const START_WORK: u64 = 20_000_000_000;

/// The first part of the way from the simplified formulas of `homotopy` to the actual ones.
pub(crate) const HOMOTOPY_FIRST_PART: f64 = 0.1;

/// The smallest part of that way that is tried.
pub(crate) const HOMOTOPY_SMALLEST_PART: f64 = 1e-6;

/// Largest residual of a condition that follows from others, relative to the size of its sides if that is above one: the values it follows
/// from may have been found by iteration.
pub(crate) const SURPLUS_AGREES: f64 = 1e-8;

/// Relative distance from a written start value at which a start has it: two ways to compute one value differ by less.
pub(crate) const WRITTEN_HOLDS: f64 = 1e-8;

/// Most unknowns of a loop whose flow is followed with dense matrices in any case; of more, sparse
/// derivatives are used if there are any.
pub(crate) const FLOW_DENSE: usize = 50;

/// Most unknowns of a loop whose flow is followed with dense matrices if its derivatives are not sparse: the
/// cost grows with the cube.
pub(crate) const FLOW_MOST_DENSE: usize = 100;

/// Share of a condition left by the constraints below which it counts as dependent on them.
pub(crate) const CONDITION_DEPENDENT: f64 = 1e-6;

/// Largest displacement of a candidate that counts as unmoved, in units of its nominal value; and largest difference of the sides of an
/// initial equation that holds, relative to their size if that is above one.
pub(crate) const CONDITION_HOLDS: f64 = 1e-9;

/// Relative increment of an unknown for difference quotients of initial equations: near the square root of the rounding unit,
/// which balances truncation and rounding.
pub(crate) const CONDITION_INCREMENT: f64 = 1e-7;

// --- choices of states ---

/// Ratio of pivots above which the choice is changed: charts overlap, so that the better one can wait, and a change costs evaluations of
/// the history.
pub(crate) const CHART_CHANGE: f64 = 2.0;

/// The same after a jump, where only rounding errors have to be excluded.
pub(crate) const CHART_CHANGE_AFTER_JUMP: f64 = 1.0 + 1e-9;

/// The same in clocked partitions, where a change costs nothing: all candidates are known after a tick.
pub(crate) const CHART_CHANGE_AT_TICK: f64 = 1.125;

/// Weight of the derivatives by a fixed candidate before the start: it is solved for only where nothing else can be.
pub(crate) const CHART_FIXED: f64 = 1e-3;

/// The same for a candidate with a start value of its own beside some without: between one that is fixed and one that is not.
pub(crate) const CHART_WRITTEN: f64 = 3e-2;

/// Ratio of pivots that makes up for one degree of `stateSelect`.
pub(crate) const CHART_WISH: f64 = 4.0;

/// Pivots below this share of the largest derivative of their constraint count as zero.
pub(crate) const CHART_NO_PIVOT: f64 = 1e-9;

/// Smallest pivot of the best choice below which the constraints are a likely cause of a failed run; rows are scaled to entries of about
/// one.
pub(crate) const CHART_SUSPECT: f64 = 1e-2;

/// Least pivot ratio of a choice to start from.
pub(crate) const CHART_GOOD: f64 = 1e-3;

/// A determinant below this share of the largest so far counts as zero.
pub(crate) const ASSUMPTION_VANISHED: f64 = 1e-6;

/// An entry below this share of its row counts as rounding.
pub(crate) const ASSUMPTION_ROUNDED: f64 = 1e-14;

/// Determinant of rows and columns scaled to a largest entry of one that counts as zero while there is none to compare it with.
pub(crate) const ASSUMPTION_SINGULAR: f64 = 1e-10;

/// A determinant below this share of the largest so far is a likely cause of a failure.
pub(crate) const ASSUMPTION_SUSPECT: f64 = 0.3;

/// Most points of a run that are kept for the advice on a fixed choice: of longer runs every second, fourth, … step.
pub(crate) const ADVICE_POINTS: usize = 2048;

/// Most numbers in all points together: 32 MiB.
pub(crate) const ADVICE_NUMBERS: usize = 1 << 22;

/// Most choices of one set that are judged; of more, only those that the run took.
pub(crate) const ADVICE_CHOICES: usize = 500;

/// Smallest pivot ratio, over the whole run, of a choice that counts as well conditioned.
pub(crate) const ADVICE_PIVOT_RATIO: f64 = 0.1;

// --- jumps between modes ---

/// Most neighbours tried of a mode that cannot be entered, before none is reported to exist: all that differ in one or two of nineteen
/// guards.
pub(crate) const MODE_NEIGHBOURS: usize = 200;

/// Contribution of an impulse to an event indicator: more than any finite value.
pub(crate) const IMPULSE_INFINITE: f64 = 1e300;

/// Impulses below this share of the largest count as rounding.
pub(crate) const IMPULSE_ROUNDING: f64 = 1e-9;

/// Most iterations of a projection before it fails.
pub(crate) const JUMP_ITERATIONS: usize = 40;

/// Singular values below this share of the largest count as zero.
pub(crate) const JUMP_SINGULAR: f64 = 1e-11;

/// Relative size of a correction that counts as rounding: converged.
pub(crate) const JUMP_CONVERGED: f64 = 1e-14;

/// Relative violation of a relation that counts as rounding.
pub(crate) const JUMP_ROUNDING: f64 = 1e-14;

/// Relative difference below which factors count as equal.
pub(crate) const JUMP_SAME_FACTORS: f64 = 1e-12;

/// A hundredth of the permitted error of projected values, in units of their nominal values.
pub(crate) const JUMP_PROJECTED: f64 = 1e-12;

/// Relative difference of the results of two ways below which a jump does not depend on the way.
pub(crate) const JUMP_SAME_WAY: f64 = 1e-7;

/// Step along a curve, in nominal values of the jumping variables: fourth order leaves an error of 1e-12.
pub(crate) const CURVE_STEP: f64 = 1.0 / 512.0;

/// Most steps of one curve before the projection fails: two hundred nominal values.
pub(crate) const CURVE_STEPS: usize = 100_000;

/// Work below this share of the possible counts as none; entries that differ by less count as equal.
pub(crate) const ENERGY_NO_WORK: f64 = 1e-6;

/// Relative difference below which factors of the stored energy count as constant.
pub(crate) const ENERGY_CONSTANT: f64 = 1e-12;

// --- groups of balances ---

/// Number of solutions kept to be reused: an integrator begins a step where the last one ended, and rows repeat points of the event
/// search.
pub(crate) const GROUP_SOLUTIONS: usize = 4;

/// Largest group whose stability is certified at every evaluation; larger ones are certified once after each accepted point, since the cost
/// of eigenvalues grows with the cube.
pub(crate) const GROUP_ALWAYS_CERTIFIED: usize = 12;

// --- the past ---

/// Points of the interpolating polynomial: a cubic.
pub(crate) const PAST_SUPPORT: usize = 4;

/// Most points of a curve: far more than a screen shows, in a few megabytes. Beyond, nearest neighbours are merged.
pub(crate) const PAST_POINTS: usize = 1 << 16;

/// Fewest parts into which a step is divided for the past.
pub(crate) const PAST_FEWEST_PARTS: usize = 4;

/// Most parts into which a step is divided for the past: each costs an evaluation.
pub(crate) const PAST_MOST_PARTS: usize = 128;

/// A delay below this share of the run does not shorten steps: its result lies between the last step and now, and steps as short would
/// make a hundred thousand.
pub(crate) const DELAY_SHORT: f64 = 1e-5;

/// Relative excess of a delay over its maximum that counts as rounding: it may be computed.
pub(crate) const DELAY_ROUNDING: f64 = 1e-9;

/// Displacement of a profile below which the direction is a matter of rounding.
pub(crate) const TRANSPORT_ROUNDING: f64 = 1e-13;

/// The share of the length of a profile that may flow in within a step, by the speed of the last one: outflowing values must be known.
pub(crate) const TRANSPORT_OF_STEP: f64 = 0.5;
