//! `generated/types.rs` and `generated/client.rs`, by progenitor.

use progenitor::{GenerationSettings, Generator, InterfaceStyle, TypePatch};
use quote::quote;

use super::{Document, client_methods, unions, view};

/// What one run of progenitor yields, split.
pub struct Client {
    /// The types alone: a server needs them without an HTTP client.
    pub types: String,
    pub client: String,
}

/// Runs progenitor over the view of the document.
pub fn generate(document: &Document) -> Result<Client, String> {
    let mut settings = GenerationSettings::new();
    settings
        .with_interface(InterfaceStyle::Positional)
        // Deterministic JSON.
        .with_map_type("::std::collections::BTreeMap")
        .with_derive("PartialEq");
    // typify leaves `Default` out where unknown fields are kept.
    for (name, schema) in document.schemas() {
        if schema.contains_key("properties")
            && schema.get("additionalProperties").is_some_and(|extra| extra.is_object())
            && !schema.contains_key("required")
        {
            settings.with_patch(name, TypePatch::default().with_derive("Default"));
        }
    }
    for schema in unions::names(document) {
        settings.with_replacement(&schema, format!("crate::generated::unions::{schema}"), std::iter::empty());
    }
    let tokens = Generator::new(&settings)
        .generate_tokens(&view::of(&client_methods::below_one_root(document.value()))?)
        .map_err(|error| format!("progenitor: {error}"))?;
    let mut client: syn::File = syn::parse2(tokens).map_err(|error| format!("progenitor's output: {error}"))?;

    let mut types = None;
    for item in &mut client.items {
        if let syn::Item::Mod(module) = item
            && module.ident == "types"
        {
            types = module.content.take().map(|(_, items)| items);
            *item = syn::parse_quote!(
                pub use super::types;
            );
            break;
        }
    }
    let mut items = types.ok_or("progenitor wrote no `types` module")?;
    let aliases = unions::names(document).into_iter().map(|name| super::names::type_name(&name));
    items.push(syn::parse2(quote!(pub use super::unions::{#(#aliases),*};)).map_err(|error| error.to_string())?);
    let types = syn::File {
        shebang: None,
        frontmatter: None,
        attrs: vec![syn::parse_quote!(#![allow(clippy::all, missing_docs, unused_imports)])],
        items,
    };
    client.items = client_methods::reduce(client.items)?;
    client.attrs.push(syn::parse_quote!(#![allow(clippy::all, missing_docs, unused_imports)]));
    Ok(Client { types: super::render_file(&types), client: super::render_file(&client) })
}
