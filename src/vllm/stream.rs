//! Reader of a stream of generated tokens.

use std::collections::VecDeque;

use futures_util::FutureExt;
use reqwest::Response;

use super::client::CallError;
use super::wire::{GenerateResponse, Token};
use crate::client::{EventDecoder, ServerEvent};

/// Maximum size of an event in bytes. An event has one token in general, with at most 20 alternatives.
const MAX_EVENT: usize = 4 << 20;
/// Data of the last event.
const DONE: &str = "[DONE]";

/// Tokens that arrived together.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Part {
    pub tokens: Vec<Token>,
    /// vLLM's reason for the end of the sample; `None` before the end.
    pub finish: Option<String>,
}

/// A stream of `POST /inference/v1/generate`. Dropping it closes the connection, which cancels the sample.
pub(super) struct TokenStream {
    response: Response,
    decoder: EventDecoder,
    events: VecDeque<ServerEvent>,
    /// Number of alternatives of each token.
    top: usize,
}

impl TokenStream {
    pub(super) fn new(response: Response, top: usize) -> Self {
        Self { response, decoder: EventDecoder::new(MAX_EVENT), events: VecDeque::new(), top }
    }

    /// Waits for the next tokens or the end of the sample, and takes those with them that have arrived by then, until there are
    /// `at_once`.
    ///
    /// # Errors
    /// The stream ended before the sample, or is not one of vLLM's.
    pub(super) async fn next(&mut self, at_once: usize) -> Result<Part, CallError> {
        let mut part = self.next_event().await?;
        while part.finish.is_none() && part.tokens.len() < at_once {
            let Some(more) = self.next_event().now_or_never() else { break };
            let more = more?;
            part.tokens.extend(more.tokens);
            part.finish = more.finish;
        }
        Ok(part)
    }

    /// Waits for the next event about the sample.
    async fn next_event(&mut self) -> Result<Part, CallError> {
        loop {
            while let Some(event) = self.events.pop_front() {
                if let Some(part) = parse(&event.data, self.top)? {
                    return Ok(part);
                }
            }
            let Some(bytes) = self.response.chunk().await? else {
                return Err(CallError::Broken("the stream ended before the sample".to_owned()));
            };
            let decoded = self.decoder.push(&bytes, &mut self.events);
            decoded.map_err(|error| CallError::Unreadable(error.to_string()))?;
        }
    }
}

/// Parses the data of an event; `None` if it has nothing about the sample, such as the usage.
fn parse(data: &str, top: usize) -> Result<Option<Part>, CallError> {
    let unreadable = |reason: &str| CallError::Unreadable(reason.to_owned());
    if data == DONE {
        return Err(unreadable("the stream ended without a reason"));
    }
    let response: GenerateResponse = super::client::parse(data.as_bytes())?;
    if let Some(error) = response.error {
        return Err(CallError::Status { status: error.code.unwrap_or(500), message: error.message });
    }
    let Some(mut choice) = response.choices.into_iter().next() else { return Ok(None) };
    let finish = choice.finish_reason.take();
    let tokens = choice.tokens(top).ok_or_else(|| unreadable("token ids and log-probabilities differ"))?;
    Ok(Some(Part { tokens, finish }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_events_of_a_stream() {
        let token = r#"{"choices":[{"index":0,"finish_reason":null,"token_ids":[7],"logprobs":{"content":[
            {"token_id":7,"logprob":-1.5,"rank":3,"top_logprobs":[{"token_id":7,"logprob":-1.5,"rank":3},
            {"token_id":9,"logprob":-0.5,"rank":1}]}]}}]}"#;
        let expected = Token { id: 7, logprob: -1.5, top: vec![(9, -0.5)] };
        assert_eq!(parse(token, 1), Ok(Some(Part { tokens: vec![expected], finish: None })));
        assert_eq!(parse(r#"{"choices":[],"usage":{"prompt_tokens":1}}"#, 0), Ok(None));
        let last = r#"{"choices":[{"finish_reason":"stop","token_ids":[],"logprobs":null}]}"#;
        assert_eq!(parse(last, 0), Ok(Some(Part { tokens: Vec::new(), finish: Some("stop".to_owned()) })));
        let status = parse(r#"{"error":{"message":"EngineCore died","type":"x","param":null,"code":500}}"#, 0);
        assert_eq!(status, Err(CallError::Status { status: 500, message: "EngineCore died".to_owned() }));
        for broken in [DONE, "{", r#"{"choices":[{"token_ids":[7],"logprobs":null}]}"#] {
            assert!(matches!(parse(broken, 0), Err(CallError::Unreadable(_))), "{broken}");
        }
    }
}
