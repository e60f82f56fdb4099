//! Text to syntax tree: the whole Modelica 3.6 grammar with the additions of 3.7 (MLS appendix A).
//!
//! In: the text of a file. Out: a lossless [`Tree`], from which the text can be had back, and [`Diagnostic`]s. Parsing
//! never fails: text that cannot be understood is kept in error nodes, and the rest of the file is read all the same. The
//! typed views in [`ast`] are how other crates look at a tree.

pub mod ast;
mod kind;
mod lex;
mod mistake;
mod parser;
pub mod tree;
mod tree_text;
mod verify;

use std::sync::Arc;

use rayon::prelude::*;
use rhei_source::{Diagnostic, FileId};

pub use kind::SyntaxKind;
pub use lex::{Token, lex};
pub use mistake::Mistake;
pub use tree::{NodeId, NodeRef, Part, TokenId, TokenRef, Tree};

/// A tree and the mistakes in its text, in the order of the text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// Whatever the text; it can hold error nodes.
    pub tree: Tree,
    /// Empty where the text follows the grammar.
    pub diagnostics: Vec<Diagnostic>,
}

/// The tree of a file.
pub fn parse(file: FileId, text: Arc<str>) -> Parsed {
    parser::parse(file, text, parser::Entry::StoredDefinition)
}

/// The trees of many files, on all processors, in the order of the files.
pub fn parse_all(files: Vec<(FileId, Arc<str>)>) -> Vec<Parsed> {
    files.into_par_iter().map(|(file, text)| parse(file, text)).collect()
}

/// The tree of an expression that stands alone; see [`Parsed::expression`].
pub fn parse_expression(file: FileId, text: Arc<str>) -> Parsed {
    parser::parse(file, text, parser::Entry::Expression)
}

/// The tree of a component reference that stands alone, such as `body[2].frame_a.r_0`; see [`Parsed::expression`].
pub fn parse_component_reference(file: FileId, text: Arc<str>) -> Parsed {
    parser::parse(file, text, parser::Entry::ComponentReference)
}

/// The tree of one argument of a modification that stands alone, such as `x(start = 3) = 5`; see [`Parsed::argument`].
pub fn parse_modification(file: FileId, text: Arc<str>) -> Parsed {
    parser::parse(file, text, parser::Entry::Argument)
}

impl Parsed {
    /// The file, where one was parsed.
    pub fn stored_definition(&self) -> Option<ast::StoredDefinition<'_>> {
        ast::View::cast(self.tree.root())
    }

    /// The expression or reference, where one was parsed alone.
    pub fn expression(&self) -> Option<ast::Expression<'_>> {
        self.tree.root().children().find_map(ast::View::cast)
    }

    /// The modification, where one was parsed alone.
    pub fn argument(&self) -> Option<ast::Argument<'_>> {
        self.tree.root().children().find_map(ast::View::cast)
    }

    /// Whether any diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
