//! Messages of a run, by their effect on it.

use rhei_source::Diagnostic;

/// A message of a model or of a clocked partition.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    /// The run goes on.
    Warning(Diagnostic),
    /// The run has failed.
    Fault(Diagnostic),
    /// The model ends the run.
    End(Diagnostic),
}

impl Said {
    /// The fault, if it is one.
    pub(crate) fn fault(self) -> Option<Diagnostic> {
        match self {
            Said::Fault(said) => Some(said),
            Said::Warning(_) | Said::End(_) => None,
        }
    }
}
