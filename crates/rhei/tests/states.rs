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
    assert!(all.contains("  tau        it is not differentiated in the model\n"), "{all}");
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
