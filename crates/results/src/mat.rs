//! Rows into a MAT file of version 4, in the layout that Dymola and OpenModelica write, while the run goes on.
//!
//! A file is a sequence of matrices, each a header of 20 bytes, a name and the numbers, column after column:
//!
//! | matrix | what |
//! |---|---|
//! | `Aclass` | `Atrajectory`, the version 1.1, nothing, and `binTrans`: all that follows is transposed |
//! | `name` | a name per column, `time` first |
//! | `description` | the text beside the declaration, with the unit: `Length of the arm [m]` |
//! | `dataInfo` | per name: which `data` matrix, which row of it (negative for the negated values), how to interpolate and extrapolate |
//! | `data_1` | what does not vary, with two columns: at the first and at the last time |
//! | `data_2` | what varies, a column per time |
//!
//! `data_2` is last, so that rows are added by appending to the file. Its number of columns, and the last time in
//! `data_1`, are written anew after each batch of rows: whatever is after them in the file is not counted yet.

use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::columns::{Column, Columns, Kind};
use crate::row_file::RowFile;
use crate::sink::{Progress, Sink, WriteError};

/// The number format of a matrix, as its header says it: little-endian, no matter where rhei runs.
#[derive(Clone, Copy)]
enum Format {
    Double = 0,
    Integer = 20,
    Text = 51,
}

/// Offset of the number of columns in a header.
const COLUMNS_IN_HEADER: u64 = 8;

/// A MAT file being written.
pub struct MatFile {
    file: RowFile,
    columns: Columns,
    places: Vec<DataRow>,
    /// Rows of `data_1` and of `data_2`, `time` included.
    constants: usize,
    varying: usize,
    offsets: Option<Offsets>,
}

/// Offsets in the file of the values that change while rows are added.
#[derive(Clone, Copy)]
struct Offsets {
    /// The last time, in `data_1`.
    last_time: u64,
    /// The number of columns of `data_2`.
    columns: u64,
}

/// Place of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DataRow {
    /// The number of the `data` matrix.
    matrix: i32,
    /// The row in it, counted from 1; negative for the negated values.
    row: i32,
    /// Whether it is a row of its own, not that of another column.
    own: bool,
}

impl MatFile {
    /// Creates the partial file; it is empty until the first row, which has the values of the parameters.
    pub fn create(path: impl Into<PathBuf>, columns: &Columns) -> Result<MatFile, WriteError> {
        let file = RowFile::create(path)?;
        let places = places(columns);
        // `time` is in both
        let count = |matrix| 1 + places.iter().filter(|place| place.matrix == matrix && place.own).count();
        let (constants, varying) = (count(1), count(2));
        Ok(MatFile { file, columns: columns.clone(), places, constants, varying, offsets: None })
    }

    /// Everything taken so far goes to the file, then its count.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.file.flush()?;
        let Some(offsets) = self.offsets else { return Ok(()) };
        self.file.overwrite(offsets.last_time, &self.file.last_time().to_le_bytes())?;
        self.file.overwrite(offsets.columns, &(self.file.rows() as u32).to_le_bytes())
    }

    /// All that comes before the rows.
    fn write_head(&mut self, time: f64, values: &[f64]) {
        let descriptions =
            || std::iter::once("Time [s]".to_owned()).chain(self.columns.iter().map(description));
        let descriptions: Vec<String> = descriptions().collect();
        let names: Vec<&str> =
            std::iter::once("time").chain(self.columns.iter().map(|column| column.name.as_str())).collect();
        let mut out = Vec::new();
        write_class(&mut out);
        write_texts(&mut out, "name", &names);
        write_texts(&mut out, "description", &descriptions);
        self.write_places(&mut out);

        write_header(&mut out, "data_1", Format::Double, self.constants, 2);
        let mut last_time = 0;
        for _ in ["first", "last"] {
            last_time = out.len() as u64;
            write_numbers(&mut out, time, self.own(1, values));
        }
        let columns = out.len() as u64 + COLUMNS_IN_HEADER;
        write_header(&mut out, "data_2", Format::Double, self.varying, 0);
        self.offsets = Some(Offsets { last_time, columns });
        self.file.waiting().extend(out);
    }

    fn write_places(&self, out: &mut Vec<u8>) {
        write_header(out, "dataInfo", Format::Integer, 4, self.places.len() + 1);
        let time = [0, 1, LINEAR, UNDEFINED];
        let others = self.places.iter().map(|place| match place.matrix {
            1 => [1, place.row, LINEAR, HELD],
            matrix => [matrix, place.row, LINEAR, UNDEFINED],
        });
        for number in std::iter::once(time).chain(others).flatten() {
            out.extend(number.to_le_bytes());
        }
    }

    /// The values that have a row of their own in a matrix.
    fn own<'a>(&'a self, matrix: i32, values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let places = self.places.iter().zip(values);
        places.filter(move |(place, _)| place.matrix == matrix && place.own).map(|(_, value)| *value)
    }
}

/// Codes for interpolation between two times, and for values outside of all.
const LINEAR: i32 = 0;
const UNDEFINED: i32 = -1;
const HELD: i32 = 0;

/// Places of all columns; an alias, or its negative, shares the row of the other column.
fn places(columns: &Columns) -> Vec<DataRow> {
    let mut places: Vec<DataRow> = Vec::with_capacity(columns.len());
    let mut rows = [1, 1];
    for column in columns.iter() {
        let matrix = if column.kind == Kind::Constant { 1 } else { 2 };
        let shared = column.alias.and_then(|alias| {
            let other = places.get(alias.of).filter(|other| other.matrix == matrix)?;
            let row = if alias.negated { -other.row } else { other.row };
            Some(DataRow { matrix, row, own: false })
        });
        places.push(shared.unwrap_or_else(|| {
            let row = &mut rows[matrix as usize - 1];
            *row += 1;
            DataRow { matrix, row: *row, own: true }
        }));
    }
    places
}

fn description(column: &Column) -> String {
    match &column.unit {
        Some(unit) if column.description.is_empty() => format!("[{unit}]"),
        Some(unit) => format!("{} [{unit}]", column.description),
        None => column.description.clone(),
    }
}

fn write_header(out: &mut Vec<u8>, name: &str, format: Format, rows: usize, columns: usize) {
    let imaginary = 0;
    for number in [format as u32, rows as u32, columns as u32, imaginary, name.len() as u32 + 1] {
        out.extend(number.to_le_bytes());
    }
    out.extend(name.as_bytes());
    out.push(0);
}

/// The one matrix that is not transposed.
fn write_class(out: &mut Vec<u8>) {
    let lines = ["Atrajectory", "1.1", "", "binTrans"];
    let width = lines[0].len();
    write_header(out, "Aclass", Format::Text, lines.len(), width);
    for at in 0..width {
        out.extend(lines.map(|line| line.as_bytes().get(at).copied().unwrap_or(b' ')));
    }
}

/// A text per column, filled up with blanks.
fn write_texts(out: &mut Vec<u8>, name: &str, texts: &[impl AsRef<str>]) {
    let width = texts.iter().map(|text| text.as_ref().len()).max().unwrap_or(0);
    write_header(out, name, Format::Text, width, texts.len());
    for text in texts {
        let text = text.as_ref().as_bytes();
        out.extend(text);
        out.extend(std::iter::repeat_n(b' ', width - text.len()));
    }
}

fn write_numbers(out: &mut Vec<u8>, time: f64, values: impl Iterator<Item = f64>) {
    out.extend(time.to_le_bytes());
    values.for_each(|value| out.extend(value.to_le_bytes()));
}

impl Drop for MatFile {
    // Neither finished nor kept: a panic or an error elsewhere. The partial file stays, as whole as can be.
    fn drop(&mut self) {
        if self.file.is_open() {
            let _ = self.flush();
        }
    }
}

impl Sink for MatFile {
    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), WriteError> {
        assert_eq!(values.len(), self.places.len(), "one value per column");
        if self.offsets.is_none() {
            self.write_head(time, values);
        }
        let mut row = Vec::with_capacity(8 * self.varying);
        write_numbers(&mut row, time, self.own(2, values));
        self.file.waiting().extend(row);
        self.file.end_row(time);
        if self.file.is_due() { self.flush() } else { Ok(()) }
    }

    fn progress(&mut self, _: &Progress<'_>) -> Result<ControlFlow<()>, WriteError> {
        if self.file.is_due() {
            self.flush()?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finish(mut self: Box<Self>) -> Result<(), WriteError> {
        if self.offsets.is_none() {
            let unknown = vec![f64::NAN; self.places.len()];
            self.write_head(f64::NAN, &unknown);
        }
        self.flush()?;
        self.file.take_place().map(|_| ())
    }

    fn keep_partial(mut self: Box<Self>) -> Result<Option<PathBuf>, WriteError> {
        if !self.file.is_worth_keeping() {
            return Ok(None);
        }
        self.flush()?;
        self.file.take_place().map(Some)
    }
}
