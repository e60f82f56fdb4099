//! Properties of whole families of hybrid models: the order of the text does not matter, and events are where they belong.

use proptest::prelude::*;
use rhei_numerics::Method;

use crate::workshop::{Settings, compile, run};

/// Declarations and equations of a model in which two ticks and two time events fall on `t = 1`, two state events on `t = 1.25`,
/// and each sets off others.
const DECLARATIONS: [&str; 11] = [
    "Real x(start = 0, fixed = true);",
    "Real y(start = 0, fixed = true);",
    "Real z(start = 3, fixed = true);",
    "Boolean high = x >= 1;",
    "Boolean higher = y >= 2;",
    "Integer both(start = 0, fixed = true);",
    "Integer ticks(start = 0, fixed = true);",
    "Integer after(start = 0, fixed = true);",
    "discrete Real seen(start = 0, fixed = true);",
    "Boolean late = time >= 1;",
    "Integer sum = both + ticks + after;",
];
const EQUATIONS: [&str; 9] = [
    "der(x) = 0.8;",
    "der(y) = 1.6;",
    "der(z) = -both - 1;",
    "when high and higher then both = pre(both) + 1; end when;",
    "when {sample(0.5, 0.5), sample(0.25, 0.25)} then ticks = pre(ticks) + 1; end when;",
    "when {both > 0, late, 2*time >= 2} then after = pre(after) + 1; end when;",
    "when after >= 1 then seen = 10*ticks + both; end when;",
    "when late then reinit(z, pre(z) + 5*ticks); end when;",
    "when seen > 0 then assert(ticks == 4, \"the ticks of this instant have been counted\"); end when;",
];

/// The variables compared: up to the instant, at it, and after it.
const LOOKED_AT: [&str; 7] = ["z", "both", "ticks", "after", "seen", "sum", "late"];

/// The values of these shortly before and after the instant of all events, and at the end.
fn values(declarations: &[&str], equations: &[&str]) -> Vec<f64> {
    let text = format!("model M\n{}\nequation\n{}\nend M;\n", declarations.join("\n"), equations.join("\n"));
    let (done, _) = compile(&text);
    let model = done.model.unwrap_or_else(|| panic!("{:?}\n{text}", done.diagnostics));
    let settings = Settings { stop: Some(1.75), tolerance: Some(1e-9), ..Settings::default() };
    let (outcome, rows) = run(&model, &settings, vec![0.9, 1.0, 1.75]);
    assert!(outcome.diagnostics.is_empty(), "{:?}\n{text}", outcome.diagnostics);
    LOOKED_AT.iter().flat_map(|name| rows.get(name).expect("it is recorded").to_vec()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_the_text_does_not_matter_at_an_event(
        declarations in Just(DECLARATIONS.to_vec()).prop_shuffle(),
        equations in Just(EQUATIONS.to_vec()).prop_shuffle(),
    ) {
        // the fourth tick and the reinit are at 1: z = 3 - 1 + 5*4 there, then it falls with 1 up to 1.25 and with 2 to the end
        let expected = [
            2.1, 22.0, 20.75, 0.0, 0.0, 1.0, 3.0, 4.0, 7.0, 0.0, 1.0, 2.0, 0.0, 40.0, 40.0, 3.0, 5.0, 10.0, 0.0, 1.0, 1.0,
        ];
        let found = values(&declarations, &equations);
        for (place, (expected, found)) in expected.iter().zip(&found).enumerate() {
            prop_assert!((expected - found).abs() < 1e-7, "{}: {} and {}", LOOKED_AT[place / 3], expected, found);
        }
    }

    #[test]
    fn events_are_where_a_sine_passes_a_level(
        w in 0.5..5.0_f64,
        c in -0.8..0.8_f64,
        digits in 4..9_i32,
        method in prop::sample::select(vec![Method::Bdf, Method::Esdirk34, Method::TrBdf2, Method::Tsit45]),
    ) {
        let tolerance = 10.0_f64.powi(-digits);
        let tolerance = if method == Method::TrBdf2 { tolerance.max(1e-6) } else { tolerance };
        let text = format!(
            "model M\n  Real x(start = 0, fixed = true);\n  discrete Real up(start = 0, fixed = true);\n  \
             discrete Real down(start = 0, fixed = true);\n  discrete Real given(start = 0, fixed = true);\n  discrete Real met(start = 0, fixed = true);\nequation\n  \
             der(x) = {w:?}*cos({w:?}*time);\n  when x > {c:?} then up = time; met = x; end when;\n  \
             when x < {c:?} then down = time; end when;\n  when sin({w:?}*time) > {c:?} then given = time; end when;\nend M;\n"
        );
        let (done, _) = compile(&text);
        let period = std::f64::consts::TAU / w;
        let settings = Settings {
            stop: Some(1.75 * period),
            tolerance: Some(tolerance),
            method: Some(method),
            ..Settings::default()
        };
        let (outcome, rows) = run(&done.model.expect("it compiles"), &settings, vec![1.74 * period]);
        prop_assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
        let value = |name: &str| rows.get(name).expect("it is recorded")[0];
        // the second rise is a period after the first one, the second fall as well
        let rise = c.asin() / w + period;
        let fall = (std::f64::consts::PI - c.asin()) / w + period;
        let slope = w * (1.0 - c * c).sqrt();
        let allowed = 10.0 * tolerance * (1.0 + 1.0 / slope);
        prop_assert!((value("given") - rise).abs() < allowed, "given at {} and not {rise}", value("given"));
        // the crossing of what is integrated is found to many more digits; what is left is the error of the integration
        prop_assert!((value("met") - c).abs() < 1e-3 * tolerance, "found where x is {} and not {c}", value("met"));
        prop_assert!((value("up") - rise).abs() < allowed, "up at {} and not {rise}", value("up"));
        prop_assert!((value("down") - fall).abs() < allowed, "down at {} and not {fall}", value("down"));
    }
}
