//! Calls of functions at run time, by the interpreter of functions.
//!
//! Programs work on numbers, functions on values of all types: a call puts its numbers together to arguments and takes the
//! results apart again. In Jacobians, calls are differentiated by differences along a direction.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use rhei_equations::{Shape, Split};
use rhei_evaluate::{ArrayValue, Budget, Environment, Failure, Handle, Translations, Value, call};
use rhei_external::Externals;
use rhei_flat::{Function, FunctionId, Scalar, Tables, VarId};
use rhei_source::Span;

use crate::derivatives::{Differentiator, holds_reals};
use crate::effects::Warned;
use crate::machine::{Native, NativeFunction};
use crate::program::Slot;
use crate::remembered::Remembered;
use crate::tiers::Execution;

/// A call in a program.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// Which function.
    pub function: FunctionId,
    /// The shapes of its arguments, made up of the operands.
    pub arguments: Vec<Shape>,
    /// The shapes of its results.
    pub results: Vec<Shape>,
    /// The slots of the numbers in the arguments; for a difference followed by those of their changes.
    pub operands: Vec<Slot>,
    /// The low-order parts of Integers among the operands.
    pub(crate) rests: Vec<OperandRest>,
    /// The first slot of the results.
    pub first: Slot,
    /// The number of numbers in the results.
    pub count: u32,
    /// Whether there are Integers among them: the results are then followed by as many rests.
    pub(crate) has_rests: bool,
    /// The index of each result among those written; all of them in order if there is none.
    pub places: Option<Vec<usize>>,
    /// Whether the changes of the results are wanted, and no function computes them: a difference takes its place.
    pub is_difference: bool,
    /// The call as machine code.
    pub(crate) native: Arc<Native>,
}

/// The low-order part of an Integer argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OperandRest {
    /// Its index among the operands.
    pub(crate) place: usize,
    pub(crate) slot: Slot,
}

/// The numbers in the results of a call.
pub(crate) struct Results {
    numbers: Vec<f64>,
    /// The rests of those that are no `f64`, by their places.
    rests: Vec<(usize, f64)>,
}

impl CallSite {
    /// The number of slots written.
    pub(crate) fn n_written(&self) -> u32 {
        if self.has_rests { 2 * self.count } else { self.count }
    }

    /// Writes the results.
    pub(crate) fn write(&self, results: &Results, values: &mut [f64]) {
        let (numbers, rests) =
            values[self.first.index()..][..self.n_written() as usize].split_at_mut(self.count as usize);
        numbers.copy_from_slice(&results.numbers);
        rests.fill(0.0);
        // a difference has none
        results.rests.iter().filter(|_| self.has_rests).for_each(|&(place, rest)| rests[place] = rest);
    }

    /// The rests of operands that have one, by their places.
    pub(crate) fn rests_in(&self, values: &[f64]) -> Vec<(usize, f64)> {
        let rests = self.rests.iter().map(|rest| (rest.place, values[rest.slot.index()]));
        rests.filter(|(_, rest)| *rest != 0.0).collect()
    }

    /// The number of numbers that the function returns.
    pub(crate) fn n_results(&self) -> usize {
        self.places.as_ref().map_or(self.count as usize, Vec::len)
    }

    /// Writes the returned numbers at their places; all others are zero.
    fn spread(&self, results: &[f64], written: &mut [f64]) {
        match &self.places {
            None => written.copy_from_slice(results),
            Some(places) => {
                written.fill(0.0);
                places.iter().zip(results).for_each(|(&place, result)| written[place] = *result);
            }
        }
    }
}

/// The functions of a model, for one run.
#[derive(Debug)]
pub struct Functions {
    pub(crate) tables: Arc<Tables>,
    pub(crate) externals: Externals,
    translations: Translations,
    execution: Execution,
    /// Whether exponentials are continued along their tangents where they would overflow.
    continues: bool,
    /// Operands and results of a call as machine code.
    numbers: RefCell<Vec<f64>>,
    remembered: RefCell<Remembered>,
    /// Warnings of asserts while they are collected.
    pub(crate) warned: RefCell<Option<Vec<Warned>>>,
    /// If exact derivatives are wanted: the functions for them.
    exact: Option<RefCell<Exact>>,
    /// Whether they are wanted now.
    is_exact: bool,
    /// The work so far, in instructions of programs.
    work: Cell<u64>,
}

impl Clone for Functions {
    /// The same functions in the same state, for another run; parts made on demand are made again.
    fn clone(&self) -> Functions {
        let own = Functions::new(self.tables.clone()).with_execution(self.execution);
        Functions { externals: self.externals.clone(), continues: self.continues, ..own }
    }
}

/// Functions that compute derivatives, made on demand.
#[derive(Debug)]
struct Exact {
    differentiator: Differentiator,
    /// Names of the functions for which there is none.
    without: BTreeSet<String>,
}

/// Relative increment of arguments in a difference along a direction: half of the digits are left for the difference.
const SHARE: f64 = 1e-7;
/// The same for a central difference, whose error falls with the square.
const SHARE_OF_BOTH_SIDES: f64 = 1e-5;

/// Instructions of a program that take as long as a step of an interpreted function.
const INTERPRETED_STEP: u64 = 32;

impl Functions {
    /// Those of a model.
    pub fn new(tables: Arc<Tables>) -> Functions {
        let (externals, translations) = (Externals::default(), Translations::default());
        Functions {
            tables,
            externals,
            translations,
            execution: Execution::default(),
            continues: false,
            numbers: RefCell::default(),
            remembered: RefCell::default(),
            warned: RefCell::default(),
            exact: None,
            is_exact: false,
            work: Cell::new(0),
        }
    }

    /// The same, with programs that run in this way.
    pub fn with_execution(self, execution: Execution) -> Functions {
        Functions { execution, ..self }
    }

    /// Switches the continuation of exponentials along their tangents on or off, for searches in which they would overflow.
    pub fn continue_exponentials(&mut self, continues: bool) {
        self.continues = continues;
    }

    /// Whether exponentials are continued.
    pub fn continues_exponentials(&self) -> bool {
        self.continues
    }

    /// How programs run.
    pub(crate) fn execution(&self) -> Execution {
        self.execution
    }

    /// From here on derivatives of calls are computed by derivatives of their functions, if these have one.
    pub fn differentiate_exactly(&mut self) {
        self.is_exact = true;
        let tables = &self.tables;
        self.exact.get_or_insert_with(|| {
            let differentiator = Differentiator::new(tables.clone());
            RefCell::new(Exact { differentiator, without: BTreeSet::new() })
        });
    }

    /// From here on derivatives of calls are computed by differences again.
    pub fn differentiate_by_differences(&mut self) {
        self.is_exact = false;
    }

    /// The work so far: instructions of programs, and as many as steps of interpreted functions stand for.
    pub fn work(&self) -> u64 {
        self.work.get()
    }

    /// Counts work.
    pub(crate) fn count(&self, work: u64) {
        self.work.set(self.work.get().wrapping_add(work));
    }

    /// Interprets a function.
    fn interpreted(
        &self,
        function: FunctionId,
        arguments: Vec<Value>,
        environment: &dyn Environment,
    ) -> Result<Vec<Value>, Failure> {
        let mut budget = Budget::default();
        let before = budget.steps_left();
        let outputs = call(function, arguments, environment, &mut budget);
        self.count(INTERPRETED_STEP * (before - budget.steps_left()));
        outputs
    }

    /// The functions whose derivatives were computed by differences although exact ones were wanted.
    pub fn without_derivative(&self) -> Vec<String> {
        let names = self.exact.as_ref().map(|exact| exact.borrow().without.iter().cloned().collect());
        names.unwrap_or_default()
    }

    /// The machine code of a call.
    fn native<'a>(&self, site: &'a CallSite) -> Option<&'a NativeFunction> {
        site.native.function(&self.tables, site.function, &site.arguments, site.n_results(), self.execution)
    }

    /// Runs a call as machine code, or takes its cached results, and writes them; allocates at the first call only. Says whether
    /// that was possible.
    pub(crate) fn call_natively(&self, site: &CallSite, values: &mut [f64]) -> bool {
        // machine code computes whole numbers in `f64`
        if site.is_difference || site.rests.iter().any(|rest| values[rest.slot.index()] != 0.0) {
            return false;
        }
        let mut numbers = self.numbers.borrow_mut();
        numbers.clear();
        numbers.extend(site.operands.iter().map(|slot| values[slot.index()]));
        let written = &mut values[site.first.index()..][..site.n_written() as usize];
        let (written, rests) = written.split_at_mut(site.count as usize);
        rests.fill(0.0);
        let is_pure = self.is_pure(site);
        if is_pure && let Some(results) = self.remembered.borrow().results(site, &numbers) {
            site.spread(results, written);
            return true;
        }
        let Some(native) = self.native(site) else { return false };
        numbers.resize(site.operands.len() + site.n_results(), 0.0);
        let (operands, results) = numbers.split_at_mut(site.operands.len());
        if !native.call(operands, results) {
            return false;
        }
        site.spread(results, written);
        if is_pure {
            self.remembered.borrow_mut().keep(site, operands, results);
        }
        true
    }

    /// Whether a call is pure.
    fn is_pure(&self, site: &CallSite) -> bool {
        let makes_objects =
            |shape: &Shape| matches!(shape, Shape::Numbers { scalar: Scalar::ExternalObject(_), .. });
        site.native.is_pure(|| {
            !self.tables.function(site.function).is_impure && !site.results.iter().any(makes_objects)
        })
    }

    /// The results of a call; those of the last calls are cached.
    pub(crate) fn call(
        &self,
        site: &CallSite,
        operands: &[f64],
        rests: &[(usize, f64)],
    ) -> Result<Results, Failure> {
        let mut all = vec![0.0; site.count as usize];
        // calls are cached by `f64`
        let is_pure = self.is_pure(site) && rests.is_empty();
        if is_pure && let Some(results) = self.remembered.borrow().results(site, operands) {
            site.spread(results, &mut all);
            return Ok(Results { numbers: all, rests: Vec::new() });
        }
        let results = self.compute(site, operands, rests)?;
        site.spread(&results.numbers, &mut all);
        if is_pure && results.rests.is_empty() {
            self.remembered.borrow_mut().keep(site, operands, &results.numbers);
        }
        Ok(Results { numbers: all, rests: results.rests })
    }

    /// The results of the function itself.
    fn compute(&self, site: &CallSite, operands: &[f64], rests: &[(usize, f64)]) -> Result<Results, Failure> {
        if !site.is_difference {
            return self.value(site, operands, rests);
        }
        let (at, changes) = operands.split_at(operands.len() / 2);
        let step = step(at, changes, SHARE_OF_BOTH_SIDES);
        if step == 0.0 {
            return Ok(Results { numbers: vec![0.0; site.n_results()], rests: Vec::new() });
        }
        let ahead = self.value(site, &moved(at, changes, step), &[])?.numbers;
        let behind = self.value(site, &moved(at, changes, -step), &[])?.numbers;
        let numbers = ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * step)).collect();
        Ok(Results { numbers, rests: Vec::new() })
    }

    /// The directional derivative of the results of a call; none if it cannot be computed.
    pub(crate) fn change(&self, site: &CallSite, operands: &[f64], changes: &[f64]) -> Option<Vec<f64>> {
        let step = step(operands, changes, if site.is_difference { SHARE_OF_BOTH_SIDES } else { SHARE });
        if step == 0.0 {
            return Some(vec![0.0; site.count as usize]);
        }
        if let Some(exact) = self.exact.as_ref().filter(|_| self.is_exact) {
            if let Some(change) = self.exact_change(exact, site, operands, changes) {
                return Some(change);
            }
            exact.borrow_mut().without.insert(self.tables.function(site.function).name.to_string());
        }
        let here = self.call(site, operands, &[]).ok()?.numbers;
        // if the function is not defined ahead, it may be behind
        let (there, step) = match self.compute(site, &moved(operands, changes, step), &[]) {
            Ok(ahead) => (ahead.numbers, step),
            Err(_) => (self.compute(site, &moved(operands, changes, -step), &[]).ok()?.numbers, -step),
        };
        let mut change = vec![0.0; site.count as usize];
        site.spread(&there, &mut change);
        change.iter_mut().zip(&here).for_each(|(there, here)| *there = (*there - here) / step);
        Some(change)
    }

    /// The directional derivative of a call by the derivative of its function, if there is one.
    fn exact_change(
        &self,
        exact: &RefCell<Exact>,
        site: &CallSite,
        operands: &[f64],
        changes: &[f64],
    ) -> Option<Vec<f64>> {
        if site.is_difference {
            return None;
        }
        let (mut at, mut along) = (splits(operands, &[]), splits(changes, &[]));
        let mut arguments = Vec::new();
        let mut further = Vec::new();
        let mut varying = Vec::new();
        let mut first = 0;
        for shape in &site.arguments {
            let own = &changes[first..first + shape.count()];
            first += own.len();
            arguments.push(put_together(shape, &mut at));
            let change = put_together(shape, &mut along);
            let varies = holds_reals(shape) && own.iter().any(|change| *change != 0.0);
            varying.push(varies);
            if varies {
                further.push(change);
            }
        }
        arguments.extend(further);
        let exact = &mut *exact.borrow_mut();
        let derivative = exact.differentiator.along(site.function, &varying)?;
        let environment = WithTables { tables: exact.differentiator.tables(), externals: &self.externals };
        let outputs = self.interpreted(derivative, arguments, &environment).ok()?;
        let mut outputs = outputs.iter();
        let mut numbers = Vec::new();
        for shape in &site.results {
            if holds_reals(shape) {
                take_apart(outputs.next()?, &mut |split| numbers.push(split.nearest));
            } else {
                numbers.resize(numbers.len() + shape.count(), 0.0);
            }
        }
        match &site.places {
            None => (numbers.len() == site.count as usize).then_some(numbers),
            Some(places) if places.len() == numbers.len() => {
                let mut all = vec![0.0; site.count as usize];
                places.iter().zip(numbers).for_each(|(&place, number)| all[place] = number);
                Some(all)
            }
            Some(_) => None,
        }
    }

    fn value(
        &self,
        site: &CallSite,
        operands: &[f64],
        rests_of_operands: &[(usize, f64)],
    ) -> Result<Results, Failure> {
        let mut numbers = vec![0.0; site.n_results()];
        let mut rests = Vec::new();
        let native = self.native(site).filter(|_| rests_of_operands.is_empty());
        if !native.is_some_and(|native| native.call(operands, &mut numbers)) {
            let mut operands = splits(operands, rests_of_operands);
            let arguments = site.arguments.iter().map(|shape| put_together(shape, &mut operands)).collect();
            let outputs = self.interpreted(site.function, arguments, self)?;
            numbers.clear();
            let mut take = |split: Split| {
                if split.rest != 0.0 {
                    rests.push((numbers.len(), split.rest));
                }
                numbers.push(split.nearest);
            };
            outputs.iter().for_each(|output| take_apart(output, &mut take));
        }
        if numbers.len() == site.n_results() {
            return Ok(Results { numbers, rests });
        }
        let function = self.tables.function(site.function);
        let what = format!("`{}` returns arrays of another size than its call expects", function.name);
        Err(Failure::WrongArgument { what, span: function.span })
    }
}

impl Environment for Functions {
    fn tables(&self) -> &Tables {
        &self.tables
    }

    fn variable(&self, _: VarId, span: Span, _: &mut Budget) -> Result<Value, Failure> {
        Err(Failure::NotConstant { what: "a variable of the model".into(), span })
    }

    fn translations(&self) -> Option<&Translations> {
        Some(&self.translations)
    }

    fn external(&self, function: &Function, arguments: &[Value]) -> Result<Vec<Value>, Failure> {
        self.externals.call(function, arguments, self)
    }

    fn warn(&self, message: &str, span: Span) {
        if let Some(warned) = &mut *self.warned.borrow_mut() {
            warned.push(Warned { message: message.to_owned(), span });
        }
    }
}

/// The same with further functions.
struct WithTables<'a> {
    tables: &'a Tables,
    externals: &'a Externals,
}

impl Environment for WithTables<'_> {
    fn tables(&self) -> &Tables {
        self.tables
    }

    fn variable(&self, _: VarId, span: Span, _: &mut Budget) -> Result<Value, Failure> {
        Err(Failure::NotConstant { what: "a variable of the model".into(), span })
    }

    fn external(&self, function: &Function, arguments: &[Value]) -> Result<Vec<Value>, Failure> {
        self.externals.call(function, arguments, self)
    }
}

/// The step of a difference along a direction.
fn step(at: &[f64], changes: &[f64], share: f64) -> f64 {
    let fastest = changes.iter().fold(0.0_f64, |most, change| most.max(change.abs()));
    if fastest == 0.0 || !fastest.is_finite() {
        return 0.0;
    }
    let moving = at.iter().zip(changes).filter(|(_, change)| **change != 0.0);
    let size = moving.fold(0.0_f64, |most, (value, _)| most.max(value.abs())).max(1e-3);
    share * size / fastest
}

fn moved(at: &[f64], changes: &[f64], step: f64) -> Vec<f64> {
    at.iter().zip(changes).map(|(value, change)| value + step * change).collect()
}

/// Numbers with the low-order parts of some of them.
fn splits<'a>(numbers: &'a [f64], rests: &'a [(usize, f64)]) -> impl Iterator<Item = Split> + 'a {
    numbers.iter().enumerate().map(|(place, &nearest)| {
        let rest = rests.iter().find(|(of, _)| *of == place).map_or(0.0, |(_, rest)| *rest);
        Split { nearest, rest }
    })
}

pub(crate) fn put_together(shape: &Shape, numbers: &mut impl Iterator<Item = Split>) -> Value {
    let none = Split { nearest: f64::NAN, rest: 0.0 };
    let mut next = |scalar: Scalar| value_of(scalar, numbers.next().unwrap_or(none));
    match shape {
        Shape::Numbers { scalar, sizes } if sizes.is_empty() => next(*scalar),
        Shape::Numbers { scalar, sizes } => {
            let elements = (0..sizes.iter().product()).map(|_: usize| next(*scalar)).collect();
            ArrayValue::new(*scalar, sizes.clone(), elements).into()
        }
        Shape::Text(text) => Value::String(text.clone()),
        Shape::Record(id, fields) => {
            Value::Record(*id, fields.iter().map(|field| put_together(field, numbers)).collect())
        }
        Shape::List { scalar, sizes, elements } => {
            let elements = elements.iter().map(|element| put_together(element, numbers)).collect();
            ArrayValue::new(*scalar, sizes.clone(), elements).into()
        }
        Shape::Function(id, given) => {
            let given = given.iter().map(|(place, part)| (*place, put_together(part, numbers)));
            Value::Function(*id, given.collect())
        }
    }
}

pub(crate) fn value_of(scalar: Scalar, split: Split) -> Value {
    let number = split.nearest;
    match scalar {
        Scalar::Integer => Value::Integer(split.whole().unwrap_or(number.round() as i64)),
        Scalar::Boolean => Value::Boolean(number != 0.0),
        Scalar::Enumeration(id) => Value::Enumeration(id, number.round() as u32),
        Scalar::ExternalObject(id) => Value::External(id, Handle(number.round() as u64)),
        _ => Value::Real(number),
    }
}

fn take_apart(value: &Value, take: &mut impl FnMut(Split)) {
    let plain = |nearest: f64| Split { nearest, rest: 0.0 };
    match value {
        Value::Real(x) => take(plain(*x)),
        Value::Integer(i) => take(Split::of(*i)),
        Value::Boolean(b) => take(plain(f64::from(u8::from(*b)))),
        Value::Enumeration(_, number) => take(plain(f64::from(*number))),
        Value::External(_, handle) => take(plain(handle.0 as f64)),
        Value::Array(array) => array.elements().iter().for_each(|element| take_apart(element, take)),
        Value::Record(_, fields) => fields.iter().for_each(|field| take_apart(field, take)),
        Value::String(_) | Value::Function(..) | Value::Unassigned => {}
    }
}
