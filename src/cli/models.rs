//! `trainyard models`: models of a running service.

use clap::Subcommand;
use serde_json::json;

use super::age::age_if_known;
use super::remote::{Listed, Named, Remote, existing_model, short_name};
use super::table::Table;
use super::{CommandError, print, print_json, prompt};
use crate::client::types::{ModelResponse, SortOrder, TrainingMethod};
use crate::client::{Client, from_json};

#[derive(Subcommand)]
#[command(after_help = "A model is named by project/name, by its inference name, or by its id.\n\nExamples:\n  \
    trainyard models create demo/agent --base-model trainyard/seedling\n  \
    trainyard models list --project demo\n  \
    trainyard models get demo/agent\n  \
    trainyard models delete demo/agent")]
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
        Command::Get { model, remote } => print_json(&existing_model(&remote.client()?, &model).await?)?,
        Command::Delete { model, yes, remote } => delete(&remote.client()?, &model, yes).await?,
        Command::Bases { json, remote } => {
            let bases = remote.client()?.list_base_models().await?.into_inner().data;
            if json {
                return print_json(&bases);
            }
            let mut table = Table::new(["BASE MODEL", "CONTEXT", "VOCABULARY", "WEIGHTS"]);
            for base in bases {
                let numbers = [base.context_length, base.vocabulary_size].map(|number| number.to_string());
                let [context, vocabulary] = numbers;
                table.row([
                    base.id,
                    context,
                    vocabulary,
                    base.weights.map_or_else(|| "not here".to_owned(), |weights| weights.to_string()),
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
