//! Keywords of schemas of OpenAPI 3.1, except those of types.

use serde_json::{Map, Value, json};

use crate::fault::{Report, child};
use crate::openapi_3_1::reduce::{Purpose, Reader};

/// Keywords that identify a schema or hold comments.
const IDENTIFIERS: [&str; 7] =
    ["$schema", "$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$comment", "$vocabulary"];

/// Keywords that the intermediate form does not have.
const UNCHECKED: [&str; 9] = [
    "dependentRequired",
    "dependentSchemas",
    "contains",
    "minContains",
    "maxContains",
    "propertyNames",
    "unevaluatedItems",
    "$dynamicRef",
    "$recursiveRef",
];

impl Reader {
    /// Rewrites one schema, whose inner schemas are rewritten already.
    pub(super) fn schema(&mut self, schema: &mut Map<String, Value>, at: &str) {
        self.identifiers(schema, at);
        self.examples(schema, at);
        self.content(schema, at);
        self.tuple(schema, at);
        self.unchecked(schema, at);
        self.bounds(schema, at);
        self.unevaluated(schema, at);
        self.types(schema, at);
        self.reference(schema, at);
    }

    fn is_code(&self) -> bool {
        matches!(self.purpose, Purpose::Code { .. })
    }

    fn identifiers(&mut self, schema: &mut Map<String, Value>, at: &str) {
        for key in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = schema.get(key).and_then(Value::as_str) {
                self.anchors.insert(name.to_owned(), at.to_owned());
            }
        }
        if schema.contains_key("$id") && self.is_code() {
            let message = "`$id` is not followed: references are those of the whole document";
            self.faults.warn(&child(at, "$id"), message);
        }
        for key in IDENTIFIERS {
            schema.shift_remove(key);
        }
    }

    /// Replaces `examples` by `example`, which holds the first of them.
    fn examples(&mut self, schema: &mut Map<String, Value>, at: &str) {
        match schema.get_mut("examples") {
            Some(Value::Array(examples)) if self.purpose == Purpose::Comparison && examples.len() > 1 => {}
            Some(Value::Array(examples)) => {
                let first = (!examples.is_empty()).then(|| examples.swap_remove(0));
                schema.shift_remove("examples");
                if let Some(first) = first {
                    schema.entry("example").or_insert(first);
                }
            }
            Some(_) => {
                schema.shift_remove("examples");
                self.faults.warn(&child(at, "examples"), "`examples` of a schema is a list of values; it is not read");
            }
            None => {}
        }
    }

    /// Replaces `contentEncoding` and `contentMediaType` by a format.
    fn content(&mut self, schema: &mut Map<String, Value>, at: &str) {
        let text = |key: &str| schema.get(key).and_then(Value::as_str).map(str::to_ascii_lowercase);
        let (encoding, media_type) = (text("contentEncoding"), text("contentMediaType"));
        let is_string = match schema.get("type") {
            Some(Value::Array(types)) => types.iter().any(|named| named == "string"),
            named => named.is_some_and(|named| named == "string"),
        };
        let format = match (encoding.as_deref(), media_type.as_deref()) {
            _ if !is_string || schema.contains_key("format") => None,
            (Some("base64"), _) => Some("byte"),
            (Some("binary"), _) => Some("binary"),
            (None, Some("application/octet-stream")) => Some("binary"),
            (None, Some(media_type)) if self.is_code() && !is_text(media_type) => Some("binary"),
            _ => None,
        };
        if let Some(format) = format {
            schema.insert("format".to_owned(), format.into());
        } else if let Some(encoding) = encoding.filter(|encoding| encoding != "base64" && self.is_code()) {
            let message = format!("the encoding `{encoding}` is not checked: any text is taken");
            self.faults.warn(&child(at, "contentEncoding"), message);
        }
        if format.is_some() || self.is_code() {
            for key in ["contentEncoding", "contentMediaType", "contentSchema"] {
                schema.shift_remove(key);
            }
        }
    }

    /// Replaces the items of a tuple by their union.
    fn tuple(&mut self, schema: &mut Map<String, Value>, at: &str) {
        let nothing = json!({"not": {}});
        let is_closed = |schema: &Map<String, Value>, key: &str| schema.get(key) == Some(&nothing);
        let is_array = match schema.get("type") {
            Some(Value::Array(types)) => types.iter().any(|named| named == "array"),
            named => named.is_some_and(|named| named == "array"),
        };
        let prefix = match schema.get("prefixItems") {
            Some(Value::Array(prefix)) if !prefix.is_empty() => prefix.clone(),
            _ => Vec::new(),
        };
        let is_uniform = prefix.iter().all(|item| *item == prefix[0]) && is_closed(schema, "items");
        if !prefix.is_empty() && !is_uniform && !self.is_code() {
            return;
        }
        let most = schema.get("maxItems").and_then(Value::as_u64);
        let mut closed = is_closed(schema, "items");
        if !prefix.is_empty() && is_closed(schema, "unevaluatedItems") {
            schema.shift_remove("unevaluatedItems");
            closed = true;
        }
        if closed {
            schema.shift_remove("items");
            let length = prefix.len() as u64;
            schema.insert("maxItems".to_owned(), most.map_or(length, |most| most.min(length)).into());
        }
        if !prefix.is_empty() {
            schema.shift_remove("prefixItems");
            let may_follow = !closed && most.is_none_or(|most| most > prefix.len() as u64);
            self.union_of_items(schema, prefix, may_follow, at);
        } else if is_array {
            schema.entry("items").or_insert_with(|| json!({}));
        }
    }

    fn union_of_items(&mut self, schema: &mut Map<String, Value>, prefix: Vec<Value>, may_follow: bool, at: &str) {
        let (before, after) = (child(at, "prefixItems"), child(at, "items"));
        let rest = schema.shift_remove("items");
        let mut sources: Vec<_> =
            prefix.into_iter().enumerate().map(|(index, item)| (format!("{before}/{index}"), item)).collect();
        if may_follow {
            sources.push((after.clone(), rest.unwrap_or_else(|| json!({}))));
        }
        let mut branches: Vec<Value> = Vec::new();
        let mut paths = Vec::new();
        for (source, item) in sources {
            let known = branches.iter().position(|branch| *branch == item);
            let index = known.unwrap_or(branches.len());
            paths.push((source, index));
            if known.is_none() {
                branches.push(item);
            }
        }
        if branches.len() > 1 {
            let assumption = "each item may be any of them";
            let remedy = "write one schema under `items`, a `oneOf` where they differ";
            self.lacks(&before, "the items of a tuple are not told apart by their positions", assumption, remedy);
        }
        let items = match branches.len() {
            1 => branches.swap_remove(0),
            _ => json!({"anyOf": branches}),
        };
        let is_union = items.get("anyOf").is_some() && paths.iter().any(|(_, index)| *index > 0);
        let path = |index: usize| if is_union { format!("{after}/anyOf/{index}") } else { after.clone() };
        let moved = paths.into_iter().map(|(source, index)| (source, path(index))).collect();
        let made =
            if is_union { vec![(after.clone(), before.clone()), (child(&after, "anyOf"), before)] } else { vec![] };
        schema.insert("items".to_owned(), items);
        self.moves.record(moved, made);
    }

    /// Removes keywords that the intermediate form does not have.
    fn unchecked(&mut self, schema: &mut Map<String, Value>, at: &str) {
        if !self.is_code() {
            return;
        }
        let remedy = "describe the values by the keywords of OpenAPI 3.0, or read leniently";
        for key in UNCHECKED {
            if schema.shift_remove(key).is_some() {
                let what = format!("`{key}` is not checked");
                self.lacks(&child(at, key), &what, "the values that it forbids are taken", remedy);
            }
        }
        let branches = [schema.shift_remove("then"), schema.shift_remove("else")];
        if schema.shift_remove("if").is_some() && branches.iter().any(Option::is_some) {
            let remedy = "write `oneOf` with one branch for each case";
            let assumption = "the values that its branches forbid are taken";
            self.lacks(&child(at, "if"), "`if` is not checked", assumption, remedy);
        }
    }

    /// Replaces limits that are excluded themselves.
    fn bounds(&mut self, schema: &mut Map<String, Value>, at: &str) {
        for (exclusive, limit) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            match schema.get(exclusive).cloned() {
                Some(Value::Number(excluded)) => {
                    schema.shift_remove(exclusive);
                    let number = excluded.as_f64().unwrap_or_default();
                    let is_weaker = schema
                        .get(limit)
                        .and_then(Value::as_f64)
                        .is_some_and(|included| if limit == "minimum" { included > number } else { included < number });
                    if !is_weaker {
                        schema.insert(limit.to_owned(), excluded.into());
                        schema.insert(exclusive.to_owned(), true.into());
                    }
                }
                Some(Value::Bool(flag)) if self.is_code() => {
                    let what = format!("`{exclusive}` is a number in OpenAPI 3.1");
                    let assumption = format!("{flag} is read as in OpenAPI 3.0");
                    self.lacks(
                        &child(at, exclusive),
                        &what,
                        &assumption,
                        &format!("write the limit there, not under `{limit}`"),
                    );
                }
                _ => {}
            }
        }
    }

    /// Replaces `unevaluatedProperties` by `additionalProperties` where they mean the same.
    fn unevaluated(&mut self, schema: &mut Map<String, Value>, at: &str) {
        const KEY: &str = "unevaluatedProperties";
        let Some(value) = schema.get(KEY) else { return };
        if schema.contains_key("additionalProperties") || *value == true {
            schema.shift_remove(KEY);
        } else if !["allOf", "oneOf", "anyOf", "$ref"].iter().any(|key| schema.contains_key(*key)) {
            let value = schema.shift_remove(KEY).unwrap_or_default();
            schema.insert("additionalProperties".to_owned(), value);
            self.moves.record(vec![(child(at, KEY), child(at, "additionalProperties"))], Vec::new());
        }
    }

    /// Moves a reference under `allOf`, since the keywords beside it apply too.
    fn reference(&mut self, schema: &mut Map<String, Value>, at: &str) {
        let is_alone = schema.keys().all(|key| key == "$ref" || key.starts_with("x-"));
        if is_alone || !schema.get("$ref").is_some_and(Value::is_string) {
            return;
        }
        let Some(reference) = schema.shift_remove("$ref") else { return };
        if let Value::Array(parts) = schema.entry("allOf").or_insert_with(|| json!([])) {
            let part = format!("{at}/allOf/{}", parts.len());
            parts.push(json!({"$ref": reference}));
            self.moves.record(vec![(child(at, "$ref"), child(&part, "$ref"))], vec![(part, at.to_owned())]);
        }
    }
}

/// Returns whether a media type is text, which JSON holds as it is.
fn is_text(media_type: &str) -> bool {
    let media_type = media_type.split(';').next().unwrap_or_default().trim();
    media_type.starts_with("text/")
        || ["json", "xml", "yaml", "javascript", "jwt", "x-www-form-urlencoded", "sql", "graphql"]
            .iter()
            .any(|kind| media_type.ends_with(kind))
}
