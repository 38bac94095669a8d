//! `trainyard spec diff`: compares two documents; its exit code shows whether a change is breaking.

use std::{
    fs::File,
    io::{self, Read},
    process::ExitCode,
    str::FromStr,
};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{CommandError, print_text};
use crate::{
    codegen::{
        self, Fault,
        diff::{
            diff,
            report::{self, Counts, Words},
        },
    },
    generated::{OPENAPI_JSON, published},
};

/// Maximum size of a document in bytes.
const MAX_BYTES: u64 = 64 << 20;

pub(super) const HELP: &str = "OLD and NEW are files in YAML or JSON, `published:<version>` for a published document \
                               of this service, or `current` for the one of this program.\n\n\
                               Exit codes: 0 nothing breaks, 1 something breaks, 2 a document cannot be read.\n\n\
                               Examples:\n  \
                               trainyard spec diff published:0.1.0 current\n  \
                               trainyard spec diff old.yaml new.yaml --format json";

#[derive(Args)]
pub(super) struct DiffOptions {
    /// Older document.
    old: Source,
    /// Newer document.
    new: Source,
    /// Output format of the findings.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Also list changes of text for people (descriptions, examples), which are otherwise only counted. JSON always has
    /// them.
    #[arg(long)]
    all: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Readable text, grouped.
    Text,
    /// JSON for programs.
    Json,
}

/// Source of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    Current,
    Published(String),
    File(String),
}

impl FromStr for Source {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text.strip_prefix("published:") {
            Some(version) => Self::Published(version.to_owned()),
            None if text == "current" => Self::Current,
            None => Self::File(text.to_owned()),
        })
    }
}

/// Error of reading a document.
#[derive(Debug, thiserror::Error)]
enum SourceError {
    #[error("cannot read {path}: {source}; name a file, published:<version> or current")]
    Unreadable { path: String, source: io::Error },
    #[error("{0} is larger than {limit} MiB: that is no OpenAPI document", limit = MAX_BYTES >> 20)]
    TooLarge(String),
    #[error("{path} is neither JSON nor YAML: {reason}")]
    Syntax { path: String, reason: String },
    #[error("{0} is no OpenAPI document: it has no `openapi: 3.…` or no `paths`")]
    NotOpenApi(String),
    #[error("there is no published version {0}; there are: {known}", known = known())]
    Unpublished(String),
}

fn known() -> String {
    published::PUBLISHED.iter().map(|(version, _)| *version).collect::<Vec<_>>().join(", ")
}

impl Source {
    fn read(&self) -> Result<Value, SourceError> {
        let (name, text) = match self {
            Self::Current => ("current".to_owned(), OPENAPI_JSON.to_owned()),
            Self::Published(version) => {
                let document = published::document(version).ok_or_else(|| SourceError::Unpublished(version.clone()))?;
                (format!("published:{version}"), document.to_owned())
            }
            Self::File(path) => (path.clone(), read_file(path)?),
        };
        let document: Value = serde_json::from_str(&text).or_else(|json| {
            // For a JSON document, the YAML parser's message would be misleading.
            let is_json = text.trim_start().starts_with('{');
            let reason = |yaml: Fault| if is_json { json.to_string() } else { yaml.to_string() };
            // Numbers become what JSON makes of them, also those beyond 64 bits.
            codegen::source::Source::parse(&text)
                .map(|source| source.value())
                .map_err(|yaml| SourceError::Syntax { path: name.clone(), reason: reason(yaml) })
        })?;
        let is_openapi = document["openapi"].as_str().is_some_and(|version| version.starts_with("3."));
        // OpenAPI 3.1 requires one of these only.
        let has_content = ["paths", "webhooks", "components"].iter().any(|key| document[*key].is_object());
        if is_openapi && has_content { Ok(document) } else { Err(SourceError::NotOpenApi(name)) }
    }
}

fn read_file(path: &str) -> Result<String, SourceError> {
    let unreadable = |source| SourceError::Unreadable { path: path.to_owned(), source };
    let mut text = String::new();
    let mut file = File::open(path).map_err(unreadable)?.take(MAX_BYTES + 1);
    let length = file.read_to_string(&mut text).map_err(unreadable)?;
    if length as u64 > MAX_BYTES { Err(SourceError::TooLarge(path.to_owned())) } else { Ok(text) }
}

pub(super) fn run(options: &DiffOptions) -> Result<ExitCode, CommandError> {
    let (old, new) = match (options.old.read(), options.new.read()) {
        (Ok(old), Ok(new)) => (old, new),
        (old, new) => {
            for error in [old.err(), new.err()].into_iter().flatten() {
                eprintln!("error: {error}");
            }
            return Ok(ExitCode::from(2));
        }
    };
    let findings = diff(&old, &new);
    let counts = Counts::of(&findings);
    print_text(&match options.format {
        Format::Text => report::text(&findings, if options.all { Words::Listed } else { Words::Counted }),
        Format::Json => {
            let version = |document: &Value| document["info"]["version"].clone();
            let report = json!({"old": version(&old), "new": version(&new), "counts": counts, "findings": findings});
            format!("{report:#}\n")
        }
    })?;
    Ok(ExitCode::from(u8::from(counts.breaking > 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Result<Value, SourceError> {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(file.path(), text).expect("writable");
        Source::File(file.path().display().to_string()).read()
    }

    #[test]
    fn yaml_and_json_are_the_same_document() {
        let json = r#"{"openapi": "3.0.3", "paths": {"/a": {"get": {"responses": {"200": {"description": "x"}}}}}}"#;
        let yaml = "openapi: 3.0.3\npaths:\n  /a:\n    get: {responses: {200: {description: x}}}\n";
        assert_eq!(file(json).expect("JSON"), file(yaml).expect("YAML"));
    }

    #[test]
    fn a_number_beyond_64_bits_is_read_as_json_reads_it() {
        for number in ["9223372036854775808", "18446744073709551616", "-9223372036854775809"] {
            let json = format!(r#"{{"openapi": "3.0.3", "paths": {{}}, "x": {number}}}"#);
            let yaml = format!("openapi: 3.0.3\npaths: {{}}\nx: {number}\n");
            assert_eq!(file(&json).expect("JSON"), file(&yaml).expect("YAML"), "{number}");
        }
        let message = file("openapi: 3.0.3\npaths: {}\nx: .inf\n").expect_err("no JSON").to_string();
        assert!(message.contains("JSON has no number inf"), "{message}");
    }

    #[test]
    fn files_that_are_no_documents_are_refused() {
        for (text, expected) in [
            ("{\"openapi\": \"3.0.3\"", "neither JSON nor YAML: EOF while parsing"),
            ("a: [", "neither JSON nor YAML"),
            ("swagger: '2.0'\npaths: {}", "is no OpenAPI document"),
            ("openapi: 3.0.3", "is no OpenAPI document"),
            ("", "the document is empty"),
        ] {
            let message = file(text).expect_err(text).to_string();
            assert!(message.contains(expected), "{message}");
        }
        let message = Source::File("/nowhere/x.yaml".into()).read().expect_err("missing").to_string();
        assert!(message.starts_with("cannot read /nowhere/x.yaml: "), "{message}");
        let message = Source::Published("9.9.9".into()).read().expect_err("unpublished").to_string();
        assert!(message.contains("there are: 0.1.0"), "{message}");
    }
}
