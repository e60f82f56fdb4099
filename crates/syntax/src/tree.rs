//! The syntax tree: lossless, flat, without pointers.
//!
//! Nodes lie in one array in preorder, tokens in another. A node names its parent, the index after its last descendant and
//! its range of tokens. Children are found by stepping from one `end` to the next; the tokens in no child are the node's
//! own. Trivia (blanks, comments, wrong characters) before or after a node belongs to the node around it, so that the span
//! of a node is tight.
//!
//! Invariants, checked by [`Tree::verify`]:
//! 1. tokens begin at 0, each after the one before, and cover the text;
//! 2. node 0 is the root: it has no parent, holds all other nodes and all tokens;
//! 3. every other node lies inside its parent, after its older siblings, in nodes and in tokens, and follows its parent
//!    in the array;
//! 4. every node but the root begins and ends with a token that is no trivia; none is empty;
//! 5. no node has a token kind, no token a node kind;
//! 6. no path from the root is longer than [`MAX_HEIGHT`].

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use rhei_source::{FileId, Span};

use crate::SyntaxKind;
use crate::lex::Token;

/// No path from the root to a leaf has more nodes. The parser refuses deeper nesting, so whoever walks a tree by recursion
/// needs stack for so many steps at most. Chains such as `a + b + c + …` are deep to the left: walk them by
/// [`BinaryExpression::chain`](crate::ast::BinaryExpression::chain) to stay far below.
pub const MAX_HEIGHT: usize = 8192;

/// A node of a tree, as an index. Ids ascend in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A token of a tree, as an index. Ids ascend in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenId(pub u32);

/// A node in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeData {
    pub(crate) kind: SyntaxKind,
    /// Index of the parent; the root is its own.
    pub(crate) parent: u32,
    /// Index after the last descendant.
    pub(crate) end: u32,
    pub(crate) first_token: u32,
    pub(crate) end_token: u32,
}

/// The syntax tree of one file.
#[derive(Clone)]
pub struct Tree {
    pub(crate) file: FileId,
    pub(crate) text: Arc<str>,
    pub(crate) tokens: Vec<Token>,
    pub(crate) nodes: Vec<NodeData>,
}

impl Tree {
    /// The file it was read from.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The same tree, as that of another file with the same text.
    #[must_use]
    pub fn moved_to(self, file: FileId) -> Tree {
        Tree { file, ..self }
    }

    /// The text of the file.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The node that holds all others.
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef { tree: self, id: NodeId(0) }
    }

    /// The node of this id.
    pub fn node(&self, id: NodeId) -> NodeRef<'_> {
        assert!((id.0 as usize) < self.nodes.len(), "the node is of another tree");
        NodeRef { tree: self, id }
    }

    /// The token of this id.
    pub fn token(&self, id: TokenId) -> TokenRef<'_> {
        assert!((id.0 as usize) < self.tokens.len(), "the token is of another tree");
        TokenRef { tree: self, id }
    }

    /// All nodes in preorder.
    pub fn nodes(&self) -> impl Iterator<Item = NodeRef<'_>> {
        (0..self.nodes.len() as u32).map(|i| NodeRef { tree: self, id: NodeId(i) })
    }

    /// All tokens, trivia too.
    pub fn tokens(&self) -> impl Iterator<Item = TokenRef<'_>> {
        (0..self.tokens.len() as u32).map(|i| TokenRef { tree: self, id: TokenId(i) })
    }

    /// All comments in the order of the text.
    pub fn comments(&self) -> impl Iterator<Item = TokenRef<'_>> {
        self.tokens().filter(|token| token.kind().is_comment())
    }

    /// The innermost node that holds the byte at `offset`.
    pub fn node_at(&self, offset: u32) -> NodeRef<'_> {
        let mut node = self.root();
        while let Some(child) = node
            .children()
            .find(|child| child.span().range.start <= offset && offset < child.span().range.end)
        {
            node = child;
        }
        node
    }

    fn token_range(&self, id: u32) -> Range<usize> {
        let start = self.tokens[id as usize].start as usize;
        let end = self.tokens.get(id as usize + 1).map_or(self.text.len(), |next| next.start as usize);
        start..end
    }
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tree({:?}, {} nodes, {} tokens)", self.file, self.nodes.len(), self.tokens.len())
    }
}

/// A node together with its tree.
#[derive(Clone, Copy)]
pub struct NodeRef<'t> {
    tree: &'t Tree,
    id: NodeId,
}

/// A token together with its tree.
#[derive(Clone, Copy)]
pub struct TokenRef<'t> {
    tree: &'t Tree,
    id: TokenId,
}

/// A child of a node or a token that is the node's own.
#[derive(Clone, Copy, Debug)]
pub enum Part<'t> {
    /// A child.
    Node(NodeRef<'t>),
    /// A token of the node itself, trivia too.
    Token(TokenRef<'t>),
}

impl<'t> NodeRef<'t> {
    fn data(self) -> &'t NodeData {
        &self.tree.nodes[self.id.0 as usize]
    }

    /// Its tree.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// Its id.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// Its kind.
    pub fn kind(self) -> SyntaxKind {
        self.data().kind
    }

    /// The node around it.
    pub fn parent(self) -> Option<NodeRef<'t>> {
        (self.id.0 != 0).then(|| NodeRef { tree: self.tree, id: NodeId(self.data().parent) })
    }

    /// Its parent, the parent of that, and so on.
    pub fn ancestors(self) -> impl Iterator<Item = NodeRef<'t>> {
        std::iter::successors(self.parent(), |node| node.parent())
    }

    /// Its children.
    pub fn children(self) -> Children<'t> {
        Children { tree: self.tree, next: self.id.0 + 1, end: self.data().end }
    }

    /// The first child of this kind.
    pub fn child(self, kind: SyntaxKind) -> Option<NodeRef<'t>> {
        self.children().find(|child| child.kind() == kind)
    }

    /// It and all nodes below it, in preorder.
    pub fn descendants(self) -> impl Iterator<Item = NodeRef<'t>> {
        let tree = self.tree;
        (self.id.0..self.data().end).map(move |i| NodeRef { tree, id: NodeId(i) })
    }

    /// Children and own tokens in the order of the text.
    pub fn parts(self) -> Parts<'t> {
        let data = self.data();
        Parts { children: self.children(), next: data.first_token, end: data.end_token }
    }

    /// The tokens that lie in no child, without trivia.
    pub fn own_tokens(self) -> impl Iterator<Item = TokenRef<'t>> {
        self.parts().filter_map(|part| match part {
            Part::Token(token) if !token.kind().is_trivia() => Some(token),
            _ => None,
        })
    }

    /// The first own token of this kind.
    pub fn own_token(self, kind: SyntaxKind) -> Option<TokenRef<'t>> {
        self.own_tokens().find(|token| token.kind() == kind)
    }

    /// All tokens of it and its descendants, trivia too.
    pub fn tokens(self) -> impl Iterator<Item = TokenRef<'t>> {
        let data = self.data();
        let tree = self.tree;
        (data.first_token..data.end_token).map(move |i| TokenRef { tree, id: TokenId(i) })
    }

    /// Its first token.
    pub fn first_token(self) -> Option<TokenRef<'t>> {
        self.tokens().next()
    }

    /// The comments inside of it.
    pub fn comments(self) -> impl Iterator<Item = TokenRef<'t>> {
        self.tokens().filter(|token| token.kind().is_comment())
    }

    /// The comments directly before it: after the token before, and not on the line of that token.
    pub fn leading_comments(self) -> Vec<TokenRef<'t>> {
        let tree = self.tree;
        let mut comments = Vec::new();
        let mut pending = Vec::new(); // on the line of the token before, as far as is known yet
        for i in (0..self.data().first_token).rev() {
            let token = TokenRef { tree, id: TokenId(i) };
            match token.kind() {
                kind if kind.is_comment() => pending.push(token),
                SyntaxKind::Whitespace if token.text().contains('\n') => comments.append(&mut pending),
                kind if kind.is_trivia() => {}
                _ => {
                    comments.reverse();
                    return comments;
                }
            }
        }
        comments.append(&mut pending); // the file begins with them
        comments.reverse();
        comments
    }

    /// The comment that follows it on the same line, a `;` or `,` between them aside.
    pub fn trailing_comment(self) -> Option<TokenRef<'t>> {
        let tree = self.tree;
        for i in self.data().end_token..tree.tokens.len() as u32 {
            let token = TokenRef { tree, id: TokenId(i) };
            match token.kind() {
                kind if kind.is_comment() => return Some(token),
                SyntaxKind::Whitespace if token.text().contains('\n') => return None,
                SyntaxKind::Whitespace | SyntaxKind::Semicolon | SyntaxKind::Comma => {}
                _ => return None,
            }
        }
        None
    }

    /// Its text, without the trivia around it.
    pub fn text(self) -> &'t str {
        &self.tree.text[self.range()]
    }

    /// Its place in the text, without the trivia around it.
    pub fn span(self) -> Span {
        let range = self.range();
        Span::new(self.tree.file, range.start as u32, range.end as u32)
    }

    fn range(self) -> Range<usize> {
        let data = self.data();
        if data.first_token == data.end_token {
            return 0..0; // only the root of an empty file
        }
        self.tree.token_range(data.first_token).start..self.tree.token_range(data.end_token - 1).end
    }

    pub(crate) fn token_bounds(self) -> Range<u32> {
        self.data().first_token..self.data().end_token
    }
}

impl<'t> TokenRef<'t> {
    /// Its tree.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// Its id.
    pub fn id(self) -> TokenId {
        self.id
    }

    /// Its kind.
    pub fn kind(self) -> SyntaxKind {
        self.tree.tokens[self.id.0 as usize].kind
    }

    /// Its text.
    pub fn text(self) -> &'t str {
        &self.tree.text[self.tree.token_range(self.id.0)]
    }

    /// Its place in the text.
    pub fn span(self) -> Span {
        let range = self.tree.token_range(self.id.0);
        Span::new(self.tree.file, range.start as u32, range.end as u32)
    }
}

impl fmt::Debug for NodeRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}#{}", self.kind(), self.id.0)
    }
}

impl fmt::Debug for TokenRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.kind(), self.text())
    }
}

impl PartialEq for NodeRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.tree, other.tree)
    }
}

impl Eq for NodeRef<'_> {}

impl PartialEq for TokenRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.tree, other.tree)
    }
}

impl Eq for TokenRef<'_> {}

/// The children of a node.
#[derive(Clone, Debug)]
pub struct Children<'t> {
    tree: &'t Tree,
    next: u32,
    end: u32,
}

impl<'t> Iterator for Children<'t> {
    type Item = NodeRef<'t>;

    fn next(&mut self) -> Option<NodeRef<'t>> {
        (self.next < self.end).then(|| {
            let id = NodeId(self.next);
            self.next = self.tree.nodes[id.0 as usize].end;
            NodeRef { tree: self.tree, id }
        })
    }
}

/// Children and own tokens of a node in the order of the text.
#[derive(Clone, Debug)]
pub struct Parts<'t> {
    children: Children<'t>,
    next: u32,
    end: u32,
}

impl<'t> Iterator for Parts<'t> {
    type Item = Part<'t>;

    fn next(&mut self) -> Option<Part<'t>> {
        let tree = self.children.tree;
        if self.children.next < self.children.end
            && tree.nodes[self.children.next as usize].first_token == self.next
        {
            let child = self.children.next()?;
            self.next = child.data().end_token;
            return Some(Part::Node(child));
        }
        (self.next < self.end).then(|| {
            self.next += 1;
            Part::Token(TokenRef { tree, id: TokenId(self.next - 1) })
        })
    }
}
