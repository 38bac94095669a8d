//! What the linter says: nothing to sound documents, the exact words to spoilt ones, and never a panic.

use std::{fs, path::Path};

use proptest::{prelude::*, sample::Index};
use serde_json::{Map, Value, json};
use trainyard::generated::OPENAPI_YAML;

use super::codegen::{Fault, lint, source::Source};

const FIXTURES: [(&str, &str); 5] = [
    ("accounts", include_str!("../../fixtures/accounts/openapi.yaml")),
    ("library", include_str!("../../fixtures/library/openapi.yaml")),
    ("markets", include_str!("../../fixtures/markets/openapi.yaml")),
    ("storage", include_str!("../../fixtures/storage/openapi.yaml")),
    ("telemetry", include_str!("../../fixtures/telemetry/openapi.yaml")),
];

fn listed(faults: &[Fault]) -> String {
    let line = |fault: &Fault| format!("{} {fault}", if fault.is_error() { "error  " } else { "warning" });
    faults.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn our_own_document_is_sound() {
    assert_eq!(listed(&lint::check_text(OPENAPI_YAML)), "");
}

#[test]
fn sound_documents_have_no_errors() {
    let told: Vec<_> =
        FIXTURES.iter().map(|(name, text)| format!("{name}\n{}", listed(&lint::check_text(text)))).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn spoilt_documents() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/spoilt");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    assert!(names.len() >= 20, "{names:?}");
    for name in names {
        let text = fs::read_to_string(folder.join(&name)).expect("it can be read");
        let faults = lint::check_text(&text).into_iter().map(|fault| fault.in_file(&name)).collect::<Vec<_>>();
        insta::assert_snapshot!(format!("spoilt_{}", name.trim_end_matches(".yaml")), listed(&faults));
    }
}

#[test]
fn faults_stand_in_the_order_of_the_text() {
    let text = "openapi: 3.0.3\npaths:\n  b: {}\n  a: {}\ninfo: {titel: A, version: '1'}\n";
    let pointers: Vec<_> = lint::check_text(text).into_iter().map(|fault| fault.pointer).collect();
    assert_eq!(pointers, ["/paths/b", "/paths/a", "/info", "/info/titel"]);
}

/// One change of a document at a random place.
#[derive(Clone, Debug)]
enum Mutation {
    Remove(Index),
    Replace(Index, Value),
    Rename(Index, String),
    /// One part of the document in the place of another.
    Move(Index, Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let value = prop::sample::select(vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(1e308),
        json!(0.1),
        json!(""),
        json!("#/components/schemas/Item"),
        json!("array"),
        json!("(["),
        json!([]),
        json!([null, 1, "a", {}]),
        json!({}),
        json!({"$ref": "#/components/schemas/Query"}),
        json!({"$ref": "#"}),
        json!({"$ref": "#/paths"}),
        json!({"allOf": [{"$ref": "#/components/schemas/Shelf"}, {"type": "string"}]}),
        json!({"type": "object", "properties": {"": {}, "/~": {"type": "array"}}}),
    ]);
    let key = prop::sample::select(vec![
        "", "$ref", "x-y", "type", "allOf", "oneOf", "required", "200", "default", "/{a}/{a}", "{", "~/é", "enum",
        "items",
    ]);
    prop_oneof![
        any::<Index>().prop_map(Mutation::Remove),
        (any::<Index>(), value).prop_map(|(at, value)| Mutation::Replace(at, value)),
        (any::<Index>(), key).prop_map(|(at, key)| Mutation::Rename(at, key.to_owned())),
        (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Mutation::Move(from, to)),
    ]
}

/// The pointers of everything below the root.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(map) => {
            map.iter().map(|(key, child)| (key.replace('~', "~0").replace('/', "~1"), child)).collect()
        }
        Value::Array(items) => items.iter().enumerate().map(|(index, child)| (index.to_string(), child)).collect(),
        _ => return,
    };
    for (key, child) in children {
        let at = format!("{at}/{key}");
        pointers(child, &at, found);
        found.push(at);
    }
}

fn mutate(document: &mut Value, mutation: &Mutation) {
    let mut all = Vec::new();
    pointers(document, "", &mut all);
    if all.is_empty() {
        return;
    }
    let mut put = |at: &Index, value: Option<Value>, rename: Option<&str>| {
        let (parent, key) = at.get(&all).rsplit_once('/').expect("a pointer has a slash");
        let key = key.replace("~1", "/").replace("~0", "~");
        match document.pointer_mut(parent) {
            Some(Value::Object(map)) => {
                let old = map.remove(&key);
                if let Some(value) = value.or(old.filter(|_| rename.is_some())) {
                    map.insert(rename.unwrap_or(&key).to_owned(), value);
                }
            }
            Some(Value::Array(items)) => {
                let index: usize = key.parse().expect("an index");
                match value {
                    Some(value) => items[index] = value,
                    None => drop(items.remove(index)),
                }
            }
            _ => {}
        }
    };
    match mutation {
        Mutation::Remove(at) => put(at, None, None),
        Mutation::Replace(at, value) => put(at, Some(value.clone()), None),
        Mutation::Rename(at, key) => put(at, None, Some(key)),
        Mutation::Move(from, to) => {
            let value = document.pointer(from.get::<String>(&all)).cloned();
            let (parent, key) = to.get(&all).rsplit_once('/').expect("a pointer has a slash");
            if let (Some(value), Some(Value::Object(map))) = (value, document.pointer_mut(parent)) {
                map.insert(key.replace("~1", "/").replace("~0", "~"), value);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn no_document_makes_the_linter_panic(which in 0..5_usize, mutations in prop::collection::vec(mutation(), 1..12)) {
        let mut document = Source::parse(FIXTURES[which].1).expect("it can be read").value();
        for mutation in &mutations {
            mutate(&mut document, mutation);
        }
        for fault in lint::check(&document) {
            prop_assert!(!fault.message.is_empty());
            prop_assert!(document.pointer(&fault.pointer).is_some() , "{fault}");
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(which in 0..5_usize, cuts in prop::collection::vec((any::<Index>(), "[{}\\[\\]:,&*!?<\t\n'\"# a-]{0,3}"), 1..6)) {
        let mut text: Vec<char> = FIXTURES[which].1.chars().collect();
        for (at, insert) in &cuts {
            let at = at.index(text.len());
            text.splice(at..(at + 1).min(text.len()), insert.chars());
        }
        let text: String = text.into_iter().collect();
        lint::check_text(&text);
    }
}

#[test]
fn a_chain_of_many_references_is_followed_without_recursion() {
    let mut schemas = Map::new();
    for index in 0..20_000 {
        let next = format!("#/components/schemas/S{}", index + 1);
        schemas.insert(format!("S{index}"), json!({"allOf": [{"$ref": next}]}));
    }
    schemas.insert("S20000".to_owned(), json!({"type": "object"}));
    let document = json!({"openapi": "3.0.3", "info": {"title": "Long", "version": "1"}, "paths": {}, "components": {"schemas": schemas}});
    assert_eq!(lint::check(&document), []);
}
