//! Files, the places in them, and diagnostics.
//!
//! In: paths and bytes, through a [`World`]. Out: [`Files`] with line numbers, [`Span`]s that point into them, and
//! [`Diagnostic`]s as data, drawn for people by [`render()`] and for scripts by [`Report`].
//!
//! All crates above refer to places by spans and to mistakes by diagnostics; none of them reads a file.

mod decode;
mod diagnostic;
mod excerpt;
mod files;
mod grouped;
mod render;
mod report;
mod span;
mod violation;
mod world;

pub use decode::{Decoded, decode};
pub use diagnostic::{Diagnostic, Label, Severity, nearest_name, not_supported_yet, subscript_out_of_bounds};
pub use excerpt::{Excerpts, spans_written};
pub use files::{File, Files, Position};
pub use grouped::grouped;
pub use render::{Style, render};
pub use report::{Report, ReportedDiagnostic, ReportedLabel};
pub use span::{FileId, Span, TextRange};
pub use violation::Violation;
pub use world::{Disk, EntryKind, InMemory, World};
