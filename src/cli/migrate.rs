//! `trainyard migrate`: brings the schema of a database up to date.

use std::fmt::Write;

use clap::Args;
use serde_json::json;

use super::{CommandError, DataDirectory, print_report, stored};
use crate::server::read_schema;
use crate::store::SchemaState;

#[derive(Args)]
pub(super) struct Options {
    /// List the pending migrations and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print JSON instead of lines.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataDirectory,
}

pub(super) async fn run(options: Options) -> Result<(), CommandError> {
    let directory = options.data.path()?;
    let database = options.data.database.as_ref();
    stored::check_exists(&directory, database)?;
    let state = read_schema(&directory, database).await?;
    if !options.dry_run {
        // Checks a schema without pending migrations as well: a newer one than this program's is an error.
        options.data.existing().await?.close().await;
    }
    print_report(options.json, &as_json(&state, options.dry_run), &as_lines(&state, options.dry_run))
}

fn as_json(state: &SchemaState, dry_run: bool) -> serde_json::Value {
    let pending = state.pending.iter().map(|(version, description)| json!({"version": version, "name": description}));
    json!({
        "schema_version": state.version,
        "newest_version": state.newest,
        (if dry_run { "pending" } else { "applied" }): pending.collect::<Vec<_>>(),
    })
}

fn as_lines(state: &SchemaState, dry_run: bool) -> String {
    let newest = state.newest;
    let version = match state.version {
        Some(version) if version > newest => {
            return format!("schema version {version} is newer than {newest}, the newest that this program knows\n");
        }
        Some(version) if state.pending.is_empty() => return format!("schema version {version} is up to date\n"),
        Some(version) => format!("schema version {version}"),
        None => "no schema yet".to_owned(),
    };
    let verb = if dry_run { "pending" } else { "applied" };
    let mut text = format!("{version}; newest {newest}\n");
    for (number, description) in &state.pending {
        let _ = writeln!(text, "{verb}  {number:04} {description}");
    }
    text
}
