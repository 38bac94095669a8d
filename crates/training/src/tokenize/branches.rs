//! Arranges the conversations of a rollout in branches: a request either continues a branch or begins one.
//!
//! A request of chat completions continues the longest branch with the same tools and template options whose messages
//! are a prefix of its own and whose tokens are a prefix of its prompt. Requests of other protocols have no comparable
//! messages; their tokens decide.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::captured::Generation;
use crate::trajectory::Item;
use trainyard_text::{JsonStyle, dumps};

/// Hash of the tools, the template options and the messages of a conversation.
pub(super) type ConversationHash = [u8; 32];

/// A sequence of requests that continue each other.
#[derive(Debug)]
struct Branch {
    /// Hash of the conversation with the last completion; `None` if messages are not compared.
    conversation: Option<ConversationHash>,
    /// Prompt and completion of the last request.
    tokens: Vec<u32>,
    /// Request and choice that began the branch, then the choice of each branch on the path.
    order: Vec<usize>,
    /// Whether a later request may continue the branch.
    continuable: bool,
}

/// Properties of a request that decide which branch it continues.
#[derive(Debug)]
pub(super) struct Request {
    /// Sequence number of the request in its rollout.
    pub sequence: usize,
    /// Hashes of the conversation up to each message, first that of the tools and template options alone; empty if
    /// messages are not compared.
    pub prefixes: Vec<ConversationHash>,
}

/// A completion to a request.
#[derive(Debug)]
pub(super) struct Completion<'a> {
    pub choice: usize,
    pub generation: &'a Generation,
    /// Message of the choice, if messages are compared.
    pub message: Option<&'a Item>,
    /// Whether a request may continue the completion. Tool calls truncated by a token limit are not continued.
    pub continuable: bool,
}

/// All branches of a rollout.
#[derive(Debug, Default)]
pub(super) struct Branches {
    branches: Vec<Option<Branch>>,
    /// Indices of open branches by their conversation's hash, or by `None`.
    open: HashMap<Option<ConversationHash>, Vec<usize>>,
}

impl Branches {
    /// Adds a request with its completions, in the order of their choices.
    pub(super) fn add(&mut self, request: &Request, completions: &[Completion<'_>]) {
        let Some(first) = completions.first() else { return };
        let parent = self.continued(request, &first.generation.prompt).and_then(|index| {
            let parent = self.branches[index].take()?;
            let siblings = self.open.entry(parent.conversation).or_default();
            siblings.retain(|open| *open != index);
            Some(parent)
        });
        let order = parent.map_or_else(|| vec![request.sequence], |parent| parent.order);
        for completion in completions {
            let prefix = request.prefixes.last();
            let conversation = prefix.zip(completion.message).map(|(prefix, message)| extended(prefix, message));
            let mut order = order.clone();
            order.push(completion.choice);
            let Generation { prompt, ids, .. } = completion.generation;
            let tokens = [prompt.as_slice(), ids].concat();
            self.open.entry(conversation).or_default().push(self.branches.len());
            let continuable = completion.continuable;
            self.branches.push(Some(Branch { conversation, tokens, order, continuable }));
        }
    }

    /// Returns the tokens of every branch, in the order of their first requests.
    pub(super) fn into_tokens(self) -> Vec<Vec<u32>> {
        let mut branches: Vec<Branch> = self.branches.into_iter().flatten().collect();
        branches.sort_by(|left, right| left.order.cmp(&right.order));
        branches.into_iter().map(|branch| branch.tokens).collect()
    }

    /// Returns the branch that a request continues.
    fn continued(&self, request: &Request, prompt: &[u32]) -> Option<usize> {
        let longest = |conversation: Option<ConversationHash>| {
            let open = self.open.get(&conversation)?.iter().filter_map(|index| {
                let branch = self.branches[*index].as_ref()?;
                (branch.continuable && prompt.starts_with(&branch.tokens)).then_some((*index, branch))
            });
            let best = open.min_by_key(|(_, branch)| (Reverse(branch.tokens.len()), branch.order.clone()));
            best.map(|(index, _)| index)
        };
        match request.prefixes.as_slice() {
            [] => longest(None),
            prefixes => prefixes.iter().rev().find_map(|prefix| longest(Some(*prefix))),
        }
    }
}

/// Returns the hashes of a chat request's conversation for [`Request::prefixes`].
pub(super) fn conversation_prefixes(request: &Item) -> Vec<ConversationHash> {
    let mut context = Sha256::new();
    for field in ["tools", "chat_template", "chat_template_kwargs"] {
        let text = canonical(request.get(field).unwrap_or(&Value::Null));
        context.update(text.len().to_le_bytes());
        context.update(text);
    }
    let mut prefixes = vec![context.finalize().into()];
    for message in request.get("messages").and_then(Value::as_array).into_iter().flatten() {
        let before = prefixes[prefixes.len() - 1];
        prefixes.push(match message.as_object() {
            Some(message) => extended(&before, message),
            None => extended(&before, &Item::new()),
        });
    }
    prefixes
}

/// Returns the hash of a conversation with one more message, independent of the client's spelling of the message.
fn extended(conversation: &ConversationHash, message: &Item) -> ConversationHash {
    let mut fields: Item =
        message.iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.clone(), value.clone())).collect();
    fields.shift_remove("annotations");
    if let Some(reasoning) = fields.shift_remove("reasoning_content") {
        fields.entry("reasoning").or_insert(reasoning);
    }
    if fields.get("tool_calls").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        fields.shift_remove("tool_calls");
    }
    if fields.get("role").and_then(Value::as_str) == Some("assistant") {
        fields.entry("content").or_insert_with(|| "".into());
    }
    let text = canonical(&Value::Object(fields));
    Sha256::new().chain_update(conversation).chain_update(text).finalize().into()
}

fn canonical(value: &Value) -> String {
    dumps(value, &JsonStyle { sort_keys: true, ..JsonStyle::default() })
}
