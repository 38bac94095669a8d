//! View of the document that progenitor 0.15 can read.
//!
//! Six rewrites:
//!
//! * The `default` response becomes `4XX` and `5XX`: progenitor panics on `default` beside any success type.
//! * Explicit error codes and aliases are removed: one error type and one path per operation.
//! * Operations with text responses only are removed: they are for other programs, such as scrapers.
//! * Operations with a hand-written client method (`x-client-by-hand`) are removed.
//! * Parameters that the client sends with every request (`x-client-wide`) are removed.
//! * Limits of inline schemas are removed: typify would turn `minimum: 1` into `NonZeroU64` and `maxLength` into a
//!   newtype per property, and drop the others.

use openapiv3::OpenAPI;
use serde_json::{Map, Value};

use crate::{ir::operation::Method, reference::resolve};

/// Keywords that the generated validators check, instead of typify.
pub(super) const LIMITS: [&str; 7] =
    ["minimum", "maximum", "minLength", "maxLength", "pattern", "minItems", "maxItems"];

/// Returns the view of a document that passed the linter.
pub(super) fn of(document: &Value) -> Result<OpenAPI, String> {
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
    // Named types come from the server's generator, so their schemas are irrelevant here.
    if let Some(schemas) = view.pointer_mut("/components/schemas").and_then(Value::as_object_mut) {
        // Enumerations stay: progenitor passes them by value, as `types` of the same name.
        for schema in schemas.values_mut().filter(|schema| schema.get("enum").is_none()) {
            *schema = serde_json::json!({"type": "object"});
        }
    }
    strip_inline_limits(&mut view, false);
    serde_json::from_value(view).map_err(|error| format!("the view for progenitor does not parse: {error}"))
}

/// Returns whether a setting of the client sends the parameter, so that methods have no argument for it.
fn is_client_wide(document: &Value, parameter: &Value) -> bool {
    resolve(document, parameter)["x-client-wide"] == true
}

/// Returns whether every success response of an operation is text.
fn answers_text_alone(operation: &Value) -> bool {
    let answers = operation["responses"].as_object().into_iter().flatten();
    let mut media = answers
        .filter(|(status, _)| status.starts_with('2'))
        .flat_map(|(_, answer)| answer["content"].as_object().into_iter().flatten())
        .map(|(media_type, _)| media_type.starts_with("text/") && !media_type.starts_with("text/event-stream"))
        .peekable();
    media.peek().is_some() && media.all(|is_text| is_text)
}

/// Returns whether the client's method of an operation is written by hand.
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
