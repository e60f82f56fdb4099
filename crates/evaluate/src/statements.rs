//! Statements of functions (MLS §11).

use rhei_flat::{Builtin, Expr, ExprKind, Iteration, Statement, StatementKind};
use rhei_source::Span;

use crate::frame::Frame;
use crate::interpret::Interpreter;
use crate::{Failure, Value, Work};

/// The continuation after a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// The next one.
    Next,
    /// After the enclosing loop.
    Break,
    /// The end of the function.
    Return,
}

impl Interpreter<'_> {
    /// Runs statements in order.
    pub(crate) fn execute(&mut self, statements: &[Statement], frame: &mut Frame) -> Result<Flow, Failure> {
        for statement in statements {
            self.charge(1, frame, statement.span)?;
            self.enter(frame, statement.span)?;
            let flow = self.statement(statement, frame);
            self.leave();
            let flow = flow?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement, frame: &mut Frame) -> Result<Flow, Failure> {
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                let value = self.value(value, frame)?;
                self.assign(target, value, frame)?;
            }
            StatementKind::AssignResults(targets, call) => {
                let outputs = self.outputs(call, frame)?;
                for (target, output) in targets.iter().zip(outputs) {
                    if let Some(target) = target {
                        self.assign(target, output, frame)?;
                    }
                }
            }
            StatementKind::Call(call) => self.perform(call, frame)?,
            StatementKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    if self.condition(condition, frame)? {
                        return self.execute(body, frame);
                    }
                }
                return self.execute(otherwise, frame);
            }
            StatementKind::For(iteration, body) => return self.for_loop(iteration, body, frame),
            StatementKind::While(condition, body) => {
                let flow = self.while_loop(condition, body, frame, statement.span);
                return flow.map_err(|failure| spent_in_loop(failure, frame, statement.span));
            }
            StatementKind::When(_) => {
                return Err(Failure::NotSupported {
                    what: "`when` in a function".into(),
                    span: statement.span,
                });
            }
            StatementKind::Break => return Ok(Flow::Break),
            StatementKind::Return => return Ok(Flow::Return),
        }
        Ok(Flow::Next)
    }

    fn while_loop(
        &mut self,
        condition: &Expr,
        body: &[Statement],
        frame: &mut Frame,
        span: Span,
    ) -> Result<Flow, Failure> {
        while self.condition(condition, frame)? {
            self.charge(1, frame, span)?;
            match self.execute(body, frame)? {
                Flow::Next => {}
                Flow::Break => break,
                Flow::Return => return Ok(Flow::Return),
            }
        }
        Ok(Flow::Next)
    }

    fn for_loop(
        &mut self,
        iteration: &Iteration,
        body: &[Statement],
        frame: &mut Frame,
    ) -> Result<Flow, Failure> {
        let range = self.iterated(&iteration.range, frame)?;
        let place = self.bind(iteration.iterator);
        let flow = (0..range.len()).find_map(|i| {
            self.turn(place, range.get(i));
            let turn = self.charge(1, frame, iteration.range.span).and_then(|()| self.execute(body, frame));
            if turn == Ok(Flow::Next) { None } else { Some(turn) }
        });
        self.unbind(place);
        match flow.transpose()? {
            Some(Flow::Return) => Ok(Flow::Return),
            _ => Ok(Flow::Next),
        }
    }

    /// All results of a call.
    fn outputs(&mut self, call: &Expr, frame: &Frame) -> Result<Vec<Value>, Failure> {
        match &call.kind {
            ExprKind::Apply(function, arguments) => {
                let arguments = self.values(arguments, frame)?.into_iter().map(Some).collect();
                self.call(*function, arguments, call.span)
            }
            ExprKind::ApplyLocal(local, arguments) => {
                let (function, arguments) = self.through_local(*local, arguments, frame, call.span)?;
                self.call(function, arguments, call.span)
            }
            _ => Ok(vec![self.value(call, frame)?]),
        }
    }

    /// A call for its effect.
    fn perform(&mut self, call: &Expr, frame: &Frame) -> Result<(), Failure> {
        match &call.kind {
            ExprKind::Call(Builtin::Assert, arguments) => self.assert(arguments, call.span, frame),
            _ => self.outputs(call, frame).map(drop),
        }
    }
}

/// A budget exhausted in a loop of this function is reported at the loop, wherever in it that happened.
fn spent_in_loop(failure: Failure, frame: &Frame, span: Span) -> Failure {
    let here = frame.function().map(|function| &function.name);
    match failure {
        Failure::TooMuchWork { function, work: Work::Steps, .. } if function.as_ref() == here => {
            Failure::TooMuchWork { function, work: Work::Steps, span }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use rhei_flat::{FunctionId, Relation, Scalar, Size, Subscript, Type};
    use rhei_source::{Files, Style, render};

    use super::*;
    use crate::testing::*;
    use crate::{Budget, Work};

    fn integer() -> Type {
        Type::scalar(Scalar::Integer)
    }

    fn while_loop(condition: Expr, body: Vec<Statement>) -> Statement {
        statement(StatementKind::While(condition, body))
    }

    #[test]
    fn loops_end_by_break_and_functions_by_return() {
        // y := 0; for i in 1:10 loop if i == n then break; end if; y := y + i; end for; if y > 20 then return; y := -y
        let (n, y) = (|| local(0, integer()), || local(1, integer()));
        let f = function("f").input("n", integer()).output("y", integer()).body(vec![
            assign(y(), lit(0)),
            for_loop(
                0,
                up_to(lit(10)),
                vec![
                    if_then(
                        compare(Relation::Equal, iterator(0), n()),
                        vec![statement(StatementKind::Break)],
                    ),
                    assign(y(), add(y(), iterator(0))),
                ],
            ),
            if_then(compare(Relation::Greater, y(), lit(20)), vec![statement(StatementKind::Return)]),
            assign(y(), sub(lit(0), y())),
        ]);
        let world = World::with(vec![f]);
        assert_eq!(world.call(0, vec![4.into()]), Ok(vec![(-6).into()]));
        assert_eq!(world.call(0, vec![11.into()]), Ok(vec![55.into()]));
    }

    #[test]
    fn return_leaves_all_loops() {
        let y = || local(0, integer());
        let body = vec![
            assign(y(), lit(0)),
            for_loop(
                0,
                up_to(lit(3)),
                vec![while_loop(
                    lit(true),
                    vec![
                        assign(y(), add(y(), lit(1))),
                        if_then(
                            compare(Relation::Equal, y(), lit(5)),
                            vec![statement(StatementKind::Return)],
                        ),
                    ],
                )],
            ),
        ];
        let world = World::with(vec![function("f").output("y", integer()).body(body)]);
        assert_eq!(world.call(0, vec![]), Ok(vec![5.into()]));
    }

    #[test]
    fn branches_are_tried_in_order() {
        let (n, y) = (|| local(0, integer()), || local(1, integer()));
        let branch = |limit: i64, value: i64| {
            (compare(Relation::Less, n(), lit(limit)), vec![assign(y(), lit(value))])
        };
        let body = vec![statement(StatementKind::If(
            vec![branch(0, -1), branch(10, 1)],
            vec![assign(y(), lit(100))],
        ))];
        let f = function("f").input("n", integer()).output("y", integer()).body(body);
        let world = World::with(vec![f]);
        for (n, y) in [(-5, -1), (5, 1), (15, 100)] {
            assert_eq!(world.call(0, vec![n.into()]), Ok(vec![y.into()]));
        }
    }

    #[test]
    fn a_loop_without_end_is_given_up() {
        let f = function("P.spin").body(vec![while_loop(lit(true), vec![])]);
        let world = World::with(vec![f]);
        let failure = world.call(0, vec![]).unwrap_err();
        let function = Some("P.spin".into());
        assert_eq!(failure, Failure::TooMuchWork { function, work: Work::Steps, span: span() });
        let mut files = Files::default();
        files.add("a.mo", "while true loop end while;\n");
        expect![[r#"
            error[too-much-work]: the evaluation takes too many steps in `P.spin`
             --> a.mo:1:1
              |
            1 | while true loop end while;
              | ^ given up here
              |
              = note: does a loop never end?"#]]
        .assert_eq(&render(&failure.into_diagnostic(), &files, Style::Plain));
        let mut small = Budget::new(100, 10);
        assert!(crate::call(FunctionId(0), vec![], &world, &mut small).is_err());
        assert_eq!(Budget::new(100, 10).steps_left(), 100);
    }

    #[test]
    fn several_results_go_to_several_places() {
        let two = function("two")
            .output("a", integer())
            .bound(lit(1))
            .output("b", Type::scalar(Scalar::Real))
            .bound(lit(2.5))
            .output("c", integer())
            .bound(lit(3));
        let v = Type::array(Scalar::Real, vec![Size::Known(2)]);
        let element = |i: i64| index(local(0, v.clone()), vec![at(i)]);
        let call = apply(0, vec![], integer());
        let f = function("f").output("y", v.clone()).body(vec![statement(StatementKind::AssignResults(
            vec![Some(element(2)), None, Some(element(1))],
            call,
        ))]);
        let world = World::with(vec![two, f]);
        assert_eq!(world.call(1, vec![]), Ok(vec![Value::reals([3.0, 1.0])]), "whole numbers become Reals");
    }

    #[test]
    fn outputs_of_open_size_grow_when_all_of_them_is_assigned() {
        // collectPositive of the specification
        let (x, y) = (|| local(0, ty(Scalar::Real, 1)), || local(1, ty(Scalar::Real, 1)));
        let this = || Subscript::Index(iterator(0));
        let one = range(iterator(0), None, iterator(0));
        let grown = builtin(
            Builtin::Cat,
            vec![lit(1), y(), index(x(), vec![Subscript::Index(one)])],
            ty(Scalar::Real, 1),
        );
        let body = vec![for_loop(
            0,
            up_to(size(x(), 1)),
            vec![if_then(
                compare(Relation::Greater, index(x(), vec![this()]), lit(0.0)),
                vec![assign(y(), grown)],
            )],
        )];
        let f = function("collectPositive")
            .input("x", ty(Scalar::Real, 1))
            .output("y", ty(Scalar::Real, 1))
            .body(body);
        let world = World::with(vec![f]);
        let found = world.call(0, vec![Value::reals([1.0, -2.0, 3.0, 0.0])]);
        assert_eq!(found, Ok(vec![Value::reals([1.0, 3.0])]));
    }

    #[test]
    fn asserts_fail_or_warn_by_their_level() {
        let level = |n| lit(Value::Enumeration(rhei_flat::EnumerationId(0), n));
        let assert = |condition: bool, level: Option<Expr>| {
            let arguments = [lit(condition), lit("x is too large")].into_iter().chain(level).collect();
            let call = builtin(Builtin::Assert, arguments, Type::scalar(Scalar::Boolean));
            function("f").body(vec![statement(StatementKind::Call(call))])
        };
        let world = World::with(vec![
            assert(true, None),
            assert(false, None),
            assert(false, Some(level(2))),
            assert(false, Some(level(1))),
        ]);
        let failed = Err(Failure::AssertFailed { message: "x is too large".into(), span: span() });
        assert_eq!(world.call(0, vec![]), Ok(vec![]));
        assert_eq!(world.call(1, vec![]), failed);
        assert_eq!(world.call(2, vec![]), failed);
        assert!(world.warnings.borrow().is_empty());
        assert_eq!(world.call(3, vec![]), Ok(vec![]));
        assert_eq!(*world.warnings.borrow(), ["x is too large"]);
    }

    #[test]
    fn functions_are_called_for_their_effect() {
        let check = function("check").body(vec![statement(StatementKind::Call(builtin(
            Builtin::Assert,
            vec![lit(false), lit("no")],
            Type::scalar(Scalar::Boolean),
        )))]);
        let f = function("f").body(vec![statement(StatementKind::Call(apply(0, vec![], integer())))]);
        assert!(matches!(World::with(vec![check, f]).call(1, vec![]), Err(Failure::AssertFailed { .. })));
    }
}
