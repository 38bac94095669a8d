//! The dialects in which the service samples: OpenAI's chat completions, responses and legacy completions, and Anthropic's
//! messages, complete or streamed; and vLLM's operations on tokens. Each dialect has a reader and a writer; between them all are
//! one [`ChatRequest`](crate::chat::ChatRequest) and one stream of deltas, which [`Api::open`] admits, starts and accounts.

mod completions;
mod conversation;
mod messages;
mod options;
mod read;
mod responses;
mod stored;
mod tokens;
mod tools;
mod wire;

pub(crate) use messages::{anthropic_error, is_anthropic};
pub(crate) use responses::BackgroundResponses;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use uuid::Uuid;

use self::stored::KeptChat;
use self::wire::{Chunks, PromptReport, completion};
use super::Api;
use super::batches::sampling_owner;
use super::ignored::Ignored;
use super::limits::ResponseLimits;
use super::usage::project_of;
use crate::auth::Caller;
use crate::chat::{self, ChatDelta, ChatOutcome, ChatStream, CollectedChoices, ServedModel};
use crate::engine::sampler::AdapterRef;
use crate::generated::server::chat::*;
use crate::generated::types::{ChatCompletionChunk, ChatCompletionRequest, StreamOptions};
use crate::http::{ApiError, EventStream, hold_response, take_body_memory};
use crate::metrics::{ChatGuard, TokenClock};
use crate::models::Target;
use crate::store::records::UsageKey;
use crate::text::Tokenizer;
use crate::usage::UsageMeter;
use futures_util::stream;

/// Maximum time without a chunk on a stream. Then an empty chunk is sent, so that proxies and clients do not time out.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

impl Chat for Api {
    async fn create_chat_completion(
        &self,
        caller: Caller,
        input: CreateChatCompletionInput,
    ) -> Result<CreateChatCompletionOutput, ApiError> {
        let guard = ChatGuard::new(&self.metrics);
        let body = input.body;
        let ignored = read::ignored(&body)?;
        let (target, ignored) = self.target(&caller, &body.model, ignored).await?;
        let id = Uuid::now_v7();
        let kept = self.kept_chat(&caller.entity, id, &body)?;
        let head = Head::of(&body, id, kept.as_ref());
        let usage = StreamedUsage::of(body.stream_options.as_ref());
        let streamed = body.stream == Some(true);
        let most = (body.max_completion_tokens.or(body.max_tokens).unwrap_or(0), head.choices.into());
        let projects = [input.vendor_project, input.open_ai_project];
        let opening = Opening { caller, target, projects, ignored, guard, most };
        let memory = take_body_memory();
        let start = |Served { model, adapter, owner }: Served| async move {
            Ok(model.chat_from(adapter, memory, move || read::request(&body, &owner)).await?)
        };
        let mut metered = self.open(opening, start).await?;
        let key = metered.key;
        if streamed {
            let kept = kept.map(|keeper| KeptStream::new(keeper, head.clone()));
            let chunks = self.until_revoked(key, chunks(head, metered, usage, kept));
            return Ok(CreateChatCompletionOutput::OkEventStream(EventStream::new(chunks)));
        }
        let outcome = self.unless_revoked(key, async { Ok(metered.stream.collect().await?) }).await?;
        hold_response(metered.stream.take_kept());
        let completion = completion(head, outcome, metered.prompt());
        if let Some(kept) = kept {
            kept.keep(&completion).await?;
        }
        Ok(completion.into())
    }

    async fn list_chat_completions(
        &self,
        caller: Caller,
        input: ListChatCompletionsInput,
    ) -> Result<ListChatCompletionsOutput, ApiError> {
        self.stored_chats(caller, input).await
    }

    async fn get_chat_completion(
        &self,
        caller: Caller,
        input: GetChatCompletionInput,
    ) -> Result<GetChatCompletionOutput, ApiError> {
        self.stored_chat(caller, input).await
    }

    async fn update_chat_completion(
        &self,
        caller: Caller,
        input: UpdateChatCompletionInput,
    ) -> Result<UpdateChatCompletionOutput, ApiError> {
        self.update_stored_chat(caller, input).await
    }

    async fn delete_chat_completion(
        &self,
        caller: Caller,
        input: DeleteChatCompletionInput,
    ) -> Result<DeleteChatCompletionOutput, ApiError> {
        self.delete_stored_chat(caller, input).await
    }

    async fn list_chat_completion_messages(
        &self,
        caller: Caller,
        input: ListChatCompletionMessagesInput,
    ) -> Result<ListChatCompletionMessagesOutput, ApiError> {
        self.messages_of_stored_chat(caller, input).await
    }

    async fn create_completion(
        &self,
        caller: Caller,
        input: CreateCompletionInput,
    ) -> Result<CreateCompletionOutput, ApiError> {
        self.complete(caller, input).await
    }

    async fn create_response(
        &self,
        caller: Caller,
        input: CreateResponseInput,
    ) -> Result<CreateResponseOutput, ApiError> {
        self.respond(caller, input).await
    }

    async fn get_response(&self, caller: Caller, input: GetResponseInput) -> Result<GetResponseOutput, ApiError> {
        self.stored_response(caller, input).await
    }

    async fn delete_response(
        &self,
        caller: Caller,
        input: DeleteResponseInput,
    ) -> Result<DeleteResponseOutput, ApiError> {
        self.delete_stored_response(caller, input).await
    }

    async fn list_response_input_items(
        &self,
        caller: Caller,
        input: ListResponseInputItemsInput,
    ) -> Result<ListResponseInputItemsOutput, ApiError> {
        self.input_items_of(caller, input).await
    }

    async fn cancel_response(
        &self,
        caller: Caller,
        input: CancelResponseInput,
    ) -> Result<CancelResponseOutput, ApiError> {
        self.cancel_stored_response(caller, input).await
    }

    async fn count_response_tokens(
        &self,
        caller: Caller,
        input: CountResponseTokensInput,
    ) -> Result<CountResponseTokensOutput, ApiError> {
        self.count_input_tokens(caller, input).await
    }

    async fn compact_response(
        &self,
        caller: Caller,
        input: CompactResponseInput,
    ) -> Result<CompactResponseOutput, ApiError> {
        self.compact(caller, input).await
    }

    async fn create_message(&self, caller: Caller, input: CreateMessageInput) -> Result<CreateMessageOutput, ApiError> {
        self.message(caller, input).await
    }

    async fn count_message_tokens(
        &self,
        caller: Caller,
        input: CountMessageTokensInput,
    ) -> Result<CountMessageTokensOutput, ApiError> {
        self.count_tokens(caller, input).await
    }

    async fn tokenize(&self, caller: Caller, input: TokenizeInput) -> Result<TokenizeOutput, ApiError> {
        self.tokens(caller, input).await
    }

    async fn detokenize(&self, caller: Caller, input: DetokenizeInput) -> Result<DetokenizeOutput, ApiError> {
        self.text_of_tokens(caller, input).await
    }

    async fn get_tokenizer_info(
        &self,
        caller: Caller,
        input: GetTokenizerInfoInput,
    ) -> Result<GetTokenizerInfoOutput, ApiError> {
        self.tokenizer_info(caller, input).await
    }
}

/// A request for samples whose body is checked.
struct Opening {
    caller: Caller,
    target: Target,
    /// Projects for which the usage is recorded: the first one that is set.
    projects: [Option<String>; 2],
    ignored: Ignored,
    guard: ChatGuard,
    /// Maximum number of tokens of a sample, and the number of samples.
    most: (u64, u64),
}

/// The model that a request samples, and the owner of its samples.
struct Served {
    model: Arc<ServedModel>,
    adapter: Option<AdapterRef>,
    owner: String,
}

impl Api {
    /// Admits a request, starts its samples and their accounting, and sends the warnings.
    async fn open<F: Future<Output = Result<ChatStream, ApiError>> + Send>(
        &self,
        Opening { caller, target, projects, ignored, guard, most: (tokens, samples) }: Opening,
        start: impl FnOnce(Served) -> F + Send,
    ) -> Result<Metered, ApiError> {
        let recorder = self.recorder(&caller, &target, guard.arrived).await?;
        let served = &target.base.served;
        let model = if recorder.is_some() { Arc::new(served.recording()) } else { served.clone() };
        let (tokenizer, context) = (model.tokenizer().clone(), model.context_length() as u64);
        let mut limits = self.admit_response(&caller, tokens.min(context).saturating_mul(samples)).await?;
        let mut stream =
            start(Served { model, adapter: target.adapter, owner: sampling_owner(&caller.entity) }).await?;
        if let Some(recorder) = recorder {
            stream.record(recorder)?;
        }
        ignored.with_adaptations(stream.adaptations()).with_names(stream.take_ignored()).tell();
        limits.set_aside_prompt(stream.usage().prompt_tokens);
        let stream = stream.with_clock(TokenClock::new(&self.metrics, guard.arrived));
        let meter = self.usage.meter(UsageKey {
            key_id: caller.key_id,
            entity: caller.entity,
            project: project_of(projects),
            model: target.name,
        });
        Ok(Metered { key: caller.key_id, stream, meter, limits, guard, tokenizer })
    }
}

/// The chunks of a stream that contain the usage.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StreamedUsage {
    Never,
    /// An additional chunk at the end.
    Last,
    /// Every chunk, and an additional one at the end.
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

/// The positions of token id lists in a response.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TokenIds {
    Omitted,
    /// In the choices, which clients return in a trajectory. In a stream, in the logprobs entry of a choice's first
    /// token.
    InChoices,
    /// Also outside the choices, and in every chunk.
    All,
}

/// Fields that every part of a response repeats.
#[derive(Clone)]
struct Head {
    id: String,
    created: i64,
    /// The model name of the request.
    model: String,
    choices: u32,
    /// Positions of the token id lists.
    token_ids: TokenIds,
    /// Whether the response includes the reasoning content.
    reasoning: bool,
    /// Whether a call is returned in the older form, a single `function_call`.
    function_call: bool,
    /// Metadata of a completion that is stored.
    metadata: Option<BTreeMap<String, String>>,
}

impl Head {
    fn of(body: &ChatCompletionRequest, id: Uuid, kept: Option<&KeptChat>) -> Self {
        Self {
            id: stored::wire_id(id),
            created: now(),
            model: body.model.clone(),
            choices: body.n.unwrap_or(1),
            token_ids: match body.return_token_ids {
                None => TokenIds::InChoices,
                Some(true) => TokenIds::All,
                Some(false) => TokenIds::Omitted,
            },
            reasoning: body.include_reasoning != Some(false),
            function_call: body.functions.is_some(),
            metadata: kept.map(|kept| kept.metadata.clone()),
        }
    }
}

/// Returns the Unix time in seconds.
fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
    i64::try_from(now).unwrap_or(i64::MAX)
}

/// A stream with accounting. Dropping it cancels running work and records the usage, no matter how the stream ends.
struct Metered {
    /// Key of the request.
    key: Uuid,
    stream: ChatStream,
    meter: UsageMeter,
    limits: ResponseLimits,
    guard: ChatGuard,
    tokenizer: Arc<Tokenizer>,
}

impl Metered {
    /// Returns the next delta, which the caller may keep.
    async fn next(&mut self, is_kept: bool) -> Option<Result<ChatDelta, chat::ChatError>> {
        if is_kept { self.stream.next_kept().await } else { self.stream.next().await }
    }

    /// Returns the prompt's tokens and those of its logprobs that are known by now and not returned yet.
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
            self.guard.cancelled();
        }
    }
}

/// A streamed completion that is stored at its end.
struct KeptStream {
    keeper: KeptChat,
    head: Head,
    choices: CollectedChoices,
    prompt_logprobs: Option<Vec<Vec<chat::PromptLogprob>>>,
}

impl KeptStream {
    fn new(keeper: KeptChat, head: Head) -> Self {
        Self { keeper, head, choices: CollectedChoices::default(), prompt_logprobs: None }
    }

    fn add(&mut self, delta: &ChatDelta, prompt_logprobs: Option<&Vec<Vec<chat::PromptLogprob>>>) {
        self.choices.add(delta.clone());
        self.prompt_logprobs = self.prompt_logprobs.take().or_else(|| prompt_logprobs.cloned());
    }

    async fn keep(self, prompt: Arc<[u32]>, usage: chat::Usage) -> Result<(), ApiError> {
        let outcome = ChatOutcome { choices: self.choices.finish()?, usage };
        let prompt = PromptReport { tokens: prompt, logprobs: self.prompt_logprobs };
        self.keeper.keep(&completion(self.head, outcome, prompt)).await
    }
}

/// Returns the chunks of a streamed response: one with the roles, one per delta, and finally the usage if requested. A
/// completion that is kept is stored before the chunk that ends it.
fn chunks(
    head: Head,
    metered: Metered,
    usage: StreamedUsage,
    kept: Option<KeptStream>,
) -> impl futures_core::Stream<Item = Result<ChatCompletionChunk, ApiError>> + Send + 'static {
    let counted = move |mut chunk: ChatCompletionChunk, metered: &Metered| {
        if usage == StreamedUsage::Always {
            chunk.usage = Some(wire::usage(metered.stream.usage()));
        }
        chunk
    };
    let chunks = Chunks::new(head, metered.stream.prompt().clone());
    let first = counted(chunks.roles(), &metered);
    let rest = stream::unfold(Some((chunks, metered, kept)), move |state| async move {
        let (mut chunks, mut metered, mut kept) = state?;
        match tokio::time::timeout(KEEP_ALIVE, metered.next(kept.is_some())).await {
            Err(_) => Some((Ok(counted(chunks.silence(), &metered)), Some((chunks, metered, kept)))),
            Ok(Some(Ok(delta))) => {
                let logprobs = metered.stream.take_prompt_logprobs(&metered.tokenizer);
                if let Some(kept) = &mut kept {
                    kept.add(&delta, logprobs.as_ref());
                }
                if let Some(kept) = kept.take_if(|_| metered.stream.has_ended())
                    && let Err(error) = kept.keep(metered.stream.prompt().clone(), metered.stream.usage()).await
                {
                    return Some((Err(error), None));
                }
                let logprobs = logprobs.map(wire::prompt_logprobs);
                let chunk = ChatCompletionChunk { prompt_logprobs: logprobs, ..chunks.delta(delta) };
                Some((Ok(counted(chunk, &metered)), Some((chunks, metered, kept))))
            }
            Ok(Some(Err(error))) => Some((Err(error.into()), None)),
            Ok(None) if usage == StreamedUsage::Never => None,
            Ok(None) => Some((Ok(chunks.usage(metered.stream.usage())), None)),
        }
    });
    futures_util::StreamExt::chain(stream::iter([Ok(first)]), rest)
}
