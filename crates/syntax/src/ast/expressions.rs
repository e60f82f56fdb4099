//! Expressions (MLS §A.2.7).

use super::{
    BinaryOperator, BooleanLiteral, Branch, ColonSubscript, ComponentReference, EndExpression, ForIndex,
    IntegerLiteral, Name, RealLiteral, StringLiteral, TimeExpression, UnaryOperator, child, child_after,
    child_before, children, choice, ident, views,
};
use crate::{Part, SyntaxKind as K, TokenRef};

views! {
    /// `f(…)`
    FunctionCall = FunctionCall;
    /// `(…)` of a call.
    FunctionArguments = FunctionArguments;
    /// `name = value`
    NamedArgument = NamedArgument;
    /// `function f(a = 1)` as an argument.
    FunctionPartialApplication = FunctionPartialApplication;
    /// `(e)`
    ParenthesizedExpression = ParenthesizedExpression;
    /// `(a, , b)`
    TupleExpression = TupleExpression;
    /// `(e)[i]`
    IndexedExpression = IndexedExpression;
    /// `(e).name`
    FieldAccess = FieldAccess;
    /// `{a, b}` or `{e for i in r}`
    ArrayConstructor = ArrayConstructor;
    /// `[a, b; c, d]`
    MatrixConstructor = MatrixConstructor;
    /// A row of a matrix.
    MatrixRow = MatrixRow;
    /// `a : b` or `a : s : b`
    RangeExpression = RangeExpression;
    /// `if c then a else b`
    IfExpression = IfExpression;
    /// `-a`, `not a`
    UnaryExpression = UnaryExpression;
    /// `a + b`
    BinaryExpression = BinaryExpression;
    /// `[i, :]`
    ArraySubscripts = ArraySubscripts;
}

choice! {
    /// An expression.
    Expression {
        /// An integer.
        Integer(IntegerLiteral),
        /// A real number.
        Real(RealLiteral),
        /// A string.
        String(StringLiteral),
        /// `true` or `false`.
        Boolean(BooleanLiteral),
        /// `time`.
        Time(TimeExpression),
        /// `end`.
        End(EndExpression),
        /// A variable.
        Reference(ComponentReference),
        /// A call, of `der`, `initial` and `pure` too.
        Call(FunctionCall),
        /// A function as an argument.
        Function(FunctionPartialApplication),
        /// In parentheses.
        Parenthesized(ParenthesizedExpression),
        /// Several in parentheses.
        Tuple(TupleExpression),
        /// In parentheses, with subscripts.
        Indexed(IndexedExpression),
        /// In parentheses, with a dot and a name.
        Field(FieldAccess),
        /// In braces.
        Array(ArrayConstructor),
        /// In brackets.
        Matrix(MatrixConstructor),
        /// With colons.
        Range(RangeExpression),
        /// `if`.
        If(IfExpression),
        /// With one operand.
        Unary(UnaryExpression),
        /// With two operands.
        Binary(BinaryExpression),
    }
}

choice! {
    /// A subscript.
    Subscript {
        /// `:`
        Colon(ColonSubscript),
        /// An index or a range.
        Index(Expression),
    }
}

impl<'t> FunctionCall<'t> {
    /// The name called; for `der`, `initial` and `pure` that keyword.
    pub fn function(self) -> Option<ComponentReference<'t>> {
        child(self.node())
    }

    /// The arguments in parentheses.
    pub fn arguments(self) -> Option<FunctionArguments<'t>> {
        child(self.node())
    }

    /// The arguments without name.
    pub fn positional(self) -> impl Iterator<Item = Expression<'t>> + use<'t> {
        self.arguments().into_iter().flat_map(FunctionArguments::positional)
    }

    /// The arguments with name.
    pub fn named(self) -> impl Iterator<Item = NamedArgument<'t>> + use<'t> {
        self.arguments().into_iter().flat_map(FunctionArguments::named)
    }

    /// The iterators of `sum(e for i in r)`.
    pub fn iterators(self) -> impl Iterator<Item = ForIndex<'t>> + use<'t> {
        self.arguments().into_iter().flat_map(FunctionArguments::iterators)
    }

    /// Whether it calls the function of this simple name, such as `der`.
    pub fn is_call_of(self, name: &str) -> bool {
        self.function().and_then(ComponentReference::as_ident).is_some_and(|token| token.text() == name)
    }
}

impl<'t> FunctionArguments<'t> {
    /// The arguments without name.
    pub fn positional(self) -> impl Iterator<Item = Expression<'t>> + use<'t> {
        children(self.node())
    }

    /// The arguments with name.
    pub fn named(self) -> impl Iterator<Item = NamedArgument<'t>> + use<'t> {
        children(self.node())
    }

    /// The iterators after `for`.
    pub fn iterators(self) -> impl Iterator<Item = ForIndex<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> NamedArgument<'t> {
    /// Its name.
    pub fn name(self) -> Option<TokenRef<'t>> {
        ident(self.node())
    }

    /// Its value.
    pub fn value(self) -> Option<Expression<'t>> {
        child(self.node())
    }
}

impl<'t> FunctionPartialApplication<'t> {
    /// The function.
    pub fn function(self) -> Option<Name<'t>> {
        child(self.node())
    }

    /// The arguments that are fixed.
    pub fn named(self) -> impl Iterator<Item = NamedArgument<'t>> + use<'t> {
        child::<FunctionArguments<'t>>(self.node()).into_iter().flat_map(FunctionArguments::named)
    }
}

impl<'t> ParenthesizedExpression<'t> {
    /// The expression in the parentheses.
    pub fn inner(self) -> Option<Expression<'t>> {
        child(self.node())
    }
}

impl<'t> TupleExpression<'t> {
    /// Its places in order; those left empty are `None`.
    pub fn places(self) -> Vec<Option<Expression<'t>>> {
        let mut places = Vec::new();
        let mut current = None;
        let mut any = false;
        for part in self.node().parts() {
            match part {
                Part::Token(token) if token.kind() == K::Comma => {
                    places.push(current.take());
                    any = true;
                }
                Part::Node(node) => {
                    current = super::View::cast(node);
                    any = true;
                }
                Part::Token(_) => {}
            }
        }
        if any {
            places.push(current);
        }
        places
    }
}

impl<'t> IndexedExpression<'t> {
    /// The indexed expression.
    pub fn inner(self) -> Option<Expression<'t>> {
        child(self.node())
    }

    /// The subscripts.
    pub fn subscripts(self) -> Option<ArraySubscripts<'t>> {
        child(self.node())
    }
}

impl<'t> FieldAccess<'t> {
    /// The expression whose element it is.
    pub fn inner(self) -> Option<Expression<'t>> {
        child(self.node())
    }

    /// The name of the element.
    pub fn name(self) -> Option<TokenRef<'t>> {
        ident(self.node())
    }
}

impl<'t> ArrayConstructor<'t> {
    /// Its elements; one, where there are iterators.
    pub fn elements(self) -> impl Iterator<Item = Expression<'t>> + use<'t> {
        children(self.node())
    }

    /// The iterators after `for`.
    pub fn iterators(self) -> impl Iterator<Item = ForIndex<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> MatrixConstructor<'t> {
    /// Its rows.
    pub fn rows(self) -> impl Iterator<Item = MatrixRow<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> MatrixRow<'t> {
    /// Its elements.
    pub fn elements(self) -> impl Iterator<Item = Expression<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> RangeExpression<'t> {
    /// Its first value.
    pub fn start(self) -> Option<Expression<'t>> {
        child_before(self.node(), self.node().own_token(K::Colon)?)
    }

    /// Its step, where it has three parts.
    pub fn step(self) -> Option<Expression<'t>> {
        let parts: Vec<Expression<'t>> = children(self.node()).collect();
        (parts.len() > 2).then(|| parts[1])
    }

    /// Its last value.
    pub fn stop(self) -> Option<Expression<'t>> {
        let last = self.node().own_tokens().filter(|token| token.kind() == K::Colon).last()?;
        child_after(self.node(), last)
    }
}

impl<'t> IfExpression<'t> {
    /// Its branches; the last one is the `else`.
    pub fn branches(self) -> impl Iterator<Item = Branch<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> UnaryExpression<'t> {
    /// The operator.
    pub fn operator(self) -> Option<UnaryOperator> {
        self.node().own_tokens().next().and_then(|token| UnaryOperator::of(token.kind()))
    }

    /// The operand.
    pub fn operand(self) -> Option<Expression<'t>> {
        child(self.node())
    }
}

/// One step of a chain of operators.
#[derive(Clone, Copy, Debug)]
pub struct ChainLink<'t> {
    /// The expression up to and including the operand.
    pub whole: BinaryExpression<'t>,
    /// The operator; none where it is of another language and has no counterpart.
    pub operator: Option<BinaryOperator>,
    /// Its right operand.
    pub right: Option<Expression<'t>>,
}

impl<'t> BinaryExpression<'t> {
    /// The token between the operands.
    pub fn operator_token(self) -> Option<TokenRef<'t>> {
        self.node().own_tokens().next()
    }

    /// The operator.
    pub fn operator(self) -> Option<BinaryOperator> {
        self.operator_token().and_then(|token| BinaryOperator::of(token.kind()))
    }

    /// The left operand.
    pub fn left(self) -> Option<Expression<'t>> {
        child_before(self.node(), self.operator_token()?)
    }

    /// The right operand.
    pub fn right(self) -> Option<Expression<'t>> {
        child_after(self.node(), self.operator_token()?)
    }

    /// The expression taken apart along its left operands: `a * b + c - d` is `a`, then `* b`, `+ c`, `- d`. Each step
    /// applies its operator to all before it. A sum of a thousand terms is a loop this way, not a thousand calls.
    pub fn chain(self) -> (Option<Expression<'t>>, Vec<ChainLink<'t>>) {
        let mut links = Vec::new();
        let mut whole = self;
        loop {
            links.push(ChainLink { whole, operator: whole.operator(), right: whole.right() });
            match whole.left() {
                Some(Expression::Binary(left)) => whole = left,
                first => {
                    links.reverse();
                    return (first, links);
                }
            }
        }
    }
}

impl<'t> ArraySubscripts<'t> {
    /// The subscripts.
    pub fn subscripts(self) -> impl Iterator<Item = Subscript<'t>> + use<'t> {
        children(self.node())
    }
}
