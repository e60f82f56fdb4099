//! Runs whose rows go where the caller wants them.

use rhei_equations::VarId;
use rhei_results::{Columns, Sink};

use crate::engine::{Options, simulate};
use crate::watch::Watched;
use crate::{Experiment, Model, Outcome, WrongExperiment};

/// The recorded variables of a model, in order.
#[derive(Clone, Debug)]
pub struct Recording {
    columns: Columns,
    pub(crate) variables: Vec<VarId>,
}

impl Recording {
    /// Descriptions of the variables for result files.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// How many values a row has.
    pub fn len(&self) -> usize {
        self.variables.len()
    }

    /// Whether rows hold the time only.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// Adds the variables of another recording, each once: new ones behind the others, and not among [`Recording::columns`].
    /// Answers the places of the other's variables in a row.
    pub fn include(&mut self, other: &Recording) -> Vec<usize> {
        let place = |v: &VarId| {
            self.variables.iter().position(|known| known == v).unwrap_or_else(|| {
                self.variables.push(*v);
                self.variables.len() - 1
            })
        };
        other.variables.iter().map(place).collect()
    }
}

impl Model {
    /// Records the variables whose names are wanted.
    pub fn recording(&self, wanted: impl Fn(&str) -> bool) -> Recording {
        let (columns, variables) = self.compiled().columns(wanted);
        Recording { columns, variables }
    }

    /// Runs it from start to stop, rows of the recorded variables going to a sink. The sink stays the caller's to
    /// end, by [`Sink::finish`] or [`Sink::keep_partial`].
    pub fn simulate_into(
        &self,
        experiment: &Experiment,
        recording: &Recording,
        sink: &mut dyn Sink,
    ) -> Result<Outcome, WrongExperiment> {
        let options = experiment.resolve(self)?.options;
        let model = self.compiled();
        let outcome =
            experiment.watched(&options, sink, |sink| simulate(model, &options, &recording.variables, sink));
        if let Some(watch) = &experiment.watch {
            watch.reach(outcome.time);
        }
        Ok(Outcome::new(model, outcome))
    }
}

impl Experiment {
    /// A run under the observer of this experiment.
    pub(crate) fn watched<T>(
        &self,
        options: &Options,
        sink: &mut dyn Sink,
        run: impl FnOnce(&mut dyn Sink) -> T,
    ) -> T {
        match &self.watch {
            Some(watch) => {
                watch.begin(options.start_time, options.stop_time);
                run(&mut Watched { watch: watch.clone(), sink })
            }
            None => run(sink),
        }
    }
}
