//! A tree as text: the file it was read from, and an indented form for tests.

use std::fmt::Write;

use crate::SyntaxKind;
use crate::tree::{NodeRef, Part, Parts, TokenRef, Tree};

impl Tree {
    /// The file, put together again by walking the tree. It equals the text that was parsed.
    pub fn print(&self) -> String {
        let mut out = String::with_capacity(self.text.len());
        self.walk(|step| {
            if let Step::Token(token) = step {
                out.push_str(token.text());
            }
        });
        out
    }

    /// An indented form: a line for each node with its kind, its own tokens in the order of the text between its children.
    /// A node with neither children nor comments is one line. Blanks are left out.
    pub fn dump(&self) -> String {
        let mut out = String::new();
        let mut indent = 0;
        let mut leaf = false;
        self.walk(|step| match step {
            Step::Enter(node) => {
                let _ = write!(out, "{:indent$}{:?}", "", node.kind());
                leaf = node.children().next().is_none() && node.comments().next().is_none();
                if leaf {
                    for token in node.own_tokens() {
                        let _ = write!(out, " {}", token.text());
                    }
                }
                out.push('\n');
                indent += 2;
            }
            Step::Leave => {
                indent -= 2;
                leaf = false;
            }
            Step::Token(token) if leaf || token.kind() == SyntaxKind::Whitespace => {}
            Step::Token(token) => {
                let _ = writeln!(out, "{:indent$}{}", "", token.text());
            }
        });
        out
    }

    /// Visits nodes and own tokens in the order of the text, without recursion.
    fn walk<'t>(&'t self, mut visit: impl FnMut(Step<'t>)) {
        let mut stack: Vec<Parts<'t>> = Vec::new();
        visit(Step::Enter(self.root()));
        stack.push(self.root().parts());
        while let Some(parts) = stack.last_mut() {
            match parts.next() {
                Some(Part::Token(token)) => visit(Step::Token(token)),
                Some(Part::Node(node)) => {
                    visit(Step::Enter(node));
                    stack.push(node.parts());
                }
                None => {
                    visit(Step::Leave);
                    stack.pop();
                }
            }
        }
    }
}

enum Step<'t> {
    Enter(NodeRef<'t>),
    Token(TokenRef<'t>),
    Leave,
}
