//! Expressions as Modelica.

use std::fmt::{self, Write};

use super::{Printer, quoted, real};
use crate::identifier::identifier;
use crate::{Arithmetic, Builtin, Expr, ExprKind, Iteration, Logic, Scalar, Subscript};

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
                let literal = &self.tables.enumeration(*id).literals[*number as usize - 1];
                write!(out, "{}.{literal}", self.enumeration(*id))
            }
            ExprKind::Time => out.write_str("time"),
            ExprKind::Variable(v, subscripts) => {
                out.write_str(&self.variables[v.index()].name.identifier())?;
                self.write_subscripts(out, subscripts)
            }
            ExprKind::Local(id) => out.write_str(&identifier(&self.locals[id.0 as usize].name)),
            ExprKind::Iterator(id) => out.write_str(&self.iterator(*id)),
            ExprKind::Index(a, subscripts) => {
                if is_reference(a) && !has_subscripts(a) {
                    self.write(out, a, Binding::Atom)?
                } else {
                    self.write_parenthesized(out, a)?
                }
                self.write_subscripts(out, subscripts)
            }
            ExprKind::Field(a, field) => {
                if is_reference(a) {
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
            ExprKind::Call(Builtin::EnumerationOf, arguments) => {
                self.write_call(out, &self.scalar_type(e.ty.scalar), arguments)
            }
            ExprKind::Call(builtin, arguments) => match rows_of_matrix(e) {
                Some(rows) => self.write_matrix(out, &rows),
                None => self.write_call(out, builtin.name(), arguments),
            },
            ExprKind::Apply(function, arguments) => {
                self.write_call(out, &self.function(*function), arguments)
            }
            ExprKind::ApplyLocal(local, arguments) => {
                self.write_call(out, &identifier(&self.locals[local.0 as usize].name), arguments)
            }
            ExprKind::Function(function, given) => {
                write!(out, "function {}(", self.function(*function))?;
                let function = self.tables.function(*function);
                for (i, (place, value)) in given.iter().enumerate() {
                    let name = function.inputs().nth(*place as usize).map_or("", |(_, local)| &local.name);
                    write!(out, "{}{} = ", if i > 0 { ", " } else { "" }, identifier(name))?;
                    self.write(out, value, Binding::Anything)?;
                }
                out.write_char(')')
            }
            ExprKind::FunctionOfLocal(local, given) => {
                // the names of its inputs are not known here: their places stand for them
                write!(out, "function {}(", identifier(&self.locals[local.0 as usize].name))?;
                for (i, (place, value)) in given.iter().enumerate() {
                    write!(out, "{}'{}' = ", if i > 0 { ", " } else { "" }, place + 1)?;
                    self.write(out, value, Binding::Anything)?;
                }
                out.write_char(')')
            }
            ExprKind::Array(elements) if elements.is_empty() => {
                let sizes: Vec<String> =
                    e.ty.sizes.iter().map(|size| size.known().unwrap_or(0).to_string()).collect();
                write!(out, "fill({}, {})", self.any_element(e.ty.scalar), sizes.join(", "))
            }
            ExprKind::Array(elements) => {
                out.write_char('{')?;
                self.write_list(out, elements)?;
                out.write_char('}')
            }
            ExprKind::Record(id, fields) => self.write_call(out, &self.record(*id), fields),
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
        let mut result = Ok(());
        self.in_loops(iterations, &mut Vec::new(), &mut |printer, written| {
            result = printer.write(out, body, Binding::Anything);
            out.push_str(" for ");
            out.push_str(&written.join(", "));
        });
        result
    }

    /// `[a, b; c, d]`
    fn write_matrix(&self, out: &mut String, rows: &[Vec<&Expr>]) -> fmt::Result {
        for (i, row) in rows.iter().enumerate() {
            out.write_str(if i == 0 { "[" } else { "; " })?;
            for (j, e) in row.iter().enumerate() {
                out.write_str(if j == 0 { "" } else { ", " })?;
                self.write(out, e, Binding::Anything)?;
            }
        }
        out.write_char(']')
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
                Subscript::Index(e) => self.write_index(out, e)?,
            }
        }
        if subscripts.is_empty() { Ok(()) } else { out.write_char(']') }
    }

    /// Sizes are numbers in the text, whatever they were declared with: literals and truth values count from one (MLS §10.1).
    fn write_index(&self, out: &mut String, e: &Expr) -> fmt::Result {
        match (&e.kind, e.ty.scalar) {
            (ExprKind::Enumeration(_, number), _) => write!(out, "{number}"),
            (ExprKind::Boolean(value), _) => write!(out, "{}", if *value { 2 } else { 1 }),
            (_, Scalar::Enumeration(_)) if e.ty.is_scalar() => {
                self.write_call(out, Builtin::IntegerOf.name(), std::slice::from_ref(e))
            }
            (_, Scalar::Boolean) if e.ty.is_scalar() => {
                out.write_str("if ")?;
                self.write(out, e, Binding::Anything)?;
                out.write_str(" then 2 else 1")
            }
            _ => self.write(out, e, Binding::Anything),
        }
    }

    /// A value of an element type, to write an array of none.
    fn any_element(&self, scalar: Scalar) -> String {
        match scalar {
            Scalar::Integer => "0".into(),
            Scalar::Boolean => "false".into(),
            Scalar::String => "\"\"".into(),
            Scalar::Enumeration(id) => {
                format!("{}.{}", self.enumeration(id), self.tables.enumeration(id).literals[0])
            }
            Scalar::Record(id) => {
                let fields: Vec<String> = (self.tables.record(id).fields.iter())
                    .map(|field| {
                        let element = self.any_element(field.ty.scalar);
                        let sizes: Vec<String> =
                            field.ty.sizes.iter().map(|size| size.known().unwrap_or(0).to_string()).collect();
                        if sizes.is_empty() {
                            element
                        } else {
                            format!("fill({element}, {})", sizes.join(", "))
                        }
                    })
                    .collect();
                format!("{}({})", self.record(id), fields.join(", "))
            }
            _ => "0.0".into(),
        }
    }
}

/// Whether it is a name with subscripts and fields, which needs no parentheses before further ones.
fn is_reference(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) | ExprKind::Variable(..) => true,
        ExprKind::Field(a, _) => is_reference(a),
        ExprKind::Index(a, _) => is_reference(a) && !has_subscripts(a),
        _ => false,
    }
}

fn has_subscripts(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Variable(_, subscripts) => !subscripts.is_empty(),
        ExprKind::Index(..) => true,
        _ => false,
    }
}

/// The rows of a matrix `[a, b; c, d]`: its parts get further dimensions and are put together (MLS §10.4.2.1).
fn rows_of_matrix(e: &Expr) -> Option<Vec<Vec<&Expr>>> {
    let rows: Vec<&Expr> = concatenated(e, 1).unwrap_or_else(|| vec![e]);
    let rows: Vec<Vec<&Expr>> =
        rows.iter().map(|row| concatenated(row, 2).unwrap_or_else(|| vec![row])).collect();
    let plain: Vec<Vec<&Expr>> = rows
        .iter()
        .map(|row| row.iter().map(|part| before_promotion(part).unwrap_or(part)).collect())
        .collect();
    let any_promoted = rows.iter().flatten().any(|part| before_promotion(part).is_some());
    // read back, the parts get as many dimensions as the one that has most of them
    let dimensions = plain.iter().flatten().map(|part| part.ty.dimensions()).max()?.max(2);
    (any_promoted && dimensions == e.ty.dimensions()).then_some(plain)
}

/// The parts that are put together along a dimension.
fn concatenated(e: &Expr, dimension: i64) -> Option<Vec<&Expr>> {
    match &e.kind {
        ExprKind::Call(Builtin::Cat, arguments) => match arguments.split_first() {
            Some((along, parts)) if along.kind == ExprKind::Integer(dimension) => {
                Some(parts.iter().collect())
            }
            _ => None,
        },
        _ => None,
    }
}

fn before_promotion(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Call(Builtin::Promote, arguments) => arguments.first(),
        _ => None,
    }
}
