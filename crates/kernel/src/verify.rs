//! The invariants of [`Code`], checked: all by which the interpreter, machine code and those who read values index.
//!
//! - every slot is inside of the array of values; variables stand first, then time, then constants, then temporaries;
//! - no program writes time or constants;
//! - jumps go forward, and to an instruction or to the end; formulas and targets end in order, within the program;
//! - a call or an arithmetic of whole numbers that an instruction names is there; the numbers of a call's operands and results are as many as
//!   its arguments and results are made of; functions and types are among the tables;
//! - a loop has a residual for each guess, and with each its cause; values that are looked at are as many as what they are of;
//! - in debug builds also: temporaries are written on every way before they are read.
//!
//! Machine code looks at no index while it runs. What it relies on is what [`Program::verify`] checks, which is done where it is made, whatever the
//! build and wherever the program comes from. All else is indexed in safe code: there a broken invariant would be a panic.

use std::ops::Range;

use rhei_equations::{Equations, Shape, VarId};
use rhei_flat::{Scalar, Tables};
use rhei_solvable::{Jacobian, Solvable};
use rhei_source::Violation;
use rustc_hash::FxHashMap;

use crate::code::Code;
use crate::functions::CallSite;
use crate::program::{Instruction, Program, Slot};
use crate::routine::{Iteration, Routine, Step};

fn violation(what: String) -> Result<(), Violation> {
    Err(Violation(what))
}

impl Code {
    /// The first invariant of the module's list that does not hold. It takes a few operations an instruction, and looks at what is in the code
    /// only, so that code from outside may be anything.
    pub fn verify(&self) -> Result<(), Violation> {
        let extent = Extent::of(self)?;
        let parts = self.parts();
        for program in &parts.programs {
            extent.program(program)?;
        }
        for watch in &parts.watches {
            extent.program(&watch.program)?;
            extent.slots(&watch.slots)?;
        }
        for routine in &parts.routines {
            extent.routine(routine)?;
        }
        let sides = self.surplus.of.iter().chain(self.freed.iter().flat_map(|(_, surplus)| &surplus.of));
        let pairs = sides.map(|sides| [sides.lhs, sides.rhs]);
        let pairs = pairs.chain(self.samples.of.iter().map(|times| [times.start, times.interval]));
        let mut pairs = pairs.chain(self.reinits.of.iter().map(|set| [set.active, set.value]));
        pairs.try_for_each(|pair| extent.slots(&pair))?;
        for delay in &self.past.delays {
            extent.slots(&[delay.input, delay.most, delay.by])?;
        }
        for transport in &self.past.transports {
            extent.slots(&transport.inflows)?;
            extent.slots(&[transport.is_forward, transport.moved])?;
            extent.slots(&transport.points)?;
            extent.slots(&transport.values)?;
        }
        for &(v, slot) in self.given_nominals() {
            extent.variables([v])?;
            extent.slots(&[slot])?;
        }
        extent.variables(self.bounded.iter().map(|&(v, _)| v))?;
        as_many("ends of ranges", self.bounds.slots.len(), self.bounded.len())
    }

    /// Whether the code is that of these equations, in the sense that there is a value for each thing that one is looked up for.
    pub fn verify_for(&self, equations: &Equations, solvable: &Solvable) -> Result<(), Violation> {
        as_many("variables", self.time().index(), equations.variables.len())?;
        let events = &equations.events;
        let watches = [
            ("guards", &self.guards, equations.guards.len()),
            ("crossings", &self.crossings, events.crossings.len()),
            ("terminations", &self.terminations, events.terminations.len()),
            ("asserts", &self.asserts, equations.asserts.len()),
            ("effects", &self.effects, events.effects.len()),
            ("impulses", &self.impulses, solvable.impulses.factors().count()),
        ];
        for (what, watch, n) in watches {
            as_many(what, watch.slots.len(), n)?;
        }
        as_many("surplus conditions", self.surplus.of.len(), solvable.surplus.len())?;
        let freed = self.freed.as_ref().map_or(0, |(_, surplus)| surplus.of.len());
        as_many("freed conditions", freed, solvable.freed.as_ref().map_or(0, |freed| freed.surplus.len()))?;
        if self.freed.is_some() != solvable.freed.is_some()
            || self.on_the_way.is_some() != solvable.on_the_way.is_some()
            || self.written.is_some() != solvable.written.is_some()
        {
            return violation("the initial problems are those of another model".into());
        }
        as_many("samples", self.samples.of.len(), events.samples.len())?;
        as_many("reinits", self.reinits.of.len(), events.reinits.len())?;
        as_many("delays", self.past.delays.len(), events.delays.len())?;
        as_many("transports", self.past.transports.len(), events.transports.len())?;
        as_many("terms of crossings", self.terms_of_crossings.len(), events.crossings.len())?;
        as_many("arguments", self.arguments.len(), events.effects.len())?;
        as_many("messages", self.messages.len(), equations.asserts.len() + events.terminations.len())?;
        as_many("state sets", self.sets.len(), solvable.sets.len())?;
        as_many("manifolds", self.manifolds.len(), solvable.sets.len())?;
        for ((set, watch), manifold) in solvable.sets.iter().zip(&self.sets).zip(&self.manifolds) {
            let entries = |rows: &Jacobian| -> usize { rows.iter().map(Vec::len).sum() };
            as_many("derivatives of a set", watch.slots.len(), entries(&set.jacobian))?;
            as_many("residuals of a set", manifold.residual.slots.len(), set.manifold.residuals.len())?;
            let of_manifold = entries(&set.manifold.jacobian);
            as_many("derivatives of a manifold", manifold.jacobian.slots.len(), of_manifold)?;
        }
        as_many("assumptions", self.assumptions.len(), solvable.assumptions.len())?;
        for (assumption, watch) in solvable.assumptions.iter().zip(&self.assumptions) {
            let entries = assumption.jacobian.iter().map(Vec::len).sum();
            as_many("derivatives of an assumption", watch.slots.len(), entries)?;
        }
        as_many("segments", self.tick.len(), solvable.tick.len())?;
        as_many("segments of the first tick", self.first_tick.len(), solvable.first_tick.len())?;
        let written = (self.first_tick_written.len(), solvable.first_tick_written.len());
        as_many("segments of the first tick with written start values", written.0, written.1)
    }

    /// Whether temporaries are written on every way before they are read: a mistake here is a wrong number, and it takes longer to find.
    pub(crate) fn verify_order(&self) -> Result<(), Violation> {
        let extent = Extent::of(self)?;
        let parts = self.parts();
        let watched = parts.watches.iter().map(|watch| &watch.program);
        let of_routines = parts.routines.iter().flat_map(|routine| routine.programs());
        let mut programs = parts.programs.iter().copied().chain(watched).chain(of_routines);
        programs.try_for_each(|program| program.verify_order(extent.n_slots, extent.constants.end as usize))
    }
}

fn as_many(what: &str, found: usize, wanted: usize) -> Result<(), Violation> {
    if found == wanted { Ok(()) } else { violation(format!("{found} {what} instead of {wanted}")) }
}

/// Where everything is that programs speak of.
struct Extent<'a> {
    time: Slot,
    constants: Range<u32>,
    n_slots: usize,
    tables: &'a Tables,
}

impl<'a> Extent<'a> {
    fn of(code: &'a Code) -> Result<Extent<'a>, Violation> {
        let (n_slots, first_temporary) = code.sizes();
        let time = code.time();
        if time.index() >= first_temporary || first_temporary > n_slots || n_slots > u32::MAX as usize {
            let time = time.0;
            violation(format!("time in slot {time}, temporaries from {first_temporary} to {n_slots}"))?;
        }
        let constants = time.0 + 1..first_temporary as u32;
        Ok(Extent { time, constants, n_slots, tables: &code.functions })
    }

    fn slots(&self, slots: &[Slot]) -> Result<(), Violation> {
        match slots.iter().find(|slot| slot.index() >= self.n_slots) {
            Some(slot) => violation(format!("slot {} of {}", slot.0, self.n_slots)),
            None => Ok(()),
        }
    }

    fn variables(&self, variables: impl IntoIterator<Item = VarId>) -> Result<(), Violation> {
        match variables.into_iter().find(|v| v.0 >= self.time.0) {
            Some(v) => violation(format!("variable {} of {}", v.0, self.time.0)),
            None => Ok(()),
        }
    }

    fn routine(&self, routine: &Routine) -> Result<(), Violation> {
        routine.steps.iter().try_for_each(|step| match step {
            Step::Run(program) => self.program(program),
            Step::Iterate(iteration) => self.iteration(iteration),
            Step::Settle(settling) => {
                self.variables(settling.held.iter().copied())?;
                self.routine(&settling.turn)
            }
        })
    }

    fn iteration(&self, iteration: &Iteration) -> Result<(), Violation> {
        let Iteration { guessed, program, residuals, because, factors, balance, inputs, id: _ } = iteration;
        self.program(program)?;
        self.variables(guessed.iter().copied())?;
        [residuals, balance, inputs].into_iter().chain(factors).try_for_each(|slots| self.slots(slots))?;
        as_many("residuals of a loop", residuals.len(), guessed.len())?;
        as_many("causes of residuals", because.len(), residuals.len())?;
        match balance.len() > guessed.len() {
            true => violation("a loop balances more than it guesses".into()),
            false => Ok(()),
        }
    }

    fn program(&self, program: &Program) -> Result<(), Violation> {
        if program.constants != self.constants {
            return violation(format!("constants in {:?}, not in {:?}", program.constants, self.constants));
        }
        program.verify(self.n_slots)?;
        self.variables(program.targets())?;
        if program
            .instructions
            .iter()
            .any(|&instruction| program.writes(instruction).any(|to| to == self.time))
        {
            return violation("a program writes the time".into());
        }
        program.calls.iter().try_for_each(|site| self.call(site))
    }

    /// Whether the numbers of a call go together with the function and its types.
    fn call(&self, site: &CallSite) -> Result<(), Violation> {
        let Some(function) = self.tables.functions.get(site.function.0 as usize) else {
            return violation(format!("function {} is not there", site.function.0));
        };
        if site.arguments.len() > function.inputs().count() {
            return violation(format!("a call of {} has too many arguments", function.name));
        }
        site.arguments.iter().chain(&site.results).try_for_each(|shape| self.shape(shape))?;
        let count = |shapes: &[Shape]| shapes.iter().map(Shape::count).sum::<usize>();
        let (operands, taken) = (site.operands.len(), count(&site.arguments));
        // a difference has the changes of its operands, too
        if site.is_difference && (operands < 2 * taken || operands % 2 == 1) {
            return violation(format!("a difference of {taken} numbers has {operands} operands"));
        }
        if !site.is_difference {
            as_many("operands of a call", operands, taken)?;
        }
        as_many("numbers that a call comes to", count(&site.results), site.n_results())
    }

    fn shape(&self, shape: &Shape) -> Result<(), Violation> {
        let is_record = |id: rhei_flat::RecordId| (id.0 as usize) < self.tables.records.len();
        let is_there = |scalar: &Scalar| match *scalar {
            Scalar::Enumeration(id) => (id.0 as usize) < self.tables.enumerations.len(),
            Scalar::Record(id) | Scalar::ExternalObject(id) => is_record(id),
            _ => true,
        };
        let (fits, parts): (bool, &[Shape]) = match shape {
            Shape::Numbers { scalar, sizes: _ } => (is_there(scalar), &[]),
            Shape::Text(_) => (true, &[]),
            Shape::Record(id, parts) => {
                let fields = self.tables.records.get(id.0 as usize).map(|record| record.fields.len());
                (fields == Some(parts.len()), parts)
            }
            Shape::List { scalar, sizes, elements } => {
                (is_there(scalar) && sizes.iter().product::<usize>() == elements.len(), elements)
            }
            Shape::Function(id, given) => {
                let n_inputs = self.tables.functions.get(id.0 as usize).map(|of| of.inputs().count());
                let fits = |place: &u32| n_inputs.is_some_and(|n| (*place as usize) < n);
                if !given.iter().all(|(place, _)| fits(place)) || n_inputs.is_none() {
                    return violation(format!("function {} is not there, or has other inputs", id.0));
                }
                return given.iter().try_for_each(|(_, part)| self.shape(part));
            }
        };
        if !fits {
            return violation("the type of an argument or a result is not there".into());
        }
        parts.iter().try_for_each(|part| self.shape(part))
    }
}

impl Program {
    /// Checks all by which it is indexed, for an array of so many values: slots, the sites that instructions name, jumps, and where formulas and targets
    /// end.
    pub(crate) fn verify(&self, n_slots: usize) -> Result<(), Violation> {
        let n = self.instructions.len();
        as_many("expressions of instructions", self.expressions.len(), n)?;
        if self.constants.end as usize > n_slots {
            return violation(format!("constants up to {}, beyond the {n_slots} slots", self.constants.end));
        }
        for (site, call) in self.calls.iter().enumerate() {
            let written = u64::from(call.first.0) + u64::from(call.count) * (1 + u64::from(call.has_rests));
            let are_placed = |places: &Vec<usize>| places.iter().all(|&place| place < call.count as usize);
            let are_rests = call.rests.iter().all(|rest| rest.place < call.operands.len());
            if written > n_slots as u64 || !call.places.as_ref().is_none_or(are_placed) || !are_rests {
                return violation(format!("call {site} has results or operands that are not there"));
            }
        }
        for (i, &instruction) in self.instructions.iter().enumerate() {
            let is_there = match instruction {
                Instruction::Invoke { site } => (site as usize) < self.calls.len(),
                Instruction::Whole { site, .. } => (site as usize) < self.wholes.len(),
                _ => true,
            };
            if !is_there {
                return violation(format!("instruction {i} is a call that is not there"));
            }
            if let Some(slot) = self.reads(instruction).find(|slot| slot.index() >= n_slots) {
                return violation(format!("instruction {i} reads slot {} of {n_slots}", slot.0));
            }
            let is_writable = |slot: &Slot| slot.index() < n_slots && !self.is_constant(*slot);
            if let Some(slot) = self.writes(instruction).find(|slot| !is_writable(slot)) {
                return violation(format!("instruction {i} writes slot {} of {n_slots}", slot.0));
            }
            if let Some(target) = instruction.target().map(|target| target as usize)
                && (target <= i || target > n)
            {
                return violation(format!("instruction {i} jumps to {target}"));
            }
        }
        let ends = self.targets.iter().map(|&(_, end)| end);
        if !ends.clone().is_sorted() || ends.chain(self.cuts.iter().copied()).any(|end| end as usize > n) {
            return violation("targets or formulas end beyond the program, or in no order".into());
        }
        if !self.cuts.is_sorted() {
            return violation("formulas end in no order".into());
        }
        let read = self.results.iter().chain(&self.kept).map(|slot| slot.index());
        match read.chain(self.targets().map(VarId::index)).find(|&slot| slot >= n_slots) {
            Some(slot) => violation(format!("slot {slot} of {n_slots} is looked at")),
            None => Ok(()),
        }
    }

    /// See [`Code::verify_order`]; `temporaries` is the first temporary.
    fn verify_order(&self, n_slots: usize, temporaries: usize) -> Result<(), Violation> {
        // the temporaries written on every way to the current instruction; `None` where no way leads
        let mut written = Some(vec![0_u64; (n_slots - temporaries).div_ceil(64)]);
        // the same for instructions that jumps lead to
        let mut at_target: FxHashMap<usize, Vec<u64>> = FxHashMap::default();
        let place = |slot: Slot| slot.index().checked_sub(temporaries).map(|bit| (bit / 64, 1 << (bit % 64)));
        for (i, &instruction) in self.instructions.iter().enumerate() {
            written = meet(written, at_target.remove(&i));
            let Some(now) = &mut written else { continue };
            for slot in self.reads(instruction) {
                if place(slot).is_some_and(|(word, bit)| now[word] & bit == 0) {
                    return violation(format!(
                        "instruction {i} reads slot {}, which is not written yet",
                        slot.0
                    ));
                }
            }
            for (word, bit) in self.writes(instruction).filter_map(place) {
                now[word] |= bit;
            }
            if let Some(target) = instruction.target() {
                let target = target as usize;
                let merged = meet(at_target.remove(&target), Some(now.clone()));
                at_target.extend(merged.map(|merged| (target, merged)));
            }
            if matches!(instruction, Instruction::Jump { .. }) {
                written = None;
            }
        }
        Ok(())
    }
}

/// What is written on both ways.
fn meet(one: Option<Vec<u64>>, other: Option<Vec<u64>>) -> Option<Vec<u64>> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one.iter_mut().zip(&other).for_each(|(a, b)| *a &= b);
            Some(one)
        }
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rhei_equations::read;
    use rhei_flat::FunctionId;
    use rhei_solvable::Mode;
    use rhei_structure::make_solvable;

    use super::*;
    use crate::machine::{Effort, Machine, Plan};

    /// A choice, a loop, and constants.
    fn code() -> Code {
        let text = "model M\n  unknown x(start = 1, fixed)\n  derivative der(x)\n  unknown y\n  unknown z\nequation\n  \
                    der(x) = if x > 2 then sin(y) + 1 else cos(z)\n  y^3 + z = x\n  exp(y) - z^3 = 2*x\n";
        let (made, diagnostics) = make_solvable(&read(text).unwrap(), &Mode::default());
        let (equations, solvable) = made.unwrap_or_else(|| panic!("{diagnostics:?}"));
        crate::compile(&equations, &solvable)
    }

    /// The formulas of the dynamic part.
    fn formulas(code: &mut Code) -> &mut Program {
        let mut programs = code.dynamic.steps.iter_mut().filter_map(|step| match step {
            Step::Run(program) => Some(program),
            _ => None,
        });
        programs.next_back().unwrap()
    }

    fn iteration(code: &mut Code) -> &mut Iteration {
        let found = code.dynamic.steps.iter_mut().find_map(|step| match step {
            Step::Iterate(iteration) => Some(iteration),
            _ => None,
        });
        found.unwrap()
    }

    fn jump(program: &mut Program) -> &mut u32 {
        let found = program.instructions.iter_mut().find_map(|instruction| match instruction {
            Instruction::JumpUnless { target, .. } => Some(target),
            _ => None,
        });
        found.unwrap()
    }

    fn call(first: u32, count: u32) -> CallSite {
        CallSite {
            function: FunctionId(0),
            arguments: Vec::new(),
            results: Vec::new(),
            operands: Vec::new(),
            rests: Vec::new(),
            first: Slot(first),
            count,
            has_rests: false,
            places: None,
            is_difference: false,
            native: Arc::default(),
        }
    }

    #[test]
    fn whatever_is_indexed_by_is_looked_at() {
        type Spoil = fn(&mut Code);
        let spoiled: [(Spoil, &str); 17] = [
            (
                |code| formulas(code).instructions[0] = Instruction::Negate { to: Slot(1), a: Slot(900) },
                "reads slot 900",
            ),
            (
                |code| formulas(code).instructions[0] = Instruction::Negate { to: Slot(900), a: Slot(1) },
                "writes slot 900",
            ),
            (
                |code| {
                    let to = Slot(formulas(code).constants.start);
                    formulas(code).instructions[0] = Instruction::Negate { to, a: Slot(1) };
                },
                "writes slot 5",
            ),
            (
                |code| {
                    let to = code.time();
                    formulas(code).instructions[0] = Instruction::Negate { to, a: Slot(1) };
                },
                "writes the time",
            ),
            (
                |code| formulas(code).instructions[0] = Instruction::Invoke { site: 0 },
                "is a call that is not there",
            ),
            (|code| *jump(formulas(code)) = 0, "jumps to 0"),
            (|code| *jump(formulas(code)) = 900, "jumps to 900"),
            (|code| formulas(code).expressions.truncate(1), "1 expressions of instructions"),
            (|code| formulas(code).cuts.push(900), "end beyond the program"),
            (|code| formulas(code).targets.push((VarId(900), 1)), "in no order"),
            (|code| formulas(code).constants.end += 900, "constants in"),
            (|code| formulas(code).calls.push(call(900, 1)), "call 0 has results"),
            (|code| formulas(code).calls.push(call(0, 0)), "function 0 is not there"),
            (|code| iteration(code).residuals.clear(), "0 residuals of a loop instead of"),
            (|code| iteration(code).guessed[0] = VarId(4), "variable 4 of 4"),
            (|code| code.guards.slots.push(Slot(900)), "slot 900"),
            (|code| code.bounded.push((VarId(0), crate::Bound::Min)), "0 ends of ranges instead of 1"),
        ];
        assert_eq!(code().verify(), Ok(()));
        for (spoil, wanted) in spoiled {
            let mut code = code();
            spoil(&mut code);
            let said = code.verify().expect_err(wanted).to_string();
            assert!(said.contains(wanted), "{said}, not {wanted}");
        }
    }

    #[test]
    fn no_machine_code_is_made_of_what_has_no_place_in_the_values() {
        let mut code = code();
        let values = code.new_values();
        let make = |program: &Program| {
            Machine::new(program, &Plan::new(program, &values), &values, false, Effort::Fast).is_some()
        };
        let is_possible = make(formulas(&mut code));
        formulas(&mut code).instructions[0] = Instruction::Negate { to: Slot(900), a: Slot(1) };
        assert!(!make(formulas(&mut code)));
        // nothing is made at all on a machine that Cranelift does not know
        assert!(is_possible || cfg!(not(any(target_arch = "x86_64", target_arch = "aarch64"))));
    }

    #[test]
    fn the_code_of_another_model_is_found() {
        let text = "model M\n  unknown x(start = 1, fixed)\n  derivative der(x)\nequation\n  der(x) = -x\n";
        let (made, _) = make_solvable(&read(text).unwrap(), &Mode::default());
        let (equations, solvable) = made.unwrap();
        let said = code().verify_for(&equations, &solvable).unwrap_err().to_string();
        assert_eq!(said, "4 variables instead of 2");
    }
}
