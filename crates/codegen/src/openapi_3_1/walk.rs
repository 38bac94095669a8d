//! Walk over the objects of a document by the grammar, children first.

use serde_json::{Map, Value};

use crate::fault::child;
use crate::lint::grammar::{Expect, Kind};
use crate::source::MAX_DEPTH;

/// Keywords of a schema in OpenAPI 3.1 that hold schemas, and that the form of OpenAPI 3.0 does not have.
const SCHEMAS_OF_3_1: [(&str, Expect); 11] = [
    ("prefixItems", Expect::List(Kind::Schema)),
    ("patternProperties", Expect::Map(Kind::Schema)),
    ("dependentSchemas", Expect::Map(Kind::Schema)),
    ("if", Expect::One(Kind::Schema)),
    ("then", Expect::One(Kind::Schema)),
    ("else", Expect::One(Kind::Schema)),
    ("contains", Expect::One(Kind::Schema)),
    ("propertyNames", Expect::One(Kind::Schema)),
    ("contentSchema", Expect::One(Kind::Schema)),
    ("unevaluatedItems", Expect::One(Kind::Schema)),
    ("definitions", Expect::Map(Kind::Schema)),
];

/// Visitor of objects.
pub(super) trait Visit {
    /// Visits an object after the objects inside it. A schema can also be a boolean.
    fn visit(&mut self, kind: Kind, value: &mut Value, pointer: &str);
}

/// Visits `value` and every object inside it.
pub(super) fn walk(visitor: &mut impl Visit, kind: Kind, value: &mut Value, pointer: &str) {
    Walk { visitor, depth: 0 }.object(kind, value, pointer);
}

struct Walk<'v, V> {
    visitor: &'v mut V,
    depth: usize,
}

impl<V: Visit> Walk<'_, V> {
    fn object(&mut self, kind: Kind, value: &mut Value, pointer: &str) {
        // The linter reports deeper documents.
        if self.depth > MAX_DEPTH {
            return;
        }
        self.depth += 1;
        if let Some(object) = value.as_object_mut() {
            self.children(kind, object, pointer);
        }
        self.depth -= 1;
        self.visitor.visit(kind, value, pointer);
    }

    fn children(&mut self, kind: Kind, object: &mut Map<String, Value>, pointer: &str) {
        if kind.by_reference() && kind != Kind::Schema && object.contains_key("$ref") {
            return;
        }
        if let Some(expect) = kind.values() {
            for (key, value) in object.iter_mut().filter(|(key, _)| !key.starts_with("x-")) {
                self.value(expect, value, &child(pointer, key));
            }
            return;
        }
        let more: &[_] = if kind == Kind::Schema { &SCHEMAS_OF_3_1 } else { &[] };
        let keys = kind.keys().iter().chain(kind.keys_of_3_1()).map(|(key, expect, _)| (*key, *expect));
        for (key, expect) in keys.chain(more.iter().copied()) {
            if let Some(value) = object.get_mut(key) {
                self.value(expect, value, &child(pointer, key));
            }
        }
    }

    fn value(&mut self, expect: Expect, value: &mut Value, pointer: &str) {
        match (expect, value) {
            (Expect::One(kind), value) => self.object(kind, value, pointer),
            (Expect::Extra, value @ Value::Object(_)) => self.object(Kind::Schema, value, pointer),
            (Expect::List(kind), Value::Array(items)) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.object(kind, item, &format!("{pointer}/{index}"));
                }
            }
            (Expect::Map(kind), Value::Object(map)) => {
                for (name, value) in map {
                    if kind == Kind::Schema || !name.starts_with("x-") {
                        self.object(kind, value, &child(pointer, name));
                    }
                }
            }
            _ => {}
        }
    }
}
