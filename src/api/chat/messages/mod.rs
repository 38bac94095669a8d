//! Anthropic's Messages API on top of chat: the same sampling in another wire format.

mod envelope;
mod read;
mod tools;
mod writer;

pub(crate) use envelope::{anthropic_error, is_anthropic};

use futures_util::{StreamExt, stream};

use self::writer::{MessageForm, MessageWriter, event};
use super::{Api, KEEP_ALIVE, Metered, Opening, Served};
use crate::auth::Caller;
use crate::chat::{ChatError, PromptTokens};
use crate::generated::server::chat::{
    CountMessageTokensInput, CountMessageTokensOutput, CreateMessageInput, CreateMessageOutput,
};
use crate::generated::types::{MessageError, MessageEvent, MessageEventType, MessageTokenCount};
use crate::http::{ApiError, EventLabel, EventStream, hold_response, take_body_memory};
use crate::metrics::ChatGuard;

impl Api {
    /// Handles `POST /v1/messages`.
    pub(super) async fn message(
        &self,
        caller: Caller,
        input: CreateMessageInput,
    ) -> Result<CreateMessageOutput, ApiError> {
        let guard = ChatGuard::new(&self.metrics);
        let body = input.body;
        let ignored = read::ignored(&body)?;
        let Some(max_tokens) = body.max_tokens else {
            return Err(ApiError::invalid("max_tokens", "max_tokens is missing; a message needs a limit"));
        };
        let (target, ignored) = self.target(&caller, &body.model, ignored).await?;
        let form = MessageForm::of(&body);
        let streamed = body.stream == Some(true);
        let projects = [input.vendor_project, input.open_ai_project];
        let opening = Opening { caller, target, projects, ignored, guard, most: (max_tokens, 1) };
        let memory = take_body_memory();
        let start = |Served { model, adapter, owner }: Served| async move {
            model.chat_from(adapter, memory, move || read::request(&body, &owner)).await.map_err(failure)
        };
        let mut metered = self.open(opening, start).await?;
        let key = metered.key;
        let writer = MessageWriter::new(form, metered.stream.prompt().clone());
        if streamed {
            let label = |event: &MessageEvent| EventLabel { id: None, event: event.type_.to_string() };
            let events =
                self.until_revoked(key, events(writer, metered)).map(|event| Ok(event.unwrap_or_else(broken_off)));
            return Ok(CreateMessageOutput::OkEventStream(EventStream::new(events).without_done().labelled(label)));
        }
        let collected = async {
            let mut message = writer.into_whole();
            while let Some(delta) = metered.stream.next_kept().await {
                message.push(delta.map_err(failure)?, metered.stream.cached_tokens());
            }
            Ok(message.into_message())
        };
        let message = self.unless_revoked(key, collected).await?;
        hold_response(metered.stream.take_kept());
        Ok(message.into())
    }

    /// Handles `POST /v1/messages/count_tokens`.
    pub(super) async fn count_tokens(
        &self,
        caller: Caller,
        input: CountMessageTokensInput,
    ) -> Result<CountMessageTokensOutput, ApiError> {
        let body = input.body;
        let ignored = read::ignored(&body)?;
        let (target, ignored) = self.target(&caller, &body.model, ignored).await?;
        let (model, memory, owner) = (target.base.served.clone(), take_body_memory(), caller.entity);
        let count = model.tokens_from(memory, move || read::request(&body, &owner)).await.map_err(failure)?;
        let PromptTokens { tokens, adaptations, ignored: names } = count;
        ignored.with_adaptations(&adaptations).with_names(names).tell();
        Ok(MessageTokenCount { input_tokens: tokens.len() as u64 }.into())
    }
}

/// Returns the events of a streamed message.
fn events(
    writer: MessageWriter,
    metered: Metered,
) -> impl futures_core::Stream<Item = Result<MessageEvent, ApiError>> + Send + 'static {
    let begin = writer.begin();
    let rest = stream::unfold(Some((writer, metered)), |state| async move {
        let (mut writer, mut metered) = state?;
        match tokio::time::timeout(KEEP_ALIVE, metered.stream.next()).await {
            Err(_) => Some((vec![Ok(event(MessageEventType::Ping))], Some((writer, metered)))),
            Ok(Some(Ok(delta))) => {
                let events = writer.push(delta, metered.stream.cached_tokens()).into_iter().map(Ok).collect();
                Some((events, Some((writer, metered))))
            }
            Ok(Some(Err(error))) => Some((vec![Err(failure(error))], None)),
            Ok(None) => None,
        }
    });
    stream::iter(begin.map(Ok)).chain(rest.flat_map(stream::iter))
}

/// Converts the error that ends a stream to an event. Its cause is logged.
fn broken_off(failure: ApiError) -> MessageEvent {
    tracing::error!(rejection = failure.message(), cause = failure.cause(), "a message broke off");
    let error = MessageError { type_: envelope::kind(&failure).to_owned(), message: failure.message().to_owned() };
    MessageEvent { error: Some(error), ..event(MessageEventType::Error) }
}

/// Converts a chat error, which names fields of chat completions, to this operation's field names.
fn failure(error: ChatError) -> ApiError {
    match error {
        // Agent programs compress the conversation when they read these words.
        ChatError::PromptTooLong { prompt, limit } => {
            let message = format!("prompt is too long: {prompt} tokens > {limit} maximum; shorten the messages");
            ApiError::bad_request(message).with_param("messages").with_code("context_length_exceeded")
        }
        ChatError::Invalid { param, message } => {
            // A message here can be several of chat's, so their numbers differ.
            let name = if param.starts_with("messages") && !message.contains(&param) { "messages" } else { &param };
            ApiError::invalid(name.replace(".function.parameters", ".input_schema"), message)
        }
        other => other.into(),
    }
}

#[cfg(test)]
mod tests;
