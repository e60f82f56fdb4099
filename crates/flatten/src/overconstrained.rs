//! Overconstrained connections (MLS §9.4): the virtual connection graph, its spanning trees and the edges left
//! over.
//!
//! Nodes are overdetermined parts of connectors. Branches are edges that must stay, connections may be broken. Each tree has one
//! root. Both ends of a connection in a tree are equal; for one that would close a circle only the non-redundant residue of
//! `equalityConstraint` is zero.

use std::collections::VecDeque;

use indexmap::IndexSet;
use rhei_flat::{
    Builtin, Equation, EquationKind, Expr, ExprKind, FunctionId, Scalar, Size, Tables, Type, VarId,
};
use rhei_instance::{ComponentId, Connection};
use rhei_source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::array_equations::{Block, Row, reference, zero};
use crate::connect::{Edge, Node};
use crate::connection_equations::{equalities, origin_of};
use crate::connection_sets::Element;
use crate::known_values::KnownValues;
use crate::match_connectors::match_variables;
use crate::mistake::Mistake;
use crate::operands::{operand, place};
use crate::tree::Tree;
use crate::union_find::UnionFind;

/// The model's declarations about the graph: branches, roots and potential roots.
#[derive(Default)]
pub(crate) struct Statements {
    branches: Vec<(Node, Node, Span)>,
    roots: Vec<(Node, Span)>,
    potential: Vec<(Node, i64, Span)>,
}

/// The graph with its trees.
#[derive(Default)]
pub(crate) struct Graph {
    roots: FxHashSet<Node>,
    /// How far from its root.
    distance: FxHashMap<Node, usize>,
    /// The second node of the branch that a node is the first of.
    branch: FxHashMap<Node, Node>,
    /// How many branches a node is an end of.
    branches_at: FxHashMap<Node, usize>,
    /// Connections in a tree.
    kept: Vec<Edge>,
    /// Connections that would close a circle.
    broken: Vec<Edge>,
}

/// Reads the statements out of equations; those stay where they are.
pub(crate) fn read_statements(
    tree: &Tree,
    values: &KnownValues<'_>,
    equations: &[Equation],
    mistakes: &mut Vec<Mistake>,
) -> Statements {
    let mut reader = Reader { tree, values, statements: Statements::default() };
    for equation in equations {
        if let Err(mistake) = reader.equation(equation) {
            mistakes.push(mistake);
        }
    }
    reader.statements
}

/// The node that an operand means.
pub(crate) fn node(tree: &Tree, values: &KnownValues<'_>, e: &Expr) -> Option<Node> {
    let (component, subscripts) = operand(tree, e)?;
    tree.connector_around(component)?;
    let parent = tree.component(component).parent?;
    let place = place(values, &subscripts, &tree.full_sizes(parent))?;
    Some(Node { component, place })
}

/// Whether an equation, or one inside it, is about the graph.
pub(crate) fn is_statement(equation: &Equation) -> bool {
    match &equation.kind {
        EquationKind::Call(call) => matches!(
            call.kind,
            ExprKind::Call(
                Builtin::ConnectionsBranch | Builtin::ConnectionsRoot | Builtin::ConnectionsPotentialRoot,
                _
            )
        ),
        EquationKind::For(_, body) => body.iter().any(is_statement),
        EquationKind::If(branches, otherwise) => {
            branches.iter().any(|(_, body)| body.iter().any(is_statement))
                || otherwise.iter().any(is_statement)
        }
        _ => false,
    }
}

struct Reader<'a> {
    tree: &'a Tree<'a>,
    values: &'a KnownValues<'a>,
    statements: Statements,
}

impl Reader<'_> {
    fn equation(&mut self, equation: &Equation) -> Result<(), Mistake> {
        if !is_statement(equation) {
            return Ok(());
        }
        match &equation.kind {
            EquationKind::Call(call) => self.statement(call),
            EquationKind::For(iteration, body) => {
                for value in self.values.range(&iteration.range)? {
                    self.values.set_iterator(iteration.iterator, value);
                    body.iter().try_for_each(|equation| self.equation(equation))?;
                }
                self.values.forget_iterator(iteration.iterator);
                Ok(())
            }
            EquationKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    if self.values.value(condition)?.as_boolean() == Some(true) {
                        return body.iter().try_for_each(|equation| self.equation(equation));
                    }
                }
                otherwise.iter().try_for_each(|equation| self.equation(equation))
            }
            _ => Ok(()),
        }
    }

    fn statement(&mut self, call: &Expr) -> Result<(), Mistake> {
        let ExprKind::Call(builtin, arguments) = &call.kind else { return Ok(()) };
        let node = |argument: Option<&Expr>| {
            argument.and_then(|e| node(self.tree, self.values, e)).ok_or(Mistake::NotInConnector {
                operator: builtin.name(),
                span: argument.map_or(call.span, |e| e.span),
            })
        };
        let first = node(arguments.first())?;
        match builtin {
            Builtin::ConnectionsBranch => {
                let second = node(arguments.get(1))?;
                self.statements.branches.push((first, second, call.span));
            }
            Builtin::ConnectionsRoot => self.statements.roots.push((first, call.span)),
            _ => {
                let priority = match arguments.get(1) {
                    Some(priority) => self.values.value(priority)?.as_integer().unwrap_or(0),
                    None => 0,
                };
                self.statements.potential.push((first, priority, call.span));
            }
        }
        Ok(())
    }
}

/// Finds the spanning trees.
pub(crate) fn span_trees(
    tree: &Tree,
    statements: &Statements,
    edges: &[Edge],
    connections: &[Connection],
    mistakes: &mut Vec<Mistake>,
) -> Graph {
    let mut nodes: IndexSet<Node> = IndexSet::new();
    let mentioned = (statements.branches.iter().flat_map(|(a, b, _)| [*a, *b]))
        .chain(statements.roots.iter().map(|(node, _)| *node))
        .chain(statements.potential.iter().map(|(node, ..)| *node))
        .chain(edges.iter().flat_map(|edge| edge.ends));
    nodes.extend(mentioned);
    let number = |node: Node| nodes.get_index_of(&node).expect("all are there");

    let mut graph = Graph::default();
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut trees = UnionFind::default();
    nodes.iter().for_each(|_| _ = trees.add());
    for &(a, b, span) in &statements.branches {
        graph.branch.entry(a).or_insert(b);
        for end in [a, b] {
            *graph.branches_at.entry(end).or_default() += 1;
        }
        if !trees.union(number(a), number(b)) {
            mistakes.push(Mistake::BranchCycle { span });
            continue;
        }
        neighbours[number(a)].push(number(b));
        neighbours[number(b)].push(number(a));
    }
    // trees with a root of their own must not grow together: all roots are taken as one
    let mut first_root: FxHashMap<usize, (Node, Span)> = FxHashMap::default();
    let mut roots: IndexSet<Node> = IndexSet::new();
    for &(root, span) in &statements.roots {
        let top = trees.find(number(root));
        match first_root.get(&top) {
            Some(&(first, _)) if first == root => {}
            Some(&(first, first_span)) => mistakes.push(Mistake::RootsTogether {
                first: tree.name(first.component),
                first_span,
                second: tree.name(root.component),
                second_span: span,
            }),
            None => {
                first_root.insert(top, (root, span));
                roots.insert(root);
            }
        }
    }
    for pair in roots.iter().copied().collect::<Vec<_>>().windows(2) {
        trees.union(number(pair[0]), number(pair[1]));
    }
    for edge in without_redundancy(edges) {
        let [a, b] = edge.ends.map(number);
        if trees.union(a, b) {
            neighbours[a].push(b);
            neighbours[b].push(a);
            graph.kept.push(edge);
        } else {
            graph.broken.push(edge);
        }
    }
    let mut rooted: FxHashSet<usize> = roots.iter().map(|root| trees.find(number(*root))).collect();
    let mut potential: Vec<&(Node, i64, Span)> = statements.potential.iter().collect();
    potential.sort_by_key(|(_, priority, _)| *priority);
    for (node, ..) in potential {
        if rooted.insert(trees.find(number(*node))) {
            roots.insert(*node);
        }
    }
    for node in nodes.iter().copied() {
        if rooted.insert(trees.find(number(node))) {
            roots.insert(node);
            let origin = edges.iter().find(|edge| edge.ends.contains(&node)).map(|edge| edge.origin);
            if let Some(origin) = origin {
                let (_, span) = origin_of(connections, origin);
                mistakes.push(Mistake::NoRoot { name: tree.name(node.component), span });
            }
        }
    }
    // breadth first: the distance of each node from its root
    let mut queue: VecDeque<usize> = roots.iter().map(|root| number(*root)).collect();
    roots.iter().for_each(|root| _ = graph.distance.insert(*root, 0));
    while let Some(at) = queue.pop_front() {
        let distance = graph.distance[&nodes[at]];
        for &next in &neighbours[at] {
            graph.distance.entry(nodes[next]).or_insert_with(|| {
                queue.push_back(next);
                distance + 1
            });
        }
    }
    graph.roots = roots.into_iter().collect();
    graph
}

/// Connections between parts that are connected already add nothing.
fn without_redundancy(edges: &[Edge]) -> Vec<Edge> {
    let mut ends: IndexSet<(Node, bool)> = IndexSet::new();
    let mut sets = UnionFind::default();
    let mut kept = Vec::new();
    for edge in edges {
        let [a, b] = [0, 1].map(|side| {
            let (number, is_new) = ends.insert_full((edge.ends[side], edge.outside[side]));
            if is_new {
                sets.add();
            }
            number
        });
        if sets.union(a, b) {
            kept.push(*edge);
        }
    }
    kept
}

impl Graph {
    /// `Connections.isRoot`
    pub(crate) fn is_root(&self, node: Node) -> bool {
        self.roots.contains(&node)
    }

    /// `Connections.rooted`: whether a node is closer to the root than the other end of its branch. That is one branch, and
    /// the node its first end (MLS §9.4.1).
    pub(crate) fn is_rooted(&self, node: Node) -> Option<bool> {
        let distance = |node: &Node| self.distance.get(node).copied().unwrap_or(0);
        let other = self.branch.get(&node).filter(|_| self.branches_at.get(&node) == Some(&1))?;
        Some(distance(&node) < distance(other))
    }

    /// The equations of all connections between nodes.
    pub(crate) fn equations(
        &self,
        tree: &Tree,
        tables: &Tables,
        connections: &[Connection],
        mistakes: &mut Vec<Mistake>,
    ) -> Vec<Equation> {
        let mut rows = Vec::new();
        for edge in &self.kept {
            match equal_rows(tree, tables, edge, connections) {
                Ok(equal) => rows.extend(equal),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        let mut equations = equalities(tree, connections, rows);
        for edge in &self.broken {
            match residue(tree, tables, edge, connections) {
                Ok(equation) => equations.extend(equation),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        equations
    }
}

/// Both ends of a connection are equal, variable by variable.
fn equal_rows(
    tree: &Tree,
    tables: &Tables,
    edge: &Edge,
    connections: &[Connection],
) -> Result<Vec<Row>, Mistake> {
    let [a, b] = edge.ends;
    let span = connections[edge.origin].span;
    let mut rows = Vec::new();
    for pair in match_variables(tree, tables, a.component, b.component, span)? {
        let variables: [VarId; 2] =
            [pair.left, pair.right].map(|part| tree.component(part).variable.expect("a primitive part"));
        for i in 0..pair.count {
            let elements = [(variables[0], a), (variables[1], b)].map(|(variable, node)| Element {
                variable,
                offset: node.place * pair.count + i,
                outside: false,
            });
            rows.push(Row { elements: elements.to_vec(), origin: Some(edge.origin) });
        }
    }
    Ok(rows)
}

/// `equalityConstraint(a, b) = 0`; nothing where it has no residue.
fn residue(
    tree: &Tree,
    tables: &Tables,
    edge: &Edge,
    connections: &[Connection],
) -> Result<Option<Equation>, Mistake> {
    let (component, span) = origin_of(connections, edge.origin);
    let unsupported = |what: &str| Mistake::NotSupported {
        construct: format!("a circle of connections through `{}`, {what}", tree.name(edge.ends[0].component)),
        span,
    };
    let function: FunctionId = tree
        .component(edge.ends[0].component)
        .equality_constraint
        .ok_or_else(|| unsupported("which has no `equalityConstraint`"))?;
    let declared = tables.function(function);
    let input = declared.inputs().next().map(|(_, local)| local.ty.clone());
    let output = declared.outputs().next().map(|(_, local)| local.ty.clone());
    let (Some(input), Some(output)) = (input, output) else {
        return Err(unsupported("whose `equalityConstraint` lacks inputs or its output"));
    };
    if output.known_sizes().is_none() {
        return Err(unsupported("whose `equalityConstraint` has a residue of unknown size"));
    }
    if output.is_empty() {
        return Ok(None);
    }
    let mut arguments = Vec::new();
    for end in edge.ends {
        let argument = whole(tree, tables, end, input.scalar, span);
        arguments.push(argument.ok_or_else(|| unsupported("which is no plain record"))?);
    }
    let call = Expr { kind: ExprKind::Apply(function, arguments), ty: output.clone(), span };
    let nothing = zero(&output, span);
    Ok(Some(Equation { kind: EquationKind::Equal(call, nothing), component, span }))
}

/// A node as a value of the type that the function takes.
fn whole(tree: &Tree, tables: &Tables, node: Node, wanted: Scalar, span: Span) -> Option<Expr> {
    let component = tree.component(node.component);
    let sizes = tree.sizes(node.component);
    if let Some(variable) = component.variable {
        let offset = node.place * sizes.iter().product::<usize>();
        let block = Block { variable, offset, outside: false, dimensions: sizes.len(), neighbours: 1 };
        return Some(reference(tree, block, span));
    }
    let Scalar::Record(id) = wanted else { return None };
    if !sizes.is_empty() {
        return None;
    }
    let mut fields = Vec::new();
    for field in &tables.record(id).fields {
        let part = part_of(tree, node.component, &field.name, &field.ty.sizes)?;
        fields.push(whole(tree, tables, Node { component: part, place: node.place }, field.ty.scalar, span)?);
    }
    Some(Expr { kind: ExprKind::Record(id, fields), ty: Type::scalar(wanted), span })
}

fn part_of(tree: &Tree, record: ComponentId, name: &str, sizes: &[Size]) -> Option<ComponentId> {
    tree.part(record, name).filter(|part| tree.component(*part).sizes.len() == sizes.len())
}
