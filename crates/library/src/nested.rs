//! From syntax back to ids: the class that a definition inside of a file is.

use rhei_syntax::{SyntaxKind as K, ast};

use crate::store::State;
use crate::{ClassId, Library};

impl Library {
    /// The class that a definition is, wherever it stands: in a body, or as a redeclaration in a modification.
    ///
    /// Its parent is the class in which its names are looked up: the nearest one whose body it stands in. A class in the
    /// modification of `model M = A(redeclare model N = B)` is looked up outside of `M`, and has the parent of `M`.
    pub fn class_of(&self, definition: ast::ClassDefinition<'_>) -> ClassId {
        self.class_of_locked(&mut self.state(), definition)
    }

    /// The class that a definition is, with this parent if it is met for the first time.
    pub fn class_of_in(&self, definition: ast::ClassDefinition<'_>, parent: ClassId) -> ClassId {
        self.register(&mut self.state(), definition, Some(parent), None)
    }

    fn class_of_locked(&self, state: &mut State, definition: ast::ClassDefinition<'_>) -> ClassId {
        // outwards until a class is known, then back in; no recursion, text can be nested deep
        let mut unknown = vec![];
        let mut current = Some(definition);
        let mut parent = None;
        while let Some(definition) = current {
            let key = (definition.node().tree().file(), definition.id());
            if let Some(known) = state.class_of_node.get(&key) {
                parent = Some(*known);
                break;
            }
            unknown.push(definition);
            current = scope_of(definition);
        }
        for definition in unknown.into_iter().rev() {
            parent = Some(self.register(state, definition, parent, None));
        }
        parent.expect("the definition itself is known by now")
    }
}

/// The definition whose body a definition stands in.
fn scope_of(definition: ast::ClassDefinition<'_>) -> Option<ast::ClassDefinition<'_>> {
    let mut below = definition.node();
    for node in definition.node().ancestors() {
        let through_body = matches!(below.kind(), K::LongClassSpecifier | K::ExtendsClassSpecifier);
        if through_body && let Some(scope) = ast::View::cast(node) {
            return Some(scope);
        }
        below = node;
    }
    None
}
