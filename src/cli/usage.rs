//! `trainyard usage`: token usage by key, project and model.

use super::table::Table;
use super::{CommandError, ListOptions, print_report};
use crate::store::records::UsageRecord;

pub(super) async fn run(options: ListOptions) -> Result<(), CommandError> {
    let metadata = options.data.existing().await?;
    let usage = metadata.list_usage(options.entity.as_deref()).await?;
    if usage.is_empty() && !options.json {
        note!("nothing has been used yet");
        return Ok(());
    }
    print_report(options.json, &usage.iter().map(as_json).collect::<Vec<_>>(), &as_table(&usage).to_string())
}

fn as_json(record: &UsageRecord) -> serde_json::Value {
    serde_json::json!({
        "key_id": record.usage.key_id.to_string(),
        "key_name": record.key_name,
        "key_suffix": record.key_suffix,
        "entity": record.usage.entity,
        "project": record.usage.project,
        "model": record.usage.model,
        "requests": record.count.requests,
        "prompt_tokens": record.count.prompt_tokens,
        "completion_tokens": record.count.completion_tokens,
        "trained_tokens": record.count.trained_tokens,
    })
}

fn as_table(usage: &[UsageRecord]) -> Table {
    let mut table = Table::new([
        "ENTITY",
        "KEY",
        "PROJECT",
        "MODEL",
        "REQUESTS",
        "PROMPT TOKENS",
        "COMPLETION TOKENS",
        "TRAINED TOKENS",
    ]);
    for record in usage {
        let key = match record.key_name.as_str() {
            "" => format!("…{}", record.key_suffix),
            name => format!("{name} …{}", record.key_suffix),
        };
        table.row([
            record.usage.entity.clone(),
            key,
            record.usage.project.clone(),
            record.usage.model.clone(),
            record.count.requests.to_string(),
            record.count.prompt_tokens.to_string(),
            record.count.completion_tokens.to_string(),
            record.count.trained_tokens.to_string(),
        ]);
    }
    table
}
