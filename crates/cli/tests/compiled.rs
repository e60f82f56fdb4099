//! Compiled models as files, and those that the program keeps for itself.

mod folder;

use folder::{Folder, said, status};

const PASSES: [&str; 2] = ["parse", "cache"];

/// Which of the two passes the program says it made.
fn passes(said: &str) -> Vec<&'static str> {
    PASSES
        .into_iter()
        .filter(|pass| said.lines().any(|line| line.ends_with(&format!("ms  {pass}"))))
        .collect()
}

#[test]
fn a_compiled_model_runs_in_another_process_to_the_same_bits() {
    let folder = Folder::new("compiled");
    let done = folder.rhei("compile Decay.mo");
    assert_eq!(status(&done), 0, "{}", said(&done));
    assert!(said(&done).contains("kB in Decay.rhei"), "{}", said(&done));
    assert_eq!(status(&folder.rhei("simulate Decay.mo --no-cache --set rate=2 -o a.csv")), 0);
    std::fs::rename(folder.0.join("Decay.mo"), folder.0.join("gone.txt")).unwrap();
    let run = folder.rhei("simulate Decay.rhei --set rate=2 -o b.csv");
    assert_eq!(status(&run), 0, "{}", said(&run));
    assert_eq!(folder.read("a.csv"), folder.read("b.csv"));
    assert_eq!(status(&folder.rhei("states Decay.rhei")), 0);
    assert_eq!(status(&folder.rhei("check Decay.rhei")), 0);

    let shaped = folder.rhei("simulate Decay.rhei --set n=3");
    assert_eq!(status(&shaped), 2, "{}", said(&shaped));
    assert!(said(&shaped).contains("setting-structural"), "{}", said(&shaped));
    let flat = folder.rhei("flatten Decay.rhei");
    assert_eq!(status(&flat), 1);
    assert!(said(&flat).contains("model-file-without-source"), "{}", said(&flat));
    assert_eq!(status(&folder.rhei("simulate Nowhere.rhei")), 2, "a missing file");
    assert_eq!(status(&folder.rhei("simulate Decay.rhei --model Other")), 1);
}

#[test]
fn mistakes_are_told_and_write_nothing() {
    let folder = Folder::new("compiled_mistakes");
    assert_eq!(status(&folder.rhei("compile Refused.mo")), 1);
    assert_eq!(status(&folder.rhei("compile Decay.mo -o model.bin")), 2);
    assert_eq!(status(&folder.rhei("compile Decay.mo -o nowhere/m.rhei")), 1);
    assert_eq!(folder.files(), [""; 0]);
    std::fs::write(folder.0.join("text.rhei"), "model M end M;").unwrap();
    let foreign = folder.rhei("simulate text.rhei --json");
    assert_eq!(status(&foreign), 1);
    assert_eq!(folder::json(&foreign)["diagnostics"][0]["id"], "model-file-foreign");
}

#[test]
fn the_second_run_of_an_unchanged_model_skips_its_compilation() {
    let folder = Folder::new("kept");
    let rhei = |arguments: &str| {
        let mut command = folder.command(arguments);
        command.env("XDG_CACHE_HOME", folder.0.join("cache"));
        let output = command.output().unwrap();
        assert_eq!(status(&output), 0, "{}", said(&output));
        passes(&said(&output))
    };
    assert_eq!(rhei("simulate Decay.mo --timings -o a.csv"), ["parse"]);
    assert_eq!(rhei("simulate Decay.mo --timings -o b.csv"), ["cache"]);
    assert_eq!(folder.read("a.csv"), folder.read("b.csv"));
    assert_eq!(rhei("states Decay.mo --timings"), ["cache"]);
    assert_eq!(rhei("simulate Decay.mo --timings --no-cache"), ["parse"]);
    let text = folder.read("Decay.mo").replace("start = 2", "start = 3");
    std::fs::write(folder.0.join("Decay.mo"), text).unwrap();
    assert_eq!(rhei("simulate Decay.mo --timings -o c.csv"), ["parse"]);
    let (header, rows) = folder.table("c.csv");
    let x = header.split(',').position(|name| name == "x").unwrap();
    assert_eq!(rows[0][x], 3.0);
}
