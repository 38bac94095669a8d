//! Skeleton of a crate for a document's code: it compiles, passes its test and serves the document's examples as it is,
//! and its author implements the operations.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use trainyard_runtime::sources::SOURCES;

use crate::{Artifact, Document, Fault, Settings, artifacts, examples};

/// Files of a crate: path relative to its folder, and text.
pub type Files = Vec<(String, String)>;

/// Source of the runtime crate that the generated code depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Runtime {
    /// A copy in the folder `runtime` of the written crate.
    Vendored,
    /// The package of the registry.
    Registry,
    /// A directory.
    Path(String),
}

/// Returns every file of a crate called `name` that serves the document.
///
/// Rewrite the files for which [`is_generated`] is true whenever the document changes. Write the others once only, since
/// their author edits them.
///
/// # Errors
/// The same as [`artifacts`].
pub fn crate_files(
    name: &str,
    document: &Document,
    settings: &Settings,
    runtime: &Runtime,
) -> Result<Files, Vec<Fault>> {
    let generated = artifacts(document, settings)?.into_iter().chain([examples(document, settings)?]);
    let mut files: Files = generated.map(placed).collect();
    files.push(("Cargo.toml".to_owned(), manifest(name, runtime)));
    files.push(("README.md".to_owned(), readme(name, document)));
    files.push(("src/lib.rs".to_owned(), library(document)));
    files.push(("src/main.rs".to_owned(), program(name, document)));
    files.push(("src/generated/mod.rs".to_owned(), MODULES.to_owned()));
    files.push(("tests/document.rs".to_owned(), test(name)));
    if *runtime == Runtime::Vendored {
        files.extend(SOURCES.iter().map(|(path, text)| (format!("runtime/{path}"), (*text).to_owned())));
    }
    Ok(files)
}

/// Names that cargo or the compiler keep for themselves, and those of the package's dependencies.
const TAKEN: [&str; 16] = [
    "alloc",
    "axum",
    "build",
    "con",
    "core",
    "deps",
    "examples",
    "incremental",
    "proc-macro",
    "proc_macro",
    "serde",
    "serde_json",
    "std",
    "test",
    "tokio",
    "trainyard-runtime",
];

/// Returns the name of a package in this folder.
pub fn package_name(folder: &Path) -> String {
    let name = folder.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    let name = name.trim_matches('-');
    let is_word = syn::parse_str::<syn::Ident>(&name.replace('-', "_")).is_ok();
    if is_word && name.starts_with(|c: char| c.is_ascii_alphabetic()) && !TAKEN.contains(&name) {
        name.to_owned()
    } else {
        format!("server-{name}").trim_end_matches('-').to_owned()
    }
}

/// Returns whether a file belongs to the generator, so that it can be overwritten.
pub fn is_generated(path: &str) -> bool {
    path.starts_with("src/generated/") || path.starts_with("runtime/")
}

fn placed((name, text): Artifact) -> (String, String) {
    (format!("src/generated/{name}"), text)
}

fn manifest(name: &str, runtime: &Runtime) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let (runtime, workspace) = match runtime {
        // Without a workspace of its own, the crate would not build inside the directory of another one.
        Runtime::Vendored => ("{ path = \"runtime\" }".to_owned(), "\n[workspace]\n"),
        Runtime::Registry => (format!("\"{version}\""), ""),
        Runtime::Path(path) => (format!("{{ path = {} }}", toml_string(path)), ""),
    };
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\n\
         # Descriptions of the document may hold what looks like code.\ndoctest = false\n\n\
         [dependencies]\naxum = {{ version = \"0.8\", default-features = false, features = [\"http1\", \"tokio\"] }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\n\
         serde_json = {{ version = \"1\", features = [\"float_roundtrip\", \"raw_value\"] }}\n\
         tokio = {{ version = \"1\", features = [\"macros\", \"net\", \"rt-multi-thread\"] }}\n\
         trainyard-runtime = {runtime}\n{workspace}"
    )
}

/// Returns a text as a string of TOML, whose escapes are those of JSON.
fn toml_string(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

fn readme(name: &str, document: &Document) -> String {
    let title = title(document);
    format!(
        "# {name}\n\nA server for {title}, generated from its OpenAPI document by `trainyard spec server`; `cargo test` builds and \
         tests it, and\n`cargo run` serves it on port 8080: each operation responds with its example in the document until `Api` in \
         `src/main.rs`\nimplements it. `src/generated/` and `runtime/` belong to the generator:\nrun `trainyard spec server` with the same `--out` again when the document has changed.\n"
    )
}

const MODULES: &str = "\
//! What `trainyard spec server` writes from the document. Do not edit.

#[rustfmt::skip]
pub mod examples;
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
    let title = title(document);
    let traits: Vec<_> = document
        .api
        .tags
        .iter()
        .map(|tag| format!("//! * `generated::server::{}::{}`", tag.module, tag.trait_name))
        .collect();
    format!(
        "//! {title}: implement the operations of `generated::examples::Examples` one by one, or these traits whole, and\n\
         //! serve the router.\n//!\n{}\n//!\n\
         //! `generated::server::router(Arc::new(api))` gives the routes; `trainyard_runtime::http::with_fallbacks` adds\n\
         //! the answers for unknown paths and wrong methods. `generated` holds the document as `OPENAPI_JSON`, for a route\n\
         //! of your own.\n\n\
         pub mod generated;\n",
        traits.join("\n")
    )
}

fn program(name: &str, document: &Document) -> String {
    let (title, library) = (title(document), name.replace('-', "_"));
    let mounts: String = mounts(document)
        .into_iter()
        .map(|(path, router)| match path.as_str() {
            "" => format!("\n        .merge(server::{router}(api.clone()))"),
            _ => format!("\n        .nest({path:?}, server::{router}(api.clone()))"),
        })
        .collect();
    format!(
        "//! Serves {title}.\n\n\
         use std::sync::Arc;\n\n\
         use {library}::generated::examples::{{Examples, WithExamples}};\n\
         use {library}::generated::server;\n\
         use trainyard_runtime::http::{{self, ApiError, Authenticate, Credentials, HeaderMap, Router}};\n\n\
         /// The service.\nstruct Api;\n\n\
         /// Each operation responds with the example of the document until it is a method here.\n\
         impl Examples for Api {{}}\n\n\
         impl Authenticate for Api {{\n    type Caller = ();\n\n    \
         /// Accepts all credentials.\n    \
         async fn authenticate(&self, _credentials: &Credentials<'_>, _headers: &HeaderMap) -> Result<(), ApiError> {{\n        \
         Ok(())\n    }}\n}}\n\n\
         #[tokio::main]\nasync fn main() -> std::io::Result<()> {{\n    \
         let api = Arc::new(WithExamples(Api));\n    \
         let routes = Router::new(){mounts};\n    \
         let address = std::env::args().nth(1).unwrap_or_else(|| \"127.0.0.1:8080\".to_owned());\n    \
         let listener = tokio::net::TcpListener::bind(address).await?;\n    \
         println!(\"listening on http://{{}}\", listener.local_addr()?);\n    \
         axum::serve(listener, http::with_fallbacks(routes)).await\n}}\n"
    )
}

/// Returns the routers of the document by the path of their base address.
fn mounts(document: &Document) -> BTreeMap<String, String> {
    let mut mounts = BTreeMap::new();
    for operation in &document.api.operations {
        let item = operation.pointer.rsplit_once('/').map_or("", |(item, _)| item);
        let holders = [operation.pointer.as_str(), item].map(|pointer| document.value.pointer(pointer));
        let servers = holders.into_iter().flatten().find_map(|holder| holder.get("servers"));
        let (servers, router) = match &operation.base {
            None => (document.value.get("servers"), "router".to_owned()),
            Some(base) => (servers, format!("{base}_router")),
        };
        let path = servers.and_then(|servers| servers.get(0)).map(server_path).unwrap_or_default();
        // Addresses of other hosts can have the same path.
        let taken = mounts.get(&path).is_some_and(|other| *other != router);
        mounts.insert(if taken { format!("/{router}") } else { path }, router);
    }
    mounts
}

/// Returns the path of a server's address, with the defaults of its variables; empty for the root.
fn server_path(server: &Value) -> String {
    let mut url = server["url"].as_str().unwrap_or_default().to_owned();
    for (name, variable) in server["variables"].as_object().into_iter().flatten() {
        url = url.replace(&format!("{{{name}}}"), variable["default"].as_str().unwrap_or_default());
    }
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |slash| &rest[slash..]),
        None => url.as_str(),
    };
    let path = path.trim_matches('/');
    if path.is_empty() || path.contains(['{', '}', '?', '#', '*']) { String::new() } else { format!("/{path}") }
}

fn title(document: &Document) -> String {
    document.value["info"]["title"].as_str().unwrap_or("the service").replace(['\n', '\r'], " ")
}

fn test(name: &str) -> String {
    let name = name.replace('-', "_");
    format!(
        "//! The first test: code and document belong together. Add those of your implementation.\n\n\
         use {name}::generated::{{OPENAPI_JSON, server::OPERATIONS}};\n\n\
         #[test]\nfn every_operation_is_in_the_document() {{\n    \
         let document: serde_json::Value = serde_json::from_str(OPENAPI_JSON).expect(\"the document is JSON\");\n    \
         for operation in OPERATIONS {{\n        \
         let path = document[\"paths\"].get(operation.path);\n        \
         assert!(path.is_some(), \"{{}} {{}}\", operation.method, operation.path);\n    }}\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_server_has_the_path_of_its_address() {
        for (server, path) in [
            (json!({"url": "https://api.example.com"}), ""),
            (json!({"url": "/"}), ""),
            (json!({"url": "https://api.example.com/v1/"}), "/v1"),
            (json!({"url": "v2"}), "/v2"),
            (json!({"url": "{base}/v1", "variables": {"base": {"default": "https://a.example/b"}}}), "/b/v1"),
            (json!({"url": "https://a.example/{tenant}"}), ""),
        ] {
            assert_eq!(server_path(&server), path, "{server}");
        }
    }

    #[test]
    fn a_folder_gives_the_name_of_its_package() {
        for (folder, name) in [
            ("/a/My Server", "my-server"),
            ("pets_2", "pets_2"),
            ("2nd", "server-2nd"),
            ("..", "server"),
            ("match", "server-match"),
            ("serde", "server-serde"),
            ("Test", "server-test"),
        ] {
            assert_eq!(package_name(Path::new(folder)), name, "{folder}");
        }
    }
}
