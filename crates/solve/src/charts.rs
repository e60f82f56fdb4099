//! Charts of state sets: the candidates that are integrated, and changes to a better choice.
//!
//! The constraints of a set are solved for as many of its candidates as there are constraints, the dummies. The best choice
//! has the largest pivots in the derivatives of the constraints; it is determined at the start, after every step and after
//! events. A choice is kept until another has a pivot that is larger by `CHART_CHANGE`: charts overlap, so that changes need
//! not be located, and all candidates are known when a new choice takes over.

use rhei_equations::{ExprId, Node, StateSelect, VarId};
use rhei_model::CompiledModel;
use rhei_numerics::determinant::Determinant;
use rhei_solvable::{Assumed, Jacobian, StateSet};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::advice::ChartHistory;
use crate::assumptions::determinant;
use crate::constants::{
    CHART_CHANGE, CHART_CHANGE_AFTER_JUMP, CHART_CHANGE_AT_TICK, CHART_FIXED, CHART_GOOD, CHART_NO_PIVOT,
    CHART_SUSPECT, CHART_WISH, CHART_WRITTEN,
};
use crate::evaluate::Evaluator;
use crate::landing::write_references;
use crate::pivoting::{Elimination, SparseRow};
use crate::start::jacobians;

/// A change of the chart of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartChange {
    /// The set, by index.
    pub set: usize,
    /// Time of the change.
    pub time: f64,
    /// The states before, as names.
    pub from: Vec<String>,
    /// The states after.
    pub to: Vec<String>,
}

/// How often the chart of a set has to be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// Always.
    Always,
    /// Once: the derivatives of its constraints are made of parameters.
    Once,
    /// Never again.
    Done,
    /// Never: its derivatives are those of an earlier set, as with positions and their speeds, and so are its choices.
    Like(usize),
}

/// The choices of all sets of a model.
#[derive(Clone)]
pub struct Charts {
    /// Per set, the candidates that are integrated, by place.
    chosen: Vec<Vec<usize>>,
    /// Per set, the nominal values of its candidates.
    nominals: Vec<Vec<f64>>,
    /// The changes so far.
    pub changes: Vec<ChartChange>,
    /// Per set, the derivatives of its constraints at the last check.
    last: Vec<Vec<f64>>,
    /// Per set, how often it has to be checked.
    looks: Vec<Look>,
    /// The sets in the course of the run.
    pub history: ChartHistory,
}

impl Charts {
    /// The first choices, yet to be checked at the start.
    pub fn new(model: &CompiledModel, nominals: &FxHashMap<VarId, f64>) -> Charts {
        let first = |set: &StateSet| {
            let dummies: FxHashSet<VarId> = set.dummies.iter().copied().collect();
            let mut states: Vec<usize> = (0..set.candidates.len())
                .filter(|&place| !dummies.contains(&set.candidates[place]))
                .collect();
            put_in_order(model, set, &mut states);
            states
        };
        let nominal = |v: &VarId| nominals.get(v).copied().unwrap_or(1.0);
        let sets = &model.solvable.sets;
        let nominals: Vec<Vec<f64>> =
            sets.iter().map(|set| set.candidates.iter().map(nominal).collect()).collect();
        Charts {
            chosen: sets.iter().map(first).collect(),
            history: ChartHistory::new(nominals.clone()),
            nominals,
            changes: Vec::new(),
            last: Vec::new(),
            looks: when_to_look(model),
        }
    }

    /// Takes better choices, given the derivatives of the constraints of each set; says whether there are any.
    ///
    /// A set whose constraints cannot be solved for any choice is an error, by its index.
    pub fn improve(&mut self, model: &CompiledModel, jacobians: &[Vec<f64>]) -> Result<bool, usize> {
        self.improve_by(model, jacobians, CHART_CHANGE)
    }

    /// The same after a jump, where the present choice has no precedence.
    pub fn choose(&mut self, model: &CompiledModel, jacobians: &[Vec<f64>]) -> Result<bool, usize> {
        self.improve_by(model, jacobians, CHART_CHANGE_AFTER_JUMP)
    }

    /// The same at a tick of a clocked partition.
    pub fn improve_at_tick(&mut self, model: &CompiledModel, jacobians: &[Vec<f64>]) -> Result<bool, usize> {
        self.improve_by(model, jacobians, CHART_CHANGE_AT_TICK)
    }

    fn improve_by(
        &mut self,
        model: &CompiledModel,
        jacobians: &[Vec<f64>],
        worth: f64,
    ) -> Result<bool, usize> {
        let mut changed = false;
        for (place, set) in model.solvable.sets.iter().enumerate() {
            let better = match self.looks[place] {
                Look::Done => None,
                Look::Like(earlier) => {
                    let (states, now) = (&self.chosen[earlier], &self.chosen[place]);
                    (!same_places(states, now, set.candidates.len())).then(|| states.clone())
                }
                Look::Always | Look::Once => {
                    let nominals = &self.nominals[place];
                    let scale = |candidate: usize| weight(model, set, candidate) * nominals[candidate];
                    let now = &self.chosen[place];
                    better_choice(set, &jacobians[place], now, &scale, worth).ok_or(place)?
                }
            };
            if self.looks[place] == Look::Once {
                self.looks[place] = Look::Done;
            }
            if let Some(mut states) = better {
                put_in_order(model, set, &mut states);
                self.chosen[place] = states;
                changed = true;
            }
        }
        Ok(changed)
    }

    /// The same at the start, from guesses alone: fixed candidates are states, and a set without a choice at the guesses
    /// keeps its first one.
    pub fn guess(&mut self, model: &CompiledModel, jacobians: &[Vec<f64>]) {
        for (place, jacobian) in jacobians.iter().enumerate() {
            self.guess_for(model, place, jacobian);
        }
    }

    /// The same for one set.
    pub(crate) fn guess_for(&mut self, model: &CompiledModel, place: usize, jacobian: &[f64]) {
        let set = &model.solvable.sets[place];
        let is_fixed = |candidate: usize| model.equations.variable(set.candidates[candidate]).fixed;
        let scale = |candidate: usize| {
            let nominal = self.nominals[place][candidate];
            let trust = match (is_fixed(candidate), is_written(model, set, candidate)) {
                (true, _) => CHART_FIXED,
                (false, true) => CHART_WRITTEN,
                (false, false) => 1.0,
            };
            // the wish for a state says nothing of how a run begins
            let weight = if is_unwritten_beside(model, set) { 1.0 } else { weight(model, set, candidate) };
            weight * nominal * trust
        };
        if let Some(Some(mut states)) =
            better_choice(set, jacobian, &self.chosen[place], &scale, CHART_CHANGE)
        {
            put_in_order(model, set, &mut states);
            self.chosen[place] = states;
        }
    }

    /// Records the derivatives of the sets at a point of the run.
    pub fn remember(&mut self, time: f64, jacobians: &[Vec<f64>]) {
        self.history.note(time, jacobians, &self.chosen);
        self.last.resize(jacobians.len(), Vec::new());
        self.last.iter_mut().zip(jacobians).for_each(|(last, now)| last.clone_from(now));
    }

    /// The set that is the likely cause of a failed run: the pivots of all its choices are close to zero.
    pub fn suspect(&self, model: &CompiledModel) -> Option<usize> {
        let is_suspect = |(place, set): (usize, &StateSet)| {
            let nominals = &self.nominals[place];
            let rows = rows_for_candidates(set, &self.last[place], &|candidate| nominals[candidate]);
            rows.and_then(|rows| rows.full_pivoting(set.others.len(), &|_| true, CHART_NO_PIVOT))
                .is_none_or(|pivots| pivots.smallest < CHART_SUSPECT)
        };
        let sets = model.solvable.sets.iter().enumerate().take(self.last.len());
        sets.into_iter().find(|&(place, set)| is_suspect((place, set))).map(|(place, _)| place)
    }

    /// Whether the choice for a set is looked at in the course of the run, for its own sake.
    pub(crate) fn is_watched(&self, set: usize) -> bool {
        self.looks[set] == Look::Always
    }

    /// The determinant of the constraints of a set in the variables that its present choice solves them for, in units of their
    /// nominal values. Rows are not scaled: a constraint whose derivatives all vanish shows.
    pub(crate) fn determinant(&self, model: &CompiledModel, place: usize, jacobian: &[f64]) -> Determinant {
        let (set, nominals) = (&model.solvable.sets[place], &self.nominals[place]);
        let n_others = set.others.len();
        let is_state = marked(&self.chosen[place], set.candidates.len());
        let mut columns: Vec<Option<(usize, f64)>> = vec![None; n_others + set.candidates.len()];
        let is_solved_for = |column: usize| column.checked_sub(n_others).is_none_or(|place| !is_state[place]);
        let solved_for = (0..columns.len()).filter(|&column| is_solved_for(column));
        for (new, column) in solved_for.enumerate() {
            columns[column] = Some((new, column.checked_sub(n_others).map_or(1.0, |place| nominals[place])));
        }
        let mut values = jacobian.iter();
        let row = |entries: &Vec<(usize, ExprId)>| -> SparseRow {
            let entries = entries.iter().zip(values.by_ref());
            let entry = |(&(column, _), value): (&(usize, ExprId), &f64)| {
                columns[column].map(|(new, nominal)| (new, value * nominal))
            };
            entries.filter_map(entry).collect()
        };
        determinant(set.jacobian.iter().map(row).collect(), set.jacobian.len()).0
    }

    /// The candidates of a set that are integrated, by place.
    pub fn chosen(&self, set: usize) -> &[usize] {
        &self.chosen[set]
    }

    /// Whether the constraints of a set are well conditioned for the candidates that are not integrated, at the point
    /// that `values` holds.
    pub(crate) fn is_good(
        &self,
        model: &CompiledModel,
        place: usize,
        evaluator: &mut Evaluator,
        values: &mut [f64],
    ) -> bool {
        let Ok(jacobians) = jacobians(&model.code.sets[place..=place], evaluator, values) else {
            return false;
        };
        let (set, nominals) = (&model.solvable.sets[place], &self.nominals[place]);
        let is_solvable = |rows: &[f64]| solvable_share(set, rows, &self.chosen[place], &|i| nominals[i]);
        is_solvable(&jacobians[0]).is_some_and(|share| share >= CHART_GOOD)
    }

    /// Records the changes since the states of the sets had these names.
    pub fn note(&mut self, model: &CompiledModel, before: Vec<Vec<String>>, time: f64) {
        let after = self.names(model);
        for (set, (from, to)) in before.into_iter().zip(after).enumerate() {
            if from != to {
                self.changes.push(ChartChange { set, time, from, to });
            }
        }
    }

    /// Writes the nominal values of the states of sets; `nominals` are in the order of all states.
    pub fn write_nominals(&self, model: &CompiledModel, nominals: &mut [f64]) {
        let sets = model.solvable.sets.iter().zip(self.chosen.iter().zip(&self.nominals));
        let of_states = sets.flat_map(|(set, (chosen, nominals))| {
            set.states.iter().zip(chosen).map(|(&state, &candidate)| (state, nominals[candidate]))
        });
        let of_states: FxHashMap<VarId, f64> = of_states.collect();
        for (state, nominal) in model.solvable.states.iter().zip(nominals) {
            *nominal = of_states.get(&state.variable).copied().unwrap_or(*nominal);
        }
    }

    /// Writes the factors of the choices, and the states that they form from the candidates, into the values of the run.
    pub fn write(&self, model: &CompiledModel, values: &mut [f64]) {
        for place in 0..self.chosen.len() {
            self.write_factors(model, place, values);
        }
        self.write_states(model, values);
        let large = model.solvable.sets.iter().filter(|set| !set.order.is_empty());
        large.for_each(|set| write_references(set, values));
    }

    /// Writes the factors of the choice for a set.
    pub(crate) fn write_factors(&self, model: &CompiledModel, place: usize, values: &mut [f64]) {
        let (set, chosen) = (&model.solvable.sets[place], &self.chosen[place]);
        let mut write = |factors: &[(usize, VarId)], candidate: usize| {
            for &(place, factor) in factors {
                values[factor.index()] = f64::from(u8::from(place == candidate));
            }
        };
        set.factors.iter().zip(chosen).for_each(|(factors, &candidate)| write(factors, candidate));
        // assumed at the start: the candidates of the choice that are not fixed, as far as values are missing
        let mut open =
            chosen.iter().filter(|&&candidate| !model.equations.variable(set.candidates[candidate]).fixed);
        for Assumed { factors, .. } in &set.starts {
            let can_be = |candidate: usize| factors.iter().any(|&(place, _)| place == candidate);
            let next = open.by_ref().copied().find(|&candidate| can_be(candidate));
            write(factors, next.or(factors.first().map(|&(place, _)| place)).unwrap_or_default());
        }
    }

    /// Writes only the states that the choices form from the candidates.
    pub fn write_states(&self, model: &CompiledModel, values: &mut [f64]) {
        for (set, chosen) in model.solvable.sets.iter().zip(&self.chosen) {
            for (state, &candidate) in set.states.iter().zip(chosen) {
                values[state.index()] = values[set.candidates[candidate].index()];
            }
        }
    }

    /// The names of the states of each set, in their order; in large sets in that of the candidates.
    pub fn names(&self, model: &CompiledModel) -> Vec<Vec<String>> {
        let sets = model.solvable.sets.iter().zip(&self.chosen);
        let names = |(set, chosen): (&StateSet, &Vec<usize>)| {
            let mut chosen = chosen.clone();
            if !set.order.is_empty() {
                chosen.sort_unstable();
            }
            let name = |place: usize| model.equations.variable(set.candidates[place]).name.to_string();
            chosen.into_iter().map(name).collect()
        };
        sets.map(names).collect()
    }

    /// The candidate that each state of a set is.
    pub fn candidates_of_states(&self, model: &CompiledModel) -> FxHashMap<VarId, VarId> {
        let sets = model.solvable.sets.iter().zip(&self.chosen);
        let of_set = |(set, chosen): (&StateSet, &Vec<usize>)| -> Vec<(VarId, VarId)> {
            set.states.iter().zip(chosen).map(|(&state, &place)| (state, set.candidates[place])).collect()
        };
        sets.flat_map(of_set).collect()
    }
}

/// How often each set has to be checked.
fn when_to_look(model: &CompiledModel) -> Vec<Look> {
    let pool = &model.equations.pool;
    let unfixed: FxHashSet<VarId> = model.solvable.unfixed.iter().copied().collect();
    let is_unchanging = |e: &ExprId| match pool.node(*e) {
        Node::Time => false,
        Node::Variable(v) => model.equations.variable(v).is_parameter() && !unfixed.contains(&v),
        _ => true,
    };
    let is_row_unchanging = |row: &Vec<(usize, ExprId)>| {
        let entries: Vec<ExprId> = row.iter().map(|&(_, e)| e).collect();
        pool.below(&entries).iter().all(is_unchanging)
    };
    // by its derivatives and wishes, the first set with these
    let mut first: FxHashMap<(&Jacobian, Vec<u64>), usize> = FxHashMap::default();
    let mut looks = Vec::new();
    for (place, set) in model.solvable.sets.iter().enumerate() {
        let is_unchanging = set.jacobian.iter().all(is_row_unchanging);
        if is_unchanging || !set.others.is_empty() {
            looks.push(if is_unchanging { Look::Once } else { Look::Always });
            continue;
        }
        let wish = |candidate: usize| weight(model, set, candidate).to_bits();
        let wishes = (0..set.candidates.len()).map(wish).collect();
        let earlier = *first.entry((&set.jacobian, wishes)).or_insert(place);
        looks.push(if earlier == place { Look::Always } else { Look::Like(earlier) });
    }
    looks
}

/// Weight of a candidate's derivatives: smaller for more wanted ones, since these are not to be solved for.
fn weight(model: &CompiledModel, set: &StateSet, candidate: usize) -> f64 {
    match model.equations.variable(set.candidates[candidate]).select {
        StateSelect::Prefer => 1.0 / CHART_WISH,
        StateSelect::Avoid => CHART_WISH,
        _ => 1.0,
    }
}

/// Whether somebody wrote a start value for a candidate, not for all variables of its type.
pub(crate) fn is_written(model: &CompiledModel, set: &StateSet, candidate: usize) -> bool {
    let variable = model.equations.variable(set.candidates[candidate]);
    variable.start.is_some() && variable.start_confidence.is_of_variable()
}

/// Whether some candidates have a start value that somebody wrote, and others none.
pub(crate) fn is_unwritten_beside(model: &CompiledModel, set: &StateSet) -> bool {
    let n = set.candidates.len();
    let n_written = (0..n).filter(|&candidate| is_written(model, set, candidate)).count();
    (1..n).contains(&n_written)
}

/// In ascending order, fixed candidates first: the initial problem relies on that. In large sets in the order in which states
/// are chosen.
fn put_in_order(model: &CompiledModel, set: &StateSet, states: &mut Vec<usize>) {
    if set.order.is_empty() {
        states.sort_by_key(|&place| (!model.equations.variable(set.candidates[place]).fixed, place));
        return;
    }
    let is_state = marked(states, set.candidates.len());
    states.clear();
    states.extend(set.order.iter().copied().filter(|&place| is_state[place]));
}

/// The states of a better choice than `now`, if there is one; `None` if the constraints determine no choice at all.
fn better_choice(
    set: &StateSet,
    jacobian: &[f64],
    now: &[usize],
    scale: &dyn Fn(usize) -> f64,
    worth: f64,
) -> Option<Option<Vec<usize>>> {
    let (n_others, n) = (set.others.len(), set.candidates.len());
    let rows = rows_for_candidates(set, jacobian, scale)?;
    let present = rows.clone().full_pivoting(n_others, &is_dummy(set, now), CHART_NO_PIVOT);
    if present.is_some_and(|pivots| pivots.worst * worth >= 1.0) {
        return Some(None);
    }
    let dummies: Vec<usize> = rows
        .full_pivoting(n_others, &|_| true, CHART_NO_PIVOT)?
        .columns
        .iter()
        .map(|column| column - n_others)
        .collect();
    let is_dummy = marked(&dummies, n);
    let states: Vec<usize> = (0..n).filter(|&candidate| !is_dummy[candidate]).collect();
    let is_same = same_places(&states, now, n);
    Some((!is_same).then_some(states))
}

fn marked(places: &[usize], n: usize) -> Vec<bool> {
    let mut is_marked = vec![false; n];
    places.iter().for_each(|&place| is_marked[place] = true);
    is_marked
}

/// Whether two lists of indices below `n` have the same members.
fn same_places(a: &[usize], b: &[usize], n: usize) -> bool {
    let is_in_b = marked(b, n);
    a.len() == b.len() && a.iter().all(|&place| is_in_b[place])
}

/// The smallest pivot ratio of the choice `now`: the least share that a pivot has of the largest entry at its turn.
pub(crate) fn solvable_share(
    set: &StateSet,
    jacobian: &[f64],
    now: &[usize],
    scale: &dyn Fn(usize) -> f64,
) -> Option<f64> {
    let rows = rows_for_candidates(set, jacobian, scale)?;
    rows.full_pivoting(set.others.len(), &is_dummy(set, now), CHART_NO_PIVOT).map(|pivots| pivots.worst)
}

/// Whether a column is solved for in the choice `now`.
fn is_dummy(set: &StateSet, now: &[usize]) -> impl Fn(usize) -> bool + use<> {
    let (n_others, is_state) = (set.others.len(), marked(now, set.candidates.len()));
    move |column| column.checked_sub(n_others).is_some_and(|candidate| !is_state[candidate])
}

/// The scaled derivatives of the constraints, after elimination of the rows for the variables that are always solved for, which
/// come first.
fn rows_for_candidates(
    set: &StateSet,
    jacobian: &[f64],
    scale: &dyn Fn(usize) -> f64,
) -> Option<Elimination> {
    let n_others = set.others.len();
    let mut values = jacobian.iter();
    let mut rows: Vec<SparseRow> = Vec::with_capacity(set.jacobian.len());
    for entries in &set.jacobian {
        let scale = |column: usize| column.checked_sub(n_others).map_or(1.0, scale);
        let entries = entries.iter().zip(values.by_ref());
        let mut row: SparseRow =
            entries.map(|(&(column, _), value)| (column, value * scale(column))).collect();
        let largest = row.iter().fold(0.0, |largest: f64, (_, entry)| largest.max(entry.abs()));
        if !largest.is_finite() || largest == 0.0 {
            return None;
        }
        row.iter_mut().for_each(|(_, entry)| *entry /= largest);
        rows.push(row);
    }
    let mut rows = Elimination::new(rows, n_others + set.candidates.len());
    (0..n_others).all(|other| rows.solve_for(other, CHART_NO_PIVOT).is_some()).then_some(rows)
}

#[cfg(test)]
mod tests {
    use rhei_equations::VarId;

    use super::*;

    fn set(n_rows: usize, n_others: usize, n_candidates: usize) -> StateSet {
        let variables = |n: usize| (0..n as u32).map(VarId).collect();
        StateSet {
            equations: Vec::new(),
            candidates: variables(n_candidates),
            dummies: variables(n_rows - n_others),
            others: variables(n_others),
            // every row has all columns
            jacobian: vec![(0..n_others + n_candidates).map(|column| (column, ExprId(0))).collect(); n_rows],
            manifold: Default::default(),
            states: Vec::new(),
            references: Vec::new(),
            order: Vec::new(),
            factors: Vec::new(),
            starts: Vec::new(),
            depends_on_itself: true,
            depends_on_others: false,
        }
    }

    fn better(set: &StateSet, jacobian: &[f64], now: &[usize]) -> Option<Option<Vec<usize>>> {
        better_choice(set, jacobian, now, &|_| 1.0, CHART_CHANGE)
    }

    #[test]
    fn a_choice_is_kept_until_another_is_clearly_better() {
        let pendulum = set(1, 0, 2);
        assert_eq!(better(&pendulum, &[0.8, -0.6], &[0]), Some(None), "solved for the second, and well");
        assert_eq!(better(&pendulum, &[0.9, -0.44], &[0]), Some(Some(vec![1])));
        assert_eq!(better(&pendulum, &[0.0, 0.0], &[0]), None, "no choice at all");
    }

    #[test]
    fn rows_that_agree_leave_no_choice_and_others_are_solved_for_first() {
        let two = set(2, 0, 3);
        assert_eq!(better(&two, &[1.0, 2.0, 3.0, 2.0, 4.0, 6.0], &[0]), None);
        assert_eq!(better(&two, &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0], &[0]), Some(Some(vec![1])));
        // the first column is no candidate: it takes its row, and the other row decides
        let with_other = set(2, 1, 2);
        assert_eq!(better(&with_other, &[1.0, 5.0, 0.0, 0.0, 0.1, 1.0], &[0]), Some(None));
        assert_eq!(better(&with_other, &[1.0, 5.0, 0.0, 0.0, 0.1, 1.0], &[1]), Some(Some(vec![0])));
    }

    #[test]
    fn what_is_wanted_more_is_kept_longer() {
        let pendulum = set(1, 0, 2);
        let prefers_first = |candidate: usize| if candidate == 0 { 1.0 / CHART_WISH } else { 1.0 };
        assert_eq!(better_choice(&pendulum, &[0.9, -0.44], &[0], &prefers_first, CHART_CHANGE), Some(None));
    }
}
