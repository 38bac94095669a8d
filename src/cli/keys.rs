//! `trainyard keys`: API keys; works while a server runs on the same data directory.

use std::str::FromStr;

use clap::{Args, Subcommand};

use super::age::age;
use super::table::Table;
use super::{CommandError, DataDirectory, ListOptions, open_metadata, print, print_report};
use crate::auth::{create_limited_key, limit_key, revoke_key};
use crate::store::records::{KeyLimits, KeyRecord};

#[derive(Subcommand)]
pub(super) enum Command {
    /// Create a key and print it on standard output. It is shown only once.
    #[command(after_help = "Examples:\n  \
        export TRAINYARD_API_KEY=$(trainyard keys create --entity my-team)\n  \
        trainyard keys create --entity my-team --requests-per-minute 600 --tokens-per-month 50000000\n  \
        trainyard keys create --entity operators --admin")]
    Create {
        /// Team or person that the key acts for; the key can access that entity's models only.
        #[arg(long)]
        entity: String,
        /// Name of the key in lists.
        #[arg(long, default_value = "default")]
        name: String,
        /// Allow the operations of operators: keys, workers and jobs of every entity.
        #[arg(long)]
        admin: bool,
        #[command(flatten)]
        limits: LimitOptions,
        #[command(flatten)]
        data: DataDirectory,
    },
    /// Change the limits of a key; the change applies at once. Limits that are not given stay unchanged.
    #[command(after_help = "Examples:\n  \
        trainyard keys limit x7Gk --queued-jobs 10\n  \
        trainyard keys limit x7Gk --tokens-per-month none")]
    Limit {
        /// Last characters of the key, as `keys list` shows them, or its id.
        id: String,
        #[command(flatten)]
        limits: LimitOptions,
        #[command(flatten)]
        data: DataDirectory,
    },
    /// List keys. The keys themselves are not stored and cannot be shown.
    List(ListOptions),
    /// Revoke a key at once.
    Revoke {
        /// Last characters of the key, as `keys list` shows them, or its id.
        id: String,
        #[command(flatten)]
        data: DataDirectory,
    },
}

/// Limits of a key, each a number or `none`.
#[derive(Args)]
pub(super) struct LimitOptions {
    /// Requests per minute at each server process; `none` disables the limit.
    #[arg(long, value_name = "N")]
    requests_per_minute: Option<Limit>,
    /// Chat tokens per minute at each server process, prompts and answers together.
    #[arg(long, value_name = "N")]
    tokens_per_minute: Option<Limit>,
    /// Concurrent chat completions and event streams at each server process.
    #[arg(long, value_name = "N")]
    streams: Option<Limit>,
    /// Queued and running jobs.
    #[arg(long, value_name = "N")]
    queued_jobs: Option<Limit>,
    /// Bytes of uploaded files until they are deleted; copies that jobs keep are not counted.
    #[arg(long, value_name = "BYTES")]
    stored_bytes: Option<Limit>,
    /// Tokens of chat and training per calendar month, UTC.
    #[arg(long, value_name = "N")]
    tokens_per_month: Option<Limit>,
}

/// A limit; `None` disables it.
#[derive(Clone, Copy)]
struct Limit(Option<u64>);

impl FromStr for Limit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "none" => Ok(Self(None)),
            number => number.parse().map(|number| Self(Some(number))).map_err(|_| "use a whole number, or none"),
        }
    }
}

impl LimitOptions {
    /// Returns the limits with the given changes applied.
    fn change(&self, limits: KeyLimits) -> KeyLimits {
        let changed = |named: Option<Limit>, limit| named.map_or(limit, |named| named.0);
        KeyLimits {
            requests_per_minute: changed(self.requests_per_minute, limits.requests_per_minute),
            tokens_per_minute: changed(self.tokens_per_minute, limits.tokens_per_minute),
            streams: changed(self.streams, limits.streams),
            queued_jobs: changed(self.queued_jobs, limits.queued_jobs),
            stored_bytes: changed(self.stored_bytes, limits.stored_bytes),
            tokens_per_month: changed(self.tokens_per_month, limits.tokens_per_month),
        }
    }
}

pub(super) async fn run(command: Command) -> Result<(), CommandError> {
    match command {
        Command::Create { entity, name, admin, limits, data } => {
            let metadata = open_metadata(&data.path()?, data.database.as_ref()).await?;
            let limits = limits.change(KeyLimits::default());
            let (key, record) = create_limited_key(&*metadata, &entity, &name, limits, admin).await?;
            print(&format!("{}\n", key.reveal()))?;
            note!("key {} of {}: keep it safe, it is not shown again", record.id, record.entity);
        }
        Command::Limit { id, limits, data } => {
            let metadata = data.existing().await?;
            let record = limit_key(&*metadata, &id, |before| limits.change(before)).await?;
            note!("key {} of {}: {}", record.id, record.entity, described(&record.limits));
        }
        Command::List(ListOptions { entity, json, data }) => {
            let metadata = data.existing().await?;
            let keys = metadata.list_keys(entity.as_deref()).await?;
            if keys.is_empty() && !json {
                note!("no keys; make one with: trainyard keys create --entity NAME");
                return Ok(());
            }
            print_report(json, &keys.iter().map(as_json).collect::<Vec<_>>(), &as_table(&keys).to_string())?;
        }
        Command::Revoke { id, data } => {
            let metadata = data.existing().await?;
            let record = revoke_key(&*metadata, &id).await?;
            note!("key {} of {} is revoked", record.id, record.entity);
        }
    }
    Ok(())
}

fn as_json(key: &KeyRecord) -> serde_json::Value {
    serde_json::json!({
        "id": key.id.to_string(),
        "entity": key.entity,
        "name": key.name,
        "suffix": key.suffix,
        "admin": key.is_admin,
        "limits": key.limits,
        "created_at": key.created_at,
        "last_used_at": key.last_used_at,
        "revoked_at": key.revoked_at,
    })
}

/// Returns a readable description of a key's limits.
fn described(limits: &KeyLimits) -> String {
    let all = [
        (limits.requests_per_minute, "requests/minute"),
        (limits.tokens_per_minute, "tokens/minute"),
        (limits.streams, "streams"),
        (limits.queued_jobs, "queued jobs"),
        (limits.stored_bytes, "stored bytes"),
        (limits.tokens_per_month, "tokens/month"),
    ];
    let set: Vec<String> = all.into_iter().filter_map(|(limit, unit)| Some(format!("{} {unit}", limit?))).collect();
    if set.is_empty() { "none".to_owned() } else { set.join(", ") }
}

fn as_table(keys: &[KeyRecord]) -> Table {
    let mut table = Table::new(["ENDS IN", "ENTITY", "NAME", "CREATED", "STATE", "LIMITS"]);
    let ago = |millis: i64| age(millis / 1000);
    for key in keys {
        let state = match (key.revoked_at, key.last_used_at) {
            (Some(revoked), _) => format!("revoked {}", ago(revoked)),
            (None, Some(used)) => format!("used {}", ago(used)),
            (None, None) => "never used".to_owned(),
        };
        let (suffix, entity, name) = (key.suffix.clone(), key.entity.clone(), key.name.clone());
        let name = if key.is_admin { format!("{name} (admin)") } else { name };
        table.row([suffix, entity, name, ago(key.created_at), state, described(&key.limits)]);
    }
    table
}
