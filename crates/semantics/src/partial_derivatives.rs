//! `function g = der(f, x, y)`: functions that are partial derivatives of others (MLS §12.7.2).
//!
//! Calls of such a function need its inputs and outputs only. Its body is made when all functions around have theirs: a
//! function may call the derivative of another that is still being read.

use rhei_flat::{Function, FunctionId, Inline, LocalId, LocalKind, NotDifferentiable, Scalar, Type};
use rhei_source::{Span, nearest_name};
use rhei_syntax::ast;

use crate::class::ClassNodeId;
use crate::context::Context;
use crate::mistake::Mistake;

/// A function whose body is still to be made.
#[derive(Clone, Debug)]
pub(crate) struct PartialDerivative {
    /// The function itself.
    function: FunctionId,
    /// The differentiated function.
    of: FunctionId,
    /// By which of its inputs, in order.
    inputs: Vec<LocalId>,
    span: Span,
}

impl<'l> Context<'l> {
    /// The function that a class of this form is, its body left for later.
    pub(crate) fn partial_derivative(
        &mut self,
        class: ClassNodeId,
        der: ast::DerClass<'l>,
    ) -> Result<FunctionId, Mistake> {
        let name = der.function().ok_or(Mistake::Incomplete)?;
        let scope = self.class(class).scope;
        let base = self.lookup_class(name, scope)?;
        if !matches!(self.class(base).kind(), ast::ClassKind::Function | ast::ClassKind::OperatorFunction) {
            return Err(Mistake::NotAFunction { name: name.to_string(), span: name.span() });
        }
        let of = self.function_of(base)?;
        let mut inputs = Vec::new();
        for input in der.inputs() {
            inputs.push(self.differentiated_input(of, &input.ident(), input.span())?);
        }
        let span = der.span();
        let function = FunctionId(self.tables.functions.len() as u32);
        let shell = self.shell_of_derivative(class, of, span);
        self.tables.functions.push(shell);
        self.class_mut(class).particulars_mut().function = Some(function);
        self.derivatives.unfinished.push(function);
        self.partial_derivatives.push(PartialDerivative { function, of, inputs, span });
        self.make_partial_derivatives();
        Ok(function)
    }

    /// Each input must be a scalar Real.
    fn differentiated_input(&self, of: FunctionId, name: &str, span: Span) -> Result<LocalId, Mistake> {
        let function = self.tables.function(of);
        let Some((id, input)) = function.inputs().find(|(_, input)| input.name == name) else {
            let near = nearest_name(name, function.inputs().map(|(_, input)| input.name.as_str()));
            let near = near.map(str::to_owned);
            let (argument, function) = (name.to_owned(), function.name.to_string());
            return Err(Mistake::UnknownArgument { argument, function, near, span });
        };
        if input.ty != Type::scalar(Scalar::Real) {
            let what = format!("the input `{name}` of `{}` to differentiate by", function.name);
            let found = self.type_name(&input.ty);
            return Err(Mistake::TypeMismatch { what, wanted: "Real".into(), found, span });
        }
        Ok(id)
    }

    /// Inputs and outputs of a derivative before it has a body.
    fn shell_of_derivative(&self, class: ClassNodeId, of: FunctionId, span: Span) -> Function {
        let base = self.tables.function(of);
        let mut locals = base.locals.clone();
        for local in &mut locals {
            if local.kind == LocalKind::Output && !self.tables.holds_reals(&local.ty) {
                local.kind = LocalKind::Protected;
            }
        }
        Function {
            name: self.class_name(class).into(),
            locals,
            body: Vec::new(),
            external: None,
            is_impure: base.is_impure,
            says_impure: base.says_impure,
            inline: Inline::Unsaid,
            generate_events: false,
            smooth_order: None,
            derivatives: Vec::new(),
            inverses: Vec::new(),
            span,
        }
    }

    /// The bodies of all partial derivatives, once no function is being read any more. One that calls another waits for
    /// it; those that are left in the end wait for themselves.
    pub(crate) fn make_partial_derivatives(&mut self) {
        if self.reading_functions > 0 {
            return;
        }
        let mut waiting = std::mem::take(&mut self.partial_derivatives);
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut refused = Vec::new();
            for partial in waiting {
                if let Err(why) = self.make_partial_derivative(&partial) {
                    refused.push((partial, why));
                }
            }
            if refused.len() == before {
                for (partial, why) in refused {
                    self.refuse_partial_derivative(&partial, why);
                }
                return;
            }
            waiting = refused.into_iter().map(|(partial, _)| partial).collect();
        }
    }

    fn make_partial_derivative(&mut self, partial: &PartialDerivative) -> Result<(), NotDifferentiable> {
        let name = self.tables.function(partial.function).name.clone();
        let made =
            self.derivatives.partial(&mut self.tables, partial.of, &partial.inputs, name, partial.span)?;
        self.tables.functions[partial.function.0 as usize] = made;
        self.derivatives.unfinished.retain(|id| *id != partial.function);
        Ok(())
    }

    fn refuse_partial_derivative(&mut self, partial: &PartialDerivative, why: NotDifferentiable) {
        let function = self.tables.function(partial.of).name.to_string();
        let (what, place, span) = (why.what, why.span, partial.span);
        self.mistake(Mistake::NotDifferentiable { function, what, place, span });
    }
}
