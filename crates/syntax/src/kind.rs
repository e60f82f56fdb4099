//! The kinds of tokens and nodes, with the lexical rules of the tokens (MLS §2 and §A.1).
//!
//! A rule matches as many characters as it can. Hence `2.*x` is `2.` times `x`, as the specification has it.

use logos::Logos;

/// Kind of a token or node. Tokens come first, nodes after them; both are named with the words of the grammar.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)] // the names are the grammar's
pub enum SyntaxKind {
    // Trivia: tokens that the grammar does not see.
    #[regex(r"[ \t\r\n\x0C]+")]
    Whitespace,
    #[regex(r"//[^\r\n]*", allow_greedy = true)]
    LineComment,
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    BlockComment,
    #[token("\u{FEFF}")]
    ByteOrderMark,
    /// A comment that runs to the end of the file.
    #[regex(r"/\*([^*]|\*+[^*/])*\**")]
    UnterminatedComment,
    /// Characters that belong to no token; the lexer has reported them.
    Error,

    // Words and literals.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*", priority = 2)]
    Ident,
    #[regex(r"'([^'\\\r\n]|\\[^\r\n])*'")]
    QuotedIdent,
    #[regex(r"[0-9]+")]
    Integer,
    #[regex(r"[0-9]+\.[0-9]*([eE][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+")]
    #[regex(r"\.[0-9]+([eE][+-]?[0-9]+)?")]
    Real,
    #[regex(r#""([^"\\]|\\(?s:.))*""#)]
    String,

    // Words and literals that are wrong but recognisable; the lexer has reported them and the parser takes them as meant.
    /// A name with letters that are not ASCII.
    #[regex(r"[A-Za-z0-9_]*[\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{1FFF}\u{2C00}-\u{2DFF}\u{3040}-\u{D7FF}][A-Za-z0-9_\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{1FFF}\u{2C00}-\u{2DFF}\u{3040}-\u{D7FF}]*", priority = 1)]
    ForeignIdent,
    #[regex(r#"'[^'\\\r\n;,=()\[\]{}"]*"#)]
    UnterminatedIdent,
    #[regex(r#""([^"\\]|\\(?s:.))*\\?"#)]
    UnterminatedString,
    /// A string in typographic quotes.
    #[regex(r#"[“”„]([^“”„"\r\n])*[“”"]"#)]
    TypographicString,

    // Signs.
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token(":")]
    Colon,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token("=")]
    Equal,
    #[token(":=")]
    Assign,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("^")]
    Caret,
    #[token(".+")]
    DotPlus,
    #[token(".-")]
    DotMinus,
    #[token(".*")]
    DotStar,
    #[token("./")]
    DotSlash,
    #[token(".^")]
    DotCaret,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("==")]
    EqualEqual,
    #[token("<>")]
    NotEqual,

    // Signs of other languages, known so that a message can name the Modelica one.
    #[token("!=")]
    #[token("~=")]
    BangEqual,
    #[token("!")]
    #[token("~")]
    Bang,
    #[regex("&&?")]
    Ampersands,
    #[regex(r"\|\|?")]
    Bars,
    #[token("**")]
    StarStar,
    #[token("%")]
    Percent,
    #[regex(r"[+\-*/^]=")]
    OperatorAssign,

    // Keywords (MLS §2.3.3).
    #[token("algorithm")]
    KwAlgorithm,
    #[token("and")]
    KwAnd,
    #[token("annotation")]
    KwAnnotation,
    #[token("block")]
    KwBlock,
    #[token("break")]
    KwBreak,
    #[token("class")]
    KwClass,
    #[token("connect")]
    KwConnect,
    #[token("connector")]
    KwConnector,
    #[token("constant")]
    KwConstant,
    #[token("constrainedby")]
    KwConstrainedby,
    #[token("der")]
    KwDer,
    #[token("discrete")]
    KwDiscrete,
    #[token("each")]
    KwEach,
    #[token("else")]
    KwElse,
    #[token("elseif")]
    KwElseif,
    #[token("elsewhen")]
    KwElsewhen,
    #[token("encapsulated")]
    KwEncapsulated,
    #[token("end")]
    KwEnd,
    #[token("enumeration")]
    KwEnumeration,
    #[token("equation")]
    KwEquation,
    #[token("expandable")]
    KwExpandable,
    #[token("extends")]
    KwExtends,
    #[token("external")]
    KwExternal,
    #[token("false")]
    KwFalse,
    #[token("final")]
    KwFinal,
    #[token("flow")]
    KwFlow,
    #[token("for")]
    KwFor,
    #[token("function")]
    KwFunction,
    #[token("if")]
    KwIf,
    #[token("import")]
    KwImport,
    #[token("impure")]
    KwImpure,
    #[token("in")]
    KwIn,
    #[token("initial")]
    KwInitial,
    #[token("inner")]
    KwInner,
    #[token("input")]
    KwInput,
    #[token("loop")]
    KwLoop,
    #[token("model")]
    KwModel,
    #[token("not")]
    KwNot,
    #[token("operator")]
    KwOperator,
    #[token("or")]
    KwOr,
    #[token("outer")]
    KwOuter,
    #[token("output")]
    KwOutput,
    #[token("package")]
    KwPackage,
    #[token("parameter")]
    KwParameter,
    #[token("partial")]
    KwPartial,
    #[token("protected")]
    KwProtected,
    #[token("public")]
    KwPublic,
    #[token("pure")]
    KwPure,
    #[token("record")]
    KwRecord,
    #[token("redeclare")]
    KwRedeclare,
    #[token("replaceable")]
    KwReplaceable,
    #[token("return")]
    KwReturn,
    #[token("stream")]
    KwStream,
    #[token("then")]
    KwThen,
    #[token("time")]
    KwTime,
    #[token("true")]
    KwTrue,
    #[token("type")]
    KwType,
    #[token("when")]
    KwWhen,
    #[token("while")]
    KwWhile,
    #[token("within")]
    KwWithin,

    /// The end of the text: seen by the parser, never in a tree.
    EndOfFile,

    // Nodes: files.
    StoredDefinition,
    WithinClause,
    /// The root over an expression, a modification or a reference that was parsed alone.
    Fragment,
    /// Tokens that the parser could not understand and passed over.
    ErrorNode,

    // Nodes: classes.
    ClassDefinition,
    LongClassSpecifier,
    ExtendsClassSpecifier,
    ShortClassSpecifier,
    EnumerationSpecifier,
    DerClassSpecifier,
    EnumerationLiteral,
    ElementSection,
    EquationSection,
    AlgorithmSection,
    ExternalClause,

    // Nodes: elements.
    ImportClause,
    ImportList,
    ExtendsClause,
    ConstrainingClause,
    ComponentClause,
    Component,
    ConditionAttribute,
    Modification,
    ClassModification,
    ElementModification,
    InheritanceBreak,
    DescriptionString,
    AnnotationClause,
    /// `[.] IDENT { . IDENT }`: the type of a component, the base of an `extends`.
    TypeSpecifier,
    Name,

    // Nodes: equations and statements.
    SimpleEquation,
    CallEquation,
    IfEquation,
    ForEquation,
    WhenEquation,
    ConnectEquation,
    AssignmentStatement,
    CallStatement,
    BreakStatement,
    ReturnStatement,
    IfStatement,
    ForStatement,
    WhileStatement,
    WhenStatement,
    /// `if … then …`, `elseif … then …`, `else …`, `when … then …` of an equation, a statement or an expression.
    Branch,
    ForIndex,

    // Nodes: expressions.
    IntegerLiteral,
    RealLiteral,
    StringLiteral,
    BooleanLiteral,
    TimeExpression,
    EndExpression,
    ComponentReference,
    ArraySubscripts,
    /// `:` as a subscript: the whole dimension.
    ColonSubscript,
    FunctionCall,
    FunctionArguments,
    NamedArgument,
    FunctionPartialApplication,
    ParenthesizedExpression,
    TupleExpression,
    /// `(e)[i]`.
    IndexedExpression,
    /// `(e).name`.
    FieldAccess,
    ArrayConstructor,
    MatrixConstructor,
    MatrixRow,
    RangeExpression,
    IfExpression,
    UnaryExpression,
    BinaryExpression,
}

impl SyntaxKind {
    /// Whether this is a kind of token rather than of node.
    pub fn is_token(self) -> bool {
        self < SyntaxKind::EndOfFile
    }

    /// Whether the grammar passes over tokens of this kind.
    pub fn is_trivia(self) -> bool {
        self <= SyntaxKind::Error
    }

    /// Whether this is a comment, ended or not.
    pub fn is_comment(self) -> bool {
        use SyntaxKind as K;
        matches!(self, K::LineComment | K::BlockComment | K::UnterminatedComment)
    }

    /// Whether this token is a mistake in itself, reported by the lexer.
    pub fn is_error_token(self) -> bool {
        use SyntaxKind as K;
        matches!(
            self,
            K::Error
                | K::UnterminatedComment
                | K::ForeignIdent
                | K::UnterminatedIdent
                | K::UnterminatedString
                | K::TypographicString
        )
    }

    /// Whether this is a reserved word.
    pub fn is_keyword(self) -> bool {
        (SyntaxKind::KwAlgorithm..=SyntaxKind::KwWithin).contains(&self)
    }

    /// Whether a token of this kind names something: an identifier, or a broken one.
    pub fn is_ident(self) -> bool {
        use SyntaxKind as K;
        matches!(self, K::Ident | K::QuotedIdent | K::ForeignIdent | K::UnterminatedIdent)
    }

    /// Whether this is a string, or a broken one.
    pub fn is_string(self) -> bool {
        use SyntaxKind as K;
        matches!(self, K::String | K::UnterminatedString | K::TypographicString)
    }

    /// Kind that the parser treats a token as: a misspelt identifier is an identifier, a broken string is a
    /// string.
    pub(crate) fn as_meant(self) -> SyntaxKind {
        use SyntaxKind as K;
        match self {
            K::QuotedIdent | K::ForeignIdent | K::UnterminatedIdent => K::Ident,
            K::UnterminatedString | K::TypographicString => K::String,
            other => other,
        }
    }
}
