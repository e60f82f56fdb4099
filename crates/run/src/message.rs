//! Messages of a run, by their effect on it.

use rhei_source::Diagnostic;

/// A message of a model or of a clocked partition.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    /// The run goes on.
    Warning(Diagnostic),
    /// The run goes on, on another branch of equilibria.
    BranchJump(Diagnostic),
    /// The run has failed.
    Fault(Diagnostic),
    /// The model ends the run.
    End(Diagnostic),
}

impl Message {
    /// The fault, if it is one.
    pub(crate) fn fault(self) -> Option<Diagnostic> {
        match self {
            Message::Fault(said) => Some(said),
            Message::Warning(_) | Message::BranchJump(_) | Message::End(_) => None,
        }
    }
}
