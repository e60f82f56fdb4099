//! The settings of a run, from and in terms of the command line.

use rhei::{Origin, OutputTimes, Resolved, WrongExperiment, number};
use rhei_source::nearest_name;

use crate::commands::Usage;
use crate::keep::Names;
use crate::talk::Talk;

/// What is wrong, by the names of the options.
pub(in crate::commands) fn in_words(wrong: &WrongExperiment) -> Usage {
    let positive =
        |name: &str, value: f64| format!("`{name}` must be greater than 0, and {} is given", number(value));
    match wrong {
        WrongExperiment::Interval(value) => positive("--interval", *value),
        WrongExperiment::NoIntervals => "`--intervals` must be at least 1".into(),
        WrongExperiment::OutsideRun { .. } => format!("--at: {wrong}"),
        WrongExperiment::Step(value) => positive("--step", *value),
        WrongExperiment::NeedlessStep(method) => {
            format!("`--step` is for methods with a fixed step, and {method} chooses its own")
        }
        WrongExperiment::NeedlessProjection(method) => {
            format!("`--projection` is for explicit methods with a fixed step, and {method} is none")
        }
        WrongExperiment::BoundsOff => {
            "`--bounds-of-types` has no effect with `--bounds off`, which looks at no ranges".into()
        }
        WrongExperiment::StopBeforeStart { .. } | WrongExperiment::Tolerance(_) => wrong.to_string(),
    }
}

/// Explains the origin of each setting.
pub(in crate::commands) fn explain(resolved: &Resolved, talk: &Talk) {
    let say = |what: &str, origin: Origin| talk.explain(&format!("{what} from {}", words(origin)));
    let Resolved { start_time, stop_time, tolerance, method, output, step, .. } = resolved;
    say(&format!("start time = {}", number(start_time.value)), start_time.origin);
    say(&format!("stop time = {}", number(stop_time.value)), stop_time.origin);
    say(&format!("tolerance = {}", number(tolerance.value)), tolerance.origin);
    say(&format!("method = {}", method.value), method.origin);
    let rows = match &output.value {
        OutputTimes::At(_) => "rows at given times".into(),
        OutputTimes::Intervals(n) => format!("rows at the ends of {n} intervals"),
        OutputTimes::Every(dt) => format!("rows every {}", number(*dt)),
    };
    say(&rows, output.origin);
    if let Some(step) = step {
        say(&format!("step = {}", number(step.value)), step.origin);
    }
}

fn words(origin: Origin) -> &'static str {
    match origin {
        Origin::Given => "the command line",
        Origin::Annotation => "the experiment annotation",
        Origin::Default => "rhei's default",
        Origin::Rows => "the distance of the rows",
    }
}

/// The first name or pattern that fits none of these variables, with what may have been meant.
pub(super) fn unknown_name(known: &[&str], names: Option<&Names>) -> Option<String> {
    let fits_none = |name: &&String| {
        let single = Names(vec![(*name).clone()]);
        !known.iter().any(|variable| single.contains(variable))
    };
    let name = names?.0.iter().find(fits_none)?;
    let near = nearest_name(name, known.iter().copied());
    let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    Some(format!("there is no `{name}` in the model{hint}"))
}
