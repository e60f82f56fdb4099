//! `rhei clocked-inverse`: how often what is given is differentiated, and a block that is ready to be used.

mod folder;

use expect_test::expect;

use folder::{Folder, json, keys, said, status};

/// A tank in which a substance reacts (Föllinger, Nichtlineare Regelungen II).
const MIXING_UNIT: &str = "\
model MixingUnit
  connector RealInput = input Real;
  connector RealOutput = output Real;
  parameter Real p = 1;
  RealInput Tc;
  RealOutput c;
  RealOutput T;
  Real gamma = c*(1.05e14*p/0.848)*exp(-34.2894*308.5/T);
equation
  60*der(c) = 0.2674*p*(0.848 - c) - 0.848*gamma;
  60*der(T) = -1.815*p*T + 0.4682*p*308.5*gamma + 308.5*p*(1.815 - 1.5476) + 1.5476*p*Tc;
end MixingUnit;
";

/// The plant differs from its model by a tenth.
const CONTROLLED: &str = "\
model Controlled
  MixingUnit plant(p = 1.1, c(start = 0.848*0.58, fixed = true), T(start = 308.5*1.01, fixed = true));
  MixingUnitInverse controller(c_start = 0.49);
equation
  controller.c_wanted = 0.848*0.28;
  connect(plant.c, controller.c_measured);
  connect(plant.T, controller.T_measured);
  connect(controller.Tc, plant.Tc);
end Controlled;
";

const BLOCKS: &str = "\
package Blocks
  block Several
    input Real u1, u2, d;
    Real a, b;
    output Real y;
  equation
    der(a) = b + d;
    der(b) = u2 - a;
    y = u1 + b;
  end Several;
  block Unreached
    input Real u;
    Real x, z;
    output Real y;
  equation
    der(x) = u - x;
    der(z) = -z;
    y = 3*z;
  end Unreached;
  block Rounded
    input Real u;
    output Real y = floor(u);
  end Rounded;
  block Ticking
    input Real u;
    Real x = sample(u, Clock(1, 10));
  end Ticking;
  block Undriven
    Real x = time;
  end Undriven;
  block Elements
    input Real u[2];
    Real x[2](each start = 1, each fixed = true);
    output Real y[2] = 2*x;
  equation
    der(x) = u - x;
  end Elements;
end Blocks;
";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    for (name, text) in [("MixingUnit.mo", MIXING_UNIT), ("Controlled.mo", CONTROLLED), ("Blocks.mo", BLOCKS)]
    {
        std::fs::write(folder.0.join(name), text).unwrap();
    }
    folder
}

/// The messages about a block of the package, and then its text.
fn answer(test: &str, words: &str) -> String {
    let output = folder(test).rhei(&format!("clocked-inverse Blocks.mo --model Blocks.{words}"));
    said(&output) + &String::from_utf8_lossy(&output.stdout)
}

#[test]
fn the_controller_of_the_mixing_unit_leads_it_along_its_curve() {
    let folder = folder("mixing_unit");
    let output = folder.rhei(
        "clocked-inverse MixingUnit.mo --inputs c --measure all --filter-order 3 --frequency 0.0033333333333333335 \
         -o MixingUnitInverse.mo",
    );
    assert_eq!(status(&output), 0, "{}", said(&output));
    expect![[r#"
        `c` is differentiated twice: integrated twice, fed back from what is measured
        it has 5 states: c_state, T_state, c_filter[1], c_filter[2], c_filter[3]
    "#]]
    .assert_eq(&said(&output));
    let output = folder.rhei(
        "simulate Controlled.mo --library-path . --stop-time 300 --tolerance 1e-9 --at 0,50,100,150,200,300 \
         --keep plant.c,controller.Tc -o c.csv",
    );
    assert_eq!(status(&output), 0, "{}", said(&output));
    let (header, rows) = folder.table("c.csv");
    assert_eq!(header, "time,plant.c,controller.Tc");
    // S1-A7
    let expected = [
        [0.49184, 302.346547],
        [0.48202375, 304.358633],
        [0.42127255, 300.901768],
        [0.32740390, 300.280275],
        [0.25419595, 303.387964],
        [0.20572281, 307.560553],
    ];
    assert_eq!(rows.len(), expected.len());
    for (row, expected) in rows.iter().zip(expected) {
        for (found, expected) in row[1..].iter().zip(expected) {
            assert!((found - expected).abs() <= 1e-6 * expected, "{found}, and not {expected}");
        }
    }
}

/// The same with the models of the proposal, where they are laid out.
#[test]
fn the_controller_is_that_of_the_proposal() {
    let folder = folder("proposal");
    let rhei = |arguments: &str| {
        let mut command = folder.command(arguments);
        if let Some(path) = std::env::var_os("MODELICAPATH") {
            command.env("MODELICAPATH", path);
        }
        command.output().unwrap()
    };
    let run = "--stop-time 300 --tolerance 1e-9 --intervals 60";
    let model = "TestSettingStates.System.FeedbackControl";
    let output = rhei(&format!("simulate {model} {run} --keep mixingUnit.c,mixingUnit.T -o theirs.csv"));
    if said(&output).contains("class-not-found") {
        println!("skipped: `TestSettingStates` or `Modelica` is not in MODELICAPATH or ~/.rhei/libraries");
        return;
    }
    assert_eq!(status(&output), 0, "{}", said(&output));
    let plant = "Modelica.Clocked.Examples.Systems.Utilities.ComponentsMixingUnit.MixingUnit";
    let output = rhei(&format!(
        "clocked-inverse {plant} --inputs c --measure c,T --filter-order 3 --method Rosenbrock2 --name Controller -o Controller.mo"
    ));
    assert_eq!(status(&output), 0, "{}", said(&output));
    let text = format!(
        "model Ours
  {plant} plant(a1 = 0.2674*1.1, a21 = 1.815*1.1, a22 = 0.4682*1.1, b = 1.5476*1.1, k0 = 1.05e14*1.1,
    c(start = 0.848*(1 - 0.42), fixed = true), T(start = 308.5*(1 + 0.01), fixed = true));
  Controller controller(c_start = 0.49, c_f = 1/300);
equation
  controller.c_wanted = 0.848*(1 - 0.72);
  connect(plant.c, controller.c_measured);
  connect(plant.T, controller.T_measured);
  connect(controller.T_c, plant.T_c);
end Ours;"
    );
    std::fs::write(folder.0.join("Ours.mo"), text).unwrap();
    let output = rhei(&format!("simulate Ours.mo --library-path . {run} --keep plant.c,plant.T -o ours.csv"));
    assert_eq!(status(&output), 0, "{}", said(&output));
    let ((_, ours), (_, theirs)) = (folder.table("ours.csv"), folder.table("theirs.csv"));
    assert!(ours.len() >= 61 && ours.len() == theirs.len());
    for (ours, theirs) in ours.iter().zip(&theirs) {
        for (ours, theirs) in ours.iter().zip(theirs) {
            assert!((ours - theirs).abs() <= 1e-6, "{ours}, and {theirs}");
        }
    }
}

#[test]
fn a_filter_has_the_order_that_is_needed() {
    expect![[r#"
        `y` is not differentiated
        `a` is differentiated twice: behind a filter of order 2
        `d` is differentiated once: behind a filter of order 1
        it has 3 states: a_filter[1], a_filter[2], d_filter[1]
        block SeveralInverse "u1, u2 from y, a: Blocks.Several turned round"
          connector RealInput = input Real;
          connector RealOutput = output Real;
          parameter Real period(unit = "s") = 1 "From tick to tick";
          parameter String solverMethod = "ExplicitEuler" "How states are integrated from tick to tick" annotation(Evaluate = true);
          parameter Real a_f(unit = "Hz") = 0.01 "How fast a follows";
          parameter Real a_start = 0 "Where the filter of a begins";
          parameter Real d_f(unit = "Hz") = 0.01 "How fast d follows";
          parameter Real d_start = 0 "Where the filter of d begins";
          RealInput y_wanted "What y is to be";
          RealInput a_wanted "What a is to be";
          RealInput d "d of the plant";
          RealOutput u1 = hold(u1_computed) "u1 for the plant";
          RealOutput u2 = hold(u2_computed) "u2 for the plant";
          Blocks.Several inverse "The plant, as it is thought to be";
        protected
          Clock ticks = Clock(Clock(period), solverMethod);
          Real u1_computed(start = 0);
          Real u2_computed(start = 0);
          Real y_reference = sample(y_wanted, ticks);
          Real a_reference = sample(a_wanted, ticks);
          Real d_reference = sample(d, ticks);
          Real a_filter[2](each start = a_start, each fixed = true, each stateSelect = StateSelect.always) "Critically damped, of order 2";
          parameter Real a_w = 2*3.141592653589793*a_f/sqrt(2^(1/2) - 1) "Of the filter";
          Real d_filter[1](each start = d_start, each fixed = true, each stateSelect = StateSelect.always) "Critically damped, of order 1";
          parameter Real d_w = 2*3.141592653589793*d_f "Of the filter";
        equation
          // y is not differentiated
          // a is differentiated twice
          der(a_filter[1]) = a_w*(a_reference - a_filter[1]);
          der(a_filter[2]) = a_w*(a_filter[1] - a_filter[2]);
          // d is differentiated once
          der(d_filter[1]) = d_w*(d_reference - d_filter[1]);
          inverse.y = y_reference;
          inverse.a = a_filter[2];
          inverse.u1 = u1_computed;
          inverse.u2 = u2_computed;
          inverse.d = d_filter[1];
        end SeveralInverse;
    "#]].assert_eq(&answer("several", "Several --inputs y,a --outputs u1,u2"));
}

#[test]
fn starts_of_the_model_leave_those_of_the_filter_open() {
    let text = answer("elements", "Elements --inputs y");
    assert!(text.contains("y_1_filter[1](each start = y_1_start, fixed = {false}"), "{text}");
    assert!(text.contains("it has 2 states: y_1_filter[1], y_2_filter[1]"), "{text}");
}

#[test]
fn what_cannot_be_inverted_is_told() {
    expect![[r#"
        error[not-invertible]: `u` cannot be computed: `y` does not depend on it
          --> Blocks.mo:17:5
           |
        17 |     der(z) = -z;
           |     ^^^^^^^^^^^ der(z) = -z
        18 |     y = 3*z;
           |     ------- y = 3*z
           |
           = note: what an input does at events, or by way of whole numbers and truth values, cannot be turned round
           = note: `u` can be computed from `x` (differentiated once)
    "#]].assert_eq(&answer("unreached", "Unreached --inputs y"));
    expect![[r#"
        `y` is not differentiated
        error[structurally-singular]: the equations of `RoundedInverse` do not determine its unknowns: 3 equations for the 2 unknowns `inverse.y` and `y_reference`
          --> Blocks.mo:22:17
           |
        21 |     input Real u;
           |                - `inverse.u`
        22 |     output Real y = floor(u);
           |                 ^ inverse.y = (floor(inverse.u))
           |
          ::: RoundedInverse.mo:11:8
           |
        11 |   Real u_computed(start = 0);
           |        ---------- `u_computed`
        12 |   Real y_reference = sample(y_wanted, ticks);
           |        ----------- y_reference = sample(y_wanted)
        ...
        15 |   inverse.y = y_reference;
           |   ----------------------- inverse.y = y_reference
           |
           = note: while only 1 equation for the 2 unknowns `inverse.u` and `u_computed`
    "#]].assert_eq(&answer("rounded", "Rounded --inputs y"));
    expect![[r#"
        error[not-invertible]: `Blocks.Ticking` has clocks, and a model that ticks itself has no inverse
    "#]]
    .assert_eq(&answer("ticking", "Ticking --inputs x"));
    expect![[r#"
        error[not-invertible]: `Blocks.Undriven` has no inputs of type Real that an inverse could compute
         |
         = note: declare what drives it with `input`, `input Real u;`
    "#]]
    .assert_eq(&answer("undriven", "Undriven --inputs x"));
}

#[test]
fn wrong_words_are_told() {
    expect![[r#"
        error: --inputs says which variables of `Blocks.Unreached` are given: `u` can be computed from `x` (differentiated once)
    "#]].assert_eq(&answer("nothing", "Unreached"));
    expect![[r#"
        error: --inputs: `u` is an input of the model, which its inverse computes; give what follows from it: `u` can be computed from `x` (differentiated once)
    "#]].assert_eq(&answer("driven", "Unreached --inputs u"));
    expect![[r#"
        error: --inputs: `Blocks.Several` has no variable `aa`; did you mean `a`?
    "#]]
    .assert_eq(&answer("misspelt", "Several --inputs aa,y --outputs u1,u2"));
    expect![[r#"
        error: an inverse computes as many inputs as variables are given: 2 given with --inputs, and 3 to be computed: `u1`, `u2`, `d`; choose among them with --outputs
    "#]].assert_eq(&answer("too_many", "Several --inputs a,y"));
    expect![[r#"
        error: --filter-order: 0 is too few, `x` is differentiated once
    "#]]
    .assert_eq(&answer("low", "Unreached --inputs x --filter-order 0"));
    expect![[r#"
        error: --period: 0 is not greater than 0
    "#]]
    .assert_eq(&answer("period", "Unreached --inputs x --period 0"));
}

#[test]
fn scripts_get_degrees_and_text() {
    let folder = folder("json");
    let output = folder.rhei("clocked-inverse MixingUnit.mo --inputs T --json");
    assert_eq!(status(&output), 0, "{}", said(&output));
    let answer = json(&output);
    assert_eq!(keys(&answer), "block diagnostics inputs outputs states");
    assert_eq!(answer["inputs"][0]["name"], "T");
    assert_eq!(answer["inputs"][0]["differentiated"], 1);
    assert_eq!(answer["outputs"][0], "Tc");
    assert!(answer["block"].as_str().is_some_and(|text| text.starts_with("block MixingUnitInverse")));
}
