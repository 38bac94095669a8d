//! Rules about operations, parameters and bodies.

use std::collections::{BTreeMap, BTreeSet};

use heck::ToSnakeCase;
use serde_json::{Map, Value};

use super::{
    super::{document::resolve, operation::METHODS},
    Fault, child,
};

/// Names that generated functions use themselves.
const RESERVED: [&str; 10] =
    ["header_map", "request", "response", "result", "client", "url", "body", "info", "caller", "input"];

pub(super) fn check(document: &Value, faults: &mut Vec<Fault>) {
    let mut ids: BTreeMap<&str, String> = BTreeMap::new();
    let mut aliases = Vec::new();
    let mut errors = BTreeSet::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        let pointer = child("/paths", path);
        if item.get("$ref").is_some() {
            faults.push(Fault::new(&pointer, "a path by reference is unsupported; write its operations here"));
        }
        for method in METHODS {
            let Some(operation) = item.get(method).and_then(Value::as_object) else { continue };
            let rules = Rules { document, item, operation, pointer: child(&pointer, method) };
            match rules.id(faults) {
                Some(id) => {
                    if let Some(other) = ids.insert(id, rules.pointer.clone()) {
                        rules.fault(
                            faults,
                            "operationId",
                            format!("{id} is the id of {other} too; ids are unique, a second path is an x-alias-of"),
                        );
                    }
                }
                None => rules.fault(faults, "", "no operationId; give it one in snake_case"),
            }
            if let Some(target) = operation.get("x-alias-of").and_then(Value::as_str) {
                aliases.push((child(&rules.pointer, "x-alias-of"), operation, target));
            }
            rules.tag(faults);
            rules.security(faults);
            rules.servers(faults);
            rules.parameters(faults);
            rules.request_body(faults);
            rules.responses(&mut errors, faults);
        }
    }
    for (pointer, alias, target) in aliases {
        let Some(target) = ids.get(target).and_then(|place| document.pointer(place)) else {
            let message = format!("{target} is no operation; name the operationId that answers here");
            faults.push(Fault::new(&pointer, message));
            continue;
        };
        for key in ["tags", "security", "requestBody", "responses"] {
            if alias.get(key) != target.get(key) {
                faults.push(Fault::new(&pointer, format!("its {key} differs from that of the operation; repeat it")));
            }
        }
    }
    if errors.len() > 1 {
        let errors: Vec<_> = errors.into_iter().collect();
        faults.push(Fault::new(
            "/paths",
            format!("the `default` answers differ ({}); all refusals have one shape", errors.join(", ")),
        ));
    }
}

struct Rules<'a> {
    document: &'a Value,
    item: &'a Value,
    operation: &'a Map<String, Value>,
    pointer: String,
}

impl<'a> Rules<'a> {
    fn fault(&self, faults: &mut Vec<Fault>, key: &str, message: impl Into<String>) {
        let pointer = if key.is_empty() { self.pointer.clone() } else { child(&self.pointer, key) };
        faults.push(Fault::new(&pointer, message));
    }

    fn id(&self, faults: &mut Vec<Fault>) -> Option<&'a str> {
        let id = self.operation.get("operationId")?.as_str()?;
        if id.to_snake_case() != id {
            self.fault(faults, "operationId", format!("{id} is not snake_case; write {}", id.to_snake_case()));
        }
        Some(id)
    }

    fn tag(&self, faults: &mut Vec<Fault>) {
        let tags = self.operation.get("tags").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let [tag] = tags else {
            return self.fault(
                faults,
                "tags",
                format!("{} tags; an operation belongs to exactly one trait, so give it one", tags.len()),
            );
        };
        if !self.document["tags"].as_array().into_iter().flatten().any(|entry| entry["name"] == *tag) {
            self.fault(faults, "tags", format!("{tag} is not declared; add it to /tags with a description"));
        }
    }

    fn security(&self, faults: &mut Vec<Fault>) {
        let requirements = self.operation.get("security").and_then(Value::as_array).into_iter().flatten();
        if requirements.filter_map(Value::as_object).any(Map::is_empty) {
            self.fault(
                faults,
                "security",
                "an optional requirement `{}` is unsupported; write `security: []` for an open operation",
            );
        }
    }

    fn servers(&self, faults: &mut Vec<Fault>) {
        let Some(servers) = self.operation.get("servers").or_else(|| self.item.get("servers")) else { return };
        let variables = servers[0]["variables"].as_object().map_or(0, Map::len);
        if variables != 1 {
            self.fault(
                faults,
                "servers",
                "an own base address needs a url of exactly one variable, `{name_url}`: it names the router",
            );
        }
    }

    fn parameters(&self, faults: &mut Vec<Fault>) {
        for list in [self.item.get("parameters"), self.operation.get("parameters")].into_iter().flatten() {
            for parameter in list.as_array().into_iter().flatten() {
                let parameter = resolve(self.document, parameter);
                let name = parameter["name"].as_str().unwrap_or_default();
                if RESERVED.contains(&name.to_snake_case().as_str()) {
                    self.fault(
                        faults,
                        "parameters",
                        format!("{name} is a name that generated code uses; choose another"),
                    );
                }
                if parameter["in"] == "cookie" {
                    self.fault(faults, "parameters", format!("{name} is a cookie; use path, query or header"));
                }
                if parameter.get("content").is_some() || parameter.get("style").is_some() {
                    self.fault(
                        faults,
                        "parameters",
                        format!("{name} has a style or content; give it a scalar schema alone"),
                    );
                }
                let schema = resolve(self.document, &parameter["schema"]);
                if !matches!(schema["type"].as_str(), Some("string" | "integer" | "boolean")) {
                    self.fault(faults, "parameters", format!("{name} must be a string, an integer or a boolean"));
                }
            }
        }
    }

    fn request_body(&self, faults: &mut Vec<Fault>) {
        let Some(body) = self.operation.get("requestBody") else { return };
        let body = resolve(self.document, body);
        if body["required"] != true {
            self.fault(faults, "requestBody", "an optional body would be taken as required; write `required: true`");
        }
        let content = body["content"].as_object();
        match content.map(|content| content.keys().map(String::as_str).collect::<Vec<_>>()).as_deref() {
            Some(["application/json"]) => {
                let pointer = child(&self.pointer, "requestBody");
                let media = &body["content"]["application/json"];
                named_schema(&pointer, media, faults);
                if resolve(self.document, &media["schema"])["type"] != "object" {
                    faults.push(Fault::new(
                        &pointer,
                        "handlers take JSON objects only; write a component of type object",
                    ));
                }
            }
            _ => self.fault(faults, "requestBody", "the one media type of a body is application/json"),
        }
    }

    fn responses(&self, errors: &mut BTreeSet<String>, faults: &mut Vec<Fault>) {
        let responses = self.operation.get("responses").and_then(Value::as_object);
        let mut successes = BTreeSet::new();
        let mut has_default = false;
        for (status, response) in responses.into_iter().flatten() {
            let pointer = child(&child(&self.pointer, "responses"), status);
            let response = resolve(self.document, response);
            let content = response["content"].as_object();
            for (media, content) in content.into_iter().flatten() {
                match media.as_str() {
                    "application/json" | "text/event-stream" => named_schema(&pointer, content, faults),
                    other => faults.push(Fault::new(
                        &pointer,
                        format!("answers of {other} are unsupported; use application/json or text/event-stream"),
                    )),
                }
            }
            let json =
                content.and_then(|content| content.get("application/json")).map(|media| media["schema"].to_string());
            let json = json.unwrap_or_else(|| "no body".to_owned());
            if status == "default" {
                has_default = true;
                errors.insert(json);
            } else if status.starts_with('2') {
                successes.insert(json);
            } else if status.parse::<u16>().is_err() {
                faults.push(Fault::new(
                    &pointer,
                    "a range of codes is unsupported; list the code, or leave it to `default`",
                ));
            }
        }
        if successes.len() != 1 {
            self.fault(
                faults,
                "responses",
                format!("{} kinds of success; the client can return exactly one", successes.len()),
            );
        }
        let secured = self
            .operation
            .get("security")
            .unwrap_or(&self.document["security"])
            .as_array()
            .is_some_and(|list| !list.is_empty());
        let takes_input = ["parameters", "requestBody"]
            .iter()
            .any(|key| self.operation.contains_key(*key) || self.item.get(key).is_some());
        if (secured || takes_input) && !has_default {
            self.fault(faults, "responses", "it can refuse, so it needs a `default` answer with the error body");
        }
    }
}

/// A body refers to a component: typify would name an inline one, and may take a component of that name instead.
fn named_schema(pointer: &str, media: &Value, faults: &mut Vec<Fault>) {
    match media.get("schema").and_then(Value::as_object) {
        None => faults.push(Fault::new(pointer, "the media type has no schema; refer to a component")),
        Some(schema) if schema.is_empty() || schema.contains_key("$ref") => {}
        Some(_) => faults.push(Fault::new(
            pointer,
            "the schema of a body is inline; name it under /components/schemas and refer to it",
        )),
    }
}
