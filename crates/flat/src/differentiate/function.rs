//! The derivative of a function: its locals with their derivatives beside them, its statements with theirs before them.

use smol_str::{SmolStr, format_smolstr};

use super::activity::{expression_varies, root, varying_locals};
use super::build::{counting, index, size, zero};
use super::{Derivatives, NotDifferentiable, new_name};
use crate::{
    Expr, ExprKind, Function, FunctionId, Inline, Iteration, IteratorId, Local, LocalId, LocalKind,
    Statement, StatementKind, Tables, Type,
};

/// A function while it is differentiated.
pub(super) struct Differentiation<'a> {
    pub(super) derivatives: &'a mut Derivatives,
    pub(super) tables: &'a mut Tables,
    /// The derivative, as far as it is made. It begins with the locals of the function itself.
    made: Function,
    /// For each local of the function, that of its derivative; nothing where it does not vary.
    derivative_of: Vec<Option<LocalId>>,
    varies: Vec<bool>,
}

/// The derivative of `function`, made if it is not there yet.
pub(super) fn differentiate(
    derivatives: &mut Derivatives,
    tables: &mut Tables,
    function: FunctionId,
    varying: &[bool],
) -> Result<FunctionId, NotDifferentiable> {
    let original = tables.function(function).clone();
    let mut varying = varying.to_vec();
    varying.resize(original.inputs().count(), false);
    for ((_, input), varies) in original.inputs().zip(&mut varying) {
        *varies &= tables.holds_reals(&input.ty);
    }
    let key = (function, varying.clone());
    if let Some(&known) = derivatives.known.get(&key) {
        return Ok(known);
    }
    if derivatives.unfinished.contains(&function) {
        let what = format!("`{}`, which it is itself a derivative of,", original.name);
        return Err(NotDifferentiable { function: original.name.clone(), what, span: original.span });
    }
    if let Some(external) = &original.external {
        let what = format!("the external function `{}`", original.name);
        return Err(NotDifferentiable { function: original.name.clone(), what, span: external.span });
    }
    // known by its id before its body is made: functions may call themselves
    let id = FunctionId(tables.functions.len() as u32);
    let name = new_name(tables, name_of(&original, &varying));
    tables.functions.push(Function { name: name.clone(), ..original.clone() });
    derivatives.known.insert(key, id);

    let varies = varying_locals(&original, &varying, tables);
    let made = Function {
        name,
        locals: Vec::new(),
        body: Vec::new(),
        inline: if original.inline == Inline::Never { Inline::Never } else { Inline::Unsaid },
        smooth_order: original.smooth_order.map(|order| order.saturating_sub(1)),
        derivatives: Vec::new(),
        inverses: Vec::new(),
        ..original.clone()
    };
    let mut work = Differentiation {
        derivatives,
        tables,
        made,
        derivative_of: vec![None; original.locals.len()],
        varies: Vec::new(),
    };
    work.declare(&original, &varies);
    // calls of itself see the signature while the body is made
    work.tables.functions[id.0 as usize] = work.made.clone();
    work.bind(&original)?;
    let body = work.statements(&original.body)?;
    work.made.body.extend(body);
    tables.functions[id.0 as usize] = work.made;
    Ok(id)
}

/// `f_der_x_y`: which inputs vary, unless all do that can.
fn name_of(function: &Function, varying: &[bool]) -> SmolStr {
    let names: Vec<&str> = function
        .inputs()
        .zip(varying)
        .filter(|(_, varies)| **varies)
        .map(|((_, input), _)| input.name.as_str())
        .collect();
    format_smolstr!("{}_der_{}", function.name, names.join("_"))
}

impl Differentiation<'_> {
    /// All locals, and the derivatives of those that vary; outputs become protected, their derivatives are the outputs.
    fn declare(&mut self, original: &Function, varies: &[bool]) {
        for local in &original.locals {
            let kind = if local.kind == LocalKind::Output { LocalKind::Protected } else { local.kind };
            self.made.locals.push(Local { kind, ..local.clone() });
        }
        self.varies = varies.to_vec();
        for kind in [LocalKind::Input, LocalKind::Output, LocalKind::Protected] {
            for (place, local) in original.locals.iter().enumerate().filter(|(_, local)| local.kind == kind) {
                let is_output = kind == LocalKind::Output && self.tables.holds_reals(&local.ty);
                if !varies[place] && !is_output {
                    continue;
                }
                let name = self.new_local_name(format_smolstr!("der_{}", local.name));
                self.derivative_of[place] = Some(LocalId(self.made.locals.len() as u32));
                self.made.locals.push(Local { name, binding: None, ..local.clone() });
            }
        }
    }

    fn new_local_name(&self, wanted: SmolStr) -> SmolStr {
        let mut name = wanted;
        while self.made.locals.iter().any(|local| local.name == name) {
            name = format_smolstr!("{name}_");
        }
        name
    }

    /// First values of the derivatives.
    fn bind(&mut self, original: &Function) -> Result<(), NotDifferentiable> {
        for (place, local) in original.locals.iter().enumerate() {
            let Some(derivative) = self.derivative_of[place] else { continue };
            if local.kind == LocalKind::Input {
                continue;
            }
            if let Some(binding) = &local.binding {
                let value = match self.derivative(binding)? {
                    Some(value) => value,
                    None => zero(&self.local(LocalId(place as u32)), self.tables),
                };
                self.made.locals[derivative.0 as usize].binding = Some(value);
            }
        }
        Ok(())
    }

    fn local(&self, id: LocalId) -> Expr {
        let local = self.made.local(id);
        Expr { kind: ExprKind::Local(id), ty: local.ty.clone(), span: local.span }
    }

    /// The local that holds the derivative of another one.
    pub(super) fn derivative_of_local(&self, id: LocalId) -> Option<LocalId> {
        self.derivative_of.get(id.0 as usize).copied().flatten().filter(|_| self.varies[id.0 as usize])
    }

    pub(super) fn varies(&self, e: &Expr) -> bool {
        expression_varies(e, &self.varies, self.tables)
    }

    pub(super) fn refused<T>(&self, what: impl Into<String>, e: &Expr) -> Result<T, NotDifferentiable> {
        Err(NotDifferentiable { function: self.made.name.clone(), what: what.into(), span: e.span })
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<Vec<Statement>, NotDifferentiable> {
        let mut made = Vec::new();
        for statement in statements {
            self.statement(statement, &mut made)?;
        }
        Ok(made)
    }

    fn statement(
        &mut self,
        statement: &Statement,
        made: &mut Vec<Statement>,
    ) -> Result<(), NotDifferentiable> {
        let span = statement.span;
        let mut push = |kind| made.push(Statement { kind, span });
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                let Some(derivative) = self.derivative_of_target(target) else {
                    push(statement.kind.clone());
                    return Ok(());
                };
                match self.derivative(value)? {
                    Some(slope) => {
                        push(StatementKind::Assign(derivative, slope));
                        push(statement.kind.clone());
                    }
                    None => {
                        // afterwards: only then has the target the sizes of its value
                        push(statement.kind.clone());
                        push(StatementKind::Assign(derivative, self.unvarying(target)));
                    }
                }
            }
            StatementKind::AssignResults(targets, call) => {
                let (before, after) = self.results(targets, call)?;
                before.into_iter().for_each(&mut push);
                push(statement.kind.clone());
                after.into_iter().for_each(push);
            }
            StatementKind::Call(_) | StatementKind::Break | StatementKind::Return => {
                push(statement.kind.clone());
            }
            StatementKind::If(branches, otherwise) => {
                let mut all = Vec::new();
                for (condition, body) in branches {
                    all.push((condition.clone(), self.statements(body)?));
                }
                let otherwise = self.statements(otherwise)?;
                push(StatementKind::If(all, otherwise));
            }
            StatementKind::For(iteration, body) if self.varies(&iteration.range) => {
                return self.loop_through_values(iteration, body, span, made);
            }
            StatementKind::For(iteration, body) => {
                let body = self.statements(body)?;
                push(StatementKind::For(iteration.clone(), body));
            }
            StatementKind::While(condition, body) => {
                let body = self.statements(body)?;
                push(StatementKind::While(condition.clone(), body));
            }
            StatementKind::When(_) => {} // not in functions (MLS §12.2)
        }
        Ok(())
    }

    /// The derivative of the target of an assignment.
    fn derivative_of_target(&self, target: &Expr) -> Option<Expr> {
        let place = root(target)?;
        self.derivative_of[place.0 as usize].map(|derivative| with_root(target.clone(), derivative))
    }

    /// The derivative of a target with a constant value; fields that are no Reals, in a record, are copied.
    fn unvarying(&mut self, target: &Expr) -> Expr {
        if self.tables.holds_reals(&target.ty) { zero(target, self.tables) } else { target.clone() }
    }

    /// `(a, , c) := f(x)`: the statements before it, and those after.
    fn results(
        &mut self,
        targets: &[Option<Expr>],
        call: &Expr,
    ) -> Result<(Option<StatementKind>, Vec<StatementKind>), NotDifferentiable> {
        let outputs: Vec<Type> = match &call.kind {
            ExprKind::Apply(function, _) => {
                self.tables.function(*function).outputs().map(|(_, output)| output.ty.clone()).collect()
            }
            _ => Vec::new(),
        };
        let Some(slopes) = self.derivative_call(call)? else {
            let zeros: Vec<(Expr, Expr)> = targets
                .iter()
                .flatten()
                .filter_map(|target| Some((self.derivative_of_target(target)?, target.clone())))
                .collect();
            let zeros = zeros.into_iter().map(|(derivative, target)| {
                let value = self.unvarying(&target);
                StatementKind::Assign(derivative, value)
            });
            return Ok((None, zeros.collect()));
        };
        let mut taken = Vec::new();
        let mut after = Vec::new();
        for (place, output) in outputs.iter().enumerate() {
            let target = targets.get(place).cloned().flatten();
            let derivative = target.as_ref().and_then(|target| self.derivative_of_target(target));
            if self.tables.holds_reals(output) {
                taken.push(derivative);
            } else if let (Some(derivative), Some(target)) = (derivative, target) {
                after.push(StatementKind::Assign(derivative, target)); // fields that are no Reals are copied
            }
        }
        Ok((Some(StatementKind::AssignResults(taken, slopes)), after))
    }

    /// A loop through Reals that vary: its values and their derivatives are kept, and counted through.
    fn loop_through_values(
        &mut self,
        iteration: &Iteration,
        body: &[Statement],
        span: rhei_source::Span,
        made: &mut Vec<Statement>,
    ) -> Result<(), NotDifferentiable> {
        let slope = self.derivative(&iteration.range)?;
        let values = self.new_local("values", &iteration.range);
        let slopes = self.new_local("der_values", &iteration.range);
        self.varies.resize(self.made.locals.len(), false);
        self.derivative_of.resize(self.made.locals.len(), None);
        self.varies[values.0 as usize] = true;
        self.derivative_of[values.0 as usize] = Some(slopes);
        let (values, slopes) = (self.local(values), self.local(slopes));
        let slope = match slope {
            Some(slope) => slope,
            None => zero(&iteration.range, self.tables),
        };
        let keep = |target: &Expr, value: Expr| Statement {
            kind: StatementKind::Assign(target.clone(), value),
            span,
        };
        made.push(keep(&slopes, slope));
        made.push(keep(&values, (*iteration.range).clone()));
        let (counted, place) = counting(self.tables, size(&values, 0));
        let element = index(values, vec![place]);
        let body: Vec<Statement> = body
            .iter()
            .cloned()
            .map(|statement| with_iterator_in(statement, iteration.iterator, &element))
            .collect();
        let body = self.statements(&body)?;
        made.push(Statement { kind: StatementKind::For(counted, body), span });
        Ok(())
    }

    fn new_local(&mut self, name: &str, like: &Expr) -> LocalId {
        let name = self.new_local_name(format_smolstr!("${name}"));
        let sizes = vec![None; like.ty.dimensions()];
        let (ty, kind, span) = (like.ty.clone(), LocalKind::Protected, like.span);
        self.made.locals.push(Local { name, ty, sizes, kind, interface: None, binding: None, span });
        LocalId(self.made.locals.len() as u32 - 1)
    }
}

/// The same part of another local.
fn with_root(target: Expr, root: LocalId) -> Expr {
    let Expr { kind, ty, span } = target;
    let kind = match kind {
        ExprKind::Local(_) => ExprKind::Local(root),
        ExprKind::Index(whole, subscripts) => ExprKind::Index(Box::new(with_root(*whole, root)), subscripts),
        ExprKind::Field(whole, place) => ExprKind::Field(Box::new(with_root(*whole, root)), place),
        other => other,
    };
    Expr { kind, ty, span }
}

/// `e` with an iterator replaced.
pub(super) fn with_iterator(e: Expr, iterator: IteratorId, value: &Expr) -> Expr {
    if e.kind == ExprKind::Iterator(iterator) {
        return value.clone();
    }
    e.map_parts(&mut |part| with_iterator(part, iterator, value))
}

fn with_iterator_in(statement: Statement, iterator: IteratorId, value: &Expr) -> Statement {
    let new = |e: Expr| with_iterator(e, iterator, value);
    let all = |body: Vec<Statement>| -> Vec<Statement> {
        body.into_iter().map(|statement| with_iterator_in(statement, iterator, value)).collect()
    };
    let branches =
        |branches: Vec<(Expr, Vec<Statement>)>| branches.into_iter().map(|(c, body)| (new(c), all(body)));
    let kind = match statement.kind {
        StatementKind::Assign(target, e) => StatementKind::Assign(new(target), new(e)),
        StatementKind::AssignResults(targets, call) => {
            let targets = targets.into_iter().map(|target| target.map(new)).collect();
            StatementKind::AssignResults(targets, new(call))
        }
        StatementKind::Call(call) => StatementKind::Call(new(call)),
        StatementKind::If(list, otherwise) => StatementKind::If(branches(list).collect(), all(otherwise)),
        StatementKind::For(Iteration { iterator, range }, body) => {
            StatementKind::For(Iteration { iterator, range: Box::new(new(*range)) }, all(body))
        }
        StatementKind::While(condition, body) => StatementKind::While(new(condition), all(body)),
        StatementKind::When(list) => StatementKind::When(branches(list).collect()),
        StatementKind::Break => StatementKind::Break,
        StatementKind::Return => StatementKind::Return,
    };
    Statement { kind, span: statement.span }
}
