//! Keys of OpenAPI 3.1, Swagger 2.0 and JSON Schema, each with its equivalent in OpenAPI 3.0.

use crate::fault::Severity::{self, Error, Warning};
use crate::lint::grammar::Kind;

/// Returns the remedy for `key`, and an error if its omission would change the meaning, or else a warning.
pub(super) fn remedy(kind: Kind, key: &str) -> Option<(Severity, &'static str)> {
    Some(match (kind, key) {
        (Kind::Schema, key) => return schema(key),
        (Kind::OpenApi, "swagger") => (Error, "Swagger 2.0 writes it; convert the document to OpenAPI 3.0.3"),
        (Kind::OpenApi, "host" | "basePath" | "schemes") => (Error, "Swagger 2.0 writes it; write `servers`"),
        (Kind::OpenApi, "definitions") => (Error, "Swagger 2.0 writes it; write `components.schemas`"),
        (Kind::OpenApi, "securityDefinitions") => (Error, "Swagger 2.0 writes it; write `components.securitySchemes`"),
        (Kind::OpenApi, "parameters" | "responses" | "schemas" | "securitySchemes" | "requestBodies" | "headers") => {
            (Error, "it belongs under `components`")
        }
        (Kind::OpenApi, "webhooks") => (
            Warning,
            "OpenAPI 3.1 writes it, and nothing is generated for it; write `callbacks` of the operation that subscribes",
        ),
        (Kind::OpenApi, "jsonSchemaDialect") => (Warning, "OpenAPI 3.1 writes it; remove it"),
        (Kind::OpenApi | Kind::PathItem | Kind::Operation, "consumes") => {
            (Error, "Swagger 2.0 writes it; name the media types under `requestBody.content`")
        }
        (Kind::OpenApi | Kind::PathItem | Kind::Operation, "produces") => {
            (Error, "Swagger 2.0 writes it; name the media types under `content` of each response")
        }
        (Kind::Operation, "schemes") => (Error, "Swagger 2.0 writes it; write `servers`"),
        (Kind::Info, "summary") => (Warning, "OpenAPI 3.1 writes it; write `description`"),
        (Kind::License, "identifier") => (Warning, "OpenAPI 3.1 writes it; write `url`"),
        (Kind::Components, "pathItems") => (Error, "OpenAPI 3.1 writes it; write the operations under `paths`"),
        (Kind::Components, "definitions") => (Error, "write `schemas`"),
        (Kind::Components, "securityDefinitions") => (Error, "write `securitySchemes`"),
        (
            Kind::Parameter | Kind::Header,
            "type" | "items" | "enum" | "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "minLength"
            | "maxLength" | "minItems" | "maxItems" | "uniqueItems" | "pattern" | "multipleOf" | "default" | "format"
            | "nullable" | "oneOf" | "anyOf" | "allOf" | "properties",
        ) => (Error, "it belongs under `schema`"),
        (Kind::Parameter | Kind::Header, "collectionFormat") => {
            (Error, "Swagger 2.0 writes it; write `style` and `explode`")
        }
        (Kind::Header, "name" | "in") => (Warning, "a header's name is its key and its place is fixed; remove it"),
        (Kind::Response | Kind::RequestBody, "schema") => {
            (Error, "it belongs under a media type: `content: {application/json: {schema: …}}`")
        }
        (Kind::Response | Kind::RequestBody, "example" | "examples") => {
            (Warning, "it belongs under a media type: `content: {application/json: {example: …}}`")
        }
        (Kind::RequestBody, "name" | "in") => (Warning, "a body has no name and its place is fixed; remove it"),
        (
            Kind::MediaType,
            "type" | "items" | "properties" | "oneOf" | "anyOf" | "allOf" | "format" | "enum" | "required",
        ) => (Error, "it belongs under `schema`"),
        (Kind::SecurityScheme, "flow" | "authorizationUrl" | "tokenUrl" | "scopes") => {
            (Error, "Swagger 2.0 writes it; write `flows: {authorizationCode: {…}}`")
        }
        _ => return None,
    })
}

fn schema(key: &str) -> Option<(Severity, &'static str)> {
    Some(match key {
        "const" => (Error, "JSON Schema writes it; write `enum` with this one value"),
        "examples" => (Warning, "OpenAPI 3.1 writes it; write `example` with one of them"),
        "$defs" | "definitions" => (Warning, "JSON Schema writes it; name these schemas under /components/schemas"),
        "$schema" | "$id" | "$comment" | "$anchor" | "$vocabulary" | "id" => {
            (Warning, "JSON Schema writes it; remove it")
        }
        "$dynamicRef" | "$recursiveRef" | "$dynamicAnchor" => {
            (Error, "JSON Schema writes it; write `$ref` to a component")
        }
        "if" | "then" | "else" => (Error, "JSON Schema writes it; write `oneOf` with one branch for each case"),
        "dependentRequired" | "dependentSchemas" | "dependencies" => {
            (Error, "JSON Schema writes it; write `oneOf` with one branch for each case")
        }
        "patternProperties" | "propertyNames" => {
            (Error, "JSON Schema writes it; write `additionalProperties` with the schema of the values")
        }
        "unevaluatedProperties" => (Error, "JSON Schema writes it; write `additionalProperties`"),
        "prefixItems" | "additionalItems" | "unevaluatedItems" | "contains" | "minContains" | "maxContains" => {
            (Error, "JSON Schema writes it; write one schema under `items`, a `oneOf` where they differ")
        }
        "contentEncoding" => (Warning, "OpenAPI 3.1 writes it; write `format: byte` for base64"),
        "contentMediaType" | "contentSchema" => (Warning, "OpenAPI 3.1 writes it; write `format: binary` or `byte`"),
        "optional" => (Error, "every property is optional but those in `required` of the object; remove it"),
        "in" | "name" => (Warning, "it belongs to a parameter, not to its schema; move it one level up"),
        "schema" => (Error, "a schema holds no `schema`; move what is below it one level up"),
        "value" => (Warning, "it belongs to an Example Object; write `example`"),
        _ => return None,
    })
}

/// Returns the remedy for a `type` that OpenAPI 3.0 does not have.
pub(super) fn schema_type(found: &str) -> Option<&'static str> {
    Some(match found {
        "null" => "OpenAPI 3.1 writes it; write `nullable: true` beside the type",
        "file" => "Swagger 2.0 writes it; write `type: string` with `format: binary`",
        "any" => "a schema without `type` takes anything; remove it",
        "int" | "int32" | "int64" | "long" | "short" | "uint" | "uint64" => "write `type: integer` with a `format`",
        "float" | "double" | "decimal" => "write `type: number`, with `format: float` or `double`",
        "bool" => "write `boolean`",
        "str" | "text" => "write `string`",
        "date" | "date-time" | "datetime" | "uuid" | "uri" | "email" | "binary" | "byte" | "password" | "timestamp" => {
            "write `type: string` with it as `format`"
        }
        "enum" => "write `type: string` with the values under `enum`",
        "list" => "write `array`",
        "map" | "dict" | "hash" | "json" => "write `object` with `additionalProperties`",
        _ => return None,
    })
}
