//! Options do what their help says, or are refused where they would do nothing.

mod folder;

use folder::{Folder, said, status};

const DECAY: &str = "model Decay
  parameter Real rate = 1;
  Real x(start = 1, fixed = true, min = 0);
  Real y = 2*x;
equation
  der(x) = -rate*x;
end Decay;";

const PLANT: &str = "model Plant
  input Real u;
  output Real y = 2*u;
end Plant;";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    for (file, text) in [("Decay.mo", DECAY), ("Plant.mo", PLANT)] {
        std::fs::write(folder.0.join(file), text).unwrap();
    }
    folder
}

#[test]
fn an_option_that_would_do_nothing_is_wrong_usage() {
    let folder = folder("needless");
    for (arguments, why) in [
        ("simulate Decay.mo --intervals 5 --at 1", "cannot be used with"),
        ("simulate Decay.mo --intervals 5 --interval 0.1", "cannot be used with"),
        ("simulate Decay.mo --interval 0.1 --at 1", "cannot be used with"),
        (
            "simulate Decay.mo --step 0.1",
            "`--step` is for methods with a fixed step, and bdf chooses its own",
        ),
        ("simulate Decay.mo --method tsit45 --step 0.1", "and tsit45 chooses its own"),
        (
            "simulate Decay.mo --projection end",
            "`--projection` is for explicit methods with a fixed step, and bdf is none",
        ),
        ("simulate Decay.mo --method implicit-euler --projection stage", "and implicit-euler is none"),
        (
            "simulate Decay.mo --bounds off --bounds-of-types",
            "`--bounds-of-types` has no effect with `--bounds off`",
        ),
        ("simulate Decay.mo --keep x", "--output"),
        ("simulate Decay.mo --plot-file x.svg", "--plot"),
        ("simulate Decay.mo --plot-calls x.svg", "--plot-calls: nothing in the model is balanced"),
        (
            "simulate Decay.mo --allow-external",
            "`--allow-external` has no effect here: external C code is not loaded yet",
        ),
        (
            "states Decay.mo --stop-time 2",
            "`--stop-time` has no effect here: nothing is run without `--run` or `--advise`",
        ),
        ("states Decay.mo --tolerance 1e-3", "`--tolerance` has no effect here"),
        ("states Decay.mo --method rk4", "`--method` has no effect here"),
        ("states Decay.mo --all --json", "`--all` has no effect here: `--json` lists every variable"),
        ("states Decay.mo --all-modes=0", "`--all-modes` must be at least 1"),
        ("states Decay.mo --code machine", "unexpected argument '--code'"),
        (
            "linearize Decay.mo --method rk4",
            "`--method` has no effect here: nothing is integrated without `--time`",
        ),
        ("linearize Decay.mo --tolerance 1e-3", "`--tolerance` has no effect here"),
        (
            "clocked-inverse Plant.mo --inputs y --frequency 2",
            "--frequency: there is neither a filter nor feedback",
        ),
        ("clocked-inverse Plant.mo --inputs y --method Foo", "--method: there is no solver method `Foo`"),
        ("simulate Decay.mo --plot ,", "--plot: no variable is named"),
        ("simulate Decay.mo -o out.csv --keep ,", "--keep: no variable is named"),
        ("check Decay.mo --library-path nowhere", "--library-path: there is no folder `nowhere`"),
    ] {
        let output = folder.rhei(arguments);
        let said = said(&output);
        assert_eq!(status(&output), 2, "{arguments}: {said}");
        assert!(said.contains(why), "{arguments}: {said}");
    }
}

#[test]
fn options_have_the_effect_that_is_asked_for() {
    let folder = folder("effects");
    let fine = |arguments: &str| {
        let output = folder.rhei(arguments);
        let said = said(&output);
        assert_eq!(status(&output), 0, "{arguments}: {said}");
        said
    };
    let rows = |arguments: &str| {
        fine(&format!("simulate Decay.mo {arguments} -o out.csv"));
        folder.read("out.csv").lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(rows("--intervals 4").len(), 5);
    assert_eq!(rows("--interval 0.5").len(), 3);
    assert_eq!(rows("--at 0.25").len(), 1);
    assert_eq!(rows("--start-time 2 --stop-time 3 --intervals 1")[0].split(',').next(), Some("2"));
    // one step of Euler's method, from 1 on, of length 1
    assert_eq!(rows("--method euler --step 1 --at 1 --keep x"), ["1,0"]);
    for code in ["adaptive", "quick", "machine", "interpreted"] {
        assert_eq!(rows(&format!("--code {code} --at 1")), rows("--at 1"));
    }
    fine("simulate Decay.mo --method rk4 --projection end");
    for events in ["careful", "proven", "fast"] {
        fine(&format!("simulate Decay.mo --events {events}"));
    }
    assert!(fine("states Decay.mo --run --method rk4 -v").contains("method = rk4 from the command line"));
    assert!(
        fine("linearize Decay.mo --time 1 --method rk4 -v").contains("method = rk4 from the command line")
    );
    assert!(fine("states Decay.mo -v").contains("1 file read"));
    let told = folder.rhei("states Decay.mo --all-modes");
    assert!(String::from_utf8_lossy(&told.stdout).contains("it has one mode"), "{told:?}");
    assert!(fine("check Decay.mo -v").contains("1 file read"));
    assert!(fine("flatten Decay.mo -v").contains("1 file read"));
    assert!(fine("parse Decay.mo -v --timings").contains("ms  parse"));
    assert!(fine("clocked-inverse Plant.mo --inputs y --timings -v").contains("ms  parse"));
}
