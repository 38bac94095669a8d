//! Comparison of two OpenAPI documents: changes, and the clients or servers that each change breaks.
//!
//! The functions here perform no I/O. They compare the meaning of documents, not their spelling: references are
//! followed, `allOf` is merged, the order of keys is ignored, and a component counts only where it is used. Each schema
//! is judged by its direction: a request must not accept less, a response must not return more. A change of an unknown
//! keyword is reported as breaking, so no change is ignored silently. The one exception is a component that no
//! operation uses.
//!
//! A change of `info.version` is not a finding: [`release`] compares the findings with the versions.

mod content;
mod document;
mod operations;
mod parameters;

pub mod release;
pub mod report;
mod schemas;
mod security;
mod servers;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::diff::document::Node;
use crate::openapi_3_1::{Purpose, reduce};

/// Whether a change requires users of the older document to adapt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// A working client breaks.
    Breaking,
    /// Existing clients and servers need no change.
    Safe,
}

/// One of the two documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Older document.
    Old,
    /// Newer document.
    New,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Old => "old",
            Self::New => "new",
        })
    }
}

/// A change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Finding {
    /// Severity of the change.
    pub severity: Severity,
    /// Location: a JSON pointer into the document that `document` names.
    pub pointer: String,
    /// Document that has the pointer: the old one for a removal, the new one for every other change.
    pub document: Side,
    /// Stable name of the kind of change, for programs.
    pub rule: &'static str,
    /// Description of the change, in a sentence.
    pub message: String,
    /// The clients or servers that it breaks and why, or why it breaks none.
    pub reason: String,
}

/// Rule of changes in documentation: descriptions, examples and the like.
pub const TEXT: &str = "text";

impl Finding {
    /// Returns whether only documentation changed.
    pub fn is_text(&self) -> bool {
        self.rule == TEXT
    }
}

/// Returns every change from `old` to `new`: breaking changes first, then by pointer.
pub fn diff(old: &Value, new: &Value) -> Vec<Finding> {
    let (old, new) = (reduce(old, Purpose::Comparison), reduce(new, Purpose::Comparison));
    let mut comparison = Comparison::default();
    comparison.documents(&Node::root(&old.document, Side::Old), &Node::root(&new.document, Side::New));
    comparison.pending_schemas();
    let mut findings = merged(comparison.findings);
    for finding in &mut findings {
        let moves = if finding.document == Side::Old { &old.moves } else { &new.moves };
        finding.pointer = moves.original(&finding.pointer);
    }
    findings
}

/// Merges equal changes: a component is reached from many operations, in requests and in responses. A change that is
/// breaking in one of them is breaking.
fn merged(findings: Vec<Finding>) -> Vec<Finding> {
    let mut changes: BTreeMap<_, BTreeMap<Severity, BTreeSet<String>>> = BTreeMap::new();
    for Finding { severity, pointer, document, rule, message, reason } in findings {
        let change = changes.entry((pointer, document, rule, message)).or_default();
        change.entry(severity).or_default().insert(reason);
    }
    let worst = changes.into_iter().filter_map(|((pointer, document, rule, message), verdicts)| {
        let (severity, reasons) = verdicts.into_iter().next()?;
        let reason = reasons.into_iter().collect::<Vec<_>>().join("; ");
        Some(Finding { severity, pointer, document, rule, message, reason })
    });
    let mut findings: Vec<Finding> = worst.collect();
    findings.sort();
    findings
}

/// State of a comparison of two documents.
#[derive(Default)]
struct Comparison<'a> {
    findings: Vec<Finding>,
    schemas: schemas::Memory<'a>,
}

impl<'a> Comparison<'a> {
    fn breaking(&mut self, at: &Node<'a>, rule: &'static str, message: impl Into<String>, reason: &str) {
        self.find(Severity::Breaking, at, rule, message.into(), reason);
    }

    fn safe(&mut self, at: &Node<'a>, rule: &'static str, message: impl Into<String>, reason: &str) {
        self.find(Severity::Safe, at, rule, message.into(), reason);
    }

    fn find(&mut self, severity: Severity, at: &Node<'a>, rule: &'static str, message: String, reason: &str) {
        let (pointer, document) = (at.pointer.clone(), at.side);
        self.findings.push(Finding { severity, pointer, document, rule, message, reason: reason.to_owned() });
    }

    /// Compares the keys that no rule covers: documentation, `deprecated`, extensions and unknown keys.
    fn rest(&mut self, old: &Node<'a>, new: &Node<'a>, looked_at: &[&str]) {
        let (older, newer) = (old.object(), new.object());
        let mut keys: Vec<&str> =
            older.chain(newer).map(|(key, _)| key).filter(|key| !looked_at.contains(key)).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            self.keyword(key, old.child(key).as_ref(), new.child(key).as_ref());
        }
    }

    /// Judges a change of a keyword by its name alone.
    fn keyword(&mut self, key: &str, old: Option<&Node<'a>>, new: Option<&Node<'a>>) {
        let Some(at) = new.or(old) else { return };
        if old.map(|node| node.value) == new.map(|node| node.value) {
            return;
        }
        let verb = match (old, new) {
            (None, _) => "was added",
            (_, None) => "was removed",
            _ => "changed",
        };
        if is_text(key) {
            self.safe(at, TEXT, format!("`{key}` {verb}"), "it is for people to read; no program depends on it");
        } else if key == "deprecated" {
            let is = |node: Option<&Node<'a>>| node.is_some_and(|node| node.value == true);
            match (is(old), is(new)) {
                (false, true) => self.safe(at, "deprecated", "it is deprecated now", "it still works as before"),
                (true, false) => {
                    self.safe(at, "deprecation-lifted", "it is no longer deprecated", "it works as before");
                }
                _ => {}
            }
        } else if key.starts_with("x-") {
            let reason = "an extension says nothing about what travels; the program that reads it has to decide";
            self.safe(at, "extension", format!("the extension `{key}` {verb}"), reason);
        } else {
            let reason = "this comparison does not know what the key means, so anybody may depend on it";
            self.breaking(at, "unknown-key", format!("`{key}` {verb}"), reason);
        }
    }
}

/// Returns whether a key holds documentation only.
fn is_text(key: &str) -> bool {
    matches!(
        key,
        "description"
            | "summary"
            | "title"
            | "example"
            | "examples"
            | "externalDocs"
            | "bearerFormat"
            | "x-pattern-message"
    )
}
