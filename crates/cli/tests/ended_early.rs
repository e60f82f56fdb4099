//! Runs that end before their time: killed, stopped by Ctrl-C, out of disk. A file with the name that was asked for is
//! whole, what a killed run leaves can be read, and an older result is there until a new one is whole.
#![cfg(unix)]

mod folder;

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use folder::{Folder, json, said, status};

/// Takes hours, with many rows.
const LONG: &str = "\
model Long
  parameter Real w = 10;
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real y = -x;
equation
  der(x) = w*v;
  der(v) = -w*x;
end Long;
";

const OPTIONS: &str =
    "simulate Long.mo --no-cache --stop-time 1e7 --interval 0.125 --method tsit45 --tolerance 1e-9";
const EARLIER: &str = "the result of an earlier run";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    std::fs::write(folder.0.join("Long.mo"), LONG).unwrap();
    folder
}

fn start(folder: &Folder, arguments: &str) -> Child {
    folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Columns `time`, `w`, `x`, `v`, `y` and derivatives, every eighth of a second.
fn check_rows(rows: &[Vec<f64>]) {
    for (k, row) in rows.iter().enumerate() {
        let t = k as f64 * 0.125;
        assert_eq!(row[0], t);
        let (x, v) = ((10.0 * t).cos(), -(10.0 * t).sin());
        let close = |a: f64, b: f64| (a - b).abs() < 1e-2;
        assert!(close(row[1], 10.0) && close(row[2], x) && close(row[3], v) && close(row[4], -x), "{row:?}");
    }
}

/// The whole lines of a CSV file, which may have been cut off.
fn csv_rows(path: &Path) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(path).unwrap();
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let row = |line: &str| line.split(',').map(|number| number.parse().unwrap()).collect();
    whole.lines().skip(1).map(row).collect()
}

/// As many rows of a MAT file as its header counts, in the order of CSV. Parts that are not there yet are no rows.
fn mat_rows(path: &Path) -> Vec<Vec<f64>> {
    let bytes = std::fs::read(path).unwrap();
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let double = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let (mut at, mut places, mut constants) = (0, Vec::new(), 0);
    while at < bytes.len() {
        let (format, rows, columns) = (number(at), number(at + 4), number(at + 8));
        let name = std::str::from_utf8(&bytes[at + 20..at + 19 + number(at + 16)]).unwrap();
        let begin = at + 20 + number(at + 16);
        at = begin + rows * columns * [8, 0, 4, 0, 0, 1][format / 10];
        match name {
            "dataInfo" => {
                places = (0..columns)
                    .map(|k| (number(begin + 16 * k), number(begin + 16 * k + 4) as i32))
                    .collect()
            }
            "data_1" => constants = begin,
            "data_2" => {
                assert!(at <= bytes.len(), "{columns} columns are counted and not all are there");
                let value = |column: usize, (matrix, place): (usize, i32)| {
                    let begin = if matrix == 1 { constants } else { begin + 8 * rows * column };
                    f64::from(place.signum()) * double(begin + 8 * (place.unsigned_abs() as usize - 1))
                };
                return (0..columns).map(|k| places.iter().map(|place| value(k, *place)).collect()).collect();
            }
            _ => {}
        }
    }
    Vec::new()
}

fn rows(path: &Path) -> Vec<Vec<f64>> {
    let name = path.to_str().unwrap();
    if name.trim_end_matches(".partial").ends_with(".csv") { csv_rows(path) } else { mat_rows(path) }
}

#[test]
fn a_killed_run_leaves_what_can_be_read_and_nothing_under_the_name() {
    let mut random = 0x2545_F491_4F6C_DD1Du64;
    let mut most = 0;
    for kind in ["csv", "mat"] {
        let folder = folder(&format!("killed_{kind}"));
        let (path, partial) =
            (folder.0.join(format!("out.{kind}")), folder.0.join(format!("out.{kind}.partial")));
        std::fs::write(&path, EARLIER).unwrap();
        for _ in 0..15 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let mut child = start(&folder, &format!("{OPTIONS} -o out.{kind}"));
            std::thread::sleep(Duration::from_micros(random % 400_000));
            child.kill().unwrap();
            child.wait().unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), EARLIER);
            if partial.exists() {
                let rows = rows(&partial);
                check_rows(&rows);
                most = most.max(rows.len());
            }
        }
    }
    assert!(most > 100, "no run came far enough to show anything: {most}");
}

#[test]
fn ctrl_c_keeps_the_rows_so_far() {
    for (kind, name) in [("csv", "-INT"), ("mat", "-INT"), ("csv", "-TERM")] {
        let folder = folder(&format!("stopped_{kind}{name}"));
        let child = start(&folder, &format!("{OPTIONS} -o out.{kind} --json"));
        wait_for_rows(&folder, &format!("out.{kind}.partial"));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(status(&output), 1, "{}", said(&output));
        let answer = json(&output);
        assert_eq!(answer["status"], "stopped");
        let reached = answer["stop_time"].as_f64().unwrap();
        assert!(said(&output).contains(&format!("until then is in `out.{kind}`")), "{}", said(&output));
        assert_eq!(folder.files(), [format!("out.{kind}")]);
        let rows = rows(&folder.0.join(format!("out.{kind}")));
        check_rows(&rows);
        let last = rows.last().unwrap()[0];
        assert!(last > 0.0 && last <= reached && reached - last < 1.0, "rows to {last}, run to {reached}");
    }
}

/// A process may not write files longer than the shell allows: what a full disk does, after some rows.
#[test]
fn a_full_disk_keeps_whole_rows_and_the_earlier_result() {
    for kind in ["csv", "mat"] {
        let folder = folder(&format!("full_{kind}"));
        let path = folder.0.join(format!("out.{kind}"));
        std::fs::write(&path, EARLIER).unwrap();
        let limited = format!(
            "trap '' XFSZ; ulimit -f 300; exec '{}' {OPTIONS} -o out.{kind} --json",
            env!("CARGO_BIN_EXE_rhei")
        );
        let output = Command::new("sh").args(["-c", &limited]).current_dir(&folder.0).output().unwrap();
        assert_eq!(status(&output), 1, "{}", said(&output));
        let answer = json(&output);
        assert_eq!(answer["status"], "failed");
        assert_eq!(answer["diagnostics"].as_array().unwrap().len(), 1, "{answer}");
        assert_eq!(answer["diagnostics"][0]["id"], "result-not-written");
        let message = answer["diagnostics"][0]["message"].as_str().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), EARLIER);
        let rows = rows(&folder.0.join(format!("out.{kind}.partial")));
        check_rows(&rows);
        let kept = format!("it keeps the {} rows up to t = {}", rows.len(), rows.last().unwrap()[0]);
        assert!(message.contains(&format!("`out.{kind}.partial`")) && message.ends_with(&kept), "{message}");
    }
}

#[test]
fn a_run_that_fails_at_its_start_leaves_the_earlier_result() {
    let folder = folder("no_row");
    std::fs::write(folder.0.join("None.mo"), "model None\n  Real x = 1/(time - time);\nend None;\n").unwrap();
    for file in ["out.csv", "out.mat"] {
        std::fs::write(folder.0.join(file), EARLIER).unwrap();
        let output = folder.rhei(&format!("simulate None.mo -o {file}"));
        assert_eq!(status(&output), 1, "{}", said(&output));
        assert_eq!(folder.read(file), EARLIER);
    }
    assert_eq!(folder.files(), ["out.csv", "out.mat"]);
}

#[test]
fn how_far_a_run_is_does_not_show_in_a_pipe() {
    let folder = folder("no_bar");
    let child = start(&folder, &format!("{OPTIONS} -o out.csv"));
    wait_for_rows(&folder, "out.csv.partial");
    // the bar of a terminal would be there by now
    std::thread::sleep(Duration::from_secs(1));
    signal(&child, "-INT");
    let said = said(&child.wait_with_output().unwrap());
    assert!(said.contains("Long: stopped at t = ") && !said.contains("× real time"), "{said}");
}

#[test]
fn how_far_a_run_is_shows_on_a_terminal() {
    if Command::new("script").arg("--version").output().is_err() {
        println!("skipped: no `script` to make a terminal");
        return;
    }
    let folder = folder("bar");
    // the run alone hears Ctrl-C
    let run = format!("exec '{}' {OPTIONS}", env!("CARGO_BIN_EXE_rhei"));
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &run, "/dev/null"]).env("TERM", "xterm").current_dir(&folder.0);
    let mut child = terminal.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut keyboard = child.stdin.take().unwrap();
    let said = Said::by(child.stdout.take().unwrap());
    let has_bar = |said: &str| {
        let limited = said.contains(", limited by x") || said.contains(", limited by v");
        said.contains("of 1e7 s, ") && said.contains("× real time") && limited
    };
    let (said, is_enough) = said.until(has_bar, String::new(), &mut child);
    assert!(is_enough.is_some(), "{said}");
    keyboard.write_all(b"\x03").unwrap();
    let (said, is_enough) =
        is_enough.unwrap().until(|said| said.contains("Long: stopped at t = "), said, &mut child);
    assert!(is_enough.is_some(), "{said}");
    child.wait().unwrap();
}

/// Longer than anything takes on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until a file holds something.
fn wait_for_rows(folder: &Folder, name: &str) {
    let begun = Instant::now();
    let has_rows = || std::fs::metadata(folder.0.join(name)).is_ok_and(|file| file.len() > 10_000);
    while !has_rows() {
        assert!(begun.elapsed() < PATIENCE, "{name} has no rows");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The output of a process, as it comes.
struct Said(Receiver<Vec<u8>>);

impl Said {
    fn by(mut out: impl Read + Send + 'static) -> Said {
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n) = out.read(&mut bytes) {
                if n == 0 || sender.send(bytes[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        Said(receiver)
    }

    /// The output once it is enough. If it never is, the process is ended, and the test fails.
    fn until(
        self,
        is_enough: impl Fn(&str) -> bool,
        before: String,
        child: &mut Child,
    ) -> (String, Option<Said>) {
        let begun = Instant::now();
        let mut said = before.into_bytes();
        loop {
            let text = String::from_utf8_lossy(&said).into_owned();
            if is_enough(&text) {
                return (text, Some(self));
            }
            match self.0.recv_timeout(PATIENCE.saturating_sub(begun.elapsed())) {
                Ok(more) => said.extend(more),
                Err(_) => {
                    let _ = child.kill();
                    return (text, None);
                }
            }
        }
    }
}
