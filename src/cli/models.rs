//! `trainyard models`: models of a running service, and base models before it runs.

use clap::Subcommand;
use indicatif::BinaryBytes;
use serde_json::json;

use super::age::age_if_known;
use super::remote::{Listed, Named, Remote, existing_model, short_name};
use super::table::Table;
use super::{CommandError, inspect, print, print_json, prompt, pull};
use crate::client::types::{ModelResponse, SortOrder, TrainingMethod};
use crate::client::{Client, from_json};

#[derive(Subcommand)]
#[command(after_help = "A model is named by project/name, by its inference name, or by its id.\n\nExamples:\n  \
    trainyard models create demo/agent --base-model trainyard/seedling\n  \
    trainyard models list --project demo\n  \
    trainyard models get demo/agent\n  \
    trainyard models delete demo/agent\n  \
    trainyard models pull unsloth/Qwen3-0.6B-GGUF:Q4_K_M")]
pub(super) enum Command {
    /// Create a model from a base model and print its inference name.
    Create {
        /// Name of the model: project/name.
        model: String,
        /// Base model; `trainyard models bases` lists the available ones.
        #[arg(long, value_name = "MODEL")]
        base_model: String,
        /// Parameters that training changes: lora or full [default: lora].
        #[arg(long, value_name = "METHOD")]
        training_method: Option<TrainingMethod>,
        /// Rank of the LoRA adapter [default: 8].
        #[arg(long, value_name = "N")]
        rank: Option<u32>,
        /// Alpha of the LoRA adapter: its scale times its rank [default: 16].
        #[arg(long, value_name = "NUMBER", value_parser = super::training_options::number)]
        alpha: Option<f64>,
        #[command(flatten)]
        remote: Remote,
    },
    /// List models, newest first.
    List {
        /// List only models of this project.
        #[arg(long)]
        project: Option<String>,
        #[command(flatten)]
        listed: Listed,
        #[command(flatten)]
        remote: Remote,
    },
    /// Show one model as JSON.
    Get {
        /// Model to show.
        model: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// Delete a model with all its steps, jobs and logs.
    Delete {
        /// Model to delete.
        model: String,
        /// Skip the confirmation prompt.
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        remote: Remote,
    },
    /// Fetch a base model from the hub, without a running service.
    ///
    /// Files are checked against the hub's SHA-256. A download that was interrupted goes on where it ended. `serve` fetches in the
    /// same way what is not there. HF_TOKEN holds the token for gated models.
    #[command(
        after_help = "Of a repository with GGUF files, a file or a quantisation is named; a model in parts by any part.\n\nExamples:\n  \
        trainyard models pull Qwen/Qwen3-0.6B\n  \
        trainyard models pull unsloth/Qwen3-0.6B-GGUF:Q4_K_M\n  \
        trainyard models pull Qwen/Qwen3-0.6B --from https://hub.example.org"
    )]
    Pull(pull::Options),
    /// Show what the files of a base model are and the memory that they need here, without a running service.
    ///
    /// Memory is computed from the shape of the model: to serve conversations, to train an adapter, and to train all weights, in
    /// each format of the weights.
    #[command(after_help = "Examples:\n  \
        trainyard models inspect /models/Qwen3-0.6B\n  \
        trainyard models inspect SmolLM2-135M-Instruct-Q8_0.gguf --context 8192 --streams 16\n  \
        trainyard models inspect Qwen/Qwen3-0.6B --rank 32 --batch 16 --length 2048 --json")]
    Inspect(inspect::Options),
    /// List the base models available for new models.
    Bases {
        /// Print JSON instead of a table.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        remote: Remote,
    },
}

pub(super) async fn run(command: Command) -> Result<(), CommandError> {
    match command {
        Command::Create { model, base_model, training_method, rank, alpha, remote } => {
            let lora = (rank.is_some() || alpha.is_some()).then(|| json!({ "rank": rank, "alpha": alpha }));
            let how = json!({ "base_model": base_model, "training_method": training_method, "lora": lora });
            let made = create(&remote.client()?, &model, how).await?;
            print(&format!("{}\n", made.inference_name()))?;
        }
        Command::List { project, listed, remote } => {
            let mut request = remote.client()?.list_models().limit(listed.limit).order(SortOrder::Desc);
            request.project = project;
            let page = request.await?.into_inner();
            let none =
                "no models yet; make one with: trainyard models create demo/agent --base-model trainyard/seedling";
            listed.show(&page.data, page.has_more, none, as_table)?;
        }
        Command::Get { model, remote } => {
            let model = existing_model(&remote.client()?, &model).await?;
            print_json(&model)?;
            note!("its name in requests is {0}, or {0}:stepN for step N", short_name(&model));
        }
        Command::Delete { model, yes, remote } => delete(&remote.client()?, &model, yes).await?,
        Command::Pull(options) => pull::run(options).await?,
        Command::Inspect(options) => inspect::run(options).await?,
        Command::Bases { json, remote } => {
            let bases = remote.client()?.list_base_models().await?.into_inner().data;
            if json {
                return print_json(&bases);
            }
            let mut table = Table::new(["BASE MODEL", "CONTEXT", "VOCABULARY", "WEIGHTS", "SERVE", "LORA", "FULL"]);
            for base in bases {
                let size = |bytes: Option<u64>| bytes.map_or_else(String::new, |bytes| BinaryBytes(bytes).to_string());
                let memory = base.memory.as_ref();
                let full = memory.and_then(|memory| memory.full.as_ref()).map(|job| job.bytes);
                let numbers = [base.context_length, base.vocabulary_size].map(|number| number.to_string());
                let [context, vocabulary] = numbers;
                table.row([
                    base.id,
                    context,
                    vocabulary,
                    base.weights.map_or_else(|| "not here".to_owned(), |weights| weights.to_string()),
                    size(memory.map(|memory| memory.serving_bytes)),
                    size(memory.map(|memory| memory.lora.bytes)),
                    size(full),
                ]);
            }
            print(&table.to_string())?;
        }
    }
    Ok(())
}

/// Creates a model with this project/name and the other fields of the request, and reports it.
pub(super) async fn create(
    client: &Client,
    named: &str,
    how: serde_json::Value,
) -> Result<ModelResponse, CommandError> {
    let Some(Named { entity, project, name }) = Named::parse(named)? else {
        return Err(format!("{named:?} cannot be the name of a model; write project/name, as in demo/agent").into());
    };
    let mut body = json!({ "entity": entity, "project": project, "name": name });
    if let (Some(body), serde_json::Value::Object(how)) = (body.as_object_mut(), how) {
        body.extend(how);
    }
    let made = client.create_model(&from_json(body)?).await?.into_inner();
    note!("made the model {} on {}", short_name(&made), made.base_model);
    if let Some(memory) = made.job_memory.as_ref().filter(|memory| !memory.fits) {
        let needed = BinaryBytes(memory.bytes);
        note!("a job with 8 sequences of 512 tokens a step needs {needed} of memory, more than it may take there");
    }
    Ok(made)
}

async fn delete(client: &Client, named: &str, yes: bool) -> Result<(), CommandError> {
    let model = existing_model(client, named).await?;
    let name = short_name(&model);
    let target = match model.latest_step {
        Some(step) => format!("{name}, which is at step {step}, with all its steps, jobs and logs"),
        None => format!("{name} with all its steps, jobs and logs"),
    };
    if !yes {
        match prompt::confirm(&format!("Delete {target}?"))? {
            Some(true) => {}
            Some(false) => return Err("nothing was deleted".into()),
            None => return Err(format!("this deletes {target}; confirm with --yes").into()),
        }
    }
    let deleted = client.delete_model(&model.id).await?;
    note!("deleted {name} and {} checkpoints", deleted.deleted_checkpoints);
    Ok(())
}

fn as_table(models: &[ModelResponse]) -> Table {
    let mut table = Table::new(["NAME", "BASE MODEL", "STEP", "CREATED"]);
    for model in models {
        let step = model.latest_step.map_or_else(|| "?".to_owned(), |step| step.to_string());
        table.row([short_name(model), model.base_model.clone(), step, age_if_known(model.created_at)]);
    }
    table
}
