//! A compiled model.

use std::fmt;
use std::sync::Arc;

use rhei_compiler::values_of;
use rhei_equations::VarId;
use rhei_flat::Flat;
use rhei_results::Trajectories;
use rhei_source::{Diagnostic, Files};
use rustc_hash::FxHashMap;

use crate::engine::{CompiledModel, OutputTimes};
use crate::{Experiment, Results, Simulation, Value, WrongExperiment};

/// A model, ready to run as often as you like. It never changes: with other parameters it is another model, which shares
/// everything else with it.
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

/// A parameter that cannot have a value.
#[derive(Clone, Debug)]
pub struct WrongParameter {
    /// The mistakes.
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

    /// The settings of its `experiment` annotation; all others are those of a default [`Experiment`].
    pub fn experiment(&self) -> Experiment {
        let annotated = &self.compiled().equations.experiment;
        Experiment {
            start_time: annotated.start_time,
            stop_time: annotated.stop_time,
            tolerance: annotated.tolerance,
            output: annotated.interval.map(OutputTimes::Every),
            ..Experiment::default()
        }
    }

    /// Whether there are balances in it.
    pub fn has_balances(&self) -> bool {
        self.compiled().equations.equations.iter().any(|equation| equation.balance.is_some())
    }

    /// The compiled model.
    pub(crate) fn compiled(&self) -> &Arc<CompiledModel> {
        &self.made.compiled
    }

    pub(crate) fn flat(&self) -> &Flat {
        &self.made.flat
    }

    /// The names of its states at the start, in the order of a run; states of state sets stand for candidates. [`Model::states`]
    /// says more.
    pub fn state_names(&self) -> Vec<&str> {
        let model = self.compiled();
        let name = |v: VarId| model.equations.variable(v).name.as_str();
        model.solvable.states.iter().map(|state| name(state.variable)).collect()
    }

    /// The same model with another value of a parameter or an input. Structural parameters need another compilation:
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
        let recording = self.recording(|_| true);
        let mut rows = Trajectories::new(recording.columns().clone());
        let outcome = self.simulate_into(experiment, &recording, &mut rows)?;
        Ok(Results::new(rows, outcome, self.files().clone()))
    }

    /// Starts a run that is led from outside.
    pub fn start(&self, experiment: &Experiment) -> Result<Simulation, WrongExperiment> {
        Ok(Simulation::start(self.clone(), experiment, &experiment.resolve(self)?.options))
    }
}
