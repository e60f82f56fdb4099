//! A compiled model.

use std::path::Path;
use std::sync::Arc;
use std::{fmt, fs, io};

use rhei_compiler::{OfCompiled, PortableModel, set_compiled, unanswered};
use rhei_equations::VarId;
use rhei_flat::Declarations;
use rhei_results::Trajectories;
use rhei_source::{Diagnostic, Files};
use rustc_hash::FxHashMap;

use crate::engine::{CompiledModel, OutputTimes};
use crate::write_whole::write_whole;
use crate::{Experiment, Refused, Results, Simulation, Value, WrongExperiment};

/// A model, ready to run as often as you like. It never changes: with other parameters it is another model, which shares
/// everything else with it.
#[derive(Clone)]
pub struct Model {
    made: Arc<PortableModel>,
    /// Parameters that have other values.
    pub(crate) set: Arc<FxHashMap<VarId, f64>>,
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
    pub(crate) fn new(made: PortableModel, set: FxHashMap<VarId, f64>) -> Model {
        Model { made: Arc::new(made), set: Arc::new(set) }
    }

    /// The model as bytes, with the parameters that have other values: [`Model::from_bytes`] makes it a model again, in another process
    /// or on another machine, whose runs have the same bits. It takes along the lines of source text that messages may quote.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.made.write(&self.set)
    }

    /// A model that [`Model::to_bytes`] has written, by the same version of rhei. `name` is that of the file, for messages.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<Model, Refused> {
        let (made, set) = PortableModel::read(bytes).map_err(|wrong| Refused::of(wrong.diagnostic(name)))?;
        Ok(Model::new(made, set))
    }

    /// Writes the model to a file, which is there as a whole or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<()> {
        write_whole(path.as_ref(), &self.to_bytes())
    }

    /// Reads a model that [`Model::save`] has written.
    pub fn load(path: impl AsRef<Path>) -> Result<Model, Refused> {
        let name = path.as_ref().display().to_string();
        let bytes = fs::read(&path).map_err(|error| {
            Refused::of(Diagnostic::error("file-not-read", format!("cannot read `{name}`: {error}")))
        })?;
        Model::from_bytes(&bytes, &name)
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

    /// The model with all that goes along with it.
    pub(crate) fn made(&self) -> &PortableModel {
        &self.made
    }

    /// The model as the run knows it.
    pub(crate) fn compiled(&self) -> &Arc<CompiledModel> {
        &self.made.compiled
    }

    /// Its variables as they are declared.
    pub(crate) fn declarations(&self) -> &Declarations {
        &self.made.declarations
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

    /// What becomes of settings as they are written: `name=value`.
    pub(crate) fn settings(&self, settings: &[String]) -> OfCompiled {
        let PortableModel { compiled, declarations, .. } = &*self.made;
        set_compiled(declarations, &compiled.equations, settings)
    }

    /// The same model with values for the run, without the diagnostics that ask for these settings.
    pub(crate) fn set(&self, values: FxHashMap<VarId, f64>, settings: &[String]) -> Model {
        let PortableModel { compiled, declarations, diagnostics, files } = &*self.made;
        let made = PortableModel {
            compiled: compiled.clone(),
            declarations: declarations.clone(),
            diagnostics: unanswered(diagnostics, settings),
            files: files.clone(),
        };
        let mut set = (*self.set).clone();
        set.extend(values);
        Model::new(made, set)
    }

    /// A parameter or an input with a value, by its scalars.
    pub(crate) fn values_of(&self, name: &str, value: &Value) -> Result<Vec<(VarId, f64)>, WrongParameter> {
        match self.settings(&[format!("{name}={value}")]) {
            OfCompiled::Values(values) => Ok(values.into_iter().collect()),
            OfCompiled::Shape(diagnostics) | OfCompiled::Wrong(diagnostics) => {
                Err(WrongParameter { diagnostics })
            }
        }
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
