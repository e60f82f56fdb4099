//! Reads the textual form of [`Equations`], so that tests of the passes can be written in it.

mod happenings;

use std::fmt;
use std::iter::Peekable;

use rhei_flat::Causality;

use crate::{
    Binary, Elementary, Equation, Equations, ExprId, Kind, Origin, Relation, Scalar, StateSelect, VarId,
    Variable,
};

/// Why a text is not a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from one.
    pub line: usize,
    /// The mistake.
    pub what: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// The causality of a keyword.
fn causality(name: &str) -> Option<Causality> {
    match name {
        "input" => Some(Causality::Input),
        "output" => Some(Causality::Output),
        _ => None,
    }
}

/// The model a text describes; the form is that of its `Display`.
pub fn read(text: &str) -> Result<Equations, ReadError> {
    let mut model = Equations::default();
    let mut section = Section::Variables;
    let lines: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with("//"))
        .collect();
    // names first: a binding or an attribute may refer to a later declaration
    for &(line, content) in &lines {
        declare(&mut model, content).map_err(|what| ReadError { line, what })?;
    }
    let mut next_variable = 0;
    for (line, content) in lines {
        let mut reader = Reader::new(&mut model, content);
        let done = match content {
            "equation" => {
                section = Section::Equations;
                Ok(())
            }
            "initial equation" => {
                section = Section::Initial;
                Ok(())
            }
            "event" => {
                section = Section::Events;
                Ok(())
            }
            "clock" => {
                section = Section::Clocks;
                Ok(())
            }
            _ if content.starts_with("model ") => Ok(()),
            _ if section == Section::Variables => {
                next_variable += 1;
                reader.attributes(VarId(next_variable - 1))
            }
            _ => match section {
                Section::Events => reader.event(),
                Section::Clocks => reader.clock(),
                _ => reader.equation(section == Section::Initial),
            },
        };
        done.map_err(|what| ReadError { line, what })?;
    }
    Ok(model)
}

#[derive(Clone, Copy, PartialEq)]
enum Section {
    Variables,
    Equations,
    Initial,
    Events,
    Clocks,
}

fn declare(model: &mut Equations, line: &str) -> Result<(), String> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let kind = match word {
        "model" => {
            model.name = rest.into();
            return Ok(());
        }
        "constant" => Kind::Constant,
        "parameter" => Kind::Parameter,
        "unknown" => Kind::Unknown,
        "derivative" => Kind::Derivative { of: VarId(0) },
        "previous" => Kind::Pre { of: VarId(0) },
        "given" => Kind::Given,
        _ => return Ok(()), // an equation
    };
    let (is_discrete, rest) = match rest.strip_prefix("discrete ") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (scalar, rest) = match rest.split_once(' ') {
        Some(("Integer", rest)) => (Scalar::Integer, rest),
        Some(("Boolean", rest)) => (Scalar::Boolean, rest),
        _ => (Scalar::Real, rest),
    };
    let name = match Lexer::new(rest).next() {
        Some(Token::Name(name)) => name,
        _ => return Err("a name was expected".into()),
    };
    let mut variable = Variable::new(name, kind);
    variable.scalar = scalar;
    variable.is_discrete = is_discrete || (scalar != Scalar::Real && kind == Kind::Unknown);
    if let Some(of) = name.strip_prefix("pre(").and_then(|inner| inner.strip_suffix(')')) {
        let of = model.variable_named(of).ok_or_else(|| format!("{of} is not declared before {name}"))?;
        variable.kind = Kind::Pre { of };
    }
    if let Some(of) = name.strip_prefix("der(").and_then(|inner| inner.strip_suffix(')')) {
        let of =
            model.variable_named(of).ok_or_else(|| format!("{of} is not declared before its derivative"))?;
        variable.kind = Kind::Derivative { of };
    }
    model.variables.push(variable);
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Name(&'a str),
    Number(f64),
    Sign(&'a str),
}

struct Lexer<'a> {
    rest: &'a str,
}

impl<'a> Lexer<'a> {
    fn new(rest: &'a str) -> Self {
        Lexer { rest }
    }

    fn take(&mut self, n: usize) -> &'a str {
        let (token, rest) = self.rest.split_at(n);
        self.rest = rest;
        token
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next()?;
        if first.is_alphabetic() || first == '_' {
            return Some(Token::Name(self.take(name_length(self.rest))));
        }
        if first.is_ascii_digit() {
            let n = number_length(self.rest);
            return Some(Token::Number(self.take(n).parse().unwrap_or(f64::NAN)));
        }
        let n = ["<=", ">=", "==", "<>"]
            .iter()
            .find(|sign| self.rest.starts_with(**sign))
            .map_or(1, |sign| sign.len());
        Some(Token::Sign(self.take(n.max(first.len_utf8()))))
    }
}

/// A name: `a.b[1,2].c`, or `der(…)` of one.
fn name_length(text: &str) -> usize {
    if text.starts_with("der(") || text.starts_with("pre(") {
        return text.find(')').map_or(text.len(), |i| i + 1);
    }
    let mut inside = false;
    let end = text.find(|c: char| match c {
        '[' | ']' => {
            inside = c == '[';
            false
        }
        ',' => !inside,
        '.' | '_' => false,
        _ => !c.is_alphanumeric(),
    });
    end.unwrap_or(text.len())
}

fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_part = |i: usize| match bytes[i] {
        b'0'..=b'9' | b'.' | b'e' => true,
        b'-' | b'+' => bytes[i - 1] == b'e',
        _ => false,
    };
    (0..bytes.len()).find(|&i| !is_part(i)).unwrap_or(bytes.len())
}

struct Reader<'a> {
    model: &'a mut Equations,
    tokens: Peekable<Lexer<'a>>,
}

impl<'a> Reader<'a> {
    fn new(model: &'a mut Equations, line: &'a str) -> Self {
        Reader { model, tokens: Lexer::new(line).peekable() }
    }

    fn accept(&mut self, sign: &str) -> bool {
        self.tokens.next_if(|token| matches!(token, Token::Name(s) | Token::Sign(s) if *s == sign)).is_some()
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.accept(sign) {
            Ok(())
        } else {
            Err(format!("`{sign}` was expected, not {:?}", self.tokens.peek()))
        }
    }

    fn end(&mut self) -> Result<(), String> {
        self.tokens.peek().map_or(Ok(()), |token| Err(format!("{token:?} was not expected")))
    }

    fn attributes(&mut self, v: VarId) -> Result<(), String> {
        while let Some(token) = self.tokens.peek() {
            if matches!(token, Token::Name(name) if *name == self.model.variable(v).name) {
                break;
            }
            self.tokens.next();
        }
        self.tokens.next();
        if self.accept("(") {
            loop {
                self.attribute(v)?;
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        if self.accept("=") {
            self.model.variables[v.index()].binding = Some(self.expression()?);
        }
        self.end()
    }

    fn attribute(&mut self, v: VarId) -> Result<(), String> {
        let Some(Token::Name(name)) = self.tokens.next() else {
            return Err("an attribute was expected".into());
        };
        if name == "fixed" {
            self.model.variables[v.index()].fixed = true;
            return Ok(());
        }
        if let Some(select) = StateSelect::named(name) {
            self.model.variables[v.index()].select = select;
            return Ok(());
        }
        if let Some(causality) = causality(name) {
            self.model.variables[v.index()].causality = Some(causality);
            return Ok(());
        }
        self.expect("=")?;
        let value = Some(self.expression()?);
        let variable = &mut self.model.variables[v.index()];
        match name {
            "start" => variable.start = value,
            "min" => variable.min = value,
            "max" => variable.max = value,
            "nominal" => variable.nominal = value,
            _ => return Err(format!("`{name}` is no attribute")),
        }
        Ok(())
    }

    /// `balance(x)`, where the tokens go on with it.
    fn balance(&mut self) -> Result<Option<VarId>, String> {
        if !self.accept("balance") {
            return Ok(None);
        }
        self.expect("(")?;
        let e = self.expression()?;
        self.expect(")")?;
        match self.model.pool.node(e) {
            crate::Node::Variable(v) => Ok(Some(v)),
            _ => Err("a variable was expected in `balance`".into()),
        }
    }

    fn equation(&mut self, initial: bool) -> Result<(), String> {
        if let Some(variable) = self.balance()? {
            self.expect("=")?;
            let (lhs, rhs) = (self.model.pool.number(0.0), self.expression()?);
            self.end()?;
            let balance = Some(crate::Balance { variable, factor: self.model.pool.number(1.0) });
            self.model.equations.push(Equation { balance, ..Equation::new(lhs, rhs, Origin::default()) });
            return Ok(());
        }
        let lhs = self.expression()?;
        self.expect("=")?;
        let rhs = self.expression()?;
        self.end()?;
        let is_discrete = matches!(
            self.model.pool.node(lhs),
            crate::Node::Variable(v) if self.model.variable(v).is_discrete
        );
        let equation = Equation { is_discrete, ..Equation::new(lhs, rhs, Origin::default()) };
        if initial {
            self.model.initial.push(equation)
        } else {
            self.model.equations.push(equation)
        }
        Ok(())
    }

    fn expression(&mut self) -> Result<ExprId, String> {
        if self.accept("if") {
            let condition = self.or()?;
            self.expect("then")?;
            let a = self.expression()?;
            self.expect("else")?;
            let b = self.expression()?;
            return Ok(self.model.pool.if_else(condition, a, b));
        }
        self.or()
    }

    fn or(&mut self) -> Result<ExprId, String> {
        let mut a = self.and()?;
        while self.accept("or") {
            let b = self.and()?;
            a = self.model.pool.or(a, b);
        }
        Ok(a)
    }

    fn and(&mut self) -> Result<ExprId, String> {
        let mut a = self.not()?;
        while self.accept("and") {
            let b = self.not()?;
            a = self.model.pool.and(a, b);
        }
        Ok(a)
    }

    fn not(&mut self) -> Result<ExprId, String> {
        if self.accept("not") {
            let a = self.relation()?;
            return Ok(self.model.pool.not(a));
        }
        self.relation()
    }

    fn relation(&mut self) -> Result<ExprId, String> {
        let a = self.sum()?;
        for relation in Relation::ALL {
            if self.accept(relation.symbol()) {
                let b = self.sum()?;
                return Ok(self.model.pool.relation(relation, a, b));
            }
        }
        Ok(a)
    }

    fn sum(&mut self) -> Result<ExprId, String> {
        let negative = self.accept("-");
        let mut a = self.product()?;
        if negative {
            a = self.model.pool.negate(a);
        }
        loop {
            let op = if self.accept("+") {
                Binary::Add
            } else if self.accept("-") {
                Binary::Sub
            } else {
                return Ok(a);
            };
            // a sign may follow a sign: `a - -b`
            let negative = self.accept("-");
            let mut b = self.product()?;
            if negative {
                b = self.model.pool.negate(b);
            }
            a = self.model.pool.binary(op, a, b);
        }
    }

    fn product(&mut self) -> Result<ExprId, String> {
        let mut a = self.power()?;
        loop {
            let op = if self.accept("*") {
                Binary::Mul
            } else if self.accept("/") {
                Binary::Div
            } else {
                return Ok(a);
            };
            let b = self.power()?;
            a = self.model.pool.binary(op, a, b);
        }
    }

    fn power(&mut self) -> Result<ExprId, String> {
        let a = self.atom()?;
        if self.accept("^") {
            let b = self.atom()?;
            return Ok(self.model.pool.pow(a, b));
        }
        Ok(a)
    }

    fn atom(&mut self) -> Result<ExprId, String> {
        if self.accept("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let name = match self.tokens.next() {
            Some(Token::Number(value)) => return Ok(self.model.pool.number(value)),
            Some(Token::Name(name)) => name,
            other => return Err(format!("an expression was expected, not {other:?}")),
        };
        if self.accept("(") {
            return self.call(name);
        }
        match name {
            "time" => Ok(self.model.pool.time()),
            "true" | "false" => Ok(self.model.pool.truth(name == "true")),
            _ => {
                let v = self
                    .model
                    .variable_named(name)
                    .ok_or_else(|| format!("there is no variable `{name}`"))?;
                Ok(self.model.pool.variable(v))
            }
        }
    }

    fn call(&mut self, name: &str) -> Result<ExprId, String> {
        let a = self.expression()?;
        let result = if let Some(f) = Elementary::named(name) {
            self.model.pool.call(f, a)
        } else {
            let op = Binary::named(name).ok_or_else(|| format!("there is no function `{name}`"))?;
            self.expect(",")?;
            let b = self.expression()?;
            self.model.pool.binary(op, a, b)
        };
        self.expect(")")?;
        Ok(result)
    }
}
