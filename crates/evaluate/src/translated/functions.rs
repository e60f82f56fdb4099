//! The components of functions, and calls.

use rhei_flat::{Builtin, Expr, ExprKind, Function, FunctionId, Local, LocalId, LocalKind, Tables};

use super::TranslationTables;
use super::layout::{Element, Layout};
use super::program::{CallOp, Op, Routine, Slot};
use crate::Value;

/// The slots of a routine's arguments and results.
#[derive(Clone, Debug)]
pub struct Signature {
    function: FunctionId,
    /// Its inputs, in order.
    pub inputs: Vec<(Slot, Layout)>,
    /// Its outputs, in order.
    pub outputs: Vec<(Slot, Layout)>,
    /// Of all components.
    locals: Vec<(Slot, Layout)>,
}

impl Signature {
    /// The outputs left by a run; none if one is not assigned.
    pub(super) fn take_outputs(&self, frame: &[f64]) -> Option<Vec<Value>> {
        let output = |(at, layout): &(Slot, Layout)| {
            let numbers = &frame[*at as usize..*at as usize + layout.width()];
            let complete = numbers.iter().all(|x| !x.is_nan());
            complete.then(|| layout.put_together(&mut numbers.iter().copied()))
        };
        self.outputs.iter().map(output).collect()
    }
}

/// Most instructions of one function: longer ones are not worth their memory.
const MOST_OPS: usize = 100_000;
/// Most numbers in one frame: frames of nested calls share one stack of [`STACK`] numbers.
const LARGEST_FRAME: usize = 8_192;

/// Provisional first slot of constants, which lie behind everything else in a frame, until the size of that is known.
pub(super) const CONSTANTS: Slot = 1 << 30;

/// A value in the frame.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub(super) at: Slot,
    pub(super) layout: Layout,
}

/// A function during its translation to a routine. `None` anywhere means that it cannot be translated.
pub(super) struct Translator<'t> {
    pub(super) tables: &'t Tables,
    known: &'t mut TranslationTables,
    pub(super) ops: Vec<Op>,
    calls: Vec<CallOp>,
    constants: Vec<f64>,
    pub(super) locals: Vec<(Slot, Layout)>,
    /// The iterators of loops around.
    pub(super) iterators: Vec<(rhei_flat::IteratorId, Slot)>,
    /// The first free slot, and the first that has never been used.
    top: Slot,
    highest: Slot,
    /// The last place that a jump leads to.
    pub(super) label: usize,
    /// Jumps to the ends of the loops around, and to the end of the function.
    pub(super) breaks: Vec<Vec<usize>>,
    pub(super) returns: Vec<usize>,
}

/// Translates a function for arguments of these layouts, and all it calls.
pub(super) fn translate(
    known: &mut TranslationTables,
    id: FunctionId,
    arguments: &[Layout],
    tables: &Tables,
) -> Option<usize> {
    let (n_routines, of) = (known.routines.len(), known.of.clone());
    let first = declare(known, id, arguments, tables);
    let mut done = first;
    let mut next = n_routines;
    while done.is_some() && next < known.signatures.len() {
        done = body(known, next, tables);
        next += 1;
    }
    if done.is_none() {
        // routines declared in between may not have been translated
        known.routines.truncate(n_routines);
        known.signatures.truncate(n_routines);
        known.of = of;
        return None;
    }
    first
}

/// Reserves a place for the translation of a function.
fn declare(
    known: &mut TranslationTables,
    id: FunctionId,
    arguments: &[Layout],
    tables: &Tables,
) -> Option<usize> {
    let key = (id, arguments.to_vec());
    if let Some(routine) = known.of.get(&key) {
        return *routine;
    }
    let function = tables.function(id);
    if function.is_impure {
        return None;
    }
    let layouts = layouts(function, arguments, tables)?;
    let mut locals: Vec<(Slot, Layout)> = Vec::new();
    let mut top = 0;
    for layout in layouts {
        let at = top;
        top += u32::try_from(layout.width()).ok()?;
        locals.push((at, layout));
        if top as usize > LARGEST_FRAME {
            return None;
        }
    }
    let of_kind = |kind: LocalKind| {
        let pairs = function.locals.iter().zip(&locals).filter(move |(local, _)| local.kind == kind);
        pairs.map(|(_, place)| place.clone()).collect::<Vec<_>>()
    };
    let signature = Signature {
        function: id,
        inputs: of_kind(LocalKind::Input),
        outputs: of_kind(LocalKind::Output),
        locals,
    };
    let routine = known.signatures.len();
    known.signatures.push(signature);
    known.routines.push(Routine { n_locals: top as usize, ..Routine::default() });
    known.of.insert(key, Some(routine));
    Some(routine)
}

/// The layouts of all components, from those of the arguments.
fn layouts(function: &Function, arguments: &[Layout], tables: &Tables) -> Option<Vec<Layout>> {
    let mut given = arguments.iter();
    let is_input = |local: &Local| local.kind == LocalKind::Input;
    // arguments first: sizes of others may be theirs
    let mut layouts: Vec<Option<Layout>> = function
        .locals
        .iter()
        .map(|local| if is_input(local) { given.next().cloned() } else { None })
        .collect();
    for (i, local) in function.locals.iter().enumerate() {
        let declared =
            |dimension: usize| match (local.ty.sizes[dimension].known(), local.sizes.get(dimension)) {
                (Some(size), _) => Some(Some(size)),
                (None, Some(Some(e))) => {
                    let size = known_whole(e, &|id| layouts[id.0 as usize].as_ref())?;
                    Some(Some(usize::try_from(size).ok()?))
                }
                // that of the value it is declared with
                (None, _) => match &local.binding {
                    Some(binding) if local.kind != LocalKind::Input => {
                        Some(binding.ty.sizes.get(dimension)?.known())
                    }
                    _ => Some(None),
                },
            };
        let declared = (0..local.ty.dimensions()).map(declared).collect::<Option<Vec<_>>>()?;
        match &layouts[i] {
            Some(argument) => {
                let fits = |(declared, size): (&Option<usize>, &usize)| declared.is_none_or(|is| is == *size);
                declared.iter().zip(&argument.sizes).all(fits).then_some(())?;
            }
            None => {
                let sizes = declared.into_iter().collect::<Option<Vec<usize>>>()?;
                layouts[i] = Some(Layout::of(local.ty.scalar, sizes, tables)?);
            }
        }
    }
    layouts.into_iter().collect()
}

/// A whole number that follows from the sizes of components.
pub(super) fn known_whole<'l>(e: &Expr, layout_of: &dyn Fn(LocalId) -> Option<&'l Layout>) -> Option<i64> {
    use rhei_flat::Arithmetic as A;
    match &e.kind {
        ExprKind::Integer(i) => Some(*i),
        ExprKind::Negate(a) => known_whole(a, layout_of)?.checked_neg(),
        ExprKind::Arithmetic(op, a, b) => {
            let (a, b) = (known_whole(a, layout_of)?, known_whole(b, layout_of)?);
            match op {
                A::Add => a.checked_add(b),
                A::Subtract => a.checked_sub(b),
                A::Multiply => a.checked_mul(b),
                A::Divide | A::Power => None,
            }
        }
        ExprKind::Call(Builtin::Size, arguments) => {
            let [a, dimension] = arguments.as_slice() else { return None };
            let dimension = usize::try_from(known_whole(dimension, layout_of)?).ok()?.checked_sub(1)?;
            match (a.ty.sizes.get(dimension)?.known(), &a.kind) {
                (Some(size), _) => i64::try_from(size).ok(),
                (None, ExprKind::Local(local)) => {
                    i64::try_from(*layout_of(*local)?.sizes.get(dimension)?).ok()
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Translates the body of a declared routine.
fn body(known: &mut TranslationTables, routine: usize, tables: &Tables) -> Option<usize> {
    let Signature { function, locals, mut outputs, .. } = known.signatures[routine].clone();
    outputs.retain(|(_, layout)| matches!(layout.element, Element::Record(..)));
    let function = tables.function(function);
    let n_locals = known.routines[routine].n_locals;
    let mut translator = Translator {
        tables,
        known,
        ops: Vec::new(),
        calls: Vec::new(),
        constants: Vec::new(),
        locals,
        iterators: Vec::new(),
        top: n_locals as u32,
        highest: n_locals as u32,
        label: 0,
        breaks: Vec::new(),
        returns: Vec::new(),
    };
    translator.first_values(function)?;
    match &function.external {
        Some(external) => translator.external(external)?,
        None => translator.statements(&function.body)?,
    }
    translator.bind_returns();
    let made = translator.finish(n_locals, outputs)?;
    known.routines[routine] = made;
    Some(routine)
}

impl Translator<'_> {
    /// The values that components are declared with, those that others depend on first (MLS §12.4.4).
    fn first_values(&mut self, function: &Function) -> Option<()> {
        let mut waiting: Vec<usize> = (0..function.locals.len())
            .filter(|&i| function.locals[i].kind != LocalKind::Input && function.locals[i].binding.is_some())
            .collect();
        while !waiting.is_empty() {
            let ready = waiting.iter().position(|&i| {
                let mut needs_none = true;
                function.locals[i].binding.as_ref().into_iter().for_each(|binding| {
                    binding.walk(&mut |e| {
                        if let ExprKind::Local(local) = e.kind {
                            needs_none &= !waiting.contains(&(local.0 as usize));
                        }
                    });
                });
                needs_none
            })?;
            let i = waiting.remove(ready);
            let value = self.expression(function.locals[i].binding.as_ref()?)?;
            let (at, layout) = self.locals[i].clone();
            if value.layout.sizes == layout.sizes {
                self.copy(at, &value);
            } else if value.layout.sizes.is_empty() {
                // one value for all elements
                (0..layout.count()).for_each(|k| self.copy(at + (k * layout.element_width()) as u32, &value));
            } else {
                return None;
            }
            self.forget_temporaries();
        }
        Some(())
    }

    /// A function of the language under another name (MLS §12.9).
    fn external(&mut self, external: &rhei_flat::External) -> Option<()> {
        if external.language != "builtin" {
            return None;
        }
        let (builtin, target) = (Builtin::named(&external.name)?, external.result.as_ref()?);
        let kind = ExprKind::Call(builtin, external.arguments.clone());
        let call = Expr { kind, ty: target.ty.clone(), span: external.span };
        self.assign(target, &call)
    }

    /// A call; the places of its outputs.
    pub(super) fn call(&mut self, id: FunctionId, arguments: &[Expr]) -> Option<Vec<Operand>> {
        let operands = arguments.iter().map(|e| self.expression(e)).collect::<Option<Vec<Operand>>>()?;
        self.call_with(id, operands)
    }

    /// A call through a component that holds a function.
    pub(super) fn call_local(&mut self, local: LocalId, arguments: &[Expr]) -> Option<Vec<Operand>> {
        let (id, mut given) = self.held(local)?;
        let mut arguments = arguments.iter();
        let mut operands = Vec::new();
        for place in 0..self.tables.function(id).inputs().count() as u32 {
            operands.push(match given.iter().position(|(taken, _)| *taken == place) {
                Some(known) => given.swap_remove(known).1,
                None => self.expression(arguments.next()?)?,
            });
        }
        arguments.next().is_none().then_some(())?;
        self.call_with(id, operands)
    }

    /// The function that a component holds, and the inputs it is given.
    pub(super) fn held(&self, local: LocalId) -> Option<(FunctionId, Vec<(u32, Operand)>)> {
        let (at, layout) = self.locals.get(local.0 as usize)?;
        let Element::Function(id, layouts) = &layout.element else { return None };
        let mut at = *at;
        let mut given = Vec::new();
        for (place, layout) in layouts {
            given.push((*place, Operand { at, layout: layout.clone() }));
            at += layout.width() as u32;
        }
        Some((*id, given))
    }

    fn call_with(&mut self, id: FunctionId, operands: Vec<Operand>) -> Option<Vec<Operand>> {
        let function = self.tables.function(id);
        if function.inputs().count() != operands.len() {
            return None;
        }
        let mut layouts = Vec::new();
        for ((_, input), operand) in function.inputs().zip(&operands) {
            if operand.layout.sizes.len() != input.ty.dimensions() {
                return None;
            }
            layouts.push(operand.layout.handed_over(input.ty.scalar, self.tables)?);
        }
        let routine = declare(self.known, id, &layouts, self.tables)?;
        let Signature { inputs, outputs, .. } = self.known.signatures[routine].clone();
        let passed = operands.iter().zip(&inputs);
        let arguments = passed.map(|(from, (to, layout))| (from.at, *to, layout.width() as u32)).collect();
        let mut results = Vec::new();
        let mut found = Vec::new();
        for (from, layout) in outputs {
            let to = self.temporary(&layout)?;
            results.push((from, to.at, layout.width() as u32));
            found.push(to);
        }
        let call = self.calls.len() as u32;
        self.calls.push(CallOp { routine, arguments, results });
        self.ops.push(Op::Call(call));
        Some(found)
    }

    /// Reserves a temporary.
    pub(super) fn temporary(&mut self, layout: &Layout) -> Option<Operand> {
        let at = self.top;
        self.top += u32::try_from(layout.width()).ok()?;
        self.highest = self.highest.max(self.top);
        let fits = self.highest as usize <= LARGEST_FRAME && self.ops.len() < MOST_OPS;
        fits.then(|| Operand { at, layout: layout.clone() })
    }

    /// Frees the temporaries of a statement; the iterators of loops remain.
    pub(super) fn forget_temporaries(&mut self) {
        let kept = self.iterators.iter().map(|(_, slot)| slot + LOOP_SLOTS).max().unwrap_or(0);
        let locals = self.locals.iter().map(|(at, layout)| at + layout.width() as u32).max().unwrap_or(0);
        self.top = kept.max(locals);
    }

    /// The slot of constants.
    pub(super) fn constants(&mut self, numbers: &[f64]) -> Option<Slot> {
        if let [number] = numbers
            && let Some(place) = self.constants.iter().position(|known| known.to_bits() == number.to_bits())
        {
            return Some(CONSTANTS + place as u32);
        }
        let at = self.constants.len();
        self.constants.extend(numbers);
        (self.constants.len() <= LARGEST_FRAME && !numbers.iter().any(|x| x.is_nan()))
            .then_some(CONSTANTS + at as u32)
    }

    pub(super) fn copy(&mut self, to: Slot, from: &Operand) {
        let n = from.layout.width() as u32;
        if n > 0 {
            self.ops.push(Op::Copy(to, from.at, n));
        }
    }

    /// All constants take their places.
    fn finish(mut self, n_locals: usize, records: Vec<(Slot, Layout)>) -> Option<Routine> {
        let first = self.highest;
        let moved = |slot: &mut Slot| {
            if *slot >= CONSTANTS {
                *slot = *slot - CONSTANTS + first;
            }
        };
        self.ops.iter_mut().for_each(|op| op.slots_mut().into_iter().for_each(moved));
        self.calls.iter_mut().for_each(|call| call.arguments.iter_mut().for_each(|(from, ..)| moved(from)));
        let fits = self.ops.len() < MOST_OPS;
        fits.then_some(Routine {
            ops: self.ops,
            calls: self.calls,
            n_locals,
            constants: self.constants,
            first_constant: first as usize,
            records,
        })
    }
}

/// Slots of a loop: its iterator, the last value, and the step.
pub(super) const LOOP_SLOTS: u32 = 3;
