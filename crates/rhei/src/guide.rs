//! The use of the library, on three pages.

#[doc = include_str!("../../../docs/library/run.md")]
pub mod run {}

#[doc = include_str!("../../../docs/library/many.md")]
pub mod many {}

#[doc = include_str!("../../../docs/library/step.md")]
pub mod step {}
