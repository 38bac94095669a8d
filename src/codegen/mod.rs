//! The generator: one OpenAPI document in, the files of `generated/` out.
//!
//! A pure function of the document's text. `build.rs` compiles it to write `generated/`, the tests compile it to
//! prove that `generated/` is current; it is no part of the library.
//!
//! The published document stays idiomatic. What the tools cannot take is handled here, in three places: [`lint`]
//! refuses what they would drop or confuse without a word, [`view`] rewrites what progenitor cannot read, and
//! [`unions`], [`validate`] and [`server`] write what it does not write at all.

mod client;
mod document;
#[allow(dead_code)]
pub mod emit;
mod fault;
#[allow(dead_code)]
mod identifiers;
#[allow(dead_code)]
pub mod ir;
pub mod lint;
#[allow(dead_code)]
pub mod lower;
mod names;
mod operation;
mod reference;
mod server;
pub mod source;
mod validate;
mod view;

pub use document::Document;
pub use fault::Fault;

/// One file of `generated/`: its name and its text.
pub type Artifact = (&'static str, String);

/// First line of every generated Rust file.
pub const HEADER: &str = "// Generated from spec/openapi.yaml by build.rs. Do not edit.\n\n";

/// Every file of `generated/` for the document `text` (YAML), or each fault of the document with its place.
pub fn generate(text: &str) -> Result<Vec<Artifact>, Vec<Fault>> {
    let document = Document::parse(text)?;
    let mut schemas = lower::schemas::Schemas::new(document.value());
    schemas.lower_components();
    let (types, faults) = schemas.finish();
    if !faults.is_empty() {
        return Err(faults);
    }
    let context = emit::context::Context::new(&types, quote::quote!(crate));
    let client = client::generate(&document, &types).map_err(Fault::one)?;
    Ok(vec![
        ("openapi.json", document.json()),
        ("types.rs", render(emit::types::file(&context), "types.rs").map_err(Fault::one)?),
        ("client.rs", client),
        ("unions.rs", render(emit::unions::file(&context), "unions.rs").map_err(Fault::one)?),
        ("validate.rs", render(emit::validate::file(&context), "validate.rs").map_err(Fault::one)?),
        ("server.rs", server::generate(&document, &context).map_err(Fault::one)?),
    ])
}

/// Generated tokens as a formatted file.
fn render(tokens: proc_macro2::TokenStream, file: &str) -> Result<String, String> {
    let parsed = syn::parse2(tokens).map_err(|error| format!("{file}: the generated tokens do not parse: {error}"))?;
    Ok(render_file(&parsed))
}

fn render_file(file: &syn::File) -> String {
    format!("{HEADER}{}", prettyplease::unparse(file))
}
