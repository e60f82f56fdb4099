//! The dependence of a program's results on its inputs: the pattern of its derivatives, through everything in between.
//!
//! Conservative at branches: a slot written on several paths depends on the inputs of each of them. Booleans have no derivative.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::program::{Instruction, Program, Slot};

/// Places among the inputs, ascending.
type Places = Rc<[u32]>;

impl Program {
    /// For each of `results`, the places among `inputs` of those whose changes can change it, ascending.
    pub fn dependence(&self, inputs: &[Slot], results: &[Slot]) -> Vec<Vec<u32>> {
        let none: Places = Rc::from([]);
        // the inputs of each slot, and the formula that wrote it
        let mut known: FxHashMap<Slot, (Places, usize)> = FxHashMap::default();
        for (place, &slot) in inputs.iter().enumerate() {
            known.insert(slot, (Rc::from([place as u32]), usize::MAX));
        }
        let mut formula = 0;
        for (at, &instruction) in self.instructions.iter().enumerate() {
            while self.cuts.get(formula).is_some_and(|&end| end as usize <= at) {
                formula += 1;
            }
            let mut places = none.clone();
            if has_derivative(instruction) {
                for slot in self.reads(instruction) {
                    if let Some((own, _)) = known.get(&slot) {
                        places = union(&places, own);
                    }
                }
            }
            for slot in self.writes(instruction) {
                // written on another path of the same formula
                let before = known.get(&slot).filter(|(_, by)| *by == formula);
                let both = before.map_or_else(|| places.clone(), |(before, _)| union(&places, before));
                known.insert(slot, (both, formula));
            }
        }
        results.iter().map(|slot| known.get(slot).map_or(Vec::new(), |(places, _)| places.to_vec())).collect()
    }
}

fn has_derivative(instruction: Instruction) -> bool {
    match instruction {
        Instruction::Copy { .. }
        | Instruction::Negate { .. }
        | Instruction::Binary { .. }
        | Instruction::Call { .. }
        | Instruction::Invoke { .. } => true,
        Instruction::Whole { .. }
        | Instruction::Relation { .. }
        | Instruction::Not { .. }
        | Instruction::And { .. }
        | Instruction::Or { .. }
        | Instruction::JumpUnless { .. }
        | Instruction::Jump { .. } => false,
    }
}

fn union(a: &Places, b: &Places) -> Places {
    if a.is_empty() || Rc::ptr_eq(a, b) {
        return b.clone();
    }
    if b.iter().all(|place| a.binary_search(place).is_ok()) {
        return a.clone();
    }
    let mut both: Vec<u32> = a.iter().chain(b.iter()).copied().collect();
    both.sort_unstable();
    both.dedup();
    Rc::from(both)
}

#[cfg(test)]
mod tests {
    use rhei_equations::{Binary, Relation};

    use super::*;

    fn program(instructions: Vec<Instruction>, cuts: Vec<u32>) -> Program {
        Program { instructions, cuts, ..Program::default() }
    }

    #[test]
    fn what_is_computed_on_the_way_hands_on_what_it_depends_on() {
        let [a, b, c, x, y, t] = [0, 1, 2, 3, 4, 5].map(Slot);
        let add = |to, a, b| Instruction::Binary { op: Binary::Add, to, a, b };
        let instructions = vec![
            Instruction::Negate { to: t, a },
            add(x, t, b),
            Instruction::Copy { to: t, a: c },
            add(y, x, t),
        ];
        let program = program(instructions, vec![2, 4]);
        assert_eq!(program.dependence(&[a, b, c], &[x, y, t]), [vec![0, 1], vec![0, 1, 2], vec![2]]);
        assert_eq!(program.dependence(&[b], &[x, y, t]), [vec![0], vec![0], vec![]]);
    }

    #[test]
    fn both_ways_of_a_condition_count_and_the_condition_does_not() {
        let [a, b, c, x, t] = [0, 1, 2, 3, 4].map(Slot);
        let instructions = vec![
            Instruction::Relation { relation: Relation::Less, to: t, a: c, b: c },
            Instruction::JumpUnless { a: t, target: 4 },
            Instruction::Copy { to: x, a },
            Instruction::Jump { target: 5 },
            Instruction::Copy { to: x, a: b },
        ];
        assert_eq!(program(instructions, vec![5]).dependence(&[a, b, c], &[x]), [vec![0, 1]]);
    }
}
