//! `rhei linearize`: matrices with names, exact derivatives, files for scripts.

mod folder;

use serde_json::Value;

use folder::{Folder, json, keys, said, status};

/// Currents in a rotating frame: the matrix is the same at all times (S0-A17).
const PARK: &str = "\
model Park
  parameter Real R = 0.1, L = 0.01, w = 314.159, vd = 1, vq = 0;
  Real ia, ib, va, vb, th;
  Real id(start = 0, fixed = true, stateSelect = StateSelect.prefer);
  Real iq(start = 0, fixed = true, stateSelect = StateSelect.prefer);
equation
  th = w*time;
  L*der(ia) = va - R*ia;
  L*der(ib) = vb - R*ib;
  id = cos(th)*ia + sin(th)*ib;
  iq = -sin(th)*ia + cos(th)*ib;
  va = cos(th)*vd - sin(th)*vq;
  vb = sin(th)*vd + cos(th)*vq;
end Park;
";

/// A nonlinear loop for `a` and `b`, an input, outputs, and a function that stays a call.
const LOOP: &str = "\
block Loop
  function f
    input Real a;
    output Real b;
  protected
    Real c = a;
  algorithm
    while c > 10 loop
      c := c/2;
    end while;
    b := c^2*sin(a);
  end f;
  input Real u(start = 2);
  output Real y = b;
  output Real z = u*x;
  output Real k = f(12*x);
  Real x(start = 1, fixed = true);
  Real a, b;
equation
  der(x) = -a*x + u;
  a + b = x;
  a^3 - b = u;
end Loop;
";

const PENDULUM: &str = "\
model Pendulum
  Real x(start = 0.6, fixed = true);
  Real y(start = -0.8);
  Real vx(start = 0, fixed = true);
  Real vy;
  Real T;
  output Real angle = atan2(x, -y);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = T*x;
  der(vy) = T*y - 10;
  x^2 + y^2 = 1;
end Pendulum;
";

fn matrix(answer: &Value, name: &str) -> Vec<Vec<f64>> {
    let number = |value: &Value| value.as_f64().expect("a number");
    let row = |row: &Value| row.as_array().unwrap().iter().map(number).collect();
    answer[name].as_array().unwrap_or_else(|| panic!("no {name} in {answer}")).iter().map(row).collect()
}

fn near(found: &[Vec<f64>], expected: &[&[f64]], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (row, expected) in found.iter().zip(expected) {
        assert_eq!(row.len(), expected.len(), "{found:?}");
        for (value, expected) in row.iter().zip(*expected) {
            assert!(
                (value - expected).abs() <= tolerance * expected.abs().max(1.0),
                "{found:?}, not {expected}"
            );
        }
    }
}

fn answer(model: &str, text: &str, options: &str) -> Value {
    let folder = Folder::new(&format!("{model}{}", options.replace([' ', '-', '.', '='], "")));
    std::fs::write(folder.0.join("Model.mo"), text).unwrap();
    let output = folder.rhei(&format!("linearize Model.mo --json {options}"));
    assert_eq!(status(&output), 0, "{}", said(&output));
    json(&output)
}

#[test]
fn the_matrix_of_a_rotating_frame_does_not_change() {
    let expected: [&[f64]; 2] = [&[-10.0, 314.159], &[-314.159, -10.0]];
    let at_start = matrix(&answer("park", PARK, ""), "A");
    let later = matrix(&answer("park", PARK, "--time 0.3"), "A");
    near(&at_start, &expected, 1e-12);
    near(&later, &expected, 1e-12);
    for (a, b) in at_start.iter().flatten().zip(later.iter().flatten()) {
        assert!((a - b).abs() <= 1e-9, "{a} at the start, {b} later");
    }
}

#[test]
fn loops_and_functions_are_differentiated_exactly() {
    let found = answer("loop", LOOP, "--time 0.5 --set u=1.5");
    assert_eq!(keys(&found), "A B C D diagnostics inputs model outputs states time u x y",);
    assert_eq!(found["states"], serde_json::json!(["x"]));
    assert_eq!(found["inputs"], serde_json::json!(["u"]));
    assert_eq!(found["outputs"], serde_json::json!(["y", "z", "k"]));
    assert_eq!(found["u"], serde_json::json!([1.5]));
    let x = found["x"][0].as_f64().unwrap();
    let a = x - found["y"][0].as_f64().unwrap();
    assert!((a.powi(3) + a - x - 1.5).abs() < 1e-12, "a^3 + a = x + u");
    // by hand: a changes by this with x, and as much with u
    let slope = 1.0 / (3.0 * a * a + 1.0);
    near(&matrix(&found, "A"), &[&[-a - x * slope]], 1e-12);
    near(&matrix(&found, "B"), &[&[1.0 - x * slope]], 1e-12);
    let angle: f64 = 12.0 * x;
    let (halved, share) = if angle > 10.0 { (angle / 2.0, 0.5) } else { (angle, 1.0) };
    let call = 12.0 * (2.0 * halved * share * angle.sin() + halved.powi(2) * angle.cos());
    near(&matrix(&found, "C"), &[&[1.0 - slope], &[1.5], &[call]], 1e-12);
    near(&matrix(&found, "D"), &[&[-slope], &[x], &[0.0]], 1e-12);
}

/// In the coordinate that is the state, at rest at an angle: the derivatives by hand.
#[test]
fn a_state_set_is_linearised_in_the_states_it_has() {
    let found = answer("pendulum", PENDULUM, "");
    let states: Vec<&str> = found["states"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
    let a = matrix(&found, "A");
    let c = matrix(&found, "C");
    let angle = 0.6_f64.atan2(0.8);
    match states[..] {
        // x = sin(angle): x'' = -10 sin cos = -10 x sqrt(1 - x^2) at rest
        ["x", "vx"] => {
            near(&a, &[&[0.0, 1.0], &[-10.0 * (2.0 * angle).cos() / angle.cos(), 0.0]], 1e-12);
            near(&c, &[&[1.0 / angle.cos(), 0.0]], 1e-12);
        }
        // y = -cos(angle): y'' = -10 sin^2 = -10 (1 - y^2) at rest
        ["y", "vy"] => {
            near(&a, &[&[0.0, 1.0], &[-20.0 * angle.cos(), 0.0]], 1e-12);
            near(&c, &[&[1.0 / angle.sin(), 0.0]], 1e-12);
        }
        _ => panic!("the states are {states:?}"),
    }
}

#[test]
fn files_hold_names_and_all_digits() {
    let folder = Folder::new("files");
    std::fs::write(folder.0.join("Loop.mo"), LOOP).unwrap();
    let output = folder.rhei("linearize Loop.mo -o loop.csv");
    assert_eq!(status(&output), 0, "{}", said(&output));
    let text = folder.read("loop.csv");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let names: Vec<&str> = lines.iter().map(|line| line[0]).collect();
    assert_eq!(lines[0], ["", "x", "u"]);
    assert_eq!(names, ["", "der(x)", "y", "z", "k"]);
    assert_eq!(status(&folder.rhei("linearize Loop.mo -o loop.json")), 0);
    let answer: Value = serde_json::from_str(&folder.read("loop.json")).unwrap();
    assert_eq!(lines[1][1].parse::<f64>().unwrap(), matrix(&answer, "A")[0][0]);
    assert_eq!(lines[2][2].parse::<f64>().unwrap(), matrix(&answer, "D")[0][0]);
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.starts_with("Loop at t = 0: 1 state, 1 input, 3 outputs\n  der(x) = "), "{told}");
    assert!(told.contains("eigenvalues: "), "{told}");
}

#[test]
fn what_has_no_derivative_is_told() {
    let folder = Folder::new("none");
    for (text, says) in [
        (
            "model M Real x(start = 0, fixed = true); output Real y = sqrt(x); equation der(x) = 0; end M;",
            "the derivative of `y` by `x` is not finite at t = 0",
        ),
        (
            "model M Real x(start = 0, fixed = true); Real y(start = 0); equation der(x) = 0; y^3 + sin(y)^2 = x; end M;",
            "the equations for `y` are singular at t = 0",
        ),
        (
            "model M Real x(start = 0, fixed = true); equation der(x) = 1; when x > 0.5 then terminate(\"enough\"); end when; end M;",
            "the model ends the run at t = 0.5",
        ),
    ] {
        std::fs::write(folder.0.join("M.mo"), text).unwrap();
        let time = if text.contains("terminate") { "--time 1" } else { "" };
        let output = folder.rhei(&format!("linearize M.mo {time}"));
        assert_eq!(status(&output), 1, "{text}");
        let told = said(&output);
        assert!(told.contains("error[no-linearisation]") && told.contains(says), "{told}");
    }
    for (options, says) in
        [("--time -1", "--time: -1 is before the start time 0"), ("-o x.mat", "ends in .csv or .json")]
    {
        let output = folder.rhei(&format!("linearize Decay.mo {options}"));
        assert_eq!(status(&output), 2);
        assert!(said(&output).contains(says), "{}", said(&output));
    }
}

/// I11: within a mode the states and their order stay; in another mode there are others, and the matrices say which.
#[test]
fn states_are_those_of_the_mode() {
    let text = "model Switched
  Real p1(start = 1, fixed = true);
  Real p2(start = 0, fixed = true);
  Real v;
equation
  der(p1) = -p1 - v;
  der(p2) = v - p2;
  if time < 1 or time >= 2 then
    v = 0;
  else
    p1 = 2*p2;
  end if;
end Switched;";
    for time in ["0", "0.5", "2.5"] {
        let closed = answer("switched", text, &format!("--time {time}"));
        assert_eq!(closed["states"], serde_json::json!(["p1", "p2"]));
        near(&matrix(&closed, "A"), &[&[-1.0, 0.0], &[0.0, -1.0]], 1e-12);
    }
    let open = answer("switched", text, "--time 1.5");
    assert_eq!(open["states"].as_array().map(Vec::len), Some(1), "{}", open["states"]);
    near(&matrix(&open, "A"), &[&[-1.0]], 1e-12);
}
