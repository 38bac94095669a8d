//! Lines of the files of responses.

use std::fmt::Display;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::LineResponse;
use crate::store::records::BatchUsage;

/// Codes of requests that a batch did not come to.
pub(crate) const EXPIRED: &str = "batch_expired";
pub(crate) const CANCELLED: &str = "batch_cancelled";

/// What a line of the files says about a request.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The body of its response, JSON, and whether it succeeded.
    Response { body: Box<RawValue>, is_success: bool },
    /// The code and the explanation of why there is none.
    None { code: String, message: String },
}

/// Reads a line of the files: the id of the request, and what became of it.
///
/// # Errors
/// The line is not of such a file.
pub(crate) fn outcome(line: &str) -> serde_json::Result<(String, Outcome)> {
    #[derive(Deserialize)]
    struct Written {
        custom_id: String,
        response: Option<Response>,
        error: Option<Failure>,
    }
    #[derive(Deserialize)]
    struct Response {
        status_code: u16,
        body: Box<RawValue>,
    }
    #[derive(Default, Deserialize)]
    struct Failure {
        code: String,
        message: String,
    }
    let Written { custom_id, response, error } = serde_json::from_str(line)?;
    let outcome = match response {
        Some(Response { status_code, body }) => {
            Outcome::Response { body, is_success: (200..300).contains(&status_code) }
        }
        None => {
            let Failure { code, message } = error.unwrap_or_default();
            Outcome::None { code, message }
        }
    };
    Ok((custom_id, outcome))
}

/// Returns the line of a response.
pub(super) fn answered(custom_id: &str, response: &LineResponse) -> String {
    let LineResponse { status, request_id, body, .. } = response;
    // A line break in JSON is white space.
    let body = body.replace(['\n', '\r'], " ");
    let response = format!(r#"{{"status_code": {status}, "request_id": {}, "body": {body}}}"#, json!(request_id));
    line(custom_id, &response, "null")
}

/// Returns the line of a request that has no response.
pub(super) fn unanswered(custom_id: &str, code: &str, message: &str) -> String {
    line(custom_id, "null", json!({ "code": code, "message": message }))
}

fn line(custom_id: &str, response: impl Display, error: impl Display) -> String {
    let id = format!("batch_req_{}", Uuid::new_v4().simple());
    format!(r#"{{"id": "{id}", "custom_id": {}, "response": {response}, "error": {error}}}"#, json!(custom_id))
}

/// Returns the tokens of a response in any dialect.
pub(super) fn usage(body: &str) -> BatchUsage {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Body {
        usage: Option<Usage>,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Usage {
        #[serde(alias = "prompt_tokens")]
        input_tokens: i64,
        #[serde(alias = "completion_tokens")]
        output_tokens: i64,
        /// Anthropic's: not among the input tokens.
        cache_read_input_tokens: Option<i64>,
        #[serde(alias = "prompt_tokens_details")]
        input_tokens_details: Option<Details>,
        #[serde(alias = "completion_tokens_details")]
        output_tokens_details: Option<Details>,
    }
    #[derive(Clone, Copy, Default, Deserialize)]
    #[serde(default)]
    struct Details {
        cached_tokens: Option<i64>,
        #[serde(alias = "thinking_tokens")]
        reasoning_tokens: Option<i64>,
    }
    // A body without usage counts nothing.
    let usage = serde_json::from_str::<Body>(body).ok().and_then(|body| body.usage).unwrap_or_default();
    let beside = usage.cache_read_input_tokens.unwrap_or_default();
    let of_input = usage.input_tokens_details.and_then(|details| details.cached_tokens).unwrap_or_default();
    BatchUsage {
        input: usage.input_tokens.saturating_add(beside),
        cached: of_input.saturating_add(beside),
        output: usage.output_tokens,
        reasoning: usage.output_tokens_details.and_then(|details| details.reasoning_tokens).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn lines_have_the_form_of_openai() {
        let response =
            LineResponse { status: 200, request_id: "r".into(), body: r#"{"a":1.50}"#.into(), retry_after: None };
        let line = answered("a \"b\"", &response);
        assert!(line.contains("1.50") && !line.contains('\n'));
        let line: Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&line["custom_id"], &line["error"]), (&json!("a \"b\""), &Value::Null));
        assert_eq!(line["response"], json!({"status_code": 200, "request_id": "r", "body": {"a": 1.5}}));
        let line: Value = serde_json::from_str(&unanswered("c", "batch_expired", "late")).unwrap();
        assert_eq!((&line["response"], &line["error"]["code"]), (&Value::Null, &json!("batch_expired")));
        assert!(line["id"].as_str().unwrap().starts_with("batch_req_"));
    }

    #[test]
    fn results_are_read_from_lines() {
        let response =
            LineResponse { status: 200, request_id: "r".into(), body: r#"{"a":1.50}"#.into(), retry_after: None };
        let (id, read) = outcome(&answered("a", &response)).unwrap();
        assert!(
            id == "a" && matches!(&read, Outcome::Response { body, is_success: true } if body.get() == r#"{"a":1.50}"#)
        );
        let (_, read) = outcome(&answered("a", &LineResponse { status: 404, ..response })).unwrap();
        assert!(matches!(read, Outcome::Response { is_success: false, .. }), "{read:?}");
        let (_, read) = outcome(&unanswered("c", EXPIRED, "late")).unwrap();
        assert!(matches!(&read, Outcome::None { code, message } if code == EXPIRED && message == "late"), "{read:?}");
        assert!(outcome("{}").is_err());
    }

    #[test]
    fn tokens_are_counted_in_every_dialect() {
        let counted = |body: Value| {
            let BatchUsage { input, cached, output, reasoning } = usage(&body.to_string());
            [input, cached, output, reasoning]
        };
        let chat = json!({"usage": {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7,
            "prompt_tokens_details": {"cached_tokens": 4}, "completion_tokens_details": {"reasoning_tokens": 1}}});
        assert_eq!(counted(chat), [5, 4, 2, 1]);
        let response =
            json!({"usage": {"input_tokens": 5, "output_tokens": 2, "input_tokens_details": {"cached_tokens": 4}}});
        assert_eq!(counted(response), [5, 4, 2, 0]);
        let message = json!({"usage": {"input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": 4}});
        assert_eq!(counted(message), [5, 4, 2, 0]);
        assert_eq!(counted(json!({"error": {}})), [0; 4]);
    }
}
