//! The invariants of [`Flat`], checked.

use crate::{
    Equation, EquationKind, Expr, ExprKind, Flat, Function, IteratorId, Printer, Scalar, Size, Subscript,
    Type, types::sizes_fit,
};
use rhei_source::Violation;
use std::collections::HashSet;

impl Flat {
    /// The first invariant of the module's list that does not hold.
    pub fn verify(&self) -> Result<(), Violation> {
        let mut names = HashSet::new();
        let mut checker = Checker { flat: self, bound: Vec::new() };
        for variable in &self.variables {
            let name = variable.name.to_string();
            if !names.insert(name.clone()) {
                return Err(Violation(format!("{name} is there twice")));
            }
            let dimensions: usize = variable.name.parts.iter().map(|part| part.dimensions).sum();
            if dimensions != variable.ty.dimensions() || variable.ty.known_sizes().is_none() {
                return Err(Violation(format!(
                    "{name} has {dimensions} dimensions in its name, not those of its type"
                )));
            }
            let values = variable.attributes.expressions().map(|(_, e)| e).chain(&variable.binding);
            for e in values {
                checker.expression(e)?;
                if !e.ty.is_scalar() && !e.ty.same_sizes(&variable.ty) {
                    let (text, ty) = (checker.text(e), self.tables.type_name(&e.ty));
                    return Err(Violation(format!("{name} has the value {text}, which is {ty}")));
                }
            }
        }
        self.equations.iter().chain(&self.initial).try_for_each(|equation| checker.equation(equation))?;
        self.tables.functions.iter().try_for_each(closed)
    }
}

struct Checker<'a> {
    flat: &'a Flat,
    /// The iterators of the loops around.
    bound: Vec<IteratorId>,
}

impl Checker<'_> {
    fn text(&self, e: &Expr) -> String {
        Printer::new(&self.flat.variables, &self.flat.tables).expression(e)
    }

    fn equation(&mut self, equation: &Equation) -> Result<(), Violation> {
        match &equation.kind {
            EquationKind::Equal(lhs, rhs) => {
                self.expression(lhs)?;
                self.expression(rhs)?;
                if !lhs.ty.same_sizes(&rhs.ty) || lhs.ty.scalar.joined(rhs.ty.scalar).is_none() {
                    let types = [lhs, rhs].map(|side| self.flat.tables.type_name(&side.ty));
                    let (lhs, rhs) = (self.text(lhs), self.text(rhs));
                    return Err(Violation(format!(
                        "{lhs} = {rhs} has sides of type {} and {}",
                        types[0], types[1]
                    )));
                }
                Ok(())
            }
            EquationKind::Results(results, call) => {
                results.iter().flatten().chain([call]).try_for_each(|e| self.expression(e))
            }
            EquationKind::Call(call) => self.expression(call),
            EquationKind::For(iteration, body) => {
                self.expression(&iteration.range)?;
                self.bound.push(iteration.iterator);
                body.iter().try_for_each(|equation| self.equation(equation))?;
                self.bound.pop();
                Ok(())
            }
            EquationKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    self.expression(condition)?;
                    body.iter().try_for_each(|equation| self.equation(equation))?;
                }
                otherwise.iter().try_for_each(|equation| self.equation(equation))
            }
            EquationKind::When(branches) => branches.iter().try_for_each(|branch| {
                self.expression(&branch.condition)?;
                branch.equations.iter().try_for_each(|equation| self.equation(equation))
            }),
        }
    }

    fn expression(&mut self, e: &Expr) -> Result<(), Violation> {
        if let ExprKind::Comprehension(body, iterations) | ExprKind::Reduction(_, body, iterations) = &e.kind
        {
            for iteration in iterations {
                self.expression(&iteration.range)?;
                self.bound.push(iteration.iterator);
            }
            self.expression(body)?;
            self.bound.truncate(self.bound.len() - iterations.len());
            return Ok(());
        }
        e.parts().into_iter().try_for_each(|part| self.expression(part))?;
        let wrong = |what: &str| {
            let ty = self.flat.tables.type_name(&e.ty);
            Err(Violation(format!("{} of type {ty}: {what}", self.text(e))))
        };
        match &e.kind {
            ExprKind::Variable(v, subscripts) => {
                let Some(variable) = self.flat.variables.get(v.index()) else {
                    return Err(Violation(format!("variable {} is not there", v.0)));
                };
                if !subscripts.is_empty() && subscripts.len() != variable.ty.dimensions() {
                    return wrong("not one subscript per dimension");
                }
                let ty = subscripted(&variable.ty, subscripts);
                if e.ty.scalar != ty.scalar || !e.ty.same_sizes(&ty) {
                    return wrong("not the type of the variable");
                }
                Ok(())
            }
            ExprKind::Iterator(id) if !self.bound.contains(id) => wrong("outside its loop"),
            ExprKind::Negate(a) if !a.ty.same_sizes(&e.ty) => wrong("not the type of its operand"),
            ExprKind::Not(a) if !a.ty.same_sizes(&e.ty) || e.ty.scalar != Scalar::Boolean => {
                wrong("not Boolean")
            }
            ExprKind::Arithmetic(_, a, b) | ExprKind::Logic(_, a, b) if !elementwise(&e.ty, &a.ty, &b.ty) => {
                wrong("sizes do not go together")
            }
            ExprKind::Relation(_, a, b) if !a.ty.is_scalar() || !b.ty.is_scalar() => wrong("arrays compared"),
            ExprKind::If(c, a, b) if c.ty != Type::scalar(Scalar::Boolean) || !a.ty.same_sizes(&b.ty) => {
                wrong("branches or condition do not go together")
            }
            ExprKind::Array(elements) => {
                let fits = |element: &Expr| sizes_fit(&element.ty.sizes, &e.ty.sizes[1..]);
                if !e.ty.sizes[0].fits(Size::Known(elements.len())) || !elements.iter().all(fits) {
                    return wrong("elements of other sizes");
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// A function must not know the model.
fn closed(function: &Function) -> Result<(), Violation> {
    let mut is_closed = true;
    function.walk_expressions(&mut |e| {
        e.walk(&mut |part| is_closed &= !matches!(part.kind, ExprKind::Variable(..) | ExprKind::Time));
    });
    if is_closed {
        return Ok(());
    }
    Err(Violation(format!("the function {} speaks of variables of the model", function.name)))
}

/// The type of a variable of type `ty` with these subscripts.
fn subscripted(ty: &Type, subscripts: &[Subscript]) -> Type {
    if subscripts.is_empty() {
        return ty.clone();
    }
    let sizes = ty.sizes.iter().zip(subscripts).flat_map(|(size, subscript)| match subscript {
        Subscript::Whole => vec![*size],
        Subscript::Index(e) => e.ty.sizes.clone(),
    });
    Type::array(ty.scalar, sizes.collect())
}

fn elementwise(result: &Type, a: &Type, b: &Type) -> bool {
    let fits = |operand: &Type| operand.is_scalar() || operand.same_sizes(result);
    fits(a) && fits(b) && (result.is_scalar() || !a.is_scalar() || !b.is_scalar())
}
