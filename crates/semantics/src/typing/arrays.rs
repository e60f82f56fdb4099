//! Arrays: constructors, ranges, concatenation (MLS §10.4).

use rhei_flat::{Builtin, Expr, ExprKind, Scalar, Size, Type};
use rhei_source::Span;
use rhei_syntax::ast;

use super::choose::Turns;
use super::{Typed, Typing};
use crate::mistake::Mistake;

impl<'l> Typing<'_, 'l> {
    pub(super) fn array(&mut self, array: ast::ArrayConstructor<'l>) -> Typed {
        let span = array.span();
        if array.iterators().next().is_some() {
            let turns = self.turns(array.iterators(), array.node(), array.elements().next())?;
            let (body, iterations) = match turns {
                Turns::WrittenOut(array) => return Ok(array),
                Turns::Looped(body, iterations) => (body, iterations),
            };
            // the last iterator makes the outermost dimension
            let sizes: Vec<Size> =
                iterations.iter().rev().map(|iteration| iteration.range.ty.sizes[0]).collect();
            let ty = body.ty.within(sizes);
            return Ok(Expr { kind: ExprKind::Comprehension(Box::new(body), iterations), ty, span });
        }
        let elements: Vec<Expr> = array.elements().map(|e| self.expression(e)).collect::<Result<_, _>>()?;
        self.array_of(elements, span)
    }

    /// `{a, b, c}`
    pub(super) fn array_of(&mut self, elements: Vec<Expr>, span: Span) -> Typed {
        let Some(first) = elements.first() else { return Err(Mistake::EmptyArray { span }) };
        let mut ty = first.ty.clone();
        for element in &elements[1..] {
            ty = self.joined("elements of an array", &Expr { ty, ..first.clone() }, element)?;
        }
        let ty = ty.within([Size::Known(elements.len())]);
        Ok(Expr { kind: ExprKind::Array(elements), ty, span })
    }

    /// `[a, b; c, d]` concatenates its parts as matrices at least (MLS §10.4.2.1).
    pub(super) fn matrix(&mut self, matrix: ast::MatrixConstructor<'l>) -> Typed {
        let span = matrix.span();
        let mut rows: Vec<Vec<Expr>> = Vec::new();
        for row in matrix.rows() {
            rows.push(row.elements().map(|e| self.expression(e)).collect::<Result<_, _>>()?);
        }
        let dimensions = rows.iter().flatten().map(|e| e.ty.dimensions()).max().unwrap_or(0).max(2);
        let all_scalars = rows.iter().flatten().all(|e| e.ty.is_scalar());
        if all_scalars {
            let rows: Vec<Expr> =
                rows.into_iter().map(|row| self.array_of(row, span)).collect::<Result<_, _>>()?;
            return self.array_of(rows, span);
        }
        let mut joined = Vec::new();
        for row in rows {
            let promoted: Vec<Expr> = row.into_iter().map(|e| self.promoted(e, dimensions)).collect();
            joined.push(if promoted.len() == 1 {
                promoted.into_iter().next().ok_or(Mistake::Incomplete)?
            } else {
                self.concatenated(2, promoted, span)?
            });
        }
        if joined.len() == 1 {
            joined.pop().ok_or(Mistake::Incomplete)
        } else {
            self.concatenated(1, joined, span)
        }
    }

    /// With further dimensions of size one at the end.
    pub(super) fn promoted(&mut self, e: Expr, dimensions: usize) -> Expr {
        let span = e.span;
        if e.ty.dimensions() >= dimensions {
            return e;
        }
        let mut sizes = e.ty.sizes.clone();
        sizes.resize(dimensions, Size::Known(1));
        let ty = Type::array(e.ty.scalar, sizes);
        let count = self.context.integer(dimensions as i64, span);
        Expr { kind: ExprKind::Call(Builtin::Promote, vec![e, count]), ty, span }
    }

    /// `cat(dimension, …)`
    pub(super) fn concatenated(&mut self, dimension: usize, parts: Vec<Expr>, span: Span) -> Typed {
        let first = parts.first().ok_or(Mistake::EmptyArray { span })?;
        if dimension == 0 || dimension > first.ty.dimensions() {
            let found = self.context.type_name(&first.ty);
            return Err(Mistake::NoDimension { place: dimension as i64, found, span });
        }
        let mut scalar = first.ty.scalar;
        let mut sizes = first.ty.sizes.clone();
        for part in &parts[1..] {
            let same = |d: usize| d == dimension - 1 || sizes[d].fits(part.ty.sizes[d]);
            let fits = part.ty.dimensions() == sizes.len() && (0..sizes.len()).all(same);
            let joined = if self.context.accepts(scalar, part.ty.scalar) {
                Some(scalar)
            } else {
                scalar.joined(part.ty.scalar)
            };
            match joined {
                Some(joined) if fits => scalar = joined,
                _ => return Err(self.incompatible("parts to be put together", first, part)),
            }
            let along = dimension - 1;
            sizes[along] = match (sizes[along], part.ty.sizes[along]) {
                (Size::Known(a), Size::Known(b)) => Size::Known(a + b),
                _ => Size::Open,
            };
        }
        let place = self.context.integer(dimension as i64, span);
        let kind = ExprKind::Call(Builtin::Cat, std::iter::once(place).chain(parts).collect());
        Ok(Expr { kind, ty: Type::array(scalar, sizes), span })
    }

    pub(super) fn range(&mut self, range: ast::RangeExpression<'l>) -> Typed {
        let span = range.span();
        let first = self.maybe(range.start())?;
        let last = self.maybe(range.stop())?;
        let step = range.step().map(|step| self.expression(step)).transpose()?;
        for part in [Some(&first), step.as_ref(), Some(&last)].into_iter().flatten() {
            let simple = matches!(
                part.ty.scalar,
                Scalar::Real | Scalar::Integer | Scalar::Boolean | Scalar::Enumeration(_)
            );
            if !part.ty.is_scalar() || !simple {
                let (found, span) = (self.context.type_name(&part.ty), part.span);
                return Err(Mistake::TypeMismatch {
                    what: "a bound of a range".into(),
                    wanted: "a number".into(),
                    found,
                    span,
                });
            }
        }
        let mut scalar = self.joined("the bounds of a range", &first, &last)?.scalar;
        if let Some(step) = &step {
            if !scalar.is_numeric() {
                let (wanted, found) = ("a range of numbers".into(), self.context.type_name(&first.ty));
                let what = "what has a step".into();
                return Err(Mistake::TypeMismatch { what, wanted, found, span: step.span });
            }
            scalar =
                self.joined("the bounds of a range", &first, step)?.scalar.joined(scalar).unwrap_or(scalar);
        }
        let ty = Type::array(scalar, vec![Size::Open]);
        let kind = ExprKind::Range(Box::new(first), step.map(Box::new), Box::new(last));
        let mut whole = Expr { kind, ty, span };
        // in a model sizes are known before the run
        if !self.around.in_function
            && let Some(size) = self.range_size(&whole)
        {
            whole.ty.sizes = vec![Size::Known(size)];
        }
        Ok(whole)
    }

    fn range_size(&mut self, range: &Expr) -> Option<usize> {
        let mut free = false;
        range.walk(&mut |part| {
            if let ExprKind::Iterator(iterator) = part.kind {
                // a range may be the same in all passes that are known
                free |= self.around.iterators.iter().any(|(_, around, _)| *around == iterator)
                    && !self.context.iterator_sizes.contains_key(&iterator);
            }
        });
        if free {
            return None;
        }
        let value = self.context.evaluate(range, true).ok()?;
        value.sizes().first().copied()
    }
}
