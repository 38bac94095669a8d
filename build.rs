//! Regenerates `generated/` from `spec/openapi.yaml` and `spec/learner.yaml`.
//!
//! Does nothing without the `codegen` feature, so that a consumer of the client compiles neither progenitor nor syn.

#[cfg(feature = "codegen")]
use trainyard_codegen as codegen;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "codegen")]
    regenerate();
    list_published();
}

/// Writes the list of blessed documents for `src/generated/published.rs`, into the directory that cargo gives.
fn list_published() {
    use std::path::PathBuf;
    use std::{env, fs};

    println!("cargo:rerun-if-changed=spec/published");
    let variable = |name| PathBuf::from(env::var_os(name).unwrap_or_default());
    let directory = variable("CARGO_MANIFEST_DIR").join("spec/published");
    let mut documents: Vec<PathBuf> = match fs::read_dir(&directory) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(error) => return println!("cargo::error=spec/published cannot be read: {error}"),
    };
    documents.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    documents.sort();
    let mut list = "/// Version and document.\npub const PUBLISHED: &[(&str, &str)] = &[\n".to_owned();
    for path in documents {
        let version = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        list += &format!("    ({version:?}, include_str!({path:?})),\n");
    }
    list += "];\n";
    if let Err(error) = fs::write(variable("OUT_DIR").join("published.rs"), list) {
        println!("cargo::error=the list of published documents cannot be written: {error}");
    }
}

#[cfg(feature = "codegen")]
fn regenerate() {
    use std::path::Path;
    use std::{env, fs};

    // `generated` too, so that a hand edit does not outlive the next build.
    for watched in ["spec", "generated"] {
        println!("cargo:rerun-if-changed={watched}");
    }
    let root = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&root);
    let document = match fs::read_to_string(root.join("spec/openapi.yaml")) {
        Ok(document) => document,
        Err(error) => return println!("cargo::error=spec/openapi.yaml cannot be read: {error}"),
    };
    let settings =
        codegen::Settings { file: "spec/openapi.yaml".to_owned(), support: "crate".to_owned(), project_rules: true };
    let artifacts = codegen::Document::parse(&document, &settings).and_then(|document| {
        for warning in &document.warnings {
            println!("cargo::warning={warning}");
        }
        let mut artifacts = codegen::artifacts(&document, &settings)?;
        // No part of the library: tests and benches compile it.
        let outside = codegen::Settings { support: "::trainyard".to_owned(), ..settings.clone() };
        artifacts.push(codegen::examples(&document, &outside)?);
        artifacts.push(("client.rs", codegen::client::generate(&document, &settings)?));
        artifacts.push(("json_schemas.rs", codegen::client::json_schemas(&document, &settings)));
        artifacts.extend(codegen::client::samples::generate(&document, &settings)?);
        Ok(artifacts)
    });
    let artifacts = artifacts.and_then(|mut artifacts| {
        artifacts.push(("learner_client.rs", learner_client(root)?));
        Ok(artifacts)
    });
    let artifacts = match artifacts {
        Ok(artifacts) => artifacts,
        Err(faults) => {
            for fault in faults {
                // One line for each: cargo reads no further.
                println!("cargo::error={}", fault.to_string().replace('\n', " "));
            }
            return;
        }
    };
    // Cargo leaves this file in a packaged crate only: its sources must not change.
    let packaged = root.join("Cargo.toml.orig").exists();
    for (name, content) in artifacts {
        if let Err(fault) = codegen::generated_files::keep(&root.join("generated"), name, &content, packaged) {
            println!("cargo::error={fault}");
        }
    }
}

/// Generates the client of the learner's protocol.
#[cfg(feature = "codegen")]
fn learner_client(root: &std::path::Path) -> Result<String, Vec<codegen::Fault>> {
    let settings =
        codegen::Settings { file: "spec/learner.yaml".to_owned(), support: "crate".to_owned(), project_rules: false };
    let text = std::fs::read_to_string(root.join("spec/learner.yaml"));
    let text = text.map_err(|error| codegen::Fault::one(format!("spec/learner.yaml cannot be read: {error}")))?;
    codegen::client::standalone::generate(&text, &settings)
}
