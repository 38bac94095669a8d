//! The document's limits are the service's: what is just inside is taken, what is just outside is rejected by its place.

use serde_json::{Map, Value, json};
use trainyard::generated::server::OPERATIONS;

use super::json_schema::{document, resolve, validator};
use super::requests::{open_session, stored_chat, unused_key};
use crate::support::{SEEDLING, TestService, text};

/// Fields whose value must name something that is there, be a grammar, fit the model's template or other fields: within
/// their limits they may still be rejected.
const NAMES: [&str; 41] = [
    // A block or a tool of this type has them.
    "content[0].text",
    "system[0].text",
    "tools[0].name",
    "tools[0].input_schema",
    "messages[0].role",
    "tools[0].type",
    "tool_choice.type",
    "tool_choice.name",
    "tool_choice.namespace",
    "tool_choice.function",
    "base_model",
    "lora.target_modules[0]",
    "best_of",
    "prompt",
    "prompt[0]",
    "prompt[0][0]",
    "tokens[0]",
    "training_data_url",
    "guided_grammar",
    "min_tokens",
    "reasoning_effort",
    "reasoning.effort",
    "verbosity",
    "input[0].content",
    "input[0].role",
    "input[0].type",
    "structured_outputs.choice",
    "structured_outputs.grammar",
    "structured_outputs.json",
    "structured_outputs.json_object",
    "structured_outputs.regex",
    "method.type",
    "method.dpo",
    "method.reinforcement",
    "integrations",
    // A job takes a group that has sessions.
    "group",
    // A conversation is continued without an input, if there is one.
    "input",
    // Each request of a batch of messages has an id of its own, and a model.
    "requests",
    "requests[0].custom_id",
    "requests[0].params",
    "requests[0].unheard_of",
];

/// Puts a value into its place in a body that is fine otherwise.
type Wrap<'a> = &'a dyn Fn(Value) -> Value;

/// One body, what is special about it, and whether the document allows it.
struct Case {
    place: String,
    what: String,
    body: Value,
    allowed: bool,
}

struct Cases<'a> {
    document: &'a Value,
    found: Vec<Case>,
}

impl<'a> Cases<'a> {
    fn add(&mut self, place: &str, what: impl Into<String>, allowed: bool, wrap: Wrap<'_>, value: Value) {
        self.found.push(Case { place: place.to_owned(), what: what.into(), body: wrap(value), allowed });
    }

    /// The component that a use of it stands for; what stands beside `allOf` adds words only, and a second branch null.
    fn target(&self, schema: &'a Value) -> &'a Value {
        if let Some([value, _]) = nullable_branches(schema) {
            return self.target(value);
        }
        match (&schema["allOf"][0], &schema["$ref"]) {
            (Value::Null, Value::Null) => schema,
            (Value::Null, _) => self.target(resolve(self.document, schema)),
            (part, _) => self.target(part),
        }
    }

    /// The least value that the schema accepts, or its example.
    fn least(&self, schema: &'a Value) -> Value {
        let schema = self.target(schema);
        if let Some(example) = schema.get("example") {
            return example.clone();
        }
        if let Some(branches) = schema["oneOf"].as_array() {
            return self.least(&branches[0]);
        }
        match schema["type"].as_str() {
            _ if schema["enum"].is_array() => schema["enum"][0].clone(),
            Some("object") => {
                let required = schema["required"].as_array().into_iter().flatten().map(text);
                required.map(|name| (name.to_owned(), self.least(&schema["properties"][name]))).collect()
            }
            Some("array") if schema["minItems"].as_u64().unwrap_or(0) > 0 => json!([self.least(&schema["items"])]),
            Some("array") => json!([]),
            Some("string") => "x".repeat(schema["minLength"].as_u64().unwrap_or(0) as usize).into(),
            Some("boolean") => json!(false),
            _ => schema.get("minimum").cloned().unwrap_or(json!(1)),
        }
    }

    fn schema(&mut self, place: &str, use_of: &'a Value, wrap: Wrap<'_>) {
        let nullable = use_of["nullable"] == true || nullable_branches(use_of).is_some();
        self.add(place, "null", nullable, wrap, Value::Null);
        let schema = self.target(use_of);
        if let Some(branches) = schema["oneOf"].as_array() {
            for branch in branches {
                self.kind(place, self.target(branch), wrap, false);
            }
            self.add(place, "true", false, wrap, json!(true));
        } else {
            self.kind(place, schema, wrap, true);
        }
    }

    /// Whether a text matches the pattern of a schema, if it has one.
    fn matches(&self, schema: &Value, text: &str) -> bool {
        let Some(pattern) = schema.get("pattern") else { return true };
        validator(self.document, &json!({ "type": "string", "pattern": pattern })).is_valid(&json!(text))
    }

    /// Values around the limits of a schema, and with `alone` one of another type.
    fn kind(&mut self, place: &str, schema: &'a Value, wrap: Wrap<'_>, alone: bool) {
        let limit = |key: &str| schema.get(key).and_then(Value::as_i64);
        if let Some(words) = schema["enum"].as_array() {
            for word in words {
                self.add(place, format!("{word}"), true, wrap, word.clone());
            }
            self.add(place, "no word of the list", false, wrap, json!("galaxy"));
            return;
        }
        match schema["type"].as_str() {
            Some("string") => {
                let fits = |text: &str| self.matches(schema, text);
                let letter = ["é", "a"].into_iter().find(|letter| fits(letter)).expect("a letter fits");
                let misfit = ["a/b", "a\u{1}b"].into_iter().find(|text| !fits(text));
                for (key, step) in [("minLength", -1), ("maxLength", 1)] {
                    let Some(length) = limit(key) else { continue };
                    let of_length = |length: i64| json!(letter.repeat(length as usize));
                    self.add(place, format!("{key} {length}"), true, wrap, of_length(length));
                    if length + step >= 0 {
                        self.add(place, format!("{key} {length} {step:+}"), false, wrap, of_length(length + step));
                    }
                }
                if schema["pattern"].is_string() {
                    let misfit = misfit.unwrap_or_else(|| panic!("{place}: say what its pattern refuses"));
                    self.add(place, "against the pattern", false, wrap, json!(misfit));
                }
            }
            Some("integer" | "number") => {
                let whole = schema["type"] == "integer";
                for (key, exclusive, step) in [("minimum", "exclusiveMinimum", -1), ("maximum", "exclusiveMaximum", 1)]
                {
                    let Some(bound) = schema.get(key) else { continue };
                    let allowed = schema[exclusive] != true;
                    self.add(place, format!("{key} {bound}"), allowed, wrap, bound.clone());
                    let beyond = bound.as_i64().and_then(|bound| bound.checked_add(step)).map(Value::from);
                    // What no integer of JSON libraries holds any more comes as a floating-point number.
                    let far = bound.as_f64().unwrap_or_default();
                    let beyond = beyond.unwrap_or_else(|| json!(far + far.abs().max(1.0) * step as f64));
                    self.add(place, format!("{key} {bound} {step:+}"), false, wrap, beyond);
                }
                if whole {
                    self.add(place, "a fraction", false, wrap, json!(1.5));
                }
            }
            Some("array") => {
                let item = self.least(&schema["items"]);
                for (key, step) in [("minItems", -1), ("maxItems", 1)] {
                    let Some(count) = limit(key) else { continue };
                    let of_count = |count: i64| json!(vec![item.clone(); count as usize]);
                    self.add(place, format!("{key} {count}"), true, wrap, of_count(count));
                    self.add(place, format!("{key} {count} {step:+}"), false, wrap, of_count(count + step));
                }
                let place = format!("{place}[0]");
                self.schema(&place, &schema["items"], &|value| wrap(json!([value])));
            }
            Some("object") if schema["additionalProperties"].get("type").is_some() => {
                self.schema(&format!("{place}.7"), &schema["additionalProperties"], &|value| {
                    wrap(json!({ "7": value }))
                });
            }
            Some("object") => {
                let least = self.least(schema);
                self.fields(place, schema, least.as_object().cloned().unwrap_or_default(), wrap);
            }
            _ => {}
        }
        if alone {
            let other = if schema["type"] == "object" { json!("x") } else { json!({}) };
            self.add(place, "another type", false, wrap, other);
        }
    }

    /// Every field of an object, in an object that is fine otherwise; and the object without what it needs.
    fn fields(&mut self, place: &str, schema: &'a Value, fine: Map<String, Value>, wrap: Wrap<'_>) {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let place = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
            let with = |value: Value| {
                let mut object = fine.clone();
                object.insert(name.clone(), value);
                wrap(object.into())
            };
            self.schema(&place, field, &with);
        }
        // Objects that allow nothing else, or nothing but null.
        let others = &schema["additionalProperties"];
        if *others == json!(false) {
            let unknown = if place.is_empty() { "unheard_of".to_owned() } else { format!("{place}.unheard_of") };
            let null_allowed = schema["x-unknown-null-ignored"] == true;
            for (value, allowed) in [(json!(1), false), (json!(null), null_allowed)] {
                let mut object = fine.clone();
                object.insert("unheard_of".to_owned(), value);
                self.add(&unknown, "an unknown field", allowed, wrap, object.into());
            }
        }
        for name in schema["required"].as_array().into_iter().flatten().map(text) {
            let mut object = fine.clone();
            object.shift_remove(name);
            let place = if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
            self.add(&place, "missing", false, wrap, object.into());
        }
    }
}

/// The two branches of a schema that is another one or null.
fn nullable_branches(schema: &Value) -> Option<&[Value]> {
    let branches = schema["oneOf"].as_array()?;
    (branches.len() == 2 && branches[1]["enum"] == json!([null])).then_some(branches)
}

/// A body that each operation takes, as small as can be.
fn fine(id: &str, model: &str) -> Value {
    match id {
        "create_chat_completion" => {
            json!({ "model": SEEDLING, "messages": [{ "role": "user", "content": "a" }], "max_tokens": 1 })
        }
        "create_response" | "count_response_tokens" | "compact_response" => {
            json!({ "model": SEEDLING, "input": "a", "max_output_tokens": 1 })
        }
        "create_message" | "count_message_tokens" => {
            json!({ "model": SEEDLING, "messages": [{ "role": "user", "content": "a" }], "max_tokens": 1 })
        }
        "create_completion" => json!({ "model": SEEDLING, "prompt": "a", "max_tokens": 1 }),
        "update_chat_completion" => json!({ "metadata": {} }),
        "create_message_batch" => {
            let message =
                json!({ "model": SEEDLING, "messages": [{ "role": "user", "content": "a" }], "max_tokens": 1 });
            json!({ "requests": [{ "custom_id": "a", "params": message }] })
        }
        "tokenize" => json!({ "model": SEEDLING, "prompt": "a" }),
        "detokenize" => json!({ "model": SEEDLING, "tokens": [2] }),
        // A file that is not there: every request that is taken would make a batch.
        "create_batch" => json!({
            "input_file_id": "file-1", "endpoint": "/v1/completions", "completion_window": "24h",
        }),
        "add_checkpoint" => json!({ "type": "copy", "model_id": model, "step": 0 }),
        "query_wandb" => json!({ "query": "query Viewer { viewer { id } }" }),
        "stream_wandb_run" => json!({}),
        "create_model" => {
            json!({ "project": "tests", "name": "limits", "base_model": SEEDLING, "return_existing": true })
        }
        // A model that is not there: every request that is taken would make one, and a job.
        "create_fine_tuning_job" => json!({ "model": "nobody/knows", "training_file": "file-1" }),
        "create_sft_training_job" => json!({ "model_id": model, "training_data_url": "https://example.com/x.jsonl" }),
        "create_training_job" => json!({ "model_id": model, "trajectory_groups": [] }),
        "create_session" => json!({ "model": SEEDLING }),
        "reward_session" => json!({ "reward": 1 }),
        "create_key" => json!({ "entity": "acme" }),
        "set_key_limits" | "update_training_job" => json!({}),
        "delete_checkpoints" => json!({ "steps": [] }),
        "log_trajectories" => json!({ "split": "val", "trajectory_groups": [] }),
        other => panic!("say what body {other} takes"),
    }
}

#[tokio::test]
async fn values_within_the_limits_are_accepted_and_others_rejected() {
    let document = document();
    let service = TestService::start().await;
    let model = service.model("limits").await;
    let job = service.start_sft(&model, &[], json!(null)).await;
    let key = unused_key(&service).await;
    let session = open_session(&service, SEEDLING).await;
    let chat = stored_chat(&service).await;
    let (mut wrong, mut seen) = (Vec::new(), [0, 0]);
    for operation in OPERATIONS.iter().filter(|operation| operation.alias_of.is_none()) {
        let node = &document["paths"][operation.path][operation.method.to_lowercase()];
        let Some(body) = node.get("requestBody") else { continue };
        let Some(media) = resolve(&document, body)["content"].get("application/json") else { continue };
        let schema = resolve(&document, &media["schema"]);
        let fine = fine(operation.id, &model.id);
        let mut cases = Cases { document: &document, found: Vec::new() };
        cases.fields("", schema, fine.as_object().cloned().unwrap_or_default(), &|body| body);
        let path = operation.path.replace("{model_id}", &model.id).replace("{entity}", "acme");
        let path = path.replace("{training_job_id}", &job).replace("{key_id}", &key).replace("{session_id}", &session);
        let path = path.replace("{completion_id}", &chat);
        let validator = validator(&document, schema);
        for case in cases.found {
            let Case { place, what, mut body, allowed } = case;
            if place.starts_with("tool_choice") {
                // In the form of chat completions and in that of responses.
                let function = json!({ "name": "get_weather" });
                body["tools"] = match operation.id {
                    "create_message" | "count_message_tokens" => json!([{ "name": "get_weather", "input_schema": {} }]),
                    _ => json!([{ "type": "function", "name": "get_weather", "function": function }]),
                };
            }
            if place.starts_with("messages") && operation.id == "tokenize" && !body["messages"].is_null() {
                body.as_object_mut().expect("an object").shift_remove("prompt");
            }
            if place.starts_with("function_call") {
                body["functions"] = json!([{ "name": "get_weather" }]);
            }
            let label = format!("{} {place} {what}", operation.id);
            let by_validator = validator.is_valid(&body);
            if by_validator != allowed {
                wrong.push(format!("{label}: a validator of JSON Schema says {by_validator}"));
                continue;
            }
            seen[usize::from(allowed)] += 1;
            let method = operation.method.parse().expect("a method");
            let answer = service.send_as(&service.admin_key, method, &path, Some(&body)).await;
            let error = &answer.body["error"];
            let names = NAMES.iter().any(|name| place.ends_with(name));
            let right = match answer.status.as_u16() {
                422 if allowed => names,
                422 => error["param"]
                    .as_str()
                    .is_some_and(|param| param.starts_with(place.split(['.', '[']).next().unwrap_or_default())),
                _ => allowed,
            };
            if !right {
                wrong.push(format!("{label}: {} {error}", answer.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
    service.stop().await;
}
