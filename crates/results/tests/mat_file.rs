//! MAT files, taken apart by a small reader of the test's own. That other programs read them is tested with the command line.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect;
use rhei_results::{Alias, Column, Columns, Kind, MatFile, Sink, partial_path};

/// A folder of its own for each test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mat").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn columns() -> Columns {
    let length =
        Column { unit: Some("m".into()), description: "Length".into(), ..Column::new("l", Kind::Constant) };
    let alias = |of, negated| Some(Alias { of, negated });
    [
        length,
        Column::new("x", Kind::Continuous),
        Column { unit: Some("Pa".into()), ..Column::new("pump.p", Kind::Continuous) },
        Column { alias: alias(1, true), ..Column::new("y", Kind::Continuous) },
        Column::new("on", Kind::Discrete),
        Column { alias: alias(3, true), ..Column::new("z", Kind::Continuous) },
        Column { alias: alias(0, false), ..Column::new("k", Kind::Constant) },
        Column { alias: alias(0, false), ..Column::new("w", Kind::Continuous) },
    ]
    .into_iter()
    .collect()
}

const FIRST: [f64; 8] = [7.0, 1.0, 10.0, -1.0, 0.0, 1.0, 7.0, 7.0];
const SECOND: [f64; 8] = [7.0, 2.0, 20.0, -2.0, 1.0, 2.0, 7.0, 7.0];

/// The matrices of a file: name, format, rows, columns, bytes. Says where a matrix is longer than the file.
fn matrices(path: &Path) -> Vec<(String, u32, usize, usize, Vec<u8>)> {
    let bytes = fs::read(path).unwrap();
    let mut rest = &bytes[..];
    let mut found = Vec::new();
    while !rest.is_empty() {
        let number = |k: usize| u32::from_le_bytes(rest[4 * k..4 * k + 4].try_into().unwrap());
        let (format, rows, columns, name) =
            (number(0), number(1) as usize, number(2) as usize, number(4) as usize);
        let size = match format {
            0 => 8,
            20 => 4,
            51 => 1,
            other => panic!("format {other}"),
        };
        let text = String::from_utf8(rest[20..20 + name - 1].to_vec()).unwrap();
        let (begin, end) = (20 + name, 20 + name + size * rows * columns);
        assert!(end <= rest.len(), "{text} ends after the file");
        found.push((text, format, rows, columns, rest[begin..end].to_vec()));
        rest = &rest[end..];
    }
    found
}

/// The matrices as text, a column of the file per line.
fn dump(path: &Path) -> String {
    let mut out = String::new();
    for (name, format, rows, columns, bytes) in matrices(path) {
        out += &format!("{name} {rows}x{columns}\n");
        let size = bytes.len().checked_div(rows * columns).unwrap_or(1);
        for column in bytes.chunks((rows * size).max(1)) {
            let text = match format {
                51 => format!("{:?}", String::from_utf8_lossy(column)),
                20 => column
                    .chunks(4)
                    .map(|n| format!("{} ", i32::from_le_bytes(n.try_into().unwrap())))
                    .collect(),
                _ => column
                    .chunks(8)
                    .map(|n| format!("{} ", f64::from_le_bytes(n.try_into().unwrap())))
                    .collect(),
            };
            out += &format!("  {}\n", text.trim_end());
        }
    }
    out
}

#[test]
fn what_varies_what_does_not_and_what_is_the_same() {
    let path = folder("layout").join("out.mat");
    let mut file: Box<dyn Sink> = Box::new(MatFile::create(&path, &columns()).unwrap());
    file.row(0.5, &FIRST).unwrap();
    file.row(1.5, &SECOND).unwrap();
    file.row(1.5, &FIRST).unwrap();
    file.finish().unwrap();
    expect![[r#"
        Aclass 4x11
          "A1 b"
          "t. i"
          "r1 n"
          "a  T"
          "j  r"
          "e  a"
          "c  n"
          "t  s"
          "o   "
          "r   "
          "y   "
        name 6x9
          "time  "
          "l     "
          "x     "
          "pump.p"
          "y     "
          "on    "
          "z     "
          "k     "
          "w     "
        description 10x9
          "Time [s]  "
          "Length [m]"
          "          "
          "[Pa]      "
          "          "
          "          "
          "          "
          "          "
          "          "
        dataInfo 4x9
          0 1 0 -1
          1 2 0 0
          2 2 0 -1
          2 3 0 -1
          2 -2 0 -1
          2 4 0 -1
          2 2 0 -1
          1 2 0 0
          2 5 0 -1
        data_1 2x2
          0.5 7
          1.5 7
        data_2 5x3
          0.5 1 10 0 7
          1.5 2 20 1 7
          1.5 1 10 0 7
    "#]]
    .assert_eq(&dump(&path));
}

#[test]
fn after_each_flush_the_partial_file_can_be_read() {
    let path = folder("flushed").join("out.mat");
    fs::write(&path, "the result of an earlier run").unwrap();
    let mut file = MatFile::create(&path, &columns()).unwrap();
    for rows in 1..=3 {
        file.row(f64::from(rows), &FIRST).unwrap();
        file.row(f64::from(rows) + 0.5, &SECOND).unwrap();
        file.flush().unwrap();
        let read = matrices(&partial_path(&path));
        let (name, _, _, columns, _) = read.last().unwrap();
        assert_eq!((name.as_str(), *columns), ("data_2", 2 * rows as usize));
        assert_eq!(read[4].4[16..24], (f64::from(rows) + 0.5).to_le_bytes(), "the last time in data_1");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "the result of an earlier run");
    drop(file);
    assert_eq!(fs::read_to_string(&path).unwrap(), "the result of an earlier run");
    assert_eq!(matrices(&partial_path(&path)).len(), 6);
}

#[test]
fn without_a_row_nothing_is_kept() {
    let path = folder("none").join("out.mat");
    fs::write(&path, "the result of an earlier run").unwrap();
    let file = Box::new(MatFile::create(&path, &columns()).unwrap());
    assert_eq!(file.keep_partial().unwrap(), None);
    assert_eq!(fs::read_to_string(&path).unwrap(), "the result of an earlier run");
    assert!(!partial_path(&path).exists());
}

#[test]
fn a_run_of_no_rows_is_a_file_of_no_columns() {
    let path = folder("empty").join("out.mat");
    Box::new(MatFile::create(&path, &columns()).unwrap()).finish().unwrap();
    let (name, _, rows, columns, _) = matrices(&path).pop().unwrap();
    assert_eq!((name.as_str(), rows, columns), ("data_2", 5, 0));
}
