//! Expressions as Modelica.

use std::fmt::{self, Write};

use super::{Printer, identifier, quoted, real};
use crate::{Arithmetic, Expr, ExprKind, Iteration, Logic, Subscript};

/// How tightly an operation binds (MLS §3.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Anything,
    Range,
    Or,
    And,
    Not,
    Relation,
    Sum,
    Product,
    Power,
    Atom,
}

fn binding(e: &Expr) -> Binding {
    match &e.kind {
        ExprKind::Real(x) if x.is_sign_negative() => Binding::Sum,
        ExprKind::Integer(i) if *i < 0 => Binding::Sum,
        ExprKind::Negate(_) => Binding::Sum,
        ExprKind::Arithmetic(Arithmetic::Add | Arithmetic::Subtract, ..) => Binding::Sum,
        ExprKind::Arithmetic(Arithmetic::Multiply | Arithmetic::Divide, ..) | ExprKind::MatrixProduct(..) => {
            Binding::Product
        }
        ExprKind::Arithmetic(Arithmetic::Power, ..) | ExprKind::MatrixPower(..) => Binding::Power,
        ExprKind::Relation(..) => Binding::Relation,
        ExprKind::Not(_) => Binding::Not,
        ExprKind::Logic(Logic::And, ..) => Binding::And,
        ExprKind::Logic(Logic::Or, ..) => Binding::Or,
        ExprKind::Range(..) => Binding::Range,
        ExprKind::If(..) => Binding::Anything,
        _ => Binding::Atom,
    }
}

impl Printer<'_> {
    /// An expression.
    pub fn expression(&self, e: &Expr) -> String {
        let mut text = String::new();
        self.write(&mut text, e, Binding::Anything).expect("writing to a string does not fail");
        text
    }

    fn write(&self, out: &mut String, e: &Expr, wanted: Binding) -> fmt::Result {
        if binding(e) < wanted {
            out.write_char('(')?;
            self.write(out, e, Binding::Anything)?;
            return out.write_char(')');
        }
        match &e.kind {
            ExprKind::Real(value) => out.write_str(&real(*value)),
            ExprKind::Integer(value) => write!(out, "{value}"),
            ExprKind::Boolean(value) => write!(out, "{value}"),
            ExprKind::String(text) => out.write_str(&quoted(text)),
            ExprKind::Enumeration(id, number) => {
                let enumeration = self.tables.enumeration(*id);
                let literal = &enumeration.literals[*number as usize - 1];
                write!(out, "{}.{literal}", identifier(&enumeration.name))
            }
            ExprKind::Time => out.write_str("time"),
            ExprKind::Variable(v, subscripts) => {
                out.write_str(&identifier(&self.variables[v.index()].name.to_string()))?;
                self.write_subscripts(out, subscripts)
            }
            ExprKind::Local(id) => out.write_str(&identifier(&self.locals[id.0 as usize].name)),
            ExprKind::Iterator(id) => out.write_str(&identifier(self.tables.iterator(*id))),
            ExprKind::Index(a, subscripts) => {
                // only what is a name can have subscripts without parentheses
                let plain = matches!(a.kind, ExprKind::Local(_) | ExprKind::Field(..));
                if plain {
                    self.write(out, a, Binding::Atom)?
                } else {
                    self.write_parenthesized(out, a)?
                }
                self.write_subscripts(out, subscripts)
            }
            ExprKind::Field(a, field) => {
                let plain = matches!(a.kind, ExprKind::Local(_) | ExprKind::Field(..) | ExprKind::Index(..));
                if plain {
                    self.write(out, a, Binding::Atom)?
                } else {
                    self.write_parenthesized(out, a)?
                }
                write!(out, ".{}", identifier(&self.field_name(a, *field)))
            }
            ExprKind::Negate(a) => {
                out.write_char('-')?;
                self.write(out, a, Binding::Product)
            }
            ExprKind::Arithmetic(op, a, b) => self.write_arithmetic(out, *op, a, b),
            ExprKind::MatrixProduct(a, b) => {
                self.write(out, a, Binding::Product)?;
                out.write_char('*')?;
                self.write(out, b, Binding::Power)
            }
            ExprKind::MatrixPower(a, b) => {
                self.write(out, a, Binding::Atom)?;
                out.write_char('^')?;
                self.write(out, b, Binding::Atom)
            }
            ExprKind::Relation(relation, a, b) => {
                self.write(out, a, Binding::Sum)?;
                write!(out, " {} ", relation.symbol())?;
                self.write(out, b, Binding::Sum)
            }
            ExprKind::Logic(op, a, b) => {
                let (left, right) = match op {
                    Logic::And => (Binding::And, Binding::Not),
                    Logic::Or => (Binding::Or, Binding::And),
                };
                self.write(out, a, left)?;
                write!(out, " {} ", op.symbol())?;
                self.write(out, b, right)
            }
            ExprKind::Not(a) => {
                out.write_str("not ")?;
                self.write(out, a, Binding::Relation)
            }
            ExprKind::If(c, a, b) => {
                out.write_str("if ")?;
                self.write(out, c, Binding::Anything)?;
                out.write_str(" then ")?;
                self.write(out, a, Binding::Anything)?;
                out.write_str(" else ")?;
                self.write(out, b, Binding::Anything)
            }
            ExprKind::Call(builtin, arguments) => self.write_call(out, builtin.name(), arguments),
            ExprKind::Apply(function, arguments) => {
                self.write_call(out, &identifier(&self.tables.function(*function).name), arguments)
            }
            ExprKind::ApplyLocal(local, arguments) => {
                self.write_call(out, &identifier(&self.locals[local.0 as usize].name), arguments)
            }
            ExprKind::Function(function, given) => {
                let function = self.tables.function(*function);
                write!(out, "function {}(", identifier(&function.name))?;
                for (i, (place, value)) in given.iter().enumerate() {
                    let name = function.inputs().nth(*place as usize).map_or("", |(_, local)| &local.name);
                    write!(out, "{}{} = ", if i > 0 { ", " } else { "" }, identifier(name))?;
                    self.write(out, value, Binding::Anything)?;
                }
                out.write_char(')')
            }
            ExprKind::FunctionOfLocal(local, given) => {
                // what its inputs are called is not known here: their places stand for them
                write!(out, "function {}(", identifier(&self.locals[local.0 as usize].name))?;
                for (i, (place, value)) in given.iter().enumerate() {
                    write!(out, "{}'{}' = ", if i > 0 { ", " } else { "" }, place + 1)?;
                    self.write(out, value, Binding::Anything)?;
                }
                out.write_char(')')
            }
            ExprKind::Array(elements) if elements.is_empty() => {
                write!(out, "fill({}, 0)", zero_of(e))
            }
            ExprKind::Array(elements) => {
                out.write_char('{')?;
                self.write_list(out, elements)?;
                out.write_char('}')
            }
            ExprKind::Record(id, fields) => {
                self.write_call(out, &identifier(&self.tables.record(*id).name), fields)
            }
            ExprKind::Range(first, step, last) => {
                self.write(out, first, Binding::Or)?;
                for part in step.iter().chain([last]) {
                    out.write_char(':')?;
                    self.write(out, part, Binding::Or)?;
                }
                Ok(())
            }
            ExprKind::Comprehension(body, iterations) => {
                out.write_char('{')?;
                self.write_iterated(out, body, iterations)?;
                out.write_char('}')
            }
            ExprKind::Reduction(op, body, iterations) => {
                write!(out, "{}(", op.name())?;
                self.write_iterated(out, body, iterations)?;
                out.write_char(')')
            }
        }
    }

    fn field_name(&self, record: &Expr, field: u32) -> String {
        match record.ty.scalar {
            crate::Scalar::Record(id) | crate::Scalar::ExternalObject(id) => {
                self.tables.record(id).fields[field as usize].name.to_string()
            }
            _ => format!("{field}"),
        }
    }

    fn write_parenthesized(&self, out: &mut String, e: &Expr) -> fmt::Result {
        out.write_char('(')?;
        self.write(out, e, Binding::Anything)?;
        out.write_char(')')
    }

    fn write_arithmetic(&self, out: &mut String, op: Arithmetic, a: &Expr, b: &Expr) -> fmt::Result {
        let (spaced, left, right) = match op {
            Arithmetic::Add | Arithmetic::Subtract => (true, Binding::Sum, Binding::Product),
            Arithmetic::Multiply | Arithmetic::Divide => (false, Binding::Product, Binding::Power),
            Arithmetic::Power => (false, Binding::Atom, Binding::Atom),
        };
        // between arrays `*`, `/` and `^` would be other operations, and `+` with a scalar none at all
        let scalars = (a.ty.is_scalar(), b.ty.is_scalar());
        let dotted = match op {
            Arithmetic::Add | Arithmetic::Subtract => scalars.0 != scalars.1,
            Arithmetic::Multiply => scalars == (false, false),
            Arithmetic::Divide => !scalars.1,
            Arithmetic::Power => scalars != (true, true),
        };
        let dot = if dotted { "." } else { "" };
        self.write(out, a, left)?;
        if spaced {
            write!(out, " {dot}{} ", op.symbol())?
        } else {
            write!(out, "{dot}{}", op.symbol())?
        }
        self.write(out, b, right)
    }

    fn write_call(&self, out: &mut String, name: &str, arguments: &[Expr]) -> fmt::Result {
        write!(out, "{name}(")?;
        self.write_list(out, arguments)?;
        out.write_char(')')
    }

    fn write_iterated(&self, out: &mut String, body: &Expr, iterations: &[Iteration]) -> fmt::Result {
        self.write(out, body, Binding::Anything)?;
        for (i, iteration) in iterations.iter().enumerate() {
            out.write_str(if i == 0 { " for " } else { ", " })?;
            self.write_iteration(out, iteration)?;
        }
        Ok(())
    }

    pub(super) fn write_iteration(&self, out: &mut String, iteration: &Iteration) -> fmt::Result {
        write!(out, "{} in ", identifier(self.tables.iterator(iteration.iterator)))?;
        self.write(out, &iteration.range, Binding::Anything)
    }

    fn write_list(&self, out: &mut String, list: &[Expr]) -> fmt::Result {
        for (i, e) in list.iter().enumerate() {
            if i > 0 {
                out.write_str(", ")?;
            }
            self.write(out, e, Binding::Anything)?;
        }
        Ok(())
    }

    fn write_subscripts(&self, out: &mut String, subscripts: &[Subscript]) -> fmt::Result {
        for (i, subscript) in subscripts.iter().enumerate() {
            out.write_str(if i == 0 { "[" } else { ", " })?;
            match subscript {
                Subscript::Whole => out.write_char(':')?,
                Subscript::Index(e) => self.write(out, e, Binding::Anything)?,
            }
        }
        if subscripts.is_empty() { Ok(()) } else { out.write_char(']') }
    }
}

/// A value of the element type, to write an array of none.
fn zero_of(e: &Expr) -> &'static str {
    match e.ty.scalar {
        crate::Scalar::Integer => "0",
        crate::Scalar::Boolean => "false",
        crate::Scalar::String => "\"\"",
        _ => "0.0",
    }
}
