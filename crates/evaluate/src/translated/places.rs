//! Parts of components: where they are, read and written.

use rhei_flat::{Expr, ExprKind, Scalar, Subscript};

use super::functions::{Operand, Translator, known_whole};
use super::layout::{Element, Layout};
use super::program::{Op, Slot};

/// Where something is: at a place, or so many numbers behind it.
pub(super) struct Place {
    base: Slot,
    offset: Option<Slot>,
    layout: Layout,
}

impl Translator<'_> {
    /// The value of a part; where its place is known nothing is done.
    pub(super) fn read(&mut self, e: &Expr) -> Option<Operand> {
        let Place { base, offset, layout } = self.place(e)?;
        let Some(offset) = offset else { return Some(Operand { at: base, layout }) };
        let to = self.temporary(&layout)?;
        self.ops.push(Op::Load(to.at, base, offset, layout.width() as u32));
        Some(to)
    }

    /// Puts a value where a part is.
    pub(super) fn store(&mut self, target: &Expr, value: &Operand) -> Option<()> {
        if !is_component(target) {
            return None;
        }
        let Place { base, offset, layout } = self.place(target)?;
        if layout.sizes != value.layout.sizes || layout.width() != value.layout.width() {
            return None;
        }
        match offset {
            Some(offset) => self.ops.push(Op::Store(base, offset, value.at, layout.width() as u32)),
            None => self.copy(base, value),
        }
        Some(())
    }

    fn place(&mut self, e: &Expr) -> Option<Place> {
        match &e.kind {
            ExprKind::Local(local) => {
                let (base, layout) = self.locals.get(local.0 as usize)?.clone();
                Some(Place { base, offset: None, layout })
            }
            ExprKind::Field(record, field) => {
                let Place { base, offset, layout } = self.place(record)?;
                let Element::Record(_, fields) = &layout.element else { return None };
                let before: usize = fields.iter().take(*field as usize).map(Layout::width).sum();
                let own = fields.get(*field as usize)?.clone();
                // the fields of all elements of an array do not lie together
                layout.sizes.is_empty().then_some(Place { base: base + before as u32, offset, layout: own })
            }
            ExprKind::Index(array, subscripts) => {
                let place = self.place(array)?;
                self.element(place, subscripts)
            }
            ExprKind::Variable(..) => None,
            _ => {
                let Operand { at, layout } = self.expression(e)?;
                Some(Place { base: at, offset: None, layout })
            }
        }
    }

    /// The part that subscripts name: one number each, and whole dimensions behind them.
    fn element(&mut self, place: Place, subscripts: &[Subscript]) -> Option<Place> {
        let Place { mut base, mut offset, layout } = place;
        if subscripts.len() != layout.sizes.len() {
            return None;
        }
        let mut stride = layout.width();
        let mut rest = Vec::new();
        for (subscript, &size) in subscripts.iter().zip(&layout.sizes) {
            stride = stride.checked_div(size)?;
            match subscript {
                Subscript::Whole => rest.push(size),
                Subscript::Index(_) if !rest.is_empty() => return None, // does not lie together
                Subscript::Index(e) if !e.ty.is_scalar() => return None,
                Subscript::Index(e) => match self.static_whole(e) {
                    Some(index) => {
                        let index =
                            usize::try_from(index).ok()?.checked_sub(1).filter(|index| *index < size)?;
                        base += (index * stride) as u32;
                    }
                    None => {
                        let index = self.expression(e)?;
                        if index.layout.scalar() != Some(Scalar::Integer) {
                            return None;
                        }
                        let sum = self.temporary(&Layout::number(Scalar::Integer))?.at;
                        let before = match offset {
                            Some(before) => before,
                            None => self.constants(&[0.0])?,
                        };
                        self.ops.push(Op::Copy(sum, before, 1));
                        self.ops.push(Op::Offset(sum, index.at, size as u32, stride as u32));
                        offset = Some(sum);
                    }
                },
            }
        }
        Some(Place { base, offset, layout: layout.sized(rest) })
    }

    /// A whole number that is known now.
    pub(super) fn static_whole(&self, e: &Expr) -> Option<i64> {
        known_whole(e, &|local| self.locals.get(local.0 as usize).map(|(_, layout)| layout))
    }
}

/// Whether it can be assigned to.
fn is_component(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) => true,
        ExprKind::Index(base, _) | ExprKind::Field(base, _) => is_component(base),
        _ => false,
    }
}
