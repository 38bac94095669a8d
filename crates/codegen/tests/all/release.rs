//! The changes that the number of a version allows.

use serde_json::{Value, json};
use trainyard_codegen::diff::release::{Published, Version, check};

/// Reason of the rejection of each kind of unannounced change.
#[test]
fn unannounced_changes_are_rejected_with_a_reason() {
    let document = |version: &str, change: fn(&mut Value)| {
        let mut document = json!({"openapi": "3.0.3", "info": {"title": "x", "version": version}, "paths": {"/a": {"get": {
            "operationId": "get_a", "parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}],
            "responses": {"200": {"description": "x"}}}}}});
        change(&mut document);
        document
    };
    let breaks = |document: &mut Value| document["paths"]["/a"]["get"]["parameters"][0]["required"] = true.into();
    let adds = |document: &mut Value| document["paths"]["/b"] = json!({"get": {}});
    let same = |_: &mut Value| ();
    let published = |version: &str| {
        vec![Published { version: Version::parse(version).unwrap(), document: document(version, same) }]
    };
    let cases: [(&str, Value, &str, bool); 11] = [
        ("the same", document("0.1.0", same), "0.1.0", true),
        ("breaking, unreleased", document("0.1.0", breaks), "0.1.0", false),
        ("safe, unreleased", document("0.1.0", adds), "0.1.0", false),
        ("breaking, released", document("0.1.0", breaks), "0.1.0", true),
        ("safe, released", document("0.1.0", adds), "0.1.0", true),
        ("breaking, next patch", document("0.1.1", breaks), "0.1.0", true),
        ("breaking, next minor", document("0.2.0", breaks), "0.1.0", true),
        ("breaking, next minor after 1.0", document("1.3.0", breaks), "1.2.0", true),
        ("safe, next patch", document("0.1.1", adds), "0.1.0", true),
        ("older than published", document("0.0.9", same), "0.1.0", true),
        ("no version", document("next", same), "0.1.0", true),
    ];
    let mut transcript = String::new();
    for (name, document, base, released) in cases {
        let told = match check(&document, &published(base), |_| released) {
            Ok(()) => "fine\n".to_owned(),
            Err(rejection) => rejection.to_string(),
        };
        transcript += &format!("# {name}\n{}\n\n", told.trim_end());
    }
    insta::assert_snapshot!(transcript);
}
