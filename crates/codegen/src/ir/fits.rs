//! Type check of the document's values against schemas.

use serde_json::Value;

use crate::ir::schema::{Additional, Discrimination, Kind, NamedType, Schema, Shape, integer};

/// Function that returns a type by its name.
pub type Lookup<'l, 't> = &'l dyn Fn(&str) -> Option<&'t NamedType>;

/// Returns whether the value has the type of the schema; limits are not checked.
pub fn fits<'t>(types: Lookup<'_, 't>, schema: &Schema, value: &Value, depth: usize) -> bool {
    if depth > 32 {
        return false;
    }
    if value.is_null() {
        return schema.nullable || matches!(schema.shape, Shape::Any);
    }
    match (&schema.shape, value) {
        (Shape::Any, _) | (Shape::Boolean, Value::Bool(_)) | (Shape::Number { single: false }, Value::Number(_)) => {
            true
        }
        (Shape::Number { single: true }, Value::Number(number)) => {
            number.as_f64().is_some_and(|number| (number as f32).is_finite())
        }
        (Shape::Integer(width), Value::Number(number)) => {
            integer(number).is_some_and(|number| width.range().contains(&number))
        }
        (Shape::String | Shape::Binary, Value::String(_)) => true,
        (Shape::Array(items), Value::Array(values)) => values.iter().all(|value| fits(types, items, value, depth + 1)),
        (Shape::Map(items), Value::Object(values)) => values.values().all(|value| fits(types, items, value, depth + 1)),
        (Shape::Named(name), value) => fits_named(types, name, value, depth),
        _ => false,
    }
}

fn fits_named<'t>(types: Lookup<'_, 't>, name: &str, value: &Value, depth: usize) -> bool {
    match (types(name).map(|named| &named.kind), value) {
        (Some(Kind::Enumeration(enumeration)), Value::String(text)) => {
            enumeration.variants.iter().any(|variant| variant.wire_name == *text)
        }
        (Some(Kind::Object(object)), Value::Object(values)) => {
            let fields = object.fields.iter().all(|field| match values.get(&field.wire_name) {
                Some(value) => fits(types, &field.schema, value, depth + 1),
                None => !field.required,
            });
            let named = |key: &str| object.knows(key);
            let mut others = values.iter().filter(|(key, _)| !named(key));
            fields
                && match &object.additional {
                    Additional::Ignored => true,
                    Additional::Rejected => others.next().is_none(),
                    Additional::Null => others.all(|(_, value)| value.is_null()),
                    Additional::Kept(schema) => others.all(|(_, value)| fits(types, schema, value, depth + 1)),
                }
        }
        (Some(Kind::Union(union)), value) => {
            let fitting = union.branches.iter().filter(|branch| fits(types, &branch.schema, value, depth + 8)).count();
            match &union.tell {
                Discrimination::JsonType(_) | Discrimination::Trial { exactly_one: false } => fitting > 0,
                // The emitted reader applies the discrimination; here exactly one branch must match.
                _ => fitting == 1,
            }
        }
        (Some(Kind::Wrapper(inner) | Kind::Alias(inner)), value) => fits(types, inner, value, depth + 1),
        _ => false,
    }
}
