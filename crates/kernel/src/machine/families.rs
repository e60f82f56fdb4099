//! Formulas of one shape, found again in a program: the equations of an array, or of many components of one class.
//!
//! A program is a row of formulas, each a few instructions. Two have the same shape if the same operations stand in the same
//! order and the same operands coincide. Such formulas differ only in their slots, and become one loop: over slots at equal
//! distances if possible, else over a table of slots.
//!
//! Formulas that do not need each other may be computed in any order. They are moved so that those of one shape follow each other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::Arc;

use rhei_elementary::is_multiplied_out;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{Instruction, Program, Slot};

/// The source of machine code: formulas in the order of computation.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) items: Vec<Item>,
    /// The number of translated instructions: those of a loop count once.
    pub(crate) n_instructions: usize,
    /// Slots for loops whose slots are not at equal distances.
    pub(crate) tables: Arc<[u32]>,
    /// Temporaries in the array of values: those that several formulas, or other programs, read.
    pub(crate) in_memory: FxHashSet<Slot>,
}

/// A part of a plan.
#[derive(Debug)]
pub(crate) enum Item {
    /// One formula.
    Once(Range<usize>),
    /// Formulas of one shape.
    Loop(Loop),
}

/// Formulas of one shape: the first of them, and the slots of the others in place of its own.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) first: Range<usize>,
    pub(crate) count: usize,
    pub(crate) places: FxHashMap<Slot, MemberSlots>,
    /// The beginning of its table, and the number of slots of one iteration there.
    pub(crate) table: usize,
    pub(crate) columns: usize,
}

/// The slots that the members of a loop have in place of one slot of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MemberSlots {
    /// In the same slot, which the loop does not change.
    Same,
    /// At a fixed distance from one iteration to the next.
    Stride(i64),
    /// Those in this column of the table.
    Table(usize),
}

/// Least number of formulas that is worth a loop.
const SHORTEST_LOOP: usize = 4;
/// Least number of formulas with slots at equal distances that is a loop of its own, among others of their shape.
const LONG_PIECE: usize = 8;
/// Most loops into which formulas of one shape are split: beyond, a table takes less code.
const MOST_PIECES: usize = 64;

/// One formula.
struct Formula {
    range: Range<usize>,
    shape: u32,
    /// Its slots, but for temporaries of its own, in the order in which they are met.
    slots: Range<usize>,
    /// The first variable it computes.
    writes: u32,
}

impl Plan {
    /// The plan of a program; `values` holds its constants.
    pub(crate) fn new(program: &Program, values: &[f64]) -> Plan {
        let ranges = formulas(program);
        let in_memory = shared_temporaries(program, &ranges);
        let mut shapes =
            Shapes { program, values, in_memory: &in_memory, known: FxHashMap::default(), slots: Vec::new() };
        let formulas: Vec<Formula> = ranges.into_iter().map(|range| shapes.formula(range)).collect();
        let (n_shapes, slots) = (shapes.known.len(), shapes.slots);
        let order = match Dependencies::find(program, &formulas) {
            Some(dependencies) => dependencies.order(&formulas, n_shapes),
            None => (0..formulas.len() as u32).collect(),
        };
        let (mut items, mut tables) = (Vec::new(), Vec::new());
        for run in order.chunk_by(|&a, &b| formulas[a as usize].shape == formulas[b as usize].shape) {
            let members: Vec<&Formula> = run.iter().map(|&f| &formulas[f as usize]).collect();
            for piece in pieces(&members, &slots) {
                if piece.len() < SHORTEST_LOOP {
                    items.extend(piece.iter().map(|formula| Item::Once(formula.range.clone())));
                } else {
                    items.push(Item::Loop(make_loop(program, piece, &slots, &mut tables)));
                }
            }
        }
        let n_instructions = items.iter().map(Item::n_instructions).sum();
        Plan { items, n_instructions, tables: tables.into(), in_memory }
    }
}

impl Item {
    /// How many instructions are translated for it.
    pub(crate) fn n_instructions(&self) -> usize {
        match self {
            Item::Once(range) => range.len(),
            Item::Loop(one) => one.first.len(),
        }
    }
}

/// The formulas of a program, by their ends.
fn formulas(program: &Program) -> Vec<Range<usize>> {
    let mut ranges = Vec::with_capacity(program.cuts.len());
    let mut begin = 0;
    for end in program.cuts.iter().map(|&end| end as usize).chain([program.instructions.len()]) {
        if end > begin {
            ranges.push(begin..end);
            begin = end;
        }
    }
    ranges
}

/// Temporaries that are read outside of the formula that computes them.
fn shared_temporaries(program: &Program, formulas: &[Range<usize>]) -> FxHashSet<Slot> {
    let is_temporary = |slot: &Slot| slot.0 >= program.constants.end;
    let mut shared: FxHashSet<Slot> = program.results.iter().chain(&program.kept).copied().collect();
    let mut own: FxHashSet<Slot> = FxHashSet::default();
    for range in formulas {
        own.clear();
        for &instruction in &program.instructions[range.clone()] {
            let is_call = matches!(instruction, Instruction::Invoke { .. } | Instruction::Whole { .. });
            // calls take their operands from memory
            let read = program.reads(instruction).filter(is_temporary);
            shared.extend(read.filter(|slot| is_call || !own.contains(slot)));
            for slot in program.writes(instruction).filter(is_temporary) {
                own.insert(slot);
                if is_call {
                    shared.insert(slot);
                }
            }
        }
    }
    shared
}

/// Classifies formulas by shape.
struct Shapes<'a> {
    program: &'a Program,
    values: &'a [f64],
    in_memory: &'a FxHashSet<Slot>,
    known: FxHashMap<Vec<u32>, u32>,
    slots: Vec<Slot>,
}

/// First word of a shape that stands for a temporary of the formula itself.
const OWN: u32 = 1 << 30;
/// Mark of words of a shape that stand for constants.
const CONSTANT: u32 = 1 << 29;

impl Shapes<'_> {
    fn formula(&mut self, range: Range<usize>) -> Formula {
        let first_slot = self.slots.len();
        let mut words: Vec<u32> = Vec::new();
        let mut numbers: FxHashMap<Slot, u32> = FxHashMap::default();
        let (mut n_own, mut n_others) = (0, 0);
        let mut writes = u32::MAX;
        for at in range.clone() {
            let instruction = self.program.instructions[at];
            self.operation(instruction, at, range.start, &mut words);
            let slots = self.program.reads(instruction).chain(self.program.writes(instruction));
            for slot in slots {
                let number = *numbers.entry(slot).or_insert_with(|| {
                    if slot.0 >= self.program.constants.end && !self.in_memory.contains(&slot) {
                        n_own += 1;
                        OWN + n_own
                    } else {
                        self.slots.push(slot);
                        n_others += 1;
                        n_others | if self.program.is_constant(slot) { CONSTANT } else { 0 }
                    }
                });
                words.push(number);
            }
            let written = self.program.writes(instruction).find(|slot| slot.0 < self.program.constants.start);
            writes = writes.min(written.map_or(u32::MAX, |slot| slot.0));
        }
        let next = self.known.len() as u32;
        let shape = *self.known.entry(words).or_insert(next);
        Formula { range, shape, slots: first_slot..self.slots.len(), writes }
    }

    /// The operation of an instruction, without its slots.
    fn operation(&self, instruction: Instruction, at: usize, start: usize, words: &mut Vec<u32>) {
        let (kind, detail) = match instruction {
            Instruction::Copy { .. } => (0, 0),
            Instruction::Negate { .. } => (1, 0),
            Instruction::Binary { op, .. } => (2, op as u32),
            Instruction::Call { function, .. } => (3, function as u32),
            Instruction::Relation { relation, .. } => (4, relation as u32),
            Instruction::Not { .. } => (5, 0),
            Instruction::And { .. } => (6, 0),
            Instruction::Or { .. } => (7, 0),
            Instruction::JumpUnless { target, .. } => (8, target - start as u32),
            Instruction::Jump { target } => (9, target - start as u32),
            // each call is a shape of its own
            Instruction::Invoke { .. } => (10, at as u32),
            Instruction::Whole { .. } => (11, at as u32),
        };
        words.extend([kind, detail]);
        // a power that is multiplied out differs with its exponent
        if let Some(exponent) = known_exponent(self.program, instruction, self.values) {
            words.extend([exponent.to_bits() as u32, (exponent.to_bits() >> 32) as u32]);
        }
    }
}

/// The exponent of a power that is multiplied out.
pub(crate) fn known_exponent(program: &Program, instruction: Instruction, values: &[f64]) -> Option<f64> {
    match instruction {
        Instruction::Binary { op: rhei_equations::Binary::Pow, b, .. } if program.is_constant(b) => {
            Some(values[b.index()]).filter(|exponent| is_multiplied_out(*exponent))
        }
        _ => None,
    }
}

/// The dependencies between formulas.
struct Dependencies {
    /// Per formula, those that need it.
    needed_by: Vec<Vec<u32>>,
    /// Per formula, the number of formulas it needs.
    needs: Vec<u32>,
}

impl Dependencies {
    /// None if formulas must not be reordered: one reads a slot that a later one changes, or two change the same.
    fn find(program: &Program, formulas: &[Formula]) -> Option<Dependencies> {
        let mut writer: FxHashMap<Slot, u32> = FxHashMap::default();
        for (i, formula) in formulas.iter().enumerate() {
            for &instruction in &program.instructions[formula.range.clone()] {
                for slot in program.writes(instruction) {
                    if *writer.entry(slot).or_insert(i as u32) != i as u32 {
                        return None;
                    }
                }
            }
        }
        let mut needed_by = vec![Vec::new(); formulas.len()];
        let mut needs = vec![0; formulas.len()];
        let mut last_call: Option<u32> = None;
        for (i, formula) in formulas.iter().enumerate() {
            let mut before: Vec<u32> = Vec::new();
            let mut calls = false;
            for &instruction in &program.instructions[formula.range.clone()] {
                before.extend(program.reads(instruction).filter_map(|slot| writer.get(&slot).copied()));
                calls |= matches!(instruction, Instruction::Invoke { .. });
            }
            if calls {
                // functions may have a memory of their own
                before.extend(last_call);
                last_call = Some(i as u32);
            }
            before.retain(|&other| other != i as u32);
            before.sort_unstable();
            before.dedup();
            if before.last().is_some_and(|&last| last > i as u32) {
                return None;
            }
            needs[i] = before.len() as u32;
            before.into_iter().for_each(|other| needed_by[other as usize].push(i as u32));
        }
        Some(Dependencies { needed_by, needs })
    }

    /// An order in which formulas of one shape are adjacent as far as possible.
    fn order(mut self, formulas: &[Formula], n_shapes: usize) -> Vec<u32> {
        let shape = |f: u32| formulas[f as usize].shape as usize;
        // per shape, how many are not ready yet, and those that are
        let mut waiting = vec![0_u32; n_shapes];
        formulas.iter().for_each(|formula| waiting[formula.shape as usize] += 1);
        let mut ready: Vec<Vec<u32>> = vec![Vec::new(); n_shapes];
        // shapes of which all are ready come first, then whatever stands first in the program
        let mut complete: BinaryHeap<Reverse<(u32, usize)>> = BinaryHeap::new();
        let mut partial: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
        let mut order = Vec::with_capacity(formulas.len());
        let mut newly: Vec<u32> =
            (0..formulas.len() as u32).filter(|&f| self.needs[f as usize] == 0).collect();
        loop {
            for f in newly.drain(..) {
                let s = shape(f);
                ready[s].push(f);
                waiting[s] -= 1;
                if waiting[s] == 0 {
                    complete.push(Reverse((ready[s][0], s)));
                } else {
                    partial.push(Reverse(f));
                }
            }
            let next = match complete.pop() {
                Some(Reverse((_, s))) => Some(s),
                None => partial.pop().map(|Reverse(f)| shape(f)),
            };
            let Some(s) = next else { break };
            while !ready[s].is_empty() {
                let mut batch = std::mem::take(&mut ready[s]);
                // none of them needs another: in the order of their targets, slots are more often at equal distances
                batch.sort_unstable_by_key(|&f| (formulas[f as usize].writes, f));
                for &f in &batch {
                    for other in std::mem::take(&mut self.needed_by[f as usize]) {
                        self.needs[other as usize] -= 1;
                        if self.needs[other as usize] > 0 {
                            continue;
                        }
                        if shape(other) == s {
                            ready[s].push(other);
                            waiting[s] -= 1;
                        } else {
                            newly.push(other);
                        }
                    }
                }
                order.append(&mut batch);
            }
        }
        debug_assert_eq!(order.len(), formulas.len());
        order
    }
}

/// Formulas of one shape, split into runs whose slots are at equal distances, if these are long, and the formulas between them.
fn pieces<'m, 'f>(members: &'m [&'f Formula], slots: &[Slot]) -> Vec<&'m [&'f Formula]> {
    let long = LONG_PIECE.max(members.len() / MOST_PIECES);
    let distances = |i: usize| {
        let of = |i: usize| slots[members[i].slots.clone()].iter().map(|slot| i64::from(slot.0));
        of(i + 1).zip(of(i)).map(|(next, this)| next - this).collect::<Vec<i64>>()
    };
    let mut pieces = Vec::new();
    let (mut begin, mut at) = (0, 0);
    while at < members.len() {
        let mut end = at + 1;
        if end < members.len() {
            let first = distances(at);
            end += 1;
            while end < members.len() && distances(end - 1) == first {
                end += 1;
            }
        }
        if end - at >= long {
            pieces.extend((begin < at).then(|| &members[begin..at]));
            pieces.push(&members[at..end]);
            (begin, at) = (end, end);
        } else {
            // the last one may be the first of the next piece
            at = if end < members.len() { end - 1 } else { end };
        }
    }
    pieces.extend((begin < members.len()).then(|| &members[begin..]));
    pieces
}

fn make_loop(program: &Program, members: &[&Formula], slots: &[Slot], tables: &mut Vec<u32>) -> Loop {
    let first = members[0];
    let written: FxHashSet<Slot> = members
        .iter()
        .flat_map(|member| &program.instructions[member.range.clone()])
        .flat_map(|&instruction| program.writes(instruction))
        .collect();
    let mut places = FxHashMap::default();
    let mut columns: Vec<usize> = Vec::new();
    for (number, &slot) in slots[first.slots.clone()].iter().enumerate() {
        let of = |member: &Formula| i64::from(slots[member.slots.start + number].0);
        let stride = of(members[1]) - of(first);
        let place = if members.windows(2).all(|pair| of(pair[1]) - of(pair[0]) == stride) {
            if stride == 0 && !written.contains(&slot) {
                MemberSlots::Same
            } else {
                MemberSlots::Stride(stride)
            }
        } else {
            columns.push(number);
            MemberSlots::Table(columns.len() - 1)
        };
        places.insert(slot, place);
    }
    let table = tables.len();
    for member in members {
        tables.extend(columns.iter().map(|number| slots[member.slots.start + number].0));
    }
    Loop { first: first.range.clone(), count: members.len(), places, table, columns: columns.len() }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use rhei_equations::read;
    use rhei_solvable::Mode;
    use rhei_structure::make_solvable;

    use super::*;
    use crate::compile;

    /// The plan of the derivatives: how many formulas a part has, its strides, and columns of its table.
    fn planned(text: &str) -> Vec<(usize, Vec<i64>, usize)> {
        let (made, _) = make_solvable(&read(text).unwrap(), &Mode::default());
        let (equations, solvable) = made.unwrap();
        let code = compile(&equations, &solvable);
        let plan = Plan::new(code.dynamic.programs()[0], &code.new_values());
        let part = |item: &Item| match item {
            Item::Once(_) => (1, Vec::new(), 0),
            Item::Loop(one) => {
                let strides = one.places.values().filter_map(|place| match place {
                    MemberSlots::Stride(stride) => Some(*stride),
                    _ => None,
                });
                let mut strides: Vec<i64> = strides.collect();
                strides.sort_unstable();
                (one.count, strides, one.columns)
            }
        };
        plan.items.iter().map(part).collect()
    }

    #[test]
    fn flows_and_balances_of_a_rod_are_two_loops() {
        let mut text = String::from("model Rod\n");
        let declare = |text: &mut String, what: &dyn Fn(usize) -> String| {
            (0..10).for_each(|i| text.push_str(&what(i)));
        };
        declare(&mut text, &|i| format!("  unknown t{i}(start = 0, fixed)\n"));
        declare(&mut text, &|i| format!("  derivative der(t{i})\n"));
        declare(&mut text, &|i| format!("  unknown q{i}\n"));
        text.push_str("equation\n");
        for i in 0..10 {
            let left = if i > 0 { format!("q{}", i - 1) } else { "time".into() };
            let right = if i < 9 { format!("t{}", i + 1) } else { "1".into() };
            let _ = writeln!(text, "  der(t{i}) = 2*({left} - q{i})\n  q{i} = t{i} - {right}");
        }
        // q0 … q8, q9, t0 with the time instead of a flow, t1 … t9; all slots one further on with each turn but the factor
        let all = (9, vec![1, 1, 1], 0);
        let one = (1, Vec::new(), 0);
        assert_eq!(planned(&text), [all.clone(), one.clone(), one, all]);
    }

    #[test]
    fn unequal_distances_need_a_table() {
        let mut text = String::from("model Any\n");
        (0..8).for_each(|i| {
            let _ = writeln!(text, "  unknown x{i}(start = 0, fixed)");
        });
        (0..8).for_each(|i| {
            let _ = writeln!(text, "  derivative der(x{i})");
        });
        text.push_str("equation\n");
        (0..8).for_each(|i| {
            let _ = writeln!(text, "  der(x{i}) = sin(x{})", (i * 3 + 1) % 8);
        });
        assert_eq!(planned(&text), [(8, vec![1], 1)]);
    }
}
