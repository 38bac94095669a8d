//! Streamed chat completions.

use futures_core::Stream;
use futures_util::{StreamExt, future, stream};
use progenitor_client::ClientInfo;

use super::{Client, ClientError, EventDecoder, hooks};
use crate::generated::types;

/// No chunk of a completion comes near it.
const LARGEST_EVENT: usize = 16 << 20;
const DONE: &[u8] = b"[DONE]";

impl Client {
    /// `create_chat_completion` with `stream: true`, chunk by chunk.
    ///
    /// The stream ends with the service's `[DONE]`. An error on the way is its last item; so is the end of the
    /// connection before `[DONE]`.
    pub async fn stream_chat_completion(
        &self,
        body: &types::ChatCompletionRequest,
    ) -> Result<impl Stream<Item = Result<types::ChatCompletionChunk, ClientError>> + Send + use<>, ClientError> {
        let body = types::ChatCompletionRequest { stream: Some(true), ..body.clone() };
        let request = self
            .client()
            .post(format!("{}/v1/chat/completions", self.baseurl()))
            .header(reqwest::header::ACCEPT, "text/event-stream")
            .json(&body)
            .build()?;
        let response = hooks::with_documented_error(self.client().execute(request).await?).await?;
        let status = response.status();
        if !status.is_success() {
            return Err(ClientError::refused(status.as_u16(), response.json().await?));
        }
        let mut decoder = EventDecoder::new(LARGEST_EVENT);
        let events = response.bytes_stream().map(Some).chain(stream::once(future::ready(None)));
        let chunks = events.map(move |bytes| match bytes {
            Some(Ok(bytes)) => match decoder.push(&bytes) {
                Ok(events) => events.into_iter().map(read_event).collect(),
                Err(error) => vec![Event::Failed(error.into())],
            },
            Some(Err(error)) => vec![Event::Failed(error.into())],
            None => vec![Event::Failed(ClientError::UnexpectedAnswer("the stream ended before its [DONE]".to_owned()))],
        });
        let mut over = false;
        Ok(chunks.flat_map(stream::iter).scan((), move |(), event| {
            let item = match event {
                _ if over => None,
                Event::Chunk(chunk) => Some(Ok(*chunk)),
                Event::Done => None,
                Event::Failed(error) => Some(Err(error)),
            };
            over = !matches!(item, Some(Ok(_)));
            future::ready(item)
        }))
    }
}

enum Event {
    Chunk(Box<types::ChatCompletionChunk>),
    Done,
    Failed(ClientError),
}

fn read_event(data: Vec<u8>) -> Event {
    if data == DONE {
        return Event::Done;
    }
    match serde_json::from_slice(&data) {
        Ok(chunk) => Event::Chunk(Box::new(chunk)),
        Err(error) => match serde_json::from_slice::<types::ErrorResponse>(&data) {
            // The answer began with 200, so the error has no status of its own.
            Ok(body) => Event::Failed(ClientError::refused(500, body)),
            Err(_) => Event::Failed(ClientError::UnexpectedAnswer(format!("an event is no chunk: {error}"))),
        },
    }
}
