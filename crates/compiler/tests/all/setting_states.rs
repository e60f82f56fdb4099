//! The models that came with the proposal of `Real x = reinit(xs)`: the package TestSettingStates of Modelica change proposal 36.
//!
//! It is read from MODELICAPATH or ~/.rhei/libraries. Skipped, and saying so, where it or the Standard Library is not laid out;
//! `tests/language/measured_states.md` has models of our own for all of it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rhei_compiler::{Compilation, Session, with_deep_stack};
use rhei_library::{Library, default_roots};
use rhei_results::Trajectories;
use rhei_source::{Disk, EntryKind, World};

use crate::workshop::{Settings, run};

/// The disk, and a file of variants.
struct WithVariants;

const VARIANTS: &str = "variants of setting states.mo";
const TEXT: &str =
    "model Refused1 extends TestSettingStates.ErrorExamples.DiscretizedIncorrect1; end Refused1;
model Refused2 extends TestSettingStates.ErrorExamples.DiscretizedIncorrect2; end Refused2;
model Refused3 extends TestSettingStates.ErrorExamples.DiscretizedIncorrect3; end Refused3;
model Late extends TestSettingStates.ErrorExamples.DiscretizedIncorrect4; end Late;
model Elements extends TestSettingStates.TrialArrayDemonstration; end Elements;
model AsWritten extends TestSettingStates.System.FeedbackControl; end AsWritten;
model Euler
  extends TestSettingStates.System.FeedbackControl(periodicClock1(solverMethod = \"ExplicitEuler\"));
end Euler;
model External
  extends TestSettingStates.System.FeedbackControl(periodicClock1(solverMethod = \"External\"));
end External;
model Both extends TestSettingStates.System.BothControl; end Both;
";

impl World for WithVariants {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path == Path::new(VARIANTS) { Ok(TEXT.into()) } else { Disk.read(path) }
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        if path == Path::new(VARIANTS) { Some(EntryKind::File) } else { Disk.kind(path) }
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        Disk.list(directory)
    }

    fn variable(&self, name: &str) -> Option<String> {
        Disk.variable(name)
    }
}

fn package_is_there() -> bool {
    let library = Library::new(Arc::new(Disk), default_roots(&Disk, []));
    let missing =
        ["Modelica", "TestSettingStates"].into_iter().find(|name| library.top_level(name).is_none());
    if let Some(missing) = missing {
        println!("skipped: `{missing}` is not in MODELICAPATH or ~/.rhei/libraries");
    }
    missing.is_none()
}

fn compile(name: &str) -> Compilation {
    with_deep_stack(|| {
        let roots: Vec<PathBuf> = default_roots(&Disk, []);
        let mut session = Session::new(Arc::new(WithVariants), roots);
        session.compile(Path::new(VARIANTS), Some(name)).expect("the file is there")
    })
}

/// The curves of a variant at these times.
fn curves(name: &str, times: &[f64]) -> Trajectories {
    let done = compile(name);
    assert!(!done.has_errors(), "{name}: {:?}", done.diagnostics);
    let stop = times.last().copied();
    let settings = Settings { stop, tolerance: Some(1e-9), ..Settings::default() };
    let model = done.model.expect("it compiles");
    let (outcome, rows) = with_deep_stack(|| run(&model, &settings, times.to_vec()));
    assert!(outcome.diagnostics.iter().all(|said| !said.is_error()), "{:?}", outcome.diagnostics);
    rows
}

/// A variable of a run.
fn values(rows: &Trajectories, name: &str) -> Vec<f64> {
    rows.get(name).unwrap_or_else(|| panic!("{name} is recorded")).to_vec()
}

#[track_caller]
fn close(found: &[f64], expected: &[f64], relative: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= relative * expected.abs(), "{found}, and not {expected}");
    }
}

#[test]
fn what_is_incorrect_is_refused() {
    if !package_is_there() {
        return;
    }
    let rules = ["measured-not-whole-binding", "measured-not-whole-binding", "always-conflict"];
    for (i, rule) in rules.into_iter().enumerate() {
        let done = compile(&format!("Refused{}", i + 1));
        let errors: Vec<&str> =
            done.diagnostics.iter().filter(|said| said.is_error()).map(|said| said.id).collect();
        assert_eq!(errors, [rule], "DiscretizedIncorrect{}", i + 1);
    }
}

#[test]
fn reinit_at_the_end_of_a_tick_is_one_step_late() {
    if !package_is_there() {
        return;
    }
    let rows = curves("Late", &[0.5, 1.0]);
    close(&values(&rows, "discretized3.y"), &[0.78099, 1.7355371901], 1e-10);
    close(&values(&rows, "discretized2.y"), &[1.0, 2.0], 1e-15);
    close(&values(&rows, "discretized1.x"), &[0.045245, 0.1743392201], 1e-9);
    let rows = curves("Elements", &[0.5, 1.0]);
    close(&values(&rows, "discretized2.y[1]"), &[1.0, 2.0], 1e-15);
    close(&values(&rows, "discretized1.x[1]"), &[0.045245, 0.1743392201], 1e-9);
}

#[test]
fn the_mixing_unit_is_led_along_its_curve() {
    if !package_is_there() {
        return;
    }
    let times = [0.0, 50.0, 100.0, 150.0, 200.0, 300.0];
    let rows = curves("Euler", &times);
    let concentrations = [0.49184, 0.48202375, 0.42127255, 0.32740390, 0.25419595, 0.20572281];
    let temperatures = [302.346547, 304.358633, 300.901768, 300.280275, 303.387964, 307.560553];
    close(&values(&rows, "mixingUnit.c"), &concentrations, 1e-6);
    close(&values(&rows, "invMixingUnit.T_c"), &temperatures, 1e-6);
    close(&values(&rows, "filter.y")[5..], &[0.23752318], 1e-7);

    let (written, external) = (curves("AsWritten", &times), curves("External", &times));
    for name in ["mixingUnit.c", "mixingUnit.T", "invMixingUnit.T_c", "filter.y"] {
        let (written, external) = (values(&written, name), values(&external, name));
        let far = written.iter().zip(&external).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(far < 1e-3, "{name}: {far}");
    }
    // feedforward beside it: the plant follows the filter closely
    let both = curves("Both", &times);
    let (c, wanted) = (values(&both, "mixingUnit.c"), values(&both, "filter.y"));
    let far = c.iter().zip(&wanted).map(|(c, wanted)| (c - wanted).abs()).fold(0.0, f64::max);
    assert!(far < 6e-3, "{far}");
}
