//! Constants of packages: their values stand where they are named (MLS §4.5, §5.3.3).

use rhei_flat::{Expr, ExprKind, Scalar, Size, Subscript, Type, Variability};
use rhei_source::Span;
use rhei_syntax::ast;

use super::references::{Step, subscripted};
use super::{Typed, Typing};
use crate::component::{ComponentId, Content};
use crate::context::Context;
use crate::mistake::Mistake;

impl Typing<'_, '_> {
    /// A constant of a package: its value.
    pub(super) fn package_constant(&mut self, first: ComponentId, steps: &[Step], span: Span) -> Typed {
        if self.context.component(first).variability > Variability::Constant
            && !self.is_constant_enough(first)
        {
            let name = self.context.path_name(first);
            return Err(Mistake::NotConstant { name, span });
        }
        // down to the first component that has a value as a whole: a field may be given by other fields
        let mut depth = 0;
        while depth + 1 < steps.len() && !self.context.has_own_value(steps[depth].0) {
            depth += 1;
        }
        let mut value = self.context.constant_value(steps[depth].0, span)?;
        let subscripts: Vec<Subscript> =
            steps[..=depth].iter().flat_map(|(_, own)| own.iter().cloned()).collect();
        value = self.element_of(value, &subscripts, span);
        let inside = steps[depth + 1..].iter();
        for (component, subscripts) in inside {
            let name = self.context.component(*component).name.clone();
            let class = self.context.type_name(&value.ty);
            let found = self.context.field_named(value, &name);
            let field =
                found.ok_or(Mistake::UnknownName { name: name.to_string(), class, near: None, span })?;
            // the dimensions of the records around come first
            let outer = field.ty.dimensions().saturating_sub(subscripts.len());
            let all: Vec<Subscript> =
                std::iter::repeat_n(Subscript::Whole, outer).chain(subscripts.iter().cloned()).collect();
            value = self.element_of(field, &all, span);
        }
        Ok(Expr { span, ..value })
    }

    /// Final parameters of packages are written now and then for constants. Parameters of a record may be others in each record.
    fn is_constant_enough(&self, component: ComponentId) -> bool {
        let node = self.context.component(component);
        let class = self.context.class(node.declared_in).kind();
        let given_later = matches!(class, ast::ClassKind::Record | ast::ClassKind::OperatorRecord);
        node.variability == Variability::Parameter
            && (node.is_final || (node.value.is_some() && !given_later))
    }

    fn element_of(&mut self, value: Expr, subscripts: &[Subscript], span: Span) -> Expr {
        if subscripts.iter().all(|subscript| *subscript == Subscript::Whole) {
            return value;
        }
        let ty = Type::array(value.ty.scalar, subscripted(&value.ty.sizes, subscripts));
        let indexed = Expr { kind: ExprKind::Index(Box::new(value), subscripts.to_vec()), ty, span };
        // an element of a literal with literal subscripts is a literal
        match self.context.evaluate(&indexed, false) {
            Ok(value) => rhei_evaluate::to_expr(&value, &indexed.ty, span),
            Err(_) => indexed,
        }
    }
}

impl<'l> Context<'l> {
    /// The value of a constant, evaluated once.
    pub(crate) fn constant_value(&mut self, component: ComponentId, span: Span) -> Result<Expr, Mistake> {
        if let Some(known) = self.constants.get(&component) {
            let known = known.clone().ok_or(Mistake::Incomplete)?;
            self.work(known.ty.known_elements(), Some(span));
            return Ok(known);
        }
        let value = self.evaluated_constant(component, span);
        // a circle shows as a value that depends on itself; nothing is kept of it
        self.constants.insert(component, value.as_ref().ok().cloned());
        value
    }

    fn evaluated_constant(&mut self, component: ComponentId, span: Span) -> Result<Expr, Mistake> {
        let declared = self.component(component).span;
        let value = match self.component(component).content {
            Content::Variable(_) => self.value_or_start(component)?,
            Content::Elements => {
                let array = self.component(component);
                let sizes: Vec<usize> = array.sizes.iter().map(|size| size.known().unwrap_or(0)).collect();
                let elements = array.elements().to_vec();
                let values: Vec<Expr> = elements
                    .into_iter()
                    .map(|element| self.constant_value(element, span))
                    .collect::<Result<_, _>>()?;
                return Ok(nested(values, &sizes, span));
            }
            _ => match self.value(component)? {
                Some(value) => {
                    self.check_record_value(component, &value)?;
                    Some(value)
                }
                None => Some(self.record_constant(component, span)?),
            },
        };
        let name = self.path_name(component);
        let value = value.ok_or(Mistake::ConstantWithoutValue { name, span, declared })?;
        let scalar = self.component_type(component).ok_or(Mistake::Incomplete)?.scalar;
        let ty = Type::array(scalar, self.full_sizes(component));
        match self.evaluate(&value, true) {
            Ok(result) => Ok(rhei_evaluate::to_expr(&result, &ty, span)),
            Err(Mistake::Evaluation(failure))
                if matches!(*failure, rhei_evaluate::Failure::External { .. }) =>
            {
                Ok(value)
            }
            Err(mistake) => Err(mistake),
        }
    }

    /// Whether a component has a value as a whole, and not by its parts.
    fn has_own_value(&self, component: ComponentId) -> bool {
        let node = self.component(component);
        node.value.is_some() || matches!(node.content, Content::Variable(_))
    }

    /// A record constant whose fields have values each.
    fn record_constant(&mut self, component: ComponentId, span: Span) -> Result<Expr, Mistake> {
        let class = self.component(component).class;
        let name = self.path_name(component);
        let record = self.record_of(class).ok_or(Mistake::NotAValue { name, span })?;
        let elements = self.elements(class);
        let mut fields = Vec::new();
        for field in self.tables.record(record).fields.clone() {
            let element = elements.get(&field.name).ok_or(Mistake::Incomplete)?;
            let child = self.component_element(element, &field.name).ok_or(Mistake::Incomplete)?;
            fields.push(self.constant_value(child, span)?);
        }
        let sizes = self.full_sizes(component);
        let count = sizes.iter().fold(1, |n: usize, size| n.saturating_mul(size.known().unwrap_or(0)));
        let each = fields.iter().map(Expr::size).sum();
        if count > 1 {
            let name = self.path_name(component);
            self.write_out(&name, count, each, span)?;
        }
        Ok(self.records_of(record, fields, &sizes, span))
    }

    /// Records from fields that have further dimensions outside: an array of records.
    fn records_of(&self, record: rhei_flat::RecordId, fields: Vec<Expr>, sizes: &[Size], span: Span) -> Expr {
        let Some((first, inner)) = sizes.split_first() else {
            let ty = Type::scalar(Scalar::Record(record));
            return Expr { kind: ExprKind::Record(record, fields), ty, span };
        };
        let elements = (1..=first.known().unwrap_or(0)).map(|i| {
            let fields = fields.iter().map(|field| {
                let mut subscripts = vec![Subscript::Index(self.integer(i as i64, span))];
                subscripts.resize(field.ty.dimensions(), Subscript::Whole);
                let ty = field.ty.element();
                Expr { kind: ExprKind::Index(Box::new(field.clone()), subscripts), ty, span }
            });
            self.records_of(record, fields.collect(), inner, span)
        });
        let kind = ExprKind::Array(elements.collect());
        Expr { kind, ty: Type::array(Scalar::Record(record), sizes.to_vec()), span }
    }
}

/// Arrays in arrays, from elements of which the last dimension runs fastest.
fn nested(mut elements: Vec<Expr>, sizes: &[usize], span: Span) -> Expr {
    for &size in sizes.iter().rev() {
        let rows = elements.chunks(size.max(1)).map(|row| {
            let ty = row[0].ty.within([Size::Known(row.len())]);
            Expr { kind: ExprKind::Array(row.to_vec()), ty, span }
        });
        elements = rows.collect();
    }
    elements.swap_remove(0)
}
