//! The texts that models print, on which stream, and how often; and the options about ranges.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use expect_test::expect;

/// `print` as the Standard Library has it, so that the tests need no library.
const PRINT: &str = "\
  impure function print
    input String string = \"\";
    input String fileName = \"\";
    external \"C\" ModelicaInternal_print(string, fileName);
  end print;
";

/// A folder of its own with a model in it.
fn folder_with(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("printing").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("M.mo"), text).unwrap();
    folder
}

fn simulate(folder: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rhei"));
    command
        .args(["simulate", "M.mo", "--no-cache"])
        .args(options)
        .current_dir(folder)
        .env_remove("MODELICAPATH");
    command.output().unwrap()
}

/// The texts that a model prints.
fn printed(name: &str, text: &str) -> String {
    let done = simulate(&folder_with(name, text), &[]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn once_for_each_time_a_when_is_active() {
    let said = printed(
        "once_for_each_time_a_when_is_active",
        &format!(
            "\
model M
{PRINT}
  parameter Real p = 3;
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  Boolean late = x > 0.6;
initial equation
  print(\"p = \" + String(p));
equation
  der(x) = 1;
  when sample(0, 0.25) then
    n = pre(n) + 1;
    print(\"tick \" + String(n) + \" at \" + String(time, format = \".2f\") + (if late then \", late\" else \"\"));
  end when;
  when late then
    print(\"late at \" + String(x, significantDigits = 3));
  end when;
  when initial() then
    print(\"initially\");
  end when;
  when terminal() then
    print(\"the end\");
  end when;
end M;
"
        ),
    );
    expect![[r#"
        p = 3
        initially
        tick 1 at 0.00
        tick 2 at 0.25
        tick 3 at 0.50
        late at 0.6
        tick 4 at 0.75, late
        tick 5 at 1.00, late
        the end
    "#]]
    .assert_eq(&said);
}

#[test]
fn values_of_the_evaluation_in_which_a_when_is_active() {
    let said = printed(
        "values_of_the_evaluation_in_which_a_when_is_active",
        &format!(
            "\
model M
{PRINT}
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Integer bounces(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.8*pre(v));
    bounces = pre(bounces) + 1;
    print(\"falls at \" + String(v, format = \".3f\"));
  end when;
  when bounces >= 1 then
    print(\"bounced\");
  end when;
  annotation(experiment(StopTime = 1));
end M;
"
        ),
    );
    expect![[r#"
        falls at -4.429
        bounced
    "#]]
    .assert_eq(&said);
}

#[test]
fn a_function_with_a_result_prints_as_often_as_it_is_asked_for() {
    let said = printed(
        "a_function_with_a_result_prints_as_often_as_it_is_asked_for",
        &format!(
            "\
model M
{PRINT}
  record Pair
    Real a;
    Integer n[2];
  end Pair;
  impure function shown
    input Pair pair;
    input String name;
    output Real y;
  algorithm
    for i in 1:2 loop
      print(name + \".n[\" + String(i) + \"] = \" + String(pair.n[i]));
    end for;
    y := 2*pair.a;
  end shown;
  Pair pair(a = time, n = {{1, 2}});
  discrete Real y(start = 0, fixed = true);
equation
  when sample(0.5, 1) then
    y = shown(pair, \"pair\");
  end when;
end M;
"
        ),
    );
    expect![[r#"
        pair.n[1] = 1
        pair.n[2] = 2
    "#]]
    .assert_eq(&said);
}

#[test]
fn at_each_tick_of_a_clock() {
    let said = printed(
        "at_each_tick_of_a_clock",
        &format!(
            "\
model M
{PRINT}
  Integer k(start = 0);
equation
  when Clock(1, 4) then
    k = previous(k) + 1;
    print(\"k = \" + String(k));
    print(\"tick\");
  end when;
  annotation(experiment(StopTime = 0.5));
end M;
"
        ),
    );
    expect![[r#"
        k = 1
        tick
        k = 2
        tick
        k = 3
        tick
    "#]]
    .assert_eq(&said);
}

#[test]
fn json_has_standard_output_for_itself() {
    let model = format!("model M\n{PRINT}initial equation\n  print(\"hello\");\nend M;\n");
    let done = simulate(&folder_with("json_has_standard_output_for_itself", &model), &["--json"]);
    let answer: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(answer["status"], "finished");
    assert_eq!(String::from_utf8_lossy(&done.stderr), "hello\n");
}

#[test]
fn lines_at_the_end_of_a_file() {
    let model = format!(
        "model M\n{PRINT}initial equation\n  print(\"one\", \"printed.txt\");\n  print(\"two\", \"printed.txt\");\nend M;\n"
    );
    let folder = folder_with("lines_at_the_end_of_a_file", &model);
    let done = simulate(&folder, &[]);
    assert_eq!((done.status.code(), done.stdout.as_slice()), (Some(0), &b""[..]));
    assert_eq!(std::fs::read_to_string(folder.join("printed.txt")).unwrap(), "one\ntwo\n");
}

#[test]
fn ranges_end_a_run_or_are_left_alone() {
    let model = "\
model M
  type Amount = Real(min = 0);
  Amount a = 0.5 - time;
  Real b(min = 0) = 1 - 1.5*time;
end M;
";
    let folder = folder_with("ranges_end_a_run_or_are_left_alone", model);
    let run = |options: &[&str]| {
        let done = simulate(&folder, &[options, &["--json"]].concat());
        let answer: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        let said = answer["diagnostics"].as_array().unwrap().iter();
        let said = said.map(|said| format!("{}: {}", said["severity"], said["message"]));
        format!(
            "{} {}\n{}",
            done.status.code().unwrap(),
            answer["status"],
            said.collect::<Vec<_>>().join("\n")
        )
    };
    expect![[r#"
        1 "failed"
        "error": "`b` is -1.00071e-6 at t = 0.6666673338, below its `min` of 0""#]]
    .assert_eq(&run(&["--bounds", "error"]));
    expect![[r#"
        0 "finished"
    "#]]
    .assert_eq(&run(&["--bounds", "off"]));
    expect![[r#"
        0 "finished"
        "warning": "`a` is below its `min` of 0 from t = 0.5000010002 on: it is -0.5 at t = 1"
        "warning": "`b` is below its `min` of 0 from t = 0.6666673338 on: it is -0.5 at t = 1""#]]
    .assert_eq(&run(&["--bounds-of-types"]));
}
