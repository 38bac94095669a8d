//! Compaction: the model writes a summary of a conversation, which takes its place in later requests.

use serde_json::json;
use uuid::Uuid;

use super::assembler::ResponseAssembler;
use super::memory::{Recalled, new_id, said, sent, wire_id};
use super::stored::stored_item;
use super::tools::ToolNames;
use super::{asked, failure, read};
use crate::api::Api;
use crate::api::chat::read::invalid;
use crate::api::chat::{Opening, Served, now};
use crate::auth::Caller;
use crate::chat::{ChatError, ChatRequest, ResponseFormat, ToolChoice};
use crate::generated::server::chat::{CompactResponseInput, CompactResponseOutput};
use crate::generated::types::{
    CompactedResponse, CompactedResponseObject, ResponseInput, ResponseInputItem, ResponseInputItemType as ItemType,
    ResponseOutputItem, ResponseRequest, ResponseRole,
};
use crate::http::{ApiError, reserve_response, take_body_memory};
use crate::metrics::ChatGuard;
use crate::store::records::ResponseItem;

/// What the content of a compaction begins with; the rest is the summary.
const MARK: &str = "trainyard:summary:";
/// What the model is told behind the conversation.
const INSTRUCTION: &str = "Write a summary of this conversation. It replaces the conversation, so it must contain what is needed to \
    go on: the task and its constraints, decisions and their reasons, results of tools, names, numbers and files as they were \
    written, what is done, and what comes next. Write the summary alone.";
/// What the model reads before a summary.
const INTRODUCTION: &str = "Summary of the conversation so far:";
/// Maximum length of a summary in tokens.
const MAX_TOKENS: u64 = 4096;

/// Returns the text of a compaction that stands at a path of the request, for the model.
///
/// # Errors
/// Returns [`ChatError::Invalid`] for the compaction of another server.
pub(super) fn context(content: &str, at: &str) -> Result<String, ChatError> {
    let Some(summary) = content.strip_prefix(MARK) else {
        let param = format!("{at}.encrypted_content");
        let message = format!(
            "{param} is not a compaction of this service, whose content begins with `{MARK}`; send the conversation itself"
        );
        return Err(invalid(param, message));
    };
    Ok(format!("{INTRODUCTION}\n\n{summary}"))
}

/// Returns the request for a summary of the conversation of another request.
fn summarising(mut request: ChatRequest) -> ChatRequest {
    request.messages.push(json!({"role": "user", "content": INSTRUCTION}));
    ChatRequest {
        tool_choice: if request.tools.is_empty() { ToolChoice::Auto } else { ToolChoice::None },
        response_format: ResponseFormat::Text,
        max_tokens: request.max_tokens.or(Some(MAX_TOKENS)),
        ..request
    }
}

/// Returns the messages of the user in a conversation.
fn user_messages<'a>(body: &'a ResponseRequest, recalled: &'a Recalled) -> Result<Vec<ResponseItem>, ApiError> {
    let is_users = |item: &&ResponseInputItem| {
        item.type_.unwrap_or(ItemType::Message) == ItemType::Message && item.role == Some(ResponseRole::User)
    };
    let referred = |item: &'a ResponseInputItem| {
        let id = item.id.as_ref().filter(|_| item.type_ == Some(ItemType::ItemReference));
        id.and_then(|id| recalled.references.get(id)).unwrap_or(item)
    };
    let input = match &body.input {
        Some(ResponseInput::Array(items)) => items.as_slice(),
        _ => &[],
    };
    let items = recalled.context.iter().chain(input).map(referred).filter(is_users);
    let mut messages = items.map(sent).collect::<Result<Vec<_>, _>>()?;
    if let Some(ResponseInput::String(text)) = &body.input {
        messages.push(said(text));
    }
    Ok(messages)
}

impl Api {
    /// Handles `POST /v1/responses/compact`.
    pub(in super::super) async fn compact(
        &self,
        caller: Caller,
        input: CompactResponseInput,
    ) -> Result<CompactResponseOutput, ApiError> {
        let guard = ChatGuard::new(&self.metrics);
        let body = input.body;
        let ignored = read::ignored(&body)?;
        for (field, is_set) in [("stream", body.stream), ("background", body.background)] {
            if is_set == Some(true) {
                return Err(ApiError::invalid(field, format!("{field} is not possible in a compaction; leave it out")));
            }
        }
        let (target, ignored) = self.target(&caller, &body.model, ignored).await?;
        let recalled = self.recall(&caller.entity, &body).await?;
        let messages = user_messages(&body, &recalled)?;
        let id = Uuid::now_v7();
        let response = asked(&body, id, target.base.served.generation_defaults());
        let projects = [input.vendor_project, input.open_ai_project];
        let most = (body.max_output_tokens.unwrap_or(MAX_TOKENS), 1);
        let opening = Opening { caller, target, projects, ignored, guard, most };
        let memory = take_body_memory();
        let start = |Served { model, adapter, owner }: Served| async move {
            let read = move || read::request(&body, &recalled, &owner).map(summarising);
            model.chat_from(adapter, memory, read).await.map_err(failure)
        };
        let mut metered = self.open(opening, start).await?;
        let assembler = ResponseAssembler::new(response, metered.stream.prompt().clone(), ToolNames::default(), false);
        let response = self.assembled(&mut metered, assembler).await?;
        let text = |item: &ResponseOutputItem| match item {
            ResponseOutputItem::ResponseMessage(message) => message.content.iter().map(|part| &*part.text).collect(),
            _ => String::new(),
        };
        let summary: String = response.output.iter().map(text).collect();
        let Some(usage) = response.usage.filter(|_| !summary.trim().is_empty()) else {
            return Err(ApiError::invalid("model", "the model has written no summary; send the request again"));
        };
        let (type_, content) = ("compaction", format!("{MARK}{}", summary.trim()));
        let id_of_item = new_id(type_);
        let json = json!({"id": id_of_item, "type": type_, "encrypted_content": content}).to_string();
        let compaction = ResponseItem { id: id_of_item, is_output: true, json };
        reserve_response(messages.iter().map(|item| item.json.len()).sum())?;
        let output = messages.iter().chain([&compaction]).map(stored_item).collect::<Result<_, _>>()?;
        let object = CompactedResponseObject::ResponseCompaction;
        Ok(CompactedResponse { id: wire_id(id), object, created_at: now(), output, usage }.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compaction_of_this_service_alone_is_read() {
        assert_eq!(context("trainyard:summary:Rome.", "input[0]").unwrap(), format!("{INTRODUCTION}\n\nRome."));
        let failure = context("gAAAAABo", "input[0]").unwrap_err();
        assert!(
            matches!(&failure, ChatError::Invalid { param, message } if param == "input[0].encrypted_content"
                && message.contains("this service")),
            "{failure:?}"
        );
    }

    #[test]
    fn the_summary_is_asked_for_behind_the_conversation() {
        let tools = vec![json!({"type": "function", "function": {"name": "f"}})];
        let conversation = ChatRequest {
            tools,
            tool_choice: ToolChoice::Required,
            ..ChatRequest::new(vec![json!({"role": "user", "content": "a"})])
        };
        let request = summarising(conversation.clone());
        assert_eq!(request.messages[..1], conversation.messages);
        assert_eq!(request.messages[1], json!({"role": "user", "content": INSTRUCTION}));
        assert_eq!((request.tool_choice, request.max_tokens), (ToolChoice::None, Some(MAX_TOKENS)));
        let short = ChatRequest { max_tokens: Some(7), ..conversation };
        assert_eq!(summarising(short).max_tokens, Some(7));
    }
}
