//! `trainyard spec lint` and `trainyard spec server`: the generator for any OpenAPI document.

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, ValueEnum};

use super::{CommandError, print_text as print};
use crate::codegen::{
    Document, Fault, Settings,
    skeleton::{self, Runtime},
};

pub(super) const LINT_HELP: &str = "A warning that many places have in common is shown for the first three, unless --all is given.\n\n\
    Exit codes: 0 it can be served, 1 it cannot, 2 the file cannot be read.\n\nExamples:\n  \
    trainyard spec lint openapi.yaml\n  \
    trainyard spec lint openapi.yaml --all             all warnings\n  \
    trainyard spec lint openapi.yaml --strict          no assumptions\n  \
    trainyard spec lint openapi.json --project-rules   warnings are errors";

pub(super) const SERVER_HELP: &str = "The crate builds as it is, without a network if the crates of crates.io that it needs were fetched before. Run the \
    command again when the document has changed: only src/generated/ and runtime/ are written anew.\n\n\
    Exit codes: 0 written, 1 the document cannot be served or a file cannot be written, 2 the document cannot be read.\n\n\
    Example:\n  trainyard spec server openapi.yaml --out my-server && cd my-server && cargo test";

/// Maximum number of similar warnings that are shown.
const MAX_ALIKE: usize = 3;

/// Document to check, and options of the check.
#[derive(Args)]
pub(super) struct LintOptions {
    /// Document to check: OpenAPI 3.0 or 3.1, YAML or JSON.
    file: PathBuf,
    /// Treat warnings as errors, as for the document of this service.
    #[arg(long, alias = "house-rules", conflicts_with = "lenient")]
    project_rules: bool,
    #[command(flatten)]
    reading: Reading,
    /// Show every warning, including repeated ones.
    #[arg(long)]
    all: bool,
}

/// Treatment of constructs that no code can be generated for.
#[derive(Args, Clone, Copy, Default)]
struct Reading {
    /// Give such constructs their widest meaning, each with a warning that names it (default).
    #[arg(long, conflicts_with = "strict")]
    lenient: bool,
    /// Treat such constructs as errors.
    #[arg(long)]
    strict: bool,
}

impl Reading {
    fn read(self, text: &str, settings: &Settings) -> Result<Document, Vec<Fault>> {
        if self.strict { Document::parse_strict(text, settings) } else { Document::parse(text, settings) }
    }
}

/// Document to serve, and destination of the code.
#[derive(Args)]
pub(super) struct ServerOptions {
    /// Document to serve: OpenAPI 3.0 or 3.1, YAML or JSON.
    file: PathBuf,
    /// Directory of the crate, which also names it; created if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Source of the crate `trainyard-runtime`, which the generated code calls.
    #[arg(long, value_enum, default_value_t = RuntimeSource::Vendor)]
    runtime: RuntimeSource,
    /// Directory of `trainyard-runtime`, for `--runtime path`.
    #[arg(long, value_name = "DIR", required_if_eq("runtime", "path"))]
    runtime_path: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RuntimeSource {
    /// A copy in the folder `runtime` of the written crate.
    Vendor,
    /// The directory of --runtime-path.
    Path,
    /// The package of the registry.
    Registry,
}

impl ServerOptions {
    fn runtime(&self) -> Result<Runtime, CommandError> {
        Ok(match (self.runtime, &self.runtime_path) {
            (RuntimeSource::Vendor, _) => Runtime::Vendored,
            (RuntimeSource::Registry, _) => Runtime::Registry,
            (RuntimeSource::Path, path) => {
                let path = path.as_deref().unwrap_or(Path::new("."));
                // The manifest is in another directory, so a relative path would lead elsewhere.
                let path = path.canonicalize().map_err(|error| format!("cannot find {}: {error}", path.display()))?;
                Runtime::Path(path.display().to_string())
            }
        })
    }
}

/// Prints each finding on its own line; fails if one of them is an error.
pub(super) fn lint(options: &LintOptions) -> Result<ExitCode, CommandError> {
    let settings = settings(&options.file, options.project_rules);
    let text = match read(&options.file) {
        Ok(text) => text,
        Err(failure) => return Ok(unreadable(&failure)),
    };
    let most = if options.all { usize::MAX } else { MAX_ALIKE };
    match options.reading.read(&text, &settings) {
        Ok(document) => print(&listed(&document.warnings, most)).map(|()| ExitCode::SUCCESS),
        Err(faults) => {
            print(&listed(&faults, most))?;
            let errors = faults.iter().filter(|fault| fault.is_error() || options.project_rules).count();
            Err(format!("{} cannot be served: {errors} to correct", options.file.display()).into())
        }
    }
}

/// Writes a crate that serves a document. Files owned by the generator are overwritten; others are only written if
/// missing.
pub(super) fn server(options: &ServerOptions) -> Result<ExitCode, CommandError> {
    let settings = settings(&options.file, false);
    let refused = |faults: Vec<Fault>| -> CommandError {
        format!("{} cannot be served:\n{}", options.file.display(), listed(&faults, MAX_ALIKE).trim_end()).into()
    };
    let text = match read(&options.file) {
        Ok(text) => text,
        Err(failure) => return Ok(unreadable(&failure)),
    };
    let document = options.reading.read(&text, &settings).map_err(refused)?;
    let files = skeleton::crate_files(&skeleton::package_name(&options.out), &document, &settings, &options.runtime()?)
        .map_err(refused)?;
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
        // The files of the runtime are many and of no interest on their own.
        let shown = if path.starts_with("runtime/") { options.out.join("runtime") } else { target };
        let line = format!("{}\n", shown.display());
        if !written.ends_with(&line) {
            written.push_str(&line);
        }
    }
    eprint!("{}", listed(&document.warnings, MAX_ALIKE));
    print(&written).map(|()| ExitCode::SUCCESS)
}

fn settings(file: &Path, project_rules: bool) -> Settings {
    Settings { file: file.display().to_string(), support: "::trainyard_runtime".to_owned(), project_rules }
}

fn read(file: &Path) -> Result<String, CommandError> {
    let unreadable = |error: &dyn std::fmt::Display| format!("cannot read {}: {error}", file.display());
    let bytes = fs::read(file).map_err(|error| unreadable(&error))?;
    String::from_utf8(bytes).map_err(|error| unreadable(&error).into())
}

/// Prints the reason why a document cannot be checked.
fn unreadable(failure: &CommandError) -> ExitCode {
    eprintln!("error: {failure}");
    ExitCode::from(2)
}

/// Lists each fault on a line. Of similar warnings for different places, only the first `most` are listed, with the
/// number of the others.
fn listed(faults: &[Fault], most: usize) -> String {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut text = String::new();
    for fault in faults {
        let kind = if fault.is_error() { "error" } else { "warning" };
        let count = counts.entry(gist(&fault.message)).or_default();
        *count += 1;
        if fault.is_error() || *count <= most {
            text.push_str(&format!("{kind}: {fault}\n"));
        }
    }
    let mut said = HashSet::new();
    for fault in faults.iter().filter(|fault| !fault.is_error()) {
        let gist = gist(&fault.message);
        let more = counts.get(gist).copied().unwrap_or_default().saturating_sub(most);
        if more > 0 && said.insert(gist) {
            text.push_str(&format!("warning: {more} more places: {}\n", gist.trim_end_matches([' ', '`', '"', ':'])));
        }
    }
    text
}

/// Returns the general part of a message, without the names and values of its place.
fn gist(message: &str) -> &str {
    let end = message
        .char_indices()
        .skip(1)
        .find(|(at, c)| matches!(c, '`' | '"' | '/') || *c == ':' && message[*at..].starts_with(": "));
    let start = &message[..end.map_or(message.len(), |(at, _)| at)];
    // If a message begins with a name, its beginning is not specific enough.
    if start.trim_matches(['`', '"']).split_whitespace().count() < 3 { message } else { start }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "{openapi: 3.0.3, info: {title: T, version: '1'}, paths: {/a: {get: {responses: {'204': {description: Done.}}}}}}";

    fn lint_options(file: PathBuf) -> LintOptions {
        LintOptions { file, project_rules: false, reading: Reading::default(), all: false }
    }

    fn server_options(file: PathBuf, out: PathBuf) -> ServerOptions {
        ServerOptions { file, out, runtime: RuntimeSource::Vendor, runtime_path: None, reading: Reading::default() }
    }

    #[test]
    fn the_runtime_comes_from_where_it_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("openapi.yaml");
        fs::write(&file, DOCUMENT).unwrap();
        let runtime_path = Some(folder.path().to_owned());
        let path = folder.path().canonicalize().unwrap();
        for (runtime, expected) in [
            (RuntimeSource::Vendor, "trainyard-runtime = { path = \"runtime\" }".to_owned()),
            (RuntimeSource::Registry, format!("trainyard-runtime = \"{}\"", env!("CARGO_PKG_VERSION"))),
            (RuntimeSource::Path, format!("trainyard-runtime = {{ path = {:?} }}", path.display().to_string())),
        ] {
            let out = folder.path().join(format!("{runtime:?}"));
            let options = ServerOptions {
                file: file.clone(),
                out,
                runtime,
                runtime_path: runtime_path.clone(),
                reading: Reading::default(),
            };
            server(&options).unwrap();
            let manifest = fs::read_to_string(options.out.join("Cargo.toml")).unwrap();
            assert!(manifest.contains(&expected), "{manifest}");
            assert_eq!(options.out.join("runtime").exists(), matches!(runtime, RuntimeSource::Vendor));
        }
    }

    #[test]
    fn text_of_the_author_is_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("openapi.yaml");
        fs::write(&file, DOCUMENT).unwrap();
        let options = server_options(file, folder.path().join("My Server"));
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
        fs::write(&file, DOCUMENT.replace("3.0.3", "3.2.0")).unwrap();
        let options = server_options(file.clone(), folder.path().join("out"));
        let message = server(&options).unwrap_err().to_string();
        assert!(message.contains("/openapi: the version is 3.2.0"), "{message}");
        assert!(!options.out.exists());
        assert!(lint(&lint_options(file)).is_err());
    }

    #[test]
    fn documents_of_others_are_read_leniently_unless_strictness_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("openapi.yaml");
        fs::write(&file, DOCUMENT.replace("responses: {'204': {description: Done.}}", "responses: {}")).unwrap();
        assert!(lint(&lint_options(file.clone())).is_ok());
        let strict = Reading { lenient: false, strict: true };
        assert!(lint(&LintOptions { reading: strict, ..lint_options(file.clone()) }).is_err());
        assert!(lint(&LintOptions { project_rules: true, ..lint_options(file.clone()) }).is_err());
        assert!(server(&server_options(file.clone(), folder.path().join("a"))).is_ok());
        assert!(server(&ServerOptions { reading: strict, ..server_options(file, folder.path().join("b")) }).is_err());
    }

    #[test]
    fn a_file_that_is_not_there_is_another_exit_code() {
        let options = lint_options(PathBuf::from("/nowhere/openapi.yaml"));
        assert_eq!(format!("{:?}", lint(&options).unwrap()), format!("{:?}", ExitCode::from(2)));
    }

    #[test]
    fn repeated_findings_are_counted() {
        let faults: Vec<_> = (0..5)
            .map(|index| Fault::warning(&format!("/{index}"), format!("the example does not fit: at /a/{index}: no")))
            .chain([Fault::error("/b", "the example is wrong"), Fault::warning("/c", "another word for it")])
            .collect();
        let text = listed(&faults, 2);
        assert_eq!(
            text,
            "warning: /0: the example does not fit: at /a/0: no\nwarning: /1: the example does not fit: at /a/1: no\n\
             error: /b: the example is wrong\nwarning: /c: another word for it\n\
             warning: 3 more places: the example does not fit\n"
        );
        assert_eq!(listed(&faults, usize::MAX).lines().count(), faults.len());
    }
}
