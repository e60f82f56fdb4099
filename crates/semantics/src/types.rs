//! Classes as types: enumerations, records, external objects.

use rhei_flat::{
    Enumeration, EnumerationId, Expr, ExprKind, Record, RecordField, RecordId, Scalar, Size, Type,
};
use rhei_syntax::ast;

use crate::class::{BuiltinClass, ClassNodeId, Definition};
use crate::component::Content;
use crate::context::Context;
use crate::evaluation::WrittenSize;
use crate::shape::{Element, ElementKind};

impl<'l> Context<'l> {
    /// The enumeration a class is or extends.
    pub(crate) fn enumeration_of(&mut self, class: ClassNodeId) -> Option<EnumerationId> {
        if let Some(known) = self.class(class).enumeration() {
            return Some(known);
        }
        let enumeration = match self.class(class).definition {
            Definition::Builtin(BuiltinClass::StateSelect | BuiltinClass::AssertionLevel) => {
                let literals = self.elements(class).names().cloned().collect();
                Enumeration { name: self.class(class).name.clone(), literals }
            }
            Definition::Builtin(_) => return None,
            Definition::Text(text) => match text.specifier()? {
                ast::ClassSpecifier::Enumeration(enumeration) => {
                    let literals =
                        enumeration.literals().filter_map(|literal| Some(literal.name()?.ident().into()));
                    Enumeration { name: self.class_name(class).into(), literals: literals.collect() }
                }
                _ => {
                    let base = self.elements(class).bases().next()?;
                    let found = self.enumeration_of(base)?;
                    self.class_mut(class).particulars_mut().enumeration = Some(found);
                    return Some(found);
                }
            },
        };
        let id = self.tables.add_enumeration(enumeration);
        self.class_mut(class).particulars_mut().enumeration = Some(id);
        Some(id)
    }

    /// The class of an external object, as a type.
    pub(crate) fn external_object(&mut self, class: ClassNodeId) -> RecordId {
        if let Some(known) = self.class(class).record() {
            return known;
        }
        let name = self.class_name(class).into();
        let id = self.tables.add_record(Record { name, fields: Vec::new(), is_operator: false });
        self.class_mut(class).particulars_mut().record = Some(id);
        id
    }

    /// A class with components as a record type; `None` for classes that have no values, such as packages and functions.
    pub(crate) fn record_of(&mut self, class: ClassNodeId) -> Option<RecordId> {
        use ast::ClassKind as K;
        if let Some(known) = self.class(class).record() {
            return Some(known);
        }
        let kind = self.class(class).kind();
        if matches!(kind, K::Package | K::Function | K::OperatorFunction | K::Operator) {
            return None;
        }
        self.deeper_into(class, |context| context.made_record(class, kind))?
    }

    fn made_record(&mut self, class: ClassNodeId, kind: ast::ClassKind) -> Option<RecordId> {
        let elements = self.elements(class);
        let mut fields = Vec::new();
        for (name, element) in elements.iter() {
            if !matches!(element.kind(), ElementKind::Component { .. }) {
                continue;
            }
            let ty = if self.class(class).owner.is_some() {
                let component = self.component_element(element, name)?;
                match self.component(component).content {
                    Content::Absent | Content::Outer(_) | Content::WithoutInner => continue,
                    _ => self.component_type(component)?,
                }
            } else {
                self.element_type(element)?
            };
            fields.push(RecordField { name: name.clone(), ty });
        }
        let is_operator = kind == ast::ClassKind::OperatorRecord || self.is_operator_record(class);
        let name = self.record_name(class).into();
        let id = self.tables.add_record(Record { name, fields, is_operator });
        self.class_mut(class).particulars_mut().record = Some(id);
        self.record_classes.entry(id).or_insert(class);
        Some(id)
    }

    fn is_operator_record(&mut self, class: ClassNodeId) -> bool {
        let elements = self.elements(class);
        elements.bases().any(|base| {
            self.class(base).kind() == ast::ClassKind::OperatorRecord || self.is_operator_record(base)
        })
    }

    /// A short class without components of its own has the name of the class it extends.
    fn record_name(&mut self, class: ClassNodeId) -> String {
        let is_short = self
            .class(class)
            .text()
            .is_some_and(|text| matches!(text.specifier(), Some(ast::ClassSpecifier::Short(_))));
        match self.elements(class).bases().next() {
            Some(base) if is_short => self.record_name(base),
            _ => self.class_name(class),
        }
    }

    /// A record type for values of both: sizes in which they differ are open. None where they differ in more.
    pub(crate) fn record_with_open_sizes(&mut self, a: RecordId, b: RecordId) -> Option<RecordId> {
        let (first, second) = (self.tables.record(a).clone(), self.tables.record(b).clone());
        if first.fields.len() != second.fields.len() {
            return None;
        }
        let mut fields = Vec::new();
        for (one, other) in first.fields.iter().zip(&second.fields) {
            if one.name != other.name || one.ty.dimensions() != other.ty.dimensions() {
                return None;
            }
            let scalar = match (one.ty.scalar, other.ty.scalar) {
                (one, other) if self.accepts(one, other) => one,
                (Scalar::Record(one), Scalar::Record(other)) => {
                    Scalar::Record(self.record_with_open_sizes(one, other)?)
                }
                _ => return None,
            };
            let sizes = one.ty.sizes.iter().zip(&other.ty.sizes);
            let sizes = sizes.map(|(one, other)| if one == other { *one } else { Size::Open }).collect();
            fields.push(RecordField { name: one.name.clone(), ty: Type::array(scalar, sizes) });
        }
        let id = self.tables.add_record(Record { fields, ..first });
        if let Some(&class) = self.record_classes.get(&a) {
            self.record_classes.insert(id, class);
        }
        Some(id)
    }

    /// The type of a component element of a class that is no instance: sizes that depend on more than constants are open.
    pub(crate) fn element_type(&mut self, element: Element<'l>) -> Option<Type> {
        let ElementKind::Component { clause, component } = element.kind() else { return None };
        let class = self.lookup_class(clause.type_name()?, Some(element.owner)).ok()?;
        let scalar = match self.scalar_of(class) {
            Some(scalar) => scalar,
            None => Scalar::Record(self.record_of(class)?),
        };
        let own = component.subscripts().into_iter().chain(clause.subscripts());
        let own = own.map(|subscripts| (subscripts, element.owner));
        let written: Vec<_> = own.chain(self.elements(class).dimensions()).collect();
        let mut sizes = Vec::new();
        for (subscripts, scope) in written {
            for subscript in subscripts.subscripts() {
                sizes.push(self.quiet_size(subscript, scope));
            }
        }
        Some(Type::array(scalar, sizes))
    }

    /// A size if it can be found out, without a word if not.
    pub(crate) fn quiet_size(&mut self, subscript: ast::Subscript<'l>, scope: ClassNodeId) -> Size {
        match self.quietly(|context| context.size(subscript, scope)) {
            WrittenSize::Known(size) => Size::Known(size),
            WrittenSize::Colon | WrittenSize::Wrong => Size::Open,
        }
    }

    /// A field of a record expression, by name; taken out of constructors where it can be.
    pub(crate) fn field_named(&mut self, e: Expr, name: &str) -> Option<Expr> {
        let Scalar::Record(id) = e.ty.scalar else { return None };
        let place = self.tables.record(id).fields.iter().position(|field| field.name == name)?;
        Some(self.field(e, place as u32))
    }

    pub(crate) fn field(&self, e: Expr, place: u32) -> Expr {
        let Scalar::Record(id) = e.ty.scalar else { return e };
        let field_type = &self.tables.record(id).fields[place as usize].ty;
        let ty = field_type.within(e.ty.sizes.iter().copied());
        let span = e.span;
        let kind = match e.kind {
            ExprKind::Record(_, mut fields) => return fields.swap_remove(place as usize),
            ExprKind::Array(elements) => {
                ExprKind::Array(elements.into_iter().map(|element| self.field(element, place)).collect())
            }
            ExprKind::Comprehension(body, iterations) => {
                ExprKind::Comprehension(Box::new(self.field(*body, place)), iterations)
            }
            ExprKind::If(c, a, b) => {
                ExprKind::If(c, Box::new(self.field(*a, place)), Box::new(self.field(*b, place)))
            }
            ExprKind::Call(rhei_flat::Builtin::Fill, mut arguments) => {
                let value = arguments.remove(0);
                arguments.insert(0, self.field(value, place));
                ExprKind::Call(rhei_flat::Builtin::Fill, arguments)
            }
            kind => ExprKind::Field(Box::new(Expr { kind, ty: e.ty, span }), place),
        };
        Expr { kind, ty, span }
    }
}
