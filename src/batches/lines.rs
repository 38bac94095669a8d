//! Lines of the files of responses.

use std::fmt::Display;

use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::LineResponse;
use crate::store::records::BatchUsage;

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
