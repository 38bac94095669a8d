//! `trainyard verify`: checks that the checkpoints of a model match their manifests.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::ExitCode;

use clap::Args;
use indicatif::ProgressBar;
use serde_json::json;

use super::{CommandError, StoreOptions, print_report, stored};
use crate::error_chain;
use crate::jobs::verify::{Report, verify};
use crate::model_files::{ModelFiles, SEEDLING};
use crate::server::BaseModelOption;
use crate::store::records::ModelRecord;

#[derive(Args)]
pub(super) struct Options {
    /// Model to verify: its id, its project/name, or its inference name.
    model: String,
    /// Directory of a base model, whose files are compared with the manifests. Repeatable; trainyard/seedling is always
    /// available.
    #[arg(long = "base-model", env = "TRAINYARD_BASE_MODEL", value_name = "NAME=DIR", value_delimiter = '\n')]
    base_models: Vec<BaseModelOption>,
    /// Print JSON instead of lines.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreOptions,
}

pub(super) async fn run(options: Options) -> Result<ExitCode, CommandError> {
    let (metadata, artifacts) = options.store.existing().await?;
    let model = stored::model(&*metadata, &options.model).await?;
    let bases = base_hashes(&model, &options.base_models)?;
    let progress = ProgressBar::new_spinner();
    let mut show = |read| progress.set_message(format!("{read} artifacts read"));
    let report = verify(&*metadata, &artifacts, &model, &bases, &mut show).await;
    progress.finish_and_clear();
    let report = report?;
    let text = lines(&report, &model, bases.contains_key(&model.base_model))?;
    print_report(options.json, &as_json(&report), &text)?;
    Ok(if report.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the SHA-256 of the model's base model, if its files are available.
fn base_hashes(model: &ModelRecord, named: &[BaseModelOption]) -> Result<BTreeMap<String, String>, CommandError> {
    let mut hashes = BTreeMap::new();
    if model.base_model == SEEDLING {
        hashes.insert(SEEDLING.to_owned(), ModelFiles::seedling()?.sha256());
    }
    for BaseModelOption { name, path, .. } in named {
        if let Some(path) = path.as_ref().filter(|_| *name == model.base_model) {
            hashes.insert(name.clone(), ModelFiles::from_path(name, path)?.sha256());
        }
    }
    Ok(hashes)
}

fn lines(report: &Report, model: &ModelRecord, with_base: bool) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for fault in &report.faults {
        writeln!(text, "step {}: {}", fault.step, error_chain(&fault.problem))?;
    }
    if let [first, ..] = report.unrecorded[..] {
        let count = report.unrecorded.len();
        writeln!(text, "{count} steps, from step {first} on, were made before the service wrote manifests")?;
    }
    for step in &report.from_deleted_models {
        writeln!(text, "step {step} was copied from a model that is not there any more")?;
    }
    if !with_base {
        let name = &model.base_model;
        writeln!(text, "the files of {name} were not compared; name them with --base-model {name}=DIR")?;
    }
    let (manifests, checkpoints, artifacts) = (report.manifests, report.checkpoints, report.artifacts);
    writeln!(text, "{manifests} manifests, {checkpoints} checkpoints and {artifacts} artifacts were read")?;
    match (&report.head, report.faults.len()) {
        (Some((step, sha256)), 0) => writeln!(text, "all is as it was made; step {step} has the manifest {sha256}")?,
        (None, 0) => writeln!(text, "there is nothing to compare")?,
        (_, count) => writeln!(text, "{count} things are not as they were made")?,
    }
    Ok(text)
}

fn as_json(report: &Report) -> serde_json::Value {
    let fault = |step, problem| json!({ "step": step, "error": problem });
    let faults = report.faults.iter().map(|found| fault(found.step, error_chain(&found.problem)));
    json!({
        "manifests": report.manifests,
        "checkpoints": report.checkpoints,
        "artifacts": report.artifacts,
        "head": report.head.as_ref().map(|(step, sha256)| json!({ "step": step, "sha256": sha256 })),
        "unrecorded_steps": report.unrecorded,
        "steps_from_deleted_models": report.from_deleted_models,
        "faults": faults.collect::<Vec<_>>(),
    })
}
