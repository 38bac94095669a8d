//! `client.rs`, by progenitor, with types of ours.
//!
//! Beside the generator and not in it: progenitor is needed to build this crate and to test it, never by its users.
//! What it cannot express is refused here, before it panics or drops it.

mod faults;
mod methods;
mod view;

use progenitor::{GenerationSettings, Generator, InterfaceStyle};

use super::codegen::{Document, Fault, Settings, ir::schema::Kind, render_file};

/// Runs progenitor over the view of the document.
///
/// # Errors
/// What progenitor cannot express, with its place.
pub fn generate(document: &Document, settings: &Settings) -> Result<String, Vec<Fault>> {
    let faults = faults::of(document);
    if !faults.is_empty() {
        return Err(faults.into_iter().map(|fault| fault.in_file(&settings.file)).collect());
    }
    run(document, settings).map_err(Fault::one)
}

fn run(document: &Document, file: &Settings) -> Result<String, String> {
    let mut settings = GenerationSettings::new();
    settings.with_interface(InterfaceStyle::Positional);
    for named in &document.api.types {
        if let Some(component) = &named.component
            && !matches!(named.kind, Kind::Enumeration(_))
        {
            let path = format!("crate::generated::types::{}", named.name);
            settings.with_replacement(component, path, std::iter::empty());
        }
    }
    let tokens = Generator::new(&settings)
        .generate_tokens(&view::of(&methods::below_one_root(&document.value))?)
        .map_err(|error| format!("progenitor: {error}"))?;
    let mut client: syn::File = syn::parse2(tokens).map_err(|error| format!("progenitor's output: {error}"))?;
    client.items = methods::reduce(client.items)?;
    client.attrs.push(syn::parse_quote!(#![allow(clippy::all, missing_docs, unused_imports)]));
    Ok(render_file(&client, file))
}
