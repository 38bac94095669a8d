//! `trainyard login` and `trainyard logout`.

use clap::Args;

use super::credentials::Login;
use super::{CommandError, INTERRUPTED, prompt};
use crate::client::{API_KEY_VARIABLE, Client};

#[derive(Args)]
#[command(
    after_help = "Prompts for the key without echo, or reads it from standard input. Checks the key before storing it. \
    Options and environment variables take precedence over the stored key. The file is readable by you only: \
    trainyard/login.toml in your configuration directory (XDG_CONFIG_HOME).\n\nExamples:\n  \
    trainyard login\n  \
    trainyard login --base-url https://training.example.org\n  \
    trainyard keys create --entity my-team | trainyard login"
)]
pub(super) struct LoginOptions {
    /// Address of the service.
    #[arg(long, env = "TRAINYARD_BASE_URL", value_name = "URL", default_value = "http://127.0.0.1:8000")]
    base_url: String,
}

pub(super) async fn log_in(options: LoginOptions) -> Result<(), CommandError> {
    let Some(api_key) = prompt::secret(&format!("API key for {}", options.base_url)).await? else {
        // Exits at once, because the thread that reads from the terminal cannot be stopped.
        std::process::exit(INTERRUPTED.into());
    };
    if api_key.is_empty() {
        return Err("no key was given; nothing is stored; create one with `trainyard keys create --entity NAME`".into());
    }
    let client = Client::builder().base_url(options.base_url).api_key(&api_key).build()?;
    client.list_models().limit(1).await?;
    let base_url = client.base_url().to_owned();
    let path = Login { base_url, api_key }.keep()?;
    note!("logged in to {}; the key is in {}, which only you can read", client.base_url(), path.display());
    if std::env::var_os(API_KEY_VARIABLE).is_some_and(|key| !key.is_empty()) {
        note!("{API_KEY_VARIABLE} is set and takes precedence");
    }
    Ok(())
}

pub(super) fn log_out() -> Result<(), CommandError> {
    match Login::forget()? {
        Some(path) => {
            note!("removed {}; the key itself is valid until `trainyard keys revoke` ends it", path.display())
        }
        None => note!("nobody is logged in"),
    }
    Ok(())
}
