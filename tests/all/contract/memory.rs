//! Memory of request bodies. For every operation, bodies are made from its schema that weigh little and hold much: many
//! small values, many keys, long strings. However many arrive at once, the service takes no more than four times their
//! bytes and a constant, and answers each.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use reqwest::Method;
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::{Value, json};

use super::requests::{self, Things};
use super::specification::{Row, resolved, rows};
use crate::jobs::memory::{memory_of, peak_memory};
use crate::support::process::Process;
use crate::support::{TestService, http};

/// Memory beside four times the bytes of the bodies: the budget of their values, threads and the allocator's reserve.
const CONSTANT: usize = 448 << 20;
/// Address space beside the idle one, so that an allocation without limit fails.
const ADDRESS_SPACE: u64 = 4 << 30;
/// Size of a body in bytes. Those of many small values are near the number that is accepted, and above it.
const SIZES: [usize; 2] = [400_000, 3_000_000];
/// Bodies at once.
const AT_ONCE: usize = 6;
/// Bodies of one operation and size.
const BODIES: usize = 24;
/// Levels of properties below the body.
const DEEPEST: usize = 4;

/// `count` times the item, with commas.
fn many(item: &str, size: usize) -> String {
    let count = size / (item.len() + 1);
    let mut text = String::with_capacity(size + item.len());
    for _ in 0..count {
        text.push_str(item);
        text.push(',');
    }
    text + item
}

fn many_keys(value: &str, size: usize) -> String {
    let mut text = String::from("{");
    for key in 0.. {
        text.push_str(&format!("\"{key:x}\":{value},"));
        if text.len() > size {
            break;
        }
    }
    text + &format!("\"\":{value}}}")
}

/// Values for a place that takes any JSON.
fn any(size: usize) -> Vec<String> {
    let lists = ["{}", "0", r#""""#, r#"{"a":0}"#].map(|item| format!("[{}]", many(item, size)));
    let mut values = lists.to_vec();
    values.push(many_keys("null", size));
    values
}

/// All alternatives of a schema, references followed.
fn alternatives(schema: &Value) -> Vec<&Value> {
    let schema = resolved(schema);
    let choices = ["oneOf", "anyOf"].iter().find_map(|key| schema[*key].as_array());
    match choices {
        Some(choices) => choices.iter().flat_map(alternatives).collect(),
        None => vec![schema],
    }
}

/// Properties by name, those of `allOf` included, with the required ones.
fn properties(schema: &Value) -> (BTreeMap<&str, &Value>, Vec<&str>) {
    let schema = resolved(schema);
    let (mut found, mut required) = (BTreeMap::new(), Vec::new());
    found.extend(schema["properties"].as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value)));
    required.extend(schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str));
    for part in schema["allOf"].as_array().into_iter().flatten() {
        let (more, names) = properties(part);
        found.extend(more);
        required.extend(names);
    }
    (found, required)
}

/// The smallest value of a schema that comes to mind.
fn minimal(schema: &Value) -> Value {
    let schema = alternatives(schema)[0];
    if let Some(value) = schema["enum"].as_array().and_then(|values| values.first()) {
        return value.clone();
    }
    match schema["type"].as_str() {
        Some("string") => schema.get("example").cloned().unwrap_or_else(|| json!("")),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or_else(|| json!(0)),
        Some("boolean") => json!(false),
        Some("array") if schema["minItems"].as_u64().unwrap_or(0) > 0 => json!([minimal(&schema["items"])]),
        Some("array") => json!([]),
        _ => {
            let (properties, required) = properties(schema);
            let fields =
                required.into_iter().filter_map(|name| Some((name.to_owned(), minimal(properties.get(name)?))));
            Value::Object(fields.collect())
        }
    }
}

/// Texts of values of a schema that hold much.
fn heavy(schema: &Value, size: usize, depth: usize) -> Vec<String> {
    alternatives(schema).into_iter().flat_map(|schema| heavy_alternative(schema, size, depth)).collect()
}

fn heavy_alternative(schema: &Value, size: usize, depth: usize) -> Vec<String> {
    let (properties, _) = properties(schema);
    match schema["type"].as_str() {
        Some("string") if schema["enum"].is_null() => vec![format!("\"{}\"", "a ".repeat(size / 2))],
        Some("array") => {
            let mut values = vec![format!("[{}]", many(&minimal(&schema["items"]).to_string(), size))];
            if depth < DEEPEST {
                values.extend(heavy(&schema["items"], size, depth + 1).into_iter().map(|item| format!("[{item}]")));
            }
            values
        }
        Some("object") | None if !properties.is_empty() => {
            let mut values = Vec::new();
            for (name, property) in properties.iter().filter(|_| depth < DEEPEST) {
                let mut rest = minimal(schema);
                rest.as_object_mut().map(|fields| fields.remove(*name));
                values.extend(heavy(property, size, depth + 1).iter().map(|value| with(&rest, name, value)));
            }
            values
        }
        Some("object") if schema["additionalProperties"].is_object() => {
            vec![many_keys(&minimal(&schema["additionalProperties"]).to_string(), size)]
        }
        Some("object") | None => any(size),
        _ => Vec::new(),
    }
}

/// The text of an object with one more field.
fn with(object: &Value, name: &str, value: &str) -> String {
    let text = object.to_string();
    let comma = if text == "{}" { "" } else { "," };
    format!("{}{comma}{}:{value}}}", &text[..text.len() - 1], json!(name))
}

/// Bodies of an operation: its example with one place made heavy.
fn bodies(row: &Row, example: &Value, size: usize) -> Vec<String> {
    let schema = &row.json_body().expect("a JSON body")["schema"];
    let mut bodies = Vec::new();
    for schema in alternatives(schema) {
        for (name, property) in properties(schema).0 {
            let mut rest = example.clone();
            let fields = rest.as_object_mut().expect("an object");
            fields.remove(name);
            // Generated tokens are not at issue.
            for limit in ["max_tokens", "max_completion_tokens", "max_output_tokens"] {
                fields.entry(limit).and_modify(|value| *value = json!(1));
            }
            bodies.extend(heavy(property, size, 1).iter().map(|value| with(&rest, name, value)));
        }
        bodies.extend(any(size).iter().map(|value| with(example, "x_unknown", value)));
    }
    let count = BODIES.min(bodies.len());
    (0..count).map(|index| bodies[index * bodies.len() / count].clone()).collect()
}

#[tokio::test]
async fn bodies_of_every_operation_take_bounded_memory() {
    let service = TestService::start().await;
    let things = Things::of(&service, "memory").await;
    let (directory, key) = service.stop_keeping_data().await;
    let server = Process::serve(directory.path(), &["--no-worker"]);
    let pid = Pid::from_raw(server.id().try_into().expect("a process id"));
    let space = memory_of(&server, "VmSize:") as u64 + ADDRESS_SPACE;
    prlimit(pid, Resource::As, Rlimit { current: Some(space), maximum: Some(space) }).expect("a limit can be set");
    let http = http();
    let send = async |row: &Row, path: &str, body: String| {
        let method: Method = row.method.parse().expect("a method");
        let request = http.request(method, format!("{}{path}", server.root)).bearer_auth(&key);
        // A body that is rejected is not read to its end.
        let request = request.header("connection", "close").header("content-type", "application/json");
        let response = request.body(body).send().await.unwrap_or_else(|error| panic!("{}: {error:?}", row.id));
        let status = response.status().as_u16();
        let text = response.text().await.unwrap_or_default();
        assert!(status < 500 || status == 503, "{}: {status} {text}", row.id);
        status
    };
    let idle = peak_memory(&server);
    for row in rows().iter().filter(|row| row.json_body().is_some()) {
        let asked = requests::about(row, &things);
        let example = asked.body.as_ref().expect("a body");
        for size in SIZES {
            reset_peak(&server);
            let (mut admitted, mut statuses) = (0, BTreeMap::<u16, usize>::new());
            for bodies in bodies(row, example, size).chunks(AT_ONCE) {
                admitted = admitted.max(bodies.iter().map(String::len).sum());
                for status in join_all(bodies.iter().map(|body| send(row, &asked.path, body.clone()))).await {
                    *statuses.entry(status).or_default() += 1;
                }
            }
            let taken = peak_memory(&server).saturating_sub(idle);
            println!("{:>32} {admitted:>9} bytes at once {:>6} KiB {statuses:?}", row.id, taken >> 10);
            assert!(taken <= 4 * admitted + CONSTANT, "{}: {taken} bytes for {admitted}", row.id);
        }
    }
    server.kill();
}

/// Makes the memory that the process has now its peak.
fn reset_peak(server: &Process) {
    std::fs::write(format!("/proc/{}/clear_refs", server.id()), "5").expect("the process is ours");
}
