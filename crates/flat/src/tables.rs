//! Types, functions and iterators that expressions refer to.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::{Function, FunctionId, IteratorId, Scalar, Size, Type};

/// An enumeration of a [`Tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EnumerationId(pub u32);

/// A record type of a [`Tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RecordId(pub u32);

/// An enumeration type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enumeration {
    /// Its qualified name.
    pub name: SmolStr,
    /// Its literals, in order; the first one has the number 1.
    pub literals: Vec<SmolStr>,
}

/// A record type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Its qualified name.
    pub name: SmolStr,
    /// Its fields, in order.
    pub fields: Vec<RecordField>,
    /// Whether operators are overloaded for it.
    pub is_operator: bool,
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordField {
    /// Its name.
    pub name: SmolStr,
    /// Its type.
    pub ty: Type,
}

/// Everything the expressions of a model refer to by id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tables {
    /// By [`EnumerationId`].
    pub enumerations: Vec<Enumeration>,
    /// By [`RecordId`].
    pub records: Vec<Record>,
    /// By [`FunctionId`].
    pub functions: Vec<Function>,
    /// Names of iterators, by [`IteratorId`].
    pub iterators: Vec<SmolStr>,
}

impl Tables {
    /// An enumeration.
    pub fn enumeration(&self, id: EnumerationId) -> &Enumeration {
        &self.enumerations[id.0 as usize]
    }

    /// A record type.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The name of an iterator.
    pub fn iterator(&self, id: IteratorId) -> &SmolStr {
        &self.iterators[id.0 as usize]
    }

    /// A new iterator of this name.
    pub fn new_iterator(&mut self, name: impl Into<SmolStr>) -> IteratorId {
        self.iterators.push(name.into());
        IteratorId(self.iterators.len() as u32 - 1)
    }

    /// The enumeration of this name, added if it is new.
    pub fn add_enumeration(&mut self, enumeration: Enumeration) -> EnumerationId {
        let known = self.enumerations.iter().position(|known| *known == enumeration);
        let place = known.unwrap_or_else(|| {
            self.enumerations.push(enumeration);
            self.enumerations.len() - 1
        });
        EnumerationId(place as u32)
    }

    /// The record type with this name and these fields, added if it is new.
    pub fn add_record(&mut self, record: Record) -> RecordId {
        let known = self.records.iter().position(|known| *known == record);
        let place = known.unwrap_or_else(|| {
            self.records.push(record);
            self.records.len() - 1
        });
        RecordId(place as u32)
    }

    /// Whether values of this type have derivatives: a Real, or a record with some.
    pub fn holds_reals(&self, ty: &Type) -> bool {
        match ty.scalar {
            Scalar::Real => true,
            Scalar::Record(id) => self.record(id).fields.iter().any(|field| self.holds_reals(&field.ty)),
            _ => false,
        }
    }

    /// The name of an element type, as it is declared.
    pub fn scalar_name(&self, scalar: Scalar) -> &str {
        match scalar {
            Scalar::Real => "Real",
            Scalar::Integer => "Integer",
            Scalar::Boolean => "Boolean",
            Scalar::String => "String",
            Scalar::Clock => "Clock",
            Scalar::Enumeration(id) => &self.enumeration(id).name,
            Scalar::Record(id) | Scalar::ExternalObject(id) => &self.record(id).name,
            Scalar::Function => "function",
        }
    }

    /// A type as it is declared: `Real[2, :]`.
    pub fn type_name(&self, ty: &Type) -> String {
        let scalar = self.scalar_name(ty.scalar);
        if ty.sizes.is_empty() {
            return scalar.to_owned();
        }
        let sizes: Vec<String> = ty
            .sizes
            .iter()
            .map(|size| match size {
                Size::Known(size) => size.to_string(),
                Size::Open => ":".into(),
            })
            .collect();
        format!("{scalar}[{}]", sizes.join(", "))
    }
}
