//! Results of a run: rows of numbers over time, as files and as pictures.
//!
//! | file | what |
//! |---|---|
//! | [`columns`] | the names of what is recorded, and how each varies |
//! | [`sink`] | where rows go while a run is under way; errors with the path they happened at |
//! | [`files`] | the formats of result files, by the endings of their names |
//! | [`csv`] | rows into a CSV file |
//! | [`mat`] | rows into a MAT file |
//! | `row_file` | what both share: a file that is whole or not there |
//! | [`trajectories`] | rows in memory, by column, with values at any time |
//! | [`plot`] | curves for the terminal, as SVG and as an HTML page |

mod by_ending;
pub mod columns;
pub mod csv;
pub mod files;
pub mod mat;
pub mod plot;
mod row_file;
pub mod sink;
pub mod trajectories;

pub use by_ending::ByEnding;
pub use columns::{Alias, Column, Columns, Kind};
pub use csv::CsvFile;
pub use files::{RESULT_FILES, create_file};
pub use mat::MatFile;
pub use row_file::partial_path;
pub use sink::{Kept, Progress, Sink, WriteError};
pub use trajectories::Trajectories;
