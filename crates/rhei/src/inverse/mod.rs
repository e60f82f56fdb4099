//! `rhei clocked-inverse`: the inverse of a model as a block that ticks.
//!
//! In: a model with inputs, and variables that are told what to be instead. Out: how often each of them has to be
//! differentiated, and a block with as many integrators or a filter of that order in front of the model, states that are
//! measured set, and sampling and holding around it. The block is compiled before it is handed out.

mod text;

use rhei_compiler::{Compilation, Session, Target, relative_degrees};
use rhei_equations::{Equations, Kind, Scalar, VarId, Variable};
use rhei_source::{Diagnostic, Report, ReportedDiagnostic, nearest_name};
use serde::Serialize;

use self::text::{Block, Given, Names, Port, differentiated, times};
use super::{Exit, Usage, compile, exit};
use crate::arguments::{ClockedInverse, Common};
use crate::talk::Talk;

/// Of the frequency of the clock: how fast the filter and the feedback are where nothing else is asked for.
const PART_OF_CLOCK: f64 = 0.01;
/// Variables that are looked at to say what could be given.
const MOST_LOOKED_AT: usize = 50;
/// As many of them are named.
const MOST_OFFERED: usize = 5;
/// A filter of a higher order is slower than any plant.
const MOST_ORDER: u32 = 30;

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    made: Option<Made>,
    diagnostics: Vec<ReportedDiagnostic>,
}

#[derive(Serialize)]
struct Input {
    name: String,
    differentiated: u32,
}

pub(crate) fn clocked_inverse(options: &ClockedInverse, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    check_numbers(options)?;
    let (mut session, mut done) = compile(&options.model, common)?;
    // how the model starts and what its inputs are held at is of no concern here
    done.diagnostics.retain(|said| said.is_error());
    let answer = match &done.equations {
        Some(equations) if !done.has_errors() => {
            let (equations, states) = (equations.clone(), plant_states(&done));
            made(options, &mut session, &equations, &states, &mut done.diagnostics, talk)?
        }
        _ => None,
    };
    if !talk.json {
        talk.diagnostics(&done.diagnostics, session.files());
    }
    let is_made = answer.is_some();
    if let Some(answer) = &answer {
        hand_out(options, answer, talk)?;
    }
    if talk.json {
        let diagnostics = Report::new(&done.diagnostics, session.files()).diagnostics;
        talk.answer(&Answer { made: answer, diagnostics });
    }
    Ok(exit(!is_made))
}

/// What was found.
#[derive(Serialize)]
struct Made {
    /// The block, as Modelica.
    #[serde(rename = "block")]
    text: String,
    /// What is given, and inputs that stay.
    inputs: Vec<Input>,
    outputs: Vec<String>,
    states: Vec<String>,
}

fn check_numbers(options: &ClockedInverse) -> Result<(), Usage> {
    let all = [("--period", Some(options.period)), ("--frequency", options.frequency)];
    for (name, value) in all {
        if let Some(value) = value.filter(|value| !(value.is_finite() && *value > 0.0)) {
            return Err(format!("{name}: {value} is not greater than 0"));
        }
    }
    if let Some(order) = options.filter_order.filter(|&order| order > MOST_ORDER) {
        return Err(format!("--filter-order: {order} is more than {MOST_ORDER}"));
    }
    Ok(())
}

/// The states of the plant, each with whether its start value is fixed.
fn plant_states(done: &Compilation) -> Vec<(String, bool)> {
    let Some(model) = &done.model else { return Vec::new() };
    let all = model.states().into_iter();
    all.map(|variable| (variable.name.to_string(), variable.fixed)).collect()
}

/// The block; nothing where `said` holds an error.
fn made(
    options: &ClockedInverse,
    session: &mut Session,
    equations: &Equations,
    states: &[(String, bool)],
    said: &mut Vec<Diagnostic>,
    talk: &Talk,
) -> Result<Option<Made>, Usage> {
    if !equations.clocks.is_empty() {
        let message =
            format!("`{}` has clocks, and a model that ticks itself has no inverse", equations.name);
        said.push(Diagnostic::error("not-invertible", message));
        return Ok(None);
    }
    let inputs: Vec<VarId> = equations
        .iter_variables()
        .filter(|(_, variable)| variable.is_given_from_outside() && variable.scalar == Scalar::Real)
        .map(|(v, _)| v)
        .collect();
    if inputs.is_empty() {
        let message =
            format!("`{}` has no inputs of type Real that an inverse could compute", equations.name);
        said.push(
            Diagnostic::error("not-invertible", message)
                .with_note("declare what drives it with `input`, `input Real u;`"),
        );
        return Ok(None);
    }
    if options.inputs.is_empty() {
        let offered = offered(equations, &inputs).map_or(String::new(), |offered| format!(": {offered}"));
        return Err(format!("--inputs says which variables of `{}` are given{offered}", equations.name));
    }
    let given = resolved(equations, &options.inputs, "--inputs")?;
    if let Some(v) = given.iter().find(|v| inputs.contains(v)) {
        let name = &equations.variable(*v).name;
        let offered = offered(equations, &inputs).map_or(String::new(), |offered| format!(": {offered}"));
        return Err(format!(
            "--inputs: `{name}` is an input of the model, which its inverse computes; give what follows from it{offered}"
        ));
    }
    let computed = computed(options, equations, &inputs, given.len())?;
    let kept: Vec<VarId> = inputs.iter().copied().filter(|v| !computed.contains(v)).collect();
    let all: Vec<VarId> = given.iter().chain(&kept).copied().collect();
    let degrees = match relative_degrees(equations, &computed, &all) {
        Ok(degrees) => degrees,
        Err(mistake) => {
            said.push(match offered(equations, &inputs) {
                Some(offered) => mistake.with_note(offered),
                None => *mistake,
            });
            return Ok(None);
        }
    };
    let plan = Plan { options, equations, states, computed: &computed, given: &given, kept: &kept };
    let block = plan.block(&degrees)?;
    explain(&block, talk);
    Ok(compiled(session, &block, said))
}

/// What a model with one input could be told to do instead, as a sentence.
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
fn resolved(equations: &Equations, names: &[String], option: &str) -> Result<Vec<VarId>, Usage> {
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
            return Err(format!("{option}: `{}` has no variable `{name}`{hint}", equations.name));
        }
        for v in own {
            let variable = equations.variable(v);
            let may_vary = variable.is_unknown() || variable.is_given_from_outside();
            if variable.scalar != Scalar::Real || variable.is_discrete || !may_vary {
                return Err(format!(
                    "{option}: `{}` is not of type Real, or does not vary continuously",
                    variable.name
                ));
            }
            if found.contains(&v) {
                return Err(format!("{option}: `{}` is named twice", variable.name));
            }
            found.push(v);
        }
    }
    Ok(found)
}

/// The inputs that the inverse computes: as many as variables are given.
fn computed(
    options: &ClockedInverse,
    equations: &Equations,
    inputs: &[VarId],
    n_given: usize,
) -> Result<Vec<VarId>, Usage> {
    let chosen = if options.outputs.is_empty() {
        inputs.to_vec()
    } else {
        resolved(equations, &options.outputs, "--outputs")?
    };
    if let Some(v) = chosen.iter().find(|v| !inputs.contains(v)) {
        return Err(format!("--outputs: `{}` is no input of the model", equations.variable(*v).name));
    }
    if chosen.len() == n_given {
        return Ok(chosen);
    }
    let names: Vec<String> = chosen.iter().map(|v| format!("`{}`", equations.variable(*v).name)).collect();
    Err(format!(
        "an inverse computes as many inputs as variables are given: {n_given} given with --inputs, and {} to be computed: {}{}",
        chosen.len(),
        names.join(", "),
        if chosen.len() > n_given { "; choose among them with --outputs" } else { "" }
    ))
}

/// What the block is made from.
struct Plan<'a> {
    options: &'a ClockedInverse,
    equations: &'a Equations,
    states: &'a [(String, bool)],
    computed: &'a [VarId],
    given: &'a [VarId],
    kept: &'a [VarId],
}

impl Plan<'_> {
    fn block(&self, degrees: &[u32]) -> Result<Block, Usage> {
        let mut names = Names::default();
        let measured = self.measured()?;
        let is_fed_back = !measured.is_empty();
        let given = self.given.iter().zip(degrees).map(|(v, &degree)| Given {
            port: self.port(*v, &mut names),
            degree,
            filter: self.options.filter_order.unwrap_or(if is_fed_back { 0 } else { degree }),
            fixed: 0,
            is_fed_back: is_fed_back && degree > 0,
        });
        let mut given: Vec<Given> = given.collect();
        if let Some(given) = given.iter().find(|given| !given.is_fed_back && given.filter < given.degree) {
            return Err(format!(
                "--filter-order: {} is too few, `{}` is {}",
                given.filter,
                given.port.variable,
                differentiated(given.degree)
            ));
        }
        let kept = self.kept.iter().zip(&degrees[self.given.len()..]).map(|(v, &degree)| {
            let port = self.port(*v, &mut names);
            Given { port, degree, filter: degree, fixed: degree, is_fed_back: false }
        });
        let kept: Vec<Given> = kept.collect();
        self.settle_starts(&mut given);
        let computed = self.computed.iter().map(|v| self.port(*v, &mut names)).collect();
        // a measured variable that is given, too, goes by the same name
        let measured = measured.into_iter().map(|v| {
            let known = given.iter().find(|given| given.port.variable == self.equations.variable(v).name);
            known.map_or_else(|| self.port(v, &mut names), |given| given.port.clone())
        });
        let measured = measured.collect();
        let last = self.equations.name.rsplit('.').next().unwrap_or_default();
        let name = self.options.block.clone().unwrap_or_else(|| format!("{last}Inverse"));
        if !is_identifier(&name) {
            return Err(format!("--name: `{name}` is no name of a class"));
        }
        Ok(Block {
            name,
            class: self.equations.name.clone(),
            computed,
            given,
            kept,
            measured,
            period: self.options.period,
            frequency: self.options.frequency.unwrap_or(PART_OF_CLOCK / self.options.period),
            method: self.options.method.clone(),
        })
    }

    /// The model leaves as many states free as it has beyond those that follow from what is given; what it fixes more
    /// is left open in the filters, from their ends.
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

    fn measured(&self) -> Result<Vec<VarId>, Usage> {
        if self.options.measure.iter().any(|name| name == "all") {
            let names: Vec<String> = self.states.iter().map(|(name, _)| name.clone()).collect();
            return resolved(self.equations, &names, "--measure");
        }
        resolved(self.equations, &self.options.measure, "--measure")
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

/// Tells people what stands in the block.
fn explain(block: &Block, talk: &Talk) {
    if talk.json {
        return;
    }
    for given in block.given.iter().chain(&block.kept) {
        let with = match (given.is_fed_back, given.filter) {
            (true, _) => format!(": integrated {}, fed back from what is measured", times(given.degree)),
            (false, 0) => String::new(),
            (false, order) => format!(": behind a filter of order {order}"),
        };
        talk.say(&format!("`{}` is {}{with}", given.port.variable, differentiated(given.degree)));
    }
}

/// The block with its states, if it compiles.
fn compiled(session: &mut Session, block: &Block, said: &mut Vec<Diagnostic>) -> Option<Made> {
    let text = block.text();
    session.library().load_text(&format!("{}.mo", block.name), &text);
    let done = session.compile(Target::Class(&block.name), None).ok()?;
    said.extend(done.diagnostics.iter().filter(|said| said.is_error()).cloned());
    let model = done.model.filter(|_| said.iter().all(|said| !said.is_error()))?;
    let states = model.states();
    let inputs = block
        .given
        .iter()
        .chain(&block.kept)
        .map(|given| Input { name: given.port.variable.clone(), differentiated: given.degree });
    Some(Made {
        inputs: inputs.collect(),
        outputs: block.computed.iter().map(|port| port.variable.clone()).collect(),
        states: states.iter().map(|variable| variable.name.to_string()).collect(),
        text,
    })
}

/// Writes the block where it is wanted.
fn hand_out(options: &ClockedInverse, made: &Made, talk: &Talk) -> Result<(), Usage> {
    if !talk.json {
        let states = made.states.join(", ");
        talk.say(&format!("it has {} states: {states}", made.states.len()));
    }
    match &options.output {
        Some(path) => std::fs::write(path, &made.text)
            .map_err(|error| format!("cannot write `{}`: {error}", path.display())),
        None if talk.json => Ok(()),
        None => {
            talk.print(made.text.trim_end());
            Ok(())
        }
    }
}
