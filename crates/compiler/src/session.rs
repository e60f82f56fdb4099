//! What is known about the sources, and the way of a model through the passes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rhei_equations::Equations;
use rhei_flat::Flat;
use rhei_flatten::flatten;
use rhei_scalarize::scalarize;
use rhei_semantics::instantiate;
use rhei_simulate::CompiledModel;
use rhei_solvable::Mode;
use rhei_source::{Diagnostic, Files, World, decode, nearest_name};
use rhei_structure::make_solvable;
use rhei_syntax::{Parsed, ast};

use crate::Timings;

/// Sources and where they come from.
pub struct Session {
    world: Arc<dyn World>,
    files: Files,
}

/// A file that could not be read.
#[derive(Debug)]
pub struct UnreadableFile {
    /// Which one.
    pub path: PathBuf,
    /// Why.
    pub source: std::io::Error,
}

impl std::fmt::Display for UnreadableFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot read `{}`: {}", self.path.display(), self.source)
    }
}

impl std::error::Error for UnreadableFile {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
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
    /// What there is to say, in the order of the passes.
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
    /// A session in this world.
    pub fn new(world: Arc<dyn World>) -> Self {
        Session { world, files: Files::default() }
    }

    /// All files read so far.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Reads and parses one file.
    pub fn parse(&mut self, path: &Path) -> Result<Parsed, UnreadableFile> {
        let bytes =
            self.world.read(path).map_err(|source| UnreadableFile { path: path.to_owned(), source })?;
        let text: Arc<str> = decode(bytes).text.into();
        let file = self.files.add(path, text.clone());
        Ok(rhei_syntax::parse(file, text))
    }

    /// Takes the model of a file through all passes: `name`, or the last model of the file.
    pub fn compile(&mut self, path: &Path, name: Option<&str>) -> Result<Compilation, UnreadableFile> {
        let mut done = Compilation::default();
        let parsed = done.timings.measure("parse", || self.parse(path))?;
        done.diagnostics.extend(parsed.diagnostics.iter().cloned());
        passes(&parsed, name, &mut done);
        Ok(done)
    }
}

/// The order of the passes; each goes on from what the one before it left.
fn passes(parsed: &Parsed, name: Option<&str>, done: &mut Compilation) -> Option<()> {
    let Compilation { diagnostics, timings, .. } = done;
    let class = find_class(parsed, name, diagnostics)?;

    let (instance, said) = timings.measure("instantiate", || instantiate(class));
    diagnostics.extend(said);
    // a file that is broken elsewhere still tells what it can, but nothing is built on it
    let instance = instance.filter(|_| !parsed.has_errors())?;

    let (flat, said) = timings.measure("flatten", || flatten(&instance));
    diagnostics.extend(said);
    done.flat = Some(flat);
    let flat = done.flat.as_ref()?;

    let (equations, said) = timings.measure("scalarize", || scalarize(flat));
    diagnostics.extend(said);
    done.equations = equations;
    let equations = done.equations.as_ref()?;

    let (solvable, said) = timings.measure("structure", || make_solvable(equations, &Mode::default()));
    diagnostics.extend(said);
    let solvable = solvable?;

    let equations = equations.clone();
    done.model = Some(Arc::new(timings.measure("code", || CompiledModel::new(equations, solvable))));
    Some(())
}

/// The class of this name, or the last one of the file.
fn find_class<'t>(
    parsed: &'t Parsed,
    name: Option<&str>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ast::ClassDefinition<'t>> {
    let file = parsed.stored_definition()?;
    let classes: Vec<ast::ClassDefinition<'t>> = file.classes().collect();
    let known = |class: &ast::ClassDefinition<'t>| {
        class.name().map_or(String::new(), |name| name.ident().into_owned())
    };
    let found = match name {
        Some(name) => classes.iter().find(|class| known(class) == name),
        None => classes.last(),
    };
    if found.is_none() && (name.is_some() || !parsed.has_errors()) {
        let message = match name {
            Some(name) => format!("there is no class `{name}` in this file"),
            None => "there is no class in this file".into(),
        };
        let names: Vec<String> = classes.iter().map(known).collect();
        let near = name.and_then(|name| nearest_name(name, names.iter().map(String::as_str)));
        let mut diagnostic = Diagnostic::error("class-not-found", message).at(parsed.tree.root().span(), "");
        if let Some(near) = near {
            diagnostic = diagnostic.with_note(format!("did you mean `{near}`?"));
        }
        diagnostics.push(diagnostic);
    }
    found.copied()
}
