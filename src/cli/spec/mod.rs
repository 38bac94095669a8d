//! `trainyard spec`: prints the OpenAPI document, and works with documents. One file per subcommand.

#[cfg(feature = "codegen")]
mod diff;
#[cfg(feature = "codegen")]
mod document;
mod print;
#[cfg(feature = "codegen")]
mod publish;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::{CommandError, print as print_text};

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
    #[command(after_help = diff::HELP)]
    Diff(diff::DiffOptions),
    /// Write the current document as the published one of its version into the repository.
    #[cfg(feature = "codegen")]
    #[command(after_help = publish::HELP)]
    Publish(publish::PublishOptions),
    /// Check any OpenAPI 3.0 or 3.1 document: each finding with its JSON pointer and a fix.
    #[cfg(feature = "codegen")]
    #[command(after_help = document::LINT_HELP)]
    Lint(document::LintOptions),
    /// Generate a Rust crate that serves any OpenAPI 3.0 or 3.1 document: traits to implement, decoding, validation, routes.
    #[cfg(feature = "codegen")]
    #[command(after_help = document::SERVER_HELP)]
    Server(document::ServerOptions),
}

/// Runs a subcommand, or prints the document if none is given.
pub(super) fn run(options: Options) -> Result<ExitCode, CommandError> {
    match options.command {
        None => print::run(&options.print).map(|()| ExitCode::SUCCESS),
        #[cfg(feature = "codegen")]
        Some(Command::Diff(options)) => diff::run(&options),
        #[cfg(feature = "codegen")]
        Some(Command::Publish(options)) => publish::run(&options).map(|()| ExitCode::SUCCESS),
        #[cfg(feature = "codegen")]
        Some(Command::Lint(options)) => document::lint(&options),
        #[cfg(feature = "codegen")]
        Some(Command::Server(options)) => document::server(&options),
    }
}
