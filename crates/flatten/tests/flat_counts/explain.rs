//! Why another tool counts more or fewer unknowns: rules that name the components which account for exactly the difference.

use rhei_evaluate::Value;
use rhei_flat::{Expr, ExprKind, VarId, Variability};
use rhei_flatten::is_unknown;
use rhei_instance::{Component, ComponentId, Instance};

/// The name of the first rule that accounts for all of the difference, ours less theirs.
pub fn explain(instance: &Instance, difference: i64) -> &'static str {
    let model = Model { instance };
    if difference == 0 {
        "equal"
    } else if difference == -model.animation() {
        "animation"
    } else if difference == model.newer_library() {
        "library"
    } else {
        "unexplained"
    }
}

/// Variables per visualiser of their `ModelicaServices.Animation` that the one which comes with the library lacks: two
/// axes, a position, sizes, colours and the points of surfaces.
const SHAPE: i64 = 25;
const VECTOR: i64 = 60;
const SURFACE: i64 = 16;
/// A place or a colour for each point of a surface.
const POINT: i64 = 3;

/// Elements of classes that came into the library between 4.0.0 and 4.1.0, while the figures of some examples are older.
struct Change {
    class: &'static str,
    /// Unknowns, or components with unknowns, that were not there before.
    added: &'static [&'static str],
    /// Parameters that were unknowns before.
    now_parameters: &'static [&'static str],
}

const CHANGES: &[Change] = &[
    Change {
        class: "Modelica.Mechanics.Rotational.Components.BearingFriction",
        added: &["table_signs"],
        now_parameters: &[],
    },
    Change {
        class: "Modelica.Mechanics.Rotational.Components.Brake",
        added: &["table_signs", "mu"],
        now_parameters: &["mu0"],
    },
    Change {
        class: "Modelica.Mechanics.Rotational.Components.Clutch",
        added: &["table_signs", "mu"],
        now_parameters: &["mu0"],
    },
    Change {
        class: "Modelica.Mechanics.Rotational.Components.OneWayClutch",
        added: &["mu"],
        now_parameters: &["mu0", "tau0_max_low"],
    },
    Change {
        class: "Modelica.Mechanics.Translational.Components.Brake",
        added: &["table_signs", "mu"],
        now_parameters: &["mu0"],
    },
    Change {
        class: "Modelica.Mechanics.Translational.Components.SupportFriction",
        added: &["table_signs"],
        now_parameters: &[],
    },
    Change {
        class: "Modelica.Mechanics.Translational.Components.ElastoGap",
        added: &["ratio"],
        now_parameters: &[],
    },
    Change {
        class: "Modelica.Magnetic.FundamentalWave.Examples.Components.PolyphaseInductance",
        added: &[
            "ground_s",
            "star_s",
            "voltageSource_s",
            "resistor_s",
            "plugToPins_p",
            "plugToPins_n",
            "converter_s",
            "reluctance_s",
            "groundM_s",
        ],
        now_parameters: &[],
    },
];

struct Model<'a> {
    instance: &'a Instance,
}

impl Model<'_> {
    /// The unknowns of their visualisers that ours do not have.
    fn animation(&self) -> i64 {
        let each = |component: &Component| match component.class.as_str() {
            "Modelica.Mechanics.MultiBody.Visualizers.Advanced.Shape" => SHAPE,
            "Modelica.Mechanics.MultiBody.Visualizers.Advanced.Vector" => VECTOR,
            "Modelica.Mechanics.MultiBody.Visualizers.Advanced.Surface" => self.surface(component),
            _ => 0,
        };
        self.instance.components.iter().map(|component| each(component) * self.elements(component)).sum()
    }

    fn surface(&self, component: &Component) -> i64 {
        let number = |name| match self.parameter(component, name) {
            Some(Value::Integer(number)) => number,
            _ => 0,
        };
        let is_coloured =
            matches!(self.parameter(component, "multiColoredSurface"), Some(Value::Boolean(true)));
        let of_each_point = if is_coloured { 2 * POINT } else { POINT };
        SURFACE + of_each_point * number("nu") * number("nv")
    }

    /// The unknowns that changes of the library brought, less those that they took away.
    fn newer_library(&self) -> i64 {
        let mut sum = 0;
        for component in &self.instance.components {
            let Some(change) = CHANGES.iter().find(|change| change.class == component.class) else {
                continue;
            };
            for name in change.added {
                sum += self.part(component, name).map_or(0, |part| self.unknowns(part));
            }
            for name in change.now_parameters {
                sum -= self.part(component, name).map_or(0, |part| self.parameters(part));
            }
        }
        sum
    }

    /// The scalar unknowns of a component.
    fn unknowns(&self, component: &Component) -> i64 {
        let own = component.variable.map_or(0, |v| {
            if is_unknown(&self.instance.variables[v.index()]) { self.elements(component) } else { 0 }
        });
        own + component.parts.iter().map(|part| self.unknowns(self.component(*part))).sum::<i64>()
    }

    fn parameters(&self, component: &Component) -> i64 {
        let is_parameter =
            |v: VarId| self.instance.variables[v.index()].variability <= Variability::Parameter;
        if component.variable.is_some_and(is_parameter) { self.elements(component) } else { 0 }
    }

    /// How many there are of a component, arrays around it counted.
    fn elements(&self, component: &Component) -> i64 {
        let around = std::iter::successors(Some(component), |component| {
            component.parent.map(|parent| self.component(parent))
        });
        let sizes = around.flat_map(|component| &component.sizes);
        sizes.map(|size| size.known().unwrap_or(0) as i64).product()
    }

    fn component(&self, id: ComponentId) -> &Component {
        &self.instance.components[id.0 as usize]
    }

    fn part(&self, component: &Component, name: &str) -> Option<&Component> {
        component.parts.iter().map(|part| self.component(*part)).find(|part| part.name == name)
    }

    /// The value of a parameter, where it leads to a literal.
    fn parameter(&self, component: &Component, name: &str) -> Option<Value> {
        let mut v = self.part(component, name)?.variable?;
        loop {
            match self.instance.variables[v.index()].binding.as_ref()? {
                Expr { kind: ExprKind::Variable(other, _), .. } => v = *other,
                Expr { kind: ExprKind::Integer(number), .. } => return Some(Value::Integer(*number)),
                Expr { kind: ExprKind::Boolean(truth), .. } => return Some(Value::Boolean(*truth)),
                _ => return None,
            }
        }
    }
}
