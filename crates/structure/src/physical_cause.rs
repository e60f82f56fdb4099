//! Why equations do not determine their unknowns, in terms of physics, where that can be known.
//!
//! Equations are taken as linear at a generic point, with derivatives as factors, so that linear dependences are found
//! exactly. No class of a library is known here. A source is an equation with one unknown alone, a connection an equality or
//! a sum of variables of different components. A missing ground is found in [`singular_loops`](crate::singular_loops).

use rhei_equations::{Binary, Equation, Equations, ExprId, Node, Pool, VarId};

use crate::Part;
use crate::basis::{Elimination, Entry, Grade, summed};
use crate::chains::Chains;
use crate::diagnose::listed;
use crate::generic::GenericPoint;

/// Equations that are looked through for a cause, at most.
const MOST_EQUATIONS: usize = 250;

/// Components that together fix a value which one of them fixes already.
pub(crate) fn fixed_twice(equations: &Equations, chains: &Chains, over: &Part) -> Option<String> {
    if over.rows.is_empty() || over.rows.len() > MOST_EQUATIONS {
        return None;
    }
    let mut pool = equations.pool.clone();
    let mut point = GenericPoint::default();
    let rows: Option<Vec<Vec<Entry>>> = over
        .rows
        .iter()
        .map(|&row| {
            let equation = &equations.equations[chains.equations[row].index()];
            laplace(equation, chains, &mut pool, &mut point)
        })
        .collect();
    let circuit = minimal_dependency(rows?, chains.graph.n_columns())?;
    let circuit: Vec<&Equation> = circuit
        .into_iter()
        .map(|place| &equations.equations[chains.equations[over.rows[place]].index()])
        .collect();
    let connections: Vec<Connection> =
        circuit.iter().filter_map(|equation| connection(equations, equation)).collect();
    let unknowns = |equation: &Equation| {
        let sides = [equation.lhs, equation.rhs].map(|side| equations.pool.variables_of(side));
        sides.into_iter().flatten().filter(|v| equations.variable(*v).is_unknown()).count()
    };
    let mut sources: Vec<&str> = Vec::new();
    for equation in circuit.iter().filter(|equation| unknowns(equation) == 1) {
        let component = equation.origin.component.as_str();
        if !component.is_empty() && !sources.contains(&component) {
            sources.push(component);
        }
    }
    if sources.len() < 2 || connections.is_empty() {
        return None;
    }
    let names = listed(sources.iter().copied());
    if connections.iter().all(|connection| *connection == Connection::Equal) {
        Some(format!(
            "{names} fix the same difference of potentials: ideal sources in parallel, or around a loop, leave their flows \
             undetermined; something must yield between them, such as a resistance"
        ))
    } else if connections.contains(&Connection::Sum) {
        Some(format!(
            "{names} fix the same flow: ideal sources in series leave the potential between them undetermined; there must be \
             another way for the flow, such as a conductance beside one of them"
        ))
    } else {
        None
    }
}

/// The coefficients of an equation, with derivatives as multiples of their variables.
fn laplace(
    equation: &Equation,
    chains: &Chains,
    pool: &mut Pool,
    point: &mut GenericPoint,
) -> Option<Vec<Entry>> {
    let residual = pool.sub(equation.lhs, equation.rhs);
    let time = pool.time();
    let factor = point.value(pool, time);
    let (variables, places): (Vec<VarId>, Vec<(usize, u32)>) =
        pool.variables_of(residual).into_iter().filter_map(|v| Some((v, chains.place(v)?))).unzip();
    let mut found: Vec<Entry> = Vec::new();
    for (slope, (column, order)) in pool.partials(residual, &variables).into_iter().zip(places) {
        let value = point.value(pool, slope.ok()?).times(factor.power(u64::from(order)));
        found.push(Entry { column, value, grade: Grade::Number });
    }
    Some(summed(found))
}

/// Rows that can be combined to nothing, none of which can be left out.
pub(crate) fn minimal_dependency(rows: Vec<Vec<Entry>>, n_columns: usize) -> Option<Vec<usize>> {
    let is_dependent = |places: &[usize]| {
        let chosen = places.iter().map(|&place| rows[place].clone()).collect();
        let mut elimination = Elimination::new(chosen, n_columns, usize::MAX);
        elimination.add_all(0..n_columns);
        let left = elimination.rows_left().next()?;
        Some(elimination.combined(left).iter().map(|&row| places[row]).collect::<Vec<usize>>())
    };
    let all: Vec<usize> = (0..rows.len()).collect();
    let mut needed = is_dependent(&all)?;
    needed.sort_unstable();
    for candidate in needed.clone() {
        let without: Vec<usize> = needed.iter().copied().filter(|&place| place != candidate).collect();
        if let Some(mut fewer) = is_dependent(&without) {
            fewer.sort_unstable();
            needed = fewer;
        }
    }
    Some(needed)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Connection {
    /// `a.v = b.v`
    Equal,
    /// `a.i + b.i = 0`
    Sum,
}

/// The connection that an equation states: between variables of components inside its own component, with
/// factors of one.
fn connection(equations: &Equations, equation: &Equation) -> Option<Connection> {
    let pool = &equations.pool;
    let within = match equation.origin.component.as_str() {
        "" => 0,
        component => component.len() + 1,
    };
    let is_of_part = |v: VarId| {
        let name = &equations.variable(v).name;
        name.get(within..).is_some_and(|rest| rest.contains('.'))
    };
    let variable = |e: ExprId| match pool.node(e) {
        Node::Variable(v) if equations.variable(v).is_unknown() && is_of_part(v) => Some(v),
        _ => None,
    };
    if let (Some(_), Some(_)) = (variable(equation.lhs), variable(equation.rhs)) {
        return Some(Connection::Equal);
    }
    let mut open = vec![equation.lhs, equation.rhs];
    while let Some(e) = open.pop() {
        match pool.node(e) {
            Node::Binary(Binary::Add | Binary::Sub, a, b) => open.extend([a, b]),
            Node::Negate(a) => open.push(a),
            Node::Number(_) if pool.as_number(e) == Some(0.0) => {}
            _ => {
                variable(e)?;
            }
        }
    }
    Some(Connection::Sum)
}
