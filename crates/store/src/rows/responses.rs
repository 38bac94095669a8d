//! Stored responses.

use uuid::Uuid;

use super::{Columns, parsed};
use crate::metadata::Result;
use crate::records::{ResponseItem, ResponseRecord, ResponseState};

/// A response without its items.
pub(crate) fn response(row: &impl Columns) -> Result<ResponseRecord> {
    Ok(ResponseRecord {
        id: row.id("id")?,
        previous: row.optional_id("previous")?,
        state: parsed(row, "state")?,
        is_lost: row.integer("is_lost")? != 0,
        object: row.text("object")?.to_owned(),
        items: Vec::new(),
        events: row.optional_text("events")?.map(str::to_owned),
        is_background: row.integer("is_background")? != 0,
    })
}

/// A response of a conversation.
pub(crate) struct ChainedResponse {
    pub(crate) previous: Option<Uuid>,
    pub(crate) state: ResponseState,
}

pub(crate) fn chained_response(row: &impl Columns) -> Result<ChainedResponse> {
    Ok(ChainedResponse { previous: row.optional_id("previous")?, state: parsed(row, "state")? })
}

pub(crate) fn response_item(row: &impl Columns) -> Result<ResponseItem> {
    Ok(ResponseItem {
        id: row.text("item_id")?.to_owned(),
        is_output: row.integer("is_output")? != 0,
        json: row.text("item")?.to_owned(),
    })
}
