//! Fixed-point iteration over Booleans and algebraic loops that need each other: which of two diodes conducts,
//! whether a clutch sticks.
//!
//! First each iteration takes over all values of the last one. If that cycles, it is begun again: all Booleans that disagree are
//! changed as long as they become fewer, else only the first of them. The conditions of diodes, switches and friction are a
//! linear complementarity problem with one solution. For these the least-index rule terminates in any order (Murty 1974, with
//! block pivots as in Júdice & Pires 1994; Cottle, Pang & Stone, *The Linear Complementarity Problem*, 1992, §4.2). A condition
//! that disagrees by no more than rounding, as when two diodes take over from each other, stays on its side: it is nudged like
//! one that was just crossed. If that fails, all combinations of a few Booleans are tried.

use rhei_equations::{Border, Relation, VarId};
use rhei_kernel::{Settling, Step, Watch};
use rhei_model::CompiledModel;
use rustc_hash::FxHashMap;

use crate::constants::{
    SETTLE_AT_BORDER, SETTLE_BLOCK_PIVOTS, SETTLE_COMBINED, SETTLE_ITERATIONS, SETTLE_RULE_ITERATIONS,
};
use crate::evaluate::{Evaluator, NoValue, finite_or_zero, refill};
use crate::guesses::Trust;
use crate::search::Search;

/// The conditions of a model with an event indicator, by the variable that holds them.
#[derive(Clone)]
pub struct Borders {
    /// The event indicators.
    watch: Watch,
    place_of: FxHashMap<VarId, usize>,
    conditions: Vec<Condition>,
}

#[derive(Clone)]
struct Condition {
    nudge: VarId,
    /// None if the border is not at zero.
    relation: Option<Relation>,
    /// The largest distance from its border at which it was found.
    size: f64,
}

/// The treatment of a condition that was just crossed, and nudged to its new side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nudged {
    /// It stays there.
    Stays,
    /// It may be back at its border, but for rounding: a diode that has hardly begun to conduct.
    MayReturn,
}

impl Borders {
    pub fn new(model: &CompiledModel) -> Borders {
        let crossings = &model.equations.events.crossings;
        let conditions = crossings.iter().map(|crossing| Condition {
            nudge: crossing.nudge,
            relation: match crossing.border {
                Border::Zero { relation, .. } => Some(relation),
                _ => None,
            },
            size: 0.0,
        });
        Borders {
            watch: model.code.crossings.clone(),
            place_of: crossings.iter().enumerate().map(|(place, crossing)| (crossing.held, place)).collect(),
            conditions: conditions.collect(),
        }
    }
}

/// Memory reused from one call to the next.
#[derive(Clone, Default)]
pub(crate) struct SettlingMemory {
    /// All values at the beginning.
    start: Vec<f64>,
    /// The held values, of one iteration and of the next.
    before: Vec<f64>,
    after: Vec<f64>,
}

/// A search for consistent values; says whether it found any.
type Way = fn(&mut Evaluator, &Settling, &mut [f64], Search<'_>) -> bool;

impl Evaluator {
    /// Repeats an iteration until its held values do not change.
    pub(crate) fn settle(
        &mut self,
        settling: &Settling,
        values: &mut [f64],
        search: Search<'_>,
    ) -> Result<(), NoValue> {
        let mut memory = std::mem::take(&mut self.settling);
        let settled = self.settle_within(settling, values, &mut memory, search);
        self.settling = memory;
        settled
    }

    fn settle_within(
        &mut self,
        settling: &Settling,
        values: &mut [f64],
        memory: &mut SettlingMemory,
        search: Search<'_>,
    ) -> Result<(), NoValue> {
        if let Some(trust) = search.trust {
            self.guess_held(settling, values, trust);
        }
        for v in &settling.held {
            values[v.index()] = finite_or_zero(values[v.index()]);
        }
        refill(&mut memory.start, values.iter().copied());
        let failure = match self.take_all_over(settling, values, memory, search) {
            Ok(true) => return Ok(()),
            Ok(false) => NoValue::Unsettled(settling.held.clone()),
            Err(failure) => failure,
        };
        // the beginning is nearer to the solution than a point of the cycle
        let ways: [Way; 3] = [
            |this, settling, values, search| this.change_with_care(settling, Nudged::Stays, values, search),
            Evaluator::try_all,
            |this, settling, values, search| {
                this.change_with_care(settling, Nudged::MayReturn, values, search)
            },
        ];
        for way in ways {
            values.copy_from_slice(&memory.start);
            if way(self, settling, values, search) {
                return Ok(());
            }
        }
        values.copy_from_slice(&memory.start);
        Err(failure)
    }

    /// Initial Booleans from start values and the variables that follow from these: if a flow starts forwards, its search begins
    /// with the equations of forward flow.
    fn guess_held(&mut self, settling: &Settling, values: &mut [f64], trust: &[Trust]) {
        let mut guessed = values.to_vec();
        let mut is_any_given = false;
        for step in &settling.turn.steps {
            let program = match step {
                Step::Settle(inner) => {
                    self.guess_held(inner, &mut guessed, trust);
                    continue;
                }
                Step::Iterate(iteration) => {
                    self.guess(iteration, &mut guessed, trust);
                    &iteration.program
                }
                Step::Run(program) => program,
            };
            // variables without a value yet keep their start values
            let _ = self.run_program(program, &mut guessed);
            for v in program.targets().filter(|v| trust[v.index()] == Trust::Given) {
                guessed[v.index()] = values[v.index()];
                is_any_given = true;
            }
        }
        let Borders { watch, place_of, conditions } = &self.borders;
        // without given start values, relations have been computed from their operands
        let has_borders = is_any_given && watch.program.run(&mut guessed, &self.functions).is_ok();
        for v in &settling.held {
            let crossing = place_of.get(v).filter(|_| has_borders);
            let relation = crossing.and_then(|&place| Some((place, conditions[place].relation?)));
            values[v.index()] = match relation {
                Some((place, relation)) => {
                    f64::from(relation.holds(guessed[watch.slots[place].index()], 0.0))
                }
                None => guessed[v.index()],
            };
        }
    }

    /// Says whether that converged.
    fn take_all_over(
        &mut self,
        settling: &Settling,
        values: &mut [f64],
        memory: &mut SettlingMemory,
        search: Search<'_>,
    ) -> Result<bool, NoValue> {
        let SettlingMemory { before, after, .. } = memory;
        refill(before, settling.held.iter().map(|v| values[v.index()]));
        let mut seen: Vec<Vec<f64>> = Vec::new();
        for _ in 0..SETTLE_ITERATIONS {
            self.run(&settling.turn, values, search)?;
            refill(after, settling.held.iter().map(|v| values[v.index()]));
            if after == before {
                return Ok(true);
            }
            if seen.contains(after) {
                break; // a cycle
            }
            seen.push(before.clone());
            std::mem::swap(before, after);
        }
        Ok(false)
    }

    /// Changes all that disagree while they become fewer, else the first of them (least-index rule); conditions at their border
    /// stay. Says whether that converged.
    fn change_with_care(
        &mut self,
        settling: &Settling,
        nudged: Nudged,
        values: &mut [f64],
        search: Search<'_>,
    ) -> bool {
        let mut before = held(settling, values);
        let (mut fewest, mut patience) = (usize::MAX, SETTLE_BLOCK_PIVOTS);
        for _ in 0..SETTLE_RULE_ITERATIONS * settling.held.len() {
            if self.run(&settling.turn, values, search).is_err() {
                return false;
            }
            let after = held(settling, values);
            let disagree: Vec<usize> = (0..after.len()).filter(|&i| after[i] != before[i]).collect();
            let Some(&first) = disagree.first() else { return true };
            if self.keep_at_border(settling, &disagree, &before, nudged, values) {
                // the same again, with those on their sides
            } else if disagree.len() < fewest || patience > 0 {
                patience = if disagree.len() < fewest { SETTLE_BLOCK_PIVOTS } else { patience - 1 };
                fewest = fewest.min(disagree.len());
                before.clone_from(&after);
            } else {
                before[first] = after[first];
            }
            settling.held.iter().zip(&before).for_each(|(v, value)| values[v.index()] = *value);
        }
        false
    }

    /// Nudges the conditions among `places` that are at their border to the side on which they are held; says whether there are any.
    fn keep_at_border(
        &mut self,
        settling: &Settling,
        places: &[usize],
        before: &[f64],
        nudged: Nudged,
        values: &mut [f64],
    ) -> bool {
        let Borders { watch, place_of, conditions } = &mut self.borders;
        if watch.program.run(values, &self.functions).is_err() {
            return false;
        }
        let mut size: f64 = 1.0;
        for &crossing in settling.held.iter().filter_map(|v| place_of.get(v)) {
            let (condition, z) = (&mut conditions[crossing], values[watch.slots[crossing].index()].abs());
            if condition.relation.is_some() && z.is_finite() {
                condition.size = condition.size.max(z);
                size = size.max(condition.size);
            }
        }
        let mut any = false;
        for &place in places {
            let Some(&crossing) = place_of.get(&settling.held[place]) else { continue };
            let condition = &conditions[crossing];
            let Some(relation) = condition.relation else { continue };
            let z = values[watch.slots[crossing].index()];
            let above =
                matches!(relation, Relation::Greater | Relation::GreaterEqual) == (before[place] != 0.0);
            let nudge = &mut values[condition.nudge.index()];
            let stays = *nudge == 0.0 || (*nudge > 0.0) == above || nudged == Nudged::MayReturn;
            let far = 2.0 * z.abs() + f64::MIN_POSITIVE;
            let is_kept = (*nudge > 0.0) == above && nudge.abs() >= far;
            if stays && !is_kept && z.abs() <= SETTLE_AT_BORDER * size {
                *nudge = if above { far } else { -far };
                any = true;
            }
        }
        any
    }

    /// Looks for consistent Booleans among all combinations, those nearest to the present ones first. Says whether there are any.
    fn try_all(&mut self, settling: &Settling, values: &mut [f64], search: Search<'_>) -> bool {
        let n = settling.held.len();
        let start = held(settling, values);
        if n > SETTLE_COMBINED || start.iter().any(|value| *value != 0.0 && *value != 1.0) {
            return false;
        }
        let before = values.to_vec();
        let mut combinations: Vec<u32> = (1..1 << n).collect();
        combinations.sort_by_key(|combination| combination.count_ones());
        for combination in combinations {
            values.copy_from_slice(&before);
            let mut tried = start.clone();
            let flipped = tried.iter_mut().enumerate().filter(|(i, _)| combination >> i & 1 == 1);
            flipped.for_each(|(_, value)| *value = 1.0 - *value);
            settling.held.iter().zip(&tried).for_each(|(v, value)| values[v.index()] = *value);
            if self.run(&settling.turn, values, search).is_ok() && held(settling, values) == tried {
                return true;
            }
        }
        values.copy_from_slice(&before);
        false
    }
}

fn held(settling: &Settling, values: &[f64]) -> Vec<f64> {
    settling.held.iter().map(|v| values[v.index()]).collect()
}
