//! The file of a batch: JSON Lines, each a request.

use std::collections::HashSet;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::store::artifacts::ArtifactReader;
use crate::store::records::BatchFault;

/// Maximum size of the file in bytes.
pub(crate) const MAX_FILE_BYTES: i64 = 200_000_000;
/// Maximum number of requests.
const MAX_REQUESTS: usize = 50_000;
/// Maximum length of a line in bytes.
const MAX_LINE_BYTES: usize = 8 << 20;
/// Maximum length of an id in bytes.
const MAX_ID_BYTES: usize = 512;
/// Maximum number of faults that are told.
const MAX_FAULTS: usize = 100;

/// A request of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Number of the line, from 1.
    pub number: i64,
    /// The owner's id of the request.
    pub custom_id: String,
    /// The body of the request.
    pub body: String,
    /// Number of samples that it asks for.
    pub samples: usize,
}

#[derive(Deserialize)]
struct Written<'a> {
    #[serde(default)]
    custom_id: Value,
    #[serde(default)]
    method: Value,
    #[serde(default)]
    url: Value,
    #[serde(borrow)]
    body: Option<&'a RawValue>,
}

/// Reads the requests of a file for an endpoint, in order, until `each` breaks. Blocks.
///
/// # Errors
/// The file cannot be read.
pub(super) fn read(
    reader: impl Read,
    endpoint: &str,
    mut each: impl FnMut(Result<Line, BatchFault>) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut reader = BufReader::new(reader);
    let mut text = Vec::new();
    for number in 1_i64.. {
        text.clear();
        (&mut reader).take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut text)?;
        if text.is_empty() {
            break;
        }
        let is_cut = text.len() > MAX_LINE_BYTES && text.last() != Some(&b'\n');
        let content = text.strip_prefix(b"\xef\xbb\xbf").filter(|_| number == 1).unwrap_or(&text).trim_ascii();
        if content.is_empty() && !is_cut {
            continue;
        }
        let line = match is_cut {
            true => {
                let message = format!("the line has more than {MAX_LINE_BYTES} bytes");
                Err(fault("line_too_long", Some(number), None, message))
            }
            false => line(content, number, endpoint),
        };
        if each(line).is_break() || is_cut {
            break;
        }
    }
    Ok(())
}

/// Returns the number of requests of a file, or its faults. Blocks.
///
/// # Errors
/// The file cannot be read.
pub(super) fn check(reader: &mut ArtifactReader, endpoint: &str) -> io::Result<Result<usize, Vec<BatchFault>>> {
    let (mut ids, mut faults) = (HashSet::new(), Vec::new());
    read(reader, endpoint, |line| {
        match line {
            Ok(line) if ids.len() == MAX_REQUESTS => {
                let message = format!("the file has more than {MAX_REQUESTS} requests; send it in parts");
                faults.push(fault("too_many_requests", Some(line.number), None, message));
                return ControlFlow::Break(());
            }
            Ok(Line { number, custom_id, .. }) => {
                if ids.contains(&custom_id) {
                    let message = format!("an earlier line has the custom_id {custom_id:?} too");
                    faults.push(fault("duplicate_custom_id", Some(number), Some("custom_id"), message));
                }
                ids.insert(custom_id);
            }
            Err(found) => faults.push(found),
        }
        if faults.len() < MAX_FAULTS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    if faults.is_empty() && ids.is_empty() {
        faults.push(fault("empty_file", None, None, "the file has no requests".to_owned()));
    }
    Ok(if faults.is_empty() { Ok(ids.len()) } else { Err(faults) })
}

/// Returns a fault of a file.
pub(super) fn fault(code: &str, line: Option<i64>, param: Option<&str>, message: String) -> BatchFault {
    BatchFault { code: code.to_owned(), line: line.map(i64::unsigned_abs), message, param: param.map(str::to_owned) }
}

/// Checks a line that is to be written.
///
/// # Errors
/// Returns its fault.
pub(crate) fn check_line(content: &str, endpoint: &str) -> Result<(), BatchFault> {
    if content.len() > MAX_LINE_BYTES {
        return Err(fault("line_too_long", None, None, format!("the request has more than {MAX_LINE_BYTES} bytes")));
    }
    line(content.as_bytes(), 0, endpoint).map(drop)
}

fn line(content: &[u8], number: i64, endpoint: &str) -> Result<Line, BatchFault> {
    let at = |code: &str, param: Option<&str>, message: String| fault(code, Some(number), param, message);
    let missing = |field: &str, form: &str| {
        at("missing_required_parameter", Some(field), format!("{field} is missing, or is not {form}"))
    };
    let no_json =
        |error: &dyn std::fmt::Display| at("invalid_json_line", None, format!("the line is not JSON: {error}"));
    let text = std::str::from_utf8(content).map_err(|error| no_json(&error))?;
    if !text.starts_with('{') {
        return Err(at("invalid_json_line", None, "the line is not a JSON object".to_owned()));
    }
    let Written { custom_id, method, url, body } = serde_json::from_str(text).map_err(|error| no_json(&error))?;
    let Value::String(custom_id) = custom_id else { return Err(missing("custom_id", "a text")) };
    if custom_id.is_empty() || custom_id.len() > MAX_ID_BYTES {
        let message = format!("custom_id has 1 to {MAX_ID_BYTES} bytes");
        return Err(at("invalid_custom_id", Some("custom_id"), message));
    }
    if method != "POST" {
        return Err(at("invalid_method", Some("method"), "method is `POST`".to_owned()));
    }
    if url != endpoint {
        let message = format!("url is the endpoint of the batch, {endpoint}");
        return Err(at("mismatched_endpoint", Some("url"), message));
    }
    let body = body.map(RawValue::get).filter(|body| body.starts_with('{'));
    let body = body.ok_or_else(|| missing("body", "an object"))?;
    let fields: Map<String, Value> = serde_json::from_str(body).map_err(|error| no_json(&error))?;
    if !fields.get("model").is_some_and(Value::is_string) {
        return Err(missing("body.model", "the name of a model"));
    }
    if fields.get("stream").is_some_and(|stream| *stream == true) {
        let message = "a request of a batch is not streamed; leave stream out".to_owned();
        return Err(at("invalid_request", Some("body.stream"), message));
    }
    Ok(Line { number, custom_id, samples: samples(&fields), body: body.to_owned() })
}

/// Returns the number of samples that a body asks for. The operation checks it.
fn samples(fields: &Map<String, Value>) -> usize {
    let prompts = match fields.get("prompt") {
        Some(Value::Array(prompts)) if !prompts.first().is_some_and(Value::is_number) => prompts.len(),
        _ => 1,
    };
    let n = fields.get("n").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok()).unwrap_or(1);
    n.saturating_mul(prompts).clamp(1, 128)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAT: &str = "/v1/chat/completions";

    fn read_all(text: &[u8]) -> Vec<Result<Line, BatchFault>> {
        let mut lines = Vec::new();
        read(text, CHAT, |line| {
            lines.push(line);
            ControlFlow::Continue(())
        })
        .unwrap();
        lines
    }

    fn request(id: &str, body: &str) -> String {
        format!(r#"{{"custom_id": "{id}", "method": "POST", "url": "{CHAT}", "body": {body}}}"#)
    }

    #[test]
    fn lines_are_requests_with_their_numbers() {
        let body = r#"{"model": "m", "n": 3, "seed": 1.50}"#;
        let text = format!("\u{feff}{}\n\n  \r\n{}", request("a", body), request("b", r#"{"model":"m"}"#));
        let lines: Vec<Line> = read_all(text.as_bytes()).into_iter().map(Result::unwrap).collect();
        assert_eq!((lines[0].number, &*lines[0].custom_id, lines[0].samples), (1, "a", 3));
        assert_eq!(lines[0].body, body, "the body is not written anew");
        assert_eq!((lines[1].number, &*lines[1].custom_id, lines[1].samples), (4, "b", 1));
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn faults_name_their_line_and_field() {
        for (text, code, param) in [
            ("{".to_owned(), "invalid_json_line", None),
            ("[1]".to_owned(), "invalid_json_line", None),
            ("\"\\ud800\"".to_owned(), "invalid_json_line", None),
            (r#"{"custom_id": 7}"#.to_owned(), "missing_required_parameter", Some("custom_id")),
            (request("", "{}"), "invalid_custom_id", Some("custom_id")),
            (request("a", "{}").replace("POST", "GET"), "invalid_method", Some("method")),
            (request("a", "{}").replace("chat/", ""), "mismatched_endpoint", Some("url")),
            (request("a", "[]"), "missing_required_parameter", Some("body")),
            (request("a", "{}"), "missing_required_parameter", Some("body.model")),
            (request("a", r#"{"model": "m", "stream": true}"#), "invalid_request", Some("body.stream")),
            ("x".repeat(MAX_LINE_BYTES + 1), "line_too_long", None),
        ] {
            let fault = read_all(format!("\n{text}").as_bytes()).remove(0).unwrap_err();
            assert_eq!((&*fault.code, fault.line, fault.param.as_deref()), (code, Some(2), param), "{fault:?}");
        }
        assert!(read_all(b"\xff\xfe\n")[0].is_err());
    }
}
