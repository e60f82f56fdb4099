//! Statements (MLS §A.2.6).

use super::{
    Branch, Expression, ForIndex, FunctionCall, child, child_after, child_before, children, choice,
    described, views,
};

views! {
    /// `x := e` or `(x, y) := f(z)`
    AssignmentStatement = AssignmentStatement;
    /// A call that stands alone.
    CallStatement = CallStatement;
    /// `break`
    BreakStatement = BreakStatement;
    /// `return`
    ReturnStatement = ReturnStatement;
    /// `if … end if`
    IfStatement = IfStatement;
    /// `for … end for`
    ForStatement = ForStatement;
    /// `while … end while`
    WhileStatement = WhileStatement;
    /// `when … end when`
    WhenStatement = WhenStatement;
}

choice! {
    /// A statement.
    Statement {
        /// `:=`
        Assignment(AssignmentStatement),
        /// A call.
        Call(CallStatement),
        /// `break`
        Break(BreakStatement),
        /// `return`
        Return(ReturnStatement),
        /// `if`
        If(IfStatement),
        /// `for`
        For(ForStatement),
        /// `while`
        While(WhileStatement),
        /// `when`
        When(WhenStatement),
    }
}

described!(
    AssignmentStatement,
    CallStatement,
    BreakStatement,
    ReturnStatement,
    IfStatement,
    ForStatement,
    WhileStatement,
    WhenStatement,
    Statement
);

impl<'t> AssignmentStatement<'t> {
    /// The left-hand side: a reference, `der(x)`, or a tuple of them.
    pub fn target(self) -> Option<Expression<'t>> {
        child_before(self.node(), self.node().own_tokens().next()?)
    }

    /// The assigned value.
    pub fn value(self) -> Option<Expression<'t>> {
        child_after(self.node(), self.node().own_tokens().next()?)
    }
}

impl<'t> CallStatement<'t> {
    /// The call.
    pub fn call(self) -> Option<FunctionCall<'t>> {
        child(self.node())
    }
}

impl<'t> IfStatement<'t> {
    /// Its branches; one without a condition is the `else`.
    pub fn branches(self) -> impl Iterator<Item = Branch<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> WhenStatement<'t> {
    /// Its branches.
    pub fn branches(self) -> impl Iterator<Item = Branch<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> ForStatement<'t> {
    /// Its iterators.
    pub fn indices(self) -> impl Iterator<Item = ForIndex<'t>> + use<'t> {
        children(self.node())
    }

    /// Its statements.
    pub fn statements(self) -> impl Iterator<Item = Statement<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> WhileStatement<'t> {
    /// Its condition.
    pub fn condition(self) -> Option<Expression<'t>> {
        child(self.node())
    }

    /// Its statements.
    pub fn statements(self) -> impl Iterator<Item = Statement<'t>> + use<'t> {
        children(self.node())
    }
}
