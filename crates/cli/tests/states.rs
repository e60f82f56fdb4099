//! `rhei states` for people: why a state, why not, what would change it; and the page that draws it.

mod folder;

use folder::{Folder, said, status};

const SHAFT: &str = "\
model Shaft
  parameter Real J1 = 1, J2 = 2;
  Real phi1(start = 0, fixed = true), w1(start = 0, fixed = true);
  Real phi2, w2;
  Real tau;
equation
  der(phi1) = w1;
  der(phi2) = w2;
  J1*der(w1) = 3 - tau;
  J2*der(w2) = tau;
  phi1 = phi2;
end Shaft;
";

const PENDULUM: &str = "\
model Pendulum
  Real x(start = 1), y(start = 0, fixed = true), vx, vy(start = 0, fixed = true), T;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = T*x;
  der(vy) = T*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
";

fn told(folder: &Folder, arguments: &str) -> String {
    let output = folder.rhei(arguments);
    assert_eq!(status(&output), 0, "{}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The table of the manual is what the program says.
#[test]
fn the_table_answers_three_questions() {
    let folder = Folder::new("table");
    std::fs::write(folder.0.join("Shaft.mo"), SHAFT).unwrap();
    let table = told(&folder, "states Shaft.mo");
    let manual = include_str!("../../../docs/state-selection.md");
    assert!(manual.contains(table.trim_end()), "the manual has another table than\n{table}");
    let wanted = SHAFT.replace("phi2, w2;", "phi2(stateSelect = StateSelect.prefer), w2;");
    std::fs::write(folder.0.join("Shaft.mo"), wanted).unwrap();
    let table = told(&folder, "states Shaft.mo");
    assert!(
        table.starts_with("Shaft has 2 states: w1, phi2\n"),
        "what it told to change, changed it:\n{table}"
    );
    assert!(
        table.contains("`phi1(stateSelect = StateSelect.always)` makes it a state instead of `phi2`"),
        "{table}"
    );
    let all = told(&folder, "states Shaft.mo --all");
    assert!(all.contains("  tau        no equation depends on its derivative\n"), "{all}");
}

/// A hundred gears of which each has an angle and a speed are four lines or so, and one by one where that is asked for.
#[test]
fn what_differs_in_numbers_is_told_of_together() {
    const GEARS: &str = "\
model Inertia
  Real phi, w;
  input Real torque;
equation
  der(phi) = w;
  der(w) = torque;
end Inertia;
model Gears
  Inertia inertia[100];
  Real shaft[101];
equation
  shaft[1] = 1;
  for i in 1:100 loop
    inertia[i].torque = shaft[i] - 2*shaft[i + 1];
  end for;
  for i in 1:99 loop
    inertia[i].phi = 2*inertia[i + 1].phi;
  end for;
  shaft[101] = 0;
end Gears;
";
    let folder = Folder::new("gears");
    std::fs::write(folder.0.join("Gears.mo"), GEARS).unwrap();
    let table = told(&folder, "states Gears.mo");
    assert!(table.starts_with("Gears has 2 states: "), "{table}");
    assert!(table.lines().count() < 80, "{} lines:\n{table}", table.lines().count());
    assert!(table.contains("but for numbers the same holds of `inertia["), "{table}");
    let all = told(&folder, "states Gears.mo --all");
    for i in 1..=100 {
        assert!(all.contains(&format!("\n  inertia[{i}].phi ")), "{i}: {all}");
    }
}

#[test]
fn the_page_stands_alone() {
    let folder = Folder::new("page");
    for (name, text) in [("Shaft", SHAFT), ("Pendulum", PENDULUM)] {
        std::fs::write(folder.0.join(format!("{name}.mo")), text).unwrap();
        told(&folder, &format!("states {name}.mo --html {name}.html"));
        let page = folder.read(&format!("{name}.html"));
        assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
        assert!(
            !page.contains("src=") && !page.contains("href=") && !page.contains("<script"),
            "it loads nothing"
        );
        assert!(page.contains("prefers-color-scheme: dark") && page.contains("viewport"));
        assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
        assert_eq!(page.matches("<g ").count(), page.matches("</g>").count());
    }
    let shaft = folder.read("Shaft.html");
    assert_eq!(shaft.matches("<svg").count(), 1);
    assert!(shaft.contains("<title>phi1 = phi2</title>"));
    let pendulum = folder.read("Pendulum.html");
    assert_eq!(pendulum.matches("<svg").count(), 2, "a drawing for each set");
    assert!(pendulum.contains("Set 1: 1 of 2 are states, chosen by the run"));
    let output = folder.rhei("states Shaft.mo --html no/such/folder.html");
    assert_eq!(status(&output), 2);
}

/// A page with a hundred candidates: long groups are cut, their states stand at their head, and the table has everything.
#[test]
fn the_page_of_a_hundred_candidates_is_short() {
    let folder = Folder::new("hundred");
    let text = "model Train Real p[50], w[50], t[49]; equation der(p) = w; der(w[1]) = 1 - t[1]; \
                for i in 2:49 loop der(w[i]) = t[i - 1] - t[i]; end for; der(w[50]) = t[49]; \
                for i in 1:49 loop p[i] = (1 + i)*p[i + 1]; end for; end Train;";
    std::fs::write(folder.0.join("Train.mo"), text).unwrap();
    told(&folder, "states Train.mo --html Train.html");
    let page = folder.read("Train.html");
    assert_eq!(page.matches("<g class=\"dummy\">").count(), 24);
    assert_eq!(page.matches("and 37 more, which the table below lists").count(), 2);
    let heights: Vec<usize> =
        page.split("height=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse().ok()).collect();
    assert!(heights.iter().all(|&height| height < 1000), "{heights:?}");
    assert_eq!(page.matches("<td class=\"name\">").count(), 100);
}

/// Runs a model and answers the columns of its result.
fn columns(folder: &Folder, arguments: &str) -> Vec<Vec<f64>> {
    told(folder, &format!("simulate {arguments} -o rows.csv"));
    let rows = folder.read("rows.csv");
    rows.lines().skip(1).map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

/// The modifiers that `--advise` proposes, pasted into a model that extends the original: no sets are left, and the
/// curves are the same.
fn pasted(name: &str, text: &str, kept: &str) -> String {
    let folder = Folder::new(name);
    std::fs::write(folder.0.join("Model.mo"), text).unwrap();
    let answer = told(&folder, "states Model.mo --advise --stop-time 10 --json");
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    let modifiers = answer["run"]["modifiers"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    let class = answer["model"].as_str().unwrap();
    let fixed = format!("{text}\nmodel Fixed\n  extends {class}({modifiers});\nend Fixed;\n");
    std::fs::write(folder.0.join("Fixed.mo"), fixed).unwrap();
    let states: serde_json::Value = serde_json::from_str(&told(&folder, "states Fixed.mo --json")).unwrap();
    assert_eq!(states["sets"].as_array().unwrap().len(), 0);
    let run = format!("--stop-time 10 --tolerance 1e-10 --method flc-bdf --keep {kept} --intervals 50");
    let with_sets = columns(&folder, &format!("Model.mo {run}"));
    let without = columns(&folder, &format!("Fixed.mo {run}"));
    for (a, b) in with_sets.iter().flatten().zip(without.iter().flatten()) {
        assert!((a - b).abs() <= 1e-9 * a.abs().max(1.0), "{a} and {b}");
    }
    modifiers
}

#[test]
fn a_pendulum_that_swings_is_advised_to_keep_its_states() {
    let text = "model Swing Real x(start = 0.8660254037844386, fixed = true), y(start = -0.5); \
                Real vx(start = 0, fixed = true), vy, T; equation der(x) = vx; der(y) = vy; \
                der(vx) = T*x; der(vy) = T*y - 9.81; x^2 + y^2 = 1; end Swing;";
    let modifiers = pasted("swing", text, "x,y,vx,vy");
    assert_eq!(modifiers, "x(stateSelect = StateSelect.always), vx(stateSelect = StateSelect.always)");
}

/// A crank and its rocker: the angle of the rocker has dead points, that of the crank none.
#[test]
fn a_four_bar_linkage_is_advised_to_take_its_crank() {
    let text = "model Bars Real a(start = 0, fixed = true), b(start = 0.95), c(start = 1.9); \
                Real wa(start = 2, fixed = true), wb, wc, Fx, Fy; equation \
                der(a) = wa; der(b) = wb; der(c) = wc; \
                cos(a) + 3.5*cos(b) - 3*cos(c) = 4; sin(a) + 3.5*sin(b) - 3*sin(c) = 0; \
                der(wa) = -sin(a)*Fx + cos(a)*Fy; 0.1*der(wb) = -3.5*sin(b)*Fx + 3.5*cos(b)*Fy; \
                0.5*der(wc) = 3*sin(c)*Fx - 3*cos(c)*Fy; end Bars;";
    let modifiers = pasted("bars", text, "a,c,wa,wc");
    assert_eq!(modifiers, "a(stateSelect = StateSelect.always), wa(stateSelect = StateSelect.always)");
}

/// A state of one mode may be constrained in another: `always` is advised for none then (X-A7).
#[test]
fn nothing_is_advised_where_the_mode_changes() {
    let folder = Folder::new("caught");
    let text = "model Caught Real x(start = 0.8660254037844386, fixed = true), y(start = -0.5); \
                Real vx(start = 0, fixed = true), vy, T, F; equation der(x) = vx; der(y) = vy; \
                der(vx) = T*x + F; der(vy) = T*y - 9.81; x^2 + y^2 = 1; \
                if time < 0.1 then F = 0; else vx = 0; end if; end Caught;";
    std::fs::write(folder.0.join("Caught.mo"), text).unwrap();
    let told = told(&folder, "states Caught.mo --advise --stop-time 0.2");
    let advice = told.split("\nadvice\n").nth(1).expect("there is advice");
    assert!(advice.starts_with("  none: the mode changes on the way"), "{told}");
    assert!(!advice.contains("StateSelect.always"), "{told}");
}

#[test]
fn elements_of_arrays_are_advised_as_arrays() {
    let text = "model Two Real r[2](start = {0.8, -0.6}); Real v[2], T; equation der(r) = v; \
                der(v[1]) = T*r[1]; der(v[2]) = T*r[2] - 9.81; r*r = 1; end Two;";
    let modifiers = pasted("two", text, "r[1],r[2]");
    assert_eq!(
        modifiers,
        "r(stateSelect = {StateSelect.always, StateSelect.default}), v(stateSelect = {StateSelect.always, StateSelect.default})"
    );
}

/// One that goes round has no fixed choice; its changes are told, and marked in plots.
#[test]
fn what_goes_round_has_no_fixed_choice() {
    let folder = Folder::new("round");
    let text = PENDULUM.replace("vx, vy(start = 0, fixed = true)", "vx, vy(start = 7, fixed = true)");
    std::fs::write(folder.0.join("Pendulum.mo"), text).unwrap();
    let told_of_run = told(&folder, "states Pendulum.mo --advise --stop-time 1");
    let run = told_of_run.split("\n\nrun to").nth(1).unwrap();
    expect_test::expect![[r#"
         t = 1: the states change 8 times
          set 1 of x, y: y 53 %; x 47 % of the time
            t = 0.179556: y → x
            t = 0.456041: x → y
            t = 0.67423: y → x
            t = 0.86826: x → y
          set 2 of vx, vy: vy 53 %; vx 47 % of the time
            t = 0.179556: vy → vx
            t = 0.456041: vx → vy
            t = 0.67423: vy → vx
            t = 0.86826: vx → vy

        advice
          set 1: each fixed choice comes close to being singular
          set 2: each fixed choice comes close to being singular
    "#]]
    .assert_eq(run);
    told(&folder, "simulate Pendulum.mo --stop-time 1 --plot x,y --plot-file round.svg");
    let drawing = folder.read("round.svg");
    assert!(drawing.contains("<g class=\"marks\"") && drawing.contains("the states change, y → x; vy → vx"));
    let drawn = folder.rhei("simulate Pendulum.mo --stop-time 1 --plot x");
    assert!(said(&drawn).contains('▲'), "{}", said(&drawn));
}

/// A ball on a rope flies freely, then the rope tightens: what is free in one mode is tied in the other.
#[test]
fn no_advice_where_the_mode_changes() {
    let folder = Folder::new("modes");
    let text = "model Rope Real x(start = 0.5, fixed = true), y(start = -0.6, fixed = true); \
                Real vx(start = 0, fixed = true), vy(start = 0, fixed = true), T; \
                Boolean taut(start = false, fixed = true); equation der(x) = vx; der(y) = vy; \
                der(vx) = T*x; der(vy) = T*y - 9.81; taut = pre(taut) or x^2 + y^2 >= 1; \
                if taut then x^2 + y^2 = 1; else T = 0; end if; end Rope;";
    std::fs::write(folder.0.join("Rope.mo"), text).unwrap();
    let output = folder.rhei("states Rope.mo --advise --stop-time 1 --json");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["run"]["finished"], true, "{answer}");
    assert!(answer["run"]["modifiers"].is_null(), "{answer}");
}

/// A pendulum that swings a little, as in the case where its states are advised; then its bob is tied to a damper, and fewer are free.
#[test]
fn no_advice_where_what_is_free_is_tied_later() {
    let folder = Folder::new("tied");
    let text = |until: &str| {
        format!(
            "model Tied Real x(start = 0.3), y(start = -0.9), vx, vy, T, F, s(start = 0), w; \
             Boolean tied(start = false, fixed = true); equation tied = time > {until}; \
             der(x) = vx; der(y) = vy; der(s) = w; der(vx) = T*x - F; der(vy) = T*y - 9.81; der(w) = F - w; \
             if tied then vx = 0.5*w; else F = 0; end if; x^2 + y^2 = 1; end Tied;"
        )
    };
    for (until, is_advised) in [("5", true), ("1", false)] {
        std::fs::write(folder.0.join("Tied.mo"), text(until)).unwrap();
        let output = folder.rhei("states Tied.mo --advise --stop-time 2 --json");
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["run"]["finished"], true, "{answer}");
        assert_eq!(answer["sets"].as_array().map(Vec::len), Some(2), "{answer}");
        assert_eq!(answer["run"]["modifiers"].is_string(), is_advised, "{answer}");
    }
}

const BATTERIES: &str = "\
model Batteries
  Real v(start = 2, fixed = true), i, j;
  Boolean a = time >= 1, b = time >= 2 and time < 1.5;
equation
  1e-3*der(v) = i + j;
  if a then v = 10; else i = 0; end if;
  if b then v = 5; else j = 0; end if;
end Batteries;
";

/// Two batteries in parallel cannot be, and that is known although no run comes to it; a bound on the work is told.
#[test]
fn modes_that_cannot_be_are_known_ahead() {
    let folder = Folder::new("ahead");
    std::fs::write(folder.0.join("Batteries.mo"), BATTERIES).unwrap();
    let table = told(&folder, "states Batteries.mo --all-modes");
    assert!(table.contains("all 4 combinations of these conditions: 1 cannot be\n"), "{table}");
    assert!(
        table.contains("  none holds: 1 state\n  a: 0 states\n  b: 0 states\n  a, b: mode-singular: "),
        "{table}"
    );
    let table = told(&folder, "states Batteries.mo --all-modes=3");
    assert!(table.contains("the first 3 combinations of these conditions: 0 cannot be\n"), "{table}");
    assert!(table.contains("there are more: `--all-modes=N` looks at N of them"), "{table}");
    let output = folder.rhei("states Batteries.mo --all-modes --run --stop-time 3 --json");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["all_modes"]["complete"], true, "{answer}");
    assert_eq!(answer["all_modes"]["modes"][3]["error"]["id"], "mode-singular", "{answer}");
    assert_eq!(answer["run"]["mode_changes"][0]["n_states"], 0, "{answer}");
}
