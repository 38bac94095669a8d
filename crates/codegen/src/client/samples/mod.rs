//! Code samples of each operation, in four languages: its path parameters and its body are the document's examples.
//!
//! `samples.json` maps the id of an operation to its samples, in the form of the extension `x-codeSamples`. `samples.rs`
//! has the Rust samples as functions, so that they are compiled.

mod curl;
mod layout;
mod python;
mod request;
mod rust;
mod typescript;

use serde_json::{Map, Value, json};

use crate::client::samples::request::Request;
use crate::emit::context::Context;
use crate::{Artifact, Document, Fault, Settings, header};

/// Returns the files with the samples.
///
/// # Errors
/// When an operation has no example of a body or of a required parameter.
pub fn generate(document: &Document, settings: &Settings) -> Result<Vec<Artifact>, Vec<Fault>> {
    files(document, settings).map_err(|message| Fault::one(format!("code samples: {message}")))
}

fn files(document: &Document, settings: &Settings) -> Result<Vec<Artifact>, String> {
    let context = Context::new(&document.api.types, quote::quote!(crate));
    // The examples in the order in which the document writes their keys.
    let source: Value = serde_json::from_str(&document.json).map_err(|error| error.to_string())?;
    let mut samples = Map::new();
    let mut functions = format!("{}#![allow(clippy::all, missing_docs, unreachable_pub, unused)]\n", header(settings));
    for operation in document.api.operations.iter().filter(|operation| operation.alias_of.is_none()) {
        let request = Request::of(&source, operation)?;
        let rust = rust::sample(document, &context, &request)?;
        functions += &function(&operation.rust_name, &rust);
        let languages = [
            ("Shell", "curl", curl::sample(&request)),
            ("Python", "Python", python::sample(&request)),
            ("TypeScript", "TypeScript", typescript::sample(&request)),
            ("Rust", "Rust", rust),
        ];
        let listed = languages.map(|(lang, label, source)| json!({"lang": lang, "label": label, "source": source}));
        samples.insert(operation.id.clone(), listed.to_vec().into());
    }
    let mut listed = serde_json::to_string_pretty(&samples).map_err(|error| error.to_string())?;
    listed.push('\n');
    Ok(vec![("samples.json", listed), ("samples.rs", functions)])
}

fn function(name: &str, sample: &str) -> String {
    let body: String =
        sample.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") }).collect();
    format!("\npub async fn {name}() -> Result<(), Box<dyn std::error::Error>> {{\n{body}    Ok(())\n}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(example: &Value) -> Document {
        let thing = json!({"$ref": "#/components/schemas/Thing"});
        let document = json!({
            "openapi": "3.0.3", "info": {"title": "T", "version": "1"},
            "security": [{"bearer": []}],
            "paths": {"/boxes/{box}/things": {
                "parameters": [
                    {"name": "box", "in": "path", "required": true, "schema": {"type": "string"}, "example": "a/b"},
                    {"name": "limit", "in": "query", "schema": {"type": "integer"}},
                ],
                "post": {
                    "operationId": "add_thing",
                    "requestBody": {"required": true, "content": {"application/json": {"schema": thing, "example": example}}},
                    "responses": {"200": {"description": "Added.", "content": {"application/json": {"schema": thing}}}},
                },
            }},
            "components": {
                "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
                "schemas": {"Thing": {"type": "object", "required": ["name", "size"], "properties": {
                    "size": {"type": "number"}, "name": {"type": "string"}, "extra": {"type": "object"},
                    "tags": {"type": "array", "nullable": true, "items": {"type": "string"}},
                }}},
            },
        });
        Document::parse(&document.to_string(), &settings()).expect("a valid document")
    }

    fn settings() -> Settings {
        Settings { file: "d".to_owned(), support: "crate".to_owned(), project_rules: false }
    }

    /// Returns the samples of an example in the order of the languages.
    fn samples(example: &Value) -> Vec<String> {
        let files = generate(&document(example), &settings()).expect("samples");
        let listed: Value = serde_json::from_str(&files[0].1).expect("JSON");
        let samples = listed["add_thing"].as_array().expect("samples");
        let samples: Vec<String> =
            samples.iter().map(|sample| sample["source"].as_str().expect("a text").to_owned()).collect();
        assert!(files[1].1.contains("pub async fn add_thing() -> Result<"), "{}", files[1].1);
        samples
    }

    #[test]
    fn each_language_sends_the_example_in_its_own_literals() {
        let samples = samples(&json!({"size": 1, "name": "it's", "tags": null}));
        let [curl, python, typescript, rust] = &samples[..] else { panic!("{samples:#?}") };
        assert!(curl.starts_with("curl --fail-with-body \"$TRAINYARD_BASE_URL/boxes/a%2Fb/things\" \\\n"), "{curl}");
        assert!(curl.ends_with(r#"--data '{"size": 1, "name": "it'\''s", "tags": null}'"#), "{curl}");
        assert!(python.contains(r#"json={"size": 1, "name": "it's", "tags": None}"#), "{python}");
        assert!(typescript.contains(r#"client.POST("/boxes/{box}/things", {"#), "{typescript}");
        assert!(typescript.contains(r#"body: { size: 1, name: "it's", tags: null },"#), "{typescript}");
        assert!(rust.contains(r#"let body = types::Thing::new("it's", 1.0);"#), "{rust}");
        assert!(rust.contains(r#".add_thing("a/b", &body)"#), "{rust}");
    }

    #[test]
    fn rust_reads_json_where_no_constructor_fits() {
        let samples = samples(&json!({"name": "a", "size": 0.5, "tags": ["x"], "extra": {"deep": [1]}}));
        let rust = samples[3].replace("\n", "").replace("    ", "");
        assert!(rust.contains(r#".tags(["x".to_owned()])"#), "{rust}");
        assert!(rust.contains(r#".extra(from_json(json!({"deep": [1]}))?)"#), "{rust}");
        assert!(rust.starts_with("use trainyard::client::{Client, from_json, json, types};"), "{rust}");
    }

    #[test]
    fn a_body_without_an_example_is_a_fault() {
        let mut document = document(&json!({}));
        document.json = document.json.replace("\"example\": {}", "\"unused\": {}");
        let faults = generate(&document, &settings()).expect_err("a fault");
        assert_eq!(faults[0].message, "code samples: add_thing: the body has no example");
    }
}
