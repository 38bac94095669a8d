//! `trainyard spec`: prints the OpenAPI document, and works with documents. The commands for any document are those of
//! `trainyard-codegen`.

mod print;
#[cfg(feature = "codegen")]
mod publish;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::{CommandError, print as print_text};
#[cfg(feature = "codegen")]
use crate::codegen::command::{DiffOptions, LintOptions, Named, Outcome, ServerOptions};
#[cfg(feature = "codegen")]
use crate::generated::{OPENAPI_JSON, published};

#[cfg(feature = "codegen")]
const PROGRAM: &str = "trainyard spec";

#[cfg(feature = "codegen")]
const DIFF_HELP: &str = "OLD and NEW are files in YAML or JSON, `published:<version>` for a published document of this \
                         service, or `current` for the one of this program.\n\n\
                         Exit codes: 0 nothing breaks, 1 something breaks, 2 a document cannot be read.\n\n\
                         Examples:\n  \
                         trainyard spec diff published:0.1.0 current\n  \
                         trainyard spec diff old.yaml new.yaml --format json";

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Options {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    print: print::PrintOptions,
}

#[derive(Subcommand)]
enum Command {
    /// Compare two documents and list the changes, with the parties that each one breaks.
    #[cfg(feature = "codegen")]
    #[command(after_help = DIFF_HELP)]
    Diff(DiffOptions),
    /// Write the current document as the published one of its version into the repository.
    #[cfg(feature = "codegen")]
    #[command(after_help = publish::HELP)]
    Publish(publish::PublishOptions),
    /// Check any OpenAPI 3.0 or 3.1 document: each finding with its JSON pointer and a fix.
    #[cfg(feature = "codegen")]
    #[command(after_help = LintOptions::help(PROGRAM))]
    Lint(LintOptions),
    /// Generate a Rust crate that serves any OpenAPI 3.0 or 3.1 document: it responds with examples until its traits are implemented.
    #[cfg(feature = "codegen")]
    #[command(after_help = ServerOptions::help(PROGRAM))]
    Server(ServerOptions),
}

/// Runs a subcommand, or prints the document if none is given.
pub(super) fn run(options: Options) -> Result<ExitCode, CommandError> {
    match options.command {
        None => print::run(&options.print).map(|()| ExitCode::SUCCESS),
        #[cfg(feature = "codegen")]
        Some(Command::Diff(options)) => {
            let named = Named { forms: ", published:<version> or current", find: document };
            finish(&options.run(&named))
        }
        #[cfg(feature = "codegen")]
        Some(Command::Publish(options)) => publish::run(&options).map(|()| ExitCode::SUCCESS),
        #[cfg(feature = "codegen")]
        Some(Command::Lint(options)) => finish(&options.run()),
        #[cfg(feature = "codegen")]
        Some(Command::Server(options)) => finish(&options.run()),
    }
}

#[cfg(feature = "codegen")]
fn finish(outcome: &Outcome) -> Result<ExitCode, CommandError> {
    if !outcome.messages.is_empty() {
        note!("{}", outcome.messages.trim_end());
    }
    print_text(&outcome.output)?;
    Ok(ExitCode::from(outcome.code))
}

/// Returns the document of this service that a name means.
#[cfg(feature = "codegen")]
fn document(name: &str) -> Option<Result<&'static str, String>> {
    if name == "current" {
        return Some(Ok(OPENAPI_JSON));
    }
    let version = name.strip_prefix("published:")?;
    Some(published::document(version).ok_or_else(|| {
        let known: Vec<&str> = published::PUBLISHED.iter().map(|(version, _)| *version).collect();
        format!("there is no published version {version}; there are: {}", known.join(", "))
    }))
}

#[cfg(all(test, feature = "codegen"))]
mod tests;
