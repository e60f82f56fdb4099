//! Ctrl-C: the first asks the run to end with what it has, the second ends the program.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Whether the run was asked to end.
pub(in crate::commands) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From here on Ctrl-C, and what `kill` and batch systems send, no longer end the program at once.
    pub(in crate::commands) fn watch() -> io::Result<Interrupt> {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // in this order: the first time nothing is set when it is looked at
            flag::register_conditional_shutdown(signal, 128 + signal, asked.clone())?;
            flag::register(signal, asked.clone())?;
        }
        Ok(Interrupt(asked))
    }

    /// What is set when it is asked.
    pub(in crate::commands) fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    pub(in crate::commands) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
