//! The programs that people read results with: pandas, scipy and DyMat, as `./test` installs them in `target/python`.
//!
//! Skipped, and saying so, where they are not there.

mod folder;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use folder::{Folder, said, status};
use serde_json::{Value, json};

const PUMP: &str = r#"
model Pump
  parameter Real k(unit = "kg/s") = 2.5 "Flow";
  parameter Boolean on = true;
  parameter Boolean off = false "Never";
  constant Integer n = 3;
  Real x(start = 1, fixed = true, unit = "m") "Level, with a comma";
  Real y = -x;
  Real 'odd "name"' = y;
  Real R[2, 2] = {{x, 2*x}, {3*x, time}};
  Real tiny = 1e-300*x;
equation
  der(x) = -x/3;
end Pump;
"#;

/// Variables that repeat others, on both sides of events.
const BALL: &str = "
model Ball
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real w = v;
  Real u = -w;
  Integer n(start = 0, fixed = true);
  Integer m = n;
  Boolean rises = v > 0;
  Boolean b = rises;
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.7*pre(v));
    n = pre(n) + 1;
  end when;
end Ball;
";

/// Runs the script with the Python that has the packages.
fn read(folder: &Folder, arguments: &[&str]) -> Option<Value> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let python: PathBuf = target.join("python/bin/python");
    let has_all = |python: &Path| {
        let imported = Command::new(python).args(["-c", "import DyMat, pandas, scipy"]).output();
        imported.is_ok_and(|output| output.status.success())
    };
    if !has_all(&python) {
        println!("skipped: no scipy, pandas and DyMat in target/python; ./test installs them");
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers.py");
    let output = Command::new(python).arg(script).args(arguments).current_dir(&folder.0).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn pandas_scipy_and_dymat_read_the_same() {
    let folder = Folder::new("same");
    std::fs::write(folder.0.join("Pump.mo"), PUMP).unwrap();
    for file in ["out.csv", "out.mat"] {
        let output = folder.rhei(&format!("simulate Pump.mo --intervals 40 -o {file}"));
        assert_eq!(status(&output), 0, "{}", said(&output));
    }
    let Some(found) = read(&folder, &["whole", "out.csv", "out.mat"]) else { return };
    let names = json!([
        "k",
        "on",
        "off",
        "n",
        "x",
        "y",
        "'odd \"name\"'",
        "R[1,1]",
        "R[1,2]",
        "R[2,1]",
        "R[2,2]",
        "tiny",
        "der(x)"
    ]);
    assert_eq!(found["csv"], names);
    assert_eq!(found["mat"], names);
    assert_eq!(found["types"], json!(["float64", "int64"]), "all are numbers");
    assert_eq!(found["different"], json!([]));
    assert_eq!(found["parameters"], json!(["k", "on", "off", "n"]));
    assert_eq!(found["abscissa"], json!([0.0, 1.0]));
    // x, R[1,2], R[2,1], R[2,2], tiny, der(x), and the time
    assert_eq!(found["matrices"]["data_2"], json!([7, 41]));
    assert_eq!(found["matrices"]["data_1"], json!([5, 2]));
    assert_eq!(found["matrices"]["dataInfo"], json!([4, 14]));
    assert_eq!(found["descriptions"]["x"], "Level, with a comma [m]");
    assert_eq!(found["descriptions"]["k"], "Flow [kg/s]");
    assert_eq!(found["descriptions"]["on"], "");
    assert_eq!(found["shared"]["x"], json!({"y": -1.0, "'odd \"name\"'": -1.0, "R[1,1]": 1.0}));
    assert_eq!(found["shared"]["tiny"], json!({}));
}

#[test]
fn both_sides_of_events_are_the_same_in_both_files() {
    let folder = Folder::new("events");
    std::fs::write(folder.0.join("Ball.mo"), BALL).unwrap();
    for file in ["out.csv", "out.mat"] {
        let output = folder.rhei(&format!("simulate Ball.mo --intervals 40 --stop-time 2 -o {file}"));
        assert_eq!(status(&output), 0, "{}", said(&output));
    }
    let Some(found) = read(&folder, &["whole", "out.csv", "out.mat"]) else { return };
    assert_eq!(found["different"], json!([]));
    assert_eq!(found["shared"]["v"], json!({"w": 1.0, "u": -1.0, "der(h)": 1.0}));
    assert!(found["matrices"]["data_2"][1].as_u64().unwrap() > 41, "rows at events, too");
}

#[test]
fn scipy_reads_what_a_killed_run_left() {
    let folder = Folder::new("killed");
    std::fs::write(folder.0.join("Pump.mo"), PUMP).unwrap();
    let mut run = folder.command("simulate Pump.mo --stop-time 1e9 --interval 0.5 -o out.mat");
    let mut child = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(folder.files(), ["out.mat.partial"]);
    let Some(found) = read(&folder, &["partial", "out.mat.partial"]) else { return };
    let times: Vec<f64> = found["times"].as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).collect();
    assert!(times.len() > 100, "{}", times.len());
    assert!(times.iter().enumerate().all(|(k, t)| *t == 0.5 * k as f64));
}
