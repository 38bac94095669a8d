//! Generation of a crate that serves a document.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::Fault;
use crate::command::{MAX_ALIKE, Outcome, Reading, listed, read, settings};
use crate::skeleton::{self, Runtime};

/// Document to serve, and destination of the code.
#[derive(Args)]
pub struct ServerOptions {
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

#[derive(Clone, Copy, ValueEnum)]
enum RuntimeSource {
    /// A copy in the folder `runtime` of the written crate.
    Vendor,
    /// The directory of --runtime-path.
    Path,
    /// The package of the registry.
    Registry,
}

impl ServerOptions {
    /// Returns the text below the options, for a program of this name.
    pub fn help(program: &str) -> String {
        format!(
            "The crate builds as it is, without a network if the crates of crates.io that it needs were fetched before. \
             Run the command again when the document has changed: only src/generated/ and runtime/ are written anew.\n\n\
             Exit codes: 0 written, 1 the document cannot be served or a file cannot be written, 2 the document cannot \
             be read.\n\nExample:\n  {program} server openapi.yaml --out my-server && cd my-server && cargo run"
        )
    }

    /// Writes a crate that serves the document. Files owned by the generator are overwritten; others are only written
    /// if missing.
    pub fn run(&self) -> Outcome {
        let text = match read(&self.file) {
            Ok(text) => text,
            Err(error) => return Outcome::error(2, error),
        };
        self.write(&text).unwrap_or_else(|error| Outcome::error(1, error))
    }

    fn write(&self, text: &str) -> Result<Outcome, String> {
        let settings = settings(&self.file, false);
        let rejected = |faults: Vec<Fault>| {
            format!("{} cannot be served:\n{}", self.file.display(), listed(&faults, MAX_ALIKE).trim_end())
        };
        let document = self.reading.parse(text, &settings).map_err(rejected)?;
        let name = skeleton::package_name(&self.out);
        let files = skeleton::crate_files(&name, &document, &settings, &self.runtime()?).map_err(rejected)?;
        let mut written = String::new();
        for (path, text) in files {
            let target = self.out.join(&path);
            if !skeleton::is_generated(&path) && target.exists() {
                continue;
            }
            let unusable =
                |error| format!("cannot write {}: {error}; name another folder with --out", target.display());
            if let Some(folder) = target.parent() {
                fs::create_dir_all(folder).map_err(unusable)?;
            }
            fs::write(&target, text).map_err(unusable)?;
            // The files of the runtime are many and of no interest on their own.
            let shown = if path.starts_with("runtime/") { self.out.join("runtime") } else { target };
            let line = format!("{}\n", shown.display());
            if !written.ends_with(&line) {
                written.push_str(&line);
            }
        }
        Ok(Outcome { messages: listed(&document.warnings, MAX_ALIKE), ..Outcome::success(written) })
    }

    fn runtime(&self) -> Result<Runtime, String> {
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
