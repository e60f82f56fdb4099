//! Checks the invariants of a tree, in the order in which [`tree`](crate::tree) lists them.

use crate::tree::{MAX_HEIGHT, Tree};

impl Tree {
    /// The first violation of an invariant by the tree itself (never by the text), if any.
    pub fn verify(&self) -> Result<(), String> {
        self.verify_tokens()?;
        self.verify_root()?;
        self.verify_nodes()
    }

    fn verify_tokens(&self) -> Result<(), String> {
        if self.tokens.first().is_some_and(|first| first.start != 0)
            || self.tokens.is_empty() != self.text.is_empty()
        {
            return Err("tokens do not begin with the text".into());
        }
        for (i, token) in self.tokens.iter().enumerate() {
            let end = self.tokens.get(i + 1).map_or(self.text.len(), |next| next.start as usize);
            if token.start as usize >= end || !self.text.is_char_boundary(end) {
                return Err(format!("token {i} is empty or ends inside of a character"));
            }
            if !token.kind.is_token() {
                return Err(format!("token {i} has the node kind {:?}", token.kind));
            }
        }
        Ok(())
    }

    fn verify_root(&self) -> Result<(), String> {
        let Some(root) = self.nodes.first() else { return Err("there is no root".into()) };
        let whole = root.parent == 0
            && root.end as usize == self.nodes.len()
            && root.first_token == 0
            && root.end_token as usize == self.tokens.len();
        if whole { Ok(()) } else { Err("the root does not hold everything".into()) }
    }

    fn verify_nodes(&self) -> Result<(), String> {
        let mut open: Vec<usize> = Vec::new(); // the path to the node at hand
        let mut token_end = vec![0; self.nodes.len()]; // end of the last child so far
        for (i, node) in self.nodes.iter().enumerate() {
            while open.last().is_some_and(|&top| self.nodes[top].end as usize <= i) {
                open.pop();
            }
            let fail = |what: &str| Err(format!("node {i} ({:?}) {what}", node.kind));
            if node.kind.is_token() {
                return fail("has a token kind");
            }
            if let Some(&parent) = open.last() {
                let around = &self.nodes[parent];
                if node.parent as usize != parent {
                    return fail("does not name the node around it as its parent");
                }
                if node.end as usize <= i || node.end > around.end {
                    return fail("does not end inside of its parent");
                }
                if node.first_token < around.first_token.max(token_end[parent])
                    || node.end_token > around.end_token
                {
                    return fail("overlaps an older sibling or leaves its parent");
                }
                token_end[parent] = node.end_token;
                if node.first_token >= node.end_token {
                    return fail("is empty");
                }
                let trivia = |token: u32| self.tokens[token as usize].kind.is_trivia();
                if trivia(node.first_token) || trivia(node.end_token - 1) {
                    return fail("begins or ends with trivia");
                }
            } else if i != 0 {
                return fail("is outside of the root");
            }
            open.push(i);
            if open.len() > MAX_HEIGHT {
                return fail("is nested too deeply");
            }
        }
        Ok(())
    }
}
