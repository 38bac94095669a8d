//! Typed streams, and streamed chat completions.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use futures_util::{StreamExt, stream};
use reqwest::Response;

use super::call::{beginning, request_id};
use super::{Client, ClientError, EventDecoder, EventTooLarge, ServerEvent};
use crate::generated::types;

/// Limit on an event, bytes; far above any event of the service.
const MAX_EVENT: usize = 16 << 20;
/// The data of the event that ends a chat completion.
const DONE: &str = "[DONE]";

/// A stream of values. An error is its last item.
///
/// Implements [`Stream`]; also usable without a stream crate:
///
/// ```no_run
/// # async fn example(mut stream: trainyard::client::ResultStream<String>) -> Result<(), trainyard::client::ClientError> {
/// while let Some(value) = stream.try_next().await? {
///     println!("{value}");
/// }
/// # Ok(())
/// # }
/// ```
///
/// Dropping the stream closes its connection.
#[must_use = "nothing is asked for before the first value is"]
pub struct ResultStream<T>(Pin<Box<dyn Stream<Item = Result<T, ClientError>> + Send>>);

impl<T: 'static> ResultStream<T> {
    pub(super) fn new(stream: impl Stream<Item = Result<T, ClientError>> + Send + 'static) -> Self {
        Self(Box::pin(stream))
    }

    /// Returns the next value, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns the error that ended the stream. No value follows it.
    pub async fn try_next(&mut self) -> Result<Option<T>, ClientError> {
        self.0.next().await.transpose()
    }

    /// Collects the remaining values.
    ///
    /// # Errors
    ///
    /// Returns the error that ended the stream. The values before it are lost.
    pub async fn try_collect(mut self) -> Result<Vec<T>, ClientError> {
        let mut values = Vec::new();
        while let Some(value) = self.try_next().await? {
            values.push(value);
        }
        Ok(values)
    }
}

impl<T> Stream for ResultStream<T> {
    type Item = Result<T, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

impl<T> std::fmt::Debug for ResultStream<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ResultStream")
    }
}

/// Interpretation of an event: a value or the end of the stream.
pub(super) enum Step<T> {
    Value(T),
    End,
}

/// Converts a response of server-sent events to typed values. `read` interprets each event. If the connection ends
/// before [`Step::End`], the stream ends with an error.
pub(super) fn typed_events<T: Send + 'static>(
    response: Response,
    read: impl Fn(&ServerEvent) -> Result<Step<T>, serde_json::Error> + Send + 'static,
) -> ResultStream<T> {
    let source = Source {
        request_id: request_id(response.headers()),
        status: response.status().as_u16(),
        response,
        decoder: EventDecoder::new(MAX_EVENT),
        waiting: VecDeque::new(),
        fault: None,
    };
    ResultStream::new(stream::try_unfold((source, read), |(mut source, read)| async move {
        let event = source.next().await?;
        match read(&event) {
            Ok(Step::Value(value)) => Ok(Some((value, (source, read)))),
            Ok(Step::End) => Ok(None),
            Err(error) => Err(source.misfit(&event, &error)),
        }
    }))
}

struct Source {
    response: Response,
    status: u16,
    request_id: Option<String>,
    decoder: EventDecoder,
    waiting: VecDeque<ServerEvent>,
    /// Error to return after the waiting events.
    fault: Option<EventTooLarge>,
}

impl Source {
    async fn next(&mut self) -> Result<ServerEvent, ClientError> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Ok(event);
            }
            if let Some(fault) = self.fault {
                return Err(fault.into());
            }
            match self.response.chunk().await {
                Ok(Some(bytes)) => self.fault = self.decoder.push(&bytes, &mut self.waiting).err(),
                Ok(None) => return Err(ClientError::StreamCut { request_id: self.request_id.clone() }),
                Err(error) if error.is_timeout() => return Err(error.into()),
                Err(_) => return Err(ClientError::StreamCut { request_id: self.request_id.clone() }),
            }
        }
    }

    /// Returns the error for an event that `read` cannot parse: the service's error, or an unexpected response.
    fn misfit(&self, event: &ServerEvent, error: &serde_json::Error) -> ClientError {
        let request_id = self.request_id.clone();
        match serde_json::from_str::<types::ErrorResponse>(&event.data) {
            Ok(body) => ClientError::StreamFailed { detail: Box::new(body.error), request_id },
            Err(_) => ClientError::UnexpectedAnswer {
                status: self.status,
                request_id,
                reason: format!("an event is not of its type: {error} in: {}", beginning(event.data.as_bytes())),
            },
        }
    }
}

impl Client {
    /// Calls `create_chat_completion` with `stream: true` and returns its chunks.
    ///
    /// The stream ends at the service's `[DONE]`. An error during the stream is its last item
    /// ([`ClientError::StreamFailed`]); so is the end of the connection before `[DONE]`
    /// ([`ClientError::StreamCut`]). Once the stream has begun, the client does not retry.
    ///
    /// # Errors
    ///
    /// Returns an error if the service returns an error status or cannot be reached.
    pub async fn stream_chat_completion(
        &self,
        body: &types::ChatCompletionRequest,
    ) -> Result<ResultStream<types::ChatCompletionChunk>, ClientError> {
        let body = types::ChatCompletionRequest { stream: Some(true), ..body.clone() };
        let request = self
            .client
            .post(format!("{}/v1/chat/completions", self.baseurl))
            .header(reqwest::header::ACCEPT, "text/event-stream")
            .header("api-version", Self::api_version())
            .json(&body)
            .build()?;
        let response = self.send(request, |response| async move { event_stream(response) }).await?;
        Ok(typed_events(response, |event| match event.data.as_str() {
            DONE => Ok(Step::End),
            data => serde_json::from_str(data).map(Step::Value),
        }))
    }
}

/// Rejects a success response that is not an event stream, for example a proxy's page.
fn event_stream(response: Response) -> Result<Response, ClientError> {
    let kind = response.headers().get(reqwest::header::CONTENT_TYPE).map_or(&b""[..], |kind| kind.as_bytes());
    if kind.to_ascii_lowercase().starts_with(b"text/event-stream") {
        return Ok(response);
    }
    Err(ClientError::UnexpectedAnswer {
        status: response.status().as_u16(),
        request_id: request_id(response.headers()),
        reason: format!("it is `{}`, not a stream of events", beginning(kind)),
    })
}
