//! Progress of loading base models.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar for each stage of loading; hidden if standard error is not a terminal.
#[derive(Default)]
pub(super) struct LoadProgress {
    bar: Option<(String, ProgressBar)>,
}

impl LoadProgress {
    pub(super) fn show(&mut self, stage: &str, done: u64, total: u64) {
        if self.bar.as_ref().is_none_or(|(name, _)| name != stage) {
            self.finish();
            let style = ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes} {eta}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(total).with_style(style).with_message(stage.to_owned());
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
