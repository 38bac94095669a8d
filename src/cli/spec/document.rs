//! `trainyard spec lint` and `trainyard spec server`: the generator for anybody's document.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Args;

use super::{Failure, print_text as print};
use crate::codegen::{Document, Fault, Settings, skeleton};

pub(super) const LINT_HELP: &str = "Exits with 1 when something cannot be served.\n\nExamples:\n  \
    trainyard spec lint openapi.yaml\n  \
    trainyard spec lint openapi.json --house-rules     warnings refuse too";

pub(super) const SERVER_HELP: &str = "Run it again when the document has changed: only src/generated/ is written anew.\n\n\
    Example:\n  trainyard spec server openapi.yaml --out my-server && cd my-server && cargo check";

/// Which document to check and how.
#[derive(Args)]
pub(super) struct LintOptions {
    /// The document: OpenAPI 3.0, YAML or JSON.
    file: PathBuf,
    /// Refuse warnings too, as the document of this service does.
    #[arg(long)]
    house_rules: bool,
}

/// Which document to serve and where the code goes.
#[derive(Args)]
pub(super) struct ServerOptions {
    /// The document: OpenAPI 3.0, YAML or JSON.
    file: PathBuf,
    /// Folder of the crate; its name becomes the crate's. Made when it is missing.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Prints each finding on a line of its own; fails when one of them is an error.
pub(super) fn lint(options: &LintOptions) -> Result<(), Failure> {
    let settings = settings(&options.file, options.house_rules);
    match Document::parse(&read(&options.file)?, &settings) {
        Ok(document) => print(&listed(&document.warnings)),
        Err(faults) => {
            print(&listed(&faults))?;
            let errors = faults.iter().filter(|fault| fault.is_error() || options.house_rules).count();
            Err(format!("{} cannot be served: {errors} to correct", options.file.display()).into())
        }
    }
}

/// Writes a crate that serves a document. What the generator owns is written anew, the rest only where it is missing.
pub(super) fn server(options: &ServerOptions) -> Result<(), Failure> {
    let settings = settings(&options.file, false);
    let refused = |faults: Vec<Fault>| -> Failure {
        format!("{} cannot be served:\n{}", options.file.display(), listed(&faults).trim_end()).into()
    };
    let document = Document::parse(&read(&options.file)?, &settings).map_err(refused)?;
    let files = skeleton::crate_files(&crate_name(&options.out), &document, &settings).map_err(refused)?;
    let mut written = String::new();
    for (path, text) in files {
        let target = options.out.join(&path);
        if !skeleton::is_generated(&path) && target.exists() {
            continue;
        }
        let unusable = |error| format!("cannot write {}: {error}; name another folder with --out", target.display());
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder).map_err(unusable)?;
        }
        fs::write(&target, text).map_err(unusable)?;
        written.push_str(&format!("{}\n", target.display()));
    }
    eprint!("{}", listed(&document.warnings));
    print(&written)
}

fn settings(file: &Path, house_rules: bool) -> Settings {
    Settings { file: file.display().to_string(), support: "::trainyard".to_owned(), house_rules }
}

fn read(file: &Path) -> Result<String, Failure> {
    let unreadable = |error: &dyn std::fmt::Display| format!("cannot read {}: {error}", file.display());
    let bytes = fs::read(file).map_err(|error| unreadable(&error))?;
    String::from_utf8(bytes).map_err(|error| unreadable(&error).into())
}

fn listed(faults: &[Fault]) -> String {
    let line = |fault: &Fault| {
        let kind = if fault.is_error() { "error" } else { "warning" };
        format!("{kind}: {fault}\n")
    };
    faults.iter().map(line).collect()
}

/// The folder's name as a crate may be called.
fn crate_name(folder: &Path) -> String {
    let name = folder.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    let name = name.trim_matches('-');
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.to_owned()
    } else {
        format!("server-{name}").trim_end_matches('-').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "{openapi: 3.0.3, info: {title: T, version: '1'}, paths: {/a: {get: {responses: {'204': {description: Done.}}}}}}";

    #[test]
    fn what_an_author_wrote_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("openapi.yaml");
        fs::write(&file, DOCUMENT).unwrap();
        let options = ServerOptions { file, out: folder.path().join("My Server") };
        server(&options).unwrap();
        let library = options.out.join("src/lib.rs");
        let manifest = fs::read_to_string(options.out.join("Cargo.toml")).unwrap();
        assert!(manifest.contains("name = \"my-server\""), "{manifest}");
        fs::write(&library, "// mine\n").unwrap();
        fs::write(options.out.join("src/generated/server.rs"), "// stale\n").unwrap();
        server(&options).unwrap();
        assert_eq!(fs::read_to_string(&library).unwrap(), "// mine\n");
        assert!(fs::read_to_string(options.out.join("src/generated/server.rs")).unwrap().contains("OPERATIONS"));
    }

    #[test]
    fn a_faulty_document_fails_with_its_faults() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("openapi.yaml");
        fs::write(&file, DOCUMENT.replace("3.0.3", "3.1.0")).unwrap();
        let options = ServerOptions { file: file.clone(), out: folder.path().join("out") };
        let message = server(&options).unwrap_err().to_string();
        assert!(message.contains("/openapi: the version is 3.1.0"), "{message}");
        assert!(!options.out.exists());
        assert!(lint(&LintOptions { file, house_rules: false }).is_err());
    }
}
