//! Generation of `client.rs` by progenitor, with the types of this crate.
//!
//! It is separate from the server's generator: only the build and the tests of this crate need progenitor, its users do
//! not. Constructs that progenitor does not support are faults, so that it neither panics nor omits them.

mod constructors;
mod faults;
mod json_schemas;
mod methods;
mod requests;
pub mod samples;
pub mod standalone;
mod view;

pub use json_schemas::json_schemas;
use progenitor::{GenerationSettings, Generator, InterfaceStyle};

use crate::ir::schema::Kind;
use crate::{Document, Fault, Settings, render_file};

/// Runs progenitor on the view of the document.
///
/// # Errors
/// Constructs that progenitor does not support, with their places.
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
        if let Some(component) = view::component(named)
            && !matches!(named.kind, Kind::Enumeration(_))
        {
            let path = format!("crate::generated::types::{}", named.name);
            settings.with_replacement(component, path, std::iter::empty());
        }
    }
    let tokens = Generator::new(&settings)
        .generate_tokens(&view::of(&methods::below_one_root(&document.value), &document.api.types)?)
        .map_err(|error| format!("progenitor: {error}"))?;
    let mut client: syn::File = syn::parse2(tokens).map_err(|error| format!("progenitor's output: {error}"))?;
    client.items = methods::reduce(client.items, &requests::Pages::of(document))?;
    client.items.extend(constructors::of(document)?);
    client.attrs.push(syn::parse_quote!(#![allow(clippy::all, missing_docs, unreachable_pub, unused_imports)]));
    Ok(render_file(&client, file))
}
