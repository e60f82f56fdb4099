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

// --- singular starts ---

/// Most unknowns of a loop that is examined at the start: singular values cost their cube.
pub(crate) const LOOP_DENSE: usize = 50;

/// Distance at which the derivatives of a loop show their sizes, in nominal values.
pub(crate) const LEAST_CHANGE_BESIDE: f64 = 0.1;

/// Least singular value of scaled derivatives of a nonlinear loop that is regular: Newton's method finds a double root to 1e-8, and
/// derivatives there are as small.
pub(crate) const LEAST_CHANGE_SINGULAR: f64 = 1e-5;

/// The same of linear loops after it: what is left of a zero by the error of the positions.
pub(crate) const LEAST_CHANGE_RANK: f64 = 1e-6;

/// Largest residual, by the size of its row, of an equation that is met.
pub(crate) const LEAST_CHANGE_MET: f64 = 1e-5;

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

// --- branches of solutions, between events ---

/// The determinant of a state set or an assumption may not fall to less than this share of itself within a step: errors of the states
/// are enlarged by as much in the variables that follow. And it is to be seen where it vanishes.
pub(crate) const REGULARITY_DECLINE: f64 = 0.25;

/// Relative difference from which two determinants show how they change: far above the rounding errors of solved loops.
pub(crate) const REGULARITY_DIFFERS: f64 = 1e-2;

/// Share of the largest determinant below which a singular point is close, and most steps there: fifty times as many as a mechanism
/// takes that passes at this distance, at a tolerance of 1e-8. Rounding errors of loops are enlarged so close to a singular point that
/// an integrator may not come any nearer.
pub(crate) const REGULARITY_CLOSE: f64 = 1e-3;
/// See [`REGULARITY_CLOSE`].
pub(crate) const REGULARITY_STEPS: u32 = 20_000;

/// Share of the largest determinant below which a singular point is the likely cause of a run that does not go on.
pub(crate) const REGULARITY_SUSPECT: f64 = 1e-2;

/// A determinant of a set below this share of the largest so far counts as zero, if it also goes on to zero within
/// [`REGULARITY_OF_WAY`].
pub(crate) const REGULARITY_VANISHED: f64 = 1e-6;

/// The time to zero of such a determinant, as a share of the time since it was largest: a mechanism that shrinks as a whole has
/// determinants that vanish with it, but never are zero.
pub(crate) const REGULARITY_OF_WAY: f64 = 1e-3;

/// Share of the largest determinant of a loop below which its branches are told apart at a single instant: two that meet are this close to
/// each other there, which Newton's method still resolves.
pub(crate) const REGULARITY_SINGULAR: f64 = 1e-5;

/// Largest relative change of derivatives over the distance from the expected solution to the one that was found: half of what the
/// Newton–Kantorovich theorem allows, so that of two solutions behind a branching point one is seen.
pub(crate) const BRANCH_CONTRACTION: f64 = 0.25;

/// Share of the determinant of a loop left after a step in which it headed for zero, below which the step is looked at within: a
/// reflection at less than an eighth of the way to zero behind it is not seen by its solution.
pub(crate) const BRANCH_DECLINE: f64 = 0.15;

/// Share of the present determinant that is expected at the end of a step below which it heads for zero.
pub(crate) const BRANCH_HEADS_DOWN: f64 = 0.25;

/// A solution that is further from the expected one than a quarter of its size, and than twice the expected way, is in doubt; and one
/// within four times the expected way is continuous.
pub(crate) const BRANCH_GROSS: f64 = 4.0;

/// Share of the bend of a loop that counts at the next step: those that are quickly made longer see the bends of shorter ones.
pub(crate) const BRANCH_REMEMBERED: f64 = 0.8;

/// Change of the determinant of a loop over its way, by how it bends, as a share of what is left of it at both ends, from which it may have
/// been zero in between: bends are known from ends of steps only, and may be half as large again.
pub(crate) const BRANCH_TURN: f64 = 0.7;

/// The same share for a way that is longer than those before, and may bend more.
pub(crate) const BRANCH_MAY_TURN: f64 = 0.1;

/// Way of a loop within a step, over that of the steps before, from which it is longer.
pub(crate) const BRANCH_GROWTH: f64 = 1.5;

/// Way of a loop, in nominal values, below which it is short: a tenth of a radian.
pub(crate) const BRANCH_SHORT: f64 = 0.1;

/// Two solutions are distinct if they are further apart than this share of the way.
pub(crate) const BRANCH_DISTINCT: f64 = 0.1;

/// Distance of two solutions, in nominal values, that says nothing: loops are solved to less.
pub(crate) const BRANCH_CLOSE: f64 = 1e-6;

// --- jumps between modes ---

/// Most neighbours tried of a mode that cannot be entered, before none is reported to exist: all that differ in one or two of nineteen
/// guards.
pub(crate) const MODE_NEIGHBOURS: usize = 200;

/// Rounding of values in equations, as a share of their size: `325*sin(pi)` is 4e-14.
pub(crate) const SIDES_ROUNDING: f64 = 1e-12;

/// Terms of equations that differ by less than this share of their size are the same: they are computed in another order.
pub(crate) const SIDES_SAME: f64 = 1e-11;

/// Distance of an indicator from its border at the start within which it is on the side that the complementarity problem gives it.
pub(crate) const SIDES_AT_START: f64 = 1e-8;

/// Most turns in which discrete variables follow the sides of relations, and sides the discrete variables.
pub(crate) const SIDES_TURNS: usize = 16;

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

/// The smallest part of the way of the inputs that is tried, before a branch is said to end: what is balanced is off by the square root of
/// it there, and steps that reach beyond the end are as short.
pub(crate) const BRANCH_SMALLEST_PART: f64 = 1e-10;

/// Most parts of one way: a thousand periods of a field.
pub(crate) const BRANCH_PARTS: u32 = 4000;

/// Largest relative difference of a residual from what the change of the inputs makes it to first order: a quarter of a period makes a third.
pub(crate) const BRANCH_AGREES: f64 = 0.5;

/// Residuals below this share of the largest, in units of the unknowns, say nothing: terms cancel.
pub(crate) const BRANCH_MATTERS: f64 = 1e-3;

/// Residuals below this share of the terms that inputs contribute are rounding: fifty of its units.
pub(crate) const BRANCH_ROUNDING: f64 = 1e-14;

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
