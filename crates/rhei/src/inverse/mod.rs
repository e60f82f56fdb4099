//! The inverse of a model as a clocked block.
//!
//! In: a model with inputs, and variables that are given in their place. Out: the number of times that each of them is
//! differentiated, and a block: the model behind as many integrators or a filter of that order, with measured states
//! set, between sampling and holding. The block is compiled before it is handed out.

mod request;
mod text;

use rhei_compiler::{Compilation, Session as Compiler, Target, relative_degrees};
use rhei_equations::{Equations, Kind, Scalar, VarId, Variable};
use rhei_solvable::SolverMethod;
use rhei_source::{Diagnostic, Files, nearest_name};

use self::text::{Block, Given, Names, Port, differentiated};

pub use request::{Inverse, InverseInput, InversePart, InverseRequest, Inverted, WrongInverse};

/// Default frequency of the filter and the feedback, as a share of that of the clock.
const PART_OF_CLOCK: f64 = 0.01;
/// Most variables tried in the search for ones that could be given.
const MOST_LOOKED_AT: usize = 50;
/// Most of them that are named.
const MOST_OFFERED: usize = 5;
/// Highest order of a filter: beyond it a filter is slower than any plant.
const MOST_ORDER: u32 = 30;

/// The inverse of a model; it leaves a class behind in the library of the compiler.
pub(crate) fn invert(
    compiler: &mut Compiler,
    target: Target<'_>,
    class: Option<&str>,
    request: &InverseRequest,
) -> Result<Inverted, WrongInverse> {
    check_request(request)?;
    let mut done = compiler.compile(target, class).map_err(WrongInverse::Unreadable)?;
    // the model's start and the values of its inputs do not matter here
    done.diagnostics.retain(|said| said.is_error());
    let states = plant_states(&done);
    let mut inverted = Inverted {
        inputs: Vec::new(),
        inverse: None,
        diagnostics: std::mem::take(&mut done.diagnostics),
        files: Files::default(),
        timings: done.timings.iter().collect(),
    };
    if let Some(equations) = done.equations.filter(|_| inverted.diagnostics.is_empty()) {
        inverted.turn_round(request, compiler, &equations, &states)?;
    }
    inverted.files = compiler.files().clone();
    Ok(inverted)
}

fn check_request(request: &InverseRequest) -> Result<(), WrongInverse> {
    let all = [(InversePart::Period, Some(request.period)), (InversePart::Frequency, request.frequency)];
    for (part, value) in all {
        if let Some(value) = value.filter(|value| !(value.is_finite() && *value > 0.0)) {
            return Err(part.wrong(format!("{value} is not greater than 0")));
        }
    }
    let method = request.method.as_str();
    if method != "External" && SolverMethod::named(method) == SolverMethod::External {
        return Err(InversePart::Method.wrong(format!("there is no solver method `{method}`")));
    }
    if let Some(order) = request.filter_order.filter(|&order| order > MOST_ORDER) {
        return Err(InversePart::FilterOrder.wrong(format!("{order} is more than {MOST_ORDER}")));
    }
    Ok(())
}

/// The states of the plant, each with whether its start value is fixed.
fn plant_states(done: &Compilation) -> Vec<(String, bool)> {
    let Some(model) = &done.model else { return Vec::new() };
    let all = model.states().into_iter();
    all.map(|variable| (variable.name.to_string(), variable.fixed)).collect()
}

impl Inverted {
    /// The block; none after an error.
    fn turn_round(
        &mut self,
        request: &InverseRequest,
        compiler: &mut Compiler,
        equations: &Equations,
        states: &[(String, bool)],
    ) -> Result<(), WrongInverse> {
        if !equations.clocks.is_empty() {
            let message =
                format!("`{}` has clocks, and a model that ticks itself has no inverse", equations.name);
            self.diagnostics.push(Diagnostic::error("not-invertible", message));
            return Ok(());
        }
        let inputs: Vec<VarId> = equations
            .iter_variables()
            .filter(|(_, variable)| variable.is_given_from_outside() && variable.scalar == Scalar::Real)
            .map(|(v, _)| v)
            .collect();
        if inputs.is_empty() {
            let message =
                format!("`{}` has no inputs of type Real that an inverse could compute", equations.name);
            self.diagnostics.push(
                Diagnostic::error("not-invertible", message)
                    .with_note("declare what drives it with `input`, `input Real u;`"),
            );
            return Ok(());
        }
        let given = given(request, equations, &inputs)?;
        let computed = computed(request, equations, &inputs, given.len())?;
        let kept: Vec<VarId> = inputs.iter().copied().filter(|v| !computed.contains(v)).collect();
        let all: Vec<VarId> = given.iter().chain(&kept).copied().collect();
        let degrees = match relative_degrees(equations, &computed, &all) {
            Ok(degrees) => degrees,
            Err(mistake) => {
                self.diagnostics.push(match offered(equations, &inputs) {
                    Some(offered) => mistake.with_note(offered),
                    None => *mistake,
                });
                return Ok(());
            }
        };
        let plan = Plan { request, equations, states, computed: &computed, given: &given, kept: &kept };
        let block = plan.block(&degrees)?;
        self.inputs = block.given.iter().chain(&block.kept).map(Given::input).collect();
        self.compile(compiler, &block);
        Ok(())
    }

    /// The block with its states, if it compiles.
    fn compile(&mut self, compiler: &mut Compiler, block: &Block) {
        let text = block.text();
        compiler.library().load_text(&format!("{}.mo", block.name), &text);
        let Ok(done) = compiler.compile(Target::Class(&block.name), None) else { return };
        self.diagnostics.extend(done.diagnostics.iter().filter(|said| said.is_error()).cloned());
        let Some(model) = done.model.filter(|_| self.diagnostics.is_empty()) else { return };
        self.inverse = Some(Inverse {
            outputs: block.computed.iter().map(|port| port.variable.clone()).collect(),
            states: model.states().iter().map(|variable| variable.name.to_string()).collect(),
            text,
        });
    }
}

/// The variables that are given.
fn given(
    request: &InverseRequest,
    equations: &Equations,
    inputs: &[VarId],
) -> Result<Vec<VarId>, WrongInverse> {
    if request.given.is_empty() {
        let hint = offered(equations, inputs);
        return Err(WrongInverse::NothingGiven { model: equations.name.clone(), hint });
    }
    let given = resolved(equations, &request.given, InversePart::Given)?;
    if let Some(v) = given.iter().find(|v| inputs.contains(v)) {
        let name = &equations.variable(*v).name;
        let offered = offered(equations, inputs).map_or(String::new(), |offered| format!(": {offered}"));
        return Err(InversePart::Given.wrong(format!(
            "`{name}` is an input of the model, which its inverse computes; give what follows from it{offered}"
        )));
    }
    Ok(given)
}

/// The variables that could be given for a model with one input, as a sentence.
fn offered(equations: &Equations, inputs: &[VarId]) -> Option<String> {
    let [input] = inputs else { return None };
    let is_offered = |variable: &Variable| {
        variable.kind == Kind::Unknown
            && variable.scalar == Scalar::Real
            && !variable.is_discrete
            && !variable.is_hidden
    };
    let candidates: Vec<VarId> =
        equations.iter_variables().filter(|(_, variable)| is_offered(variable)).map(|(v, _)| v).collect();
    let is_output = |v: &VarId| equations.variable(*v).is_output();
    let (outputs, others): (Vec<VarId>, Vec<VarId>) = candidates.into_iter().partition(is_output);
    let found: Vec<String> = outputs
        .iter()
        .chain(&others)
        .take(MOST_LOOKED_AT)
        .filter_map(|v| {
            let degree = *relative_degrees(equations, &[*input], &[*v]).ok()?.first()?;
            Some(format!("`{}` ({})", equations.variable(*v).name, differentiated(degree)))
        })
        .take(MOST_OFFERED)
        .collect();
    let name = &equations.variable(*input).name;
    (!found.is_empty()).then(|| format!("`{name}` can be computed from {}", found.join(" or ")))
}

/// The variables of these names; that of an array means all its elements.
fn resolved(equations: &Equations, names: &[String], part: InversePart) -> Result<Vec<VarId>, WrongInverse> {
    let mut found = Vec::new();
    for name in names {
        let name = name.trim();
        let is_element = |variable: &str| {
            variable
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('[') && rest.ends_with(']') && !rest.contains('.'))
        };
        let own: Vec<VarId> = equations
            .iter_variables()
            .filter(|(_, variable)| variable.name == name || is_element(&variable.name))
            .filter(|(_, variable)| !variable.is_hidden)
            .map(|(v, _)| v)
            .collect();
        if own.is_empty() {
            let all = equations.variables.iter().filter(|variable| !variable.is_hidden);
            let near = nearest_name(name, all.map(|variable| variable.name.as_str()));
            let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            return Err(part.wrong(format!("`{}` has no variable `{name}`{hint}", equations.name)));
        }
        for v in own {
            let variable = equations.variable(v);
            let may_vary = variable.is_unknown() || variable.is_given_from_outside();
            if variable.scalar != Scalar::Real || variable.is_discrete || !may_vary {
                return Err(part.wrong(format!(
                    "`{}` is not of type Real, or does not vary continuously",
                    variable.name
                )));
            }
            if found.contains(&v) {
                return Err(part.wrong(format!("`{}` is named twice", variable.name)));
            }
            found.push(v);
        }
    }
    Ok(found)
}

/// The inputs that the inverse computes: as many as variables are given.
fn computed(
    request: &InverseRequest,
    equations: &Equations,
    inputs: &[VarId],
    n_given: usize,
) -> Result<Vec<VarId>, WrongInverse> {
    let chosen = if request.computed.is_empty() {
        inputs.to_vec()
    } else {
        resolved(equations, &request.computed, InversePart::Computed)?
    };
    let name = |v: &VarId| equations.variable(*v).name.to_string();
    if let Some(v) = chosen.iter().find(|v| !inputs.contains(v)) {
        return Err(InversePart::Computed.wrong(format!("`{}` is no input of the model", name(v))));
    }
    if chosen.len() == n_given {
        return Ok(chosen);
    }
    Err(WrongInverse::Numbers { given: n_given, computed: chosen.iter().map(name).collect() })
}

/// The parts of the block.
struct Plan<'a> {
    request: &'a InverseRequest,
    equations: &'a Equations,
    states: &'a [(String, bool)],
    computed: &'a [VarId],
    given: &'a [VarId],
    kept: &'a [VarId],
}

impl Plan<'_> {
    fn block(&self, degrees: &[u32]) -> Result<Block, WrongInverse> {
        let mut names = Names::default();
        let measured = self.measured()?;
        let is_fed_back = !measured.is_empty();
        let given = self.given.iter().zip(degrees).map(|(v, &degree)| Given {
            port: self.port(*v, &mut names),
            degree,
            filter: self.request.filter_order.unwrap_or(if is_fed_back { 0 } else { degree }),
            fixed: 0,
            is_fed_back: is_fed_back && degree > 0,
        });
        let mut given: Vec<Given> = given.collect();
        if let Some(given) = given.iter().find(|given| !given.is_fed_back && given.filter < given.degree) {
            return Err(InversePart::FilterOrder.wrong(format!(
                "{} is too few, `{}` is {}",
                given.filter,
                given.port.variable,
                differentiated(given.degree)
            )));
        }
        let kept = self.kept.iter().zip(&degrees[self.given.len()..]).map(|(v, &degree)| {
            let port = self.port(*v, &mut names);
            Given { port, degree, filter: degree, fixed: degree, is_fed_back: false }
        });
        let kept: Vec<Given> = kept.collect();
        self.settle_starts(&mut given);
        let mut chained = given.iter().chain(&kept);
        if self.request.frequency.is_some() && chained.all(|one| one.filter == 0 && !one.is_fed_back) {
            let what = "there is neither a filter nor feedback that could have it".to_owned();
            return Err(InversePart::Frequency.wrong(what));
        }
        let computed = self.computed.iter().map(|v| self.port(*v, &mut names)).collect();
        // a measured variable that is given, too, goes by the same name
        let measured = measured.into_iter().map(|v| {
            let known = given.iter().find(|given| given.port.variable == self.equations.variable(v).name);
            known.map_or_else(|| self.port(v, &mut names), |given| given.port.clone())
        });
        let measured = measured.collect();
        let last = self.equations.name.rsplit('.').next().unwrap_or_default();
        let name = self.request.name.clone().unwrap_or_else(|| format!("{last}Inverse"));
        if !is_identifier(&name) {
            return Err(InversePart::Name.wrong(format!("`{name}` is no name of a class")));
        }
        Ok(Block {
            name,
            class: self.equations.name.clone(),
            computed,
            given,
            kept,
            measured,
            period: self.request.period,
            frequency: self.request.frequency.unwrap_or(PART_OF_CLOCK / self.request.period),
            method: self.request.method.clone(),
        })
    }

    /// The model leaves as many states free as it has beyond those that follow from given variables; start values
    /// that it fixes beyond these are left open in the filters, from their ends.
    fn settle_starts(&self, given: &mut [Given]) {
        let turned: usize =
            given.iter().filter(|given| !given.is_fed_back).map(|given| given.degree as usize).sum();
        let fixed = self.states.iter().filter(|(_, fixed)| *fixed).count();
        let is_integrated = given.iter().all(|given| given.is_fed_back);
        let mut open =
            if is_integrated { 0 } else { (fixed + turned).saturating_sub(self.states.len()) as u32 };
        for given in given.iter_mut() {
            let left = open.min(given.filter);
            given.fixed = given.filter - left;
            open -= left;
        }
    }

    fn measured(&self) -> Result<Vec<VarId>, WrongInverse> {
        if self.request.measured.iter().any(|name| name == "all") {
            let names: Vec<String> = self.states.iter().map(|(name, _)| name.clone()).collect();
            return resolved(self.equations, &names, InversePart::Measured);
        }
        resolved(self.equations, &self.request.measured, InversePart::Measured)
    }

    fn port(&self, v: VarId, names: &mut Names) -> Port {
        let variable = self.equations.variable(v);
        let start = variable.start.and_then(|start| self.equations.pool.as_number(start));
        Port {
            variable: variable.name.to_string(),
            name: names.name(&variable.name),
            unit: variable.unit.to_string(),
            start: start.unwrap_or(0.0),
        }
    }
}

fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
