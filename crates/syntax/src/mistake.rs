//! The ids of syntax mistakes. They are part of the interface: scripts match on them.

macro_rules! mistakes {
    ($($(#[$doc:meta])* $name:ident = $id:literal,)*) => {
        /// A kind of syntactic mistake.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Mistake { $($(#[$doc])* $name,)* }

        impl Mistake {
            /// All of them.
            pub const ALL: &[Mistake] = &[$(Mistake::$name,)*];

            /// Kebab-case id.
            pub fn id(self) -> &'static str {
                match self { $(Mistake::$name => $id,)* }
            }
        }
    };
}

mistakes! {
    /// Something else was expected here.
    SyntaxError = "syntax-error",
    /// No `;` after an element, equation or statement.
    MissingSemicolon = "missing-semicolon",
    /// A bracket is not closed, or closed by another one.
    UnclosedBracket = "unclosed-bracket",
    /// A closing bracket without an opening one.
    UnopenedBracket = "unopened-bracket",
    /// A class or component has no name.
    MissingName = "missing-name",
    /// A reserved word where a name must be.
    KeywordAsName = "keyword-as-name",
    /// `end B` closes `model A`.
    EndNameMismatch = "end-name-mismatch",
    /// A class or block is not closed, or closed by the wrong `end`.
    MissingEnd = "missing-end",
    /// An `end` that closes nothing.
    StrayEnd = "stray-end",
    /// Prefixes such as `parameter` and `input` in the wrong order, or in the wrong place.
    PrefixOrder = "prefix-order",
    /// An equation or statement among the declarations.
    EquationInDeclarations = "equation-in-declarations",
    /// A declaration among the equations or statements.
    DeclarationInEquations = "declaration-in-equations",
    /// A statement, `:=`, or another thing of algorithms among the equations.
    AssignmentInEquation = "assignment-in-equation",
    /// `=` where an algorithm needs `:=`.
    EquationInAlgorithm = "equation-in-algorithm",
    /// `==` where `=` or `:=` is meant.
    ComparisonAsEquation = "comparison-as-equation",
    /// An operator of another language.
    ForeignOperator = "foreign-operator",
    /// A keyword of another language, such as `elsif`.
    ForeignKeyword = "foreign-keyword",
    /// A sign, power, comparison, `not` or `if` that needs parentheses.
    NeedsParentheses = "needs-parentheses",
    /// A positional argument after a named one.
    PositionalAfterNamed = "positional-after-named",
    /// An annotation in the middle of a class.
    MisplacedAnnotation = "misplaced-annotation",
    /// A description where the grammar has none, as a warning.
    MisplacedDescription = "misplaced-description",
    /// Subscripts after a type in a modification, where the grammar has none, as a warning.
    MisplacedSubscripts = "misplaced-subscripts",
    /// Brackets, blocks or operators nested too deeply.
    NestingTooDeep = "nesting-too-deep",
    /// A string without its closing quote.
    UnterminatedString = "unterminated-string",
    /// A comment without its `*/`.
    UnterminatedComment = "unterminated-comment",
    /// A quoted identifier without its closing quote.
    UnterminatedIdentifier = "unterminated-identifier",
    /// A character that Modelica does not know.
    InvalidCharacter = "invalid-character",
    /// A backslash that begins no escape.
    InvalidEscape = "invalid-escape",
    /// A string in typographic quotes.
    TypographicQuote = "typographic-quote",
    /// An integer that is larger than an Integer can be.
    IntegerTooLarge = "integer-too-large",
    /// A comment as another language writes it.
    ForeignComment = "foreign-comment",
    /// A file of four gigabytes or more.
    FileTooLarge = "file-too-large",
    /// More mistakes than are reported one by one.
    TooManyMistakes = "too-many-mistakes",
}
