//! Slices of programs: the formulas that watched values need between events.
//!
//! In: the routines that compute all variables, and a watch. Out: [`Slices`]: the formulas that the watched values need, in
//! order, and the dependence of each value: on nothing, on time alone, on time and states, or on something that has no formula.

use rhei_equations::VarId;
use rustc_hash::FxHashMap;

use crate::code::Watch;
use crate::program::{Instruction, Program, Slot, WholeSite};
use crate::routine::{Routine, Step};

/// The dependence of a value between events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moves {
    /// None: it is constant.
    Not,
    /// Time alone.
    WithTime,
    /// States, and perhaps time.
    WithStates,
    /// Something without a formula.
    Beyond(Without),
}

/// Inputs without a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Without {
    /// A value of the past.
    Past,
    /// An unknown of a loop.
    Loop,
    /// The result of a function that stayed a call.
    Call,
}

/// The formulas of some watched values.
#[derive(Clone, Debug)]
pub struct Slices {
    /// All instructions, over slots of their own; jumps lead to places in this list.
    pub(super) instructions: Vec<Instruction>,
    /// Arithmetic of whole numbers.
    pub(super) wholes: Vec<WholeSite>,
    formulas: Vec<Formula>,
    /// For each slot of its own: the slot of the model.
    slots: Vec<Slot>,
    values: Vec<Value>,
}

/// Instructions that belong together: jumps stay within.
#[derive(Clone, Debug)]
struct Formula {
    begin: u32,
    end: u32,
    /// The formulas it needs.
    needs: Vec<u32>,
}

/// A watched value.
#[derive(Clone, Copy, Debug)]
struct Value {
    slot: u32,
    moves: Moves,
    /// The formula that computes it.
    by: Option<u32>,
}

/// The instructions of one evaluation: ranges, in order.
#[derive(Clone, Debug, Default)]
pub struct Extract {
    pub(super) parts: Vec<(u32, u32)>,
    reads: Vec<bool>,
}

impl Extract {
    /// The number of its instructions, with branches that are not taken.
    pub fn instructions(&self) -> u64 {
        self.parts.iter().map(|(begin, end)| u64::from(end - begin)).sum()
    }

    /// Whether the evaluation reads a slot of the slices.
    pub fn reads(&self, slot: usize) -> bool {
        self.reads[slot]
    }
}

impl Slices {
    /// The formulas of the values in `watch`, once `routines` have computed all variables. `moving` is the dependence of slots
    /// that are not computed.
    pub fn new(routines: &[&Routine], watch: &Watch, moving: &dyn Fn(Slot) -> Moves) -> Slices {
        let mut search = Search { moving, written: FxHashMap::default(), found: Vec::new() };
        for step in routines.iter().flat_map(|routine| &routine.steps) {
            match step {
                Step::Run(program) => search.take(program),
                Step::Iterate(iteration) => {
                    search.lose(iteration.guessed.iter().copied().chain(iteration.program.targets()));
                }
                Step::Settle(settling) => {
                    let computed = settling.turn.programs().into_iter().flat_map(Program::targets);
                    search.lose(settling.held.iter().copied().chain(computed));
                }
            }
        }
        search.take(&watch.program);
        search.finish(&watch.slots)
    }

    /// Instructions as they are, with one value that is watched.
    #[cfg(test)]
    pub(super) fn of_instructions(instructions: Vec<Instruction>, slots: usize, watched: usize) -> Slices {
        let end = instructions.len() as u32;
        Slices {
            instructions,
            wholes: Vec::new(),
            formulas: vec![Formula { begin: 0, end, needs: Vec::new() }],
            slots: (0..slots as u32).map(Slot).collect(),
            values: vec![Value { slot: watched as u32, moves: Moves::WithStates, by: Some(0) }],
        }
    }

    /// The dependence of each value.
    pub fn moves(&self) -> impl Iterator<Item = Moves> + '_ {
        self.values.iter().map(|value| value.moves)
    }

    /// The slot of the value at an index, among those of these slices.
    pub(super) fn slot(&self, place: usize) -> usize {
        self.values[place].slot as usize
    }

    /// The instructions for some of the values, by index.
    pub fn extract(&self, places: impl IntoIterator<Item = usize> + Clone) -> Extract {
        let wanted = places.clone().into_iter().filter_map(|place| self.values[place].by);
        let is_needed = closure(self.formulas.len(), wanted, |formula| &self.formulas[formula].needs);
        let needed = self.formulas.iter().zip(is_needed).filter_map(|(formula, is)| is.then_some(formula));
        let mut parts: Vec<(u32, u32)> = Vec::new();
        for formula in needed {
            match parts.last_mut() {
                Some(last) if last.1 == formula.begin => last.1 = formula.end,
                _ => parts.push((formula.begin, formula.end)),
            }
        }
        let mut reads = vec![false; self.slots.len()];
        places.into_iter().for_each(|place| reads[self.slot(place)] = true);
        for &(begin, end) in &parts {
            for &instruction in &self.instructions[begin as usize..end as usize] {
                self.operands(instruction).for_each(|slot| reads[slot.index()] = true);
            }
        }
        Extract { parts, reads }
    }

    /// Whether the formulas compute a slot of their own.
    pub fn is_computed(&self, slot: usize) -> bool {
        self.instructions.iter().any(|instruction| instruction.writes().is_some_and(|to| to.index() == slot))
    }

    /// The slots that an instruction reads.
    fn operands(&self, instruction: Instruction) -> impl Iterator<Item = Slot> {
        let (slots, n) = match instruction {
            Instruction::Copy { a, .. }
            | Instruction::Negate { a, .. }
            | Instruction::Call { a, .. }
            | Instruction::Not { a, .. }
            | Instruction::JumpUnless { a, .. } => ([a; 4], 1),
            Instruction::Binary { a, b, .. }
            | Instruction::Relation { a, b, .. }
            | Instruction::And { a, b, .. }
            | Instruction::Or { a, b, .. } => ([a, b, b, b], 2),
            Instruction::Whole { site, .. } => (self.wholes[site as usize].operands, 4),
            // results of calls are never needed
            Instruction::Jump { .. } | Instruction::Invoke { .. } => ([Slot(0); 4], 0),
        };
        slots.into_iter().take(n)
    }

    /// The slots of the model that these slices read or write, in the order of their own.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }
}

/// The transitive closure of the needs of some formulas.
fn closure<'a>(
    n: usize,
    wanted: impl Iterator<Item = u32>,
    needs: impl Fn(usize) -> &'a Vec<u32>,
) -> Vec<bool> {
    let mut is_needed = vec![false; n];
    let mut open: Vec<u32> = wanted.collect();
    while let Some(formula) = open.pop() {
        if !std::mem::replace(&mut is_needed[formula as usize], true) {
            open.extend(needs(formula as usize));
        }
    }
    is_needed
}

/// Goes through formulas in the order in which they are computed.
struct Search<'a> {
    moving: &'a dyn Fn(Slot) -> Moves,
    /// By slot of the model: its last writer. Temporaries of one program are those of another again.
    written: FxHashMap<Slot, Writer>,
    found: Vec<Found<'a>>,
}

#[derive(Clone, Copy)]
enum Writer {
    Formula(u32),
    Beyond(Without),
}

/// A formula in its program.
struct Found<'a> {
    program: &'a Program,
    begin: u32,
    end: u32,
    needs: Vec<u32>,
    moves: Moves,
}

impl<'a> Search<'a> {
    /// Unknowns of a loop have no formula from here on.
    fn lose(&mut self, variables: impl Iterator<Item = VarId>) {
        self.written.extend(variables.map(|v| (v.into(), Writer::Beyond(Without::Loop))));
    }

    fn take(&mut self, program: &'a Program) {
        let mut begin = 0;
        let last = program.instructions.len() as u32;
        for &end in program.cuts.iter().chain([&last]) {
            if end > begin {
                self.formula(program, begin, end);
                begin = end;
            }
        }
    }

    fn formula(&mut self, program: &'a Program, begin: u32, end: u32) {
        let instructions = &program.instructions[begin as usize..end as usize];
        let number = self.found.len() as u32;
        let has_calls = instructions.iter().any(|i| matches!(i, Instruction::Invoke { .. }));
        let mut moves = if has_calls { Moves::Beyond(Without::Call) } else { Moves::Not };
        let mut needs = Vec::new();
        for &instruction in instructions {
            for slot in program.reads(instruction) {
                let by = match self.written.get(&slot) {
                    Some(&Writer::Formula(own)) if own == number => continue,
                    Some(&Writer::Formula(formula)) => {
                        needs.push(formula);
                        self.found[formula as usize].moves
                    }
                    Some(&Writer::Beyond(without)) => Moves::Beyond(without),
                    None => (self.moving)(slot),
                };
                moves = moves.max(by);
            }
            self.written.extend(program.writes(instruction).map(|slot| (slot, Writer::Formula(number))));
        }
        if let Moves::Beyond(without) = moves {
            let computed = instructions.iter().flat_map(|&instruction| program.writes(instruction));
            self.written.extend(computed.map(|slot| (slot, Writer::Beyond(without))));
        }
        needs.sort_unstable();
        needs.dedup();
        self.found.push(Found { program, begin, end, needs, moves });
    }

    /// The watched values, with the formulas that are needed for those that have one.
    fn finish(self, watched: &[Slot]) -> Slices {
        let of = |slot: &Slot| match self.written.get(slot) {
            Some(&Writer::Formula(formula)) => (self.found[formula as usize].moves, Some(formula)),
            Some(&Writer::Beyond(without)) => (Moves::Beyond(without), None),
            None => ((self.moving)(*slot), None),
        };
        let values: Vec<(Slot, Moves, Option<u32>)> =
            watched.iter().map(|slot| (*slot, of(slot).0, of(slot).1)).collect();
        let wanted = values.iter().filter_map(|&(_, _, by)| by);
        let is_needed = closure(self.found.len(), wanted, |formula| &self.found[formula].needs);
        let mut owner = Owner::default();
        let (mut instructions, mut formulas) = (Vec::new(), Vec::new());
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        for (place, found) in self.found.iter().enumerate().filter(|(place, _)| is_needed[*place]) {
            numbers.insert(place as u32, formulas.len() as u32);
            let begin = instructions.len() as u32;
            let part = &found.program.instructions[found.begin as usize..found.end as usize];
            let moved = |target: u32| target - found.begin + begin;
            let owned = part.iter().map(|&instruction| owner.owned(found.program, instruction, moved));
            instructions.extend(owned);
            let needs = found.needs.iter().map(|formula| numbers[formula]).collect();
            formulas.push(Formula { begin, end: instructions.len() as u32, needs });
        }
        let values = values.into_iter().map(|(slot, moves, by)| {
            let by = by.map(|formula| numbers[&formula]);
            Value { slot: owner.own(slot).0, moves, by }
        });
        let values = values.collect();
        Slices { instructions, wholes: owner.wholes, formulas, slots: owner.slots, values }
    }
}

/// Numbers slots in the order in which they are met.
#[derive(Default)]
struct Owner {
    own: FxHashMap<Slot, u32>,
    slots: Vec<Slot>,
    wholes: Vec<WholeSite>,
}

impl Owner {
    fn own(&mut self, slot: Slot) -> Slot {
        let slots = &mut self.slots;
        Slot(*self.own.entry(slot).or_insert_with(|| {
            slots.push(slot);
            slots.len() as u32 - 1
        }))
    }

    /// An instruction over own slots, whose jumps lead elsewhere.
    fn owned(
        &mut self,
        program: &Program,
        instruction: Instruction,
        moved: impl Fn(u32) -> u32,
    ) -> Instruction {
        match instruction {
            Instruction::Whole { to, site } => {
                let WholeSite { op, part, operands } = program.wholes[site as usize];
                let operands = operands.map(|slot| self.own(slot));
                self.wholes.push(WholeSite { op, part, operands });
                Instruction::Whole { to: self.own(to), site: self.wholes.len() as u32 - 1 }
            }
            Instruction::Copy { to, a } => Instruction::Copy { to: self.own(to), a: self.own(a) },
            Instruction::Negate { to, a } => Instruction::Negate { to: self.own(to), a: self.own(a) },
            Instruction::Binary { op, to, a, b } => {
                Instruction::Binary { op, to: self.own(to), a: self.own(a), b: self.own(b) }
            }
            Instruction::Call { function, to, a } => {
                Instruction::Call { function, to: self.own(to), a: self.own(a) }
            }
            Instruction::Relation { relation, to, a, b } => {
                Instruction::Relation { relation, to: self.own(to), a: self.own(a), b: self.own(b) }
            }
            Instruction::Not { to, a } => Instruction::Not { to: self.own(to), a: self.own(a) },
            Instruction::And { to, a, b } => {
                Instruction::And { to: self.own(to), a: self.own(a), b: self.own(b) }
            }
            Instruction::Or { to, a, b } => {
                Instruction::Or { to: self.own(to), a: self.own(a), b: self.own(b) }
            }
            Instruction::JumpUnless { a, target } => {
                Instruction::JumpUnless { a: self.own(a), target: moved(target) }
            }
            Instruction::Jump { target } => Instruction::Jump { target: moved(target) },
            // never needed: its results have no formula
            Instruction::Invoke { site } => Instruction::Invoke { site },
        }
    }
}
