//! Equations of many elements put together again: those alike for all elements of an array become one equation.

use indexmap::IndexMap;
use rhei_flat::{Builtin, Expr, ExprKind, Scalar, Size, Subscript, Type, VarId};
use rhei_source::Span;
use rustc_hash::FxBuildHasher;

use crate::connection_sets::{Element, Origin};
use crate::tree::Tree;

/// Elements that are in one equation.
pub(crate) struct Row {
    pub(crate) elements: Vec<Element>,
    pub(crate) origin: Option<Origin>,
}

/// A part of a variable: all elements along its last dimensions, for some neighbours of the dimension before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) variable: VarId,
    /// The place of its first element.
    pub(crate) offset: usize,
    pub(crate) outside: bool,
    /// How many of the last dimensions it spans.
    pub(crate) dimensions: usize,
    /// How many elements of the dimension before; that dimension is gone where it is one.
    pub(crate) neighbours: usize,
}

/// Blocks that are in one equation.
pub(crate) struct BlockRow {
    pub(crate) blocks: Vec<Block>,
    pub(crate) origin: Option<Origin>,
}

impl BlockRow {
    fn of_scalars(row: Row) -> BlockRow {
        let block = |element: &Element| {
            let Element { variable, offset, outside } = *element;
            Block { variable, offset, outside, dimensions: 0, neighbours: 1 }
        };
        BlockRow { blocks: row.elements.iter().map(block).collect(), origin: row.origin }
    }
}

/// Key of rows that can be put together: their variables, and the connection they come from.
type Alike = (Vec<(VarId, bool)>, Option<Origin>);

/// Puts rows of the same variables together where they run side by side through whole dimensions.
pub(crate) fn gather(tree: &Tree, rows: Vec<Row>) -> Vec<BlockRow> {
    let is_scalar = |element: &Element| tree.variable(element.variable).ty.is_scalar();
    if rows.iter().all(|row| row.elements.iter().all(is_scalar)) {
        return rows.into_iter().map(BlockRow::of_scalars).collect();
    }
    let mut alike: IndexMap<Alike, Vec<Vec<usize>>, FxBuildHasher> = IndexMap::default();
    for row in rows {
        let key = row.elements.iter().map(|element| (element.variable, element.outside)).collect();
        let offsets = row.elements.iter().map(|element| element.offset).collect();
        alike.entry((key, row.origin)).or_default().push(offsets);
    }
    let mut gathered = Vec::new();
    for ((variables, origin), mut rows) in alike {
        rows.sort_unstable();
        let sizes: Vec<Vec<usize>> =
            variables.iter().map(|(v, _)| tree.variable(*v).ty.known_sizes().unwrap_or_default()).collect();
        let mut next = 0;
        while next < rows.len() {
            let (dimensions, count) = longest(&sizes, &rows[next..]);
            let neighbours = neighbours(&sizes, &rows[next..], dimensions, count);
            let blocks = variables.iter().zip(&rows[next]).map(|(&(variable, outside), &offset)| Block {
                variable,
                offset,
                outside,
                dimensions,
                neighbours,
            });
            gathered.push(BlockRow { blocks: blocks.collect(), origin });
            next += count * neighbours;
        }
    }
    gathered
}

/// How many of the last dimensions the first rows run through together, and how many rows that takes.
fn longest(sizes: &[Vec<usize>], rows: &[Vec<usize>]) -> (usize, usize) {
    let most = sizes.iter().map(Vec::len).min().unwrap_or(0);
    let last = |sizes: &Vec<usize>, dimensions: usize| sizes[sizes.len() - dimensions..].to_vec();
    for dimensions in (1..=most).rev() {
        let wanted = last(&sizes[0], dimensions);
        let count: usize = wanted.iter().product();
        let fits = sizes.iter().all(|sizes| last(sizes, dimensions) == wanted)
            && rows[0].iter().all(|offset| offset % count == 0)
            && runs_on(rows, 0, count);
        if fits {
            return (dimensions, count);
        }
    }
    (0, 1)
}

/// Whether in the rows from `from` up to `to` all elements are so much further than in the first one.
fn runs_on(rows: &[Vec<usize>], from: usize, to: usize) -> bool {
    to <= rows.len()
        && (from..to).all(|i| rows[i].iter().zip(&rows[0]).all(|(offset, first)| *offset == first + i))
}

/// How many blocks of `count` elements follow each other along the dimension before those they span.
fn neighbours(sizes: &[Vec<usize>], rows: &[Vec<usize>], dimensions: usize, count: usize) -> usize {
    let room = sizes.iter().zip(&rows[0]).map(|(sizes, offset)| {
        let before = sizes.len().checked_sub(dimensions + 1)?;
        Some(sizes[before] - offset / count % sizes[before])
    });
    let most = room.min().flatten().unwrap_or(1);
    (1..most).take_while(|i| runs_on(rows, i * count, (i + 1) * count)).count() + 1
}

/// A block as an expression.
pub(crate) fn reference(tree: &Tree, block: Block, span: Span) -> Expr {
    let ty = &tree.variable(block.variable).ty;
    let sizes = ty.known_sizes().unwrap_or_default();
    let fixed = sizes.len() - block.dimensions;
    let mut subscripts = vec![Subscript::Whole; sizes.len()];
    let mut left = ty.sizes[fixed..].to_vec();
    let mut rest = block.offset;
    for d in (0..sizes.len()).rev() {
        let index = rest % sizes[d].max(1) + 1;
        if d + 1 == fixed && block.neighbours > 1 {
            left.insert(0, Size::Known(block.neighbours));
            subscripts[d] = Subscript::Index(range(index, block.neighbours, span));
        } else if d < fixed {
            subscripts[d] = Subscript::Index(integer(index as i64, span));
        }
        rest /= sizes[d].max(1);
    }
    if fixed == 0 {
        subscripts.clear();
    }
    let ty = Type::array(ty.scalar, left);
    Expr { kind: ExprKind::Variable(block.variable, subscripts), ty, span }
}

/// So many whole numbers from `first` on.
fn range(first: usize, count: usize, span: Span) -> Expr {
    let [first, last] = [first, first + count - 1].map(|end| Box::new(integer(end as i64, span)));
    let ty = Type::array(Scalar::Integer, vec![Size::Known(count)]);
    Expr { kind: ExprKind::Range(first, None, last), ty, span }
}

/// One element as an expression.
pub(crate) fn element(tree: &Tree, element: Element, span: Span) -> Expr {
    let Element { variable, offset, outside } = element;
    reference(tree, Block { variable, offset, outside, dimensions: 0, neighbours: 1 }, span)
}

/// A literal whole number.
pub(crate) fn integer(value: i64, span: Span) -> Expr {
    Expr { kind: ExprKind::Integer(value), ty: Type::scalar(Scalar::Integer), span }
}

/// A literal number.
pub(crate) fn real(value: f64, span: Span) -> Expr {
    Expr { kind: ExprKind::Real(value), ty: Type::scalar(Scalar::Real), span }
}

/// Zero, or as many zeros as an array of this type has elements.
pub(crate) fn zero(ty: &Type, span: Span) -> Expr {
    let kind = match ty.scalar {
        Scalar::Integer => ExprKind::Integer(0),
        Scalar::Boolean => ExprKind::Boolean(false),
        Scalar::String => ExprKind::String("".into()),
        Scalar::Enumeration(id) => ExprKind::Enumeration(id, 1),
        _ => ExprKind::Real(0.0),
    };
    let zero = Expr { kind, ty: Type::scalar(ty.scalar), span };
    if ty.is_scalar() {
        return zero;
    }
    let sizes = ty.sizes.iter().map(|size| integer(size.known().unwrap_or(0) as i64, span));
    let arguments = std::iter::once(zero).chain(sizes).collect();
    Expr { kind: ExprKind::Call(Builtin::Fill, arguments), ty: ty.clone(), span }
}

/// An array of these sizes from its elements, row by row; the element itself where there are no sizes. Elements that are a
/// whole part of a variable become that part.
pub(crate) fn array(tree: &Tree, elements: Vec<Expr>, sizes: &[usize], scalar: Scalar, span: Span) -> Expr {
    if sizes.is_empty() {
        return elements.into_iter().next().expect("one element");
    }
    if let Some(part) = whole_part(tree, &elements, sizes, span) {
        return part;
    }
    let count = sizes[1..].iter().product::<usize>();
    let mut elements = elements.into_iter();
    let parts = (0..sizes[0])
        .map(|_| array(tree, elements.by_ref().take(count).collect(), &sizes[1..], scalar, span))
        .collect();
    let ty = Type::array(scalar, sizes.iter().map(|&size| Size::Known(size)).collect());
    Expr { kind: ExprKind::Array(parts), ty, span }
}

/// The part of a variable that these elements are, if they are one.
fn whole_part(tree: &Tree, elements: &[Expr], sizes: &[usize], span: Span) -> Option<Expr> {
    let (first, place) = plain_element(tree, elements.first()?)?;
    let full = tree.variable(first).ty.known_sizes()?;
    let fixed = full.len().checked_sub(sizes.len())?;
    let fits = full[fixed..] == *sizes
        && place % elements.len() == 0
        && elements.iter().enumerate().all(|(i, e)| plain_element(tree, e) == Some((first, place + i)));
    let block =
        Block { variable: first, offset: place, outside: false, dimensions: sizes.len(), neighbours: 1 };
    fits.then(|| reference(tree, block, span))
}

/// The variable and place of an expression that is one element with literal subscripts.
fn plain_element(tree: &Tree, e: &Expr) -> Option<(VarId, usize)> {
    let ExprKind::Variable(v, subscripts) = &e.kind else { return None };
    let sizes = tree.variable(*v).ty.known_sizes()?;
    let mut place = 0;
    for (d, size) in sizes.iter().enumerate() {
        let ExprKind::Integer(index) = subscripts.get(d)?.index()?.kind else { return None };
        place = place * size + usize::try_from(index - 1).ok()?;
    }
    Some((*v, place))
}
