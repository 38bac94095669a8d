//! View of the document that progenitor 0.15 can read.
//!
//! Nine rewrites:
//!
//! * The `default` response becomes `4XX` and `5XX`: progenitor panics on `default` beside any success type.
//! * Explicit error codes and aliases are removed: one error type and one path per operation.
//! * Operations with text responses only are removed: they are for other programs, such as scrapers.
//! * Operations with a hand-written client method (`x-client-by-hand`) are removed.
//! * Parameters that the client sends with every request (`x-client-wide`), and aliases of other parameters
//!   (`x-alias-of`), are removed.
//! * A method name of its own (`x-rust-name`) replaces the id of the operation.
//! * References to a component with a type for each direction lead to a component for their direction.
//! * Limits of inline schemas are removed: typify would turn `minimum: 1` into `NonZeroU64` and `maxLength` into a
//!   newtype per property, and drop the others.

use std::collections::BTreeMap;

use openapiv3::OpenAPI;
use serde_json::{Map, Value};

use crate::fault::child;
use crate::ir::operation::Method;
use crate::ir::schema::{Direction, NamedType};
use crate::reference::{reference_pointer, resolve};

/// Keywords that the generated validators check, instead of typify.
pub(super) const LIMITS: [&str; 7] =
    ["minimum", "maximum", "minLength", "maxLength", "pattern", "minItems", "maxItems"];

/// Returns the name of a type's component in the view; `None` for a type without a component.
pub(super) fn component(named: &NamedType) -> Option<&str> {
    let component = named.component.as_deref()?;
    Some(if named.direction.is_some() { &named.name } else { component })
}

/// Returns the view of a document that passed the linter.
pub(super) fn of(document: &Value, types: &[NamedType]) -> Result<OpenAPI, String> {
    let mut view = document.clone();
    if let Some(paths) = view.get_mut("paths").and_then(Value::as_object_mut) {
        for item in paths.values_mut().filter_map(Value::as_object_mut) {
            item.retain(|_, operation| {
                operation.get("x-alias-of").is_none() && !answers_text_alone(operation) && !is_by_hand(operation)
            });
            keep_arguments(document, item);
            for operation in item.values_mut().filter_map(Value::as_object_mut) {
                keep_arguments(document, operation);
                if let Some(name) = operation.get("x-rust-name").cloned() {
                    operation.insert("operationId".to_owned(), name);
                }
                if let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) {
                    group_errors(responses);
                }
            }
        }
        paths.retain(|_, item| Method::ALL.iter().any(|method| item.get(method.key()).is_some()));
    }
    direct_references(&mut view, types);
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

/// Removes the parameters of a path or an operation for which methods have no argument: those that a setting of the
/// client sends, and other names of a parameter.
fn keep_arguments(document: &Value, holder: &mut Map<String, Value>) {
    let Some(parameters) = holder.get_mut("parameters").and_then(Value::as_array_mut) else { return };
    parameters.retain(|parameter| {
        let parameter = resolve(document, parameter);
        parameter["x-client-wide"] != true && parameter.get("x-alias-of").is_none()
    });
}

/// Returns whether every success response of an operation is text.
pub(super) fn answers_text_alone(operation: &Value) -> bool {
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
    operation.get("x-client-by-hand").is_some_and(|by_hand| *by_hand != false)
}

/// Replaces each reference to a component that has a type for each direction.
fn direct_references(view: &mut Value, types: &[NamedType]) {
    let directed = |direction| {
        let directed = types.iter().filter(move |named| named.direction == Some(direction));
        directed
            .filter_map(|named| Some((child("/components/schemas", named.component.as_deref()?), named.name.as_str())))
    };
    let [requests, responses]: [BTreeMap<String, &str>; 2] =
        Direction::BOTH.map(|direction| directed(direction).collect());
    if let Some(schemas) = view.pointer_mut("/components/schemas").and_then(Value::as_object_mut) {
        schemas.extend(requests.values().chain(responses.values()).map(|name| ((*name).to_owned(), Value::Null)));
    }
    redirect(view, &BTreeMap::new(), [&requests, &responses]);
}

fn redirect(node: &mut Value, names: &BTreeMap<String, &str>, directed: [&BTreeMap<String, &str>; 2]) {
    match node {
        Value::Object(map) => {
            let target = map.get("$ref").and_then(Value::as_str).and_then(reference_pointer);
            if let Some(name) = target.and_then(|target| names.get(&target)) {
                map.insert("$ref".to_owned(), format!("#/components/schemas/{name}").into());
            }
            for (key, child) in map.iter_mut() {
                let names = match key.as_str() {
                    "requestBody" | "requestBodies" | "parameters" => directed[0],
                    "responses" => directed[1],
                    _ => names,
                };
                redirect(child, names, directed);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| redirect(item, names, directed)),
        _ => {}
    }
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::client::generate;
    use crate::{Document, Settings};

    fn client_of(document: &serde_json::Value) -> String {
        let settings = Settings { file: "d".to_owned(), support: "crate".to_owned(), project_rules: false };
        let document = Document::parse(&document.to_string(), &settings).expect("a valid document");
        generate(&document, &settings).expect("a client")
    }

    #[test]
    fn methods_have_the_chosen_name_and_one_argument_for_each_value() {
        let header = |name: &str| json!({"name": name, "in": "header", "schema": {"type": "string"}});
        let mut second = header("OpenAI-Project");
        second["x-alias-of"] = json!("Project");
        let answer = json!({"200": {"description": "Ready.", "content": {"application/json": {"schema": {}}}}});
        let client = client_of(&json!({
            "openapi": "3.0.3", "info": {"title": "T", "version": "1"},
            "paths": {"/health": {
                "parameters": [header("Project"), second],
                "get": {"operationId": "read_root_health_get", "x-rust-name": "health", "responses": answer},
            }},
        }));
        assert!(client.contains("pub fn health(&self) -> Health {"), "{client}");
        assert!(client.contains("pub fn project(") && !client.contains("OpenAI-Project"), "{client}");
        assert!(!client.contains("read_root_health_get"), "{client}");
    }

    #[test]
    fn a_request_and_its_response_have_the_types_of_their_direction() {
        let user = json!({"$ref": "#/components/schemas/User"});
        let body = |schema: &serde_json::Value| json!({"application/json": {"schema": schema}});
        let document = json!({
            "openapi": "3.0.3", "info": {"title": "T", "version": "1"},
            "paths": {"/users": {"post": {
                "operationId": "create_user",
                "requestBody": {"$ref": "#/components/requestBodies/User"},
                "responses": {"200": {"description": "Created.", "content": body(&user)}, "default": {"description": "Refused."}},
            }}},
            "components": {
                "requestBodies": {"User": {"required": true, "content": body(&user)}},
                "schemas": {"User": {"type": "object", "properties": {
                    "id": {"type": "string", "readOnly": true}, "name": {"type": "string"},
                }}},
            },
        });
        let client = client_of(&document);
        let code: String = client.split_whitespace().collect();
        assert!(code.contains("body:&'acrate::generated::types::UserRequest"), "{client}");
        assert!(code.contains("Result<ResponseValue<crate::generated::types::UserResponse>,ClientError>"), "{client}");
    }
}
