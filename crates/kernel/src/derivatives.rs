//! Derivatives of calls: the function that computes them, and its arguments.
//!
//! A call of depth one has as operands the numbers x of its arguments and their derivatives dx, and stands for the derivatives of
//! the results; a call of depth two has (x, dx, δx, δdx), and so on. The function for that is made from the algorithm, or is
//! named by a `derivative` annotation; changes that are zero are not handed over.

use std::sync::Arc;

use rhei_equations::{Call, ExprId, Pool, Shape};
use rhei_flat::{
    Derivatives, Expr, ExprKind, Function, FunctionId, Inline, Local, LocalId, LocalKind, Scalar, Statement,
    StatementKind, Tables, Type,
};
use rustc_hash::FxHashMap;

/// Makes the functions that derivatives of calls need.
#[derive(Debug)]
pub(crate) struct Differentiator {
    tables: Arc<Tables>,
    derivatives: Derivatives,
    /// Functions that only call another one: so that their derivative is the derivative of a call.
    callers: FxHashMap<FunctionId, FunctionId>,
}

/// A derivative as an ordinary call.
pub(crate) struct Resolved {
    pub(crate) function: FunctionId,
    pub(crate) arguments: Vec<Shape>,
    /// The operands of the derivative that make up its arguments, in order.
    pub(crate) operands: Vec<usize>,
    pub(crate) results: Vec<Shape>,
    /// The indices of its results among those of the derivative; all others are zero.
    pub(crate) places: Vec<usize>,
}

impl Differentiator {
    pub(crate) fn new(tables: Arc<Tables>) -> Self {
        Differentiator { tables, derivatives: Derivatives::default(), callers: FxHashMap::default() }
    }

    /// All functions, the new ones among them.
    pub(crate) fn finish(self) -> Arc<Tables> {
        self.tables
    }

    /// The derivative as an ordinary call, if there is a function for it.
    pub(crate) fn resolve(&mut self, call: &Call, pool: &Pool) -> Option<Resolved> {
        let mut operands = 0;
        let mut inputs: Vec<(Shape, Vec<usize>)> = Vec::new();
        for shape in &call.arguments {
            let count = shape.count();
            inputs.push((shape.clone(), (operands..operands + count).collect()));
            operands += count;
        }
        let mut place = 0;
        let mut outputs: Vec<(Shape, Vec<usize>)> = Vec::new();
        for shape in &call.results {
            let count = shape.count();
            outputs.push((shape.clone(), (place..place + count).collect()));
            place += count;
        }
        let mut function = self.caller(call.function);
        for _ in 0..call.depth {
            let changes = |places: &[usize]| places.iter().map(|p| p + operands).collect::<Vec<usize>>();
            let varies = |(shape, places): &(Shape, Vec<usize>)| {
                holds_reals(shape) && changes(places).iter().any(|&p| !is_zero(call.operands[p], pool))
            };
            let varying: Vec<bool> = inputs.iter().map(varies).collect();
            // there is no input for the change of a function
            let is_function = |shape: &Shape| matches!(shape, Shape::Function(..));
            if inputs.iter().zip(&varying).any(|((shape, _), varies)| *varies && is_function(shape)) {
                return None;
            }
            let tables = Arc::make_mut(&mut self.tables);
            function = self.derivatives.of_function(tables, function, &varying).ok()?;
            let further: Vec<(Shape, Vec<usize>)> = inputs
                .iter()
                .zip(&varying)
                .filter(|(_, varies)| **varies)
                .map(|((shape, places), _)| (shape.clone(), changes(places)))
                .collect();
            inputs.extend(further);
            outputs.retain(|(shape, _)| holds_reals(shape));
            operands *= 2;
        }
        let (arguments, operands): (Vec<Shape>, Vec<Vec<usize>>) = inputs.into_iter().unzip();
        let (results, places): (Vec<Shape>, Vec<Vec<usize>>) = outputs.into_iter().unzip();
        let operands = operands.into_iter().flatten().collect();
        Some(Resolved {
            function,
            arguments,
            operands,
            results,
            places: places.into_iter().flatten().collect(),
        })
    }

    /// The functions known so far.
    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The function that computes the changes of the results of a call, from its arguments and the changes of those that vary.
    pub(crate) fn along(&mut self, function: FunctionId, varying: &[bool]) -> Option<FunctionId> {
        let caller = self.caller(function);
        self.derivatives.of_function(Arc::make_mut(&mut self.tables), caller, varying).ok()
    }

    /// A function that only calls this one.
    fn caller(&mut self, id: FunctionId) -> FunctionId {
        if let Some(&known) = self.callers.get(&id) {
            return known;
        }
        let tables = Arc::make_mut(&mut self.tables);
        let called = tables.function(id).clone();
        let span = called.span;
        let component =
            |(id, local): (LocalId, &Local)| Expr { kind: ExprKind::Local(id), ty: local.ty.clone(), span };
        let arguments: Vec<Expr> = called.inputs().map(component).collect();
        let targets: Vec<Option<Expr>> = called.outputs().map(|output| Some(component(output))).collect();
        let ty = targets.iter().flatten().next().map_or(Type::scalar(Scalar::Real), |first| first.ty.clone());
        let apply = Expr { kind: ExprKind::Apply(id, arguments), ty, span };
        let kind = match targets.as_slice() {
            [Some(target)] => StatementKind::Assign(target.clone(), apply),
            _ => StatementKind::AssignResults(targets, apply),
        };
        let mut locals = called.locals.clone();
        locals
            .iter_mut()
            .filter(|local| local.kind != LocalKind::Input)
            .for_each(|local| local.binding = None);
        let caller = Function {
            name: format!("{}.call", called.name).into(),
            locals,
            body: vec![Statement { kind, span }],
            external: None,
            inline: Inline::Unsaid,
            derivatives: Vec::new(),
            inverses: Vec::new(),
            ..called.clone()
        };
        let made = FunctionId(tables.functions.len() as u32);
        tables.functions.push(caller);
        self.callers.insert(id, made);
        made
    }
}

fn is_zero(e: ExprId, pool: &Pool) -> bool {
    pool.as_number(e) == Some(0.0)
}

pub(crate) fn holds_reals(shape: &Shape) -> bool {
    match shape {
        Shape::Numbers { scalar, .. } => *scalar == Scalar::Real,
        Shape::Text(_) => false,
        Shape::Record(_, parts) | Shape::List { elements: parts, .. } => parts.iter().any(holds_reals),
        Shape::Function(_, given) => given.iter().any(|(_, part)| holds_reals(part)),
    }
}
