//! The layout of values in memory: as numbers, one after the other.

use rhei_flat::{FunctionId, RecordId, Scalar, Tables};

use crate::{ArrayValue, Value};

/// The offsets of the parts of a value, from its first number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// The form of one element.
    pub element: Element,
    /// The number of elements in each dimension.
    pub sizes: Vec<usize>,
}

/// One element of an array, or a scalar.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// A number, truth value or literal.
    Number(Scalar),
    /// A record, by its fields in order.
    Record(RecordId, Vec<Layout>),
    /// A function as an argument: it is known at translation, and its numbers are those of the given inputs, by their indices.
    Function(FunctionId, Vec<(u32, Layout)>),
}

/// 2^53: larger whole numbers are not all representable.
pub const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

impl Layout {
    pub(super) fn number(scalar: Scalar) -> Layout {
        Layout { element: Element::Number(scalar), sizes: Vec::new() }
    }

    /// The layout of a component of this type; `None` if it is not made of numbers, or the size of a field is open.
    pub(super) fn of(scalar: Scalar, sizes: Vec<usize>, tables: &Tables) -> Option<Layout> {
        let element = match scalar {
            Scalar::Real | Scalar::Integer | Scalar::Boolean | Scalar::Enumeration(_) => {
                Element::Number(scalar)
            }
            Scalar::Record(id) => {
                let field = |ty: &rhei_flat::Type| {
                    let sizes = ty.sizes.iter().map(|size| size.known()).collect::<Option<_>>()?;
                    Layout::of(ty.scalar, sizes, tables)
                };
                let fields =
                    tables.record(id).fields.iter().map(|of| field(&of.ty)).collect::<Option<_>>()?;
                Element::Record(id, fields)
            }
            _ => return None,
        };
        Some(Layout { element, sizes })
    }

    /// The layout of an argument for a component of this type.
    pub(super) fn of_value(scalar: Scalar, value: &Value, tables: &Tables) -> Option<Layout> {
        let Value::Function(id, given) = value else {
            return Layout::of(scalar, value.sizes().to_vec(), tables);
        };
        let given = given.iter().map(|(place, value)| {
            let input = tables.function(*id).inputs().nth(*place as usize)?.1;
            Some((*place, Layout::of_value(input.ty.scalar, value, tables)?))
        });
        Some(Layout { element: Element::Function(*id, given.collect::<Option<_>>()?), sizes: Vec::new() })
    }

    /// The layout of a component of this type that takes an argument of this layout.
    pub(super) fn handed_over(&self, scalar: Scalar, tables: &Tables) -> Option<Layout> {
        match (&self.element, scalar) {
            (Element::Function(..), Scalar::Function) => Some(self.clone()),
            _ => {
                Layout::of(scalar, self.sizes.clone(), tables).filter(|layout| layout.width() == self.width())
            }
        }
    }

    /// The numbers of one element.
    pub fn element_width(&self) -> usize {
        match &self.element {
            Element::Number(_) => 1,
            Element::Record(_, fields) => fields.iter().map(Layout::width).sum(),
            Element::Function(_, given) => given.iter().map(|(_, layout)| layout.width()).sum(),
        }
    }

    /// The elements.
    pub fn count(&self) -> usize {
        self.sizes.iter().product()
    }

    /// All numbers.
    pub fn width(&self) -> usize {
        self.count() * self.element_width()
    }

    /// Its type, if it is one number.
    pub(super) fn scalar(&self) -> Option<Scalar> {
        match self.element {
            Element::Number(scalar) if self.sizes.is_empty() => Some(scalar),
            _ => None,
        }
    }

    /// One element.
    pub(super) fn one(&self) -> Layout {
        Layout { element: self.element.clone(), sizes: Vec::new() }
    }

    /// Whether all elements are whole numbers.
    pub(super) fn is_whole(&self) -> bool {
        self.element == Element::Number(Scalar::Integer)
    }

    /// The same elements in these sizes.
    pub(super) fn sized(&self, sizes: Vec<usize>) -> Layout {
        Layout { element: self.element.clone(), sizes }
    }

    /// Appends the numbers of a value; says whether it has this layout and all of it is known.
    pub(super) fn take_apart(&self, value: &Value, numbers: &mut Vec<f64>) -> bool {
        if value.sizes() != self.sizes {
            return false;
        }
        match value {
            Value::Array(array) => {
                let element = self.one();
                array.elements().iter().all(|value| element.take_apart(value, numbers))
            }
            value => self.take_element_apart(value, numbers),
        }
    }

    fn take_element_apart(&self, value: &Value, numbers: &mut Vec<f64>) -> bool {
        let number = match (&self.element, value) {
            (Element::Number(Scalar::Real), Value::Real(x)) => *x,
            (Element::Number(Scalar::Real | Scalar::Integer), Value::Integer(i)) => *i as f64,
            (Element::Number(Scalar::Boolean), Value::Boolean(b)) => f64::from(u8::from(*b)),
            (Element::Number(Scalar::Enumeration(_)), Value::Enumeration(_, number)) => f64::from(*number),
            (Element::Record(_, layouts), Value::Record(_, fields)) => {
                let mut pairs = layouts.iter().zip(fields);
                return layouts.len() == fields.len()
                    && pairs.all(|(of, field)| of.take_apart(field, numbers));
            }
            (Element::Function(_, layouts), Value::Function(_, given)) => {
                let mut pairs = layouts.iter().zip(given);
                return layouts.len() == given.len()
                    && pairs.all(|((_, of), (_, value))| of.take_apart(value, numbers));
            }
            _ => return false,
        };
        numbers.push(number);
        let is_large = number.abs() >= LARGEST_WHOLE && self.is_whole();
        !number.is_nan() && !is_large
    }

    /// Whether the numbers of a result are assigned, as [`Value::is_complete`].
    pub(super) fn is_complete(&self, numbers: &[f64]) -> bool {
        match &self.element {
            Element::Number(_) | Element::Function(..) => numbers.iter().all(|x| !x.is_nan()),
            Element::Record(_, fields) => {
                let mut elements = numbers.chunks_exact(self.element_width().max(1));
                elements.all(|mut element| {
                    let mut is_there = |field: &Layout| {
                        let (of_field, others) = element.split_at(field.width());
                        element = others;
                        field.is_complete(of_field)
                    };
                    fields.is_empty() || fields.iter().any(&mut is_there)
                })
            }
        }
    }

    /// Fills fields of records that were left unassigned, as [`Value::completed`].
    pub(super) fn complete(&self, numbers: &mut [f64]) {
        match &self.element {
            Element::Number(scalar) => {
                let nothing = if matches!(scalar, Scalar::Enumeration(_)) { 1.0 } else { 0.0 };
                numbers.iter_mut().filter(|x| x.is_nan()).for_each(|x| *x = nothing);
            }
            Element::Record(_, fields) => {
                for mut element in numbers.chunks_exact_mut(self.element_width().max(1)) {
                    for field in fields {
                        let (of_field, others) = element.split_at_mut(field.width());
                        field.complete(of_field);
                        element = others;
                    }
                }
            }
            Element::Function(..) => {} // no result
        }
    }

    /// The value that numbers make up.
    pub(super) fn put_together(&self, numbers: &mut impl Iterator<Item = f64>) -> Value {
        if self.sizes.is_empty() {
            return self.put_element_together(numbers);
        }
        let scalar = match self.element {
            Element::Number(scalar) => scalar,
            Element::Record(id, _) => Scalar::Record(id),
            Element::Function(..) => Scalar::Function,
        };
        let elements = (0..self.count()).map(|_| self.put_element_together(numbers)).collect();
        ArrayValue::new(scalar, self.sizes.clone(), elements).into()
    }

    fn put_element_together(&self, numbers: &mut impl Iterator<Item = f64>) -> Value {
        match &self.element {
            Element::Function(id, given) => {
                let given = given.iter().map(|(place, layout)| (*place, layout.put_together(numbers)));
                Value::Function(*id, given.collect())
            }
            Element::Record(id, fields) => {
                Value::Record(*id, fields.iter().map(|field| field.put_together(numbers)).collect())
            }
            Element::Number(scalar) => {
                let number = numbers.next().unwrap_or(f64::NAN);
                match scalar {
                    Scalar::Integer => Value::Integer(number as i64),
                    Scalar::Boolean => Value::Boolean(number != 0.0),
                    Scalar::Enumeration(id) => Value::Enumeration(*id, number as u32),
                    _ => Value::Real(number),
                }
            }
        }
    }
}
