//! `trainyard fsck`: checks that every artifact that the database refers to exists and is undamaged.

use std::fmt::Write;
use std::process::ExitCode;

use clap::Args;
use indicatif::ProgressBar;
use serde_json::json;

use super::{CommandError, StoreOptions, print_report};
use crate::error_chain;
use crate::store::artifacts::StoredArtifact;
use crate::store::check::{Fault, Report, check};
use crate::store::records::ArtifactHolder;

#[derive(Args)]
pub(super) struct Options {
    /// Print JSON instead of lines.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreOptions,
}

pub(super) async fn run(options: Options) -> Result<ExitCode, CommandError> {
    let (metadata, artifacts) = options.store.existing().await?;
    let progress = ProgressBar::new_spinner();
    let report =
        check(&*metadata, &artifacts, &mut |read| progress.set_message(format!("{read} artifacts read"))).await;
    progress.finish_and_clear();
    tell(&report?, options.json)
}

/// Prints the report; the exit code shows whether the store is intact.
pub(super) fn tell(report: &Report, as_json: bool) -> Result<ExitCode, CommandError> {
    let json = json!({
        "referenced": report.referenced,
        "faults": report.faults.iter().map(fault).collect::<Vec<_>>(),
        "orphans": report.orphans.iter().map(stored).collect::<Vec<_>>(),
        "unpublished": report.unpublished.iter().map(stored).collect::<Vec<_>>(),
    });
    print_report(as_json, &json, &lines(report)?)?;
    Ok(if report.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn lines(report: &Report) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for fault in &report.faults {
        writeln!(text, "{}: {}", fault.holder, error_chain(&fault.error))?;
    }
    for orphan in &report.orphans {
        let (hours, bytes) = (orphan.age.as_secs() / 3600, orphan.bytes);
        writeln!(text, "orphan {}: {bytes} bytes, {hours} hours old; a running server removes it", orphan.id)?;
    }
    if !report.unpublished.is_empty() {
        let count = report.unpublished.len();
        writeln!(text, "{count} artifacts of the last 24 hours that nothing refers to (yet)")?;
    }
    let (whole, referenced) = (report.referenced - report.faults.len() as u64, report.referenced);
    writeln!(text, "{whole} of {referenced} artifacts are there and undamaged")?;
    Ok(text)
}

fn fault(fault: &Fault) -> serde_json::Value {
    let (model_id, file_id) = match fault.holder {
        ArtifactHolder::Model(id) => (Some(id.to_string()), None),
        ArtifactHolder::File(id) => (None, Some(id.to_string())),
    };
    json!({
        "artifact": fault.artifact.to_string(),
        "model_id": model_id,
        "file_id": file_id,
        "error": error_chain(&fault.error),
    })
}

fn stored(artifact: &StoredArtifact) -> serde_json::Value {
    json!({
        "artifact": artifact.id.to_string(),
        "bytes": artifact.bytes,
        "age_seconds": artifact.age.as_secs(),
    })
}
