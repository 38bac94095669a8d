//! `trainyard export`: a step of a model for other programs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use indicatif::ProgressBar;

use super::progress::LoadProgress;
use super::{CommandError, StoreOptions, print, signals, stored};
use crate::engine::ComputePool;
use crate::engine::export::ElementType;
use crate::export::{Export, Form, Lineage, Output, Weights};
use crate::model_files::{ModelFiles, SEEDLING};
use crate::server::{BaseModelOption, Download, Settings};
use crate::store::metadata::{Metadata, OptionalExtension};
use crate::store::records::{CheckpointRecord, ModelRecord, Order, PageRequest};

/// Number of steps that a message lists.
const LISTED: u32 = 10;

#[derive(Args)]
pub(super) struct Options {
    /// Model to export: its project/name, its inference name or its id, and perhaps a step [default: the newest].
    #[arg(value_name = "MODEL[:stepN]")]
    model: String,
    /// Form of the export.
    #[arg(long, value_enum)]
    form: Form,
    /// Directory for the files, which must not exist or be empty.
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// Element type of the weights: f32, f16, bf16; also q8_0, q4_0 or q4_k_m in a GGUF file of a model [default: bf16
    /// merged, f16 in GGUF files].
    #[arg(long, value_name = "TYPE")]
    weights: Option<ElementType>,
    /// Base model: NAME=DIR for its directory, NAME=FILE.gguf for a GGUF file, or NAME to fetch it from the hub. Repeatable; in
    /// the environment, one per line. trainyard/seedling is always available, and `--form peft` needs none.
    #[arg(long = "base-model", env = "TRAINYARD_BASE_MODEL", value_name = "NAME[=PATH]", value_delimiter = '\n')]
    base_models: Vec<BaseModelOption>,
    /// Accept files of the base model that are not those of the training, such as ones with another chat template.
    #[arg(long)]
    other_base: bool,
    #[command(flatten)]
    store: StoreOptions,
}

pub(super) async fn run(options: Options) -> Result<(), CommandError> {
    options.form.element(options.weights)?;
    let (metadata, artifacts) = options.store.existing().await?;
    let (name, step) = split(&options.model);
    let model = stored::model(&*metadata, name).await?;
    let checkpoint = checkpoint(&*metadata, &model, step).await?;
    let output = Output::create(&options.out)?;
    let weights = Weights::read(&artifacts, &model, &checkpoint, &output).await?;
    let lineage = Lineage::read(&*metadata, &model, &checkpoint).await?;
    let needs_weights = options.form.needs_base_weights(&weights);
    let base = base_files(&options, &model.base_model, needs_weights).await?;
    if let (true, Some(files), Some((_, manifest)), false) =
        (needs_weights, &base, &lineage.manifest, options.other_base)
    {
        check_base(files, &manifest.base_model.sha256, checkpoint.step).await?;
    }
    let stop = Arc::new(AtomicBool::new(false));
    let pool = ComputePool::new(Settings::new(PathBuf::new()).threads);
    let (form, element) = (options.form, options.weights);
    let export = Export { form, element, lineage, weights, base, pool, stop: stop.clone() };
    let mut work = tokio::task::spawn_blocking(move || -> Result<(), CommandError> {
        let mut progress = LoadProgress::default();
        let written = export.write(&output, &mut |file, done, total| {
            progress.show(&format!("writing {file}"), done, total);
        });
        progress.finish();
        written?;
        Ok(output.keep()?)
    });
    tokio::select! {
        written = &mut work => written??,
        () = signals::wait_for_signal() => {
            stop.store(true, Ordering::Relaxed);
            work.await??;
        }
    }
    list(&options.out)
}

/// Splits the step from the name of a model.
fn split(named: &str) -> (&str, Option<i64>) {
    let parts = named.rsplit_once(":step").and_then(|(model, step)| Some((model, step.parse().ok()?)));
    parts.map_or((named, None), |(model, step)| (model, Some(step)))
}

async fn checkpoint(
    metadata: &dyn Metadata,
    model: &ModelRecord,
    step: Option<i64>,
) -> Result<CheckpointRecord, CommandError> {
    let ModelRecord { entity, project, name, .. } = model;
    let found = match step {
        Some(step) => metadata.checkpoint_at_step(entity, model.id, step).await.optional()?,
        None => metadata.newest_checkpoint(entity, model.id).await?,
    };
    if let Some(found) = found {
        return Ok(found);
    }
    let page = PageRequest { after: None, limit: LISTED, order: Order::Descending };
    let page = metadata.list_checkpoints(entity, model.id, page).await?;
    let there: Vec<String> = page.items.iter().map(|checkpoint| checkpoint.step.to_string()).collect();
    let there = match (&there[..], page.has_more) {
        ([], _) => "all of its steps were deleted".to_owned(),
        (steps, false) => format!("its steps are {}", steps.join(", ")),
        (steps, true) => format!("its newest steps are {}", steps.join(", ")),
    };
    let step = step.map_or_else(|| "no step".to_owned(), |step| format!("no step {step}"));
    Err(format!("{project}/{name} has {step}; {there}").into())
}

/// Returns the files of the base model; `None` if they are not named, and the form needs none.
async fn base_files(options: &Options, base: &str, with_weights: bool) -> Result<Option<ModelFiles>, CommandError> {
    if base == SEEDLING {
        return Ok(Some(ModelFiles::seedling()?));
    }
    let Some(named) = options.base_models.iter().find(|named| named.name == base) else {
        if options.form == Form::Peft {
            return Ok(None);
        }
        return Err(format!(
            "the files of {base} are needed; name their directory or GGUF file with --base-model {base}=PATH, or fetch them \
             from the hub with --base-model {base}"
        )
        .into());
    };
    let read = if with_weights { ModelFiles::from_path } else { ModelFiles::without_weights };
    if let Some(path) = &named.path {
        return Ok(Some(read(base, path)?));
    }
    let (directory, choice) = (options.store.data.path()?, named.choice.as_deref());
    let download = Download { name: base, choice, with_weights, directory: &directory, endpoint: None };
    let mut loading = LoadProgress::default();
    let files = download.fetch(&mut |stage, done, total| loading.show(stage, done, total)).await;
    loading.finish();
    Ok(Some(files?))
}

/// Checks that files are those that a step was trained on. The hash of some manifests is not known.
async fn check_base(files: &ModelFiles, trained_on: &str, step: i64) -> Result<(), CommandError> {
    if trained_on.is_empty() {
        return Ok(());
    }
    let spinner = ProgressBar::new_spinner().with_message(format!("comparing the files of {}", files.name));
    spinner.enable_steady_tick(std::time::Duration::from_millis(200));
    let (files, name) = (files.clone(), files.name.clone());
    let found = tokio::task::spawn_blocking(move || files.sha256()).await?;
    spinner.finish_and_clear();
    if found == trained_on {
        return Ok(());
    }
    Err(format!(
        "the files of {name} are not those that step {step} was trained on: their SHA-256 is {found}, and the manifest has \
         {trained_on}; name the directory that the service had, or accept these with --other-base"
    )
    .into())
}

/// Prints the paths of the files.
fn list(directory: &Path) -> Result<(), CommandError> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        paths.push(entry?.path());
    }
    paths.sort_unstable();
    paths.iter().try_for_each(|path| print(&format!("{}\n", path.display())))
}
