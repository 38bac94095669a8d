//! Converts a Messages request of the OpenAPI document to a request of the chat domain.
//!
//! The conversation is converted to the messages that a chat client would send for it, so that both APIs sample from the same prompt.

use serde_json::{Value, json};

use super::super::super::ignored::Ignored;
use super::super::conversation::{Conversation, there};
use super::super::options::{Checker, messages as options};
use super::super::read::{invalid, schema, unreadable};
use super::tools;
use super::writer::OMITTED;
use crate::chat::{ChatError, ChatRequest, ResponseFormat, SamplingRequest, ToolChoice};
use crate::generated::types::{
    MessageBlockParam, MessageContentParam, MessageOutputConfig, MessageParam, MessageParamRole, MessageRequest,
    MessageResultBlockParam, MessageResultParam, MessageThinkingConfig, MessageThinkingType, MessageTool,
    MessageToolChoice, MessageToolChoiceType,
};
use crate::http::ApiError;
use crate::json::ReadObject;

/// Types of blocks that would change the prompt and cannot be read.
const REJECTED_BLOCKS: [&str; 21] = [
    "advisor_tool_result",
    "bash_code_execution_tool_result",
    "browser_state",
    "code_execution_tool_result",
    "compaction",
    "container_upload",
    "document",
    "fallback",
    "image",
    "mcp_tool_listing",
    "mcp_tool_result",
    "mcp_tool_use",
    "search_result",
    "server_tool_use",
    "text_editor_code_execution_tool_result",
    "tool_addition",
    "tool_reference",
    "tool_removal",
    "tool_search_tool_result",
    "web_fetch_tool_result",
    "web_search_tool_result",
];
/// Beginning of a text that Claude Code puts before its system message: data for Anthropic's accounting that differ in each
/// request.
const BILLING: &str = "x-anthropic-billing-header:";

/// Returns the fields of a body that have no effect.
///
/// # Errors
/// Returns 422 for an option that is rejected, or an unknown field whose name is similar to a known one.
pub(super) fn ignored(body: &MessageRequest) -> Result<Ignored, ApiError> {
    let mut ignored = Ignored::default();
    Checker::new(MessageRequest::NAMES, options::REQUEST).check(&body.extra, "", &mut ignored)?;
    if let Some(thinking) = &body.thinking {
        let checker = Checker::new(MessageThinkingConfig::NAMES, options::THINKING);
        checker.check(&thinking.extra, "thinking.", &mut ignored)?;
    }
    if let Some(config) = &body.output_config {
        let checker = Checker::new(MessageOutputConfig::NAMES, options::OUTPUT_CONFIG);
        checker.check(&config.extra, "output_config.", &mut ignored)?;
    }
    if let Some(choice) = &body.tool_choice {
        let checker = Checker::new(MessageToolChoice::NAMES, options::TOOL_CHOICE);
        checker.check(&choice.extra, "tool_choice.", &mut ignored)?;
    }
    let checker = Checker::new(MessageTool::NAMES, options::TOOL);
    for (index, tool) in body.tools.iter().flatten().enumerate() {
        checker.check(&tool.extra, &format!("tools[{index}]."), &mut ignored)?;
    }
    let (message_checker, checker) =
        (Checker::new(MessageParam::NAMES, options::MESSAGE), Checker::new(MessageBlockParam::NAMES, options::BLOCK));
    let result_checker = Checker::new(MessageResultBlockParam::NAMES, options::BLOCK);
    let mut check = |content: &MessageContentParam, at: &str| {
        let MessageContentParam::Array(blocks) = content else { return Ok(()) };
        for (index, block) in blocks.iter().enumerate() {
            checker.check(&block.extra, &format!("{at}[{index}]."), &mut ignored)?;
            if let Some(MessageResultParam::Array(parts)) = &block.content {
                for (part_index, part) in parts.iter().enumerate() {
                    let at = format!("{at}[{index}].content[{part_index}].");
                    result_checker.check(&part.extra, &at, &mut ignored)?;
                }
            }
        }
        Ok::<(), ApiError>(())
    };
    body.system.iter().try_for_each(|system| check(system, "system"))?;
    for (index, message) in body.messages.iter().enumerate() {
        check(&message.content, &format!("messages[{index}].content"))?;
    }
    for (index, message) in body.messages.iter().enumerate() {
        message_checker.check(&message.extra, &format!("messages[{index}]."), &mut ignored)?;
    }
    Ok(ignored)
}

/// Converts a body to a request for the owner of the key. Ignores `model` and the fields that affect only the
/// format of the response.
///
/// # Errors
/// Returns [`ChatError::Invalid`] or [`ChatError::Unsupported`] with the field's path.
pub(super) fn request(body: &MessageRequest, owner: &str) -> Result<ChatRequest, ChatError> {
    let mut ignored = Vec::new();
    let tools = tools::functions(body.tools.as_deref().unwrap_or_default(), body.tool_choice.as_ref(), &mut ignored)?;
    let choice = body.tool_choice.as_ref();
    let config = body.output_config.as_ref();
    let (format, format_field) = match (config.and_then(|config| config.format.as_ref()), &body.output_format) {
        (Some(_), Some(_)) => {
            let message = "output_config.format already sets the format of the answer; send one of the two";
            return Err(invalid("output_format", message));
        }
        (Some(format), None) => (Some(format), "output_config.format.schema"),
        (None, format) => (format.as_ref(), "output_format.schema"),
    };
    let messages = messages(body, &mut ignored)?;
    let continues = body.messages.last().is_some_and(|message| message.role == MessageParamRole::Assistant);
    if continues && messages.last().is_some_and(|message| message.get("tool_calls").is_some()) {
        let param = format!("messages[{}]", body.messages.len() - 1);
        let message = format!("{param} ends with a call; add a message of the user with its `tool_result`");
        return Err(invalid(param, message));
    }
    let thinking = body.thinking.as_ref();
    Ok(ChatRequest {
        owner: owner.into(),
        tool_choice: chosen(choice, &tools)?,
        tools,
        parallel_tool_calls: choice.and_then(|choice| choice.disable_parallel_tool_use) != Some(true),
        response_format: match format {
            None => ResponseFormat::Text,
            Some(format) => ResponseFormat::JsonSchema(schema(&format.schema)?),
        },
        format_field,
        max_tokens: body.max_tokens,
        stop: body.stop_sequences.clone().unwrap_or_default(),
        stream: body.stream == Some(true),
        seed: body.seed.map(i64::cast_unsigned),
        sampling: SamplingRequest {
            temperature: body.temperature.map(|value| value as f32),
            top_p: body.top_p.map(|value| value as f32),
            // Clients use both -1 and 0 for "all".
            top_k: body.top_k.map(|count| usize::try_from(count).unwrap_or(0)),
            ..SamplingRequest::default()
        },
        add_generation_prompt: !continues,
        continue_final_message: continues,
        thinking: thinking.map(|thinking| thinking.type_ != MessageThinkingType::Disabled),
        reasoning_effort: config.and_then(|config| config.effort.clone()),
        effort_field: "output_config.effort",
        chat_template_kwargs: match &body.chat_template_kwargs {
            None => serde_json::Map::new(),
            Some(kwargs) => kwargs.read().map_err(unreadable)?,
        },
        ignored,
        ..ChatRequest::new(messages)
    })
}

/// Returns the tool choice. `tools` are in the format of chat completions.
fn chosen(choice: Option<&MessageToolChoice>, tools: &[Value]) -> Result<ToolChoice, ChatError> {
    let Some(choice) = choice else { return Ok(ToolChoice::Auto) };
    match choice.type_ {
        MessageToolChoiceType::Auto => Ok(ToolChoice::Auto),
        MessageToolChoiceType::None => Ok(ToolChoice::None),
        MessageToolChoiceType::Any if tools.is_empty() => {
            Err(invalid("tool_choice", "tool_choice is `any`, but there are no tools"))
        }
        MessageToolChoiceType::Any => Ok(ToolChoice::Required),
        MessageToolChoiceType::Tool => {
            let name = there(choice.name.as_ref(), "tool_choice", "name")?;
            if tools.iter().any(|tool| tool["function"]["name"] == name.as_str()) {
                return Ok(ToolChoice::Function(name.clone()));
            }
            Err(invalid("tool_choice", format!("tool_choice names {name:?}, which is not in `tools`")))
        }
    }
}

/// Returns the messages of a conversation.
fn messages(body: &MessageRequest, ignored: &mut Vec<String>) -> Result<Vec<Value>, ChatError> {
    let mut reader = Reader { conversation: Conversation::default(), texts: Vec::new(), ignored };
    if let Some(system) = &body.system {
        reader.read("system", system, "system")?;
    }
    for (index, message) in body.messages.iter().enumerate() {
        reader.read(message.role.as_str(), &message.content, &format!("messages[{index}].content"))?;
    }
    Ok(reader.conversation.into_messages())
}

/// Reads messages block by block.
struct Reader<'a> {
    conversation: Conversation,
    /// Text parts of the message that is being read.
    texts: Vec<Value>,
    ignored: &'a mut Vec<String>,
}

impl Reader<'_> {
    /// Adds a message. `at` is the path of its content.
    fn read(&mut self, role: &str, content: &MessageContentParam, at: &str) -> Result<(), ChatError> {
        match content {
            MessageContentParam::String(text) if role == "assistant" => self.conversation.continue_answer(text),
            MessageContentParam::String(text) => self.conversation.say(role, text.as_str()),
            MessageContentParam::Array(blocks) => {
                for (index, block) in blocks.iter().enumerate() {
                    self.add(role, block, &format!("{at}[{index}]"))?;
                }
                if blocks.is_empty() && role == "user" {
                    self.conversation.say(role, "");
                }
                self.end(role);
            }
        }
        Ok(())
    }

    fn add(&mut self, role: &str, block: &MessageBlockParam, at: &str) -> Result<(), ChatError> {
        match (&*block.type_, role) {
            ("text", _) => {
                let text = there(block.text.as_ref(), at, "text")?;
                match role {
                    "assistant" => self.conversation.continue_answer(text),
                    "system" if text.starts_with(BILLING) => self.ignored.push(at.to_owned()),
                    _ => self.texts.push(json!({"type": "text", "text": text})),
                }
            }
            ("thinking", "assistant") => {
                let shown = there(block.thinking.as_ref(), at, "thinking")?;
                let hidden = block.signature.as_deref().and_then(|signature| signature.strip_prefix(OMITTED));
                self.conversation.think(hidden.filter(|_| shown.is_empty()).unwrap_or(shown));
            }
            ("redacted_thinking", "assistant") => self.ignored.push(at.to_owned()),
            ("tool_use", "assistant") => {
                let id = there(block.id.as_ref(), at, "id")?;
                let name = there(block.name.as_ref(), at, "name")?;
                let input = there(block.input.as_ref(), at, "input")?;
                self.conversation.call(id, name, input.text());
            }
            ("tool_result", "user") => {
                let id = there(block.tool_use_id.as_ref(), at, "tool_use_id")?;
                let mut text = match &block.content {
                    None => String::new(),
                    Some(MessageResultParam::String(text)) => text.clone(),
                    Some(MessageResultParam::Array(parts)) => result_text(parts, at)?,
                };
                if block.is_error == Some(true) && !starts_with_error(&text) {
                    text = if text.is_empty() { "Error".to_owned() } else { format!("Error: {text}") };
                }
                self.end(role);
                self.conversation.result(id, text);
            }
            ("thinking" | "redacted_thinking" | "tool_use" | "tool_result", _) => {
                let param = format!("{at}.type");
                let message = format!("{param}: a message of the role {role} has no block `{}`", block.type_);
                return Err(invalid(param, message));
            }
            (other, _) => return Err(unread(other, at)),
        }
        Ok(())
    }

    /// Adds the texts so far as a message.
    fn end(&mut self, role: &str) {
        let texts = std::mem::take(&mut self.texts);
        match &*texts {
            [] => {}
            [only] => self.conversation.say(role, only["text"].clone()),
            _ => self.conversation.say(role, texts),
        }
    }
}

fn result_text(parts: &[MessageResultBlockParam], at: &str) -> Result<String, ChatError> {
    let mut result = String::new();
    for (index, part) in parts.iter().enumerate() {
        let at = format!("{at}.content[{index}]");
        match &*part.type_ {
            "text" => result.push_str(there(part.text.as_ref(), &at, "text")?),
            other => return Err(unread(other, &at)),
        }
    }
    Ok(result)
}

/// Returns whether a failed result says so itself.
fn starts_with_error(text: &str) -> bool {
    text.trim_start_matches(['<', '[', ' ', '\n']).get(..5).is_some_and(|start| start.eq_ignore_ascii_case("error"))
}

fn unread(type_: &str, at: &str) -> ChatError {
    let param = format!("{at}.type");
    let message = match REJECTED_BLOCKS.contains(&type_) {
        true => format!("`{param}`: blocks of type `{type_}` are not supported, because the model reads text only"),
        false => format!("`{param}`: there is no block of type {type_:?}"),
    };
    ChatError::Unsupported { param, message }
}
