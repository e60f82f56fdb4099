//! Every function of the other tests that can be translated is: `World::call` compares. The functions here must be translated.

use rhei_elementary::Elementary;
use rhei_flat::{
    Arithmetic, Builtin, Expr, ExprKind, Function, FunctionId, Record, RecordField, RecordId, Relation,
    Scalar, Size, StatementKind, Subscript, Type,
};

use super::{Argument, Op, Translated, Translations};
use crate::Value;
use crate::testing::*;

fn real() -> Type {
    Type::scalar(Scalar::Real)
}

fn integer() -> Type {
    Type::scalar(Scalar::Integer)
}

fn vector() -> Type {
    Type::array(Scalar::Real, vec![Size::Open])
}

fn translated(world: &World, f: u32, arguments: Vec<Value>) -> Option<Vec<Value>> {
    let outputs = Translations::default().call(FunctionId(f), &arguments, &world.tables);
    let interpreted = world.call(f, arguments);
    if let Some(outputs) = &outputs {
        assert_eq!(interpreted.as_ref(), Ok(outputs));
    }
    outputs
}

/// `y := c[1]; for i in 2:size(c, 1) loop y := y*x + c[i]; end for`
fn horner() -> Function {
    let (c, x, y) = (|| local(0, vector()), || local(1, real()), || local(2, real()));
    let element = |e: Expr| index(c(), vec![Subscript::Index(e)]);
    let range = ExprKind::Range(Box::new(lit(2)), None, Box::new(size(c(), 1)));
    let range = expr(range, Type::array(Scalar::Integer, vec![Size::Open]));
    function("horner").input("c", vector()).input("x", real()).output("y", real()).body(vec![
        assign(y(), element(lit(1))),
        for_loop(0, range, vec![assign(y(), add(mul(y(), x()), element(iterator(0))))]),
    ])
}

#[test]
fn loops_run_through_arrays_of_any_size() {
    let world = World::with(vec![horner()]);
    for n in 1..4 {
        let coefficients = Value::reals((0..n).map(|i| f64::from(i) + 0.5));
        assert!(translated(&world, 0, vec![coefficients, 1.5.into()]).is_some());
    }
    let nothing = Value::reals([]);
    assert_eq!(translated(&world, 0, vec![nothing, 1.5.into()]), None, "the first element is missing");
}

#[test]
fn what_is_out_of_the_ordinary_is_left_to_the_interpreter() {
    let (x, y) = (|| local(0, real()), || local(1, real()));
    let quotient = arithmetic(Arithmetic::Divide, lit(1.0), x());
    let f = function("f").input("x", real()).output("y", real()).body(vec![assign(y(), quotient)]);
    let assigned_sometimes = function("g").input("x", real()).output("y", real()).body(vec![if_then(
        compare(Relation::Greater, x(), lit(0.0)),
        vec![assign(y(), builtin(Builtin::Elementary(Elementary::Log), vec![x()], real()))],
    )]);
    let world = World::with(vec![f, assigned_sometimes]);
    assert_eq!(translated(&world, 0, vec![4.0.into()]), Some(vec![0.25.into()]));
    assert_eq!(translated(&world, 0, vec![0.0.into()]), None, "there is something to say");
    assert!(translated(&world, 1, vec![2.0.into()]).is_some());
    assert_eq!(translated(&world, 1, vec![(-1.0).into()]), None, "the output is not assigned");
    let texts = vec![Value::String("a".into())];
    assert_eq!(Translations::default().call(FunctionId(0), &texts, &world.tables), None);
}

/// Newton's method for a square root, in a `while`, with `break` and a whole number that counts.
#[test]
fn iterations_end_as_they_do_in_the_interpreter() {
    let (a, x, n) = (|| local(0, real()), || local(1, real()), || local(2, integer()));
    let better = mul(lit(0.5), add(x(), arithmetic(Arithmetic::Divide, a(), x())));
    let error = builtin(Builtin::Elementary(Elementary::Abs), vec![sub(mul(x(), x()), a())], real());
    let f = function("root").input("a", real()).output("x", real()).output("n", integer()).body(vec![
        assign(x(), a()),
        assign(n(), lit(0)),
        statement(StatementKind::While(
            compare(Relation::Greater, error, lit(1e-12)),
            vec![
                assign(x(), better),
                assign(n(), add(n(), lit(1))),
                if_then(compare(Relation::Equal, n(), lit(5)), vec![statement(StatementKind::Break)]),
            ],
        )),
        assign(n(), expr(ExprKind::Negate(Box::new(n())), integer())),
    ]);
    let world = World::with(vec![f]);
    for a in [1.0, 2.0, 1e6] {
        let outputs = translated(&world, 0, vec![a.into()]).expect("it is translated");
        assert!(matches!(outputs[1], Value::Integer(-5..=0)));
    }
}

#[test]
fn records_and_calls_are_translated() {
    let mut world = World::with(vec![horner()]);
    let (id, record) = with_record(&mut world);
    let (r, y) = (|| local(0, record.clone()), || local(1, record.clone()));
    let three = Type::array(Scalar::Real, vec![Size::Known(3)]);
    let (x_of, c_of) = (|of: Expr| field(of, 0, real()), |of: Expr| field(of, 1, three.clone()));
    // y.c := 2*r.c; y.c[2] := sum(y.c); y.x := horner(y.c, r.x)
    let f = function("f").input("r", record.clone()).output("y", record.clone()).body(vec![
        assign(
            c_of(y()),
            expr(
                ExprKind::Arithmetic(Arithmetic::Multiply, Box::new(lit(2)), Box::new(c_of(r()))),
                three.clone(),
            ),
        ),
        assign(index(c_of(y()), vec![at(2)]), builtin(Builtin::Sum, vec![c_of(y())], real())),
        assign(x_of(y()), apply(0, vec![c_of(y()), x_of(r())], real())),
    ]);
    world.tables.functions.push(f);
    let argument = Value::Record(id, vec![0.5.into(), Value::reals([1.0, 2.0, 4.0])]);
    let outputs = translated(&world, 1, vec![argument]).expect("it is translated");
    assert_eq!(outputs, [Value::Record(id, vec![15.5.into(), Value::reals([2.0, 14.0, 8.0])])]);
}

/// A record of a number and three, of which libraries may leave some unassigned.
fn with_record(world: &mut World) -> (RecordId, Type) {
    let three = Type::array(Scalar::Real, vec![Size::Known(3)]);
    let fields =
        vec![RecordField { name: "x".into(), ty: real() }, RecordField { name: "c".into(), ty: three }];
    let id = world.tables.add_record(Record { name: "R".into(), fields, is_operator: false });
    (id, Type::scalar(Scalar::Record(id)))
}

#[test]
fn records_may_be_filled_in_part() {
    let mut world = World::default();
    let (id, record) = with_record(&mut world);
    let three = Type::array(Scalar::Real, vec![Size::Known(3)]);
    let y = || local(1, record.clone());
    let second = || index(field(y(), 1, three.clone()), vec![at(2)]);
    let part = |body| function("part").input("x", real()).output("y", record.clone()).body(body);
    world.tables.functions = vec![
        part(vec![assign(field(y(), 0, real()), local(0, real())), assign(second(), lit(7.0))]),
        part(vec![assign(second(), lit(7.0))]),
        // the called function leaves it unassigned, too
        part(vec![assign(y(), apply(0, vec![local(0, real())], record.clone()))]),
    ];
    let filled = [Value::Record(id, vec![0.5.into(), Value::reals([0.0, 7.0, 0.0])])];
    assert_eq!(translated(&world, 0, vec![0.5.into()]).expect("it is translated"), filled);
    assert_eq!(translated(&world, 2, vec![0.5.into()]).expect("it is translated"), filled);
    assert_eq!(translated(&world, 1, vec![0.5.into()]), None, "no field is there as a whole");
}

#[test]
fn a_recursion_without_end_is_given_up() {
    let n = || local(0, integer());
    let f = function("f")
        .input("n", integer())
        .output("y", integer())
        .body(vec![assign(local(1, integer()), apply(0, vec![add(n(), lit(1))], integer()))]);
    let world = World::with(vec![f]);
    assert_eq!(Translations::default().call(FunctionId(0), &[1.into()], &world.tables), None);
}

#[test]
fn places_that_are_not_there_are_found() {
    let world = World::with(vec![horner()]);
    let made = || {
        let arguments = [Argument::Numbers(vec![3]), Argument::Numbers(Vec::new())];
        Translated::new(FunctionId(0), &arguments, &world.tables).unwrap()
    };
    assert_eq!(made().verify(), Ok(()));
    /// Changes an instruction, where it can.
    type Spoil = fn(&mut Op) -> bool;
    let spoiled: [(Spoil, &str); 4] = [
        (
            |op| match op {
                Op::Load(_, _, _, _, most) => {
                    *most = 9_000;
                    true
                }
                _ => false,
            },
            "what is written ends at",
        ),
        (
            |op| match op {
                Op::Jump(to) | Op::JumpIf(_, to) | Op::JumpUnless(_, to) => {
                    *to = 9_000;
                    true
                }
                _ => false,
            },
            "a jump ends at 9000",
        ),
        (
            |op| match op {
                Op::Multiply(_, a, _) => {
                    *a = 9_000;
                    true
                }
                _ => false,
            },
            "what is read ends at 9001",
        ),
        (
            |op| match op {
                Op::Turn => {
                    *op = Op::Call(0);
                    true
                }
                _ => false,
            },
            "call 0 is not there",
        ),
    ];
    for (spoil, wanted) in spoiled {
        let mut all = made();
        assert!(all.routines[0].ops.iter_mut().any(spoil), "nothing to change for: {wanted}");
        let said = all.verify().expect_err(wanted).to_string();
        assert!(said.contains(wanted), "{said}, not {wanted}");
    }
    let mut all = made();
    all.signatures[0].outputs[0].0 = 9_000;
    assert!(all.verify().is_err());
}
