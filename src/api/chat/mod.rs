//! OpenAI-compatible chat completions, responses and legacy completions: whole or streamed.

mod completions;
mod read;
mod responses;
mod wire;

use std::{
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use self::wire::{Chunks, PromptReport, completion};
use super::{Api, limits::AnswerLimits};
use crate::{
    auth::Caller,
    chat::{ChatError, ChatStream},
    generated::{
        server::chat::{
            Chat, CreateChatCompletionInput, CreateChatCompletionOutput, CreateCompletionInput, CreateCompletionOutput,
            CreateResponseInput, CreateResponseOutput,
        },
        types::{ChatCompletionChunk, ChatCompletionRequest, StreamOptions},
    },
    http::{EventStream, Failure},
    metrics::{ChatGuard, TokenClock},
    models::Target,
    store::records::UsageKey,
    text::Tokenizer,
    usage::UsageMeter,
};
use futures_util::stream;

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
        let ignored = read::ignored(&body)?;
        let target = self.catalog.resolve(&caller.entity, &body.model).await?;
        let head = Head::of(&body);
        let usage = StreamedUsage::of(body.stream_options.as_ref());
        let streamed = body.stream == Some(true);
        let most = body.max_completion_tokens.or(body.max_tokens).unwrap_or(0);
        let most = most.min(target.base.served.context_length() as u64).saturating_mul(head.choices.into());
        let limits = self.admit_answer(&caller, most).await?;
        let owner = caller.entity.clone();
        let read = move || read::request(&body, &owner);
        let stream = target.base.served.chat_from(target.adapter.clone(), read).await?;
        ignored.tell();
        let stream = stream.with_clock(TokenClock::new(&self.metrics, arrived));
        let projects = [input.vendor_project, input.open_ai_project];
        let mut metered = self.metered(stream, &target, caller, projects, limits, chat);
        if streamed {
            return Ok(CreateChatCompletionOutput::OkEventStream(EventStream::new(chunks(head, metered, usage))));
        }
        let outcome = metered.stream.collect().await?;
        let prompt = metered.prompt();
        Ok(completion(head, outcome, prompt).into())
    }

    async fn create_completion(
        &self,
        caller: Caller,
        input: CreateCompletionInput,
    ) -> Result<CreateCompletionOutput, Failure> {
        self.complete(caller, input).await
    }

    async fn create_response(
        &self,
        caller: Caller,
        input: CreateResponseInput,
    ) -> Result<CreateResponseOutput, Failure> {
        self.respond(caller, input).await
    }
}

impl Api {
    /// Accounts for a stream that has begun: under the first of `projects` that says something.
    fn metered(
        &self,
        stream: ChatStream,
        target: &Target,
        caller: Caller,
        projects: [Option<String>; 2],
        mut limits: AnswerLimits,
        chat: ChatGuard,
    ) -> Metered {
        limits.set_aside_prompt(stream.usage().prompt_tokens);
        let meter = self.usage.meter(UsageKey {
            key_id: caller.key_id,
            entity: caller.entity,
            project: projects.into_iter().flatten().find(|project| !project.is_empty()).unwrap_or_default(),
            model: target.name.clone(),
        });
        Metered { stream, meter, limits, chat, tokenizer: target.base.served.tokenizer().clone() }
    }
}

/// Which chunks of a stream say what was used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StreamedUsage {
    Never,
    /// One more at the end.
    Last,
    /// All, and one more at the end.
    Always,
}

impl StreamedUsage {
    fn of(options: Option<&StreamOptions>) -> Self {
        let asked = options.map(|options| (options.include_usage, options.continuous_usage_stats));
        match asked.unwrap_or_default() {
            (Some(true), Some(true)) => Self::Always,
            (Some(true), _) => Self::Last,
            _ => Self::Never,
        }
    }
}

/// Where an answer has lists of token ids.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TokenIds {
    Nowhere,
    /// In the choices, with which they come back in a trajectory; in a stream, in the entry of a choice's first token.
    InChoices,
    /// Beside the choices and in every chunk too.
    Everywhere,
}

/// What every part of an answer repeats.
#[derive(Clone)]
struct Head {
    id: String,
    created: i64,
    /// As the request named it.
    model: String,
    choices: u32,
    /// Where lists of token ids are.
    token_ids: TokenIds,
    /// Whether thoughts are answered.
    reasoning: bool,
    /// Whether calls are answered in the older form, one `function_call`.
    function_call: bool,
}

impl Head {
    fn of(body: &ChatCompletionRequest) -> Self {
        Self {
            id: format!("chatcmpl-{}", uuid::Uuid::new_v4().simple()),
            created: now(),
            model: body.model.clone(),
            choices: body.n.unwrap_or(1),
            token_ids: match body.return_token_ids {
                None => TokenIds::InChoices,
                Some(true) => TokenIds::Everywhere,
                Some(false) => TokenIds::Nowhere,
            },
            reasoning: body.include_reasoning != Some(false),
            function_call: body.functions.is_some(),
        }
    }
}

/// Unix time in seconds.
fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
    i64::try_from(now).unwrap_or(i64::MAX)
}

/// A stream whose tokens are accounted for however it ends: dropping it cancels what runs and writes what was used.
struct Metered {
    stream: ChatStream,
    meter: UsageMeter,
    limits: AnswerLimits,
    chat: ChatGuard,
    tokenizer: Arc<Tokenizer>,
}

impl Metered {
    /// What the answer says of the prompt, as far as that is known by now and has not been said.
    fn prompt(&mut self) -> PromptReport {
        PromptReport {
            tokens: self.stream.prompt().clone(),
            logprobs: self.stream.take_prompt_logprobs(&self.tokenizer),
        }
    }
}

impl Drop for Metered {
    fn drop(&mut self) {
        let usage = self.stream.usage();
        self.meter.used(usage.prompt_tokens, usage.completion_tokens);
        self.limits.used(usage.prompt_tokens.saturating_add(usage.completion_tokens));
        if !self.stream.has_ended() {
            self.chat.cancelled();
        }
    }
}

/// The chunks of a streamed answer: one with the roles, one for each delta, and at last the usage if it was asked for.
fn chunks(
    head: Head,
    metered: Metered,
    usage: StreamedUsage,
) -> impl futures_core::Stream<Item = Result<ChatCompletionChunk, Failure>> + Send + 'static {
    let counted = move |mut chunk: ChatCompletionChunk, metered: &Metered| {
        if usage == StreamedUsage::Always {
            chunk.usage = Some(wire::usage(metered.stream.usage()));
        }
        chunk
    };
    let chunks = Chunks::new(head, metered.stream.prompt().clone());
    let first = counted(chunks.roles(), &metered);
    let rest = stream::unfold(Some((chunks, metered)), move |state| async move {
        let (mut chunks, mut metered) = state?;
        match tokio::time::timeout(KEEP_ALIVE, metered.stream.next()).await {
            Err(_) => Some((Ok(counted(chunks.silence(), &metered)), Some((chunks, metered)))),
            Ok(Some(Ok(delta))) => {
                let logprobs = metered.stream.take_prompt_logprobs(&metered.tokenizer).map(wire::prompt_logprobs);
                let chunk = ChatCompletionChunk { prompt_logprobs: logprobs, ..chunks.delta(delta) };
                Some((Ok(counted(chunk, &metered)), Some((chunks, metered))))
            }
            Ok(Some(Err(error))) => Some((Err(error.into()), None)),
            Ok(None) if usage == StreamedUsage::Never => None,
            Ok(None) => Some((Ok(chunks.usage(metered.stream.usage())), None)),
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
