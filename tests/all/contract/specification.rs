//! The document as its reader has it: rows of operations, and a judge of answers. Nothing here knows the generated code,
//! so it holds for operations that are yet to come.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Value, json};

use super::json_schema::{self, Fields, compiled};

static DOCUMENT: LazyLock<Value> = LazyLock::new(json_schema::document);
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(read_rows);
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

const METHODS: [&str; 8] = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"];
const JSON: &str = "application/json";
const FORM: &str = "multipart/form-data";
pub(crate) const BYTES: &str = "application/octet-stream";
const EVENTS: &str = "text/event-stream";

/// An operation.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub id: String,
    /// Upper case.
    pub method: String,
    /// Template below the base address.
    pub path: String,
    /// At the inference address, and not at the training one.
    pub inference: bool,
    /// Needs a key.
    pub secured: bool,
    /// Path, query and header parameters.
    pub parameters: Vec<Value>,
    /// The body, if it takes one.
    pub body: Option<Value>,
    /// By status or `default`.
    pub answers: Vec<(String, Value)>,
}

impl Row {
    /// The path as it is mounted when one listener answers for both addresses.
    pub(crate) fn mounted(&self) -> String {
        if self.inference { format!("/inference/v1{}", self.path) } else { self.path.clone() }
    }

    /// The mounted path with the values of its parameters.
    pub(crate) fn filled(&self, value: impl Fn(&str) -> String) -> String {
        let names = self.of("path").map(|parameter| parameter["name"].as_str().expect("a name"));
        names.fold(self.mounted(), |path, name| path.replace(&format!("{{{name}}}"), &value(name)))
    }

    /// The parameters in one place.
    pub(crate) fn of<'a>(&'a self, place: &'a str) -> impl Iterator<Item = &'a Value> {
        self.parameters.iter().filter(move |parameter| parameter["in"] == place)
    }

    /// The body's media type for JSON, if it takes one.
    pub(crate) fn json_body(&self) -> Option<&Value> {
        self.body_of(JSON)
    }

    /// The body's media type for a form, if it takes one.
    pub(crate) fn form(&self) -> Option<&Value> {
        self.body_of(FORM)
    }

    /// A media type of the body, if it takes it.
    pub(crate) fn body_of(&self, media_type: &str) -> Option<&Value> {
        self.body.as_ref().map(|body| &body["content"][media_type]).filter(|media| media.is_object())
    }

    /// The answer that the document has for a status, and under which key.
    pub(crate) fn answer(&self, status: u16) -> Option<(&str, &Value)> {
        let listed = |key: &str| self.answers.iter().find(|(status, _)| status == key);
        let found = listed(&status.to_string()).or_else(|| listed("default"));
        found.map(|(key, answer)| (key.as_str(), answer))
    }

    /// Everything that there must be a real answer for.
    pub(crate) fn pairs(&self) -> BTreeSet<Pair> {
        let mut pairs = BTreeSet::new();
        for (status, answer) in &self.answers {
            let media: Vec<String> =
                answer["content"].as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect();
            let media = if media.is_empty() { vec!["-".to_owned()] } else { media };
            pairs.extend(media.into_iter().map(|media| Pair {
                operation: self.id.clone(),
                status: status.clone(),
                media,
            }));
        }
        pairs
    }
}

/// An answer that the document promises: `status` is a number or `default`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub operation: String,
    pub status: String,
    pub media: String,
}

/// An answer as it came.
pub(crate) struct Seen<'a> {
    pub method: &'a str,
    /// With or without a query; as it is when one listener answers for both addresses.
    pub path: &'a str,
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: &'a [u8],
}

/// Every operation of the document.
pub(crate) fn rows() -> &'static [Row] {
    &ROWS
}

/// The schema of a component, for requests.
pub(crate) fn document() -> &'static Value {
    &DOCUMENT
}

/// Target of a reference.
pub(crate) fn resolved(value: &Value) -> &Value {
    match value["$ref"].as_str() {
        Some(reference) => {
            let pointer = reference.strip_prefix('#').expect("a reference within the document");
            resolved(DOCUMENT.pointer(pointer).unwrap_or_else(|| panic!("{reference} leads nowhere")))
        }
        None => value,
    }
}

fn read_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (path, item) in DOCUMENT["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("a path item") {
            if !METHODS.contains(&method.to_uppercase().as_str()) {
                continue;
            }
            let both = [&item["parameters"], &operation["parameters"]];
            let servers = [&operation["servers"], &item["servers"]].into_iter().find(|servers| servers.is_array());
            let security = operation.get("security").unwrap_or(&DOCUMENT["security"]);
            let answers = operation["responses"].as_object().expect("responses");
            rows.push(Row {
                id: operation["operationId"].as_str().expect("an id").to_owned(),
                method: method.to_uppercase(),
                path: path.clone(),
                inference: servers.is_some_and(|servers| servers.to_string().contains("inference")),
                secured: security
                    .as_array()
                    .is_some_and(|alternatives| !alternatives.is_empty() && !alternatives.contains(&json!({}))),
                parameters: both
                    .into_iter()
                    .filter_map(Value::as_array)
                    .flatten()
                    .map(|it| resolved(it).clone())
                    .collect(),
                body: operation.get("requestBody").map(|body| resolved(body).clone()),
                answers: answers.iter().map(|(status, answer)| (status.clone(), resolved(answer).clone())).collect(),
            });
        }
    }
    rows
}

/// The operation that a request is for.
pub(crate) fn row_of(method: &str, path: &str) -> Option<&'static Row> {
    let path = path.split('?').next().unwrap_or_default();
    let matches = |template: &str| {
        let mut parts = path.split('/');
        let fits = template.split('/').all(|part| {
            parts.next().is_some_and(|given| part == given || (part.starts_with('{') && !given.is_empty()))
        });
        fits && parts.next().is_none()
    };
    ROWS.iter().find(|row| row.method == method && matches(&row.mounted()))
}

/// Judges an answer by the document; tells which promise it keeps. `None` for what is no operation.
///
/// # Errors
/// Violations in the answer.
pub(crate) fn judge(seen: &Seen<'_>) -> Result<Option<Pair>, String> {
    let header = |name: &str| {
        seen.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    };
    let Some(row) = row_of(seen.method, seen.path) else {
        let rejected = (400..500).contains(&seen.status);
        return if rejected {
            validate("ErrorResponse", &json!({"$ref": "#/components/schemas/ErrorResponse"}), seen.body).map(|()| None)
        } else {
            Ok(None)
        };
    };
    let Some((status, answer)) = row.answer(seen.status) else {
        return Err(format!("{} does not document {}", row.id, seen.status));
    };
    let at = format!("{} {}", row.id, seen.status);
    for (name, documented) in answer["headers"].as_object().into_iter().flatten() {
        let documented = resolved(documented);
        match header(name) {
            None if documented["required"] == true => return Err(format!("{at}: no header {name}")),
            None => {}
            Some(value) => {
                let is_plain = ["integer", "number", "boolean"]
                    .contains(&resolved(&documented["schema"])["type"].as_str().unwrap_or_default());
                let value = if is_plain { value.to_owned() } else { json!(value).to_string() };
                validate(&format!("{at} header {name}"), &documented["schema"], value.as_bytes())?;
            }
        }
    }
    if header("x-request-id").is_none_or(str::is_empty) {
        return Err(format!("{at}: no x-request-id"));
    }
    let pair =
        |media: &str| Some(Pair { operation: row.id.clone(), status: status.to_owned(), media: media.to_owned() });
    let Some(content) = answer["content"].as_object() else {
        return if seen.body.is_empty() { Ok(pair("-")) } else { Err(format!("{at}: a body that is not documented")) };
    };
    let sent = header("content-type").unwrap_or_default();
    // Parameters count where the document has some.
    let media = if content.contains_key(sent) { sent } else { sent.split(';').next().unwrap_or_default().trim() };
    let Some(schema) = content.get(media).map(|media| &media["schema"]) else {
        return Err(format!("{at}: content type {media:?} is not documented"));
    };
    let at = format!("{at} {media}");
    if seen.method == "HEAD" {
        return Ok(None);
    }
    match media {
        EVENTS => judge_events(&at, schema, seen.body)?,
        JSON => validate(&at, schema, seen.body)?,
        _ => {}
    }
    Ok(pair(media))
}

/// Streams whose events have labels, comments in between and no `[DONE]`; whether the labels have ids, and their kind if it is
/// not the `type` of the event.
const LABELLED: [(&str, bool, Option<&str>); 4] = [
    ("#/components/schemas/TrainingJobEvent", true, None),
    ("#/components/schemas/MessageEvent", false, None),
    ("#/components/schemas/ResponseEvent", false, None),
    ("#/components/schemas/TrainingJobListEvent", false, Some("training_job_list")),
];

/// Each event one value of the schema or an error; `[DONE]` at the end alone, unless the events are labelled.
fn judge_events(at: &str, schema: &Value, body: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(body).map_err(|error| format!("{at}: {error}"))?;
    if let Some((_, with_id, kind)) = LABELLED.iter().find(|(labelled, ..)| schema["$ref"] == *labelled) {
        return judge_labelled_events(at, schema, text, *with_id, *kind);
    }
    let Some(events) = text.strip_suffix("data: [DONE]\n\n") else {
        return Err(format!("{at}: the stream does not end with [DONE]: {text:?}"));
    };
    for event in events.split_terminator("\n\n") {
        let Some(data) = event.strip_prefix("data: ") else { return Err(format!("{at}: not an event: {event:?}")) };
        if !data.starts_with(r#"{"error":"#) {
            validate(at, schema, data.as_bytes())?;
        } else {
            validate("ErrorResponse", &json!({"$ref": "#/components/schemas/ErrorResponse"}), data.as_bytes())?;
        }
    }
    Ok(())
}

fn judge_labelled_events(
    at: &str,
    schema: &Value,
    text: &str,
    with_id: bool,
    of_all: Option<&str>,
) -> Result<(), String> {
    for event in text.split_terminator("\n\n").filter(|event| *event != ":") {
        let (labels, data) = event.rsplit_once('\n').ok_or_else(|| format!("{at}: not an event: {event:?}"))?;
        let data = data.strip_prefix("data: ").ok_or_else(|| format!("{at}: no data: {event:?}"))?;
        validate(at, schema, data.as_bytes())?;
        let data: Value = serde_json::from_str(data).map_err(|error| format!("{at}: {error}"))?;
        let [id, kind] = ["id", "type"].map(|field| data[field].as_str().unwrap_or_default());
        let kind = of_all.unwrap_or(kind);
        let id = if with_id { format!("id: {id}\n") } else { String::new() };
        if labels != format!("{id}event: {kind}") {
            return Err(format!("{at}: labels of another event: {event:?}"));
        }
    }
    Ok(())
}

fn validate(at: &str, schema: &Value, body: &[u8]) -> Result<(), String> {
    let value: Value = serde_json::from_slice(body)
        .map_err(|error| format!("{at}: not JSON: {error}: {}", String::from_utf8_lossy(body)))?;
    let key = schema.to_string();
    let known = VALIDATORS.lock().expect("no test panics with it").get(&key).cloned();
    let validator = match known {
        Some(validator) => validator,
        None => {
            let validator = compiled(&DOCUMENT, schema, Fields::Closed);
            let validator = Arc::new(validator.map_err(|error| format!("{at}: the schema: {error}"))?);
            VALIDATORS.lock().expect("no test panics with it").insert(key, validator.clone());
            validator
        }
    };
    let faults: Vec<String> =
        validator.iter_errors(&value).map(|fault| format!("{}: {fault}", fault.instance_path())).take(5).collect();
    if faults.is_empty() { Ok(()) } else { Err(format!("{at}: {} in {value}", faults.join("; "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(path: &'static str, status: u16, body: &'static str) -> Seen<'static> {
        let headers = [("content-type", JSON), ("x-request-id", "r"), ("www-authenticate", "Bearer")];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        Seen { method: "GET", path, status, headers, body: body.as_bytes() }
    }

    /// A judge that accepts everything would make every test of answers pass.
    #[test]
    fn the_judge_rejects() {
        let error = r#"{"error":{"message":"m","type":"t_error","param":null,"code":null}}"#;
        assert!(judge(&seen("/v1/health", 401, error)).unwrap().is_some());
        let page = r#"{"object":"list","data":[],"first_id":"","last_id":"","has_more":false}"#;
        assert!(judge(&seen("/v1/preview/models/x/checkpoints?limit=1", 200, page)).unwrap().is_some());
        let part = r#"{"success":true,"duration":0.1,"errors":[]}"#;
        let parts = format!(r#""cpu_queue":{part},"gpu_queue":{part},"artifacts":{part},"disk":{part}"#);
        let check = format!(r#"{{"api":true,"database":false,{parts},"instruction_set":"avx2"}}"#);
        for body in [error, &check] {
            assert!(judge(&Seen { body: body.as_bytes(), ..seen("/v1/system-check", 503, "") }).unwrap().is_some());
        }
        for (bad, why) in [
            (seen("/v1/health", 200, r#"{"status":"fine"}"#), "enum"),
            (seen("/v1/health", 200, r#"{"status":"ok","more":1}"#), "undocumented field"),
            (seen("/v1/health", 200, "{}"), "missing field"),
            (seen("/v1/health", 401, r#"{"error":{"message":"m","type":"t_error","param":null}}"#), "missing code"),
            (seen("/v1/health", 401, r#"{"error":{"message":"m","type":"t_error","param":5,"code":null}}"#), "type"),
            (seen("/v1/health", 401, "oops"), "not JSON"),
            (seen("/health", 401, error), "undocumented status"),
            (seen("/nowhere", 404, "{}"), "no envelope"),
            (seen("/v1/system-check", 503, r#"{"api":true}"#), "neither of two bodies"),
            (Seen { headers: vec![("content-type".into(), JSON.into())], ..seen("/v1/health", 401, error) }, "headers"),
            (
                Seen {
                    headers: vec![("content-type".into(), "text/html".into()), ("x-request-id".into(), "r".into())],
                    ..seen("/v1/health", 200, r#"{"status":"ok"}"#)
                },
                "content type",
            ),
        ] {
            assert!(judge(&bad).is_err(), "{why}");
        }
    }

    #[test]
    fn events_are_judged_one_by_one() {
        let chunk = r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[]}"#;
        let headers = [("content-type", EVENTS), ("x-request-id", "r")];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let judged = |body: String| {
            let headers = headers.clone();
            judge(&Seen { method: "POST", path: "/v1/chat/completions", status: 200, headers, body: body.as_bytes() })
        };
        judged(format!("data: {chunk}\n\ndata: [DONE]\n\n")).unwrap();
        for bad in [format!("data: {chunk}\n\n"), "data: {}\n\ndata: [DONE]\n\n".to_owned(), String::new()] {
            assert!(judged(bad.clone()).is_err(), "{bad}");
        }
        let of_job = |body: &str| {
            let path = "/v1/preview/training-jobs/j/events";
            judge(&Seen { method: "GET", path, status: 200, headers: headers.clone(), body: body.as_bytes() })
        };
        let event = r#"data: {"id":"e","type":"training_ended","data":{}}"#;
        of_job(&format!(":\n\nid: e\nevent: training_ended\n{event}\n\n")).unwrap();
        for bad in [format!("id: f\nevent: training_ended\n{event}\n\n"), format!("{event}\n\n")] {
            assert!(of_job(&bad).is_err(), "{bad}");
        }
    }
}
