//! Every tuning constant of the crate, with its reason.

/// Relative rounding unit of `f64`.
pub const EPSILON: f64 = f64::EPSILON;

// --- adaptive integration ---

/// The shortest step, in rounding units of the time reached: below a few of them `t + h` no longer says where the
/// stages lie.
pub const SHORTEST_STEP_IN_ULPS: f64 = 16.0;

/// The shortest step as a fraction of the whole run, for times near zero, which have no useful rounding unit.
/// Small enough for a first step of femtoseconds in Robertson's run of 1e11 s, large enough to give up after a
/// hundred attempts.
pub const SHORTEST_STEP_OF_RUN: f64 = 1e-30;

/// How much longer than one step the next may be: CVODE's figure. With diffsol's own, 2, a BDF needs 38 steps after
/// each restart of the pushed pendulum in the tests instead of 22.
pub const STEP_GROWTH: f64 = 10.0;

/// First step as a fraction of the one that would change the state by its tolerance (Hairer, Nørsett &
/// Wanner, II.4).
pub const FIRST_STEP_FRACTION: f64 = 0.01;

/// First step where derivatives are negligible and say nothing: this part of the run.
pub const FIRST_STEP_OF_RUN: f64 = 1e-6;

/// The shortest first step, in rounding units of the time it begins at. The difference of two derivatives over it must give the
/// second one to a digit or two. And a first step may be shortened, a hundred times down to [`SHORTEST_STEP_IN_ULPS`], before the
/// run is given up.
pub const FIRST_STEP_IN_ULPS: f64 = 1600.0;

/// A derivative that is smaller than this, measured by the tolerances, is negligible.
pub const FIRST_STEP_NEGLIGIBLE: f64 = 1e-5;

/// The estimated second derivative is negligible below this; the first step then is this part of the trial.
pub const FIRST_STEP_STRAIGHT: f64 = 1e-15;
/// See [`FIRST_STEP_STRAIGHT`].
pub const FIRST_STEP_WHERE_STRAIGHT: f64 = 1e-3;

/// The first step is at most this many times the trial.
pub const FIRST_STEP_BEYOND_TRIAL: f64 = 100.0;

/// The trial point of the first-step estimate is moved closer by this factor while it cannot be evaluated.
pub const FIRST_STEP_RETREAT: f64 = 0.1;

/// How often it is moved closer before the estimate does without.
pub const FIRST_STEP_RETREATS: u32 = 20;

/// Factor on the step after an accepted step turned out to hold a failed evaluation. Steep, because the border of
/// where the equations can be evaluated is mostly a wall.
pub const RETREAT_AFTER_FAILED_EVALUATION: f64 = 0.25;

/// Least remainder in front of the stop time, as a fraction of a step: two halves are made in place of a step
/// that would leave less.
pub const CRUMB: f64 = 0.1;

/// Rejections by the error test within one step before giving up; each at least halves the step.
pub const REJECTIONS_PER_STEP: usize = 60;

/// How close to the stop time an integrator counts as there, in rounding units of time and step: the same figure as
/// in CVODE.
pub const STOP_IN_ULPS: f64 = 100.0;

// --- chattering ---

/// Steps shorter than this part of the run are tiny: a run made of them takes ten thousand, and is looked at.
pub const CHATTERING_STEP: f64 = 1e-4;

/// Tiny steps that are looked at together.
pub const CHATTERING_STEPS: u32 = 1000;

/// Fraction of steps that reverse the change of a rate, above which a state chatters. By the method it is one in eleven (Tsit45,
/// if the two sides pull back at different rates) up to all of them. Over a jump that is met once, step controls take ten steps
/// and more until their steps are as long as before.
pub const CHATTERING_REVERSALS: f64 = 0.04;

/// Between two reversals a state that chatters moves by about the tolerance, or less; by Tsit45, whose error test hardly sees
/// jumps, by up to a hundred of them. Larger movements are no chattering.
pub const CHATTERING_MOVED: f64 = 1000.0;

/// A change of the rate of a state that counts, over the step and by the tolerance. Steps over a jump change it by about the
/// tolerance if they are limited by the error test, by a hundredth of it if they are limited by Newton's method. Rounding errors
/// of a state at rest are far smaller.
pub const CHATTERING_FELT: f64 = 1e-4;

/// So many steps after those that seem to chatter are looked at for a jump: not all of them cross it.
pub const CHATTERING_LOOKS: u32 = 10;

/// Most windows of tiny steps that pass without a look after looks that have found no jump: in runs made of such steps, looks
/// take less than a thirtieth of the evaluations.
pub const CHATTERING_REST: u32 = 31;

/// How far beyond a step the jump is looked for where both of its ends are on one side, in steps.
pub const CHATTERING_AHEAD: f64 = 4.0;

/// How often a step is halved to see whether a derivative jumps within it: to a millionth of it.
pub const CHATTERING_HALVINGS: u32 = 20;

/// Points of the step that tell by how much the derivative changes in all.
pub const CHATTERING_SAMPLES: u32 = 64;

/// It jumps where this part of all its changes over the step is left then. Of a smooth derivative that would be a millionth, of
/// rounding errors about a thirtieth.
pub const CHATTERING_JUMP: f64 = 0.5;

// --- linear algebra ---

/// Up to this many unknowns a dense factorisation always wins: it fits the first-level cache, and sparse
/// bookkeeping costs more than the arithmetic it saves.
pub const DENSE_UP_TO: usize = 32;

/// Above that, a matrix with more than this part of its entries is still treated as dense.
pub const DENSE_ABOVE_FILL: f64 = 0.25;

/// A pivot below this many rounding units (times the number of unknowns) of its column's largest entry counts
/// as zero.
pub const SINGULAR_PIVOT_IN_ULPS: f64 = 4.0;

/// Least solution for a right-hand side of ones by which a sparse matrix with rows of size one counts as singular: one rounding
/// error in the matrix may cause it. Below, conductances of 1e-5 beside resistances of 1e-5 are no reason to give up.
pub const SINGULAR_GROWTH: f64 = 1e14;

// --- finite differences ---

/// Increment relative to the size of a state: the square root of the rounding unit balances truncation and
/// rounding.
pub const DIFFERENCE_INCREMENT: f64 = 1.490_116_119_384_765_6e-8;

// --- fixed-step methods ---

/// A step that would leave less than this part of a step to the stop time goes there at once; a remainder of
/// rounding errors is no step.
pub const LAST_STEP_SLACK: f64 = 1e-9;

/// Newton's method within a step stops when the estimated error is below this part of the tolerances: the
/// step's own error shall dominate.
pub const STEP_NEWTON_TOLERANCE: f64 = 1e-3;

/// Iterations with one matrix before it is renewed, or before giving up with a new one.
pub const STEP_NEWTON_ITERATIONS: u32 = 10;

/// A contraction slower than this renews the matrix before the next step.
pub const STEP_NEWTON_SLOW: f64 = 0.2;

/// A contraction slower than this counts as divergence.
pub const STEP_NEWTON_DIVERGING: f64 = 0.9;

// --- Newton's method for F(x) = 0 ---

/// Full iterations before giving up.
pub const NEWTON_ITERATIONS: u32 = 100;

/// Correction below which an iterate counts as the solution, relative to the larger of the unknown and its
/// nominal value.
pub const NEWTON_TOLERANCE: f64 = 1e-10;

/// Relative correction accepted as a solution once it stagnates: an ill-conditioned system is not known any
/// better.
pub const NEWTON_STALLED: f64 = 1e-6;

/// The smallest part of a Newton correction that is tried.
pub const NEWTON_SHORTEST: f64 = 1e-16;

/// Reduction of a part that was refused.
pub const NEWTON_BACKTRACK: f64 = 0.5;

/// Below this part, where only the order of magnitude counts any more: the first correction for a diode that does not conduct yet goes to
/// 1e14 V.
pub const NEWTON_SHORT: f64 = 1e-8;
/// See [`NEWTON_SHORT`].
pub const NEWTON_BACKTRACK_SHORT: f64 = 0.1;

/// Part of the predicted decrease that must be achieved (natural monotonicity test; Deuflhard 2004, §3.3).
pub const NEWTON_DECREASE: f64 = 0.25;

/// Residual decrease that is accepted where the monotonicity test is not met (Armijo's rule).
pub const NEWTON_ARMIJO: f64 = 1e-4;

/// A whole correction that leaves more than this share of itself is a slow one: an exponential leaves 1/e, a double root 1/4.
pub const NEWTON_SLOW: f64 = 0.2;

/// After so many slow corrections in a row it is tried to go further along one.
pub const NEWTON_SLOW_CORRECTIONS: u32 = 2;

/// How far, in corrections: the whole range of exponents of a floating-point number.
pub const NEWTON_FURTHEST: f64 = 1024.0;

/// Residuals of at least this share of the largest one are large.
pub const NEWTON_LARGE: f64 = 0.1;

/// Damping of the least-squares correction where the Jacobian is singular, relative to its largest scaled diagonal.
pub const NEWTON_REGULARISATION: f64 = 1e-6;

/// Scaled residual below which a start with a singular Jacobian is accepted as a solution.
pub const NEWTON_SINGULAR_RESIDUAL: f64 = 1e-12;

// --- projection ---

/// A constraint of which the others leave less than this share says nothing of its own.
pub const DEPENDENT_DIRECTION: f64 = 1e-9;

/// Least share of a row in a linear dependence of sparse rows for it to be named.
pub const SPARSE_DEPENDENCE: f64 = 1e-6;

/// The golden section: multiples of it fall evenly and never together between whole numbers.
pub const GOLDEN_SHARE: f64 = 0.618_033_988_749_894_9;

/// Steps of a projection whose free directions are taken anew at each point.
pub const PROJECTION_ROUNDS: u32 = 100;

/// Places beside a reference from which a projection is tried that led nowhere from the reference itself.
pub const PROJECTION_RESTARTS: usize = 12;

/// How far such a place is from the reference at least, as a share of the size of the reference.
pub const PROJECTION_BESIDE: f64 = 0.05;

/// Points that are found from such places before the nearest of them is taken.
pub const PROJECTION_RESTARTS_TO_COMPARE: usize = 3;

// --- roots ---

/// ITP's first constant: how strongly the estimate is pulled towards the middle, scaled by the interval.
pub const ITP_KAPPA: f64 = 0.2;

/// ITP's slack: how many evaluations beyond bisection the worst case may take.
pub const ITP_SLACK: i32 = 1;

/// The least tolerance that the error of a step is compared with where a larger one is asked for: below it the test sees
/// rounding errors.
pub const TIGHTEST_STEP_TOLERANCE: f64 = 1e-13;

// --- our own BDF ---

/// Steps that a Jacobian serves at most: CVODE's figure. It is renewed earlier where Newton's method does not converge.
pub const BDF_JACOBIAN_AGE: u32 = 50;

/// How far `γ` may be from that of the factors before they are renewed. With 0.3 there are a sixth fewer factors, and a
/// third more steps that are rejected.
pub const BDF_MATRIX_MOVED: f64 = 0.2;

/// Newton iterations within a step.
pub const BDF_NEWTON_ITERATIONS: u32 = 4;

/// A contraction slower than this is none.
pub const BDF_NEWTON_DIVERGING: f64 = 0.9;

/// Decay per iteration of the slowest contraction seen.
pub const BDF_RATE_FORGOTTEN: f64 = 0.3;

/// The error that Newton's method may leave, as a part of the error that the step may have. This error is noise to the
/// differences that choose the order: with 0.1 stiff problems take a fifth more steps.
pub const BDF_NEWTON_SHARE: f64 = 0.02;

/// The error that a step may have, by the tolerance of the run, is `BDF_STEP_TOLERANCE · tolerance^(1 + POWER)`.
///
/// Errors of steps add up over some `tolerance^(-1/(p+1))` steps at order `p`. For the error of the run to follow the
/// tolerance, that of a step must fall a little faster than it (Stetter 1980). With these figures the errors of the problems
/// in `tests/integrators/tolerance.rs` are within 7 tolerances from 1e-4 to 1e-8.
pub const BDF_STEP_TOLERANCE: f64 = 0.6;
/// See [`BDF_STEP_TOLERANCE`].
pub const BDF_STEP_TOLERANCE_POWER: f64 = 1.0 / 6.0;

/// Target error of the next step, as a fraction of the permitted one, at the same order, a lower and a higher one:
/// estimates are uncertain, those of other orders more so.
pub const BDF_AIM_SAME: f64 = 0.33;
/// See [`BDF_AIM_SAME`].
pub const BDF_AIM_LOWER: f64 = 0.25;
/// See [`BDF_AIM_SAME`].
pub const BDF_AIM_HIGHER: f64 = 0.36;

/// Derivatives, times powers of the step, that fall by less than this from one order to the next: the higher ones are noise, or
/// oscillations that the formula is not stable for.
pub const BDF_NOISE: f64 = 0.6;

/// A step is made longer where it can be by this factor at least: every change costs factors and smoothness.
pub const BDF_CHANGE_LONGER: f64 = 1.1;

/// A step is made shorter where its error asks for this factor at least.
pub const BDF_CHANGE_SHORTER: f64 = 0.95;

/// How much longer the next step may be; and at the start, where the first step is a guess.
pub const BDF_GROWTH: f64 = 2.0;
/// See [`BDF_GROWTH`].
pub const BDF_FIRST_GROWTH: f64 = 10.0;

/// By how much a step is shortened at least, also the second time, and at most, after its error was too large. Between points of
/// the past that are far apart, the error of a much shorter step is not much smaller.
pub const BDF_RETREAT_LEAST: f64 = 0.9;
/// See [`BDF_RETREAT_LEAST`].
pub const BDF_RETREAT_AGAIN: f64 = 0.6;
/// See [`BDF_RETREAT_LEAST`].
pub const BDF_RETREAT_MOST: f64 = 0.2;

/// By how much the step is shortened at most where the variables become other ones: derivatives of high order are uncertain there,
/// and the next steps tell more.
pub const BDF_REMAPPED_LEAST: f64 = 0.6;

/// After so many steps in a row whose error was too large, the past is not trusted any more.
pub const BDF_RETREATS_TO_ORDER_ONE: u32 = 4;

/// Least error constant of a step, relative to that of equal steps: after some other step lengths, as a quarter of a first step
/// that was too long, the formulas give none.
pub const BDF_LEAST_ERROR: f64 = 0.25;

/// The error aimed at in the first step, by the tolerance of a step.
pub const BDF_FIRST_ERROR: f64 = 0.1;

/// The share of a correction that is the error of the step, where the past was made up: exact to its order, it bends less than
/// a real one would.
pub const BDF_ERROR_OF_MADE_UP: f64 = 0.5;

/// For so many steps a past that was made up is looked at separately.
pub const BDF_MADE_UP_STEPS: usize = 2;

/// Least distance of a past point from an event, relative to the planned step, at which the point is kept: shorter steps
/// of the past make the next prediction worse.
pub const BDF_CLOSEST_POINT: f64 = 0.2;

/// Changes that an event makes within a step, by derivatives, are ignored below this fraction of the tolerance.
pub const BDF_UNTOUCHED: f64 = 1.0;

/// How much larger than the error of a step the errors of the slope and the bend of the polynomial are, over a step: they are
/// no change. For order 5 and equal steps the figures are 2.3 and 5.2.
pub const BDF_SLOPE_UNSURE: f64 = 2.5;
/// See [`BDF_SLOPE_UNSURE`].
pub const BDF_BEND_UNSURE: f64 = 6.0;

/// The increment of a difference along the solution is a fraction of a state's time scale, or at least of this fraction of
/// the time reached: terms in time must change over it.
pub const FIRST_STEP_OF_TIME: f64 = 1e-4;
