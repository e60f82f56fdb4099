//! Ctrl-C: the first asks the run to end with what it has, the second ends the program.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rhei::{Experiment, Watch};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Makes a flag that signals set when the run is to end. From here on Ctrl-C and the signal of `kill` and batch systems no
/// longer end the program at once.
pub(in crate::commands) fn watch() -> io::Result<Watch> {
    let asked = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // in this order: at the first signal the flag is still unset when the shutdown checks it
        flag::register_conditional_shutdown(signal, 128 + signal, asked.clone())?;
        flag::register(signal, asked.clone())?;
    }
    Ok(Watch::interrupted_by(asked))
}

/// The same experiment, ended by Ctrl-C.
pub(in crate::commands) fn watched(experiment: Experiment) -> Experiment {
    Experiment { watch: watch().ok(), ..experiment }
}
