//! Violations of invariants found by `verify()` of an intermediate form.

use std::fmt;

/// An invariant that does not hold: a mistake in a pass, never the modeller's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation(pub String);

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
