//! Rules about schemas.

use std::collections::BTreeSet;

use heck::{ToPascalCase, ToSnakeCase};
use serde_json::{Map, Value};

use super::{
    super::{document::resolve, operation::METHODS},
    Fault, child,
};

const INTEGER_FORMATS: [&str; 5] = ["uint8", "uint32", "uint64", "int32", "int64"];
/// Keywords that neither typify nor the generated validators check.
const UNCHECKED: [&str; 6] =
    ["exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems", "minProperties", "maxProperties"];
/// Names that the generated files need for themselves.
const RESERVED: [&str; 6] = ["Option", "Result", "String", "Vec", "Box", "Error"];

pub(super) fn check(document: &Value, faults: &mut Vec<Fault>) {
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        let pointer = child("/components/schemas", name);
        if name.to_pascal_case() != *name || RESERVED.contains(&name.as_str()) {
            faults.push(Fault::new(
                &pointer,
                format!("{name} cannot be a type name; write PascalCase and no name of the prelude"),
            ));
        }
        let Some(schema) = schema.as_object() else { continue };
        if schema.get("nullable") == Some(&Value::Bool(true)) {
            faults.push(Fault::new(
                &pointer,
                "a nullable component would be emitted twice; put nullable where it is used",
            ));
        }
        if !is_named_kind(schema) {
            faults.push(Fault::new(
                &pointer,
                "a named scalar, array or map becomes a wrapper type; write it inline, or make it an object, an enum or a oneOf",
            ));
        }
        Rules { document, faults }.schema(&pointer, schema, true);
    }
    parameters(document, faults);
}

/// Parameters carry their schemas inline, in the components and in the paths.
fn parameters(document: &Value, faults: &mut Vec<Fault>) {
    let mut found = Vec::new();
    for (name, parameter) in document["components"]["parameters"].as_object().into_iter().flatten() {
        found.push((child("/components/parameters", name), parameter));
    }
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        let path = child("/paths", path);
        let methods = METHODS.into_iter().filter_map(|method| Some((child(&path, method), item.get(method)?)));
        for (pointer, holder) in methods.chain([(path.clone(), item)]) {
            for (index, parameter) in holder["parameters"].as_array().into_iter().flatten().enumerate() {
                found.push((format!("{pointer}/parameters/{index}"), parameter));
            }
        }
    }
    for (pointer, parameter) in found {
        if let Some(schema) = parameter["schema"].as_object() {
            Rules { document, faults }.schema(&child(&pointer, "schema"), schema, false);
        }
    }
}

/// What deserves a name: an object with properties, an enum, a union, or anything kept verbatim.
fn is_named_kind(schema: &Map<String, Value>) -> bool {
    ["properties", "enum", "oneOf", "x-verbatim"].iter().any(|key| schema.contains_key(*key))
}

struct Rules<'a, 'f> {
    document: &'a Value,
    faults: &'f mut Vec<Fault>,
}

impl Rules<'_, '_> {
    fn fault(&mut self, pointer: &str, message: impl Into<String>) {
        self.faults.push(Fault::new(pointer, message));
    }

    fn schema(&mut self, pointer: &str, schema: &Map<String, Value>, named: bool) {
        let json_type = schema.get("type").and_then(Value::as_str);
        if json_type == Some("integer") {
            let format = schema.get("format").and_then(Value::as_str);
            if !format.is_some_and(|format| INTEGER_FORMATS.contains(&format)) {
                self.fault(pointer, format!("an integer needs a format, one of {}", INTEGER_FORMATS.join(", ")));
            }
        }
        for keyword in UNCHECKED.into_iter().filter(|keyword| schema.contains_key(*keyword)) {
            self.fault(pointer, format!("{keyword} would not be checked; remove it or teach the validators"));
        }
        for keyword in ["not", "anyOf"].into_iter().filter(|keyword| schema.contains_key(*keyword)) {
            self.fault(pointer, format!("{keyword} is unsupported; write a named oneOf"));
        }
        if schema.contains_key("properties") && schema.get("additionalProperties") == Some(&Value::Bool(true)) {
            self.fault(
                pointer,
                "unknown fields would be dropped under `additionalProperties: true`; write `additionalProperties: {}`",
            );
        }
        if schema.get("minItems").is_some() && schema.get("minItems") == schema.get("maxItems") {
            self.fault(pointer, "a fixed length becomes [T; N], which serde reads up to 32 only; use different limits");
        }
        if let Some(Err(error)) = schema.get("pattern").and_then(Value::as_str).map(regress::Regex::new) {
            self.fault(pointer, format!("the pattern is no regular expression: {error}"));
        }
        if !named {
            for (keyword, what) in
                [("oneOf", "union"), ("properties", "object"), ("enum", "enum"), ("x-verbatim", "verbatim value")]
            {
                if schema.contains_key(keyword) {
                    self.fault(
                        pointer,
                        format!("an inline {what} gets a derived name; name it under /components/schemas"),
                    );
                }
            }
        }
        self.all_of(pointer, schema);
        self.one_of(pointer, schema);
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let pointer = child(&child(pointer, "properties"), name);
            if name.to_snake_case() != *name {
                self.fault(&pointer, format!("the property is not snake_case; write {}", name.to_snake_case()));
            }
            if let Some(property) = property.as_object() {
                self.schema(&pointer, property, false);
            }
        }
        for keyword in ["items", "additionalProperties"] {
            if let Some(nested) = schema.get(keyword).and_then(Value::as_object) {
                self.schema(&child(pointer, keyword), nested, false);
            }
        }
    }

    fn all_of(&mut self, pointer: &str, schema: &Map<String, Value>) {
        let Some(parts) = schema.get("allOf").and_then(Value::as_array) else { return };
        if !matches!(parts.as_slice(), [part] if part.get("$ref").is_some()) {
            self.fault(
                pointer,
                "allOf carries one $ref, to attach nullable or a description to it; spell out a combined object",
            );
        }
    }

    fn one_of(&mut self, pointer: &str, schema: &Map<String, Value>) {
        let Some(branches) = schema.get("oneOf").and_then(Value::as_array) else { return };
        for (index, branch) in branches.iter().enumerate() {
            if let Some(branch) = branch.as_object() {
                self.schema(&child(&child(pointer, "oneOf"), &index.to_string()), branch, false);
            }
        }
        match schema.get("discriminator") {
            Some(discriminator) => self.discriminator(pointer, discriminator, branches),
            None => {
                let kinds = branches.iter().map(|branch| match resolve(self.document, branch)["type"].as_str() {
                    Some("integer") => "number",
                    Some(kind) => kind,
                    None => "nothing",
                });
                let kinds: Vec<_> = kinds.collect();
                if kinds.contains(&"nothing") || kinds.iter().collect::<BTreeSet<_>>().len() < kinds.len() {
                    self.fault(
                        pointer,
                        format!(
                            "the branches ({}) cannot be told apart by JSON type; add a discriminator",
                            kinds.join(", ")
                        ),
                    );
                }
            }
        }
    }

    fn discriminator(&mut self, pointer: &str, discriminator: &Value, branches: &[Value]) {
        let mapped: BTreeSet<_> = discriminator["mapping"]
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(_, target)| target.as_str())
            .collect();
        let listed: BTreeSet<_> = branches.iter().filter_map(|branch| branch["$ref"].as_str()).collect();
        if listed.len() < branches.len() || mapped != listed {
            self.fault(pointer, "with a discriminator each branch is a $ref, and the mapping names exactly those");
        }
    }
}
