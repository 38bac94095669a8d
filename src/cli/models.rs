//! `trainyard models`: the models of a running service.

use clap::{Args, Subcommand};

use super::{
    Failure, print, print_json,
    remote::{Listed, Remote},
    table::Table,
};
use crate::client::types::{ModelResponse, SortOrder};

#[derive(Args)]
#[command(after_help = "Examples:\n  trainyard models list --project demo\n  trainyard models bases --json")]
pub(super) struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List models, the newest first.
    List {
        /// Only those of this project.
        #[arg(long)]
        project: Option<String>,
        #[command(flatten)]
        listed: Listed,
        #[command(flatten)]
        remote: Remote,
    },
    /// List the base models on top of which models can be made.
    Bases {
        /// Print JSON instead of a table.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        remote: Remote,
    },
}

pub(super) async fn run(options: Options) -> Result<(), Failure> {
    match options.command {
        Command::List { project, listed, remote } => {
            let (limit, newest) = (Some(listed.limit), Some(SortOrder::Desc));
            let page = remote.client()?.list_models(None, limit, newest, project.as_deref()).await?.into_inner();
            listed.show(&page.data, page.has_more, "no models yet", as_table)?;
        }
        Command::Bases { json, remote } => {
            let bases = remote.client()?.list_base_models().await?.into_inner().data;
            if json {
                return print_json(&bases);
            }
            let mut table = Table::new(["BASE MODEL", "CONTEXT", "VOCABULARY", "WEIGHTS"]);
            for base in bases {
                let numbers = [base.context_length, base.vocabulary_size].map(|number| number.to_string());
                let [context, vocabulary] = numbers;
                table.row([base.id, context, vocabulary, base.weights.to_string()]);
            }
            print(&table.to_string())?;
        }
    }
    Ok(())
}

fn as_table(models: &[ModelResponse]) -> Table {
    let mut table = Table::new(["ID", "NAME", "BASE MODEL", "STEP"]);
    for model in models {
        let step = model.latest_step.map_or_else(|| "?".to_owned(), |step| step.to_string());
        table.row([model.id.clone(), model.inference_name(), model.base_model.clone(), step]);
    }
    table
}
