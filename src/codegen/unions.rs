//! `generated/unions.rs`: the types that typify cannot write well.
//!
//! * A `oneOf` with a discriminator, which typify ignores: an enum chosen by the discriminator's value.
//! * A `oneOf` without one: an enum chosen by the JSON type of the value. typify would try each branch in turn and
//!   say only that none matched.
//! * A component marked `x-verbatim: true`: checked against its schema, kept as the text that came in, because the
//!   order of keys, nulls and unknown keys matter to whoever reads it next.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::{Map, Value};

use super::{
    Document,
    document::reference_name,
    names::{doc, is_true, json_type, rust_type, type_name, variant, with_article},
};

/// Names of the components that this module writes instead of typify.
pub fn names(document: &Document) -> Vec<String> {
    document
        .schemas()
        .filter(|(_, schema)| is_true(schema, "x-verbatim") || schema.contains_key("oneOf"))
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// The branches of a union.
pub fn branches(schema: &Map<String, Value>) -> impl Iterator<Item = &Map<String, Value>> {
    schema.get("oneOf").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
}

/// The schema that a verbatim component is checked against; none when any object will do.
pub fn verbatim_of(schema: &Map<String, Value>) -> Option<&str> {
    schema.get("allOf")?[0].as_object().and_then(reference_name)
}

/// The file.
pub fn generate(document: &Document) -> Result<String, String> {
    let mut items = TokenStream::new();
    for (name, schema) in document.schemas() {
        if is_true(schema, "x-verbatim") {
            items.extend(verbatim(name, schema));
        } else if schema.contains_key("discriminator") {
            items.extend(discriminated(name, schema)?);
        } else if schema.contains_key("oneOf") {
            items.extend(by_json_type(document, name, schema)?);
        }
    }
    super::render(
        quote! {
            #![allow(clippy::all, missing_docs, unused_imports)]
            use super::types;
            use crate::json::{AnyObject, JsonType, Verbatim, expected_type, parse_at_place, unknown_discriminator};
            use serde_json::value::RawValue;
            #items
        },
        "unions.rs",
    )
}

fn verbatim(name: &str, schema: &Map<String, Value>) -> TokenStream {
    let alias = type_name(name);
    let doc = description(name, schema);
    match verbatim_of(schema) {
        Some(checked) => {
            let checked = type_name(checked);
            quote!(#doc pub type #alias = Verbatim<types::#checked>;)
        }
        None => quote!(#doc pub type #alias = Verbatim<AnyObject>;),
    }
}

fn discriminated(name: &str, schema: &Map<String, Value>) -> Result<TokenStream, String> {
    let ident = type_name(name);
    let doc = description(name, schema);
    let property = schema["discriminator"]["propertyName"]
        .as_str()
        .ok_or_else(|| format!("{name}: the discriminator has no propertyName"))?;
    let mapping = schema["discriminator"]["mapping"]
        .as_object()
        .ok_or_else(|| format!("{name}: the discriminator needs a mapping"))?;
    let variants: Vec<_> = branches(schema).map(variant).collect();
    let tags: Vec<&str> = mapping.keys().map(String::as_str).collect();
    let targets = mapping
        .values()
        .map(|target| type_name(target.as_str().unwrap_or_default().rsplit('/').next().unwrap_or_default()));
    Ok(quote! {
        #doc
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        #[serde(untagged)]
        pub enum #ident { #(#variants(types::#variants)),* }
        #(impl From<types::#variants> for #ident { fn from(value: types::#variants) -> Self { Self::#variants(value) } })*
        impl<'de> serde::Deserialize<'de> for #ident {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                #[derive(serde::Deserialize)]
                struct Tag { #[serde(rename = #property)] tag: String }
                let text = Box::<RawValue>::deserialize(deserializer)?;
                let Tag { tag } = parse_at_place(text.get())?;
                match tag.as_str() {
                    #(#tags => parse_at_place(text.get()).map(Self::#targets),)*
                    other => Err(unknown_discriminator(#property, other, &[#(#tags),*])),
                }
            }
        }
    })
}

fn by_json_type(document: &Document, name: &str, schema: &Map<String, Value>) -> Result<TokenStream, String> {
    let ident = type_name(name);
    let doc = description(name, schema);
    let mut variants = Vec::new();
    let mut arms = Vec::new();
    let mut choices = Vec::new();
    for branch in branches(schema) {
        let variant = variant(branch);
        let inner = rust_type(branch).map_err(|error| format!("{name}: {error}"))?;
        let json_type = json_type(document, branch).unwrap_or("object");
        let kind = match json_type {
            "integer" | "number" => format_ident!("Number"),
            other => type_name(other),
        };
        let open =
            if reference_name(branch).and_then(|name| document.schema(name)).is_some_and(|s| s.contains_key("enum")) {
                format!("one of {}", enum_values(document, branch))
            } else {
                with_article(json_type)
            };
        choices.push(open);
        arms.push(quote!(JsonType::#kind => parse_at_place(text.get()).map(Self::#variant)));
        variants.push(quote!(#variant(#inner)));
    }
    let choices = choices.join(" or ");
    Ok(quote! {
        #doc
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        #[serde(untagged)]
        pub enum #ident { #(#variants),* }
        impl<'de> serde::Deserialize<'de> for #ident {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = Box::<RawValue>::deserialize(deserializer)?;
                match JsonType::of(text.get()) {
                    #(#arms,)*
                    other => Err(expected_type(#choices, other)),
                }
            }
        }
    })
}

fn enum_values(document: &Document, branch: &Map<String, Value>) -> String {
    let values = reference_name(branch).and_then(|name| document.schema(name)).and_then(|schema| schema.get("enum"));
    let values = values.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    values.map(|value| format!("\"{value}\"")).collect::<Vec<_>>().join(", ")
}

fn description(name: &str, schema: &Map<String, Value>) -> Option<TokenStream> {
    doc(schema.get("description").and_then(Value::as_str).unwrap_or(name))
}
