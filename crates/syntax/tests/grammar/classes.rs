//! Classes and their elements (MLS §A.2.1 to §A.2.5).

use expect_test::expect;

use super::{check, check_element};

#[test]
fn stored_definitions() {
    check(
        "within A.B; final model M end M; package P end P;",
        expect![[r#"
        StoredDefinition
          WithinClause
            within
            Name A . B
          ;
          ClassDefinition
            final
            model
            LongClassSpecifier M end M
          ;
          ClassDefinition
            package
            LongClassSpecifier P end P
          ;
    "#]],
    );
    check(
        "within;",
        expect![[r#"
        StoredDefinition
          WithinClause within
          ;
    "#]],
    );
}

#[test]
fn long_classes() {
    check(
        r#"model M "one" + "two" // comment
  Real x; // trailing
public
  Real y;
protected
  Real z;
equation
  x = 1;
initial algorithm
  y := 2;
  annotation(a = 1);
end M;"#,
        expect![[r#"
            StoredDefinition
              ClassDefinition
                model
                LongClassSpecifier
                  M
                  DescriptionString "one" + "two"
                  // comment
                  ElementSection
                    ComponentClause
                      TypeSpecifier Real
                      Component x
                    ;
                  // trailing
                  ElementSection
                    public
                    ComponentClause
                      TypeSpecifier Real
                      Component y
                    ;
                  ElementSection
                    protected
                    ComponentClause
                      TypeSpecifier Real
                      Component z
                    ;
                  EquationSection
                    equation
                    SimpleEquation
                      ComponentReference x
                      =
                      IntegerLiteral 1
                    ;
                  AlgorithmSection
                    initial
                    algorithm
                    AssignmentStatement
                      ComponentReference y
                      :=
                      IntegerLiteral 2
                    ;
                  AnnotationClause
                    annotation
                    ClassModification
                      (
                      ElementModification
                        Name a
                        Modification
                          =
                          IntegerLiteral 1
                      )
                  ;
                  end
                  M
              ;
        "#]],
    );
}

#[test]
fn class_prefixes() {
    check(
        "encapsulated partial model M end M;",
        expect![[r#"
        StoredDefinition
          ClassDefinition
            encapsulated
            partial
            model
            LongClassSpecifier M end M
          ;
    "#]],
    );
    check(
        "operator record R end R;",
        expect![[r#"
        StoredDefinition
          ClassDefinition
            operator
            record
            LongClassSpecifier R end R
          ;
    "#]],
    );
    check(
        "expandable connector C end C;",
        expect![[r#"
        StoredDefinition
          ClassDefinition
            expandable
            connector
            LongClassSpecifier C end C
          ;
    "#]],
    );
    check(
        "impure operator function F end F;",
        expect![[r#"
        StoredDefinition
          ClassDefinition
            impure
            operator
            function
            LongClassSpecifier F end F
          ;
    "#]],
    );
    check(
        "operator '+' end '+';",
        expect![[r#"
        StoredDefinition
          ClassDefinition
            operator
            LongClassSpecifier '+' end '+'
          ;
    "#]],
    );
}

#[test]
fn short_classes() {
    check(
        r#"type V = input Real[3](unit = "V") "volts" annotation(a = 1);"#,
        expect![[r#"
        StoredDefinition
          ClassDefinition
            type
            ShortClassSpecifier
              V
              =
              input
              TypeSpecifier Real
              ArraySubscripts
                [
                IntegerLiteral 3
                ]
              ClassModification
                (
                ElementModification
                  Name unit
                  Modification
                    =
                    StringLiteral "V"
                )
              DescriptionString "volts"
              AnnotationClause
                annotation
                ClassModification
                  (
                  ElementModification
                    Name a
                    Modification
                      =
                      IntegerLiteral 1
                  )
          ;
    "#]],
    );
    check(
        r#"type E = enumeration(a "A", b);"#,
        expect![[r#"
        StoredDefinition
          ClassDefinition
            type
            EnumerationSpecifier
              E
              =
              enumeration
              (
              EnumerationLiteral
                a
                DescriptionString "A"
              ,
              EnumerationLiteral b
              )
          ;
    "#]],
    );
    check(
        "type F = enumeration(:);",
        expect![[r#"
        StoredDefinition
          ClassDefinition
            type
            EnumerationSpecifier F = enumeration ( : )
          ;
    "#]],
    );
    check(
        "function g = der(P.f, x, y);",
        expect![[r#"
        StoredDefinition
          ClassDefinition
            function
            DerClassSpecifier
              g
              =
              der
              (
              TypeSpecifier P . f
              ,
              x
              ,
              y
              )
          ;
    "#]],
    );
    check(
        "model extends M(a = 1) end M;",
        expect![[r#"
        StoredDefinition
          ClassDefinition
            model
            ExtendsClassSpecifier
              extends
              M
              ClassModification
                (
                ElementModification
                  Name a
                  Modification
                    =
                    IntegerLiteral 1
                )
              end
              M
          ;
    "#]],
    );
}

#[test]
fn imports() {
    check_element(
        "import A.B.C;",
        expect![[r#"
        ImportClause
          import
          Name A . B . C
        ;
    "#]],
    );
    check_element(
        "import D = A.B;",
        expect![[r#"
        ImportClause
          import
          D
          =
          Name A . B
        ;
    "#]],
    );
    check_element(
        "import A.*;",
        expect![[r#"
        ImportClause
          import
          Name A
          .*
        ;
    "#]],
    );
    check_element(
        "import A.B.{c, d};",
        expect![[r#"
        ImportClause
          import
          Name A . B
          .
          ImportList { c , d }
        ;
    "#]],
    );
}

#[test]
fn extends_clauses() {
    check_element(
        "extends .A.B(x = 1, break y, break connect(a, b)) annotation(c = 1);",
        expect![[r#"
        ExtendsClause
          extends
          TypeSpecifier . A . B
          ClassModification
            (
            ElementModification
              Name x
              Modification
                =
                IntegerLiteral 1
            ,
            InheritanceBreak break y
            ,
            InheritanceBreak
              break
              ConnectEquation
                connect
                (
                ComponentReference a
                ,
                ComponentReference b
                )
            )
          AnnotationClause
            annotation
            ClassModification
              (
              ElementModification
                Name c
                Modification
                  =
                  IntegerLiteral 1
              )
        ;
    "#]],
    );
}

#[test]
fn component_clauses() {
    check_element(
        r#"final inner flow parameter input A.B[3] x[2](start = 1) = 3 if c "text", y;"#,
        expect![[r#"
            ComponentClause
              final
              inner
              flow
              parameter
              input
              TypeSpecifier A . B
              ArraySubscripts
                [
                IntegerLiteral 3
                ]
              Component
                x
                ArraySubscripts
                  [
                  IntegerLiteral 2
                  ]
                Modification
                  ClassModification
                    (
                    ElementModification
                      Name start
                      Modification
                        =
                        IntegerLiteral 1
                    )
                  =
                  IntegerLiteral 3
                ConditionAttribute
                  if
                  ComponentReference c
                DescriptionString "text"
              ,
              Component y
            ;
        "#]],
    );
    check_element(
        r#"replaceable Real m = 1 constrainedby Real(min = 0) "text";"#,
        expect![[r#"
        ComponentClause
          replaceable
          TypeSpecifier Real
          Component
            m
            Modification
              =
              IntegerLiteral 1
          ConstrainingClause
            constrainedby
            TypeSpecifier Real
            ClassModification
              (
              ElementModification
                Name min
                Modification
                  =
                  IntegerLiteral 0
              )
            DescriptionString "text"
        ;
    "#]],
    );
}

#[test]
fn modifications() {
    check_element(
        r#"A a(each final x.y(z = 1) = 2 "text", redeclare replaceable model M = N constrainedby O, replaceable Real r, u = break);"#,
        expect![[r#"
            ComponentClause
              TypeSpecifier A
              Component
                a
                Modification
                  ClassModification
                    (
                    ElementModification
                      each
                      final
                      Name x . y
                      Modification
                        ClassModification
                          (
                          ElementModification
                            Name z
                            Modification
                              =
                              IntegerLiteral 1
                          )
                        =
                        IntegerLiteral 2
                      DescriptionString "text"
                    ,
                    ClassDefinition
                      redeclare
                      replaceable
                      model
                      ShortClassSpecifier
                        M
                        =
                        TypeSpecifier N
                      ConstrainingClause
                        constrainedby
                        TypeSpecifier O
                    ,
                    ComponentClause
                      replaceable
                      TypeSpecifier Real
                      Component r
                    ,
                    ElementModification
                      Name u
                      Modification = break
                    )
            ;
        "#]],
    );
    check_element(
        "Real x := 3;",
        expect![[r#"
        ComponentClause
          TypeSpecifier Real
          Component
            x
            Modification
              :=
              IntegerLiteral 3
        ;
    "#]],
    );
}

#[test]
fn external_functions() {
    check_element(
        "external;",
        expect![[r#"
        ExternalClause external
        ;
        end
        M
    "#]],
    );
    check_element(
        r#"external "C" y = f(x, 1) annotation(Library = "m");"#,
        expect![[r#"
        ExternalClause
          external
          "C"
          ComponentReference y
          =
          f
          (
          ComponentReference x
          ,
          IntegerLiteral 1
          )
          AnnotationClause
            annotation
            ClassModification
              (
              ElementModification
                Name Library
                Modification
                  =
                  StringLiteral "m"
              )
        ;
        end
        M
    "#]],
    );
}

#[test]
fn comments() {
    check(
        r#"/* head */ model M // one
  /* two */ Real x /* three */ = 1; end M; // end"#,
        expect![[r#"
            StoredDefinition
              /* head */
              ClassDefinition
                model
                LongClassSpecifier
                  M
                  // one
                  /* two */
                  ElementSection
                    ComponentClause
                      TypeSpecifier Real
                      Component
                        x
                        /* three */
                        Modification
                          =
                          IntegerLiteral 1
                    ;
                  end
                  M
              ;
              // end
        "#]],
    );
}

#[test]
fn error_nodes() {
    check(
        "model M Real x y z; Real a; equation x = = 3; y = 1; end M;",
        expect![[r#"
        StoredDefinition
          ClassDefinition
            model
            LongClassSpecifier
              M
              ElementSection
                ComponentClause
                  TypeSpecifier Real
                  Component x
                ErrorNode y z
                ;
                ComponentClause
                  TypeSpecifier Real
                  Component a
                ;
              EquationSection
                equation
                SimpleEquation
                  ComponentReference x
                  =
                ErrorNode = 3
                ;
                SimpleEquation
                  ComponentReference y
                  =
                  IntegerLiteral 1
                ;
              end
              M
          ;
        syntax-error: expected `;` after a declaration, found `y`
        syntax-error: expected an expression, found `=`
    "#]],
    );
    check(
        "@ model M end M",
        expect![[r#"
        StoredDefinition
          @
          ClassDefinition
            model
            LongClassSpecifier M end M
        invalid-character: `@` has no meaning in Modelica
        missing-semicolon: `;` is missing after a class definition
    "#]],
    );
}
