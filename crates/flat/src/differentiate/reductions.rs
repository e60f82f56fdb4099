//! Derivatives of loops in expressions: ranges, comprehensions, sums, products, extremes, powers of matrices.

use super::build::{
    both, choice, counting, divide, index, integer, multiply, real, relation, size, subtract,
};
use super::expression::{Slope, real_like, stepped};
use super::function::{Differentiation, with_iterator};
use crate::{Expr, ExprKind, Iteration, Reduction, Relation, Scalar, Type};

impl Differentiation<'_> {
    /// `first:step:last`: element `i` is `first + (i - 1)*step`.
    pub(super) fn of_range(&mut self, first: &Expr, step: Option<&Expr>, e: &Expr) -> Slope {
        let first = self.derivative(first)?;
        let step = step.map(|step| self.derivative(step)).transpose()?.flatten();
        let (iteration, place) = counting(self.tables, size(e, 0));
        Ok(stepped(first, step, place)
            .map(|body| real_like(e, ExprKind::Comprehension(Box::new(body), vec![iteration]))))
    }

    pub(super) fn of_comprehension(&mut self, body: &Expr, iterations: &[Iteration], e: &Expr) -> Slope {
        let (body, iterations) = self.counted(body, iterations);
        let slope = self.derivative(&body)?;
        Ok(slope.map(|slope| real_like(e, ExprKind::Comprehension(Box::new(slope), iterations))))
    }

    pub(super) fn of_reduction(
        &mut self,
        reduction: Reduction,
        body: &Expr,
        iterations: &[Iteration],
        e: &Expr,
    ) -> Slope {
        let (body, iterations) = self.counted(body, iterations);
        let Some(slope) = self.derivative(&body)? else { return Ok(None) };
        let through = |body: Expr| {
            let ty = body.ty.with_scalar(Scalar::Real);
            Expr {
                kind: ExprKind::Reduction(Reduction::Sum, Box::new(body), iterations.clone()),
                ty,
                span: e.span,
            }
        };
        Ok(Some(match reduction {
            Reduction::Sum => real_like(e, through(slope).kind),
            Reduction::Product if e.ty.is_scalar() => {
                let others = self.product_of_others(&body, &iterations);
                through(multiply(slope, others))
            }
            Reduction::Min | Reduction::Max => {
                // of those that are the extreme; of several, the mean
                let is_extreme = relation(Relation::Equal, body, e.clone());
                let none = real(0.0, e.span);
                let slopes = through(choice(is_extreme.clone(), slope, none.clone()));
                let count = through(choice(is_extreme, real(1.0, e.span), none));
                divide(slopes, count)
            }
            Reduction::Product => return self.refused("a product of arrays", e),
        }))
    }

    /// The product of all but the element that the iterators stand at.
    fn product_of_others(&mut self, body: &Expr, iterations: &[Iteration]) -> Expr {
        let span = body.span;
        let mut other = body.clone();
        let mut again = Vec::new();
        let mut same: Option<Expr> = None;
        for iteration in iterations {
            let new = self.tables.new_iterator("$d");
            let ty = iteration.range.ty.element();
            let itself = |iterator| Expr { kind: ExprKind::Iterator(iterator), ty: ty.clone(), span };
            other = with_iterator(other, iteration.iterator, &itself(new));
            let here = relation(Relation::Equal, itself(new), itself(iteration.iterator));
            same = Some(match same {
                Some(same) => both(same, here),
                None => here,
            });
            again.push(Iteration { iterator: new, range: iteration.range.clone() });
        }
        let one = real(1.0, span);
        let body = match same {
            Some(same) => choice(same, one, other),
            None => one,
        };
        let kind = ExprKind::Reduction(Reduction::Product, Box::new(body), again);
        Expr { kind, ty: Type::scalar(Scalar::Real), span }
    }

    /// A loop with iterators that count: those that run through values are replaced by elements of their ranges.
    fn counted(&mut self, body: &Expr, iterations: &[Iteration]) -> (Expr, Vec<Iteration>) {
        let mut body = body.clone();
        let mut counted = Vec::new();
        for iteration in iterations {
            if iteration.range.ty.scalar == Scalar::Integer {
                counted.push(iteration.clone());
                continue;
            }
            let (new, place) = counting(self.tables, size(&iteration.range, 0));
            let element = index((*iteration.range).clone(), vec![place]);
            body = with_iterator(body, iteration.iterator, &element);
            counted.push(new);
        }
        (body, counted)
    }

    /// A function of all elements of an array as a loop through them.
    pub(super) fn of_all_elements(&mut self, reduction: Reduction, array: &Expr, e: &Expr) -> Slope {
        let mut iterations = Vec::new();
        let mut places = Vec::new();
        for dimension in 0..array.ty.dimensions() {
            let (iteration, place) = counting(self.tables, size(array, dimension));
            iterations.push(iteration);
            places.push(place);
        }
        let element = index(array.clone(), places);
        let kind = ExprKind::Reduction(reduction, Box::new(element.clone()), iterations.clone());
        let whole = Expr { kind, ty: e.ty.clone(), span: e.span };
        self.of_reduction(reduction, &element, &iterations, &whole)
    }

    /// `d(A^n) = sum(A^k*dA*A^(n - 1 - k) for k in 0:n - 1)`
    pub(super) fn of_matrix_power(&mut self, a: &Expr, n: &Expr, e: &Expr) -> Slope {
        let Some(slope) = self.derivative(a)? else { return Ok(None) };
        let (iteration, place) = counting(self.tables, n.clone());
        let one = integer(1, e.span);
        let power = |n: Expr| real_like(e, ExprKind::MatrixPower(Box::new(a.clone()), Box::new(n)));
        let product = |a: Expr, b: Expr| real_like(e, ExprKind::MatrixProduct(Box::new(a), Box::new(b)));
        let before = power(subtract(place.clone(), one));
        let behind = power(subtract(n.clone(), place));
        let body = product(product(before, slope), behind);
        let kind = ExprKind::Reduction(Reduction::Sum, Box::new(body), vec![iteration]);
        Ok(Some(real_like(e, kind)))
    }
}
