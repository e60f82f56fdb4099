//! Functions of numbers, translated once and run many times.
//!
//! In a run the same functions are called again and again, with arguments of the same sizes. A function is translated to a
//! short program on one array of numbers if all it does is to calculate with numbers, Booleans, and arrays and records of
//! them. Their sizes must follow from those of its arguments. Other functions (texts, external code, sizes that depend on
//! numbers) stay with the interpreter, and so does every call with an exceptional case: the program gives up and the
//! interpreter starts anew, to fail with the right message or to succeed all the same.
//!
//! | file | what |
//! |---|---|
//! | `layout` | how values lie in memory |
//! | `program` | instructions, and how they run |
//! | `functions` | components of functions, calls |
//! | `statements`, `expressions`, `places` | what they are translated to |

mod expressions;
mod functions;
mod layout;
mod places;
mod program;
mod statements;
mod verify;

use std::cell::RefCell;

use rhei_flat::{FunctionId, Tables};
use rustc_hash::FxHashMap;

use crate::Value;
use functions::translate;
use program::{Limits, STACK};

pub use functions::Signature;
pub use layout::{Element, LARGEST_WHOLE, Layout};
pub use program::{CallOp, Op, Routine, Slot};

/// Most iterations of loops and calls in one call; beyond, the interpreter refuses the call.
const MOST_STEPS: u64 = 20_000_000;

/// Failed calls after which a translation that fails more often than not is no longer tried.
const MOST_IN_VAIN: u32 = 100;

/// The translations of the functions of a model, made as they are called.
#[derive(Debug, Default)]
pub struct Translations(RefCell<TranslationTables>);

#[derive(Debug, Default)]
struct TranslationTables {
    routines: Vec<Routine>,
    signatures: Vec<Signature>,
    /// By function and the layouts of its arguments; `None` for what cannot be translated.
    of: FxHashMap<(FunctionId, Vec<Layout>), Option<usize>>,
    used: FxHashMap<usize, Used>,
    stack: Vec<f64>,
}

#[derive(Debug, Default)]
struct Used {
    well: u32,
    in_vain: u32,
}

/// A function translated for arguments of certain sizes, with all it calls, for a faster back end.
#[derive(Debug)]
pub struct Translated {
    /// The function itself is the first.
    pub routines: Vec<Routine>,
    /// The slots of their arguments and results.
    pub signatures: Vec<Signature>,
}

impl Translated {
    /// Translates a function; none if only the interpreter can run it.
    pub fn new(id: FunctionId, arguments: &[Argument], tables: &Tables) -> Option<Translated> {
        if tables.function(id).inputs().count() != arguments.len() {
            return None;
        }
        let layouts = (0..).zip(arguments).map(|(place, argument)| argument.layout(id, place, tables));
        let layouts = layouts.collect::<Option<Vec<Layout>>>()?;
        let mut known = TranslationTables::default();
        translate(&mut known, id, &layouts, tables).filter(|first| *first == 0)?;
        Some(Translated { routines: known.routines, signatures: known.signatures })
    }
}

/// An argument, as far as it is known before the run.
#[derive(Clone, Debug)]
pub enum Argument {
    /// The sizes of a numeric value; none for a scalar.
    Numbers(Vec<usize>),
    /// A function, with its given inputs by their indices.
    Function(FunctionId, Vec<(u32, Argument)>),
}

impl Argument {
    /// Its layout, as the input of a function at this index.
    fn layout(&self, function: FunctionId, place: u32, tables: &Tables) -> Option<Layout> {
        let input = tables.function(function).inputs().nth(place as usize)?.1;
        match self {
            Argument::Numbers(sizes) if sizes.len() == input.ty.dimensions() => {
                Layout::of(input.ty.scalar, sizes.clone(), tables)
            }
            Argument::Numbers(_) => None,
            Argument::Function(id, given) => {
                let given =
                    given.iter().map(|(place, part)| Some((*place, part.layout(*id, *place, tables)?)));
                let element = Element::Function(*id, given.collect::<Option<_>>()?);
                Some(Layout { element, sizes: Vec::new() })
            }
        }
    }
}

impl Translations {
    /// The outputs of a function; none if only the interpreter can run it.
    pub(crate) fn call(&self, id: FunctionId, arguments: &[Value], tables: &Tables) -> Option<Vec<Value>> {
        let mut known = self.0.try_borrow_mut().ok()?;
        let known = &mut *known;
        let function = tables.function(id);
        if function.inputs().count() != arguments.len() {
            return None;
        }
        let mut layouts = Vec::with_capacity(arguments.len());
        let mut numbers = Vec::new();
        for ((_, input), argument) in function.inputs().zip(arguments) {
            if argument.sizes().len() != input.ty.dimensions() {
                return None;
            }
            let layout = Layout::of_value(input.ty.scalar, argument, tables)?;
            if !layout.take_apart(argument, &mut numbers) {
                return None;
            }
            layouts.push(layout);
        }
        let key = (id, layouts);
        let routine = match known.of.get(&key) {
            Some(routine) => *routine,
            None => {
                let made = translate(known, id, &key.1, tables);
                known.of.insert(key, made);
                made
            }
        }?;
        known.run(routine, &numbers)
    }
}

impl TranslationTables {
    fn run(&mut self, routine: usize, numbers: &[f64]) -> Option<Vec<Value>> {
        let used = self.used.entry(routine).or_default();
        if used.in_vain > MOST_IN_VAIN && used.in_vain > used.well {
            return None;
        }
        self.stack.resize(STACK, 0.0);
        let signature = &self.signatures[routine];
        let locals = self.stack.get_mut(..self.routines[routine].n_locals)?;
        locals.fill(f64::NAN);
        let mut numbers = numbers.iter();
        for (at, layout) in &signature.inputs {
            let at = *at as usize;
            for (place, number) in locals[at..at + layout.width()].iter_mut().zip(&mut numbers) {
                *place = *number;
            }
        }
        let went_well = program::run(&self.routines, routine, &mut self.stack, &mut Limits::new(MOST_STEPS));
        let outputs = went_well.then(|| signature.take_outputs(&self.stack)).flatten();
        match outputs {
            Some(_) => used.well = used.well.saturating_add(1),
            None => used.in_vain += 1,
        }
        outputs
    }
}

#[cfg(test)]
mod tests;
