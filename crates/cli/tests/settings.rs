//! `--set NAME=VALUE`: values of all types, values that shape the model, and what is refused.

mod folder;

use expect_test::{Expect, expect};

use folder::{Folder, json, said, status};

const SHAPED: &str = "\
package P
  type Speed = enumeration(slow, fast);
  record Material
    parameter Real density = 1;
    parameter Integer layers = 2;
  end Material;
  model Part
    Real y = 1;
  end Part;
  model Shaped
    parameter Integer n = 2 \"shapes the model\";
    parameter Integer m = 7;
    parameter Boolean on = true;
    parameter Boolean has_part = true annotation(Evaluate = true);
    parameter Speed speed = Speed.slow;
    parameter Speed settled = Speed.slow annotation(Evaluate = true);
    parameter String title = \"a\";
    parameter Real k[:] = {1, 2, 3};
    parameter Real A[2, 2] = [1, 2; 3, 4];
    parameter Integer w[3] = {1, 2, 3} annotation(Evaluate = true);
    parameter Integer follows = w[2] + 1;
    parameter Material copper;
    parameter Material sheets[2](density = {1, 2});
    parameter Real p = 3;
    final parameter Real twice = 2*p;
    constant Real c = 5;
    Part part if has_part;
    Real x[n](each start = 1, each fixed = true);
    Integer odd = mod(m, 2);
    Integer literals = Integer(speed) + 10*Integer(settled);
    Boolean is_a = title == \"a\";
    Real sums = sum(k) + 100*sum(A);
    Real masses = copper.density*copper.layers + 10*sheets[1].density + 100*sheets[2].density;
  equation
    der(x) = -x;
    annotation(experiment(StopTime = 0.25));
  end Shaped;
end P;
";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    std::fs::write(folder.0.join("Shaped.mo"), SHAPED).unwrap();
    folder
}

/// The values of these columns at the end, as they are written, with these settings.
fn values(folder: &Folder, settings: &[&str], columns: &[&str]) -> String {
    let mut command = folder.command("simulate Shaped.mo --model P.Shaped -o out.csv --at 0.25");
    settings.iter().for_each(|setting| {
        command.arg("--set").arg(setting);
    });
    let output = command.output().unwrap();
    assert_eq!(status(&output), 0, "{settings:?}: {}", said(&output));
    assert!(said(&output).contains("P.Shaped: finished at t = 0.25"), "{}", said(&output));
    let text = folder.read("out.csv");
    let (header, row) = text.trim_end().split_once('\n').unwrap();
    let names = header.replace("\"A[1,1]\",\"A[1,2]\",\"A[2,1]\",\"A[2,2]\"", "A11,A12,A21,A22");
    let found: Vec<(&str, &str)> = names.split(',').zip(row.split(',')).collect();
    let value =
        |column: &&str| found.iter().find(|(name, _)| name == column).map_or("none", |(_, value)| *value);
    columns.iter().map(value).collect::<Vec<_>>().join(" ")
}

#[test]
fn values_are_of_the_type_of_the_parameter() {
    let folder = folder("types");
    let of = |settings: &[&str], columns: &[&str]| values(&folder, settings, columns);
    assert_eq!(of(&["m=9007199254740993"], &["m", "odd"]), "9007199254740993 1");
    assert_eq!(of(&["m=-9223372036854775808"], &["m", "odd"]), "-9223372036854775808 0");
    assert_eq!(of(&["on=false", "p=1e-3"], &["on", "p", "twice"]), "0 0.001 0.002");
    assert_eq!(of(&["speed=fast"], &["literals"]), "12");
    assert_eq!(of(&["speed=Speed.fast"], &["literals"]), "12");
    assert_eq!(of(&["speed=P.Speed.fast"], &["literals"]), "12");
    assert_eq!(of(&["k={4,5,6}", "A={{1,1},{1,1}}"], &["sums"]), "415");
    assert_eq!(of(&["k[2]=10"], &["k[1]", "k[2]", "sums"]), "1 10 1014");
    assert_eq!(of(&["copper.density=5", "sheets[2].density=3"], &["masses"]), "320");
    assert_eq!(of(&["copper=Material(density=5, layers=1)"], &["masses"]), "215");
    assert_eq!(of(&["sheets.density={3,4}"], &["masses"]), "432");
    assert_eq!(of(&["p=1", "p=2"], &["p"]), "2", "the last one counts");
}

#[test]
fn what_shapes_the_model_compiles_it_anew() {
    let folder = folder("shapes");
    let of = |settings: &[&str], columns: &[&str]| values(&folder, settings, columns);
    assert_eq!(of(&[], &["n", "x[3]", "part.y"]), "2 none 1");
    let three = of(&["n=3", "m=8"], &["n", "m", "x[3]"]);
    assert!(three.starts_with("3 8 0.77880"), "{three}");
    assert_eq!(of(&["has_part=false"], &["has_part", "part.y"]), "0 none");
    assert_eq!(of(&["settled=fast"], &["literals"]), "21");
    assert_eq!(of(&["title=b"], &["is_a"]), "0");
    assert_eq!(of(&["title=\"a\""], &["is_a"]), "1");
    assert_eq!(of(&["k={4,5}"], &["k[2]", "k[3]", "sums"]), "5 none 1009");
    assert_eq!(of(&["w={2,4,6}"], &["w[1]", "follows"]), "2 5");
    assert_eq!(of(&["w[2]=20", "w[1]=3"], &["w[1]", "w[2]", "w[3]", "follows"]), "3 20 3 21");
    // what is there only with the new value is set as well
    assert_eq!(of(&["k={1,1,1,1,1}", "k[5]=7"], &["k[4]", "k[5]"]), "1 7");
}

#[test]
fn a_size_without_a_value_gets_one() {
    let folder = Folder::new("open");
    let text = "model Open parameter Integer n; Real x[n] = fill(time, n); end Open;";
    std::fs::write(folder.0.join("Open.mo"), text).unwrap();
    assert_eq!(status(&folder.rhei("simulate Open.mo")), 1);
    let output = folder.rhei("simulate Open.mo --set n=3 -o out.csv");
    assert_eq!(status(&output), 0, "{}", said(&output));
    assert_eq!(folder.table("out.csv").0, "time,n,x[1],x[2],x[3]");
}

#[test]
fn all_commands_that_run_a_model_take_settings() {
    let folder = folder("commands");
    let n_states = |arguments: &str| {
        let output = folder.rhei(&format!("{arguments} Shaped.mo --model P.Shaped --set n=4 --json"));
        assert_eq!(status(&output), 0, "{}", said(&output));
        json(&output)
    };
    assert_eq!(n_states("states")["n_states"], 4);
    assert_eq!(n_states("states")["model"], "P.Shaped");
    assert_eq!(n_states("linearize")["x"].as_array().map(Vec::len), Some(4));
}

fn refused(setting: &str, expected_status: i32, expected: Expect) {
    let folder = folder(&format!("refused {setting}").replace(|c: char| !c.is_alphanumeric(), "_"));
    let mut command = folder.command("simulate Shaped.mo --model P.Shaped --set");
    let output = command.arg(setting).output().unwrap();
    assert_eq!(status(&output), expected_status, "{setting}: {}", said(&output));
    expected.assert_eq(&said(&output));
    let mut command = folder.command("simulate Shaped.mo --model P.Shaped --json --set");
    let output = command.arg(setting).output().unwrap();
    assert_eq!(status(&output), expected_status, "{setting}: {}", said(&output));
    assert_eq!(json(&output)["diagnostics"][0]["severity"], "error", "{setting}");
}

#[test]
fn settings_of_another_type_are_refused() {
    refused(
        "m=1.5",
        2,
        expect![[r#"
        error[setting-type]: `--set m=1.5`: `1.5` is a Real, and an Integer is expected
    "#]],
    );
    refused(
        "m=9223372036854775808",
        2,
        expect![[r#"
        error[setting-type]: `--set m=9223372036854775808`: `9223372036854775808` is beyond the Integers, which end at -9223372036854775808 and 9223372036854775807
    "#]],
    );
    refused(
        "on=1",
        2,
        expect![[r#"
        error[setting-type]: `--set on=1`: `1` is neither true nor false
    "#]],
    );
    refused(
        "p=nan",
        2,
        expect![[r#"
        error[setting-type]: `--set p=nan`: `nan` is not a number
    "#]],
    );
    refused(
        "speed=faster",
        2,
        expect![[r#"
        error[setting-type]: `--set speed=faster`: `faster` is no literal of `P.Speed`: slow, fast
    "#]],
    );
    refused(
        "k={1,true,3}",
        2,
        expect![[r#"
        error[setting-type]: `--set k={1,true,3}`: `true` is not a number
    "#]],
    );
    refused(
        "copper=3",
        2,
        expect![[r#"
        error[setting-type]: `--set copper=3`: `copper` is made of parts: set these, as in `copper.x=1`, or all at once, as in `copper=R(x=1)`
    "#]],
    );
}

#[test]
fn settings_of_another_size_are_refused() {
    refused(
        "k=3",
        2,
        expect![[r#"
        error[setting-size]: `--set k=3`: one value is given, and its sizes are [3]
          --> Shaped.mo:18:20
           |
        18 |     parameter Real k[:] = {1, 2, 3};
           |                    ^ declared here
    "#]],
    );
    refused(
        "p={1}",
        2,
        expect![[r#"
            error[setting-size]: `--set p={1}`: a list is given, and one value is expected
              --> Shaped.mo:24:20
               |
            24 |     parameter Real p = 3;
               |                    ^ declared here
        "#]],
    );
    refused(
        "k[4]=3",
        2,
        expect![[r#"
        error[setting-size]: `--set k[4]=3`: `k` has the sizes [3]
          --> Shaped.mo:18:20
           |
        18 |     parameter Real k[:] = {1, 2, 3};
           |                    ^ declared here
    "#]],
    );
    refused(
        "A={{1,2},{3}}",
        2,
        expect![[r#"
        error[setting-size]: `--set A={{1,2},{3}}`: its rows differ in length
    "#]],
    );
    refused(
        "A={{1,2,3},{4,5,6}}",
        2,
        expect![[r#"
        error[size-mismatch]: the value of `A` must have the sizes [2, 2], and this is Integer[2, 3]
         --> --set:1:40
          |
        1 | model 'with settings 1' = P.Shaped(A = {{1, 2, 3}, {4, 5, 6}});
          |                                        ^^^^^^^^^^^^^^^^^^^^^^ Integer[2, 3]
    "#]],
    );
}

#[test]
fn what_is_no_open_parameter_is_not_set() {
    refused(
        "twice=1",
        2,
        expect![[r#"
        error[setting-final]: `--set twice=1`: `twice` is final
          --> Shaped.mo:25:26
           |
        25 |     final parameter Real twice = 2*p;
           |                          ^^^^^ declared here
    "#]],
    );
    refused(
        "c=1",
        2,
        expect![[r#"
        error[setting-not-parameter]: `--set c=1`: `c` is a constant
          --> Shaped.mo:26:19
           |
        26 |     constant Real c = 5;
           |                   ^ declared here
    "#]],
    );
    refused(
        "x[1]=1",
        2,
        expect![[r#"
        error[setting-not-parameter]: `--set x[1]=1`: `x` is not a parameter
          --> Shaped.mo:28:10
           |
        28 |     Real x[n](each start = 1, each fixed = true);
           |          ^ declared here
    "#]],
    );
    refused(
        "copper.densty=1",
        2,
        expect![[r#"
        error[setting-unknown]: `--set copper.densty=1`: there is no `copper.densty` in the model
         |
         = note: did you mean `copper.density`?
    "#]],
    );
    refused(
        "p",
        2,
        expect![[r#"
        error[setting-malformed]: `--set p`: this is not NAME=VALUE
         |
         = note: for example `--set rate=2` or `--set "k={1,2}"`
    "#]],
    );
    refused(
        "p[=1",
        2,
        expect![[r#"
        error[setting-malformed]: `--set p[=1`: `p[` is not a name
    "#]],
    );
}

#[test]
fn a_value_that_makes_a_wrong_model_is_a_fault_of_the_model() {
    refused(
        "n=-1",
        1,
        expect![[r#"
        error[size-not-evaluable]: an array cannot have the size -1
          --> Shaped.mo:28:12
           |
        28 |     Real x[n](each start = 1, each fixed = true);
           |            ^ this is -1
           |
           = note: a size is zero or more
    "#]],
    );
}

#[test]
fn components_of_an_array_may_come_to_differ() {
    let folder = Folder::new("differ");
    let text = "\
model Rows
  model Row
    parameter Integer n = 2;
    parameter Real v = 1;
    Real y[n] = fill(v, n);
  end Row;
  Row row[2];
end Rows;
";
    std::fs::write(folder.0.join("Rows.mo"), text).unwrap();
    let header = |settings: &str| {
        let output = folder.rhei(&format!("simulate Rows.mo {settings} --keep row[*].y[*] -o out.csv"));
        assert_eq!(status(&output), 0, "{settings}: {}", said(&output));
        folder.table("out.csv").0
    };
    assert_eq!(header("--set row.n={1,1}"), "time,row[1].y[1],row[2].y[1]");
    assert_eq!(header("--set row.n={1,2}"), "time,row[1].y[1],row[2].y[1],row[2].y[2]");
    assert_eq!(header("--set row[2].n=1"), "time,row[1].y[1],row[1].y[2],row[2].y[1]");
    assert_eq!(header("--set row[2].n=0 --set row[1].n=1"), "time,row[1].y[1]");
    header("--set row[2].n=1 --set row[2].v=7");
    assert_eq!(folder.table("out.csv").1[0], [0.0, 1.0, 1.0, 7.0]);
}

#[test]
fn what_was_said_for_want_of_a_setting_is_not_said() {
    let folder = Folder::new("wanted");
    let text = "model Wanted parameter Real p; input Real u; Real x = p + u; end Wanted;";
    std::fs::write(folder.0.join("Wanted.mo"), text).unwrap();
    let warned = said(&folder.rhei("simulate Wanted.mo"));
    assert!(warned.contains("parameter-without-value") && warned.contains("input-held"), "{warned}");
    let warned = said(&folder.rhei("simulate Wanted.mo --set p=1 --set u=2"));
    assert!(!warned.contains("parameter-without-value") && !warned.contains("input-held"), "{warned}");
}
