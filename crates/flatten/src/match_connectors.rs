//! Two connectors side by side: their primitive parts, matched by name (MLS §9.3).

use rhei_flat::{Scalar, Tables, Variability};
use rhei_instance::{ComponentId, Flowing};
use rhei_source::Span;

use crate::mistake::Mistake;
use crate::tree::Tree;

/// Two parts that belong together.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) left: ComponentId,
    pub(crate) right: ComponentId,
    /// How many elements each element of the connector has of it.
    pub(crate) count: usize,
    /// Whether it is an overdetermined type or record, to be taken as one thing.
    pub(crate) overdetermined: bool,
}

/// The primitive parts of two connectors. The sizes of the connectors themselves are not compared.
pub(crate) fn match_connectors(
    tree: &Tree,
    tables: &Tables,
    left: ComponentId,
    right: ComponentId,
    span: Span,
) -> Result<Vec<Pair>, Mistake> {
    let mut matcher = Matcher { tree, tables, span, pairs: Vec::new(), whole: false };
    matcher.parts(left, right, 1)?;
    Ok(matcher.pairs)
}

/// The variables of two overdetermined records.
pub(crate) fn match_variables(
    tree: &Tree,
    tables: &Tables,
    left: ComponentId,
    right: ComponentId,
    span: Span,
) -> Result<Vec<Pair>, Mistake> {
    let mut matcher = Matcher { tree, tables, span, pairs: Vec::new(), whole: true };
    let count = tree.sizes(left).into_iter().product();
    matcher.parts(left, right, count)?;
    Ok(matcher.pairs)
}

struct Matcher<'a> {
    tree: &'a Tree<'a>,
    tables: &'a Tables,
    span: Span,
    pairs: Vec<Pair>,
    /// Whether overdetermined records are taken apart.
    whole: bool,
}

impl Matcher<'_> {
    fn mismatch(&self, left: ComponentId, right: ComponentId, why: String) -> Mistake {
        let (left, right) = (self.tree.name(left), self.tree.name(right));
        Mistake::Mismatch { left, right, why, span: self.span }
    }

    fn parts(&mut self, left: ComponentId, right: ComponentId, count: usize) -> Result<(), Mistake> {
        let tree = self.tree;
        let (a, b) = (tree.component(left), tree.component(right));
        if !self.whole && a.equality_constraint.is_some() && b.equality_constraint.is_some() {
            self.pairs.push(Pair { left, right, count, overdetermined: true });
            return Ok(());
        }
        if tree.is_expandable(left) != tree.is_expandable(right) {
            let why = "an expandable connector goes with expandable connectors only";
            return Err(self.mismatch(left, right, why.into()));
        }
        match (a.variable, b.variable) {
            (Some(_), Some(_)) => {
                self.check_primitive(left, right)?;
                self.pairs.push(Pair { left, right, count, overdetermined: false });
                return Ok(());
            }
            (None, None) => {}
            _ => {
                let why = "one of them has parts, the other has none".into();
                return Err(self.mismatch(left, right, why));
            }
        }
        for &part in &a.parts {
            let name = &tree.component(part).name;
            let other = tree.part(right, name).ok_or_else(|| {
                self.mismatch(left, right, format!("only `{}` has `{name}`", tree.name(left)))
            })?;
            let (sizes, others) = (tree.sizes(part), tree.sizes(other));
            if sizes != others {
                let why = format!("their sizes are {sizes:?} and {others:?}");
                return Err(self.mismatch(part, other, why));
            }
            let is_node = !self.whole && tree.component(part).equality_constraint.is_some();
            // the dimensions of an overdetermined type are part of it
            let inner = if is_node { 1 } else { sizes.into_iter().product() };
            self.parts(part, other, count * inner)?;
        }
        match b.parts.iter().find(|part| tree.part(left, &tree.component(**part).name).is_none()) {
            Some(only) => {
                let name = &tree.component(*only).name;
                Err(self.mismatch(left, right, format!("only `{}` has `{name}`", tree.name(right))))
            }
            None => Ok(()),
        }
    }

    fn check_primitive(&self, left: ComponentId, right: ComponentId) -> Result<(), Mistake> {
        let tree = self.tree;
        let (left_flows, right_flows) = (tree.flowing(left), tree.flowing(right));
        if left_flows != right_flows {
            return Err(Mistake::FlowWithPotential {
                left: tree.name(left),
                left_is: flowing_name(left_flows),
                right: tree.name(right),
                right_is: flowing_name(right_flows),
                span: self.span,
            });
        }
        let variable =
            |id: ComponentId| tree.variable(tree.component(id).variable.expect("a primitive part"));
        let (a, b) = (variable(left), variable(right));
        if !self.same_type(a.ty.scalar, b.ty.scalar) {
            let names = [a, b].map(|variable| self.tables.scalar_name(variable.ty.scalar));
            let why = format!("one is of type {}, the other of type {}", names[0], names[1]);
            return Err(self.mismatch(left, right, why));
        }
        // constants go with constants, parameters with parameters, all others together
        let kind = |variability: Variability| variability.min(Variability::Discrete);
        if kind(a.variability) != kind(b.variability) {
            let why = format!("one is {}, the other {}", a.variability.name(), b.variability.name());
            return Err(self.mismatch(left, right, why));
        }
        let is_causal = |id: ComponentId| tree.causality(id).is_some();
        let either = tree.is_in_expandable(left) || tree.is_in_expandable(right);
        if !either && is_causal(left) != is_causal(right) {
            let why = "one is an input or output, the other has no direction".into();
            return Err(self.mismatch(left, right, why));
        }
        Ok(())
    }

    fn same_type(&self, a: Scalar, b: Scalar) -> bool {
        match (a, b) {
            (Scalar::Enumeration(a), Scalar::Enumeration(b)) => {
                self.tables.enumeration(a).literals == self.tables.enumeration(b).literals
            }
            _ => a == b,
        }
    }
}

fn flowing_name(flowing: Flowing) -> &'static str {
    match flowing {
        Flowing::Potential => "potential",
        Flowing::Flow => "flow",
        Flowing::Stream => "stream",
    }
}
