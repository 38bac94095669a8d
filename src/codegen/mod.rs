//! The generator: one OpenAPI document in, the files of `generated/` out.
//!
//! A pure function of the document's text. `build.rs` compiles it to write `generated/`, the tests compile it to
//! prove that `generated/` is current; it is no part of the library.
//!
//! The published document stays idiomatic. What the tools cannot take is handled here, in three places: [`lint`]
//! refuses what they would drop or confuse without a word, [`view`] rewrites what progenitor cannot read, and
//! [`unions`], [`validate`] and [`server`] write what it does not write at all.

mod client;
mod client_methods;
mod document;
mod lint;
mod names;
mod operation;
mod server;
mod unions;
mod validate;
mod view;

pub use document::Document;
pub use lint::Fault;

/// One file of `generated/`: its name and its text.
pub type Artifact = (&'static str, String);

/// First line of every generated Rust file.
pub const HEADER: &str = "// Generated from spec/openapi.yaml by build.rs. Do not edit.\n\n";

/// Every file of `generated/` for the document `text` (YAML), or each fault of the document with its place.
pub fn generate(text: &str) -> Result<Vec<Artifact>, Vec<Fault>> {
    let document = Document::parse(text)?;
    let client = client::generate(&document).map_err(Fault::one)?;
    Ok(vec![
        ("openapi.json", document.json()),
        ("types.rs", client.types),
        ("client.rs", client.client),
        ("unions.rs", unions::generate(&document).map_err(Fault::one)?),
        ("validate.rs", validate::generate(&document).map_err(Fault::one)?),
        ("server.rs", server::generate(&document).map_err(Fault::one)?),
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
