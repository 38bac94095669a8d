//! Legacy completions: the model continues a raw prompt, without a chat template.

mod read;
mod wire;

use std::collections::VecDeque;

use futures_util::stream;

use self::wire::Writer;
use super::wire::usage;
use super::{KEEP_ALIVE, Metered, Opening, Served, StreamedUsage};
use crate::api::Api;
use crate::auth::Caller;
use crate::chat::{ChatDelta, ChatError};
use crate::generated::server::chat::{CreateCompletionInput, CreateCompletionOutput};
use crate::generated::types::Completion;
use crate::http::{ApiError, EventStream, hold_response, take_body_memory};
use crate::metrics::ChatGuard;

impl Api {
    /// Handles a completion request.
    pub(super) async fn complete(
        &self,
        caller: Caller,
        input: CreateCompletionInput,
    ) -> Result<CreateCompletionOutput, ApiError> {
        let guard = ChatGuard::new(&self.metrics);
        let body = input.body;
        let ignored = read::ignored(&body)?;
        let (target, ignored) = self.target(&caller, &body.model, ignored).await?;
        let streamed = body.stream == Some(true);
        let usages = StreamedUsage::of(body.stream_options.as_ref());
        let most = (read::max_tokens(&body), read::completions(&body)?);
        let mut writer = Writer::new(&body, target.base.served.tokenizer());
        let projects = [input.vendor_project, input.open_ai_project];
        let opening = Opening { caller, target, projects, ignored, guard, most };
        let memory = take_body_memory();
        let start = |Served { model, adapter, owner }: Served| async move {
            model.complete_from(adapter, memory, move || read::request(body, &owner)).await.map_err(rejected)
        };
        let mut metered = self.open(opening, start).await?;
        let key = metered.key;
        writer.add_prompts(&metered.stream);
        if streamed {
            let chunks = chunks(Chunks { writer, metered, usages, held: VecDeque::new() });
            let chunks = self.until_revoked(key, chunks);
            return Ok(CreateCompletionOutput::OkEventStream(EventStream::new(chunks)));
        }
        let collected = async { metered.stream.collect().await.map_err(rejected) };
        let outcome = self.unless_revoked(key, collected).await?;
        hold_response(metered.stream.take_kept());
        writer.add_scores(&mut metered.stream);
        let used = usage(outcome.usage);
        let choices = outcome.choices.into_iter().map(|choice| {
            let (content, tokens, finish) = (choice.content.unwrap_or_default(), choice.tokens, Some(choice.finish));
            writer.choice(ChatDelta { index: choice.index, content, tokens, finish, ..ChatDelta::default() })
        });
        let choices = choices.collect();
        Ok(Completion { usage: Some(used), ..writer.completion(choices) }.into())
    }
}

/// Converts a chat error. A prompt that is too long is an error of another field than in chat.
fn rejected(error: ChatError) -> ApiError {
    match error {
        ChatError::PromptTooLong { prompt, limit } => ApiError::bad_request(format!(
            "a prompt has at least {prompt} tokens, but prompt and completion together may have {limit}; shorten it"
        ))
        .with_param("prompt")
        .with_code("context_length_exceeded"),
        error => error.into(),
    }
}

/// State of a streamed response.
struct Chunks {
    writer: Writer,
    metered: Metered,
    usages: StreamedUsage,
    /// Deltas that cannot be written yet.
    held: VecDeque<ChatDelta>,
}

impl Chunks {
    /// Returns the next delta. With `echo`, the deltas of a choice are held back until the logprobs of its prompt are
    /// known: only one choice per prompt computes them, and it need not be the first choice with a token.
    async fn next(&mut self) -> Option<Result<ChatDelta, ChatError>> {
        loop {
            if let Some(index) = self.held.iter().position(|delta| self.writer.is_ready(delta.index)) {
                return self.held.remove(index).map(Ok);
            }
            match self.metered.stream.next().await? {
                Ok(delta) => self.held.push_back(delta),
                Err(error) => return Some(Err(error)),
            }
            self.writer.add_scores(&mut self.metered.stream);
        }
    }

    fn chunk(&self, choices: Vec<crate::generated::types::CompletionChoice>) -> Completion {
        let counted = self.usages == StreamedUsage::Always || choices.is_empty();
        let usage = counted.then(|| usage(self.metered.stream.usage()));
        Completion { usage, ..self.writer.completion(choices) }
    }
}

/// Returns the chunks of a streamed response: one per delta, and finally the usage if requested.
fn chunks(chunks: Chunks) -> impl futures_core::Stream<Item = Result<Completion, ApiError>> + Send + 'static {
    stream::unfold(Some(chunks), |state| async move {
        let mut chunks = state?;
        match tokio::time::timeout(KEEP_ALIVE, chunks.next()).await {
            Err(_) => {
                let silence = chunks.writer.silence();
                Some((Ok(chunks.chunk(vec![silence])), Some(chunks)))
            }
            Ok(Some(Ok(delta))) => {
                let choice = chunks.writer.choice(delta);
                Some((Ok(chunks.chunk(vec![choice])), Some(chunks)))
            }
            Ok(Some(Err(error))) => Some((Err(rejected(error)), None)),
            Ok(None) if chunks.usages == StreamedUsage::Never => None,
            Ok(None) => Some((Ok(chunks.chunk(Vec::new())), None)),
        }
    })
}
