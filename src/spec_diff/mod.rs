//! What changed between two OpenAPI 3.0 documents, and whom each change breaks.
//!
//! Two values in, findings out; nothing is read or written here. What a document *means* is compared, not how it is
//! spelt: references are followed, `allOf` is merged, the order of keys is nothing, and a component counts where it is
//! used only. Each schema is judged by the way it travels: what a request may hold must not become less, what a
//! response may hold must not become more. A keyword that is not known here and changed is reported as breaking: a
//! change is never passed over in silence. The one exception is a component that no operation uses.
//!
//! `info.version` is no finding: it is the label that [`release`] holds the findings against.

mod content;
mod document;
mod operations;
mod parameters;
pub mod published;
pub mod release;
pub mod report;
mod schemas;
mod security;
mod servers;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde::Serialize;
use serde_json::Value;

use document::Place;

/// Whether those who rely on the older document can go on unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Somebody's working program, or somebody's closed door, is broken.
    Breaking,
    /// Nobody has to do anything.
    Safe,
}

/// One of the two documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The older one.
    Old,
    /// The newer one.
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

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Finding {
    /// Whether it breaks somebody.
    pub severity: Severity,
    /// Where: a JSON pointer into the document that `document` names.
    pub pointer: String,
    /// The document that has the pointer: the old one for what is gone, the new one for everything else.
    pub document: Side,
    /// A stable name of the kind of change, for programs.
    pub rule: &'static str,
    /// What changed, in a sentence.
    pub message: String,
    /// Whom it breaks and why, or why it breaks nobody.
    pub reason: String,
}

/// The rule of findings on words for people: descriptions, examples and the like.
pub const TEXT: &str = "text";

impl Finding {
    /// Whether only words for people changed.
    pub fn is_text(&self) -> bool {
        self.rule == TEXT
    }
}

/// Every change from `old` to `new`: breaking ones first, then by pointer.
pub fn diff(old: &Value, new: &Value) -> Vec<Finding> {
    let mut comparison = Comparison::default();
    comparison.documents(&Place::root(old, Side::Old), &Place::root(new, Side::New));
    comparison.pending_schemas();
    merged(comparison.findings)
}

/// Each change once: a component is met by way of many operations, and in requests as well as in responses. What
/// breaks one of the two is breaking.
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

/// The walk over both documents.
#[derive(Default)]
struct Comparison<'a> {
    findings: Vec<Finding>,
    schemas: schemas::Memory<'a>,
}

impl<'a> Comparison<'a> {
    fn breaking(&mut self, at: &Place<'a>, rule: &'static str, message: impl Into<String>, reason: &str) {
        self.find(Severity::Breaking, at, rule, message.into(), reason);
    }

    fn safe(&mut self, at: &Place<'a>, rule: &'static str, message: impl Into<String>, reason: &str) {
        self.find(Severity::Safe, at, rule, message.into(), reason);
    }

    fn find(&mut self, severity: Severity, at: &Place<'a>, rule: &'static str, message: String, reason: &str) {
        let (pointer, document) = (at.pointer.clone(), at.side);
        self.findings.push(Finding { severity, pointer, document, rule, message, reason: reason.to_owned() });
    }

    /// The keys that no rule looked at: words for people, `deprecated`, extensions, and what is not known.
    fn rest(&mut self, old: &Place<'a>, new: &Place<'a>, looked_at: &[&str]) {
        let (older, newer) = (old.object(), new.object());
        let mut keys: Vec<&str> =
            older.chain(newer).map(|(key, _)| key).filter(|key| !looked_at.contains(key)).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            self.keyword(key, old.child(key).as_ref(), new.child(key).as_ref());
        }
    }

    /// A keyword that is judged by its name alone.
    fn keyword(&mut self, key: &str, old: Option<&Place<'a>>, new: Option<&Place<'a>>) {
        let Some(at) = new.or(old) else { return };
        if old.map(|place| place.value) == new.map(|place| place.value) {
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
            let is = |place: Option<&Place<'a>>| place.is_some_and(|place| place.value == true);
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

/// Whether a key holds words for people only.
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
