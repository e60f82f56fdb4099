//! What a run leaves behind: rows of numbers over time, as files and as pictures.
//!
//! | file | what |
//! |---|---|
//! | [`columns`] | the names of what is recorded, and how each varies |
//! | [`sink`] | where rows go while a run is under way; errors with the path they happened at |
//! | [`csv`] | rows into a CSV file that is whole or not there |
//! | [`trajectories`] | rows in memory, by column, with values at any time |
//! | [`plot`] | curves for the terminal, as SVG and as an HTML page |

pub mod columns;
pub mod csv;
pub mod plot;
pub mod sink;
pub mod trajectories;

pub use columns::{Column, Columns, Kind};
pub use csv::CsvFile;
pub use sink::{Progress, Sink, WriteError};
pub use trajectories::Trajectories;
