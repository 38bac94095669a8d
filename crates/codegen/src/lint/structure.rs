//! Checks a document against the grammar of the specification, and indexes its objects.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::fault::{Fault, Report, Severity, child};
use crate::lint::foreign;
use crate::lint::grammar::{Expect, Kind, Need};
use crate::lint::messages::{either, found, nearest};
use crate::openapi_3_1;
use crate::reference::reference_pointer;
use crate::source::MAX_DEPTH;

/// An object of the specification with its path.
pub(super) struct Site<'a> {
    pub kind: Kind,
    pub pointer: String,
    pub value: &'a Value,
    pub object: &'a Map<String, Value>,
}

/// A Reference Object, or the `$ref` of a path.
pub(super) struct Reference<'a> {
    /// Expected kind of the target.
    pub kind: Kind,
    pub pointer: String,
    pub target: &'a str,
}

/// Index of a document's objects, by kind.
pub(super) struct Index<'a> {
    pub root: &'a Value,
    pub sites: Vec<Site<'a>>,
    pub references: Vec<Reference<'a>>,
    /// Kind of each object, by its address in memory, since references can lead anywhere.
    kinds: HashMap<*const Value, Kind>,
}

impl<'a> Index<'a> {
    /// Walks the document; violations of the grammar are added to `faults`.
    pub(super) fn of(root: &'a Value, faults: &mut Vec<Fault>) -> Self {
        let index = Self { root, sites: Vec::new(), references: Vec::new(), kinds: HashMap::new() };
        let mut walk = Walk { index, faults, depth: 0, is_3_1: openapi_3_1::is_3_1(root) };
        walk.object(Kind::OpenApi, root, "");
        walk.targets(root);
        walk.index
    }

    /// Returns the kind of an object of the document; `None` if the grammar does not cover it.
    pub(super) fn kind(&self, value: &Value) -> Option<Kind> {
        self.kinds.get(&std::ptr::from_ref(value)).copied()
    }

    /// Returns the objects of one kind.
    pub(super) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Site<'a>> {
        self.sites.iter().filter(move |site| site.kind == kind)
    }
}

struct Walk<'a, 'f> {
    index: Index<'a>,
    faults: &'f mut Vec<Fault>,
    depth: usize,
    /// Whether the document is OpenAPI 3.1.
    is_3_1: bool,
}

impl<'a> Walk<'a, '_> {
    /// Checks targets of references that the grammar does not cover, such as extensions. The target has the kind that
    /// the reference expects.
    fn targets(&mut self, root: &'a Value) {
        let mut done = 0;
        while let Some(reference) = self.index.references.get(done) {
            done += 1;
            let kind = reference.kind;
            let Some(pointer) = reference_pointer(reference.target) else { continue };
            if let Some(value) = root.pointer(&pointer)
                && value.is_object()
                && self.index.kind(value).is_none()
            {
                self.object(kind, value, &pointer);
            }
        }
    }

    fn object(&mut self, kind: Kind, value: &'a Value, pointer: &str) {
        let Some(object) = value.as_object() else {
            let hint = match value {
                Value::Array(_) if kind == Kind::Schema && pointer.ends_with("/items") => {
                    "; a list of schemas is no schema: write one schema, a `oneOf` where the items differ"
                }
                Value::Bool(_) if kind == Kind::Schema => "; write `{}` for a schema that takes anything",
                Value::String(_) if pointer.ends_with("/$ref") => {
                    "; this object holds names, it cannot be a reference: put `$ref` below a name"
                }
                _ => "",
            };
            return self.faults.error(pointer, format!("{} is expected, not {}{hint}", kind.name(), found(value)));
        };
        if self.depth > MAX_DEPTH {
            return self
                .faults
                .error(pointer, format!("nested deeper than {MAX_DEPTH} levels; name parts of it as components"));
        }
        self.index.kinds.insert(std::ptr::from_ref(value), kind);
        if let Some(target) = object.get("$ref")
            && kind.by_reference()
        {
            return self.reference(kind, object, target, pointer);
        }
        self.index.sites.push(Site { kind, pointer: pointer.to_owned(), value, object });
        self.depth += 1;
        if let Some(values) = kind.values() {
            for (key, value) in object.iter().filter(|(key, _)| !key.starts_with("x-")) {
                self.value(key, values, value, &child(pointer, key));
            }
        } else {
            self.keys(kind, object, pointer);
        }
        self.depth -= 1;
    }

    fn reference(&mut self, kind: Kind, object: &'a Map<String, Value>, target: &'a Value, pointer: &str) {
        let Some(target) = target.as_str() else {
            return self
                .faults
                .error(&child(pointer, "$ref"), format!("a reference is a string, not {}", found(target)));
        };
        let lost: Vec<_> =
            object.keys().map(String::as_str).filter(|key| *key != "$ref" && !key.starts_with("x-")).collect();
        if !lost.is_empty() {
            let remedy = match kind {
                Kind::Schema => "; write `allOf: [{$ref: …}]` beside them",
                _ => "; remove them",
            };
            self.faults.warn(
                pointer,
                format!("beside `$ref` the specification ignores {}{remedy}", either(lost).replace(" or ", " and ")),
            );
        }
        self.index.references.push(Reference { kind, pointer: child(pointer, "$ref"), target });
    }

    fn keys(&mut self, kind: Kind, object: &'a Map<String, Value>, pointer: &str) {
        for (name, _, need) in
            kind.keys().iter().filter(|(name, _, need)| *need != Need::May && !object.contains_key(*name))
        {
            let message = format!("{} needs `{name}`", kind.name());
            match need {
                Need::Must => self.faults.error(pointer, message),
                _ => self.faults.warn(pointer, message),
            }
        }
        for (key, value) in object {
            let added = if self.is_3_1 { kind.keys_of_3_1() } else { &[] };
            match kind.keys().iter().chain(added).find(|(name, ..)| name == key) {
                Some((name, expect, need)) => {
                    let pointer = child(pointer, key);
                    if value.is_null() && *need != Need::Must && !matches!(expect, Expect::Any) {
                        self.faults.warn(
                            &pointer,
                            format!("`{name}` is null, which is not the same as absent; remove the key"),
                        );
                    } else {
                        self.value(name, *expect, value, &pointer);
                    }
                }
                None if key.starts_with("x-") => {}
                None => self.unknown(kind, key, pointer),
            }
        }
        if kind == Kind::PathItem
            && let Some(target) = object.get("$ref").and_then(Value::as_str)
        {
            self.index.references.push(Reference { kind, pointer: child(pointer, "$ref"), target });
        }
    }

    /// Reports a key that the grammar does not have.
    fn unknown(&mut self, kind: Kind, key: &str, pointer: &str) {
        let pointer = child(pointer, key);
        let (severity, message) = unknown_key(kind, key);
        self.faults.push(Fault { severity, ..Fault::error(&pointer, message) });
    }

    fn value(&mut self, key: &str, expect: Expect, value: &'a Value, pointer: &str) {
        match (expect, value) {
            (Expect::Any, _) | (Expect::Text, Value::String(_)) | (Expect::Flag, Value::Bool(_)) => {}
            (Expect::Number, Value::Number(_))
            | (Expect::Values, Value::Array(_))
            | (Expect::ValueMap, Value::Object(_)) => {}
            (Expect::PositiveNumber, Value::Number(number)) => {
                if number.as_f64().is_none_or(|number| number <= 0.0) {
                    self.faults.error(pointer, format!("`{key}` is above zero, not {number}"));
                }
            }
            (Expect::Count, Value::Number(number)) => {
                if number.as_f64().is_none_or(|number| number < 0.0 || number.fract() != 0.0) {
                    self.faults.error(pointer, format!("`{key}` is a whole number from zero, not {number}"));
                }
            }
            (Expect::Word(words), Value::String(word)) => {
                if !words.contains(&word.as_str()) {
                    self.word(key, words, word, pointer);
                }
            }
            (Expect::Texts, Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.value(key, Expect::Text, item, &format!("{pointer}/{index}"));
                }
            }
            (Expect::TextMap, Value::Object(map)) => {
                for (name, value) in map.iter().filter(|(name, _)| !name.starts_with("x-")) {
                    self.value(key, Expect::Text, value, &child(pointer, name));
                }
            }
            (Expect::One(kind), value) => self.object(kind, value, pointer),
            (Expect::List(kind), Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.object(kind, item, &format!("{pointer}/{index}"));
                }
            }
            (Expect::Map(kind), Value::Object(map)) => {
                for (name, value) in map {
                    // Properties may have any name; names of components cannot begin with `x-`.
                    if kind == Kind::Schema || !name.starts_with("x-") || value.is_object() {
                        self.object(kind, value, &child(pointer, name));
                    }
                }
            }
            (Expect::Extra, Value::Bool(_)) => {}
            (Expect::Extra, value) => self.object(Kind::Schema, value, pointer),
            (Expect::Security, Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    let pointer = format!("{pointer}/{index}");
                    let Some(requirement) = item.as_object() else {
                        self.faults
                            .error(&pointer, format!("a security requirement is an object, not {}", found(item)));
                        continue;
                    };
                    for (scheme, scopes) in requirement {
                        self.value("scopes", Expect::Texts, scopes, &child(&pointer, scheme));
                    }
                }
            }
            (expect, value) => self.mismatch(key, expect, value, pointer),
        }
    }

    fn word(&mut self, key: &str, words: &[&str], word: &str, pointer: &str) {
        let hint = match nearest(word, words.iter().copied()) {
            Some(meant) => Some(format!("did you mean `{meant}`?")),
            None if key == "in" && word == "body" => Some("Swagger 2.0 writes it; write `requestBody`".to_owned()),
            None if key == "in" && word == "formData" => {
                Some("Swagger 2.0 writes it; write a `requestBody` of multipart/form-data".to_owned())
            }
            None if key == "type" && word == "basic" => {
                Some("Swagger 2.0 writes it; write `type: http` with `scheme: basic`".to_owned())
            }
            None if key == "type" => foreign::schema_type(word).map(str::to_owned),
            None => None,
        };
        let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        self.faults.error(pointer, format!("`{key}` is {}, not `{word}`{hint}", either(words.iter().copied())));
    }

    fn mismatch(&mut self, key: &str, expect: Expect, value: &Value, pointer: &str) {
        let expected = match expect {
            Expect::Text | Expect::Word(_) => "a string",
            Expect::Flag => "true or false",
            Expect::Number | Expect::PositiveNumber => "a number",
            Expect::Count => "a whole number from zero",
            Expect::Texts => "a list of strings",
            Expect::Values | Expect::List(_) | Expect::Security => "a list",
            _ => "an object",
        };
        let hint = match (expect, value) {
            (Expect::Word(_), Value::Array(_)) if key == "type" => {
                "; OpenAPI 3.1 writes lists: write `nullable: true` for null, `oneOf` for several types"
            }
            (Expect::Flag, Value::Number(_)) if key.starts_with("exclusive") => {
                "; OpenAPI 3.1 writes a number: write it under `minimum` or `maximum`, and `true` here"
            }
            (Expect::Texts, Value::Bool(_)) if key == "required" => {
                "; list the name of the property under `required` of the object that holds it"
            }
            (Expect::Flag, Value::Array(_)) if key == "required" => "; the names belong under `schema`",
            (Expect::Text | Expect::Word(_), Value::Number(_) | Value::Bool(_) | Value::Null) => "; quote it",
            (Expect::Flag, Value::String(text)) if text == "true" || text == "false" => "; remove the quotes",
            (Expect::Number | Expect::Count | Expect::PositiveNumber, Value::String(text))
                if text.parse::<f64>().is_ok() =>
            {
                "; remove the quotes"
            }
            (Expect::Texts | Expect::Values | Expect::List(_) | Expect::Security, _) if !value.is_null() => {
                "; put it into `[ ]`"
            }
            _ => "",
        };
        let fault = Fault::error(pointer, format!("`{key}` is {expected}, not {}{hint}", found(value)));
        let severity = if is_annotation(key) { Severity::Warning } else { Severity::Error };
        self.faults.push(Fault { severity, ..fault });
    }
}

/// Returns the fault of a key that the grammar does not have: an error if its omission may change the meaning.
pub(super) fn unknown_key(kind: Kind, key: &str) -> (Severity, String) {
    let what = format!("`{key}` is no key of {}", kind.name());
    if let Some((severity, remedy)) = foreign::remedy(kind, key) {
        return (severity, format!("{what}: {remedy}"));
    }
    if kind == Kind::Example {
        return (Severity::Warning, format!("{what}; an example lies under `value`"));
    }
    match nearest(key, kind.keys().iter().map(|(name, ..)| *name)) {
        Some(meant) => {
            let severity = if is_annotation(meant) { Severity::Warning } else { Severity::Error };
            (severity, format!("{what}; did you mean `{meant}`?"))
        }
        None => (Severity::Warning, format!("{what} and is ignored; remove it, or let it begin with `x-`")),
    }
}

/// Returns whether the key is documentation, on which no program depends.
fn is_annotation(key: &str) -> bool {
    matches!(
        key,
        "title"
            | "summary"
            | "description"
            | "example"
            | "examples"
            | "externalDocs"
            | "termsOfService"
            | "contact"
            | "license"
            | "url"
            | "email"
            | "xml"
            | "deprecated"
            | "bearerFormat"
            | "version"
            | "externalValue"
    )
}
