//! Regenerates `generated/` from `spec/openapi.yaml`.
//!
//! Does nothing without the `codegen` feature, so that a consumer of the client compiles neither progenitor nor syn.

#[cfg(feature = "codegen")]
#[path = "src/codegen/client/mod.rs"]
mod client;
#[cfg(feature = "codegen")]
#[allow(dead_code)]
#[path = "src/codegen/mod.rs"]
mod codegen;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // The migrations are embedded by a macro, which cargo does not look into.
    println!("cargo:rerun-if-changed=src/store/migrations");
    #[cfg(feature = "codegen")]
    regenerate();
}

#[cfg(feature = "codegen")]
fn regenerate() {
    use std::{env, fs, path::Path};

    // `generated` too, so that a hand edit does not outlive the next build.
    for watched in ["spec", "src/codegen", "generated"] {
        println!("cargo:rerun-if-changed={watched}");
    }
    let root = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&root);
    let document = match fs::read_to_string(root.join("spec/openapi.yaml")) {
        Ok(document) => document,
        Err(error) => return println!("cargo::error=spec/openapi.yaml cannot be read: {error}"),
    };
    let settings =
        codegen::Settings { file: "spec/openapi.yaml".to_owned(), support: "crate".to_owned(), house_rules: true };
    let artifacts = codegen::Document::parse(&document, &settings).and_then(|document| {
        for warning in &document.warnings {
            println!("cargo::warning={warning}");
        }
        let mut artifacts = codegen::artifacts(&document, &settings)?;
        artifacts.push(("client.rs", client::generate(&document, &settings)?));
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
        let path = root.join("generated").join(name);
        if fs::read_to_string(&path).is_ok_and(|current| current == content) {
            continue;
        }
        if packaged {
            println!("cargo::error=generated/{name} is stale: build once in the repository, then package");
            continue;
        }
        // Renamed into place, so that nobody reads half a file.
        let temporary = path.with_extension("tmp");
        if let Err(error) = fs::write(&temporary, content).and_then(|()| fs::rename(&temporary, &path)) {
            println!("cargo::error=generated/{name} is stale and cannot be written: {error}");
        }
    }
}
