//! Objects: fields, additional properties, maps.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::fault::child;
use crate::identifiers::{Taken, field_name};
use crate::ir::schema::{Additional, Direction, Field, Kind, Object, Presence, Schema, Shape};
use crate::lower::schemas::parts::Part;
use crate::lower::schemas::scalars::{count, least};
use crate::lower::schemas::unions::Group;
use crate::lower::schemas::{Body, Schemas, null};

/// Keywords of the properties that an object does not name. The second one, of OpenAPI 3.1, counts the properties of
/// all parts as named, as the generated code does anyway.
const OTHERS: [&str; 2] = ["additionalProperties", "unevaluatedProperties"];

impl<'a> Schemas<'a> {
    /// Returns a map, or an object whose fields are lowered later.
    pub(super) fn object(&mut self, parts: &[Part<'a>], presence: Vec<Group<'a>>, hint: &str) -> Shape {
        let says = |key: &str| {
            parts.iter().any(|part| match part.node.get(key) {
                Some(Value::Object(map)) => !map.is_empty(),
                Some(Value::Array(list)) => !list.is_empty(),
                _ => false,
            })
        };
        let rejected = parts.iter().any(rejects_others);
        if !says("properties") && !says("required") && !rejected && presence.is_empty() {
            return Shape::Map(Box::new(self.additional_schema(parts, hint).unwrap_or(Schema::of(Shape::Any))));
        }
        let identity = self.identity_here();
        let name = self.name_for(&identity, hint);
        // The type is registered before its fields are lowered, so that they can refer to it.
        self.add(name.clone(), &identity, Kind::Object(Object::default()));
        self.queue.push_back(Body::Object { name: name.clone(), parts: parts.to_vec(), presence });
        Shape::Named(name)
    }

    pub(super) fn object_body(&mut self, name: &str, parts: &[Part<'a>], presence: Vec<Group<'a>>) {
        let mut properties: BTreeMap<&'a str, Vec<(String, &'a Value)>> = BTreeMap::new();
        let mut required = BTreeSet::new();
        for part in parts {
            let at = child(&part.pointer, "properties");
            for (property, node) in part.node.get("properties").and_then(Value::as_object).into_iter().flatten() {
                properties.entry(property).or_default().push((child(&at, property), node));
            }
            let names = part.node.get("required").and_then(Value::as_array).into_iter().flatten();
            required.extend(names.filter_map(Value::as_str));
        }
        for property in required.iter().copied().chain(presence.iter().flat_map(Group::required)) {
            properties.entry(property).or_default();
        }
        let additional = self.additional(parts, name);
        let mut taken = Taken::default();
        if matches!(additional, Additional::Kept(_)) {
            taken.unique("extra".to_owned());
        }
        let fields = properties
            .into_iter()
            .map(|(property, nodes)| {
                let rust_name = taken.unique(field_name(property));
                self.field(name, property, rust_name, &nodes, required.contains(property))
            })
            .collect();
        let mut object = Object { fields, additional, ..Object::default() };
        for part in parts {
            object.min_properties = object.min_properties.max(count(part, "minProperties"));
            object.max_properties = least(object.max_properties, count(part, "maxProperties"));
        }
        object.presence =
            presence.iter().map(|group| Presence { exactly_one: group.choice == 0, sets: group.sets() }).collect();
        if parts.iter().any(|part| part.node.get("x-distinct-null") == Some(&Value::Bool(true))) {
            null::distinguish(&mut object);
        }
        if let Some(named) = self.types.get_mut(name) {
            named.kind = Kind::Object(object);
        }
    }

    fn field(
        &mut self,
        object: &str,
        property: &str,
        rust_name: String,
        nodes: &[(String, &'a Value)],
        required: bool,
    ) -> Field {
        let hint = match property.contains(char::is_alphanumeric) {
            true => format!("{object} {property}"),
            false => format!("{object} field"),
        };
        let schema = match nodes {
            [] => Schema::of(Shape::Any),
            nodes => self.joined(nodes, &hint),
        };
        let maps = || nodes.iter().filter_map(|(_, node)| node.as_object());
        let flag = |key: &str| maps().any(|node| self.flag(node, key));
        Field {
            wire_name: property.to_owned(),
            rust_name,
            description: nodes
                .iter()
                .filter_map(|(_, node)| node.get("description").and_then(Value::as_str))
                .find(|text| !text.is_empty())
                .unwrap_or_default()
                .to_owned(),
            deprecated: maps().any(|node| node.get("deprecated") == Some(&Value::Bool(true))),
            required,
            default: nodes.iter().find_map(|(_, node)| self.default_of(node)).cloned(),
            direction: match (flag("readOnly"), flag("writeOnly")) {
                (true, _) => Some(Direction::Response),
                (_, true) => Some(Direction::Request),
                _ => None,
            },
            boxed: false,
            distinct_null: false,
            schema,
        }
    }

    fn additional(&mut self, parts: &[Part<'a>], hint: &str) -> Additional {
        if parts.iter().any(|part| rejects_others(part) && !ignores_unknown_null(part)) {
            return Additional::Rejected;
        }
        if parts.iter().any(rejects_others) {
            return Additional::Null;
        }
        match self.additional_schema(parts, hint) {
            Some(schema) => Additional::Kept(Box::new(schema)),
            // A base schema that others extend by `allOf`: its value can be an extension, whose fields are kept.
            None if parts.first().is_some_and(|part| part.node.contains_key("discriminator")) => {
                Additional::Kept(Box::new(Schema::of(Shape::Any)))
            }
            None => Additional::Ignored,
        }
    }

    /// Returns the schema of `additionalProperties`, if the document has one.
    fn additional_schema(&mut self, parts: &[Part<'a>], hint: &str) -> Option<Schema> {
        let mut nodes = Vec::new();
        let mut any = false;
        for (part, key) in parts.iter().flat_map(|part| OTHERS.map(|key| (part, key))) {
            match part.node.get(key) {
                Some(Value::Bool(_)) => any = true,
                Some(node @ Value::Object(_)) => nodes.push((child(&part.pointer, key), node)),
                _ => {}
            }
        }
        if nodes.is_empty() {
            return any.then(|| Schema::of(Shape::Any));
        }
        self.containers += 1;
        let schema = self.joined(&nodes, &format!("{hint} value"));
        self.containers -= 1;
        Some(schema)
    }
}

fn rejects_others(part: &Part<'_>) -> bool {
    OTHERS.iter().any(|key| part.node.get(*key) == Some(&Value::Bool(false)))
}

/// Returns whether an unknown property with the value null is ignored where others are rejected.
fn ignores_unknown_null(part: &Part<'_>) -> bool {
    part.node.get("x-unknown-null-ignored") == Some(&Value::Bool(true))
}
