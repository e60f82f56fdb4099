//! The `experiment` annotation (MLS §18.4).

use rhei_flat::{Experiment, Expr, ExprKind};
use rhei_syntax::ast;

use crate::mistake::Mistake;
use crate::typing::Typing;

/// What the annotation of a class says about running it.
pub(crate) fn experiment(
    class: ast::ClassDefinition<'_>,
    typing: Typing<'_>,
    mistakes: &mut Vec<Mistake>,
) -> Experiment {
    let mut experiment = Experiment::default();
    let annotations =
        class.sections().flat_map(|section| section.node().children()).filter_map(ast::View::cast);
    let annotations = annotations.chain(class.annotation());
    let found = annotations.filter_map(|annotation: ast::AnnotationClause<'_>| annotation.find("experiment"));
    for argument in found.last().and_then(|m| m.modification()).into_iter().flat_map(|m| m.arguments()) {
        let ast::Argument::Modification(modification) = argument else { continue };
        let Some(name) = modification.name().map(|name| name.to_string()) else { continue };
        let place = match name.as_str() {
            "StartTime" => &mut experiment.start_time,
            "StopTime" => &mut experiment.stop_time,
            "Tolerance" => &mut experiment.tolerance,
            "Interval" => &mut experiment.interval,
            _ => continue, // tools add their own
        };
        let value = typing.maybe(modification.modification().and_then(|m| m.value()));
        match value.as_ref().ok().and_then(number) {
            Some(value) if value > 0.0 || !matches!(name.as_str(), "Tolerance" | "Interval") => {
                *place = Some(value)
            }
            Some(value) => {
                let why = format!("it is {value}, and must be greater than 0");
                mistakes.push(Mistake::BadExperiment { name, why, span: modification.span() });
            }
            None => {
                let why = "it is not a number".into();
                mistakes.push(Mistake::BadExperiment { name, why, span: modification.span() });
            }
        }
    }
    experiment
}

fn number(e: &Expr) -> Option<f64> {
    match &e.kind {
        ExprKind::Real(value) => Some(*value),
        ExprKind::Integer(value) => Some(*value as f64),
        ExprKind::Negate(a) => number(a).map(|value| -value),
        _ => None,
    }
}
