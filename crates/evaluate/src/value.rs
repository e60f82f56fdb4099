//! Values of all types of the language.

use rhei_flat::{EnumerationId, FunctionId, RecordId, Scalar, Tables, Type};
use smol_str::SmolStr;

use crate::ArrayValue;

/// An object of code outside the language, by the number its maker gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle(pub u64);

/// A value. Copies are cheap: arrays are shared until one of them is changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Real(f64),
    /// A whole number.
    Integer(i64),
    /// A truth value.
    Boolean(bool),
    /// A text.
    String(SmolStr),
    /// A literal of an enumeration, by its number from one.
    Enumeration(EnumerationId, u32),
    /// An array, of at least one dimension.
    Array(ArrayValue),
    /// A record, by its fields in order.
    Record(RecordId, Vec<Value>),
    /// A function, some of its inputs given: by their places among the inputs, in order.
    Function(FunctionId, Vec<(u32, Value)>),
    /// An object of code outside the language, with its class.
    External(RecordId, Handle),
    /// An unassigned component of a function. Seen only by external code, as an output to fill in.
    Unassigned,
}

impl From<f64> for Value {
    fn from(x: f64) -> Value {
        Value::Real(x)
    }
}

impl From<i64> for Value {
    fn from(i: i64) -> Value {
        Value::Integer(i)
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Boolean(b)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::String(text.into())
    }
}

impl From<ArrayValue> for Value {
    fn from(array: ArrayValue) -> Value {
        Value::Array(array)
    }
}

impl Value {
    /// A vector of numbers.
    pub fn reals(elements: impl IntoIterator<Item = f64>) -> Value {
        Value::Array(ArrayValue::vector(Scalar::Real, elements.into_iter().map(Value::Real).collect()))
    }

    /// A vector of whole numbers.
    pub fn integers(elements: impl IntoIterator<Item = i64>) -> Value {
        Value::Array(ArrayValue::vector(Scalar::Integer, elements.into_iter().map(Value::Integer).collect()))
    }

    /// Its sizes; none for a scalar.
    pub fn sizes(&self) -> &[usize] {
        match self {
            Value::Array(array) => array.sizes(),
            _ => &[],
        }
    }

    /// The type of its elements; none if it is not assigned yet.
    pub fn scalar(&self) -> Option<Scalar> {
        Some(match self {
            Value::Real(_) => Scalar::Real,
            Value::Integer(_) => Scalar::Integer,
            Value::Boolean(_) => Scalar::Boolean,
            Value::String(_) => Scalar::String,
            Value::Enumeration(id, _) => Scalar::Enumeration(*id),
            Value::Array(array) => array.scalar(),
            Value::Record(id, _) => Scalar::Record(*id),
            Value::Function(..) => Scalar::Function,
            Value::External(id, _) => Scalar::ExternalObject(*id),
            Value::Unassigned => return None,
        })
    }

    /// Its type; none if it is not assigned yet.
    pub fn ty(&self) -> Option<Type> {
        let sizes = self.sizes().iter().map(|&size| size.into()).collect();
        Some(Type::array(self.scalar()?, sizes))
    }

    /// Its type, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Real(_) => "a Real",
            Value::Integer(_) => "an Integer",
            Value::Boolean(_) => "a Boolean",
            Value::String(_) => "a String",
            Value::Enumeration(..) => "an enumeration literal",
            Value::Array(_) => "an array",
            Value::Record(..) => "a record",
            Value::Function(..) => "a function",
            Value::External(..) => "an external object",
            Value::Unassigned => "not assigned",
        }
    }

    /// The number, if it is a Real or an Integer.
    pub fn as_real(&self) -> Option<f64> {
        match self {
            Value::Real(x) => Some(*x),
            Value::Integer(i) => Some(*i as f64),
            _ => None,
        }
    }

    /// The whole number.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Value::Integer(i) => Some(*i),
            _ => None,
        }
    }

    /// The truth value.
    pub fn as_boolean(&self) -> Option<bool> {
        match self {
            Value::Boolean(b) => Some(*b),
            _ => None,
        }
    }

    /// The text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The array.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(array) => Some(array),
            _ => None,
        }
    }

    /// All scalar elements, in row-major order; the value itself if it is no array.
    pub fn elements(&self) -> &[Value] {
        match self {
            Value::Array(array) => array.elements(),
            scalar => std::slice::from_ref(scalar),
        }
    }

    /// Whether nothing in it is unassigned, but for fields of records: libraries return records they fill in part only.
    pub fn is_complete(&self) -> bool {
        match self {
            Value::Unassigned => false,
            Value::Array(array) => array.elements().iter().all(Value::is_complete),
            Value::Record(_, fields) => fields.is_empty() || fields.iter().any(Value::is_complete),
            _ => true,
        }
    }

    /// The same value with zeros in unassigned fields of records: their values are undefined (MLS §12.4.4), and the receiver
    /// cannot tell.
    pub(crate) fn completed(self, scalar: Scalar, tables: &Tables) -> Value {
        match (self, scalar) {
            (Value::Record(id, fields), _) => {
                let types = &tables.record(id).fields;
                let completed =
                    fields.into_iter().zip(types).map(|(field, ty)| field.completed(ty.ty.scalar, tables));
                Value::Record(id, completed.collect())
            }
            (Value::Array(array), _) => {
                let (sizes, of) = (array.sizes().to_vec(), array.scalar());
                let elements = array.elements().iter().map(|element| element.clone().completed(of, tables));
                Value::Array(ArrayValue::new(of, sizes, elements.collect()))
            }
            (Value::Unassigned, Scalar::Integer) => Value::Integer(0),
            (Value::Unassigned, Scalar::Boolean) => Value::Boolean(false),
            (Value::Unassigned, Scalar::String) => Value::String(SmolStr::default()),
            (Value::Unassigned, Scalar::Enumeration(id)) => Value::Enumeration(id, 1),
            (Value::Unassigned, Scalar::Real) => Value::Real(0.0),
            (value, _) => value,
        }
    }

    /// The same value with elements of type `scalar`: whole numbers become Reals (MLS §10.6.13).
    pub fn conform(self, scalar: Scalar, tables: &Tables) -> Value {
        match (scalar, self) {
            (Scalar::Real, Value::Integer(i)) => Value::Real(i as f64),
            (_, Value::Array(array)) if array.scalar() != scalar && is_widened(array.scalar(), scalar) => {
                let elements = array.elements().iter().map(|e| e.clone().conform(scalar, tables)).collect();
                Value::Array(ArrayValue::new(scalar, array.sizes().to_vec(), elements))
            }
            (Scalar::Record(wanted), Value::Record(id, fields)) if wanted != id => {
                let types = &tables.record(wanted).fields;
                let fields =
                    fields.into_iter().zip(types).map(|(f, field)| f.conform(field.ty.scalar, tables));
                Value::Record(wanted, fields.collect())
            }
            (_, value) => value,
        }
    }
}

/// Whether conversion to elements of type `to` changes those of type `from`.
fn is_widened(from: Scalar, to: Scalar) -> bool {
    matches!((from, to), (Scalar::Integer, Scalar::Real) | (Scalar::Record(_), Scalar::Record(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_become_reals_where_those_are_wanted() {
        let tables = Tables::default();
        assert_eq!(Value::Integer(2).conform(Scalar::Real, &tables), Value::Real(2.0));
        assert_eq!(Value::integers([1, 2]).conform(Scalar::Real, &tables), Value::reals([1.0, 2.0]));
        assert_eq!(Value::integers([]).conform(Scalar::Real, &tables), Value::reals([]));
        assert_eq!(Value::Boolean(true).conform(Scalar::Real, &tables), Value::Boolean(true));
    }

    #[test]
    fn a_value_is_small() {
        assert!(size_of::<Value>() <= 32, "{}", size_of::<Value>());
    }
}
