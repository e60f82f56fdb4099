//! Views of a tree.

use expect_test::{Expect, expect};
use rhei_source::FileId;
use rhei_syntax::ast::{
    Argument, Causality, ClassDefinition, ClassKind, ClassSpecifier, ConnectionPrefix, Element, Equation,
    Expression, ImportForm, Purity, Section, Statement, Subscript, Variability, Visibility,
};
use rhei_syntax::{Parsed, parse, parse_component_reference, parse_expression, parse_modification};

const EVERYTHING: &str = include_str!("everything.mo");

fn parsed(text: &str) -> Parsed {
    let parsed = parse(FileId(0), text.into());
    assert_eq!(parsed.diagnostics, [], "{text}");
    parsed
}

fn first_class(parsed: &Parsed) -> ClassDefinition<'_> {
    parsed.stored_definition().unwrap().classes().next().unwrap()
}

fn class<'t>(parsed: &'t Parsed, name: &str) -> ClassDefinition<'t> {
    first_class(parsed).classes().find(|class| class.name().unwrap().text() == name).unwrap()
}

/// An expression with all its brackets.
fn shown(expression: Option<Expression<'_>>) -> String {
    let Some(expression) = expression else { return "?".into() };
    let list = |items: Vec<String>| items.join(", ");
    let all = |items: Vec<Expression<'_>>| list(items.into_iter().map(|item| shown(Some(item))).collect());
    match expression {
        Expression::Integer(e) => e.value().map_or("too large".into(), |value| value.to_string()),
        Expression::Real(e) => format!("{:?}", e.value()),
        Expression::String(e) => format!("{:?}", e.value()),
        Expression::Boolean(e) => e.value().to_string(),
        Expression::Time(_) => "time".into(),
        Expression::End(_) => "end".into(),
        Expression::Reference(e) => {
            let parts = e.parts().map(|part| {
                let subscripts = part.subscripts.map(|subscripts| {
                    let each = subscripts.subscripts().map(|subscript| match subscript {
                        Subscript::Colon(_) => ":".into(),
                        Subscript::Index(index) => shown(Some(index)),
                    });
                    format!("[{}]", list(each.collect()))
                });
                format!("{}{}", part.name.text(), subscripts.unwrap_or_default())
            });
            format!("{}{}", if e.is_global() { "." } else { "" }, parts.collect::<Vec<_>>().join("."))
        }
        Expression::Call(e) => {
            let mut arguments: Vec<String> = e.positional().map(|argument| shown(Some(argument))).collect();
            arguments.extend(e.named().map(|n| format!("{}={}", n.name().unwrap().text(), shown(n.value()))));
            let iterators: String = e
                .iterators()
                .map(|i| format!(" for {} in {}", i.name().unwrap().text(), shown(i.range())))
                .collect();
            format!("{}({}{iterators})", e.function().unwrap(), list(arguments))
        }
        Expression::Function(e) => format!("function {} with {}", e.function().unwrap(), e.named().count()),
        Expression::Parenthesized(e) => shown(e.inner()),
        Expression::Tuple(e) => format!("({})", list(e.places().into_iter().map(shown).collect())),
        Expression::Indexed(e) => format!("index({})", shown(e.inner())),
        Expression::Field(e) => format!("field({}, {})", shown(e.inner()), e.name().unwrap().text()),
        Expression::Array(e) => {
            format!("{{{}}}{}", all(e.elements().collect()), "*".repeat(e.iterators().count()))
        }
        Expression::Matrix(e) => {
            let rows: Vec<String> = e.rows().map(|row| all(row.elements().collect())).collect();
            format!("[{}]", rows.join("; "))
        }
        Expression::Range(e) => {
            format!("range({}, {}, {})", shown(e.start()), shown(e.step()), shown(e.stop()))
        }
        Expression::If(e) => {
            let branches = e
                .branches()
                .map(|branch| format!("{} ? {}", shown(branch.condition()), shown(branch.value())));
            format!("if({})", list(branches.collect()))
        }
        Expression::Unary(e) => format!("({} {})", e.operator().unwrap().symbol(), shown(e.operand())),
        Expression::Binary(e) => {
            format!("({} {} {})", shown(e.left()), e.operator().map_or("?", |o| o.symbol()), shown(e.right()))
        }
    }
}

fn check(text: &str, expected: Expect) {
    let parsed = parse_expression(FileId(0), text.into());
    expected.assert_eq(&shown(parsed.expression()));
}

#[test]
fn expressions() {
    check("-a * b + c ^ 2 - d", expect!["(((- (a * b)) + (c ^ 2)) - d)"]);
    check("not a == b or c and d", expect!["((not (a == b)) or (c and d))"]);
    check("a .* b ./ c .+ d .- e .^ f", expect!["((((a .* b) ./ c) .+ d) .- (e .^ f))"]);
    check("1 + 2. * .5e1 - \"a\\n\" + true", expect![[r#"(((1 + (2.0 * 5.0)) - "a\n") + true)"#]]);
    check(".a.b[1, :].c[end - 1]", expect![".a.b[1, :].c[(end - 1)]"]);
    check("f(x, g(), a = 1, b = function h(c = 2))", expect!["f(x, g(), a=1, b=function h with 1)"]);
    check("sum(x[i] for i in 1:n, j)", expect!["sum(x[i] for i in range(1, ?, n) for j in ?)"]);
    check("(a, , b)", expect!["(a, ?, b)"]);
    check("(, a)", expect!["(?, a)"]);
    check("(a)[1] + (b).c", expect!["(index(a) + field(b, c))"]);
    check("{1, {2, 3}}", expect!["{1, {2, 3}}"]);
    check("{i for i in 1:2}", expect!["{i}*"]);
    check("[1, 2; 3, 4]", expect!["[1, 2; 3, 4]"]);
    check("1:n", expect!["range(1, ?, n)"]);
    check("1:2:n", expect!["range(1, 2, n)"]);
    check("if a then 1 elseif b then 2 else 3", expect!["if(a ? 1, b ? 2, ? ? 3)"]);
    check("der(x) + initial() + time", expect!["((der(x) + initial()) + time)"]);
    check("99999999999999999999", expect!["too large"]);
}

#[test]
fn broken_expressions_are_read_as_far_as_they_go() {
    check("a + ", expect!["(a + ?)"]);
    check("f(a, , b", expect!["f(a, b)"]);
    check("x != 3 && y", expect!["((x <> 3) and y)"]);
    check("1 : ", expect!["range(1, ?, ?)"]);
    check("if a then", expect!["if(a ? ?)"]);
}

#[test]
fn classes() {
    let parsed = parsed(EVERYTHING);
    let file = parsed.stored_definition().unwrap();
    assert_eq!(file.within().unwrap().name().unwrap().to_string(), "Test.Everything");
    let everything = first_class(&parsed);
    assert!(everything.is_final() && !everything.is_partial());
    assert_eq!(everything.description().unwrap().value(), "All of it in one");
    assert!(everything.annotation().unwrap().find("version").is_some());
    let outline: Vec<String> = everything
        .classes()
        .map(|class| {
            let form = match class.specifier().unwrap() {
                ClassSpecifier::Body(body) if body.is_extends() => "extends".into(),
                ClassSpecifier::Body(body) => format!("to end {}", body.end_name().unwrap().text()),
                ClassSpecifier::Short(short) => format!("= {}", short.base().unwrap()),
                ClassSpecifier::Enumeration(e) => {
                    format!("{} literals, open: {}", e.literals().count(), e.is_open())
                }
                ClassSpecifier::Der(der) => {
                    format!("der of {} by {}", der.function().unwrap(), der.inputs().count())
                }
            };
            format!("{:?} {} {form}", class.kind(), class.name().unwrap().text())
        })
        .collect();
    expect![[r#"
        Type Voltage = Real
        Type Empty 0 literals, open: true
        Type Level 3 literals, open: false
        Type Vector = Real
        Function df der of .Everything.f by 2
        Model Base to end Base
        ExpandableConnector Bus to end Bus
        OperatorRecord Complex to end Complex
        Function now to end now
        Function f to end f
        Model Inherited extends
        Model Main to end Main
    "#]]
    .assert_eq(&(outline.join("\n") + "\n"));
    let base = class(&parsed, "Base");
    assert!(base.is_encapsulated() && base.is_partial());
    assert_eq!(class(&parsed, "now").purity(), Some(Purity::Impure));
    assert_eq!(class(&parsed, "f").purity(), Some(Purity::Pure));
    assert_eq!(class(&parsed, "Complex").kind(), ClassKind::OperatorRecord);
    let package = base.classes().next().unwrap();
    assert!(package.is_replaceable());
    assert_eq!(package.constraining_clause().unwrap().type_name().unwrap().to_string(), "R");
    let inherited = class(&parsed, "Inherited");
    assert_eq!(inherited.body().unwrap().modification().unwrap().arguments().count(), 1);
}

#[test]
fn elements() {
    let parsed = parsed(EVERYTHING);
    let imports: Vec<String> = first_class(&parsed)
        .elements()
        .filter_map(|element| match element {
            Element::Import(import) => Some(match import.form().unwrap() {
                ImportForm::Qualified(name) => name.to_string(),
                ImportForm::Renamed(alias, name) => format!("{} = {name}", alias.text()),
                ImportForm::Unqualified(name) => format!("{name}.*"),
                ImportForm::List(name, list) => format!("{name}.{}", list.len()),
            }),
            _ => None,
        })
        .collect();
    assert_eq!(
        imports,
        ["Modelica.Constants.pi", "SI = Modelica.Units.SI", "Modelica.Math.*", "Modelica.Math.3"]
    );

    let main = class(&parsed, "Main");
    let components: Vec<String> = main
        .elements()
        .filter_map(|element| match element {
            Element::Component(clause) => Some((element.visibility(), clause)),
            _ => None,
        })
        .flat_map(|(visibility, clause)| {
            clause.components().map(move |component| {
                assert_eq!(component.clause(), Some(clause));
                format!(
                    "{} {}{}{} dims {} value {} if {}",
                    clause.type_name().unwrap(),
                    component.name().unwrap().ident(),
                    if visibility == Visibility::Protected { " protected" } else { "" },
                    clause.variability().map_or("".into(), |v| format!(" {v:?}")),
                    component.subscripts().map_or(0, |s| s.subscripts().count()),
                    shown(component.modification().and_then(|m| m.value())),
                    shown(component.condition()),
                )
            })
        })
        .collect();
    expect![[r#"
        Real p Parameter dims 1 value [1, 2; 3, 4] if use_p
        Integer k Discrete dims 0 value ? if ?
        'quoted name \' with ()' q dims 0 value ? if ?
        'quoted name \' with ()' r dims 2 value ? if ?
        .Modelica.Units.SI.Time t dims 0 value time if ?
        Real x dims 0 value ? if ?
        Real y protected dims 0 value sum((a[i] * b[j]) for i in range(1, ?, n) for j in {1, 2}) if ?
        Real z protected dims 1 value {(i ^ 2)}* if ?
    "#]]
    .assert_eq(&(components.join("\n") + "\n"));
}

#[test]
fn prefixes_and_modifications() {
    let parsed = parsed(EVERYTHING);
    let main = class(&parsed, "Main");
    let clauses: Vec<_> =
        main.elements().filter_map(|e| if let Element::Component(c) = e { Some(c) } else { None }).collect();
    assert!(
        clauses[0].is_redeclare() && clauses[0].is_final() && clauses[0].is_inner() && clauses[0].is_outer()
    );
    assert_eq!(clauses[0].variability(), Some(Variability::Parameter));
    assert_eq!(
        (clauses[1].causality(), clauses[1].variability()),
        (Some(Causality::Output), Some(Variability::Discrete))
    );
    let p = clauses[0].components().next().unwrap();
    assert_eq!(p.description().unwrap().value(), "conditional");
    assert!(p.annotation().unwrap().find("Evaluate").is_some());

    let bus: Vec<_> = class(&parsed, "Bus")
        .elements()
        .map(|e| if let Element::Component(c) = e { c.connection_prefix() } else { None })
        .collect();
    assert_eq!(bus, [Some(ConnectionPrefix::Flow), Some(ConnectionPrefix::Stream)]);

    let Some(Element::Extends(extends)) = main.elements().next() else { panic!("an extends") };
    assert_eq!(extends.base().unwrap().to_string(), "Base");
    let breaks: Vec<bool> = extends.breaks().map(|b| b.connection().is_some()).collect();
    assert_eq!(breaks, [false, true]);
    let arguments: Vec<Argument<'_>> = extends.modification().unwrap().arguments().collect();
    assert_eq!(arguments.len(), 4);
    let Argument::Modification(u) = arguments[2] else { panic!("a modification") };
    assert!(u.modification().unwrap().is_break());
    assert_eq!(u.modification().unwrap().arguments().count(), 1);
    let Argument::Class(model) = arguments[3] else { panic!("a class") };
    assert!(model.is_redeclare() && model.is_final() && model.is_replaceable());
}

#[test]
fn external_functions() {
    let parsed = parsed(EVERYTHING);
    let external = class(&parsed, "now").body().unwrap().external().unwrap();
    assert_eq!(external.language().unwrap(), "C");
    assert_eq!(external.result().unwrap().to_string(), "t");
    assert_eq!(external.function().unwrap().text(), "clock");
    let arguments: Vec<String> = external.arguments().map(|argument| shown(Some(argument))).collect();
    assert_eq!(arguments, ["0", "0.0015"]);
    assert!(external.annotation().is_some());
}

fn equation_shown(equation: Equation<'_>) -> String {
    let block = |equations: Vec<Equation<'_>>| -> String {
        equations.into_iter().map(|equation| equation_shown(equation) + "; ").collect()
    };
    match equation {
        Equation::Simple(e) => format!("{} = {}", shown(e.left()), shown(e.right())),
        Equation::Call(e) => shown(e.call().map(Expression::Call)),
        Equation::Connect(e) => format!("connect {} {}", shown(e.left()), shown(e.right())),
        Equation::If(e) => e
            .branches()
            .map(|b| format!("if {}: {}", shown(b.condition()), block(b.equations().collect())))
            .collect(),
        Equation::When(e) => e
            .branches()
            .map(|b| format!("when {}: {}", shown(b.condition()), block(b.equations().collect())))
            .collect(),
        Equation::For(e) => {
            let indices: Vec<String> = e
                .indices()
                .map(|i| format!("{} in {}", i.name().unwrap().text(), shown(i.range())))
                .collect();
            format!("for {}: {}", indices.join(", "), block(e.equations().collect()))
        }
    }
}

fn statement_shown(statement: Statement<'_>) -> String {
    let block = |statements: Vec<Statement<'_>>| -> String {
        statements.into_iter().map(|statement| statement_shown(statement) + "; ").collect()
    };
    match statement {
        Statement::Assignment(s) => format!("{} := {}", shown(s.target()), shown(s.value())),
        Statement::Call(s) => shown(s.call().map(Expression::Call)),
        Statement::Break(_) => "break".into(),
        Statement::Return(_) => "return".into(),
        Statement::If(s) => s
            .branches()
            .map(|b| format!("if {}: {}", shown(b.condition()), block(b.statements().collect())))
            .collect(),
        Statement::When(s) => s
            .branches()
            .map(|b| format!("when {}: {}", shown(b.condition()), block(b.statements().collect())))
            .collect(),
        Statement::For(s) => format!("for {}: {}", s.indices().count(), block(s.statements().collect())),
        Statement::While(s) => format!("while {}: {}", shown(s.condition()), block(s.statements().collect())),
    }
}

#[test]
fn equations_and_statements() {
    let parsed = parsed(EVERYTHING);
    let mut lines = Vec::new();
    for name in ["Main", "f"] {
        for section in class(&parsed, name).sections() {
            match section {
                Section::Equations(section) => {
                    lines.push(format!("equations, initial: {}", section.is_initial()));
                    lines.extend(section.equations().map(equation_shown));
                }
                Section::Algorithm(section) => {
                    lines.push(format!("algorithm, initial: {}", section.is_initial()));
                    lines.extend(section.statements().map(statement_shown));
                }
                Section::Elements(_) | Section::External(_) => {}
            }
        }
    }
    expect![[r#"
        equations, initial: true
        x = 0
        algorithm, initial: true
        y := 1
        equations, initial: false
        der(x) = ((- x) + if(initial() ? 1, (x > 1) ? 2, ? ? 3))
        if a: x = 1; if b: if ?: y = 2; 
        for i in ?: connect a[i].p .b.n[1, :]; 
        when (x > 0): reinit(x, pure(rand())); when (x < 0): Connections.branch(a.R, b.R); 
        (a, ?, b) = f(x)
        ((x .+ y) .- z) = ((a .* b) ./ (c .^ d))
        0 = ((100000.0 - (13.0 * 0.001)) + 25.0)
        algorithm, initial: false
        (y, z) := g(x, h=function k with 2, n=3)
        (?, z) := g(x)
        for 2: if (((i > 3) and (not (j <= 4))) or flags[1]): break; if (i == 3): y := (- ((x[end, 1] ^ 2) / 0.5)); if ?: return; ; 
        while (y < 10): y := (y + 1); 
        when sample(0, 1): z := pre(z); when {a, b}: der(z) := 0; 
        assert((y <> 0), "y must not be 0")
        y := (index(f(x)) + field(a.b, c))
    "#]].assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn descriptions_and_spans() {
    let text =
        "model M equation\n  x = 1  \"why\" annotation(a = 1) ; // trailing\n  // leading\n  y = 2; end M;";
    let parsed = parsed(text);
    let Some(Section::Equations(section)) = first_class(&parsed).sections().next() else {
        panic!("equations")
    };
    let equations: Vec<Equation<'_>> = section.equations().collect();
    assert_eq!(equations[0].description().unwrap().value(), "why");
    assert!(equations[0].annotation().unwrap().find("a").is_some());
    assert_eq!(&text[equations[0].span().range.as_usize()], "x = 1  \"why\" annotation(a = 1)");
    assert_eq!(equations[0].node().trailing_comment().unwrap().text(), "// trailing");
    let leading: Vec<&str> =
        equations[1].node().leading_comments().iter().map(|token| token.text()).collect();
    assert_eq!(leading, ["// leading"]);
    let offset = text.find('1').unwrap() as u32;
    assert_eq!(parsed.tree.node_at(offset).text(), "1");
    assert_eq!(parsed.tree.comments().count(), 2);
}

#[test]
fn lone_references_and_modifications() {
    let reference = parse_component_reference(FileId(0), "body[2].frame_a.r_0[1]".into());
    assert_eq!(reference.diagnostics, []);
    let Some(Expression::Reference(reference)) = reference.expression() else { panic!("a reference") };
    assert_eq!(reference.parts().count(), 3);
    assert_eq!(reference.to_string(), "body[2].frame_a.r_0[1]");

    let modification = parse_modification(FileId(0), "x(start = 3) = -5".into());
    assert_eq!(modification.diagnostics, []);
    let Some(Argument::Modification(modification)) = modification.argument() else {
        panic!("a modification")
    };
    assert_eq!(modification.name().unwrap().as_ident().unwrap().text(), "x");
    assert_eq!(shown(modification.modification().unwrap().value()), "(- 5)");

    assert_eq!(parse_expression(FileId(0), "1 2".into()).diagnostics.len(), 1);
    assert_eq!(parse_component_reference(FileId(0), "".into()).diagnostics.len(), 1);
}

#[test]
fn trees_are_shared_among_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<rhei_syntax::Tree>();
    shared::<Parsed>();
    shared::<Expression<'static>>();
}
