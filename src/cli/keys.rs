//! `trainyard keys`: API keys, also while a server runs on the same data directory.

use clap::{Args, Subcommand};

use super::{DataDirectory, Failure, ListOptions, open_metadata, print, print_json, table::Table};
use crate::{
    auth::{create_key, revoke_key},
    store::records::KeyRecord,
};

#[derive(Args)]
pub(super) struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make a key and print it, alone, on standard output. It is shown this once.
    #[command(after_help = "Example:\n  export TRAINYARD_API_KEY=$(trainyard keys create --entity my-team)")]
    Create {
        /// The team or person the key acts for; it sees that entity's models only.
        #[arg(long)]
        entity: String,
        /// A name that tells the key from others in lists.
        #[arg(long, default_value = "default")]
        name: String,
        #[command(flatten)]
        data: DataDirectory,
    },
    /// List keys. The keys themselves are not stored and cannot be shown.
    List(ListOptions),
    /// End a key's validity, at once.
    Revoke {
        /// The key's id, as `keys list` shows it.
        id: String,
        #[command(flatten)]
        data: DataDirectory,
    },
}

pub(super) async fn run(options: Options) -> Result<(), Failure> {
    match options.command {
        Command::Create { entity, name, data } => {
            let metadata = open_metadata(&data.path()?, data.database.as_ref()).await?;
            let (key, record) = create_key(&*metadata, &entity, &name).await?;
            print(&format!("{}\n", key.reveal()))?;
            eprintln!("key {} of {}: keep it safe, it is not shown again", record.id, record.entity);
        }
        Command::List(ListOptions { entity, json, data }) => {
            let metadata = open_metadata(&data.path()?, data.database.as_ref()).await?;
            let keys = metadata.list_keys(entity.as_deref()).await?;
            if json {
                print_json(&keys.iter().map(as_json).collect::<Vec<_>>())?;
            } else if keys.is_empty() {
                eprintln!("no keys; make one with: trainyard keys create --entity NAME");
            } else {
                print(&as_table(&keys).to_string())?;
            }
        }
        Command::Revoke { id, data } => {
            let metadata = open_metadata(&data.path()?, data.database.as_ref()).await?;
            let record = revoke_key(&*metadata, &id).await?;
            eprintln!("key {} of {} is revoked", record.id, record.entity);
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
        "created_at": key.created_at,
        "last_used_at": key.last_used_at,
        "revoked_at": key.revoked_at,
    })
}

fn as_table(keys: &[KeyRecord]) -> Table {
    let mut table = Table::new(["ID", "ENTITY", "NAME", "ENDS IN", "STATE"]);
    for key in keys {
        let state = match (key.revoked_at, key.last_used_at) {
            (Some(_), _) => "revoked",
            (None, Some(_)) => "in use",
            (None, None) => "never used",
        };
        table.row([key.id.to_string(), key.entity.clone(), key.name.clone(), key.suffix.clone(), state.to_owned()]);
    }
    table
}
