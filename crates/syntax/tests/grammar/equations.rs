//! Equations and statements (MLS §A.2.6).

use expect_test::expect;

use super::{check_equation, check_statement};

#[test]
fn simple_equations() {
    check_equation(
        r#"a.b[1] = c "text" annotation(d = 1);"#,
        expect![[r#"
        equation
        SimpleEquation
          ComponentReference
            a
            .
            b
            ArraySubscripts
              [
              IntegerLiteral 1
              ]
          =
          ComponentReference c
          DescriptionString "text"
          AnnotationClause
            annotation
            ClassModification
              (
              ElementModification
                Name d
                Modification
                  =
                  IntegerLiteral 1
              )
        ;
    "#]],
    );
    check_equation(
        "(a, , b) = f(x);",
        expect![[r#"
        equation
        SimpleEquation
          TupleExpression
            (
            ComponentReference a
            ,
            ,
            ComponentReference b
            )
          =
          FunctionCall
            ComponentReference f
            FunctionArguments
              (
              ComponentReference x
              )
        ;
    "#]],
    );
    check_equation(
        r#"assert(a, "b");"#,
        expect![[r#"
        equation
        CallEquation
          FunctionCall
            ComponentReference assert
            FunctionArguments
              (
              ComponentReference a
              ,
              StringLiteral "b"
              )
        ;
    "#]],
    );
    check_equation(
        "connect(a.p, .b.n[1, :]);",
        expect![[r#"
        equation
        ConnectEquation
          connect
          (
          ComponentReference a . p
          ,
          ComponentReference
            .
            b
            .
            n
            ArraySubscripts
              [
              IntegerLiteral 1
              ,
              ColonSubscript :
              ]
          )
        ;
    "#]],
    );
}

#[test]
fn structured_equations() {
    check_equation(
        "if a then x = 1; elseif b then else y = 2; end if;",
        expect![[r#"
        equation
        IfEquation
          Branch
            if
            ComponentReference a
            then
            SimpleEquation
              ComponentReference x
              =
              IntegerLiteral 1
            ;
          Branch
            elseif
            ComponentReference b
            then
          Branch
            else
            SimpleEquation
              ComponentReference y
              =
              IntegerLiteral 2
            ;
          end
          if
        ;
    "#]],
    );
    check_equation(
        "for i in 1:3, j loop x = i; end for;",
        expect![[r#"
        equation
        ForEquation
          for
          ForIndex
            i
            in
            RangeExpression
              IntegerLiteral 1
              :
              IntegerLiteral 3
          ,
          ForIndex j
          loop
          SimpleEquation
            ComponentReference x
            =
            ComponentReference i
          ;
          end
          for
        ;
    "#]],
    );
    check_equation(
        "when a then x = 1; elsewhen b then y = 1; end when;",
        expect![[r#"
        equation
        WhenEquation
          Branch
            when
            ComponentReference a
            then
            SimpleEquation
              ComponentReference x
              =
              IntegerLiteral 1
            ;
          Branch
            elsewhen
            ComponentReference b
            then
            SimpleEquation
              ComponentReference y
              =
              IntegerLiteral 1
            ;
          end
          when
        ;
    "#]],
    );
}

#[test]
fn statements() {
    check_statement(
        "x[1] := 2;",
        expect![[r#"
        algorithm
        AssignmentStatement
          ComponentReference
            x
            ArraySubscripts
              [
              IntegerLiteral 1
              ]
          :=
          IntegerLiteral 2
        ;
    "#]],
    );
    check_statement(
        "(x, ) := f(1);",
        expect![[r#"
        algorithm
        AssignmentStatement
          TupleExpression
            (
            ComponentReference x
            ,
            )
          :=
          FunctionCall
            ComponentReference f
            FunctionArguments
              (
              IntegerLiteral 1
              )
        ;
    "#]],
    );
    check_statement(
        "der(x) := 1;",
        expect![[r#"
        algorithm
        AssignmentStatement
          FunctionCall
            ComponentReference der
            FunctionArguments
              (
              ComponentReference x
              )
          :=
          IntegerLiteral 1
        ;
    "#]],
    );
    check_statement(
        r#"print("a");"#,
        expect![[r#"
        algorithm
        CallStatement
          FunctionCall
            ComponentReference print
            FunctionArguments
              (
              StringLiteral "a"
              )
        ;
    "#]],
    );
    check_statement(
        "while a loop break; end while;",
        expect![[r#"
        algorithm
        WhileStatement
          while
          ComponentReference a
          loop
          BreakStatement break
          ;
          end
          while
        ;
    "#]],
    );
    check_statement(
        "if a then return; else x := 1; end if;",
        expect![[r#"
        algorithm
        IfStatement
          Branch
            if
            ComponentReference a
            then
            ReturnStatement return
            ;
          Branch
            else
            AssignmentStatement
              ComponentReference x
              :=
              IntegerLiteral 1
            ;
          end
          if
        ;
    "#]],
    );
    check_statement(
        "for i loop x := i; end for;",
        expect![[r#"
        algorithm
        ForStatement
          for
          ForIndex i
          loop
          AssignmentStatement
            ComponentReference x
            :=
            ComponentReference i
          ;
          end
          for
        ;
    "#]],
    );
}
