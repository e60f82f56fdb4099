//! The formats of result files, a row each.

use std::io;
use std::path::Path;

use crate::by_ending::ByEnding;
use crate::columns::Columns;
use crate::csv::CsvFile;
use crate::mat::MatFile;
use crate::sink::{Sink, WriteError};

/// Creates a file for rows of these columns.
pub type Create = fn(&Path, &Columns) -> Result<Box<dyn Sink>, WriteError>;

/// How each format creates its file.
pub const RESULT_FILES: ByEnding<Create> = ByEnding(&[
    ("csv", |path, columns| Ok(Box::new(CsvFile::create(path, columns)?))),
    ("mat", |path, columns| Ok(Box::new(MatFile::create(path, columns)?))),
]);

/// Creates a result file in the format that the ending of its name asks for.
pub fn create_file(path: &Path, columns: &Columns) -> Result<Box<dyn Sink>, WriteError> {
    let create = RESULT_FILES.of(path).ok_or_else(|| {
        let unknown = io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("the name of a result file ends in {RESULT_FILES}"),
        );
        WriteError::at("create", path)(unknown)
    })?;
    create(path, columns)
}
