//! The document as progenitor 0.15 can read it.
//!
//! Five rewrites: the `default` answer becomes `4XX` and `5XX` (progenitor panics on it beside any success type),
//! explicit error codes and aliases go (one error type and one path per operation), operations that answer text alone
//! go (they are for programs of their own, such as scrapers), operations that are left to hand-written code
//! (`x-client-by-hand`) go, parameters that the client as a whole sends
//! (`x-client-wide`) go, and limits of inline values move out (typify would turn
//! `minimum: 1` into `NonZeroU64`, `maxLength` into a newtype per property, and drop the rest).

use openapiv3::OpenAPI;
use serde_json::{Map, Value};

use super::super::codegen::{ir::operation::Method, reference::resolve};

/// Keywords that the generated validators check instead of typify.
pub const LIMITS: [&str; 7] = ["minimum", "maximum", "minLength", "maxLength", "pattern", "minItems", "maxItems"];

/// The view of a document that passed the linter.
pub fn of(document: &Value) -> Result<OpenAPI, String> {
    let mut view = document.clone();
    if let Some(paths) = view.get_mut("paths").and_then(Value::as_object_mut) {
        for item in paths.values_mut().filter_map(Value::as_object_mut) {
            item.retain(|_, operation| {
                operation.get("x-alias-of").is_none() && !answers_text_alone(operation) && !is_by_hand(operation)
            });
            for operation in item.values_mut().filter_map(Value::as_object_mut) {
                if let Some(parameters) = operation.get_mut("parameters").and_then(Value::as_array_mut) {
                    parameters.retain(|parameter| !is_client_wide(document, parameter));
                }
                if let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) {
                    group_errors(responses);
                }
            }
        }
        paths.retain(|_, item| Method::ALL.iter().any(|method| item.get(method.key()).is_some()));
    }
    // The types are ours: each name stands for one, whatever its schema says.
    if let Some(schemas) = view.pointer_mut("/components/schemas").and_then(Value::as_object_mut) {
        // Enumerations stay: progenitor passes them by value, as `types` of the same name.
        for schema in schemas.values_mut().filter(|schema| schema.get("enum").is_none()) {
            *schema = serde_json::json!({"type": "object"});
        }
    }
    strip_inline_limits(&mut view, false);
    serde_json::from_value(view).map_err(|error| format!("the view for progenitor does not parse: {error}"))
}

/// Whether a parameter is sent by a setting of the client instead of an argument of the method.
fn is_client_wide(document: &Value, parameter: &Value) -> bool {
    resolve(document, parameter)["x-client-wide"] == true
}

/// Whether everything that an operation answers on success is text.
fn answers_text_alone(operation: &Value) -> bool {
    let answers = operation["responses"].as_object().into_iter().flatten();
    let mut media = answers
        .filter(|(status, _)| status.starts_with('2'))
        .flat_map(|(_, answer)| answer["content"].as_object().into_iter().flatten())
        .map(|(media_type, _)| media_type.starts_with("text/") && !media_type.starts_with("text/event-stream"))
        .peekable();
    media.peek().is_some() && media.all(|is_text| is_text)
}

/// Whether the client's method of an operation is written by hand.
pub(super) fn is_by_hand(operation: &Value) -> bool {
    operation["x-client-by-hand"] == true
}

fn group_errors(responses: &mut Map<String, Value>) {
    responses.retain(|status, _| status == "default" || status.starts_with('2'));
    if let Some(default) = responses.remove("default") {
        responses.insert("4XX".to_owned(), default.clone());
        responses.insert("5XX".to_owned(), default);
    }
}

fn strip_inline_limits(node: &mut Value, inline: bool) {
    match node {
        Value::Object(map) => {
            if inline {
                map.retain(|key, _| !LIMITS.contains(&key.as_str()));
            }
            for (key, child) in map.iter_mut() {
                match (key.as_str(), child) {
                    ("properties", Value::Object(properties)) => {
                        properties.values_mut().for_each(|schema| strip_inline_limits(schema, true));
                    }
                    ("items" | "additionalProperties" | "schema", child) => strip_inline_limits(child, true),
                    ("oneOf" | "anyOf" | "allOf", Value::Array(branches)) => {
                        branches.iter_mut().for_each(|schema| strip_inline_limits(schema, true));
                    }
                    ("example" | "examples" | "default" | "enum", _) => {}
                    (_, child) => strip_inline_limits(child, false),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| strip_inline_limits(item, false)),
        _ => {}
    }
}
