//! Derivatives of functions are those that central differences come near to, whatever the inputs and their derivatives.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rhei_evaluate::{ArrayValue, Budget, Environment, Failure, Value, call};
use rhei_flat::{Derivatives, FunctionId, Scalar, Tables, Type, VarId};
use rhei_library::Library;
use rhei_semantics::instantiate;
use rhei_source::{InMemory, Span};

/// The step of the differences: their error goes with its square, rounding with its inverse.
const STEP: f64 = 1e-5;

/// Size of dimensions that are open.
const SIZE: usize = 3;

/// Which functions are looked at, of those in the file.
const FUNCTIONS: [&str; 19] = [
    "elementary",
    "inverse",
    "powers",
    "quotients",
    "choices",
    "loops",
    "newton",
    "branches",
    "vectors",
    "matrices",
    "reductions",
    "comprehensions",
    "throughValues",
    "ranges",
    "manyResults",
    "records",
    "recursive",
    "usesGiven",
    "partials",
];

struct World(Tables);

impl Environment for World {
    fn tables(&self) -> &Tables {
        &self.0
    }

    fn variable(&self, _: VarId, span: Span, _: &mut Budget) -> Result<Value, Failure> {
        Err(Failure::NotConstant { what: "a variable".into(), span })
    }
}

fn tables() -> Tables {
    let world = InMemory::default().with_file("derivatives.mo", include_str!("derivatives.mo"));
    let library = Library::new(Arc::new(world), Vec::new());
    let classes = library.load_file("derivatives.mo".as_ref()).expect("the file is there");
    let (instance, diagnostics) = instantiate(&library, classes[1]);
    instance.unwrap_or_else(|| panic!("{diagnostics:#?}")).tables
}

fn named(tables: &Tables, name: &str) -> FunctionId {
    let place = tables.functions.iter().position(|function| function.name == format!("Of.{name}"));
    FunctionId(place.unwrap_or_else(|| panic!("no function {name}")) as u32)
}

/// A value of a type, its Reals taken from a list. They keep away from zero and from each other.
fn value(ty: &Type, tables: &Tables, reals: &mut impl Iterator<Item = f64>) -> Value {
    if !ty.is_scalar() {
        let sizes: Vec<usize> = ty.sizes.iter().map(|size| size.known().unwrap_or(SIZE)).collect();
        let count = sizes.iter().product();
        let element = Type::scalar(ty.scalar);
        let elements = (0..count).map(|_| value(&element, tables, reals)).collect();
        return ArrayValue::new(ty.scalar, sizes, elements).into();
    }
    match ty.scalar {
        Scalar::Real => Value::Real(reals.next().expect("there are enough")),
        Scalar::Integer => Value::Integer(3),
        Scalar::Boolean => Value::Boolean(reals.next().expect("there are enough") > 1.2),
        Scalar::Record(id) => {
            let fields = tables.record(id).fields.clone();
            Value::Record(id, fields.iter().map(|field| value(&field.ty, tables, reals)).collect())
        }
        other => panic!("no input is of type {other:?}"),
    }
}

/// `a + factor*b` where there are Reals.
fn moved(a: &Value, b: &Value, factor: f64) -> Value {
    match (a, b) {
        (Value::Real(a), Value::Real(b)) => Value::Real(a + factor * b),
        (Value::Array(a), Value::Array(b)) => {
            let elements = a.elements().iter().zip(b.elements()).map(|(a, b)| moved(a, b, factor)).collect();
            ArrayValue::new(a.scalar(), a.sizes().to_vec(), elements).into()
        }
        (Value::Record(id, a), Value::Record(_, b)) => {
            Value::Record(*id, a.iter().zip(b).map(|(a, b)| moved(a, b, factor)).collect())
        }
        (a, _) => a.clone(),
    }
}

fn reals(value: &Value, all: &mut Vec<f64>) {
    match value {
        Value::Real(x) => all.push(*x),
        Value::Array(array) => array.elements().iter().for_each(|element| reals(element, all)),
        Value::Record(_, fields) => fields.iter().for_each(|field| reals(field, all)),
        _ => {}
    }
}

fn all_reals(values: &[Value]) -> Vec<f64> {
    let mut all = Vec::new();
    values.iter().for_each(|value| reals(value, &mut all));
    all
}

/// Compares one function at one place in one direction, where some of its inputs vary.
fn compare(
    name: &str,
    world: &mut World,
    derivatives: &mut Derivatives,
    at: &[f64],
    along: &[f64],
    which: u32,
) {
    let function = named(&world.0, name);
    let types: Vec<Type> = world.0.function(function).inputs().map(|(_, input)| input.ty.clone()).collect();
    let can_vary: Vec<bool> = types.iter().map(|ty| world.0.holds_reals(ty)).collect();
    let mut varying: Vec<bool> =
        can_vary.iter().enumerate().map(|(i, can)| *can && which >> i & 1 == 1).collect();
    if !varying.contains(&true) {
        varying = can_vary;
    }
    let derivative = derivatives.of_function(&mut world.0, function, &varying);
    let derivative = derivative.unwrap_or_else(|why| panic!("{name}: {why:?}"));

    let (mut at, mut along) = (at.iter().copied().cycle(), along.iter().copied().cycle());
    let inputs: Vec<Value> = types.iter().map(|ty| value(ty, &world.0, &mut at)).collect();
    let slopes: Vec<Value> = types.iter().map(|ty| value(ty, &world.0, &mut along)).collect();
    let shifted = |factor: f64| -> Vec<f64> {
        let inputs = inputs.iter().zip(&slopes).zip(&varying);
        let inputs = inputs.map(|((x, dx), varies)| if *varies { moved(x, dx, factor) } else { x.clone() });
        let outputs = call(function, inputs.collect(), world, &mut Budget::default());
        all_reals(&outputs.unwrap_or_else(|failure| panic!("{name}: {failure:?}")))
    };
    let (before, behind) = (shifted(-STEP), shifted(STEP));
    let differences: Vec<f64> = before.iter().zip(&behind).map(|(a, b)| (b - a) / (2.0 * STEP)).collect();

    let further = slopes.into_iter().zip(&varying).filter(|(_, varies)| **varies).map(|(slope, _)| slope);
    let arguments = inputs.iter().cloned().chain(further).collect();
    let exact = call(derivative, arguments, world, &mut Budget::default());
    let exact = all_reals(&exact.unwrap_or_else(|failure| panic!("derivative of {name}: {failure:?}")));
    assert_eq!(exact.len(), differences.len(), "{name} has a derivative for each Real");
    for (exact, difference) in exact.iter().zip(&differences) {
        let error = (exact - difference).abs() / (1.0 + exact.abs());
        assert!(error < 1e-6, "{name}{inputs:?}: {exact} by its derivative, {difference} by differences");
    }
}

#[test]
fn derivatives_are_what_central_differences_come_near_to() {
    let mut world = World(tables());
    let mut derivatives = Derivatives::default();
    let strategy = (
        prop::sample::select(FUNCTIONS.as_slice()),
        prop::collection::vec(0.3..2.0_f64, 16),
        prop::collection::vec(-1.0..1.0_f64, 16),
        any::<u32>(),
    );
    let config = Config { cases: 600, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let world = std::cell::RefCell::new((&mut world, &mut derivatives));
    let outcome = TestRunner::new_with_rng(config, rng).run(&strategy, |(name, at, along, which)| {
        let (world, derivatives) = &mut *world.borrow_mut();
        compare(name, world, derivatives, &at, &along, which);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

#[test]
fn a_derivative_is_made_once_and_a_refusal_leaves_nothing() {
    let mut tables = tables();
    let mut derivatives = Derivatives::default();
    let calls = named(&tables, "calls");
    let first = derivatives.of_function(&mut tables, calls, &[true, true]).expect("it has one");
    let count = tables.functions.len();
    assert_eq!(derivatives.of_function(&mut tables, calls, &[true, true]), Ok(first));
    assert_eq!(tables.functions.len(), count);

    let place = named(&tables, "quotients").0 as usize;
    derivatives.unfinished.push(FunctionId(place as u32));
    assert!(derivatives.of_function(&mut tables, calls, &[true, false]).is_err());
    assert_eq!(tables.functions.len(), count);
}
