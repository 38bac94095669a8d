//! How commands reach a running service.

use clap::Args;
use serde::Serialize;

use super::{Failure, print, print_json, table::Table};
use crate::client::{Client, ClientBuilder, types::ModelResponse};

/// Which service is asked, and as whom.
#[derive(Args, Clone, Debug)]
pub(super) struct Remote {
    /// Address of the service.
    #[arg(long, env = "TRAINYARD_BASE_URL", value_name = "URL", default_value = "http://127.0.0.1:8000")]
    base_url: String,
    /// API key; `trainyard keys create` makes one.
    #[arg(long, env = "TRAINYARD_API_KEY", value_name = "KEY", hide_env_values = true)]
    api_key: String,
}

impl Remote {
    /// A client of the service.
    pub(super) fn client(&self) -> Result<Client, Failure> {
        Ok(ClientBuilder::default().base_url(&self.base_url).api_key(&self.api_key).build()?)
    }
}

/// The id of a model that is named by it, by project/name, or by its inference name.
pub(super) async fn model_id(client: &Client, named: &str) -> Result<String, Failure> {
    let name = named.strip_prefix("wandb-artifact:///").unwrap_or(named);
    let parts: Vec<&str> = name.split('/').collect();
    let (entity, project, name) = match parts[..] {
        [entity, project, name] => (Some(entity), project, name),
        [project, name] => (None, project, name),
        _ => return Ok(named.to_owned()),
    };
    if let Some((name, step)) = name.split_once(':') {
        return Err(format!("{named:?} names {step} of {name:?}; name the model alone").into());
    }
    let mut after: Option<String> = None;
    loop {
        let page = client.list_models(after.as_deref(), Some(100), None, Some(project)).await?.into_inner();
        let mut models = page.data.iter();
        let is_meant =
            |model: &&ModelResponse| model.name == name && entity.is_none_or(|entity| model.entity == entity);
        if let Some(model) = models.find(is_meant) {
            return Ok(model.id.clone());
        }
        if !page.has_more {
            return Err(
                format!("there is no model {named:?}; `trainyard models list` shows those that there are").into()
            );
        }
        after = Some(page.last_id);
    }
}

/// A listing's common options.
#[derive(Args, Clone, Debug)]
pub(super) struct Listed {
    /// Items at most, newest first.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(super) limit: u32,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

impl Listed {
    /// Prints a page: a table, or these words where it is empty.
    pub(super) fn show<T: Serialize>(
        &self,
        items: &[T],
        has_more: bool,
        none: &str,
        as_table: fn(&[T]) -> Table,
    ) -> Result<(), Failure> {
        if self.json {
            return print_json(items);
        }
        match items {
            [] => eprintln!("{none}"),
            items => print(&as_table(items).to_string())?,
        }
        if has_more {
            eprintln!("there are more; see --limit");
        }
        Ok(())
    }
}
