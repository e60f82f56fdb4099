//! The discrete equations, which are the same in all modes, and events, at which they are solved together
//! with all others.

use rhei_equations::{Dae, EqId, Pool, VarId};
use rhei_solvable::{Block, Cause};
use rhei_source::Diagnostic;

use super::piece::Component;
use crate::blocks::{Given, Row, Sorting, System};
use crate::remove_aliases::Removed;
use crate::sort_into_blocks::discrete_system;
use crate::{Matching, strong_components};

/// The discrete equations.
#[derive(Debug)]
pub(super) struct Discrete {
    rows: Vec<DiscreteRow>,
    /// Those that need each other, everything else being known, in the order in which they can be solved.
    components: Vec<Vec<Block>>,
}

#[derive(Debug)]
struct DiscreteRow {
    equation: EqId,
    target: VarId,
    /// Its unknowns that are not known before the event.
    uses: Vec<VarId>,
    /// Which of the components it is in.
    component: usize,
}

impl Discrete {
    pub(super) fn new(
        equations: &Dae,
        pool: &mut Pool,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Discrete> {
        let (system, matching) = discrete_system(equations, pool, diagnostics)?;
        let found = system.components(&matching, pool).map_err(|mistake| diagnostics.push(mistake)).ok()?;
        let (mut rows, mut components) = (Vec::new(), Vec::new());
        for component in found {
            for row in component.rows {
                let own = &system.rows[row];
                let Cause::Equation(id) = own.because else { return None };
                let mut uses: Vec<VarId> =
                    own.sides().into_iter().flat_map(|e| pool.variables_of(e)).collect();
                uses.retain(|v| equations.variable(*v).is_unknown());
                let target = system.unknowns[matching.column_of(row)?];
                rows.push(DiscreteRow { equation: id, target, uses, component: components.len() });
            }
            components.push(component.blocks);
        }
        Some(Discrete { rows, components })
    }

    /// The blocks of the discrete unknowns, everything else being known.
    pub(super) fn blocks(&self) -> Vec<Block> {
        self.components.iter().flatten().cloned().collect()
    }

    /// The blocks of an event, from those of the continuous unknowns. Only discrete and continuous unknowns that need each
    /// other are sorted anew: `looked_at` counts their equations.
    pub(super) fn event_blocks(
        &self,
        continuous: &[Component],
        equations: &Dae,
        pool: &mut Pool,
        looked_at: &mut u64,
    ) -> Option<Vec<Block>> {
        if self.rows.is_empty() {
            return Some(Vec::new());
        }
        let n = continuous.len();
        let mut node_of = vec![usize::MAX; equations.variables.len()];
        for (node, component) in continuous.iter().enumerate() {
            for v in targets(component) {
                node_of[v.index()] = node;
            }
        }
        self.rows.iter().enumerate().for_each(|(row, own)| node_of[own.target.index()] = n + row);
        let depends_on = |node: usize| -> Vec<usize> {
            let nodes = |uses: &[VarId]| -> Vec<usize> {
                let nodes = uses.iter().map(|v| node_of[v.index()]);
                nodes.filter(|&other| other != usize::MAX && other != node).collect()
            };
            match node.checked_sub(n) {
                None => continuous[node].blocks.iter().flat_map(|(_, uses)| nodes(uses)).collect(),
                Some(row) => nodes(&self.rows[row].uses),
            }
        };
        let depends_on: Vec<Vec<usize>> = (0..n + self.rows.len()).map(depends_on).collect();
        let mut blocks = Vec::new();
        for nodes in strong_components(depends_on.len(), |i| &depends_on[i]) {
            let (varying, discrete): (Vec<usize>, Vec<usize>) = nodes.iter().partition(|&&node| node < n);
            match (varying.as_slice(), discrete.first()) {
                (&[node], None) => {
                    blocks.extend(continuous[node].blocks.iter().map(|(block, _)| block.clone()))
                }
                ([], Some(&row)) => {
                    blocks.extend(self.components[self.rows[row - n].component].iter().cloned());
                }
                _ => {
                    let varying = varying.iter().map(|&node| &continuous[node]);
                    let discrete = discrete.iter().map(|&row| &self.rows[row - n]);
                    let (varying, discrete): (Vec<_>, Vec<_>) = (varying.collect(), discrete.collect());
                    *looked_at += varying.iter().map(|component| component.rows.len() as u64).sum::<u64>();
                    blocks.extend(together(&varying, &discrete, equations, pool)?);
                }
            }
        }
        Some(blocks)
    }
}

fn targets(component: &Component) -> impl Iterator<Item = VarId> {
    component.blocks.iter().flat_map(|(block, _)| block.targets())
}

/// How equations are solved that need each other through truth values.
fn together(
    varying: &[&Component],
    discrete: &[&DiscreteRow],
    equations: &Dae,
    pool: &mut Pool,
) -> Option<Vec<Block>> {
    let mut unknowns: Vec<VarId> = varying.iter().flat_map(|component| targets(component)).collect();
    unknowns.extend(discrete.iter().map(|row| row.target));
    unknowns.sort_unstable();
    let mut rows: Vec<EqId> = varying.iter().flat_map(|component| component.rows.iter().copied()).collect();
    rows.extend(discrete.iter().map(|row| row.equation));
    rows.sort_unstable();
    let mut system = System::new(equations, unknowns, Sorting::ByEvent);
    let none = Removed::default();
    let mut given = Given::new(equations, &none, false, pool);
    for id in rows {
        let row = Row::new(&equations.equations[id.index()], Cause::Equation(id));
        let row = given.put_into(row, pool);
        system.push(row, pool);
    }
    let matching = Matching::maximum(&system.graph);
    if !matching.is_perfect() {
        return None;
    }
    system.solve_in_order(&matching, pool).ok()
}
