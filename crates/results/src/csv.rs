//! Rows into a CSV file (RFC 4180), while the run goes on.
//!
//! Numbers are written as the shortest text that reads back as the same `f64`, Integers beyond 2^53 with all their digits. When the file takes its name is told in
//! [`row_file`](crate::row_file).

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::columns::Columns;
use crate::row_file::RowFile;
use crate::sink::{Progress, Sink, WriteError};

/// A CSV file being written.
pub struct CsvFile {
    file: RowFile,
    /// The last text written in each column: most values of a row are those of the row before, and formatting
    /// numbers takes long.
    last: Vec<Written>,
}

/// A number, by its bits, and how it was written.
#[derive(Clone, Default)]
struct Written {
    bits: u64,
    text: Vec<u8>,
}

impl Written {
    /// The text of a number.
    fn text_of(&mut self, value: f64) -> &[u8] {
        if self.text.is_empty() || self.bits != value.to_bits() {
            self.bits = value.to_bits();
            self.text.clear();
            write_number(&mut self.text, value).expect("memory takes everything");
        }
        &self.text
    }
}

impl CsvFile {
    /// Creates the partial file and writes the header.
    pub fn create(path: impl Into<PathBuf>, columns: &Columns) -> Result<CsvFile, WriteError> {
        let mut file = RowFile::create(path)?;
        write_header(file.waiting(), columns).expect("memory takes everything");
        Ok(CsvFile { file, last: vec![Written::default(); columns.len()] })
    }

    /// Everything taken so far goes to the file, such as before a long pause.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.file.flush()
    }
}

impl Drop for CsvFile {
    // Neither finished nor kept: a panic or an error elsewhere. The partial file stays, as whole as can be.
    fn drop(&mut self) {
        if self.file.is_open() {
            let _ = self.file.flush();
        }
    }
}

impl Sink for CsvFile {
    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), WriteError> {
        self.row_with_integers(time, values, &[])
    }

    fn row_with_integers(
        &mut self,
        time: f64,
        values: &[f64],
        integers: &[(usize, i64)],
    ) -> Result<(), WriteError> {
        assert_eq!(values.len(), self.last.len(), "one value per column");
        let out = self.file.waiting();
        write_number(out, time).expect("memory takes everything");
        let mut begin = 0;
        for &(place, integer) in integers {
            write_values(out, &mut self.last[begin..place], &values[begin..place]);
            write!(out, ",{integer}").expect("memory takes everything");
            begin = place + 1;
        }
        write_values(out, &mut self.last[begin..], &values[begin..]);
        out.push(b'\n');
        self.file.end_row(time);
        if self.file.is_due() { self.file.flush() } else { Ok(()) }
    }

    fn progress(&mut self, _: &Progress<'_>) -> Result<ControlFlow<()>, WriteError> {
        if self.file.is_due() {
            self.file.flush()?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finish(mut self: Box<Self>) -> Result<(), WriteError> {
        self.file.flush()?;
        self.file.take_place().map(|_| ())
    }

    fn keep_partial(mut self: Box<Self>) -> Result<Option<PathBuf>, WriteError> {
        if !self.file.is_worth_keeping() {
            return Ok(None);
        }
        self.file.flush()?;
        self.file.take_place().map(Some)
    }
}

fn write_values(out: &mut Vec<u8>, last: &mut [Written], values: &[f64]) {
    for (last, value) in last.iter_mut().zip(values) {
        out.push(b',');
        out.extend_from_slice(last.text_of(*value));
    }
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
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format(value).as_bytes();
    // a whole number is written without its fraction
    out.write_all(match text {
        [whole @ .., b'.', b'0'] => whole,
        _ => text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: f64) -> String {
        let mut text = Vec::new();
        write_number(&mut text, value).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn numbers_are_short_and_exact() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (1e-5, "0.00001"),
            (9.9e-6, "9.9e-6"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e15, "1000000000000000"),
            (1e16, "1e+16"),
            (1.5e300, "1.5e+300"),
            (5e-324, "5e-324"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(written(value), text);
        }
        let mut bits = 1_u64;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let value = f64::from_bits(bits);
            let text = written(value);
            assert!(value.is_nan() || text.parse() == Ok(value), "{value:e}: {text}");
        }
    }

    #[test]
    fn what_is_kept_of_the_row_before_is_what_would_be_written() {
        let mut last = Written::default();
        for value in [0.0, -0.0, -0.0, 1.5, 1.5, 1e-7, f64::NAN, f64::NAN, 0.1 + 0.2, 1e300, 0.0] {
            let mut fresh = Vec::new();
            write_number(&mut fresh, value).unwrap();
            assert_eq!(last.text_of(value), fresh);
        }
    }
}
