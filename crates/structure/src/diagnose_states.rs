//! Why the wishes for states cannot be fulfilled, with the equations that prove it.

use rhei_equations::{EqId, Equation, Pool, StateSelect, VarId};
use rhei_source::Diagnostic;

use crate::basis::Elimination;
use crate::diagnose::{at_equations, at_variables, listed};
use crate::reduce_index::Reduced;
use crate::select_states::{Level, Wish};

/// Diagnostics of a level: variables that would have to be states but must not (`kept`), and constraints that cannot be
/// solved for anything but `always` variables.
pub(crate) fn refused(
    (reduced, pool): (&Reduced, &Pool),
    level: &Level,
    elimination: &Elimination,
    kept: &[usize],
) -> Vec<Diagnostic> {
    let telling = Telling { reduced, pool, level };
    let mut diagnostics = Vec::new();
    let mut told = vec![false; level.variables.len()];
    for &column in kept {
        if told[column] {
            continue;
        }
        let (mut circuit, rows) = elimination.circuit(column);
        circuit.push(column);
        circuit.sort_unstable();
        circuit.iter().for_each(|&column| told[column] = true);
        diagnostics.push(telling.excluded(&circuit, &rows));
    }
    // the clash that takes the fewest equations, where there are several
    let left = elimination.rows_left().min_by_key(|&row| (elimination.combined(row).len(), row));
    if let Some(row) = left {
        let columns: Vec<usize> = elimination.row(row).iter().map(|entry| entry.column).collect();
        let mut rows = elimination.combined(row).to_vec();
        rows.sort_unstable();
        diagnostics.push(telling.clash(&columns, &rows));
    }
    diagnostics
}

struct Telling<'a> {
    reduced: &'a Reduced,
    pool: &'a Pool,
    level: &'a Level,
}

impl Telling<'_> {
    fn names(&self, variables: &[VarId]) -> String {
        let names: Vec<&str> =
            variables.iter().map(|&v| self.reduced.equations.variable(v).name.as_str()).collect();
        listed(names.into_iter())
    }

    fn equations(&self, rows: &[usize]) -> Vec<&Equation> {
        let of = |&row: &usize| -> EqId { self.level.equations[row] };
        rows.iter().map(|row| &self.reduced.equations.equations[of(row).index()]).collect()
    }

    fn texts(&self, rows: &[usize]) -> String {
        let notation = self.reduced.equations.notation_in(self.pool);
        let texts: Vec<String> =
            self.equations(rows).into_iter().map(|equation| notation.equation(equation)).collect();
        listed(texts.iter().map(String::as_str))
    }

    fn shown(&self, diagnostic: Diagnostic, rows: &[usize], variables: &[VarId]) -> Diagnostic {
        let notation = self.reduced.equations.notation_in(self.pool);
        let diagnostic = at_equations(diagnostic, self.equations(rows).into_iter(), &notation);
        at_variables(diagnostic, &self.reduced.equations, variables)
    }

    fn variables(&self, columns: impl Iterator<Item = usize>) -> Vec<VarId> {
        columns.map(|column| self.level.variables[column]).collect()
    }

    /// Variables of which one would have to be a state, and none may be.
    fn excluded(&self, columns: &[usize], rows: &[usize]) -> Diagnostic {
        let select = |v: &VarId| self.reduced.equations.variable(*v).select;
        let all = self.variables(columns.iter().copied());
        let never: Vec<VarId> = all.iter().copied().filter(|v| select(v) == StateSelect::Never).collect();
        if never.is_empty() {
            return self.dependent(rows, &all);
        }
        let message = match (never.len(), rows.len()) {
            (1, 0) => format!(
                "{} is differentiated and `stateSelect=StateSelect.never`, but no equation gives it: it would have to be a state",
                self.names(&never)
            ),
            _ => format!(
                "one of {} would have to be a state, and all of them are `StateSelect.never` or not differentiated: {} give{} the others from it",
                self.names(&all),
                self.texts(rows),
                if rows.len() == 1 { "s" } else { "" }
            ),
        };
        let diagnostic = self.shown(Diagnostic::error("never-unavoidable", message), rows, &all);
        diagnostic.with_note(format!(
            "allow one of them, for example `{}(stateSelect=StateSelect.avoid)`",
            self.name(never[0])
        ))
    }

    fn name(&self, v: VarId) -> &str {
        &self.reduced.equations.variable(v).name
    }

    /// Constraints that hold only `always` variables.
    fn clash(&self, columns: &[usize], rows: &[usize]) -> Diagnostic {
        debug_assert!(columns.iter().all(|&column| self.level.wishes[column] == Wish::Always));
        let always = self.variables(columns.iter().copied());
        match always.as_slice() {
            [] => self.dependent(rows, &[]),
            [one] => {
                let already = format!(
                    "but {} already determine{} it",
                    self.texts(rows),
                    if rows.len() == 1 { "s" } else { "" }
                );
                let name = self.name(*one);
                let is_demanded = self.reduced.equations.variable(*one).select == StateSelect::Always;
                let diagnostic = if is_demanded {
                    let message = format!("`{name}` must be a state (`StateSelect.always`), {already}");
                    Diagnostic::error("always-not-free", message)
                } else {
                    let message = format!("`{name}` must be a state, as `reinit` sets it, {already}");
                    Diagnostic::error("reinit-target-not-state", message)
                };
                self.shown(diagnostic, rows, &always)
            }
            _ => {
                let message = format!(
                    "{} must all be states (`StateSelect.always`), but {} tie{} them to each other",
                    self.names(&always),
                    self.texts(rows),
                    if rows.len() == 1 { "s" } else { "" }
                );
                let mut diagnostic = self.shown(Diagnostic::error("always-conflict", message), rows, &always);
                for &v in &always {
                    if self.reduced.equations.variable(v).select != StateSelect::Always {
                        let note = format!("`{}` must be a state because `reinit` sets it", self.name(v));
                        diagnostic = diagnostic.with_note(note);
                    }
                }
                diagnostic.with_note("leave one of them to be computed from the others")
            }
        }
    }

    /// Constraints that say the same, or contradict each other, at every point.
    fn dependent(&self, rows: &[usize], variables: &[VarId]) -> Diagnostic {
        let message = format!(
            "the constraints {} depend on each other: one follows from the others, or contradicts them",
            self.texts(rows)
        );
        self.shown(Diagnostic::error("dependent-constraints", message), rows, variables)
    }
}
