//! References into arrays whose elements are instances each: which elements are meant, and loops that choose them.
//!
//! An element is chosen before the run. A subscript that is an iterator chooses another one in each turn: such loops are
//! written out, turn by turn.

use rhei_flat::{Builtin, Expr, ExprKind, Iteration, Reduction, Scalar, Size, Subscript, Type, Variability};
use rhei_source::Span;
use rhei_syntax::{NodeRef, ast};

use super::references::subscripted;
use super::{Typed, Typing};
use crate::component::ComponentId;
use crate::mistake::Mistake;

/// Loops with more turns than this are not written out.
const MOST_TURNS: usize = 10_000;

/// Choice of a subscript along one dimension of an array whose elements are instances each.
#[derive(Clone, Debug)]
pub(super) enum Chosen {
    One(usize),
    /// A part of the array.
    Several(Vec<usize>),
    /// Known during the run only; of so many.
    Varying(Box<Expr>, usize),
}

/// An expression for every turn of some loops.
pub(super) enum Turns {
    Looped(Expr, Vec<Iteration>),
    /// An array of the expressions of all turns, one dimension for each loop.
    WrittenOut(Expr),
}

impl<'l> Typing<'_, 'l> {
    /// The choices of subscripts, dimension by dimension.
    pub(super) fn chosen(
        &mut self,
        array: ComponentId,
        subscripts: &[Subscript],
    ) -> Result<Vec<Chosen>, Mistake> {
        let sizes = self.context.component(array).sizes.clone();
        let known = sizes.into_iter().map(|size| size.known().unwrap_or(0));
        subscripts.iter().zip(known).map(|(subscript, size)| self.choice(array, subscript, size)).collect()
    }

    fn choice(&mut self, array: ComponentId, subscript: &Subscript, size: usize) -> Result<Chosen, Mistake> {
        let index = match subscript {
            Subscript::Whole => return Ok(Chosen::Several((1..=size).collect())),
            Subscript::Index(index) => index,
        };
        if self.depends_on_turn(index) {
            return Err(Mistake::Incomplete); // typed again with the loop written out
        }
        let value = match self.context.at_most(Variability::Parameter, "", index) {
            Ok(()) => self.context.evaluate(index, true),
            Err(mistake) => Err(mistake),
        };
        let value = match value {
            Ok(value) => value,
            Err(_) if index.ty.is_scalar() => return Ok(Chosen::Varying(Box::new(index.clone()), size)),
            Err(mistake) => return Err(mistake),
        };
        let mut places = Vec::new();
        for one in value.elements() {
            let number = match &one {
                rhei_evaluate::Value::Boolean(b) => i64::from(*b) + 1,
                rhei_evaluate::Value::Enumeration(_, number) => i64::from(*number),
                other => other.as_integer().unwrap_or(0),
            };
            let place = usize::try_from(number).ok().filter(|place| (1..=size).contains(place));
            places.push(place.ok_or_else(|| Mistake::SubscriptOutOfBounds {
                array: self.context.path_name(array),
                subscript: number,
                size,
                span: index.span,
            })?);
        }
        match places.as_slice() {
            [one] if index.ty.is_scalar() => Ok(Chosen::One(*one)),
            _ => Ok(Chosen::Several(places)),
        }
    }

    /// Whether a subscript depends on an iterator of a loop around; that iterator is then noted in
    /// `choosing`.
    fn depends_on_turn(&mut self, index: &Expr) -> bool {
        let mut depends = false;
        index.walk(&mut |part| {
            if let ExprKind::Iterator(iterator) = part.kind
                && self.around.iterators.iter().any(|(_, around, _)| *around == iterator)
            {
                self.context.choosing.insert(iterator);
                depends = true;
            }
        });
        depends
    }

    /// The values that `follow` finds in the chosen elements, as an array of the chosen dimensions.
    pub(super) fn for_each_chosen(
        &mut self,
        array: ComponentId,
        chosen: &[Chosen],
        span: Span,
        follow: &mut dyn FnMut(&mut Self, ComponentId) -> Typed,
    ) -> Typed {
        self.for_each_below(array, chosen, &mut Vec::new(), span, follow)
    }

    /// The same for the dimensions after those that `index` fixes.
    fn for_each_below(
        &mut self,
        array: ComponentId,
        chosen: &[Chosen],
        index: &mut Vec<usize>,
        span: Span,
        follow: &mut dyn FnMut(&mut Self, ComponentId) -> Typed,
    ) -> Typed {
        let Some(choice) = chosen.get(index.len()) else {
            let element = self.context.element(array, index).ok_or(Mistake::Incomplete)?;
            return follow(self, element);
        };
        let mut at = |typing: &mut Self, place: usize| {
            index.push(place);
            let found = typing.for_each_below(array, chosen, index, span, follow);
            index.pop();
            found
        };
        let places: Vec<usize> = match choice {
            Chosen::One(place) => return at(self, *place),
            Chosen::Several(places) => places.clone(),
            Chosen::Varying(_, size) => (1..=*size).collect(),
        };
        let elements: Vec<Expr> =
            places.into_iter().map(|place| at(self, place)).collect::<Result<_, _>>()?;
        let whole = self.array_of_elements(elements, span)?;
        let Chosen::Varying(number, _) = choice else { return Ok(whole) };
        let mut subscripts = vec![Subscript::Index((**number).clone())];
        subscripts.resize(whole.ty.dimensions(), Subscript::Whole);
        let ty = Type::array(whole.ty.scalar, subscripted(&whole.ty.sizes, &subscripts));
        Ok(Expr { kind: ExprKind::Index(Box::new(whole), subscripts), ty, span })
    }

    /// An array of the values of elements; the fields of records among them may have other sizes in each.
    fn array_of_elements(&mut self, elements: Vec<Expr>, span: Span) -> Typed {
        let mut common = match elements.first() {
            Some(Expr { ty: Type { scalar: Scalar::Record(first), .. }, .. }) => *first,
            _ => return self.array_of(elements, span),
        };
        for element in &elements {
            if let Scalar::Record(record) = element.ty.scalar
                && !self.context.accepts(Scalar::Record(common), Scalar::Record(record))
            {
                match self.context.record_with_open_sizes(common, record) {
                    Some(open) => common = open,
                    None => return self.array_of(elements, span),
                }
            }
        }
        let sizes = elements[0].ty.sizes.clone();
        let ty = Type::array(Scalar::Record(common), sizes).within([Size::Known(elements.len())]);
        Ok(Expr { kind: ExprKind::Array(elements), ty, span })
    }

    /// An expression with iterators, written out where it chooses elements by them.
    pub(super) fn turns(
        &mut self,
        indices: impl Iterator<Item = ast::ForIndex<'l>>,
        whole: NodeRef<'l>,
        body: Option<ast::Expression<'l>>,
    ) -> Result<Turns, Mistake> {
        let iterations = self.enter_loops(indices, whole)?;
        let said = self.context.mistakes.len();
        let typed = self.maybe(body);
        let mut chooses = false;
        for iteration in &iterations {
            chooses |= self.context.choosing.remove(&iteration.iterator);
        }
        let written_out = if chooses {
            self.context.mistakes.truncate(said);
            Some(self.written_out(&iterations, body))
        } else {
            None
        };
        self.leave_loops(&iterations);
        match written_out {
            Some(written_out) => Ok(Turns::WrittenOut(written_out?)),
            None => Ok(Turns::Looped(typed?, iterations)),
        }
    }

    /// The last iterator makes the outermost dimension.
    fn written_out(&mut self, iterations: &[Iteration], body: Option<ast::Expression<'l>>) -> Typed {
        let Some((last, before)) = iterations.split_last() else { return self.maybe(body) };
        let mut elements = Vec::new();
        for value in self.turn_values(last)? {
            elements.push(self.in_turn(last, value, |typing| typing.written_out(before, body))?);
        }
        self.array_of(elements, last.range.span)
    }

    /// Types something in one turn of a loop.
    pub(crate) fn in_turn<T>(
        &mut self,
        iteration: &Iteration,
        value: Expr,
        look: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.around.turns.push((iteration.iterator, value));
        let found = look(self);
        self.around.turns.pop();
        found
    }

    /// The values that an iterator takes, one after the other.
    pub(crate) fn turn_values(&mut self, iteration: &Iteration) -> Result<Vec<Expr>, Mistake> {
        let range = &iteration.range;
        let values = self.context.evaluate(range, true)?;
        let element = range.ty.element();
        if values.elements().len() > MOST_TURNS {
            return Err(Mistake::TooManyTurns { most: MOST_TURNS, span: range.span });
        }
        let values = values.elements();
        Ok(values.iter().map(|value| rhei_evaluate::to_expr(value, &element, range.span)).collect())
    }

    /// `sum` and the like of an array that was written out.
    pub(super) fn reduced(&self, reduction: Reduction, array: Expr, loops: usize, span: Span) -> Typed {
        if array.ty.dimensions() != loops {
            return Err(Mistake::not_supported(
                "a reduction over arrays in a loop over elements that differ in structure",
                span,
            ));
        }
        let builtin = match reduction {
            Reduction::Sum => Builtin::Sum,
            Reduction::Product => Builtin::Product,
            Reduction::Min => Builtin::Min,
            Reduction::Max => Builtin::Max,
        };
        let ty = Type::array(array.ty.scalar, Vec::<Size>::new());
        Ok(Expr { kind: ExprKind::Call(builtin, vec![array]), ty, span })
    }
}
