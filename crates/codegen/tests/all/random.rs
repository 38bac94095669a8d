//! Documents with something odd at a random place: faults or code, never a panic, and never code that does not parse.

use proptest::prelude::*;
use serde_json::{Value, json};

use trainyard_codegen::{self as codegen, Settings};

const DOCUMENTS: [&str; 2] =
    [include_str!("../fixtures/telemetry/openapi.yaml"), include_str!("../fixtures/storage/openapi.yaml")];

/// Puts `value` at the `place`-th of the document's values.
fn replace(node: &mut Value, place: &mut usize, value: &Value) {
    if *place == 0 {
        *node = value.clone();
        *place = usize::MAX;
        return;
    }
    *place -= 1;
    let children: Vec<&mut Value> = match node {
        Value::Object(map) => map.values_mut().collect(),
        Value::Array(items) => items.iter_mut().collect(),
        _ => Vec::new(),
    };
    for child in children {
        if *place == usize::MAX {
            return;
        }
        replace(child, place, value);
    }
}

fn odd() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(null)),
        Just(json!(true)),
        Just(json!(-1)),
        Just(json!(1e300)),
        Just(json!("")),
        Just(json!("type Self }{ \u{1}\u{7f} ”日本")),
        Just(json!("#/components/schemas/Nowhere")),
        Just(json!([])),
        Just(json!({})),
        Just(json!({"$ref": "#/paths"})),
        Just(json!({"$ref": "#"})),
        Just(json!({"type": "object", "properties": {"": {}}})),
        Just(json!({"": {}, "{": {}, "a/b": {}})),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_document_with_something_odd_never_panics(which in 0..2_usize, place in 0..900_usize, value in odd()) {
        let mut document: Value = codegen::source::Source::parse(DOCUMENTS[which]).expect("it is sound").value();
        let mut place = place;
        replace(&mut document, &mut place, &value);
        let settings = Settings { file: "odd".to_owned(), support: "::trainyard_runtime".to_owned(), project_rules: false };
        if let Err(faults) = codegen::generate(&document.to_string(), &settings) {
            for fault in faults {
                prop_assert!(!fault.message.contains("this is a bug"), "{fault}");
            }
        }
    }
}
