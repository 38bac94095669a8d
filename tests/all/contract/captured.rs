//! Requests that the public training client was recorded with, through the generated types and the generated client.
//!
//! `fixtures/captured.json` has them as they were on the wire, in order of the client's calls.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::Response;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use trainyard::client;
use trainyard::generated::types;

use super::specification::{Row, resolved, row_of};

const CAPTURED: &str = include_str!("fixtures/captured.json");

/// A recorded request.
struct Captured {
    row: &'static Row,
    /// With the query.
    target: String,
    body: Option<Value>,
}

fn captured() -> Vec<Captured> {
    let all: Value = serde_json::from_str(CAPTURED).expect("the recording is JSON");
    let all = all.as_array().expect("a list").iter().map(|one| {
        let (method, target) = one["request"].as_str().and_then(|text| text.split_once(' ')).expect("a request line");
        let row = row_of(method, target).unwrap_or_else(|| panic!("{method} {target} is no operation of the document"));
        Captured { row, target: target.to_owned(), body: one.get("body").cloned() }
    });
    all.collect()
}

/// A body through the generated type of its operation.
fn through_its_type(operation: &str, body: &Value) -> Value {
    by_its_type(operation, body).unwrap_or_else(|error| panic!("{error}: {body}"))
}

/// Violation that the generated type of its operation finds in a body.
fn rejection_by_its_type(operation: &str, body: &Value) -> Option<String> {
    by_its_type(operation, body).err().map(|error| error.to_string())
}

fn by_its_type(operation: &str, body: &Value) -> serde_json::Result<Value> {
    fn through<T: serde::de::DeserializeOwned + serde::Serialize>(body: &Value) -> serde_json::Result<Value> {
        // By way of the text: values that are kept as text are read from text only.
        let typed: T = serde_json::from_str(&body.to_string())?;
        serde_json::to_value(&typed)
    }
    match operation {
        "create_model" => through::<types::ModelCreate>(body),
        "log_trajectories" => through::<types::LogRequest>(body),
        "delete_checkpoints" => through::<types::DeleteCheckpointsRequest>(body),
        "create_training_job" => through::<types::CreateTrainingJob>(body),
        "create_sft_training_job" => through::<types::CreateSftTrainingJob>(body),
        "create_chat_completion" => through::<types::ChatCompletionRequest>(body),
        other => panic!("{other} takes a body: name its type here"),
    }
}

/// Parts that a template or a later trainer reads: every null of them counts.
const AS_WRITTEN: [&str; 3] = ["messages", "messages_and_choices", "tools"];

/// Equal as JSON, but that a null option may be absent: both mean that it was not given.
#[track_caller]
fn assert_same(what: &str, sent: &Value, again: &Value) {
    assert_eq!(without_nulls(again), without_nulls(sent), "{what}");
}

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let kept = map.iter().filter(|(_, value)| !value.is_null());
            let kept = kept.map(|(key, value)| {
                let as_written = AS_WRITTEN.contains(&key.as_str());
                (key.clone(), if as_written { value.clone() } else { without_nulls(value) })
            });
            Value::Object(kept.collect())
        }
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        scalar => scalar.clone(),
    }
}

#[test]
fn recorded_bodies_survive_the_types() {
    let bodies: Vec<_> = captured().into_iter().filter_map(|one| Some((one.row, one.body?))).collect();
    assert!(bodies.len() >= 9);
    for (row, body) in &bodies {
        let again = through_its_type(&row.id, body);
        assert_same(&row.id, body, &again);
    }
}

/// Adds a field that no document knows to the object at each place, one place at a time.
fn with_unknown_fields(body: &Value) -> Vec<(String, Value)> {
    fn places(value: &Value, at: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                found.push(at.to_owned());
                for (key, value) in map {
                    places(value, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found);
                }
            }
            Value::Array(items) => {
                for (index, value) in items.iter().enumerate() {
                    places(value, &format!("{at}/{index}"), found);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    places(body, "", &mut found);
    let added = found.into_iter().map(|place| {
        let mut body = body.clone();
        body.pointer_mut(&place).expect("a place")["from_the_future"] = json!({"a": [1, "☃"]});
        (place, body)
    });
    added.collect()
}

/// The objects of our own requests, whose unknown fields are rejected unless they are null.
fn is_closed(operation: &str, place: &str) -> bool {
    match operation {
        "create_model" | "create_chat_completion" => false,
        _ => matches!(place, "" | "/config" | "/config/metric_logging" | "/experimental_config"),
    }
}

/// Whatever a later client adds to material that is kept or handed on comes back; so does all of a chat request, and what
/// is added to a new model. In the options of training and the like a field has to be known, or ask for nothing.
#[test]
fn fields_of_later_clients_are_kept_or_rejected() {
    let (mut kept, mut rejected) = (0, 0);
    for one in captured() {
        let Some(body) = one.body else { continue };
        for (place, mut body) in with_unknown_fields(&body) {
            if is_closed(&one.row.id, &place) {
                let rejection = rejection_by_its_type(&one.row.id, &body);
                assert!(rejection.is_some_and(|text| text.contains("unknown field `from_the_future`")), "{body}");
                body.pointer_mut(&place).expect("a place")["from_the_future"] = Value::Null;
                through_its_type(&one.row.id, &body);
                rejected += 1;
                continue;
            }
            let again = through_its_type(&one.row.id, &body);
            assert_same(&format!("{} at {place:?}", one.row.id), &body, &again);
            kept += 1;
        }
    }
    assert!(kept > 40 && rejected > 5, "{kept}, {rejected}");
}

/// Request as it arrived.
#[derive(Debug)]
struct Arrived {
    method: String,
    target: String,
    body: Bytes,
}

/// A server that tells what it got, and answers with the example of the document.
async fn telling_server() -> (String, mpsc::UnboundedReceiver<Arrived>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let tell = async |State(sender): State<mpsc::UnboundedSender<Arrived>>, request: Request| {
        let (parts, body) = request.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.expect("a body");
        let (method, target) = (parts.method.to_string(), parts.uri.to_string());
        let row = row_of(&method, &target).expect("an operation");
        let (_, answer) = row.answer(200).expect("a success");
        let media = &answer["content"]["application/json"];
        let example = media["examples"].as_object().and_then(|examples| examples.values().next());
        let example = example.map_or(&media["example"], |example| &resolved(example)["value"]);
        sender.send(Arrived { method, target, body }).expect("the test listens");
        Response::builder()
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(example.to_string()))
            .expect("an answer")
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let root = format!("http://{}", listener.local_addr().expect("an address"));
    let router = Router::new().fallback(tell).with_state(sender);
    tokio::spawn(async move { axum::serve(listener, router).await });
    (root, receiver)
}

#[tokio::test]
async fn recorded_requests_are_sent_again_as_they_were() {
    let (root, mut arrived) = telling_server().await;
    let client = client::connect(&root, "a-key").expect("a client");
    for one in captured() {
        let (path, query) = one.target.split_once('?').unwrap_or((&one.target, ""));
        let segments: Vec<&str> = path.split('/').collect();
        let id = segments.get(4).copied().unwrap_or_default();
        let text = one.body.as_ref().map(Value::to_string).unwrap_or_default();
        let parameter = |name: &str| {
            query
                .split('&')
                .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
                .filter(|value| !value.is_empty())
        };
        let (after, limit) =
            (parameter("after").map(str::to_owned), parameter("limit").map(|limit| limit.parse().expect("a number")));
        let order = parameter("order").map(|order| order.parse::<types::SortOrder>().expect("an order"));
        let what = format!("{} {}", one.row.id, one.target);
        match one.row.id.as_str() {
            "create_model" => drop(client.create_model(&read(&text)).await.expect(&what)),
            "delete_model" => drop(client.delete_model(id).await.expect(&what)),
            "log_trajectories" => drop(client.log_trajectories(id, &read(&text)).await.expect(&what)),
            "list_checkpoints" => {
                let mut request = client.list_checkpoints(id);
                (request.after, request.limit, request.order) = (after, limit, order);
                drop(request.await.expect(&what));
            }
            "delete_checkpoints" => drop(client.delete_checkpoints(id, &read(&text)).await.expect(&what)),
            "create_training_job" => drop(client.create_training_job(&read(&text)).await.expect(&what)),
            "create_sft_training_job" => drop(client.create_sft_training_job(&read(&text)).await.expect(&what)),
            "list_training_job_events" => {
                let mut request = client.list_training_job_events(id);
                (request.after, request.limit, request.order) = (after, limit, order);
                drop(request.await.expect(&what));
            }
            "create_chat_completion" => {
                drop(client.create_chat_completion(&read(&text)).await.expect(&what));
            }
            other => panic!("{other}: call it here"),
        }
        let arrived = arrived.recv().await.expect("a request");
        assert_eq!((arrived.method.as_str(), sorted(&arrived.target)), (one.row.method.as_str(), sorted(&one.target)));
        match &one.body {
            Some(body) => assert_same(&what, body, &serde_json::from_slice(&arrived.body).expect("JSON")),
            None => assert!(arrived.body.is_empty(), "{what}: {:?}", arrived.body),
        }
    }
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A target whose query's parts are in order: what follows what means nothing.
fn sorted(target: &str) -> String {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut parts: Vec<&str> = query.split('&').filter(|part| !part.is_empty()).collect();
    parts.sort_unstable();
    format!("{path}?{}", parts.join("&"))
}
