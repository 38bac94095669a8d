//! Progress bars, and lines in their place.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{BinaryBytes, HumanDuration, ProgressBar, ProgressStyle};

/// Form of the bar of a stage whose length is known.
const BAR: &str = "{msg} {wide_bar} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} {eta}";
/// Form of the bar of another stage.
const SPINNER: &str = "{spinner} {wide_msg} {elapsed}";
/// Time between two lines of a stage in a log.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// Creates a progress bar of this form; hidden if standard error is not a terminal.
pub(super) fn progress_bar(template: &str, total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style)
}

/// A progress bar for each stage of loading or fetching base models. If standard error is not a terminal, a line about a stage
/// from time to time.
pub(super) struct LoadProgress {
    stage: Option<Stage>,
    interval: Duration,
    is_terminal: bool,
}

struct Stage {
    name: String,
    bar: ProgressBar,
    /// Time of the last line, or of the beginning.
    told: Instant,
}

impl Default for LoadProgress {
    fn default() -> Self {
        Self { stage: None, interval: LOG_INTERVAL, is_terminal: std::io::stderr().is_terminal() }
    }
}

impl LoadProgress {
    /// Returns the progress of a command of which somebody waits for the end: each stage has a line at its beginning, and one for
    /// every second.
    pub(super) fn each_second() -> Self {
        Self { interval: Duration::from_secs(1), ..Self::default() }
    }

    pub(super) fn show(&mut self, stage: &str, done: u64, total: u64) {
        let is_new = self.stage.as_ref().is_none_or(|shown| shown.name != stage);
        if is_new {
            self.finish();
            let bar = progress_bar(if total > 0 { BAR } else { SPINNER }, total);
            // What an earlier download left is no part of the rate.
            bar.set_position(done);
            bar.reset_eta();
            bar.set_message(stage.to_owned());
            if self.is_terminal {
                bar.enable_steady_tick(Duration::from_millis(200));
            }
            self.stage = Some(Stage { name: stage.to_owned(), bar, told: Instant::now() });
        }
        let Some(shown) = &mut self.stage else { return };
        shown.bar.set_length(total);
        shown.bar.set_position(done);
        let is_due = shown.told.elapsed() >= self.interval || (is_new && self.interval < LOG_INTERVAL);
        if !self.is_terminal && is_due {
            shown.told = Instant::now();
            note!("{}", shown.line(done, total));
        }
    }

    pub(super) fn finish(&mut self) {
        if let Some(Stage { bar, .. }) = self.stage.take() {
            bar.finish_and_clear();
        }
    }
}

impl Stage {
    /// Returns stage, amount, rate and the time left.
    fn line(&self, done: u64, total: u64) -> String {
        let Some(percent) = (100 * u128::from(done)).checked_div(u128::from(total)) else { return self.name.clone() };
        let amount = format!("{}: {} of {} ({percent} %)", self.name, BinaryBytes(done), BinaryBytes(total));
        let rate = self.bar.per_sec();
        if rate < 1.0 || done == total {
            return amount;
        }
        let left = Duration::from_secs_f64((total.saturating_sub(done) as f64 / rate).min(1e9));
        format!("{amount}, {}/s, {} left", BinaryBytes(rate as u64), HumanDuration(left))
    }
}
