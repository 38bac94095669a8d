//! The generator: one OpenAPI 3.0 document in, the Rust code of a server out.
//!
//! A pure function of the document's text, for any document: the one of this service, whose code `build.rs` writes
//! into `generated/`, and those of other people, through `trainyard spec server`.
//!
//! ```text
//! text ─ source ─▶ value ─ lint ─▶ faults
//!                    │ lower
//!                    ▼
//!                   ir::Api ─ emit ─▶ types.rs unions.rs validate.rs server.rs
//! ```
//!
//! Every construct of OpenAPI 3.0.3 is supported or refused with its place and what to write instead. The client,
//! which progenitor writes, is beside this module and not part of it: only this service's own document needs one.

mod document;
pub mod emit;
mod fault;
mod identifiers;
pub mod ir;
pub mod lint;
pub mod lower;
pub mod reference;
pub mod skeleton;
pub mod source;
// What a server checks, the generator foresees by the same code.
#[allow(dead_code)]
#[path = "../validation/format.rs"]
mod string_format;
#[allow(dead_code)]
#[path = "../validation/pattern.rs"]
mod string_pattern;

pub use document::Document;
pub use fault::Fault;

/// How a document is read and what the code around the generated code looks like.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Name of the document, for messages.
    pub file: String,
    /// Path of the crate with the modules `http`, `json` and `validation`: `crate` or `::trainyard`.
    pub support: String,
    /// Whether warnings refuse the document too.
    pub house_rules: bool,
}

/// One generated file: its name and its text.
pub type Artifact = (&'static str, String);

/// What became of a document.
#[derive(Clone, Debug)]
pub struct Output {
    /// The files.
    pub artifacts: Vec<Artifact>,
    /// What the document's author should know.
    pub warnings: Vec<Fault>,
}

/// First line of every generated Rust file.
pub fn header(settings: &Settings) -> String {
    // An absolute path would differ from machine to machine.
    let path = std::path::Path::new(&settings.file);
    let name = path
        .file_name()
        .filter(|_| path.is_absolute())
        .map_or_else(|| settings.file.clone(), |name| name.to_string_lossy().into_owned());
    format!("// Generated from {} by trainyard. Do not edit.\n\n", name.replace(['\n', '\r'], " "))
}

/// Every file for the document `text`, YAML or JSON.
///
/// # Errors
/// Each fault of the document with its place, when one of them is an error; with house rules each fault is one.
pub fn generate(text: &str, settings: &Settings) -> Result<Output, Vec<Fault>> {
    let document = Document::parse(text, settings)?;
    Ok(Output { artifacts: artifacts(&document, settings)?, warnings: document.warnings })
}

/// Every file for a document that was read.
///
/// # Errors
/// When what was generated is no Rust, which is our fault and not the document's.
pub fn artifacts(document: &Document, settings: &Settings) -> Result<Vec<Artifact>, Vec<Fault>> {
    let support = settings.support.parse().map_err(|_| Fault::one("the path of the support crate is no Rust path"))?;
    let context = emit::context::Context::new(&document.api.types, support);
    let rendered = |tokens, file: &'static str| Ok::<_, Vec<Fault>>((file, render(tokens, file, settings)?));
    Ok(vec![
        ("openapi.json", document.json.clone()),
        rendered(emit::types::file(&context), "types.rs")?,
        rendered(emit::unions::file(&context), "unions.rs")?,
        rendered(emit::validate::file(&context), "validate.rs")?,
        rendered(emit::server::file(&document.api, &context), "server.rs")?,
    ])
}

/// Generated tokens as a formatted file.
fn render(tokens: proc_macro2::TokenStream, file: &str, settings: &Settings) -> Result<String, Vec<Fault>> {
    let parsed = syn::parse2(tokens).map_err(|error| {
        Fault::one(format!("{file}: the generated code does not parse: {error}; this is a bug, please report it"))
    })?;
    Ok(render_file(&parsed, settings))
}

/// A parsed file with its first line.
pub fn render_file(file: &syn::File, settings: &Settings) -> String {
    format!("{}{}", header(settings), prettyplease::unparse(file))
}
