//! Attributes of variables of the language's types (MLS §4.9).

use std::sync::Arc;

use rhei_evaluate::Value;
use rhei_flat::{Attributes, Expr, Scalar, Selects};
use rhei_source::nearest_name;
use smol_str::SmolStr;

use crate::component::ComponentId;
use crate::context::Context;
use crate::mistake::Mistake;
use crate::modifiers::ModifierValue;

const OF_REAL: &[&str] = &[
    "quantity",
    "unit",
    "displayUnit",
    "min",
    "max",
    "start",
    "fixed",
    "nominal",
    "unbounded",
    "stateSelect",
];
const OF_INTEGER: &[&str] = &["quantity", "min", "max", "start", "fixed"];
const OF_BOOLEAN: &[&str] = &["quantity", "start", "fixed"];
const OF_STRING: &[&str] = &["quantity", "start", "fixed"];

fn known(scalar: Scalar) -> &'static [&'static str] {
    match scalar {
        Scalar::Real => OF_REAL,
        Scalar::Integer | Scalar::Enumeration(_) => OF_INTEGER,
        Scalar::Boolean => OF_BOOLEAN,
        Scalar::String => OF_STRING,
        _ => &[],
    }
}

impl<'l> Context<'l> {
    /// Every name modified must be an attribute.
    pub(crate) fn check_attributes(&mut self, id: ComponentId, scalar: Scalar) {
        let modifiers = self.component(id).modifiers.clone();
        for (name, modifier) in modifiers.iter() {
            let attributes = known(scalar);
            let Some(span) = modifier.span else { continue };
            if !attributes.contains(&name.as_str()) {
                let near = nearest_name(name, attributes.iter().copied()).map(str::to_owned);
                let of = self.tables.scalar_name(scalar).to_owned();
                self.mistake(Mistake::UnknownAttribute { name: name.to_string(), of, near, span });
            }
        }
    }

    /// The attributes of a variable. Most variables say nothing beyond their type: its attributes are found once.
    pub(crate) fn attributes(&mut self, id: ComponentId) -> Arc<Attributes> {
        let modifiers = self.component(id).modifiers.clone();
        let of_type = modifiers.address().filter(|_| modifiers.are_of_type() && !self.is_in_array(id));
        if let Some((_, known)) = of_type.and_then(|address| self.attributes_of_types.get(&address)) {
            return known.clone();
        }
        let mistakes = self.mistakes.len();
        let mut found = Attributes::default();
        for (name, modifier) in modifiers.iter() {
            let Some(value) = modifier.value else { continue };
            if let Err(mistake) = self.attribute(id, name, value, &mut found) {
                self.mistake(mistake);
            }
        }
        let found = found.shared();
        if let Some(address) = of_type.filter(|_| mistakes == self.mistakes.len()) {
            self.attributes_of_types.insert(address, (modifiers, found.clone()));
        }
        found
    }

    /// Whether it, or something it is part of, has to do with an array.
    fn is_in_array(&self, id: ComponentId) -> bool {
        self.outwards(id).any(|id| {
            let node = self.component(id);
            !node.sizes.is_empty() || node.array.is_some()
        })
    }

    fn attribute(
        &mut self,
        id: ComponentId,
        name: &str,
        value: ModifierValue<'l>,
        found: &mut Attributes,
    ) -> Result<(), Mistake> {
        let class = self.component(id).class;
        let scalar = self.scalar_of(class).unwrap_or(Scalar::Real);
        if !known(scalar).contains(&name) {
            return Ok(()); // said when the component was made
        }
        if name == "stateSelect" {
            found.state_select = Some(self.state_select(id, value)?);
            return Ok(());
        }
        let e = self.attribute_value(id, name, value)?;
        match name {
            "start" => {
                found.start_confidence = self.confidence(value, &e);
                found.start = Some(e);
            }
            "fixed" => found.fixed = Some(self.known_truth(id, e)?),
            "min" => (found.min, found.min_is_of_type) = (Some(e), value.is_of_type()),
            "max" => (found.max, found.max_is_of_type) = (Some(e), value.is_of_type()),
            "nominal" => found.nominal = Some(e),
            "unit" => found.unit = self.text(&e),
            "displayUnit" => found.display_unit = self.text(&e),
            "quantity" => found.quantity = self.text(&e),
            _ => {} // `unbounded` says how a check is made that is not made
        }
        Ok(())
    }

    /// A text; that of the first element where it is an array.
    fn text(&mut self, e: &Expr) -> Option<SmolStr> {
        let mut value = self.evaluate(e, true).ok()?;
        while let Value::Array(array) = &value {
            value = array.elements().first()?.clone();
        }
        match value {
            Value::String(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    /// `fixed` must be known before the run.
    fn known_truth(&mut self, id: ComponentId, e: Expr) -> Result<Expr, Mistake> {
        match self.evaluate(&e, true) {
            Ok(value) => Ok(rhei_evaluate::to_expr(&value, &e.ty, e.span)),
            Err(mistake) => {
                let (variable, why) = (self.path_name(id), cause(mistake));
                Err(Mistake::FixedNotEvaluable { variable, why, span: e.span })
            }
        }
    }

    /// `stateSelect` must be known before the run; of an array each element may have its own.
    fn state_select(&mut self, id: ComponentId, given: ModifierValue<'l>) -> Result<Selects, Mistake> {
        const CHOICES: [&str; 5] = ["never", "avoid", "default", "prefer", "always"];
        let e = self.type_in(given.scope, given.expression)?;
        let is_choice = matches!(e.ty.scalar, Scalar::Enumeration(id) if self.tables.enumeration(id).name == "StateSelect");
        if !is_choice {
            let what = format!("`stateSelect` of `{}`", self.path_name(id));
            let found = self.type_name(&e.ty);
            return Err(Mistake::TypeMismatch { what, wanted: "StateSelect".into(), found, span: e.span });
        }
        let e = if e.ty.is_scalar() { e } else { self.attribute_value(id, "stateSelect", given)? };
        let variable = self.path_name(id);
        let not_evaluable =
            |why: String| Mistake::StateSelectNotEvaluable { variable: variable.clone(), why, span: e.span };
        let value = self.evaluate(&e, true).map_err(|mistake| not_evaluable(cause(mistake)))?;
        let choice = |value: &Value| match value {
            Value::Enumeration(_, number) => Ok(CHOICES[(*number as usize - 1).min(4)]),
            _ => Err(not_evaluable("no value of `StateSelect`".into())),
        };
        let values: Vec<&'static str> = value.elements().iter().map(choice).collect::<Result<_, _>>()?;
        Ok(match (value.sizes(), values.as_slice()) {
            ([], [select]) => Selects::All(select),
            (sizes, _) => Selects::Each { sizes: sizes.to_vec(), values },
        })
    }
}

/// Why a value is not known before the run.
fn cause(mistake: Mistake) -> String {
    mistake.into_diagnostic().map_or_else(|| "not a constant".into(), |diagnostic| diagnostic.message)
}
