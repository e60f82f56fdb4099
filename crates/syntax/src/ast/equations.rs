//! Equations (MLS §A.2.6).

use super::{
    Expression, FunctionCall, Statement, child, child_after, child_before, children, choice, described,
    ident, views,
};
use crate::{SyntaxKind as K, TokenRef};

views! {
    /// `left = right`
    SimpleEquation = SimpleEquation;
    /// A call that stands alone, such as `assert(…)`.
    CallEquation = CallEquation;
    /// `if … end if`
    IfEquation = IfEquation;
    /// `for … end for`
    ForEquation = ForEquation;
    /// `when … end when`
    WhenEquation = WhenEquation;
    /// `connect(a, b)`
    ConnectEquation = ConnectEquation;
    /// A branch of an `if` or `when`: equation, statement or expression.
    Branch = Branch;
    /// `i in 1:n`
    ForIndex = ForIndex;
}

choice! {
    /// An equation.
    Equation {
        /// `left = right`
        Simple(SimpleEquation),
        /// A call.
        Call(CallEquation),
        /// `if`
        If(IfEquation),
        /// `for`
        For(ForEquation),
        /// `when`
        When(WhenEquation),
        /// `connect`
        Connect(ConnectEquation),
    }
}

described!(SimpleEquation, CallEquation, IfEquation, ForEquation, WhenEquation, ConnectEquation, Equation);

impl<'t> SimpleEquation<'t> {
    /// The left-hand side.
    pub fn left(self) -> Option<Expression<'t>> {
        child_before(self.node(), self.node().own_tokens().next()?)
    }

    /// The right-hand side.
    pub fn right(self) -> Option<Expression<'t>> {
        child_after(self.node(), self.node().own_tokens().next()?)
    }
}

impl<'t> CallEquation<'t> {
    /// The call.
    pub fn call(self) -> Option<FunctionCall<'t>> {
        child(self.node())
    }
}

impl<'t> IfEquation<'t> {
    /// Its branches; one without a condition is the `else`.
    pub fn branches(self) -> impl Iterator<Item = Branch<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> WhenEquation<'t> {
    /// Its branches.
    pub fn branches(self) -> impl Iterator<Item = Branch<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> ForEquation<'t> {
    /// Its iterators.
    pub fn indices(self) -> impl Iterator<Item = ForIndex<'t>> + use<'t> {
        children(self.node())
    }

    /// Its equations.
    pub fn equations(self) -> impl Iterator<Item = Equation<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> ConnectEquation<'t> {
    /// The first connector; a component reference where the text follows the grammar.
    pub fn left(self) -> Option<Expression<'t>> {
        child(self.node())
    }

    /// The second connector.
    pub fn right(self) -> Option<Expression<'t>> {
        child_after(self.node(), self.node().own_token(K::Comma)?)
    }
}

impl<'t> Branch<'t> {
    /// `if`, `elseif`, `else`, `when` or `elsewhen`.
    pub fn keyword(self) -> Option<TokenRef<'t>> {
        self.node().own_tokens().next()
    }

    /// Whether it is the last one, without condition.
    pub fn is_else(self) -> bool {
        self.keyword().is_some_and(|token| token.kind() == K::KwElse)
    }

    /// Its condition.
    pub fn condition(self) -> Option<Expression<'t>> {
        if self.is_else() {
            return None;
        }
        match self.node().own_token(K::KwThen) {
            Some(then) => child_before(self.node(), then),
            None => child(self.node()),
        }
    }

    /// Its equations, in an `if` or `when` equation.
    pub fn equations(self) -> impl Iterator<Item = Equation<'t>> + use<'t> {
        children(self.node())
    }

    /// Its statements, in an `if` or `when` statement.
    pub fn statements(self) -> impl Iterator<Item = Statement<'t>> + use<'t> {
        children(self.node())
    }

    /// Its value, in an `if` expression.
    pub fn value(self) -> Option<Expression<'t>> {
        if self.is_else() {
            return child(self.node());
        }
        match self.node().own_token(K::KwThen) {
            Some(then) => child_after(self.node(), then),
            None => children(self.node()).nth(1),
        }
    }
}

impl<'t> ForIndex<'t> {
    /// The iterator.
    pub fn name(self) -> Option<TokenRef<'t>> {
        ident(self.node())
    }

    /// Its range; where there is none it follows from the use of the iterator.
    pub fn range(self) -> Option<Expression<'t>> {
        child(self.node())
    }
}
