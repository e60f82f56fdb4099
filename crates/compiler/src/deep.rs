//! Room for deep models.
//!
//! Text may nest as deep as [`MAX_HEIGHT`](rhei_syntax::tree::MAX_HEIGHT), and passes over expressions recurse: the stack of
//! a main thread is enough on most systems, that of another thread on few.

use std::io;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Stack for a recursion over [`MAX_HEIGHT`](rhei_syntax::tree::MAX_HEIGHT) levels, 16 KiB each in a build without optimisation.
const STACK: usize = rhei_syntax::tree::MAX_HEIGHT * 16 * 1024;

/// Runs `work` on a stack deep enough for any model; only touched pages of it cost memory.
pub fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| match spawn_deep(scope, work).expect("a thread can be started").join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// A thread with such a stack.
pub(crate) fn spawn_deep<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().stack_size(STACK).spawn_scoped(scope, work)
}
