//! Converts a Responses request of the OpenAPI document to a request of the chat domain.
//!
//! The conversation is converted to the messages that a chat client would send for it, so that both APIs sample from
//! the same prompt.

use serde_json::Value;

use super::super::super::ignored::Ignored;
use super::super::conversation::{Conversation, there};
use super::super::options::{Checker, responses as options};
use super::super::read::{invalid, schema, strict_schema, unreadable};
use super::compact;
use super::memory::Recalled;
use super::tools::{self, Offer};
use crate::chat::{ChatError, ChatRequest, ResponseFormat, SamplingRequest};
use crate::generated::types::{
    ResponseChosenTool, ResponseContent, ResponseContentPart, ResponseInput, ResponseInputItem,
    ResponseInputItemType as ItemType, ResponseNamespaceTool, ResponseReasoning, ResponseRequest, ResponseRole,
    ResponseTextFormat, ResponseTool, ResponseToolChoice,
};
use crate::http::ApiError;
use crate::json::ReadObject;

/// Returns the fields of a body that have no effect.
///
/// # Errors
/// Returns 422 for an option that is rejected, or an unknown field whose name is similar to a known one.
pub(super) fn ignored(body: &ResponseRequest) -> Result<Ignored, ApiError> {
    let mut ignored = Ignored::default();
    Checker::new(ResponseRequest::NAMES, options::REQUEST).check(&body.extra, "", &mut ignored)?;
    if let Some(reasoning) = &body.reasoning {
        let checker = Checker::new(ResponseReasoning::NAMES, options::REASONING);
        checker.check(&reasoning.extra, "reasoning.", &mut ignored)?;
    }
    let (tool_checker, inner_checker) =
        (Checker::new(ResponseTool::NAMES, options::TOOL), Checker::new(ResponseNamespaceTool::NAMES, options::TOOL));
    for (index, tool) in body.tools.iter().flatten().enumerate() {
        tool_checker.check(&tool.extra, &format!("tools[{index}]."), &mut ignored)?;
        for (inner_index, inner) in tool.tools.iter().flatten().enumerate() {
            inner_checker.check(&inner.extra, &format!("tools[{index}].tools[{inner_index}]."), &mut ignored)?;
        }
    }
    if let Some(ResponseToolChoice::ResponseChosenTool(chosen)) = &body.tool_choice {
        let checker = Checker::new(ResponseChosenTool::NAMES, options::TOOL_CHOICE);
        checker.check(&chosen.extra, "tool_choice.", &mut ignored)?;
    }
    Ok(ignored)
}

/// Converts a body to a request for the owner of the key. Ignores `model` and the fields that affect only the
/// format of the response. `recalled` has the stored items that the body refers to.
///
/// # Errors
/// Returns [`ChatError::Invalid`] or [`ChatError::Unsupported`] with the field's path.
pub(super) fn request(body: &ResponseRequest, recalled: &Recalled, owner: &str) -> Result<ChatRequest, ChatError> {
    let mut ignored = Vec::new();
    let Offer { functions, choice } =
        tools::offer(body.tools.as_deref().unwrap_or_default(), body.tool_choice.as_ref(), &mut ignored)?;
    let (response_format, format_field) = format(body)?;
    let messages = messages(body, recalled, &mut ignored)?;
    Ok(ChatRequest {
        owner: owner.into(),
        tool_choice: choice,
        tools: functions,
        parallel_tool_calls: body.parallel_tool_calls != Some(false),
        response_format,
        format_field,
        max_tokens: body.max_output_tokens,
        stream: body.stream == Some(true),
        seed: body.seed.map(i64::cast_unsigned),
        sampling: SamplingRequest {
            temperature: body.temperature.map(|value| value as f32),
            top_p: body.top_p.map(|value| value as f32),
            top_logprobs: body.top_logprobs.unwrap_or(0) as usize,
            ..SamplingRequest::default()
        },
        reasoning_effort: body.reasoning.as_ref().and_then(|reasoning| reasoning.effort.clone()),
        effort_field: "reasoning.effort",
        verbosity: body.text.as_ref().and_then(|text| text.verbosity).map(|verbosity| verbosity.as_str().to_owned()),
        chat_template_kwargs: match &body.chat_template_kwargs {
            None => serde_json::Map::new(),
            Some(kwargs) => kwargs.read().map_err(unreadable)?,
        },
        ignored,
        ..ChatRequest::new(messages)
    })
}

/// Returns the response format and the field that sets it.
fn format(body: &ResponseRequest) -> Result<(ResponseFormat, &'static str), ChatError> {
    let format = body.text.as_ref().and_then(|text| text.format.as_ref());
    Ok(match format {
        None | Some(ResponseTextFormat::ResponseFormatText(_)) => (ResponseFormat::Text, "text.format"),
        Some(ResponseTextFormat::ResponseFormatJsonObject(format)) => match &format.schema {
            None => (ResponseFormat::JsonObject, "text.format"),
            Some(object) => (ResponseFormat::JsonSchema(schema(object)?), "text.format.schema"),
        },
        Some(ResponseTextFormat::ResponseTextJsonSchema(format)) => {
            (ResponseFormat::JsonSchema(strict_schema(&format.schema, format.strict)?), "text.format.schema")
        }
    })
}

/// Returns the messages of a conversation: the instructions, the stored items, and the input.
fn messages(body: &ResponseRequest, recalled: &Recalled, ignored: &mut Vec<String>) -> Result<Vec<Value>, ChatError> {
    let mut reader = Reader { conversation: Conversation::default(), recalled, ignored };
    if let Some(instructions) = &body.instructions {
        reader.conversation.say("system", instructions.as_str());
    }
    for item in &recalled.context {
        reader.add(item, "previous_response_id")?;
    }
    match &body.input {
        None => {}
        Some(ResponseInput::String(text)) => reader.conversation.say("user", text.as_str()),
        Some(ResponseInput::Array(items)) => {
            for (index, item) in items.iter().enumerate() {
                reader.add(item, &format!("input[{index}]"))?;
            }
        }
    }
    let messages = reader.conversation.into_messages();
    if messages.is_empty() && body.input.is_none() {
        return Err(invalid("input", "input is missing"));
    }
    Ok(messages)
}

/// Reads a conversation item by item.
struct Reader<'a> {
    conversation: Conversation,
    recalled: &'a Recalled,
    ignored: &'a mut Vec<String>,
}

impl Reader<'_> {
    /// Adds an item, or the stored one that it refers to. `at` is its path in the request.
    fn add(&mut self, item: &ResponseInputItem, at: &str) -> Result<(), ChatError> {
        if item.type_ == Some(ItemType::ItemReference) {
            let id = there(item.id.as_ref(), at, "id")?;
            let recalled = self.recalled;
            let referred = recalled.references.get(id).filter(|item| item.type_ != Some(ItemType::ItemReference));
            return match referred {
                Some(item) => self.add_item(item, at),
                None => {
                    let param = format!("{at}.id");
                    let message = format!("{param}: there is no stored item {id:?}; send the item itself");
                    Err(invalid(param, message))
                }
            };
        }
        self.add_item(item, at)
    }

    fn add_item(&mut self, item: &ResponseInputItem, at: &str) -> Result<(), ChatError> {
        let conversation = &mut self.conversation;
        let called = |name: &String| tools::function_name(item.namespace.as_deref(), name);
        match item.type_.unwrap_or(ItemType::Message) {
            ItemType::Message => {
                let role = there(item.role, at, "role")?;
                let text = text(there(item.content.as_ref(), at, "content")?);
                match role {
                    ResponseRole::Assistant => conversation.answer(text),
                    role => conversation.say(role.as_str(), text),
                }
            }
            ItemType::Reasoning => {
                let summary = || item.summary.iter().flatten().map(|part| &*part.text).collect::<Vec<_>>().join("\n\n");
                let thoughts = item.content.as_ref().map_or_else(summary, text);
                // Nobody but its server can read it. The summary says what is known.
                if item.encrypted_content.is_some() && item.content.is_none() {
                    self.ignored.push(format!("{at}.encrypted_content"));
                }
                if !(thoughts.is_empty() && item.encrypted_content.is_some()) {
                    conversation.think(&thoughts);
                }
            }
            ItemType::Compaction => {
                let content = there(item.encrypted_content.as_ref(), at, "encrypted_content")?;
                conversation.say("user", compact::context(content, at)?);
            }
            // A stored reference, which its reader has replaced.
            ItemType::ItemReference => {}
            ItemType::FunctionCall => {
                let id = there(item.call_id.as_ref(), at, "call_id")?;
                let name = there(item.name.as_ref(), at, "name")?;
                let arguments = there(item.arguments.as_ref(), at, "arguments")?;
                conversation.call(id, &called(name), arguments);
            }
            ItemType::CustomToolCall => {
                let id = there(item.call_id.as_ref(), at, "call_id")?;
                let name = there(item.name.as_ref(), at, "name")?;
                let input = there(item.input.as_ref(), at, "input")?;
                conversation.call(id, &called(name), &tools::custom_arguments(input));
            }
            ItemType::FunctionCallOutput | ItemType::CustomToolCallOutput => {
                let id = there(item.call_id.as_ref(), at, "call_id")?;
                let output = text(there(item.output.as_ref(), at, "output")?);
                conversation.result(id, output);
            }
        }
        Ok(())
    }
}

fn text(content: &ResponseContent) -> String {
    let part = |part: &ResponseContentPart| match part {
        ResponseContentPart::ResponseTextPart(part) => part.text.clone(),
        ResponseContentPart::RefusalContentPart(part) => part.refusal.clone(),
    };
    match content {
        ResponseContent::String(text) => text.clone(),
        ResponseContent::Array(parts) => parts.iter().map(part).collect(),
    }
}

#[cfg(test)]
mod tests;
