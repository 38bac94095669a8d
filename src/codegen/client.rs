//! `generated/client.rs`, by progenitor, with types of ours.

use progenitor::{GenerationSettings, Generator, HooksMode, InterfaceStyle};

use super::{
    Document,
    ir::schema::{Kind, NamedType},
    view,
};

/// Runs progenitor over the view of the document; `types` are those that the view stands for.
pub fn generate(document: &Document, types: &[NamedType]) -> Result<String, String> {
    let mut settings = GenerationSettings::new();
    settings
        .with_interface(InterfaceStyle::Positional)
        // A client without hooks would cut streams and lose the status of answers that are not JSON.
        .with_hooks(HooksMode::Expected);
    for named in types {
        if let Some(component) = &named.component
            && !matches!(named.kind, Kind::Enumeration(_))
        {
            let path = format!("crate::generated::types::{}", named.name);
            settings.with_replacement(component, path, std::iter::empty());
        }
    }
    let tokens = Generator::new(&settings)
        .generate_tokens(&view::of(document.value())?)
        .map_err(|error| format!("progenitor: {error}"))?;
    let mut client: syn::File = syn::parse2(tokens).map_err(|error| format!("progenitor's output: {error}"))?;
    for item in &mut client.items {
        if let syn::Item::Mod(module) = item
            && module.ident == "types"
        {
            *item = syn::parse_quote!(
                pub use super::types;
            );
        }
    }
    client.attrs.push(syn::parse_quote!(#![allow(clippy::all, missing_docs, unused_imports)]));
    Ok(super::render_file(&client))
}
