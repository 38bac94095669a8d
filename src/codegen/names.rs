//! Rust names and types for what the document names, by the rules of typify 0.8.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use serde_json::{Map, Value};

use super::document::{Document, reference_name};

/// A struct field or argument: keywords get a trailing underscore.
pub fn field(name: &str) -> Ident {
    let name = heck::ToSnakeCase::to_snake_case(name);
    match syn::parse_str::<Ident>(&name) {
        Ok(ident) => ident,
        Err(_) => format_ident!("{name}_"),
    }
}

/// A type of the document.
pub fn type_name(name: &str) -> Ident {
    format_ident!("{}", heck::ToPascalCase::to_pascal_case(name))
}

/// The Rust type of an inline scalar, of an array of such, or of a reference.
pub fn rust_type(schema: &Map<String, Value>) -> Result<TokenStream, String> {
    if let Some(name) = reference_name(schema) {
        let name = type_name(name);
        return Ok(quote!(types::#name));
    }
    let format = schema.get("format").and_then(Value::as_str);
    Ok(match schema.get("type").and_then(Value::as_str) {
        Some("string") => quote!(String),
        Some("boolean") => quote!(bool),
        Some("number") => quote!(f64),
        Some("integer") => match format {
            Some("uint8") => quote!(u8),
            Some("uint32") => quote!(u32),
            Some("uint64") => quote!(u64),
            Some("int32") => quote!(i32),
            Some("int64") => quote!(i64),
            other => return Err(format!("integer format {other:?} has no Rust type")),
        },
        Some("array") => {
            let items = schema.get("items").and_then(Value::as_object).ok_or("an array without items")?;
            let items = rust_type(items)?;
            quote!(Vec<#items>)
        }
        other => return Err(format!("an inline schema of type {other:?} has no Rust type; name it")),
    })
}

/// The JSON type of a schema, references followed: what tells the branches of a union apart.
pub fn json_type<'a>(document: &'a Document, schema: &'a Map<String, Value>) -> Option<&'a str> {
    match reference_name(schema) {
        Some(name) => document.schema(name)?.get("type")?.as_str(),
        None => schema.get("type")?.as_str(),
    }
}

/// The variant of a union for one of its branches.
pub fn variant(schema: &Map<String, Value>) -> Ident {
    let name = match reference_name(schema) {
        Some(name) => name,
        None => schema.get("type").and_then(Value::as_str).unwrap_or("object"),
    };
    type_name(name)
}

/// "a string" for `string`.
pub fn with_article(json_type: &str) -> String {
    let article = if json_type.starts_with(['a', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {json_type}")
}

/// A description as documentation; nothing when it is empty.
pub fn doc(text: &str) -> Option<TokenStream> {
    let text = text.trim();
    (!text.is_empty()).then(|| {
        let lines = text.lines().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") });
        quote!(#(#[doc = #lines])*)
    })
}

/// Whether the schema carries the true value of a boolean keyword.
pub fn is_true(schema: &Map<String, Value>, key: &str) -> bool {
    schema.get(key) == Some(&Value::Bool(true))
}
