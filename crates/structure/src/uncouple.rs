//! A mode without its constraints: all differentiated variables are free, and the constraint forces are zero.
//!
//! In: the equations of a mode. Out: equations of which every differentiated variable is a state. An explicit method may make a
//! step with them and be brought back onto the constraints at its end (Mosterman, Neumann & Preusche 1999, fig. 8).
//!
//! With all that is differentiated known, some equations have nothing left to compute: these are the constraints. They are
//! dropped, those of this mode alone first, and with them the unknowns that nothing else computes, those first that may be
//! infinite for an instant: these are the constraint forces.

use rhei_equations::{EqId, Equations};

use crate::chains::Chains;
use crate::impulses::impulses;
use crate::{Bipartite, Matching};

/// The equations of a mode without constraints between differentiated variables; `holds_always` says which are not of this mode
/// alone.
///
/// `Ok(None)` where there are none. An error names unknowns that are differentiated and not computed without the constraints.
pub(crate) fn uncoupled(
    equations: &Equations,
    holds_always: impl Fn(EqId) -> bool,
) -> Result<Option<Equations>, Vec<String>> {
    let mut pool = equations.pool.clone();
    let impulsive = impulses(equations, equations.equations.len(), &mut pool);
    let mut is_impulsive = vec![false; equations.variables.len()];
    let following = impulsive.following.iter().map(|&(v, _)| v);
    impulsive.impulsive.iter().copied().chain(following).for_each(|v| is_impulsive[v.index()] = true);
    let chains = Chains::continuous(equations);
    let mut highest = vec![0; chains.members.len()];
    for &(column, order) in chains.orders.iter().flatten() {
        highest[column] = highest[column].max(order);
    }
    // those that hold always are matched first, and keep their unknowns
    let (always, here): (Vec<usize>, Vec<usize>) =
        (0..chains.equations.len()).partition(|&row| holds_always(chains.equations[row]));
    let rows: Vec<usize> = always.into_iter().chain(here).collect();
    let mut graph = Bipartite::new(chains.members.len());
    for &row in &rows {
        let is_computed = |&&(column, order): &&(usize, u32)| order == highest[column];
        graph.push_row(chains.orders[row].iter().filter(is_computed).map(|&(column, _)| column));
    }
    let spared = |column: usize| is_impulsive[chains.members[column][highest[column] as usize].index()];
    let matching = Matching::maximum_sparing(&graph, spared);
    let constraints = (0..rows.len()).filter(|&row| matching.column_of(row).is_none());
    let constraints: Vec<EqId> = constraints.map(|row| chains.equations[rows[row]]).collect();
    let free: Vec<usize> =
        (0..chains.members.len()).filter(|&column| matching.row_of(column).is_none()).collect();
    if constraints.is_empty() {
        return Ok(None);
    }
    let lost: Vec<usize> = free.iter().copied().filter(|&column| highest[column] > 0).collect();
    if !lost.is_empty() || free.len() != constraints.len() {
        let name = |column: &usize| equations.variable(chains.variable(*column)).name.to_string();
        return Err(lost.iter().map(name).collect());
    }
    let mut made = equations.clone();
    for (e, column) in constraints.into_iter().zip(free) {
        let equation = &mut made.dae.equations[e.index()];
        (equation.lhs, equation.rhs) = (made.pool.variable(chains.variable(column)), made.pool.number(0.0));
        equation.family = None;
    }
    Ok(Some(made))
}

#[cfg(test)]
mod tests {
    use rhei_equations::read;

    use super::*;

    const OPEN: &str = "\
model Open
  unknown p1
  unknown p2
  unknown i1
  unknown i2
  unknown v
  derivative der(p1)
  derivative der(p2)
equation
  i1 = i2
  der(p1) = 1 - i1 - v
  der(p2) = v - i2
  p1 = i1
  p2 = 2*i2
";

    #[test]
    fn what_couples_is_zero_instead() {
        let model = read(OPEN).unwrap();
        let made = uncoupled(&model, |e| e.index() > 0).unwrap().expect("there is a constraint");
        assert_eq!(made.notation().equation(&made.equations[0]), "v = 0");
        assert_eq!(made.equations[1..], model.equations[1..]);
    }

    #[test]
    fn what_is_not_coupled_is_left_alone() {
        let model = read(&OPEN.replace("i1 = i2", "v = i1 - i2")).unwrap();
        assert_eq!(uncoupled(&model, |_| true).unwrap().map(|_| ()), None);
    }

    #[test]
    fn a_position_that_is_given_leaves_no_step_to_make() {
        let text = "\
model Given
  unknown x
  unknown y
  derivative der(x)
  derivative der(y)
equation
  x = 5
  der(x) + der(y) = 1
";
        assert_eq!(uncoupled(&read(text).unwrap(), |_| true).unwrap_err(), ["y"]);
    }
}
