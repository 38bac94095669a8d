//! Skeleton of a crate for a document's code: it compiles as it is, and its author implements the traits.

use super::{Artifact, Document, Fault, Settings, artifacts};

/// Files of a crate: path relative to its folder, and text.
pub type Files = Vec<(String, String)>;

/// Returns every file of a crate called `name` that serves the document.
///
/// Rewrite the files beneath `src/generated/` whenever the document changes. Write the others once only, since their
/// author edits them.
///
/// # Errors
/// The same as [`artifacts`].
pub fn crate_files(name: &str, document: &Document, settings: &Settings) -> Result<Files, Vec<Fault>> {
    let mut files: Files = artifacts(document, settings)?.into_iter().map(placed).collect();
    files.push(("Cargo.toml".to_owned(), manifest(name)));
    files.push(("src/lib.rs".to_owned(), library(document)));
    files.push(("src/generated/mod.rs".to_owned(), MODULES.to_owned()));
    Ok(files)
}

/// Returns whether a file belongs to the generator, so that it can be overwritten.
pub fn is_generated(path: &str) -> bool {
    path.starts_with("src/generated/")
}

fn placed((name, text): Artifact) -> (String, String) {
    (format!("src/generated/{name}"), text)
}

fn manifest(name: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\n\
         # Descriptions of the document may hold what looks like code.\ndoctest = false\n\n\
         [dependencies]\nserde = {{ version = \"1\", features = [\"derive\"] }}\n\
         serde_json = {{ version = \"1\", features = [\"float_roundtrip\", \"raw_value\"] }}\n\
         trainyard-runtime = \"{version}\"\n"
    )
}

const MODULES: &str = "\
//! What `trainyard spec server` writes from the document. Do not edit.

#[rustfmt::skip]
pub mod server;
#[rustfmt::skip]
pub mod types;
#[rustfmt::skip]
pub mod unions;
#[rustfmt::skip]
mod validate;

/// The document as JSON.
pub const OPENAPI_JSON: &str = include_str!(\"openapi.json\");
";

fn library(document: &Document) -> String {
    let title = document.value["info"]["title"].as_str().unwrap_or("the service").replace(['\n', '\r'], " ");
    let traits: Vec<_> = document
        .api
        .tags
        .iter()
        .map(|tag| format!("//! * `generated::server::{}::{}`", tag.module, tag.trait_name))
        .collect();
    format!(
        "//! {title}: implement the traits, then serve the router.\n//!\n{}\n//!\n\
         //! `generated::server::router(Arc::new(api))` gives the routes; `trainyard_runtime::http::with_fallbacks` adds\n\
         //! the answers for unknown paths and wrong methods. `generated` holds the document as `OPENAPI_JSON`, for a route\n\
         //! of your own.\n\n\
         pub mod generated;\n",
        traits.join("\n")
    )
}
