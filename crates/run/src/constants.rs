//! Every tuning constant of the crate, with its reason.
//!
//! None is part of the language: each trades the work of a run against crossings, jumps or messages that would be lost. Coefficients of
//! methods stand with these.

// --- integration ---

/// Tolerance of the states of models with state sets, as a share of that of the run: variables that follow from them through
/// constraints, solved for other variables again and again, are less accurate than the states. With it pendulums keep their energy to
/// a hundred tolerances for ten seconds, without it to four hundred.
pub(crate) const TOLERANCE_WITH_SETS: f64 = 0.25;

/// Most steps of one run: a bound on work, far above any run that a person waits for.
pub(crate) const MOST_STEPS: u64 = 1_000_000_000;

/// Most parts that a step between ticks is divided into to meet the tolerance of the run: each tick has to end, and a rhythm that needs
/// more is too slow for its states, which is reported.
pub(crate) const TICK_PARTS: usize = 1 << 12;

/// Part of a step, or of the interval of a `sample`, by which times that count as one may differ: each is rounded on its own.
pub(crate) const TICK_ROUNDING: f64 = 1e-9;

/// Most values of what ticks that a `delay` keeps: 64 MB.
pub(crate) const PAST_TICKS: usize = 1 << 22;

/// Most pieces of its past that a delay is read on at one tick: its time may depend on what is read.
pub(crate) const PAST_PIECES_TRIED: usize = 50;

/// A measured value that depends on states integrated with it agrees with the value its step used up to a few roundings.
pub(crate) const MEASURED_AGREES: f64 = 8.0 * f64::EPSILON;

/// Share of the nominal value below which a measured value is compared with that: it may be a difference of larger ones.
pub(crate) const MEASURED_SMALL: f64 = 1e-6;

/// Relative difference below which a repetition that gains less than half is the work of roundings.
pub(crate) const MEASURED_ROUNDED: f64 = 1e-10;

/// Most repetitions of a step for that: Broyden's method takes about ten for a loop of a few values.
pub(crate) const MEASURED_REPEATS: usize = 60;

// --- event times ---

/// Event times are located to this share of the step: the accuracy of the dense output, a few thousand rounding units.
pub(crate) const EVENT_LOCATED: f64 = 1e-12;

/// Multiple of that resolution below which the order of two events means nothing.
pub(crate) const EVENT_UNRESOLVED: f64 = 4.0;

/// Time, as a share of the run, below which the resolution of instants is that at this time. Not the whole run: in one of ten seconds
/// that would give two femtoseconds, too coarse for an arc that quenches.
pub(crate) const BEGINNING: f64 = 1e-4;

// --- event search by points ---

/// Least number of points within a step, its end among them, at which crossings without an enclosure are sampled: one that comes and
/// goes between two of them is not seen. Each costs an evaluation of the model.
pub(crate) const SAMPLES_OF_STEP: f64 = 3.0;

/// The same within the first step after an event, as shares of it: a variable set at the event may cross again at once, at any of these
/// orders of magnitude.
pub(crate) const SAMPLES_AFTER_EVENT: [f64; 8] = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1];

/// Least number of points per output interval at which such crossings are sampled, so that long steps are searched as densely as
/// rows are written.
pub(crate) const SAMPLES_OF_INTERVAL: f64 = 4.0;

/// The output interval assumed if rows are asked for at given times, as a share of the run: that of a run without options.
pub(crate) const INTERVAL_OF_RUN: f64 = 1.0 / 500.0;

// --- event search by enclosures ---

/// Distance of two crossings, as a share of the output interval, below which a careful search may miss them: far less than a plot shows.
pub(crate) const CAREFUL_SEPARATION: f64 = 1e-3;

/// Uncertainty of states in a careful search, as a share of the tolerance: finer motion is an error of the integrator.
pub(crate) const CAREFUL_UNCERTAINTY: f64 = 1e-3;

/// Most instructions over ranges in one search. At some fifteen nanoseconds each they take a third of a second.
pub(crate) const SEARCH_WORK: u64 = 20_000_000;

/// Work that each step adds to the allowance of later searches, at the same fifteen nanoseconds: in the long run a step takes a
/// millisecond more at most.
pub(crate) const SEARCH_WORK_OF_STEP: u64 = 40_000;

/// The same in enclosures of all indicators, for models in which these are long formulas.
pub(crate) const SEARCH_ENCLOSURES_OF_STEP: u64 = 2;

/// Cost of an instruction of an expansion, in instructions over ranges: the recurrences of a product of series of this order.
pub(crate) const EXPANSION_COST: u64 = 20;

/// The same for the polynomial of a state over a piece of time.
pub(crate) const PATH_COST: u64 = 8;

/// Width of an enclosure, relative to the blur at its middle (by rounding or errors of the integrator), below which halving shows nothing
/// more. An indicator resting at its border would be halved without end.
pub(crate) const ENCLOSURE_NARROW: f64 = 4.0;

/// Remainder of a polynomial, relative to its change over a piece, below which it serves the halves as well as a new one would: an
/// expansion costs [`EXPANSION_COST`] enclosures.
pub(crate) const EXPANSION_GOOD: f64 = 0.1;

/// Most halvings of a piece of time before it is expanded again.
pub(crate) const EXPANSION_HALVINGS: f64 = 8.0;

/// After an expansion without a bound, the next is tried over this share of the piece.
pub(crate) const EXPANSION_RETRIED: f64 = 0.25;

// --- sides of borders ---

/// Nudge of a crossing to its new side, as a share of its indicator's change in the step: far above rounding, far below the tolerance.
pub(crate) const NUDGE: f64 = 1e-10;

/// Least nudge of a crossing, as a share of the terms of its indicator: some thousand times their rounding, so that an indicator whose
/// terms cancel comes back only when they have grown as much.
pub(crate) const NUDGE_ROUNDING: f64 = 4096.0 * f64::EPSILON;

/// Distance beyond the border, as a share of the change in the step, above which an indicator has jumped there.
pub(crate) const SIDE_JUMPED: f64 = 1e-3;

/// Changes below this are rounding errors, and do not show jumps.
pub(crate) const SIDE_LEAST_CHANGE: f64 = 1e-6;

/// Distance beyond the border, as a share of the largest distance at any event, below which an indicator has not jumped: loops of
/// resistances of 1e-5 beside conductances of 1e-5 (the current of a thyristor that ends) err by as much.
pub(crate) const SIDE_CLOSE: f64 = 1e-7;

/// Distance from the border, as a share of the largest one seen, within which an indicator is on the side that the complementarity problem
/// gives it: the solution of a mode errs by as much where its factors lie ten decades apart.
pub(crate) const SIDE_DECIDED: f64 = 1e-8;

/// The size of an indicator of which nothing is known.
pub(crate) const SIDE_DECIDED_LEAST: f64 = 1.0;

/// Value or slope of an indicator, relative to its change by nominal changes of the variables that jump, below which it counts as
/// zero: the mode keeps it at its border, whatever the states are, but for rounding.
pub(crate) const SIDE_PINNED: f64 = 1e-8;

/// An indicator that a mode kept at its border comes back to it if it is beyond it by this share of the tolerance. Less is an error of the
/// integrator, which begins with short steps of low order: it would pull a rope taut again that goes slack.
pub(crate) const SIDE_RELEASED: f64 = 0.1;

/// Relative length of the small step ahead that shows the direction of a crossing: too short for anything to bend, too long for rounding
/// to decide.
pub(crate) const STEP_AHEAD: f64 = 1e-9;

/// Largest difference of the directions of two indicators of one border, squared and relative.
pub(crate) const SAME_BORDER: f64 = 1e-12;

// --- convergence of events ---

/// Most evaluations of the equations at one instant before the event is reported not to converge.
pub(crate) const EVENT_ITERATIONS: usize = 200;

/// Most events at one instant that let clocks tick, which make further events, before they are reported not to converge.
pub(crate) const CLOCK_EVENTS: usize = 100;

/// Most evaluations at one instant until the inflow of a profile equals the value at its end: one, unless that value decides about the
/// direction.
pub(crate) const INFLOW_ITERATIONS: usize = 20;

/// Most crossings of one border without moving clear of it before a lack of progress is reported.
pub(crate) const STUCK_CROSSINGS: u32 = 20;

/// Most consecutive crossings at which both sides lead back to the border before a sliding mode is reported: the equations may change in
/// between.
pub(crate) const SLIDING_CROSSINGS: u32 = 8;

/// Events without progress in time after which there is no end to them.
pub(crate) const ZENO_EVENTS: usize = 100;

/// Progress in time, in units of its resolution, that counts as none.
pub(crate) const ZENO_PROGRESS: f64 = 4.0;

/// Events within [`ZENO_SHARE_OF_RUN`] that end the run: at this pace it would take ten million million of them.
pub(crate) const ZENO_MANY_EVENTS: usize = 10_000;
/// See [`ZENO_MANY_EVENTS`].
pub(crate) const ZENO_SHARE_OF_RUN: f64 = 1e-9;

/// Least interval, in units of the resolution, that shows how intervals shrink: to four digits.
pub(crate) const ZENO_INTERVAL: f64 = 1e4;

// --- bounces and rest ---

/// Least number of steps to a bounce: steps as long as a bounce would miss it.
pub(crate) const BOUNCE_STEPS: f64 = 32.0;

/// The shortest such limit, in rounding units of the time: integrators refuse steps below a hundred of them.
pub(crate) const BOUNCE_SHORTEST_IN_ULPS: f64 = 256.0;

/// The same as a share of the run, for times near zero, where rounding units alone would allow bounces of any length.
pub(crate) const BOUNCE_SHORTEST_OF_RUN: f64 = 1e-13;

/// Largest ratio of the time between two bounces to that before them at which bounces come ever sooner. Relays and thermostats, which
/// switch at a steady pace, need no short steps.
pub(crate) const BOUNCE_SOONER: f64 = 0.9999;

/// The band of a relation, as a share of its permitted error, so that a model at rest there is within the tolerance.
pub(crate) const REST_BAND: f64 = 1e-3;

/// A rate or its change below this share of its value at the bounce counts as zero: at rest.
pub(crate) const REST_RATE: f64 = 1e-6;

/// Largest distance of a border that catches a fall from the one that failed to, as a share of the nominal value of the
/// comparison. Only a near second border (`h < -eps` beside `h < 0`) is meant as the same floor.
pub(crate) const REST_CAUGHT: f64 = 0.1;

/// Slopes of two relations that differ by no more than this share are parallel.
pub(crate) const REST_PARALLEL: f64 = 1e-9;

// --- borders of the domain ---

/// Distance from a point without values, as a share of the run, at which steps are no longer shortened: nearer points fail by rounding,
/// and event times are resolved no better ([`EVENT_LOCATED`]).
pub(crate) const DOMAIN_CLOSEST: f64 = 1e-12;

/// The same in rounding units of the time: the shortest step of integrators.
pub(crate) const DOMAIN_CLOSEST_IN_ULPS: f64 = 16.0;

/// Distances beyond the end of the last step, in shortest steps, at which a condition that stopped the run is tried. Each is a guess of
/// how far the states may be extrapolated; the nearest that switches the condition is taken.
pub(crate) const DOMAIN_AHEAD: [f64; 4] = [2.0, 16.0, 128.0, 1024.0];

// --- branches of solutions ---

/// Parts of a step in doubt in which its loops are followed.
pub(crate) const BRANCH_PARTS: u32 = 8;

/// Length of the next attempt, as a share of that of a step no part of which is sure. A quarter: the error of an extrapolated solution
/// then falls to a sixteenth.
pub(crate) const BRANCH_RETREAT: f64 = 0.25;

// --- modes ---

/// Most modes tried at one instant before none is reported to stay.
pub(crate) const MODES_TRIED: usize = 64;

/// Values in place of impulses, for event indicators that are not linear in them: above any value of a model, with a square below overflow.
pub(crate) const IMPULSE_LARGE: f64 = 1e15;

/// Relative difference of the change of an indicator by such a value from its derivative up to which it is linear in the impulse.
pub(crate) const IMPULSE_LINEAR: f64 = 1e-3;

/// Jumps below this share of a variable's size count as rounding, and are not reported.
pub(crate) const JUMP_REPORTED: f64 = 1e-10;

/// Most borders whose orders are all tried (six of three); of more, each is the first once, and the others follow at once.
pub(crate) const ORDERS_IN_FULL: usize = 3;

/// Most borders that are tried as the first one: a bound on work.
pub(crate) const ORDERS_FIRST: usize = 16;

// --- branches of equilibria ---

/// Changes below this share of a variable's size stay on one branch.
pub(crate) const BRANCH_CHANGE: f64 = 1e-3;

/// The end of a branch is located to this share of the step, as events are ([`EVENT_LOCATED`]).
pub(crate) const BRANCH_LOCATED: f64 = 1e-12;

/// How often within a step an equilibrium that was not found may be found after all from nearer points.
pub(crate) const BRANCH_RETURNS: u32 = 20;

/// Least ratio of the run's length to the time constant of a slave: motion within a hundredth of the run is a transient.
pub(crate) const SLAVE_OF_RUN: f64 = 100.0;

/// Least ratio of the rate of a slave to that of any other state: closer ones are one dynamics.
pub(crate) const SLAVE_OF_OTHERS: f64 = 10.0;

// --- advice on balances ---

/// Most states whose modes are looked at: the cost grows with the cube.
pub(crate) const ADVICE_MOST_STATES: usize = 200;

/// Most work of the run that is looked at, without its start, in instructions: some ten seconds. What it has not come to by then is not
/// looked at.
pub(crate) const ADVICE_RUN_WORK: u64 = 5_000_000_000;

/// Work for looking at a run, and for each trial, that is there however short the run is, in instructions: a second or two.
pub(crate) const ADVICE_LOOKING: u64 = 1_000_000_000;

/// Most work of all trials together, as a multiple of that of the run with its start: it itself, and four trials of the same length.
pub(crate) const ADVICE_TRIALS_WORK: u64 = 5;

/// Work for the modes of a run, in cubes of the number of states: some seconds; from then on half as many points are looked at, and so on.
pub(crate) const ADVICE_WORK: u64 = 100_000_000;

/// Participation of a state in a mode, relative to the largest of any state, from which on it takes part in it.
pub(crate) const MODE_PART: f64 = 0.1;

/// Steps from one look at the loops of a model to the next.
pub(crate) const ADVICE_LOOPS_EVERY: usize = 8;

/// Most unknowns of a loop that is proposed as a group of balances: of more, nobody reads the proposal.
pub(crate) const ADVICE_LARGEST_LOOP: usize = 20;

/// Longest formula of a proposal, in operators and operands.
pub(crate) const ADVICE_FORMULA: usize = 500;

/// Time constants after which transients of the start are over.
pub(crate) const ADVICE_SETTLED: f64 = 10.0;

/// Largest difference of a run with a proposal from one without: a hundredth of the size of each variable is seen in a plot.
pub(crate) const ADVICE_DIFFERENCE: f64 = 1e-2;

/// Rows in which runs are compared.
pub(crate) const ADVICE_ROWS: usize = 100;

/// Most proposals that are tried one by one.
pub(crate) const ADVICE_TRIALS: usize = 10;

// --- ranges and asserts ---

/// Relative tolerance on `min` and `max` of parameters: smaller violations count as rounding. A parameter is computed from others by a
/// few operations, each of which errs by 1.1e-16 of its result at most.
pub(crate) const RANGE_ROUNDING: f64 = 1e-12;

/// The instant at which a variable leaves its range is located to this share of the step: nothing but the message depends on it.
pub(crate) const RANGE_LOCATED: f64 = 1e-9;

/// The instant at which an assert is first violated is located to this share of the step, as events are ([`EVENT_LOCATED`]): no row beyond
/// it is written.
pub(crate) const ASSERT_LOCATED: f64 = 1e-12;

// --- lengths of reports ---

/// Most jumps between branches of equilibria that are reported one by one.
pub(crate) const BRANCH_JUMPS_REPORTED: usize = 20;

/// Most variables beyond their range that are reported by name; further ones are counted.
pub(crate) const RANGES_REPORTED: usize = 20;

/// Most states, loops and conditions that are reported as causes of a slow run.
pub(crate) const CAUSES_REPORTED: usize = 5;

/// Most orders of impulses listed in a message: all that [`ORDERS_IN_FULL`] borders have.
pub(crate) const ORDERS_REPORTED: usize = 6;

/// Longest formula that is shown in a message, in bytes.
pub(crate) const FORMULA_REPORTED: usize = 60;

/// Most modes, and most changes of the mode, that are kept: a bound on memory.
pub(crate) const MODES_KEPT: usize = 10_000;
