//! Check of a document.

use std::path::PathBuf;

use clap::Args;

use crate::command::{MAX_ALIKE, Outcome, Reading, listed, read, settings};

/// Document to check, and options of the check.
#[derive(Args)]
pub struct LintOptions {
    /// Document to check: OpenAPI 3.0 or 3.1, YAML or JSON.
    file: PathBuf,
    /// Treat warnings as errors, and check the style of Trainyard's own document.
    #[arg(long, alias = "house-rules", conflicts_with = "lenient")]
    project_rules: bool,
    #[command(flatten)]
    reading: Reading,
    /// Show every warning, including repeated ones.
    #[arg(long)]
    all: bool,
}

impl LintOptions {
    /// Returns the text below the options, for a program of this name.
    pub fn help(program: &str) -> String {
        format!(
            "A warning that many places have in common is shown for the first three, unless --all is given.\n\n\
             Exit codes: 0 it can be served, 1 it cannot, 2 the file cannot be read.\n\nExamples:\n  \
             {program} lint openapi.yaml\n  \
             {program} lint openapi.yaml --all             all warnings\n  \
             {program} lint openapi.yaml --strict          no assumptions\n  \
             {program} lint openapi.json --project-rules   warnings are errors"
        )
    }

    /// Lists each finding on its own line; fails if one of them is an error.
    pub fn run(&self) -> Outcome {
        let text = match read(&self.file) {
            Ok(text) => text,
            Err(error) => return Outcome::error(2, error),
        };
        let most = if self.all { usize::MAX } else { MAX_ALIKE };
        match self.reading.parse(&text, &settings(&self.file, self.project_rules)) {
            Ok(document) => Outcome::success(listed(&document.warnings, most)),
            Err(faults) => {
                let errors = faults.iter().filter(|fault| fault.is_error() || self.project_rules).count();
                let message = format!("{} cannot be served: {errors} to correct", self.file.display());
                Outcome { output: listed(&faults, most), ..Outcome::error(1, message) }
            }
        }
    }
}
