//! The program as scripts and people call it: exit status, streams, JSON, files.

mod folder;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use folder::{CACHE, Folder, json, keys, said, status};

/// The folder that holds all crates.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn exit_status_tells_fine_from_model_at_fault_from_wrong_usage() {
    let folder = Folder::new("status");
    for (arguments, expected) in [
        ("simulate Decay.mo", 0),
        ("states Decay.mo", 0),
        ("linearize Decay.mo", 0),
        ("check Decay.mo", 0),
        ("flatten Decay.mo", 0),
        ("parse Decay.mo Refused.mo", 0),
        ("parse .", 0),
        ("--help", 0),
        ("--version", 0),
        ("simulate Refused.mo", 1),
        ("states Refused.mo", 1),
        ("linearize Refused.mo", 1),
        ("check Refused.mo", 1),
        ("flatten Refused.mo", 1),
        ("simulate Falls.mo", 1),
        ("simulate Decay.mo --model Other", 1),
        ("", 2),
        ("run Decay.mo", 2),
        ("simulate", 2),
        ("simulate Missing.mo", 2),
        ("check Missing.mo", 2),
        ("parse Missing.mo", 2),
        ("simulate Decay.mo --methd bdf", 2),
        ("simulate Decay.mo --method dassl", 2),
        ("simulate Decay.mo --stop-time soon", 2),
        ("simulate Decay.mo --stop-time -1", 2),
        ("simulate Decay.mo --tolerance 0", 2),
        ("simulate Decay.mo --intervals 0", 2),
        ("simulate Decay.mo --interval 0", 2),
        ("simulate Decay.mo --intervals 2 --at 1", 2),
        ("simulate Decay.mo --step 0.1", 2),
        ("simulate Decay.mo --plot nothing", 2),
        ("simulate Decay.mo --plot-file x.svg", 2),
        ("simulate Decay.mo --plot x --plot-file x.bmp", 2),
        ("simulate Decay.mo -o x.txt", 2),
    ] {
        let output = folder.rhei(arguments);
        assert_eq!(status(&output), expected, "rhei {arguments}\n{}", said(&output));
        if expected == 2 {
            assert!(!said(&output).is_empty(), "rhei {arguments} says what is wrong");
        }
    }
    assert_eq!(folder.files(), [""; 0], "nothing was asked for");
}

#[test]
fn what_scripts_read_goes_to_standard_output_and_all_else_to_standard_error() {
    let folder = Folder::new("streams");
    assert!(folder.rhei("simulate Decay.mo --plot x").stdout.is_empty());
    assert!(folder.rhei("check Refused.mo").stdout.is_empty());
    let output = folder.rhei("check Refused.mo --json");
    assert!(output.stderr.is_empty(), "{}", said(&output));
    let flat = folder.rhei("flatten Decay.mo");
    assert!(String::from_utf8_lossy(&flat.stdout).starts_with("model Decay\n"));
}

/// A relay that switches a thousand times, with a loop beside it.
const RELAY: &str = "\
model Relay
  Real x(start = 0, fixed = true);
  Real slow(start = 1, fixed = true);
  Real y(start = 1);
  Boolean up(start = true, fixed = true);
equation
  der(x) = if up then 2 else -2;
  der(slow) = -1e-3*y;
  y + y^3 = slow;
  up = if pre(up) then x < 1 else x <= -1;
  annotation(experiment(StopTime = 1000));
end Relay;
";

#[test]
fn what_kept_a_run_slow() {
    let folder = Folder::new("limits");
    std::fs::write(folder.0.join("Relay.mo"), RELAY).unwrap();
    for method in ["bdf", "flc-bdf", "esdirk34", "tr-bdf2", "tsit45"] {
        let answer = json(&folder.rhei(&format!("simulate Relay.mo --json --method {method}")));
        let (steps, events) = (answer["steps"].as_u64().unwrap(), answer["events"].as_u64().unwrap());
        assert_eq!(events, 1000, "{method}");
        // beside the relay, the slow state has steps of its own
        assert!(steps <= 10 * events, "{method}: {steps} steps");
        let limits = &answer["limits"];
        assert_eq!(keys(limits), "events loops steps");
        let limited: u64 =
            limits["steps"].as_array().unwrap().iter().map(|s| s["steps"].as_u64().unwrap()).sum();
        assert!(limited > 0 && limited <= steps, "{method}: {limits}");
        assert_eq!(limits["loops"][0]["unknowns"], serde_json::json!(["y"]));
        assert_eq!(limits["loops"][0]["place"]["line"], 9);
        let (solves, newton) = (&limits["loops"][0]["solves"], &limits["loops"][0]["newton"]);
        let (solves, newton) = (solves.as_u64().unwrap(), newton.as_u64().unwrap());
        // a search that begins at its solution takes no iteration
        assert!(solves > 0 && 2 * newton >= solves, "{method}: {limits}");
        assert_eq!(limits["events"].as_array().unwrap().len(), 2);
        assert!(limits["events"].as_array().unwrap().iter().all(|e| e["count"].as_u64().unwrap() >= 500));
    }
    let told = said(&folder.rhei("simulate Relay.mo --timings"));
    for line in ["steps kept short by: `", "loop of `y` (Relay.mo:9): ", "conditions that switched: `(x <"] {
        assert!(told.contains(line), "{told}");
    }
}

/// The message, the line at the end, the answer for scripts and the rows speak of one time.
#[test]
fn a_run_that_fails_names_one_time() {
    let folder = Folder::new("one_time");
    for method in ["bdf", "tsit45", "rk4", "implicit-euler"] {
        let run = format!("simulate Falls.mo --method {method} --intervals 20 -o out.csv");
        let told = said(&folder.rhei(&run));
        assert!(told.contains("at t = 1: `sqrt(x)`") && told.contains("failed at t = 1 in"), "{told}");
        let answer = json(&folder.rhei(&format!("{run} --json")));
        assert!(
            (answer["stop_time"].as_f64().unwrap() - 1.0).abs() < 1e-9,
            "{method}: {}",
            answer["stop_time"]
        );
        let (_, rows) = folder.table("out.csv");
        let last = rows.last().unwrap()[0];
        assert!(last > 0.89, "{method}: the last row is at {last}");
    }
}

#[test]
fn json_of_simulate() {
    let folder = Folder::new("json_simulate");
    let answer = json(&folder.rhei("simulate Decay.mo --json"));
    assert_eq!(
        keys(&answer),
        "balance chart_changes diagnostics events limits mode_changes mode_changes_left_out model modes_analysed rejected sets solver \
         status steps stop_time timings"
    );
    assert_eq!(keys(&answer["solver"]), "integrations jacobians newton order");
    assert_eq!(
        answer["solver"]["integrations"],
        serde_json::json!([{"method": "bdf", "tolerance": 1e-8}]),
        "as it was asked for"
    );
    assert_eq!(answer["model"], "Decay");
    assert_eq!(answer["status"], "finished");
    assert_eq!(answer["stop_time"], 2.0);
    assert!(answer["steps"].as_u64().unwrap() > 10);
    assert_eq!(answer["diagnostics"], Value::Array(vec![]));
    assert!(answer["timings"]["simulate"].as_f64().unwrap() > 0.0);

    let refused = json(&folder.rhei("simulate Refused.mo --json"));
    assert_eq!(refused["status"], "failed");
    assert_eq!(refused["diagnostics"][0]["id"], "unknown-name");

    let failed = json(&folder.rhei("simulate Falls.mo --json"));
    assert_eq!(failed["status"], "failed");
    assert_eq!(failed["diagnostics"][0]["id"], "evaluation-failed");
}

#[test]
fn json_of_states() {
    let folder = Folder::new("json_states");
    let answer = json(&folder.rhei("states Decay.mo --json"));
    assert_eq!(keys(&answer), "diagnostics model modes n_states sets states variables");
    assert_eq!(answer["n_states"], 1);
    assert_eq!(answer["states"], serde_json::json!(["x"]));
    assert_eq!(keys(&answer["modes"][0]), "guards id n_states sets states");
    let x = &answer["variables"][0];
    assert_eq!(keys(x), "name role select why");
    assert_eq!((&x["name"], &x["role"], &x["select"]), (&"x".into(), &"state".into(), &"default".into()));
}

#[test]
fn json_of_check_flatten_and_parse() {
    let folder = Folder::new("json_check");
    for command in ["check", "flatten", "parse"] {
        let fine = json(&folder.rhei(&format!("{command} Decay.mo --json")));
        assert_eq!(fine["diagnostics"], Value::Array(vec![]), "{command}");
    }
    let answer = json(&folder.rhei("check Refused.mo --json"));
    let diagnostic = &answer["diagnostics"][0];
    assert_eq!(keys(diagnostic), "id labels message notes severity");
    assert_eq!(diagnostic["id"], "unknown-name");
    assert_eq!(diagnostic["severity"], "error");
    let label = &diagnostic["labels"][0];
    assert_eq!(keys(label), "column file line message");
    assert_eq!(label["file"], "Refused.mo");
    assert_eq!((label["line"].as_u64(), label["column"].as_u64()), (Some(2), Some(12)));
}

#[test]
fn rows_are_at_the_times_asked_for_and_numbers_read_back() {
    let folder = Folder::new("at");
    let output = folder.rhei("simulate Decay.mo --at 0.1,1.7,0,0.30000000000000004 --keep x -o out.csv");
    assert_eq!(status(&output), 0, "{}", said(&output));
    let (header, rows) = folder.table("out.csv");
    assert_eq!(header, "time,x");
    let times: Vec<f64> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(times, [0.0, 0.1, 0.30000000000000004, 1.7], "sorted, and exactly these");
    for row in rows {
        assert!((row[1] - 2.0 * (-row[0]).exp()).abs() < 1e-6);
    }
    for outside in ["2.5", "-0.1", "NaN"] {
        let output = folder.rhei(&format!("simulate Decay.mo --at={outside} -o none.csv"));
        assert_eq!(status(&output), 2, "{outside}");
    }
    assert_eq!(folder.files(), ["out.csv"], "wrong usage writes nothing");
}

#[test]
fn rows_are_equidistant_and_end_at_the_stop_time() {
    let folder = Folder::new("intervals");
    let times = |options: &str| {
        folder.rhei(&format!("simulate Decay.mo --keep x -o out.csv {options}"));
        folder.table("out.csv").1.iter().map(|row| row[0]).collect::<Vec<f64>>()
    };
    assert_eq!(times("--intervals 4"), [0.0, 0.5, 1.0, 1.5, 2.0]);
    assert_eq!(times("--interval 0.75 --start-time 1"), [1.0, 1.75, 2.0]);
    assert_eq!(times("").len(), 501);
}

#[test]
fn every_variable_is_kept_or_those_asked_for() {
    let folder = Folder::new("keep");
    let header = |keep: &str| {
        let output = folder.rhei(&format!("simulate Decay.mo --intervals 1 -o out.csv {keep}"));
        assert_eq!(status(&output), 0, "{}", said(&output));
        folder.read("out.csv").lines().next().unwrap().to_owned()
    };
    assert_eq!(header(""), "time,rate,n,x,\"R[1,1]\",\"R[1,2]\",\"R[2,1]\",\"R[2,2]\",der(x)");
    assert_eq!(header("--keep R[1,2]"), "time,\"R[1,2]\"");
    assert_eq!(header("--keep R[1,2],x"), "time,x,\"R[1,2]\"");
    assert_eq!(header("--keep R[?,1]"), "time,\"R[1,1]\",\"R[2,1]\"");
    assert_eq!(header("--keep R*,rate"), "time,rate,\"R[1,1]\",\"R[1,2]\",\"R[2,1]\",\"R[2,2]\"");
}

#[test]
fn parameters_are_set_for_one_run() {
    let folder = Folder::new("set");
    let output = folder.rhei("simulate Decay.mo --set rate=2 --at 1 --keep x,rate -o out.csv");
    assert_eq!(status(&output), 0, "{}", said(&output));
    let (header, rows) = folder.table("out.csv");
    assert_eq!((header.as_str(), rows[0][1]), ("time,rate,x", 2.0));
    assert!((rows[0][2] - 2.0 * (-2.0_f64).exp()).abs() < 1e-6);
    for (setting, word) in [
        ("rat=2", "did you mean `rate`?"),
        ("x=2", "not a parameter"),
        ("rate=fast", "not a number"),
        ("rate", "NAME=VALUE"),
    ] {
        let output = folder.rhei(&format!("simulate Decay.mo --set {setting}"));
        assert_eq!(status(&output), 2, "{setting}");
        assert!(said(&output).contains(word), "{setting}: {}", said(&output));
    }
}

#[test]
fn parameters_that_are_settled_are_set_before_the_model_is_compiled() {
    let folder = Folder::new("settled");
    let text = "model Settled
        parameter Real p = 2*q annotation(Evaluate = true);
        parameter Real q = 3;
        final parameter Real r = 4;
        parameter Real s = 5 annotation(Evaluate = false);
        Real x = p + q + r + s;
      end Settled;";
    std::fs::write(folder.0.join("Settled.mo"), text).unwrap();
    for (setting, x) in [("p=1", 13.0), ("q=1", 12.0), ("s=1", 14.0)] {
        let output = folder.rhei(&format!("simulate Settled.mo --set {setting} --keep x -o out.csv"));
        assert_eq!(status(&output), 0, "{setting}: {}", said(&output));
        assert_eq!(folder.table("out.csv").1[0][1], x, "{setting}");
    }
    let output = folder.rhei("simulate Settled.mo --set r=1");
    assert_eq!(status(&output), 2, "{}", said(&output));
    assert!(said(&output).contains("`r` is final"), "{}", said(&output));
}

#[test]
fn the_command_line_wins_over_the_annotation_and_says_so() {
    let folder = Folder::new("verbose");
    let said = said(&folder.rhei("simulate Decay.mo -v --stop-time 3"));
    assert!(said.contains("stop time = 3 from the command line"), "{said}");
    assert!(said.contains("tolerance = 1e-8 from the experiment annotation"), "{said}");
    assert!(said.contains("start time = 0 from rhei's default"), "{said}");
    assert!(said.contains("method = bdf from rhei's default"), "{said}");
    assert!(said.contains("500 intervals from rhei's default"), "{said}");
    let said = folder::said(&folder.rhei("simulate Decay.mo -v --method rk4 --interval 0.1"));
    assert!(said.contains("method = rk4 from the command line"), "{said}");
    assert!(said.contains("rows every 0.1 from the command line"), "{said}");
    assert!(said.contains("step = 0.1 from the distance of the rows"), "{said}");
}

#[test]
fn a_run_that_fails_keeps_its_rows_and_says_where() {
    let folder = Folder::new("partial");
    let output = folder.rhei("simulate Falls.mo --interval 0.25 -o out.csv");
    assert_eq!(status(&output), 1);
    assert!(said(&output).contains("until then is in `out.csv`"), "{}", said(&output));
    let (_, rows) = folder.table("out.csv");
    assert!(!rows.is_empty() && rows.iter().all(|row| row[0] <= 1.0), "{rows:?}");
    assert_eq!(folder.files(), ["out.csv"], "no partial file beside it");
}

#[test]
fn a_path_that_cannot_be_written_is_reported_and_nothing_is_left() {
    let folder = Folder::new("unwritable");
    for arguments in
        ["simulate Decay.mo -o missing/out.csv", "simulate Decay.mo --plot x --plot-file missing/x.svg"]
    {
        let output = folder.rhei(arguments);
        assert_ne!(status(&output), 0, "{arguments}");
        assert!(said(&output).contains("missing/"), "{arguments}: {}", said(&output));
    }
    assert_eq!(folder.files(), [""; 0]);
}

/// `/dev/full` takes nothing: what a full disk does.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let folder = Folder::new("full");
    std::os::unix::fs::symlink("/dev/full", folder.0.join("out.csv")).unwrap();
    let output = folder.rhei("simulate Decay.mo -o out.csv --json");
    assert_eq!(status(&output), 1, "{}", said(&output));
    assert_eq!(json(&output)["diagnostics"][0]["id"], "result-not-written");
}

#[test]
fn a_reader_who_goes_away_is_no_panic() {
    let folder = Folder::new("pipe");
    let mut child = Command::new(env!("CARGO_BIN_EXE_rhei"))
        .args(["flatten", "Decay.mo"])
        .current_dir(&folder.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!said(&output).contains("panicked"), "{}", said(&output));
    assert_eq!(status(&output), 0);
}

#[test]
fn plots_go_to_the_terminal_or_into_a_file() {
    let folder = Folder::new("plot");
    let drawn = said(&folder.rhei("simulate Decay.mo --plot x"));
    assert!(drawn.contains('┤') && drawn.contains("time"), "{drawn}");
    assert_eq!(status(&folder.rhei("simulate Decay.mo --plot x,R[1,2] --plot-file x.svg")), 0);
    let svg = folder.read("x.svg");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && svg.contains("R[1,2]"));
    assert_eq!(status(&folder.rhei("simulate Decay.mo --plot R[1,2],rate,R[?,1] --plot-file x.svg")), 0);
    let svg = folder.read("x.svg");
    let legend: Vec<&str> =
        svg.split("<text").skip(1).filter_map(|text| text.split(['>', '<']).nth(1)).collect();
    assert_eq!(legend[..5], ["Decay", "R[1,2]", "rate", "R[1,1]", "R[2,1]"], "in the order asked for");
    assert_eq!(status(&folder.rhei("simulate Decay.mo --plot x --plot-file x.html")), 0);
    assert!(folder.read("x.html").to_lowercase().contains("<html"));
    assert_eq!(folder.files(), ["x.html", "x.svg"]);
}

#[test]
fn a_model_of_the_file_is_chosen_by_name() {
    let folder = Folder::new("model");
    let text = "model A\n  Real x = 1;\nend A;\nmodel B\n  Real y = 2;\nend B;\n";
    std::fs::write(folder.0.join("Two.mo"), text).unwrap();
    let name = |arguments: &str| json(&folder.rhei(arguments))["model"].as_str().unwrap().to_owned();
    assert_eq!(name("states Two.mo --json"), "B", "the last one");
    assert_eq!(name("states Two.mo --model A --json"), "A");
    let output = folder.rhei("check Two.mo --model C");
    assert_eq!(status(&output), 1);
    assert!(said(&output).contains("class-not-found"), "{}", said(&output));
}

#[test]
fn every_method_runs() {
    let folder = Folder::new("methods");
    let help = folder.rhei("simulate Decay.mo --method none");
    let said_methods = said(&help);
    let (_, methods) = said_methods.split_once("the methods are ").expect("all are named");
    let methods: Vec<&str> = methods.lines().next().unwrap().split(", ").collect();
    assert!(methods.len() >= 10, "{methods:?}");
    for method in methods {
        let output = folder.rhei(&format!("simulate Decay.mo --method {method} --at 2 --keep x -o out.csv"));
        assert_eq!(status(&output), 0, "{method}: {}", said(&output));
        let (_, rows) = folder.table("out.csv");
        let error = (rows[0][1] - 2.0 * (-2.0_f64).exp()).abs();
        assert!(error < 2e-3, "{method}: off by {error}");
        let output =
            folder.rhei(&format!("simulate Decay.mo --method {method} --stop-time 0 --keep x -o out.csv"));
        assert_eq!(status(&output), 0, "{method}: {}", said(&output));
        assert_eq!(folder.table("out.csv").1, [[0.0, 2.0]], "{method}: a run of no length is its start");
    }
}

#[test]
fn the_readme_shows_what_the_program_says() {
    let readme = std::fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let pendulum = std::fs::read_to_string(Path::new(ROOT).join("examples/Pendulum.mo")).unwrap();
    assert!(readme.contains(&pendulum), "the model of the tour is another one");
    let rhei = |arguments: [&str; 2]| {
        Command::new(env!("CARGO_BIN_EXE_rhei"))
            .args(arguments)
            .current_dir(ROOT)
            .env("XDG_CACHE_HOME", CACHE)
            .output()
            .unwrap()
    };
    let states = rhei(["states", "examples/Pendulum.mo"]);
    assert!(readme.contains(&*String::from_utf8_lossy(&states.stdout)), "`rhei states` says something else");
    let plotted = rhei(["simulate", "examples/Tank.mo"]);
    assert_eq!(status(&plotted), 0, "{}", said(&plotted));
}

/// The manual has every command and option, and no others.
#[test]
fn the_manual_speaks_of_every_option() {
    let folder = Folder::new("manual");
    let manual = std::fs::read_to_string(Path::new(ROOT).join("docs/command-line.md")).unwrap();
    let mut known = BTreeSet::new();
    for command in ["simulate", "states", "linearize", "clocked-inverse", "check", "flatten", "parse"] {
        let help = folder.rhei(&format!("{command} --help"));
        known.extend(options(&String::from_utf8_lossy(&help.stdout)));
        assert!(manual.contains(&format!("## `rhei {command}`")), "the manual has no chapter on {command}");
    }
    let written = options(&manual);
    assert_eq!(known.difference(&written).collect::<Vec<_>>(), [""; 0], "options not in the manual");
    assert_eq!(written.difference(&known).collect::<Vec<_>>(), [""; 0], "options that do not exist");
}

/// All `--words` of a text.
fn options(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    words.filter(|word| word.starts_with("--") && word.len() > 3).map(str::to_owned).collect()
}
