//! A compiled model.

use std::fmt;
use std::sync::Arc;

use rhei_compiler::values_of;
use rhei_equations::{Kind, VarId};
use rhei_flat::{Causality, Flat};
use rhei_model::CompiledModel;
use rhei_results::Trajectories;
use rhei_run::simulate;
use rhei_source::{Diagnostic, Files};
use rustc_hash::FxHashMap;

use crate::{Experiment, Results, Simulation, Value, WrongExperiment};

/// A model, ready to run as often as you like. It never changes: with other parameters it is another one, which shares all else with it.
#[derive(Clone)]
pub struct Model {
    made: Arc<Made>,
    /// Parameters that have other values.
    pub(crate) set: Arc<FxHashMap<VarId, f64>>,
}

struct Made {
    compiled: Arc<CompiledModel>,
    flat: Flat,
    diagnostics: Vec<Diagnostic>,
    files: Files,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Model({})", self.name())
    }
}

/// A variable, as the modeller knows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VariableInfo<'a> {
    /// Its name: `body.r[2]`, `der(x)`.
    pub name: &'a str,
    /// Its unit, where one is known.
    pub unit: Option<&'a str>,
    /// The text beside its declaration, or nothing.
    pub description: &'a str,
    /// How it varies.
    pub variability: Variability,
    /// Whether it is an input of the whole model.
    pub is_input: bool,
    /// Whether it is an output of the whole model.
    pub is_output: bool,
}

/// How a variable varies over a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variability {
    /// Never, in no run.
    Constant,
    /// From run to run.
    Parameter,
    /// At events.
    Discrete,
    /// All the time.
    Continuous,
}

/// A parameter that cannot have a value.
#[derive(Clone, Debug)]
pub struct WrongParameter {
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

impl fmt::Display for WrongParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<&str> = self.diagnostics.iter().map(|said| said.message.as_str()).collect();
        f.write_str(&texts.join("; "))
    }
}

impl std::error::Error for WrongParameter {}

impl Model {
    pub(crate) fn new(
        compiled: Arc<CompiledModel>,
        flat: Flat,
        set: FxHashMap<VarId, f64>,
        diagnostics: Vec<Diagnostic>,
        files: Files,
    ) -> Model {
        Model { made: Arc::new(Made { compiled, flat, diagnostics, files }), set: Arc::new(set) }
    }

    /// Its full name.
    pub fn name(&self) -> &str {
        &self.compiled().equations.name
    }

    /// Warnings and notes of its compilation.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.made.diagnostics
    }

    /// The files that diagnostics speak of.
    pub fn files(&self) -> &Files {
        &self.made.files
    }

    /// The model as the run knows it.
    pub fn compiled(&self) -> &Arc<CompiledModel> {
        &self.made.compiled
    }

    /// All variables that a modeller knows, and the derivatives of the states.
    pub fn variables(&self) -> Vec<VariableInfo<'_>> {
        let (_, shown) = self.compiled().columns(|_| true);
        shown.into_iter().map(|v| self.info(v)).collect()
    }

    fn info(&self, v: VarId) -> VariableInfo<'_> {
        let variable = self.compiled().equations.variable(v);
        let variability = match variable {
            variable if variable.kind == Kind::Constant => Variability::Constant,
            variable if variable.is_parameter() => Variability::Parameter,
            variable if variable.is_discrete => Variability::Discrete,
            _ => Variability::Continuous,
        };
        VariableInfo {
            name: &variable.name,
            unit: (!variable.unit.is_empty()).then_some(variable.unit.as_str()),
            description: &variable.description,
            variability,
            is_input: variable.causality == Some(Causality::Input),
            is_output: variable.causality == Some(Causality::Output),
        }
    }

    /// The names of its states at the start, in the order in which a run has them; those that a run chooses among are in state sets.
    pub fn states(&self) -> Vec<&str> {
        let model = self.compiled();
        let name = |v: VarId| model.equations.variable(v).name.as_str();
        model.solvable.states.iter().map(|state| name(state.variable)).collect()
    }

    /// The same model where a parameter or an input has another value. What shapes the model needs another compilation:
    /// [`Session::compile_with`](crate::Session::compile_with).
    pub fn with(&self, parameter: &str, value: impl Into<Value>) -> Result<Model, WrongParameter> {
        let mut set = (*self.set).clone();
        set.extend(self.values_of(parameter, &value.into())?);
        Ok(Model { made: self.made.clone(), set: Arc::new(set) })
    }

    /// A parameter or an input with a value, by its scalars.
    pub(crate) fn values_of(&self, name: &str, value: &Value) -> Result<Vec<(VarId, f64)>, WrongParameter> {
        let Made { compiled, flat, .. } = &*self.made;
        values_of(flat, &compiled.equations, &format!("{name}={value}"))
            .map_err(|diagnostics| WrongParameter { diagnostics })
    }

    /// Runs it from start to stop, all variables being recorded.
    pub fn simulate(&self, experiment: &Experiment) -> Result<Results, WrongExperiment> {
        let options = experiment.resolve(self)?.options;
        let (columns, recorded) = self.compiled().columns(|_| true);
        let mut rows = Trajectories::new(columns);
        let outcome = simulate(self.compiled(), &options, &recorded, &mut rows);
        Ok(Results::new(rows, outcome, self.files().clone()))
    }

    /// Starts a run that is led from outside.
    pub fn start(&self, experiment: &Experiment) -> Result<Simulation, WrongExperiment> {
        Ok(Simulation::start(self.clone(), &experiment.resolve(self)?.options))
    }
}
