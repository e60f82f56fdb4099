//! Operators on records that define them (MLS §14).

use rhei_flat::{Builtin, Expr, ExprKind, Scalar, Type};
use rhei_source::Span;
use rhei_syntax::ast::{BinaryOperator, ClassKind, UnaryOperator};

use super::calls::Arguments;
use super::{Typed, Typing};
use crate::class::ClassNodeId;
use crate::mistake::Mistake;
use crate::shape::ElementKind;

impl<'l> Typing<'_, 'l> {
    pub(super) fn overloaded_unary(&mut self, operator: UnaryOperator, operand: Expr, span: Span) -> Typed {
        let name = match operator {
            UnaryOperator::Minus | UnaryOperator::ElementwiseMinus => "'-'",
            UnaryOperator::Not => "'not'",
            UnaryOperator::Plus | UnaryOperator::ElementwisePlus => return Ok(operand),
        };
        if !operand.ty.is_scalar() {
            return self.through_elements(vec![operand], span, &mut |typing, parts| {
                let part = parts.into_iter().next().ok_or(Mistake::Incomplete)?;
                typing.overloaded_unary(operator, part, span)
            });
        }
        let candidates = self.operator_functions(&[operand.ty.scalar], name);
        if let Some(call) =
            self.only_call(operator.symbol(), candidates, std::slice::from_ref(&operand), span)?
        {
            return Ok(call);
        }
        Err(self.no_operator(operator.symbol(), &[&operand], span))
    }

    pub(super) fn overloaded_binary(
        &mut self,
        operator: BinaryOperator,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Typed {
        use BinaryOperator as B;
        let plain = match operator {
            B::ElementwiseAdd => B::Add,
            B::ElementwiseSubtract => B::Subtract,
            B::ElementwiseMultiply => B::Multiply,
            B::ElementwiseDivide => B::Divide,
            B::ElementwisePower => B::Power,
            other => other,
        };
        let (a, b) = (left.ty.is_scalar(), right.ty.is_scalar());
        if !a || !b {
            if plain == B::Multiply && operator == plain && !a && !b {
                return self.overloaded_product(left, right, span);
            }
            return self.through_elements(vec![left, right], span, &mut |typing, parts| {
                let mut parts = parts.into_iter();
                let (a, b) =
                    (parts.next().ok_or(Mistake::Incomplete)?, parts.next().ok_or(Mistake::Incomplete)?);
                typing.operation(plain, a, b, span)
            });
        }
        let name = format!("'{}'", plain.symbol());
        let arguments = [left, right];
        let scalars = [arguments[0].ty.scalar, arguments[1].ty.scalar];
        let candidates = self.operator_functions(&scalars, &name);
        if let Some(call) = self.only_call(operator.symbol(), candidates, &arguments, span)? {
            return Ok(call);
        }
        // one operand may be made into a record of the other's class (MLS §14.4)
        for (place, record) in [(0, scalars[1]), (1, scalars[0])] {
            if !matches!(record, Scalar::Record(_)) || scalars[place] == record {
                continue;
            }
            let Some(converted) = self.constructed(record, &arguments[place], span) else { continue };
            let mut tried = arguments.clone();
            tried[place] = converted;
            let candidates = self.operator_functions(&[record], &name);
            if let Some(call) = self.only_call(operator.symbol(), candidates, &tried, span)? {
                return Ok(call);
            }
        }
        let [left, right] = &arguments;
        Err(self.no_operator(operator.symbol(), &[left, right], span))
    }

    /// A record made by one of the constructors that its class overloads.
    pub(super) fn constructed(&mut self, record: Scalar, from: &Expr, span: Span) -> Option<Expr> {
        let functions = self.operator_functions(&[record], "'constructor'");
        functions.into_iter().find_map(|function| self.try_call(function, std::slice::from_ref(from), span))
    }

    /// The functions of an operator, of the classes of these operands.
    pub(super) fn operator_functions(&mut self, operands: &[Scalar], name: &str) -> Vec<ClassNodeId> {
        let mut functions = Vec::new();
        for scalar in operands {
            let Scalar::Record(id) = scalar else { continue };
            let Some(&class) = self.context.record_classes.get(id) else { continue };
            let Some(crate::lookup::Found::Class(operator)) = self.context.lookup_in(class, name) else {
                continue;
            };
            if self.context.class(operator).kind() != ClassKind::Operator {
                functions.push(operator); // `operator function '+'`
                continue;
            }
            let elements = self.context.elements(operator);
            for (name, element) in elements.iter() {
                if let ElementKind::Class(definition) = element.kind() {
                    functions.push(self.context.class_element(element.owner, name, definition));
                }
            }
        }
        functions.dedup();
        functions
    }

    /// The call of the one function that the arguments fit; it is a mistake if they fit several (MLS §14.4).
    fn only_call(
        &mut self,
        symbol: &str,
        functions: Vec<ClassNodeId>,
        arguments: &[Expr],
        span: Span,
    ) -> Result<Option<Expr>, Mistake> {
        let mut found: Option<(Expr, Span, String)> = None;
        for function in functions {
            let Some(call) = self.try_call(function, arguments, span) else { continue };
            let Some(declared) = self.context.class(function).text().map(|text| text.span()) else {
                continue;
            };
            let name = self.context.class_name(function);
            match &found {
                // the same function, reached through another instance of the record
                Some((_, before, _)) if *before == declared => {}
                Some((_, _, before)) => {
                    let functions = [before.clone(), name];
                    return Err(Mistake::AmbiguousOperator { symbol: symbol.into(), functions, span });
                }
                None => found = Some((call, declared, name)),
            }
        }
        Ok(found.map(|(call, ..)| call))
    }

    /// `String` of a record that says how it is written; none where the value is no record.
    pub(super) fn overloaded_text(&mut self, written: &Arguments<'l>) -> Result<Option<Expr>, Mistake> {
        let Some(first) = written.positional.first() else { return Ok(None) };
        let value = self.expression(*first)?;
        if !matches!(value.ty.scalar, Scalar::Record(_)) {
            return Ok(None);
        }
        for function in self.operator_functions(&[value.ty.scalar], "'String'") {
            let Ok(id) = self.context.function_of(function) else { continue };
            let given = self.match_arguments(id, written);
            if let Ok(call) = given.and_then(|given| self.apply(id, given, written.span)) {
                return Ok(Some(call));
            }
        }
        Err(self.no_operator("String", &[&value], written.span))
    }

    /// A call if the arguments fit, without a word if not.
    pub(super) fn try_call(&mut self, function: ClassNodeId, arguments: &[Expr], span: Span) -> Option<Expr> {
        let id = self.context.function_of(function).ok()?;
        let inputs: Vec<(Type, bool)> = self
            .context
            .tables
            .function(id)
            .inputs()
            .map(|(_, local)| (local.ty.clone(), local.binding.is_some()))
            .collect();
        if arguments.len() > inputs.len() || inputs[arguments.len()..].iter().any(|(_, default)| !default) {
            return None;
        }
        let fits =
            arguments.iter().zip(&inputs).all(|(argument, (ty, _))| self.check("", ty, argument).is_ok());
        if !fits {
            return None;
        }
        self.apply(id, arguments.iter().cloned().map(Some).collect(), span).ok()
    }

    /// Element by element over arrays of records; scalars stand for every element.
    fn through_elements(
        &mut self,
        operands: Vec<Expr>,
        span: Span,
        operation: &mut dyn FnMut(&mut Self, Vec<Expr>) -> Typed,
    ) -> Typed {
        let array = operands.iter().find(|operand| !operand.ty.is_scalar()).ok_or(Mistake::Incomplete)?;
        let sizes = array.ty.sizes.clone();
        for operand in &operands {
            if !operand.ty.is_scalar() && !operand.ty.same_sizes(&array.ty) {
                return Err(self.incompatible("the operands", array, operand));
            }
        }
        let mut iterations = Vec::new();
        let mut subscripts = Vec::new();
        for dimension in 0..sizes.len() {
            let iterator = self.context.tables.new_iterator("$i");
            let kind = ExprKind::Iterator(iterator);
            let ty = Type::scalar(Scalar::Integer);
            subscripts.push(rhei_flat::Subscript::Index(Expr { kind, ty, span }));
            let range = Box::new(self.counting_along(array, dimension));
            iterations.push(rhei_flat::Iteration { iterator, range });
        }
        let parts = operands.into_iter().map(|operand| {
            if operand.ty.is_scalar() {
                return operand;
            }
            let ty = Type::scalar(operand.ty.scalar);
            Expr { kind: ExprKind::Index(Box::new(operand), subscripts.clone()), ty, span }
        });
        let parts = parts.collect();
        let body = operation(self, parts)?;
        iterations.reverse();
        let ty = body.ty.within(sizes);
        Ok(Expr { kind: ExprKind::Comprehension(Box::new(body), iterations), ty, span })
    }

    /// The sum or product of all elements of an array of records; a sum of none is `'0'` (MLS §10.3.4, §14.5).
    pub(super) fn overloaded_reduction(&mut self, builtin: Builtin, array: &Expr, span: Span) -> Typed {
        let Some(sizes) = array.ty.known_sizes() else {
            let what = format!("`{}` of records of open sizes", builtin.name());
            return Err(Mistake::not_supported(what, span));
        };
        let operator = if builtin == Builtin::Sum { BinaryOperator::Add } else { BinaryOperator::Multiply };
        let count = sizes.iter().fold(1, |count: usize, &size| count.saturating_mul(size));
        let what = format!("the argument of `{}`", builtin.name());
        self.context.write_out(&what, count, array.size(), span)?;
        let mut whole: Option<Expr> = None;
        for number in 0..count {
            let mut rest = number;
            let mut subscripts = Vec::new();
            for size in sizes.iter().rev() {
                let place = self.context.integer((rest % size) as i64 + 1, span);
                subscripts.push(rhei_flat::Subscript::Index(place));
                rest /= size;
            }
            subscripts.reverse();
            let kind = ExprKind::Index(Box::new(array.clone()), subscripts);
            let element = if sizes.is_empty() {
                array.clone()
            } else {
                Expr { kind, ty: Type::scalar(array.ty.scalar), span }
            };
            whole = Some(match whole {
                None => element,
                Some(whole) => self.operation(operator, whole, element, span)?,
            });
        }
        if let Some(whole) = whole {
            return Ok(whole);
        }
        if builtin == Builtin::Sum {
            for function in self.operator_functions(&[array.ty.scalar], "'0'") {
                if let Some(zero) = self.try_call(function, &[], span) {
                    return Ok(zero);
                }
            }
        }
        Err(self.no_operator(builtin.name(), &[array], span))
    }

    /// Products of arrays of records: sums of products of elements.
    fn overloaded_product(&mut self, left: Expr, right: Expr, span: Span) -> Typed {
        let sizes = (left.ty.known_sizes(), right.ty.known_sizes());
        let (Some(a), Some(b)) = sizes else {
            return Err(Mistake::not_supported("a product of records of open sizes", span));
        };
        if a.last() != b.first() {
            return Err(self.incompatible("the operands of `*`", &left, &right));
        }
        let inner = *b.first().ok_or(Mistake::Incomplete)?;
        let rows = if a.len() == 2 { a[0] } else { 1 };
        let columns = if b.len() == 2 { b[1] } else { 1 };
        let element = |typing: &Self, e: &Expr, indices: &[usize]| {
            let subscripts = indices
                .iter()
                .map(|&i| rhei_flat::Subscript::Index(typing.context.integer(i as i64, span)))
                .collect();
            Expr {
                kind: ExprKind::Index(Box::new(e.clone()), subscripts),
                ty: Type::scalar(e.ty.scalar),
                span,
            }
        };
        let count = rows.saturating_mul(columns).saturating_mul(inner);
        self.context.write_out("this product of records", count, left.size() + right.size(), span)?;
        let mut matrix = Vec::new();
        for i in 1..=rows {
            let mut row = Vec::new();
            for j in 1..=columns {
                let mut sum: Option<Expr> = None;
                for k in 1..=inner {
                    let row: &[usize] = if a.len() == 2 { &[i, k] } else { &[k] };
                    let column: &[usize] = if b.len() == 2 { &[k, j] } else { &[k] };
                    let x = element(self, &left, row);
                    let y = element(self, &right, column);
                    let product = self.operation(BinaryOperator::Multiply, x, y, span)?;
                    sum = Some(match sum {
                        None => product,
                        Some(sum) => self.operation(BinaryOperator::Add, sum, product, span)?,
                    });
                }
                row.push(sum.ok_or(Mistake::EmptyArray { span })?);
            }
            matrix.push(row);
        }
        let flat = |row: Vec<Expr>, typing: &mut Self| typing.array_of(row, span);
        match (a.len(), b.len()) {
            (1, 1) => matrix.pop().and_then(|mut row| row.pop()).ok_or(Mistake::Incomplete),
            (1, 2) => flat(matrix.pop().ok_or(Mistake::Incomplete)?, self),
            (2, 1) => {
                let column = matrix.into_iter().filter_map(|mut row| row.pop()).collect();
                flat(column, self)
            }
            _ => {
                let rows: Vec<Expr> =
                    matrix.into_iter().map(|row| flat(row, self)).collect::<Result<_, _>>()?;
                self.array_of(rows, span)
            }
        }
    }

    fn no_operator(&self, symbol: &str, operands: &[&Expr], span: Span) -> Mistake {
        let types = operands.iter().map(|operand| self.context.type_name(&operand.ty)).collect();
        Mistake::NoOperator { symbol: symbol.into(), types, span }
    }
}
