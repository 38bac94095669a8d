//! Recording of what a request samples, token by token.
//!
//! The recording is stored before the stream yields its last delta, so a client that has a whole response can rely on it. A
//! stream that is dropped or fails before its end is stored as far as it was sampled.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::runtime::Handle;

use super::delta::{ChatDelta, ChatFinish};
use super::tools::ToolCall;
use super::{ChatError, completion_memory};
use crate::budget::Share;

/// Storing of a recording.
pub(crate) type Storing = Pin<Box<dyn Future<Output = Result<(), ChatError>> + Send>>;
/// Begins to store a recording.
pub(crate) type StoreRecording = Box<dyn FnOnce(RecordedSample) -> Storing + Send>;

/// What a request sampled.
#[derive(Debug)]
pub(crate) struct RecordedSample {
    /// Messages, tools and sampling options of the request, a JSON object.
    pub request: String,
    /// Tokens of each prompt.
    pub prompts: Vec<Arc<[u32]>>,
    /// Choices, the same number for each prompt, in the order of the prompts.
    pub choices: Vec<RecordedChoice>,
    /// Whether every choice came to its end.
    pub is_whole: bool,
}

/// A sampled choice.
#[derive(Debug, Default)]
pub(crate) struct RecordedChoice {
    /// Sampled token ids.
    pub ids: Vec<u32>,
    /// Logprob of each token.
    pub logprobs: Vec<f32>,
    /// Reasoning content.
    pub reasoning: String,
    /// Text.
    pub content: String,
    /// Tool calls.
    pub tool_calls: Vec<ToolCall>,
    /// Finish reason; `None` for a choice that did not come to its end.
    pub finish: Option<ChatFinish>,
}

/// The recording of a stream. Dropping it stores it in the background, unless it is stored.
pub(super) struct Recording {
    sample: Option<(RecordedSample, StoreRecording)>,
    storing: Option<Storing>,
    /// Last item of the stream, held back until the recording is stored.
    held: Option<Result<ChatDelta, ChatError>>,
    /// Memory of the recording.
    kept: Share,
}

impl Recording {
    /// Creates the recording of a stream with this number of choices.
    ///
    /// # Errors
    /// All completions together would take more memory than they may.
    pub(super) fn new(
        request: String,
        prompts: Vec<Arc<[u32]>>,
        choices: usize,
        store: StoreRecording,
    ) -> Result<Self, ChatError> {
        let mut kept = completion_memory::none();
        completion_memory::add_bytes(&mut kept, request.len())?;
        let choices = (0..choices).map(|_| RecordedChoice::default()).collect();
        let sample = RecordedSample { request, prompts, choices, is_whole: false };
        Ok(Self { sample: Some((sample, store)), storing: None, held: None, kept })
    }

    /// Adds a delta.
    ///
    /// # Errors
    /// All completions together would take more memory than they may.
    pub(super) fn add(&mut self, delta: &ChatDelta) -> Result<(), ChatError> {
        let Some((sample, _)) = &mut self.sample else { return Ok(()) };
        let Some(choice) = sample.choices.get_mut(delta.index as usize) else { return Ok(()) };
        completion_memory::add_recorded(&mut self.kept, delta)?;
        choice.ids.extend(delta.tokens.iter().map(|token| token.id));
        choice.logprobs.extend(delta.tokens.iter().map(|token| token.logprob));
        choice.reasoning.push_str(&delta.reasoning);
        choice.content.push_str(&delta.content);
        delta.tool_calls.iter().for_each(|call| call.clone().apply(&mut choice.tool_calls));
        choice.finish = choice.finish.or(delta.finish);
        Ok(())
    }

    /// Begins to store the recording, and holds the last item of the stream back.
    pub(super) fn end(&mut self, last: Result<ChatDelta, ChatError>) {
        self.held = Some(last);
        self.storing = self.begin();
    }

    /// Returns the last item of the stream once the recording is stored; `None` before the end of the stream.
    ///
    /// The item is an error if the recording cannot be stored.
    pub(super) fn poll_end(&mut self, context: &mut Context<'_>) -> Option<Poll<Result<ChatDelta, ChatError>>> {
        self.held.as_ref()?;
        if let Some(storing) = &mut self.storing {
            let Poll::Ready(stored) = storing.as_mut().poll(context) else { return Some(Poll::Pending) };
            self.storing = None;
            if let (Err(error), Some(Ok(_))) = (stored, &self.held) {
                self.held = Some(Err(error));
            }
        }
        self.held.take().map(Poll::Ready)
    }

    fn begin(&mut self) -> Option<Storing> {
        let (mut sample, store) = self.sample.take()?;
        sample.is_whole = sample.choices.iter().all(|choice| choice.finish.is_some());
        Some(store(sample))
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let storing = self.storing.take().or_else(|| self.begin());
        let (Some(storing), Ok(runtime)) = (storing, Handle::try_current()) else { return };
        runtime.spawn(async move {
            if let Err(error) = storing.await {
                tracing::error!(%error, "what an abandoned request sampled could not be recorded");
            }
        });
    }
}
