//! The two sides of a connection (MLS §9.3).
//!
//! A side names a connector and its elements by one subscript per dimension. Along a dimension of an array whose elements are
//! instances each, there is one pair of connectors for each of its elements.

use rhei_flat::{Expr, ExprKind, Subscript, Type};
use rhei_syntax::ast;

use super::Typing;
use super::choose::Chosen;
use crate::component::{ComponentId, Content};
use crate::equations::iterators_around;
use crate::lookup::Found;
use crate::mistake::Mistake;
use rhei_instance::{Connector, Undeclared};

/// A dimension that the subscripts of a side leave open.
#[derive(Clone, Copy, Debug)]
struct Free {
    size: usize,
    /// Whether each of its elements is an instance.
    apart: bool,
}

/// One side, as it was walked through.
#[derive(Debug)]
struct Side {
    /// None where a component on the way is absent.
    connector: Option<Connector>,
    free: Vec<Free>,
}

impl<'l> Typing<'_, 'l> {
    /// The pairs of connectors of `connect(left, right)`; those with an absent side are left out (MLS §4.4.5).
    pub(crate) fn connected(
        &mut self,
        left: ast::ComponentReference<'l>,
        right: ast::ComponentReference<'l>,
    ) -> Result<Vec<(Connector, Connector)>, Mistake> {
        let (a, b) = (self.side(left, &[])?, self.side(right, &[])?);
        let apart = |side: &Side, d: usize| side.free.get(d).is_some_and(|free| free.apart);
        let dimensions: Vec<usize> =
            (0..a.free.len().max(b.free.len())).filter(|&d| apart(&a, d) || apart(&b, d)).collect();
        if dimensions.is_empty() {
            return Ok(a.connector.zip(b.connector).into_iter().collect());
        }
        let mut turns: Vec<Vec<Option<usize>>> = vec![Vec::new()];
        for d in 0..=dimensions[dimensions.len() - 1] {
            let size = self.common_size(d, (left, &a), (right, &b))?;
            let here: Vec<Option<usize>> =
                if dimensions.contains(&d) { (0..size).map(Some).collect() } else { vec![None] };
            turns = turns
                .into_iter()
                .flat_map(|turn| here.iter().map(move |&next| [turn.as_slice(), &[next]].concat()))
                .collect();
        }
        let mut pairs = Vec::new();
        for turn in turns {
            let (a, b) = (self.side(left, &turn)?, self.side(right, &turn)?);
            pairs.extend(a.connector.zip(b.connector));
        }
        Ok(pairs)
    }

    /// The size of a dimension that both sides have; absent components may have fewer dimensions known.
    fn common_size(
        &self,
        d: usize,
        (left, a): (ast::ComponentReference<'l>, &Side),
        (right, b): (ast::ComponentReference<'l>, &Side),
    ) -> Result<usize, Mistake> {
        let size = |side: &Side| side.free.get(d).map(|free| free.size);
        let same = match (size(a), size(b)) {
            (Some(a), Some(b)) if a == b => return Ok(a),
            (Some(known), None) if b.connector.is_none() => Some(known),
            (None, Some(known)) if a.connector.is_none() => Some(known),
            _ => None,
        };
        same.ok_or_else(|| {
            let sizes = |side: &Side| side.free.iter().map(|free| free.size).collect::<Vec<usize>>();
            Mistake::ConnectorSizes {
                left: left.to_string(),
                right: right.to_string(),
                sizes: format!("{:?} and {:?}", sizes(a), sizes(b)),
                span: left.span().cover(right.span()),
            }
        })
    }

    /// One side: a component, with subscripts for all dimensions around and of it. `turn` chooses the element in open
    /// dimensions; without it, the first one of elements that are instances each.
    fn side(
        &mut self,
        reference: ast::ComponentReference<'l>,
        turn: &[Option<usize>],
    ) -> Result<Side, Mistake> {
        let span = reference.span();
        let mut found: Option<ComponentId> = None;
        let mut subscripts: Vec<Subscript> = Vec::new();
        let mut undeclared = Vec::new();
        let mut through_outer = false;
        let mut free: Vec<Free> = Vec::new();
        for part in reference.parts() {
            let name = part.name.ident();
            let inside = match found {
                None => self.context.lookup(Some(self.scope), &name),
                Some(component) => {
                    let class = self.context.component(component).class;
                    if undeclared.is_empty() {
                        self.context.refuse_protected(class, &name, part.name.span());
                        self.context.lookup_in(class, &name)
                    } else {
                        None
                    }
                }
            };
            let expandable = found.is_some_and(|component| self.context.is_expandable(component));
            match inside {
                Some(Found::Component(declared)) => {
                    let component = self.context.resolved(declared);
                    through_outer |= component != declared;
                    if matches!(
                        self.context.component(component).content,
                        Content::Absent | Content::WithoutInner
                    ) {
                        return Ok(Side { connector: None, free });
                    }
                    if found.is_none() {
                        let parent = self.context.component(component).parent;
                        subscripts = iterators_around(self.context, parent, span);
                    }
                    let own = self.subscripts_of(component, &part)?;
                    found = Some(if self.context.component(component).content == Content::Elements {
                        self.element_in_turn(component, &own, turn, &mut free)?
                    } else {
                        let own = self.subscripts_in_turn(component, own, turn, &mut free);
                        subscripts.extend(own);
                        component
                    });
                }
                None if expandable || !undeclared.is_empty() => {
                    let subscripts = self.subscripts_of_new(part.subscripts, &name)?;
                    undeclared.push(Undeclared { name: name.into(), subscripts });
                }
                Some(_) => return Err(Mistake::NotAConnector { name: reference.to_string(), span }),
                None => {
                    let near = match found {
                        Some(component) => {
                            let class = self.context.component(component).class;
                            self.context.nearest_element(class, &name)
                        }
                        None => self.context.nearest_in(Some(self.scope), &name),
                    };
                    let class = match found {
                        Some(component) => self.context.path_name(component),
                        None => self.context.class_name(self.scope),
                    };
                    let (name, span) = (name.into_owned(), part.name.span());
                    return Err(Mistake::UnknownName { name, class, near, span });
                }
            }
        }
        let component = found.ok_or(Mistake::Incomplete)?;
        let connector = Connector { component, subscripts, undeclared, through_outer, span };
        Ok(Side { connector: Some(connector), free })
    }

    /// The element that subscripts and the turn choose.
    fn element_in_turn(
        &mut self,
        array: ComponentId,
        subscripts: &[Subscript],
        turn: &[Option<usize>],
        free: &mut Vec<Free>,
    ) -> Result<ComponentId, Mistake> {
        let mut index = Vec::new();
        for (choice, subscript) in self.chosen(array, subscripts)?.into_iter().zip(subscripts) {
            match (choice, subscript) {
                (Chosen::One(place), _) => index.push(place),
                (Chosen::Several(places), _) => {
                    let place = turn.get(free.len()).copied().flatten().unwrap_or(0);
                    free.push(Free { size: places.len(), apart: true });
                    index.push(places.get(place).copied().ok_or(Mistake::Incomplete)?);
                }
                (Chosen::Varying(number, _), _) => {
                    // said as any evaluation that fails
                    self.context.at_most(rhei_flat::Variability::Parameter, "the subscript", &number)?;
                    self.context.evaluate(&number, true)?;
                    return Err(Mistake::Incomplete);
                }
            }
        }
        self.context.element(array, &index).ok_or(Mistake::Incomplete)
    }

    /// Subscripts left open, with the element of this turn put in.
    fn subscripts_in_turn(
        &mut self,
        component: ComponentId,
        subscripts: Vec<Subscript>,
        turn: &[Option<usize>],
        free: &mut Vec<Free>,
    ) -> Vec<Subscript> {
        let sizes = self.context.component(component).sizes.clone();
        let mut own = Vec::new();
        for (subscript, size) in subscripts.into_iter().zip(sizes) {
            let (size, span) = match &subscript {
                Subscript::Whole => (size, None),
                Subscript::Index(e) if !e.ty.is_scalar() => (e.ty.sizes[0], Some(e.span)),
                Subscript::Index(_) => {
                    own.push(subscript);
                    continue;
                }
            };
            let here = turn.get(free.len()).copied().flatten();
            free.push(Free { size: size.known().unwrap_or(0), apart: false });
            let span = span.unwrap_or(self.context.component(component).span);
            own.push(match (here, subscript) {
                (None, open) => open,
                (Some(place), Subscript::Whole) => {
                    Subscript::Index(self.context.integer(place as i64 + 1, span))
                }
                (Some(place), Subscript::Index(e)) => {
                    let number = Subscript::Index(self.context.integer(place as i64 + 1, span));
                    let ty = Type::scalar(e.ty.scalar);
                    Subscript::Index(Expr { kind: ExprKind::Index(Box::new(e), vec![number]), ty, span })
                }
            });
        }
        own
    }
}
