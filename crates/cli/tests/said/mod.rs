//! The messages of `rhei check` and `rhei simulate`, for tests of them.

use std::path::Path;
use std::process::Command;

use expect_test::Expect;

/// The messages of `rhei check` about a text.
#[allow(dead_code, reason = "each file of tests uses its part")]
pub fn check(name: &str, text: &str, expected: Expect) {
    let (status, said) = say(name, text, &["check"]);
    assert_eq!(status, Some(1), "a mistake is an exit status of 1");
    expected.assert_eq(&said);
}

/// The messages of `rhei simulate` about a text, without the last line, which tells how long it took; and the exit status.
#[allow(dead_code, reason = "each file of tests uses its part")]
pub fn simulate(name: &str, text: &str, status: i32, expected: Expect) {
    simulate_with(name, text, &[], status, expected);
}

/// The same, with options.
#[allow(dead_code, reason = "each file of tests uses its part")]
pub fn simulate_with(name: &str, text: &str, options: &[&str], status: i32, expected: Expect) {
    let (found, said) = say(name, text, &[&["simulate", "-o", "result.csv"], options].concat());
    assert_eq!(found, Some(status), "{said}");
    let kept = said.lines().filter(|line| !line.contains(" steps, ") && !line.contains("result.csv"));
    expected.assert_eq(&kept.map(|line| format!("{line}\n")).collect::<String>());
}

/// The exit status, and what is said on standard error.
fn say(name: &str, text: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("said").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let file = format!("{name}.mo");
    std::fs::write(folder.join(&file), text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_rhei"))
        .args(arguments)
        .arg(&file)
        .current_dir(&folder)
        .env_remove("MODELICAPATH")
        .arg("--no-cache")
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "what people read goes to standard error");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}
