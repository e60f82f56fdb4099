//! Operators (MLS §3.2).

use crate::SyntaxKind as K;

/// An operator with two operands. Elementwise ones work on arrays element by element (MLS §10.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOperator {
    Or,
    And,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    ElementwiseAdd,
    ElementwiseSubtract,
    ElementwiseMultiply,
    ElementwiseDivide,
    ElementwisePower,
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum UnaryOperator {
    Not,
    Plus,
    Minus,
    ElementwisePlus,
    ElementwiseMinus,
}

impl BinaryOperator {
    /// The operator of a token; operators of other languages are taken as meant.
    pub(super) fn of(kind: K) -> Option<BinaryOperator> {
        use BinaryOperator as B;
        Some(match kind {
            K::KwOr | K::Bars => B::Or,
            K::KwAnd | K::Ampersands => B::And,
            K::Less => B::Less,
            K::LessEqual => B::LessEqual,
            K::Greater => B::Greater,
            K::GreaterEqual => B::GreaterEqual,
            K::EqualEqual => B::Equal,
            K::NotEqual | K::BangEqual => B::NotEqual,
            K::Plus => B::Add,
            K::Minus => B::Subtract,
            K::Star => B::Multiply,
            K::Slash => B::Divide,
            K::Caret | K::StarStar => B::Power,
            K::DotPlus => B::ElementwiseAdd,
            K::DotMinus => B::ElementwiseSubtract,
            K::DotStar => B::ElementwiseMultiply,
            K::DotSlash => B::ElementwiseDivide,
            K::DotCaret => B::ElementwisePower,
            _ => return None,
        })
    }

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        use BinaryOperator as B;
        match self {
            B::Or => "or",
            B::And => "and",
            B::Less => "<",
            B::LessEqual => "<=",
            B::Greater => ">",
            B::GreaterEqual => ">=",
            B::Equal => "==",
            B::NotEqual => "<>",
            B::Add => "+",
            B::Subtract => "-",
            B::Multiply => "*",
            B::Divide => "/",
            B::Power => "^",
            B::ElementwiseAdd => ".+",
            B::ElementwiseSubtract => ".-",
            B::ElementwiseMultiply => ".*",
            B::ElementwiseDivide => "./",
            B::ElementwisePower => ".^",
        }
    }

    /// Whether it compares.
    pub fn is_relational(self) -> bool {
        use BinaryOperator as B;
        matches!(self, B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Equal | B::NotEqual)
    }
}

impl UnaryOperator {
    pub(super) fn of(kind: K) -> Option<UnaryOperator> {
        Some(match kind {
            K::KwNot | K::Bang => UnaryOperator::Not,
            K::Plus => UnaryOperator::Plus,
            K::Minus => UnaryOperator::Minus,
            K::DotPlus => UnaryOperator::ElementwisePlus,
            K::DotMinus => UnaryOperator::ElementwiseMinus,
            _ => return None,
        })
    }

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOperator::Not => "not",
            UnaryOperator::Plus => "+",
            UnaryOperator::Minus => "-",
            UnaryOperator::ElementwisePlus => ".+",
            UnaryOperator::ElementwiseMinus => ".-",
        }
    }
}
