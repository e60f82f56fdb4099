//! The sinks of a run's rows: a file, and memory for the plot.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use rhei::plot::{Mark, Plot};
use rhei::{
    ModeChange, Model, Outcome, Recording, SetChange, Sink, Status, StepTaken, Trajectories, WriteError,
    create_file,
};
use rhei_source::Diagnostic;

use super::bar::Bar;
use super::drawing;
use super::options::Simulate;
use crate::commands::Usage;
use crate::keep::Names;
use crate::talk::Talk;

/// Takes the rows, and shows progress.
pub(super) struct Results {
    /// All that is kept or drawn.
    pub(super) recording: Recording,
    file: Option<Box<dyn Sink>>,
    /// Number of leading recorded variables that go into the file.
    in_file: usize,
    curves: Option<Curves>,
    /// The title of the plot: the model.
    title: String,
    bar: Option<Bar>,
    /// Whether standard output is for scripts, so that texts of the model go elsewhere.
    has_script: bool,
}

/// The curves drawn after the run.
struct Curves {
    rows: Trajectories,
    /// Their places among the recorded variables.
    places: Vec<usize>,
    /// The requested names, in the order of drawing.
    wanted: Names,
}

impl Results {
    pub(super) fn create(
        options: &Simulate,
        model: &Model,
        keep: Option<&Names>,
        plotted: Option<&Names>,
    ) -> Result<Results, Usage> {
        drawing::check(options)?;
        let mut recording = model.recording(|name| keep.is_none_or(|keep| keep.contains(name)));
        let in_file = recording.len();
        let file = match &options.output {
            Some(path) => Some(create_file(path, recording.columns()).map_err(|error| error.to_string())?),
            None => None,
        };
        let curves = plotted.map(|names| {
            let drawn = model.recording(|name| names.contains(name));
            let rows = Trajectories::new(drawn.columns().clone());
            Curves { rows, places: recording.include(&drawn), wanted: names.clone() }
        });
        let title = model.name().to_owned();
        Ok(Results { recording, file, in_file, curves, title, bar: None, has_script: false })
    }

    /// From here on a long run shows how far it is.
    pub(super) fn watched(self, bar: Option<Bar>, talk: &Talk) -> Results {
        Results { bar, has_script: talk.json, ..self }
    }

    /// Ends the file, and draws.
    pub(super) fn close(self, outcome: &mut Outcome, options: &Simulate, talk: &Talk) {
        if let Some(mut bar) = self.bar {
            bar.clear();
        }
        if let Some(file) = self.file {
            let early = matches!(outcome.status, Status::Failed | Status::Stopped);
            let done = if early { file.keep_partial() } else { file.finish().map(|()| None) };
            match done {
                Ok(Some(kept)) => {
                    talk.say(&format!("what was computed until then is in `{}`", kept.display()))
                }
                Ok(None) => {}
                Err(error) => fail_writing(outcome, error.to_string()),
            }
        }
        let Some(Curves { rows, wanted, .. }) = self.curves else { return };
        let mut names: Vec<&str> = rows.columns().iter().map(|column| column.name.as_str()).collect();
        names.sort_by_key(|name| wanted.position(name));
        let Ok(plot) = Plot::of(&rows, &names) else { return };
        let plot = Plot { title: self.title, marks: marks(outcome), ..plot };
        if let Err(message) = drawing::draw(&plot, options, talk) {
            fail_writing(outcome, message);
        }
    }
}

/// Marks at changes of charts, those at one time being one mark, and at changes of the mode.
fn marks(outcome: &Outcome) -> Vec<Mark> {
    let together = outcome.set_changes.chunk_by(|a, b| a.time == b.time);
    let mark = |changes: &[SetChange]| {
        let texts: Vec<String> = changes
            .iter()
            .map(|change| format!("{} → {}", change.from.join(", "), change.to.join(", ")))
            .collect();
        let time = changes[0].time;
        Mark { time, text: format!("t = {time:.6}: the states change, {}", texts.join("; ")) }
    };
    let mut marks: Vec<Mark> = together.map(mark).collect();
    marks.extend(outcome.mode_changes.iter().map(of_mode_change));
    marks
}

fn of_mode_change(change: &ModeChange) -> Mark {
    let ModeChange { time, from, to, because, jumps, n_states, .. } = change;
    let names: Vec<&str> = jumps.iter().map(|(name, ..)| name.as_str()).collect();
    let jumps = if names.is_empty() { "nothing jumps".into() } else { format!("{} jump", names.join(", ")) };
    let mode = if from == to { "constraints change".into() } else { format!("from mode {from} to {to}") };
    let guards: Vec<String> = because.iter().map(|(guard, value)| format!("{guard} is {value}")).collect();
    let why = if guards.is_empty() { String::new() } else { format!(" as {}", guards.join(", ")) };
    let states = if *n_states == 1 { "state" } else { "states" };
    Mark { time: *time, text: format!("t = {time:.6}: {mode}{why}, {n_states} {states}, {jumps}") }
}

pub(super) fn fail_writing(outcome: &mut Outcome, message: String) {
    outcome.status = Status::Failed;
    outcome.diagnostics.push(Diagnostic::error("result-not-written", message));
}

impl Sink for Results {
    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), WriteError> {
        self.row_with_integers(time, values, &[])
    }

    fn row_with_integers(
        &mut self,
        time: f64,
        values: &[f64],
        integers: &[(usize, i64)],
    ) -> Result<(), WriteError> {
        if let Some(file) = &mut self.file {
            let in_file = integers.partition_point(|(place, _)| *place < self.in_file);
            file.row_with_integers(time, &values[..self.in_file], &integers[..in_file])?;
        }
        if let Some(curves) = &mut self.curves {
            let drawn: Vec<f64> = curves.places.iter().map(|&place| values[place]).collect();
            curves.rows.push(time, &drawn);
        }
        Ok(())
    }

    fn progress(&mut self, progress: &StepTaken<'_>) -> Result<ControlFlow<()>, WriteError> {
        if let Some(bar) = &mut self.bar {
            bar.show(progress);
        }
        match &mut self.file {
            Some(file) => file.progress(progress),
            None => Ok(ControlFlow::Continue(())),
        }
    }

    fn print(&mut self, text: &str) {
        let has_script = self.has_script;
        // a reader who has gone is not a failure
        let print = || {
            let _ = match has_script {
                true => writeln!(io::stderr(), "{text}"),
                false => writeln!(io::stdout(), "{text}"),
            };
        };
        match &self.bar {
            Some(bar) => bar.beside(print),
            None => print(),
        }
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        self.file.map_or(Ok(()), |file| file.finish())
    }

    fn keep_partial(self: Box<Self>) -> Result<Option<PathBuf>, WriteError> {
        self.file.map_or(Ok(None), |file| file.keep_partial())
    }
}
