//! Recorded sessions and their generations.

use super::{Columns, optional_json, read_json};
use crate::metadata::Result;
use crate::records::{GenerationRecord, RecordedGeneration, SessionLabels, SessionRecord};

pub(crate) fn session(row: &impl Columns) -> Result<SessionRecord> {
    Ok(SessionRecord {
        id: row.id("id")?,
        entity: row.text("entity")?.to_owned(),
        key_id: row.id("key_id")?,
        labels: SessionLabels {
            model: row.text("model")?.to_owned(),
            name: row.optional_text("name")?.map(str::to_owned),
            group: row.optional_text("group_name")?.map(str::to_owned),
            tags: read_json("tags", row.text("tags")?)?,
            metadata: read_json("metadata", row.text("metadata")?)?,
        },
        reward: optional_json(row, "reward")?,
        generations: row.integer("generations")?,
        bytes: row.integer("bytes")?,
        created_at: row.integer("created_at")?,
        expires_at: row.integer("expires_at")?,
    })
}

pub(crate) fn generation(row: &impl Columns) -> Result<GenerationRecord> {
    Ok(GenerationRecord {
        id: row.id("id")?,
        number: row.integer("number")?,
        operation: row.text("operation")?.to_owned(),
        model: row.text("model")?.to_owned(),
        step: row.optional_integer("step")?,
        is_whole: row.integer("is_whole")? != 0,
        prompt_tokens: row.integer("prompt_tokens")?,
        completion_tokens: row.integer("completion_tokens")?,
        request: row.text("request")?.to_owned(),
        choices: row.text("choices")?.to_owned(),
        reward: optional_json(row, "reward")?,
        started_at: row.integer("started_at")?,
        ended_at: row.integer("ended_at")?,
    })
}

pub(crate) fn recorded_generation(row: &impl Columns) -> Result<RecordedGeneration> {
    Ok(RecordedGeneration { generation: generation(row)?, tokens: row.text("tokens")?.to_owned() })
}
