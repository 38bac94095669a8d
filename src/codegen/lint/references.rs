//! References: within the document, to something that is there, of the right kind, and not in a circle.

use serde_json::Value;

use super::{
    super::reference::reference_pointer,
    Fault,
    structure::{Index, Reference},
    words::nearest,
};

pub fn check(index: &Index, faults: &mut Vec<Fault>) {
    for reference in &index.references {
        if let Some(message) = wrong(index, reference) {
            faults.push(Fault::error(&reference.pointer, message));
        }
    }
}

fn wrong(index: &Index, reference: &Reference) -> Option<String> {
    let target = reference.target;
    let Some(pointer) = reference_pointer(target) else {
        return Some(match target.starts_with('#') {
            true => format!("{target:?} is no JSON pointer; write `#/components/…/Name`"),
            false => format!("{target:?} lies in another file; move what it names into this document"),
        });
    };
    let Some(found) = index.root.pointer(&pointer) else {
        return Some(missing(index.root, target, &pointer));
    };
    match index.kind(found) {
        Some(kind) if kind == reference.kind => circle(index, found).then(|| format!("{target} leads back to itself")),
        Some(kind) => Some(format!("{target} is {}; {} is expected", kind.name(), reference.kind.name())),
        None => {
            let place = "under /components";
            Some(format!("{target} is no place of {}; move what it names {place}", reference.kind.name()))
        }
    }
}

fn missing(root: &Value, target: &str, pointer: &str) -> String {
    let (parent, name) = pointer.rsplit_once('/').unwrap_or_default();
    let siblings = root.pointer(parent).and_then(Value::as_object);
    let name = name.replace("~1", "/").replace("~0", "~");
    match siblings.and_then(|siblings| nearest(&name, siblings.keys().map(String::as_str))) {
        Some(meant) => format!("{target} does not exist; did you mean {meant:?}?"),
        None => format!("{target} does not exist; add it, or correct the name"),
    }
}

/// Whether following references from here never ends.
fn circle(index: &Index, start: &Value) -> bool {
    let mut slow = start;
    let mut fast = start;
    let next = |node: &Value| -> Option<*const Value> { target(index.root, node).map(std::ptr::from_ref) };
    loop {
        for _ in 0..2 {
            match target(index.root, fast) {
                Some(after) => fast = after,
                None => return false,
            }
        }
        if let Some(after) = target(index.root, slow) {
            slow = after;
        }
        if std::ptr::eq(slow, fast) && next(slow).is_some() {
            return true;
        }
    }
}

fn target<'a>(root: &'a Value, node: &Value) -> Option<&'a Value> {
    root.pointer(&reference_pointer(node.get("$ref")?.as_str()?)?)
}
