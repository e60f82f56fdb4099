//! Arrays: sizes, and elements in row-major order.

use std::sync::Arc;

use rhei_flat::Scalar;

use crate::Value;

/// An array. It knows the type of its elements even if it is empty. Copies share their elements until one is changed.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayValue(Arc<Content>);

#[derive(Clone, Debug, PartialEq)]
struct Content {
    scalar: Scalar,
    /// Outermost first, at least one.
    sizes: Vec<usize>,
    /// Scalars in row-major order, as many as the product of the sizes.
    elements: Vec<Value>,
}

impl ArrayValue {
    /// An array of these sizes and scalar elements.
    ///
    /// # Panics
    /// If the sizes are not those of the elements.
    pub fn new(scalar: Scalar, sizes: Vec<usize>, elements: Vec<Value>) -> ArrayValue {
        assert!(!sizes.is_empty() && sizes.iter().product::<usize>() == elements.len(), "sizes of elements");
        ArrayValue(Arc::new(Content { scalar, sizes, elements }))
    }

    /// An array of one dimension.
    pub fn vector(scalar: Scalar, elements: Vec<Value>) -> ArrayValue {
        ArrayValue::new(scalar, vec![elements.len()], elements)
    }

    /// The type of its elements.
    pub fn scalar(&self) -> Scalar {
        self.0.scalar
    }

    /// Its sizes, outermost first.
    pub fn sizes(&self) -> &[usize] {
        &self.0.sizes
    }

    /// How many dimensions it has.
    pub fn dimensions(&self) -> usize {
        self.0.sizes.len()
    }

    /// Its elements, in row-major order.
    pub fn elements(&self) -> &[Value] {
        &self.0.elements
    }

    /// Its elements, to be changed; a copy is made if they are shared.
    pub(crate) fn elements_mut(&mut self) -> &mut [Value] {
        &mut Arc::make_mut(&mut self.0).elements
    }

    /// The same elements in other sizes of the same product.
    pub(crate) fn reshaped(self, sizes: Vec<usize>) -> ArrayValue {
        debug_assert_eq!(sizes.iter().product::<usize>(), self.elements().len());
        let mut shared = self.0;
        Arc::make_mut(&mut shared).sizes = sizes;
        ArrayValue(shared)
    }

    /// The same sizes with every element changed by `f`.
    pub(crate) fn map<E>(
        &self,
        scalar: Scalar,
        f: impl FnMut(&Value) -> Result<Value, E>,
    ) -> Result<ArrayValue, E> {
        let elements = self.elements().iter().map(f).collect::<Result<_, E>>()?;
        Ok(ArrayValue::new(scalar, self.sizes().to_vec(), elements))
    }

    /// The part of the last dimensions at index `i` among the first `outer` ones, counted in row-major order.
    pub(crate) fn part(&self, outer: usize, i: usize) -> Value {
        let inner = &self.sizes()[outer..];
        if inner.is_empty() {
            return self.elements()[i].clone();
        }
        let count: usize = inner.iter().product();
        let elements = self.elements()[i * count..(i + 1) * count].to_vec();
        Value::Array(ArrayValue::new(self.scalar(), inner.to_vec(), elements))
    }
}

/// Parts put together to an array with further dimensions before those of a part. An error if parts differ in size.
pub(crate) struct Stack {
    scalar: Scalar,
    inner: Option<Vec<usize>>,
    elements: Vec<Value>,
}

impl Stack {
    /// No parts yet.
    pub(crate) fn new(scalar: Scalar, expected: usize) -> Stack {
        Stack { scalar, inner: None, elements: Vec::with_capacity(expected) }
    }

    /// Adds a part; if its sizes differ, the error holds those of the parts before and its own.
    pub(crate) fn push(&mut self, part: Value) -> Result<(), (Vec<usize>, Vec<usize>)> {
        match &self.inner {
            None => self.inner = Some(part.sizes().to_vec()),
            Some(inner) if inner != part.sizes() => return Err((inner.clone(), part.sizes().to_vec())),
            Some(_) => {}
        }
        match part {
            Value::Array(array) => self.elements.extend_from_slice(array.elements()),
            scalar => self.elements.push(scalar),
        }
        Ok(())
    }

    /// The array of all parts; `inner` are the sizes of a part if there are no parts.
    pub(crate) fn finish(self, mut outer: Vec<usize>, inner: impl FnOnce() -> Vec<usize>) -> Value {
        outer.extend(self.inner.unwrap_or_else(inner));
        Value::Array(ArrayValue::new(self.scalar, outer, self.elements))
    }
}
