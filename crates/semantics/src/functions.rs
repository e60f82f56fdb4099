//! Functions: classes of that kind with their components, statements and annotations (MLS §12).

use rhei_elementary::Elementary;
use rhei_flat::{
    Builtin, Derivative, Expr, ExprKind, External, Function, FunctionId, Inline, Inverse, Local, LocalId,
    LocalKind, RecordId, Scalar, Size, Statement, StatementKind, Type,
};
use rhei_source::Span;
use rhei_syntax::ast;
use smol_str::SmolStr;

use crate::class::ClassNodeId;
use crate::context::Context;
use crate::function_rules::break_outside_loop;
use crate::mistake::Mistake;
use crate::modifiers::{Modifier, ModifierValue};
use crate::shape::{Element, ElementKind};
use crate::typing::{Surroundings, Typing};

/// A component of a function while it is made.
struct Declared<'l> {
    name: SmolStr,
    /// The class in whose names it is written.
    scope: ClassNodeId,
    clause: ast::ComponentClause<'l>,
    component: ast::Component<'l>,
    class: ClassNodeId,
    value: Option<ModifierValue<'l>>,
}

impl<'l> Context<'l> {
    /// The function of the language that a class only gives another name.
    pub(crate) fn builtin_behind(&mut self, class: ClassNodeId) -> Option<Builtin> {
        let (external, _) = self.external_clause(class)?;
        if external.language().as_deref() != Some("builtin") {
            return None;
        }
        let name = match external.function() {
            Some(name) => name.ident().into_owned(),
            None => self.class(class).name.to_string(),
        };
        Builtin::named(&name)
    }

    /// The `external` clause of a class or of one it extends, with the class it stands in.
    fn external_clause(&mut self, class: ClassNodeId) -> Option<(ast::ExternalClause<'l>, ClassNodeId)> {
        let own = self.class(class).text().and_then(|text| text.body()).and_then(|body| body.external());
        if let Some(external) = own {
            return Some((external, class));
        }
        self.elements(class).bases().find_map(|base| self.external_clause(base))
    }

    /// A class as a function.
    pub(crate) fn function_of(&mut self, class: ClassNodeId) -> Result<FunctionId, Mistake> {
        if let Some(known) = self.class(class).function() {
            return Ok(known);
        }
        let text = self.class(class).text();
        let span = text.and_then(|text| text.name()).map(|name| name.span());
        let (Some(text), Some(span)) = (text, span) else {
            let name = self.class_name(class);
            let span = self.root.map(|root| self.component(root).span);
            return Err(span.map_or(Mistake::Incomplete, |span| Mistake::NotAFunction { name, span }));
        };
        if let Some(ast::ClassSpecifier::Der(der)) = text.specifier() {
            return self.partial_derivative(class, der);
        }
        self.deeper_call(span, |context| context.made_function(class, span))
    }

    fn made_function(&mut self, class: ClassNodeId, span: Span) -> Result<FunctionId, Mistake> {
        let declared_impure = self.is_impure(class);
        // MLS §12.3: an external function that says nothing of itself is treated as impure
        let is_impure = declared_impure || (self.purity(class).is_none() && self.is_external(class));
        // known by its id before its body is read: functions may call themselves
        let id = FunctionId(self.tables.functions.len() as u32);
        self.tables.functions.push(Function {
            name: self.class_name(class).into(),
            locals: Vec::new(),
            body: Vec::new(),
            external: None,
            is_impure,
            says_impure: declared_impure,
            inline: Inline::Unsaid,
            generate_events: false,
            smooth_order: None,
            derivatives: Vec::new(),
            inverses: Vec::new(),
            span,
        });
        self.class_mut(class).particulars_mut().function = Some(id);
        if declared_impure {
            self.declared_impure.insert(id);
            self.refuse_undeclared_impurity(class);
        }

        self.reading_functions += 1;
        let said = self.mistakes.len();
        let read = self.read_function(class, id);
        if self.mistakes.len() > said {
            self.broken_functions.insert(id);
        }
        self.reading_functions -= 1;
        self.make_partial_derivatives();
        read.map(|()| id)
    }

    fn read_function(&mut self, class: ClassNodeId, id: FunctionId) -> Result<(), Mistake> {
        let declared = self.function_components(class);
        let around = self.declare_locals(class, id, &declared)?;
        self.type_locals(id, &declared, &around);
        if let Some((external, scope)) = self.external_clause(class) {
            self.type_external(id, external, scope, &around);
        } else {
            let body = self.function_body(class, &around);
            self.tables.functions[id.0 as usize].body.extend(body); // after the first values of records
        }
        self.function_annotations(class, id);
        Ok(())
    }

    /// Whether a function says that it is impure, or extends one that does.
    fn is_impure(&mut self, class: ClassNodeId) -> bool {
        self.purity(class) == Some(ast::Purity::Impure)
    }

    /// Declared purity of a function, or of one that it extends.
    fn purity(&mut self, class: ClassNodeId) -> Option<ast::Purity> {
        let own = self.class(class).text().and_then(|text| text.purity());
        own.or_else(|| self.elements(class).bases().find_map(|base| self.purity(base)))
    }

    fn is_external(&mut self, class: ClassNodeId) -> bool {
        let Some((clause, scope)) = self.external_clause(class) else { return false };
        clause.language().as_deref() != Some("builtin") && self.c_mathematics(clause, scope).is_none()
    }

    /// The function of C's `math.h` that a clause stands for (MLS §12.9): one that is in no other library, and has no code of its own.
    fn c_mathematics(&self, clause: ast::ExternalClause<'l>, scope: ClassNodeId) -> Option<Elementary> {
        let language = clause.language();
        let version = language.as_deref().unwrap_or("C").strip_prefix('C')?;
        if !version.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let is_said = |name: &str, text: &str| {
            let said = clause.annotation().and_then(|annotation| annotation.find(name));
            said.is_none_or(|said| match said.modification().and_then(|said| said.value()) {
                Some(ast::Expression::String(value)) => value.value() == text,
                _ => false,
            })
        };
        let name = self.external_name(clause, scope);
        Elementary::named_in_c(&name)
            .filter(|_| is_said("Library", "m") && is_said("Include", "#include <math.h>"))
    }

    /// The name of the code: that of the class where the clause has none.
    fn external_name(&self, clause: ast::ExternalClause<'l>, scope: ClassNodeId) -> SmolStr {
        match clause.function() {
            Some(name) => SmolStr::from(name.ident()),
            None => self.class(scope).name.clone(),
        }
    }

    /// A function with a body of its own that extends an impure one must say that it is impure (MLS §12.3); a short
    /// class is that function.
    fn refuse_undeclared_impurity(&mut self, class: ClassNodeId) {
        let Some(text) = self.class(class).text() else { return };
        if text.purity().is_some() || text.body().is_none() {
            return;
        }
        let bases = self.elements(class).bases().collect::<Vec<_>>();
        let Some(base) = bases.into_iter().find(|base| self.is_impure(*base)) else { return };
        let (function, base) = (self.class_name(class), self.class_name(base));
        let span = text.name().map_or(text.span(), |name| name.span());
        self.mistake(Mistake::ImpureBase { function, base, span });
    }

    fn function_components(&mut self, class: ClassNodeId) -> Vec<Declared<'l>> {
        let elements = self.elements(class);
        let mut declared = Vec::new();
        for (name, element) in elements.iter() {
            let ElementKind::Component { clause, component } = element.kind() else { continue };
            let modifier = self.class(element.owner).modifiers.get(name).cloned();
            let redeclared = modifier.as_ref().and_then(|modifier| modifier.redeclaration());
            let (clause, component, scope) = match redeclared {
                Some(crate::modifiers::Redeclaration::Component { clause, component, scope }) => {
                    (clause, component, scope)
                }
                _ => (clause, component, element.owner),
            };
            let Some(type_name) = clause.type_name() else { continue };
            let class = match self.lookup_class(type_name, Some(scope)) {
                Ok(class) => class,
                Err(mistake) => {
                    self.mistake(mistake);
                    continue;
                }
            };
            let own = component.modification().and_then(|m| m.value());
            let own =
                own.map(|expression| ModifierValue { expression, scope, each: false, each_level: None });
            let value = modifier.and_then(|modifier| modifier.value).or(own);
            declared.push(Declared { name: name.clone(), scope, clause, component, class, value });
        }
        declared
    }

    /// All components with their element types, so that they can refer to each other.
    fn declare_locals(
        &mut self,
        class: ClassNodeId,
        id: FunctionId,
        declared: &[Declared<'l>],
    ) -> Result<Surroundings, Mistake> {
        let is_pure = self.class(class).text().and_then(|text| text.purity()) == Some(ast::Purity::Pure);
        let mut around =
            Surroundings { in_function: true, function: Some(id), is_pure, ..Surroundings::default() };
        for (i, local) in declared.iter().enumerate() {
            let span = local.component.name().map_or(local.component.span(), |name| name.span());
            let is_function = matches!(self.class(local.class).kind(), ast::ClassKind::Function);
            let scalar = if is_function {
                Scalar::Function
            } else {
                match self.scalar_of(local.class) {
                    Some(scalar) => scalar,
                    None => match self.record_of(local.class) {
                        Some(record) => Scalar::Record(record),
                        None => {
                            let name = local.name.to_string();
                            return Err(Mistake::NotAValue { name, span });
                        }
                    },
                }
            };
            let written = self.local_subscripts(local);
            let sizes =
                vec![Size::Open; written.iter().map(|(subscripts, _)| subscripts.subscripts().count()).sum()];
            let kind = match local.clause.causality() {
                Some(ast::Causality::Input) => LocalKind::Input,
                Some(ast::Causality::Output) => LocalKind::Output,
                None => LocalKind::Protected,
            };
            let ty = Type::array(scalar, sizes);
            let place = LocalId(i as u32);
            if kind == LocalKind::Input || local.clause.variability() == Some(ast::Variability::Constant) {
                around.read_only.push(place);
            }
            let mut interface = None;
            if is_function {
                let declared = self.function_of(local.class)?;
                interface = Some(declared);
                self.functional_inputs.insert((id, place), declared);
            }
            around.locals.push((local.name.clone(), place, ty.clone()));
            let sizes = vec![None; ty.sizes.len()];
            let local = Local { name: local.name.clone(), ty, sizes, kind, binding: None, interface, span };
            self.tables.functions[id.0 as usize].locals.push(local);
        }
        Ok(around)
    }

    fn local_subscripts(&mut self, local: &Declared<'l>) -> Vec<(ast::ArraySubscripts<'l>, ClassNodeId)> {
        let own = local.component.subscripts().into_iter().chain(local.clause.subscripts());
        let own = own.map(|subscripts| (subscripts, local.scope));
        let of_type = self.elements(local.class).dimensions().collect::<Vec<_>>();
        own.chain(of_type).collect()
    }

    /// Sizes and first values, which may refer to other components.
    fn type_locals(&mut self, id: FunctionId, declared: &[Declared<'l>], around: &Surroundings) {
        let mut around = around.clone();
        for (i, local) in declared.iter().enumerate() {
            let mut sizes = Vec::new();
            let mut written_sizes = Vec::new();
            for (subscripts, scope) in self.local_subscripts(local) {
                for subscript in subscripts.subscripts() {
                    let known = self.quiet_size(subscript, scope);
                    let written = match (known, subscript) {
                        (Size::Known(_), _) | (_, ast::Subscript::Colon(_)) => None,
                        (Size::Open, ast::Subscript::Index(e)) => {
                            let typed = Typing::with(self, scope, around.clone()).expression(e);
                            match typed {
                                Ok(e) => Some(e),
                                Err(mistake) => {
                                    self.mistake(mistake);
                                    None
                                }
                            }
                        }
                    };
                    sizes.push(known);
                    written_sizes.push(written);
                }
            }
            around.locals[i].2.sizes.clone_from(&sizes);
            let entry = &mut self.tables.functions[id.0 as usize].locals[i];
            entry.ty.sizes = sizes;
            entry.sizes = written_sizes;
        }
        for (i, local) in declared.iter().enumerate() {
            let Some(value) = local.value else {
                // a record without a value of its own has that of its fields
                if let Some(default) = self.record_default(id, i, local, &around) {
                    self.tables.functions[id.0 as usize].locals[i].binding = Some(default);
                }
                continue;
            };
            let is_function = self.tables.function(id).locals[i].ty.scalar == Scalar::Function;
            let typed = self.default_value(value, local.scope, &around, is_function);
            match typed {
                Ok(binding) => {
                    let wanted = self.tables.functions[id.0 as usize].locals[i].ty.clone();
                    let fits =
                        self.accepts(wanted.scalar, binding.ty.scalar) && wanted.same_sizes(&binding.ty);
                    if !fits {
                        let what = format!("the value of `{}`", local.name);
                        let (wanted, found) = (self.type_name(&wanted), self.type_name(&binding.ty));
                        self.mistake(Mistake::TypeMismatch { what, wanted, found, span: binding.span });
                    }
                    self.refuse_locals_in_default(id, i, &binding);
                    let entry = &mut self.tables.functions[id.0 as usize].locals[i];
                    if local.clause.variability() == Some(ast::Variability::Constant) {
                        entry.take_sizes_of(&binding.ty);
                        around.locals[i].2.sizes.clone_from(&entry.ty.sizes);
                    }
                    entry.binding = Some(binding);
                }
                Err(mistake) => self.mistake(mistake),
            }
        }
    }

    /// The default of an input is made of other inputs (MLS §12.4.1).
    fn refuse_locals_in_default(&mut self, id: FunctionId, place: usize, binding: &Expr) {
        let function = self.tables.function(id);
        let input = &function.locals[place];
        if input.kind != LocalKind::Input {
            return;
        }
        let mut found = None;
        binding.walk(&mut |part| {
            if let ExprKind::Local(used) = part.kind
                && function.local(used).kind != LocalKind::Input
            {
                found = found.or(Some((used, part.span)));
            }
        });
        if let Some((used, span)) = found {
            let (input, local) = (input.name.to_string(), function.local(used).name.to_string());
            self.mistake(Mistake::DefaultOfLocal { input, local, span });
        }
    }

    /// The value of a local record whose declaration modifies its fields, or whose class gives them values. If only some
    /// fields have values, these are assigned before anything else.
    fn record_default(
        &mut self,
        id: FunctionId,
        place: usize,
        local: &Declared<'l>,
        around: &Surroundings,
    ) -> Option<Expr> {
        let entry = &self.tables.functions[id.0 as usize].locals[place];
        let Scalar::Record(record) = entry.ty.scalar else { return None };
        if !entry.ty.is_scalar() || entry.kind == LocalKind::Input {
            return None;
        }
        let span = entry.span;
        let whole = Expr { kind: ExprKind::Local(LocalId(place as u32)), ty: entry.ty.clone(), span };
        let said = Modifier::of_declaration(local.component.modification(), local.scope, &mut self.mistakes);
        let constructor = self.record_constructor(local.class, record).ok()?;
        let inputs: Vec<(SmolStr, Option<Expr>)> = self
            .tables
            .function(constructor)
            .inputs()
            .map(|(_, input)| (input.name.clone(), input.binding.clone()))
            .collect();
        let mut fields: Vec<Option<Expr>> = Vec::new();
        for (name, default) in &inputs {
            // a default may refer to other fields of the record
            let value = match said.children.get(name).and_then(|modifier| modifier.value) {
                Some(value) => self.default_value(value, local.scope, around, false).ok(),
                None => default.as_ref().and_then(|default| {
                    let known: Vec<(LocalId, Expr)> = (0..inputs.len())
                        .map(|j| {
                            let given = fields.get(j).cloned().flatten();
                            (LocalId(j as u32), given.unwrap_or_else(|| self.field(whole.clone(), j as u32)))
                        })
                        .collect();
                    self.substitute(default, &known, span).ok()
                }),
            };
            fields.push(value);
        }
        if let Some(fields) = fields.iter().cloned().collect::<Option<Vec<Expr>>>() {
            return Some(Expr { kind: ExprKind::Record(record, fields), ..whole });
        }
        for (j, value) in fields.into_iter().enumerate() {
            if let Some(value) = value {
                let kind = StatementKind::Assign(self.field(whole.clone(), j as u32), value);
                self.tables.functions[id.0 as usize].body.push(Statement { kind, span });
            }
        }
        None
    }

    fn function_body(&mut self, class: ClassNodeId, around: &Surroundings) -> Vec<Statement> {
        let mut body = Vec::new();
        for base in self.elements(class).bases() {
            body.extend(self.function_body(base, around));
        }
        let Some(text) = self.class(class).text() else { return body };
        for section in text.sections() {
            match section {
                ast::Section::Algorithm(section) => {
                    let mut typing = Typing::with(self, class, around.clone());
                    let statements = typing.statements(section.statements());
                    if let Some(span) = break_outside_loop(&statements) {
                        let what = "`break` stands in no loop".into();
                        self.mistake(Mistake::MisplacedStatement { what, span });
                    }
                    body.extend(statements);
                }
                ast::Section::Equations(section) => {
                    let name = self.class_name(class);
                    self.mistake(Mistake::EquationsInFunction { name, span: section.span() });
                }
                _ => {}
            }
        }
        body
    }

    fn type_external(
        &mut self,
        id: FunctionId,
        clause: ast::ExternalClause<'l>,
        scope: ClassNodeId,
        around: &Surroundings,
    ) {
        let language = clause.language().map_or("C".into(), SmolStr::from);
        let name = self.external_name(clause, scope);
        let mathematics = self.c_mathematics(clause, scope);
        let mut typing = Typing::with(self, scope, around.clone());
        let mut arguments = Vec::new();
        let mut mistakes = Vec::new();
        let result = clause.result().map(|result| typing.expression(ast::Expression::Reference(result)));
        for argument in clause.arguments() {
            match typing.expression(argument) {
                Ok(e) => arguments.push(e),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        let result = match result {
            Some(Ok(e)) => Some(e),
            Some(Err(mistake)) => {
                mistakes.push(mistake);
                None
            }
            None => None,
        };
        for mistake in mistakes {
            self.mistake(mistake);
        }
        let function = &mut self.tables.functions[id.0 as usize];
        let span = clause.span();
        let (result, arguments) = if clause.has_call() {
            (result, arguments)
        } else {
            // without a call, the inputs are its arguments and the output its result (MLS §12.9)
            let local = |(id, local): (LocalId, &Local)| Expr {
                kind: ExprKind::Local(id),
                ty: local.ty.clone(),
                span,
            };
            let outputs: Vec<Expr> = function.outputs().map(local).collect();
            let mut arguments: Vec<Expr> = function.inputs().map(local).collect();
            if outputs.len() == 1 {
                (outputs.into_iter().next(), arguments)
            } else {
                arguments.extend(outputs);
                (None, arguments)
            }
        };
        let is_real = |e: &Expr| e.ty == Type::scalar(Scalar::Real);
        if let (Some(f), Some(target), [argument]) = (mathematics, &result, &arguments[..])
            && is_real(target)
            && is_real(argument)
        {
            let kind = ExprKind::Call(Builtin::Elementary(f), arguments.clone());
            let value = Expr { kind, ty: target.ty.clone(), span };
            function.body.push(Statement { kind: StatementKind::Assign(target.clone(), value), span });
            return;
        }
        let libraries = clause.annotation().and_then(|annotation| annotation.find("Library")).map_or_else(
            Vec::new,
            |m| match m.modification().and_then(|m| m.value()) {
                Some(ast::Expression::String(text)) => vec![SmolStr::from(text.value())],
                Some(ast::Expression::Array(array)) => array
                    .elements()
                    .filter_map(|e| match e {
                        ast::Expression::String(text) => Some(SmolStr::from(text.value())),
                        _ => None,
                    })
                    .collect(),
                _ => Vec::new(),
            },
        );
        let include = clause.annotation().and_then(|annotation| annotation.find("Include"));
        let include = include.and_then(|include| match include.modification().and_then(|m| m.value()) {
            Some(ast::Expression::String(text)) => Some(SmolStr::from(text.value())),
            _ => None,
        });
        function.external = Some(External { language, name, result, arguments, libraries, include, span });
    }

    fn function_annotations(&mut self, class: ClassNodeId, id: FunctionId) {
        for base in self.elements(class).bases() {
            self.function_annotations(base, id);
        }
        let Some(text) = self.class(class).text() else { return };
        let annotations: Vec<ast::AnnotationClause<'l>> = text.annotation().into_iter().collect();
        for annotation in annotations {
            for argument in annotation.arguments() {
                let ast::Argument::Modification(modification) = argument else { continue };
                let Some(name) = modification.name().map(|name| name.to_string()) else { continue };
                let value = modification.modification().and_then(|m| m.value());
                let truth = match value {
                    Some(ast::Expression::Boolean(literal)) => Some(literal.value()),
                    _ => None,
                };
                match name.as_str() {
                    "Inline" => {
                        let inline = if truth == Some(false) { Inline::Never } else { Inline::Early };
                        self.tables.functions[id.0 as usize].inline = inline;
                    }
                    "LateInline" if truth == Some(true) => {
                        self.tables.functions[id.0 as usize].inline = Inline::Late
                    }
                    "GenerateEvents" => {
                        self.tables.functions[id.0 as usize].generate_events = truth == Some(true);
                    }
                    "smoothOrder" => {
                        if let Some(ast::Expression::Integer(literal)) = value {
                            let order = literal.value().and_then(|order| u32::try_from(order).ok());
                            self.tables.functions[id.0 as usize].smooth_order = order;
                        }
                    }
                    "derivative" => self.derivative_annotation(class, id, modification),
                    "inverse" => self.inverse_annotation(class, id, modification),
                    _ => {}
                }
            }
        }
    }

    fn local_named(&self, id: FunctionId, name: &str) -> Option<LocalId> {
        let place = self.tables.function(id).locals.iter().position(|local| local.name == name)?;
        Some(LocalId(place as u32))
    }

    /// `derivative(order = 2, noDerivative = x) = f_der`
    fn derivative_annotation(
        &mut self,
        class: ClassNodeId,
        id: FunctionId,
        modification: ast::ElementModification<'l>,
    ) {
        let Some(inner) = modification.modification() else { return };
        let Some(ast::Expression::Reference(reference)) = inner.value() else { return };
        let said = self.mistakes.len();
        let function =
            self.lookup_reference_class(reference, class).and_then(|class| self.function_of(class).ok());
        // a derivative that cannot be read is not used; that of the algorithm is
        self.mistakes.truncate(said);
        let Some(function) = function else { return };
        let mut derivative = Derivative { function, order: 1, zero: Vec::new(), without: Vec::new() };
        for argument in inner.arguments() {
            let ast::Argument::Modification(argument) = argument else { continue };
            let value = argument.modification().and_then(|m| m.value());
            let name = argument.name().map(|name| name.to_string()).unwrap_or_default();
            match (name.as_str(), value) {
                ("order", Some(ast::Expression::Integer(order))) => {
                    derivative.order = order.value().and_then(|order| u32::try_from(order).ok()).unwrap_or(1);
                }
                ("noDerivative", Some(e)) => derivative.without.extend(self.local_named(id, e.node().text())),
                ("zeroDerivative", Some(e)) => derivative.zero.extend(self.local_named(id, e.node().text())),
                _ => {}
            }
        }
        self.tables.functions[id.0 as usize].derivatives.push(derivative);
    }

    /// `inverse(x = f_inv(y, p))`
    fn inverse_annotation(
        &mut self,
        class: ClassNodeId,
        id: FunctionId,
        modification: ast::ElementModification<'l>,
    ) {
        let Some(inner) = modification.modification() else { return };
        for argument in inner.arguments() {
            let ast::Argument::Modification(argument) = argument else { continue };
            let Some(ast::Expression::Call(call)) = argument.modification().and_then(|m| m.value()) else {
                continue;
            };
            let Some(input) = argument.name().and_then(|name| self.local_named(id, &name.to_string())) else {
                continue;
            };
            let said = self.mistakes.len();
            let function = call
                .function()
                .and_then(|name| self.lookup_reference_class(name, class))
                .and_then(|class| self.function_of(class).ok());
            self.mistakes.truncate(said);
            let arguments: Option<Vec<LocalId>> =
                call.positional().map(|e| self.local_named(id, e.node().text())).collect();
            if let (Some(function), Some(arguments)) = (function, arguments) {
                let inverse = Inverse { input, function, arguments };
                self.tables.functions[id.0 as usize].inverses.push(inverse);
            }
        }
    }

    /// The function that makes a record from its fields, with the defaults of the class (MLS §12.6.1).
    pub(crate) fn record_constructor(
        &mut self,
        class: ClassNodeId,
        record: RecordId,
    ) -> Result<FunctionId, Mistake> {
        if let Some(known) = self.class(class).function() {
            return Ok(known);
        }
        let text = self.class(class).text().ok_or(Mistake::Incomplete)?;
        let span = text.name().map_or(text.span(), |name| name.span());
        let id = FunctionId(self.tables.functions.len() as u32);
        let record_name = self.tables.record(record).name.clone();
        self.tables.functions.push(constructor_shell(record_name, span));
        self.class_mut(class).particulars_mut().function = Some(id);
        self.constructors.push(id);

        let elements = self.elements(class);
        let fields = self.tables.record(record).fields.clone();
        let mut around = Surroundings { in_function: true, ..Surroundings::default() };
        for (i, field) in fields.iter().enumerate() {
            around.locals.push((field.name.clone(), LocalId(i as u32), field.ty.clone()));
        }
        let mut locals = Vec::new();
        for field in &fields {
            let binding = elements
                .get(&field.name)
                .and_then(|element| self.field_default(element, &field.name, &around));
            locals.push(Local {
                name: field.name.clone(),
                ty: field.ty.clone(),
                sizes: vec![None; field.ty.sizes.len()],
                kind: LocalKind::Input,
                binding,
                interface: None,
                span,
            });
        }
        locals.push(Local {
            name: "$record".into(),
            ty: Type::scalar(Scalar::Record(record)),
            sizes: Vec::new(),
            kind: LocalKind::Output,
            binding: None,
            interface: None,
            span,
        });
        self.tables.functions[id.0 as usize].locals = locals;
        Ok(id)
    }

    /// A value that belongs to a declaration of a function or record: modifications from outside are written in other
    /// names than those of the components beside it.
    fn default_value(
        &mut self,
        value: ModifierValue<'l>,
        owner: ClassNodeId,
        around: &Surroundings,
        is_function: bool,
    ) -> Result<Expr, Mistake> {
        let around = if value.scope == owner { around.clone() } else { Surroundings::default() };
        Typing::with(self, value.scope, around).argument(value.expression, is_function)
    }

    fn field_default(&mut self, element: Element<'l>, name: &str, around: &Surroundings) -> Option<Expr> {
        let ElementKind::Component { component, .. } = element.kind() else { return None };
        let outer = self.class(element.owner).modifiers.get(name).and_then(|modifier| modifier.value);
        let own = component.modification().and_then(|m| m.value());
        let own = own.map(|expression| ModifierValue {
            expression,
            scope: element.owner,
            each: false,
            each_level: None,
        });
        let value = outer.or(own)?;
        let typed = self.default_value(value, element.owner, around, false);
        match typed {
            Ok(e) => Some(e),
            Err(mistake) => {
                self.mistake(mistake);
                None
            }
        }
    }
}

/// A function that is put in place of its calls, without components and body yet.
pub(crate) fn constructor_shell(name: SmolStr, span: Span) -> Function {
    Function {
        name,
        locals: Vec::new(),
        body: Vec::new(),
        external: None,
        is_impure: false,
        says_impure: false,
        inline: Inline::Early,
        generate_events: false,
        smooth_order: None,
        derivatives: Vec::new(),
        inverses: Vec::new(),
        span,
    }
}
