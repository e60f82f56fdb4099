//! Parts of components: their slots, reading and writing.

use rhei_flat::{Expr, ExprKind, Scalar, Subscript};

use super::functions::{Operand, Translator, known_whole};
use super::layout::{Element, Layout};
use super::program::{Op, Slot};

/// Most elements of an array that are selected one by one.
const MOST_SCATTERED: usize = 1024;

/// The place of a part: a slot, or a slot and an offset.
pub(super) struct PartLocation {
    base: Slot,
    /// An offset known at run time only, and its largest value.
    offset: Option<(Slot, u32)>,
    layout: Layout,
}

impl Translator<'_> {
    /// The value of a part, without a copy if its slot is known.
    pub(super) fn read(&mut self, e: &Expr) -> Option<Operand> {
        if let ExprKind::Index(array, subscripts) = &e.kind
            && let Some(scattered) = self.scattered(array, subscripts)
        {
            let (parts, layout) = scattered;
            let to = self.temporary(&layout)?;
            let width = layout.element_width() as u32;
            for (i, part) in (0..).zip(parts) {
                self.ops.push(Op::Copy(to.at + i * width, part, width));
            }
            return Some(to);
        }
        let PartLocation { base, offset, layout } = self.place(e)?;
        let Some((offset, most)) = offset else { return Some(Operand { at: base, layout }) };
        let to = self.temporary(&layout)?;
        self.ops.push(Op::Load(to.at, base, offset, layout.width() as u32, most));
        Some(to)
    }

    /// Stores a value into a part.
    pub(super) fn store(&mut self, target: &Expr, value: &Operand) -> Option<()> {
        if !is_component(target) {
            return None;
        }
        if let ExprKind::Index(array, subscripts) = &target.kind
            && let Some((parts, layout)) = self.scattered(array, subscripts)
        {
            let width = layout.element_width() as u32;
            (layout.sizes == value.layout.sizes && layout.width() == value.layout.width()).then_some(())?;
            for (i, part) in (0..).zip(parts) {
                self.ops.push(Op::Copy(part, value.at + i * width, width));
            }
            return Some(());
        }
        let PartLocation { base, offset, layout } = self.place(target)?;
        if layout.sizes != value.layout.sizes || layout.width() != value.layout.width() {
            return None;
        }
        match offset {
            Some((offset, most)) => {
                self.ops.push(Op::Store(base, offset, value.at, layout.width() as u32, most))
            }
            None => self.copy(base, value),
        }
        Some(())
    }

    fn place(&mut self, e: &Expr) -> Option<PartLocation> {
        match &e.kind {
            ExprKind::Local(local) => {
                let (base, layout) = self.locals.get(local.0 as usize)?.clone();
                Some(PartLocation { base, offset: None, layout })
            }
            ExprKind::Field(record, field) => {
                let PartLocation { base, offset, layout } = self.place(record)?;
                let Element::Record(_, fields) = &layout.element else { return None };
                let before: usize = fields.iter().take(*field as usize).map(Layout::width).sum();
                let own = fields.get(*field as usize)?.clone();
                // the fields of all elements of an array do not lie together
                layout.sizes.is_empty().then_some(PartLocation {
                    base: base + before as u32,
                    offset,
                    layout: own,
                })
            }
            ExprKind::Index(array, subscripts) => {
                let place = self.place(array)?;
                self.element(place, subscripts)
            }
            ExprKind::Variable(..) => None,
            _ => {
                let Operand { at, layout } = self.expression(e)?;
                Some(PartLocation { base: at, offset: None, layout })
            }
        }
    }

    /// The part that subscripts denote: one number each, and whole dimensions behind them.
    fn element(&mut self, place: PartLocation, subscripts: &[Subscript]) -> Option<PartLocation> {
        let PartLocation { mut base, mut offset, layout } = place;
        if subscripts.len() != layout.sizes.len() {
            return None;
        }
        let mut stride = layout.width();
        let mut rest = Vec::new();
        for (subscript, &size) in subscripts.iter().zip(&layout.sizes) {
            stride = stride.checked_div(size)?;
            match subscript {
                Subscript::Whole => rest.push(size),
                Subscript::Index(_) if !rest.is_empty() => return None, // not contiguous
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
                        let (before, most) = match offset {
                            Some(before) => before,
                            None => (self.constants(&[0.0])?, 0),
                        };
                        self.ops.push(Op::Copy(sum, before, 1));
                        self.ops.push(Op::Offset(sum, index.at, size as u32, stride as u32));
                        offset = Some((sum, most + (size.checked_sub(1)? * stride) as u32));
                    }
                },
            }
        }
        Some(PartLocation { base, offset, layout: layout.sized(rest) })
    }

    /// The known slots of elements of a component that are not contiguous (`a[:, 2]`), and their layout.
    fn scattered(&mut self, array: &Expr, subscripts: &[Subscript]) -> Option<(Vec<Slot>, Layout)> {
        let is_index = |s: &&Subscript| matches!(s, Subscript::Index(_));
        // leading indices select a contiguous part
        if !is_component(array) || subscripts.iter().skip_while(is_index).filter(is_index).count() == 0 {
            return None;
        }
        let known = |s: &Subscript| match s {
            Subscript::Whole => Some(None),
            Subscript::Index(e) if e.ty.is_scalar() => self.static_whole(e).map(Some),
            Subscript::Index(_) => None,
        };
        let chosen: Vec<Option<i64>> = subscripts.iter().map(known).collect::<Option<_>>()?;
        let PartLocation { base, offset: None, layout } = self.place(array)? else { return None };
        if chosen.len() != layout.sizes.len() || layout.count() > MOST_SCATTERED {
            return None;
        }
        let (mut places, mut rest) = (vec![0], Vec::new());
        for (index, &size) in chosen.into_iter().zip(&layout.sizes) {
            let along: Vec<usize> = match index {
                None => {
                    rest.push(size);
                    (0..size).collect()
                }
                Some(index) => {
                    vec![usize::try_from(index).ok()?.checked_sub(1).filter(|index| *index < size)?]
                }
            };
            places = places.iter().flat_map(|place| along.iter().map(move |i| place * size + i)).collect();
        }
        let width = layout.element_width();
        let places = places.into_iter().map(|place| base + (place * width) as u32).collect();
        Some((places, layout.sized(rest)))
    }

    /// A whole number known at translation.
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
