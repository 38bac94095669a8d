//! Progress bars.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Creates a progress bar of this form; hidden if standard error is not a terminal.
pub(super) fn progress_bar(template: &str, total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style)
}

/// A progress bar for each stage of loading base models.
#[derive(Default)]
pub(super) struct LoadProgress {
    bar: Option<(String, ProgressBar)>,
}

impl LoadProgress {
    pub(super) fn show(&mut self, stage: &str, done: u64, total: u64) {
        if self.bar.as_ref().is_none_or(|(name, _)| name != stage) {
            self.finish();
            let bar = progress_bar("{msg} {wide_bar} {bytes}/{total_bytes} {eta}", total);
            bar.set_message(stage.to_owned());
            bar.enable_steady_tick(Duration::from_millis(200));
            self.bar = Some((stage.to_owned(), bar));
        }
        if let Some((_, bar)) = &self.bar {
            bar.set_length(total);
            bar.set_position(done);
        }
    }

    pub(super) fn finish(&mut self) {
        if let Some((_, bar)) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
