//! `trainyard checkpoints`: the saved steps of models at a running service.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::{Value, json};

use super::metrics::rewards_first;
use super::remote::{Listed, Remote, existing_model, model_id, short_name};
use super::table::Table;
use super::{CommandError, files, print, print_json};
use crate::client::types::{AddCheckpoint, Checkpoint, DeleteCheckpointsRequest, FilePurpose, SortOrder};
use crate::client::{Client, from_json};

/// File names of an adapter.
const CONFIG: &str = "adapter_config.json";
const WEIGHTS: &str = "adapter_model.safetensors";

#[derive(Subcommand)]
#[command(after_help = "A model is named by its id, by project/name, or by its inference name.\n\nExamples:\n  \
    trainyard checkpoints list demo/agent\n  \
    trainyard checkpoints download demo/agent 3 --to adapter      a directory that PEFT loads\n  \
    trainyard checkpoints import demo/agent adapter\n  \
    trainyard checkpoints copy demo/fork --from demo/agent --step 3")]
pub(super) enum Command {
    /// List the steps of a model, newest first.
    List {
        /// Model that has the steps.
        model: String,
        #[command(flatten)]
        listed: Listed,
        #[command(flatten)]
        remote: Remote,
    },
    /// Show one step and its files as JSON.
    Get {
        /// Model that has the step.
        model: String,
        /// Number of the step.
        step: u64,
        #[command(flatten)]
        remote: Remote,
    },
    /// Show the manifest of a step as JSON: how it was made.
    Manifest {
        /// Model that has the step.
        model: String,
        /// Number of the step.
        step: u64,
        #[command(flatten)]
        remote: Remote,
    },
    /// Download the files of a step into a directory.
    Download {
        /// Model that has the step.
        model: String,
        /// Number of the step.
        step: u64,
        /// Directory for the files; created if it does not exist [default: checkpoint-STEP].
        #[arg(long, value_name = "DIRECTORY")]
        to: Option<PathBuf>,
        #[command(flatten)]
        remote: Remote,
    },
    /// Import a PEFT adapter as the next step of a model.
    Import {
        /// Model that gets the step.
        model: String,
        /// Directory with adapter_config.json and adapter_model.safetensors.
        directory: PathBuf,
        #[command(flatten)]
        remote: Remote,
    },
    /// Copy a step of another model as the next step of this one.
    Copy {
        /// Model that gets the step.
        model: String,
        /// Model that has the step.
        #[arg(long, value_name = "MODEL")]
        from: String,
        /// Number of the step.
        #[arg(long)]
        step: u64,
        #[command(flatten)]
        remote: Remote,
    },
    /// Delete steps.
    Delete {
        /// Model that has the steps.
        model: String,
        /// Numbers of the steps.
        #[arg(required = true)]
        steps: Vec<u64>,
        /// Also delete the newest step if it is listed; the model's name then refers to the newest remaining one.
        #[arg(long, visible_alias = "yes")]
        allow_latest: bool,
        #[command(flatten)]
        remote: Remote,
    },
}

pub(super) async fn run(command: Command) -> Result<(), CommandError> {
    match command {
        Command::List { model, listed, remote } => {
            let client = remote.client()?;
            let model = existing_model(&client, &model).await?;
            let page =
                client.list_checkpoints(&model.id).limit(listed.limit).order(SortOrder::Desc).await?.into_inner();
            listed.show(&page.data, page.has_more, "every step was deleted", |steps| {
                as_table(&short_name(&model), steps)
            })?;
        }
        Command::Get { model, step, remote } => {
            let client = remote.client()?;
            print_json(&*client.get_checkpoint(&model_id(&client, &model).await?, step).await?)?;
        }
        Command::Manifest { model, step, remote } => {
            let client = remote.client()?;
            print_json(&*client.get_checkpoint_manifest(&model_id(&client, &model).await?, step).await?)?;
        }
        Command::Download { model, step, to, remote } => {
            let client = remote.client()?;
            let to = to.unwrap_or_else(|| format!("checkpoint-{step}").into());
            download(&client, &model_id(&client, &model).await?, step, &to).await?;
        }
        Command::Import { model, directory, remote } => {
            let client = remote.client()?;
            let model = model_id(&client, &model).await?;
            let path = directory.join(CONFIG);
            let config =
                std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            let config: Value =
                serde_json::from_str(&config).map_err(|error| format!("{} is no JSON: {error}", path.display()))?;
            let weights = files::upload(&client, &directory.join(WEIGHTS), FilePurpose::UserData).await?;
            let body = json!({ "type": "import", "adapter_config": config, "weights_file_id": weights.id });
            let made = create(&client, &model, body).await;
            // The checkpoint has its own reference to the content.
            let deleted = client.delete_file(&weights.id).await;
            made?;
            deleted?;
        }
        Command::Copy { model, from, step, remote } => {
            let client = remote.client()?;
            let (model, from) = (model_id(&client, &model).await?, model_id(&client, &from).await?);
            create(&client, &model, json!({ "type": "copy", "model_id": from, "step": step })).await?;
        }
        Command::Delete { model, steps, allow_latest, remote } => {
            let client = remote.client()?;
            let model = model_id(&client, &model).await?;
            let request = DeleteCheckpointsRequest { steps, allow_latest: allow_latest.then_some(true) };
            let deleted = client.delete_checkpoints(&model, &request).await?;
            note!("deleted {} steps", deleted.deleted_count);
            if !deleted.not_found_steps.is_empty() {
                return Err(format!("the model has no steps {:?}", deleted.not_found_steps).into());
            }
        }
    }
    Ok(())
}

/// Lists steps with their names in requests.
fn as_table(model: &str, steps: &[Checkpoint]) -> Table {
    let mut table = Table::new(["STEP", "NAME", "METRICS"]);
    for step in steps {
        let metrics =
            rewards_first(step.metrics.keys()).into_iter().map(|name| format!("{name} {:.4}", step.metrics[name]));
        let metrics: Vec<String> = metrics.collect();
        table.row([step.step.to_string(), format!("{model}:step{}", step.step), metrics.join(", ")]);
    }
    table
}

async fn create(client: &Client, model: &str, body: Value) -> Result<(), CommandError> {
    let body: AddCheckpoint = from_json(body)?;
    let made = client.add_checkpoint(model, &body).await?;
    note!("the model is at step {} now", made.step);
    Ok(())
}

async fn download(client: &Client, model: &str, step: u64, directory: &Path) -> Result<(), CommandError> {
    let checkpoint = client.get_checkpoint(model, step).await?.into_inner();
    if checkpoint.files.is_empty() {
        return Err(format!("step {step} is the base model itself and has no files").into());
    }
    std::fs::create_dir_all(directory).map_err(|error| format!("cannot make {}: {error}", directory.display()))?;
    for file in checkpoint.files {
        // The service's name is not trusted as a path.
        let Some(name) = Path::new(&file.name).file_name() else { continue };
        let path = directory.join(name);
        let content = client.get_checkpoint_file(model, step, &file.name).await?;
        files::save(content, &path, Some(&file.sha256)).await?;
        print(&format!("{}\n", path.display()))?;
    }
    Ok(())
}
