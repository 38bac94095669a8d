//! Rules of this project's own document: a consistent style, and the requirements of the generated client.
//!
//! They do not apply to other documents.

use std::collections::{BTreeMap, BTreeSet};

use heck::{ToPascalCase, ToSnakeCase};
use serde_json::{Map, Value, json};

use crate::fault::{Fault, Report, child};
use crate::lint::grammar::Kind;
use crate::lint::messages::either;
use crate::lint::structure::{Index, Site};
use crate::reference::resolve;

/// Checks names, tags, bodies and responses. Every finding is an error.
pub fn check(document: &Value) -> Vec<Fault> {
    let mut rules = ProjectRules { document, faults: Vec::new() };
    let index = Index::of(document, &mut Vec::new());
    rules.component_names();
    for site in index.of_kind(Kind::Schema) {
        rules.schema(site);
    }
    for site in index.of_kind(Kind::Parameter) {
        rules.parameter_name(site);
    }
    for site in index.of_kind(Kind::MediaType) {
        rules.body(site);
    }
    let mut operations = BTreeMap::new();
    let mut rejections = BTreeSet::new();
    for site in index.of_kind(Kind::Operation) {
        rules.operation(site, &mut rejections);
        operations.insert(site.object.get("operationId").and_then(Value::as_str).unwrap_or_default(), site);
    }
    for site in index.of_kind(Kind::Operation) {
        rules.alias(site, &operations);
    }
    if rejections.len() > 1 {
        let message = format!(
            "the `default` answers differ ({}); all refusals have one shape",
            either(rejections.iter().map(String::as_str))
        );
        rules.faults.error("/paths", message);
    }
    rules.faults.sort();
    rules.faults.dedup();
    rules.faults
}

/// Checks that descriptions, summaries and examples are present. Every finding is an error.
pub fn described(document: &Value) -> Vec<Fault> {
    let mut rules = ProjectRules { document, faults: Vec::new() };
    let index = Index::of(document, &mut Vec::new());
    for site in &index.sites {
        let needed = match site.kind {
            Kind::Operation | Kind::Parameter | Kind::Tag | Kind::Header | Kind::Response => true,
            Kind::Schema => is_named(&site.pointer) || is_property(&site.pointer),
            _ => false,
        };
        let says = |key: &str| site.object.get(key).and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty());
        if needed && !says("description") {
            rules.faults.error(&site.pointer, format!("{} without a description; say what it is", site.kind.name()));
        }
        if site.kind == Kind::Operation && !says("summary") {
            rules.faults.error(&site.pointer, "an operation without a summary; name it in a few words");
        }
        let examples = ["example", "examples"].iter().any(|key| site.object.contains_key(*key));
        if site.kind == Kind::MediaType
            && !examples
            && site.object.get("schema").is_some_and(|schema| schema != &Value::Object(Map::new()))
        {
            rules.faults.error(&site.pointer, "a body without an example; show one that a reader can use");
        }
        if site.kind == Kind::Schema && is_property(&site.pointer) && !examples && needs_example(site.object) {
            rules.faults.error(&site.pointer, "a property whose values are not obvious has no example; show one");
        }
    }
    rules.faults.sort();
    rules.faults
}

/// Returns whether the schema is a component.
fn is_named(pointer: &str) -> bool {
    pointer.strip_prefix("/components/schemas/").is_some_and(|name| !name.contains('/'))
}

/// Returns whether the schema is an inline property of a component.
fn is_property(pointer: &str) -> bool {
    let mut parts = pointer.rsplit('/').skip(1);
    pointer.starts_with("/components/schemas/") && parts.next() == Some("properties")
}

/// Returns whether a property needs an example: strings and numbers of a specific form. A boolean, an enumeration or a
/// number with both limits needs none.
fn needs_example(schema: &Map<String, Value>) -> bool {
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => ["enum", "default"].iter().all(|key| !schema.contains_key(*key)),
        Some("integer" | "number") => {
            !schema.contains_key("default") && ["minimum", "maximum"].iter().any(|key| !schema.contains_key(*key))
        }
        _ => false,
    }
}

/// Returns whether a schema is a reference or null, which makes up no type.
fn is_nullable_reference(schema: &Value) -> bool {
    let branches = schema["oneOf"].as_array().map(Vec::as_slice).unwrap_or_default();
    matches!(branches, [value, null] if value.get("$ref").is_some() && null["enum"] == json!([null]))
}

struct ProjectRules<'a> {
    document: &'a Value,
    faults: Vec<Fault>,
}

impl<'a> ProjectRules<'a> {
    fn component_names(&mut self) {
        for group in ["schemas", "parameters", "responses", "requestBodies", "headers", "examples"] {
            for (name, _) in self.document["components"][group].as_object().into_iter().flatten() {
                if group != "examples" && name.to_pascal_case() != *name {
                    let pointer = child(&child("/components", group), name);
                    self.faults.error(&pointer, format!("{name} is not PascalCase; write {}", name.to_pascal_case()));
                }
            }
        }
    }

    fn schema(&mut self, site: &Site) {
        for (name, property) in site.object.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let pointer = child(&child(&site.pointer, "properties"), name);
            if name.to_snake_case() != *name {
                self.faults.error(&pointer, format!("the property is not snake_case; write {}", name.to_snake_case()));
            }
            for (keyword, what) in [("properties", "object"), ("enum", "enum"), ("oneOf", "union"), ("anyOf", "union")]
            {
                if property.get(keyword).is_some() && !is_nullable_reference(property) {
                    let message = format!(
                        "an inline {what} gets a name made up from its place; name it under /components/schemas"
                    );
                    self.faults.error(&pointer, message);
                }
            }
            if property.get("default").is_some() {
                let message = "generators of TypeScript take a property with a default for one that is always there; \
                               say the default in the description";
                self.faults.error(&child(&pointer, "default"), message);
            }
        }
        if site.object.contains_key("nullable") && is_named(&site.pointer) {
            self.faults.error(
                &site.pointer,
                "a component that is nullable cannot be used where null is refused; put `nullable` where it is used",
            );
        }
    }

    fn parameter_name(&mut self, site: &Site) {
        let name = site.object.get("name").and_then(Value::as_str).unwrap_or_default();
        let location = site.object.get("in").and_then(Value::as_str).unwrap_or_default();
        if location != "header" && name.to_snake_case() != name {
            let message = format!("the parameter {name} is not snake_case; write {}", name.to_snake_case());
            self.faults.error(&child(&site.pointer, "name"), message);
        }
    }

    /// Checks that a body's schema is a component. progenitor would invent a name for an inline schema, and could use a
    /// component of that name instead.
    fn body(&mut self, site: &Site) {
        match site.object.get("schema").and_then(Value::as_object) {
            None => self.faults.error(&site.pointer, "the media type has no schema; refer to a component"),
            Some(schema) if schema.is_empty() || schema.contains_key("$ref") => {}
            Some(_) => self.faults.error(
                &site.pointer,
                "the schema of a body is inline; name it under /components/schemas and refer to it",
            ),
        }
    }

    fn operation(&mut self, site: &Site<'a>, rejections: &mut BTreeSet<String>) {
        let id_at = child(&site.pointer, "operationId");
        match site.object.get("operationId").and_then(Value::as_str) {
            None => self.faults.error(&site.pointer, "no operationId; give it one in snake_case"),
            Some(id) if id.to_snake_case() != id => {
                self.faults.error(&id_at, format!("{id} is not snake_case; write {}", id.to_snake_case()));
            }
            Some(_) => {}
        }
        self.tag(site);
        if let Some(body) = site.object.get("requestBody")
            && resolve(self.document, body)["required"] != true
        {
            self.faults.error(&child(&site.pointer, "requestBody"), "an optional body; write `required: true`");
        }
        let mut successes = BTreeSet::new();
        let mut has_default = false;
        for (status, response) in site.object.get("responses").and_then(Value::as_object).into_iter().flatten() {
            let json = resolve(self.document, response)["content"]["application/json"].get("schema");
            let json = json.map_or_else(
                || "no body".to_owned(),
                |schema| match schema["$ref"].as_str() {
                    Some(reference) => reference.to_owned(),
                    None => schema.to_string(),
                },
            );
            if status == "default" {
                has_default = true;
                rejections.insert(json);
            } else if status.starts_with('2') {
                successes.insert(json);
            }
        }
        let at = child(&site.pointer, "responses");
        if successes.len() != 1 {
            let found =
                if successes.is_empty() { "none".to_owned() } else { either(successes.iter().map(String::as_str)) };
            self.faults.error(&at, format!("the client returns exactly one kind of success, not {found}"));
        }
        let security = site.object.get("security").unwrap_or(&self.document["security"]);
        let secured = security.as_array().is_some_and(|list| !list.is_empty());
        let item = site.pointer.rsplit_once('/').and_then(|(item, _)| self.document.pointer(item));
        let input = site.object.contains_key("parameters")
            || site.object.contains_key("requestBody")
            || item.is_some_and(|item| item.get("parameters").is_some());
        if (secured || input) && !has_default {
            self.faults.error(&at, "it can refuse, so it needs a `default` answer with the error body");
        }
    }

    fn tag(&mut self, site: &Site) {
        let tags = site.object.get("tags").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let at = child(&site.pointer, "tags");
        let [tag] = tags else {
            return self.faults.error(
                &site.pointer,
                format!("{} tags; an operation belongs to exactly one trait, so give it one", tags.len()),
            );
        };
        if !self.document["tags"].as_array().into_iter().flatten().any(|entry| entry["name"] == *tag) {
            self.faults.error(&at, format!("{tag} is not declared; add it to /tags with a description"));
        }
    }

    /// Checks that an alias of an operation has the same contract.
    fn alias(&mut self, site: &Site, operations: &BTreeMap<&str, &Site>) {
        let Some(target) = site.object.get("x-alias-of").and_then(Value::as_str) else { return };
        let pointer = child(&site.pointer, "x-alias-of");
        let Some(original) = operations.get(target) else {
            return self
                .faults
                .error(&pointer, format!("{target} is no operation; name the operationId that answers here"));
        };
        for key in ["tags", "security", "requestBody", "responses"] {
            if site.object.get(key) != original.object.get(key) {
                self.faults.error(&pointer, format!("`{key}` differs from what the operation says; repeat it"));
            }
        }
    }
}
