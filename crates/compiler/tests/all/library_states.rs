//! The table `tests/conformance/library_states.tsv`: one line per example of the Standard Library with the numbers of its
//! states and state sets, the number of states in Dymola, and the reason of a difference.
//!
//! Every tenth example is compiled each time; all of them, which takes minutes, by `cargo test -p rhei-compiler --
//! --ignored library_states`. With `UPDATE_EXPECT=1` that writes the table anew. Skipped, and saying so, where the library is
//! not laid out.

use std::sync::Arc;

use rhei_compiler::{Session, Target, with_deep_stack};
use rhei_library::default_roots;
use rhei_source::{Diagnostic, Disk};

use crate::workshop::{read, root};

const TABLE: &str = "tests/conformance/library_states.tsv";
const HEAD: &str = "example\tstates\tsets\tDymola's states\twhy";
/// Each time every so many examples are compiled.
const SAMPLE: usize = 10;
/// Of the examples that run and have a figure, so many per cent have as many states.
const LEAST_AGREEMENT: usize = 80;

struct Line {
    example: String,
    /// Number of states, or what the model is refused with.
    states: String,
    sets: String,
    theirs: String,
    why: String,
}

impl Line {
    fn read(line: &str) -> Line {
        let mut fields = line.split('\t').map(str::to_owned);
        let mut next = || fields.next().unwrap_or_else(|| panic!("five columns: {line}"));
        Line { example: next(), states: next(), sets: next(), theirs: next(), why: next() }
    }

    fn text(&self) -> String {
        let Line { example, states, sets, theirs, why } = self;
        format!("{example}\t{states}\t{sets}\t{theirs}\t{why}")
    }

    /// Whether both have figures, and whether they are the same.
    fn agrees(&self) -> Option<bool> {
        let figures = (self.states.parse::<usize>().ok()?, self.theirs.parse::<usize>().ok()?);
        Some(figures.0 == figures.1)
    }
}

fn table() -> Vec<Line> {
    let text = read(TABLE);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(HEAD));
    lines.map(Line::read).collect()
}

/// States and sets of an example, as the table has them.
fn counted(example: &str) -> (String, String) {
    with_deep_stack(|| {
        let mut session = Session::new(Arc::new(Disk), default_roots(&Disk, []));
        let done = session.compile(Target::Class(example), None).expect("a class is no file");
        match done.model.as_ref().filter(|_| !done.has_errors()) {
            Some(model) => (model.solvable.states.len().to_string(), model.solvable.sets.len().to_string()),
            None => {
                let error = done.diagnostics.iter().find(|said| Diagnostic::is_error(said));
                (error.map_or("refused", |error| error.id).to_owned(), String::new())
            }
        }
    })
}

fn library_is_there() -> bool {
    let library = rhei_library::Library::new(Arc::new(Disk), default_roots(&Disk, []));
    let is_there = library.top_level("Modelica").is_some();
    if !is_there {
        println!("skipped: the Standard Library is not in MODELICAPATH or ~/.rhei/libraries");
    }
    is_there
}

fn compare(lines: &mut [Line]) -> Vec<String> {
    let mut differences = Vec::new();
    for line in lines {
        let before = line.text();
        (line.states, line.sets) = counted(&line.example);
        if line.text() != before {
            differences.push(format!("- {before}\n+ {}", line.text()));
        }
    }
    differences
}

#[test]
fn a_sample_of_the_examples_has_the_states_of_the_table() {
    if !library_is_there() {
        return;
    }
    let mut lines: Vec<Line> = table().into_iter().step_by(SAMPLE).collect();
    let differences = compare(&mut lines);
    assert!(differences.is_empty(), "the table is out of date:\n{}", differences.join("\n"));
}

#[test]
#[ignore = "compiles every example of the library: minutes"]
fn all_examples_have_the_states_of_the_table() {
    if !library_is_there() {
        return;
    }
    let mut lines = table();
    let differences = compare(&mut lines);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let text: Vec<String> = lines.iter().map(Line::text).collect();
        std::fs::write(root().join(TABLE), format!("{HEAD}\n{}\n", text.join("\n")))
            .expect("it can be written");
    }
    assert!(differences.is_empty(), "the table is out of date:\n{}", differences.join("\n"));
}

#[test]
fn most_examples_have_as_many_states_and_the_others_a_reason() {
    let lines = table();
    let with_figures: Vec<&Line> = lines.iter().filter(|line| line.agrees().is_some()).collect();
    let agreeing = with_figures.iter().filter(|line| line.agrees() == Some(true)).count();
    assert!(with_figures.len() >= 200, "{} examples with figures", with_figures.len());
    assert!(
        100 * agreeing >= LEAST_AGREEMENT * with_figures.len(),
        "{agreeing} of {} agree",
        with_figures.len()
    );
    let unexplained: Vec<&str> = with_figures
        .iter()
        .filter(|line| line.agrees() == Some(false) && line.why.is_empty())
        .map(|line| line.example.as_str())
        .collect();
    assert_eq!(unexplained, [""; 0], "differences without a reason");
}
