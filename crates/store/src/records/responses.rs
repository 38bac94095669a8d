//! Stored responses and chat completions.

use std::time::Duration;

use uuid::Uuid;

use super::spelled::spelled;

spelled! {
    /// What is stored. The objects of a kind are read, listed and deleted as that kind alone.
    pub enum StoredKind {
        /// A response; it can be continued.
        Response = "response",
        /// A chat completion. Its items are the messages that were sent, then the completion.
        ChatCompletion = "chat_completion",
    }
}

impl StoredKind {
    /// Returns the words for it in messages.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Response => "response",
            Self::ChatCompletion => "chat completion",
        }
    }
}

spelled! {
    /// The state of a stored response.
    pub enum ResponseState {
        /// It is sampled in the background.
        InProgress = "in_progress",
        /// It ended by itself.
        Completed = "completed",
        /// It ended at its limit.
        Incomplete = "incomplete",
        /// It ended with an error.
        Failed = "failed",
        /// Its owner cancelled it.
        Cancelled = "cancelled",
    }
}

impl ResponseState {
    /// Returns whether the response can be continued.
    pub fn has_output(self) -> bool {
        matches!(self, Self::Completed | Self::Incomplete)
    }
}

/// An item of a stored response, in its wire form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResponseItem {
    /// Its id; not unique, since a client may send an item several times.
    pub id: String,
    /// Whether it was sampled; otherwise it was sent.
    pub is_output: bool,
    /// The item as JSON.
    pub json: String,
}

/// The values of a response to store.
#[derive(Clone, Debug)]
pub struct NewResponse {
    /// Identity of the response.
    pub id: Uuid,
    /// What it is.
    pub kind: StoredKind,
    /// The owning entity.
    pub entity: String,
    /// The response that it continues.
    pub previous: Option<Uuid>,
    /// See [`ResponseOutcome`]; in progress if it is sampled in the background.
    pub outcome: ResponseOutcome,
    /// Time after which it is deleted.
    pub life: Duration,
    /// Bytes that the entity's responses may have.
    pub room: i64,
    /// Time that its process may take until it renews its lease; set for a response that is sampled in the background.
    pub lease: Option<Duration>,
}

/// The result of sampling a response.
#[derive(Clone, Debug)]
pub struct ResponseOutcome {
    /// Its state.
    pub state: ResponseState,
    /// The response as JSON, without its output.
    pub object: String,
    /// Items to add.
    pub items: Vec<ResponseItem>,
    /// Sizes of its streamed events.
    pub events: Option<String>,
}

impl ResponseOutcome {
    /// Returns the bytes that are stored of it.
    pub fn bytes(&self) -> i64 {
        let items: usize = self.items.iter().map(|item| item.id.len() + item.json.len()).sum();
        let bytes = items + self.object.len() + self.events.as_ref().map_or(0, String::len);
        i64::try_from(bytes).unwrap_or(i64::MAX)
    }
}

/// A stored response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResponseRecord {
    /// Identity of the response.
    pub id: Uuid,
    /// The response that it continues.
    pub previous: Option<Uuid>,
    /// Its state. A response whose process is gone has failed.
    pub state: ResponseState,
    /// Whether its process was gone before it ended.
    pub is_lost: bool,
    /// The response as JSON, without its output.
    pub object: String,
    /// What was sent for it, then what was sampled.
    pub items: Vec<ResponseItem>,
    /// Sizes of its streamed events.
    pub events: Option<String>,
    /// Whether it was sampled in the background.
    pub is_background: bool,
}

/// The items of a conversation that ends with a stored response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredConversation {
    /// The items in their order.
    pub items: Vec<ResponseItem>,
    /// The state of the last response.
    pub state: ResponseState,
    /// A response that the first one continues, and that is deleted.
    pub missing: Option<Uuid>,
}
