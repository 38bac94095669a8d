//! Sound documents in other styles than ours, and random changes of them: nothing may make the generator panic.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

/// The documents, by name.
pub(super) const FIXTURES: [(&str, &str); 5] = [
    ("accounts", include_str!("../fixtures/accounts/openapi.yaml")),
    ("library", include_str!("../fixtures/library/openapi.yaml")),
    ("markets", include_str!("../fixtures/markets/openapi.yaml")),
    ("storage", include_str!("../fixtures/storage/openapi.yaml")),
    ("telemetry", include_str!("../fixtures/telemetry/openapi.yaml")),
];

/// One change of a document at a random place.
#[derive(Clone, Debug)]
pub(super) enum Mutation {
    Remove(Index),
    Replace(Index, Value),
    Rename(Index, String),
    /// One part of the document in the place of another.
    Move(Index, Index),
}

/// Any change.
pub(super) fn mutation() -> impl Strategy<Value = Mutation> {
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

/// Changes a document.
pub(super) fn mutate(document: &mut Value, mutation: &Mutation) {
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
