//! What `trainyard spec diff` says of labelled changes, and what it must never do.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;
use trainyard_codegen::diff::{Finding, Severity, Side, diff, report};

/// A row of `changes/table.yaml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    change: String,
    is: Verdict,
    /// Parts of the old document that the base does not have.
    #[serde(default)]
    before: BTreeMap<String, Value>,
    #[serde(rename = "move", default)]
    moved: BTreeMap<String, String>,
    remove: Option<String>,
    #[serde(default)]
    set: BTreeMap<String, Value>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Breaking,
    Safe,
    None,
}

impl Verdict {
    fn of(findings: &[Finding]) -> Self {
        match findings.iter().map(|finding| finding.severity).min() {
            Some(Severity::Breaking) => Self::Breaking,
            Some(Severity::Safe) => Self::Safe,
            None => Self::None,
        }
    }
}

fn base() -> Value {
    serde_norway::from_str(include_str!("changes/base.yaml")).unwrap()
}

fn rows() -> Vec<Row> {
    serde_norway::from_str(include_str!("changes/table.yaml")).unwrap()
}

fn unescape(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

fn set(document: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer} has no parent")) {
        Value::Array(list) if key == "-" => list.push(value),
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        Value::Object(map) => {
            map.insert(unescape(key), value);
        }
        other => panic!("{pointer}: {other}"),
    }
}

fn remove(document: &mut Value, pointer: &str) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer} has no parent")) {
        Value::Array(list) => list.remove(key.parse().unwrap()),
        Value::Object(map) => map.remove(&unescape(key)).unwrap_or_else(|| panic!("{pointer} is missing")),
        other => panic!("{pointer}: {other}"),
    }
}

impl Row {
    fn documents(&self) -> (Value, Value) {
        let mut old = base();
        for (pointer, value) in &self.before {
            set(&mut old, pointer, value.clone());
        }
        let mut new = old.clone();
        for (from, to) in &self.moved {
            let value = remove(&mut new, from);
            set(&mut new, to, value);
        }
        if let Some(pointer) = &self.remove {
            remove(&mut new, pointer);
        }
        for (pointer, value) in &self.set {
            set(&mut new, pointer, value.clone());
        }
        assert_ne!(old, new, "{}", self.change);
        (old, new)
    }
}

#[test]
fn each_labelled_change_is_judged_right() {
    let rows = rows();
    assert!(rows.len() >= 40, "{}", rows.len());
    let names: BTreeSet<_> = rows.iter().map(|row| &row.change).collect();
    assert_eq!(names.len(), rows.len(), "a change is there twice");
    let (mut transcript, mut wrong) = (String::new(), Vec::new());
    for row in &rows {
        let (old, new) = row.documents();
        let findings = diff(&old, &new);
        if Verdict::of(&findings) != row.is {
            wrong.push(format!(
                "{}: {:?} expected\n{}",
                row.change,
                row.is,
                report::text(&findings, report::Words::Listed)
            ));
        }
        transcript += &format!("# {}\n", row.change);
        for Finding { severity, pointer, document, rule, message, reason } in findings {
            transcript += &format!("{severity:?} {rule} {pointer} ({document})\n  {message}: {reason}\n");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    insta::assert_snapshot!(transcript);
}

/// Every pointer leads somewhere in the document that the finding names.
#[test]
fn each_pointer_is_in_its_document() {
    for row in rows() {
        let (old, new) = row.documents();
        for finding in diff(&old, &new).into_iter().chain(diff(&new, &old)) {
            let both = [&old, &new].map(|document| document.pointer(&finding.pointer).is_some());
            assert!(both[0] || both[1], "{}: {finding:?}", row.change);
        }
        for finding in diff(&old, &new) {
            let document = if finding.document == Side::Old { &old } else { &new };
            assert!(document.pointer(&finding.pointer).is_some(), "{}: {finding:?}", row.change);
        }
    }
}

/// Taking back what these add safely breaks those who use it by then.
const USED_BY_THEN: [&str; 8] = [
    "path-added",
    "method-added",
    "parameter-added",
    "request-body-added",
    "media-type-added",
    "property-added",
    "response-header-added",
    "server-added",
];

#[test]
fn changes_taken_back_are_changes() {
    let mut met = BTreeSet::new();
    for row in rows() {
        let (old, new) = row.documents();
        let (findings, back) = (diff(&old, &new), Verdict::of(&diff(&new, &old)));
        assert_eq!(back == Verdict::None, row.is == Verdict::None, "{}", row.change);
        let used = findings.iter().map(|finding| finding.rule).filter(|rule| USED_BY_THEN.contains(rule));
        let used: Vec<_> = used.collect();
        assert!(used.is_empty() || back == Verdict::Breaking, "{}", row.change);
        met.extend(used);
    }
    assert_eq!(met.len(), USED_BY_THEN.len(), "{met:?}");
}

/// Every leaf of a document with its pointer; keys are escaped.
fn leaves(value: &Value, pointer: String, found: &mut Vec<String>) {
    let escape = |key: &str| key.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Object(map) if !map.is_empty() => {
            map.iter().for_each(|(key, value)| leaves(value, format!("{pointer}/{}", escape(key)), found));
        }
        Value::Array(list) if !list.is_empty() => {
            list.iter().enumerate().for_each(|(index, value)| leaves(value, format!("{pointer}/{index}"), found));
        }
        _ => found.push(pointer),
    }
}

/// Another value in any one place, which no rule may pass over. What comes of it depends on the place.
fn each_leaf_counts(document: &Value, step: usize) {
    assert_eq!(diff(document, document), [], "a document differs from itself");
    let mut pointers = Vec::new();
    leaves(document, String::new(), &mut pointers);
    let mut silent = Vec::new();
    for pointer in pointers.iter().step_by(step) {
        let mut changed = document.clone();
        let leaf = changed.pointer_mut(pointer).unwrap();
        *leaf = match leaf {
            Value::Bool(flag) => Value::Bool(!*flag),
            Value::Number(number) => match number.as_i64() {
                // Downwards, for the greatest integer has nothing above it.
                Some(number) => number.checked_sub(1).unwrap_or_else(|| number + 1).into(),
                // One more, and of a great number enough to be another one.
                None => number.as_f64().map(|number| number + number.abs().max(1.0)).into(),
            },
            Value::String(text) => format!("{text}x").into(),
            Value::Array(_) => serde_json::json!(["x"]),
            _ => serde_json::json!({"type": "null"}),
        };
        if diff(document, &changed).is_empty() {
            silent.push(pointer.clone());
        }
    }
    // The label of the comparison, the version of OpenAPI, what nobody uses, names that are not sent or say what was implied.
    let null_alone = |schema: &str| document.pointer(&format!("{schema}/enum")) == Some(&serde_json::json!([null]));
    let known = |pointer: &String| {
        ["/openapi", "/info/version", "/components/schemas/Unused/type"].contains(&pointer.as_str())
            || pointer.ends_with("/style")
            || pointer.ends_with("/exclusiveMinimum")
            // Whatever type an alternative has beside null, null is its only value.
            || pointer.strip_suffix("/type").is_some_and(null_alone)
            // Shared examples, and what a shared schema says of itself where each use has words of its own.
            || pointer.starts_with("/components/examples/")
            || (pointer.starts_with("/components/schemas/")
                && (pointer.ends_with("/description") || pointer.ends_with("/x-extension")))
    };
    silent.retain(|pointer| !known(pointer));
    assert!(silent.is_empty(), "changes passed over in silence: {silent:#?}");
}

#[test]
fn no_change_is_passed_over_in_the_base() {
    each_leaf_counts(&base(), 1);
}

#[test]
fn no_change_is_passed_over_in_a_large_document() {
    each_leaf_counts(&crate::large_document(), 97);
}

/// Keys in reverse order, at every depth.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(map) => map.iter().rev().map(|(key, value)| (key.clone(), reversed(value))).collect(),
        Value::Array(list) => list.iter().map(reversed).collect(),
        other => other.clone(),
    }
}

#[test]
fn the_order_of_keys_is_nothing() {
    for document in [base(), crate::large_document()] {
        let reversed = reversed(&document);
        assert_ne!(document.to_string(), reversed.to_string());
        assert_eq!(diff(&document, &reversed), []);
    }
}

#[test]
fn broken_documents_end_without_a_panic() {
    let circle = serde_json::json!({"openapi": "3.0.3", "paths": {"/a": {"get": {"responses": {"200": {"content": {"x/y":
        {"schema": {"$ref": "#/components/schemas/A"}}}}}}}},
        "components": {"schemas": {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}}}});
    let mut other = circle.clone();
    other["components"]["schemas"]["B"] =
        serde_json::json!({"allOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "x.yaml"}]});
    assert_eq!(diff(&circle, &circle), []);
    assert_ne!(diff(&circle, &other), []);
    let odd =
        serde_json::json!({"paths": {"/{": {"get": 5}, "x": [], "/a": {"parameters": {"a": 1}}}, "components": 3});
    assert_eq!(diff(&odd, &odd), []);
    assert_ne!(diff(&odd, &circle), []);
}

/// A chain of references longer than any stack.
#[test]
fn a_long_chain_of_schemas_ends() {
    let chain = |last: &str| {
        let mut schemas: BTreeMap<String, Value> = (0..20_000)
            .map(|index| {
                let next = format!("#/components/schemas/S{}", index + 1);
                (format!("S{index}"), serde_json::json!({"type": "object", "properties": {"next": {"$ref": next}}}))
            })
            .collect();
        schemas.insert("S20000".into(), serde_json::json!({"type": last}));
        serde_json::json!({"openapi": "3.0.3", "paths": {"/a": {"post": {"requestBody": {"content": {"x/y":
            {"schema": {"$ref": "#/components/schemas/S0"}}}}}}}, "components": {"schemas": schemas}})
    };
    let findings = diff(&chain("string"), &chain("integer"));
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].pointer, "/components/schemas/S20000/type");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is thrown at it.
    #[test]
    fn anything_can_be_compared(cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..4_u8), 1..4)) {
        let document = base();
        let mut changed = document.clone();
        for (place, what) in cuts {
            let mut pointers = Vec::new();
            leaves(&changed, String::new(), &mut pointers);
            let pointer = place.get(&pointers).clone();
            // Cut somewhere on the way to the leaf.
            let depth = pointer.matches('/').count().max(1);
            let keep = 1 + usize::from(what) % depth;
            let cut: String = pointer.split('/').take(keep + 1).collect::<Vec<_>>().join("/");
            if let Some(value) = changed.pointer_mut(&cut) {
                *value = match what { 0 => Value::Null, 1 => 7.into(), 2 => serde_json::json!([{}]), _ => serde_json::json!({"$ref": "#/nowhere"}) };
            }
        }
        prop_assert_eq!(diff(&changed, &changed), []);
        diff(&document, &changed);
        diff(&changed, &document);
    }
}
