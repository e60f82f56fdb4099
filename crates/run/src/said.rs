//! What is said on the way, with what follows from it for the run.

use rhei_source::Diagnostic;

/// Something that a model, or what ticks in it, has to say.
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
    /// Where the run has failed by it.
    pub(crate) fn fault(self) -> Option<Diagnostic> {
        match self {
            Said::Fault(said) => Some(said),
            Said::Warning(_) | Said::End(_) => None,
        }
    }
}
