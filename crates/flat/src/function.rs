//! Functions (MLS §12).

use rhei_source::Span;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::{Expr, LocalId, Size, Statement, Type};

/// A function of a [`Tables`](crate::Tables).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FunctionId(pub u32);

/// Role of a component of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)] // named as in the language
pub enum LocalKind {
    Input,
    Output,
    Protected,
}

/// A component of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Local {
    /// Its name.
    pub name: SmolStr,
    /// Its type; sizes that depend on inputs are open.
    pub ty: Type,
    /// One per dimension: the size as it is written; none for `:`.
    pub sizes: Vec<Option<Expr>>,
    /// Its role.
    pub kind: LocalKind,
    /// The default of an input, the first value of others.
    pub binding: Option<Expr>,
    /// For a function given as an argument: the function that declares its inputs and outputs.
    pub interface: Option<FunctionId>,
    /// The declaration.
    pub span: Span,
}

impl Local {
    /// Sizes that are written as `:` are those of `value` (MLS §12.4.5).
    pub fn take_sizes_of(&mut self, value: &Type) {
        for ((size, written), found) in self.ty.sizes.iter_mut().zip(&self.sizes).zip(&value.sizes) {
            if *size == Size::Open && written.is_none() {
                *size = *found;
            }
        }
    }
}

/// Whether a function is put in place of its calls (MLS §18.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Inline {
    #[default]
    Unsaid,
    Never,
    Early,
    Late,
}

/// A `derivative` annotation (MLS §12.7.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Derivative {
    /// The function that is the derivative.
    pub function: FunctionId,
    /// Of which order.
    pub order: u32,
    /// Inputs whose derivatives must be zero for it to be used.
    pub zero: Vec<LocalId>,
    /// Inputs that are not differentiated.
    pub without: Vec<LocalId>,
}

/// An `inverse` annotation (MLS §12.8): the input follows from the output and the other inputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inverse {
    /// The input that is computed.
    pub input: LocalId,
    /// By which function.
    pub function: FunctionId,
    /// With which of our inputs and outputs as its arguments.
    pub arguments: Vec<LocalId>,
}

/// Code outside the language (MLS §12.9).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct External {
    /// `C`, `FORTRAN 77`, `builtin`.
    pub language: SmolStr,
    /// The name of the code.
    pub name: SmolStr,
    /// The variable that its result is assigned to.
    pub result: Option<Expr>,
    /// Its arguments.
    pub arguments: Vec<Expr>,
    /// Libraries it is in.
    pub libraries: Vec<SmolStr>,
    /// C code that declares it, or is it.
    pub include: Option<SmolStr>,
    /// The clause.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Function {
    /// Its qualified name.
    pub name: SmolStr,
    /// By [`LocalId`]: inputs, outputs and protected components in the order of their declaration.
    pub locals: Vec<Local>,
    /// Its statements; none for external functions.
    pub body: Vec<Statement>,
    /// Code outside the language instead.
    pub external: Option<External>,
    /// Whether it may do something else than compute its outputs.
    pub is_impure: bool,
    /// Whether it is declared so, and not only treated so.
    pub says_impure: bool,
    /// Whether it is put in place of its calls.
    pub inline: Inline,
    /// Whether relations in it make events.
    pub generate_events: bool,
    /// How often it can be differentiated, where it says so.
    pub smooth_order: Option<u32>,
    /// Its derivatives, the preferred one first.
    pub derivatives: Vec<Derivative>,
    /// Its inverses.
    pub inverses: Vec<Inverse>,
    /// Its name in the text.
    pub span: Span,
}

impl Function {
    fn of_kind(&self, kind: LocalKind) -> impl Iterator<Item = (LocalId, &Local)> {
        let numbered = self.locals.iter().enumerate().map(|(i, local)| (LocalId(i as u32), local));
        numbered.filter(move |(_, local)| local.kind == kind)
    }

    /// Visits its expressions, but not their parts.
    pub fn walk_expressions<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        for local in &self.locals {
            local.sizes.iter().flatten().chain(&local.binding).for_each(&mut *visit);
        }
        self.body.iter().for_each(|statement| statement.walk_expressions(visit));
        if let Some(external) = &self.external {
            external.result.iter().chain(&external.arguments).for_each(visit);
        }
    }

    /// A component.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    /// Its inputs, in order.
    pub fn inputs(&self) -> impl Iterator<Item = (LocalId, &Local)> {
        self.of_kind(LocalKind::Input)
    }

    /// Its outputs, in order.
    pub fn outputs(&self) -> impl Iterator<Item = (LocalId, &Local)> {
        self.of_kind(LocalKind::Output)
    }
}
