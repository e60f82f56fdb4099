//! Models as files: the same runs from what is read, and an error for whatever is no model.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rhei::{Experiment, InMemory, Method, Model, Results, Session};

/// A little of all that a model can be: a clocked partition, a function, a record of texts, a delay, a state set, events, enumerations.
const ALL: &str = r#"model All "A little of everything"
  type Speed = enumeration(slow, fast);
  parameter Speed speed = Speed.fast;
  parameter Real gain = 2 "How much";
  parameter String label = "größer";
  function twice
    input Real u;
    output Real y;
  protected
    Real s;
  algorithm
    s := 0;
    for i in 1:2 loop
      s := s + u;
    end for;
    y := s;
    assert(y < 1e6, "too large: " + String(y));
  end twice;
  Real x(start = 0.6, fixed = true);
  Real y(start = 0.8);
  Real vx(start = 0, fixed = true);
  Real vy;
  Real force;
  Real late = delay(x, 0.1);
  Real sampled = sample(x, Clock(1, 10));
  Real sum = hold(previous(total));
  Real total(start = 0) = previous(total) + sampled;
  Real t2 = twice(gain*x);
  discrete Integer turns(start = 0, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -force*x;
  der(vy) = -force*y - (if speed == Speed.fast then 9.81 else 1);
  x^2 + y^2 = 1;
  when x < 0 then
    turns = pre(turns) + 1;
  end when;
  assert(turns < 100, "it turned " + String(turns) + " times", AssertionLevel.warning);
end All;
"#;

/// A clocked partition whose structure changes from tick to tick.
const TICKING: &str = "model Ticking
  Real u = sample(sin(time), Clock(Clock(0.1), \"ImplicitEuler\"));
  Real x(start = 1);
  Real f;
  Boolean stuck = previous(n) > 5 and previous(n) < 12;
  Integer n(start = 0) = previous(n) + 1;
equation
  der(x) = u + f;
  if stuck then
    der(x) = 0;
  else
    f = -x;
  end if;
end Ticking;";

fn of_text(text: &str) -> Model {
    let files = InMemory::default().with_file("m.mo", text);
    Session::in_world(Arc::new(files), Vec::new())
        .compile("m.mo")
        .unwrap_or_else(|refused| panic!("{refused}"))
}

/// The model, written and read again; writing it once more gives the same bytes.
fn through_bytes(model: &Model) -> Model {
    let bytes = model.to_bytes();
    let back =
        Model::from_bytes(&bytes, "m.rhei").unwrap_or_else(|refused| panic!("{}: {refused}", model.name()));
    assert!(back.to_bytes() == bytes, "{}: written again it is another file", model.name());
    back
}

fn run(model: &Model, method: Method, stop: Option<f64>) -> Results {
    let step = method.is_fixed_step().then_some(1e-3);
    let experiment = Experiment { method: Some(method), step, stop_time: stop, ..model.experiment() };
    model.simulate(&experiment).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

fn states(model: &Model) -> rhei::StateReport {
    model.states(&Experiment::default()).unwrap()
}

/// Two runs have the same rows, bit by bit, and say the same.
fn assert_same(a: &Results, b: &Results) {
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<u64>>();
    let columns = |results: &Results| results.rows().columns().iter().cloned().collect::<Vec<_>>();
    assert_eq!(columns(a), columns(b));
    assert_eq!(bits(a.time()), bits(b.time()));
    for column in columns(a) {
        let name = &column.name;
        assert_eq!(bits(a.get(name).unwrap()), bits(b.get(name).unwrap()), "{name}");
    }
    assert_eq!(a.messages(), b.messages());
    assert_eq!(a.outcome.statistics.steps, b.outcome.statistics.steps);
}

#[test]
fn a_model_that_is_read_runs_as_the_one_that_was_written() {
    for text in [ALL, TICKING] {
        let model = of_text(text);
        let back = through_bytes(&model);
        for method in [Method::Bdf, Method::FlcBdf, Method::Rk4] {
            assert_same(&run(&model, method, Some(2.0)), &run(&back, method, Some(2.0)));
        }
        assert_eq!(format!("{:?}", model.variables()), format!("{:?}", back.variables()));
        assert_eq!(format!("{:?}", states(&model)), format!("{:?}", states(&back)));
    }
}

#[test]
fn models_of_all_kinds_come_back() {
    for folder in ["tests/models", "tests/switching", "examples"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "mo"));
        files.sort();
        assert!(!files.is_empty());
        for file in files {
            let mut session = Session::in_world(Arc::new(rhei::Disk), Vec::new());
            let model = session.compile(file.to_str().unwrap()).unwrap_or_else(|refused| panic!("{refused}"));
            let back = through_bytes(&model);
            let stop = model.experiment().stop_time.unwrap_or(1.0);
            assert_same(
                &run(&model, Method::Bdf, Some(0.05 * stop)),
                &run(&back, Method::Bdf, Some(0.05 * stop)),
            );
        }
    }
}

#[test]
fn what_goes_wrong_in_a_run_is_said_with_its_place() {
    let text = "model M\n  Real x(start = 1, fixed = true);\n\n\n  Real root =\n    sqrt(x) \"größe\";\nequation\n  der(x) = -1;\nend M;";
    let model = of_text(text);
    let experiment = Experiment::until(2.0);
    let (there, here) =
        (model.simulate(&experiment).unwrap(), through_bytes(&model).simulate(&experiment).unwrap());
    assert!(there.messages().contains("m.mo:5"), "{}", there.messages());
    assert_eq!(there.messages(), here.messages());
}

#[test]
fn parameters_that_were_set_stay_set() {
    let model = of_text(ALL).with("gain", 3.0).unwrap();
    let back = through_bytes(&model);
    assert_same(&run(&model, Method::Bdf, Some(0.5)), &run(&back, Method::Bdf, Some(0.5)));
    let other = back.with("gain", 4.0).unwrap();
    assert_ne!(run(&other, Method::Bdf, Some(0.5)).last("t2"), run(&back, Method::Bdf, Some(0.5)).last("t2"));
    assert_eq!(back.with("label", "shorter").unwrap_err().diagnostics[0].id, "setting-structural");
}

/// The id of what is said about bytes that are no model.
fn id_of(bytes: &[u8]) -> Option<&'static str> {
    Model::from_bytes(bytes, "m.rhei").err().map(|refused| refused.diagnostics[0].id)
}

#[test]
fn what_is_no_model_is_said_by_id() {
    let bytes = of_text(ALL).to_bytes();
    assert_eq!(id_of(&bytes), None);
    for length in 0..bytes.len() {
        assert_eq!(id_of(&bytes[..length]), Some("model-file-damaged"), "the first {length} bytes");
    }
    let longer = [&bytes[..], b"x"].concat();
    assert_eq!(id_of(&longer), Some("model-file-damaged"));
    for foreign in [&b"model M end M;"[..], b"\x7fELF\x02\x01\x01", b"time,x\n0,1\n", &[0; 1000]] {
        assert_eq!(id_of(foreign), Some("model-file-foreign"));
    }
    // a file carried over as text, on a machine with other line ends
    let carried = bytes.iter().flat_map(|&byte| if byte == b'\n' { vec![b'\r', b'\n'] } else { vec![byte] });
    assert_eq!(id_of(&carried.collect::<Vec<u8>>()), Some("model-file-foreign"));
    let mut other_build = bytes.clone();
    other_build[8..16].copy_from_slice(&1_u64.to_le_bytes());
    assert_eq!(id_of(&other_build), Some("model-file-version"));
}

/// Changes of one byte or of several, bits or whole bytes, anywhere.
#[test]
fn a_hundred_thousand_changes_are_all_noticed() {
    let whole = of_text(ALL).to_bytes();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        // Marsaglia's xorshift
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut bytes = whole.clone();
    let mut seen = [0; 3];
    for change in 0..100_000 {
        let mut places = Vec::new();
        for _ in 0..1 + change % 4 {
            let place = random(whole.len());
            let flipped = match change % 3 {
                0 => whole[place] ^ (1 << random(8)),
                1 => random(256) as u8,
                _ => whole[random(whole.len())],
            };
            bytes[place] = flipped;
            places.push(place);
        }
        match id_of(&bytes) {
            None => assert_eq!(bytes, whole, "changed at {places:?}"),
            Some("model-file-damaged") => seen[0] += 1,
            Some("model-file-version") => seen[1] += 1,
            Some("model-file-foreign") => seen[2] += 1,
            Some(other) => panic!("{other}"),
        }
        places.into_iter().for_each(|place| bytes[place] = whole[place]);
    }
    assert!(seen.iter().all(|&seen| seen > 10), "{seen:?}");
}
