//! Restrictions on functions (MLS §12.2): inputs, outputs and protected values, and one body.

use rhei_flat::{FunctionId, Scalar, Statement, StatementKind};
use rhei_source::Span;
use rhei_syntax::ast::{self, ClassKind as K};

use crate::class::ClassNodeId;
use crate::context::Context;
use crate::mistake::Mistake;
use crate::restrictions::{a_class, kind_name};

impl<'l> Context<'l> {
    /// Looks at the text of a function.
    pub(crate) fn check_function_text(&mut self, class: ClassNodeId, text: ast::ClassDefinition<'l>) {
        self.check_bodies(class, text);
        for element in text.elements() {
            let ast::Element::Component(clause) = element else { continue };
            for component in clause.components() {
                let Some(name) = component.name() else { continue };
                let why = self.refused_in_function(class, clause, component, element.visibility());
                if let Some(why) = why {
                    let why = why.replace('$', &format!("`{}`", name.ident()));
                    let (class, span) = (a_class(text.kind(), text), name.span());
                    self.mistake(Mistake::ClassRestriction { class, why, span });
                }
            }
        }
    }

    /// Why a function may not have such a component; `$` stands for its name.
    fn refused_in_function(
        &mut self,
        class: ClassNodeId,
        clause: ast::ComponentClause<'l>,
        component: ast::Component<'l>,
        visibility: ast::Visibility,
    ) -> Option<String> {
        let prefix = match () {
            () if clause.is_outer() => Some("outer"),
            () if clause.is_inner() => Some("inner"),
            () => match clause.connection_prefix() {
                Some(ast::ConnectionPrefix::Flow) => Some("flow"),
                Some(ast::ConnectionPrefix::Stream) => Some("stream"),
                None => None,
            },
        };
        if let Some(prefix) = prefix {
            return Some(format!("has a component $ with the prefix `{prefix}`"));
        }
        if component.condition().is_some() {
            return Some("has a component $ with a condition".into());
        }
        let of = self.quietly(|context| context.lookup_class(clause.type_name()?, Some(class)).ok())?;
        let causality = clause.causality().is_some() || self.elements(of).causality().is_some();
        match visibility {
            ast::Visibility::Public if !causality => {
                return Some("has a public component $ that is neither `input` nor `output`".into());
            }
            ast::Visibility::Protected if clause.causality().is_some() => {
                return Some("has a protected component $ that is `input` or `output`".into());
            }
            _ => {}
        }
        match self.scalar_of(of) {
            Some(Scalar::Clock) => return Some("has a component $ of type `Clock`".into()),
            Some(_) => return None,
            None => {}
        }
        let kind = self.class(of).kind();
        let refused = matches!(
            kind,
            K::Model | K::Block | K::Connector | K::ExpandableConnector | K::Operator | K::Package
        );
        refused.then(|| format!("cannot have the component $ of a {}", kind_name(kind)))
    }

    /// One algorithm or one external clause, those of base classes included, and nothing for the start.
    fn check_bodies(&mut self, class: ClassNodeId, text: ast::ClassDefinition<'l>) {
        let mut has_body = self.elements(class).bases().any(|base| self.has_body(base));
        let mut refused = Vec::new();
        for section in text.sections() {
            let (span, is_initial) = match section {
                ast::Section::Algorithm(section) => (section.span(), section.is_initial()),
                ast::Section::External(external) => (external.span(), false),
                _ => continue,
            };
            if is_initial {
                refused.push((span, "has an initial algorithm, and nothing starts in it"));
            } else if has_body {
                refused.push((span, "has more than one body"));
            }
            has_body |= !is_initial;
        }
        for (span, why) in refused {
            let class = a_class(text.kind(), text);
            self.mistake(Mistake::ClassRestriction { class, why: why.into(), span });
        }
    }

    fn has_body(&mut self, class: ClassNodeId) -> bool {
        let own = self.class(class).text().is_some_and(|text| {
            text.sections().any(|section| match section {
                ast::Section::Algorithm(section) => !section.is_initial(),
                ast::Section::External(_) => true,
                _ => false,
            })
        });
        own || self.elements(class).bases().any(|base| self.has_body(base))
    }

    /// Outputs must get a value somewhere in a function that is called (MLS §12.2); an array with open sizes is empty.
    pub(crate) fn refuse_unassigned_outputs(&mut self, id: FunctionId, span: Span) -> Result<(), Mistake> {
        let function = self.tables.function(id);
        let is_unread = self.derivatives.unfinished.contains(&id) || self.reading_functions > 0;
        if function.external.is_some() || is_unread || self.broken_functions.contains(&id) {
            return Ok(());
        }
        let missing = function.outputs().find(|(output, local)| {
            let is_open = local
                .sizes
                .iter()
                .zip(&local.ty.sizes)
                .any(|(written, size)| written.is_none() && size.known().is_none());
            let is_record = matches!(local.ty.scalar, Scalar::Record(_) | Scalar::ExternalObject(_));
            local.binding.is_none() && !is_open && !is_record && !is_assigned(&function.body, *output)
        });
        match missing {
            None => Ok(()),
            Some((_, local)) => {
                let (output, function) = (local.name.to_string(), function.name.to_string());
                Err(Mistake::NeverAssigned { output, function, declared: local.span, span })
            }
        }
    }
}

fn is_assigned(statements: &[Statement], output: rhei_flat::LocalId) -> bool {
    fn root(target: &rhei_flat::Expr) -> Option<rhei_flat::LocalId> {
        match &target.kind {
            rhei_flat::ExprKind::Local(id) => Some(*id),
            rhei_flat::ExprKind::Index(whole, _) | rhei_flat::ExprKind::Field(whole, _) => root(whole),
            _ => None,
        }
    }
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Assign(target, _) => root(target) == Some(output),
        StatementKind::AssignResults(targets, _) => {
            targets.iter().flatten().any(|target| root(target) == Some(output))
        }
        StatementKind::If(branches, otherwise) => {
            branches.iter().any(|(_, body)| is_assigned(body, output)) || is_assigned(otherwise, output)
        }
        StatementKind::For(_, body) | StatementKind::While(_, body) => is_assigned(body, output),
        _ => false,
    })
}

/// The first `break` that stands in no loop (MLS §11.2.5).
pub(crate) fn break_outside_loop(statements: &[Statement]) -> Option<Span> {
    statements.iter().find_map(|statement| match &statement.kind {
        StatementKind::Break => Some(statement.span),
        StatementKind::If(branches, otherwise) => {
            let inside = branches.iter().find_map(|(_, body)| break_outside_loop(body));
            inside.or_else(|| break_outside_loop(otherwise))
        }
        StatementKind::When(branches) => branches.iter().find_map(|(_, body)| break_outside_loop(body)),
        _ => None,
    })
}
