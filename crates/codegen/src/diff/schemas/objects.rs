//! Comparison of objects and arrays: properties, required properties, additional properties, items.

use serde_json::Value;

use crate::diff::Comparison;
use crate::diff::document::Node;
use crate::diff::schemas::{Change, Shape};
use crate::ir::schema::Direction;

/// Additional properties that an object allows.
enum Further<'a> {
    Anything,
    Nothing,
    These(Vec<Node<'a>>),
}

impl<'a> Comparison<'a> {
    pub(super) fn objects(&mut self, old: &Shape<'a>, new: &Shape<'a>, direction: Direction) {
        let mut names: Vec<&String> = old.properties.keys().chain(new.properties.keys()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let travelling =
                |shape: &Shape<'a>| shape.properties.get(name).is_some_and(|parts| travels(parts, direction));
            match (travelling(old), travelling(new)) {
                (true, true) => {
                    self.necessity(name, old, new, direction);
                    self.schema(&old.properties[name], &new.properties[name], direction);
                }
                (true, false) => self.property_removed(name, old, new, direction),
                (false, true) => self.property_added(name, old, new, direction),
                (false, false) => {}
            }
        }
        // Names that are required but not described.
        let undescribed = |name: &String| !old.properties.contains_key(name) && !new.properties.contains_key(name);
        let mut names: Vec<&String> =
            old.required.keys().chain(new.required.keys()).filter(|name| undescribed(name)).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            self.necessity(name, old, new, direction);
        }
        self.further(old, new, direction);
    }

    fn property_removed(&mut self, name: &str, old: &Shape<'a>, new: &Shape<'a>, direction: Direction) {
        let message = format!("the property `{name}` is gone");
        // It may still exist for the other direction.
        let at =
            new.properties.get(name).or(old.properties.get(name)).and_then(|parts| parts.first()).unwrap_or(&new.at);
        let reason = match direction {
            Direction::Request => "what clients send there is ignored or refused",
            Direction::Response => "clients that read it find nothing",
        };
        let rule = match direction {
            Direction::Request => "request-property-removed",
            Direction::Response => "response-property-removed",
        };
        self.breaking(at, rule, message, reason);
    }

    fn property_added(&mut self, name: &str, old: &Shape<'a>, new: &Shape<'a>, direction: Direction) {
        let at = new.properties[name].first().unwrap_or(&new.at);
        let required = new.required.contains_key(name);
        match direction {
            Direction::Request if required && !old.required.contains_key(name) => {
                let message = format!("the new property `{name}` must be given");
                self.breaking(at, "required-property-added", message, "clients that do not send it are refused");
            }
            Direction::Request => {
                let message = format!("the property `{name}` may be given");
                self.safe(at, "property-added", message, "requests without it are served as before");
            }
            Direction::Response if matches!(further(old), Further::Nothing) => {
                let message = format!("the property `{name}` is sent");
                let reason = "clients were told that no further properties would come";
                self.breaking(at, "property-added-to-closed-object", message, reason);
            }
            Direction::Response => {
                let message = format!("the property `{name}` is sent");
                self.safe(at, "property-added", message, "clients that do not know it ignore it");
            }
        }
    }

    fn necessity(&mut self, name: &str, old: &Shape<'a>, new: &Shape<'a>, direction: Direction) {
        let at = new.properties.get(name).and_then(|parts| parts.first()).or(new.required.get(name)).unwrap_or(&new.at);
        match (old.required.contains_key(name), new.required.contains_key(name)) {
            (false, true) => {
                let message = match direction {
                    Direction::Request => format!("the property `{name}` must be given now"),
                    Direction::Response => format!("the property `{name}` is always sent now"),
                };
                self.judge(direction, Change::Narrowed, at, "property-required", message);
            }
            (true, false) => {
                let message = match direction {
                    Direction::Request => format!("the property `{name}` may be left out now"),
                    Direction::Response => format!("the property `{name}` may be missing now"),
                };
                self.judge(direction, Change::Widened, at, "property-optional", message);
            }
            _ => {}
        }
    }

    fn further(&mut self, old: &Shape<'a>, new: &Shape<'a>, direction: Direction) {
        const KEY: &str = "additionalProperties";
        let (change, message) = match (further(old), further(new)) {
            (Further::These(older), Further::These(newer)) => return self.schema(&older, &newer, direction),
            (Further::Anything, Further::Anything) | (Further::Nothing, Further::Nothing) => return,
            (_, Further::Nothing) => (Change::Narrowed, "further properties are not allowed any more"),
            (Further::Anything, Further::These(_)) => (Change::Narrowed, "further properties must fit a schema now"),
            (Further::Nothing, _) => (Change::Widened, "further properties are allowed now"),
            (Further::These(_), Further::Anything) => (Change::Widened, "further properties may be anything now"),
        };
        let at = new.first(KEY).or(old.first(KEY)).unwrap_or(&new.at);
        self.judge(direction, change, at, "further-properties", message);
    }

    pub(super) fn items(&mut self, old: &Shape<'a>, new: &Shape<'a>, direction: Direction) {
        let items = |shape: &Shape<'a>| -> Vec<Node<'a>> {
            let schemas = shape.all("items").iter().filter(|node| !allows_anything(node.value));
            schemas.map(|node| node.clone().resolved()).collect()
        };
        let (change, message) = match (items(old), items(new)) {
            (older, newer) if older.is_empty() && newer.is_empty() => return,
            (older, _) if older.is_empty() => (Change::Narrowed, "the items must fit a schema now"),
            (_, newer) if newer.is_empty() => (Change::Widened, "the items may be anything now"),
            (older, newer) => return self.schema(&older, &newer, direction),
        };
        let at = new.first("items").or(old.first("items")).unwrap_or(&new.at);
        self.judge(direction, change, at, "items", message);
    }
}

/// Returns whether a property occurs in this direction.
fn travels(parts: &[Node<'_>], direction: Direction) -> bool {
    let kept_out = match direction {
        Direction::Request => "readOnly",
        Direction::Response => "writeOnly",
    };
    !parts.iter().any(|part| part.flag(kept_out) == Some(true))
}

/// Returns whether a schema has no constraint: nothing but documentation and extensions.
fn allows_anything(schema: &Value) -> bool {
    let is_note = |key: &String| crate::diff::is_text(key) || key.starts_with("x-");
    schema.as_object().is_some_and(|schema| schema.keys().all(is_note))
}

/// Returns whether an object allows the described properties only.
pub(super) fn is_closed(shape: &Shape<'_>) -> bool {
    matches!(further(shape), Further::Nothing)
}

fn further<'a>(shape: &Shape<'a>) -> Further<'a> {
    let mut schemas = Vec::new();
    for node in shape.all("additionalProperties").iter().chain(shape.all("unevaluatedProperties")) {
        match node.value {
            Value::Bool(false) => return Further::Nothing,
            schema if schema.is_object() && !allows_anything(schema) => schemas.push(node.clone().resolved()),
            _ => {}
        }
    }
    if schemas.is_empty() { Further::Anything } else { Further::These(schemas) }
}
