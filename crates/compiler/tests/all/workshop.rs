//! Text in, curves out, nothing written: what all tests of this folder are made with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rhei_compiler::{Compilation, Session, with_deep_stack};
use rhei_equations::Experiment;
use rhei_flatten::flatten;
use rhei_library::Library;
use rhei_model::CompiledModel;
use rhei_numerics::Method;
use rhei_results::Trajectories;
use rhei_run::{Choices, EventSearch, Execution, Options, Outcome, OutputTimes, Projection, simulate};
use rhei_semantics::instantiate;
use rhei_source::{Files, InMemory};

/// The folder that holds all crates.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace exists")
}

/// The text of a file of the workspace.
pub fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A text taken through all passes.
pub fn compile(text: &str) -> (Compilation, Files) {
    compile_class(text, None)
}

/// The same for one class of the text.
pub fn compile_class(text: &str, class: Option<&str>) -> (Compilation, Files) {
    let world = InMemory::default().with_file("model.mo", text);
    with_deep_stack(move || {
        let mut session = Session::new(Arc::new(world), Vec::new());
        let done = session.compile(Path::new("model.mo"), class).expect("the file is there");
        (done, session.files().clone())
    })
}

/// The model of a text that has no mistakes.
pub fn model(text: &str) -> Arc<CompiledModel> {
    let (done, _) = compile(text);
    done.model.unwrap_or_else(|| panic!("{:?}", done.diagnostics))
}

/// The value of a variable in a row.
pub fn value(rows: &Trajectories, name: &str, row: usize) -> f64 {
    rows.get(name).unwrap_or_else(|| panic!("{name} is recorded"))[row]
}

/// A text taken to the flat model and no further.
pub fn flatten_only(text: &str) -> (Compilation, Files) {
    let world = InMemory::default().with_file("model.mo", text);
    with_deep_stack(move || {
        let library = Library::new(Arc::new(world), Vec::new());
        let mut done = Compilation::default();
        let classes = library.load_file(Path::new("model.mo")).expect("the file is there");
        if let Some(class) = library.main_class(&classes) {
            let (instance, said) = instantiate(&library, class);
            done.diagnostics.extend(library.take_diagnostics());
            done.diagnostics.extend(said);
            if let Some(instance) = instance.filter(|_| !done.has_errors()) {
                let (flattened, said) = flatten(instance);
                done.diagnostics.extend(said);
                done.flat = flattened.flat();
            }
        }
        (done, library.files())
    })
}

/// How a model is run, where its own annotation and the program's defaults are not wanted.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub start: Option<f64>,
    pub stop: Option<f64>,
    pub tolerance: Option<f64>,
    pub method: Option<Method>,
    pub step: Option<f64>,
    pub projection: Projection,
    pub events: EventSearch,
}

impl Settings {
    /// From words such as `stop=2 method=rk4 step=0.01`.
    pub fn parse(words: &str) -> Result<Settings, String> {
        let mut settings = Settings::default();
        for word in words.split_whitespace() {
            let (key, value) = word.split_once('=').ok_or_else(|| format!("`{word}` is not name=value"))?;
            let number = || value.parse::<f64>().map(Some).map_err(|_| format!("`{value}` is not a number"));
            match key {
                "start" => settings.start = number()?,
                "stop" => settings.stop = number()?,
                "tolerance" => settings.tolerance = number()?,
                "step" => settings.step = number()?,
                "method" => settings.method = Some(value.parse().map_err(|unknown| format!("{unknown}"))?),
                _ => return Err(format!("there is no setting `{key}`")),
            }
        }
        Ok(settings)
    }

    /// From when to when a model is run.
    pub fn span(&self, experiment: &Experiment) -> (f64, f64) {
        let start = self.start.or(experiment.start_time).unwrap_or(0.0);
        (start, self.stop.or(experiment.stop_time).unwrap_or(start + 1.0))
    }
}

/// Runs a model with rows at exactly these times, every variable recorded: interpreted and as machine code of both kinds, which must
/// come to the same bits and say the same.
pub fn run(model: &Arc<CompiledModel>, settings: &Settings, times: Vec<f64>) -> (Outcome, Trajectories) {
    let interpreted = run_as(model, settings, times.clone(), Execution::Interpreted);
    for way in [Execution::Quick, Execution::Machine] {
        let (outcome, rows) = run_as(model, settings, times.clone(), way);
        assert_eq!(format!("{outcome:?}"), format!("{:?}", interpreted.0), "{way:?} does something else");
        assert_eq!(rows.time(), interpreted.1.time(), "{way:?} writes other rows");
        for (i, column) in rows.columns().iter().enumerate() {
            let [here, there] = [&rows, &interpreted.1]
                .map(|rows| rows.column(i).iter().map(|value| value.to_bits()).collect::<Vec<u64>>());
            assert_eq!(here, there, "{way:?} has other values of {}", column.name);
        }
    }
    interpreted
}

/// The same in one way.
pub fn run_as(
    model: &Arc<CompiledModel>,
    settings: &Settings,
    times: Vec<f64>,
    execution: Execution,
) -> (Outcome, Trajectories) {
    let (start_time, stop_time) = settings.span(&model.equations.experiment);
    let options = Options {
        start_time,
        stop_time,
        tolerance: settings.tolerance.or(model.equations.experiment.tolerance).unwrap_or(1e-6),
        method: settings.method.unwrap_or(Method::Bdf),
        step: settings.step.unwrap_or((stop_time - start_time) / 500.0),
        output: OutputTimes::At(times),
        choices: Choices {
            execution,
            projection: Some(settings.projection),
            events: settings.events,
            ..Choices::default()
        },
        ..Options::until(stop_time)
    };
    let (columns, recorded) = model.columns(|_| true);
    let mut rows = Trajectories::new(columns);
    let outcome = simulate(model, &options, &recorded, &mut rows);
    (outcome, rows)
}

/// The currents of a square grid of `n` by `n` nodes with potentials `v`, between neighbours by a law of current `i` and voltage `u`.
pub(crate) fn grid_currents(law: &str) -> String {
    format!(
        "for i in 1:n, j in 1:n - 1 loop
           da[i, j] = v[i, j] - v[i, j + 1];
           db[j, i] = v[j, i] - v[j + 1, i];
           {}
           {}
         end for;",
        law.replace('i', "across[i, j]").replace('u', "da[i, j]"),
        law.replace('i', "along[j, i]").replace('u', "db[j, i]"),
    )
}

/// The flow from node `i, j` of it to its neighbours.
pub(crate) const GRID_OUTFLOW: &str =
    "(if j < n then across[i, min(j, n - 1)] else 0) - (if j > 1 then across[i, max(j - 1, 1)] else 0)
      + (if i < n then along[min(i, n - 1), j] else 0) - (if i > 1 then along[max(i - 1, 1), j] else 0)";
