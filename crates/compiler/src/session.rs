//! The sources, and the way of a model through the passes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rhei_clocks::tell_apart;
use rhei_equations::Equations;
use rhei_flat::Flat;
use rhei_flatten::{Flattened, check_whole_balance, flatten};
use rhei_library::{ClassId, Library};
use rhei_model::CompiledModel;
use rhei_scalarize::{GaveUp, scalarize};
use rhei_semantics::instantiate;
use rhei_solvable::Mode;
use rhei_source::{Diagnostic, Files, World};
use rhei_structure::{Entry, Modes, made_solvable, make_solvable, with_settled_zeros};
use rhei_units::check_units;

use crate::Timings;
use crate::deep::spawn_deep;
use crate::generate::generate;
use crate::settings::SETTINGS_FILE;
use crate::solved::Solved;
use crate::ticking_modes::make_part;

pub use rhei_library::UnreadableFile;

/// Sources and where they come from.
pub struct Session {
    library: Library,
    /// The files of the library after the last compilation.
    files: Files,
}

/// The class to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<'a> {
    /// A class of this file, or of the package that this folder is.
    File(&'a Path),
    /// The class of this full name, in a library.
    Class(&'a str),
}

impl<'a> Target<'a> {
    /// A text that exists as a path or ends in `.mo` is a file; any other is a class.
    pub fn of(text: &'a str, world: &dyn World) -> Self {
        let path = Path::new(text);
        let is_file =
            path.extension().is_some_and(|extension| extension == "mo") || world.kind(path).is_some();
        if is_file { Target::File(path) } else { Target::Class(text) }
    }
}

impl<'a> From<&'a Path> for Target<'a> {
    fn from(path: &'a Path) -> Self {
        Target::File(path)
    }
}

/// A model at every stage it reached.
#[derive(Default)]
pub struct Compilation {
    /// Without classes, arrays kept.
    pub flat: Option<Flat>,
    /// As scalar equations.
    pub equations: Option<Equations>,
    /// Ready to run.
    pub model: Option<Arc<CompiledModel>>,
    /// All diagnostics, in the order of the passes.
    pub diagnostics: Vec<Diagnostic>,
    /// How long the passes took.
    pub timings: Timings,
}

impl Compilation {
    /// Whether the model was refused.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

impl Session {
    /// A session in this world, with libraries in these folders; see [`default_roots`](rhei_library::default_roots).
    pub fn new(world: Arc<dyn World>, roots: Vec<PathBuf>) -> Self {
        Session { library: Library::new(world, roots), files: Files::default() }
    }

    /// A session for changed sources: only files with new texts are parsed again. Texts that were loaded beside the files are
    /// forgotten.
    #[must_use]
    pub fn renewed(self, world: Arc<dyn World>) -> Self {
        Session { library: self.library.renewed(world), files: Files::default() }
    }

    /// All classes, known and yet to be found.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// All files that were read for the compilations so far.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Takes a model through all passes: the class `name` of the target, or the target itself, which for a file is its last
    /// model.
    pub fn compile<'a>(
        &mut self,
        target: impl Into<Target<'a>>,
        name: Option<&str>,
    ) -> Result<Compilation, UnreadableFile> {
        self.take(target.into(), name, passes)
    }

    /// As [`Session::compile`], with a modification of the model: `n = 5, r(x = 1)`. The model keeps its own name.
    pub(crate) fn compile_modified(
        &mut self,
        target: Target<'_>,
        name: Option<&str>,
        modification: &str,
    ) -> Result<Compilation, UnreadableFile> {
        self.take(target, name, |library, class, done| {
            let own = library.qualified_name(class);
            // one class for each modification
            let n = library.files().len();
            let text = format!("model 'with settings {n}' = {own}({modification});");
            let modified = *library.load_text(SETTINGS_FILE, &text).first()?;
            passes_as(library, modified, Some(own), done)
        })
    }

    /// Takes a model as far as its flat form.
    pub fn flatten<'a>(
        &mut self,
        target: impl Into<Target<'a>>,
        name: Option<&str>,
    ) -> Result<Compilation, UnreadableFile> {
        self.take(target.into(), name, front_passes)
    }

    fn take(
        &mut self,
        target: Target<'_>,
        name: Option<&str>,
        passes: impl FnOnce(&Library, ClassId, &mut Compilation) -> Option<()>,
    ) -> Result<Compilation, UnreadableFile> {
        let mut done = Compilation::default();
        let Compilation { diagnostics, timings, .. } = &mut done;
        let library = &self.library;
        library.forget_broken();
        let class = timings.measure("parse", || find(library, target, name, diagnostics))?;
        if let Some(class) = class {
            passes(library, class, &mut done);
        }
        self.files = library.files();
        Ok(done)
    }
}

/// The class to compile; if there is none, `diagnostics` get the reason.
fn find(
    library: &Library,
    target: Target<'_>,
    name: Option<&str>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Option<ClassId>, UnreadableFile> {
    let found = match target {
        Target::File(path) => {
            let classes = library.load_file(path)?;
            match name {
                Some(name) => library.find_in(&classes, name),
                None => {
                    let class = library.main_class(&classes);
                    diagnostics.extend(library.take_diagnostics());
                    // a file with syntax errors has been reported
                    if class.is_none() && !library.is_broken() {
                        let message = format!("there is no class in `{}`", path.display());
                        diagnostics.push(Diagnostic::error("class-not-found", message));
                    }
                    return Ok(class);
                }
            }
        }
        Target::Class(class) => {
            let outer = library.find(class);
            outer.and_then(|outer| name.map_or(Ok(outer), |name| library.find_in(&[outer], name)))
        }
    };
    diagnostics.extend(library.take_diagnostics());
    Ok(found.map_err(|not_found| diagnostics.push(not_found.diagnostic())).ok())
}

/// Number of variables and equations of a flat model from which on its units are checked on a thread of their
/// own: for smaller models the thread costs more than it saves.
const LARGE: usize = 10_000;

/// The order of the passes; each goes on from what the one before it left.
fn passes(library: &Library, class: ClassId, done: &mut Compilation) -> Option<()> {
    passes_as(library, class, None, done)
}

/// The same, with this name for the model.
fn passes_as(library: &Library, class: ClassId, name: Option<String>, done: &mut Compilation) -> Option<()> {
    flat_passes(library, class, done)?;
    let mut flat = done.flat.take()?;
    flat.name = name.unwrap_or(flat.name);
    let built = match flat.variables.len() + flat.equations.len() >= LARGE {
        true => beside(check_units, &flat, done),
        false => {
            done.diagnostics.extend(done.timings.measure("units", || check_units(&flat)));
            back_passes(&flat, done)
        }
    };
    done.flat = Some(flat);
    built
}

/// The passes after the flat model, with `check`, on which nothing depends, on another thread. Its diagnostics come first, as
/// if it had run first.
fn beside(check: fn(&Flat) -> Vec<Diagnostic>, flat: &Flat, done: &mut Compilation) -> Option<()> {
    let (n_said, n_passes) = (done.diagnostics.len(), done.timings.len());
    std::thread::scope(|scope| {
        let timed_check = || {
            let mut timings = Timings::default();
            let said = timings.measure("units", || check(flat));
            (said, timings)
        };
        let checking = spawn_deep(scope, timed_check);
        let built = back_passes(flat, done);
        let (said, timings) = match checking.map(|thread| thread.join()) {
            Ok(Ok(checked)) => checked,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => timed_check(), // no thread available
        };
        done.diagnostics.splice(n_said..n_said, said);
        done.timings.insert(n_passes, timings);
        built
    })
}

/// From the class to the flat model, with its units checked.
fn front_passes(library: &Library, class: ClassId, done: &mut Compilation) -> Option<()> {
    flat_passes(library, class, done)?;
    let flat = done.flat.as_ref()?;
    done.diagnostics.extend(done.timings.measure("units", || check_units(flat)));
    Some(())
}

/// From the class to the flat model.
fn flat_passes(library: &Library, class: ClassId, done: &mut Compilation) -> Option<()> {
    let Compilation { diagnostics, timings, .. } = done;
    let (instance, said) = timings.measure("instantiate", || instantiate(library, class));
    diagnostics.extend(library.take_diagnostics()); // those of the files that it reached
    let broken = library.is_broken();
    diagnostics.extend(library.check_uses(class));
    diagnostics.extend(library.take_diagnostics());
    diagnostics.extend(said);
    // files with syntax errors elsewhere are still checked, but nothing is built on them
    let instance = instance.filter(|_| !broken)?;

    let (flattened, said) = timings.measure("flatten", || flatten(instance));
    diagnostics.extend(said);
    let is_whole = matches!(flattened, Flattened::Whole(_));
    done.flat = flattened.flat();
    is_whole.then_some(())
}

/// From the flat model to the compiled model.
fn back_passes(flat: &Flat, done: &mut Compilation) -> Option<()> {
    let Compilation { diagnostics, timings, .. } = done;
    let (equations, said) = timings.measure("scalarize", || scalarize(flat));
    diagnostics.extend(said);
    if let Err(GaveUp::Refused) = equations {
        diagnostics.extend(check_whole_balance(flat));
    }
    done.equations = equations.ok();
    let equations = done.equations.as_ref()?;

    let (parts, said) = timings.measure("clocks", || tell_apart(equations));
    diagnostics.extend(said);
    let (unclocked, partitions) = parts?;
    let unclocked = timings.measure("structure", || with_settled_zeros(&unclocked));
    let modes = timings.measure("structure", || Modes::of(&unclocked));
    let unclocked = modes.as_ref().map_or(&*unclocked, Modes::equations);
    let (mut solvable, mut said) =
        timings.measure("structure", || make_solvable(unclocked, &Mode::default()));
    let mut start_notes = Vec::new();
    let is_refused_at_start = solvable.is_none();
    if modes.is_some() {
        // the initial problem belongs to the mode in which the run begins
        if solvable.is_none() {
            let (on_the_way, _) = made_solvable(unclocked, &Mode::default(), Entry::OnTheWay);
            solvable = on_the_way;
        }
        if solvable.is_some() {
            start_notes = std::mem::take(&mut said);
        }
    }
    diagnostics.extend(said);
    let mut ticking = Vec::new();
    for partition in partitions {
        let (part, said) = timings.measure("structure", || make_part(partition));
        diagnostics.extend(said);
        ticking.push(part);
    }
    let (equations, solvable) = solvable?;
    let ticking: Vec<_> = ticking.into_iter().collect::<Option<_>>()?;

    let is_refused_at_start = is_refused_at_start && modes.is_some();
    let solved = Solved { equations, solvable, ticking, modes, start_notes, is_refused_at_start };
    done.model = Some(Arc::new(timings.measure("code", || solved.generate())));
    Some(())
}

/// Other equations in place of those of a compiled model of one mode, with its clocked partitions; none where they cannot be solved.
pub fn recompiled(model: &CompiledModel, equations: &Equations) -> Option<Arc<CompiledModel>> {
    let (solvable, _) = make_solvable(equations, &Mode::default());
    let (equations, solvable) = solvable?;
    Some(Arc::new(generate(equations, solvable).with_parts(model.parts.clone())))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use rhei_source::{InMemory, Style, render};

    use super::*;

    const MODEL: &str = "model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;";

    /// The model that a target leads to, or the diagnostics instead.
    fn compiled(target: &str, name: Option<&str>) -> String {
        let world = InMemory::default()
            .with_file("/lib/L/package.mo", format!("package L package Sub {MODEL} end Sub; end L;"))
            .with_file("/lib/L/Broken.mo", "within L; model Broken Real x end Broken;")
            .with_file("/w/a.mo", format!("package P {MODEL} end P; {MODEL} function f end f;"))
            .with_file("/w/typo.mo", "model T LL.Sub.M m; end T;")
            .with_file("/w/empty.mo", "");
        let target_of = world.clone();
        let mut session = Session::new(Arc::new(world), vec!["/lib".into()]);
        let done = match session.compile(Target::of(target, &target_of), name) {
            Ok(done) => done,
            Err(unreadable) => return unreadable.to_string(),
        };
        match &done.model {
            Some(_) => "compiled".into(),
            None => done.diagnostics.iter().map(|d| render(d, session.files(), Style::Plain)).collect(),
        }
    }

    #[test]
    fn files_and_classes_of_libraries_are_compiled() {
        assert_eq!(compiled("/w/a.mo", None), "compiled", "the last model, not the function after it");
        assert_eq!(compiled("/w/a.mo", Some("P.M")), "compiled");
        assert_eq!(compiled("L.Sub.M", None), "compiled");
        assert_eq!(compiled("L", Some("Sub.M")), "compiled");
        assert_eq!(compiled("/lib/L", Some("Sub.M")), "compiled");
    }

    #[test]
    fn what_is_not_there_is_told() {
        expect!["error[class-not-found]: there is no class `Mm` in `P`"]
            .assert_eq(&compiled("/w/a.mo", Some("P.Mm")));
        expect!["error[class-not-found]: there is no class `Mm` in `L.Sub`"]
            .assert_eq(&compiled("L.Sub.Mm", None));
        expect!["cannot read `/w/b.mo`: entity not found"].assert_eq(&compiled("/w/b.mo", None));
        expect!["error[class-not-found]: there is no class in `/w/empty.mo`"]
            .assert_eq(&compiled("/w/empty.mo", None));
        expect![[r#"
            error[unknown-type]: there is no class or type `LL` in `T`
             --> /w/typo.mo:1:9
              |
            1 | model T LL.Sub.M m; end T;
              |         ^^ not known
              |
              = note: did you mean `L`?"#]]
        .assert_eq(&compiled("/w/typo.mo", None));
    }

    #[test]
    fn nothing_is_built_on_a_broken_file_of_a_library() {
        assert_ne!(compiled("L.Broken", None), "compiled");
    }
}
