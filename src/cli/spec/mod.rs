//! `trainyard spec`: the OpenAPI document, and what can be done with documents. One file per subcommand.

mod diff;
#[cfg(feature = "codegen")]
mod document;
mod print;
mod publish;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::{Failure, print as print_text};

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
    /// Tell what changed between two documents, and whom it breaks.
    #[command(after_help = diff::HELP)]
    Diff(diff::DiffOptions),
    /// Bless the current document as the one of its version, in the repository.
    #[command(after_help = publish::HELP)]
    Publish(publish::PublishOptions),
    /// Check any OpenAPI 3.0 document: each finding with its JSON pointer and what to write instead.
    #[cfg(feature = "codegen")]
    #[command(after_help = document::LINT_HELP)]
    Lint(document::LintOptions),
    /// Write a Rust crate that serves any OpenAPI 3.0 document: traits to implement, decoding, validation, routes.
    #[cfg(feature = "codegen")]
    #[command(after_help = document::SERVER_HELP)]
    Server(document::ServerOptions),
}

/// Runs a subcommand, or prints the document when none is named.
pub(super) fn run(options: Options) -> Result<ExitCode, Failure> {
    match options.command {
        None => print::run(&options.print).map(|()| ExitCode::SUCCESS),
        Some(Command::Diff(options)) => diff::run(&options),
        Some(Command::Publish(options)) => publish::run(&options).map(|()| ExitCode::SUCCESS),
        #[cfg(feature = "codegen")]
        Some(Command::Lint(options)) => document::lint(&options),
        #[cfg(feature = "codegen")]
        Some(Command::Server(options)) => document::server(&options),
    }
}
