//! Stream connectors (MLS §15): `inStream` by the recommended formulas, and the equations of outside connectors.
//!
//! A connection set of inside and outside connectors is a small volume in which streams mix. Two connectors only, or one
//! that is left alone, need no mixing. Else each stream counts as much as flows out of it into the volume:
//!
//! `h = sum(w[j]*h[j])/sum(w[j])`, `w[j] = max(-m_flow[j], 0) + max(eps - s, 0)^2/eps`, `s = sum(max(-m_flow[j], 0))`
//!
//! The second term of the weights is a smooth `positiveMax` as in the specification. It is zero once the flows together
//! reach `eps`, so that the balance is exact there; with all flows zero the streams have equal weights.

use rhei_flat::{Arithmetic, Builtin, Equation, EquationKind, Expr, ExprKind, Relation, Scalar, Type, VarId};
use rhei_instance::{ComponentId, Connection, Flowing};
use rhei_source::Span;

use crate::array_equations::{Row, element, integer, real};
use crate::connection_equations::{equalities, origin_of};
use crate::connection_sets::{ConnectionSets, Element};
use crate::known_values::KnownValues;
use crate::mistake::Mistake;
use crate::tree::Tree;

/// Flows that together are less than this part of their nominal value count as nearly none. More than the relative
/// tolerance of Newton's method, less than the tolerance of a run.
const SMALL_FLOW: f64 = 1e-7;

/// Evaluates streams.
pub(crate) struct Streams<'a> {
    pub(crate) tree: &'a Tree<'a>,
    pub(crate) values: &'a KnownValues<'a>,
    pub(crate) sets: &'a mut ConnectionSets,
}

/// A stream that comes into the volume.
struct Source {
    /// The flow into the volume.
    flow: Expr,
    value: Expr,
    nominal: f64,
}

impl Streams<'_> {
    /// Whether a variable is a stream.
    pub(crate) fn is_stream(&self, v: VarId) -> bool {
        self.tree.flowing(self.tree.component_of(v)) == Flowing::Stream
    }

    /// `inStream` of an element of a stream variable.
    pub(crate) fn in_stream(&mut self, v: VarId, offset: usize, span: Span) -> Result<Expr, Mistake> {
        let own = Element { variable: v, offset, outside: false };
        let others: Vec<Element> = self.sets.set_of(own).into_iter().filter(|other| *other != own).collect();
        let alone = element(self.tree, own, span);
        self.mixed(&others, alone, span)
    }

    /// `actualStream` of an element of a stream variable.
    pub(crate) fn actual_stream(&mut self, v: VarId, offset: usize, span: Span) -> Result<Expr, Mistake> {
        let own = Element { variable: v, offset, outside: false };
        let flow = element(self.tree, self.flow_of(own)?, span);
        let (coming, going) = (self.in_stream(v, offset, span)?, element(self.tree, own, span));
        let kind = ExprKind::Relation(Relation::Greater, Box::new(flow), Box::new(real(0.0, span)));
        let into = Expr { kind, ty: Type::scalar(Scalar::Boolean), span };
        let kind = ExprKind::If(Box::new(into), Box::new(coming), Box::new(going));
        Ok(Expr { kind, ty: Type::scalar(Scalar::Real), span })
    }

    /// Equations of the streams of outside connectors: each is the mixture of all others.
    pub(crate) fn outside_equations(&mut self, connections: &[Connection]) -> Result<Vec<Equation>, Mistake> {
        let (mut equal, mut equations) = (Vec::new(), Vec::new());
        let sets: Vec<_> = self.sets.sets().filter(|set| self.is_stream(set[0].0.variable)).collect();
        for set in sets {
            for (own, origin) in set.iter().filter(|(element, _)| element.outside) {
                let others: Vec<Element> =
                    set.iter().map(|(other, _)| *other).filter(|other| other != own).collect();
                if let [other] = others[..]
                    && !other.outside
                {
                    equal.push(Row { elements: vec![*own, other], origin: *origin });
                    continue;
                }
                let Some(origin) = *origin else { continue };
                let (component, span) = origin_of(connections, origin);
                let value = self.mixed(&others, real(0.0, span), span)?;
                let kind = EquationKind::Equal(element(self.tree, *own, span), value);
                equations.push(Equation { kind, component, span });
            }
        }
        let mut all = equalities(self.tree, connections, equal);
        all.extend(equations);
        Ok(all)
    }

    /// The mixture of these streams; `alone` where none can flow in.
    fn mixed(&mut self, others: &[Element], alone: Expr, span: Span) -> Result<Expr, Mistake> {
        match others {
            [] => return Ok(alone),
            [one] => return self.stream(*one, span),
            _ => {}
        }
        let mut sources = Vec::new();
        for other in others {
            if let Some(source) = self.source(*other, span)? {
                sources.push(source);
            }
        }
        Ok(match sources.len() {
            0 => alone,
            1 => sources.remove(0).value,
            _ => mixture(&sources, span),
        })
    }

    /// The stream from a connector: its own for an inside one; for an outside one that which comes in there,
    /// one level up.
    fn stream(&mut self, source: Element, span: Span) -> Result<Expr, Mistake> {
        if source.outside {
            self.in_stream(source.variable, source.offset, span)
        } else {
            Ok(element(self.tree, source, span))
        }
    }

    /// The inflow through a connector; nothing if its flow can only go the other way.
    fn source(&mut self, source: Element, span: Span) -> Result<Option<Source>, Mistake> {
        let flow = self.flow_of(source)?;
        let attributes = &self.tree.variable(flow.variable).attributes;
        let bound = |e: &Option<Expr>| {
            let value = self.values.fixed_value(e.as_ref()?)?;
            value.elements().get(if value.sizes().is_empty() { 0 } else { flow.offset })?.as_real()
        };
        let blocked = if source.outside {
            bound(&attributes.max).is_some_and(|max| max <= 0.0)
        } else {
            bound(&attributes.min).is_some_and(|min| min >= 0.0)
        };
        if blocked {
            return Ok(None);
        }
        let nominal =
            bound(&attributes.nominal).map(f64::abs).filter(|nominal| *nominal > 0.0).unwrap_or(1.0);
        let flow = element(self.tree, flow, span);
        let flow = if source.outside {
            flow
        } else {
            Expr { ty: flow.ty.clone(), kind: ExprKind::Negate(Box::new(flow)), span }
        };
        let value = self.stream(source, span)?;
        Ok(Some(Source { flow, value, nominal }))
    }

    /// The flow variable that carries a stream: the one of the same connector.
    fn flow_of(&self, stream: Element) -> Result<Element, Mistake> {
        let tree = self.tree;
        let component = tree.component_of(stream.variable);
        let declared =
            tree.outwards(component).find(|around| tree.component(*around).flowing == Flowing::Stream);
        let connector = declared.and_then(|declared| tree.component(declared).parent);
        let is_flow = |part: &&ComponentId| {
            tree.component(**part).flowing == Flowing::Flow && tree.component(**part).variable.is_some()
        };
        let flow = connector.and_then(|connector| {
            let flow = *tree.component(connector).parts.iter().find(is_flow)?;
            let place = stream.offset * tree.count(connector) / tree.count(component).max(1);
            Some(Element { variable: tree.component(flow).variable?, offset: place, outside: stream.outside })
        });
        flow.ok_or_else(|| Mistake::StreamWithoutFlow {
            name: tree.name(component),
            span: tree.component(component).span,
        })
    }
}

fn arithmetic(op: Arithmetic, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (Type::scalar(Scalar::Real), a.span);
    Expr { kind: ExprKind::Arithmetic(op, Box::new(a), Box::new(b)), ty, span }
}

fn sum(terms: impl Iterator<Item = Expr>) -> Expr {
    terms.reduce(|a, b| arithmetic(Arithmetic::Add, a, b)).expect("several streams")
}

fn product(a: Expr, b: Expr) -> Expr {
    arithmetic(Arithmetic::Multiply, a, b)
}

fn call(builtin: Builtin, arguments: Vec<Expr>) -> Expr {
    let span = arguments[0].span;
    Expr { kind: ExprKind::Call(builtin, arguments), ty: Type::scalar(Scalar::Real), span }
}

/// `(sum(m[j]*h[j]) + r*sum(h[j]))/(s + r*n)`, `m[j]` being the flows into the volume where they are positive.
fn mixture(sources: &[Source], span: Span) -> Expr {
    let least = sources.iter().map(|source| source.nominal).fold(f64::INFINITY, f64::min);
    let eps = || real(SMALL_FLOW * least, span);
    let into = |source: &Source| call(Builtin::Max, vec![source.flow.clone(), real(0.0, span)]);
    let total = sum(sources.iter().map(into));
    let missing = arithmetic(Arithmetic::Subtract, eps(), total.clone());
    let missing = call(Builtin::Max, vec![missing, real(0.0, span)]);
    let square = arithmetic(Arithmetic::Power, missing, integer(2, span));
    let each = arithmetic(Arithmetic::Divide, square, eps());
    let carried = sum(sources.iter().map(|source| product(into(source), source.value.clone())));
    let values = sum(sources.iter().map(|source| source.value.clone()));
    let numerator = arithmetic(Arithmetic::Add, carried, product(each.clone(), values));
    let count = real(sources.len() as f64, span);
    let denominator = arithmetic(Arithmetic::Add, total, product(each, count));
    arithmetic(Arithmetic::Divide, numerator, denominator)
}

#[cfg(test)]
mod tests {
    use rhei_flat::Tables;
    use rhei_source::FileId;

    use super::*;

    fn mixed(flows: [f64; 2]) -> f64 {
        let span = Span::new(FileId(0), 0, 0);
        let source = |flow, value| Source { flow: real(flow, span), value: real(value, span), nominal: 1.0 };
        let mixture = mixture(&[source(flows[0], 10.0), source(flows[1], 20.0)], span);
        let tables = Tables::default();
        KnownValues::new(&[], &tables).value(&mixture).unwrap().as_real().unwrap()
    }

    #[test]
    fn streams_count_as_much_as_they_flow_in() {
        assert_eq!(mixed([3.0, 1.0]), 12.5);
        assert_eq!(mixed([-3.0, 1.0]), 20.0, "what flows out brings nothing in");
        assert!((mixed([-1.0, -1.0]) - 15.0).abs() < 1e-12, "where none flows in they count alike");
        let nearly = mixed([SMALL_FLOW / 2.0, 0.0]);
        assert!(10.0 < nearly && nearly < 15.0, "{nearly}");
    }
}
