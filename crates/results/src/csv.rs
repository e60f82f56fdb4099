//! Rows into a CSV file (RFC 4180), while the run goes on.
//!
//! Rows are written to `out.csv.partial` beside the wanted `out.csv`, which takes its name only when it is done. A
//! run that is killed leaves `out.csv.partial` and nothing that could be mistaken for a result. Numbers are written
//! as the shortest text that reads back as the same `f64`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::columns::Columns;
use crate::sink::{Sink, WriteError};

/// How much is collected before it goes to the file.
const BUFFER: usize = 1 << 16;

/// A CSV file being written.
pub struct CsvFile {
    out: BufWriter<File>,
    /// Where the rows are going, and where they shall be in the end (the same where the target is no regular file,
    /// such as `/dev/null`, which cannot be replaced).
    partial: PathBuf,
    path: PathBuf,
    columns: usize,
    done: bool,
}

impl CsvFile {
    /// Creates the partial file and writes the header.
    pub fn create(path: impl Into<PathBuf>, columns: &Columns) -> Result<CsvFile, WriteError> {
        let path = path.into();
        let replaceable = fs::metadata(&path).map_or(true, |metadata| !is_special(&metadata));
        let partial = if replaceable { partial_path(&path) } else { path.clone() };
        let file = File::create(&partial).map_err(WriteError::at("create", &partial))?;
        let mut out = BufWriter::with_capacity(BUFFER, file);
        write_header(&mut out, columns).map_err(WriteError::at("write", &partial))?;
        Ok(CsvFile { out, partial, path, columns: columns.len(), done: false })
    }

    /// Takes a row.
    ///
    /// # Panics
    /// Where there is not one value per column.
    pub fn row(&mut self, time: f64, values: &[f64]) -> Result<(), WriteError> {
        assert_eq!(values.len(), self.columns, "one value per column");
        write_row(&mut self.out, time, values).map_err(WriteError::at("write", &self.partial))
    }

    /// Everything taken so far goes to the file, such as before a long pause.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.out.flush().map_err(WriteError::at("write", &self.partial))
    }

    /// The file is whole: it takes its name.
    pub fn finish(mut self) -> Result<(), WriteError> {
        self.settle().map(|_| ())
    }

    /// The run ended early, and the caller says so: the rows so far take the name. Answers it.
    pub fn keep_partial(mut self) -> Result<PathBuf, WriteError> {
        self.settle()
    }

    fn settle(&mut self) -> Result<PathBuf, WriteError> {
        self.flush()?;
        self.done = true;
        if self.partial != self.path {
            // A full disk may only show when the data really goes there.
            self.out.get_ref().sync_all().map_err(WriteError::at("write", &self.partial))?;
            fs::rename(&self.partial, &self.path).map_err(WriteError::at("rename", &self.partial))?;
        }
        Ok(self.path.clone())
    }
}

impl Drop for CsvFile {
    // Neither finished nor kept: a panic or an error elsewhere. The partial file stays, as whole as can be.
    fn drop(&mut self) {
        if !self.done {
            let _ = self.out.flush();
        }
    }
}

impl Sink for CsvFile {
    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), WriteError> {
        CsvFile::row(self, time, values)
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        CsvFile::finish(*self)
    }

    fn keep_partial(self: Box<Self>) -> Result<Option<PathBuf>, WriteError> {
        CsvFile::keep_partial(*self).map(Some)
    }
}

/// Where the rows of a file are until it is done.
pub fn partial_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}

fn is_special(metadata: &fs::Metadata) -> bool {
    !metadata.is_file() && !metadata.is_dir()
}

/// Writes `time` and the names, quoted where CSV needs it.
pub fn write_header(out: &mut impl Write, columns: &Columns) -> io::Result<()> {
    out.write_all(b"time")?;
    for column in columns.iter() {
        out.write_all(b",")?;
        if column.name.contains(['"', ',', '\n', '\r']) {
            write!(out, "\"{}\"", column.name.replace('"', "\"\""))?;
        } else {
            out.write_all(column.name.as_bytes())?;
        }
    }
    out.write_all(b"\n")
}

/// Writes one row.
pub fn write_row(out: &mut impl Write, time: f64, values: &[f64]) -> io::Result<()> {
    write_number(out, time)?;
    for value in values {
        out.write_all(b",")?;
        write_number(out, *value)?;
    }
    out.write_all(b"\n")
}

/// Writes a number so that it reads back exactly: plain where that is short, else with an exponent.
fn write_number(out: &mut impl Write, value: f64) -> io::Result<()> {
    let size = value.abs();
    if size == 0.0 || (1e-5..1e16).contains(&size) || !value.is_finite() {
        write!(out, "{value}")
    } else {
        write!(out, "{value:e}")
    }
}
