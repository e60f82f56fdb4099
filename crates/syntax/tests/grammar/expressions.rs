//! Expressions (MLS §A.2.7).

use expect_test::expect;

use super::check_expression;

#[test]
fn literals() {
    check_expression(
        "1",
        expect![[r#"
        IntegerLiteral 1
    "#]],
    );
    check_expression(
        "1.",
        expect![[r#"
        RealLiteral 1.
    "#]],
    );
    check_expression(
        "1.5e-3",
        expect![[r#"
        RealLiteral 1.5e-3
    "#]],
    );
    check_expression(
        ".5",
        expect![[r#"
        RealLiteral .5
    "#]],
    );
    check_expression(
        r#""a\"b""#,
        expect![[r#"
        StringLiteral "a\"b"
    "#]],
    );
    check_expression(
        "true",
        expect![[r#"
        BooleanLiteral true
    "#]],
    );
    check_expression(
        "time",
        expect![[r#"
        TimeExpression time
    "#]],
    );
}

#[test]
fn operators() {
    check_expression(
        "-a * b + c ^ 2",
        expect![[r#"
        BinaryExpression
          UnaryExpression
            -
            BinaryExpression
              ComponentReference a
              *
              ComponentReference b
          +
          BinaryExpression
            ComponentReference c
            ^
            IntegerLiteral 2
    "#]],
    );
    check_expression(
        "a or b and not c < d",
        expect![[r#"
        BinaryExpression
          ComponentReference a
          or
          BinaryExpression
            ComponentReference b
            and
            UnaryExpression
              not
              BinaryExpression
                ComponentReference c
                <
                ComponentReference d
    "#]],
    );
    check_expression(
        "a .+ b ./ c .^ d",
        expect![[r#"
        BinaryExpression
          ComponentReference a
          .+
          BinaryExpression
            ComponentReference b
            ./
            BinaryExpression
              ComponentReference c
              .^
              ComponentReference d
    "#]],
    );
    check_expression(
        "2.*x",
        expect![[r#"
        BinaryExpression
          RealLiteral 2.
          *
          ComponentReference x
    "#]],
    );
    check_expression(
        "1:n",
        expect![[r#"
        RangeExpression
          IntegerLiteral 1
          :
          ComponentReference n
    "#]],
    );
    check_expression(
        "1:2:n + 1",
        expect![[r#"
        RangeExpression
          IntegerLiteral 1
          :
          IntegerLiteral 2
          :
          BinaryExpression
            ComponentReference n
            +
            IntegerLiteral 1
    "#]],
    );
}

#[test]
fn references_and_calls() {
    check_expression(
        ".a.b[1, :].c",
        expect![[r#"
        ComponentReference
          .
          a
          .
          b
          ArraySubscripts
            [
            IntegerLiteral 1
            ,
            ColonSubscript :
            ]
          .
          c
    "#]],
    );
    check_expression(
        "x[end - 1]",
        expect![[r#"
        ComponentReference
          x
          ArraySubscripts
            [
            BinaryExpression
              EndExpression end
              -
              IntegerLiteral 1
            ]
    "#]],
    );
    check_expression(
        "f()",
        expect![[r#"
        FunctionCall
          ComponentReference f
          FunctionArguments ( )
    "#]],
    );
    check_expression(
        "f(a, b = 1, c = function g(d = 2))",
        expect![[r#"
        FunctionCall
          ComponentReference f
          FunctionArguments
            (
            ComponentReference a
            ,
            NamedArgument
              b
              =
              IntegerLiteral 1
            ,
            NamedArgument
              c
              =
              FunctionPartialApplication
                function
                TypeSpecifier g
                FunctionArguments
                  (
                  NamedArgument
                    d
                    =
                    IntegerLiteral 2
                  )
            )
    "#]],
    );
    check_expression(
        "sum(x for i in 1:n, j)",
        expect![[r#"
        FunctionCall
          ComponentReference sum
          FunctionArguments
            (
            ComponentReference x
            for
            ForIndex
              i
              in
              RangeExpression
                IntegerLiteral 1
                :
                ComponentReference n
            ,
            ForIndex j
            )
    "#]],
    );
    check_expression(
        "der(x)",
        expect![[r#"
        FunctionCall
          ComponentReference der
          FunctionArguments
            (
            ComponentReference x
            )
    "#]],
    );
    check_expression(
        "initial()",
        expect![[r#"
        FunctionCall
          ComponentReference initial
          FunctionArguments ( )
    "#]],
    );
    check_expression(
        "'a b'.c",
        expect![[r#"
        ComponentReference 'a b' . c
    "#]],
    );
}

#[test]
fn brackets() {
    check_expression(
        "(a)",
        expect![[r#"
        ParenthesizedExpression
          (
          ComponentReference a
          )
    "#]],
    );
    check_expression(
        "(a, , b)",
        expect![[r#"
        TupleExpression
          (
          ComponentReference a
          ,
          ,
          ComponentReference b
          )
    "#]],
    );
    check_expression(
        "()",
        expect![[r#"
        TupleExpression ( )
    "#]],
    );
    check_expression(
        "(a)[1]",
        expect![[r#"
        IndexedExpression
          ParenthesizedExpression
            (
            ComponentReference a
            )
          ArraySubscripts
            [
            IntegerLiteral 1
            ]
    "#]],
    );
    check_expression(
        "(a).b",
        expect![[r#"
        FieldAccess
          ParenthesizedExpression
            (
            ComponentReference a
            )
          .
          b
    "#]],
    );
    check_expression(
        "{1, {2}}",
        expect![[r#"
        ArrayConstructor
          {
          IntegerLiteral 1
          ,
          ArrayConstructor
            {
            IntegerLiteral 2
            }
          }
    "#]],
    );
    check_expression(
        "{i for i in r}",
        expect![[r#"
        ArrayConstructor
          {
          ComponentReference i
          for
          ForIndex
            i
            in
            ComponentReference r
          }
    "#]],
    );
    check_expression(
        "[1, 2; 3]",
        expect![[r#"
        MatrixConstructor
          [
          MatrixRow
            IntegerLiteral 1
            ,
            IntegerLiteral 2
          ;
          MatrixRow
            IntegerLiteral 3
          ]
    "#]],
    );
}

#[test]
fn if_expressions() {
    check_expression(
        "if a then 1 elseif b then 2 else 3",
        expect![[r#"
        IfExpression
          Branch
            if
            ComponentReference a
            then
            IntegerLiteral 1
          Branch
            elseif
            ComponentReference b
            then
            IntegerLiteral 2
          Branch
            else
            IntegerLiteral 3
    "#]],
    );
}
