//! OpenAI-compatible chat completions: whole or streamed.

mod wire;

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures_util::stream;
use serde_json::Value;

use self::wire::{Chunks, completion};
use super::Api;
use crate::{
    auth::Caller,
    chat::{ChatError, ChatRequest, ChatStream},
    generated::{
        server::chat::{Chat, CreateChatCompletionInput, CreateChatCompletionOutput},
        types::ChatCompletionChunk,
    },
    http::{EventStream, Failure},
    metrics::{ChatGuard, TokenClock},
    store::records::UsageKey,
    usage::UsageMeter,
};

/// Longest silence on a stream; then a chunk without content keeps proxies and clients from giving up.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// When a full queue is worth another try.
const BUSY_RETRY: Duration = Duration::from_secs(1);

impl Chat for Api {
    async fn create_chat_completion(
        &self,
        caller: Caller,
        input: CreateChatCompletionInput,
    ) -> Result<CreateChatCompletionOutput, Failure> {
        let arrived = Instant::now();
        let chat = ChatGuard::new(&self.metrics);
        let body = input.body;
        let target = self.catalog.resolve(&caller.entity, &body.model).await?;
        let Value::Object(json) = serde_json::to_value(&body).map_err(Failure::internal)? else {
            return Err(Failure::internal("a chat request is not an object"));
        };
        let request = ChatRequest { owner: caller.entity.as_str().into(), ..ChatRequest::from_json(&json)? };
        let head = Head::new(body.model, request.n, body.return_token_ids == Some(true));
        let stream = target.base.served.chat(target.adapter, request).await?;
        let meter = self.usage.meter(UsageKey {
            key_id: caller.key_id,
            entity: caller.entity,
            project: [input.vendor_project, input.open_ai_project]
                .into_iter()
                .flatten()
                .find(|project| !project.is_empty())
                .unwrap_or_default(),
            model: target.name,
        });
        let stream = stream.with_clock(TokenClock::new(&self.metrics, arrived));
        let metered = Metered { stream, meter, chat };
        if body.stream == Some(true) {
            let options = body.stream_options;
            let with_usage = options.is_some_and(|options| options.include_usage == Some(true));
            return Ok(CreateChatCompletionOutput::OkEventStream(EventStream::new(chunks(head, metered, with_usage))));
        }
        let mut metered = metered;
        let outcome = metered.stream.collect().await?;
        Ok(completion(head, outcome).into())
    }
}

/// What every part of an answer repeats.
#[derive(Clone)]
struct Head {
    id: String,
    created: i64,
    /// As the request named it.
    model: String,
    choices: u32,
    /// Whether choices carry their token ids as a list too.
    token_ids: bool,
}

impl Head {
    fn new(model: String, choices: u32, token_ids: bool) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
        Self {
            id: format!("chatcmpl-{}", uuid::Uuid::new_v4().simple()),
            created: i64::try_from(now).unwrap_or(i64::MAX),
            model,
            choices,
            token_ids,
        }
    }
}

/// A stream whose tokens are accounted for however it ends: dropping it cancels what runs and writes what was used.
struct Metered {
    stream: ChatStream,
    meter: UsageMeter,
    chat: ChatGuard,
}

impl Drop for Metered {
    fn drop(&mut self) {
        let usage = self.stream.usage();
        self.meter.used(usage.prompt_tokens, usage.completion_tokens);
        if !self.stream.has_ended() {
            self.chat.cancelled();
        }
    }
}

/// The chunks of a streamed answer: one with the roles, one for each delta, and at last the usage if it was asked for.
fn chunks(
    head: Head,
    metered: Metered,
    with_usage: bool,
) -> impl futures_core::Stream<Item = Result<ChatCompletionChunk, Failure>> + Send + 'static {
    let chunks = Chunks::new(head);
    let first = chunks.roles();
    let rest = stream::unfold(Some((chunks, metered)), move |state| async move {
        let (mut chunks, mut metered) = state?;
        match tokio::time::timeout(KEEP_ALIVE, metered.stream.next()).await {
            Err(_) => Some((Ok(chunks.silence()), Some((chunks, metered)))),
            Ok(Some(Ok(delta))) => Some((Ok(chunks.delta(delta)), Some((chunks, metered)))),
            Ok(Some(Err(error))) => Some((Err(error.into()), None)),
            Ok(None) if with_usage => Some((Ok(chunks.usage(metered.stream.usage())), None)),
            Ok(None) => None,
        }
    });
    futures_util::StreamExt::chain(stream::iter([Ok(first)]), rest)
}

impl From<ChatError> for Failure {
    fn from(error: ChatError) -> Self {
        let message = error.to_string();
        match error {
            ChatError::Invalid { param, .. } => Self::invalid(param, message),
            ChatError::Unsupported { param, .. } => Self::invalid(param, message).with_code("unsupported_parameter"),
            ChatError::PromptTooLong { .. } => {
                Self::bad_request(message).with_param("messages").with_code("context_length_exceeded")
            }
            ChatError::Busy(_) => Self::too_many_requests(message, BUSY_RETRY),
            ChatError::Stopping => Self::unavailable(message, BUSY_RETRY),
            ChatError::Failed(cause) => Self::internal(cause),
        }
    }
}
