//! Sources and libraries, and the models compiled from them.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use rhei_compiler::{Configured, Target, with_deep_stack};
use rhei_library::default_roots;
use rhei_source::{Diagnostic, Disk, Files, Style, World, render};

use crate::watched::Watched;
use crate::{Model, Value};

/// Where models come from: files and libraries. What changes on disk is seen by the next compilation.
pub struct Session {
    world: Arc<dyn World>,
    roots: Vec<PathBuf>,
    /// What was read, and what was made of it; nothing before the first compilation.
    known: Option<Known>,
}

struct Known {
    world: Arc<Watched>,
    compiler: rhei_compiler::Session,
}

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
        Session { world, roots, known: None }
    }

    /// Compiles a model: the last class of a file or package (`"tank.mo"`), or a class of a library by its name
    /// (`"Modelica.Blocks.Examples.PID_Controller"`).
    pub fn compile(&mut self, target: &str) -> Result<Model, Refused> {
        self.compile_with(target, None, &[])
    }

    /// The same for a class of a file, where parameters have other values. These may shape the model: sizes of arrays, conditions of
    /// components, texts.
    pub fn compile_with(
        &mut self,
        target: &str,
        class: Option<&str>,
        parameters: &[(&str, Value)],
    ) -> Result<Model, Refused> {
        let settings: Vec<String> =
            parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        self.compile_set(target, class, &settings)
    }

    /// The same, parameters being written as `name=value`, as in Modelica.
    pub fn compile_set(
        &mut self,
        target: &str,
        class: Option<&str>,
        settings: &[String],
    ) -> Result<Model, Refused> {
        let known = self.current();
        let world = known.world.clone();
        let compiler = &mut known.compiler;
        let compiled = with_deep_stack(|| compiler.compile_set(Target::of(target, &*world), class, settings));
        let files = known.compiler.files().clone();
        match compiled {
            Ok(configured) => built(configured, files),
            Err(unreadable) => {
                let said = Diagnostic::error("file-not-read", unreadable.to_string());
                Err(Refused { diagnostics: vec![said], files, blames_settings: false })
            }
        }
    }

    /// What is known of the sources, as far as they are as they were.
    fn current(&mut self) -> &mut Known {
        if self.known.as_ref().is_some_and(|known| !known.world.is_unchanged()) {
            self.known = None;
        }
        self.known.get_or_insert_with(|| {
            let world = Arc::new(Watched::new(self.world.clone()));
            let compiler = rhei_compiler::Session::new(world.clone(), self.roots.clone());
            Known { world, compiler }
        })
    }
}

fn built(configured: Configured, files: Files) -> Result<Model, Refused> {
    let Configured { compilation: done, set, is_refused } = configured;
    let is_whole = !done.has_errors();
    match (done.model, done.flat) {
        (Some(model), Some(flat)) if is_whole => Ok(Model::new(model, flat, set, done.diagnostics, files)),
        _ => Err(Refused { diagnostics: done.diagnostics, files, blames_settings: is_refused }),
    }
}

/// A model that cannot be compiled, and why.
#[derive(Clone, Debug)]
pub struct Refused {
    /// Errors, and what else there is to say.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that they speak of.
    pub files: Files,
    /// Whether values of parameters are at fault, and not the model.
    pub blames_settings: bool,
}

impl fmt::Display for Refused {
    /// As people read it, with the places in the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> =
            self.diagnostics.iter().map(|said| render(said, &self.files, Style::Plain)).collect();
        f.write_str(&texts.join("\n"))
    }
}

impl std::error::Error for Refused {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io;
    use std::path::Path;
    use std::sync::Mutex;

    use rhei_source::EntryKind;

    use super::*;
    use crate::Experiment;

    /// A world whose files can be edited.
    #[derive(Default)]
    struct Desk(Mutex<BTreeMap<PathBuf, Vec<u8>>>);

    impl Desk {
        fn write(&self, path: &str, text: &str) {
            self.0.lock().unwrap().insert(path.into(), text.into());
        }
    }

    impl World for Desk {
        fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
            self.0.lock().unwrap().get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
        }

        fn kind(&self, path: &Path) -> Option<EntryKind> {
            self.0.lock().unwrap().contains_key(path).then_some(EntryKind::File)
        }

        fn list(&self, _: &Path) -> io::Result<Vec<(String, EntryKind)>> {
            Err(io::ErrorKind::NotFound.into())
        }

        fn variable(&self, _: &str) -> Option<String> {
            None
        }
    }

    #[test]
    fn a_file_that_is_edited_a_thousand_times_is_read_anew_each_time() {
        let desk = Arc::new(Desk::default());
        let mut session = Session::in_world(desk.clone(), Vec::new());
        for edit in 0..1000 {
            let broken = if edit % 10 == 9 { "oops" } else { "" };
            desk.write("m.mo", &format!("model M Real x = {edit}; {broken} end M;"));
            match session.compile("m.mo") {
                Ok(model) => {
                    assert_eq!(broken, "");
                    let results = model.simulate(&Experiment::default()).unwrap();
                    assert_eq!(results.last("x"), Some(f64::from(edit)));
                }
                Err(refused) => {
                    assert_eq!(broken, "oops");
                    assert!(refused.to_string().contains("m.mo:1"), "{refused}");
                }
            }
            assert!(session.known.as_ref().unwrap().compiler.files().len() <= 1, "what is over is forgotten");
        }
    }

    #[test]
    fn what_is_not_there_is_said() {
        let mut session = Session::in_world(Arc::new(Desk::default()), Vec::new());
        let refused = session.compile("nowhere.mo").unwrap_err();
        assert_eq!(refused.diagnostics[0].id, "file-not-read");
    }
}
