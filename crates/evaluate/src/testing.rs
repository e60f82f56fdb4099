//! Building blocks of tests: expressions with their types, functions, and an environment of constants.

use std::cell::RefCell;

use rhei_flat::{
    Arithmetic, Builtin, Expr, ExprKind, External, Function, FunctionId, Inline, Iteration, IteratorId,
    Local, LocalId, LocalKind, Logic, Reduction, Relation, Scalar, Size, Statement, StatementKind, Subscript,
    Tables, Type, VarId,
};
use rhei_source::{FileId, Span};
use smol_str::SmolStr;

use crate::{ArrayValue, Budget, Environment, Failure, Translations, Value};

/// Any place.
pub(crate) fn span() -> Span {
    Span::new(FileId(0), 0, 1)
}

/// A matrix of whole numbers.
pub(crate) fn integer_matrix(rows: &[&[i64]]) -> Value {
    matrix(Scalar::Integer, rows.iter().map(|row| row.iter().map(|&i| Value::Integer(i)).collect()).collect())
}

/// A matrix of numbers.
pub(crate) fn real_matrix(rows: &[&[f64]]) -> Value {
    matrix(Scalar::Real, rows.iter().map(|row| row.iter().map(|&x| Value::Real(x)).collect()).collect())
}

fn matrix(scalar: Scalar, rows: Vec<Vec<Value>>) -> Value {
    let sizes = vec![rows.len(), rows.first().map_or(0, Vec::len)];
    ArrayValue::new(scalar, sizes, rows.into_iter().flatten().collect()).into()
}

pub(crate) fn ty(scalar: Scalar, dimensions: usize) -> Type {
    Type::array(scalar, vec![Size::Open; dimensions])
}

pub(crate) fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr { kind, ty, span: span() }
}

/// The literal of a value.
pub(crate) fn lit(value: impl Into<Value>) -> Expr {
    let value = value.into();
    crate::to_expr(&value, &value.ty().unwrap(), span())
}

pub(crate) fn local(id: u32, ty: Type) -> Expr {
    expr(ExprKind::Local(LocalId(id)), ty)
}

pub(crate) fn iterator(id: u32) -> Expr {
    expr(ExprKind::Iterator(IteratorId(id)), Type::scalar(Scalar::Integer))
}

pub(crate) fn arithmetic(op: Arithmetic, a: Expr, b: Expr) -> Expr {
    let scalar = match op {
        Arithmetic::Divide | Arithmetic::Power => Scalar::Real,
        _ => a.ty.scalar.joined(b.ty.scalar).unwrap(),
    };
    let ty = if a.ty.is_scalar() { b.ty.with_scalar(scalar) } else { a.ty.with_scalar(scalar) };
    expr(ExprKind::Arithmetic(op, Box::new(a), Box::new(b)), ty)
}

pub(crate) fn add(a: Expr, b: Expr) -> Expr {
    arithmetic(Arithmetic::Add, a, b)
}

pub(crate) fn sub(a: Expr, b: Expr) -> Expr {
    arithmetic(Arithmetic::Subtract, a, b)
}

pub(crate) fn mul(a: Expr, b: Expr) -> Expr {
    arithmetic(Arithmetic::Multiply, a, b)
}

pub(crate) fn compare(op: Relation, a: Expr, b: Expr) -> Expr {
    expr(ExprKind::Relation(op, Box::new(a), Box::new(b)), Type::scalar(Scalar::Boolean))
}

pub(crate) fn logic(op: Logic, a: Expr, b: Expr) -> Expr {
    let ty = a.ty.clone();
    expr(ExprKind::Logic(op, Box::new(a), Box::new(b)), ty)
}

pub(crate) fn if_else(condition: Expr, a: Expr, b: Expr) -> Expr {
    let ty = a.ty.with_scalar(a.ty.scalar.joined(b.ty.scalar).unwrap());
    expr(ExprKind::If(Box::new(condition), Box::new(a), Box::new(b)), ty)
}

/// An array of expressions.
pub(crate) fn array(elements: Vec<Expr>) -> Expr {
    let scalar = elements.iter().map(|e| e.ty.scalar).reduce(|a, b| a.joined(b).unwrap()).unwrap();
    let ty = elements[0].ty.with_scalar(scalar).within([Size::Known(elements.len())]);
    expr(ExprKind::Array(elements), ty)
}

pub(crate) fn index(a: Expr, subscripts: Vec<Subscript>) -> Expr {
    let sizes = a.ty.sizes.iter().zip(&subscripts).flat_map(|(size, subscript)| match subscript {
        Subscript::Whole => vec![*size],
        Subscript::Index(e) => e.ty.sizes.clone(),
    });
    let ty = Type::array(a.ty.scalar, sizes.collect());
    expr(ExprKind::Index(Box::new(a), subscripts), ty)
}

/// A subscript.
pub(crate) fn at(e: impl Into<Value>) -> Subscript {
    Subscript::Index(lit(e))
}

pub(crate) fn field(record: Expr, place: u32, ty: Type) -> Expr {
    let ty = ty.within(record.ty.sizes.clone());
    expr(ExprKind::Field(Box::new(record), place), ty)
}

pub(crate) fn range(first: Expr, step: Option<Expr>, last: Expr) -> Expr {
    let scalar = step.iter().fold(first.ty.scalar.joined(last.ty.scalar).unwrap(), |scalar, step| {
        scalar.joined(step.ty.scalar).unwrap()
    });
    let kind = ExprKind::Range(Box::new(first), step.map(Box::new), Box::new(last));
    expr(kind, ty(scalar, 1))
}

/// `1:n`
pub(crate) fn up_to(n: Expr) -> Expr {
    range(lit(1), None, n)
}

pub(crate) fn iteration(id: u32, range: Expr) -> Iteration {
    Iteration { iterator: IteratorId(id), range: Box::new(range) }
}

pub(crate) fn comprehension(body: Expr, iterations: Vec<Iteration>) -> Expr {
    let ty = body.ty.within(vec![Size::Open; iterations.len()]);
    expr(ExprKind::Comprehension(Box::new(body), iterations), ty)
}

pub(crate) fn reduction(op: Reduction, body: Expr, iterations: Vec<Iteration>) -> Expr {
    let ty = body.ty.clone();
    expr(ExprKind::Reduction(op, Box::new(body), iterations), ty)
}

pub(crate) fn builtin(f: Builtin, arguments: Vec<Expr>, ty: Type) -> Expr {
    expr(ExprKind::Call(f, arguments), ty)
}

/// `size(a, d)`
pub(crate) fn size(a: Expr, d: i64) -> Expr {
    builtin(Builtin::Size, vec![a, lit(d)], Type::scalar(Scalar::Integer))
}

pub(crate) fn apply(f: u32, arguments: Vec<Expr>, ty: Type) -> Expr {
    expr(ExprKind::Apply(FunctionId(f), arguments), ty)
}

pub(crate) fn statement(kind: StatementKind) -> Statement {
    Statement { kind, span: span() }
}

pub(crate) fn assign(target: Expr, value: Expr) -> Statement {
    statement(StatementKind::Assign(target, value))
}

pub(crate) fn for_loop(id: u32, range: Expr, body: Vec<Statement>) -> Statement {
    statement(StatementKind::For(iteration(id, range), body))
}

pub(crate) fn if_then(condition: Expr, body: Vec<Statement>) -> Statement {
    statement(StatementKind::If(vec![(condition, body)], vec![]))
}

/// A function, built component by component.
pub(crate) fn function(name: &str) -> Function {
    Function {
        name: name.into(),
        locals: vec![],
        body: vec![],
        external: None,
        is_impure: false,
        says_impure: false,
        inline: Inline::Unsaid,
        generate_events: false,
        smooth_order: None,
        derivatives: vec![],
        inverses: vec![],
        span: span(),
    }
}

/// A function with another component.
pub(crate) trait With: Sized {
    fn local(self, kind: LocalKind, name: &str, ty: Type, sizes: Vec<Option<Expr>>) -> Self;
    fn bound(self, value: Expr) -> Self;
    fn body(self, body: Vec<Statement>) -> Self;
    fn external(self, language: &str, name: &str, result: Option<Expr>, arguments: Vec<Expr>) -> Self;

    fn input(self, name: &str, ty: Type) -> Self {
        let sizes = vec![None; ty.dimensions()];
        self.local(LocalKind::Input, name, ty, sizes)
    }

    fn output(self, name: &str, ty: Type) -> Self {
        let sizes = vec![None; ty.dimensions()];
        self.local(LocalKind::Output, name, ty, sizes)
    }

    fn protected(self, name: &str, ty: Type, sizes: Vec<Option<Expr>>) -> Self {
        self.local(LocalKind::Protected, name, ty, sizes)
    }
}

impl With for Function {
    fn local(mut self, kind: LocalKind, name: &str, ty: Type, sizes: Vec<Option<Expr>>) -> Self {
        self.locals.push(Local {
            name: name.into(),
            ty,
            sizes,
            kind,
            binding: None,
            interface: None,
            span: span(),
        });
        self
    }

    fn bound(mut self, value: Expr) -> Self {
        self.locals.last_mut().unwrap().binding = Some(value);
        self
    }

    fn body(mut self, body: Vec<Statement>) -> Self {
        self.body = body;
        self
    }

    fn external(mut self, language: &str, name: &str, result: Option<Expr>, arguments: Vec<Expr>) -> Self {
        let (language, name) = (language.into(), name.into());
        self.external = Some(External {
            language,
            name,
            result,
            arguments,
            libraries: vec![],
            include: None,
            span: span(),
        });
        self
    }
}

/// Tables and variables, all of them constants.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) tables: Tables,
    pub(crate) variables: Vec<Value>,
    pub(crate) warnings: RefCell<Vec<SmolStr>>,
}

impl World {
    /// With these functions, by their numbers.
    pub(crate) fn with(functions: Vec<Function>) -> World {
        let iterators = ["i", "j", "k"].map(SmolStr::from).to_vec();
        World { tables: Tables { functions, iterators, ..Tables::default() }, ..World::default() }
    }

    pub(crate) fn value(&self, e: &Expr) -> Result<Value, Failure> {
        crate::evaluate(e, self, &mut Budget::default())
    }

    /// All outputs of a function; where it can be translated, the translation must agree.
    pub(crate) fn call(&self, f: u32, arguments: Vec<Value>) -> Result<Vec<Value>, Failure> {
        let translated = Translations::default().call(FunctionId(f), &arguments, &self.tables);
        let outputs = crate::call(FunctionId(f), arguments, self, &mut Budget::default());
        if let Some(translated) = translated {
            assert_eq!(outputs.as_ref(), Ok(&translated));
        }
        outputs
    }
}

impl Environment for World {
    fn tables(&self) -> &Tables {
        &self.tables
    }

    fn variable(&self, v: VarId, span: Span, _: &mut Budget) -> Result<Value, Failure> {
        let unknown = || Failure::NotConstant { what: format!("v{}", v.0).into(), span };
        self.variables.get(v.index()).cloned().ok_or_else(unknown)
    }

    fn external(&self, function: &Function, arguments: &[Value]) -> Result<Vec<Value>, Failure> {
        match function.external.as_ref().map(|external| external.name.as_str()) {
            Some("twice") => Ok(vec![Value::Real(2.0 * arguments[0].as_real().unwrap())]),
            _ => Err(Failure::External { name: function.name.clone(), span: function.span }),
        }
    }

    fn warn(&self, message: &str, _: Span) {
        self.warnings.borrow_mut().push(message.into());
    }
}
