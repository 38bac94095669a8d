//! How commands reach a running service.

use clap::Args;

use super::Failure;
use crate::client::{Client, ClientBuilder};

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

/// A listing's common options.
#[derive(Args, Clone, Debug)]
pub(super) struct Listed {
    /// Items at most, newest first.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(super) limit: u32,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(super) json: bool,
}
