//! Constructors of the types that requests consist of.
//!
//! A struct literal must name every field, also the absent ones. The constructor `new` takes the required fields, in the
//! order of the document's `required`; each optional field has a method that sets it. A required field with one value
//! only, such as the `role` of a message, has it.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Item;

use crate::Document;
use crate::emit::context::{Context, is_option};
use crate::emit::names::ident;
use crate::ir::operation::Content;
use crate::ir::schema::{Additional, Branch, Field, Kind, NamedType, Object, Schema, Shape, Union};

/// Returns the constructors and conversions of every type that a request body consists of.
///
/// # Errors
/// When the emitted tokens are no Rust code.
pub(super) fn of(document: &Document) -> Result<Vec<Item>, String> {
    let context = Context::new(&document.api.types, quote!(crate));
    let names = request_types(document, &context);
    let objects = context.types().filter(|named| names.contains(named.name.as_str()));
    let mut items = Vec::new();
    for named in objects {
        match &named.kind {
            Kind::Object(object) => {
                items.extend(implementation(document, &context, named, object));
            }
            Kind::Union(union) => items.extend(conversions(&context, named, union)),
            _ => {}
        }
    }
    items.into_iter().map(|tokens| syn::parse2(tokens).map_err(|error| format!("a constructor: {error}"))).collect()
}

/// Returns the names of the types that request bodies consist of.
fn request_types<'a>(document: &'a Document, context: &Context<'a>) -> BTreeSet<&'a str> {
    let media = document.api.operations.iter().flat_map(|operation| &operation.body).flat_map(|body| &body.media);
    let mut waiting: Vec<&Schema> = Vec::new();
    for media in media {
        match &media.content {
            Content::Json(Some(schema)) => waiting.push(schema),
            Content::JsonItems { schema, items, .. } => waiting.extend([schema, items]),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    while let Some(schema) = waiting.pop() {
        let named = schema.target().and_then(|name| context.named(name));
        if let Some(named) = named.filter(|named| found.insert(named.name.as_str())) {
            waiting.extend(named.kind.schemas());
        }
    }
    found
}

/// Returns the required keys of a type in the order of the document.
fn required_order(document: &Document, named: &NamedType) -> Vec<String> {
    let schema = document.value.pointer(named.pointer.trim_start_matches('#'));
    let required = schema.and_then(|schema| schema["required"].as_array()).into_iter().flatten();
    required.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// Returns the fields of which `new` has an argument or a value, in the order of the document, and the fields with a
/// setter. `None` for a type with a field that has a default, and so no constructor: its absence cannot be expressed.
pub(super) fn fields<'t>(
    document: &Document,
    named: &NamedType,
    object: &'t Object,
) -> Option<(Vec<&'t Field>, Vec<&'t Field>)> {
    if object.fields.iter().any(|field| field.default.is_some()) {
        return None;
    }
    let order = required_order(document, named);
    let position = |field: &&Field| order.iter().position(|name| *name == field.wire_name).unwrap_or(order.len());
    let (mut required, optional): (Vec<&Field>, Vec<&Field>) =
        object.fields.iter().partition(|field| field.required || !is_option(field));
    required.sort_by_key(position);
    Some((required, optional))
}

fn implementation(
    document: &Document,
    context: &Context<'_>,
    named: &NamedType,
    object: &Object,
) -> Option<TokenStream> {
    let (required, optional) = fields(document, named, object)?;
    let name = ident(&named.name);
    let arguments = required.iter().filter(|field| only_value(context, field).is_none()).map(|field| {
        let (name, accepted) = (ident(&field.rust_name), accepted(context, field, field.schema.nullable));
        quote!(#name: #accepted)
    });
    let values = required.iter().map(|field| {
        let name = ident(&field.rust_name);
        let value = only_value(context, field).unwrap_or_else(|| value(context, field, field.schema.nullable));
        quote!(#name: #value)
    });
    let absent = optional.iter().map(|field| {
        let name = ident(&field.rust_name);
        quote!(#name: None)
    });
    let extra = matches!(object.additional, Additional::Kept(_)).then(|| quote!(extra: Default::default(),));
    let setters = optional.iter().filter(|field| field.rust_name != "new").map(|field| {
        let (name, accepted, value) =
            (ident(&field.rust_name), accepted(context, field, false), value(context, field, false));
        let doc = format!(" Sets [`{name}`](Self::{name}).");
        let value = if field.distinct_null { quote!(Some(#value)) } else { value };
        let null = field.distinct_null.then(|| {
            let doc = format!(" Sets [`{name}`](Self::{name}) to null.");
            let method = ident(&format!("{}_null", field.rust_name));
            let is_taken = optional.iter().any(|other| ident(&other.rust_name) == method);
            (!is_taken).then(|| {
                quote! {
                    #[doc = #doc]
                    #[must_use]
                    pub fn #method(mut self) -> Self {
                        self.#name = Some(None);
                        self
                    }
                }
            })
        });
        let null = null.flatten();
        quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #name(mut self, #name: #accepted) -> Self {
                self.#name = Some(#value);
                self
            }
            #null
        }
    });
    let doc = if required.is_empty() {
        " Creates a value without any field."
    } else {
        " Creates a value of the required fields."
    };
    Some(quote! {
        impl types::#name {
            #[doc = #doc]
            pub fn new(#(#arguments),*) -> Self {
                Self { #(#values,)* #(#absent,)* #extra }
            }
            #(#setters)*
        }
    })
}

/// Returns the branches of a union that a text, a number or a list converts to: those whose type no other branch has.
pub(super) fn convertible<'u>(context: &Context<'_>, union: &'u Union) -> Vec<&'u Branch> {
    let is_plain = |branch: &&Branch| !branch.boxed && !matches!(branch.schema.shape, Shape::Named(_) | Shape::Any);
    let plain: Vec<&Branch> = union.branches.iter().filter(is_plain).collect();
    let type_of = |branch: &Branch| context.inner_type(&branch.schema).to_string();
    let is_unique = |branch: &&&Branch| plain.iter().filter(|other| type_of(other) == type_of(branch)).count() == 1;
    plain.iter().filter(is_unique).copied().collect()
}

/// Returns whether the type of a schema is `String`.
pub(super) fn is_text(context: &Context<'_>, schema: &Schema) -> bool {
    schema.shape == Shape::String && context.text_type(schema).is_none()
}

/// Returns the conversions of texts, numbers and lists to a union.
fn conversions(context: &Context<'_>, named: &NamedType, union: &Union) -> Vec<TokenStream> {
    let name = ident(&named.name);
    let mut conversions = Vec::new();
    for branch in convertible(context, union) {
        let inner = context.inner_type(&branch.schema);
        let variant = ident(&branch.rust_name);
        let mut from = |source: TokenStream, value: TokenStream| {
            conversions.push(quote! {
                impl From<#source> for types::#name {
                    fn from(value: #source) -> Self {
                        Self::#variant(#value)
                    }
                }
            });
        };
        if is_text(context, &branch.schema) {
            from(quote!(&str), quote!(value.to_owned()));
        }
        from(inner, quote!(value));
    }
    conversions
}

/// Returns the value of a field whose type has no other.
pub(super) fn only_value(context: &Context<'_>, field: &Field) -> Option<TokenStream> {
    let Some(Kind::Enumeration(enumeration)) = context.kind(&field.schema).filter(|_| !field.schema.nullable) else {
        return None;
    };
    let [variant] = &enumeration.variants[..] else { return None };
    let (kind, variant) = (context.inner_type(&field.schema), ident(&variant.rust_name));
    Some(quote!(#kind::#variant))
}

fn is_union(context: &Context<'_>, field: &Field) -> bool {
    matches!(context.kind(&field.schema), Some(Kind::Union(_)))
}

/// Returns the type of an argument for a field.
fn accepted(context: &Context<'_>, field: &Field, nullable: bool) -> TokenStream {
    let inner = context.inner_type(&field.schema);
    match &field.schema.shape {
        _ if nullable => quote!(Option<#inner>),
        Shape::String if is_text(context, &field.schema) => quote!(impl Into<String>),
        _ if is_union(context, field) => quote!(impl Into<#inner>),
        Shape::Array(items) => {
            let items = context.rust_type(items);
            quote!(impl IntoIterator<Item = #items>)
        }
        _ => inner,
    }
}

/// Returns the value of a field from its argument.
fn value(context: &Context<'_>, field: &Field, nullable: bool) -> TokenStream {
    let name = ident(&field.rust_name);
    let value = match &field.schema.shape {
        _ if nullable && field.boxed => return quote!(#name.map(Box::new)),
        _ if nullable => return quote!(#name),
        Shape::String if is_text(context, &field.schema) => quote!(#name.into()),
        _ if is_union(context, field) => quote!(#name.into()),
        Shape::Array(_) => quote!(#name.into_iter().collect()),
        _ => quote!(#name),
    };
    if field.boxed { quote!(Box::new(#value)) } else { value }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use serde_json::json;

    use super::*;
    use crate::Settings;

    #[test]
    fn a_constructor_takes_the_required_fields_in_the_order_of_the_document() {
        let schemas = json!({
            "Message": {
                "type": "object", "required": ["role", "text", "at"],
                "properties": {
                    "role": {"$ref": "#/components/schemas/Role"}, "text": {"type": "string"},
                    "at": {"type": "string", "format": "date-time"}, "stop": {"$ref": "#/components/schemas/Stop"},
                },
            },
            "Role": {"type": "string", "enum": ["user"]},
            "Stop": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
            "Answer": {"type": "object", "properties": {"text": {"type": "string"}}},
        });
        let content =
            |name: &str| json!({"application/json": {"schema": {"$ref": format!("#/components/schemas/{name}")}}});
        let document = json!({
            "openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "components": {"schemas": schemas},
            "paths": {"/a": {"post": {
                "requestBody": {"required": true, "content": content("Message")},
                "responses": {"200": {"description": "Done.", "content": content("Answer")}},
            }}},
        });
        let settings = Settings { file: "d".to_owned(), support: "crate".to_owned(), project_rules: false };
        let document = Document::parse(&document.to_string(), &settings).expect("a document");
        let items: Vec<String> = of(&document).unwrap().iter().map(|item| item.to_token_stream().to_string()).collect();
        let [message, text, owned, list] = &items[..] else { panic!("{items:#?}") };
        assert!(
            message.contains("pub fn new (text : impl Into < String > , at : crate :: json :: DateTime) -> Self"),
            "{message}"
        );
        assert!(message.contains("Self { role : types :: Role :: User , text : text . into ()"), "{message}");
        assert!(message.contains("pub fn stop (mut self , stop : impl Into < types :: Stop >) -> Self"), "{message}");
        assert!(text.contains("From < & str > for types :: Stop"), "{text}");
        assert!(owned.contains("From < String > for types :: Stop"), "{owned}");
        assert!(list.contains("From < Vec"), "{list}");
    }
}
