//! JSON Schemas of Rust types, for tools and response formats, and of the generated types.

use std::borrow::Cow;
use std::sync::LazyLock;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::{ClientError, from_json, types};
use crate::generated::OPENAPI_JSON;

/// Returns the JSON Schema (2020-12) of a type, as `parameters` of a tool or `schema` of a response format.
///
/// ```
/// use schemars::JsonSchema;
/// use trainyard::client::{ClientError, json_schema_of, types};
///
/// #[derive(serde::Deserialize, JsonSchema)]
/// struct Forecast {
///     /// City, without its country.
///     city: String,
///     days: u8,
/// }
///
/// # fn main() -> Result<(), ClientError> {
/// let tool = types::FunctionDefinition::new("forecast").parameters(json_schema_of::<Forecast>()?);
/// let format = types::NamedJsonSchema::new("forecast", json_schema_of::<Forecast>()?);
/// # Ok(())
/// # }
/// ```
///
/// The generated types implement [`JsonSchema`] with the schemas of the document, so that a type of yours may contain
/// them.
///
/// # Errors
///
/// Returns an error if the schema is no object, as that of a type which allows everything.
pub fn json_schema_of<T: JsonSchema>() -> Result<types::JsonObject, ClientError> {
    from_json(SchemaGenerator::default().into_root_schema_for::<T>())
}

/// Implements [`JsonSchema`] for generated types. Each has the JSON pointer of its schema in the document.
macro_rules! json_schemas {
    ($($name:ident = $pointer:literal,)*) => {
        $(impl JsonSchema for types::$name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn schema_id() -> Cow<'static, str> {
                concat!(module_path!(), "::", stringify!($name)).into()
            }
            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                schema_at($pointer, generator).try_into().unwrap_or_default()
            }
        })*

        /// Each pointer with the function that refers to the schema of its type.
        const REFERENCES: &[(&str, fn(&mut SchemaGenerator) -> Schema)] =
            &[$(($pointer, SchemaGenerator::subschema_for::<types::$name>),)*];
    };
}

include!("../../generated/json_schemas.rs");

/// Returns the schema at a JSON pointer of the document, in JSON Schema 2020-12.
fn schema_at(pointer: &str, generator: &mut SchemaGenerator) -> Value {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(OPENAPI_JSON).unwrap_or_default());
    DOCUMENT.pointer(pointer).map_or(Value::Bool(true), |schema| converted(schema, generator))
}

/// Converts a schema of OpenAPI 3.0.
fn converted(schema: &Value, generator: &mut SchemaGenerator) -> Value {
    let Value::Object(schema) = schema else { return schema.clone() };
    if let Some(pointer) = schema.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#')) {
        return match REFERENCES.iter().find(|(name, _)| *name == pointer) {
            Some((_, reference)) => reference(generator).to_value(),
            None => schema_at(pointer, generator),
        };
    }
    let mut converted_schema = Map::new();
    for (key, value) in schema {
        let value = match key.as_str() {
            "nullable" | "discriminator" | "exclusiveMinimum" | "exclusiveMaximum" => continue,
            extension if extension.starts_with("x-") => continue,
            "example" => {
                converted_schema.insert("examples".to_owned(), json!([value]));
                continue;
            }
            "items" | "not" | "additionalProperties" => converted(value, generator),
            "properties" => {
                let fields = value.as_object().into_iter().flatten();
                fields.map(|(name, field)| (name.clone(), converted(field, generator))).collect()
            }
            "allOf" | "oneOf" | "anyOf" => {
                value.as_array().into_iter().flatten().map(|branch| converted(branch, generator)).collect()
            }
            _ => value.clone(),
        };
        converted_schema.insert(key.clone(), value);
    }
    for (exclusive, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        if schema.get(exclusive) == Some(&Value::Bool(true))
            && let Some(limit) = converted_schema.shift_remove(bound)
        {
            converted_schema.insert(exclusive.to_owned(), limit);
        }
    }
    if schema.get("nullable") == Some(&Value::Bool(true)) {
        if let Some(type_) = converted_schema.get_mut("type") {
            *type_ = json!([type_, "null"]);
        }
        if let Some(Value::Array(values)) = converted_schema.get_mut("enum")
            && !values.contains(&Value::Null)
        {
            values.push(Value::Null);
        }
    }
    converted_schema.into()
}
