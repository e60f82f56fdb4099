//! Values of which only the formulas are known: those of a function's components while it is put in place of its calls.

use rhei_equations::{ExprId, Pool, Shape};
use rhei_flat::{FunctionId, RecordId, Scalar};
use smol_str::SmolStr;

/// A value of any type, its numbers being expressions; none where nothing was assigned yet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data {
    /// A number or an array of numbers, row by row.
    Numbers { scalar: Scalar, sizes: Vec<usize>, values: Vec<Option<ExprId>> },
    /// A record, or an array of records: each field with the sizes of the array in front of its own.
    Record { id: RecordId, sizes: Vec<usize>, fields: Vec<Data> },
    /// A text.
    Text(SmolStr),
    /// An array of texts, row by row.
    Texts { sizes: Vec<usize>, texts: Vec<SmolStr> },
    /// A function, some of its inputs given: by their places, in order.
    Function(FunctionId, Vec<(u32, Data)>),
}

impl Data {
    /// The sizes of the value.
    pub(crate) fn sizes(&self) -> &[usize] {
        match self {
            Data::Numbers { sizes, .. } | Data::Record { sizes, .. } | Data::Texts { sizes, .. } => sizes,
            Data::Text(_) | Data::Function(..) => &[],
        }
    }

    /// The number at these indices.
    pub(crate) fn at(&self, indices: &[usize]) -> Option<ExprId> {
        match self {
            Data::Numbers { sizes, values, .. } => *values.get(offset(sizes, indices))?,
            _ => None,
        }
    }

    /// A field of a record, or of all records of an array.
    pub(crate) fn field(&self, place: u32) -> Option<&Data> {
        match self {
            Data::Record { fields, .. } => fields.get(place as usize),
            _ => None,
        }
    }

    /// `combine` of the numbers of both, element by element; nothing if their sizes differ.
    pub(crate) fn merged(
        &self,
        other: &Data,
        combine: &mut impl FnMut(ExprId, ExprId) -> ExprId,
    ) -> Option<Data> {
        Some(match (self, other) {
            (
                Data::Numbers { scalar, sizes, values },
                Data::Numbers { sizes: other_sizes, values: other_values, .. },
            ) => {
                if sizes != other_sizes {
                    return None;
                }
                let both = values.iter().zip(other_values);
                let values = both.map(|(a, b)| Some(combine((*a)?, (*b)?))).collect();
                Data::Numbers { scalar: *scalar, sizes: sizes.clone(), values }
            }
            (Data::Record { id, sizes, fields }, Data::Record { fields: other_fields, .. }) => {
                let both = fields.iter().zip(other_fields);
                let fields = both.map(|(a, b)| a.merged(b, combine)).collect::<Option<_>>()?;
                Data::Record { id: *id, sizes: sizes.clone(), fields }
            }
            (Data::Text(_), Data::Text(_))
            | (Data::Texts { .. }, Data::Texts { .. })
            | (Data::Function(..), Data::Function(..))
                if self == other =>
            {
                self.clone()
            }
            _ => return None,
        })
    }

    /// How its numbers make up the value, with the numbers in that order; none where something is not assigned.
    pub(crate) fn taken_apart(&self, numbers: &mut Vec<ExprId>) -> Option<Shape> {
        Some(match self {
            Data::Numbers { scalar, sizes, values } => {
                for value in values {
                    numbers.push((*value)?);
                }
                Shape::Numbers { scalar: *scalar, sizes: sizes.clone() }
            }
            Data::Text(text) => Shape::Text(text.clone()),
            Data::Texts { sizes, texts } => Shape::List {
                scalar: Scalar::String,
                sizes: sizes.clone(),
                elements: texts.iter().cloned().map(Shape::Text).collect(),
            },
            Data::Function(id, given) => {
                let part = |(place, part): &(u32, Data)| Some((*place, part.taken_apart(numbers)?));
                Shape::Function(*id, given.iter().map(part).collect::<Option<_>>()?)
            }
            Data::Record { id, sizes, fields } if sizes.is_empty() => {
                let fields = fields.iter().map(|field| field.taken_apart(numbers)).collect::<Option<_>>()?;
                Shape::Record(*id, fields)
            }
            Data::Record { id, sizes, .. } => {
                let count: usize = sizes.iter().product();
                let elements = (0..count).map(|i| self.element_of_list(sizes.len(), i).taken_apart(numbers));
                let elements = elements.collect::<Option<_>>()?;
                Shape::List { scalar: Scalar::Record(*id), sizes: sizes.clone(), elements }
            }
        })
    }

    /// The element at place `i` of the first `outer` dimensions.
    fn element_of_list(&self, outer: usize, i: usize) -> Data {
        match self {
            Data::Numbers { scalar, sizes, values } => {
                let inner: usize = sizes[outer..].iter().product();
                let values = values[i * inner..(i + 1) * inner].to_vec();
                Data::Numbers { scalar: *scalar, sizes: sizes[outer..].to_vec(), values }
            }
            Data::Record { id, sizes, fields } => Data::Record {
                id: *id,
                sizes: sizes[outer..].to_vec(),
                fields: fields.iter().map(|field| field.element_of_list(outer, i)).collect(),
            },
            Data::Texts { sizes, texts } => {
                let inner: usize = sizes[outer..].iter().product();
                match &sizes[outer..] {
                    [] => Data::Text(texts[i].clone()),
                    sizes => Data::Texts {
                        sizes: sizes.to_vec(),
                        texts: texts[i * inner..(i + 1) * inner].to_vec(),
                    },
                }
            }
            Data::Text(_) | Data::Function(..) => self.clone(),
        }
    }

    /// The value of this shape whose numbers are the results of a call, from `place` on.
    pub(crate) fn of_results(shape: &Shape, call: ExprId, place: &mut u32, pool: &mut Pool) -> Data {
        match shape {
            Shape::Numbers { scalar, sizes } => {
                let count: usize = sizes.iter().product();
                let values = (0..count).map(|i| Some(pool.output(call, *place + i as u32))).collect();
                *place += count as u32;
                Data::Numbers { scalar: *scalar, sizes: sizes.clone(), values }
            }
            Shape::Text(text) => Data::Text(text.clone()),
            Shape::Record(id, fields) => Data::Record {
                id: *id,
                sizes: Vec::new(),
                fields: fields.iter().map(|field| Data::of_results(field, call, place, pool)).collect(),
            },
            Shape::Function(id, given) => {
                let part = |(n, shape): &(u32, Shape)| (*n, Data::of_results(shape, call, place, pool));
                Data::Function(*id, given.iter().map(part).collect())
            }
            Shape::List { sizes, elements, .. } => {
                let elements: Vec<Data> =
                    elements.iter().map(|element| Data::of_results(element, call, place, pool)).collect();
                Data::list(sizes, elements)
            }
        }
    }

    /// An array of equal values.
    pub(crate) fn list(outer: &[usize], elements: Vec<Data>) -> Data {
        match elements.first() {
            Some(Data::Record { id, fields, .. }) => {
                let (id, n) = (*id, fields.len());
                let field = |place: usize| {
                    let each = elements.iter().filter_map(|element| element.field(place as u32).cloned());
                    Data::list(outer, each.collect())
                };
                Data::Record { id, sizes: outer.to_vec(), fields: (0..n).map(field).collect() }
            }
            Some(Data::Numbers { scalar, sizes, .. }) => {
                let (scalar, sizes) = (*scalar, [outer, sizes].concat());
                let values = elements
                    .into_iter()
                    .flat_map(|element| match element {
                        Data::Numbers { values, .. } => values,
                        _ => Vec::new(),
                    })
                    .collect();
                Data::Numbers { scalar, sizes, values }
            }
            Some(Data::Text(_)) => {
                let text = |element: Data| match element {
                    Data::Text(text) => text,
                    _ => SmolStr::default(),
                };
                Data::Texts { sizes: outer.to_vec(), texts: elements.into_iter().map(text).collect() }
            }
            _ => Data::Numbers { scalar: Scalar::Real, sizes: outer.to_vec(), values: Vec::new() },
        }
    }
}

/// Place of the element at these indices, row by row.
pub(crate) fn offset(sizes: &[usize], indices: &[usize]) -> usize {
    indices.iter().zip(sizes).fold(0, |offset, (index, size)| offset * size + index)
}

/// Values of a function's components.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// By local; none where it has no value of known size yet.
    pub(crate) locals: Vec<Option<Data>>,
}

impl Data {
    /// How many values it holds.
    pub(crate) fn count(&self) -> usize {
        match self {
            Data::Numbers { values, .. } => values.len(),
            Data::Record { fields, .. } => fields.iter().map(Data::count).sum(),
            Data::Texts { texts, .. } => texts.len(),
            Data::Function(_, given) => given.iter().map(|(_, data)| data.count()).sum(),
            Data::Text(_) => 1,
        }
    }

    /// Whether everything is assigned.
    pub(crate) fn is_complete(&self) -> bool {
        match self {
            Data::Numbers { values, .. } => values.iter().all(Option::is_some),
            Data::Record { fields, .. } => fields.iter().all(Data::is_complete),
            Data::Text(_) | Data::Texts { .. } => true,
            Data::Function(_, given) => given.iter().all(|(_, part)| part.is_complete()),
        }
    }
}
