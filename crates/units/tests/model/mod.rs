//! Flat models from a few lines that look like Modelica: scalar Reals, equations, assignments.

use rhei_flat::{
    Algorithm, Arithmetic, Attributes, Builtin, Equation, EquationKind, Expr, ExprKind, Flat, FunctionId,
    Name, Relation, Scalar, Size, Statement, StatementKind, Type, VarId, Variability, Variable, WhenBranch,
};
use rhei_source::{FileId, Files, Span};

/// Reads a model; a name that is neither declared nor built in is a function.
pub fn read(text: &str) -> (Flat, Files) {
    let mut files = Files::default();
    let file = files.add("a.mo", text);
    let mut reader = Reader { text, at: 0, file, flat: Flat::default() };
    while reader.accept("Real ") {
        reader.declaration();
    }
    if reader.accept("equation") {
        reader.flat.equations = reader.equations(&["algorithm"]);
    }
    if reader.accept("algorithm") {
        reader.algorithm();
    }
    assert_eq!(reader.rest(), "", "all is read");
    (reader.flat, files)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    file: FileId,
    flat: Flat,
}

impl<'a> Reader<'a> {
    fn rest(&mut self) -> &'a str {
        self.at = self.text.len() - self.text[self.at..].trim_start().len();
        &self.text[self.at..]
    }

    fn accept(&mut self, wanted: &str) -> bool {
        let is_there = self.rest().starts_with(wanted);
        self.at += if is_there { wanted.len() } else { 0 };
        is_there
    }

    fn expect(&mut self, wanted: &str) {
        assert!(self.accept(wanted), "{wanted} before {}", self.rest());
    }

    fn start(&mut self) -> usize {
        self.rest();
        self.at
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start as u32, self.text[..self.at].trim_end().len() as u32)
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn string(&mut self) -> &'a str {
        self.expect("\"");
        let rest = self.rest();
        let length = rest.find('"').unwrap();
        self.at += length + 1;
        &rest[..length]
    }

    fn declaration(&mut self) {
        let start = self.start();
        let name = Name::simple(self.word(), 0);
        let mut attributes = Attributes::default();
        let span = self.span(start);
        if self.accept("(") {
            while !self.accept(")") {
                let attribute = self.word();
                self.expect("=");
                match attribute {
                    "unit" => attributes.unit = Some(self.string().into()),
                    "displayUnit" => attributes.display_unit = Some(self.string().into()),
                    "start" => attributes.start = Some(self.expression()),
                    other => panic!("attribute {other}"),
                }
                self.accept(",");
            }
        }
        let binding = self.accept("=").then(|| self.expression());
        self.expect(";");
        self.flat.variables.push(Variable {
            name,
            ty: Type::scalar(Scalar::Real),
            variability: Variability::Continuous,
            causality: None,
            is_protected: false,
            is_final: false,
            structural: false,
            attributes: attributes.shared(),
            binding,
            description: "".into(),
            span,
        });
    }

    fn equations(&mut self, ends: &[&str]) -> Vec<Equation> {
        let mut equations = Vec::new();
        while !self.rest().is_empty() && !ends.iter().any(|end| self.rest().starts_with(end)) {
            let start = self.start();
            let kind = if self.accept("when ") {
                let condition = self.expression();
                self.expect("then");
                let branch = WhenBranch { condition, equations: self.equations(&["end when"]) };
                self.expect("end when");
                EquationKind::When(vec![branch])
            } else {
                let lhs = self.expression();
                if self.accept("=") {
                    EquationKind::Equal(lhs, self.expression())
                } else {
                    EquationKind::Call(lhs)
                }
            };
            equations.push(Equation { kind, component: "".into(), span: self.span(start) });
            self.expect(";");
        }
        equations
    }

    fn algorithm(&mut self) {
        let start = self.start();
        let mut statements = Vec::new();
        while !self.rest().is_empty() {
            let start = self.start();
            let target = self.expression();
            self.expect(":=");
            let kind = StatementKind::Assign(target, self.expression());
            statements.push(Statement { kind, span: self.span(start) });
            self.expect(";");
        }
        let span = self.span(start);
        self.flat.algorithms.push(Algorithm { statements, component: "".into(), loops: vec![], span });
    }

    fn make(&self, start: usize, kind: ExprKind) -> Expr {
        Expr { kind, ty: Type::scalar(Scalar::Real), span: self.span(start) }
    }

    fn expression(&mut self) -> Expr {
        let start = self.start();
        if self.accept("if ") {
            let condition = Box::new(self.expression());
            self.expect("then");
            let then = Box::new(self.expression());
            self.expect("else");
            let otherwise = Box::new(self.expression());
            return self.make(start, ExprKind::If(condition, then, otherwise));
        }
        let lhs = self.sum();
        for (symbol, relation) in [("<", Relation::Less), (">", Relation::Greater)] {
            if self.accept(symbol) {
                let rhs = self.sum();
                return self.make(start, ExprKind::Relation(relation, Box::new(lhs), Box::new(rhs)));
            }
        }
        lhs
    }

    fn operations(&mut self, operators: &[(&str, Arithmetic)], operand: fn(&mut Reader<'a>) -> Expr) -> Expr {
        let start = self.start();
        let mut result = operand(self);
        while let Some((_, op)) = operators.iter().find(|(symbol, _)| self.accept(symbol)) {
            let rhs = operand(self);
            result = self.make(start, ExprKind::Arithmetic(*op, Box::new(result), Box::new(rhs)));
        }
        result
    }

    fn sum(&mut self) -> Expr {
        self.operations(&[("+", Arithmetic::Add), ("-", Arithmetic::Subtract)], Reader::product)
    }

    fn product(&mut self) -> Expr {
        self.operations(&[("*", Arithmetic::Multiply), ("/", Arithmetic::Divide)], Reader::power)
    }

    fn power(&mut self) -> Expr {
        self.operations(&[("^", Arithmetic::Power)], Reader::primary)
    }

    fn list(&mut self, end: &str) -> Vec<Expr> {
        let mut all = Vec::new();
        while !self.accept(end) {
            all.push(self.expression());
            self.accept(",");
        }
        all
    }

    fn primary(&mut self) -> Expr {
        let start = self.start();
        if self.accept("(") {
            let mut inner = self.expression();
            self.expect(")");
            inner.span = self.span(start);
            return inner;
        }
        if self.accept("-") {
            let operand = Box::new(self.primary());
            return self.make(start, ExprKind::Negate(operand));
        }
        if self.accept("{") {
            let elements = self.list("}");
            let ty = Type::array(Scalar::Real, vec![Size::Known(elements.len())]);
            return Expr { ty, ..self.make(start, ExprKind::Array(elements)) };
        }
        if self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            let rest = self.rest();
            let length = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
            self.at += length;
            return self.make(start, ExprKind::Real(rest[..length].parse().unwrap()));
        }
        let word = self.word();
        if self.accept("(") {
            let arguments = self.list(")");
            return self.make(
                start,
                match Builtin::named(word) {
                    Some(builtin) => ExprKind::Call(builtin, arguments),
                    None => ExprKind::Apply(FunctionId(0), arguments),
                },
            );
        }
        if word == "time" {
            return self.make(start, ExprKind::Time);
        }
        let found = self.flat.variables.iter().position(|variable| variable.name.to_string() == word);
        let v = VarId(found.unwrap_or_else(|| panic!("variable {word}")) as u32);
        self.make(start, ExprKind::Variable(v, vec![]))
    }
}
