//! OpenAI's Responses API on top of chat: the same sampling in another wire format.

mod assembler;
mod background;
mod compact;
mod memory;
mod read;
mod replay;
mod stored;
mod tools;

use std::sync::Arc;

use futures_util::{StreamExt, stream};
use uuid::Uuid;

pub(crate) use self::background::BackgroundResponses;
pub(super) use self::memory::{Keeper, MAX_STORED_BYTES, PER_BYTE, unreadable};
pub(super) use self::stored::items_of_page;

use self::assembler::ResponseAssembler;
use self::background::{Reader, Work};
use self::memory::wire_id;
use self::tools::ToolNames;
use super::{Api, KEEP_ALIVE, Metered, Opening, Served, now};
use crate::auth::Caller;
use crate::chat::ChatError;
use crate::generated::server::chat::{CreateResponseInput, CreateResponseOutput};
use crate::generated::types::{
    ResponseError, ResponseErrorCode, ResponseEvent, ResponseFormatText, ResponseInclude, ResponseObject,
    ResponseObjectName, ResponseReasoningEcho, ResponseRequest, ResponseStatus, ResponseTextConfig, ResponseToolChoice,
    ResponseTruncation, TextFormat, ToolChoiceMode,
};
use crate::http::{ApiError, EventLabel, EventStream, hold_response, take_body_memory};
use crate::metrics::ChatGuard;
use crate::model_files::GenerationDefaults;

impl Api {
    /// Handles `POST /v1/responses`.
    pub(super) async fn respond(
        &self,
        caller: Caller,
        input: CreateResponseInput,
    ) -> Result<CreateResponseOutput, ApiError> {
        let guard = ChatGuard::new(&self.metrics);
        let body = input.body;
        let ignored = read::ignored(&body)?;
        let (target, mut ignored) = self.target(&caller, &body.model, ignored).await?;
        let recalled = self.recall(&caller.entity, &body).await?;
        let id = Uuid::now_v7();
        let mut keeper = self.keeper(&caller.entity, id, &body, &mut ignored)?;
        let mut response = asked(&body, id, target.base.served.generation_defaults());
        response.store = keeper.is_some();
        let tools = ToolNames::of(body.tools.as_deref().unwrap_or_default());
        let included = body.include.as_ref().is_some_and(|it| it.contains(&ResponseInclude::MessageOutputTextLogprobs));
        let logprobs = body.top_logprobs.unwrap_or(0) > 0 || included;
        let (streamed, is_background) = (body.stream == Some(true), response.background);
        let entity = caller.entity.clone();
        let projects = [input.vendor_project, input.open_ai_project];
        let most = (body.max_output_tokens.unwrap_or(0), 1);
        let opening = Opening { caller, target, projects, ignored, guard, most };
        // The response repeats settings of the body until its last event.
        let memory = Arc::new(take_body_memory());
        let held = memory.clone();
        let start = |Served { model, adapter, owner }: Served| async move {
            model.chat_from(adapter, held, move || read::request(&body, &recalled, &owner)).await.map_err(failure)
        };
        let mut metered = self.open(opening, start).await?;
        let key = metered.key;
        let assembler = ResponseAssembler::new(response, metered.stream.prompt().clone(), tools, logprobs);
        let label = |event: &ResponseEvent| EventLabel { id: None, event: event.type_.to_string() };
        if is_background && let Some(mut keeper) = keeper.take() {
            let response = assembler.response().clone();
            keeper.begin(&response, background::LEASE).await?;
            let background = self.background.clone();
            let (revocation, memory) = (self.open_keys.open(key), Box::new(memory));
            let live = background::start(Work { background, id, assembler, metered, keeper, revocation, memory });
            if !streamed {
                return Ok(response.into());
            }
            let reader = Reader::new(self.metadata.clone(), entity, id, 0, Some(live));
            let events = EventStream::new(self.until_revoked(key, reader.events())).without_done().labelled(label);
            return Ok(CreateResponseOutput::OkEventStream(events));
        }
        if streamed {
            let events = self.until_revoked(key, events(assembler, metered, keeper)).inspect(move |_| _ = &memory);
            let events = EventStream::new(events).without_done().labelled(label);
            return Ok(CreateResponseOutput::OkEventStream(events));
        }
        let response = self.assembled(&mut metered, assembler).await?;
        if let Some(keeper) = keeper.take() {
            keeper.keep(&response).await?;
        }
        Ok(response.into())
    }

    /// Samples a response to its end, unless its key is revoked. Its memory is held until it is sent.
    async fn assembled(
        &self,
        metered: &mut Metered,
        mut assembler: ResponseAssembler,
    ) -> Result<ResponseObject, ApiError> {
        let sampled = async {
            while let Some(delta) = metered.stream.next_kept().await {
                assembler.push(delta.map_err(failure)?);
            }
            Ok(())
        };
        self.unless_revoked(metered.key, sampled).await?;
        hold_response(metered.stream.take_kept());
        Ok(assembler.into_response())
    }
}

/// Creates a response that contains only the settings of the request.
fn asked(body: &ResponseRequest, id: Uuid, defaults: &GenerationDefaults) -> ResponseObject {
    let text = body.text.clone();
    ResponseObject {
        id: wire_id(id),
        object: ResponseObjectName::Response,
        background: body.background == Some(true),
        created_at: now(),
        completed_at: None,
        status: ResponseStatus::InProgress,
        error: None,
        incomplete_details: None,
        instructions: body.instructions.clone(),
        max_output_tokens: body.max_output_tokens,
        metadata: body.metadata.clone().unwrap_or_default(),
        model: body.model.clone(),
        output: Vec::new(),
        parallel_tool_calls: body.parallel_tool_calls != Some(false),
        previous_response_id: body.previous_response_id.clone(),
        reasoning: ResponseReasoningEcho {
            effort: body.reasoning.as_ref().and_then(|reasoning| reasoning.effort.clone()),
            summary: None,
        },
        store: false,
        temperature: body.temperature.or(defaults.temperature.map(decimal)).unwrap_or(1.0),
        text: ResponseTextConfig {
            verbosity: text.as_ref().and_then(|text| text.verbosity),
            format: text
                .and_then(|text| text.format)
                .or_else(|| Some(ResponseFormatText { type_: TextFormat::Text }.into())),
        },
        token_generations: None,
        tool_choice: body.tool_choice.clone().unwrap_or(ResponseToolChoice::ToolChoiceMode(ToolChoiceMode::Auto)),
        tools: body.tools.clone().unwrap_or_default(),
        top_logprobs: body.top_logprobs.unwrap_or(0),
        top_p: body.top_p.or(defaults.top_p.map(decimal)).unwrap_or(1.0),
        truncation: ResponseTruncation::Disabled,
        usage: None,
        user: body.user.clone(),
    }
}

/// Converts to the number with the shortest decimal form: 0.7, not 0.699999988079071.
fn decimal(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(value.into())
}

/// Returns the events of a streamed response, which is stored before its last one.
fn events(
    mut assembler: ResponseAssembler,
    metered: Metered,
    keeper: Option<Keeper>,
) -> impl futures_core::Stream<Item = Result<ResponseEvent, ApiError>> + Send + 'static {
    let begin = assembler.begin();
    let rest = stream::unfold(Some((assembler, metered, keeper)), |state| async move {
        let (mut assembler, mut metered, mut keeper) = state?;
        match tokio::time::timeout(KEEP_ALIVE, metered.stream.next_kept()).await {
            Err(_) => Some((assembler.in_progress(), Some((assembler, metered, keeper)))),
            Ok(Some(Ok(delta))) => {
                let mut events = assembler.push(delta);
                if assembler.has_ended()
                    && let Some(keeper) = keeper.take()
                    && let Err(error) = keeper.keep(assembler.response()).await
                {
                    events.pop();
                    events.extend(assembler.fail_instead(unkept(&error)));
                    return Some((events, None));
                }
                Some((events, Some((assembler, metered, keeper))))
            }
            Ok(Some(Err(error))) => Some((assembler.fail(broken_off(error)), None)),
            Ok(None) => None,
        }
    });
    stream::iter([begin]).chain(rest).flat_map(stream::iter).map(Ok)
}

/// Converts the error of the store that ends a stream. Its cause is logged.
fn unkept(failure: &ApiError) -> ResponseError {
    tracing::error!(rejection = failure.message(), cause = failure.cause(), "a response was not stored");
    ResponseError { code: ResponseErrorCode::ServerError, message: failure.message().to_owned() }
}

/// Converts the error that ends a stream. Its cause is logged.
fn broken_off(error: ChatError) -> ResponseError {
    let failure = failure(error);
    tracing::error!(rejection = failure.message(), cause = failure.cause(), "a response broke off");
    let code = match failure.status().code().is_server_error() {
        true => ResponseErrorCode::ServerError,
        false => ResponseErrorCode::InvalidPrompt,
    };
    ResponseError { code, message: failure.message().to_owned() }
}

/// Converts a chat error, which names fields of chat completions, to this operation's field names.
fn failure(error: ChatError) -> ApiError {
    let renamed = |param: String, message: String| {
        let name = match &*param {
            "reasoning_effort" => "reasoning.effort".to_owned(),
            "verbosity" => "text.verbosity".to_owned(),
            messages if messages.starts_with("messages") => return ("input".to_owned(), message),
            other => other.replace(".function.parameters", ".parameters"),
        };
        let message = message.replace(&param, &name);
        (name, message)
    };
    match error {
        ChatError::Invalid { param, message } => {
            let (param, message) = renamed(param, message);
            ChatError::Invalid { param, message }.into()
        }
        ChatError::Unsupported { param, message } => {
            let (param, message) = renamed(param, message);
            ChatError::Unsupported { param, message }.into()
        }
        ChatError::PromptTooLong { .. } => ApiError::from(error).with_param("input"),
        other => other.into(),
    }
}

#[cfg(test)]
mod tests;
