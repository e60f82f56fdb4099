//! Arrays of components whose elements differ in structure: each element is an instance of its own.
//!
//! An array of components is one instance as long as sizes, conditions and choices inside are the same for all of its elements.
//! If they differ, the array is taken apart: it keeps its name and sizes and lists its elements, which have no dimensions and
//! are called `r[1]`, `r[2]`. A modification of the whole array is split over its elements.

use rhei_flat::{Builtin, Expr, ExprKind, Size, Subscript};
use smol_str::{SmolStr, format_smolstr};

use crate::class::ClassNodeId;
use crate::component::{Binding, ComponentId, ComponentNode, Content, ElementIndex, InArray};
use crate::context::Context;
use crate::mistake::Mistake;

/// An array with more elements than this is not taken apart.
const MOST_APART: usize = 10_000;

/// A dimension on the way to a component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dimension {
    pub(crate) size: Size,
    /// The number of the element that the way goes through, where elements are instances each.
    pub(crate) at: Option<usize>,
}

impl<'l> Context<'l> {
    /// The arrays that were found to have differing elements and are not taken apart yet.
    pub(crate) fn newly_found_apart(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for mistake in &self.mistakes {
            if let Mistake::ElementsDiffer { arrays, .. } = mistake {
                found.extend(arrays.iter().filter(|array| !self.apart.contains(*array)).cloned());
            }
        }
        found
    }

    /// Makes an instance of each element of an array that is known to need it; `class` is the class as it was declared.
    pub(crate) fn take_apart(&mut self, id: ComponentId, class: ClassNodeId) {
        if self.apart.is_empty()
            || self.component(id).content != Content::Components
            || !self.apart.contains(&self.path_name(id))
        {
            return;
        }
        let sizes: Vec<usize> =
            self.component(id).sizes.iter().map(|size| size.known().unwrap_or(0)).collect();
        let total = sizes.iter().try_fold(1_usize, |total, &size| total.checked_mul(size));
        let Some(total) = total.filter(|total| (1..=MOST_APART).contains(total)) else { return };
        let elements: Vec<ComponentId> =
            (0..total).map(|number| self.add_element(id, class, &sizes, number)).collect();
        let first_class = self.component(elements[0]).class;
        let array = self.component_mut(id);
        array.content = Content::Elements;
        array.class = first_class;
        let in_array = array.array.get_or_insert_default();
        in_array.elements = elements;
        in_array.iterators.clear();
    }

    fn add_element(
        &mut self,
        array: ComponentId,
        class: ClassNodeId,
        sizes: &[usize],
        number: usize,
    ) -> ComponentId {
        let (name, index) = (self.component(array).name.clone(), index_of(sizes, number));
        let element = ComponentNode {
            name: element_name(&name, &index),
            sizes: Vec::new(),
            array: Some(Box::new(InArray {
                place: Some(ElementIndex { array: name, sizes: sizes.to_vec(), index }),
                ..InArray::default()
            })),
            binding: Binding::Open,
            ..self.component(array).clone()
        };
        let id = self.add_component(element);
        let modifiers = self.component(id).modifiers.clone();
        let node = self.copy_class(class, &modifiers);
        self.class_mut(node).owner = Some(id);
        self.component_mut(id).class = node;
        id
    }

    /// The element of an array that is taken apart; none where there is no such element.
    pub(crate) fn element(&self, array: ComponentId, index: &[usize]) -> Option<ComponentId> {
        let node = self.component(array);
        let mut number = 0;
        for (&i, size) in index.iter().zip(&node.sizes) {
            let size = size.known()?;
            number = number * size + i.checked_sub(1).filter(|i| *i < size)?;
        }
        node.elements().get(number).copied()
    }

    /// All dimensions around and of a component, outermost first.
    pub(crate) fn dimensions(&self, component: ComponentId) -> Vec<Dimension> {
        let mut dimensions = Vec::new();
        for id in self.path(component) {
            let node = self.component(id);
            if let Some(place) = node.place() {
                let places = place.sizes.iter().zip(&place.index);
                dimensions
                    .extend(places.map(|(&size, &i)| Dimension { size: Size::Known(size), at: Some(i) }));
            }
            dimensions.extend(node.sizes.iter().map(|&size| Dimension { size, at: None }));
        }
        dimensions
    }

    /// Of a value for all these dimensions the part for the elements that the way goes through.
    pub(crate) fn part_for(&self, mut e: Expr, dimensions: &[Dimension]) -> Expr {
        let leading = dimensions.iter().take_while(|dimension| dimension.at.is_some()).count();
        for dimension in &dimensions[..leading] {
            e = self.element_of_value(e, dimension.at.unwrap_or(1));
        }
        let rest = &dimensions[leading..];
        if rest.iter().all(|dimension| dimension.at.is_none()) {
            return e;
        }
        let subscripts = rest.iter().map(|dimension| match dimension.at {
            Some(i) => Subscript::Index(self.integer(i as i64, e.span)),
            None => Subscript::Whole,
        });
        let subscripts = subscripts.collect();
        subscripted_value(e, subscripts)
    }

    /// `e[i]`, taken out of constructors where it can be.
    pub(crate) fn element_of_value(&self, e: Expr, i: usize) -> Expr {
        let span = e.span;
        match e.kind {
            ExprKind::Array(mut elements) if (1..=elements.len()).contains(&i) => elements.swap_remove(i - 1),
            ExprKind::Call(Builtin::Fill, mut arguments) if arguments.len() > 1 => {
                arguments.remove(1);
                if arguments.len() == 1 {
                    return arguments.swap_remove(0);
                }
                let ty = e.ty.element();
                Expr { kind: ExprKind::Call(Builtin::Fill, arguments), ty, span }
            }
            kind => {
                let index = Subscript::Index(self.integer(i as i64, span));
                subscripted_value(Expr { kind, ty: e.ty, span }, vec![index])
            }
        }
    }
}

/// `e[…]`; subscripts left out at the end are whole.
fn subscripted_value(e: Expr, mut subscripts: Vec<Subscript>) -> Expr {
    subscripts.resize(e.ty.dimensions(), Subscript::Whole);
    let sizes = crate::typing::subscripted(&e.ty.sizes, &subscripts);
    let ty = rhei_flat::Type::array(e.ty.scalar, sizes);
    let span = e.span;
    let kind = match e.kind {
        ExprKind::Variable(v, whole) if whole.is_empty() => ExprKind::Variable(v, subscripts),
        kind => ExprKind::Index(Box::new(Expr { kind, ty: e.ty, span }), subscripts),
    };
    Expr { kind, ty, span }
}

/// The subscripts of an element by its number, the last dimension running fastest.
fn index_of(sizes: &[usize], mut number: usize) -> Vec<usize> {
    let mut index = vec![1; sizes.len()];
    for (place, size) in index.iter_mut().zip(sizes).rev() {
        *place = number % size + 1;
        number /= size;
    }
    index
}

fn element_name(array: &str, index: &[usize]) -> SmolStr {
    let index: Vec<String> = index.iter().map(usize::to_string).collect();
    format_smolstr!("{array}[{}]", index.join(","))
}
