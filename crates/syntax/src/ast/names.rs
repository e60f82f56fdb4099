//! Names and references (MLS §A.2.7).

use std::borrow::Cow;
use std::fmt;

use super::{ArraySubscripts, View, views};
use crate::{Part, SyntaxKind as K, TokenRef};

views! {
    /// `[ . ] IDENT { . IDENT }`: a type, a base class, a package, an element to modify.
    Name = Name | TypeSpecifier;
    /// `[ . ] IDENT [subscripts] { . IDENT [subscripts] }`. The name of a call is one too, `der`, `initial` and `pure` included.
    ComponentReference = ComponentReference;
}

/// One name of a reference with its subscripts.
#[derive(Clone, Copy, Debug)]
pub struct ReferencePart<'t> {
    /// The name.
    pub name: TokenRef<'t>,
    /// Its subscripts.
    pub subscripts: Option<ArraySubscripts<'t>>,
}

impl<'t> Name<'t> {
    /// Whether it begins with a dot and is looked up from the top.
    pub fn is_global(self) -> bool {
        self.node().own_tokens().next().is_some_and(|token| token.kind() == K::Dot)
    }

    /// Its parts.
    pub fn parts(self) -> impl Iterator<Item = TokenRef<'t>> + use<'t> {
        self.node().own_tokens().filter(|token| token.kind() != K::Dot)
    }

    /// The name itself, where it has one part and no leading dot.
    pub fn as_ident(self) -> Option<TokenRef<'t>> {
        let mut tokens = self.node().own_tokens();
        let first = tokens.next()?;
        (first.kind() != K::Dot && tokens.next().is_none()).then_some(first)
    }
}

impl fmt::Display for Name<'_> {
    /// The name without the blanks and comments that may be inside of it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node().own_tokens().try_for_each(|token| f.write_str(token.text()))
    }
}

impl<'t> ComponentReference<'t> {
    /// Whether it begins with a dot and is looked up from the top.
    pub fn is_global(self) -> bool {
        self.node().own_tokens().next().is_some_and(|token| token.kind() == K::Dot)
    }

    /// Its parts.
    pub fn parts(self) -> impl Iterator<Item = ReferencePart<'t>> + use<'t> {
        let mut parts = self.node().parts().peekable();
        std::iter::from_fn(move || {
            let name = parts.find_map(|part| match part {
                Part::Token(token) if !token.kind().is_trivia() && token.kind() != K::Dot => Some(token),
                _ => None,
            })?;
            while parts
                .next_if(|part| matches!(part, Part::Token(token) if token.kind().is_trivia()))
                .is_some()
            {}
            let subscripts = match parts.peek() {
                Some(Part::Node(node)) => ArraySubscripts::cast(*node),
                _ => None,
            };
            Some(ReferencePart { name, subscripts })
        })
    }

    /// The name itself, where it has one part, no subscripts and no leading dot.
    pub fn as_ident(self) -> Option<TokenRef<'t>> {
        let mut parts = self.node().parts();
        match (parts.next(), parts.next()) {
            (Some(Part::Token(token)), None) => Some(token),
            _ => None,
        }
    }
}

impl fmt::Display for ComponentReference<'_> {
    /// The reference without the blanks and comments that may be inside of it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tokens = self.node().tokens().filter(|token| !token.kind().is_trivia());
        tokens.into_iter().try_for_each(|token| f.write_str(token.text()))
    }
}

impl<'t> TokenRef<'t> {
    /// The identifier that this token stands for: `'a\?'` and `'a?'` are the same (MLS §2.3.1). The quotes belong to it.
    pub fn ident(self) -> Cow<'t, str> {
        let text = self.text();
        if self.kind() == K::QuotedIdent && text.contains('\\') {
            Cow::Owned(text.replace("\\?", "?").replace("\\\"", "\""))
        } else {
            Cow::Borrowed(text)
        }
    }
}
