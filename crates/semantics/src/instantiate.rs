//! A class becomes an instance: declarations first, then what is said about them.

use rhei_flat::{Equation, EquationKind, Expr, ExprKind, Name, Scalar, Type, VarId, Variability, Variable};
use rhei_source::{Diagnostic, Span, nearest_name};
use rhei_syntax::ast;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::Instance;
use crate::attributes::attributes;
use crate::evaluate_sizes::evaluate_size;
use crate::experiment::experiment;
use crate::mistake::Mistake;
use crate::scope::Scope;
use crate::typing::Typing;

/// The instance of a class; `None` means that the diagnostics hold an error.
pub fn instantiate(class: ast::ClassDefinition<'_>) -> (Option<Instance>, Vec<Diagnostic>) {
    let name = class.name().map_or(SmolStr::default(), |name| SmolStr::from(name.ident()));
    let mut pass = Pass { scope: Scope::new(name.clone()), declared: Vec::new(), mistakes: Vec::new() };
    pass.refuse_kind(class);
    pass.declare(class);
    pass.give_sizes();
    pass.bind();
    let (equations, initial) = pass.equations(class);
    let experiment = experiment(class, Typing { scope: &pass.scope }, &mut pass.mistakes);

    let diagnostics: Vec<Diagnostic> =
        pass.mistakes.into_iter().filter_map(Mistake::into_diagnostic).collect();
    let description = class.description().map_or(SmolStr::default(), |text| text.value().into());
    let instance = Instance {
        class: name,
        description,
        components: pass.scope.variables,
        equations,
        initial,
        experiment,
    };
    let refused = diagnostics.iter().any(Diagnostic::is_error);
    ((!refused).then_some(instance), diagnostics)
}

/// A component as it is written.
struct Declared<'t> {
    variable: VarId,
    clause: ast::ComponentClause<'t>,
    component: ast::Component<'t>,
}

struct Pass<'t> {
    scope: Scope,
    declared: Vec<Declared<'t>>,
    mistakes: Vec<Mistake>,
}

impl<'t> Pass<'t> {
    fn refuse(&mut self, construct: &str, span: Span) {
        self.mistakes.push(Mistake::not_supported(construct, span));
    }

    fn refuse_kind(&mut self, class: ast::ClassDefinition<'t>) {
        use ast::ClassKind as K;
        let span = class.name().map_or(class.span(), |name| name.span());
        if !matches!(class.kind(), K::Model | K::Block | K::Class) {
            self.refuse("simulating something else than a model or block", span);
        } else if class.is_partial() {
            self.refuse("simulating a partial class", span);
        } else if !matches!(class.specifier(), Some(ast::ClassSpecifier::Body(body)) if !body.is_extends()) {
            self.refuse("a class that is defined by another one", span);
        }
    }

    /// All names with their types, so far as scalars.
    fn declare(&mut self, class: ast::ClassDefinition<'t>) {
        let mut first: FxHashMap<SmolStr, Span> = FxHashMap::default();
        for element in class.elements() {
            match element {
                ast::Element::Component(clause) => self.declare_clause(clause, &mut first),
                ast::Element::Import(import) => self.refuse("`import`", import.span()),
                ast::Element::Extends(extends) => self.refuse("`extends`", extends.span()),
                ast::Element::Class(class) => {
                    self.refuse("a class inside a class", class.name().map_or(class.span(), |n| n.span()))
                }
            }
        }
    }

    fn declare_clause(&mut self, clause: ast::ComponentClause<'t>, first: &mut FxHashMap<SmolStr, Span>) {
        let Some(type_name) = clause.type_name() else { return };
        let refused = [
            (clause.is_inner() || clause.is_outer(), "`inner` or `outer`"),
            (clause.is_replaceable() || clause.is_redeclare(), "`replaceable` or `redeclare`"),
            (clause.connection_prefix().is_some(), "`flow` or `stream`"),
            (clause.causality() == Some(ast::Causality::Input), "an input of the model"),
            (clause.variability() == Some(ast::Variability::Discrete), "`discrete`"),
        ];
        for (_, construct) in refused.into_iter().filter(|(found, _)| *found) {
            self.refuse(construct, clause.span());
        }
        let Some(scalar) = self.builtin_type(type_name) else { return };
        for component in clause.components() {
            let Some(name) = component.name() else { continue };
            let ident = SmolStr::from(name.ident());
            if let Some(&first) = first.get(&ident) {
                self.mistakes.push(Mistake::DuplicateName {
                    name: ident.to_string(),
                    first,
                    again: name.span(),
                });
                continue;
            }
            first.insert(ident.clone(), name.span());
            if let Some(condition) = component.condition() {
                self.refuse("a conditional component", condition.span());
            }
            let variability = match clause.variability() {
                Some(ast::Variability::Constant) => Variability::Constant,
                Some(ast::Variability::Parameter) => Variability::Parameter,
                Some(ast::Variability::Discrete) => Variability::Discrete,
                None if scalar == Scalar::Real => Variability::Continuous,
                None => Variability::Discrete,
            };
            if variability == Variability::Discrete && clause.variability().is_none() {
                self.refuse(&format!("a variable of type {} (an event)", scalar.name()), name.span());
            }
            let variable = Variable {
                name: Name::simple(ident.clone(), 0),
                ty: Type::scalar(scalar),
                variability,
                structural: false,
                attributes: rhei_flat::Attributes::default(),
                binding: None,
                description: component.description().map_or(SmolStr::default(), |text| text.value().into()),
                span: name.span(),
            };
            let variable = self.scope.declare(ident, variable);
            self.declared.push(Declared { variable, clause, component });
        }
    }

    fn builtin_type(&mut self, name: ast::Name<'t>) -> Option<Scalar> {
        const ALL: [Scalar; 4] = [Scalar::Real, Scalar::Integer, Scalar::Boolean, Scalar::String];
        let written = name.to_string();
        let found = ALL.into_iter().find(|scalar| scalar.name() == written);
        if found.is_none() {
            let mistake = if name.as_ident().is_some() {
                let near = nearest_name(&written, ALL.map(Scalar::name)).map(str::to_owned);
                Mistake::UnknownType { name: written, near, span: name.span() }
            } else {
                Mistake::not_supported(format!("the type `{written}` of a library"), name.span())
            };
            self.mistakes.push(mistake);
        }
        found
    }

    /// Bindings of whole-number constants and parameters, then the sizes that follow from them.
    fn give_sizes(&mut self) {
        for i in 0..self.declared.len() {
            let Declared { variable, component, .. } = self.declared[i];
            let declared = self.scope.variable(variable);
            let may_size =
                declared.ty.scalar == Scalar::Integer && declared.variability <= Variability::Parameter;
            if may_size && let Some(value) = component.modification().and_then(|m| m.value()) {
                // a mistake in it is told when all bindings are typed
                let binding = Typing { scope: &self.scope }.expression(value).ok();
                self.scope.variables[variable.index()].binding =
                    binding.filter(|binding| binding.ty.is_scalar());
            }
        }
        for i in 0..self.declared.len() {
            let Declared { variable, clause, component } = self.declared[i];
            let written = component.subscripts().into_iter().chain(clause.subscripts());
            let mut sizes = Vec::new();
            for subscript in written.flat_map(|subscripts| subscripts.subscripts()) {
                match self.size(subscript) {
                    Ok(size) => sizes.push(size),
                    Err(mistake) => self.mistakes.push(mistake),
                }
            }
            let declared = &mut self.scope.variables[variable.index()];
            declared.name.parts[0].dimensions = sizes.len();
            declared.ty.sizes = sizes;
        }
    }

    fn size(&mut self, subscript: ast::Subscript<'t>) -> Result<usize, Mistake> {
        let ast::Subscript::Index(e) = subscript else {
            return Err(Mistake::not_supported("a size left open", subscript.span()));
        };
        let e = Typing { scope: &self.scope }.expression(e)?;
        if e.ty != Type::scalar(Scalar::Integer) {
            let (found, span) = (e.ty, e.span);
            return Err(Mistake::TypeMismatch {
                what: "a size".into(),
                wanted: "Integer".into(),
                found,
                span,
            });
        }
        let size = evaluate_size(&e, &self.scope)?;
        self.mark_structural(&e);
        Ok(size)
    }

    /// Parameters whose value was used can no longer be changed.
    fn mark_structural(&mut self, e: &Expr) {
        let mut open = vec![e.clone()];
        while let Some(e) = open.pop() {
            e.walk(&mut |part| {
                if let ExprKind::Variable(v, _) = part.kind
                    && !std::mem::replace(&mut self.scope.variables[v.index()].structural, true)
                {
                    open.extend(self.scope.variables[v.index()].binding.clone());
                }
            });
        }
    }

    /// Attributes and bindings of all components.
    fn bind(&mut self) {
        for i in 0..self.declared.len() {
            let Declared { variable, component, .. } = self.declared[i];
            let Some(modification) = component.modification() else { continue };
            let typing = Typing { scope: &self.scope };
            let declared = self.scope.variable(variable);
            let found = attributes(typing, &declared.ty, modification.arguments(), &mut self.mistakes);
            let binding = modification.value().map(|value| binding(typing, declared, value));
            let declared = &mut self.scope.variables[variable.index()];
            declared.attributes = found;
            match binding {
                Some(Ok(binding)) => declared.binding = Some(binding),
                Some(Err(mistake)) => self.mistakes.push(mistake),
                None => {}
            }
        }
    }

    fn equations(&mut self, class: ast::ClassDefinition<'t>) -> (Vec<Equation>, Vec<Equation>) {
        let (mut equations, mut initial) = (Vec::new(), Vec::new());
        for section in class.sections() {
            match section {
                ast::Section::Elements(_) => {}
                ast::Section::Equations(section) => {
                    let typed = section.equations().filter_map(|equation| self.equation(equation));
                    if section.is_initial() { initial.extend(typed) } else { equations.extend(typed) }
                }
                ast::Section::Algorithm(section) => self.refuse("an algorithm section", section.span()),
                ast::Section::External(section) => self.refuse("an external function", section.span()),
            }
        }
        (equations, initial)
    }

    fn equation(&mut self, equation: ast::Equation<'t>) -> Option<Equation> {
        let refused = match equation {
            ast::Equation::Simple(simple) => match equal(Typing { scope: &self.scope }, simple) {
                Ok(equation) => return Some(equation),
                Err(mistake) => mistake,
            },
            ast::Equation::Call(call) => {
                let name =
                    call.call().and_then(|call| call.function()).map_or(String::new(), |f| f.to_string());
                Mistake::not_supported(format!("`{name}` as an equation"), call.span())
            }
            ast::Equation::If(e) => Mistake::not_supported("an if-equation", e.span()),
            ast::Equation::For(e) => Mistake::not_supported("a for-equation", e.span()),
            ast::Equation::When(e) => Mistake::not_supported("a when-equation", e.span()),
            ast::Equation::Connect(e) => Mistake::not_supported("`connect`", e.span()),
        };
        self.mistakes.push(refused);
        None
    }
}

/// The value a variable is declared with.
fn binding(typing: Typing<'_>, declared: &Variable, value: ast::Expression<'_>) -> Result<Expr, Mistake> {
    let value = typing.expression(value)?;
    let what = format!("the value of `{}`", declared.name);
    if !declared.ty.scalar.accepts(value.ty.scalar) {
        let (wanted, found) = (declared.ty.scalar.name().into(), value.ty);
        return Err(Mistake::TypeMismatch { what, wanted, found, span: value.span });
    }
    if declared.ty.sizes != value.ty.sizes {
        return Err(Mistake::WrongSizes {
            what,
            wanted: declared.ty.sizes.clone(),
            found: value.ty,
            span: value.span,
        });
    }
    if declared.variability <= Variability::Parameter {
        typing.at_most(declared.variability, &what, &value)?;
    }
    Ok(value)
}

/// `left = right`
fn equal(typing: Typing<'_>, equation: ast::SimpleEquation<'_>) -> Result<Equation, Mistake> {
    let (left, right) = (typing.maybe(equation.left())?, typing.maybe(equation.right())?);
    let joined = left.ty.scalar.joined(right.ty.scalar);
    if joined.is_none() || left.ty.sizes != right.ty.sizes {
        return Err(Mistake::Incompatible {
            what: "the sides of the equation".into(),
            left: left.ty,
            left_span: left.span,
            right: right.ty,
            right_span: right.span,
        });
    }
    Ok(Equation {
        kind: EquationKind::Equal(left, right),
        component: SmolStr::default(),
        span: equation.span(),
    })
}
