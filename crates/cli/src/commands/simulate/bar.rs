//! Progress of a run, on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rhei::{StepTaken, number};

/// Least duration of a run that shows a bar.
const QUIET: Duration = Duration::from_millis(500);
/// Least time between two changes of the bar.
const PAUSE: Duration = Duration::from_millis(100);
/// Resolution of the bar, in parts of the run.
const PARTS: u64 = 1000;

/// A progress bar for long runs. Nothing is drawn if standard error is no terminal.
pub(super) struct Bar {
    start: f64,
    stop: f64,
    begun: Instant,
    drawn: Instant,
    bar: Option<ProgressBar>,
}

impl Bar {
    pub(super) fn new(start: f64, stop: f64) -> Bar {
        let now = Instant::now();
        Bar { start, stop, begun: now, drawn: now, bar: None }
    }

    /// Shows the progress of the run.
    pub(super) fn show(&mut self, progress: &StepTaken<'_>) {
        let now = Instant::now();
        if now - self.begun < QUIET || self.bar.is_some() && now - self.drawn < PAUSE {
            return;
        }
        self.drawn = now;
        let line = line(progress, self.start, self.stop, now - self.begun);
        let bar = self.bar.get_or_insert_with(new_bar);
        let part = (progress.time - self.start) / (self.stop - self.start);
        bar.set_position((part * PARTS as f64) as u64);
        bar.set_message(line);
    }

    /// Writes something above the bar.
    pub(super) fn beside(&self, write: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Removes the bar before the final messages.
    pub(super) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn new_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:24} {wide_msg}").expect("the template is right");
    bar.with_style(style.progress_chars("━╸ "))
}

/// `t = 3.250 of 10 s, 0.5 × real time, limited by body.phi`.
fn line(progress: &StepTaken<'_>, start: f64, stop: f64, elapsed: Duration) -> String {
    let speed = (progress.time - start) / elapsed.as_secs_f64();
    let speed = if speed < 10.0 { format!("{speed:.2}") } else { format!("{speed:.0}") };
    let limit = (progress.limit)().map_or(String::new(), |name| format!(", limited by {name}"));
    // as many digits as the bar can show a change in
    let digits = (3 - (stop - start).log10().floor() as i32).clamp(0, 9) as usize;
    format!("t = {:.digits$} of {} s, {speed} × real time{limit}", progress.time, number(stop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_speed_and_what_limits_the_step() {
        let limit = || Some("body.phi");
        let progress = StepTaken { time: 3.25, limit: &limit };
        let said = line(&progress, 1.0, 10.0, Duration::from_secs(5));
        expect_test::expect!["t = 3.250 of 10 s, 0.45 × real time, limited by body.phi"].assert_eq(&said);
        let said = line(&StepTaken { time: 3.25, limit: &|| None }, 1.0, 10.0, Duration::from_secs(5));
        expect_test::expect!["t = 3.250 of 10 s, 0.45 × real time"].assert_eq(&said);
    }
}
