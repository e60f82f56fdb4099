//! Operators that ask about connections are answered: `inStream`, `actualStream`, `cardinality`, `Connections.isRoot` and
//! `Connections.rooted`. Conditions that become known decide their if-equations.

use rhei_flat::{
    Arithmetic, Builtin, Equation, EquationKind, Expr, ExprKind, Iteration, IteratorId, Scalar, Size,
    Subscript, Type, VarId,
};
use rhei_instance::{ComponentId, Flowing, Sections};
use rhei_source::Span;
use rustc_hash::FxHashMap;

use crate::array_equations::{array, integer};
use crate::connect::Node;
use crate::known_values::KnownValues;
use crate::mistake::Mistake;
use crate::operands::{operand, place};
use crate::overconstrained::{Graph, is_statement};
use crate::sides::index;
use crate::streams::Streams;
use crate::tree::Tree;

/// Answers operators in expressions.
pub(crate) struct Operators<'a> {
    pub(crate) tree: &'a Tree<'a>,
    pub(crate) values: &'a KnownValues<'a>,
    pub(crate) streams: Streams<'a>,
    pub(crate) graph: &'a Graph,
    pub(crate) cardinality: &'a FxHashMap<(ComponentId, usize), usize>,
    pub(crate) mistakes: Vec<Mistake>,
}

impl Operators<'_> {
    /// Equations without statements about the graph, conditions about connections decided.
    pub(crate) fn equations(&mut self, equations: Vec<Equation>) -> Vec<Equation> {
        let is_plain = |equation: &Equation| matches!(equation.kind, EquationKind::Equal(..));
        if equations.iter().all(is_plain) {
            return equations;
        }
        let mut all = Vec::with_capacity(equations.len());
        for equation in equations {
            match equation.kind {
                EquationKind::Equal(..) => all.push(equation),
                _ => all.extend(self.equation(equation)),
            }
        }
        all
    }

    fn equation(&mut self, equation: Equation) -> Vec<Equation> {
        let Equation { kind, component, span } = equation;
        let made = |kind| vec![Equation { kind, component: component.clone(), span }];
        match kind {
            EquationKind::For(iteration, body) => {
                if body.iter().any(|equation| asks_about(equation, iteration.iterator)) {
                    return self.unrolled(&iteration, &body);
                }
                let body = self.equations(body);
                if body.is_empty() { Vec::new() } else { made(EquationKind::For(iteration, body)) }
            }
            EquationKind::If(branches, otherwise) => {
                let about_graph =
                    branches.iter().flat_map(|(_, body)| body).chain(&otherwise).any(is_statement);
                let mut open = Vec::new();
                let mut rest = otherwise;
                for (condition, body) in branches {
                    match self.decided(&condition) {
                        Some(true) => {
                            rest = body;
                            break;
                        }
                        Some(false) => {}
                        None => open.push((condition, self.equations(body))),
                    }
                }
                let rest = self.equations(rest);
                let empty = rest.is_empty() && open.iter().all(|(_, body)| body.is_empty());
                match open.is_empty() {
                    true => rest,
                    false if empty && about_graph => Vec::new(),
                    false => made(EquationKind::If(open, rest)),
                }
            }
            EquationKind::Call(call) => {
                let statement = made(EquationKind::Call(call));
                if is_statement(&statement[0]) { Vec::new() } else { statement }
            }
            kind => made(kind),
        }
    }

    /// The value of a condition about connections; nothing for other conditions.
    fn decided(&mut self, condition: &Expr) -> Option<bool> {
        if !asks(condition) {
            return None;
        }
        let condition = self.expression(condition.clone());
        self.values.value(&condition).ok()?.as_boolean()
    }

    /// A loop whose turns differ in their connections.
    fn unrolled(&mut self, iteration: &Iteration, body: &[Equation]) -> Vec<Equation> {
        let range = match self.values.range(&iteration.range) {
            Ok(range) => range,
            Err(failure) => {
                self.mistakes.push(failure.into());
                return Vec::new();
            }
        };
        let mut all = Vec::new();
        for value in range {
            let ty = iteration.range.ty.element();
            let mut turn = Sections { equations: body.to_vec(), ..Sections::default() };
            turn.change_expressions(&mut |e| {
                let literal = rhei_evaluate::to_expr(&value, &ty, e.span);
                e.change(&mut |e| with_iterator(e, iteration.iterator, &literal));
            });
            all.extend(self.equations(turn.equations));
        }
        all
    }

    /// An expression with all operators answered.
    pub(crate) fn expression(&mut self, e: Expr) -> Expr {
        // most expressions ask nothing, and some are large: a record with hundreds of fields for every call
        if has_operators(&e) { self.answer(e) } else { e }
    }

    fn answer(&mut self, e: Expr) -> Expr {
        if let Some(smooth) = self.carried_stream(&e) {
            return smooth;
        }
        if let ExprKind::Call(builtin, arguments) = &e.kind {
            let answer = match builtin {
                Builtin::InStream | Builtin::ActualStream => self.stream(*builtin, &arguments[0], e.span),
                Builtin::Cardinality
                | Builtin::ConnectionsIsRoot
                | Builtin::ConnectionsRooted
                | Builtin::Rooted => self.connector_operator(*builtin, arguments.first(), e.span),
                // those among equations are gone by now
                Builtin::ConnectionsBranch | Builtin::ConnectionsRoot | Builtin::ConnectionsPotentialRoot => {
                    Err(Mistake::Misplaced { operator: builtin.name(), span: e.span })
                }
                _ => return self.parts(e),
            };
            return answer.unwrap_or_else(|mistake| {
                if !self.mistakes.contains(&mistake) {
                    self.mistakes.push(mistake);
                }
                e
            });
        }
        self.parts(e)
    }

    fn parts(&mut self, e: Expr) -> Expr {
        let e = e.map_parts(&mut |part| self.answer(part));
        match e.kind {
            ExprKind::If(condition, a, b) => match condition.kind {
                ExprKind::Boolean(true) => *a,
                ExprKind::Boolean(false) => *b,
                _ => Expr { kind: ExprKind::If(condition, a, b), ..e },
            },
            _ => e,
        }
    }

    /// `m_flow*actualStream(h)` has no jump where the flow turns: no event is needed (MLS §15.3).
    fn carried_stream(&mut self, e: &Expr) -> Option<Expr> {
        let ExprKind::Arithmetic(Arithmetic::Multiply, a, b) = &e.kind else { return None };
        let is_actual = |e: &Expr| matches!(e.kind, ExprKind::Call(Builtin::ActualStream, _));
        let is_flow = |e: &Expr| match &e.kind {
            ExprKind::Variable(v, _) => self.tree.flowing(self.tree.component_of(*v)) == Flowing::Flow,
            _ => false,
        };
        if !(is_actual(a) && is_flow(b) || is_flow(a) && is_actual(b)) {
            return None;
        }
        let product = self.parts(e.clone());
        let (ty, span) = (e.ty.clone(), e.span);
        Some(Expr { kind: ExprKind::Call(Builtin::Smooth, vec![integer(0, span), product]), ty, span })
    }

    /// `inStream` and `actualStream`, element by element.
    fn stream(&mut self, builtin: Builtin, argument: &Expr, span: Span) -> Result<Expr, Mistake> {
        match &argument.kind {
            ExprKind::Variable(v, subscripts) if self.streams.is_stream(*v) => {
                let subscripts = subscripts.clone();
                let sizes = self.tree.variable(*v).ty.known_sizes().unwrap_or_default();
                let (v, scalar) = (*v, argument.ty.scalar);
                self.answered(&subscripts, &sizes, scalar, span, |operators, place| match builtin {
                    Builtin::InStream => operators.streams.in_stream(v, place, span),
                    _ => operators.streams.actual_stream(v, place, span),
                })
            }
            ExprKind::Array(_) | ExprKind::Comprehension(..) => {
                // element by element; ranges are left as they are
                let mut failed = None;
                let ty = argument.ty.clone();
                let kind = match argument.kind.clone() {
                    ExprKind::Array(elements) => {
                        let elements = elements.iter().map(|e| self.stream(builtin, e, span));
                        ExprKind::Array(elements.collect::<Result<_, _>>()?)
                    }
                    ExprKind::Comprehension(body, iterations) => {
                        let body = self.stream(builtin, &body, span).unwrap_or_else(|mistake| {
                            failed = Some(mistake);
                            *body
                        });
                        ExprKind::Comprehension(Box::new(body), iterations)
                    }
                    kind => kind,
                };
                match failed {
                    Some(mistake) => Err(mistake),
                    None => Ok(Expr { kind, ty, span }),
                }
            }
            _ => Err(Mistake::NotAStream { operator: builtin.name(), span }),
        }
    }

    /// Operators of one connector, or of a part of one.
    fn connector_operator(
        &mut self,
        builtin: Builtin,
        argument: Option<&Expr>,
        span: Span,
    ) -> Result<Expr, Mistake> {
        let found = argument.and_then(|e| operand(self.tree, e));
        let (component, subscripts) =
            found.ok_or(Mistake::NotInConnector { operator: builtin.name(), span })?;
        if self.tree.connector_around(component).is_none() {
            return Err(Mistake::NotInConnector { operator: builtin.name(), span });
        }
        // an overdetermined type is one node with all its elements
        let around = match builtin {
            Builtin::Cardinality => component,
            _ => self.tree.component(component).parent.unwrap_or(component),
        };
        let sizes = self.tree.full_sizes(around);
        let subscripts = &subscripts[..sizes.len().min(subscripts.len())];
        let scalar = if builtin == Builtin::Cardinality { Scalar::Integer } else { Scalar::Boolean };
        let answer = |operators: &mut Self, place: usize| {
            let node = Node { component, place };
            let kind = match builtin {
                Builtin::Cardinality => {
                    let count = operators.cardinality.get(&(component, place)).copied().unwrap_or(0);
                    ExprKind::Integer(count as i64)
                }
                Builtin::ConnectionsIsRoot => ExprKind::Boolean(operators.graph.is_root(node)),
                _ => {
                    let name = || operators.tree.name(component);
                    let rooted = operators.graph.is_rooted(node);
                    ExprKind::Boolean(
                        rooted.ok_or_else(|| Mistake::RootedWithoutBranch { name: name(), span })?,
                    )
                }
            };
            Ok(Expr { kind, ty: Type::scalar(scalar), span })
        };
        self.answered(subscripts, &sizes, scalar, span, answer)
    }

    /// The answers for all elements that subscripts may mean; an array with subscripts where that is known only later.
    fn answered(
        &mut self,
        subscripts: &[Subscript],
        sizes: &[usize],
        scalar: Scalar,
        span: Span,
        mut answer: impl FnMut(&mut Self, usize) -> Result<Expr, Mistake>,
    ) -> Result<Expr, Mistake> {
        if let (Some(place), false) = (place(self.values, subscripts, sizes), subscripts.is_empty()) {
            return answer(self, place);
        }
        let mut places = vec![0];
        let (mut open_sizes, mut open_subscripts) = (Vec::new(), Vec::new());
        for (d, &size) in sizes.iter().enumerate() {
            let fixed = match subscripts.get(d) {
                Some(Subscript::Index(e)) if e.ty.is_scalar() => {
                    self.values.value(e).ok().and_then(|value| index(&value, size))
                }
                _ => None,
            };
            let indices = match fixed {
                Some(index) => index..index + 1,
                None => {
                    open_sizes.push(size);
                    open_subscripts.push(subscripts.get(d).cloned().unwrap_or(Subscript::Whole));
                    0..size
                }
            };
            places = places.iter().flat_map(|place| indices.clone().map(move |i| place * size + i)).collect();
        }
        let mut answers = Vec::new();
        for place in places {
            answers.push(answer(self, place)?);
        }
        let is_whole = open_subscripts.iter().all(|subscript| *subscript == Subscript::Whole);
        // the same answer for all elements needs no array
        let is_single = open_subscripts.iter().all(|s| s.index().is_some_and(|e| e.ty.is_scalar()));
        if is_single
            && answers.len() > 1
            && answers.iter().all(|e| is_literal(e) && e.kind == answers[0].kind)
        {
            return Ok(answers.remove(0));
        }
        let all = array(self.tree, answers, &open_sizes, scalar, span);
        if is_whole {
            return Ok(all);
        }
        let left = open_sizes.iter().zip(&open_subscripts).flat_map(|(size, subscript)| match subscript {
            Subscript::Whole => vec![Size::Known(*size)],
            Subscript::Index(e) => e.ty.sizes.clone(),
        });
        let ty = Type::array(scalar, left.collect());
        Ok(indexed(all, open_subscripts, ty, span))
    }
}

/// An array with subscripts; a variable takes them itself.
fn indexed(array: Expr, subscripts: Vec<Subscript>, ty: Type, span: Span) -> Expr {
    let kind = match array.kind {
        ExprKind::Variable(v, own) => {
            let mut open = subscripts.into_iter();
            let dimensions = if own.is_empty() { vec![Subscript::Whole; array.ty.dimensions()] } else { own };
            let filled = dimensions.into_iter().map(|subscript| match subscript {
                Subscript::Whole => open.next().unwrap_or(Subscript::Whole),
                fixed => fixed,
            });
            ExprKind::Variable(v, filled.collect())
        }
        _ => ExprKind::Index(Box::new(array), subscripts),
    };
    Expr { kind, ty, span }
}

fn is_literal(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Integer(_) | ExprKind::Boolean(_))
}

/// Whether an expression asks about the connections of a connector.
fn asks(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |part| found |= is_question(part));
    found
}

fn is_question(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Call(
            Builtin::Cardinality | Builtin::ConnectionsIsRoot | Builtin::ConnectionsRooted | Builtin::Rooted,
            _
        )
    )
}

fn is_other_operator(e: &Expr) -> bool {
    use Builtin as B;
    let ExprKind::Call(builtin, _) = &e.kind else { return false };
    matches!(
        builtin,
        B::InStream
            | B::ActualStream
            | B::ConnectionsBranch
            | B::ConnectionsRoot
            | B::ConnectionsPotentialRoot
    )
}

/// Whether the condition of an if-equation asks about connections of elements that an iterator chooses.
fn asks_about(equation: &Equation, iterator: IteratorId) -> bool {
    let about = |e: &Expr| {
        let mut found = false;
        e.walk(&mut |part| {
            if is_question(part) {
                part.walk(&mut |inner| found |= inner.kind == ExprKind::Iterator(iterator));
            }
        });
        found
    };
    match &equation.kind {
        EquationKind::For(_, body) => body.iter().any(|equation| asks_about(equation, iterator)),
        EquationKind::If(branches, otherwise) => {
            branches.iter().any(|(condition, body)| {
                about(condition) || body.iter().any(|equation| asks_about(equation, iterator))
            }) || otherwise.iter().any(|equation| asks_about(equation, iterator))
        }
        _ => false,
    }
}

/// The same expression with a value for an iterator.
fn with_iterator(e: Expr, iterator: IteratorId, value: &Expr) -> Expr {
    if e.kind == ExprKind::Iterator(iterator) {
        return value.clone();
    }
    e.map_parts(&mut |part| with_iterator(part, iterator, value))
}

/// Whether there is something to answer in an expression.
pub(crate) fn has_operators(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |part| found |= is_question(part) || is_other_operator(part));
    found
}

/// Marks parameters whose values shaped the model.
pub(crate) fn mark_structural(variables: &mut [rhei_flat::Variable], used: impl IntoIterator<Item = VarId>) {
    for v in used {
        variables[v.index()].structural = true;
    }
}
