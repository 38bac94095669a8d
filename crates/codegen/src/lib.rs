//! Generates Rust servers and clients from OpenAPI 3.0 and 3.1 documents.
//!
//! [`generate`] is a pure function of a document's text. Trainyard's `build.rs` calls it for `spec/openapi.yaml`, and
//! `trainyard spec server` calls it for any other document. [`lint`] finds faults of a document, [`diff`] finds the
//! changes between two.
//!
//! ```text
//! text ─ source ─▶ value ─ openapi_3_1 ─▶ form of 3.0 ─ lint ─▶ faults
//!                                              │ lower
//!                                              ▼
//!                                             ir::Api ─ emit ─▶ types.rs unions.rs validate.rs server.rs
//! ```
//!
//! Every construct of OpenAPI 3.0.3 and 3.1 is supported, given its widest meaning with a warning ([`lint::lenient`]), or rejected
//! with its place and a remedy. The feature `client` adds
//! the client that progenitor generates, with the same types.

#![allow(missing_docs, reason = "the fields of the intermediate representation say it by their names")]

#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "cli")]
pub mod command;
pub mod diff;
mod document;
pub mod emit;
mod examples;
mod fault;
pub mod generated_files;
mod identifiers;
pub mod ir;
pub mod lint;
pub mod lower;
pub mod openapi_3_1;
pub mod reference;
pub mod skeleton;
pub mod source;
mod template;

pub use document::Document;
pub use fault::Fault;

/// Settings of the generator.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Name of the document, for messages.
    pub file: String,
    /// Path of the crate with the modules `http`, `json` and `validation`: `crate` or `::trainyard_runtime`.
    pub support: String,
    /// Whether to check the project rules and to treat every warning as an error.
    pub project_rules: bool,
}

/// A generated file: its name and its text.
pub type Artifact = (&'static str, String);

/// Result of the generator.
#[derive(Clone, Debug)]
pub struct Output {
    /// Generated files.
    pub artifacts: Vec<Artifact>,
    /// Warnings of the document.
    pub warnings: Vec<Fault>,
}

/// Returns the first line of every generated Rust file.
pub fn header(settings: &Settings) -> String {
    // An absolute path would differ between machines.
    let path = std::path::Path::new(&settings.file);
    let name = path
        .file_name()
        .filter(|_| path.is_absolute())
        .map_or_else(|| settings.file.clone(), |name| name.to_string_lossy().into_owned());
    format!("// Generated from {} by trainyard. Do not edit.\n\n", name.replace(['\n', '\r'], " "))
}

/// Generates every file for the document `text`, in YAML or JSON.
///
/// # Errors
/// Every fault of the document with its path, if one of them is an error; with project rules, every fault is an error.
pub fn generate(text: &str, settings: &Settings) -> Result<Output, Vec<Fault>> {
    let document = Document::parse(text, settings)?;
    Ok(Output { artifacts: artifacts(&document, settings)?, warnings: document.warnings })
}

/// Generates every file for a parsed document.
///
/// # Errors
/// When the generated code is not valid Rust, which is a bug of the generator.
pub fn artifacts(document: &Document, settings: &Settings) -> Result<Vec<Artifact>, Vec<Fault>> {
    let context = context(document, settings)?;
    let rendered = |tokens, file: &'static str| Ok::<_, Vec<Fault>>((file, render(tokens, file, settings)?));
    Ok(vec![
        ("openapi.json", document.json.clone()),
        rendered(emit::types::file(&context), "types.rs")?,
        rendered(emit::unions::file(&context), "unions.rs")?,
        rendered(emit::validate::file(&context), "validate.rs")?,
        rendered(emit::server::file(&document.api, &context), "server.rs")?,
    ])
}

/// Generates `examples.rs`, a server that responds with the examples of the document, beside the files of
/// [`artifacts`].
///
/// # Errors
/// Like [`artifacts`].
pub fn examples(document: &Document, settings: &Settings) -> Result<Artifact, Vec<Fault>> {
    let context = context(document, settings)?;
    let tokens = emit::server::examples::file(&document.value, &document.api, &context);
    Ok(("examples.rs", render(tokens, "examples.rs", settings)?))
}

fn context<'a>(document: &'a Document, settings: &Settings) -> Result<emit::context::Context<'a>, Vec<Fault>> {
    let support = settings.support.parse().map_err(|_| Fault::one("the path of the support crate is no Rust path"))?;
    Ok(emit::context::Context::new(&document.api.types, support))
}

/// Formats generated tokens as a file.
fn render(tokens: proc_macro2::TokenStream, file: &str, settings: &Settings) -> Result<String, Vec<Fault>> {
    let parsed = syn::parse2(tokens).map_err(|error| {
        Fault::one(format!("{file}: the generated code does not parse: {error}; this is a bug, please report it"))
    })?;
    Ok(render_file(&parsed, settings))
}

/// Formats a parsed file with its first line.
pub fn render_file(file: &syn::File, settings: &Settings) -> String {
    format!("{}{}", header(settings), prettyplease::unparse(file))
}

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
