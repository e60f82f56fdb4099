//! Functions as arguments of functions (MLS §12.4.2): their types, compatibility, and calls through them.

use rhei_flat::{Expr, ExprKind, FunctionId, Local, LocalId, Scalar, Type};
use rhei_source::nearest_name;
use rhei_syntax::ast::{self, ClassKind};

use super::calls::Arguments;
use super::{Typed, Typing};
use crate::mistake::Mistake;

/// Signature of a function without the inputs that are given already.
struct Signature {
    name: String,
    inputs: Vec<Local>,
    outputs: Vec<Local>,
    is_impure: bool,
}

impl<'l> Typing<'_, 'l> {
    /// An argument: where a function is wanted, the name of one stands for it.
    pub(crate) fn argument(&mut self, e: ast::Expression<'l>, is_function: bool) -> Typed {
        let ast::Expression::Reference(reference) = e else { return self.expression(e) };
        if !is_function || self.is_local(reference) {
            return self.expression(e);
        }
        let Some(class) = self.context.lookup_reference_class(reference, self.scope) else {
            return self.expression(e);
        };
        let span = e.span();
        let name = reference.to_string();
        if !matches!(self.context.class(class).kind(), ClassKind::Function | ClassKind::OperatorFunction) {
            return Err(Mistake::NotAFunction { name, span });
        }
        if self.context.class(class).text().is_some_and(|text| text.is_partial()) {
            return Err(Mistake::PartialClass { name, span });
        }
        let id = self.context.function_of(class)?;
        Ok(Expr { kind: ExprKind::Function(id, Vec::new()), ty: Type::scalar(Scalar::Function), span })
    }

    /// `function f(a = 1)` (MLS §12.4.2.1), of a function by its name or of one that is an input itself.
    pub(super) fn function_argument(&mut self, function: ast::FunctionPartialApplication<'l>) -> Typed {
        let span = function.span();
        let name = function.function().ok_or(Mistake::Incomplete)?;
        let text = name.to_string();
        let component =
            self.around.locals.iter().find(|(local, _, ty)| *local == *text && ty.scalar == Scalar::Function);
        let kind = match component.map(|(_, local, _)| *local) {
            Some(local) => {
                let declared = self.declared_function(local).ok_or(Mistake::Incomplete)?;
                ExprKind::FunctionOfLocal(local, self.given_inputs(declared, &text, function)?)
            }
            None => {
                let class = self.context.lookup_class(name, Some(self.scope))?;
                if !matches!(
                    self.context.class(class).kind(),
                    ClassKind::Function | ClassKind::OperatorFunction
                ) {
                    return Err(Mistake::NotAFunction { name: text, span: name.span() });
                }
                if self.context.class(class).text().is_some_and(|text| text.is_partial()) {
                    return Err(Mistake::PartialClass { name: text, span: name.span() });
                }
                let id = self.context.function_of(class)?;
                ExprKind::Function(id, self.given_inputs(id, &text, function)?)
            }
        };
        Ok(Expr { kind, ty: Type::scalar(Scalar::Function), span })
    }

    /// The inputs that a partial application gives, by their places.
    fn given_inputs(
        &mut self,
        id: FunctionId,
        name: &str,
        function: ast::FunctionPartialApplication<'l>,
    ) -> Result<Vec<(u32, Expr)>, Mistake> {
        let inputs: Vec<(LocalId, Local)> =
            self.context.tables.function(id).inputs().map(|(id, local)| (id, local.clone())).collect();
        let mut given: Vec<(u32, Expr)> = Vec::new();
        for argument in function.named() {
            let ident = argument.name().ok_or(Mistake::Incomplete)?;
            let (text, span) = (ident.ident(), ident.span());
            let Some(place) = inputs.iter().position(|(_, input)| input.name == *text) else {
                let near = nearest_name(&text, inputs.iter().map(|(_, input)| input.name.as_str()));
                let near = near.map(str::to_owned);
                let (argument, function) = (text.into_owned(), name.to_owned());
                return Err(Mistake::UnknownArgument { argument, function, near, span });
            };
            if given.iter().any(|(taken, _)| *taken == place as u32) {
                let (argument, function) = (text.into_owned(), name.to_owned());
                return Err(Mistake::ArgumentTwice { argument, function, span });
            }
            let (input, local) = &inputs[place];
            let value = argument.value().ok_or(Mistake::Incomplete)?;
            let value = self.argument(value, local.ty.scalar == Scalar::Function)?;
            self.check(&format!("`{text}` of `{name}`"), &local.ty, &value)?;
            self.check_function(id, *input, &local.name, &value)?;
            given.push((place as u32, value));
        }
        Ok(given)
    }

    /// The function that an input of the function around is declared as.
    fn declared_function(&self, local: LocalId) -> Option<FunctionId> {
        self.context.functional_inputs.get(&(self.around.function?, local)).copied()
    }

    /// A call through an input, with the inputs that its type declares.
    pub(super) fn call_local(&mut self, local: LocalId, arguments: Arguments<'l>) -> Typed {
        let declared = self.declared_function(local).ok_or(Mistake::Incomplete)?;
        let given = self.match_arguments(declared, &arguments)?;
        let call = self.apply(declared, given, arguments.span)?;
        Ok(through_local(call, declared, local))
    }

    /// Whether the function that is given fits the input `input` of `taker`, where that is of function type.
    pub(super) fn check_function(
        &mut self,
        taker: FunctionId,
        input: LocalId,
        name: &str,
        value: &Expr,
    ) -> Result<(), Mistake> {
        let Some(&declared) = self.context.functional_inputs.get(&(taker, input)) else { return Ok(()) };
        let Some(given) = self.signature(value) else { return Ok(()) };
        let wanted = self.without(declared, &[]);
        match self.misfit(&given, &wanted) {
            None => Ok(()),
            Some(why) => {
                let taker = self.context.tables.function(taker).name.clone();
                let input = format!("the input `{name}` of `{taker}`");
                Err(Mistake::FunctionMismatch { given: given.name, input, why, span: value.span })
            }
        }
    }

    /// Signature of the function behind a value.
    fn signature(&self, value: &Expr) -> Option<Signature> {
        let places = |given: &[(u32, Expr)]| given.iter().map(|(place, _)| *place).collect::<Vec<u32>>();
        match &value.kind {
            ExprKind::Function(id, given) => Some(self.without(*id, &places(given))),
            ExprKind::Local(local) => Some(self.without(self.declared_function(*local)?, &[])),
            ExprKind::FunctionOfLocal(local, given) => {
                Some(self.without(self.declared_function(*local)?, &places(given)))
            }
            _ => None,
        }
    }

    fn without(&self, id: FunctionId, given: &[u32]) -> Signature {
        let function = self.context.tables.function(id);
        let free = function.inputs().enumerate().filter(|(place, _)| !given.contains(&(*place as u32)));
        Signature {
            name: function.name.to_string(),
            inputs: free.map(|(_, (_, local))| local.clone()).collect(),
            outputs: function.outputs().map(|(_, local)| local.clone()).collect(),
            is_impure: self.context.declared_impure.contains(&id),
        }
    }

    /// Why a function cannot be called as another one is (MLS §6.5). Names may differ: calls go by places.
    fn misfit(&self, given: &Signature, wanted: &Signature) -> Option<String> {
        for (place, input) in wanted.inputs.iter().enumerate() {
            let Some(own) = given.inputs.get(place) else {
                return Some(format!("it has no input for `{}`", input.name));
            };
            // the values that come are those of the declared input
            if let Some(why) = self.differs("input", own, &own.ty, &input.ty) {
                return Some(why);
            }
            if input.binding.is_some() && own.binding.is_none() {
                return Some(format!("its input `{}` has no default", own.name));
            }
        }
        if let Some(extra) = given.inputs[wanted.inputs.len()..].iter().find(|own| own.binding.is_none()) {
            return Some(format!("nothing is given for its input `{}`, which has no default", extra.name));
        }
        for (place, output) in wanted.outputs.iter().enumerate() {
            let Some(own) = given.outputs.get(place) else {
                return Some(format!("it has no output for `{}`", output.name));
            };
            if let Some(why) = self.differs("output", own, &output.ty, &own.ty) {
                return Some(why);
            }
        }
        (given.is_impure && !wanted.is_impure).then(|| format!("it is impure, and `{}` is not", wanted.name))
    }

    /// Whether a value of type `from` cannot go where one of type `to` is wanted.
    fn differs(&self, what: &str, own: &Local, to: &Type, from: &Type) -> Option<String> {
        if self.context.accepts(to.scalar, from.scalar) && to.same_sizes(from) {
            return None;
        }
        let (is, wanted) = if own.ty == *to { (to, from) } else { (from, to) };
        let (is, wanted) = (self.context.type_name(is), self.context.type_name(wanted));
        Some(format!("its {what} `{}` is {is}, and {wanted} is wanted", own.name))
    }
}

/// A call of the declared function as a call of the function that the input holds.
fn through_local(call: Expr, declared: FunctionId, local: LocalId) -> Expr {
    let Expr { kind, ty, span } = call;
    let kind = match kind {
        ExprKind::Apply(id, values) if id == declared => ExprKind::ApplyLocal(local, values),
        ExprKind::Comprehension(body, iterations) => {
            ExprKind::Comprehension(Box::new(through_local(*body, declared, local)), iterations)
        }
        other => other,
    };
    Expr { kind, ty, span }
}
