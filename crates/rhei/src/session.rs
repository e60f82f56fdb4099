//! Sources and libraries, and the models compiled from them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use rhei_compiler::{OfCompiled, Session as Compiler, Target, UnreadableFile, with_deep_stack};
use rhei_library::{default_roots, parse_files};
use rhei_source::{Diagnostic, Disk, EntryKind, Files, World};

use crate::cache::{Cache, Question, default_folder};
use crate::inverse::{InverseRequest, Inverted, WrongInverse, invert};
use crate::seen::Seen;
use crate::texts::Texts;
use crate::{Compilation, Flattened, Model, Parsed, Refused, Value};

/// The source of models: files and libraries. Changes on disk are seen by the next compilation.
///
/// A target is a file or the folder of a package (`"tank.mo"`), or a class of a library by its name
/// (`"Modelica.Blocks.Examples.PID_Controller"`). Of a file, or a package, it is the last class, unless another one is named.
pub struct Session {
    world: Arc<Texts>,
    roots: Vec<PathBuf>,
    /// The files read so far, and the compiler; none before the first compilation.
    known: Option<KeptCompiler>,
    /// Models that were compiled before, in this process or another one.
    cache: Option<Cache>,
}

struct KeptCompiler {
    world: Arc<Seen>,
    compiler: Compiler,
    /// Whether the next compilation begins anew: mistakes in files are reported once, when they are read.
    is_used_up: bool,
}

/// How names of compiled models end.
const MODEL_FILE: &str = "rhei";

/// So many texts of settings are kept with the classes of the sources.
const MOST_TEXTS: usize = 64;

impl Default for Session {
    fn default() -> Session {
        Session::new()
    }
}

impl Session {
    /// Files of this machine, and the libraries in `MODELICAPATH` and `~/.rhei/libraries`.
    pub fn new() -> Session {
        Session::with_libraries([])
    }

    /// The same, with libraries in these folders, which are looked into first.
    pub fn with_libraries(folders: impl IntoIterator<Item = PathBuf>) -> Session {
        Session::in_world(Arc::new(Disk), default_roots(&Disk, folders))
    }

    /// Files of another world, such as [`InMemory`](crate::InMemory), with libraries in these folders of it.
    pub fn in_world(world: Arc<dyn World>, roots: Vec<PathBuf>) -> Session {
        Session { world: Arc::new(Texts::new(world)), roots, known: None, cache: None }
    }

    /// The same with a folder of compiled models: one whose sources are as they were is not compiled again, in this process or another
    /// one. [`Session::default_cache`] is the folder of the command line.
    #[must_use]
    pub fn with_cache(self, folder: impl Into<PathBuf>) -> Session {
        Session { cache: Some(Cache::in_folder(folder.into())), ..self }
    }

    /// The folder of compiled models that the command line uses: `rhei/models` in `$XDG_CACHE_HOME`, or in `~/.cache`; nothing where
    /// there is no such place.
    pub fn default_cache() -> Option<PathBuf> {
        default_folder(&Disk)
    }

    /// Gives a text, as if it were a file of this name: `session.set_text("tank.mo", …)`, and `"tank.mo"` is a target. It hides a file of
    /// the same name, and may be given anew as often as it is edited.
    pub fn set_text(&mut self, name: &str, text: impl Into<String>) {
        self.world.set(name, Some(text.into()));
    }

    /// Takes a text away again.
    pub fn remove_text(&mut self, name: &str) {
        self.world.set(name, None);
    }

    /// Compiles a model.
    pub fn compile(&mut self, target: &str) -> Result<Model, Refused> {
        self.compile_with(target, None, &[])
    }

    /// The same for a class of a file, with other values of parameters. These may be structural: sizes of arrays, conditions of
    /// components, texts.
    pub fn compile_with(
        &mut self,
        target: &str,
        class: Option<&str>,
        parameters: &[(&str, Value)],
    ) -> Result<Model, Refused> {
        let settings: Vec<String> =
            parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        match self.check(target, class, &settings) {
            Ok(compilation) => compilation.into_model(),
            Err(unreadable) => {
                let said = Diagnostic::error("file-not-read", unreadable.to_string());
                let files = self.current().compiler.files().clone();
                Err(Refused { diagnostics: vec![said], files, blames_settings: false })
            }
        }
    }

    /// Compiles a model as far as possible, with all diagnostics that need no run. Parameters are set as they are written in
    /// Modelica: `name=value`.
    pub fn check(
        &mut self,
        target: &str,
        class: Option<&str>,
        settings: &[String],
    ) -> Result<Compilation, UnreadableFile> {
        if is_model_file(target) {
            let path = Path::new(target);
            let bytes = self.world.read(path);
            let bytes = bytes.map_err(|source| UnreadableFile { path: path.to_owned(), source })?;
            return Ok(of_model_file(target, &bytes, class, settings));
        }
        let Some(cache) = self.cache.clone() else { return self.compile_anew(target, class, settings) };
        let base = self.remembered(&cache, target, class, &[])?;
        if settings.is_empty() {
            return Ok(base);
        }
        if let Some(model) = base.model() {
            match model.settings(settings) {
                OfCompiled::Values(values) => {
                    let model = model.set(values, settings);
                    let diagnostics = model.diagnostics().to_vec();
                    return Ok(Compilation { diagnostics, built: Some(model), ..base });
                }
                OfCompiled::Wrong(diagnostics) => {
                    return Ok(Compilation { diagnostics, blames_settings: true, built: None, ..base });
                }
                OfCompiled::Shape(_) => {}
            }
        }
        self.remembered(&cache, target, class, settings)
    }

    /// A model that was compiled before, or is now.
    fn remembered(
        &mut self,
        cache: &Cache,
        target: &str,
        class: Option<&str>,
        settings: &[String],
    ) -> Result<Compilation, UnreadableFile> {
        let roots = self.roots.clone();
        let question = Question { target, class, settings, roots: &roots };
        let begun = Instant::now();
        let world: Arc<dyn World> = self.world.clone();
        if let Some((model, size)) = cache.find(&question, &world) {
            return Ok(Compilation::known(model, size, "cache", begun.elapsed()));
        }
        let compilation = self.compile_anew(target, class, settings)?;
        if let (Some(model), Some(known)) = (compilation.model(), &self.known) {
            with_deep_stack(|| cache.keep(&question, &known.world, compilation.size, model));
        }
        Ok(compilation)
    }

    fn compile_anew(
        &mut self,
        target: &str,
        class: Option<&str>,
        settings: &[String],
    ) -> Result<Compilation, UnreadableFile> {
        let KeptCompiler { world, compiler, is_used_up } = self.current();
        let done = with_deep_stack(|| compiler.compile_set(Target::of(target, &**world), class, settings))?;
        *is_used_up = !done.compilation.diagnostics.is_empty();
        Ok(Compilation::new(done, compiler.files().clone()))
    }

    /// The flat model, even of a model that cannot be solved.
    pub fn flatten(&mut self, target: &str, class: Option<&str>) -> Result<Flattened, UnreadableFile> {
        if is_model_file(target) {
            let diagnostics = vec![no_source(target)];
            return Ok(Flattened { text: None, diagnostics, files: Files::default(), timings: Vec::new() });
        }
        let KeptCompiler { world, compiler, is_used_up } = self.current();
        let done = with_deep_stack(|| compiler.flatten(Target::of(target, &**world), class))?;
        *is_used_up = !done.diagnostics.is_empty();
        Ok(Flattened {
            text: done.flat.as_ref().map(ToString::to_string),
            diagnostics: done.diagnostics,
            files: compiler.files().clone(),
            timings: done.timings.iter().collect(),
        })
    }

    /// Reads files for their syntax alone, and all `.mo` files in folders.
    pub fn parse(&self, paths: &[PathBuf]) -> Result<Parsed, UnreadableFile> {
        let mut files = Vec::new();
        for path in paths {
            self.collect(path, &mut files)?;
        }
        let (files, diagnostics) = parse_files(&*self.world, &files)?;
        Ok(Parsed { files, diagnostics })
    }

    /// The file itself, or all `.mo` files below a folder, sorted.
    fn collect(&self, path: &Path, files: &mut Vec<PathBuf>) -> Result<(), UnreadableFile> {
        if self.world.kind(path) != Some(EntryKind::Directory) {
            files.push(path.to_owned());
            return Ok(());
        }
        let entries = self.world.list(path);
        let entries = entries.map_err(|source| UnreadableFile { path: path.to_owned(), source })?;
        for (name, kind) in entries {
            let inner = path.join(&name);
            if kind == EntryKind::Directory || name.ends_with(".mo") {
                self.collect(&inner, files)?;
            }
        }
        Ok(())
    }

    /// The inverse of a model as a clocked block, for a controller.
    pub fn clocked_inverse(
        &mut self,
        target: &str,
        class: Option<&str>,
        request: &InverseRequest,
    ) -> Result<Inverted, WrongInverse> {
        if is_model_file(target) {
            return Ok(Inverted::refused(no_source(target)));
        }
        let KeptCompiler { world, compiler, is_used_up } = self.current();
        *is_used_up = true; // the block is no class of the sources
        with_deep_stack(|| invert(compiler, Target::of(target, &**world), class, request))
    }

    /// The compiler for the present sources. If they have changed, classes are found anew, and only files with new texts are
    /// parsed again.
    fn current(&mut self) -> &mut KeptCompiler {
        let world = || Arc::new(Seen::new(self.world.clone()));
        let known = match self.known.take() {
            Some(known) if known.is_as_it_was() => known,
            Some(KeptCompiler { compiler, .. }) => {
                let world = world();
                KeptCompiler { compiler: compiler.renewed(world.clone()), world, is_used_up: false }
            }
            None => {
                let world = world();
                let compiler = Compiler::new(world.clone(), self.roots.clone());
                KeptCompiler { world, compiler, is_used_up: false }
            }
        };
        self.known.insert(known)
    }
}

/// Whether a target is a compiled model, by its name.
fn is_model_file(target: &str) -> bool {
    Path::new(target).extension().is_some_and(|extension| extension == MODEL_FILE)
}

fn no_source(path: &str) -> Diagnostic {
    let message = format!("`{path}` is a compiled model: the classes it was made of are not in it");
    Diagnostic::error("model-file-without-source", message)
        .with_note("name the file or the class that it was compiled from")
}

/// A model from a file, as if it had been compiled.
fn of_model_file(path: &str, bytes: &[u8], class: Option<&str>, settings: &[String]) -> Compilation {
    let begun = Instant::now();
    let refused = |diagnostics, files, blames_settings| Compilation {
        name: String::new(),
        size: None,
        diagnostics,
        files,
        timings: Vec::new(),
        blames_settings,
        built: None,
    };
    let model = match Model::from_bytes(bytes, path) {
        Ok(model) => model,
        Err(Refused { diagnostics, files, .. }) => return refused(diagnostics, files, false),
    };
    if let Some(class) = class.filter(|class| *class != model.name()) {
        let message = format!(
            "there is no class `{class}` in `{path}`, which is the compiled model `{}`",
            model.name()
        );
        return refused(vec![Diagnostic::error("class-not-found", message)], Files::default(), false);
    }
    match model.settings(settings) {
        OfCompiled::Values(values) => {
            Compilation::known(model.set(values, settings), None, "read", begun.elapsed())
        }
        OfCompiled::Shape(diagnostics) | OfCompiled::Wrong(diagnostics) => {
            refused(diagnostics, model.files().clone(), true)
        }
    }
}

impl KeptCompiler {
    fn is_as_it_was(&self) -> bool {
        !self.is_used_up && self.compiler.library().n_texts() < MOST_TEXTS && self.world.is_unchanged()
    }
}

#[cfg(test)]
mod tests {
    use rhei_source::InMemory;

    use super::*;
    use crate::Experiment;

    const LIBRARY: [(&str, &str); 2] = [
        ("package.mo", "package Parts end Parts;"),
        ("Twice.mo", "within Parts; block Twice input Real u; output Real y = 2*u; end Twice;"),
    ];

    /// The text of an edit: every tenth does not follow the grammar, every other tenth names an unknown class, one twentieth a
    /// class that is given a size.
    fn edited(edit: usize) -> String {
        let oops = match edit % 10 {
            4 => "Parts.Thrice t;",
            9 => "oops",
            _ => "",
        };
        format!(
            "model M parameter Integer n = 1; Real x[n]; Parts.Twice twice(u = {edit}); {oops}
             equation for i in 1:n loop x[i] = i*twice.y; end for; end M;"
        )
    }

    /// Compiles an edited text, and checks the answer.
    fn ask(session: &mut Session, target: &str, edit: usize) {
        let n = 1 + edit % 7;
        let answer = match edit % 2 {
            0 => session.compile(target),
            _ => session.compile_with(target, None, &[("n", (n as i64).into())]),
        };
        match (edit % 10, answer) {
            (4, Err(refused)) => assert_eq!(refused.diagnostics[0].id, "unknown-type", "{refused}"),
            (9, Err(refused)) => assert!(refused.to_string().contains("m.mo:1"), "{refused}"),
            (_, Ok(model)) => {
                let last = model.simulate(&Experiment::default()).unwrap().last("x[1]");
                assert_eq!(last, Some(2.0 * edit as f64));
                assert_eq!(model.recording(|name| name.starts_with("x[")).len(), [1, n][edit % 2]);
            }
            (_, Err(refused)) => panic!("{refused}"),
        }
    }

    /// Only the present sources are kept, and the files of the library were parsed once.
    fn is_bounded(session: &Session, edit: usize) {
        let library = session.known.as_ref().unwrap().compiler.library();
        // the file, two of the library, and the settings of one answer or two
        assert!(library.files().len() <= 5, "{library:?} after {edit} edits");
        assert!(library.n_trees() <= 5, "{} trees after {edit} edits", library.n_trees());
        assert!(edit == 0 || library.n_parsed() <= 3, "{} parsed after {edit} edits", library.n_parsed());
    }

    #[test]
    fn a_text_that_is_edited_a_thousand_times_is_answered_for_each_time() {
        let world = LIBRARY.iter().fold(InMemory::default(), |world, (name, text)| {
            world.with_file(format!("/lib/Parts/{name}"), *text)
        });
        let mut session = Session::in_world(Arc::new(world), vec!["/lib".into()]);
        for edit in 0..1000 {
            session.set_text("m.mo", edited(edit));
            ask(&mut session, "m.mo", edit);
            if edit % 3 == 0 {
                ask(&mut session, "m.mo", edit); // diagnostics are repeated
            }
            is_bounded(&session, edit);
        }
        session.remove_text("m.mo");
        assert_eq!(session.compile("m.mo").unwrap_err().diagnostics[0].id, "file-not-read");
    }

    #[test]
    fn a_file_that_is_edited_a_thousand_times_is_answered_for_each_time() {
        let folder = std::env::temp_dir().join(format!("rhei-edits-{}", std::process::id()));
        let parts = folder.join("lib/Parts");
        std::fs::create_dir_all(&parts).unwrap();
        LIBRARY.iter().for_each(|(name, text)| std::fs::write(parts.join(name), text).unwrap());
        let file = folder.join("m.mo");
        let mut session = Session::in_world(Arc::new(Disk), vec![folder.join("lib")]);
        for edit in 0..1000 {
            std::fs::write(&file, edited(edit)).unwrap();
            ask(&mut session, file.to_str().unwrap(), edit);
            is_bounded(&session, edit);
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn settings_that_shape_a_model_leave_nothing_behind() {
        let mut session = Session::in_world(Arc::new(InMemory::default()), Vec::new());
        session.set_text("m.mo", "model M parameter Integer n = 1; Real x[n] = ones(n); end M;");
        for n in 1..300 {
            let model = session.compile_with("m.mo", None, &[("n", n.into())]).unwrap();
            assert_eq!(model.recording(|name| name.starts_with("x[")).len(), n as usize);
            let library = session.known.as_ref().unwrap().compiler.library();
            assert!(library.files().len() <= MOST_TEXTS + 2, "{library:?}");
        }
    }

    #[test]
    fn a_library_that_is_edited_is_seen() {
        let mut session = Session::in_world(Arc::new(InMemory::default()), vec!["/lib".into()]);
        session.set_text("m.mo", "model Four extends Parts.Twice(u = 2); end Four;");
        let four = |session: &mut Session| {
            let model = session.compile("m.mo").unwrap_or_else(|refused| panic!("{refused}"));
            model.simulate(&Experiment::default()).unwrap().last("y")
        };
        for (name, text) in LIBRARY {
            session.set_text(&format!("/lib/Parts/{name}"), text);
        }
        assert_eq!(four(&mut session), Some(4.0));
        session.set_text("/lib/Parts/Twice.mo", LIBRARY[1].1.replace("2*u", "3*u"));
        assert_eq!(four(&mut session), Some(6.0));
    }

    #[test]
    fn the_standard_library_is_parsed_once_for_all_edits() {
        let mut session = Session::new();
        let mut edit = |edit: usize| {
            let oops = if edit % 3 == 2 { "oops" } else { "" };
            let text = format!(
                "model M Modelica.Blocks.Sources.Constant source(k = {edit}); Modelica.Blocks.Math.Gain twice(k = 2); {oops}
                 equation connect(source.y, twice.u); end M;"
            );
            session.set_text("edited.mo", text);
            let answer = session.compile("edited.mo");
            let n_parsed = session.known.as_ref().unwrap().compiler.library().n_parsed();
            (answer.map(|model| model.simulate(&Experiment::default()).unwrap().last("twice.y")), n_parsed)
        };
        let (first, n_files) = edit(0);
        if let Err(refused) = first {
            assert_eq!(refused.diagnostics[0].id, "unknown-type", "{refused}");
            println!("skipped: the Standard Library is not in MODELICAPATH or ~/.rhei/libraries");
            return;
        }
        assert!(n_files > 5, "{n_files}");
        for number in 1..20 {
            let (answer, n_parsed) = edit(number);
            assert_eq!(n_parsed, 1, "the edited text alone");
            match number % 3 {
                2 => assert!(answer.is_err()),
                _ => assert_eq!(answer.unwrap(), Some(2.0 * number as f64)),
            }
        }
    }

    #[test]
    fn what_is_not_there_is_said() {
        let mut session = Session::in_world(Arc::new(InMemory::default()), Vec::new());
        let refused = session.compile("nowhere.mo").unwrap_err();
        assert_eq!(refused.diagnostics[0].id, "file-not-read");
    }
}
