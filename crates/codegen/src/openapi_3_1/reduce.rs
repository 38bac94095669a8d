//! OpenAPI 3.1 to the form of 3.0.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use crate::fault::{Fault, Report, child};
use crate::lint::grammar::Kind;
use crate::openapi_3_1::is_3_1;
use crate::openapi_3_1::moves::Moves;
use crate::openapi_3_1::walk::{Visit, walk};
use crate::reference::reference_pointer;

/// Purpose of the rewritten document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Code: a keyword without an equivalent is an error, or in lenient reading left out with a warning.
    Code { lenient: bool },
    /// Comparison: a keyword without an equivalent stays, so that its change is found.
    Comparison,
}

/// A document in the form of OpenAPI 3.0.
pub(crate) struct Reduced<'a> {
    pub(crate) document: Cow<'a, Value>,
    /// Faults of keywords without an equivalent, with paths in the original.
    pub(crate) faults: Vec<Fault>,
    pub(crate) moves: Moves,
}

/// Rewrites a document of version 3.1 in the form of 3.0. Any other document stays as it is.
pub(crate) fn reduce(original: &Value, purpose: Purpose) -> Reduced<'_> {
    if !is_3_1(original) {
        return Reduced { document: Cow::Borrowed(original), faults: Vec::new(), moves: Moves::default() };
    }
    let mut document = original.clone();
    let mut reader = Reader {
        purpose,
        faults: Vec::new(),
        moves: Moves::default(),
        anchors: HashMap::new(),
        visited: HashSet::new(),
        references: Vec::new(),
    };
    walk(&mut reader, Kind::OpenApi, &mut document, "");
    reader.uncovered_targets(&mut document);
    if !reader.moves.is_empty() || !reader.anchors.is_empty() {
        reader.follow_moves(&mut document);
    }
    Reduced { document: Cow::Owned(document), faults: reader.faults, moves: reader.moves }
}

impl Reduced<'_> {
    /// Returns a fault of the rewritten document with its path in the original.
    pub(crate) fn in_original(&self, fault: Fault) -> Fault {
        Fault { pointer: self.moves.original(&fault.pointer), ..fault }
    }
}

pub(super) struct Reader {
    pub(super) purpose: Purpose,
    pub(super) faults: Vec<Fault>,
    pub(super) moves: Moves,
    /// Paths of schemas by their `$anchor`.
    pub(super) anchors: HashMap<String, String>,
    /// Paths of the objects that were rewritten.
    visited: HashSet<String>,
    /// Paths that references lead to, with the kind that they expect.
    references: Vec<(Kind, String)>,
}

impl Visit for Reader {
    fn visit(&mut self, kind: Kind, value: &mut Value, pointer: &str) {
        // A boolean schema; all of them take anything, or nothing.
        if kind == Kind::Schema
            && let Value::Bool(any) = value
        {
            *value = if *any { json!({}) } else { json!({"not": {}}) };
        }
        let Some(object) = value.as_object_mut() else { return };
        self.visited.insert(pointer.to_owned());
        if let Some(target) = object.get("$ref").and_then(Value::as_str).and_then(reference_pointer) {
            self.references.push((kind, target));
        }
        match kind {
            Kind::Schema => self.schema(object, pointer),
            Kind::OpenApi => self.document(object),
            Kind::SecurityScheme => self.security_scheme(object, pointer),
            // Beside other references, 3.1 allows documentation that replaces that of the target.
            _ if kind.by_reference() && object.contains_key("$ref") => {
                object.shift_remove("summary");
                object.shift_remove("description");
            }
            _ => {}
        }
    }
}

impl Reader {
    pub(super) fn is_lenient(&self) -> bool {
        self.purpose != Purpose::Code { lenient: false }
    }

    /// Reports a construct that the form of 3.0 lacks: the assumption in lenient reading, otherwise the remedy.
    pub(super) fn lacks(&mut self, pointer: &str, what: &str, assumption: &str, remedy: &str) {
        match self.is_lenient() {
            true => self.faults.warn(pointer, format!("{what}: {assumption}")),
            false => self.faults.error(pointer, format!("{what}; {remedy}")),
        }
    }

    fn document(&mut self, document: &mut Map<String, Value>) {
        const DIALECTS: [&str; 2] =
            ["https://spec.openapis.org/oas/3.1/dialect/", "https://json-schema.org/draft/2020-12/schema"];
        if let Some(dialect) = document.shift_remove("jsonSchemaDialect")
            && !dialect.as_str().is_some_and(|dialect| DIALECTS.iter().any(|known| dialect.starts_with(known)))
        {
            let message = format!("schemas are read by the dialect of OpenAPI 3.1, not by {dialect}");
            self.faults.warn("/jsonSchemaDialect", message);
        }
        if !document.contains_key("paths") {
            document.insert("paths".to_owned(), json!({}));
        }
        if document.get("webhooks").and_then(Value::as_object).is_some_and(|webhooks| !webhooks.is_empty()) {
            let message = "no code is generated for webhooks; the server has to send these requests itself";
            self.faults.warn("/webhooks", message);
        }
    }

    fn security_scheme(&mut self, scheme: &mut Map<String, Value>, at: &str) {
        if scheme.get("type").is_some_and(|kind| kind == "mutualTLS") {
            let remedy = "declare a credential that requests carry, or check certificates in a proxy";
            self.lacks(
                &child(at, "type"),
                "certificates of clients are not checked",
                "a bearer token is assumed",
                remedy,
            );
            if matches!(self.purpose, Purpose::Code { .. }) {
                scheme.insert("type".to_owned(), "http".into());
                scheme.insert("scheme".to_owned(), "bearer".into());
            }
        }
    }

    /// Rewrites targets of references that the grammar does not cover.
    fn uncovered_targets(&mut self, document: &mut Value) {
        while let Some((kind, pointer)) = self.references.pop() {
            if self.visited.contains(&pointer) {
                continue;
            }
            let path = self.moves.current(&pointer);
            if let Some(mut value) = document.pointer_mut(&path).map(Value::take) {
                walk(self, kind, &mut value, &pointer);
                if let Some(path) = document.pointer_mut(&path) {
                    *path = value;
                }
            }
        }
    }

    /// Adapts references to moved schemas, and those by `$anchor`.
    fn follow_moves(&self, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.follow_moves(item)),
            Value::Object(map) => {
                if let Some(Value::String(reference)) = map.get_mut("$ref")
                    && let Some(fragment) = reference.strip_prefix('#')
                {
                    let target = self.anchors.get(fragment).cloned().or_else(|| reference_pointer(reference));
                    if let Some(target) = target {
                        let current = self.moves.current(&target);
                        if current != target || !fragment.is_empty() && !fragment.starts_with('/') {
                            *reference = format!("#{}", current.replace('%', "%25"));
                        }
                    }
                }
                map.values_mut().for_each(|value| self.follow_moves(value));
            }
            _ => {}
        }
    }
}
