//! The models whose sentences are tried.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rhei_compiler::{Session, Target};
use rhei_equations::{Equations, read};
use rhei_library::default_roots;
use rhei_source::{Disk, InMemory};

/// A model that is compiled when it is its turn.
pub(super) struct Source {
    pub(super) name: String,
    kind: Kind,
}

enum Kind {
    /// A file, which may need the library.
    File(PathBuf),
    /// A text that needs nothing else.
    Text(String),
    /// A class of the library.
    Class(String),
    /// Scalar equations.
    Equations(String),
}

/// Larger models would take most of the time.
const MOST_EQUATIONS: usize = 3_000;

impl Source {
    /// The scalar equations of the model; why it is left if it is refused, has clocks, or is large.
    pub(super) fn equations(&self) -> Result<Equations, String> {
        let refused = |_| "refused".to_owned();
        let with_library = || Session::new(Arc::new(Disk), default_roots(&Disk, []));
        let compiled = match &self.kind {
            Kind::Equations(text) => {
                return Ok(read(text).unwrap_or_else(|error| panic!("{error:?}\n{text}")));
            }
            Kind::File(path) => with_library().compile(path.as_path(), None).map_err(refused)?,
            Kind::Text(text) => {
                let world = InMemory::default().with_file("model.mo", text.as_str());
                let mut session = Session::new(Arc::new(world), Vec::new());
                session.compile(Path::new("model.mo"), None).map_err(refused)?
            }
            Kind::Class(class) => with_library().compile(Target::Class(class), None).map_err(refused)?,
        };
        let is_accepted = !compiled.has_errors();
        match (compiled.model.filter(|_| is_accepted), compiled.equations) {
            (Some(model), _) if !model.parts.is_empty() => Err("has clocks".to_owned()),
            (Some(_), Some(equations)) if equations.equations.len() > MOST_EQUATIONS => {
                Err(format!("{} equations", equations.equations.len()))
            }
            (Some(_), Some(equations)) => Ok(equations),
            _ => Err("refused".to_owned()),
        }
    }

    /// Whether its text is in no file.
    pub(super) fn is_generated(&self) -> bool {
        matches!(self.kind, Kind::Equations(_))
    }

    /// Differentiated variables with a wish each, tied by sums whose factors are numbers, parameters or variables, some through further
    /// unknowns; one model for each seed.
    pub(super) fn random(seed: u64) -> Source {
        let mut state = seed.wrapping_mul(2).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut drawn = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
        let n = 3 + drawn(8);
        let n_constraints = 1 + drawn(n - 1);
        let wishes = ["", "", "", "(avoid)", "(prefer)", "(never)", "(always)"];
        let (mut declared, mut derivatives, mut equations) = (String::new(), String::new(), String::new());
        let mut forces = vec![String::new(); n];
        for c in 0..n_constraints {
            let mut terms = Vec::new();
            for _ in 0..2 + drawn(3) {
                let x = drawn(n);
                let factor = match drawn(6) {
                    0 => format!("p{}*", drawn(n)),
                    1 => format!("x{}*", drawn(n)),
                    factor => format!("{}*", factor as i64 - 7),
                };
                terms.push(format!("{factor}x{x}"));
                let _ = write!(forces[x], " + f{c}");
            }
            let _ = writeln!(declared, "  unknown f{c}");
            match drawn(4) {
                0 => {
                    let wish = ["", "(prefer)", "(avoid)"][drawn(3)];
                    let _ = writeln!(declared, "  unknown s{c}{wish}");
                    let _ = writeln!(equations, "  s{c} = {}", terms.join(" + "));
                    let _ = writeln!(equations, "  s{c} = sin(time)");
                }
                1 => {
                    let _ = writeln!(equations, "  {} = 1", terms.join(" + "));
                }
                _ => {
                    let _ = writeln!(equations, "  {} = time", terms.join(" - "));
                }
            }
        }
        for (i, force) in forces.iter().enumerate() {
            let _ = writeln!(declared, "  unknown x{i}{}\n  parameter p{i} = 2", wishes[drawn(wishes.len())]);
            let _ = writeln!(derivatives, "  derivative der(x{i})");
            let _ = writeln!(equations, "  der(x{i}) = 1{force}");
        }
        let text = format!("model M\n{declared}{derivatives}equation\n{equations}");
        Source { name: format!("random {seed}"), kind: Kind::Equations(text) }
    }

    /// Sums of ever more states, each of the one before and one more, beside states that nothing is tied to: their reasons name
    /// some of what there is, or count it, or give up.
    pub(super) fn chain(n: usize) -> Source {
        let (mut declared, mut equations) = (String::new(), String::from("equation\n"));
        for k in 0..n {
            let before = if k > 0 { format!("y{} + ", k - 1) } else { String::new() };
            let _ = writeln!(declared, "  unknown x{k}\n  unknown y{k}(avoid)\n  unknown f{k}");
            let _ = writeln!(equations, "  der(x{k}) = 1\n  der(y{k}) = f{k}\n  y{k} = {before}2*x{k}");
        }
        for k in 0..3 {
            let _ = writeln!(declared, "  unknown z{k}");
            let _ = writeln!(equations, "  der(z{k}) = -z{k}");
        }
        let names = ["x", "y"].into_iter().flat_map(|name| (0..n).map(move |k| format!("{name}{k}")));
        for name in names.chain((0..3).map(|k| format!("z{k}"))) {
            let _ = writeln!(declared, "  derivative der({name})");
        }
        let text = format!("model M\n{declared}{equations}");
        Source { name: format!("chain of {n}"), kind: Kind::Equations(text) }
    }

    /// Variables that are steady at the start, of which no other equation holds the derivatives.
    pub(super) fn steady_start(n: usize) -> Source {
        let (mut declared, mut equations, mut initial) = (String::new(), String::new(), String::new());
        for k in 0..n {
            let _ = writeln!(declared, "  unknown x{k}\n  unknown s{k}\n  derivative der(x{k})");
            let _ = writeln!(declared, "  derivative der(s{k})");
            let _ = writeln!(equations, "  der(x{k}) = 1 - x{k}\n  s{k} = {}*x{k} + sin(x{})", k + 2, n - 1);
            let _ = writeln!(initial, "  der(s{k}) = 0");
        }
        let text = format!("model M\n{declared}equation\n{equations}initial equation\n{initial}");
        Source { name: format!("steady start of {n}"), kind: Kind::Equations(text) }
    }

    /// Generated models in which those sentences occur that are rare elsewhere.
    pub(super) fn families() -> Vec<Source> {
        let chains = (10..30).step_by(2).chain([270, 275, 280, 285]).map(Source::chain);
        chains.chain((1..7).map(Source::steady_start)).collect()
    }

    fn text(name: String, text: String) -> Source {
        Source { name, kind: Kind::Text(text) }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder with this ending, by name.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.retain(|path| path.extension().is_some_and(|own| own == ending));
    found.sort();
    found
}

fn of_file(path: &Path) -> Option<Source> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    Some(Source { name, kind: Kind::File(path.to_owned()) })
}

/// The models in the tests and examples of the project.
pub(super) fn of_project() -> Vec<Source> {
    let mut found = Vec::new();
    for folder in ["tests/models", "tests/mechanisms", "tests/switching", "examples"] {
        found.extend(files(&root().join(folder), "mo").iter().filter_map(|path| of_file(path)));
    }
    for topic in [
        "states",
        "state_cases",
        "state_selection",
        "starting_sets",
        "initialisation",
        "projection",
        "equations",
        "hybrid_operators",
    ] {
        let text =
            std::fs::read_to_string(root().join(format!("tests/language/{topic}.md"))).expect("it is there");
        let blocks = text.split("```modelica\n").skip(1).filter_map(|rest| rest.split("```").next());
        found.extend(
            blocks.enumerate().map(|(i, block)| Source::text(format!("{topic} {i}"), block.to_owned())),
        );
    }
    found
}

/// Models in the folders that the environment names in `RHEI_MODELS`, as a path does.
pub(super) fn in_named_folders() -> Vec<Source> {
    let named = std::env::var_os("RHEI_MODELS").unwrap_or_default();
    let mut found = Vec::new();
    for folder in std::env::split_paths(&named) {
        let own = files(&folder, "mo");
        if own.is_empty() {
            println!("skipped: {} holds no models", folder.display());
        }
        found.extend(own.iter().filter_map(|path| of_file(path)));
    }
    found
}

/// Examples of the Standard Library, where it is installed.
pub(super) fn of_library() -> Vec<Source> {
    let table =
        std::fs::read_to_string(root().join("tests/conformance/library_states.tsv")).expect("it is there");
    let names = table.lines().skip(1).filter_map(|line| line.split('\t').next());
    let class = |name: &str| Source { name: name.to_owned(), kind: Kind::Class(name.to_owned()) };
    let found: Vec<Source> = names.step_by(4).map(class).collect();
    if found.first().is_some_and(|first| first.equations().is_err()) {
        println!("the Standard Library may not be installed: {} is refused", found[0].name);
    }
    found
}
