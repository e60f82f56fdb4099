//! What `rhei check` says, for the tests of its messages.

use std::path::Path;
use std::process::Command;

use expect_test::Expect;

/// What `rhei check` says about a text.
pub fn check(name: &str, text: &str, expected: Expect) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("said").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let file = format!("{name}.mo");
    std::fs::write(folder.join(&file), text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_rhei"))
        .args(["check", &file])
        .current_dir(&folder)
        .env_remove("MODELICAPATH")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "a mistake is an exit status of 1");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "what people read goes to standard error");
    expected.assert_eq(&String::from_utf8_lossy(&output.stderr));
}
