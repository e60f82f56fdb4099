//! Loops that are singular whatever their unknowns are.
//!
//! Structure gives such a loop as many equations as unknowns, but at a generic point its derivatives can be combined to nothing. A
//! solution would be arbitrary if there were one, and there is one only where the rest of the equations can be combined so, too.

use rhei_equations::{Pool, VarId};

use crate::Matching;
use crate::basis::{Elimination, Entry, Grade};
use crate::blocks::System;
use crate::generic::{GenericPoint, Residue};
use crate::physical_cause::minimal_dependency;

/// Equations of a loop that is looked at, at most.
const MOST_EQUATIONS: usize = 250;

/// What is wrong with a loop.
pub(crate) enum SingularLoop {
    /// Only differences of unknowns are known.
    Floating(Floating),
    /// Equations follow from each other, or contradict each other.
    Dependent(Dependent),
}

/// Unknowns of which only differences are known.
pub(crate) struct Floating {
    pub(crate) unknowns: Vec<VarId>,
    /// The components to which they belong.
    pub(crate) components: Vec<String>,
}

/// Equations with numbers as factors of which one can be combined from the others.
pub(crate) struct Dependent {
    /// Rows of the system.
    pub(crate) rows: Vec<usize>,
    pub(crate) unknowns: Vec<VarId>,
    /// Whether all terms agree, not only those of the unknowns.
    pub(crate) agree: bool,
}

/// The derivatives of a loop at a generic point.
struct Slopes {
    /// Rows of the system.
    rows: Vec<usize>,
    unknowns: Vec<VarId>,
    matrix: Vec<Vec<Entry>>,
    /// By row, the terms without unknowns, if all factors are numbers.
    rest: Option<Vec<Residue>>,
}

/// A loop that is singular at a generic point: the first whose unknowns could all be larger by the same amount as no equation
/// notices, else the first with numbers as factors. A missing reference shows in both, in potentials and in flows, and is named by the
/// potentials.
pub(crate) fn singular_loop(
    system: &System<'_>,
    matching: &Matching,
    pool: &mut Pool,
) -> Option<SingularLoop> {
    let mut point = GenericPoint::default();
    let loops = system.all_in_order(matching);
    let mut dependent = None;
    for own in loops.into_iter().filter(|own| (2..=MOST_EQUATIONS).contains(&own.len())) {
        let Some(slopes) = Slopes::of(own, system, matching, pool, &mut point) else { continue };
        let Some(unnoticed) = unnoticed(slopes.matrix.clone(), slopes.unknowns.len()) else { continue };
        if let Some(level) = level(&unnoticed) {
            return Some(SingularLoop::Floating(slopes.floating(level, system)));
        }
        dependent = dependent.or_else(|| slopes.dependent(&unnoticed).map(SingularLoop::Dependent));
    }
    dependent
}

impl Slopes {
    /// None where an equation has no derivative.
    fn of(
        rows: Vec<usize>,
        system: &System<'_>,
        matching: &Matching,
        pool: &mut Pool,
        point: &mut GenericPoint,
    ) -> Option<Slopes> {
        let mut columns: Vec<usize> = rows.iter().filter_map(|&row| matching.column_of(row)).collect();
        columns.sort_unstable();
        let mut matrix = Vec::new();
        let mut rest = Some(Vec::new());
        for &row in &rows {
            let residual = pool.sub(system.rows[row].lhs, system.rows[row].rhs);
            let mut entries = Vec::new();
            let mut left = point.value(pool, residual);
            let places = system.graph.columns(row).filter_map(|column| columns.binary_search(&column).ok());
            let places: Vec<usize> = places.collect();
            let unknowns: Vec<VarId> = places.iter().map(|&place| system.unknowns[columns[place]]).collect();
            for (&place, slope) in places.iter().zip(pool.partials(residual, &unknowns)) {
                let (column, slope) = (columns[place], slope.ok()?);
                if pool.as_number(slope).is_none() {
                    rest = None;
                }
                let value = point.value(pool, slope);
                let unknown = pool.variable(system.unknowns[column]);
                left = left.minus(value.times(point.value(pool, unknown)));
                if !value.is_zero() {
                    entries.push(Entry { column: place, value, grade: Grade::Number });
                }
            }
            matrix.push(entries);
            rest.iter_mut().for_each(|rest| rest.push(left));
        }
        let unknowns = columns.into_iter().map(|column| system.unknowns[column]).collect();
        Some(Slopes { rows, unknowns, matrix, rest })
    }

    fn floating(&self, level: Vec<usize>, system: &System<'_>) -> Floating {
        let unknowns: Vec<VarId> = level.into_iter().map(|place| self.unknowns[place]).collect();
        let mut components: Vec<String> = Vec::new();
        for v in &unknowns {
            let component = component_of(&system.equations.variable(*v).name);
            if !component.is_empty() && !components.iter().any(|known| known == component) {
                components.push(component.to_owned());
            }
        }
        Floating { unknowns, components }
    }

    /// The equations that depend on each other, if their factors are numbers: others may be chosen so on purpose, or be regular
    /// where a condition switches.
    fn dependent(&self, unnoticed: &[(usize, Residue)]) -> Option<Dependent> {
        let n = self.unknowns.len();
        let rest = self.rest.as_ref()?;
        let circuit = minimal_dependency(self.matrix.clone(), n)?;
        let with_rest = circuit.iter().map(|&place| {
            let rest = Entry { column: n, value: rest[place], grade: Grade::Number };
            let terms = self.matrix[place].iter().copied();
            terms.chain(Some(rest).filter(|rest| !rest.value.is_zero())).collect()
        });
        let agree = minimal_dependency(with_rest.collect(), n + 1).is_some();
        let rows = circuit.into_iter().map(|place| self.rows[place]).collect();
        let unknowns = unnoticed.iter().map(|&(place, _)| self.unknowns[place]).collect();
        Some(Dependent { rows, unknowns, agree })
    }
}

/// The component that a variable of one of its connectors belongs to: `a.b` for `a.b.pin.v`.
fn component_of(name: &str) -> &str {
    let connector = name.rfind('.').map_or("", |end| &name[..end]);
    connector.rfind('.').map_or(connector, |end| &connector[..end])
}

/// A change of the columns of a matrix that its rows do not notice: columns with their shares in it; none where the matrix is regular.
fn unnoticed(rows: Vec<Vec<Entry>>, n_columns: usize) -> Option<Vec<(usize, Residue)>> {
    let mut elimination = Elimination::new(rows, n_columns, 0);
    let dependent = *elimination.add_all(0..n_columns).first()?;
    elimination.unnoticed(dependent, n_columns)
}

/// The columns of a shift by the same amount: potentials that are known by their differences only.
fn level(shift: &[(usize, Residue)]) -> Option<Vec<usize>> {
    let (_, first) = shift.first()?;
    let is_level = shift.len() >= 2 && shift.iter().all(|(_, share)| share == first);
    is_level.then(|| shift.iter().map(|(column, _)| *column).collect())
}
