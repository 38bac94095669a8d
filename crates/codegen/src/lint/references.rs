//! Rules of references: the target is within the document, exists, has the right kind, and no cycle leads to it.

use serde_json::Value;

use crate::fault::{Fault, Report, unescaped};
use crate::lint::messages::nearest;
use crate::lint::structure::{Index, Reference};
use crate::reference::reference_pointer;

pub(super) fn check(index: &Index, faults: &mut Vec<Fault>) {
    for reference in &index.references {
        if let Some(message) = wrong(index, reference) {
            faults.error(&reference.pointer, message);
        }
    }
}

fn wrong(index: &Index, reference: &Reference) -> Option<String> {
    let target = reference.target;
    let Some(pointer) = reference_pointer(target) else {
        if target.is_empty() {
            return Some("the reference is empty; write `#/components/…/Name`".to_owned());
        }
        return Some(match target.starts_with('#') {
            true => format!("{target:?} is no JSON pointer; write `#/components/…/Name`"),
            false => format!("{target:?} lies in another file; move what it names into this document"),
        });
    };
    let Some(found) = index.root.pointer(&pointer) else {
        return Some(missing(index.root, target, &pointer));
    };
    match index.kind(found) {
        Some(kind) if kind == reference.kind => endless(index, found).map(|why| format!("{target} {why}")),
        Some(kind) => Some(format!("{target} is {}; {} is expected", kind.name(), reference.kind.name())),
        None => {
            let path = "under /components";
            Some(format!("{target} is no place of {}; move what it names {path}", reference.kind.name()))
        }
    }
}

fn missing(root: &Value, target: &str, pointer: &str) -> String {
    let (parent, name) = pointer.rsplit_once('/').unwrap_or_default();
    let siblings = root.pointer(parent).and_then(Value::as_object);
    match siblings.and_then(|siblings| nearest(&unescaped(name), siblings.keys().map(String::as_str))) {
        Some(meant) => format!("{target} does not exist; did you mean {meant:?}?"),
        None => format!("{target} does not exist; add it, or correct the name"),
    }
}

/// Returns the reason why following references from here does not terminate.
fn endless(index: &Index, start: &Value) -> Option<&'static str> {
    const MAX: usize = 32;
    let mut seen: Vec<*const Value> = Vec::new();
    let mut node = start;
    while let Some(next) = target(index.root, node) {
        seen.push(node);
        node = next;
        if seen.contains(&std::ptr::from_ref(node)) {
            return Some("leads into a circle of references");
        }
        if seen.len() > MAX {
            return Some("goes on from reference to reference; refer to the last one");
        }
    }
    None
}

fn target<'a>(root: &'a Value, node: &Value) -> Option<&'a Value> {
    root.pointer(&reference_pointer(node.get("$ref")?.as_str()?)?)
}
