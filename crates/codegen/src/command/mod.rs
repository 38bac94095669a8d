//! Commands for OpenAPI documents, each with its options. `trainyard-codegen` consists of them, and `trainyard spec`
//! offers them beside its own.
//!
//! A command reads and writes files, and prints nothing: its [`Outcome`] says what to print, and where.

mod diff;
mod lint;
mod server;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::Path;

use clap::Args;

use crate::{Document, Fault, Settings};

pub use diff::{DiffOptions, Named};
pub use lint::LintOptions;
pub use server::ServerOptions;

/// Maximum size of a document in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// Maximum number of similar warnings that are shown.
const MAX_ALIKE: usize = 3;

/// Result of a command.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Text for standard output.
    pub output: String,
    /// Text for standard error.
    pub messages: String,
    /// Exit code.
    pub code: u8,
}

impl Outcome {
    fn success(output: String) -> Self {
        Self { output, messages: String::new(), code: 0 }
    }

    fn error(code: u8, error: impl std::fmt::Display) -> Self {
        Self { output: String::new(), messages: format!("error: {error}\n"), code }
    }
}

/// Reads a document.
fn read(file: &Path) -> Result<String, String> {
    let mut text = String::new();
    let length = File::open(file).and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text));
    match length {
        Ok(length) if length as u64 <= MAX_BYTES => Ok(text),
        Ok(_) => Err(format!("{} is larger than {} MiB: that is no OpenAPI document", file.display(), MAX_BYTES >> 20)),
        Err(error) => Err(format!("cannot read {}: {error}", file.display())),
    }
}

/// Treatment of constructs that no code can be generated for.
#[derive(Args, Clone, Copy)]
struct Reading {
    /// Give such constructs their widest meaning, each with a warning that names it (default).
    #[arg(long, conflicts_with = "strict")]
    lenient: bool,
    /// Treat such constructs as errors.
    #[arg(long)]
    strict: bool,
}

impl Reading {
    fn parse(self, text: &str, settings: &Settings) -> Result<Document, Vec<Fault>> {
        if self.strict { Document::parse_strict(text, settings) } else { Document::parse(text, settings) }
    }
}

fn settings(file: &Path, project_rules: bool) -> Settings {
    Settings { file: file.display().to_string(), support: "::trainyard_runtime".to_owned(), project_rules }
}

/// Lists each fault on a line. Of similar warnings for different paths, only the first `most` are listed, with the
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

/// Returns the general part of a message, without the names and values of its path.
fn gist(message: &str) -> &str {
    let end = message
        .char_indices()
        .skip(1)
        .find(|(at, c)| matches!(c, '`' | '"' | '/') || *c == ':' && message[*at..].starts_with(": "));
    let start = &message[..end.map_or(message.len(), |(at, _)| at)];
    // If a message begins with a name, its beginning is not specific enough.
    if start.trim_matches(['`', '"']).split_whitespace().count() < 3 { message } else { start }
}
