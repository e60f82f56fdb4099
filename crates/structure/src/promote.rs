//! To which derivative a variable is needed that shall be a state.
//!
//! A wish asks for a first derivative. A variable tied to others that are needed to a higher one (an angle to the angle of
//! a mechanism, whose accelerations are) can take their place only at the same level: as a position, not as a speed. So it
//! is raised beside them, as far as that differentiates no more than the equations between them.

use crate::chains::Chains;
use crate::pantelides::{Offsets, pantelides};

/// Turns in which columns are raised, at most: each goes one tie further along.
const MOST_TURNS: usize = 16;

/// The columns that are wished for as states, with the derivative that each is needed to.
pub(crate) struct Promotion {
    /// By the model and the wishes alone.
    wished: Vec<u32>,
    /// With the columns raised beside others.
    least: Vec<u32>,
    may_rise: Vec<bool>,
}

impl Promotion {
    pub(crate) fn new(wished: Vec<u32>) -> Promotion {
        let may_rise = vec![true; wished.len()];
        Promotion { least: wished.clone(), wished, may_rise }
    }

    /// The derivative that each column is needed to.
    pub(crate) fn least(&self) -> &[u32] {
        &self.least
    }

    /// A column is needed no further than this.
    pub(crate) fn drop_to(&mut self, column: usize, least: u32) {
        self.wished[column] = least;
        self.may_rise[column] = false;
        // columns between wished ones and others rise again if they still have to
        self.least.clone_from(&self.wished);
    }

    /// Offsets with wished columns at the level of the variables they are tied to. `offsets` are those for the wishes,
    /// `unwished` those without any: rows differentiated only because of wishes may rise with them.
    pub(crate) fn raised(&mut self, chains: &Chains, offsets: Offsets, unwished: &Offsets) -> Offsets {
        let rises =
            |column: usize| self.may_rise[column] && offsets.columns[column] > unwished.columns[column];
        let rises: Vec<bool> = (0..self.least.len()).map(rises).collect();
        if !rises.contains(&true) {
            return offsets;
        }
        let (mut least, mut found) = (self.least.clone(), offsets.clone());
        for _ in 0..MOST_TURNS {
            let wanted = beside_others(chains, &found, &rises);
            if wanted.is_empty() {
                break;
            }
            wanted.iter().for_each(|&(column, to)| least[column] = to);
            match pantelides(&chains.orders, &least) {
                Ok(next) if raises_only(&found, &next, &rises) => found = next,
                _ => return offsets,
            }
        }
        let has_risen =
            |column: usize| self.wished[column] > 0 && found.columns[column] > offsets.columns[column];
        if (0..least.len()).any(has_risen) {
            self.least = least;
            return found;
        }
        offsets
    }
}

fn raises_only(before: &Offsets, after: &Offsets, rises: &[bool]) -> bool {
    let columns = before.columns.iter().zip(&after.columns).zip(rises);
    columns.into_iter().all(|((before, after), rises)| before == after || *rises)
}

/// Columns that may rise and stand below all others of one of their rows, and how far they would have to.
fn beside_others(chains: &Chains, offsets: &Offsets, rises: &[bool]) -> Vec<(usize, u32)> {
    let mut wanted = Vec::new();
    for orders in &chains.orders {
        for &(column, order) in orders.iter().filter(|(column, _)| rises[*column]) {
            let others = orders.iter().filter(|(other, _)| *other != column);
            let room = others.map(|&(other, order)| offsets.columns[other].saturating_sub(order)).min();
            let least = room.map_or(0, |room| room + order);
            if least > offsets.columns[column] {
                wanted.push((column, least));
            }
        }
    }
    wanted.sort_unstable();
    // the largest of each column
    wanted.reverse();
    wanted.dedup_by_key(|(column, _)| *column);
    wanted
}

#[cfg(test)]
mod tests {
    use rhei_equations::read;

    use super::*;

    /// The columns `a`, `b`, `phi`, `w`, `tau`, and the highest derivative of each.
    fn columns(wished: &str) -> Vec<u32> {
        let text = "model M\n  unknown a\n  unknown b\n  unknown phi\n  unknown w\n  unknown tau\n  derivative der(phi)\n  derivative der(w)\nequation\n  der(phi) = w\n  der(w) = tau\n  phi = sin(time)\n  b = 2*phi\n  a = b\n";
        let model = read(text).unwrap();
        let chains = Chains::new(&model);
        let least: Vec<u32> = (0..chains.members.len())
            .map(|column| u32::from(model.variable(chains.variable(column)).name == wished))
            .collect();
        let offsets = pantelides(&chains.orders, &least).unwrap();
        let unwished = pantelides(&chains.orders, &vec![0; least.len()]).unwrap();
        Promotion::new(least).raised(&chains, offsets, &unwished).columns
    }

    #[test]
    fn a_wish_stands_beside_what_it_is_tied_to() {
        assert_eq!(columns(""), [0, 0, 2, 1, 0]);
        assert_eq!(columns("b"), [0, 2, 2, 1, 0], "as a position beside a position");
        assert_eq!(columns("a"), [2, 2, 2, 1, 0], "with what stands between them");
        assert_eq!(columns("w"), [0, 0, 2, 1, 0], "it is where it belongs");
    }
}
