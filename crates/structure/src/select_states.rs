//! Which variables the integrator advances (MLS §4.9.8.1; Mattsson & Söderlind 1993, with exact rank).
//!
//! In: the model with the derivatives of its constraints. Out: its states, and the reason for each choice.
//!
//! Level by level, from positions up to velocities, the constraints of a level are solved for as many of its variables: the
//! *dummies*. The rest are states. Those solved for first are the least wanted: variables that must not be states (`never`, and
//! algebraic ones), then `avoid`, `default`, `prefer`; `always` is never solved for. A variable is solved for if that is
//! possible in exact arithmetic at a generic point; the result is then the best there is, for every degree of wish at once (see
//! [`basis`](crate::basis)).
//!
//! Among variables of one degree, the first of these that differs decides which stays a state:
//! - one that the model differentiates, before one that is differentiated because of its wish;
//! - one that no constraint gives with a plain number for its factor, or at least with one that is never zero;
//! - the velocity of a position that is a state;
//! - the one declared first.
//!
//! Parameters that are zero as the model is written count as zero here, as long as the constraints can be solved with them: a length of
//! zero ties nothing. What can be solved for with zeros can be solved for without.
//!
//! Neither `start` nor `fixed`, nor names, nor the order of equations has a say.

use std::cmp::Reverse;

use rhei_equations::{Dae, EqId, ExprId, Kind, Pool, Scalar, StateSelect, VarId};
use rhei_solvable::{Assumption, Choice, Jacobian, Manifold, Reason, Role, State, StateSet};
use rhei_source::Diagnostic;
use rustc_hash::FxHashSet;

use crate::aliases::Aliases;
use crate::basis::{Elimination, Entry, Grade};
use crate::certify::{Columns, Uncertain, Use, certify};
use crate::constraints::coefficients;
use crate::diagnose_states;
use crate::generic::GenericPoint;
use crate::nonzero::Ranges;
use crate::polynomial::Squares;
use crate::reasons::{Factors, Reasons, Roles};
use crate::reduce_index::Reduced;
use crate::start_references::{Candidates, StartReferences, written_starts};

/// The chosen states.
pub(crate) struct Selection {
    pub(crate) states: Vec<State>,
    pub(crate) sets: Vec<StateSet>,
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) roles: Vec<Choice>,
    /// What is assumed at the start in place of states.
    pub(crate) references: StartReferences,
    /// Cost of the choice, in entries of matrices written and factors looked at.
    pub(crate) work: u64,
}

/// How much a variable is wanted as a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wish {
    /// It must not be one: `never`, or the model does not differentiate it.
    Excluded,
    Avoid,
    Default,
    Prefer,
    Always,
}

/// The states; `None` where the wishes cannot be fulfilled.
pub(crate) fn select_states(
    reduced: &Reduced,
    pool: &mut Pool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Selection> {
    let mut selecting = Selecting::new(reduced, pool);
    let highest = reduced.offsets.columns.iter().copied().max().unwrap_or(0);
    let mut are_chosen = true;
    for level in (1..=highest).rev() {
        are_chosen &= selecting.level(level, pool, diagnostics);
    }
    are_chosen.then(|| selecting.finish(pool))
}

/// Where it is looked at what can be solved for.
#[derive(Clone, Copy)]
enum At {
    /// With parameters that are zero as the model is written at zero.
    Present,
    /// At a point where nothing vanishes that need not.
    Generic,
}

/// Rows and columns of one level, numbered from zero.
pub(crate) struct Level {
    pub(crate) equations: Vec<EqId>,
    pub(crate) variables: Vec<VarId>,
    pub(crate) wishes: Vec<Wish>,
    matrix: Vec<Vec<(usize, ExprId)>>,
}

struct Selecting<'a> {
    reduced: &'a Reduced,
    derivatives: Vec<Option<VarId>>,
    aliases: Aliases,
    coefficients: Vec<Vec<(usize, ExprId)>>,
    point: GenericPoint,
    /// The same, but with parameters that are zero as the model is written at zero: what can be solved for there can also be solved for at
    /// a generic point.
    present: GenericPoint,
    ranges: Ranges<'a>,
    squares: Squares,
    /// Classes of the derivatives of states.
    velocities: FxHashSet<VarId>,
    /// Column of the chains to column of the level.
    place: Vec<usize>,
    roles: Vec<Option<(Role, Reason)>>,
    states: Vec<State>,
    sets: Vec<StateSet>,
    assumptions: Vec<Assumption>,
    references: StartReferences,
    /// Variables with a start value that somebody wrote, once they are asked for.
    written_starts: Option<FxHashSet<VarId>>,
    work: u64,
}

/// Derivatives of the right sides of balances by their variables: at a stable equilibrium they are negative.
fn slopes_of_balances<'a>(
    reduced: &'a Reduced,
    coefficients: &'a [Vec<(usize, ExprId)>],
) -> impl Iterator<Item = ExprId> + 'a {
    let rows = reduced.chains.equations.iter().zip(coefficients);
    rows.filter_map(|(id, entries)| {
        let balance = reduced.equations.equations[id.index()].balance?;
        let (own, _) = reduced.chains.place(balance.variable)?;
        entries.iter().find(|(column, _)| *column == own).map(|(_, slope)| *slope)
    })
}

/// The generic point, with parameters that are zero as the model is written at zero.
fn present_point(equations: &Dae, pool: &mut Pool, ranges: &mut Ranges<'_>) -> GenericPoint {
    let mut point = GenericPoint::default();
    let zero = pool.number(0.0);
    for (v, variable) in equations.iter_variables().filter(|(_, variable)| variable.is_parameter()) {
        let leaf = pool.variable(v);
        if variable.scalar == Scalar::Real && ranges.present(pool, leaf) == Some(0.0) {
            point.settle(pool, leaf, zero);
        }
    }
    point
}

impl<'a> Selecting<'a> {
    fn new(reduced: &'a Reduced, pool: &mut Pool) -> Self {
        let n = reduced.equations.variables.len();
        let coefficients = coefficients(reduced, pool);
        let mut ranges = Ranges::new(&reduced.equations).with_steady_unknowns(pool);
        slopes_of_balances(reduced, &coefficients).for_each(|slope| ranges.take_as_nonzero(slope));
        Selecting {
            reduced,
            derivatives: reduced.equations.derivatives(),
            aliases: Aliases::new(&reduced.equations, pool),
            coefficients,
            point: GenericPoint::default(),
            present: present_point(&reduced.equations, pool, &mut ranges),
            ranges,
            squares: Squares::new(&reduced.equations, pool),
            velocities: FxHashSet::default(),
            place: vec![0; reduced.chains.members.len()],
            roles: vec![None; n],
            states: Vec::new(),
            sets: Vec::new(),
            assumptions: Vec::new(),
            references: StartReferences::default(),
            written_starts: None,
            work: 0,
        }
    }

    fn wish(&self, v: VarId) -> Wish {
        let is_differentiated = self.reduced.is_differentiated_in_model(v);
        match self.reduced.select[v.index()] {
            StateSelect::Always => Wish::Always,
            StateSelect::Prefer => Wish::Prefer,
            StateSelect::Default if is_differentiated => Wish::Default,
            StateSelect::Avoid if is_differentiated => Wish::Avoid,
            _ => Wish::Excluded,
        }
    }

    fn rows_and_columns(&mut self, level: u32, pool: &Pool) -> Level {
        let reduced = self.reduced;
        let mut variables = Vec::new();
        for (column, &highest) in reduced.offsets.columns.iter().enumerate() {
            if highest >= level {
                self.place[column] = variables.len();
                variables.push(reduced.member(column, level));
            }
        }
        let mut rows: Vec<(EqId, Vec<(usize, ExprId)>)> = Vec::new();
        for (row, &times) in reduced.offsets.rows.iter().enumerate() {
            if times >= level {
                let entries = self.coefficients[row]
                    .iter()
                    .filter(|(column, _)| reduced.offsets.columns[*column] >= level);
                let entries = entries.map(|&(column, e)| (self.place[column], e)).collect();
                rows.push((reduced.equation(row, level), entries));
            }
        }
        // the order of equations in the text has no say in which pivots are tried first
        rows.sort_by_cached_key(|(_, entries)| content(pool, entries));
        let (equations, matrix) = rows.into_iter().unzip();
        let wishes = variables.iter().map(|&v| self.wish(v)).collect();
        Level { equations, variables, wishes, matrix }
    }

    /// The matrix of a level at a point.
    fn elimination(&mut self, at: At, level: &Level, pool: &Pool, most_combined: usize) -> Elimination {
        let mut rows = Vec::new();
        for entries in &level.matrix {
            let mut row = Vec::new();
            for &(column, e) in entries {
                let point = match at {
                    At::Present => &mut self.present,
                    At::Generic => &mut self.point,
                };
                let value = point.value(pool, e);
                let grade = match pool.as_number(e) {
                    Some(_) => Grade::Number,
                    None if self.ranges.of(pool, e).excludes_zero() => Grade::Certain,
                    None => Grade::Uncertain,
                };
                if !value.is_zero() {
                    row.push(Entry { column, value, grade });
                }
            }
            rows.push(row);
        }
        Elimination::new(rows, level.variables.len(), most_combined)
    }

    /// Grows the dummies from the least wanted on; returns the excluded variables that cannot be solved for.
    fn choose_dummies(&self, level: &Level, elimination: &mut Elimination) -> Vec<usize> {
        let of_wish =
            |wish: Wish| (0..level.wishes.len()).filter(move |&column| level.wishes[column] == wish);
        let kept = elimination.add_all(of_wish(Wish::Excluded));
        for wish in [Wish::Avoid, Wish::Default, Wish::Prefer] {
            let in_model = |column: &usize| self.reduced.is_differentiated_in_model(level.variables[*column]);
            let (differentiated, promoted): (Vec<usize>, Vec<usize>) = of_wish(wish).partition(in_model);
            for mut columns in [promoted, differentiated] {
                columns.sort_by_cached_key(|&column| self.how_wanted(level, column));
                elimination.add_in_order(&columns);
            }
        }
        kept
    }

    /// Ascending: the first is the least wanted among those that are equally easy to solve for.
    fn how_wanted(&self, level: &Level, column: usize) -> impl Ord + use<> {
        let v = level.variables[column];
        let (chain, order) = self.reduced.chains.place(v).unwrap_or_default();
        (
            self.velocities.contains(&self.aliases.class(v)),
            Reverse(self.reduced.chains.variable(chain)),
            order,
        )
    }

    /// Chooses among the variables of a level; says whether the wishes can be fulfilled.
    fn level(&mut self, level: u32, pool: &mut Pool, diagnostics: &mut Vec<Diagnostic>) -> bool {
        let level = self.rows_and_columns(level, pool);
        let is_short =
            |kept: &[usize], left: &Elimination| !kept.is_empty() || left.rows_left().next().is_some();
        let mut at = At::Present;
        let mut elimination = self.elimination(at, &level, pool, 0);
        let mut no_numbers = elimination.entries_beyond(Grade::Number);
        let mut kept = self.choose_dummies(&level, &mut elimination);
        if is_short(&kept, &elimination) {
            at = At::Generic;
            elimination = self.elimination(at, &level, pool, 0);
            no_numbers = elimination.entries_beyond(Grade::Number);
            kept = self.choose_dummies(&level, &mut elimination);
        }
        if is_short(&kept, &elimination) {
            // once more, with the whole reason
            let mut elimination = self.elimination(at, &level, pool, usize::MAX);
            let kept = self.choose_dummies(&level, &mut elimination);
            diagnostics.extend(diagnose_states::refused((self.reduced, pool), &level, &elimination, &kept));
            return false;
        }
        self.work += elimination.work;
        let mut is_dummy = vec![false; level.variables.len()];
        elimination.pivots.iter().for_each(|&(column, _)| is_dummy[column] = true);
        self.record(&level, &is_dummy);
        let free =
            |wish: &Wish| if matches!(wish, Wish::Excluded | Wish::Always) { Use::Known } else { Use::Free };
        let mut uses: Vec<Use> = level.wishes.iter().map(free).collect();
        for &(column, _) in &elimination.pivots {
            uses[column] = if level.wishes[column] == Wish::Excluded { Use::Forced } else { Use::Chosen };
        }
        let order: Vec<usize> = elimination.pivots.iter().map(|&(column, _)| column).collect();
        let Selecting { point, ranges, squares, .. } = self;
        let columns = Columns { uses: &uses, wishes: &level.wishes };
        let uncertain = certify(&level.matrix, &order, columns, pool, point, ranges, squares);
        self.work += uncertain.work;
        let first_set = self.sets.len();
        self.refer(at, &level, &order, &uncertain.parts, pool);
        uncertain.by_parameters.into_iter().for_each(|part| self.assume(&level, part));
        uncertain.parts.into_iter().for_each(|part| self.uncertain(&level, part, pool));
        let factors = Factors::new(&level.matrix, &is_dummy, &no_numbers);
        self.explain(&level, &elimination, (&is_dummy, &factors), first_set);
        true
    }

    /// What is assumed of a level at the start in place of states.
    fn refer(&mut self, at: At, level: &Level, order: &[usize], parts: &[Uncertain], pool: &Pool) {
        let mut in_set = vec![false; level.variables.len()];
        for part in parts.iter().filter(|part| has_choice(level, part)) {
            part.columns.iter().chain(&part.eliminated.columns).for_each(|&column| in_set[column] = true);
        }
        let could_be_state = |&column: &usize| {
            !in_set[column] && self.could_be_state(level.variables[column], level.wishes[column])
        };
        let mut is_dummy = vec![false; level.variables.len()];
        order.iter().for_each(|&column| is_dummy[column] = true);
        let (dummies, forced): (Vec<usize>, Vec<usize>) = order.iter().copied().partition(could_be_state);
        let states: Vec<usize> = (0..is_dummy.len()).filter(|&c| !is_dummy[c] && !in_set[c]).collect();
        if dummies.is_empty() || states.is_empty() {
            return;
        }
        let mut references = std::mem::take(&mut self.references);
        let reduced = self.reduced;
        let written = self.written_starts.take().unwrap_or_else(|| written_starts(&reduced.equations, pool));
        let candidates = Candidates { variables: &level.variables, forced, dummies, states };
        references.add(&candidates, &written, || self.elimination(at, level, pool, 0));
        (self.references, self.written_starts) = (references, Some(written));
    }

    /// The states of a level.
    fn record(&mut self, level: &Level, is_dummy: &[bool]) {
        for (column, &variable) in level.variables.iter().enumerate() {
            let derivative = self.derivatives[variable.index()];
            if let Some(derivative) = derivative.filter(|_| !is_dummy[column]) {
                self.velocities.insert(self.aliases.class(derivative));
                self.states.push(State { variable, derivative });
            }
        }
    }

    /// Roles and reasons of the variables of a level that are in none of its sets, which are those from `first_set` on.
    fn explain(
        &mut self,
        level: &Level,
        elimination: &Elimination,
        (is_dummy, factors): (&[bool], &Factors),
        first_set: usize,
    ) {
        let could_be_state: Vec<bool> = level
            .variables
            .iter()
            .zip(&level.wishes)
            .map(|(&v, &wish)| self.could_be_state(v, wish))
            .collect();
        let in_set = |v: &VarId| match self.roles[v.index()] {
            Some((Role::Candidate { set }, _)) if set >= first_set => {
                Some(self.sets[set].candidates.as_slice())
            }
            _ => None,
        };
        let set: Vec<Option<&[VarId]>> = level.variables.iter().map(in_set).collect();
        let roles = Roles { is_dummy, could_be_state: &could_be_state, set: &set, factors };
        let mut reasons = Reasons::new(level, elimination, roles);
        let mut found = Vec::new();
        for column in (0..level.variables.len()).filter(|&column| set[column].is_none()) {
            let is_integrated = self.derivatives[level.variables[column].index()].is_some();
            match is_dummy[column] {
                false if is_integrated => found.push((column, (Role::State, reasons.of_state(column)))),
                true if could_be_state[column] => {
                    found.push((column, (Role::Dummy, reasons.of_dummy(column))));
                }
                _ => {}
            }
        }
        self.work += reasons.work;
        found.into_iter().for_each(|(column, role)| self.roles[level.variables[column].index()] = Some(role));
    }

    fn could_be_state(&self, v: VarId, wish: Wish) -> bool {
        wish != Wish::Excluded || self.reduced.is_differentiated_in_model(v)
    }

    /// A part that not every choice solves everywhere: a set where there is a choice.
    fn uncertain(&mut self, level: &Level, part: Uncertain, pool: &mut Pool) {
        let variables = |columns: &[usize], wanted: &dyn Fn(usize) -> bool| -> Vec<VarId> {
            columns.iter().filter(|&&column| wanted(column)).map(|&column| level.variables[column]).collect()
        };
        let equations: Vec<EqId> = part.rows.iter().map(|&row| level.equations[row]).collect();
        let is_candidate = |column: usize| !matches!(level.wishes[column], Wish::Excluded | Wish::Always);
        let candidates = variables(&part.columns, &is_candidate);
        let dummies = variables(&part.chosen, &is_candidate);
        if has_choice(level, &part) {
            for v in &candidates {
                let role = Role::Candidate { set: self.sets.len() };
                self.roles[v.index()] = Some((role, Reason::InSet));
            }
            let is_forced = |column: &usize| level.wishes[*column] == Wish::Excluded;
            let others: Vec<usize> = part.chosen.iter().copied().filter(is_forced).collect();
            let free = part.columns.iter().copied().filter(|&column| is_candidate(column));
            let columns: Vec<usize> = others.iter().copied().chain(free).collect();
            let set = StateSet {
                equations,
                candidates,
                dummies,
                others: variables(&others, &|_| true),
                jacobian: jacobian(&part.matrix, &columns, level.variables.len()),
                manifold: self.manifold(level, &part, &columns[others.len()..], &others, pool),
                states: Vec::new(),
                references: Vec::new(),
                order: Vec::new(),
                factors: Vec::new(),
                starts: Vec::new(),
                depends_on_itself: false,
                depends_on_others: false,
            };
            self.sets.push(set);
            return;
        }
        self.assume(level, part);
    }

    /// A part that is solved for what is chosen, as nothing else fulfils the wishes.
    fn assume(&mut self, level: &Level, part: Uncertain) {
        let variables = |columns: &[usize]| -> Vec<VarId> {
            columns.iter().map(|&column| level.variables[column]).collect()
        };
        let known: Vec<usize> =
            part.columns.iter().copied().filter(|column| !part.chosen.contains(column)).collect();
        let columns: Vec<usize> = part.chosen.iter().chain(&known).copied().collect();
        self.assumptions.push(Assumption {
            equations: part.rows.iter().map(|&row| level.equations[row]).collect(),
            solved_for: variables(&part.chosen),
            from: variables(&known),
            jacobian: jacobian(&part.matrix, &columns, level.variables.len()),
        });
    }

    /// The constraints of a part with all that was eliminated from them.
    fn manifold(
        &self,
        level: &Level,
        part: &Uncertain,
        candidates: &[usize],
        others: &[usize],
        pool: &mut Pool,
    ) -> Manifold {
        let columns = [candidates, others, &part.eliminated.columns].concat();
        let rows = || part.rows.iter().chain(&part.eliminated.rows);
        let residual = |&row: &usize| {
            let equation = &self.reduced.equations.equations[level.equations[row].index()];
            pool.sub(equation.lhs, equation.rhs)
        };
        let residuals = rows().map(residual).collect();
        let entries: Vec<Vec<(usize, ExprId)>> = rows().map(|&row| level.matrix[row].clone()).collect();
        Manifold {
            unknowns: columns.iter().map(|&column| level.variables[column]).collect(),
            residuals,
            jacobian: jacobian(&entries, &columns, level.variables.len()),
            eliminated: part.eliminated.columns.len(),
        }
    }

    fn finish(mut self, pool: &Pool) -> Selection {
        let equations = &self.reduced.equations;
        self.states.sort_by_key(|state| state.variable);
        let mut is_state = vec![false; equations.variables.len()];
        self.states.iter().for_each(|state| is_state[state.variable.index()] = true);
        // these are states in some places only
        self.sets.iter().flat_map(|set| &set.candidates).for_each(|v| is_state[v.index()] = false);
        let mut set_of = vec![None; equations.variables.len()];
        for (place, set) in self.sets.iter().enumerate() {
            // eliminated unknowns depend on the candidates in their turn
            set.manifold.unknowns.iter().for_each(|v| set_of[v.index()] = Some(place));
        }
        for (place, set) in self.sets.iter_mut().enumerate() {
            for v in set.jacobian.iter().flatten().flat_map(|&(_, e)| pool.variables_of(e)) {
                match set_of[v.index()] {
                    Some(other) if other == place => set.depends_on_itself = true,
                    Some(_) => set.depends_on_others = true,
                    None => {}
                }
            }
        }
        let roles = equations.iter_variables().zip(self.roles).map(|((v, variable), decided)| {
            let (role, reason) = decided.unwrap_or_else(|| match variable.kind {
                Kind::Constant | Kind::Parameter | Kind::Pre { .. } | Kind::Given => {
                    (Role::Parameter, Reason::Unchanging)
                }
                Kind::Unknown if variable.is_discrete => (Role::Discrete, Reason::AtEventsOnly),
                Kind::Derivative { of } if is_state[of.index()] => {
                    (Role::Algebraic, Reason::DerivativeOfState)
                }
                Kind::Derivative { .. } => (Role::Algebraic, Reason::Derivative),
                Kind::Unknown => match self.derivatives[v.index()] {
                    Some(derivative) if !equations.variable(derivative).is_introduced => {
                        (Role::Algebraic, Reason::DerivativeHasNoEffect)
                    }
                    _ => (Role::Algebraic, Reason::NotDifferentiated),
                },
            });
            Choice { role, select: variable.select, reason }
        });
        Selection {
            roles: roles.collect(),
            references: self.references,
            states: self.states,
            sets: self.sets,
            assumptions: self.assumptions,
            work: self.work + self.ranges.work,
        }
    }
}

/// Whether other candidates of a part can be solved for.
fn has_choice(level: &Level, part: &Uncertain) -> bool {
    let is_candidate = |column: &&usize| !matches!(level.wishes[**column], Wish::Excluded | Wish::Always);
    let n_dummies = part.chosen.iter().filter(is_candidate).count();
    n_dummies > 0 && part.columns.iter().filter(is_candidate).count() > n_dummies
}

/// The coefficients of a matrix by these columns of `n_columns`, row by row.
fn jacobian(matrix: &[Vec<(usize, ExprId)>], columns: &[usize], n_columns: usize) -> Jacobian {
    let mut places = vec![None; n_columns];
    columns.iter().enumerate().for_each(|(place, &column)| places[column] = Some(place));
    let of_row = |row: &Vec<(usize, ExprId)>| {
        let mut entries: Vec<(usize, ExprId)> =
            row.iter().filter_map(|&(column, e)| Some((places[column]?, e))).collect();
        entries.sort_unstable_by_key(|entry| entry.0);
        entries
    };
    matrix.iter().map(of_row).collect()
}

/// Signature of a row, independent of the order of rows: its columns, each with its number, or with the first variable
/// in its factor.
fn content(pool: &Pool, entries: &[(usize, ExprId)]) -> Vec<(usize, Option<VarId>, u64)> {
    let entry = |&(column, e): &(usize, ExprId)| match pool.as_number(e) {
        Some(number) => (column, None, number.to_bits()),
        None => (column, pool.variables_of(e).into_iter().min(), 0),
    };
    entries.iter().map(entry).collect()
}
