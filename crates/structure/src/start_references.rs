//! Whose start values are assumed where nothing says how a model starts.
//!
//! States are assumed to start at their start values. The wish for a state (`stateSelect`) says nothing of how a model starts: a start
//! value that nobody wrote, of a state, gives way to one that somebody wrote, of a variable that the constraints give from it. Of each
//! level, as many variables are assumed as there are states, and the constraints are solved for the others: first for those without a
//! start value of their own (that of a type is none), dummies before states. Exact rank says which can be solved for
//! ([`basis`](crate::basis)). What is in a state set starts by the rules of sets, and is known here.

use rhei_equations::{Dae, Pool, VarId, Variable};
use rustc_hash::FxHashSet;

use crate::basis::Elimination;
use crate::share_attributes::classes;

/// Variables assumed at the start in place of states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StartReferences {
    /// Their start values are written.
    pub(crate) written: Vec<VarId>,
    /// States whose start values are not.
    pub(crate) unwritten: Vec<VarId>,
}

/// What the choice of references asks of a level.
pub(crate) struct Candidates<'a> {
    pub(crate) variables: &'a [VarId],
    /// By column: whether it is solved for in any case, in the order of the first choice.
    pub(crate) forced: Vec<usize>,
    /// Dummies, the least wanted first.
    pub(crate) dummies: Vec<usize>,
    pub(crate) states: Vec<usize>,
}

/// The variables with a start value that somebody wrote, for them or for an alias.
pub(crate) fn written_starts(equations: &Dae, pool: &Pool) -> FxHashSet<VarId> {
    let is_written = |variable: &Variable| {
        variable.start.is_some() && (variable.fixed || variable.start_confidence.is_of_variable())
    };
    let mut written: FxHashSet<VarId> =
        equations.iter_variables().filter(|(_, variable)| is_written(variable)).map(|(v, _)| v).collect();
    for class in classes(equations, pool) {
        if class.iter().any(|(v, _)| written.contains(v)) {
            written.extend(class.iter().map(|&(v, _)| v));
        }
    }
    written
}

impl StartReferences {
    /// Adds those of a level. `elimination` is its matrix, in which nothing is solved for.
    pub(crate) fn add(
        &mut self,
        candidates: &Candidates<'_>,
        written: &FxHashSet<VarId>,
        elimination: impl FnOnce() -> Elimination,
    ) {
        let Candidates { variables, forced, dummies, states } = candidates;
        let is_written = |column: &usize| written.contains(&variables[*column]);
        if states.iter().all(is_written) || !dummies.iter().any(is_written) {
            return;
        }
        let mut elimination = elimination();
        let _ = elimination.add_all(forced.iter().copied());
        for is_wanted in [false, true] {
            for columns in [dummies, states] {
                let columns: Vec<usize> =
                    columns.iter().copied().filter(|column| is_written(column) == is_wanted).collect();
                elimination.add_in_order(&columns);
            }
        }
        let solved_for: FxHashSet<usize> = elimination.pivots.iter().map(|&(column, _)| column).collect();
        let of = |columns: &[usize], is_reference: bool| -> Vec<VarId> {
            let columns = columns.iter().filter(|&column| solved_for.contains(column) != is_reference);
            columns.map(|&column| variables[column]).collect()
        };
        self.written.extend(of(dummies, true));
        self.unwritten.extend(of(states, false));
    }
}
