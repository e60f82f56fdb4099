//! CSV files are whole or not there, and read back exactly.

use std::fs;
use std::path::PathBuf;

use expect_test::expect;
use rhei_results::{Columns, CsvFile, Kind, Sink, WriteError, partial_path};

/// A folder of its own for each test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn columns() -> Columns {
    let mut columns = Columns::new();
    columns.add("x", Kind::Continuous);
    columns.add("R[1,2]", Kind::Continuous);
    columns.add("'odd \"name\"'", Kind::Discrete);
    columns.add("a.b.c", Kind::Constant);
    columns
}

fn finish(file: CsvFile) -> Result<(), WriteError> {
    Box::new(file).finish()
}

#[test]
fn header_and_rows() {
    let path = folder("header").join("out.csv");
    let mut file = CsvFile::create(&path, &columns()).unwrap();
    file.row(0.0, &[1.0, 0.1, 1.0, -0.0]).unwrap();
    file.row(0.1 + 0.2, &[1e300, 1e-300, 0.0, f64::NAN]).unwrap();
    file.row(1e6, &[f64::INFINITY, -1.5e-5, 123456789012345.0, 1e16]).unwrap();
    finish(file).unwrap();
    expect![[r#"
        time,x,"R[1,2]","'odd ""name""'",a.b.c
        0,1,0.1,1,-0
        0.30000000000000004,1e+300,1e-300,0,NaN
        1000000,inf,-0.000015,123456789012345,1e+16
    "#]]
    .assert_eq(&fs::read_to_string(path).unwrap());
}

#[test]
fn numbers_read_back_exactly() {
    let path = folder("exact").join("out.csv");
    let mut columns = Columns::new();
    columns.add("x", Kind::Continuous);
    let mut file = CsvFile::create(&path, &columns).unwrap();
    let mut bits = 0x9E37_79B9_7F4A_7C15u64;
    let mut numbers = vec![f64::MIN_POSITIVE, 5e-324, f64::MAX, 0.1, 1.0 / 3.0, 1e-5, 1e16_f64.next_down()];
    for _ in 0..2000 {
        bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        numbers.push(f64::from_bits(bits));
    }
    numbers.retain(|number| number.is_finite());
    for &number in &numbers {
        file.row(0.0, &[number]).unwrap();
    }
    finish(file).unwrap();
    let text = fs::read_to_string(path).unwrap();
    let read = text.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse::<f64>().unwrap());
    assert!(read.map(f64::to_bits).eq(numbers.iter().copied().map(f64::to_bits)));
}

#[test]
fn until_it_is_finished_only_the_partial_is_there() {
    let path = folder("partial").join("out.csv");
    fs::write(&path, "the result of an earlier run").unwrap();
    let mut file = CsvFile::create(&path, &columns()).unwrap();
    file.row(0.0, &[0.0; 4]).unwrap();
    file.flush().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "the result of an earlier run");
    assert_eq!(fs::read_to_string(partial_path(&path)).unwrap().lines().count(), 2);
    finish(file).unwrap();
    assert!(!partial_path(&path).exists());
    assert!(fs::read_to_string(&path).unwrap().starts_with("time,"));
}

#[test]
fn a_dropped_file_stays_partial() {
    let path = folder("dropped").join("out.csv");
    let mut file = CsvFile::create(&path, &columns()).unwrap();
    file.row(0.0, &[0.0; 4]).unwrap();
    drop(file);
    assert!(!path.exists());
    let kept = fs::read_to_string(partial_path(&path)).unwrap();
    assert!(kept.ends_with("0,0,0,0,0\n"));
}

#[test]
fn what_is_kept_on_purpose_takes_the_name() {
    let path = folder("kept").join("out.csv");
    let mut sink: Box<dyn Sink> = Box::new(CsvFile::create(&path, &columns()).unwrap());
    sink.row(0.0, &[0.0; 4]).unwrap();
    assert_eq!(sink.keep_partial().unwrap(), Some(path.clone()));
    assert!(path.exists() && !partial_path(&path).exists());
}

#[test]
fn errors_name_the_file() {
    let nowhere = folder("errors").join("missing").join("out.csv");
    let error = CsvFile::create(&nowhere, &columns()).err().unwrap();
    assert!(error.to_string().starts_with("cannot create `"), "{error}");
    assert!(error.to_string().contains("missing"), "{error}");

    let directory = folder("errors");
    let error = CsvFile::create(&directory, &columns()).err().unwrap();
    assert_eq!(error.source.kind(), std::io::ErrorKind::IsADirectory, "before the run, not after it");
    assert!(!partial_path(&directory).exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let mut file = CsvFile::create("/dev/full", &columns()).unwrap();
    let written = (0..10_000).try_for_each(|_| file.row(0.0, &[1.0 / 3.0; 4]));
    let error = written.and_then(|()| finish(file)).unwrap_err();
    assert_eq!(error.action, "write");
    assert_eq!(error.source.kind(), std::io::ErrorKind::StorageFull);

    let mut file = CsvFile::create("/dev/null", &columns()).unwrap();
    file.row(0.0, &[0.0; 4]).unwrap();
    finish(file).unwrap();
}

#[test]
fn two_runs_do_not_write_to_one_file() {
    let path = folder("two").join("out.csv");
    let mut first = CsvFile::create(&path, &columns()).unwrap();
    first.row(0.0, &[1.0; 4]).unwrap();
    let error = CsvFile::create(&path, &columns()).err().unwrap();
    assert!(error.to_string().contains("another run is writing it"), "{error}");
    finish(first).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
    let second = CsvFile::create(&path, &columns()).unwrap();
    finish(second).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1);
}

#[test]
fn what_a_killed_run_left_is_written_over() {
    let path = folder("left").join("out.csv");
    fs::write(partial_path(&path), "time,x\n0,1\n0.").unwrap();
    finish(CsvFile::create(&path, &columns()).unwrap()).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_keeps_pointing_to_the_file() {
    let folder = folder("link");
    let (link, file) = (folder.join("link.csv"), folder.join("file.csv"));
    fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    finish(CsvFile::create(&link, &columns()).unwrap()).unwrap();
    assert!(link.is_symlink());
    assert!(fs::read_to_string(&file).unwrap().starts_with("time,"));
}
