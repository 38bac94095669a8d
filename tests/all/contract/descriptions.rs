//! Nothing of the document stands without a word about it.

use heck::ToSnakeCase;
use serde_json::Value;

use super::json_schema::{document, resolve};

/// Collects what lacks a description or an example.
struct Coverage<'a> {
    document: &'a Value,
    faults: Vec<String>,
}

impl<'a> Coverage<'a> {
    fn fault(&mut self, at: &str, what: &str) {
        self.faults.push(format!("{at}: {what}"));
    }

    /// A description that says more than the name.
    fn described(&mut self, at: &str, node: &Value) {
        let name = at.rsplit('/').next().unwrap_or_default();
        let words = |text: &str| -> Vec<String> {
            let words = text.to_snake_case();
            let filler = ["", "a", "an", "the", "of", "this", "is"];
            words.split('_').filter(|word| !filler.contains(word)).map(str::to_owned).collect()
        };
        match node["description"].as_str().map(str::trim).unwrap_or_default() {
            "" => self.fault(at, "has no description"),
            text if words(text) == words(name) => self.fault(at, "has a description that repeats its name"),
            text if !text.ends_with(['.', '`', '|']) => self.fault(at, "has a description that does not end"),
            _ => {}
        }
    }

    fn body(&mut self, at: &str, node: &Value) {
        for (media, content) in node["content"].as_object().into_iter().flatten() {
            let named = content["examples"].as_object();
            if content.get("example").is_none() && named.is_none_or(|examples| examples.is_empty()) {
                self.fault(&format!("{at} {media}"), "has no example");
            }
            for (name, example) in named.into_iter().flatten() {
                let example = resolve(self.document, example);
                if example["summary"].as_str().is_none_or(str::is_empty) || example.get("value").is_none() {
                    self.fault(&format!("{at} {media} {name}"), "needs a summary and a value");
                }
            }
        }
    }

    fn parameter(&mut self, at: &str, node: &Value) {
        self.described(at, node);
        if node.get("example").is_none() {
            self.fault(at, "has no example");
        }
    }

    fn response(&mut self, at: &str, node: &Value) {
        // The open operation is worded as the service that this one is compatible with words it.
        if node["description"] != "Successful Response" {
            self.described(at, node);
        }
        self.body(at, node);
        if node["headers"].get("x-request-id").is_none() {
            self.fault(at, "does not document the header x-request-id");
        }
    }

    fn operation(&mut self, at: &str, node: &Value) {
        self.described(at, node);
        if node["summary"].as_str().is_none_or(str::is_empty) {
            self.fault(at, "has no summary");
        }
        for parameter in node["parameters"].as_array().into_iter().flatten() {
            let parameter = resolve(self.document, parameter);
            self.parameter(&format!("{at} {}", parameter["name"]), parameter);
        }
        if let Some(body) = node.get("requestBody") {
            let body = resolve(self.document, body);
            self.described(&format!("{at} requestBody"), body);
            self.body(&format!("{at} requestBody"), body);
        }
        for (status, response) in node["responses"].as_object().into_iter().flatten() {
            self.response(&format!("{at} {status}"), resolve(self.document, response));
        }
    }

    /// Each property has a word of its own, or is of a component that has one.
    fn schema(&mut self, at: &str, node: &Value) {
        for (name, property) in node["properties"].as_object().into_iter().flatten() {
            let at = format!("{at}/{name}");
            if property.get("$ref").is_none() {
                self.described(&at, property);
            }
            self.schema(&at, property);
        }
        for key in ["items", "additionalProperties"] {
            if let Some(nested) = node.get(key) {
                self.schema(&format!("{at}/{key}"), nested);
            }
        }
    }
}

#[test]
fn everything_has_a_description_and_bodies_have_examples() {
    let document = document();
    let mut coverage = Coverage { document: &document, faults: Vec::new() };
    coverage.described("info", &document["info"]);
    for tag in document["tags"].as_array().unwrap() {
        coverage.described(&format!("tag/{}", tag["name"]), tag);
    }
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            match method.as_str() {
                "parameters" => {}
                "servers" => coverage.described(&format!("{path} servers"), &operation[0]),
                _ => coverage.operation(&format!("{method} {path}"), operation),
            }
        }
    }
    let components = document["components"].as_object().unwrap();
    for (section, entries) in components {
        for (name, node) in entries.as_object().unwrap() {
            let at = format!("{section}/{name}");
            match section.as_str() {
                "parameters" | "headers" => coverage.parameter(&at, node),
                "responses" => coverage.response(&at, node),
                "schemas" => {
                    coverage.described(&at, node);
                    coverage.schema(&at, node);
                }
                "requestBodies" => {
                    coverage.described(&at, node);
                    coverage.body(&at, node);
                }
                "securitySchemes" => coverage.described(&at, node),
                "examples" => {}
                other => panic!("components/{other} is new: say what its entries need"),
            }
        }
    }
    assert!(coverage.faults.is_empty(), "{}", coverage.faults.join("\n"));
}

/// A coverage test that accepts everything would be worse than none.
#[test]
fn missing_descriptions_are_found() {
    let spoil = |pointer: &str, key: &str, value: Option<&str>| {
        let mut document = document();
        let node = document.pointer_mut(pointer).and_then(Value::as_object_mut).expect(pointer);
        match value {
            Some(value) => node.insert(key.to_owned(), value.into()),
            None => node.shift_remove(key),
        };
        let mut coverage = Coverage { document: &document, faults: Vec::new() };
        coverage.operation("operation", &document["paths"]["/v1/preview/models"]["post"]);
        coverage.schema("schema", &document["components"]["schemas"]["ModelCreate"]);
        coverage.faults.join("\n")
    };
    let create = "/paths/~1v1~1preview~1models/post";
    let name = "/components/schemas/ModelCreate/properties/name";
    assert_eq!(spoil(create, "x-nothing", Some("new")), "");
    for (pointer, key, value, expected) in [
        (create.to_owned(), "description", None, "operation: has no description"),
        (create.to_owned(), "summary", None, "operation: has no summary"),
        (format!("{create}/responses/200/headers"), "x-request-id", None, "does not document the header x-request-id"),
        (
            format!("{create}/responses/200/content/application~1json"),
            "example",
            None,
            "200 application/json: has no example",
        ),
        (name.to_owned(), "description", None, "schema/name: has no description"),
        (name.to_owned(), "description", Some("The name."), "schema/name: has a description that repeats its name"),
    ] {
        let faults = spoil(&pointer, key, value);
        assert!(faults.contains(expected), "{pointer} {key}: {faults:?}");
    }
}

/// Every key of ours in the document and in the generator is explained.
#[test]
fn every_convention_is_explained() {
    let page = include_str!("../../../docs/generated-code.md");
    let mut keys = Vec::new();
    keys_of_ours(&document(), &mut keys);
    keys.sort();
    keys.dedup();
    assert!(keys.contains(&"x-failure".to_owned()), "{keys:?}");
    let unknown: Vec<_> = keys.iter().filter(|key| !page.contains(&format!("| `{key}"))).collect();
    assert!(unknown.is_empty(), "docs/generated-code.md does not explain {unknown:?}");
}

fn keys_of_ours(node: &Value, keys: &mut Vec<String>) {
    match node {
        Value::Object(map) => {
            for (key, child) in map {
                // Headers are named `x-…` too; those hold a description or a reference.
                if key.starts_with("x-") && !child.is_object() {
                    keys.push(key.clone());
                }
                keys_of_ours(child, keys);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys_of_ours(item, keys)),
        _ => {}
    }
}
