//! Values of parameters and inputs, by their types.

use std::fmt;

/// A value that is given to a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Real(f64),
    /// A whole number.
    Integer(i64),
    /// A truth value.
    Boolean(bool),
    /// A text.
    String(String),
    /// A literal of an enumeration, by its name alone or with that of its type: `Full`, `Modelica.Fluid.Types.Dynamics.SteadyState`.
    Literal(String),
    /// An array; of arrays where it has more dimensions.
    Array(Vec<Value>),
}

impl fmt::Display for Value {
    /// As it is written in Modelica.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Real(value) => write!(f, "{value:?}"),
            Value::Integer(value) => write!(f, "{value}"),
            Value::Boolean(value) => write!(f, "{value}"),
            Value::String(text) => write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            Value::Literal(name) => f.write_str(name),
            Value::Array(values) => {
                f.write_str("{")?;
                for (place, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if place > 0 { ", " } else { "" })?;
                }
                f.write_str("}")
            }
        }
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Real(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Integer(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Value {
        Value::Integer(value.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Boolean(value)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::String(text.to_owned())
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Value {
        Value::Array(values.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(values: [T; N]) -> Value {
        Value::Array(values.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_in_modelica() {
        let written = |value: Value| value.to_string();
        assert_eq!(written(0.1.into()), "0.1");
        assert_eq!(written(2.0.into()), "2.0");
        assert_eq!(written((-3).into()), "-3");
        assert_eq!(written(true.into()), "true");
        assert_eq!(written("a \"b\" \\".into()), r#""a \"b\" \\""#);
        assert_eq!(written([[1.0, 2.0], [3.0, 4.5]].into()), "{{1.0, 2.0}, {3.0, 4.5}}");
    }
}
