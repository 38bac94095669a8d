//! Access to a running service: address, API key, and search for models.

use clap::Args;
use serde::Serialize;

use super::credentials::Login;
use super::table::Table;
use super::{CommandError, print, print_json};
use crate::client::types::ModelResponse;
use crate::client::{API_KEY_VARIABLE, BASE_URL_VARIABLE, Client};

/// Address of a service, and the API key.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Service")]
pub(super) struct Remote {
    /// Address of the service [default: that of `trainyard login`, or http://127.0.0.1:8000].
    #[arg(long, env = BASE_URL_VARIABLE, value_name = "URL")]
    base_url: Option<String>,
    /// API key [default: that of `trainyard login`].
    #[arg(long, env = API_KEY_VARIABLE, value_name = "KEY", hide_env_values = true)]
    api_key: Option<String>,
}

impl Remote {
    /// Creates a client from the options, else the environment, else the file of `trainyard login`.
    pub(super) fn client(&self) -> Result<Client, CommandError> {
        let given =
            |value: &Option<String>| value.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let (base_url, api_key) = (given(&self.base_url), given(&self.api_key));
        let login = if base_url.is_some() && api_key.is_some() { None } else { Login::read()? };
        client(base_url, api_key, login)
    }
}

fn client(base_url: Option<String>, api_key: Option<String>, login: Option<Login>) -> Result<Client, CommandError> {
    let is_address_given = base_url.is_some();
    let kept_key = api_key.is_none();
    let address = base_url.or_else(|| login.as_ref().map(|login| login.base_url.clone()));
    let Some(key) = api_key.or_else(|| login.as_ref().map(|login| login.api_key.clone())) else {
        return Err(format!(
            "there is no API key: set {API_KEY_VARIABLE}, or keep one with `trainyard login`; `trainyard keys create \
             --entity NAME` makes one on the machine of the server"
        )
        .into());
    };
    let mut builder = Client::builder().api_key(key);
    if let Some(address) = address {
        builder = builder.base_url(address);
    }
    let client = builder.build()?;
    match login {
        // A stored key is sent only to the service that it was stored for.
        Some(login) if kept_key && is_address_given && client.base_url() != login.base_url => Err(format!(
            "you are logged in to {0}, not to {1}: set {API_KEY_VARIABLE}, or `trainyard login --base-url {1}`",
            login.base_url,
            client.base_url()
        )
        .into()),
        _ => Ok(client),
    }
}

/// A model's name, split into its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named<'a> {
    pub(super) entity: Option<&'a str>,
    pub(super) project: &'a str,
    pub(super) name: &'a str,
}

impl<'a> Named<'a> {
    /// Parses project/name or an inference name without a step; `None` for anything else, such as an id.
    pub(super) fn parse(text: &'a str) -> Result<Option<Self>, CommandError> {
        let path = text.strip_prefix("wandb-artifact:///").unwrap_or(text);
        let parts: Vec<&str> = path.split('/').collect();
        let (entity, project, name) = match parts[..] {
            [entity, project, name] => (Some(entity), project, name),
            [project, name] => (None, project, name),
            _ => return Ok(None),
        };
        if let Some((name, step)) = name.split_once(':') {
            return Err(format!("{text:?} names {step} of {name:?}; name the model alone").into());
        }
        Ok(Some(Self { entity, project, name }))
    }
}

impl Named<'_> {
    /// Returns whether a model has this name.
    pub(super) fn is(&self, entity: &str, project: &str, name: &str) -> bool {
        self.entity.is_none_or(|given| given == entity) && (self.project, self.name) == (project, name)
    }
}

/// Finds a model by its id, project/name, or inference name.
pub(super) async fn find_model(client: &Client, named: &str) -> Result<Option<ModelResponse>, CommandError> {
    let Some(wanted) = Named::parse(named)? else {
        if named.parse::<uuid::Uuid>().is_err() {
            return Err(format!("{named:?} names no model; write project/name, as in demo/agent, or its id").into());
        }
        return match client.get_model(named).await {
            Ok(model) => Ok(Some(model.into_inner())),
            Err(error) if error.status() == Some(404) => Ok(None),
            Err(error) => Err(error.into()),
        };
    };
    let mut models = client.list_models().project(wanted.project).limit(100).into_stream();
    while let Some(model) = models.try_next().await? {
        if wanted.is(&model.entity, &model.project, &model.name) {
            return Ok(Some(model));
        }
    }
    Ok(None)
}

/// Finds a model like [`find_model`], and fails if there is none.
pub(super) async fn existing_model(client: &Client, named: &str) -> Result<ModelResponse, CommandError> {
    let found = find_model(client, named).await?;
    found.ok_or_else(|| {
        format!("there is no model {named:?}; `trainyard models list` shows yours, `trainyard models create` makes one")
            .into()
    })
}

/// Returns the id of a model; finds it like [`existing_model`].
pub(super) async fn model_id(client: &Client, named: &str) -> Result<String, CommandError> {
    Ok(existing_model(client, named).await?.id)
}

/// Returns the short name of a model, project/name, which is unique within its entity.
pub(super) fn short_name(model: &ModelResponse) -> String {
    format!("{}/{}", model.project, model.name)
}

/// Common options of commands that list items.
#[derive(Args, Clone, Debug)]
pub(super) struct Listed {
    /// Maximum number of items, newest first.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(super) limit: u32,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(super) json: bool,
}

impl Listed {
    /// Prints a page as a table, or the text `none` if it is empty.
    pub(super) fn show<T: Serialize>(
        &self,
        items: &[T],
        has_more: bool,
        none: &str,
        as_table: impl FnOnce(&[T]) -> Table,
    ) -> Result<(), CommandError> {
        if self.json {
            return print_json(items);
        }
        match items {
            [] => note!("{none}"),
            items => print(&as_table(items).to_string())?,
        }
        if has_more {
            note!("there are more; see --limit");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn login() -> Option<Login> {
        Some(Login { base_url: "https://kept.example.org".to_owned(), api_key: "kept".to_owned() })
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn arguments_take_precedence_over_saved_settings() {
        let address = |base_url, api_key, login| client(base_url, api_key, login).map(|c| c.base_url().to_owned());
        assert_eq!(address(None, some("k"), None).expect("a client"), "http://127.0.0.1:8000");
        assert_eq!(address(None, None, login()).expect("a client"), "https://kept.example.org");
        assert_eq!(address(None, some("k"), login()).expect("a client"), "https://kept.example.org");
        assert_eq!(address(some("http://a"), some("k"), login()).expect("a client"), "http://a");
        let error = address(None, None, None).expect_err("no key").to_string();
        assert!(error.contains("TRAINYARD_API_KEY") && error.contains("trainyard login"), "{error}");
    }

    #[test]
    fn a_kept_key_goes_to_its_own_service_only() {
        assert!(client(some("https://kept.example.org/v1/"), None, login()).is_ok(), "it is the same");
        let error = client(some("https://other.example.org"), None, login()).expect_err("refused").to_string();
        assert!(error.contains("logged in to https://kept.example.org, not to https://other.example.org"), "{error}");
    }

    #[test]
    fn names_have_two_parts_or_three() {
        let named = |entity, project, name| Some(Named { entity, project, name });
        assert_eq!(Named::parse("demo/agent").expect("fine"), named(None, "demo", "agent"));
        assert_eq!(Named::parse("wandb-artifact:///a/b/c").expect("fine"), named(Some("a"), "b", "c"));
        assert_eq!(Named::parse("agent").expect("fine"), None);
        assert!(Named::parse("demo/agent:step3").is_err());
    }
}
