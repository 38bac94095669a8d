//! Comparison of two documents; its exit code shows whether a change is breaking.

use std::path::Path;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::command::{Outcome, read};
use crate::diff::diff;
use crate::diff::report::{self, Counts, Words};
use crate::source::Source;

/// Documents to compare, and format of the result.
#[derive(Args)]
pub struct DiffOptions {
    /// Older document.
    old: String,
    /// Newer document.
    new: String,
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

/// Documents that a program has by name.
pub struct Named {
    /// Forms of the names, for messages: ` or current`.
    pub forms: &'static str,
    /// Returns the text of the document of a name, an error if there is none, or `None` for the path of a file.
    pub find: fn(&str) -> Option<Result<&'static str, String>>,
}

impl Named {
    /// No documents: every name is the path of a file.
    pub const NONE: Self = Self { forms: "", find: |_| None };
}

impl DiffOptions {
    /// Returns the text below the options, for a program of this name.
    pub fn help(program: &str) -> String {
        format!(
            "OLD and NEW are files in YAML or JSON.\n\n\
             Exit codes: 0 nothing breaks, 1 something breaks, 2 a document cannot be read.\n\n\
             Example:\n  {program} diff old.yaml new.yaml --format json"
        )
    }

    /// Lists the changes between the documents.
    pub fn run(&self, named: &Named) -> Outcome {
        let (old, new) = match (document(&self.old, named), document(&self.new, named)) {
            (Ok(old), Ok(new)) => (old, new),
            (old, new) => {
                let errors = [old.err(), new.err()].into_iter().flatten().map(|error| format!("error: {error}\n"));
                return Outcome { output: String::new(), messages: errors.collect(), code: 2 };
            }
        };
        let findings = diff(&old, &new);
        let counts = Counts::of(&findings);
        let output = match self.format {
            Format::Text => report::text(&findings, if self.all { Words::Listed } else { Words::Counted }),
            Format::Json => {
                let version = |document: &Value| document["info"]["version"].clone();
                let report =
                    json!({"old": version(&old), "new": version(&new), "counts": counts, "findings": findings});
                format!("{report:#}\n")
            }
        };
        Outcome { code: u8::from(counts.breaking > 0), ..Outcome::success(output) }
    }
}

/// Reads the document of a name or a file.
pub(super) fn document(name: &str, named: &Named) -> Result<Value, String> {
    let text = match (named.find)(name) {
        Some(text) => text?.to_owned(),
        None => read(Path::new(name)).map_err(|error| format!("{error}; name a file{}", named.forms))?,
    };
    let document: Value = serde_json::from_str(&text).or_else(|json| {
        // Numbers become what JSON makes of them, also those beyond 64 bits.
        Source::parse(&text).map(|source| source.value()).map_err(|yaml| {
            // For a JSON document, the YAML parser's message would be misleading.
            let reason = if text.trim_start().starts_with('{') { json.to_string() } else { yaml.to_string() };
            format!("{name} is neither JSON nor YAML: {reason}")
        })
    })?;
    let is_openapi = document["openapi"].as_str().is_some_and(|version| version.starts_with("3."));
    // OpenAPI 3.1 requires one of these only.
    let has_content = ["paths", "webhooks", "components"].iter().any(|key| document[*key].is_object());
    match is_openapi && has_content {
        true => Ok(document),
        false => Err(format!("{name} is no OpenAPI document: it has no `openapi: 3.…` or no `paths`")),
    }
}
