//! The textual form, which [`read`](crate::read()) reads back.
//!
//! ```text
//! model Decay
//!   parameter k = 2
//!   unknown x(start = 1, fixed)
//!   derivative der(x)
//! equation
//!   der(x) = -k*x
//! ```

mod happenings;

use std::fmt::{self, Display, Write};

use rhei_flat::{Causality, Tables};

use crate::{
    Balance, Binary, Elementary, Equation, Equations, ExprId, Kind, Node, Pool, Scalar, StateSelect,
    Variable, Whole,
};

/// Expressions written with the names of their variables, as Modelica.
#[derive(Clone, Copy)]
pub struct Notation<'a> {
    /// The pool of the expressions.
    pub pool: &'a Pool,
    /// The variables, for their names.
    pub variables: &'a [Variable],
    /// The functions, for the names of calls.
    pub functions: &'a Tables,
    /// Most characters of an expression that are written; `…` stands for the rest.
    pub longest: usize,
}

/// Most characters of an expression that anyone is shown. Expressions share their parts: what is small in memory can be longer in
/// text than any memory, as a derivative of nested functions is.
pub(crate) const LONGEST_SHOWN: usize = 4_000;

/// The shortest text of a number that reads back to the same.
pub fn number(value: f64) -> String {
    let plain = format!("{value}");
    let scientific = format!("{value:e}");
    if scientific.len() < plain.len() { scientific } else { plain }
}

/// Expressions deeper than this are cut short in text: `…` stands for what lies below.
const DEEPEST_SHOWN: usize = 200;

/// A text that refuses what is beyond its room.
struct Text {
    written: String,
    room: usize,
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.room = self.room.checked_sub(text.len()).ok_or(fmt::Error)?;
        self.written.push_str(text);
        Ok(())
    }
}

/// The precedence of an operation (MLS §3.2); operands of lower precedence are put in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Anything,
    Or,
    And,
    Not,
    Relation,
    Sum,
    Product,
    Power,
    Atom,
}

impl Notation<'_> {
    /// An expression.
    pub fn expression(&self, e: ExprId) -> String {
        self.part(e, Binding::Anything)
    }

    /// An expression as an operand.
    fn part(&self, e: ExprId, wanted: Binding) -> String {
        let mut text = Text { written: String::new(), room: self.longest };
        if self.write(&mut text, e, wanted, 0).is_err() {
            text.written.push('…');
        }
        text.written
    }

    /// An equation.
    pub fn equation(&self, equation: &Equation) -> String {
        let rhs = self.expression(equation.rhs);
        match equation.balance {
            None => format!("{} = {rhs}", self.expression(equation.lhs)),
            Some(Balance { variable, factor }) => {
                let balanced = format!("balance({})", self.variables[variable.index()].name);
                if self.pool.as_number(factor) == Some(1.0) {
                    return format!("{balanced} = {rhs}");
                }
                format!("{}*{balanced} = {rhs}", self.part(factor, Binding::Product))
            }
        }
    }

    fn binding(&self, e: ExprId) -> Binding {
        match self.pool.node(e) {
            Node::Number(bits) if f64::from_bits(bits).is_sign_negative() => Binding::Sum,
            Node::Large(value) if value < 0 => Binding::Sum,
            Node::Large(_) => Binding::Atom,
            Node::Whole(Whole::Add | Whole::Subtract, ..) => Binding::Sum,
            Node::Whole(Whole::Multiply, ..) => Binding::Product,
            Node::Whole(..) => Binding::Atom,
            Node::Number(_) | Node::Truth(_) | Node::Variable(_) | Node::Time | Node::Call(..) => {
                Binding::Atom
            }
            Node::Invoke(_) | Node::Output(..) => Binding::Atom,
            Node::Negate(_) | Node::Binary(Binary::Add | Binary::Sub, ..) => Binding::Sum,
            Node::Binary(Binary::Mul | Binary::Div, ..) => Binding::Product,
            Node::Binary(Binary::Pow, ..) => Binding::Power,
            Node::Binary(Binary::Atan2 | Binary::Min | Binary::Max, ..) => Binding::Atom,
            Node::Relation(..) => Binding::Relation,
            Node::Not(_) => Binding::Not,
            Node::And(..) => Binding::And,
            Node::Or(..) => Binding::Or,
            Node::If(..) => Binding::Anything,
        }
    }

    fn write(&self, out: &mut Text, e: ExprId, wanted: Binding, depth: usize) -> fmt::Result {
        if depth > DEEPEST_SHOWN {
            return out.write_char('…');
        }
        if self.binding(e) < wanted {
            out.write_char('(')?;
            self.write(out, e, Binding::Anything, depth + 1)?;
            return out.write_char(')');
        }
        let mut part = |text: &str, e: ExprId, wanted: Binding| -> fmt::Result {
            out.write_str(text)?;
            self.write(out, e, wanted, depth + 1)
        };
        match self.pool.node(e) {
            Node::Number(bits) => out.write_str(&number(f64::from_bits(bits))),
            Node::Large(value) => write!(out, "{value}"),
            Node::Truth(value) => write!(out, "{value}"),
            Node::Variable(v) => out.write_str(&self.variables[v.index()].name),
            Node::Time => out.write_str("time"),
            Node::Negate(a) => part("-", a, Binding::Product),
            Node::Binary(op, a, b) => {
                let (open, sign, left, right, close) = match op {
                    Binary::Add => ("", " + ", Binding::Sum, Binding::Product, ""),
                    Binary::Sub => ("", " - ", Binding::Sum, Binding::Product, ""),
                    Binary::Mul => ("", "*", Binding::Product, Binding::Power, ""),
                    Binary::Div => ("", "/", Binding::Product, Binding::Power, ""),
                    Binary::Pow => ("", "^", Binding::Atom, Binding::Atom, ""),
                    Binary::Atan2 => ("atan2(", ", ", Binding::Anything, Binding::Anything, ")"),
                    Binary::Min => ("min(", ", ", Binding::Anything, Binding::Anything, ")"),
                    Binary::Max => ("max(", ", ", Binding::Anything, Binding::Anything, ")"),
                };
                part(open, a, left)?;
                part(sign, b, right)?;
                out.write_str(close)
            }
            Node::Whole(op, a, b) => self.write_whole(out, (op, a, b), depth),
            Node::Call(f, a) => {
                part(&format!("{}(", f.name()), a, Binding::Anything)?;
                out.write_char(')')
            }
            Node::Relation(relation, a, b) => {
                part("", a, Binding::Sum)?;
                part(&format!(" {} ", relation.symbol()), b, Binding::Sum)
            }
            Node::Not(a) => part("not ", a, Binding::Relation),
            Node::And(a, b) => {
                part("", a, Binding::And)?;
                part(" and ", b, Binding::Not)
            }
            Node::Or(a, b) => {
                part("", a, Binding::Or)?;
                part(" or ", b, Binding::And)
            }
            Node::If(c, a, b) => {
                part("if ", c, Binding::Or)?;
                part(" then ", a, Binding::Anything)?;
                part(" else ", b, Binding::Anything)
            }
            Node::Invoke(id) => {
                let call = self.pool.call_of(id);
                let name = self.functions.functions.get(call.function.0 as usize);
                let name = name.map_or("function", |function| function.name.as_str());
                let open =
                    format!("{}{name}{}(", "der(".repeat(call.depth.into()), ")".repeat(call.depth.into()));
                part(&open, call.operands.first().copied().unwrap_or(e), Binding::Anything).and_then(
                    |()| call.operands.iter().skip(1).try_for_each(|&a| part(", ", a, Binding::Anything)),
                )?;
                out.write_char(')')
            }
            Node::Output(invoked, place) => {
                part("", invoked, Binding::Atom)?;
                let results = self
                    .pool
                    .output_of(invoked, place)
                    .map_or(0, |(call, _)| call.results.iter().map(crate::Shape::count).sum::<usize>());
                if results > 1 { write!(out, "[{}]", place + 1) } else { Ok(()) }
            }
        }
    }

    /// Arithmetic of whole numbers; literals have all their digits.
    fn write_whole(&self, out: &mut Text, (op, a, b): (Whole, ExprId, ExprId), depth: usize) -> fmt::Result {
        let mut part = |text: &str, e: ExprId, wanted: Binding| -> fmt::Result {
            out.write_str(text)?;
            match self.pool.as_whole(e) {
                Some(number) if number >= 0 => write!(out, "{number}"),
                Some(number) => write!(out, "({number})"),
                None => self.write(out, e, wanted, depth + 1),
            }
        };
        let (sign, left, right) = match op {
            Whole::Subtract if self.pool.as_number(a) == Some(0.0) => return part("-", b, Binding::Product),
            Whole::Add => (" + ", Binding::Sum, Binding::Product),
            Whole::Subtract => (" - ", Binding::Sum, Binding::Product),
            Whole::Multiply => ("*", Binding::Product, Binding::Power),
            Whole::Quotient | Whole::Remainder | Whole::Modulo => {
                let open = format!("{}(", op.name());
                part(&open, a, Binding::Anything)?;
                part(", ", b, Binding::Anything)?;
                return out.write_char(')');
            }
            Whole::OfReal => return self.write_conversion(out, a, depth),
        };
        part("", a, left)?;
        part(sign, b, right)
    }

    /// `integer(x)`, of which the fraction of `x` is gone already: by a call, or by a hidden variable that is held between events.
    fn write_conversion(&self, out: &mut Text, floor: ExprId, depth: usize) -> fmt::Result {
        out.write_str("integer(")?;
        match self.pool.node(floor) {
            Node::Call(Elementary::Floor, inner) => self.write(out, inner, Binding::Anything, depth + 1)?,
            Node::Variable(v) => {
                let name = self.variables[v.index()].name.as_str();
                let inner = name.strip_prefix("(floor(").and_then(|name| name.strip_suffix("))"));
                out.write_str(inner.unwrap_or(name))?;
            }
            _ => self.write(out, floor, Binding::Anything, depth + 1)?,
        }
        out.write_char(')')
    }

    fn declaration(&self, variable: &Variable) -> String {
        let kind = match variable.kind {
            Kind::Constant => "constant",
            Kind::Parameter => "parameter",
            Kind::Unknown => "unknown",
            Kind::Derivative { .. } => "derivative",
            Kind::Pre { .. } => "previous",
            Kind::Given => "given",
        };
        let discrete = if variable.is_discrete && variable.scalar == Scalar::Real { " discrete" } else { "" };
        let scalar = match variable.scalar {
            Scalar::Real => "",
            Scalar::Integer | Scalar::Enumeration => " Integer",
            Scalar::Boolean => " Boolean",
        };
        let mut attributes: Vec<String> = Vec::new();
        let expressions = [
            ("start", variable.start),
            ("min", variable.min),
            ("max", variable.max),
            ("nominal", variable.nominal),
        ];
        for (name, value) in expressions {
            attributes.extend(value.map(|e| format!("{name} = {}", self.expression(e))));
        }
        if variable.fixed {
            attributes.push("fixed".into());
        }
        if variable.select != StateSelect::Default {
            attributes.push(variable.select.name().into());
        }
        match variable.causality {
            Some(Causality::Input) => attributes.push("input".into()),
            Some(Causality::Output) => attributes.push("output".into()),
            None => {}
        }
        let attributes =
            if attributes.is_empty() { String::new() } else { format!("({})", attributes.join(", ")) };
        let binding = variable.binding.map_or(String::new(), |e| format!(" = {}", self.expression(e)));
        format!("{kind}{discrete}{scalar} {}{attributes}{binding}", variable.name)
    }
}

impl Display for Equations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let notation = self.whole_notation();
        writeln!(f, "model {}", self.name)?;
        for variable in self.variables.iter().filter(|variable| variable.rest_of.is_none()) {
            writeln!(f, "  {}", notation.declaration(variable))?;
        }
        for (title, equations) in [("equation", &self.equations), ("initial equation", &self.initial)] {
            if !equations.is_empty() {
                writeln!(f, "{title}")?;
            }
            for equation in equations {
                writeln!(f, "  {}", notation.equation(equation))?;
            }
        }
        self.write_events(f)?;
        self.write_clocks(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    #[test]
    fn numbers_are_short_and_exact() {
        assert_eq!(number(1.0), "1");
        assert_eq!(number(1e-6), "1e-6");
        assert_eq!(number(0.1), "0.1");
        assert_eq!(number(-2.5e10), "-2.5e10");
        assert_eq!(number(1.7e308).parse::<f64>().unwrap(), 1.7e308);
    }

    #[test]
    fn what_is_too_long_to_be_read_is_cut_short() {
        let mut model = read("model M\n  unknown x\nequation\n  x = time\n").unwrap();
        let mut e = model.equations[0].rhs;
        // every part twice in the next one: 2^40 times in the last
        for n in 0..40 {
            let (square, number) = (model.pool.mul(e, e), model.pool.number(f64::from(n) + 0.5));
            e = model.pool.add(square, number);
        }
        let text = model.notation().expression(e);
        assert!(
            text.len() <= LONGEST_SHOWN + '…'.len_utf8() && text.ends_with('…'),
            "{} characters",
            text.len()
        );
        assert!(text.starts_with("(((") && text.contains("time"), "{text}");
    }

    #[test]
    fn what_is_printed_reads_back_to_the_same_text() {
        let text = "\
model All
  constant Integer n = 3
  parameter a(min = 0, input)
  parameter Boolean on = not (a > 1 and a < 2) or a == 5
  unknown x(start = 1, nominal = 1e-3, fixed, prefer)
  derivative der(x)
equation
  der(x) = -(a*x)^2/(x - (1 - a)) + (if on then sin(x) else -2*time)
initial equation
  x = (-1)^n
";
        assert_eq!(read(text).unwrap().to_string(), text);
    }

    #[test]
    fn events_and_clocks_read_back_to_the_same_text() {
        let text = "\
model All
  parameter p = 2
  unknown x
  unknown y
  previous pre(y)
  unknown z
  unknown Boolean c
  unknown k
  given n
  given tick
  given d
  given e
  given s
  given h
  given i
  given b
  given first
equation
  y = pre(y) + s
  z = b
event
  initial first
  relation c = x - p < 0, n
  instant c = 2*p, n
  floor k = x/2, n, followed
  sample tick = 0, 1/p
  delay d = x, 0.5
  delay e = x, x, p
  reinit x = -0.8*x, c and tick > 0
  terminate x > 3
  assert x > 0
  assert x > 1, warning, start
clock
  clock c0 = 1/10
  clock c1 = interval(p)
  clock c2 = varying(x)
  clock c3 = counter(k)/1000
  clock c4 = event(c, p)
  clock c5 = subSample(c0, 2)
  clock c6 = shiftSample(c0, 1, 2)
  clock c7 = solver(c0, ImplicitEuler)
  clock c8
  same c0, c8
  sample s = x, c0
  hold h = y
  superSample b = y, 3
  equation 1, c0
  variable z, c5
  met z, y
  remember pre(y)
  interval i = y, z
  firstTick first = y
  measured x = s + 1
";
        assert_eq!(read(text).unwrap().to_string(), text);
    }
}
